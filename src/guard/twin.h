/* SPDX-License-Identifier: Apache-2.0
 *
 * twin: what two kernels are made of, side by side.
 */
#ifndef LANEWISE_GUARD_TWIN_H
#define LANEWISE_GUARD_TWIN_H

#include "ir/ir.h"
#include "ptx/ptx.h"

/* How a branch is used. */
enum twin_branch {
    TWIN_BRANCH_EXIT,  /* one way goes straight out of the kernel: a tail test */
    TWIN_BRANCH_CHECK, /* one way ends in a trap or a failed assertion */
    TWIN_BRANCH_LOOP,  /* decides about another trip */
    TWIN_BRANCH_OTHER,
    TWIN_BRANCH_COUNT
};
enum { TWIN_WIDTHS = 5 }; /* 1, 2, 4, 8, 16 bytes in one go */

struct twin_loop {
    uint32_t depth, blocks, instructions, accesses;
    uint32_t unroll;         /* most copies of one source line's load or store in it; 1: not unrolled, or no lines */
    uint32_t line;           /* of the PTX */
};

struct twin_profile {
    const char *name;        /* for people */
    uint32_t blocks, instructions;
    uint32_t branches[TWIN_BRANCH_COUNT];
    uint32_t loads[PTX_SPACE_COUNT][TWIN_WIDTHS], stores[PTX_SPACE_COUNT][TWIN_WIDTHS], atomics[PTX_SPACE_COUNT];
    uint32_t doomed;         /* instructions from which every way ends in a trap: they are in no other count */
    uint32_t barriers, warp_operations, calls, traps, divisions;
    VEC(struct twin_loop) loops;
};

/* By block: every way from it ends in a trap. */
bool *twin_find_doomed(struct arena *arena, const struct ir_cfg *cfg);
/* Counts what stands in one function, device functions that it calls not included. */
struct twin_profile twin_profile_of(struct arena *arena, const struct ptx_module *module, uint32_t function, const char *name);
/* Two columns; a line that differs ends with its difference. */
void twin_print(const struct twin_profile *a, const struct twin_profile *b, struct buffer *out);

#endif
