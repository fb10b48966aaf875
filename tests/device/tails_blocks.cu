// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a block of one, two or three axes and any size: each operator and each type, LW_REDUCES being the judge.
#include <lanewise/device.h>

#define BLOCK_OF(operator, name, type)                                                                                 \
    LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)                                                                          \
    __global__ void block_##operator##_##name(type *out LW_SHAPE(grid.x) LW_REDUCES(operator, x) LW_DISJOINT,          \
                                              const type *x LW_SHAPE(n), unsigned n)                                   \
    {                                                                                                                  \
        uint64_t i = (uint64_t)blockIdx.x * lw_block_threads() + lw_block_rank();                                      \
        type all = lw_block_##operator##_##name(lw_load_##operator##_##name(lw_make_view_##name(x, n), i));            \
        if (lw_block_rank() == 0)                                                                                      \
            out[blockIdx.x] = all;                                                                                     \
    }

BLOCK_OF(sum, i8, int8_t)
BLOCK_OF(and, i8, int8_t)
BLOCK_OF(max, i16, int16_t)
BLOCK_OF(xor, i16, int16_t)
BLOCK_OF(sum, i32, int32_t)
BLOCK_OF(product, i32, int32_t)
BLOCK_OF(min, i32, int32_t)
BLOCK_OF(max, i32, int32_t)
BLOCK_OF(sum, i64, int64_t)
BLOCK_OF(or, i64, int64_t)
BLOCK_OF(product, u8, uint8_t)
BLOCK_OF(max, u8, uint8_t)
BLOCK_OF(min, u16, uint16_t)
BLOCK_OF(and, u16, uint16_t)
BLOCK_OF(sum, u32, uint32_t)
BLOCK_OF(or, u32, uint32_t)
BLOCK_OF(min, u64, uint64_t)
BLOCK_OF(xor, u64, uint64_t)
BLOCK_OF(sum, f32, float)
BLOCK_OF(product, f32, float)
BLOCK_OF(min, f32, float)
BLOCK_OF(max, f32, float)
BLOCK_OF(sum, f64, double)
BLOCK_OF(max, f64, double)

// Several in one kernel, in a loop: the memory of one call is free for the next.
LW_REQUIRES(grid.x == 1, n <= 1000000)
__global__ void spread(float *out LW_SHAPE(1), const float *x LW_SHAPE(n), unsigned n)
{
    float widest = 0;
    for (unsigned first = 0; first < n; first += lw_block_threads()) {
        struct lw_view_f32 view = lw_make_view_f32(x, n);
        unsigned i = first + lw_block_rank();
        float greatest = lw_block_max_f32(lw_load_max_f32(view, i)), least = lw_block_min_f32(lw_load_min_f32(view, i));
        widest = fmaxf(widest, greatest - least);
    }
    if (lw_block_rank() == 0)
        *out = widest;
}
