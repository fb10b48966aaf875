/* SPDX-License-Identifier: Apache-2.0
 *
 * Where instructions come from: .file, .loc with its chain of inlined calls, the strings of .debug_str that name inlined
 * functions, and the rules for the user's line.
 *
 *   .loc 1 46 5
 *   .loc 2 112 3, function_name $L__info_string0, inlined_at 1 46 5
 *
 * An inlined_at means the newest .loc of the function at that very position, so chains have any length and no cycles.
 */
#include "ptx/parse.h"

#include <string.h>

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_system_path(const char *path)
{
    static const char *const prefixes[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/",
                                           "/usr/local/cuda", "/opt/cuda"};
    /* CUDA at another place, compilers' own headers, this project's. */
    static const char *const parts[] = {"/targets/x86_64-linux/include/",
                                        "/targets/sbsa-linux/include/",
                                        "/lib/clang/",
                                        "/include/lanewise/",
                                        "/lanewise/shim/",
                                        "/shim/device/",
                                        "/shim/cuda_",
                                        "/shim/cooperative_groups",
                                        "/shim/host/",
                                        "__clang_cuda_",
                                        "/include/crt/"};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (text_starts_with(path, prefixes[i]))
            return true;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (strstr(path, parts[i]) != NULL)
            return true;
    return false;
}

static bool is_octal(const char *at)
{
    return at[0] >= '0' && at[0] <= '3' && at[1] >= '0' && at[1] <= '7' && at[2] >= '0' && at[2] <= '7';
}

/* The string at hand, as a file is called: compilers write `"`, `\` and bytes that are no ASCII as \", \\ and \303. */
static char *string_text(struct parser *parser)
{
    const struct token *token = &parser->token;
    char *text = arena_text(parser->arena, parser->text + token->offset + 1, token->size - 2), *to = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && (at[1] == '"' || at[1] == '\\')) {
            at++;
        } else if (*at == '\\' && is_octal(at + 1) && (at[1] != '0' || at[2] != '0' || at[3] != '0')) {
            *to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 3;
            continue;
        }
        *to++ = *at;
    }
    *to = '\0';
    return text;
}

/* .file N "path"[, time, size]   or   .file N "folder" "path" */
bool file_parse(struct parser *parser)
{
    uint64_t number, ignored;
    if (!constant_unsigned(parser, UINT32_MAX, "a file number", &number))
        return false;
    if (parser->token.kind != TOKEN_STRING) {
        report(parser, "expected a file name, found %s", token_shown(parser));
        return false;
    }
    char *path = string_text(parser);
    lexer_next(parser);
    if (parser->token.kind == TOKEN_STRING) {
        path = arena_printf(parser->arena, "%s/%s", path, string_text(parser));
        lexer_next(parser);
    }
    while (accept(parser, ','))
        if (!constant_unsigned(parser, UINT64_MAX, "a file's time or size", &ignored))
            return false;
    *vec_push(parser->arena, &parser->module->files) = (struct ptx_file){
        .number = (uint32_t)number, .path = path, .is_system = is_system_path(path)};
    return true;
}

static const struct ptx_file *find_file(const struct ptx_module *module, uint32_t number)
{
    /* Compilers number from 1 in order. */
    if (number - 1 < module->files.count && module->files.data[number - 1].number == number)
        return &module->files.data[number - 1];
    for (uint32_t i = 0; i < module->files.count; i++)
        if (module->files.data[i].number == number)
            return &module->files.data[i];
    return NULL;
}

const char *ptx_file_path(const struct ptx_module *module, uint32_t file)
{
    const struct ptx_file *found = find_file(module, file);
    return found == NULL ? NULL : found->path;
}

const struct ptx_location *ptx_user_location(const struct ptx_module *module, uint32_t location)
{
    const struct ptx_location *at =
        &module->locations.data[location < module->locations.count ? location : 0];
    for (;;) {
        const struct ptx_file *file = find_file(module, at->file);
        if (at->inlined_at == 0 || (at->line != 0 && (file == NULL || !file->is_system)))
            return at;
        at = &module->locations.data[at->inlined_at];
    }
}

bool ptx_location_is_system(const struct ptx_module *module, uint32_t location)
{
    const struct ptx_location *at = ptx_user_location(module, location);
    const struct ptx_file *file = find_file(module, at->file);
    return at->line != 0 && file != NULL && file->is_system;
}

/* ---- .loc ------------------------------------------------------------------------------------ */

static uint32_t position_hash(uint32_t function, const struct ptx_location *location)
{
    uint64_t hash = function * UINT64_C(0x9e3779b97f4a7c15) + location->file;
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) + location->line;
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93) + location->column;
    hash = (hash ^ hash >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(hash >> 32);
}

/* The slot of a position in the function being read: its own or a free one. */
static struct location_slot *find_slot(struct location_slot *slots, uint32_t capacity,
                                       uint32_t function, const struct ptx_location *location)
{
    uint32_t at = position_hash(function, location) & (capacity - 1);
    for (;; at = (at + 1) & (capacity - 1)) {
        struct location_slot *slot = &slots[at];
        if (slot->function == 0 ||
            (slot->function == function && slot->file == location->file &&
             slot->line == location->line && slot->column == location->column))
            return slot;
    }
}

static struct location_slot *position_slot(struct parser *parser,
                                           const struct ptx_location *location)
{
    if ((parser->location_count + 1) * 2 > parser->location_capacity) {
        uint32_t capacity = parser->location_capacity == 0 ? 256 : parser->location_capacity * 2;
        struct location_slot *grown = ARENA_ARRAY(parser->arena, struct location_slot, capacity);
        for (uint32_t i = 0; i < parser->location_capacity; i++) {
            const struct location_slot *old = &parser->location_slots[i];
            struct ptx_location position = {
                .file = old->file, .line = old->line, .column = old->column};
            if (old->function != 0)
                *find_slot(grown, capacity, old->function, &position) = *old;
        }
        parser->location_slots = grown;
        parser->location_capacity = capacity;
    }
    return find_slot(parser->location_slots, parser->location_capacity, parser->function_id + 1,
                     location);
}

static bool same_call(const struct ptx_location *a, const struct ptx_location *b)
{
    return a->inlined_at == b->inlined_at && a->function_label == b->function_label &&
           a->function_offset == b->function_offset;
}

/* The index of a location, the newest at its position from now on. */
static uint32_t location_add(struct parser *parser, const struct ptx_location *location)
{
    struct location_slot *slot = position_slot(parser, location);
    if (slot->function != 0 && same_call(&parser->module->locations.data[slot->location], location))
        return slot->location;
    uint32_t id = parser->module->locations.count;
    *vec_push(parser->arena, &parser->module->locations) = *location;
    parser->location_count += slot->function == 0;
    *slot = (struct location_slot){.function = parser->function_id + 1,
                                   .file = location->file,
                                   .line = location->line,
                                   .column = location->column,
                                   .location = id};
    return id;
}

static bool parse_position(struct parser *parser, struct ptx_location *location)
{
    uint32_t *const parts[] = {&location->file, &location->line, &location->column};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (i == 2 && parser->token.kind != TOKEN_INTEGER)
            break; /* no column */
        if (parser->token.kind != TOKEN_INTEGER || parser->token.value > UINT32_MAX) {
            report(parser, "expected file, line and column, found %s", token_shown(parser));
            return false;
        }
        *parts[i] = (uint32_t)parser->token.value;
        lexer_next(parser);
    }
    return true;
}

static bool parse_function_name(struct parser *parser, struct ptx_location *location)
{
    uint32_t name;
    uint64_t offset = 0;
    if (!expect_name(parser, "a label of .debug_str", &name))
        return false;
    if (accept(parser, '+') && !constant_unsigned(parser, UINT32_MAX, "an offset", &offset))
        return false;
    location->function_label = parser->names.data[name].text;
    location->function_offset = (uint32_t)offset;
    return true;
}

static bool parse_inlined_at(struct parser *parser, struct ptx_location *location)
{
    struct ptx_location call = {0};
    if (!parse_position(parser, &call))
        return false;
    const struct location_slot *slot = position_slot(parser, &call);
    location->inlined_at = slot->function != 0 ? slot->location : location_add(parser, &call);
    return true;
}

bool location_parse(struct parser *parser)
{
    struct ptx_location location = {0};
    if (!parse_position(parser, &location))
        return false;
    while (accept(parser, ',')) {
        uint32_t name;
        if (!expect_name(parser, "`function_name` or `inlined_at`", &name))
            return false;
        const char *word = parser->names.data[name].text;
        bool good = false;
        if (strcmp(word, "function_name") == 0)
            good = parse_function_name(parser, &location);
        else if (strcmp(word, "inlined_at") == 0)
            good = parse_inlined_at(parser, &location);
        else
            report(parser, "expected `function_name` or `inlined_at`, found %s",
                   name_shown(parser, name));
        if (!good)
            return false;
    }
    parser->location = location_add(parser, &location);
    if (parser->function->location == 0)
        parser->function->location = parser->location;
    item_add(parser, PTX_ITEM_LOCATION, parser->location, 0);
    return true;
}

/* ---- debug sections -------------------------------------------------------------------------- */

/* label: .b8 95,90,0 ... of .debug_str; other lines are skipped. */
static void read_strings(struct parser *parser)
{
    struct buffer *strings = &parser->debug_text;
    if (strings->arena == NULL)
        buffer_init(strings, parser->arena);
    lexer_next(parser);
    while (parser->token.kind != '}' && parser->token.kind != TOKEN_END) {
        if (parser->token.kind == TOKEN_NAME) {
            uint32_t name = parser->token.name;
            lexer_next(parser);
            if (accept(parser, ':'))
                *vec_push(parser->arena, &parser->debug_strings) =
                    (struct debug_string){.name = name, .at = (uint32_t)strings->size};
        } else {
            if (parser->token.kind == TOKEN_INTEGER)
                buffer_putc(strings, (char)parser->token.value);
            lexer_next(parser);
        }
    }
}

/* .section NAME { ... }; the caller keeps the text. */
bool section_parse(struct parser *parser)
{
    if (parser->token.kind != TOKEN_DOT && parser->token.kind != TOKEN_NAME) {
        report(parser, "expected the name of a section, found %s", token_shown(parser));
        return false;
    }
    bool is_strings = strcmp(parser->names.data[parser->token.name].text, "debug_str") == 0;
    uint32_t offset = parser->token.offset, line = parser->token.line;
    lexer_next(parser);
    if (parser->token.kind != '{') {
        report(parser, "expected `{`, found %s", token_shown(parser));
        return false;
    }
    if (is_strings) {
        read_strings(parser);
    } else {
        lexer_skip_braces(parser);
        /* The brace that ended it becomes the current token. */
        bool closed = parser->text[parser->at - 1] == '}';
        parser->token = (struct token){.kind = closed ? '}' : TOKEN_END,
                                       .offset = parser->at - closed,
                                       .size = closed,
                                       .line = parser->line};
    }
    if (parser->token.kind != '}') {
        report_at(parser, offset, line, "the section is not closed");
        return false;
    }
    lexer_next(parser);
    return true;
}

/* Names of inlined functions: the strings may stand behind all their uses. */
void locations_resolve(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    if (parser->debug_strings.count == 0)
        return;
    struct text_map labels;
    text_map_init(&labels, parser->arena);
    for (uint32_t i = 0; i < parser->debug_strings.count; i++) {
        const struct name *name = &parser->names.data[parser->debug_strings.data[i].name];
        text_map_set(&labels, name->text, name->size, parser->debug_strings.data[i].at);
    }
    for (uint32_t i = 1; i < module->locations.count; i++) {
        struct ptx_location *location = &module->locations.data[i];
        if (location->function_label == NULL)
            continue;
        uint32_t at =
            text_map_find(&labels, location->function_label, strlen(location->function_label));
        if (at == TEXT_MAP_NONE ||
            (uint64_t)at + location->function_offset >= parser->debug_text.size)
            continue;
        location->function = parser->debug_text.data + at + location->function_offset;
    }
}

/* ---- line 0 ---------------------------------------------------------------------------------- */

struct line_pass {
    uint32_t *nearest; /* for each register: the location of the nearest use further down */
    uint32_t found, here;
};

static void take_from_use(void *context, uint32_t id, bool is_definition)
{
    struct line_pass *pass = context;
    if (is_definition && pass->found == 0)
        pass->found = pass->nearest[id];
}

static void note_use(void *context, uint32_t id, bool is_definition)
{
    struct line_pass *pass = context;
    if (!is_definition)
        pass->nearest[id] = pass->here;
}

static bool has_line(const struct ptx_module *module, uint32_t location)
{
    return ptx_user_location(module, location)->line != 0;
}

void lines_complete(const struct ptx_module *module, struct ptx_function *function,
                    struct arena *arena)
{
    bool incomplete = false;
    for (uint32_t i = 0; i < function->instructions.count && !incomplete; i++)
        incomplete = !has_line(module, function->instructions.data[i].location);
    if (!incomplete || function->location == 0)
        return;
    struct line_pass pass = {.nearest =
                                 ARENA_ARRAY(arena, uint32_t, function->registers.count + 1)};
    for (uint32_t i = function->instructions.count; i-- > 0;) {
        struct ptx_instruction *instruction = &function->instructions.data[i];
        bool known = has_line(module, instruction->location);
        pass.found = 0;
        if (!known)
            ptx_visit_registers(instruction, take_from_use, &pass);
        pass.here = known ? instruction->location : pass.found;
        if (pass.here != 0)
            ptx_visit_registers(instruction, note_use, &pass);
        if (!known)
            instruction->location = pass.here != 0 ? pass.here : function->location;
    }
}
