/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks, warps, groups and frames: who runs next, and the loop that executes operations.
 */
#include "emu/emu_race.h"
#include "emu/emu_wrap.h"

enum {
    GROUP_SLICE = 4096,  /* steps a group runs while others of its warp could */
    WARP_SLICE = 65536,  /* steps a warp runs while others of its block could */
    STARVED = 16384      /* steps after which a waiting group goes first */
};

/* ---- frames ------------------------------------------------------------------------------------ */

static struct emu_frame *frame_allocate(struct emu_worker *worker, const struct emu_function *function)
{
    for (struct emu_frame **link = &worker->free_frames; *link != NULL; link = &(*link)->next_free)
        if ((*link)->function == function) {
            struct emu_frame *frame = *link;
            *link = frame->next_free;
            return frame;
        }
    struct arena *arena = &worker->arena;
    struct emu_frame *frame = ARENA_NEW(arena, struct emu_frame);
    uintptr_t registers = (uintptr_t)arena_alloc(arena, (size_t)function->file_size + 2 * EMU_SLOT);
    frame->registers = (char *)((registers + EMU_SLOT - 1) & ~(uintptr_t)(EMU_SLOT - 1));
    frame->function = function;
    frame->params = arena_alloc(arena, (size_t)function->param_size * EMU_LANES);
    frame->params_defined = arena_alloc(arena, (size_t)function->param_size * EMU_LANES);
    frame->locals = arena_alloc(arena, (size_t)function->local_size * EMU_LANES);
    frame->local_shadow = arena_alloc(arena, (size_t)function->local_size * EMU_LANES);
    frame->exact = ARENA_ARRAY(arena, struct emu_exact, function->exact_count + 1);
    frame->regions = ARENA_ARRAY(arena, struct emu_region, function->locals.count + 1);
    return frame;
}

static void frame_place_locals(struct emu_warp *warp, struct emu_frame *frame)
{
    const struct emu_function *function = frame->function;
    const struct ptx_module *module = warp->block->worker->run->program->module;
    uint32_t count = function->locals.count;
    frame->first_segment = warp->segment_count;
    if (count == 0)
        return;
    if (warp->segment_count + count > warp->segment_capacity) {
        uint32_t capacity = warp->segment_capacity * 2 + count + 16;
        struct emu_region **grown = ARENA_ARRAY(&warp->block->worker->arena, struct emu_region *, capacity);
        if (warp->segment_count != 0)
            memcpy(grown, warp->segments, warp->segment_count * sizeof *grown);
        warp->segments = grown;
        warp->segment_capacity = capacity;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_variable *variable = &module->variables.data[function->locals.data[i].variable];
        struct emu_region *region = &frame->regions[i];
        uint32_t segment = warp->segment_count++;
        *region = (struct emu_region){.base = EMU_WINDOW_LOCAL + ((uint64_t)segment << EMU_SEGMENT_SHIFT) + EMU_SEGMENT_MIDDLE,
                                      .size = variable->size,
                                      .data = frame->locals + function->locals.data[i].offset,
                                      .shadow = (uint8_t *)frame->local_shadow + function->locals.data[i].offset,
                                      .lane_stride = function->local_size,
                                      .name = warp->block->worker->run->program->shown[function->locals.data[i].variable],
                                      .element_size = ptx_type_size(variable->type),
                                      .number = 0x80000000u + function->locals.data[i].variable,
                                      .kind = EMU_REGION_LOCAL};
        warp->segments[segment] = region;
    }
    memset(frame->locals, 0, (size_t)function->local_size * EMU_LANES);
    memset(frame->local_shadow, 0, (size_t)function->local_size * EMU_LANES);
}

struct emu_frame *emu_frame_push(struct emu_warp *warp, const struct emu_function *function, struct emu_frame *caller)
{
    struct emu_frame *frame = frame_allocate(warp->block->worker, function);
    frame->caller = caller;
    frame->depth = caller == NULL ? 0 : caller->depth + 1;
    frame->stack_used = (caller == NULL ? 0 : caller->stack_used) + function->local_size + function->param_size + 16;
    if (frame->has_poison)
        memset(frame->poison, 0, function->file_size / EMU_SLOT * sizeof *frame->poison);
    frame->has_poison = false;
    for (uint32_t i = 0; i < function->exact_count; i++)
        frame->exact[i].dirty[0] = frame->exact[i].dirty[1] = 0;
    if (frame->has_taint)
        memset(frame->taints, 0, (function->file_size / EMU_SLOT + 1) * sizeof *frame->taints);
    frame->has_taint = false;
    frame->users = 0;
    for (uint32_t i = 0; i < function->zeroed.count; i++) {
        uint32_t reg = function->zeroed.data[i];
        uint8_t size = function->source->registers.data[reg].type == PTX_PRED
                           ? 2
                           : (uint8_t)ptx_type_size(function->source->registers.data[reg].type);
        memset(frame->registers + function->slots[reg], 0, (size_t)(size < 2 ? 2 : size) * EMU_LANES);
    }
    frame_place_locals(warp, frame);
    return frame;
}

void emu_frame_leave(struct emu_warp *warp, struct emu_frame *frame, uint32_t lanes)
{
    frame->users -= (uint32_t)__builtin_popcount(lanes);
    if (frame->users != 0)
        return;
    for (uint32_t i = 0; i < frame->function->locals.count; i++)
        warp->segments[frame->first_segment + i] = NULL;
    while (warp->segment_count > 1 && warp->segments[warp->segment_count - 1] == NULL)
        warp->segment_count--;
    frame->next_free = warp->block->worker->free_frames;
    warp->block->worker->free_frames = frame;
}

/* ---- groups ------------------------------------------------------------------------------------ */

struct emu_group *emu_group_split(struct emu_warp *warp, struct emu_group *group, uint32_t mask, uint32_t pc)
{
    struct emu_group *other = &warp->groups[warp->group_count++];
    group->mask &= ~mask;
    *other = (struct emu_group){.pc = pc, .mask = mask, .frame = group->frame, .last_run = warp->steps};
    return other;
}

void emu_group_scatter(struct emu_warp *warp, struct emu_group *group, uint32_t pc)
{
    while ((group->mask & (group->mask - 1)) != 0)
        emu_group_split(warp, group, group->mask & (0u - group->mask), pc);
}

void emu_group_remove(struct emu_warp *warp, struct emu_group *group)
{
    struct emu_group *last = &warp->groups[--warp->group_count];
    if (group != last) {
        *group = *last;
        if (warp->group == last)
            warp->group = group;
    }
}

static uint32_t group_order(const struct emu_group *group)
{
    return group->frame->function->order_of[group->pc];
}

/* True if `a` goes before `b`: deeper in calls, then earlier in the scheduling order. */
static bool group_before(const struct emu_group *a, const struct emu_group *b)
{
    if (a->frame->depth != b->frame->depth)
        return a->frame->depth > b->frame->depth;
    uint32_t x = group_order(a), y = group_order(b);
    return x != y ? x < y : a->pc < b->pc;
}

static void merge_into(struct emu_warp *warp, struct emu_group *group)
{
    if (warp->block->worker->run->machine->options.adversarial) {
        warp->group = group;
        return;
    }
    for (uint32_t i = 0; i < warp->group_count;) {
        struct emu_group *other = &warp->groups[i];
        if (other != group && other->state == EMU_GROUP_RUN && !other->resumed && !group->resumed &&
            other->pc == group->pc && other->frame == group->frame) {
            group->mask |= other->mask;
            bool moved = group == &warp->groups[warp->group_count - 1];
            emu_group_remove(warp, other);
            if (moved)
                group = other;
            warp->group = group;
        } else {
            i++;
        }
    }
    warp->group = group;
}

/* Chooses the group to run; NULL when all wait. */
static struct emu_group *pick_group(struct emu_warp *warp)
{
    struct emu_group *best = NULL, *oldest = NULL;
    uint32_t runnable = 0;
    /* Apart: the highest lane runs as far as it can, then the next. */
    bool adversarial = warp->block->worker->run->machine->options.adversarial;
    for (uint32_t i = 0; i < warp->group_count; i++) {
        struct emu_group *group = &warp->groups[i];
        if (group->state != EMU_GROUP_RUN)
            continue;
        runnable++;
        if (best == NULL || (adversarial ? group->mask > best->mask : group_before(group, best)))
            best = group;
        if (oldest == NULL || group->last_run < oldest->last_run)
            oldest = group;
    }
    warp->runnable = runnable;
    if (runnable > 1) {
        if (warp->steps - oldest->last_run > STARVED)
            best = oldest;
        merge_into(warp, best);
        return warp->group;
    }
    if (best == NULL) {
        /* Lanes that wait for others of their warp which cannot come: go on without them; the gate reports it. */
        for (uint32_t i = 0; i < warp->group_count; i++) {
            struct emu_group *group = &warp->groups[i];
            if (group->state == EMU_GROUP_SYNC && (best == NULL || group_before(group, best)))
                best = group;
        }
        if (best != NULL) {
            best->state = EMU_GROUP_RUN;
            best->forced = true;
        }
    }
    return best;
}

/* ---- execution ------------------------------------------------------------------------------------ */

/* Counts one issue of an operation by a group; `mask`: lanes where the guard holds. */
static inline void count_issue(struct emu_warp *warp, struct emu_count *counts, const struct emu_op *op, uint32_t active, uint32_t mask)
{
    struct emu_count *count = &counts[op->instruction];
    uint64_t threads = active == EMU_FULL_MASK ? EMU_LANES : (uint64_t)__builtin_popcount(active);
    uint64_t on = mask == active ? threads : (uint64_t)__builtin_popcount(mask);
    count->issued++;
    count->threads += threads;
    count->on += on;
    warp->count.issued++;
    warp->count.threads += threads;
    warp->count.on += on;
    if (op->guard == EMU_REF_NONE)
        return;
    bool is_split = mask != 0 && mask != active;
    count->split += is_split;
    count->off += mask == 0;
    warp->count.divided += is_split && op->source->op == PTX_OP_bra;
}

/* Runs the warp's current group until it stops or its slice ends.  Compiled twice: counting costs nothing where nobody counts. */
static inline __attribute__((always_inline)) void run_group(struct emu_warp *warp, const bool counting)
{
    struct emu_group *group = warp->group;
    struct emu_frame *frame = group->frame;
    const struct emu_op *code = frame->function->code;
    uint32_t pc = group->pc;
    uint64_t steps = warp->steps, threads = 0;
    struct emu_count *counts = counting ? emu_count_of(warp->block->worker, frame->function) : NULL;
    warp->frame = frame;
    warp->view.bases[0] = frame->registers;
    for (;;) {
        const struct emu_op *op = &code[pc];
        uint32_t mask = group->mask;
        warp->view.active = mask;
        if (op->guard != EMU_REF_NONE) {
            uint32_t predicate;
            memcpy(&predicate, frame->registers + op->guard, sizeof predicate);
            mask &= predicate ^ op->guard_flip;
            if (frame->has_poison)
                emu_poison_guard(warp, op, group->mask);
        }
        steps += op->kind <= EMU_KIND_CORE;
        if (counting && op->kind <= EMU_KIND_CORE && !group->resumed)
            count_issue(warp, counts, op, group->mask, mask);
        if (mask != 0) {
            if (op->kind <= EMU_KIND_CORE)
                threads += mask == EMU_FULL_MASK ? EMU_LANES : (uint64_t)__builtin_popcount(mask);
            warp->pc = pc;
            if (frame->has_poison)
                emu_poison_step(warp, op, mask);
            if (frame->has_taint)
                emu_wrap_step(warp, op, mask);
            enum emu_next next = op->run(warp, op, mask);
            if (next != EMU_NEXT) {
                warp->steps = steps;
                if (next != EMU_JUMP)
                    break;
                group = warp->group;
                pc = warp->pc;
                if (group->frame != frame) {
                    frame = group->frame;
                    code = frame->function->code;
                    warp->frame = frame;
                    warp->view.bases[0] = frame->registers;
                    if (counting)
                        counts = emu_count_of(warp->block->worker, frame->function);
                }
                if (steps > warp->slice_end) {
                    group->pc = pc;
                    break;
                }
                continue;
            }
            group = warp->group; /* a gate may have joined groups */
        }
        pc++;
    }
    warp->block->worker->thread_instructions += threads;
}

bool emu_warp_step(struct emu_warp *warp, uint32_t number)
{
    struct emu_group *group = &warp->groups[number];
    uint32_t groups = warp->group_count;
    warp->group = group;
    warp->frame = group->frame;
    warp->view.bases[0] = group->frame->registers;
    warp->view.active = group->mask;
    warp->pc = group->pc;
    const struct emu_op *op = &group->frame->function->code[group->pc];
    uint32_t mask = group->mask;
    if (op->guard != EMU_REF_NONE) {
        uint32_t predicate;
        memcpy(&predicate, group->frame->registers + op->guard, sizeof predicate);
        mask &= predicate ^ op->guard_flip;
    }
    enum emu_next next = mask == 0 ? EMU_NEXT : op->run(warp, op, mask);
    if (next == EMU_NEXT)
        group->pc++;
    else if (next == EMU_JUMP)
        group->pc = warp->pc;
    return warp->group_count == groups && warp->group == group;
}

/* Runs a warp until all its groups wait or it has had its turn. */
static void run_warp(struct emu_warp *warp)
{
    uint64_t start = warp->steps, turn_end = start + WARP_SLICE;
    struct emu_block *block = warp->block;
    while (warp->group_count != 0 && block->state == EMU_BLOCK_RUNNING) {
        struct emu_group *group = pick_group(warp);
        if (group == NULL)
            break;
        warp->group = group;
        warp->slice_end = warp->steps + (warp->runnable > 1 ? GROUP_SLICE : WARP_SLICE);
        if (block->worker->tally == NULL)
            run_group(warp, false);
        else
            run_group(warp, true);
        if (warp->group_count != 0)
            warp->group->last_run = warp->steps;
        if (warp->steps > turn_end)
            break;
    }
    block->steps += warp->steps - start;
    block->worker->warp_instructions += warp->steps - start;
}

static bool warp_can_run(const struct emu_warp *warp)
{
    for (uint32_t i = 0; i < warp->group_count; i++)
        if (warp->groups[i].state != EMU_GROUP_BARRIER)
            return true;
    return false;
}

void emu_block_run(struct emu_block *block, uint64_t budget)
{
    const struct emu_run *run = block->worker->run;
    uint64_t start = block->steps;
    while (block->state == EMU_BLOCK_RUNNING) {
        bool progress = false, done = true;
        for (uint32_t w = 0; w < block->warp_count && block->state == EMU_BLOCK_RUNNING; w++) {
            struct emu_warp *warp = &block->warps[w];
            if (warp->group_count == 0)
                continue;
            done = false;
            if (warp_can_run(warp)) {
                run_warp(warp);
                progress = true;
            }
        }
        if (block->state != EMU_BLOCK_RUNNING)
            return;
        if (done) {
            block->state = EMU_BLOCK_DONE;
            return;
        }
        if (!progress) {
            emu_barrier_stuck(block);
            return;
        }
        if (block->steps > run->machine->options.max_steps) {
            emu_step_limit(block);
            return;
        }
        if (block->steps - start > budget || __atomic_load_n(&run->stop, __ATOMIC_RELAXED) != 0)
            return;
    }
}

/* ---- starting a block ------------------------------------------------------------------------------ */

static void start_shared(struct emu_block *block)
{
    const struct emu_run *run = block->worker->run;
    const struct emu_program *program = run->program;
    if (block->shared == NULL) {
        block->shared = ARENA_ARRAY(&block->worker->arena, struct emu_region, program->shared.count + 1);
        block->shared_data = arena_alloc(&block->worker->arena, run->shared_size + 64);
        block->shared_shadow = arena_alloc(&block->worker->arena, run->shared_size + 64);
        for (uint32_t i = 0; i < program->shared.count; i++) {
            const struct emu_shared *shared = &program->shared.data[i];
            const struct ptx_variable *variable = &program->module->variables.data[shared->variable];
            block->shared[i] = (struct emu_region){
                .base = EMU_WINDOW_SHARED + emu_shared_address(shared),
                .size = run->shared_offsets[i] == UINT32_MAX ? 0
                        : shared->dynamic                    ? run->launch->dynamic_shared
                                                             : shared->size,
                .data = run->shared_offsets[i] == UINT32_MAX ? NULL : block->shared_data + run->shared_offsets[i],
                .shadow = run->shared_offsets[i] == UINT32_MAX ? NULL : block->shared_shadow + run->shared_offsets[i],
                .name = program->shown[shared->variable],
                .element_size = ptx_type_size(variable->type),
                .number = 0x40000000u + shared->variable,
                .kind = EMU_REGION_SHARED};
            if (run->races && block->shared[i].size != 0) {
                block->shared[i].cells_size = (block->shared[i].size / 4 + 2) * sizeof(struct emu_cell);
                block->shared[i].cells = arena_alloc(&block->worker->arena, block->shared[i].cells_size);
            }
        }
    }
    memset(block->shared_data, 0, run->shared_size);
    memset(block->shared_shadow, 0, run->shared_size);
    for (uint32_t i = 0; i < program->shared.count; i++)
        if (block->shared[i].cells != NULL)
            memset(block->shared[i].cells, 0, block->shared[i].cells_size);
}

void emu_block_start(struct emu_block *block, uint64_t number)
{
    const struct emu_run *run = block->worker->run;
    const struct emu_launch *launch = run->launch;
    block->number = number;
    block->at[0] = (uint32_t)(number % launch->grid[0]);
    block->at[1] = (uint32_t)(number / launch->grid[0] % launch->grid[1]);
    block->at[2] = (uint32_t)(number / launch->grid[0] / launch->grid[1]);
    block->thread_count = block->live_threads = run->threads;
    block->steps = 0;
    block->turns = 0;
    block->state = EMU_BLOCK_RUNNING;
    memset(block->barriers, 0, sizeof block->barriers);
    buffer_init(&block->print, &block->worker->arena);
    if (block->warps == NULL) {
        block->warp_count = run->warps;
        block->warps = ARENA_ARRAY(&block->worker->arena, struct emu_warp, run->warps);
    }
    start_shared(block);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        uint32_t threads = run->threads - w * EMU_LANES;
        warp->block = block;
        warp->index = w;
        warp->threads = threads >= EMU_LANES ? EMU_FULL_MASK : (1u << threads) - 1;
        warp->view.present = warp->threads;
        warp->view.bases[1] = run->program->pool_aligned;
        warp->steps = 0;
        emu_copy_start(warp);
        if (warp->segment_count == 0) {
            warp->segment_capacity = 16;
            warp->segments = ARENA_ARRAY(&block->worker->arena, struct emu_region *, 16);
        }
        warp->segment_count = 1; /* segment 0 stays free: address 0 is no variable */
        warp->group_count = 1;
        struct emu_frame *frame = emu_frame_push(warp, run->function, NULL);
        frame->users = (uint32_t)__builtin_popcount(warp->threads);
        warp->groups[0] = (struct emu_group){.mask = warp->threads, .frame = frame};
        warp->group = &warp->groups[0];
        if (run->machine->options.adversarial)
            emu_group_scatter(warp, warp->group, 0);
    }
    emu_order_block_start(block);
    emu_count_block_start(block);
}
