// SPDX-License-Identifier: Apache-2.0
// case: whole_trips
// verdict: proved
// why: each thread counts its own trips, but all make the same number because n is a multiple of the block
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(n >= 0, n <= 1000000, n % 64 == 0, grid.x == 1)
__global__ void ring(float *out LW_SHAPE(64) LW_DISJOINT, const float *in LW_SHAPE(n), int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int i = t; i < n; i += 64) {
        s[t] = in[i];
        __syncthreads();
        sum += s[(t + 1) & 63];
        __syncthreads();
    }
    out[t] = sum;
}
