/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of contracts:
 *
 *     relation:    sum (== | != | < | <= | > | >=) sum
 *     sum:         product ((+ | -) product)...
 *     product:     factor ((* | / | %) factor)...
 *     factor:      number | operand | - factor | ( sum )
 *     operand:     scalar | constant | len ( pointer ) | block . axis | grid . axis
 *
 * Nothing else, so that every name is checked and a typo cannot check the wrong thing.  The first error of a text is reported and ends
 * it.  Texts, trees and nesting are limited (parse.h): hostile input cannot exhaust the stack.
 */
#include "contract/parse.h"

#include <string.h>

uint32_t parse_fail(struct parser *parser, struct place place, const char *message,
                    const char *help)
{
    if (!parser->failed) {
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, place, "%s", message);
        if (help != NULL)
            diagnostic_help(parser->diagnostics, "%s", help);
    }
    parser->failed = true;
    return CONTRACT_NONE;
}

uint32_t parse_add(struct parser *parser, enum contract_node_kind kind, uint32_t operand,
                   contract_integer value, uint32_t left, uint32_t right)
{
    if (parser->failed)
        return CONTRACT_NONE;
    if (++parser->nodes > PARSE_NODES)
        return parse_fail(parser, parser->token.place, "the expression has too many parts", NULL);
    return contract_add_node(parser->contract, kind, operand, value, left, right);
}

static const char *describe(struct parser *parser)
{
    const struct token *token = &parser->token;
    if (token->kind == TOKEN_END)
        return "the end";
    if (token->kind == TOKEN_WRONG)
        return "a character that has no meaning here";
    return arena_printf(parser->contract->arena, "`%s`", token->text);
}

/* ---- signs that C has and contracts do not ---------------------------------------------------------- */

static const struct {
    const char *sign, *help;
} foreign_signs[] = {
    {"&&", "write two relations with a comma between them: both hold"},
    {"||", "a contract has no alternatives; requirements that all hold stand apart, with commas"},
    {"!", "write the opposite comparison"},
    {"=", "`==` compares"},
    {"<<", "write a multiplication by a power of two"},
    {">>", "write a division by a power of two"},
    {"&", "`%` gives the remainder by a power of two"},
    {"|", NULL},
    {"^", NULL},
    {"~", NULL},
    {"?", "a contract has no alternatives"},
    {"->", "a field of a struct parameter is written with a point"},
    {"[", "elements of arrays are no part of a launch; LW_VALUES bounds them"},
    {"{", NULL},
};

/* Something stands where an operator, the end or a closing parenthesis should. */
static uint32_t unexpected(struct parser *parser, const char *wanted)
{
    const char *help = NULL;
    for (unsigned i = 0; i < COUNT_OF(foreign_signs); i++)
        if (parse_is_sign(parser, foreign_signs[i].sign))
            help = foreign_signs[i].help;
    return parse_fail(
        parser, parser->token.place,
        arena_printf(parser->contract->arena, "expected %s, found %s", wanted, describe(parser)),
        help);
}

/* ---- expressions -------------------------------------------------------------------------------------- */

static uint32_t parse_sum(struct parser *parser);

static uint32_t parse_parentheses(struct parser *parser)
{
    parse_next(parser);
    uint32_t inner = parse_sum(parser);
    if (parser->failed)
        return CONTRACT_NONE;
    if (!parse_is_sign(parser, ")"))
        return unexpected(parser, "`)`");
    parse_next(parser);
    return inner;
}

static uint32_t parse_factor(struct parser *parser);

static uint32_t parse_negation(struct parser *parser)
{
    parse_next(parser);
    uint32_t inner = parse_factor(parser);
    return parse_add(parser, CONTRACT_NEGATE, 0, 0, inner, 0);
}

static uint32_t parse_literal(struct parser *parser)
{
    contract_integer value;
    if (!parse_number(parser, &value))
        return CONTRACT_NONE;
    parse_next(parser);
    return parse_add(parser, CONTRACT_LITERAL, 0, value, 0, 0);
}

static uint32_t parse_factor(struct parser *parser)
{
    uint32_t node;
    if (parser->failed)
        return CONTRACT_NONE;
    if (++parser->depth > PARSE_DEPTH)
        return parse_fail(parser, parser->token.place, "the expression is nested too deeply", NULL);
    if (parser->token.kind == TOKEN_NUMBER)
        node = parse_literal(parser);
    else if (parser->token.kind == TOKEN_NAME)
        node = parse_operand(parser);
    else if (parse_is_sign(parser, "("))
        node = parse_parentheses(parser);
    else if (parse_is_sign(parser, "-"))
        node = parse_negation(parser);
    else
        node = unexpected(parser, "a number or an operand");
    parser->depth--;
    return node;
}

static enum contract_node_kind product_kind(const struct parser *parser)
{
    return parse_is_sign(parser, "*")   ? CONTRACT_MULTIPLY
           : parse_is_sign(parser, "/") ? CONTRACT_DIVIDE
           : parse_is_sign(parser, "%") ? CONTRACT_REMAINDER
                                        : CONTRACT_LITERAL;
}

/* A divisor that is the number 0. */
static bool is_zero(const struct parser *parser, uint32_t root)
{
    const struct contract_expression expression = {.root = root};
    contract_integer value;
    return !parser->failed && contract_constant_value(parser->contract, &expression, &value) &&
           value == 0;
}

static uint32_t parse_product(struct parser *parser)
{
    uint32_t left = parse_factor(parser);
    enum contract_node_kind kind;
    while (!parser->failed && (kind = product_kind(parser)) != CONTRACT_LITERAL) {
        parse_next(parser);
        struct place place = parser->token.place;
        uint32_t right = parse_factor(parser);
        if (kind != CONTRACT_MULTIPLY && is_zero(parser, right))
            return parse_fail(parser, place, "the divisor is zero", NULL);
        left = parse_add(parser, kind, 0, 0, left, right);
    }
    return left;
}

static uint32_t parse_sum(struct parser *parser)
{
    uint32_t left = parse_product(parser);
    while (!parser->failed && (parse_is_sign(parser, "+") || parse_is_sign(parser, "-"))) {
        enum contract_node_kind kind =
            parse_is_sign(parser, "+") ? CONTRACT_ADD : CONTRACT_SUBTRACT;
        parse_next(parser);
        uint32_t right = parse_product(parser);
        left = parse_add(parser, kind, 0, 0, left, right);
    }
    return left;
}

/* ---- entry ---------------------------------------------------------------------------------------------- */

enum { COMPARISONS = CONTRACT_GREATER_EQUAL + 1 };

/* The comparison that the current token is, or their number. */
static unsigned comparison(const struct parser *parser)
{
    unsigned i = 0;
    while (i < COMPARISONS &&
           !parse_is_sign(parser, contract_compare_sign((enum contract_compare)i)))
        i++;
    return i;
}

static bool begin(struct parser *parser, struct contract *contract, const char *text, size_t size,
                  struct place place, bool is_relation, struct diagnostic_list *diagnostics)
{
    memset(parser, 0, sizeof *parser);
    parser->contract = contract;
    parser->diagnostics = diagnostics;
    parser->at = parser->token.end = text;
    parser->end = text + size;
    parser->place = place;
    if (size > PARSE_TEXT) {
        parse_fail(parser, place, "the expression is too long", NULL);
        return false;
    }
    parse_next(parser);
    if (parser->token.kind == TOKEN_END)
        parse_fail(parser, place,
                   is_relation ? "expected a comparison here, found nothing"
                               : "expected a number or an operand here, found nothing",
                   NULL);
    return !parser->failed;
}

bool contract_parse_expression(struct contract *contract, const char *text, size_t size,
                               struct place place, struct contract_expression *expression,
                               struct diagnostic_list *diagnostics)
{
    struct parser parser;
    expression->root = CONTRACT_NONE;
    if (!begin(&parser, contract, text, size, place, false, diagnostics))
        return false;
    struct token first = parser.token;
    uint32_t root = parse_sum(&parser);
    if (!parser.failed && comparison(&parser) < COMPARISONS)
        parse_fail(&parser, parser.token.place, "a comparison stands where a number is meant",
                   "LW_REQUIRES takes comparisons");
    else if (!parser.failed && parser.token.kind != TOKEN_END)
        unexpected(&parser, "an operator or the end");
    if (parser.failed)
        return false;
    expression->root = root;
    expression->text = parse_normalise(contract->arena, first.start, parser.last);
    expression->place = first.place;
    return true;
}

/* The sum that was parsed from `first` up to the token before the current one. */
static struct contract_expression side(struct parser *parser, const struct token *first,
                                       uint32_t root)
{
    return (struct contract_expression){
        root, parse_normalise(parser->contract->arena, first->start, parser->last), first->place};
}

static void fail_second(struct parser *parser, const struct contract_relation *relation,
                        const char *sign)
{
    struct arena *arena = parser->contract->arena;
    struct token second = parser->token;
    parse_next(parser);
    struct token third = parser->token;
    const char *help = "a relation is one comparison; write two, with a comma between them";
    uint32_t root = parse_sum(parser);
    if (!parser->failed)
        help = arena_printf(arena, "write `%s %s %s, %s %s %s`", relation->left.text, sign,
                            relation->right.text, relation->right.text, second.text,
                            side(parser, &third, root).text);
    parse_fail(parser, second.place, "two comparisons in one relation", help);
}

bool contract_parse_relation(struct contract *contract, const char *text, size_t size,
                             struct place place, struct contract_relation *relation,
                             struct diagnostic_list *diagnostics)
{
    struct parser parser;
    if (!begin(&parser, contract, text, size, place, true, diagnostics))
        return false;
    struct token first = parser.token;
    uint32_t root = parse_sum(&parser);
    if (parser.failed)
        return false;
    relation->left = side(&parser, &first, root);
    unsigned which = comparison(&parser);
    if (which == COMPARISONS) {
        if (parser.token.kind != TOKEN_END)
            unexpected(&parser, "a comparison");
        parse_fail(&parser, first.place,
                   arena_printf(contract->arena, "`%s` is no comparison", relation->left.text),
                   "a relation is one comparison: == != < <= > >=");
        return false;
    }
    parse_next(&parser);
    struct token second = parser.token;
    root = parse_sum(&parser);
    if (parser.failed)
        return false;
    relation->right = side(&parser, &second, root);
    if (comparison(&parser) < COMPARISONS)
        fail_second(&parser, relation, contract_compare_sign((enum contract_compare)which));
    else if (parser.token.kind != TOKEN_END)
        unexpected(&parser, "an operator or the end");
    if (parser.failed)
        return false;
    relation->compare = (uint8_t)which;
    relation->text = parse_normalise(contract->arena, first.start, parser.last);
    relation->place = first.place;
    return true;
}

bool contract_parse_array(struct contract *contract, const char *text, size_t size,
                          struct place place, uint32_t *index, struct diagnostic_list *diagnostics)
{
    struct parser parser;
    if (!begin(&parser, contract, text, size, place, false, diagnostics))
        return false;
    *index = parse_array_name(&parser, "this", true);
    if (!parser.failed && parser.token.kind != TOKEN_END)
        unexpected(&parser, "the end");
    return !parser.failed;
}
