// SPDX-License-Identifier: Apache-2.0
//
// Device math under its C names (sinf, sin, fmaf ...), its C++ overloads (sin(float), sin(int), pow(float, int) ...)
// and in namespace std. All of it is declared before any header of the C or C++ library: an overload with a device
// attribute that is there first keeps the library's constexpr function of the same signature on the host.
//
// What PTX has an instruction for is that instruction; the rest is a call of libdevice.h. -ffast-math takes the
// approximate instruction where nvcc -use_fast_math does.

#ifndef LANEWISE_SHIM_DEVICE_MATH_H
#define LANEWISE_SHIM_DEVICE_MATH_H

#include "arithmetic.h"
#include "conversions.h"
#include "libdevice.h"

#pragma clang system_header

// ---- one value: f(name, float expression, double expression) over x ----

#define LW_MATH_1_EXTERNAL(row, name) row(name, __nv_##name##f(x), __nv_##name(x))

#ifdef LW_FAST_MATH
#define LW_MATH_FAST(row, name, fast) row(name, fast, __nv_##name(x))
#define LW_MATH_SQUARE_ROOT lw_sqrt_approx(x)
#else
#define LW_MATH_FAST(row, name, fast) row(name, __nv_##name##f(x), __nv_##name(x))
#define LW_MATH_SQUARE_ROOT __builtin_elementwise_sqrt(x)
#endif

// round adds a half towards zero and cuts: past the range of fractions the sum is the number itself.
// The functions of <math.h>: also in std, also for integers.
#define LW_MATH_1_STANDARD(row)                                                                                \
    LW_MATH_1_EXTERNAL(row, acos)                                                                              \
    LW_MATH_1_EXTERNAL(row, acosh)                                                                             \
    LW_MATH_1_EXTERNAL(row, asin)                                                                              \
    LW_MATH_1_EXTERNAL(row, asinh)                                                                             \
    LW_MATH_1_EXTERNAL(row, atan)                                                                              \
    LW_MATH_1_EXTERNAL(row, atanh)                                                                             \
    LW_MATH_1_EXTERNAL(row, cbrt)                                                                              \
    LW_MATH_1_EXTERNAL(row, cosh)                                                                              \
    LW_MATH_1_EXTERNAL(row, erf)                                                                               \
    LW_MATH_1_EXTERNAL(row, erfc)                                                                              \
    LW_MATH_1_EXTERNAL(row, expm1)                                                                             \
    LW_MATH_1_EXTERNAL(row, lgamma)                                                                            \
    LW_MATH_1_EXTERNAL(row, log1p)                                                                             \
    LW_MATH_1_EXTERNAL(row, logb)                                                                              \
    LW_MATH_1_EXTERNAL(row, sinh)                                                                              \
    LW_MATH_1_EXTERNAL(row, tgamma)                                                                            \
    LW_MATH_1_EXTERNAL(row, tanh)                                                                              \
    LW_MATH_FAST(row, cos, __cosf(x))                                                                          \
    LW_MATH_FAST(row, exp, __expf(x))                                                                          \
    LW_MATH_FAST(row, log, __logf(x))                                                                          \
    LW_MATH_FAST(row, log10, __log10f(x))                                                                      \
    LW_MATH_FAST(row, log2, __log2f(x))                                                                        \
    LW_MATH_FAST(row, sin, __sinf(x))                                                                          \
    LW_MATH_FAST(row, tan, __tanf(x))                                                                          \
    row(exp2, lw_exp2_approx(x), __nv_exp2(x))                                                                 \
    row(ceil, __builtin_elementwise_ceil(x), __builtin_elementwise_ceil(x))                                    \
    row(fabs, __builtin_fabsf(x), __builtin_fabs(x))                                                           \
    row(floor, __builtin_elementwise_floor(x), __builtin_elementwise_floor(x))                                 \
    row(nearbyint, __builtin_elementwise_nearbyint(x), __builtin_elementwise_nearbyint(x))                     \
    row(round, __builtin_elementwise_trunc(__fadd_rz(x, __builtin_copysignf(0.5f, x))),                        \
        __builtin_elementwise_trunc(__dadd_rz(x, __builtin_copysign(0.5, x))))                                 \
    row(rint, __builtin_elementwise_rint(x), __builtin_elementwise_rint(x))                                    \
    row(sqrt, LW_MATH_SQUARE_ROOT, __builtin_elementwise_sqrt(x))                                              \
    row(trunc, __builtin_elementwise_trunc(x), __builtin_elementwise_trunc(x))

// CUDA's own functions: a float overload, but not in std.
#define LW_MATH_1_CUDA(row)                                                                                    \
    LW_MATH_1_EXTERNAL(row, cospi)                                                                             \
    LW_MATH_1_EXTERNAL(row, cyl_bessel_i0)                                                                     \
    LW_MATH_1_EXTERNAL(row, cyl_bessel_i1)                                                                     \
    LW_MATH_1_EXTERNAL(row, erfcinv)                                                                           \
    LW_MATH_1_EXTERNAL(row, erfcx)                                                                             \
    LW_MATH_1_EXTERNAL(row, erfinv)                                                                            \
    LW_MATH_FAST(row, exp10, __exp10f(x))                                                                      \
    LW_MATH_1_EXTERNAL(row, j0)                                                                                \
    LW_MATH_1_EXTERNAL(row, j1)                                                                                \
    LW_MATH_1_EXTERNAL(row, normcdf)                                                                           \
    LW_MATH_1_EXTERNAL(row, normcdfinv)                                                                        \
    LW_MATH_1_EXTERNAL(row, rcbrt)                                                                             \
    LW_MATH_1_EXTERNAL(row, sinpi)                                                                             \
    LW_MATH_1_EXTERNAL(row, y0)                                                                                \
    LW_MATH_1_EXTERNAL(row, y1)                                                                                \
    row(rsqrt, lw_rsqrt_approx(x), lw_rsqrt_approx(x))

#define LW_MATH_1(name, float_expression, double_expression)                                                   \
    LW_DEVICE float name##f(float x) { return float_expression; }                                              \
    LW_DEVICE double name(double x) { return double_expression; }                                              \
    LW_DEVICE float name(float x) { return name##f(x); }

// exp2, tgamma and the like of an integer are of type double.
#define LW_MATH_1_INTEGER(name, float_expression, double_expression)                                           \
    template <typename T> LW_DEVICE typename lw_enable_if<lw_is_integer<T>::value, double>::type name(T x) {   \
        return name((double)x);                                                                                \
    }

LW_MATH_1_STANDARD(LW_MATH_1)
LW_MATH_1_STANDARD(LW_MATH_1_INTEGER)
LW_MATH_1_CUDA(LW_MATH_1)

LW_DEVICE float __frsqrt_rn(float x) { return __nv_frsqrt_rn(x); }
template <typename T> LW_DEVICE typename lw_enable_if<lw_is_integer<T>::value, double>::type rsqrt(T x) {
    return rsqrt((double)x);
}

// ---- two values ----

#define LW_MATH_2_EXTERNAL(row, name) row(name, __nv_##name##f(x, y), __nv_##name(x, y))

#ifdef LW_FAST_MATH
#define LW_MATH_2_FAST(row, name, fast) row(name, fast, __nv_##name(x, y))
#else
#define LW_MATH_2_FAST(row, name, fast) LW_MATH_2_EXTERNAL(row, name)
#endif

#define LW_MATH_2_STANDARD(row)                                                                                \
    LW_MATH_2_EXTERNAL(row, atan2)                                                                             \
    LW_MATH_2_EXTERNAL(row, fmod)                                                                              \
    LW_MATH_2_EXTERNAL(row, hypot)                                                                             \
    LW_MATH_2_EXTERNAL(row, nextafter)                                                                         \
    LW_MATH_2_EXTERNAL(row, remainder)                                                                         \
    LW_MATH_2_FAST(row, pow, __powf(x, y))                                                                     \
    row(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))                                         \
    row(fdim, x <= y ? 0.0f : __fsub_rn(x, y), x <= y ? 0.0 : __dsub_rn(x, y))                                 \
    row(fmax, __builtin_fmaxf(x, y), __builtin_fmax(x, y))                                                     \
    row(fmin, __builtin_fminf(x, y), __builtin_fmin(x, y))

#define LW_MATH_2(name, float_expression, double_expression)                                                   \
    LW_DEVICE float name##f(float x, float y) { return float_expression; }                                     \
    LW_DEVICE double name(double x, double y) { return double_expression; }                                    \
    LW_DEVICE float name(float x, float y) { return name##f(x, y); }

// Two different arithmetic types, or two integers: in double.
#define LW_MATH_2_MIXED(name, float_expression, double_expression)                                             \
    template <typename T, typename U>                                                                          \
    LW_DEVICE typename lw_enable_if<lw_is_arithmetic<T>::value && lw_is_arithmetic<U>::value &&                \
                                        (!lw_is_same<T, U>::value || lw_is_integer<T>::value),                 \
                                    double>::type                                                              \
    name(T x, U y) {                                                                                           \
        return name((double)x, (double)y);                                                                     \
    }

LW_MATH_2_STANDARD(LW_MATH_2)
LW_DEVICE float powif(float x, int y) { return __nv_powif(x, y); }
LW_DEVICE double powi(double x, int y) { return __nv_powi(x, y); }
LW_DEVICE float pow(float x, int y) { return __nv_powif(x, y); }
LW_DEVICE double pow(double x, int y) { return __nv_powi(x, y); }
LW_MATH_2_STANDARD(LW_MATH_2_MIXED)

LW_DEVICE float rhypotf(float x, float y) { return __nv_rhypotf(x, y); }
LW_DEVICE double rhypot(double x, double y) { return __nv_rhypot(x, y); }
LW_DEVICE float rhypot(float x, float y) { return __nv_rhypotf(x, y); }

// ---- three and four values, norms of arrays ----

LW_DEVICE float fmaf(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
LW_DEVICE double fma(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
LW_DEVICE float fma(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
LW_DEVICE float norm3df(float x, float y, float z) { return __nv_norm3df(x, y, z); }
LW_DEVICE double norm3d(double x, double y, double z) { return __nv_norm3d(x, y, z); }
LW_DEVICE float rnorm3df(float x, float y, float z) { return __nv_rnorm3df(x, y, z); }
LW_DEVICE double rnorm3d(double x, double y, double z) { return __nv_rnorm3d(x, y, z); }
LW_DEVICE float norm4df(float x, float y, float z, float w) { return __nv_norm4df(x, y, z, w); }
LW_DEVICE double norm4d(double x, double y, double z, double w) { return __nv_norm4d(x, y, z, w); }
LW_DEVICE float rnorm4df(float x, float y, float z, float w) { return __nv_rnorm4df(x, y, z, w); }
LW_DEVICE double rnorm4d(double x, double y, double z, double w) { return __nv_rnorm4d(x, y, z, w); }
// Of arrays: one step a value, so that no call reads memory of its own.
LW_DEVICE float normf(int count, const float *values) {
    float norm = 0.0f;
    for (int i = 0; i < count; i++) norm = __nv_hypotf(norm, values[i]);
    return norm;
}
LW_DEVICE double norm(int count, const double *values) {
    double norm = 0.0;
    for (int i = 0; i < count; i++) norm = __nv_hypot(norm, values[i]);
    return norm;
}
LW_DEVICE float rnormf(int count, const float *values) { return 1.0f / normf(count, values); }
LW_DEVICE double rnorm(int count, const double *values) { return 1.0 / norm(count, values); }

// ---- results of other types ----

LW_DEVICE float jnf(int n, float x) { return __nv_jnf(n, x); }
LW_DEVICE double jn(int n, double x) { return __nv_jn(n, x); }
LW_DEVICE float ynf(int n, float x) { return __nv_ynf(n, x); }
LW_DEVICE double yn(int n, double x) { return __nv_yn(n, x); }
LW_DEVICE float ldexpf(float x, int e) { return __nv_ldexpf(x, e); }
LW_DEVICE double ldexp(double x, int e) { return __nv_ldexp(x, e); }
LW_DEVICE float ldexp(float x, int e) { return __nv_ldexpf(x, e); }
LW_DEVICE float scalbnf(float x, int e) { return __nv_ldexpf(x, e); }
LW_DEVICE double scalbn(double x, int e) { return __nv_ldexp(x, e); }
LW_DEVICE float scalbn(float x, int e) { return __nv_ldexpf(x, e); }
// Exponents past the int range already overflow or underflow every float.
LW_DEVICE int lw_clip_exponent(long e) { return e > 100000 ? 100000 : e < -100000 ? -100000 : (int)e; }
LW_DEVICE float scalblnf(float x, long e) { return __nv_ldexpf(x, lw_clip_exponent(e)); }
LW_DEVICE double scalbln(double x, long e) { return __nv_ldexp(x, lw_clip_exponent(e)); }
LW_DEVICE float scalbln(float x, long e) { return __nv_ldexpf(x, lw_clip_exponent(e)); }
LW_DEVICE int ilogbf(float x) { return __nv_ilogbf(x); }
LW_DEVICE int ilogb(double x) { return __nv_ilogb(x); }
LW_DEVICE int ilogb(float x) { return __nv_ilogbf(x); }
LW_DEVICE long long llrintf(float x) { return __float2ll_rn(x); }
LW_DEVICE long long llrint(double x) { return __double2ll_rn(x); }
LW_DEVICE long long llrint(float x) { return __float2ll_rn(x); }
LW_DEVICE long lrintf(float x) { return (long)__float2ll_rn(x); }
LW_DEVICE long lrint(double x) { return (long)__double2ll_rn(x); }
LW_DEVICE long lrint(float x) { return (long)__float2ll_rn(x); }
LW_DEVICE long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
LW_DEVICE long long llround(double x) { return __double2ll_rz(round(x)); }
LW_DEVICE long long llround(float x) { return __float2ll_rz(roundf(x)); }
LW_DEVICE long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
LW_DEVICE long lround(double x) { return (long)__double2ll_rz(round(x)); }
LW_DEVICE long lround(float x) { return (long)__float2ll_rz(roundf(x)); }
LW_DEVICE float nanf(const char *) { return __int_as_float(0x7fffffff); }
LW_DEVICE double nan(const char *) { return __longlong_as_double(0x7fffffffffffffffll); }
LW_DEVICE float remquof(float x, float y, int *quotient) { return __nv_remquof(x, y, quotient); }
LW_DEVICE double remquo(double x, double y, int *quotient) { return __nv_remquo(x, y, quotient); }
LW_DEVICE float remquo(float x, float y, int *quotient) { return __nv_remquof(x, y, quotient); }

// The two results of sincos come from two calls: nothing is written through memory that the call cannot see.
LW_DEVICE void sincosf(float x, float *sine, float *cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
LW_DEVICE void sincos(double x, double *sine, double *cosine) {
    *sine = __nv_sin(x);
    *cosine = __nv_cos(x);
}
LW_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
LW_DEVICE void sincospif(float x, float *sine, float *cosine) {
    *sine = __nv_sinpif(x);
    *cosine = __nv_cospif(x);
}
LW_DEVICE void sincospi(double x, double *sine, double *cosine) {
    *sine = __nv_sinpi(x);
    *cosine = __nv_cospi(x);
}
LW_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }

LW_DEVICE float modff(float x, float *whole) {
    *whole = truncf(x);
    return copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
LW_DEVICE double modf(double x, double *whole) {
    *whole = trunc(x);
    return copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
LW_DEVICE float modf(float x, float *whole) { return modff(x, whole); }

// The exponent field is read and replaced; subnormals are scaled up first.
LW_DEVICE double frexp(double x, int *exponent) {
    unsigned long long bits = lw_bits<unsigned long long>(x);
    int field = (int)(bits >> 52) & 0x7ff, scaled = 0;
    if (field == 0) {
        bits = lw_bits<unsigned long long>(x * 0x1p54);
        field = (int)(bits >> 52) & 0x7ff;
        scaled = 54;
    }
    if (x == 0.0 || field == 0x7ff) {
        *exponent = 0;
        return x;
    }
    *exponent = field - 1022 - scaled;
    return lw_bits<double>((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
LW_DEVICE float frexpf(float x, int *exponent) { return (float)frexp((double)x, exponent); }
LW_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }

// ---- absolute values and classification ----

LW_DEVICE int abs(int x) { return x < 0 ? -x : x; }
LW_DEVICE long labs(long x) { return x < 0 ? -x : x; }
LW_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
LW_DEVICE long abs(long x) { return labs(x); }
LW_DEVICE long long abs(long long x) { return llabs(x); }
LW_DEVICE float abs(float x) { return __builtin_fabsf(x); }
LW_DEVICE double abs(double x) { return __builtin_fabs(x); }

#define LW_CLASSIFY(name)                                                                                      \
    LW_DEVICE bool name(float x) { return __builtin_##name(x); }                                               \
    LW_DEVICE bool name(double x) { return __builtin_##name(x); }                                              \
    template <typename T> LW_DEVICE typename lw_enable_if<lw_is_integer<T>::value, bool>::type name(T x) {     \
        return __builtin_##name((double)x);                                                                    \
    }
#define LW_COMPARE(name)                                                                                       \
    LW_DEVICE bool name(float x, float y) { return __builtin_##name(x, y); }                                   \
    LW_DEVICE bool name(double x, double y) { return __builtin_##name(x, y); }

#define LW_CLASSIFY_ROWS(row) row(isfinite) row(isinf) row(isnan) row(isnormal) row(signbit)
#define LW_COMPARE_ROWS(row)                                                                                   \
    row(isgreater) row(isgreaterequal) row(isless) row(islessequal) row(islessgreater) row(isunordered)

LW_CLASSIFY_ROWS(LW_CLASSIFY)
LW_COMPARE_ROWS(LW_COMPARE)
// The values of FP_NAN ... FP_NORMAL in glibc.
LW_DEVICE int fpclassify(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
LW_DEVICE int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
LW_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
LW_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
LW_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
LW_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
LW_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
LW_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
LW_DEVICE int __isfinited(double x) { return __builtin_isfinite(x); }
LW_DEVICE int __signbitf(float x) { return __builtin_signbit(x); }
LW_DEVICE int __signbitd(double x) { return __builtin_signbit(x); }

// ---- namespace std ----

namespace std {
#define LW_STANDARD_1(name, float_expression, double_expression) using ::name; using ::name##f;
LW_MATH_1_STANDARD(LW_STANDARD_1)
LW_MATH_2_STANDARD(LW_STANDARD_1)
#define LW_STANDARD(name) using ::name;
LW_CLASSIFY_ROWS(LW_STANDARD)
LW_COMPARE_ROWS(LW_STANDARD)
#define LW_STANDARD_OTHERS(row)                                                                                \
    row(fma) row(fmaf) row(ldexp) row(ldexpf) row(scalbn) row(scalbnf) row(scalbln) row(scalblnf) row(ilogb)   \
    row(ilogbf) row(llrint) row(llrintf) row(lrint) row(lrintf) row(llround) row(llroundf) row(lround)         \
    row(lroundf) row(nan) row(nanf) row(remquo) row(remquof) row(modf) row(modff) row(frexp) row(frexpf)       \
    row(abs) row(labs) row(llabs) row(fpclassify)
LW_STANDARD_OTHERS(LW_STANDARD)
#undef LW_STANDARD_OTHERS
#undef LW_STANDARD
#undef LW_STANDARD_1
} // namespace std

#undef LW_CLASSIFY_ROWS
#undef LW_COMPARE_ROWS
#undef LW_CLASSIFY
#undef LW_COMPARE
#undef LW_MATH_1
#undef LW_MATH_1_INTEGER
#undef LW_MATH_2
#undef LW_MATH_2_MIXED
#undef LW_MATH_1_STANDARD
#undef LW_MATH_1_CUDA
#undef LW_MATH_2_STANDARD
#undef LW_MATH_1_EXTERNAL
#undef LW_MATH_2_EXTERNAL
#undef LW_MATH_FAST
#undef LW_MATH_2_FAST
#undef LW_MATH_SQUARE_ROOT

#endif
