/* SPDX-License-Identifier: Apache-2.0
 *
 * ir: what the emulator, the prover, the cost model and the guard know about a function's shape and values.
 *
 * Part A is the control-flow graph over the instructions of one PTX function, in their original order: blocks, dominators,
 * post-dominators, loops, a scheduling order and the liveness of registers.  It changes nothing and fits any PTX.
 *
 * Everything lives in the arena given and refers to the ptx_module, which must outlive it.  Ids are 32-bit indices; IR_NONE is "none".
 */
#ifndef LANEWISE_IR_H
#define LANEWISE_IR_H

#include "base/base.h"
#include "ptx/ptx.h"

#define IR_NONE UINT32_MAX

/* ==== Part A: control flow ========================================================================== */

/* How a block's last instruction leaves the function, if it does (when its guard holds, if it has one). */
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
    uint32_t dominator_first,
        dominator_last; /* numbers in a walk of the dominator tree: a dominates b if b's lie in a's */
    uint32_t postdominator_first, postdominator_last;
    uint32_t loop;  /* innermost loop, or IR_NONE */
    uint32_t order; /* scheduling order: see ir_cfg */
    uint8_t leave;  /* enum ir_leave */
    bool leave_is_guarded;
    bool reachable;
    bool has_opaque; /* holds an instruction that the opcode table does not know */
};

struct ir_loop {
    uint32_t
        header; /* the block through which the loop is entered (of an irreducible one: the first met) */
    uint32_t parent;         /* enclosing loop, or IR_NONE */
    uint32_t depth;          /* 1 for an outermost loop */
    const uint32_t *latches; /* blocks with an edge back to the header */
    uint32_t latch_count;
    uint32_t order_first,
        order_end; /* its blocks, inner loops included: cfg->by_order[order_first .. order_end) */
    bool irreducible; /* can be entered past its header */
};

/* The graph.  Block 0 is the entry, has no predecessors and holds no instruction when instruction 0 is a branch target.  Blocks stand in
 * text order.  `exit` is a virtual block (its number is block_count, it has an entry in `blocks` but no successors) that
 * follows every way out of the function; endless loops are joined to it so that post-dominators exist everywhere.
 *
 * order: every edge except those back to a loop's header goes from a smaller to a larger number; the blocks of a loop are
 * contiguous and come before what is reached only by leaving it.  Running the lanes with the smallest order first therefore brings
 * them together at the latest at the immediate post-dominator.  Unreachable blocks come last. */
struct ir_cfg {
    struct arena *arena;
    const struct ptx_module *module;
    const struct ptx_function *source;
    uint32_t function;    /* index in the module */
    uint32_t block_count; /* without the virtual exit */
    uint32_t exit;        /* == block_count */
    uint32_t reachable_count;
    struct ir_block *blocks; /* block_count + 1 */
    uint32_t *
        block_of_instruction; /* instruction count + 1: the last is where a label at the end leads */
    uint32_t *reverse_postorder; /* reachable blocks, reachable_count */
    uint32_t *by_order;          /* block_count blocks by `order` */
    struct ir_loop *loops;       /* outer loops stand before the loops inside them */
    uint32_t loop_count;
    bool has_irreducible;
    bool has_indirect_branch; /* brx.idx: successors are its list */
};

/* Requires: a function of a module without errors.  Gives: everything above; a function without a body is one empty block that returns.
 * Time: near linear (irreducible loops nested n deep cost up to n times the edges).  Gives up on: nothing. */
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
static inline bool ir_loop_contains(const struct ir_cfg *cfg, uint32_t loop, uint32_t block)
{
    return loop == IR_NONE || (cfg->blocks[block].order >= cfg->loops[loop].order_first &&
                               cfg->blocks[block].order < cfg->loops[loop].order_end);
}
/* Text of the graph, one block a line, then the loops. */
void ir_cfg_print(const struct ir_cfg *cfg, struct buffer *out);

/* The function that a call names, or PTX_NONE (an indirect call or not a call). */
uint32_t ir_call_target(const struct ptx_instruction *instruction);
/* True if the function never comes back: .noreturn or __assertfail. */
bool ir_function_is_no_return(const struct ptx_module *module, uint32_t function);

/* ---- liveness of PTX registers ---------------------------------------------------------------------- */

/* Only a register that is read in some block before that block has certainly written it can be live between blocks; those are
 * numbered densely and the sets are over these numbers: small even where a function has 100,000 registers.
 * A guarded definition is also a use, since lanes without the guard keep the old value. */
struct ir_liveness {
    uint32_t register_count;
    uint32_t count; /* registers that can be live between blocks */
    uint32_t
        *index_of; /* register -> number in the sets, IR_NONE: lives inside single blocks only */
    uint32_t *register_of; /* number -> register */
    struct bitset *live_in,
        *live_out; /* by block; an exit's live_out is empty; unreachable blocks have their own use only */
};

/* Requires: cfg.  Gives: exact may-liveness over the graph's edges.  Time: blocks x count / 64 words a round, few rounds. */
struct ir_liveness *ir_liveness_build(struct arena *arena, const struct ir_cfg *cfg);

static inline bool ir_live_in(const struct ir_liveness *live, uint32_t block, uint32_t reg)
{
    return live->index_of[reg] != IR_NONE && bitset_has(&live->live_in[block], live->index_of[reg]);
}
static inline bool ir_live_out(const struct ir_liveness *live, uint32_t block, uint32_t reg)
{
    return live->index_of[reg] != IR_NONE &&
           bitset_has(&live->live_out[block], live->index_of[reg]);
}

#endif
