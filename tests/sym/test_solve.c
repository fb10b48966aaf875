/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions as kernels raise them: each is proved, and its neighbour that is off by one is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sym/sym.h"

enum { MAX_FACTS = 64 };

struct bench {
    struct arena arena;
    struct sym sym;
    sym_cond facts[MAX_FACTS];
    uint32_t count;
};

static int setup(void **state)
{
    static struct bench bench;
    static jmp_buf handler;
    bench.count = 0;
    arena_init(&bench.arena);
    bench.arena.handler = &handler;
    if (setjmp(handler) != 0)
        return 1;
    sym_init(&bench.sym, &bench.arena);
    *state = &bench;
    return 0;
}

static int teardown(void **state)
{
    struct bench *bench = *state;
    sym_end(&bench->sym);
    arena_free(&bench->arena);
    return 0;
}

/* ---- writing questions ---------------------------------------------------------------------------------- */

static const sym_integer LIMIT32 = ((sym_integer)1 << 32) - 1;

static sym_poly number(struct bench *b, sym_integer value)
{
    return sym_constant(&b->sym, value);
}

static sym_poly variable(struct bench *b, const char *name, sym_integer low, sym_integer high)
{
    return sym_of_atom(&b->sym, sym_variable(&b->sym, name, low, high));
}

static sym_poly add(struct bench *b, sym_poly x, sym_poly y)
{
    return sym_add(&b->sym, x, y);
}

static sym_poly multiply(struct bench *b, sym_poly x, sym_poly y)
{
    return sym_multiply(&b->sym, x, y);
}

static sym_cond at_most(struct bench *b, sym_poly x, sym_poly y)
{
    return sym_ge(&b->sym, sym_subtract(&b->sym, y, x));
}

static sym_cond less(struct bench *b, sym_poly x, sym_poly y)
{
    return at_most(b, sym_shift(&b->sym, x, 1), y);
}

static void fact(struct bench *b, sym_cond cond)
{
    assert_true(b->count < MAX_FACTS);
    b->facts[b->count++] = cond;
}

static bool is_proved(struct bench *b, sym_cond goal)
{
    return sym_prove(&b->sym, b->facts, b->count, goal, NULL) == SYM_PROVED;
}

/* x < y follows, x < y - 1 does not: the bound is exact. */
static void check_exact(struct bench *b, sym_poly x, sym_poly y)
{
    assert_true(is_proved(b, less(b, x, y)));
    assert_false(is_proved(b, less(b, sym_shift(&b->sym, x, 1), y)));
}

/* ---- products ------------------------------------------------------------------------------------------- */

static void test_an_interval_ends_a_question(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 0, LIMIT32), i = variable(b, "i", 0, LIMIT32);
    fact(b, less(b, i, n));
    fact(b, at_most(b, n, number(b, 1000)));
    check_exact(b, i, number(b, 1000));
    assert_true(is_proved(b, less(b, i, n)));
    assert_true(is_proved(b, less(b, sym_shift(&b->sym, i, -5), n)));
    assert_int_equal(b->sym.stats.z3_calls > 1, false);
}

static void test_a_tiled_matrix_product(void **state)
{
    struct bench *b = *state;
    sym_poly m = variable(b, "m", 0, LIMIT32), k = variable(b, "k", 0, LIMIT32), cy = variable(b, "cy", 0, 65534);
    sym_poly ty = variable(b, "ty", 0, 15), trip = variable(b, "L", 0, LIMIT32);
    sym_poly row = add(b, sym_scale(&b->sym, cy, 16), ty);
    fact(b, less(b, row, m));
    fact(b, less(b, trip, k));
    check_exact(b, add(b, multiply(b, row, k), trip), multiply(b, m, k));
    assert_true(is_proved(b, sym_ge(&b->sym, add(b, multiply(b, row, k), trip))));
}

static void test_the_smallest_grid_that_covers_a_domain(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 1, LIMIT32), block = variable(b, "b", 1, 1024), grid = variable(b, "g", 1, 2147483647);
    sym_poly cx = variable(b, "cx", 0, 2147483646), tx = variable(b, "tx", 0, 1023);
    fact(b, less(b, cx, grid));
    fact(b, less(b, tx, block));
    fact(b, less(b, multiply(b, sym_shift(&b->sym, grid, -1), block), n));
    sym_poly i = add(b, multiply(b, cx, block), tx);
    /* i < n + b - 1 */
    check_exact(b, i, sym_shift(&b->sym, add(b, n, block), -1));
    assert_false(is_proved(b, less(b, i, n)));
}

static void test_a_division_by_an_unknown_number(void **state)
{
    struct bench *b = *state;
    sym_poly d = variable(b, "d", 0, LIMIT32), s = variable(b, "s", 1, LIMIT32), x = variable(b, "x", 0, LIMIT32);
    sym_poly q = sym_quotient(&b->sym, d, s);
    fact(b, at_most(b, multiply(b, s, x), d));
    assert_true(is_proved(b, at_most(b, x, q)));
    assert_false(is_proved(b, less(b, x, q)));
    assert_false(is_proved(b, at_most(b, q, x)));
}

static void test_a_divisor_that_may_be_zero_proves_nothing(void **state)
{
    struct bench *b = *state;
    sym_poly d = variable(b, "d", 0, 100), s = variable(b, "s", 0, 100);
    sym_poly q = sym_quotient(&b->sym, d, s);
    assert_false(is_proved(b, at_most(b, q, d)));
    fact(b, sym_ne(&b->sym, s));
    assert_true(is_proved(b, at_most(b, q, d)));
}

static void test_equal_sums_of_mixed_radix_have_equal_parts(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 1, LIMIT32);
    sym_poly r = variable(b, "r", 0, LIMIT32), c = variable(b, "c", 0, LIMIT32);
    sym_poly r2 = variable(b, "r2", 0, LIMIT32), c2 = variable(b, "c2", 0, LIMIT32);
    fact(b, less(b, c, n));
    fact(b, less(b, c2, n));
    sym_poly one = add(b, multiply(b, r, n), c), two = add(b, multiply(b, r2, n), c2);
    fact(b, sym_eq(&b->sym, sym_subtract(&b->sym, one, two)));
    assert_true(is_proved(b, sym_eq(&b->sym, sym_subtract(&b->sym, r, r2))));
    assert_true(is_proved(b, sym_eq(&b->sym, sym_subtract(&b->sym, c, c2))));
    assert_false(is_proved(b, sym_ge(&b->sym, sym_shift(&b->sym, sym_subtract(&b->sym, r, r2), -1))));
}

static void test_three_dimensions(void **state)
{
    struct bench *b = *state;
    sym_poly batch = variable(b, "batch", 0, 65535), m = variable(b, "m", 0, LIMIT32), n = variable(b, "n", 0, LIMIT32);
    sym_poly z = variable(b, "z", 0, LIMIT32), r = variable(b, "r", 0, LIMIT32), c = variable(b, "c", 0, LIMIT32);
    fact(b, less(b, z, batch));
    fact(b, less(b, r, m));
    fact(b, less(b, c, n));
    sym_poly index = add(b, multiply(b, add(b, multiply(b, z, m), r), n), c);
    check_exact(b, index, multiply(b, multiply(b, batch, m), n));
}

static void test_a_flat_index_taken_apart(void **state)
{
    struct bench *b = *state;
    sym_poly h = variable(b, "h", 0, LIMIT32), w = variable(b, "w", 1, LIMIT32), i = variable(b, "i", 0, LIMIT32);
    fact(b, less(b, i, multiply(b, h, w)));
    sym_poly y = sym_quotient(&b->sym, i, w), x = sym_subtract(&b->sym, i, multiply(b, y, w));
    check_exact(b, y, h);
    check_exact(b, x, w);
    check_exact(b, add(b, multiply(b, y, w), x), multiply(b, h, w));
    assert_true(is_proved(b, sym_ge(&b->sym, x)));
}

static void test_rows_with_a_pitch(void **state)
{
    struct bench *b = *state;
    sym_poly h = variable(b, "h", 1, LIMIT32), w = variable(b, "w", 1, LIMIT32), pitch = variable(b, "pitch", 1, LIMIT32);
    sym_poly y = variable(b, "y", 0, LIMIT32), x = variable(b, "x", 0, LIMIT32);
    fact(b, less(b, y, h));
    fact(b, less(b, x, w));
    sym_poly extent = add(b, multiply(b, sym_shift(&b->sym, h, -1), pitch), w);
    check_exact(b, add(b, multiply(b, y, pitch), x), extent);
}

static void test_the_transposed_index(void **state)
{
    struct bench *b = *state;
    sym_poly m = variable(b, "m", 1, 65535), n = variable(b, "n", 1, 65535), i = variable(b, "i", 0, LIMIT32);
    fact(b, less(b, i, multiply(b, m, n)));
    sym_poly row = sym_quotient(&b->sym, i, n), column = sym_subtract(&b->sym, i, multiply(b, row, n));
    check_exact(b, add(b, multiply(b, column, m), row), multiply(b, m, n));
}

/* ---- wraps ------------------------------------------------------------------------------------------------ */

static void test_a_wrap_inside_its_width_is_its_operand(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 0, 2147483647), cx = variable(b, "cx", 0, 2147483646), block = variable(b, "b", 1, 1024);
    sym_poly grid = variable(b, "g", 1, 2147483647), tx = variable(b, "tx", 0, 1023);
    fact(b, less(b, cx, grid));
    fact(b, less(b, tx, block));
    fact(b, less(b, multiply(b, sym_shift(&b->sym, grid, -1), block), n));
    sym_poly i = add(b, multiply(b, cx, block), tx);
    sym_poly wrapped = sym_wrap(&b->sym, i, 32, false);
    fact(b, less(b, wrapped, n));
    check_exact(b, i, n);
    /* The same register read with sign wraps for the largest n, but not once n - 1 + 1023 fits. */
    sym_poly read_signed = sym_wrap(&b->sym, i, 32, true);
    assert_true(is_proved(b, less(b, read_signed, n)));
    assert_true(is_proved(b, sym_ge(&b->sym, read_signed)));
}

static void test_a_signed_guard_lets_a_wrapped_index_in(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", -2147483647, 2147483647), i = variable(b, "i", 0, LIMIT32);
    sym_poly read_signed = sym_wrap(&b->sym, i, 32, true);
    fact(b, less(b, read_signed, n));
    assert_false(is_proved(b, sym_ge(&b->sym, read_signed)));
    assert_false(is_proved(b, less(b, i, n)));
    fact(b, sym_ge(&b->sym, read_signed));
    check_exact(b, i, n);
}

static void test_an_inner_wrap_is_resolved_first(void **state)
{
    struct bench *b = *state;
    sym_poly m = variable(b, "m", 0, LIMIT32), k = variable(b, "k", 0, LIMIT32);
    sym_poly r = variable(b, "r", 0, LIMIT32), c = variable(b, "c", 0, LIMIT32);
    fact(b, less(b, r, m));
    fact(b, less(b, c, k));
    fact(b, at_most(b, multiply(b, m, k), number(b, LIMIT32)));
    sym_poly flat = sym_wrap(&b->sym, add(b, multiply(b, r, k), c), 32, false);
    check_exact(b, flat, multiply(b, m, k));
    sym_poly bytes = sym_wrap(&b->sym, sym_scale(&b->sym, flat, 4), 64, false);
    assert_true(is_proved(b, at_most(b, sym_shift(&b->sym, bytes, 4), sym_scale(&b->sym, multiply(b, m, k), 4))));
}

static void test_a_wrap_that_happens_is_seen(void **state)
{
    struct bench *b = *state;
    sym_poly m = variable(b, "m", 0, LIMIT32), k = variable(b, "k", 0, LIMIT32);
    sym_poly r = variable(b, "r", 0, LIMIT32);
    fact(b, less(b, r, m));
    sym_poly flat = sym_wrap(&b->sym, multiply(b, r, k), 32, false);
    /* Without a bound on m*k the wrapped index is still at most the true one, but not equal to it. */
    assert_true(is_proved(b, at_most(b, flat, multiply(b, r, k))));
    assert_false(is_proved(b, sym_eq(&b->sym, sym_subtract(&b->sym, flat, multiply(b, r, k)))));
}

/* ---- choices ---------------------------------------------------------------------------------------------- */

static void test_minimum_select_and_bits(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 1, LIMIT32), i = variable(b, "i", 0, LIMIT32);
    sym_poly last = sym_minimum(&b->sym, i, sym_shift(&b->sym, n, -1));
    check_exact(b, last, n);
    sym_poly clamped = sym_select(&b->sym, less(b, i, n), i, number(b, 0));
    check_exact(b, clamped, n);
    sym_poly t = variable(b, "t", 0, 255);
    sym_poly partner = sym_wrap(&b->sym, sym_bitwise(&b->sym, SYM_BIT_XOR, t, number(b, 16), 32), 32, false);
    check_exact(b, partner, number(b, 256));
}

static void test_joins_of_one_block_take_one_edge(void **state)
{
    struct bench *b = *state;
    sym_poly n = variable(b, "n", 0, 1000), p = variable(b, "p", 0, 1000);
    sym_cond small = less(b, p, n);
    sym_poly first[2] = {p, number(b, 0)}, second[2] = {sym_subtract(&b->sym, n, p), number(b, 0)};
    sym_cond edges[2] = {small, sym_not(&b->sym, small)};
    sym_poly x = sym_of_join(&b->sym, 7, first, edges, 2), y = sym_of_join(&b->sym, 7, second, edges, 2);
    assert_true(is_proved(b, at_most(b, add(b, x, y), n)));
    assert_false(is_proved(b, less(b, add(b, x, y), n)));
}

static void test_a_product_inside_a_case(void **state)
{
    struct bench *b = *state;
    sym_poly m = variable(b, "m", 1, LIMIT32), k = variable(b, "k", 1, LIMIT32), r = variable(b, "r", 0, LIMIT32);
    sym_poly c = variable(b, "c", 0, LIMIT32);
    fact(b, at_most(b, multiply(b, m, k), number(b, LIMIT32)));
    sym_cond inside = sym_and(&b->sym, less(b, r, m), less(b, c, k));
    sym_poly flat = sym_wrap(&b->sym, add(b, multiply(b, r, k), c), 32, false);
    sym_poly index = sym_select(&b->sym, inside, flat, number(b, 0));
    check_exact(b, index, multiply(b, m, k));
}

static void test_truncated_division(void **state)
{
    struct bench *b = *state;
    sym_poly x = variable(b, "x", -1000, 1000);
    sym_poly q = sym_truncated(&b->sym, x, number(b, 4));
    sym_poly rest = sym_subtract(&b->sym, x, sym_scale(&b->sym, q, 4));
    check_exact(b, rest, number(b, 4));
    assert_true(is_proved(b, sym_ge(&b->sym, sym_shift(&b->sym, rest, 3))));
    assert_false(is_proved(b, sym_ge(&b->sym, sym_shift(&b->sym, rest, 2))));
}

/* ---- the rest --------------------------------------------------------------------------------------------- */

static void test_a_main_loop_whose_trips_are_a_multiple_of_four(void **state)
{
    struct bench *b = *state;
    /* i = 4*L, the loop runs while i != (n & ~3): i + 3 < n. */
    sym_poly n = variable(b, "n", 4, LIMIT32), trip = variable(b, "L", 0, LIMIT32);
    sym_poly rounded = sym_scale(&b->sym, sym_quotient(&b->sym, n, number(b, 4)), 4);
    sym_poly i = sym_scale(&b->sym, trip, 4);
    fact(b, less(b, i, rounded));
    check_exact(b, sym_shift(&b->sym, i, 3), n);
}

static void test_facts_that_contradict(void **state)
{
    struct bench *b = *state;
    sym_poly x = variable(b, "x", 0, LIMIT32), y = variable(b, "y", 0, LIMIT32), n = variable(b, "n", 0, LIMIT32);
    fact(b, less(b, x, y));
    fact(b, less(b, y, n));
    assert_int_equal(sym_contradict(&b->sym, b->facts, b->count, NULL), SYM_NOT_PROVED);
    fact(b, at_most(b, n, sym_shift(&b->sym, x, 1)));
    assert_int_equal(sym_contradict(&b->sym, b->facts, b->count, NULL), SYM_PROVED);
}

static void test_unknown_conditions(void **state)
{
    struct bench *b = *state;
    sym_poly x = variable(b, "x", 0, 100);
    sym_cond p = sym_unknown(&b->sym);
    fact(b, sym_or(&b->sym, p, at_most(b, x, number(b, 10))));
    assert_false(is_proved(b, at_most(b, x, number(b, 10))));
    assert_true(is_proved(b, sym_or(&b->sym, at_most(b, x, number(b, 10)), p)));
    fact(b, sym_not(&b->sym, p));
    check_exact(b, x, number(b, 11));
}

static void test_large_coefficients(void **state)
{
    struct bench *b = *state;
    sym_integer huge = (sym_integer)1 << 96;
    sym_poly x = variable(b, "x", SYM_MIN, SYM_MAX), y = variable(b, "y", SYM_MIN, SYM_MAX);
    fact(b, sym_ge(&b->sym, sym_subtract(&b->sym, sym_scale(&b->sym, x, huge), sym_scale(&b->sym, y, huge - 1))));
    fact(b, sym_ge(&b->sym, sym_shift(&b->sym, y, -1)));
    check_exact(b, number(b, 0), x);
}

static void test_an_answer_is_remembered(void **state)
{
    struct bench *b = *state;
    sym_poly x = variable(b, "x", 0, LIMIT32), y = variable(b, "y", 0, LIMIT32), z = variable(b, "z", 0, LIMIT32);
    fact(b, less(b, x, y));
    fact(b, less(b, y, z));
    sym_cond goal = less(b, sym_shift(&b->sym, x, 1), z);
    assert_true(is_proved(b, goal));
    assert_true(is_proved(b, goal));
    assert_int_equal(b->sym.stats.cached, 1);
}

/* A question whose memory runs out at the Nth allocation leaves nothing behind. */
static bool ask_with_little_memory(unsigned allocations)
{
    struct arena arena;
    jmp_buf handler;
    static struct bench bench;
    arena_init(&arena);
    arena.handler = &handler;
    bench.count = 0;
    if (setjmp(handler) == 0) {
        sym_init(&bench.sym, &arena);
        struct bench *b = &bench;
        sym_poly m = variable(b, "m", 0, LIMIT32), k = variable(b, "k", 0, LIMIT32), r = variable(b, "r", 0, LIMIT32);
        sym_poly flat = sym_wrap(&b->sym, multiply(b, r, k), 32, false);
        fact(b, sym_or(&b->sym, less(b, r, m), less(b, k, m)));
        arena_fail_after(allocations);
        is_proved(b, less(b, flat, multiply(b, m, k)));
    }
    bool came = !arena_failure_pending();
    arena_fail_after(0);
    sym_end(&bench.sym);
    arena_free(&arena);
    return came;
}

static void test_memory_that_runs_out(void **state)
{
    (void)state;
    unsigned allocations = 1;
    while (allocations < 200 && ask_with_little_memory(allocations))
        allocations++;
    assert_in_range(allocations, 5, 199);
}

/* Conditions nested deeper than anything wants to follow. */
static void test_a_deep_condition(void **state)
{
    struct bench *b = *state;
    sym_poly x = variable(b, "x", 0, LIMIT32);
    sym_cond any = sym_eq(&b->sym, x), all = sym_ne(&b->sym, sym_shift(&b->sym, x, -1));
    for (int i = 1; i < 3000; i++) {
        any = sym_or(&b->sym, any, sym_eq(&b->sym, sym_shift(&b->sym, x, -i)));
        all = sym_and(&b->sym, all, sym_ne(&b->sym, sym_shift(&b->sym, x, -i)));
    }
    fact(b, any);
    assert_false(is_proved(b, less(b, x, number(b, 10))));
    fact(b, all);
    is_proved(b, less(b, x, number(b, 10))); /* holds, as nothing obeys both facts; that it ends is enough */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_an_interval_ends_a_question),
        TEST(test_a_tiled_matrix_product),
        TEST(test_the_smallest_grid_that_covers_a_domain),
        TEST(test_a_division_by_an_unknown_number),
        TEST(test_a_divisor_that_may_be_zero_proves_nothing),
        TEST(test_equal_sums_of_mixed_radix_have_equal_parts),
        TEST(test_three_dimensions),
        TEST(test_a_flat_index_taken_apart),
        TEST(test_rows_with_a_pitch),
        TEST(test_the_transposed_index),
        TEST(test_a_wrap_inside_its_width_is_its_operand),
        TEST(test_a_signed_guard_lets_a_wrapped_index_in),
        TEST(test_an_inner_wrap_is_resolved_first),
        TEST(test_a_wrap_that_happens_is_seen),
        TEST(test_minimum_select_and_bits),
        TEST(test_joins_of_one_block_take_one_edge),
        TEST(test_a_product_inside_a_case),
        TEST(test_truncated_division),
        TEST(test_a_main_loop_whose_trips_are_a_multiple_of_four),
        TEST(test_facts_that_contradict),
        TEST(test_unknown_conditions),
        TEST(test_large_coefficients),
        TEST(test_an_answer_is_remembered),
        TEST(test_a_deep_condition),
        cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
