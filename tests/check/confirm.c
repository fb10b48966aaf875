/* SPDX-License-Identifier: Apache-2.0
 *
 * Witnesses without a prover: sites are given as open or as proved, and the emulator says which launches of a contract break them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check/check.h"

#include <stdlib.h>
#include <string.h>

/* copy: y[i] = x[i + shift] for i < n; gather: y[i] = x[k[i]] */
static const char ptx[] =
    ".version 8.3\n.target sm_80\n.address_size 64\n"
    ".visible .entry copy(.param .u64 y, .param .u64 x, .param .u32 n, .param .u32 shift)\n{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<9>;\n    .reg .b64 %rd<9>;\n"
    "    ld.param.u64 %rd1, [y];\n    ld.param.u64 %rd2, [x];\n"
    "    ld.param.u32 %r1, [n];\n    ld.param.u32 %r8, [shift];\n"
    "    cvta.to.global.u64 %rd3, %rd1;\n    cvta.to.global.u64 %rd4, %rd2;\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.s32 %p1, %r5, %r1;\n    @%p1 bra done;\n"
    "    add.s32 %r6, %r5, %r8;\n    mul.wide.s32 %rd5, %r6, 4;\n    add.s64 %rd6, %rd4, %rd5;\n"
    "    ld.global.u32 %r7, [%rd6];\n"
    "    mul.wide.s32 %rd7, %r5, 4;\n    add.s64 %rd8, %rd3, %rd7;\n"
    "    st.global.u32 [%rd8], %r7;\n"
    "done:\n    ret;\n}\n"
    ".visible .entry gather(.param .u64 y, .param .u64 x, .param .u64 k, .param .u32 n)\n{\n"
    "    .reg .pred %p<2>;\n    .reg .b32 %r<9>;\n    .reg .b64 %rd<13>;\n"
    "    ld.param.u64 %rd1, [y];\n    ld.param.u64 %rd2, [x];\n    ld.param.u64 %rd3, [k];\n    "
    "ld.param.u32 %r1, [n];\n"
    "    cvta.to.global.u64 %rd4, %rd1;\n    cvta.to.global.u64 %rd5, %rd2;\n    "
    "cvta.to.global.u64 %rd6, %rd3;\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.s32 %p1, %r5, %r1;\n    @%p1 bra done;\n"
    "    mul.wide.s32 %rd7, %r5, 4;\n    add.s64 %rd8, %rd6, %rd7;\n    ld.global.u32 %r6, "
    "[%rd8];\n"
    "    mul.wide.s32 %rd9, %r6, 4;\n    add.s64 %rd10, %rd5, %rd9;\n    ld.global.u32 %r7, "
    "[%rd10];\n"
    "    add.s64 %rd11, %rd4, %rd7;\n    st.global.u32 [%rd11], %r7;\n"
    "done:\n    ret;\n}\n";

static const char copy_load[] = "ld.global.u32 %r7, [%rd6]", copy_store[] = "st.global.u32 [%rd8]",
                  gather_load[] = "ld.global.u32 %r7, [%rd10]";

struct fixture {
    struct arena arena;
    struct diagnostic_list diagnostics;
    const struct ptx_module *module;
    struct contract *contract;
    struct check_result result;
    struct report_kernel kernel;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    arena_init(&fixture->arena);
    diagnostic_list_init(&fixture->diagnostics, &fixture->arena);
    fixture->module =
        ptx_parse(&fixture->arena, "test.ptx", ptx, sizeof ptx - 1, &fixture->diagnostics);
    fixture->contract = contract_new(&fixture->arena);
    *state = fixture;
    return fixture->diagnostics.errors != 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    arena_free(&fixture->arena);
    free(fixture);
    return 0;
}

static struct contract_expression expression(struct fixture *fixture, const char *text)
{
    struct contract_expression result;
    bool good = contract_parse_expression(fixture->contract, text, strlen(text), (struct place){0},
                                          &result, &fixture->diagnostics);
    assert_true(good);
    return result;
}

static void add_relation(struct fixture *fixture, const char *text)
{
    struct contract_relation *relation = vec_push(&fixture->arena, &fixture->contract->relations);
    assert_true(contract_parse_relation(fixture->contract, text, strlen(text), (struct place){0},
                                        relation, &fixture->diagnostics));
}

static uint32_t add_parameter(struct fixture *fixture, const char *name,
                              enum contract_type_kind kind)
{
    struct contract_parameter *parameter = contract_add_parameter(fixture->contract, name, kind);
    uint32_t index = fixture->contract->parameters.count - 1;
    parameter->position = index;
    if (kind == CONTRACT_INTEGER) {
        parameter->bits = 32;
        parameter->is_signed = true;
    } else {
        parameter->element_size = 4;
        parameter->element_kind = CONTRACT_INTEGER;
        parameter->element_bits = 32;
        parameter->element_is_signed = true;
    }
    return index;
}

static void set_shape(struct fixture *fixture, uint32_t index, const char *length)
{
    struct contract_expression size = expression(fixture, length);
    struct contract_parameter *parameter = &fixture->contract->parameters.data[index];
    parameter->shape_kind = CONTRACT_SHAPE_ROWS;
    parameter->dimensions = 1;
    parameter->shape[0] = size;
    contract_set_extent(fixture->contract, index);
}

static void add_site(struct fixture *fixture, const char *code, const char *array,
                     enum check_verdict verdict)
{
    struct check_site *site = vec_push(&fixture->arena, &fixture->result.sites);
    uint32_t line = 1;
    for (const char *at = ptx; at != strstr(ptx, code); at++)
        line += *at == '\n';
    *site = (struct check_site){.kind = FINDING_OOB_GLOBAL,
                                .place = {"test.ptx", line, 0},
                                .ptx_line = line,
                                .array = array,
                                .verdict = (uint8_t)verdict};
}

static void confirm(struct fixture *fixture, const char *kernel)
{
    fixture->result.module = fixture->module;
    fixture->result.function = ptx_find_function(fixture->module, kernel);
    fixture->result.contract = fixture->contract;
    fixture->result.run_command = "lanewise run test.ptx";
    check_confirm(&fixture->arena, &fixture->result, &fixture->kernel);
}

/* y LW_SHAPE(n), x LW_SHAPE(length), 0 <= shift <= 4 */
static void make_copy(struct fixture *fixture, const char *length)
{
    uint32_t y = add_parameter(fixture, "y", CONTRACT_POINTER),
             x = add_parameter(fixture, "x", CONTRACT_POINTER);
    add_parameter(fixture, "n", CONTRACT_INTEGER);
    add_parameter(fixture, "shift", CONTRACT_INTEGER);
    set_shape(fixture, y, "n");
    set_shape(fixture, x, length);
    add_relation(fixture, "n >= 0");
    add_relation(fixture, "shift >= 0");
    add_relation(fixture, "shift <= 4");
    fixture->contract->block[0] = expression(fixture, "64");
    fixture->contract->domain[0] = expression(fixture, "n");
}

static void test_the_smallest_launch_is_the_witness(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n");
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    add_site(fixture, copy_store, "y", CHECK_PROVED);
    confirm(fixture, "copy");
    assert_int_equal(fixture->result.unsound.count, 0);
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_VIOLATED);
    assert_int_equal(fixture->result.sites.data[1].verdict, CHECK_PROVED);
    assert_int_equal(fixture->kernel.findings.count, 1);
    const struct finding *finding = &fixture->kernel.findings.data[0];
    assert_int_equal(finding->status, STATUS_VIOLATED);
    assert_string_equal(
        finding->reproduce,
        "lanewise run test.ptx --launch 'kernel: copy; grid: 1; block: 64; arg y: buf i32 len=1; "
        "arg x: buf i32 len=1; arg n: i32 1; arg shift: i32 1'");
    assert_non_null(finding->launch);
    assert_int_equal(finding->launch->block[0], 64);
    assert_string_equal(fixture->result.admitted, "grid (1,1,1), block (64,1,1), n=1, shift=1");
}

static void test_a_right_contract_has_no_witness(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n + shift");
    add_relation(fixture, "n <= 2000000000"); /* where n - 1 + shift does not wrap */
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    add_site(fixture, copy_store, "y", CHECK_PROVED);
    confirm(fixture, "copy");
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_UNPROVED);
    assert_int_equal(fixture->kernel.findings.count, 0);
    assert_int_equal(fixture->result.unsound.count, 0);
}

static void test_a_wrap_is_found_in_a_huge_launch(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n + shift");
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    confirm(fixture, "copy");
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_VIOLATED);
    const char *reproduce = fixture->kernel.findings.data[0].reproduce;
    assert_non_null(strstr(reproduce, "n: i32 2147483647"));
    assert_non_null(strstr(reproduce, "focus-blocks (x,y,z): 0,0,0 16777216,0,0 33554431,0,0"));
}

static void test_a_fault_at_a_proved_site_is_told(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n");
    add_site(fixture, copy_load, "x", CHECK_PROVED);
    add_site(fixture, copy_store, "y", CHECK_UNPROVED);
    confirm(fixture, "copy");
    assert_true(fixture->result.unsound.count != 0);
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_PROVED);
}

static void test_a_contract_without_a_launch_shows_none(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n");
    add_relation(fixture, "n < 0");
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    confirm(fixture, "copy");
    assert_null(fixture->result.admitted);
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_UNPROVED);
}

static void test_relations_between_scalars_are_met(void **state)
{
    struct fixture *fixture = *state;
    make_copy(fixture, "n");
    add_relation(fixture, "n == 3 * shift + 70"); /* takes n off the list */
    add_relation(fixture, "shift > 2");
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    add_site(fixture, copy_store, "y", CHECK_PROVED);
    confirm(fixture, "copy");
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_VIOLATED);
    assert_string_equal(fixture->result.admitted, "grid (2,1,1), block (64,1,1), n=79, shift=3");
}

static void test_a_candidate_of_the_solver_comes_first(void **state)
{
    struct fixture *fixture = *state;
    make_copy(
        fixture,
        "n - n / 12345"); /* one element short from 12345 on, a number that no list would try */
    add_relation(fixture, "shift == 0");
    add_site(fixture, copy_load, "x", CHECK_UNPROVED);
    struct check_site *site = &fixture->result.sites.data[0];
    site->has_candidate = true;
    site->candidate =
        (struct contract_values){.scalars = ARENA_ARRAY(&fixture->arena, contract_integer, 4),
                                 .lengths = ARENA_ARRAY(&fixture->arena, contract_integer, 4)};
    site->candidate.scalars[2] = 12345;
    confirm(fixture, "copy");
    assert_int_equal(site->verdict, CHECK_VIOLATED);
}

static void make_gather(struct fixture *fixture, const char *high)
{
    uint32_t y = add_parameter(fixture, "y", CONTRACT_POINTER),
             x = add_parameter(fixture, "x", CONTRACT_POINTER),
             k = add_parameter(fixture, "k", CONTRACT_POINTER);
    add_parameter(fixture, "n", CONTRACT_INTEGER);
    set_shape(fixture, y, "n");
    set_shape(fixture, x, "n");
    set_shape(fixture, k, "n");
    if (high != NULL) {
        struct contract_expression low = expression(fixture, "0"),
                                   limit = expression(fixture, high);
        fixture->contract->parameters.data[k].value_low = low;
        fixture->contract->parameters.data[k].value_high = limit;
    }
    add_relation(fixture, "n >= 1");
    fixture->contract->block[0] = expression(fixture, "64");
    fixture->contract->domain[0] = expression(fixture, "n");
    add_site(fixture, gather_load, "x", CHECK_UNPROVED);
}

static void test_contents_that_are_open_never_violate(void **state)
{
    struct fixture *fixture = *state;
    make_gather(fixture, NULL);
    confirm(
        fixture,
        "gather"); /* not even if the site does not say that it depends on data: zeros do no harm */
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_UNPROVED);
}

static void test_contents_inside_a_declared_range_do(void **state)
{
    struct fixture *fixture = *state;
    make_gather(fixture, "n + 1");
    confirm(fixture, "gather");
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_VIOLATED);
    assert_non_null(
        strstr(fixture->kernel.findings.data[0].reproduce, "arg k: buf i32 len=1 init=1;"));
}

static void test_a_right_range_has_no_witness(void **state)
{
    struct fixture *fixture = *state;
    make_gather(fixture, "n");
    confirm(fixture, "gather");
    assert_int_equal(fixture->result.sites.data[0].verdict, CHECK_UNPROVED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_smallest_launch_is_the_witness, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_right_contract_has_no_witness, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_wrap_is_found_in_a_huge_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_fault_at_a_proved_site_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_contract_without_a_launch_shows_none, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_relations_between_scalars_are_met, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_candidate_of_the_solver_comes_first, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_contents_that_are_open_never_violate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_contents_inside_a_declared_range_do, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_right_range_has_no_witness, setup, teardown),
    };
    return cmocka_run_group_tests_name("check_confirm", tests, NULL, NULL);
}
