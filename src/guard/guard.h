/* SPDX-License-Identifier: Apache-2.0
 *
 * guard: checked PTX.  From a module and what `check` found out about its kernels come the same PTX with a run-time check before each
 * access, division and index that was not proved, and the table of what those checks are.
 *
 * A rewrite is a list of edits on the original text (struct guard_edit), so a kernel whose every site is proved comes out with identical
 * instructions.  Signatures stay as they are.
 *
 * Layers: edit.c (texts), body.c (one function), array.c and extent.c (how long arrays are, in registers), plan.c and implied.c (which sites get which
 * check), access.c, index.c, wrap.c (the checks), fault.c (what a failing check does), strip.c with progress.c and defer.c (checks before loops),
 * split.c (full blocks and tails), module.c (a whole file), report.c, launcher.c.
 */
#ifndef LANEWISE_GUARD_H
#define LANEWISE_GUARD_H

#include "base/base.h"
#include "check/check.h"
#include "contract/contract.h"
#include "guard/twin.h"
#include "launch/launch.h"
#include "ptx/ptx.h"
#include "report/report.h"

#define GUARD_NONE UINT32_MAX

/* ---- what comes out ------------------------------------------------------------------------------------------------ */

/* A run-time check: what a fault record's `site` means.  Ids are indices into the module's table, the same in every build of the same
 * text with the same options. */
struct guard_site {
    uint32_t kernel;      /* index into guard_module.kernels */
    uint32_t number;      /* 101, 102, 103, 105, 106: printed as LW101; 1: a condition of the contract (--entry-check) */
    struct place place;   /* the user's line; else the PTX line */
    const char *array;    /* array or parameter, or NULL: unknown, or a division */
    const char *what;     /* number 1: the condition, "n <= len(a)"; else NULL */
    uint32_t element_size; /* bytes; index and extent of a record are in elements of this size */
    uint32_t access_size; /* bytes of one access; 0: none */
    bool is_write;
    bool is_violated;     /* the prover has a launch that breaks it */
    uint32_t copies;      /* places in the PTX that this check stands at */
};

/* How a site of a kernel ended. */
enum guard_outcome {
    GUARD_PROVED,        /* nothing to do */
    GUARD_UNREACHABLE,
    GUARD_CHECKED,       /* a run-time check stands there */
    GUARD_NOT_CHECKABLE, /* no extent, pointer from memory, bytes of a whole warp */
    GUARD_UNCHECKED,     /* left out on request: unchecked indexing */
    GUARD_REPORTED,      /* not proved, and no run-time check exists: LW104, LW2xx, LW3xx */
    GUARD_OUTCOME_COUNT
};
const char *guard_outcome_name(enum guard_outcome outcome); /* "checked" */

/* A site of `check` (one line, one array, one kind) and what became of it. */
struct guard_verdict {
    enum finding_kind kind;
    enum guard_outcome outcome;
    enum check_verdict proof; /* CHECK_PROVED, CHECK_UNPROVED ... */
    struct place place;
    const char *array;
    bool is_write;
    uint32_t copies;       /* instructions */
    uint32_t checks;       /* of them with a check */
    const char *reason;    /* not proved: what is missing; not checkable, unchecked: why; NULL */
    const char *suggestion, *condition; /* of check_site */
};

/* The kernel cut into full blocks and tails, with guard_input.split. */
struct guard_split {
    bool is_asked;
    const char *obstacle;         /* why it stays whole; NULL */
    const char *bulk, *tail;      /* entry names; NULL: it stays whole */
    const char *whole_tail;       /* why a tail has all threads of its block; NULL: as many as are left */
    uint32_t block[3];            /* of every launch; [0] 0: the contract leaves it open */
    uint32_t whole;               /* instructions of the checked kernel on the way of a thread that breaks no check ... */
    uint32_t removed, added;      /* ... what the bulk leaves out of them, and what it needs to know its place */
    uint32_t grown;               /* instructions of both parts, the whole code */
    uint32_t loops;               /* of the kernel */
    bool decides_in_loop;         /* something that was left out stood in one */
};

struct guard_kernel {
    uint32_t function;     /* in the module that was given */
    const char *name;      /* entry name, as the driver knows it */
    const char *shown;     /* for people: "scale<float>" */
    struct place place;    /* of the declaration */
    const struct contract *contract; /* NULL: nothing is known of its parameters */
    bool has_contract;     /* the user said something about it */
    uint32_t *alignments;  /* by parameter of the contract: what its array's start must be a multiple of, at least 1; NULL without a contract */
    const char *unchecked_reason; /* why its accesses have no index checks; NULL: they have */
    VEC(struct guard_verdict) verdicts;
    uint32_t counts[GUARD_OUTCOME_COUNT]; /* of verdicts */
    uint32_t implied;             /* accesses without a check of their own that checks before them prove */
    uint32_t instructions;        /* in the PTX that was given, with the functions it calls */
    uint32_t instructions_added;  /* on the way of a thread that breaks no check, each place once */
    uint32_t instructions_cold;   /* in blocks that only a failing check reaches */
    uint32_t loops;               /* with a copy whose accesses are checked once, before it ... */
    uint32_t instructions_copied; /* ... and the instructions of these copies ... */
    uint32_t loops_deferred;      /* of these loops, those whose other checks skip a load and run the loop again */
    uint32_t accesses_hoisted, accesses_stepped; /* ... the accesses checked before them, and those through stepped pointers */
    uint32_t required_block[3];   /* .reqntid that was added; 0: none was */
    bool is_unchanged;            /* identical instructions */
    struct guard_split split;
};

struct guard_module {
    const char *name;             /* "scale": without folder and extension */
    const char *source;           /* path of the file it was made from */
    const char *ptx;              /* the checked PTX, zero-terminated */
    size_t ptx_size;
    const struct ptx_module *original;
    VEC(struct guard_kernel) kernels;
    VEC(struct guard_site) sites;
    bool has_fault_variable;      /* some check stands in it: LAUNCH_FAULT_VARIABLE exists */
};

/* ---- building ---------------------------------------------------------------------------------------------------------- */

struct guard_options {
    bool check_all;     /* every access, proved or not */
    bool optimise;      /* stepped 64-bit pointers in the place of 32-bit indices in loops */
    bool entry_check;   /* the contract itself is checked in the entry block */
    bool unchecked;     /* leave out LW101 and LW102 of plain accesses everywhere ... */
    const char *unchecked_reason; /* ... because */
};

/* What was proved about one kernel, with options.instructions of check_options. */
struct guard_input {
    const struct check_result *result;
    const char *shown;
    struct place place;
    bool has_contract;
    const struct check_split *split; /* how its launches may be cut; NULL: not asked */
};

/* Requires: a module without errors, one input for each kernel that is to be in the report (other functions stay as they are).
 * Gives: the checked module.  NULL with diagnostics when the module cannot be rewritten. */
struct guard_module *guard_build(struct arena *arena, const struct ptx_module *module, const char *name, const char *source,
                                 const struct guard_input *inputs, uint32_t input_count, const struct guard_options *options,
                                 struct diagnostic_list *diagnostics);

/* report.c: for people, and as JSON ("schema": "lanewise-build/1"). */
void guard_print_text(const struct guard_module *module, bool verbose, struct buffer *out);
void guard_print_json(const struct guard_module *module, const char *version, struct buffer *out);

/* launcher.c: the launchers of all kernels as C, FOLDER/NAME_kernels.c and FOLDER/NAME_kernels.h, with the PTX and the table of sites inside.  False with
 * diagnostics when they cannot be written. */
bool guard_write_launcher(struct arena *arena, const struct guard_module *module, const char *folder,
                          struct diagnostic_list *diagnostics);

#endif
