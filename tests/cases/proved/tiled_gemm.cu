// SPDX-License-Identifier: Apache-2.0
// case: tiled_gemm
// verdict: proved
// why: tiles in shared memory, edges filled with zeros
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(n, n) LW_REQUIRES(n >= 1, n <= 40000)
__global__ void tiled(const float *a LW_SHAPE(n, n), const float *b LW_SHAPE(n, n), float *c LW_SHAPE(n, n), int n)
{
    __shared__ float as[16][16], bs[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (n + 15) / 16; t++) {
        int ac = t * 16 + threadIdx.x, br = t * 16 + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < n && ac < n ? a[row * n + ac] : 0.0f;
        bs[threadIdx.y][threadIdx.x] = br < n && col < n ? b[br * n + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
