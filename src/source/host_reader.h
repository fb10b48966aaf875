/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader of launches in host code shares: host_launch.c finds them and what guards them, host_expression.c reads their numbers.
 */
#ifndef LANEWISE_SOURCE_HOST_READER_H
#define LANEWISE_SOURCE_HOST_READER_H

#include "source/source.h"

#include <clang-c/Index.h>

/* A parameter of a function that is read in place of its call. */
struct host_binding {
    CXCursor parameter;
    uint32_t node;
};

struct host_reader {
    struct arena *arena;
    const struct source_unit *unit;
    const struct source_options *options;
    const char *path;
    CXIndex index;
    CXTranslationUnit translation;
    host_launches *launches;
    /* Of the launch at work: */
    struct host_launch *launch;
    CXCursor function;              /* in which it stands */
    VEC(CXCursor) variables;        /* cursors of launch->variables */
    VEC(struct host_binding) bindings;
    unsigned depth;                 /* of what is followed */
    unsigned steps;                 /* taken so far */
    bool is_full;                   /* too many nodes: the launch is given up */
};

typedef VEC(CXCursor) host_cursors;
void host_children(struct host_reader *reader, CXCursor cursor, host_cursors *children);

/* The number that an expression is; HOST_NONE if it cannot be read. */
uint32_t host_number(struct host_reader *reader, CXCursor expression);
/* A condition, as far as it can be read. */
uint32_t host_condition(struct host_reader *reader, CXCursor expression);
/* The three sizes of an expression of type dim3. */
void host_sizes(struct host_reader *reader, CXCursor expression, uint32_t sizes[3]);
/* Does it name a variable of the launch, or one that is made of it? */
bool host_hangs_on(struct host_reader *reader, CXCursor cursor);

#endif
