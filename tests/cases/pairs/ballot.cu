// SPDX-License-Identifier: Apache-2.0
// case: ballot
// verdict: proved
// why: the mask of a shuffle is the ballot of the condition that leads to it; half a warp shuffles under its own mask
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x <= 1000)
__global__ void leaders(int *out LW_SHAPE(64 * grid.x) LW_DISJOINT, const int *key LW_SHAPE(64 * grid.x))
{
    int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x & 31, v = key[i];
    bool hit = v > 3;
    unsigned mask = __ballot_sync(0xffffffffu, hit);
    if (hit)
        v = __shfl_sync(mask, v, __ffs(mask) - 1);
    if (lane < 16)
        v += __shfl_xor_sync(0x0000ffffu, v, 1);
    out[i] = v;
}
