/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing texts, the small questions about strings, reading whole files.
 */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int setup(void **state)
{
    static struct arena arena;
    arena_init(&arena);
    *state = &arena;
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static void test_a_buffer_is_zero_terminated_after_each_addition(void **state)
{
    struct buffer text;
    buffer_init(&text, *state);
    assert_int_equal(text.size, 0);
    buffer_add(&text, NULL, 0);
    assert_string_equal(text.data, "");
    buffer_puts(&text, "ld");
    buffer_putc(&text, '.');
    buffer_printf(&text, "%s.%c%d", "global", 'u', 32);
    assert_string_equal(text.data, "ld.global.u32");
    assert_int_equal(text.size, strlen("ld.global.u32"));
    buffer_add(&text, "\0x", 2);
    assert_int_equal(text.size, strlen("ld.global.u32") + 2);
    assert_memory_equal(text.data + text.size - 2, "\0x", 3);
}

static void test_a_buffer_keeps_its_text_when_it_grows(void **state)
{
    struct buffer text;
    buffer_init(&text, *state);
    for (unsigned i = 0; i < 20000; i++)
        buffer_printf(&text, "%08u", i);
    assert_int_equal(text.size, 160000);
    for (unsigned i = 0; i < 20000; i++) {
        char part[16];
        snprintf(part, sizeof part, "%08u", i);
        assert_memory_equal(text.data + (size_t)i * 8, part, 8);
    }
}

static void test_additions_of_every_size_fit(void **state)
{
    static const char filler[300] = {'x'};
    for (size_t size = 0; size < sizeof filler; size++) {
        struct buffer text;
        buffer_init(&text, *state);
        buffer_add(&text, filler, size);
        buffer_putc(&text, '!');
        assert_int_equal(text.size, size + 1);
        assert_true(text.size < text.capacity);
        assert_int_equal(text.data[size], '!');
        assert_int_equal(text.data[size + 1], '\0');
    }
}

static void test_prefix_and_suffix(void **state)
{
    (void)state;
    assert_true(text_starts_with("ld.global", "ld."));
    assert_true(text_starts_with("ld", "ld"));
    assert_true(text_starts_with("ld", ""));
    assert_false(text_starts_with("ld", "ld."));
    assert_true(text_ends_with("kernel.cu", ".cu"));
    assert_true(text_ends_with(".cu", ".cu"));
    assert_true(text_ends_with("", ""));
    assert_false(text_ends_with("cu", ".cu"));
    assert_false(text_ends_with("kernel.cu ", ".cu"));
}

static void test_distance_counts_edits(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {
        {"", "", 0},         {"", "warp", 4},        {"warp", "warp", 0},
        {"warp", "wrap", 1}, {"block", "blocks", 1}, {"kernel", "colonel", 4},
        {"grid", "gird", 1}, {"abc", "xyz", 3},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(text_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(text_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void test_distance_gives_up_on_long_texts(void **state)
{
    (void)state;
    char a[80], b[80];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[64] = b[64] = '\0';
    assert_int_equal(text_distance(a, b), 64);
    a[64] = 'a';
    a[65] = '\0';
    assert_int_equal(text_distance(a, b), UINT32_MAX);
    assert_int_equal(text_distance(b, a), UINT32_MAX);
}

static void test_digits_are_grouped(void **state)
{
    (void)state;
    static const struct {
        uint64_t value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {999, "999"},
        {1000, "1,000"},
        {123456, "123,456"},
        {1234567, "1,234,567"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char out[27];
        assert_ptr_equal(text_group_digits(cases[i].value, out), out);
        assert_string_equal(out, cases[i].text);
    }
}

static void test_whole_files_are_read(void **state)
{
    char path[] = "/tmp/lanewise-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    assert_non_null(file);
    for (unsigned i = 0; i < 50000; i++)
        fputc((int)(i % 251), file);
    fclose(file);

    size_t size = 0;
    char *data = file_read(*state, path, &size);
    assert_non_null(data);
    assert_int_equal(size, 50000);
    for (unsigned i = 0; i < 50000; i++)
        assert_int_equal((unsigned char)data[i], i % 251);
    assert_int_equal(data[size], '\0');
    assert_non_null(file_read(*state, path, NULL));

    assert_int_equal(truncate(path, 0), 0);
    data = file_read(*state, path, &size);
    assert_string_equal(data, "");
    assert_int_equal(size, 0);
    unlink(path);
}

static void test_a_file_that_cannot_be_read_says_why(void **state)
{
    size_t size;
    errno = 0;
    assert_null(file_read(*state, "/nonexistent/kernel.ptx", &size));
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_null(file_read(*state, "/tmp", &size)); /* a folder */
    assert_int_equal(errno, EISDIR);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_buffer_is_zero_terminated_after_each_addition),
        TEST(test_a_buffer_keeps_its_text_when_it_grows),
        TEST(test_additions_of_every_size_fit),
        TEST(test_prefix_and_suffix),
        TEST(test_distance_counts_edits),
        TEST(test_distance_gives_up_on_long_texts),
        TEST(test_digits_are_grouped),
        TEST(test_whole_files_are_read),
        TEST(test_a_file_that_cannot_be_read_says_why),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
