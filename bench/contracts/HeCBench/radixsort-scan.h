/* SPDX-License-Identifier: Apache-2.0
 * file: src/radixsort-cuda/Scan.cu
 * kernels: scanExclusiveLocal1K scanExclusiveLocal2K uniformUpdateK
 *
 * Blocks of 256 threads; the arrays of the long scan have 1024 elements for each of the second one's.
 */
LW_BLOCK(256) LW_REQUIRES(grid.x <= 65536, size == 1024)
void scanExclusiveLocal1K(unsigned *d_Dst LW_SHAPE(grid.x * 1024), const unsigned *d_Src LW_SHAPE(grid.x * 1024), unsigned size);

LW_BLOCK(256) LW_DOMAIN(N) LW_REQUIRES(N <= 65536, arrayLength >= 2, arrayLength <= 256)
void scanExclusiveLocal2K(unsigned *d_Buf LW_SHAPE(N), unsigned *d_Dst LW_SHAPE(N * 1024), const unsigned *d_Src LW_SHAPE(N * 1024), unsigned N,
                          unsigned arrayLength);

LW_BLOCK(256) LW_REQUIRES(grid.x <= 65536)
void uniformUpdateK(unsigned *d_Data LW_SHAPE(grid.x * 1024), unsigned *d_Buf LW_SHAPE(grid.x));
