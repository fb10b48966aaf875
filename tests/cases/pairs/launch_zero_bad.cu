// SPDX-License-Identifier: Apache-2.0
// case: launch_zero_bad
// verdict: proved
// expect: zero-launch line=21
// expect: block-not-multiple-of-32 line=9
// why: n / 96 blocks leave out the last elements, and are none at all for less than a block
#include <lanewise/contract.h>

LW_BLOCK(48, 1, 1) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1000000) __global__ void halve(float *y LW_SHAPE(n) LW_DISJOINT, int n)
{
    int i = blockIdx.x * 48 + threadIdx.x;
    if (i < n)
        y[i] *= 0.5f;
}

void run(float *y, int n)
{
    const dim3 threads(48);
    if (y == nullptr)
        return;
    halve<<<n / threads.x, threads>>>(y, n);
}
