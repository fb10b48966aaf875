/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/crossentropy_forward.cu
 * kernels: crossentropy_forward_kernel1
 * cflags: -std=c++17
 */
LW_DOMAIN(B * T) LW_REQUIRES(B >= 1, T >= 1, V >= 1, B * T * V <= 1073741824)
void crossentropy_forward_kernel1(float *losses LW_SHAPE(B * T), const float *probs LW_SHAPE(B * T, V), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T,
                                  int V);
