// SPDX-License-Identifier: Apache-2.0
// kernel: heat_periodic
// grid: 4 5
// block: 16 8
// arg next: buf f32 len=1850 io=out want=now[(i/50+36)%37*50+i%50]+now[(i/50+1)%37*50+i%50]+now[i/50*50+(i+49)%50]+now[i/50*50+(i+1)%50]-4*now[i]
// arg now: buf f32 len=1850 io=in init=i*7%11
// arg rows: u32 37
// arg cols: u32 50
// expect: none
// verdict: proved
// why: Every thread of the block loads a part of the tile, then each cell is computed from it. What lies past the edge is one argument.
#include <lanewise/device.h>

LW_HALO_2D(patch, f32, 8, 16, 1)

LW_DEVICE_FUNCTION void heat(float *next, struct lw_matrix_view_f32 now, struct lw_edge_f32 edge)
{
    __shared__ struct patch tile;
    unsigned first_row = blockIdx.y * 8, first_col = blockIdx.x * 16;
    int row = (int)threadIdx.y, col = (int)threadIdx.x;
    patch_load(&tile, now, first_row, first_col, edge);
    if (first_row + threadIdx.y < now.rows && first_col + threadIdx.x < now.cols)
        next[(uint64_t)(first_row + threadIdx.y) * now.cols + first_col + threadIdx.x] =
            patch_at(&tile, row - 1, col) + patch_at(&tile, row + 1, col) + patch_at(&tile, row, col - 1) +
            patch_at(&tile, row, col + 1) - 4 * patch_at(&tile, row, col);
}

LW_BLOCK(16, 8) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 524280, cols <= 1000000)
__global__ void heat_periodic(float *next LW_SHAPE(rows, cols) LW_DISJOINT LW_WRITES_ALL, const float *now LW_SHAPE(rows, cols),
                              unsigned rows, unsigned cols)
{
    struct lw_matrix_view_f32 view = {now, rows, cols, cols};
    heat(next, view, lw_periodic_f32());
}

LW_BLOCK(16, 8) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 524280, cols <= 1000000)
__global__ void heat_clamped(float *next LW_SHAPE(rows, cols) LW_DISJOINT LW_WRITES_ALL, const float *now LW_SHAPE(rows, cols),
                             unsigned rows, unsigned cols)
{
    struct lw_matrix_view_f32 view = {now, rows, cols, cols};
    heat(next, view, lw_clamped_f32());
}

LW_BLOCK(16, 8) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 524280, cols <= 1000000)
__global__ void heat_constant(float *next LW_SHAPE(rows, cols) LW_DISJOINT LW_WRITES_ALL, const float *now LW_SHAPE(rows, cols),
                              unsigned rows, unsigned cols)
{
    struct lw_matrix_view_f32 view = {now, rows, cols, cols};
    heat(next, view, lw_constant_f32(20));
}

/* ---- what they must compute: each neighbour by the definition of its edge ------------------------------------------------ */

typedef float neighbour(const float *now, int rows, int cols, int row, int col);

static float around(const float *now, int rows, int cols, int row, int col)
{
    return now[(row + rows) % rows * cols + (col + cols) % cols];
}

static float nearest(const float *now, int rows, int cols, int row, int col)
{
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
    return now[row * cols + (col < 0 ? 0 : col >= cols ? cols - 1 : col)];
}

static float twenty(const float *now, int rows, int cols, int row, int col)
{
    return row < 0 || row >= rows || col < 0 || col >= cols ? 20 : now[row * cols + col];
}

static void heat_of(float *next, const float *now, int rows, int cols, neighbour *at)
{
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            next[row * cols + col] = at(now, rows, cols, row - 1, col) + at(now, rows, cols, row + 1, col) +
                                     at(now, rows, cols, row, col - 1) + at(now, rows, cols, row, col + 1) - 4 * now[row * cols + col];
}

LW_REFERENCE(heat_periodic)
void heat_periodic_reference(float *next, const float *now, unsigned rows, unsigned cols)
{
    heat_of(next, now, (int)rows, (int)cols, around);
}

LW_REFERENCE(heat_clamped)
void heat_clamped_reference(float *next, const float *now, unsigned rows, unsigned cols)
{
    heat_of(next, now, (int)rows, (int)cols, nearest);
}

LW_REFERENCE(heat_constant)
void heat_constant_reference(float *next, const float *now, unsigned rows, unsigned cols)
{
    heat_of(next, now, (int)rows, (int)cols, twenty);
}
