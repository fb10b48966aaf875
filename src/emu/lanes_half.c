/* SPDX-License-Identifier: Apache-2.0
 *
 * Half-precision arithmetic (PTX ISA, Half Precision Floating Point Instructions): add, sub, mul, fma, neg, abs, min, max, ex2, tanh
 * on f16, f16x2, bf16 and bf16x2.
 *
 * Sums and products of halves, computed in single precision and rounded again, are rounded correctly: single precision has
 * more than twice the digits.  Fused operations round to odd in between (lanes_half.h).  The forms without modifiers are vector loops;
 * those with .ftz, .sat, .relu, .NaN, .xorsign.abs or a third operand go one value at a time.
 */
#include "emu/lanes_half.h"

#include "emu/lanes_approx.h"

enum {
    FTZ = PTX_MODIFIER_FTZ, SAT = PTX_MODIFIER_SAT, RELU = PTX_MODIFIER_RELU, NOT_A_NUMBER = PTX_MODIFIER_NAN,
    XORSIGN = PTX_MODIFIER_XORSIGN, ABS = PTX_MODIFIER_ABS, APPROX = PTX_MODIFIER_APPROX
};

/* ---- one half ---------------------------------------------------------------------------------------------------------------- */

#define ARITHMETIC(format)                                                                                             \
    static inline uint32_t add_##format(uint32_t a, uint32_t b)                                                        \
    {                                                                                                                  \
        return lanes_to_##format(lanes_from_##format(a) + lanes_from_##format(b));                                     \
    }                                                                                                                  \
    static inline uint32_t sub_##format(uint32_t a, uint32_t b)                                                        \
    {                                                                                                                  \
        return lanes_to_##format(lanes_from_##format(a) - lanes_from_##format(b));                                     \
    }                                                                                                                  \
    static inline uint32_t mul_##format(uint32_t a, uint32_t b)                                                        \
    {                                                                                                                  \
        return lanes_to_##format(lanes_from_##format(a) * lanes_from_##format(b));                                     \
    }
ARITHMETIC(f16)
ARITHMETIC(bf16)

/* Orders finite values and infinities, -0 below +0. */
static inline uint32_t order_key(uint32_t half)
{
    return half & 0x8000u ? ~half & 0xffffu : half | 0x8000u;
}

static inline bool is_nan_f16(uint32_t half)
{
    return (half & 0x7fffu) > 0x7c00u;
}

static inline bool is_nan_bf16(uint32_t half)
{
    return (half & 0x7fffu) > 0x7f80u;
}

#define EXTREME(format, name, COMPARE)                                                                                 \
    static inline uint32_t name##_##format(uint32_t a, uint32_t b)                                                     \
    {                                                                                                                  \
        const uint32_t number = order_key(a) COMPARE order_key(b) ? a : b;                                             \
        const uint32_t other = is_nan_##format(a) ? b : a;                                                             \
        const bool nan = is_nan_##format(a) || is_nan_##format(b);                                                     \
        const uint32_t chosen = nan ? other : number;                                                                  \
        return is_nan_##format(chosen) ? LANES_NAN16 : chosen;                                                         \
    }
EXTREME(f16, min, <)
EXTREME(f16, max, >)
EXTREME(bf16, min, <)
EXTREME(bf16, max, >)

static inline uint32_t ex2_f16(uint32_t a)
{
    return lanes_to_f16(approx_ex2(lanes_from_f16(a)));
}
static inline uint32_t tanh_f16(uint32_t a)
{
    return lanes_to_f16(approx_tanh(lanes_from_f16(a)));
}
static inline uint32_t ex2_bf16(uint32_t a) /* exists only with .ftz */
{
    return lanes_to_bf16(lanes_flush(approx_ex2(lanes_flush(lanes_from_bf16(a)))));
}
static inline uint32_t tanh_bf16(uint32_t a)
{
    return lanes_to_bf16(approx_tanh(lanes_from_bf16(a)));
}

/* ---- loops: a half, and both halves of a pair ---------------------------------------------------------------------------------- */

#define LOW(x) ((x)&0xffffu)
#define HIGH(x) ((x) >> 16)
#define UNARY(name, format)                                                                                            \
    LANES_UNARY(name##_##format##_one, u16, u16, name##_##format(a))                                                   \
    LANES_UNARY(name##_##format##_two, u32, u32, name##_##format(LOW(a)) | name##_##format(HIGH(a)) << 16)
#define BINARY(name, format)                                                                                           \
    LANES_BINARY(name##_##format##_one, u16, u16, u16, name##_##format(a, b))                                          \
    LANES_BINARY(name##_##format##_two, u32, u32, u32,                                                                 \
                 name##_##format(LOW(a), LOW(b)) | name##_##format(HIGH(a), HIGH(b)) << 16)
#define BOTH_FORMATS(KIND, name)                                                                                       \
    KIND(name, f16)                                                                                                    \
    KIND(name, bf16)                                                                                                   \
    static emu_fn *const name[PTX_TYPE_COUNT] = {[PTX_F16] = name##_f16_one, [PTX_F16X2] = name##_f16_two,             \
                                                 [PTX_BF16] = name##_bf16_one, [PTX_BF16X2] = name##_bf16_two};
BOTH_FORMATS(BINARY, add)
BOTH_FORMATS(BINARY, sub)
BOTH_FORMATS(BINARY, mul)
BOTH_FORMATS(BINARY, min)
BOTH_FORMATS(BINARY, max)
BOTH_FORMATS(UNARY, tanh)
UNARY(ex2, f16)
UNARY(ex2, bf16)
static emu_fn *const ex2[PTX_TYPE_COUNT] = {[PTX_F16] = ex2_f16_one, [PTX_F16X2] = ex2_f16_two};
static emu_fn *const ex2_ftz[PTX_TYPE_COUNT] = {[PTX_BF16] = ex2_bf16_one, [PTX_BF16X2] = ex2_bf16_two};

#define FMA(format)                                                                                                    \
    LANES_TERNARY(fma_##format##_one, u16, u16, u16, u16, lanes_fma_##format(a, b, c))                                 \
    LANES_TERNARY(fma_##format##_two, u32, u32, u32, u32,                                                              \
                  lanes_fma_##format(LOW(a), LOW(b), LOW(c)) | lanes_fma_##format(HIGH(a), HIGH(b), HIGH(c)) << 16)
FMA(f16)
FMA(bf16)
static emu_fn *const fma_half[PTX_TYPE_COUNT] = {
    [PTX_F16] = fma_f16_one, [PTX_F16X2] = fma_f16_two, [PTX_BF16] = fma_bf16_one, [PTX_BF16X2] = fma_bf16_two};

#define SIGN(format)                                                                                                   \
    static inline uint32_t neg_##format(uint32_t a)                                                                    \
    {                                                                                                                  \
        return is_nan_##format(a) ? LANES_NAN16 : a ^ 0x8000u;                                                         \
    }                                                                                                                  \
    static inline uint32_t abs_##format(uint32_t a)                                                                    \
    {                                                                                                                  \
        return is_nan_##format(a) ? LANES_NAN16 : a & 0x7fffu;                                                         \
    }
SIGN(f16)
SIGN(bf16)
BOTH_FORMATS(UNARY, neg)
BOTH_FORMATS(UNARY, abs)

/* ---- with modifiers --------------------------------------------------------------------------------------------------------------- */

static uint32_t flush_half(uint32_t half, bool is_f16)
{
    return half & (is_f16 ? 0x7c00u : 0x7f80u) ? half : half & 0x8000u;
}

static uint32_t extreme_any(unsigned op, bool is_f16, uint32_t a, uint32_t b)
{
    if (op == PTX_OP_min)
        return is_f16 ? min_f16(a, b) : min_bf16(a, b);
    return is_f16 ? max_f16(a, b) : max_bf16(a, b);
}

/* min and max of two or three, with .NaN and .xorsign.abs. */
static uint32_t half_extreme(unsigned op, uint32_t flags, bool is_f16, const uint32_t *source, unsigned count)
{
    uint32_t best = source[0], signs = 0;
    bool nan = false;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t value = flags & XORSIGN ? source[i] & 0x7fffu : source[i];
        nan |= is_f16 ? is_nan_f16(value) : is_nan_bf16(value);
        signs ^= source[i] & 0x8000u;
        best = i == 0 ? value : extreme_any(op, is_f16, best, value);
    }
    if (nan && (flags & NOT_A_NUMBER || best == LANES_NAN16))
        return LANES_NAN16;
    return flags & XORSIGN ? best | signs : best;
}

static uint32_t half_compute(unsigned op, uint32_t flags, bool is_f16, const uint32_t *source, unsigned count)
{
    const uint32_t a = source[0], b = source[1], c = source[2];
    switch (op) {
    case PTX_OP_add: return is_f16 ? add_f16(a, b) : add_bf16(a, b);
    case PTX_OP_sub: return is_f16 ? sub_f16(a, b) : sub_bf16(a, b);
    case PTX_OP_mul: return is_f16 ? mul_f16(a, b) : mul_bf16(a, b);
    case PTX_OP_fma: return is_f16 ? lanes_fma_f16(a, b, c) : lanes_fma_bf16(a, b, c);
    case PTX_OP_neg: return is_f16 ? neg_f16(a) : neg_bf16(a);
    case PTX_OP_abs: return is_f16 ? abs_f16(a) : abs_bf16(a);
    default: return half_extreme(op, flags, is_f16, source, count);
    }
}

/* .sat: to [0, 1], NaN and -0 to +0.  .relu: negative to +0, NaN stays. */
static uint32_t half_bounded(uint32_t flags, bool is_f16, uint32_t half)
{
    const uint32_t one = is_f16 ? 0x3c00u : 0x3f80u;
    const bool nan = is_f16 ? is_nan_f16(half) : is_nan_bf16(half);
    if (flags & SAT)
        return nan || half & 0x8000u ? 0 : half > one ? one : half;
    if (flags & RELU)
        return nan ? LANES_NAN16 : half & 0x8000u ? 0 : half;
    return half;
}

LANES_HEAD(half_any)
{
    const struct ptx_instruction *source = op->source;
    const bool is_f16 = source->type == PTX_F16 || source->type == PTX_F16X2;
    const unsigned halves = source->type == PTX_F16X2 || source->type == PTX_BF16X2 ? 2 : 1;
    const uint32_t references[3] = {op->a, op->b, op->c}, flags = source->flags;
    unsigned count = 0;
    while (count < 3 && references[count] != EMU_REF_NONE)
        count++;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        if (!(mask & lanes_bit[l]))
            continue;
        uint32_t result = 0;
        for (unsigned half = 0; half < halves; half++) {
            uint32_t values[3] = {0, 0, 0};
            for (unsigned i = 0; i < count; i++) {
                values[i] = (uint32_t)(lanes_read(warp, references[i], 2 * halves, l) >> 16 * half) & 0xffffu;
                values[i] = flags & FTZ ? flush_half(values[i], is_f16) : values[i];
            }
            const uint32_t raw = half_compute(source->op, flags, is_f16, values, count);
            const uint32_t flushed = flags & FTZ ? flush_half(raw, is_f16) : raw;
            result |= half_bounded(flags, is_f16, flushed) << 16 * half;
        }
        lanes_write(warp, op->dst, 2 * halves, l, result);
    }
    return EMU_NEXT;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------------------- */

static bool is_half(unsigned type)
{
    return type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;
}

struct half_row {
    uint16_t op;
    uint32_t flags; /* that half_any serves */
    emu_fn *const *plain;
};
static const struct half_row half_rows[] = {
    {PTX_OP_add, FTZ | SAT, add},
    {PTX_OP_sub, FTZ | SAT, sub},
    {PTX_OP_mul, FTZ | SAT, mul},
    {PTX_OP_fma, FTZ | SAT | RELU, fma_half},
    {PTX_OP_neg, FTZ, neg},
    {PTX_OP_abs, FTZ, abs},
    {PTX_OP_min, FTZ | NOT_A_NUMBER | XORSIGN | ABS, min},
    {PTX_OP_max, FTZ | NOT_A_NUMBER | XORSIGN | ABS, max},
};

static emu_fn *select_half(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (!is_half(instruction->type) || instruction->type2 != PTX_TYPE_NONE || instruction->mode ||
        instruction->round > PTX_ROUND_NEAREST)
        return NULL;
    const bool three = (instruction->op == PTX_OP_min || instruction->op == PTX_OP_max) && op->c != EMU_REF_NONE;
    for (size_t i = 0; i < COUNT_OF(half_rows); i++) {
        if (half_rows[i].op != instruction->op)
            continue;
        if (!instruction->flags && !three)
            return half_rows[i].plain[instruction->type];
        return instruction->flags & ~half_rows[i].flags ? NULL : half_any;
    }
    return NULL;
}

const struct lanes_row LANES(lanes_half_rows)[] = {
    {PTX_OP_add, 0, 0, 0, NULL, select_half}, {PTX_OP_sub, 0, 0, 0, NULL, select_half},
    {PTX_OP_mul, 0, 0, 0, NULL, select_half}, {PTX_OP_fma, 0, 0, 0, NULL, select_half},
    {PTX_OP_neg, 0, 0, 0, NULL, select_half}, {PTX_OP_abs, 0, 0, 0, NULL, select_half},
    {PTX_OP_min, 0, 0, 0, NULL, select_half}, {PTX_OP_max, 0, 0, 0, NULL, select_half},
    {PTX_OP_ex2, 0, 0, APPROX, ex2, NULL},    {PTX_OP_ex2, 0, 0, APPROX | FTZ, ex2_ftz, NULL},
    {PTX_OP_tanh, 0, 0, APPROX, tanh, NULL},  {0, 0, 0, 0, NULL, NULL},
};
