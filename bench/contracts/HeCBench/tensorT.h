/* SPDX-License-Identifier: Apache-2.0
 * file: src/tensorT-cuda/main.cu
 * kernels: tensor_transpose
 *
 * Where an element goes is computed from arrays of strides, and through rounded reciprocals: no contract can say it.
 */
LW_BLOCK(256)
LW_REQUIRES(dim_input == 3, dim_output == 3, nblocks == 34200, grid.x == nblocks, tile_size == 5863)
void tensor_transpose(int dim_input, int dim_output, int nblocks, int tile_size, const int *shape_input LW_SHAPE(dim_input),
                      const int *shape_output LW_SHAPE(dim_output), const float *shape_input_r LW_SHAPE(dim_input),
                      const float *shape_output_r LW_SHAPE(dim_output), const int *stride_input LW_SHAPE(dim_input),
                      const int *stride_output_local LW_SHAPE(dim_output), const int *stride_output_global LW_SHAPE(dim_output),
                      const double *input LW_SHAPE(nblocks * tile_size), double *output LW_SHAPE(nblocks * tile_size));
