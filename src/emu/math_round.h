/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic under a rounding direction, one value at a time (math_round.c): for device functions such as __nv_fadd_rz.
 */
#ifndef LANEWISE_EMU_MATH_ROUND_H
#define LANEWISE_EMU_MATH_ROUND_H

#include <stdint.h>

enum math_operation { MATH_ADD, MATH_SUB, MATH_MUL, MATH_DIV, MATH_FMA, MATH_SQRT };

/* `round` is an enum ptx_round; operands that the operation does not have are ignored. */
float math_rounded_f32(enum math_operation operation, unsigned round, float a, float b, float c);
double math_rounded_f64(enum math_operation operation, unsigned round, double a, double b, double c);

#endif
