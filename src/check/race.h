/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: races.  race.c collects the accesses to arrays that are written and joins the answers, pair.c asks whether two of them
 * can touch one place.
 */
#ifndef LANEWISE_CHECK_RACE_H
#define LANEWISE_CHECK_RACE_H

#include "check/interval.h"

struct race_access {
    uint32_t access, instruction;
    uint32_t array;           /* accesses with the same one may touch the same place; SYM_NONE: unknown */
    const char *name;
    sym_poly offset;          /* in bytes from the start of the array */
    uint32_t size;
    bool is_shared, is_write, is_atomic, is_strong;
    bool is_cached;           /* by the cache for constants, which no barrier brings up to date */
    uint8_t exact;            /* 0: not asked, 1: the offset is the polynomial, 2: cannot be shown */
    sym_facts way;            /* where the address is a choice: what leads to this place */
    sym_facts facts;
    bool has_facts;
    uint32_t facts_class;     /* the same where the facts are the same */
    struct prove_answer far;  /* threads of different warps, or any two where that was enough: LW301, LW302 */
    struct prove_answer near; /* threads of one warp, where they were asked about apart: LW204 */
    bool asks_near;
    const struct sync_group *group; /* who makes it; NULL: not known, or no barrier is for a part of the block */
};

/* Which threads a question is about. */
enum race_threads {
    RACE_ANY_OF_LAUNCH, /* two different ones */
    RACE_OTHER_BLOCK,
    RACE_ANY_OF_BLOCK,
    RACE_OTHER_WARP,    /* of one block */
    RACE_SAME_WARP,
};

struct ticket; /* ticket.h */

struct race {
    struct sync *sync;
    struct prove *prove;
    struct sym_uniform *launch;                /* what is uniform in the launch; NULL: not needed so far */
    struct sym_pair *pairs[SYM_SCOPE_COUNT];
    VEC(struct race_access) accesses;
    uint32_t *first_access;                    /* by instruction: its first in `accesses`, IR_NONE; those of one stand together */
    struct text_map known;                     /* answers: 1 if apart; unrolled copies ask the same */
    uint32_t questions;                        /* asked so far */
    uint32_t budget;                           /* of questions */
    struct bitset left, apart;                 /* by pair, first * accesses + second: left when it was spent; never in one place */
    VEC(const struct sync_group *) groups;     /* for which barriers are */
    VEC(struct sym_pair *) group_pairs;        /* of two members each */
    uint32_t group;                            /* whose members are asked about; IR_NONE: any threads */
    struct ticket *ticket;                     /* orders blocks; NULL: nothing does */
    bool sought_ticket;
    uint64_t z3_before;                        /* calls of Z3 before the first question */
    bool is_hopeless;                          /* the present question hangs on data: not worth Z3 */
};

enum { RACE_QUESTIONS = 1000, RACE_Z3_CALLS = 80, RACE_ACCESSES = 8192 };

/* LW204, LW301, LW302 of all accesses: adds their sites. */
void prove_races(struct sync *sync);
/* async.c: the copy is waited for before anything orders threads. */
bool race_async_is_waited(const struct sync *sync, uint32_t instruction);
/* race_group.c: finds the groups for which barriers are: before the accesses are collected. */
void race_find_groups(struct race *race);
/* The access, taken apart into those of members and of others of each group that makes a part of it; added to race->accesses. */
void race_add_by_groups(struct race *race, const struct race_access *access);
/* A group that both accesses are made in, by number in race->groups; IR_NONE: there is none. */
uint32_t race_common_group(const struct race *race, uint32_t first, uint32_t second);
/* Whoever makes one of the two has arrived since, and whoever makes the other has waited for that. */
bool race_is_handed_over(const struct race *race, uint32_t first, uint32_t second);
/* Facts where the access stands. */
void race_gather(struct race *race, struct race_access *access);
/* The same in all threads of the launch. */
bool race_is_launch_wide(struct race *race, sym_poly poly);
/* No two threads of a block make these two accesses, one each. */
bool race_is_one_thread(struct race *race, uint32_t first, uint32_t second);
/* Two threads never touch one place with these two accesses; relations by loop, NULL: unrelated in all that they are in. */
bool race_is_apart(struct race *race, uint32_t first, uint32_t second, enum race_threads threads, const uint8_t *relations);

#endif
