/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches: blocks are dealt to workers, run, and their findings joined.
 *
 * A worker runs one block to its end before it takes the next, unless the block spins: after BUDGET warp instructions others start beside it,
 * as many as an sm_80 would hold, so that a block may wait for another one.  Launches whose results may depend on the order of
 * blocks (used atomics, floating-point atomics, acquire loads) run on one worker, block by block: the outcome is the same every time.
 */
#include "emu/emu_core.h"

#include <stdlib.h>
#include <time.h>

enum {
    BUDGET = 1 << 21,
    SM_COUNT = 108, SM_THREADS = 2048, SM_BLOCKS = 32
};

/* ---- workers --------------------------------------------------------------------------------------------- */

static struct emu_block *take_block(struct emu_worker *worker)
{
    struct emu_run *run = worker->run;
    uint64_t index = __atomic_fetch_add(&run->next_block, 1, __ATOMIC_RELAXED);
    if (index >= run->block_total)
        return NULL;
    struct emu_block *block = worker->free_blocks;
    if (block != NULL)
        worker->free_blocks = block->next;
    else
        block = ARENA_NEW(&worker->arena, struct emu_block);
    block->worker = worker;
    emu_block_start(block, run->launch->focus != NULL ? run->launch->focus[index] : index);
    return block;
}

static void release_frames(struct emu_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        for (uint32_t i = 0; i < warp->group_count; i++)
            for (struct emu_frame *frame = warp->groups[i].frame, *caller; frame != NULL; frame = caller) {
                caller = frame->caller;
                emu_frame_leave(warp, frame, warp->groups[i].mask);
            }
        warp->group_count = 0;
    }
}

static void finish_block(struct emu_worker *worker, struct emu_block *block)
{
    if (block->print.size != 0)
        *vec_push(&worker->arena, &worker->prints) =
            (struct emu_print){block->number, block->print.data, block->print.size};
    release_frames(block);
    emu_count_block_end(block);
    worker->blocks_run++;
    block->next = worker->free_blocks;
    worker->free_blocks = block;
}

/* Every block here has had two turns without an end, none can start, and no other worker runs. */
static bool all_have_waited(const struct emu_worker *worker, bool more)
{
    const struct emu_run *run = worker->run;
    if ((more && worker->resident.count < run->resident_limit) || __atomic_load_n(&run->active, __ATOMIC_ACQUIRE) > 1)
        return false;
    for (uint32_t i = 0; i < worker->resident.count; i++)
        if (worker->resident.data[i]->turns < 2)
            return false;
    return true;
}

static void work(struct emu_worker *worker)
{
    struct emu_run *run = worker->run;
    uint32_t cursor = 0;
    bool more = true;
    while (__atomic_load_n(&run->stop, __ATOMIC_RELAXED) == 0) {
        /* A new block when there is none, or when all that are here have had a turn without ending. */
        if (more && cursor >= worker->resident.count && worker->resident.count < run->resident_limit) {
            struct emu_block *block = take_block(worker);
            if (block == NULL)
                more = false;
            else
                *vec_push(&worker->arena, &worker->resident) = block;
        }
        if (worker->resident.count == 0)
            break;
        if (cursor >= worker->resident.count)
            cursor = 0;
        struct emu_block *block = worker->resident.data[cursor];
        emu_block_run(block, BUDGET);
        if (block->state == EMU_BLOCK_RUNNING) {
            block->turns++;
            cursor++;
            if (cursor == worker->resident.count && all_have_waited(worker, more))
                emu_endless_probe(worker);
            continue;
        }
        finish_block(worker, block);
        worker->resident.count--;
        for (uint32_t i = cursor; i < worker->resident.count; i++)
            worker->resident.data[i] = worker->resident.data[i + 1];
    }
}

static void *worker_main(void *context)
{
    struct emu_worker *worker = context;
    worker->arena.handler = &worker->out_of_memory;
    if (setjmp(worker->out_of_memory) == 0) {
        text_map_init(&worker->fault_index, &worker->arena);
        work(worker);
    } else {
        worker->status = EMU_MEMORY_LIMIT;
        worker->stopped = "out of memory";
        __atomic_store_n(&worker->run->stop, 1, __ATOMIC_RELAXED);
    }
    __atomic_fetch_sub(&worker->run->active, 1, __ATOMIC_ACQ_REL);
    return NULL;
}

/* ---- preparing ------------------------------------------------------------------------------------------- */

/* Decodes what the kernel needs; marks shared variables that it or its callees name. */
static bool prepare_code(struct emu_run *run, struct arena *arena)
{
    struct emu_program *program = run->program;
    jmp_buf out_of_memory;
    program->arena.handler = &out_of_memory;
    volatile bool ok = false;
    if (setjmp(out_of_memory) == 0)
        ok = emu_decode_function(program, run->launch->function);
    program->arena.handler = NULL;
    if (!ok)
        return false;
    run->function = &program->functions[run->launch->function];
    free(program->pool_aligned);
    size_t size = ((size_t)program->pool.count + 127) & ~(size_t)63;
    program->pool_aligned = aligned_alloc(64, size);
    if (program->pool_aligned == NULL)
        return false;
    if (program->pool.count != 0)
        memcpy(program->pool_aligned, program->pool.data, program->pool.count);
    struct bitset seen;
    uint32_t functions = program->module->functions.count;
    bitset_init(&seen, arena, functions + 1);
    run->shared_offsets = ARENA_ARRAY(arena, uint32_t, program->shared.count + 1);
    memset(run->shared_offsets, 0xff, program->shared.count * sizeof *run->shared_offsets);
    VEC(uint32_t) pending = {0};
    *vec_push(arena, &pending) = run->launch->function;
    while (pending.count != 0) {
        uint32_t index = pending.data[--pending.count];
        if (bitset_has(&seen, index))
            continue;
        bitset_add(&seen, index);
        const struct emu_function *function = &program->functions[index];
        run->ordered |= function->order_dependent;
        for (uint32_t i = 0; i < function->shared.count; i++)
            run->shared_offsets[function->shared.data[i]] = 0;
        for (uint32_t i = 0; i < function->callees.count; i++)
            *vec_push(arena, &pending) = function->callees.data[i];
        for (uint32_t i = 0; function->indirect_calls && i < functions; i++)
            if (program->functions[i].decoded && !program->module->functions.data[i].is_entry)
                *vec_push(arena, &pending) = i;
    }
    return true;
}

static void number_threads(struct emu_run *run, struct arena *arena)
{
    const uint32_t *block = run->launch->block;
    run->tids = arena_alloc_array(arena, run->warps, sizeof *run->tids);
    for (uint32_t thread = 0; thread < run->warps * EMU_LANES; thread++) {
        uint32_t warp = thread / EMU_LANES, lane = thread % EMU_LANES;
        run->tids[warp][0][lane] = thread % block[0];
        run->tids[warp][1][lane] = thread / block[0] % block[1];
        run->tids[warp][2][lane] = thread / block[0] / block[1];
    }
}

static void place_shared(struct emu_run *run)
{
    const struct emu_program *program = run->program;
    uint64_t at = 0;
    for (uint32_t i = 0; i < program->shared.count; i++) {
        const struct emu_shared *shared = &program->shared.data[i];
        if (run->shared_offsets[i] == UINT32_MAX)
            continue;
        run->shared_offsets[i] = (uint32_t)at;
        at += shared->dynamic ? run->launch->dynamic_shared : shared->size;
        at = (at + 63) & ~(uint64_t)63;
    }
    run->shared_size = (uint32_t)at;
}

static uint32_t resident_limit(const struct emu_run *run)
{
    uint32_t by_threads = SM_THREADS / (run->warps * EMU_LANES);
    uint32_t on_sm = by_threads < 1 ? 1 : by_threads > SM_BLOCKS ? SM_BLOCKS : by_threads;
    uint32_t limit = SM_COUNT * on_sm / run->worker_count;
    return limit < 1 ? 1 : limit;
}

/* ---- the end ------------------------------------------------------------------------------------------------ */

static int print_compare(const void *a, const void *b)
{
    const struct emu_print *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

static void flush_prints(struct emu_run *run, struct arena *arena)
{
    FILE *out = run->machine->options.print;
    VEC(struct emu_print) prints = {0};
    for (uint32_t w = 0; w < run->worker_count; w++)
        for (uint32_t i = 0; i < run->workers[w].prints.count; i++)
            *vec_push(arena, &prints) = run->workers[w].prints.data[i];
    if (out == NULL || prints.count == 0)
        return;
    qsort(prints.data, prints.count, sizeof *prints.data, print_compare);
    for (uint32_t i = 0; i < prints.count; i++)
        fwrite(prints.data[i].text, 1, prints.data[i].size, out);
    fflush(out);
}

static void collect(struct emu_run *run, struct arena *arena, struct emu_result *result)
{
    const struct emu_worker *stopped = NULL;
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const struct emu_worker *worker = &run->workers[w];
        result->blocks_run += worker->blocks_run;
        result->warp_instructions += worker->warp_instructions;
        result->thread_instructions += worker->thread_instructions;
        if (worker->status != EMU_OK && (stopped == NULL || worker->stopped_block < stopped->stopped_block))
            stopped = worker;
    }
    if (stopped != NULL) {
        result->status = stopped->status;
        result->stopped = arena_string(arena, stopped->stopped);
        result->stopped_at = stopped->stopped_at;
    }
    emu_fault_collect(run, arena, result);
    emu_count_collect(run, arena);
    flush_prints(run, arena);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run_workers(struct emu_run *run)
{
    uint32_t started = 0;
    run->active = run->worker_count;
    for (uint32_t w = 1; w < run->worker_count; w++, started++)
        if (pthread_create(&run->workers[w].thread, NULL, worker_main, &run->workers[w]) != 0)
            break; /* fewer hands do the same work */
    __atomic_fetch_sub(&run->active, run->worker_count - 1 - started, __ATOMIC_ACQ_REL);
    worker_main(&run->workers[0]);
    for (uint32_t w = 1; w <= started; w++)
        pthread_join(run->workers[w].thread, NULL);
}

static void run_blocks(struct emu_run *run, struct arena *arena)
{
    uint32_t count = run->ordered ? 1 : run->machine->options.jobs;
    if (count > run->block_total)
        count = (uint32_t)run->block_total;
    run->workers = ARENA_ARRAY(arena, struct emu_worker, count);
    run->worker_count = count;
    run->resident_limit = resident_limit(run);
    run->order = NULL;
    for (uint32_t w = 0; w < run->worker_count; w++) {
        run->workers[w].run = run;
        arena_init(&run->workers[w].arena);
    }
    emu_count_begin(run, arena);
    run_workers(run);
}

/* Some worker ended the launch early: where the others stood is chance. */
static bool was_stopped(const struct emu_run *run)
{
    for (uint32_t w = 0; w < run->worker_count; w++)
        if (run->workers[w].status != EMU_OK)
            return true;
    return false;
}

static void release_workers(struct emu_run *run)
{
    for (uint32_t w = 0; run->workers != NULL && w < run->worker_count; w++)
        arena_free(&run->workers[w].arena);
    run->workers = NULL;
}

/* Prepares and runs; false when the kernel could not be prepared. */
static bool run_launch(struct emu_run *run, struct arena *arena, struct emu_result *result)
{
    struct emu_machine *machine = run->machine;
    const struct emu_launch *launch = run->launch;
    if (!prepare_code(run, arena))
        return false;
    place_shared(run);
    number_threads(run, arena);
    run->parameters = (struct emu_region){.base = EMU_WINDOW_PARAM,
                                          .size = launch->parameters_size,
                                          .data = arena_copy(arena, launch->parameters, launch->parameters_size),
                                          .name = "parameters",
                                          .element_size = 1,
                                          .number = UINT32_MAX - 1,
                                          .kind = EMU_REGION_PARAM,
                                          .read_only = 1};
    run->races = !machine->options.no_races;
    emu_cells_release(machine);
    emu_quiet_mark(run, arena);
    double start = seconds_now();
    run_blocks(run, arena);
    if (run->worker_count > 1 && (run->restart != 0 || was_stopped(run))) {
        release_workers(run);
        emu_journal_undo(machine);
        emu_cells_release(machine);
        run->ordered = true;
        run->next_block = 0;
        run->stop = run->restart = 0;
        run_blocks(run, arena);
    }
    result->seconds = seconds_now() - start;
    collect(run, arena, result);
    return true;
}

void emu_launch_run(struct emu_machine *machine, struct emu_program *program, const struct emu_launch *launch,
                    struct arena *arena, struct emu_result *result)
{
    memset(result, 0, sizeof *result);
    struct emu_run run = {.machine = machine, .program = program, .launch = launch};
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    run.block_total = launch->focus != NULL ? launch->focus_count : blocks;
    run.threads = launch->block[0] * launch->block[1] * launch->block[2];
    run.warps = (run.threads + EMU_LANES - 1) / EMU_LANES;
    if (run.threads == 0 || run.warps > EMU_MAX_WARPS || blocks == 0) {
        result->status = EMU_BAD_LAUNCH;
        result->stopped = "the launch is empty or over the limits of a device";
        return;
    }
    /* The launch holds memory of its own: a failure of the caller's arena comes here first. */
    jmp_buf *outer = arena->handler, out_of_memory;
    arena->handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0 || !run_launch(&run, arena, result)) {
        memset(result, 0, sizeof *result);
        result->status = EMU_MEMORY_LIMIT;
        result->stopped = "out of memory";
    }
    arena->handler = outer;
    emu_journal_commit(machine);
    release_workers(&run);
    emu_cells_release(machine);
}
