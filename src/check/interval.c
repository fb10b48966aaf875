/* SPDX-License-Identifier: Apache-2.0
 *
 * Intervals between barriers, loops included.
 *
 * Requires: barriers that were proved to be reached by all threads (of a warp: also full bar.warp.sync; of a group: also those that all of
 * it reach).  Gives: each pair of
 * instructions that two threads can be at in one interval, with how far one is ahead of the other in the loops around.
 *
 * All threads make the same visits to the ordering places, so in an interval both have set out from the same visit to the same place, and
 * each has gone on without passing another.  A loop that cannot be gone round without passing one is `aligned`: since the start of the interval
 * a thread is in the trip of the start, or in the next, or has entered the loop anew and is in its first trip or its second.  In all other
 * loops the trips of the two are unrelated, and equal again behind a loop that all leave in the same trip.
 * Gives up on: more than MAX_VISITS ways.
 */
#include "check/interval.h"

#include <string.h>

enum { MAX_VISITS = 100000, MAX_ALIGNED = 16, MAX_MEETINGS = 20000 };

/* Four bits a loop. */
enum { SAME_TRIP, NEXT_TRIP, FIRST_TRIP, SECOND_TRIP };

struct presence {
    uint32_t instruction;
    uint64_t state;
};

struct intervals {
    struct sync *sync;
    enum sym_scope scope;
    const struct sync_group *group; /* whose threads are looked at; NULL: all */
    const struct sym_uniform *uniform;
    const struct ir_function *ir;
    struct arena *arena;
    const struct bitset *wanted;
    struct bitset orders;         /* instructions */
    struct bitset closed;         /* blocks that no member of the group comes to */
    uint32_t *slot;               /* by loop: its place in the state, IR_NONE: not aligned */
    VEC(uint64_t) *visited;       /* by block: states */
    VEC(struct presence) present; /* of the start at work */
    struct text_map known;        /* meetings found */
    interval_meetings *meetings;
    uint32_t visits;
};

/* ---- what orders ------------------------------------------------------------------------------------------------ */

static void find_orders(struct intervals *work)
{
    bitset_init(&work->orders, work->arena, work->ir->instruction_count + 1);
    for (uint32_t i = 0; i < work->sync->points.count; i++) {
        const struct sync_point *point = &work->sync->points.data[i];
        bool is_met = point->is_full || (point->is_meeting && work->group != NULL && sync_group_within(work->group, point->group));
        if (point->answer.verdict != CHECK_PROVED || !is_met || work->ir->instructions[point->instruction].guard != IR_NONE)
            continue;
        if (point->is_barrier ||
            (work->scope == SYM_SCOPE_WARP && work->ir->instructions[point->instruction].op == PTX_OP_bar))
            bitset_add(&work->orders, point->instruction);
    }
}

/* The first ordering instruction at or after `from` in the block; its end if there is none. */
static uint32_t order_in(const struct intervals *work, uint32_t block, uint32_t from)
{
    uint32_t at = from, end = work->ir->cfg->blocks[block].end;
    while (at < end && !bitset_has(&work->orders, at))
        at++;
    return at;
}

/* Can the loop be gone round without passing an order? */
static bool goes_round(struct intervals *work, uint32_t loop)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    uint32_t header = cfg->loops[loop].header;
    struct bitset seen;
    sym_blocks list = {0};
    bitset_init(&seen, work->arena, cfg->block_count + 1);
    *vec_push(work->arena, &list) = header;
    while (list.count != 0) {
        uint32_t block = list.data[--list.count];
        if (order_in(work, block, cfg->blocks[block].first) != cfg->blocks[block].end)
            continue;
        for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++) {
            uint32_t to = cfg->blocks[block].successors[s];
            if (to == header)
                return true;
            if (!ir_loop_contains(cfg, loop, to) || bitset_has(&seen, to))
                continue;
            bitset_add(&seen, to);
            *vec_push(work->arena, &list) = to;
        }
    }
    return false;
}

static void find_closed(struct intervals *work)
{
    enum { MOST_BLOCKS = 400 }; /* each takes a look at every thread */
    const struct ir_cfg *cfg = work->ir->cfg;
    bitset_init(&work->closed, work->arena, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count && work->group != NULL && cfg->block_count <= MOST_BLOCKS; b++)
        if (cfg->blocks[b].reachable && sync_group_avoids(work->sync, work->group, b))
            bitset_add(&work->closed, b);
}

static void find_aligned(struct intervals *work)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    uint32_t count = 0;
    work->slot = ARENA_ARRAY(work->arena, uint32_t, cfg->loop_count + 1);
    for (uint32_t l = 0; l < cfg->loop_count; l++)
        work->slot[l] = count < MAX_ALIGNED && !goes_round(work, l) ? count++ : IR_NONE;
}

/* ---- ways ------------------------------------------------------------------------------------------------------------ */

static unsigned trip_of(uint64_t state, uint32_t slot)
{
    return state >> (4 * slot) & 15;
}

static uint64_t with_trip(uint64_t state, uint32_t slot, unsigned trip)
{
    return (state & ~((uint64_t)15 << (4 * slot))) | (uint64_t)trip << (4 * slot);
}

static uint64_t after_edge(const struct intervals *work, uint64_t state, uint32_t from, uint32_t to)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    uint32_t loop = cfg->blocks[to].loop;
    if (loop == IR_NONE || cfg->loops[loop].header != to || work->slot[loop] == IR_NONE)
        return state;
    uint32_t slot = work->slot[loop];
    if (!ir_loop_contains(cfg, loop, from))
        return with_trip(state, slot, FIRST_TRIP);
    unsigned trip = trip_of(state, slot);
    return with_trip(state, slot, trip == SAME_TRIP ? NEXT_TRIP : trip == FIRST_TRIP ? SECOND_TRIP : trip);
}

static bool visit(struct intervals *work, uint32_t block, uint64_t state)
{
    for (uint32_t i = 0; i < work->visited[block].count; i++)
        if (work->visited[block].data[i] == state)
            return false;
    *vec_push(work->arena, &work->visited[block]) = state;
    work->visits++;
    return true;
}

struct way {
    uint32_t block, from;
    uint64_t state;
};

/* Everything that is reached from instruction `from` of `block` without passing an order. */
static void walk(struct intervals *work, uint32_t block, uint32_t from)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    VEC(struct way) list = {0};
    for (uint32_t b = 0; b < cfg->block_count; b++)
        work->visited[b].count = 0;
    work->present.count = 0;
    *vec_push(work->arena, &list) = (struct way){block, from, 0};
    while (list.count != 0 && work->visits < MAX_VISITS) {
        struct way way = list.data[--list.count];
        const struct ir_block *data = &cfg->blocks[way.block];
        uint32_t end = order_in(work, way.block, way.from);
        for (uint32_t i = way.from; i < end; i++)
            if (bitset_has(work->wanted, i))
                *vec_push(work->arena, &work->present) = (struct presence){i, way.state};
        for (uint32_t s = 0; end == data->end && s < data->successor_count; s++) {
            uint32_t to = data->successors[s];
            uint64_t state = after_edge(work, way.state, way.block, to);
            if (!bitset_has(&work->closed, to) && visit(work, to, state))
                *vec_push(work->arena, &list) = (struct way){to, cfg->blocks[to].first, state};
        }
    }
}

/* ---- meetings ----------------------------------------------------------------------------------------------------------- */

/* How the second thread stands to the first in an aligned loop; `behind`: it is the first that is ahead. */
static enum sym_relation relate(unsigned first, unsigned second, bool *behind)
{
    *behind = (first == NEXT_TRIP && second == SAME_TRIP) || (first == SECOND_TRIP && second == FIRST_TRIP);
    if (first == second)
        return SYM_EQUAL_TRIPS;
    bool ahead = (second == NEXT_TRIP && first == SAME_TRIP) || (second == SECOND_TRIP && first == FIRST_TRIP);
    return ahead ? SYM_ONE_AHEAD : SYM_UNRELATED;
}

static bool loop_is_left_alike(const struct intervals *work, uint32_t loop, uint32_t a, uint32_t b)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    return !ir_loop_contains(cfg, loop, work->ir->instructions[a].block) &&
           !ir_loop_contains(cfg, loop, work->ir->instructions[b].block) && !work->uniform->loops[loop];
}

/* Relations of the two; true if the first thread is ahead of the second somewhere. */
static bool relations_of(const struct intervals *work, uint32_t start, struct presence first, struct presence second,
                         uint8_t *relations)
{
    const struct ir_cfg *cfg = work->ir->cfg;
    bool any_behind = false;
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        bool behind = false;
        if (work->slot[l] == IR_NONE) {
            relations[l] = loop_is_left_alike(work, l, first.instruction, second.instruction) ? SYM_EQUAL_TRIPS : SYM_UNRELATED;
            continue;
        }
        unsigned a = trip_of(first.state, work->slot[l]), b = trip_of(second.state, work->slot[l]);
        relations[l] = (uint8_t)relate(a, b, &behind);
        any_behind |= behind;
        if (a == SAME_TRIP && b == SAME_TRIP && !ir_loop_contains(cfg, l, start) && work->uniform->loops[l])
            relations[l] = SYM_UNRELATED; /* left before the interval, in whatever trip */
    }
    return any_behind;
}

static void add_meeting(struct intervals *work, uint32_t start, struct presence first, struct presence second)
{
    uint32_t loops = work->ir->cfg->loop_count;
    uint8_t *key = ARENA_ARRAY(work->arena, uint8_t, 8 + loops + 1);
    if (relations_of(work, start, first, second, key + 8)) {
        struct presence swapped = first;
        first = second;
        second = swapped;
        relations_of(work, start, first, second, key + 8);
    }
    memcpy(key, &first.instruction, 4);
    memcpy(key + 4, &second.instruction, 4);
    if (text_map_find(&work->known, (const char *)key, 8 + loops) != TEXT_MAP_NONE)
        return;
    text_map_set(&work->known, (const char *)key, 8 + loops, 1);
    *vec_push(work->arena, work->meetings) =
        (struct interval_meeting){.a = first.instruction, .b = second.instruction, .relations = key + 8};
}

static bool may_conflict(const struct intervals *work, uint32_t a, uint32_t b)
{
    enum { WRITES = IR_ACCESS_WRITE | IR_ACCESS_ATOMIC | IR_ACCESS_ASYNC };
    unsigned flags = 0;
    uint32_t both[2] = {a, b};
    for (int which = 0; which < 2; which++) {
        const struct ir_instruction *instruction = &work->ir->instructions[both[which]];
        for (uint32_t i = 0; i < instruction->access_count; i++)
            flags |= work->ir->accesses[instruction->first_access + i].flags;
    }
    return (flags & WRITES) != 0;
}

static void add_start(struct intervals *work, uint32_t block, uint32_t from)
{
    walk(work, block, from);
    for (uint32_t i = 0; i < work->present.count && work->meetings->count < MAX_MEETINGS; i++)
        for (uint32_t k = i; k < work->present.count && work->meetings->count < MAX_MEETINGS; k++)
            if (may_conflict(work, work->present.data[i].instruction, work->present.data[k].instruction))
                add_meeting(work, block, work->present.data[i], work->present.data[k]);
}

bool interval_find(struct sync *sync, enum sym_scope scope, const struct sync_group *group, const struct bitset *wanted,
                   interval_meetings *meetings)
{
    const struct ir_function *ir = sync->prove->ir;
    struct intervals work = {
        .sync = sync, .scope = scope, .group = group, .ir = ir, .arena = sync->prove->arena, .wanted = wanted, .meetings = meetings};
    work.uniform = group != NULL ? group->uniform : scope == SYM_SCOPE_WARP && sync->warp != NULL ? sync->warp : sync->block;
    work.visited = arena_alloc(work.arena, (ir->cfg->block_count + 1) * sizeof *work.visited);
    memset(work.visited, 0, (ir->cfg->block_count + 1) * sizeof *work.visited);
    text_map_init(&work.known, work.arena);
    find_orders(&work);
    find_closed(&work);
    find_aligned(&work);
    add_start(&work, 0, ir->cfg->blocks[0].first);
    for (uint32_t i = 0; i < ir->instruction_count; i++)
        if (bitset_has(&work.orders, i))
            add_start(&work, ir->instructions[i].block, i + 1);
    return work.visits < MAX_VISITS && meetings->count < MAX_MEETINGS;
}
