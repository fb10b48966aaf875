/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: where threads meet.  sync.c collects the places and joins the answers, barrier.c asks about a block barrier, group.c about
 * barriers for a part of the block, shuffle.c about a warp operation; interval.c, race.c and pair.c use what was proved as order between
 * accesses.
 */
#ifndef LANEWISE_CHECK_SYNC_H
#define LANEWISE_CHECK_SYNC_H

#include "check/prove.h"

/* The threads of a block that may come to a place, where their numbers alone tell; see group.c. */
struct sync_group {
    sym_facts facts;             /* of one thread: it is a member */
    struct bitset members;       /* by number of the thread in its block, x fastest */
    uint32_t count;
    struct sym_uniform *uniform; /* of two members; of groups of barriers alone */
};

struct sync_point {
    uint32_t instruction;
    bool is_barrier;          /* of the block; else of a warp */
    bool is_full;             /* all threads of the block, or all lanes of the warp, take part */
    bool is_partial;          /* it counts threads, or does not wait: group.c asks */
    bool is_arrive;           /* it does not wait */
    bool has_number;
    sym_integer number, threads; /* the barrier's number; of a partial one the threads that it is for */
    struct sync_group *group; /* of a partial one that is proved */
    bool is_meeting;          /* ... and waits for all its members, all of which make the same visits */
    struct prove_answer answer;
    sym_blocks parting;       /* not proved: branches at which threads go different ways ... */
    bool parts_here;          /* ... or the operation itself: fewer may come than it waits for */
};

/* Threads that arrive, and threads that wait for them, once in a launch. */
struct sync_handover {
    struct sync_point *arrive, *wait;
};

struct sync {
    struct prove *prove;
    struct sym_uniform *block, *warp; /* warp: NULL when nothing in the kernel concerns warps */
    VEC(struct sync_point) points;    /* in the order of the instructions */
    VEC(struct sync_handover) handovers;
    const char *blind;                /* why nothing can be said of any; NULL */
};

/* Finds the points, asks about each, adds their sites. */
struct sync *prove_sync(struct prove *prove);
void prove_barrier(struct sync *sync, struct sync_point *point);
void prove_warp_operation(struct sync *sync, struct sync_point *point);
/* Barriers for a part of the block, all together. */
void prove_partial_barriers(struct sync *sync);
/* Can control come to instruction `to` behind instruction `from`? */
bool sync_follows(struct sync *sync, uint32_t from, uint32_t to);
/* Who may come to the instruction, of those of which `besides` (or NULL) holds; NULL: that hangs on more than the number of the thread, or the block is not given exactly. */
struct sync_group *sync_group_at(struct sync *sync, uint32_t instruction, const sym_facts *besides);
/* No member comes to the block. */
bool sync_group_avoids(struct sync *sync, const struct sync_group *group, uint32_t block);
bool sync_group_within(const struct sync_group *inner, const struct sync_group *outer);
/* The guard of the instruction is the same in all threads of the scope. */
bool sync_guard_is_uniform(struct sym_uniform *uniform, uint32_t instruction);
/* Not proved: a branch before it may go different ways; fewer may come than it waits for. */
void sync_part_at(struct sync *sync, struct sync_point *point, const struct sym_uniform *uniform, uint32_t branch);
void sync_part_here(struct sync_point *point, const char *reason);
uint32_t sync_threads_multiple_of(struct prove *prove, sym_integer size); /* 1 if the block's threads are a multiple of it */

#endif
