/* SPDX-License-Identifier: Apache-2.0
 *
 * What the unit tests of contracts share: a kernel's contract to parse against.
 */
#ifndef LANEWISE_TESTS_CONTRACT_UNIT_H
#define LANEWISE_TESTS_CONTRACT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contract/contract.h"

#include <string.h>

/* void gemm(int m, unsigned n, int k, float alpha, const float *a, float *b, struct view v) with v.data and v.rows */
enum {
    PARAMETER_M,
    PARAMETER_N,
    PARAMETER_K,
    PARAMETER_ALPHA,
    PARAMETER_A,
    PARAMETER_B,
    PARAMETER_V,
    PARAMETER_DATA,
    PARAMETER_ROWS,
    PARAMETER_COUNT
};

static inline struct contract *make_contract(struct arena *arena)
{
    static const struct {
        const char *name, *type;
        enum contract_type_kind kind;
        uint32_t position, offset;
    } table[PARAMETER_COUNT] = {
        {"m", "int", CONTRACT_INTEGER, 0, 0},
        {"n", "unsigned int", CONTRACT_INTEGER, 1, 0},
        {"k", "int", CONTRACT_INTEGER, 2, 0},
        {"alpha", "float", CONTRACT_FLOAT, 3, 0},
        {"a", "const float *", CONTRACT_POINTER, 4, 0},
        {"b", "float *", CONTRACT_POINTER, 5, 0},
        {"v", "struct view", CONTRACT_OTHER, 6, 0},
        {"v.data", "float *", CONTRACT_POINTER, 6, 0},
        {"v.rows", "int", CONTRACT_INTEGER, 6, 8},
    };
    struct contract *contract = contract_new(arena);
    contract->kernel_shown = "gemm";
    contract->place = (struct place){"x.cu", 9, 17};
    for (unsigned i = 0; i < PARAMETER_COUNT; i++) {
        struct contract_parameter *parameter =
            contract_add_parameter(contract, table[i].name, table[i].kind);
        parameter->type = table[i].type;
        parameter->position = table[i].position;
        parameter->offset = table[i].offset;
        parameter->element_size = table[i].kind == CONTRACT_POINTER ? 4 : 0;
    }
    return contract;
}

/* Numbers for the parameters of make_contract. */
struct launch_numbers {
    contract_integer scalars[PARAMETER_COUNT], lengths[PARAMETER_COUNT];
};

static inline struct contract_values make_values(struct launch_numbers *numbers, contract_integer m,
                                                 contract_integer n, contract_integer k)
{
    memset(numbers, 0, sizeof *numbers);
    numbers->scalars[PARAMETER_M] = m;
    numbers->scalars[PARAMETER_N] = n;
    numbers->scalars[PARAMETER_K] = k;
    struct contract_values values = {
        numbers->scalars, numbers->lengths, {32, 4, 1}, {10, 20, 1}, true};
    return values;
}

static inline bool parse_expression(struct contract *contract, const char *text,
                                    struct contract_expression *expression,
                                    struct diagnostic_list *diagnostics)
{
    return contract_parse_expression(contract, text, strlen(text), (struct place){"x.cu", 3, 14},
                                     expression, diagnostics);
}

static inline bool parse_relation(struct contract *contract, const char *text,
                                  struct contract_relation *relation,
                                  struct diagnostic_list *diagnostics)
{
    return contract_parse_relation(contract, text, strlen(text), (struct place){"x.cu", 3, 14},
                                   relation, diagnostics);
}

/* For expressions that must be right. */
static inline struct contract_expression expression_of(struct contract *contract, const char *text)
{
    struct contract_expression expression;
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, contract->arena);
    if (!parse_expression(contract, text, &expression, &diagnostics))
        fail_msg("%s: %s", text, diagnostics.items.data[0].message);
    return expression;
}

static inline void require(struct contract *contract, const char *text, uint32_t line)
{
    struct contract_relation *relation = vec_push(contract->arena, &contract->relations);
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, contract->arena);
    if (!contract_parse_relation(contract, text, strlen(text), (struct place){"x.cu", line, 1},
                                 relation, &diagnostics))
        fail_msg("%s: %s", text, diagnostics.items.data[0].message);
}

static inline void shape(struct contract *contract, uint32_t index, enum contract_shape_kind kind,
                         const char *const *texts, unsigned count)
{
    for (unsigned d = 0; d < count; d++) {
        struct contract_expression expression = expression_of(contract, texts[d]);
        contract->parameters.data[index].shape[d] = expression;
    }
    struct contract_parameter *parameter = &contract->parameters.data[index];
    parameter->shape_kind = (uint8_t)kind;
    parameter->dimensions = (uint8_t)count;
    parameter->shape_place = (struct place){"x.cu", 20 + index, 1};
    contract_set_extent(contract, index);
}

static inline int setup(void **state)
{
    static struct arena arena;
    arena_init(&arena);
    *state = &arena;
    return 0;
}

static inline int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
