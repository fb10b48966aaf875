/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions: comparisons of polynomials with zero and their combinations, hash-consed, in a normal form.  A comparison is divided
 * by the common factor of its coefficients, which rounds the constant: all atoms are integers.
 */
#include "sym/table.h"

static uint64_t cond_hash(const struct sym *sym, uint32_t id)
{
    return sym->conds.data[id].hash;
}

static sym_cond intern_cond(struct sym *sym, struct sym_cond_data data)
{
    data.hash = sym_hash(sym_hash(sym_hash(data.kind, data.negated), data.poly), data.left);
    data.hash = sym_hash(sym_hash(data.hash, data.right), data.index);
    uint64_t slot = data.hash;
    for (uint32_t id; (id = sym_table_next(sym->cond_table, &slot)) != SYM_NONE;) {
        const struct sym_cond_data *other = &sym->conds.data[id];
        if (other->hash == data.hash && other->kind == data.kind && other->negated == data.negated &&
            other->poly == data.poly && other->left == data.left && other->right == data.right &&
            other->index == data.index)
            return id;
    }
    sym_cond id = sym->conds.count;
    *vec_push(sym->arena, &sym->conds) = data;
    sym_table_add(sym, sym->cond_table, data.hash, id, cond_hash);
    return id;
}

/* The constant of a, and the common factor of all the rest. */
static sym_integer split_constant(struct sym *sym, sym_poly a, sym_integer *constant, sym_poly *rest)
{
    const struct sym_poly_data *data = &sym->polys.data[a];
    *constant = data->count != 0 && data->terms[0].monomial == 0 ? data->terms[0].coefficient : 0;
    *rest = sym_shift(sym, a, -*constant);
    return sym_content(sym, *rest);
}

sym_cond sym_ge(struct sym *sym, sym_poly poly)
{
    sym_integer low, high, constant;
    sym_interval(sym, poly, &low, &high);
    if (low >= 0)
        return SYM_TRUE;
    if (high < 0)
        return SYM_FALSE;
    sym_poly rest;
    sym_integer content = split_constant(sym, poly, &constant, &rest);
    if (content > 1)
        poly = sym_shift(sym, sym_divide_exact(sym, rest, content), sym_floor_divide(constant, content));
    return intern_cond(sym, (struct sym_cond_data){.kind = SYM_GE, .poly = poly});
}

static sym_cond equality(struct sym *sym, sym_poly poly, enum sym_cond_kind kind)
{
    sym_cond never = kind == SYM_EQ ? SYM_FALSE : SYM_TRUE, always = kind == SYM_EQ ? SYM_TRUE : SYM_FALSE;
    sym_integer low, high, constant;
    if (poly == SYM_ZERO)
        return always;
    sym_interval(sym, poly, &low, &high);
    if (low > 0 || high < 0)
        return never;
    if (kind == SYM_NE && low == 0) /* at the end of its range: an order */
        return sym_ge(sym, sym_shift(sym, poly, -1));
    if (kind == SYM_NE && high == 0)
        return sym_ge(sym, sym_shift(sym, sym_scale(sym, poly, -1), -1));
    sym_poly rest;
    sym_integer content = split_constant(sym, poly, &constant, &rest);
    if (content > 1) {
        if (constant % content != 0)
            return never;
        poly = sym_divide_exact(sym, poly, content);
    }
    const struct sym_poly_data *data = &sym->polys.data[poly];
    if (data->terms[data->count - 1].coefficient < 0)
        poly = sym_scale(sym, poly, -1);
    return intern_cond(sym, (struct sym_cond_data){.kind = (uint8_t)kind, .poly = poly});
}

sym_cond sym_eq(struct sym *sym, sym_poly poly)
{
    return equality(sym, poly, SYM_EQ);
}

sym_cond sym_ne(struct sym *sym, sym_poly poly)
{
    return equality(sym, poly, SYM_NE);
}

sym_cond sym_and(struct sym *sym, sym_cond a, sym_cond b)
{
    if (a == SYM_FALSE || b == SYM_FALSE)
        return SYM_FALSE;
    if (a == SYM_TRUE || a == b)
        return b;
    if (b == SYM_TRUE)
        return a;
    return intern_cond(sym, (struct sym_cond_data){
                                .kind = SYM_AND, .left = a < b ? a : b, .right = a < b ? b : a});
}

sym_cond sym_or(struct sym *sym, sym_cond a, sym_cond b)
{
    if (a == SYM_TRUE || b == SYM_TRUE)
        return SYM_TRUE;
    if (a == SYM_FALSE || a == b)
        return b;
    if (b == SYM_FALSE)
        return a;
    if (sym_not(sym, a) == b)
        return SYM_TRUE;
    return intern_cond(sym,
                       (struct sym_cond_data){.kind = SYM_OR, .left = a < b ? a : b, .right = a < b ? b : a});
}

sym_cond sym_not(struct sym *sym, sym_cond a)
{
    struct sym_cond_data data = sym->conds.data[a];
    switch (data.kind) {
    case SYM_CONSTANT_CONDITION:
        return a == SYM_TRUE ? SYM_FALSE : SYM_TRUE;
    case SYM_GE: /* not p >= 0: -p - 1 >= 0 */
        return sym_ge(sym, sym_shift(sym, sym_scale(sym, data.poly, -1), -1));
    case SYM_EQ:
        return sym_ne(sym, data.poly);
    case SYM_NE:
        return sym_eq(sym, data.poly);
    case SYM_AND: {
        sym_cond left = sym_not(sym, data.left);
        return sym_or(sym, left, sym_not(sym, data.right));
    }
    case SYM_OR: {
        sym_cond left = sym_not(sym, data.left);
        return sym_and(sym, left, sym_not(sym, data.right));
    }
    default:
        data.negated = !data.negated;
        return intern_cond(sym, data);
    }
}

sym_cond sym_unknown(struct sym *sym)
{
    return intern_cond(sym, (struct sym_cond_data){.kind = SYM_UNKNOWN, .index = sym->conds.count});
}
