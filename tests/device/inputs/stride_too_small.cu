// SPDX-License-Identifier: Apache-2.0
// Rows of 8 elements every 6: they overlap, which is no matrix.
#include <lanewise/device.h>

LW_REQUIRES(x.length >= 64)
__global__ void first_column(struct lw_view_f32 x, struct lw_slice_f32 out)
{
    struct lw_matrix_view_f32 m = lw_matrix_view_of_f32(x, 8, 8, 6);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_strip_get_or_f32(lw_column_f32(m, 0), i, 0);
}
