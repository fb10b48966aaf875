// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0, m >= 0)
__global__ void gather(float *out LW_SHAPE(n), const float *table LW_SHAPE(m), const int *index LW_SHAPE(n), int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void fill(float *out LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}
