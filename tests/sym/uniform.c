/* SPDX-License-Identifier: Apache-2.0
 *
 * uniform FILE.cu COMPILER: each guard of an instruction, named by the line of its comparison, against the words `// class: ...` there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/source.h"
#include "sym/sym.h"

static const char *wanted_at(struct arena *arena, const char *text, uint32_t line)
{
    for (uint32_t at = 1; at < line && text != NULL; at++) {
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
    if (text == NULL)
        return NULL;
    size_t size = strcspn(text, "\n");
    const char *copy = arena_printf(arena, "%.*s", (int)size, text), *word = strstr(copy, "// class: ");
    return word == NULL ? NULL : word + strlen("// class: ");
}

static struct sym_kernel *analyse(struct arena *arena, const char *path, bool nvcc, struct source_unit *unit,
                                  struct diagnostic_list *diagnostics)
{
    struct source_options options = {.data = source_find_data(arena), .compiler = nvcc ? COMPILER_NVCC : COMPILER_CLANG};
    struct contract_list list = {0};
    const struct contract *contract = NULL;
    if (!source_load(arena, path, unit, diagnostics) || !source_compile(arena, unit, &options, diagnostics))
        return NULL;
    struct ptx_module *module = ptx_parse(arena, "test.ptx", unit->ptx, unit->ptx_size, diagnostics);
    uint32_t function = 0;
    while (function < module->functions.count && !module->functions.data[function].is_entry)
        function++;
    if (!source_read_contracts(arena, unit, &options, &list, diagnostics) ||
        !source_match_contract(arena, &list, module, function, &contract, diagnostics) || contract == NULL)
        return NULL;
    struct ir_options ir_options = {0};
    struct ir_function *ir = ir_function_build(arena, module, function, &ir_options, diagnostics);
    struct sym *sym = ARENA_NEW(arena, struct sym);
    struct sym_limits limits = {0};
    sym_init(sym, arena);
    return sym_kernel_build(sym, ir, sym_environment_build(sym, module, function, contract), &limits);
}

/* The instruction that compares: through `not` and the like. */
static uint32_t comparison_of(const struct ir_function *ir, uint32_t value)
{
    for (int step = 0; step < 8 && ir->values[value].kind == IR_VALUE_RESULT; step++) {
        const struct ir_instruction *instruction = &ir->instructions[ir->values[value].index];
        if (instruction->op == PTX_OP_setp || instruction->operand_count == 0)
            return ir->values[value].index;
        value = ir_operands(ir, instruction)[0];
    }
    return IR_NONE;
}

static int compare(struct arena *arena, int argc, char **argv)
{
    struct diagnostic_list diagnostics;
    struct source_unit unit = {0};
    int wrong = 0, seen = 0;
    diagnostic_list_init(&diagnostics, arena);
    struct sym_kernel *kernel = argc < 3 ? NULL : analyse(arena, argv[1], strcmp(argv[2], "nvcc") == 0, &unit, &diagnostics);
    for (uint32_t i = 0; i < diagnostics.items.count; i++)
        fprintf(stderr, "%u: %s\n", diagnostics.items.data[i].place.line, diagnostics.items.data[i].message);
    if (kernel == NULL)
        return 2;
    struct sym_uniform *by_scope[SYM_SCOPE_COUNT];
    for (int scope = 0; scope < SYM_SCOPE_COUNT; scope++)
        by_scope[scope] = sym_uniform_build(kernel, (enum sym_scope)scope, NULL);
    for (uint32_t i = 0; i < kernel->ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &kernel->ir->instructions[i];
        uint32_t comparison = instruction->guard == IR_NONE ? IR_NONE : comparison_of(kernel->ir, instruction->guard);
        const char *wanted = comparison == IR_NONE ? NULL : wanted_at(arena, unit.text, ir_place(kernel->ir, comparison).line);
        if (wanted == NULL)
            continue;
        const char *found = sym_class_name(sym_classify(by_scope, instruction->guard, instruction->block));
        seen++;
        wrong += strcmp(found, wanted) != 0;
        if (strcmp(found, wanted) != 0)
            printf("line %u: %s, expected %s\n", ir_place(kernel->ir, comparison).line, found, wanted);
    }
    printf("%d guards, %d wrong\n", seen, wrong);
    sym_end(kernel->sym);
    return wrong != 0 || seen < 8;
}

int main(int argc, char **argv)
{
    struct arena arena;
    jmp_buf handler;
    arena_init(&arena);
    if (setjmp(handler))
        return 3;
    arena.handler = &handler;
    int status = compare(&arena, argc, argv);
    arena_free(&arena);
    return status;
}
