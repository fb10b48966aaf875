/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the CUDA math library that the C library lacks (math_extra.c), in double precision.  Single-precision ones are these,
 * rounded once more.
 */
#ifndef LANEWISE_EMU_MATH_EXTRA_H
#define LANEWISE_EMU_MATH_EXTRA_H

double math_sinpi(double x); /* sin(pi x), exact argument reduction */
double math_cospi(double x);
double math_erfinv(double x);
double math_erfcinv(double x);
double math_erfcx(double x); /* exp(x^2) erfc(x) */
double math_normcdf(double x);
double math_normcdfinv(double x);
double math_bessel_i0(double x); /* modified Bessel functions of the first kind */
double math_bessel_i1(double x);
double math_lgamma(double x); /* without the global sign */
double math_powi(double x, int n);

#endif
