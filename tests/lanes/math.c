/* SPDX-License-Identifier: Apache-2.0
 *
 * Native device math: the functions that CUDA programs call, their signatures, and values of those that the C library does not have.
 */
#include "../base/unit.h"

#include "emu/lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SLOT = 256 };

/* Calls a function in lane 3: arguments and results are bits. */
static uint64_t call(const char *name, const uint64_t *arguments, uint64_t *extra)
{
    static _Alignas(64) char file[SLOT * 8];
    uint32_t list[4];
    const struct emu_math_function *function = emu_math_find(name);
    assert_non_null(function);
    struct emu_op op = {.dst = 0, .list = list};
    uint32_t *const sources[4] = {&op.a, &op.b, &op.c, &op.d};
    unsigned next = 0, extras = 0;
    memset(file, 0, sizeof file);
    for (unsigned k = 0; k < 4 && function->arguments[k] != PTX_TYPE_NONE; k++) {
        const uint32_t slot = SLOT * (k + 1);
        if (function->pointers >> k & 1) {
            list[extras++] = slot;
            continue;
        }
        const unsigned size = ptx_type_size((enum ptx_type)function->arguments[k]);
        memcpy(file + slot + 3 * size, &arguments[next], size);
        *sources[next++] = slot;
    }
    struct emu_lane_view view = {{file, file}, EMU_FULL_MASK, EMU_FULL_MASK};
    function->run((struct emu_warp *)(void *)&view, &op, 1u << 3);
    for (unsigned k = 0, i = 0; k < 4; k++)
        if (function->pointers >> k & 1) {
            const unsigned size = ptx_type_size((enum ptx_type)function->arguments[k]);
            extra[i] = 0;
            memcpy(&extra[i], file + list[i] + 3 * size, size);
            i++;
        }
    const unsigned size = ptx_type_size((enum ptx_type)function->result);
    uint64_t result = 0;
    memcpy(&result, file + 3 * size, size);
    return result;
}

static uint64_t bits64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double value64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double call1(const char *name, double x)
{
    const uint64_t argument = bits64(x);
    return value64(call(name, &argument, NULL));
}

static void test_every_function_of_the_library_is_there(void **state)
{
    static const char *const names =
        "abs acos acosf acosh acoshf asin asinf asinh asinhf atan atan2 atan2f atanf atanh atanhf brev brevll byte_perm cbrt cbrtf ceil "
        "ceilf clz clzll copysign copysignf cos cosf cosh coshf cospi cospif cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f "
        "dadd_rd dadd_rn dadd_ru dadd_rz ddiv_rd ddiv_rn ddiv_ru ddiv_rz dmul_rd dmul_rn dmul_ru dmul_rz double2float_rd "
        "double2float_rn double2float_ru double2float_rz double2hiint double2int_rd double2int_rn double2int_ru double2int_rz "
        "double2ll_rd double2ll_rn double2ll_ru double2ll_rz double2loint double2uint_rd double2uint_rn double2uint_ru double2uint_rz "
        "double2ull_rd double2ull_rn double2ull_ru double2ull_rz double_as_longlong drcp_rd drcp_rn drcp_ru drcp_rz dsqrt_rd dsqrt_rn "
        "dsqrt_ru dsqrt_rz dsub_rd dsub_rn dsub_ru dsub_rz erf erfc erfcf erfcinv erfcinvf erfcx erfcxf erff erfinv erfinvf exp exp10 "
        "exp10f exp2 exp2f expf expm1 expm1f fabs fabsf fadd_rd fadd_rn fadd_ru fadd_rz fast_cosf fast_exp10f fast_expf fast_fdividef "
        "fast_log10f fast_log2f fast_logf fast_powf fast_sincosf fast_sinf fast_tanf fdim fdimf fdiv_rd fdiv_rn fdiv_ru fdiv_rz ffs "
        "ffsll finitef float2half_rn float2int_rd float2int_rn float2int_ru float2int_rz float2ll_rd float2ll_rn float2ll_ru "
        "float2ll_rz float2uint_rd float2uint_rn float2uint_ru float2uint_rz float2ull_rd float2ull_rn float2ull_ru float2ull_rz "
        "float_as_int float_as_uint floor floorf fma fma_rd fma_rn fma_ru fma_rz fmaf fmaf_ieee_rd fmaf_ieee_rn fmaf_ieee_ru "
        "fmaf_ieee_rz fmaf_rd fmaf_rn fmaf_ru fmaf_rz fmax fmaxf fmin fminf fmod fmodf fmul_rd fmul_rn fmul_ru fmul_rz frcp_rd frcp_rn "
        "frcp_ru frcp_rz frexp frexpf frsqrt_rn fsqrt_rd fsqrt_rn fsqrt_ru fsqrt_rz fsub_rd fsub_rn fsub_ru fsub_rz hadd half2float "
        "hiloint2double hypot hypotf ilogb ilogbf int2double_rn int2float_rd int2float_rn int2float_ru int2float_rz int_as_float "
        "isfinited isinfd isinff isnand isnanf j0 j0f j1 j1f jn jnf ldexp ldexpf lgamma lgammaf ll2double_rd ll2double_rn ll2double_ru "
        "ll2double_rz ll2float_rd ll2float_rn ll2float_ru ll2float_rz llabs llmax llmin llrint llrintf llround llroundf log log10 "
        "log10f log1p log1pf log2 log2f logb logbf logf longlong_as_double max min modf modff mul24 mul64hi mulhi nan nanf nearbyint "
        "nearbyintf nextafter nextafterf norm3d norm3df norm4d norm4df normcdf normcdff normcdfinv normcdfinvf popc popcll pow powf "
        "powi powif rcbrt rcbrtf rcp64h remainder remainderf remquo remquof rhadd rhypot rhypotf rint rintf rnorm3d rnorm3df rnorm4d "
        "rnorm4df round roundf rsqrt rsqrtf sad saturatef scalbn scalbnf signbitd signbitf sin sincos sincosf sincospi sincospif sinf "
        "sinh sinhf sinpi sinpif sqrt sqrtf tan tanf tanh tanhf tgamma tgammaf trunc truncf uhadd uint2double_rn uint2float_rd "
        "uint2float_rn uint2float_ru uint2float_rz uint_as_float ull2double_rd ull2double_rn ull2double_ru ull2double_rz ull2float_rd "
        "ull2float_rn ull2float_ru ull2float_rz ullmax ullmin umax umin umul24 umul64hi umulhi urhadd usad y0 y0f y1 y1f yn ynf ";
    (void)state;
    for (const char *at = names; *at != '\0';) {
        const size_t size = strcspn(at, " ");
        char name[64];
        snprintf(name, sizeof name, "__nv_%.*s", (int)size, at);
        if (emu_math_find(name) == NULL)
            fail_msg("%s is missing", name);
        at += size + 1;
    }
    assert_null(emu_math_find("__nv_"));
    assert_null(emu_math_find("sinf"));
}

static void assert_close(double got, double wanted, double relative)
{
    if (!(fabs(got - wanted) <= relative * fabs(wanted)))
        fail_msg("got %.17g, wanted %.17g", got, wanted);
}

static void test_functions_that_the_c_library_lacks(void **state)
{
    (void)state;
    assert_close(call1("__nv_erfinv", 0.5), 0.47693627620446987, 4e-16);
    assert_close(call1("__nv_erfinv", 0.25), 0.22531205501217808, 4e-16);
    assert_close(call1("__nv_erfcinv", 1e-6), 3.458910737279500, 1e-14);
    assert_close(call1("__nv_erfcinv", 1e-300), 26.209469960516324, 1e-14);
    assert_true(isinf(call1("__nv_erfinv", 1.0)));
    assert_true(isnan(call1("__nv_erfinv", 1.5)));
    assert_close(call1("__nv_erfcx", 1.0), 0.42758357615580700, 1e-15);
    assert_close(call1("__nv_erfcx", 10.0), 0.056140992743822585, 1e-15);
    assert_close(call1("__nv_normcdf", 1.0), 0.84134474606854293, 1e-15);
    assert_close(call1("__nv_normcdfinv", 0.975), 1.9599639845400545, 1e-14);
    assert_close(call1("__nv_cyl_bessel_i0", 2.0), 2.2795853023360673, 1e-15);
    assert_close(call1("__nv_cyl_bessel_i1", 2.0), 1.5906368546373291, 1e-15);
    assert_close(call1("__nv_sinpi", 0.25), 0.70710678118654752, 2e-16);
    assert_close(call1("__nv_sinpi", 1e15 + 0.5), 1.0, 0);
    assert_true(call1("__nv_sinpi", 3.0) == 0.0);
    assert_close(call1("__nv_cospi", 1.0), -1.0, 0);
    assert_true(call1("__nv_cospi", 0.5) == 0.0);
    assert_close(call1("__nv_rsqrt", 4.0), 0.5, 0);
    assert_close(call1("__nv_rcbrt", 8.0), 0.5, 0);
}

static void test_results_through_pointers(void **state)
{
    (void)state;
    uint64_t extra[2];
    const uint64_t x = bits64(0.5), eight = bits64(8.25), pair[2] = {bits64(7.0), bits64(2.0)};
    call("__nv_sincos", &x, extra);
    assert_close(value64(extra[0]), sin(0.5), 0);
    assert_close(value64(extra[1]), cos(0.5), 0);
    assert_close(value64(call("__nv_frexp", &eight, extra)), 8.25 / 16, 0);
    assert_int_equal(extra[0], 4);
    assert_close(value64(call("__nv_modf", &eight, extra)), 0.25, 0);
    assert_close(value64(extra[0]), 8.0, 0);
    assert_close(value64(call("__nv_remquo", pair, extra)), -1.0, 0);
    assert_int_equal(extra[0], 4);
}

static void test_integers_and_conversions(void **state)
{
    static const struct {
        const char *name;
        uint64_t arguments[3], expected;
    } rows[] = {
        {"__nv_popc", {0xf0f0}, 8},
        {"__nv_clz", {1}, 31},
        {"__nv_ffs", {0}, 0},
        {"__nv_ffsll", {(uint64_t)1 << 40}, 41},
        {"__nv_brev", {1}, 0x80000000},
        {"__nv_byte_perm", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
        {"__nv_mulhi", {0xffffffff, 2}, 0xffffffff},
        {"__nv_umulhi", {0xffffffff, 2}, 1},
        {"__nv_mul64hi", {UINT64_MAX, 2}, UINT64_MAX},
        {"__nv_umul64hi", {UINT64_MAX, 2}, 1},
        {"__nv_sad", {0xffffffff, 1, 5}, 7},
        {"__nv_rhadd", {3, 4}, 4},
        {"__nv_abs", {0x80000000}, 0x80000000},
        {"__nv_float2int_rn", {0x40200000}, 2},
        {"__nv_float2int_ru", {0x40200000}, 3},
        {"__nv_float2half_rn", {0x3f800000}, 0x3c00},
        {"__nv_half2float", {0x3c00}, 0x3f800000},
        {"__nv_int2float_rz", {0x7fffffff}, 0x4effffff},
        {"__nv_fadd_rz", {0x3f800000, 0x33000000}, 0x3f800000},
        {"__nv_fadd_ru", {0x3f800000, 0x33000000}, 0x3f800001},
        {"__nv_hiloint2double", {0x3ff00000, 0}, 0x3ff0000000000000},
        {"__nv_isnanf", {0x7fc00000}, 1},
        {"__nv_sqrtf", {0xbf800000}, 0x7fffffff},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const uint64_t got = call(rows[i].name, rows[i].arguments, NULL);
        if (got != rows[i].expected)
            fail_msg("%s gives %llx", rows[i].name, (unsigned long long)got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function_of_the_library_is_there),
        cmocka_unit_test(test_functions_that_the_c_library_lacks),
        cmocka_unit_test(test_results_through_pointers),
        cmocka_unit_test(test_integers_and_conversions),
    };
    return cmocka_run_group_tests_name("lanes math", tests, NULL, NULL);
}
