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

bool prove_goal(struct prove *prove, sym_facts *facts, sym_cond goal, struct prove_answer *answer)
{
    sym_facts_close(prove->kernel, facts, goal);
    if (sym_prove(prove->sym, facts->data, facts->count, goal, &prove->kernel->limits) == SYM_PROVED)
        return true;
    if (answer->verdict != CHECK_UNPROVED) {
        answer->verdict = CHECK_UNPROVED;
        answer->depends_on_data = any_depends_on_data(prove, facts, goal);
        if (!answer->depends_on_data)
            find_candidate(prove, facts, goal, answer);
    }
    return false;
}
