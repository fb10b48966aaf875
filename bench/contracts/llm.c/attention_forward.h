/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/attention_forward.cu
 * kernels: attention_query_key_kernel1 attention_softmax_kernel1 softmax_forward_kernel4 softmax_forward_kernel5 attention_value_kernel1 attention_forward_kernel2 permute_kernel unpermute_kernel scale_kernel attention_forward_fused1 softmax_forward_kernel5_lowp permute_kernel_lowp unpermute_kernel_lowp
 * cflags: -std=c++17
 *
 * Batches of B, heads of NH, sequences of T, channels C that the heads divide.
 */
LW_DOMAIN(B * NH * T * T) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, C >= NH, C % NH == 0, B * NH * T * T <= 1073741824, B * T * 3 * C <= 1073741824)
void attention_query_key_kernel1(float *preatt LW_SHAPE(B * NH * T * T), const float *inp LW_SHAPE(B * T * 3 * C), int B, int T, int C, int NH);

LW_DOMAIN(B * T * NH) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, B * NH * T * T <= 1073741824)
void attention_softmax_kernel1(float *att LW_SHAPE(B * NH * T * T), const float *preatt LW_SHAPE(B * NH * T * T), int B, int T, int NH);

LW_BLOCK_MULTIPLE(32) LW_SHARED_BYTES(2 * block.x / 32 * 4) LW_REQUIRES(N >= 1, C >= 1, grid.x == N, N * C <= 1073741824)
void softmax_forward_kernel4(float *out LW_SHAPE(N, C), const float *inp LW_SHAPE(N, C), int N, int C);

LW_BLOCK(256) LW_DOMAIN(N * T * 32) LW_REQUIRES(N >= 1, T >= 4, T % 4 == 0, N * T * T <= 1073741824)
void softmax_forward_kernel5(float *out LW_SHAPE(N * T, T), float inv_temperature, const float *inp LW_SHAPE(N * T, T), int N, int T);

LW_BLOCK(256) LW_DOMAIN(N * T * 32) LW_REQUIRES(N >= 1, T >= 4, T % 4 == 0, N * T * T <= 1073741824)
void softmax_forward_kernel5_lowp(unsigned short *out LW_SHAPE(N * T, T), float inv_temperature, const unsigned short *inp LW_SHAPE(N * T, T), int N, int T);

LW_DOMAIN(B * T * NH) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, C >= NH, C % NH == 0, B * NH * T * T <= 1073741824, B * T * 3 * C <= 1073741824)
void attention_value_kernel1(float *out LW_SHAPE(B * T * C), const float *att LW_SHAPE(B * NH * T * T), const float *inp LW_SHAPE(B * T * 3 * C), int B, int T, int C, int NH);

/* Tiles of 32; the sequence is a multiple of them, as in the program. */
LW_BLOCK(32) LW_SHARED_BYTES(3 * Bc * d * 4 + Bc * Br * 4)
LW_REQUIRES(Bc == 32, Br == 32, d >= 1, d <= 128, N >= 32, N % 32 == 0, Tc == N / 32, Tr == N / 32, grid.x * grid.y * N * d <= 1073741824)
void attention_forward_kernel2(const float *Q LW_SHAPE(grid.x * grid.y * N * d), const float *K LW_SHAPE(grid.x * grid.y * N * d),
                               const float *V LW_SHAPE(grid.x * grid.y * N * d), int N, int d, int Tc, int Tr, int Bc, int Br, float softmax_scale,
                               float *l LW_SHAPE(grid.x * grid.y * N), float *m LW_SHAPE(grid.x * grid.y * N), float *O LW_SHAPE(grid.x * grid.y * N * d));

LW_DOMAIN(B * N * NH * d) LW_REQUIRES(B >= 1, N >= 1, NH >= 1, d >= 1, 3 * B * N * NH * d <= 1073741824)
void permute_kernel(float *q LW_SHAPE(B * NH * N * d), float *k LW_SHAPE(B * NH * N * d), float *v LW_SHAPE(B * NH * N * d), const float *inp LW_SHAPE(B * N * 3 * NH * d),
                    int B, int N, int NH, int d);
LW_DOMAIN(B * N * NH * d) LW_REQUIRES(B >= 1, N >= 1, NH >= 1, d >= 1, 3 * B * N * NH * d <= 1073741824)
void permute_kernel_lowp(unsigned short *q LW_SHAPE(B * NH * N * d), unsigned short *k LW_SHAPE(B * NH * N * d), unsigned short *v LW_SHAPE(B * NH * N * d),
                         const float *inp LW_SHAPE(B * N * 3 * NH * d), int B, int N, int NH, int d);
LW_DOMAIN(B * N * NH * d) LW_REQUIRES(B >= 1, N >= 1, NH >= 1, d >= 1, B * N * NH * d <= 1073741824)
void unpermute_kernel(const float *inp LW_SHAPE(B * NH * N * d), float *out LW_SHAPE(B * N * NH * d), int B, int N, int NH, int d);
LW_DOMAIN(B * N * NH * d) LW_REQUIRES(B >= 1, N >= 1, NH >= 1, d >= 1, B * N * NH * d <= 1073741824)
void unpermute_kernel_lowp(const unsigned short *inp LW_SHAPE(B * NH * N * d), float *out LW_SHAPE(B * N * NH * d), int B, int N, int NH, int d);

LW_DOMAIN(B * NH * T * T) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, B * NH * T * T <= 1073741824)
void scale_kernel(float *inp LW_SHAPE(B * NH * T * T), float scale, int B, int NH, int T);

LW_BLOCK(256)
LW_REQUIRES(B >= 1, T >= 1, NH >= 1, C >= NH, C % NH == 0, grid.x == (T + 7) / 8, grid.y == NH, grid.z == B, B * NH * T * T <= 1073741824, B * T * 3 * C <= 1073741824)
void attention_forward_fused1(float *out LW_SHAPE(B * T * C), float *preatt LW_SHAPE(B * NH * T * T), float *att LW_SHAPE(B * NH * T * T),
                              const float *inp LW_SHAPE(B * T * 3 * C), int B, int T, int C, int NH);
