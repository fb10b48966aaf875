// SPDX-License-Identifier: Apache-2.0
// case: device_places
// note: 10 elements, 4 a thread, 4 threads: whole, whole, clipped, outside (LW_INSIDE 1, LW_CLIPPED 2, LW_OUTSIDE 0)
// kernel: several
// grid: 2
// block: 2
// buffer out_data: buf i32 len=10 io=out want=i/4
// arg out: struct address out_data, u64 10
// buffer states_data: buf i32 len=4 io=out want=i<2?1:i==2?2:0
// arg states: struct address states_data, u64 4
// arg elements: u32 4
// expect: none
//
// kernel: several
// note: a 1-D place in a launch of two rows proves nothing (LW_UNPROVED 3): nothing is written
// grid: 2 2
// block: 2
// buffer out_data: buf i32 len=10 init=-1 want=-1
// arg out: struct address out_data, u64 10
// buffer states_data: buf i32 len=4 io=out want=3
// arg states: struct address states_data, u64 4
// arg elements: u32 4
// expect: none
//
// kernel: several
// note: so many elements a thread that the first index could wrap
// grid: 1
// block: 1
// buffer out_data: buf i32 len=10 init=-1 want=-1
// arg out: struct address out_data, u64 10
// buffer states_data: buf i32 len=1 io=out want=3
// arg states: struct address states_data, u64 1
// arg elements: u32 4194305
// expect: none
//
// kernel: stride
// grid: 3
// block: 32
// buffer out_data: buf i32 len=1000 io=out want=i%96
// arg out: struct address out_data, u64 1000
// expect: none
//
// kernel: warps
// note: blocks of 48 have two warps each
// grid: 2
// block: 48
// buffer out_data: buf i32 len=3 io=out want=i
// arg out: struct address out_data, u64 3
// expect: none
//
// kernel: tiles
// note: 5 x 7 in tiles of 2 x 3: clipped at both edges
// grid: 1 1
// block: 4 4
// buffer out_data: buf i32 len=35 io=out want=i/7/2*10+i%7/3
// arg out: struct address out_data, u32 5, u32 7, u32 7
// buffer states_data: buf i32 len=16 io=out want=i%4<2&&i/4<2?1:i%4<3&&i/4<3?2:0
// arg states: struct address states_data, u64 16
// expect: none
//
// kernel: tiles
// note: rows that overlap are no matrix to write to
// grid: 1 1
// block: 4 4
// buffer out_data: buf i32 len=35 init=-1 want=-1
// arg out: struct address out_data, u32 5, u32 7, u32 6
// buffer states_data: buf i32 len=16 io=out want=3
// arg states: struct address states_data, u64 16
// expect: none
//
// kernel: cells
// note: rows of 5 in a buffer with rows of 8
// grid: 1 2
// block: 8 2
// buffer out_data: buf i32 len=29 init=-1 want=i%8<5?i:-1
// arg out: struct address out_data, u32 4, u32 5, u32 8
// expect: none
//
// kernel: volume
// grid: 2 2 2
// block: 2 2 2
// buffer out_data: buf i32 len=36 io=out want=i/12*100+i%12/4*10+i%4
// arg out: struct address out_data, u32 3, u32 3, u32 4
// expect: none
#include <lanewise/device.h>

__global__ void several(struct lw_slice_i32 out, struct lw_slice_i32 states, uint32_t elements)
{
    struct lw_thread1 thread = lw_thread_1d();
    struct lw_own_i32 own = lw_own_i32(out, thread, elements);
    LW_EACH (i, own)
        LW_AT(own, i) = (int32_t)thread.index;
    if (blockIdx.y == 0)
        LW_AT(states, thread.index) = own.state;
}

__global__ void stride(struct lw_slice_i32 out)
{
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = (int32_t)lw_thread_1d().index;
}

__global__ void warps(struct lw_slice_i32 out)
{
    struct lw_own_i32 own = lw_own_of_warp_i32(out);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = (int32_t)(blockIdx.x * 2 + threadIdx.x / 32);
}

__global__ void tiles(struct lw_matrix_i32 out, struct lw_slice_i32 states)
{
    struct lw_own_tile_i32 own = lw_own_tile_i32(out, lw_thread_2d(), 2, 3);
    for (uint32_t r = 0; r < own.rows; r++)
        for (uint32_t c = 0; c < own.cols; c++)
            LW_CELL(own, r, c) = (int32_t)(threadIdx.y * 10 + threadIdx.x);
    LW_AT(states, threadIdx.y * 4 + threadIdx.x) = own.state;
}

__global__ void cells(struct lw_matrix_i32 out)
{
    struct lw_thread2 thread = lw_thread_2d();
    struct lw_own_i32 own = lw_own_cell_i32(out, thread);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = (int32_t)(thread.row * 8 + thread.col);
}

__global__ void volume(struct lw_volume_i32 out)
{
    struct lw_thread3 thread = lw_thread_3d();
    struct lw_own_i32 own = lw_own_in_volume_i32(out, thread);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = (int32_t)(thread.plane * 100 + thread.row * 10 + thread.col);
}
