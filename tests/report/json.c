/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON writer: structure, escapes, numbers.
 */
#include "unit.h"

#include <math.h>

static void test_structure_and_commas(void **state)
{
    struct buffer out;
    struct json_writer json;
    buffer_init(&out, *state);
    json_init(&json, &out, false);
    json_object_begin(&json);
    json_key(&json, "a");
    json_array_begin(&json);
    json_integer(&json, -1);
    json_array_begin(&json);
    json_array_end(&json);
    json_object_begin(&json);
    json_object_end(&json);
    json_boolean(&json, true);
    json_string(&json, NULL);
    json_array_end(&json);
    json_key(&json, "b");
    json_unsigned(&json, UINT64_MAX);
    json_key(&json, "c");
    json_object_begin(&json);
    json_key(&json, "d");
    json_string(&json, "x");
    json_object_end(&json);
    json_object_end(&json);
    assert_string_equal(out.data, "{\"a\":[-1,[],{},true,null],\"b\":18446744073709551615,\"c\":{\"d\":\"x\"}}");
}

static void test_pretty_printing_ends_with_a_line_end(void **state)
{
    struct buffer out;
    struct json_writer json;
    buffer_init(&out, *state);
    json_init(&json, &out, true);
    json_object_begin(&json);
    json_key(&json, "a");
    json_array_begin(&json);
    json_integer(&json, 1);
    json_integer(&json, 2);
    json_array_end(&json);
    json_key(&json, "b");
    json_object_begin(&json);
    json_object_end(&json);
    json_object_end(&json);
    assert_string_equal(out.data, "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}\n");
}

static void check_string(struct arena *arena, const char *text, const char *wanted)
{
    struct buffer out;
    struct json_writer json;
    buffer_init(&out, arena);
    json_init(&json, &out, false);
    json_string(&json, text);
    assert_string_equal(out.data, wanted);
}

static void test_strings_are_escaped_and_valid(void **state)
{
    check_string(*state, "", "\"\"");
    check_string(*state, "a\"b\\c/", "\"a\\\"b\\\\c/\"");
    check_string(*state, "\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
    check_string(*state, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    check_string(*state, "\xff.", "\"\\ufffd.\"");                 /* no UTF-8 */
    check_string(*state, "\xc0\x80.", "\"\\ufffd\\ufffd.\"");       /* overlong */
    check_string(*state, "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* a surrogate */
    check_string(*state, "\xe2\x82", "\"\\ufffd\\ufffd\"");         /* cut off */
    check_string(*state, "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static void check_number(struct arena *arena, double value, const char *wanted)
{
    struct buffer out;
    struct json_writer json;
    buffer_init(&out, arena);
    json_init(&json, &out, false);
    json_number(&json, value);
    assert_string_equal(out.data, wanted);
}

static void test_numbers_read_back_exactly(void **state)
{
    check_number(*state, 0.1, "0.1");
    check_number(*state, 1.0 / 3, "0.3333333333333333");
    check_number(*state, 1e300, "1e+300");
    check_number(*state, -0.0, "-0");
    check_number(*state, (double)NAN, "\"nan\"");
    check_number(*state, -(double)INFINITY, "\"-inf\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_structure_and_commas, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pretty_printing_ends_with_a_line_end, setup, teardown),
        cmocka_unit_test_setup_teardown(test_strings_are_escaped_and_valid, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers_read_back_exactly, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
