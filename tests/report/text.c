/* SPDX-License-Identifier: Apache-2.0
 *
 * The text report: excerpts of odd sources, notes, limits, what a clean run prints.
 */
#include "unit.h"

static const char *read_text(void *context, const char *path)
{
    return strcmp(path, "x.cu") == 0 ? context : NULL;
}

static const char *print(struct arena *arena, struct report *report, const char *source,
                         struct report_style style)
{
    struct buffer out;
    buffer_init(&out, arena);
    buffer_puts(&out, "");
    style.read_source = read_text;
    style.context = (void *)(uintptr_t)source;
    report_finish(report);
    report_print_text(report, &style, &out);
    return out.data;
}

static struct finding *add_finding(struct arena *arena, struct report *report, uint32_t line,
                                   uint32_t column)
{
    if (report->kernels.count == 0) {
        report_init(report, arena, "run");
        struct report_kernel *kernel = report_add_kernel(report);
        kernel->name = kernel->shown = "k";
        kernel->has_run = true;
        kernel->blocks = kernel->blocks_run = 2;
        kernel->threads_per_block = 64;
    }
    struct finding *finding = vec_push(arena, &report->kernels.data[0].findings);
    *finding = (struct finding){
        .kind = FINDING_OOB_GLOBAL,
        .severity = SEVERITY_ERROR,
        .place = {"x.cu", line, column},
        .kernel_shown = "k",
        .message = "reads 4 bytes just past the end of `x`",
        .count = 1,
    };
    return finding;
}

static void test_an_excerpt_with_label_threads_and_help(void **state)
{
    struct report report = {0};
    struct finding *finding = add_finding(*state, &report, 2, 9);
    finding->first = (struct finding_thread){{2, 0, 0}, {44, 0, 0}, 3};
    finding->count = 1084;
    finding->has_index = true;
    finding->index = 300;
    finding->extent = 300;
    finding->element_size = 4;
    finding->help = "guard it";
    finding->condition = "n <= 300";
    *vec_push((struct arena *)*state, &finding->notes) =
        (struct finding_note){{"x.cu", 12, 0}, "declared here"};
    *vec_push((struct arena *)*state, &finding->notes) = (struct finding_note){.message = "and more"};
    const char *source = "int a;\n    x = vals[at] * 2;\n\n\n\n\n\n\n\n\n\n  float *vals;  \n";
    assert_string_equal(print(*state, &report, source, (struct report_style){0}),
                        "error[LW101]: `k` reads 4 bytes just past the end of `x`\n"
                        "  --> x.cu:2:9\n"
                        "   |\n"
                        " 2 |     x = vals[at] * 2;\n"
                        "   |         ^^^^ element 300 of 300\n"
                        "  --> x.cu:12\n"
                        "   |\n"
                        "12 |   float *vals;  \n"
                        "   |   ------------ declared here\n"
                        "   = thread: block (2,0,0) thread (44,0,0); 1,084 threads in all\n"
                        "   = note: and more\n"
                        "   = help: LW_REQUIRES(n <= 300) would prove this\n"
                        "   = help: guard it\n"
                        "\n"
                        "k: 1 error; ran 2 blocks of 64 threads\n");
}

/* Lines that no terminal should see as they are. */
static void test_odd_sources(void **state)
{
    static const struct {
        const char *source;
        uint32_t column;
        const char *line, *mark;
    } cases[] = {
        {"\tx[i]", 2, "1 |     x[i]\n", "  |     ^\n"},
        {"ab\tcd = 1;", 4, "1 | ab  cd = 1;\n", "  |     ^^\n"},
        {"\x1b[31mred", 2, "1 | ?[31mred\n", "  |  ^\n"},
        {"\xff\xfe = x", 6, "1 | ?? = x\n", "  |      ^\n"},
        {"\xc3\xa4\xc3\xb6 = x", 8, "1 | \xc3\xa4\xc3\xb6 = x\n", "  |      ^\n"},
        {"short", 77, "1 | short\n", NULL},
        {"crlf = 1;\r\nnext", 1, "1 | crlf = 1;\n", "  | ^^^^\n"},
        {"", 1, NULL, NULL},
    };
    for (unsigned i = 0; i < COUNT_OF(cases); i++) {
        struct report report = {0};
        add_finding(*state, &report, 1, cases[i].column);
        const char *text = print(*state, &report, cases[i].source, (struct report_style){0});
        if (cases[i].line != NULL && strstr(text, cases[i].line) == NULL)
            fail_msg("no %s in %s", cases[i].line, text);
        if (cases[i].mark != NULL && strstr(text, cases[i].mark) == NULL)
            fail_msg("no %s in %s", cases[i].mark, text);
        if (cases[i].line == NULL && strstr(text, " |") != NULL)
            fail_msg("an excerpt in %s", text);
    }
}

static void test_a_long_line_is_cut_around_the_place(void **state)
{
    struct report report = {0};
    struct buffer source;
    buffer_init(&source, *state);
    for (int i = 0; i < 3000; i++)
        buffer_printf(&source, "%d,", i);
    add_finding(*state, &report, 1, 5001);
    const char *text = print(*state, &report, source.data, (struct report_style){0});
    const char *line = strstr(text, "1 | ...");
    assert_non_null(line);
    assert_true(strcspn(line, "\n") < 160);
    const char *mark = strchr(line, '\n') + 1;
    size_t column = strcspn(mark, "^");
    assert_memory_equal(line + column, source.data + 5000, 4);
}

static void test_a_missing_source_shows_the_place_alone(void **state)
{
    struct report report = {0};
    struct finding *finding = add_finding(*state, &report, 7, 3);
    finding->place.file = "gone.cu";
    assert_string_equal(print(*state, &report, "", (struct report_style){0}),
                        "error[LW101]: `k` reads 4 bytes just past the end of `x`\n"
                        " --> gone.cu:7:3\n"
                        "\n"
                        "k: 1 error; ran 2 blocks of 64 threads\n");
}

static void test_a_message_that_is_no_predicate(void **state)
{
    struct report report = {0};
    add_finding(*state, &report, 0, 0)->message = "36 of 64 threads arrive";
    assert_non_null(strstr(print(*state, &report, "", (struct report_style){0}),
                           "error[LW101]: `k`: 36 of 64 threads arrive\n"));
}

static void test_the_limit_counts_what_it_leaves_out(void **state)
{
    struct report report = {0};
    for (uint32_t line = 1; line <= 9; line++)
        add_finding(*state, &report, line, 1);
    const char *text = print(*state, &report, "", (struct report_style){.max_findings = 2});
    assert_non_null(strstr(text, "... and 7 more"));
    assert_non_null(strstr(text, "k: 9 errors"));
    assert_null(strstr(text, "x.cu:3"));
}

static void test_clean_and_unfinished_kernels(void **state)
{
    struct report report;
    report_init(&report, *state, "run");
    struct report_kernel *kernel = report_add_kernel(&report);
    kernel->name = "a";
    kernel->has_run = true;
    kernel->blocks = kernel->blocks_run = 1;
    kernel->threads_per_block = 1;
    kernel->results_compared = 1;
    kernel = report_add_kernel(&report);
    kernel->name = "b";
    kernel->has_run = true;
    kernel->blocks = 2000;
    kernel->blocks_run = 3;
    kernel->threads_per_block = 32;
    kernel->stopped = "the step limit";
    kernel->stopped_at = (struct place){"x.cu", 4, 0};
    assert_string_equal(print(*state, &report, "", (struct report_style){0}),
                        "a: clean; ran 1 block of 1 thread; compared 1 result\n"
                        "b: no finding; ran 3 of 2,000 blocks of 32 threads; not finished: the step limit (x.cu:4)\n"
                        "2 kernels: no finding; 1 not finished\n");
    assert_string_equal(print(*state, &report, "", (struct report_style){.quiet = true}),
                        "b: no finding; ran 3 of 2,000 blocks of 32 threads; not finished: the step limit (x.cu:4)\n");
}

static void test_colour_is_only_colour(void **state)
{
    struct report report = {0};
    add_finding(*state, &report, 1, 1);
    const char *coloured = print(*state, &report, "x;", (struct report_style){.colour = true});
    struct buffer plain;
    buffer_init(&plain, *state);
    for (const char *at = coloured; *at != '\0'; at++) {
        if (*at == '\033')
            at += strcspn(at, "m");
        else
            buffer_putc(&plain, *at);
    }
    assert_string_equal(plain.data, print(*state, &report, "x;", (struct report_style){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_an_excerpt_with_label_threads_and_help, setup, teardown),
        cmocka_unit_test_setup_teardown(test_odd_sources, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_long_line_is_cut_around_the_place, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_missing_source_shows_the_place_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_message_that_is_no_predicate, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_limit_counts_what_it_leaves_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clean_and_unfinished_kernels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_colour_is_only_colour, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
