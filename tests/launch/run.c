/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole launches through the library, without the tool: PTX, a launch text, the findings and the memory afterwards.
 */
#include "unit.h"

static const char ptx[] =
    ".version 8.3\n.target sm_80\n.address_size 64\n"
    ".visible .entry twice(.param .u64 x, .param .u32 n)\n"
    "{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<7>;\n    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [x];\n    ld.param.u32 %r1, [n];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.u32 %p1, %r5, %r1;\n    @%p1 bra done;\n"
    "    mul.wide.u32 %rd3, %r5, 4;\n    add.s64 %rd4, %rd2, %rd3;\n"
    "    ld.global.u32 %r6, [%rd4];\n    add.s32 %r6, %r6, %r6;\n    st.global.u32 [%rd4], %r6;\n"
    "done:\n    ret;\n}\n";

struct outcome {
    struct diagnostic_list diagnostics;
    struct report_kernel kernel;
    struct launch_run *run;
    bool good;
};

static void launch(struct arena *arena, const char *text, struct outcome *outcome)
{
    struct launch_comment comment = {0};
    struct launch_run_options *options = ARENA_NEW(arena, struct launch_run_options);
    memset(outcome, 0, sizeof *outcome);
    diagnostic_list_init(&outcome->diagnostics, arena);
    options->emu.jobs = 2;
    launch_text_apply(arena, text, &comment, &outcome->diagnostics);
    const struct ptx_module *module =
        ptx_parse(arena, "test.ptx", ptx, sizeof ptx - 1, &outcome->diagnostics);
    assert_int_equal(outcome->diagnostics.errors, 0);
    uint32_t function = launch_find_kernel(arena, module, &comment.launches.data[0], NULL,
                                           &outcome->diagnostics);
    assert_true(function != PTX_NONE);
    outcome->run = launch_run_begin(arena, module, function, &comment.launches.data[0], options,
                                    &outcome->kernel, &outcome->diagnostics);
    outcome->good = outcome->run != NULL && launch_run_execute(outcome->run);
}

static void test_results_are_compared_and_read_back(void **state)
{
    struct outcome outcome;
    launch(*state, "kernel: twice; grid: 4; block: 32; arg x: buf i32 len=100 init=i want=2*x[i]; n=100",
           &outcome);
    assert_true(outcome.good);
    assert_int_equal(outcome.kernel.findings.count, 0);
    assert_int_equal(outcome.kernel.results_compared, 100);
    assert_int_equal(outcome.kernel.blocks_run, 4);
    int32_t values[100];
    uint8_t defined[100];
    struct launch_buffer *x = launch_run_buffer(outcome.run, "x");
    assert_non_null(x);
    assert_true(launch_run_read(outcome.run, x, 0, 100, values, defined));
    for (int i = 0; i < 100; i++) {
        assert_int_equal(values[i], 2 * i);
        assert_int_equal(defined[i], 1);
    }
    assert_false(launch_run_read(outcome.run, x, 99, 2, values, NULL));
    assert_null(launch_run_buffer(outcome.run, "y"));
    launch_run_end(outcome.run);
}

static void test_a_wrong_result_names_element_and_values(void **state)
{
    struct outcome outcome;
    launch(*state, "kernel: twice; grid: 4; block: 32; arg x: buf i32 len=100 init=i want=i==40||i==41?5:2*i; n=100",
           &outcome);
    assert_true(outcome.good);
    assert_int_equal(outcome.kernel.findings.count, 1);
    const struct finding *finding = &outcome.kernel.findings.data[0];
    assert_int_equal(finding->kind, FINDING_WRONG_RESULT);
    assert_string_equal(finding->message, "leaves 80 in `x[40]`, wanted 5");
    assert_int_equal(finding->count, 2);
    assert_int_equal(finding->notes.count, 1);
    launch_run_end(outcome.run);
}

/* 40 GB of ints: only what is touched costs anything, and everything else still is what it was. */
static void test_a_huge_buffer_is_sparse(void **state)
{
    struct outcome outcome;
    launch(*state, "kernel: twice; grid: 100000; block: 1024; focus-blocks (x): 0 99999; "
                   "arg x: buf i32 len=10000000000 init=i%1000 want=i%1000*2; n=102400000",
           &outcome);
    assert_true(outcome.good);
    assert_int_equal(outcome.kernel.findings.count, 0);
    assert_int_equal(outcome.kernel.blocks_run, 2);
    /* Elements that are 0 before and after cannot be told from untouched ones. */
    assert_int_equal(outcome.kernel.results_compared, 2048 - 3);
    launch_run_end(outcome.run);
}

static void test_outputs_that_are_never_written_are_wrong(void **state)
{
    struct outcome outcome;
    launch(*state, "kernel: twice; grid: 1; block: 32; arg x: buf i32 len=100000 set=32 init=1 want=2; n=32",
           &outcome);
    assert_true(outcome.good);
    assert_int_equal(outcome.kernel.findings.count, 1);
    assert_string_equal(outcome.kernel.findings.data[0].message, "never writes `x[32]`, wanted 2");
    assert_int_equal(outcome.kernel.findings.data[0].count, 100000 - 32);
    launch_run_end(outcome.run);
}

static void test_geometry_that_a_device_refuses_runs_nothing(void **state)
{
    static const struct {
        const char *grid;
        enum finding_kind kind;
    } cases[] = {
        {"grid: 0; block: 32", FINDING_ZERO_LAUNCH},
        {"grid: 1; block: 0", FINDING_ZERO_LAUNCH},
        {"grid: 4294967295; block: 32", FINDING_GRID_OVERFLOW},
        {"grid: -1; block: 32", FINDING_GRID_OVERFLOW},
        {"grid: 1 65536; block: 32", FINDING_GRID_OVERFLOW},
        {"grid: 1; block: 1025", FINDING_GRID_OVERFLOW},
        {"grid: 1; block: 32 33", FINDING_GRID_OVERFLOW},
        {"grid: 1; block: 1 1 65", FINDING_GRID_OVERFLOW},
        {"grid: 1; block: 32; dynamic-shared-bytes: 232449", FINDING_GRID_OVERFLOW},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct outcome outcome;
        launch(*state,
               arena_printf(*state, "kernel: twice; %s; arg x: buf i32 len=1; n=1", cases[i].grid),
               &outcome);
        assert_true(outcome.good);
        assert_false(outcome.kernel.has_run);
        assert_int_equal(outcome.kernel.findings.count, 1);
        assert_int_equal(outcome.kernel.findings.data[0].kind, cases[i].kind);
        assert_int_equal(outcome.kernel.findings.data[0].severity, SEVERITY_ERROR);
        launch_run_end(outcome.run);
    }
}

static void test_arguments_that_do_not_fit_are_refused(void **state)
{
    static const char *const cases[] = {
        "arg x: buf i32 len=1",
        "arg x: buf i32 len=1; n=1; more=1",
        "x=1; n=1",
        "arg x: buf i32 len=1; arg n: f32 1",
        "arg x: buf i32 len=1; arg n: u64 1",
        "arg x: buf i32 len=1; arg n: buf i32 len=1",
        "arg x: buf i32 len=1; arg n: null",
        "arg x: alias y; n=1",
        "arg x: bytes 0011; n=1",
        "arg x: buf i32 len=i; n=1",
        "arg x: buf i32 len=1; n=4294967296",
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct outcome outcome;
        launch(*state, arena_printf(*state, "kernel: twice; grid: 1; block: 32; %s", cases[i]),
               &outcome);
        if (outcome.run != NULL || outcome.diagnostics.errors != 1)
            fail_msg("%s: %u errors", cases[i], outcome.diagnostics.errors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_results_are_compared_and_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_wrong_result_names_element_and_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_huge_buffer_is_sparse, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outputs_that_are_never_written_are_wrong, setup, teardown),
        cmocka_unit_test_setup_teardown(test_geometry_that_a_device_refuses_runs_nothing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_arguments_that_do_not_fit_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
