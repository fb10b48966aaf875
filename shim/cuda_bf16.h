// SPDX-License-Identifier: Apache-2.0
//
// __nv_bfloat16 and __nv_bfloat162: types, conversions and the operations that the shared part (device/narrow_float.h)
// builds on. sm_80 has one bfloat arithmetic instruction, fma: sums and products are that with a 1, -1 or -0, as nvcc
// writes them. The host computes in float and rounds.

#ifndef LANEWISE_SHIM_CUDA_BF16_H
#define LANEWISE_SHIM_CUDA_BF16_H

#include "cuda_fp16.h"
#include "device/narrow_bits.h"
#include "lanewise_cuda_prelude.h"

#pragma clang system_header

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

struct __nv_bfloat16_raw { unsigned short x; };
struct __attribute__((aligned(4))) __nv_bfloat162_raw { unsigned short x, y; };

// ---- bits and floats ----

LW_BOTH float lw_bfloat_to_float(unsigned short bits) { return lw_bits<float>((unsigned int)bits << 16); }
LW_BOTH unsigned short lw_float_to_bfloat(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    return (unsigned short)lw_narrow(value, 8, 7, LW_NEAREST);
#endif
}
LW_BOTH unsigned short lw_double_to_bfloat(double value) {
    return (unsigned short)lw_narrow(value, 8, 7, LW_NEAREST);
}

// ---- types ----

#define LW_NARROW __nv_bfloat16
#define LW_NARROW_OTHER __half
#define LW_NARROW_RAW __nv_bfloat16_raw
#define LW_NARROW_PAIR __nv_bfloat162
#define LW_NARROW_PAIR_RAW __nv_bfloat162_raw
#define LW_NARROW_TO_FLOAT lw_bfloat_to_float
#define LW_FLOAT_TO_NARROW lw_float_to_bfloat
#define LW_DOUBLE_TO_NARROW lw_double_to_bfloat
#include "device/narrow_types.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

LW_BOTH_MEMBER __half::__half(const __nv_bfloat16 &value) : __x(lw_float_to_half(lw_bfloat_to_float(value.__x))) {}
LW_BOTH_MEMBER __nv_bfloat16::__nv_bfloat16(const __half &value)
    : __x(lw_float_to_bfloat(lw_half_to_float(value.__x))) {}

// ---- the operations under everything ----

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
LW_BOTH __nv_bfloat16 lw_bfloat_fma(unsigned short a, unsigned short b, unsigned short c) {
    unsigned short r;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a), "h"(b), "h"(c));
    return lw_bits<__nv_bfloat16>(r);
}
LW_BOTH __nv_bfloat162 lw_bfloat_fma(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return lw_bits<__nv_bfloat162>(r);
}
#define LW_WORD(value) lw_bits<unsigned short>(value)
#define LW_WORDS(value) lw_bits<unsigned int>(value)
#define LW_BFLOAT_OPERATION(name, expression, pair_expression)                                                 \
    LW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return expression; }                        \
    LW_BOTH __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) { return pair_expression; }
#define LW_BFLOAT_ONE ((unsigned short)0x3f80)
#define LW_BFLOAT_ONES 0x3f803f80u
#define LW_BFLOAT_MINUS_ONE ((unsigned short)0xbf80)
#define LW_BFLOAT_MINUS_ONES 0xbf80bf80u
#define LW_BFLOAT_MINUS_ZERO ((unsigned short)0x8000)
#define LW_BFLOAT_MINUS_ZEROS 0x80008000u

LW_BFLOAT_OPERATION(lw_add_rn, lw_bfloat_fma(LW_WORD(a), LW_BFLOAT_ONE, LW_WORD(b)),
                    lw_bfloat_fma(LW_WORDS(a), LW_BFLOAT_ONES, LW_WORDS(b)))
LW_BFLOAT_OPERATION(lw_subtract_rn, lw_bfloat_fma(LW_WORD(b), LW_BFLOAT_MINUS_ONE, LW_WORD(a)),
                    lw_bfloat_fma(LW_WORDS(b), LW_BFLOAT_MINUS_ONES, LW_WORDS(a)))
LW_BFLOAT_OPERATION(lw_multiply_rn, lw_bfloat_fma(LW_WORD(a), LW_WORD(b), LW_BFLOAT_MINUS_ZERO),
                    lw_bfloat_fma(LW_WORDS(a), LW_WORDS(b), LW_BFLOAT_MINUS_ZEROS))
LW_BFLOAT_OPERATION(lw_add, lw_add_rn(a, b), lw_add_rn(a, b))
LW_BFLOAT_OPERATION(lw_subtract, lw_subtract_rn(a, b), lw_subtract_rn(a, b))
LW_BFLOAT_OPERATION(lw_multiply, lw_multiply_rn(a, b), lw_multiply_rn(a, b))

LW_BOTH __nv_bfloat16 lw_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return lw_bfloat_fma(LW_WORD(a), LW_WORD(b), LW_WORD(c));
}
LW_BOTH __nv_bfloat162 lw_fma(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    return lw_bfloat_fma(LW_WORDS(a), LW_WORDS(b), LW_WORDS(c));
}
#define LW_BFLOAT_ASM(name, instruction)                                                                       \
    LW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                                             \
        unsigned short r;                                                                                      \
        asm(instruction ".bf16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                               \
        return lw_bits<__nv_bfloat16>(r);                                                                      \
    }                                                                                                          \
    LW_BOTH __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b) {                                          \
        unsigned int r;                                                                                        \
        asm(instruction ".bf16x2 %0, %1, %2;" : "=r"(r) : "r"(LW_WORDS(a)), "r"(LW_WORDS(b)));                 \
        return lw_bits<__nv_bfloat162>(r);                                                                     \
    }
LW_BFLOAT_ASM(lw_minimum, "min")
LW_BFLOAT_ASM(lw_maximum, "max")
LW_BFLOAT_ASM(lw_minimum_nan, "min.NaN")
LW_BFLOAT_ASM(lw_maximum_nan, "max.NaN")
#undef LW_BFLOAT_ASM

// No saturating form exists: the result is clamped, NaN to zero.
LW_BOTH __nv_bfloat16 lw_bfloat_clamp(__nv_bfloat16 value) {
    return lw_bits<__nv_bfloat16>(lw_float_to_bfloat(__saturatef(lw_bfloat_to_float(value.__x))));
}
LW_BOTH __nv_bfloat162 lw_bfloat_clamp(__nv_bfloat162 value) {
    return __nv_bfloat162(lw_bfloat_clamp(value.x), lw_bfloat_clamp(value.y));
}
LW_BFLOAT_OPERATION(lw_add_saturated, lw_bfloat_clamp(lw_add(a, b)), lw_bfloat_clamp(lw_add(a, b)))
LW_BFLOAT_OPERATION(lw_subtract_saturated, lw_bfloat_clamp(lw_subtract(a, b)), lw_bfloat_clamp(lw_subtract(a, b)))
LW_BFLOAT_OPERATION(lw_multiply_saturated, lw_bfloat_clamp(lw_multiply(a, b)), lw_bfloat_clamp(lw_multiply(a, b)))
LW_BOTH __nv_bfloat16 lw_fma_saturated(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return lw_bfloat_clamp(lw_fma(a, b, c));
}
LW_BOTH __nv_bfloat162 lw_fma_saturated(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    return lw_bfloat_clamp(lw_fma(a, b, c));
}
LW_BOTH __nv_bfloat16 lw_fma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    unsigned short r;
    asm("fma.rn.relu.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
    return lw_bits<__nv_bfloat16>(r);
}
LW_BOTH __nv_bfloat162 lw_fma_relu(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    unsigned int r;
    asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(LW_WORDS(a)), "r"(LW_WORDS(b)), "r"(LW_WORDS(c)));
    return lw_bits<__nv_bfloat162>(r);
}
LW_BOTH __nv_bfloat16 lw_negate(__nv_bfloat16 a) { return lw_bits<__nv_bfloat16>((unsigned short)(a.__x ^ 0x8000)); }
LW_BOTH __nv_bfloat162 lw_negate(__nv_bfloat162 a) { return lw_bits<__nv_bfloat162>(LW_WORDS(a) ^ 0x80008000u); }

#undef LW_BFLOAT_OPERATION
#undef LW_WORD
#undef LW_WORDS
#else
#define LW_NARROW_HOST_OPERATIONS 1
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define LW_NARROW_ATOMIC "bf16"
#endif
#include "device/narrow_float.h"
#undef LW_NARROW_ATOMIC
#undef LW_NARROW_HOST_OPERATIONS

// ---- conversions by name ----

LW_BOTH __nv_bfloat16 __float2bfloat16(float value) { return lw_bits<__nv_bfloat16>(lw_float_to_bfloat(value)); }
LW_BOTH __nv_bfloat16 __float2bfloat16_rn(float value) { return lw_bits<__nv_bfloat16>(lw_float_to_bfloat(value)); }
LW_BOTH __nv_bfloat16 __float2bfloat16_rz(float value) {
    return lw_bits<__nv_bfloat16>((unsigned short)lw_narrow(value, 8, 7, LW_TO_ZERO));
}
LW_BOTH __nv_bfloat16 __float2bfloat16_rd(float value) {
    return lw_bits<__nv_bfloat16>((unsigned short)lw_narrow(value, 8, 7, LW_DOWN));
}
LW_BOTH __nv_bfloat16 __float2bfloat16_ru(float value) {
    return lw_bits<__nv_bfloat16>((unsigned short)lw_narrow(value, 8, 7, LW_UP));
}
LW_BOTH __nv_bfloat16 __double2bfloat16(double value) { return lw_bits<__nv_bfloat16>(lw_double_to_bfloat(value)); }
LW_BOTH float __bfloat162float(__nv_bfloat16 value) { return lw_bfloat_to_float(value.__x); }

#define LW_BFLOAT_INTEGER(name, integer, wide, mode, rounding)                                                 \
    LW_BOTH integer __bfloat162##name##_##mode(__nv_bfloat16 value) {                                          \
        return lw_to_integer<integer>(lw_bfloat_to_float(value.__x), rounding);                                \
    }                                                                                                          \
    LW_BOTH __nv_bfloat16 __##name##2bfloat16_##mode(integer value) {                                          \
        return lw_bits<__nv_bfloat16>((unsigned short)lw_narrow(lw_sticky((wide)value), 8, 7, rounding));      \
    }
#define LW_BFLOAT_INTEGERS(name, integer, wide)                                                                \
    LW_BFLOAT_INTEGER(name, integer, wide, rn, LW_NEAREST)                                                     \
    LW_BFLOAT_INTEGER(name, integer, wide, rz, LW_TO_ZERO)                                                     \
    LW_BFLOAT_INTEGER(name, integer, wide, rd, LW_DOWN)                                                        \
    LW_BFLOAT_INTEGER(name, integer, wide, ru, LW_UP)
LW_BFLOAT_INTEGERS(int, int, long long)
LW_BFLOAT_INTEGERS(uint, unsigned int, unsigned long long)
LW_BFLOAT_INTEGERS(short, short, long long)
LW_BFLOAT_INTEGERS(ushort, unsigned short, unsigned long long)
LW_BFLOAT_INTEGERS(ll, long long, long long)
LW_BFLOAT_INTEGERS(ull, unsigned long long, unsigned long long)
#undef LW_BFLOAT_INTEGERS
#undef LW_BFLOAT_INTEGER

LW_BOTH short __bfloat16_as_short(__nv_bfloat16 value) { return (short)value.__x; }
LW_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.__x; }
LW_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) { return lw_bits<__nv_bfloat16>(bits); }
LW_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return lw_bits<__nv_bfloat16>(bits); }

LW_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) { return __nv_bfloat162(value, value); }
LW_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
LW_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) { return __nv_bfloat162(low, high); }
LW_BOTH __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned int bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return lw_bits<__nv_bfloat162>(bits);
#else
    return __nv_bfloat162(__float2bfloat16(low), __float2bfloat16(high));
#endif
}
LW_BOTH __nv_bfloat162 __float2bfloat162_rn(float value) { return __floats2bfloat162_rn(value, value); }
LW_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 value) { return __floats2bfloat162_rn(value.x, value.y); }
LW_BOTH float2 __bfloat1622float2(__nv_bfloat162 value) {
    return make_float2(__bfloat162float(value.x), __bfloat162float(value.y));
}
LW_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 value) { return value.x; }
LW_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 value) { return value.y; }
LW_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 value) { return __nv_bfloat162(value.x, value.x); }
LW_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 value) { return __nv_bfloat162(value.y, value.y); }
LW_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
LW_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
LW_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 value) { return __nv_bfloat162(value.y, value.x); }

#undef LW_NARROW
#undef LW_NARROW_OTHER
#undef LW_NARROW_RAW
#undef LW_NARROW_PAIR
#undef LW_NARROW_PAIR_RAW
#undef LW_NARROW_TO_FLOAT
#undef LW_FLOAT_TO_NARROW
#undef LW_DOUBLE_TO_NARROW

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)

#endif
