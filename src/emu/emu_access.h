/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the operations that touch memory (emu_access.c, emu_atomic.c, emu_copy.c) and to emu_poison.c.
 */
#ifndef LANEWISE_EMU_ACCESS_H
#define LANEWISE_EMU_ACCESS_H

#include "emu/emu_core.h"

/* A warp's access that stays in one region, in bounds and aligned. */
struct emu_plan {
    struct emu_region *region;
    uint64_t offsets[EMU_LANES]; /* from the region's base; of active lanes */
    uint64_t low, high;          /* smallest and largest */
    bool contiguous;             /* all lanes, one after the other */
};

/* The inner loops, for each instruction set (lanes_memory.c). */
struct emu_memory_kit {
    /* out[l] = (slot[l] + immediate), its low 32 bits in `window` if that is not 0.  slot NULL: only the immediate. */
    void (*addresses)(const void *slot, uint8_t size, uint64_t immediate, uint64_t window, uint64_t *out);
    /* True if the lanes of `mask` are aligned and at most `limit` past `base`; fills all of the plan but its region. */
    bool (*plan)(const uint64_t *addresses, uint64_t base, uint64_t limit, uint32_t mask, uint32_t size, struct emu_plan *plan);
    void (*gather32)(void *slot, const char *data, const uint64_t *offsets, uint32_t mask);
    void (*gather64)(void *slot, const char *data, const uint64_t *offsets, uint32_t mask);
    void (*scatter32)(const void *slot, char *data, const uint64_t *offsets, uint32_t mask);
    void (*fill32)(void *slot, uint32_t value, uint32_t mask);
    void (*fill64)(void *slot, uint64_t value, uint32_t mask);
    void (*copy32)(void *slot, const uint32_t *values, uint32_t mask);
};
extern const struct emu_memory_kit emu_memory_kit_plain, emu_memory_kit_avx2, emu_memory_kit_avx512;
const struct emu_memory_kit *emu_memory_kit_for(unsigned isa);

/* Generic addresses of an access with address register `reference` (storage `size`) and op->immediate. */
void emu_access_addresses(struct emu_warp *warp, const struct emu_op *op, uint32_t reference, uint8_t size,
                          enum ptx_space space, uint64_t *addresses);

/* Poison: which bytes of a lane's register are undefined (bit i: byte i; bit 7 also stands for all above). */
void emu_poison_set(struct emu_warp *warp, uint32_t reference, uint32_t lane, uint8_t bytes, const struct emu_op *load,
                    const struct emu_region *region);
uint8_t emu_poison_get(const struct emu_frame *frame, uint32_t reference, uint32_t lane);
void emu_poison_clear(struct emu_frame *frame, uint32_t reference, uint32_t mask);
/* LW403 at the load that brought the value in; the lane's register counts as defined from here on. */
void emu_poison_report(struct emu_warp *warp, uint32_t reference, uint32_t lane);

/* A plain access of one lane that emu_access_lane has found right, for races.  `value`: what a store writes. */
void emu_access_note(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, struct emu_region *region, uint64_t address,
                     uint32_t size, bool is_write, const void *value);
/* An atomic operation, for races and order. `reads`: its old value is used. */
void emu_access_race(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, struct emu_region *region, uint64_t address, uint32_t size,
                     bool reads);
/* An atomic operation reads memory: LW403 where it was never written.  Its bytes are defined from here on. */
void emu_access_use(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, const struct emu_region *region, uint8_t *shadow,
                    uint32_t size);

#endif
