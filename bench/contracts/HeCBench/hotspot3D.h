/* SPDX-License-Identifier: Apache-2.0
 * file: src/hotspot3D-cuda/3D.cu
 * kernels: hotspot3d
 *
 * With one layer the kernel reads past `tIn`, so two are asked for.
 */
LW_BLOCK(64, 4)
LW_REQUIRES(layers >= 2, numCols >= 1, numRows >= 1, grid.x == numCols / 64, grid.y == numRows / 4,
            numCols * numRows * layers <= 1073741824)
void hotspot3d(const float *tIn LW_SHAPE(layers, numRows, numCols), const float *pIn LW_SHAPE(layers, numRows, numCols),
               float *tOut LW_SHAPE(layers, numRows, numCols), int numCols, int numRows, int layers, float ce, float cw, float cn,
               float cs, float ct, float cb, float cc, float stepDivCap);
