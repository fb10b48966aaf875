/* SPDX-License-Identifier: Apache-2.0
 *
 * Two contracts of one kernel: what counts as the same, what joining them gives, what is said of differences.
 */
#include "unit.h"

static void expect_difference(const struct contract *a, const struct contract *b,
                              const char *wanted)
{
    const char *difference = NULL;
    if (contract_agrees(a, b, &difference))
        fail_msg("they agree, instead of: %s", wanted);
    assert_string_equal(difference, wanted);
}

static struct contract *make_full(struct arena *arena)
{
    struct contract *contract = make_contract(arena);
    contract->has_annotations = true;
    contract->block[0] = expression_of(contract, "16");
    contract->block[1] = expression_of(contract, "16");
    contract->domain[0] = expression_of(contract, "n");
    require(contract, "k >= 1", 1);
    require(contract, "m * k <= 100", 1);
    shape(contract, PARAMETER_A, CONTRACT_SHAPE_ROWS, (const char *const[]){"m", "k"}, 2);
    contract->parameters.data[PARAMETER_B].disjoint = true;
    *vec_push(arena, &contract->parameters.data[PARAMETER_B].may_alias) = PARAMETER_A;
    return contract;
}

static void test_same(void **state)
{
    struct contract *a = make_full(*state), *b = make_full(*state);
    const char *difference;
    assert_true(contract_agrees(a, b, &difference));
    struct contract_relation first = b->relations.data[0]; /* order does not matter */
    b->relations.data[0] = b->relations.data[1];
    b->relations.data[1] = first;
    assert_true(contract_agrees(a, b, &difference));
    b->parameters.data[PARAMETER_M].name = "rows"; /* nor do names */
    assert_true(contract_agrees(a, b, &difference));
    a->block[0] = expression_of(a, "0x10"); /* nor how a number is written */
    assert_true(contract_agrees(a, b, &difference));
}

static void test_differences(void **state)
{
    struct contract *a = make_full(*state), *b = make_full(*state);
    b->block[1] = expression_of(b, "8");
    expect_difference(a, b, "LW_BLOCK is (16, 16) in one and (16, 8) in the other");
    b = make_full(*state);
    b->domain[0].root = CONTRACT_NONE;
    expect_difference(a, b, "LW_DOMAIN is (n) in one and not given in the other");
    b = make_full(*state);
    require(b, "n < 5", 1);
    expect_difference(a, b, "only one requires `n < 5`");
    expect_difference(b, a, "only one requires `n < 5`");
    b = make_full(*state);
    b->parameters.data[PARAMETER_B].disjoint = false;
    expect_difference(a, b, "`b` has LW_DISJOINT in one only");
    b = make_full(*state);
    b->parameters.data[PARAMETER_A].shape[1] = expression_of(b, "n");
    expect_difference(a, b, "the shape of `a` is (m, k) in one and (m, n) in the other");
    b = make_full(*state);
    b->parameters.data[PARAMETER_B].may_alias.count = 0;
    expect_difference(a, b, "`b` has different LW_MAY_ALIAS");
    b = make_full(*state);
    b->parameters.data[PARAMETER_K].size = 8;
    a->parameters.data[PARAMETER_K].size = 4;
    expect_difference(
        a, b, "the parameter `k` is a `int` of 4 bytes in one and a `int` of 8 bytes in the other");
    b = make_full(*state);
    b->parameters.count = PARAMETER_V;
    expect_difference(a, b, "one has 7 parameters, the other 6");
}

/* A part that only one has is taken. */
static void test_union(void **state)
{
    struct contract *whole = make_full(*state), *half = make_contract(*state);
    const char *difference;
    struct place place;
    half->block[0] = expression_of(half, "16");
    half->block[1] = expression_of(half, "16");
    half->parameters.data[PARAMETER_B].writes_all = true;
    half->parameters.data[PARAMETER_B].reduction = CONTRACT_MAX;
    half->parameters.data[PARAMETER_B].reduces = PARAMETER_A;
    assert_true(contract_merge(half, whole, &difference, &place));
    assert_true(half->has_annotations);
    assert_int_equal(half->relations.count, 2);
    const struct contract_parameter *a = &half->parameters.data[PARAMETER_A];
    assert_int_equal(a->dimensions, 2);
    assert_string_equal(a->extent.text, "m * k");
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 5, 7, 9);
    contract_integer elements;
    assert_true(contract_extent(half, PARAMETER_A, &values, &elements));
    assert_int_equal(elements, 45);
    whole->parameters.data[PARAMETER_B].writes_all = true;
    whole->parameters.data[PARAMETER_B].reduction = CONTRACT_MAX;
    whole->parameters.data[PARAMETER_B].reduces = PARAMETER_A;
    assert_true(contract_agrees(half, whole, &difference));

    struct contract *renamed = make_contract(*state);
    renamed->parameters.data[PARAMETER_M].name = "rows";
    renamed->parameters.data[PARAMETER_A].name = "matrix";
    shape(whole, PARAMETER_DATA, CONTRACT_SHAPE_ROWS,
          (const char *const[]){"(m - (1 - k)) * -(m + len(a)) % 0x10"}, 1);
    assert_true(contract_merge(renamed, whole, &difference, &place));
    assert_string_equal(renamed->relations.data[1].text, "rows * k <= 100");
    assert_string_equal(renamed->parameters.data[PARAMETER_DATA].shape[0].text,
                        "(rows - (1 - k)) * -(rows + len(matrix)) % 16");

    half->block[0] = expression_of(half, "32");
    assert_false(contract_merge(whole, half, &difference, &place));
    assert_string_equal(difference, "LW_BLOCK is (16, 16) in one and (32, 16) in the other");
    assert_int_equal(place.line, 3);
}

static void test_text(void **state)
{
    struct contract *contract = make_full(*state);
    struct buffer out;
    buffer_init(&out, *state);
    contract->block[1] = expression_of(contract, "2 * 8");
    contract_print(contract, &out);
    assert_non_null(strstr(out.data, "kernel gemm at x.cu:9:17\n"));
    assert_non_null(strstr(out.data, "    shape m, k\n    extent m * k\n"));
    assert_non_null(strstr(out.data, "    disjoint\n    may alias a\n"));
    assert_non_null(
        strstr(out.data, "  requires k >= 1\n  requires m * k <= 100\n  block 16, 2 * 8\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_same), TEST(test_differences), TEST(test_union),
                                       TEST(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
