/* SPDX-License-Identifier: Apache-2.0
 *
 * LW201 of barriers for a part of the block: `bar.sync` with a count, `bar.arrive`.
 *
 * Requires: a block of exact size, a number and a count that are constants.  Gives: proved in two forms, by who may come, which is found by
 * trying each thread of the block.
 *
 * All barriers of one number are for the same whole warps, as many threads as they count, and all of these make the same visits.  Then
 * no two of them can come in different order to two barriers, for what decides it is decided the same way in all members.
 *
 * One arrival and one wait, with different warps that together are as many as both count, each surely made once, and no circle of waiting
 * through them: what comes behind a barrier in some thread waits for it, and a wait for its arrival.  The writes of those who arrive are ordered
 * before what the others do behind the wait, and the waiters meet.
 *
 * Gives up on: arrivals in loops, where the prover would have to know that nobody arrives twice before the others have waited once.
 */
#include "check/sync.h"

enum { MAX_THREADS = 1024, WARP = 32 };

/* ---- who comes ------------------------------------------------------------------------------------------------------ */

struct block_shape {
    uint32_t size[3];
    sym_atom atoms[3]; /* of tid; SYM_NONE where the axis is 1 */
};

static bool shape_of(struct prove *prove, struct block_shape *shape)
{
    uint64_t threads = 1;
    for (int axis = 0; axis < 3; axis++) {
        sym_integer size, zero;
        if (!sym_is_constant(prove->sym, prove->environment->block[axis], &size) || size < 1 || size > MAX_THREADS)
            return false;
        shape->size[axis] = (uint32_t)size;
        shape->atoms[axis] = SYM_NONE;
        threads *= (uint64_t)size;
        if (sym_is_constant(prove->sym, prove->environment->thread[axis], &zero))
            continue;
        for (sym_atom atom = 0; atom < prove->sym->atoms.count && shape->atoms[axis] == SYM_NONE; atom++)
            if (sym_of_atom(prove->sym, atom) == prove->environment->thread[axis])
                shape->atoms[axis] = atom;
        if (shape->atoms[axis] == SYM_NONE)
            return false;
    }
    return threads <= MAX_THREADS;
}

static uint32_t threads_of(const struct block_shape *shape)
{
    return shape->size[0] * shape->size[1] * shape->size[2];
}

/* The condition as it is in one thread. */
static sym_cond in_thread(struct prove *prove, const struct block_shape *shape, sym_cond condition, uint32_t thread)
{
    uint32_t index[3] = {thread % shape->size[0], thread / shape->size[0] % shape->size[1],
                         thread / shape->size[0] / shape->size[1]};
    sym_atom atoms[3];
    sym_poly values[3];
    uint32_t count = 0;
    for (int axis = 0; axis < 3; axis++)
        if (shape->atoms[axis] != SYM_NONE) {
            atoms[count] = shape->atoms[axis];
            values[count++] = sym_constant(prove->sym, index[axis]);
        }
    return sym_substitute_cond(prove->sym, condition, atoms, values, count);
}

static bool is_decided(const struct prove *prove, sym_cond condition)
{
    return prove->sym->conds.data[condition].kind == SYM_CONSTANT_CONDITION;
}

/* Takes those out of `members` in which the condition is false; false if some thread's number does not decide it. */
static bool narrow(struct prove *prove, const struct block_shape *shape, sym_cond condition, struct bitset *members)
{
    struct bitset left;
    bitset_init(&left, prove->arena, MAX_THREADS);
    for (uint32_t thread = 0; thread < threads_of(shape); thread++) {
        sym_cond here = in_thread(prove, shape, condition, thread);
        if (!is_decided(prove, here))
            return false;
        if (here == SYM_TRUE && bitset_has(members, thread))
            bitset_add(&left, thread);
    }
    bitset_clear(members);
    bitset_union(members, &left);
    return true;
}

static bool is_disjoint(const struct sync_group *a, const struct sync_group *b)
{
    for (uint32_t thread = 0; thread < MAX_THREADS; thread++)
        if (bitset_has(&a->members, thread) && bitset_has(&b->members, thread))
            return false;
    return true;
}

static struct sync_group *group_under(struct sync *sync, const sym_facts *facts)
{
    struct prove *prove = sync->prove;
    struct block_shape shape;
    if (!shape_of(prove, &shape))
        return NULL;
    struct sync_group *group = ARENA_NEW(prove->arena, struct sync_group);
    bitset_init(&group->members, prove->arena, MAX_THREADS);
    for (uint32_t thread = 0; thread < threads_of(&shape); thread++)
        bitset_add(&group->members, thread);
    for (uint32_t i = 0; i < facts->count; i++) {
        bool is_about_thread = false;
        for (int axis = 0; axis < 3; axis++)
            is_about_thread |= shape.atoms[axis] != SYM_NONE && sym_cond_mentions(prove->sym, facts->data[i], shape.atoms[axis]);
        if (is_about_thread && narrow(prove, &shape, facts->data[i], &group->members))
            *vec_push(prove->arena, &group->facts) = facts->data[i];
    }
    group->count = bitset_count(&group->members);
    return group;
}

struct sync_group *sync_group_at(struct sync *sync, uint32_t instruction, const sym_facts *besides)
{
    sym_facts facts = {0};
    sym_facts_at_instruction(sync->prove->kernel, instruction, &facts);
    for (uint32_t i = 0; besides != NULL && i < besides->count; i++)
        sym_facts_add(sync->prove->kernel, &facts, besides->data[i]);
    return group_under(sync, &facts);
}

bool sync_group_avoids(struct sync *sync, const struct sync_group *group, uint32_t block)
{
    sym_facts facts = {0};
    sym_facts_at_block(sync->prove->kernel, block, &facts);
    const struct sync_group *there = group_under(sync, &facts);
    return there != NULL && is_disjoint(there, group);
}

bool sync_group_within(const struct sync_group *inner, const struct sync_group *outer)
{
    for (uint32_t thread = 0; thread < MAX_THREADS; thread++)
        if (bitset_has(&inner->members, thread) && !bitset_has(&outer->members, thread))
            return false;
    return true;
}

/* A barrier counts warps, and all lanes of one must come. */
static bool has_whole_warps(const struct sync_group *group)
{
    for (uint32_t thread = 0; thread < MAX_THREADS; thread++)
        if (bitset_has(&group->members, thread) != bitset_has(&group->members, thread / WARP * WARP))
            return false;
    return true;
}

/* ---- the way of one thread -------------------------------------------------------------------------------------------- */

static uint32_t first_member(const struct sync_group *group)
{
    uint32_t thread = 0;
    while (thread < MAX_THREADS && !bitset_has(&group->members, thread))
        thread++;
    return thread;
}

/* Can control come from the end of block `from` to block `to`? */
static bool reaches(struct sync *sync, uint32_t from, uint32_t to)
{
    const struct ir_cfg *cfg = sync->prove->ir->cfg;
    struct bitset seen;
    sym_blocks work = {0};
    bitset_init(&seen, sync->prove->arena, cfg->block_count + 1);
    *vec_push(sync->prove->arena, &work) = from;
    while (work.count != 0) {
        const struct ir_block *block = &cfg->blocks[work.data[--work.count]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            if (block->successors[s] == to)
                return true;
            if (bitset_has(&seen, block->successors[s]))
                continue;
            bitset_add(&seen, block->successors[s]);
            *vec_push(sync->prove->arena, &work) = block->successors[s];
        }
    }
    return false;
}

bool sync_follows(struct sync *sync, uint32_t from, uint32_t to)
{
    const struct ir_function *ir = sync->prove->ir;
    uint32_t start = ir->instructions[from].block, end = ir->instructions[to].block;
    return (start == end && to > from) || reaches(sync, start, end);
}

static bool leads_to(struct sync *sync, uint32_t block, uint32_t instruction)
{
    uint32_t end = sync->prove->ir->instructions[instruction].block;
    return block == end || reaches(sync, block, end);
}

/* A branch that the whole block takes one way: the way to both places, if every other one leads to neither; IR_NONE: it is not so. */
static uint32_t common_way(struct sync *sync, uint32_t block, uint32_t place, uint32_t partner)
{
    const struct ir_block *data = &sync->prove->ir->cfg->blocks[block];
    uint32_t way = IR_NONE;
    if (sync->block->branches[block])
        return IR_NONE;
    for (uint32_t s = 0; s < data->successor_count; s++) {
        bool here = leads_to(sync, data->successors[s], place), there = leads_to(sync, data->successors[s], partner);
        if (here != there || (here && way != IR_NONE))
            return IR_NONE;
        way = here ? data->successors[s] : way;
    }
    return way;
}

struct journey {
    struct sync *sync;
    struct block_shape shape;
    struct bitset closure; /* branches that decide it */
    uint32_t thread, place, partner;
};

/* Where the thread goes from `block`; IR_NONE: out of the kernel, or that is not known. */
static uint32_t next_block(struct journey *journey, uint32_t block)
{
    struct prove *prove = journey->sync->prove;
    const struct ir_block *data = &prove->ir->cfg->blocks[block];
    if (data->successor_count + (data->leave != IR_LEAVE_NO) == 1)
        return data->successor_count == 1 ? data->successors[0] : IR_NONE;
    if (!bitset_has(&journey->closure, block))
        return data->ipdom; /* what lies between does not decide it */
    const struct ir_instruction *last = data->end == data->first ? NULL : &prove->ir->instructions[data->end - 1];
    if (last == NULL || last->guard == IR_NONE)
        return IR_NONE;
    sym_cond guard = in_thread(prove, &journey->shape, sym_truth(prove->kernel, last->guard), journey->thread);
    if (!is_decided(prove, guard))
        return common_way(journey->sync, block, journey->place, journey->partner);
    bool holds = (guard == SYM_TRUE) != last->guard_negated;
    if (data->leave != IR_LEAVE_NO)
        return data->leave_is_guarded && !holds && data->successor_count == 1 ? data->successors[0] : IR_NONE;
    if (last->op != PTX_OP_bra || data->successor_count != 2)
        return IR_NONE;
    return data->successors[holds ? 0 : 1];
}

/* In every launch in which the block comes to the partner, the members come there; they all go the same way, so one stands for all.  Not in a
 * loop: so it is once. */
static bool surely_comes(struct sync *sync, const struct sync_point *point, const struct sync_point *partner)
{
    struct prove *prove = sync->prove;
    const struct ir_cfg *cfg = prove->ir->cfg;
    const struct ir_instruction *instruction = &prove->ir->instructions[point->instruction];
    struct journey journey = {.sync = sync, .thread = first_member(point->group), .place = point->instruction, .partner = partner->instruction};
    uint32_t at = 0;
    if (instruction->guard != IR_NONE || cfg->blocks[instruction->block].loop != IR_NONE || journey.thread == MAX_THREADS ||
        !shape_of(prove, &journey.shape))
        return false;
    bitset_init(&journey.closure, prove->arena, cfg->block_count + 1);
    sym_control_closure(point->group->uniform, instruction->block, IR_NONE, &journey.closure);
    for (uint32_t steps = 0; steps <= cfg->block_count && at != IR_NONE && at != cfg->exit; steps++) {
        if (at == instruction->block)
            return true;
        at = next_block(&journey, at);
    }
    return false;
}

/* ---- questions --------------------------------------------------------------------------------------------------------- */

/* Its members, if they all make the same visits; otherwise NULL, and the answer says why. */
static struct sync_group *find_group(struct sync *sync, struct sync_point *point)
{
    struct prove *prove = sync->prove;
    const struct ir_instruction *instruction = &prove->ir->instructions[point->instruction];
    struct sync_group *group = sync_group_at(sync, point->instruction, NULL);
    if (group == NULL) {
        sync_part_here(point, "it is for a part of the block, and no LW_BLOCK says exactly how large that is");
        return NULL;
    }
    if (!has_whole_warps(group)) {
        sync_part_here(point, "it is for whole warps, and only some lanes of one may come");
        return NULL;
    }
    struct bitset places;
    bitset_init(&places, prove->arena, prove->ir->cfg->block_count + 1);
    bitset_add(&places, instruction->block);
    group->uniform = sym_uniform_among(prove->kernel, &group->facts, &places);
    uint32_t branch = sym_uniform_obstacle(group->uniform, instruction->block);
    if (branch == IR_NONE && sync_guard_is_uniform(group->uniform, point->instruction))
        return group;
    if (branch != IR_NONE)
        sync_part_at(sync, point, group->uniform, branch);
    else
        sync_part_here(point, "its guard may differ between the threads that it is for");
    return NULL;
}

/* All barriers of the number. */
typedef VEC(struct sync_point *) point_list;

static bool is_one_group(const point_list *points)
{
    const struct sync_point *first = points->data[0];
    for (uint32_t i = 0; i < points->count; i++) {
        const struct sync_point *point = points->data[i];
        if (point->group == NULL || point->is_arrive || point->threads != point->group->count ||
            !sync_group_within(point->group, first->group) || !sync_group_within(first->group, point->group))
            return false;
    }
    return true;
}

static bool is_handover(struct sync *sync, const point_list *points, struct sync_handover *handover)
{
    if (points->count != 2)
        return false;
    struct sync_point *a = points->data[0], *b = points->data[1];
    if (a->group == NULL || b->group == NULL || a->is_arrive == b->is_arrive || a->threads != b->threads ||
        !is_disjoint(a->group, b->group) || (sym_integer)a->group->count + b->group->count != a->threads)
        return false;
    *handover = a->is_arrive ? (struct sync_handover){a, b} : (struct sync_handover){b, a};
    return surely_comes(sync, a, b) && surely_comes(sync, b, a);
}

/* ---- circles of waiting ---------------------------------------------------------------------------------------------- */

/* May one thread come to both? */
static bool share_threads(const struct sync_point *a, const struct sync_point *b)
{
    return a->group == NULL || b->group == NULL || !is_disjoint(a->group, b->group);
}

/* Does `to` wait for `from` at once: some thread comes to it behind `from`, or `from` is the arrival that it waits for? */
static bool waits_for(struct sync *sync, const struct sync_point *from, const struct sync_point *to)
{
    for (uint32_t h = 0; h < sync->handovers.count; h++)
        if (sync->handovers.data[h].arrive == from && sync->handovers.data[h].wait == to)
            return true;
    return share_threads(from, to) && sync_follows(sync, from->instruction, to->instruction);
}

static bool is_in_circle(struct sync *sync, const struct sync_point *start)
{
    struct bitset seen;
    sym_blocks work = {0};
    bitset_init(&seen, sync->prove->arena, sync->points.count + 1);
    *vec_push(sync->prove->arena, &work) = (uint32_t)(start - sync->points.data);
    while (work.count != 0) {
        const struct sync_point *from = &sync->points.data[work.data[--work.count]];
        for (uint32_t p = 0; p < sync->points.count; p++) {
            const struct sync_point *to = &sync->points.data[p];
            if (!to->is_barrier || bitset_has(&seen, p) || !waits_for(sync, from, to))
                continue;
            if (to == start)
                return true;
            bitset_add(&seen, p);
            *vec_push(sync->prove->arena, &work) = p;
        }
    }
    return false;
}

static void prove_handovers(struct sync *sync)
{
    uint32_t count = sync->handovers.count, kept = 0;
    bool *bad = ARENA_ARRAY(sync->prove->arena, bool, count + 1);
    for (uint32_t h = 0; h < count; h++)
        bad[h] = is_in_circle(sync, sync->handovers.data[h].wait);
    for (uint32_t h = 0; h < count; h++) {
        struct sync_handover handover = sync->handovers.data[h];
        if (bad[h]) {
            sync_part_here(handover.wait, "those who arrive for it may wait for something that comes behind it");
            sync_part_here(handover.arrive, "those who wait for it may be waited for before it");
            handover.wait->group = handover.arrive->group = NULL;
            continue;
        }
        handover.wait->is_meeting = true;
        sync->handovers.data[kept++] = handover;
    }
    sync->handovers.count = kept;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

static const char *why_not(struct sync *sync, const point_list *points, const struct sync_point *point)
{
    if (points->count == 1 && !point->is_arrive && point->group != NULL)
        return arena_printf(sync->prove->arena, "it waits for %d threads, and %u come", (int)point->threads, point->group->count);
    if (points->count == 1)
        return "nothing waits for the threads that arrive";
    return "who comes to the barriers of this number is not one group, nor one that arrives and one that waits, once each";
}

static void prove_number(struct sync *sync, point_list *points)
{
    struct sync_handover handover;
    if (is_one_group(points)) {
        for (uint32_t i = 0; i < points->count; i++)
            points->data[i]->is_meeting = true;
        return;
    }
    if (is_handover(sync, points, &handover)) {
        *vec_push(sync->prove->arena, &sync->handovers) = handover;
        return;
    }
    for (uint32_t i = 0; i < points->count; i++) {
        struct sync_point *point = points->data[i];
        if (point->is_partial && point->answer.verdict == CHECK_PROVED)
            sync_part_here(point, why_not(sync, points, point));
        point->group = NULL;
    }
}

void prove_partial_barriers(struct sync *sync)
{
    struct arena *arena = sync->prove->arena;
    bool any = false;
    for (uint32_t i = 0; i < sync->points.count; i++) {
        struct sync_point *point = &sync->points.data[i];
        any |= point->is_partial;
        if (point->is_partial)
            point->group = find_group(sync, point);
    }
    for (uint32_t i = 0; i < sync->points.count && any; i++) {
        struct sync_point *first = &sync->points.data[i];
        point_list points = {0};
        if (!first->is_barrier || !first->is_partial)
            continue;
        bool is_known = true, is_first = true;
        for (uint32_t k = 0; k < sync->points.count; k++) {
            struct sync_point *point = &sync->points.data[k];
            if (!point->is_barrier)
                continue;
            is_known &= point->has_number;
            is_first &= k >= i || !point->is_partial || point->number != first->number;
            if (point->has_number && point->number == first->number)
                *vec_push(arena, &points) = point;
        }
        if (is_known && is_first)
            prove_number(sync, &points);
        else if (!is_known && first->answer.verdict == CHECK_PROVED)
            sync_part_here(first, "the number of another barrier is computed: it may be this one");
        if (!is_known)
            first->group = NULL;
    }
    prove_handovers(sync);
}
