/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a name that a person wrote mean a function?  Written forms of _ZN1a5scaleIfEEvPfi: itself, its full demangled form with or
 * without the result, `a::scale<float>`, `a::scale`, `scale<float>`, `scale`.  Blanks do not count.
 */
#include "ptx/demangle.h"

#include <string.h>

/* Equal but for blanks; `size` bytes of a. */
static bool same_words(const char *a, size_t size, const char *b)
{
    size_t at = 0;
    for (;;) {
        while (at < size && a[at] == ' ')
            at++;
        while (*b == ' ')
            b++;
        if (at == size || *b == '\0')
            return at == size && *b == '\0';
        if (a[at++] != *b++)
            return false;
    }
}

/* Template arguments removed: of the last component alone, or of all. */
static char *without_arguments(struct arena *arena, const char *name, bool all)
{
    size_t size = strlen(name), kept = 0, last = 0;
    int depth = 0;
    char *text = arena_alloc(arena, size + 1);
    for (size_t i = 0; i < size; i++)
        if (depth == 0 && name[i] == ':' && name[i + 1] == ':')
            last = i;
        else if (strchr("<({", name[i]) != NULL)
            depth++;
        else if (strchr(">)}", name[i]) != NULL)
            depth--;
    depth = 0;
    for (size_t i = 0; i < size; i++) {
        bool counts = all || i >= last;
        depth += counts && name[i] == '<';
        if (depth == 0)
            text[kept++] = name[i];
        depth -= counts && name[i] == '>';
    }
    text[kept] = '\0';
    return text;
}

/* The whole name, or its tail from any component on. */
static bool tail_matches(const char *name, const char *wanted)
{
    int depth = 0;
    if (same_words(name, strlen(name), wanted))
        return true;
    for (const char *at = name; *at != '\0'; at++) {
        if (strchr("<({", *at) != NULL)
            depth++;
        else if (strchr(">)}", *at) != NULL)
            depth--;
        else if (depth == 0 && at[0] == ':' && at[1] == ':' &&
                 same_words(at + 2, strlen(at + 2), wanted))
            return true;
    }
    return false;
}

bool ptx_name_matches(struct arena *arena, const char *mangled, const char *name)
{
    struct demangled parts;
    if (strcmp(mangled, name) == 0)
        return true;
    if (!demangle_parts(arena, mangled, &parts))
        return false;
    return same_words(parts.text, strlen(parts.text), name) ||
           tail_matches(parts.without_result, name) || tail_matches(parts.name, name) ||
           tail_matches(without_arguments(arena, parts.name, false), name) ||
           tail_matches(without_arguments(arena, parts.name, true), name);
}
