// SPDX-License-Identifier: Apache-2.0
// Loops whose loads depend on what was loaded: which copies skip a load that is outside, and which keep their branch.
#include <lanewise/contract.h>

#define KERNEL extern "C" __global__

// A sum over a list of places: one load with a check, its place from a load without.
LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000, k >= 0, k <= 1000, cols >= 0)
KERNEL void sum(int n, int k, int cols, const int *at LW_SHAPE(n, k), const float *x LW_SHAPE(cols), float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
        for (int j = 0; j < k; j++)
            s = s * 0.5f + x[at[i * k + j]];
        y[i] = s;
    }
}

// Two deep: the second place comes from the first load, and has a check of its own.
LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000, k >= 0, k <= 1000, cols >= 0)
KERNEL void two_deep(int n, int k, int cols, const int *at LW_SHAPE(n, k), const int *next LW_SHAPE(cols), const float *x LW_SHAPE(cols), float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
#pragma unroll 1
        for (int j = 0; j < k; j++)
            s += x[next[at[i * k + j]]];
        y[i] = s;
    }
}

// The second place is bounded by its contract, so it has no check; what a skipped load leaves is not bounded by anything.
LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000, k >= 0, k <= 1000, cols >= 0)
KERNEL void bounded(int n, int k, int cols, const int *at LW_SHAPE(n, k), const int *next LW_SHAPE(cols) LW_VALUES(0, cols), const float *x LW_SHAPE(cols),
                    float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
#pragma unroll 1
        for (int j = 0; j < k; j++)
            s += x[next[at[i * k + j]]];
        y[i] = s;
    }
}

// The second load is proved by the first one's check.
LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000, k >= 0, k <= 1000, cols >= 0)
KERNEL void pair(int n, int k, int cols, const int *at LW_SHAPE(n, k), const float *x LW_SHAPE(cols), const float *z LW_SHAPE(cols), float *y LW_SHAPE(n))
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
        float s = 0.0f;
#pragma unroll 1
        for (int j = 0; j < k; j++)
            s += x[at[i * k + j]] * z[at[i * k + j]];
        y[i] = s;
    }
}

// A store in the loop: nothing may be done twice.
LW_BLOCK(32) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000, k >= 0, k <= 1000, cols >= 0)
KERNEL void stores(int n, int k, int cols, const int *at LW_SHAPE(n, k), const float *x LW_SHAPE(cols), float *y LW_SHAPE(n, k))
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) {
#pragma unroll 1
        for (int j = 0; j < k; j++)
            y[i * k + j] += x[at[i * k + j]];
    }
}
