/* SPDX-License-Identifier: Apache-2.0
 *
 * Which values and branches are the same in two threads of a launch, a block or a warp.
 *
 * Requires: a kernel in analysis.  Gives: see struct sym_uniform.  A value is the same if its operands are, and for a phi also the ways
 * to it; a value that leaves a loop must leave it in the same trip.  A branch whose condition may differ in form is still uniform if the
 * solver shows that both threads take the same way.  All is assumed to be the same at first and taken back until nothing changes;
 * what is left holds by induction over the steps of the two threads.  Sound for reducible flow.  Gives up on: values from memory that
 * the launch may write, brx.
 */
#include "sym/uniform.h"

/* ---- values ------------------------------------------------------------------------------------------------ */

bool sym_differs(const struct sym_uniform *uniform, uint32_t value, uint32_t block)
{
    const struct ir_function *ir = uniform->kernel->ir;
    const struct ir_cfg *cfg = ir->cfg;
    if (uniform->values[value])
        return true;
    if (ir->values[value].kind != IR_VALUE_RESULT)
        return false;
    uint32_t loop = cfg->blocks[ir->instructions[ir->values[value].index].block].loop;
    for (; loop != IR_NONE && !ir_loop_contains(cfg, loop, block); loop = cfg->loops[loop].parent)
        if (uniform->loops[loop])
            return true; /* it is of the last trip, which is not the same one */
    return false;
}

static bool special_differs(enum sym_scope scope, enum ptx_special special)
{
    switch (special) {
    case PTX_SPECIAL_ntid:
    case PTX_SPECIAL_nctaid:
    case PTX_SPECIAL_nwarpid:
    case PTX_SPECIAL_dynamic_smem_size:
    case PTX_SPECIAL_total_smem_size:
        return false;
    case PTX_SPECIAL_ctaid:
        return scope == SYM_SCOPE_LAUNCH;
    default:
        return true;
    }
}

static bool leaf_differs(const struct sym_uniform *uniform, uint32_t value)
{
    const struct ir_function *ir = uniform->kernel->ir;
    const struct ir_value *data = &ir->values[value];
    switch (data->kind) {
    case IR_VALUE_CONSTANT:
    case IR_VALUE_PARAMETER:
    case IR_VALUE_FUNCTION:
        return false;
    case IR_VALUE_ADDRESS:
        return ir->objects[data->index].space == PTX_SPACE_LOCAL;
    case IR_VALUE_SPECIAL:
        return special_differs(uniform->scope, (enum ptx_special)data->index);
    default:
        return true;
    }
}

/* Loads that read the same each time: of an array that the launch never writes. */
static bool is_stable(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    if (instruction->access_count != 1)
        return false;
    const struct ir_access *access = &kernel->ir->accesses[instruction->first_access];
    if ((access->flags & ~(uint32_t)(IR_ACCESS_READ | IR_ACCESS_CONSTANT)) != 0 || access->size == 0 || access->size > 8)
        return false;
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        sym_poly address = sym_shift(kernel->sym, sym_value(kernel, access->address), access->offset + (int64_t)r * access->size);
        bool found = false;
        for (uint32_t i = 0; i < kernel->loads.count && !found; i++)
            found = kernel->loads.data[i].address == address && kernel->loads.data[i].bits == 8 * access->size;
        if (!found)
            return false;
    }
    return true;
}

/* Results that hang on more than the operands. */
static bool is_own(struct sym_uniform *uniform, const struct ir_instruction *instruction)
{
    enum { NOT_PURE = PTX_FLAG_LOAD | PTX_FLAG_STORE | PTX_FLAG_ATOMIC | PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_VOLATILE |
                      PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE | PTX_FLAG_BRANCH | PTX_FLAG_FENCE };
    if (instruction->op == IR_OP_HAVOC || instruction->op == PTX_OP_OPAQUE)
        return true;
    if (instruction->access_count != 0)
        return !is_stable(uniform->kernel, instruction);
    return instruction->op < PTX_OP_COUNT && (ptx_op_info((enum ptx_op)instruction->op)->flags & NOT_PURE) != 0;
}

/* ---- phis ------------------------------------------------------------------------------------------------------- */

/* May threads come to `block` from its immediate dominator by different ways?  Of a header: over its entries, or over its ways back. */
static bool ways_differ(struct sym_uniform *uniform, uint32_t block, bool back)
{
    struct sym_kernel *kernel = uniform->kernel;
    const struct ir_cfg *cfg = kernel->ir->cfg;
    const struct ir_block *data = &cfg->blocks[block];
    uint32_t stop = back ? block : data->idom;
    struct bitset seen;
    sym_blocks work = {0};
    bitset_init(&seen, kernel->arena, cfg->block_count + 1);
    for (uint32_t p = 0; p < data->predecessor_count; p++)
        if (sym_is_back_edge(kernel, data->predecessors[p], block) == back)
            *vec_push(kernel->arena, &work) = data->predecessors[p];
    while (work.count != 0) {
        uint32_t at = work.data[--work.count];
        if (bitset_has(&seen, at))
            continue;
        bitset_add(&seen, at);
        if (uniform->branches[at])
            return true;
        for (uint32_t p = 0; at != stop && p < cfg->blocks[at].predecessor_count; p++)
            *vec_push(kernel->arena, &work) = cfg->blocks[at].predecessors[p];
    }
    if (back || stop == IR_NONE)
        return false;
    /* The dominator is seen in the last trip of loops that have been left since. */
    for (uint32_t loop = cfg->blocks[stop].loop; loop != IR_NONE && !ir_loop_contains(cfg, loop, block); loop = cfg->loops[loop].parent)
        if (uniform->loops[loop])
            return true;
    return false;
}

/* Do the operands from entries (or from ways back) differ between threads? */
static bool operands_differ(struct sym_uniform *uniform, const struct ir_instruction *phi, bool back)
{
    struct sym_kernel *kernel = uniform->kernel;
    const struct ir_block *block = &kernel->ir->cfg->blocks[phi->block];
    const uint32_t *operands = ir_operands(kernel->ir, phi);
    uint32_t first = IR_NONE;
    bool several = false;
    for (uint32_t i = 0; i < phi->operand_count; i++) {
        if (sym_is_back_edge(kernel, block->predecessors[i], phi->block) != back)
            continue;
        if (sym_differs(uniform, operands[i], phi->block))
            return true;
        several |= first != IR_NONE && first != operands[i];
        first = operands[i];
    }
    return several && ways_differ(uniform, phi->block, back);
}

static bool result_differs(struct sym_uniform *uniform, const struct ir_instruction *instruction)
{
    const struct ir_function *ir = uniform->kernel->ir;
    const uint32_t *operands = ir_operands(ir, instruction);
    if (instruction->op == IR_OP_PHI) {
        if (instruction->operand_count != ir->cfg->blocks[instruction->block].predecessor_count)
            return true;
        return operands_differ(uniform, instruction, false) || operands_differ(uniform, instruction, true);
    }
    if (is_own(uniform, instruction))
        return true;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (sym_differs(uniform, operands[i], instruction->block))
            return true;
    return instruction->guard != IR_NONE && sym_differs(uniform, instruction->guard, instruction->block);
}

static bool update_values(struct sym_uniform *uniform)
{
    const struct ir_function *ir = uniform->kernel->ir;
    bool changed = false;
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        if (instruction->result_count == 0 || uniform->values[instruction->first_result] || !result_differs(uniform, instruction))
            continue;
        for (uint32_t r = 0; r < instruction->result_count; r++)
            uniform->values[instruction->first_result + r] = true;
        changed = true;
    }
    return changed;
}

/* ---- branches ----------------------------------------------------------------------------------------------------- */

static const struct ir_instruction *last_of(const struct ir_function *ir, uint32_t block)
{
    const struct ir_block *data = &ir->cfg->blocks[block];
    return data->end == data->first ? NULL : &ir->instructions[data->end - 1];
}

static bool branch_differs(struct sym_uniform *uniform, uint32_t block)
{
    const struct ir_function *ir = uniform->kernel->ir;
    const struct ir_instruction *last = last_of(ir, block);
    if (last == NULL)
        return true;
    if (last->guard != IR_NONE && sym_differs(uniform, last->guard, block))
        return true;
    if (last->op == PTX_OP_bra)
        return last->guard == IR_NONE;
    if (ir->cfg->blocks[block].leave != IR_LEAVE_NO && last->guard != IR_NONE)
        return false;
    if (last->op != PTX_OP_brx)
        return true;
    for (uint32_t i = 0; i < last->operand_count; i++)
        if (sym_differs(uniform, ir_operands(ir, last)[i], block))
            return true;
    return false;
}

static bool update_branches(struct sym_uniform *uniform)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    bool changed = false;
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (sym_is_branch(cfg, b) && !uniform->branches[b] && !uniform->assumed[b] && branch_differs(uniform, b))
            uniform->branches[b] = changed = true;
    for (uint32_t l = 0; l < cfg->loop_count; l++)
        if (!uniform->loops[l] && sym_loop_differs(uniform, l))
            uniform->loops[l] = changed = true;
    return changed;
}

/* ---- questions ------------------------------------------------------------------------------------------------------- */

enum { MAX_QUESTIONS = 200, MAX_HARD = 12 };

bool sym_same_condition(struct sym_uniform *uniform, uint32_t block, sym_cond condition, const sym_facts *extra)
{
    struct sym_kernel *kernel = uniform->kernel;
    sym_facts facts = {0}, all = {0};
    if (condition == SYM_TRUE || condition == SYM_FALSE)
        return true;
    sym_facts_at_block(kernel, block, &facts);
    for (uint32_t i = 0; extra != NULL && i < extra->count; i++)
        sym_facts_add(kernel, &facts, extra->data[i]);
    for (uint32_t i = 0; uniform->among != NULL && i < uniform->among->count; i++)
        sym_facts_add(kernel, &facts, uniform->among->data[i]);
    sym_facts_close(kernel, &facts, condition);
    sym_pair_relate_at(uniform->pair, block);
    for (uint32_t i = 0; i < facts.count; i++)
        sym_facts_add(kernel, &all, facts.data[i]);
    sym_pair_add_other(uniform->pair, &facts, &all);
    sym_facts_add(kernel, &all, condition);
    if (uniform->scope == SYM_SCOPE_WARP)
        sym_pair_same_warp(uniform->pair, &all);
    sym_cond other = sym_pair_other_cond(uniform->pair, condition);
    uniform->asked++;
    /* The threads may change places: one direction is enough.  Most branches that part threads do so plainly: little effort for each. */
    struct sym_limits limits = {.z3_resources = 60000, .max_splits = 16, .max_products = 120};
    if (sym_prove(kernel->sym, all.data, all.count, other, &limits) == SYM_PROVED)
        return true;
    return uniform->asked_hard++ < MAX_HARD && sym_prove(kernel->sym, all.data, all.count, other, &kernel->limits) == SYM_PROVED;
}

static sym_cond branch_condition(struct sym_uniform *uniform, uint32_t block)
{
    const struct ir_instruction *last = last_of(uniform->kernel->ir, block);
    if (last == NULL || last->guard == IR_NONE ||
        (last->op != PTX_OP_bra && uniform->kernel->ir->cfg->blocks[block].leave == IR_LEAVE_NO))
        return SYM_NONE;
    return sym_truth(uniform->kernel, last->guard);
}

static void assume_branches(struct sym_uniform *uniform, const struct bitset *places)
{
    struct sym_kernel *kernel = uniform->kernel;
    const struct ir_cfg *cfg = kernel->ir->cfg;
    struct bitset wanted;
    bitset_init(&wanted, kernel->arena, cfg->block_count + 1);
    for (uint32_t b = 0; b < cfg->block_count; b++)
        if (bitset_has(places, b))
            sym_control_closure(uniform, b, IR_NONE, &wanted);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        sym_cond condition = bitset_has(&wanted, b) ? branch_condition(uniform, b) : SYM_NONE;
        uniform->assumed[b] = condition != SYM_NONE && !sym_depends_on_data(kernel, condition);
    }
}

static void update_all(struct sym_uniform *uniform)
{
    bool changed = true;
    while (changed) {
        changed = update_values(uniform);
        changed |= update_branches(uniform);
    }
}

/* Takes back what cannot be shown; true if something was. */
static bool ask_assumed(struct sym_uniform *uniform)
{
    const struct ir_cfg *cfg = uniform->kernel->ir->cfg;
    bool changed = false;
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        if (!uniform->assumed[b] || !branch_differs(uniform, b))
            continue;
        if (uniform->asked < MAX_QUESTIONS && sym_same_condition(uniform, b, branch_condition(uniform, b), NULL))
            continue;
        uniform->assumed[b] = false;
        changed = true;
    }
    return changed;
}

static struct sym_uniform *build(struct sym_kernel *kernel, enum sym_scope scope, const sym_facts *among, const struct bitset *places)
{
    const struct ir_function *ir = kernel->ir;
    struct sym_uniform *uniform = ARENA_NEW(kernel->arena, struct sym_uniform);
    uniform->kernel = kernel;
    uniform->scope = scope;
    uniform->among = among;
    uniform->values = ARENA_ARRAY(kernel->arena, bool, ir->value_count + 1);
    uniform->branches = ARENA_ARRAY(kernel->arena, bool, ir->cfg->block_count + 1);
    uniform->assumed = ARENA_ARRAY(kernel->arena, bool, ir->cfg->block_count + 1);
    uniform->loops = ARENA_ARRAY(kernel->arena, bool, ir->cfg->loop_count + 1);
    uniform->pair = sym_pair_new(kernel, uniform);
    sym_control_build(uniform);
    for (uint32_t v = 0; v < ir->value_count; v++)
        uniform->values[v] = ir->values[v].kind != IR_VALUE_RESULT && leaf_differs(uniform, v);
    if (places != NULL)
        assume_branches(uniform, places);
    do
        update_all(uniform);
    while (ask_assumed(uniform));
    return uniform;
}

struct sym_uniform *sym_uniform_build(struct sym_kernel *kernel, enum sym_scope scope, const struct bitset *places)
{
    return build(kernel, scope, NULL, places);
}

struct sym_uniform *sym_uniform_among(struct sym_kernel *kernel, const sym_facts *facts, const struct bitset *places)
{
    return build(kernel, SYM_SCOPE_BLOCK, facts, places);
}
