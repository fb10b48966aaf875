/* SPDX-License-Identifier: Apache-2.0
 * file: src/stencil3d-cuda/main.cu
 * kernels: stencil3d
 *
 * Blocks overlap by a border of one cell; three directions of conductivity lie behind one another in each sigma.
 */
LW_BLOCK(16, 16)
LW_REQUIRES(nx >= 3, ny >= 3, nz >= 3, nx <= 700, ny == nx, nz == nx, grid.x == (nx + 17) / 20, grid.y == (ny + 11) / 14, grid.z == (nz + 11) / 14)
void stencil3d(const double *d_psi LW_SHAPE(nx, ny, nz), double *d_npsi LW_SHAPE(nx, ny, nz), const double *d_sigmaX LW_SHAPE(3 * nx * ny * nz),
               const double *d_sigmaY LW_SHAPE(3 * nx * ny * nz), const double *d_sigmaZ LW_SHAPE(3 * nx * ny * nz), int nx, int ny, int nz);
