// SPDX-License-Identifier: Apache-2.0
// Kernels whose arrays come in structs, and one that no contract describes.
#include <lanewise/device.h>
LW_BLOCK(100) LW_DOMAIN(len(out))
__global__ void scale(struct lw_view_f32 x, struct lw_slice_f32 out, float a)
{
    struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 1);
    if (own.state == LW_INSIDE) LW_AT(own, 0) = a * lw_get_or_f32(x, lw_thread_1d().index, 0);
}
LW_DOMAIN(m.cols, m.rows)
__global__ void cell(struct lw_matrix_f32 m)
{
    struct lw_own_f32 own = lw_own_cell_f32(m, lw_thread_2d());
    if (own.state == LW_INSIDE) LW_AT(own, 0) = 1;
}
extern "C" __global__ void strided(float *y, const float *x, int stride, int off)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i * stride + off];
}
