// SPDX-License-Identifier: Apache-2.0
// Conditions and how they differ between threads; uniform.c reads the words at the ends of the lines.
#include <lanewise/contract.h>

LW_BLOCK(256) LW_REQUIRES(n >= 1, n <= 1000000000, m >= 1, m <= 1000000, m % 256 == 0)
__global__ void classes(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), int *count LW_SHAPE(16), int n, int m)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (n > 5) // class: launch
        atomicAdd(&count[0], 1);
    if (blockIdx.x == 3) // class: block
        atomicAdd(&count[1], 1);
    if (threadIdx.x / 32 == 2) // class: warp
        atomicAdd(&count[2], 1);
    if (threadIdx.x < 64) // class: warp
        atomicAdd(&count[3], 1);
    if (i % 2) // class: lane pattern
        atomicAdd(&count[4], 1);
    if (i < n) { // class: tail guard
        if (x[i] > 0) // class: data
            y[i] = 1;
    }
    if (i < m) // class: block
        atomicAdd(&count[5], 1);
    if (threadIdx.x == 0) // class: lane pattern
        atomicAdd(&count[6], 1);
    if (x[0] > 7) // class: launch
        atomicAdd(&count[7], 1);
    if (y[0] > 9) // class: data
        atomicAdd(&count[8], 1);
}
