/* SPDX-License-Identifier: Apache-2.0
 *
 * emu_core: the emulator's data structures.
 *
 *   machine ── regions (global memory)              emu_memory.c
 *   program ── functions: decoded operations        emu_decode.c
 *   launch ─┬─ workers, one a thread                emu_launch.c
 *           └─ blocks ── warps ── groups, frames    emu_warp.c, emu_control.c
 *
 * Addresses.  Every address is generic and 64 bits wide; its top byte says where it points:
 *   0x00  global and constant memory.  An allocation has one or more ids (address >> 40); its base lies in the middle of its first
 *         id's range, so that addresses before and behind it still name it.
 *   0x7e  shared memory of the block; bits 20.. choose the variable, whose base again lies in the middle.
 *   0x7d  local memory of the thread; bits 20.. choose the variable of some frame.
 *   0x7c  the kernel's parameters.
 * Shared- and local-space instructions use the low 32 bits of these.
 *
 * Groups.  A warp's threads that have the same program counter and frame form a group.  Among the groups that can run, the one
 * deepest in calls and, there, in the block with the smallest order (ir.h) runs first: groups meet again at the latest at the
 * immediate post-dominator (thread frontiers: Diamos et al., "SIMD re-convergence at thread frontiers", MICRO 2011).  A group that has run
 * long while another waits gives way, so spin loops end.
 */
#ifndef LANEWISE_EMU_CORE_H
#define LANEWISE_EMU_CORE_H

#include "emu/emu.h"
#include "emu/lanes.h"
#include "ir/ir.h"

#include <pthread.h>

enum {
    EMU_ID_SHIFT = 40,
    EMU_CHUNK_SHIFT = 12, /* lazily filled and counted in pieces of 4 KiB */
    EMU_SEGMENT_SHIFT = 20,
    EMU_BARRIERS = 16,
    EMU_MAX_WARPS = 32,
    EMU_MAX_DEPTH = 4096
};
#define EMU_ID_MIDDLE ((uint64_t)1 << 39)
#define EMU_WINDOW_SHARED ((uint64_t)0x7e << 56)
#define EMU_WINDOW_LOCAL ((uint64_t)0x7d << 56)
#define EMU_WINDOW_PARAM ((uint64_t)0x7c << 56)
#define EMU_WINDOW_FUNCTION ((uint64_t)0x7b << 56) /* + function index + 1 */
#define EMU_REF_LIST (UINT32_MAX - 1) /* a source that is a vector: see emu_op.list */
#define EMU_SEGMENT_MIDDLE ((uint64_t)1 << (EMU_SEGMENT_SHIFT - 1))

/* ---- memory ---------------------------------------------------------------------------------- */

enum emu_region_kind { EMU_REGION_GLOBAL, EMU_REGION_CONST, EMU_REGION_SHARED, EMU_REGION_LOCAL, EMU_REGION_PARAM };

/* A piece of addressable memory with exact bounds: an allocation, a module variable, a shared or a local variable. */
struct emu_region {
    uint64_t base, size;     /* generic address; bytes */
    char *data;              /* host memory of byte 0 (of lane 0) */
    uint8_t *shadow;         /* one byte a byte: 1 = defined; NULL: all defined */
    uint8_t *chunks;         /* one a 4 KiB: EMU_CHUNK_* bits; NULL: always there */
    uint64_t lane_stride;    /* local memory: bytes from one lane's copy to the next; else 0 */
    uint64_t map_size;       /* of data, when mapped */
    struct emu_cell *cells;  /* race shadow, one an aligned 4 bytes (emu_race.c); NULL until the first access */
    uint64_t cells_size;
    const char *name;
    uint32_t element_size;
    uint32_t id;             /* first id (global) or segment number */
    uint32_t number;         /* running number, for stable order in reports */
    uint8_t kind;            /* enum emu_region_kind */
    uint8_t is_output, read_only, freed, on_heap; /* on_heap: device malloc */
    uint8_t is_disjoint;     /* stores of the same value are an error, too */
    uint8_t quiet;           /* no instruction of the running kernel can write it: no races */
    emu_fill *fill;
    void *context;
};

enum { /* bits of emu_region.chunks */
    EMU_CHUNK_READY = 1,   /* touched and filled */
    EMU_CHUNK_CHANGED = 2, /* written by the host or an earlier launch */
    EMU_CHUNK_WRITTEN = 4  /* written by this launch: in the journal */
};

/* What the running launch has written first time: see emu_journal.c. */
struct emu_journal_entry {
    struct emu_region *region;
    uint64_t chunk;
    char *saved; /* data, then definedness; NULL: it had its initial contents */
};

struct emu_journal {
    struct emu_journal_entry *entries;
    size_t count, capacity;
};

/* Lanes where an operation on 32-bit registers, computed exactly, is not what its 32-bit result reads as (`kind`: enum emu_wrap_kind).
 * `reads_signed` bit n: source n is read as signed; bit 3: the result is. */
typedef uint32_t emu_wrap_lanes(unsigned kind, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned reads_signed);

struct emu_machine {
    struct emu_options options;
    struct arena arena;
    pthread_mutex_t lock;       /* guards regions and filling */
    struct emu_region **ids;    /* by address >> 40; NULL: none */
    uint32_t id_count, id_capacity;
    VEC(struct emu_region *) regions;
    uint64_t used;              /* bytes touched; atomic */
    uint64_t limit;
    emu_lanes_selector *select;
    struct emu_journal journal;
    emu_wrap_lanes *wrap_lanes;
    const struct emu_memory_kit *kit;
};

/* The region a global address belongs to (also one just before or behind it), or NULL. */
static inline struct emu_region *emu_region_global(const struct emu_machine *machine, uint64_t address)
{
    uint64_t id = address >> EMU_ID_SHIFT;
    return id < machine->id_count ? machine->ids[id] : NULL;
}
struct emu_region *emu_region_create(struct emu_machine *machine, const struct emu_buffer *buffer,
                                     enum emu_region_kind kind);
/* Makes bytes [offset, offset + size) present; false when over the memory limit. */
bool emu_region_touch(struct emu_machine *machine, struct emu_region *region, uint64_t offset, uint64_t size);
static inline bool emu_region_ready(struct emu_machine *machine, struct emu_region *region, uint64_t first,
                                    uint64_t last)
{
    if (region->chunks == NULL)
        return true;
    uint64_t from = first >> EMU_CHUNK_SHIFT, to = last >> EMU_CHUNK_SHIFT;
    if (from == to && region->chunks[from] != 0)
        return true;
    return emu_region_touch(machine, region, first, last - first + 1);
}
/* The same for a store: also puts the pieces into the journal. */
bool emu_region_prepare_write(struct emu_machine *machine, struct emu_region *region, uint64_t offset, uint64_t size);
static inline bool emu_region_writable(struct emu_machine *machine, struct emu_region *region, uint64_t first,
                                       uint64_t last)
{
    if (region->chunks == NULL)
        return true;
    uint64_t from = first >> EMU_CHUNK_SHIFT, to = last >> EMU_CHUNK_SHIFT;
    if (from == to && (region->chunks[from] & EMU_CHUNK_WRITTEN) != 0)
        return true;
    return emu_region_prepare_write(machine, region, first, last - first + 1);
}
void emu_journal_commit(struct emu_machine *machine);
void emu_journal_undo(struct emu_machine *machine);
/* The race shadow, made at first use; NULL when there is no memory for it. */
struct emu_cell *emu_region_cells(struct emu_machine *machine, struct emu_region *region);
void emu_cells_release(struct emu_machine *machine);
/* Memory straight from the system, zeroed, lazily backed; NULL on failure. */
void *emu_map(uint64_t size);
void emu_unmap(void *memory, uint64_t size);

/* ---- decoded programs ------------------------------------------------------------------------ */

enum emu_kind { /* emu_op.kind */
    EMU_KIND_LANES, /* a pure lane operation */
    EMU_KIND_CORE,  /* executed by the core */
    EMU_KIND_LABEL, /* start of a block with several predecessors; not an instruction */
    EMU_KIND_GATE,  /* lanes of a .sync operation meet; not an instruction */
    EMU_KIND_HELPER, /* computes an operand of the next; not an instruction */
    EMU_KIND_CHECK  /* looks at the operands of the next; not an instruction */
};

/* A variable declared in a function body, in .local or .shared space, or a .param variable of a call. */
struct emu_local {
    uint32_t variable; /* module->variables */
    uint32_t offset;   /* in the frame's local memory (of one lane), or in its parameter memory */
    uint32_t segment;  /* filled per frame: see emu_frame */
};

/* One value that moves between a caller and its callee. */
struct emu_transfer {
    bool from_register, to_register;
    uint32_t from, to; /* slot, or offset in parameter memory */
    uint32_t size;     /* bytes; storage size when a register is involved */
};

struct emu_call {
    uint32_t function;  /* PTX_NONE: indirect or native */
    emu_fn *native;
    const struct emu_math_function *math;
    const char *name;
    const struct ptx_operand *arguments, *results; /* LIST operands or NULL */
};

/* A shadow operation: beside its operands, where their exact values are (index into emu_frame.exact, EMU_REF_NONE: read the register). */
struct emu_wrap_op {
    uint8_t kind;
    uint8_t small;   /* chains: bit n: source n is a small negative immediate, signed in both readings; uses: 1 = read unsigned */
    uint32_t dst, source[3];
};

struct emu_function {
    const struct ptx_function *source;
    uint32_t index;
    struct ir_cfg *cfg;
    bool decoded;
    struct emu_op *code;
    uint32_t code_count;
    uint32_t *pc_of;          /* instruction index -> operation index */
    uint32_t *order_of;       /* operation index -> order of its block */
    uint32_t *slots;          /* register -> offset of its slot, or EMU_REF_NONE */
    uint32_t file_size;       /* bytes of a register file */
    uint32_t carry_slot;      /* EMU_REF_NONE if .cc is not used */
    uint32_t param_size;      /* bytes a lane: formal parameters, returns and call variables */
    uint32_t *param_offset;   /* by module variable; shared by all functions: see emu_program */
    VEC(struct emu_local) locals;
    uint32_t local_size;      /* bytes a lane */
    VEC(uint32_t) zeroed;     /* registers that may be read before they are written */
    VEC(uint32_t) callees;    /* functions it calls */
    VEC(uint32_t) shared;     /* program->shared it names */
    VEC(struct emu_call) calls;
    uint8_t *wrap;            /* by register: EMU_WRAP_* of emu_wrap.h */
    uint32_t *exact_of_slot;  /* slot / EMU_SLOT -> number of its exact values */
    uint32_t exact_count;
    VEC(struct emu_wrap_op) wrap_ops;
    struct bitset *swap_loads; /* by instruction: first loads of compare-and-swap loops; NULL: none (emu_cas.c) */
    bool indirect_calls;
    bool order_dependent;     /* results may depend on the order of blocks: used atomics, spinning loads */
};

struct emu_shared { /* a shared variable of the program */
    uint32_t variable;
    uint32_t offset;   /* in the block's shared memory */
    uint32_t segment;  /* its address: window | (segment << 20) + middle */
    uint64_t size;     /* 0 for the dynamic one until the launch */
    bool dynamic;
};

struct emu_site { /* a memory instruction, by the number in its records */
    uint32_t function, instruction;
};

struct emu_program {
    struct emu_machine *machine;
    const struct ptx_module *module;
    struct arena arena;
    struct emu_function *functions;   /* as in module->functions */
    struct emu_region **variables;    /* module variables: GLOBAL, CONST; NULL others */
    uint32_t *param_offset;           /* PARAM variables: offset in their function's parameter memory / the kernel's block */
    const char **shown;               /* variables: names for people */
    uint32_t *shared_index;           /* SHARED variables: index into shared, TEXT_MAP_NONE others */
    VEC(struct emu_shared) shared;
    VEC(char) pool;                   /* constants */
    char *pool_aligned;               /* copy for execution, 64-byte aligned */
    struct text_map constants;
    struct diagnostic_list *diagnostics;
    VEC(struct emu_site) sites;       /* memory instructions; [0] unknown */
};

/* Address of a shared variable in the shared space (low 32 bits of its generic address). */
static inline uint32_t emu_shared_address(const struct emu_shared *shared)
{
    return (uint32_t)(((uint64_t)shared->segment << EMU_SEGMENT_SHIFT) + EMU_SEGMENT_MIDDLE);
}
/* Decodes a function and all it calls, once. */
bool emu_decode_function(struct emu_program *program, uint32_t function);

/* ---- running --------------------------------------------------------------------------------- */

struct emu_frame {
    struct emu_frame *caller;     /* NULL for the kernel's */
    struct emu_frame *next_free;
    const struct emu_function *function;
    uint32_t return_pc;           /* in the caller */
    const struct emu_op *call;    /* in the caller */
    uint32_t depth;
    uint32_t users;               /* lanes that are in it (exited ones leave it) */
    uint32_t stack_used;          /* bytes a thread, callers included */
    uint32_t first_segment;       /* local variable i has segment first_segment + i */
    bool has_poison, has_taint;
    struct emu_exact *exact;      /* by number: emu_wrap.h */
    struct emu_taint *taints;     /* by slot / EMU_SLOT, or NULL */
    char *registers;              /* file_size bytes */
    uint32_t *poison;             /* lane masks, by slot / EMU_SLOT */
    const struct emu_op **origin; /* by slot: the load that brought the poison in */
    const struct emu_region **origin_region;
    uint8_t (*poison_bytes)[EMU_LANES]; /* by slot: which bytes are undefined */
    char *params;                 /* lane-major: 32 x param_size */
    uint8_t *params_defined;      /* poison of parameters: same layout, 1 = undefined */
    char *locals;                 /* lane-major: 32 x local_size */
    uint8_t *local_shadow;
    struct emu_region *regions;   /* one a local variable */
    size_t allocated;
};

enum emu_group_state { EMU_GROUP_RUN, EMU_GROUP_BARRIER, EMU_GROUP_SYNC };

struct emu_group {
    uint32_t pc, mask;
    struct emu_frame *frame;
    uint8_t state;
    bool forced;            /* SYNC: goes on without the missing lanes (they have been reported) */
    uint8_t barrier;        /* BARRIER: id */
    uint32_t arrived_mask;  /* BARRIER: lanes that arrived (guard applied) */
    uint32_t required;      /* SYNC: lanes waited for */
    uint32_t red_result;    /* BARRIER: result of bar.red: count, or 0/1 */
    bool resumed;           /* BARRIER: complete; the operation finishes when the group runs again */
    bool again;             /* comes to an operation that was counted for it */
    uint64_t last_run;      /* warp steps when it last ran */
};

struct emu_pending { /* a strong read of a lane that no fence has followed yet */
    uint32_t sync, length, lane;
};

struct emu_warp {
    struct emu_lane_view view;   /* must be first */
    struct emu_block *block;
    struct emu_frame *frame;     /* of the running group */
    struct emu_group *group;     /* the running group */
    uint32_t index;              /* in the block */
    uint32_t threads;            /* lanes that ever existed */
    uint32_t pc;                 /* set before each core operation: its own index; after EMU_JUMP the next */
    uint32_t group_count, runnable;
    uint64_t steps;
    uint64_t slice_end;          /* steps at which the running group gives way */
    struct emu_group groups[EMU_LANES];
    struct emu_region **segments; /* local variables of live frames, by segment */
    uint32_t segment_count, segment_capacity;
    uint32_t exit_instruction;   /* where lanes last left */
    /* Order of accesses: see emu_race.h. */
    uint32_t clock, sync_clock;
    bool partial_sync;                       /* some lanes have met without the others: lane_known holds */
    uint32_t (*lane_known)[EMU_LANES];       /* [lane][other]: clock of the other known */
    uint32_t fence_clock[EMU_LANES];         /* at the lane's last fence; 0: none */
    uint8_t fence_scope[EMU_LANES];          /* enum ptx_scope */
    VEC(struct emu_pending) pending;         /* strong reads without a fence after them */
    struct emu_copies *copies;   /* cp.async under way (emu_copy.c); NULL: never used */
    struct emu_warp_count count; /* when counting */
};

struct emu_barrier {
    uint32_t arrived;       /* threads */
    uint32_t expected;      /* threads; 0: nobody has come */
    uint32_t popc, all, any;
    uint32_t generation;
    uint32_t credited;      /* warps whose missing lanes were counted */
    const struct emu_op *first_op; /* where the first arrival stands */
    const struct emu_function *first_function;
    bool mixed;             /* arrivals at different barriers */
};

enum emu_block_state { EMU_BLOCK_RUNNING, EMU_BLOCK_DONE, EMU_BLOCK_ABORTED };

struct emu_block {
    struct emu_worker *worker;
    uint64_t number;             /* linear */
    uint32_t at[3];
    uint32_t warp_count, thread_count;
    struct emu_warp *warps;
    struct emu_region *shared;   /* one a program->shared, in order */
    char *shared_data;
    uint8_t *shared_shadow;
    uint32_t shared_size, shared_allocated;
    struct emu_barrier barriers[EMU_BARRIERS];
    uint64_t steps;
    uint32_t turns;              /* budgets used up */
    uint32_t live_threads;
    uint8_t state;
    uint32_t barrier_clock[EMU_MAX_WARPS];   /* clocks at the last barrier of the whole block */
    uint32_t (*known)[EMU_MAX_WARPS];        /* [warp][other]: clock known through barriers of a part of the block, or NULL */
    uint32_t barrier_warps[EMU_BARRIERS];    /* who waits there */
    uint32_t handed_over;                    /* barriers at which somebody has arrived without waiting ... */
    uint32_t (*handed)[EMU_MAX_WARPS];       /* ... [barrier][warp]: clock that those who wait will know, or NULL */
    struct buffer print;
    struct emu_block *next;
};

/* One finding in the making: the first thread that met it and how often. */
struct emu_fault {
    enum finding_kind kind;
    enum severity severity;
    uint32_t function, instruction;       /* where */
    uint32_t function2, instruction2;     /* the other access or PTX_NONE */
    const struct emu_region *region;      /* or NULL; not for shared and local: see array */
    const char *array;
    uint32_t array_number;
    uint64_t count;
    uint64_t block;
    uint32_t thread;                      /* linear in the block */
    uint64_t block2;
    uint32_t thread2;
    bool has_second;
    bool has_index;
    int64_t offset;                       /* bytes from the array's start */
    uint64_t extent;                      /* bytes */
    uint32_t element_size;
    uint32_t access_size;
    uint32_t use;                         /* LW403: the instruction that uses the value, else PTX_NONE */
    uint64_t address;
    bool is_write, is_atomic;
    const char *first_access, *second_access; /* races: "reads", "writes", "updates atomically" */
    const char *text;                     /* message made where it happened, or NULL */
    VEC(struct finding_note) notes;
    const char *help;
};

struct emu_print {
    uint64_t block;
    const char *text;
    size_t size;
};

struct emu_worker {
    struct emu_run *run;
    struct arena arena;          /* lives as long as the launch */
    jmp_buf out_of_memory;
    struct emu_block *free_blocks;
    struct emu_frame *free_frames;
    VEC(struct emu_fault) faults;
    struct text_map fault_index;
    VEC(struct emu_block *) resident;
    uint64_t warp_instructions, thread_instructions, blocks_run;
    enum emu_status status;
    const char *stopped;
    struct place stopped_at;
    uint64_t stopped_block;
    VEC(struct emu_print) prints;
    bool probing;                /* emu_endless.c: stores count what they change */
    uint64_t changes;
    pthread_t thread;
    struct emu_tally *tally;     /* emu_count.c; NULL: nobody counts */
};

/* A launch under way. */
struct emu_run {
    struct emu_machine *machine;
    struct emu_program *program;
    const struct emu_launch *launch;
    const struct emu_function *function;
    uint64_t block_total;        /* blocks to run */
    uint64_t next_block;         /* atomic: index of the next to start */
    uint32_t threads;            /* a block */
    uint32_t warps;
    bool ordered;                /* blocks run in order on one thread: their results may depend on it */
    int stop;                    /* atomic: some worker has ended the launch */
    int restart;                 /* atomic: blocks are in conflict: run again in order */
    bool races;                  /* looked for */
    struct emu_order *order;     /* releases and acquires; ordered launches only */
    uint32_t (*tids)[3][EMU_LANES]; /* %tid by warp of the block, axis, lane */
    uint32_t resident_limit;
    uint32_t shared_size;        /* bytes a block, over all variables used */
    uint32_t *shared_offsets;    /* by program->shared; UINT32_MAX: not used by this kernel */
    struct emu_region parameters;
    struct emu_worker *workers;
    uint32_t worker_count;
    uint32_t active;             /* atomic: workers that still run blocks */
};

/* ---- between the files ------------------------------------------------------------------------- */

/* emu_warp.c */
void emu_block_start(struct emu_block *block, uint64_t number);
/* Runs a block for about `budget` warp instructions; sets its state. */
void emu_block_run(struct emu_block *block, uint64_t budget);
struct emu_frame *emu_frame_push(struct emu_warp *warp, const struct emu_function *function,
                                 struct emu_frame *caller);
void emu_frame_leave(struct emu_warp *warp, struct emu_frame *frame, uint32_t lanes);
/* One operation of group `number`, for emu_endless.c; false when that group is gone. */
bool emu_warp_step(struct emu_warp *warp, uint32_t number);
/* Makes a second group of `mask` lanes, taken from `group`, at pc. */
struct emu_group *emu_group_split(struct emu_warp *warp, struct emu_group *group, uint32_t mask, uint32_t pc);
/* Splits all lanes but the highest off, each a group of its own at pc (adversarial schedule). */
void emu_group_scatter(struct emu_warp *warp, struct emu_group *group, uint32_t pc);
void emu_group_remove(struct emu_warp *warp, struct emu_group *group);
/* Ends the launch: another status than EMU_OK. */
enum emu_next emu_stop(struct emu_warp *warp, enum emu_status status, const struct emu_op *op, const char *format, ...)
    LW_PRINTF(4, 5);

/* emu_fault.c */
struct emu_fault *emu_fault_add(struct emu_warp *warp, enum finding_kind kind, const struct emu_function *function,
                                const struct emu_op *op, uint32_t lane, const char *array,
                                uint32_t array_number);
struct emu_fault *emu_fault_add_pair(struct emu_warp *warp, enum finding_kind kind, const struct emu_function *function,
                                     uint32_t instruction, const struct emu_function *function2, uint32_t instruction2,
                                     uint32_t lane, const char *array, uint32_t array_number);
void emu_fault_collect(struct emu_run *run, struct arena *arena, struct emu_result *result);
uint32_t emu_thread_number(const struct emu_warp *warp, uint32_t lane);
/* The user's line of an instruction; its PTX line when there is none; the kernel's header past the last one. */
struct place emu_fault_place(const struct ptx_module *module, const struct emu_function *function, uint32_t instruction);

/* emu_access.c */
emu_fn *emu_access_select(const struct ptx_instruction *instruction, const struct emu_op *op);
/* Host memory of [address, address + size) for one lane, made present; NULL after recording a fault.  `shadow`, if not NULL, gets
 * its definedness bytes (or NULL when all is defined). */
char *emu_access_lane(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, uint64_t address,
                      uint32_t size, bool is_write, uint8_t **shadow, struct emu_region **region);

/* emu_atomic.c, emu_control.c, emu_special.c, emu_native.c: the operations the core executes; NULL if not theirs */
emu_fn *emu_atomic_select(const struct ptx_instruction *instruction, const struct emu_op *op);
emu_fn *emu_fragment_select(const struct ptx_instruction *instruction, const struct emu_op *op); /* emu_fragment.c */
/* emu_copy.c: cp.async; a warp begins without copies under way. */
emu_fn *emu_copy_select(const struct ptx_instruction *instruction, const struct emu_op *op);
void emu_copy_start(struct emu_warp *warp);
emu_fn *emu_control_select(const struct ptx_instruction *instruction, const struct emu_op *op);
emu_fn *emu_special_select(const struct ptx_instruction *instruction, const struct emu_op *op);
emu_fn *emu_native_find(const char *name);
enum emu_next emu_run_label(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
enum emu_next emu_run_gate(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
enum emu_next emu_run_divisor(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
enum emu_next emu_run_unsupported(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);

/* emu_poison.c: called before an operation of a frame that holds undefined values. */
void emu_poison_step(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
void emu_poison_guard(struct emu_warp *warp, const struct emu_op *op, uint32_t lanes);

/* emu_count.c */
struct emu_tally {
    struct emu_count **functions; /* by module function; NULL: never entered */
    struct emu_counting sums;
    struct emu_warp_count *wanted; /* warps of counting->blocks that this worker ran */
    bool *has_wanted;              /* by block of counting->blocks */
    struct emu_warp_count *busiest;
    uint64_t busiest_block, busiest_issued;
};
void emu_count_begin(struct emu_run *run, struct arena *arena);
/* The counters of a function's instructions. */
struct emu_count *emu_count_of(struct emu_worker *worker, const struct emu_function *function);
void emu_count_block_start(struct emu_block *block);
void emu_count_block_end(struct emu_block *block);
void emu_count_collect(struct emu_run *run, struct arena *arena);
/* An access; `is_new` false: another part of one that was counted. */
void emu_count_access(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const uint64_t *addresses, uint32_t size, bool is_new);
/* `others` of the running group come to this operation again, alone: one instruction that takes several turns here.  Splits them off. */
void emu_count_again(struct emu_warp *warp, const struct emu_op *op, uint32_t others);

/* emu_control.c, emu_barrier.c */
enum emu_next emu_run_return(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
/* No warp of the block can go on: says who waits at which barrier and who is missing, and ends the block. */
void emu_barrier_stuck(struct emu_block *block);
/* The block has used its steps. */
void emu_step_limit(struct emu_block *block);

/* emu_endless.c: LW205 if the worker's blocks can never go on. */
bool emu_endless_probe(struct emu_worker *worker);

/* emu_cas.c: fills function->swap_loads. */
void emu_cas_find_loads(struct emu_function *function, struct arena *arena);

/* emu_quiet.c: marks the regions that the launch cannot write. */
void emu_quiet_mark(struct emu_run *run, struct arena *arena);
static inline bool emu_storage_is_wide(uint8_t type)
{
    return ptx_type_size((enum ptx_type)type) >= 8;
}

/* emu_atomic.c */
bool emu_atomic_is_order_dependent(const struct emu_function *function, const struct ptx_instruction *instruction);

#endif
