/* SPDX-License-Identifier: Apache-2.0
 *
 * Control flow: branches, calls, returns, the end of a thread, labels where groups meet, gates in front of warp-wide operations.
 */
#include "emu/emu_control.h"
#include "emu/emu_race.h"

/* ---- branches ------------------------------------------------------------------------------------- */

static enum emu_next run_branch(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_group *group = warp->group;
    if (mask != group->mask) {
        emu_group_split(warp, group, mask, op->extra[0]);
        group->pc = warp->pc + 1;
        return EMU_SWITCH;
    }
    warp->pc = op->extra[0];
    return EMU_JUMP;
}

/* brx.idx: an index past the list is undefined behaviour (PTX ISA, "brx.idx"). */
static enum emu_next run_indexed_branch(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_group *group = warp->group;
    const uint32_t *index = emu_slot(warp, op->a);
    uint32_t chosen = index[__builtin_ctz(mask)], same = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        if (index[__builtin_ctz(rest)] == chosen)
            same |= rest & (0u - rest);
    if (chosen >= op->extra[0])
        return emu_stop(warp, EMU_UNSUPPORTED, op, "branch index %u is past a list of %u labels", chosen, op->extra[0]);
    if (same != group->mask) {
        /* The others come here again, or go on where the guard is false. */
        uint32_t others = mask & ~same, skipped = group->mask & ~mask;
        if (others != 0)
            emu_count_again(warp, op, others);
        group->again = false;
        if (skipped != 0)
            emu_group_split(warp, group, skipped, warp->pc + 1);
        group->pc = op->list[chosen];
        return EMU_SWITCH;
    }
    group->again = false;
    warp->pc = op->list[chosen];
    return EMU_JUMP;
}

enum emu_next emu_run_label(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)op;
    (void)mask;
    struct emu_group *group = warp->group;
    if (warp->block->worker->run->machine->options.adversarial) {
        if ((group->mask & (group->mask - 1)) == 0)
            return EMU_NEXT;
        emu_group_scatter(warp, group, warp->pc + 1);
        group->pc = warp->pc + 1;
        return EMU_SWITCH;
    }
    if (warp->group_count == 1)
        return EMU_NEXT;
    const uint32_t *order_of = group->frame->function->order_of;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        const struct emu_group *other = &warp->groups[i];
        if (other == group || other->state != EMU_GROUP_RUN || other->frame->depth < group->frame->depth)
            continue;
        if (other->frame->depth == group->frame->depth) {
            uint32_t mine = order_of[warp->pc], theirs = other->frame->function->order_of[other->pc];
            if (theirs > mine || (theirs == mine && other->pc != warp->pc))
                continue;
        }
        group->pc = warp->pc;
        return EMU_SWITCH;
    }
    return EMU_NEXT;
}

/* ---- the end of threads ------------------------------------------------------------------------------ */

static void leave_frames(struct emu_warp *warp, struct emu_frame *frame, uint32_t mask)
{
    while (frame != NULL) {
        struct emu_frame *caller = frame->caller;
        emu_frame_leave(warp, frame, mask);
        frame = caller;
    }
}

enum emu_next emu_exit_lanes(struct emu_warp *warp, uint32_t mask)
{
    struct emu_group *group = warp->group;
    warp->view.present &= ~mask;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(mask);
    warp->exit_instruction = warp->frame->function->code[warp->pc].instruction;
    /* Whoever waits for lanes of this warp looks again. */
    for (uint32_t i = 0; i < warp->group_count; i++)
        if (warp->groups[i].state == EMU_GROUP_SYNC)
            warp->groups[i].state = EMU_GROUP_RUN;
    leave_frames(warp, group->frame, mask);
    if (mask == group->mask) {
        emu_group_remove(warp, group);
        return EMU_SWITCH;
    }
    group->mask &= ~mask;
    return EMU_NEXT;
}

static enum emu_next run_exit(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)op;
    return emu_exit_lanes(warp, mask);
}

static uint64_t register_of(struct emu_warp *warp, uint32_t id, unsigned lane)
{
    uint32_t slot = warp->frame->function->slots[id];
    return slot == EMU_REF_NONE ? 0 : ((const uint64_t *)emu_slot(warp, slot))[lane];
}

static enum emu_next run_trap(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_fault *fault = emu_fault_add(warp, FINDING_DEVICE_ASSERT, warp->frame->function, op,
                                            (uint32_t)__builtin_ctz(mask), NULL, UINT32_MAX);
    uint32_t index, extent;
    bool is_check = ptx_failing_check(warp->frame->function->source, op->instruction, &index, &extent);
    if (fault != NULL)
        fault->text = is_check ? "fails a check" : "reaches a trap";
    if (fault != NULL && is_check) {
        fault->has_index = true;
        fault->offset = (int64_t)register_of(warp, index, (unsigned)__builtin_ctz(mask));
        fault->extent = register_of(warp, extent, (unsigned)__builtin_ctz(mask));
    }
    warp->block->state = EMU_BLOCK_ABORTED;
    return EMU_ABORT;
}

/* ---- calls ------------------------------------------------------------------------------------------- */

/* Copies one value between a caller's operand and a parameter variable of the callee, lane by lane. */
static bool transfer(struct emu_warp *warp, const struct ptx_operand *operand, struct emu_frame *outer,
                     uint32_t inner_variable, struct emu_frame *inner, uint32_t mask, bool inwards)
{
    const struct emu_program *program = warp->block->worker->run->program;
    const struct ptx_variable *formal = &program->module->variables.data[inner_variable];
    if (operand->kind != PTX_OPERAND_SYMBOL || operand->variable == PTX_NONE || formal->space != PTX_SPACE_PARAM)
        return false;
    const struct ptx_variable *actual = &program->module->variables.data[operand->variable];
    uint64_t size = actual->size < formal->size ? actual->size : formal->size;
    uint32_t from = program->param_offset[operand->variable], to = program->param_offset[inner_variable];
    uint32_t outer_stride = outer->function->param_size, inner_stride = inner->function->param_size;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        size_t lane = (size_t)__builtin_ctz(rest);
        size_t a = lane * outer_stride + from, b = lane * inner_stride + to;
        if (inwards) {
            memcpy(inner->params + b, outer->params + a, size);
            memcpy(inner->params_defined + b, outer->params_defined + a, size);
        } else {
            memcpy(outer->params + a, inner->params + b, size);
            memcpy(outer->params_defined + a, inner->params_defined + b, size);
        }
    }
    return true;
}

static enum emu_next enter_function(struct emu_warp *warp, const struct emu_op *op, uint32_t mask,
                                    const struct emu_call *call, uint32_t index)
{
    const struct emu_run *run = warp->block->worker->run;
    const struct emu_function *callee = &run->program->functions[index];
    struct emu_group *group = warp->group;
    struct emu_frame *caller = group->frame;
    if (caller->depth + 1 >= EMU_MAX_DEPTH || caller->stack_used > run->machine->options.stack_bytes)
        return emu_stop(warp, EMU_MEMORY_LIMIT, op, "the stack of a thread is used up, %u calls deep: endless recursion?",
                        caller->depth + 1);
    if (mask != group->mask)
        emu_group_split(warp, group, group->mask & ~mask, warp->pc + 1);
    struct emu_frame *frame = emu_frame_push(warp, callee, caller);
    frame->users = (uint32_t)__builtin_popcount(mask);
    frame->return_pc = warp->pc + 1;
    frame->call = op;
    uint32_t given = call->arguments == NULL ? 0 : call->arguments->count;
    for (uint32_t i = 0; i < given && i < callee->source->parameters.count; i++)
        if (!transfer(warp, &call->arguments->elements[i], caller, callee->source->parameters.data[i], frame, mask, true))
            return emu_run_unsupported(warp, op, mask);
    group->frame = frame;
    group->pc = 0;
    warp->pc = 0;
    return EMU_JUMP;
}

static enum emu_next run_call(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_program *program = warp->block->worker->run->program;
    const struct emu_call *call = &warp->frame->function->calls.data[op->extra[0]];
    if (call->native != NULL)
        return call->native(warp, op, mask);
    if (call->math != NULL)
        return emu_run_math(warp, op, call, mask);
    if (call->function != PTX_NONE)
        return enter_function(warp, op, mask, call, call->function);
    if (call->name != NULL)
        return emu_stop(warp, EMU_UNSUPPORTED, op, "calls `%s`, which has no body here",
                        ptx_demangle(&warp->block->worker->arena, call->name));
    /* Through a register: the lanes that agree with the first go, the others come here again. */
    uint64_t targets[EMU_LANES];
    for (unsigned lane = 0; lane < EMU_LANES; lane++)
        targets[lane] = op->a_size == 8 ? ((uint64_t *)emu_slot(warp, op->a))[lane]
                                        : EMU_WINDOW_FUNCTION | ((uint32_t *)emu_slot(warp, op->a))[lane];
    uint64_t chosen = targets[__builtin_ctz(mask)];
    uint64_t index = chosen - EMU_WINDOW_FUNCTION - 1;
    if (index >= program->module->functions.count || !program->functions[index].decoded)
        return emu_stop(warp, EMU_UNSUPPORTED, op, "calls through a pointer that names no function");
    uint32_t same = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        if (targets[__builtin_ctz(rest)] == chosen)
            same |= rest & (0u - rest);
    if (mask != same)
        emu_count_again(warp, op, mask & ~same);
    warp->group->again = false;
    return enter_function(warp, op, same, call, (uint32_t)index);
}

enum emu_next emu_run_return(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_group *group = warp->group;
    struct emu_frame *frame = group->frame, *caller = frame->caller;
    (void)op;
    if (caller == NULL)
        return emu_exit_lanes(warp, mask);
    const struct emu_call *call = &caller->function->calls.data[frame->call->extra[0]];
    uint32_t wanted = call->results == NULL ? 0 : call->results->count;
    for (uint32_t i = 0; i < wanted && i < frame->function->source->returns.count; i++)
        if (!transfer(warp, &call->results->elements[i], caller, frame->function->source->returns.data[i], frame, mask, false))
            return emu_run_unsupported(warp, frame->call, mask);
    if (mask != group->mask)
        emu_group_split(warp, group, group->mask & ~mask, warp->pc + 1);
    group->frame = caller;
    group->pc = frame->return_pc;
    warp->pc = frame->return_pc;
    emu_frame_leave(warp, frame, mask);
    return warp->group_count > 1 ? EMU_SWITCH : EMU_JUMP;
}

/* ---- gates: lanes of a warp meet ------------------------------------------------------------------------ */

/* Lanes of `mask` whose member mask is that of the first; the others become a group of their own that comes here again. */
static uint32_t same_members(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, uint32_t *members)
{
    if (op->a == EMU_REF_NONE) {
        *members = warp->view.present;
        return mask;
    }
    const uint32_t *values = emu_slot(warp, op->a);
    uint32_t same = 0;
    *members = values[__builtin_ctz(mask)];
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        if (values[__builtin_ctz(rest)] == *members)
            same |= rest & (0u - rest);
    return same;
}

enum emu_next emu_run_gate(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_group *group = warp->group;
    uint32_t members, same = same_members(warp, op, mask, &members);
    bool others_differ = same != mask;
    if (others_differ) {
        emu_group_split(warp, group, mask & ~same, warp->pc);
        mask = same;
    }
    /* Groups that wait here with the same members join. */
    for (uint32_t i = 0; i < warp->group_count;) {
        struct emu_group *other = &warp->groups[i];
        if (other != group && other->state == EMU_GROUP_SYNC && other->pc == warp->pc && other->frame == group->frame &&
            other->required == members) {
            bool moved = group == &warp->groups[warp->group_count - 1];
            group->mask |= other->mask;
            mask |= other->mask;
            group->forced |= other->forced;
            emu_group_remove(warp, other);
            if (moved)
                group = other;
            warp->group = group;
        } else {
            i++;
        }
    }
    uint32_t missing = members & warp->view.present & ~mask;
    if (missing == 0 || group->forced) {
        group->forced = false;
        emu_gate_check(warp, op, mask, members, missing);
        return EMU_NEXT;
    }
    /* Lanes without the guard go past; the rest wait. */
    uint32_t past = group->mask & ~mask;
    if (past != 0)
        emu_group_split(warp, group, past, warp->pc + 1);
    group->required = members;
    group->pc = warp->pc;
    group->state = EMU_GROUP_SYNC;
    return EMU_SWITCH;
}

/* ---- selection --------------------------------------------------------------------------------------- */

static enum emu_next run_nothing(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)warp;
    (void)op;
    (void)mask;
    return EMU_NEXT;
}

static enum emu_next run_warp_sync(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)op;
    emu_order_warp_sync(warp, mask);
    if (warp->block->worker->run->machine->options.adversarial) {
        emu_group_scatter(warp, warp->group, warp->pc + 1);
        warp->group->pc = warp->pc + 1;
        return EMU_SWITCH;
    }
    return EMU_NEXT;
}

static enum emu_next run_fence(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct ptx_instruction *instruction = op->source;
    bool block_only = instruction->mode == PTX_MODE_CTA || instruction->scope == PTX_SCOPE_CTA;
    emu_order_fence(warp, mask, block_only ? PTX_SCOPE_CTA : PTX_SCOPE_GPU);
    return EMU_NEXT;
}

emu_fn *emu_control_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)op;
    switch (instruction->op) {
    case PTX_OP_bra: return run_branch;
    case PTX_OP_brx: return run_indexed_branch;
    case PTX_OP_call: return run_call;
    case PTX_OP_ret: return emu_run_return;
    case PTX_OP_exit: return run_exit;
    case PTX_OP_trap: return run_trap;
    case PTX_OP_bar:
    case PTX_OP_barrier:
        if (instruction->mode == PTX_MODE_WARP)
            return run_warp_sync;
        return emu_barrier_select(instruction);
    case PTX_OP_membar:
    case PTX_OP_fence: return run_fence;
    case PTX_OP_nanosleep:
    case PTX_OP_brkpt:
    case PTX_OP_pmevent:
    case PTX_OP_prefetch:
    case PTX_OP_prefetchu:
    case PTX_OP_griddepcontrol:
        return run_nothing;
    default: return NULL;
    }
}
