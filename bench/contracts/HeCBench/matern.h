/* SPDX-License-Identifier: Apache-2.0
 * file: src/matern-cuda/main.cu
 * kernels: matern_kernel
 *
 * 64 sources in three coordinates; a block has a column of threads for each of 16 targets.
 */
LW_BLOCK(16, 64) LW_REQUIRES(num_targets >= 1, num_targets <= 268435456, grid.x == (num_targets + 15) / 16, grid.y == 1)
void matern_kernel(int num_targets, float l, const float *sources LW_SHAPE(64, 3), const float *targets LW_SHAPE(num_targets, 3), const float *weights LW_SHAPE(64),
                   float *result LW_SHAPE(num_targets));
