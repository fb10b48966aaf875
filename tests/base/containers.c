/* SPDX-License-Identifier: Apache-2.0
 *
 * Growable arrays, the map from text to id, bit sets, lists of diagnostics.
 */
#include "unit.h"

#include <string.h>

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

static void test_a_vector_keeps_its_elements_when_it_grows(void **state)
{
    struct arena *arena = *state;
    VEC(struct place) places = {0};
    for (uint32_t i = 0; i < 10000; i++) {
        struct place *place = vec_push(arena, &places);
        place->line = i;
        place->column = i * 3;
    }
    assert_int_equal(places.count, 10000);
    assert_true(places.capacity >= places.count);
    for (uint32_t i = 0; i < places.count; i++) {
        assert_int_equal(places.data[i].line, i);
        assert_int_equal(places.data[i].column, i * 3);
        assert_null(places.data[i].file); /* a new element is zeroed */
    }
}

static void test_a_map_finds_what_was_stored_last(void **state)
{
    struct text_map map;
    text_map_init(&map, *state);
    assert_int_equal(text_map_find(&map, "tid", 3), TEXT_MAP_NONE);
    text_map_set(&map, "tid", 3, 1);
    text_map_set(&map, "ntid", 4, 2);
    text_map_set(&map, "tid", 3, 3);
    assert_int_equal(map.count, 2);
    assert_int_equal(text_map_find(&map, "tid", 3), 3);
    assert_int_equal(text_map_find(&map, "ntid", 4), 2);
    assert_int_equal(text_map_find(&map, "ntid", 3), TEXT_MAP_NONE);
    assert_int_equal(text_map_find(&map, "", 0), TEXT_MAP_NONE);
}

static void test_a_map_takes_any_bytes_and_copies_them(void **state)
{
    struct text_map map;
    text_map_init(&map, *state);
    char key[] = {'a', '\0', 'b'};
    text_map_set(&map, key, sizeof key, 10);
    text_map_set(&map, key, 1, 11);
    text_map_set(&map, key, 0, 12);
    key[0] = 'z';
    assert_int_equal(text_map_find(&map, "a\0b", 3), 10);
    assert_int_equal(text_map_find(&map, "a", 1), 11);
    assert_int_equal(text_map_find(&map, "", 0), 12);
    assert_int_equal(text_map_find(&map, key, sizeof key), TEXT_MAP_NONE);
}

static void test_a_large_map(void **state)
{
    struct text_map map;
    text_map_init(&map, *state);
    char key[32];
    for (uint32_t i = 0; i < 50000; i++) {
        int size = snprintf(key, sizeof key, "%%r%u", i);
        text_map_set(&map, key, (size_t)size, i);
    }
    assert_int_equal(map.count, 50000);
    for (uint32_t i = 0; i < 50000; i++) {
        int size = snprintf(key, sizeof key, "%%r%u", i);
        assert_int_equal(text_map_find(&map, key, (size_t)size), i);
    }
    assert_int_equal(text_map_find(&map, "%r50000", 7), TEXT_MAP_NONE);
}

static void test_a_bit_set_at_word_borders(void **state)
{
    static const uint32_t bits[] = {0, 1, 31, 32, 63, 64, 65, 127, 128, 199};
    struct bitset set;
    bitset_init(&set, *state, 200);
    assert_int_equal(bitset_count(&set), 0);
    for (uint32_t i = 0; i < COUNT_OF(bits); i++) {
        assert_false(bitset_has(&set, bits[i]));
        bitset_add(&set, bits[i]);
        bitset_add(&set, bits[i]);
        assert_true(bitset_has(&set, bits[i]));
        assert_int_equal(bitset_count(&set), i + 1);
    }
    assert_false(bitset_has(&set, 2));
    bitset_remove(&set, 64);
    assert_false(bitset_has(&set, 64));
    assert_true(bitset_has(&set, 63));
    assert_true(bitset_has(&set, 65));
    bitset_clear(&set);
    assert_int_equal(bitset_count(&set), 0);
}

static void test_sizes_of_bit_sets(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 128, 1000000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct bitset set;
        bitset_init(&set, *state, sizes[i]);
        if (sizes[i] != 0)
            bitset_add(&set, sizes[i] - 1);
        assert_int_equal(bitset_count(&set), sizes[i] != 0);
    }
}

static void test_union_says_whether_it_changed_anything(void **state)
{
    struct bitset target, source;
    bitset_init(&target, *state, 130);
    bitset_init(&source, *state, 130);
    assert_false(bitset_union(&target, &source));
    bitset_add(&source, 3);
    bitset_add(&source, 129);
    bitset_add(&target, 3);
    assert_true(bitset_union(&target, &source));
    assert_true(bitset_has(&target, 129));
    assert_false(bitset_union(&target, &source));
    assert_int_equal(bitset_count(&target), 2);
}

static void test_diagnostics_are_kept_up_to_a_limit_and_all_counted(void **state)
{
    struct diagnostic_list list;
    diagnostic_list_init(&list, *state);
    list.limit = 2;
    diagnostic_help(&list, "there is nothing to help with yet");
    diagnostic_add(&list, SEVERITY_WARNING, (struct place){"a.ptx", 4, 2},
                   "register `%s` is never used", "%r1");
    diagnostic_help(&list, "remove it");
    diagnostic_add(&list, SEVERITY_ERROR, (struct place){"a.ptx", 5, 1}, "no such label");
    diagnostic_add(&list, SEVERITY_ERROR, (struct place){"a.ptx", 6, 1}, "over the limit");
    diagnostic_help(&list, "belongs to the one that was dropped");
    assert_int_equal(list.items.count, 2);
    assert_int_equal(list.errors, 2);
    assert_int_equal(list.dropped, 1);
    assert_string_equal(list.items.data[0].message, "register `%r1` is never used");
    assert_string_equal(list.items.data[0].help, "remove it");
    assert_int_equal(list.items.data[0].place.line, 4);
    assert_null(list.items.data[1].help);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_vector_keeps_its_elements_when_it_grows),
        TEST(test_a_map_finds_what_was_stored_last),
        TEST(test_a_map_takes_any_bytes_and_copies_them),
        TEST(test_a_large_map),
        TEST(test_a_bit_set_at_word_borders),
        TEST(test_sizes_of_bit_sets),
        TEST(test_union_says_whether_it_changed_anything),
        TEST(test_diagnostics_are_kept_up_to_a_limit_and_all_counted),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
