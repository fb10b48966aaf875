// SPDX-License-Identifier: Apache-2.0
// Slices as parameters: fields by their names, and contracts behind the slice.
#include <lanewise/contract.h>
#include <lanewise/device.h>
LW_BLOCK(256) LW_DOMAIN(out.length)
__global__ void add(struct lw_view_f32 x, struct lw_view_f32 y, struct lw_slice_f32 out)
{
    struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 1);
    uint64_t i = lw_thread_1d().index;
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = lw_get_or_f32(x, i, 0) + LW_AT(y, i);
}
LW_BLOCK(256)
__global__ void sum(struct lw_view_f32 x, struct lw_slice_f32 out)
{
    float total = lw_block_sum_f32(lw_load_sum_f32(x, lw_thread_1d().index));
    if (threadIdx.x == 0)
        LW_AT(out, blockIdx.x) = total;
}
LW_BLOCK(256) LW_DOMAIN(out.length) LW_REQUIRES(len(x) >= out.length)
__global__ void twice(struct lw_view_f32 x LW_MAY_ALIAS(out), struct lw_slice_f32 out LW_DISJOINT LW_WRITES_ALL)
{
    uint64_t i = lw_thread_1d().index;
    if (i < out.length)
        LW_AT(out, i) = 2 * LW_AT(x, i);
}
