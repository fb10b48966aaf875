/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer instructions as polynomials.  What a rule needs of its operands: `low`, congruent modulo 2^w, where the result depends on
 * the low bits only; `number`, the operand read as signed or unsigned, where it depends on all (PTX ISA, "Integer Arithmetic
 * Instructions", "Logic and Shift Instructions", "Data Movement and Conversion Instructions").
 */
#include "sym/translate.h"

#include "sym/table.h"

struct step {
    struct sym_kernel *kernel;
    struct sym *sym;
    const struct ir_instruction *instruction;
    const struct ptx_instruction *source;
    const uint32_t *operands;
    unsigned bits; /* of the instruction's type */
    bool is_signed;
};

static sym_poly low(struct step *step, uint32_t operand)
{
    return sym_value(step->kernel, step->operands[operand]);
}

static sym_poly read_as(struct step *step, uint32_t operand, unsigned bits, bool is_signed)
{
    return sym_settled_wrap(step->kernel, low(step, operand), bits, is_signed);
}

static sym_poly number(struct step *step, uint32_t operand)
{
    return read_as(step, operand, step->bits, step->is_signed);
}

static void set_result(struct step *step, sym_poly value)
{
    uint32_t result = step->instruction->first_result;
    step->kernel->values[result] = sym_congruent(step->sym, value, sym_bits(step->kernel, result));
}

static sym_poly opaque(struct step *step, sym_integer most)
{
    uint32_t result = step->instruction->first_result;
    sym_atom atom = sym_opaque(step->kernel, result, sym_bits(step->kernel, result), step->instruction->block);
    if (most < step->sym->atoms.data[atom].high)
        step->sym->atoms.data[atom].high = most;
    return sym_of_atom(step->sym, atom);
}

static sym_poly clamp(struct step *step, sym_poly value, unsigned bits, bool is_signed)
{
    sym_integer half = (sym_integer)1 << (bits - 1);
    sym_poly floor = sym_constant(step->sym, is_signed ? -half : 0);
    sym_poly ceiling = sym_constant(step->sym, is_signed ? half - 1 : 2 * half - 1);
    return sym_maximum(step->sym, floor, sym_minimum(step->sym, value, ceiling));
}

/* ---- products ---------------------------------------------------------------------------------------------------- */

static sym_poly product(struct step *step)
{
    struct sym *sym = step->sym;
    switch (step->source->mode) {
    case PTX_MODE_WIDE:
        return sym_multiply(sym, number(step, 0), number(step, 1));
    case PTX_MODE_HI: {
        sym_poly whole = sym_multiply(sym, number(step, 0), number(step, 1));
        return sym_quotient(sym, whole, sym_constant(sym, (sym_integer)1 << step->bits));
    }
    default:
        return sym_multiply(sym, low(step, 0), low(step, 1));
    }
}

static bool do_multiply(struct step *step)
{
    set_result(step, product(step));
    return true;
}

static bool do_multiply_add(struct step *step)
{
    sym_poly sum = sym_add(step->sym, product(step), low(step, 2));
    if (step->source->flags & PTX_MODIFIER_SAT)
        sum = opaque(step, SYM_MAX);
    set_result(step, sum);
    return true;
}

static bool do_multiply_24(struct step *step)
{
    if (step->source->mode == PTX_MODE_HI || (step->source->flags & PTX_MODIFIER_SAT))
        return false;
    sym_poly value = sym_multiply(step->sym, read_as(step, 0, 24, step->is_signed), read_as(step, 1, 24, step->is_signed));
    set_result(step, step->source->op == PTX_OP_mad24 ? sym_add(step->sym, value, low(step, 2)) : value);
    return true;
}

/* ---- sums and differences ------------------------------------------------------------------------------------------- */

static bool do_sum(struct step *step)
{
    bool minus = step->source->op == PTX_OP_sub;
    if (step->source->flags & PTX_MODIFIER_SAT) {
        sym_poly a = number(step, 0), b = number(step, 1);
        set_result(step, clamp(step, minus ? sym_subtract(step->sym, a, b) : sym_add(step->sym, a, b), step->bits,
                               step->is_signed));
        return true;
    }
    set_result(step, minus ? sym_subtract(step->sym, low(step, 0), low(step, 1))
                           : sym_add(step->sym, low(step, 0), low(step, 1)));
    return true;
}

static bool do_negate(struct step *step)
{
    set_result(step, sym_scale(step->sym, low(step, 0), -1));
    return true;
}

static bool do_absolute(struct step *step)
{
    sym_poly value = read_as(step, 0, step->bits, true);
    set_result(step, sym_maximum(step->sym, value, sym_scale(step->sym, value, -1)));
    return true;
}

static bool do_absolute_difference(struct step *step)
{
    sym_poly difference = sym_subtract(step->sym, number(step, 0), number(step, 1));
    sym_poly distance = sym_maximum(step->sym, difference, sym_scale(step->sym, difference, -1));
    set_result(step, sym_add(step->sym, distance, low(step, 2)));
    return true;
}

static bool do_minimum(struct step *step)
{
    if (step->instruction->operand_count != 2)
        return false;
    set_result(step, sym_minimum(step->sym, number(step, 0), number(step, 1)));
    return true;
}

static bool do_maximum(struct step *step)
{
    if (step->instruction->operand_count != 2)
        return false;
    set_result(step, sym_maximum(step->sym, number(step, 0), number(step, 1)));
    return true;
}

/* ---- division ---------------------------------------------------------------------------------------------------------- */

static sym_poly divide(struct step *step)
{
    struct sym *sym = step->sym;
    sym_poly a = number(step, 0), b = number(step, 1), one = sym_shift(sym, b, -1);
    bool is_floor = !step->is_signed || (sym_always(step->kernel, sym_ge(sym, a)) && sym_always(step->kernel, sym_ge(sym, one)));
    /* floor(floor(x / c) / b) = floor(x / (b*c)) */
    sym_atom single = is_floor ? sym_single_atom(sym, a) : SYM_NONE;
    if (single != SYM_NONE && sym->atoms.data[single].kind == SYM_QUOTIENT) {
        struct sym_atom_data inner = sym->atoms.data[single];
        if (sym_always(step->kernel, sym_ge(sym, sym_shift(sym, inner.b, -1))) && sym_always(step->kernel, sym_ge(sym, one)))
            return sym_quotient(sym, inner.a, sym_multiply(sym, inner.b, b));
    }
    return is_floor ? sym_quotient(sym, a, b) : sym_truncated(sym, a, b);
}

static bool do_divide(struct step *step)
{
    set_result(step, divide(step));
    return true;
}

static bool do_remainder(struct step *step)
{
    struct sym *sym = step->sym;
    sym_poly a = number(step, 0), b = number(step, 1);
    sym_poly rest = sym_subtract(sym, a, sym_multiply(sym, divide(step), b));
    sym_cond divides = sym_ne(sym, b);
    /* A divisor of 0 leaves anything. */
    set_result(step, sym_always(step->kernel, divides) ? rest : sym_select(sym, divides, rest, opaque(step, SYM_MAX)));
    return true;
}

/* ---- bits ---------------------------------------------------------------------------------------------------------------- */

static bool do_shift_left(struct step *step)
{
    sym_poly power = sym_power(step->sym, read_as(step, 1, 32, false), step->bits);
    set_result(step, sym_multiply(step->sym, low(step, 0), power));
    return true;
}

static bool do_shift_right(struct step *step)
{
    struct sym *sym = step->sym;
    sym_poly amount = read_as(step, 1, 32, false), a = number(step, 0);
    sym_integer least, most, value;
    if (sym_is_constant(sym, amount, &value)) {
        if (value >= step->bits && !step->is_signed)
            set_result(step, SYM_ZERO);
        else
            set_result(step, sym_quotient(sym, a, sym_constant(sym, (sym_integer)1 << (value >= step->bits ? step->bits - 1
                                                                                                           : value))));
        return true;
    }
    sym_interval(sym, amount, &least, &most);
    if (most < step->bits) {
        set_result(step, sym_quotient(sym, a, sym_power(sym, amount, step->bits)));
        return true;
    }
    if (step->is_signed)
        return false;
    sym_poly shifted = opaque(step, SYM_MAX); /* not more than it was */
    sym_atom atom = step->kernel->own_atoms[step->instruction->first_result];
    sym_info(step->kernel, atom)->high = sym_ge(sym, sym_subtract(sym, a, shifted));
    set_result(step, shifted);
    return true;
}

static bool do_bitwise(struct step *step)
{
    enum sym_atom_kind kind = step->source->op == PTX_OP_and  ? SYM_BIT_AND
                              : step->source->op == PTX_OP_or ? SYM_BIT_OR
                                                              : SYM_BIT_XOR;
    set_result(step, sym_bitwise(step->sym, kind, low(step, 0), low(step, 1), step->bits));
    return true;
}

static bool do_not(struct step *step)
{
    set_result(step, sym_subtract(step->sym, sym_constant(step->sym, -1), low(step, 0)));
    return true;
}

static bool do_is_zero(struct step *step)
{
    sym_cond zero = sym_eq(step->sym, read_as(step, 0, step->bits, false));
    set_result(step, sym_select(step->sym, zero, sym_constant(step->sym, 1), SYM_ZERO));
    return true;
}

static bool do_extract_field(struct step *step)
{
    struct sym *sym = step->sym;
    sym_integer position, length;
    if (!sym_is_constant(sym, low(step, 1), &position) || !sym_is_constant(sym, low(step, 2), &length))
        return false;
    position &= 255;
    length &= 255;
    if (length == 0 || position + length > step->bits)
        return false;
    sym_poly shifted = sym_quotient(sym, read_as(step, 0, step->bits, false), sym_constant(sym, (sym_integer)1 << position));
    if (step->is_signed)
        set_result(step, sym_wrap(sym, shifted, (unsigned)length, true));
    else if (length == step->bits)
        set_result(step, shifted);
    else
        set_result(step, sym_bitwise(sym, SYM_BIT_AND, shifted, sym_constant(sym, ((sym_integer)1 << length) - 1), step->bits));
    return true;
}

/* popc, clz: at most the width. */
static bool do_count_bits(struct step *step)
{
    set_result(step, opaque(step, step->bits));
    return true;
}

/* ---- choices ----------------------------------------------------------------------------------------------------------------- */

static sym_poly choose(struct step *step, sym_cond condition, uint32_t a, uint32_t b, unsigned bits)
{
    struct sym *sym = step->sym;
    for (int sign = 0; sign <= 1; sign++) { /* as numbers it may be a minimum or maximum */
        sym_poly x = read_as(step, a, bits, sign), y = read_as(step, b, bits, sign);
        sym_poly value = sym_select(sym, condition, x, y);
        const struct sym_poly_data *data = &sym->polys.data[value];
        if (data->count == 1 && sym->monomials.data[data->terms[0].monomial].count == 1) {
            uint8_t kind = sym->atoms.data[sym->monomials.data[data->terms[0].monomial].atoms[0]].kind;
            if (kind == SYM_MINIMUM || kind == SYM_MAXIMUM)
                return value;
        }
    }
    return sym_select(sym, condition, low(step, a), low(step, b));
}

static bool do_select(struct step *step)
{
    set_result(step, choose(step, sym_truth(step->kernel, step->operands[2]), 0, 1, step->bits));
    return true;
}

static bool do_select_by_sign(struct step *step)
{
    if (step->source->type2 != PTX_S32)
        return false;
    set_result(step, choose(step, sym_ge(step->sym, read_as(step, 2, 32, true)), 0, 1, step->bits));
    return true;
}

/* ---- conversions ----------------------------------------------------------------------------------------------------------------- */

static bool do_convert(struct step *step)
{
    enum ptx_type to = step->source->type, from = step->source->type2;
    if (!ptx_type_is_integer(to) || !ptx_type_is_integer(from) || step->instruction->operand_count != 1)
        return false;
    unsigned from_bits = 8 * ptx_type_size(from), to_bits = 8 * ptx_type_size(to);
    sym_poly value = read_as(step, 0, from_bits, ptx_type_is_signed(from));
    if (step->source->flags & PTX_MODIFIER_SAT)
        value = clamp(step, value, to_bits, ptx_type_is_signed(to));
    set_result(step, sym_wrap(step->sym, value, to_bits, ptx_type_is_signed(to)));
    return true;
}

static bool do_convert_address(struct step *step)
{
    uint8_t space = step->source->space;
    if (space == PTX_SPACE_GLOBAL || space == PTX_SPACE_PARAM || space == PTX_SPACE_NONE) {
        set_result(step, low(step, 0));
        return true;
    }
    sym_poly window = sym_window(step->kernel, space);
    set_result(step, step->source->mode == PTX_MODE_TO ? sym_subtract(step->sym, low(step, 0), window)
                                                       : sym_add(step->sym, low(step, 0), window));
    return true;
}

static bool do_move(struct step *step)
{
    if (step->instruction->operand_count != 1 || step->instruction->result_count != 1)
        return false;
    set_result(step, low(step, 0));
    return true;
}

/* ---- operations of ir ---------------------------------------------------------------------------------------------------------------- */

static bool translate_own(struct step *step)
{
    const struct ir_function *ir = step->kernel->ir;
    const struct ir_instruction *instruction = step->instruction;
    struct sym *sym = step->sym;
    uint32_t result = instruction->first_result;
    if (instruction->result_count != 1 || ir->values[result].bits == 1 || ir->values[result].bits > 64)
        return false;
    unsigned bits = sym_bits(step->kernel, result);
    switch (instruction->op) {
    case IR_OP_SELECT:
        if (ir->values[step->operands[1]].bits == 1)
            return false;
        /* choose() takes operand numbers */
        set_result(step, choose(step, sym_truth(step->kernel, step->operands[0]), 1, 2, bits));
        return true;
    case IR_OP_EXTEND:
        if (ir->values[step->operands[0]].bits > 64)
            return false;
        set_result(step, sym_reading(step->kernel, step->operands[0], instruction->is_signed));
        return true;
    case IR_OP_EXTRACT:
        if (ir->values[step->operands[0]].bits > 64)
            return false;
        if (instruction->immediate == 0) {
            set_result(step, low(step, 0));
            return true;
        }
        set_result(step, sym_quotient(sym, sym_reading(step->kernel, step->operands[0], false),
                                      sym_constant(sym, (sym_integer)1 << (8 * instruction->immediate))));
        return true;
    case IR_OP_CONCAT: {
        sym_poly sum = SYM_ZERO;
        unsigned at = 0;
        for (uint32_t i = 0; i < instruction->operand_count; i++) {
            sym_poly part = sym_reading(step->kernel, step->operands[i], false);
            if (at >= 64)
                return false;
            sum = sym_add(sym, sum, sym_scale(sym, part, (sym_integer)1 << at));
            at += sym_bits(step->kernel, step->operands[i]);
        }
        set_result(step, sum);
        return true;
    }
    default:
        return false;
    }
}

static const struct rule {
    uint16_t op;
    uint8_t operands; /* at least */
    bool (*translate)(struct step *step);
} rules[] = {
    {PTX_OP_add, 2, do_sum},
    {PTX_OP_sub, 2, do_sum},
    {PTX_OP_mul, 2, do_multiply},
    {PTX_OP_mad, 3, do_multiply_add},
    {PTX_OP_mul24, 2, do_multiply_24},
    {PTX_OP_mad24, 3, do_multiply_24},
    {PTX_OP_sad, 3, do_absolute_difference},
    {PTX_OP_div, 2, do_divide},
    {PTX_OP_rem, 2, do_remainder},
    {PTX_OP_abs, 1, do_absolute},
    {PTX_OP_neg, 1, do_negate},
    {PTX_OP_min, 2, do_minimum},
    {PTX_OP_max, 2, do_maximum},
    {PTX_OP_popc, 1, do_count_bits},
    {PTX_OP_clz, 1, do_count_bits},
    {PTX_OP_bfe, 3, do_extract_field},
    {PTX_OP_and, 2, do_bitwise},
    {PTX_OP_or, 2, do_bitwise},
    {PTX_OP_xor, 2, do_bitwise},
    {PTX_OP_not, 1, do_not},
    {PTX_OP_cnot, 1, do_is_zero},
    {PTX_OP_shl, 2, do_shift_left},
    {PTX_OP_shr, 2, do_shift_right},
    {PTX_OP_selp, 3, do_select},
    {PTX_OP_slct, 3, do_select_by_sign},
    {PTX_OP_cvt, 1, do_convert},
    {PTX_OP_cvta, 1, do_convert_address},
    {PTX_OP_mov, 1, do_move},
};

bool sym_translate_integer(struct sym_kernel *kernel, const struct ir_instruction *instruction)
{
    struct step step = {.kernel = kernel,
                        .sym = kernel->sym,
                        .instruction = instruction,
                        .source = instruction->source,
                        .operands = ir_operands(kernel->ir, instruction)};
    if (instruction->op >= PTX_OP_COUNT)
        return translate_own(&step);
    if (instruction->result_count == 0 || kernel->ir->values[instruction->first_result].bits == 1 ||
        kernel->ir->values[instruction->first_result].bits > 64)
        return false;
    const struct rule *rule = rules;
    while (rule != rules + COUNT_OF(rules) && rule->op != instruction->op)
        rule++;
    if (rule == rules + COUNT_OF(rules) || instruction->operand_count < rule->operands)
        return false;
    if (rule->op != PTX_OP_cvt && rule->op != PTX_OP_selp && rule->op != PTX_OP_slct && rule->op != PTX_OP_mov &&
        !ptx_type_is_integer(step.source->type))
        return false;
    for (uint32_t i = 0; i < rule->operands; i++)
        if (kernel->ir->values[step.operands[i]].bits > 64)
            return false;
    step.bits = 8 * ptx_type_size(step.source->type);
    step.is_signed = ptx_type_is_signed(step.source->type);
    if (step.bits == 0 || step.bits > 64 || !rule->translate(&step))
        return false;
    /* A carry or a second result: nothing is known of it. */
    for (uint32_t r = 1; r < instruction->result_count; r++)
        if (kernel->ir->values[instruction->first_result + r].bits != 1)
            kernel->values[instruction->first_result + r] =
                sym_of_atom(kernel->sym, sym_opaque(kernel, instruction->first_result + r,
                                                    sym_bits(kernel, instruction->first_result + r), instruction->block));
    return true;
}
