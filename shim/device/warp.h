// SPDX-License-Identifier: Apache-2.0
//
// Warp-level primitives: shuffles, votes, match and reduce. Each is one PTX instruction for 32-bit values; 64-bit
// values travel as two halves, as nvcc sends them. The forms without a mask ended with sm_70 and are not here.

#ifndef LANEWISE_SHIM_DEVICE_WARP_H
#define LANEWISE_SHIM_DEVICE_WARP_H

#include "macros.h"

#pragma clang system_header

// ---- shuffles ----
//
// The last operand of shfl.sync holds the segment mask in bits 8 to 12 and the clamp in bits 0 to 4: the highest lane
// for idx, down and xor, the lowest for up.

#define LW_SHUFFLE(mode, lane_type, clamp)                                                                     \
    LW_DEVICE int __shfl_##mode##sync(unsigned int mask, int value, lane_type lane, int width = 32) {          \
        return LW_SHUFFLE_BUILTIN(i32)(mask, value, (int)lane, ((32 - width) << 8) | clamp);                   \
    }                                                                                                          \
    LW_DEVICE unsigned int __shfl_##mode##sync(unsigned int mask, unsigned int value, lane_type lane,          \
                                               int width = 32) {                                               \
        return (unsigned int)__shfl_##mode##sync(mask, (int)value, lane, width);                               \
    }                                                                                                          \
    LW_DEVICE float __shfl_##mode##sync(unsigned int mask, float value, lane_type lane, int width = 32) {      \
        return LW_SHUFFLE_BUILTIN(f32)(mask, value, (int)lane, ((32 - width) << 8) | clamp);                   \
    }                                                                                                          \
    LW_DEVICE long long __shfl_##mode##sync(unsigned int mask, long long value, lane_type lane,                \
                                            int width = 32) {                                                  \
        int low = __shfl_##mode##sync(mask, (int)value, lane, width);                                          \
        int high = __shfl_##mode##sync(mask, (int)(value >> 32), lane, width);                                 \
        return (long long)(((unsigned long long)(unsigned int)high << 32) | (unsigned int)low);                \
    }                                                                                                          \
    LW_DEVICE unsigned long long __shfl_##mode##sync(unsigned int mask, unsigned long long value,              \
                                                     lane_type lane, int width = 32) {                         \
        return (unsigned long long)__shfl_##mode##sync(mask, (long long)value, lane, width);                   \
    }                                                                                                          \
    LW_DEVICE long __shfl_##mode##sync(unsigned int mask, long value, lane_type lane, int width = 32) {        \
        return (long)__shfl_##mode##sync(mask, (long long)value, lane, width);                                 \
    }                                                                                                          \
    LW_DEVICE unsigned long __shfl_##mode##sync(unsigned int mask, unsigned long value, lane_type lane,        \
                                                int width = 32) {                                              \
        return (unsigned long)__shfl_##mode##sync(mask, (long long)value, lane, width);                        \
    }                                                                                                          \
    LW_DEVICE double __shfl_##mode##sync(unsigned int mask, double value, lane_type lane, int width = 32) {    \
        return lw_bits<double>(__shfl_##mode##sync(mask, lw_bits<long long>(value), lane, width));             \
    }

#define LW_SHUFFLE_BUILTIN(type) __nvvm_shfl_sync_idx_##type
LW_SHUFFLE(, int, 31)
#undef LW_SHUFFLE_BUILTIN
#define LW_SHUFFLE_BUILTIN(type) __nvvm_shfl_sync_up_##type
LW_SHUFFLE(up_, unsigned int, 0)
#undef LW_SHUFFLE_BUILTIN
#define LW_SHUFFLE_BUILTIN(type) __nvvm_shfl_sync_down_##type
LW_SHUFFLE(down_, unsigned int, 31)
#undef LW_SHUFFLE_BUILTIN
#define LW_SHUFFLE_BUILTIN(type) __nvvm_shfl_sync_bfly_##type
LW_SHUFFLE(xor_, int, 31)
#undef LW_SHUFFLE_BUILTIN
#undef LW_SHUFFLE

// ---- votes ----

LW_DEVICE int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
LW_DEVICE int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
LW_DEVICE int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
LW_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
LW_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }

// ---- match ----

#define LW_MATCH(type, carrier, builtin)                                                                       \
    LW_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) {                                   \
        return __nvvm_match_any_sync_##builtin(mask, lw_bits<carrier>(value));                                 \
    }                                                                                                          \
    LW_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int *predicate) {                   \
        return __nvvm_match_all_sync_##builtin##p(mask, lw_bits<carrier>(value), predicate);                   \
    }

LW_MATCH(int, unsigned int, i32)
LW_MATCH(unsigned int, unsigned int, i32)
LW_MATCH(float, unsigned int, i32)
LW_MATCH(long, unsigned long long, i64)
LW_MATCH(unsigned long, unsigned long long, i64)
LW_MATCH(long long, unsigned long long, i64)
LW_MATCH(unsigned long long, unsigned long long, i64)
LW_MATCH(double, unsigned long long, i64)

#undef LW_MATCH

// ---- reduce (sm_80 on) ----

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LW_REDUCE(name, type, builtin)                                                                         \
    LW_DEVICE type __reduce_##name##_sync(unsigned int mask, type value) {                                     \
        return (type)__nvvm_redux_sync_##builtin((int)value, (int)mask);                                       \
    }

LW_REDUCE(add, int, add)
LW_REDUCE(add, unsigned int, add)
LW_REDUCE(min, int, min)
LW_REDUCE(min, unsigned int, umin)
LW_REDUCE(max, int, max)
LW_REDUCE(max, unsigned int, umax)
LW_REDUCE(and, unsigned int, and)
LW_REDUCE(or, unsigned int, or)
LW_REDUCE(xor, unsigned int, xor)

#undef LW_REDUCE
#endif

// ---- lanes ----

#define LW_LANE_REGISTER(name, builtin)                                                                        \
    LW_DEVICE unsigned int name() { return __nvvm_read_ptx_sreg_##builtin(); }

LW_LANE_REGISTER(lw_lane_id, laneid)
LW_LANE_REGISTER(lw_lanes_below, lanemask_lt)

#undef LW_LANE_REGISTER

#endif
