/* SPDX-License-Identifier: Apache-2.0
 *
 * Can a launch be cut into its full blocks and its tails, and which tests does that decide?
 *
 * Requires: what check_kernel requires.  Gives: for each guarded instruction of the kernel's own body what full blocks, and threads of the
 * domain, know of its guard; whether threads outside of the domain do nothing, so that a block can be as small as what is left; or why the
 * launch must stay whole.
 * Gives up on: kernels in which blocks tell each other something (tickets, atomics whose old value is used, grid synchronisation, ordered
 * loads), device functions that are still called, 2^32 threads and more on an axis that proofs cannot bound.
 */
#include "check/prove.h"

#include <string.h>

struct split {
    struct prove prove;
    struct check_split *out;
    uint32_t decided;
    sym_cond full, inside, outside[3]; /* outside: SYM_FALSE on an axis without a domain */
};

static const char *line_of(struct split *split, uint32_t instruction)
{
    struct place place = ir_place(split->prove.ir, instruction);
    return place.line == 0 ? "" : arena_printf(split->prove.arena, " (line %u)", place.line);
}

/* ---- what keeps a launch whole ----------------------------------------------------------------------------------- */

static const char *special_obstacle(const struct ptx_operand *operand)
{
    bool is_geometry = operand->special == PTX_SPECIAL_ctaid || operand->special == PTX_SPECIAL_nctaid || operand->special == PTX_SPECIAL_ntid;
    const char *name = operand->text;
    if (strncmp(name, "%envreg", 7) == 0)
        return "it may synchronise the grid: it reads an environment register";
    if (strstr(name, "cluster") != NULL)
        return "its blocks form clusters";
    if (is_geometry && (operand->component < 1 || operand->component > 3))
        return "it reads its place in the grid as a vector";
    return operand->special == PTX_SPECIAL_UNKNOWN ? "it reads a special register that is not known" : NULL;
}

static const char *operand_obstacle(const struct ptx_operand *operand)
{
    const char *why = operand->kind == PTX_OPERAND_SPECIAL ? special_obstacle(operand) : NULL;
    for (uint32_t e = 0; e < operand->count && why == NULL; e++)
        why = operand_obstacle(&operand->elements[e]);
    return why;
}

static bool is_shared_with_blocks(const struct ir_access *access)
{
    return access->space != PTX_SPACE_SHARED && access->space != PTX_SPACE_LOCAL && access->space != PTX_SPACE_PARAM;
}

static bool uses_result(const struct ir_function *ir, const struct ir_instruction *instruction)
{
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        uint32_t value = instruction->first_result + r;
        if (ir->use_start[value + 1] != ir->use_start[value])
            return true;
    }
    return false;
}

static const char *instruction_obstacle(struct split *split, uint32_t index)
{
    const struct ir_function *ir = split->prove.ir;
    const struct ir_instruction *instruction = &ir->instructions[index];
    struct arena *arena = split->prove.arena;
    for (uint32_t a = 0; a < instruction->access_count; a++) {
        const struct ir_access *access = &ir->accesses[instruction->first_access + a];
        if (!is_shared_with_blocks(access))
            continue;
        if ((access->flags & IR_ACCESS_ATOMIC) != 0 && uses_result(ir, instruction))
            return arena_printf(arena, "it uses the old value of an atomic%s, which says in which order blocks came", line_of(split, index));
        if ((access->flags & IR_ACCESS_VOLATILE) != 0 && (access->flags & IR_ACCESS_READ) != 0)
            return arena_printf(arena, "it reads what other blocks may write meanwhile%s: a volatile or ordered load", line_of(split, index));
    }
    if (instruction->op == PTX_OP_OPAQUE)
        return arena_printf(arena, "it has an instruction that is not known%s", line_of(split, index));
    if (instruction->source == NULL || instruction->op >= PTX_OP_COUNT)
        return NULL;
    if (instruction->source->mode == PTX_MODE_CLUSTER)
        return "its blocks form clusters";
    if (strcmp(ptx_op_info((enum ptx_op)instruction->op)->name, "griddepcontrol") == 0)
        return arena_printf(arena, "it waits for another launch, or lets one begin%s", line_of(split, index));
    return NULL;
}

/* Copies of special registers are no instructions of the ir: the text is looked at. */
static const char *special_register_obstacle(const struct ptx_function *source)
{
    const char *why = NULL;
    for (uint32_t i = 0; i < source->instructions.count && why == NULL; i++)
        for (uint32_t k = 0; k < source->instructions.data[i].operand_count && why == NULL; k++)
            why = operand_obstacle(&source->instructions.data[i].operands[k]);
    return why;
}

static const char *find_obstacle(struct split *split)
{
    const struct ir_function *ir = split->prove.ir;
    const struct ptx_module *module = ir->module;
    struct arena *arena = split->prove.arena;
    if (ir->cfg->has_irreducible)
        return "its control flow is irreducible";
    for (uint32_t c = 0; c < ir->call_count; c++) {
        uint32_t callee = ir->calls[c].callee;
        if (callee == IR_NONE || !ir_function_is_no_return(module, callee))
            return arena_printf(arena, "it calls `%s`%s, which may look at the grid",
                                callee == IR_NONE ? "a function" : ptx_demangle(arena, module->functions.data[callee].name),
                                line_of(split, ir->calls[c].instruction));
    }
    if (ir->frame_count > 1)
        return arena_printf(arena, "it calls `%s`, which is not inlined", ptx_demangle(arena, module->functions.data[ir->frames[1].function].name));
    const char *why = special_register_obstacle(&module->functions.data[ir->function]);
    for (uint32_t i = 0; i < ir->instruction_count && why == NULL; i++)
        why = instruction_obstacle(split, i);
    return why;
}

/* ---- threads outside of the domain ---------------------------------------------------------------------------------- */

static bool meets_lanes(const struct ir_instruction *instruction)
{
    uint32_t flags = instruction->op < PTX_OP_COUNT ? ptx_op_info((enum ptx_op)instruction->op)->flags : 0;
    if ((flags & (PTX_FLAG_WARP_SYNC | PTX_FLAG_MATRIX)) != 0 || instruction->op == PTX_OP_activemask)
        return true;
    const struct ptx_instruction *source = instruction->source;
    if (source != NULL && (flags & PTX_FLAG_BARRIER) != 0 && source->mode == PTX_MODE_WARP)
        return true;
    for (uint32_t k = 0; source != NULL && k < source->operand_count; k++) {
        const struct ptx_operand *operand = &source->operands[k];
        if (operand->kind == PTX_OPERAND_SPECIAL && (strncmp(operand->text, "%lane", 5) == 0 || strstr(operand->text, "warpid") != NULL))
            return true;
    }
    return false;
}

static bool has_effect(const struct ir_function *ir, const struct ir_instruction *instruction)
{
    uint32_t flags = instruction->op < PTX_OP_COUNT ? ptx_op_info((enum ptx_op)instruction->op)->flags : 0;
    for (uint32_t a = 0; a < instruction->access_count; a++)
        if ((ir->accesses[instruction->first_access + a].flags & IR_ACCESS_HINT) == 0)
            return true;
    return (flags & (PTX_FLAG_BARRIER | PTX_FLAG_TEXTURE)) != 0 || instruction->op == PTX_OP_call || instruction->op == PTX_OP_trap;
}

/* Its lane's number, its warp's, masks of lanes: a block of another shape has others.  Copies of them are no instructions: values tell. */
static bool reads_lanes(const struct ir_function *ir)
{
    for (uint32_t v = 0; v < ir->value_count; v++) {
        const struct ir_value *value = &ir->values[v];
        if (value->kind != IR_VALUE_SPECIAL)
            continue;
        switch ((enum ptx_special)value->index) {
        case PTX_SPECIAL_laneid:
        case PTX_SPECIAL_warpid:
        case PTX_SPECIAL_nwarpid:
        case PTX_SPECIAL_lanemask_eq:
        case PTX_SPECIAL_lanemask_le:
        case PTX_SPECIAL_lanemask_lt:
        case PTX_SPECIAL_lanemask_ge:
        case PTX_SPECIAL_lanemask_gt:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* NULL, or what a thread outside of the domain does: then a tail has all threads of its block. */
static const char *outside_work(struct split *split)
{
    struct prove *prove = &split->prove;
    const struct ir_function *ir = prove->ir;
    if (reads_lanes(ir))
        return "it reads the numbers of lanes or warps, which are others in a block of another shape";
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        if (meets_lanes(instruction))
            return arena_printf(prove->arena, "the lanes of a warp exchange something%s", line_of(split, i));
        for (int axis = 0; has_effect(ir, instruction) && axis < 3; axis++) {
            sym_facts facts = {0};
            if (split->outside[axis] == SYM_FALSE)
                continue;
            sym_facts_at_instruction(prove->kernel, i, &facts);
            sym_facts_add(prove->kernel, &facts, split->outside[axis]);
            sym_facts_close(prove->kernel, &facts, split->outside[axis]);
            if (sym_contradict(prove->sym, facts.data, facts.count, &prove->kernel->limits) != SYM_PROVED)
                return arena_printf(prove->arena, "threads outside of the domain may take part%s", line_of(split, i));
        }
    }
    return NULL;
}

/* ---- guards ------------------------------------------------------------------------------------------------------------ */

/* Under `known`, besides what the block knows, the guard always holds or never. */
static bool prove_guard(struct split *split, uint32_t index, sym_cond known, bool *holds)
{
    struct prove *prove = &split->prove;
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    sym_cond truth = sym_truth(prove->kernel, instruction->guard);
    if (instruction->guard_negated)
        truth = sym_not(prove->sym, truth);
    for (int way = 0; way < 2; way++) {
        sym_cond goal = way == 0 ? truth : sym_not(prove->sym, truth);
        sym_facts facts = {0};
        sym_facts_at_block(prove->kernel, instruction->block, &facts);
        sym_facts_add(prove->kernel, &facts, known);
        sym_facts_close(prove->kernel, &facts, goal);
        if (sym_prove(prove->sym, facts.data, facts.count, goal, &prove->kernel->limits) == SYM_PROVED) {
            *holds = way == 0;
            return true;
        }
    }
    return false;
}

static void decide_guards(struct split *split)
{
    struct prove *prove = &split->prove;
    const struct ir_function *ir = prove->ir;
    struct sym_limits limits = prove->kernel->limits;
    prove->kernel->limits = (struct sym_limits){.z3_resources = 40000, .max_splits = 16}; /* most guards have nothing to do with the tail */
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        struct check_way way = {.instruction = instruction->index};
        if (instruction->guard == IR_NONE || instruction->source == NULL || instruction->index == IR_NONE || instruction->frame != 0)
            continue;
        if (prove_guard(split, i, split->full, &way.holds)) {
            *vec_push(prove->arena, &split->out->full) = way;
            bool same;
            if (!prove_guard(split, i, SYM_TRUE, &same)) { /* it is the tail that decides it */
                split->decided++;
                split->out->decides_in_loop |= ir->cfg->blocks[instruction->block].loop != IR_NONE;
            }
        }
        if (prove_guard(split, i, split->inside, &way.holds))
            *vec_push(prove->arena, &split->out->inside) = way;
    }
    prove->kernel->limits = limits;
}

/* ---- facts -------------------------------------------------------------------------------------------------------------- */

static void form_facts(struct split *split, const struct contract *contract)
{
    struct sym_environment *environment = split->prove.environment;
    struct sym *sym = split->prove.sym;
    split->full = split->inside = SYM_TRUE;
    for (int axis = 0; axis < 3; axis++) {
        split->outside[axis] = SYM_FALSE;
        if (!contract_is_given(&contract->domain[axis]))
            continue;
        sym_poly domain = sym_of_expression(environment, &contract->domain[axis]);
        sym_poly first = sym_multiply(sym, environment->block_index[axis], environment->block[axis]);
        sym_poly place = sym_add(sym, first, environment->thread[axis]), left = sym_subtract(sym, domain, place);
        sym_cond is_full = sym_ge(sym, sym_subtract(sym, domain, sym_add(sym, first, environment->block[axis])));
        sym_cond is_inside = sym_ge(sym, sym_shift(sym, left, -1));
        split->full = sym_and(sym, split->full, sym_and(sym, is_full, is_inside));
        split->inside = sym_and(sym, split->inside, is_inside);
        split->outside[axis] = sym_not(sym, is_inside);
    }
}

static void examine(struct split *split, const struct contract *contract)
{
    struct prove *prove = &split->prove;
    struct check_split *out = split->out;
    out->obstacle = find_obstacle(split);
    if (out->obstacle != NULL)
        return;
    out->loops = prove->ir->cfg->loop_count;
    prove->environment = sym_environment_build(prove->sym, prove->ir->module, prove->ir->function, contract);
    prove->kernel = sym_kernel_build(prove->sym, prove->ir, prove->environment, &(struct sym_limits){0});
    form_facts(split, contract);
    decide_guards(split);
    if (split->decided == 0)
        out->obstacle = "no test in it depends on whether the block is full: there is nothing to leave out";
    else
        out->whole_tail = outside_work(split);
}

struct check_split *check_split_launch(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                       const struct contract *contract, struct diagnostic_list *diagnostics)
{
    struct check_options none = {0};
    struct check_result result = {.module = module, .function = function, .contract = contract};
    struct split split = {.prove = {.arena = arena, .result = &result, .options = &none}, .out = ARENA_NEW(arena, struct check_split)};
    struct ir_options options = {.no_regions = true}; /* nothing here proves that accesses stay in their region */
    if (contract == NULL || !contract_is_given(&contract->domain[0])) {
        split.out->obstacle = "no LW_DOMAIN says which threads have work";
        return split.out;
    }
    split.prove.ir = ir_function_build(arena, module, function, &options, diagnostics);
    if (split.prove.ir == NULL) {
        split.out->obstacle = "it is too large";
        return split.out;
    }
    split.prove.sym = ARENA_NEW(arena, struct sym);
    sym_init(split.prove.sym, arena);
    examine(&split, contract);
    sym_end(split.prove.sym);
    return split.out;
}
