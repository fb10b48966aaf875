/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of a control-flow graph, for tests and debugging.
 */
#include "ir/ir.h"

static const char *const leave_names[] = {[IR_LEAVE_NO] = "",
                                          [IR_LEAVE_RETURN] = "return",
                                          [IR_LEAVE_EXIT] = "exit",
                                          [IR_LEAVE_TRAP] = "trap",
                                          [IR_LEAVE_NO_RETURN] = "no-return"};

static void print_list(struct buffer *out, const char *title, const uint32_t *blocks,
                       uint32_t count)
{
    if (count == 0)
        return;
    buffer_puts(out, title);
    for (uint32_t i = 0; i < count; i++)
        buffer_printf(out, " B%u", blocks[i]);
}

static void print_one(struct buffer *out, const struct ir_cfg *cfg, const char *title,
                      uint32_t block)
{
    if (block == cfg->exit)
        buffer_printf(out, "%s exit", title);
    else if (block != IR_NONE)
        buffer_printf(out, "%s B%u", title, block);
}

void ir_cfg_print(const struct ir_cfg *cfg, struct buffer *out)
{
    buffer_printf(out, "cfg %s: %u blocks, %u reachable, %u loops%s\n", cfg->source->name,
                  cfg->block_count, cfg->reachable_count, cfg->loop_count,
                  cfg->has_irreducible ? ", irreducible" : "");
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        buffer_printf(out, "B%u [%u,%u)", b, block->first, block->end);
        print_list(out, " ->", block->successors, block->successor_count);
        if (block->leave != IR_LEAVE_NO)
            buffer_printf(out, " %s%s", leave_names[block->leave],
                          block->leave_is_guarded ? "?" : "");
        print_list(out, " <-", block->predecessors, block->predecessor_count);
        if (!block->reachable) {
            buffer_puts(out, " unreachable\n");
            continue;
        }
        print_one(out, cfg, " idom", block->idom);
        print_one(out, cfg, " ipdom", block->ipdom);
        if (block->loop != IR_NONE)
            buffer_printf(out, " loop L%u", block->loop);
        buffer_printf(out, " order %u%s\n", block->order, block->has_opaque ? " opaque" : "");
    }
    for (uint32_t i = 0; i < cfg->loop_count; i++) {
        const struct ir_loop *loop = &cfg->loops[i];
        buffer_printf(out, "L%u depth %u header B%u", i, loop->depth, loop->header);
        print_list(out, " latches", loop->latches, loop->latch_count);
        if (loop->parent != IR_NONE)
            buffer_printf(out, " in L%u", loop->parent);
        print_list(out, " blocks", cfg->by_order + loop->order_first,
                   loop->order_end - loop->order_first);
        buffer_printf(out, "%s\n", loop->irreducible ? " irreducible" : "");
    }
}
