/* SPDX-License-Identifier: Apache-2.0
 *
 * ir: what the emulator, the prover, the cost model and the guard know about a function.
 *
 * Part A is the control-flow graph over the instructions of one PTX function, in their original
 * order: blocks, dominators, post-dominators, loops, a scheduling order and the liveness of
 * registers.  It changes nothing and fits any PTX.
 *
 * Part B is the function for analysis: device functions inlined, registers as SSA values, stack
 * slots and parameters as values, each memory access with its space and the objects that it may
 * touch.  Nothing is executed or printed back from it.
 *
 * Everything lives in the arena given and refers to the ptx_module, which must outlive it.  Ids
 * are 32-bit indices into arrays; IR_NONE is "none".  docs/ir.md explains the choices.
 */
#ifndef LANEWISE_IR_H
#define LANEWISE_IR_H

#include "base/base.h"
#include "ptx/ptx.h"

#define IR_NONE UINT32_MAX

/* ==== Part A: control flow ==================================================================== */

/* How a block's last instruction leaves the function, if it does (when its guard holds, if it has
 * one). */
enum ir_leave {
    IR_LEAVE_NO,
    IR_LEAVE_RETURN,   /* ret, or the end of the body */
    IR_LEAVE_EXIT,     /* exit: the thread ends */
    IR_LEAVE_TRAP,     /* trap: the launch ends */
    IR_LEAVE_NO_RETURN /* call of a function that never returns */
};

struct ir_block {
    uint32_t first, end;          /* instructions [first, end); may be empty */
    const uint32_t *successors;   /* target of the branch first, then the next block; none twice */
    const uint32_t *predecessors; /* reachable ones only */
    uint32_t successor_count, predecessor_count;
    uint32_t fallthrough; /* the successor that control falls into, or IR_NONE */
    uint32_t idom;        /* immediate dominator; IR_NONE: entry or unreachable */
    uint32_t ipdom;       /* immediate post-dominator; cfg->exit where only leaving is common */
    /* Numbers in a walk of the (post-)dominator tree: a dominates b if b's interval lies in a's. */
    uint32_t dominator_first, dominator_last, postdominator_first, postdominator_last;
    uint32_t loop;  /* innermost loop, or IR_NONE */
    uint32_t order; /* scheduling order: see ir_cfg */
    uint8_t leave;  /* enum ir_leave */
    bool leave_is_guarded;
    bool reachable;
    bool has_opaque; /* holds an instruction that the opcode table does not know */
};

struct ir_loop {
    uint32_t header;         /* where the loop is entered (an irreducible one: the first met) */
    uint32_t parent;         /* enclosing loop, or IR_NONE */
    uint32_t depth;          /* 1 for an outermost loop */
    const uint32_t *latches; /* blocks with an edge back to the header */
    uint32_t latch_count;
    uint32_t order_first, order_end; /* its blocks, inner loops included, by `order` */
    bool irreducible;                /* can be entered past its header */
};

/* The graph.  Block 0 is the entry, has no predecessors and holds no instruction when instruction
 * 0 is a branch target.  Blocks stand in text order.  `exit` is a virtual block (its number is
 * block_count, it has an entry in `blocks` but no successors) that follows every way out of the
 * function; endless loops are joined to it so that post-dominators exist everywhere.
 *
 * order: every edge except those back to a loop's header goes from a smaller to a larger number;
 * the blocks of a loop are contiguous, its header first, and come before what is reached only by
 * leaving it. Running the lanes with the smallest order first therefore brings them together at
 * the latest at the immediate post-dominator.  A block's dominators have smaller numbers.
 * Unreachable blocks come last. */
struct ir_cfg {
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_function *source;
    uint32_t function;    /* index in the module */
    uint32_t block_count; /* without the virtual exit */
    uint32_t exit;        /* == block_count */
    uint32_t reachable_count;
    struct ir_block *blocks;        /* block_count + 1 */
    uint32_t *block_of_instruction; /* instruction count + 1: the last is for a label at the end */
    uint32_t *reverse_postorder;    /* reachable blocks, reachable_count */
    uint32_t *by_order;             /* block_count blocks by `order` */
    struct ir_loop *loops;          /* outer loops stand before the loops inside them */
    uint32_t loop_count;
    bool has_irreducible;
    bool has_indirect_branch; /* brx.idx: successors are its list */
};

/* Requires: a function of a module without errors.  Gives: everything above; a function without a
 * body is one empty block that returns.  Time: near linear (irreducible loops nested n deep cost
 * up to n times the edges).  Gives up on: nothing. */
struct ir_cfg *ir_cfg_build(struct arena *arena, const struct ptx_module *module,
                            uint32_t function);

static inline bool ir_cfg_dominates(const struct ir_cfg *cfg, uint32_t a, uint32_t b)
{
    return cfg->blocks[a].dominator_first <= cfg->blocks[b].dominator_first &&
           cfg->blocks[b].dominator_last <= cfg->blocks[a].dominator_last;
}
static inline bool ir_cfg_postdominates(const struct ir_cfg *cfg, uint32_t a, uint32_t b)
{
    return cfg->blocks[a].postdominator_first <= cfg->blocks[b].postdominator_first &&
           cfg->blocks[b].postdominator_last <= cfg->blocks[a].postdominator_last;
}
/* The loop's blocks, inner loops included, are cfg->by_order[order_first .. order_end). */
static inline bool ir_loop_contains(const struct ir_cfg *cfg, uint32_t loop, uint32_t block)
{
    return loop == IR_NONE || (cfg->blocks[block].order >= cfg->loops[loop].order_first &&
                               cfg->blocks[block].order < cfg->loops[loop].order_end);
}
/* Text of the graph, one block a line, then the loops. */
void ir_cfg_print(const struct ir_cfg *cfg, struct buffer *out);

/* The function that a call names, aliases followed; PTX_NONE: an indirect call or not a call. */
uint32_t ir_call_target(const struct ptx_module *module, const struct ptx_instruction *instruction);
/* True if the function never comes back: .noreturn or __assertfail. */
bool ir_function_is_no_return(const struct ptx_module *module, uint32_t function);

/* Only a register that is read in some block before that block has certainly written it can be
 * live between blocks; those are numbered densely and the sets are over these numbers: small even
 * where a function has 100,000 registers.  A guarded definition is also a use, since lanes without
 * the guard keep the old value. */
struct ir_liveness {
    uint32_t register_count;
    uint32_t count;        /* registers that can be live between blocks */
    uint32_t *index_of;    /* register -> number in the sets, IR_NONE: lives inside single blocks */
    uint32_t *register_of; /* number -> register */
    struct bitset *live_in, *live_out; /* by block; unreachable blocks have their own reads only */
};

/* Requires: cfg.  Gives: exact may-liveness over the graph's edges.  Time: blocks x count / 64
 * words a round, few rounds. */
struct ir_liveness *ir_liveness_build(struct arena *arena, const struct ir_cfg *cfg);

static inline bool ir_live_in(const struct ir_liveness *live, uint32_t block, uint32_t reg)
{
    uint32_t index = live->index_of[reg];
    return index != IR_NONE && bitset_has(&live->live_in[block], index);
}
static inline bool ir_live_out(const struct ir_liveness *live, uint32_t block, uint32_t reg)
{
    uint32_t index = live->index_of[reg];
    return index != IR_NONE && bitset_has(&live->live_out[block], index);
}

/* ==== Part B: values ========================================================================== */

/* Operations of our own; all others are enum ptx_op, with their modifiers in `source`. */
enum ir_op {
    IR_OP_PHI = PTX_OP_COUNT, /* operand i comes from predecessor i of the block */
    IR_OP_SELECT,             /* predicate, value where it holds, value where not */
    IR_OP_NOT,                /* predicate inverted */
    IR_OP_EXTEND,  /* widened to the result's bits: by sign if is_signed, else by zeros */
    IR_OP_EXTRACT, /* the result's bits of the operand, from byte `immediate` on */
    IR_OP_CONCAT,  /* operands side by side, the first lowest */
    IR_OP_HAVOC,   /* a value of which nothing is known, made from the operands */
    IR_OP_COUNT
};

enum ir_value_kind {
    IR_VALUE_RESULT,    /* index: instruction */
    IR_VALUE_CONSTANT,  /* number: its bits, zero-extended */
    IR_VALUE_PARAMETER, /* index: variable; number: first byte.  The same at each mention */
    IR_VALUE_SPECIAL, /* index: enum ptx_special, number: component (1 x, ...); fixed in a thread */
    IR_VALUE_ADDRESS, /* index: object; number: byte offset.  In the object's own space */
    IR_VALUE_FUNCTION,  /* index: function */
    IR_VALUE_UNDEFINED, /* a register or slot never written: arbitrary, anew at each mention */
    IR_VALUE_KIND_COUNT
};

struct ir_value {
    uint8_t kind;
    uint8_t type; /* enum ptx_type of the register, or one that fits */
    uint8_t bits; /* 1 for predicates and carries, else 8, 16, 32, 64, 128 */
    uint32_t index;
    uint32_t reg; /* PTX register (of the frame) that first held a result, or IR_NONE */
    int64_t number;
};

/* Operands are the values that the instruction reads, in written order, vectors and lists
 * flattened; an address gives the value of its register or variable; !%p gives an IR_OP_NOT; a
 * carry read comes last.  Results likewise (`_` too; a carry written comes last).  A result is
 * what the instruction makes where its guard holds: the register's value after a guarded one is an
 * IR_OP_SELECT with the old value. Copies (mov) and unguarded branches leave no instruction; a
 * conditional branch is PTX_OP_bra, last in its block, and takes successors[0] where the guard
 * holds. */
struct ir_instruction {
    const struct ptx_instruction *source; /* where it comes from; NULL for a phi */
    uint16_t op;                          /* enum ptx_op or enum ir_op */
    uint16_t access_count;
    bool guard_negated;
    bool is_signed;     /* IR_OP_EXTEND */
    uint16_t immediate; /* IR_OP_EXTRACT */
    uint32_t operand_count, result_count;
    uint32_t first_operand; /* function->operands */
    uint32_t first_result;  /* results are consecutive values */
    uint32_t guard;         /* value, or IR_NONE */
    uint32_t block;
    uint32_t first_access; /* function->accesses; IR_NONE */
    uint32_t detail;       /* call: function->calls; brx: function->switches; else IR_NONE */
    uint32_t frame;
    uint32_t index; /* of `source` in its PTX function; IR_NONE for a phi */
};

/* One copy of a function's body: 0 is the function itself, others are calls that were inlined. */
struct ir_frame {
    uint32_t function;
    uint32_t parent; /* frame of the caller; IR_NONE */
    uint32_t call;   /* instruction index of the call in the caller's function */
    uint32_t depth;
};

/* A variable as one frame sees it.  A formal parameter of an inlined function is its actual
 * argument. */
struct ir_object {
    uint32_t variable;
    uint32_t frame; /* owner of a local or parameter variable; else 0 */
    uint8_t space;
    bool is_formal;   /* parameter of frame 0: its bytes are IR_VALUE_PARAMETER at entry */
    bool is_promoted; /* its bytes became values: no access is left */
    bool escapes;     /* its address went where it was not followed (memory, a call, arithmetic) */
};

enum ir_base_kind {
    IR_BASE_UNKNOWN,
    IR_BASE_PARAMETER, /* index: variable; number: first of 8 bytes */
    IR_BASE_OBJECT,    /* index: object */
    IR_BASE_VALUE      /* index: a value that came as a pointer from memory, a call or the like */
};
struct ir_base {
    uint8_t kind;
    uint32_t index;
    int64_t number;
};
struct ir_base_set {
    uint32_t first, count; /* function->set_members, ascending */
};

/* What is known of a value as a pointer. */
struct ir_pointer {
    uint32_t set;    /* base set: what it may have been formed from by adding; 0: nothing */
    uint32_t base;   /* IR_NONE, or: it is this base ... */
    int64_t offset;  /* ... plus so many bytes ... */
    bool is_indexed; /* ... plus something that is not constant */
    int64_t last;    /* largest constant part that was joined into an indexed one; else == offset */
};

enum {
    IR_ACCESS_READ = 1 << 0,
    IR_ACCESS_WRITE = 1 << 1,
    IR_ACCESS_ATOMIC = 1 << 2,
    IR_ACCESS_ASYNC = 1 << 3,      /* cp.async and bulk copies */
    IR_ACCESS_HINT = 1 << 4,       /* prefetch and the like: touches nothing */
    IR_ACCESS_COLLECTIVE = 1 << 5, /* matrix and bulk work: not the bytes of one thread's type */
    IR_ACCESS_CONSTANT = 1 << 6,   /* ld.global.nc, ldu: nobody writes there during the launch */
    IR_ACCESS_VOLATILE = 1 << 7    /* ld.volatile .mmio .acquire .relaxed: differs each time */
};

/* `region`: bytes [first, end) of the object that an indexed access was taken to stay inside,
 * because the rest of the object became values; whole object: no such assumption.  See
 * ir_function_build. */
struct ir_access {
    uint32_t instruction;
    uint32_t operand;          /* which of its operands is the address */
    uint32_t address;          /* value of the register or variable */
    int64_t offset;            /* added to it */
    struct ir_pointer pointer; /* of the sum; its set is {unknown} if nothing was found */
    uint32_t size;             /* bytes of one element; 0: see `source` */
    uint8_t count;             /* elements: .v2 .v4 .v8 */
    uint8_t flags;             /* IR_ACCESS_* */
    uint8_t space;         /* enum ptx_space: where it certainly goes; NONE: unknown or several */
    uint8_t written_space; /* NONE: generic */
    uint8_t type, semantics, scope;
    bool has_region;
    uint32_t region_first, region_end;
};

/* A part of an argument or result that is a value.  Whole objects that stayed in memory have size
 * 0. */
struct ir_piece {
    uint32_t position; /* which argument or result */
    uint32_t object;   /* the .param variable, or IR_NONE: a register or constant */
    uint32_t offset, size;
    uint32_t value; /* IR_NONE: in memory */
};

/* Why a call is still a call; ARGUMENTS: they do not have the form of the parameters. */
enum ir_call_left {
    IR_LEFT_EXTERNAL,
    IR_LEFT_INDIRECT,
    IR_LEFT_RECURSIVE,
    IR_LEFT_DEEP,
    IR_LEFT_LARGE,
    IR_LEFT_ARGUMENTS
};
enum ir_call_effect {
    IR_EFFECT_NONE, /* touches no memory of the program but for reading through its arguments */
    IR_EFFECT_ARGUMENTS, /* may write through pointers among its arguments */
    IR_EFFECT_ANY        /* may touch everything, wait at barriers, end the thread */
};
struct ir_call {
    uint32_t instruction;
    uint32_t callee; /* PTX function, or IR_NONE */
    uint8_t left, effect;
    struct ir_piece *arguments, *results;
    uint32_t argument_count, result_count;
};

struct ir_switch { /* brx.idx: block for each index */
    uint32_t instruction, count;
    const uint32_t *targets;
};

/* Blocks: cfg is as in part A, but its ranges and block_of_instruction are about `instructions`
 * here, and its blocks are those of the code after inlining.  Instructions stand by scheduling
 * order of their blocks, so that (phis apart) a value is made before it is used and a loop is one
 * stretch.  Unreachable blocks are empty.  Values that are no results come first, then results in
 * order of their instructions. */
struct ir_function {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    struct ir_cfg *cfg;
    struct ir_instruction *instructions;
    uint32_t instruction_count;
    struct ir_value *values;
    uint32_t value_count;
    uint32_t *operands;
    uint32_t operand_count;
    uint32_t *phi_end;           /* block -> first instruction that is no phi */
    uint32_t *use_start;         /* value -> first of its uses; value_count + 1 */
    uint32_t *uses;              /* instructions, one entry for each operand or guard */
    struct ir_pointer *pointers; /* by value */
    struct ir_access *accesses;
    uint32_t access_count;
    struct ir_frame *frames;
    uint32_t frame_count;
    struct ir_object *objects;
    uint32_t object_count;
    struct ir_base *bases;
    uint32_t base_count;
    struct ir_base_set *sets; /* 0: empty, 1: {unknown} */
    uint32_t set_count;
    uint32_t *set_members;
    struct ir_call *calls;
    uint32_t call_count;
    struct ir_switch *switches;
    uint32_t switch_count;
    uint32_t left[IR_LEFT_ARGUMENTS + 1]; /* calls left, by reason */
    uint32_t rounds;                      /* of promotion */
    bool has_opaque;  /* some instruction is unknown: it may have done anything */
    bool has_regions; /* some access has a region */
};

struct ir_options {
    uint32_t max_instructions; /* inline while the whole is at most this; 0: 200,000 */
    uint32_t max_depth;        /* of inlined calls; 0: 16 */
    bool keep_memory;          /* no promotion: parameters and stack slots stay accesses */
    bool no_regions;           /* a variable that is indexed anywhere stays memory as a whole */
    bool verify; /* check after every pass; a complaint is an error in the diagnostics */
};

/* Requires: a function of a module without errors that has a body.
 * Gives: everything above.  NULL with a diagnostic when the function is too large to analyse
 * (several GiB).
 * Sound for: any PTX, if no pointer is made by multiplying, shifting or dividing (such values
 * count as offsets); if accesses in the local and parameter space stay inside their variable (each
 * is an LW102 site of its own); and, where has_regions, if each access with a region stays inside
 * it.  A user who needs the last must prove it for all those accesses (the facts at an access may
 * be used: before the first access that leaves its region everything is as the form says), and if
 * one fails build again with no_regions.
 * Gives up on: recursion, indirect and external calls (they stay calls); variables whose address
 * escapes, and arrays that are indexed by a variable (they stay memory). */
struct ir_function *ir_function_build(struct arena *arena, const struct ptx_module *module,
                                      uint32_t function, const struct ir_options *options,
                                      struct diagnostic_list *diagnostics);

/* Checks every rule of this header.  Returns the number of complaints; the function is printed
 * with the complaints beside the code if there are any. */
uint32_t ir_function_verify(const struct ir_function *function, struct buffer *out);
void ir_function_print(const struct ir_function *function, struct buffer *out);
void ir_value_print(const struct ir_function *function, uint32_t value,
                    struct buffer *out); /* "%12", "7", "tid.x" */
const char *ir_op_name(uint32_t op);

static inline const uint32_t *ir_operands(const struct ir_function *function,
                                          const struct ir_instruction *instruction)
{
    return function->operands + instruction->first_operand;
}
/* Where the user wrote it: the instruction's line, else that of its nearest use that has one, else
 * the function's. */
struct place ir_place(const struct ir_function *function, uint32_t instruction);

#endif
