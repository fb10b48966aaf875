/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/classifier_fused.cu
 * kernels: fused_classifier_kernel1 fused_classifier_kernel2 fused_classifier_kernel3 fused_classifier_kernel4 _Z24fused_classifier_kernel5ILb1ELb0EEvPfS0_S0_PKfS2_PKiiiii
 * cflags: -std=c++17
 *
 * V classes in rows that are padded to P, a multiple of four. Arrays that may be absent are asked for with their full length: a null pointer is not read.
 */
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(block.y == 1, block.z == 1, B >= 1, T >= 1, V >= 1, V <= P, B * T * P <= 1073741824, grid.x == (B * T * 32 + block.x - 1) / block.x)
void fused_classifier_kernel1(float *dlogits LW_SHAPE(B * T, P), float *losses LW_SHAPE(B * T), const float *logits LW_SHAPE(B * T, P),
                              const float *dlosses LW_SHAPE(B * T), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V, int P);

LW_BLOCK_MULTIPLE(32) LW_REQUIRES(B >= 1, T >= 1, V >= 1, V <= P, P % 4 == 0, B * T * P <= 1073741824, grid.x == B * T)
void fused_classifier_kernel2(float *dlogits LW_SHAPE(B * T, P), float *losses LW_SHAPE(B * T), float *probs LW_SHAPE(B * T, P), const float *logits LW_SHAPE(B * T, P),
                              const float *dlosses LW_SHAPE(B * T), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V, int P);
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(B >= 1, T >= 1, V >= 1, V <= P, P % 4 == 0, B * T * P <= 1073741824, grid.x == B * T)
void fused_classifier_kernel3(float *dlogits LW_SHAPE(B * T, P), float *losses LW_SHAPE(B * T), float *probs LW_SHAPE(B * T, P), const float *logits LW_SHAPE(B * T, P),
                              const float *dlosses LW_SHAPE(B * T), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V, int P);
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(B >= 1, T >= 1, V >= 1, V <= P, P % 4 == 0, B * T * P <= 1073741824, grid.x == B * T)
void fused_classifier_kernel4(float *dlogits LW_SHAPE(B * T, P), float *losses LW_SHAPE(B * T), float *probs LW_SHAPE(B * T, P), const float *logits LW_SHAPE(B * T, P),
                              const float *dlosses LW_SHAPE(B * T), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V, int P);
LW_FOR("_Z24fused_classifier_kernel5ILb1ELb0EEvPfS0_S0_PKfS2_PKiiiii")
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(B >= 1, T >= 1, V >= 1, V <= P, P % 4 == 0, B * T * P <= 1073741824, grid.x == B * T)
void writes_logits(float *dlogits LW_SHAPE(B * T, P), float *losses LW_SHAPE(B * T), float *probs LW_SHAPE(B * T, P), const float *logits LW_SHAPE(B * T, P),
                   const float *dlosses LW_SHAPE(B * T), const int *targets LW_SHAPE(B * T) LW_VALUES(0, V), int B, int T, int V, int P);
