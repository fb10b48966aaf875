/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which launches are tried.  With several scalars not all combinations can be: first all axes take their n-th value
 * together, then one axis at a time leaves its first value, then combinations follow by the sum of their ranks.
 */
#include "witness/witness.h"

enum { TOGETHER, ONE_AWAY, BY_SUM, ENDED };
enum { VISITED_LIMIT = 20000 };

void witness_walk_begin(struct witness_walk *walk, struct arena *arena,
                        const struct witness_space *space)
{
    *walk = (struct witness_walk){.space = space, .phase = TOGETHER, .fresh = true};
    walk->ranks = ARENA_ARRAY(arena, uint32_t, space->axes.count + 1);
    for (uint32_t a = 0; a < space->axes.count; a++)
        if (space->axes.data[a].values.count > walk->limit)
            walk->limit = space->axes.data[a].values.count;
}

static uint32_t last_rank(const struct witness_walk *walk, uint32_t axis)
{
    return walk->space->axes.data[axis].values.count - 1;
}

/* All axes at rank `step`, or at their last where they have fewer. */
static bool next_together(struct witness_walk *walk)
{
    if (walk->step >= walk->limit && walk->step != 0)
        return false;
    for (uint32_t a = 0; a < walk->space->axes.count; a++)
        walk->ranks[a] = walk->step < last_rank(walk, a) ? walk->step : last_rank(walk, a);
    walk->step++;
    return true;
}

static bool next_one_away(struct witness_walk *walk)
{
    for (; walk->step < walk->limit; walk->step++, walk->axis = 0)
        for (; walk->axis < walk->space->axes.count; walk->axis++) {
            if (walk->step > last_rank(walk, walk->axis))
                continue;
            for (uint32_t a = 0; a < walk->space->axes.count; a++)
                walk->ranks[a] = 0;
            walk->ranks[walk->axis++] = walk->step;
            return true;
        }
    return false;
}

/* Puts `sum` on the axes from `first` on, as far to the end as it goes; false when it does not fit. */
static bool spread(struct witness_walk *walk, uint32_t first, uint32_t sum)
{
    for (uint32_t a = walk->space->axes.count; a-- > first;) {
        walk->ranks[a] = sum < last_rank(walk, a) ? sum : last_rank(walk, a);
        sum -= walk->ranks[a];
    }
    return sum == 0;
}

static bool next_by_sum(struct witness_walk *walk)
{
    uint32_t count = walk->space->axes.count;
    if (!walk->fresh) {
        uint32_t right = 0;
        for (uint32_t a = count; a-- > 0;) {
            if (right > 0 && walk->ranks[a] < last_rank(walk, a)) {
                walk->ranks[a]++;
                return spread(walk, a + 1, right - 1);
            }
            right += walk->ranks[a];
        }
        walk->sum++;
    }
    walk->fresh = false;
    return spread(walk, 0, walk->sum);
}

/* A point that an earlier phase has had: its ranks are together, or at most one of them is not 0. */
static bool was_visited(const struct witness_walk *walk)
{
    uint32_t away = 0, highest = 0;
    bool together = true;
    for (uint32_t a = 0; a < walk->space->axes.count; a++) {
        away += walk->ranks[a] != 0;
        highest = walk->ranks[a] > highest ? walk->ranks[a] : highest;
    }
    for (uint32_t a = 0; a < walk->space->axes.count; a++)
        together &= walk->ranks[a] == (highest < last_rank(walk, a) ? highest : last_rank(walk, a));
    return (walk->phase >= ONE_AWAY && together) || (walk->phase >= BY_SUM && away <= 1);
}

static bool next_ranks(struct witness_walk *walk)
{
    while (walk->phase != ENDED && walk->visited < VISITED_LIMIT) {
        bool more = walk->phase == TOGETHER   ? next_together(walk)
                    : walk->phase == ONE_AWAY ? next_one_away(walk)
                                              : next_by_sum(walk);
        walk->visited++;
        if (more && !was_visited(walk))
            return true;
        if (!more) {
            walk->phase++;
            walk->step = 1;
        }
    }
    return false;
}

bool witness_walk_next(struct witness_walk *walk, contract_integer *point,
                       struct contract_values *values)
{
    while (next_ranks(walk)) {
        for (uint32_t a = 0; a < walk->space->axes.count; a++)
            point[a] = walk->space->axes.data[a].values.data[walk->ranks[a]];
        if (witness_complete(walk->space, point, values))
            return true;
    }
    return false;
}
