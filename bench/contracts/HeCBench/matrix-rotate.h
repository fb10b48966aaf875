/* SPDX-License-Identifier: Apache-2.0
 * file: src/matrix-rotate-cuda/main.cu
 * kernels: rotate_matrix_parallel
 *
 * A thread for each ring of a square.
 */
LW_BLOCK(256) LW_DOMAIN(n / 2) LW_REQUIRES(n >= 2, n <= 32768)
void rotate_matrix_parallel(float *matrix LW_SHAPE(n, n), int n);
