// SPDX-License-Identifier: Apache-2.0
// kernel: block_sums
// grid: 4
// block: 256
// arg sums: buf f32 len=4 io=out want=i<3?256:232
// arg x: buf f32 len=1000 io=in init=1
// arg n: u32 1000
// kernel: twice
// grid: 4
// block: 256
// arg y: buf f32 len=1000 io=out want=2*i
// arg x: buf f32 len=1000 io=in init=i
// arg n: u32 1000
// expect: none
// verdict: proved
// why: Where threads meet, the load is predicated and everybody goes on. Where they do not, an early return is as good.
#include <lanewise/device.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void block_sums(float *sums LW_SHAPE(grid.x) LW_REDUCES(sum, x), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = lw_block_sum_f32(lw_load_sum_f32(lw_make_view_f32(x, n), i));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void twice(float *y LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 2 * x[i];
}

LW_REFERENCE(twice)
void twice_reference(float *y, const float *x, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
