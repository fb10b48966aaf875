/* SPDX-License-Identifier: Apache-2.0
 * file: src/pathfinder-cuda/main.cu
 * kernels: pathfinder
 *
 * The wall has one row less than the grid of costs; a launch takes `iteration` of its rows, from row t on. The program sums up costs below 10.
 */
LW_BLOCK(250)
LW_REQUIRES(theHalo == 1, iteration >= 1, iteration <= borderCols, borderCols <= 120, cols >= 1, t >= 0, (t + iteration) * cols <= 1073741824,
            grid.x <= 4294967)
void pathfinder(const int *gpuWall LW_SHAPE(t + iteration, cols), const int *gpuSrc LW_SHAPE(cols) LW_VALUES(0, 16384),
                int *gpuResult LW_SHAPE(cols), int *outputBuffer LW_SHAPE(16384), int iteration, int theHalo, int borderCols, int cols, int t);
