/* SPDX-License-Identifier: Apache-2.0
 *
 * LW106: can an integer divisor be zero?
 */
#include "check/prove.h"

bool prove_is_division(const struct prove *prove, uint32_t index)
{
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    if ((instruction->op != PTX_OP_div && instruction->op != PTX_OP_rem) || instruction->operand_count != 2 ||
        ptx_type_is_float(instruction->source->type))
        return false;
    const struct ir_value *divisor = &prove->ir->values[ir_operands(prove->ir, instruction)[1]];
    return divisor->kind != IR_VALUE_CONSTANT || divisor->number == 0;
}

void prove_divisor(struct prove *prove, uint32_t index)
{
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    struct prove_answer answer = {.kind = FINDING_DIV_BY_ZERO, .verdict = CHECK_PROVED};
    sym_facts facts = {0};
    if (!prove->ir->cfg->blocks[instruction->block].reachable)
        return;
    sym_facts_at_instruction(prove->kernel, index, &facts);
    uint32_t divisor = ir_operands(prove->ir, instruction)[1];
    sym_poly number = sym_reading(prove->kernel, divisor, ptx_type_is_signed(instruction->source->type));
    sym_cond goal = sym_ne(prove->sym, number);
    if (prove_unreachable(prove, &facts)) {
        answer.verdict = CHECK_UNREACHABLE;
    } else if (!prove_goal(prove, &facts, goal, &answer)) {
        struct buffer text;
        buffer_init(&text, prove->arena);
        sym_print(prove->sym, number, &text);
        answer.reason = answer.depends_on_data
                            ? arena_printf(prove->arena, "the divisor depends on the contents of memory%s",
                                           prove_data_words(prove, &facts, goal))
                            : arena_printf(prove->arena, "nothing known shows that the divisor `%.300s` is not 0", text.data);
    } else if (prove->options->explain) {
        struct buffer proof;
        buffer_init(&proof, prove->arena);
        prove_explain(prove, &facts, goal, &proof);
        answer.proof = proof.size != 0 ? proof.data : NULL;
    }
    prove_add(prove, index, NULL, &answer);
}
