// SPDX-License-Identifier: Apache-2.0
// The launch says how many rows there are, and nothing says that the array has them.
#include <lanewise/device.h>

__global__ void row_of(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t rows, uint32_t cols)
{
    struct lw_matrix_view_f32 m = lw_matrix_view_of_f32(x, rows, cols, cols);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_strip_get_or_f32(lw_row_or_none_f32(m, i), 0, 0);
}
