/* SPDX-License-Identifier: Apache-2.0
 *
 * Elements: conversions, text, equality.
 */
#include "unit.h"

#include <math.h>

static struct value real(double value)
{
    return (struct value){.is_float = true, .as.real = value};
}

static struct value integer(int64_t value)
{
    return (struct value){.as.integer = value};
}

static uint64_t stored(enum value_type type, struct value value)
{
    uint64_t bits = 0;
    value_store(type, value, &bits);
    return bits;
}

static void test_every_type_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VALUE_TYPE_COUNT; i++) {
        const char *name = value_type_info((enum value_type)i)->name;
        assert_int_equal(value_type_find(name, strlen(name)), i);
    }
    assert_int_equal(value_type_find("f33", 3), VALUE_TYPE_COUNT);
    assert_int_equal(value_type_find("f3", 2), VALUE_TYPE_COUNT);
}

static void test_half_precision_rounds_to_nearest_even(void **state)
{
    (void)state;
    static const struct {
        double value;
        unsigned half, brain;
    } cases[] = {
        {0.0, 0x0000, 0x0000},
        {-0.0, 0x8000, 0x8000},
        {1.0, 0x3c00, 0x3f80},
        {-2.5, 0xc100, 0xc020},
        {65504.0, 0x7bff, 0x4780},
        {65519.9, 0x7bff, 0x4780},
        {65520.0, 0x7c00, 0x4780},
        {1.0 + 0x1p-11, 0x3c00, 0x3f80},         /* half way: to even */
        {1.0 + 3 * 0x1p-11, 0x3c02, 0x3f80},     /* half way: to even, upwards */
        {1.0 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80},
        {1.0 + 0x1p-8, 0x3c04, 0x3f80},
        {1.0 + 3 * 0x1p-8, 0x3c0c, 0x3f82},
        {0x1p-24, 0x0001, 0x3380},               /* the smallest half */
        {0x1p-25, 0x0000, 0x3300},
        {0x1.8p-25, 0x0001, 0x3340},
        {0x1p-14, 0x0400, 0x3880},
        {0x1.ff8p-15, 0x03ff, 0x3880},
        {0x1.ffep-15, 0x0400, 0x3880},
        {1e300, 0x7c00, 0x7f80},
        {-1e300, 0xfc00, 0xff80},
        {0x1p-133, 0x0000, 0x0001},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(stored(VALUE_F16, real(cases[i].value)), cases[i].half);
        assert_int_equal(stored(VALUE_BF16, real(cases[i].value)), cases[i].brain);
    }
    assert_int_equal(stored(VALUE_F16, real((double)NAN)), 0x7fff);
    assert_int_equal(stored(VALUE_BF16, real((double)NAN)), 0x7fff);
}

static void test_every_half_survives_a_round_trip(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        uint16_t half = (uint16_t)bits;
        struct value value = value_load(VALUE_F16, &half);
        if (!isnan(value.as.real))
            assert_int_equal(stored(VALUE_F16, value), bits);
        value = value_load(VALUE_BF16, &half);
        if (!isnan(value.as.real))
            assert_int_equal(stored(VALUE_BF16, value), bits);
    }
}

static void test_integers_keep_their_low_bits_and_reals_saturate(void **state)
{
    (void)state;
    assert_int_equal(stored(VALUE_U8, integer(-1)), 0xff);
    assert_int_equal(stored(VALUE_I16, integer(0x12345)), 0x2345);
    assert_int_equal(stored(VALUE_U8, real(300.7)), 0xff);
    assert_int_equal(stored(VALUE_U8, real(-3.0)), 0);
    assert_int_equal(stored(VALUE_I8, real(-200.0)), 0x80);
    assert_int_equal(stored(VALUE_I32, real(-2.9)), 0xfffffffe);
    assert_int_equal(stored(VALUE_I32, real(1e20)), 0x7fffffff);
    assert_int_equal(stored(VALUE_I64, real((double)NAN)), 0);
    assert_true(stored(VALUE_U64, real(1e30)) == UINT64_MAX);
    int8_t minus = -5;
    assert_int_equal(value_load(VALUE_I8, &minus).as.integer, -5);
    assert_int_equal(value_load(VALUE_U8, &minus).as.integer, 251);
}

static void test_text_is_the_shortest_that_reads_back(void **state)
{
    (void)state;
    static const struct {
        enum value_type type;
        double value;
        const char *text;
    } cases[] = {
        {VALUE_F32, 0.1, "0.1"},     {VALUE_F64, 0.1, "0.1"},
        {VALUE_F32, 10, "10"},       {VALUE_F32, 1e30, "1e+30"},
        {VALUE_F32, 16777216, "16777216"}, {VALUE_F16, 0.1, "0.1"},
        {VALUE_F32, -0.0, "-0"},     {VALUE_I32, -7, "-7"},
        {VALUE_U8, 255, "255"},      {VALUE_F64, 1.0 / 3, "0.3333333333333333"},
        {VALUE_F32, (double)INFINITY, "inf"}, {VALUE_F32, -(double)NAN, "nan"},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        char text[32];
        uint64_t bits = stored(cases[i].type, real(cases[i].value));
        assert_string_equal(value_format(cases[i].type, &bits, text), cases[i].text);
    }
}

static bool match(enum value_type type, double a, double b, double tolerance)
{
    uint64_t x = stored(type, real(a)), y = stored(type, real(b));
    return value_matches(type, &x, &y, tolerance);
}

static void test_results_match_within_their_tolerance(void **state)
{
    (void)state;
    double infinity = (double)INFINITY, nan = (double)NAN;
    assert_true(match(VALUE_F32, 1.0, 1.0 + 0.9e-5, 0));
    assert_false(match(VALUE_F32, 1.0, 1.0 + 1.2e-5, 0));
    assert_true(match(VALUE_F32, 1.0, 1.0 + 1.2e-5, 1e-3));
    assert_true(match(VALUE_F64, -1e200, -1e200 * (1 + 1e-6), 0));
    assert_false(match(VALUE_F32, 0.0, 1e-30, 0));
    assert_true(match(VALUE_F32, 0.0, -0.0, 0));
    assert_true(match(VALUE_F32, nan, nan, 0));
    assert_false(match(VALUE_F32, nan, 1, 0));
    assert_true(match(VALUE_F32, infinity, infinity, 0));
    assert_false(match(VALUE_F32, infinity, -infinity, 0));
    assert_false(match(VALUE_F32, infinity, 3e38, 0));
    assert_true(match(VALUE_F16, 1.0, 1.0 + 0x1p-10, 0));
    assert_false(match(VALUE_F16, 1.0, 1.0 + 0x1p-8, 0));
    assert_false(match(VALUE_I32, 100000, 100001, 0.5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_found_by_its_name),
        cmocka_unit_test(test_half_precision_rounds_to_nearest_even),
        cmocka_unit_test(test_every_half_survives_a_round_trip),
        cmocka_unit_test(test_integers_keep_their_low_bits_and_reals_saturate),
        cmocka_unit_test(test_text_is_the_shortest_that_reads_back),
        cmocka_unit_test(test_results_match_within_their_tolerance),
    };
    (void)setup;
    (void)teardown;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
