/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting: what each instruction was seen to do, warp by warp, and what its accesses cost in sectors and passes.
 *
 * Every worker has counters of its own; they are added up at the end, so the sums are the same for every number of workers.  run_group
 * (emu_warp.c) counts issues; here are accesses, warps and blocks.
 *
 * Sectors are 32 bytes; local memory lies as the hardware lays it out, 4 bytes of each lane side by side.  Shared memory has 32 banks of 4
 * bytes; an access of 8 bytes is served for 16 lanes at a time, one of 16 bytes for 8.  Atomic operations on one word wait for each other.
 *
 * Limits: a wmma fragment is counted as one access for each of its registers, in the layout of matrix.h.
 */
#include "emu/emu_core.h"

enum { SECTOR = 32, BANKS = 32, WORD = 4, MAX_SECTORS = EMU_LANES * 3 };

/* ---- sectors ---------------------------------------------------------------------------------------------- */

struct sectors {
    uint64_t number[MAX_SECTORS];
    uint32_t bytes[MAX_SECTORS]; /* a bit for each byte asked for */
    uint32_t count;
};

static void add_bytes(struct sectors *sectors, uint64_t address, uint32_t size)
{
    while (size != 0) {
        uint64_t number = address / SECTOR;
        uint32_t from = (uint32_t)(address % SECTOR), part = SECTOR - from < size ? SECTOR - from : size;
        uint32_t bits = (part == SECTOR ? UINT32_MAX : (1u << part) - 1) << from;
        uint32_t i = sectors->count;
        while (i != 0 && sectors->number[i - 1] != number)
            i--;
        if (i == 0) {
            if (sectors->count == MAX_SECTORS)
                return;
            sectors->number[sectors->count] = number;
            sectors->bytes[sectors->count++] = bits;
        } else {
            sectors->bytes[i - 1] |= bits;
        }
        address += part;
        size -= part;
    }
}

/* All lanes side by side, or all at one place: the common cases.  False: neither. */
static bool count_even(struct emu_count *count, uint32_t mask, const uint64_t *addresses, uint32_t size)
{
    uint64_t first = addresses[0], apart = 0, away = 0;
    if (mask != EMU_FULL_MASK)
        return false;
    for (uint64_t lane = 0; lane < EMU_LANES; lane++) {
        apart |= addresses[lane] ^ (first + lane * size);
        away |= addresses[lane] ^ first;
    }
    if (apart != 0 && away != 0)
        return false;
    uint64_t bytes = away == 0 ? size : (uint64_t)EMU_LANES * size;
    count->sectors += (first + bytes - 1) / SECTOR - first / SECTOR + 1;
    count->sectors_least += (bytes + SECTOR - 1) / SECTOR;
    count->sector_bytes += bytes;
    return true;
}

static void count_sectors(struct emu_count *count, uint32_t mask, const uint64_t *addresses, uint32_t size, bool is_local)
{
    struct sectors sectors;
    uint64_t bytes = 0;
    if (!is_local && count_even(count, mask, addresses, size))
        return;
    sectors.count = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (!is_local) {
            add_bytes(&sectors, addresses[lane], size);
            continue;
        }
        for (uint32_t at = 0; at < size; at += WORD) {
            uint64_t address = addresses[lane] + at;
            add_bytes(&sectors, address / WORD * WORD * EMU_LANES + lane * WORD + address % WORD, size - at < WORD ? size - at : WORD);
        }
    }
    for (uint32_t i = 0; i < sectors.count; i++)
        bytes += (uint64_t)__builtin_popcount(sectors.bytes[i]);
    count->sectors += sectors.count;
    count->sectors_least += (bytes + SECTOR - 1) / SECTOR;
    count->sector_bytes += bytes;
}

/* ---- banks --------------------------------------------------------------------------------------------------- */

/* Passes for the lanes of `mask`, all served together: the bank with most different words (atomics: most lanes). */
static uint32_t passes_of(uint32_t mask, const uint64_t *addresses, uint32_t size, bool is_atomic)
{
    uint64_t words[BANKS][EMU_LANES];
    uint32_t used[BANKS] = {0}, most = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint64_t first = addresses[__builtin_ctz(rest)] / WORD, last = (addresses[__builtin_ctz(rest)] + size - 1) / WORD;
        for (uint64_t word = first; word <= last; word++) {
            uint32_t bank = (uint32_t)(word % BANKS), i = 0;
            while (!is_atomic && i < used[bank] && words[bank][i] != word)
                i++;
            if (is_atomic)
                i = used[bank];
            if (i == used[bank] && i < EMU_LANES)
                words[bank][used[bank]++] = word;
            most = used[bank] > most ? used[bank] : most;
        }
    }
    return most;
}

static void count_passes(struct emu_count *count, uint32_t mask, const uint64_t *addresses, uint32_t size, bool is_atomic)
{
    uint32_t lanes = size <= WORD ? EMU_LANES : size <= 2 * WORD ? EMU_LANES / 2 : EMU_LANES / 4;
    for (uint32_t first = 0; first < EMU_LANES; first += lanes) {
        uint32_t part = mask & (lanes == EMU_LANES ? EMU_FULL_MASK : ((1u << lanes) - 1) << first);
        if (part == 0)
            continue;
        uint32_t passes = passes_of(part, addresses, size, is_atomic);
        count->passes += passes;
        count->conflicts += passes - 1;
        if (is_atomic)
            count->same_word += passes - passes_of(part, addresses, size, false);
    }
}

void emu_count_access(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const uint64_t *addresses, uint32_t size, bool is_new)
{
    struct emu_count *count = &emu_count_of(warp->block->worker, warp->frame->function)[op->instruction];
    const struct ptx_op_info *info = ptx_op_info(op->source->op);
    if (mask == 0)
        return;
    count->requests += is_new;
    count->bytes += (mask == EMU_FULL_MASK ? EMU_LANES : (uint64_t)__builtin_popcount(mask)) * size;
    uint64_t window = addresses[__builtin_ctz(mask)] & ((uint64_t)0xff << 56);
    if (window == EMU_WINDOW_SHARED) {
        count_passes(count, mask, addresses, size, (info->flags & PTX_FLAG_ATOMIC) != 0);
        return;
    }
    if (window == EMU_WINDOW_PARAM || op->source->space == PTX_SPACE_CONST)
        return;
    count_sectors(count, mask, addresses, size, window == EMU_WINDOW_LOCAL);
    if (window == 0)
        warp->count.working |= mask;
}

/* ---- issues ------------------------------------------------------------------------------------------------------ */

struct emu_count *emu_count_of(struct emu_worker *worker, const struct emu_function *function)
{
    struct emu_count **counts = &worker->tally->functions[function->index];
    if (*counts == NULL)
        *counts = ARENA_ARRAY(&worker->arena, struct emu_count, function->source->instructions.count + 1);
    return *counts;
}

void emu_count_again(struct emu_warp *warp, const struct emu_op *op, uint32_t others)
{
    struct emu_worker *worker = warp->block->worker;
    uint64_t lanes = (uint64_t)__builtin_popcount(others);
    bool is_first = !warp->group->again;
    emu_group_split(warp, warp->group, others, warp->pc)->again = true;
    warp->group->again = false;
    worker->warp_instructions--;
    worker->thread_instructions -= lanes;
    if (worker->tally == NULL)
        return;
    struct emu_count *count = &emu_count_of(worker, warp->frame->function)[op->instruction];
    count->issued--;
    count->threads -= lanes;
    count->on -= lanes;
    count->split += is_first;
    warp->count.issued--;
    warp->count.threads -= lanes;
    warp->count.on -= lanes;
    warp->count.divided += is_first;
}

/* ---- warps and blocks ---------------------------------------------------------------------------------------------- */

void emu_count_block_start(struct emu_block *block)
{
    if (block->worker->tally == NULL)
        return;
    for (uint32_t w = 0; w < block->warp_count; w++)
        block->warps[w].count = (struct emu_warp_count){.block = block->number, .warp = w, .present = block->warps[w].threads};
}

/* Lanes of a warp whose thread is inside the domain. */
static uint32_t lanes_inside(const struct emu_block *block, uint32_t warp, const uint64_t *domain)
{
    const struct emu_run *run = block->worker->run;
    uint32_t inside = block->warps[warp].threads;
    for (uint32_t rest = inside; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (int axis = 0; axis < 3; axis++)
            if ((uint64_t)block->at[axis] * run->launch->block[axis] + run->tids[warp][axis][lane] >= domain[axis])
                inside &= ~(1u << lane);
    }
    return inside;
}

static void keep_warps(const struct emu_block *block, struct emu_warp_count *to)
{
    for (uint32_t w = 0; w < block->warp_count; w++)
        to[w] = block->warps[w].count;
}

void emu_count_block_end(struct emu_block *block)
{
    struct emu_worker *worker = block->worker;
    struct emu_tally *tally = worker->tally;
    uint64_t issued = 0;
    if (tally == NULL)
        return;
    const struct emu_counting *counting = worker->run->launch->counting;
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp_count *count = &block->warps[w].count;
        if (counting->has_domain)
            count->working = lanes_inside(block, w, counting->domain);
        issued += count->issued;
        tally->sums.threads_working += (uint64_t)__builtin_popcount(count->working);
        tally->sums.warps_working += count->working != 0;
        tally->sums.warps_idle += count->working == 0;
        tally->sums.idle_issued += count->working == 0 ? count->issued : 0;
    }
    for (uint32_t i = 0; i < counting->block_count; i++)
        if (counting->blocks[i] == block->number) {
            keep_warps(block, &tally->wanted[(size_t)i * block->warp_count]);
            tally->has_wanted[i] = true;
        }
    if (!tally->sums.has_busiest || issued > tally->busiest_issued ||
        (issued == tally->busiest_issued && block->number < tally->busiest_block)) {
        tally->sums.has_busiest = true;
        tally->busiest_issued = issued;
        tally->busiest_block = block->number;
        keep_warps(block, tally->busiest);
    }
}

/* ---- a launch ---------------------------------------------------------------------------------------------------------- */

void emu_count_begin(struct emu_run *run, struct arena *arena)
{
    const struct emu_counting *counting = run->launch->counting;
    for (uint32_t w = 0; counting != NULL && w < run->worker_count; w++) {
        struct emu_tally *tally = run->workers[w].tally = ARENA_NEW(arena, struct emu_tally);
        tally->functions = ARENA_ARRAY(arena, struct emu_count *, run->program->module->functions.count + 1);
        tally->wanted = ARENA_ARRAY(arena, struct emu_warp_count, (size_t)counting->block_count * run->warps + 1);
        tally->has_wanted = ARENA_ARRAY(arena, bool, counting->block_count + 1);
        tally->busiest = ARENA_ARRAY(arena, struct emu_warp_count, run->warps);
    }
}

static void add_counts(struct emu_count *to, const struct emu_count *from)
{
    to->issued += from->issued;
    to->threads += from->threads;
    to->on += from->on;
    to->split += from->split;
    to->off += from->off;
    to->requests += from->requests;
    to->bytes += from->bytes;
    to->sectors += from->sectors;
    to->sectors_least += from->sectors_least;
    to->sector_bytes += from->sector_bytes;
    to->passes += from->passes;
    to->conflicts += from->conflicts;
    to->same_word += from->same_word;
}

static void collect_functions(const struct emu_run *run, const struct emu_tally *tally, struct arena *arena, struct emu_count **functions)
{
    const struct ptx_module *module = run->program->module;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        uint32_t size = module->functions.data[f].instructions.count;
        if (tally->functions[f] == NULL)
            continue;
        if (functions[f] == NULL)
            functions[f] = ARENA_ARRAY(arena, struct emu_count, size + 1);
        for (uint32_t i = 0; i < size; i++)
            add_counts(&functions[f][i], &tally->functions[f][i]);
    }
}

void emu_count_collect(struct emu_run *run, struct arena *arena)
{
    struct emu_counting *counting = run->launch->counting;
    uint64_t busiest_issued = 0, busiest_block = 0;
    if (counting == NULL)
        return;
    struct emu_count **functions = ARENA_ARRAY(arena, struct emu_count *, run->program->module->functions.count + 1);
    counting->functions = (const struct emu_count **)(void *)functions;
    counting->warps_per_block = run->warps;
    counting->has_busiest = false;
    counting->warps_working = counting->warps_idle = counting->threads_working = counting->idle_issued = 0;
    counting->warps = ARENA_ARRAY(arena, struct emu_warp_count, ((size_t)counting->block_count + 1) * run->warps);
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const struct emu_tally *tally = run->workers[w].tally;
        if (tally == NULL)
            continue;
        collect_functions(run, tally, arena, functions);
        counting->warps_working += tally->sums.warps_working;
        counting->warps_idle += tally->sums.warps_idle;
        counting->threads_working += tally->sums.threads_working;
        counting->idle_issued += tally->sums.idle_issued;
        for (uint32_t i = 0; i < counting->block_count; i++)
            if (tally->has_wanted[i])
                memcpy(&counting->warps[(size_t)i * run->warps], &tally->wanted[(size_t)i * run->warps], run->warps * sizeof *counting->warps);
        if (!tally->sums.has_busiest || (counting->has_busiest && (tally->busiest_issued < busiest_issued ||
                                                                  (tally->busiest_issued == busiest_issued && tally->busiest_block > busiest_block))))
            continue;
        counting->has_busiest = true;
        busiest_issued = tally->busiest_issued;
        busiest_block = tally->busiest_block;
        memcpy(&counting->warps[(size_t)counting->block_count * run->warps], tally->busiest, run->warps * sizeof *counting->warps);
    }
}
