/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles the C expressions of `init`, `want`, `len` and scalar values to stack programs: precedence climbing with C's types.
 *
 * Beyond C: buffers are read as `x[k]` (their initial contents), and `sum(k, low, high, body)`, `product`, `least`, `greatest` fold over
 * low <= k < high.  Nesting, program size and stack depth are limited, so that no text can exhaust anything.
 */
#include "launch/expression.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 200 };

struct loop_variable {
    const char *name;
    size_t size;
};

struct compiler {
    struct arena *arena;
    const char *text; /* zero-terminated copy */
    const char *at;
    const struct expression_scope *scope;
    struct expression *expression;
    struct expression_error *error;
    jmp_buf failed;
    unsigned depth;                       /* of the parser */
    unsigned stack;                       /* columns in use where the parser stands */
    struct loop_variable loops[EXPRESSION_VARIABLES];
    unsigned loop_count;                  /* variable 0 is `i` */
    bool uses_element;
};

typedef enum expression_type type_of; /* what each parsing function returns: the type of the column it left */

LW_NORETURN static void fail(struct compiler *c, const char *where, const char *message,
                             const char *help)
{
    c->error->offset = (uint32_t)(where - c->text);
    c->error->message = message;
    c->error->help = help;
    longjmp(c->failed, 1);
}

/* ---- emitting -------------------------------------------------------------------------------------- */

static struct expression_step *emit(struct compiler *c, enum expression_op op, type_of type)
{
    if (c->expression->count == EXPRESSION_STEPS)
        fail(c, c->at, "the expression is too long", NULL);
    struct expression_step *step = &c->expression->steps[c->expression->count++];
    step->op = (uint8_t)op;
    step->type = (uint8_t)type;
    step->from = (uint8_t)type;
    return step;
}

static void use_stack(struct compiler *c)
{
    if (++c->stack > EXPRESSION_STACK)
        fail(c, c->at, "the expression is nested too deeply", NULL);
}

static type_of emit_integer(struct compiler *c, int64_t value, type_of type)
{
    use_stack(c);
    emit(c, OP_CONSTANT, type)->as.integer = value;
    return type;
}

static type_of emit_real(struct compiler *c, double value, type_of type)
{
    use_stack(c);
    emit(c, OP_CONSTANT, type)->as.real = type == TYPE_F32 ? (double)(float)value : value;
    return type;
}

static void emit_convert(struct compiler *c, unsigned below, type_of from, type_of to)
{
    if (from == to)
        return;
    struct expression_step *last = &c->expression->steps[c->expression->count - 1];
    if (below == 0 && last->op == OP_CONSTANT && to == TYPE_I64) {
        last->type = last->from = TYPE_I64; /* a constant is widened at once: `i / 10` cannot fault */
        return;
    }
    struct expression_step *step = emit(c, OP_CONVERT, to);
    step->from = (uint8_t)from;
    step->argument = below;
}

/* C's usual arithmetic conversions of the two columns on top. */
static type_of emit_common(struct compiler *c, type_of a, type_of b)
{
    type_of common = a > b ? a : b; /* the enumeration is in rank order */
    emit_convert(c, 1, a, common);
    emit_convert(c, 0, b, common);
    return common;
}

static type_of emit_binary(struct compiler *c, enum expression_op op, type_of from, type_of type)
{
    emit(c, op, type)->from = (uint8_t)from;
    c->stack--;
    return type;
}

static void emit_unary(struct compiler *c, enum expression_op op, type_of from, type_of type)
{
    emit(c, op, type)->from = (uint8_t)from;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static void skip_blanks(struct compiler *c)
{
    while (*c->at == ' ' || *c->at == '\t')
        c->at++;
}

static bool is_name_start(char ch)
{
    return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

static size_t name_size(const char *at)
{
    size_t size = 0;
    if (is_name_start(*at))
        while (is_name_start(at[size]) || is_digit(at[size]))
            size++;
    return size;
}

static bool is_name(const char *at, size_t size, const char *name)
{
    return strlen(name) == size && memcmp(at, name, size) == 0;
}

static bool accept(struct compiler *c, char ch)
{
    skip_blanks(c);
    if (*c->at != ch)
        return false;
    c->at++;
    return true;
}

static void expect(struct compiler *c, char ch)
{
    skip_blanks(c);
    if (!accept(c, ch))
        fail(c, c->at, arena_printf(c->arena, "expected `%c` here", ch), NULL);
}

static type_of parse_conditional(struct compiler *c);

static void enter(struct compiler *c)
{
    if (++c->depth > DEPTH_LIMIT)
        fail(c, c->at, "the expression is nested too deeply", NULL);
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
    if (is_name_start(*c->at) || is_digit(*c->at) || *c->at == '.')
        fail(c, start, "this is not a number", NULL);
    return emit_real(c, value, type);
}

static type_of parse_integer(struct compiler *c)
{
    const char *start = c->at;
    bool is_decimal = *start != '0';
    bool is_binary = start[0] == '0' && (start[1] == 'b' || start[1] == 'B') && is_digit(start[2]);
    char *end;
    errno = 0;
    uint64_t value = strtoull(is_binary ? start + 2 : start, &end, is_binary ? 2 : 0);
    if (errno == ERANGE)
        fail(c, start, "the number does not fit into 64 bits", NULL);
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
    if (is_name_start(*c->at) || is_digit(*c->at))
        fail(c, start, "this is not a number", NULL);
    type_of type = TYPE_U64;
    if (!is_long && !is_unsigned && value <= INT32_MAX)
        type = TYPE_I32;
    else if (!is_long && (is_unsigned || !is_decimal) && value <= UINT32_MAX)
        type = TYPE_U32;
    else if (!is_unsigned && value <= INT64_MAX)
        type = TYPE_I64;
    return emit_integer(c, (int64_t)value, type);
}

static type_of parse_number(struct compiler *c)
{
    const char *at = c->at;
    bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    bool is_real = false;
    for (at += is_hex ? 2 : 0;; at++) {
        bool is_exponent = is_hex ? *at == 'p' || *at == 'P' : *at == 'e' || *at == 'E';
        if (*at == '.' || is_exponent)
            is_real = true;
        else if (!is_digit(*at) && !(is_hex && is_name_start(*at)))
            break;
    }
    return is_real || (!is_hex && (*at == 'f' || *at == 'F')) ? parse_real(c) : parse_integer(c);
}

/* ---- casts ---------------------------------------------------------------------------------------------- */

/* A type name that a cast may use; `bits` 0: a plain conversion to `type`. */
struct cast {
    const char *name;
    type_of type;
    uint8_t bits;
    bool is_signed;
};

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
static bool parse_type_name(struct compiler *c, struct cast *cast)
{
    const char *start = c->at;
    bool is_unsigned = false, found = false;
    for (;;) {
        skip_blanks(c);
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

static type_of emit_cast(struct compiler *c, type_of from, const struct cast *cast)
{
    if (cast->bits == 1) {
        emit_unary(c, OP_TRUTH, from, TYPE_I32);
        return TYPE_I32;
    }
    if (expression_type_is_float(cast->type) || cast->bits == 64 || cast->type == TYPE_U32) {
        emit_convert(c, 0, from, cast->type);
        return cast->type;
    }
    /* To a narrow integer: a real saturates at 32 bits, an integer keeps its low bits. */
    if (expression_type_is_float(from))
        emit_convert(c, 0, from, TYPE_I32);
    struct expression_step *step = emit(c, OP_NARROW, cast->type);
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
    fail(c, start, arena_printf(c->arena, "unknown name `%s`", name), help);
}

/* sum(k, low, high, body) */
static type_of parse_fold(struct compiler *c, unsigned fold)
{
    enter(c);
    expect(c, '(');
    skip_blanks(c);
    size_t size = name_size(c->at);
    if (size == 0)
        fail(c, c->at, "expected the name of the loop variable here",
             "write sum(k, low, high, body)");
    if (c->loop_count + 1 >= EXPRESSION_VARIABLES)
        fail(c, c->at, "too many loops inside each other", NULL);
    struct loop_variable variable = {c->at, size};
    c->at += size;
    for (int bound = 0; bound < 2; bound++) {
        expect(c, ',');
        const char *start = c->at;
        type_of type = parse_conditional(c);
        if (expression_type_is_float(type))
            fail(c, start, "a loop bound is an integer", NULL);
    }
    expect(c, ',');
    uint32_t loop = c->expression->count;
    struct expression_step *step = emit(c, OP_LOOP, TYPE_I64);
    step->fold = (uint8_t)fold;
    step->argument = ++c->loop_count;
    c->expression->may_fault = true;
    c->loops[c->loop_count] = variable;
    c->stack--; /* both bounds are one column now: the total */
    type_of type = parse_conditional(c);
    c->loop_count--;
    c->stack--; /* the body's column is folded into the total */
    expect(c, ')');
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
    enter(c);
    expect(c, '(');
    for (unsigned i = 0; i < builtin->arity; i++) {
        if (i != 0)
            expect(c, ',');
        type_of type = parse_conditional(c);
        all_single &= type == TYPE_F32;
        emit_convert(c, 0, type, TYPE_F64);
    }
    expect(c, ')');
    c->depth--;
    static const enum expression_op ops[] = {OP_CALL1, OP_CALL2, OP_CALL3};
    type_of type = is_single || all_single ? TYPE_F32 : TYPE_F64;
    emit(c, ops[builtin->arity - 1], type)->as.function = builtin->function;
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
    enter(c);
    expect(c, '(');
    const char *start = c->at;
    *type = parse_conditional(c);
    if (is_minimum || is_maximum) {
        expect(c, ',');
        type_of common = emit_common(c, *type, parse_conditional(c));
        *type = emit_binary(c, is_minimum ? OP_MINIMUM : OP_MAXIMUM, common, common);
    } else if (is_absolute) {
        emit_unary(c, OP_ABSOLUTE, *type, *type);
    } else if (expression_type_is_float(*type) != to_bits) {
        fail(c, start, to_bits ? "expected a float here" : "expected an integer here", NULL);
    } else if (is_population) {
        if (*type == TYPE_I32)
            emit_convert(c, 0, TYPE_I32, TYPE_U32);
        emit_unary(c, OP_POPULATION, *type, TYPE_I32);
        *type = TYPE_I32;
    } else {
        emit_unary(c, to_bits ? OP_FLOAT_BITS : OP_BITS_FLOAT, *type,
                   to_bits ? TYPE_I32 : TYPE_F32);
        *type = to_bits ? TYPE_I32 : TYPE_F32;
        if (to_bits && is_name(name, size, "__float_as_uint")) {
            emit_convert(c, 0, TYPE_I32, TYPE_U32);
            *type = TYPE_U32;
        }
    }
    expect(c, ')');
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
    if (!accept(c, '['))
        fail(c, start, arena_printf(c->arena, "`%s` is a buffer", name->name),
             arena_printf(c->arena, "read an element of its initial contents: %s[i]", name->name));
    enter(c);
    const char *index = c->at;
    if (expression_type_is_float(parse_conditional(c)))
        fail(c, index, "an element number is an integer", NULL);
    expect(c, ']');
    c->depth--;
    unsigned nesting = name->init == NULL ? 1 : name->init->nesting + 1;
    if (nesting > EXPRESSION_NESTING)
        fail(c, start, "too many buffers that depend on each other", NULL);
    if (nesting > c->expression->nesting)
        c->expression->nesting = nesting;
    c->expression->may_fault = true;
    emit(c, OP_BUFFER, type)->as.name = name;
    return type;
}

static type_of parse_name(struct compiler *c)
{
    const char *start = c->at;
    size_t size = name_size(start);
    struct cast cast;
    c->at += size;
    for (unsigned v = c->loop_count + 1; v-- > 0;)
        if (c->loops[v].size == size && memcmp(c->loops[v].name, start, size) == 0) {
            use_stack(c);
            emit(c, OP_VARIABLE, TYPE_I64)->argument = v;
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
    skip_blanks(c);
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
    if (!parse_type_name(c, &cast))
        fail_unknown(c, start, size);
    expect(c, '('); /* float(x) */
    type = parse_conditional(c);
    expect(c, ')');
    return emit_cast(c, type, &cast);
}

/* ---- operators --------------------------------------------------------------------------------------------- */

static type_of parse_unary(struct compiler *c);

static type_of parse_parenthesis(struct compiler *c)
{
    struct cast cast;
    const char *inside = ++c->at;
    if (parse_type_name(c, &cast)) {
        if (accept(c, ')'))
            return emit_cast(c, parse_unary(c), &cast);
        c->at = inside; /* (float(x) * 2) */
    }
    type_of type = parse_conditional(c);
    expect(c, ')');
    return type;
}

static type_of parse_unary_operator(struct compiler *c)
{
    const char *start = c->at;
    char sign = *c->at++;
    type_of type = parse_unary(c);
    bool is_real = expression_type_is_float(type);
    if (sign == '!') {
        emit_unary(c, OP_NOT, type, TYPE_I32);
        return TYPE_I32;
    }
    if (sign == '~' && is_real)
        fail(c, start, "`~` needs an integer", NULL);
    if (sign != '+')
        emit_unary(c, sign == '-' ? OP_NEGATE : OP_COMPLEMENT, type, type);
    return type;
}

static type_of parse_unary(struct compiler *c)
{
    type_of type;
    enter(c);
    skip_blanks(c);
    if (*c->at != '\0' && strchr("-+!~", *c->at) != NULL)
        type = parse_unary_operator(c);
    else if (*c->at == '(')
        type = parse_parenthesis(c);
    else if (is_digit(*c->at) || (*c->at == '.' && is_digit(c->at[1])))
        type = parse_number(c);
    else if (is_name_start(*c->at))
        type = parse_name(c);
    else if (*c->at == '\0')
        fail(c, c->at, "the expression ends here, where a value should stand", NULL);
    else
        fail(c, c->at, "expected a value here", NULL);
    c->depth--;
    return type;
}

struct operator_info {
    const char *text; /* longer texts before their prefixes */
    uint8_t level;    /* binds tighter when larger */
    uint8_t op;
    bool integers;    /* only for integers */
    bool compares;
};

static const struct operator_info operators[] = {
    {"||", 1, OP_EITHER, false, false},
    {"&&", 2, OP_BOTH, false, false},
    {"==", 6, OP_EQUAL, false, true},
    {"!=", 6, OP_NOT_EQUAL, false, true},
    {"<<", 8, OP_SHIFT_LEFT, true, false},
    {">>", 8, OP_SHIFT_RIGHT, true, false},
    {"<=", 7, OP_LESS_EQUAL, false, true},
    {">=", 7, OP_GREATER_EQUAL, false, true},
    {"<", 7, OP_LESS, false, true},
    {">", 7, OP_GREATER, false, true},
    {"|", 3, OP_OR, true, false},
    {"^", 4, OP_XOR, true, false},
    {"&", 5, OP_AND, true, false},
    {"+", 9, OP_ADD, false, false},
    {"-", 9, OP_SUBTRACT, false, false},
    {"*", 10, OP_MULTIPLY, false, false},
    {"/", 10, OP_DIVIDE, false, false},
    {"%", 10, OP_REMAINDER, true, false},
};

static const struct operator_info *operator_at(const char *at)
{
    for (unsigned i = 0; i < COUNT_OF(operators); i++)
        if (strncmp(at, operators[i].text, strlen(operators[i].text)) == 0)
            return &operators[i];
    return NULL;
}

static type_of emit_operator(struct compiler *c, const struct operator_info *info, type_of a,
                             type_of b)
{
    if (info->op == OP_BOTH || info->op == OP_EITHER) {
        emit_unary(c, OP_TRUTH, b, TYPE_I32);
        return emit_binary(c, (enum expression_op)info->op, TYPE_I32, TYPE_I32);
    }
    if (info->op == OP_SHIFT_LEFT || info->op == OP_SHIFT_RIGHT)
        return emit_binary(c, (enum expression_op)info->op, a, a); /* the left side's type alone */
    type_of common = emit_common(c, a, b);
    if ((info->op == OP_DIVIDE || info->op == OP_REMAINDER) && !expression_type_is_float(common)) {
        const struct expression_step *divisor = &c->expression->steps[c->expression->count - 1];
        bool is_safe = divisor->op == OP_CONSTANT && divisor->as.integer != 0;
        c->expression->may_fault |= !is_safe;
    }
    return emit_binary(c, (enum expression_op)info->op, common, info->compares ? TYPE_I32 : common);
}

static type_of parse_binary(struct compiler *c, unsigned level)
{
    enter(c);
    type_of a = parse_unary(c);
    for (;;) {
        skip_blanks(c);
        const char *start = c->at;
        const struct operator_info *info = operator_at(start);
        if (info == NULL || info->level < level)
            break;
        c->at += strlen(info->text);
        if (info->op == OP_BOTH || info->op == OP_EITHER)
            emit_unary(c, OP_TRUTH, a, TYPE_I32);
        type_of b = parse_binary(c, info->level + 1u);
        if (info->integers && (expression_type_is_float(a) || expression_type_is_float(b)))
            fail(c, start, arena_printf(c->arena, "`%s` needs integers on both sides", info->text),
                 NULL);
        a = emit_operator(c, info, a, b);
    }
    c->depth--;
    return a;
}

static type_of parse_conditional(struct compiler *c)
{
    enter(c);
    type_of type = parse_binary(c, 1);
    if (accept(c, '?')) {
        emit_unary(c, OP_TRUTH, type, TYPE_I32);
        type_of yes = parse_conditional(c);
        expect(c, ':');
        type_of no = parse_conditional(c);
        type = emit_common(c, yes, no);
        emit(c, OP_SELECT, type);
        c->stack -= 2;
    }
    c->depth--;
    return type;
}

/* ---- entry --------------------------------------------------------------------------------------------------- */

static void fold_constant(struct expression *expression)
{
    struct expression_column column;
    int64_t element = 0;
    expression_evaluate(expression, &element, 1, &column);
    if (expression->may_fault && column.fault[0] != 0)
        return; /* reported where it is evaluated */
    expression->is_constant = true;
    expression->value.is_float = expression_type_is_float(expression->type);
    expression->value.is_unsigned = expression->type == TYPE_U64;
    expression->value.as.integer = column.as.integer[0];
}

struct expression *expression_compile(struct arena *arena, const char *text, size_t size,
                                      const struct expression_scope *scope,
                                      struct expression_error *error)
{
    struct expression_step *steps = ARENA_ARRAY(arena, struct expression_step, EXPRESSION_STEPS);
    struct expression *expression = ARENA_NEW(arena, struct expression);
    struct compiler *c = ARENA_NEW(arena, struct compiler);
    c->arena = arena;
    c->text = c->at = arena_text(arena, text, size);
    c->scope = scope;
    c->expression = expression;
    c->error = error;
    c->loops[0] = (struct loop_variable){"i", 1};
    expression->steps = steps;
    if (setjmp(c->failed) != 0)
        return NULL;
    expression->type = parse_conditional(c);
    skip_blanks(c);
    if (*c->at != '\0')
        fail(c, c->at, "expected an operator or the end here", NULL);
    /* Keep what the program needs, not the limit. */
    expression->steps = arena_copy(arena, steps, expression->count * sizeof *steps);
    if (!c->uses_element)
        fold_constant(expression);
    return expression;
}

bool expression_constant(const struct expression *expression, struct value *value)
{
    if (expression->is_constant)
        *value = expression->value;
    return expression->is_constant;
}
