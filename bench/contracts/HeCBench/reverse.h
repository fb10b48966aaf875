/* SPDX-License-Identifier: Apache-2.0
 * file: src/reverse-cuda/main.cu
 * kernels: reverse
 */
LW_BLOCK(256) LW_REQUIRES(grid.x == 1, len == 256)
void reverse(int *d LW_SHAPE(256), int len);
