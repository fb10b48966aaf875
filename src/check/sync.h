/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: where threads meet.  sync.c collects the places and joins the answers, barrier.c asks about a block barrier, shuffle.c
 * about a warp operation; interval.c, race.c and pairs.c use what was proved as order between accesses.
 */
#ifndef LANEWISE_CHECK_SYNC_H
#define LANEWISE_CHECK_SYNC_H

#include "check/prove.h"

struct sync_point {
    uint32_t instruction;
    bool is_barrier;          /* of the block; else of a warp */
    bool is_full;             /* all threads of the block, or all lanes of the warp, take part */
    struct prove_answer answer;
    sym_blocks parting;       /* not proved: branches at which threads go different ways ... */
    bool parts_here;          /* ... or the operation itself: fewer may come than it waits for */
};

struct sync {
    struct prove *prove;
    struct sym_uniform *block, *warp; /* warp: NULL when nothing in the kernel concerns warps */
    VEC(struct sync_point) points;    /* in the order of the instructions */
    const char *blind;                /* why nothing can be said of any; NULL */
};

/* Finds the points, asks about each, adds their sites. */
struct sync *prove_sync(struct prove *prove);
void prove_barrier(struct sync *sync, struct sync_point *point);
void prove_warp_operation(struct sync *sync, struct sync_point *point);
/* The guard of the instruction is the same in all threads of the scope. */
bool sync_guard_is_uniform(struct sym_uniform *uniform, uint32_t instruction);
/* Not proved: a branch before it may go different ways; fewer may come than it waits for. */
void sync_part_at(struct sync *sync, struct sync_point *point, const struct sym_uniform *uniform, uint32_t branch);
void sync_part_here(struct sync_point *point, const char *reason);
uint32_t sync_threads_multiple_of(struct prove *prove, sym_integer size); /* 1 if the block's threads are a multiple of it */

#endif
