/* SPDX-License-Identifier: Apache-2.0
 *
 * cost: what a kernel costs in warp instructions: counted from the PTX alone (static), and exactly for one launch by the emulator.
 *
 * cost_kernel analyses a function; with a launch that was run with counting on, everything marked "run" is filled too.  The result is plain
 * data: text.c (annotated source), json.c and the HTML page are views of it.
 *
 * All counts are of PTX instructions, with the profiler's meanings.  What a machine makes of them is in docs/cost.md.
 */
#ifndef LANEWISE_COST_H
#define LANEWISE_COST_H

#include "base/base.h"
#include "contract/contract.h"
#include "emu/emu.h"
#include "ir/ir.h"
#include "ptx/ptx.h"
#include "report/report.h"

#define COST_NONE UINT32_MAX

/* ---- counts ---------------------------------------------------------------------------------------------------- */

/* Of one instruction, one line or all; 0 without a run. */
struct cost_count {
    uint64_t issued;        /* warp instructions */
    uint64_t threads;       /* threads executed: lanes active, over all issues.  threads / issued: average active lanes */
    uint64_t on;            /* of these, not predicated off */
    uint64_t requests;      /* memory instructions that at least one lane took part in */
    uint64_t moving;        /* of these, those of global and local memory, which move sectors */
    uint64_t bytes;         /* that their lanes asked for */
    uint64_t sectors;       /* 32-byte sectors touched, request by request (global and local memory) */
    uint64_t sectors_least; /* that as many bytes, each only once, would fill */
    uint64_t sector_bytes;  /* bytes asked for of these sectors, in each request only once */
    uint64_t passes;        /* shared memory: trips through the banks ... */
    uint64_t conflicts;     /* ... of them those that bank conflicts add */
    uint64_t same_word;     /* ... and of these, waits of atomic operations for each other at one word, which no layout cures */
};
double cost_active_lanes(const struct cost_count *count);    /* threads / issued; 0 when nothing was issued */
double cost_lanes_on(const struct cost_count *count);        /* on / issued */
double cost_bytes_used(const struct cost_count *count);      /* sector_bytes / bytes of the sectors; 1 without any */
double cost_sectors_per_request(const struct cost_count *count); /* sectors / moving */

enum cost_kind {
    COST_INTEGER, COST_FLOAT, COST_DOUBLE, COST_SPECIAL, COST_CONVERT, COST_MOVE, COST_COMPARE, COST_BRANCH, COST_BARRIER, COST_WARP,
    COST_FENCE, COST_MATRIX, COST_PARAMETER, COST_GLOBAL_LOAD, COST_GLOBAL_STORE, COST_SHARED_LOAD, COST_SHARED_STORE, COST_LOCAL_LOAD,
    COST_LOCAL_STORE, COST_CONSTANT_LOAD, COST_ATOMIC, COST_TEXTURE, COST_CALL, COST_OTHER,
    COST_KIND_COUNT
};
const char *cost_kind_name(enum cost_kind kind); /* "integer", "float", ..., "global load" */

/* In how wide a scope a condition, or whether an instruction is reached, is the same for all threads. */
enum cost_class {
    COST_CLASS_LAUNCH,  /* uniform */
    COST_CLASS_BLOCK,
    COST_CLASS_WARP,
    COST_CLASS_TAIL,    /* divergent: a thread's place against a size */
    COST_CLASS_LANE,    /* divergent: the thread's number */
    COST_CLASS_DATA,    /* divergent: memory decides */
    COST_CLASS_UNKNOWN, /* not analysed */
    COST_CLASS_COUNT
};
const char *cost_class_name(enum cost_class class); /* "launch", "block", "warp", "tail guard", "lane pattern", "data", "unknown" */
static inline bool cost_class_is_uniform(enum cost_class class)
{
    return class <= COST_CLASS_WARP;
}

/* ---- the code ---------------------------------------------------------------------------------------------------- */

/* One PTX instruction of the kernel or of a function that it calls; in text order of their functions. */
struct cost_instruction {
    uint32_t function, index; /* in module->functions, and there */
    uint32_t ptx_line;
    struct place place;       /* user's line; line 0: none */
    const char *text;         /* as written, on one line, without leading blanks */
    enum cost_kind kind;
    enum cost_class reach;    /* who gets here: the worst class among the conditions that decide it */
    bool is_guarded;          /* @p */
    enum cost_class guard;    /* its class, when guarded */
    uint32_t depth;           /* loops around it */
    uint32_t line;            /* index into lines; COST_NONE */
    uint32_t branch;          /* index into branches; COST_NONE */
    uint32_t loop;            /* innermost, index into loops; COST_NONE */
    struct cost_count count;  /* run */
};

/* One line of the user's source that has instructions; sorted by file, line. */
struct cost_line {
    struct place place;           /* column 0 */
    const char *text;             /* of the source, without end of line; NULL: file not readable */
    uint32_t instructions;        /* static: how many stand for it (inlined and unrolled copies included) */
    uint32_t first;               /* one of them: index into instructions */
    uint32_t kinds[COST_KIND_COUNT]; /* static, by kind */
    enum cost_class reach;        /* worst of its instructions */
    uint32_t branch;              /* the dearest branch of the line (by extra, times divided, the longer path); COST_NONE */
    uint32_t loop;                /* innermost around it; COST_NONE */
    struct cost_count count;      /* run */
};

/* One way from a conditional branch to where the ways meet again. */
struct cost_path {
    uint32_t least, most;  /* static: instructions on the shortest and the longest way, each loop body once, jumps to the meeting point included */
    uint32_t instructions; /* static: of all blocks on it */
    bool has_loop, has_barrier, has_call, has_access;
    double average;        /* run: warp instructions issued for each time some lane went this way */
};

/* What a pattern counts: neighbours in it are neighbours among elements only where it is the x of an index. */
enum cost_pattern {
    COST_PATTERN_OTHER,  /* another axis, or more than one */
    COST_PATTERN_THREAD, /* threadIdx.x or the lane: the element's own parity where blocks are even along x */
    COST_PATTERN_INDEX   /* with blockIdx.x */
};

struct cost_branch {
    uint32_t instruction;      /* index into instructions */
    struct place place;
    enum cost_class class;
    bool is_loop;              /* goes back or leaves a loop: trips, not sides */
    bool is_exit;              /* one side leaves the kernel and does nothing else: an early return or a guard of the rest */
    uint32_t pattern;          /* the condition repeats every so many threads: 2 for `i % 2`; 0: it does not, or not known */
    uint32_t join;             /* index into instructions: where the ways meet; COST_NONE: at the end of the kernel */
    uint32_t ways;             /* 2, or those of a jump table: then `taken` is the shortest and `not_taken` the longest of them */
    struct cost_path taken, not_taken;
    uint32_t longest, sum;     /* static price of a warp: of one side, of both */
    /* Instructions that the machine adds to bring lanes together, each time this is reached (of a loop: entered), when no warp divides: one before,
     * one where they meet.  0: uniform, an exit, predicated, or those of another branch with the same meeting point serve. */
    uint32_t reconvergence;
    bool is_predicated;        /* by the look of it: one side alone and short, so that ptxas will guard its instructions instead of branching */
    /* run */
    uint64_t executed;         /* warps that reached it, each time */
    uint64_t all_taken, none_taken, divided; /* sum: executed */
    uint64_t paid;             /* warp instructions issued on both sides */
    uint64_t extra;            /* of them those that only divided warps add: divided * the shorter side */
    uint64_t extra_reconvergence; /* those machine instructions, and one more for each part of a warp that arrives alone */
    uint8_t pattern_counts;    /* enum cost_pattern: what the pattern counts */
    uint32_t advice;           /* index into advice; COST_NONE */
};

struct cost_loop {
    uint32_t function, depth, parent; /* parent: index into loops; COST_NONE */
    struct place place;
    uint32_t turn;             /* instruction that goes back to the header; COST_NONE */
    uint32_t first, end;       /* instructions [first, end) as far as they are contiguous: the header's first, one past the latch's last */
    uint32_t body;             /* static: instructions of its blocks, inner loops included */
    enum cost_class trips_class;
    const char *trips;         /* formula in the launch's scalars: "(n + 255) / 256"; NULL: not known */
    const char *reason;        /* why not; NULL */
    bool has_value;            /* the formula's value for this launch (when it speaks of scalars and sizes alone) */
    uint64_t value;
    uint64_t entered, trips_run; /* run: warps that came in, and trips they made together */
};

/* ---- the launch ---------------------------------------------------------------------------------------------------- */

struct cost_warp {
    uint32_t index;          /* in its block */
    uint32_t present;        /* bit l: lane l is a thread */
    uint32_t working;        /* bit l: lane l has work */
    uint64_t issued, threads, on;
    uint64_t divided;        /* branches at which its lanes parted */
};

/* A block that is worth a picture. */
struct cost_block {
    const char *role;        /* "first", "last", "busiest" */
    uint64_t number;
    uint32_t at[3];
    uint32_t threads, threads_working, warp_count, warps_working;
    uint64_t issued;
    struct cost_warp *warps;
};

enum cost_work { /* how "has work" was decided */
    COST_WORK_UNKNOWN,
    COST_WORK_DOMAIN, /* inside LW_DOMAIN, or the domain of the tail guard */
    COST_WORK_TOUCHES /* run: it touched global memory */
};

struct cost_scalar {
    const char *name, *value;
};

struct cost_launch {
    bool known;
    bool was_given;           /* not known all the same: it is empty or refused */
    const char *trouble;      /* why there is none, or why it cannot be: "the grid is empty: n is 0"; NULL */
    uint64_t grid[3], block[3], dynamic_shared;
    uint32_t dimensions;      /* 1 to 3: axes that matter */
    VEC(struct cost_scalar) scalars;
    uint64_t blocks, threads, threads_per_block, warps, warps_per_block;
    /* Lane slots of a block's warps that no thread fills (block size no multiple of 32). */
    uint32_t slots_per_block, idle_slots_per_block, lanes_last_warp;
    enum cost_work work;
    const char *domain_text;  /* "n", "n x m"; NULL */
    uint64_t domain[3];
    uint64_t useful;          /* threads with work */
    uint64_t surplus;         /* threads without */
    uint64_t warps_working, warps_idle;
    bool idle_is_exact;       /* warps_working counts warps one by one, not by formula */
    /* run */
    bool has_run;
    const char *stopped;      /* run did not end: counts are of what ran; NULL */
    uint64_t idle_issued;     /* warp instructions of warps without work */
    uint64_t blocks_run;
    VEC(struct cost_block) blocks_shown;
    double seconds;           /* not in JSON */
};

struct cost_memory { /* sums over the launch */
    struct cost_count global, shared, local;
    double bytes_per_issue;   /* bytes of 32-byte sectors moved per warp instruction */
    double device_ratio;      /* above it the memory system is the limit: an H200's */
    bool is_memory_bound;
};

/* What ptxas makes of the PTX, as far as it changes how many lanes are on: short one-sided branches predicated, reconvergence added. */
struct cost_machine {
    uint64_t issued, on;      /* run; instructions are still PTX ones */
    uint32_t predicated;      /* branches */
    uint64_t reconvergence;   /* instructions */
};
double cost_machine_lanes_on(const struct cost_machine *machine);

struct cost_occupancy {
    bool known;               /* registers are, from ptxas -v */
    const char *reason;       /* why not; NULL */
    const char *target;       /* "sm_90" */
    uint32_t registers, spill_stores, spill_loads;
    uint64_t static_shared;
    bool has_warps;           /* the rest is known: needs a block size */
    uint32_t blocks_per_sm, warps_per_sm, warps_limit; /* warps_limit: 64 */
    const char *limiter;      /* "registers", "shared memory", "threads", "blocks" */
};

/* ---- advice ---------------------------------------------------------------------------------------------------------- */

enum cost_rule {
    COST_RULE_BLOCK_MULTIPLE, /* block size to a multiple of 32 */
    COST_RULE_SPLIT_LAUNCH,   /* full blocks without the guard, the rest apart */
    COST_RULE_PREDICATE,      /* a body so short that the branch costs more */
    COST_RULE_EARLY_RETURN,   /* guard of the whole body: leave first */
    COST_RULE_LEAVE_SHORT,    /* data-dependent, shorter side of at most 4: leave alone */
    COST_RULE_TWO_LAUNCHES,   /* two launches with uniform conditions */
    COST_RULE_PARTITION,      /* sort or partition first */
    COST_RULE_REMAP,          /* even/odd: each lane takes 2i and 2i + 1 */
    COST_RULE_COALESCE,       /* more sectors than the bytes need */
    COST_RULE_BANKS,          /* pad shared rows */
    COST_RULE_COUNT
};
const char *cost_rule_name(enum cost_rule rule); /* "block-multiple", "split-launch", ... */
const char *cost_rule_text(enum cost_rule rule); /* the rule itself, one sentence */

struct cost_advice {
    enum cost_rule rule;
    struct place place;       /* line 0: the launch */
    uint32_t branch;          /* COST_NONE */
    const char *message;      /* what to do: "use 96 or 128 threads a block instead of 100" */
    const char *why;          /* figures that lead there; NULL */
    bool has_price;
    uint64_t before, after;   /* warp instructions of the launch (sectors with COALESCE, passes with BANKS) */
    const char *unit;         /* "warp instructions", "sectors", "lane slots", "passes" */
    bool does_not_pay;        /* the rule says: leave it */
    const char *not_binding;  /* why the saving will not show in time; NULL: it will */
};

/* ---- the answer ------------------------------------------------------------------------------------------------------- */

enum cost_verdict { COST_GOOD, COST_LOOK, COST_BAD, COST_OPEN };
const char *cost_verdict_name(enum cost_verdict verdict); /* "good", "look", "bad", "open" */

/* The four questions, in order: block size, conditions, barriers, memory. */
enum { COST_QUESTIONS = 4 };
struct cost_question {
    const char *title;        /* "block size" */
    enum cost_verdict verdict;
    const char *answer;       /* one or two sentences */
};

struct cost_builder; /* private */

struct cost_result {
    struct arena *arena;
    struct cost_builder *builder; /* private */
    const struct ptx_module *module;
    uint32_t function;
    const char *name, *shown; /* entry name; for people */
    struct place place;       /* of the kernel */
    const char *compiler;     /* "clang -O2", "nvcc", NULL for a .ptx file */
    const char *not_analysed; /* why classes are unknown; NULL */
    struct cost_question questions[COST_QUESTIONS];
    struct cost_launch launch;
    struct cost_count total;  /* run */
    uint32_t least, most;     /* static: instructions of a warp on the shortest and the longest way, each loop body once */
    bool has_loop;
    VEC(struct cost_instruction) instructions;
    VEC(struct cost_line) lines;
    VEC(struct cost_branch) branches;
    VEC(struct cost_loop) loops;
    struct cost_memory memory;
    struct cost_machine machine;
    struct cost_occupancy occupancy;
    VEC(struct cost_advice) advice; /* dearest first */
    VEC(struct finding) findings;   /* LW601, and what the launch and its run made */
    /* The text of a source file, for lines without instructions; NULL: not there.  The function may be NULL. */
    const char *(*read_source)(void *context, const char *path);
    void *source_context;
};

/* ---- making one ---------------------------------------------------------------------------------------------------------- */

struct cost_input {
    const struct ptx_module *module;
    uint32_t function;
    struct place place;
    const char *compiler;
    const struct contract *contract; /* NULL: none */
    /* Reads a source file; NULL: not there.  May be NULL. */
    const char *(*read_source)(void *context, const char *path);
    void *context;
};

/* What can be said without a launch.  Requires: a function with a body, of a module without errors.  Gives: all but what is marked run, and
 * a launch that is not known.  Takes: milliseconds; large kernels are classified by form, without proofs. */
struct cost_result *cost_kernel(struct arena *arena, const struct cost_input *input);

/* The accounting of a launch, without running it.  `values`: scalars by parameter of the contract, or NULL. */
void cost_set_launch(struct cost_result *result, const struct report_launch *launch, const struct contract *contract,
                     const struct contract_values *values);
/* What a run of that launch is to count ... */
struct emu_counting *cost_counting(struct cost_result *result);
/* ... and what it counted: fills all that is marked run.  Findings of the run that are errors are taken along. */
void cost_set_run(struct cost_result *result, const struct emu_counting *counting, const struct report_kernel *kernel);
/* Registers and shared memory from ptxas, if it is there; PTX as text. */
void cost_find_occupancy(struct cost_result *result, const char *ptx, size_t size);
/* Questions, advice, LW601: last. */
void cost_conclude(struct cost_result *result);

/* ---- showing it ------------------------------------------------------------------------------------------------------------ */

struct cost_style {
    bool colour;
    bool all;      /* every PTX instruction under its line */
    uint32_t width; /* of the terminal; 0: 120 */
};
void cost_print_text(const struct cost_result *result, const struct cost_style *style, struct buffer *out);
/* One element of kernels[]. */
void cost_print_json(const struct cost_result *result, struct json_writer *json);

/* One page in one file, of one or several kernels; UTF-8.  `version`: of the tool; NULL: left out.  Inputs may hold anything; the size is bounded (html.h). */
void cost_write_html(const struct cost_result *const *results, uint32_t count, const char *version, struct buffer *out);

#endif
