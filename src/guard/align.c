/* SPDX-License-Identifier: Apache-2.0
 *
 * What the start of each array must be a multiple of: proofs take base pointers to be aligned to the widest access through them, and a
 * launch has to see to it.  An array whose address the kernel itself tests bit by bit needs the alignment of its elements only.
 */
#include "guard/rewrite.h"

static bool looks_at_bits(const struct ir_function *ir, const struct ir_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_and:
    case PTX_OP_rem:
    case PTX_OP_div:
    case PTX_OP_shr:
    case PTX_OP_bfe:
    case IR_OP_EXTRACT:
        return true;
    case PTX_OP_cvt:
        return instruction->result_count != 0 && ir->values[instruction->first_result].bits < 64;
    default:
        return false;
    }
}

static bool is_tested(const struct ir_function *ir, const struct guard_array *array)
{
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        for (uint32_t k = 0; looks_at_bits(ir, instruction) && k < instruction->operand_count; k++) {
            uint32_t value = ir_operands(ir, instruction)[k];
            const struct ir_base_set *set = &ir->sets[ir->pointers[value].set];
            for (uint32_t s = 0; s < set->count; s++) {
                const struct ir_base *base = &ir->bases[ir->set_members[set->first + s]];
                if (base->kind == IR_BASE_PARAMETER && base->index == array->variable && base->number == array->offset)
                    return true;
            }
        }
    }
    return false;
}

static uint32_t power_of_two_in(uint32_t size)
{
    return size == 0 ? 1 : size & (~size + 1);
}

void guard_find_alignments(struct guard_rewrite *rewrite, const struct guard_plan *plan, struct guard_kernel *kernel)
{
    const struct contract *contract = kernel->contract;
    if (contract == NULL)
        return;
    kernel->alignments = ARENA_ARRAY(rewrite->arena, uint32_t, contract->parameters.count + 1);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        uint32_t element = power_of_two_in(parameter->element_bits != 0 ? parameter->element_bits / 8u : 1);
        kernel->alignments[p] = parameter->kind == CONTRACT_POINTER ? element : 1;
    }
    for (uint32_t a = 0; a < plan->arrays.count; a++) {
        const struct guard_array *array = &plan->arrays.data[a];
        if (!array->is_parameter || array->parameter == CONTRACT_NONE || is_tested(plan->result->ir, array))
            continue;
        uint32_t *alignment = &kernel->alignments[array->parameter];
        for (uint32_t i = 0; i < plan->points.count; i++) {
            const struct guard_point *point = &plan->points.data[i];
            for (uint32_t b = 0; b < point->base_count; b++)
                if (point->bases[b] == a && point->proof != CHECK_UNREACHABLE && power_of_two_in(point->size) > *alignment)
                    *alignment = power_of_two_in(point->size);
        }
    }
}
