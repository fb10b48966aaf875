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

#define ROUNDED(name, T, FMA, SQRT)                                                                                    \
    T name(enum math_operation operation, unsigned round, T a_in, T b_in, T c_in)                                      \
    {                                                                                                                  \
        const int before = fegetround();                                                                               \
        fesetround(processor_mode(round));                                                                             \
        volatile T a = a_in, b = b_in, c = c_in, result;                                                               \
        switch (operation) {                                                                                           \
        case MATH_ADD: result = a + b; break;                                                                          \
        case MATH_SUB: result = a - b; break;                                                                          \
        case MATH_MUL: result = a * b; break;                                                                          \
        case MATH_DIV: result = a / b; break;                                                                          \
        case MATH_FMA: result = FMA(a, b, c); break;                                                                   \
        default: result = SQRT(a); break;                                                                              \
        }                                                                                                              \
        fesetround(before);                                                                                            \
        return result;                                                                                                 \
    }
ROUNDED(math_rounded_f32, float, fmaf, sqrtf)
ROUNDED(math_rounded_f64, double, fma, sqrt)
