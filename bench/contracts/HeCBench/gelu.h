/* SPDX-License-Identifier: Apache-2.0
 * file: src/gelu-cuda/main.cu
 * kernels: gelu_bias_loop gelu_bias_loop_base
 *
 * A block for each word of each sentence; the hidden dimension is even.
 */
LW_REQUIRES(width >= 2, width % 2 == 0, height >= 1, grid.x == height, width * height * grid.y <= 1073741824)
void gelu_bias_loop(unsigned short *src LW_SHAPE(grid.y, height, width), const unsigned short *bias LW_SHAPE(width), int width, int height);

LW_REQUIRES(width >= 2, width % 2 == 0, height >= 1, grid.x == height, width * height * grid.y <= 1073741824)
void gelu_bias_loop_base(unsigned short *src LW_SHAPE(grid.y, height, width), const unsigned short *bias LW_SHAPE(width), int width, int height);
