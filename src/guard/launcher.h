/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the launcher generator: the arguments that a launcher takes, made from a kernel's contract once and used by the header, the
 * functions and the table.
 */
#ifndef LANEWISE_GUARD_LAUNCHER_H
#define LANEWISE_GUARD_LAUNCHER_H

#include "guard/guard.h"

/* How a parameter of the contract reaches the launcher. */
enum launcher_passing {
    PASSED_SLICE,  /* struct lw_slice_f32 a */
    PASSED_SCALAR, /* uint32_t n */
    PASSED_BYTES,  /* const void *view: a struct whose fields we cannot all name */
    PASSED_BESIDE, /* the length in a slice parameter of device.h: comes with the slice before it */
    PASSED_LENGTH, /* uint64_t view_data_length: of a pointer inside such bytes */
    PASSED_NOT     /* a struct whose fields are passed one by one, or a scalar inside bytes */
};

struct launcher_argument {
    enum launcher_passing passing;
    const char *name;    /* a word of C */
    const char *type;    /* of C */
    uint32_t whole;      /* the struct that holds it as bytes, or CONTRACT_NONE */
};

struct launcher_kernel {
    const struct guard_kernel *kernel;
    const struct contract *contract; /* never NULL */
    const char *word;                /* "scale_float": begins the names of its functions */
    struct launcher_argument *arguments; /* by parameter of the contract */
    bool takes_grid, takes_block, takes_shared;
};

struct launcher {
    struct arena *arena;
    const struct guard_module *module;
    const char *word; /* of the module */
    struct launcher_kernel *kernels;
};

/* launcher_plan.c */
void launcher_plan(struct launcher *launcher, struct arena *arena, const struct guard_module *module);
/* launcher_text.c: NAME_kernels.h and NAME_kernels.c. */
void launcher_write_header(const struct launcher *launcher, struct buffer *out);
void launcher_write_source(const struct launcher *launcher, struct buffer *out);
/* launcher_table.c: what the library is told, as tables of C. */
void launcher_write_tables(const struct launcher *launcher, struct buffer *out);
void launcher_write_string(struct buffer *out, const char *text); /* "..." or NULL */

#endif
