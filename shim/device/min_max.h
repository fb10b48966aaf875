// SPDX-License-Identifier: Apache-2.0
//
// The global min and max, which CUDA gives to host and device for every pair of arithmetic types, and their named
// forms. The result type follows the usual arithmetic conversions.

#ifndef LANEWISE_SHIM_DEVICE_MIN_MAX_H
#define LANEWISE_SHIM_DEVICE_MIN_MAX_H

#include "macros.h"

#pragma clang system_header

#define LW_MIN_MAX(type, a_type, b_type)                                                                       \
    LW_BOTH type min(a_type a, b_type b) { return (type)a < (type)b ? (type)a : (type)b; }                     \
    LW_BOTH type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }

LW_MIN_MAX(int, int, int)
LW_MIN_MAX(unsigned int, unsigned int, unsigned int)
LW_MIN_MAX(unsigned int, int, unsigned int)
LW_MIN_MAX(unsigned int, unsigned int, int)
LW_MIN_MAX(long, long, long)
LW_MIN_MAX(unsigned long, unsigned long, unsigned long)
LW_MIN_MAX(unsigned long, long, unsigned long)
LW_MIN_MAX(unsigned long, unsigned long, long)
LW_MIN_MAX(long long, long long, long long)
LW_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
LW_MIN_MAX(unsigned long long, long long, unsigned long long)
LW_MIN_MAX(unsigned long long, unsigned long long, long long)

#undef LW_MIN_MAX

// Floats ignore a NaN on one side, as the instructions min and max do.
LW_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
LW_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
LW_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
LW_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
LW_BOTH double min(float a, double b) { return __builtin_fmin((double)a, b); }
LW_BOTH double max(float a, double b) { return __builtin_fmax((double)a, b); }
LW_BOTH double min(double a, float b) { return __builtin_fmin(a, (double)b); }
LW_BOTH double max(double a, float b) { return __builtin_fmax(a, (double)b); }

LW_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
LW_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
LW_BOTH long long llmin(long long a, long long b) { return min(a, b); }
LW_BOTH long long llmax(long long a, long long b) { return max(a, b); }
LW_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
LW_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

#endif
