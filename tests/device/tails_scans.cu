// SPDX-License-Identifier: Apache-2.0
//
// Scans over a block: every type and operator, one block of any size, against a loop on the host.
#include <lanewise/device.h>

#define SCAN_OF(operator, name, type, identity, combined)                                                                    \
    LW_REQUIRES(grid.x == 1, block.y == 1, block.z == 1, n <= block.x)                                                       \
    __global__ void operator##_##name(type *upto LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL,                                      \
                                      type *before LW_SHAPE(n) LW_DISJOINT LW_WRITES_ALL, const type *x LW_SHAPE(n),         \
                                      unsigned n)                                                                            \
    {                                                                                                                        \
        unsigned i = threadIdx.x;                                                                                            \
        type value = lw_load_##operator##_##name(lw_make_view_##name(x, n), i);                                              \
        type own = lw_block_scan_##operator##_##name(value), others = lw_block_scan_before_##operator##_##name(value);       \
        if (i < n) {                                                                                                         \
            upto[i] = own;                                                                                                   \
            before[i] = others;                                                                                              \
        }                                                                                                                    \
    }                                                                                                                        \
    LW_REFERENCE(operator##_##name)                                                                                          \
    void operator##_##name##_reference(type *upto, type *before, const type *x, unsigned n)                                  \
    {                                                                                                                        \
        type a = (type)(identity);                                                                                           \
        for (unsigned i = 0; i < n; i++) {                                                                                   \
            type b = x[i];                                                                                                   \
            before[i] = a;                                                                                                   \
            a = (type)(combined);                                                                                            \
            upto[i] = a;                                                                                                     \
        }                                                                                                                    \
    }

SCAN_OF(sum, i8, int8_t, 0, (unsigned)a + (unsigned)b)
SCAN_OF(sum, i32, int32_t, 0, (unsigned)a + (unsigned)b)
SCAN_OF(sum, u64, uint64_t, 0, a + b)
SCAN_OF(sum, f32, float, -0.0f, a + b)
SCAN_OF(sum, f64, double, -0.0, a + b)
SCAN_OF(product, i64, int64_t, 1, (uint64_t)a *(uint64_t)b)
SCAN_OF(max, i16, int16_t, INT16_MIN, a > b ? a : b)
SCAN_OF(max, f32, float, -HUGE_VALF, fmaxf(a, b))
SCAN_OF(min, u8, uint8_t, UINT8_MAX, a < b ? a : b)
SCAN_OF(min, f64, double, HUGE_VAL, fmin(a, b))
SCAN_OF(and, u16, uint16_t, UINT16_MAX, a &b)
SCAN_OF(or, u32, uint32_t, 0, a | b)
SCAN_OF(xor, i64, int64_t, 0, a ^ b)
