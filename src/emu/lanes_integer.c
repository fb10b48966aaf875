/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer arithmetic (PTX ISA, Integer Arithmetic Instructions and Extended-Precision Arithmetic): add, sub, mul, mad, mul24, mad24,
 * sad, div, rem, abs, neg, min, max, dp4a, dp2a and the carry chain.  Bit fields are in lanes_bits.c.
 *
 * Division by zero is undefined in the manual; the quotient and the remainder are all ones here, and the core reports the division.
 */
#include "emu/lanes_kit.h"

/* ---- add, sub, neg, abs, min, max, sad ------------------------------------------------------------------------- */

#define WRAPPING(name, expr)                                                                                           \
    LANES_BINARY(name##_16, u16, u16, u16, expr)                                                                       \
    LANES_BINARY(name##_32, u32, u32, u32, expr)                                                                       \
    LANES_BINARY(name##_64, u64, u64, u64, expr)                                                                       \
    static emu_fn *const name[PTX_TYPE_COUNT] = {LANES_INTEGERS(name), [PTX_U16X2] = name##_x2, [PTX_S16X2] = name##_x2};

static inline uint32_t pair(uint32_t low, uint32_t high)
{
    return (low & 0xffffu) | high << 16;
}
#define LOW_S(x) ((int32_t)((x) << 16) >> 16)
#define HIGH_S(x) ((int32_t)(x) >> 16)
#define LOW_U(x) ((x) & 0xffffu)
#define HIGH_U(x) ((x) >> 16)

LANES_BINARY(add_x2, u32, u32, u32, pair(a + b, (a >> 16) + (b >> 16)))
LANES_BINARY(sub_x2, u32, u32, u32, pair(a - b, (a >> 16) - (b >> 16)))
WRAPPING(add, a + b)
WRAPPING(sub, a - b)

/* Overflow happened if both operands differ in sign from the wrapped result. */
static inline int32_t add_clamped(int32_t a, int32_t b)
{
    const uint32_t sum = (uint32_t)a + (uint32_t)b;
    const int32_t bound = (int32_t)(((uint32_t)a >> 31) + 0x7fffffffu);
    return (int32_t)((sum ^ (uint32_t)a) & (sum ^ (uint32_t)b)) < 0 ? bound : (int32_t)sum;
}

static inline int32_t sub_clamped(int32_t a, int32_t b)
{
    const uint32_t difference = (uint32_t)a - (uint32_t)b;
    const int32_t bound = (int32_t)(((uint32_t)a >> 31) + 0x7fffffffu);
    return (int32_t)(((uint32_t)a ^ (uint32_t)b) & ((uint32_t)a ^ difference)) < 0 ? bound : (int32_t)difference;
}

LANES_BINARY(add_sat_s32, s32, s32, s32, add_clamped(a, b))
LANES_BINARY(sub_sat_s32, s32, s32, s32, sub_clamped(a, b))
static emu_fn *const add_sat[PTX_TYPE_COUNT] = {[PTX_S32] = add_sat_s32};
static emu_fn *const sub_sat[PTX_TYPE_COUNT] = {[PTX_S32] = sub_sat_s32};

LANES_UNARY(neg_16, u16, u16, 0u - a)
LANES_UNARY(neg_32, u32, u32, 0u - a)
LANES_UNARY(neg_64, u64, u64, 0u - a)
static emu_fn *const neg[PTX_TYPE_COUNT] = {[PTX_S16] = neg_16, [PTX_S32] = neg_32, [PTX_S64] = neg_64};

LANES_UNARY(abs_s16, u16, s16, a < 0 ? 0u - (uint16_t)a : (uint16_t)a)
LANES_UNARY(abs_s32, u32, s32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
LANES_UNARY(abs_s64, u64, s64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)
static emu_fn *const absolute[PTX_TYPE_COUNT] = {[PTX_S16] = abs_s16, [PTX_S32] = abs_s32, [PTX_S64] = abs_s64};

#define LEAST(x, y) ((x) < (y) ? (x) : (y))
#define MOST(x, y) ((x) > (y) ? (x) : (y))
#define EXTREME(name, CHOOSE)                                                                                          \
    LANES_BINARY(name##_u16, u16, u16, u16, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_s16, s16, s16, s16, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_u32, u32, u32, u32, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_s32, s32, s32, s32, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_u64, u64, u64, u64, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_s64, s64, s64, s64, CHOOSE(a, b))                                                              \
    LANES_BINARY(name##_u16x2, u32, u32, u32, pair(CHOOSE(LOW_U(a), LOW_U(b)), CHOOSE(HIGH_U(a), HIGH_U(b))))          \
    LANES_BINARY(name##_s16x2, u32, u32, u32,                                                                          \
                 pair((uint32_t)CHOOSE(LOW_S(a), LOW_S(b)), (uint32_t)CHOOSE(HIGH_S(a), HIGH_S(b))))                   \
    static emu_fn *const name[PTX_TYPE_COUNT] = {                                                                      \
        LANES_SIGNED_INTEGERS(name), [PTX_U16X2] = name##_u16x2, [PTX_S16X2] = name##_s16x2};                          \
    LANES_BINARY(name##_relu_s32, s32, s32, s32, MOST(CHOOSE(a, b), 0))                                                \
    LANES_BINARY(name##_relu_s16x2, u32, u32, u32,                                                                     \
                 pair((uint32_t)MOST(CHOOSE(LOW_S(a), LOW_S(b)), 0), (uint32_t)MOST(CHOOSE(HIGH_S(a), HIGH_S(b)), 0))) \
    static emu_fn *const name##_relu[PTX_TYPE_COUNT] = {[PTX_S32] = name##_relu_s32, [PTX_S16X2] = name##_relu_s16x2};
EXTREME(min, LEAST)
EXTREME(max, MOST)

#define DISTANCE(T, x, y) ((x) < (y) ? (T)(y) - (T)(x) : (T)(x) - (T)(y))
LANES_TERNARY(sad_u16, u16, u16, u16, u16, c + DISTANCE(uint32_t, a, b))
LANES_TERNARY(sad_s16, u16, s16, s16, u16, c + DISTANCE(uint32_t, a, b))
LANES_TERNARY(sad_u32, u32, u32, u32, u32, c + DISTANCE(uint32_t, a, b))
LANES_TERNARY(sad_s32, u32, s32, s32, u32, c + DISTANCE(uint32_t, a, b))
LANES_TERNARY(sad_u64, u64, u64, u64, u64, c + DISTANCE(uint64_t, a, b))
LANES_TERNARY(sad_s64, u64, s64, s64, u64, c + DISTANCE(uint64_t, a, b))
static emu_fn *const sad[PTX_TYPE_COUNT] = {LANES_SIGNED_INTEGERS(sad)};

/* ---- mul, mad --------------------------------------------------------------------------------------------------- */

static inline uint64_t high_u64(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
}

static inline uint64_t high_s64(int64_t a, int64_t b)
{
    return high_u64((uint64_t)a, (uint64_t)b) - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0);
}

#define HIGH_U16(a, b) ((uint32_t)(a) * (b) >> 16)
#define HIGH_S16(a, b) ((uint32_t)((int32_t)(a) * (b)) >> 16)
#define HIGH_U32(a, b) ((uint64_t)(a) * (b) >> 32)
#define HIGH_S32(a, b) ((uint64_t)((int64_t)(a) * (b)) >> 32)

LANES_BINARY(mul_lo_16, u16, u16, u16, (uint32_t)a * b)
LANES_BINARY(mul_lo_32, u32, u32, u32, a *b)
LANES_BINARY(mul_lo_64, u64, u64, u64, a *b)
LANES_BINARY(mul_hi_u16, u16, u16, u16, HIGH_U16(a, b))
LANES_BINARY(mul_hi_s16, u16, s16, s16, HIGH_S16(a, b))
LANES_BINARY(mul_hi_u32, u32, u32, u32, HIGH_U32(a, b))
LANES_BINARY(mul_hi_s32, u32, s32, s32, HIGH_S32(a, b))
LANES_BINARY(mul_hi_u64, u64, u64, u64, high_u64(a, b))
LANES_BINARY(mul_hi_s64, u64, s64, s64, high_s64(a, b))
LANES_BINARY(mul_wide_u16, u32, u16, u16, (uint32_t)a * b)
LANES_BINARY(mul_wide_s16, s32, s16, s16, (int32_t)a * b)
LANES_BINARY(mul_wide_u32, u64, u32, u32, (uint64_t)a * b)
LANES_BINARY(mul_wide_s32, s64, s32, s32, (int64_t)a * b)
static emu_fn *const mul_lo[PTX_TYPE_COUNT] = {LANES_INTEGERS(mul_lo)};
static emu_fn *const mul_hi[PTX_TYPE_COUNT] = {LANES_SIGNED_INTEGERS(mul_hi)};
static emu_fn *const mul_wide[PTX_TYPE_COUNT] = {
    [PTX_U16] = mul_wide_u16, [PTX_S16] = mul_wide_s16, [PTX_U32] = mul_wide_u32, [PTX_S32] = mul_wide_s32};

LANES_TERNARY(mad_lo_16, u16, u16, u16, u16, (uint32_t)a * b + c)
LANES_TERNARY(mad_lo_32, u32, u32, u32, u32, a *b + c)
LANES_TERNARY(mad_lo_64, u64, u64, u64, u64, a *b + c)
LANES_TERNARY(mad_hi_u16, u16, u16, u16, u16, HIGH_U16(a, b) + c)
LANES_TERNARY(mad_hi_s16, u16, s16, s16, u16, HIGH_S16(a, b) + c)
LANES_TERNARY(mad_hi_u32, u32, u32, u32, u32, HIGH_U32(a, b) + c)
LANES_TERNARY(mad_hi_s32, u32, s32, s32, u32, HIGH_S32(a, b) + c)
LANES_TERNARY(mad_hi_u64, u64, u64, u64, u64, high_u64(a, b) + c)
LANES_TERNARY(mad_hi_s64, u64, s64, s64, u64, high_s64(a, b) + c)
LANES_TERNARY(mad_wide_u16, u32, u16, u16, u32, (uint32_t)a * b + c)
LANES_TERNARY(mad_wide_s16, u32, s16, s16, u32, (uint32_t)((int32_t)a * b) + c)
LANES_TERNARY(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a * b + c)
LANES_TERNARY(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a * b) + c)
LANES_TERNARY(mad_hi_sat_s32, s32, s32, s32, s32, add_clamped((int32_t)HIGH_S32(a, b), c))
static emu_fn *const mad_lo[PTX_TYPE_COUNT] = {LANES_INTEGERS(mad_lo)};
static emu_fn *const mad_hi[PTX_TYPE_COUNT] = {LANES_SIGNED_INTEGERS(mad_hi)};
static emu_fn *const mad_wide[PTX_TYPE_COUNT] = {
    [PTX_U16] = mad_wide_u16, [PTX_S16] = mad_wide_s16, [PTX_U32] = mad_wide_u32, [PTX_S32] = mad_wide_s32};
static emu_fn *const mad_hi_sat[PTX_TYPE_COUNT] = {[PTX_S32] = mad_hi_sat_s32};

/* The product of two 24-bit numbers has 48 bits: .lo is its low 32, .hi its high 32. */
#define NARROW_U(x) ((uint64_t)((x) & 0xffffffu))
#define NARROW_S(x) ((int64_t)((int32_t)((uint32_t)(x) << 8) >> 8))
#define PRODUCT24_U(a, b) (NARROW_U(a) * NARROW_U(b))
#define PRODUCT24_S(a, b) ((uint64_t)(NARROW_S(a) * NARROW_S(b)))
LANES_BINARY(mul24_lo_u32, u32, u32, u32, PRODUCT24_U(a, b))
LANES_BINARY(mul24_lo_s32, u32, u32, u32, PRODUCT24_S(a, b))
LANES_BINARY(mul24_hi_u32, u32, u32, u32, PRODUCT24_U(a, b) >> 16)
LANES_BINARY(mul24_hi_s32, u32, u32, u32, PRODUCT24_S(a, b) >> 16)
LANES_TERNARY(mad24_lo_u32, u32, u32, u32, u32, PRODUCT24_U(a, b) + c)
LANES_TERNARY(mad24_lo_s32, u32, u32, u32, u32, PRODUCT24_S(a, b) + c)
LANES_TERNARY(mad24_hi_u32, u32, u32, u32, u32, (PRODUCT24_U(a, b) >> 16) + c)
LANES_TERNARY(mad24_hi_s32, u32, u32, u32, u32, (PRODUCT24_S(a, b) >> 16) + c)
LANES_TERNARY(mad24_hi_sat_s32, s32, u32, u32, s32, add_clamped((int32_t)(PRODUCT24_S(a, b) >> 16), c))
#define TYPES32(f) {[PTX_U32] = f##_u32, [PTX_S32] = f##_s32}
static emu_fn *const mul24_lo[PTX_TYPE_COUNT] = TYPES32(mul24_lo);
static emu_fn *const mul24_hi[PTX_TYPE_COUNT] = TYPES32(mul24_hi);
static emu_fn *const mad24_lo[PTX_TYPE_COUNT] = TYPES32(mad24_lo);
static emu_fn *const mad24_hi[PTX_TYPE_COUNT] = TYPES32(mad24_hi);
static emu_fn *const mad24_hi_sat[PTX_TYPE_COUNT] = {[PTX_S32] = mad24_hi_sat_s32};

/* ---- div, rem --------------------------------------------------------------------------------------------------- */

/* Exact: both operands are integers below 2^53, so the rounded quotient is off the true one by less than half an integer, and
 * the nearest integer is the quotient or one more. */
static inline uint32_t quotient_u32(uint32_t a, uint32_t b)
{
    const double magic = 4503599627370496.0; /* 2^52: the low word of its sum with an integer is that integer */
    const double x = lanes_float64(0x4330000000000000u | a) - magic;
    const double y = lanes_float64(0x4330000000000000u | b) - magic;
    const uint32_t nearest = (uint32_t)lanes_bits64(x / y + magic);
    const uint32_t rest = a - nearest * b;
    return b ? nearest - (rest >> 31) : UINT32_MAX;
}

#define MAGNITUDE(T, x) ((x) < 1 ? 0u - (T)(x) : (T)(x)) /* also of unsigned values */

static inline uint32_t quotient_s32(int32_t a, int32_t b)
{
    const uint32_t q = quotient_u32(MAGNITUDE(uint32_t, a), MAGNITUDE(uint32_t, b));
    return b ? (a ^ b) < 0 ? 0u - q : q : UINT32_MAX;
}

static inline uint32_t rest_u32(uint32_t a, uint32_t b)
{
    return b ? a - quotient_u32(a, b) * b : UINT32_MAX;
}

static inline uint32_t rest_s32(int32_t a, int32_t b)
{
    const uint32_t r = rest_u32(MAGNITUDE(uint32_t, a), MAGNITUDE(uint32_t, b));
    return b ? a < 0 ? 0u - r : r : UINT32_MAX;
}

static inline uint64_t quotient_u64(uint64_t a, uint64_t b)
{
    return b ? (a | b) >> 32 ? a / b : (uint32_t)a / (uint32_t)b : UINT64_MAX;
}

static inline uint64_t quotient_s64(int64_t a, int64_t b)
{
    const uint64_t q = quotient_u64(MAGNITUDE(uint64_t, a), MAGNITUDE(uint64_t, b));
    return b ? (a ^ b) < 0 ? 0u - q : q : UINT64_MAX;
}

static inline uint64_t rest_u64(uint64_t a, uint64_t b)
{
    return b ? a - quotient_u64(a, b) * b : UINT64_MAX;
}

static inline uint64_t rest_s64(int64_t a, int64_t b)
{
    const uint64_t r = rest_u64(MAGNITUDE(uint64_t, a), MAGNITUDE(uint64_t, b));
    return b ? a < 0 ? 0u - r : r : UINT64_MAX;
}

/* The same by doubles, for operands below 2^52. */
static inline uint64_t quotient_small(uint64_t a, uint64_t b)
{
    const double magic = 4503599627370496.0;
    const double x = lanes_float64(0x4330000000000000u | a) - magic;
    const double y = lanes_float64(0x4330000000000000u | b) - magic;
    const uint64_t nearest = lanes_bits64(x / y + magic) & 0x000fffffffffffffu;
    const uint64_t rest = a - nearest * b;
    return nearest - (rest >> 63);
}

/* 64-bit operands are addresses and sizes, mostly small: then all lanes are divided at once. */
#define DIVIDE_LONG(name, T, ONE, RESULT)                                                                              \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        T *d = emu_slot(warp, op->dst);                                                                                \
        const T *pa = emu_slot(warp, op->a), *pb = emu_slot(warp, op->b);                                              \
        uint64_t bits = 0;                                                                                             \
        LANES_EACH bits |= MAGNITUDE(uint64_t, pa[l]) | MAGNITUDE(uint64_t, pb[l]);                                    \
        if (bits >> 52) {                                                                                              \
            LANES_BODY(T, const T a = pa[l]; const T b = pb[l];, ONE)                                                  \
        }                                                                                                              \
        LANES_BODY(T, const T a = pa[l]; const T b = pb[l];                                                            \
                   const uint64_t q = quotient_small(MAGNITUDE(uint64_t, a), MAGNITUDE(uint64_t, b));                  \
                   const uint64_t r = MAGNITUDE(uint64_t, a) - q * MAGNITUDE(uint64_t, b);                             \
                   (void)q; (void)r; , b ? RESULT : UINT64_MAX)                                                        \
    }

LANES_BINARY(div_u16, u16, u16, u16, quotient_u32(a, b))
LANES_BINARY(div_s16, u16, s16, s16, quotient_s32(a, b))
LANES_BINARY(div_u32, u32, u32, u32, quotient_u32(a, b))
LANES_BINARY(div_s32, u32, s32, s32, quotient_s32(a, b))
DIVIDE_LONG(div_u64, u64, quotient_u64(a, b), q)
DIVIDE_LONG(div_s64, s64, quotient_s64(a, b), ((a ^ b) < 0 ? 0u - q : q))
LANES_BINARY(rem_u16, u16, u16, u16, rest_u32(a, b))
LANES_BINARY(rem_s16, u16, s16, s16, rest_s32(a, b))
LANES_BINARY(rem_u32, u32, u32, u32, rest_u32(a, b))
LANES_BINARY(rem_s32, u32, s32, s32, rest_s32(a, b))
DIVIDE_LONG(rem_u64, u64, rest_u64(a, b), r)
DIVIDE_LONG(rem_s64, s64, rest_s64(a, b), (a < 0 ? 0u - r : r))
static emu_fn *const divide[PTX_TYPE_COUNT] = {LANES_SIGNED_INTEGERS(div)};
static emu_fn *const rem[PTX_TYPE_COUNT] = {LANES_SIGNED_INTEGERS(rem)};

/* ---- dot products ----------------------------------------------------------------------------------------------- */

#define BYTE_U(x, n) ((uint32_t)(uint8_t)((x) >> 8 * (n)))
#define BYTE_S(x, n) ((uint32_t)(int32_t)(int8_t)((x) >> 8 * (n)))
#define HALF_U(x, n) ((uint32_t)(uint16_t)((x) >> 16 * (n)))
#define HALF_S(x, n) ((uint32_t)(int32_t)(int16_t)((x) >> 16 * (n)))
#define DOT4(A, B) (c + A(a, 0) * B(b, 0) + A(a, 1) * B(b, 1) + A(a, 2) * B(b, 2) + A(a, 3) * B(b, 3))
#define DOT2(A, B, first) (c + A(a, 0) * B(b, first) + A(a, 1) * B(b, (first) + 1))
LANES_TERNARY(dp4a_uu, u32, u32, u32, u32, DOT4(BYTE_U, BYTE_U))
LANES_TERNARY(dp4a_us, u32, u32, u32, u32, DOT4(BYTE_U, BYTE_S))
LANES_TERNARY(dp4a_su, u32, u32, u32, u32, DOT4(BYTE_S, BYTE_U))
LANES_TERNARY(dp4a_ss, u32, u32, u32, u32, DOT4(BYTE_S, BYTE_S))
LANES_TERNARY(dp2a_lo_uu, u32, u32, u32, u32, DOT2(HALF_U, BYTE_U, 0))
LANES_TERNARY(dp2a_lo_us, u32, u32, u32, u32, DOT2(HALF_U, BYTE_S, 0))
LANES_TERNARY(dp2a_lo_su, u32, u32, u32, u32, DOT2(HALF_S, BYTE_U, 0))
LANES_TERNARY(dp2a_lo_ss, u32, u32, u32, u32, DOT2(HALF_S, BYTE_S, 0))
LANES_TERNARY(dp2a_hi_uu, u32, u32, u32, u32, DOT2(HALF_U, BYTE_U, 2))
LANES_TERNARY(dp2a_hi_us, u32, u32, u32, u32, DOT2(HALF_U, BYTE_S, 2))
LANES_TERNARY(dp2a_hi_su, u32, u32, u32, u32, DOT2(HALF_S, BYTE_U, 2))
LANES_TERNARY(dp2a_hi_ss, u32, u32, u32, u32, DOT2(HALF_S, BYTE_S, 2))

static emu_fn *select_dot(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    static emu_fn *const rows[3][2][2] = {{{dp4a_uu, dp4a_us}, {dp4a_su, dp4a_ss}},
                                          {{dp2a_lo_uu, dp2a_lo_us}, {dp2a_lo_su, dp2a_lo_ss}},
                                          {{dp2a_hi_uu, dp2a_hi_us}, {dp2a_hi_su, dp2a_hi_ss}}};
    (void)op;
    const bool known = (instruction->type == PTX_U32 || instruction->type == PTX_S32) &&
                       (instruction->type2 == PTX_U32 || instruction->type2 == PTX_S32);
    const unsigned shape = instruction->op == PTX_OP_dp4a ? 0 : instruction->mode == PTX_MODE_HI ? 2 : 1;
    return known ? rows[shape][instruction->type == PTX_S32][instruction->type2 == PTX_S32] : NULL;
}

/* ---- the carry chain ------------------------------------------------------------------------------------------------ */

/* d = X + Y + carry, in every width and with every source of the carry.  Subtraction is addition of the complement: its carry out
 * is the borrow's complement, as in hardware.  Chains are rare: one lane at a time. */
#define CARRY(name, T, IN, X, Y)                                                                                       \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        T *d = emu_slot(warp, op->dst);                                                                                \
        const T *a = emu_slot(warp, op->a), *b = emu_slot(warp, op->b), *c = op->c == EMU_REF_NONE ? b : emu_slot(warp, op->c); \
        const uint32_t in = (IN);                                                                                      \
        uint32_t out = 0;                                                                                              \
        (void)c;                                                                                                       \
        for (unsigned l = 0; l < EMU_LANES; l++) {                                                                     \
            if (!(mask & lanes_bit[l]))                                                                                \
                continue;                                                                                              \
            const T x = (X), y = (Y), sum = x + y, total = sum + (in >> l & 1);                                        \
            out |= (uint32_t)(sum < x || total < sum) << l;                                                            \
            d[l] = total;                                                                                              \
        }                                                                                                              \
        if (op->source->flags & PTX_MODIFIER_CC)                                                                       \
            lanes_store_predicate(warp, op->dst2, out, mask);                                                          \
        return EMU_NEXT;                                                                                               \
    }
#define CARRY_IN emu_predicate(warp, op, op->carry, 31)
#define CARRY_CHAIN(name, X, Y, FIRST)                                                                                 \
    CARRY(name##_cc_32, u32, FIRST, X, Y)                                                                              \
    CARRY(name##_cc_64, u64, FIRST, X, Y)                                                                              \
    CARRY(name##_c_32, u32, CARRY_IN, X, Y)                                                                            \
    CARRY(name##_c_64, u64, CARRY_IN, X, Y)                                                                            \
    static emu_fn *const name##_cc[PTX_TYPE_COUNT] = CARRY_TYPES(name##_cc);                                           \
    static emu_fn *const name##_c[PTX_TYPE_COUNT] = CARRY_TYPES(name##_c);
#define CARRY_TYPES(f) {[PTX_U32] = f##_32, [PTX_S32] = f##_32, [PTX_U64] = f##_64, [PTX_S64] = f##_64}
CARRY_CHAIN(add, a[l], b[l], 0)
CARRY_CHAIN(sub, a[l], ~b[l], EMU_FULL_MASK)
CARRY_CHAIN(mad_lo, a[l] * b[l], c[l], 0)

#define MAD_HIGH(type, T, HIGH)                                                                                        \
    CARRY(mad_hi_cc_##type, T, 0, (T)HIGH, c[l])                                                                       \
    CARRY(mad_hi_c_##type, T, CARRY_IN, (T)HIGH, c[l])
MAD_HIGH(u32, u32, HIGH_U32(a[l], b[l]))
MAD_HIGH(s32, u32, HIGH_S32((int32_t)a[l], (int32_t)b[l]))
MAD_HIGH(u64, u64, high_u64(a[l], b[l]))
MAD_HIGH(s64, u64, high_s64((int64_t)a[l], (int64_t)b[l]))
#define WIDE_TYPES(f) {[PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64, [PTX_S64] = f##_s64}
static emu_fn *const mad_hi_cc[PTX_TYPE_COUNT] = WIDE_TYPES(mad_hi_cc);
static emu_fn *const mad_hi_c[PTX_TYPE_COUNT] = WIDE_TYPES(mad_hi_c);

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

enum { SAT = PTX_MODIFIER_SAT, RELU = PTX_MODIFIER_RELU, CC = PTX_MODIFIER_CC };

const struct lanes_row LANES(lanes_integer_rows)[] = {
    {PTX_OP_add, 0, 0, 0, add, NULL},
    {PTX_OP_add, 0, 0, SAT, add_sat, NULL},
    {PTX_OP_add, 0, 0, CC, add_cc, NULL},
    {PTX_OP_addc, 0, 0, 0, add_c, NULL},
    {PTX_OP_addc, 0, 0, CC, add_c, NULL},
    {PTX_OP_sub, 0, 0, 0, sub, NULL},
    {PTX_OP_sub, 0, 0, SAT, sub_sat, NULL},
    {PTX_OP_sub, 0, 0, CC, sub_cc, NULL},
    {PTX_OP_subc, 0, 0, 0, sub_c, NULL},
    {PTX_OP_subc, 0, 0, CC, sub_c, NULL},
    {PTX_OP_mul, PTX_MODE_LO, 0, 0, mul_lo, NULL},
    {PTX_OP_mul, PTX_MODE_HI, 0, 0, mul_hi, NULL},
    {PTX_OP_mul, PTX_MODE_WIDE, 0, 0, mul_wide, NULL},
    {PTX_OP_mad, PTX_MODE_LO, 0, 0, mad_lo, NULL},
    {PTX_OP_mad, PTX_MODE_HI, 0, 0, mad_hi, NULL},
    {PTX_OP_mad, PTX_MODE_WIDE, 0, 0, mad_wide, NULL},
    {PTX_OP_mad, PTX_MODE_HI, 0, SAT, mad_hi_sat, NULL},
    {PTX_OP_mad, PTX_MODE_LO, 0, CC, mad_lo_cc, NULL},
    {PTX_OP_mad, PTX_MODE_HI, 0, CC, mad_hi_cc, NULL},
    {PTX_OP_madc, PTX_MODE_LO, 0, 0, mad_lo_c, NULL},
    {PTX_OP_madc, PTX_MODE_LO, 0, CC, mad_lo_c, NULL},
    {PTX_OP_madc, PTX_MODE_HI, 0, 0, mad_hi_c, NULL},
    {PTX_OP_madc, PTX_MODE_HI, 0, CC, mad_hi_c, NULL},
    {PTX_OP_mul24, PTX_MODE_LO, 0, 0, mul24_lo, NULL},
    {PTX_OP_mul24, PTX_MODE_HI, 0, 0, mul24_hi, NULL},
    {PTX_OP_mad24, PTX_MODE_LO, 0, 0, mad24_lo, NULL},
    {PTX_OP_mad24, PTX_MODE_HI, 0, 0, mad24_hi, NULL},
    {PTX_OP_mad24, PTX_MODE_HI, 0, SAT, mad24_hi_sat, NULL},
    {PTX_OP_sad, 0, 0, 0, sad, NULL},
    {PTX_OP_div, 0, 0, 0, divide, NULL},
    {PTX_OP_rem, 0, 0, 0, rem, NULL},
    {PTX_OP_neg, 0, 0, 0, neg, NULL},
    {PTX_OP_abs, 0, 0, 0, absolute, NULL},
    {PTX_OP_min, 0, 0, 0, min, NULL},
    {PTX_OP_min, 0, 0, RELU, min_relu, NULL},
    {PTX_OP_max, 0, 0, 0, max, NULL},
    {PTX_OP_max, 0, 0, RELU, max_relu, NULL},
    {PTX_OP_dp4a, 0, 0, 0, NULL, select_dot},
    {PTX_OP_dp2a, 0, 0, 0, NULL, select_dot},
    {0, 0, 0, 0, NULL, NULL},
};
