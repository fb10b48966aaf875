/* SPDX-License-Identifier: Apache-2.0
 * file: src/gaussian-cuda/gaussianElim.cu
 * kernels: fan1 fan2
 */
LW_BLOCK(256) LW_DOMAIN(size) LW_REQUIRES(size >= 1, size <= 32768, t >= 0, t < size)
void fan1(const float *a LW_SHAPE(size, size), float *m LW_SHAPE(size, size), int size, int t);

LW_BLOCK(16, 16) LW_DOMAIN(size, size) LW_REQUIRES(size >= 1, size <= 32768, t >= 0, t < size)
void fan2(float *a LW_SHAPE(size, size), float *b LW_SHAPE(size), const float *m LW_SHAPE(size, size), int size, int t);
