/* SPDX-License-Identifier: Apache-2.0
 * file: src/sobel-cuda/main.cu
 * kernels: sobel_filter
 * cflags: -std=c++17 -I../include
 */
LW_BLOCK(16, 16) LW_REQUIRES(width >= 1, height >= 1, width * height <= 1073741824, grid.x == width / 16, grid.y == height / 16)
void sobel_filter(const unsigned *inputImage LW_SHAPE(height, width), unsigned *outputImage LW_SHAPE(height, width), unsigned width, unsigned height);
