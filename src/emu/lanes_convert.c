/* SPDX-License-Identifier: Apache-2.0
 *
 * cvt (PTX ISA, Data Movement and Conversion Instructions: cvt, cvt.pack).  The conversions that compilers write have vector loops
 * here; every other legal combination of types, roundings, modifiers and register widths goes one value at a time through
 * math_convert, which both are tested against.
 *
 * A source register may be wider than the source type (its low bits count), a destination register wider than the destination type
 * (the result is extended by the type's sign).
 */
#include "emu/lanes_half.h"
#include "emu/math_convert.h"

enum { FTZ = PTX_MODIFIER_FTZ, SAT = PTX_MODIFIER_SAT, RELU = PTX_MODIFIER_RELU };

/* ---- integer to integer -------------------------------------------------------------------------------------------------- */

/* The low bits, extended into the destination's slot: from slots of 16, 32 and 64 bits. */
#define TRUNCATE(name, TD, T)                                                                                          \
    LANES_UNARY(name##_16, TD, u16, (T)a)                                                                              \
    LANES_UNARY(name##_32, TD, u32, (T)a)                                                                              \
    LANES_UNARY(name##_64, TD, u64, (T)a)
TRUNCATE(to_u8, u16, uint8_t)
TRUNCATE(to_s8, u16, int8_t)
TRUNCATE(to_half, u16, uint16_t)
TRUNCATE(to_word, u32, uint32_t)
TRUNCATE(to_long, u64, uint64_t)
#define EXTEND(name, T)                                                                                                \
    TRUNCATE(name##_to_16, u16, T)                                                                                     \
    TRUNCATE(name##_to_32, u32, T)                                                                                     \
    TRUNCATE(name##_to_64, u64, T)
EXTEND(u8, uint8_t)
EXTEND(s8, int8_t)
EXTEND(u16, uint16_t)
EXTEND(s16, int16_t)
EXTEND(u32, uint32_t)
EXTEND(s32, int32_t)

/* Slots of 2, 4 and 8 bytes are numbers 0, 1 and 2. */
static int slot_number(unsigned size)
{
    return size == 2 ? 0 : size == 4 ? 1 : size == 8 ? 2 : -1;
}

#define BY_SOURCE(f) {f##_16, f##_32, f##_64}
#define BY_BOTH(f) {BY_SOURCE(f##_to_16), BY_SOURCE(f##_to_32), BY_SOURCE(f##_to_64)}
static emu_fn *const extensions[PTX_TYPE_COUNT][3][3] = { /* [source type][destination slot][source slot] */
    [PTX_U8] = BY_BOTH(u8),   [PTX_S8] = BY_BOTH(s8),   [PTX_U16] = BY_BOTH(u16),
    [PTX_S16] = BY_BOTH(s16), [PTX_U32] = BY_BOTH(u32), [PTX_S32] = BY_BOTH(s32)};
static emu_fn *const truncations[PTX_TYPE_COUNT][3] = {
    [PTX_U8] = BY_SOURCE(to_u8),    [PTX_S8] = BY_SOURCE(to_s8),    [PTX_U16] = BY_SOURCE(to_half),
    [PTX_S16] = BY_SOURCE(to_half), [PTX_U32] = BY_SOURCE(to_word), [PTX_S32] = BY_SOURCE(to_word),
    [PTX_U64] = BY_SOURCE(to_long), [PTX_S64] = BY_SOURCE(to_long)};

static bool is_integer(unsigned type)
{
    return type >= PTX_U8 && type <= PTX_S64;
}

static emu_fn *select_integers(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const unsigned to = math_type_bits(instruction->type), from = math_type_bits(instruction->type2);
    const int dst = slot_number(op->dst_size), src = slot_number(op->a_size);
    if (dst < 0 || src < 0 || instruction->flags || op->dst_size != (to < 16 ? 2 : to / 8))
        return NULL;
    return to <= from ? truncations[instruction->type][src] : extensions[instruction->type2][dst][src];
}

/* ---- rounding to integral values ------------------------------------------------------------------------------------------- */

#if defined(__SSE4_1__)
#define NEAREST32(x) __builtin_rintf(x)
#define TRUNCATED32(x) __builtin_truncf(x)
#define FLOOR32(x) __builtin_floorf(x)
#define CEILING32(x) __builtin_ceilf(x)
#define NEAREST64(x) __builtin_rint(x)
#define TRUNCATED64(x) __builtin_trunc(x)
#define FLOOR64(x) __builtin_floor(x)
#define CEILING64(x) __builtin_ceil(x)
#else
/* Adding and taking away 2^23 (2^52) rounds to nearest; one step then makes the other directions. */
#define INTEGRAL(T, suffix, BITS, FROM, U, SIGN, MAGIC)                                                                \
    static inline T signed_as##suffix(T value, T sign)                                                                 \
    {                                                                                                                  \
        return FROM((BITS(value) & ~(U)(SIGN)) | (BITS(sign) & (U)(SIGN)));                                            \
    }                                                                                                                  \
    static inline T nearest##suffix(T x)                                                                               \
    {                                                                                                                  \
        const T magnitude = signed_as##suffix(x, (T)0);                                                                \
        const T rounded = (magnitude + (MAGIC)) - (MAGIC);                                                             \
        return magnitude < (MAGIC) ? signed_as##suffix(rounded, x) : x;                                                \
    }                                                                                                                  \
    static inline T floor##suffix(T x)                                                                                 \
    {                                                                                                                  \
        const T rounded = nearest##suffix(x);                                                                          \
        return signed_as##suffix(rounded > x ? rounded - 1 : rounded, x);                                              \
    }                                                                                                                  \
    static inline T ceiling##suffix(T x)                                                                               \
    {                                                                                                                  \
        const T rounded = nearest##suffix(x);                                                                          \
        return signed_as##suffix(rounded < x ? rounded + 1 : rounded, x);                                              \
    }                                                                                                                  \
    static inline T truncated##suffix(T x)                                                                             \
    {                                                                                                                  \
        return signed_as##suffix(floor##suffix(signed_as##suffix(x, (T)0)), x);                                        \
    }
INTEGRAL(float, 32, lanes_bits32, lanes_float32, uint32_t, 0x80000000u, 0x1p23f)
INTEGRAL(double, 64, lanes_bits64, lanes_float64, uint64_t, 0x8000000000000000u, 0x1p52)
#define NEAREST32(x) nearest32(x)
#define TRUNCATED32(x) truncated32(x)
#define FLOOR32(x) floor32(x)
#define CEILING32(x) ceiling32(x)
#define NEAREST64(x) nearest64(x)
#define TRUNCATED64(x) truncated64(x)
#define FLOOR64(x) floor64(x)
#define CEILING64(x) ceiling64(x)
#endif

#define INTEGRAL32(name, ROUND)                                                                                        \
    LANES_UNARY(integral32_##name, f32, f32, lanes_canonical(ROUND(a)))                                                \
    LANES_UNARY(integral32_##name##_ftz, f32, f32, lanes_flush(lanes_canonical(ROUND(lanes_flush(a)))))
#define QUIET64(x) lanes_first_nan(a, x)
#define INTEGRAL64(name, ROUND) LANES_UNARY(integral64_##name, f64, f64, QUIET64(ROUND(a)))
LANES_UNARY(same32, u32, u32, a)
LANES_UNARY(same32_ftz, f32, f32, lanes_flush(lanes_canonical(a)))
LANES_UNARY(same64, u64, u64, a)
INTEGRAL32(nearest, NEAREST32)
INTEGRAL32(zero, TRUNCATED32)
INTEGRAL32(down, FLOOR32)
INTEGRAL32(up, CEILING32)
INTEGRAL64(nearest, NEAREST64)
INTEGRAL64(zero, TRUNCATED64)
INTEGRAL64(down, FLOOR64)
INTEGRAL64(up, CEILING64)
LANES_UNARY(saturate32, f32, f32, lanes_saturate(a))
LANES_UNARY(saturate32_ftz, f32, f32, lanes_saturate(lanes_flush(a)))

/* ---- float to integer ------------------------------------------------------------------------------------------------------ */

/* Clamped to [least, most]; `above` is the first float past `most`.  NaN gives `nan`. */
#define CLAMP(T, TF, C, least, most, above, nan)                                                                       \
    static inline C clamp_##T##_##TF(TF value)                                                                         \
    {                                                                                                                  \
        const bool inside = value > (TF)(least) && value < (TF)(above);                                                \
        const C converted = (C)(inside ? value : (TF)0);                                                               \
        const C bound = value < (TF)(above) ? (C)(least) : (C)(most);                                                  \
        return inside ? converted : value != value ? (C)(nan) : bound;                                                 \
    }                                                                                                                  \
    LANES_UNARY(T##_##TF##_nearest, T, TF, clamp_##T##_##TF(NEAREST_##TF(a)))                                          \
    LANES_UNARY(T##_##TF##_zero, T, TF, clamp_##T##_##TF(TRUNCATED_##TF(a)))                                           \
    LANES_UNARY(T##_##TF##_down, T, TF, clamp_##T##_##TF(FLOOR_##TF(a)))                                               \
    LANES_UNARY(T##_##TF##_up, T, TF, clamp_##T##_##TF(CEILING_##TF(a)))
#define NEAREST_f32(x) NEAREST32(x)
#define TRUNCATED_f32(x) TRUNCATED32(x)
#define FLOOR_f32(x) FLOOR32(x)
#define CEILING_f32(x) CEILING32(x)
#define NEAREST_f64(x) NEAREST64(x)
#define TRUNCATED_f64(x) TRUNCATED64(x)
#define FLOOR_f64(x) FLOOR64(x)
#define CEILING_f64(x) CEILING64(x)
CLAMP(s32, f32, int32_t, INT32_MIN, INT32_MAX, 0x1p31, 0)
CLAMP(u32, f32, uint32_t, 0, UINT32_MAX, 0x1p32, 0)
CLAMP(s64, f32, int64_t, INT64_MIN, INT64_MAX, 0x1p63, INT64_MIN)
CLAMP(u64, f32, uint64_t, 0, UINT64_MAX, 0x1p64, 0x8000000000000000u)
CLAMP(s32, f64, int32_t, INT32_MIN, INT32_MAX, 0x1p31, INT32_MIN)
CLAMP(u32, f64, uint32_t, 0, UINT32_MAX, 0x1p32, 0x80000000u)
CLAMP(s64, f64, int64_t, INT64_MIN, INT64_MAX, 0x1p63, INT64_MIN)
CLAMP(u64, f64, uint64_t, 0, UINT64_MAX, 0x1p64, 0x8000000000000000u)
#define BY_ROUNDING(f) {[PTX_ROUND_NEAREST] = f##_nearest, [PTX_ROUND_ZERO] = f##_zero, [PTX_ROUND_DOWN] = f##_down, [PTX_ROUND_UP] = f##_up}

/* ---- integer to float -------------------------------------------------------------------------------------------------------- */

#define FROM_INTEGER(name, TS, C)                                                                                      \
    LANES_UNARY(f32_##name, f32, TS, (float)(C)a)                                                                      \
    LANES_UNARY(f64_##name, f64, TS, (double)(C)a)
FROM_INTEGER(u8, u16, uint8_t)
FROM_INTEGER(s8, u16, int8_t)
FROM_INTEGER(u16, u16, uint16_t)
FROM_INTEGER(s16, u16, int16_t)
FROM_INTEGER(u32, u32, uint32_t)
FROM_INTEGER(s32, u32, int32_t)
FROM_INTEGER(u64, u64, uint64_t)
FROM_INTEGER(s64, u64, int64_t)

/* Halves of integers: exact in single precision up to 16 bits, else rounded to odd on the way. */
#define HALF_FROM_INTEGER(name, TS, C, WIDE)                                                                           \
    LANES_UNARY(f16_##name, u16, TS, lanes_to_f16(WIDE((C)a)))                                                         \
    LANES_UNARY(bf16_##name, u16, TS, lanes_to_bf16(WIDE((C)a)))
#define EXACT_SINGLE(x) ((float)(x))
#define ODD_SINGLE(x) lanes_narrow_odd((double)(x))
HALF_FROM_INTEGER(u8, u16, uint8_t, EXACT_SINGLE)
HALF_FROM_INTEGER(s8, u16, int8_t, EXACT_SINGLE)
HALF_FROM_INTEGER(u16, u16, uint16_t, EXACT_SINGLE)
HALF_FROM_INTEGER(s16, u16, int16_t, EXACT_SINGLE)
HALF_FROM_INTEGER(u32, u32, uint32_t, ODD_SINGLE)
HALF_FROM_INTEGER(s32, u32, int32_t, ODD_SINGLE)

/* NaNs as an H200 treats them: to and from double precision they keep the top of their payload (without .ftz); conversions to and
 * from halves give the canonical one. */

/* ---- float to float ------------------------------------------------------------------------------------------------------------ */

LANES_UNARY(f64_f32, f64, f32, (double)a)
LANES_UNARY(f64_f32_ftz, f64, f32, (double)lanes_canonical(lanes_flush(a)))
LANES_UNARY(f32_f64, f32, f64, (float)a)
LANES_UNARY(f32_f64_ftz, f32, f64, lanes_flush((float)a))
LANES_UNARY(f32_f16, f32, u16, lanes_canonical(lanes_from_f16(a)))
LANES_UNARY(f32_bf16, f32, u16, lanes_from_bf16(a))
LANES_UNARY(f16_f32, u16, f32, lanes_to_f16(a))
LANES_UNARY(bf16_f32, u16, f32, lanes_to_bf16(a))
LANES_BINARY(f16x2_f32, u32, f32, f32, lanes_to_f16(a) << 16 | lanes_to_f16(b))
LANES_BINARY(bf16x2_f32, u32, f32, f32, lanes_to_bf16(a) << 16 | lanes_to_bf16(b))

/* ---- table of the fast conversions ----------------------------------------------------------------------------------------------- */

struct fast_row {
    uint8_t to, from;
    uint32_t flags;
    emu_fn *by_round[PTX_ROUND_UP + 1];
};
#define EXACT(f) {[PTX_ROUND_NONE] = f, [PTX_ROUND_NEAREST] = f}
#define NEAREST(f) {[PTX_ROUND_NEAREST] = f}
#define ONLY(f) {[PTX_ROUND_NONE] = f}
#define SUBNORMALS_VANISH(f) {[PTX_ROUND_NEAREST] = f##_nearest, [PTX_ROUND_ZERO] = f##_zero} /* with or without .ftz */
#define HALF_ROWS(from, name) {PTX_F16, from, 0, NEAREST(f16_##name)}, {PTX_BF16, from, 0, NEAREST(bf16_##name)}
static const struct fast_row fast_rows[] = {
    {PTX_S32, PTX_F32, 0, BY_ROUNDING(s32_f32)},
    {PTX_U32, PTX_F32, 0, BY_ROUNDING(u32_f32)},
    {PTX_S64, PTX_F32, 0, BY_ROUNDING(s64_f32)},
    {PTX_U64, PTX_F32, 0, BY_ROUNDING(u64_f32)},
    {PTX_S32, PTX_F64, 0, BY_ROUNDING(s32_f64)},
    {PTX_U32, PTX_F64, 0, BY_ROUNDING(u32_f64)},
    {PTX_S64, PTX_F64, 0, BY_ROUNDING(s64_f64)},
    {PTX_U64, PTX_F64, 0, BY_ROUNDING(u64_f64)},
    {PTX_S32, PTX_F32, FTZ, SUBNORMALS_VANISH(s32_f32)},
    {PTX_U32, PTX_F32, FTZ, SUBNORMALS_VANISH(u32_f32)},
    {PTX_S64, PTX_F32, FTZ, SUBNORMALS_VANISH(s64_f32)},
    {PTX_U64, PTX_F32, FTZ, SUBNORMALS_VANISH(u64_f32)},
    {PTX_F32, PTX_U8, 0, EXACT(f32_u8)},
    {PTX_F32, PTX_S8, 0, EXACT(f32_s8)},
    {PTX_F32, PTX_U16, 0, EXACT(f32_u16)},
    {PTX_F32, PTX_S16, 0, EXACT(f32_s16)},
    {PTX_F32, PTX_U32, 0, NEAREST(f32_u32)},
    {PTX_F32, PTX_S32, 0, NEAREST(f32_s32)},
    {PTX_F32, PTX_U64, 0, NEAREST(f32_u64)},
    {PTX_F32, PTX_S64, 0, NEAREST(f32_s64)},
    {PTX_F64, PTX_U8, 0, EXACT(f64_u8)},
    {PTX_F64, PTX_S8, 0, EXACT(f64_s8)},
    {PTX_F64, PTX_U16, 0, EXACT(f64_u16)},
    {PTX_F64, PTX_S16, 0, EXACT(f64_s16)},
    {PTX_F64, PTX_U32, 0, EXACT(f64_u32)},
    {PTX_F64, PTX_S32, 0, EXACT(f64_s32)},
    {PTX_F64, PTX_U64, 0, NEAREST(f64_u64)},
    {PTX_F64, PTX_S64, 0, NEAREST(f64_s64)},
    HALF_ROWS(PTX_U8, u8),
    HALF_ROWS(PTX_S8, s8),
    HALF_ROWS(PTX_U16, u16),
    HALF_ROWS(PTX_S16, s16),
    HALF_ROWS(PTX_U32, u32),
    HALF_ROWS(PTX_S32, s32),
    {PTX_F64, PTX_F32, 0, ONLY(f64_f32)},
    {PTX_F64, PTX_F32, FTZ, ONLY(f64_f32_ftz)},
    {PTX_F32, PTX_F64, 0, NEAREST(f32_f64)},
    {PTX_F32, PTX_F64, FTZ, NEAREST(f32_f64_ftz)},
    {PTX_F32, PTX_F16, 0, ONLY(f32_f16)},
    {PTX_F32, PTX_F16, FTZ, ONLY(f32_f16)}, /* every half is a normal float */
    {PTX_F32, PTX_BF16, 0, ONLY(f32_bf16)},
    {PTX_F16, PTX_F32, 0, NEAREST(f16_f32)},
    {PTX_F16, PTX_F32, FTZ, NEAREST(f16_f32)}, /* devices keep the subnormals: see math_convert.c */
    {PTX_BF16, PTX_F32, 0, NEAREST(bf16_f32)},
    {PTX_F16X2, PTX_F32, 0, NEAREST(f16x2_f32)},
    {PTX_BF16X2, PTX_F32, 0, NEAREST(bf16x2_f32)},
    {PTX_F32, PTX_F32, 0, {same32, integral32_nearest, integral32_zero, integral32_down, integral32_up}},
    {PTX_F32, PTX_F32, FTZ,
     {same32_ftz, integral32_nearest_ftz, integral32_zero_ftz, integral32_down_ftz, integral32_up_ftz}},
    {PTX_F64, PTX_F64, 0, {same64, integral64_nearest, integral64_zero, integral64_down, integral64_up}},
    {PTX_F32, PTX_F32, SAT, ONLY(saturate32)},
    {PTX_F32, PTX_F32, SAT | FTZ, ONLY(saturate32_ftz)},
};

/* Bytes of the slot in which a value of this type lives by itself. */
static unsigned natural_size(unsigned type)
{
    if (type == PTX_F16X2 || type == PTX_BF16X2)
        return 4;
    const unsigned bits = math_type_bits(type);
    return bits < 16 ? 2 : bits / 8;
}

static emu_fn *select_fast(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const bool is_pair = instruction->type == PTX_F16X2 || instruction->type == PTX_BF16X2;
    if (op->dst_size != natural_size(instruction->type) || op->a_size != natural_size(instruction->type2) ||
        op->b_size != (is_pair ? 4 : 0) ||
        instruction->round > PTX_ROUND_UP)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(fast_rows); i++) {
        const struct fast_row *row = &fast_rows[i];
        if (row->to == instruction->type && row->from == instruction->type2 && row->flags == instruction->flags)
            return row->by_round[instruction->round];
    }
    return NULL;
}

/* ---- any other conversion ---------------------------------------------------------------------------------------------------------- */

/* Pairs: the type of one half and how many bits it has; other types are their own. */
static unsigned element_type(unsigned type)
{
    switch (type) {
    case PTX_F16X2: return PTX_F16;
    case PTX_BF16X2: return PTX_BF16;
    case PTX_E4M3X2: return PTX_E4M3;
    case PTX_E5M2X2: return PTX_E5M2;
    default: return type;
    }
}

static bool has_modifier(const struct ptx_instruction *instruction, enum ptx_mod modifier)
{
    for (unsigned i = 0; i < instruction->mod_count; i++)
        if (instruction->mods[i] == modifier)
            return true;
    return false;
}

static struct math_conversion conversion_of(const struct ptx_instruction *instruction)
{
    const unsigned to = element_type(instruction->type), from = element_type(instruction->type2);
    const bool small = to == PTX_E4M3 || to == PTX_E5M2;
    const bool finite = small || has_modifier(instruction, PTX_MOD_satfinite);
    return (struct math_conversion){.to = (uint8_t)to,
                                    .from = (uint8_t)from,
                                    .round = instruction->round,
                                    .integral = to == from && instruction->round != PTX_ROUND_NONE,
                                    .flush = instruction->flags & FTZ,
                                    .saturate = instruction->flags & SAT && !finite,
                                    .finite = finite,
                                    .relu = instruction->flags & RELU};
}

static uint64_t extended(unsigned type, uint64_t value)
{
    const unsigned bits = math_type_bits(type);
    const bool negative = is_integer(type) && ptx_type_is_signed((enum ptx_type)type) && value >> (bits - 1) & 1;
    return negative && bits < 64 ? value | UINT64_MAX << bits : value;
}

LANES_HEAD(convert_any)
{
    const struct math_conversion conversion = conversion_of(op->source);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        const uint64_t result = math_convert(&conversion, lanes_read(warp, op->a, op->a_size, l));
        lanes_write(warp, op->dst, op->dst_size, l, extended(conversion.to, result));
    }
    return EMU_NEXT;
}

/* Two values into one register: a becomes the high half, b the low one; or both halves of one register. */
LANES_HEAD(convert_pair)
{
    const struct math_conversion conversion = conversion_of(op->source);
    const unsigned to_bits = math_type_bits(conversion.to), from_bits = math_type_bits(conversion.from);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        uint64_t high = lanes_read(warp, op->a, op->a_size, l), low = high;
        if (op->b == EMU_REF_NONE)
            high >>= from_bits;
        else
            low = lanes_read(warp, op->b, op->b_size, l);
        const uint64_t result = math_convert(&conversion, high) << to_bits | math_convert(&conversion, low);
        lanes_write(warp, op->dst, op->dst_size, l, result);
    }
    return EMU_NEXT;
}

/* cvt.pack: a and b saturated and put side by side, b in the low bits; above them the low bits of c. */
LANES_HEAD(convert_pack)
{
    const struct math_conversion conversion = {.to = op->source->type, .from = op->source->type2, .saturate = true};
    const unsigned bits = math_type_bits(conversion.to);
    const u32 *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b);
    const u32 *c = op->c == EMU_REF_NONE ? NULL : emu_slot(warp, op->c);
    uint32_t result[EMU_LANES];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const uint64_t above = c && bits < 16 ? (uint64_t)c[l] << 2 * bits : 0;
        result[l] = (uint32_t)(above | math_convert(&conversion, a[l]) << bits | math_convert(&conversion, b[l]));
    }
    LANES_STORE(u32, result);
    return EMU_NEXT;
}

static emu_fn *select_pack(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const unsigned bits = math_type_bits(instruction->type);
    const bool known = bits && bits <= 16 && !ptx_type_is_float(instruction->type) && instruction->type2 == PTX_S32 &&
                       op->dst_size == 4 && op->a_size == 4 && op->b_size == 4 && (op->c == EMU_REF_NONE || op->c_size == 4);
    return known ? convert_pack : NULL;
}

static emu_fn *select_cvt(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (instruction->mode == PTX_MODE_PACK)
        return select_pack(instruction, op);
    if (instruction->mode || instruction->flags & ~(uint32_t)(FTZ | SAT | RELU) || op->c != EMU_REF_NONE)
        return NULL;
    const unsigned to = element_type(instruction->type), from = element_type(instruction->type2);
    if (!math_type_bits(to) || !math_type_bits(from) || slot_number(op->dst_size) < 0 || slot_number(op->a_size) < 0 ||
        instruction->round > PTX_ROUND_NEAREST_AWAY)
        return NULL;
    emu_fn *run = is_integer(to) && is_integer(from) ? select_integers(instruction, op) : select_fast(instruction, op);
    if (run)
        return run;
    if (to == instruction->type)
        return from == instruction->type2 && op->b == EMU_REF_NONE ? convert_any : NULL;
    /* A pair is made of two values or of another pair. */
    const bool from_two = from == PTX_F32 && op->b != EMU_REF_NONE && slot_number(op->b_size) >= 0;
    return from_two || (from != instruction->type2 && op->b == EMU_REF_NONE) ? convert_pair : NULL;
}

const struct lanes_row LANES(lanes_convert_rows)[] = {
    {PTX_OP_cvt, 0, 0, 0, NULL, select_cvt},
    {0, 0, 0, 0, NULL, NULL},
};
