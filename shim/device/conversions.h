// SPDX-License-Identifier: Apache-2.0
//
// Bit casts between integers and floats, and conversions with a rounding mode in the name: each is one cvt.

#ifndef LANEWISE_SHIM_DEVICE_CONVERSIONS_H
#define LANEWISE_SHIM_DEVICE_CONVERSIONS_H

#include "macros.h"

#pragma clang system_header

// ---- bit casts ----

LW_BOTH int __float_as_int(float value) { return lw_bits<int>(value); }
LW_BOTH unsigned int __float_as_uint(float value) { return lw_bits<unsigned int>(value); }
LW_BOTH float __int_as_float(int value) { return lw_bits<float>(value); }
LW_BOTH float __uint_as_float(unsigned int value) { return lw_bits<float>(value); }
LW_BOTH long long __double_as_longlong(double value) { return lw_bits<long long>(value); }
LW_BOTH double __longlong_as_double(long long value) { return lw_bits<double>(value); }
LW_BOTH int __double2hiint(double value) { return (int)(lw_bits<unsigned long long>(value) >> 32); }
LW_BOTH int __double2loint(double value) { return (int)lw_bits<unsigned long long>(value); }
LW_BOTH double __hiloint2double(int high, int low) {
    return lw_bits<double>(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low);
}
LW_BOTH int float_as_int(float value) { return lw_bits<int>(value); }
LW_BOTH unsigned int float_as_uint(float value) { return lw_bits<unsigned int>(value); }
LW_BOTH float int_as_float(int value) { return lw_bits<float>(value); }
LW_BOTH float uint_as_float(unsigned int value) { return lw_bits<float>(value); }

// ---- conversions ----
//
// A rounding mode is rn, rz, rd or ru in CUDA; PTX writes rn, rz, rm, rp, with an i after it where the result is an
// integer.

#define LW_CONVERT(name, to, from, instruction, to_constraint, from_constraint)                                \
    LW_DEVICE to name(from value) {                                                                            \
        to result;                                                                                             \
        asm(instruction " %0, %1;" : "=" to_constraint(result) : from_constraint(value));                      \
        return result;                                                                                         \
    }
#define LW_CONVERT_TO_INTEGER(name, to, from, to_ptx, from_ptx, to_constraint, from_constraint, ftz)           \
    LW_CONVERT(name##_rn, to, from, "cvt.rni" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)     \
    LW_CONVERT(name##_rz, to, from, "cvt.rzi" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)     \
    LW_CONVERT(name##_rd, to, from, "cvt.rmi" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)     \
    LW_CONVERT(name##_ru, to, from, "cvt.rpi" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)
#define LW_CONVERT_TO_FLOAT(name, to, from, to_ptx, from_ptx, to_constraint, from_constraint, ftz)             \
    LW_CONVERT(name##_rn, to, from, "cvt.rn" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)      \
    LW_CONVERT(name##_rz, to, from, "cvt.rz" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)      \
    LW_CONVERT(name##_rd, to, from, "cvt.rm" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)      \
    LW_CONVERT(name##_ru, to, from, "cvt.rp" ftz "." to_ptx "." from_ptx, to_constraint, from_constraint)

LW_CONVERT_TO_INTEGER(__float2int, int, float, "s32", "f32", "r", "f", LW_FTZ)
LW_CONVERT_TO_INTEGER(__float2uint, unsigned int, float, "u32", "f32", "r", "f", LW_FTZ)
LW_CONVERT_TO_INTEGER(__float2ll, long long, float, "s64", "f32", "l", "f", LW_FTZ)
LW_CONVERT_TO_INTEGER(__float2ull, unsigned long long, float, "u64", "f32", "l", "f", LW_FTZ)
LW_CONVERT_TO_INTEGER(__double2int, int, double, "s32", "f64", "r", "d", "")
LW_CONVERT_TO_INTEGER(__double2uint, unsigned int, double, "u32", "f64", "r", "d", "")
LW_CONVERT_TO_INTEGER(__double2ll, long long, double, "s64", "f64", "l", "d", "")
LW_CONVERT_TO_INTEGER(__double2ull, unsigned long long, double, "u64", "f64", "l", "d", "")

LW_CONVERT_TO_FLOAT(__int2float, float, int, "f32", "s32", "f", "r", "")
LW_CONVERT_TO_FLOAT(__uint2float, float, unsigned int, "f32", "u32", "f", "r", "")
LW_CONVERT_TO_FLOAT(__ll2float, float, long long, "f32", "s64", "f", "l", "")
LW_CONVERT_TO_FLOAT(__ull2float, float, unsigned long long, "f32", "u64", "f", "l", "")
LW_CONVERT_TO_FLOAT(__ll2double, double, long long, "f64", "s64", "d", "l", "")
LW_CONVERT_TO_FLOAT(__ull2double, double, unsigned long long, "f64", "u64", "d", "l", "")
LW_CONVERT_TO_FLOAT(__double2float, float, double, "f32", "f64", "f", "d", LW_FTZ)

#undef LW_CONVERT_TO_INTEGER
#undef LW_CONVERT_TO_FLOAT
#undef LW_CONVERT

LW_DEVICE double __int2double_rn(int value) { return (double)value; }
LW_DEVICE double __uint2double_rn(unsigned int value) { return (double)value; }


// ---- saturation to [0, 1] ----

LW_DEVICE float __saturatef(float value) {
    float result;
    asm("cvt.sat" LW_FTZ ".f32.f32 %0, %1;" : "=f"(result) : "f"(value));
    return result;
}
LW_DEVICE float saturate(float value) { return __saturatef(value); }

#endif
