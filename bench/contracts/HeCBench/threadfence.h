/* SPDX-License-Identifier: Apache-2.0
 * file: src/threadfence-cuda/main.cu
 * kernels: sum
 */
LW_BLOCK(256) LW_DOMAIN(N) LW_REQUIRES(N >= 1, N <= 1073741824)
void sum(const float *array LW_SHAPE(N), int N, unsigned *count LW_SHAPE(1), volatile float *result LW_SHAPE(grid.x));
