/* SPDX-License-Identifier: Apache-2.0
 * file: src/scatterAdd-cuda/main.cu
 * kernels: scatterAdd_kernel scatterAdd2_kernel
 *
 * Sums of vectors by index, collected in shared memory: all outputs, and behind them a piece of the indices.
 */
LW_BLOCK(32, 16) LW_SHARED_BYTES((output_size * vector_dim + 512) * 4)
LW_REQUIRES(batch_size >= 1, output_size >= 1, vector_dim >= 1, output_size * vector_dim <= 57000, batch_size <= 1073741824, grid.x == batch_size / 8192 + 1)
void scatterAdd_kernel(const int *indexes LW_SHAPE(batch_size) LW_VALUES(0, output_size), const float *source LW_SHAPE(batch_size, vector_dim),
                       float *outputs LW_SHAPE(output_size, vector_dim), int batch_size, int output_size, int vector_dim);
LW_BLOCK(32, 16) LW_SHARED_BYTES((output_size * vector_dim + 512) * 4)
LW_REQUIRES(batch_size >= 1, output_size >= 1, vector_dim >= 1, output_size * vector_dim <= 57000, batch_size <= 1073741824, grid.x == batch_size / 8192 + 1)
void scatterAdd2_kernel(const int *indexes LW_SHAPE(batch_size) LW_VALUES(0, output_size), const float *source LW_SHAPE(batch_size, vector_dim),
                        float *outputs LW_SHAPE(output_size, vector_dim), int batch_size, int output_size, int vector_dim);
