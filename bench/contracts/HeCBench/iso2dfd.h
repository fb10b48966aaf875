/* SPDX-License-Identifier: Apache-2.0
 * file: src/iso2dfd-cuda/iso2dfd.cu
 * kernels: iso_2dfd_kernel
 */
LW_BLOCK(16, 16) LW_DOMAIN(nCols, nRows) LW_REQUIRES(nRows >= 2, nCols >= 2, nRows * nCols <= 2147483647)
void iso_2dfd_kernel(float *next LW_SHAPE(nRows, nCols), const float *prev LW_SHAPE(nRows, nCols), const float *vel LW_SHAPE(nRows, nCols), float dtDIVdxy, size_t nRows,
                     size_t nCols);
