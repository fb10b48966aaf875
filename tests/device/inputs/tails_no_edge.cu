// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

LW_HALO_1D(line, f32, 64, 1)

__global__ void without(float *out, struct lw_view_f32 x)
{
    __shared__ struct line tile;
    line_load(&tile, x, 0);
    out[threadIdx.x] = line_at(&tile, 0);
}

__global__ void a_number(float *out, struct lw_view_f32 x)
{
    __shared__ struct line tile;
    line_load(&tile, x, 0, 0.0f);
    out[threadIdx.x] = line_at(&tile, 0);
}
