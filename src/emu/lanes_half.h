/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision (f16: 1.5.10) and bfloat (bf16: 1.8.7) as vectorisable bit arithmetic, the same on every instruction set.
 * Conversions to single precision are exact; conversions from it round to nearest even.  Every NaN result is 0x7fff.
 */
#ifndef LANEWISE_EMU_LANES_HALF_H
#define LANEWISE_EMU_LANES_HALF_H

#include "emu/lanes_kit.h"

#define LANES_NAN16 0x7fffu

/* Subnormals are made of an integer: arithmetic on subnormal floats would be slow. */
static inline float lanes_from_f16(uint32_t half)
{
    const uint32_t sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
    const uint32_t small = lanes_bits32((float)(int32_t)rest * 0x1p-24f);
    const uint32_t normal = (rest << 13) + 0x38000000u;
    const uint32_t large = rest << 13 | 0x7f800000u;
    return lanes_float32(sign | (rest < 0x0400u ? small : rest >= 0x7c00u ? large : normal));
}

static inline uint32_t lanes_to_f16(float value)
{
    const uint32_t bits = lanes_bits32(value);
    const uint32_t sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    /* Subnormal results: adding 0.5 puts the last bit of the sum where the last bit of the half is. */
    const uint32_t small = lanes_bits32(lanes_float32(rest) + 0.5f) - 0x3f000000u;
    const uint32_t normal = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1)) >> 13;
    const uint32_t finite = rest < 0x38800000u ? small : normal;
    const uint32_t large = rest > 0x7f800000u ? LANES_NAN16 : 0x7c00u; /* from 65520 on: infinity */
    return rest > 0x7f800000u ? LANES_NAN16 : sign | (rest >= 0x477ff000u ? large : finite);
}

static inline float lanes_from_bf16(uint32_t value)
{
    return lanes_float32(value << 16);
}

static inline uint32_t lanes_to_bf16(float value)
{
    const uint32_t bits = lanes_bits32(value);
    const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffffu) > 0x7f800000u ? LANES_NAN16 : rounded;
}

/* Round to odd: a value that is not exact gets its last bit set, so that rounding it again to fewer bits (at least two fewer) is
 * rounding once.  `error` is what the nearest-rounded `sum` lacks. */
static inline float lanes_odd32(float sum, float error)
{
    const uint32_t bits = lanes_bits32(sum);
    const bool inexact = error > 0.0f || error < 0.0f;
    const bool towards = (error > 0.0f) == (sum > 0.0f); /* the exact magnitude is larger */
    return lanes_float32(inexact && !(bits & 1) ? towards ? bits + 1 : bits - 1 : bits);
}

static inline double lanes_odd64(double sum, double error)
{
    const uint64_t bits = lanes_bits64(sum);
    const bool inexact = error > 0.0 || error < 0.0;
    const bool towards = (error > 0.0) == (sum > 0.0);
    return lanes_float64(inexact && !(bits & 1) ? towards ? bits + 1 : bits - 1 : bits);
}

static inline float lanes_error32(float a, float b, float sum)
{
    const float part = sum - a;
    return (a - (sum - part)) + (b - part);
}

static inline double lanes_error64(double a, double b, double sum)
{
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/* Double to single, rounded to odd. */
static inline float lanes_narrow_odd(double value)
{
    const float nearest = (float)value;
    const double back = nearest;
    const bool inexact = back < value || back > value; /* false for NaN */
    const bool away = (back < 0 ? -back : back) > (value < 0 ? -value : value);
    const uint32_t bits = lanes_bits32(nearest) - (inexact && away);
    return lanes_float32(bits | inexact);
}

/* a * b + c with one rounding.  The product of two halves is exact in single precision, that of two bfloats (whose exponents
 * reach as far as those of single precision) in double. */
static inline uint32_t lanes_fma_f16(uint32_t a, uint32_t b, uint32_t c)
{
    const float product = lanes_from_f16(a) * lanes_from_f16(b), addend = lanes_from_f16(c);
    const float sum = product + addend;
    return lanes_to_f16(lanes_odd32(sum, lanes_error32(product, addend, sum)));
}

static inline uint32_t lanes_fma_bf16(uint32_t a, uint32_t b, uint32_t c)
{
    const double product = (double)lanes_from_bf16(a) * (double)lanes_from_bf16(b), addend = lanes_from_bf16(c);
    const double sum = product + addend;
    return lanes_to_bf16(lanes_narrow_odd(lanes_odd64(sum, lanes_error64(product, addend, sum))));
}

#endif
