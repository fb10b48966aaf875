/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes contract expressions: any text is parsed as a relation, an expression and a name; what parses is evaluated, printed and parsed again
 * from its own text, which must mean the same.
 */
#include "contract/contract.h"

#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 5 };

static struct contract *make_contract(struct arena *arena)
{
    static const struct {
        const char *name;
        enum contract_type_kind kind;
    } table[OPERANDS] = {{"n", CONTRACT_INTEGER},
                         {"m", CONTRACT_INTEGER},
                         {"a", CONTRACT_POINTER},
                         {"x", CONTRACT_FLOAT},
                         {"v.r", CONTRACT_INTEGER}};
    struct contract *contract = contract_new(arena);
    for (unsigned i = 0; i < OPERANDS; i++) {
        struct contract_parameter *parameter =
            contract_add_parameter(contract, table[i].name, table[i].kind);
        parameter->type = "int";
        parameter->position = i;
    }
    contract_add_constant(contract, "TILE", 16);
    return contract;
}

static void read_text(struct contract *contract, const char *text, size_t size)
{
    static contract_integer scalars[OPERANDS] = {7, -3, 0, 0, 1}, lengths[OPERANDS] = {0, 0, 100};
    const struct contract_values values = {scalars, lengths, {32, 2, 1}, {5, 1, 1}, true};
    const struct place place = {"fuzz", 1, 1};
    struct diagnostic_list diagnostics;
    struct contract_expression expression, again;
    struct contract_relation relation;
    contract_integer first, second;
    uint32_t index;
    diagnostic_list_init(&diagnostics, contract->arena);
    if (contract_parse_relation(contract, text, size, place, &relation, &diagnostics))
        *vec_push(contract->arena, &contract->relations) = relation;
    else if (diagnostics.errors == 0)
        abort();
    contract_parse_array(contract, text, size, place, &index, &diagnostics);
    if (!contract_parse_expression(contract, text, size, place, &expression, &diagnostics))
        return;
    const char *rendered = contract_render(contract, expression.root);
    if (strlen(rendered) > 4000)
        return;
    if (!contract_parse_expression(contract, rendered, strlen(rendered), place, &again,
                                   &diagnostics))
        abort();
    enum contract_fault fault =
        contract_evaluate_expression(contract, &expression, &values, &first);
    if (contract_evaluate_expression(contract, &again, &values, &second) != fault ||
        (fault == CONTRACT_FINE && first != second))
        abort();
}

static void use(struct contract *contract)
{
    contract_integer scalars[OPERANDS] = {1, 2, 0, 0, 3}, lengths[OPERANDS] = {0};
    const struct contract_values values = {scalars, lengths, {32, 2, 1}, {5, 1, 1}, true};
    contract_violations violations = {0};
    struct buffer out;
    const char *difference;
    buffer_init(&out, contract->arena);
    contract_evaluate(contract, contract->arena, &values, &violations);
    contract_print(contract, &out);
    if (!contract_agrees(contract, contract, &difference))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    struct contract *contract = make_contract(&arena);
    contract->scope = size % 2 != 0 ? "v." : NULL;
    read_text(contract, (const char *)data, size);
    use(contract);
    arena_free(&arena);
    return 0;
}
