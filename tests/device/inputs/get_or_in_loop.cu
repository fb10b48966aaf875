// SPDX-License-Identifier: Apache-2.0
// The contract says that all n elements are there, the compiler does not know it: the first kernel tests every index for nothing.
#include <lanewise/device.h>

LW_REQUIRES(n <= x.length)
__global__ void always_inside(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t n)
{
    float sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += lw_get_or_f32(x, i, 0);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = sum;
}

__global__ void may_be_outside(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t n)
{
    float sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += lw_get_or_f32(x, i, 0);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = sum;
}

LW_REQUIRES(n <= x.length)
__global__ void as_a_part(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t n)
{
    struct lw_view_f32 part = lw_part_of_f32(x, 0, n);
    float sum = 0;
    LW_EACH (i, part)
        sum += LW_AT(part, i);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = sum;
}
