// SPDX-License-Identifier: Apache-2.0
// Right only for whole blocks.
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000)
__global__ void whole_blocks(float *y LW_SHAPE(n), int n)
{
    y[blockIdx.x * 256 + threadIdx.x] = (float)n;
}
