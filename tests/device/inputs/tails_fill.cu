// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void peak(float *out LW_SHAPE(grid.x) LW_REDUCES(max, x), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * 128 + threadIdx.x;
    float greatest = lw_block_max_f32(i < n ? x[i] : 0.0f);
    if (threadIdx.x == 0)
        out[blockIdx.x] = greatest;
}

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void mixed_up(int *out LW_SHAPE(grid.x) LW_REDUCES(product, x), const int *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * 128 + threadIdx.x;
    int all = lw_block_product_i32(lw_load_sum_i32(lw_make_view_i32(x, n), i));
    if (threadIdx.x == 0)
        out[blockIdx.x] = all;
}
