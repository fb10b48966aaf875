/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix multiply and add of a warp (PTX ISA, wmma.mma and mma), and movmatrix: registers only; fragments are loaded and stored by the core.
 *
 * Products are exact.  The manual leaves the order and the precision of sums open ("at least single"): sums of half, bfloat, tf32 and fp8
 * products are formed in double precision from k = 0 upwards, the addend last, and rounded once; double-precision matrices
 * use fused multiply-adds from the addend on; integers wrap, or are clamped under .satfinite.
 * The operands are read in all 32 lanes, whether present or not.
 */
#include "emu/lanes_half.h"
#include "emu/math_convert.h"
#include "emu/matrix.h"

/* Elements of the largest matrices: 16 x 128 bits, 32 x 16 halves, 16 x 32 bytes. */
enum { SOURCE_MAX = 2048, FLOATS_MAX = 512, RESULT_MAX = 256 };

/* One operand: its registers, its matrix, and the format of its elements. */
struct fragment {
    const uint32_t *registers;
    unsigned count, packed; /* registers; elements in each */
    unsigned type;
    enum emu_fragment kind;
    struct emu_matrix_size size;
};

/* What an instruction multiplies; filled anew at each execution, which costs little beside the work. */
struct multiplication {
    bool is_wmma;
    unsigned type_a, type_b, type_c, type_d;
    struct fragment a, b, c, d;
};

static unsigned element_bits(unsigned type)
{
    return type == PTX_B1 ? 1 : type == PTX_TF32 ? 32 : math_type_bits(type);
}

/* The types in written order are d a b c, or d c for half-precision wmma. */
static void multiplication_types(const struct ptx_instruction *instruction, struct multiplication *work)
{
    work->is_wmma = instruction->op == PTX_OP_wmma;
    work->type_d = instruction->type;
    if (instruction->type3 == PTX_TYPE_NONE) {
        work->type_a = work->type_b = PTX_F16;
        work->type_c = instruction->type2;
    } else {
        work->type_a = instruction->type2;
        work->type_b = instruction->type3;
        work->type_c = instruction->type4;
    }
}

/* Registers of operand `number` (d a b c): a part of the list, or one scalar register.  All have `size` bytes. */
static bool find_registers(const struct emu_op *op, unsigned number, unsigned size, struct fragment *fragment)
{
    const struct ptx_instruction *source = op->source;
    const uint32_t *const scalars[4] = {&op->dst, &op->a, &op->b, &op->c};
    const uint8_t sizes[4] = {op->dst_size, op->a_size, op->b_size, op->c_size};
    unsigned before = 0;
    for (unsigned i = 0; i < number; i++)
        before += source->operands[i].kind == PTX_OPERAND_VECTOR ? source->operands[i].count : 0;
    const bool is_vector = source->operands[number].kind == PTX_OPERAND_VECTOR;
    fragment->registers = is_vector ? op->list + before : scalars[number];
    fragment->count = is_vector ? source->operands[number].count : 1;
    if (!is_vector)
        return sizes[number] == size;
    return op->list && op->list_size == size && before + fragment->count <= op->list_count;
}

static bool describe(const struct emu_op *op, struct multiplication *work)
{
    struct fragment *const fragments[4] = {&work->d, &work->a, &work->b, &work->c};
    const enum emu_fragment kinds[4] = {EMU_FRAGMENT_C, EMU_FRAGMENT_A, EMU_FRAGMENT_B, EMU_FRAGMENT_C};
    multiplication_types(op->source, work);
    const unsigned types[4] = {work->type_d, work->type_a, work->type_b, work->type_c};
    for (unsigned i = 0; i < 4; i++) {
        struct fragment *fragment = fragments[i];
        const unsigned bits = element_bits(types[i]);
        if (!bits || !find_registers(op, i, types[i] == PTX_F64 ? 8 : 4, fragment))
            return false;
        fragment->type = types[i];
        fragment->kind = kinds[i];
        fragment->packed = bits >= 32 ? 1 : 32 / bits;
        fragment->size = emu_matrix_size(kinds[i], op->source->shape);
        const unsigned room = fragment->count * fragment->packed * EMU_LANES;
        const unsigned needed = fragment->size.rows * fragment->size.columns;
        if (needed == 0 || needed > SOURCE_MAX || (work->is_wmma ? room % needed != 0 : room != needed))
            return false;
    }
    return true;
}

static struct emu_matrix_place place_of(const struct multiplication *work, const struct fragment *fragment, unsigned lane,
                                        unsigned index)
{
    if (work->is_wmma)
        return emu_matrix_wmma_place(fragment->size, fragment->count * fragment->packed, lane, index);
    return emu_matrix_mma_place(fragment->kind, fragment->size, fragment->packed, lane, index);
}

/* The bits of one element of one lane. */
static uint64_t element_read(struct emu_warp *warp, const struct fragment *fragment, unsigned lane, unsigned index)
{
    const void *slot = emu_slot(warp, fragment->registers[index / fragment->packed]);
    if (fragment->type == PTX_F64)
        return ((const u64 *)slot)[lane];
    const unsigned bits = element_bits(fragment->type);
    const uint32_t word = ((const u32 *)slot)[lane];
    return bits == 32 ? word : word >> bits * (index % fragment->packed) & ((1u << bits) - 1);
}

static double element_as_double(unsigned type, uint64_t bits)
{
    switch (type) {
    case PTX_F64: return lanes_float64(bits);
    case PTX_F32: return lanes_float32((uint32_t)bits);
    case PTX_TF32: return lanes_float32((uint32_t)bits & 0xffffe000u);
    case PTX_F16: return lanes_from_f16((uint32_t)bits);
    case PTX_BF16: return lanes_from_bf16((uint32_t)bits);
    default: {
        const struct math_conversion conversion = {.to = PTX_F64, .from = (uint8_t)type};
        return lanes_float64(math_convert(&conversion, bits));
    }
    }
}

static int64_t element_as_integer(unsigned type, uint64_t bits)
{
    const unsigned width = element_bits(type);
    const bool is_signed = type == PTX_S4 || type == PTX_S8 || type == PTX_S32;
    return is_signed && bits >> (width - 1) & 1 ? (int64_t)(bits | UINT64_MAX << width) : (int64_t)bits;
}

/* ---- floating point --------------------------------------------------------------------------------------------------------------- */

static void matrix_read(struct emu_warp *warp, const struct multiplication *work, const struct fragment *fragment, double *out)
{
    for (unsigned lane = 0; lane < EMU_LANES; lane++)
        for (unsigned i = 0; i < fragment->count * fragment->packed; i++) {
            const struct emu_matrix_place place = place_of(work, fragment, lane, i);
            out[place.row * fragment->size.columns + place.column] =
                element_as_double(fragment->type, element_read(warp, fragment, lane, i));
        }
}

static uint64_t rounded_bits(unsigned type, double value)
{
    if (type == PTX_F64) /* one NaN: which of many operands it came from must not depend on the instruction set */
        return value == value ? lanes_bits64(value) : 0xfff8000000000000u;
    if (type == PTX_F32)
        return lanes_bits32(lanes_canonical((float)value));
    const struct math_conversion conversion = {.to = (uint8_t)type, .from = PTX_F64, .round = PTX_ROUND_NEAREST};
    return math_convert(&conversion, lanes_bits64(value));
}

static double element_sum(const struct multiplication *work, const double *a, const double *b, double c, unsigned row,
                          unsigned column)
{
    const unsigned depth = work->a.size.columns, columns = work->b.size.columns;
    double sum = work->type_a == PTX_F64 ? c : 0.0;
    for (unsigned k = 0; k < depth; k++) {
        const double x = a[row * depth + k], y = b[k * columns + column];
        sum = work->type_a == PTX_F64 ? __builtin_fma(x, y, sum) : sum + x * y;
    }
    return work->type_a == PTX_F64 ? sum : sum + c;
}

LANES_HEAD(multiply_floats)
{
    struct multiplication work;
    double a[FLOATS_MAX], b[FLOATS_MAX], c[RESULT_MAX];
    uint64_t result[RESULT_MAX];
    if (!describe(op, &work))
        return EMU_NEXT;
    matrix_read(warp, &work, &work.a, a);
    matrix_read(warp, &work, &work.b, b);
    matrix_read(warp, &work, &work.c, c);
    const unsigned columns = work.d.size.columns;
    for (unsigned row = 0; row < work.d.size.rows; row++)
        for (unsigned column = 0; column < columns; column++)
            result[row * columns + column] =
                rounded_bits(work.type_d, element_sum(&work, a, b, c[row * columns + column], row, column));
    for (unsigned lane = 0; lane < EMU_LANES; lane++) {
        if (!(mask & lanes_bit[lane]))
            continue;
        for (unsigned r = 0; r < work.d.count; r++) {
            if (work.d.registers[r] == EMU_REF_NONE) /* `_` */
                continue;
            uint64_t word = 0;
            for (unsigned e = 0; e < work.d.packed; e++) {
                const struct emu_matrix_place place = place_of(&work, &work.d, lane, r * work.d.packed + e);
                word |= result[place.row * columns + place.column] << 16 * e;
            }
            lanes_write(warp, work.d.registers[r], work.type_d == PTX_F64 ? 8 : 4, lane, word);
        }
    }
    return EMU_NEXT;
}

/* ---- integers ------------------------------------------------------------------------------------------------------------------------ */

static void integers_read(struct emu_warp *warp, const struct multiplication *work, const struct fragment *fragment, int32_t *out)
{
    for (unsigned lane = 0; lane < EMU_LANES; lane++)
        for (unsigned i = 0; i < fragment->count * fragment->packed; i++) {
            const struct emu_matrix_place place = place_of(work, fragment, lane, i);
            out[place.row * fragment->size.columns + place.column] =
                (int32_t)element_as_integer(fragment->type, element_read(warp, fragment, lane, i));
        }
}

/* Single bits are combined by `and` or `xor` and counted; a 0/1 element makes both products. */
static int64_t integer_sum(const struct multiplication *work, const int32_t *a, const int32_t *b, unsigned row, unsigned column,
                           bool exclusive)
{
    const unsigned depth = work->a.size.columns, columns = work->b.size.columns;
    int64_t sum = 0;
    for (unsigned k = 0; k < depth; k++) {
        const int32_t x = a[row * depth + k], y = b[k * columns + column];
        sum += exclusive ? x ^ y : x * y;
    }
    return sum;
}

LANES_HEAD(multiply_integers)
{
    struct multiplication work;
    static const int64_t least = INT32_MIN, most = INT32_MAX;
    int32_t a[SOURCE_MAX], b[SOURCE_MAX], c[RESULT_MAX], result[RESULT_MAX];
    if (!describe(op, &work))
        return EMU_NEXT;
    integers_read(warp, &work, &work.a, a);
    integers_read(warp, &work, &work.b, b);
    integers_read(warp, &work, &work.c, c);
    const bool exclusive = work.type_a == PTX_B1 && op->source->operation == PTX_OPERATION_XOR;
    const bool clamps = op->source->flags & PTX_MODIFIER_SAT;
    const unsigned columns = work.d.size.columns;
    for (unsigned row = 0; row < work.d.size.rows; row++)
        for (unsigned column = 0; column < columns; column++) {
            const int64_t sum = integer_sum(&work, a, b, row, column, exclusive) + c[row * columns + column];
            const int64_t clamped = sum < least ? least : sum > most ? most : sum;
            result[row * columns + column] = (int32_t)(uint32_t)(clamps ? clamped : sum);
        }
    for (unsigned lane = 0; lane < EMU_LANES; lane++) {
        if (!(mask & lanes_bit[lane]))
            continue;
        for (unsigned r = 0; r < work.d.count; r++) {
            if (work.d.registers[r] == EMU_REF_NONE)
                continue;
            const struct emu_matrix_place place = place_of(&work, &work.d, lane, r);
            lanes_write(warp, work.d.registers[r], 4, lane, (uint32_t)result[place.row * columns + place.column]);
        }
    }
    return EMU_NEXT;
}

static bool is_float_pair(unsigned a, unsigned b)
{
    const bool small = (a == PTX_E4M3 || a == PTX_E5M2) && (b == PTX_E4M3 || b == PTX_E5M2);
    return small || (a == b && (a == PTX_F16 || a == PTX_BF16 || a == PTX_TF32 || a == PTX_F64));
}

static bool is_integer_pair(unsigned a, unsigned b)
{
    return ((a == PTX_S8 || a == PTX_U8) && (b == PTX_S8 || b == PTX_U8)) ||
           ((a == PTX_S4 || a == PTX_U4) && (b == PTX_S4 || b == PTX_U4)) || (a == PTX_B1 && b == PTX_B1);
}

/* Layouts other than row.col change which registers hold what only for mma.m8n8k4 on halves, which is not here. */
static emu_fn *select_multiply(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    struct multiplication work;
    const bool is_mma = instruction->op == PTX_OP_mma;
    const unsigned mode = instruction->mode;
    if (instruction->operand_count != 4 || (is_mma ? mode != PTX_MODE_NONE : mode != PTX_MODE_MMA) ||
        instruction->mode2 != PTX_MODE_NONE || !describe(op, &work))
        return NULL;
    const unsigned c = work.type_c, d = work.type_d;
    const unsigned elements = work.a.size.rows * work.a.size.columns > work.b.size.rows * work.b.size.columns
                                  ? work.a.size.rows * work.a.size.columns
                                  : work.b.size.rows * work.b.size.columns;
    if (work.d.size.rows * work.d.size.columns > RESULT_MAX)
        return NULL;
    if (is_float_pair(work.type_a, work.type_b) && elements <= FLOATS_MAX) {
        const bool single = (d == PTX_F32 || d == PTX_F16) && (c == PTX_F32 || c == PTX_F16);
        const bool known = work.type_a == PTX_F64 ? c == PTX_F64 && d == PTX_F64 : single;
        return known ? multiply_floats : NULL;
    }
    const bool words = c == PTX_S32 && d == PTX_S32;
    return words && is_integer_pair(work.type_a, work.type_b) ? multiply_integers : NULL;
}

/* ---- movmatrix ------------------------------------------------------------------------------------------------------------------------- */

/* Lane 4r + c holds elements (r, 2c) and (r, 2c + 1) of an 8x8 matrix of halves; afterwards those of its transpose. */
LANES_HEAD(transpose)
{
    const u32 *a = emu_slot(warp, op->a);
    uint32_t result[EMU_LANES];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const unsigned row = l / 4, column = l % 4 * 2;
        const unsigned shift = 16 * (row % 2);
        const uint32_t low = a[4 * column + row / 2] >> shift & 0xffffu;
        const uint32_t high = a[4 * (column + 1) + row / 2] >> shift & 0xffffu;
        result[l] = low | high << 16;
    }
    LANES_STORE(u32, result);
    return EMU_NEXT;
}

static emu_fn *select_movmatrix(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    return instruction->mode == PTX_MODE_TRANS && instruction->type == PTX_B16 && op->dst_size == 4 && op->a_size == 4 ? transpose
                                                                                                                       : NULL;
}

const struct lanes_row LANES(lanes_matrix_rows)[] = {
    {PTX_OP_mma, 0, 0, 0, NULL, select_multiply},
    {PTX_OP_wmma, 0, 0, 0, NULL, select_multiply},
    {PTX_OP_movmatrix, 0, 0, 0, NULL, select_movmatrix},
    {0, 0, 0, 0, NULL, NULL},
};
