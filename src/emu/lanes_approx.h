/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate functions of PTX, computed in double precision by short polynomials that the compiler vectorises: within one unit
 * in the last place of single precision, well inside the manual's bounds, and the same bits on every instruction set.
 */
#ifndef LANEWISE_EMU_LANES_APPROX_H
#define LANEWISE_EMU_LANES_APPROX_H

#include "emu/lanes_kit.h"

/* Adding it rounds a double to an integer, which then is the sum's low word. */
#define APPROX_MAGIC 6755399441055744.0 /* 1.5 * 2^52 */

/* 2^x for -1100 < x < 1020. */
static inline double approx_power(double x)
{
    const double shifted = x + APPROX_MAGIC;
    const double f = x - (shifted - APPROX_MAGIC); /* -1/2..1/2 */
    double p = 1.3215486790144309e-6; /* ln(2)^n / n!, n = 8 .. 1 */
    p = p * f + 1.5252733804059841e-5;
    p = p * f + 1.5403530393381609e-4;
    p = p * f + 1.3333558146428443e-3;
    p = p * f + 9.6181291076284772e-3;
    p = p * f + 5.5504108664821580e-2;
    p = p * f + 2.4022650695910072e-1;
    p = p * f + 6.9314718055994531e-1;
    p = p * f + 1.0;
    return lanes_float64(lanes_bits64(p) + (lanes_bits64(shifted) << 52));
}

static inline float approx_ex2(float a)
{
    const float bounded = a < -160.0f ? -160.0f : a > 160.0f ? 160.0f : a == a ? a : 0.0f;
    const float result = (float)approx_power((double)bounded);
    return a == a ? result : lanes_float32(LANES_NAN32);
}

static inline float approx_lg2(float a)
{
    /* a = 2^e * m with m in sqrt(1/2)..sqrt(2); every single-precision number is normal in double. */
    const uint64_t bits = lanes_bits64((double)a);
    const uint64_t least = 0x3fe6a09e667f3bcdu; /* sqrt(1/2) */
    const uint64_t biased = (bits - least + ((uint64_t)1024 << 52)) >> 52;
    const double m = lanes_float64(bits - ((biased - 1024) << 52));
    const double e = lanes_float64(0x4330000000000000u | biased) - (4503599627370496.0 + 1024.0);
    const double s = (m - 1.0) / (m + 1.0), s2 = s * s;
    double p = 0.26230818925253875; /* 2 / ln(2) / n, n = 11, 9, .. 1 */
    p = p * s2 + 0.32059889797532510;
    p = p * s2 + 0.41219858311113227;
    p = p * s2 + 0.57707801635558531;
    p = p * s2 + 0.96179669392597555;
    p = p * s2 + 2.88539008177792677;
    const float result = (float)(e + p * s);
    const float special = a == 0.0f ? lanes_float32(0xff800000u) : a > 0.0f ? a : lanes_float32(LANES_NAN32);
    return a > 0.0f && a < lanes_float32(0x7f800000u) ? result : special;
}

/* Sine and cosine of |a| < 2^25; larger ones are the caller's (approx_is_far). */
#define APPROX_FAR 33554432.0f

static inline bool approx_is_far(float a)
{
    return a >= APPROX_FAR || a <= -APPROX_FAR;
}

static inline float approx_circular(float a, uint32_t first_quadrant)
{
    const double shifted = (double)a * 0.63661977236758134 + APPROX_MAGIC; /* 2 / pi */
    const double turns = shifted - APPROX_MAGIC;
    /* pi/2 in two parts, the first so short that its product with `turns` is exact. */
    const double r = ((double)a - turns * 1.5707963267341256) - turns * 6.0771005065061922e-11;
    const double r2 = r * r;
    double sine = 2.7557319223985893e-6;
    sine = sine * r2 - 1.9841269841269841e-4;
    sine = sine * r2 + 8.3333333333333333e-3;
    sine = sine * r2 - 1.6666666666666667e-1;
    sine = r + r * r2 * sine;
    double cosine = -2.7557319223985888e-7;
    cosine = cosine * r2 + 2.4801587301587302e-5;
    cosine = cosine * r2 - 1.3888888888888889e-3;
    cosine = cosine * r2 + 4.1666666666666664e-2;
    cosine = cosine * r2 - 0.5;
    cosine = 1.0 + r2 * cosine;
    const uint64_t quadrant = lanes_bits64(shifted) + first_quadrant;
    const double value = quadrant & 1 ? cosine : sine;
    return lanes_canonical((float)(quadrant & 2 ? -value : value));
}

static inline float approx_sin(float a)
{
    const float result = approx_circular(a, 0);
    return a < 0x1p-12f && a > -0x1p-12f ? a : result; /* keeps -0 and subnormals */
}

static inline float approx_cos(float a)
{
    return approx_circular(a, 1);
}

static inline float approx_tanh(float a)
{
    const double x = a, x2 = x * x;
    const float bounded = a < -20.0f ? -20.0f : a > 20.0f ? 20.0f : a == a ? a : 0.0f;
    const double t = approx_power((double)bounded * 2.8853900817779268); /* e^2a */
    const double large = (t - 1.0) / (t + 1.0);
    const double small = x - x * x2 * 0.33333333333333333; /* relative error below 2^-26 */
    const float result = (float)(x2 < 0x1p-14 ? small : large);
    return a == a ? result : lanes_float32(LANES_NAN32);
}

static inline float approx_rsqrt(float a)
{
    return lanes_canonical(1.0f / __builtin_sqrtf(a));
}

#endif
