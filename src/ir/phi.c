/* SPDX-License-Identifier: Apache-2.0
 *
 * Placement of phis by iterated dominance frontiers (Cytron and others, 1991), pruned by liveness,
 * and the renaming walk.
 */
#include "ir/flow.h"

bool frontiers_build(struct frontiers *frontiers, struct arena *arena, const struct ir_cfg *cfg,
                     uint64_t max_entries)
{
    uint32_t blocks = cfg->block_count;
    uint32_t *newest = ARENA_ARRAY(arena, uint32_t, blocks); /* the block added last, + 1 */
    uint32_t *start = frontiers->start = ARENA_ARRAY(arena, uint32_t, (size_t)blocks + 2);
    uint64_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t b = 0; b < blocks; b++) {
            const struct ir_block *block = &cfg->blocks[b];
            for (uint32_t i = 0; block->predecessor_count > 1 && i < block->predecessor_count;
                 i++) {
                for (uint32_t r = block->predecessors[i]; r != block->idom && newest[r] != b + 1;
                     r = cfg->blocks[r].idom) {
                    newest[r] = b + 1;
                    if (pass == 1)
                        frontiers->blocks[start[r + 1]++] = b;
                    else if (start[r + 2]++, ++total > max_entries)
                        return false;
                }
            }
        }
        if (pass == 1)
            break;
        for (uint32_t b = 2; b < blocks + 2; b++)
            start[b] += start[b - 1];
        frontiers->blocks = ARENA_ARRAY(arena, uint32_t, total);
        for (uint32_t b = 0; b < blocks; b++)
            newest[b] = 0;
    }
    return true;
}

void phi_plan_build(struct phi_plan *plan, struct arena *arena, const struct ir_cfg *cfg,
                    const struct variable_flow *flow, const struct frontiers *frontiers)
{
    const struct ir_liveness *live = flow->live;
    uint32_t blocks = cfg->block_count;
    /* Definitions by variable. */
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)live->count + 2);
    uint32_t *defining = ARENA_ARRAY(arena, uint32_t, flow->definitions.count);
    for (uint32_t i = 0; i < flow->definitions.count; i++)
        first[flow->definitions.data[i].index + 2]++;
    for (uint32_t v = 2; v < live->count + 2; v++)
        first[v] += first[v - 1];
    for (uint32_t i = 0; i < flow->definitions.count; i++)
        defining[first[flow->definitions.data[i].index + 1]++] = flow->definitions.data[i].block;

    VEC(struct definition) phis = {0};
    uint32_t *has_phi = ARENA_ARRAY(arena, uint32_t, blocks),
             *queued = ARENA_ARRAY(arena, uint32_t, blocks);
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, blocks);
    for (uint32_t v = 0; v < live->count; v++) {
        uint32_t depth = 0;
        for (uint32_t i = first[v]; i < first[v + 1]; i++) {
            queued[defining[i]] = v + 1;
            stack[depth++] = defining[i];
        }
        while (depth > 0) {
            uint32_t b = stack[--depth];
            for (uint32_t i = frontiers->start[b]; i < frontiers->start[b + 1]; i++) {
                uint32_t at = frontiers->blocks[i];
                if (has_phi[at] == v + 1 || !bitset_has(&live->live_in[at], v))
                    continue;
                has_phi[at] = v + 1;
                *vec_push(arena, &phis) = (struct definition){v, at};
                if (queued[at] != v + 1) {
                    queued[at] = v + 1;
                    stack[depth++] = at;
                }
            }
        }
    }
    plan->start = ARENA_ARRAY(arena, uint32_t, (size_t)blocks + 2);
    plan->variables = ARENA_ARRAY(arena, uint32_t, phis.count);
    for (uint32_t i = 0; i < phis.count; i++)
        plan->start[phis.data[i].block + 2]++;
    for (uint32_t b = 2; b < blocks + 2; b++)
        plan->start[b] += plan->start[b - 1];
    for (uint32_t i = 0; i < phis.count; i++)
        plan->variables[plan->start[phis.data[i].block + 1]++] =
            live->register_of[phis.data[i].index];
}

/* ---- renaming -------------------------------------------------------------------------------- */

static void number_edges(struct renamer *renamer)
{
    const struct ir_cfg *cfg = renamer->cfg;
    renamer->edge_start = ARENA_ARRAY(renamer->arena, uint32_t, (size_t)cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        renamer->edge_start[b + 1] = renamer->edge_start[b] + cfg->blocks[b].successor_count;
    renamer->edge_position =
        ARENA_ARRAY(renamer->arena, uint32_t, renamer->edge_start[cfg->block_count]);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        for (uint32_t i = 0; i < cfg->blocks[b].predecessor_count; i++) {
            uint32_t from = cfg->blocks[b].predecessors[i], slot = 0;
            while (cfg->blocks[from].successors[slot] != b)
                slot++;
            renamer->edge_position[renamer->edge_start[from] + slot] = i;
        }
    }
}

void renamer_init(struct renamer *renamer, struct arena *arena, const struct ir_cfg *cfg,
                  uint32_t variable_count)
{
    *renamer = (struct renamer){.arena = arena, .cfg = cfg};
    renamer->preorder = ARENA_ARRAY(arena, uint32_t, cfg->reachable_count);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (cfg->blocks[b].reachable)
            renamer->preorder[cfg->blocks[b].dominator_first] = b;
    renamer->current = ARENA_ARRAY(arena, uint32_t, variable_count);
    for (uint32_t v = 0; v < variable_count; v++)
        renamer->current[v] = IR_NONE;
    number_edges(renamer);
}

void renamer_enter(struct renamer *renamer, uint32_t block)
{
    while (renamer->open.count > 0) {
        uint32_t top = renamer->open.count - 1;
        if (ir_cfg_dominates(renamer->cfg, renamer->open.data[top].block, block))
            break;
        while (renamer->log.count > renamer->open.data[top].mark) {
            renamer->log.count--;
            renamer->current[renamer->log.data[renamer->log.count].variable] =
                renamer->log.data[renamer->log.count].old;
        }
        renamer->open.count--;
    }
    struct renamer_block entered = {block, renamer->log.count};
    *vec_push(renamer->arena, &renamer->open) = entered;
}

void renamer_set(struct renamer *renamer, uint32_t variable, uint32_t value, bool is_global)
{
    if (is_global)
        *vec_push(renamer->arena, &renamer->log) =
            (struct renamer_entry){variable, renamer->current[variable]};
    renamer->current[variable] = value;
}
