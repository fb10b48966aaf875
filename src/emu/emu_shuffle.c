/* SPDX-License-Identifier: Apache-2.0
 *
 * Which lanes a warp-wide operation really reads, for the part of LW203 that depends on it: a mask may name lanes that have exited or never
 * existed as long as no value is taken from them.
 */
#include "emu/emu_control.h"

/* Source lane of a shuffle for one lane, or the lane itself when it keeps its own value (PTX ISA, "shfl.sync"). */
static unsigned shuffle_source(enum ptx_mode mode, unsigned lane, uint32_t b, uint32_t c)
{
    unsigned clamp = c & 31, segment = c >> 8 & 31, index = b & 31;
    unsigned max_lane = (lane & segment) | (clamp & ~segment & 31), min_lane = lane & segment;
    int from;
    switch (mode) {
    case PTX_MODE_UP:
        from = (int)lane - (int)index;
        return from >= (int)max_lane ? (unsigned)from : lane;
    case PTX_MODE_DOWN:
        from = (int)(lane + index);
        return from <= (int)max_lane ? (unsigned)from : lane;
    case PTX_MODE_BFLY:
        from = (int)(lane ^ index);
        return from <= (int)max_lane ? (unsigned)from : lane;
    default:
        from = (int)(min_lane | (index & ~segment & 31));
        return from <= (int)max_lane ? (unsigned)from : lane;
    }
}

void emu_gate_check_absent(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, uint32_t members, uint32_t absent)
{
    struct arena *arena = &warp->block->worker->arena;
    uint32_t never = absent & ~warp->threads;
    const char *why = never == absent ? "do not exist in this warp" : never == 0 ? "have left the kernel" : "have left or never existed";
    enum ptx_op kind = op->source->op;
    if (kind == PTX_OP_shfl) {
        const uint32_t *b = emu_slot(warp, op->b), *c = emu_slot(warp, op->c);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            unsigned from = shuffle_source(op->source->mode, lane, b[lane], c[lane]);
            if ((absent >> from & 1) == 0)
                continue;
            struct emu_fault *fault = emu_fault_add(warp, FINDING_SHUFFLE_INACTIVE, warp->frame->function, op, lane, NULL, 2);
            if (fault != NULL)
                fault->text = arena_printf(arena, "reads lane %u in lane %u; lanes 0x%08x of the mask %s", from, lane, absent, why);
        }
    }
    struct emu_fault *fault =
        emu_fault_add(warp, FINDING_SHUFFLE_INACTIVE, warp->frame->function, op, (uint32_t)__builtin_ctz(mask), NULL, 3);
    if (fault != NULL) {
        fault->severity = SEVERITY_WARNING;
        fault->text = arena_printf(arena, "names lanes 0x%08x in the mask 0x%08x that %s", absent, members, why);
    }
}
