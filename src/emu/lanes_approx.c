/* SPDX-License-Identifier: Apache-2.0
 *
 * Approximations in single precision, and the gross ones in double (PTX ISA, Floating Point Instructions): rcp.approx, sqrt.approx,
 * rsqrt, sin, cos, lg2, ex2, tanh, rcp.approx.ftz.f64, rsqrt.approx.ftz.f64.
 */
#include "emu/lanes_approx.h"

#include <math.h>

enum { FTZ = PTX_MODIFIER_FTZ, APPROX = PTX_MODIFIER_APPROX };

#define APPROXIMATION(name, E)                                                                                         \
    LANES_UNARY(name##_plain, f32, f32, E(a))                                                                          \
    LANES_UNARY(name##_ftz, f32, f32, lanes_flush(E(lanes_flush(a))))
#define RCP(x) lanes_canonical(1.0f / (x))
#define SQRT(x) lanes_canonical(__builtin_sqrtf(x))
APPROXIMATION(rcp, RCP)
APPROXIMATION(sqrt, SQRT)
APPROXIMATION(rsqrt, approx_rsqrt)
APPROXIMATION(lg2, approx_lg2)
APPROXIMATION(ex2, approx_ex2)
LANES_UNARY(tanh_plain, f32, f32, approx_tanh(a))

/* Arguments that are far away, for which the manual promises nothing, are reduced by the C library. */
#define CIRCULAR(name, E, LIBRARY)                                                                                     \
    LANES_HEAD(name)                                                                                                   \
    {                                                                                                                  \
        const f32 *pa = emu_slot(warp, op->a);                                                                         \
        const bool flush = op->source->flags & FTZ;                                                                    \
        float source[EMU_LANES], result[EMU_LANES];                                                                    \
        uint32_t far = 0;                                                                                              \
        LANES_EACH                                                                                                     \
        {                                                                                                              \
            const float a = flush ? lanes_flush(pa[l]) : pa[l];                                                        \
            const float value = E(a);                                                                                  \
            source[l] = a;                                                                                             \
            result[l] = flush ? lanes_flush(value) : value;                                                            \
            far |= approx_is_far(a) ? lanes_bit[l] : 0;                                                                \
        }                                                                                                              \
        for (uint32_t left = far & mask; left; left &= left - 1) {                                                     \
            const unsigned l = (unsigned)__builtin_ctz(left);                                                          \
            result[l] = lanes_canonical(LIBRARY(source[l]));                                                           \
        }                                                                                                              \
        LANES_STORE(f32, result);                                                                                      \
        return EMU_NEXT;                                                                                               \
    }
CIRCULAR(sin_any, approx_sin, sinf)
CIRCULAR(cos_any, approx_cos, cosf)

/* ---- double precision ----------------------------------------------------------------------------------------------------- */

static inline double rsqrt64(double a)
{
    return lanes_first_nan(a, 1.0 / __builtin_sqrt(a));
}
LANES_UNARY(rsqrt64_plain, f64, f64, rsqrt64(a))

/* The gross forms look at the operand's high word and give a high word; subnormals are zeros, NaN is canonical. */
static inline double gross_source(double a)
{
    const uint64_t bits = lanes_bits64(a) & 0xffffffff00000000u;
    return lanes_float64(bits & 0x7ff0000000000000u ? bits : bits & 0x8000000000000000u);
}

static inline double gross_result(double a)
{
    const uint64_t bits = lanes_bits64(a) + 0x80000000u; /* to the nearest high word */
    const uint64_t kept = bits & 0x7ff0000000000000u ? bits & 0xffffffff00000000u : bits & 0x8000000000000000u;
    return a == a ? lanes_float64(kept) : lanes_float64(0x7fffffff00000000u);
}
LANES_UNARY(rcp64_gross, f64, f64, gross_result(1.0 / gross_source(a)))
LANES_UNARY(rsqrt64_gross, f64, f64, gross_result(1.0 / __builtin_sqrt(gross_source(a))))

/* ---- rows ------------------------------------------------------------------------------------------------------------------ */

#define TYPES(name, plain32, plain64) static emu_fn *const name[PTX_TYPE_COUNT] = {[PTX_F32] = plain32, [PTX_F64] = plain64}
TYPES(rcp_none, rcp_plain, NULL);
TYPES(rcp_flush, rcp_ftz, rcp64_gross);
TYPES(sqrt_none, sqrt_plain, NULL);
TYPES(sqrt_flush, sqrt_ftz, NULL);
TYPES(rsqrt_none, rsqrt_plain, rsqrt64_plain);
TYPES(rsqrt_flush, rsqrt_ftz, rsqrt64_gross);
TYPES(lg2_none, lg2_plain, NULL);
TYPES(lg2_flush, lg2_ftz, NULL);
TYPES(ex2_none, ex2_plain, NULL);
TYPES(ex2_flush, ex2_ftz, NULL);
TYPES(tanh_none, tanh_plain, NULL);
TYPES(sin_both, sin_any, NULL);
TYPES(cos_both, cos_any, NULL);

const struct lanes_row LANES(lanes_approx_rows)[] = {
    {PTX_OP_rcp, 0, 0, APPROX, rcp_none, NULL},     {PTX_OP_rcp, 0, 0, APPROX | FTZ, rcp_flush, NULL},
    {PTX_OP_sqrt, 0, 0, APPROX, sqrt_none, NULL},   {PTX_OP_sqrt, 0, 0, APPROX | FTZ, sqrt_flush, NULL},
    {PTX_OP_rsqrt, 0, 0, APPROX, rsqrt_none, NULL}, {PTX_OP_rsqrt, 0, 0, APPROX | FTZ, rsqrt_flush, NULL},
    {PTX_OP_lg2, 0, 0, APPROX, lg2_none, NULL},     {PTX_OP_lg2, 0, 0, APPROX | FTZ, lg2_flush, NULL},
    {PTX_OP_ex2, 0, 0, APPROX, ex2_none, NULL},     {PTX_OP_ex2, 0, 0, APPROX | FTZ, ex2_flush, NULL},
    {PTX_OP_sin, 0, 0, APPROX, sin_both, NULL},     {PTX_OP_sin, 0, 0, APPROX | FTZ, sin_both, NULL},
    {PTX_OP_cos, 0, 0, APPROX, cos_both, NULL},     {PTX_OP_cos, 0, 0, APPROX | FTZ, cos_both, NULL},
    {PTX_OP_tanh, 0, 0, APPROX, tanh_none, NULL},   {0, 0, 0, 0, NULL, NULL},
};
