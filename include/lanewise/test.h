/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/test.h: `lanewise test` from inside a C test suite (cmocka, Unity, Criterion, or none).
 *
 *     lw_test *test = lw_test_run("scale.cu", (const char *[]){"--kernel", "scale", NULL});
 *     if (!lw_test_is_clean(test))
 *         fail_msg("%s", lw_test_report(test));
 *     lw_test_free(test);
 *
 * The tool is run as a child process: the one that the environment variable LANEWISE names, else `lanewise` in PATH.  Nothing is
 * printed, and nothing is kept between two tests.  C99 or later, C++.
 */
#ifndef LANEWISE_TEST_H
#define LANEWISE_TEST_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct lw_test lw_test;

/* Runs `lanewise test FILE OPTIONS...`; `options` ends with NULL, or is NULL.  NULL only when memory runs out. */
lw_test *lw_test_run(const char *file, const char *const *options);
void lw_test_free(lw_test *test); /* NULL is allowed */

/* The tool's exit status: 0 clean, 1 errors, 2 input, 3 not finished; -1: it could not be run, or a signal ended it. */
int lw_test_status(const lw_test *test);
/* Everything ran, and nothing of severity error was found.  False for NULL. */
bool lw_test_is_clean(const lw_test *test);
unsigned long lw_test_launches(const lw_test *test);
unsigned long lw_test_errors(const lw_test *test);
unsigned long lw_test_warnings(const lw_test *test);

/* One finding: "scale.cu:9:5: error: `scale` writes ... [LW101]"; NULL past the last. */
size_t lw_test_finding_count(const lw_test *test);
const char *lw_test_finding(const lw_test *test, size_t index);
/* Everything for people: the findings with the commands that show them again, or why nothing could be tested.  Never NULL. */
const char *lw_test_report(const lw_test *test);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
