// SPDX-License-Identifier: Apache-2.0
// case: device_views
// note: 3 x 4 with stride 4: row 1 is elements 4 to 7, column 2 is 2, 6, 10
// kernel: rows_and_columns
// grid: 1
// block: 1
// buffer m_data: buf i32 len=12 io=in init=i
// arg m: struct address m_data, u32 3, u32 4, u32 4
// buffer out_data: buf i32 len=12 io=out want=i<4?4+i:i<7?2+4*(i-4):i==7?0:i==8?-5:i==9?4*2+5*6+6*10:i==10?0:3
// arg out: struct address out_data, u64 12
// expect: none
//
// kernel: column_without_its_last_row
// note: of 11 elements: column 2 ends at element 10, the last row is not whole
// grid: 1
// block: 1
// buffer x_data: buf i32 len=11 io=in init=i
// arg x: struct address x_data, u64 11
// buffer out_data: buf i32 len=4 io=out want=i<3?2+4*i:3
// arg out: struct address out_data, u64 4
// arg column: u32 2
// expect: none
//
// kernel: column_without_its_last_row
// note: column 3 would need element 11
// grid: 1
// block: 1
// buffer x_data: buf i32 len=11 io=in init=i
// arg x: struct address x_data, u64 11
// buffer out_data: buf i32 len=4 io=inout
// arg out: struct address out_data, u64 4
// arg column: u32 3
// expect: device-assert
//
// kernel: one_plane
// grid: 1
// block: 1
// buffer v_data: buf i32 len=24 io=in init=i
// arg v: struct address v_data, u32 2, u32 3, u32 4
// buffer out_data: buf i32 len=4 io=out want=12+4+i
// arg out: struct address out_data, u64 4
// expect: none
//
// kernel: parts
// grid: 1
// block: 1
// buffer x_data: buf i32 len=10 io=in init=i
// arg x: struct address x_data, u64 10
// buffer out_data: buf i32 len=6 io=out want=i<3?7+i:i==3?-1:i==4?0:3
// arg out: struct address out_data, u64 6
// arg first: u64 7
// expect: none
//
// kernel: parts
// note: a part that is too long by one
// grid: 1
// block: 1
// buffer x_data: buf i32 len=10 io=in init=i
// arg x: struct address x_data, u64 10
// buffer out_data: buf i32 len=6
// arg out: struct address out_data, u64 6
// arg first: u64 8
// expect: device-assert
//
// kernel: parts
// note: a start near 2^64: the sum with the length wraps, the check does not
// grid: 1
// block: 1
// buffer x_data: buf i32 len=10 io=in init=i
// arg x: struct address x_data, u64 10
// buffer out_data: buf i32 len=6
// arg out: struct address out_data, u64 6
// arg first: u64 18446744073709551615
// expect: device-assert
#include <lanewise/device.h>

__global__ void rows_and_columns(struct lw_matrix_view_i32 m, struct lw_slice_i32 out)
{
    struct lw_strip_i32 row = lw_row_i32(m, 1), column = lw_column_i32(m, 2), none = lw_row_or_none_i32(m, 3);
    struct lw_view_i32 flat = lw_make_view_i32(m.data, 12);
    struct lw_strip_i32 short_row = {lw_part_of_i32(flat, 4, 3).data, 3, 1};
    struct lw_pair_i32 unequal = lw_zip_i32(row, column), equal = lw_zip_i32(short_row, column);
    int32_t sum = 0;
    LW_EACH (i, row)
        LW_AT(out, i) = lw_strip_at_i32(row, i);
    LW_EACH (i, column)
        LW_AT(out, 4 + i) = lw_strip_at_i32(column, i);
    LW_EACH (i, equal)
        sum += lw_first_i32(equal, i) * lw_second_i32(equal, i);
    LW_AT(out, 7) = (int32_t)unequal.length;
    LW_AT(out, 8) = lw_strip_get_or_i32(none, 0, -5);
    LW_AT(out, 9) = sum;
    LW_AT(out, 10) = (int32_t)none.length;
    LW_AT(out, 11) = (int32_t)column.length;
}

__global__ void column_without_its_last_row(struct lw_view_i32 x, struct lw_slice_i32 out, uint32_t column)
{
    struct lw_strip_i32 strip = lw_column_of_i32(x, 3, 4, column);
    LW_EACH (i, strip)
        LW_AT(out, i) = lw_strip_at_i32(strip, i);
    LW_AT(out, 3) = (int32_t)strip.length;
}

__global__ void one_plane(struct lw_volume_view_i32 v, struct lw_slice_i32 out)
{
    struct lw_strip_i32 row = lw_row_i32(lw_plane_i32(v, 1), 1);
    LW_EACH (i, row)
        LW_AT(out, i) = lw_strip_at_i32(row, i);
}

__global__ void parts(struct lw_view_i32 x, struct lw_slice_i32 out, uint64_t first)
{
    struct lw_view_i32 part = lw_part_of_i32(x, first, 3), empty = lw_part_of_i32(x, 10, 0);
    LW_EACH (i, part)
        LW_AT(out, i) = LW_AT(part, i);
    LW_AT(out, 3) = lw_get_or_i32(part, -1, -1);
    LW_AT(out, 4) = (int32_t)empty.length;
    LW_AT(out, 5) = (int32_t)part.length;
}
