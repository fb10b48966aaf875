/* SPDX-License-Identifier: Apache-2.0
 * file: src/fwt-cuda/kernels.cu
 * kernels: fwtBatch1Kernel fwtBatch2Kernel modulateKernel
 *
 * Lengths are powers of two. Of the first kernel a block transforms 2^11 elements in shared memory with a quarter as many threads; the second
 * works in place, between strides.
 */
LW_BLOCK(512) LW_SHARED_BYTES(8192)
LW_REQUIRES(log2N == 11, grid.x <= 524288)
void fwtBatch1Kernel(float *d_Output LW_SHAPE(grid.x, 2048) LW_MAY_ALIAS(d_Input), const float *d_Input LW_SHAPE(grid.x, 2048), int log2N);

LW_BLOCK(256)
LW_REQUIRES(grid.x * grid.y <= 1048576, stride >= 2048, stride <= 256 * grid.x, 256 * grid.x % stride == 0, grid.z == 1)
void fwtBatch2Kernel(float *d_Output LW_SHAPE(grid.y, grid.x * 1024) LW_MAY_ALIAS(d_Input), const float *d_Input LW_SHAPE(grid.y, grid.x * 1024), int stride);

LW_BLOCK(256) LW_REQUIRES(grid.x == 128, N >= 0, N <= 1073741824)
void modulateKernel(float *d_A LW_SHAPE(N), const float *d_B LW_SHAPE(N), int N, float rcpN);
