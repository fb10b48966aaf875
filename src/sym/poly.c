/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials and monomials: hash-consed, exact.  A coefficient that would leave 120 bits makes the whole result a free variable,
 * which is sound: the variable stands for the value, and nothing is known of it.
 */
#include "sym/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------------- */

uint32_t sym_table_next(const struct sym_table *table, uint64_t *slot)
{
    if (table->capacity == 0)
        return SYM_NONE;
    uint32_t id = table->slots[*slot & (table->capacity - 1)];
    (*slot)++;
    return id == 0 ? SYM_NONE : id - 1;
}

static void place_id(struct sym_table *table, uint64_t hash, uint32_t id)
{
    uint64_t slot = hash;
    while (table->slots[slot & (table->capacity - 1)] != 0)
        slot++;
    table->slots[slot & (table->capacity - 1)] = id + 1;
}

void sym_table_add(struct sym *sym, struct sym_table *table, uint64_t hash, uint32_t id,
                   uint64_t (*hash_of)(const struct sym *sym, uint32_t id))
{
    if (2 * (table->count + 1) > table->capacity) {
        const uint32_t *old = table->slots;
        uint32_t old_capacity = table->capacity;
        table->capacity = old_capacity == 0 ? 256 : 2 * old_capacity;
        table->slots = ARENA_ARRAY(sym->arena, uint32_t, table->capacity);
        for (uint32_t i = 0; i < old_capacity; i++)
            if (old[i] != 0)
                place_id(table, hash_of(sym, old[i] - 1), old[i] - 1);
    }
    place_id(table, hash, id);
    table->count++;
}

static uint64_t poly_hash(const struct sym *sym, uint32_t id)
{
    return sym->polys.data[id].hash;
}

static uint64_t monomial_hash(const struct sym *sym, uint32_t id)
{
    return sym->monomials.data[id].hash;
}

struct sym_scratch *sym_scratch_begin(struct sym *sym)
{
    struct sym_scratch *scratch = sym->scratch;
    if (scratch->atom_capacity < sym->atoms.count) {
        scratch->atom_capacity = 2 * sym->atoms.count;
        scratch->stamps = ARENA_ARRAY(sym->arena, uint32_t, scratch->atom_capacity);
        scratch->values = ARENA_ARRAY(sym->arena, sym_poly, scratch->atom_capacity);
    }
    if (scratch->cond_capacity < sym->conds.count) {
        scratch->cond_capacity = 2 * sym->conds.count;
        scratch->cond_stamps = ARENA_ARRAY(sym->arena, uint32_t, scratch->cond_capacity);
        scratch->cond_values = ARENA_ARRAY(sym->arena, sym_cond, scratch->cond_capacity);
    }
    scratch->epoch++;
    return scratch;
}

void sym_init(struct sym *sym, struct arena *arena)
{
    memset(sym, 0, sizeof *sym);
    sym->arena = arena;
    sym->poly_table = ARENA_NEW(arena, struct sym_table);
    sym->monomial_table = ARENA_NEW(arena, struct sym_table);
    sym->atom_table = ARENA_NEW(arena, struct sym_table);
    sym->cond_table = ARENA_NEW(arena, struct sym_table);
    sym->scratch = ARENA_NEW(arena, struct sym_scratch);
    sym_poly_of(sym, NULL, 0);     /* SYM_ZERO */
    sym_monomial_of(sym, NULL, 0); /* 1 */
    for (sym_cond truth = SYM_FALSE; truth <= SYM_TRUE; truth++)
        *vec_push(arena, &sym->conds) = (struct sym_cond_data){
            .kind = SYM_CONSTANT_CONDITION, .index = truth, .hash = sym_hash(77, truth)};
}

/* ---- monomials -------------------------------------------------------------------------------------- */

sym_monomial sym_monomial_of(struct sym *sym, const sym_atom *atoms, uint32_t count)
{
    uint64_t hash = sym_hash(11, count);
    for (uint32_t i = 0; i < count; i++)
        hash = sym_hash(hash, atoms[i]);
    uint64_t slot = hash;
    for (uint32_t id; (id = sym_table_next(sym->monomial_table, &slot)) != SYM_NONE;) {
        const struct sym_monomial_data *data = &sym->monomials.data[id];
        if (data->hash == hash && data->count == count &&
            (count == 0 || memcmp(data->atoms, atoms, count * sizeof *atoms) == 0))
            return id;
    }
    struct sym_monomial_data data = {.count = count, .hash = hash};
    if (count != 0)
        data.atoms = arena_copy(sym->arena, atoms, count * sizeof *atoms);
    sym_monomial id = sym->monomials.count;
    *vec_push(sym->arena, &sym->monomials) = data;
    sym_table_add(sym, sym->monomial_table, hash, id, monomial_hash);
    return id;
}

enum { MAX_DEGREE = 24 };

/* The product, or SYM_NONE when it is of too high a degree. */
static sym_monomial monomial_multiply(struct sym *sym, sym_monomial a, sym_monomial b)
{
    if (a == 0)
        return b;
    if (b == 0)
        return a;
    struct sym_monomial_data x = sym->monomials.data[a], y = sym->monomials.data[b];
    sym_atom atoms[MAX_DEGREE];
    if (x.count + y.count > MAX_DEGREE)
        return SYM_NONE;
    uint32_t i = 0, j = 0, count = 0;
    while (i < x.count || j < y.count) {
        if (j == y.count || (i < x.count && x.atoms[i] <= y.atoms[j]))
            atoms[count++] = x.atoms[i++];
        else
            atoms[count++] = y.atoms[j++];
    }
    return sym_monomial_of(sym, atoms, count);
}

/* ---- polynomials ------------------------------------------------------------------------------------- */

static int compare_terms(const void *a, const void *b)
{
    sym_monomial x = ((const struct sym_term *)a)->monomial, y = ((const struct sym_term *)b)->monomial;
    return (x > y) - (x < y);
}

static bool fits(sym_integer value)
{
    const sym_integer limit = (sym_integer)1 << 120;
    return value < limit && value > -limit;
}

static sym_poly give_up(struct sym *sym)
{
    sym->overflowed = true;
    return sym_of_atom(sym, sym_variable(sym, NULL, SYM_MIN, SYM_MAX));
}

sym_poly sym_poly_of(struct sym *sym, struct sym_term *terms, uint32_t count)
{
    if (count > 1)
        qsort(terms, count, sizeof *terms, compare_terms);
    uint32_t kept = 0, degree = 0;
    for (uint32_t i = 0; i < count;) {
        struct sym_term term = terms[i++];
        while (i < count && terms[i].monomial == term.monomial && fits(term.coefficient))
            term.coefficient += terms[i++].coefficient; /* each is below 2^120 */
        if (!fits(term.coefficient))
            return give_up(sym);
        if (term.coefficient != 0) {
            terms[kept++] = term;
            if (sym->monomials.data[term.monomial].count > degree)
                degree = sym->monomials.data[term.monomial].count;
        }
    }
    uint64_t hash = sym_hash(7, kept);
    for (uint32_t i = 0; i < kept; i++) {
        hash = sym_hash(hash, terms[i].monomial);
        hash = sym_hash(hash, (uint64_t)terms[i].coefficient);
        hash = sym_hash(hash, (uint64_t)(terms[i].coefficient >> 64));
    }
    uint64_t slot = hash;
    for (uint32_t id; (id = sym_table_next(sym->poly_table, &slot)) != SYM_NONE;) {
        const struct sym_poly_data *data = &sym->polys.data[id];
        if (data->hash != hash || data->count != kept)
            continue;
        uint32_t i = 0;
        while (i < kept && data->terms[i].monomial == terms[i].monomial &&
               data->terms[i].coefficient == terms[i].coefficient)
            i++;
        if (i == kept)
            return id;
    }
    struct sym_poly_data data = {.count = kept, .degree = degree, .hash = hash};
    if (kept != 0)
        data.terms = arena_copy(sym->arena, terms, kept * sizeof *terms);
    sym_poly id = sym->polys.count;
    *vec_push(sym->arena, &sym->polys) = data;
    sym_table_add(sym, sym->poly_table, hash, id, poly_hash);
    return id;
}

sym_poly sym_constant(struct sym *sym, sym_integer value)
{
    struct sym_term term = {.monomial = 0, .coefficient = value};
    return fits(value) ? sym_poly_of(sym, &term, 1) : give_up(sym);
}

sym_poly sym_of_atom(struct sym *sym, sym_atom atom)
{
    struct sym_term term = {.monomial = sym_monomial_of(sym, &atom, 1), .coefficient = 1};
    return sym_poly_of(sym, &term, 1);
}

/* a + factor * b */
static sym_poly add_scaled(struct sym *sym, sym_poly a, sym_poly b, sym_integer factor)
{
    struct sym_poly_data x = sym->polys.data[a], y = sym->polys.data[b];
    struct sym_term few[64], *terms = few;
    if (x.count + y.count > COUNT_OF(few))
        terms = malloc((x.count + y.count) * sizeof *terms);
    if (terms == NULL)
        return give_up(sym);
    uint32_t count = 0;
    bool overflow = false;
    for (uint32_t i = 0; i < x.count; i++)
        terms[count++] = x.terms[i];
    for (uint32_t i = 0; i < y.count && !overflow; i++) {
        struct sym_term term = y.terms[i];
        overflow = __builtin_mul_overflow(term.coefficient, factor, &term.coefficient) ||
                   !fits(term.coefficient);
        terms[count++] = term;
    }
    sym_poly result = overflow ? give_up(sym) : sym_poly_of(sym, terms, count);
    if (terms != few)
        free(terms);
    return result;
}

sym_poly sym_add(struct sym *sym, sym_poly a, sym_poly b)
{
    if (a == SYM_ZERO)
        return b;
    return b == SYM_ZERO ? a : add_scaled(sym, a, b, 1);
}

sym_poly sym_subtract(struct sym *sym, sym_poly a, sym_poly b)
{
    return b == SYM_ZERO ? a : add_scaled(sym, a, b, -1);
}

sym_poly sym_scale(struct sym *sym, sym_poly a, sym_integer factor)
{
    return factor == 1 ? a : add_scaled(sym, SYM_ZERO, a, factor);
}

sym_poly sym_shift(struct sym *sym, sym_poly a, sym_integer k)
{
    return k == 0 ? a : add_scaled(sym, a, sym_constant(sym, k), 1);
}

enum { MAX_TERMS = 512 };

sym_poly sym_multiply(struct sym *sym, sym_poly a, sym_poly b)
{
    sym_integer k;
    if (sym_is_constant(sym, a, &k))
        return sym_scale(sym, b, k);
    if (sym_is_constant(sym, b, &k))
        return sym_scale(sym, a, k);
    struct sym_poly_data x = sym->polys.data[a], y = sym->polys.data[b];
    if ((uint64_t)x.count * y.count > MAX_TERMS)
        return give_up(sym);
    struct sym_term terms[MAX_TERMS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < x.count; i++)
        for (uint32_t j = 0; j < y.count; j++) {
            struct sym_term term;
            term.monomial = monomial_multiply(sym, x.terms[i].monomial, y.terms[j].monomial);
            if (term.monomial == SYM_NONE ||
                __builtin_mul_overflow(x.terms[i].coefficient, y.terms[j].coefficient,
                                       &term.coefficient) ||
                !fits(term.coefficient))
                return give_up(sym);
            terms[count++] = term;
        }
    return sym_poly_of(sym, terms, count);
}

bool sym_is_constant(const struct sym *sym, sym_poly a, sym_integer *value)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    if (data->count > 1 || (data->count == 1 && data->terms[0].monomial != 0))
        return false;
    *value = data->count == 0 ? 0 : data->terms[0].coefficient;
    return true;
}

sym_integer sym_content(const struct sym *sym, sym_poly a)
{
    sym_integer divisor = 0;
    for (uint32_t i = 0; i < sym->polys.data[a].count; i++) {
        sym_integer x = sym->polys.data[a].terms[i].coefficient;
        x = x < 0 ? -x : x;
        while (x != 0) {
            sym_integer rest = divisor % x;
            divisor = x;
            x = rest;
        }
    }
    return divisor;
}

sym_poly sym_divide_exact(struct sym *sym, sym_poly a, sym_integer k)
{
    struct sym_poly_data data = sym->polys.data[a];
    if (k == 1 || data.count == 0)
        return a;
    struct sym_term *terms = arena_copy(sym->arena, data.terms, data.count * sizeof *terms);
    for (uint32_t i = 0; i < data.count; i++)
        terms[i].coefficient /= k;
    return sym_poly_of(sym, terms, data.count);
}

/* ---- bounds ----------------------------------------------------------------------------------------- */

static sym_integer saturate_multiply(sym_integer a, sym_integer b)
{
    sym_integer product;
    if (a == 0 || b == 0)
        return 0;
    if (a <= SYM_MIN || a >= SYM_MAX || b <= SYM_MIN || b >= SYM_MAX ||
        __builtin_mul_overflow(a, b, &product) || product >= SYM_MAX || product <= SYM_MIN)
        return (a < 0) == (b < 0) ? SYM_MAX : SYM_MIN;
    return product;
}

static void multiply_intervals(sym_integer *low, sym_integer *high, sym_integer low2, sym_integer high2)
{
    sym_integer corner[4] = {saturate_multiply(*low, low2), saturate_multiply(*low, high2),
                             saturate_multiply(*high, low2), saturate_multiply(*high, high2)};
    *low = *high = corner[0];
    for (int i = 1; i < 4; i++) {
        *low = corner[i] < *low ? corner[i] : *low;
        *high = corner[i] > *high ? corner[i] : *high;
    }
}

static sym_integer saturate_add(sym_integer a, sym_integer b, sym_integer none)
{
    if (a == none || b == none)
        return none;
    sym_integer sum = a + b;
    return sum >= SYM_MAX ? SYM_MAX : sum <= SYM_MIN ? SYM_MIN : sum;
}

/* The bounds of one monomial. */
static void monomial_interval(const struct sym *sym, sym_monomial id, sym_integer *from, sym_integer *to)
{
    const struct sym_monomial_data *monomial = &sym->monomials.data[id];
    *from = *to = 1;
    for (uint32_t k = 0; k < monomial->count; k++) {
        const struct sym_atom_data *atom = &sym->atoms.data[monomial->atoms[k]];
        uint32_t power = 1;
        while (k + 1 < monomial->count && monomial->atoms[k + 1] == monomial->atoms[k]) {
            k++;
            power++;
        }
        sym_integer low_power = atom->low, high_power = atom->high;
        for (uint32_t p = 1; p < power; p++)
            multiply_intervals(&low_power, &high_power, atom->low, atom->high);
        if (power % 2 == 0 && low_power < 0)
            low_power = 0;
        multiply_intervals(from, to, low_power, high_power);
    }
}

/* If term i is -c*d*floor(x / d) and the others hold c*x, those terms together are c*(x mod d): marks them in `done` and gives c*d. */
static bool remainder_terms(const struct sym *sym, const struct sym_poly_data *data, uint32_t i, uint64_t *done,
                            sym_integer *constant, sym_integer *factor, sym_integer *divisor)
{
    const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
    if (monomial->count != 1)
        return false;
    const struct sym_atom_data *atom = &sym->atoms.data[monomial->atoms[0]];
    if (atom->kind != SYM_QUOTIENT || !sym_is_constant(sym, atom->b, divisor) || *divisor < 1 ||
        data->terms[i].coefficient % *divisor != 0)
        return false;
    *factor = -(data->terms[i].coefficient / *divisor);
    const struct sym_poly_data *inside = &sym->polys.data[atom->a];
    uint64_t mark = *done | (uint64_t)1 << i;
    sym_integer moved = 0;
    for (uint32_t t = 0; t < inside->count; t++) {
        sym_integer wanted;
        if (__builtin_mul_overflow(inside->terms[t].coefficient, *factor, &wanted))
            return false;
        if (inside->terms[t].monomial == 0) {
            moved = wanted;
            continue;
        }
        uint32_t j = 0;
        while (j < data->count && data->terms[j].monomial != inside->terms[t].monomial)
            j++;
        if (j == data->count || data->terms[j].coefficient != wanted || (mark >> j & 1) != 0)
            return false;
        mark |= (uint64_t)1 << j;
    }
    *done = mark;
    *constant -= moved;
    return true;
}

void sym_interval(const struct sym *sym, sym_poly a, sym_integer *low, sym_integer *high)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    uint64_t done = 0;
    sym_integer constant = 0, factor, divisor;
    *low = *high = 0;
    for (uint32_t i = 0; i < data->count && data->count <= 64; i++)
        if ((done >> i & 1) == 0 && remainder_terms(sym, data, i, &done, &constant, &factor, &divisor)) {
            sym_integer from = 0, to = divisor - 1;
            multiply_intervals(&from, &to, factor, factor);
            *low = saturate_add(*low, from, SYM_MIN);
            *high = saturate_add(*high, to, SYM_MAX);
        }
    for (uint32_t i = 0; i < data->count; i++) {
        if (i < 64 && (done >> i & 1) != 0)
            continue;
        sym_integer from, to;
        monomial_interval(sym, data->terms[i].monomial, &from, &to);
        multiply_intervals(&from, &to, data->terms[i].coefficient, data->terms[i].coefficient);
        *low = saturate_add(*low, from, SYM_MIN);
        *high = saturate_add(*high, to, SYM_MAX);
    }
    if (constant > SYM_MIN && constant < SYM_MAX) {
        *low = saturate_add(*low, constant, SYM_MIN);
        *high = saturate_add(*high, constant, SYM_MAX);
    } else {
        *low = SYM_MIN;
        *high = SYM_MAX;
    }
}
