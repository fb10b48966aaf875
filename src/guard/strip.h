/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside guard: a loop of one block, and numbers that grow by the same step each trip (progress.c), for strip.c.
 */
#ifndef LANEWISE_GUARD_STRIP_H
#define LANEWISE_GUARD_STRIP_H

#include "guard/rewrite.h"

/* A number in trip t of the loop: first + offset + t * step, congruent modulo its width to the register. */
struct progress {
    bool is_known;
    const char *first; /* NULL: 0 */
    int64_t offset;
    const char *step; /* NULL: the same in each trip */
};

/* An instruction in front of the loop: what was computed once is not computed again, so equal numbers have equal names. */
struct computed {
    const char *operation, *a, *b, *result;
};

/* A 64-bit pointer that grows by `step` each trip of the copy. */
struct stepped {
    const char *first, *step, *pointer;
};

/* A number that must lie in [low, high] in the first and in the last trip. */
struct range {
    struct progress number;
    const char *low, *high;
};


enum { DEPTH_MAX = 24 };

struct strip {
    struct guard_body *body;
    uint32_t first, end;      /* instructions of the block; the last one leaves or repeats the loop */
    struct buffer code;       /* in front of the loop */
    const char *fits;         /* predicate: all conditions so far; NULL: none yet */
    const char *last_trip;    /* 64-bit register */
    bool is_short;            /* it is less than 2^32 */
    VEC(struct range) ranges; /* to be tested when last_trip is known */
    VEC(struct computed) computed;
    VEC(struct stepped) stepped;
    guard_edits addresses;    /* of accesses in the copy that go through stepped pointers */
    uint32_t depth;
};

const char *strip_register_name(const struct strip *strip, uint32_t id);
unsigned strip_register_size(const struct strip *strip, uint32_t id);

/* Code in front of the loop: `operation` of two 64-bit registers or numbers; the result's register. */
const char *strip_emit(struct strip *strip, const char *operation, const char *a, const char *b);
/* One more condition, "lt.u64" a b, for all that strip->fits says. */
void strip_require(struct strip *strip, const char *compare, const char *a, const char *b);

/* The operand as it is read by the instruction `at`; a 32-bit start value is read as is_signed says. */
struct progress strip_progress(struct strip *strip, const struct ptx_operand *operand, uint32_t at, bool is_signed);
/* The number in the first and in the last trip; the product that the latter takes is required to fit. */
const char *strip_first(struct strip *strip, struct progress number);
const char *strip_last(struct strip *strip, struct progress number);
/* Sets last_trip from the comparison that lets the loop go on; false: it cannot be known. */
bool strip_find_trips(struct strip *strip, uint32_t predicate, bool goes_on_if_false);
/* defer.c: the accesses that are left with checks can be skipped and noted, and the loop run once more if there is a note. */
bool strip_can_defer(const struct strip *strip, const struct bitset *hoisted, uint32_t branch_guard);
/* What the registers that go from trip to trip hold, saved and restored; false: some cannot be. */
bool strip_save_registers(const struct strip *strip, struct buffer *save, struct buffer *restore);

/* Requires all of strip->ranges. */
void strip_test_ranges(struct strip *strip);

#endif
