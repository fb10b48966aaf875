/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions and scans over the threads of a warp and of a block, whatever its size and shape: 1-D, 2-D, 3-D, the last warp partial.
 *
 *     lw_warp_sum_f32(v)               of all lanes that the warp has; every lane gets it
 *     lw_warp_scan_sum_f32(v)          of the lanes up to this one, this one included
 *     lw_warp_scan_before_sum_f32(v)   of the lanes before this one; the first gets the identity
 *     lw_block_sum_f32(v), lw_block_scan_sum_f32(v), lw_block_scan_before_sum_f32(v)      the same of all threads of the block
 *
 * with sum product min max, of integers also and or xor, for all types of LW_ELEMENTS.  Threads count x fastest (lw_block_rank).
 *
 * Obligation: every thread of the warp, or of the block, comes.  A thread without an element brings the identity: lw_load_sum_f32(x, i)
 * (tail.h), and no thread returns before.  `lanewise check` shows where that is broken: LW203 in a warp, LW201 in a block.
 * Other types: LW_DEVICE_SHUFFLE(name, type, type that __shfl_sync takes), then LW_DEVICE_OPERATOR (tail.h) and LW_DEVICE_REDUCE for
 * each operator.  Floats are combined in an order that depends on the block alone, so the bits are the same in each run.
 */
#ifndef LANEWISE_DEVICE_REDUCE_H
#define LANEWISE_DEVICE_REDUCE_H

#include <lanewise/device/tail.h>

/* Number of this thread in its block, x fastest, as the hardware fills warps. */
LW_DEVICE_FUNCTION unsigned lw_block_rank(void)
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

LW_DEVICE_FUNCTION unsigned lw_block_threads(void)
{
    return blockDim.x * blockDim.y * blockDim.z;
}

LW_DEVICE_FUNCTION unsigned lw_block_warps(void)
{
    return (lw_block_threads() + 31) / 32;
}

LW_DEVICE_FUNCTION unsigned lw_lane(void)
{
    return lw_block_rank() & 31;
}

/* Lanes that this warp lacks: the last warp of a block may be partial. */
LW_DEVICE_FUNCTION unsigned lw_warp_lacks(void)
{
    unsigned next_warp = (lw_block_rank() / 32 + 1) * 32, threads = lw_block_threads();
    return next_warp <= threads ? 0 : next_warp - threads;
}

LW_DEVICE_FUNCTION unsigned lw_warp_lanes(void)
{
    return 32 - lw_warp_lacks();
}

/* The lanes that this warp has, as the mask of warp operations.  Lanes that are elsewhere just now are in it: all must come. */
LW_DEVICE_FUNCTION unsigned lw_warp_mask(void)
{
    return 0xffffffffu >> lw_warp_lacks();
}

/* ---- the value of another lane -------------------------------------------------------------------------------------------- */

#define LW_DEVICE_SHUFFLE(name, type, shuffled)                                   \
    /* Obligation: all lanes of the warp come, and lane `from` is one of them. */ \
    LW_DEVICE_FUNCTION type lw_warp_get_##name(type value, unsigned from)         \
    {                                                                             \
        return (type)__shfl_sync(lw_warp_mask(), (shuffled)value, (int)from);     \
    }

LW_DEVICE_SHUFFLE(i8, int8_t, int)
LW_DEVICE_SHUFFLE(i16, int16_t, int)
LW_DEVICE_SHUFFLE(i32, int32_t, int)
LW_DEVICE_SHUFFLE(i64, int64_t, long long)
LW_DEVICE_SHUFFLE(u8, uint8_t, unsigned)
LW_DEVICE_SHUFFLE(u16, uint16_t, unsigned)
LW_DEVICE_SHUFFLE(u32, uint32_t, unsigned)
LW_DEVICE_SHUFFLE(u64, uint64_t, unsigned long long)
LW_DEVICE_SHUFFLE(f32, float, float)
LW_DEVICE_SHUFFLE(f64, double, double)

/* ---- warps ------------------------------------------------------------------------------------------------------------------ */

/* Lanes past the end are not read: a lane whose partner is missing reads itself, and keeps what it has. */
#define LW_DEVICE_WARP_(operator, name, type)                                                              \
    LW_DEVICE_FUNCTION type lw_warp_##operator##_##name(type value)                                        \
    {                                                                                                      \
        unsigned lane = lw_lane(), lanes = lw_warp_lanes();                                                \
        _Pragma("unroll") for (unsigned step = 16; step > 0; step /= 2)                                    \
        {                                                                                                  \
            bool has_partner = lane + step < lanes;                                                        \
            type other = lw_warp_get_##name(value, has_partner ? lane + step : lane);                      \
            value = has_partner ? lw_##operator##_##name(value, other) : value;                            \
        }                                                                                                  \
        return lw_warp_get_##name(value, 0);                                                               \
    }                                                                                                      \
    LW_DEVICE_FUNCTION type lw_warp_scan_##operator##_##name(type value)                                   \
    {                                                                                                      \
        unsigned lane = lw_lane();                                                                         \
        _Pragma("unroll") for (unsigned step = 1; step < 32; step *= 2)                                    \
        {                                                                                                  \
            bool has_partner = lane >= step;                                                               \
            type other = lw_warp_get_##name(value, has_partner ? lane - step : lane);                      \
            value = has_partner ? lw_##operator##_##name(other, value) : value;                            \
        }                                                                                                  \
        return value;                                                                                      \
    }                                                                                                      \
    LW_DEVICE_FUNCTION type lw_warp_scan_before_##operator##_##name(type value)                            \
    {                                                                                                      \
        unsigned lane = lw_lane();                                                                         \
        type other = lw_warp_get_##name(lw_warp_scan_##operator##_##name(value), lane > 0 ? lane - 1 : 0); \
        return lane > 0 ? other : lw_identity_##operator##_##name();                                       \
    }

/* ---- blocks ----------------------------------------------------------------------------------------------------------------- */

/* One number a warp in shared memory; each thread combines them in order, so all get the same bits.  The second barrier lets the next
 * call use the memory again. */
#define LW_DEVICE_BLOCK_(operator, name, type)                                                          \
    LW_DEVICE_FUNCTION type lw_block_##operator##_##name(type value)                                    \
    {                                                                                                   \
        __shared__ type partial[32];                                                                    \
        unsigned rank = lw_block_rank(), warps = lw_block_warps();                                      \
        value = lw_warp_##operator##_##name(value);                                                     \
        if (rank % 32 == 0)                                                                             \
            partial[rank / 32] = value;                                                                 \
        __syncthreads();                                                                                \
        value = partial[0];                                                                             \
        for (unsigned warp = 1; warp < warps; warp++)                                                   \
            value = lw_##operator##_##name(value, partial[warp]);                                       \
        __syncthreads();                                                                                \
        return value;                                                                                   \
    }                                                                                                   \
    /* Of the warps before this one, of which `value` is the scan; the first warp gets the identity. */ \
    LW_DEVICE_FUNCTION type lw_block_before_##operator##_##name(type value)                             \
    {                                                                                                   \
        __shared__ type partial[32];                                                                    \
        unsigned rank = lw_block_rank(), own_warp = rank / 32;                                          \
        if (rank % 32 == lw_warp_lanes() - 1)                                                           \
            partial[own_warp] = value;                                                                  \
        __syncthreads();                                                                                \
        value = partial[0];                                                                             \
        for (unsigned warp = 1; warp < own_warp; warp++)                                                \
            value = lw_##operator##_##name(value, partial[warp]);                                       \
        __syncthreads();                                                                                \
        return own_warp > 0 ? value : lw_identity_##operator##_##name();                                \
    }                                                                                                   \
    LW_DEVICE_FUNCTION type lw_block_scan_##operator##_##name(type value)                               \
    {                                                                                                   \
        type own = lw_warp_scan_##operator##_##name(value);                                             \
        type before = lw_block_before_##operator##_##name(own);                                         \
        return lw_block_rank() >= 32 ? lw_##operator##_##name(before, own) : own;                       \
    }                                                                                                   \
    LW_DEVICE_FUNCTION type lw_block_scan_before_##operator##_##name(type value)                        \
    {                                                                                                   \
        unsigned rank = lw_block_rank();                                                                \
        type own = lw_warp_scan_##operator##_##name(value);                                             \
        type before = lw_block_before_##operator##_##name(own);                                         \
        own = lw_warp_get_##name(own, rank % 32 > 0 ? rank % 32 - 1 : 0);                               \
        if (rank % 32 == 0)                                                                             \
            return before;                                                                              \
        return rank >= 32 ? lw_##operator##_##name(before, own) : own;                                  \
    }

#define LW_DEVICE_REDUCE(operator, name, type) LW_DEVICE_WARP_(operator, name, type) LW_DEVICE_BLOCK_(operator, name, type)

#define LW_DEVICE_REDUCE_FLOAT_(name, type, ...) \
    LW_DEVICE_REDUCE(sum, name, type)            \
    LW_DEVICE_REDUCE(product, name, type)        \
    LW_DEVICE_REDUCE(min, name, type)            \
    LW_DEVICE_REDUCE(max, name, type)

#define LW_DEVICE_REDUCE_INTEGER_(name, type, ...) \
    LW_DEVICE_REDUCE_FLOAT_(name, type)            \
    LW_DEVICE_REDUCE(and, name, type)              \
    LW_DEVICE_REDUCE(or, name, type)               \
    LW_DEVICE_REDUCE(xor, name, type)

LW_TAIL_INTEGERS(LW_DEVICE_REDUCE_INTEGER_)
LW_TAIL_FLOATS(LW_DEVICE_REDUCE_FLOAT_)

#endif
