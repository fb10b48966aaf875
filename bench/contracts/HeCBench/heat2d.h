/* SPDX-License-Identifier: Apache-2.0
 * file: src/heat2d-cuda/main.cu
 * kernels: dev_lapl_iter
 *
 * As many blocks of 256 as 16 by 16 tiles fit; the surface is closed on itself.
 */
LW_BLOCK(256) LW_REQUIRES(Lx >= 1, Ly >= 1, Lx * Ly <= 1073741824, grid.x == Lx / 16 * Ly / 16)
void dev_lapl_iter(float *out LW_SHAPE(Ly, Lx), const float *in LW_SHAPE(Ly, Lx), float delta, float norm, int Lx, int Ly);
