/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops as compilers write them.
 */
#include "emit.h"

/* How often: `operand` trips; the counter stays below `bound`. */
struct trips {
    const char *operand;
    struct value bound; /* its reg is not used */
};

static struct trips some_trips(struct generator *g)
{
    struct trips t;
    uint32_t kind = below(g, 10);
    if (kind < 6) {
        const struct scalar *n = scalar(g, 0, chance(g, 40));
        t.bound = (struct value){.below = n->name, .most = n->most, .scalar = n};
        t.operand = n->reg;
    } else if (kind < 8) {
        int64_t literal = 2 + below(g, 9);
        t.bound = literal_value(NULL, g, literal);
        t.operand = text_of(g, "%lld", (long long)literal);
        if (chance(g, 30))
            t.operand = op(g, 'r', "mov.u32", "%s", t.operand);
    } else { /* as many as another index says */
        t.bound = pick(g);
        t.operand = t.bound.reg;
        t.bound.scalar = NULL;
        t.bound.literal = 0;
    }
    return t;
}

static struct value counter(const struct trips *t, const char *reg)
{
    struct value v = t->bound;
    v.reg = reg;
    return v;
}

static void body(struct generator *g, struct value j)
{
    uint32_t scope = g->values.count;
    push_value(g, j);
    push_value(g, j);
    g->depth++;
    if (g->depth >= 2)
        feature(g, FEATURE_LOOP_NESTED);
    if (g->depth == 1 && g->loops < 3 && chance(g, 35))
        idiom_loop(g);
    else if (chance(g, 40))
        access_at(g, j, 0);
    else
        some_small_idiom(g);
    g->depth--;
    g->values.count = scope;
}

/* "%p" is true while there is more to do: j < t */
static const char *more(struct generator *g, const char *j, const struct trips *t,
                        bool may_be_unequal)
{
    if (may_be_unequal && chance(g, 40)) {
        feature(g, FEATURE_LOOP_NOT_EQUAL);
        feature(g, FEATURE_EQUALITY_GUARD);
        return op(g, 'p', "setp.ne.s32", "%s, %s", j, t->operand);
    }
    char s = either(g);
    feature(g, s == 's' ? FEATURE_SIGNED_GUARD : FEATURE_UNSIGNED_GUARD);
    return op(g, 'p', text_of(g, "setp.%s.%c32", strike(g, MISTAKE_OFF_BY_ONE) ? "le" : "lt", s),
              "%s, %s", j, t->operand);
}

static const char *none(struct generator *g, const struct trips *t)
{
    if (chance(g, 50)) {
        feature(g, FEATURE_EQUALITY_GUARD);
        return op(g, 'p', "setp.eq.s32", "%s, %lld", t->operand,
                  (long long)exact(g, MISTAKE_OFF_BY_ONE, 0));
    }
    feature(g, FEATURE_SIGNED_GUARD);
    return op(g, 'p', "setp.lt.s32", "%s, %lld", t->operand,
              (long long)exact(g, MISTAKE_OFF_BY_ONE, 1));
}

static void skip_if(struct generator *g, const char *predicate, uint32_t label)
{
    if (!strike(g, MISTAKE_GUARD_DROPPED))
        raw(g, "@%s bra $L%u", predicate, label);
}

static void loop_up(struct generator *g)
{
    struct trips t = some_trips(g);
    uint32_t top = new_label(g), end = new_label(g);
    bool rotated = chance(g, 50);
    feature(g, FEATURE_LOOP_UP);
    feature(g, rotated ? FEATURE_LOOP_ROTATED : FEATURE_LOOP_TOP);
    if (rotated && t.bound.literal == 0)
        skip_if(g, none(g, &t), end);
    const char *j = op(g, 'r', "mov.u32", "0");
    put_label(g, top);
    if (!rotated)
        raw(g, "@!%s bra $L%u", more(g, j, &t, true), end);
    body(g, counter(&t, j));
    op_to(g, j, "add.s32", "%s, %lld", j, (long long)exact(g, MISTAKE_STRIDE, 1));
    if (rotated)
        raw(g, "@%s bra $L%u", more(g, j, &t, true), top);
    else
        raw(g, "bra $L%u", top);
    put_label(g, end);
    if (!rotated && chance(g, 50)) { /* j is the number of trips */
        feature(g, FEATURE_EXIT_VALUE);
        struct value after = counter(&t, j);
        after.below = text_of(g, "(%s + 1)", after.below);
        after.literal = after.literal != 0 ? after.literal + 1 : 0;
        after.scalar = NULL;
        access_at(g, after, 0);
    }
}

static void loop_down(struct generator *g)
{
    struct trips t = some_trips(g);
    uint32_t top = new_label(g), end = new_label(g);
    const char *j;
    feature(g, FEATURE_LOOP_DOWN);
    if (chance(g, 50)) { /* for (j = t; j-- > 0; ) */
        feature(g, FEATURE_LOOP_TOP);
        j = op(g, 'r', "mov.u32", "%s", t.operand);
        put_label(g, top);
        raw(g, "@%s bra $L%u", none(g, &(struct trips){.operand = j}), end);
        op_to(g, j, "add.s32", "%s, %lld", j, (long long)exact(g, MISTAKE_STRIDE, -1));
        body(g, counter(&t, j));
        raw(g, "bra $L%u", top);
    } else {
        feature(g, FEATURE_LOOP_ROTATED);
        if (t.bound.literal == 0)
            skip_if(g, none(g, &t), end);
        j = op(g, 'r', "add.s32", "%s, %lld",
               t.operand[0] == '%' ? t.operand : op(g, 'r', "mov.u32", "%s", t.operand),
               (long long)exact(g, MISTAKE_OFF_BY_ONE, -1));
        put_label(g, top);
        body(g, counter(&t, j));
        op_to(g, j, "add.s32", "%s, -1", j);
        const char *again;
        if (chance(g, 35)) {
            feature(g, FEATURE_LOOP_NOT_EQUAL);
            again = op(g, 'p', "setp.ne.s32", "%s, -1", j);
        } else {
            feature(g, FEATURE_SIGNED_GUARD);
            again = op(g, 'p', text_of(g, "setp.gt.%c32", sign(g, 's')), "%s, %lld", j,
                       (long long)exact(g, MISTAKE_OFF_BY_ONE, -1));
        }
        raw(g, "@%s bra $L%u", again, top);
    }
    put_label(g, end);
}

static void loop_constant_stride(struct generator *g)
{
    struct trips t = some_trips(g);
    int64_t c = 2 + below(g, 4);
    uint32_t top = new_label(g), end = new_label(g);
    feature(g, FEATURE_LOOP_CONSTANT_STRIDE);
    const char *j;
    if (chance(g, 45)) { /* exactly t * c, ends on != */
        feature(g, FEATURE_LOOP_NOT_EQUAL);
        feature(g, FEATURE_LOOP_ROTATED);
        struct value v = t.bound;
        v.below = text_of(g, "(%s * %lld)", v.below, (long long)c);
        v.most = fit(g, v.below, (int64_t)v.most * c);
        v.scalar = NULL;
        v.literal *= c;
        skip_if(g, none(g, &t), end);
        const char *last =
            op(g, 'r', "mul.lo.s32", "%s, %lld",
               t.operand[0] == '%' ? t.operand : op(g, 'r', "mov.u32", "%s", t.operand),
               (long long)exact(g, MISTAKE_STRIDE, c));
        j = op(g, 'r', "mov.u32", "0");
        put_label(g, top);
        v.reg = j;
        body(g, v);
        op_to(g, j, "add.s32", "%s, %lld", j, (long long)exact(g, MISTAKE_STRIDE, c));
        raw(g, "@%s bra $L%u", op(g, 'p', "setp.ne.s32", "%s, %s", j, last), top);
    } else {
        feature(g, FEATURE_LOOP_TOP);
        fit(g, text_of(g, "(%s + %lld)", t.bound.below, (long long)c), (int64_t)t.bound.most + c);
        j = op(g, 'r', "mov.u32", "%lld", (long long)below(g, (uint32_t)c));
        put_label(g, top);
        raw(g, "@!%s bra $L%u", more(g, j, &t, false), end);
        body(g, counter(&t, j));
        op_to(g, j, "add.s32", "%s, %lld", j, (long long)c);
        raw(g, "bra $L%u", top);
    }
    put_label(g, end);
}

static void loop_symbolic_stride(struct generator *g)
{
    struct trips t = some_trips(g);
    const char *start, *stride;
    uint32_t top = new_label(g), end = new_label(g);
    feature(g, FEATURE_LOOP_SYMBOLIC_STRIDE);
    bool whole_grid = chance(g, 55);
    if (whole_grid) {
        feature(g, FEATURE_GRID_STRIDE);
        feature(g, FEATURE_MULTIPLY_ADD);
        start = op(g, 'r', "mad.lo.s32", "%s, %s, %s", special(g, 1, 0), special(g, 2, 0),
                   special(g, 0, 0));
        stride = op(g, 'r', "mul.lo.s32", "%s, %s", special(g, 3, 0), special(g, 2, 0));
        if (!strike(g, MISTAKE_RELATION))
            require(g, "%s + grid.x * block.x <= %lld", t.bound.below, INT_LIMIT);
    } else if (chance(g, 50)) {
        start = special(g, 0, 0);
        stride = special(g, 2, 0);
        fit(g, text_of(g, "(%s + 1024)", t.bound.below), (int64_t)t.bound.most + 1024);
    } else {
        const struct scalar *s = scalar(g, 1, chance(g, 50));
        start = chance(g, 50) ? "0" : special(g, 0, 0);
        stride = s->reg;
        fit(g, text_of(g, "(%s + %s)", t.bound.below, s->name), (int64_t)t.bound.most + s->most);
        fit(g, text_of(g, "(%s + 1024)", t.bound.below), (int64_t)t.bound.most + 1024);
    }
    const char *j = op(g, 'r', "mov.u32", "%s", start);
    bool rotated = chance(g, 40);
    feature(g, rotated ? FEATURE_LOOP_ROTATED : FEATURE_LOOP_TOP);
    if (rotated) {
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            raw(g, "@!%s bra $L%u", more(g, j, &t, false), end);
        put_label(g, top);
        body(g, counter(&t, j));
        op_to(g, j, "add.s32", "%s, %s", j, stride);
        raw(g, "@%s bra $L%u", more(g, j, &t, false), top);
    } else {
        put_label(g, top);
        raw(g, "@!%s bra $L%u", more(g, j, &t, false), end);
        body(g, counter(&t, j));
        op_to(g, j, "add.s32", "%s, %s", j, stride);
        raw(g, "bra $L%u", top);
    }
    put_label(g, end);
}

static void loop_halving(struct generator *g)
{
    uint32_t top = new_label(g), end = new_label(g), skip = new_label(g);
    feature(g, FEATURE_LOOP_HALVING);
    feature(g, FEATURE_SHIFT);
    switch (below(g, 3)) {
    case 0: { /* a tree in shared memory */
        uint32_t size = 8u << below(g, 4);
        const char *name = text_of(g, "tree%u", g->arrays++), *tid = special(g, 0, 0);
        feature(g, FEATURE_SHARED);
        feature(g, FEATURE_LOOP_ROTATED);
        buffer_printf(&g->head, ".shared .align 4 .b8 %s[%u];\n", name, size * 4);
        const char *s = op(g, 'r', "mov.u32", "%lld", (long long)size / 2);
        put_label(g, top);
        g->depth++;
        leave_unless_below(g, tid, s, skip, false);
        const char *own =
            op(g, 'r', "add.s32", "%s, %s", op(g, 'r', "mov.u32", "%s", name),
               op(g, 'r', "shl.b32", "%s, %lld", tid, (long long)exact(g, MISTAKE_SHIFT, 2)));
        const char *other = op(g, 'r', "add.s32", "%s, %s", own, op(g, 'r', "shl.b32", "%s, 2", s));
        op(g, 'r', "ld.shared.u32", "[%s+%lld]", other,
           (long long)exact(g, MISTAKE_OFF_BY_ONE, 0) * 4);
        raw(g, "st.shared.u32 [%s], 1", own);
        g->depth--;
        put_label(g, skip);
        op_to(g, s, "shr.u32", "%s, 1", s);
        raw(g, "@%s bra $L%u",
            op(g, 'p', chance(g, 50) ? "setp.ne.s32" : "setp.gt.s32", "%s, 0", s), top);
        return;
    }
    case 1: { /* for (s = t; s > 0; s /= 2) a[s - 1] */
        struct trips t = some_trips(g);
        const char *s = op(g, 'r', "mov.u32", "%s", t.operand);
        feature(g, FEATURE_LOOP_TOP);
        put_label(g, top);
        raw(g, "@%s bra $L%u", none(g, &(struct trips){.operand = s}), end);
        body(g, counter(&t, op(g, 'r', "add.s32", "%s, -1", s)));
        op_to(g, s, text_of(g, "shr.%c32", either(g)), "%s, 1", s);
        raw(g, "bra $L%u", top);
        break;
    }
    default: { /* for (s = 1; s < t; s *= 2) a[s] */
        struct trips t = some_trips(g);
        fit(g, text_of(g, "(%s * 2)", t.bound.below), (int64_t)t.bound.most * 2);
        const char *s = op(g, 'r', "mov.u32", "1");
        feature(g, FEATURE_LOOP_TOP);
        put_label(g, top);
        raw(g, "@!%s bra $L%u", more(g, s, &t, false), end);
        body(g, counter(&t, s));
        if (chance(g, 50))
            op_to(g, s, "shl.b32", "%s, %lld", s, (long long)exact(g, MISTAKE_SHIFT, 1));
        else
            op_to(g, s, "add.s32", "%s, %s", s, s);
        raw(g, "bra $L%u", top);
    }
    }
    put_label(g, end);
}

/* Four elements a trip, and one for each of the rest. */
static void four(struct generator *g, const char *base, const char *j)
{
    const char *address = address_of(g, base, j, 4);
    for (uint32_t i = 0; i < 4; i++)
        touch(g, address, exact(g, MISTAKE_OFF_BY_ONE, i) * 4, 4, true);
}

static void loop_unrolled(struct generator *g)
{
    struct trips t = some_trips(g);
    const char *base,
        *operand = t.operand[0] == '%' ? t.operand : op(g, 'r', "mov.u32", "%s", t.operand);
    uint32_t single = new_label(g), rest = new_label(g), main_loop = new_label(g),
             end = new_label(g);
    new_array(g, 4, t.bound.below, &base);
    feature(g, FEATURE_LOOP_ROTATED);
    feature(g, FEATURE_MASK_AND);
    feature(g, FEATURE_EQUALITY_GUARD);
    fit(g, text_of(g, "(%s + 4)", t.bound.below), (int64_t)t.bound.most + 4);
    raw(g, "@%s bra $L%u", op(g, 'p', "setp.lt.s32", "%s, 1", operand), end);
    const char *left = op(g, 'r', "and.b32", "%s, 3", operand), *j = op(g, 'r', "mov.u32", "0");
    g->depth++;
    if (chance(g, 50)) { /* remainder after */
        feature(g, FEATURE_LOOP_UNROLLED_AFTER);
        feature(g, FEATURE_UNSIGNED_GUARD);
        feature(g, FEATURE_LOOP_NOT_EQUAL);
        raw(g, "@%s bra $L%u",
            op(g, 'p', "setp.lt.u32", "%s, %lld", operand,
               (long long)exact(g, MISTAKE_OFF_BY_ONE, 4)),
            rest);
        bool down = chance(g, 50); /* left - t + j counts up to 0 */
        const char *last = down ? op(g, 'r', "sub.s32", "%s, %s", left, operand)
                                : op(g, 'r', "and.b32", "%s, -4", operand);
        put_label(g, main_loop);
        four(g, base, j);
        op_to(g, j, "add.s32", "%s, 4", j);
        const char *again =
            down ? op(g, 'p', "setp.ne.s32", "%s, %lld", op(g, 'r', "add.s32", "%s, %s", last, j),
                      (long long)exact(g, MISTAKE_OFF_BY_ONE, 0))
                 : op(g, 'p', "setp.ne.s32", "%s, %s", j, last);
        raw(g, "@%s bra $L%u", again, main_loop);
        put_label(g, rest);
        raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s32", "%s, 0", left), end);
        put_label(g, single);
        touch(g, address_of(g, base, j, 4), 0, 4, true);
        op_to(g, j, "add.s32", "%s, 1", j);
        op_to(g, left, "add.s32", "%s, -1", left);
        raw(g, "@%s bra $L%u",
            op(g, 'p', "setp.ne.s32", "%s, %lld", left, (long long)exact(g, MISTAKE_OFF_BY_ONE, 0)),
            single);
    } else { /* remainder before */
        feature(g, FEATURE_LOOP_UNROLLED_BEFORE);
        raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s32", "%s, 0", left), rest);
        put_label(g, single);
        touch(g, address_of(g, base, j, 4), 0, 4, true);
        op_to(g, j, "add.s32", "%s, 1", j);
        raw(g, "@%s bra $L%u", op(g, 'p', "setp.ne.s32", "%s, %s", j, left), single);
        put_label(g, rest);
        feature(g, FEATURE_UNSIGNED_GUARD);
        const char *less = op(g, 'r', "add.s32", "%s, -1", operand);
        raw(g, "@%s bra $L%u",
            op(g, 'p', "setp.lt.u32", "%s, %lld", less, (long long)exact(g, MISTAKE_OFF_BY_ONE, 3)),
            end);
        put_label(g, main_loop);
        four(g, base, j);
        op_to(g, j, "add.s32", "%s, %lld", j, (long long)exact(g, MISTAKE_STRIDE, 4));
        raw(g, "@%s bra $L%u", more(g, j, &t, true), main_loop);
    }
    g->depth--;
    put_label(g, end);
}

static void loop_walk(struct generator *g)
{
    struct trips t = some_trips(g);
    const char *base;
    uint32_t top = new_label(g), end = new_label(g), size = chance(g, 75) ? 4 : 8;
    feature(g, FEATURE_LOOP_WALK);
    feature(g, FEATURE_LOOP_POINTER);
    feature(g, FEATURE_LOOP_NOT_EQUAL);
    feature(g, FEATURE_EQUALITY_GUARD);
    new_array(g, size, t.bound.below, &base);
    const char *count = t.operand[0] == '%' ? t.operand : op(g, 'r', "mov.u32", "%s", t.operand);
    const char *stop = address_of(g, base, count, size), *p = op(g, 'd', "mov.u64", "%s", base);
    g->depth++;
    if (chance(g, 50)) {
        feature(g, FEATURE_LOOP_TOP);
        put_label(g, top);
        raw(g, "@%s bra $L%u",
            op(g, 'p', chance(g, 70) ? "setp.eq.s64" : "setp.ge.u64", "%s, %s", p, stop), end);
        touch(g, p, 0, size, true);
        op_to(g, p, "add.s64", "%s, %lld", p,
              (long long)(strike(g, MISTAKE_STRIDE) ? size * 2 : size));
        raw(g, "bra $L%u", top);
    } else {
        feature(g, FEATURE_LOOP_ROTATED);
        skip_if(g, op(g, 'p', "setp.eq.s64", "%s, %s", p, stop), end);
        put_label(g, top);
        touch(g, p, 0, size, true);
        op_to(g, p, "add.s64", "%s, %lld", p,
              (long long)(strike(g, MISTAKE_STRIDE) ? size * 2 : size));
        raw(g, "@%s bra $L%u",
            op(g, 'p', chance(g, 70) ? "setp.ne.s64" : "setp.lt.u64", "%s, %s", p, stop), top);
    }
    g->depth--;
    put_label(g, end);
}

/* A pointer that goes on by a scalar, beside a counter: column[j * stride + v]. */
static void loop_pointer(struct generator *g)
{
    struct trips t = some_trips(g);
    const struct scalar *stride = scalar(g, 1, chance(g, 40));
    const char *base;
    uint32_t top = new_label(g), end = new_label(g);
    feature(g, FEATURE_LOOP_POINTER);
    feature(g, FEATURE_LOOP_SYMBOLIC_STRIDE);
    feature(g, FEATURE_LOOP_ROTATED);
    feature(g, FEATURE_MULTIPLY_WIDE);
    feature(g, FEATURE_WIDE);
    new_array(g, 4, text_of(g, "(%s * %s)", t.bound.below, stride->name), &base);
    const char *step = op(g, 'd', text_of(g, "mul.wide.%c32", either(g)), "%s, 4", stride->reg);
    if (t.bound.literal == 0)
        skip_if(g, none(g, &t), end);
    const char *p = op(g, 'd', "mov.u64", "%s", base),
               *left = op(g, 'r', "mov.u32", "%s", t.operand);
    if (chance(g, 50)) {
        const char *column = op(g, 'r', "rem.u32", "%s, %s", pick(g).reg, stride->reg);
        feature(g, FEATURE_REMAINDER);
        p = op(g, 'd', "add.s64", "%s, %s", p, op(g, 'd', "mul.wide.u32", "%s, 4", column));
    }
    put_label(g, top);
    g->depth++;
    touch(g, p, exact(g, MISTAKE_OFF_BY_ONE, 0) * 4, 4, true);
    g->depth--;
    op_to(g, p, "add.s64", "%s, %s", p, step);
    op_to(g, left, "add.s32", "%s, -1", left);
    if (chance(g, 50)) {
        feature(g, FEATURE_LOOP_NOT_EQUAL);
        raw(g, "@%s bra $L%u",
            op(g, 'p', "setp.ne.s32", "%s, %lld", left, (long long)exact(g, MISTAKE_OFF_BY_ONE, 0)),
            top);
    } else {
        feature(g, FEATURE_SIGNED_GUARD);
        raw(g, "@%s bra $L%u",
            op(g, 'p', "setp.gt.s32", "%s, %lld", left, (long long)exact(g, MISTAKE_OFF_BY_ONE, 0)),
            top);
    }
    put_label(g, end);
}

/* Looks for something; afterwards j says where, or is the end. */
static void loop_search(struct generator *g)
{
    struct trips t = some_trips(g);
    const char *base;
    uint32_t top = new_label(g), end = new_label(g), skip = new_label(g);
    feature(g, FEATURE_EXIT_VALUE);
    feature(g, FEATURE_LOOP_UP);
    feature(g, FEATURE_LOOP_TOP);
    new_array(g, 4, t.bound.below, &base);
    const char *j = op(g, 'r', "mov.u32", "0");
    put_label(g, top);
    raw(g, "@!%s bra $L%u", more(g, j, &t, false), end);
    const char *found = op(g, 'r', "ld.global.u32", "[%s]", address_of(g, base, j, 4));
    raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s32", "%s, %u", found, below(g, 4)), end);
    op_to(g, j, "add.s32", "%s, 1", j);
    raw(g, "bra $L%u", top);
    put_label(g, end);
    g->depth++;
    if (chance(g, 50)) { /* found */
        feature(g, FEATURE_EQUALITY_GUARD);
        if (!strike(g, MISTAKE_GUARD_DROPPED))
            raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s32", "%s, %s", j, t.operand), skip);
        access_at(g, counter(&t, j), 0);
    } else {
        struct value after = counter(&t, j);
        after.below =
            text_of(g, "(%s + %lld)", after.below, (long long)exact(g, MISTAKE_EXTENT, 1));
        after.scalar = NULL;
        after.literal = 0;
        access_at(g, after, 0);
    }
    g->depth--;
    put_label(g, skip);
}

/* The counter in 64 bits. */
static void loop_wide(struct generator *g)
{
    struct trips t = some_trips(g);
    const char *base;
    uint32_t top = new_label(g), end = new_label(g), size = chance(g, 70) ? 4 : 8;
    feature(g, FEATURE_WIDE);
    feature(g, FEATURE_WIDEN);
    feature(g, FEATURE_LOOP_UP);
    feature(g, FEATURE_LOOP_TOP);
    new_array(g, size, t.bound.below, &base);
    char s = either(g);
    const char *operand = t.operand[0] == '%' ? t.operand : op(g, 'r', "mov.u32", "%s", t.operand);
    const char *last = op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", operand),
               *j = op(g, 'd', "mov.u64", "0");
    put_label(g, top);
    raw(g, "@%s bra $L%u",
        op(g, 'p', text_of(g, "setp.%s.%c64", strike(g, MISTAKE_OFF_BY_ONE) ? "gt" : "ge", s),
           "%s, %s", j, last),
        end);
    g->depth++;
    feature(g, FEATURE_SHIFT);
    touch(g,
          op(g, 'd', "add.s64", "%s, %s", base,
             op(g, 'd', "shl.b64", "%s, %lld", j,
                (long long)exact(g, MISTAKE_SHIFT, size == 4 ? 2 : 3))),
          0, size, true);
    if (chance(g, 30)) {
        feature(g, FEATURE_TRUNCATE);
        access_at(g, counter(&t, op(g, 'r', "cvt.u32.u64", "%s", j)), 0);
    }
    g->depth--;
    op_to(g, j, "add.s64", "%s, %lld", j, (long long)exact(g, MISTAKE_STRIDE, 1));
    raw(g, "bra $L%u", top);
    put_label(g, end);
}

void idiom_loop(struct generator *g)
{
    static const struct {
        uint32_t weight;
        const char *name;
        void (*write)(struct generator *g);
    } kinds[] = {{14, "loop up", loop_up},
                 {14, "loop down", loop_down},
                 {12, "constant stride", loop_constant_stride},
                 {22, "symbolic stride", loop_symbolic_stride},
                 {12, "halving loop", loop_halving},
                 {26, "unrolled loop", loop_unrolled},
                 {12, "pointer walk", loop_walk},
                 {8, "stepped pointer", loop_pointer},
                 {12, "search loop", loop_search},
                 {6, "64-bit loop", loop_wide}};
    uint32_t total = 0, kind = 0;
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++)
        total += kinds[i].weight;
    for (uint32_t at = below(g, total); at >= kinds[kind].weight; at -= kinds[kind++].weight)
        ;
    const char *outer = g->idiom;
    g->idiom = g->depth == 0 ? kinds[kind].name : text_of(g, "%s in %s", kinds[kind].name, outer);
    g->loops++;
    if (g->depth != 0)
        feature(g, FEATURE_LOOP_NESTED);
    kinds[kind].write(g);
    g->idiom = outer;
}
