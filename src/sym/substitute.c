/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks over polynomials and the atoms inside them: substitution, occurrence, collection.  Atoms form a graph without cycles and
 * are visited once, however often they occur.
 */
#include "sym/table.h"

struct substitution {
    struct sym *sym;
    struct sym_scratch *scratch;
    const sym_atom *atoms;
    const sym_poly *values;
    uint32_t count;
    uint32_t atom_limit, cond_limit; /* ids from here on are new: they hold nothing to replace */
};

static sym_poly replace_poly(struct substitution *work, sym_poly a);
static sym_cond replace_cond(struct substitution *work, sym_cond a);

static sym_poly rebuild_join(struct substitution *work, const struct sym_atom_data *data)
{
    struct sym *sym = work->sym;
    struct sym_join join = sym->joins.data[data->index];
    sym_poly *values = ARENA_ARRAY(sym->arena, sym_poly, join.count);
    sym_cond *facts = ARENA_ARRAY(sym->arena, sym_cond, join.count);
    for (uint32_t i = 0; i < join.count; i++) {
        values[i] = replace_poly(work, join.values[i]);
        facts[i] = replace_cond(work, join.facts[i]);
    }
    return sym_of_join(sym, join.block, values, facts, join.count);
}

static sym_poly rebuild_atom(struct substitution *work, sym_atom atom)
{
    struct sym *sym = work->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    if (data.kind == SYM_VARIABLE)
        return sym_of_atom(sym, atom);
    if (data.kind == SYM_JOIN)
        return rebuild_join(work, &data);
    sym_poly a = replace_poly(work, data.a), b = replace_poly(work, data.b);
    sym_cond condition = data.kind == SYM_SELECT ? replace_cond(work, data.condition) : SYM_FALSE;
    if (a == data.a && b == data.b && condition == data.condition)
        return sym_of_atom(sym, atom);
    return sym_atom_with(sym, &data, a, b, condition);
}

static sym_poly replace_atom(struct substitution *work, sym_atom atom)
{
    if (atom >= work->atom_limit)
        return sym_of_atom(work->sym, atom);
    struct sym_scratch *scratch = work->scratch;
    if (scratch->stamps[atom] == scratch->epoch)
        return scratch->values[atom];
    sym_poly value = SYM_NONE;
    for (uint32_t i = 0; i < work->count; i++)
        if (work->atoms[i] == atom)
            value = work->values[i];
    if (value == SYM_NONE)
        value = rebuild_atom(work, atom);
    scratch->stamps[atom] = scratch->epoch;
    scratch->values[atom] = value;
    return value;
}

static sym_poly replace_poly(struct substitution *work, sym_poly a)
{
    struct sym *sym = work->sym;
    struct sym_poly_data data = sym->polys.data[a];
    sym_poly sum = SYM_ZERO;
    bool changed = false;
    /* Terms without a replaced atom are kept together. */
    struct sym_term *kept = data.count <= 1 ? NULL : ARENA_ARRAY(sym->arena, struct sym_term, data.count);
    struct sym_term one;
    if (kept == NULL)
        kept = &one;
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        bool here = false;
        for (uint32_t k = 0; k < monomial.count; k++)
            here |= replace_atom(work, monomial.atoms[k]) != sym_of_atom(sym, monomial.atoms[k]);
        if (!here) {
            kept[kept_count++] = data.terms[i];
            continue;
        }
        changed = true;
        sym_poly product = sym_constant(sym, data.terms[i].coefficient);
        for (uint32_t k = 0; k < monomial.count; k++)
            product = sym_multiply(sym, product, replace_atom(work, monomial.atoms[k]));
        sum = sym_add(sym, sum, product);
    }
    return changed ? sym_add(sym, sum, sym_poly_of(sym, kept, kept_count)) : a;
}

static sym_cond replace_cond(struct substitution *work, sym_cond a)
{
    struct sym *sym = work->sym;
    if (a >= work->cond_limit)
        return a;
    struct sym_scratch *scratch = work->scratch;
    if (scratch->cond_stamps[a] == scratch->epoch)
        return scratch->cond_values[a];
    struct sym_cond_data data = sym->conds.data[a];
    sym_cond value = a, left;
    sym_poly poly;
    switch (data.kind) {
    case SYM_GE:
        poly = replace_poly(work, data.poly);
        value = poly == data.poly ? a : sym_ge(sym, poly);
        break;
    case SYM_EQ:
        poly = replace_poly(work, data.poly);
        value = poly == data.poly ? a : sym_eq(sym, poly);
        break;
    case SYM_NE:
        poly = replace_poly(work, data.poly);
        value = poly == data.poly ? a : sym_ne(sym, poly);
        break;
    case SYM_AND:
        left = replace_cond(work, data.left);
        value = sym_and(sym, left, replace_cond(work, data.right));
        break;
    case SYM_OR:
        left = replace_cond(work, data.left);
        value = sym_or(sym, left, replace_cond(work, data.right));
        break;
    default:
        break;
    }
    scratch->cond_stamps[a] = scratch->epoch;
    scratch->cond_values[a] = value;
    return value;
}

static struct substitution begin_substitution(struct sym *sym, const sym_atom *atoms, const sym_poly *values,
                                              uint32_t count)
{
    return (struct substitution){.sym = sym,
                                 .scratch = sym_scratch_begin(sym),
                                 .atoms = atoms,
                                 .values = values,
                                 .count = count,
                                 .atom_limit = sym->atoms.count,
                                 .cond_limit = sym->conds.count};
}

sym_poly sym_substitute(struct sym *sym, sym_poly a, const sym_atom *atoms, const sym_poly *values, uint32_t count)
{
    struct substitution work = begin_substitution(sym, atoms, values, count);
    return count == 0 ? a : replace_poly(&work, a);
}

sym_cond sym_substitute_cond(struct sym *sym, sym_cond a, const sym_atom *atoms, const sym_poly *values,
                             uint32_t count)
{
    struct substitution work = begin_substitution(sym, atoms, values, count);
    return count == 0 ? a : replace_cond(&work, a);
}

/* ---- occurrence ------------------------------------------------------------------------------------------- */

struct walk {
    const struct sym *sym;
    struct bitset *seen; /* atoms */
};

static void walk_poly(struct walk *walk, sym_poly a);

static void walk_cond(struct walk *walk, sym_cond a)
{
    const struct sym_cond_data *data = &walk->sym->conds.data[a];
    if (data->kind == SYM_AND || data->kind == SYM_OR) {
        walk_cond(walk, data->left);
        walk_cond(walk, data->right);
    } else if (data->kind == SYM_GE || data->kind == SYM_EQ || data->kind == SYM_NE) {
        walk_poly(walk, data->poly);
    }
}

static void walk_atom(struct walk *walk, sym_atom atom)
{
    if (bitset_has(walk->seen, atom))
        return;
    bitset_add(walk->seen, atom);
    const struct sym_atom_data *data = &walk->sym->atoms.data[atom];
    if (data->kind == SYM_VARIABLE)
        return;
    if (data->kind == SYM_JOIN) {
        const struct sym_join *join = &walk->sym->joins.data[data->index];
        for (uint32_t i = 0; i < join->count; i++) {
            walk_poly(walk, join->values[i]);
            walk_cond(walk, join->facts[i]);
        }
        return;
    }
    walk_poly(walk, data->a);
    walk_poly(walk, data->b);
    if (data->kind == SYM_SELECT)
        walk_cond(walk, data->condition);
}

static void walk_poly(struct walk *walk, sym_poly a)
{
    const struct sym_poly_data *data = &walk->sym->polys.data[a];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &walk->sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++)
            walk_atom(walk, monomial->atoms[k]);
    }
}

void sym_collect_atoms(const struct sym *sym, sym_poly a, struct bitset *set)
{
    struct walk walk = {.sym = sym, .seen = set};
    walk_poly(&walk, a);
}

void sym_collect_cond_atoms(const struct sym *sym, sym_cond a, struct bitset *set)
{
    struct walk walk = {.sym = sym, .seen = set};
    walk_cond(&walk, a);
}

/* Does `atom` occur?  Atoms only hold atoms with smaller ids. */
struct search {
    const struct sym *sym;
    sym_atom atom;
    struct sym_scratch *scratch;
};

static bool find_in_poly(struct search *search, sym_poly a);

static bool find_in_cond(struct search *search, sym_cond a)
{
    const struct sym_cond_data *data = &search->sym->conds.data[a];
    if (data->kind == SYM_AND || data->kind == SYM_OR)
        return find_in_cond(search, data->left) || find_in_cond(search, data->right);
    return (data->kind == SYM_GE || data->kind == SYM_EQ || data->kind == SYM_NE) &&
           find_in_poly(search, data->poly);
}

static bool find_in_atom(struct search *search, sym_atom atom)
{
    if (atom == search->atom)
        return true;
    if (atom < search->atom || search->scratch->stamps[atom] == search->scratch->epoch)
        return false;
    search->scratch->stamps[atom] = search->scratch->epoch;
    const struct sym_atom_data *data = &search->sym->atoms.data[atom];
    if (data->kind == SYM_VARIABLE)
        return false;
    if (data->kind == SYM_JOIN) {
        const struct sym_join *join = &search->sym->joins.data[data->index];
        for (uint32_t i = 0; i < join->count; i++)
            if (find_in_poly(search, join->values[i]) || find_in_cond(search, join->facts[i]))
                return true;
        return false;
    }
    return find_in_poly(search, data->a) || find_in_poly(search, data->b) ||
           (data->kind == SYM_SELECT && find_in_cond(search, data->condition));
}

static bool find_in_poly(struct search *search, sym_poly a)
{
    const struct sym_poly_data *data = &search->sym->polys.data[a];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &search->sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++)
            if (find_in_atom(search, monomial->atoms[k]))
                return true;
    }
    return false;
}

bool sym_mentions(struct sym *sym, sym_poly a, sym_atom atom)
{
    struct search search = {.sym = sym, .atom = atom, .scratch = sym_scratch_begin(sym)};
    return find_in_poly(&search, a);
}

bool sym_cond_mentions(struct sym *sym, sym_cond a, sym_atom atom)
{
    struct search search = {.sym = sym, .atom = atom, .scratch = sym_scratch_begin(sym)};
    return find_in_cond(&search, a);
}
