/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the threads for which a barrier for a part of the block is.
 *
 * Requires: barriers asked about (group.c).  Gives: accesses taken apart into those of members and of others, so that barriers of the group order
 * the former, and which pairs lie on the two sides of an arrival and the wait for it.
 */
#include "check/race.h"

static bool is_known_group(const struct race *race, const struct sync_group *group)
{
    for (uint32_t g = 0; g < race->groups.count; g++)
        if (sync_group_within(group, race->groups.data[g]) && sync_group_within(race->groups.data[g], group))
            return true;
    return false;
}

void race_find_groups(struct race *race)
{
    const struct sync *sync = race->sync;
    for (uint32_t p = 0; p < sync->points.count; p++) {
        const struct sync_point *point = &sync->points.data[p];
        if (!point->is_meeting || point->answer.verdict != CHECK_PROVED || is_known_group(race, point->group))
            continue;
        *vec_push(race->prove->arena, &race->groups) = point->group;
        *vec_push(race->prove->arena, &race->group_pairs) = sym_pair_new(race->prove->kernel, point->group->uniform);
    }
}

static bool share_a_thread(const struct sync_group *a, const struct sync_group *b)
{
    for (uint32_t thread = 0; thread < a->members.bits; thread++)
        if (bitset_has(&a->members, thread) && bitset_has(&b->members, thread))
            return true;
    return false;
}

static void add_parts(struct race *race, struct race_access access, uint32_t first)
{
    struct arena *arena = race->prove->arena;
    struct sym *sym = race->prove->sym;
    access.group = sync_group_at(race->sync, access.instruction, &access.way);
    for (uint32_t g = first; access.group != NULL && g < race->groups.count; g++) {
        const struct sync_group *group = race->groups.data[g];
        if (sync_group_within(access.group, group) || !share_a_thread(access.group, group))
            continue;
        sym_cond member = SYM_TRUE;
        for (uint32_t i = 0; i < group->facts.count; i++)
            member = sym_and(sym, member, group->facts.data[i]);
        for (int side = 0; side < 2; side++) {
            struct race_access part = access;
            part.way = (sym_facts){0};
            for (uint32_t i = 0; i < access.way.count; i++)
                *vec_push(arena, &part.way) = access.way.data[i];
            *vec_push(arena, &part.way) = side == 0 ? member : sym_not(sym, member);
            add_parts(race, part, g + 1);
        }
        return;
    }
    *vec_push(arena, &race->accesses) = access;
}

void race_add_by_groups(struct race *race, const struct race_access *access)
{
    enum { MOST_GROUPS = 4 };
    if (race->groups.count > MOST_GROUPS || (race->groups.count == 0 && race->sync->handovers.count == 0))
        *vec_push(race->prove->arena, &race->accesses) = *access;
    else
        add_parts(race, *access, 0);
}

uint32_t race_common_group(const struct race *race, uint32_t first, uint32_t second)
{
    const struct sync_group *a = race->accesses.data[first].group, *b = race->accesses.data[second].group;
    for (uint32_t g = 0; g < race->groups.count && a != NULL && b != NULL; g++)
        if (sync_group_within(a, race->groups.data[g]) && sync_group_within(b, race->groups.data[g]))
            return g;
    return IR_NONE;
}

static bool is_before(const struct race *race, const struct race_access *access, const struct sync_point *arrive)
{
    return access->group != NULL && sync_group_within(access->group, arrive->group) &&
           !sync_follows(race->sync, arrive->instruction, access->instruction);
}

static bool is_behind(const struct race *race, const struct race_access *access, const struct sync_point *wait)
{
    const struct ir_function *ir = race->prove->ir;
    uint32_t block = ir->instructions[wait->instruction].block, own = ir->instructions[access->instruction].block;
    return block == own ? access->instruction > wait->instruction : ir_cfg_dominates(ir->cfg, block, own);
}

bool race_is_handed_over(const struct race *race, uint32_t first, uint32_t second)
{
    const struct race_access *a = &race->accesses.data[first], *b = &race->accesses.data[second];
    for (uint32_t h = 0; h < race->sync->handovers.count; h++) {
        const struct sync_handover *handover = &race->sync->handovers.data[h];
        if (handover->arrive->answer.verdict != CHECK_PROVED || handover->wait->answer.verdict != CHECK_PROVED)
            continue;
        if ((is_before(race, a, handover->arrive) && is_behind(race, b, handover->wait)) ||
            (is_before(race, b, handover->arrive) && is_behind(race, a, handover->wait)))
            return true;
    }
    return false;
}
