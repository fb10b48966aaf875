/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch comments: what is read, what continues what, where errors stand.
 */
#include "unit.h"

static struct launch_comment parse(struct arena *arena, const char *text,
                                   struct diagnostic_list *diagnostics)
{
    struct launch_comment comment;
    diagnostic_list_init(diagnostics, arena);
    launch_comment_parse(arena, "x.cu", text, strlen(text), &comment, diagnostics);
    return comment;
}

static void assert_text(struct launch_text text, const char *wanted)
{
    assert_non_null(text.text);
    assert_int_equal(text.size, strlen(wanted));
    assert_memory_equal(text.text, wanted, text.size);
}

static void test_a_whole_comment(void **state)
{
    struct diagnostic_list diagnostics;
    struct launch_comment comment = parse(*state,
                                          "// SPDX: free text\n"
                                          "// case: 05_rows   variant: bad\n"
                                          "// kernel: pick_rows\r\n"
                                          "//grid: 141 2\n"
                                          "//   block: 0x80 1 1\n"
                                          "// dynamic-shared-bytes: 64\n"
                                          "// arg table: buf f32 len=2250000000 shape=250000x9000\n"
                                          "//      io=in init=(i==7)?-1:i%50\n"
                                          "// arg width: i32 9000\n"
                                          "// focus-blocks (x): 0 139\n"
                                          "// tolerance: 1e-3\n"
                                          "// expect: index-wrap line=23\n"
                                          "// also-accept: oob-global line=24, LW302 line=3,\n"
                                          "//      misaligned\n"
                                          "// note: grid-formula: (n + 255) / 256 with n = 0\n"
                                          "// why: row * width; kernel: is no word here\n"
                                          "//      arg, grid and block are prose\n"
                                          "extern \"C\" __global__ void k();\n"
                                          "// grid: 7\n",
                                          &diagnostics);
    if (diagnostics.items.count != 0)
        fail_msg("line %u: %s", diagnostics.items.data[0].place.line,
                 diagnostics.items.data[0].message);
    assert_int_equal(comment.launches.count, 1);
    assert_true(comment.has_geometry);
    const struct launch *launch = &comment.launches.data[0];
    assert_text(launch->kernel, "pick_rows");
    assert_int_equal(launch->grid[0], 141);
    assert_int_equal(launch->grid[1], 2);
    assert_int_equal(launch->grid[2], 1);
    assert_int_equal(launch->block[0], 128);
    assert_int_equal(launch->dynamic_shared, 64);
    assert_int_equal(launch->arguments.count, 2);
    const struct launch_argument *table = &launch->arguments.data[0];
    assert_int_equal(table->kind, ARGUMENT_BUFFER);
    assert_string_equal(table->name, "table");
    assert_text(table->length, "2250000000");
    assert_text(table->shape, "250000x9000");
    assert_text(table->init, "(i==7)?-1:i%50");
    assert_int_equal(table->init.place.line, 8);
    assert_int_equal(table->init.place.column, 20);
    assert_int_equal(table->io, IO_IN);
    assert_text(launch->arguments.data[1].value, "9000");
    assert_int_equal(launch->focus.count, 6);
    assert_int_equal(launch->focus.data[3], 139);
    assert_true(launch->tolerance == 1e-3);
    assert_int_equal(launch->expected.count, 1);
    assert_int_equal(launch->expected.data[0].finding, FINDING_INDEX_WRAP);
    assert_int_equal(launch->expected.data[0].line, 23);
    assert_int_equal(launch->accepted.count, 3);
    assert_int_equal(launch->accepted.data[1].finding, FINDING_GLOBAL_RACE);
    assert_int_equal(launch->accepted.data[2].finding, FINDING_MISALIGNED);
}

static void test_several_kernels_are_several_launches(void **state)
{
    struct diagnostic_list diagnostics;
    struct launch_comment comment = parse(*state,
                                          "\xef\xbb\xbf/* a block\n comment */\n\n"
                                          "// kernel: a\n// grid: 1\n// expect: none\n\n"
                                          "// kernel: b\n// block: 2\n// expect: checked line=4\n",
                                          &diagnostics);
    assert_int_equal(diagnostics.items.count, 0);
    assert_int_equal(comment.launches.count, 2);
    assert_true(comment.launches.data[0].expects_none);
    assert_true(comment.launches.data[0].has_grid);
    assert_false(comment.launches.data[0].has_block);
    assert_text(comment.launches.data[1].kernel, "b");
    assert_int_equal(comment.launches.data[1].expected.data[0].finding, FINDING_KIND_COUNT);
}

static void test_files_without_a_launch(void **state)
{
    static const char *const texts[] = {
        "", "int x;\n", "// just prose: kernels, blocks\n// and grids: more\nint x;",
        "// case: s01\n// verdict: proved\n// why: the plain guard\n", "/* never closed", "//",
        "// \n//\n", "// Kernel: upper case is prose\n", "// gird: a typo where nothing is launched\n",
    };
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        struct diagnostic_list diagnostics;
        struct launch_comment comment = parse(*state, texts[i], &diagnostics);
        assert_int_equal(diagnostics.items.count, 0);
        assert_false(comment.has_geometry);
    }
}

static void test_errors_stand_at_their_place(void **state)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *message, *help;
    } cases[] = {
        {"// grid: 1 x 1\n", 1, 12, "`x` is not a number", NULL},
        {"// grid:\n", 1, 9, "expected a number here", NULL},
        {"// grid: 1 2 3 4\n", 1, 16, "a grid and a block have three dimensions at most", NULL},
        {"// kernel: k\n// gird: 3 1 1\n", 2, 4, "this line of the launch begins with no known word",
         "did you mean `grid`?"},
        {"// gird: 3 1 1\n// kernel: k\n// block: 3\n", 1, 4,
         "this line of the launch begins with no known word", "did you mean `grid`?"},
        {"// kernel: k\n// n: i32 5\n", 2, 4, "this line of the launch begins with no known word",
         "an argument is written `arg n: ...`"},
        {"// kernel:\n", 1, 11, "expected the name of a kernel here", NULL},
        {"// arg n: int 5\n", 1, 11, "unknown type `int`", "write `TYPE VALUE` (i32 i64 u32 f32 ...) or `buf TYPE len=N ...`"},
        {"// arg n: f31 5\n", 1, 11, "unknown type `f31`", "did you mean `f32`?"},
        {"// arg n: i32\n", 1, 14, "expected a value here", NULL},
        {"// arg n:\n", 1, 10, "expected a type here", NULL},
        {"// arg n: i32 5\n// more\n", 2, 4,
         "this line begins with no known word, and a scalar has no more fields", NULL},
        {"// arg x: buf f32 io=in\n", 1, 8, "a buffer needs `len=`, its number of elements", NULL},
        {"// arg x: buf f32 len=5 len=6\n", 1, 25, "`len` is given twice", NULL},
        {"// arg x: buf f32 len=5 want=i + 1\n", 1, 32,
         "expected `len=`, `shape=`, `io=`, `init=`, `want=` or the end here; an expression has no blanks",
         NULL},
        {"// arg x: buf f32 len=5 wnat=3\n", 1, 25, "unknown field `wnat`", "did you mean `want`?"},
        {"// arg x: buf f32 len=5 io=inn\n", 1, 28, "io is `in`, `out`, `inout` or `scratch`", NULL},
        {"// arg x: i32 5\n// arg x: i32 6\n", 2, 8, "`x` is given twice", NULL},
        {"// symbol x: i32 5\n", 1, 14, "expected `buf TYPE len=N ...` here", NULL},
        {"// expect: oob-globl\n", 1, 12, "unknown kind of finding `oob-globl`",
         "did you mean `oob-global`?"},
        {"// expect: oob-global line=x\n", 1, 28, "`x` is not a number", NULL},
        {"// expect:\n", 1, 11, "expected a kind of finding here", NULL},
        {"// expect: misaligned 5\n", 1, 23, "expected `line=N`, a comma or the end here", NULL},
        {"// focus-blocks (y): 1\n", 1, 18, "expected (x), (x,y) or (x,y,z) here", NULL},
        {"// focus-blocks (x,y): 1 2\n", 1, 26, "expected `,` and a number here", NULL},
        {"// verdict: fine\n", 1, 13, "a verdict is `proved`, `violated` or `unproved`", NULL},
        {"// tolerance: much\n", 1, 15, "a tolerance is a number from 0 to 1", NULL},
        {"// dynamic-shared-bytes: -5\n", 1, 25, "shared memory cannot have -5 bytes", NULL},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct diagnostic_list diagnostics;
        parse(*state, cases[i].text, &diagnostics);
        if (diagnostics.items.count != 1)
            fail_msg("%s: %u diagnostics", cases[i].text, diagnostics.items.count);
        const struct diagnostic *diagnostic = &diagnostics.items.data[0];
        assert_string_equal(diagnostic->message, cases[i].message);
        if (diagnostic->place.line != cases[i].line || diagnostic->place.column != cases[i].column)
            fail_msg("%s: at %u:%u", cases[i].text, diagnostic->place.line, diagnostic->place.column);
        if (cases[i].help != NULL)
            assert_string_equal(diagnostic->help, cases[i].help);
    }
}

static struct launch_comment apply(struct arena *arena, const char *file, const char *option,
                                   struct diagnostic_list *diagnostics)
{
    struct launch_comment comment = parse(arena, file, diagnostics);
    launch_text_apply(arena, option, &comment, diagnostics);
    return comment;
}

static void test_the_option_changes_single_lines(void **state)
{
    struct diagnostic_list diagnostics;
    static const char file[] = "// kernel: k\n// grid: 4\n// block: 64\n// arg x: buf f32 len=5\n"
                               "// arg n: u32 5\n// focus-blocks (x): 3\n// expect: oob-global\n";
    struct launch_comment comment =
        apply(*state, file, "n=7; grid: 9 ;arg x: buf f32 len=n init=1", &diagnostics);
    assert_int_equal(diagnostics.items.count, 0);
    const struct launch *launch = &comment.launches.data[0];
    assert_int_equal(launch->grid[0], 9);
    assert_int_equal(launch->block[0], 64);
    assert_int_equal(launch->focus.count, 0);
    assert_int_equal(launch->expected.count, 1);
    assert_text(launch->arguments.data[0].length, "n");
    assert_text(launch->arguments.data[1].value, "7");
    assert_int_equal(launch->arguments.data[1].type, VALUE_U32);

    comment = apply(*state, file, "kernel: other", &diagnostics);
    assert_text(comment.launches.data[0].kernel, "other");
    assert_int_equal(comment.launches.data[0].arguments.count, 2);

    comment = apply(*state, file, "kernel: other; grid: 1; block: 1; m=3", &diagnostics);
    assert_int_equal(comment.launches.data[0].arguments.count, 1);
    assert_false(comment.launches.data[0].arguments.data[0].has_type);

    comment = apply(*state, "int x;", "// grid: 1\nblock: 2", &diagnostics);
    assert_int_equal(comment.launches.data[0].block[0], 2);
    assert_int_equal(diagnostics.items.count, 0);

    apply(*state, file, "nn=7", &diagnostics);
    assert_int_equal(diagnostics.items.count, 1);
    assert_string_equal(diagnostics.items.data[0].help, "did you mean `n`?");
    apply(*state, file, "x=7", &diagnostics);
    assert_int_equal(diagnostics.items.count, 1);
    apply(*state, file, "grid: 1; foo", &diagnostics);
    assert_int_equal(diagnostics.items.count, 1);
    assert_int_equal(diagnostics.items.data[0].place.column, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_whole_comment, setup, teardown),
        cmocka_unit_test_setup_teardown(test_several_kernels_are_several_launches, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files_without_a_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_errors_stand_at_their_place, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_option_changes_single_lines, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
