// SPDX-License-Identifier: Apache-2.0
// Column 4 of rows with 4 elements is column 0 of the next row.
#include <lanewise/device.h>

LW_REQUIRES(rows >= 2, x.length >= rows * 4 + 4)
__global__ void last_column(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t rows)
{
    struct lw_strip_f32 column = lw_column_of_f32(x, rows, 4, 4);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_strip_get_or_f32(column, i, 0);
}
