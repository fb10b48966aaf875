/* SPDX-License-Identifier: Apache-2.0
 *
 * The tail of a grid: how many blocks, and what a thread without an element brings.
 *
 *     LW_CEIL_DIV(n, d)               n / d rounded up; cannot overflow, where (n + d - 1) / d can.  On the host too
 *     lw_load_sum_f32(x, i)           element i of a view, or the identity of the operator where there is none: the load is predicated,
 *                                     the thread goes on.  sum product min max, of integers also and or xor
 *     lw_identity_max_f32()           that identity: a number that changes no result
 *     lw_even_odd(i, count)           0, 2, 4, ... for the first half of `count` threads, 1, 3, 5, ... for the others
 *     lw_max_f32(a, b)                the operator itself
 *
 * Each stands for all types of LW_ELEMENTS.  min and max of floats ignore NaN, as fminf and fmaxf do; integers wrap in their type.
 */
#ifndef LANEWISE_DEVICE_TAIL_H
#define LANEWISE_DEVICE_TAIL_H

#include <lanewise/device/fault.h>
#include <lanewise/slices.h>

/* Both are read twice.  `d` is 1 or more; a negative n gives 0 or less. */
#define LW_CEIL_DIV(n, d) ((n) / (d) + ((n) % (d) > 0))

/* Which element thread i takes so that a warp has only even ones, or only odd ones: `if (element % 2 == 0)` then parts no warp but the
 * one in the middle.  Each element in [0, count) is taken once if each i in [0, count) is; i < count. */
LW_DEVICE_FUNCTION unsigned lw_even_odd(unsigned i, unsigned count)
{
    unsigned evens = count - count / 2;
    return i < evens ? 2 * i : 2 * (i - evens) + 1;
}

/* ---- operators and their identities ---------------------------------------------------------------------------------------- */

/* One operator of one type: a name, what it computes of a and b, the number that changes nothing.  For operators and types of your own
 * too, with LW_DEVICE_REDUCE(operator, name, type) of reduce.h for its reductions. */
#define LW_DEVICE_OPERATOR(operator, name, type, combined, identity)                                \
    LW_DEVICE_FUNCTION type lw_##operator##_##name(type a, type b)                                  \
    {                                                                                               \
        return (type)(combined);                                                                    \
    }                                                                                               \
    LW_DEVICE_FUNCTION type lw_identity_##operator##_##name(void)                                   \
    {                                                                                               \
        return (type)(identity);                                                                    \
    }                                                                                               \
    LW_DEVICE_FUNCTION type lw_load_##operator##_##name(struct lw_view_##name view, uint64_t index) \
    {                                                                                               \
        return index < view.length ? view.data[index] : (type)(identity);                           \
    }

/* Integers narrower than int are added in it, and cut back. */
#define LW_DEVICE_TAIL_INTEGER_(name, type, wide, least, greatest) \
    LW_DEVICE_OPERATOR(sum, name, type, (wide)a + (wide)b, 0)      \
    LW_DEVICE_OPERATOR(product, name, type, (wide)a * (wide)b, 1)  \
    LW_DEVICE_OPERATOR(min, name, type, a < b ? a : b, greatest)   \
    LW_DEVICE_OPERATOR(max, name, type, a > b ? a : b, least)      \
    LW_DEVICE_OPERATOR(and, name, type, a & b, ~(wide)0)           \
    LW_DEVICE_OPERATOR(or, name, type, a | b, 0)                   \
    LW_DEVICE_OPERATOR(xor, name, type, a ^ b, 0)

/* -0.0 and not 0.0: a sum of nothing but -0.0 stays -0.0.  No finite number is the identity of min or max. */
#define LW_DEVICE_TAIL_FLOAT_(name, type, smaller, greater, infinity) \
    LW_DEVICE_OPERATOR(sum, name, type, a + b, -0.0)                  \
    LW_DEVICE_OPERATOR(product, name, type, a * b, 1)                 \
    LW_DEVICE_OPERATOR(min, name, type, smaller(a, b), infinity)      \
    LW_DEVICE_OPERATOR(max, name, type, greater(a, b), -(infinity))

/* row(name, type, wide, least, greatest): arithmetic is done in `wide`, which has no overflow that C leaves open. */
#define LW_TAIL_INTEGERS(row)                         \
    row(i8, int8_t, unsigned, INT8_MIN, INT8_MAX)     \
    row(i16, int16_t, unsigned, INT16_MIN, INT16_MAX) \
    row(i32, int32_t, uint32_t, INT32_MIN, INT32_MAX) \
    row(i64, int64_t, uint64_t, INT64_MIN, INT64_MAX) \
    row(u8, uint8_t, unsigned, 0, UINT8_MAX)          \
    row(u16, uint16_t, unsigned, 0, UINT16_MAX)       \
    row(u32, uint32_t, uint32_t, 0, UINT32_MAX)       \
    row(u64, uint64_t, uint64_t, 0, UINT64_MAX)

#define LW_TAIL_FLOATS(row)                                   \
    row(f32, float, fminf, fmaxf, __int_as_float(0x7f800000)) \
    row(f64, double, fmin, fmax, __longlong_as_double(0x7ff0000000000000LL))

LW_TAIL_INTEGERS(LW_DEVICE_TAIL_INTEGER_)
LW_TAIL_FLOATS(LW_DEVICE_TAIL_FLOAT_)

#endif
