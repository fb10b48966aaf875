/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a kernel, counted, and two kernels in two columns.
 */
#include "guard/twin.h"

#include "ir/ir.h"

#include <string.h>

/* ---- branches -------------------------------------------------------------------------------------------------------------- */

/* All blocks are doomed, until one is found that leaves otherwise. */
bool *twin_find_doomed(struct arena *arena, const struct ir_cfg *cfg)
{
    bool *doomed = ARENA_ARRAY(arena, bool, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        doomed[b] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < cfg->block_count; b++) {
            const struct ir_block *block = &cfg->blocks[b];
            bool leaves = block->leave == IR_LEAVE_RETURN || block->leave == IR_LEAVE_EXIT;
            for (uint32_t s = 0; s < block->successor_count; s++)
                leaves |= block->successors[s] != cfg->exit && !doomed[block->successors[s]];
            if (doomed[b] && leaves) {
                doomed[b] = false;
                changed = true;
            }
        }
    }
    return doomed;
}

/* Does the block leave without doing anything on the way? */
static bool goes_out(const struct ir_cfg *cfg, uint32_t block)
{
    const struct ir_block *data = &cfg->blocks[block];
    return (data->leave == IR_LEAVE_RETURN || data->leave == IR_LEAVE_EXIT) && !data->leave_is_guarded && data->end - data->first <= 1;
}

static bool goes_round(const struct ir_cfg *cfg, uint32_t block)
{
    uint32_t loop = cfg->blocks[block].loop;
    if (loop == IR_NONE)
        return false;
    for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++)
        if (!ir_loop_contains(cfg, loop, cfg->blocks[block].successors[s]) || cfg->blocks[block].successors[s] == cfg->loops[loop].header)
            return true;
    return false;
}

static enum twin_branch kind_of(const struct ir_cfg *cfg, const bool *doomed, uint32_t block)
{
    const struct ir_block *data = &cfg->blocks[block];
    enum twin_branch kind = TWIN_BRANCH_OTHER;
    for (uint32_t s = 0; s < data->successor_count; s++) {
        uint32_t next = data->successors[s];
        if (next == cfg->exit)
            continue;
        if (doomed[next])
            return TWIN_BRANCH_CHECK;
        if (goes_out(cfg, next))
            kind = TWIN_BRANCH_EXIT;
    }
    return goes_round(cfg, block) ? TWIN_BRANCH_LOOP : kind;
}

/* ---- memory ------------------------------------------------------------------------------------------------------------------- */

static unsigned width_of(const struct ptx_instruction *instruction)
{
    unsigned bytes = ptx_type_size((enum ptx_type)instruction->type) * (instruction->vector == 0 ? 1 : instruction->vector), width = 0;
    while (width + 1 < TWIN_WIDTHS && 1u << width < bytes)
        width++;
    return width;
}

static void count_instruction(struct twin_profile *profile, const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->op == PTX_OP_OPAQUE ? 0 : ptx_op_info((enum ptx_op)instruction->op)->flags;
    profile->instructions++;
    profile->barriers += (flags & PTX_FLAG_BARRIER) != 0 && instruction->mode != PTX_MODE_WARP;
    profile->warp_operations += (flags & (PTX_FLAG_WARP_SYNC | PTX_FLAG_MATRIX)) != 0;
    profile->calls += instruction->op == PTX_OP_call;
    profile->traps += instruction->op == PTX_OP_trap;
    profile->divisions += (instruction->op == PTX_OP_div || instruction->op == PTX_OP_rem) && !ptx_type_is_float((enum ptx_type)instruction->type);
    if ((flags & PTX_FLAG_ATOMIC) != 0)
        profile->atomics[instruction->space]++;
    else if (instruction->space == PTX_SPACE_PARAM)
        return;
    else if ((flags & PTX_FLAG_LOAD) != 0)
        profile->loads[instruction->space][width_of(instruction)]++;
    else if ((flags & PTX_FLAG_STORE) != 0)
        profile->stores[instruction->space][width_of(instruction)]++;
}

static bool is_access(const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->op == PTX_OP_OPAQUE ? 0 : ptx_op_info((enum ptx_op)instruction->op)->flags;
    return (flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE | PTX_FLAG_ATOMIC)) != 0 && instruction->space != PTX_SPACE_PARAM;
}

static void add_loop(struct arena *arena, struct twin_profile *profile, const struct ir_cfg *cfg, uint32_t index)
{
    const struct ir_loop *loop = &cfg->loops[index];
    const struct ptx_module *module = cfg->module;
    struct twin_loop made = {.depth = loop->depth, .blocks = loop->order_end - loop->order_first, .unroll = 1};
    VEC(const struct ptx_instruction *) seen = {0};
    made.line = cfg->blocks[loop->header].first < cfg->source->instructions.count
                    ? cfg->source->instructions.data[cfg->blocks[loop->header].first].line
                    : cfg->source->line;
    for (uint32_t o = loop->order_first; o < loop->order_end; o++) {
        const struct ir_block *block = &cfg->blocks[cfg->by_order[o]];
        made.instructions += block->end - block->first;
        for (uint32_t i = block->first; i < block->end; i++) {
            const struct ptx_instruction *instruction = &cfg->source->instructions.data[i];
            if (!is_access(instruction))
                continue;
            made.accesses++;
            *vec_push(arena, &seen) = instruction;
            const struct ptx_location *place = &module->locations.data[instruction->location];
            uint32_t copies = 0;
            for (uint32_t k = 0; k < seen.count && place->line != 0; k++) {
                const struct ptx_location *other = &module->locations.data[seen.data[k]->location];
                copies += other->line == place->line && other->column == place->column && seen.data[k]->op == instruction->op && place->column != 0;
            }
            made.unroll = copies > made.unroll ? copies : made.unroll;
        }
    }
    *vec_push(arena, &profile->loops) = made;
}

struct twin_profile twin_profile_of(struct arena *arena, const struct ptx_module *module, uint32_t function, const char *name)
{
    const struct ir_cfg *cfg = ir_cfg_build(arena, module, function);
    const bool *doomed = twin_find_doomed(arena, cfg);
    struct twin_profile profile = {.name = name};
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        if (!block->reachable)
            continue;
        if (doomed[b]) {
            profile.doomed += block->end - block->first;
            for (uint32_t i = block->first; i < block->end; i++)
                profile.traps += cfg->source->instructions.data[i].op == PTX_OP_trap;
            continue;
        }
        profile.blocks += block->end != block->first;
        profile.branches[kind_of(cfg, doomed, b)] += block->successor_count > 1;
        for (uint32_t i = block->first; i < block->end; i++)
            count_instruction(&profile, &cfg->source->instructions.data[i]);
    }
    for (uint32_t l = 0; l < cfg->loop_count; l++)
        if (!doomed[cfg->loops[l].header])
            add_loop(arena, &profile, cfg, l);
    return profile;
}

/* ---- two columns --------------------------------------------------------------------------------------------------------------- */

static void row(struct buffer *out, const char *what, uint32_t a, uint32_t b)
{
    if (a == 0 && b == 0)
        return;
    buffer_printf(out, "  %-32s %9u %9u", what, a, b);
    if (a != b)
        buffer_printf(out, "  %+lld", (long long)b - (long long)a);
    buffer_putc(out, '\n');
}

static void memory_rows(struct buffer *out, const char *verb, const uint32_t a[PTX_SPACE_COUNT][TWIN_WIDTHS],
                        const uint32_t b[PTX_SPACE_COUNT][TWIN_WIDTHS])
{
    for (unsigned space = 0; space < PTX_SPACE_COUNT; space++)
        for (unsigned width = 0; width < TWIN_WIDTHS; width++) {
            const char *where = space == PTX_SPACE_NONE ? "generic" : ptx_space_name((enum ptx_space)space);
            row(out, arena_printf(out->arena, "%s, %s, %u byte%s", verb, where, 1u << width, width == 0 ? "" : "s"), a[space][width], b[space][width]);
        }
}

static void loop_rows(struct buffer *out, const struct twin_profile *a, const struct twin_profile *b)
{
    uint32_t count = a->loops.count > b->loops.count ? a->loops.count : b->loops.count;
    for (uint32_t l = 0; l < count; l++) {
        struct twin_loop none = {0};
        const struct twin_loop *first = l < a->loops.count ? &a->loops.data[l] : &none, *second = l < b->loops.count ? &b->loops.data[l] : &none;
        buffer_printf(out, "  loop %u%s\n", l + 1, first->depth > 1 || second->depth > 1 ? ", inside another" : "");
        row(out, "  instructions", first->instructions, second->instructions);
        row(out, "  blocks", first->blocks, second->blocks);
        row(out, "  memory operations", first->accesses, second->accesses);
        row(out, "  copies of a line (unrolled)", first->unroll, second->unroll);
    }
}

void twin_print(const struct twin_profile *a, const struct twin_profile *b, struct buffer *out)
{
    static const char *const branches[TWIN_BRANCH_COUNT] = {"branches: exit test", "branches: check", "branches: loop", "branches: other"};
    buffer_printf(out, "  %-32s %9.20s %9.20s\n", "", "first", "second");
    row(out, "instructions", a->instructions, b->instructions);
    row(out, "basic blocks", a->blocks, b->blocks);
    for (int kind = 0; kind < TWIN_BRANCH_COUNT; kind++)
        row(out, branches[kind], a->branches[kind], b->branches[kind]);
    memory_rows(out, "loads", a->loads, b->loads);
    memory_rows(out, "stores", a->stores, b->stores);
    for (unsigned space = 0; space < PTX_SPACE_COUNT; space++)
        row(out, arena_printf(out->arena, "atomics, %s", space == PTX_SPACE_NONE ? "generic" : ptx_space_name((enum ptx_space)space)), a->atomics[space],
            b->atomics[space]);
    row(out, "barriers", a->barriers, b->barriers);
    row(out, "warp operations", a->warp_operations, b->warp_operations);
    row(out, "integer divisions", a->divisions, b->divisions);
    row(out, "calls", a->calls, b->calls);
    row(out, "instructions before a trap", a->doomed, b->doomed);
    row(out, "traps", a->traps, b->traps);
    loop_rows(out, a, b);
}
