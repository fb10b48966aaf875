// SPDX-License-Identifier: Apache-2.0
// case: gemm_views
// kernel: naive_views
// grid: 2 3
// block: 16 16
// buffer a_data: buf f32 len=1400 io=in init=i%7-3
// arg a: struct address a_data, u32 40, u32 35, u32 35
// buffer b_data: buf f32 len=980 io=in init=i%5-2
// arg b: struct address b_data, u32 35, u32 28, u32 28
// buffer c_data: buf f32 len=1120 io=out want=sum(k,0,35,a_data[i/28*35+k]*b_data[k*28+i%28])
// arg c: struct address c_data, u32 40, u32 28, u32 28
// expect: none
//
// kernel: naive_raw
// grid: 2 3
// block: 16 16
// buffer a_data: buf f32 len=1400 io=in init=i%7-3
// arg a: struct address a_data, u32 40, u32 35, u32 35
// buffer b_data: buf f32 len=980 io=in init=i%5-2
// arg b: struct address b_data, u32 35, u32 28, u32 28
// buffer c_data: buf f32 len=1120 io=out want=sum(k,0,35,a_data[i/28*35+k]*b_data[k*28+i%28])
// arg c: struct address c_data, u32 40, u32 28, u32 28
// expect: none
//
// kernel: tiled_views
// grid: 2 3
// block: 16 16
// buffer a_data: buf f32 len=1400 io=in init=i%7-3
// arg a: struct address a_data, u32 40, u32 35, u32 35
// buffer b_data: buf f32 len=980 io=in init=i%5-2
// arg b: struct address b_data, u32 35, u32 28, u32 28
// buffer c_data: buf f32 len=1120 io=out want=sum(k,0,35,a_data[i/28*35+k]*b_data[k*28+i%28])
// arg c: struct address c_data, u32 40, u32 28, u32 28
// expect: none
//
// kernel: tiled_raw
// grid: 2 3
// block: 16 16
// buffer a_data: buf f32 len=1400 io=in init=i%7-3
// arg a: struct address a_data, u32 40, u32 35, u32 35
// buffer b_data: buf f32 len=980 io=in init=i%5-2
// arg b: struct address b_data, u32 35, u32 28, u32 28
// buffer c_data: buf f32 len=1120 io=out want=sum(k,0,35,a_data[i/28*35+k]*b_data[k*28+i%28])
// arg c: struct address c_data, u32 40, u32 28, u32 28
// expect: none
// why: A product of matrices with views and its raw twin, naive and tiled. The views cost nothing: the same branches, the same loads and
//      stores, no trap in a loop, the same bits (tests/device/twins.sh). In the tiled one no thread leaves before a barrier: outside of the
//      matrices a thread has the empty strip, which gives 0.
#include <lanewise/device.h>

#define TILE 16

// Safe for every launch: no contract but the shapes that the types bring along.
__global__ void naive_views(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_matrix_f32 c)
{
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_f32 own = lw_own_cell_f32(c, thread);
    if (own.state != LW_INSIDE)
        return;
    struct lw_pair_f32 pair = lw_zip_f32(lw_row_or_none_f32(a, thread.row), lw_column_or_none_f32(b, thread.col));
    float sum = 0;
    LW_EACH (i, pair)
        sum += lw_first_f32(pair, i) * lw_second_f32(pair, i);
    LW_AT(own, 0) = sum;
}

// The same with pointers and indices. What the types said above must be asked of the launch here, or nothing is proved.
LW_REQUIRES(a.rows == c.rows, a.cols == b.rows, b.cols == c.cols)
LW_REQUIRES(a.cols <= a.stride, b.cols <= b.stride, c.cols <= c.stride)
LW_REQUIRES(a.rows * a.stride <= 4294967295, b.rows * b.stride <= 4294967295, c.rows * c.stride <= 4294967295)
LW_REQUIRES(block.x * grid.x <= 4294967295, block.y * grid.y <= 4294967295)
__global__ void naive_raw(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_matrix_f32 c)
{
    uint32_t row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= c.rows || col >= c.cols)
        return;
    float sum = 0;
    for (uint32_t i = 0; i < a.cols; i++)
        sum += a.data[row * a.stride + i] * b.data[i * b.stride + col];
    c.data[row * c.stride + col] = sum;
}

LW_BLOCK(TILE, TILE)
__global__ void tiled_views(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_matrix_f32 c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_f32 own = lw_own_cell_f32(c, thread);
    struct lw_strip_f32 row = lw_row_or_none_f32(a, thread.row), column = lw_column_or_none_f32(b, thread.col);
    float sum = 0;
    for (uint64_t first = 0; first < a.cols; first += TILE) {
        tile_a[threadIdx.y][threadIdx.x] = lw_strip_get_or_f32(row, first + threadIdx.x, 0);
        tile_b[threadIdx.y][threadIdx.x] = lw_strip_get_or_f32(column, first + threadIdx.y, 0);
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = sum;
}

LW_BLOCK(TILE, TILE)
LW_REQUIRES(a.rows == c.rows, a.cols == b.rows, b.cols == c.cols)
LW_REQUIRES(a.cols <= a.stride, b.cols <= b.stride, c.cols <= c.stride, a.cols <= 4294967280)
LW_REQUIRES(a.rows * a.stride <= 4294967295, b.rows * b.stride <= 4294967295, c.rows * c.stride <= 4294967295)
LW_REQUIRES(block.x * grid.x <= 4294967295)
__global__ void tiled_raw(struct lw_matrix_view_f32 a, struct lw_matrix_view_f32 b, struct lw_matrix_f32 c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    uint32_t row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (uint32_t first = 0; first < a.cols; first += TILE) {
        uint32_t along = first + threadIdx.x, down = first + threadIdx.y;
        tile_a[threadIdx.y][threadIdx.x] = row < a.rows && along < a.cols ? a.data[row * a.stride + along] : 0;
        tile_b[threadIdx.y][threadIdx.x] = col < b.cols && down < b.rows ? b.data[down * b.stride + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < c.rows && col < c.cols)
        c.data[row * c.stride + col] = sum;
}
