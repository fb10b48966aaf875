/* SPDX-License-Identifier: Apache-2.0
 *
 * The class of each value by its form alone: what it is made of, without a proof.
 *
 * Requires: a kernel as values.  Gives: a class for each value, in near-linear time.  A description, not a proof: a value that leaves a loop
 * counts as what it was inside, and a load from a uniform address counts as uniform even where the kernel writes that array.
 */
#include "cost/build.h"

struct forms {
    const struct ir_function *ir;
    uint8_t *values;   /* enum cost_class */
    bool *is_place;    /* a sum of the thread's or the block's number and uniform parts */
    uint8_t *joins;    /* by block: the worst condition whose ways meet there */
};

static uint8_t worse(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t special_class(enum ptx_special special)
{
    switch (special) {
    case PTX_SPECIAL_ntid:
    case PTX_SPECIAL_nctaid:
    case PTX_SPECIAL_nwarpid:
    case PTX_SPECIAL_dynamic_smem_size:
    case PTX_SPECIAL_total_smem_size: return COST_CLASS_LAUNCH;
    case PTX_SPECIAL_ctaid: return COST_CLASS_BLOCK;
    case PTX_SPECIAL_warpid: return COST_CLASS_WARP;
    default: return COST_CLASS_LANE;
    }
}

static uint8_t leaf_class(const struct ir_function *ir, const struct ir_value *value)
{
    switch (value->kind) {
    case IR_VALUE_SPECIAL: return special_class((enum ptx_special)value->index);
    case IR_VALUE_UNDEFINED: return COST_CLASS_DATA;
    case IR_VALUE_ADDRESS: return ir->objects[value->index].space == PTX_SPACE_LOCAL ? COST_CLASS_LANE : COST_CLASS_LAUNCH;
    default: return COST_CLASS_LAUNCH;
    }
}

static uint8_t operands_class(const struct forms *forms, const struct ir_instruction *instruction)
{
    uint8_t class = instruction->guard == IR_NONE ? COST_CLASS_LAUNCH : forms->values[instruction->guard];
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        class = worse(class, forms->values[ir_operands(forms->ir, instruction)[i]]);
    return class;
}

/* A load: the same where the address is, else what memory says. */
static uint8_t access_class(const struct forms *forms, const struct ir_instruction *instruction)
{
    const struct ir_access *access = &forms->ir->accesses[instruction->first_access];
    uint8_t address = forms->values[access->address];
    if (!cost_class_is_uniform(address) || (access->flags & (IR_ACCESS_ATOMIC | IR_ACCESS_VOLATILE | IR_ACCESS_ASYNC | IR_ACCESS_COLLECTIVE)) != 0)
        return COST_CLASS_DATA;
    return access->space == PTX_SPACE_SHARED ? worse(address, COST_CLASS_BLOCK) : address;
}

static uint8_t warp_class(const struct forms *forms, const struct ir_instruction *instruction)
{
    if (instruction->op == PTX_OP_shfl)
        return operands_class(forms, instruction) == COST_CLASS_DATA ? COST_CLASS_DATA : COST_CLASS_LANE;
    return COST_CLASS_WARP; /* vote, match.all, redux, activemask: one answer for all lanes that take part */
}

/* Does the comparison ask whether the thread's place is below a size? */
static bool is_size_test(const struct forms *forms, const struct ir_instruction *instruction)
{
    if (instruction->op != PTX_OP_setp || instruction->operand_count < 2)
        return false;
    uint32_t a = ir_operands(forms->ir, instruction)[0], b = ir_operands(forms->ir, instruction)[1];
    bool is_equality = instruction->source != NULL && (instruction->source->compare == PTX_COMPARE_EQ || instruction->source->compare == PTX_COMPARE_NE);
    return !is_equality && ((forms->is_place[a] && forms->values[b] <= COST_CLASS_BLOCK) || (forms->is_place[b] && forms->values[a] <= COST_CLASS_BLOCK));
}

static uint8_t result_class(const struct forms *forms, const struct ir_instruction *instruction)
{
    enum { OWN = PTX_FLAG_TEXTURE | PTX_FLAG_MATRIX };
    if (instruction->op == IR_OP_HAVOC || instruction->op == PTX_OP_OPAQUE || instruction->op == PTX_OP_call)
        return COST_CLASS_DATA;
    if (instruction->op == IR_OP_PHI)
        return worse(operands_class(forms, instruction), forms->joins[instruction->block]);
    if (instruction->access_count != 0)
        return access_class(forms, instruction);
    uint32_t flags = instruction->op < PTX_OP_COUNT ? ptx_op_info((enum ptx_op)instruction->op)->flags : 0;
    if ((flags & PTX_FLAG_WARP_SYNC) != 0 || instruction->op == PTX_OP_activemask)
        return warp_class(forms, instruction);
    if ((flags & OWN) != 0 || (flags & PTX_FLAG_VOLATILE) != 0)
        return COST_CLASS_DATA;
    uint8_t class = operands_class(forms, instruction);
    return class == COST_CLASS_LANE && is_size_test(forms, instruction) ? COST_CLASS_TAIL : class;
}

static bool place_of(const struct forms *forms, const struct ir_instruction *instruction)
{
    static const uint16_t sums[] = {PTX_OP_add, PTX_OP_sub, PTX_OP_mad, PTX_OP_mul, PTX_OP_shl, PTX_OP_cvt, IR_OP_EXTEND, IR_OP_EXTRACT};
    bool has_place = false, is_sum = false;
    for (unsigned i = 0; i < COUNT_OF(sums); i++)
        is_sum |= sums[i] == instruction->op;
    for (uint32_t i = 0; is_sum && i < instruction->operand_count; i++) {
        uint32_t operand = ir_operands(forms->ir, instruction)[i];
        has_place |= forms->is_place[operand];
        is_sum &= forms->is_place[operand] || cost_class_is_uniform(forms->values[operand]);
    }
    return is_sum && has_place;
}

/* The condition of a block's last instruction. */
static uint8_t branch_class(const struct forms *forms, uint32_t block)
{
    const struct ir_block *data = &forms->ir->cfg->blocks[block];
    const struct ir_instruction *last = data->end == data->first ? NULL : &forms->ir->instructions[data->end - 1];
    if (last == NULL || data->successor_count + (data->leave != IR_LEAVE_NO) < 2)
        return COST_CLASS_LAUNCH;
    return operands_class(forms, last);
}

static bool step(struct forms *forms)
{
    const struct ir_function *ir = forms->ir;
    bool changed = false;
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        if (instruction->result_count == 0)
            continue;
        uint8_t class = result_class(forms, instruction);
        bool is_place = place_of(forms, instruction);
        for (uint32_t r = 0; r < instruction->result_count; r++) {
            uint32_t value = instruction->first_result + r;
            changed |= class > forms->values[value] || (is_place && !forms->is_place[value]);
            forms->values[value] = worse(forms->values[value], class);
            forms->is_place[value] |= is_place;
        }
    }
    for (uint32_t b = 0; b < ir->cfg->block_count; b++) {
        uint32_t join = ir->cfg->blocks[b].ipdom;
        if (!ir->cfg->blocks[b].reachable || join == IR_NONE)
            continue;
        uint8_t class = worse(forms->joins[join], branch_class(forms, b));
        changed |= class != forms->joins[join];
        forms->joins[join] = class;
    }
    return changed;
}

struct cost_forms cost_forms_of(struct arena *arena, const struct ir_function *ir)
{
    enum { ROUNDS = 64 }; /* each can only make classes worse; deep nests of loops settle long before */
    struct forms forms = {.ir = ir,
                          .values = ARENA_ARRAY(arena, uint8_t, ir->value_count + 1),
                          .is_place = ARENA_ARRAY(arena, bool, ir->value_count + 1),
                          .joins = ARENA_ARRAY(arena, uint8_t, ir->cfg->block_count + 2)};
    for (uint32_t v = 0; v < ir->value_count; v++) {
        const struct ir_value *value = &ir->values[v];
        if (value->kind == IR_VALUE_RESULT)
            continue;
        forms.values[v] = leaf_class(ir, value);
        forms.is_place[v] = value->kind == IR_VALUE_SPECIAL && (value->index == PTX_SPECIAL_tid || value->index == PTX_SPECIAL_laneid);
    }
    for (int round = 0; round < ROUNDS && step(&forms); round++)
        ;
    return (struct cost_forms){forms.values, forms.is_place};
}
