/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic under a rounding direction, on 32 values at a time (math_round.c).  Rare in kernels and slow here: the processor's
 * rounding mode is switched around each call.
 */
#ifndef LANEWISE_EMU_MATH_ROUND_H
#define LANEWISE_EMU_MATH_ROUND_H

#include <stdint.h>

enum math_operation { MATH_ADD, MATH_SUB, MATH_MUL, MATH_DIV, MATH_FMA, MATH_SQRT, MATH_OPERATION_COUNT };

/* `round` is an enum ptx_round; b and c may be NULL where the operation takes fewer.  `out` may be one of the sources. */
void math_round_f32(enum math_operation operation, unsigned round, const float *a, const float *b, const float *c, float *out);
void math_round_f64(enum math_operation operation, unsigned round, const double *a, const double *b, const double *c,
                    double *out);

/* One value. */
float math_rounded_f32(enum math_operation operation, unsigned round, float a, float b, float c);
double math_rounded_f64(enum math_operation operation, unsigned round, double a, double b, double c);

#endif
