/* SPDX-License-Identifier: Apache-2.0
 *
 * What the definitions of atoms give to a system: rows and clauses that always hold, ones that hold where a divisor is known to be
 * positive, and ranges by the ranges of the operands.
 */
#include "sym/solve.h"
#include "sym/table.h"

sym_monomial solve_monomial_of(struct sym *sym, sym_atom atom)
{
    struct sym_solver *solver = solve_solver(sym);
    while (solver->atom_monomials.count <= atom)
        *vec_push(sym->arena, &solver->atom_monomials) = 0;
    if (solver->atom_monomials.data[atom] == 0)
        solver->atom_monomials.data[atom] = sym_monomial_of(sym, &atom, 1);
    return solver->atom_monomials.data[atom];
}

sym_atom solve_turns(struct sym *sym, sym_atom wrap)
{
    struct sym_solver *solver = solve_solver(sym);
    while (solver->turns.count <= wrap)
        *vec_push(sym->arena, &solver->turns) = 0;
    if (solver->turns.data[wrap] == 0) {
        sym_atom turns = sym_variable(sym, NULL, SYM_MIN, SYM_MAX);
        solver->turns.data[wrap] = turns + 1;
    }
    return solver->turns.data[wrap] - 1;
}

/* ---- definitions --------------------------------------------------------------------------------------- */

static void add_ge(struct solve_system *system, sym_poly larger, sym_poly smaller)
{
    solve_add_row(system, sym_subtract(system->sym, larger, smaller), false);
}

/* a == value, unless `value` is the atom itself again. */
static void add_equal(struct solve_system *system, sym_poly a, sym_poly value)
{
    if (a != value)
        solve_add_row(system, sym_subtract(system->sym, a, value), true);
}

static void define_wrap(struct solve_system *system, sym_atom atom, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_poly turns = sym_scale(sym, sym_of_atom(sym, solve_turns(sym, atom)), sym_power_of_two(data->bits));
    add_equal(system, sym_of_atom(sym, atom), sym_subtract(sym, data->a, turns));
}

static void define_extreme(struct solve_system *system, sym_poly self, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_poly a = sym_subtract(sym, self, data->a), b = sym_subtract(sym, self, data->b);
    if (data->kind == SYM_MINIMUM) {
        a = sym_scale(sym, a, -1);
        b = sym_scale(sym, b, -1);
    }
    solve_add_row(system, a, false);
    solve_add_row(system, b, false);
    solve_assert(system, sym_or(sym, sym_ge(sym, sym_scale(sym, a, -1)), sym_ge(sym, sym_scale(sym, b, -1))));
}

static void define_select(struct solve_system *system, sym_poly self, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_cond first = sym_and(sym, data->condition, sym_eq(sym, sym_subtract(sym, self, data->a)));
    sym_cond second = sym_and(sym, sym_not(sym, data->condition), sym_eq(sym, sym_subtract(sym, self, data->b)));
    solve_assert(system, sym_or(sym, first, second));
}

/* With u, v the operands read without sign: u + v = (u or v) + (u and v), u + v = (u xor v) + 2 (u and v). */
static void define_bits(struct solve_system *system, sym_poly self, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_poly u = sym_wrap(sym, data->a, data->bits, false), v = sym_wrap(sym, data->b, data->bits, false);
    if (data->kind == SYM_BIT_AND) {
        add_ge(system, u, self);
        add_ge(system, v, self);
        return;
    }
    sym_poly both = sym_wrap(sym, sym_bitwise(sym, SYM_BIT_AND, data->a, data->b, data->bits), data->bits, false);
    sym_poly sum = sym_add(sym, u, v);
    if (data->kind == SYM_BIT_OR) {
        add_ge(system, self, u);
        add_ge(system, self, v);
        add_equal(system, self, sym_subtract(sym, sum, both));
        return;
    }
    add_ge(system, sum, self);
    add_ge(system, self, sym_subtract(sym, u, v));
    add_ge(system, self, sym_subtract(sym, v, u));
    add_equal(system, self, sym_subtract(sym, sum, sym_scale(sym, both, 2)));
    /* One bit flipped: up or down by it. */
    sym_integer flip;
    sym_poly other = sym_is_constant(sym, u, &flip) ? v : u;
    if ((sym_is_constant(sym, u, &flip) || sym_is_constant(sym, v, &flip)) && flip > 0 && (flip & (flip - 1)) == 0) {
        sym_poly up = sym_shift(sym, sym_subtract(sym, self, other), -flip);
        sym_poly down = sym_shift(sym, sym_subtract(sym, self, other), flip);
        solve_assert(system, sym_or(sym, sym_eq(sym, up), sym_eq(sym, down)));
    }
}

/* C division by a constant, either sign: the remainder has the sign of a and is smaller than the divisor. */
static void define_truncated(struct solve_system *system, sym_poly self, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_integer divisor;
    if (!sym_is_constant(sym, data->b, &divisor) || divisor == 0)
        return;
    sym_integer most = (divisor < 0 ? -divisor : divisor) - 1;
    sym_poly rest = sym_subtract(sym, data->a, sym_scale(sym, self, divisor));
    sym_poly negative = sym_scale(sym, rest, -1);
    sym_cond up = sym_and(sym, sym_ge(sym, data->a),
                          sym_and(sym, sym_ge(sym, rest), sym_ge(sym, sym_shift(sym, negative, most))));
    sym_cond down = sym_and(sym, sym_not(sym, sym_ge(sym, data->a)),
                            sym_and(sym, sym_ge(sym, negative), sym_ge(sym, sym_shift(sym, rest, most))));
    solve_assert(system, sym_or(sym, up, down));
}

void solve_define(struct solve_system *system, sym_atom atom)
{
    struct sym *sym = system->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    sym_poly self = sym_of_atom(sym, atom);
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        define_wrap(system, atom, &data);
        break;
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
        define_extreme(system, self, &data);
        break;
    case SYM_SELECT:
        define_select(system, self, &data);
        break;
    case SYM_BIT_AND:
    case SYM_BIT_OR:
    case SYM_BIT_XOR:
        define_bits(system, self, &data);
        break;
    case SYM_TRUNCATED:
        define_truncated(system, self, &data);
        break;
    case SYM_JOIN:
        for (uint32_t i = 0; i < sym->joins.data[data.index].count; i++) {
            solve_note_poly(system, sym->joins.data[data.index].values[i]);
            solve_note_cond(system, sym->joins.data[data.index].facts[i]);
        }
        return;
    default:
        break;
    }
    if (data.kind == SYM_QUOTIENT || data.kind == SYM_TRUNCATED || data.kind == SYM_POWER) {
        solve_note_poly(system, data.a);
        if (data.kind != SYM_POWER)
            solve_note_poly(system, data.b);
    }
}

/* b >= 1: b*q <= a <= b*q + b - 1. */
static void define_quotient(struct solve_system *system, sym_poly self, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_poly rest = sym_subtract(sym, data->a, sym_multiply(sym, data->b, self));
    solve_add_row(system, rest, false);
    solve_add_row(system, sym_shift(sym, sym_subtract(sym, data->b, rest), -1), false);
}

bool solve_define_guarded(struct solve_system *system, sym_atom atom, uint32_t position)
{
    struct sym *sym = system->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    sym_integer constant;
    if (data.kind != SYM_QUOTIENT && data.kind != SYM_TRUNCATED) {
        bitset_add(&system->guarded, position);
        return false;
    }
    if (solve_poly_range(system, data.b).low < 1)
        return false;
    if (data.kind == SYM_TRUNCATED && solve_poly_range(system, data.a).low < 0) {
        if (!sym_is_constant(sym, data.b, &constant))
            return false;
        bitset_add(&system->guarded, position); /* the clause says it all */
        return false;
    }
    bitset_add(&system->guarded, position);
    define_quotient(system, sym_of_atom(sym, atom), &data);
    return true;
}

/* ---- joins ------------------------------------------------------------------------------------------------ */

bool solve_same_edges(const struct sym *sym, sym_atom a, sym_atom b)
{
    if (sym->atoms.data[a].kind != SYM_JOIN || sym->atoms.data[b].kind != SYM_JOIN)
        return false;
    const struct sym_join *x = &sym->joins.data[sym->atoms.data[a].index], *y = &sym->joins.data[sym->atoms.data[b].index];
    if (x->block != y->block || x->count != y->count)
        return false;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->facts[i] != y->facts[i])
            return false;
    return true;
}

uint32_t solve_default_edge(const struct sym_join *join)
{
    for (uint32_t i = 0; i < join->count; i++)
        if (join->facts[i] != SYM_FALSE)
            return i;
    return 0;
}

sym_cond solve_no_edge(struct sym *sym, const struct sym_join *join)
{
    sym_cond none = SYM_TRUE;
    for (uint32_t i = 0; i < join->count; i++)
        none = sym_and(sym, none, sym_not(sym, join->facts[i]));
    return none;
}

/* All joins of the system that go with the one at `leader` have the values of `edge`. */
static sym_cond edge_values(struct solve_system *system, uint32_t leader, uint32_t count, uint32_t edge, bool *certain)
{
    struct sym *sym = system->sym;
    sym_cond all = SYM_TRUE;
    for (uint32_t j = 0; j < count; j++) {
        sym_atom atom = system->atoms.data[j];
        if (j != leader && !solve_same_edges(sym, system->atoms.data[leader], atom))
            continue;
        sym_poly value = sym->joins.data[sym->atoms.data[atom].index].values[edge];
        all = sym_and(sym, all, sym_eq(sym, sym_subtract(sym, sym_of_atom(sym, atom), value)));
        *certain |= solve_is_certain(system, atom);
    }
    return all;
}

/* One clause for all new joins that take the same edge, old ones of the same edges included. */
void solve_define_joins(struct solve_system *system)
{
    struct sym *sym = system->sym;
    uint32_t first = system->joins_done, count = system->atoms.count;
    system->joins_done = count;
    for (uint32_t i = first; i < count; i++) {
        sym_atom leader = system->atoms.data[i];
        if (sym->atoms.data[leader].kind != SYM_JOIN)
            continue;
        bool led = false, certain = false;
        for (uint32_t j = first; j < i && !led; j++)
            led = solve_same_edges(sym, leader, system->atoms.data[j]);
        if (led)
            continue;
        struct sym_join join = sym->joins.data[sym->atoms.data[leader].index];
        sym_cond any = SYM_FALSE;
        for (uint32_t edge = 0; edge < join.count; edge++)
            any = sym_or(sym, any, sym_and(sym, join.facts[edge], edge_values(system, i, count, edge, &certain)));
        if (!certain) {
            sym_cond values = edge_values(system, i, count, solve_default_edge(&join), &certain);
            any = sym_or(sym, any, sym_and(sym, solve_no_edge(sym, &join), values));
        }
        solve_assert(system, any);
    }
}

/* ---- ranges ------------------------------------------------------------------------------------------------- */

static struct solve_range hull(struct solve_range a, struct solve_range b)
{
    return (struct solve_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static const struct solve_range everything = {SYM_MIN, SYM_MAX};

static struct solve_range quotient_range(struct solve_range a, struct solve_range b)
{
    struct solve_range range = everything;
    if (b.low < 1)
        return everything;
    if (a.low > SYM_MIN)
        range.low = a.low >= 0 ? (b.high < SYM_MAX ? a.low / b.high : 0) : solve_floor_divide(a.low, b.low);
    if (a.high < SYM_MAX)
        range.high = a.high >= 0 ? a.high / b.low : (b.high < SYM_MAX ? solve_floor_divide(a.high, b.high) : -1);
    return range;
}

static struct solve_range truncated_range(struct solve_range a, struct solve_range b)
{
    struct solve_range range = everything;
    if (b.low < 1)
        return everything;
    if (a.low > SYM_MIN)
        range.low = a.low >= 0 ? (b.high < SYM_MAX ? a.low / b.high : 0) : a.low / b.low;
    if (a.high < SYM_MAX)
        range.high = a.high >= 0 ? a.high / b.low : (b.high < SYM_MAX ? a.high / b.high : 0);
    return range;
}

static struct solve_range wrap_range(const struct solve_system *system, const struct sym_atom_data *data)
{
    struct solve_range a = solve_poly_range(system, data->a);
    if (a.low <= SYM_MIN || a.high >= SYM_MAX)
        return everything;
    sym_integer width = sym_power_of_two(data->bits), least = data->kind == SYM_WRAP_SIGNED ? -(width / 2) : 0;
    sym_integer turns = solve_floor_divide(a.low - least, width);
    if (turns != solve_floor_divide(a.high - least, width))
        return everything;
    return (struct solve_range){a.low - turns * width, a.high - turns * width};
}

static struct solve_range bits_range(const struct solve_system *system, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    struct solve_range u = solve_poly_range(system, sym_wrap(sym, data->a, data->bits, false));
    struct solve_range v = solve_poly_range(system, sym_wrap(sym, data->b, data->bits, false));
    struct solve_range range = everything;
    if (u.low < 0 || v.low < 0)
        return everything;
    if (data->kind == SYM_BIT_AND) {
        range.high = u.high < v.high ? u.high : v.high;
        return range;
    }
    if (data->kind == SYM_BIT_OR)
        range.low = u.low > v.low ? u.low : v.low;
    sym_integer most = u.high > v.high ? u.high : v.high, bound = 1;
    if (most < sym_power_of_two(64)) {
        while (bound <= most)
            bound *= 2;
        range.high = bound - 1;
    }
    return range;
}

static struct solve_range power_range(const struct solve_system *system, const struct sym_atom_data *data)
{
    struct solve_range a = solve_poly_range(system, data->a);
    if (a.low >= 0 && a.high < data->bits)
        return (struct solve_range){sym_power_of_two((unsigned)a.low), sym_power_of_two((unsigned)a.high)};
    if (a.high < 0 || a.low >= data->bits)
        return (struct solve_range){0, 0};
    struct solve_range range = {0, sym_power_of_two(data->bits - 1u)};
    if (a.high < data->bits)
        range.high = sym_power_of_two((unsigned)a.high);
    return range;
}

static struct solve_range join_range(const struct solve_system *system, sym_atom atom, const struct sym_join *join)
{
    struct solve_range range = {SYM_MAX, SYM_MIN};
    bool certain = solve_is_certain(system, atom);
    for (uint32_t i = 0; i < join->count; i++)
        if (solve_truth(system, join->facts[i]) != 0 || (!certain && i == solve_default_edge(join)))
            range = hull(range, solve_poly_range(system, join->values[i]));
    return range;
}

struct solve_range solve_operand_range(const struct solve_system *system, sym_atom atom)
{
    struct sym_atom_data data = system->sym->atoms.data[atom];
    struct solve_range a, b;
    int truth;
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        return wrap_range(system, &data);
    case SYM_QUOTIENT:
        return quotient_range(solve_poly_range(system, data.a), solve_poly_range(system, data.b));
    case SYM_TRUNCATED:
        return truncated_range(solve_poly_range(system, data.a), solve_poly_range(system, data.b));
    case SYM_SELECT:
        truth = solve_truth(system, data.condition);
        if (truth >= 0)
            return solve_poly_range(system, truth ? data.a : data.b);
        return hull(solve_poly_range(system, data.a), solve_poly_range(system, data.b));
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
        a = solve_poly_range(system, data.a);
        b = solve_poly_range(system, data.b);
        if (data.kind == SYM_MINIMUM)
            return (struct solve_range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
        return (struct solve_range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    case SYM_BIT_AND:
    case SYM_BIT_OR:
    case SYM_BIT_XOR:
        return bits_range(system, &data);
    case SYM_JOIN:
        return join_range(system, atom, &system->sym->joins.data[data.index]);
    case SYM_POWER:
        return power_range(system, &data);
    default:
        return everything;
    }
}
