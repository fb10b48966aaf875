/* SPDX-License-Identifier: Apache-2.0
 * file: src/bilateral-cuda/main.cu
 * kernels: _Z15bilateralFilterILi3EEvPKfPfiifff
 *
 * Indices are mirrored once, so an image is at least as large as the window.
 */
LW_FOR("_Z15bilateralFilterILi3EEvPKfPfiifff") LW_BLOCK(16, 16) LW_DOMAIN(w, h) LW_REQUIRES(w >= 7, h >= 7, w * h <= 1073741824)
void window_of_7(const float *in LW_SHAPE(h, w), float *out LW_SHAPE(h, w), int w, int h, float a_square, float variance_I, float variance_spatial);
