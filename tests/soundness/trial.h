/* SPDX-License-Identifier: Apache-2.0
 *
 * trial: one kernel asked and run.  The prover's verdicts stand on one side, the faults of many small launches in the emulator on
 * the other; a fault at a proved site is unsound, and so is a fault where there is no site at all.
 */
#ifndef SOUNDNESS_TRIAL_H
#define SOUNDNESS_TRIAL_H

#include "check/check.h"
#include "plan.h"

struct trial_options {
    uint32_t launches;   /* a kernel */
    bool explain;        /* ask for proofs */
    bool without_prover; /* only run: to look at the generator */
    bool believe_all;    /* take every site for proved: then the test must fail */
    bool with_nvcc;      /* CUDA C: by nvcc instead of clang */
    const char *scratch; /* folder for sources */
};

enum trial_status {
    TRIAL_FINE,
    TRIAL_UNSOUND,
    TRIAL_BROKEN /* the kernel or its contract could not be read */
};

/* A site in question, for the table of idioms. */
struct trial_site {
    char idiom[48];
    char kind[16];
    uint32_t line;
    uint8_t verdict;     /* enum check_verdict */
    const bool *faulted; /* in a launch */
    const char *reason;  /* the prover's; NULL */
};

struct trial {
    enum trial_status status;
    bool right, faulted;            /* by construction; in a launch */
    uint32_t launches, steps_ended; /* run; of them ended by the step limit */
    uint32_t sites[5];              /* by verdict */
    const char *first_fault;        /* NULL: none */
    uint32_t first_fault_line;
    const char *ptx; /* what was proved and run */
    double prove_seconds, run_seconds;
    uint64_t queries, solver_calls;
    VEC(struct trial_site) site_list;
    const char *report; /* for people: what is unsound, or broken; NULL */
};

void trial_run(struct arena *arena, const struct plan *plan, const struct trial_options *options,
               struct trial *trial);
const char *verdict_text(uint8_t verdict);

#endif
