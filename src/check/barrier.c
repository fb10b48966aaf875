/* SPDX-License-Identifier: Apache-2.0
 *
 * LW201 of one block barrier.
 *
 * Requires: what is uniform in a block.  Gives: proved if it waits for the whole block and every thread of it comes there equally often;
 * what is for a part of the block (a count, `arrive`) is marked, for group.c.
 * Gives up on: barriers whose number or count is computed, clusters.
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
    if (instruction->source->mode == PTX_MODE_CLUSTER) {
        point->answer.verdict = CHECK_NOT_ANALYSED;
        point->answer.reason = "barriers of clusters are not looked into";
        point->parts_here = true;
        return;
    }
    const uint32_t *operands = ir_operands(prove->ir, instruction);
    bool waits = waits_for_block(sync, instruction);
    if (instruction->operand_count == 0 || (!waits && instruction->operand_count < 2)) {
        sync_part_here(point, "its form is not known");
        return;
    }
    point->has_number = sym_is_constant(prove->sym, sym_reading(prove->kernel, operands[0], false), &point->number);
    if (!point->has_number) {
        sync_part_here(point, "the number of the barrier is computed");
        return;
    }
    if (point->number < 0 || point->number > 15) {
        sync_part_here(point, "there is no such barrier: a block has those of the numbers 0 to 15");
        return;
    }
    uint32_t branch = sym_uniform_obstacle(sync->block, instruction->block);
    /* As many as the block has, but not all come here: the others may arrive elsewhere. */
    bool has_count = instruction->operand_count > (instruction->source->mode == PTX_MODE_RED ? 2U : 1U);
    if (!waits || (has_count && branch != IR_NONE)) {
        point->is_arrive = instruction->source->mode == PTX_MODE_ARRIVE;
        point->is_partial = sym_is_constant(prove->sym, sym_reading(prove->kernel, operands[1], false), &point->threads);
        if (!point->is_partial)
            sync_part_here(point, "the number of threads that it is for is computed");
        return;
    }
    sym_integer threads;
    if (has_count && sym_is_constant(prove->sym, sym_reading(prove->kernel, operands[1], false), &threads) && threads % 32 != 0)
        sync_part_here(point, "the number of threads that it is for is no multiple of 32");
    else if (branch != IR_NONE)
        sync_part_at(sync, point, sync->block, branch);
    else if (!sync_guard_is_uniform(sync->block, point->instruction))
        sync_part_here(point, "its guard may differ between threads of a block");
    else
        point->is_full = true;
}
