/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler wrote, as diagnostics.
 */
#ifndef LANEWISE_SOURCE_MESSAGES_H
#define LANEWISE_SOURCE_MESSAGES_H

#include "source/source.h"

/* Reads result->err; a compiler that failed leaves at least one error. */
void messages_add(struct arena *arena, const struct source_unit *unit, const char *program,
                  const struct process_result *result, struct diagnostic_list *diagnostics);

#endif
