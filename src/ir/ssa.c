/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers to SSA values: liveness, phis, and a walk over the dominator tree that translates each
 * block.
 */
#include "ir/build.h"

/* What the sets and frontiers of one function may take. */
#define MAX_BYTES ((uint64_t)2 << 30)
#define MAX_FRONTIER ((uint64_t)1 << 26)

/* Phis take the first operands of the list, block by block, so that they can be filled before
 * their block is reached. */
static uint32_t *reserve_operands(struct draft *draft, const struct phi_plan *plan)
{
    uint32_t blocks = draft->cfg->block_count, total = 0;
    uint32_t *first = ARENA_ARRAY(draft->arena, uint32_t, (size_t)blocks + 1);
    for (uint32_t b = 0; b < blocks; b++) {
        first[b] = total;
        total += (plan->start[b + 1] - plan->start[b]) * draft->cfg->blocks[b].predecessor_count;
    }
    for (uint32_t i = 0; i < total; i++)
        *vec_push(draft->arena, &draft->operands) = IR_NONE;
    return first;
}

static void make_phis(struct translator *t, const struct phi_plan *plan, uint32_t block,
                      uint32_t first_operand)
{
    struct draft *draft = t->draft;
    const struct ir_instruction origin = {.source = NULL, .frame = 0, .index = IR_NONE};
    uint32_t edges = draft->cfg->blocks[block].predecessor_count;
    for (uint32_t i = plan->start[block]; i < plan->start[block + 1]; i++, first_operand += edges) {
        uint32_t reg = plan->variables[i];
        struct ir_instruction *phi = emit_instruction(draft, IR_OP_PHI, &origin, NULL, 0);
        phi->first_operand = first_operand;
        phi->operand_count = edges;
        renamer_set(&t->renamer, reg, emit_result(draft, t->register_type[reg]), true);
    }
}

/* Gives the phis of the successors what flows along the block's edges. */
static void fill_phis(struct translator *t, const struct phi_plan *plan, uint32_t block,
                      const uint32_t *first_operand)
{
    struct draft *draft = t->draft;
    const struct ir_block *from = &draft->cfg->blocks[block];
    for (uint32_t s = 0; s < from->successor_count; s++) {
        uint32_t to = from->successors[s], edges = draft->cfg->blocks[to].predecessor_count;
        uint32_t position = t->renamer.edge_position[t->renamer.edge_start[block] + s];
        uint32_t operand = first_operand[to] + position;
        for (uint32_t i = plan->start[to]; i < plan->start[to + 1]; i++, operand += edges)
            draft->operands.data[operand] = translate_read(t, plan->variables[i]);
    }
}

static void set_types(struct translator *t)
{
    const struct code *code = &t->draft->code;
    t->register_type = ARENA_ARRAY(t->draft->arena, uint8_t, code->register_count);
    for (uint32_t f = 0; f < code->frames.count; f++)
        for (uint32_t r = 0; r < code->frames.data[f].source->registers.count; r++)
            t->register_type[code->frames.data[f].register_base + r] =
                code->frames.data[f].source->registers.data[r].type;
    t->register_type[code->register_count - 1] = PTX_PRED;
}

bool ssa_build(struct draft *draft)
{
    struct arena *arena = draft->arena;
    struct ir_cfg *cfg = draft->cfg;
    struct variable_flow flow = {0};
    struct phi_plan plan;
    struct register_source source = {&draft->code, cfg};
    if (!variable_flow_build(&flow, arena, cfg, draft->code.register_count, register_scan_block,
                             &source, MAX_BYTES) ||
        !frontiers_build(&draft->frontiers, arena, cfg, MAX_FRONTIER))
        return false;
    phi_plan_build(&plan, arena, cfg, &flow, &draft->frontiers);

    struct translator t = {.draft = draft, .live = flow.live};
    renamer_init(&t.renamer, arena, cfg, draft->code.register_count);
    set_types(&t);
    draft->first = ARENA_ARRAY(arena, uint32_t, cfg->block_count);
    draft->end = ARENA_ARRAY(arena, uint32_t, cfg->block_count);
    uint32_t *first_operand = reserve_operands(draft, &plan);
    for (uint32_t i = 0; i < cfg->reachable_count; i++) {
        uint32_t block = t.renamer.preorder[i];
        draft->block = block;
        draft->first[block] = draft->instructions.count;
        renamer_enter(&t.renamer, block);
        make_phis(&t, &plan, block, first_operand[block]);
        for (uint32_t item = cfg->blocks[block].first; item < cfg->blocks[block].end; item++)
            translate_item(&t, item);
        fill_phis(&t, &plan, block, first_operand);
        draft->end[block] = draft->instructions.count;
    }
    return true;
}
