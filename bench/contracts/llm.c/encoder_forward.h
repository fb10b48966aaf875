/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/encoder_forward.cu
 * kernels: encoder_forward_kernel1 encoder_forward_kernel2 encoder_forward_kernel3
 * cflags: -std=c++17
 *
 * Tokens lie within the vocabulary, whose size is that of `wte`. The last kernel moves eight channels at once.
 */
LW_DOMAIN(B * T) LW_REQUIRES(B >= 1, T >= 1, C >= 1, B * T * C <= 1073741824, len(wte) <= 1073741824)
void encoder_forward_kernel1(unsigned short *out LW_SHAPE(B * T, C), const int *inp LW_SHAPE(B * T) LW_VALUES(0, len(wte) / C), const unsigned short *wte,
                             const unsigned short *wpe LW_SHAPE(T, C), int B, int T, int C);
LW_DOMAIN(B * T * C) LW_REQUIRES(B >= 1, T >= 1, C >= 1, B * T * C <= 1073741824, len(wte) <= 1073741824)
void encoder_forward_kernel2(unsigned short *out LW_SHAPE(B * T, C), const int *inp LW_SHAPE(B * T) LW_VALUES(0, len(wte) / C), const unsigned short *wte,
                             const unsigned short *wpe LW_SHAPE(T, C), int B, int T, int C);
LW_DOMAIN(B * T * C / 8) LW_REQUIRES(B >= 1, T >= 1, C >= 8, C % 8 == 0, B * T * C <= 1073741824, len(wte) <= 1073741824)
void encoder_forward_kernel3(unsigned short *out LW_SHAPE(B * T, C), const int *inp LW_SHAPE(B * T) LW_VALUES(0, len(wte) / C), const unsigned short *wte,
                             const unsigned short *wpe LW_SHAPE(T, C), int B, int T, int C);
