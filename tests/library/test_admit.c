/* SPDX-License-Identifier: Apache-2.0
 *
 * The quick answer to "does this launch keep the contract?" is the one that contract_evaluate gives with reasons: on many launches of
 * contracts that have every part, with numbers at the borders of everything.
 */
#include "launch/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static jmp_buf out_of_memory;

static void set(struct contract *contract, struct contract_expression *expression, const char *text)
{
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, &arena);
    assert_true(contract_parse_expression(contract, text, strlen(text), (struct place){0}, expression, &diagnostics));
}

static void add_relation(struct contract *contract, const char *text)
{
    struct diagnostic_list diagnostics;
    struct contract_relation relation = {0};
    diagnostic_list_init(&diagnostics, &arena);
    assert_true(contract_parse_relation(contract, text, strlen(text), (struct place){0}, &relation, &diagnostics));
    *vec_push(&arena, &contract->relations) = relation;
}

static struct contract *begin(void)
{
    struct contract *contract = contract_new(&arena);
    static const char *const scalars[] = {"n", "m", "k"};
    for (unsigned i = 0; i < 3; i++) {
        struct contract_parameter *parameter = contract_add_parameter(contract, scalars[i], CONTRACT_INTEGER);
        parameter->bits = 64;
        parameter->is_signed = true;
    }
    contract_add_parameter(contract, "a", CONTRACT_POINTER)->element_size = 4;
    contract_add_parameter(contract, "b", CONTRACT_POINTER)->element_size = 8;
    return contract;
}

static void shape(struct contract *contract, uint32_t index, enum contract_shape_kind kind, unsigned count, const char *const *sizes)
{
    for (unsigned d = 0; d < count; d++)
        set(contract, &contract->parameters.data[index].shape[d], sizes[d]);
    contract->parameters.data[index].shape_kind = kind;
    contract->parameters.data[index].dimensions = (uint8_t)count;
    contract_set_extent(contract, index);
}

static struct contract *variant(unsigned which)
{
    struct contract *contract = begin();
    shape(contract, 3, CONTRACT_SHAPE_ROWS, 2, (const char *const[]){"n", "m"});
    if (which & 1)
        shape(contract, 4, CONTRACT_SHAPE_PITCHED, 3, (const char *const[]){"n", "m", "k / m"});
    if (which & 2)
        add_relation(contract, "n * m <= k");
    if (which & 4) {
        set(contract, &contract->block[0], "32");
        set(contract, &contract->block[1], "m");
    } else {
        set(contract, &contract->block_multiple, "k % 64");
        set(contract, &contract->block_max, "n * 32");
    }
    if (which & 8) {
        set(contract, &contract->domain[0], "n");
        set(contract, &contract->domain[1], "k - m");
    } else {
        set(contract, &contract->grid[0], "n / m");
    }
    if (which & 16)
        set(contract, &contract->shared_bytes, "n * k");
    if (which & 32) {
        set(contract, &contract->parameters.data[3].value_low, "0");
        set(contract, &contract->parameters.data[3].value_high, "n / k");
    }
    return contract;
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static contract_integer number(uint64_t *state)
{
    static const int64_t numbers[] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 255, 1024, 1025, 65535, 65536, 2147483647, INT64_MAX, -1, -32, INT64_MIN};
    return numbers[next(state) % (next(state) % 3 == 0 ? COUNT_OF(numbers) : 8)];
}

static void admit_is_evaluate(void **unused)
{
    static uint64_t state = 88172645463325252u, admitted;
    (void)unused;
    arena_init(&arena);
    arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0)
        fail();
    for (unsigned which = 0; which < 64; which++) {
        const struct contract *contract = variant(which);
        for (unsigned round = 0; round < 2000; round++) {
            contract_integer scalars[5] = {number(&state), number(&state), number(&state)}, lengths[5] = {0};
            struct contract_values values = {.scalars = scalars, .lengths = lengths, .has_grid = next(&state) % 2};
            contract_violations violations = {0};
            lengths[3] = next(&state) % 4 == 0 ? number(&state) : 1 << 20;
            lengths[4] = next(&state) % 4 == 0 ? number(&state) : 1 << 20;
            for (unsigned axis = 0; axis < 3; axis++) {
                values.block[axis] = next(&state) % 4 == 0 ? number(&state) : axis == 0 ? 32 : 1;
                values.grid[axis] = next(&state) % 4 == 0 ? number(&state) : 1;
            }
            if (next(&state) % 2 == 0)
                contract_block(contract, &values);
            bool expected = contract_evaluate(contract, &arena, &values, &violations);
            if (admit_contract(contract, &values) != expected)
                fail_msg("variant %u, round %u: %s", which, round, expected ? "refused without a reason" : violations.data[0].message);
            admitted += expected;
        }
        arena_free(&arena);
    }
    assert_true(admitted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(admit_is_evaluate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
