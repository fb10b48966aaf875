// SPDX-License-Identifier: Apache-2.0
// case: same_cell_in_all_blocks
// verdict: violated
// expect: global-race line=14
// why: every block writes the same cells: a barrier of one block orders nothing with another
#include <lanewise/contract.h>

LW_BLOCK(64) LW_REQUIRES(grid.x >= 2, grid.x <= 1000)
__global__ void sum(float *out LW_SHAPE(64), const float *in LW_SHAPE(64 * grid.x))
{
    int t = threadIdx.x;
    __syncthreads();
    float v = in[blockIdx.x * 64 + t];
    out[t] = v + blockIdx.x;
}
