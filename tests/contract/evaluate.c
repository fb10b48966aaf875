/* SPDX-License-Identifier: Apache-2.0
 *
 * A contract and the numbers of one launch: every broken condition with its message, in the order of the source.
 */
#include "unit.h"

static void expect(struct arena *arena, const struct contract *contract,
                   const struct contract_values *values, const char *const *messages,
                   unsigned count)
{
    contract_violations found = {0};
    bool good = contract_evaluate(contract, arena, values, &found);
    for (unsigned i = 0; i < count && i < found.count; i++)
        if (strcmp(found.data[i].message, messages[i]) != 0)
            fail_msg("got: %s", found.data[i].message);
    if (found.count != count)
        fail_msg("%u violations; the last: %s", found.count,
                 found.count != 0 ? found.data[found.count - 1].message : "");
    assert_int_equal(good, count == 0);
}

#define EXPECT(contract, values, ...)                                                              \
    expect(*state, contract, values, (const char *const[]){__VA_ARGS__},                           \
           COUNT_OF(((const char *const[]){__VA_ARGS__})))

static void test_comparisons(void **state)
{
    static const struct {
        const char *text;
        bool less, equal, greater; /* what holds for 1 : 2, 2 : 2, 3 : 2 */
    } cases[] = {
        {"m == n", false, true, false}, {"m != n", true, false, true},
        {"m < n", true, false, false},  {"m <= n", true, true, false},
        {"m > n", false, false, true},  {"m >= n", false, true, true},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct contract *contract = make_contract(*state);
        struct launch_numbers numbers;
        require(contract, cases[i].text, 1);
        bool wanted[3] = {cases[i].less, cases[i].equal, cases[i].greater};
        for (int m = 1; m <= 3; m++) {
            struct contract_values values = make_values(&numbers, m, 2, 0);
            contract_violations found = {0};
            assert_int_equal(contract_evaluate(contract, *state, &values, &found), wanted[m - 1]);
        }
    }
}

static void test_messages(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 128, 64, 128);
    numbers.lengths[PARAMETER_A] = 8192;
    require(contract, "k < 5", 30);
    require(contract, "len(a) >= m * k", 2);
    shape(contract, PARAMETER_A, CONTRACT_SHAPE_ROWS, (const char *const[]){"m", "k"}, 2);
    EXPECT(contract, &values,
           "requirement `len(a) >= m * k` violated: left side is 8192, right side is 16384",
           "a holds 8192 elements, its shape (m, k) needs 16384",
           "requirement `k < 5` violated: left side is 128, right side is 5");
    numbers.lengths[PARAMETER_A] = 16384; /* more than the shape is fine too */
    numbers.scalars[PARAMETER_K] = 4;
    expect(*state, contract, &values, NULL, 0);
}

static void test_nothing_wraps(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    contract_integer big = (contract_integer)UINT64_MAX;
    struct contract_values values = make_values(&numbers, big, big, 0);
    require(contract, "m * n >= 0", 1);
    require(contract, "m + 1 > 0", 2);
    require(contract, "m * n - m * n == 0", 3);
    require(contract, "m == 18446744073709551615", 4);
    require(contract, "-m < 0", 5);
    require(contract, "n / k >= 0", 6);
    require(contract, "1 == n % k", 7);
    require(contract, "m * 0 == 0", 8);
    require(contract, "-9223372036854775808 < 0", 9);
    EXPECT(
        contract, &values,
        "requirement `m * n >= 0` violated: left side leaves the range [-2^63, 2^64), right side "
        "is 0",
        "requirement `m + 1 > 0` violated: left side leaves the range [-2^63, 2^64), right side is "
        "0",
        "requirement `m * n - m * n == 0` violated: left side leaves the range [-2^63, 2^64), "
        "right "
        "side is 0",
        "requirement `-m < 0` violated: left side leaves the range [-2^63, 2^64), right side is 0",
        "requirement `n / k >= 0` violated: left side divides by zero, right side is 0",
        "requirement `1 == n % k` violated: left side is 1, right side divides by zero");
}

static void test_extents(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 5, 7, 9);
    contract_integer elements;
    assert_false(contract_extent(contract, PARAMETER_A, &values, &elements));
    shape(contract, PARAMETER_A, CONTRACT_SHAPE_PITCHED, (const char *const[]){"m", "n", "k"}, 3);
    assert_string_equal(contract->parameters.data[PARAMETER_A].extent.text, "(m - 1) * k + n");
    assert_true(contract_extent(contract, PARAMETER_A, &values, &elements));
    assert_int_equal(elements, 4 * 9 + 7);
    for (unsigned zero = PARAMETER_M; zero <= PARAMETER_N; zero++) { /* no rows, or empty ones */
        values = make_values(&numbers, 5, 7, 9);
        numbers.scalars[zero] = 0;
        assert_true(contract_extent(contract, PARAMETER_A, &values, &elements));
        assert_int_equal(elements, 0);
    }
    values = make_values(&numbers, 1, 7, 0); /* one row needs no pitch */
    assert_true(contract_extent(contract, PARAMETER_A, &values, &elements));
    assert_int_equal(elements, 7);
    values = make_values(&numbers, 5, 7, -1);
    assert_false(contract_extent(contract, PARAMETER_A, &values, &elements));

    shape(contract, PARAMETER_B, CONTRACT_SHAPE_ROWS, (const char *const[]){"m + 1", "n", "k / 2"},
          3);
    assert_string_equal(contract->parameters.data[PARAMETER_B].extent.text,
                        "(m + 1) * n * (k / 2)");
    values = make_values(&numbers, 5, 7, 9);
    assert_true(contract_extent(contract, PARAMETER_B, &values, &elements));
    assert_int_equal(elements, 6 * 7 * 4);
    contract_integer huge = (contract_integer)1 << 40;
    values =
        make_values(&numbers, huge, huge, 0); /* the product would overflow, but is of nothing */
    assert_true(contract_extent(contract, PARAMETER_B, &values, &elements));
    assert_int_equal(elements, 0);
    values = make_values(&numbers, huge, huge, 4);
    assert_false(contract_extent(contract, PARAMETER_B, &values, &elements));
}

static void test_bad_shapes(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, -2, (contract_integer)1 << 60, 0);
    shape(contract, PARAMETER_A, CONTRACT_SHAPE_ROWS, (const char *const[]){"n", "m"}, 2);
    shape(contract, PARAMETER_B, CONTRACT_SHAPE_ROWS, (const char *const[]){"n", "64"}, 2);
    shape(contract, PARAMETER_DATA, CONTRACT_SHAPE_ROWS, (const char *const[]){"n / k"}, 1);
    EXPECT(contract, &values, "the shape of a: `m` is -2, less than 0",
           "the shape of v.data: `n / k` divides by zero",
           "the shape of b: (n, 64) has more than 2^64 elements");
    contract = make_contract(*state);
    shape(contract, PARAMETER_A, CONTRACT_SHAPE_ROWS, (const char *const[]){"n"}, 1);
    numbers.lengths[PARAMETER_A] = (contract_integer)1 << 61;
    EXPECT(contract, &values, "a needs 4611686018427387904 bytes, no array passes 2^47");
}

static void test_geometry(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 1000, 8, 0);
    bool no_work;
    assert_true(contract_geometry(contract, &values, &no_work)); /* no domain: as given */
    assert_false(no_work);
    assert_int_equal(values.grid[0], 10);
    contract->domain[0] = expression_of(contract, "m");
    contract->domain[1] = expression_of(contract, "n");
    assert_true(contract_geometry(contract, &values, &no_work));
    assert_int_equal(values.grid[0], 32); /* ceil(1000 / 32) */
    assert_int_equal(values.grid[1], 2);
    assert_int_equal(values.grid[2], 1);
    values = make_values(&numbers, 1000, 0, 0);
    assert_true(contract_geometry(contract, &values, &no_work));
    assert_true(no_work);
    assert_int_equal(values.grid[1], 0);
    values = make_values(&numbers, UINT64_MAX, 1, 0);
    assert_true(contract_geometry(contract, &values, &no_work));
    assert_true(values.grid[0] == (contract_integer)1 << 59); /* no overflow while rounding up */

    assert_false(contract_block(contract, &values));
    contract->block[0] = expression_of(contract, "2 * n");
    assert_true(contract_block(contract, &values));
    assert_int_equal(values.block[0], 2);
    assert_int_equal(values.block[1], 1);
    contract->block[1] = expression_of(contract, "n / k");
    assert_false(contract_block(contract, &values));
}

static void test_launches(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 100, 3, 33);
    contract->block[0] = expression_of(contract, "16");
    contract->block[1] = expression_of(contract, "16");
    EXPECT(contract, &values, "the block is (32, 4, 1), the contract asks for (16, 16, 1)");

    contract = make_contract(*state);
    contract->block_multiple = expression_of(contract, "k");
    contract->block_max = expression_of(contract, "m");
    EXPECT(contract, &values, "block.x is 32, not a multiple of 33",
           "a block of (32, 4, 1) has more than the 100 threads allowed");

    contract = make_contract(*state);
    contract->domain[0] = expression_of(contract, "m");
    EXPECT(contract, &values, "the grid is (10, 20, 1), the domain asks for (4, 1, 1)");
    values.has_grid = false;
    expect(*state, contract, &values, NULL, 0);
    numbers.scalars[PARAMETER_M] = 0; /* nothing to do, nothing wrong */
    expect(*state, contract, &values, NULL, 0);
    numbers.scalars[PARAMETER_M] = (contract_integer)1 << 40;
    EXPECT(contract, &values, "grid.x is 34359738368, a device allows 2147483647");
    contract = make_contract(*state);
    EXPECT(contract, &values, "the contract has no LW_DOMAIN: the launch must give a grid");

    contract = make_contract(*state);
    values = make_values(&numbers, 0, 0, 0);
    values.block[0] = 0;
    EXPECT(contract, &values, "block.x is 0, less than 1");
    values.block[0] = 512;
    EXPECT(contract, &values,
           "a block of (512, 4, 1) has more than the 1024 threads a device allows");
    values.block[0] = 1;
    values.block[2] = 65;
    EXPECT(contract, &values, "block.z is 65, a device allows 64");
    values.block[2] = 1;
    values.grid[0] = 0;
    values.grid[1] = 65536;
    EXPECT(contract, &values, "grid.x is 0, less than 1", "grid.y is 65536, a device allows 65535");
    contract->grid[0] = expression_of(contract, "1");
    values.grid[0] = values.grid[1] = 2;
    EXPECT(contract, &values, "the grid is (2, 2, 1), the contract asks for (1, 1, 1)");
}

static void test_shared_bytes_and_values(void **state)
{
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, -1, 0, 0);
    contract->shared_bytes = expression_of(contract, "block.x * 4 * m");
    EXPECT(contract, &values, "dynamic shared memory `block.x * 4 * m` is -128 bytes, less than 0");
    numbers.scalars[PARAMETER_M] = 10000;
    EXPECT(contract, &values,
           "dynamic shared memory `block.x * 4 * m` is 1280000 bytes, more than "
           "any device has");
    contract = make_contract(*state);
    contract->parameters.data[PARAMETER_A].value_low = expression_of(contract, "0");
    contract->parameters.data[PARAMETER_A].value_high = expression_of(contract, "m / k");
    EXPECT(contract, &values, "the values of a: `m / k` divides by zero");
}

static void test_numbers(void **state)
{
    char text[48];
    (void)state;
    assert_string_equal(contract_format(0, text), "0");
    assert_string_equal(contract_format(-1, text), "-1");
    assert_string_equal(contract_format((contract_integer)1 << 64, text), "18446744073709551616");
    contract_integer lowest = (contract_integer)INT64_MIN * ((contract_integer)1 << 62) * 4;
    assert_string_equal(contract_format(lowest, text), "-170141183460469231731687303715884105728");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_comparisons),   TEST(test_messages),
        TEST(test_nothing_wraps), TEST(test_extents),
        TEST(test_bad_shapes),    TEST(test_geometry),
        TEST(test_launches),      TEST(test_shared_bytes_and_values),
        TEST(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
