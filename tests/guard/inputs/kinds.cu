// SPDX-License-Identifier: Apache-2.0
// One kernel for each kind of run-time check: what breaks it is data, or a number that the contract does not bound.
#include <lanewise/contract.h>

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void gather(float *y LW_SHAPE(n), const float *x LW_SHAPE(m), const int *index LW_SHAPE(n), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[index[i]];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void scatter_shared(float *y LW_SHAPE(n), const int *index LW_SHAPE(n), int n)
{
    __shared__ float tile[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = 1;
    __syncthreads();
    if (i < n)
        y[i] = tile[index[i]];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void dynamic_shared(float *y LW_SHAPE(n), const int *index LW_SHAPE(n), int n)
{
    extern __shared__ float buffer[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    buffer[threadIdx.x] = 2;
    __syncthreads();
    if (i < n)
        y[i] = buffer[index[i]];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void local_table(int *y LW_SHAPE(n), const int *index LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int table[8];
    for (int k = 0; k < 8; k++)
        table[k] = i ^ k;
    if (i < n)
        y[i] = table[index[i]];
}

__constant__ int weights[16];

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void constant_table(int *y LW_SHAPE(n), const int *index LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = weights[index[i]];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void wide(float *y LW_SHAPE(n), const float *x LW_SHAPE(n + 4 * s), int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || s < 0 || 4 * i + s + 3 >= n)
        return;
    float4 v = *(const float4 *)(x + 4 * i + s);
    y[i] = v.x + v.y + v.z + v.w;
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void quotient(int *y LW_SHAPE(n), const int *x LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 1000 / x[i];
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void row_sum(float *y LW_SHAPE(n), const float *a LW_SHAPE(4294967296), unsigned n, unsigned k)
{
    unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (r >= n)
        return;
    for (unsigned i = 0; i < 3; i++)
        sum += a[r * k + i];
    y[r] = sum;
}

LW_BLOCK(32) LW_DOMAIN(n)
__global__ void count(int *bins LW_SHAPE(m), const int *key LW_SHAPE(n), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[key[i]], 1);
}
