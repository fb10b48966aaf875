/* SPDX-License-Identifier: Apache-2.0
 * file: src/convolutionSeparable-cuda/conv.cu
 * kernels: conv_rows conv_cols
 *
 * A block does eight tiles; sides are multiples of what it does. The kernel has a radius of 8.
 */
LW_BLOCK(16, 4)
LW_REQUIRES(imageW >= 128, imageH >= 4, imageW % 128 == 0, imageH % 4 == 0, pitch == imageW, imageW * imageH <= 1073741824, grid.x == imageW / 128,
            grid.y == imageH / 4)
void conv_rows(float *dst LW_SHAPE(imageH, imageW), const float *src LW_SHAPE(imageH, imageW), const float *kernel LW_SHAPE(17), int imageW, int imageH, int pitch);

LW_BLOCK(16, 8)
LW_REQUIRES(imageW >= 16, imageH >= 64, imageW % 16 == 0, imageH % 64 == 0, pitch == imageW, imageW * imageH <= 1073741824, grid.x == imageW / 16,
            grid.y == imageH / 64)
void conv_cols(float *dst LW_SHAPE(imageH, imageW), const float *src LW_SHAPE(imageH, imageW), const float *kernel LW_SHAPE(17), int imageW, int imageH, int pitch);
