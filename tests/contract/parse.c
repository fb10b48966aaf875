/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions and relations: what they mean, and what is wrong with wrong ones, to the column.
 */
#include "unit.h"

#include <stdlib.h>

static void test_values(void **state)
{
    static const struct {
        const char *text;
        long long value;
    } cases[] = {
        {"0", 0},
        {"m", 7},
        {"m * n + k", 7 * 11 + 3},
        {"m + n * k", 7 + 11 * 3},
        {"(m + n) * k", 18 * 3},
        {"m - n - k", 7 - 11 - 3},
        {"m - (n - k)", 7 - (11 - 3)},
        {"-m + n", 4},
        {"- - m", 7},
        {"-(m * n)", -77},
        {"n / k", 3},
        {"-n / k", -3}, /* towards zero */
        {"n / -k", -3},
        {"n % k", 2},
        {"-n % k", -2}, /* the sign of the left side */
        {"n % -k", 2},
        {"m * n / k % 4", 77 / 3 % 4},
        {"len(a) + 1", 101},
        {"len ( b )", 200},
        {"block.x * block.y * block.z", 128},
        {"grid.x + grid.y + grid.z", 31},
        {"0x10", 16},
        {"0X1Fu", 31},
        {"010", 8},
        {"0b101", 5},
        {"1'000'000", 1000000},
        {"12ull", 12},
        {"3UZ", 3},
        {"v.rows", 5},
        {"m/*sic*/*// and\n\t n", 77},
        {"m *\\\n n", 77},
        {"EDGE + 1", 17},
        {"cfg::tile", 4},
    };
    struct contract *contract = make_contract(*state);
    struct launch_numbers numbers;
    struct contract_values values = make_values(&numbers, 7, 11, 3);
    numbers.lengths[PARAMETER_A] = 100;
    numbers.lengths[PARAMETER_B] = 200;
    numbers.scalars[PARAMETER_ROWS] = 5;
    contract_add_constant(contract, "EDGE", 16);
    contract_add_constant(contract, "cfg::tile", 4);
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct contract_expression expression = expression_of(contract, cases[i].text);
        contract_integer value;
        assert_int_equal(contract_evaluate_expression(contract, &expression, &values, &value),
                         CONTRACT_FINE);
        if (value != cases[i].value)
            fail_msg("%s: %lld", cases[i].text, (long long)value);
    }
}

static void test_text_and_places(void **state)
{
    struct contract *contract = make_contract(*state);
    struct diagnostic_list diagnostics;
    struct contract_relation relation;
    diagnostic_list_init(&diagnostics, *state);
    assert_true(
        parse_relation(contract, "  m  *  n\n   <=  /* at most */ 5 ", &relation, &diagnostics));
    assert_string_equal(relation.text, "m * n <= 5");
    assert_string_equal(relation.left.text, "m * n");
    assert_string_equal(relation.right.text, "5");
    assert_int_equal(relation.place.line, 3);
    assert_int_equal(relation.place.column, 16);
    assert_int_equal(relation.right.place.line, 4);
    assert_int_equal(relation.right.place.column, 22);
    assert_int_equal(relation.compare, CONTRACT_LESS_EQUAL);
}

struct bad {
    const char *text;
    unsigned line, column;
    const char *message;
    const char *help; /* how it begins; NULL: none */
};

#define OPERANDS                                                                                   \
    "operands: m, n, k, v.rows, len(a), len(b), len(v.data), block.x .y .z, grid.x .y .z"

static const struct bad bad_expressions[] = {
    {"", 3, 14, "expected a number or an operand here, found nothing", NULL},
    {" /* nothing */ ", 3, 14, "expected a number or an operand here, found nothing", NULL},
    {"m * kk", 3, 18, "`gemm` has no parameter `kk`", "did you mean `k`? " OPERANDS},
    {"zzz", 3, 14, "`gemm` has no parameter `zzz`", OPERANDS},
    {"m *\n  nn", 4, 3, "`gemm` has no parameter `nn`", "did you mean `n`? "},
    {"a", 3, 14, "`a` is an array, not a number", "`len(a)` is the number of its elements"},
    {"1 + a[3]", 3, 18, "elements of `a` are no part of a launch", "LW_VALUES bounds"},
    {"len(m)", 3, 18, "`m` is of type `int`, not an array", "arrays: a, b, v.data"},
    {"len(c)", 3, 18, "`gemm` has no parameter `c`", "arrays: a, b, v.data"},
    {"len(v)", 3, 18, "`v` is of type `struct view`, not an array", "arrays: a, b, v.data"},
    {"len(3)", 3, 18, "`len` takes the name of an array", "arrays: a, b, v.data"},
    {"len(a + 1)", 3, 20, "expected `)`", "`len` takes the name of an array and nothing else"},
    {"len", 3, 14, "`gemm` has no parameter `len`", OPERANDS},
    {"2 * alpha", 3, 18, "`alpha` is of type `float`; a contract counts in integers", OPERANDS},
    {"v", 3, 14, "`v` is of type `struct view`, not a number", "its fields: len(v.data), v.rows"},
    {"v.row", 3, 14, "`gemm` has no parameter `v.row`", "did you mean `v.rows`?"},
    {"min(m, n)", 3, 14, "`min` is a call; a contract calls nothing but `len`", OPERANDS},
    {"lenn(a)", 3, 14, "`lenn` is a call; a contract calls nothing but `len`",
     "did you mean `len`?"},
    {"sizeof(float)", 3, 14, "`sizeof` is not known to contracts", "write the number of bytes"},
    {"blockDim.x", 3, 14, "`blockDim.x` is not known to contracts", "`block.x` is meant"},
    {"threadIdx.x", 3, 14, "`threadIdx.x` differs from thread to thread", "a contract speaks"},
    {"block.w", 3, 14, "`gemm` has no parameter `block.w`", "did you mean `block.x`?"},
    {"m < n", 3, 16, "a comparison stands where a number is meant",
     "LW_REQUIRES takes comparisons"},
    {"m n", 3, 16, "expected an operator or the end, found `n`", NULL},
    {"m << 2", 3, 16, "expected an operator or the end, found `<<`", "write a multiplication"},
    {"m & 1", 3, 16, "expected an operator or the end, found `&`", "`%` gives the remainder"},
    {"m ? n : k", 3, 16, "expected an operator or the end, found `?`",
     "a contract has no alternatives"},
    {"!m", 3, 14, "expected a number or an operand, found `!`", "write the opposite comparison"},
    {"+m", 3, 14, "expected a number or an operand, found `+`", NULL},
    {"m +", 3, 17, "expected a number or an operand, found the end", NULL},
    {"(m", 3, 16, "expected `)`, found the end", NULL},
    {"m)", 3, 15, "expected an operator or the end, found `)`", NULL},
    {"()", 3, 15, "expected a number or an operand, found `)`", NULL},
    {"1.5", 3, 14, "`1.5` is not an integer", "a contract counts in exact integers"},
    {"1e3", 3, 14, "`1e3` is not an integer", "a contract counts in exact integers"},
    {"08", 3, 14, "`08` is not a number", NULL},
    {"12abc", 3, 14, "`12abc` is not a number", NULL},
    {"0x", 3, 14, "`0x` is not a number", NULL},
    {"18446744073709551616", 3, 14, "`18446744073709551616` is more than 2^64 - 1", NULL},
    {"n / 0", 3, 18, "the divisor is zero", NULL},
    {"n % (2 - 2)", 3, 18, "the divisor is zero", NULL},
    {"m \x01", 3, 16, "expected an operator or the end, found a character that has no meaning here",
     NULL},
    {"m->rows", 3, 15, "expected an operator or the end, found `->`", "a field of a struct"},
};

static const struct bad bad_relations[] = {
    {"", 3, 14, "expected a comparison here, found nothing", NULL},
    {"m", 3, 14, "`m` is no comparison", "a relation is one comparison: == != < <= > >="},
    {"m + n * 2", 3, 14, "`m + n * 2` is no comparison", "a relation is one comparison"},
    {"0 <= m < n", 3, 21, "two comparisons in one relation", "write `0 <= m, m < n`"},
    {"m == n == k + 1", 3, 21, "two comparisons in one relation", "write `m == n, n == k + 1`"},
    {"m = n", 3, 16, "expected a comparison, found `=`", "`==` compares"},
    {"m < n && n < k", 3, 20, "expected an operator or the end, found `&&`", "write two relations"},
    {"m <", 3, 17, "expected a number or an operand, found the end", NULL},
    {"< m", 3, 14, "expected a number or an operand, found `<`", NULL},
    {"m < a", 3, 18, "`a` is an array, not a number", "`len(a)`"},
    {"(m < n)", 3, 17, "expected `)`, found `<`", NULL},
};

static void check_bad(struct arena *arena, const struct bad *bad, bool is_relation)
{
    struct contract *contract = make_contract(arena);
    struct contract_expression expression;
    struct contract_relation relation;
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, arena);
    bool good = is_relation ? parse_relation(contract, bad->text, &relation, &diagnostics)
                            : parse_expression(contract, bad->text, &expression, &diagnostics);
    if (good || diagnostics.items.count != 1)
        fail_msg("`%s`: %u diagnostics", bad->text, diagnostics.items.count);
    const struct diagnostic *item = &diagnostics.items.data[0];
    if (strcmp(item->message, bad->message) != 0)
        fail_msg("`%s`: %s", bad->text, item->message);
    if (item->place.line != bad->line || item->place.column != bad->column)
        fail_msg("`%s`: at %u:%u", bad->text, item->place.line, item->place.column);
    if ((bad->help == NULL) != (item->help == NULL) ||
        (bad->help != NULL && !text_starts_with(item->help, bad->help)))
        fail_msg("`%s`: help: %s", bad->text, item->help);
}

static void test_bad_expressions(void **state)
{
    for (unsigned i = 0; i < COUNT_OF(bad_expressions); i++)
        check_bad(*state, &bad_expressions[i], false);
}

static void test_bad_relations(void **state)
{
    for (unsigned i = 0; i < COUNT_OF(bad_relations); i++)
        check_bad(*state, &bad_relations[i], true);
}

static void test_fields_beside(void **state)
{
    struct contract *contract = make_contract(*state);
    contract->scope = "v.";
    struct contract_expression expression = expression_of(contract, "rows * m");
    const struct contract_node *root = &contract->nodes.data[expression.root];
    assert_int_equal(contract->nodes.data[root->left].operand, PARAMETER_ROWS);
    assert_int_equal(contract->nodes.data[root->right].operand, PARAMETER_M);
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, *state);
    assert_false(parse_expression(contract, "row", &expression, &diagnostics));
    assert_true(text_starts_with(diagnostics.items.data[0].help, "did you mean `rows`?"));
}

static void test_arrays(void **state)
{
    struct contract *contract = make_contract(*state);
    struct diagnostic_list diagnostics;
    uint32_t index;
    diagnostic_list_init(&diagnostics, *state);
    struct place place = {"x.cu", 1, 1};
    assert_true(contract_parse_array(contract, " b ", 3, place, &index, &diagnostics));
    assert_int_equal(index, PARAMETER_B);
    assert_false(contract_parse_array(contract, "m", 1, place, &index, &diagnostics));
    assert_false(contract_parse_array(contract, "b + 1", 5, place, &index, &diagnostics));
    assert_false(contract_parse_array(contract, "", 0, place, &index, &diagnostics));
}

/* Neither deep nor long nor odd texts do harm. */
static void test_hostile(void **state)
{
    struct contract *contract = make_contract(*state);
    struct contract_expression expression;
    struct diagnostic_list diagnostics;
    static char text[20000];
    diagnostic_list_init(&diagnostics, *state);
    memset(text, '(', 4000);
    assert_false(parse_expression(contract, text, &expression, &diagnostics));
    memset(text, '-', 4000);
    assert_false(parse_expression(contract, text, &expression, &diagnostics));
    memset(text, '1', sizeof text - 1);
    assert_false(parse_expression(contract, text, &expression, &diagnostics));
    for (unsigned i = 0; i < 4000; i++)
        text[i] = i % 2 ? '+' : '1';
    text[3999] = '\0';
    assert_false(parse_expression(contract, text, &expression, &diagnostics));
    assert_true(text_starts_with(diagnostics.items.data[3].message, "the expression has too many"));
    srand(1);
    static const char letters[] = "mnka0123 ()+-*/%<>=!&|.,'\"\\\n#[]{}lenblock.x/*\xff";
    for (unsigned round = 0; round < 20000; round++) {
        unsigned size = (unsigned)rand() % 40;
        struct contract_relation relation;
        for (unsigned i = 0; i < size; i++)
            text[i] = letters[(unsigned)rand() % (sizeof letters - 1)];
        text[size] = '\0';
        uint32_t before = diagnostics.errors;
        bool good = parse_relation(contract, text, &relation, &diagnostics);
        assert_int_equal(good, diagnostics.errors == before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_values),        TEST(test_text_and_places), TEST(test_bad_expressions),
        TEST(test_bad_relations), TEST(test_fields_beside),   TEST(test_arrays),
        TEST(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
