/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/matmul_backward_bias.cu
 * kernels: matmul_backward_bias_kernel1 matmul_backward_bias_kernel2 matmul_backward_bias_kernel3 matmul_backward_bias_kernel4 cast_and_add_kernel matmul_backward_bias_kernel7 reduce_add_sum_kernel _Z28matmul_backward_bias_kernel8IfLb1EEvPT_PK13__nv_bfloat16iiiSt17integral_constantIbXT0_EE _Z28matmul_backward_bias_kernel9IfLb1EEvPT_PK13__nv_bfloat16iiiSt17integral_constantIbXT0_EE
 * cflags: -std=c++17
 *
 * Sums of B * T rows of OC channels, in blocks of 32 to 1024 threads.
 */
LW_SHARED_BYTES(block.x * 4) LW_REQUIRES(B >= 1, T >= 1, OC >= 1, B * T * OC <= 1073741824, grid.x == OC)
void matmul_backward_bias_kernel1(unsigned short *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC);

LW_BLOCK_MULTIPLE(32) LW_DOMAIN(OC * 32) LW_REQUIRES(block.y == 1, block.z == 1, B >= 1, T >= 1, OC >= 1, B * T * OC <= 1073741824, OC <= 33554432)
void matmul_backward_bias_kernel2(unsigned short *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC);

LW_BLOCK_MULTIPLE(32) LW_REQUIRES(B >= 1, T >= 1, OC >= 1, B * T * OC <= 1073741824, grid.x == OC)
void matmul_backward_bias_kernel3(unsigned short *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC);

LW_BLOCK_MULTIPLE(32) LW_SHARED_BYTES(block.x * 4) LW_REQUIRES(B >= 1, T >= 1, OC >= 32, OC % 32 == 0, B * T * OC <= 1073741824, grid.x == OC / 32)
void matmul_backward_bias_kernel4(unsigned short *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC);

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n >= 1, n <= 1073741824)
void cast_and_add_kernel(unsigned short *dst LW_SHAPE(n), const float *src LW_SHAPE(n), size_t n);

LW_SHARED_BYTES(1024)
LW_REQUIRES(block.x == 32, block_size == 32 * block.y, block.y >= 8, B >= 1, T >= 1, OC >= 8, OC % 8 == 0, B * T * OC <= 1073741824, grid.x == (OC + 255) / 256,
            grid.y * block.y <= 65536)
void matmul_backward_bias_kernel7(float *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC, int block_size);

LW_BLOCK(256) LW_DOMAIN(n / 4) LW_REQUIRES(n >= 8, n % 8 == 0, n <= 1048576, m <= 1024)
void reduce_add_sum_kernel(unsigned short *dst LW_SHAPE(n), const float *src LW_SHAPE(m, n), size_t n, size_t m);

struct flag {
    char nothing;
};

LW_FOR("_Z28matmul_backward_bias_kernel8IfLb1EEvPT_PK13__nv_bfloat16iiiSt17integral_constantIbXT0_EE")
LW_REQUIRES(block.x == 4, block.y == 8, B >= 1, T >= 1, OC >= 8, OC % 8 == 0, B * T * OC <= 1073741824, grid.x == (OC + 63) / 64, grid.y <= 4096)
void adds_atomically(float *dbias LW_SHAPE(OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC, struct flag flag);

LW_FOR("_Z28matmul_backward_bias_kernel9IfLb1EEvPT_PK13__nv_bfloat16iiiSt17integral_constantIbXT0_EE")
LW_REQUIRES(block.x == 4, block.y == 8, B >= 1, T >= 1, OC >= 8, OC % 8 == 0, B * T * OC <= 1073741824, grid.x == (OC + 63) / 64, grid.y * OC <= 1073741824)
void into_buffer(float *dbias LW_SHAPE(grid.y, OC), const unsigned short *dout LW_SHAPE(B * T, OC), int B, int T, int OC, struct flag flag);
