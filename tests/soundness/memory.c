/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses: how addresses are formed, and idioms whose point is the memory they use.
 */
#include "emit.h"

static unsigned log2_of(uint32_t size)
{
    return (unsigned)__builtin_ctz(size);
}

/* reg * size as 64 bits. */
static const char *scaled(struct generator *g, const char *reg, uint32_t size)
{
    char s = either(g);
    switch (below(g, 4)) {
    case 0:
        feature(g, FEATURE_WIDEN);
        feature(g, FEATURE_SHIFT);
        return op(g, 'd', "shl.b64", "%s, %lld",
                  op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", reg),
                  (long long)exact(g, MISTAKE_SHIFT, log2_of(size)));
    case 1:
        feature(g, FEATURE_WIDEN);
        return op(g, 'd', "mul.lo.s64", "%s, %u",
                  op(g, 'd', text_of(g, "cvt.%c64.%c32", s, s), "%s", reg), size);
    default:
        feature(g, FEATURE_MULTIPLY_WIDE);
        return op(g, 'd', text_of(g, "mul.wide.%c32", s), "%s, %u", reg,
                  strike(g, MISTAKE_STRIDE) ? size * 2 : size);
    }
}

const char *address_of(struct generator *g, const char *base, const char *reg,
                       uint32_t element_size)
{
    if (chance(g, 15)) {
        feature(g, FEATURE_MULTIPLY_WIDE);
        return op(g, 'd', text_of(g, "mad.wide.%c32", either(g)), "%s, %u, %s", reg, element_size,
                  base);
    }
    const char *offset = scaled(g, reg, element_size);
    return chance(g, 50) ? op(g, 'd', "add.s64", "%s, %s", base, offset)
                         : op(g, 'd', "add.s64", "%s, %s", offset, base);
}

/* "%rd5+8" */
static const char *place(struct generator *g, const char *address, int64_t offset)
{
    return offset == 0 ? address : text_of(g, "%s+%lld", address, (long long)offset);
}

static void touch_space(struct generator *g, const char *space, const char *address, int64_t offset,
                        uint32_t size, bool may_write)
{
    static const char *const types[] = {"u8", "u16", "u32", "u64", "v2.u64"};
    uint32_t log = log2_of(size);
    if (strike(g, MISTAKE_MISALIGNED))
        offset += size > 1 ? size / 2 : 1;
    if (log < 4 && strike(g, MISTAKE_WIDER))
        log++;
    const char *guard = "";
    if (chance(g, 12)) {
        feature(g, FEATURE_GUARDED);
        guard = text_of(g, "@%s%s ", chance(g, 50) ? "!" : "", some_condition(g));
    }
    const char *at = place(g, address, offset);
    char class = log < 3 ? 'r' : 'd';
    bool write = may_write && chance(g, 35);
    if (log == 4) {
        const char *a = op(g, 'd', "mov.u64", "1"), *b = op(g, 'd', "mov.u64", "2");
        if (write)
            raw(g, "%sst.%s.v2.u64 [%s], {%s, %s}", guard, space, at, a, b);
        else
            raw(g, "%sld.%s.v2.u64 {%s, %s}, [%s]", guard, space, a, b, at);
        return;
    }
    if (write) {
        const char *what = op(g, class, log < 3 ? "mov.u32" : "mov.u64", "%u", below(g, 100));
        raw(g, "%sst.%s.%s [%s], %s", guard, space, types[log], at, what);
    } else {
        const char *into = text_of(g, "%%%c%u", class, g->registers[(unsigned char)class]++);
        raw(g, "%sld.%s.%s %s, [%s]", guard, space, types[log], into, at);
    }
}

void touch(struct generator *g, const char *address, int64_t offset, uint32_t element_size,
           bool may_write)
{
    touch_space(g, "global", address, offset, element_size, may_write);
}

void access_at(struct generator *g, struct value value, int64_t ahead)
{
    static const uint32_t sizes[] = {4, 4, 4, 4, 4, 8, 8, 2, 1};
    uint32_t size = sizes[below(g, COUNT_OF(sizes))];
    const char *base, *extent = ahead == 0
                                    ? value.below
                                    : text_of(g, "(%s + %lld)", value.below, (long long)ahead);
    new_array(g, size, extent, &base);
    const char *reg = value.reg;
    int64_t offset = 0;
    if (strike(g, MISTAKE_OPERAND))
        reg = special(g, 0, 0);
    if (ahead != 0 && value.most + ahead <= INT_LIMIT && chance(g, 50))
        reg =
            op(g, 'r', "add.s32", "%s, %lld", reg, (long long)exact(g, MISTAKE_OFF_BY_ONE, ahead));
    else
        offset = exact(g, MISTAKE_OFF_BY_ONE, ahead) * size;
    if (chance(g, 15)) { /* the sum in 64 bits, then scaled */
        feature(g, FEATURE_WIDE);
        feature(g, FEATURE_WIDEN);
        const char *wide = op(g, 'd', text_of(g, "cvt.%c64.%c32", either(g), 'u'), "%s", reg);
        const char *sum =
            op(g, 'd', "add.s64", "%s, %lld", wide, (long long)(offset / (int64_t)size));
        feature(g, FEATURE_MULTIPLY_ADD);
        touch(g, op(g, 'd', "mad.lo.s64", "%s, %u, %s", sum, size, base), 0, size, true);
        return;
    }
    touch(g, address_of(g, base, reg, size), offset, size, true);
}

void idiom_offsets(struct generator *g)
{
    struct value v = pick(g);
    uint32_t fields = 2 + below(g, 3), size = chance(g, 70) ? 4 : 8;
    const char *base;
    new_array(g, size, text_of(g, "(%s * %u)", v.below, fields), &base);
    const char *address = op(g, 'd', "add.s64", "%s, %s", base,
                             op(g, 'd', text_of(g, "mul.wide.%c32", either(g)), "%s, %lld", v.reg,
                                (long long)exact(g, MISTAKE_STRIDE, fields) * size));
    feature(g, FEATURE_MULTIPLY_WIDE);
    for (uint32_t i = 0; i < fields; i++)
        touch(g, address, exact(g, MISTAKE_OFF_BY_ONE, i) * size, size, true);
}

void idiom_vector(struct generator *g)
{
    static const struct {
        const char *type;
        uint32_t element, count;
    } forms[] = {{"v4.u32", 4, 4}, {"v4.u32", 4, 4}, {"v2.u32", 4, 2},
                 {"v2.u64", 8, 2}, {"v4.u16", 2, 4}, {"v4.u8", 1, 4}};
    feature(g, FEATURE_VECTOR);
    uint32_t form = below(g, COUNT_OF(forms)), size = forms[form].element * forms[form].count;
    struct value v = chance(g, 70) ? pick(g) : derive(g, pick(g));
    const char *base, *address;
    bool whole = chance(g, 30) && size <= 16; /* float4 *p against float *p */
    new_array(g, whole ? size : forms[form].element,
              whole ? v.below : text_of(g, "(%s * %u)", v.below, forms[form].count), &base);
    int64_t most = fit(g, text_of(g, "(%s * %u)", v.below, forms[form].count),
                       (int64_t)v.most * forms[form].count);
    if (most <= INT_LIMIT && chance(g, 50)) {
        feature(g, FEATURE_SHIFT);
        const char *first = op(g, 'r', "shl.b32", "%s, %lld", v.reg,
                               (long long)exact(g, MISTAKE_SHIFT, log2_of(forms[form].count)));
        address = address_of(g, base, first, forms[form].element);
    } else {
        address = address_of(g, base, v.reg, size);
    }
    int64_t offset = strike(g, MISTAKE_MISALIGNED) ? forms[form].element : 0;
    char class = forms[form].element == 8 ? 'd' : forms[form].element == 4 ? 'r' : 'h';
    const char *list = op(g, class,
                          class == 'd'   ? "mov.u64"
                          : class == 'r' ? "mov.u32"
                                         : "mov.u16",
                          "3");
    const char *single = list;
    for (uint32_t i = 1; i < forms[form].count; i++)
        list = text_of(g, "%s, %%%c%u", list, class, g->registers[(unsigned char)class]++);
    if (chance(g, 30))
        raw(g, "st.global.%s [%s], {%s%s}", forms[form].type, place(g, address, offset), single,
            forms[form].count == 2 ? text_of(g, ", %s", single)
                                   : text_of(g, ", %s, %s, %s", single, single, single));
    else
        raw(g, "ld.global.%s {%s}, [%s]", forms[form].type, list, place(g, address, offset));
}

/* v as a value below `size`, a power of two. */
static struct value bounded(struct generator *g, struct value v, uint32_t size)
{
    if (v.literal != 0 && v.literal <= size && chance(g, 70))
        return v;
    switch (below(g, 6)) {
    case 4: /* a swizzle */
        feature(g, FEATURE_MASK_XOR);
        feature(g, FEATURE_MASK_AND);
        feature(g, FEATURE_SHIFT);
        return literal_value(
            op(g, 'r', "and.b32", "%s, %lld",
               op(g, 'r', "xor.b32", "%s, %s", v.reg, op(g, 'r', "shr.u32", "%s, 2", v.reg)),
               (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1)),
            g, size);
    case 5: /* from the end */
        feature(g, FEATURE_MASK_NOT);
        feature(g, FEATURE_MASK_AND);
        return literal_value(op(g, 'r', "and.b32", "%s, %lld", op(g, 'r', "not.b32", "%s", v.reg),
                                (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1)),
                             g, size);
    case 0:
        feature(g, FEATURE_REMAINDER);
        return literal_value(op(g, 'r', text_of(g, "rem.%c32", either(g)), "%s, %lld", v.reg,
                                (long long)exact(g, MISTAKE_OFF_BY_ONE, size)),
                             g, size);
    case 1:
        feature(g, FEATURE_MINIMUM);
        return literal_value(op(g, 'r', text_of(g, "min.%c32", either(g)), "%s, %lld", v.reg,
                                (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1)),
                             g, size);
    case 2:
        feature(g, FEATURE_SHIFT);
        return literal_value(op(g, 'r', "shr.u32", "%s, %lld",
                                op(g, 'r', "shl.b32", "%s, %u", v.reg, 32 - log2_of(size)),
                                (long long)exact(g, MISTAKE_SHIFT, 32 - log2_of(size))),
                             g, size);
    default:
        feature(g, FEATURE_MASK_AND);
        return literal_value(op(g, 'r', "and.b32", "%s, %u", v.reg,
                                strike(g, MISTAKE_OFF_BY_ONE) ? 2 * size - 1 : size - 1),
                             g, size);
    }
}

static uint32_t small_size(struct generator *g)
{
    return 4u << below(g, 5);
}

static const char *in_space(struct generator *g, const char *name, const char *reg, uint32_t size,
                            bool narrow)
{
    if (narrow) {
        const char *offset = chance(g, 50) ? op(g, 'r', "shl.b32", "%s, %lld", reg,
                                                (long long)exact(g, MISTAKE_SHIFT, log2_of(size)))
                                           : op(g, 'r', "mul.lo.s32", "%s, %u", reg, size);
        return op(g, 'r', "add.s32", "%s, %s", op(g, 'r', "mov.u32", "%s", name), offset);
    }
    return address_of(g, op(g, 'd', "mov.u64", "%s", name), reg, size);
}

void idiom_shared(struct generator *g)
{
    feature(g, FEATURE_SHARED);
    uint32_t size = small_size(g), element = chance(g, 75) ? 4 : 8;
    const char *name = text_of(g, "tile%u", g->arrays++);
    struct value v = bounded(g, pick(g), size);
    if (chance(g, 25)) { /* a tile: [row][column] */
        uint32_t columns = 2 + below(g, 8);
        struct value c = bounded(g, pick(g), 2);
        buffer_printf(&g->head, ".shared .align 16 .b8 %s[%u];\n", name, size * columns * element);
        feature(g, FEATURE_MULTIPLY_ADD);
        v.reg = op(g, 'r', "mad.lo.s32", "%s, %lld, %s", v.reg,
                   (long long)exact(g, MISTAKE_STRIDE, columns), c.reg);
    } else {
        buffer_printf(&g->head, ".shared .align 16 .b8 %s[%u];\n", name, size * element);
    }
    touch_space(g, "shared", in_space(g, name, v.reg, element, chance(g, 60)), 0, element, true);
    if (chance(g, 40))
        touch_space(g, "shared", name, exact(g, MISTAKE_OFF_BY_ONE, size - 1) * element, element,
                    true);
    if (chance(g, 25)) {
        const char *address = in_space(g, name, v.reg, element, true);
        feature(g, FEATURE_ATOMIC);
        if (element == 4)
            op(g, 'r', "atom.shared.add.u32", "[%s], 1", address);
    }
    if (!g->diverged && g->depth == 0)
        raw(g, "bar.sync 0");
}

void idiom_dynamic(struct generator *g)
{
    feature(g, FEATURE_SHARED_DYNAMIC);
    const char *tid = special(g, 0, 0);
    if (!g->dynamic_used) {
        g->dynamic_used = true;
        buffer_puts(&g->head, ".extern .shared .align 16 .b8 dynamic[];\n");
        g->plan->shared_bytes = strike(g, MISTAKE_EXTENT) ? "8 * block.x - 4" : "8 * block.x";
    }
    touch_space(g, "shared", in_space(g, "dynamic", tid, 4, chance(g, 60)), 0, 4, true);
    if (chance(g, 60)) { /* the second half */
        const char *at = op(g, 'r', "add.s32", "%s, %s", tid, special(g, 2, 0));
        if (strike(g, MISTAKE_OFF_BY_ONE))
            at = op(g, 'r', "add.s32", "%s, 1", at);
        touch_space(g, "shared", in_space(g, "dynamic", at, 4, chance(g, 60)), 0, 4, true);
    }
}

void idiom_local(struct generator *g)
{
    feature(g, FEATURE_LOCAL);
    uint32_t size = small_size(g);
    const char *name = text_of(g, "slots%u", g->arrays++);
    buffer_printf(&g->prologue, "\t.local .align 8 .b8 %s[%u];\n", name, size * 4);
    if (chance(g, 50))
        raw(g, "st.local.u32 [%s+%lld], 7", name,
            (long long)exact(g, MISTAKE_OFF_BY_ONE, size - 1) * 4);
    for (uint32_t i = 0; i < 2; i++) {
        struct value v = bounded(g, pick(g), size);
        touch_space(g, "local", address_of(g, op(g, 'd', "mov.u64", "%s", name), v.reg, 4), 0, 4,
                    true);
    }
    if (chance(g, 40)) { /* an index that goes through memory */
        struct value v = bounded(g, pick(g), size);
        const char *slot = name;
        /* Of its own; in the array itself only where something may be wrong: the stores before could have hit it. */
        if (g->plan->seed % 2 == 0 || chance(g, 75)) {
            slot = text_of(g, "spilled%u", g->arrays++);
            buffer_printf(&g->prologue, "\t.local .align 8 .b8 %s[8];\n", slot);
        }
        raw(g, "st.local.u32 [%s+4], %s", slot, v.reg);
        v.reg = op(g, 'r', "ld.local.u32", "[%s+4]", slot);
        touch_space(g, "local", address_of(g, op(g, 'd', "mov.u64", "%s", name), v.reg, 4), 0, 4,
                    false);
    }
}

void idiom_constant(struct generator *g)
{
    feature(g, FEATURE_CONSTANT);
    uint32_t size = 4u << below(g, 3);
    const char *name = text_of(g, "table%u", g->arrays++);
    buffer_printf(&g->head, ".const .align 4 .u32 %s[%u] = {1, 2, 3};\n", name, size);
    struct value v = bounded(g, pick(g), size);
    touch_space(g, "const", address_of(g, op(g, 'd', "mov.u64", "%s", name), v.reg, 4), 0, 4,
                false);
}

void idiom_atomic(struct generator *g)
{
    static const char *const names[] = {"add.u32", "max.s32", "min.u32", "exch.b32", "or.b32"};
    feature(g, FEATURE_ATOMIC);
    uint32_t size = small_size(g);
    struct value v = chance(g, 50) ? bounded(g, pick(g), size) : pick(g);
    const char *base;
    new_array(g, 4, v.below, &base);
    const char *address = address_of(g, base, v.reg, 4), *name = names[below(g, COUNT_OF(names))];
    if (strike(g, MISTAKE_MISALIGNED))
        address = text_of(g, "%s+2", address);
    if (chance(g, 30))
        raw(g, "red.global.add.u32 [%s], 1", address);
    else
        op(g, 'r', text_of(g, "atom.global.%s", name), "[%s], 1", address);
}

/* ---- gather ------------------------------------------------------------------------------------- */

static void index_load(struct generator *g)
{
    *vec_push(g->arena, &g->plan->index_loads) = g->line;
}

static void rows(struct generator *g)
{
    /* from = offsets[v], to = offsets[v + 1]; from <= j < to */
    struct value v = pick(g);
    const struct scalar *count = scalar(g, 0, chance(g, 60));
    const char *base;
    struct plan_parameter *offsets = new_array(g, 4, text_of(g, "(%s + 1)", v.below), &base);
    offsets->low = "0";
    offsets->high =
        text_of(g, "(%s + %lld)", count->name, (long long)exact(g, MISTAKE_RELATION, 1));
    const char *address = address_of(g, base, v.reg, 4);
    const char *j = op(g, 'r', "ld.global.u32", "[%s]", address);
    index_load(g);
    const char *to = op(g, 'r', "ld.global.u32", "[%s+%lld]", address,
                        (long long)exact(g, MISTAKE_OFF_BY_ONE, 1) * 4);
    index_load(g);
    uint32_t top = new_label(g), end = new_label(g);
    bool s = chance(g, 70);
    feature(g, FEATURE_LOOP_TOP);
    feature(g, s ? FEATURE_SIGNED_GUARD : FEATURE_UNSIGNED_GUARD);
    put_label(g, top);
    raw(g, "@%s bra $L%u",
        op(g, 'p',
           text_of(g, "setp.%s.%c32", strike(g, MISTAKE_OFF_BY_ONE) ? "gt" : "ge", s ? 's' : 'u'),
           "%s, %s", j, to),
        end);
    g->depth++;
    access_at(
        g, (struct value){.reg = j, .below = count->name, .most = count->most, .scalar = count}, 0);
    g->depth--;
    op_to(g, j, "add.s32", "%s, 1", j);
    raw(g, "bra $L%u", top);
    put_label(g, end);
}

void idiom_gather(struct generator *g)
{
    feature(g, FEATURE_GATHER);
    if (g->depth == 0 && chance(g, 25)) {
        rows(g);
        return;
    }
    struct value v = chance(g, 70) ? pick(g) : derive(g, pick(g)), found = {0};
    bool wide = chance(g, 25), literal = chance(g, 30);
    const struct scalar *count = literal ? NULL : scalar(g, 0, chance(g, 50));
    const char *base, *high = literal ? text_of(g, "%u", 1 + below(g, 30)) : count->name;
    struct plan_parameter *indices = new_array(g, wide ? 8 : 4, v.below, &base);
    indices->low = "0";
    indices->high = strike(g, MISTAKE_RELATION) ? text_of(g, "%s + 1", high) : high;
    const char *address = address_of(g, base, v.reg, wide ? 8 : 4);
    if (strike(g, MISTAKE_OPERAND)) /* the launch writes the index array: its values say nothing */
        raw(g, wide ? "st.global.u64 [%s], %s" : "st.global.u32 [%s], %s", address,
            wide ? address : special(g, 0, 0));
    if (wide && chance(g, 60)) {
        const char *index = op(g, 'd', "ld.global.u64", "[%s]", address);
        index_load(g);
        feature(g, FEATURE_WIDE);
        new_array(g, 4, high, &base);
        touch(g,
              op(g, 'd', "add.s64", "%s, %s", base,
                 op(g, 'd', "shl.b64", "%s, %lld", index, (long long)exact(g, MISTAKE_SHIFT, 2))),
              0, 4, true);
        return;
    }
    found.reg = op(g, 'r', "ld.global.u32", "[%s]", address); /* of a wide one the lower half */
    index_load(g);
    found.below = high;
    found.most = literal ? 30 : count->most;
    found.literal = literal ? strtol(high, NULL, 10) : 0;
    found.scalar = count;
    access_at(g, found, 0);
}
