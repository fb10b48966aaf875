// SPDX-License-Identifier: Apache-2.0
// case: device_writing
// verdict: proved
// why: what a thread writes is made from its own place in the launch, so no two threads have one element
#include <lanewise/device.h>

__global__ void one_a_thread(struct lw_slice_f32 out)
{
    struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 1);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

__global__ void four_a_thread(struct lw_slice_f32 out)
{
    struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 4);
    if (own.state == LW_INSIDE)
        for (uint32_t k = 0; k < 4; k++)
            LW_AT(own, k) = 1;
    else
        LW_EACH (k, own)
            LW_AT(own, k) = 2;
}

__global__ void some_a_thread(struct lw_slice_u32 out, uint32_t elements)
{
    struct lw_own_u32 own = lw_own_u32(out, lw_thread_1d(), elements);
    LW_EACH (k, own)
        LW_AT(own, k) = 1;
}

__global__ void grid_stride(struct lw_slice_f64 out)
{
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = 1;
}

__global__ void one_a_warp(struct lw_slice_i32 out)
{
    struct lw_own_i32 own = lw_own_of_warp_i32(out);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

__global__ void cell(struct lw_matrix_f32 out)
{
    struct lw_own_f32 own = lw_own_cell_f32(out, lw_thread_2d());
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

__global__ void tile(struct lw_matrix_f32 out)
{
    struct lw_own_tile_f32 own = lw_own_tile_f32(out, lw_thread_2d(), 2, 3);
    for (uint32_t r = 0; r < own.rows; r++)
        for (uint32_t c = 0; c < own.cols; c++)
            LW_CELL(own, r, c) = 1;
}

LW_ROWS_OF(hundreds, f32, float, 100)

__global__ void cell_of_known_width(struct hundreds out)
{
    struct lw_own_f32 own = lw_own_cell_f32(hundreds_matrix(out), lw_thread_2d());
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

__global__ void tile_of_known_width(struct hundreds out)
{
    struct lw_own_tile_f32 own = lw_own_tile_f32(hundreds_matrix(out), lw_thread_2d(), 2, 3);
    for (uint32_t r = 0; r < own.rows; r++)
        for (uint32_t c = 0; c < own.cols; c++)
            LW_CELL(own, r, c) = 1;
}

/* The width is a number of this launch, the same in every thread. */
LW_REQUIRES(rows >= 1, width >= 1, rows * width <= out.length)
__global__ void cell_of_run_time_width(struct lw_slice_f32 out, uint32_t rows, uint32_t width)
{
    struct lw_own_f32 own = lw_own_cell_f32(lw_matrix_of_f32(out, rows, width, width), lw_thread_2d());
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

__global__ void in_volume(struct lw_volume_f32 out)
{
    struct lw_own_f32 own = lw_own_in_volume_f32(out, lw_thread_3d());
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}

LW_REQUIRES(plane < v.planes)
__global__ void in_plane(struct lw_volume_f32 v, uint32_t plane)
{
    struct lw_own_f32 own = lw_own_cell_f32(lw_plane_to_write_f32(v, plane), lw_thread_2d());
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = 1;
}
