/* SPDX-License-Identifier: Apache-2.0
 *
 * Arenas: alignment, zeroing, large blocks, and what happens when memory runs out, by making the Nth allocation fail.
 */
#include "unit.h"

#include <string.h>

static void test_blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    static const size_t sizes[] = {0, 1, 15, 16, 17, 100, 4096, 20000, 70000, 1};
    unsigned char *blocks[COUNT_OF(sizes)];
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        blocks[i] = arena_alloc(&arena, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t at = 0; at < sizes[i]; at++)
            assert_int_equal(blocks[i][at], 0);
        memset(blocks[i], (int)i + 1, sizes[i]);
    }
    /* No block was overwritten by a later one. */
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        for (size_t at = 0; at < sizes[i]; at++)
            assert_int_equal(blocks[i][at], i + 1);
    }
    arena_free(&arena);
    assert_int_equal(arena.total, 0);
}

static void test_a_large_block_leaves_the_current_chunk_in_use(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    char *before = arena_alloc(&arena, 16);
    (void)arena_alloc(&arena, 1 << 20);
    char *after = arena_alloc(&arena, 16);
    assert_ptr_equal(after, before + 16);
    arena_free(&arena);
}

static void test_many_small_blocks_take_few_chunks(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int i = 0; i < 100000; i++)
        (void)arena_alloc(&arena, 16);
    assert_true(arena.total >= 1600000);
    assert_true(arena.total < 1800000);
    arena_free(&arena);
}

static void test_an_arena_can_be_used_again_after_it_was_freed(void **state)
{
    (void)state;
    jmp_buf handler;
    struct arena arena;
    arena_init(&arena);
    arena.handler = &handler;
    (void)arena_alloc(&arena, 100);
    arena_free(&arena);
    assert_ptr_equal(arena.handler, &handler);
    assert_string_equal(arena_string(&arena, "again"), "again");
    arena_free(&arena);
}

static void test_copies(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    static const char bytes[] = {'a', '\0', 'b'};
    assert_memory_equal(arena_copy(&arena, bytes, sizeof bytes), bytes, sizeof bytes);
    assert_non_null(arena_copy(&arena, NULL, 0));
    assert_string_equal(arena_text(&arena, "warp and more", 4), "warp");
    assert_string_equal(arena_text(&arena, NULL, 0), "");
    assert_string_equal(arena_printf(&arena, "lane %d of %s", 31, "warp"), "lane 31 of warp");
    assert_string_equal(arena_printf(&arena, "%s", ""), "");
    char *wide = arena_printf(&arena, "%100000d", 7);
    assert_int_equal(strlen(wide), 100000);
    arena_free(&arena);
}

static void test_impossible_sizes_are_refused(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_null(arena_try_alloc(&arena, SIZE_MAX));
    assert_null(arena_try_alloc(&arena, SIZE_MAX / 2));
    assert_null(arena_try_alloc(&arena, SIZE_MAX / 4 + 1));
    assert_int_equal(arena.total, 0);

    jmp_buf handler;
    arena.handler = &handler;
    volatile unsigned jumps = 0;
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 16 + 1};
    for (volatile size_t i = 0; i < COUNT_OF(counts); i = i + 1) {
        if (setjmp(handler) == 0)
            (void)arena_alloc_array(&arena, counts[i], 16); /* the product wraps */
        else
            jumps = jumps + 1;
    }
    assert_int_equal(jumps, COUNT_OF(counts));
    arena_free(&arena);
}

static void test_a_failed_allocation_is_null_or_jumps(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    arena_fail_after(1);
    assert_null(arena_try_alloc(&arena, 16));
    assert_non_null(arena_try_alloc(&arena, 16)); /* only one allocation failed */

    jmp_buf handler;
    arena.handler = &handler;
    volatile bool jumped = false;
    if (setjmp(handler) == 0) {
        arena_fail_after(1);
        (void)arena_alloc(&arena, 1 << 20);
    } else {
        jumped = true;
    }
    assert_true(jumped);
    arena_free(&arena);
}

/* Everything that allocates, in one sequence; the checks are that of a run without failures. */
static void use_everything(struct arena *arena)
{
    VEC(uint64_t) numbers = {0};
    struct text_map map;
    struct buffer text;
    struct bitset set;
    struct diagnostic_list diagnostics;

    text_map_init(&map, arena);
    buffer_init(&text, arena);
    diagnostic_list_init(&diagnostics, arena);
    bitset_init(&set, arena, 1000000);
    for (unsigned i = 0; i < 5000; i++) {
        *vec_push(arena, &numbers) = i;
        buffer_printf(&text, "%u,", i);
        const char *key = arena_printf(arena, "key %u", i);
        text_map_set(&map, key, strlen(key), i);
        bitset_add(&set, i * 7);
    }
    for (unsigned i = 0; i < 300; i++)
        diagnostic_add(&diagnostics, SEVERITY_ERROR, (struct place){"a.ptx", i, 1}, "number %u", i);
    assert_int_equal(numbers.count, 5000);
    assert_int_equal(map.count, 5000);
    assert_int_equal(bitset_count(&set), 5000);
    assert_int_equal(diagnostics.errors, 300);
}

static void test_each_allocation_may_fail(void **state)
{
    (void)state;
    volatile unsigned failures = 0;
    for (volatile unsigned nth = 1;; nth = nth + 1) {
        struct arena arena;
        jmp_buf handler;
        volatile bool jumped = false;
        arena_init(&arena);
        arena.handler = &handler;
        if (setjmp(handler) == 0) {
            arena_fail_after(nth);
            use_everything(&arena);
        } else {
            jumped = true;
            failures = failures + 1;
        }
        arena_fail_after(0);
        arena_free(&arena);
        if (!jumped)
            break; /* the sequence takes fewer than `nth` allocations */
    }
    assert_true(failures > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(test_a_large_block_leaves_the_current_chunk_in_use),
        cmocka_unit_test(test_many_small_blocks_take_few_chunks),
        cmocka_unit_test(test_an_arena_can_be_used_again_after_it_was_freed),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_impossible_sizes_are_refused),
        cmocka_unit_test(test_a_failed_allocation_is_null_or_jumps),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
