/* SPDX-License-Identifier: Apache-2.0
 * file: src/dct8x8-cuda/kernels.cu
 * kernels: DCT8x8_kernel IDCT8x8_kernel
 */
LW_BLOCK(32, 2)
LW_REQUIRES(imageW >= 8, imageH >= 8, imageW % 8 == 0, imageH % 8 == 0, stride == imageW, imageW * imageH <= 1073741824, grid.x == (imageW + 31) / 32,
            grid.y == (imageH + 15) / 16)
void DCT8x8_kernel(float *d_Dst LW_SHAPE(imageH, imageW), const float *d_Src LW_SHAPE(imageH, imageW), unsigned stride, unsigned imageH, unsigned imageW);

LW_BLOCK(32, 2)
LW_REQUIRES(imageW >= 8, imageH >= 8, imageW % 8 == 0, imageH % 8 == 0, stride == imageW, imageW * imageH <= 1073741824, grid.x == (imageW + 31) / 32,
            grid.y == (imageH + 15) / 16)
void IDCT8x8_kernel(float *d_Dst LW_SHAPE(imageH, imageW), const float *d_Src LW_SHAPE(imageH, imageW), unsigned stride, unsigned imageH, unsigned imageW);
