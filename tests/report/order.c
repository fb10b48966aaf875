/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of kinds, and the order and joining of findings: the report of a set of findings does not depend on the order in which they
 * were found.
 */
#include "unit.h"

static void test_the_table_is_consistent(void **state)
{
    (void)state;
    unsigned last = 0;
    for (unsigned i = 0; i < FINDING_KIND_COUNT; i++) {
        const struct finding_info *info = finding_info((enum finding_kind)i);
        assert_int_equal(finding_kind_find(info->kind), i);
        assert_true(info->number >= last);
        assert_true(info->title[0] != '\0');
        last = info->number;
    }
    assert_int_equal(finding_kind_find("none"), FINDING_KIND_COUNT);
}

static struct finding make(uint32_t line, enum finding_kind kind, const char *array, uint32_t block,
                           uint32_t thread, uint32_t ptx_line, uint64_t count)
{
    return (struct finding){
        .kind = kind,
        .severity = finding_info(kind)->severity,
        .place = {"x.cu", line, 5},
        .ptx_place = {"x.ptx", ptx_line, 0},
        .array = array,
        .first = {{block, 0, 0}, {thread, 0, 0}, 3},
        .count = count,
        .message = "m",
    };
}

static void test_findings_are_sorted_and_joined(void **state)
{
    const struct finding findings[] = {
        make(20, FINDING_MISALIGNED, "b", 0, 0, 9, 1),
        make(10, FINDING_OOB_GLOBAL, "a", 2, 44, 8, 84), /* the store of one line ... */
        make(10, FINDING_OOB_GLOBAL, "a", 2, 44, 7, 80), /* ... and its load, which comes first */
        make(10, FINDING_OOB_GLOBAL, "a", 3, 0, 3, 2),   /* a later block */
        make(10, FINDING_OOB_GLOBAL, "b", 1, 0, 5, 1),   /* another array */
        make(10, FINDING_MISALIGNED, "a", 0, 0, 6, 1),
    };
    enum { COUNT = COUNT_OF(findings) };
    for (unsigned shift = 0; shift < COUNT; shift++) {
        struct report report;
        report_init(&report, *state, "run");
        struct report_kernel *kernel = report_add_kernel(&report);
        for (unsigned i = 0; i < COUNT; i++)
            *vec_push((struct arena *)*state, &kernel->findings) = findings[(i + shift) % COUNT];
        report_finish(&report);
        assert_int_equal(kernel->findings.count, 4);
        assert_int_equal(report.errors, 4);
        const struct finding *joined = kernel->findings.data;
        assert_int_equal(joined[0].kind, FINDING_OOB_GLOBAL);
        assert_string_equal(joined[0].array, "a");
        assert_int_equal(joined[0].first.thread[0], 44);
        assert_int_equal(joined[0].ptx_place.line, 7);
        assert_int_equal(joined[0].count, 84);
        assert_string_equal(joined[1].array, "b");
        assert_int_equal(joined[2].kind, FINDING_MISALIGNED);
        assert_int_equal(joined[3].place.line, 20);
        assert_int_equal(kernel->bounds, VERDICT_VIOLATED);
        assert_int_equal(kernel->sync, VERDICT_NONE);
    }
}

static void test_every_format_says_every_kernel(void **state)
{
    struct report report;
    struct buffer json, sarif, junit, github;
    report_init(&report, *state, "run");
    report.root = "/home/me";
    for (int k = 0; k < 2; k++) {
        struct report_kernel *kernel = report_add_kernel(&report);
        kernel->name = k == 0 ? "clean_kernel" : "<dirty>&\"kernel\"";
        kernel->place = (struct place){"/home/me/a b.cu", 3, 1};
        kernel->has_run = true;
    }
    struct finding finding = make(10, FINDING_OOB_GLOBAL, "a", 0, 0, 0, 1);
    finding.place.file = "/home/me/a b.cu";
    finding.message = "100% wrong\n";
    *vec_push((struct arena *)*state, &report.kernels.data[1].findings) = finding;
    report_finish(&report);
    buffer_init(&json, *state);
    report_print_json(&report, &json);
    assert_non_null(strstr(json.data, "\"clean_kernel\""));
    assert_non_null(strstr(json.data, "<dirty>&\\\"kernel\\\""));
    buffer_init(&sarif, *state);
    report_print_sarif(&report, &sarif);
    assert_non_null(strstr(sarif.data, "\"uri\": \"a%20b.cu\""));
    assert_null(strstr(sarif.data, "/home/me"));
    buffer_init(&junit, *state);
    report_print_junit(&report, &junit);
    assert_non_null(strstr(junit.data, "clean_kernel: bounds"));
    assert_non_null(strstr(junit.data, "&lt;dirty&gt;&amp;&quot;kernel&quot;: bounds"));
    buffer_init(&github, *state);
    report_print_github(&report, &github);
    assert_string_equal(github.data, "::error file=a b.cu,line=10,col=5,title=LW101 oob-global::100%25 wrong%0A (block (0,0,0) thread (0,0,0))\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table_is_consistent),
        cmocka_unit_test_setup_teardown(test_findings_are_sorted_and_joined, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_format_says_every_kernel, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
