/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that cannot hold together over the rationals, found by the general simplex method (Dutertre and de Moura, "A fast
 * linear-arithmetic solver for DPLL(T)"): each row is a variable with a bound, basic variables are written as sums of the others,
 * and a basic variable that breaks its bound while every other is at the end of its own range is a contradiction.
 *
 * Exact: rows keep integers over one denominator; a number past 120 bits ends the search without an answer.  The smallest index is
 * taken at each choice, so that it ends.
 *
 * Gives up on: MAX_PIVOTS, clauses and integrality (left to Z3).
 */
#include "sym/solve.h"

#include <string.h>

enum { MAX_PIVOTS = 400, MAX_CELLS = 150000 };

struct simplex {
    struct solve_system *system;
    uint32_t height, width;  /* rows; nonbasic variables */
    sym_integer *cells;          /* height * width: scale[row] * basic = sum of cell * nonbasic */
    sym_integer *scale;          /* positive */
    uint32_t *basic;         /* variable of each row */
    uint32_t *nonbasic;      /* variable of each column */
    struct solve_range *range; /* by variable: columns of the system, then rows */
    sym_integer *value;      /* by variable; exact for nonbasic ones */
    sym_integer *sum;        /* by row: scale times the value of its basic variable */
    bool gave_up;
};

static sym_integer *row_of(const struct simplex *simplex, uint32_t row)
{
    return simplex->cells + (size_t)row * simplex->width;
}

static bool is_small(sym_integer value)
{
    const sym_integer limit = (sym_integer)1 << 120;
    return value < limit && value > -limit;
}

/* ---- setting up ----------------------------------------------------------------------------------------------- */

static void enter_row(struct simplex *simplex, uint32_t at, const struct solve_row *row)
{
    uint32_t variable = simplex->width + at;
    sym_integer constant = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        if (row->terms[i].monomial == 0)
            constant = row->terms[i].coefficient;
        else
            row_of(simplex, at)[solve_find_column(simplex->system, row->terms[i].monomial)] = row->terms[i].coefficient;
    }
    simplex->scale[at] = 1;
    simplex->basic[at] = variable;
    /* -constant may lie past SYM_MAX: then the weaker bound stays. */
    simplex->range[variable] = (struct solve_range){solve_clamp(-constant), row->equality ? solve_clamp(-constant) : SYM_MAX};
    if (-constant < SYM_MIN && row->equality)
        simplex->range[variable].high = SYM_MAX;
    if (-constant > SYM_MAX && row->equality)
        simplex->range[variable].high = SYM_MAX;
}

static bool set_up(struct simplex *simplex)
{
    struct solve_system *system = simplex->system;
    struct arena *arena = system->arena;
    simplex->width = system->columns.count;
    simplex->height = system->rows.count;
    if ((uint64_t)simplex->height * simplex->width > MAX_CELLS || simplex->height == 0 || simplex->width == 0)
        return false;
    simplex->cells = ARENA_ARRAY(arena, sym_integer, (size_t)simplex->height * simplex->width);
    simplex->scale = ARENA_ARRAY(arena, sym_integer, simplex->height);
    simplex->basic = ARENA_ARRAY(arena, uint32_t, simplex->height);
    simplex->nonbasic = ARENA_ARRAY(arena, uint32_t, simplex->width);
    simplex->range = ARENA_ARRAY(arena, struct solve_range, simplex->width + simplex->height);
    simplex->value = ARENA_ARRAY(arena, sym_integer, simplex->width + simplex->height);
    for (uint32_t i = 0; i < simplex->width; i++) {
        struct solve_range range = system->columns.data[i].range;
        simplex->nonbasic[i] = i;
        simplex->range[i] = range;
        simplex->value[i] = range.low > 0 ? range.low : range.high < 0 ? range.high : 0;
    }
    simplex->sum = ARENA_ARRAY(arena, sym_integer, simplex->height);
    for (uint32_t i = 0; i < system->rows.count; i++)
        enter_row(simplex, i, &system->rows.data[i]);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static void renew_sum(struct simplex *simplex, uint32_t row)
{
    const sym_integer *cells = row_of(simplex, row);
    sym_integer sum = 0, part;
    for (uint32_t i = 0; i < simplex->width; i++) {
        if (cells[i] == 0)
            continue;
        if (__builtin_mul_overflow(cells[i], simplex->value[simplex->nonbasic[i]], &part) ||
            __builtin_add_overflow(sum, part, &sum))
            simplex->gave_up = true;
    }
    simplex->sum[row] = sum;
}

/* -1: below its range, 1: above, 0: inside. */
static int side_of(struct simplex *simplex, uint32_t row)
{
    struct solve_range range = simplex->range[simplex->basic[row]];
    sym_integer sum = simplex->sum[row], bound;
    if (range.low > SYM_MIN) {
        if (__builtin_mul_overflow(range.low, simplex->scale[row], &bound))
            simplex->gave_up = true;
        else if (sum < bound)
            return -1;
    }
    if (range.high < SYM_MAX) {
        if (__builtin_mul_overflow(range.high, simplex->scale[row], &bound))
            simplex->gave_up = true;
        else if (sum > bound)
            return 1;
    }
    return 0;
}

/* The nonbasic variable, of smallest index, that can move the basic one towards its range; SYM_NONE: none can. */
static uint32_t find_entering(const struct simplex *simplex, uint32_t row, int side)
{
    const sym_integer *cells = row_of(simplex, row);
    uint32_t best = SYM_NONE;
    for (uint32_t i = 0; i < simplex->width; i++) {
        if (cells[i] == 0)
            continue;
        uint32_t variable = simplex->nonbasic[i];
        struct solve_range range = simplex->range[variable];
        bool upwards = (cells[i] > 0) == (side < 0);
        bool movable = upwards ? range.high >= SYM_MAX || simplex->value[variable] < range.high
                               : range.low <= SYM_MIN || simplex->value[variable] > range.low;
        if (movable && (best == SYM_NONE || variable < simplex->nonbasic[best]))
            best = i;
    }
    return best;
}

static void reduce_row(struct simplex *simplex, uint32_t row)
{
    sym_integer *cells = row_of(simplex, row), divisor = simplex->scale[row];
    for (uint32_t i = 0; i < simplex->width && divisor != 1; i++)
        if (cells[i] != 0)
            divisor = solve_common_divisor(divisor, cells[i]);
    if (divisor <= 1)
        return;
    simplex->scale[row] /= divisor;
    for (uint32_t i = 0; i < simplex->width; i++)
        cells[i] /= divisor;
}

/* row `into` with the nonbasic variable at `column` replaced by what row `from` says of it. */
static void substitute_row(struct simplex *simplex, uint32_t into, uint32_t from, uint32_t column)
{
    sym_integer *target = row_of(simplex, into);
    const sym_integer *source = row_of(simplex, from);
    sym_integer factor = target[column], scale = simplex->scale[from], divisor = solve_common_divisor(factor, scale);
    factor /= divisor;
    scale /= divisor;
    target[column] = 0;
    for (uint32_t i = 0; i < simplex->width; i++) {
        if (source[i] == 0 && (target[i] == 0 || scale == 1))
            continue;
        sym_integer own, brought;
        if (__builtin_mul_overflow(target[i], scale, &own) || __builtin_mul_overflow(source[i], factor, &brought) ||
            __builtin_add_overflow(own, brought, &own) || !is_small(own)) {
            simplex->gave_up = true;
            return;
        }
        target[i] = own;
    }
    if (__builtin_mul_overflow(simplex->scale[into], scale, &simplex->scale[into]) || !is_small(simplex->scale[into])) {
        simplex->gave_up = true;
        return;
    }
    if (scale != 1)
        reduce_row(simplex, into);
}

/* The basic variable of `row` and the nonbasic one at `column` change places. */
static void pivot(struct simplex *simplex, uint32_t row, uint32_t column)
{
    sym_integer *cells = row_of(simplex, row), lead = cells[column];
    int sign = lead > 0 ? 1 : -1;
    for (uint32_t i = 0; i < simplex->width; i++)
        cells[i] *= -sign;
    cells[column] = sign * simplex->scale[row];
    simplex->scale[row] = sign * lead;
    uint32_t leaving = simplex->basic[row];
    simplex->basic[row] = simplex->nonbasic[column];
    simplex->nonbasic[column] = leaving;
    reduce_row(simplex, row);
    for (uint32_t i = 0; i < simplex->height && !simplex->gave_up; i++)
        if (i != row && row_of(simplex, i)[column] != 0)
            substitute_row(simplex, i, row, column);
}

bool solve_rows_contradict(struct solve_system *system)
{
    struct simplex simplex = {.system = system};
    if (!set_up(&simplex))
        return false;
    for (uint32_t row = 0; row < simplex.height; row++)
        renew_sum(&simplex, row);
    for (unsigned step = 0; step < MAX_PIVOTS; step++) {
        uint32_t worst = SYM_NONE;
        int worst_side = 0;
        for (uint32_t row = 0; row < simplex.height; row++) {
            if (worst != SYM_NONE && simplex.basic[row] > simplex.basic[worst])
                continue;
            int side = side_of(&simplex, row);
            if (simplex.gave_up)
                return false;
            if (side != 0) {
                worst = row;
                worst_side = side;
            }
        }
        if (worst == SYM_NONE)
            return false;
        uint32_t column = find_entering(&simplex, worst, worst_side);
        if (column == SYM_NONE)
            return true;
        uint32_t leaving = simplex.basic[worst];
        struct solve_range range = simplex.range[leaving];
        pivot(&simplex, worst, column);
        if (simplex.gave_up)
            return false;
        simplex.value[leaving] = worst_side < 0 ? range.low : range.high;
        for (uint32_t row = 0; row < simplex.height; row++)
            if (row_of(&simplex, row)[column] != 0)
                renew_sum(&simplex, row);
    }
    return false;
}
