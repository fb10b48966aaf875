// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

// The mask lacks a lane that the warp has.
LW_DOMAIN(1)
__global__ void short_mask(int *out LW_SHAPE(block.x * block.y * block.z))
{
    unsigned rank = lw_block_rank();
    out[rank] = __shfl_sync(0xffffffffu >> (lw_warp_lacks() + 1), (int)rank, 0);
}

// The mask counts along x only.
LW_DOMAIN(1)
__global__ void one_axis(int *out LW_SHAPE(block.x * block.y * block.z))
{
    unsigned rank = lw_block_rank(), next = (threadIdx.x / 32 + 1) * 32, lacks = next <= blockDim.x ? 0 : next - blockDim.x;
    out[rank] = __shfl_sync(0xffffffffu >> lacks, (int)rank, 0);
}

// The last lane has no next one.
LW_DOMAIN(1)
__global__ void next_lane(int *out LW_SHAPE(block.x * block.y * block.z))
{
    unsigned rank = lw_block_rank();
    out[rank] = __shfl_down_sync(lw_warp_mask(), (int)rank, 1);
}

// Upwards there is always one; lanes that do not exist may be named.
LW_DOMAIN(1)
__global__ void lane_before(int *out LW_SHAPE(block.x * block.y * block.z))
{
    unsigned rank = lw_block_rank();
    out[rank] = __shfl_up_sync(0xffffffffu, (int)rank, 1);
}

// The last lane that there is.
LW_DOMAIN(1)
__global__ void last_lane(int *out LW_SHAPE(block.x * block.y * block.z))
{
    unsigned rank = lw_block_rank();
    out[rank] = lw_warp_get_i32((int)rank, lw_warp_lanes() - 1);
}
