/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/encoder_backward.cu
 * kernels: encoder_backward_kernel1 encoder_backward_kernel2
 * cflags: -std=c++17
 */
LW_DOMAIN(B * T * C) LW_REQUIRES(B >= 1, T >= 1, C >= 1, B * T * C <= 1073741824, len(dwte) <= 1073741824)
void encoder_backward_kernel1(float *dwte, float *dwpe LW_SHAPE(T, C), const float *dout LW_SHAPE(B * T, C), const int *inp LW_SHAPE(B * T) LW_VALUES(0, len(dwte) / C), int B,
                              int T, int C);
LW_DOMAIN(C) LW_REQUIRES(B >= 1, T >= 1, C >= 1, B * T * C <= 1073741824, len(dwte) <= 1073741824)
void encoder_backward_kernel2(float *dwte, float *dwpe LW_SHAPE(T, C), const float *dout LW_SHAPE(B * T, C), const int *inp LW_SHAPE(B * T) LW_VALUES(0, len(dwte) / C), int B,
                              int T, int C);
