// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

LW_HALO_2D(patch, f32, 8, 16, 1)

// Reaches two columns to the right, of a halo of one: inside of the tile's memory, but the next row.
LW_BLOCK(16, 8) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 65536, cols <= 65536)
__global__ void too_far(float *out LW_SHAPE(rows, cols), const float *x LW_SHAPE(rows, cols), unsigned rows, unsigned cols)
{
    __shared__ struct patch tile;
    struct lw_matrix_view_f32 image = {x, rows, cols, cols};
    unsigned row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    patch_load(&tile, image, blockIdx.y * 8, blockIdx.x * 16, lw_clamped_f32());
    if (row < rows && col < cols)
        out[row * cols + col] = patch_at(&tile, (int)threadIdx.y, (int)threadIdx.x + 2);
}

// Not all threads load.
LW_BLOCK(16, 8) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 65536, cols <= 65536)
__global__ void some_load(float *out LW_SHAPE(rows, cols), const float *x LW_SHAPE(rows, cols), unsigned rows, unsigned cols)
{
    __shared__ struct patch tile;
    struct lw_matrix_view_f32 image = {x, rows, cols, cols};
    unsigned row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= rows || col >= cols)
        return;
    patch_load(&tile, image, blockIdx.y * 8, blockIdx.x * 16, lw_clamped_f32());
    out[row * cols + col] = patch_at(&tile, (int)threadIdx.y, (int)threadIdx.x + 1);
}
