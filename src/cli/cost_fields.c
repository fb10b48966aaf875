/* SPDX-License-Identifier: Apache-2.0
 *
 * `x.length=1000` and `len(x)=1000` in --launch: names that a launch comment, which lists arguments, does not have.
 *
 * They are taken out of the text before the comment's grammar reads it; what a name means is for the contract to say.
 */
#include "cli/cost_fields.h"

#include <string.h>

static bool is_name_start(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

/* Behind a name with or without fields, or NULL. */
static const char *skip_path(const char *at, bool *has_field)
{
    *has_field = false;
    while (is_name_start(*at)) {
        while (is_name_start(*at) || (*at >= '0' && *at <= '9'))
            at++;
        if (*at != '.')
            return at;
        *has_field = true;
        at++;
    }
    return NULL;
}

/* One item of the text: a name of our own, `=`, a value.  False: it is none. */
static bool read_field(struct arena *arena, const char *item, const char *end, struct place place, struct cost_field *field)
{
    bool has_field;
    const char *from = skip_blanks(item), *name = from;
    field->is_length = strncmp(from, "len", 3) == 0 && *skip_blanks(from + 3) == '(';
    if (field->is_length)
        name = skip_blanks(skip_blanks(from + 3) + 1);
    const char *at = skip_path(name, &has_field);
    if (at == NULL || (!has_field && !field->is_length))
        return false;
    field->name = arena_text(arena, name, (size_t)(at - name));
    at = skip_blanks(at);
    if (field->is_length) {
        if (*at != ')')
            return false;
        at = skip_blanks(at + 1);
    }
    if (*at != '=' || at >= end)
        return false;
    at = skip_blanks(at + 1);
    while (end > at && strchr(" \t\r", end[-1]) != NULL)
        end--;
    field->place = field->value.place = place;
    field->place.column += (uint32_t)(from - item);
    field->value.place.column += (uint32_t)(at - item);
    field->value.text = at;
    field->value.size = at < end ? (uint32_t)(end - at) : 0;
    return true;
}

const char *cost_take_fields(struct arena *arena, const char *text, struct cost_fields *fields)
{
    char *rest = arena_string(arena, text);
    struct place place = {.file = LAUNCH_TEXT_FILE, .line = 1, .column = 1};
    for (const char *item = text; *item != '\0';) {
        size_t size = strcspn(item, ";\n");
        struct cost_field field = {0};
        if (read_field(arena, item, item + size, place, &field)) {
            *vec_push(arena, &fields->items) = field;
            memset(rest + (item - text), ' ', size);
        }
        place.column += (uint32_t)size + 1;
        if (item[size] == '\n') {
            place.line++;
            place.column = 1;
        }
        item += size + (item[size] != '\0');
    }
    return rest;
}

const struct cost_field *cost_find_field(const struct cost_fields *fields, const struct contract *contract, uint32_t parameter, bool is_length)
{
    const char *name = contract->parameters.data[parameter].name;
    for (uint32_t i = 0; name != NULL && i < fields->items.count; i++) {
        const struct cost_field *field = &fields->items.data[i];
        size_t size = strlen(field->name);
        bool is_own = strcmp(field->name, name) == 0;
        bool is_part = strncmp(field->name, name, size) == 0 && name[size] == '.';
        if (is_length && field->is_length && (is_own || (is_part && contract_only_array(contract, field->name) == parameter)))
            return field;
        if (!is_length && (field->is_length ? is_part && strcmp(name + size, ".length") == 0 : is_own))
            return field;
    }
    return NULL;
}
