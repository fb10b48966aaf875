/* SPDX-License-Identifier: Apache-2.0
 * file: src/thomas-cuda/cuThomasBatch.cu
 * kernels: cuThomasBatch
 *
 * M unknowns of each of BATCHCOUNT systems, side by side.
 */
LW_REQUIRES(M >= 2, BATCHCOUNT >= 1, M * BATCHCOUNT <= 1073741824, grid.x == BATCHCOUNT / block.x + 1)
void cuThomasBatch(const double *L LW_SHAPE(M, BATCHCOUNT), const double *D LW_SHAPE(M, BATCHCOUNT), double *U LW_SHAPE(M, BATCHCOUNT), double *RHS LW_SHAPE(M, BATCHCOUNT), int M,
                   int BATCHCOUNT);
