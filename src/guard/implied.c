/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that need no check because checks before them prove them: of `a[i]`, `b[i]` with equal extents the second, of `a[i]`, `a[i + 3]`,
 * `a[i + 1]` the third.
 *
 * Requires: a plan whose checks are decided.  Gives: the kernel is proved once more; an access that would have a check and is not proved is a fact
 * for all that comes behind it.  What is proved then loses its check.  Nothing goes round in a circle: facts come from accesses alone that stay
 * unproved, in the order of the instructions.  A check that is left out (unchecked indexing) is no fact.
 */
#include "guard/rewrite.h"

static bool is_bounds_check(const struct guard_point *point)
{
    return point->wanted && (point->number == 101 || point->number == 102) && point->base_count == 1;
}

static const struct guard_point *find_point(const guard_points *points, const struct guard_point *wanted)
{
    for (uint32_t p = 0; p < points->count; p++) {
        const struct guard_point *point = &points->data[p];
        if (point->function == wanted->function && point->instruction == wanted->instruction && point->number == wanted->number &&
            point->operand == wanted->operand)
            return point;
    }
    return NULL;
}

void guard_find_implied(struct guard_rewrite *rewrite, struct guard_plan *plan)
{
    struct arena *arena = rewrite->arena;
    VEC(struct check_place) places = {0};
    struct diagnostic_list ignored;
    for (uint32_t p = 0; p < plan->points.count; p++)
        if (is_bounds_check(&plan->points.data[p]))
            *vec_push(arena, &places) =
                (struct check_place){plan->points.data[p].function, plan->points.data[p].instruction, plan->points.data[p].operand};
    if (places.count < 2 || plan->result->contract == NULL)
        return;
    diagnostic_list_init(&ignored, arena);
    struct check_options options = {
        .checked = places.data, .checked_count = places.count, .instructions = true, .no_candidates = true, .bounds_only = true};
    const struct check_result *again =
        check_kernel(arena, plan->result->module, plan->result->function, plan->result->contract, &options, &ignored);
    struct guard_plan other = {.input = plan->input, .result = again};
    guard_plan_points(rewrite, &other);
    for (uint32_t p = 0; p < plan->points.count; p++) {
        struct guard_point *point = &plan->points.data[p];
        const struct guard_point *now = is_bounds_check(point) ? find_point(&other.points, point) : NULL;
        point->is_implied = now != NULL && now->proof == CHECK_PROVED && point->proof != CHECK_VIOLATED;
    }
}
