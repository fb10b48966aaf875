// SPDX-License-Identifier: Apache-2.0
// case: launch_zero_good
// verdict: proved
// why: rounded up, and nothing is launched for nothing
#include <lanewise/contract.h>

LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000)
__global__ void halve(float *y LW_SHAPE(n) LW_DISJOINT, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] *= 0.5f;
}

void run(float *y, int n)
{
    if (n > 0)
        halve<<<(n + 63) / 64, 64>>>(y, n);
}
