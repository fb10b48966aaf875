/* SPDX-License-Identifier: Apache-2.0
 *
 * Lemmas by multiplication.  A row f >= 0 times a product r of atoms that are never negative gives f*r >= 0, and with a low bound
 * l of r even f*(r - l) >= 0; an equality may be multiplied by anything; two rows f, g >= 0 give f*g >= 0.  Only products that meet
 * monomials of the system are made: to replace x*rest by what a row says of x, that row is multiplied by rest.
 *
 * A sum of products with a common factor z >= 0, z*A, is compared with z by the sign of A: A >= 1 and z*A >= z, or A = 0 = z*A, or
 * A <= -1 and z*A <= -z.  That is what makes r*n + c = s*n + d with 0 <= c, d < n give r = s.
 *
 * Sound for: everything here is implied.  Gives up on: coefficients that leave 120 bits, degrees over MAX_DEGREE.
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEGREE = 6, MAX_ROW_TERMS = 40, SMALL_BOUND = 1 << 20 }; /* larger bounds only make large coefficients */

struct products {
    struct solve_system *system;
    uint32_t limit;         /* rows that may still be added */
    unsigned new_monomials; /* a product may bring so many */
    uint64_t *table;        /* hashes of the rows there are: open table */
    uint32_t table_size;
    bool added;
};

static uint64_t row_hash(const struct sym_term *terms, uint32_t count, bool equality)
{
    uint64_t sum = equality;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = sym_hash(sym_hash(3, terms[i].monomial), (uint64_t)terms[i].coefficient);
        sum += hash; /* the order does not count */
    }
    return sum | 1;
}

static bool enter_hash(struct products *work, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & (work->table_size - 1);
    for (uint32_t tries = 0; tries < work->table_size && work->table[slot] != 0; tries++) {
        if (work->table[slot] == hash)
            return false;
        slot = (slot + 1) & (work->table_size - 1);
    }
    work->table[slot] = hash;
    return true;
}

/* The monomial, SYM_NONE past MAX_DEGREE. */
static sym_monomial multiply_monomials(struct sym *sym, sym_monomial a, sym_monomial b)
{
    if (a == 0 || b == 0)
        return a == 0 ? b : a;
    struct sym_monomial_data x = sym->monomials.data[a], y = sym->monomials.data[b];
    sym_atom atoms[MAX_DEGREE];
    if (x.count + y.count > MAX_DEGREE)
        return SYM_NONE;
    uint32_t i = 0, j = 0, count = 0;
    while (i < x.count || j < y.count)
        atoms[count++] = j == y.count || (i < x.count && x.atoms[i] <= y.atoms[j]) ? x.atoms[i++] : y.atoms[j++];
    return sym_monomial_of(sym, atoms, count);
}

/* whole / part, or SYM_NONE. */
static sym_monomial divide_monomials(struct sym *sym, sym_monomial whole, sym_monomial part)
{
    struct sym_monomial_data x = sym->monomials.data[whole], y = sym->monomials.data[part];
    sym_atom atoms[32];
    uint32_t count = 0, used = 0;
    if (x.count > COUNT_OF(atoms))
        return SYM_NONE;
    for (uint32_t i = 0; i < x.count; i++) {
        if (used < y.count && x.atoms[i] == y.atoms[used])
            used++;
        else
            atoms[count++] = x.atoms[i];
    }
    return used == y.count ? sym_monomial_of(sym, atoms, count) : SYM_NONE;
}

static bool fits(sym_integer value)
{
    const sym_integer limit = (sym_integer)1 << 120;
    return value < limit && value > -limit;
}

static int compare_terms(const void *a, const void *b)
{
    sym_monomial x = ((const struct sym_term *)a)->monomial, y = ((const struct sym_term *)b)->monomial;
    return (x > y) - (x < y);
}

/* The product of two sums of terms, sorted and merged; NULL when it is too large. */
static struct sym_term *multiply_terms(struct products *work, const struct sym_term *a, uint32_t a_count, const struct sym_term *b,
                                       uint32_t b_count, uint32_t *count)
{
    struct sym_term *terms = ARENA_ARRAY(work->system->arena, struct sym_term, (size_t)a_count * b_count);
    uint32_t made = 0, kept = 0;
    for (uint32_t i = 0; i < a_count; i++) {
        for (uint32_t j = 0; j < b_count; j++) {
            struct sym_term *term = &terms[made++];
            term->monomial = multiply_monomials(work->system->sym, a[i].monomial, b[j].monomial);
            if (term->monomial == SYM_NONE || __builtin_mul_overflow(a[i].coefficient, b[j].coefficient, &term->coefficient) ||
                !fits(term->coefficient))
                return NULL;
        }
    }
    qsort(terms, made, sizeof *terms, compare_terms);
    for (uint32_t i = 0; i < made;) {
        struct sym_term term = terms[i++];
        for (; i < made && terms[i].monomial == term.monomial; i++) {
            term.coefficient += terms[i].coefficient;
            if (!fits(term.coefficient))
                return NULL;
        }
        if (term.coefficient != 0)
            terms[kept++] = term;
    }
    *count = kept;
    return terms;
}

static void try_product(struct products *work, const struct solve_row *row, const struct sym_term *factor, uint32_t factor_count)
{
    struct solve_system *system = work->system;
    if (work->limit == 0 || row->count * factor_count > MAX_ROW_TERMS || system->conflict)
        return;
    uint32_t count;
    struct sym_term *terms = multiply_terms(work, row->terms, row->count, factor, factor_count, &count);
    if (terms == NULL)
        return;
    unsigned fresh = 0;
    bool nonlinear = false;
    for (uint32_t i = 0; i < count; i++) {
        nonlinear |= system->sym->monomials.data[terms[i].monomial].count > 1;
        fresh += terms[i].monomial != 0 && solve_find_column(system, terms[i].monomial) == SYM_NONE;
    }
    if (!nonlinear || fresh > work->new_monomials || !enter_hash(work, row_hash(terms, count, row->equality)))
        return;
    solve_add_scratch_row(system, terms, count, row->equality, (uint8_t)(row->level + 1));
    work->limit--;
    work->added = true;
}

/* row * (rest - low bound of rest), or row * rest for an equality. */
static void multiply_by_monomial(struct products *work, const struct solve_row *row, sym_monomial rest)
{
    struct solve_system *system = work->system;
    struct solve_range range = solve_monomial_range(system, rest);
    uint32_t column = solve_find_column(system, rest);
    if (column != SYM_NONE)
        range = system->columns.data[column].range;
    struct sym_term factor[2] = {{0, 0}, {rest, 1}};
    if (row->equality) {
        try_product(work, row, &factor[1], 1);
        return;
    }
    if (range.low >= 0) {
        if (range.low > 0 && range.low <= SMALL_BOUND) {
            factor[0].coefficient = -range.low;
            try_product(work, row, factor, 2);
        } else {
            try_product(work, row, &factor[1], 1);
        }
    }
    if (range.high <= 0 || (range.low < 0 && range.high <= SMALL_BOUND)) {
        factor[0].coefficient = range.high;
        factor[1].coefficient = -1;
        if (range.high == 0)
            try_product(work, row, &factor[1], 1);
        else
            try_product(work, row, factor, 2);
    }
}

static void multiply_row(struct products *work, const struct solve_row *row, sym_monomial wanted)
{
    struct sym *sym = work->system->sym;
    for (uint32_t i = 0; i < row->count && work->limit != 0; i++) {
        if (row->terms[i].monomial == 0 || row->terms[i].monomial == wanted)
            continue;
        sym_monomial rest = divide_monomials(sym, wanted, row->terms[i].monomial);
        if (rest != SYM_NONE && rest != 0)
            multiply_by_monomial(work, row, rest);
    }
}

/* low <= atom <= high times the rest of the monomial. */
static void multiply_bounds(struct products *work, sym_monomial wanted)
{
    struct solve_system *system = work->system;
    struct sym_monomial_data data = system->sym->monomials.data[wanted];
    for (uint32_t i = 0; i < data.count && work->limit != 0; i++) {
        if (i != 0 && data.atoms[i] == data.atoms[i - 1])
            continue;
        sym_monomial self = solve_monomial_of(system->sym, data.atoms[i]), rest = divide_monomials(system->sym, wanted, self);
        struct solve_range range = solve_atom_range(system, data.atoms[i]);
        struct sym_term terms[2] = {{0, 0}, {self, 1}};
        struct solve_row row = {.terms = terms, .count = 2};
        if (range.low >= -SMALL_BOUND && range.low <= SMALL_BOUND && range.low != 0) {
            terms[0].coefficient = -range.low;
            multiply_by_monomial(work, &row, rest);
        }
        if (range.high <= SMALL_BOUND && range.high != 0) {
            terms[0].coefficient = range.high;
            terms[1].coefficient = -1;
            multiply_by_monomial(work, &row, rest);
        }
    }
}

/* f*g for rows that hold the two factors of a wanted monomial. */
static void multiply_pairs(struct products *work, sym_monomial wanted, uint32_t row_count)
{
    struct solve_system *system = work->system;
    struct sym_monomial_data data = system->sym->monomials.data[wanted];
    if (data.count != 2)
        return;
    uint32_t left[24], right[24], left_count = 0, right_count = 0;
    for (uint32_t i = 0; i < row_count; i++) {
        const struct solve_row *row = &system->rows.data[i];
        if (row->equality || row->count > 6 || row->level != 0)
            continue;
        for (uint32_t j = 0; j < row->count; j++) {
            struct sym_monomial_data term = system->sym->monomials.data[row->terms[j].monomial];
            if (term.count != 1)
                continue;
            if (term.atoms[0] == data.atoms[0] && left_count < COUNT_OF(left))
                left[left_count++] = i;
            if (term.atoms[0] == data.atoms[1] && right_count < COUNT_OF(right))
                right[right_count++] = i;
        }
    }
    for (uint32_t i = 0; i < left_count && work->limit != 0; i++) {
        for (uint32_t j = 0; j < right_count && work->limit != 0; j++) {
            struct solve_row f = system->rows.data[left[i]], g = system->rows.data[right[j]];
            try_product(work, &f, g.terms, g.count);
        }
    }
}

bool solve_multiply_rows(struct solve_system *system, uint32_t limit, unsigned new_monomials)
{
    struct products work = {.system = system, .limit = limit, .new_monomials = new_monomials};
    uint32_t row_count = system->rows.count, column_count = system->columns.count;
    work.table_size = 1024;
    while (work.table_size < 4 * (row_count + limit))
        work.table_size *= 2;
    work.table = ARENA_ARRAY(system->arena, uint64_t, work.table_size);
    for (uint32_t i = 0; i < row_count; i++)
        enter_hash(&work, row_hash(system->rows.data[i].terms, system->rows.data[i].count, system->rows.data[i].equality));
    for (uint32_t column = 0; column < column_count && work.limit != 0; column++) {
        sym_monomial wanted = system->columns.data[column].monomial;
        if (system->sym->monomials.data[wanted].count < 2)
            continue;
        if (new_monomials == 0)
            multiply_bounds(&work, wanted);
        for (uint32_t i = 0; i < row_count && work.limit != 0; i++) {
            struct solve_row row = system->rows.data[i];
            if (row.level < 3)
                multiply_row(&work, &row, wanted);
        }
        if (new_monomials == 0)
            multiply_pairs(&work, wanted, row_count);
    }
    return work.added;
}

/* ---- sign of a factor ------------------------------------------------------------------------------------- */

enum { MAX_SIGN_CLAUSES = 12 };

/* The terms of `row` that hold `common`, without it: A of z*A. */
static sym_poly cofactor(struct sym *sym, const struct solve_row *row, sym_monomial common, bool *mixed)
{
    struct sym_term terms[MAX_ROW_TERMS];
    uint32_t count = 0;
    bool plus = false, minus = false;
    *mixed = false;
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->terms[i].monomial == 0)
            continue;
        sym_monomial rest = divide_monomials(sym, row->terms[i].monomial, common);
        if (rest == SYM_NONE)
            continue;
        terms[count++] = (struct sym_term){rest, row->terms[i].coefficient};
        plus |= row->terms[i].coefficient > 0;
        minus |= row->terms[i].coefficient < 0;
    }
    *mixed = plus && minus;
    return sym_poly_of(sym, terms, count);
}

static bool add_sign_clause(struct solve_system *system, const struct solve_row *row, sym_atom atom)
{
    struct sym *sym = system->sym;
    bool mixed;
    if (solve_atom_range(system, atom).low < 0)
        return false;
    sym_poly a = cofactor(sym, row, solve_monomial_of(sym, atom), &mixed), z = sym_of_atom(sym, atom);
    sym_integer content = sym_content(sym, a);
    struct solve_range range = solve_poly_range(system, a);
    if (!mixed || content == 0 || range.low > 0 || range.high < 0)
        return false;
    a = sym_divide_exact(sym, a, content);
    sym_poly product = sym_multiply(sym, a, z), negative = sym_scale(sym, a, -1);
    sym_cond above = sym_and(sym, sym_ge(sym, sym_shift(sym, a, -1)), sym_ge(sym, sym_subtract(sym, product, z)));
    sym_cond below = sym_and(sym, sym_ge(sym, sym_shift(sym, negative, -1)),
                             sym_ge(sym, sym_scale(sym, sym_add(sym, product, z), -1)));
    sym_cond level = sym_and(sym, sym_eq(sym, a), sym_eq(sym, product));
    solve_assert(system, sym_or(sym, above, sym_or(sym, level, below)));
    return true;
}

bool solve_add_sign_clauses(struct solve_system *system)
{
    unsigned added = 0;
    for (uint32_t i = 0, rows = system->rows.count; i < rows && added < MAX_SIGN_CLAUSES && !system->conflict; i++) {
        struct solve_row row = system->rows.data[i];
        if (row.level != 0 || row.count > MAX_ROW_TERMS)
            continue;
        solve_atoms tried = {0};
        for (uint32_t j = 0; j < row.count; j++) {
            struct sym_monomial_data monomial = system->sym->monomials.data[row.terms[j].monomial];
            for (uint32_t k = 0; monomial.count > 1 && k < monomial.count; k++) {
                bool known = false;
                for (uint32_t t = 0; t < tried.count; t++)
                    known |= tried.data[t] == monomial.atoms[k];
                if (known)
                    continue;
                *vec_push(system->arena, &tried) = monomial.atoms[k];
                added += add_sign_clause(system, &row, monomial.atoms[k]);
            }
        }
    }
    return added != 0;
}
