/* SPDX-License-Identifier: Apache-2.0
 *
 * Views of matrices: rows, columns, planes, and pairs of strips that are walked together.
 *
 *     struct lw_matrix_f32 m        `rows` rows of `cols` elements, one row every `stride`; may be written
 *     struct lw_matrix_view_f32 m   the same, only read; both are kernel parameters that bring their shape along
 *     LW_CELL(m, row, col)          one element, as LW_AT
 *     lw_row_f32(m, row)            a strip: elements m.data + row * stride, and on
 *     lw_column_f32(m, col)         a strip with a step: col, col + stride, ...
 *     lw_row_or_none_f32(m, row)    the empty strip where there is no such row: for kernels with barriers, where every thread goes on
 *     lw_strip_at_f32(strip, i)     one element; lw_strip_get_or_f32(strip, i, fill): `fill` where there is none
 *     lw_zip_f32(a, b)              two strips of one length under one counter; of different lengths: no pair at all
 *     lw_plane_f32(volume, plane)   a matrix
 *
 *     struct lw_pair_f32 pair = lw_zip_f32(lw_row_f32(a, row), lw_column_f32(b, col));
 *     LW_EACH (i, pair)
 *         sum += lw_first_f32(pair, i) * lw_second_f32(pair, i);
 *
 * Each strip is checked once, when it is made; a loop with LW_EACH has no check inside.  Numbers are 32 bits wide and offsets are formed
 * in 64, so nothing wraps.  lw_get_or costs a comparison: it is for edges, not for long loops.
 */
#ifndef LANEWISE_DEVICE_MATRIX_H
#define LANEWISE_DEVICE_MATRIX_H

#include <lanewise/device/slice.h>

/* The comparison of `index` with the length is the loop's own, so the compiler drops the check of the access. */
#define LW_EACH(counter, strip) for (uint64_t counter = 0; counter < (strip).length; counter++)

#define LW_CELL(matrix, row, col) \
    ((matrix).data[(uint64_t)LW_INDEX_(row, (matrix).rows) * (matrix).stride + LW_INDEX_(col, (matrix).cols)])

/* Does a matrix fit into `length` elements?  The last row need not be whole: its last used element counts. */
LW_DEVICE_FUNCTION void lw_check_matrix(uint64_t length, uint32_t rows, uint32_t cols, uint32_t stride)
{
    if (rows > 1 && stride < cols)
        lw_fail(cols, stride);
    if (rows != 0 && cols != 0 && (uint64_t)(rows - 1) * stride + (cols - 1) >= length)
        lw_fail((uint64_t)(rows - 1) * stride + (cols - 1), length);
}
LW_DEVICE_FUNCTION void lw_check_index(uint64_t index, uint64_t length)
{
    if (index >= length)
        lw_fail(index, length);
}

#define LW_DEVICE_MATRIX_TYPES_(name, type)                       \
    struct lw_matrix_##name {                                     \
        type *data LW_PITCHED(rows, cols, stride);                \
        uint32_t rows, cols, stride;                              \
    };                                                            \
    struct lw_matrix_view_##name {                                \
        const type *data LW_PITCHED(rows, cols, stride);          \
        uint32_t rows, cols, stride;                              \
    };                                                            \
    struct lw_volume_##name {                                     \
        type *data LW_SHAPE(planes, rows, cols);                  \
        uint32_t planes, rows, cols;                              \
    };                                                            \
    struct lw_volume_view_##name {                                \
        const type *data LW_SHAPE(planes, rows, cols);            \
        uint32_t planes, rows, cols;                              \
    };                                                            \
    /* `length` elements, one every `step`. */                    \
    struct lw_strip_##name {                                      \
        const type *data;                                         \
        uint32_t length, step;                                    \
    };                                                            \
    struct lw_pair_##name {                                       \
        const type *first, *second;                               \
        uint32_t length, first_step, second_step;                 \
    };

/* From a flat slice, checked; a matrix of which a part is taken. */
#define LW_DEVICE_MATRIX_MAKE_(name, type)                                                                                       \
    LW_DEVICE_FUNCTION struct lw_matrix_view_##name lw_matrix_view_of_##name(struct lw_view_##name view, uint32_t rows,          \
                                                                             uint32_t cols, uint32_t stride)                     \
    {                                                                                                                            \
        lw_check_matrix(view.length, rows, cols, stride);                                                                        \
        struct lw_matrix_view_##name matrix = {view.data, rows, cols, stride};                                                   \
        return matrix;                                                                                                           \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_matrix_##name lw_matrix_of_##name(struct lw_slice_##name slice, uint32_t rows, uint32_t cols,   \
                                                                   uint32_t stride)                                              \
    {                                                                                                                            \
        lw_check_matrix(slice.length, rows, cols, stride);                                                                       \
        struct lw_matrix_##name matrix = {slice.data, rows, cols, stride};                                                       \
        return matrix;                                                                                                           \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_matrix_view_##name lw_read_##name(struct lw_matrix_##name matrix)                               \
    {                                                                                                                            \
        struct lw_matrix_view_##name view = {matrix.data, matrix.rows, matrix.cols, matrix.stride};                              \
        return view;                                                                                                             \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_matrix_view_##name lw_plane_##name(struct lw_volume_view_##name volume, uint32_t plane)         \
    {                                                                                                                            \
        lw_check_index(plane, volume.planes);                                                                                    \
        struct lw_matrix_view_##name matrix = {volume.data + (uint64_t)plane * volume.rows * volume.cols, volume.rows,           \
                                               volume.cols, volume.cols};                                                        \
        return matrix;                                                                                                           \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_matrix_##name lw_plane_to_write_##name(struct lw_volume_##name volume, uint32_t plane)          \
    {                                                                                                                            \
        lw_check_index(plane, volume.planes);                                                                                    \
        struct lw_matrix_##name matrix = {volume.data + (uint64_t)plane * volume.rows * volume.cols, volume.rows, volume.cols,   \
                                          volume.cols};                                                                          \
        return matrix;                                                                                                           \
    }

#define LW_DEVICE_STRIPS_(name, type)                                                                                            \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_no_strip_##name(void)                                                           \
    {                                                                                                                            \
        struct lw_strip_##name strip = {0, 0, 0};                                                                                \
        return strip;                                                                                                            \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_row_or_none_##name(struct lw_matrix_view_##name m, uint64_t row)                \
    {                                                                                                                            \
        struct lw_strip_##name strip = {m.data + row * m.stride, row < m.rows ? m.cols : 0, 1};                                  \
        return strip;                                                                                                            \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_column_or_none_##name(struct lw_matrix_view_##name m, uint64_t col)             \
    {                                                                                                                            \
        struct lw_strip_##name strip = {m.data + col, col < m.cols ? m.rows : 0, m.stride};                                      \
        return strip;                                                                                                            \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_row_##name(struct lw_matrix_view_##name m, uint64_t row)                        \
    {                                                                                                                            \
        lw_check_index(row, m.rows);                                                                                             \
        return lw_row_or_none_##name(m, row);                                                                                    \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_column_##name(struct lw_matrix_view_##name m, uint64_t col)                     \
    {                                                                                                                            \
        lw_check_index(col, m.cols);                                                                                             \
        return lw_column_or_none_##name(m, col);                                                                                 \
    }                                                                                                                            \
    /* Of a flat array: the elements col, col + stride, ...; the last row need not be whole. */                                  \
    LW_DEVICE_FUNCTION struct lw_strip_##name lw_column_of_##name(struct lw_view_##name view, uint32_t rows, uint32_t stride,    \
                                                                  uint32_t col)                                                  \
    {                                                                                                                            \
        if (rows > 1)                                                                                                            \
            lw_check_index(col, stride);                                                                                         \
        if (rows != 0)                                                                                                           \
            lw_check_index((uint64_t)(rows - 1) * stride + col, view.length);                                                    \
        struct lw_strip_##name strip = {view.data + col, rows, stride};                                                          \
        return strip;                                                                                                            \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION type lw_strip_at_##name(struct lw_strip_##name strip, uint64_t i)                                         \
    {                                                                                                                            \
        return strip.data[LW_INDEX_(i, strip.length) * strip.step];                                                    \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION type lw_strip_get_or_##name(struct lw_strip_##name strip, uint64_t i, type fill)                          \
    {                                                                                                                            \
        return i < strip.length ? strip.data[i * strip.step] : fill;                                                             \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_pair_##name lw_zip_##name(struct lw_strip_##name a, struct lw_strip_##name b)                   \
    {                                                                                                                            \
        struct lw_pair_##name pair = {a.data, b.data, a.length == b.length ? a.length : 0, a.step, b.step};                      \
        return pair;                                                                                                             \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION type lw_first_##name(struct lw_pair_##name pair, uint64_t i)                                              \
    {                                                                                                                            \
        return pair.first[LW_INDEX_(i, pair.length) * pair.first_step];                                                \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION type lw_second_##name(struct lw_pair_##name pair, uint64_t i)                                             \
    {                                                                                                                            \
        return pair.second[LW_INDEX_(i, pair.length) * pair.second_step];                                              \
    }

/* struct NAME: exactly COUNT elements, a number that the compiler knows.  NAME_of(view, first) is the only check; loops over it unroll. */
#define LW_STATIC_VIEW(NAME, element, type, COUNT)                                             \
    struct NAME {                                                                              \
        const type *data LW_SHAPE(COUNT);                                                      \
        enum { length = (COUNT) };                                                             \
    };                                                                                         \
    LW_DEVICE_FUNCTION struct NAME NAME##_of(struct lw_view_##element view, uint64_t first)    \
    {                                                                                          \
        struct NAME exact = {lw_part_of_##element(view, first, (COUNT)).data};                 \
        return exact;                                                                          \
    }

LW_ELEMENTS(LW_DEVICE_MATRIX_TYPES_)
LW_ELEMENTS(LW_DEVICE_MATRIX_MAKE_)
LW_ELEMENTS(LW_DEVICE_STRIPS_)

#endif
