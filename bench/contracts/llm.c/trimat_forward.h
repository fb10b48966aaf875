/* SPDX-License-Identifier: Apache-2.0
 * file: dev/cuda/trimat_forward.cu
 * kernels: permute_kernel _Z13trimul_globalIXadL_Z16matmul_tri_naivePfiPKfiS2_iiifEEEvS0_S2_iii _Z13trimul_globalIXadL_Z11matmul_tri3PfiPKfiS2_iiifEEEvS0_S2_iii _Z13trimul_globalIXadL_Z11matmul_tri4PfiPKfiS2_iiifEEEvS0_S2_iii
 * cflags: -std=c++17
 *
 * Tiles of 128 by 128 and 32 channels without guards: sizes are multiples of them.
 */
#define TRIANGLE                                                                                                                                       \
    LW_BLOCK(16, 16)                                                                                                                                   \
    LW_REQUIRES(T >= 128, T % 128 == 0, NH >= 1, C >= 32 * NH, C % (32 * NH) == 0, grid.x == T / 128, grid.y == T / 128, grid.z % NH == 0,             \
                grid.z / NH * T * 3 * C <= 1073741824, grid.z * T * T <= 1073741824)

LW_BLOCK(256) LW_DOMAIN(B * T * NH * HS) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, HS >= 1, 3 * B * T * NH * HS <= 1073741824)
void permute_kernel(float *q LW_SHAPE(B * NH * T * HS), float *k LW_SHAPE(B * NH * T * HS), float *v LW_SHAPE(B * NH * T * HS), const float *inp LW_SHAPE(B * T * 3 * NH * HS),
                    int B, int T, int NH, int HS);

LW_FOR("_Z13trimul_globalIXadL_Z16matmul_tri_naivePfiPKfiS2_iiifEEEvS0_S2_iii") TRIANGLE
void naive(float *out LW_SHAPE(grid.z * T * T), const float *inp LW_SHAPE(grid.z / NH * T * 3 * C), int T, int C, int NH);
LW_FOR("_Z13trimul_globalIXadL_Z11matmul_tri3PfiPKfiS2_iiifEEEvS0_S2_iii") TRIANGLE
void by_vectors(float *out LW_SHAPE(grid.z * T * T), const float *inp LW_SHAPE(grid.z / NH * T * 3 * C), int T, int C, int NH);
LW_FOR("_Z13trimul_globalIXadL_Z11matmul_tri4PfiPKfiS2_iiifEEEvS0_S2_iii") TRIANGLE
void by_tiles(float *out LW_SHAPE(grid.z * T * T), const float *inp LW_SHAPE(grid.z / NH * T * 3 * C), int T, int C, int NH);
