/* SPDX-License-Identifier: Apache-2.0
 * file: src/relu-cuda/main.cu
 * kernels: ReluGrad_impl1 ReluGrad_impl2 Relu_impl1 Relu_impl2
 */
LW_BLOCK(256) LW_REQUIRES(count >= 2, count <= 1073741824, grid.x == (count / 2 + 255) / 256)
void ReluGrad_impl1(const unsigned short *gradient LW_SHAPE(count), const unsigned short *feature LW_SHAPE(count), unsigned short *backprop LW_SHAPE(count), int count);
LW_BLOCK(256) LW_REQUIRES(count >= 8, count <= 1073741824, grid.x == (count / 8 + 255) / 256)
void ReluGrad_impl2(const unsigned short *gradient LW_SHAPE(count), const unsigned short *feature LW_SHAPE(count), unsigned short *backprop LW_SHAPE(count), int count);
LW_BLOCK(256) LW_DOMAIN(count) LW_REQUIRES(count >= 1, count <= 1073741824)
void Relu_impl1(int count, const int *input LW_SHAPE(count), int *output LW_SHAPE(count));
LW_BLOCK(256) LW_DOMAIN(count) LW_REQUIRES(count >= 1, count <= 1073741824)
void Relu_impl2(int count, const int *input LW_SHAPE(count), int *output LW_SHAPE(count));
