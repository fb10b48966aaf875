// SPDX-License-Identifier: Apache-2.0
//
// Floating-point arithmetic with the rounding mode in the name (never fused with its neighbours), and the fast
// approximations (__expf, __sinf, __fdividef ...), each by the PTX sequence that nvcc gives it.

#ifndef LANEWISE_SHIM_DEVICE_ARITHMETIC_H
#define LANEWISE_SHIM_DEVICE_ARITHMETIC_H

#include "macros.h"

#pragma clang system_header

#define LW_FLOAT_1(name, type, c, instruction)                                                                 \
    LW_DEVICE type name(type a) {                                                                              \
        type result;                                                                                           \
        asm(instruction " %0, %1;" : "=" c(result) : c(a));                                                    \
        return result;                                                                                         \
    }
#define LW_FLOAT_2(name, type, c, instruction)                                                                 \
    LW_DEVICE type name(type a, type b) {                                                                      \
        type result;                                                                                           \
        asm(instruction " %0, %1, %2;" : "=" c(result) : c(a), c(b));                                          \
        return result;                                                                                         \
    }
#define LW_FLOAT_3(name, type, c, instruction)                                                                 \
    LW_DEVICE type name(type a, type b, type d) {                                                              \
        type result;                                                                                           \
        asm(instruction " %0, %1, %2, %3;" : "=" c(result) : c(a), c(b), c(d));                                \
        return result;                                                                                         \
    }

// The four rounding modes of one operation. CUDA's rd is PTX's rm, ru is rp.
#define LW_ROUNDED(count, name, type, c, operation, width)                                                     \
    LW_FLOAT_##count(name##_rn, type, c, operation ".rn" width)                                                \
    LW_FLOAT_##count(name##_rz, type, c, operation ".rz" width)                                                \
    LW_FLOAT_##count(name##_rd, type, c, operation ".rm" width)                                                \
    LW_FLOAT_##count(name##_ru, type, c, operation ".rp" width)

LW_ROUNDED(2, __fadd, float, "f", "add", LW_FTZ ".f32")
LW_ROUNDED(2, __fsub, float, "f", "sub", LW_FTZ ".f32")
LW_ROUNDED(2, __fmul, float, "f", "mul", LW_FTZ ".f32")
LW_ROUNDED(2, __fdiv, float, "f", "div", LW_FTZ ".f32")
LW_ROUNDED(3, __fmaf, float, "f", "fma", LW_FTZ ".f32")
LW_ROUNDED(3, __fmaf_ieee, float, "f", "fma", ".f32")
LW_ROUNDED(1, __frcp, float, "f", "rcp", LW_FTZ ".f32")
LW_ROUNDED(1, __fsqrt, float, "f", "sqrt", LW_FTZ ".f32")
LW_ROUNDED(2, __dadd, double, "d", "add", ".f64")
LW_ROUNDED(2, __dsub, double, "d", "sub", ".f64")
LW_ROUNDED(2, __dmul, double, "d", "mul", ".f64")
LW_ROUNDED(2, __ddiv, double, "d", "div", ".f64")
LW_ROUNDED(3, __fma, double, "d", "fma", ".f64")
LW_ROUNDED(1, __drcp, double, "d", "rcp", ".f64")
LW_ROUNDED(1, __dsqrt, double, "d", "sqrt", ".f64")

#undef LW_ROUNDED

// ---- fast approximations ----

LW_FLOAT_2(__fdividef, float, "f", "div.approx" LW_FTZ ".f32")
LW_FLOAT_1(__sinf, float, "f", "sin.approx" LW_FTZ ".f32")
LW_FLOAT_1(__cosf, float, "f", "cos.approx" LW_FTZ ".f32")
LW_FLOAT_1(__log2f, float, "f", "lg2.approx" LW_FTZ ".f32")
LW_FLOAT_1(__tanhf, float, "f", "tanh.approx.f32")
LW_FLOAT_1(lw_exp2_approx, float, "f", "ex2.approx" LW_FTZ ".f32")
LW_FLOAT_1(lw_rcp_approx, float, "f", "rcp.approx" LW_FTZ ".f32")
LW_FLOAT_1(lw_sqrt_approx, float, "f", "sqrt.approx" LW_FTZ ".f32")
LW_FLOAT_1(lw_rsqrt_approx, float, "f", "rsqrt.approx" LW_FTZ ".f32")
LW_FLOAT_1(lw_rsqrt_approx, double, "d", "rsqrt.approx.f64")

#undef LW_FLOAT_1
#undef LW_FLOAT_2
#undef LW_FLOAT_3

// log2(e), log2(10), ln(2) and log10(2), rounded to float.
LW_DEVICE float __expf(float x) { return lw_exp2_approx(x * 0x1.715476p+0f); }
LW_DEVICE float __exp10f(float x) { return lw_exp2_approx(x * 0x1.a934f0p+1f); }
LW_DEVICE float __logf(float x) { return __log2f(x) * 0x1.62e430p-1f; }
LW_DEVICE float __log10f(float x) { return __log2f(x) * 0x1.344136p-2f; }
LW_DEVICE float __powf(float x, float y) { return lw_exp2_approx(y * __log2f(x)); }
LW_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
LW_DEVICE void __sincosf(float x, float *sine, float *cosine) {
    *sine = __sinf(x);
    *cosine = __cosf(x);
}
LW_DEVICE float fdividef(float a, float b) {
#ifdef LW_FAST_MATH
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
LW_DEVICE double fdivide(double a, double b) { return a / b; }

#endif
