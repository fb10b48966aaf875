/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's line of an instruction: inlined calls, headers of the system, lines that compilers leave out.
 */
#include "unit.h"

static struct parsed parsed;

static int teardown(void **state)
{
    (void)state;
    arena_free(&parsed.arena);
    return 0;
}

static const char files[] =
    ".file 1 \"/home/user/kernel.cu\"\n.file 2 \"/usr/local/cuda/include/sm_30_intrinsics.hpp\"\n"
    ".file 3 \"/home/user\" \"helper.cuh\"\n"
    ".section .debug_str {\nname0:\n.b8 104,101,108,112,0\nname1:\n.b8 120, 121, 0\n}\n";

static const struct ptx_function *parse_lines(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
             ".entry kernel (.param .u64 p)\n{\n.reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .pred "
             "%%q<3>;\n%s\n}\n%s",
             body, files);
    parse_module(&parsed, text);
    return &parsed.module->functions.data[0];
}

static void expect_line(const struct ptx_function *function, unsigned index, uint32_t file,
                        uint32_t line)
{
    assert_true(index < function->instructions.count);
    const struct ptx_location *location =
        ptx_user_location(parsed.module, function->instructions.data[index].location);
    assert_int_equal(location->file, file);
    assert_int_equal(location->line, line);
}

static void test_an_instruction_has_the_line_before_it(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_lines(
        ".loc 1 10 0\n.loc 1 11 5\nmov.u32 %r1, 1;\nmov.u32 %r2, 2;\n.loc 1 12 3\nret;");
    expect_line(function, 0, 1, 11);
    expect_line(function, 1, 1, 11);
    expect_line(function, 2, 1, 12);
    assert_int_equal(parsed.module->locations.data[function->location].line, 10);
    assert_string_equal(ptx_file_path(parsed.module, 1), "/home/user/kernel.cu");
    assert_string_equal(ptx_file_path(parsed.module, 3), "/home/user/helper.cuh");
    assert_null(ptx_file_path(parsed.module, 9));
}

static void test_the_line_is_outside_headers_of_the_system(void **state)
{
    (void)state;
    const struct ptx_function *function =
        parse_lines(".loc 1 12 5\nmov.u32 %r1, 1;\n"
                    ".loc 3 40 3, function_name name0, inlined_at 1 12 5\nmov.u32 %r2, 2;\n"
                    ".loc 2 90 7, function_name name1, inlined_at 3 40 3\nmov.u32 %r3, 3;\n"
                    ".loc 2 95 7, function_name name0+2, inlined_at 1 77 1\nmov.u32 %r4, 4;\n"
                    ".loc 2 99 1\nret;");
    expect_line(function, 0, 1, 12);
    expect_line(function, 1, 3, 40);
    expect_line(function, 2, 3, 40); /* out of the intrinsic, not out of the user's helper */
    expect_line(function, 3, 1, 77); /* a place that no .loc had named before */
    expect_line(function, 4, 2, 99); /* nothing but the header is known */
    const struct ptx_location *locations = parsed.module->locations.data;
    const struct ptx_location *innermost = &locations[function->instructions.data[2].location];
    assert_string_equal(innermost->function, "xy");
    assert_string_equal(locations[innermost->inlined_at].function, "help");
    assert_string_equal(locations[function->instructions.data[3].location].function, "lp");
}

static void test_line_0_takes_the_line_of_the_nearest_use(void **state)
{
    (void)state;
    const struct ptx_function *function =
        parse_lines(".loc 1 10 0\nmov.u32 %r5, 1;\n.loc 1 0 0\n"
                    "mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;\n" /* through one another */
                    "mov.u32 %r3, 7;\n"                       /* never used */
                    "bar.sync 0;\n"
                    ".loc 1 20 1\nadd.u32 %r4, %r2, 1;\n"
                    ".loc 1 21 1\nadd.u32 %r4, %r2, 2;\n"
                    ".loc 1 0 0\nret;");
    expect_line(function, 1, 1, 20);
    expect_line(function, 2, 1, 20);
    expect_line(function, 3, 1, 10);
    expect_line(function, 4, 1, 10);
    expect_line(function, 7, 1, 10);
}

static void test_without_lines_nothing_is_known(void **state)
{
    (void)state;
    const struct ptx_function *function = parse_lines("mov.u32 %r1, 1;\nret;");
    expect_line(function, 0, 0, 0);
    assert_int_equal(function->location, 0);
}

static void test_functions_do_not_share_calls(void **state)
{
    (void)state;
    /* The same place in two functions, inlined in one of them. */
    parse_module(&parsed,
                 ".entry a () { .loc 1 5 1\n.loc 3 8 1, function_name n, inlined_at 1 5 1\nret; }\n"
                 ".entry b () { .loc 2 9 1, function_name n, inlined_at 3 8 1\nret; }\n"
                 ".file 1 \"a.cu\"\n.file 2 \"/usr/include/x.h\"\n.file 3 \"b.cuh\"\n");
    const struct ptx_function *b = &parsed.module->functions.data[1];
    const struct ptx_location *locations = parsed.module->locations.data;
    const struct ptx_location *call =
        &locations[locations[b->instructions.data[0].location].inlined_at];
    assert_int_equal(call->line, 8);
    assert_int_equal(call->inlined_at, 0);
    expect_line(b, 0, 3, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_an_instruction_has_the_line_before_it, teardown),
        cmocka_unit_test_teardown(test_the_line_is_outside_headers_of_the_system, teardown),
        cmocka_unit_test_teardown(test_line_0_takes_the_line_of_the_nearest_use, teardown),
        cmocka_unit_test_teardown(test_without_lines_nothing_is_known, teardown),
        cmocka_unit_test_teardown(test_functions_do_not_share_calls, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
