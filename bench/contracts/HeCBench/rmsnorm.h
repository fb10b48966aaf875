/* SPDX-License-Identifier: Apache-2.0
 * file: src/rmsnorm-cuda/main.cu
 * kernels: _Z27rmsnorm_fwd_two_scan_kernelIfLi4EEvPKT_S2_PS0_lf _Z27rmsnorm_fwd_two_scan_kernelIfLi1EEvPKT_S2_PS0_lf
 *
 * A block for each row. The instance that moves four elements at once is for rows of a multiple of four.
 */
LW_FOR("_Z27rmsnorm_fwd_two_scan_kernelIfLi4EEvPKT_S2_PS0_lf")
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(inner_len >= 1, inner_len % 4 == 0, grid.x * inner_len <= 1073741824)
void rmsnorm_by_4(const float *input LW_SHAPE(grid.x, inner_len), const float *gamma LW_SHAPE(inner_len), float *output LW_SHAPE(grid.x, inner_len),
                  int64_t inner_len, float epsilon);

LW_FOR("_Z27rmsnorm_fwd_two_scan_kernelIfLi1EEvPKT_S2_PS0_lf")
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(inner_len >= 1, grid.x * inner_len <= 1073741824)
void rmsnorm_by_1(const float *input LW_SHAPE(grid.x, inner_len), const float *gamma LW_SHAPE(inner_len), float *output LW_SHAPE(grid.x, inner_len),
                  int64_t inner_len, float epsilon);
