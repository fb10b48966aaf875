/* SPDX-License-Identifier: Apache-2.0
 * file: src/clenergy-cuda/clenergy.cu
 * kernels: cenergy
 *
 * A block of 8 by 8 does 64 by 8 points.
 */
struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
};

LW_BLOCK(8, 8) LW_REQUIRES(numatoms >= 0, numatoms <= 4000, grid.x * grid.y <= 2097152)
void cenergy(int numatoms, float gridspacing, float *energygrid LW_SHAPE(grid.y * 8, grid.x * 64), const struct float4 *atominfo LW_SHAPE(4000));
