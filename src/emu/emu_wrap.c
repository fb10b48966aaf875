/* SPDX-License-Identifier: Apache-2.0
 *
 * Wraps at run time: exact values, taint, reports.  See emu_wrap.h.
 */
#include "emu/emu_wrap.h"

#include <inttypes.h>

static const struct emu_wrap_op *shadow_of(const struct emu_warp *warp, const struct emu_op *op)
{
    return &warp->frame->function->wrap_ops.data[op->extra[0]];
}

/* ---- exact values --------------------------------------------------------------------------------------------------------- */

static struct emu_exact *exact_of(struct emu_warp *warp, uint32_t index)
{
    return index == EMU_REF_NONE ? NULL : &warp->frame->exact[index];
}

static int64_t read_register(uint32_t value, unsigned reading, bool small)
{
    return reading == 0 || small ? (int32_t)value : (int64_t)value;
}

static int64_t exact_value(const struct emu_exact *exact, const uint32_t *slot, unsigned lane, unsigned reading, bool small)
{
    if (exact != NULL && exact->dirty[reading] >> lane & 1)
        return exact->value[reading][lane];
    return slot == NULL ? 0 : read_register(slot[lane], reading, small);
}

__extension__ typedef __int128 exact_wide;

static int64_t limited(exact_wide value)
{
    const exact_wide limit = (exact_wide)1 << 62;
    return value > limit || value < -limit ? EMU_WRAP_GIVEN_UP : (int64_t)value;
}

static int64_t compute(enum emu_wrap_kind kind, int64_t x, int64_t y, int64_t z)
{
    if (x == EMU_WRAP_GIVEN_UP || y == EMU_WRAP_GIVEN_UP || z == EMU_WRAP_GIVEN_UP)
        return EMU_WRAP_GIVEN_UP;
    switch (kind) {
    case EMU_WRAP_ADD: return limited((exact_wide)x + y);
    case EMU_WRAP_SUB: return limited((exact_wide)x - y);
    case EMU_WRAP_MUL: return limited((exact_wide)x * y);
    case EMU_WRAP_MAD: return limited((exact_wide)x * y + z);
    case EMU_WRAP_SHL: return y < 0 || y > 62 ? (x == 0 ? 0 : EMU_WRAP_GIVEN_UP) : limited((exact_wide)x * ((int64_t)1 << y));
    case EMU_WRAP_NEG: return -x;
    case EMU_WRAP_NOT: return -1 - x;
    default: return x;
    }
}

static enum emu_next run_shadow(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_wrap_op *shadow = shadow_of(warp, op);
    struct emu_exact *dst = exact_of(warp, shadow->dst);
    const struct emu_exact *sources[3];
    const uint32_t references[3] = {op->a, op->b, op->c};
    const uint32_t *slots[3];
    uint32_t any = 0;
    for (unsigned k = 0; k < 3; k++) {
        sources[k] = exact_of(warp, shadow->source[k]);
        slots[k] = references[k] >= EMU_REF_LIST ? NULL : emu_slot(warp, references[k]);
        if (sources[k] != NULL)
            any |= sources[k]->dirty[0] | sources[k]->dirty[1];
    }
    const uint32_t *a = slots[0], *b = slots[1] != NULL ? slots[1] : a, *c = slots[2] != NULL ? slots[2] : a;
    emu_wrap_lanes *test = warp->block->worker->run->machine->wrap_lanes;
    uint32_t outside[2];
    if ((any & mask) == 0) {
        bool moves = shadow->kind == EMU_WRAP_MOV || shadow->kind == EMU_WRAP_SELP;
        outside[0] = moves ? 0 : test(shadow->kind, a, b, c, 15) & mask;
        outside[1] = moves ? 0 : test(shadow->kind, a, b, c, shadow->small) & mask;
        if ((outside[0] | outside[1]) == 0) {
            dst->dirty[0] &= ~mask;
            dst->dirty[1] &= ~mask;
            return EMU_NEXT;
        }
    }
    uint32_t chosen = shadow->kind == EMU_WRAP_SELP ? emu_predicate(warp, op, op->c, 2) : 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned reading = 0; reading < 2; reading++) {
            int64_t value[3];
            for (unsigned k = 0; k < 3; k++)
                value[k] = k == 2 && shadow->kind == EMU_WRAP_SELP
                               ? 0
                               : exact_value(sources[k], slots[k], lane, reading, shadow->small >> k & 1);
            if (shadow->kind == EMU_WRAP_SHL && slots[1] != NULL)
                value[1] = slots[1][lane];
            int64_t exact = shadow->kind == EMU_WRAP_SELP ? (chosen >> lane & 1 ? value[0] : value[1])
                                                          : compute(shadow->kind, value[0], value[1], value[2]);
            bool dirty = exact == EMU_WRAP_GIVEN_UP || exact != read_register((uint32_t)exact, reading, false);
            bool was = false;
            for (unsigned k = 0; k < 3; k++)
                if (sources[k] != NULL && sources[k]->dirty[reading] >> lane & 1) {
                    was = true;
                    if (dirty)
                        dst->origin[reading] = sources[k]->origin[reading];
                }
            if (dirty && !was)
                dst->origin[reading] = op;
            dst->value[reading][lane] = exact;
            dst->dirty[reading] = (dst->dirty[reading] & ~(1u << lane)) | (uint32_t)dirty << lane;
        }
    }
    return EMU_NEXT;
}

/* cvt from 64 to 32 bits: the exact value is the 64-bit register. */
static enum emu_next run_truncate(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_exact *dst = exact_of(warp, shadow_of(warp, op)->dst);
    const int64_t *source = emu_slot(warp, op->a);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned reading = 0; reading < 2; reading++) {
            bool dirty = source[lane] != read_register((uint32_t)source[lane], reading, false);
            dst->value[reading][lane] = limited(source[lane]);
            dst->dirty[reading] = (dst->dirty[reading] & ~(1u << lane)) | (uint32_t)dirty << lane;
            if (dirty)
                dst->origin[reading] = op;
        }
    }
    return EMU_NEXT;
}

/* Another operation defined the register: it starts afresh. */
static enum emu_next run_fresh(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_exact *dst = exact_of(warp, shadow_of(warp, op)->dst);
    dst->dirty[0] &= ~mask;
    dst->dirty[1] &= ~mask;
    return EMU_NEXT;
}

/* ---- uses ----------------------------------------------------------------------------------------------------------------- */

/* Does neither exact value equal the register as its consumer reads it? */
static bool is_wrapped(const struct emu_exact *exact, const uint32_t *slot, unsigned lane, unsigned reading)
{
    int64_t seen = read_register(slot[lane], reading, false);
    if ((exact->dirty[reading] >> lane & 1) == 0)
        return false;
    for (unsigned other = 0; other < 2; other++) {
        int64_t value = exact_value(exact, slot, lane, other, false);
        if (value == seen || value == EMU_WRAP_GIVEN_UP)
            return false;
    }
    return true;
}

static void report_wrap(struct emu_warp *warp, const struct emu_op *origin, uint32_t lane, int64_t exact, int64_t seen, const struct emu_op *use)
{
    const struct emu_function *function = warp->frame->function;
    struct emu_fault *fault = emu_fault_add(warp, FINDING_INDEX_WRAP, function, origin, lane, NULL, UINT32_MAX);
    if (fault == NULL)
        return;
    struct arena *arena = &warp->block->worker->arena;
    fault->text = arena_printf(arena, "wraps a 32-bit index: %" PRId64 " becomes %" PRId64, exact, seen);
    fault->help = "compute the index in 64 bits: make one operand of the first product or sum `size_t` or `long long`";
    if (use->instruction != origin->instruction) {
        struct finding_note *note = vec_push(arena, &fault->notes);
        note->place = emu_fault_place(warp->block->worker->run->program->module, function, use->instruction);
        note->message = "the wrapped value is used here";
    }
}

/* Did a product, a shift or a truncation leave the width?  A sum that does so before a comparison is how compilers test a range:
 * `x >= 1 && x < n` becomes one unsigned comparison of x - 1. */
static bool is_product(const struct emu_op *origin)
{
    enum ptx_op op = origin->source->op;
    return op == PTX_OP_mul || op == PTX_OP_mad || op == PTX_OP_shl || op == PTX_OP_cvt;
}

/* A 32-bit register is used as it stands: an address, or an ordered comparison. */
static enum emu_next run_use(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_wrap_op *shadow = shadow_of(warp, op);
    const uint32_t references[2] = {op->a, op->b};
    for (unsigned k = 0; k < 2; k++) {
        struct emu_exact *exact = exact_of(warp, shadow->source[k]);
        if (exact == NULL || ((exact->dirty[0] | exact->dirty[1]) & mask) == 0)
            continue;
        unsigned reading = shadow->small;
        const uint32_t *slot = emu_slot(warp, references[k]);
        for (uint32_t rest = exact->dirty[reading] & mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (!is_wrapped(exact, slot, lane, reading) || (op->source->op == PTX_OP_setp && !is_product(exact->origin[reading])))
                continue;
            report_wrap(warp, exact->origin[reading], lane, exact->value[reading][lane], read_register(slot[lane], reading, false), op);
            exact->dirty[0] &= ~(1u << lane);
            exact->dirty[1] &= ~(1u << lane);
        }
    }
    return EMU_NEXT;
}

static struct emu_taint *taints_of(struct emu_warp *warp)
{
    struct emu_frame *frame = warp->frame;
    if (frame->taints == NULL)
        frame->taints = ARENA_ARRAY(&warp->block->worker->arena, struct emu_taint, frame->function->file_size / EMU_SLOT + 1);
    return frame->taints;
}

/* A 32-bit register has been widened to 64 bits, or multiplied into them. */
static enum emu_next run_widened(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_wrap_op *shadow = shadow_of(warp, op);
    const uint32_t references[2] = {op->a, op->b};
    unsigned reading = shadow->small;
    for (unsigned k = 0; k < 2; k++) {
        const struct emu_exact *exact = exact_of(warp, shadow->source[k]);
        if (exact == NULL || (exact->dirty[reading] & mask) == 0)
            continue;
        const uint32_t *slot = emu_slot(warp, references[k]);
        for (uint32_t rest = exact->dirty[reading] & mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (!is_wrapped(exact, slot, lane, reading))
                continue;
            struct emu_taint *taint = &taints_of(warp)[op->dst / EMU_SLOT];
            taint->lanes |= 1u << lane;
            taint->origin = exact->origin[reading];
            taint->exact[lane] = exact->value[reading][lane];
            taint->seen[lane] = read_register(slot[lane], reading, false);
            warp->frame->has_taint = true;
        }
    }
    return EMU_NEXT;
}

void emu_wrap_step(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    if (op->source == NULL || (op->kind != EMU_KIND_LANES && op->kind != EMU_KIND_CORE))
        return;
    struct emu_taint *taints = warp->frame->taints;
    bool accesses = (ptx_op_info(op->source->op)->flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE)) != 0;
    if (accesses && op->a < EMU_REF_POOL && op->a_size == 8) {
        struct emu_taint *taint = &taints[op->a / EMU_SLOT];
        for (uint32_t rest = taint->lanes & mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            report_wrap(warp, taint->origin, lane, taint->exact[lane], taint->seen[lane], op);
        }
        taint->lanes &= ~mask;
    }
    if (op->dst >= EMU_REF_POOL || op->dst_size != 8)
        return;
    struct emu_taint *dst = &taints[op->dst / EMU_SLOT];
    uint32_t lanes = 0;
    const uint32_t references[3] = {op->a, op->b, op->c};
    const uint8_t sizes[3] = {op->a_size, op->b_size, op->c_size};
    if (op->kind == EMU_KIND_LANES && emu_wrap_follows(op->source))
        for (unsigned k = 0; k < 3; k++) {
            if (references[k] >= EMU_REF_POOL || sizes[k] != 8)
                continue;
            struct emu_taint *source = &taints[references[k] / EMU_SLOT];
            uint32_t new_lanes = source->lanes & mask;
            if (new_lanes == 0)
                continue;
            lanes |= new_lanes;
            if (source == dst)
                continue;
            dst->origin = source->origin;
            for (uint32_t rest = new_lanes; rest != 0; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                dst->exact[lane] = source->exact[lane];
                dst->seen[lane] = source->seen[lane];
            }
        }
    dst->lanes = (dst->lanes & ~mask) | lanes;
}

/* ---- which operation serves a shadow --------------------------------------------------------------------------------------------- */

emu_fn *emu_wrap_run(enum emu_wrap_role role, enum emu_wrap_kind kind)
{
    switch (role) {
    case EMU_WRAP_ROLE_SHADOW: return kind == EMU_WRAP_TRUNCATE ? run_truncate : run_shadow;
    case EMU_WRAP_ROLE_FRESH: return run_fresh;
    case EMU_WRAP_ROLE_USE: return run_use;
    default: return run_widened;
    }
}
