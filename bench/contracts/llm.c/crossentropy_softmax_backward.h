/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/crossentropy_softmax_backward.cu
 * kernels: crossentropy_softmax_backward_kernel1
 * cflags: -std=c++17
 */
LW_DOMAIN(B * T * V) LW_REQUIRES(B >= 1, T >= 1, V >= 1, B * T * V <= 1073741824)
void crossentropy_softmax_backward_kernel1(float *dlogits LW_SHAPE(B * T, V), const float *dlosses LW_SHAPE(B * T), const float *probs LW_SHAPE(B * T, V),
                                           const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V);
