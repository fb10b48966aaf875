/* SPDX-License-Identifier: Apache-2.0
 * file: src/medianfilter-cuda/MedianFilter.cu
 * kernels: ckMedian
 *
 * The image is covered by tiles of 16 by 4. With a height that is no multiple of 4 the kernel writes a row too many: a real fault, see README.md.
 */
LW_BLOCK(16, 4) LW_DOMAIN(iImageWidth, iDevImageHeight) LW_SHARED_BYTES(18 * 6 * 4)
LW_REQUIRES(iLocalPixPitch == 18, iImageWidth >= 1, iDevImageHeight >= 1, iImageWidth <= 32768, iDevImageHeight <= 32768)
void ckMedian(const unsigned *uc4Source LW_SHAPE(iDevImageHeight, iImageWidth), unsigned *uiDest LW_SHAPE(iDevImageHeight, iImageWidth), int iLocalPixPitch,
              int iImageWidth, int iDevImageHeight);
