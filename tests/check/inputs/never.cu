// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 10, n < 5)
__global__ void never(float *y LW_SHAPE(n), int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 0.0f;
}
