/* SPDX-License-Identifier: Apache-2.0
 *
 * Single- and double-precision arithmetic (PTX ISA, Floating Point Instructions): add, sub, mul, fma, mad, div, rcp, sqrt, abs, neg,
 * min, max, copysign.  Approximations are in lanes_approx.c, except div.approx and div.full, which divide exactly here.
 *
 * Single precision: a NaN result is 0x7fffffff.  Double precision: a NaN operand goes on, made quiet; the first one wins.
 * .ftz turns subnormal operands and results into zeros of their sign; .sat clamps to [0, 1].
 */
#include "emu/lanes_kit.h"

#include <math.h>
#include <xmmintrin.h>

enum { FTZ = PTX_MODIFIER_FTZ, SAT = PTX_MODIFIER_SAT, APPROX = PTX_MODIFIER_APPROX, FULL = PTX_MODIFIER_FULL };
enum { PLAIN, FLUSHED, SATURATED, FLUSHED_SATURATED, FORMS };

/* ---- fused multiply-add -------------------------------------------------------------------------------------------- */

#if defined(__FMA__)
#define FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#include "emu/lanes_half.h"
/* The product is exact in double precision; the sum is rounded to odd there, so that rounding it to single rounds once. */
static inline float fma_by_double(float a, float b, float c)
{
    const double product = (double)a * (double)b, sum = product + (double)c;
    return (float)lanes_odd64(sum, lanes_error64(product, (double)c, sum));
}
#define FMA32(a, b, c) fma_by_double(a, b, c)
#endif

static inline double fma64(double a, double b, double c)
{
    return lanes_first_nan(a, lanes_first_nan(b, lanes_first_nan(c, __builtin_fma(a, b, c))));
}

/* ---- the four forms of a single-precision operation ------------------------------------------------------------------ */

#define F(x) lanes_flush(x)
#define FORM_TABLE(name) static emu_fn *const name[FORMS] = {name##_plain, name##_ftz, name##_sat, name##_ftz_sat};
#define UNARY32(name, E)                                                                                               \
    LANES_UNARY(name##_plain, f32, f32, lanes_canonical(E(a)))                                                         \
    LANES_UNARY(name##_ftz, f32, f32, lanes_flush(lanes_canonical(E(F(a)))))                                           \
    static emu_fn *const name[FORMS] = {name##_plain, name##_ftz};
#define BINARY32(name, E)                                                                                              \
    LANES_BINARY(name##_plain, f32, f32, f32, lanes_canonical(E(a, b)))                                                \
    LANES_BINARY(name##_ftz, f32, f32, f32, lanes_flush(lanes_canonical(E(F(a), F(b)))))                               \
    LANES_BINARY(name##_sat, f32, f32, f32, lanes_saturate(E(a, b)))                                                   \
    LANES_BINARY(name##_ftz_sat, f32, f32, f32, lanes_saturate(lanes_flush(E(F(a), F(b)))))                            \
    FORM_TABLE(name)
#define TERNARY32(name, E)                                                                                             \
    LANES_TERNARY(name##_plain, f32, f32, f32, f32, lanes_canonical(E(a, b, c)))                                       \
    LANES_TERNARY(name##_ftz, f32, f32, f32, f32, lanes_flush(lanes_canonical(E(F(a), F(b), F(c)))))                   \
    LANES_TERNARY(name##_sat, f32, f32, f32, f32, lanes_saturate(E(a, b, c)))                                          \
    LANES_TERNARY(name##_ftz_sat, f32, f32, f32, f32, lanes_saturate(lanes_flush(E(F(a), F(b), F(c)))))                \
    FORM_TABLE(name)

#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define DIV(x, y) ((x) / (y))
#define RCP(x) (1.0f / (x))
BINARY32(add32, ADD)
BINARY32(sub32, SUB)
BINARY32(mul32, MUL)
BINARY32(div32, DIV)
TERNARY32(fma32, FMA32)
UNARY32(rcp32, RCP)
UNARY32(sqrt32, __builtin_sqrtf)

/* div.approx multiplies by the reciprocal, which is flushed for the largest divisors: the quotient is then a zero, or NaN for an
 * infinite dividend. */
static inline float divide_approximately(float a, float b)
{
    const float quotient = a / b;
    const uint32_t magnitude = lanes_bits32(b) & 0x7fffffffu;
    const bool flushed = magnitude > 0x7e800000u && magnitude < 0x7f800000u; /* 2^126 < |b| < 2^128 */
    return flushed ? a * 0.0f * (b > 0 ? 1.0f : -1.0f) : quotient;
}
BINARY32(div_approx32, divide_approximately)

#define BINARY64(name, expr) LANES_BINARY(name, f64, f64, f64, lanes_first_nan(a, expr))
BINARY64(add64, a + b)
BINARY64(sub64, a - b)
BINARY64(mul64, a *b)
BINARY64(div64, a / b)
LANES_TERNARY(fma64_plain, f64, f64, f64, f64, fma64(a, b, c))
LANES_UNARY(rcp64, f64, f64, 1.0 / a)
LANES_UNARY(sqrt64, f64, f64, __builtin_sqrt(a))

/* ---- directed rounding -------------------------------------------------------------------------------------------------- */

/* The processor's rounding mode is switched around the loop.  The barriers make the compiler believe that the arrays are read and
 * written in between, so that no arithmetic leaves its place. */
#define BARRIER(pointer) __asm__ volatile("" : : "r"(pointer) : "memory")
#define CONTROL_ROUNDING 0x6000u

static uint32_t processor_rounding(unsigned round)
{
    return round == PTX_ROUND_DOWN ? 0x2000u : round == PTX_ROUND_UP ? 0x4000u : round == PTX_ROUND_ZERO ? 0x6000u : 0;
}

#if defined(__FMA__)
#define DIRECTED_FMA32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define DIRECTED_FMA32(a, b, c) fmaf(a, b, c) /* the way over double precision is for rounding to nearest */
#endif

/* x, y, z are the sources in written order; those an instruction lacks are 1, hence rcp is y / x. */
#define DIRECTED(name, T, FMA, SQRT)                                                                                   \
    static void name(const struct ptx_instruction *source, const T *x, const T *y, const T *z, T *out)                 \
    {                                                                                                                  \
        const uint32_t before = _mm_getcsr();                                                                          \
        BARRIER(x);                                                                                                    \
        _mm_setcsr((before & ~CONTROL_ROUNDING) | processor_rounding(source->round));                                  \
        BARRIER(y);                                                                                                    \
        switch (source->op) {                                                                                          \
        case PTX_OP_add: LANES_EACH out[l] = x[l] + y[l]; break;                                                       \
        case PTX_OP_sub: LANES_EACH out[l] = x[l] - y[l]; break;                                                       \
        case PTX_OP_mul: LANES_EACH out[l] = x[l] * y[l]; break;                                                       \
        case PTX_OP_div: LANES_EACH out[l] = x[l] / y[l]; break;                                                       \
        case PTX_OP_rcp: LANES_EACH out[l] = y[l] / x[l]; break;                                                       \
        case PTX_OP_sqrt: LANES_EACH out[l] = SQRT(x[l]); break;                                                       \
        default: LANES_EACH out[l] = FMA(x[l], y[l], z[l]); break;                                                     \
        }                                                                                                              \
        BARRIER(z);                                                                                                    \
        BARRIER(out);                                                                                                  \
        _mm_setcsr(before);                                                                                            \
        BARRIER(out);                                                                                                  \
    }
DIRECTED(compute_directed32, float, DIRECTED_FMA32, __builtin_sqrtf)
DIRECTED(compute_directed64, double, __builtin_fma, __builtin_sqrt)

LANES_HEAD(directed32)
{
    const uint32_t flags = op->source->flags;
    const uint32_t references[3] = {op->a, op->b, op->c};
    float sources[3][EMU_LANES], result[EMU_LANES];
    for (unsigned i = 0; i < 3; i++) {
        const f32 *slot = references[i] == EMU_REF_NONE ? NULL : emu_slot(warp, references[i]);
        LANES_EACH sources[i][l] = !slot ? 1.0f : flags & FTZ ? lanes_flush(slot[l]) : slot[l];
    }
    compute_directed32(op->source, sources[0], sources[1], sources[2], result);
    LANES_EACH
    {
        const float flushed = flags & FTZ ? lanes_flush(result[l]) : result[l];
        result[l] = flags & SAT ? lanes_saturate(flushed) : lanes_canonical(flushed);
    }
    LANES_STORE(f32, result);
    return EMU_NEXT;
}

LANES_HEAD(directed64)
{
    const uint32_t references[3] = {op->a, op->b, op->c};
    double sources[3][EMU_LANES], result[EMU_LANES];
    for (unsigned i = 0; i < 3; i++) {
        const f64 *slot = references[i] == EMU_REF_NONE ? NULL : emu_slot(warp, references[i]);
        LANES_EACH sources[i][l] = slot ? slot[l] : 1.0;
    }
    compute_directed64(op->source, sources[0], sources[1], sources[2], result);
    LANES_EACH result[l] = lanes_first_nan(sources[0][l], lanes_first_nan(sources[1][l], lanes_first_nan(sources[2][l], result[l])));
    LANES_STORE(f64, result);
    return EMU_NEXT;
}

/* One instruction of this file that rounds: its forms in single precision, and in double. */
struct rounding_row {
    uint16_t op;
    emu_fn *const *forms32;
    emu_fn *form64;
};
static const struct rounding_row rounding_rows[] = {
    {PTX_OP_add, add32, add64},       {PTX_OP_sub, sub32, sub64},       {PTX_OP_mul, mul32, mul64},
    {PTX_OP_fma, fma32, fma64_plain}, {PTX_OP_mad, fma32, fma64_plain}, {PTX_OP_div, div32, div64},
    {PTX_OP_rcp, rcp32, rcp64},       {PTX_OP_sqrt, sqrt32, sqrt64},
};

static emu_fn *select_rounding(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)op;
    const uint32_t flags = instruction->flags;
    const bool is32 = instruction->type == PTX_F32, is64 = instruction->type == PTX_F64 && flags == 0;
    if ((!is32 && !is64) || flags & ~(uint32_t)(FTZ | SAT) || instruction->mode ||
        instruction->type2 != PTX_TYPE_NONE || instruction->round > PTX_ROUND_UP)
        return NULL;
    if (instruction->round > PTX_ROUND_NEAREST)
        return is32 ? directed32 : directed64;
    const unsigned form = (flags & FTZ ? FLUSHED : 0) | (flags & SAT ? SATURATED : 0);
    for (size_t i = 0; i < COUNT_OF(rounding_rows); i++)
        if (rounding_rows[i].op == instruction->op)
            return is64 ? rounding_rows[i].form64 : rounding_rows[i].forms32[form];
    return NULL;
}

/* div.full is exact over the whole range. */
static emu_fn *select_division(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const uint32_t kind = instruction->flags & (APPROX | FULL);
    if (!kind)
        return select_rounding(instruction, op);
    if (instruction->type != PTX_F32 || instruction->flags & ~(kind | FTZ))
        return NULL;
    return (kind == FULL ? div32 : div_approx32)[instruction->flags & FTZ ? FLUSHED : PLAIN];
}

/* ---- min, max ----------------------------------------------------------------------------------------------------------- */

/* -0 is below +0; a NaN gives way to a number. */
#define EXTREME(name, T, U, TO_BITS, FROM_BITS, COMPARE, EQUAL)                                                        \
    static inline T name(T a, T b)                                                                                     \
    {                                                                                                                  \
        const T equal = FROM_BITS(TO_BITS(a) EQUAL TO_BITS(b));                                                        \
        const T number = a COMPARE b ? a : b COMPARE a ? b : equal;                                                    \
        return a != a ? b : b != b ? a : number;                                                                       \
    }
EXTREME(least32, float, uint32_t, lanes_bits32, lanes_float32, <, |)
EXTREME(most32, float, uint32_t, lanes_bits32, lanes_float32, >, &)
EXTREME(least64, double, uint64_t, lanes_bits64, lanes_float64, <, |)
EXTREME(most64, double, uint64_t, lanes_bits64, lanes_float64, >, &)

LANES_BINARY(min32_plain, f32, f32, f32, lanes_canonical(least32(a, b)))
LANES_BINARY(max32_plain, f32, f32, f32, lanes_canonical(most32(a, b)))
LANES_BINARY(min32_ftz, f32, f32, f32, lanes_canonical(least32(F(a), F(b))))
LANES_BINARY(max32_ftz, f32, f32, f32, lanes_canonical(most32(F(a), F(b))))
LANES_BINARY(min64, f64, f64, f64, lanes_first_nan(least64(a, b), least64(a, b)))
LANES_BINARY(max64, f64, f64, f64, lanes_first_nan(most64(a, b), most64(a, b)))

/* Three operands, .NaN (a NaN wins) and .xorsign.abs (magnitudes, with the signs' exclusive or). */
LANES_HEAD(extreme32)
{
    const struct ptx_instruction *source = op->source;
    const uint32_t flags = source->flags;
    const uint32_t references[3] = {op->a, op->b, op->c};
    const unsigned count = op->c == EMU_REF_NONE ? 2 : 3;
    float result[EMU_LANES];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        uint32_t signs = 0;
        bool nan = false;
        float best = 0;
        for (unsigned i = 0; i < count; i++) {
            float value = ((const f32 *)emu_slot(warp, references[i]))[l];
            value = flags & FTZ ? lanes_flush(value) : value;
            nan |= value != value;
            signs ^= lanes_bits32(value) & 0x80000000u;
            if (flags & PTX_MODIFIER_XORSIGN)
                value = lanes_float32(lanes_bits32(value) & 0x7fffffffu);
            best = i == 0 ? value : source->op == PTX_OP_min ? least32(best, value) : most32(best, value);
        }
        if (nan && flags & PTX_MODIFIER_NAN)
            best = lanes_float32(LANES_NAN32);
        best = lanes_canonical(best);
        result[l] = flags & PTX_MODIFIER_XORSIGN && best == best ? lanes_float32(lanes_bits32(best) | signs) : best;
    }
    LANES_STORE(f32, result);
    return EMU_NEXT;
}

static emu_fn *select_extreme(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const bool is_min = instruction->op == PTX_OP_min;
    if (instruction->type == PTX_F64)
        return instruction->flags || op->c != EMU_REF_NONE ? NULL : is_min ? min64 : max64;
    if (instruction->type != PTX_F32 || instruction->type2 != PTX_TYPE_NONE)
        return NULL;
    if (op->c == EMU_REF_NONE && !(instruction->flags & ~(uint32_t)FTZ))
        return instruction->flags ? is_min ? min32_ftz : max32_ftz : is_min ? min32_plain : max32_plain;
    const uint32_t known = FTZ | PTX_MODIFIER_NAN | PTX_MODIFIER_XORSIGN | PTX_MODIFIER_ABS;
    return instruction->flags & ~known ? NULL : extreme32;
}

/* ---- signs -------------------------------------------------------------------------------------------------------------- */

/* A NaN becomes the canonical one in single precision, and is made quiet, sign and all, in double. */
static inline double unless_nan(double value, uint64_t bits)
{
    return lanes_first_nan(value, lanes_float64(bits));
}
#define ABS32(x) lanes_canonical(lanes_float32(lanes_bits32(x) & 0x7fffffffu))
#define NEG32(x) lanes_canonical(lanes_float32(lanes_bits32(x) ^ 0x80000000u))
LANES_UNARY(abs32, f32, f32, ABS32(a))
LANES_UNARY(neg32, f32, f32, NEG32(a))
LANES_UNARY(abs32_ftz, f32, f32, lanes_flush(ABS32(a)))
LANES_UNARY(neg32_ftz, f32, f32, lanes_flush(NEG32(a)))
LANES_UNARY(abs64, f64, f64, unless_nan(a, lanes_bits64(a) & 0x7fffffffffffffffu))
LANES_UNARY(neg64, f64, f64, unless_nan(a, lanes_bits64(a) ^ 0x8000000000000000u))
LANES_BINARY(copysign32, u32, u32, u32, (a & 0x80000000u) | (b & 0x7fffffffu))
LANES_BINARY(copysign64, u64, u64, u64, (a & 0x8000000000000000u) | (b & 0x7fffffffffffffffu))
static emu_fn *const absolute[PTX_TYPE_COUNT] = {[PTX_F32] = abs32, [PTX_F64] = abs64};
static emu_fn *const negative[PTX_TYPE_COUNT] = {[PTX_F32] = neg32, [PTX_F64] = neg64};
static emu_fn *const absolute_ftz[PTX_TYPE_COUNT] = {[PTX_F32] = abs32_ftz};
static emu_fn *const negative_ftz[PTX_TYPE_COUNT] = {[PTX_F32] = neg32_ftz};
static emu_fn *const copysign_type[PTX_TYPE_COUNT] = {[PTX_F32] = copysign32, [PTX_F64] = copysign64};

const struct lanes_row LANES(lanes_float_rows)[] = {
    {PTX_OP_add, 0, 0, 0, NULL, select_rounding},     {PTX_OP_sub, 0, 0, 0, NULL, select_rounding},
    {PTX_OP_mul, 0, 0, 0, NULL, select_rounding},     {PTX_OP_fma, 0, 0, 0, NULL, select_rounding},
    {PTX_OP_mad, 0, 0, 0, NULL, select_rounding},     {PTX_OP_rcp, 0, 0, 0, NULL, select_rounding},
    {PTX_OP_sqrt, 0, 0, 0, NULL, select_rounding},    {PTX_OP_div, 0, 0, 0, NULL, select_division},
    {PTX_OP_min, 0, 0, 0, NULL, select_extreme},      {PTX_OP_max, 0, 0, 0, NULL, select_extreme},
    {PTX_OP_abs, 0, 0, 0, absolute, NULL},            {PTX_OP_abs, 0, 0, FTZ, absolute_ftz, NULL},
    {PTX_OP_neg, 0, 0, 0, negative, NULL},            {PTX_OP_neg, 0, 0, FTZ, negative_ftz, NULL},
    {PTX_OP_copysign, 0, 0, 0, copysign_type, NULL},  {0, 0, 0, 0, NULL, NULL},
};
