/* SPDX-License-Identifier: Apache-2.0
 * file: src/hotspot-cuda/hotspot.cu
 * kernels: calc_temp
 *
 * A block covers 16 by 16 cells of which a border of `iteration` on each side is computed twice.
 */
LW_BLOCK(16, 16)
LW_REQUIRES(iteration >= 1, iteration <= border_cols, border_cols <= 7, border_rows == border_cols, grid_cols >= 1, grid_cols <= 32768,
            grid_rows == grid_cols, grid.x <= grid_cols, grid.y <= grid_rows)
void calc_temp(int iteration, const float *power LW_SHAPE(grid_rows, grid_cols), const float *temp_src LW_SHAPE(grid_rows, grid_cols),
               float *temp_dst LW_SHAPE(grid_rows, grid_cols), int grid_cols, int grid_rows, int border_cols, int border_rows, float Cap,
               float Rx, float Ry, float Rz, float step);
