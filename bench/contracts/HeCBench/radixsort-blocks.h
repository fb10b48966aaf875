/* SPDX-License-Identifier: Apache-2.0
 * file: src/radixsort-cuda/RadixSort.cu
 * kernels: radixSortBlocksKeysK findRadixOffsetsK reorderDataKeysOnlyK
 *
 * Blocks of 128 threads with four, two and two keys each.
 */
LW_BLOCK(128) LW_REQUIRES(grid.x <= 2097152, nbits == 4, startbit <= 28)
void radixSortBlocksKeysK(const unsigned *keysIn LW_SHAPE(grid.x * 512), unsigned *keysOut LW_SHAPE(grid.x * 512), unsigned nbits, unsigned startbit);

LW_BLOCK(128) LW_REQUIRES(grid.x <= 4194304, startbit <= 28, totalBlocks == grid.x)
void findRadixOffsetsK(const unsigned *keys LW_SHAPE(grid.x * 256), unsigned *counters LW_SHAPE(16, totalBlocks), unsigned *blockOffsets LW_SHAPE(totalBlocks, 16),
                       unsigned startbit, unsigned totalBlocks);

LW_BLOCK(128) LW_REQUIRES(grid.x <= 4194304, startbit <= 28, totalBlocks == grid.x, numElements == 256 * totalBlocks)
void reorderDataKeysOnlyK(unsigned *outKeys LW_SHAPE(numElements), const unsigned *keys LW_SHAPE(numElements), unsigned *blockOffsets LW_SHAPE(totalBlocks, 16),
                          const unsigned *offsets LW_SHAPE(16, totalBlocks), unsigned startbit, unsigned numElements, unsigned totalBlocks);
