// SPDX-License-Identifier: Apache-2.0
// case: row_margin
// verdict: proved
// why: a row and a column of margin: the constant holds a row
#include <lanewise/contract.h>
LW_BLOCK(16, 16) LW_REQUIRES(n == 16, grid.x == 1, grid.y >= 1)
__global__ void margin(float *w LW_SHAPE(grid.y * 16 + 1, n + 1), int n)
{
    w[(n + 1) * 16 * blockIdx.y + (n + 1) * threadIdx.y + threadIdx.x + 1 + (n + 1)] = 1;
}
