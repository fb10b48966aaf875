// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void early(float *out LW_SHAPE(grid.x) LW_REDUCES(sum, x), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    float sum = lw_block_sum_f32(x[i]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void in_branch(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = lw_warp_max_f32(x[i]);
}
