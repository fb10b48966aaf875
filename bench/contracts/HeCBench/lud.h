/* SPDX-License-Identifier: Apache-2.0
 * file: src/lud-cuda/lud.cu
 * kernels: lud_diagonal lud_perimeter lud_internal
 * cflags: -std=c++17 -Icommon
 *
 * The side is a multiple of the tile of 16; `offset` is that of the tile on the diagonal.
 */
LW_BLOCK(16) LW_REQUIRES(grid.x == 1, matrix_dim >= 16, matrix_dim % 16 == 0, matrix_dim <= 32768, offset >= 0, offset % 16 == 0, offset + 16 <= matrix_dim)
void lud_diagonal(float *m LW_SHAPE(matrix_dim, matrix_dim), size_t matrix_dim, int offset);

LW_BLOCK(32)
LW_REQUIRES(grid.x == (matrix_dim - offset) / 16 - 1, matrix_dim >= 16, matrix_dim % 16 == 0, matrix_dim <= 32768, offset >= 0, offset % 16 == 0,
            offset + 32 <= matrix_dim)
void lud_perimeter(float *m LW_SHAPE(matrix_dim, matrix_dim), size_t matrix_dim, int offset);

LW_BLOCK(16, 16)
LW_REQUIRES(grid.x == (matrix_dim - offset) / 16 - 1, grid.y == (matrix_dim - offset) / 16 - 1, matrix_dim >= 16, matrix_dim % 16 == 0,
            matrix_dim <= 32768, offset >= 0, offset % 16 == 0, offset + 32 <= matrix_dim)
void lud_internal(float *m LW_SHAPE(matrix_dim, matrix_dim), size_t matrix_dim, int offset);
