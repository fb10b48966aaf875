/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: a copy that is waited for by its thread before anything orders threads is an ordinary access.
 *
 * Requires: what orders threads.  Gives: true if every way from the copy meets a wait for it before a barrier, a warp synchronisation, a fence or
 * an atomic: then it reads and writes between the same two of them as its instruction stands.  cp.async.wait_all waits for everything, wait_group 0 for what was
 * committed.  Gives up on: groups that stay in flight across a barrier, waits under a guard, bulk copies.
 */
#include "check/race.h"

enum { ISSUED, COMMITTED, STATES };

/* Can it order this thread with others, or is it not known what it does? */
static bool may_order(const struct ir_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_bar:
    case PTX_OP_barrier:
    case PTX_OP_membar:
    case PTX_OP_fence:
    case PTX_OP_atom:
    case PTX_OP_red:
    case PTX_OP_call:
    case PTX_OP_OPAQUE:
        return true;
    default:
        return instruction->source->semantics > PTX_WEAK;
    }
}

/* Goes along a block: false when something that orders comes first; *state is STATES when the copy was waited for. */
static bool goes_through(const struct sync *sync, uint32_t block, uint32_t at, unsigned *state)
{
    const struct ir_function *ir = sync->prove->ir;
    for (uint32_t i = at; i < ir->cfg->blocks[block].end && *state != STATES; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        const struct ptx_instruction *source = instruction->source;
        if (source == NULL)
            continue;
        if (may_order(instruction))
            return false;
        if (instruction->op != PTX_OP_cp || (source->flags & PTX_MODIFIER_ASYNC) == 0 || instruction->guard != IR_NONE)
            continue;
        bool waits_for_groups = source->mode == PTX_MODE_WAIT_GROUP && source->operand_count == 1 &&
                                source->operands[0].kind == PTX_OPERAND_INTEGER && source->operands[0].value == 0;
        if (source->mode == PTX_MODE_WAIT_ALL || (waits_for_groups && *state == COMMITTED))
            *state = STATES;
        else if (source->mode == PTX_MODE_COMMIT_GROUP)
            *state = COMMITTED;
    }
    return true;
}

bool race_async_is_waited(const struct sync *sync, uint32_t instruction)
{
    const struct ir_function *ir = sync->prove->ir;
    const struct ir_cfg *cfg = ir->cfg;
    struct arena *arena = sync->prove->arena;
    struct bitset seen;
    sym_blocks work = {0}; /* block * STATES + state at its end */
    unsigned state = ISSUED;
    bitset_init(&seen, arena, STATES * cfg->block_count + 1);
    if (ir->instructions[instruction].source->mode != PTX_MODE_NONE ||
        !goes_through(sync, ir->instructions[instruction].block, instruction + 1, &state))
        return false;
    if (state != STATES)
        *vec_push(arena, &work) = ir->instructions[instruction].block * STATES + state;
    while (work.count != 0) {
        uint32_t item = work.data[--work.count];
        const struct ir_block *block = &cfg->blocks[item / STATES];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            state = item % STATES;
            if (bitset_has(&seen, next * STATES + state))
                continue;
            bitset_add(&seen, next * STATES + state);
            if (!goes_through(sync, next, cfg->blocks[next].first, &state))
                return false;
            if (state != STATES)
                *vec_push(arena, &work) = next * STATES + state;
        }
    }
    return true;
}
