// SPDX-License-Identifier: Apache-2.0
#include <lanewise/device.h>

LW_BLOCK(128) LW_DOMAIN((n + 3) / 4) LW_REQUIRES(n <= 4294967295)
__global__ void twice(float *y LW_SHAPE(n), const float *x LW_SHAPE(n), uint64_t n)
{
    uint64_t number = (uint64_t)blockIdx.x * 128 + threadIdx.x;
    struct lw_vector_f32 v = lw_load_vector_f32(lw_make_view_f32(x, n), number, 0);
    for (int k = 0; k < LW_VECTOR_f32; k++)
        v.part[k] *= 2;
    lw_store_vector_f32(lw_make_slice_f32(y, n), number, v);
}
