// SPDX-License-Identifier: Apache-2.0
// case: device_matrices
// verdict: proved
// why: rows, columns, planes and pairs of them: one check a strip, none in a loop
#include <lanewise/device.h>

__global__ void row_sums(struct lw_matrix_view_f32 m, struct lw_slice_f32 out)
{
    LW_EACH_OWN (i, out) {
        struct lw_strip_f32 row = lw_row_or_none_f32(m, i);
        float sum = 0;
        LW_EACH (k, row)
            sum += lw_strip_at_f32(row, k);
        LW_AT(out, i) = sum;
    }
}

LW_REQUIRES(m.cols == out.length)
__global__ void column_sums(struct lw_matrix_view_i32 m, struct lw_slice_i32 out)
{
    LW_EACH_OWN (i, out) {
        struct lw_strip_i32 column = lw_column_i32(m, i);
        int32_t sum = 0;
        LW_EACH (k, column)
            sum += lw_strip_at_i32(column, k);
        LW_AT(out, i) = sum;
    }
}

/* The last row need not be whole. */
LW_REQUIRES(stride >= 3, rows >= 1, (rows - 1) * stride + 3 <= x.length)
__global__ void column_of_flat(struct lw_view_f64 x, struct lw_slice_f64 out, uint32_t rows, uint32_t stride)
{
    struct lw_strip_f64 column = lw_column_of_f64(x, rows, stride, 2);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_strip_get_or_f64(column, i, 0.0);
}

LW_REQUIRES(cols <= stride, rows >= 1, (rows - 1) * stride + cols <= x.length)
__global__ void matrix_of_flat(struct lw_view_u16 x, struct lw_slice_u16 out, uint32_t rows, uint32_t cols, uint32_t stride)
{
    struct lw_matrix_view_u16 m = lw_matrix_view_of_u16(x, rows, cols, stride);
    LW_EACH_OWN (i, out) {
        struct lw_strip_u16 row = lw_row_or_none_u16(m, i);
        LW_AT(out, i) = lw_strip_get_or_u16(row, 1, 0);
    }
}

__global__ void rows_with_rows(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_slice_f32 out)
{
    LW_EACH_OWN (i, out) {
        struct lw_pair_f32 pair = lw_zip_f32(lw_row_or_none_f32(a, i), lw_row_or_none_f32(b, i));
        float sum = 0;
        LW_EACH (k, pair)
            sum += lw_first_f32(pair, k) * lw_second_f32(pair, k);
        LW_AT(out, i) = sum;
    }
}

__global__ void columns_with_columns(struct lw_matrix_view_f64 a, struct lw_matrix_view_f64 b, struct lw_slice_f64 out)
{
    LW_EACH_OWN (i, out) {
        struct lw_pair_f64 pair = lw_zip_f64(lw_column_or_none_f64(a, i), lw_column_or_none_f64(b, i));
        double sum = 0;
        LW_EACH (k, pair)
            sum += lw_first_f64(pair, k) * lw_second_f64(pair, k);
        LW_AT(out, i) = sum;
    }
}

__global__ void product(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_matrix_f32 c)
{
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_f32 own = lw_own_cell_f32(c, thread);
    if (own.state != LW_INSIDE)
        return;
    struct lw_pair_f32 pair = lw_zip_f32(lw_row_or_none_f32(a, thread.row), lw_column_or_none_f32(b, thread.col));
    float sum = 0;
    LW_EACH (k, pair)
        sum += lw_first_f32(pair, k) * lw_second_f32(pair, k);
    LW_AT(own, 0) = sum;
}

/* Every thread comes to the barriers: outside of the matrix it has the empty strip. */
LW_BLOCK(8, 8)
__global__ void with_barriers(struct lw_matrix_view_f32 m, struct lw_matrix_f32 out)
{
    __shared__ float tile[8][8];
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_f32 own = lw_own_cell_f32(out, thread);
    tile[threadIdx.y][threadIdx.x] = lw_strip_get_or_f32(lw_row_or_none_f32(m, thread.row), thread.col, 0);
    __syncthreads();
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = tile[7 - threadIdx.y][7 - threadIdx.x];
}

LW_DOMAIN(to.cols, to.rows) LW_REQUIRES(from.rows == to.rows, from.cols == to.cols)
__global__ void cells(struct lw_matrix_view_i64 from, struct lw_matrix_i64 to)
{
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_i64 own = lw_own_cell_i64(to, thread);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = LW_CELL(from, thread.row, thread.col);
}

__global__ void planes(struct lw_volume_view_f32 v, struct lw_slice_f32 out)
{
    LW_EACH_OWN (i, out) {
        float sum = 0;
#pragma unroll 1
        for (uint32_t p = 0; p < v.planes; p++) {
            struct lw_strip_f32 row = lw_row_or_none_f32(lw_plane_f32(v, p), i);
            LW_EACH (k, row)
                sum += lw_strip_at_f32(row, k);
        }
        LW_AT(out, i) = sum;
    }
}
