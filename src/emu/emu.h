/* SPDX-License-Identifier: Apache-2.0
 *
 * emu: executes PTX kernels warp by warp on the CPU, with every check on.  This header is what other modules see; emu_core.h
 * shows the data structures inside.
 *
 * A machine holds memory (allocations, module variables) and options.  A program is a PTX module decoded for execution.  A launch
 * runs a kernel of a program and collects findings.  A machine is used by one thread at a time; the launch itself uses `jobs` threads.
 */
#ifndef LANEWISE_EMU_H
#define LANEWISE_EMU_H

#include "base/base.h"
#include "ptx/ptx.h"
#include "report/report.h"

struct emu_machine;
struct emu_program;

enum emu_status {
    EMU_OK,           /* ran to the end (there may be findings) */
    EMU_BAD_LAUNCH,   /* see findings and diagnostics: nothing ran */
    EMU_UNSUPPORTED,  /* reached an instruction or function that the emulator does not know */
    EMU_STEP_LIMIT,   /* ran out of steps */
    EMU_MEMORY_LIMIT, /* ran out of memory */
    EMU_STOPPED       /* a finding ended the launch (trap, assert, LW201 in every block ...) */
};

/* Told of each load and store of a warp before it is done: `mask` has a bit for each lane that takes part, lane 0 is the thread with linear
 * number `first_thread` of the block, addresses are by lane. */
struct emu_watched {
    const struct ptx_instruction *instruction;
    const uint32_t *block; /* x, y, z */
    uint32_t first_thread, mask;
    const uint64_t *addresses;
};
typedef void emu_watch(void *context, const struct emu_watched *access);

struct emu_options {
    uint32_t jobs;         /* worker threads; 0: one a core */
    uint64_t max_steps;    /* warp instructions a block may issue; 0: default 2^28 */
    uint64_t max_memory;   /* bytes of touched memory, shadows included; 0: three quarters of the machine's */
    uint32_t stack_bytes;  /* local memory and call depth of a thread; 0: 512 KiB */
    bool adversarial;      /* lanes run apart between synchronisation points */
    bool no_races, no_init; /* switch checks off (both on by default) */
    enum { EMU_ISA_BEST, EMU_ISA_PLAIN, EMU_ISA_AVX2, EMU_ISA_AVX512 } isa;
    FILE *print;           /* where device printf goes; NULL: nowhere */
    emu_watch *watch;      /* NULL: nobody; with jobs 1 it is called from the caller's thread only */
    void *watch_context;
};

/* NULL when out of memory. */
struct emu_machine *emu_machine_create(const struct emu_options *options);
void emu_machine_free(struct emu_machine *machine);
struct emu_options *emu_machine_options(struct emu_machine *machine);

/* ---- memory ---------------------------------------------------------------------------------- */

/* How an allocation's contents begin.  `fill` writes bytes [offset, offset + size) of the initial contents; it may be called
 * from several threads, at most once for each part, when the part is first touched: a huge buffer costs nothing. */
typedef void emu_fill(void *context, uint64_t offset, void *data, uint64_t size);

struct emu_buffer {
    const char *name;      /* for reports: the parameter's name */
    uint64_t size;         /* bytes, exact; 0 is allowed (an address with no bytes) */
    uint32_t element_size; /* for reports; 1 if unknown */
    bool is_output;        /* the host looks at it afterwards */
    bool initialised;      /* true: all bytes defined (zero unless fill); false: undefined until written */
    bool read_only;
    bool is_disjoint;      /* no two threads may write one element, not even the same value */
    emu_fill *fill;        /* NULL: zeros */
    void *context;
    uint32_t misalign;     /* base address is this many bytes past a 256-byte boundary */
};

/* The device address, or 0 when it cannot be had. */
uint64_t emu_memory_allocate(struct emu_machine *machine, const struct emu_buffer *buffer);
bool emu_memory_free(struct emu_machine *machine, uint64_t address);
/* Copy from and to the host; false when any byte is outside the allocation. emu_memory_write marks bytes as defined. */
bool emu_memory_read(struct emu_machine *machine, uint64_t address, void *data, uint64_t size);
bool emu_memory_write(struct emu_machine *machine, uint64_t address, const void *data, uint64_t size);
/* defined[i] = 1 if byte i was ever written or initialised. */
bool emu_memory_defined(struct emu_machine *machine, uint64_t address, uint8_t *defined, uint64_t size);
/* The next part [*offset, *offset + *size) at or after *offset that was touched; false when there is none.
 * Everything else still has its initial contents. */
bool emu_memory_next_touched(struct emu_machine *machine, uint64_t address, uint64_t *offset, uint64_t *size);
uint64_t emu_memory_used(const struct emu_machine *machine); /* bytes touched, shadows included */

/* ---- programs -------------------------------------------------------------------------------- */

/* Prepares a module without errors for this machine: module variables are allocated and initialised.  The module and
 * its arena must outlive the program.  NULL with diagnostics when something cannot be prepared. */
struct emu_program *emu_program_create(struct emu_machine *machine, const struct ptx_module *module,
                                       struct diagnostic_list *diagnostics);
void emu_program_free(struct emu_program *program);
/* Address of a module variable (.global, .const), 0 if there is none; `size` may be NULL. */
uint64_t emu_program_symbol(struct emu_program *program, const char *name, uint64_t *size);
/* Static instructions of the module's reachable functions that the emulator executes, and all of them; names of those it does
 * not know go to `unknown` (may be NULL) as "base.form" texts, once each. */
void emu_program_coverage(const struct ptx_module *module, uint64_t *executable, uint64_t *all,
                          struct buffer *unknown);

/* ---- launches -------------------------------------------------------------------------------- */

/* What one instruction was seen to do.  The names mean what profilers mean by them. */
struct emu_count {
    uint64_t issued;        /* warp instructions */
    uint64_t threads;       /* lanes active, over all issues */
    uint64_t on;            /* of these, not predicated off */
    uint64_t split, off;    /* issues where the guard held in some lanes and not in others; in none.  An indexed branch: split where lanes
                               went different ways */
    uint64_t requests;      /* accesses of at least one lane */
    uint64_t bytes;         /* that the lanes asked for */
    uint64_t sectors;       /* 32-byte sectors, of global and local memory */
    uint64_t sectors_least; /* that as many different bytes would fill */
    uint64_t sector_bytes;  /* different bytes asked for in these sectors, request by request */
    uint64_t passes;        /* shared memory: 32 banks of 4 bytes, a pass each time some bank has another word to give */
    uint64_t conflicts;     /* of these, passes beyond what the width of the access needs */
    uint64_t same_word;     /* of the conflicts, those of atomic operations that wait for each other at one word */
};

struct emu_warp_count {
    uint64_t block;
    uint32_t warp;
    uint32_t present;       /* lanes that are threads */
    uint32_t working;       /* lanes inside the domain; without one: that touched global memory */
    uint64_t issued, threads, on;
    uint64_t divided;       /* branches at which the lanes parted */
};

/* Counting: asked for by a launch.  The same for every number of jobs. */
struct emu_counting {
    bool has_domain;
    uint64_t domain[3];      /* threads with work are those whose global number is below it on each axis */
    const uint64_t *blocks;  /* linear numbers of blocks whose warps are wanted one by one */
    uint32_t block_count;
    /* Filled: */
    const struct emu_count **functions; /* by module function, then by instruction; NULL: never entered */
    struct emu_warp_count *warps;       /* warps_per_block for each of `blocks`, then for the block that issued most */
    uint32_t warps_per_block;
    bool has_busiest;
    uint64_t warps_working, warps_idle, threads_working;
    uint64_t idle_issued;    /* by warps in which no lane had work */
};

struct emu_launch {
    uint32_t function;         /* index into module->functions; must be an entry */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;   /* bytes */
    const uint8_t *parameters; /* parameter block, laid out by emu_parameter_offset */
    uint32_t parameters_size;
    const uint64_t *focus;     /* linear block numbers to run, or NULL for all */
    uint32_t focus_count;
    const char *const *parameter_names; /* source names of the parameters, or NULL */
    struct emu_counting *counting; /* NULL: do not count */
};

/* Offset of parameter i in the parameter block (natural alignment of the declaration), and the block's size. */
uint32_t emu_parameter_offset(const struct ptx_module *module, uint32_t function, uint32_t parameter,
                              uint32_t *total);

struct emu_result {
    enum emu_status status;
    const char *stopped;         /* one line for people when status is not EMU_OK */
    struct place stopped_at;
    VEC(struct finding) findings; /* sorted; same for every number of jobs */
    uint64_t blocks_run;
    uint64_t warp_instructions, thread_instructions;
    double seconds;              /* wall time of execution alone */
};

/* Runs the launch.  Findings and result texts live in `arena`. */
void emu_launch_run(struct emu_machine *machine, struct emu_program *program, const struct emu_launch *launch,
                    struct arena *arena, struct emu_result *result);

#endif
