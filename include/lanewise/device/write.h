/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing without races: what a thread may write is made from its own place in the launch.
 *
 *     struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 1);
 *     if (own.state == LW_INSIDE)
 *         LW_AT(own, 0) = value;
 *
 *     lw_own_f32(slice, thread, n)              `n` elements a thread; at the end fewer (LW_CLIPPED), then none (LW_OUTSIDE)
 *     LW_EACH_OWN (i, slice)                    a grid-stride run: every element of the slice is one thread's
 *     lw_own_of_warp_f32(slice)                 one element a warp, for its first lane
 *     lw_own_cell_f32(matrix, thread)           one element a thread, rows by y, columns by x; the width is the matrix's
 *     lw_own_tile_f32(matrix, thread, r, c)     r x c elements a thread, clipped at the edges; written by LW_CELL
 *     lw_own_in_volume_f32(volume, thread)      one element a thread of a 3-D launch
 *     LW_ROWS_OF(NAME, f32, float, WIDTH)       a slice as rows of a width that the compiler knows
 *
 * LW_UNPROVED is not LW_OUTSIDE: a 1-D place in a launch with several rows of threads, or a matrix whose rows overlap, proves nothing, and
 * nothing is there to be written.
 *
 * Obligation: the slice or matrix, and with it the width of its rows, and `n`, `r`, `c` are the same in every thread.  A kernel parameter
 * is; `lanewise check` proves it of everything else, or shows two threads with one element.
 */
#ifndef LANEWISE_DEVICE_WRITE_H
#define LANEWISE_DEVICE_WRITE_H

#include <lanewise/device/matrix.h>

enum lw_claim { LW_OUTSIDE, LW_INSIDE, LW_CLIPPED, LW_UNPROVED };

/* Places in the launch; `is_proof`: no other thread has the same. */
struct lw_thread1 {
    uint64_t index, threads;
    bool is_proof;
};
struct lw_thread2 {
    uint64_t row, col;
    bool is_proof;
};
struct lw_thread3 {
    uint64_t plane, row, col;
};

LW_DEVICE_FUNCTION struct lw_thread1 lw_thread_1d(void)
{
    struct lw_thread1 thread;
    thread.index = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    thread.threads = (uint64_t)gridDim.x * blockDim.x;
    thread.is_proof = (int)(blockDim.y == 1) & (blockDim.z == 1) & (gridDim.y == 1) & (gridDim.z == 1);
    return thread;
}
LW_DEVICE_FUNCTION struct lw_thread2 lw_thread_2d(void)
{
    struct lw_thread2 thread;
    thread.row = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y;
    thread.col = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    thread.is_proof = (int)(blockDim.z == 1) & (gridDim.z == 1);
    return thread;
}
LW_DEVICE_FUNCTION struct lw_thread3 lw_thread_3d(void)
{
    struct lw_thread3 thread;
    thread.plane = (uint64_t)blockIdx.z * blockDim.z + threadIdx.z;
    thread.row = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y;
    thread.col = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    return thread;
}

/* More elements a thread could make the index of the first one wrap. */
enum { LW_OWN_MAX = 1 << 22 };

/* How many of `wanted` elements from `first` lie below `length`. */
LW_DEVICE_FUNCTION uint32_t lw_clip(uint64_t first, uint32_t wanted, uint64_t length)
{
    uint64_t left = first < length ? length - first : 0;
    return left < wanted ? (uint32_t)left : wanted;
}
LW_DEVICE_FUNCTION enum lw_claim lw_claim_of(bool is_proof, uint32_t got, uint32_t wanted)
{
    return !is_proof ? LW_UNPROVED : got == 0 ? LW_OUTSIDE : got < wanted ? LW_CLIPPED : LW_INSIDE;
}

/* A thread beyond the slice, and every thread where there is no proof, makes no trip. */
#define LW_EACH_OWN(counter, slice)                                                                                              \
    for (uint64_t counter = lw_thread_1d().index; lw_thread_1d().is_proof && counter < (slice).length; counter += lw_thread_1d().threads)

#define LW_DEVICE_WRITE_(name, type)                                                                                             \
    struct lw_own_##name {                                                                                                       \
        type *data;                                                                                                              \
        uint32_t length;                                                                                                         \
        enum lw_claim state;                                                                                                     \
    };                                                                                                                           \
    struct lw_own_tile_##name {                                                                                                  \
        type *data;                                                                                                              \
        uint32_t rows, cols, stride;                                                                                             \
        enum lw_claim state;                                                                                                     \
    };                                                                                                                           \
    LW_DEVICE_FUNCTION struct lw_own_##name lw_own_##name(struct lw_slice_##name slice, struct lw_thread1 thread,                \
                                                          uint32_t elements)                                                     \
    {                                                                                                                            \
        bool is_proof = (int)thread.is_proof & (elements <= LW_OWN_MAX);                                                         \
        uint64_t first = thread.index * elements;                                                                                \
        uint32_t got = is_proof ? lw_clip(first, elements, slice.length) : 0;                                                    \
        struct lw_own_##name own = {slice.data + first, got, lw_claim_of(is_proof, got, elements)};                              \
        return own;                                                                                                              \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_own_##name lw_own_of_warp_##name(struct lw_slice_##name slice)                                  \
    {                                                                                                                            \
        struct lw_thread1 thread = lw_thread_1d();                                                                               \
        bool is_first = threadIdx.x % 32 == 0;                                                                                   \
        uint64_t warp = (uint64_t)blockIdx.x * ((blockDim.x + 31) / 32) + threadIdx.x / 32;                                      \
        uint32_t got = (int)thread.is_proof & is_first & (warp < slice.length);                                                  \
        struct lw_own_##name own = {slice.data + warp, got, lw_claim_of(thread.is_proof, got, 1)};                               \
        return own;                                                                                                              \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_own_##name lw_own_cell_##name(struct lw_matrix_##name m, struct lw_thread2 thread)              \
    {                                                                                                                            \
        bool is_proof = (int)thread.is_proof & (m.cols <= m.stride);                                                             \
        uint32_t got = (int)is_proof & (thread.row < m.rows) & (thread.col < m.cols);                                            \
        struct lw_own_##name own = {m.data + (thread.row * m.stride + thread.col), got, lw_claim_of(is_proof, got, 1)};          \
        return own;                                                                                                              \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_own_tile_##name lw_own_tile_##name(struct lw_matrix_##name m, struct lw_thread2 thread,         \
                                                                    uint32_t rows, uint32_t cols)                                \
    {                                                                                                                            \
        bool is_proof = (int)thread.is_proof & (m.cols <= m.stride) & (rows <= LW_OWN_MAX) & (cols <= LW_OWN_MAX);               \
        uint64_t row = thread.row * rows, col = thread.col * cols;                                                               \
        uint32_t got_rows = is_proof ? lw_clip(row, rows, m.rows) : 0, got_cols = is_proof ? lw_clip(col, cols, m.cols) : 0;     \
        bool is_whole = got_rows == rows && got_cols == cols;                                                                    \
        uint32_t got = got_rows == 0 || got_cols == 0 ? 0 : is_whole ? 2 : 1;                                                    \
        struct lw_own_tile_##name own = {m.data + (row * m.stride + col), got_rows, got_cols, m.stride,                          \
                                         lw_claim_of(is_proof, got, 2)};                                                         \
        return own;                                                                                                              \
    }                                                                                                                            \
    LW_DEVICE_FUNCTION struct lw_own_##name lw_own_in_volume_##name(struct lw_volume_##name v, struct lw_thread3 thread)         \
    {                                                                                                                            \
        uint32_t got = (int)(thread.plane < v.planes) & (thread.row < v.rows) & (thread.col < v.cols);                           \
        struct lw_own_##name own = {v.data + ((thread.plane * v.rows + thread.row) * v.cols + thread.col), got,                  \
                                    lw_claim_of(true, got, 1)};                                                                  \
        return own;                                                                                                              \
    }

LW_ELEMENTS(LW_DEVICE_WRITE_)

/* struct NAME: `rows` rows of WIDTH elements, one behind the other. */
#define LW_ROWS_OF(NAME, element, type, WIDTH)                                                                                   \
    struct NAME {                                                                                                                \
        type *data LW_SHAPE(rows, WIDTH);                                                                                        \
        uint32_t rows;                                                                                                           \
    };                                                                                                                           \
    LW_DEVICE_FUNCTION struct lw_matrix_##element NAME##_matrix(struct NAME rows)                                                \
    {                                                                                                                            \
        struct lw_matrix_##element matrix = {rows.data, rows.rows, (WIDTH), (WIDTH)};                                            \
        return matrix;                                                                                                           \
    }

#endif
