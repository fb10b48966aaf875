// SPDX-License-Identifier: Apache-2.0
// A part that a launch may ask too much of, and indices from memory.
#include <lanewise/device.h>

__global__ void part(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t count)
{
    struct lw_view_f32 tail = lw_part_of_f32(x, 5, count);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_get_or_f32(tail, i, -1);
}

LW_REQUIRES(count + 5 <= x.length)
__global__ void part_by_contract(struct lw_view_f32 x, struct lw_slice_f32 out, uint32_t count)
{
    struct lw_view_f32 tail = lw_part_of_f32(x, 5, count);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_get_or_f32(tail, i, -1);
}

__global__ void gather(struct lw_view_f32 x, struct lw_view_u32 index, struct lw_slice_f32 out)
{
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = LW_AT(x, LW_AT(index, i % index.length));
}

LW_UNCHECKED_INDEXING("the indices come from a sort of this program")
__global__ void gather_unchecked(struct lw_view_f32 x, struct lw_view_u32 index, struct lw_slice_f32 out, uint32_t count)
{
    struct lw_view_f32 head = lw_part_of_f32(x, 0, count);
    LW_EACH_OWN (i, out)
        if (i < index.length)
            LW_AT(out, i) = LW_AT(head, LW_AT(index, i));
}
