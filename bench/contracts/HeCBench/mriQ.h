/* SPDX-License-Identifier: Apache-2.0
 * file: src/mriQ-cuda/main.cu
 * kernels: ComputePhiMag_GPU ComputeQ_GPU
 *
 * As many blocks of 256 as cover the points. The second kernel has no test for the rest of the last block, nor for the second of two elements of
 * its constant table: both are real faults, see README.md.
 */
LW_BLOCK(256) LW_DOMAIN(numK) LW_REQUIRES(numK >= 0, numK <= 1073741824)
void ComputePhiMag_GPU(const float *phiR LW_SHAPE(numK), const float *phiI LW_SHAPE(numK), float *phiMag LW_SHAPE(numK), int numK);

LW_BLOCK(256)
LW_REQUIRES(numK >= 1, numK <= 1073741824, kGlobalIndex >= 0, kGlobalIndex < numK, kGlobalIndex % 1024 == 0, len(x) >= 1, len(x) <= 1073741824,
            grid.x == (len(x) + 255) / 256)
void ComputeQ_GPU(int numK, int kGlobalIndex, const float *x, const float *y LW_SHAPE(len(x)), const float *z LW_SHAPE(len(x)), float *Qr LW_SHAPE(len(x)),
                  float *Qi LW_SHAPE(len(x)));
