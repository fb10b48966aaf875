/* SPDX-License-Identifier: Apache-2.0
 *
 * tail: launches that a contract admits and that end in the middle of something, run and judged.
 *
 *   plan.c      which launches: both sides of every transition of every size
 *   contents.c  what arrays hold: plain, adversarial, at both ends of their values
 *   run.c       one launch: the emulator's findings, then missing.c (LW402), identity.c (LW401), reference.c (LW405)
 *   test.c      all launches on several threads, joined, made smaller, with the command that shows each again
 *
 * Part of the run-time library.  The same options give the same answer, whatever the number of threads.
 */
#ifndef LANEWISE_TAIL_H
#define LANEWISE_TAIL_H

#include "witness/witness.h"

/* What arrays hold. */
enum tail_contents {
    TAIL_PLAIN,    /* small numbers of both signs; indices anywhere in their range */
    TAIL_NEGATIVE, /* reals and signed integers below zero: what a maximum with a wrong fill shows */
    TAIL_POSITIVE, /* above zero */
    TAIL_SPECIAL,  /* NaN and infinities among numbers */
    TAIL_TINY,     /* denormals */
    TAIL_EXTREME,  /* the largest and the smallest numbers */
    TAIL_LOW,      /* LW_VALUES: all at the low end */
    TAIL_HIGH,     /* LW_VALUES: all at the high end */
    TAIL_CONTENTS_COUNT
};
const char *tail_contents_name(enum tail_contents contents);

/* What the host says the kernel must leave: called with the host's copies of the arguments, in the order of the kernel's parameters (a
 * pointer parameter: the address of a pointer to its array).  False when it could not be called: `trouble` says why. */
struct tail_call {
    uint32_t count;
    void **arguments;
    /* Arrays among them, which the reference may write. */
    struct tail_array {
        uint32_t position;
        void *data;
        uint64_t size;
    } *arrays;
    uint32_t array_count;
    const char *trouble;
};
typedef bool tail_reference(void *context, struct arena *arena, struct tail_call *call);

/* One launch on a device that is no emulator: image->bytes before and after it.  `fault`: what it stopped with; `trouble`: why nothing is
 * known of it. */
struct tail_device_call {
    struct launch_image *image;
    const char *fault;
    const char *check, *array; /* of a fault that a run-time check saw: "LW101"; NULL */
    struct place place;
    const char *trouble;
};
typedef bool tail_device(void *context, struct arena *arena, struct tail_device_call *call);

/* Golden data: what an array holds before the launch and must hold after it, as .npy files; NULL: not given. */
struct tail_data {
    const char *array; /* of the contract */
    const char *before, *after;
};

struct tail_options {
    uint64_t seed;
    uint32_t launches;      /* at most so many of a kernel; 0: 240 */
    uint32_t jobs;          /* threads; 0: one a core */
    uint32_t shard, shards; /* only launches with number % shards == shard; shards 0: all */
    const uint64_t *sizes;  /* the user's own, for every size; NULL: ours */
    uint32_t size_count;
    const struct launch *given; /* scalars that are fixed, NAME=VALUE; NULL */
    const struct tail_data *data; /* golden: then only launches with it are made */
    uint32_t data_count;
    double tolerance;             /* relative, for golden reals */
    int isa;                /* emu_options.isa */
    uint64_t max_steps, max_memory;
    struct place kernel_place;
    const char *command;      /* "lanewise test FILE OPTIONS" */
    const char *run_command;  /* "lanewise run FILE OPTIONS" */
    tail_reference *reference; /* NULL: none */
    void *reference_context;
    const char *reference_name;
    tail_device *device;      /* NULL: the emulator alone */
    void *device_context;
    const char *device_name;  /* "cuda" */
    uint64_t device_bytes;    /* of memory for the arrays of one launch */
    bool device_alone;        /* launches run there and not in the emulator; else in both, and results are compared */
    /* Told of each launch that could not run there, from any thread. */
    void (*left_out)(void *context, const char *why);
    /* Launches of an earlier run that were clean; called with a number; NULL: none. */
    bool (*was_clean)(void *context, uint32_t number);
    /* Told of each launch that was run, one call at a time. */
    void (*tell)(void *context, uint32_t number, uint32_t done, uint32_t total, bool is_clean);
    void *context;
};

/* How a parameter is used: by name of the contract's parameter. */
struct tail_use {
    bool is_read, is_written;
    bool has_silent_write; /* by atomics or copies, which nobody is told of */
};

struct tail_case {
    contract_integer *point; /* by axis of the space */
    uint8_t contents;        /* enum tail_contents */
    bool is_adversarial;     /* the schedule */
    bool is_empty;           /* one block without work: the launcher would start none */
    bool is_idle;            /* nothing runs at all */
    bool looks_at_fills;     /* LW401 is looked for */
    bool is_cut;             /* it may take very long: it is ended early, and that is no news */
};

struct tail_plan {
    struct arena *arena;
    const struct tail_options *options;
    struct witness_space space;
    struct tail_use *uses;     /* by parameter of the contract */
    VEC(struct tail_case) cases;
    VEC(const char *) missed;  /* --sizes: transitions that they leave out, sentences */
    uint32_t left_out;         /* launches over the limit */
};

/* NULL: the contract admits no launch that can be written down. */
struct tail_plan *tail_plan_make(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                 const struct contract *contract, const struct tail_options *options);
/* Runs the plan; findings, each with its smallest launch, and counts go to `kernel`. */
void tail_plan_run(struct tail_plan *plan, struct report_kernel *kernel);

/* ---- one launch ---------------------------------------------------------------------------------- */

struct tail_subject {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    const struct contract *contract; /* NULL: nothing is known but the launch */
    const struct tail_use *uses;
    const struct tail_options *options;
    const struct launch *other; /* the same numbers at another block size; NULL */
};

/* Runs a launch and judges it; findings go to `kernel`.  `values` NULL: taken from the launch's scalars.  False with diagnostics when
 * it is no launch of the kernel. */
bool tail_judge(const struct tail_subject *subject, const struct launch *launch, const struct contract_values *values,
                const struct tail_case *what, struct report_kernel *kernel, struct diagnostic_list *diagnostics);
/* How the kernel uses its arrays. */
struct tail_use *tail_find_uses(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                const struct contract *contract);

/* LW401 of a launch that has been run: constants that a reduction takes up and that change its result.  Runs the launch again. */
void tail_find_wrong_identities(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct launch *launch,
                                const struct contract *contract, struct launch_run *run, struct report_kernel *kernel);

#endif
