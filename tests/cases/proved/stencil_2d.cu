// SPDX-License-Identifier: Apache-2.0
// case: stencil_2d
// verdict: proved
// why: the inside of a plane, its four neighbours
#include <lanewise/contract.h>

LW_BLOCK(32, 8) LW_DOMAIN(w, h) LW_REQUIRES(w >= 1, h >= 1, w <= 40000, h <= 40000)
__global__ void stencil2d(float *out LW_SHAPE(h, w), const float *in LW_SHAPE(h, w), int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
        out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
