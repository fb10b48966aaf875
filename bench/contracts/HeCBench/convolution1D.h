/* SPDX-License-Identifier: Apache-2.0
 * file: src/convolution1D-cuda/main.cu
 * kernels: _Z6conv1dIfEvPKT_PS0_ii _Z12conv1d_tiledIfEvPKT_PS0_ii _Z20conv1d_tiled_cachingIfEvPKT_PS0_ii _Z12conv1d_tiledIsEvPKT_PS0_ii
 *
 * Blocks of 64 to 1024 that divide the width; masks of 3 to 9 elements.
 */
#define WIDTHS LW_REQUIRES(block.x >= 64, input_width <= 1073741824, input_width >= 1, grid.x == input_width / block.x, mask_width >= 3, mask_width <= 9, mask_width % 2 == 1)

LW_FOR("_Z6conv1dIfEvPKT_PS0_ii") WIDTHS
void conv1d_float(const float *in LW_SHAPE(input_width), float *out LW_SHAPE(input_width), int input_width, int mask_width);
LW_FOR("_Z12conv1d_tiledIfEvPKT_PS0_ii") LW_SHARED_BYTES((block.x + 9) * 4) WIDTHS
void tiled_float(const float *in LW_SHAPE(input_width), float *out LW_SHAPE(input_width), int input_width, int mask_width);
LW_FOR("_Z20conv1d_tiled_cachingIfEvPKT_PS0_ii") LW_SHARED_BYTES(block.x * 4) WIDTHS
void caching_float(const float *in LW_SHAPE(input_width), float *out LW_SHAPE(input_width), int input_width, int mask_width);
LW_FOR("_Z12conv1d_tiledIsEvPKT_PS0_ii") LW_SHARED_BYTES((block.x + 9) * 2) WIDTHS
void tiled_short(const short *in LW_SHAPE(input_width), short *out LW_SHAPE(input_width), int input_width, int mask_width);
