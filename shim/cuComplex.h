// SPDX-License-Identifier: Apache-2.0
//
// Complex numbers as float2 and double2. Absolute value and quotient scale first, so that they overflow only where the
// result does.

#ifndef LANEWISE_SHIM_CUCOMPLEX_H
#define LANEWISE_SHIM_CUCOMPLEX_H

#include "lanewise_cuda_prelude.h"

#pragma clang system_header

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// One family a precision: (suffix of the names, type, component, absolute value, square root)
#define LW_COMPLEX(f, type, real, absolute, root)                                                              \
    LW_BOTH real cuCreal##f(type x) { return x.x; }                                                            \
    LW_BOTH real cuCimag##f(type x) { return x.y; }                                                            \
    LW_BOTH type cuConj##f(type x) { return type{x.x, -x.y}; }                                                 \
    LW_BOTH type cuCadd##f(type x, type y) { return type{x.x + y.x, x.y + y.y}; }                              \
    LW_BOTH type cuCsub##f(type x, type y) { return type{x.x - y.x, x.y - y.y}; }                              \
    LW_BOTH type cuCmul##f(type x, type y) {                                                                   \
        return type{x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                                             \
    }                                                                                                          \
    LW_BOTH type cuCdiv##f(type x, type y) {                                                                   \
        real scale = 1 / (absolute(y.x) + absolute(y.y));                                                      \
        real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                               \
        real over = 1 / (c * c + d * d);                                                                       \
        return type{(a * c + b * d) * over, (b * c - a * d) * over};                                           \
    }                                                                                                          \
    LW_BOTH real cuCabs##f(type x) {                                                                           \
        real a = absolute(x.x), b = absolute(x.y);                                                             \
        real large = a > b ? a : b, small = a > b ? b : a, ratio = small / large;                              \
        if (large == 0 || large > root##_HIGHEST || small > root##_HIGHEST) return a + b;                      \
        return large * root(1 + ratio * ratio);                                                                \
    }                                                                                                          \
    LW_BOTH type cuCfma##f(type x, type y, type d) {                                                           \
        return type{(x.x * y.x + d.x) - x.y * y.y, (x.x * y.y + d.y) + x.y * y.x};                             \
    }

#define __builtin_sqrtf_HIGHEST 3.402823466e38f
#define __builtin_sqrt_HIGHEST 1.79769313486231570e+308
LW_COMPLEX(f, cuFloatComplex, float, __builtin_fabsf, __builtin_sqrtf)
LW_COMPLEX(, cuDoubleComplex, double, __builtin_fabs, __builtin_sqrt)
#undef __builtin_sqrtf_HIGHEST
#undef __builtin_sqrt_HIGHEST
#undef LW_COMPLEX

LW_BOTH cuFloatComplex make_cuFloatComplex(float real, float imaginary) { return make_float2(real, imaginary); }
LW_BOTH cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) { return make_double2(real, imaginary); }
LW_BOTH cuComplex make_cuComplex(float real, float imaginary) { return make_float2(real, imaginary); }
LW_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_double2((double)x.x, (double)x.y); }
LW_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return make_float2((float)x.x, (float)x.y); }

#endif
