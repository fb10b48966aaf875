// SPDX-License-Identifier: Apache-2.0
// case: row_by_choice
// verdict: proved
// why: the row below hides in a choice; the column stays
#include <lanewise/contract.h>
LW_BLOCK(64, 4) LW_REQUIRES(w >= 1, h >= 1, grid.x == w / 64, grid.y == h / 4, w * h <= 1073741824)
__global__ void below(const float *in LW_SHAPE(h, w), float *out LW_SHAPE(h, w), int w, int h)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x, j = blockDim.y * blockIdx.y + threadIdx.y;
    int c = i + j * w, south = j == h - 1 ? c : c + w;
    out[c] = in[c] + in[south];
}
