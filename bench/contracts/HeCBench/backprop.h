/* SPDX-License-Identifier: Apache-2.0
 * file: src/backprop-cuda/main.cu
 * kernels: kernel_layerforward kernel_adjust_weights
 *
 * A block row takes 16 inputs; the weights have one row and one column more than inputs and hidden units, of which the program has 16.
 */
LW_BLOCK(16, 16)
LW_REQUIRES(hid == 16, grid.x == 1, grid.y >= 1)
void kernel_layerforward(const float *input LW_SHAPE(grid.y * 16 + 1), float *input_weights LW_SHAPE(grid.y * 16 + 1, hid + 1),
                         float *hidden_partial_sum LW_SHAPE(grid.y, 16), int hid);

LW_BLOCK(16, 16)
LW_REQUIRES(hid == 16, grid.x == 1, grid.y >= 1)
void kernel_adjust_weights(const float *ly LW_SHAPE(grid.y * 16 + 1), float *w LW_SHAPE(grid.y * 16 + 1, hid + 1), const float *delta LW_SHAPE(hid + 1),
                           float *oldw LW_SHAPE(grid.y * 16 + 1, hid + 1), int hid);
