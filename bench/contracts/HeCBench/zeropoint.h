/* SPDX-License-Identifier: Apache-2.0
 * file: src/zeropoint-cuda/main.cu
 * kernels: zero_point
 */
LW_BLOCK(256) LW_DOMAIN(size) LW_REQUIRES(size >= 1, size <= 2147483392, qmin >= -32768, qmax <= 32767, qmin + 2 <= qmax)
void zero_point(const float *x_min LW_SHAPE(size), const float *x_max LW_SHAPE(size), int qmin, int qmax, int size, bool preserve_sparsity, float *scale LW_SHAPE(size),
                int *zero_point LW_SHAPE(size));
