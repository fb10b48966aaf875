/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice: what would make this launch cheaper, priced on this launch, each by a rule (cost_rule_text) that also says when to leave things.
 *
 * Prices are of warp instructions that PTX counts.  A saving that cannot show in time says why: a launch that moves more bytes for each
 * warp instruction than the device can is limited by its memory, whatever it issues.
 *
 * Limits: an H200 stands for the device; what a partition pass or a launch costs is a round number (below), not a measurement of yours.
 */
#include "cost/build.h"

#include <stdlib.h>

enum {
    LANES = 32,
    SHORT_SIDE = 4,           /* instructions */
    LAUNCH_PRICE = 2000000,   /* warp instructions that an H200 issues at best while a second launch begins, about 2 microseconds */
    PARTITION_PRICE = 40      /* warp instructions for each 32 elements: flag, scan, scatter */
};

static const char *number(struct arena *arena, uint64_t value)
{
    char digits[32];
    return arena_string(arena, text_group_digits(value, digits));
}

static struct cost_advice *add(struct cost_result *result, enum cost_rule rule, struct place place)
{
    struct cost_advice *advice = vec_push(result->arena, &result->advice);
    *advice = (struct cost_advice){.rule = rule, .place = place, .branch = COST_NONE, .unit = "warp instructions"};
    return advice;
}

static void set_price(struct cost_result *result, struct cost_advice *advice, uint64_t before, uint64_t after)
{
    const struct cost_memory *memory = &result->memory;
    advice->has_price = true;
    advice->before = before;
    advice->after = after > before ? before : after;
    if (memory->is_memory_bound && advice->before > advice->after)
        advice->not_binding = arena_printf(result->arena, "%.1f bytes move for each warp instruction, an H200 moves %.1f at its full issue rate: memory is the limit",
                                           memory->bytes_per_issue, memory->device_ratio);
}

static struct cost_advice *add_for_branch(struct cost_result *result, enum cost_rule rule, uint32_t number_of_branch)
{
    struct cost_branch *branch = &result->branches.data[number_of_branch];
    struct cost_advice *advice = add(result, rule, branch->place);
    advice->branch = number_of_branch;
    branch->advice = result->advice.count - 1;
    return advice;
}

/* ---- the block -------------------------------------------------------------------------------------------------------- */

/* Warps that a launch of the same domain needs with `block` threads; one axis. */
static uint64_t warps_with(const struct cost_launch *launch, uint64_t block)
{
    uint64_t elements = launch->work == COST_WORK_DOMAIN ? launch->domain[0] : launch->threads;
    return (elements / block + (elements % block != 0)) * ((block + LANES - 1) / LANES);
}

static void advise_block(struct cost_result *result)
{
    const struct cost_launch *launch = &result->launch;
    struct arena *arena = result->arena;
    if (!launch->known || launch->idle_slots_per_block == 0)
        return;
    uint64_t block = launch->threads_per_block, below = block / LANES * LANES, above = below + LANES;
    struct cost_advice *advice = add(result, COST_RULE_BLOCK_MULTIPLE, (struct place){0});
    const char *instead = below == 0 ? arena_printf(arena, "%llu", (unsigned long long)above)
                                     : arena_printf(arena, "%llu or %llu", (unsigned long long)below, (unsigned long long)above);
    advice->message = arena_printf(arena, "use %s threads a block instead of %llu", instead, (unsigned long long)block);
    advice->why = arena_printf(arena, "%u of %u lane slots idle in each block, %.1f %%: the last warp has %u live lanes", launch->idle_slots_per_block,
                               launch->slots_per_block, 100.0 * launch->idle_slots_per_block / launch->slots_per_block, launch->lanes_last_warp);
    if (launch->dimensions == 1) {
        uint64_t best = warps_with(launch, above);
        if (below != 0 && warps_with(launch, below) < best)
            best = warps_with(launch, below);
        advice->unit = "warps";
        set_price(result, advice, launch->warps, best);
    } else {
        advice->unit = "lane slots";
        set_price(result, advice, launch->blocks * launch->idle_slots_per_block, 0);
    }
}

/* ---- the tail ---------------------------------------------------------------------------------------------------------- */

/* Instructions of all warps at a line or two that only test the guard: the comparison and the branch. */
static uint64_t guard_issued(const struct cost_result *result, const struct cost_branch *branch)
{
    uint64_t issued = result->instructions.data[branch->instruction].count.issued;
    if (branch->instruction != 0 && result->instructions.data[branch->instruction - 1].kind == COST_COMPARE)
        issued += result->instructions.data[branch->instruction - 1].count.issued;
    return issued;
}

static void advise_split(struct cost_result *result, uint32_t index)
{
    const struct cost_branch *branch = &result->branches.data[index];
    const struct cost_launch *launch = &result->launch;
    if (!launch->has_run || launch->blocks < 2 || launch->work != COST_WORK_DOMAIN)
        return;
    uint64_t saved = guard_issued(result, branch) + launch->idle_issued;
    struct cost_advice *advice = add_for_branch(result, COST_RULE_SPLIT_LAUNCH, index);
    advice->does_not_pay = saved <= LAUNCH_PRICE;
    advice->message = advice->does_not_pay ? "do not split off the last block" : "launch the full blocks without the guard, the rest apart (`lanewise build --split`)";
    advice->why = arena_printf(result->arena, "it saves %s warp instructions; one more launch takes the time of about %s on an H200, and the code stands there twice",
                               number(result->arena, saved), number(result->arena, LAUNCH_PRICE));
    set_price(result, advice, result->total.issued, result->total.issued - (saved > result->total.issued ? result->total.issued : saved));
}

/* Predicated, the body is issued by all warps; guarded by a branch, all warps issue the branch. */
static void advise_guard(struct cost_result *result, uint32_t index)
{
    const struct cost_branch *branch = &result->branches.data[index];
    const struct cost_path *body = branch->taken.most > branch->not_taken.most ? &branch->taken : &branch->not_taken;
    uint64_t skipping = body == &branch->taken ? branch->none_taken : branch->all_taken, cost = skipping * body->most;
    if (branch->executed == 0 || body->most == 0 || body->has_loop || body->has_call || body->has_barrier)
        return;
    bool predicate = cost < branch->executed;
    struct cost_advice *advice = add_for_branch(result, predicate ? COST_RULE_PREDICATE : COST_RULE_EARLY_RETURN, index);
    advice->message = predicate ? "a predicated body would be cheaper than the branch" : "the early exit pays for itself";
    advice->why = arena_printf(result->arena, "the branch is issued %s times and keeps %s warps from a body of %u instructions: %s",
                               number(result->arena, branch->executed), number(result->arena, skipping), body->most, number(result->arena, cost));
    if (!predicate) {
        advice->does_not_pay = true; /* nothing to change */
        return;
    }
    set_price(result, advice, result->total.issued, result->total.issued - branch->executed + cost);
}

/* ---- lanes that part -------------------------------------------------------------------------------------------------------- */

static uint32_t shorter_side(const struct cost_branch *branch)
{
    if (branch->ways > 2)
        return branch->sum - branch->longest;
    return branch->taken.most < branch->not_taken.most ? branch->taken.most : branch->not_taken.most;
}

static void advise_remap(struct cost_result *result, uint32_t index)
{
    struct cost_branch *branch = &result->branches.data[index];
    struct cost_advice *advice = add_for_branch(result, COST_RULE_REMAP, index);
    advice->message = "let each lane take elements 2i and 2i + 1, in half as many threads";
    advice->why = "then one element is even and one odd in every lane: both sides run one after the other without a branch, once for 64 elements instead of once for 32";
    if (branch->executed == 0)
        return;
    uint64_t branches = branch->executed + (branch->taken.most != 0 && branch->not_taken.most != 0 ? branch->executed : 0);
    uint64_t after = (result->total.issued - (branches > result->total.issued ? 0 : branches)) / 2;
    set_price(result, advice, result->total.issued, after);
}

/* Does the condition part even elements from odd ones? */
static bool parts_even_from_odd(const struct cost_result *result, const struct cost_branch *branch)
{
    if (branch->pattern != 2 || branch->class != COST_CLASS_LANE || branch->is_exit)
        return false;
    return branch->pattern_counts == COST_PATTERN_INDEX ||
           (branch->pattern_counts == COST_PATTERN_THREAD && (!result->launch.known || result->launch.block[0] % 2 == 0));
}

static void advise_divided(struct cost_result *result, uint32_t index)
{
    struct cost_branch *branch = &result->branches.data[index];
    struct arena *arena = result->arena;
    if (branch->is_loop || cost_class_is_uniform(branch->class) || branch->class == COST_CLASS_UNKNOWN || branch->class == COST_CLASS_TAIL)
        return;
    if (result->launch.has_run && branch->divided == 0)
        return;
    if (parts_even_from_odd(result, branch)) {
        advise_remap(result, index);
        return;
    }
    if (shorter_side(branch) == 0)
        return; /* a divided warp issues no more than one that goes in */
    if (shorter_side(branch) <= SHORT_SIDE) {
        struct cost_advice *advice = add_for_branch(result, COST_RULE_LEAVE_SHORT, index);
        advice->does_not_pay = true;
        advice->message = "leave the branch as it is";
        advice->why = arena_printf(arena, "its shorter side is %u instruction%s: a divided warp pays that much more", shorter_side(branch),
                                   shorter_side(branch) == 1 ? "" : "s");
        return;
    }
    if (branch->class == COST_CLASS_LANE) {
        struct cost_advice *advice = add_for_branch(result, COST_RULE_TWO_LAUNCHES, index);
        advice->message = "launch each side apart, or give each side whole warps: the index decides which";
        advice->why = arena_printf(arena, "its sides are %u and %u instructions", branch->taken.most, branch->not_taken.most);
        if (branch->executed == 0)
            return;
        advice->why = arena_printf(arena, "%s of %s warps go both ways, %u and %u instructions", number(arena, branch->divided), number(arena, branch->executed),
                                   branch->taken.most, branch->not_taken.most);
        set_price(result, advice, result->total.issued, result->total.issued - branch->extra);
        return;
    }
    uint64_t pass = result->launch.warps * PARTITION_PRICE;
    struct cost_advice *advice = add_for_branch(result, COST_RULE_PARTITION, index);
    if (branch->executed == 0) {
        advice->message = "count a launch to see whether sorting or partitioning the elements first would pay";
        advice->why = arena_printf(arena, "its sides are %u and %u instructions; a pass costs about %d for each 32 elements", branch->taken.most,
                                   branch->not_taken.most, PARTITION_PRICE);
        return;
    }
    advice->does_not_pay = branch->extra <= pass;
    advice->message = advice->does_not_pay ? "do not sort or partition for this branch" : "sort or partition the elements first, or launch each side apart over its own list";
    advice->why = arena_printf(arena, "%s of %s warps go both ways and issue %s instructions more than one side needs; a partition pass issues about %s",
                               number(arena, branch->divided), number(arena, branch->executed), number(arena, branch->extra), number(arena, pass));
    if (!advice->does_not_pay)
        set_price(result, advice, result->total.issued, result->total.issued - branch->extra + pass);
}

/* ---- memory --------------------------------------------------------------------------------------------------------------------- */

static void advise_memory(struct cost_result *result)
{
    struct arena *arena = result->arena;
    for (uint32_t i = 0; i < result->lines.count; i++) {
        const struct cost_line *line = &result->lines.data[i];
        const struct cost_count *count = &line->count;
        uint64_t least = count->sectors_least;
        if (count->sectors > 2 * least && count->sectors > 2 * count->moving) {
            struct cost_advice *advice = add(result, COST_RULE_COALESCE, line->place);
            advice->unit = "sectors";
            advice->message = "give neighbouring lanes neighbouring elements";
            advice->why = arena_printf(arena, "%.1f sectors a request where %.1f would hold the bytes asked for", cost_sectors_per_request(count),
                                       (double)least / (double)count->moving);
            advice->has_price = true;
            advice->before = count->sectors;
            advice->after = least;
        }
        uint64_t conflicts = count->conflicts - count->same_word;
        if (conflicts != 0 && conflicts * 4 > count->passes) {
            struct cost_advice *advice = add(result, COST_RULE_BANKS, line->place);
            advice->unit = "passes";
            advice->message = "lay the shared array out so that the lanes of a request meet different banks: pad its rows";
            advice->why = arena_printf(arena, "%s of %s passes through the banks are conflicts", number(arena, conflicts), number(arena, count->passes));
            advice->has_price = true;
            advice->before = count->passes;
            advice->after = count->passes - conflicts;
        }
    }
}

/* Advice that pays first, by how much it saves; then what to leave alone. */
static int compare_advice(const void *a, const void *b)
{
    const struct cost_advice *x = *(const struct cost_advice *const *)a, *y = *(const struct cost_advice *const *)b;
    uint64_t saves_x = x->before - x->after, saves_y = y->before - y->after;
    if (x->does_not_pay != y->does_not_pay)
        return x->does_not_pay ? 1 : -1;
    if ((x->rule == COST_RULE_BLOCK_MULTIPLE) != (y->rule == COST_RULE_BLOCK_MULTIPLE))
        return x->rule == COST_RULE_BLOCK_MULTIPLE ? -1 : 1;
    if (saves_x != saves_y)
        return saves_x > saves_y ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule < y->rule ? -1 : 1;
    return x->place.line < y->place.line ? -1 : x->place.line > y->place.line;
}

static void sort_advice(struct cost_result *result)
{
    uint32_t count = result->advice.count;
    const struct cost_advice **order = ARENA_ARRAY(result->arena, const struct cost_advice *, count + 1);
    struct cost_advice *sorted = ARENA_ARRAY(result->arena, struct cost_advice, count + 1);
    for (uint32_t i = 0; i < count; i++)
        order[i] = &result->advice.data[i];
    if (count != 0)
        qsort(order, count, sizeof *order, compare_advice);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = *order[i];
        if (sorted[i].branch != COST_NONE)
            result->branches.data[sorted[i].branch].advice = i;
    }
    for (uint32_t i = 0; i < count; i++)
        result->advice.data[i] = sorted[i];
}

void cost_advise(struct cost_result *result)
{
    advise_block(result);
    for (uint32_t b = 0; b < result->branches.count; b++) {
        const struct cost_branch *branch = &result->branches.data[b];
        if (branch->class == COST_CLASS_TAIL && branch->is_exit && result->launch.has_run) {
            advise_guard(result, b);
            advise_split(result, b);
        }
        advise_divided(result, b);
    }
    advise_memory(result);
    sort_advice(result);
}
