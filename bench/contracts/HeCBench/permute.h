/* SPDX-License-Identifier: Apache-2.0
 * file: src/permute-cuda/main.cu
 * kernels: permute_kernel
 * cflags: -std=c++17 -I../qkv-cuda
 */
LW_DOMAIN(B * T * NH * d) LW_REQUIRES(B >= 1, T >= 1, NH >= 1, d >= 1, 3 * B * T * NH * d <= 1073741824)
void permute_kernel(float *Q LW_SHAPE(B * NH * T * d), float *K LW_SHAPE(B * NH * T * d), float *V LW_SHAPE(B * NH * T * d), const float *inp LW_SHAPE(B * T * 3 * NH * d), int B,
                    int T, int NH, int d);
