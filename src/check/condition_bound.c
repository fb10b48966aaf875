/* SPDX-License-Identifier: Apache-2.0
 *
 * What a polynomial is never below, with all that differs between threads and trips taken out of it.
 *
 * A term with such an atom is cancelled by a fact that bounds it, times whatever the term has besides (taken to be positive), or replaced by
 * its bound or its cases, one after the other, until only scalars, block and grid are left.  A search of a few hundred steps, depth first,
 * facts in the order in which they stand: guards before geometry.  Its answers are guesses that the prover is asked about.
 */
#include "check/condition.h"

#include <string.h>

enum { MOST_DEPTH = 9, MOST_STEPS = 400, MOST_BOUNDS = 12, MOST_TERMS = 14, MOST_FACTS = 96, MOST_DEGREE = 4 };

struct bound_walk {
    struct condition_search *search;
    sym_poly facts[MOST_FACTS]; /* each is at least 0 */
    uint32_t fact_count;
    uint32_t steps_left;
    VEC(sym_poly) seen;
    condition_bounds *bounds;
};

static void walk_down(struct bound_walk *walk, sym_poly poly, sym_integer scale, uint32_t depth);

/* ---- facts ---------------------------------------------------------------------------------------------------- */

static void add_fact(struct bound_walk *walk, sym_poly poly)
{
    if (walk->fact_count == MOST_FACTS || walk->search->prove->sym->polys.data[poly].count > MOST_TERMS)
        return;
    for (uint32_t i = 0; i < walk->fact_count; i++)
        if (walk->facts[i] == poly)
            return;
    walk->facts[walk->fact_count++] = poly;
}

static void add_condition(struct bound_walk *walk, sym_cond cond)
{
    struct sym *sym = walk->search->prove->sym;
    struct sym_cond_data data = sym->conds.data[cond];
    if (data.kind == SYM_GE || data.kind == SYM_EQ)
        add_fact(walk, data.poly);
    if (data.kind == SYM_EQ)
        add_fact(walk, sym_scale(sym, data.poly, -1));
    if (data.kind == SYM_AND) {
        add_condition(walk, data.left);
        add_condition(walk, sym->conds.data[cond].right);
    }
}

static bool is_wrap(const struct sym_atom_data *atom)
{
    return atom->kind == SYM_WRAP_SIGNED || atom->kind == SYM_WRAP_UNSIGNED;
}

/* As if nothing wrapped. */
static sym_poly exact(struct bound_walk *walk, sym_poly poly)
{
    struct sym *sym = walk->search->prove->sym;
    for (int round = 0; round < 12; round++) {
        struct bitset *set = condition_scratch(walk->search);
        sym_poly before = poly;
        uint32_t count = sym->atoms.count;
        sym_collect_atoms(sym, poly, set);
        for (sym_atom atom = 0; atom < count && poly == before; atom++) {
            struct sym_atom_data data = sym->atoms.data[atom];
            if (bitset_has(set, atom) && is_wrap(&data))
                poly = sym_substitute(sym, poly, &atom, &data.a, 1);
        }
        if (poly == before)
            return poly;
    }
    return poly;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool is_launch_atom(const struct bound_walk *walk, sym_atom atom)
{
    return atom < walk->search->launch_atoms.bits && bitset_has(&walk->search->launch_atoms, atom);
}

/* The first term that differs in a launch: those of several atoms first. */
static bool first_term(const struct bound_walk *walk, sym_poly poly, struct sym_term *term)
{
    const struct sym *sym = walk->search->prove->sym;
    const struct sym_poly_data *data = &sym->polys.data[poly];
    uint32_t most = 0;
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        bool varies = false;
        for (uint32_t k = 0; k < monomial->count; k++)
            varies |= !is_launch_atom(walk, monomial->atoms[k]) &&
                      !condition_is_of_launch(walk->search, sym_of_atom(walk->search->prove->sym, monomial->atoms[k]));
        if (varies && monomial->count > most) {
            most = monomial->count;
            *term = data->terms[i];
        }
    }
    return most != 0;
}

/* monomial / divisor */
static bool divide(struct sym *sym, sym_monomial monomial, sym_monomial divisor, sym_poly *quotient)
{
    struct sym_monomial_data a = sym->monomials.data[monomial], b = sym->monomials.data[divisor];
    uint32_t j = 0;
    *quotient = sym_constant(sym, 1);
    for (uint32_t i = 0; i < a.count; i++) {
        if (j < b.count && a.atoms[i] == b.atoms[j])
            j++;
        else
            *quotient = sym_multiply(sym, *quotient, sym_of_atom(sym, a.atoms[i]));
    }
    return j == b.count && b.count != 0;
}

/* poly - factor * fact, where the fact holds the term or a part of it with the same sign. */
static void cancel_by(struct bound_walk *walk, sym_poly poly, sym_integer scale, struct sym_term term, sym_poly fact, uint32_t depth)
{
    struct sym *sym = walk->search->prove->sym;
    struct sym_poly_data data = sym->polys.data[fact];
    for (uint32_t i = 0; i < data.count; i++) {
        sym_poly factor;
        sym_integer c = term.coefficient, d = data.terms[i].coefficient;
        if ((c > 0) != (d > 0) || !divide(sym, term.monomial, data.terms[i].monomial, &factor))
            continue;
        sym_integer times = 1;
        if (c % d != 0) {
            times = d < 0 ? -d : d;
            if (times > 4096 || scale > 4096)
                continue;
        }
        sym_poly product = sym_scale(sym, sym_multiply(sym, fact, factor), times * c / d);
        walk_down(walk, sym_subtract(sym, sym_scale(sym, poly, times), product), scale * times, depth + 1);
    }
}

static void replace(struct bound_walk *walk, sym_poly poly, sym_integer scale, struct sym_term term, sym_atom atom, sym_poly value,
                    uint32_t depth)
{
    struct sym *sym = walk->search->prove->sym;
    struct sym_monomial_data monomial = sym->monomials.data[term.monomial];
    sym_poly before = sym_constant(sym, term.coefficient), after = before;
    bool done = false;
    for (uint32_t k = 0; k < monomial.count; k++) {
        bool here = !done && monomial.atoms[k] == atom;
        done |= here;
        before = sym_multiply(sym, before, sym_of_atom(sym, monomial.atoms[k]));
        after = sym_multiply(sym, after, here ? value : sym_of_atom(sym, monomial.atoms[k]));
    }
    walk_down(walk, sym_add(sym, sym_subtract(sym, poly, before), after), scale, depth + 1);
}

/* What is known of floor(a / b) and a - b*floor(a / b) by their meaning. */
static void add_quotient_facts(struct bound_walk *walk, sym_atom atom)
{
    struct sym *sym = walk->search->prove->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    sym_poly product = sym_multiply(sym, data.b, sym_of_atom(sym, atom));
    sym_poly rest = sym_subtract(sym, data.a, product);
    add_fact(walk, sym_shift(sym, sym_subtract(sym, data.b, rest), -1));
    add_fact(walk, rest);
    /* a <= b*t - 1 gives floor(a / b) <= t - 1. */
    for (uint32_t i = 0, count = walk->fact_count; i < count; i++) {
        sym_poly limit = sym_shift(sym, sym_add(sym, walk->facts[i], data.a), 1);
        struct sym_poly_data terms = sym->polys.data[limit], by = sym->polys.data[data.b];
        sym_poly times = SYM_ZERO, part;
        if (by.count != 1 || terms.count > 4 || sym_mentions(sym, limit, atom))
            continue;
        bool good = true;
        for (uint32_t t = 0; t < terms.count && good; t++) {
            good = terms.terms[t].coefficient % by.terms[0].coefficient == 0 &&
                   (sym->monomials.data[by.terms[0].monomial].count == 0 ||
                    divide(sym, terms.terms[t].monomial, by.terms[0].monomial, &part));
            if (good && sym->monomials.data[by.terms[0].monomial].count == 0) {
                part = sym_constant(sym, 1);
                const struct sym_monomial_data monomial = sym->monomials.data[terms.terms[t].monomial];
                for (uint32_t k = 0; k < monomial.count; k++)
                    part = sym_multiply(sym, part, sym_of_atom(sym, monomial.atoms[k]));
            }
            if (good)
                times = sym_add(sym, times, sym_scale(sym, part, terms.terms[t].coefficient / by.terms[0].coefficient));
        }
        if (good && condition_is_of_launch(walk->search, times))
            add_fact(walk, sym_shift(sym, sym_subtract(sym, times, sym_of_atom(sym, atom)), -1));
    }
}

/* A thread or block index has the block or the grid as its bound, not what the largest of these would be. */
static bool has_own_limit(const struct bound_walk *walk, sym_atom atom)
{
    const struct sym_environment *environment = walk->search->prove->environment;
    struct sym *sym = walk->search->prove->sym;
    sym_poly poly = sym_of_atom(sym, atom);
    sym_integer unused;
    for (int axis = 0; axis < 3; axis++)
        if ((poly == environment->thread[axis] && !sym_is_constant(sym, environment->block[axis], &unused)) ||
            (poly == environment->block_index[axis] && !sym_is_constant(sym, environment->grid[axis], &unused)))
            return false;
    return true;
}

static bool is_number(const struct sym *sym, sym_poly poly)
{
    sym_integer unused;
    return sym_is_constant(sym, poly, &unused);
}

static void use_definition(struct bound_walk *walk, sym_poly poly, sym_integer scale, struct sym_term term, sym_atom atom, uint32_t depth)
{
    struct sym *sym = walk->search->prove->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    bool wants_high = term.coefficient < 0;
    sym_integer limit = wants_high ? data.high : data.low;
    uint32_t facts = walk->fact_count;
    switch (data.kind) {
    case SYM_QUOTIENT:
    case SYM_TRUNCATED:
        add_quotient_facts(walk, atom);
        for (uint32_t i = walk->fact_count; i-- > facts;)
            cancel_by(walk, poly, scale, term, walk->facts[i], depth);
        if (walk->fact_count - facts <= 2 && wants_high && !is_number(sym, data.b))
            replace(walk, poly, scale, term, atom, data.a, depth);
        break;
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
    case SYM_SELECT:
        replace(walk, poly, scale, term, atom, data.a, depth);
        replace(walk, poly, scale, term, atom, data.b, depth);
        break;
    case SYM_JOIN: {
        struct sym_join join = sym->joins.data[data.index];
        for (uint32_t i = 0; i < join.count && i < 4; i++) {
            facts = walk->fact_count;
            add_condition(walk, join.facts[i]);
            replace(walk, poly, scale, term, atom, join.values[i], depth);
            walk->fact_count = facts;
        }
        break;
    }
    case SYM_BIT_AND:
        if (wants_high) {
            replace(walk, poly, scale, term, atom, data.a, depth);
            replace(walk, poly, scale, term, atom, data.b, depth);
        }
        break;
    default:
        break;
    }
    walk->fact_count = facts;
    /* Its own bounds, unless they are only those of its type. */
    if ((!wants_high || has_own_limit(walk, atom)) && limit > -(sym_integer)(1 << 20) && limit < (sym_integer)(1 << 20))
        replace(walk, poly, scale, term, atom, sym_constant(sym, limit), depth);
}

static void walk_down(struct bound_walk *walk, sym_poly poly, sym_integer scale, uint32_t depth)
{
    const struct sym *sym = walk->search->prove->sym;
    struct sym_term term = {0};
    if (walk->steps_left == 0 || walk->bounds->count >= MOST_BOUNDS || sym->polys.data[poly].count > MOST_TERMS ||
        sym->polys.data[poly].degree > MOST_DEGREE)
        return;
    walk->steps_left--;
    for (uint32_t i = 0; i < walk->seen.count; i++)
        if (walk->seen.data[i] == poly)
            return;
    *vec_push(walk->search->prove->arena, &walk->seen) = poly;
    if (!first_term(walk, poly, &term)) {
        *vec_push(walk->search->prove->arena, walk->bounds) = (struct condition_bound){poly, scale};
        return;
    }
    if (depth == MOST_DEPTH)
        return;
    for (uint32_t i = 0; i < walk->fact_count; i++)
        cancel_by(walk, poly, scale, term, walk->facts[i], depth);
    struct sym_monomial_data monomial = sym->monomials.data[term.monomial];
    for (uint32_t k = 0; k < monomial.count; k++)
        if (!is_launch_atom(walk, monomial.atoms[k]) && (k == 0 || monomial.atoms[k] != monomial.atoms[k - 1]))
            use_definition(walk, poly, scale, term, monomial.atoms[k], depth);
}

/* ---- the search ---------------------------------------------------------------------------------------------------- */

static void begin_facts(struct bound_walk *walk, const sym_facts *facts, bool is_exact)
{
    struct sym_environment *environment = walk->search->prove->environment;
    walk->fact_count = 0;
    for (int of_launch = 0; of_launch <= 1; of_launch++) { /* guards and loops first */
        for (uint32_t i = 0; i < facts->count; i++) {
            bool is_launch = false;
            for (uint32_t e = 0; e < environment->facts.count && !is_launch; e++)
                is_launch = environment->facts.data[e] == facts->data[i];
            for (uint32_t e = 0; e < environment->thread_facts.count && !is_launch; e++)
                is_launch = environment->thread_facts.data[e] == facts->data[i];
            if (is_launch == (of_launch == 1))
                add_condition(walk, facts->data[i]);
        }
    }
    for (uint32_t i = 0; i < walk->fact_count && is_exact; i++)
        walk->facts[i] = exact(walk, walk->facts[i]);
}

void condition_find_bounds(struct condition_search *search, sym_poly poly, const sym_facts *facts, condition_bounds *bounds)
{
    struct bound_walk *walk = ARENA_NEW(search->prove->arena, struct bound_walk);
    walk->search = search;
    walk->bounds = bounds;
    for (int is_exact = 0; is_exact <= 1; is_exact++) {
        sym_poly start = is_exact ? exact(walk, poly) : poly;
        uint32_t before = bounds->count;
        begin_facts(walk, facts, is_exact);
        walk->steps_left = MOST_STEPS;
        walk->seen.count = 0;
        walk_down(walk, start, 1, 0);
        if (bounds->count != before && !is_exact && start == exact(walk, poly))
            return;
    }
}
