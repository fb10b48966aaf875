/* SPDX-License-Identifier: Apache-2.0
 *
 * Video instructions (PTX ISA, Scalar Video Instructions and SIMD Video Instructions): vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad,
 * vset, and vadd2, vsub2, vavrg2, vabsdiff2, vmin2, vmax2, vset2 with their four-byte relatives.
 *
 * Rare, and no vector loops: one lane at a time, in 64-bit integers, as the manual's pseudocode has it.  A part of an operand
 * (%r1.b0, %r1.h32) is in the operand's `component` and `value`.
 */
#include "emu/lanes_kit.h"

/* ---- parts of operands --------------------------------------------------------------------------------------------------------------- */

static int64_t extended(uint32_t word, unsigned shift, unsigned bits, bool is_signed)
{
    const uint32_t part = word >> shift & (uint32_t)(((uint64_t)1 << bits) - 1);
    return is_signed && part >> (bits - 1) & 1 ? (int64_t)part - ((int64_t)1 << bits) : (int64_t)part;
}

/* Position and width of a scalar part; the whole word where there is none. */
struct part {
    unsigned shift, bits;
};

static struct part part_of(const struct ptx_operand *operand)
{
    const unsigned component = operand->component;
    if (component >= PTX_SELECTOR_B0 && component <= PTX_SELECTOR_B3)
        return (struct part){8 * (component - PTX_SELECTOR_B0), 8};
    if (component == PTX_SELECTOR_H0 || component == PTX_SELECTOR_H1)
        return (struct part){16 * (component - PTX_SELECTOR_H0), 16};
    return (struct part){0, 32};
}

static int64_t clamp(int64_t value, unsigned bits, bool is_signed)
{
    const int64_t least = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    const int64_t most = ((int64_t)1 << (bits - is_signed)) - 1;
    return value < least ? least : value > most ? most : value;
}

static bool compares(unsigned compare, int64_t a, int64_t b)
{
    switch (compare) {
    case PTX_COMPARE_EQ: return a == b;
    case PTX_COMPARE_NE: return a != b;
    case PTX_COMPARE_LT: return a < b;
    case PTX_COMPARE_LE: return a <= b;
    case PTX_COMPARE_GT: return a > b;
    default: return a >= b;
    }
}

/* ---- the primary operation ------------------------------------------------------------------------------------------------------------ */

enum video_operation {
    VIDEO_ADD, VIDEO_SUB, VIDEO_ABSDIFF, VIDEO_MIN, VIDEO_MAX, VIDEO_AVERAGE, VIDEO_SHL, VIDEO_SHR, VIDEO_SET, VIDEO_MAD
};

static const struct video_row {
    uint16_t op;
    uint8_t operation, lanes; /* 1: scalar; 2 halves, 4 bytes */
} video_rows[] = {
    {PTX_OP_vadd, VIDEO_ADD, 1},          {PTX_OP_vsub, VIDEO_SUB, 1},          {PTX_OP_vabsdiff, VIDEO_ABSDIFF, 1},
    {PTX_OP_vmin, VIDEO_MIN, 1},          {PTX_OP_vmax, VIDEO_MAX, 1},          {PTX_OP_vshl, VIDEO_SHL, 1},
    {PTX_OP_vshr, VIDEO_SHR, 1},          {PTX_OP_vset, VIDEO_SET, 1},          {PTX_OP_vmad, VIDEO_MAD, 1},
    {PTX_OP_vadd2, VIDEO_ADD, 2},         {PTX_OP_vsub2, VIDEO_SUB, 2},         {PTX_OP_vavrg2, VIDEO_AVERAGE, 2},
    {PTX_OP_vabsdiff2, VIDEO_ABSDIFF, 2}, {PTX_OP_vmin2, VIDEO_MIN, 2},         {PTX_OP_vmax2, VIDEO_MAX, 2},
    {PTX_OP_vset2, VIDEO_SET, 2},         {PTX_OP_vadd4, VIDEO_ADD, 4},         {PTX_OP_vsub4, VIDEO_SUB, 4},
    {PTX_OP_vavrg4, VIDEO_AVERAGE, 4},    {PTX_OP_vabsdiff4, VIDEO_ABSDIFF, 4}, {PTX_OP_vmin4, VIDEO_MIN, 4},
    {PTX_OP_vmax4, VIDEO_MAX, 4},         {PTX_OP_vset4, VIDEO_SET, 4},
};

static const struct video_row *video_row(unsigned op)
{
    for (size_t i = 0; i < COUNT_OF(video_rows); i++)
        if (video_rows[i].op == op)
            return &video_rows[i];
    return NULL;
}

static int64_t primary(const struct ptx_instruction *source, unsigned operation, int64_t a, int64_t b)
{
    const int64_t wrapped = source->mode == PTX_MODE_WRAP ? b & 31 : b > 32 ? 32 : b;
    switch (operation) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_AVERAGE: return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VIDEO_SHL: return (int64_t)((uint64_t)a << wrapped);
    case VIDEO_SHR: return a >> wrapped;
    default: return compares(source->compare, a, b);
    }
}

/* Types of result, a and b.  vset has no result type: its result is unsigned. */
struct video_types {
    bool d_signed, a_signed, b_signed;
};

static struct video_types types_of(const struct ptx_instruction *source, unsigned operation)
{
    if (operation == VIDEO_SET)
        return (struct video_types){false, source->type == PTX_S32, source->type2 == PTX_S32};
    return (struct video_types){source->type == PTX_S32, source->type2 == PTX_S32, source->type3 == PTX_S32};
}

/* ---- scalar ----------------------------------------------------------------------------------------------------------------------------- */

static uint32_t secondary(const struct ptx_instruction *source, int64_t value, uint32_t c_bits, bool is_signed, struct part to)
{
    const int64_t c = extended(c_bits, 0, 32, is_signed);
    switch (source->operation) {
    case PTX_OPERATION_ADD: return (uint32_t)(value + c);
    case PTX_OPERATION_MIN: return (uint32_t)(value < c ? value : c);
    case PTX_OPERATION_MAX: return (uint32_t)(value > c ? value : c);
    default: break;
    }
    if (to.bits == 32)
        return (uint32_t)value;
    const uint32_t field = ((1u << to.bits) - 1) << to.shift;
    return ((uint32_t)value << to.shift & field) | (c_bits & ~field);
}

LANES_HEAD(video_scalar)
{
    const struct ptx_instruction *source = op->source;
    const unsigned operation = video_row(source->op)->operation;
    const struct video_types types = types_of(source, operation);
    const struct part to = part_of(&source->operands[0]), from_a = part_of(&source->operands[1]),
                      from_b = part_of(&source->operands[2]);
    const u32 *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b);
    const u32 *c = op->c == EMU_REF_NONE ? NULL : emu_slot(warp, op->c);
    const bool saturates = source->flags & PTX_MODIFIER_SAT;
    uint32_t result[EMU_LANES];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const int64_t x = extended(a[l], from_a.shift, from_a.bits, types.a_signed);
        const int64_t y = extended(b[l], from_b.shift, from_b.bits, types.b_signed);
        const int64_t value = primary(source, operation, x, y);
        const int64_t bounded = saturates ? clamp(value, to.bits, types.d_signed) : value;
        result[l] = secondary(source, bounded, c ? c[l] : 0, types.d_signed, to);
    }
    LANES_STORE(u32, result);
    return EMU_NEXT;
}

/* vmad: a * b + c, with one of the product and c negated, or one added (.po), and scaled by a right shift. */
LANES_HEAD(video_mad)
{
    const struct ptx_instruction *source = op->source;
    const struct ptx_operand *operands = source->operands;
    const struct part from_a = part_of(&operands[1]), from_b = part_of(&operands[2]);
    const bool a_signed = source->type2 == PTX_S32, b_signed = source->type3 == PTX_S32;
    const bool minus_product = operands[1].negated != operands[2].negated, minus_c = operands[3].negated;
    const bool plus_one = source->mode == PTX_MODE_PO || source->mode2 == PTX_MODE_PO;
    const unsigned shift = source->mode == PTX_MODE_SHR7 || source->mode2 == PTX_MODE_SHR7     ? 7
                           : source->mode == PTX_MODE_SHR15 || source->mode2 == PTX_MODE_SHR15 ? 15
                                                                                               : 0;
    const bool is_signed = a_signed || b_signed || minus_product || minus_c;
    const u32 *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b), *c = emu_slot(warp, op->c);
    uint32_t result[EMU_LANES];
    __extension__ typedef __int128 wide;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const wide product = (wide)extended(a[l], from_a.shift, from_a.bits, a_signed) *
                             extended(b[l], from_b.shift, from_b.bits, b_signed);
        const wide addend = extended(c[l], 0, 32, is_signed);
        const wide sum = (minus_product ? -product : product) + (minus_c ? -addend : addend) + plus_one;
        wide value = sum >> shift;
        if (source->flags & PTX_MODIFIER_SAT) {
            const wide least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
            value = value < least ? least : value > most ? most : value;
        }
        result[l] = (uint32_t)value;
    }
    LANES_STORE(u32, result);
    return EMU_NEXT;
}

/* ---- two halves, four bytes -------------------------------------------------------------------------------------------------------------- */

/* For each element of the result, from the lowest: which of the elements of the pair b:a.  PTX_SELECTOR_LIST has them as digits in
 * `value`, the highest first; .b0 .. .h1 are lists of one.  Shorter lists leave the high elements out. */
struct choice {
    unsigned count;
    uint8_t element[4];
};

static struct choice choice_of(const struct ptx_operand *operand, unsigned lanes, unsigned first)
{
    struct choice choice = {lanes, {0, 0, 0, 0}};
    const struct part part = part_of(operand);
    if (operand->component == PTX_SELECTOR_LIST) {
        choice.count = (unsigned)(operand->value >> 16) & 7;
        for (unsigned i = 0; i < choice.count && i < 4; i++)
            choice.element[i] = operand->value >> 4 * i & 7;
    } else if (part.bits != 32) {
        choice.count = 1;
        choice.element[0] = (uint8_t)(part.shift / part.bits);
    } else {
        for (unsigned i = 0; i < lanes; i++)
            choice.element[i] = (uint8_t)(first + i);
    }
    return choice;
}

static int64_t element(uint64_t pair, unsigned number, unsigned bits, bool is_signed)
{
    return extended((uint32_t)(pair >> bits * number), 0, bits, is_signed);
}

LANES_HEAD(video_simd)
{
    const struct ptx_instruction *source = op->source;
    const struct video_row *row = video_row(source->op);
    const struct video_types types = types_of(source, row->operation);
    const unsigned lanes = row->lanes, bits = 32 / lanes;
    const struct choice from_a = choice_of(&source->operands[1], lanes, 0);
    const struct choice from_b = choice_of(&source->operands[2], lanes, lanes);
    const struct choice to = choice_of(&source->operands[0], lanes, 0);
    const uint32_t field = (uint32_t)(((uint64_t)1 << bits) - 1);
    const u32 *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b);
    const u32 *c = op->c == EMU_REF_NONE ? NULL : emu_slot(warp, op->c);
    const bool accumulates = source->operation == PTX_OPERATION_ADD, saturates = source->flags & PTX_MODIFIER_SAT;
    uint32_t result[EMU_LANES], written = 0;
    for (unsigned i = 0; i < to.count; i++)
        written |= field << bits * to.element[i];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const uint64_t pair = (uint64_t)b[l] << 32 | a[l];
        const uint32_t addend = c ? c[l] : 0;
        uint32_t merged = addend & ~written, sum = addend;
        for (unsigned i = 0; i < lanes; i++) {
            const int64_t x = element(pair, from_a.element[i], bits, types.a_signed);
            const int64_t y = element(pair, from_b.element[i], bits, types.b_signed);
            const int64_t value = primary(source, row->operation, x, y);
            const int64_t bounded = saturates ? clamp(value, bits, types.d_signed) : value;
            const bool chosen = written >> bits * i & 1;
            merged |= chosen ? ((uint32_t)bounded & field) << bits * i : 0;
            sum += chosen ? (uint32_t)bounded : 0;
        }
        result[l] = accumulates ? sum : merged;
    }
    LANES_STORE(u32, result);
    return EMU_NEXT;
}

/* ---- rows -------------------------------------------------------------------------------------------------------------------------------- */

static bool is_word(unsigned type)
{
    return type == PTX_U32 || type == PTX_S32;
}

static emu_fn *select_video(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const struct video_row *row = video_row(instruction->op);
    if (!row || !is_word(instruction->type) || !is_word(instruction->type2) ||
        (row->operation != VIDEO_SET && !is_word(instruction->type3)) || instruction->operand_count < 3 || op->dst_size != 4 ||
        op->a_size != 4 || op->b_size != 4 || (op->c != EMU_REF_NONE && op->c_size != 4))
        return NULL;
    if (row->operation == VIDEO_MAD)
        return instruction->operand_count == 4 && op->c != EMU_REF_NONE ? video_mad : NULL;
    if (row->lanes > 1)
        return video_simd;
    const bool shifts = row->operation == VIDEO_SHL || row->operation == VIDEO_SHR;
    return shifts == (instruction->mode == PTX_MODE_CLAMP || instruction->mode == PTX_MODE_WRAP) ? video_scalar : NULL;
}

#define VIDEO(name) {PTX_OP_##name, 0, 0, 0, NULL, select_video}
const struct lanes_row LANES(lanes_video_rows)[] = {
    VIDEO(vadd),  VIDEO(vsub),   VIDEO(vabsdiff),  VIDEO(vmin),  VIDEO(vmax),  VIDEO(vshl),
    VIDEO(vshr),  VIDEO(vmad),   VIDEO(vset),      VIDEO(vadd2), VIDEO(vsub2), VIDEO(vavrg2),
    VIDEO(vmin2), VIDEO(vmax2),  VIDEO(vabsdiff2), VIDEO(vset2), VIDEO(vadd4), VIDEO(vsub4),
    VIDEO(vmin4), VIDEO(vavrg4), VIDEO(vabsdiff4), VIDEO(vmax4), VIDEO(vset4), {0, 0, 0, 0, NULL, NULL},
};
