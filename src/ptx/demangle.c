/* SPDX-License-Identifier: Apache-2.0
 *
 * Demangling: encodings, and the steps that the other files share.  demangle.h describes the whole.
 */
#include "ptx/demangle.h"

#include <string.h>

enum { DEPTH_LIMIT = 96, TEXT_LIMIT = 16384, WORK_LIMIT = 1 << 20, NAME_LIMIT = 32768 };

/* ---- steps ----------------------------------------------------------------------------------- */

const char *demangle_fail(struct demangler *d)
{
    d->failed = true;
    return "";
}

bool demangle_take_text(struct demangler *d, const char *text)
{
    size_t size = strlen(text);
    if ((size_t)(d->end - d->at) < size || memcmp(d->at, text, size) != 0)
        return false;
    d->at += size;
    return true;
}

const char *demangle_join(struct demangler *d, const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b);
    d->work += size;
    if (size > TEXT_LIMIT || d->work > WORK_LIMIT)
        return demangle_fail(d);
    return arena_printf(d->arena, "%s%s", a, b);
}

const char *demangle_join3(struct demangler *d, const char *a, const char *b, const char *c)
{
    return demangle_join(d, demangle_join(d, a, b), c);
}

bool demangle_enter(struct demangler *d)
{
    d->work += 4; /* parsing again and again, of packs in packs, counts too */
    if (++d->depth > DEPTH_LIMIT || d->work > WORK_LIMIT)
        d->failed = true;
    return !d->failed;
}

const char *demangle_type_text(struct demangler *d, struct demangled_type type)
{
    return demangle_join(d, type.left, type.right);
}

void demangle_remember(struct demangler *d, struct demangled_type type)
{
    if (!d->failed)
        *vec_push(d->arena, &d->substitutions) = type;
}

bool demangle_number(struct demangler *d, unsigned long *value)
{
    if (demangle_peek(d) < '0' || demangle_peek(d) > '9')
        return false;
    *value = 0;
    while (demangle_peek(d) >= '0' && demangle_peek(d) <= '9') {
        if (*value > 1000000)
            return false;
        *value = *value * 10 + (unsigned long)(*d->at++ - '0');
    }
    return true;
}

/* _ is 0, 0_ is 1, and so on, in the given base. */
bool demangle_sequence(struct demangler *d, unsigned base, unsigned long *value)
{
    unsigned long number = 0;
    bool any = false;
    while (!demangle_take(d, '_')) {
        char c = demangle_peek(d);
        unsigned digit = c >= '0' && c <= '9'                 ? (unsigned)(c - '0')
                         : c >= 'A' && c <= 'Z' && base == 36 ? (unsigned)(c - 'A') + 10
                                                              : 99;
        if (digit >= base || number > 1000000)
            return false;
        number = number * base + digit;
        any = true;
        d->at++;
    }
    *value = any ? number + 1 : 0;
    return true;
}

const char *demangle_join_types(struct demangler *d, const struct demangled_type *types,
                                uint32_t count)
{
    struct buffer text;
    buffer_init(&text, d->arena);
    buffer_add(&text, "", 0);
    for (uint32_t i = 0; i < count && !d->failed; i++) {
        const char *argument = demangle_type_text(d, types[i]);
        if (argument[0] == '\0' && types[i].is_pack)
            continue;
        if (text.size != 0)
            buffer_puts(&text, ", ");
        buffer_puts(&text, argument);
        d->work += strlen(argument);
        if (text.size > TEXT_LIMIT || d->work > WORK_LIMIT)
            return demangle_fail(d);
    }
    return text.data;
}

/* ---- encodings ------------------------------------------------------------------------------- */

const char *demangle_encoding(struct demangler *d, struct demangled *parts)
{
    struct demangled_name info = {0};
    if (!demangle_enter(d))
        return demangle_fail(d);
    /* A function named inside a type has template arguments of its own. */
    const struct demangler outer = *d;
    d->inner = 0;
    const char *name = demangle_name(d, &info);
    const char *text = name, *result = "";
    bool has_parameters =
        demangle_peek(d) != '\0' && demangle_peek(d) != 'E' && demangle_peek(d) != '.';
    struct demangled_type type = demangle_plain("");
    if (!d->failed && has_parameters) {
        if (info.is_template && !info.has_no_return) {
            type = demangle_type(d);
            result =
                demangle_join(d, type.left, type.right[0] == '\0' && !type.is_function ? " " : "");
        }
        const char *parameters = demangle_types(d);
        text = demangle_join3(
            d, name, "(",
            demangle_join3(d, parameters, ")", info.qualifiers == NULL ? "" : info.qualifiers));
        text = demangle_join(d, text, type.right);
    }
    if (parts != NULL) {
        parts->name = name;
        parts->without_result = text;
    }
    if (outer.inner != 0)
        d->arguments.data = outer.arguments.data, d->arguments.count = outer.arguments.count,
        d->arguments.capacity = outer.arguments.capacity;
    d->inner = outer.inner;
    d->depth--;
    return demangle_join(d, result, text);
}

bool demangle_parts(struct arena *arena, const char *name, struct demangled *parts)
{
    struct demangler d = {.arena = arena, .at = name, .end = name + strlen(name)};
    if (d.end - name > NAME_LIMIT || !demangle_take_text(&d, "_Z"))
        return false;
    if (demangle_peek(&d) == 'T' || demangle_peek(&d) == 'G') /* tables and guards */
        return false;
    parts->text = demangle_encoding(&d, parts);
    if (d.failed)
        return false;
    if (demangle_peek(&d) == '.' || demangle_peek(&d) == '$') /* a copy that the compiler made */
        parts->text = demangle_join3(&d, parts->text, " [clone ", demangle_join(&d, d.at, "]"));
    else if (d.at != d.end)
        return false;
    return !d.failed;
}

const char *ptx_demangle(struct arena *arena, const char *name)
{
    struct demangled parts;
    return demangle_parts(arena, name, &parts) ? parts.text : name;
}

const char *ptx_variable_name(struct arena *arena, const char *name)
{
    const char *shown = ptx_demangle(arena, name), *last = shown;
    int depth = 0;
    for (const char *at = shown; *at != 0; at++) {
        depth += *at == '(' || *at == '<';
        depth -= *at == ')' || *at == '>';
        if (depth == 0 && at[0] == ':' && at[1] == ':')
            last = at + 2;
    }
    return last;
}
