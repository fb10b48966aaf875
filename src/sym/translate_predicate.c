/* SPDX-License-Identifier: Apache-2.0
 *
 * Predicates as conditions: integer comparisons and what is combined of them.  Comparisons of floats, carries, votes and the like are
 * conditions of which nothing is known.
 */
#include "sym/translate.h"

/* Is reading it as a number the polynomial itself, without a new wrap around all of it? */
static bool is_plain(const struct sym *sym, sym_poly reading, sym_poly value)
{
    (void)sym;
    return reading == value;
}

/* a == b as registers of `bits` bits. */
static sym_cond equal(struct sym_kernel *kernel, uint32_t a, uint32_t b, unsigned bits)
{
    struct sym *sym = kernel->sym;
    sym_poly x = sym_value(kernel, a), y = sym_value(kernel, b);
    for (int sign = 1; sign >= 0; sign--) {
        sym_poly left = sym_wrap(sym, x, bits, sign), right = sym_wrap(sym, y, bits, sign);
        if (is_plain(sym, left, x) && is_plain(sym, right, y))
            return sym_eq(sym, sym_subtract(sym, left, right));
    }
    /* Equal modulo 2^bits; bases and whatever they have in common cancel. */
    return sym_eq(sym, sym_settled_wrap(kernel, sym_subtract(sym, x, y), bits, true));
}

static sym_cond compare(struct sym_kernel *kernel, const struct ptx_instruction *source, const uint32_t *operands,
                        enum ptx_type type)
{
    struct sym *sym = kernel->sym;
    if (!ptx_type_is_integer(type) || kernel->ir->values[operands[0]].bits > 64 || kernel->ir->values[operands[1]].bits > 64)
        return sym_unknown(sym);
    unsigned bits = 8 * ptx_type_size(type);
    enum ptx_compare how = source->compare;
    bool is_signed = ptx_type_is_signed(type) && how < PTX_COMPARE_LO;
    if (how >= PTX_COMPARE_LO && how <= PTX_COMPARE_HS)
        how = PTX_COMPARE_LT + (how - PTX_COMPARE_LO);
    if (how == PTX_COMPARE_EQ)
        return equal(kernel, operands[0], operands[1], bits);
    if (how == PTX_COMPARE_NE)
        return sym_not(sym, equal(kernel, operands[0], operands[1], bits));
    sym_poly a = sym_settled_wrap(kernel, sym_value(kernel, operands[0]), bits, is_signed);
    sym_poly b = sym_settled_wrap(kernel, sym_value(kernel, operands[1]), bits, is_signed);
    sym_poly difference = sym_subtract(sym, a, b);
    switch (how) {
    case PTX_COMPARE_LT:
        return sym_ge(sym, sym_shift(sym, sym_scale(sym, difference, -1), -1));
    case PTX_COMPARE_LE:
        return sym_ge(sym, sym_scale(sym, difference, -1));
    case PTX_COMPARE_GT:
        return sym_ge(sym, sym_shift(sym, difference, -1));
    case PTX_COMPARE_GE:
        return sym_ge(sym, difference);
    default:
        return sym_unknown(sym);
    }
}

static sym_cond exclusive_or(struct sym *sym, sym_cond a, sym_cond b)
{
    sym_cond first = sym_and(sym, a, sym_not(sym, b));
    sym_cond second = sym_and(sym, sym_not(sym, a), b);
    return sym_or(sym, first, second);
}

static sym_cond combine(struct sym *sym, enum ptx_operation operation, sym_cond a, sym_cond b)
{
    switch (operation) {
    case PTX_OPERATION_AND:
        return sym_and(sym, a, b);
    case PTX_OPERATION_OR:
        return sym_or(sym, a, b);
    case PTX_OPERATION_XOR:
        return exclusive_or(sym, a, b);
    default:
        return sym_unknown(sym);
    }
}

static void set_predicate(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    struct sym *sym = kernel->sym;
    const uint32_t *operands = ir_operands(kernel->ir, instruction);
    sym_cond holds = compare(kernel, instruction->source, operands, instruction->source->type);
    bool is_float = !ptx_type_is_integer(instruction->source->type);
    sym_cond fails = is_float ? sym_unknown(sym) : sym_not(sym, holds);
    if (instruction->operand_count == 3) {
        sym_cond other = sym_truth(kernel, operands[2]);
        holds = combine(sym, instruction->source->operation, holds, other);
        fails = combine(sym, instruction->source->operation, fails, other);
    }
    kernel->truths[instruction->first_result] = holds;
    if (instruction->result_count == 2)
        kernel->truths[instruction->first_result + 1] = fails;
}

bool sym_translate_predicate(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    struct sym *sym = kernel->sym;
    const uint32_t *operands = ir_operands(kernel->ir, instruction);
    uint32_t result = instruction->first_result;
    if (instruction->op == PTX_OP_set && instruction->operand_count == 2 && ptx_type_is_integer(instruction->source->type) &&
        ptx_type_is_integer(instruction->source->type2)) {
        sym_cond holds = compare(kernel, instruction->source, operands, instruction->source->type2);
        kernel->values[result] = sym_select(sym, holds, sym_constant(sym, -1), SYM_ZERO);
        return true;
    }
    if (instruction->result_count == 0 || kernel->ir->values[result].bits != 1)
        return false;
    switch (instruction->op) {
    case PTX_OP_setp:
        set_predicate(kernel, instruction);
        return true;
    case IR_OP_NOT:
    case PTX_OP_not:
        kernel->truths[result] = sym_not(sym, sym_truth(kernel, operands[0]));
        return true;
    case PTX_OP_and:
        kernel->truths[result] = sym_and(sym, sym_truth(kernel, operands[0]), sym_truth(kernel, operands[1]));
        return true;
    case PTX_OP_or:
        kernel->truths[result] = sym_or(sym, sym_truth(kernel, operands[0]), sym_truth(kernel, operands[1]));
        return true;
    case PTX_OP_xor:
        kernel->truths[result] = exclusive_or(sym, sym_truth(kernel, operands[0]), sym_truth(kernel, operands[1]));
        return true;
    case IR_OP_SELECT: {
        sym_cond condition = sym_truth(kernel, operands[0]);
        sym_cond first = sym_and(sym, condition, sym_truth(kernel, operands[1]));
        sym_cond second = sym_and(sym, sym_not(sym, condition), sym_truth(kernel, operands[2]));
        kernel->truths[result] = sym_or(sym, first, second);
        return true;
    }
    default:
        return false;
    }
}
