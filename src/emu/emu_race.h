/* SPDX-License-Identifier: Apache-2.0
 *
 * Races: who touched which four bytes last, and what orders two accesses.
 *
 * A cell stands for an aligned piece of four bytes and holds three records: the last write and two reads by different threads (of different
 * warps if there were any).  A record says who, when (the clock of its warp), from which instruction and how.  Two accesses conflict when they
 * share a byte, one writes, they are not both atomic or both strong (volatile, relaxed, acquire, release), and nothing orders them.
 *
 * What orders (emu_order.c): program order; block barriers among their participants; bar.warp.sync among the lanes of its mask; a fence
 * with a strong operation on each side; the end of a kernel.  Shuffles, votes and reconvergence order nothing.
 *
 * Clocks.  A warp's clock ticks at each of these.  A record of another thread is ordered before now if its clock is below what the
 * current thread knows of that warp: `sync_clock` for lanes of its own warp, `barrier_clock` for the other warps of the block.
 *
 * Limits.  Records of global memory have 12 bits for the instruction and 14 for the clock: past that the place of the first access is
 * not named, and accesses within a block count as ordered.  Two accesses that touch different bytes of one cell can hide a third.
 */
#ifndef LANEWISE_EMU_RACE_H
#define LANEWISE_EMU_RACE_H

#include "emu/emu_core.h"

struct emu_cell {
    uint64_t write, read, read2; /* records; 0: none */
};

enum { /* low bits of a record */
    EMU_RECORD_VALID = 1,
    EMU_RECORD_STRONG = 2,
    EMU_RECORD_ATOMIC = 4,
    EMU_RECORD_REPORTED = 8 /* takes part in a race that was reported: no further consequence */
};

/* A record unpacked. */
struct emu_record {
    uint64_t warp;   /* linear over the launch, modulo the record's width; in shared memory: in the block */
    uint32_t lane;
    uint32_t clock;
    uint32_t site;   /* memory instruction: index into program->sites, 0 unknown */
    uint32_t bytes;  /* which of the four */
    uint32_t flags;
};

enum { EMU_RECORD_WARP_BITS = 25 }; /* in global memory */

/* The block that a record speaks of, and its warp in the block.  Records count warps modulo 2^25: of other blocks of a larger launch
 * one with the same remainder may be named. */
static inline uint64_t emu_record_block(const struct emu_block *block, const struct emu_record *record, bool global, uint32_t *index)
{
    if (global) {
        uint64_t mask = ((uint64_t)1 << EMU_RECORD_WARP_BITS) - 1;
        uint64_t delta = (record->warp - block->number * block->warp_count) & mask;
        if (delta >= block->warp_count) {
            *index = (uint32_t)(record->warp % block->warp_count);
            return record->warp / block->warp_count;
        }
        *index = (uint32_t)delta;
    } else {
        *index = (uint32_t)record->warp;
    }
    return block->number;
}

/* True if all lanes of the access are free of conflicts; then they are recorded.  Otherwise the access is to be made lane by lane with
 * emu_race_lane.  `offsets` are from the region's base. */
bool emu_race_warp(struct emu_warp *warp, const struct emu_op *op, struct emu_region *region, const uint64_t *offsets, uint32_t mask,
                   uint32_t size, bool is_write);
/* One lane: checks, reports, records.  `value` is what a store will write (NULL for loads and atomics), compared with what is there. */
void emu_race_lane(struct emu_warp *warp, const struct emu_op *op, struct emu_region *region, uint64_t offset, uint32_t lane,
                   uint32_t size, bool is_write, const void *value);

/* ---- order --------------------------------------------------------------------------------------------------- */

/* Is the other thread's access ordered before what this lane does now?  Same launch; `global`: the record comes from global memory. */
bool emu_order_before(struct emu_warp *warp, uint32_t lane, const struct emu_record *record, bool global);
void emu_order_block_start(struct emu_block *block);
void emu_order_barrier_arrive(struct emu_warp *warp, uint32_t barrier, bool waits);
/* A barrier completes: `full` if every thread of the block took part. */
void emu_order_barrier_done(struct emu_block *block, uint32_t barrier, bool full);
void emu_order_warp_sync(struct emu_warp *warp, uint32_t mask);
void emu_order_fence(struct emu_warp *warp, uint32_t mask, enum ptx_scope scope);
/* A strong access (atomic, volatile, relaxed, acquire, release) of one lane to `address`. */
void emu_order_strong(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, uint64_t address, bool reads, bool writes);

#endif
