/* SPDX-License-Identifier: Apache-2.0
 *
 * Block barriers (bar, barrier) and what is wrong when they or warp-wide operations never complete: LW201, LW203.
 *
 * Arrivals are counted in threads.  A barrier without a count waits for every thread that the block started with: threads that have exited
 * are missing, although many GPUs forgive it.  A barrier with a count waits for that many, where the lanes that a partial last warp lacks
 * count as arrived (PTX ISA, "bar": counts are in whole warps).  A block that cannot go on is reported and ended.
 */
#include "emu/emu_control.h"
#include "emu/emu_race.h"

/* ---- completing ------------------------------------------------------------------------------- */

static void release(struct emu_block *block, uint32_t id)
{
    struct emu_barrier *barrier = &block->barriers[id];
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->group_count; i++) {
            struct emu_group *group = &warp->groups[i];
            if (group->state != EMU_GROUP_BARRIER || group->barrier != id)
                continue;
            const struct emu_op *op = &group->frame->function->code[group->pc];
            group->state = EMU_GROUP_RUN;
            group->resumed = true;
            switch (op->source->operation) {
            case PTX_OPERATION_POPC: group->red_result = barrier->popc; break;
            case PTX_OPERATION_AND: group->red_result = barrier->all == barrier->arrived; break;
            case PTX_OPERATION_OR: group->red_result = barrier->any != 0; break;
            default: break;
            }
        }
    }
    emu_order_barrier_done(block, id, barrier->expected >= block->thread_count);
    uint32_t generation = barrier->generation + 1;
    memset(barrier, 0, sizeof *barrier);
    barrier->generation = generation;
}

static void finish_reduction(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint32_t result = warp->group->red_result;
    if (op->source->operation == PTX_OPERATION_POPC) {
        uint32_t *slot = emu_slot(warp, op->dst);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
            slot[__builtin_ctz(rest)] = result;
    } else {
        emu_predicate_store(warp, op->dst, result != 0 ? EMU_FULL_MASK : 0, mask);
    }
}

/* The same barrier of the source, perhaps copied by the compiler: same place and same inline chain. */
static bool same_source(const struct ptx_module *module, const struct emu_op *a, const struct emu_op *b)
{
    if (a == b)
        return true;
    if (a->source->mode != b->source->mode || a->source->operation != b->source->operation)
        return false;
    uint32_t x = a->source->location, y = b->source->location;
    while (x != 0 && y != 0) {
        const struct ptx_location *p = &module->locations.data[x], *q = &module->locations.data[y];
        if (p->file != q->file || p->line != q->line || p->column != q->column)
            return false;
        x = p->inlined_at;
        y = q->inlined_at;
    }
    return x == 0 && y == 0 && a->source->location != 0;
}

static uint32_t uniform_operand(struct emu_warp *warp, uint32_t reference, uint32_t mask, uint32_t absent)
{
    return reference == EMU_REF_NONE ? absent : ((const uint32_t *)emu_slot(warp, reference))[__builtin_ctz(mask)];
}

static enum emu_next run_barrier(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_group *group = warp->group;
    struct emu_block *block = warp->block;
    enum ptx_mode mode = op->source->mode;
    if (group->resumed) {
        group->resumed = false;
        block->worker->warp_instructions--; /* it was counted when the lanes arrived */
        block->worker->thread_instructions -= (uint32_t)__builtin_popcount(mask);
        if (mode == PTX_MODE_RED)
            finish_reduction(warp, op, mask);
        return EMU_NEXT;
    }
    /* bar.red: d, a, [b,] p: the predicate is the last source. */
    bool has_count = mode == PTX_MODE_RED ? op->c != EMU_REF_NONE : op->b != EMU_REF_NONE;
    uint32_t id = uniform_operand(warp, op->a, mask, 0);
    uint32_t count = has_count ? uniform_operand(warp, op->b, mask, 0) : block->thread_count;
    if (id >= EMU_BARRIERS)
        return emu_stop(warp, EMU_UNSUPPORTED, op, "barrier %u does not exist: there are %d", id, EMU_BARRIERS);
    struct emu_barrier *barrier = &block->barriers[id];
    if (barrier->first_op == NULL) {
        barrier->first_op = op;
        barrier->first_function = warp->frame->function;
    } else if (!has_count && !same_source(block->worker->run->program->module, barrier->first_op, op)) {
        barrier->mixed = true;
    }
    if (!has_count && barrier->mixed) {
        group->state = EMU_GROUP_BARRIER;
        group->barrier = (uint8_t)id;
        group->pc = warp->pc;
        emu_barrier_stuck(block);
        return EMU_ABORT;
    }
    barrier->expected = count;
    emu_order_barrier_arrive(warp, id, mode != PTX_MODE_ARRIVE);
    barrier->arrived += (uint32_t)__builtin_popcount(mask);
    if (has_count && (barrier->credited >> warp->index & 1) == 0) {
        barrier->credited |= 1u << warp->index;
        barrier->arrived += EMU_LANES - (uint32_t)__builtin_popcount(warp->threads);
    }
    if (mode == PTX_MODE_RED) {
        uint32_t predicate = emu_predicate(warp, op, has_count ? op->c : op->b, has_count ? 2 : 1) & mask;
        barrier->popc += (uint32_t)__builtin_popcount(predicate);
        barrier->all += (uint32_t)__builtin_popcount(predicate);
        barrier->any |= predicate;
    }
    bool complete = barrier->arrived >= barrier->expected;
    if (mode == PTX_MODE_ARRIVE) {
        if (complete)
            release(block, id);
        return EMU_NEXT;
    }
    if (mask != group->mask)
        emu_group_split(warp, group, group->mask & ~mask, warp->pc + 1);
    group->state = EMU_GROUP_BARRIER;
    group->barrier = (uint8_t)id;
    group->pc = warp->pc;
    if (complete)
        release(block, id);
    return EMU_SWITCH;
}

emu_fn *emu_barrier_select(const struct ptx_instruction *instruction)
{
    switch (instruction->mode) {
    case PTX_MODE_SYNC:
    case PTX_MODE_ARRIVE:
    case PTX_MODE_RED:
    case PTX_MODE_NONE: /* the old form: bar.sync without the word */
        return run_barrier;
    default:
        return NULL; /* .cluster */
    }
}

/* ---- what went wrong --------------------------------------------------------------------------- */

/* Threads that wait at one operation. */
struct wait_place {
    const struct emu_function *function;
    const struct emu_op *op;
    uint32_t threads;
    uint32_t first; /* linear thread number */
};

static void wait_add(struct wait_place *places, uint32_t *count, uint32_t limit, const struct emu_warp *warp,
                     const struct emu_group *group)
{
    const struct emu_op *op = &group->frame->function->code[group->pc];
    uint32_t threads = (uint32_t)__builtin_popcount(group->mask);
    uint32_t first = warp->index * EMU_LANES + (uint32_t)__builtin_ctz(group->mask);
    for (uint32_t i = 0; i < *count; i++)
        if (places[i].op == op) {
            places[i].threads += threads;
            if (first < places[i].first)
                places[i].first = first;
            return;
        }
    if (*count < limit)
        places[(*count)++] = (struct wait_place){group->frame->function, op, threads, first};
}

static struct finding_note *note_at(struct emu_fault *fault, struct emu_block *block, const struct emu_function *function,
                                    uint32_t instruction)
{
    struct arena *arena = &block->worker->arena;
    struct finding_note *note = vec_push(arena, &fault->notes);
    note->place = emu_fault_place(block->worker->run->program->module, function, instruction);
    return note;
}

/* Lanes that have left the kernel, per place where they left. */
static void note_exits(struct emu_block *block, struct emu_fault *fault)
{
    struct arena *arena = &block->worker->arena;
    uint32_t gone = 0, first = UINT32_MAX;
    const struct emu_warp *warp_of_first = NULL;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct emu_warp *warp = &block->warps[w];
        uint32_t left = warp->threads & ~warp->view.present;
        gone += (uint32_t)__builtin_popcount(left);
        if (left != 0 && first == UINT32_MAX) {
            first = w * EMU_LANES + (uint32_t)__builtin_ctz(left);
            warp_of_first = warp;
        }
    }
    if (gone == 0)
        return;
    const struct emu_run *run = block->worker->run;
    uint32_t instruction = warp_of_first->exit_instruction;
    struct finding_note *note = note_at(fault, block, run->function, instruction);
    note->message = arena_printf(arena, "%u thread%s left the kernel and never arrive%s; thread %u is the first of them", gone,
                                 gone == 1 ? " has" : "s have", gone == 1 ? "s" : "", first);
}

void emu_barrier_stuck(struct emu_block *block)
{
    enum { PLACES = 8 };
    struct wait_place places[PLACES];
    uint32_t count = 0;
    struct emu_warp *first_warp = NULL;
    struct emu_group *first_group = NULL;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->group_count; i++) {
            struct emu_group *group = &warp->groups[i];
            if (group->state != EMU_GROUP_BARRIER)
                continue;
            wait_add(places, &count, PLACES, warp, group);
            if (first_group == NULL) {
                first_warp = warp;
                first_group = group;
            }
        }
    }
    block->state = EMU_BLOCK_ABORTED;
    if (count == 0)
        return;
    struct arena *arena = &block->worker->arena;
    const struct emu_function *function = places[0].function;
    struct emu_fault *fault = emu_fault_add(first_warp, FINDING_BARRIER_DIVERGENCE, function, places[0].op,
                                            (uint32_t)__builtin_ctz(first_group->mask), NULL, UINT32_MAX);
    if (fault == NULL)
        return;
    uint32_t expected = block->barriers[first_group->barrier].expected;
    if (expected != 0 && expected < block->thread_count)
        fault->text = arena_printf(arena, "reaches this barrier with %u of the %u threads that it waits for", places[0].threads, expected);
    else
        fault->text = arena_printf(arena, "reaches this barrier with %u of the %u threads of a block", places[0].threads,
                                   block->thread_count);
    for (uint32_t i = 1; i < count; i++)
        note_at(fault, block, places[i].function, places[i].op->instruction)->message =
            arena_printf(arena, "%u thread%s wait%s here instead; thread %u is the first of them", places[i].threads,
                         places[i].threads == 1 ? "" : "s", places[i].threads == 1 ? "s" : "", places[i].first);
    note_exits(block, fault);
    if (first_warp->block->barriers[first_group->barrier].mixed)
        fault->help = "a barrier must be reached by all threads of the block at the same place of the source";
    else if (expected != 0 && expected < block->thread_count)
        fault->help = "let as many threads reach the barrier as its count says, in whole warps";
    else
        fault->help = "let every thread of the block reach the barrier: guard the work, not the way to it";
}

void emu_step_limit(struct emu_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->group_count; i++) {
            struct emu_group *group = &warp->groups[i];
            if (group->state == EMU_GROUP_BARRIER)
                continue;
            warp->group = group;
            warp->frame = group->frame;
            emu_stop(warp, EMU_STEP_LIMIT, &group->frame->function->code[group->pc],
                     "block (%u,%u,%u) is not done after %llu warp instructions", block->at[0], block->at[1], block->at[2],
                     (unsigned long long)block->steps);
            return;
        }
    }
    block->state = EMU_BLOCK_ABORTED;
}

/* ---- warp-wide operations -------------------------------------------------------------------------- */

void emu_gate_check(struct emu_warp *warp, const struct emu_op *gate, uint32_t mask, uint32_t members, uint32_t missing)
{
    const struct emu_op *op = gate + 1;
    struct arena *arena = &warp->block->worker->arena;
    uint32_t uninvited = mask & ~members;
    if (uninvited != 0) {
        struct emu_fault *fault = emu_fault_add(warp, FINDING_SHUFFLE_INACTIVE, warp->frame->function, op,
                                                (uint32_t)__builtin_ctz(uninvited), NULL, 0);
        if (fault != NULL)
            fault->text = arena_printf(arena, "executes this in lane %d, which the mask 0x%08x does not name",
                                       __builtin_ctz(uninvited), members);
    }
    if (missing != 0) {
        struct emu_fault *fault = emu_fault_add(warp, FINDING_SHUFFLE_INACTIVE, warp->frame->function, op,
                                                (uint32_t)__builtin_ctz(mask), NULL, 1);
        if (fault != NULL) {
            fault->text = arena_printf(arena, "names lanes 0x%08x in the mask 0x%08x that are elsewhere and never arrive",
                                       missing, members);
            fault->help = "compute the mask before the branch (`__ballot_sync`), or take the operation out of the branch";
        }
    }
    uint32_t absent = members & ~warp->view.present;
    if (absent != 0 && gate->a != EMU_REF_NONE)
        emu_gate_check_absent(warp, op, mask, members, absent);
}
