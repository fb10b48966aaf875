/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch comment as a contract: what is fixed, what is known of contents, and what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch/launch.h"

#include <stdlib.h>
#include <string.h>

static const char ptx[] =
    ".version 8.3\n.target sm_80\n.address_size 64\n"
    ".visible .entry gather(.param .u64 out, .param .u64 index, .param .u32 n, .param .f32 a)\n{\n "
    "   ret;\n}\n"
    ".visible .entry view(.param .align 8 .b8 view[24], .param .u64 other)\n{\n    ret;\n}\n";

struct fixture {
    struct arena arena;
    struct diagnostic_list diagnostics;
    const struct ptx_module *module;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    arena_init(&fixture->arena);
    diagnostic_list_init(&fixture->diagnostics, &fixture->arena);
    fixture->module =
        ptx_parse(&fixture->arena, "test.ptx", ptx, sizeof ptx - 1, &fixture->diagnostics);
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

static struct contract *make(struct fixture *fixture, const char *text)
{
    struct launch_comment comment = {0};
    launch_text_apply(&fixture->arena, text, &comment, &fixture->diagnostics);
    assert_int_equal(fixture->diagnostics.errors, 0);
    const struct launch *launch = &comment.launches.data[0];
    uint32_t function =
        launch_find_kernel(&fixture->arena, fixture->module, launch, NULL, &fixture->diagnostics);
    return launch_contract(&fixture->arena, fixture->module, function, launch,
                           &fixture->diagnostics);
}

static int64_t number(const struct contract *contract, const struct contract_expression *expression)
{
    assert_true(expression->root != CONTRACT_NONE);
    const struct contract_node *node = &contract->nodes.data[expression->root];
    assert_int_equal(node->kind, CONTRACT_LITERAL);
    return (int64_t)node->value;
}

static void test_scalars_lengths_and_geometry_are_fixed(void **state)
{
    const struct contract *contract = make(
        *state,
        "kernel: gather; grid: 3; block: 32 2; dynamic-shared-bytes: 64; arg out: buf f32 "
        "len=2*n-100 io=out; "
        "arg index: buf i32 len=100 shape=10x9 io=in init=i*2-5; arg n: u32 100; arg a: f32 1.5");
    assert_non_null(contract);
    assert_true(contract->is_launch);
    assert_string_equal(contract->kernel, "gather");
    assert_int_equal(number(contract, &contract->grid[0]), 3);
    assert_int_equal(number(contract, &contract->grid[2]), 1);
    assert_int_equal(number(contract, &contract->block[1]), 2);
    assert_int_equal(number(contract, &contract->shared_bytes), 64);
    assert_int_equal(contract->parameters.count, 4);
    const struct contract_parameter *out = &contract->parameters.data[0],
                                    *index = &contract->parameters.data[1];
    assert_int_equal(out->kind, CONTRACT_POINTER);
    assert_int_equal(number(contract, &out->extent), 100);
    assert_int_equal(out->value_low.root, CONTRACT_NONE);
    assert_int_equal(index->dimensions, 2);
    assert_int_equal(number(contract, &index->shape[1]), 9);
    assert_int_equal(number(contract, &index->extent), 100); /* bounds are of the length */
    assert_int_equal(number(contract, &index->value_low), -5);
    assert_int_equal(number(contract, &index->value_high), 194);
    assert_int_equal(index->contents.count, 100);
    assert_int_equal(index->contents.data[99], 193);
    assert_int_equal(contract->relations.count, 1);
    assert_string_equal(contract->relations.data[0].text, "n == 100");
    assert_int_equal(contract->parameters.data[3].kind, CONTRACT_FLOAT);
}

static void test_zeros_are_known_and_undefined_memory_is_not(void **state)
{
    const struct contract *contract =
        make(*state, "kernel: gather; grid: 1; block: 32; arg out: buf i32 len=8 io=out; arg "
                     "index: buf i32 len=8; n=8; a=1");
    assert_non_null(contract);
    assert_int_equal(contract->parameters.data[0].value_low.root, CONTRACT_NONE);
    assert_int_equal(contract->parameters.data[0].contents.count, 0);
    assert_int_equal(number(contract, &contract->parameters.data[1].value_high), 1);
    assert_int_equal(contract->parameters.data[1].contents.count, 8);
}

static void test_aliases_say_so_and_null_has_no_elements(void **state)
{
    const struct contract *contract =
        make(*state, "kernel: gather; grid: 1; block: 32; arg out: buf i32 len=8 init=i; "
                     "arg index: alias out offset=3; n=8; a=1");
    assert_non_null(contract);
    assert_int_equal(number(contract, &contract->parameters.data[1].extent), 5);
    assert_int_equal(contract->parameters.data[1].may_alias.count, 1);
    assert_int_equal(contract->parameters.data[1].may_alias.data[0], 0);
    assert_int_equal(contract->parameters.data[0].may_alias.data[0], 1);
    assert_int_equal(contract->parameters.data[0].value_low.root, CONTRACT_NONE);
    contract = make(*state,
                    "kernel: gather; grid: 1; block: 32; arg out: null; arg index: null; n=8; a=1");
    assert_non_null(contract);
    assert_int_equal(number(contract, &contract->parameters.data[0].extent), 0);
    assert_int_equal(contract->parameters.data[0].may_alias.count, 0);
}

static void test_fields_of_a_struct_stand_at_their_offsets(void **state)
{
    const struct contract *contract =
        make(*state, "kernel: view; grid: 1; block: 32; buffer data: buf f32 len=6; arg v: struct "
                     "i32 -2, address data, u8 7; "
                     "arg other: alias data");
    assert_non_null(contract);
    assert_int_equal(contract->parameters.count, 5);
    assert_int_equal(contract->parameters.data[0].kind, CONTRACT_OTHER);
    assert_string_equal(contract->parameters.data[1].name, "v+0");
    assert_int_equal(contract->parameters.data[2].offset, 8);
    assert_string_equal(contract->parameters.data[2].name, "data");
    assert_int_equal(contract->parameters.data[2].may_alias.data[0], 4);
    assert_int_equal(contract->parameters.data[3].offset, 16);
    assert_int_equal(contract->parameters.data[4].position, 1);
    assert_string_equal(contract->relations.data[0].text, "v+0 == -2");
}

static void test_what_does_not_fit_is_refused(void **state)
{
    struct fixture *fixture = *state;
    assert_null(
        make(fixture, "kernel: gather; grid: 1; block: 32; arg out: buf i32 len=8; n=8; a=1"));
    assert_int_equal(fixture->diagnostics.errors, 1);
    fixture->diagnostics.errors = 0;
    assert_null(make(fixture, "kernel: gather; grid: 1; block: 32; arg out: null; arg index: buf "
                              "i32 len=8 init=5/(i-3); n=8; a=1"));
    assert_int_equal(fixture->diagnostics.errors, 1);
    assert_string_equal(fixture->diagnostics.items.data[1].message,
                        "`init` of `index` divides by zero at element 3");
}

static void test_a_refused_launch_is_a_finding(void **state)
{
    struct fixture *fixture = *state;
    struct launch_comment comment = {0};
    struct report_kernel kernel = {0};
    launch_text_apply(
        &fixture->arena,
        "kernel: gather; grid: 1; block: 2000; arg out: null; arg index: null; n=8; a=1", &comment,
        &fixture->diagnostics);
    assert_false(launch_check(&fixture->arena, fixture->module, 0, &comment.launches.data[0],
                              (struct place){.line = 4}, &kernel, &fixture->diagnostics));
    assert_int_equal(fixture->diagnostics.errors, 0);
    assert_int_equal(kernel.findings.count, 1);
    assert_int_equal(kernel.findings.data[0].kind, FINDING_GRID_OVERFLOW);
    assert_int_equal(kernel.findings.data[0].place.line, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scalars_lengths_and_geometry_are_fixed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_zeros_are_known_and_undefined_memory_is_not, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_aliases_say_so_and_null_has_no_elements, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_fields_of_a_struct_stand_at_their_offsets, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_what_does_not_fit_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_refused_launch_is_a_finding, setup, teardown),
    };
    return cmocka_run_group_tests_name("launch_contract", tests, NULL, NULL);
}
