/* SPDX-License-Identifier: Apache-2.0
 *
 * One question to the solver, and what is said when it is not answered.
 */
#include "check/prove.h"

#include <string.h>

bool prove_unreachable(struct prove *prove, const sym_facts *facts)
{
    struct sym_limits limits = {.z3_resources = 1, .max_splits = 1, .max_products = 1};
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->data[i] == SYM_FALSE)
            return true;
    return sym_contradict(prove->sym, facts->data, facts->count, &limits) == SYM_PROVED;
}

static bool any_depends_on_data(struct prove *prove, const sym_facts *facts, sym_cond goal)
{
    if (sym_depends_on_data(prove->kernel, goal))
        return true;
    for (uint32_t i = 0; i < facts->count; i++)
        if (sym_depends_on_data(prove->kernel, facts->data[i]))
            return true;
    return false;
}

static sym_atom data_atom_of(struct prove *prove, sym_cond cond)
{
    struct bitset set;
    bitset_init(&set, prove->arena, prove->sym->atoms.count);
    sym_collect_cond_atoms(prove->sym, cond, &set);
    for (sym_atom atom = 0; atom < set.bits && atom < prove->kernel->atoms.count; atom++)
        if (bitset_has(&set, atom) && prove->kernel->atoms.data[atom].is_data && prove->kernel->atoms.data[atom].array != 0)
            return atom;
    return SYM_NONE;
}

sym_atom prove_data_atom(struct prove *prove, const sym_facts *facts, sym_cond goal)
{
    sym_atom atom = data_atom_of(prove, goal);
    for (uint32_t i = 0; i < facts->count && atom == SYM_NONE; i++)
        atom = data_atom_of(prove, facts->data[i]);
    return atom;
}

const char *prove_data_words(struct prove *prove, const sym_facts *facts, sym_cond goal)
{
    sym_atom atom = prove_data_atom(prove, facts, goal);
    if (atom == SYM_NONE)
        return "";
    const struct sym_atom_info *info = &prove->kernel->atoms.data[atom];
    const struct contract_parameter *parameter = &prove->environment->contract->parameters.data[info->array - 1];
    if (!info->is_fixed)
        return arena_printf(prove->arena, ": `%s` may be written in the launch", parameter->name);
    return contract_is_given(&parameter->value_low)
               ? arena_printf(prove->arena, ": LW_VALUES of `%s` do not speak of a part of an element", parameter->name)
               : arena_printf(prove->arena, ": `%s` has no LW_VALUES", parameter->name);
}

/* ---- candidates ------------------------------------------------------------------------------------------ */

struct unknowns {
    sym_atom *atoms;
    sym_integer *values;
    uint32_t count;
};

static void add_unknowns(struct prove *prove, struct unknowns *unknowns, sym_poly poly)
{
    struct bitset set;
    if (poly == SYM_NONE)
        return;
    bitset_init(&set, prove->arena, prove->sym->atoms.count);
    sym_collect_atoms(prove->sym, poly, &set);
    for (sym_atom atom = 0; atom < set.bits; atom++) {
        bool known = !bitset_has(&set, atom) || prove->sym->atoms.data[atom].kind != SYM_VARIABLE;
        for (uint32_t i = 0; i < unknowns->count && !known; i++)
            known = unknowns->atoms[i] == atom;
        if (!known)
            unknowns->atoms[unknowns->count++] = atom;
    }
}

/* The polynomial under the model; false if it is not a constant then. */
static bool value_of(struct prove *prove, const struct unknowns *unknowns, sym_poly poly, contract_integer *value)
{
    sym_poly *constants = ARENA_ARRAY(prove->arena, sym_poly, unknowns->count + 1);
    for (uint32_t i = 0; i < unknowns->count; i++)
        constants[i] = sym_constant(prove->sym, unknowns->values[i]);
    return poly != SYM_NONE &&
           sym_is_constant(prove->sym, sym_substitute(prove->sym, poly, unknowns->atoms, constants, unknowns->count), value);
}

enum { MAX_CANDIDATES = 12 };

/* Scalars and geometry of a launch that may break the goal. */
static void find_candidate(struct prove *prove, const sym_facts *facts, sym_cond goal, struct prove_answer *answer)
{
    struct sym_environment *environment = prove->environment;
    const struct contract *contract = environment->contract;
    if (contract == NULL || prove->options->no_candidates || prove->candidates >= MAX_CANDIDATES)
        return;
    prove->candidates++;
    struct unknowns unknowns = {.atoms = ARENA_ARRAY(prove->arena, sym_atom, prove->sym->atoms.count + 1),
                                .values = ARENA_ARRAY(prove->arena, sym_integer, prove->sym->atoms.count + 1)};
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        add_unknowns(prove, &unknowns, environment->scalars[p]);
    for (int axis = 0; axis < 3; axis++) {
        add_unknowns(prove, &unknowns, environment->block[axis]);
        add_unknowns(prove, &unknowns, environment->grid[axis]);
    }
    if (!sym_find_model(prove->sym, facts->data, facts->count, goal, unknowns.atoms, unknowns.count, unknowns.values,
                        &prove->kernel->limits))
        return;
    struct contract_values values = {
        .scalars = ARENA_ARRAY(prove->arena, contract_integer, contract->parameters.count + 1),
        .lengths = ARENA_ARRAY(prove->arena, contract_integer, contract->parameters.count + 1),
        .has_grid = true};
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (environment->scalars[p] != SYM_NONE && !value_of(prove, &unknowns, environment->scalars[p], &values.scalars[p]))
            return;
    for (int axis = 0; axis < 3; axis++)
        if (!value_of(prove, &unknowns, environment->block[axis], &values.block[axis]) ||
            !value_of(prove, &unknowns, environment->grid[axis], &values.grid[axis]))
            return;
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].kind == CONTRACT_POINTER)
            contract_extent(contract, p, &values, &values.lengths[p]);
    answer->candidate = values;
    answer->has_candidate = true;
}

/* ---- parts that were tested as they are ---------------------------------------------------------------------------- */

/* Is `part` there as a whole among the terms of `whole`? */
static bool has_part(const struct sym *sym, sym_poly whole, sym_poly part)
{
    const struct sym_poly_data *all = &sym->polys.data[whole], *some = &sym->polys.data[part];
    for (uint32_t i = 0; i < some->count; i++) {
        uint32_t j = 0;
        while (j < all->count && all->terms[j].monomial != some->terms[i].monomial)
            j++;
        if (j == all->count || all->terms[j].coefficient != some->terms[i].coefficient)
            return false;
    }
    return some->count > 1;
}

static bool is_wrap(const struct sym_atom_data *atom)
{
    return (atom->kind == SYM_WRAP_SIGNED || atom->kind == SYM_WRAP_UNSIGNED) && atom->bits == 32;
}

static bool lies_in_width(struct prove *prove, const sym_facts *facts, sym_poly poly, const struct sym_atom_data *wrap)
{
    struct sym *sym = prove->sym;
    sym_cond above = sym_ge(sym, sym_shift(sym, poly, -wrap->low));
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_scale(sym, poly, -1), wrap->high));
    return sym_prove(sym, facts->data, facts->count, above, &prove->kernel->limits) == SYM_PROVED &&
           sym_prove(sym, facts->data, facts->count, below, &prove->kernel->limits) == SYM_PROVED;
}

/* A guard may bound u32(x) where x itself may have wrapped: x + y is congruent to u32(x) + y, so wrap(x + y) is that where it fits. */
static sym_poly by_tested_part(struct prove *prove, const sym_facts *facts, sym_atom wrap)
{
    struct sym *sym = prove->sym;
    struct sym_atom_data data = sym->atoms.data[wrap];
    struct bitset set;
    bitset_init(&set, prove->arena, sym->atoms.count);
    for (uint32_t i = 0; i < facts->count; i++)
        sym_collect_cond_atoms(sym, facts->data[i], &set);
    for (sym_atom part = 0; part < set.bits; part++) {
        struct sym_atom_data tested = sym->atoms.data[part];
        if (part == wrap || !bitset_has(&set, part) || !is_wrap(&tested) || tested.a == data.a || !has_part(sym, data.a, tested.a))
            continue;
        sym_poly poly = sym_add(sym, sym_subtract(sym, data.a, tested.a), sym_of_atom(sym, part));
        if (lies_in_width(prove, facts, poly, &data))
            return poly;
    }
    return SYM_NONE;
}

static bool prove_by_parts(struct prove *prove, const sym_facts *facts, sym_cond goal)
{
    struct sym *sym = prove->sym;
    struct sym_cond_data data = sym->conds.data[goal];
    if (data.kind != SYM_GE)
        return false;
    struct sym_poly_data poly = sym->polys.data[data.poly];
    for (uint32_t i = 0; i < poly.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[poly.terms[i].monomial];
        if (monomial.count != 1 || !is_wrap(&sym->atoms.data[monomial.atoms[0]]))
            continue;
        sym_atom wrap = monomial.atoms[0];
        sym_poly value = by_tested_part(prove, facts, wrap);
        if (value == SYM_NONE)
            continue;
        sym_facts changed = {0};
        for (uint32_t f = 0; f < facts->count; f++)
            sym_facts_add(prove->kernel, &changed, sym_substitute_cond(sym, facts->data[f], &wrap, &value, 1));
        goal = sym_substitute_cond(sym, goal, &wrap, &value, 1);
        return sym_prove(sym, changed.data, changed.count, goal, &prove->kernel->limits) == SYM_PROVED;
    }
    return false;
}

/* `facts` may only be added to from now on. */
static struct prove_open *keep(struct prove *prove, const sym_facts *facts, sym_cond goal, struct prove_answer *answer)
{
    struct prove_open *open = vec_push(prove->arena, &answer->opens);
    *open = (struct prove_open){.facts = *facts, .goal = goal, .others = {SYM_FALSE, SYM_FALSE}, .parameter = SYM_NONE};
    return open;
}

void prove_keep_unshaped(struct prove *prove, const sym_facts *facts, uint32_t parameter, sym_poly offset, uint32_t size,
                         struct prove_answer *answer)
{
    sym_facts closed = {0};
    for (uint32_t i = 0; i < facts->count; i++)
        *vec_push(prove->arena, &closed) = facts->data[i];
    sym_facts_close(prove->kernel, &closed, sym_ge(prove->sym, offset));
    struct prove_open *open = keep(prove, &closed, SYM_TRUE, answer);
    open->parameter = parameter;
    open->offset = offset;
    open->size = size;
}

bool prove_goal(struct prove *prove, sym_facts *facts, sym_cond goal, struct prove_answer *answer)
{
    sym_facts_close(prove->kernel, facts, goal);
    if (sym_prove(prove->sym, facts->data, facts->count, goal, &prove->kernel->limits) == SYM_PROVED ||
        prove_by_parts(prove, facts, goal))
        return true;
    keep(prove, facts, goal, answer);
    if (answer->verdict != CHECK_UNPROVED) {
        answer->verdict = CHECK_UNPROVED;
        answer->depends_on_data = any_depends_on_data(prove, facts, goal);
        if (!answer->depends_on_data)
            find_candidate(prove, facts, goal, answer);
    }
    return false;
}
