/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens before what: barriers, warp synchronisation, fences with strong operations.  See emu_race.h.
 *
 * Releases and acquires.  A fence followed by a strong write of the same thread releases all that the thread knew at the fence; the
 * release is appended to the log of the address.  A strong read of that address followed by a fence of the same thread, or by a barrier that it
 * takes part in, acquires the log as it stood at the read.  What a block has acquired it passes on with its own later releases.  Logs are kept
 * only in launches that run on one worker: the others have no strong reads (emu_launch.c).
 */
#include "emu/emu_race.h"

#include <stdlib.h>

/* One release: who, and below which clocks its own and its block's accesses are covered. */
struct release {
    uint64_t block;
    uint32_t warp, lane;
    uint32_t own_clock;        /* of the lane itself */
    uint32_t sync_clock;       /* of the other lanes of its warp */
    const uint32_t *barriers;  /* by warp of the block */
    uint32_t knowledge;        /* how much of the block's acquired list it passes on */
};

struct emu_sync {              /* an address used by strong operations */
    VEC(struct release) log;
};

/* A log, up to a length, that somebody has read. */
struct acquired {
    uint32_t sync, length;
    uint32_t warp, lane, clock; /* who, when */
};

struct emu_order_block {
    VEC(struct acquired) acquired;
};

struct emu_order {
    struct text_map addresses;
    VEC(struct emu_sync) syncs;
    struct text_map blocks;
    VEC(struct emu_order_block) knowledge;
};

/* ---- warps and blocks ------------------------------------------------------------------------------------------------ */

void emu_order_block_start(struct emu_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        warp->clock = warp->sync_clock = 1;
        warp->partial_sync = false;
        warp->pending.count = 0;
        memset(warp->fence_clock, 0, sizeof warp->fence_clock);
        block->barrier_clock[w] = 0;
    }
    if (block->known != NULL)
        memset(block->known, 0, sizeof(uint32_t[EMU_MAX_WARPS][EMU_MAX_WARPS]));
    memset(block->barrier_warps, 0, sizeof block->barrier_warps);
    if (block->handed != NULL)
        memset(block->handed, 0, sizeof(uint32_t[EMU_BARRIERS][EMU_MAX_WARPS]));
    block->handed_over = 0;
}

static struct arena *arena_of(struct emu_warp *warp)
{
    return &warp->block->worker->arena;
}

static struct emu_order *order_of_run(struct emu_warp *warp)
{
    struct emu_run *run = warp->block->worker->run;
    if (run->worker_count > 1)
        return NULL;
    if (run->order == NULL) {
        run->order = ARENA_NEW(arena_of(warp), struct emu_order);
        text_map_init(&run->order->addresses, arena_of(warp));
        text_map_init(&run->order->blocks, arena_of(warp));
    }
    return run->order;
}

static struct emu_order_block *block_knowledge(struct emu_warp *warp, struct emu_order *order, uint64_t number, bool create)
{
    uint32_t index = text_map_find(&order->blocks, (const char *)&number, sizeof number);
    if (index == TEXT_MAP_NONE) {
        if (!create)
            return NULL;
        index = order->knowledge.count;
        vec_push(arena_of(warp), &order->knowledge);
        text_map_set(&order->blocks, (const char *)&number, sizeof number, index);
    }
    return &order->knowledge.data[index];
}

/* ---- the question ------------------------------------------------------------------------------------------------------ */

static bool covers(const struct release *release, uint64_t block, uint32_t warp, const struct emu_record *record)
{
    if (release->block != block)
        return false;
    if (release->warp != warp)
        return record->clock < release->barriers[warp];
    return record->clock < (release->lane == record->lane ? release->own_clock : release->sync_clock);
}

/* Logs already searched, and how far. */
struct search {
    struct emu_warp *warp;
    struct emu_order *order;
    uint32_t *searched; /* by sync: length searched */
    uint64_t block;
    uint32_t record_warp;
    const struct emu_record *record;
    uint32_t budget;
};

static bool search_log(struct search *search, uint32_t sync, uint32_t length)
{
    const struct emu_sync *log = &search->order->syncs.data[sync];
    uint32_t from = search->searched[sync];
    if (length <= from)
        return false;
    search->searched[sync] = length;
    for (uint32_t i = length; i-- > from;) {
        if (search->budget == 0)
            return true; /* too much to search: count it as ordered rather than accuse */
        search->budget--;
        if (covers(&log->log.data[i], search->block, search->record_warp, search->record))
            return true;
    }
    for (uint32_t i = length; i-- > from;) {
        const struct release *release = &log->log.data[i];
        if (release->knowledge == 0)
            continue;
        const struct emu_order_block *known = block_knowledge(search->warp, search->order, release->block, false);
        for (uint32_t k = 0; known != NULL && k < release->knowledge && k < known->acquired.count; k++)
            if (search_log(search, known->acquired.data[k].sync, known->acquired.data[k].length))
                return true;
    }
    return false;
}

static bool visible(struct emu_warp *warp, uint32_t lane, const struct acquired *acquired)
{
    const struct emu_block *block = warp->block;
    if (acquired->warp != warp->index)
        return acquired->clock < block->barrier_clock[acquired->warp] ||
               (block->known != NULL && acquired->clock < block->known[warp->index][acquired->warp]);
    return acquired->lane == lane || acquired->clock < warp->sync_clock;
}

static bool released_and_acquired(struct emu_warp *warp, uint32_t lane, uint64_t block, uint32_t record_warp,
                                  const struct emu_record *record)
{
    struct emu_run *run = warp->block->worker->run;
    if (run->order == NULL)
        return false;
    const struct emu_order_block *known = block_knowledge(warp, run->order, warp->block->number, false);
    if (known == NULL || known->acquired.count == 0)
        return false;
    struct search search = {warp, run->order, calloc(run->order->syncs.count + 1, sizeof(uint32_t)), block, record_warp, record, 1u << 20};
    if (search.searched == NULL)
        return true;
    bool found = false;
    for (uint32_t i = known->acquired.count; i-- > 0 && !found;)
        if (visible(warp, lane, &known->acquired.data[i]))
            found = search_log(&search, known->acquired.data[i].sync, known->acquired.data[i].length);
    free(search.searched);
    return found;
}

bool emu_order_before(struct emu_warp *warp, uint32_t lane, const struct emu_record *record, bool global)
{
    struct emu_block *block = warp->block;
    uint32_t index;
    uint64_t owner = emu_record_block(block, record, global, &index);
    if (owner != block->number)
        return released_and_acquired(warp, lane, owner, index, record);
    if (global && record->clock >= (1u << 14) - 1)
        return true; /* the clock has run out of bits */
    if (index == warp->index) {
        if (warp->partial_sync ? record->clock < warp->lane_known[lane][record->lane] : record->clock < warp->sync_clock)
            return true;
    } else if (record->clock < block->barrier_clock[index] ||
               (block->known != NULL && record->clock < block->known[warp->index][index])) {
        return true;
    }
    return released_and_acquired(warp, lane, block->number, index, record);
}

/* ---- barriers and warp synchronisation --------------------------------------------------------------------------------------- */

static void acquire_pending(struct emu_warp *warp, uint32_t mask)
{
    struct emu_order *order = warp->pending.count != 0 ? order_of_run(warp) : NULL;
    if (order == NULL)
        return;
    struct emu_order_block *known = block_knowledge(warp, order, warp->block->number, true);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < warp->pending.count; i++) {
        struct emu_pending pending = warp->pending.data[i];
        if (mask >> pending.lane & 1)
            *vec_push(arena_of(warp), &known->acquired) =
                (struct acquired){pending.sync, pending.length, warp->index, pending.lane, warp->clock};
        else
            warp->pending.data[kept++] = pending;
    }
    warp->pending.count = kept;
}

/* What was done so far is handed to those who will wait; what comes now is not. */
static void hand_over(struct emu_warp *warp, uint32_t barrier)
{
    struct emu_block *block = warp->block;
    if (block->handed == NULL)
        block->handed = arena_alloc(arena_of(warp), sizeof(uint32_t[EMU_BARRIERS][EMU_MAX_WARPS]));
    uint32_t *handed = block->handed[barrier];
    warp->clock++;
    handed[warp->index] = warp->clock;
    for (uint32_t i = 0; block->known != NULL && i < block->warp_count; i++)
        if (i != warp->index && block->known[warp->index][i] > handed[i])
            handed[i] = block->known[warp->index][i];
    block->handed_over |= 1u << barrier;
}

void emu_order_barrier_arrive(struct emu_warp *warp, uint32_t barrier, bool waits)
{
    acquire_pending(warp, EMU_FULL_MASK);
    if (waits)
        warp->block->barrier_warps[barrier] |= 1u << warp->index;
    else
        hand_over(warp, barrier);
}

static void tick_full(struct emu_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct emu_warp *warp = &block->warps[w];
        warp->clock++;
        warp->sync_clock = warp->clock;
        warp->partial_sync = false;
        block->barrier_clock[w] = warp->clock;
    }
}

void emu_order_barrier_done(struct emu_block *block, uint32_t barrier, bool full)
{
    uint32_t warps = block->barrier_warps[barrier];
    bool is_handed = block->handed_over >> barrier & 1;
    block->barrier_warps[barrier] = 0;
    block->handed_over &= ~(1u << barrier);
    if (full && !is_handed) {
        tick_full(block);
        return;
    }
    struct emu_warp *any = &block->warps[0];
    if (block->known == NULL)
        block->known = arena_alloc(arena_of(any), sizeof(uint32_t[EMU_MAX_WARPS][EMU_MAX_WARPS]));
    uint32_t joined[EMU_MAX_WARPS] = {0};
    if (is_handed) {
        memcpy(joined, block->handed[barrier], sizeof joined);
        memset(block->handed[barrier], 0, sizeof joined);
    }
    for (uint32_t rest = warps; rest != 0; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(rest);
        block->warps[w].clock++;
        for (uint32_t i = 0; i < block->warp_count; i++)
            if (block->known[w][i] > joined[i])
                joined[i] = block->known[w][i];
        joined[w] = block->warps[w].clock;
    }
    for (uint32_t rest = warps; rest != 0; rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(rest);
        memcpy(block->known[w], joined, sizeof joined);
        block->warps[w].sync_clock = block->warps[w].clock;
        block->warps[w].partial_sync = false;
    }
}

void emu_order_warp_sync(struct emu_warp *warp, uint32_t mask)
{
    acquire_pending(warp, mask);
    if ((warp->view.present & ~mask) == 0) {
        warp->clock++;
        warp->sync_clock = warp->clock;
        warp->partial_sync = false;
        return;
    }
    if (warp->lane_known == NULL)
        warp->lane_known = arena_alloc(arena_of(warp), sizeof(uint32_t[EMU_LANES][EMU_LANES]));
    if (!warp->partial_sync) {
        warp->partial_sync = true;
        for (unsigned i = 0; i < EMU_LANES; i++)
            for (unsigned j = 0; j < EMU_LANES; j++)
                warp->lane_known[i][j] = warp->sync_clock;
    }
    uint32_t joined[EMU_LANES] = {0};
    warp->clock++;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const uint32_t *row = warp->lane_known[__builtin_ctz(rest)];
        for (unsigned j = 0; j < EMU_LANES; j++)
            if (row[j] > joined[j])
                joined[j] = row[j];
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        joined[__builtin_ctz(rest)] = warp->clock;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        memcpy(warp->lane_known[__builtin_ctz(rest)], joined, sizeof joined);
}

/* ---- fences and strong operations ---------------------------------------------------------------------------------------------- */

void emu_order_fence(struct emu_warp *warp, uint32_t mask, enum ptx_scope scope)
{
    acquire_pending(warp, mask);
    warp->clock++;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        warp->fence_clock[__builtin_ctz(rest)] = warp->clock;
        warp->fence_scope[__builtin_ctz(rest)] = (uint8_t)scope;
    }
}

static uint32_t sync_find(struct emu_warp *warp, struct emu_order *order, uint64_t address)
{
    struct {
        uint64_t address, block;
    } key = {address, address >> 56 == 0 ? UINT64_MAX : warp->block->number};
    uint32_t index = text_map_find(&order->addresses, (const char *)&key, sizeof key);
    if (index == TEXT_MAP_NONE) {
        index = order->syncs.count;
        vec_push(arena_of(warp), &order->syncs);
        text_map_set(&order->addresses, (const char *)&key, sizeof key, index);
    }
    return index;
}

static void add_release(struct emu_warp *warp, struct emu_order *order, uint32_t sync, uint32_t lane)
{
    struct emu_block *block = warp->block;
    const struct emu_order_block *known = block_knowledge(warp, order, block->number, false);
    struct emu_sync *log = &order->syncs.data[sync];
    /* A thread that releases again without anything new adds nothing. */
    if (log->log.count != 0) {
        const struct release *last = &log->log.data[log->log.count - 1];
        if (last->block == block->number && last->warp == warp->index && last->lane == lane && last->own_clock == warp->fence_clock[lane] &&
            last->knowledge == (known == NULL ? 0 : known->acquired.count))
            return;
    }
    struct release release = {.block = block->number,
                              .warp = warp->index,
                              .lane = lane,
                              .own_clock = warp->fence_clock[lane],
                              .sync_clock = warp->sync_clock,
                              .barriers = arena_copy(arena_of(warp), block->barrier_clock, block->warp_count * sizeof(uint32_t)),
                              .knowledge = known == NULL ? 0 : known->acquired.count};
    *vec_push(arena_of(warp), &log->log) = release;
}

static void add_pending(struct emu_warp *warp, struct emu_order *order, uint32_t sync, uint32_t lane)
{
    uint32_t length = order->syncs.data[sync].log.count;
    for (uint32_t i = 0; i < warp->pending.count; i++)
        if (warp->pending.data[i].sync == sync && warp->pending.data[i].lane == lane) {
            warp->pending.data[i].length = length;
            return;
        }
    *vec_push(arena_of(warp), &warp->pending) = (struct emu_pending){sync, length, lane};
}

void emu_order_strong(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, uint64_t address, bool reads, bool writes)
{
    struct emu_order *order = order_of_run(warp);
    if (order == NULL)
        return;
    enum ptx_semantics semantics = op->source->semantics;
    uint32_t sync = sync_find(warp, order, address);
    if (writes && (semantics == PTX_RELEASE || semantics == PTX_ACQ_REL))
        emu_order_fence(warp, 1u << lane, PTX_SCOPE_GPU);
    /* A read sees what was released before; an update also carries on the releases before it, which stay in the log. */
    if (reads)
        add_pending(warp, order, sync, lane);
    if (reads && (semantics == PTX_ACQUIRE || semantics == PTX_ACQ_REL))
        acquire_pending(warp, 1u << lane);
    bool wide_enough = warp->fence_scope[lane] != PTX_SCOPE_CTA || address >> 56 != 0;
    if (writes && warp->fence_clock[lane] != 0 && wide_enough)
        add_release(warp, order, sync, lane);
}
