/* SPDX-License-Identifier: Apache-2.0
 * file: src/scan2-cuda/main.cu
 * kernels: blockAddition ScanLargeArrays prefixSum
 *
 * Lengths and block sizes are powers of two; a thread has two elements.
 */
LW_REQUIRES(grid.x * block.x <= 1073741824)
void blockAddition(const float *input LW_SHAPE(grid.x), float *output LW_SHAPE(grid.x, block.x));

LW_SHARED_BYTES(4 * block_size)
LW_REQUIRES(block_size == 2 * block.x, grid.x * block_size <= 1073741824)
void ScanLargeArrays(float *output LW_SHAPE(grid.x, block_size), const float *input LW_SHAPE(grid.x, block_size), unsigned block_size,
                     float *sumBuffer LW_SHAPE(grid.x));

LW_SHARED_BYTES((2 * block.x + 1) * 4)
LW_REQUIRES(grid.x == 1, block_size >= 2 * block.x, block_size <= 2048)
void prefixSum(float *output LW_SHAPE(2 * block.x), const float *input LW_SHAPE(2 * block.x), unsigned block_size);
