// SPDX-License-Identifier: Apache-2.0
//
// __half and __half2: types, conversions and the operations that the shared part (device/narrow_float.h) builds on. On
// the device these are half-precision instructions; the host computes in float and rounds.

#ifndef LANEWISE_SHIM_CUDA_FP16_H
#define LANEWISE_SHIM_CUDA_FP16_H

#include "device/narrow_bits.h"
#include "lanewise_cuda_prelude.h"

#pragma clang system_header

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

struct __half_raw { unsigned short x; };
struct __attribute__((aligned(4))) __half2_raw { unsigned short x, y; };

// ---- bits and floats ----

LW_BOTH float lw_half_to_float(unsigned short bits) {
#ifdef __CUDA_ARCH__
    return (float)lw_bits<_Float16>(bits);
#else
    return lw_widen(bits, 5, 10);
#endif
}
LW_BOTH unsigned short lw_float_to_half(float value) {
#ifdef __CUDA_ARCH__
    return lw_bits<unsigned short>((_Float16)value);
#else
    return (unsigned short)lw_narrow(value, 5, 10, LW_NEAREST);
#endif
}
LW_BOTH unsigned short lw_double_to_half(double value) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return bits;
#else
    return (unsigned short)lw_narrow(value, 5, 10, LW_NEAREST);
#endif
}

// ---- types ----

struct __nv_bfloat16;

#define LW_NARROW __half
#define LW_NARROW_OTHER __nv_bfloat16
#define LW_NARROW_RAW __half_raw
#define LW_NARROW_PAIR __half2
#define LW_NARROW_PAIR_RAW __half2_raw
#define LW_NARROW_TO_FLOAT lw_half_to_float
#define LW_FLOAT_TO_NARROW lw_float_to_half
#define LW_DOUBLE_TO_NARROW lw_double_to_half
#include "device/narrow_types.h"

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;

// ---- the operations under everything ----

#ifdef __CUDA_ARCH__
typedef _Float16 lw_half_pair __attribute__((ext_vector_type(2)));
#define LW_HALF(value) lw_bits<_Float16>(value)
#define LW_HALVES(value) lw_bits<lw_half_pair>(value)
#define LW_HALF_OPERATION(name, parameters, expression, pair_expression)                                       \
    LW_BOTH __half name(LW_HALF_##parameters(__half)) { return lw_bits<__half>(expression); }                  \
    LW_BOTH __half2 name(LW_HALF_##parameters(__half2)) { return lw_bits<__half2>(pair_expression); }
#define LW_HALF_ONE(type) type a
#define LW_HALF_TWO(type) type a, type b
#define LW_HALF_THREE(type) type a, type b, type c

LW_HALF_OPERATION(lw_add, TWO, (_Float16)(LW_HALF(a) + LW_HALF(b)), LW_HALVES(a) + LW_HALVES(b))
LW_HALF_OPERATION(lw_subtract, TWO, (_Float16)(LW_HALF(a) - LW_HALF(b)), LW_HALVES(a) - LW_HALVES(b))
LW_HALF_OPERATION(lw_multiply, TWO, (_Float16)(LW_HALF(a) * LW_HALF(b)), LW_HALVES(a) * LW_HALVES(b))
LW_HALF_OPERATION(lw_fma, THREE, __builtin_elementwise_fma(LW_HALF(a), LW_HALF(b), LW_HALF(c)),
                  __builtin_elementwise_fma(LW_HALVES(a), LW_HALVES(b), LW_HALVES(c)))
LW_HALF_OPERATION(lw_minimum, TWO, __builtin_elementwise_min(LW_HALF(a), LW_HALF(b)),
                  __builtin_elementwise_min(LW_HALVES(a), LW_HALVES(b)))
LW_HALF_OPERATION(lw_maximum, TWO, __builtin_elementwise_max(LW_HALF(a), LW_HALF(b)),
                  __builtin_elementwise_max(LW_HALVES(a), LW_HALVES(b)))
LW_HALF_OPERATION(lw_negate, ONE, (_Float16)-LW_HALF(a), -LW_HALVES(a))

#undef LW_HALF_OPERATION
#undef LW_HALF_ONE
#undef LW_HALF_TWO
#undef LW_HALF_THREE

// The forms that are never fused with a neighbour.
#define LW_HALF_ASM_2(name, instruction)                                                                       \
    LW_BOTH __half name(__half a, __half b) {                                                                  \
        unsigned short r;                                                                                      \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                                \
        return lw_bits<__half>(r);                                                                             \
    }                                                                                                          \
    LW_BOTH __half2 name(__half2 a, __half2 b) {                                                               \
        unsigned int r;                                                                                        \
        asm(instruction ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(lw_bits<unsigned int>(a)), "r"(lw_bits<unsigned int>(b))); \
        return lw_bits<__half2>(r);                                                                            \
    }
#define LW_HALF_ASM_3(name, instruction)                                                                       \
    LW_BOTH __half name(__half a, __half b, __half c) {                                                        \
        unsigned short r;                                                                                      \
        asm(instruction ".f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));                \
        return lw_bits<__half>(r);                                                                             \
    }                                                                                                          \
    LW_BOTH __half2 name(__half2 a, __half2 b, __half2 c) {                                                    \
        unsigned int r;                                                                                        \
        asm(instruction ".f16x2 %0, %1, %2, %3;" : "=r"(r)                                                     \
            : "r"(lw_bits<unsigned int>(a)), "r"(lw_bits<unsigned int>(b)), "r"(lw_bits<unsigned int>(c)));    \
        return lw_bits<__half2>(r);                                                                            \
    }
LW_HALF_ASM_2(lw_add_rn, "add.rn")
LW_HALF_ASM_2(lw_subtract_rn, "sub.rn")
LW_HALF_ASM_2(lw_multiply_rn, "mul.rn")
LW_HALF_ASM_2(lw_add_saturated, "add.sat")
LW_HALF_ASM_2(lw_subtract_saturated, "sub.sat")
LW_HALF_ASM_2(lw_multiply_saturated, "mul.sat")
LW_HALF_ASM_3(lw_fma_saturated, "fma.rn.sat")
LW_HALF_ASM_3(lw_fma_relu, "fma.rn.relu")
LW_HALF_ASM_2(lw_minimum_nan, "min.NaN")
LW_HALF_ASM_2(lw_maximum_nan, "max.NaN")
#undef LW_HALF_ASM_2
#undef LW_HALF_ASM_3
#undef LW_HALF
#undef LW_HALVES
#else
#define LW_NARROW_HOST_OPERATIONS 1
#endif

#define LW_NARROW_ATOMIC "f16"
#include "device/narrow_float.h"
#undef LW_NARROW_ATOMIC
#undef LW_NARROW_HOST_OPERATIONS

// ---- conversions by name ----

LW_BOTH __half __float2half(float value) { return lw_bits<__half>(lw_float_to_half(value)); }
LW_BOTH __half __float2half_rn(float value) { return lw_bits<__half>(lw_float_to_half(value)); }
LW_BOTH __half __double2half(double value) { return lw_bits<__half>(lw_double_to_half(value)); }
LW_BOTH float __half2float(__half value) { return lw_half_to_float(value.__x); }

#ifdef __CUDA_ARCH__
#define LW_FLOAT_TO_HALF(name, mode, rounding)                                                                 \
    LW_BOTH __half name(float value) {                                                                         \
        unsigned short bits;                                                                                   \
        asm("cvt." mode ".f16.f32 %0, %1;" : "=h"(bits) : "f"(value));                                         \
        return lw_bits<__half>(bits);                                                                          \
    }
#define LW_HALF_INTEGER(name, integer, ptx, c, word, mode, rounding)                                           \
    LW_BOTH integer __half2##name##_##mode(__half value) {                                                     \
        word result;                                                                                           \
        asm("cvt." LW_INTEGER_##mode "." ptx ".f16 %0, %1;" : "=" c(result) : "h"(value.__x));                 \
        return (integer)result;                                                                                \
    }                                                                                                          \
    LW_BOTH __half __##name##2half_##mode(integer value) {                                                     \
        unsigned short bits;                                                                                   \
        asm("cvt." LW_FLOAT_##mode ".f16." ptx " %0, %1;" : "=h"(bits) : c((word)value));                      \
        return lw_bits<__half>(bits);                                                                          \
    }
#define LW_INTEGER_rn "rni"
#define LW_INTEGER_rz "rzi"
#define LW_INTEGER_rd "rmi"
#define LW_INTEGER_ru "rpi"
#define LW_FLOAT_rn "rn"
#define LW_FLOAT_rz "rz"
#define LW_FLOAT_rd "rm"
#define LW_FLOAT_ru "rp"
#else
#define LW_FLOAT_TO_HALF(name, mode, rounding)                                                                 \
    LW_BOTH __half name(float value) {                                                                         \
        return lw_bits<__half>((unsigned short)lw_narrow(value, 5, 10, rounding));                             \
    }
#define LW_HALF_INTEGER(name, integer, ptx, c, word, mode, rounding)                                           \
    LW_BOTH integer __half2##name##_##mode(__half value) {                                                     \
        return lw_to_integer<integer>(lw_half_to_float(value.__x), rounding);                                  \
    }                                                                                                          \
    LW_BOTH __half __##name##2half_##mode(integer value) {                                                     \
        double exact = (integer)-1 < (integer)0 ? lw_sticky((long long)value) : lw_sticky((unsigned long long)value); \
        return lw_bits<__half>((unsigned short)lw_narrow(exact, 5, 10, rounding));                             \
    }
#endif
#define LW_HALF_INTEGERS(name, integer, ptx, c, word)                                                          \
    LW_HALF_INTEGER(name, integer, ptx, c, word, rn, LW_NEAREST)                                               \
    LW_HALF_INTEGER(name, integer, ptx, c, word, rz, LW_TO_ZERO)                                               \
    LW_HALF_INTEGER(name, integer, ptx, c, word, rd, LW_DOWN)                                                  \
    LW_HALF_INTEGER(name, integer, ptx, c, word, ru, LW_UP)

LW_FLOAT_TO_HALF(__float2half_rz, "rz", LW_TO_ZERO)
LW_FLOAT_TO_HALF(__float2half_rd, "rm", LW_DOWN)
LW_FLOAT_TO_HALF(__float2half_ru, "rp", LW_UP)
LW_HALF_INTEGERS(int, int, "s32", "r", int)
LW_HALF_INTEGERS(uint, unsigned int, "u32", "r", unsigned int)
LW_HALF_INTEGERS(short, short, "s16", "h", short)
LW_HALF_INTEGERS(ushort, unsigned short, "u16", "h", unsigned short)
LW_HALF_INTEGERS(ll, long long, "s64", "l", long long)
LW_HALF_INTEGERS(ull, unsigned long long, "u64", "l", unsigned long long)

#undef LW_HALF_INTEGERS
#undef LW_HALF_INTEGER
#undef LW_FLOAT_TO_HALF

LW_BOTH signed char __half2char_rz(__half value) { return lw_to_integer<signed char>(__half2float(value), LW_TO_ZERO); }
LW_BOTH unsigned char __half2uchar_rz(__half value) {
    return lw_to_integer<unsigned char>(__half2float(value), LW_TO_ZERO);
}
LW_BOTH short __half_as_short(__half value) { return (short)value.__x; }
LW_BOTH unsigned short __half_as_ushort(__half value) { return value.__x; }
LW_BOTH __half __short_as_half(short bits) { return lw_bits<__half>(bits); }
LW_BOTH __half __ushort_as_half(unsigned short bits) { return lw_bits<__half>(bits); }

LW_BOTH __half2 __half2half2(__half value) { return __half2(value, value); }
LW_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
LW_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
LW_BOTH __half2 __float2half2_rn(float value) { return __half2half2(__float2half(value)); }
LW_BOTH __half2 __floats2half2_rn(float low, float high) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned int bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return lw_bits<__half2>(bits);
#else
    return __half2(__float2half(low), __float2half(high));
#endif
}
LW_BOTH __half2 __float22half2_rn(float2 value) { return __floats2half2_rn(value.x, value.y); }
LW_BOTH float2 __half22float2(__half2 value) { return make_float2(__half2float(value.x), __half2float(value.y)); }
LW_BOTH __half __low2half(__half2 value) { return value.x; }
LW_BOTH __half __high2half(__half2 value) { return value.y; }
LW_BOTH __half2 __low2half2(__half2 value) { return __half2(value.x, value.x); }
LW_BOTH __half2 __high2half2(__half2 value) { return __half2(value.y, value.y); }
LW_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
LW_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
LW_BOTH __half2 __lowhigh2highlow(__half2 value) { return __half2(value.y, value.x); }

#undef LW_NARROW
#undef LW_NARROW_OTHER
#undef LW_NARROW_RAW
#undef LW_NARROW_PAIR
#undef LW_NARROW_PAIR_RAW
#undef LW_NARROW_TO_FLOAT
#undef LW_FLOAT_TO_NARROW
#undef LW_DOUBLE_TO_NARROW

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)

#endif
