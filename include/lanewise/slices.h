/* SPDX-License-Identifier: Apache-2.0
 *
 * Slices: where an array starts and how many elements it has, 16 bytes.  The same types in host programs (lanewise.h, generated
 * launchers) and in kernels (device.h): a kernel takes one as a parameter, and a launcher passes it as one argument.
 *
 *     struct lw_slice_f32 { float *data;       uint64_t length; }   may be written
 *     struct lw_view_f32  { const float *data; uint64_t length; }   is only read
 *
 * The shape stands in the type: a kernel with such a parameter needs no LW_SHAPE of its own.
 */
#ifndef LANEWISE_SLICES_H
#define LANEWISE_SLICES_H

#include <stdint.h>

#include <lanewise/contract.h>

#define LW_SLICE_TYPES(name, type)            \
    struct lw_slice_##name {                  \
        type *data LW_SHAPE(length);          \
        uint64_t length;                      \
    };                                        \
    struct lw_view_##name {                   \
        const type *data LW_SHAPE(length);    \
        uint64_t length;                      \
    };

/* row(name, type): the element types that every compiler has. */
#define LW_ELEMENTS(row) \
    row(i8, int8_t)      \
    row(i16, int16_t)    \
    row(i32, int32_t)    \
    row(i64, int64_t)    \
    row(u8, uint8_t)     \
    row(u16, uint16_t)   \
    row(u32, uint32_t)   \
    row(u64, uint64_t)   \
    row(f32, float)      \
    row(f64, double)

LW_ELEMENTS(LW_SLICE_TYPES)

#endif
