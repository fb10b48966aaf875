/* SPDX-License-Identifier: Apache-2.0
 *
 * Headers of functions:
 *
 *   .visible .entry name (.param .u64 a) .maxntid 256, 1, 1 { body }
 *   .extern .func (.param .b32 r) name (.param .b64 a) ;
 *
 * A function may be declared many times and defined once; all of them are one function of the module.
 */
#include "ptx/parse.h"

#include <string.h>

/* .maxntid 16, 16: missing numbers are 1; `numbers` may be NULL when they mean nothing here. */
static bool parse_numbers(struct parser *parser, uint32_t *numbers)
{
    unsigned count = 0;
    uint64_t value;
    do {
        if (!constant_unsigned(parser, UINT32_MAX, "a number of threads, blocks or registers",
                               &value))
            return false;
        if (numbers != NULL && count < 3)
            numbers[count] = (uint32_t)value;
        count++;
    } while (accept(parser, ','));
    for (; numbers != NULL && count < 3; count++)
        numbers[count] = 1;
    return true;
}

static bool parse_attribute(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    uint32_t blocks[3] = {0};
    switch (parser->names.data[parser->token.name].directive) {
    case DIRECTIVE_MAXNTID:
        lexer_next(parser);
        return parse_numbers(parser, function->max_threads);
    case DIRECTIVE_REQNTID:
        lexer_next(parser);
        return parse_numbers(parser, function->required_threads);
    case DIRECTIVE_MINNCTAPERSM:
        lexer_next(parser);
        if (!parse_numbers(parser, blocks))
            return false;
        function->min_blocks = blocks[0];
        return true;
    case DIRECTIVE_HEADER_NUMBERS:
        lexer_next(parser);
        return parse_numbers(parser, NULL);
    case DIRECTIVE_NORETURN:
        function->no_return = 1;
        lexer_next(parser);
        return true;
    case DIRECTIVE_HEADER_WORD:
        lexer_next(parser);
        return true;
    case DIRECTIVE_ATTRIBUTE:
        lexer_next(parser);
        return parentheses_skip(parser);
    case DIRECTIVE_PRAGMA:
        lexer_next(parser);
        return strings_parse(parser);
    default:
        report(parser, "%s does not belong in the header of a function", token_shown(parser));
        return false;
    }
}

static bool parse_attributes(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    if (parser->token.kind != TOKEN_DOT)
        return true;
    function->attributes_offset = parser->token.offset;
    while (parser->token.kind == TOKEN_DOT)
        if (!parse_attribute(parser))
            return false;
    function->attributes_size = parser->previous_end - function->attributes_offset;
    return true;
}

/* The function of the module with this name, made if there is none; PTX_NONE, reported, if the name is taken. */
static uint32_t find_or_add(struct parser *parser, uint32_t name)
{
    struct ptx_module *module = parser->module;
    struct binding *binding;
    uint32_t id = module->functions.count;
    if (name_bind(parser, BINDING_FUNCTION, name, id, 0, &binding)) {
        struct ptx_function *added = vec_push(parser->arena, &module->functions);
        *added = (struct ptx_function){.name = parser->names.data[name].text, .alias_of = PTX_NONE};
        return id;
    }
    if (binding->kind == BINDING_FUNCTION)
        return binding->id;
    report(parser, "%s is declared twice", name_shown(parser, name));
    return PTX_NONE;
}

/* name (parameters) attributes, behind the results. */
static bool parse_header(struct parser *parser)
{
    struct ptx_function *function = parser->function;
    if (parser->token.kind == '(' && !declare_parameters(parser, false, &function->parameters))
        return false;
    if (!parse_attributes(parser))
        return false;
    if (parser->token.kind == '{' || parser->token.kind == ';')
        return true;
    report(parser, "expected `{` or `;`, found %s", token_shown(parser));
    return false;
}

static void leave_function(struct parser *parser)
{
    while (parser->depth > 0)
        scope_close(parser);
    parser->function = NULL;
    parser->target_lists.count = 0;
    parser->location = 0;
}

/* The results stand before the name, so the function gets its number only afterwards. */
static bool adopt(struct parser *parser, uint32_t name)
{
    struct ptx_function *function = parser->function;
    uint32_t id = find_or_add(parser, name);
    if (id == PTX_NONE)
        return false;
    parser->function_id = id;
    function->name = parser->names.data[name].text;
    for (uint32_t i = 0; i < function->returns.count; i++)
        parser->module->variables.data[function->returns.data[i]].function = id;
    return true;
}

static void keep_declaration(struct parser *parser, struct ptx_function *function, uint32_t offset)
{
    struct ptx_function *known = &parser->module->functions.data[parser->function_id];
    item_add(parser, PTX_ITEM_TEXT, 0, offset);
    if (known->has_body)
        return;
    function->alias_of = known->alias_of;
    *known = *function;
}

/* Lets the body grow in the parser's arrays. */
static void lend_arrays(struct parser *parser, struct ptx_function *function)
{
    function->instructions.data = parser->instructions.data;
    function->instructions.capacity = parser->instructions.capacity;
    function->items.data = parser->items.data;
    function->items.capacity = parser->items.capacity;
}

/* The function gets arrays of exactly its size, the parser its larger ones back. */
static void settle_arrays(struct parser *parser, struct ptx_function *function)
{
    parser->instructions.data = function->instructions.data;
    parser->instructions.capacity = function->instructions.capacity;
    parser->items.data = function->items.data;
    parser->items.capacity = function->items.capacity;
    function->instructions.capacity = function->instructions.count;
    function->instructions.data =
        arena_copy(parser->arena, function->instructions.data,
                   function->instructions.count * sizeof *function->instructions.data);
    function->items.capacity = function->items.count;
    function->items.data = arena_copy(parser->arena, function->items.data,
                                      function->items.count * sizeof *function->items.data);
}

static void keep_definition(struct parser *parser, struct ptx_function *function, uint32_t offset)
{
    struct ptx_module *module = parser->module;
    struct ptx_function *known = &module->functions.data[parser->function_id];
    if (known->has_body)
        report_at(parser, offset, function->line, "`%s` is defined twice", known->name);
    function->has_body = 1;
    function->text_offset = offset;
    function->text_size = parser->previous_end - offset;
    module->instruction_count += function->instructions.count;
    lines_complete(module, function, parser->arena);
    *known = *function;
    item_add(parser, PTX_ITEM_FUNCTION, parser->function_id, offset);
}

bool function_parse(struct parser *parser, enum ptx_linkage linkage, uint32_t offset)
{
    struct ptx_function function = {.linkage = (uint8_t)linkage, .alias_of = PTX_NONE};
    uint32_t name;
    function.is_entry = parser->names.data[parser->token.name].directive == DIRECTIVE_ENTRY;
    lexer_next(parser);
    parser->function = &function;
    parser->function_id = PTX_NONE;
    bool good = scope_open(parser);
    /* .func .attribute(...) (results) name */
    if (good && parser->token.kind == TOKEN_DOT)
        good = parse_attributes(parser);
    if (good && parser->token.kind == '(' && !function.is_entry)
        good = declare_parameters(parser, true, &function.returns);
    function.line = parser->token.line;
    good = good && expect_name(parser, "the name of a function", &name) && adopt(parser, name) &&
           parse_header(parser);
    bool is_declaration = good && parser->token.kind == ';';
    if (is_declaration) {
        lexer_next(parser);
    } else if (good) {
        function.body_offset = parser->token.offset + 1;
        lend_arrays(parser, &function);
        good = body_parse(parser);
        settle_arrays(parser, &function);
    }
    leave_function(parser);
    if (is_declaration)
        keep_declaration(parser, &function, offset);
    else if (function.body_offset != 0)
        keep_definition(parser, &function, offset);
    return good;
}
