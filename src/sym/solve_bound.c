/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of bounds.  A low bound of SYM_MIN and a high bound of SYM_MAX mean "none".  Results saturate there: a low bound that
 * would pass SYM_MAX stays SYM_MAX, which is weaker and so still true.
 */
#include "sym/solve.h"

sym_integer solve_clamp(sym_integer value)
{
    return value < SYM_MIN ? SYM_MIN : value > SYM_MAX ? SYM_MAX : value;
}

sym_integer solve_multiply(sym_integer a, sym_integer b)
{
    sym_integer product;
    if (a == 0 || b == 0)
        return 0;
    if (a <= SYM_MIN || a >= SYM_MAX || b <= SYM_MIN || b >= SYM_MAX || __builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? SYM_MAX : SYM_MIN;
    return solve_clamp(product);
}

struct solve_range solve_range_add(struct solve_range a, struct solve_range b)
{
    struct solve_range sum;
    sum.low = a.low == SYM_MIN || b.low == SYM_MIN ? SYM_MIN : solve_clamp(a.low + b.low);
    sum.high = a.high == SYM_MAX || b.high == SYM_MAX ? SYM_MAX : solve_clamp(a.high + b.high);
    return sum;
}

/* A factor out of range makes the product unbounded on the side where it matters: solve_multiply saturates. */
struct solve_range solve_range_scale(struct solve_range a, sym_integer factor)
{
    if (factor >= 0)
        return (struct solve_range){solve_multiply(a.low, factor), solve_multiply(a.high, factor)};
    return (struct solve_range){solve_multiply(a.high, factor), solve_multiply(a.low, factor)};
}

struct solve_range solve_range_multiply(struct solve_range a, struct solve_range b)
{
    sym_integer corners[4] = {solve_multiply(a.low, b.low), solve_multiply(a.low, b.high), solve_multiply(a.high, b.low),
                              solve_multiply(a.high, b.high)};
    struct solve_range product = {corners[0], corners[0]};
    for (unsigned i = 1; i < 4; i++) {
        if (corners[i] < product.low)
            product.low = corners[i];
        if (corners[i] > product.high)
            product.high = corners[i];
    }
    return product;
}

struct solve_range solve_range_power(struct solve_range a, uint32_t exponent)
{
    struct solve_range power = a;
    for (uint32_t i = 1; i < exponent; i++)
        power = solve_range_multiply(power, a);
    if (exponent % 2 == 0 && power.low < 0)
        power.low = 0;
    return power;
}

sym_integer solve_floor_divide(sym_integer a, sym_integer b)
{
    sym_integer quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

sym_integer solve_ceiling_divide(sym_integer a, sym_integer b)
{
    sym_integer quotient = a / b;
    return a % b > 0 ? quotient + 1 : quotient;
}

sym_integer solve_common_divisor(sym_integer a, sym_integer b)
{
    if (a < 0)
        a = -a;
    if (b < 0)
        b = -b;
    while (b != 0) {
        if (a <= INT64_MAX && b <= INT64_MAX) { /* long division is slow */
            uint64_t x = (uint64_t)a, y = (uint64_t)b;
            while (y != 0) {
                uint64_t rest = x % y;
                x = y;
                y = rest;
            }
            return (sym_integer)x;
        }
        sym_integer rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
