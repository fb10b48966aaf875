// SPDX-License-Identifier: Apache-2.0
// A flat view is no matrix, a matrix no slice, a 1-D place no 2-D one, what is read is not written, floats are no doubles.
#include <lanewise/device.h>

__global__ void ranks(struct lw_view_f32 x, struct lw_matrix_f32 m, struct lw_strip_f32 row, struct lw_slice_f64 out)
{
    LW_AT(out, 0) = lw_row_f32(x, 0).length;
    LW_AT(out, 1) = LW_AT(m, 0);
    LW_AT(out, 2) = lw_own_cell_f32(m, lw_thread_1d()).length;
    LW_AT(x, 0) = 1;
    LW_AT(out, 3) = lw_first_f64(lw_zip_f32(row, row), 0);
}
