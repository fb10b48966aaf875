/* SPDX-License-Identifier: Apache-2.0
 *
 * Can two threads touch one place with two accesses?
 *
 * Requires: the accesses' offsets in one array, and how the second thread stands to the first.  Gives: true if facts of both places, the
 * two threads being different and the two offsets overlapping contradict each other, case by case over how they differ.
 * Sound for: accesses in their arrays (LW101, LW102 are sites of their own).  Offsets are polynomials modulo 2^64, or 2^32 in shared memory:
 * they are compared as numbers only where they are shown to be small.
 */
#include "check/race.h"

#include <string.h>

/* ---- facts of one access ------------------------------------------------------------------------------------ */

void race_gather(struct race *race, struct race_access *access)
{
    struct prove *prove = race->prove;
    if (access->has_facts)
        return;
    access->has_facts = true;
    sym_facts_at_instruction(prove->kernel, access->instruction, &access->facts);
    for (uint32_t i = 0; i < access->way.count; i++)
        sym_facts_add(prove->kernel, &access->facts, access->way.data[i]);
    sym_facts_close(prove->kernel, &access->facts, sym_ge(prove->sym, access->offset));
    uint32_t own = (uint32_t)(access - race->accesses.data);
    access->facts_class = own;
    for (uint32_t i = 0; i < race->accesses.count && access->facts_class == own; i++) {
        const struct race_access *other = &race->accesses.data[i];
        if (i != own && other->has_facts && other->facts.count == access->facts.count &&
            memcmp(other->facts.data, access->facts.data, access->facts.count * sizeof *access->facts.data) == 0)
            access->facts_class = other->facts_class;
    }
}

/* The offset lies far inside the width of an address, so that its polynomial is the number. */
static bool is_exact(struct race *race, struct race_access *access)
{
    struct prove *prove = race->prove;
    struct sym *sym = prove->sym;
    sym_integer limit = (sym_integer)1 << (access->is_shared ? 30 : 62), low, high;
    if (access->exact != 0)
        return access->exact == 1;
    access->exact = 1;
    sym_interval(sym, access->offset, &low, &high);
    if (low >= -limit && high <= limit)
        return true;
    race_gather(race, access);
    sym_cond above = sym_ge(sym, sym_shift(sym, access->offset, limit));
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_scale(sym, access->offset, -1), limit));
    race->questions += 2;
    if (sym_prove(sym, access->facts.data, access->facts.count, above, &prove->kernel->limits) != SYM_PROVED ||
        sym_prove(sym, access->facts.data, access->facts.count, below, &prove->kernel->limits) != SYM_PROVED)
        access->exact = 2;
    return access->exact == 1;
}

/* ---- different threads ------------------------------------------------------------------------------------------ */

struct difference {
    sym_facts cases; /* one holds of each pair of different threads */
};

/* Places in which `own` and `other` differ, one after the other: the first that differs is smaller, or larger. */
static void add_axes(struct race *race, struct sym_pair *pair, const sym_poly *axes, sym_cond so_far, bool both_ways,
                     struct difference *difference, sym_cond *equal)
{
    struct sym *sym = race->prove->sym;
    *equal = so_far;
    for (int axis = 0; axis < 3; axis++) {
        sym_poly other = sym_pair_other(pair, axes[axis]);
        sym_poly distance = sym_subtract(sym, other, axes[axis]);
        if (other == axes[axis])
            continue;
        sym_cond before = sym_ge(sym, sym_shift(sym, distance, -1));
        sym_cond after = sym_ge(sym, sym_shift(sym, sym_scale(sym, distance, -1), -1));
        *vec_push(race->prove->arena, &difference->cases) = sym_and(sym, *equal, before);
        if (both_ways)
            *vec_push(race->prove->arena, &difference->cases) = sym_and(sym, *equal, after);
        *equal = sym_and(sym, *equal, sym_eq(sym, distance));
    }
}

/* Different threads of a block have different numbers in it: the same difference in one number, where the axes are three. */
static struct difference difference_of_numbers(struct race *race, struct sym_pair *pair, bool both_ways)
{
    struct sym *sym = race->prove->sym;
    struct difference difference = {{0}};
    sym_poly own = sym_linear_thread(race->prove->kernel);
    sym_poly distance = sym_subtract(sym, sym_pair_other(pair, own), own);
    *vec_push(race->prove->arena, &difference.cases) = sym_ge(sym, sym_shift(sym, distance, -1));
    if (both_ways)
        *vec_push(race->prove->arena, &difference.cases) = sym_ge(sym, sym_shift(sym, sym_scale(sym, distance, -1), -1));
    return difference;
}

static void add_warps(struct race *race, struct sym_pair *pair, bool both_ways, struct difference *difference)
{
    struct sym *sym = race->prove->sym;
    sym_poly own = sym_quotient(sym, sym_linear_thread(race->prove->kernel), sym_constant(sym, 32));
    sym_poly distance = sym_subtract(sym, sym_pair_other(pair, own), own);
    *vec_push(race->prove->arena, &difference->cases) = sym_ge(sym, sym_shift(sym, distance, -1));
    if (both_ways)
        *vec_push(race->prove->arena, &difference->cases) = sym_ge(sym, sym_shift(sym, sym_scale(sym, distance, -1), -1));
}

/* `both_ways` false: the two may change places, so one order is enough. */
static struct difference differences(struct race *race, struct sym_pair *pair, enum race_threads threads, bool both_ways)
{
    const struct sym_environment *environment = race->prove->environment;
    struct difference difference = {{0}};
    sym_cond equal = SYM_TRUE;
    if (threads == RACE_OTHER_WARP) {
        add_warps(race, pair, both_ways, &difference);
        return difference;
    }
    if (threads == RACE_ANY_OF_LAUNCH || threads == RACE_OTHER_BLOCK)
        add_axes(race, pair, environment->block_index, equal, both_ways, &difference, &equal);
    if (threads != RACE_OTHER_BLOCK)
        add_axes(race, pair, environment->thread, equal, both_ways, &difference, &equal);
    return difference;
}

/* ---- overlap --------------------------------------------------------------------------------------------------------- */

/* [first, first + size) and [second, second + size) have no byte in common, seen from how far apart they begin. */
static sym_cond no_overlap(struct race *race, sym_poly distance, uint32_t first_size, uint32_t second_size)
{
    struct sym *sym = race->prove->sym;
    sym_integer unit = sym_content(sym, distance);
    if (unit != 0 && unit % first_size == 0 && unit % second_size == 0)
        return sym_ne(sym, distance);
    sym_cond behind = sym_ge(sym, sym_shift(sym, distance, -(sym_integer)first_size));
    sym_cond before = sym_ge(sym, sym_shift(sym, sym_scale(sym, distance, -1), -(sym_integer)second_size));
    return sym_or(sym, behind, before);
}

/* Pairs are many and most are easy: little is spent on each, and on all together. */
static struct sym_limits limits_of(const struct race *race)
{
    bool is_spent = race->is_hopeless || race->prove->sym->stats.z3_calls - race->z3_before >= RACE_Z3_CALLS;
    return (struct sym_limits){.z3_resources = is_spent ? 1 : 60000, .max_splits = 16, .max_products = 120};
}

static bool follows(struct race *race, const sym_facts *facts, sym_cond goal)
{
    struct sym_limits limits = limits_of(race);
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->data[i] == SYM_FALSE)
            return true;
    race->questions++;
    return sym_prove(race->prove->sym, facts->data, facts->count, goal, &limits) == SYM_PROVED;
}

/* ---- mixed radix ------------------------------------------------------------------------------------------------------ */

/* distance = unit * quotient + rest, unit being a multiple of one launch-wide number; false if that occurs nowhere as a plain factor. */
static bool divide_by(struct race *race, sym_poly distance, sym_atom atom, sym_poly *unit, sym_poly *quotient, sym_poly *rest)
{
    struct sym *sym = race->prove->sym;
    struct sym_poly_data data = sym->polys.data[distance];
    sym_poly with = SYM_ZERO;
    *rest = SYM_ZERO;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_poly term = sym_constant(sym, data.terms[i].coefficient);
        bool taken = false;
        for (uint32_t k = 0; k < monomial.count; k++) {
            bool here = !taken && monomial.atoms[k] == atom;
            taken |= here;
            if (!here)
                term = sym_multiply(sym, term, sym_of_atom(sym, monomial.atoms[k]));
        }
        sym_poly *sum = taken ? &with : rest;
        if (!taken) {
            term = sym_constant(sym, data.terms[i].coefficient);
            for (uint32_t k = 0; k < monomial.count; k++)
                term = sym_multiply(sym, term, sym_of_atom(sym, monomial.atoms[k]));
        }
        *sum = sym_add(sym, *sum, term);
    }
    sym_integer content = sym_content(sym, with);
    if (content == 0)
        return false;
    *unit = sym_scale(sym, sym_of_atom(sym, atom), content);
    *quotient = sym_divide_exact(sym, with, content);
    return true;
}

static bool lies_inside(struct race *race, const sym_facts *facts, sym_poly rest, sym_poly unit)
{
    struct sym *sym = race->prove->sym;
    for (int sign = -1; sign <= 1; sign += 2) {
        sym_cond goal = sym_ge(sym, sym_shift(sym, sym_add(sym, unit, sym_scale(sym, rest, sign)), -1));
        if (!follows(race, facts, goal))
            return false;
    }
    return true;
}

/* Adds what follows from `distance == 0` where it is a number in mixed radix, such as (z*m + r)*n + c: all its digits are 0. */
static void add_digits(struct race *race, sym_facts *facts, sym_poly distance, int depth)
{
    struct prove *prove = race->prove;
    struct sym *sym = prove->sym;
    struct bitset atoms;
    if (depth == 0 || distance == SYM_ZERO)
        return;
    bitset_init(&atoms, prove->arena, sym->atoms.count);
    sym_collect_atoms(sym, distance, &atoms);
    for (sym_atom atom = 0; atom < prove->kernel->neutral && atom < atoms.bits; atom++) {
        sym_poly unit, quotient, rest;
        bool is_axis = false;
        for (int axis = 0; axis < 3; axis++)
            is_axis |= sym_of_atom(sym, atom) == prove->environment->thread[axis] ||
                       sym_of_atom(sym, atom) == prove->environment->block_index[axis];
        if (is_axis || !bitset_has(&atoms, atom) || !divide_by(race, distance, atom, &unit, &quotient, &rest) ||
            (rest != SYM_ZERO && !lies_inside(race, facts, rest, unit)))
            continue;
        sym_facts_add(prove->kernel, facts, sym_eq(sym, rest));
        sym_facts_add(prove->kernel, facts, sym_eq(sym, quotient));
        add_digits(race, facts, quotient, depth - 1);
        return;
    }
}

/* distance = unit * quotient + rest for a number `unit`; of the constant `low` more goes to the rest than a multiple leaves. */
static void divide_by_number(struct race *race, sym_poly distance, sym_integer unit, sym_integer low, sym_poly *quotient, sym_poly *rest)
{
    struct sym *sym = race->prove->sym;
    struct sym_poly_data data = sym->polys.data[distance];
    sym_poly with = SYM_ZERO;
    *rest = SYM_ZERO;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_integer coefficient = data.terms[i].coefficient, left = 0;
        if (monomial.count == 0)
            left = coefficient - sym_floor_divide(coefficient, unit) * unit + low;
        else if (coefficient % unit != 0)
            left = coefficient;
        sym_poly product = sym_constant(sym, 1);
        for (uint32_t k = 0; k < monomial.count; k++)
            product = sym_multiply(sym, product, sym_of_atom(sym, monomial.atoms[k]));
        with = sym_add(sym, with, sym_scale(sym, product, coefficient - left));
        *rest = sym_add(sym, *rest, sym_scale(sym, product, left));
    }
    *quotient = with == SYM_ZERO ? SYM_ZERO : sym_divide_exact(sym, with, unit);
}

/* The same for units that are numbers, such as the 132 bytes of a row in 132*(r' - r) + 4*(c' - c); by bounds alone, without a question. */
static bool add_plain_digits(struct race *race, sym_facts *facts, sym_poly distance, int depth)
{
    struct prove *prove = race->prove;
    struct sym *sym = prove->sym;
    uint32_t count = sym->polys.data[distance].count;
    for (uint32_t i = 0; i < count && depth != 0; i++) {
        sym_integer unit = sym->polys.data[distance].terms[i].coefficient;
        unit = unit < 0 ? -unit : unit;
        for (int above = 0; above < 2 && unit > 1; above++) {
            sym_poly quotient, rest;
            sym_integer low, high;
            divide_by_number(race, distance, unit, above != 0 ? -unit : 0, &quotient, &rest);
            sym_interval(sym, rest, &low, &high);
            if (rest == SYM_ZERO || quotient == SYM_ZERO)
                continue;
            /* What makes threads members of a group is no bound of their numbers, but a fact. */
            if ((low <= -unit || high >= unit) && (race->group == IR_NONE || !lies_inside(race, facts, rest, sym_constant(race->prove->sym, unit))))
                continue;
            sym_facts_add(prove->kernel, facts, sym_eq(sym, rest));
            sym_facts_add(prove->kernel, facts, sym_eq(sym, quotient));
            add_plain_digits(race, facts, rest, depth - 1);
            add_plain_digits(race, facts, quotient, depth - 1);
            return true;
        }
    }
    return false;
}

static struct sym_pair *pair_of(struct race *race, enum race_threads threads)
{
    if (race->group != IR_NONE)
        return race->group_pairs.data[race->group]; /* questions in a group are about its own block */
    enum sym_scope scope = threads == RACE_ANY_OF_LAUNCH || threads == RACE_OTHER_BLOCK ? SYM_SCOPE_LAUNCH
                           : threads == RACE_SAME_WARP && race->sync->warp != NULL      ? SYM_SCOPE_WARP
                                                                                         : SYM_SCOPE_BLOCK;
    if (scope == SYM_SCOPE_LAUNCH && race->launch == NULL)
        race->launch = sym_uniform_build(race->prove->kernel, SYM_SCOPE_LAUNCH, NULL);
    if (race->pairs[scope] == NULL)
        race->pairs[scope] = sym_pair_new(race->prove->kernel, scope == SYM_SCOPE_LAUNCH ? race->launch
                                                               : scope == SYM_SCOPE_WARP ? race->sync->warp
                                                                                         : race->sync->block);
    return race->pairs[scope];
}

/* No barrier orders the two: loops that they are in are in unrelated trips. */
static void relate_freely(struct race *race, struct sym_pair *pair, uint32_t a, uint32_t b)
{
    const struct ir_cfg *cfg = race->prove->ir->cfg;
    uint8_t *relations = ARENA_ARRAY(race->prove->arena, uint8_t, cfg->loop_count + 1);
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        bool inside = ir_loop_contains(cfg, l, race->prove->ir->instructions[a].block) ||
                      ir_loop_contains(cfg, l, race->prove->ir->instructions[b].block);
        relations[l] = inside || pair->uniform->loops[l] ? SYM_UNRELATED : SYM_EQUAL_TRIPS;
    }
    sym_pair_relate(pair, relations);
}

static bool is_symmetric(const struct race *race, uint32_t first, uint32_t second, const uint8_t *relations)
{
    for (uint32_t l = 0; relations != NULL && l < race->prove->ir->cfg->loop_count; l++)
        if (relations[l] == SYM_ONE_AHEAD)
            return false;
    return first == second;
}

/* Each way in which the threads can differ leads to no overlap. */
static bool all_cases_follow(struct race *race, sym_facts *facts, const struct difference *difference, sym_cond goal,
                             sym_poly distance, bool has_digits)
{
    struct prove *prove = race->prove;
    uint32_t common = facts->count;
    sym_integer content = has_digits ? sym_content(prove->sym, distance) : 1;
    /* Where they overlap, all digits are equal: known before any question is asked. */
    if (has_digits && add_plain_digits(race, facts, sym_divide_exact(prove->sym, distance, content), 4))
        common = facts->count;
    for (uint32_t c = 0; c < difference->cases.count; c++) {
        facts->count = common;
        sym_facts_add(prove->kernel, facts, difference->cases.data[c]);
        if (follows(race, facts, goal))
            continue;
        if (!has_digits)
            return false;
        has_digits = false;
        facts->count = common;
        sym_facts_add(prove->kernel, facts, sym_not(prove->sym, goal));
        add_digits(race, facts, sym_divide_exact(prove->sym, distance, content), 4);
        if (facts->count <= common + 1)
            return false;
        common = facts->count;
        c--; /* again, with more known */
    }
    return true;
}

bool race_is_apart(struct race *race, uint32_t first, uint32_t second, enum race_threads threads, const uint8_t *relations)
{
    struct prove *prove = race->prove;
    struct race_access *a = &race->accesses.data[first], *b = &race->accesses.data[second];
    struct sym_pair *pair = pair_of(race, threads);
    sym_facts facts = {0};
    if (!is_exact(race, a) || !is_exact(race, b))
        return false;
    race_gather(race, a);
    race_gather(race, b);
    if (relations == NULL)
        relate_freely(race, pair, a->instruction, b->instruction);
    else
        sym_pair_relate(pair, relations);
    sym_poly distance = sym_subtract(prove->sym, sym_pair_other(pair, b->offset), a->offset);
    sym_cond goal = no_overlap(race, distance, a->size, b->size);
    if (goal == SYM_TRUE)
        return true;
    bool symmetric = is_symmetric(race, first, second, relations);
    uint32_t loops = prove->ir->cfg->loop_count, head[6] = {threads, a->facts_class, b->facts_class, goal, symmetric, race->group};
    char *key = arena_alloc(prove->arena, sizeof head + loops);
    memcpy(key, head, sizeof head);
    memcpy(key + sizeof head, pair->relations, loops);
    uint32_t known = text_map_find(&race->known, key, sizeof head + loops);
    if (known != TEXT_MAP_NONE)
        return known == 1;
    for (uint32_t i = 0; i < a->facts.count; i++)
        sym_facts_add(prove->kernel, &facts, a->facts.data[i]);
    sym_pair_add_other(pair, &b->facts, &facts);
    if (threads == RACE_SAME_WARP)
        sym_pair_same_warp(pair, &facts);
    race->is_hopeless = sym_depends_on_data(prove->kernel, goal);
    sym_integer content = sym_content(prove->sym, distance);
    bool has_digits = content != 0 && content % a->size == 0 && content % b->size == 0;
    struct difference difference = differences(race, pair, threads, !symmetric);
    uint32_t common = facts.count;
    bool apart = all_cases_follow(race, &facts, &difference, goal, distance, has_digits);
    bool is_of_block = threads == RACE_ANY_OF_BLOCK || threads == RACE_SAME_WARP;
    if (!apart && is_of_block && sym_linear_thread(prove->kernel) != prove->environment->thread[0]) {
        facts.count = common;
        difference = difference_of_numbers(race, pair, !symmetric);
        apart = all_cases_follow(race, &facts, &difference, goal, distance, has_digits);
    }
    text_map_set(&race->known, key, sizeof head + loops, apart);
    return apart;
}

bool race_is_launch_wide(struct race *race, sym_poly poly)
{
    struct sym_pair *pair = pair_of(race, RACE_ANY_OF_LAUNCH);
    uint32_t loops = race->prove->ir->cfg->loop_count;
    uint8_t *relations = ARENA_ARRAY(race->prove->arena, uint8_t, loops + 1);
    memset(relations, SYM_UNRELATED, loops);
    sym_pair_relate(pair, relations);
    return sym_pair_other(pair, poly) == poly;
}

bool race_is_one_thread(struct race *race, uint32_t first, uint32_t second)
{
    struct prove *prove = race->prove;
    struct race_access *a = &race->accesses.data[first], *b = &race->accesses.data[second];
    struct sym_pair *pair = pair_of(race, RACE_ANY_OF_BLOCK);
    sym_facts facts = {0};
    race_gather(race, a);
    race_gather(race, b);
    relate_freely(race, pair, a->instruction, b->instruction);
    for (uint32_t i = 0; i < a->facts.count; i++)
        sym_facts_add(prove->kernel, &facts, a->facts.data[i]);
    sym_pair_add_other(pair, &b->facts, &facts);
    struct difference difference = differences(race, pair, RACE_ANY_OF_BLOCK, true);
    race->is_hopeless = false;
    return all_cases_follow(race, &facts, &difference, SYM_FALSE, SYM_ZERO, false);
}
