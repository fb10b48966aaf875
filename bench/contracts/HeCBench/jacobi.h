/* SPDX-License-Identifier: Apache-2.0
 * file: src/jacobi-cuda/main.cu
 * kernels: jacobi_step
 */
#define SIDE 2048

LW_BLOCK(16, 16) LW_REQUIRES(grid.x == SIDE / 16, grid.y == SIDE / 16)
void jacobi_step(float *f LW_SHAPE(SIDE, SIDE), const float *f_old LW_SHAPE(SIDE, SIDE), float *error LW_SHAPE(1));
