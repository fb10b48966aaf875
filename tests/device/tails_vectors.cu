// SPDX-License-Identifier: Apache-2.0
//
// Wide loads and stores: lengths that no vector divides, arrays that begin anywhere.  `skip` leaves out elements at the front, so that
// what is left is aligned for some of its values only; the launch may give an array that is longer than that.
#include <lanewise/device.h>

#define VECTORS_OF(name, type)                                                                                                      \
    LW_DOMAIN((n + LW_VECTOR_##name - 1) / LW_VECTOR_##name)                                                                         \
    LW_REQUIRES(block.y == 1, block.z == 1, n <= 4294967295, skip <= 16)                                                             \
    __global__ void vectors_##name(type *y LW_SHAPE(n + skip) LW_DISJOINT, const type *x LW_SHAPE(n + skip), uint64_t n,             \
                                   unsigned skip)                                                                                   \
    {                                                                                                                               \
        uint64_t number = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;                                                          \
        struct lw_vector_##name v = lw_load_vector_##name(lw_make_view_##name(x + skip, n), number, 0);                             \
        for (unsigned k = 0; k < LW_VECTOR_##name; k++)                                                                             \
            v.part[k] = (type)(v.part[k] + v.part[k]);                                                                              \
        lw_store_vector_##name(lw_make_slice_##name(y + skip, n), number, v);                                                       \
    }                                                                                                                               \
    LW_REFERENCE(vectors_##name)                                                                                                    \
    void vectors_##name##_reference(type *y, const type *x, uint64_t n, unsigned skip)                                              \
    {                                                                                                                               \
        for (uint64_t i = skip; i < skip + n; i++)                                                                                  \
            y[i] = (type)(x[i] + x[i]);                                                                                             \
    }

VECTORS_OF(i8, int8_t)
VECTORS_OF(u8, uint8_t)
VECTORS_OF(i16, int16_t)
VECTORS_OF(u16, uint16_t)
VECTORS_OF(i32, int32_t)
VECTORS_OF(u32, uint32_t)
VECTORS_OF(i64, int64_t)
VECTORS_OF(u64, uint64_t)
VECTORS_OF(f32, float)
VECTORS_OF(f64, double)

// A grid that is shorter than the array: each thread takes every so-manyth vector, and adds.
LW_REQUIRES(grid.x == 1, n <= 1000000000)
__global__ void vector_sum(float *out LW_SHAPE(1) LW_REDUCES(sum, x) LW_DISJOINT, const float *x LW_SHAPE(n), uint64_t n)
{
    struct lw_view_f32 view = lw_make_view_f32(x, n);
    float sum = lw_identity_sum_f32();
    for (uint64_t number = lw_block_rank(); number < lw_vectors_f32(n); number += lw_block_threads()) {
        struct lw_vector_f32 v = lw_load_vector_f32(view, number, lw_identity_sum_f32());
        sum += v.part[0] + v.part[1] + (v.part[2] + v.part[3]);
    }
    sum = lw_block_sum_f32(sum);
    if (lw_block_rank() == 0)
        *out = sum;
}
