// SPDX-License-Identifier: Apache-2.0
// A device function that several kernels share, not inlined and inlined: checks, and leaving them out, belong to one kernel.
#include <lanewise/contract.h>

__device__ __noinline__ float element(const float *x, const int *index, int i)
{
    return x[index[i]];
}

__device__ __noinline__ float two(const float *x, const int *index, int i)
{
    return element(x, index, i) + element(x, index, i ^ 1);
}

__device__ __forceinline__ float inlined(const float *x, const int *index, int i)
{
    return x[index[i]];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void checked(float *y LW_SHAPE(n), const float *x LW_SHAPE(m), const int *index LW_SHAPE(n), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = element(x, index, i) + inlined(x, index, i);
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void deep(float *y LW_SHAPE(n), const float *x LW_SHAPE(2 * m), const int *index LW_SHAPE(n + 1), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = two(x, index, i);
}

LW_BLOCK(32) LW_DOMAIN(n) LW_UNCHECKED_INDEXING("indices were validated on the host")
__global__ void unchecked(float *y LW_SHAPE(n), const float *x LW_SHAPE(m), const int *index LW_SHAPE(n), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = element(x, index, i) + inlined(x, index, i) + (float)(n / (m - 3));
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void proved(float *y LW_SHAPE(n), const float *x LW_SHAPE(m), const int *index LW_SHAPE(n) LW_VALUES(0, m), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = element(x, index, i) + inlined(x, index, i);
}
