// SPDX-License-Identifier: Apache-2.0
//
// Reductions and scans of a warp: every warp of any block, the last one partial.  Each type shuffles in its own way, each operator once.
#include <lanewise/device.h>

// The block is one warp, or a part of one: odd blocks of several are in tails_shapes.sh.
#define WARP_OF(operator, name, type)                                                                                            \
    LW_DOMAIN(n) LW_BLOCK_MAX(32) LW_REQUIRES(block.y == 1, block.z == 1, n <= 2147483647)                                        \
    __global__ void warp_##operator##_##name(type *out LW_SHAPE(grid.x) LW_REDUCES(operator, x) LW_DISJOINT,                     \
                                             const type *x LW_SHAPE(n), unsigned n)                                              \
    {                                                                                                                            \
        uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;                                                            \
        type all = lw_warp_##operator##_##name(lw_load_##operator##_##name(lw_make_view_##name(x, n), i));                       \
        if (threadIdx.x == blockDim.x - 1)                                                                                       \
            out[blockIdx.x] = all;                                                                                               \
    }

WARP_OF(sum, i8, int8_t)
WARP_OF(sum, f64, double)
WARP_OF(product, u16, uint16_t)
WARP_OF(min, i64, int64_t)
WARP_OF(max, f32, float)
WARP_OF(and, u8, uint8_t)
WARP_OF(or, i16, int16_t)
WARP_OF(xor, u64, uint64_t)

// Several warps, each thread with what its own warp makes of the thread numbers: lanes below, up to and in all of the warp.
LW_DOMAIN(1)
__global__ void warp_parts(uint32_t *below LW_SHAPE(block.x * block.y * block.z) LW_DISJOINT LW_WRITES_ALL,
                           uint32_t *upto LW_SHAPE(block.x * block.y * block.z) LW_DISJOINT LW_WRITES_ALL,
                           uint32_t *all LW_SHAPE(block.x * block.y * block.z) LW_DISJOINT LW_WRITES_ALL)
{
    unsigned rank = lw_block_rank();
    below[rank] = lw_warp_scan_before_sum_u32(rank);
    upto[rank] = lw_warp_scan_sum_u32(rank);
    all[rank] = lw_warp_sum_u32(rank);
}
