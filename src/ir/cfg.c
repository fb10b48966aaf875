/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the control-flow graph of a PTX function: leaders, blocks, edges, dominators,
 * post-dominators; then loops.c.
 */
#include "ir/code.h"
#include "ir/graph.h"

/* ---- blocks ---------------------------------------------------------------------------------- */

struct builder {
    const struct code *code;
    struct ir_cfg *cfg;
    uint32_t count;  /* items */
    uint8_t *leader; /* item (and the end of the list) -> starts a block */
    bool entry_is_target;
    uint32_t from; /* block whose edges are being added */
    VEC(struct graph_edge) edges;
    uint32_t *seen; /* block -> last source of an edge to it, + 1: no edge twice */
};

static void mark_leader(void *context, uint32_t target)
{
    struct builder *builder = context;
    builder->leader[target] = 1;
    builder->entry_is_target |= target == 0;
}

static void find_leaders(struct builder *builder)
{
    builder->leader[0] = 1;
    for (uint32_t i = 0; i < builder->count; i++) {
        struct code_flow flow = code_flow(builder->code, i);
        if (!flow.ends_block)
            continue;
        code_visit_targets(builder->code, i, mark_leader, builder);
        /* What falls off the end of the body behind a guarded branch needs a block to return from.
         */
        if (i + 1 < builder->count || flow.falls)
            builder->leader[i + 1] = 1;
    }
}

static void make_blocks(struct builder *builder)
{
    struct ir_cfg *cfg = builder->cfg;
    uint32_t count = builder->count, blocks = builder->entry_is_target;
    for (uint32_t i = 0; i <= count; i++)
        blocks += builder->leader[i];
    cfg->block_count = cfg->exit = blocks;
    cfg->blocks = ARENA_ARRAY(cfg->arena, struct ir_block, (size_t)blocks + 1);
    uint32_t block = builder->entry_is_target ? 0 : IR_NONE;
    for (uint32_t i = 0; i <= count; i++) {
        if (builder->leader[i]) {
            if (block != IR_NONE)
                cfg->blocks[block].end = i;
            cfg->blocks[++block].first = i;
        }
        if (i < count && code_instruction(builder->code, i)->op == PTX_OP_OPAQUE)
            cfg->blocks[block].has_opaque = true;
        cfg->block_of_instruction[i] = block;
    }
    cfg->blocks[block].end = count;
    cfg->blocks[blocks].first = cfg->blocks[blocks].end = count;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void add_edge(struct builder *builder, uint32_t from, uint32_t to)
{
    if (builder->seen[to] == from + 1)
        return;
    builder->seen[to] = from + 1;
    *vec_push(builder->cfg->arena, &builder->edges) = (struct graph_edge){from, to};
}

static void add_branch(void *context, uint32_t target)
{
    struct builder *builder = context;
    add_edge(builder, builder->from, builder->cfg->block_of_instruction[target]);
}

static void find_edges(struct builder *builder)
{
    struct ir_cfg *cfg = builder->cfg;
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        struct ir_block *block = &cfg->blocks[b];
        struct code_flow flow = {false, true, IR_LEAVE_NO};
        if (block->end > block->first) {
            uint32_t last = block->end - 1;
            flow = code_flow(builder->code, last);
            builder->from = b;
            if (flow.ends_block)
                code_visit_targets(builder->code, last, add_branch, builder);
            cfg->has_indirect_branch |= code_instruction(builder->code, last)->op == PTX_OP_brx;
        }
        block->leave = flow.leave;
        block->leave_is_guarded = flow.leave != IR_LEAVE_NO && flow.falls;
        block->fallthrough = IR_NONE;
        if (flow.falls && b + 1 < cfg->block_count) {
            block->fallthrough = b + 1;
            add_edge(builder, b, b + 1);
        } else if (flow.falls) {
            block->leave = IR_LEAVE_RETURN;
        }
    }
}

static void set_neighbours(struct ir_cfg *cfg, const struct graph *successors,
                           const struct graph *predecessors)
{
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        struct ir_block *block = &cfg->blocks[b];
        block->successors = successors->targets + successors->start[b];
        block->successor_count = successors->start[b + 1] - successors->start[b];
        uint32_t *into = predecessors->targets + predecessors->start[b], kept = 0;
        for (uint32_t i = predecessors->start[b]; i < predecessors->start[b + 1]; i++)
            if (cfg->blocks[predecessors->targets[i]].reachable)
                into[kept++] = predecessors->targets[i];
        block->predecessors = into;
        block->predecessor_count = kept;
    }
}

static void set_dominators(struct ir_cfg *cfg, const struct graph *predecessors,
                           const struct graph_walk *walk)
{
    uint32_t count = cfg->block_count;
    uint32_t *idom = ARENA_ARRAY(cfg->arena, uint32_t, count),
             *first = ARENA_ARRAY(cfg->arena, uint32_t, count),
             *last = ARENA_ARRAY(cfg->arena, uint32_t, count);
    graph_dominators(cfg->arena, predecessors, walk, idom);
    graph_tree_number(cfg->arena, count, idom, walk->preorder, walk->reached, first, last);
    for (uint32_t b = 0; b < count; b++) {
        cfg->blocks[b].idom = idom[b];
        cfg->blocks[b].dominator_first = first[b];
        cfg->blocks[b].dominator_last = last[b];
    }
}

/* ---- post-dominators ------------------------------------------------------------------------- */

/* Joins endless code to the exit: in each strongly connected part that nothing leaves, the node
 * that a depth-first walk finishes first (a latch) gets an edge to it.  A part is endless if no
 * exit is reached from it; the nodes are taken in postorder, where the first of a part stands
 * before all that reach the part only through others. */
static void join_endless(struct builder *builder, const struct graph *predecessors,
                         const struct graph_walk *walk)
{
    struct ir_cfg *cfg = builder->cfg;
    uint32_t count = cfg->block_count, exit_edges = builder->edges.count;
    uint8_t *reaches = ARENA_ARRAY(cfg->arena, uint8_t, count);
    uint32_t *stack = ARENA_ARRAY(cfg->arena, uint32_t, count);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < exit_edges; i++) {
        uint32_t block = builder->edges.data[i].from;
        if (builder->edges.data[i].to == cfg->exit && !reaches[block]) {
            reaches[block] = 1;
            stack[depth++] = block;
        }
    }
    for (uint32_t next = 0;; next++) {
        while (depth > 0) {
            uint32_t block = stack[--depth];
            for (uint32_t i = predecessors->start[block]; i < predecessors->start[block + 1]; i++) {
                uint32_t from = predecessors->targets[i];
                if (!reaches[from]) {
                    reaches[from] = 1;
                    stack[depth++] = from;
                }
            }
        }
        while (next < walk->reached && reaches[walk->postorder[next]])
            next++;
        if (next == walk->reached)
            break;
        uint32_t block = walk->postorder[next];
        reaches[block] = 1;
        stack[depth++] = block;
        add_edge(builder, block, cfg->exit);
    }
}

static void set_postdominators(struct builder *builder, const struct graph *predecessors,
                               const struct graph_walk *walk)
{
    struct ir_cfg *cfg = builder->cfg;
    uint32_t count = cfg->block_count + 1;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (cfg->blocks[b].leave != IR_LEAVE_NO)
            *vec_push(cfg->arena, &builder->edges) = (struct graph_edge){b, cfg->exit};
    join_endless(builder, predecessors, walk);
    struct graph forward, backward;
    struct graph_walk reverse_walk;
    graph_init(&forward, cfg->arena, count, builder->edges.data, builder->edges.count, false);
    graph_init(&backward, cfg->arena, count, builder->edges.data, builder->edges.count, true);
    graph_walk_init(&reverse_walk, cfg->arena, &backward, cfg->exit);
    uint32_t *ipdom = ARENA_ARRAY(cfg->arena, uint32_t, count),
             *first = ARENA_ARRAY(cfg->arena, uint32_t, count),
             *last = ARENA_ARRAY(cfg->arena, uint32_t, count);
    graph_dominators(cfg->arena, &forward, &reverse_walk, ipdom);
    graph_tree_number(cfg->arena, count, ipdom, reverse_walk.preorder, reverse_walk.reached, first,
                      last);
    for (uint32_t b = 0; b < count; b++) {
        cfg->blocks[b].ipdom = ipdom[b] == IR_NONE && b != cfg->exit ? cfg->exit : ipdom[b];
        cfg->blocks[b].postdominator_first = first[b];
        cfg->blocks[b].postdominator_last = last[b];
    }
}

/* ---- interface ------------------------------------------------------------------------------- */

struct ir_cfg *code_build_cfg(const struct code *code, uint32_t function)
{
    struct arena *arena = code->arena;
    struct ir_cfg *cfg = ARENA_NEW(arena, struct ir_cfg);
    cfg->arena = arena;
    cfg->module = code->module;
    cfg->function = function;
    cfg->source = &code->module->functions.data[function];
    struct builder builder = {.code = code, .cfg = cfg, .count = code->items.count};
    builder.leader = ARENA_ARRAY(arena, uint8_t, (size_t)builder.count + 2);
    cfg->block_of_instruction = ARENA_ARRAY(arena, uint32_t, (size_t)builder.count + 1);
    find_leaders(&builder);
    make_blocks(&builder);
    builder.seen = ARENA_ARRAY(arena, uint32_t, (size_t)cfg->block_count + 1);
    find_edges(&builder);

    uint32_t count = cfg->block_count;
    struct graph successors, predecessors;
    struct graph_walk walk;
    graph_init(&successors, arena, count, builder.edges.data, builder.edges.count, false);
    graph_init(&predecessors, arena, count, builder.edges.data, builder.edges.count, true);
    graph_walk_init(&walk, arena, &successors, 0);
    cfg->reachable_count = walk.reached;
    cfg->reverse_postorder = ARENA_ARRAY(arena, uint32_t, walk.reached);
    cfg->by_order = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < walk.reached; i++) {
        cfg->reverse_postorder[walk.reached - 1 - i] = walk.postorder[i];
        cfg->blocks[walk.postorder[i]].reachable = true;
    }
    set_dominators(cfg, &predecessors, &walk);
    set_postdominators(&builder, &predecessors, &walk);
    ir_loops_find(cfg, &successors, &predecessors, &walk);
    set_neighbours(cfg, &successors, &predecessors);

    struct ir_block *exit = &cfg->blocks[cfg->exit];
    exit->fallthrough = exit->idom = exit->loop = IR_NONE;
    exit->dominator_first = exit->dominator_last = exit->order = count;
    exit->reachable = true;
    return cfg;
}

struct ir_cfg *ir_cfg_build(struct arena *arena, const struct ptx_module *module, uint32_t function)
{
    struct code code;
    code_init(&code, arena, module, function);
    return code_build_cfg(&code, function);
}
