/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/launcher.h: what a generated launcher (NAME_kernels.c) tells the library: the PTX, the contracts of its kernels, its table of
 * run-time checks.  Written by `lanewise build`, not by hand; `version` guards against a launcher and a library that do not fit.
 *
 * Contracts travel as text in the grammar of LW_REQUIRES and are parsed once, when the module is loaded, by the parser that read them
 * first: there is one evaluator, and its messages are the tool's own.
 */
#ifndef LANEWISE_LAUNCHER_H
#define LANEWISE_LAUNCHER_H

#include "lanewise/lanewise.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LW_LAUNCHER_VERSION 2
#define LW_NO_PARAMETER UINT32_MAX

/* `text` as the user wrote it, for messages; `tree` the same with every name resolved, NULL: the text itself.  Both NULL: not given. */
struct lw_expression_text {
    const char *text, *tree;
    uint32_t line, column;
};

enum lw_parameter_kind { LW_PARAMETER_INTEGER, LW_PARAMETER_REAL, LW_PARAMETER_POINTER, LW_PARAMETER_OTHER };
enum lw_shape_kind { LW_SHAPE_NONE, LW_SHAPE_ROWS, LW_SHAPE_PITCHED };

/* A parameter of the kernel, or a field of one ("view.rows"). */
struct lw_parameter_text {
    const char *name;
    uint32_t position;     /* which parameter of the kernel */
    uint32_t offset, size; /* in bytes, inside of it */
    uint32_t whole;        /* field of a struct that is given as bytes: index of that struct; else LW_NO_PARAMETER */
    uint8_t kind;          /* enum lw_parameter_kind */
    uint8_t bits, is_signed;
    uint8_t is_const;      /* pointers, from here on: const T * */
    uint8_t shape_kind, dimensions;
    uint32_t element_size; /* bytes; 0: not known */
    uint32_t alignment;    /* the array's start is a multiple of it */
    uint8_t element_kind, element_bits, element_is_signed;
    struct lw_expression_text shape[3], low, high;
    uint32_t line, column; /* of the shape */
    const uint32_t *may_alias; /* indices of parameters */
    uint32_t may_alias_count;
};

/* The same kernel for full blocks and for what is left; both take one more parameter: the first block, the grid and the block of the whole
 * launch, three numbers of 32 bits each. */
struct lw_split_text {
    const char *bulk, *tail; /* entries */
    uint8_t whole_tail;      /* a tail has all threads of its block; else as many as are left */
};

struct lw_kernel_text {
    const char *entry, *shown;
    uint32_t line, column;
    const struct lw_parameter_text *parameters;
    uint32_t parameter_count;
    const struct lw_expression_text *relations;
    uint32_t relation_count;
    struct lw_expression_text block[3], block_multiple, block_max, domain[3], grid[3], shared_bytes;
    const struct lw_split_text *split; /* NULL: it is launched as a whole only */
};

/* A run-time check: what the number of a fault record means. */
struct lw_site_text {
    uint32_t kernel, number, line, column;
    const char *file, *array, *what;
    uint32_t element_size, access_size;
    uint8_t is_write;
};

struct lw_module_source {
    uint32_t version; /* LW_LAUNCHER_VERSION */
    const char *name;
    const char *ptx;
    const struct lw_kernel_text *kernels;
    uint32_t kernel_count;
    const struct lw_site_text *sites;
    uint32_t site_count;
};

/* The value of a parameter: a pointer and its length, a scalar's bytes, or the host address of a struct's bytes. */
struct lw_argument {
    uint64_t bits, length;
};
static inline struct lw_argument lw_argument_array(const void *data, uint64_t length)
{
    struct lw_argument argument = {(uint64_t)(uintptr_t)data, length};
    return argument;
}
static inline struct lw_argument lw_argument_integer(uint64_t value)
{
    struct lw_argument argument = {value, 0};
    return argument;
}
static inline struct lw_argument lw_argument_f32(float value)
{
    union {
        float value;
        uint32_t bits;
    } as = {value};
    struct lw_argument argument = {as.bits, 0};
    return argument;
}
static inline struct lw_argument lw_argument_f64(double value)
{
    union {
        double value;
        uint64_t bits;
    } as = {value};
    struct lw_argument argument = {as.bits, 0};
    return argument;
}
static inline struct lw_argument lw_argument_bytes(const void *bytes)
{
    struct lw_argument argument = {(uint64_t)(uintptr_t)bytes, 0};
    return argument;
}

struct lw_request {
    const struct lw_module_source *source;
    uint32_t kernel;
    const struct lw_argument *arguments; /* one for each of its parameters, in that order */
    const struct lw_extent3 *grid, *block; /* NULL: the contract says it */
    const uint32_t *shared_bytes;        /* NULL: the contract says it, else 0 */
};

/* Evaluates the contract, then launches. */
LW_API enum lw_status lw_request_launch(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream,
                                        struct lw_error *error);
/* Launches; of the contract only the geometry is evaluated. */
LW_API enum lw_status lw_request_launch_unchecked(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream,
                                                  struct lw_error *error);
/* Evaluates the contract, then launches the full blocks and each tail that has work. */
LW_API enum lw_status lw_request_launch_split(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream,
                                              struct lw_error *error);
/* Evaluates the contract and keeps the launch. */
LW_API enum lw_status lw_request_prepare(struct lw_module *module, const struct lw_request *request, struct lw_prepared **prepared,
                                         struct lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
