// SPDX-License-Identifier: Apache-2.0
// case: warp_tail
// verdict: proved
// why: the last warp goes on alone, its lanes ordered by __syncwarp; no other warp touches the array any more
#include <lanewise/contract.h>

LW_BLOCK(128) LW_REQUIRES(grid.x <= 1000)
__global__ void total(float *out LW_SHAPE(grid.x) LW_DISJOINT, const float *in LW_SHAPE(128 * grid.x))
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) {
#pragma unroll
        for (int d = 32; d > 0; d >>= 1) {
            float other = s[t + d];
            __syncwarp();
            s[t] += other;
            __syncwarp();
        }
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
