/* SPDX-License-Identifier: Apache-2.0
 *
 * LW404: can the trap of a check that stands in the source, as those of lanewise/device.h do, be reached?
 *
 * Requires: a trap of a kernel in analysis.  Gives: an answer for each that ptx_failing_check knows.  Proved: what is known on the way there
 * contradicts itself.  What the registers in front of the trap hold only words the answer, and finds relations that would help.
 */
#include "check/prove.h"

/* The value that the move so many instructions before the trap takes; IR_NONE. */
static uint32_t moved_value(const struct prove *prove, uint32_t index, uint32_t before)
{
    const struct ir_instruction *trap = &prove->ir->instructions[index];
    for (uint32_t i = index; i-- > 0 && prove->ir->instructions[i].block == trap->block;) {
        const struct ir_instruction *move = &prove->ir->instructions[i];
        if (move->frame == trap->frame && move->index + before == trap->index)
            return move->operand_count == 1 ? ir_operands(prove->ir, move)[0] : IR_NONE;
    }
    return IR_NONE;
}

/* Compilers let several checks share a trap: what is known on each way there contradicts itself. */
static bool prove_unreached(struct prove *prove, uint32_t index, sym_facts *facts, struct prove_answer *answer)
{
    uint32_t number = prove->ir->instructions[index].block;
    const struct ir_block *block = &prove->ir->cfg->blocks[number];
    for (uint32_t p = 0; p < block->predecessor_count && block->predecessor_count > 1; p++) {
        facts->count = 0;
        sym_facts_on_edge(prove->kernel, block->predecessors[p], number, facts);
        if (!prove_unreachable(prove, facts) && !prove_goal(prove, facts, SYM_FALSE, answer))
            return false;
    }
    return block->predecessor_count > 1 || prove_unreachable(prove, facts) || prove_goal(prove, facts, SYM_FALSE, answer);
}

static void word_reason(struct prove *prove, uint32_t index, sym_facts *facts, struct prove_answer *answer)
{
    uint32_t asked = moved_value(prove, index, 2), there = moved_value(prove, index, 1);
    if (asked == IR_NONE || there == IR_NONE) {
        answer->reason = "nothing known shows that it holds";
        return;
    }
    sym_poly number = sym_reading(prove->kernel, asked, false), extent = sym_reading(prove->kernel, there, false);
    sym_cond goal = sym_ge(prove->sym, sym_shift(prove->sym, sym_subtract(prove->sym, extent, number), -1));
    struct buffer text;
    buffer_init(&text, prove->arena);
    buffer_puts(&text, "`");
    sym_print(prove->sym, number, &text);
    buffer_puts(&text, "` is below `");
    sym_print(prove->sym, extent, &text);
    buffer_puts(&text, "`");
    const char *words = text.size > 600 ? "it holds" : text.data;
    answer->reason = answer->depends_on_data ? arena_printf(prove->arena, "that %s depends on the contents of memory%s", words,
                                                            prove_data_words(prove, facts, goal))
                                             : arena_printf(prove->arena, "nothing known shows that %s", words);
    if (answer->opens.count != 0)
        answer->opens.data[answer->opens.count - 1].goal = goal;
}

void prove_failing_check(struct prove *prove, uint32_t index)
{
    const struct ir_instruction *instruction = &prove->ir->instructions[index];
    struct prove_answer answer = {.kind = FINDING_DEVICE_ASSERT, .verdict = CHECK_PROVED};
    sym_facts facts = {0};
    uint32_t asked, there;
    if (!prove->ir->cfg->blocks[instruction->block].reachable || instruction->index == IR_NONE ||
        !ptx_failing_check(&prove->ir->module->functions.data[prove->ir->frames[instruction->frame].function], instruction->index, &asked, &there))
        return;
    sym_facts_at_instruction(prove->kernel, index, &facts);
    if (!prove_unreached(prove, index, &facts, &answer))
        word_reason(prove, index, &facts, &answer);
    prove_add(prove, index, NULL, &answer);
}
