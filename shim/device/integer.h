// SPDX-License-Identifier: Apache-2.0
//
// Integer intrinsics on scalars: bit counting, byte permutation, high and 24-bit products, sums of differences,
// averages, funnel shifts and dot products. Where plain C++ says the same, plain C++ is written: the optimiser then
// knows what the value is (popc, clz, mad.wide and the rest come out of it).

#ifndef LANEWISE_SHIM_DEVICE_INTEGER_H
#define LANEWISE_SHIM_DEVICE_INTEGER_H

#include "../vector_functions.h"

#pragma clang system_header

// ---- bits ----

LW_DEVICE int __popc(unsigned int value) { return __builtin_popcount(value); }
LW_DEVICE int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
LW_DEVICE unsigned int __brev(unsigned int value) { return __builtin_bitreverse32(value); }
LW_DEVICE unsigned long long __brevll(unsigned long long value) { return __builtin_bitreverse64(value); }
// Defined at zero (32 and 64), which the C builtin is not.
LW_DEVICE int __clz(int value) { return __builtin_clzg((unsigned int)value, 32); }
LW_DEVICE int __clzll(long long value) { return __builtin_clzg((unsigned long long)value, 64); }
// One plus the place of the lowest set bit, 0 for no bit: through the reversed word, as nvcc does.
LW_DEVICE int __ffs(int value) { return __builtin_ffs(value); }
LW_DEVICE int __ffsll(long long value) { return __builtin_ffsll(value); }

LW_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    unsigned int place;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
    return place;
}

LW_DEVICE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
    return __nvvm_prmt(low, high, selector);
}

// ---- products ----

LW_DEVICE int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
LW_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return __nvvm_mul24_ui(a, b); }
LW_DEVICE int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
LW_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) { return __nvvm_mulhi_ui(a, b); }
LW_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
LW_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
LW_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
LW_DEVICE unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
LW_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
LW_DEVICE unsigned int mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
LW_DEVICE unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
LW_DEVICE long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
LW_DEVICE unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }

// ---- differences and averages ----

LW_DEVICE unsigned int __sad(int a, int b, unsigned int c) { return __nvvm_sad_i(a, b, c); }
LW_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return __nvvm_sad_ui(a, b, c); }
LW_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
LW_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
LW_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b) >> 1); }
LW_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

// ---- funnel shifts: of the 64-bit word high:low ----

#define LW_FUNNEL(name, mode)                                                                                  \
    LW_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int shift) {                     \
        unsigned int value;                                                                                    \
        asm("shf." mode ".b32 %0, %1, %2, %3;" : "=r"(value) : "r"(low), "r"(high), "r"(shift));               \
        return value;                                                                                          \
    }

LW_FUNNEL(__funnelshift_l, "l.wrap")
LW_FUNNEL(__funnelshift_lc, "l.clamp")
LW_FUNNEL(__funnelshift_r, "r.wrap")
LW_FUNNEL(__funnelshift_rc, "r.clamp")

#undef LW_FUNNEL

// ---- dot products ----

#define LW_DOT(name, instruction, type, a_type, b_type)                                                        \
    LW_DEVICE type name(a_type a, b_type b, type c) {                                                          \
        type value;                                                                                            \
        asm(instruction " %0, %1, %2, %3;" : "=r"(value)                                                       \
            : "r"(lw_bits<unsigned int>(a)), "r"(lw_bits<unsigned int>(b)), "r"(c));                           \
        return value;                                                                                          \
    }

LW_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
LW_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
LW_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
LW_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
LW_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
LW_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, int)
LW_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
LW_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, unsigned int)
LW_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
LW_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, int)
LW_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
LW_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, unsigned int)

#undef LW_DOT

LW_DEVICE int __dp2a_lo(short2 a, char4 b, int c) { return __dp2a_lo(a, lw_bits<int>(b), c); }
LW_DEVICE int __dp2a_hi(short2 a, char4 b, int c) { return __dp2a_hi(a, lw_bits<int>(b), c); }
LW_DEVICE unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return __dp2a_lo(a, lw_bits<unsigned int>(b), c); }
LW_DEVICE unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return __dp2a_hi(a, lw_bits<unsigned int>(b), c); }

#endif
