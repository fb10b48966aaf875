/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed rounding by the processor's rounding mode.  Every operand and result goes through a volatile object between the two
 * switches, which keeps the compiler from computing outside of them or in advance.
 */
#include "emu/math_round.h"

#include "emu/lanes.h"

#include <fenv.h>
#include <math.h>

static int processor_mode(unsigned round)
{
    switch (round) {
    case PTX_ROUND_ZERO: return FE_TOWARDZERO;
    case PTX_ROUND_DOWN: return FE_DOWNWARD;
    case PTX_ROUND_UP: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

#define ROUNDED(name, one, T, FMA, SQRT)                                                                               \
    static T name##_one(enum math_operation operation, T a_in, T b_in, T c_in)                                         \
    {                                                                                                                  \
        volatile T a = a_in, b = b_in, c = c_in, result;                                                               \
        switch (operation) {                                                                                           \
        case MATH_ADD: result = a + b; break;                                                                          \
        case MATH_SUB: result = a - b; break;                                                                          \
        case MATH_MUL: result = a * b; break;                                                                          \
        case MATH_DIV: result = a / b; break;                                                                          \
        case MATH_FMA: result = FMA(a, b, c); break;                                                                   \
        default: result = SQRT(a); break;                                                                              \
        }                                                                                                              \
        return result;                                                                                                 \
    }                                                                                                                  \
    void name(enum math_operation operation, unsigned round, const T *a, const T *b, const T *c, T *out)               \
    {                                                                                                                  \
        const int before = fegetround();                                                                               \
        fesetround(processor_mode(round));                                                                             \
        for (unsigned l = 0; l < EMU_LANES; l++)                                                                       \
            out[l] = name##_one(operation, a[l], b ? b[l] : 0, c ? c[l] : 0);                                          \
        fesetround(before);                                                                                            \
    }                                                                                                                  \
    T one(enum math_operation operation, unsigned round, T a, T b, T c)                                                \
    {                                                                                                                  \
        const int before = fegetround();                                                                               \
        fesetround(processor_mode(round));                                                                             \
        const T result = name##_one(operation, a, b, c);                                                               \
        fesetround(before);                                                                                            \
        return result;                                                                                                 \
    }
ROUNDED(math_round_f32, math_rounded_f32, float, fmaf, sqrtf)
ROUNDED(math_round_f64, math_rounded_f64, double, fma, sqrt)
