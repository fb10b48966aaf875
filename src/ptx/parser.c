/* SPDX-License-Identifier: Apache-2.0
 *
 * The module: its statements outside functions, and the messages of the whole parser.
 */
#include "ptx/parse.h"

#include <stdio.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------------------------- */

enum { COLUMN_MAX = 65536 }; /* columns past it are not worth the search for the line's start */

static void report_list(struct parser *parser, uint32_t offset, uint32_t line, const char *format,
                        va_list arguments)
{
    char message[640];
    if (parser->diagnostics->dropped != 0) {
        parser->diagnostics->dropped++; /* nobody will read it: do not even look for its column */
        parser->diagnostics->errors++;
        return;
    }
    vsnprintf(message, sizeof message, format, arguments);
    uint32_t column = 1;
    while (column <= offset && column <= COLUMN_MAX && parser->text[offset - column] != '\n')
        column++;
    if (column > COLUMN_MAX)
        column = 0;
    struct place place = {.file = parser->module->name, .line = line, .column = column};
    diagnostic_add(parser->diagnostics, SEVERITY_ERROR, place, "%s", message);
}

void report_at(struct parser *parser, uint32_t offset, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report_list(parser, offset, line, format, arguments);
    va_end(arguments);
}

void report(struct parser *parser, const char *format, ...)
{
    if (parser->token.kind == TOKEN_BAD)
        return;
    va_list arguments;
    va_start(arguments, format);
    report_list(parser, parser->token.offset, parser->token.line, format, arguments);
    va_end(arguments);
}

static const char *clipped(struct parser *parser, const char *text, uint32_t size)
{
    /* Nobody reads the messages past the list's limit. */
    if (parser->diagnostics->dropped != 0)
        return "`...`";
    if (size <= LIMIT_SHOWN)
        return arena_printf(parser->arena, "`%.*s`", (int)size, text);
    return arena_printf(parser->arena, "`%.*s...`", LIMIT_SHOWN, text);
}

const char *token_shown(struct parser *parser)
{
    if (parser->token.kind == TOKEN_END)
        return "the end of the file";
    return clipped(parser, parser->text + parser->token.offset, parser->token.size);
}

const char *name_shown(struct parser *parser, uint32_t name)
{
    const struct name *entry = &parser->names.data[name];
    return clipped(parser, entry->text, entry->size);
}

/* ---- small steps ----------------------------------------------------------------------------- */

bool accept(struct parser *parser, int punctuation)
{
    if (parser->token.kind != punctuation)
        return false;
    lexer_next(parser);
    return true;
}

bool expect(struct parser *parser, int punctuation)
{
    if (accept(parser, punctuation))
        return true;
    report(parser, "expected `%c`, found %s", punctuation, token_shown(parser));
    return false;
}

bool expect_name(struct parser *parser, const char *what, uint32_t *name)
{
    if (parser->token.kind != TOKEN_NAME) {
        report(parser, "expected %s, found %s", what, token_shown(parser));
        return false;
    }
    *name = parser->token.name;
    lexer_next(parser);
    return true;
}

enum ptx_mod token_mod(const struct parser *parser, enum ptx_group group)
{
    if (parser->token.kind != TOKEN_DOT)
        return PTX_MOD_NONE;
    unsigned mod = parser->names.data[parser->token.name].mod;
    if (mod == PTX_MOD_UNKNOWN)
        return PTX_MOD_NONE;
    for (; mod != PTX_MOD_NONE; mod = parser->mod_next[mod])
        if (ptx_mod_group(mod) == group)
            return mod;
    return PTX_MOD_NONE;
}

void item_add(struct parser *parser, enum ptx_item_kind kind, uint32_t id, uint32_t offset)
{
    struct ptx_function *function = parser->function;
    struct ptx_item item = {.kind = (uint8_t)kind, .id = id, .text_offset = offset};
    item.text_size = kind == PTX_ITEM_TEXT ? parser->previous_end - offset : 0;
    item.at = function == NULL ? 0 : function->instructions.count;
    if (function == NULL)
        *vec_push(parser->arena, &parser->module->items) = item;
    else
        *vec_push(parser->arena, &function->items) = item;
}

/* ---- statements of the module ---------------------------------------------------------------- */

static bool parse_version(struct parser *parser)
{
    /* 8.3 reads as a float; its digits are what counts. */
    struct ptx_module *module = parser->module;
    unsigned major = 0, minor = 0;
    char text[16] = "";
    if (parser->token.kind == TOKEN_FLOAT && parser->token.size < sizeof text)
        memcpy(text, parser->text + parser->token.offset, parser->token.size);
    if (sscanf(text, "%3u.%3u", &major, &minor) != 2) {
        report(parser, "expected a version such as 8.3, found %s", token_shown(parser));
        return false;
    }
    if (parser->seen_version)
        report(parser, "`.version` stands twice");
    parser->seen_version = true;
    module->version_major = major;
    module->version_minor = minor;
    lexer_next(parser);
    return true;
}

static bool parse_target(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    uint32_t name, offset = parser->token.offset, line = parser->token.line;
    if (!expect_name(parser, "a target such as sm_80", &name))
        return false;
    module->target = parser->names.data[name].text;
    module->target_sm = 0;
    if (sscanf(module->target, "sm_%4u", &module->target_sm) != 1)
        report_at(parser, offset, line, "expected a target such as sm_80, found %s",
                  name_shown(parser, name));
    parser->seen_target = true;
    uint32_t start = parser->previous_end;
    while (accept(parser, ','))
        if (!expect_name(parser, "a target option", &name))
            return false;
    module->target_options =
        arena_text(parser->arena, parser->text + start, parser->previous_end - start);
    return true;
}

static bool parse_address_size(struct parser *parser)
{
    uint64_t bits;
    uint32_t offset = parser->token.offset, line = parser->token.line;
    if (!constant_unsigned(parser, 64, "an address size", &bits))
        return false;
    if (bits != 64) {
        report_at(parser, offset, line, "only 64-bit addresses are supported, not %u-bit ones",
                  (unsigned)bits);
        return true;
    }
    parser->module->address_size = (uint32_t)bits;
    return true;
}

bool strings_parse(struct parser *parser)
{
    do {
        if (parser->token.kind != TOKEN_STRING) {
            report(parser, "expected a string, found %s", token_shown(parser));
            return false;
        }
        lexer_next(parser);
    } while (accept(parser, ','));
    return expect(parser, ';');
}

bool parentheses_skip(struct parser *parser)
{
    unsigned depth = 0;
    do {
        int kind = parser->token.kind;
        if (kind == TOKEN_END || kind == ';' || kind == '{' || (depth == 0 && kind != '(')) {
            report(parser, "expected `(...)`, found %s", token_shown(parser));
            return false;
        }
        depth += kind == '(';
        depth -= kind == ')';
        lexer_next(parser);
    } while (depth != 0);
    return true;
}

/* .alias NAME, FUNCTION; both were declared before. */
static bool parse_alias(struct parser *parser)
{
    uint32_t name, target;
    if (!expect_name(parser, "a function", &name) || !expect(parser, ',') ||
        !expect_name(parser, "a function", &target))
        return false;
    const struct binding *from = name_meaning(parser, name), *to = name_meaning(parser, target);
    if (from == NULL || from->kind != BINDING_FUNCTION || to == NULL ||
        to->kind != BINDING_FUNCTION) {
        uint32_t missing = from == NULL || from->kind != BINDING_FUNCTION ? name : target;
        report(parser, "%s is not a function declared before", name_shown(parser, missing));
        return false;
    }
    parser->module->functions.data[from->id].alias_of = to->id;
    return expect(parser, ';');
}

static bool is_linkage(uint8_t directive)
{
    return directive >= DIRECTIVE_VISIBLE && directive <= DIRECTIVE_COMMON;
}

static bool parse_linkage(struct parser *parser, enum ptx_linkage *linkage)
{
    static const uint8_t linkages[] = {PTX_LINKAGE_VISIBLE, PTX_LINKAGE_EXTERN, PTX_LINKAGE_WEAK,
                                       PTX_LINKAGE_COMMON};
    while (parser->token.kind == TOKEN_DOT) {
        uint8_t directive = parser->names.data[parser->token.name].directive;
        if (!is_linkage(directive))
            return true;
        if (*linkage != PTX_LINKAGE_NONE) {
            report(parser, "a declaration has one linkage");
            return false;
        }
        *linkage = linkages[directive - DIRECTIVE_VISIBLE];
        lexer_next(parser);
    }
    return true;
}

/* Directives that are kept as written. */
static const struct {
    uint8_t directive;
    bool (*parse)(struct parser *parser);
} text_directives[] = {
    {DIRECTIVE_FILE, file_parse},
    {DIRECTIVE_SECTION, section_parse},
    {DIRECTIVE_PRAGMA, strings_parse},
    {DIRECTIVE_ALIAS, parse_alias},
};

static const struct {
    uint8_t directive;
    bool (*parse)(struct parser *parser);
} module_directives[] = {
    {DIRECTIVE_VERSION, parse_version},
    {DIRECTIVE_TARGET, parse_target},
    {DIRECTIVE_ADDRESS_SIZE, parse_address_size},
};

static bool parse_module_directive(struct parser *parser)
{
    uint32_t offset = parser->token.offset;
    enum ptx_linkage linkage = PTX_LINKAGE_NONE;
    if (!parse_linkage(parser, &linkage))
        return false;
    uint8_t directive = parser->token.kind == TOKEN_DOT
                            ? parser->names.data[parser->token.name].directive
                            : DIRECTIVE_NONE;
    if (directive == DIRECTIVE_VARIABLE)
        return declare_variables(parser, linkage);
    if (directive == DIRECTIVE_ENTRY || directive == DIRECTIVE_FUNC)
        return function_parse(parser, linkage, offset);
    if (linkage != PTX_LINKAGE_NONE) {
        report(parser, "expected a declaration, found %s", token_shown(parser));
        return false;
    }
    for (size_t i = 0; i < COUNT_OF(module_directives); i++)
        if (module_directives[i].directive == directive) {
            lexer_next(parser);
            return module_directives[i].parse(parser);
        }
    for (size_t i = 0; i < COUNT_OF(text_directives); i++)
        if (text_directives[i].directive == directive) {
            lexer_next(parser);
            if (!text_directives[i].parse(parser))
                return false;
            item_add(parser, PTX_ITEM_TEXT, 0, offset);
            return true;
        }
    report(parser, "%s does not belong outside a function", token_shown(parser));
    return false;
}

/* Behind the end of the statement: its `;`, or the } that brings `braces` back to what they were. */
static void skip_module_statement(struct parser *parser, int32_t braces)
{
    bool ended = false;
    while (parser->token.kind != TOKEN_END && !ended) {
        int kind = parser->token.kind;
        if (kind == '{')
            lexer_skip_braces(parser);
        ended = (kind == ';' || kind == '{' || kind == '}') && parser->braces <= braces;
        lexer_next(parser);
    }
}

static void parse_module(struct parser *parser)
{
    lexer_next(parser);
    while (parser->token.kind != TOKEN_END) {
        if (accept(parser, ';'))
            continue;
        int32_t braces = parser->braces - (parser->token.kind == '{') + (parser->token.kind == '}');
        if (parser->token.kind == TOKEN_DOT) {
            if (parse_module_directive(parser))
                continue;
        } else {
            report(parser, "expected a directive, found %s", token_shown(parser));
        }
        skip_module_statement(parser, braces);
    }
    if (!parser->seen_version)
        report_at(parser, 0, 1, "the module has no `.version`");
    else if (!parser->seen_target)
        report_at(parser, 0, 1, "the module has no `.target`");
}

/* ---- interface ------------------------------------------------------------------------------- */

struct ptx_module *ptx_parse(struct arena *arena, const char *name, const char *text, size_t size,
                             struct diagnostic_list *diagnostics)
{
    struct ptx_module *module = ARENA_NEW(arena, struct ptx_module);
    struct parser *parser = ARENA_NEW(arena, struct parser);
    bool too_large = size >= UINT32_MAX - 64;
    if (too_large)
        size = 0;
    module->arena = arena;
    module->name = arena_string(arena, name);
    module->text = arena_text(arena, text, size);
    module->text_size = size;
    module->target = module->target_options = "";
    module->address_size = 64;
    *vec_push(arena, &module->locations) = (struct ptx_location){0};
    parser->arena = arena;
    parser->module = module;
    parser->diagnostics = diagnostics;
    parser->text = module->text;
    parser->size = (uint32_t)size;
    parser->line = 1;
    if (too_large) {
        report_at(parser, 0, 1, "the text is larger than 4 GiB");
        return module;
    }
    names_init(parser);
    parse_module(parser);
    symbols_resolve(parser);
    locations_resolve(parser);
    return module;
}

uint32_t ptx_find_function(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0; i < module->functions.count; i++)
        if (strcmp(module->functions.data[i].name, name) == 0)
            return i;
    return PTX_NONE;
}
