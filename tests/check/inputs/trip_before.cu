// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
// `h` is of the trip before: 10*k where the guard speaks of 9*k.
LW_BLOCK(32) LW_REQUIRES(k >= 0, k <= 238609294, n <= 100, grid.x == 1)
extern "C" __global__ void before(const float *a LW_SHAPE(2147483646), float *out LW_SHAPE(1), int n, int k)
{
    long long h = 0;
    float s = 0;
    #pragma unroll 1
    for (int i = n - 1; i >= 0; i--) {
        if (i < 10) s += a[h];
        h = (long long)(i * k);
    }
    if (threadIdx.x == 0) out[0] = s;
}
// Each way to the common load has a number of its own, which fits on that way alone.
LW_BLOCK(256) LW_REQUIRES(grid.x <= 1000)
extern "C" __global__ void two_groups(int *out LW_SHAPE(256 * grid.x))
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 128) {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[blockIdx.x * 256 + t] = s[127 - t];
    } else {
        asm volatile("bar.sync 2, 128;" ::: "memory");
        out[blockIdx.x * 256 + t] = s[383 - t];
    }
}
