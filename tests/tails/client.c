/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/test.h: a clean kernel, one with a fault, a file that is none, a tool that is none.
 */
#include "lanewise/test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define INPUT(name) TAILS_INPUTS "/" name

static void test_clean(void **state)
{
    lw_test *test = lw_test_run(INPUT("scale.cu"), NULL);
    (void)state;
    assert_true(lw_test_is_clean(test));
    assert_true(lw_test_launches(test) > 50);
    assert_int_equal(lw_test_finding_count(test), 0);
    assert_null(lw_test_finding(test, 0));
    assert_string_equal(lw_test_report(test), "");
    lw_test_free(test);
}

static void test_fault(void **state)
{
    lw_test *test = lw_test_run(INPUT("missing.cu"), (const char *[]){"--kernel", "pairs", NULL});
    (void)state;
    assert_false(lw_test_is_clean(test));
    assert_int_equal(lw_test_status(test), 1);
    assert_int_equal(lw_test_errors(test), 1);
    assert_int_equal(lw_test_warnings(test), 0);
    assert_int_equal(lw_test_finding_count(test), 1);
    assert_non_null(strstr(lw_test_finding(test, 0), "error: `pairs` never writes `y[2]` [LW402]"));
    assert_non_null(strstr(lw_test_report(test), "reproduce: lanewise test"));
    lw_test_free(test);
}

static void test_no_file(void **state)
{
    lw_test *test = lw_test_run(INPUT("nothing.cu"), NULL);
    (void)state;
    assert_int_equal(lw_test_status(test), 2);
    assert_false(lw_test_is_clean(test));
    assert_non_null(strstr(lw_test_report(test), "cannot read"));
    lw_test_free(test);
}

static void test_no_tool(void **state)
{
    char *before = strdup(getenv("LANEWISE"));
    (void)state;
    setenv("LANEWISE", "/nowhere/lanewise", 1);
    lw_test *test = lw_test_run(INPUT("scale.cu"), NULL);
    assert_int_equal(lw_test_status(test), -1);
    assert_false(lw_test_is_clean(test));
    assert_non_null(strstr(lw_test_report(test), "cannot run"));
    lw_test_free(test);
    setenv("LANEWISE", "/bin/true", 1);
    test = lw_test_run(INPUT("scale.cu"), NULL);
    assert_int_equal(lw_test_status(test), -1); /* success without a report is none */
    lw_test_free(test);
    setenv("LANEWISE", before, 1);
    free(before);
    lw_test_free(NULL);
    assert_false(lw_test_is_clean(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_no_tool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
