/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/fused_residual_forward.cu
 * kernels: residual_forward_kernel1 layernorm_forward_kernel1 fused_residual_forward2 fused_residual_forward3 fused_residual_forward_kernel4 fused_residual_forward_kernel5 fused_residual_forward_kernel6
 * cflags: -std=c++17
 *
 * N rows of C channels. Four of the kernels let row N through: a real fault, see README.md.
 */
LW_DOMAIN(N) LW_REQUIRES(N >= 1, N <= 1073741824)
void residual_forward_kernel1(unsigned short *out LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N), const unsigned short *inp2 LW_SHAPE(N), int N);

LW_DOMAIN(N) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824)
void layernorm_forward_kernel1(unsigned short *out LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N), unsigned short *rstd LW_SHAPE(N), const unsigned short *inp LW_SHAPE(N, C),
                               const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);

LW_DOMAIN(N) LW_REQUIRES(N >= 1, C >= 1, N * C <= 1073741824)
void fused_residual_forward2(unsigned short *residual LW_SHAPE(N, C), unsigned short *normed LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N),
                             unsigned short *rstd LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N, C), const unsigned short *inp2 LW_SHAPE(N, C),
                             const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);

LW_REQUIRES(block.x == 32, N >= 1, C >= 1, N * C <= 1073741824, grid.x == (N + block.y - 1) / block.y)
void fused_residual_forward3(unsigned short *residual LW_SHAPE(N, C), unsigned short *normed LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N),
                             unsigned short *rstd LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N, C), const unsigned short *inp2 LW_SHAPE(N, C),
                             const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);

LW_REQUIRES(block.x == 32, N >= 1, C >= 8, C % 8 == 0, N * C <= 1073741824, grid.x == (N + block.y - 1) / block.y)
void fused_residual_forward_kernel4(unsigned short *residual LW_SHAPE(N, C), unsigned short *normed LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N),
                                    unsigned short *rstd LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N, C), const unsigned short *inp2 LW_SHAPE(N, C),
                                    const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);

LW_SHARED_BYTES((2 + block.y) * C * 2)
LW_REQUIRES(block.x == 32, N >= 1, C >= 8, C % 8 == 0, C <= 32768, N * C <= 1073741824, grid.x == (N + block.y - 1) / block.y)
void fused_residual_forward_kernel5(unsigned short *residual LW_SHAPE(N, C), unsigned short *normed LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N),
                                    unsigned short *rstd LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N, C), const unsigned short *inp2 LW_SHAPE(N, C),
                                    const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);

LW_SHARED_BYTES((2 + block.z) * C * 2 + 64 * block.z * 4)
LW_REQUIRES(block.x == 32, block.y * block.z <= 32, N >= 1, C >= 8, C % 8 == 0, C <= 32768, N * C <= 1073741824, grid.x <= 65536)
void fused_residual_forward_kernel6(unsigned short *residual LW_SHAPE(N, C), unsigned short *normed LW_SHAPE(N, C), unsigned short *mean LW_SHAPE(N),
                                    unsigned short *rstd LW_SHAPE(N), const unsigned short *inp1 LW_SHAPE(N, C), const unsigned short *inp2 LW_SHAPE(N, C),
                                    const unsigned short *weight LW_SHAPE(C), const unsigned short *bias LW_SHAPE(C), int N, int C);
