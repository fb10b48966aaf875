/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/gelu_forward.cu
 * kernels: gelu_forward_kernel1 gelu_forward_kernel2
 * cflags: -std=c++17
 *
 * The second kernel moves eight elements at once: the program's lengths are multiples of them.
 */
LW_DOMAIN(N) LW_REQUIRES(N >= 1, N <= 1073741824)
void gelu_forward_kernel1(unsigned short *out LW_SHAPE(N), const unsigned short *inp LW_SHAPE(N), int N);
LW_DOMAIN(N / 8) LW_REQUIRES(N >= 8, N % 8 == 0, N <= 1073741824)
void gelu_forward_kernel2(unsigned short *out LW_SHAPE(N), const unsigned short *inp LW_SHAPE(N), int N);
