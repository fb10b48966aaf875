// SPDX-License-Identifier: Apache-2.0
//
// 8-bit floats: E4M3 (no infinity, one NaN a sign) and E5M2, by integer arithmetic as on every device before sm_89.

#ifndef LANEWISE_SHIM_CUDA_FP8_H
#define LANEWISE_SHIM_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang system_header

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT = 0, __NV_SATFINITE = 1 };
enum __nv_fp8_interpretation_t { __NV_E4M3 = 0, __NV_E5M2 = 1 };

// E4M3 has 448 as its largest number, where an IEEE-like format would already be in its highest exponent: it is rounded
// with one exponent bit more and the field shifted back.
LW_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t format) {
    unsigned int sign = (unsigned int)(lw_bits<unsigned long long>(value) >> 63) << 7;
    double size = __builtin_fabs(value);
    if (format == __NV_E5M2) {
        if (size != size) return (__nv_fp8_storage_t)0x7f;
        unsigned int bits = lw_narrow(size, 5, 2, LW_NEAREST);
        if (bits >= 0x7c && saturate == __NV_SATFINITE) bits = 0x7b;
        return (__nv_fp8_storage_t)(sign | bits);
    }
    if (size != size) return (__nv_fp8_storage_t)0x7f;
    // 464 is halfway to the next step; ties there go up, out of range.
    if (size >= 464.0) return (__nv_fp8_storage_t)(sign | (saturate == __NV_SATFINITE ? 0x7e : 0x7f));
    if (size >= 0x1p-6) {
        // Normal in E4M3 and in E5M3, whose exponent counts 8 higher.
        unsigned int bits = lw_narrow(size, 5, 3, LW_NEAREST) - (8u << 3);
        return (__nv_fp8_storage_t)(sign | (bits > 0x7e ? 0x7e : bits));
    }
    return (__nv_fp8_storage_t)(sign | (unsigned int)__builtin_rint(size * 0x1p9));
}
LW_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_double_to_fp8((double)value, saturate, format);
}
LW_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 value, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
    unsigned int low = __nv_cvt_float_to_fp8(value.x, saturate, format);
    return (__nv_fp8x2_storage_t)(low | (unsigned int)__nv_cvt_float_to_fp8(value.y, saturate, format) << 8);
}
LW_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(lw_half_to_float(value.x), saturate, format);
}
LW_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(lw_bfloat_to_float(value.x), saturate, format);
}

LW_BOTH float lw_fp8_to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    if (format == __NV_E5M2) return lw_widen(bits, 5, 2);
    unsigned int size = bits & 0x7f;
    float value = size == 0x7f ? __builtin_nanf("")
                  : size < 8   ? (float)size * 0x1p-9f
                               : lw_bits<float>((size << 20) + (120u << 23));
    return bits & 0x80 ? -value : value;
}
LW_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t format) {
    return __half_raw{lw_float_to_half(lw_fp8_to_float(bits, format))};
}
LW_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits, __nv_fp8_interpretation_t format) {
    return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)bits, format).x,
                       __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(bits >> 8), format).x};
}

// ---- the classes of one, two and four ----

#define LW_FP8(suffix, format)                                                                                 \
    struct __nv_fp8_##suffix {                                                                                 \
        __nv_fp8_storage_t __x;                                                                                \
        __nv_fp8_##suffix() = default;                                                                         \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(float value)                                                 \
            : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, format)) {}                                     \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(double value)                                                \
            : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, format)) {}                                    \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(__half value) : __nv_fp8_##suffix((float)value) {}           \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(__nv_bfloat16 value) : __nv_fp8_##suffix((float)value) {}    \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(int value) : __nv_fp8_##suffix((double)value) {}             \
        LW_BOTH_MEMBER explicit __nv_fp8_##suffix(unsigned int value) : __nv_fp8_##suffix((double)value) {}    \
        LW_BOTH_MEMBER explicit operator float() const { return lw_fp8_to_float(__x, format); }                \
        LW_BOTH_MEMBER explicit operator double() const { return (double)lw_fp8_to_float(__x, format); }       \
        LW_BOTH_MEMBER explicit operator __half() const { return __half(lw_fp8_to_float(__x, format)); }       \
        LW_BOTH_MEMBER explicit operator __nv_bfloat16() const {                                               \
            return __nv_bfloat16(lw_fp8_to_float(__x, format));                                                \
        }                                                                                                      \
        LW_BOTH_MEMBER explicit operator bool() const { return (__x & 0x7f) != 0; }                            \
    };                                                                                                         \
    struct __attribute__((aligned(2))) __nv_fp8x2_##suffix {                                                   \
        __nv_fp8x2_storage_t __x;                                                                              \
        __nv_fp8x2_##suffix() = default;                                                                       \
        LW_BOTH_MEMBER explicit __nv_fp8x2_##suffix(float2 value)                                              \
            : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, format)) {}                                  \
        LW_BOTH_MEMBER explicit __nv_fp8x2_##suffix(__half2 value) : __nv_fp8x2_##suffix(__half22float2(value)) {} \
        LW_BOTH_MEMBER explicit __nv_fp8x2_##suffix(__nv_bfloat162 value)                                      \
            : __nv_fp8x2_##suffix(__bfloat1622float2(value)) {}                                                \
        LW_BOTH_MEMBER explicit __nv_fp8x2_##suffix(double2 value)                                             \
            : __nv_fp8x2_##suffix(float2{(float)value.x, (float)value.y}) {}                                   \
        LW_BOTH_MEMBER explicit operator __half2() const {                                                     \
            return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                           \
        }                                                                                                      \
        LW_BOTH_MEMBER explicit operator float2() const {                                                      \
            return float2{lw_fp8_to_float((__nv_fp8_storage_t)__x, format),                                    \
                          lw_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), format)};                            \
        }                                                                                                      \
    };                                                                                                         \
    struct __attribute__((aligned(4))) __nv_fp8x4_##suffix {                                                   \
        __nv_fp8x4_storage_t __x;                                                                              \
        __nv_fp8x4_##suffix() = default;                                                                       \
        LW_BOTH_MEMBER explicit __nv_fp8x4_##suffix(float4 value)                                              \
            : __x(__nv_cvt_float2_to_fp8x2(float2{value.x, value.y}, __NV_SATFINITE, format) |                 \
                  (unsigned int)__nv_cvt_float2_to_fp8x2(float2{value.z, value.w}, __NV_SATFINITE, format) << 16) {} \
        LW_BOTH_MEMBER __nv_fp8x4_##suffix(float2 low, float2 high)                                            \
            : __nv_fp8x4_##suffix(float4{low.x, low.y, high.x, high.y}) {}                                     \
        LW_BOTH_MEMBER explicit __nv_fp8x4_##suffix(__half2 low, __half2 high)                                 \
            : __nv_fp8x4_##suffix(__half22float2(low), __half22float2(high)) {}                                \
        LW_BOTH_MEMBER explicit __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)                   \
            : __nv_fp8x4_##suffix(__bfloat1622float2(low), __bfloat1622float2(high)) {}                        \
        LW_BOTH_MEMBER explicit operator float4() const {                                                      \
            return float4{lw_fp8_to_float((__nv_fp8_storage_t)__x, format),                                    \
                          lw_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), format),                             \
                          lw_fp8_to_float((__nv_fp8_storage_t)(__x >> 16), format),                            \
                          lw_fp8_to_float((__nv_fp8_storage_t)(__x >> 24), format)};                           \
        }                                                                                                      \
    };
LW_FP8(e4m3, __NV_E4M3)
LW_FP8(e5m2, __NV_E5M2)
#undef LW_FP8

#endif
