/* SPDX-License-Identifier: Apache-2.0
 *
 * Atoms: the constructors bring what they are given into a normal form, so that two ways in which a compiler writes the same
 * value (a mask or a shift and back, a division or its multiplication by a magic number) get the same id.
 */
#include "sym/table.h"

#include <string.h>

static uint64_t atom_hash(const struct sym *sym, uint32_t id)
{
    return sym->atoms.data[id].hash;
}

static bool same_atom(const struct sym_atom_data *x, const struct sym_atom_data *y)
{
    return x->hash == y->hash && x->kind == y->kind && x->bits == y->bits && x->a == y->a && x->b == y->b &&
           x->condition == y->condition && x->index == y->index;
}

static void rank_of_poly(const struct sym *sym, sym_poly a, uint32_t *rank)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++)
            if (sym->atoms.data[monomial->atoms[k]].rank >= *rank)
                *rank = sym->atoms.data[monomial->atoms[k]].rank + 1;
    }
}

static void rank_of_cond(const struct sym *sym, sym_cond id, uint32_t *rank)
{
    const struct sym_cond_data *data = &sym->conds.data[id];
    if (data->kind == SYM_AND || data->kind == SYM_OR) {
        rank_of_cond(sym, data->left, rank);
        rank_of_cond(sym, data->right, rank);
    } else if (data->kind == SYM_GE || data->kind == SYM_EQ || data->kind == SYM_NE) {
        rank_of_poly(sym, data->poly, rank);
    }
}

sym_atom sym_intern_atom(struct sym *sym, const struct sym_atom_data *given)
{
    struct sym_atom_data data = *given;
    data.hash = sym_hash(sym_hash(sym_hash(data.kind, data.bits), data.a), data.b);
    data.hash = sym_hash(sym_hash(data.hash, data.condition), data.index);
    uint64_t slot = data.hash;
    for (uint32_t id; (id = sym_table_next(sym->atom_table, &slot)) != SYM_NONE;)
        if (same_atom(&sym->atoms.data[id], &data))
            return id;
    data.rank = 0;
    if (data.kind != SYM_VARIABLE) {
        rank_of_poly(sym, data.a, &data.rank);
        rank_of_poly(sym, data.b, &data.rank);
    }
    if (data.kind == SYM_SELECT)
        rank_of_cond(sym, data.condition, &data.rank);
    if (data.kind == SYM_JOIN) {
        const struct sym_join *join = &sym->joins.data[data.index];
        for (uint32_t i = 0; i < join->count; i++) {
            rank_of_poly(sym, join->values[i], &data.rank);
            rank_of_cond(sym, join->facts[i], &data.rank);
        }
    }
    sym_atom id = sym->atoms.count;
    *vec_push(sym->arena, &sym->atoms) = data;
    sym_table_add(sym, sym->atom_table, data.hash, id, atom_hash);
    return id;
}

static sym_poly atom_poly(struct sym *sym, const struct sym_atom_data *data)
{
    return sym_of_atom(sym, sym_intern_atom(sym, data));
}

sym_atom sym_variable(struct sym *sym, const char *name, sym_integer low, sym_integer high)
{
    struct sym_atom_data data = {
        .kind = SYM_VARIABLE, .index = sym->variable_count++, .low = low, .high = high, .name = name};
    return sym_intern_atom(sym, &data);
}

sym_atom sym_single_atom(const struct sym *sym, sym_poly a)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    if (data->count != 1 || data->terms[0].coefficient != 1)
        return SYM_NONE;
    const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[0].monomial];
    return monomial->count == 1 ? monomial->atoms[0] : SYM_NONE;
}

/* ---- wraps ------------------------------------------------------------------------------------------- */

static sym_integer reduce_coefficient(sym_integer value, unsigned bits)
{
    sym_integer modulus = sym_power_of_two(bits);
    value = value - sym_floor_divide(value, modulus) * modulus;
    return value > modulus / 2 ? value - modulus : value;
}

/* Is there an atom in `data` that is a wrap of at least `bits` bits, as a factor of degree 1 anywhere? */
static sym_atom outermost_wrap(const struct sym *sym, const struct sym_poly_data *data, unsigned bits)
{
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++) {
            const struct sym_atom_data *atom = &sym->atoms.data[monomial->atoms[k]];
            if ((atom->kind == SYM_WRAP_UNSIGNED || atom->kind == SYM_WRAP_SIGNED) && atom->bits >= bits)
                return monomial->atoms[k];
        }
    }
    return SYM_NONE;
}

/* `a` with the atom replaced by `value` in its own monomials only, not inside other atoms. */
static sym_poly replace_factor(struct sym *sym, sym_poly a, sym_atom atom, sym_poly value)
{
    struct sym_poly_data data = sym->polys.data[a];
    sym_poly sum = SYM_ZERO;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_poly product = sym_constant(sym, data.terms[i].coefficient);
        for (uint32_t k = 0; k < monomial.count; k++)
            product = sym_multiply(sym, product,
                                   monomial.atoms[k] == atom ? value : sym_of_atom(sym, monomial.atoms[k]));
        sum = sym_add(sym, sum, product);
    }
    return sum;
}

sym_poly sym_congruent(struct sym *sym, sym_poly a, unsigned bits)
{
    for (int round = 0; round < 64; round++) {
        struct sym_poly_data data = sym->polys.data[a];
        sym_atom wrap = outermost_wrap(sym, &data, bits);
        if (wrap == SYM_NONE)
            break;
        a = replace_factor(sym, a, wrap, sym->atoms.data[wrap].a);
    }
    struct sym_poly_data data = sym->polys.data[a];
    bool reduced = true;
    for (uint32_t i = 0; i < data.count && reduced; i++)
        reduced = reduce_coefficient(data.terms[i].coefficient, bits) == data.terms[i].coefficient;
    if (reduced)
        return a;
    struct sym_term *terms = arena_copy(sym->arena, data.terms, data.count * sizeof *terms);
    for (uint32_t i = 0; i < data.count; i++)
        terms[i].coefficient = reduce_coefficient(terms[i].coefficient, bits);
    return sym_poly_of(sym, terms, data.count);
}

sym_poly sym_wrap(struct sym *sym, sym_poly a, unsigned bits, bool is_signed)
{
    sym_integer half = sym_power_of_two(bits - 1);
    struct sym_atom_data data = {.kind = is_signed ? SYM_WRAP_SIGNED : SYM_WRAP_UNSIGNED,
                                 .bits = (uint8_t)bits,
                                 .low = is_signed ? -half : 0,
                                 .high = is_signed ? half - 1 : 2 * half - 1};
    sym_integer low, high;
    sym_interval(sym, a, &low, &high);
    if (low >= data.low && high <= data.high)
        return a;
    a = sym_congruent(sym, a, bits);
    sym_interval(sym, a, &low, &high);
    if (low >= data.low && high <= data.high)
        return a;
    /* The whole interval lies in one lap: shift it back. */
    if (low > SYM_MIN && high < SYM_MAX) {
        sym_integer lap = sym_floor_divide(low - data.low, 2 * half);
        if (lap == sym_floor_divide(high - data.low, 2 * half))
            return sym_shift(sym, a, -lap * 2 * half);
    }
    data.a = a;
    return atom_poly(sym, &data);
}

/* ---- division ----------------------------------------------------------------------------------------- */

/* floor(m * x / 2^s) for the multiplication by which compilers divide: if it is floor(x / d) for all 0 <= x <= high, then d, else 0
 * (Granlund and Montgomery, "Division by invariant integers using multiplication"). */
static sym_integer magic_divisor(sym_integer m, sym_integer power, sym_integer high)
{
    if (m <= 1 || high <= 0 || high >= sym_power_of_two(64) || (power & (power - 1)) != 0)
        return 0;
    sym_integer divisor = (power + m - 1) / m, error = m * divisor - power, limit;
    if (divisor < 2 || __builtin_mul_overflow(error, high, &limit) || limit >= power)
        return 0;
    return divisor;
}

static sym_poly constant_quotient(struct sym *sym, sym_poly a, sym_integer divisor)
{
    if (divisor == 1)
        return a;
    /* floor((d*m + r) / d) = m + floor(r / d), coefficient by coefficient. */
    struct sym_poly_data data = sym->polys.data[a];
    sym_poly whole = SYM_ZERO, rest = SYM_ZERO;
    for (uint32_t i = 0; i < data.count; i++) {
        sym_integer quotient = sym_floor_divide(data.terms[i].coefficient, divisor);
        struct sym_term term = {.monomial = data.terms[i].monomial, .coefficient = quotient};
        whole = sym_add(sym, whole, sym_poly_of(sym, &term, 1));
        term.coefficient = data.terms[i].coefficient - quotient * divisor;
        rest = sym_add(sym, rest, sym_poly_of(sym, &term, 1));
    }
    sym_integer low, high;
    sym_interval(sym, rest, &low, &high);
    if (low > SYM_MIN && high < SYM_MAX &&
        sym_floor_divide(low, divisor) == sym_floor_divide(high, divisor))
        return sym_shift(sym, whole, sym_floor_divide(low, divisor));
    /* floor((floor(x / c) + k) / d) = floor((x + c*k) / (c*d)) */
    sym_poly base = rest;
    sym_integer constant = 0;
    struct sym_poly_data rest_data = sym->polys.data[rest];
    if (rest_data.count == 2 && rest_data.terms[0].monomial == 0) {
        constant = rest_data.terms[0].coefficient;
        base = sym_shift(sym, rest, -constant);
    }
    sym_atom single = sym_single_atom(sym, base);
    sym_integer inner;
    if (single != SYM_NONE && sym->atoms.data[single].kind == SYM_QUOTIENT &&
        sym_is_constant(sym, sym->atoms.data[single].b, &inner) && inner >= 1 &&
        inner < sym_power_of_two(60) && divisor < sym_power_of_two(60)) {
        sym_poly numerator = sym_shift(sym, sym->atoms.data[single].a, inner * constant);
        return sym_add(sym, whole, constant_quotient(sym, numerator, inner * divisor));
    }
    /* Common factors of all but the constant: floor((g*x + k) / (g*e)) = floor((x + floor(k/g)) / e) */
    sym_integer content = sym_content(sym, sym_subtract(sym, rest, sym_constant(sym, constant)));
    if (rest_data.count > 1 && rest_data.terms[0].monomial == 0 && rest_data.count != 2) {
        constant = rest_data.terms[0].coefficient;
        content = sym_content(sym, sym_shift(sym, rest, -constant));
    }
    sym_poly variable_part = sym_shift(sym, rest, -constant);
    if (content > 1 && divisor % content == 0) {
        sym_poly reduced = sym_shift(sym, sym_divide_exact(sym, variable_part, content),
                                     sym_floor_divide(constant, content));
        return sym_add(sym, whole, constant_quotient(sym, reduced, divisor / content));
    }
    if (content > 1 && constant == 0) {
        sym_poly x = sym_divide_exact(sym, rest, content);
        sym_interval(sym, x, &low, &high);
        sym_integer found = low >= 0 ? magic_divisor(content, divisor, high) : 0;
        if (found != 0)
            return sym_add(sym, whole, constant_quotient(sym, x, found));
        /* Signed: floor(m*x / 2^s) = floor((x - 1) / d) where x < 0; floor(x / 2^31) is -1 there, else 0. */
        sym_integer word = sym_power_of_two(low >= -sym_power_of_two(31) && high < sym_power_of_two(31) ? 31 : 63);
        found = low >= -word && high < word && divisor > word ? magic_divisor(content, divisor, word) : 0;
        if (found != 0)
            return sym_add(sym, whole, constant_quotient(sym, sym_add(sym, x, constant_quotient(sym, x, word)), found));
    }
    sym_interval(sym, rest, &low, &high);
    struct sym_atom_data atom = {.kind = SYM_QUOTIENT,
                                 .a = rest,
                                 .b = sym_constant(sym, divisor),
                                 .low = low > SYM_MIN ? sym_floor_divide(low, divisor) : SYM_MIN,
                                 .high = high < SYM_MAX ? sym_floor_divide(high, divisor) : SYM_MAX};
    return sym_add(sym, whole, atom_poly(sym, &atom));
}

sym_poly sym_quotient(struct sym *sym, sym_poly a, sym_poly b)
{
    sym_integer divisor, low, high, b_low, b_high;
    if (sym_is_constant(sym, b, &divisor) && divisor >= 1)
        return constant_quotient(sym, a, divisor);
    struct sym_atom_data atom = {.kind = SYM_QUOTIENT, .a = a, .b = b, .low = SYM_MIN, .high = SYM_MAX};
    sym_interval(sym, a, &low, &high);
    sym_interval(sym, b, &b_low, &b_high);
    if (low >= 0 && b_low >= 1) {
        atom.low = b_high < SYM_MAX ? low / b_high : 0;
        atom.high = high < SYM_MAX ? high / b_low : SYM_MAX;
    }
    return atom_poly(sym, &atom);
}

sym_poly sym_truncated(struct sym *sym, sym_poly a, sym_poly b)
{
    sym_integer low, high, b_low, b_high;
    sym_interval(sym, a, &low, &high);
    sym_interval(sym, b, &b_low, &b_high);
    if (low >= 0 && b_low >= 1)
        return sym_quotient(sym, a, b);
    struct sym_atom_data atom = {.kind = SYM_TRUNCATED, .a = a, .b = b, .low = SYM_MIN, .high = SYM_MAX};
    if ((b_low >= 1 || b_high <= -1) && low > SYM_MIN && high < SYM_MAX) {
        sym_integer largest = -low > high ? -low : high;
        atom.low = -largest;
        atom.high = largest;
    }
    return atom_poly(sym, &atom);
}

/* ---- choices -------------------------------------------------------------------------------------------- */

/* The smaller or the larger of two: one of them where the bounds decide, else an atom. */
static sym_poly extremum(struct sym *sym, enum sym_atom_kind kind, sym_poly a, sym_poly b)
{
    bool is_minimum = kind == SYM_MINIMUM;
    sym_integer low, high, low2, high2;
    sym_interval(sym, sym_subtract(sym, b, a), &low, &high);
    if (low >= 0)
        return is_minimum ? a : b;
    if (high <= 0)
        return is_minimum ? b : a;
    struct sym_atom_data atom = {.kind = (uint8_t)kind, .a = a < b ? a : b, .b = a < b ? b : a};
    sym_interval(sym, a, &low, &high);
    sym_interval(sym, b, &low2, &high2);
    atom.low = (low < low2) == is_minimum ? low : low2;
    atom.high = (high < high2) == is_minimum ? high : high2;
    return atom_poly(sym, &atom);
}

sym_poly sym_minimum(struct sym *sym, sym_poly a, sym_poly b)
{
    return extremum(sym, SYM_MINIMUM, a, b);
}

sym_poly sym_maximum(struct sym *sym, sym_poly a, sym_poly b)
{
    return extremum(sym, SYM_MAXIMUM, a, b);
}

sym_poly sym_select(struct sym *sym, sym_cond condition, sym_poly a, sym_poly b)
{
    if (condition == SYM_TRUE || a == b)
        return a;
    if (condition == SYM_FALSE)
        return b;
    struct sym_cond_data data = sym->conds.data[condition];
    if (data.kind == SYM_GE) { /* d = a - b decides between a and b: a maximum, or a minimum */
        sym_poly d = sym_subtract(sym, a, b);
        if (data.poly == d || data.poly == sym_shift(sym, d, -1))
            return sym_maximum(sym, a, b);
        d = sym_subtract(sym, b, a);
        if (data.poly == d || data.poly == sym_shift(sym, d, -1))
            return sym_minimum(sym, a, b);
    }
    struct sym_atom_data atom = {.kind = SYM_SELECT, .condition = condition, .a = a, .b = b};
    sym_integer low, high, low2, high2;
    sym_interval(sym, a, &low, &high);
    sym_interval(sym, b, &low2, &high2);
    atom.low = low < low2 ? low : low2;
    atom.high = high > high2 ? high : high2;
    return atom_poly(sym, &atom);
}

sym_poly sym_of_join(struct sym *sym, uint32_t block, const sym_poly *values, const sym_cond *facts, uint32_t count)
{
    struct sym_atom_data atom = {.kind = SYM_JOIN, .low = SYM_MAX, .high = SYM_MIN};
    uint32_t live = 0, last = 0;
    bool same = true;
    for (uint32_t i = 0; i < count; i++) {
        if (facts[i] == SYM_FALSE)
            continue;
        same = same && (live == 0 || values[i] == values[last]);
        last = i;
        live++;
        sym_integer low, high;
        sym_interval(sym, values[i], &low, &high);
        atom.low = low < atom.low ? low : atom.low;
        atom.high = high > atom.high ? high : atom.high;
    }
    if (live != 0 && same)
        return values[last];
    if (live == 0)
        return count == 0 ? SYM_ZERO : values[0];
    for (uint32_t j = 0; j < sym->joins.count; j++) {
        const struct sym_join *join = &sym->joins.data[j];
        if (join->block == block && join->count == count &&
            memcmp(join->values, values, count * sizeof *values) == 0 &&
            memcmp(join->facts, facts, count * sizeof *facts) == 0) {
            atom.index = j;
            return atom_poly(sym, &atom);
        }
    }
    struct sym_join join = {.block = block,
                            .count = count,
                            .values = arena_copy(sym->arena, values, count * sizeof *values),
                            .facts = arena_copy(sym->arena, facts, count * sizeof *facts)};
    atom.index = sym->joins.count;
    *vec_push(sym->arena, &sym->joins) = join;
    return atom_poly(sym, &atom);
}

/* ---- bits ------------------------------------------------------------------------------------------------ */

/* Bits [0, n) of every value of `a` are zero. */
static unsigned trailing_zeros(const struct sym *sym, sym_poly a)
{
    sym_integer content = sym_content(sym, a);
    if (content == 0)
        return 128;
    unsigned zeros = 0;
    while (zeros < 100 && content % 2 == 0) {
        content /= 2;
        zeros++;
    }
    return zeros;
}

/* a and b have no set bit in common. */
static bool are_disjoint(const struct sym *sym, sym_poly a, sym_poly b)
{
    sym_integer low, high;
    unsigned zeros = trailing_zeros(sym, a);
    sym_interval(sym, b, &low, &high);
    return low >= 0 && (zeros >= 100 || high < sym_power_of_two(zeros));
}

/* a & constant as a polynomial, when the constant is one run of ones; false otherwise. */
static bool mask_run(struct sym *sym, sym_poly a, sym_integer mask, unsigned bits, sym_poly *result)
{
    unsigned from = 0, to;
    while (from < bits && (mask >> from & 1) == 0)
        from++;
    to = from;
    while (to < bits && (mask >> to & 1) != 0)
        to++;
    if (mask >> to != 0)
        return false;
    /* a mod 2^to - a mod 2^from, as quotients: multiples of 2^from stay visible. */
    sym_poly low = sym_constant(sym, sym_power_of_two(from)), high = sym_constant(sym, sym_power_of_two(to));
    sym_poly whole = sym_scale(sym, sym_quotient(sym, a, low), sym_power_of_two(from));
    if (to < bits)
        whole = sym_subtract(sym, whole, sym_scale(sym, sym_quotient(sym, a, high), sym_power_of_two(to)));
    else
        whole = sym_congruent(sym, whole, bits);
    *result = whole;
    return true;
}

sym_poly sym_bitwise(struct sym *sym, enum sym_atom_kind kind, sym_poly a, sym_poly b, unsigned bits)
{
    sym_integer all = sym_power_of_two(bits) - 1, x, y;
    a = sym_congruent(sym, a, bits);
    b = sym_congruent(sym, b, bits);
    bool a_constant = sym_is_constant(sym, a, &x), b_constant = sym_is_constant(sym, b, &y);
    if (a_constant && !b_constant) {
        sym_poly swap = a;
        a = b;
        b = swap;
        y = x;
        a_constant = false;
        b_constant = true;
    }
    if (b_constant)
        y &= all;
    if (a_constant && b_constant) {
        x &= all;
        return sym_constant(sym, kind == SYM_BIT_AND ? (x & y) : kind == SYM_BIT_OR ? (x | y) : (x ^ y));
    }
    if (a == b)
        return kind == SYM_BIT_XOR ? SYM_ZERO : a;
    sym_poly masked;
    if (b_constant && y == 0)
        return kind == SYM_BIT_AND ? SYM_ZERO : a;
    if (b_constant && y == all)
        return kind == SYM_BIT_AND ? a
               : kind == SYM_BIT_OR ? sym_constant(sym, -1)
                                    : sym_subtract(sym, sym_constant(sym, -1), a);
    if (kind == SYM_BIT_AND && b_constant && mask_run(sym, a, y, bits, &masked))
        return masked;
    if (kind != SYM_BIT_AND && (are_disjoint(sym, a, b) || are_disjoint(sym, b, a)))
        return sym_add(sym, a, b);
    struct sym_atom_data atom = {.kind = (uint8_t)kind,
                                 .bits = (uint8_t)bits,
                                 .a = a < b ? a : b,
                                 .b = a < b ? b : a,
                                 .high = all};
    sym_integer low, high, low2, high2;
    sym_interval(sym, a, &low, &high);
    sym_interval(sym, b, &low2, &high2);
    if (kind == SYM_BIT_AND) {
        if (low >= 0 && high < atom.high)
            atom.high = high;
        if (low2 >= 0 && high2 < atom.high)
            atom.high = high2;
    } else if (low >= 0 && low2 >= 0 && high <= all && high2 <= all) {
        sym_integer most = high > high2 ? high : high2, bound = 1;
        while (bound <= most)
            bound *= 2;
        atom.high = bound - 1;
        if (kind == SYM_BIT_OR)
            atom.low = low > low2 ? low : low2;
    }
    return atom_poly(sym, &atom);
}

sym_poly sym_power(struct sym *sym, sym_poly exponent, unsigned bits)
{
    sym_integer value, low, high;
    if (sym_is_constant(sym, exponent, &value))
        return value >= 0 && value < bits ? sym_constant(sym, sym_power_of_two((unsigned)value)) : SYM_ZERO;
    sym_interval(sym, exponent, &low, &high);
    struct sym_atom_data atom = {
        .kind = SYM_POWER, .bits = (uint8_t)bits, .a = exponent, .high = sym_power_of_two(bits - 1)};
    if (low >= 0 && high < bits) {
        atom.low = sym_power_of_two((unsigned)low);
        atom.high = sym_power_of_two((unsigned)high);
    }
    return atom_poly(sym, &atom);
}

/* ---- the same with other parts ---------------------------------------------------------------------------- */

sym_poly sym_atom_with(struct sym *sym, const struct sym_atom_data *data, sym_poly a, sym_poly b, sym_cond condition)
{
    switch (data->kind) {
    case SYM_WRAP_UNSIGNED:
        return sym_wrap(sym, a, data->bits, false);
    case SYM_WRAP_SIGNED:
        return sym_wrap(sym, a, data->bits, true);
    case SYM_QUOTIENT:
        return sym_quotient(sym, a, b);
    case SYM_TRUNCATED:
        return sym_truncated(sym, a, b);
    case SYM_SELECT:
        return sym_select(sym, condition, a, b);
    case SYM_MINIMUM:
        return sym_minimum(sym, a, b);
    case SYM_MAXIMUM:
        return sym_maximum(sym, a, b);
    case SYM_POWER:
        return sym_power(sym, a, data->bits);
    default: /* bitwise: the constructor's result is congruent, the atom lies in [0, 2^bits) */
        return sym_wrap(sym, sym_bitwise(sym, (enum sym_atom_kind)data->kind, a, b, data->bits), data->bits, false);
    }
}
