/* SPDX-License-Identifier: Apache-2.0
 *
 * Guards: the many ways to go on only if an index is below a bound.
 */
#include "emit.h"

static void note_sign(struct generator *g, char s)
{
    feature(g, s == 's' ? FEATURE_SIGNED_GUARD : FEATURE_UNSIGNED_GUARD);
}

static void jump(struct generator *g, const char *predicate, bool when, uint32_t label)
{
    if (!strike(g, MISTAKE_GUARD_DROPPED))
        raw(g, "@%s%s bra $L%u", when ? "" : "!", predicate, label);
}

/* A predicate for reg < bound, or (negated) for reg >= bound. */
static const char *compare(struct generator *g, const char *reg, const char *bound, char s,
                           bool negated)
{
    bool wrong = strike(g, MISTAKE_OFF_BY_ONE);
    s = sign(g, s);
    note_sign(g, s);
    if (chance(g, 50) && bound[0] == '%')
        return op(
            g, 'p',
            text_of(g, "setp.%s.%c32", negated ? (wrong ? "lt" : "le") : (wrong ? "ge" : "gt"), s),
            "%s, %s", bound, reg);
    return op(
        g, 'p',
        text_of(g, "setp.%s.%c32", negated ? (wrong ? "gt" : "ge") : (wrong ? "le" : "lt"), s),
        "%s, %s", reg, bound);
}

/* Other ways to say it. */
static void leave_in_another_way(struct generator *g, const char *reg, const char *bound,
                                 uint32_t label, char s)
{
    const char *p, *q;
    switch (below(g, 7)) {
    case 0: /* bound - reg < 1 */
        p = op(g, 'r', "sub.s32", "%s, %s", bound, reg);
        q = op(g, 'p', "setp.lt.s32", "%s, %lld", p, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        note_sign(g, 's');
        jump(g, q, true, label);
        return;
    case 1: /* reg + 1 > bound */
        p = op(g, 'r', "add.s32", "%s, %lld", reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
        q = op(g, 'p', text_of(g, "setp.gt.%c32", s), "%s, %s", p, bound);
        note_sign(g, s);
        jump(g, q, true, label);
        return;
    case 2: /* reg > bound - 1 */
        p = op(g, 'r', "add.s32", "%s, %lld", bound, (long long)exact(g, MISTAKE_OFF_BY_ONE, -1));
        q = op(g, 'p', text_of(g, "setp.gt.%c32", sign(g, 's')), "%s, %s", reg, p);
        note_sign(g, 's');
        jump(g, q, true, label);
        return;
    case 3: /* !(reg < bound) by xor with true */
        feature(g, FEATURE_PREDICATES);
        p = compare(g, reg, bound, s, false);
        q = op(g, 'p', "setp.eq.u32", "%s, %s", reg, reg);
        jump(g, op(g, 'p', "xor.pred", "%s, %s", p, q), true, label);
        return;
    case 4: { /* in 64 bits */
        feature(g, FEATURE_WIDEN);
        const char *wide = op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", reg);
        const char *limit =
            bound[0] == '%' ? op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", bound) : bound;
        note_sign(g, s);
        jump(g, op(g, 'p', text_of(g, "setp.ge.%c64", s), "%s, %s", wide, limit), true, label);
        return;
    }
    case 5: /* together with another reason to leave */
        feature(g, FEATURE_PREDICATES);
        q = some_condition(g);
        note_sign(g, s);
        jump(g,
             op(g, 'p',
                text_of(g, "setp.%s.or.%c32", strike(g, MISTAKE_OFF_BY_ONE) ? "gt" : "ge", s),
                "%s, %s, %s", reg, bound, q),
             true, label);
        return;
    default: /* min(reg, bound) == bound */
        feature(g, FEATURE_MINIMUM);
        feature(g, FEATURE_EQUALITY_GUARD);
        note_sign(g, s);
        p = op(g, 'r', text_of(g, "min.%c32", s), "%s, %s", reg, bound);
        jump(g, op(g, 'p', "setp.eq.s32", "%s, %s", p, bound), true, label);
    }
}

void leave_unless_below(struct generator *g, const char *reg, const char *bound, uint32_t label,
                        bool unsigned_only)
{
    char s = unsigned_only ? 'u' : either(g);
    if (!unsigned_only && bound[0] == '%' && chance(g, 35)) {
        leave_in_another_way(g, reg, bound, label, s);
        return;
    }
    bool negated = chance(g, 60);
    const char *p = compare(g, reg, bound, s, negated);
    if (!negated && chance(g, 40)) {
        feature(g, FEATURE_PREDICATES);
        p = op(g, 'p', "not.pred", "%s", p);
        negated = true;
    }
    jump(g, p, negated, label);
}

void leave_unless_all_below(struct generator *g, uint32_t count, const char *const *regs,
                            const char *const *bounds, uint32_t label, bool unsigned_only)
{
    if (count == 1 || chance(g, 35)) {
        for (uint32_t i = 0; i < count; i++)
            leave_unless_below(g, regs[i], bounds[i], label, unsigned_only);
        return;
    }
    feature(g, FEATURE_PREDICATES);
    bool negated = chance(g, 50);
    const char *all = NULL;
    for (uint32_t i = 0; i < count; i++) {
        char s = unsigned_only ? 'u' : either(g);
        if (all != NULL && chance(g, 25)) {
            bool wrong = strike(g, MISTAKE_OFF_BY_ONE);
            note_sign(g, s);
            all = negated ? op(g, 'p', text_of(g, "setp.%s.or.%c32", wrong ? "gt" : "ge", s),
                               "%s, %s, %s", regs[i], bounds[i], all)
                          : op(g, 'p', text_of(g, "setp.%s.and.%c32", wrong ? "le" : "lt", s),
                               "%s, %s, %s", regs[i], bounds[i], all);
            continue;
        }
        const char *one = compare(g, regs[i], bounds[i], s, negated);
        bool wrong = all != NULL && strike(g, MISTAKE_OPERAND);
        all = all == NULL
                  ? one
                  : op(g, 'p', (negated != wrong) ? "or.pred" : "and.pred", "%s, %s", all, one);
    }
    jump(g, all, negated, label);
}
