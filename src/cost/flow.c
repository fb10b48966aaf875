/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches, their two ways, and loops: what the shape of the code says a warp issues.
 *
 * A way goes from a branch to its immediate post-dominator.  The shortest and the longest are counted with each loop body once; a call
 * counts what it calls.  Gives up on: recursion (a call counts itself alone).
 */
#include "cost/build.h"

#include <string.h>

#define UNREACHED UINT32_MAX

/* ---- sizes ---------------------------------------------------------------------------------------------------- */

static uint32_t add_saturating(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - 1 - b ? UINT32_MAX - 1 : a + b;
}

/* Instructions that one issue of this stands for, calls included. */
static uint32_t size_of(const struct cost_builder *builder, const struct cost_part *part, uint32_t instruction, bool longest)
{
    const struct ptx_instruction *source = &builder->module->functions.data[part->function].instructions.data[instruction];
    uint32_t callee = source->op == PTX_OP_call ? ir_call_target(builder->module, source) : PTX_NONE;
    if (callee == PTX_NONE || builder->part_of[callee] == COST_NONE)
        return 1;
    const struct cost_part *called = &builder->parts.data[builder->part_of[callee]];
    return add_saturating(1, longest ? called->most : called->least);
}

static void sum_blocks(const struct cost_builder *builder, struct cost_part *part)
{
    const struct ir_cfg *cfg = part->cfg;
    const struct ptx_function *function = &builder->module->functions.data[part->function];
    part->blocks = ARENA_ARRAY(builder->arena, struct cost_block_sum, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        struct cost_block_sum *sum = &part->blocks[b];
        for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++) {
            const struct ptx_instruction *instruction = &function->instructions.data[i];
            uint32_t flags = ptx_op_info((enum ptx_op)instruction->op)->flags;
            sum->least = add_saturating(sum->least, size_of(builder, part, i, false));
            sum->most = add_saturating(sum->most, size_of(builder, part, i, true));
            sum->has_barrier |= (flags & (PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC)) != 0 || instruction->op == PTX_OP_OPAQUE;
            sum->has_call |= instruction->op == PTX_OP_call;
            sum->has_access |= (flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE | PTX_FLAG_ATOMIC)) != 0 && instruction->space != PTX_SPACE_PARAM;
        }
    }
}

/* ---- ways ------------------------------------------------------------------------------------------------------ */

struct way_lengths {
    uint32_t *least, *most; /* by block, from its start to the meeting point; UNREACHED */
};

/* Lengths from every block between the branch and `join` (the virtual exit, too). */
static void measure(const struct cost_part *part, uint32_t from_order, uint32_t join, struct way_lengths *ways)
{
    const struct ir_cfg *cfg = part->cfg;
    uint32_t end = join == cfg->exit ? cfg->block_count : cfg->blocks[join].order;
    for (uint32_t order = from_order; order < end; order++)
        ways->least[cfg->by_order[order]] = ways->most[cfg->by_order[order]] = UNREACHED;
    ways->least[join] = ways->most[join] = 0;
    for (uint32_t order = end; order-- > from_order;) {
        uint32_t number = cfg->by_order[order];
        const struct ir_block *block = &cfg->blocks[number];
        uint32_t least = UNREACHED, most = UNREACHED;
        if (block->leave != IR_LEAVE_NO && join == cfg->exit)
            least = most = 0;
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            bool is_forward = next == join || (cfg->blocks[next].order > order && cfg->blocks[next].order < end);
            if (!is_forward || ways->most[next] == UNREACHED)
                continue;
            least = ways->least[next] < least ? ways->least[next] : least;
            most = most == UNREACHED || ways->most[next] > most ? ways->most[next] : most;
        }
        if (most == UNREACHED && !block->reachable)
            continue;
        ways->least[number] = add_saturating(least == UNREACHED ? 0 : least, part->blocks[number].least);
        ways->most[number] = add_saturating(most == UNREACHED ? 0 : most, part->blocks[number].most);
    }
}

void cost_region_find(struct cost_region *region, const struct ir_cfg *cfg, uint32_t start, uint32_t join, struct arena *arena)
{
    if (region->blocks.words == NULL)
        bitset_init(&region->blocks, arena, cfg->block_count + 1);
    for (uint32_t i = 0; i < region->members.count; i++)
        bitset_remove(&region->blocks, region->members.data[i]);
    region->members.count = 0;
    if (start == join)
        return;
    bitset_add(&region->blocks, start);
    *vec_push(arena, &region->members) = start;
    for (uint32_t i = 0; i < region->members.count; i++) {
        const struct ir_block *block = &cfg->blocks[region->members.data[i]];
        for (uint32_t s = 0; s < block->successor_count; s++) {
            uint32_t next = block->successors[s];
            if (next == join || bitset_has(&region->blocks, next))
                continue;
            bitset_add(&region->blocks, next);
            *vec_push(arena, &region->members) = next;
        }
    }
}

static bool is_back_edge(const struct ir_cfg *cfg, uint32_t from, uint32_t to)
{
    return cfg->blocks[to].order <= cfg->blocks[from].order;
}

static void describe_path(const struct cost_part *part, const struct cost_region *region, struct cost_path *path)
{
    const struct ir_cfg *cfg = part->cfg;
    for (uint32_t i = 0; i < region->members.count; i++) {
        uint32_t number = region->members.data[i];
        const struct ir_block *block = &cfg->blocks[number];
        const struct cost_block_sum *sum = &part->blocks[number];
        path->instructions = add_saturating(path->instructions, block->end - block->first);
        for (uint32_t s = 0; s < block->successor_count; s++)
            path->has_loop |= bitset_has(&region->blocks, block->successors[s]) && is_back_edge(cfg, number, block->successors[s]);
        path->has_barrier |= sum->has_barrier;
        path->has_call |= sum->has_call;
        path->has_access |= sum->has_access;
    }
}

/* Does the block do nothing but leave? */
static bool only_leaves(const struct cost_builder *builder, const struct cost_part *part, uint32_t block)
{
    const struct ir_cfg *cfg = part->cfg;
    if (block == cfg->exit)
        return true;
    const struct ptx_function *function = &builder->module->functions.data[part->function];
    if (cfg->blocks[block].leave == IR_LEAVE_NO || cfg->blocks[block].leave_is_guarded)
        return false;
    for (uint32_t i = cfg->blocks[block].first; i < cfg->blocks[block].end; i++)
        if (function->instructions.data[i].op != PTX_OP_ret && function->instructions.data[i].op != PTX_OP_exit)
            return false;
    return true;
}

/* ---- branches -------------------------------------------------------------------------------------------------- */

struct branch_reader {
    struct cost_builder *builder;
    const struct cost_part *part;
    struct way_lengths ways;
    struct cost_region region;
};

static void read_way(struct branch_reader *reader, uint32_t start, uint32_t join, struct cost_path *path)
{
    *path = (struct cost_path){0};
    if (start == join)
        return;
    path->least = reader->ways.least[start];
    path->most = reader->ways.most[start];
    path->least = path->least == UNREACHED ? 0 : path->least;
    path->most = path->most == UNREACHED ? 0 : path->most;
    cost_region_find(&reader->region, reader->part->cfg, start, join, reader->builder->arena);
    describe_path(reader->part, &reader->region, path);
}

static bool leaves_loop(const struct ir_cfg *cfg, uint32_t from, uint32_t to)
{
    uint32_t loop = cfg->blocks[from].loop;
    return loop != IR_NONE && (to == cfg->exit || !ir_loop_contains(cfg, loop, to));
}

/* The ways of a jump table: the shortest, the longest, all together. */
static void read_table(struct branch_reader *reader, const struct ir_block *block, uint32_t join, struct cost_branch *branch)
{
    branch->ways = block->successor_count;
    branch->longest = branch->sum = 0;
    for (uint32_t s = 0; s < block->successor_count; s++) {
        struct cost_path path;
        read_way(reader, block->successors[s], join, &path);
        branch->sum = add_saturating(branch->sum, path.most);
        if (s == 0 || path.most < branch->taken.most)
            branch->taken = path;
        if (s == 0 || path.most > branch->longest)
            branch->not_taken = path;
        branch->longest = branch->not_taken.most;
    }
}

static void read_branch(struct branch_reader *reader, uint32_t number)
{
    struct cost_builder *builder = reader->builder;
    const struct cost_part *part = reader->part;
    const struct ir_cfg *cfg = part->cfg;
    const struct ir_block *block = &cfg->blocks[number];
    uint32_t last = block->end - 1, join = block->ipdom;
    struct cost_instruction *instruction = cost_at(builder, part, last);
    const struct ptx_instruction *source = cost_source(builder, instruction);
    uint32_t ways[2] = {cfg->exit, block->fallthrough};
    struct cost_branch branch = {
        .instruction = part->first + last, .place = instruction->place, .class = COST_CLASS_UNKNOWN, .advice = COST_NONE};
    if (source->op == PTX_OP_brx) {
        ways[0] = block->successors[0];
        ways[1] = block->successors[block->successor_count - 1];
    } else if (block->leave == IR_LEAVE_NO) {
        for (uint32_t s = 0; s < block->successor_count; s++)
            if (block->successors[s] != block->fallthrough)
                ways[0] = block->successors[s];
        if (block->successor_count == 1)
            ways[0] = block->successors[0]; /* to the next line */
    }
    if (join == IR_NONE)
        join = cfg->exit;
    measure(part, block->order + 1, join, &reader->ways);
    branch.join = join == cfg->exit || cfg->blocks[join].first >= part->count ? COST_NONE : part->first + cfg->blocks[join].first;
    for (int side = 0; side < 2; side++) {
        struct cost_path *path = side == 0 ? &branch.taken : &branch.not_taken;
        bool back = ways[side] != cfg->exit && is_back_edge(cfg, number, ways[side]);
        branch.is_loop |= back || leaves_loop(cfg, number, ways[side]);
        if (!back)
            read_way(reader, ways[side], join, path);
    }
    bool leaves[2];
    for (int side = 0; side < 2; side++)
        leaves[side] = ways[side] == join ? only_leaves(builder, part, join) : only_leaves(builder, part, ways[side]);
    branch.is_exit = !branch.is_loop && (leaves[0] || leaves[1]) && only_leaves(builder, part, join);
    branch.ways = 2;
    branch.longest = branch.taken.most > branch.not_taken.most ? branch.taken.most : branch.not_taken.most;
    branch.sum = add_saturating(branch.taken.most, branch.not_taken.most);
    if (source->op == PTX_OP_brx && block->successor_count > 2)
        read_table(reader, block, join, &branch);
    instruction->branch = builder->result->branches.count;
    *vec_push(builder->arena, &builder->result->branches) = branch;
}

static bool is_conditional(const struct ptx_instruction *instruction, const struct ir_block *block)
{
    if (instruction->op == PTX_OP_brx)
        return true;
    if (instruction->guard == PTX_NONE)
        return false;
    return instruction->op == PTX_OP_bra || (block->leave != IR_LEAVE_NO && block->leave_is_guarded && block->leave != IR_LEAVE_TRAP);
}

static void read_branches(struct cost_builder *builder, const struct cost_part *part)
{
    const struct ir_cfg *cfg = part->cfg;
    struct branch_reader reader = {.builder = builder, .part = part};
    reader.ways.least = ARENA_ARRAY(builder->arena, uint32_t, cfg->block_count + 1);
    reader.ways.most = ARENA_ARRAY(builder->arena, uint32_t, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        if (!block->reachable || block->end == block->first)
            continue;
        if (is_conditional(cost_source(builder, cost_at(builder, part, block->end - 1)), block))
            read_branch(&reader, b);
    }
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static void read_loops(struct cost_builder *builder, struct cost_part *part)
{
    const struct ir_cfg *cfg = part->cfg;
    struct cost_result *result = builder->result;
    part->first_loop = result->loops.count;
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        const struct ir_loop *source = &cfg->loops[l];
        struct cost_loop loop = {.function = part->function,
                                 .depth = source->depth,
                                 .parent = source->parent == IR_NONE ? COST_NONE : part->first_loop + source->parent,
                                 .first = part->first + cfg->blocks[source->header].first,
                                 .turn = COST_NONE,
                                 .trips_class = COST_CLASS_UNKNOWN};
        for (uint32_t order = source->order_first; order < source->order_end; order++) {
            const struct ir_block *block = &cfg->blocks[cfg->by_order[order]];
            loop.body += block->end - block->first;
            for (uint32_t i = block->first; i < block->end; i++) {
                struct cost_instruction *instruction = cost_at(builder, part, i);
                if (instruction->depth < source->depth) {
                    instruction->depth = source->depth;
                    instruction->loop = result->loops.count;
                }
            }
            for (uint32_t k = 0; k < source->latch_count; k++)
                if (cfg->by_order[order] == source->latches[k] && part->first + block->end > loop.end)
                    loop.end = part->first + block->end;
        }
        loop.turn = loop.end == 0 ? COST_NONE : loop.end - 1;
        uint32_t shown = loop.turn != COST_NONE ? loop.turn : loop.first; /* the line of `for` and `while` */
        if (shown < part->first + part->count)
            loop.place = result->instructions.data[shown].place;
        *vec_push(builder->arena, &result->loops) = loop;
    }
}

void cost_read_flow(struct cost_builder *builder)
{
    for (uint32_t p = builder->parts.count; p-- > 0;) { /* callees first, where they do not call back */
        struct cost_part *part = &builder->parts.data[p];
        const struct ir_cfg *cfg = part->cfg;
        sum_blocks(builder, part);
        struct way_lengths ways = {ARENA_ARRAY(builder->arena, uint32_t, cfg->block_count + 1),
                                   ARENA_ARRAY(builder->arena, uint32_t, cfg->block_count + 1)};
        measure(part, 0, cfg->exit, &ways);
        part->least = ways.least[0] == UNREACHED ? 0 : ways.least[0];
        part->most = ways.most[0] == UNREACHED ? 0 : ways.most[0];
    }
    for (uint32_t p = 0; p < builder->parts.count; p++) {
        read_loops(builder, &builder->parts.data[p]);
        read_branches(builder, &builder->parts.data[p]);
    }
    builder->result->least = builder->parts.count == 0 ? 0 : builder->parts.data[0].least;
    builder->result->most = builder->parts.count == 0 ? 0 : builder->parts.data[0].most;
    builder->result->has_loop = builder->result->loops.count != 0;
}

/* One side alone and short: its instructions get guards, and the branch goes. */
static bool looks_predicated(const struct cost_branch *branch)
{
    enum { SHORT_BODY = 12 };
    const struct cost_path *body = branch->taken.most != 0 ? &branch->taken : &branch->not_taken;
    bool one_side = (branch->taken.most == 0) != (branch->not_taken.most == 0);
    return one_side && !branch->is_loop && !branch->is_exit && !body->has_loop && !body->has_call && !body->has_barrier &&
           body->instructions <= SHORT_BODY;
}

/* Does an earlier divergent branch meet at the same place? */
static bool meets_with_another(const struct cost_result *result, uint32_t number)
{
    const struct cost_branch *branch = &result->branches.data[number];
    for (uint32_t b = 0; b < number; b++) {
        const struct cost_branch *other = &result->branches.data[b];
        if (other->join == branch->join && other->reconvergence != 0 &&
            result->instructions.data[other->instruction].function == result->instructions.data[branch->instruction].function)
            return true;
    }
    return false;
}

void cost_finish_flow(struct cost_builder *builder)
{
    enum { RECONVERGENCE = 2 }; /* one before the branch, one where the lanes meet */
    struct cost_result *result = builder->result;
    for (uint32_t b = 0; b < result->branches.count; b++) {
        struct cost_branch *branch = &result->branches.data[b];
        branch->class = result->instructions.data[branch->instruction].guard;
        branch->is_predicated = looks_predicated(branch);
        bool needs_none = cost_class_is_uniform(branch->class) || branch->is_exit || branch->is_predicated || meets_with_another(result, b);
        branch->reconvergence = needs_none ? 0 : RECONVERGENCE;
        if (!branch->is_loop)
            continue;
        uint32_t loop = result->instructions.data[branch->instruction].loop;
        if (loop != COST_NONE && (result->loops.data[loop].trips_class == COST_CLASS_UNKNOWN || branch->class > result->loops.data[loop].trips_class))
            result->loops.data[loop].trips_class = branch->class;
    }
}
