// SPDX-License-Identifier: Apache-2.0
// case: device_slices
// verdict: proved
// why: slices of device.h: indexing under a guard, a substitute at the edges, parts whose check never fails
#include <cuda_fp16.h>
#include <lanewise/device.h>

__global__ void indexing(struct lw_view_f32 x, struct lw_view_f32 y, struct lw_slice_f32 out)
{
    uint64_t i = lw_thread_1d().index;
    if (lw_thread_1d().is_proof && i < out.length && i < x.length && i < y.length)
        LW_AT(out, i) = LW_AT(x, i) + LW_AT(y, i);
}

LW_DOMAIN(out.length) LW_REQUIRES(x.length >= out.length)
__global__ void by_contract(struct lw_view_i32 x, struct lw_slice_i64 out)
{
    struct lw_own_i64 own = lw_own_i64(out, lw_thread_1d(), 1);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = LW_AT(x, lw_thread_1d().index);
}

__global__ void neighbours(struct lw_view_u8 x, struct lw_slice_u16 out)
{
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = (uint16_t)(lw_get_or_u8(x, i - 1, 0) + lw_get_or_u8(x, i, 0) + lw_get_or_u8(x, i + 1, 0));
}

LW_REQUIRES(first + count <= x.length)
__global__ void part(struct lw_view_f64 x, struct lw_slice_f64 out, uint32_t first, uint32_t count)
{
    struct lw_view_f64 middle = lw_part_of_f64(x, first, count);
    LW_EACH_OWN (i, out)
        LW_AT(out, i) = lw_get_or_f64(middle, i, -1.0);
}

LW_REQUIRES(out.length % 2 == 0)
__global__ void halves(struct lw_slice_i8 out)
{
    struct lw_slice_i8 upper = lw_slice_part_of_i8(out, out.length / 2, out.length / 2);
    LW_EACH_OWN (i, upper)
        LW_AT(upper, i) = 1;
}

__global__ void half_floats(struct lw_view_f16 x, struct lw_slice_f16 out)
{
    struct lw_own_f16 own = lw_own_f16(out, lw_thread_1d(), 1);
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = lw_get_or_f16(x, lw_thread_1d().index, __float2half(0.0f));
}

LW_STATIC_VIEW(four, f32, float, 4)

LW_REQUIRES(x.length >= 4)
__global__ void exactly_four(struct lw_view_f32 x, struct lw_slice_f32 out)
{
    struct four weights = four_of(x, x.length - 4);
    LW_EACH_OWN (i, out) {
        float sum = 0;
        LW_EACH (k, weights)
            sum += LW_AT(weights, k);
        LW_AT(out, i) = sum;
    }
}

LW_BLOCK(256)
__global__ void made_of_shared(struct lw_view_f32 x, struct lw_slice_f32 out)
{
    __shared__ float tile[256];
    struct lw_slice_f32 mine = lw_make_slice_f32(tile, blockDim.x);
    uint64_t i = lw_thread_1d().index;
    struct lw_own_f32 own = lw_own_f32(out, lw_thread_1d(), 1);
    LW_AT(mine, threadIdx.x) = lw_get_or_f32(x, i, 0);
    __syncthreads();
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = LW_AT(mine, blockDim.x - 1 - threadIdx.x);
}

struct point {
    float x, y;
};
LW_DEVICE_ELEMENT(point, struct point)

__global__ void own_type(struct lw_view_point from, struct lw_slice_point to)
{
    struct lw_own_point own = lw_own_point(to, lw_thread_1d(), 1);
    struct point none = {0, 0};
    if (own.state == LW_INSIDE)
        LW_AT(own, 0) = lw_get_or_point(from, lw_thread_1d().index, none);
}
