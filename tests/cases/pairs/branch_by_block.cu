// SPDX-License-Identifier: Apache-2.0
// case: branch_by_block
// verdict: proved
// why: what decides about a barrier is the same in the block: its number, an element that only the block's number picks, a trip of a loop
#include <lanewise/contract.h>

LW_BLOCK(96) LW_REQUIRES(grid.x <= 1000)
__global__ void chosen(int *out LW_SHAPE(96 * grid.x) LW_DISJOINT, const int *what LW_SHAPE(grid.x), const int *in LW_SHAPE(96 * grid.x))
{
    __shared__ int s[96];
    int t = threadIdx.x, i = blockIdx.x * 96 + t, v = in[i];
#pragma unroll 1
    for (int k = 0; k < 4; k++)
        if (what[blockIdx.x] > k) {
            s[t] = v;
            __syncthreads();
            v += s[95 - t];
            __syncthreads();
        }
    out[i] = v;
}
