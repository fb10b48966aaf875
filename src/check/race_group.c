/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses of the threads for which a barrier for a part of the block is.
 *
 * Requires: barriers asked about (group.c).  Gives: which accesses only members of a group make, so that barriers of the group order them, and which
 * pairs lie on the two sides of an arrival and the wait for it.
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
        if (point->is_meeting && point->answer.verdict == CHECK_PROVED && !is_known_group(race, point->group))
            *vec_push(race->prove->arena, &race->groups) = point->group;
    }
    if (race->groups.count == 0 && sync->handovers.count == 0)
        return;
    for (uint32_t i = 0; i < race->accesses.count; i++)
        race->accesses.data[i].group = sync_group_at(race->sync, race->accesses.data[i].instruction);
}

uint32_t race_common_group(const struct race *race, uint32_t first, uint32_t second)
{
    const struct sync_group *a = race->accesses.data[first].group, *b = race->accesses.data[second].group;
    for (uint32_t g = 0; g < race->groups.count && a != NULL && b != NULL; g++)
        if (sync_group_within(a, race->groups.data[g]) && sync_group_within(b, race->groups.data[g]))
            return g;
    return IR_NONE;
}

/* May control come to `instruction` after `point`, which is in no loop? */
static bool may_follow(const struct race *race, uint32_t point, uint32_t instruction)
{
    const struct ir_function *ir = race->prove->ir;
    const struct ir_cfg *cfg = ir->cfg;
    uint32_t from = ir->instructions[point].block, to = ir->instructions[instruction].block;
    struct bitset seen;
    sym_blocks work = {0};
    if (from == to)
        return instruction > point;
    bitset_init(&seen, race->prove->arena, cfg->block_count + 1);
    *vec_push(race->prove->arena, &work) = from;
    while (work.count != 0) {
        const struct ir_block *block = &cfg->blocks[work.data[--work.count]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            if (block->successors[s] == to)
                return true;
            if (bitset_has(&seen, block->successors[s]))
                continue;
            bitset_add(&seen, block->successors[s]);
            *vec_push(race->prove->arena, &work) = block->successors[s];
        }
    }
    return false;
}

static bool is_before(const struct race *race, const struct race_access *access, const struct sync_point *arrive)
{
    return access->group != NULL && sync_group_within(access->group, arrive->group) &&
           !may_follow(race, arrive->instruction, access->instruction);
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
