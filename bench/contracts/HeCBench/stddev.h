/* SPDX-License-Identifier: Apache-2.0
 * file: src/stddev-cuda/main.cu
 * kernels: _Z12sampleKernelIfiEvPT_T0_S2_ _Z9sopKernelIfiLi256ELi32EEvPT_PKS0_T0_S4_
 *
 * The number of columns is a multiple of 32, as the program says of its argument.
 */
LW_FOR("_Z12sampleKernelIfiEvPT_T0_S2_") LW_BLOCK(256) LW_DOMAIN(D) LW_REQUIRES(D >= 32, D % 32 == 0, N >= 1)
void root(float *std LW_SHAPE(D), int D, int N);

LW_FOR("_Z9sopKernelIfiLi256ELi32EEvPT_PKS0_T0_S4_") LW_BLOCK(256)
LW_REQUIRES(D >= 32, D % 32 == 0, N >= 1, D * N <= 1073741824, grid.x == (N + 31) / 32, grid.y == D / 32)
void sums_of_squares(float *std LW_SHAPE(D), const float *data LW_SHAPE(N, D), int D, int N);
