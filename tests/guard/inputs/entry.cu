// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>
LW_BLOCK_MULTIPLE(32) LW_BLOCK_MAX(256) LW_DOMAIN(n, m) LW_REQUIRES(n >= 1, m * 4 <= n + 1000, n % 2 == 0) LW_SHARED_BYTES(block.x * 4)
__global__ void twice(float *y LW_SHAPE(m, n), long long n, int m)
{
    extern __shared__ float t[];
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    t[threadIdx.x] = i;
    if (i < n && j < m) y[j * n + i] = 2;
}
