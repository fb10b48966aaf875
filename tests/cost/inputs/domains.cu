// SPDX-License-Identifier: Apache-2.0
// Domains of two and three axes.
#include <lanewise/contract.h>

LW_BLOCK(16, 16) LW_DOMAIN(w, h)
__global__ void fill2(float *x LW_SHAPE(h, w), unsigned w, unsigned h)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < w && r < h)
        x[r * w + c] = 1.0f;
}

LW_BLOCK(8, 8, 4) LW_DOMAIN(w, h, d)
__global__ void fill3(float *x LW_SHAPE(d, h, w), unsigned w, unsigned h, unsigned d)
{
    unsigned c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned p = blockIdx.z * blockDim.z + threadIdx.z;
    if (c < w && r < h && p < d)
        x[(p * h + r) * w + c] = 1.0f;
}
