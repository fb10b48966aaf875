// SPDX-License-Identifier: Apache-2.0
// case: sgemm
// verdict: proved
// why: the contract bounds each product that is an index; what it says is checked by the launcher
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(n, m)
LW_REQUIRES(k >= 1, m * k <= 4294967295, k * n <= 4294967295, m * n <= 4294967295)
__global__ void sgemm(unsigned m, unsigned n, unsigned k, float alpha, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n),
                      float beta, float *c LW_SHAPE(m, n) LW_DISJOINT)
{
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * sum + beta * c[row * n + col];
}
