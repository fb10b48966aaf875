/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: what turns variables that are written many times into SSA values.  Used twice:
 * for PTX registers (ssa.c) and for stack slots (promote.c).
 *
 *   liveness.c  which variables are live between blocks, and where they are written
 *   phi.c       where phis are needed, and the walk over the dominator tree that renames
 */
#ifndef LANEWISE_IR_FLOW_H
#define LANEWISE_IR_FLOW_H

#include "ir/code.h"

struct definition {
    uint32_t index, block; /* number of the variable in the live sets */
};

struct variable_flow {
    struct ir_liveness *live;
    VEC(struct definition) definitions; /* by ascending block, each pair once */
};

/* Tells what a block does, in order, by calling live_read and live_write. */
struct live_scan;
typedef void live_scanner(void *context, uint32_t block, struct live_scan *scan);
void live_read(struct live_scan *scan, uint32_t variable);
void live_write(struct live_scan *scan, uint32_t variable, bool certain); /* not certain: guarded */

/* The scanner is called twice for each block.  False if the sets would take more than `max_bytes`
 * (0: no limit). */
bool variable_flow_build(struct variable_flow *flow, struct arena *arena, const struct ir_cfg *cfg,
                         uint32_t count, live_scanner *scanner, void *context, uint64_t max_bytes);

/* A scanner of all registers of `code`. */
struct register_source {
    const struct code *code;
    const struct ir_cfg *cfg;
};
void register_scan_block(void *context, uint32_t block, struct live_scan *scan);

/* ---- phis ------------------------------------------------------------------------------------ */

/* Variables that need a phi in block b: variables[start[b] .. start[b + 1]). */
struct phi_plan {
    uint32_t *start, *variables;
};

/* The dominance frontier of block b: blocks[start[b] .. start[b + 1]). */
struct frontiers {
    uint32_t *start, *blocks;
};
/* False if they would have more than `max_entries`. */
bool frontiers_build(struct frontiers *frontiers, struct arena *arena, const struct ir_cfg *cfg,
                     uint64_t max_entries);

/* Requires: the flow of the variables.  Gives: pruned SSA form's phis (only where the variable is
 * live). */
void phi_plan_build(struct phi_plan *plan, struct arena *arena, const struct ir_cfg *cfg,
                    const struct variable_flow *flow, const struct frontiers *frontiers);

struct renamer_entry {
    uint32_t variable, old;
};
struct renamer_block {
    uint32_t block, mark; /* length of the log when it was entered */
};

/* The walk: blocks in preorder of the dominator tree, with the current value of each variable. */
struct renamer {
    struct arena *arena;
    const struct ir_cfg *cfg;
    uint32_t *preorder; /* reachable blocks */
    uint32_t *current;  /* variable -> value, IR_NONE if it was not written */
    VEC(struct renamer_entry) log;
    VEC(struct renamer_block) open;
    uint32_t *edge_start,
        *edge_position; /* successor i of block b: its place among the predecessors there */
};
void renamer_init(struct renamer *renamer, struct arena *arena, const struct ir_cfg *cfg,
                  uint32_t variable_count);
/* Takes back what blocks that do not dominate `block` have set. */
void renamer_enter(struct renamer *renamer, uint32_t block);
/* `is_global`: the variable can be live between blocks, so that the old value must come back. */
void renamer_set(struct renamer *renamer, uint32_t variable, uint32_t value, bool is_global);

#endif
