/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two halves of the expression compiler share: its state, emitting of steps, reading of characters.
 */
#ifndef LANEWISE_LAUNCH_COMPILE_H
#define LANEWISE_LAUNCH_COMPILE_H

#include "launch/expression.h"

#include <setjmp.h>

enum { DEPTH_LIMIT = 200 };

struct loop_variable {
    const char *name;
    size_t size;
};

struct compiler {
    struct arena *arena;
    const char *text; /* zero-terminated copy */
    const char *at;
    const struct expression_scope *scope;
    struct expression *expression;
    struct expression_error *error;
    jmp_buf failed;
    unsigned depth;                       /* of the parser */
    unsigned stack;                       /* columns in use where the parser stands */
    struct loop_variable loops[EXPRESSION_VARIABLES];
    unsigned loop_count;                  /* variable 0 is `i` */
    bool uses_element;
};

typedef enum expression_type type_of; /* what each parsing function returns: the type of the column it left */

/* A type name that a cast may use; `bits` 0: a plain conversion to `type`. */
struct cast {
    const char *name;
    type_of type;
    uint8_t bits;
    bool is_signed;
};

LW_NORETURN void compile_fail(struct compiler *c, const char *where, const char *message,
                              const char *help);

struct expression_step *compile_emit(struct compiler *c, enum expression_op op, type_of type);
void compile_use_stack(struct compiler *c);
void compile_convert(struct compiler *c, unsigned below, type_of from, type_of to);
/* C's usual arithmetic conversions of the two columns on top. */
type_of compile_common(struct compiler *c, type_of a, type_of b);
type_of compile_binary(struct compiler *c, enum expression_op op, type_of from, type_of type);
void compile_unary(struct compiler *c, enum expression_op op, type_of from, type_of type);

/* Counts one more level of nesting; the caller takes it back. */
void compile_enter(struct compiler *c);
void compile_skip_blanks(struct compiler *c);
bool compile_accept(struct compiler *c, char ch);
void compile_expect(struct compiler *c, char ch);
bool compile_is_name_start(char ch);
bool compile_is_digit(char ch);

/* expression.c: everything down to `?:`.  primary.c: numbers, names, calls, casts. */
type_of compile_expression(struct compiler *c);
type_of compile_number(struct compiler *c);
type_of compile_name(struct compiler *c);
/* Reads a type name, also of several words; false and nothing read if there is none. */
bool compile_type_name(struct compiler *c, struct cast *cast);
type_of compile_cast(struct compiler *c, type_of from, const struct cast *cast);

#endif
