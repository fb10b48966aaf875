/* SPDX-License-Identifier: Apache-2.0
 *
 * plan: what a random kernel is: its text, the parts of its contract as texts, and what was put into it.
 *
 * The generators (kernel.c for PTX, cuda.c for CUDA C) write a plan from a seed; launches.c turns it into a module, a contract
 * and many small launches.
 */
#ifndef SOUNDNESS_PLAN_H
#define SOUNDNESS_PLAN_H

#include "base/base.h"

/* What a kernel can contain.  Each must be in at least a tenth of all kernels written as PTX. */
enum feature {
#define FEATURE(name, text) FEATURE_##name,
#include "features.def"
#undef FEATURE
    FEATURE_COUNT
};
const char *feature_text(enum feature feature);

struct plan_parameter {
    const char *name;
    bool is_pointer;
    uint8_t bits; /* of a scalar */
    bool is_signed;
    uint8_t element_size; /* of a pointer; elements are integers unless `is_float` */
    bool is_float;
    uint8_t dimensions;
    const char *shape[3];
    const char *low, *high; /* LW_VALUES; NULL: none */
    bool written;
};

struct plan {
    struct arena *arena;
    uint64_t seed;
    const char *text; /* PTX, or CUDA C */
    size_t size;
    bool is_cuda;
    VEC(struct plan_parameter) parameters;
    VEC(const char *) relations;
    const char *block[3], *domain[3]; /* NULL: not given */
    const char *block_multiple, *block_max, *shared_bytes;
    uint32_t axes; /* bit a: the kernel reads axis a */
    bool features[FEATURE_COUNT];
    const char *mutation;   /* what was made wrong; NULL: right by construction */
    bool chaos;             /* has parts that nobody made right */
    uint32_t mutation_line; /* near this line */
    VEC(uint32_t)
    index_loads; /* lines of loads whose value becomes an index: once they fault, what follows is no news */
    const char *idiom_of_line[600]; /* where the instruction on that line comes from */
};

/* The random kernel of that seed.  Every second one has something wrong in it. */
struct plan *plan_generate(struct arena *arena, uint64_t seed);
/* The same in CUDA C, another kernel. */
struct plan *plan_generate_cuda(struct arena *arena, uint64_t seed);
/* The contract as one would write it. */
void plan_print(const struct plan *plan, struct buffer *out);

#endif
