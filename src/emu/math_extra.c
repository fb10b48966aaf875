/* SPDX-License-Identifier: Apache-2.0
 *
 * Special functions over the C library's.  Good to a few units in the last place, which is what the CUDA library promises too; not tuned
 * for speed.
 */
#define _GNU_SOURCE /* lgamma_r */

#include "emu/math_extra.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
static const double SQRT_HALF = 0.70710678118654752440;
static const double TWO_OVER_SQRT_PI = 1.12837916709551257390;

/* sin(pi x) with x advanced by quarter turns: x - n/2 is exact for the nearest n. */
static double circular_pi(double x, unsigned quarters)
{
    if (!isfinite(x))
        return NAN;
    const double reduced = fmod(x, 2.0);
    const double n = rint(2.0 * reduced);
    const double r = PI * (reduced - 0.5 * n);
    switch (((unsigned)(int)n + quarters) & 3u) {
    case 0: return sin(r);
    case 1: return cos(r);
    case 2: return -sin(r);
    default: return -cos(r);
    }
}

double math_sinpi(double x)
{
    return x == 0 || rint(x) == x ? isfinite(x) ? copysign(0.0, x) : NAN : circular_pi(x, 0);
}

double math_cospi(double x)
{
    const double result = circular_pi(x, 1);
    return result == 0 ? 0.0 : result;
}

/* A rational first guess (error below 0.01), then Halley's method, whose error is cubed each time. */
double math_erfcinv(double x)
{
    if (!(x >= 0 && x <= 2))
        return NAN;
    if (x == 0 || x == 2)
        return x == 0 ? INFINITY : -INFINITY;
    const double q = x < 1 ? x : 2 - x;
    const double t = sqrt(-2.0 * log(0.5 * q));
    double y = -SQRT_HALF * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
    for (int i = 0; i < 3; i++) {
        const double error = erfc(y) - q;
        y += error / (TWO_OVER_SQRT_PI * exp(-y * y) - y * error);
    }
    return x < 1 ? y : -y;
}

double math_erfinv(double x)
{
    if (fabs(x) >= 0.5)
        return x > 0 ? math_erfcinv(1.0 - x) : -math_erfcinv(1.0 + x);
    if (isnan(x) || fabs(x) < 1e-9)
        return x / TWO_OVER_SQRT_PI;
    double y = x / TWO_OVER_SQRT_PI * (1.0 + x * x * 0.2618);
    for (int i = 0; i < 4; i++) {
        const double error = erf(y) - x;
        y -= error / (TWO_OVER_SQRT_PI * exp(-y * y) + y * error);
    }
    return y;
}

double math_erfcx(double x)
{
    if (isnan(x))
        return x;
    if (x < 3)
        return x < -26.7 ? INFINITY : exp(x * x) * erfc(x);
    if (x > 1e8)
        return 0.5 * TWO_OVER_SQRT_PI / x;
    double fraction = x; /* the continued fraction x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...))) */
    for (int k = 80; k > 0; k--)
        fraction = x + 0.5 * k / fraction;
    return 0.5 * TWO_OVER_SQRT_PI / fraction;
}

double math_normcdf(double x)
{
    return 0.5 * erfc(-x * SQRT_HALF);
}

double math_normcdfinv(double x)
{
    return -math_erfcinv(2.0 * x) / SQRT_HALF;
}

/* The power series: all terms have one sign. */
static double bessel_series(double x, unsigned order)
{
    if (!isfinite(x))
        return isnan(x) ? x : INFINITY;
    const double quarter = 0.25 * x * x;
    double term = 1.0, sum = 1.0;
    for (unsigned k = 1; k < 4000 && term > sum * DBL_EPSILON * 0.01; k++) {
        term *= quarter / ((double)k * (double)(k + order));
        sum += term;
    }
    return sum;
}

double math_bessel_i0(double x)
{
    return bessel_series(x, 0);
}

double math_bessel_i1(double x)
{
    return isinf(x) ? x : 0.5 * x * bessel_series(x, 1);
}

double math_lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

double math_powi(double x, int n)
{
    return pow(x, (double)n);
}
