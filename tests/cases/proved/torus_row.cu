// SPDX-License-Identifier: Apache-2.0
// case: torus_row
// verdict: proved
// why: neighbours on a torus: remainders folded into the index
#include <lanewise/contract.h>
LW_BLOCK(256) LW_REQUIRES(w >= 1, h >= 1, w * h <= 1073741824, grid.x * 256 <= w * h)
__global__ void torus_row(float *out LW_SHAPE(h, w), const float *in LW_SHAPE(h, w), int w, int h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
    out[y * w + x] = in[(y + 1) % h * w + x];
}
