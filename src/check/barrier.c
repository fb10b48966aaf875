/* SPDX-License-Identifier: Apache-2.0
 *
 * LW201 of one block barrier.
 *
 * Requires: what is uniform in a block.  Gives: proved if it waits for the whole block and every thread of it comes there equally often.
 * Gives up on: barriers for a part of the block (a count, `arrive`), barriers whose number is computed, clusters.
 */
#include "check/sync.h"

/* The count of threads that it waits for is the size of the block, or there is none. */
static bool waits_for_block(struct sync *sync, const struct ir_instruction *instruction)
{
    struct prove *prove = sync->prove;
    const uint32_t *operands = ir_operands(prove->ir, instruction);
    struct sym *sym = prove->sym;
    uint32_t plain = instruction->source->mode == PTX_MODE_RED ? 2 : 1; /* bar.red has a predicate */
    sym_poly threads = sym_constant(sym, 1);
    if (instruction->source->mode == PTX_MODE_ARRIVE || instruction->operand_count < plain)
        return false;
    if (instruction->operand_count == plain)
        return true;
    for (int axis = 0; axis < 3; axis++)
        threads = sym_multiply(sym, threads, prove->environment->block[axis]);
    return sym_reading(prove->kernel, operands[1], false) == threads;
}

void prove_barrier(struct sync *sync, struct sync_point *point)
{
    struct prove *prove = sync->prove;
    const struct ir_instruction *instruction = &prove->ir->instructions[point->instruction];
    sym_integer number;
    if (instruction->source->mode == PTX_MODE_CLUSTER) {
        point->answer.verdict = CHECK_NOT_ANALYSED;
        point->answer.reason = "barriers of clusters are not looked into";
        point->parts_here = true;
        return;
    }
    if (!waits_for_block(sync, instruction)) {
        sync_part_here(point, "it waits for a part of the block; whether so many come is not looked into");
        return;
    }
    if (!sym_is_constant(prove->sym, sym_reading(prove->kernel, ir_operands(prove->ir, instruction)[0], false), &number)) {
        sync_part_here(point, "the number of the barrier is computed");
        return;
    }
    uint32_t branch = sym_uniform_obstacle(sync->block, instruction->block);
    if (branch != IR_NONE)
        sync_part_at(sync, point, sync->block, branch);
    else if (!sync_guard_is_uniform(sync->block, point->instruction))
        sync_part_here(point, "its guard may differ between threads of a block");
    else
        point->is_full = true;
}
