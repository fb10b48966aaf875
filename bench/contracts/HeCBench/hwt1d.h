/* SPDX-License-Identifier: Apache-2.0
 * file: src/hwt1d-cuda/kernel.cu
 * kernels: dwtHaar1D
 *
 * At most nine levels a launch: blocks of up to 256 threads for two elements each. Lengths are powers of two, which no contract can say; here nine levels.
 */
LW_BLOCK(256) LW_SHARED_BYTES(2048)
LW_REQUIRES(tLevels >= 9, mLevels == 9, grid.x <= 2097152, signalLength == grid.x * 512)
void dwtHaar1D(const float *inSignal LW_SHAPE(signalLength), float *coefsSignal LW_SHAPE(signalLength), float *AverageSignal LW_SHAPE(grid.x), unsigned tLevels,
               unsigned signalLength, unsigned levelsDone, unsigned mLevels);
