// SPDX-License-Identifier: Apache-2.0
//
// The functions that CUDA gives to host code and the C library does not. Only what is short and exact on top of the C
// library; the special functions among them have no host version here.

#ifndef LANEWISE_SHIM_HOST_MATH_H
#define LANEWISE_SHIM_HOST_MATH_H

#include "../device/macros.h"

#pragma clang system_header

#define LW_HOST static __host__ inline

LW_HOST float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
LW_HOST double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
LW_HOST float rsqrt(float x) { return rsqrtf(x); }
LW_HOST float rcbrtf(float x) { return 1.0f / __builtin_cbrtf(x); }
LW_HOST double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
LW_HOST float rcbrt(float x) { return rcbrtf(x); }
LW_HOST float rhypotf(float x, float y) { return 1.0f / __builtin_hypotf(x, y); }
LW_HOST double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
LW_HOST float norm3df(float x, float y, float z) { return __builtin_hypotf(__builtin_hypotf(x, y), z); }
LW_HOST double norm3d(double x, double y, double z) { return __builtin_hypot(__builtin_hypot(x, y), z); }
LW_HOST float norm4df(float x, float y, float z, float w) { return __builtin_hypotf(norm3df(x, y, z), w); }
LW_HOST double norm4d(double x, double y, double z, double w) { return __builtin_hypot(norm3d(x, y, z), w); }
LW_HOST double normcdf(double x) { return 0.5 * __builtin_erfc(-x * 0.70710678118654752440); }
LW_HOST float normcdff(float x) { return (float)normcdf((double)x); }
LW_HOST float normcdf(float x) { return normcdff(x); }
LW_HOST double erfcx(double x) { return __builtin_exp(x * x) * __builtin_erfc(x); }
LW_HOST float erfcxf(float x) { return (float)erfcx((double)x); }

// The argument is brought into [-1, 1] before pi comes in, which keeps whole and half multiples exact.
LW_HOST double sinpi(double x) {
    double turn = x - 2.0 * __builtin_floor(x * 0.5);
    if (turn == 0.0 || turn == 1.0) return 0.0 * x;
    if (turn == 0.5) return 1.0;
    if (turn == 1.5) return -1.0;
    return __builtin_sin(turn * 3.14159265358979323846);
}
LW_HOST double cospi(double x) {
    double turn = x - 2.0 * __builtin_floor(x * 0.5);
    if (turn == 0.5 || turn == 1.5) return 0.0;
    return __builtin_cos(turn * 3.14159265358979323846);
}
LW_HOST float sinpif(float x) { return (float)sinpi((double)x); }
LW_HOST float cospif(float x) { return (float)cospi((double)x); }
LW_HOST float sinpi(float x) { return sinpif(x); }
LW_HOST float cospi(float x) { return cospif(x); }
LW_HOST void sincospi(double x, double *sine, double *cosine) {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
LW_HOST void sincospif(float x, float *sine, float *cosine) {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
LW_HOST float fdividef(float a, float b) { return a / b; }
LW_HOST double fdivide(double a, double b) { return a / b; }

#undef LW_HOST

#endif
