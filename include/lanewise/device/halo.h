/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiles with a halo in shared memory, 1-D and 2-D, and what lies past the edges of the array: periodic, clamped or a constant.
 *
 *     LW_HALO_1D(line, f32, 256, 2)         struct line: 256 elements, and 2 more on each side
 *     LW_HALO_2D(patch, f32, 8, 16, 1)      struct patch: 8 rows, 16 columns, and 1 more on each side
 *
 *     __shared__ struct patch tile;
 *     patch_load(&tile, image, first_row, first_col, lw_clamped_f32());
 *     ... patch_at(&tile, row - 1, col) ...
 *
 * Coordinates are those of the tile: (0, 0) is its first element, the halo has the numbers -radius .. -1 and those behind the last.  Row
 * and column are tested each on its own, never the flat index.  The edge cannot be left out: lw_periodic_f32(), lw_clamped_f32() or
 * lw_constant_f32(value).  Arrays may be smaller than the halo; where an array has no element at all, the tile holds 0 or the constant.
 *
 * NAME_at stops the launch at a place outside of the tile.  NAME_at_unchecked is the bare access, without the comparison a coordinate:
 * `lanewise check` proves that it stays in the tile, but not that a column stays in its row.
 *
 * Obligation: all threads of the block call NAME_load.  It ends on a barrier, and begins with one, so that a tile may be loaded anew.
 */
#ifndef LANEWISE_DEVICE_HALO_H
#define LANEWISE_DEVICE_HALO_H

#include <lanewise/device/matrix.h>
#include <lanewise/device/reduce.h>

enum lw_edge_kind { LW_EDGE_PERIODIC, LW_EDGE_CLAMPED, LW_EDGE_CONSTANT };

/* The element in [0, count) that stands for the place `at`; negative: none does. */
LW_DEVICE_FUNCTION int64_t lw_edge_index(enum lw_edge_kind kind, int64_t at, int64_t count)
{
    if (at >= 0 && at < count)
        return at;
    if (kind == LW_EDGE_CONSTANT || count <= 0)
        return -1;
    if (kind == LW_EDGE_CLAMPED)
        return at < 0 ? 0 : count - 1;
    if (at < 0)
        return count - 1 - (int64_t)((uint64_t)(-1 - at) % (uint64_t)count);
    return (int64_t)((uint64_t)at % (uint64_t)count);
}

/* A type of its own: no number is taken for an edge by mistake. */
#define LW_DEVICE_EDGE(name, type)                                                           \
    typedef type lw_element_##name;                                                          \
    struct lw_edge_##name {                                                                  \
        enum lw_edge_kind kind;                                                              \
        type fill;                                                                           \
    };                                                                                       \
    LW_DEVICE_FUNCTION struct lw_edge_##name lw_periodic_##name(void)                        \
    {                                                                                        \
        struct lw_edge_##name edge = {LW_EDGE_PERIODIC, (type)0};                            \
        return edge;                                                                         \
    }                                                                                        \
    LW_DEVICE_FUNCTION struct lw_edge_##name lw_clamped_##name(void)                         \
    {                                                                                        \
        struct lw_edge_##name edge = {LW_EDGE_CLAMPED, (type)0};                             \
        return edge;                                                                         \
    }                                                                                        \
    LW_DEVICE_FUNCTION struct lw_edge_##name lw_constant_##name(type fill)                   \
    {                                                                                        \
        struct lw_edge_##name edge = {LW_EDGE_CONSTANT, fill};                               \
        return edge;                                                                         \
    }                                                                                        \
    /* One element at a place that may lie past the edges, without a tile. */                \
    LW_DEVICE_FUNCTION type lw_edge_get_##name(struct lw_view_##name view, int64_t at,       \
                                               struct lw_edge_##name edge)                   \
    {                                                                                        \
        int64_t index = lw_edge_index(edge.kind, at, (int64_t)view.length);                  \
        return index >= 0 ? view.data[index] : edge.fill;                                    \
    }                                                                                        \
    LW_DEVICE_FUNCTION type lw_edge_cell_##name(struct lw_matrix_view_##name m, int64_t row, \
                                                int64_t col, struct lw_edge_##name edge)     \
    {                                                                                        \
        int64_t y = lw_edge_index(edge.kind, row, m.rows);                                   \
        int64_t x = lw_edge_index(edge.kind, col, m.cols);                                   \
        return y >= 0 && x >= 0 ? m.data[(uint64_t)y * m.stride + (uint64_t)x] : edge.fill;  \
    }

LW_ELEMENTS(LW_DEVICE_EDGE)

/* ---- tiles ------------------------------------------------------------------------------------------------------------------- */

#define LW_HALO_1D(tile_name, element, WIDTH, RADIUS)                                                              \
    struct tile_name {                                                                                             \
        lw_element_##element cells[(WIDTH) + 2 * (RADIUS)];                                                        \
    };                                                                                                             \
    /* Element `first` of the array is element 0 of the tile. */                                                   \
    LW_DEVICE_FUNCTION void tile_name##_load(struct tile_name *tile, struct lw_view_##element view, int64_t first, \
                                             struct lw_edge_##element edge)                                        \
    {                                                                                                              \
        __syncthreads();                                                                                           \
        for (unsigned i = lw_block_rank(); i < (WIDTH) + 2 * (RADIUS); i += lw_block_threads())                    \
            tile->cells[i] = lw_edge_get_##element(view, first + (int64_t)i - (RADIUS), edge);                     \
        __syncthreads();                                                                                           \
    }                                                                                                              \
    LW_DEVICE_FUNCTION lw_element_##element tile_name##_at_unchecked(const struct tile_name *tile, int i)          \
    {                                                                                                              \
        return tile->cells[i + (RADIUS)];                                                                          \
    }                                                                                                              \
    /* -RADIUS <= i < WIDTH + RADIUS */                                                                            \
    LW_DEVICE_FUNCTION lw_element_##element tile_name##_at(const struct tile_name *tile, int i)                    \
    {                                                                                                              \
        lw_check_index((unsigned)(i + (RADIUS)), (WIDTH) + 2 * (RADIUS));                                          \
        return tile_name##_at_unchecked(tile, i);                                                                  \
    }

#define LW_HALO_2D(tile_name, element, ROWS, COLS, RADIUS)                                                           \
    struct tile_name {                                                                                               \
        lw_element_##element cells[((ROWS) + 2 * (RADIUS)) * ((COLS) + 2 * (RADIUS))];                               \
    };                                                                                                               \
    /* Element (first_row, first_col) of the matrix is element (0, 0) of the tile. */                                \
    LW_DEVICE_FUNCTION void tile_name##_load(struct tile_name *tile, struct lw_matrix_view_##element m,              \
                                             int64_t first_row, int64_t first_col, struct lw_edge_##element edge)    \
    {                                                                                                                \
        enum { WIDE = (COLS) + 2 * (RADIUS), HIGH = (ROWS) + 2 * (RADIUS) };                                         \
        __syncthreads();                                                                                             \
        for (unsigned i = lw_block_rank(); i < WIDE * HIGH; i += lw_block_threads())                                 \
            tile->cells[i] = lw_edge_cell_##element(m, first_row + (int64_t)(i / WIDE) - (RADIUS),                   \
                                                    first_col + (int64_t)(i % WIDE) - (RADIUS), edge);               \
        __syncthreads();                                                                                             \
    }                                                                                                                \
    LW_DEVICE_FUNCTION lw_element_##element tile_name##_at_unchecked(const struct tile_name *tile, int row, int col) \
    {                                                                                                                \
        return tile->cells[(row + (RADIUS)) * ((COLS) + 2 * (RADIUS)) + col + (RADIUS)];                             \
    }                                                                                                                \
    /* -RADIUS <= row < ROWS + RADIUS, -RADIUS <= col < COLS + RADIUS */                                             \
    LW_DEVICE_FUNCTION lw_element_##element tile_name##_at(const struct tile_name *tile, int row, int col)           \
    {                                                                                                                \
        lw_check_index((unsigned)(row + (RADIUS)), (ROWS) + 2 * (RADIUS));                                           \
        lw_check_index((unsigned)(col + (RADIUS)), (COLS) + 2 * (RADIUS));                                           \
        return tile_name##_at_unchecked(tile, row, col);                                                             \
    }

#endif
