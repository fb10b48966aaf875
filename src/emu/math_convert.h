/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact conversion between any two number formats, one value at a time (math_convert.c): the reference for the fast conversions of
 * lanes_convert.c and the implementation of the rare ones.
 */
#ifndef LANEWISE_EMU_MATH_CONVERT_H
#define LANEWISE_EMU_MATH_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

/* What cvt does to one value.  Types are of enum ptx_type, scalar; round is an enum ptx_round. */
struct math_conversion {
    uint8_t to, from, round;
    bool integral;     /* float to float: round to an integral value */
    bool flush;        /* .ftz: single-precision subnormals become zeros */
    bool saturate;     /* .sat: integers to the destination's range, floats to [0, 1] */
    bool finite;       /* .satfinite: no infinities, overflow gives the largest number */
    bool relu;         /* negative results become zero */
};

/* The value of type `from` in the low bits of `value`, converted; bits above the destination's width are zero. */
uint64_t math_convert(const struct math_conversion *conversion, uint64_t value);

/* Width in bits of a scalar type; 0: not a number format. */
unsigned math_type_bits(unsigned type);

#endif
