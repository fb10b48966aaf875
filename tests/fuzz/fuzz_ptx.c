/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer on the PTX front end: any bytes parse to a module or to diagnostics; a module without errors survives printing,
 * names only registers, labels and locations that exist, and its names demangle to something.
 */
#include "equal.h"

#include <setjmp.h>
#include <stdlib.h>

static void check_register(void *context, uint32_t id, bool is_definition)
{
    const struct ptx_function *function = context;
    (void)is_definition;
    if (id >= function->registers.count)
        abort();
}

static void check_operand(const struct ptx_module *module, const struct ptx_function *function,
                          const struct ptx_operand *operand)
{
    if (operand->text == NULL)
        abort();
    if (operand->kind == PTX_OPERAND_LABEL && operand->id > function->instructions.count)
        abort();
    if (operand->variable != PTX_NONE && operand->variable >= module->variables.count)
        abort();
    if (operand->callee != PTX_NONE && operand->callee >= module->functions.count)
        abort();
    for (uint32_t i = 0; i < operand->count; i++)
        check_operand(module, function, &operand->elements[i]);
}

static void check_function(const struct ptx_module *module, struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->instructions.count; i++) {
        const struct ptx_instruction *instruction = &function->instructions.data[i];
        if (instruction->location >= module->locations.count)
            abort();
        if (ptx_user_location(module, instruction->location) == NULL)
            abort();
        ptx_visit_registers(instruction, check_register, function);
        for (unsigned k = 0; k < instruction->operand_count; k++)
            check_operand(module, function, &instruction->operands[k]);
    }
    if (ptx_demangle(module->arena, function->name) == NULL)
        abort();
}

static void parse_and_check(struct arena *arena, const char *text, size_t size)
{
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, arena);
    struct ptx_module *module = ptx_parse(arena, "fuzz", text, size, &diagnostics);
    if (module == NULL)
        abort();
    if (diagnostics.errors != 0)
        return;
    for (uint32_t i = 0; i < module->functions.count; i++)
        check_function(module, &module->functions.data[i]);
    const char *failure = roundtrip_fails(arena, module);
    if (failure != NULL) {
        fprintf(stderr, "round trip: %s\n", failure);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    jmp_buf out_of_memory;
    arena_init(&arena);
    if (setjmp(out_of_memory) == 0) {
        arena.handler = &out_of_memory;
        parse_and_check(&arena, (const char *)data, size);
    }
    arena_free(&arena);
    return 0;
}
