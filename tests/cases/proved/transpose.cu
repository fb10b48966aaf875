// SPDX-License-Identifier: Apache-2.0
// case: transpose
// verdict: proved
// why: a tile turned over, rows in steps of eight
#include <lanewise/contract.h>

LW_BLOCK(32, 8) LW_DOMAIN(w, h) LW_REQUIRES(w >= 1, h >= 1, w <= 40000, h <= 40000)
__global__ void transpose(float *out LW_SHAPE(w, h), const float *in LW_SHAPE(h, w), int w, int h)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (x < w && y0 + j < h)
            tile[j][threadIdx.x] = in[(y0 + j) * w + x];
    __syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy0 = blockIdx.x * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (ox < h && oy0 + j < w)
            out[(oy0 + j) * h + ox] = tile[threadIdx.x][j];
}
