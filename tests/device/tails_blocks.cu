// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a block: every operator, every type, any block of one, two or three axes.
#include <lanewise/device.h>

#define BLOCKS_OF(name, type)                                                                                                            \
    LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)                                                                                            \
    __global__ void blocks_##name(type *sums LW_SHAPE(grid.x) LW_REDUCES(sum, x) LW_DISJOINT,                                            \
                                  type *products LW_SHAPE(grid.x) LW_REDUCES(product, x) LW_DISJOINT,                                    \
                                  type *least LW_SHAPE(grid.x) LW_REDUCES(min, x) LW_DISJOINT,                                           \
                                  type *greatest LW_SHAPE(grid.x) LW_REDUCES(max, x) LW_DISJOINT, const type *x LW_SHAPE(n), unsigned n) \
    {                                                                                                                                    \
        struct lw_view_##name view = lw_make_view_##name(x, n);                                                                          \
        uint64_t i = (uint64_t)blockIdx.x * lw_block_threads() + lw_block_rank();                                                        \
        type sum = lw_block_sum_##name(lw_load_sum_##name(view, i));                                                                     \
        type product = lw_block_product_##name(lw_load_product_##name(view, i));                                                         \
        type lowest = lw_block_min_##name(lw_load_min_##name(view, i));                                                                  \
        type highest = lw_block_max_##name(lw_load_max_##name(view, i));                                                                 \
        if (lw_block_rank() == 0) {                                                                                                      \
            sums[blockIdx.x] = sum;                                                                                                      \
            products[blockIdx.x] = product;                                                                                              \
            least[blockIdx.x] = lowest;                                                                                                  \
            greatest[blockIdx.x] = highest;                                                                                              \
        }                                                                                                                                \
    }

#define BITS_OF(name, type)                                                                                                       \
    BLOCKS_OF(name, type)                                                                                                         \
    LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)                                                                                     \
    __global__ void bits_##name(type *all LW_SHAPE(grid.x) LW_REDUCES(and, x) LW_DISJOINT,                                        \
                                type *any LW_SHAPE(grid.x) LW_REDUCES(or, x) LW_DISJOINT,                                         \
                                type *odd LW_SHAPE(grid.x) LW_REDUCES(xor, x) LW_DISJOINT, const type *x LW_SHAPE(n), unsigned n) \
    {                                                                                                                             \
        struct lw_view_##name view = lw_make_view_##name(x, n);                                                                   \
        uint64_t i = (uint64_t)blockIdx.x * lw_block_threads() + lw_block_rank();                                                 \
        type conjunction = lw_block_and_##name(lw_load_and_##name(view, i));                                                      \
        type disjunction = lw_block_or_##name(lw_load_or_##name(view, i));                                                        \
        type parity = lw_block_xor_##name(lw_load_xor_##name(view, i));                                                           \
        if (lw_block_rank() == 0) {                                                                                               \
            all[blockIdx.x] = conjunction;                                                                                        \
            any[blockIdx.x] = disjunction;                                                                                        \
            odd[blockIdx.x] = parity;                                                                                             \
        }                                                                                                                         \
    }

BITS_OF(i8, int8_t)
BITS_OF(i16, int16_t)
BITS_OF(i32, int32_t)
BITS_OF(i64, int64_t)
BITS_OF(u8, uint8_t)
BITS_OF(u16, uint16_t)
BITS_OF(u32, uint32_t)
BITS_OF(u64, uint64_t)
BLOCKS_OF(f32, float)
BLOCKS_OF(f64, double)
