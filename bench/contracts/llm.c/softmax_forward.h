/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/softmax_forward.cu
 * kernels: softmax_forward_kernel1 softmax_forward_kernel2 softmax_forward_kernel3 softmax_forward_kernel4 softmax_forward_online_kernel1 softmax_forward_online_kernel2 softmax_forward_kernel7 softmax_forward_online_kernel8
 * cflags: -std=c++17
 *
 * N rows of C classes; a thread, a warp or a block for each.
 */
LW_DOMAIN(N) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824)
void softmax_forward_kernel1(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_SHARED_BYTES(block.x * 4) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, grid.x == N)
void softmax_forward_kernel2(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_BLOCK(32) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, grid.x == N)
void softmax_forward_kernel3(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_SHARED_BYTES(block.x / 32 * 4) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, grid.x == N)
void softmax_forward_kernel4(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_DOMAIN(N) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824)
void softmax_forward_online_kernel1(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_DOMAIN(N * 32) LW_REQUIRES(block.y == 1, block.z == 1, N >= 1, C >= 1, N <= 33554432, N * C <= 1073741824)
void softmax_forward_online_kernel2(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_SHARED_BYTES(2 * block.x / 32 * 4) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, grid.x == N)
void softmax_forward_kernel7(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_DOMAIN(N * 32) LW_REQUIRES(block.y == 1, block.z == 1, N >= 1, C >= 1, N <= 33554432, N * C <= 1073741824)
void softmax_forward_online_kernel8(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);
