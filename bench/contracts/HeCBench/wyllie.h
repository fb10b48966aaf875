/* SPDX-License-Identifier: Apache-2.0
 * file: src/wyllie-cuda/main.cu
 * kernels: wyllie
 *
 * The successor stands in the upper half of what is read, so no contract can bound it.
 */
LW_BLOCK(256) LW_DOMAIN(size) LW_REQUIRES(size >= 1, size <= 1073741824)
void wyllie(long *list LW_SHAPE(size), int size);
