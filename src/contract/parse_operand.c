/* SPDX-License-Identifier: Apache-2.0
 *
 * Names in contract expressions: what they mean, and what could have been meant by one that means nothing.
 */
#include "contract/parse.h"

#include <string.h>

enum { LISTED = 16 }; /* operands shown in a help line */

static const char *const geometry_names[] = {"block.x", "block.y", "block.z",
                                             "grid.x",  "grid.y",  "grid.z"};

static const struct {
    const char *name, *help;
} device_names[] = {
    {"blockDim.x", "`block.x` is meant"},    {"blockDim.y", "`block.y` is meant"},
    {"blockDim.z", "`block.z` is meant"},    {"gridDim.x", "`grid.x` is meant"},
    {"gridDim.y", "`grid.y` is meant"},      {"gridDim.z", "`grid.z` is meant"},
    {"sizeof", "write the number of bytes"},
};

/* ---- looking up ----------------------------------------------------------------------------------------- */

/* A parameter by its name, or the field of that name beside the annotated one, the innermost struct first. */
static uint32_t find_operand(const struct parser *parser, const char *name)
{
    const struct contract *contract = parser->contract;
    size_t scope = contract->scope != NULL ? strlen(contract->scope) : 0;
    while (scope > 0) {
        const char *full =
            arena_printf(contract->arena, "%.*s%s", (int)scope, contract->scope, name);
        uint32_t found = contract_find_parameter(contract, full);
        if (found != CONTRACT_NONE)
            return found;
        do
            scope--;
        while (scope > 0 && contract->scope[scope - 1] != '.');
    }
    return contract_find_parameter(contract, name);
}

/* How the user would write an operand here: without the prefix of its own struct. */
static const char *shown_name(const struct parser *parser, const char *name)
{
    const char *scope = parser->contract->scope;
    return scope != NULL && text_starts_with(name, scope) ? name + strlen(scope) : name;
}

/* ---- what could be meant ---------------------------------------------------------------------------------- */

enum operand_set { OPERANDS_NUMBERS, OPERANDS_ARRAYS };

static void list_one(struct buffer *list, unsigned *count, const char *text)
{
    if (++*count <= LISTED)
        buffer_printf(list, "%s%s", *count == 1 ? "" : ", ", text);
}

/* "n, m, len(a), block.x, grid.x" or "a, b". */
static const char *list_operands(const struct parser *parser, enum operand_set set)
{
    const struct contract *contract = parser->contract;
    struct arena *arena = contract->arena;
    struct buffer list;
    unsigned count = 0;
    buffer_init(&list, arena);
    buffer_puts(&list, "");
    for (uint32_t i = 0; i < contract->parameters.count && set == OPERANDS_NUMBERS; i++)
        if (contract->parameters.data[i].kind == CONTRACT_INTEGER)
            list_one(&list, &count, shown_name(parser, contract->parameters.data[i].name));
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (contract->parameters.data[i].kind == CONTRACT_POINTER)
            list_one(&list, &count,
                     arena_printf(arena, set == OPERANDS_NUMBERS ? "len(%s)" : "%s",
                                  shown_name(parser, contract->parameters.data[i].name)));
    for (uint32_t i = 0; i < contract->constants.count && set == OPERANDS_NUMBERS; i++)
        list_one(&list, &count, contract->constants.data[i].name);
    if (count > LISTED)
        buffer_printf(&list, " and %u more", count - LISTED);
    if (set == OPERANDS_NUMBERS)
        buffer_printf(&list, "%sblock.x .y .z, grid.x .y .z", count == 0 ? "" : ", ");
    return list.data;
}

static const char *guess_operand(const struct parser *parser, const char *name,
                                 enum operand_set set)
{
    const struct contract *contract = parser->contract;
    struct text_guess guess = text_guess_begin(name);
    for (uint32_t i = 0; i < contract->parameters.count; i++) {
        const struct contract_parameter *parameter = &contract->parameters.data[i];
        bool fits = set == OPERANDS_ARRAYS ? parameter->kind == CONTRACT_POINTER
                                           : parameter->kind == CONTRACT_INTEGER;
        if (fits)
            text_guess_try(&guess, shown_name(parser, parameter->name));
    }
    for (uint32_t i = 0; i < contract->constants.count && set == OPERANDS_NUMBERS; i++)
        text_guess_try(&guess, contract->constants.data[i].name);
    for (unsigned i = 0; i < COUNT_OF(geometry_names) && set == OPERANDS_NUMBERS; i++)
        text_guess_try(&guess, geometry_names[i]);
    return guess.best;
}

static const char *advise(const struct parser *parser, const char *name, enum operand_set set)
{
    struct arena *arena = parser->contract->arena;
    const char *best = guess_operand(parser, name, set);
    const char *list = list_operands(parser, set);
    const char *title = set == OPERANDS_ARRAYS ? "arrays" : "operands";
    if (*list == '\0')
        return "there are no arrays";
    return best != NULL ? arena_printf(arena, "did you mean `%s`? %s: %s", best, title, list)
                        : arena_printf(arena, "%s: %s", title, list);
}

/* ---- complaints --------------------------------------------------------------------------------------------- */

static uint32_t fail_unknown(struct parser *parser, const struct token *token, enum operand_set set)
{
    struct arena *arena = parser->contract->arena;
    const char *kernel = parser->contract->kernel_shown;
    if (kernel != NULL) /* an error in a template is one error */
        kernel = arena_text(arena, kernel, strcspn(kernel, "<"));
    for (unsigned i = 0; i < COUNT_OF(device_names); i++)
        if (strcmp(device_names[i].name, token->text) == 0)
            return parse_fail(parser, token->place,
                              arena_printf(arena, "`%s` is not known to contracts", token->text),
                              device_names[i].help);
    if (strncmp(token->text, "threadIdx", 9) == 0 || strncmp(token->text, "blockIdx", 8) == 0)
        return parse_fail(parser, token->place,
                          arena_printf(arena, "`%s` differs from thread to thread", token->text),
                          "a contract speaks of whole launches");
    return parse_fail(parser, token->place,
                      kernel != NULL
                          ? arena_printf(arena, "`%s` has no parameter `%s`", kernel, token->text)
                          : arena_printf(arena, "no parameter is called `%s`", token->text),
                      advise(parser, token->text, set));
}

/* The fields of a struct parameter that are operands. */
static const char *list_fields(const struct parser *parser, const char *name)
{
    const struct contract *contract = parser->contract;
    const char *prefix = arena_printf(contract->arena, "%s.", name);
    struct buffer list;
    unsigned count = 0;
    buffer_init(&list, contract->arena);
    buffer_puts(&list, "");
    for (uint32_t i = 0; i < contract->parameters.count; i++) {
        const struct contract_parameter *field = &contract->parameters.data[i];
        if (!text_starts_with(field->name, prefix))
            continue;
        if (field->kind == CONTRACT_INTEGER)
            list_one(&list, &count, field->name);
        else if (field->kind == CONTRACT_POINTER)
            list_one(&list, &count, arena_printf(contract->arena, "len(%s)", field->name));
    }
    if (count == 0)
        return NULL;
    return arena_printf(contract->arena, "its fields: %s", list.data);
}

/* A parameter that is no number. */
static uint32_t fail_kind(struct parser *parser, const struct token *token, uint32_t index)
{
    const struct contract_parameter *parameter = &parser->contract->parameters.data[index];
    struct arena *arena = parser->contract->arena;
    if (parameter->kind == CONTRACT_FLOAT)
        return parse_fail(
            parser, token->place,
            arena_printf(arena, "`%s` is of type `%s`; a contract counts in integers", token->text,
                         parameter->type),
            arena_printf(arena, "operands: %s", list_operands(parser, OPERANDS_NUMBERS)));
    if (parameter->kind == CONTRACT_OTHER)
        return parse_fail(
            parser, token->place,
            arena_printf(arena, "`%s` is of type `%s`, not a number", token->text, parameter->type),
            list_fields(parser, parameter->name));
    if (parse_is_sign(parser, "["))
        return parse_fail(
            parser, token->place,
            arena_printf(arena, "elements of `%s` are no part of a launch", token->text),
            "LW_VALUES bounds the elements of an array");
    return parse_fail(parser, token->place,
                      arena_printf(arena, "`%s` is an array, not a number", token->text),
                      arena_printf(arena, "`len(%s)` is the number of its elements", token->text));
}

static uint32_t fail_call(struct parser *parser, const struct token *token)
{
    struct arena *arena = parser->contract->arena;
    struct text_guess guess = text_guess_begin(token->text);
    text_guess_try(&guess, "len");
    for (unsigned i = 0; i < COUNT_OF(device_names); i++)
        if (strcmp(device_names[i].name, token->text) == 0)
            return fail_unknown(parser, token, OPERANDS_NUMBERS);
    return parse_fail(
        parser, token->place,
        arena_printf(arena, "`%s` is a call; a contract calls nothing but `len`", token->text),
        guess.best != NULL
            ? "did you mean `len`?"
            : arena_printf(arena, "operands: %s", list_operands(parser, OPERANDS_NUMBERS)));
}

/* ---- operands ------------------------------------------------------------------------------------------------ */

uint32_t contract_only_array(const struct contract *contract, const char *name)
{
    uint32_t only = CONTRACT_NONE;
    size_t size = strlen(name);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *field = &contract->parameters.data[p];
        if (field->name == NULL || field->kind != CONTRACT_POINTER || strncmp(field->name, name, size) != 0 || field->name[size] != '.')
            continue;
        if (only != CONTRACT_NONE)
            return CONTRACT_NONE;
        only = p;
    }
    return only;
}

uint32_t parse_array_name(struct parser *parser, const char *user, bool takes_struct)
{
    struct arena *arena = parser->contract->arena;
    struct token name = parser->token;
    if (name.kind != TOKEN_NAME)
        return parse_fail(parser, name.place,
                          arena_printf(arena, "%s takes the name of an array", user),
                          advise(parser, name.text, OPERANDS_ARRAYS));
    uint32_t index = find_operand(parser, name.text);
    if (index == CONTRACT_NONE)
        return fail_unknown(parser, &name, OPERANDS_ARRAYS);
    const struct contract_parameter *parameter = &parser->contract->parameters.data[index];
    if (parameter->kind != CONTRACT_POINTER)
        index = takes_struct ? contract_only_array(parser->contract, parameter->name) : CONTRACT_NONE;
    if (index == CONTRACT_NONE)
        return parse_fail(
            parser, name.place,
            arena_printf(arena, "`%s` is of type `%s`, not an array", name.text, parameter->type),
            advise(parser, name.text, OPERANDS_ARRAYS));
    parse_next(parser);
    return index;
}

/* A slice says itself how long it is: `len(x)` of one is its field. */
static uint32_t length_field(const struct parser *parser)
{
    if (parser->token.kind != TOKEN_NAME)
        return CONTRACT_NONE;
    uint32_t index = find_operand(parser, parser->token.text);
    if (index == CONTRACT_NONE || parser->contract->parameters.data[index].kind == CONTRACT_POINTER)
        return CONTRACT_NONE;
    const char *name = parser->contract->parameters.data[index].name;
    size_t size = strlen(name);
    for (uint32_t p = 0; p < parser->contract->parameters.count; p++) {
        const struct contract_parameter *field = &parser->contract->parameters.data[p];
        if (field->kind == CONTRACT_INTEGER && field->name != NULL && strncmp(field->name, name, size) == 0 &&
            strcmp(field->name + size, ".length") == 0)
            return p;
    }
    return CONTRACT_NONE;
}

/* Behind `len`, at the parenthesis. */
static uint32_t parse_length(struct parser *parser)
{
    parse_next(parser);
    uint32_t field = length_field(parser);
    uint32_t index = parse_array_name(parser, "`len`", field != CONTRACT_NONE);
    if (parser->failed)
        return CONTRACT_NONE;
    if (!parse_is_sign(parser, ")"))
        return parse_fail(parser, parser->token.place, "expected `)`",
                          "`len` takes the name of an array and nothing else");
    parse_next(parser);
    return field != CONTRACT_NONE ? parse_add(parser, CONTRACT_SCALAR, field, 0, 0, 0) : parse_add(parser, CONTRACT_LENGTH, index, 0, 0, 0);
}

uint32_t parse_operand(struct parser *parser)
{
    const struct contract *contract = parser->contract;
    struct token token = parser->token;
    parse_next(parser);
    if (parse_is_sign(parser, "("))
        return strcmp(token.text, "len") == 0 ? parse_length(parser) : fail_call(parser, &token);
    for (uint32_t i = 0; i < COUNT_OF(geometry_names); i++)
        if (strcmp(token.text, geometry_names[i]) == 0)
            return parse_add(parser, i < 3 ? CONTRACT_BLOCK : CONTRACT_GRID, i % 3, 0, 0, 0);
    uint32_t index = find_operand(parser, token.text);
    if (index != CONTRACT_NONE)
        return contract->parameters.data[index].kind == CONTRACT_INTEGER
                   ? parse_add(parser, CONTRACT_SCALAR, index, 0, 0, 0)
                   : fail_kind(parser, &token, index);
    for (uint32_t i = 0; i < contract->constants.count; i++)
        if (strcmp(token.text, contract->constants.data[i].name) == 0)
            return parse_add(parser, CONTRACT_LITERAL, 0, contract->constants.data[i].value, 0, 0);
    return fail_unknown(parser, &token, OPERANDS_NUMBERS);
}
