/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cost: what the files that fill a cost_result share.
 *
 *   code.c  instructions and lines      flow.c   branches, paths, loops      classes.c  who is uniform where
 *   form.c  classes without a proof     trips.c  how often loops run         launch.c   blocks, threads, warps of a launch
 *   count.c the counts of a run
 *   advice.c, questions.c               what it means
 */
#ifndef LANEWISE_COST_BUILD_H
#define LANEWISE_COST_BUILD_H

#include "cost/cost.h"

struct cost_block_sum {
    uint32_t least, most; /* instructions, calls included */
    bool has_barrier, has_call, has_access;
};

/* A function of the kernel: the kernel itself is the first. */
struct cost_part {
    uint32_t function;
    uint32_t first;           /* of its instructions in result->instructions */
    uint32_t count;
    struct ir_cfg *cfg;
    uint32_t first_loop;      /* of its loops in result->loops */
    struct cost_block_sum *blocks;
    uint32_t least, most;     /* static: instructions of a call, each loop body once; 0 while not known (recursion) */
};

struct sym_kernel;
struct cost_builder {
    struct arena *arena;
    const struct cost_input *input;
    struct cost_result *result;
    const struct ptx_module *module;
    VEC(struct cost_part) parts;
    uint32_t *part_of;        /* by module function; COST_NONE */
    struct sym_kernel *kernel; /* the analysis behind the formulae; NULL: none */
    uint32_t *trips;          /* by loop: sym_poly, or COST_NONE */
    uint8_t *spaces;          /* by cost instruction: enum ptx_space of a generic access, where it is known; else NONE */
};

static inline struct cost_instruction *cost_at(const struct cost_builder *builder, const struct cost_part *part, uint32_t instruction)
{
    return &builder->result->instructions.data[part->first + instruction];
}
static inline const struct ptx_instruction *cost_source(const struct cost_builder *builder, const struct cost_instruction *instruction)
{
    return &builder->module->functions.data[instruction->function].instructions.data[instruction->index];
}

void cost_read_code(struct cost_builder *builder);     /* parts, instructions; no kinds, no lines */
void cost_classify(struct cost_builder *builder);      /* reach, guard; spaces; loops' trips: after cost_read_flow */
void cost_name_kinds(struct cost_builder *builder);    /* kinds: after cost_classify */
void cost_read_flow(struct cost_builder *builder);     /* branches, loops, depth, least and most */
void cost_finish_flow(struct cost_builder *builder);   /* classes of branches, reconvergence */
void cost_read_lines(struct cost_builder *builder);    /* last */

/* Values by their form alone; see form.c. */
struct cost_forms {
    uint8_t *values;  /* by ir value: enum cost_class */
    bool *is_place;   /* a sum of the thread's number and uniform parts */
};
struct cost_forms cost_forms_of(struct arena *arena, const struct ir_function *ir);
/* Formulae of trips, from a kernel in analysis. */
void cost_find_trips(struct cost_builder *builder);
/* Their values at a launch. */
void cost_evaluate_trips(struct cost_builder *builder, const struct contract_values *values);

/* flow.c: blocks that can be reached from `start` without passing `join`. */
struct cost_region {
    struct bitset blocks;
    VEC(uint32_t) members;
};
void cost_region_find(struct cost_region *region, const struct ir_cfg *cfg, uint32_t start, uint32_t join, struct arena *arena);

/* launch.c: warps with work of a launch of any size. */
uint64_t cost_warps_working(const uint64_t grid[3], const uint64_t block[3], const uint64_t domain[3]);

/* advice.c, questions.c */
void cost_advise(struct cost_result *result);
void cost_answer(struct cost_result *result);
void cost_find(struct cost_result *result); /* findings LW601 */

#endif
