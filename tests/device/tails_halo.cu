// SPDX-License-Identifier: Apache-2.0
//
// Halo tiles: three edges, one and two dimensions, arrays smaller than the halo, blocks smaller and larger than the tile.
#include <lanewise/device.h>

LW_HALO_1D(line, f32, 64, 3)

#define LINE_OF(edge_name, edge, index)                                                                                              \
    LW_REQUIRES(block.x >= 1, block.y == 1, block.z == 1, grid.x == (n + 63) / 64, n <= 100000000)                                   \
    __global__ void line_##edge_name(float *out LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const float *x LW_SHAPE(n), unsigned n)        \
    {                                                                                                                                \
        __shared__ struct line tile;                                                                                                 \
        uint64_t first = (uint64_t)blockIdx.x * 64;                                                                                  \
        line_load(&tile, lw_make_view_f32(x, n), (int64_t)first, edge);                                                              \
        for (unsigned i = threadIdx.x; i < 64; i += blockDim.x)                                                                      \
            if (first + i < n)                                                                                                       \
                out[first + i] = line_at(&tile, (int)i - 3) + 2 * line_at(&tile, (int)i) + 4 * line_at(&tile, (int)i + 3);           \
    }                                                                                                                                \
    static float line_##edge_name##_element(const float *x, int n, int i)                                                            \
    {                                                                                                                                \
        return index;                                                                                                                \
    }                                                                                                                                \
    LW_REFERENCE(line_##edge_name)                                                                                                   \
    void line_##edge_name##_reference(float *out, const float *x, unsigned n)                                                        \
    {                                                                                                                                \
        for (int i = 0; i < (int)n; i++)                                                                                             \
            out[i] = line_##edge_name##_element(x, (int)n, i - 3) + 2 * x[i] + 4 * line_##edge_name##_element(x, (int)n, i + 3);     \
    }

LINE_OF(periodic, lw_periodic_f32(), x[((i % n) + n) % n])
LINE_OF(clamped, lw_clamped_f32(), x[i < 0 ? 0 : i >= n ? n - 1 : i])
LINE_OF(constant, lw_constant_f32(0.5f), i < 0 || i >= n ? 0.5f : x[i])

LW_HALO_2D(patch, i32, 4, 8, 2)

#define PATCH_OF(edge_name, edge, row_index, col_index, inside, fill)                                                                \
    LW_BLOCK(8, 4) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 100000, cols <= 100000, pitch >= cols, pitch <= 200000)                 \
    __global__ void patch_##edge_name(int *out LW_SHAPE(rows, cols) LW_DISJOINT LW_WRITES_ALL,                                        \
                                      const int *x LW_PITCHED(rows, cols, pitch), unsigned rows, unsigned cols, unsigned pitch)      \
    {                                                                                                                                \
        __shared__ struct patch tile;                                                                                                \
        struct lw_matrix_view_i32 image = {x, rows, cols, pitch};                                                                    \
        unsigned first_row = blockIdx.y * 4, first_col = blockIdx.x * 8;                                                             \
        int row = (int)threadIdx.y, col = (int)threadIdx.x;                                                                          \
        patch_load(&tile, image, first_row, first_col, edge);                                                                        \
        if (first_row + threadIdx.y < rows && first_col + threadIdx.x < cols)                                                        \
            out[(uint64_t)(first_row + threadIdx.y) * cols + first_col + threadIdx.x] =                                              \
                patch_at(&tile, row - 2, col) + 3 * patch_at(&tile, row + 2, col) + 5 * patch_at(&tile, row, col - 2) +              \
                7 * patch_at(&tile, row, col + 2);                                                                                   \
    }                                                                                                                                \
    static int patch_##edge_name##_element(const int *x, int rows, int cols, int pitch, int r, int c)                                \
    {                                                                                                                                \
        return inside ? x[(row_index) * pitch + (col_index)] : fill;                                                                 \
    }                                                                                                                                \
    LW_REFERENCE(patch_##edge_name)                                                                                                  \
    void patch_##edge_name##_reference(int *out, const int *x, unsigned rows, unsigned cols, unsigned pitch)                         \
    {                                                                                                                                \
        for (int r = 0; r < (int)rows; r++)                                                                                          \
            for (int c = 0; c < (int)cols; c++)                                                                                      \
                out[r * (int)cols + c] = patch_##edge_name##_element(x, rows, cols, pitch, r - 2, c) +                               \
                                         3 * patch_##edge_name##_element(x, rows, cols, pitch, r + 2, c) +                           \
                                         5 * patch_##edge_name##_element(x, rows, cols, pitch, r, c - 2) +                           \
                                         7 * patch_##edge_name##_element(x, rows, cols, pitch, r, c + 2);                            \
    }

PATCH_OF(periodic, lw_periodic_i32(), (r % rows + rows) % rows, (c % cols + cols) % cols, true, 0)
PATCH_OF(clamped, lw_clamped_i32(), r < 0 ? 0 : r >= rows ? rows - 1 : r, c < 0 ? 0 : c >= cols ? cols - 1 : c, true, 0)
PATCH_OF(constant, lw_constant_i32(-9), r, c, r >= 0 && r < rows && c >= 0 && c < cols, -9)

// The bare access: proved to stay in the tile.
LW_BLOCK(8, 4) LW_DOMAIN(cols, rows) LW_REQUIRES(rows <= 65535, cols <= 65535)
__global__ void bare(int *out LW_SHAPE(rows, cols) LW_DISJOINT LW_WRITES_ALL, const int *x LW_SHAPE(rows, cols), unsigned rows,
                     unsigned cols)
{
    __shared__ struct patch tile;
    struct lw_matrix_view_i32 image = {x, rows, cols, cols};
    unsigned row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    patch_load(&tile, image, blockIdx.y * 4, blockIdx.x * 8, lw_constant_i32(0));
    if (row < rows && col < cols)
        out[row * cols + col] = patch_at_unchecked(&tile, (int)threadIdx.y - 2, (int)threadIdx.x + 2);
}

LW_REFERENCE(bare)
void bare_reference(int *out, const int *x, unsigned rows, unsigned cols)
{
    for (unsigned row = 0; row < rows; row++)
        for (unsigned col = 0; col < cols; col++)
            out[row * cols + col] = row < 2 || col + 2 >= cols ? 0 : x[(row - 2) * cols + col + 2];
}
