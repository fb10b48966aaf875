/* SPDX-License-Identifier: Apache-2.0
 *
 * Systems: rows, columns, clauses, and the propagation of bounds through them.
 *
 * Sound: every bound is implied by what was asserted and the definitions of atoms.  Arithmetic saturates (solve_bound.c).  Gives up
 * on: anything past MAX_COLUMNS or MAX_ROWS; what is left out makes the system weaker, never stronger.
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <string.h>

enum { MAX_COLUMNS = 6000, MAX_ROWS = 8000, MAX_CLAUSES = 1500, MAX_NESTING = 200 };

void solve_system_init(struct solve_system *system, struct sym *sym, struct arena *arena)
{
    memset(system, 0, sizeof *system);
    system->sym = sym;
    system->arena = arena;
    system->slot_count = 128;
    system->slots = ARENA_ARRAY(arena, uint32_t, system->slot_count);
}

/* ---- columns ---------------------------------------------------------------------------------------- */

static uint32_t first_slot(const struct solve_system *system, sym_monomial monomial)
{
    return (uint32_t)(((uint64_t)monomial * 0x9e3779b97f4a7c15u) >> 32) & (system->slot_count - 1);
}

uint32_t solve_find_column(const struct solve_system *system, sym_monomial monomial)
{
    for (uint32_t slot = first_slot(system, monomial); system->slots[slot] != 0; slot = (slot + 1) & (system->slot_count - 1))
        if (system->columns.data[system->slots[slot] - 1].monomial == monomial)
            return system->slots[slot] - 1;
    return SYM_NONE;
}

static void enter_column(struct solve_system *system, uint32_t column)
{
    uint32_t slot = first_slot(system, system->columns.data[column].monomial);
    while (system->slots[slot] != 0)
        slot = (slot + 1) & (system->slot_count - 1);
    system->slots[slot] = column + 1;
}

uint32_t solve_column_of(struct solve_system *system, sym_monomial monomial)
{
    uint32_t column = solve_find_column(system, monomial);
    if (column != SYM_NONE)
        return column;
    struct sym_monomial_data data = system->sym->monomials.data[monomial];
    if (data.count == 1) {
        const struct sym_atom_data *atom = &system->sym->atoms.data[data.atoms[0]];
        *vec_push(system->arena, &system->atoms) = data.atoms[0];
        *vec_push(system->arena, &system->columns) = (struct solve_column){monomial, {atom->low, atom->high}};
    } else {
        for (uint32_t i = 0; i < data.count; i++)
            if (i == 0 || data.atoms[i] != data.atoms[i - 1])
                solve_column_of(system, solve_monomial_of(system->sym, data.atoms[i]));
        *vec_push(system->arena, &system->columns) = (struct solve_column){monomial, solve_monomial_range(system, monomial)};
    }
    column = system->columns.count - 1;
    if (2 * system->columns.count > system->slot_count) {
        system->slot_count *= 2;
        system->slots = ARENA_ARRAY(system->arena, uint32_t, system->slot_count);
        for (uint32_t i = 0; i < column; i++)
            enter_column(system, i);
    }
    enter_column(system, column);
    return column;
}

void solve_note_poly(struct solve_system *system, sym_poly poly)
{
    struct sym_poly_data data = system->sym->polys.data[poly];
    for (uint32_t i = 0; i < data.count; i++)
        if (data.terms[i].monomial != 0)
            solve_column_of(system, data.terms[i].monomial);
}

static void note_nested(struct solve_system *system, sym_cond cond, unsigned depth)
{
    struct sym_cond_data data = system->sym->conds.data[cond];
    if (depth > MAX_NESTING || system->columns.count > MAX_COLUMNS)
        return;
    if (data.kind == SYM_GE || data.kind == SYM_EQ || data.kind == SYM_NE) {
        solve_note_poly(system, data.poly);
    } else if (data.kind == SYM_AND || data.kind == SYM_OR) {
        note_nested(system, data.left, depth + 1);
        note_nested(system, data.right, depth + 1);
    }
}

void solve_note_cond(struct solve_system *system, sym_cond cond)
{
    note_nested(system, cond, 0);
}

/* ---- ranges ----------------------------------------------------------------------------------------- */

struct solve_range solve_atom_range(const struct solve_system *system, sym_atom atom)
{
    uint32_t column = solve_find_column(system, solve_monomial_of(system->sym, atom));
    if (column != SYM_NONE)
        return system->columns.data[column].range;
    const struct sym_atom_data *data = &system->sym->atoms.data[atom];
    return (struct solve_range){data->low, data->high};
}

struct solve_range solve_monomial_range(const struct solve_system *system, sym_monomial monomial)
{
    struct sym_monomial_data data = system->sym->monomials.data[monomial];
    struct solve_range range = {1, 1};
    for (uint32_t i = 0; i < data.count;) {
        uint32_t run = 1;
        while (i + run < data.count && data.atoms[i + run] == data.atoms[i])
            run++;
        range = solve_range_multiply(range, solve_range_power(solve_atom_range(system, data.atoms[i]), run));
        i += run;
    }
    return range;
}

struct solve_range solve_poly_range(const struct solve_system *system, sym_poly poly)
{
    struct sym_poly_data data = system->sym->polys.data[poly];
    struct solve_range sum = {0, 0};
    for (uint32_t i = 0; i < data.count; i++) {
        struct solve_range range = {1, 1};
        if (data.terms[i].monomial != 0) {
            uint32_t column = solve_find_column(system, data.terms[i].monomial);
            range = column != SYM_NONE ? system->columns.data[column].range
                                       : solve_monomial_range(system, data.terms[i].monomial);
        }
        sum = solve_range_add(sum, solve_range_scale(range, data.terms[i].coefficient));
    }
    return sum;
}

static int nested_truth(const struct solve_system *system, sym_cond cond, unsigned depth)
{
    struct sym_cond_data data = system->sym->conds.data[cond];
    struct solve_range range;
    int left, right;
    switch (data.kind) {
    case SYM_CONSTANT_CONDITION:
        return cond == SYM_TRUE;
    case SYM_GE:
        range = solve_poly_range(system, data.poly);
        return range.low >= 0 ? 1 : range.high < 0 ? 0 : -1;
    case SYM_EQ:
    case SYM_NE:
        range = solve_poly_range(system, data.poly);
        if (range.low > 0 || range.high < 0)
            return data.kind == SYM_NE;
        return range.low == 0 && range.high == 0 ? data.kind == SYM_EQ : -1;
    case SYM_AND:
    case SYM_OR:
        if (depth > MAX_NESTING)
            return -1;
        left = nested_truth(system, data.left, depth + 1);
        if (left == (data.kind == SYM_OR))
            return left;
        right = nested_truth(system, data.right, depth + 1);
        return right == (data.kind == SYM_OR) || left == right ? right : -1;
    case SYM_UNKNOWN:
        for (uint32_t i = 0; i < system->truths.count; i++) {
            const struct sym_cond_data *truth = &system->sym->conds.data[system->truths.data[i]];
            if (truth->index == data.index)
                return truth->negated == data.negated;
        }
        return -1;
    default:
        return -1;
    }
}

int solve_truth(const struct solve_system *system, sym_cond cond)
{
    return nested_truth(system, cond, 0);
}

/* ---- asserting --------------------------------------------------------------------------------------- */

void solve_add_scratch_row(struct solve_system *system, struct sym_term *terms, uint32_t count, bool equality, uint8_t level)
{
    sym_integer divisor = 0, constant = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (terms[i].coefficient == 0)
            continue;
        if (terms[i].monomial == 0)
            constant = terms[i].coefficient;
        else
            divisor = solve_common_divisor(divisor, terms[i].coefficient);
        terms[kept++] = terms[i];
    }
    if (divisor == 0) {
        if (equality ? constant != 0 : constant < 0)
            system->conflict = true;
        return;
    }
    if (equality && constant % divisor != 0) {
        system->conflict = true;
        return;
    }
    for (uint32_t i = 0; i < kept && divisor > 1; i++)
        terms[i].coefficient = solve_floor_divide(terms[i].coefficient, divisor);
    if (system->rows.count >= MAX_ROWS || system->columns.count >= MAX_COLUMNS) {
        system->too_large = true;
        return;
    }
    for (uint32_t i = 0; i < kept; i++)
        if (terms[i].monomial != 0)
            solve_column_of(system, terms[i].monomial);
    *vec_push(system->arena, &system->rows) =
        (struct solve_row){.terms = terms, .count = kept, .equality = equality, .level = level};
}

void solve_add_row(struct solve_system *system, sym_poly poly, bool equality)
{
    struct sym_poly_data data = system->sym->polys.data[poly];
    struct sym_term *terms = data.count == 0 ? NULL : arena_copy(system->arena, data.terms, data.count * sizeof *terms);
    solve_add_scratch_row(system, terms, data.count, equality, 0);
}

static void assert_unknown(struct solve_system *system, sym_cond cond)
{
    int truth = solve_truth(system, cond);
    if (truth == 0)
        system->conflict = true;
    if (truth < 0)
        *vec_push(system->arena, &system->truths) = cond;
}

void solve_assert(struct solve_system *system, sym_cond cond)
{
    VEC(sym_cond) stack = {0};
    *vec_push(system->arena, &stack) = cond;
    while (stack.count != 0 && !system->conflict) {
        sym_cond top = stack.data[--stack.count];
        struct sym_cond_data data = system->sym->conds.data[top];
        switch (data.kind) {
        case SYM_CONSTANT_CONDITION:
            system->conflict = top == SYM_FALSE;
            break;
        case SYM_GE:
        case SYM_EQ:
            solve_add_row(system, data.poly, data.kind == SYM_EQ);
            break;
        case SYM_AND:
            *vec_push(system->arena, &stack) = data.right;
            *vec_push(system->arena, &stack) = data.left;
            break;
        case SYM_UNKNOWN:
            assert_unknown(system, top);
            break;
        default:
            if (system->clauses.count >= MAX_CLAUSES) {
                system->too_large = true;
                break;
            }
            solve_note_cond(system, top);
            *vec_push(system->arena, &system->clauses) = top;
            break;
        }
    }
}

static void mark_certain(struct solve_system *system, sym_poly root)
{
    struct sym *sym = system->sym;
    VEC(sym_poly) stack = {0};
    *vec_push(system->arena, &stack) = root;
    while (stack.count != 0) {
        struct sym_poly_data poly = sym->polys.data[stack.data[--stack.count]];
        for (uint32_t i = 0; i < poly.count; i++) {
            struct sym_monomial_data monomial = sym->monomials.data[poly.terms[i].monomial];
            for (uint32_t j = 0; j < monomial.count; j++) {
                sym_atom atom = monomial.atoms[j];
                const struct sym_atom_data *data = &sym->atoms.data[atom];
                if (atom >= system->certain.bits) {
                    struct bitset larger;
                    bitset_init(&larger, system->arena, 2 * sym->atoms.count + 64);
                    if (system->certain.bits != 0)
                        memcpy(larger.words, system->certain.words, (system->certain.bits + 63) / 64 * sizeof *larger.words);
                    system->certain = larger;
                }
                if (bitset_has(&system->certain, atom))
                    continue;
                bitset_add(&system->certain, atom);
                if (data->kind == SYM_VARIABLE || data->kind == SYM_JOIN || data->kind == SYM_SELECT)
                    continue;
                *vec_push(system->arena, &stack) = data->a;
                *vec_push(system->arena, &stack) = data->b;
            }
        }
    }
}

static void mark_certain_cond(struct solve_system *system, sym_cond cond, unsigned depth)
{
    struct sym_cond_data data = system->sym->conds.data[cond];
    if (data.kind == SYM_GE || data.kind == SYM_EQ || data.kind == SYM_NE) {
        mark_certain(system, data.poly);
    } else if (data.kind == SYM_AND && depth <= MAX_NESTING) {
        mark_certain_cond(system, data.left, depth + 1);
        mark_certain_cond(system, data.right, depth + 1);
    }
}

void solve_assert_given(struct solve_system *system, sym_cond cond)
{
    mark_certain_cond(system, cond, 0);
    solve_assert(system, cond);
}

bool solve_is_certain(const struct solve_system *system, sym_atom atom)
{
    return atom < system->certain.bits && bitset_has(&system->certain, atom);
}

/* ---- propagation -------------------------------------------------------------------------------------- */

bool solve_narrow(struct solve_system *system, uint32_t column, struct solve_range range)
{
    struct solve_range *now = &system->columns.data[column].range;
    bool changed = false;
    if (range.low > now->low) {
        now->low = range.low;
        changed = true;
    }
    if (range.high < now->high) {
        now->high = range.high;
        changed = true;
    }
    if (now->low > now->high)
        system->conflict = true;
    return changed;
}

/* sign * row >= 0: bounds of each column by the bounds of the others. */
static bool tighten_row(struct solve_system *system, const struct solve_row *row, int sign)
{
    sym_integer most = 0; /* of the sum, without unbounded terms */
    uint32_t unbounded = 0, unbounded_at = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        sym_integer high = row->terms[i].coefficient * sign;
        if (row->terms[i].monomial != 0) {
            uint32_t column = solve_find_column(system, row->terms[i].monomial);
            high = solve_range_scale(system->columns.data[column].range, high).high;
        }
        if (high >= SYM_MAX) {
            unbounded++;
            unbounded_at = i;
        } else {
            most += high; /* each at least -2^120, and rows are short */
        }
    }
    if (unbounded == 0 && most < 0) {
        system->conflict = true;
        return true;
    }
    bool changed = false;
    for (uint32_t i = 0; i < row->count && unbounded <= 1; i++) {
        if (row->terms[i].monomial == 0 || (unbounded == 1 && unbounded_at != i))
            continue;
        uint32_t column = solve_find_column(system, row->terms[i].monomial);
        sym_integer factor = row->terms[i].coefficient * sign;
        sym_integer rest = most;
        if (unbounded == 0)
            rest -= solve_range_scale(system->columns.data[column].range, factor).high;
        struct solve_range range = {SYM_MIN, SYM_MAX};
        if (factor > 0)
            range.low = solve_clamp(solve_ceiling_divide(-rest, factor));
        else
            range.high = solve_clamp(solve_floor_divide(rest, -factor));
        changed |= solve_narrow(system, column, range);
        if (system->conflict)
            return true;
    }
    return changed;
}

/* x * y <= h with x, y >= 1 bounds both. */
static bool tighten_factors(struct solve_system *system, uint32_t column)
{
    struct sym_monomial_data data = system->sym->monomials.data[system->columns.data[column].monomial];
    struct solve_range product = system->columns.data[column].range;
    bool changed = solve_narrow(system, column, solve_monomial_range(system, system->columns.data[column].monomial));
    if (product.low <= 0 && product.high >= SYM_MAX)
        return changed;
    for (uint32_t i = 0; i < data.count; i++) {
        struct solve_range others = {1, 1};
        for (uint32_t j = 0; j < data.count; j++)
            if (j != i)
                others = solve_range_multiply(others, solve_atom_range(system, data.atoms[j]));
        struct solve_range self = solve_atom_range(system, data.atoms[i]);
        if (self.low < 0 || others.low < 0)
            continue;
        struct solve_range range = {SYM_MIN, SYM_MAX};
        if (others.low >= 1 && product.high < SYM_MAX && product.high >= 0)
            range.high = product.high / others.low;
        if (product.low >= 1 && others.high >= 1)
            range.low = others.high < SYM_MAX ? solve_ceiling_divide(product.low, others.high) : 1;
        changed |= solve_narrow(system, solve_column_of(system, solve_monomial_of(system->sym, data.atoms[i])), range);
    }
    return changed;
}

/* Does a row say poly >= 0, or more? */
static bool row_says(const struct solve_system *system, sym_poly poly)
{
    const struct sym_poly_data *data = &system->sym->polys.data[poly];
    uint32_t skip = data->count != 0 && data->terms[0].monomial == 0;
    sym_integer constant = skip ? data->terms[0].coefficient : 0;
    for (uint32_t r = 0; r < system->rows.count; r++) {
        const struct solve_row *row = &system->rows.data[r];
        uint32_t row_skip = row->count != 0 && row->terms[0].monomial == 0;
        sym_integer row_constant = row_skip ? row->terms[0].coefficient : 0;
        bool same = row->count - row_skip == data->count - skip && row_constant <= constant;
        for (uint32_t i = 0; same && i + skip < data->count; i++)
            same = row->terms[i + row_skip].monomial == data->terms[i + skip].monomial &&
                   row->terms[i + row_skip].coefficient == data->terms[i + skip].coefficient;
        if (same)
            return true;
    }
    return false;
}

/* A clause with one way left is asserted; true if something new is known. */
static bool tighten_clause(struct solve_system *system, uint32_t at)
{
    sym_cond cond = system->clauses.data[at];
    struct sym_cond_data data = system->sym->conds.data[cond];
    int truth = solve_truth(system, cond);
    sym_cond rest = SYM_NONE;
    if (truth == 0)
        system->conflict = true;
    if (truth < 0 && data.kind == SYM_NE) {
        struct solve_range range = solve_poly_range(system, data.poly);
        sym_poly negated = sym_scale(system->sym, data.poly, -1);
        if (range.low == 0 || row_says(system, data.poly))
            rest = sym_ge(system->sym, sym_shift(system->sym, data.poly, -1));
        else if (range.high == 0 || row_says(system, negated))
            rest = sym_ge(system->sym, sym_shift(system->sym, negated, -1));
    }
    while (truth < 0 && data.kind == SYM_OR && rest == SYM_NONE) {
        bool left = solve_truth(system, data.left) != 0, right = solve_truth(system, data.right) != 0;
        if (left && right)
            break;
        rest = left ? data.left : data.right;
    }
    if (truth < 0 && rest == SYM_NONE)
        return false;
    system->clauses.data[at] = system->clauses.data[--system->clauses.count];
    if (rest != SYM_NONE)
        solve_assert(system, rest);
    return true;
}

static bool propagate_once(struct solve_system *system)
{
    bool changed = false;
    for (uint32_t i = 0; i < system->atoms.count && !system->conflict; i++) {
        uint32_t column = solve_column_of(system, solve_monomial_of(system->sym, system->atoms.data[i]));
        if (system->sym->atoms.data[system->atoms.data[i]].kind != SYM_VARIABLE)
            changed |= solve_narrow(system, column, solve_operand_range(system, system->atoms.data[i]));
    }
    for (uint32_t i = 0; i < system->columns.count && !system->conflict; i++)
        if (system->sym->monomials.data[system->columns.data[i].monomial].count > 1)
            changed |= tighten_factors(system, i);
    for (uint32_t i = 0; i < system->rows.count && !system->conflict; i++) {
        struct solve_row row = system->rows.data[i];
        changed |= tighten_row(system, &row, 1);
        if (row.equality && !system->conflict)
            changed |= tighten_row(system, &row, -1);
    }
    for (uint32_t i = system->clauses.count; i-- > 0 && !system->conflict;)
        if (i < system->clauses.count)
            changed |= tighten_clause(system, i);
    return changed;
}

/* Definitions may bring atoms, and better bounds bring definitions that wait for them. */
static bool define_all(struct solve_system *system)
{
    bool added = false;
    while ((system->defined < system->atoms.count || system->joins_done < system->atoms.count) && !system->conflict &&
           !system->too_large) {
        if (system->atoms.count > MAX_COLUMNS) {
            system->too_large = true;
            break;
        }
        if (system->defined < system->atoms.count)
            solve_define(system, system->atoms.data[system->defined++]);
        else
            solve_define_joins(system);
        added = true;
    }
    return added;
}

static bool define_guarded(struct solve_system *system)
{
    bool added = false;
    if (system->guarded.bits < system->atoms.count) {
        struct bitset larger;
        bitset_init(&larger, system->arena, 2 * system->atoms.count + 64);
        if (system->guarded.bits != 0)
            memcpy(larger.words, system->guarded.words, (system->guarded.bits + 63) / 64 * sizeof *larger.words);
        system->guarded = larger;
    }
    for (uint32_t i = 0, count = system->atoms.count; i < count && !system->conflict; i++)
        if (!bitset_has(&system->guarded, i) && solve_define_guarded(system, system->atoms.data[i], i))
            added = true;
    return added;
}

bool solve_close(struct solve_system *system, unsigned rounds)
{
    bool again = true;
    for (unsigned round = 0; round < rounds && again && !system->conflict; round++) {
        define_all(system);
        if (system->conflict)
            break;
        again = propagate_once(system);
        if (!system->conflict)
            again |= define_guarded(system);
    }
    if (!system->conflict)
        define_all(system);
    return !system->conflict;
}
