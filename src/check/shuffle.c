/* SPDX-License-Identifier: Apache-2.0
 *
 * LW203 of one warp operation (shfl, vote, match, redux, bar.warp with .sync).
 *
 * Requires: what is uniform in a warp.  Gives: proved if the lanes that the mask names are those that come.  Four kinds of mask are
 * understood: all lanes, where the warp comes as a whole; the lanes that the warp has, by all ones shifted right, where it comes as a
 * whole; a run of lanes by a constant, where exactly those come; the result of a ballot whose own condition is the branch that leads
 * here.  Lanes that a last, partial warp does not have may be named, but a shuffle must be shown to read none of them.
 */
#include "check/sync.h"

#define ALL_LANES 0xffffffffu

static uint32_t mask_operand(const struct prove *prove, const struct ir_instruction *instruction)
{
    return ir_operands(prove->ir, instruction)[instruction->operand_count - 1];
}

static bool constant_mask(struct prove *prove, uint32_t value, uint32_t *mask)
{
    sym_integer number;
    if (!sym_is_constant(prove->sym, sym_reading(prove->kernel, value, false), &number))
        return false;
    *mask = (uint32_t)number;
    return true;
}

/* ---- a run of lanes ------------------------------------------------------------------------------------------- */

static sym_poly lane_of(struct prove *prove)
{
    struct sym *sym = prove->sym;
    sym_poly linear = sym_linear_thread(prove->kernel);
    return sym_subtract(sym, linear, sym_scale(sym, sym_quotient(sym, linear, sym_constant(sym, 32)), 32));
}

/* The lanes [first, end) of each warp come, and no others. */
static bool only_lanes_come(struct sync *sync, const struct sync_point *point, int first, int end)
{
    struct prove *prove = sync->prove;
    struct sym *sym = prove->sym;
    const struct ir_cfg *cfg = prove->ir->cfg;
    sym_poly lane = lane_of(prove);
    sym_cond above = sym_ge(sym, sym_shift(sym, lane, -first));
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_scale(sym, lane, -1), end - 1));
    sym_facts facts = {0}, inside = {0};
    struct bitset branches;
    sym_facts_at_instruction(prove->kernel, point->instruction, &facts);
    sym_facts_close(prove->kernel, &facts, sym_and(sym, above, below));
    if (sym_prove(sym, facts.data, facts.count, above, &prove->kernel->limits) != SYM_PROVED ||
        sym_prove(sym, facts.data, facts.count, below, &prove->kernel->limits) != SYM_PROVED)
        return false;
    sym_facts_add(prove->kernel, &inside, above);
    sym_facts_add(prove->kernel, &inside, below);
    bitset_init(&branches, prove->arena, cfg->block_count + 1);
    sym_control_closure(sync->warp, prove->ir->instructions[point->instruction].block, IR_NONE, &branches);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        if (!bitset_has(&branches, b) || !sync->warp->branches[b])
            continue;
        const struct ir_block *block = &cfg->blocks[b];
        const struct ir_instruction *last = &prove->ir->instructions[block->end - 1];
        if (block->end == block->first || last->guard == IR_NONE ||
            sym_depends_on_data(prove->kernel, sym_truth(prove->kernel, last->guard)) ||
            !sym_same_condition(sync->warp, b, sym_truth(prove->kernel, last->guard), &inside))
            return false;
    }
    return true;
}

/* Bits [first, end) and no others. */
static bool is_run(uint32_t mask, int *first, int *end)
{
    if (mask == 0)
        return false;
    *first = __builtin_ctz(mask);
    *end = 32 - __builtin_clz(mask);
    uint64_t run = ((uint64_t)1 << *end) - ((uint64_t)1 << *first);
    return run == mask;
}

/* ---- the lanes that there are ------------------------------------------------------------------------------------- */

/* Threads of the block from the first of this warp on: its lanes are [0, this), at most 32. */
static sym_poly threads_left(struct prove *prove)
{
    struct sym *sym = prove->sym;
    sym_poly threads = sym_constant(sym, 1);
    for (int axis = 0; axis < 3; axis++)
        threads = sym_multiply(sym, threads, prove->environment->block[axis]);
    sym_poly warp = sym_quotient(sym, sym_linear_thread(prove->kernel), sym_constant(sym, 32));
    return sym_subtract(sym, threads, sym_scale(sym, warp, 32));
}

static bool holds_here(struct prove *prove, const struct sync_point *point, sym_cond extra, sym_cond goal)
{
    sym_facts facts = {0};
    sym_facts_at_instruction(prove->kernel, point->instruction, &facts);
    sym_facts_add(prove->kernel, &facts, extra);
    sym_facts_close(prove->kernel, &facts, goal);
    return sym_prove(prove->sym, facts.data, facts.count, goal, &prove->kernel->limits) == SYM_PROVED;
}

/* The mask is 0xffffffff >> amount, and the amount is the number of lanes that this warp lacks. */
static bool names_existing_lanes(struct prove *prove, const struct sync_point *point, uint32_t value)
{
    const struct ir_function *ir = prove->ir;
    struct sym *sym = prove->sym;
    uint32_t ones;
    if (ir->values[value].kind != IR_VALUE_RESULT)
        return false;
    const struct ir_instruction *shift = &ir->instructions[ir->values[value].index];
    if (shift->op != PTX_OP_shr || shift->guard != IR_NONE || shift->operand_count != 2 ||
        (shift->source->type != PTX_U32 && shift->source->type != PTX_B32) ||
        !constant_mask(prove, ir_operands(ir, shift)[0], &ones) || ones != ALL_LANES)
        return false;
    sym_poly amount = sym_reading(prove->kernel, ir_operands(ir, shift)[1], false), left = threads_left(prove);
    sym_cond is_whole = sym_ge(sym, sym_shift(sym, left, -32));
    sym_poly lacking = sym_shift(sym, sym_scale(sym, left, -1), 32);
    return holds_here(prove, point, is_whole, sym_eq(sym, amount)) &&
           holds_here(prove, point, sym_not(sym, is_whole), sym_eq(sym, sym_subtract(sym, amount, lacking)));
}

/* Every lane of the warp reads a lane that there is: upwards always, by number where the number is shown to be below the lanes. */
static bool reads_existing_lanes(struct prove *prove, const struct sync_point *point)
{
    const struct ir_instruction *shuffle = &prove->ir->instructions[point->instruction];
    const uint32_t *operands = ir_operands(prove->ir, shuffle);
    struct sym *sym = prove->sym;
    uint32_t clamp;
    if (shuffle->op != PTX_OP_shfl || shuffle->source->mode == PTX_MODE_UP)
        return true;
    if (shuffle->source->mode != PTX_MODE_IDX || shuffle->operand_count < 4 || !constant_mask(prove, operands[2], &clamp) || clamp != 31)
        return false;
    sym_poly from = sym_reading(prove->kernel, operands[1], false);
    return holds_here(prove, point, SYM_TRUE, sym_ge(sym, sym_shift(sym, sym_scale(sym, from, -1), 31))) &&
           holds_here(prove, point, SYM_TRUE, sym_ge(sym, sym_shift(sym, sym_subtract(sym, threads_left(prove), from), -1)));
}

/* ---- a ballot ------------------------------------------------------------------------------------------------------ */

/* The ballot of all lanes that made the mask; NULL. */
static const struct ir_instruction *ballot_of(struct prove *prove, uint32_t value)
{
    const struct ir_function *ir = prove->ir;
    uint32_t mask;
    if (ir->values[value].kind != IR_VALUE_RESULT)
        return NULL;
    const struct ir_instruction *vote = &ir->instructions[ir->values[value].index];
    if (vote->op != PTX_OP_vote || vote->source->mode != PTX_MODE_BALLOT || vote->operand_count != 2 || vote->guard != IR_NONE ||
        !constant_mask(prove, ir_operands(ir, vote)[1], &mask) || mask != ALL_LANES)
        return NULL;
    return vote;
}

/* The lanes for which the ballot's condition holds come here, and no others: one branch parts the warp, on that very condition. */
static bool ballot_leads_here(struct sync *sync, const struct sync_point *point, const struct ir_instruction *vote)
{
    const struct ir_function *ir = sync->prove->ir;
    const struct ir_cfg *cfg = ir->cfg;
    uint32_t place = ir->instructions[point->instruction].block, parting = IR_NONE;
    struct bitset branches;
    bitset_init(&branches, sync->prove->arena, cfg->block_count + 1);
    sym_control_closure(sync->warp, place, IR_NONE, &branches);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (bitset_has(&branches, b) && sync->warp->branches[b]) {
            if (parting != IR_NONE)
                return false;
            parting = b;
        }
    if (parting == IR_NONE || sym_uniform_obstacle(sync->warp, vote->block) != IR_NONE)
        return false;
    const struct ir_block *block = &cfg->blocks[parting];
    const struct ir_instruction *last = &ir->instructions[block->end - 1];
    if (last->op != PTX_OP_bra || last->guard == IR_NONE || block->successor_count != 2 ||
        cfg->blocks[vote->block].loop != block->loop || !ir_cfg_dominates(cfg, vote->block, parting))
        return false;
    /* Both stand in the same trip, so equal conditions are equal truths. */
    sym_cond taken = sym_truth(sync->prove->kernel, last->guard), voted = sym_truth(sync->prove->kernel, ir_operands(ir, vote)[0]);
    if (last->guard_negated)
        taken = sym_not(sync->prove->sym, taken);
    if (voted != taken && voted != sym_not(sync->prove->sym, taken))
        return false;
    uint32_t way = block->successors[voted == taken ? 0 : 1];
    return cfg->blocks[way].predecessor_count == 1 && ir_cfg_dominates(cfg, way, place) && cfg->blocks[place].loop == block->loop;
}

/* ---- all ------------------------------------------------------------------------------------------------------------- */

void prove_warp_operation(struct sync *sync, struct sync_point *point)
{
    struct prove *prove = sync->prove;
    const struct ir_instruction *instruction = &prove->ir->instructions[point->instruction];
    uint32_t operand = mask_operand(prove, instruction), mask = 0;
    uint32_t branch = sym_uniform_obstacle(sync->warp, instruction->block);
    bool is_constant = constant_mask(prove, operand, &mask);
    const struct ir_instruction *ballot = is_constant ? NULL : ballot_of(prove, operand);
    bool whole_warps = sync_threads_multiple_of(prove, 32) != 0;
    int first, end;
    if (!sync_guard_is_uniform(sync->warp, point->instruction)) {
        sync_part_here(point, "its guard may differ between lanes of a warp");
    } else if (is_constant && mask == ALL_LANES && branch != IR_NONE) {
        sync_part_at(sync, point, sync->warp, branch);
    } else if (is_constant && mask == ALL_LANES) {
        point->is_full = true;
        if (!whole_warps && !reads_existing_lanes(prove, point)) {
            point->answer.verdict = CHECK_UNPROVED;
            point->answer.reason = "the last warp may have fewer lanes than the mask names: the block is no multiple of 32";
        }
    } else if (!is_constant && branch == IR_NONE && names_existing_lanes(prove, point, operand)) {
        point->is_full = true;
        if (!whole_warps && !reads_existing_lanes(prove, point)) {
            point->answer.verdict = CHECK_UNPROVED;
            point->answer.reason = "a last, partial warp may lack the lane that it reads";
        }
    } else if (is_constant && whole_warps && is_run(mask, &first, &end)) {
        if (!only_lanes_come(sync, point, first, end))
            sync_part_here(point, arena_printf(prove->arena, "cannot show that lanes %d to %d come here, and no others", first, end - 1));
    } else if (ballot == NULL || !ballot_leads_here(sync, point, ballot)) {
        sync_part_here(point, is_constant ? "which lanes come is not known to fit its mask"
                                          : "its mask is computed in a way that is not followed");
    }
}
