/* SPDX-License-Identifier: Apache-2.0
 *
 * Idioms around an index: neighbours, clamps, joins, products, arithmetic that only its last test makes right.
 */
#include "emit.h"

void idiom_neighbours(struct generator *g)
{
    struct value v = pick(g);
    const char *base, *bound = bound_operand(g, &v);
    new_array(g, 4, v.below, &base);
    const char *address = address_of(g, base, v.reg, 4), *p,
               *before = op(g, 'r', "add.s32", "%s, -1", v.reg);
    uint32_t skip = new_label(g);
    g->depth++;
    switch (below(g, bound != NULL ? 4 : 3)) {
    case 0:
        feature(g, FEATURE_EQUALITY_GUARD);
        p = op(g, 'p', "setp.eq.s32", "%s, %lld", v.reg,
               (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
        break;
    case 1:
        feature(g, FEATURE_SIGNED_GUARD);
        p = op(g, 'p', "setp.lt.s32", "%s, %lld", v.reg,
               (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        break;
    case 2:
        feature(g, FEATURE_PREDICATES);
        feature(g, FEATURE_EQUALITY_GUARD);
        p = op(g, 'p', "not.pred", "%s",
               op(g, 'p', "setp.ne.s32", "%s, %lld", v.reg,
                  (long long)exact(g, MISTAKE_OFF_BY_ONE, 0)));
        break;
    default:
        feature(g, FEATURE_UNSIGNED_GUARD);
        p = op(g, 'p', text_of(g, "setp.ge.%c32", sign(g, 'u')), "%s, %s", before, bound);
    }
    if (chance(g, 30)) {
        feature(g, FEATURE_GUARDED);
        const char *into = text_of(g, "%%r%u", g->registers['r']++);
        raw(g, "@!%s ld.global.u32 %s, [%s+%lld]", p, into, address,
            (long long)exact(g, MISTAKE_OFF_BY_ONE, -1) * 4);
    } else {
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            raw(g, "@%s bra $L%u", p, skip);
        if (chance(g, 50))
            touch(g, address, exact(g, MISTAKE_OFF_BY_ONE, -1) * 4, 4, true);
        else
            touch(g, address_of(g, base, before, 4), 0, 4, true);
    }
    put_label(g, skip);
    if (bound != NULL) {
        uint32_t end = new_label(g);
        const char *after =
            op(g, 'r', "add.s32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        leave_unless_below(g, after, bound, end, false);
        touch(g, address, 4, 4, true);
        put_label(g, end);
    }
    g->depth--;
}

void idiom_clamped(struct generator *g)
{
    struct value v = pick(g);
    const char *base, *bound = bound_operand(g, &v);
    int64_t reach = 1 + below(g, 3);
    feature(g, FEATURE_CLAMP);
    feature(g, FEATURE_MINIMUM);
    const char *before = op(g, 'r', text_of(g, "max.%c32", sign(g, 's')), "%s, 0",
                            op(g, 'r', "add.s32", "%s, %lld", v.reg, -(long long)reach));
    new_array(g, 4, v.below, &base);
    touch(g, address_of(g, base, before, 4), 0, 4, true);
    if (bound == NULL)
        return;
    const char *last =
        v.literal != 0
            ? text_of(g, "%lld", (long long)exact(g, MISTAKE_OFF_BY_ONE, v.literal - 1))
            : op(g, 'r', "add.s32", "%s, %lld", bound, (long long)exact(g, MISTAKE_OFF_BY_ONE, -1));
    fit(g, text_of(g, "(%s + %lld)", v.below, (long long)reach), (int64_t)v.most + reach);
    const char *after = op(g, 'r', text_of(g, "min.%c32", either(g)), "%s, %s",
                           op(g, 'r', "add.s32", "%s, %lld", v.reg, (long long)reach), last);
    touch(g, address_of(g, base, after, 4), 0, 4, true);
}

/* if (c) j = f(v); else j = g(v); both below one bound. */
void idiom_meet(struct generator *g)
{
    struct value v = pick(g);
    feature(g, FEATURE_IF_ELSE);
    uint32_t other = new_label(g), end = new_label(g);
    const char *j = op(g, 'r', "mov.u32", "%s",
                       strike(g, MISTAKE_OPERAND) ? special(g, 2, 0) : v.reg),
               *r;
    raw(g, "@%s%s bra $L%u", chance(g, 50) ? "!" : "", some_condition(g), other);
    g->depth++;
    switch (below(g, 3)) {
    case 0:
        op_to(g, j, "mov.u32", "%lld", (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
        fit(g, v.below, v.most);
        v = grown(g, v.reg, v, 1);
        break;
    case 1:
        feature(g, FEATURE_SHIFT);
        op_to(g, j, "shr.u32", "%s, 1", v.reg);
        break;
    default:
        r = op(g, 'r', "add.s32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 3));
        op_to(g, j, "mov.u32", "%s", r);
        v = grown(g, v.reg, v, 3);
    }
    raw(g, "bra $L%u", end);
    put_label(g, other);
    if (chance(g, 60))
        op_to(g, j, "and.b32", "%s, -2", v.reg);
    put_label(g, end);
    if (chance(g, 30)) {
        feature(g, FEATURE_SELECT);
        j = op(g, 'r', "selp.b32", "%s, %s, %s", j,
               strike(g, MISTAKE_OPERAND) ? special(g, 2, 0) : v.reg, some_condition(g));
    }
    g->depth--;
    access_at(g, loose(j, v), 0);
}

/* Anything at all, and then a test that lets only right numbers through. */
void idiom_wild(struct generator *g)
{
    static const char *const names[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32",
                                        "or.b32",  "xor.b32", "min.s32",    "max.u32"};
    struct value v = pick(g);
    const char *r = v.reg;
    for (uint32_t steps = 2 + below(g, 4); steps > 0; steps--) {
        const char *name = names[below(g, COUNT_OF(names))];
        if (chance(g, 50))
            r = op(g, 'r', name, "%s, %d", r, (int)below(g, 40) - 20);
        else
            r = op(g, 'r', name, "%s, %s", r,
                   chance(g, 50) ? pick(g).reg : special(g, below(g, 4), 0));
    }
    const struct scalar *n = scalar(g, 1, chance(g, 30));
    uint32_t skip = new_label(g);
    int64_t size = (int64_t)4 << below(g, 4);
    struct value result = {.reg = r, .below = n->name, .most = n->most, .scalar = n};
    switch (below(g, 4)) {
    case 0:
        leave_unless_below(g, r, n->reg, skip, true);
        break;
    case 1:
        feature(g, FEATURE_MASK_AND);
        result = literal_value(
            op(g, 'r', "and.b32", "%s, %lld", r, (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1)),
            g, size);
        break;
    case 2:
        feature(g, FEATURE_REMAINDER);
        feature(g, FEATURE_DIVISION_UNSIGNED);
        result.reg = op(g, 'r', text_of(g, "rem.%c32", sign(g, 'u')), "%s, %s", r, n->reg);
        break;
    default: { /* 0 <= r and r < n, signed */
        feature(g, FEATURE_PREDICATES);
        feature(g, FEATURE_SIGNED_GUARD);
        const char *p =
            op(g, 'p', "setp.gt.s32", "%s, %lld", r, (long long)exact(g, MISTAKE_OFF_BY_ONE, -1));
        const char *q =
            op(g, 'p', text_of(g, "setp.lt.and.%c32", strike(g, MISTAKE_SIGNEDNESS) ? 'u' : 's'),
               "%s, %s, %s", r, n->reg, p);
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            raw(g, "@!%s bra $L%u", q, skip);
    }
    }
    g->depth++;
    access_at(g, result, 0);
    g->depth--;
    put_label(g, skip);
}

/* row * columns + column */
void idiom_product(struct generator *g)
{
    struct value row = pick(g), column = {0};
    for (uint32_t i = 0; i < 6 && column.reg == NULL; i++) {
        struct value v = pick(g);
        if (v.scalar != NULL || v.literal != 0)
            column = v;
    }
    if (column.reg == NULL) {
        const struct scalar *n = scalar(g, 1, true);
        column = (struct value){.reg = op(g, 'r', "rem.u32", "%s, %s", row.reg, n->reg),
                                .below = n->name,
                                .most = n->most,
                                .scalar = n};
        feature(g, FEATURE_REMAINDER);
    }
    feature(g, FEATURE_TWO_DIMENSIONS);
    const char *columns = bound_operand(g, &column), *base,
               *product = text_of(g, "(%s * %s)", row.below, column.below);
    if (strike(g, MISTAKE_OPERAND))
        columns = row.reg;
    struct plan_parameter *array = new_array(g, 4, row.below, &base);
    if (array->dimensions == 1 && text_starts_with(row.below, array->shape[0])) {
        array->dimensions = 2;
        array->shape[1] = column.below;
    } else {
        array->shape[0] = product;
    }
    if (chance(g, 40)) {
        feature(g, FEATURE_WIDE);
        feature(g, FEATURE_WIDEN);
        char s = either(g);
        const char *r;
        if (chance(g, 50)) {
            feature(g, FEATURE_MULTIPLY_WIDE);
            r = op(g, 'd', text_of(g, "mul.wide.%c32", s), "%s, %s", row.reg, columns);
        } else {
            const char *wide = op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", row.reg);
            r = op(g, 'd', "mul.lo.s64", "%s, %s", wide,
                   columns[0] == '%' ? op(g, 'd', "cvt.u64.u32", "%s", columns) : columns);
        }
        r = op(g, 'd', "add.s64", "%s, %s", r, op(g, 'd', "cvt.u64.u32", "%s", column.reg));
        feature(g, FEATURE_SHIFT);
        touch(g,
              op(g, 'd', "add.s64", "%s, %s", base,
                 op(g, 'd', "shl.b64", "%s, %lld", r, (long long)exact(g, MISTAKE_SHIFT, 2))),
              0, 4, true);
        return;
    }
    fit(g, product, (int64_t)row.most * column.most);
    feature(g, FEATURE_MULTIPLY_ADD);
    const char *index = op(g, 'r', "mad.lo.s32", "%s, %s, %s", row.reg, columns, column.reg);
    touch(g, address_of(g, base, index, 4), 0, 4, true);
}

/* A divisor that the contract lets be zero. */
void idiom_guarded_division(struct generator *g)
{
    struct value v = pick(g);
    const struct scalar *by = scalar(g, 0, chance(g, 50));
    uint32_t skip = new_label(g);
    const char *divisor = by->reg, *p;
    char s = either(g);
    feature(g, FEATURE_DIVISION_SYMBOLIC);
    feature(g, s == 's' ? FEATURE_DIVISION_SIGNED : FEATURE_DIVISION_UNSIGNED);
    switch (below(g, 5)) {
    case 0:
    case 1:
        feature(g, FEATURE_EQUALITY_GUARD);
        p = op(g, 'p', "setp.eq.s32", "%s, %lld", by->reg,
               (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            raw(g, "@%s bra $L%u", p, skip);
        break;
    case 2:
        feature(g, FEATURE_MINIMUM);
        divisor = op(g, 'r', text_of(g, "max.%c32", either(g)), "%s, %lld", by->reg,
                     (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        break;
    case 3:
        feature(g, FEATURE_MASK_OR);
        divisor =
            op(g, 'r', "or.b32", "%s, %lld", by->reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        break;
    default:
        divisor =
            op(g, 'r', "add.s32", "%s, %lld", by->reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
    }
    g->depth++;
    if (chance(g, 50)) {
        access_at(g, loose(op(g, 'r', text_of(g, "div.%c32", s), "%s, %s", v.reg, divisor), v), 0);
    } else {
        feature(g, FEATURE_REMAINDER);
        access_at(g, loose(op(g, 'r', text_of(g, "rem.%c32", s), "%s, %s", v.reg, divisor), v), 0);
    }
    g->depth--;
    put_label(g, skip);
}
