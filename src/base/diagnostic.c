/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of diagnostics about the user's input.
 */
#include "base/base.h"

#include <string.h>

enum { LIMIT_DEFAULT = 200 };

void diagnostic_list_init(struct diagnostic_list *list, struct arena *arena)
{
    memset(list, 0, sizeof *list);
    list->arena = arena;
}

void diagnostic_add(struct diagnostic_list *list, enum severity severity, struct place place,
                    const char *format, ...)
{
    if (severity == SEVERITY_ERROR)
        list->errors++;
    if (list->items.count >= (list->limit != 0 ? list->limit : LIMIT_DEFAULT)) {
        list->dropped++;
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(list->arena, format, arguments);
    va_end(arguments);
    *vec_push(list->arena, &list->items) = (struct diagnostic){
        .severity = severity, .place = place, .message = message};
}

void diagnostic_help(struct diagnostic_list *list, const char *format, ...)
{
    if (list->items.count == 0 || list->dropped != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    list->items.data[list->items.count - 1].help = arena_vprintf(list->arena, format, arguments);
    va_end(arguments);
}
