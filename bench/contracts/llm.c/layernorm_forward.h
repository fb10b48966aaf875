/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/layernorm_forward.cu
 * kernels: layernorm_forward_kernel1 mean_kernel rstd_kernel normalization_kernel layernorm_forward_kernel3 layernorm_forward_kernel4 layernorm_forward_kernel5 layernorm_forward_kernel6
 * cflags: -std=c++17
 *
 * N rows of C channels. `normalization_kernel` has no guard: the program's sizes fill its blocks.
 */
LW_DOMAIN(N) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824)
void layernorm_forward_kernel1(float *out LW_SHAPE(N, C), float *mean LW_SHAPE(N), float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *weight LW_SHAPE(C),
                               const float *bias LW_SHAPE(C), int N, int C);

LW_SHARED_BYTES(block.x * 4) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, block_size == block.x, grid.x == N)
void mean_kernel(float *mean LW_SHAPE(N), const float *inp LW_SHAPE(N, C), int N, int C, int block_size);
LW_SHARED_BYTES(block.x * 4) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, block_size == block.x, grid.x == N)
void rstd_kernel(float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *mean LW_SHAPE(N), int N, int C, int block_size);

LW_BLOCK(256) LW_DOMAIN(B * T * C) LW_REQUIRES(B >= 1, T >= 1, C >= 1, B * T * C <= 1073741824, B * T * C % 256 == 0)
void normalization_kernel(float *out LW_SHAPE(B * T, C), const float *inp LW_SHAPE(B * T, C), float *mean LW_SHAPE(B * T), float *rstd LW_SHAPE(B * T),
                          const float *weight LW_SHAPE(C), const float *bias LW_SHAPE(C), int B, int T, int C);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(N * 32) LW_REQUIRES(block.y == 1, block.z == 1, N >= 1, C >= 1, N <= 33554432, N * C <= 1073741824)
void layernorm_forward_kernel3(float *out LW_SHAPE(N, C), float *mean LW_SHAPE(N), float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *weight LW_SHAPE(C),
                               const float *bias LW_SHAPE(C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_DOMAIN(N * 32) LW_REQUIRES(block.y == 1, block.z == 1, N >= 1, C >= 1, N <= 33554432, N * C <= 1073741824)
void layernorm_forward_kernel4(float *out LW_SHAPE(N, C), float *mean LW_SHAPE(N), float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *weight LW_SHAPE(C),
                               const float *bias LW_SHAPE(C), int N, int C);
LW_BLOCK_MULTIPLE(32) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824, grid.x == N)
void layernorm_forward_kernel5(float *out LW_SHAPE(N, C), float *mean LW_SHAPE(N), float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *weight LW_SHAPE(C),
                               const float *bias LW_SHAPE(C), int N, int C);
LW_SHARED_BYTES((2 + block.y) * C * 4)
LW_REQUIRES(block.x == 32, N >= 1, C >= 4, C % 4 == 0, C <= 32768, N * C <= 1073741824, grid.x == (N + block.y - 1) / block.y)
void layernorm_forward_kernel6(float *out LW_SHAPE(N, C), float *mean LW_SHAPE(N), float *rstd LW_SHAPE(N), const float *inp LW_SHAPE(N, C), const float *weight LW_SHAPE(C),
                               const float *bias LW_SHAPE(C), int N, int C);
