/* SPDX-License-Identifier: Apache-2.0
 *
 * A rewrite as a list of edits on a text: nothing but what is edited changes by a byte.
 */
#include "guard/rewrite.h"

#include <string.h>

#include <stdlib.h>

void guard_edit_add(struct arena *arena, guard_edits *edits, uint32_t offset, uint32_t remove, const char *text)
{
    uint32_t order = edits->count;
    *vec_push(arena, edits) = (struct guard_edit){offset, remove, order, text};
}

static int compare_edits(const void *left, const void *right)
{
    const struct guard_edit *a = left, *b = right;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void guard_edit_apply(const char *text, uint32_t first, uint32_t end, guard_edits *edits, struct buffer *out)
{
    uint32_t at = first;
    if (edits->count != 0)
        qsort(edits->data, edits->count, sizeof *edits->data, compare_edits);
    for (uint32_t i = 0; i < edits->count; i++) {
        const struct guard_edit *edit = &edits->data[i];
        if (edit->offset < at || edit->offset > end)
            continue; /* inside something that was removed */
        buffer_add(out, text + at, edit->offset - at);
        buffer_puts(out, edit->text);
        at = edit->offset + edit->remove;
    }
    if (at < end)
        buffer_add(out, text + at, end - at);
}

/* ---- words ------------------------------------------------------------------------------------------------------------ */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

const char *guard_find_word(const char *first, const char *end, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = first; at + size <= end; at++)
        if (strncmp(at, word, size) == 0 && (at == first || !is_word(at[-1])) && !is_word(at[size]))
            return at;
    return NULL;
}
