/* SPDX-License-Identifier: Apache-2.0
 *
 * Idioms that nobody made right: arithmetic on numbers of either sign, loops with any start, step and test, predicates combined at
 * random.  Some accesses stay inside by luck or because the last operation bounds them; a prover that misreads one operation
 * proves what faults.  Only in kernels that are wrong anyway.
 */
#include "emit.h"

/* A number of any sign, mostly small. */
static const char *some_number(struct generator *g)
{
    switch (below(g, 6)) {
    case 0:
        return op(g, 'r', "sub.s32", "%s, %u", pick(g).reg, below(g, 12));
    case 1:
        return op(g, 'r', "sub.s32", "%u, %s", below(g, 12), special(g, 0, 0));
    case 2:
        return scalar(g, 0, false)->reg;
    case 3:
        return special(g, below(g, 4), 0);
    case 4:
        return op(g, 'r', "mul.lo.s32", "%s, %d", special(g, 0, 0), (int)below(g, 9) - 4);
    default:
        return pick(g).reg;
    }
}

static const char *some_step(struct generator *g, const char *r)
{
    static const char *const two[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32",
                                      "or.b32",  "xor.b32", "min.s32",    "min.u32",
                                      "max.s32", "max.u32", "mul.hi.s32", "mul.hi.u32",
                                      "shl.b32", "shr.s32", "shr.u32"};
    static const char *const one[] = {"neg.s32", "not.b32", "abs.s32", "popc.b32", "clz.b32"};
    static const char *const narrow[] = {"cvt.s32.s8", "cvt.u32.u8", "cvt.s32.s16", "cvt.u32.u16"};
    int64_t divisor = 1 + below(g, 9);
    char s = either(g);
    const char *h;
    switch (below(g, 9)) {
    case 0:
        return op(g, 'r', one[below(g, COUNT_OF(one))], "%s", r);
    case 1:
        return op(g, 'r', text_of(g, "div.%c32", s), "%s, %lld", r,
                  (long long)(chance(g, 20) ? -divisor : divisor));
    case 2:
        return op(g, 'r', text_of(g, "rem.%c32", s), "%s, %lld", r,
                  (long long)(chance(g, 20) ? -divisor : divisor));
    case 3:
        return op(g, 'r', text_of(g, "bfe.%c32", s), "%s, %u, %u", r, below(g, 6), 1 + below(g, 6));
    case 4: /* through 16 bits, or only their lowest 8 */
        h = op(g, 'h', "cvt.u16.u32", "%s", r);
        return op(g, 'r', narrow[below(g, COUNT_OF(narrow))], "%s", h);
    case 5: /* through 64 bits */
        h = op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", r);
        h = op(g, 'd', chance(g, 50) ? "mul.lo.s64" : "add.s64", "%s, %d", h, (int)below(g, 9) - 4);
        h = op(g, 'd', text_of(g, "shr.%c64", either(g)), "%s, %u", h, below(g, 3));
        return op(g, 'r', "cvt.u32.u64", "%s", h);
    case 6:
        return op(g, 'r', "selp.b32", "%s, %s, %s", r, some_number(g), some_condition(g));
    default:
        if (chance(g, 50))
            return op(g, 'r', two[below(g, COUNT_OF(two))], "%s, %s", r, some_number(g));
        return op(g, 'r', two[below(g, COUNT_OF(two))], "%s, %d", r, (int)below(g, 24) - 6);
    }
}

/* The array a[extent] at element `reg`, read as signed or unsigned. */
static void access_somewhere(struct generator *g, const char *reg)
{
    int64_t extent = chance(g, 60) ? (int64_t)4 << below(g, 5) : 1 + below(g, 40);
    const char *base;
    new_array(g, 4,
              chance(g, 70) ? text_of(g, "%lld", (long long)extent) : scalar(g, 0, false)->name,
              &base);
    touch(g, address_of(g, base, reg, 4), chance(g, 80) ? 0 : ((int64_t)below(g, 5) - 2) * 4, 4,
          true);
}

static void wild_values(struct generator *g)
{
    const char *r = some_number(g);
    for (uint32_t steps = 1 + below(g, 4); steps > 0; steps--)
        r = some_step(g, r);
    switch (below(g, 8)) { /* half a bound, or a whole one */
    case 0:
        r = op(g, 'r', text_of(g, "rem.%c32", either(g)), "%s, %u", r, 1 + below(g, 16));
        break;
    case 1:
        r = op(g, 'r', text_of(g, "shr.%c32", either(g)), "%s, %u", r, 24 + below(g, 6));
        break;
    case 2:
        r = op(g, 'r', text_of(g, "min.%c32", either(g)), "%s, %u", r, below(g, 16));
        break;
    case 3:
        r = op(g, 'r', "max.s32", "%s, 0",
               op(g, 'r', text_of(g, "min.%c32", either(g)), "%s, %u", r, below(g, 16)));
        break;
    case 4:
        r = op(g, 'r', "and.b32", "%s, %u", r, below(g, 64));
        break;
    case 5:
        r = op(g, 'r', "abs.s32", "%s", op(g, 'r', "rem.s32", "%s, %u", r, 1 + below(g, 16)));
        break;
    case 6:
        r = op(g, 'r', text_of(g, "bfe.%c32", either(g)), "%s, %u, %u", r, below(g, 8),
               1 + below(g, 5));
        break;
    default:
        break;
    }
    access_somewhere(g, r);
}

static const char *some_compare(struct generator *g, const char *left, const char *right)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    return op(g, 'p', text_of(g, "setp.%s.%c32", names[below(g, 6)], either(g)), "%s, %s", left,
              right);
}

static void wild_predicates(struct generator *g)
{
    static const char *const names[] = {"and.pred", "or.pred", "xor.pred"};
    const char *r = some_number(g), *p = NULL;
    for (uint32_t parts = 1 + below(g, 4); parts > 0; parts--) {
        const char *q =
            some_compare(g, chance(g, 75) ? r : some_number(g),
                         chance(g, 60) ? text_of(g, "%d", (int)below(g, 12) - 2) : some_number(g));
        if (chance(g, 25))
            q = op(g, 'p', "not.pred", "%s", q);
        p = p == NULL ? q : op(g, 'p', names[below(g, 3)], "%s, %s", p, q);
    }
    uint32_t skip = new_label(g);
    if (chance(g, 30)) { /* the index changes on one side */
        const char *j = op(g, 'r', "mov.u32", "%s", r);
        raw(g, "@%s%s add.s32 %s, %s, %d", chance(g, 50) ? "!" : "", p, j, r, (int)below(g, 9) - 4);
        r = j;
    }
    raw(g, "@%s%s bra $L%u", chance(g, 50) ? "!" : "", p, skip);
    g->depth++;
    access_somewhere(g, r);
    g->depth--;
    put_label(g, skip);
}

static void wild_loop(struct generator *g)
{
    uint32_t top = new_label(g), end = new_label(g);
    const char *j = op(g, 'r', "mov.u32", "%s",
                       chance(g, 50) ? text_of(g, "%d", (int)below(g, 12) - 3) : some_number(g));
    const char *limit = chance(g, 50) ? text_of(g, "%d", (int)below(g, 30) - 3) : some_number(g);
    const char *fuel = op(g, 'r', "mov.u32", "0"); /* most of them would never end */
    put_label(g, top);
    bool first = chance(g, 50);
    if (first)
        raw(g, "@%s bra $L%u", some_compare(g, j, limit), end);
    g->depth++;
    if (chance(g, 70))
        access_somewhere(g, j);
    if (chance(g, 25))
        raw(g, "@%s add.s32 %s, %s, %d", some_condition(g), j, j, (int)below(g, 6) - 2);
    switch (below(g, 5)) {
    case 0:
        op_to(g, j, chance(g, 50) ? "shl.b32" : "shr.u32", "%s, 1", j);
        break;
    case 1:
        op_to(g, j, "add.s32", "%s, %s", j, some_number(g));
        break;
    default:
        op_to(g, j, "add.s32", "%s, %d", j, (int)below(g, 9) - 4);
    }
    if (chance(g, 50))
        access_somewhere(g, j);
    g->depth--;
    op_to(g, fuel, "add.s32", "%s, 1", fuel);
    raw(g, "@%s bra $L%u", op(g, 'p', "setp.eq.s32", "%s, 24", fuel), end);
    if (first)
        raw(g, "bra $L%u", top);
    else
        raw(g, "@%s bra $L%u", some_compare(g, j, limit), top);
    put_label(g, end);
    if (chance(g, 50))
        access_somewhere(g, j);
}

void idiom_chaos(struct generator *g)
{
    switch (below(g, 3)) {
    case 0:
        wild_values(g);
        break;
    case 1:
        wild_predicates(g);
        break;
    default:
        wild_loop(g);
    }
}
