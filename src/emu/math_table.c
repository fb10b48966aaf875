/* SPDX-License-Identifier: Apache-2.0
 *
 * Native device math: calls of "__nv_..." functions without a body in PTX, run lane by lane through the C library (math_functions.def).
 * Results agree with the GPU's to a few units in the last place; a single-precision NaN is 0x7fffffff as there.
 *
 * A function with pointer arguments stores its extra results into the slots of op->list, in the order of the pointers; the core
 * writes them to memory.  __nv_norm and its relatives, which read an array, are not here.
 */
#define _GNU_SOURCE /* exp10, and the Bessel functions of floats */

#include "emu/lanes_kit.h"
#include "emu/math_convert.h"
#include "emu/math_extra.h"
#include "emu/math_round.h"

#include <math.h>

static uint64_t convert(unsigned to, unsigned from, unsigned round, uint64_t value)
{
    const struct math_conversion conversion = {.to = (uint8_t)to, .from = (uint8_t)from, .round = (uint8_t)round};
    return math_convert(&conversion, value);
}

static int64_t convert_to_s64(double integral)
{
    return (int64_t)convert(PTX_S64, PTX_F64, PTX_ROUND_ZERO, lanes_bits64(integral));
}

/* As div.approx: zero for the largest divisors. */
static float fast_divide(float a, float b)
{
    return fabsf(b) > 0x1p126f && !isinf(b) ? a * 0.0f * copysignf(1.0f, b) : a / b;
}

static double gross_reciprocal(double a)
{
    const double high = lanes_float64(lanes_bits64(a) & 0xffffffff00000000u);
    return lanes_float64(lanes_bits64(1.0 / high) & 0xffffffff00000000u);
}

static uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}

static uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= (uint32_t)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}

static uint64_t high_product(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    return (uint64_t)((wide)a * b >> 64);
}

/* ---- one lane operation for each row ---------------------------------------------------------------------------------------------- */

#define RESULT_f32(x) lanes_canonical((float)(x))
#define RESULT_f64(x) (double)(x)
#define RESULT_u16(x) (uint16_t)(x)
#define RESULT_s32(x) (int32_t)(x)
#define RESULT_u32(x) (uint32_t)(x)
#define RESULT_s64(x) (int64_t)(x)
#define RESULT_u64(x) (uint64_t)(x)

#define EACH_LANE for (uint32_t left = mask, l; left && (l = (uint32_t)__builtin_ctz(left), true); left &= left - 1)
#define ARGUMENT(T, name, reference) const T name = ((const T *)emu_slot(warp, reference))[l];
#define RESULT(TR, reference, value) ((TR *)emu_slot(warp, reference))[l] = RESULT_##TR(value)
#define RUN(name, body)                                                                                                \
    LANES_HEAD(run_##name)                                                                                             \
    {                                                                                                                  \
        EACH_LANE { body }                                                                                             \
        return EMU_NEXT;                                                                                               \
    }
#define F1(name, TR, TA, expr) RUN(name, ARGUMENT(TA, a, op->a) RESULT(TR, op->dst, expr);)
#define F2(name, TR, TA, TB, expr) RUN(name, ARGUMENT(TA, a, op->a) ARGUMENT(TB, b, op->b) RESULT(TR, op->dst, expr);)
#define F3(name, TR, TA, TB, TC, expr)                                                                                 \
    RUN(name, ARGUMENT(TA, a, op->a) ARGUMENT(TB, b, op->b) ARGUMENT(TC, c, op->c) RESULT(TR, op->dst, expr);)
#define F4(name, TR, TA, TB, TC, TE, expr)                                                                             \
    RUN(name, ARGUMENT(TA, a, op->a) ARGUMENT(TB, b, op->b) ARGUMENT(TC, c, op->c) ARGUMENT(TE, e, op->d)              \
                  RESULT(TR, op->dst, expr);)
#define EXTRA_TYPE_f32 float
#define EXTRA_TYPE_f64 double
#define EXTRA_TYPE_s32 int
#define O1(name, TR, TA, TX, expr, extra_expr)                                                                         \
    RUN(name, ARGUMENT(TA, a, op->a) EXTRA_TYPE_##TX extra = 0; const TR result = expr;                                \
        RESULT(TX, op->list[0], extra_expr); RESULT(TR, op->dst, result);)
#define O2(name, TR, TA, TB, TX, expr, extra_expr)                                                                     \
    RUN(name, ARGUMENT(TA, a, op->a) ARGUMENT(TB, b, op->b) EXTRA_TYPE_##TX extra = 0; const TR result = expr;         \
        RESULT(TX, op->list[0], extra_expr); RESULT(TR, op->dst, result);)
#define V2(name, TA, TX, first, second)                                                                                \
    RUN(name, ARGUMENT(TA, a, op->a) RESULT(TX, op->list[0], first); RESULT(TX, op->list[1], second);)
#include "emu/math_functions.def"
#undef F1
#undef F2
#undef F3
#undef F4
#undef O1
#undef O2
#undef V2

/* ---- the table ------------------------------------------------------------------------------------------------------------------------ */

#define TYPE_f32 PTX_F32
#define TYPE_f64 PTX_F64
#define TYPE_u16 PTX_U16
#define TYPE_s32 PTX_S32
#define TYPE_u32 PTX_U32
#define TYPE_s64 PTX_S64
#define TYPE_u64 PTX_U64
#define F1(name, TR, TA, expr) {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA}, 0},
#define F2(name, TR, TA, TB, expr) {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA, TYPE_##TB}, 0},
#define F3(name, TR, TA, TB, TC, expr) {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA, TYPE_##TB, TYPE_##TC}, 0},
#define F4(name, TR, TA, TB, TC, TE, expr)                                                                             \
    {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA, TYPE_##TB, TYPE_##TC, TYPE_##TE}, 0},
#define O1(name, TR, TA, TX, expr, extra_expr) {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA, TYPE_##TX}, 2},
#define O2(name, TR, TA, TB, TX, expr, extra_expr)                                                                     \
    {"__nv_" #name, run_##name, TYPE_##TR, {TYPE_##TA, TYPE_##TB, TYPE_##TX}, 4},
#define V2(name, TA, TX, first, second) {"__nv_" #name, run_##name, PTX_TYPE_NONE, {TYPE_##TA, TYPE_##TX, TYPE_##TX}, 6},
static const struct emu_math_function functions[] = {
#include "emu/math_functions.def"
};

const struct emu_math_function *emu_math_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}
