// SPDX-License-Identifier: Apache-2.0
//
// Floats of 16 bits and fewer by integer arithmetic: rounding a double into any IEEE-like format and widening one
// exactly. The host uses it for all of them, the device where PTX has no conversion.

#ifndef LANEWISE_SHIM_DEVICE_NARROW_BITS_H
#define LANEWISE_SHIM_DEVICE_NARROW_BITS_H

#include "macros.h"

#pragma clang system_header

enum lw_rounding { LW_NEAREST, LW_TO_ZERO, LW_DOWN, LW_UP };

// The bits of `value` in a format with these numbers of exponent and mantissa bits, whose largest exponent means
// infinity and NaN.
LW_BOTH unsigned int lw_narrow(double value, int exponent_bits, int mantissa_bits, lw_rounding rounding) {
    unsigned long long bits = lw_bits<unsigned long long>(value), mantissa = bits & 0xfffffffffffffull;
    unsigned int sign = (unsigned int)(bits >> 63), special = ((1u << exponent_bits) - 1) << mantissa_bits;
    unsigned int sign_bit = sign << (exponent_bits + mantissa_bits);
    int field = (int)(bits >> 52) & 0x7ff;
    if (field == 0x7ff && mantissa != 0) return (1u << (exponent_bits + mantissa_bits)) - 1;
    if (field == 0x7ff) return sign_bit | special;
    if (field == 0 && mantissa == 0) return sign_bit;

    int lowest = 2 - (1 << (exponent_bits - 1)), exponent = field - 1023, shift = 52 - mantissa_bits;
    unsigned long long significand = mantissa | (field ? 1ull << 52 : 0);
    if (exponent < lowest) shift += lowest - exponent;
    if (shift > 60) shift = 60; // what is left of it only decides the rounding
    unsigned long long kept = significand >> shift, rest = significand & ((1ull << shift) - 1);
    unsigned long long half = 1ull << (shift - 1);
    bool up = rounding == LW_NEAREST ? rest > half || (rest == half && (kept & 1))
                                     : rest != 0 && ((rounding == LW_DOWN && sign) || (rounding == LW_UP && !sign));
    if (up) kept++;
    // A normal number's kept part has its leading one, which adds one to the exponent; a carry adds one more.
    unsigned int steps = exponent < lowest ? 0 : (unsigned int)(exponent - lowest);
    unsigned int result = (unsigned int)kept + (steps << mantissa_bits);
    if (result >= special) {
        bool infinite = rounding == LW_NEAREST || (rounding == LW_DOWN && sign) || (rounding == LW_UP && !sign);
        result = infinite ? special : special - 1;
    }
    return sign_bit | result;
}

// The value of such bits; every one is a float.
LW_BOTH float lw_widen(unsigned int bits, int exponent_bits, int mantissa_bits) {
    unsigned int sign = bits >> (exponent_bits + mantissa_bits) & 1, mantissa = bits & ((1u << mantissa_bits) - 1);
    unsigned int field = bits >> mantissa_bits & ((1u << exponent_bits) - 1), wide;
    if (field == (1u << exponent_bits) - 1) {
        wide = 0x7f800000u | (mantissa ? 0x400000u | mantissa << (23 - mantissa_bits) : 0);
    } else if (field == 0) {
        // A subnormal is its mantissa times a power of two, which a double holds.
        int power = 2 - (1 << (exponent_bits - 1)) - mantissa_bits;
        double scale = lw_bits<double>((unsigned long long)(1023 + power) << 52);
        wide = lw_bits<unsigned int>((float)((double)mantissa * scale));
    } else {
        wide = (field + 128 - (1u << (exponent_bits - 1))) << 23 | mantissa << (23 - mantissa_bits);
    }
    return lw_bits<float>(wide | sign << 31);
}

// An integer as a double, exact as far as any narrow rounding can tell: past 53 bits the low ones become one sticky bit.
LW_BOTH double lw_sticky(unsigned long long magnitude) {
    if (magnitude >> 53) magnitude = (magnitude & ~0xfffull) | ((magnitude & 0xfffull) ? 0x800ull : 0);
    return (double)magnitude;
}
LW_BOTH double lw_sticky(long long value) {
    return value < 0 ? -lw_sticky(0 - (unsigned long long)value) : lw_sticky((unsigned long long)value);
}

// To [0, 1]; NaN becomes 0.
LW_BOTH float lw_clamp_unit(float value) { return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; }

// ---- rounding a float to an integer by name, for conversions on the host ----

LW_BOTH double lw_round_integer(float value, lw_rounding rounding) {
    switch (rounding) {
    case LW_NEAREST: return __builtin_rint((double)value);
    case LW_TO_ZERO: return __builtin_trunc((double)value);
    case LW_DOWN: return __builtin_floor((double)value);
    default: return __builtin_ceil((double)value);
    }
}
// Out of range values saturate and NaN becomes zero, as cvt has it.
template <typename Integer> LW_BOTH Integer lw_to_integer(float value, lw_rounding rounding) {
    double whole = lw_round_integer(value, rounding);
    const bool is_signed = (Integer)-1 < (Integer)0;
    const int bits = (int)sizeof(Integer) * 8 - (is_signed ? 1 : 0);
    const unsigned long long highest = bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (whole != whole) return 0;
    if (whole >= (double)highest) return (Integer)highest;
    if (is_signed && whole <= -(double)highest - 1.0) return (Integer)(-(long long)highest - 1);
    if (!is_signed && whole <= 0.0) return 0;
    return (Integer)whole;
}

#endif
