// SPDX-License-Identifier: Apache-2.0
// case: blur
// verdict: proved
// why: the contract bounds the product that is an index; --split takes the test for the tail out of the blocks that do not need it
#include <lanewise/contract.h>

LW_BLOCK(32, 8) LW_DOMAIN(w, h)
LW_REQUIRES(w >= 1, h >= 1, w * h <= 1073741824)
__global__ void blur(int w, int h, const float *in LW_SHAPE(h, w), float *out LW_SHAPE(h, w) LW_DISJOINT LW_WRITES_ALL)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int left = x > 0 ? x - 1 : x, right = x < w - 1 ? x + 1 : x;
    out[y * w + x] = 0.25f * in[y * w + left] + 0.5f * in[y * w + x] + 0.25f * in[y * w + right];
}
