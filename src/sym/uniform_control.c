/* SPDX-License-Identifier: Apache-2.0
 *
 * Which branches decide whether a block is reached: control dependence by post-dominance (Ferrante, Ottenstein, Warren, "The program
 * dependence graph and its use in optimization").
 *
 * Requires: a cfg.  Gives: for each block the branches that it depends on directly, and their closure.  All ways out count, also those that
 * leave the kernel: a thread that has left is missing.  Assumes: threads do not stay in a loop for ever.
 */
#include "sym/uniform.h"

/* Everything on the way from `to` up to what is reached whichever way `from` goes depends on `from`. */
static void add_way(struct sym_uniform *uniform, uint32_t from, uint32_t to)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    for (uint32_t at = to; at != IR_NONE && at != cfg->blocks[from].ipdom; at = cfg->blocks[at].ipdom) {
        sym_blocks *control = &uniform->control[at];
        if (control->count == 0 || control->data[control->count - 1] != from)
            *vec_push(uniform->kernel->arena, control) = from;
    }
}

bool sym_is_branch(const struct ir_cfg *cfg, uint32_t block)
{
    const struct ir_block *data = &cfg->blocks[block];
    return data->reachable && data->successor_count + (data->leave != IR_LEAVE_NO) > 1;
}

void sym_control_build(struct sym_uniform *uniform)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    uniform->control = ARENA_ARRAY(uniform->kernel->arena, sym_blocks, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        if (!sym_is_branch(cfg, b))
            continue;
        for (uint32_t s = 0; s < block->successor_count; s++)
            add_way(uniform, b, block->successors[s]);
        if (block->leave != IR_LEAVE_NO)
            add_way(uniform, b, cfg->exit);
    }
}

void sym_control_closure(struct sym_uniform *uniform, uint32_t block, uint32_t loop, struct bitset *branches)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    sym_blocks work = {0};
    *vec_push(uniform->kernel->arena, &work) = block;
    while (work.count != 0) {
        const sym_blocks *control = &uniform->control[work.data[--work.count]];
        for (uint32_t i = 0; i < control->count; i++) {
            uint32_t branch = control->data[i];
            if (bitset_has(branches, branch) || !ir_loop_contains(cfg, loop, branch))
                continue;
            bitset_add(branches, branch);
            *vec_push(uniform->kernel->arena, &work) = branch;
        }
    }
}

uint32_t sym_uniform_obstacle(struct sym_uniform *uniform, uint32_t block)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    struct bitset branches;
    bitset_init(&branches, uniform->kernel->arena, cfg->block_count + 1);
    sym_control_closure(uniform, block, IR_NONE, &branches);
    for (uint32_t n = 0; n < cfg->block_count; n++)
        if (bitset_has(&branches, cfg->by_order[n]) && uniform->branches[cfg->by_order[n]])
            return cfg->by_order[n];
    return IR_NONE;
}

/* Leaves the loop in different trips, or by different ways: some branch that decides about an exit may differ. */
bool sym_loop_differs(struct sym_uniform *uniform, uint32_t loop)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    struct bitset branches;
    bitset_init(&branches, uniform->kernel->arena, cfg->block_count + 1);
    for (uint32_t n = cfg->loops[loop].order_first; n < cfg->loops[loop].order_end; n++) {
        uint32_t block = cfg->by_order[n];
        bool leaves = cfg->blocks[block].leave != IR_LEAVE_NO;
        for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++)
            leaves |= !ir_loop_contains(cfg, loop, cfg->blocks[block].successors[s]);
        if (!leaves)
            continue;
        bitset_add(&branches, block);
        sym_control_closure(uniform, block, loop, &branches);
    }
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (bitset_has(&branches, b) && uniform->branches[b])
            return true;
    return false;
}
