// SPDX-License-Identifier: Apache-2.0
// case: column_from_the_end
// verdict: proved
// why: the column n - 1 - layer of a row, written as one row more and a negative column
#include <lanewise/contract.h>
LW_BLOCK(256) LW_DOMAIN(n / 2) LW_REQUIRES(n >= 2, n <= 32768)
__global__ void ring(float *m LW_SHAPE(n, n), int n)
{
    int layer = blockIdx.x * blockDim.x + threadIdx.x;
    if (layer < n / 2) {
        int last = n - 1 - layer;
#pragma unroll 1
        for (int i = layer; i < last; i++)
            m[i * n + last] += 1;
    }
}
