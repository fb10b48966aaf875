// SPDX-License-Identifier: Apache-2.0
// kernel: peaks
// grid: 2
// block: 128
// arg out: buf f32 len=2 io=out
// arg x: buf f32 len=200 io=in init=-1-i
// arg n: u32 200
// expect: wrong-identity line=17
// verdict: proved
// why: A thread without an element brings 0, and 0 is larger than every negative number.
#include <lanewise/device.h>

LW_BLOCK(128) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void peaks(float *out LW_SHAPE(grid.x) LW_REDUCES(max, x), const float *x LW_SHAPE(n), unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float peak = lw_block_max_f32(i < n ? x[i] : 0.0f);
    if (threadIdx.x == 0)
        out[blockIdx.x] = peak;
}
