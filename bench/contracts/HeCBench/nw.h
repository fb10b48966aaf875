/* SPDX-License-Identifier: Apache-2.0
 * file: src/nw-cuda/nw.cu
 * kernels: kernel1 kernel2
 *
 * A square of 16 by 16 tiles behind a first row and column; a launch does the tiles of one antidiagonal.
 */
LW_BLOCK(16)
LW_REQUIRES(offset_r == 0, offset_c == 0, max_cols >= 17, max_cols <= 32768, max_cols % 16 == 1, blk >= 1, blk <= (max_cols - 1) / 16, grid.x == blk)
void kernel1(int *d_input_itemsets LW_SHAPE(max_cols * max_cols), const int *d_reference LW_SHAPE(max_cols * max_cols), int offset_r, int offset_c,
             int max_cols, int blk, int penalty);

LW_BLOCK(16)
LW_REQUIRES(offset_r == 0, offset_c == 0, max_cols >= 17, max_cols <= 32768, max_cols % 16 == 1, block_width == (max_cols - 1) / 16, blk >= 1,
            blk <= block_width, grid.x == blk)
void kernel2(int *d_input_itemsets LW_SHAPE(max_cols * max_cols), const int *d_reference LW_SHAPE(max_cols * max_cols), int block_width,
             int offset_r, int offset_c, int max_cols, int blk, int penalty);
