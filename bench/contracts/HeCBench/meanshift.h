/* SPDX-License-Identifier: Apache-2.0
 * file: src/meanshift-cuda/main.cu
 * kernels: _ZN10mean_shift3gpu10mean_shiftEPKfPf _ZN10mean_shift3gpu17mean_shift_tilingEPKfPf
 *
 * 10000 points in three coordinates. In the second kernel threads behind the last point read past them: a real fault, see README.md.
 */
LW_BLOCK(64) LW_REQUIRES(grid.x == 157)
void mean_shift(const float *data LW_SHAPE(10000, 3), float *data_next LW_SHAPE(10000, 3));
LW_BLOCK(64) LW_REQUIRES(grid.x == 157)
void mean_shift_tiling(const float *data LW_SHAPE(10000, 3), float *data_next LW_SHAPE(10000, 3));
