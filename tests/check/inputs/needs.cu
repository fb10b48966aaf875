// SPDX-License-Identifier: Apache-2.0
// Each kernel lacks one requirement.
#include <lanewise/contract.h>

LW_DOMAIN(n)
__global__ void shorter(float *y LW_SHAPE(n), const float *x LW_SHAPE(m), unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000)
__global__ void divide(int *y LW_SHAPE(n), int n, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = i / d;
}

LW_REQUIRES(n >= 0)
__global__ void free_grid(float *y LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

LW_REQUIRES(n >= 0)
__global__ void grid_stride(float *y LW_SHAPE(n), int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 1;
}

__global__ void staged(float *y LW_SHAPE(grid.x))
{
    __shared__ float part[64];
    part[threadIdx.x] = (float)clock();
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = part[blockDim.x / 2];
}
