/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles the C expressions of `init`, `want`, `len` and scalar values to stack programs: precedence climbing with C's types.
 *
 * Beyond C: buffers are read as `x[k]` (their initial contents), and `sum(k, low, high, body)`, `product`, `least`, `greatest` fold over
 * low <= k < high.  Nesting, program size and stack depth are limited, so that no text can exhaust anything.
 */
#include "launch/compile.h"

#include <string.h>

LW_NORETURN void compile_fail(struct compiler *c, const char *where, const char *message,
                             const char *help)
{
    c->error->offset = (uint32_t)(where - c->text);
    c->error->message = message;
    c->error->help = help;
    longjmp(c->failed, 1);
}

/* ---- emitting -------------------------------------------------------------------------------------- */

struct expression_step *compile_emit(struct compiler *c, enum expression_op op, type_of type)
{
    if (c->expression->count == EXPRESSION_STEPS)
        compile_fail(c, c->at, "the expression is too long", NULL);
    struct expression_step *step = &c->expression->steps[c->expression->count++];
    step->op = (uint8_t)op;
    step->type = (uint8_t)type;
    step->from = (uint8_t)type;
    return step;
}

void compile_use_stack(struct compiler *c)
{
    if (++c->stack > EXPRESSION_STACK)
        compile_fail(c, c->at, "the expression is nested too deeply", NULL);
}

void compile_convert(struct compiler *c, unsigned below, type_of from, type_of to)
{
    if (from == to)
        return;
    struct expression_step *last = &c->expression->steps[c->expression->count - 1];
    if (below == 0 && last->op == OP_CONSTANT && to == TYPE_I64) {
        last->type = last->from = TYPE_I64; /* a constant is widened at once: `i / 10` cannot fault */
        return;
    }
    struct expression_step *step = compile_emit(c, OP_CONVERT, to);
    step->from = (uint8_t)from;
    step->argument = below;
}

/* C's usual arithmetic conversions of the two columns on top. */
type_of compile_common(struct compiler *c, type_of a, type_of b)
{
    type_of common = a > b ? a : b; /* the enumeration is in rank order */
    compile_convert(c, 1, a, common);
    compile_convert(c, 0, b, common);
    return common;
}

type_of compile_binary(struct compiler *c, enum expression_op op, type_of from, type_of type)
{
    compile_emit(c, op, type)->from = (uint8_t)from;
    c->stack--;
    return type;
}

void compile_unary(struct compiler *c, enum expression_op op, type_of from, type_of type)
{
    compile_emit(c, op, type)->from = (uint8_t)from;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

void compile_skip_blanks(struct compiler *c)
{
    while (*c->at == ' ' || *c->at == '\t')
        c->at++;
}

bool compile_is_name_start(char ch)
{
    return ch == '_' || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

bool compile_is_digit(char ch)
{
    return ch >= '0' && ch <= '9';
}

bool compile_accept(struct compiler *c, char ch)
{
    compile_skip_blanks(c);
    if (*c->at != ch)
        return false;
    c->at++;
    return true;
}

void compile_expect(struct compiler *c, char ch)
{
    compile_skip_blanks(c);
    if (!compile_accept(c, ch))
        compile_fail(c, c->at, arena_printf(c->arena, "expected `%c` here", ch), NULL);
}

void compile_enter(struct compiler *c)
{
    if (++c->depth > DEPTH_LIMIT)
        compile_fail(c, c->at, "the expression is nested too deeply", NULL);
}

/* ---- operators --------------------------------------------------------------------------------------------- */

static type_of parse_unary(struct compiler *c);

static type_of parse_parenthesis(struct compiler *c)
{
    struct cast cast;
    const char *inside = ++c->at;
    if (compile_type_name(c, &cast)) {
        if (compile_accept(c, ')'))
            return compile_cast(c, parse_unary(c), &cast);
        c->at = inside; /* (float(x) * 2) */
    }
    type_of type = compile_expression(c);
    compile_expect(c, ')');
    return type;
}

static type_of parse_unary_operator(struct compiler *c)
{
    const char *start = c->at;
    char sign = *c->at++;
    type_of type = parse_unary(c);
    bool is_real = expression_type_is_float(type);
    if (sign == '!') {
        compile_unary(c, OP_NOT, type, TYPE_I32);
        return TYPE_I32;
    }
    if (sign == '~' && is_real)
        compile_fail(c, start, "`~` needs an integer", NULL);
    if (sign != '+')
        compile_unary(c, sign == '-' ? OP_NEGATE : OP_COMPLEMENT, type, type);
    return type;
}

static type_of parse_unary(struct compiler *c)
{
    type_of type;
    compile_enter(c);
    compile_skip_blanks(c);
    if (*c->at != '\0' && strchr("-+!~", *c->at) != NULL)
        type = parse_unary_operator(c);
    else if (*c->at == '(')
        type = parse_parenthesis(c);
    else if (compile_is_digit(*c->at) || (*c->at == '.' && compile_is_digit(c->at[1])))
        type = compile_number(c);
    else if (compile_is_name_start(*c->at))
        type = compile_name(c);
    else if (*c->at == '\0')
        compile_fail(c, c->at, "the expression ends here, where a value should stand", NULL);
    else
        compile_fail(c, c->at, "expected a value here", NULL);
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
        compile_unary(c, OP_TRUTH, b, TYPE_I32);
        return compile_binary(c, (enum expression_op)info->op, TYPE_I32, TYPE_I32);
    }
    if (info->op == OP_SHIFT_LEFT || info->op == OP_SHIFT_RIGHT)
        return compile_binary(c, (enum expression_op)info->op, a, a); /* the left side's type alone */
    type_of common = compile_common(c, a, b);
    if ((info->op == OP_DIVIDE || info->op == OP_REMAINDER) && !expression_type_is_float(common)) {
        const struct expression_step *divisor = &c->expression->steps[c->expression->count - 1];
        bool is_safe = divisor->op == OP_CONSTANT && divisor->as.integer != 0;
        c->expression->may_fault |= !is_safe;
    }
    return compile_binary(c, (enum expression_op)info->op, common, info->compares ? TYPE_I32 : common);
}

static type_of parse_binary(struct compiler *c, unsigned level)
{
    compile_enter(c);
    type_of a = parse_unary(c);
    for (;;) {
        compile_skip_blanks(c);
        const char *start = c->at;
        const struct operator_info *info = operator_at(start);
        if (info == NULL || info->level < level)
            break;
        c->at += strlen(info->text);
        if (info->op == OP_BOTH || info->op == OP_EITHER)
            compile_unary(c, OP_TRUTH, a, TYPE_I32);
        type_of b = parse_binary(c, info->level + 1u);
        if (info->integers && (expression_type_is_float(a) || expression_type_is_float(b)))
            compile_fail(c, start, arena_printf(c->arena, "`%s` needs integers on both sides", info->text),
                 NULL);
        a = emit_operator(c, info, a, b);
    }
    c->depth--;
    return a;
}

type_of compile_expression(struct compiler *c)
{
    compile_enter(c);
    type_of type = parse_binary(c, 1);
    if (compile_accept(c, '?')) {
        compile_unary(c, OP_TRUTH, type, TYPE_I32);
        type_of yes = compile_expression(c);
        compile_expect(c, ':');
        type_of no = compile_expression(c);
        type = compile_common(c, yes, no);
        compile_emit(c, OP_SELECT, type);
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
    expression->type = compile_expression(c);
    compile_skip_blanks(c);
    if (*c->at != '\0')
        compile_fail(c, c->at, "expected an operator or the end here", NULL);
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
