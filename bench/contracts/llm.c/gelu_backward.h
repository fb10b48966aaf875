/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/gelu_backward.cu
 * kernels: gelu_backward1 gelu_backward2
 * cflags: -std=c++17
 *
 * The second kernel moves eight elements at once: the program's lengths are multiples of them.
 */
LW_DOMAIN(N) LW_REQUIRES(N >= 1, N <= 1073741824)
void gelu_backward1(unsigned short *dinp LW_SHAPE(N), const unsigned short *inp LW_SHAPE(N), const unsigned short *dout LW_SHAPE(N), int N);
LW_DOMAIN(N / 8) LW_REQUIRES(N >= 8, N % 8 == 0, N <= 1073741824)
void gelu_backward2(unsigned short *dinp LW_SHAPE(N), const unsigned short *inp LW_SHAPE(N), const unsigned short *dout LW_SHAPE(N), int N);
