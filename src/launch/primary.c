/* SPDX-License-Identifier: Apache-2.0
 *
 * The leaves of expressions: numbers, casts, names, calls.
 */
#include "launch/compile.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static type_of emit_integer(struct compiler *c, int64_t value, type_of type)
{
    compile_use_stack(c);
    compile_emit(c, OP_CONSTANT, type)->as.integer = value;
    return type;
}

static type_of emit_real(struct compiler *c, double value, type_of type)
{
    compile_use_stack(c);
    compile_emit(c, OP_CONSTANT, type)->as.real = type == TYPE_F32 ? (double)(float)value : value;
    return type;
}

static size_t name_size(const char *at)
{
    size_t size = 0;
    if (compile_is_name_start(*at))
        while (compile_is_name_start(at[size]) || compile_is_digit(at[size]))
            size++;
    return size;
}

static bool is_name(const char *at, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(at, name, size) == 0;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

static type_of parse_real(struct compiler *c)
{
    char *end;
    const char *start = c->at;
    double value = strtod(start, &end);
    type_of type = TYPE_F64;
    c->at = end;
    if (*c->at == 'f' || *c->at == 'F') {
        c->at++;
        type = TYPE_F32;
    }
    if (compile_is_name_start(*c->at) || compile_is_digit(*c->at) || *c->at == '.')
        compile_fail(c, start, "this is not a number", NULL);
    return emit_real(c, value, type);
}

static type_of parse_integer(struct compiler *c)
{
    const char *start = c->at;
    bool is_decimal = *start != '0';
    bool is_binary = start[0] == '0' && (start[1] == 'b' || start[1] == 'B') && compile_is_digit(start[2]);
    char *end;
    errno = 0;
    uint64_t value = strtoull(is_binary ? start + 2 : start, &end, is_binary ? 2 : 0);
    if (errno == ERANGE)
        compile_fail(c, start, "the number does not fit into 64 bits", NULL);
    c->at = end;
    bool is_unsigned = false, is_long = false;
    for (;; c->at++) {
        if (*c->at == 'u' || *c->at == 'U')
            is_unsigned = true;
        else if (*c->at == 'l' || *c->at == 'L')
            is_long = true;
        else
            break;
    }
    if (compile_is_name_start(*c->at) || compile_is_digit(*c->at))
        compile_fail(c, start, "this is not a number", NULL);
    type_of type = TYPE_U64;
    if (!is_long && !is_unsigned && value <= INT32_MAX)
        type = TYPE_I32;
    else if (!is_long && (is_unsigned || !is_decimal) && value <= UINT32_MAX)
        type = TYPE_U32;
    else if (!is_unsigned && value <= INT64_MAX)
        type = TYPE_I64;
    return emit_integer(c, (int64_t)value, type);
}

type_of compile_number(struct compiler *c)
{
    const char *at = c->at;
    bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    bool is_real = false;
    for (at += is_hex ? 2 : 0;; at++) {
        bool is_exponent = is_hex ? *at == 'p' || *at == 'P' : *at == 'e' || *at == 'E';
        if (*at == '.' || is_exponent)
            is_real = true;
        else if (!compile_is_digit(*at) && !(is_hex && compile_is_name_start(*at)))
            break;
    }
    return is_real || (!is_hex && (*at == 'f' || *at == 'F')) ? parse_real(c) : parse_integer(c);
}

/* ---- casts ---------------------------------------------------------------------------------------------- */

static const struct cast casts[] = {
    {"int", TYPE_I32, 32, true},        {"unsigned", TYPE_U32, 32, false},
    {"char", TYPE_I32, 8, true},        {"short", TYPE_I32, 16, true},
    {"long", TYPE_I64, 64, true},       {"float", TYPE_F32, 0, true},
    {"double", TYPE_F64, 0, true},      {"bool", TYPE_I32, 1, false},
    {"size_t", TYPE_U64, 64, false},    {"int8_t", TYPE_I32, 8, true},
    {"int16_t", TYPE_I32, 16, true},    {"int32_t", TYPE_I32, 32, true},
    {"int64_t", TYPE_I64, 64, true},    {"uint8_t", TYPE_I32, 8, false},
    {"uint16_t", TYPE_I32, 16, false},  {"uint32_t", TYPE_U32, 32, false},
    {"uint64_t", TYPE_U64, 64, false},  {"signed", TYPE_I32, 32, true},
};

/* Reads a type name, also of several words (`unsigned long long`); false and nothing read if there is none. */
bool compile_type_name(struct compiler *c, struct cast *cast)
{
    const char *start = c->at;
    bool is_unsigned = false, found = false;
    for (;;) {
        compile_skip_blanks(c);
        size_t size = name_size(c->at);
        const struct cast *word = NULL;
        for (unsigned i = 0; i < COUNT_OF(casts) && size != 0; i++)
            if (is_name(c->at, size, casts[i].name))
                word = &casts[i];
        if (word == NULL)
            break;
        is_unsigned |= is_name(c->at, size, "unsigned");
        /* `int` and `signed` add nothing to a width that is already there. */
        if (!found || (word->bits != 32 && !(cast->bits == 64 && word->bits == 64)))
            *cast = *word;
        found = true;
        c->at += size;
    }
    if (!found) {
        c->at = start;
        return false;
    }
    if (is_unsigned) {
        cast->is_signed = false;
        cast->type = cast->bits == 64 ? TYPE_U64 : cast->bits == 32 ? TYPE_U32 : TYPE_I32;
    }
    return true;
}

type_of compile_cast(struct compiler *c, type_of from, const struct cast *cast)
{
    if (cast->bits == 1) {
        compile_unary(c, OP_TRUTH, from, TYPE_I32);
        return TYPE_I32;
    }
    if (expression_type_is_float(cast->type) || cast->bits == 64 || cast->type == TYPE_U32) {
        compile_convert(c, 0, from, cast->type);
        return cast->type;
    }
    /* To a narrow integer: a real saturates at 32 bits, an integer keeps its low bits. */
    if (expression_type_is_float(from))
        compile_convert(c, 0, from, TYPE_I32);
    struct expression_step *step = compile_emit(c, OP_NARROW, cast->type);
    step->argument = cast->bits;
    step->from = (uint8_t)(cast->is_signed ? TYPE_I32 : TYPE_U32);
    return cast->type;
}

/* ---- names ------------------------------------------------------------------------------------------------ */

struct named_constant {
    const char *name;
    type_of type;
    double real;
    int64_t integer;
};

static const struct named_constant constants[] = {
    {"INFINITY", TYPE_F32, (double)INFINITY, 0}, {"inf", TYPE_F32, (double)INFINITY, 0},
    {"NAN", TYPE_F32, (double)NAN, 0},           {"nan", TYPE_F32, (double)NAN, 0},
    {"M_PI", TYPE_F64, 3.14159265358979323846, 0},
    {"FLT_MAX", TYPE_F32, FLT_MAX, 0},           {"FLT_MIN", TYPE_F32, FLT_MIN, 0},
    {"DBL_MAX", TYPE_F64, DBL_MAX, 0},           {"DBL_MIN", TYPE_F64, DBL_MIN, 0},
    {"INT_MAX", TYPE_I32, 0, INT_MAX},           {"INT_MIN", TYPE_I32, 0, INT_MIN},
    {"UINT_MAX", TYPE_U32, 0, UINT_MAX},         {"LLONG_MAX", TYPE_I64, 0, LLONG_MAX},
    {"LLONG_MIN", TYPE_I64, 0, LLONG_MIN},       {"ULLONG_MAX", TYPE_U64, 0, -1},
    {"true", TYPE_I32, 0, 1},                    {"false", TYPE_I32, 0, 0},
};

static const char *const folds[] = {"sum", "product", "least", "greatest"};

static type_of type_of_value(enum value_type type)
{
    switch (type) {
    case VALUE_F64:
        return TYPE_F64;
    case VALUE_F32:
    case VALUE_F16:
    case VALUE_BF16:
        return TYPE_F32;
    case VALUE_U64:
        return TYPE_U64;
    case VALUE_I64:
        return TYPE_I64;
    case VALUE_U32:
        return TYPE_U32;
    default:
        return TYPE_I32;
    }
}

LW_NORETURN static void fail_unknown(struct compiler *c, const char *start, size_t size)
{
    const char *name = arena_text(c->arena, start, size);
    const char *help;
    struct text_guess guess = text_guess_begin(name);
    for (uint32_t i = 0; i < c->scope->count; i++)
        text_guess_try(&guess, c->scope->names[i].name);
    for (unsigned i = 0; i < COUNT_OF(folds); i++)
        text_guess_try(&guess, folds[i]);
    expression_builtin_suggest(&guess);
    if (guess.best != NULL)
        help = arena_printf(c->arena, "did you mean `%s`?", guess.best);
    else
        help = "an expression knows `i`, the arguments before it, buffers as `x[k]`, and C's functions";
    compile_fail(c, start, arena_printf(c->arena, "unknown name `%s`", name), help);
}

/* sum(k, low, high, body) */
static type_of parse_fold(struct compiler *c, unsigned fold)
{
    compile_enter(c);
    compile_expect(c, '(');
    compile_skip_blanks(c);
    size_t size = name_size(c->at);
    if (size == 0)
        compile_fail(c, c->at, "expected the name of the loop variable here",
             "write sum(k, low, high, body)");
    if (c->loop_count + 1 >= EXPRESSION_VARIABLES)
        compile_fail(c, c->at, "too many loops inside each other", NULL);
    struct loop_variable variable = {c->at, size};
    c->at += size;
    for (int bound = 0; bound < 2; bound++) {
        compile_expect(c, ',');
        const char *start = c->at;
        type_of type = compile_expression(c);
        if (expression_type_is_float(type))
            compile_fail(c, start, "a loop bound is an integer", NULL);
    }
    compile_expect(c, ',');
    uint32_t loop = c->expression->count;
    struct expression_step *step = compile_emit(c, OP_LOOP, TYPE_I64);
    step->fold = (uint8_t)fold;
    step->argument = ++c->loop_count;
    c->expression->may_fault = true;
    c->loops[c->loop_count] = variable;
    c->stack--; /* both bounds are one column now: the total */
    type_of type = compile_expression(c);
    c->loop_count--;
    c->stack--; /* the body's column is folded into the total */
    compile_expect(c, ')');
    c->depth--;
    /* Sums of narrow integers are kept in 64 bits, sums of floats are exact enough in doubles and rounded by what uses them. */
    type = expression_type_is_float(type) ? TYPE_F64
           : type == TYPE_U32             ? TYPE_U32
           : type == TYPE_U64             ? TYPE_U64
                                          : TYPE_I64;
    c->expression->steps[loop].type = (uint8_t)type;
    c->expression->steps[loop].last = c->expression->count;
    return type;
}

/* The arguments of a call, converted to double; C's functions take nothing else. */
static type_of parse_call(struct compiler *c, const struct expression_builtin *builtin,
                          bool is_single)
{
    bool all_single = true;
    compile_enter(c);
    compile_expect(c, '(');
    for (unsigned i = 0; i < builtin->arity; i++) {
        if (i != 0)
            compile_expect(c, ',');
        type_of type = compile_expression(c);
        all_single &= type == TYPE_F32;
        compile_convert(c, 0, type, TYPE_F64);
    }
    compile_expect(c, ')');
    c->depth--;
    static const enum expression_op ops[] = {OP_CALL1, OP_CALL2, OP_CALL3};
    type_of type = is_single || all_single ? TYPE_F32 : TYPE_F64;
    compile_emit(c, ops[builtin->arity - 1], type)->as.function = builtin->function;
    c->stack -= builtin->arity - 1u;
    return type;
}

/* min, max, abs and their like, which keep C++'s types. */
static bool parse_typed_call(struct compiler *c, const char *name, size_t size, type_of *type)
{
    bool is_minimum = is_name(name, size, "min"), is_maximum = is_name(name, size, "max");
    bool is_absolute = is_name(name, size, "abs") || is_name(name, size, "labs") ||
                       is_name(name, size, "llabs");
    bool is_population = is_name(name, size, "__popc") || is_name(name, size, "popc") ||
                         is_name(name, size, "__popcll");
    bool to_bits = is_name(name, size, "__float_as_int") || is_name(name, size, "__float_as_uint");
    bool from_bits = is_name(name, size, "__int_as_float") ||
                     is_name(name, size, "__uint_as_float");
    if (!is_minimum && !is_maximum && !is_absolute && !is_population && !to_bits && !from_bits)
        return false;
    compile_enter(c);
    compile_expect(c, '(');
    const char *start = c->at;
    *type = compile_expression(c);
    if (is_minimum || is_maximum) {
        compile_expect(c, ',');
        type_of common = compile_common(c, *type, compile_expression(c));
        *type = compile_binary(c, is_minimum ? OP_MINIMUM : OP_MAXIMUM, common, common);
    } else if (is_absolute) {
        compile_unary(c, OP_ABSOLUTE, *type, *type);
    } else if (expression_type_is_float(*type) != to_bits) {
        compile_fail(c, start, to_bits ? "expected a float here" : "expected an integer here", NULL);
    } else if (is_population) {
        if (*type == TYPE_I32)
            compile_convert(c, 0, TYPE_I32, TYPE_U32);
        compile_unary(c, OP_POPULATION, *type, TYPE_I32);
        *type = TYPE_I32;
    } else {
        compile_unary(c, to_bits ? OP_FLOAT_BITS : OP_BITS_FLOAT, *type,
                   to_bits ? TYPE_I32 : TYPE_F32);
        *type = to_bits ? TYPE_I32 : TYPE_F32;
        if (to_bits && is_name(name, size, "__float_as_uint")) {
            compile_convert(c, 0, TYPE_I32, TYPE_U32);
            *type = TYPE_U32;
        }
    }
    compile_expect(c, ')');
    c->depth--;
    return true;
}

/* x[k], or the value of a scalar. */
static type_of parse_scope_name(struct compiler *c, const struct expression_name *name,
                                const char *start)
{
    type_of type = type_of_value(name->type);
    if (!name->is_buffer) {
        if (name->value.is_float)
            return emit_real(c, name->value.as.real, type);
        return emit_integer(c, name->value.as.integer, type);
    }
    if (!compile_accept(c, '['))
        compile_fail(c, start, arena_printf(c->arena, "`%s` is a buffer", name->name),
             arena_printf(c->arena, "read an element of its initial contents: %s[i]", name->name));
    compile_enter(c);
    const char *index = c->at;
    if (expression_type_is_float(compile_expression(c)))
        compile_fail(c, index, "an element number is an integer", NULL);
    compile_expect(c, ']');
    c->depth--;
    unsigned nesting = name->init == NULL ? 1 : name->init->nesting + 1;
    if (nesting > EXPRESSION_NESTING)
        compile_fail(c, start, "too many buffers that depend on each other", NULL);
    if (nesting > c->expression->nesting)
        c->expression->nesting = nesting;
    c->expression->may_fault = true;
    compile_emit(c, OP_BUFFER, type)->as.name = name;
    return type;
}

type_of compile_name(struct compiler *c)
{
    const char *start = c->at;
    size_t size = name_size(start);
    struct cast cast;
    c->at += size;
    for (unsigned v = c->loop_count + 1; v-- > 0;)
        if (c->loops[v].size == size && memcmp(c->loops[v].name, start, size) == 0) {
            compile_use_stack(c);
            compile_emit(c, OP_VARIABLE, TYPE_I64)->argument = v;
            c->uses_element |= v == 0;
            return TYPE_I64;
        }
    for (uint32_t n = 0; n < c->scope->count; n++)
        if (is_name(start, size, c->scope->names[n].name))
            return parse_scope_name(c, &c->scope->names[n], start);
    for (unsigned n = 0; n < COUNT_OF(constants); n++)
        if (is_name(start, size, constants[n].name))
            return expression_type_is_float(constants[n].type)
                       ? emit_real(c, constants[n].real, constants[n].type)
                       : emit_integer(c, constants[n].integer, constants[n].type);
    compile_skip_blanks(c);
    if (*c->at != '(')
        fail_unknown(c, start, size);
    for (unsigned n = 0; n < COUNT_OF(folds); n++)
        if (is_name(start, size, folds[n]))
            return parse_fold(c, n);
    type_of type;
    if (parse_typed_call(c, start, size, &type))
        return type;
    bool is_single;
    const struct expression_builtin *builtin = expression_builtin_find(start, size, &is_single);
    if (builtin != NULL)
        return parse_call(c, builtin, is_single);
    c->at = start;
    if (!compile_type_name(c, &cast))
        fail_unknown(c, start, size);
    compile_expect(c, '('); /* float(x) */
    type = compile_expression(c);
    compile_expect(c, ')');
    return compile_cast(c, type, &cast);
}
