// SPDX-License-Identifier: Apache-2.0
// Loops whose accesses are not proved, but grow by the same step each trip.
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(n, m + 1)
LW_REQUIRES(k >= 1, (m + 1) * k <= 4294967295, k * n <= 4294967295, (m + 1) * n <= 4294967295)
__global__ void one_row_more(unsigned m, unsigned n, unsigned k, const float *a LW_SHAPE(m, k), const float *b LW_SHAPE(k, n),
                             float *c LW_SHAPE(m + 1, n))
{
    unsigned col = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row > m || col >= n)
        return;
    float sum = 0.0f;
    for (unsigned i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

LW_BLOCK(32) LW_DOMAIN(rows)
__global__ void csr(float *y LW_SHAPE(rows), const int *start LW_SHAPE(rows + 1), const float *value LW_SHAPE(count), const int *column LW_SHAPE(count),
                    const float *x LW_SHAPE(columns), int rows, int count, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
#pragma unroll 1
    for (int i = start[row]; i < start[row + 1]; i++)
        sum += value[i] * x[column[i]];
    y[row] = sum;
}

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void backwards(long long *y LW_SHAPE(n), const int *x LW_SHAPE(n), long long n, long long first, int stride)
{
    long long sum = 0;
#pragma unroll 1
    for (long long i = first; i >= threadIdx.x; i -= stride)
        sum = sum * 3 + x[i];
    y[threadIdx.x] = sum;
}

LW_BLOCK(32) LW_DOMAIN(32)
__global__ void rotating(float *y LW_SHAPE(32), const float *x LW_SHAPE(n), int n, int lag)
{
    __shared__ float tile[32];
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i += 32) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[31 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
