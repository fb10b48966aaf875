// SPDX-License-Identifier: Apache-2.0
// Checks that prove what stands behind them, and checks that do not.
#include <lanewise/contract.h>

#define KERNEL extern "C" __global__

// One index, two arrays of one length.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 0)
KERNEL void twins(int n, int cols, const int *at LW_SHAPE(n), const float *x LW_SHAPE(cols), float *y LW_SHAPE(cols))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[at[i]] = x[at[i]] * 2.0f;
}

// The ends prove the middle.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 0)
KERNEL void middle(int n, int cols, const int *at LW_SHAPE(n), const float *x LW_SHAPE(cols), float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        long long k = at[i];
        float first = x[k], last = x[k + 3];
        y[i] = first * last + x[k + 1] - x[k + 2];
    }
}

// The longer array comes first: its check says nothing of the shorter one.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 0, cols <= 100000)
KERNEL void longer(int n, int cols, const int *at LW_SHAPE(n), const float *x LW_SHAPE(cols + 1), float *y LW_SHAPE(cols))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[at[i]] = x[at[i]];
}

// The first check is not on the way to the second.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 0)
KERNEL void apart(int n, int cols, const int *at LW_SHAPE(n), const float *x LW_SHAPE(cols), int *y LW_SHAPE(cols))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        int k = at[i];
        float v = 0.0f;
        if (k != 7)
            v = x[k];
        __syncwarp();
        atomicAdd(&y[k], (int)v);
    }
}

// Plain accesses without checks prove nothing of the atomic behind them.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 0) LW_UNCHECKED_INDEXING("for the test")
KERNEL void unchecked(int n, int cols, const int *at LW_SHAPE(n), const int *x LW_SHAPE(cols), int *y LW_SHAPE(cols))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        atomicAdd(&y[at[i]], x[at[i]]);
}

// An index of 64 bits may come round: 4 * k is 0 modulo 2^64 for a k that is far outside, and the larger array's check sees 0.
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 100000, cols >= 1)
KERNEL void comes_round(int n, int cols, const long long *at LW_SHAPE(n), const int *x LW_SHAPE(cols), short *y LW_SHAPE(cols))
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[at[i]] = (short)x[at[i]];
}
