// SPDX-License-Identifier: Apache-2.0
//
// SIMD-in-a-word intrinsics: __vadd2 ... __vsubus4 on two halves or four bytes, and the __vi... minimum and maximum
// family. Each is an operation on one lane, applied to every lane: sm_80 has no such instructions but vabsdiff, so the
// PTX is plain integer code here as it is with nvcc.

#ifndef LANEWISE_SHIM_DEVICE_SIMD_H
#define LANEWISE_SHIM_DEVICE_SIMD_H

#include "macros.h"

#pragma clang system_header

// Lane number `lane` of a word, widened with its sign or with zeros.
#define LW_LANE_SIGNED(word, lane, bits) ((int)((word) << (32 - (bits) - (lane) * (bits))) >> (32 - (bits)))
#define LW_LANE_UNSIGNED(word, lane, bits) ((int)(((word) >> ((lane) * (bits))) & ((1u << (bits)) - 1)))

LW_BOTH int lw_clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

// A word function of one lane expression over x, y: lanes are widened by `widen`, results are cut to the lane.
#define LW_LANEWISE(name, widen, bits, expression)                                                             \
    LW_BOTH unsigned int name(unsigned int a, unsigned int b) {                                                \
        unsigned int result = 0;                                                                               \
        _Pragma("unroll") for (int lane = 0; lane < 32 / bits; lane++) {                                       \
            int x = widen(a, lane, bits), y = widen(b, lane, bits);                                            \
            (void)x, (void)y;                                                                                  \
            result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << (lane * bits);                      \
        }                                                                                                      \
        return result;                                                                                         \
    }
#define LW_LANEWISE_ONE(name, widen, bits, expression)                                                         \
    LW_BOTH unsigned int name(unsigned int a) {                                                                \
        unsigned int result = 0;                                                                               \
        _Pragma("unroll") for (int lane = 0; lane < 32 / bits; lane++) {                                       \
            int x = widen(a, lane, bits);                                                                      \
            result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << (lane * bits);                      \
        }                                                                                                      \
        return result;                                                                                         \
    }
#define LW_LANE_SUM(name, widen, bits, expression)                                                             \
    LW_BOTH unsigned int name(unsigned int a, unsigned int b) {                                                \
        unsigned int sum = 0;                                                                                  \
        _Pragma("unroll") for (int lane = 0; lane < 32 / bits; lane++) {                                       \
            int x = widen(a, lane, bits), y = widen(b, lane, bits);                                            \
            sum += (unsigned int)(expression);                                                                 \
        }                                                                                                      \
        return sum;                                                                                            \
    }

#define LW_SIGNED_LOW(bits) (-(1 << (bits - 1)))
#define LW_SIGNED_HIGH(bits) ((1 << (bits - 1)) - 1)
#define LW_UNSIGNED_HIGH(bits) ((1 << bits) - 1)

// The whole family for one lane width; `n` is the number of lanes in the name.
#define LW_SIMD_FAMILY(n, bits)                                                                                \
    LW_LANEWISE(__vadd##n, LW_LANE_UNSIGNED, bits, x + y)                                                      \
    LW_LANEWISE(__vsub##n, LW_LANE_UNSIGNED, bits, x - y)                                                      \
    LW_LANEWISE(__vaddss##n, LW_LANE_SIGNED, bits, lw_clamp(x + y, LW_SIGNED_LOW(bits), LW_SIGNED_HIGH(bits))) \
    LW_LANEWISE(__vaddus##n, LW_LANE_UNSIGNED, bits, lw_clamp(x + y, 0, LW_UNSIGNED_HIGH(bits)))               \
    LW_LANEWISE(__vsubss##n, LW_LANE_SIGNED, bits, lw_clamp(x - y, LW_SIGNED_LOW(bits), LW_SIGNED_HIGH(bits))) \
    LW_LANEWISE(__vsubus##n, LW_LANE_UNSIGNED, bits, lw_clamp(x - y, 0, LW_UNSIGNED_HIGH(bits)))               \
    LW_LANEWISE(__vavgs##n, LW_LANE_SIGNED, bits, (x + y + ((x + y) >= 0 ? 1 : 0)) >> 1)                       \
    LW_LANEWISE(__vavgu##n, LW_LANE_UNSIGNED, bits, (x + y + 1) >> 1)                                          \
    LW_LANEWISE(__vhaddu##n, LW_LANE_UNSIGNED, bits, (x + y) >> 1)                                             \
    LW_LANEWISE(__vmaxs##n, LW_LANE_SIGNED, bits, x > y ? x : y)                                               \
    LW_LANEWISE(__vmaxu##n, LW_LANE_UNSIGNED, bits, x > y ? x : y)                                             \
    LW_LANEWISE(__vmins##n, LW_LANE_SIGNED, bits, x < y ? x : y)                                               \
    LW_LANEWISE(__vminu##n, LW_LANE_UNSIGNED, bits, x < y ? x : y)                                             \
    LW_LANEWISE(__vabsdiffs##n, LW_LANE_SIGNED, bits, x > y ? x - y : y - x)                                   \
    LW_LANEWISE_ONE(__vabs##n, LW_LANE_SIGNED, bits, x < 0 ? -x : x)                                           \
    LW_LANEWISE_ONE(__vneg##n, LW_LANE_SIGNED, bits, -x)                                                       \
    LW_LANEWISE_ONE(__vabsss##n, LW_LANE_SIGNED, bits, lw_clamp(x < 0 ? -x : x, 0, LW_SIGNED_HIGH(bits)))      \
    LW_LANEWISE_ONE(__vnegss##n, LW_LANE_SIGNED, bits, lw_clamp(-x, LW_SIGNED_LOW(bits), LW_SIGNED_HIGH(bits))) \
    LW_LANE_SUM(__vsads##n, LW_LANE_SIGNED, bits, x > y ? x - y : y - x)                                       \
    LW_SIMD_COMPARE(n, bits, eq, LW_LANE_UNSIGNED, ==)                                                         \
    LW_SIMD_COMPARE(n, bits, ne, LW_LANE_UNSIGNED, !=)                                                         \
    LW_SIMD_COMPARE(n, bits, ges, LW_LANE_SIGNED, >=)                                                          \
    LW_SIMD_COMPARE(n, bits, geu, LW_LANE_UNSIGNED, >=)                                                        \
    LW_SIMD_COMPARE(n, bits, gts, LW_LANE_SIGNED, >)                                                           \
    LW_SIMD_COMPARE(n, bits, gtu, LW_LANE_UNSIGNED, >)                                                         \
    LW_SIMD_COMPARE(n, bits, les, LW_LANE_SIGNED, <=)                                                          \
    LW_SIMD_COMPARE(n, bits, leu, LW_LANE_UNSIGNED, <=)                                                        \
    LW_SIMD_COMPARE(n, bits, lts, LW_LANE_SIGNED, <)                                                           \
    LW_SIMD_COMPARE(n, bits, ltu, LW_LANE_UNSIGNED, <)

// __vcmp gives all ones in a lane where the relation holds, __vset gives one.
#define LW_SIMD_COMPARE(n, bits, relation, widen, operator)                                                    \
    LW_LANEWISE(__vcmp##relation##n, widen, bits, x operator y ? -1 : 0)                                       \
    LW_LANEWISE(__vset##relation##n, widen, bits, x operator y ? 1 : 0)

LW_SIMD_FAMILY(2, 16)
LW_SIMD_FAMILY(4, 8)

#undef LW_SIMD_COMPARE
#undef LW_SIMD_FAMILY

// The four that are instructions.
#define LW_DIFFERENCE(name, instruction)                                                                       \
    LW_DEVICE unsigned int name(unsigned int a, unsigned int b) {                                              \
        unsigned int result;                                                                                   \
        asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0));                           \
        return result;                                                                                         \
    }

LW_DIFFERENCE(__vabsdiffu2, "vabsdiff2.u32.u32.u32")
LW_DIFFERENCE(__vabsdiffu4, "vabsdiff4.u32.u32.u32")
LW_DIFFERENCE(__vsadu2, "vabsdiff2.u32.u32.u32.add")
LW_DIFFERENCE(__vsadu4, "vabsdiff4.u32.u32.u32.add")

#undef LW_DIFFERENCE

// ---- minimum and maximum of two or three, with relu and with the predicate of which side won ----

LW_BOTH int __vimax_s32_relu(int a, int b) { return a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); }
LW_BOTH int __vimin_s32_relu(int a, int b) { return a < b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); }
LW_LANEWISE(__vimax_s16x2_relu, LW_LANE_SIGNED, 16, (x > y ? x : y) > 0 ? (x > y ? x : y) : 0)
LW_LANEWISE(__vimin_s16x2_relu, LW_LANE_SIGNED, 16, (x < y ? x : y) > 0 ? (x < y ? x : y) : 0)

#define LW_THREE_SCALAR(suffix, type)                                                                          \
    LW_BOTH type __vimax3_##suffix(type a, type b, type c) {                                                   \
        type d = a > b ? a : b;                                                                                \
        return d > c ? d : c;                                                                                  \
    }                                                                                                          \
    LW_BOTH type __vimin3_##suffix(type a, type b, type c) {                                                   \
        type d = a < b ? a : b;                                                                                \
        return d < c ? d : c;                                                                                  \
    }                                                                                                          \
    LW_BOTH type __viaddmax_##suffix(type a, type b, type c) {                                                 \
        type d = (type)((unsigned int)a + (unsigned int)b);                                                    \
        return d > c ? d : c;                                                                                  \
    }                                                                                                          \
    LW_BOTH type __viaddmin_##suffix(type a, type b, type c) {                                                 \
        type d = (type)((unsigned int)a + (unsigned int)b);                                                    \
        return d < c ? d : c;                                                                                  \
    }                                                                                                          \
    LW_BOTH type __vibmax_##suffix(type a, type b, bool *first) {                                              \
        *first = a >= b;                                                                                       \
        return a >= b ? a : b;                                                                                 \
    }                                                                                                          \
    LW_BOTH type __vibmin_##suffix(type a, type b, bool *first) {                                              \
        *first = a <= b;                                                                                       \
        return a <= b ? a : b;                                                                                 \
    }

LW_THREE_SCALAR(s32, int)
LW_THREE_SCALAR(u32, unsigned int)

#undef LW_THREE_SCALAR

#define LW_THREE_PAIR(suffix, maximum, minimum, widen)                                                         \
    LW_BOTH unsigned int __vimax3_##suffix(unsigned int a, unsigned int b, unsigned int c) {                   \
        return maximum(maximum(a, b), c);                                                                      \
    }                                                                                                          \
    LW_BOTH unsigned int __vimin3_##suffix(unsigned int a, unsigned int b, unsigned int c) {                   \
        return minimum(minimum(a, b), c);                                                                      \
    }                                                                                                          \
    LW_BOTH unsigned int __viaddmax_##suffix(unsigned int a, unsigned int b, unsigned int c) {                 \
        return maximum(__vadd2(a, b), c);                                                                      \
    }                                                                                                          \
    LW_BOTH unsigned int __viaddmin_##suffix(unsigned int a, unsigned int b, unsigned int c) {                 \
        return minimum(__vadd2(a, b), c);                                                                      \
    }                                                                                                          \
    LW_BOTH unsigned int __vibmax_##suffix(unsigned int a, unsigned int b, bool *high, bool *low) {            \
        *high = widen(a, 1, 16) >= widen(b, 1, 16);                                                            \
        *low = widen(a, 0, 16) >= widen(b, 0, 16);                                                             \
        return maximum(a, b);                                                                                  \
    }                                                                                                          \
    LW_BOTH unsigned int __vibmin_##suffix(unsigned int a, unsigned int b, bool *high, bool *low) {            \
        *high = widen(a, 1, 16) <= widen(b, 1, 16);                                                            \
        *low = widen(a, 0, 16) <= widen(b, 0, 16);                                                             \
        return minimum(a, b);                                                                                  \
    }

LW_THREE_PAIR(s16x2, __vmaxs2, __vmins2, LW_LANE_SIGNED)
LW_THREE_PAIR(u16x2, __vmaxu2, __vminu2, LW_LANE_UNSIGNED)

#undef LW_THREE_PAIR

#define LW_RELU_PAIR(value) __vmaxs2(value, 0)
LW_BOTH int __vimax3_s32_relu(int a, int b, int c) { return __vimax3_s32(__vimax3_s32(a, b, c), 0, 0); }
LW_BOTH int __vimin3_s32_relu(int a, int b, int c) { return __vimax3_s32(__vimin3_s32(a, b, c), 0, 0); }
LW_BOTH int __viaddmax_s32_relu(int a, int b, int c) { return __vimax3_s32(__viaddmax_s32(a, b, c), 0, 0); }
LW_BOTH int __viaddmin_s32_relu(int a, int b, int c) { return __vimax3_s32(__viaddmin_s32(a, b, c), 0, 0); }
LW_BOTH unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return LW_RELU_PAIR(__vimax3_s16x2(a, b, c));
}
LW_BOTH unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return LW_RELU_PAIR(__vimin3_s16x2(a, b, c));
}
LW_BOTH unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return LW_RELU_PAIR(__viaddmax_s16x2(a, b, c));
}
LW_BOTH unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
    return LW_RELU_PAIR(__viaddmin_s16x2(a, b, c));
}

#undef LW_RELU_PAIR
#undef LW_SIGNED_LOW
#undef LW_SIGNED_HIGH
#undef LW_UNSIGNED_HIGH
#undef LW_LANE_SUM
#undef LW_LANEWISE_ONE
#undef LW_LANEWISE
#undef LW_LANE_SIGNED
#undef LW_LANE_UNSIGNED

#endif
