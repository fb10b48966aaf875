// SPDX-License-Identifier: Apache-2.0
// Row 1 has another width than row 0: places (1,0) and (0,5) are both element 5.
#include <lanewise/device.h>

LW_BLOCK(2, 8) LW_REQUIRES(out.length == 200, grid.x == 1, grid.y == 1)
__global__ void rows_by_x(struct lw_slice_f32 out)
{
    struct lw_thread2 place = {threadIdx.x, threadIdx.y, true};
    uint32_t width = place.row == 1 ? 5 : 100;
    struct lw_own_f32 own = lw_own_cell_f32(lw_matrix_of_f32(out, 2, width, width), place);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = place.row;
}
