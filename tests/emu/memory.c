/* SPDX-License-Identifier: Apache-2.0
 *
 * The emulator's memory: exact bounds, lazy filling, definedness, huge buffers, freed ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emu/emu.h"

#include <string.h>

static int setup(void **state)
{
    struct emu_options options = {.jobs = 1, .max_memory = 1 << 20};
    *state = emu_machine_create(&options);
    return *state == NULL;
}

static int teardown(void **state)
{
    emu_machine_free(*state);
    return 0;
}

static void fill_offset(void *context, uint64_t offset, void *data, uint64_t size)
{
    uint64_t *filled = context;
    *filled += size;
    for (uint64_t i = 0; i < size; i++)
        ((uint8_t *)data)[i] = (uint8_t)((offset + i) * 7);
}

static void bounds_are_exact(void **state)
{
    struct emu_buffer buffer = {.name = "a", .size = 13, .initialised = true};
    uint64_t address = emu_memory_allocate(*state, &buffer);
    char bytes[14];
    assert_int_not_equal(address, 0);
    assert_true(emu_memory_read(*state, address, bytes, 13));
    assert_false(emu_memory_read(*state, address, bytes, 14));
    assert_false(emu_memory_read(*state, address - 1, bytes, 1));
    assert_false(emu_memory_write(*state, address + 13, bytes, 1));
    assert_true(emu_memory_write(*state, address + 12, bytes, 1));
}

static void a_huge_buffer_costs_what_is_touched(void **state)
{
    uint64_t filled = 0;
    struct emu_buffer buffer = {.name = "huge", .size = (uint64_t)5 << 30, .initialised = true, .fill = fill_offset, .context = &filled};
    uint64_t address = emu_memory_allocate(*state, &buffer);
    uint8_t byte;
    assert_int_not_equal(address, 0);
    assert_true(emu_memory_read(*state, address + ((uint64_t)4 << 30) + 5, &byte, 1));
    assert_int_equal(byte, (uint8_t)(((((uint64_t)4 << 30) + 5) * 7) & 255));
    assert_int_equal(filled, 4096);
    uint64_t offset = 0, size = 0;
    assert_true(emu_memory_next_touched(*state, address, &offset, &size));
    assert_int_equal(offset, (uint64_t)4 << 30);
    assert_int_equal(size, 4096);
    offset += size;
    assert_false(emu_memory_next_touched(*state, address, &offset, &size));
}

static void the_limit_holds(void **state)
{
    struct emu_buffer buffer = {.name = "big", .size = 4 << 20, .initialised = true};
    uint64_t address = emu_memory_allocate(*state, &buffer);
    char bytes[4096];
    unsigned done = 0;
    while (done < 1024 && emu_memory_read(*state, address + done * 4096u, bytes, sizeof bytes))
        done++;
    assert_true(done > 0);
    assert_true(done < 1024);
    assert_true(emu_memory_used(*state) <= 1 << 20);
}

static void definedness_is_by_byte(void **state)
{
    struct emu_buffer buffer = {.name = "out", .size = 8};
    uint64_t address = emu_memory_allocate(*state, &buffer);
    uint8_t defined[8];
    assert_true(emu_memory_write(*state, address + 2, "abc", 3));
    assert_true(emu_memory_defined(*state, address, defined, 8));
    assert_memory_equal(defined, ((const uint8_t[]){0, 0, 1, 1, 1, 0, 0, 0}), 8);
}

static void freed_memory_is_gone(void **state)
{
    struct emu_buffer buffer = {.name = "f", .size = 8, .initialised = true};
    uint64_t address = emu_memory_allocate(*state, &buffer);
    char byte;
    assert_false(emu_memory_free(*state, address + 4));
    assert_true(emu_memory_free(*state, address));
    assert_false(emu_memory_read(*state, address, &byte, 1));
    assert_false(emu_memory_free(*state, address));
    assert_int_not_equal(emu_memory_allocate(*state, &buffer), address);
}

static void sizes_past_the_address_space_are_refused(void **state)
{
    struct emu_buffer buffer = {.name = "x", .size = (uint64_t)1 << 50, .initialised = true};
    assert_int_equal(emu_memory_allocate(*state, &buffer), 0);
    buffer.size = 0;
    assert_int_not_equal(emu_memory_allocate(*state, &buffer), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bounds_are_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(a_huge_buffer_costs_what_is_touched, setup, teardown),
        cmocka_unit_test_setup_teardown(the_limit_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(definedness_is_by_byte, setup, teardown),
        cmocka_unit_test_setup_teardown(freed_memory_is_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(sizes_past_the_address_space_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
