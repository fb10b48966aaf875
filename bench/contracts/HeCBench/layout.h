/* SPDX-License-Identifier: Apache-2.0
 * file: src/layout-cuda/main.cu
 * kernels: _Z9AoSKernelILi4096EEvPK9AppleTreePi _Z9SoAKernelILi4096EEvPK13ApplesOnTreesPi
 *
 * 4096 structs of 4096 numbers.
 */
struct row {
    int numbers[4096];
};

LW_FOR("_Z9AoSKernelILi4096EEvPK9AppleTreePi") LW_BLOCK(256) LW_REQUIRES(grid.x == 16)
void by_struct(const struct row *trees LW_SHAPE(4096), int *outBuf LW_SHAPE(4096));
LW_FOR("_Z9SoAKernelILi4096EEvPK13ApplesOnTreesPi") LW_BLOCK(256) LW_REQUIRES(grid.x == 16)
void by_field(const struct row *applesOnTrees LW_SHAPE(4096), int *outBuf LW_SHAPE(4096));
