/* SPDX-License-Identifier: Apache-2.0
 * file: src/stencil1d-cuda/stencil_1d.cu
 * kernels: stencil_1d
 *
 * The input has 7 elements more than threads, behind the last one.
 */
LW_BLOCK(256) LW_REQUIRES(grid.x <= 4194304)
void stencil_1d(const int *in LW_SHAPE(grid.x * 256 + 7), int *out LW_SHAPE(grid.x * 256));
