/* SPDX-License-Identifier: Apache-2.0
 * file: src/bitonic-sort-cuda/main.cu
 * kernels: bitonic_sort
 *
 * The length is a power of two of at least 256, and `seq_len` a smaller one: a divisor.
 */
LW_BLOCK(256)
LW_REQUIRES(grid.x <= 2097152, seq_len >= 2, seq_len % 2 == 0, grid.x * 256 % seq_len == 0, two_power >= 1)
void bitonic_sort(int seq_len, int two_power, int *a LW_SHAPE(grid.x * 256));
