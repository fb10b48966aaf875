/* SPDX-License-Identifier: Apache-2.0
 *
 * Straight-line index arithmetic whose results have known bounds.
 */
#include "emit.h"

struct value literal_value(const char *reg, struct generator *g, int64_t bound)
{
    return (struct value){
        .reg = reg, .below = text_of(g, "%lld", (long long)bound), .most = bound, .literal = bound};
}

const char *bound_operand(struct generator *g, const struct value *v)
{
    return v->scalar != NULL ? v->scalar->reg
           : v->literal != 0 ? text_of(g, "%lld", (long long)v->literal)
                             : NULL;
}

struct value loose(const char *reg, struct value v)
{
    v.reg = reg;
    return v;
}

/* ceil(v / c) of the bound. */
static struct value divided(struct generator *g, const char *reg, struct value v, int64_t c)
{
    if (v.literal != 0)
        return literal_value(reg, g, (v.literal + c - 1) / c);
    return (struct value){
        .reg = reg,
        .below = text_of(g, "((%s + %lld) / %lld)", v.below, (long long)(c - 1), (long long)c),
        .most = v.most / c + 1};
}

struct value grown(struct generator *g, const char *reg, struct value v, int64_t c)
{
    if (v.literal != 0)
        return literal_value(reg, g, v.literal + c);
    const char *below_text = text_of(g, "(%s + %lld)", v.below, (long long)c);
    return (struct value){
        .reg = reg, .below = below_text, .most = fit(g, below_text, (int64_t)v.most + c)};
}

static struct value multiplied(struct generator *g, const char *reg, struct value v, int64_t c)
{
    if (v.literal != 0 && v.literal * c <= INT_LIMIT)
        return literal_value(reg, g, v.literal * c);
    const char *below_text = text_of(g, "(%s * %lld)", v.below, (long long)c);
    return (struct value){
        .reg = reg, .below = below_text, .most = fit(g, below_text, (int64_t)v.most * c)};
}

static struct value derive_linear(struct generator *g, struct value v)
{
    int64_t c = 2 + below(g, 7), j;
    const char *r, *bound = bound_operand(g, &v);
    switch (below(g, 7)) {
    case 0:
        return grown(
            g, op(g, 'r', "add.s32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, c)),
            v, c);
    case 1:
        j = below(g, (uint32_t)c);
        feature(g, FEATURE_MULTIPLY_ADD);
        return multiplied(g,
                          op(g, 'r', "mad.lo.s32", "%s, %lld, %lld", v.reg,
                             (long long)exact(g, MISTAKE_STRIDE, c),
                             (long long)exact(g, MISTAKE_OFF_BY_ONE, j)),
                          v, c);
    case 2:
        feature(g, FEATURE_SHIFT);
        return multiplied(
            g, op(g, 'r', "shl.b32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_SHIFT, 2)), v,
            4);
    case 3: /* v * 3 - v * 2: may wrap on the way */
        r = op(g, 'r', "mul.lo.s32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_STRIDE, 3));
        return loose(op(g, 'r', "sub.s32", "%s, %s", r, op(g, 'r', "shl.b32", "%s, 1", v.reg)), v);
    case 4: /* bound - 1 - v */
        if (bound == NULL)
            return v;
        r = op(g, 'r', "sub.s32", "%s, %s", bound, v.reg);
        return loose(
            op(g, 'r', "add.s32", "%s, %lld", r, (long long)exact(g, MISTAKE_OFF_BY_ONE, -1)), v);
    case 5: /* bound + ~v */
        if (bound == NULL)
            return v;
        feature(g, FEATURE_MASK_NOT);
        r = op(g, 'r', "not.b32", "%s", v.reg);
        if (strike(g, MISTAKE_OPERAND))
            r = op(g, 'r', "neg.s32", "%s", v.reg);
        return loose(op(g, 'r', "add.s32", "%s, %s", r, bound), v);
    default: /* through 64 bits */
        feature(g, FEATURE_WIDEN);
        feature(g, FEATURE_WIDE);
        feature(g, FEATURE_TRUNCATE);
        r = op(g, 'd', text_of(g, "cvt.%c64.%c32", 'u', either(g) == 's' ? 'u' : 'u'), "%s", v.reg);
        r = op(g, 'd', "mad.lo.s64", "%s, %lld, %lld", r, (long long)exact(g, MISTAKE_STRIDE, c),
               (long long)exact(g, MISTAKE_OFF_BY_ONE, c - 1));
        feature(g, FEATURE_MULTIPLY_ADD);
        return multiplied(g, op(g, 'r', "cvt.u32.u64", "%s", r), v, c);
    }
}

static struct value derive_bits(struct generator *g, struct value v)
{
    int64_t k = 1 + below(g, 4), mask = ((int64_t)1 << k) - 1;
    const char *r;
    switch (below(g, 10)) {
    case 8: /* ~(~v | mask) */
        feature(g, FEATURE_MASK_NOT);
        feature(g, FEATURE_MASK_OR);
        r = op(g, 'r', "or.b32", "%s, %lld", op(g, 'r', "not.b32", "%s", v.reg), (long long)mask);
        return loose(op(g, 'r', "not.b32", "%s", r), v);
    case 0:
        feature(g, FEATURE_SHIFT);
        return divided(g,
                       op(g, 'r', text_of(g, "shr.%c32", either(g)), "%s, %lld", v.reg,
                          (long long)exact(g, MISTAKE_SHIFT, k)),
                       v, mask + 1);
    case 1:
        feature(g, FEATURE_MASK_AND);
        return literal_value(
            op(g, 'r', "and.b32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, mask)),
            g, mask + 1);
    case 2:
        feature(g, FEATURE_MASK_AND);
        return loose(op(g, 'r', "and.b32", "%s, %lld", v.reg, (long long)~mask), v);
    case 3:
        feature(g, FEATURE_MASK_XOR);
        return grown(g,
                     op(g, 'r', "xor.b32", "%s, %lld", v.reg,
                        (long long)(strike(g, MISTAKE_OFF_BY_ONE) ? 2 * mask + 1 : mask)),
                     v, mask);
    case 4:
        feature(g, FEATURE_MASK_OR);
        return grown(g,
                     op(g, 'r', "or.b32", "%s, %lld", v.reg,
                        (long long)(strike(g, MISTAKE_OFF_BY_ONE) ? 2 * mask + 1 : mask)),
                     v, mask);
    case 5: /* or as the addition of disjoint bits */
        feature(g, FEATURE_MASK_OR);
        feature(g, FEATURE_SHIFT);
        r = op(g, 'r', "shl.b32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_SHIFT, k));
        return multiplied(g,
                          op(g, 'r', "or.b32", "%s, %lld", r,
                             (long long)(strike(g, MISTAKE_OFF_BY_ONE) ? mask + 1 : mask)),
                          v, mask + 1);
    case 6: /* (v << 2) & 252, then back */
        feature(g, FEATURE_MASK_AND);
        feature(g, FEATURE_SHIFT);
        r = op(g, 'r', "and.b32", "%s, 252", op(g, 'r', "shl.b32", "%s, 2", v.reg));
        if (strike(g, MISTAKE_SHIFT))
            return literal_value(op(g, 'r', "shr.u32", "%s, 1", r), g, 64);
        return literal_value(op(g, 'r', "shr.u32", "%s, 2", r), g, 64);
    case 7:
        feature(g, FEATURE_SHIFT);
        return literal_value(op(g, 'r', "bfe.u32", "%s, %lld, %lld", v.reg, (long long)below(g, 5),
                                (long long)exact(g, MISTAKE_SHIFT, k)),
                             g, mask + 1);
    default: /* v ^ 4 in steps of four */
        feature(g, FEATURE_MASK_XOR);
        r = op(g, 'r', "xor.b32", "%s, 4", op(g, 'r', "shl.b32", "%s, 2", v.reg));
        feature(g, FEATURE_SHIFT);
        fit(g, text_of(g, "(%s * 4)", v.below), (int64_t)v.most * 4 + 4);
        return grown(g, op(g, 'r', "shr.u32", "%s, 2", r), v, 1);
    }
}

/* Quotients of values that are not negative, with v / c and a constant as compilers write them. */
static struct value derive_magic(struct generator *g, struct value v)
{
    static const struct {
        int64_t divisor;
        uint32_t factor, shift; /* unsigned */
        int32_t signed_factor;
        uint32_t signed_shift;
    } magic[] = {{3, 0xaaaaaaab, 1, 0x55555556, 0},  {5, 0xcccccccd, 2, 0x66666667, 1},
                 {10, 0xcccccccd, 3, 0x66666667, 2}, {9, 0x38e38e39, 1, 0x38e38e39, 1},
                 {6, 0xaaaaaaab, 2, 0x2aaaaaab, 0},  {12, 0xaaaaaaab, 3, 0x2aaaaaab, 1}};
    uint32_t m = below(g, COUNT_OF(magic));
    int64_t shift = exact(g, MISTAKE_SHIFT, magic[m].shift);
    const char *r;
    feature(g, FEATURE_MULTIPLY_HIGH);
    switch (below(g, 3)) {
    case 0:
        feature(g, FEATURE_SHIFT);
        r = op(g, 'r', "mul.hi.u32", "%s, %lld", v.reg, (long long)(int32_t)magic[m].factor);
        r = op(g, 'r', "shr.u32", "%s, %lld", r, (long long)shift);
        break;
    case 1:
        feature(g, FEATURE_SHIFT);
        feature(g, FEATURE_TRUNCATE);
        feature(g, FEATURE_MULTIPLY_WIDE);
        r = op(g, 'd', "mul.wide.u32", "%s, %lld", v.reg, (long long)(int32_t)magic[m].factor);
        r = op(g, 'r', "cvt.u32.u64", "%s",
               op(g, 'd', "shr.u64", "%s, %lld", r, (long long)(32 + shift)));
        break;
    default: {
        const char *high = op(g, 'r', "mul.hi.s32", "%s, %d", v.reg, magic[m].signed_factor);
        if (magic[m].signed_shift != 0)
            high = op(g, 'r', "shr.s32", "%s, %u", high, magic[m].signed_shift);
        r = op(g, 'r', "add.s32", "%s, %s", high, op(g, 'r', "shr.u32", "%s, 31", v.reg));
        break;
    }
    }
    if (chance(g, 40)) { /* v - q * c: the remainder */
        const char *q = op(g, 'r', "mul.lo.s32", "%s, %lld", r, (long long)magic[m].divisor);
        feature(g, FEATURE_REMAINDER);
        return literal_value(op(g, 'r', "sub.s32", "%s, %s", v.reg, q), g, magic[m].divisor);
    }
    return divided(g, r, v, magic[m].divisor);
}

/* 64-bit division as compilers write it: in 32 bits when both fit. */
static struct value size_tested_division(struct generator *g, struct value v,
                                         const struct scalar *by)
{
    uint32_t narrow = new_label(g), end = new_label(g);
    bool remainder = chance(g, 40);
    const char *name = remainder ? "rem" : "div", *result = op(g, 'd', "mov.u64", "0");
    const char *a = op(g, 'd', "cvt.u64.u32", "%s", v.reg),
               *b = op(g, 'd', "cvt.u64.u32", "%s", by->reg);
    feature(g, FEATURE_WIDE);
    feature(g, FEATURE_MASK_OR);
    feature(g, FEATURE_EQUALITY_GUARD);
    feature(g, FEATURE_DIVISION_UNSIGNED);
    feature(g, FEATURE_IF_ELSE);
    feature(g, FEATURE_TRUNCATE);
    const char *high =
        op(g, 'd', "and.b64", "%s, -4294967296", op(g, 'd', "or.b64", "%s, %s", a, b));
    raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s64", "%s, 0", high), narrow);
    op_to(g, result, text_of(g, "%s.u64", name), "%s, %s", a, b);
    raw(g, "bra $L%u", end);
    put_label(g, narrow);
    a = op(g, 'r', "cvt.u32.u64", "%s", a);
    b = op(g, 'r', "cvt.u32.u64", "%s", b);
    op_to(g, result, "cvt.u64.u32", "%s",
          op(g, 'r', text_of(g, "%s.u32", name), "%s, %s", a, strike(g, MISTAKE_OPERAND) ? a : b));
    put_label(g, end);
    const char *r = op(g, 'r', "cvt.u32.u64", "%s", result);
    if (remainder) {
        feature(g, FEATURE_REMAINDER);
        return (struct value){.reg = r, .below = by->name, .most = by->most, .scalar = by};
    }
    return loose(r, v);
}

static struct value derive_quotient(struct generator *g, struct value v)
{
    int64_t c = 2 + below(g, 9), k = 1 + below(g, 4);
    char s = either(g);
    const struct scalar *by;
    const char *r;
    switch (below(g, 13)) {
    case 6:
        feature(g, FEATURE_DIVISION_SYMBOLIC);
        return size_tested_division(g, v, scalar(g, 1, chance(g, 50)));
    case 7: /* in 64 bits */
        feature(g, FEATURE_DIVISION_CONSTANT);
        feature(g, FEATURE_WIDE);
        feature(g, FEATURE_TRUNCATE);
        r = op(g, 'd', text_of(g, "div.%c64", s), "%s, %lld",
               op(g, 'd', "cvt.u64.u32", "%s", v.reg), (long long)exact(g, MISTAKE_OFF_BY_ONE, c));
        return divided(g, op(g, 'r', "cvt.u32.u64", "%s", r), v, c);
    case 0:
    case 11:
        feature(g, FEATURE_DIVISION_CONSTANT);
        feature(g, s == 's' ? FEATURE_DIVISION_SIGNED : FEATURE_DIVISION_UNSIGNED);
        return divided(g,
                       op(g, 'r', text_of(g, "div.%c32", s), "%s, %lld", v.reg,
                          (long long)exact(g, MISTAKE_OFF_BY_ONE, c)),
                       v, c);
    case 1:
        feature(g, FEATURE_REMAINDER);
        feature(g, FEATURE_DIVISION_CONSTANT);
        feature(g, s == 's' ? FEATURE_DIVISION_SIGNED : FEATURE_DIVISION_UNSIGNED);
        return literal_value(op(g, 'r', text_of(g, "rem.%c32", s), "%s, %lld", v.reg,
                                (long long)exact(g, MISTAKE_OFF_BY_ONE, c)),
                             g, c);
    case 2:
    case 3:
    case 10:
        return derive_magic(g, v);
    case 4:
    case 8:
    case 9: /* signed division by 2^k: bias, then shift */
        feature(g, FEATURE_DIVISION_SHIFT);
        feature(g, FEATURE_SHIFT);
        feature(g, FEATURE_DIVISION_SIGNED);
        r = op(g, 'r', "shr.u32", "%s, %lld", op(g, 'r', "shr.s32", "%s, 31", v.reg),
               (long long)(32 - k));
        r = op(g, 'r', "add.s32", "%s, %s", v.reg, r);
        return divided(g,
                       op(g, 'r', "shr.s32", "%s, %lld", r, (long long)exact(g, MISTAKE_SHIFT, k)),
                       v, (int64_t)1 << k);
    case 5:
        by = scalar(g, 1, chance(g, 50));
        feature(g, FEATURE_DIVISION_SYMBOLIC);
        feature(g, s == 's' ? FEATURE_DIVISION_SIGNED : FEATURE_DIVISION_UNSIGNED);
        return loose(op(g, 'r', text_of(g, "div.%c32", s), "%s, %s", v.reg, by->reg), v);
    default:
        by = scalar(g, 1, chance(g, 50));
        feature(g, FEATURE_DIVISION_SYMBOLIC);
        feature(g, FEATURE_REMAINDER);
        feature(g, s == 's' ? FEATURE_DIVISION_SIGNED : FEATURE_DIVISION_UNSIGNED);
        return (struct value){.reg =
                                  op(g, 'r', text_of(g, "rem.%c32", s), "%s, %s", v.reg, by->reg),
                              .below = by->name,
                              .most = by->most,
                              .scalar = by};
    }
}

static struct value derive_choice(struct generator *g, struct value v)
{
    int64_t c = 2 + below(g, 20);
    const char *r, *bound = bound_operand(g, &v);
    switch (below(g, 7)) {
    case 5: /* v < c ? v : c - 1 */
        feature(g, FEATURE_SELECT);
        r = op(g, 'p', text_of(g, "setp.lt.%c32", either(g)), "%s, %lld", v.reg,
               (long long)exact(g, MISTAKE_OFF_BY_ONE, c));
        return literal_value(op(g, 'r', "selp.b32", "%s, %lld, %s", v.reg, (long long)c - 1, r), g,
                             c);
    case 0:
        feature(g, FEATURE_MINIMUM);
        return literal_value(op(g, 'r', text_of(g, "min.%c32", either(g)), "%s, %lld", v.reg,
                                (long long)exact(g, MISTAKE_OFF_BY_ONE, c - 1)),
                             g, c);
    case 1:
        feature(g, FEATURE_MINIMUM);
        return grown(g,
                     op(g, 'r', text_of(g, "max.%c32", either(g)), "%s, %lld", v.reg, (long long)c),
                     v, c);
    case 2:
        feature(g, FEATURE_MINIMUM);
        r = op(g, 'r', "sub.s32", "%s, %lld", v.reg, (long long)c);
        return loose(op(g, 'r', text_of(g, "max.%c32", sign(g, 's')), "%s, 0", r), v);
    case 3:
        feature(g, FEATURE_SELECT);
        return loose(op(g, 'r', "selp.b32", "%s, %lld, %s", v.reg,
                        (long long)exact(g, MISTAKE_OFF_BY_ONE, 0), some_condition(g)),
                     v);
    case 4: /* wrap around: v + 1 == bound ? 0 : v + 1 */
        if (bound == NULL)
            return v;
        feature(g, FEATURE_SELECT);
        feature(g, FEATURE_EQUALITY_GUARD);
        r = op(g, 'r', "add.s32", "%s, %lld", v.reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        return loose(
            op(g, 'r', "selp.b32", "0, %s, %s", r, op(g, 'p', "setp.eq.s32", "%s, %s", r, bound)),
            v);
    default: /* 16 bits */
        feature(g, FEATURE_NARROW);
        feature(g, FEATURE_TRUNCATE);
        feature(g, FEATURE_WIDEN);
        r = op(g, 'h', "cvt.u16.u32", "%s", v.reg);
        if (v.most <= 32767 && chance(g, 50)) {
            r = op(g, 'h', "add.s16", "%s, %lld", r, (long long)exact(g, MISTAKE_OFF_BY_ONE, c));
            return grown(g, op(g, 'r', chance(g, 50) ? "cvt.u32.u16" : "cvt.u32.u16", "%s", r), v,
                         c);
        }
        if (v.most <= 32767)
            return divided(g, op(g, 'r', "cvt.u32.u16", "%s", op(g, 'h', "shr.u16", "%s, 1", r)), v,
                           2);
        return literal_value(
            op(g, 'r', "cvt.u32.u16", "%s",
               op(g, 'h', "and.b16", "%s, %lld", r, (long long)exact(g, MISTAKE_OFF_BY_ONE, 15))),
            g, 16);
    }
}

struct value derive(struct generator *g, struct value value)
{
    switch (below(g, 5)) {
    case 0:
        return derive_linear(g, value);
    case 1:
        return derive_bits(g, value);
    case 2:
    case 3:
        return derive_quotient(g, value);
    default:
        return derive_choice(g, value);
    }
}

void idiom_derived(struct generator *g)
{
    struct value v = pick(g);
    for (uint32_t steps = 1 + below(g, 3); steps > 0; steps--)
        v = derive(g, v);
    access_at(g, v, chance(g, 60) ? 0 : below(g, 4));
}
