// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
LW_BLOCK(256) LW_DOMAIN(n)
__global__ void scale(float *x LW_SHAPE(n), float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= f;
}
LW_BLOCK(256) LW_DOMAIN(n)
__global__ void hist(int *h LW_SHAPE(64), const int *x LW_SHAPE(n) LW_VALUES(0, 64), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) h[x[i]]++;
}
LW_BLOCK(256) LW_DOMAIN(n)
__global__ void shift(float *x LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) x[i] = x[i + 1];
}
