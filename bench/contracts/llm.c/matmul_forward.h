/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/matmul_forward.cu
 * kernels: matmul_forward_kernel1 add_bias matmul_forward_kernel4
 * cflags: -std=c++17
 *
 * The last kernel has tiles of 128 by 128 by 32 and no guards: sizes are multiples of them.
 */
LW_REQUIRES(BT >= 1, C >= 1, OC >= 1, BT * C <= 1073741824, BT * OC <= 1073741824, C * OC <= 1073741824, block.x == block.y, block.x <= 32,
            grid.x == (BT + block.x - 1) / block.x, grid.y == (OC + block.y - 1) / block.y)
void matmul_forward_kernel1(float *out LW_SHAPE(BT, OC), const float *inp LW_SHAPE(BT, C), const float *weight LW_SHAPE(OC, C), const float *bias LW_SHAPE(OC), int BT, int C, int OC);

LW_REQUIRES(B >= 1, T >= 1, OC >= 1, B * T * OC <= 1073741824, block.x * grid.x <= 1073741824)
void add_bias(float *out LW_SHAPE(B * T, OC), const float *bias LW_SHAPE(OC), int B, int T, int OC);

LW_BLOCK(16, 16) LW_REQUIRES(C >= 32, C % 32 == 0, C <= 65536, OC == grid.y * 128, OC <= 65536, grid.x <= 128)
void matmul_forward_kernel4(float *out LW_SHAPE(grid.x * 128, OC), const float *inp LW_SHAPE(grid.x * 128, C), const float *weight LW_SHAPE(OC, C), const float *bias LW_SHAPE(OC),
                            int C, int OC);
