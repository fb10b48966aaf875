// SPDX-License-Identifier: Apache-2.0
// kernel: block_sums
// grid: 4
// block: 256
// arg sums: buf f32 len=4 io=out
// arg x: buf f32 len=1000 io=in init=1
// arg n: u32 1000
// expect: barrier-divergence line=20
// also-accept: shuffle-inactive
// verdict: violated
// why: The threads past the end leave before the reduction in which the others wait for them. With n = 1024 nothing is wrong.
#include <lanewise/device.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void block_sums(float *sums LW_SHAPE(grid.x) LW_REDUCES(sum, x), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = lw_block_sum_f32(x[i]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
