/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loops of memory accesses: addresses of 32 lanes, whether they stay in one region, gathers and scatters.  See emu_access.h.
 */
#include "emu/emu_access.h"
#include "emu/lanes_kit.h"

static void addresses(const void *slot, uint8_t size, uint64_t immediate, uint64_t window, uint64_t *out)
{
    const uint64_t keep = window != 0 ? UINT32_MAX : UINT64_MAX;
    if (slot == NULL) {
        LANES_EACH out[l] = (immediate & keep) | window;
    } else if (size == 8) {
        /* All but the window's own byte counts: an offset past 32 bits is no place of the block, and must not come round to one. */
        const uint64_t inside = window != 0 ? UINT64_MAX >> 8 : UINT64_MAX;
        const u64 *base = slot;
        LANES_EACH out[l] = ((base[l] + immediate) & inside) | window;
    } else {
        const u32 *base = slot;
        LANES_EACH out[l] = ((base[l] + immediate) & keep) | window;
    }
}

static bool plan(const uint64_t *from, uint64_t base, uint64_t limit, uint32_t mask, uint32_t size, struct emu_plan *plan)
{
    uint64_t bad = 0, low = UINT64_MAX, high = 0, apart = 0;
    const uint64_t first = from[0] - base, unaligned = size - 1;
    uint64_t *const offsets = plan->offsets;
    if (mask == EMU_FULL_MASK) {
        LANES_EACH
        {
            const uint64_t offset = from[l] - base;
            offsets[l] = offset;
            bad |= (from[l] & unaligned) | (uint64_t)(offset > limit);
            low = offset < low ? offset : low;
            high = offset > high ? offset : high;
            apart |= offset ^ (first + l * size);
        }
    } else {
        apart = 1;
        LANES_EACH
        {
            const uint64_t offset = from[l] - base, keep = (uint64_t)0 - (uint64_t)((mask & lanes_bit[l]) != 0);
            offsets[l] = offset;
            bad |= ((from[l] & unaligned) | (uint64_t)(offset > limit)) & keep;
            low = (offset | ~keep) < low ? (offset | ~keep) : low;
            high = (offset & keep) > high ? (offset & keep) : high;
        }
    }
    plan->low = low;
    plan->high = high;
    plan->contiguous = apart == 0;
    return bad == 0;
}

static void gather32(void *slot, const char *data, const uint64_t *offsets, uint32_t mask)
{
    u32 *to = slot;
    if (mask == EMU_FULL_MASK) {
        LANES_EACH to[l] = *(const u32 *)(const void *)(data + offsets[l]);
        return;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        to[l] = *(const u32 *)(const void *)(data + offsets[l]);
    }
}

static void gather64(void *slot, const char *data, const uint64_t *offsets, uint32_t mask)
{
    u64 *to = slot;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        to[l] = *(const u64 *)(const void *)(data + offsets[l]);
    }
}

static void scatter32(const void *slot, char *data, const uint64_t *offsets, uint32_t mask)
{
    const u32 *from = slot;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        *(u32 *)(void *)(data + offsets[l]) = from[l];
    }
}

static void fill32(void *slot, uint32_t value, uint32_t mask)
{
    u32 *to = slot;
    if (mask == EMU_FULL_MASK) {
        LANES_EACH to[l] = value;
    } else {
        LANES_EACH to[l] = (mask & lanes_bit[l]) != 0 ? value : to[l];
    }
}

static void fill64(void *slot, uint64_t value, uint32_t mask)
{
    u64 *to = slot;
    if (mask == EMU_FULL_MASK) {
        LANES_EACH to[l] = value;
    } else {
        LANES_EACH to[l] = (mask & lanes_bit[l]) != 0 ? value : to[l];
    }
}

static void copy32(void *slot, const uint32_t *values, uint32_t mask)
{
    u32 *to = slot;
    LANES_EACH to[l] = (mask & lanes_bit[l]) != 0 ? values[l] : to[l];
}

const struct emu_memory_kit LANES(emu_memory_kit) = {addresses, plan, gather32, gather64, scatter32, fill32, fill64, copy32};
