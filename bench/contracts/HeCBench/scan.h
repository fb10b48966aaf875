/* SPDX-License-Identifier: Apache-2.0
 * file: src/scan-cuda/main.cu
 * kernels: _Z4scanIiLi512EEvlPT_PKS0_ _Z9scan_bcaoIiLi512EEvlPT_PKS0_ _Z4scanIlLi1024EEvlPT_PKS0_ _Z9scan_bcaoIlLi1024EEvlPT_PKS0_
 *
 * Blocks of N / 2 threads walk over parts of N elements.
 */
LW_FOR("_Z4scanIiLi512EEvlPT_PKS0_") LW_BLOCK(256) LW_REQUIRES(nblocks >= 0, nblocks <= 1073741824)
void scan_int(int64_t nblocks, int *g_odata LW_SHAPE(nblocks, 512), const int *g_idata LW_SHAPE(nblocks, 512));
LW_FOR("_Z9scan_bcaoIiLi512EEvlPT_PKS0_") LW_BLOCK(256) LW_REQUIRES(nblocks >= 0, nblocks <= 1073741824)
void scan_int_without_conflicts(int64_t nblocks, int *g_odata LW_SHAPE(nblocks, 512), const int *g_idata LW_SHAPE(nblocks, 512));
LW_FOR("_Z4scanIlLi1024EEvlPT_PKS0_") LW_BLOCK(512) LW_REQUIRES(nblocks >= 0, nblocks <= 1073741824)
void scan_long(int64_t nblocks, int64_t *g_odata LW_SHAPE(nblocks, 1024), const int64_t *g_idata LW_SHAPE(nblocks, 1024));
LW_FOR("_Z9scan_bcaoIlLi1024EEvlPT_PKS0_") LW_BLOCK(512) LW_REQUIRES(nblocks >= 0, nblocks <= 1073741824)
void scan_long_without_conflicts(int64_t nblocks, int64_t *g_odata LW_SHAPE(nblocks, 1024), const int64_t *g_idata LW_SHAPE(nblocks, 1024));
