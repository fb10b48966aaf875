// SPDX-License-Identifier: Apache-2.0
// Sizes without a limit: the 32-bit indices wrap when the matrices are large.
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(n, m) LW_REQUIRES(k >= 1)
__global__ void gemm(unsigned m, unsigned n, unsigned k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n), float *c LW_SHAPE(m, n))
{
    unsigned column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= m || column >= n)
        return;
    float sum = 0;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}
