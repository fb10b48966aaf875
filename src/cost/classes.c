/* SPDX-License-Identifier: Apache-2.0
 *
 * Which conditions are the same for all threads of a launch, a block, a warp, and who reaches an instruction.
 *
 * Guards are classified on the kernel as values, with the proof engine where the kernel is small enough for it (a limit on questions, not
 * on time: the answer is the same everywhere), else by form.  Who reaches an instruction follows from the branches: everything between a
 * branch and where its ways meet is as divergent as the branch.
 */
#include "cost/build.h"
#include "sym/sym.h"

enum {
    PROOF_INSTRUCTIONS = 400, /* of the kernel as values, to be analysed at all */
    PROOF_LOOPS = 4,
    PROOF_GUARDS = 6,         /* that are asked about; the others by form */
    PROOF_EFFORT = 150        /* of the solver: see struct sym */
};

static const uint8_t classes[] = {
    [SYM_CLASS_LAUNCH] = COST_CLASS_LAUNCH, [SYM_CLASS_BLOCK] = COST_CLASS_BLOCK, [SYM_CLASS_WARP] = COST_CLASS_WARP,
    [SYM_CLASS_LANE] = COST_CLASS_LANE,     [SYM_CLASS_TAIL] = COST_CLASS_TAIL,   [SYM_CLASS_DATA] = COST_CLASS_DATA,
};

struct classifier {
    struct cost_builder *builder;
    const struct ir_function *ir;
    struct cost_forms forms;
    struct sym_uniform *by_scope[SYM_SCOPE_COUNT]; /* NULL: by form */
    uint8_t *known;     /* by ir value: 1 + class of it as a guard in the block where it was asked */
    uint32_t *known_at;
    uint32_t questions;
};

static uint32_t cost_index(const struct cost_builder *builder, const struct ir_function *ir, const struct ir_instruction *instruction)
{
    uint32_t function = ir->frames[instruction->frame].function;
    if (instruction->source == NULL || instruction->index == IR_NONE || builder->part_of[function] == COST_NONE)
        return COST_NONE;
    return builder->parts.data[builder->part_of[function]].first + instruction->index;
}

/* ---- patterns ------------------------------------------------------------------------------------------------------ */

static const struct ir_instruction *maker_of(const struct ir_function *ir, uint32_t value)
{
    return ir->values[value].kind == IR_VALUE_RESULT ? &ir->instructions[ir->values[value].index] : NULL;
}

/* A predicate without its negations: `not p`, `p xor constant`. */
static const struct ir_instruction *test_behind(const struct ir_function *ir, uint32_t predicate)
{
    const struct ir_instruction *made = maker_of(ir, predicate);
    while (made != NULL && (made->op == IR_OP_NOT || made->op == PTX_OP_not || made->op == PTX_OP_xor)) {
        const uint32_t *operands = ir_operands(ir, made);
        uint32_t other = operands[0];
        if (made->op == PTX_OP_xor && ir->values[operands[0]].kind == IR_VALUE_CONSTANT)
            other = operands[1];
        else if (made->op == PTX_OP_xor && ir->values[operands[1]].kind != IR_VALUE_CONSTANT)
            return NULL;
        made = maker_of(ir, other);
    }
    return made;
}

enum { SEEN_INDEX = 1, SEEN_OTHER = 2 };

/* What of the thread's place a sum is made of; `budget` bounds the walk, beyond it anything may be there. */
static unsigned place_parts(const struct ir_function *ir, uint32_t value, unsigned *budget)
{
    const struct ir_value *data = &ir->values[value];
    unsigned parts = 0;
    if (*budget == 0)
        return SEEN_OTHER;
    --*budget;
    if (data->kind == IR_VALUE_SPECIAL && data->index == PTX_SPECIAL_tid)
        return data->number == 1 ? 0 : SEEN_OTHER;
    if (data->kind == IR_VALUE_SPECIAL && data->index == PTX_SPECIAL_ctaid)
        return data->number == 1 ? SEEN_INDEX : 0;
    const struct ir_instruction *made = maker_of(ir, value);
    for (uint32_t i = 0; made != NULL && i < made->operand_count; i++)
        parts |= place_parts(ir, ir_operands(ir, made)[i], budget);
    return parts;
}

static enum cost_pattern counted_by(const struct classifier *classifier, uint32_t value)
{
    unsigned budget = 256, parts = place_parts(classifier->ir, value, &budget);
    return (parts & SEEN_OTHER) != 0 ? COST_PATTERN_OTHER : (parts & SEEN_INDEX) != 0 ? COST_PATTERN_INDEX : COST_PATTERN_THREAD;
}

/* `i & (2^k - 1)` against a number: it repeats every 2^k threads, when i counts them one by one. */
static uint32_t pattern_of(const struct classifier *classifier, uint32_t predicate, uint8_t *counts)
{
    const struct ir_function *ir = classifier->ir;
    const struct ir_instruction *made = test_behind(ir, predicate);
    if (made == NULL || made->op != PTX_OP_setp || made->operand_count < 2)
        return 0;
    for (int side = 0; side < 2; side++) {
        const struct ir_instruction *masked = maker_of(ir, ir_operands(ir, made)[side]);
        if (masked == NULL || masked->op != PTX_OP_and || ir->values[ir_operands(ir, made)[!side]].kind != IR_VALUE_CONSTANT)
            continue;
        for (int part = 0; part < 2; part++) {
            const struct ir_value *mask = &ir->values[ir_operands(ir, masked)[part]];
            bool counts_threads = classifier->forms.is_place[ir_operands(ir, masked)[!part]];
            if (mask->kind == IR_VALUE_CONSTANT && mask->number > 0 && mask->number < 32 && (mask->number & (mask->number + 1)) == 0 &&
                counts_threads) {
                *counts = (uint8_t)counted_by(classifier, ir_operands(ir, masked)[!part]);
                return (uint32_t)mask->number + 1;
            }
        }
    }
    return 0;
}

/* ---- guards ------------------------------------------------------------------------------------------------------ */

static enum cost_class prove_class(struct classifier *classifier, uint32_t predicate, uint32_t block)
{
    static const uint8_t same[SYM_SCOPE_COUNT] = {
        [SYM_SCOPE_LAUNCH] = COST_CLASS_LAUNCH, [SYM_SCOPE_BLOCK] = COST_CLASS_BLOCK, [SYM_SCOPE_WARP] = COST_CLASS_WARP};
    if (classifier->by_scope[0] == NULL)
        return (enum cost_class)classifier->forms.values[predicate];
    for (int scope = 0; scope < SYM_SCOPE_COUNT; scope++)
        if (!sym_differs(classifier->by_scope[scope], predicate, block))
            return (enum cost_class)same[scope];
    bool is_predicate = classifier->ir->values[predicate].bits == 1;
    if (!is_predicate || classifier->questions++ >= PROOF_GUARDS)
        return (enum cost_class)classifier->forms.values[predicate];
    enum cost_class class = (enum cost_class)classes[sym_classify(classifier->by_scope, predicate, block)];
    /* Values from memory that a contract bounds are still data. */
    bool is_data = !cost_class_is_uniform(class) && classifier->forms.values[predicate] == COST_CLASS_DATA;
    return is_data ? COST_CLASS_DATA : class;
}

static enum cost_class guard_class(struct classifier *classifier, uint32_t predicate, uint32_t block)
{
    if (classifier->known[predicate] != 0 && classifier->known_at[predicate] == block)
        return (enum cost_class)(classifier->known[predicate] - 1);
    enum cost_class class = prove_class(classifier, predicate, block);
    classifier->known[predicate] = (uint8_t)(1 + class);
    classifier->known_at[predicate] = block;
    return class;
}

static void classify_guards(struct classifier *classifier)
{
    const struct ir_function *ir = classifier->ir;
    struct cost_result *result = classifier->builder->result;
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        uint32_t index = cost_index(classifier->builder, ir, instruction);
        if (index == COST_NONE)
            continue;
        struct cost_instruction *found = &result->instructions.data[index];
        if (instruction->access_count != 0)
            classifier->builder->spaces[index] = ir->accesses[instruction->first_access].space;
        uint32_t predicate = instruction->op == PTX_OP_brx ? ir_operands(ir, instruction)[0] : instruction->guard;
        if (predicate == IR_NONE || (!found->is_guarded && instruction->op != PTX_OP_brx))
            continue;
        enum cost_class class = guard_class(classifier, predicate, instruction->block);
        if (found->guard == COST_CLASS_UNKNOWN || class > found->guard) /* of inlined copies the worst */
            found->guard = class;
        if (found->branch != COST_NONE)
            result->branches.data[found->branch].pattern = pattern_of(classifier, predicate, &result->branches.data[found->branch].pattern_counts);
    }
}

/* ---- who gets where ------------------------------------------------------------------------------------------------- */

static bool raise_reach(struct cost_instruction *instruction, enum cost_class class)
{
    if (instruction->reach != COST_CLASS_UNKNOWN && class <= instruction->reach)
        return false;
    instruction->reach = class;
    return true;
}

static void reach_behind(struct cost_builder *builder, const struct cost_part *part, uint32_t block, enum cost_class class,
                         struct cost_region *region)
{
    const struct ir_cfg *cfg = part->cfg;
    uint32_t join = cfg->blocks[block].ipdom;
    for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++) {
        cost_region_find(region, cfg, cfg->blocks[block].successors[s], join, builder->arena);
        for (uint32_t m = 0; m < region->members.count; m++) {
            const struct ir_block *member = &cfg->blocks[region->members.data[m]];
            for (uint32_t i = member->first; i < member->end; i++)
                raise_reach(cost_at(builder, part, i), class);
        }
    }
}

static bool reach_callees(struct cost_builder *builder, const struct cost_part *part)
{
    bool changed = false;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct cost_instruction *call = cost_at(builder, part, i);
        const struct ptx_instruction *source = cost_source(builder, call);
        uint32_t callee = source->op == PTX_OP_call ? ir_call_target(builder->module, source) : PTX_NONE;
        if (callee == PTX_NONE || builder->part_of[callee] == COST_NONE)
            continue;
        enum cost_class class = call->is_guarded && call->guard > call->reach ? call->guard : call->reach;
        const struct cost_part *called = &builder->parts.data[builder->part_of[callee]];
        for (uint32_t k = 0; k < called->count; k++)
            changed |= raise_reach(cost_at(builder, called, k), class);
    }
    return changed;
}

static void classify_reach(struct cost_builder *builder)
{
    enum { ROUNDS = 8 }; /* calls this deep */
    for (uint32_t p = 0; p < builder->parts.count; p++) {
        const struct cost_part *part = &builder->parts.data[p];
        struct cost_region region = {0};
        for (uint32_t i = 0; i < part->count; i++)
            cost_at(builder, part, i)->reach = COST_CLASS_LAUNCH;
        for (uint32_t i = 0; i < part->count; i++) {
            const struct cost_instruction *instruction = cost_at(builder, part, i);
            if (instruction->branch != COST_NONE && instruction->guard != COST_CLASS_LAUNCH)
                reach_behind(builder, part, part->cfg->block_of_instruction[i], instruction->guard, &region);
        }
    }
    bool changed = builder->parts.count > 1;
    for (int round = 0; changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t p = 0; p < builder->parts.count; p++)
            changed |= reach_callees(builder, &builder->parts.data[p]);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static void by_proof(struct classifier *classifier)
{
    struct cost_builder *builder = classifier->builder;
    struct sym *sym = ARENA_NEW(builder->arena, struct sym);
    sym_init(sym, builder->arena);
    sym->max_effort = PROOF_EFFORT;
    struct sym_environment *environment =
        sym_environment_build(sym, builder->module, builder->result->function, builder->input->contract);
    struct sym_limits limits = {.z3_resources = 2000, .max_splits = 4, .max_products = 30};
    struct sym_kernel *kernel = sym_kernel_build(sym, classifier->ir, environment, &limits);
    for (int scope = 0; scope < SYM_SCOPE_COUNT; scope++)
        classifier->by_scope[scope] = sym_uniform_build(kernel, (enum sym_scope)scope, NULL);
    classify_guards(classifier);
    builder->kernel = kernel;
    cost_find_trips(builder);
    sym_end(sym);
}

void cost_classify(struct cost_builder *builder)
{
    struct cost_result *result = builder->result;
    struct ir_options options = {.max_instructions = 50000};
    struct diagnostic_list ignored;
    diagnostic_list_init(&ignored, builder->arena);
    struct classifier classifier = {.builder = builder};
    classifier.ir = ir_function_build(builder->arena, builder->module, result->function, &options, &ignored);
    if (classifier.ir == NULL) {
        result->not_analysed = "it is too large";
        return;
    }
    classifier.forms = cost_forms_of(builder->arena, classifier.ir);
    classifier.known = ARENA_ARRAY(builder->arena, uint8_t, classifier.ir->value_count + 1);
    classifier.known_at = ARENA_ARRAY(builder->arena, uint32_t, classifier.ir->value_count + 1);
    bool is_small = classifier.ir->instruction_count <= PROOF_INSTRUCTIONS && classifier.ir->cfg->loop_count <= PROOF_LOOPS;
    if (is_small && !classifier.ir->cfg->has_irreducible)
        by_proof(&classifier);
    else
        classify_guards(&classifier);
    classify_reach(builder);
}
