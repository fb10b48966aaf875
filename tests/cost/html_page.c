/* SPDX-License-Identifier: Apache-2.0
 *
 * The HTML page of a cost: its figures, hostile inputs, its size; `--write FOLDER` writes pages for the browser's test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "html_fixture.h"

#include <stdlib.h>

static int setup(void **state)
{
    struct arena *arena = malloc(sizeof *arena);
    arena_init(arena);
    *state = arena;
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    free(*state);
    return 0;
}

static const char *write_page(struct cost_result *result, size_t *size)
{
    const struct cost_result *results[] = {result};
    struct buffer out;
    buffer_init(&out, result->arena);
    cost_write_html(results, 1, "0.1.0", &out);
    if (size != NULL)
        *size = out.size;
    return out.data;
}

static void assert_has(const char *page, const char *text)
{
    if (strstr(page, text) == NULL)
        fail_msg("the page lacks: %s", text);
}

static void assert_lacks(const char *page, const char *text)
{
    const char *at = strstr(page, text);
    if (at != NULL)
        fail_msg("the page has: %.100s", at);
}

/* Of the page, what is not style or script. */
static unsigned count_of(const char *page, const char *text)
{
    unsigned count = 0;
    for (const char *at = strstr(page, text); at != NULL; at = strstr(at + 1, text))
        count++;
    return count;
}

static void test_the_figures_of_a_launch(void **state)
{
    const char *page = write_page(fixture_scale(*state, true), NULL);
    static const char *const figures[] = {
        "<tr><th scope=row>blocks<td class=n>3,907<td>\n",
        "<tr><th scope=row>threads of a block<td class=n>256<td>8 warps\n",
        "<tr><th scope=row>threads<td class=n>1,000,192<td>\n",
        "<td class=n>1,000,000<td>inside the domain <code>n</code>\n",
        "<tr><th scope=row>threads without (surplus)<td class=n>192<td>0.02&nbsp;% of the threads\n",
        "<tr><th scope=row>warps<td class=n>31,256<td>\n",
        "<tr><th scope=row>warps with work<td class=n>31,250<td>counted one by one\n",
        "<tr><th scope=row>warps without<td class=n>6<td>0.02&nbsp;% of the warps\n",
        "<tr><th scope=row>warp instructions issued<td class=n>437,554<td>\n",
        "<tr><th scope=row>issued by warps without work<td class=n>48<td>0.01&nbsp;% of the warp instructions\n",
        "The last block, 3,906: 64 of 256 threads work, 2 of 8 warps",
        "<b>437,548 \xe2\x86\x92 375,048</b> warp instructions (14.3&nbsp;% fewer)",
    };
    for (unsigned i = 0; i < COUNT_OF(figures); i++)
        assert_has(page, figures[i]);
}

static void test_source_and_ptx_point_at_each_other(void **state)
{
    const char *page = write_page(fixture_scale(*state, true), NULL);
    assert_has(page, "<tr id=k0l3 data-l=3 class=\"i20 l0\"><th scope=row><a href=\"#k0i8\">8</a><td>156,250<td>32.0<td class=uneven>tail guard<td>"
                     "\t\tx[i] = a * x[i]; // &lt; &amp; &quot; &#39; &lt;/script&gt;\n");
    assert_has(page, "<tbody data-l=3>\n<tr id=k0i8 class=\"i20 l0\"><th><a href=\"#k0l3\">8</a><td>31,250<td>32.0<td>parameter<td>"
                     "ld.param.f32 %f1, [scale_param_1];\n");
    assert_has(page, "<tr><th scope=row>5<td><td><td><td>{\n"); /* a line without instructions */
    assert_lacks(page, "contract.h&gt;");                      /* far above the kernel */
    assert_has(page, "<tr class=note data-l=2><td colspan=5><div><p class=open><span class=tag>note LW601</span> ");
    assert_has(page, "<p class=look><b>Guard</b>, divergent: tail guard; taken 1, not taken 7 (ran 6.0); a warp issues up to <b>7</b> when its "
                     "lanes agree, <b>8</b> when they part.<br>This launch: reached 31,256 times, all lanes taken 6, none 31,250, <b>divided 0</b> (0&nbsp;%)");
}

/* Each row: 32 lanes as groups of one state. */
static void test_the_picture_of_a_tail(void **state)
{
    struct cost_result *result = fixture_scale(*state, true);
    result->launch.blocks_shown.count = 0;
    fixture_add_block(result, "last", 3906, 100, 40);
    const char *page = write_page(result, NULL);
    static const char *const rows[] = {
        ">warp 0</text><g transform=\"translate(52 0)\"><rect x=\"0\" width=\"224\" height=\"9\" fill=\"url(#k0p0)\"/></g>",
        ">warp 1</text><g transform=\"translate(52 0)\"><rect x=\"0\" width=\"56\" height=\"9\" fill=\"url(#k0p0)\"/>"
        "<rect x=\"56\" width=\"168\" height=\"9\" fill=\"url(#k0p1)\"/></g>",
        ">warp 2</text><g transform=\"translate(52 0)\"><rect x=\"0\" width=\"224\" height=\"9\" fill=\"url(#k0p2)\"/></g>",
        ">warp 3</text><g transform=\"translate(52 0)\"><rect x=\"0\" width=\"28\" height=\"9\" fill=\"url(#k0p2)\"/>"
        "<rect x=\"28\" width=\"196\" height=\"9\" fill=\"url(#k0p3)\"/></g>",
    };
    for (unsigned i = 0; i < COUNT_OF(rows); i++)
        assert_has(page, rows[i]);
}

static void test_without_a_launch_nothing_is_made_up(void **state)
{
    const char *page = write_page(fixture_scale(*state, false), NULL);
    assert_has(page, "<p class=notice><b>Without a launch:</b> <code>n</code> has no value: give it with --launch &#39;n=...&#39;</p>");
    assert_has(page, "<section class=still>");
    assert_has(page, "class=\"i20\"><th scope=row><a href=\"#k0i8\">8</a><td>5<td><td class=uneven>");
    assert_lacks(page, "<svg");
    assert_lacks(page, "31,250");
}

static void test_several_kernels_have_ids_of_their_own(void **state)
{
    const struct cost_result *results[] = {fixture_scale(*state, true), fixture_scale(*state, false)};
    struct buffer out;
    buffer_init(&out, *state);
    cost_write_html(results, 2, NULL, &out);
    assert_has(out.data, "<a href=\"#k1\">scale</a>");
    assert_has(out.data, "id=k1l3 ");
    assert_int_equal(count_of(out.data, "<article "), 2);
    cost_write_html(results, 0, NULL, &out);
    assert_has(out.data, "No kernel was found");
}

/* ---- hostile inputs ---------------------------------------------------------------------------------------------------- */

static const char hostile[] = "</script><script>alert(1)</script><img src=x onerror='alert(2)'>\" onclick=\"`<b>`&amp;\xff\xc0\xaf\xe2\x80\xaeok\x01\x1b[31m\x7f";

static void make_hostile(struct cost_result *result)
{
    result->name = result->shown = result->compiler = result->not_analysed = hostile;
    result->source_context = (void *)(uintptr_t)hostile;
    for (unsigned i = 0; i < COST_QUESTIONS; i++)
        result->questions[i].title = result->questions[i].answer = hostile;
    for (uint32_t i = 0; i < result->lines.count; i++) {
        result->lines.data[i].text = hostile;
        result->lines.data[i].place.file = i < 2 ? hostile : "src/scale.cu";
    }
    for (uint32_t i = 0; i < result->instructions.count; i++)
        result->instructions.data[i].text = hostile;
    for (uint32_t i = 0; i < result->advice.count; i++) {
        struct cost_advice *advice = &result->advice.data[i];
        advice->message = advice->why = advice->unit = advice->not_binding = hostile;
    }
    for (uint32_t i = 0; i < result->findings.count; i++) {
        struct finding *finding = &result->findings.data[i];
        finding->message = finding->label = finding->help = finding->kernel_shown = hostile;
        *vec_push(result->arena, &finding->notes) = (struct finding_note){{hostile, 1, 1}, hostile};
    }
    struct cost_launch *launch = &result->launch;
    launch->domain_text = launch->stopped = hostile;
    for (uint32_t i = 0; i < launch->scalars.count; i++)
        launch->scalars.data[i].name = launch->scalars.data[i].value = hostile;
    for (uint32_t i = 0; i < launch->blocks_shown.count; i++)
        launch->blocks_shown.data[i].role = hostile;
    result->occupancy = (struct cost_occupancy){.known = true, .target = hostile, .limiter = hostile, .has_warps = true};
    *vec_push(result->arena, &result->loops) =
        (struct cost_loop){.place = {"src/scale.cu", 8, 1}, .trips = hostile, .reason = hostile, .parent = COST_NONE};
}

static void test_no_text_becomes_markup(void **state)
{
    struct cost_result *result = fixture_scale(*state, true);
    make_hostile(result);
    struct buffer out;
    buffer_init(&out, *state);
    cost_write_html((const struct cost_result *const[]){result}, 1, hostile, &out);
    assert_int_equal(count_of(out.data, "<script"), 1);
    assert_int_equal(count_of(out.data, "</script"), 1);
    assert_lacks(out.data, "<img");
    assert_lacks(out.data, "onclick=\"");
    assert_lacks(out.data, "<b>`");
    assert_lacks(out.data, "\xff");
    assert_lacks(out.data, "\xc0\xaf");
    assert_lacks(out.data, "\xe2\x80\xae"); /* would turn the line round */
    assert_lacks(out.data, "\x1b");
    assert_has(out.data, "&lt;/script&gt;&lt;script&gt;alert(1)");
    assert_has(out.data, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd[U+202E]ok\xe2\x90\x81\xe2\x90\x9b[31m\xe2\x90\xa1");
}

static void test_nothing_is_loaded(void **state)
{
    const char *page = write_page(fixture_scale(*state, true), NULL);
    static const char *const loaders[] = {"http:", "https:", " src=", "<link", "@import", "url(h", "url(/", "<iframe", "fetch(", "<object", " style="};
    for (unsigned i = 0; i < COUNT_OF(loaders); i++)
        assert_lacks(page, loaders[i]);
    assert_has(page, "content=\"default-src 'none'; ");
}

/* ---- size -------------------------------------------------------------------------------------------------------------- */

static void make_huge(struct cost_result *result, uint32_t instructions)
{
    while (result->instructions.count < instructions) {
        uint32_t i = result->instructions.count;
        fixture_add(result, i / 7 % result->lines.count, COST_FLOAT, 31250, 990000 + i % 10000, "fma.rn.f32 %f12345, %f12344, %f12343, 0f3F800000;");
    }
}

static void test_a_huge_kernel_gives_a_page_of_few_megabytes(void **state)
{
    struct cost_result *result = fixture_scale(*state, true);
    make_huge(result, 30000);
    size_t size = 0;
    write_page(result, &size);
    assert_in_range(size, 1000000, 4500000);
    make_huge(result, 100000);
    const char *page = write_page(result, &size);
    assert_in_range(size, 1000000, 6000000);
    assert_has(page, "60,000 more instructions are left out here; --format json has all");
}

static void test_very_long_lines_are_cut_between_characters(void **state)
{
    struct cost_result *result = fixture_scale(*state, true);
    size_t length = 1000000;
    char *text = arena_alloc(*state, length + 2);
    text[0] = 'x'; /* so that no limit falls between two characters */
    for (size_t i = 1; i + 1 < length; i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    result->source_context = text;
    result->questions[0].answer = result->name = result->shown = text;
    for (uint32_t i = 0; i < result->instructions.count; i++)
        result->instructions.data[i].text = text;
    for (uint32_t i = 0; i < result->lines.count; i++)
        result->lines.data[i].text = text;
    size_t size = 0;
    const char *page = write_page(result, &size);
    assert_in_range(size, 1000, 100000);
    assert_has(page, "\xc3\xa4\xe2\x80\xa6");
    assert_lacks(page, "\xef\xbf\xbd");
}

static void test_lines_far_apart_and_twice(void **state)
{
    struct cost_result *result = fixture_scale(*state, true);
    result->lines.data[4].place.line = UINT32_MAX; /* past the end of the file */
    result->lines.data[3].place.line = 7;          /* a second time */
    result->lines.data[0].text = NULL;
    result->read_source = NULL;
    const char *page = write_page(result, NULL);
    assert_has(page, ">4294967295</a>");
    assert_has(page, "(the source is not at hand)");
    result->lines.count = 0;
    assert_has(write_page(result, NULL), "no instruction has a source line");
}

/* ---- main -------------------------------------------------------------------------------------------------------------- */

static void save(const char *folder, const char *name, const char *text, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(text, 1, size, file) != size || fclose(file) != 0)
        perror(path);
}

static int write_pages(const char *folder)
{
    struct arena arena;
    arena_init(&arena);
    size_t size;
    const char *text = write_page(fixture_scale(&arena, true), &size);
    save(folder, "scale.html", text, size);
    text = write_page(fixture_scale(&arena, false), &size);
    save(folder, "still.html", text, size);
    struct cost_result *result = fixture_scale(&arena, true);
    make_hostile(result);
    text = write_page(result, &size);
    save(folder, "hostile.html", text, size);
    const struct cost_result *several[] = {fixture_scale(&arena, true), fixture_scale(&arena, false), result};
    struct buffer out;
    buffer_init(&out, &arena);
    cost_write_html(several, COUNT_OF(several), "0.1.0", &out);
    save(folder, "several.html", out.data, out.size);
    result = fixture_scale(&arena, true);
    make_huge(result, 30000);
    text = write_page(result, &size);
    save(folder, "huge.html", text, size);
    arena_free(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_pages(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_figures_of_a_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_source_and_ptx_point_at_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_picture_of_a_tail, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_a_launch_nothing_is_made_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_several_kernels_have_ids_of_their_own, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_text_becomes_markup, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_is_loaded, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_huge_kernel_gives_a_page_of_few_megabytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_very_long_lines_are_cut_between_characters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines_far_apart_and_twice, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
