/* SPDX-License-Identifier: Apache-2.0
 * file: src/fdtd3d-cuda/FDTD3dGPU.cu
 * kernels: finite_difference
 *
 * A volume with a margin of 4 on all sides, and `padding` elements before it. Threads behind its edges read too: where blocks do not fill the volume, past its
 * end; a real fault, see README.md.
 */
LW_BLOCK(32, 16) LW_DOMAIN(dimx, dimy)
LW_REQUIRES(dimx >= 96, dimy >= 96, dimz >= 96, dimx <= 376, dimy <= 376, dimz <= 376, padding == 28)
void finite_difference(float *output LW_SHAPE((dimx + 8) * (dimy + 8) * (dimz + 8) + padding), const float *input LW_SHAPE((dimx + 8) * (dimy + 8) * (dimz + 8) + padding),
                       const float *coef LW_SHAPE(5), int dimx, int dimy, int dimz, int padding);
