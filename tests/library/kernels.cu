// SPDX-License-Identifier: Apache-2.0
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(n, m)
LW_REQUIRES(k >= 1, m * k <= 4294967295, k * n <= 4294967295, m * n <= 4294967295)
__global__ void sgemm(unsigned m, unsigned n, unsigned k, float alpha, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n),
                      float beta, float *c LW_SHAPE(m, n) LW_DISJOINT)
{
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = alpha * sum + beta * c[row * n + col];
}

LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void gather(float *y LW_SHAPE(n) LW_DISJOINT, const float *x LW_SHAPE(k), const int *index LW_SHAPE(n), int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[index[i]]; /* checked: nothing is said of what index holds */
}

LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, k >= 0)
__global__ void gather_known(float *y LW_SHAPE(n) LW_DISJOINT, const float *x LW_SHAPE(k), const int *index LW_SHAPE(n) LW_VALUES(0, k),
                             int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[index[i]];
}

LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0)
__global__ void scale(float *y LW_SHAPE(n) LW_DISJOINT LW_MAY_ALIAS(x), const float *x LW_SHAPE(n), float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i];
}

/* Its tail is wrong on purpose: the last block writes past the array. */
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 0, n <= 1000000)
__global__ void past_the_end(float *y LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 1.0f;
}

__global__ void plain(float4 *v LW_SHAPE(n), int n)
{
    extern __shared__ float scratch[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    scratch[threadIdx.x] = 1.0f;
    if (i < n)
        v[i].x = scratch[threadIdx.x];
}
