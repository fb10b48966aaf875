/* SPDX-License-Identifier: Apache-2.0
 *
 * check: proves or refutes, for every launch that a contract admits, that each access of a kernel is in bounds (LW101, LW102),
 * aligned (LW105) and each integer divisor not zero (LW106).
 *
 * check_kernel asks the prover and leaves a verdict with each site; check_confirm looks for launches that break what was not
 * proved, by running them in the emulator, and turns such sites into violated ones with a witness.
 */
#ifndef LANEWISE_CHECK_H
#define LANEWISE_CHECK_H

#include "base/base.h"
#include "contract/contract.h"
#include "ir/ir.h"
#include "launch/launch.h"
#include "ptx/ptx.h"
#include "report/report.h"
#include "source/source.h"

enum check_verdict { CHECK_UNREACHABLE, CHECK_PROVED, CHECK_NOT_ANALYSED, CHECK_UNPROVED, CHECK_VIOLATED };

/* Sites are grouped by finding kind, user's line and array: unrolled and inlined copies are one, as weak as the weakest. */
struct check_site {
    enum finding_kind kind; /* FINDING_OOB_GLOBAL, FINDING_OOB_SHARED, ..., FINDING_MISALIGNED, FINDING_DIV_BY_ZERO */
    struct place place;
    uint32_t ptx_line;     /* of the first copy */
    const char *array;     /* parameter or variable; NULL: unknown, or a division */
    bool is_write, is_read;
    uint32_t copies;       /* instructions */
    uint8_t verdict;       /* enum check_verdict */
    bool depends_on_data;  /* index or path depend on memory contents that no contract bounds: never violated */
    const char *reason;    /* not proved: what is missing, "`idx` has no LW_VALUES: ..."; NULL */
    const char *proof;     /* with options.explain: how it was proved, several lines; NULL */
    const char *suggestion;/* a contract line that would help: "LW_SHAPE(n) on `x`"; NULL */
    /* Candidate numbers for scalars and geometry found by the solver for an unproved site (hint for check_confirm); by parameter
     * index of the contract; has_candidate false: none. */
    bool has_candidate;
    struct contract_values candidate;
    const char *condition; /* with options.conditions: relations that would prove it, with ", " between them; NULL */
    const struct finding *witness; /* violated: the finding that shows it */
};

/* What was asked of one instruction, with options.instructions. */
struct check_copy {
    uint32_t site;        /* index into the result's sites */
    uint8_t verdict;      /* enum check_verdict */
    uint32_t instruction; /* of the result's ir; LW103: what makes the number */
    uint32_t access;      /* of the result's ir; IR_NONE: a division, a call, an unknown instruction */
    uint32_t value;       /* LW103: the ir value that is read as a number ... */
    uint32_t consumer;    /* ... the access or comparison (an instruction) that it is asked at ... */
    bool reads_signed;    /* ... and how; IR_NONE in value for others */
};

/* One access of a PTX instruction. */
struct check_place {
    uint32_t function, instruction, operand;
};

struct check_options {
    const struct check_place *checked; /* accesses that a run-time check stops when they leave their array: what is behind them may rely on it */
    uint32_t checked_count;
    bool instructions;  /* fill ir and copies of the result */
    bool explain;       /* fill `proof` */
    bool no_candidates; /* do not look for models */
    bool conditions;    /* look for relations that would prove what is open */
    bool bounds_only;   /* LW1xx alone */
    uint32_t effort;    /* 0: default */
    uint32_t pairs;     /* questions about two threads and their accesses; 0: default */
    bool (*asks_test)(void *context, struct place place); /* lines where a test in a loop that always holds is worth telling; NULL: none */
    void *test_context;
    struct suggest_round *round; /* private to check: what check_suggest asks of one proof; NULL */
};

/* A line whose accesses in a loop stand behind tests; `holds`: which are always true. */
struct check_needless {
    struct place place;
    bool holds;
};

struct row_list; /* private to check: how accesses lie in rows, for check_confirm */

struct check_result {
    struct row_list *rows;
    const struct ptx_module *module;
    uint32_t function;
    const struct contract *contract; /* NULL: none */
    VEC(struct check_site) sites;
    const struct ir_function *ir;    /* with options.instructions: what was analysed ... */
    VEC(struct check_copy) copies;   /* ... and each answer, those of pairs of accesses not */
    VEC(struct check_needless) needless; /* with options.asks_test */
    VEC(const char *) assumptions;   /* that the verdict used, sentences */
    const char *not_analysed;        /* the whole kernel: irreducible flow, recursion ...; NULL */
    double seconds;                  /* without compiling */
    uint64_t queries, solver_calls;
    bool contract_contradicts;       /* no launch obeys the contract: proved */
    /* For check_confirm, set by its caller: */
    const struct launch *launch;     /* the launch that the contract was made of; NULL: it was not */
    const char *run_command;         /* "lanewise run FILE OPTIONS", to which a launch is added; NULL: no command to show */
    /* By check_confirm: */
    const char *admitted;            /* a launch that the contract admits, in short; NULL: none was found, which proves nothing */
    VEC(const char *) unsound;       /* faults seen at sites that were proved: errors of Lanewise itself, a sentence each */
};

/* Requires: a function with a body, of a module without errors; a contract that speaks of it, or NULL.
 * Gives: all sites with verdicts proved, unproved, not analysed, unreachable. */
struct check_result *check_kernel(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                  const struct contract *contract, const struct check_options *options,
                                  struct diagnostic_list *diagnostics);

/* A first contract for a kernel. */
struct check_extent {
    uint32_t parameter;     /* of the contract */
    bool is_new;            /* false: the contract had it already */
    const char *extent;     /* elements: "n"; NULL: none was found */
    uint32_t sites, proved; /* accesses through it, with the whole suggestion */
    const char *reason;     /* why one of them is not proved; NULL */
};
struct check_suggestion {
    const struct contract *contract; /* what there was, and what is suggested */
    const char *text;                /* ready to paste: macros and the declaration, several lines */
    VEC(struct check_extent) arrays; /* those that the kernel accesses */
    double seconds;
};
/* `contract` names the parameters; `block` is a block that the kernel is known to be launched with, or NULL. */
struct check_suggestion *check_suggest(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                       const struct contract *contract, const uint64_t block[3],
                                       struct diagnostic_list *diagnostics);

/* Shows one launch that the contract admits in result->admitted, and looks for launches that the contract admits and that break unproved sites which do not depend on data: the candidates of the
 * sites, then small and tail sizes.  Runs them in the emulator; a finding of the same kind and line confirms.  The smallest
 * confirmed launch becomes the witness: a finding in `kernel` with status violated and the command that reproduces it. */
void check_confirm(struct arena *arena, struct check_result *result, struct report_kernel *kernel);

/* LW501, LW502, LW503 by what the contract and the launches in the host code of the file say: adds findings to `kernel`.  Where it takes a
 * launch that the contract merely admits, a warning, and nothing where the host code is not understood. */
void check_geometry(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct contract *contract,
                    const host_launches *launches, struct report_kernel *kernel);

/* A guard of an instruction of the PTX function that always, or never, holds. */
struct check_way {
    uint32_t instruction;
    bool holds;
};
/* A launch cut into blocks that lie in the domain as a whole, and tails. */
struct check_split {
    const char *obstacle;         /* why the launch must stay whole, "it uses ..."; NULL: it can be cut */
    VEC(struct check_way) full;   /* what every thread of a full block knows ... */
    VEC(struct check_way) inside; /* ... and every thread of the domain */
    const char *whole_tail;       /* why a tail has all threads of its block; NULL: those outside of the domain do nothing */
    uint32_t loops;               /* of the kernel */
    bool decides_in_loop;         /* one of `full` stands in a loop */
};
/* split.c.  Requires: a kernel of a module without errors. */
struct check_split *check_split_launch(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                       const struct contract *contract, struct diagnostic_list *diagnostics);

/* Sets verdict and counts of `kernel` from the sites. */
void check_summarise(const struct check_result *result, struct report_kernel *kernel);

#endif
