/* SPDX-License-Identifier: Apache-2.0
 *
 * How long must an array be?  Read off its accesses.
 *
 * Requires: a kernel whose accesses to the array were kept because nothing says how long it is.  Gives: the simplest expression over scalars,
 * block and grid below which the prover shows every one of these accesses; what an access reaches at most by its guards (condition_bound.c) is
 * tried first, then the scalars and their products.  Where no expression does for all accesses, the one that does for most of them.
 * Gives up on: indices that come from memory.
 */
#include "check/suggest.h"

#include <string.h>

enum { MOST_CANDIDATES = 48, MOST_ACCESSES = 40, MOST_SCALARS = 4, LARGE = 1 << 20, PLAIN_WEIGHT = 50 };

struct extent_candidate {
    const char *text;
    sym_poly elements;
    sym_facts meaning; /* that it is defined, and not below 0 */
    uint32_t weight, proved;
    bool is_guess; /* no access asked for it */
};

struct extent_search {
    struct condition_search *search;
    uint32_t parameter, element_size;
    VEC(const struct prove_open *) accesses;
    VEC(struct extent_candidate) candidates;
};

/* ---- candidates -------------------------------------------------------------------------------------------------- */

/* Moves the candidate at `at` to where its weight belongs. */
static void sort_in(struct extent_search *extent, uint32_t at)
{
    struct extent_candidate candidate = extent->candidates.data[at];
    for (; at > 0 && extent->candidates.data[at - 1].weight > candidate.weight; at--)
        extent->candidates.data[at] = extent->candidates.data[at - 1];
    extent->candidates.data[at] = candidate;
}

static void add_candidate(struct extent_search *extent, const char *text, uint32_t weight, bool is_guess)
{
    struct condition_search *search = extent->search;
    struct prove *prove = search->prove;
    struct contract_expression expression;
    struct place place = {.file = "extent", .line = 1, .column = 1};
    if (text == NULL || extent->candidates.count == MOST_CANDIDATES)
        return;
    for (uint32_t i = 0; i < extent->candidates.count; i++) {
        struct extent_candidate *known = &extent->candidates.data[i];
        if (strcmp(known->text, text) != 0)
            continue;
        known->is_guess = known->is_guess && is_guess;
        known->weight = known->weight < weight ? known->weight : weight;
        sort_in(extent, i);
        return;
    }
    search->unheard.items.count = 0;
    if (!contract_parse_expression(search->contract, text, strlen(text), place, &expression, &search->unheard))
        return;
    struct extent_candidate candidate = {.text = text, .weight = weight, .is_guess = is_guess};
    uint32_t before = prove->environment->facts.count;
    candidate.elements = sym_of_expression(prove->environment, &expression);
    for (uint32_t i = before; i < prove->environment->facts.count; i++)
        sym_facts_add(prove->kernel, &candidate.meaning, prove->environment->facts.data[i]);
    prove->environment->facts.count = before;
    sym_facts_add(prove->kernel, &candidate.meaning, sym_ge(prove->sym, candidate.elements));
    *vec_push(prove->arena, &extent->candidates) = candidate;
    sort_in(extent, extent->candidates.count - 1);
}

/* Products of guards can be proved of much that nobody would write. */
static bool is_odd(const struct sym *sym, sym_poly poly)
{
    struct sym_poly_data data = sym->polys.data[poly];
    for (uint32_t i = 0; i < data.count; i++)
        if (sym->monomials.data[data.terms[i].monomial].count > 3 || data.terms[i].coefficient > LARGE ||
            data.terms[i].coefficient < -LARGE) /* the limit of a type, not a length */
            return true;
    return data.count > 6;
}

/* Up to where the access reaches at most. */
static void add_reach(struct extent_search *extent, const struct prove_open *open)
{
    struct condition_search *search = extent->search;
    struct sym *sym = search->prove->sym;
    sym_poly below = sym_shift(sym, sym_scale(sym, open->offset, -1), -(sym_integer)open->size);
    condition_bounds bounds = {0};
    sym_facts facts = {0};
    for (uint32_t i = 0; i < open->facts.count; i++)
        *vec_push(search->prove->arena, &facts) = open->facts.data[i];
    for (uint32_t i = 0; i < search->held.count; i++)
        sym_facts_add(search->prove->kernel, &facts, search->held.data[i]);
    condition_find_bounds(search, below, &facts, &bounds);
    for (uint32_t i = 0; i < bounds.count; i++) {
        sym_poly end = sym_scale(sym, bounds.data[i].value, -1);
        sym_integer constant, by = bounds.data[i].scale * extent->element_size;
        if (is_odd(sym, end))
            continue;
        if (sym_is_constant(sym, end, &constant)) {
            if (constant <= 0)
                continue;
            end = sym_constant(sym, (constant + by - 1) / by * by);
        }
        /* The last element begins below `end`, which need not be a multiple of it. */
        uint32_t weight = condition_weight(search, end) + (sym_content(sym, end) % by != 0 ? 6 : 0);
        add_candidate(extent, condition_quotient(search, end, by), weight, false);
    }
}

/* Atoms that the accesses and their guards speak of. */
static struct bitset atoms_met(const struct extent_search *extent)
{
    const struct prove *prove = extent->search->prove;
    struct bitset met;
    bitset_init(&met, prove->arena, prove->sym->atoms.count);
    for (uint32_t i = 0; i < extent->accesses.count; i++) {
        const struct prove_open *open = extent->accesses.data[i];
        sym_collect_atoms(prove->sym, open->offset, &met);
        for (uint32_t f = prove->environment->facts.count; f < open->facts.count; f++)
            sym_collect_cond_atoms(prove->sym, open->facts.data[f], &met);
    }
    return met;
}

/* n / 4, where something is done with it. */
static void add_quotients(struct extent_search *extent, const struct bitset *met, sym_atom scalar, const char *name)
{
    struct prove *prove = extent->search->prove;
    for (sym_atom atom = 0; atom < met->bits; atom++) {
        if (!bitset_has(met, atom))
            continue;
        struct sym_atom_data data = prove->sym->atoms.data[atom];
        sym_integer by;
        if ((data.kind != SYM_QUOTIENT && data.kind != SYM_TRUNCATED) || !sym_is_constant(prove->sym, data.b, &by) || by < 2 ||
            by > 1024 || !sym_mentions(prove->sym, data.a, scalar))
            continue;
        add_candidate(extent, arena_printf(prove->arena, "%s / %d", name, (int)by), 10, true);
        add_candidate(extent, arena_printf(prove->arena, "(%s + %d) / %d", name, (int)by - 1, (int)by), 11, true);
    }
}

static void add_products(struct extent_search *extent)
{
    const struct condition_search *search = extent->search;
    const struct prove *prove = search->prove;
    const struct contract *contract = search->contract;
    struct bitset met = atoms_met(extent);
    const char *names[MOST_SCALARS];
    uint32_t count = 0;
    for (uint32_t p = 0; p < contract->parameters.count && count < MOST_SCALARS; p++) {
        sym_atom atom = condition_scalar_atom(search, p);
        if (atom == SYM_NONE || contract->parameters.data[p].bits < 16 || !bitset_has(&met, atom))
            continue;
        names[count++] = contract->parameters.data[p].name;
        add_quotients(extent, &met, atom, contract->parameters.data[p].name);
    }
    for (uint32_t i = 0; i < count; i++)
        add_candidate(extent, names[i], 12, true);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i; k < count; k++)
            add_candidate(extent, arena_printf(prove->arena, "%s * %s", names[i], names[k]), 13, true);
    if (count == 3)
        add_candidate(extent, arena_printf(prove->arena, "%s * %s * %s", names[0], names[1], names[2]), 16, true);
}

/* ---- trying --------------------------------------------------------------------------------------------------------- */

static bool access_fits(struct extent_search *extent, const struct prove_open *open, const struct extent_candidate *candidate, bool cheap)
{
    struct sym *sym = extent->search->prove->sym;
    sym_poly bytes = sym_scale(sym, candidate->elements, extent->element_size);
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_subtract(sym, bytes, open->offset), -(sym_integer)open->size));
    return condition_answers(extent->search, open, below, &candidate->meaning, cheap);
}

/* The first candidate of that weight that every access fits in. */
static const struct extent_candidate *choose(struct extent_search *extent, uint32_t from, uint32_t end, bool cheap)
{
    for (uint32_t c = 0; c < extent->candidates.count; c++) {
        struct extent_candidate *candidate = &extent->candidates.data[c];
        if (candidate->weight < from || candidate->weight >= end)
            continue;
        if (!cheap && extent->search->extents_left == 0)
            break;
        extent->search->extents_left -= !cheap;
        candidate->proved = 0;
        while (candidate->proved < extent->accesses.count &&
               access_fits(extent, extent->accesses.data[candidate->proved], candidate, cheap))
            candidate->proved++;
        if (candidate->proved == extent->accesses.count &&
            condition_is_possible(extent->search, extent->accesses.data[0], &candidate->meaning))
            return candidate;
    }
    return NULL;
}

/* None does for all: that which does for most accesses, for the conditions to complete. */
static const struct extent_candidate *choose_most(struct extent_search *extent)
{
    const struct extent_candidate *best = NULL;
    for (uint32_t c = 0; c < extent->candidates.count; c++) {
        struct extent_candidate *candidate = &extent->candidates.data[c];
        if (candidate->is_guess)
            continue;
        candidate->proved = 0;
        for (uint32_t i = 0; i < extent->accesses.count; i++)
            candidate->proved += access_fits(extent, extent->accesses.data[i], candidate, true);
        if (best == NULL || candidate->proved > best->proved)
            best = candidate;
    }
    return best;
}

const char *suggest_extent_of(struct condition_search *search, uint32_t parameter, bool quick, sym_facts *meaning)
{
    struct extent_search extent = {.search = search, .parameter = parameter};
    extent.element_size = search->contract->parameters.data[parameter].element_size;
    if (extent.element_size == 0)
        extent.element_size = 1;
    for (uint32_t i = 0; i < search->prove->opens.count && extent.accesses.count < MOST_ACCESSES; i++) {
        const struct prove_open *open = &search->prove->opens.data[i];
        if (open->goal == SYM_TRUE && open->parameter == parameter)
            *vec_push(search->prove->arena, &extent.accesses) = open;
    }
    if (extent.accesses.count == 0)
        return NULL;
    add_products(&extent);
    for (uint32_t i = 0; i < extent.accesses.count; i++)
        add_reach(&extent, extent.accesses.data[i]);
    const struct extent_candidate *best = choose(&extent, 0, PLAIN_WEIGHT, true);
    if (best == NULL && !quick)
        best = choose(&extent, 0, PLAIN_WEIGHT, false);
    if (best == NULL && !quick)
        best = choose(&extent, PLAIN_WEIGHT, UINT32_MAX, true);
    if (best == NULL && !quick)
        best = choose_most(&extent);
    if (best == NULL)
        return NULL;
    for (uint32_t i = 0; i < best->meaning.count; i++)
        sym_facts_add(search->prove->kernel, meaning, best->meaning.data[i]);
    return best->text;
}

/* ---- the block --------------------------------------------------------------------------------------------------------- */

static sym_integer coefficient_of(const struct sym *sym, sym_poly poly, sym_poly atom)
{
    struct sym_poly_data data = sym->polys.data[poly], wanted = sym->polys.data[atom];
    for (uint32_t i = 0; i < data.count && wanted.count == 1; i++)
        if (data.terms[i].monomial == wanted.terms[0].monomial)
            return data.terms[i].coefficient;
    return 0;
}

/* 16 * ctaid.y + tid.y somewhere, and no other number in place of the 16: blocks of 16 rows.  An axis that is not read has 1. */
static void find_block(struct prove *prove, uint64_t block[3])
{
    const struct sym_environment *environment = prove->environment;
    for (int axis = 0; axis < 3; axis++) {
        bool differs = false;
        sym_integer unused;
        block[axis] = sym_is_constant(prove->sym, environment->thread[axis], &unused) ? 1 : 0;
        for (uint32_t v = 0; v < prove->ir->value_count && block[axis] != 1; v++) {
            sym_poly poly = prove->kernel->values[v];
            if (poly == SYM_NONE)
                continue;
            sym_integer thread = coefficient_of(prove->sym, poly, environment->thread[axis]);
            sym_integer group = coefficient_of(prove->sym, poly, environment->block_index[axis]);
            if (thread == 0 || group == 0 || group % thread != 0 || group / thread < 2 || group / thread > 1024)
                continue;
            uint64_t size = (uint64_t)(group / thread);
            differs |= block[axis] != 0 && block[axis] != size;
            block[axis] = size;
        }
        if (differs)
            block[axis] = 0;
    }
}

/* ---- one proof --------------------------------------------------------------------------------------------------------- */

static void suggest_conditions(struct condition_search *search, bool of_wraps)
{
    struct prove *prove = search->prove;
    for (uint32_t i = 0; i < prove->result->sites.count; i++) {
        const struct check_site *site = &prove->result->sites.data[i];
        if (site->verdict == CHECK_UNPROVED && finding_info(site->kind)->family == FAMILY_BOUNDS &&
            (site->kind == FINDING_INDEX_WRAP) == of_wraps)
            condition_of_site(search, i, &search->held);
    }
}

void prove_suggest(struct prove *prove, struct suggest_round *round)
{
    struct condition_search search;
    if (prove->environment->contract == NULL || prove->result->contract_contradicts)
        return;
    condition_begin(&search, prove);
    find_block(prove, round->block);
    /* Indices that wrap reach everywhere: this comes first. */
    suggest_conditions(&search, true);
    for (uint32_t p = 0; p < search.contract->parameters.count; p++) {
        const char *text = NULL;
        if (search.contract->parameters.data[p].kind == CONTRACT_POINTER && prove->environment->extents[p] == SYM_NONE)
            text = suggest_extent_of(&search, p, false, &search.held);
        if (text != NULL)
            *vec_push(prove->arena, &round->extents) = (struct suggest_extent){p, text};
    }
    suggest_conditions(&search, false);
    for (uint32_t i = 0; i < search.texts.count; i++)
        *vec_push(prove->arena, &round->relations) = search.texts.data[i];
}
