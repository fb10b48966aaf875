/* SPDX-License-Identifier: Apache-2.0
 *
 * Results of operations against plain C, against the C library (approximations), and against a naive matrix product.
 */
#include "harness.h"

#include "emu/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- integers ---- */

static uint32_t divided_u32(uint32_t a, uint32_t b)
{
    return b ? a / b : UINT32_MAX;
}

static uint32_t divided_s32(uint32_t a, uint32_t b)
{
    return b == 0 ? UINT32_MAX : b == UINT32_MAX ? 0u - a : (uint32_t)((int32_t)a / (int32_t)b);
}

static uint32_t rest_u32(uint32_t a, uint32_t b)
{
    return b ? a % b : UINT32_MAX;
}

static uint32_t rest_s32(uint32_t a, uint32_t b)
{
    return b == 0 ? UINT32_MAX : b == UINT32_MAX ? 0 : (uint32_t)((int32_t)a % (int32_t)b);
}

static uint32_t high_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32);
}

static uint32_t added_clamped(uint32_t a, uint32_t b)
{
    const int64_t total = (int64_t)(int32_t)a + (int32_t)b;
    return (uint32_t)(total > INT32_MAX ? INT32_MAX : total < INT32_MIN ? INT32_MIN : total);
}

static uint32_t shifted_left(uint32_t a, uint32_t b)
{
    return b < 32 ? a << b : 0;
}

static uint32_t shifted_right(uint32_t a, uint32_t b)
{
    return (uint32_t)((int64_t)(int32_t)a >> (b < 32 ? b : 31));
}

static void test_integer_operations(void **state)
{
    static const struct {
        const char *text;
        uint32_t (*expected)(uint32_t a, uint32_t b);
    } rows[] = {
        {"div.u32 %r0, %r1, %r2;", divided_u32},  {"div.s32 %r0, %r1, %r2;", divided_s32}, {"rem.u32 %r0, %r1, %r2;", rest_u32},
        {"rem.s32 %r0, %r1, %r2;", rest_s32},     {"mul.hi.s32 %r0, %r1, %r2;", high_s32}, {"add.sat.s32 %r0, %r1, %r2;", added_clamped},
        {"shl.b32 %r0, %r1, %r2;", shifted_left}, {"shr.s32 %r0, %r1, %r2;", shifted_right},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct lane_case lane_case;
        uint64_t random = i;
        lane_case_init(&lane_case, rows[i].text);
        for (unsigned round = 0; round < 300; round++) {
            static struct register_file file;
            random_file(&random, &file);
            lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK);
            for (unsigned l = 0; l < EMU_LANES; l++)
                if (file.r[0][l] != rows[i].expected(file.r[1][l], file.r[2][l]))
                    fail_msg("`%s` of %08x and %08x gives %08x", rows[i].text, file.r[1][l], file.r[2][l], file.r[0][l]);
        }
        lane_case_free(&lane_case);
    }
}

/* Division goes through doubles: quotients near whole numbers are where it could fail. */
static void test_division_near_multiples(void **state)
{
    (void)state;
    static struct register_file file;
    uint64_t random = 1;
    for (unsigned round = 0; round < 2000; round++) {
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const uint32_t b = (uint32_t)random_next(&random) >> (random_next(&random) % 32) | 1;
            const uint32_t q = (uint32_t)(random_next(&random) % ((uint64_t)UINT32_MAX / b + 1));
            file.r[1][l] = q * b + (uint32_t)(random_next(&random) % 3) - 1;
            file.r[2][l] = b;
        }
        lane_run("div.u32 %r0, %r1, %r2;", &file);
        for (unsigned l = 0; l < EMU_LANES; l++)
            assert_int_equal(file.r[0][l], file.r[1][l] / file.r[2][l]);
    }
}

static void test_carry_chain_adds_128_bits(void **state)
{
    (void)state;
    static struct register_file file;
    uint64_t random = 9;
    for (unsigned round = 0; round < 100; round++) {
        random_file(&random, &file);
        lane_run("add.cc.u64 %d4, %d0, %d2;", &file);
        lane_run("addc.u64 %d5, %d1, %d3;", &file);
        lane_run("sub.cc.u64 %d6, %d0, %d2;", &file);
        lane_run("subc.u64 %d7, %d1, %d3;", &file);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const uint64_t low = file.d[0][l] + file.d[2][l], borrow = file.d[0][l] < file.d[2][l];
            assert_int_equal(file.d[4][l], low);
            assert_int_equal(file.d[5][l], file.d[1][l] + file.d[3][l] + (low < file.d[0][l]));
            assert_int_equal(file.d[6][l], file.d[0][l] - file.d[2][l]);
            assert_int_equal(file.d[7][l], file.d[1][l] - file.d[3][l] - borrow);
        }
    }
}

/* ---- floating point ---- */

static void test_single_results_have_one_nan(void **state)
{
    (void)state;
    static struct register_file file;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        file.r[1][l] = l & 1 ? 0x7f800001u : 0xff800000u;
        file.r[2][l] = 0x7f800000u;
    }
    lane_run("add.f32 %r0, %r1, %r2;", &file);
    for (unsigned l = 0; l < EMU_LANES; l++)
        assert_int_equal(file.r[0][l], 0x7fffffff);
    lane_run("add.sat.f32 %r0, %r1, %r2;", &file);
    for (unsigned l = 0; l < EMU_LANES; l++)
        assert_int_equal(file.r[0][l], 0);
}

static void test_fused_multiply_add_rounds_once(void **state)
{
    (void)state;
    struct lane_case lane_case;
    uint64_t random = 21;
    lane_case_init(&lane_case, "fma.rn.f32 %r0, %r1, %r2, %r3;");
    for (unsigned isa = EMU_ISA_PLAIN; isa <= emu_lanes_best_isa(); isa++)
        for (unsigned round = 0; round < 300; round++) {
            static struct register_file file;
            random_file(&random, &file);
            for (unsigned l = 0; l < EMU_LANES; l += 2) /* cancellation */
                file.r[3][l] = float_bits(-(as_float(file.r[1][l]) * as_float(file.r[2][l])));
            lane_case_run(&lane_case, isa, &file, EMU_FULL_MASK);
            for (unsigned l = 0; l < EMU_LANES; l++) {
                const float expected = fmaf(as_float(file.r[1][l]), as_float(file.r[2][l]), as_float(file.r[3][l]));
                if (float_bits(expected) != file.r[0][l] && !isnan(expected))
                    fail_msg("fma of %08x %08x %08x: %08x", file.r[1][l], file.r[2][l], file.r[3][l], file.r[0][l]);
            }
        }
    lane_case_free(&lane_case);
}

/* Bounds of the manual; `relative` 0: the bound is absolute. */
static void check_approximation(const char *text, double (*exact)(double), double low, double high, double bound, bool relative)
{
    struct lane_case lane_case;
    uint64_t random = 77;
    lane_case_init(&lane_case, text);
    double worst = 0;
    for (unsigned round = 0; round < 1000; round++) {
        static struct register_file file;
        for (unsigned l = 0; l < EMU_LANES; l++)
            file.r[1][l] = float_bits((float)(low + (high - low) * ((double)(random_next(&random) >> 11) * 0x1p-53)));
        lane_case_run(&lane_case, EMU_ISA_BEST, &file, EMU_FULL_MASK);
        for (unsigned l = 0; l < EMU_LANES; l++) {
            const double wanted = exact((double)as_float(file.r[1][l]));
            const double error = fabs((double)as_float(file.r[0][l]) - wanted) / (relative ? fabs(wanted) : 1.0);
            worst = error > worst ? error : worst;
        }
    }
    lane_case_free(&lane_case);
    if (!(worst <= bound))
        fail_msg("`%s`: error 2^%.2f", text, log2(worst));
}

static double reciprocal(double x)
{
    return 1 / x;
}

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

static void test_approximations_stay_inside_their_bounds(void **state)
{
    (void)state;
    check_approximation("sin.approx.f32 %r0, %r1;", sin, -6.3, 6.3, 0x1p-23, false);
    check_approximation("cos.approx.f32 %r0, %r1;", cos, -6.3, 6.3, 0x1p-23, false);
    check_approximation("sin.approx.f32 %r0, %r1;", sin, -1e6, 1e6, 0x1p-23, false);
    check_approximation("cos.approx.f32 %r0, %r1;", cos, -1e9, 1e9, 0x1p-23, false);
    check_approximation("lg2.approx.f32 %r0, %r1;", log2, 0.5, 2, 0x1p-23, false);
    check_approximation("lg2.approx.f32 %r0, %r1;", log2, 2, 1e30, 0x1p-23, true);
    check_approximation("lg2.approx.f32 %r0, %r1;", log2, 1e-40, 1e-37, 0x1p-23, true);
    check_approximation("ex2.approx.f32 %r0, %r1;", exp2, -126, 128, 0x1p-23, true);
    check_approximation("rcp.approx.f32 %r0, %r1;", reciprocal, 1e-3, 1e3, 0x1p-23, true);
    check_approximation("sqrt.approx.f32 %r0, %r1;", sqrt, 1e-38, 1e30, 0x1p-23, true);
    check_approximation("rsqrt.approx.f32 %r0, %r1;", reciprocal_root, 1e-38, 1e30, 1.279e-7, true);
    check_approximation("tanh.approx.f32 %r0, %r1;", tanh, -1, 1, 0x1p-20, true);
    check_approximation("tanh.approx.f32 %r0, %r1;", tanh, -20, 20, 0x1p-20, true);
}

static void test_approximations_of_special_values(void **state)
{
    static const struct {
        const char *text;
        uint32_t argument, expected;
    } rows[] = {
        {"ex2.approx.f32 %r0, %r1;", 0xff800000, 0},          {"ex2.approx.f32 %r0, %r1;", 0x80000000, 0x3f800000},
        {"ex2.approx.f32 %r0, %r1;", 0x7f800000, 0x7f800000}, {"ex2.approx.f32 %r0, %r1;", 0xffc00001, 0x7fffffff},
        {"ex2.approx.f32 %r0, %r1;", 0xc3150000, 1},          {"ex2.approx.ftz.f32 %r0, %r1;", 0xc3150000, 0},
        {"lg2.approx.f32 %r0, %r1;", 0x80000000, 0xff800000}, {"lg2.approx.f32 %r0, %r1;", 0xbf800000, 0x7fffffff},
        {"lg2.approx.f32 %r0, %r1;", 0x7f800000, 0x7f800000}, {"lg2.approx.f32 %r0, %r1;", 0x00000001, 0xc3150000},
        {"lg2.approx.ftz.f32 %r0, %r1;", 1, 0xff800000},      {"rsqrt.approx.f32 %r0, %r1;", 0x80000000, 0xff800000},
        {"sin.approx.f32 %r0, %r1;", 0x80000000, 0x80000000}, {"sin.approx.f32 %r0, %r1;", 0x7f800000, 0x7fffffff},
        {"cos.approx.f32 %r0, %r1;", 0, 0x3f800000},          {"sin.approx.ftz.f32 %r0, %r1;", 0x00400000, 0},
        {"rcp.approx.f32 %r0, %r1;", 0xff800000, 0x80000000}, {"rcp.approx.ftz.f32 %r0, %r1;", 0x80000001, 0xff800000},
        {"tanh.approx.f32 %r0, %r1;", 0xff800000, 0xbf800000}, {"tanh.approx.f32 %r0, %r1;", 0x80000001, 0x80000001},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static struct register_file file;
        for (unsigned l = 0; l < EMU_LANES; l++)
            file.r[1][l] = rows[i].argument;
        lane_run(rows[i].text, &file);
        for (unsigned l = 0; l < EMU_LANES; l++)
            if (file.r[0][l] != rows[i].expected)
                fail_msg("`%s` of %08x gives %08x", rows[i].text, rows[i].argument, file.r[0][l]);
    }
}

/* ---- the warp ---- */

static void test_shuffle_of_absent_lanes(void **state)
{
    (void)state;
    static struct register_file file;
    struct lane_case lane_case;
    for (unsigned l = 0; l < EMU_LANES; l++) {
        file.r[1][l] = 100 + l;
        file.r[2][l] = 1;
        file.r[3][l] = 31;
    }
    lane_case_init(&lane_case, "shfl.sync.down.b32 %r0|%p0, %r1, %r2, %r3, -1;");
    lane_case_run(&lane_case, EMU_ISA_BEST, &file, 0x0000000f);
    for (unsigned l = 0; l < 4; l++)
        assert_int_equal(file.r[0][l], l < 3 ? 101 + l : 103); /* lane 4 takes no part */
    assert_int_equal(file.r[0][4], 0);
    assert_int_equal(file.p[0][0], 0xf);
    lane_case_free(&lane_case);
}

/* ---- matrices ---- */

static void test_every_element_has_one_place(void **state)
{
    static const struct {
        uint32_t shape;
        unsigned packed;
    } rows[] = {{16 << 16 | 8 << 8 | 8, 2},  {16 << 16 | 8 << 8 | 16, 2}, {16 << 16 | 8 << 8 | 4, 1}, {16 << 16 | 8 << 8 | 8, 1},
                {8 << 16 | 8 << 8 | 4, 1},   {8 << 16 | 8 << 8 | 16, 4},  {16 << 16 | 8 << 8 | 32, 4}, {16 << 16 | 8 << 8 | 64, 8},
                {16 << 16 | 8 << 8 | 128, 32}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (enum emu_fragment fragment = EMU_FRAGMENT_A; fragment <= EMU_FRAGMENT_C; fragment++) {
            uint8_t seen[2048] = {0};
            const struct emu_matrix_size size = emu_matrix_size(fragment, rows[i].shape);
            const unsigned each = size.rows * size.columns / EMU_LANES, packed = fragment == EMU_FRAGMENT_C ? 1 : rows[i].packed;
            for (unsigned lane = 0; lane < EMU_LANES; lane++)
                for (unsigned index = 0; index < each; index++) {
                    const struct emu_matrix_place place = emu_matrix_mma_place(fragment, size, packed, lane, index);
                    assert_true(place.row < size.rows && place.column < size.columns);
                    assert_int_equal(seen[place.row * size.columns + place.column]++, 0);
                }
        }
    }
}

/* m16n8k8 with tf32: places written out from the manual's formulas, values small whole numbers. */
static void test_matrix_product(void **state)
{
    (void)state;
    static struct register_file file;
    float a[16][8], b[8][8];
    for (unsigned l = 0; l < EMU_LANES; l++) {
        const unsigned group = l / 4, member = l % 4;
        for (unsigned i = 0; i < 4; i++) {
            const float value = (float)((l * 7 + i * 3) % 11) - 5;
            a[group + 8 * (i & 1)][member + 4 * (i >> 1)] = value;
            file.r[4 + i][l] = float_bits(value);
            file.r[i][l] = float_bits((float)(l + i));
        }
        for (unsigned i = 0; i < 2; i++) {
            const float value = (float)((l * 5 + i * 9) % 13) - 6;
            b[member + 4 * i][group] = value;
            file.r[8 + i][l] = float_bits(value);
        }
    }
    lane_run("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%r8, %r9}, "
             "{%r0, %r1, %r2, %r3};",
             &file);
    for (unsigned l = 0; l < EMU_LANES; l++) {
        for (unsigned i = 0; i < 4; i++) {
            float expected = (float)(l + i);
            for (unsigned k = 0; k < 8; k++)
                expected += a[l / 4 + 8 * (i >> 1)][k] * b[k][l % 4 * 2 + (i & 1)];
            assert_true(as_float(file.r[i][l]) == expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_operations),
        cmocka_unit_test(test_division_near_multiples),
        cmocka_unit_test(test_carry_chain_adds_128_bits),
        cmocka_unit_test(test_single_results_have_one_nan),
        cmocka_unit_test(test_fused_multiply_add_rounds_once),
        cmocka_unit_test(test_approximations_stay_inside_their_bounds),
        cmocka_unit_test(test_approximations_of_special_values),
        cmocka_unit_test(test_shuffle_of_absent_lanes),
        cmocka_unit_test(test_every_element_has_one_place),
        cmocka_unit_test(test_matrix_product),
    };
    return cmocka_run_group_tests_name("lanes values", tests, NULL, NULL);
}
