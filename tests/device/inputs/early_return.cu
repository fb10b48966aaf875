// SPDX-License-Identifier: Apache-2.0
// Threads outside of the result leave before the barrier that the others wait at.
#include <lanewise/device.h>

LW_BLOCK(8, 8)
__global__ void transposed_tiles(struct lw_matrix_view_f32 m, struct lw_matrix_f32 out)
{
    __shared__ float tile[8][8];
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_f32 own = lw_own_cell_f32(out, thread);
    if (own.state != LW_INSIDE)
        return;
    tile[threadIdx.y][threadIdx.x] = lw_strip_get_or_f32(lw_row_or_none_f32(m, thread.row), thread.col, 0);
    __syncthreads();
    LW_AT(own, 0) = tile[threadIdx.x][threadIdx.y];
}
