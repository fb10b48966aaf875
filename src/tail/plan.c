/* SPDX-License-Identifier: Apache-2.0
 *
 * Which launches are run.
 *
 * A size is a scalar that a shape, a length or the domain speaks of.  For each of them both sides of the places where something begins
 * anew: nothing, one, a half and a whole block, several blocks and one more, warps, the limits that the contract sets, 2^31 and 2^32.
 * With several sizes each goes through its list while the others fit exactly and while they do not, then all together.
 */
#include "tail/private.h"

#include <stdlib.h>
#include <string.h>

enum { PRIME = 7, SMALL_PRIME = 3, RANDOM_SIZES = 6, SHORT_SIZES = 3, LAUNCHES = 240, BLOCK_CHOICES = 3, CHECKED_SIZES = 64, LONG_SIZE = 1 << 13 };

/* ---- sizes -------------------------------------------------------------------------------------------------- */

static struct bitset find_sizes(struct arena *arena, const struct contract *contract)
{
    struct bitset sizes;
    bitset_init(&sizes, arena, contract->parameters.count + 1);
    for (unsigned a = 0; a < 3; a++)
        contract_collect_scalars(contract, &contract->domain[a], &sizes);
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        for (unsigned d = 0; d < contract->parameters.data[p].dimensions; d++)
            contract_collect_scalars(contract, &contract->parameters.data[p].shape[d], &sizes);
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        if (contract_mentions(contract, &relation->left, CONTRACT_LENGTH) ||
            contract_mentions(contract, &relation->right, CONTRACT_LENGTH)) {
            contract_collect_scalars(contract, &relation->left, &sizes);
            contract_collect_scalars(contract, &relation->right, &sizes);
        }
    }
    return sizes;
}

/* The axis of the grid that a size spans: 0 1 2, or 3 for none. */
static unsigned domain_axis(struct arena *arena, const struct contract *contract, uint32_t size)
{
    for (unsigned a = 0; a < 3; a++) {
        struct bitset used;
        bitset_init(&used, arena, contract->parameters.count + 1);
        contract_collect_scalars(contract, &contract->domain[a], &used);
        if (bitset_has(&used, size))
            return a;
    }
    return 3;
}

typedef VEC(contract_integer) value_list;

static void add_value(struct arena *arena, value_list *list, contract_integer value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->data[i] == value)
            return;
    *vec_push(arena, list) = value;
}

static bool is_literal(const struct contract *contract, uint32_t node)
{
    return contract->nodes.data[node].kind == CONTRACT_LITERAL;
}

/* How many elements a block takes: its threads, times what the domain divides by. */
static contract_integer elements_of_block(const struct contract *contract, unsigned axis, contract_integer threads)
{
    if (axis == 3 || !contract_is_given(&contract->domain[axis]))
        return threads;
    const struct contract_node *node = &contract->nodes.data[contract->domain[axis].root];
    if (node->kind == CONTRACT_DIVIDE && is_literal(contract, node->right)) {
        contract_integer factor = contract->nodes.data[node->right].value;
        if (factor > 1 && factor <= 1024)
            return threads * factor;
    }
    return threads;
}

/* Constants that the contract compares a size with: declared limits, and one beside each. */
static void add_limits(struct arena *arena, const struct contract *contract, value_list *list)
{
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        const struct contract_expression *sides[] = {&relation->left, &relation->right};
        for (unsigned s = 0; s < 2; s++) {
            contract_integer value;
            if (!contract_constant_value(contract, sides[s], &value))
                continue;
            add_value(arena, list, value);
            add_value(arena, list, value - 1);
            add_value(arena, list, value + 1);
        }
    }
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The telling ones first: what comes late may fall to the limit of launches. */
static void list_sizes(struct tail_plan *plan, uint32_t parameter, contract_integer t, int prime, bool is_short,
                       value_list *list)
{
    struct arena *arena = plan->arena;
    const struct tail_options *options = plan->options;
    contract_integer one = 1;
    for (uint32_t i = 0; i < options->size_count; i++)
        add_value(arena, list, (contract_integer)options->sizes[i]);
    if (options->sizes != NULL)
        return;
    const contract_integer first[] = {t + 1, t - 1, t, prime * t + 1, 1, prime * t - 1, 0},
                           more[] = {prime * t, t / 2, 2, 3, 31, 32, 33, 2 * t, 3 * t - 1},
                           huge[] = {one << 31,        (one << 31) - 1,    (one << 31) + 1,    one << 32, (one << 32) - 1,
                                     (one << 32) + 1, (one << 32) - 1024, (one << 32) - 1023, 46341,     65537};
    for (unsigned i = 0; i < (is_short ? 5 : COUNT_OF(first)); i++)
        add_value(arena, list, first[i]);
    if (is_short)
        return;
    for (unsigned i = 0; i < COUNT_OF(more); i++)
        add_value(arena, list, more[i]);
    add_limits(arena, plan->space.contract, list);
    for (unsigned i = 0; i < COUNT_OF(huge); i++)
        add_value(arena, list, huge[i]);
    uint64_t state = options->seed * 0x2545f4914f6cdd1du + parameter + 1;
    for (unsigned i = 0; i < RANDOM_SIZES; i++)
        add_value(arena, list, (contract_integer)(next_random(&state) % (uint64_t)(prime * t) + 1));
}

/* ---- points ------------------------------------------------------------------------------------------------- */

struct planner {
    struct tail_plan *plan;
    struct contract_values values;
    contract_integer *point;
    struct bitset sizes;
    value_list *lists; /* by axis: what it goes through; empty: its value in `point` stays */
    uint32_t limit;
    struct text_map known;
};

static bool is_huge(const struct planner *planner)
{
    const struct contract_values *values = &planner->values;
    contract_integer blocks = values->grid[0] * values->grid[1] * values->grid[2];
    return blocks > TAIL_WHOLE_BLOCKS;
}

/* Some size is so large that a kernel which loops over it would not end soon: it is not run to its end. */
static bool is_long(const struct planner *planner)
{
    const struct contract_values *values = &planner->values;
    for (uint32_t p = 0; p < planner->plan->space.contract->parameters.count; p++)
        if (bitset_has(&planner->sizes, p) && values->scalars[p] > LONG_SIZE)
            return true;
    return is_huge(planner);
}

static void push_case(struct planner *planner, struct tail_case what)
{
    struct tail_plan *plan = planner->plan;
    struct buffer key;
    char digits[48];
    buffer_init(&key, plan->arena);
    for (uint32_t a = 0; a < plan->space.axes.count; a++)
        buffer_printf(&key, "%s ", contract_format(planner->point[a], digits));
    buffer_printf(&key, "%u %d %d", what.contents, what.is_adversarial, what.is_empty);
    if (text_map_find(&planner->known, key.data, key.size) != TEXT_MAP_NONE)
        return;
    text_map_set(&planner->known, key.data, key.size, 1);
    if (plan->cases.count >= planner->limit) {
        plan->left_out++;
        return;
    }
    what.point = arena_copy(plan->arena, planner->point, (plan->space.axes.count + 1) * sizeof *planner->point);
    *vec_push(plan->arena, &plan->cases) = what;
}

/* The launch at `point`, if the contract admits it: with work, or without and then both ways. */
static bool try_point(struct planner *planner, enum tail_contents contents, bool both_schedules, bool fills)
{
    struct tail_plan *plan = planner->plan;
    plan->space.admits_empty = false;
    if (witness_complete(&plan->space, planner->point, &planner->values)) {
        bool huge = is_long(planner);
        push_case(planner,
                  (struct tail_case){.contents = (uint8_t)contents, .looks_at_fills = fills && !huge, .is_cut = huge});
        if (both_schedules && !huge) /* lanes run apart: up to 32 times the steps */
            push_case(planner, (struct tail_case){.contents = (uint8_t)contents, .is_adversarial = true, .is_cut = true});
        return true;
    }
    plan->space.admits_empty = true;
    bool is_empty = witness_complete(&plan->space, planner->point, &planner->values);
    plan->space.admits_empty = false;
    if (!is_empty || contents != TAIL_PLAIN)
        return is_empty;
    push_case(planner, (struct tail_case){.contents = (uint8_t)contents, .is_idle = true});
    push_case(planner, (struct tail_case){.contents = (uint8_t)contents, .is_empty = true});
    return true;
}

/* Sets the axes that have lists to their n-th value (or their last). */
static void set_together(struct planner *planner, uint32_t n)
{
    for (uint32_t a = 0; a < planner->plan->space.axes.count; a++) {
        const value_list *list = &planner->lists[a];
        if (list->count != 0)
            planner->point[a] = list->data[n < list->count ? n : list->count - 1];
    }
}

static uint32_t longest_list(const struct planner *planner)
{
    uint32_t longest = 0;
    for (uint32_t a = 0; a < planner->plan->space.axes.count; a++)
        if (planner->lists[a].count > longest)
            longest = planner->lists[a].count;
    return longest;
}

/* One axis goes through its list while the others stand at their n-th value. */
static void go_one_by_one(struct planner *planner, uint32_t others)
{
    uint32_t longest = longest_list(planner);
    for (uint32_t n = 0; n < longest; n++)
        for (uint32_t a = 0; a < planner->plan->space.axes.count; a++) {
            if (n >= planner->lists[a].count)
                continue;
            set_together(planner, others);
            planner->point[a] = planner->lists[a].data[n];
            try_point(planner, TAIL_PLAIN, n < 8, false);
        }
}

/* A grid that is the caller's may be one block a row: as many blocks on an axis as each of the sizes. */
static void try_size_as_grid(struct planner *planner)
{
    const struct witness_space *space = &planner->plan->space;
    for (uint32_t g = 0; g < space->axes.count; g++) {
        contract_integer before = planner->point[g];
        for (uint32_t a = 0; a < space->axes.count && space->axes.data[g].kind == WITNESS_GRID; a++)
            if (space->axes.data[a].kind == WITNESS_SCALAR && planner->lists[a].count != 0 && planner->point[a] > 0) {
                planner->point[g] = planner->point[a];
                try_point(planner, TAIL_PLAIN, false, false);
            }
        planner->point[g] = before;
    }
}

/* All sizes at the largest number of their lists that is at most `limit`: products that leave 31 and 32 bits. */
static void try_corner(struct planner *planner, contract_integer limit)
{
    set_together(planner, 0);
    for (uint32_t a = 0; a < planner->plan->space.axes.count; a++) {
        const value_list *list = &planner->lists[a];
        for (uint32_t i = 0; i < list->count; i++)
            if (list->data[i] <= limit && list->data[i] > planner->point[a])
                planner->point[a] = list->data[i];
    }
    try_point(planner, TAIL_PLAIN, false, false);
    try_size_as_grid(planner);
}

static uint32_t count_lists(const struct planner *planner)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < planner->plan->space.axes.count; a++)
        count += planner->lists[a].count != 0;
    return count;
}

static bool has_values(const struct contract *contract)
{
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract_is_given(&contract->parameters.data[p].value_low))
            return true;
    return false;
}

/* Adversarial contents at the sizes that tell most; those come first in the lists. */
static void add_contents(struct planner *planner)
{
    bool bounded = has_values(planner->plan->space.contract);
    for (uint32_t n = 0; n < 5; n++) {
        set_together(planner, n);
        for (unsigned c = TAIL_NEGATIVE; c < (bounded ? TAIL_CONTENTS_COUNT : TAIL_LOW); c++)
            if (n < 2 || c <= TAIL_POSITIVE || c >= TAIL_LOW)
                try_point(planner, (enum tail_contents)c, false, c <= TAIL_POSITIVE);
    }
}

/* ---- axes ---------------------------------------------------------------------------------------------------- */

static contract_integer block_size(struct planner *planner, unsigned axis)
{
    const struct tail_plan *plan = planner->plan;
    const struct contract *contract = plan->space.contract;
    contract_integer value;
    unsigned at = axis < 3 ? axis : 0;
    for (uint32_t a = 0; a < plan->space.axes.count; a++)
        if (plan->space.axes.data[a].kind == WITNESS_BLOCK && plan->space.axes.data[a].index == at)
            return planner->point[a];
    if (contract_is_given(&contract->block[at]) &&
        contract_evaluate_expression(contract, &contract->block[at], &planner->values, &value) == CONTRACT_FINE && value > 0)
        return value;
    return 1;
}

const char *tail_fixed_text(const struct tail_plan *plan, struct arena *arena, const char *name)
{
    const struct launch *given = plan->options->given;
    for (uint32_t i = 0; given != NULL && i < given->arguments.count; i++) {
        const struct launch_argument *argument = &given->arguments.data[i];
        if (argument->kind == ARGUMENT_SCALAR && strcmp(argument->name, name) == 0)
            return arena_text(arena, argument->value.text, argument->value.size);
    }
    return NULL;
}

/* NAME=VALUE of the command line. */
bool tail_is_fixed(const struct tail_plan *plan, uint32_t parameter, contract_integer *value)
{
    struct arena scratch;
    const char *name = plan->space.contract->parameters.data[parameter].name;
    arena_init(&scratch);
    const char *text = name == NULL ? NULL : tail_fixed_text(plan, &scratch, name);
    if (text != NULL)
        *value = text[0] == '-' ? (contract_integer)strtoll(text, NULL, 0) : (contract_integer)strtoull(text, NULL, 0);
    arena_free(&scratch);
    return text != NULL;
}

/* Block axes take the n-th of their choices, sizes go through lists made for that block, other scalars through a few values. */
static void set_axes(struct planner *planner, uint32_t choice)
{
    struct tail_plan *plan = planner->plan;
    const struct contract *contract = plan->space.contract;
    for (uint32_t a = 0; a < plan->space.axes.count; a++) {
        const struct witness_axis *axis = &plan->space.axes.data[a];
        uint32_t rank = axis->kind == WITNESS_BLOCK && axis->index == 0 ? choice : 0;
        planner->lists[a].count = 0;
        planner->point[a] = axis->values.data[rank < axis->values.count ? rank : axis->values.count - 1];
    }
    for (uint32_t a = 0; a < plan->space.axes.count; a++) {
        const struct witness_axis *axis = &plan->space.axes.data[a];
        contract_integer fixed;
        if (axis->kind == WITNESS_SCALAR && tail_is_fixed(plan, axis->index, &fixed)) {
            planner->point[a] = fixed;
        } else if (axis->kind == WITNESS_SCALAR && bitset_has(&planner->sizes, axis->index)) {
            unsigned along = domain_axis(plan->arena, contract, axis->index);
            contract_integer t = elements_of_block(contract, along, block_size(planner, along));
            list_sizes(plan, axis->index, t > 1 ? t : 32, bitset_count(&planner->sizes) > 1 ? SMALL_PRIME : PRIME, choice != 0,
                       &planner->lists[a]);
        } else if (axis->kind != WITNESS_BLOCK && choice == 0) {
            if (axis->kind == WITNESS_SCALAR) /* no size: a divisor, a stride, an offset; what it does at 0 shows there alone */
                add_value(plan->arena, &planner->lists[a], 0);
            for (uint32_t i = 0; i < axis->values.count && i < SHORT_SIZES; i++)
                add_value(plan->arena, &planner->lists[a], axis->values.data[i]);
        }
    }
}

/* Values that no launch of the contract has are taken off the lists, as far as they can be told apart one by one. */
static void thin_lists(struct planner *planner)
{
    struct tail_plan *plan = planner->plan;
    for (uint32_t a = 0; a < plan->space.axes.count; a++) {
        value_list *list = &planner->lists[a];
        const struct witness_axis *axis = &plan->space.axes.data[a];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < list->count && axis->kind == WITNESS_SCALAR; i++)
            if (witness_value_fits(&plan->space, axis->index, list->data[i]))
                list->data[kept++] = list->data[i];
        if (axis->kind == WITNESS_SCALAR)
            list->count = kept;
        contract_integer ignored;
        if (list->count == 0 && axis->kind == WITNESS_SCALAR && plan->options->sizes == NULL &&
            !tail_is_fixed(plan, axis->index, &ignored))
            for (uint32_t i = 0; i < axis->values.count && i < SHORT_SIZES; i++) /* odd requirements: what they admit */
                add_value(plan->arena, list, axis->values.data[i]);
    }
}

/* ---- the user's own sizes -------------------------------------------------------------------------------------- */

static void say_missed(struct planner *planner)
{
    struct tail_plan *plan = planner->plan;
    const struct contract *contract = plan->space.contract;
    for (uint32_t a = 0; a < plan->space.axes.count; a++) {
        const struct witness_axis *axis = &plan->space.axes.data[a];
        bool is_size = axis->kind == WITNESS_SCALAR && bitset_has(&planner->sizes, axis->index);
        if (!is_size)
            continue;
        unsigned along = domain_axis(plan->arena, contract, axis->index);
        long long t = (long long)elements_of_block(contract, along, block_size(planner, along));
        bool partial = false, whole = false, several = false, single = false, small = false, zero = false;
        t = t > 1 ? t : 32;
        for (uint32_t i = 0; i < plan->options->size_count; i++) {
            uint64_t n = plan->options->sizes[i];
            partial |= n % (uint64_t)t != 0;
            whole |= n % (uint64_t)t == 0 && n != 0;
            several |= n > (uint64_t)t;
            single |= n <= (uint64_t)t && n != 0;
            small |= n % (uint64_t)t != 0 && n % (uint64_t)t % 32 != 0;
            zero |= n == 0;
        }
        const char *name = contract->parameters.data[axis->index].name;
        const struct {
            bool is_there;
            const char *text;
        } rows[] = {
            {partial, arena_printf(plan->arena, "`%s` always divides by %lld: no block is partial", name, t)},
            {whole, arena_printf(plan->arena, "`%s` never divides by %lld: the last block is never full", name, t)},
            {small || !partial, arena_printf(plan->arena, "the last block always ends with a whole warp of `%s`", name)},
            {several, arena_printf(plan->arena, "`%s` never needs a second block of %lld", name, t)},
            {single, arena_printf(plan->arena, "`%s` never fits into one block of %lld", name, t)},
            {zero || !witness_value_fits(&plan->space, axis->index, 0), arena_printf(plan->arena, "`%s` is never 0", name)},
        };
        for (unsigned r = 0; r < COUNT_OF(rows); r++)
            if (!rows[r].is_there)
                *vec_push(plan->arena, &plan->missed) = rows[r].text;
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void plan_all(struct planner *planner)
{
    struct tail_plan *plan = planner->plan;
    bool has_block_choice = false;
    for (uint32_t a = 0; a < plan->space.axes.count; a++)
        has_block_choice |= plan->space.axes.data[a].kind == WITNESS_BLOCK && plan->space.axes.data[a].values.count > 1;
    set_axes(planner, 0);
    thin_lists(planner);
    if (plan->options->sizes != NULL)
        say_missed(planner);
    uint32_t lists = count_lists(planner), longest = longest_list(planner);
    for (uint32_t n = 0; n < longest || n == 0; n++) {
        set_together(planner, n);
        try_point(planner, TAIL_PLAIN, true, n < 2);
    }
    if (plan->options->sizes == NULL || has_values(plan->space.contract))
        add_contents(planner);
    const contract_integer corners[] = {(contract_integer)1 << 62, 65537, 46341, 1 << 20};
    for (unsigned c = 0; c < COUNT_OF(corners) && lists > 1 && plan->options->sizes == NULL; c++)
        try_corner(planner, corners[c]);
    for (uint32_t others = 0; others < 3 && lists > 1; others++)
        go_one_by_one(planner, others == 1 ? 2 : others == 2 ? 4 : 0); /* the others fail, fit, are one */
    for (uint32_t choice = 1; choice < BLOCK_CHOICES && has_block_choice; choice++) {
        set_axes(planner, choice);
        thin_lists(planner);
        for (uint32_t n = 0; n < longest_list(planner) || n == 0; n++) {
            set_together(planner, n);
            try_point(planner, TAIL_PLAIN, n < 2, false);
        }
    }
}

/* Golden data: its sizes are fixed; blocks and grids that the contract leaves open take several. */
static void plan_data(struct planner *planner)
{
    for (uint32_t choice = 0; choice < BLOCK_CHOICES; choice++) {
        set_axes(planner, choice);
        thin_lists(planner);
        for (uint32_t n = 0; n < longest_list(planner) || n == 0; n++) {
            set_together(planner, n);
            try_point(planner, TAIL_PLAIN, true, false);
        }
    }
}

/* Blocks that a contract leaves open: whole warps, and one lane more. */
static void order_blocks(struct tail_plan *plan)
{
    static const int sizes[] = {128, 32, 33, 256, 64, 96, 512, 1024, 1};
    for (uint32_t a = 0; a < plan->space.axes.count; a++) {
        struct witness_axis *axis = &plan->space.axes.data[a];
        if (axis->kind != WITNESS_BLOCK || axis->index != 0 || axis->values.count < 2)
            continue;
        value_list admitted = {0};
        for (unsigned i = 0; i < COUNT_OF(sizes); i++)
            if (witness_block_fits(&plan->space, sizes[i]))
                *vec_push(plan->arena, &admitted) = sizes[i];
        if (admitted.count == 0)
            continue;
        axis->values.count = 0;
        for (uint32_t i = 0; i < admitted.count; i++)
            *vec_push(plan->arena, &axis->values) = admitted.data[i];
    }
}

struct tail_plan *tail_plan_make(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                 const struct contract *contract, const struct tail_options *options)
{
    struct tail_plan *plan = ARENA_NEW(arena, struct tail_plan);
    plan->arena = arena;
    plan->options = options;
    if (!witness_space_begin(&plan->space, arena, module, function, contract))
        return NULL;
    order_blocks(plan);
    plan->uses = tail_find_uses(arena, module, function, contract);
    struct planner planner = {
        .plan = plan,
        .values = witness_values_new(arena, contract),
        .point = ARENA_ARRAY(arena, contract_integer, plan->space.axes.count + 1),
        .sizes = find_sizes(arena, contract),
        .lists = ARENA_ARRAY(arena, value_list, plan->space.axes.count + 1),
        .limit = options->launches != 0 ? options->launches : LAUNCHES,
    };
    text_map_init(&planner.known, arena);
    if (options->data_count != 0)
        plan_data(&planner);
    else
        plan_all(&planner);
    if (plan->cases.count == 0 && options->data_count == 0 && options->sizes == NULL && options->given == NULL) {
        /* Requirements between scalars: what the search for witnesses finds. */
        struct witness_walk walk;
        witness_walk_begin(&walk, arena, &plan->space);
        for (unsigned n = 0; n < CHECKED_SIZES && witness_walk_next(&walk, planner.point, &planner.values); n++)
            push_case(&planner, (struct tail_case){.contents = (uint8_t)(n % TAIL_SPECIAL), .looks_at_fills = n < 4});
    }
    return plan->cases.count != 0 ? plan : NULL;
}
