/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant expressions: 64-bit integers with C's operators, and signed floats.  Signed unless a number is written with U, does
 * not fit a signed one, or a cast says otherwise; arithmetic wraps.
 */
#include "ptx/parse.h"

#include <string.h>

struct constant {
    uint64_t bits;
    bool is_unsigned;
};

struct binary {
    int token;
    uint8_t precedence;
};

static const struct binary binaries[] = {
    {TOKEN_OR_OR, 1},
    {TOKEN_AND_AND, 2},
    {'|', 3},
    {'^', 4},
    {'&', 5},
    {TOKEN_EQUAL, 6},
    {TOKEN_NOT_EQUAL, 6},
    {'<', 7},
    {'>', 7},
    {TOKEN_LESS_EQUAL, 7},
    {TOKEN_GREATER_EQUAL, 7},
    {TOKEN_SHIFT_LEFT, 8},
    {TOKEN_SHIFT_RIGHT, 8},
    {'+', 9},
    {'-', 9},
    {'*', 10},
    {'/', 10},
    {'%', 10},
};

static bool parse_choice(struct parser *parser, unsigned depth, struct constant *result);

static bool divide(struct parser *parser, int token, struct constant a, struct constant b,
                   struct constant *result)
{
    if (b.bits == 0) {
        report(parser, "division by zero in a constant");
        return false;
    }
    bool is_unsigned = result->is_unsigned;
    if (is_unsigned)
        result->bits = token == '/' ? a.bits / b.bits : a.bits % b.bits;
    else if (b.bits == UINT64_MAX) /* -1: INT64_MIN / -1 wraps */
        result->bits = token == '/' ? 0 - a.bits : 0;
    else
        result->bits = (uint64_t)(token == '/' ? (int64_t)a.bits / (int64_t)b.bits
                                               : (int64_t)a.bits % (int64_t)b.bits);
    return true;
}

static uint64_t shift_right(struct constant a, uint64_t by)
{
    if (a.is_unsigned || (int64_t)a.bits >= 0)
        return by > 63 ? 0 : a.bits >> by;
    return by > 63 ? UINT64_MAX : ~(~a.bits >> by);
}

static bool less(struct constant a, struct constant b)
{
    return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static bool apply(struct parser *parser, int token, struct constant a, struct constant b,
                  struct constant *result)
{
    result->is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (token) {
    case '+':
        result->bits = a.bits + b.bits;
        return true;
    case '-':
        result->bits = a.bits - b.bits;
        return true;
    case '*':
        result->bits = a.bits * b.bits;
        return true;
    case '/':
    case '%':
        return divide(parser, token, a, b, result);
    case '&':
        result->bits = a.bits & b.bits;
        return true;
    case '|':
        result->bits = a.bits | b.bits;
        return true;
    case '^':
        result->bits = a.bits ^ b.bits;
        return true;
    case TOKEN_SHIFT_LEFT:
        result->bits = b.bits > 63 ? 0 : a.bits << b.bits;
        break;
    case TOKEN_SHIFT_RIGHT:
        result->bits = shift_right(a, b.bits);
        break;
    case TOKEN_AND_AND:
        result->bits = a.bits != 0 && b.bits != 0;
        break;
    case TOKEN_OR_OR:
        result->bits = a.bits != 0 || b.bits != 0;
        break;
    case TOKEN_EQUAL:
        result->bits = a.bits == b.bits;
        break;
    case TOKEN_NOT_EQUAL:
        result->bits = a.bits != b.bits;
        break;
    case '<':
        result->bits = less(a, b);
        break;
    case '>':
        result->bits = less(b, a);
        break;
    case TOKEN_LESS_EQUAL:
        result->bits = !less(b, a);
        break;
    case TOKEN_GREATER_EQUAL:
        result->bits = !less(a, b);
        break;
    }
    bool is_shift = token == TOKEN_SHIFT_LEFT || token == TOKEN_SHIFT_RIGHT;
    result->is_unsigned = is_shift && a.is_unsigned;
    return true;
}

/* At a `(`: a cast (.s64) or (.u64), or an expression in parentheses. */
static bool parse_parenthesis(struct parser *parser, unsigned depth, struct constant *result);

static bool parse_unary(struct parser *parser, unsigned depth, struct constant *result)
{
    int sign = parser->token.kind;
    if (depth > LIMIT_EXPRESSION) {
        report(parser, "the expression is nested more than %d deep", LIMIT_EXPRESSION);
        return false;
    }
    if (sign == '(')
        return parse_parenthesis(parser, depth, result);
    if (sign == '-' || sign == '+' || sign == '!' || sign == '~') {
        lexer_next(parser);
        if (!parse_unary(parser, depth + 1, result))
            return false;
        if (sign == '!')
            *result = (struct constant){.bits = result->bits == 0};
        else if (sign != '+')
            result->bits = sign == '-' ? 0 - result->bits : ~result->bits;
        return true;
    }
    bool is_warp_size = parser->token.kind == TOKEN_NAME &&
                        strcmp(parser->names.data[parser->token.name].text, "WARP_SZ") == 0;
    if (parser->token.kind != TOKEN_INTEGER && !is_warp_size) {
        report(parser, "expected a number, found %s", token_shown(parser));
        return false;
    }
    result->bits = is_warp_size ? 32 : parser->token.value;
    result->is_unsigned = parser->token.is_unsigned;
    lexer_next(parser);
    return true;
}

static bool parse_parenthesis(struct parser *parser, unsigned depth, struct constant *result)
{
    lexer_next(parser);
    enum ptx_mod mod = token_mod(parser, PTX_GROUP_TYPE);
    if (mod == PTX_MOD_NONE)
        return parse_choice(parser, depth + 1, result) && expect(parser, ')');
    lexer_next(parser);
    if (!expect(parser, ')') || !parse_unary(parser, depth + 1, result))
        return false;
    result->is_unsigned = !ptx_type_is_signed(ptx_mod_value(mod));
    return true;
}

static const struct binary *current_binary(const struct parser *parser)
{
    for (size_t i = 0; i < COUNT_OF(binaries); i++)
        if (binaries[i].token == parser->token.kind)
            return &binaries[i];
    return NULL;
}

static bool parse_binary(struct parser *parser, unsigned least, unsigned depth,
                         struct constant *result)
{
    if (!parse_unary(parser, depth, result))
        return false;
    const struct binary *binary;
    while ((binary = current_binary(parser)) != NULL && binary->precedence >= least) {
        struct constant left = *result, right;
        lexer_next(parser);
        if (!parse_binary(parser, binary->precedence + 1u, depth + 1, &right) ||
            !apply(parser, binary->token, left, right, result))
            return false;
    }
    return true;
}

static bool parse_choice(struct parser *parser, unsigned depth, struct constant *result)
{
    if (!parse_binary(parser, 1, depth, result))
        return false;
    if (!accept(parser, '?'))
        return true;
    struct constant yes, no;
    bool condition = result->bits != 0;
    if (!parse_choice(parser, depth + 1, &yes) || !expect(parser, ':') ||
        !parse_choice(parser, depth + 1, &no))
        return false;
    *result = condition ? yes : no;
    return true;
}

bool constant_integer(struct parser *parser, int64_t *value)
{
    struct constant constant = {0};
    if (!parse_choice(parser, 0, &constant))
        return false;
    *value = (int64_t)constant.bits;
    return true;
}

bool constant_unsigned(struct parser *parser, uint64_t limit, const char *what, uint64_t *value)
{
    struct constant constant = {0};
    uint32_t offset = parser->token.offset, line = parser->token.line;
    if (!parse_choice(parser, 0, &constant))
        return false;
    bool negative = !constant.is_unsigned && (int64_t)constant.bits < 0;
    if (negative || constant.bits > limit) {
        report_at(parser, offset, line, "%s must be in 0..%llu", what, (unsigned long long)limit);
        return false;
    }
    *value = constant.bits;
    return true;
}

bool constant_is_float(const struct parser *parser)
{
    if (parser->token.kind == TOKEN_FLOAT)
        return true;
    return (parser->token.kind == '-' || parser->token.kind == '+') && lexer_before_float(parser);
}

bool constant_float(struct parser *parser, uint64_t *bits, bool *is_double)
{
    int sign = parser->token.kind;
    if (sign == '-' || sign == '+')
        lexer_next(parser);
    if (parser->token.kind != TOKEN_FLOAT) {
        report(parser, "expected a float, found %s", token_shown(parser));
        return false;
    }
    *is_double = parser->token.is_double;
    *bits = parser->token.value ^ (sign != '-'  ? 0
                                   : *is_double ? (uint64_t)1 << 63
                                                : (uint64_t)1 << 31);
    lexer_next(parser);
    return true;
}
