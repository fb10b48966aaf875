/* SPDX-License-Identifier: Apache-2.0
 *
 * tally: what all trials together say; it can be written to a file and read again, so that a long run can go on later. */
#ifndef SOUNDNESS_TALLY_H
#define SOUNDNESS_TALLY_H

#include "plan.h"

enum { TALLY_IDIOMS = 600, TALLY_EXAMPLES = 5, TALLY_SLOW = 5 };

/* How an idiom fares in kernels that never faulted. */
struct tally_idiom {
    char name[48];
    uint64_t sites, unproved;
    uint64_t examples[TALLY_EXAMPLES]; /* seeds */
    uint32_t lines[TALLY_EXAMPLES];
};

#define TALLY_NUMBERS(X)                                                                           \
    X(next_seed)                                                                                   \
    X(kernels)                                                                                     \
    X(right_kernels)                                                                               \
    X(cuda_kernels)                                                                                \
    X(faulted)                                                                                     \
    X(faulted_right)                                                                               \
    X(launches)                                                                                    \
    X(step_limit) X(sites) X(sites_proved) X(still_sites) X(still_proved) X(right_sites)           \
        X(right_proved) X(unsound) X(failures) X(queries) X(solver_calls) X(prove_microseconds)    \
            X(run_microseconds)

struct tally {
#define NUMBER(name) uint64_t name;
    TALLY_NUMBERS(NUMBER)
#undef NUMBER
    uint64_t features[FEATURE_COUNT]; /* kernels written as PTX that have it */
    struct tally_idiom idioms[TALLY_IDIOMS];
    uint32_t idiom_count;
    struct {
        uint64_t seed, microseconds;
    } slow[TALLY_SLOW]; /* the slowest first; not in the file */
};

void tally_idiom_add(struct tally *tally, const char *name, bool proved, uint64_t seed,
                     uint32_t line);
void tally_slow_add(struct tally *tally, uint64_t seed, uint64_t microseconds);
bool tally_save(const struct tally *tally, const char *path);
/* False when there is no such file: then the tally is empty. */
bool tally_load(struct tally *tally, const char *path);
/* Prints everything.  True when all is as it must be: nothing unsound, nothing failed, every feature often enough and, with
 * wanted_percent not 0, so many of the sites in never-faulting kernels proved. */
bool tally_print(const struct tally *tally, double wanted_percent, bool with_idioms);

#endif
