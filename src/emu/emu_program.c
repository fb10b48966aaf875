/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs: a module's variables get memory and addresses; functions are decoded when a launch needs them.
 */
#include "emu/emu_decode.h"

#include <stdlib.h>

static void variable_error(struct emu_program *program, const struct ptx_variable *variable, const char *what)
{
    diagnostic_add(program->diagnostics, SEVERITY_ERROR,
                   (struct place){program->module->name, variable->line, 0}, "variable `%s` %s", variable->name, what);
}

/* Shared variables: each has its own segment of the address space, so that leaving one never lands in another. */
static void place_shared(struct emu_program *program)
{
    const struct ptx_module *module = program->module;
    uint32_t dynamic = TEXT_MAP_NONE;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const struct ptx_variable *variable = &module->variables.data[i];
        program->shared_index[i] = TEXT_MAP_NONE;
        if (variable->space != PTX_SPACE_SHARED)
            continue;
        bool is_dynamic = variable->unsized || (variable->linkage == PTX_LINKAGE_EXTERN && variable->size == 0);
        if (is_dynamic && dynamic != TEXT_MAP_NONE) {
            program->shared_index[i] = dynamic; /* all extern arrays are one object */
            continue;
        }
        uint32_t index = program->shared.count;
        if (index >= 4000 || variable->size >= EMU_SEGMENT_MIDDLE) {
            variable_error(program, variable, "does not fit into shared memory");
            return;
        }
        *vec_push(&program->arena, &program->shared) = (struct emu_shared){
            .variable = i, .segment = index + 1, .size = is_dynamic ? 0 : variable->size, .dynamic = is_dynamic};
        program->shared_index[i] = index;
        if (is_dynamic)
            dynamic = index;
    }
}

static void place_globals(struct emu_program *program)
{
    const struct ptx_module *module = program->module;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const struct ptx_variable *variable = &module->variables.data[i];
        if (variable->space != PTX_SPACE_GLOBAL && variable->space != PTX_SPACE_CONST)
            continue;
        /* Statically allocated memory starts as zeros (PTX ISA, "Initializers"). */
        struct emu_buffer buffer = {.name = program->shown[i],
                                    .size = variable->size,
                                    .element_size = ptx_type_size(variable->type) * (variable->vector > 1 ? variable->vector : 1),
                                    .initialised = true,
                                    .is_output = true,
                                    .read_only = variable->space == PTX_SPACE_CONST};
        program->variables[i] = emu_region_create(
            program->machine, &buffer, variable->space == PTX_SPACE_CONST ? EMU_REGION_CONST : EMU_REGION_GLOBAL);
        if (program->variables[i] == NULL)
            variable_error(program, variable, "does not fit into memory");
    }
}

/* `tile` of `flip(float*)::tile`: a variable inside a function is known by its own name. */
static void name_variables(struct emu_program *program)
{
    const struct ptx_module *module = program->module;
    program->shown = ARENA_ARRAY(&program->arena, const char *, module->variables.count + 1);
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const char *name = module->variables.data[i].name;
        const char *shown = ptx_demangle(&program->arena, name);
        if (text_starts_with(name, "_ZZ"))
            for (const char *at = strstr(shown, "::"); at != NULL; at = strstr(at, "::"))
                shown = at += 2;
        program->shown[i] = shown;
    }
}

static bool symbol_value(const struct emu_program *program, const char *name, uint64_t *value)
{
    uint32_t function = ptx_find_function(program->module, name);
    if (function != PTX_NONE) {
        *value = EMU_WINDOW_FUNCTION + function + 1;
        return true;
    }
    for (uint32_t i = 0; i < program->module->variables.count; i++) {
        const struct ptx_variable *variable = &program->module->variables.data[i];
        if (program->variables[i] != NULL && strcmp(variable->name, name) == 0) {
            *value = program->variables[i]->base;
            return true;
        }
    }
    return false;
}

static void initialise_globals(struct emu_program *program)
{
    for (uint32_t i = 0; i < program->module->variables.count; i++) {
        const struct ptx_variable *variable = &program->module->variables.data[i];
        struct emu_region *region = program->variables[i];
        if (region == NULL || variable->data == NULL)
            continue;
        if (!emu_memory_write(program->machine, region->base, variable->data, variable->size)) {
            variable_error(program, variable, "does not fit into memory");
            continue;
        }
        for (uint32_t k = 0; k < variable->relocations.count; k++) {
            const struct ptx_relocation *relocation = &variable->relocations.data[k];
            uint64_t value;
            if (!symbol_value(program, relocation->symbol, &value)) {
                variable_error(program, variable, "is initialised with the address of an unknown symbol");
                continue;
            }
            value += (uint64_t)relocation->addend;
            emu_memory_write(program->machine, region->base + relocation->offset, &value,
                             relocation->size > 8 ? 8 : relocation->size);
        }
    }
}

static void program_fill(struct emu_program *program)
{
    const struct ptx_module *module = program->module;
    uint32_t errors = program->diagnostics->errors;
    program->functions = ARENA_ARRAY(&program->arena, struct emu_function, module->functions.count + 1);
    program->variables = ARENA_ARRAY(&program->arena, struct emu_region *, module->variables.count + 1);
    program->param_offset = ARENA_ARRAY(&program->arena, uint32_t, module->variables.count + 1);
    program->shared_index = ARENA_ARRAY(&program->arena, uint32_t, module->variables.count + 1);
    text_map_init(&program->constants, &program->arena);
    vec_push(&program->arena, &program->sites); /* number 0: unknown */
    name_variables(program);
    place_shared(program);
    place_globals(program);
    if (program->diagnostics->errors == errors)
        initialise_globals(program);
}

/* False when memory ran out. */
static bool program_prepare(struct emu_program *program)
{
    jmp_buf out_of_memory;
    volatile bool ok = false;
    program->arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) == 0) {
        program_fill(program);
        ok = true;
    }
    return ok;
}

struct emu_program *emu_program_create(struct emu_machine *machine, const struct ptx_module *module,
                                       struct diagnostic_list *diagnostics)
{
    struct emu_program *program = arena_injected_failure() ? NULL : calloc(1, sizeof *program);
    if (program == NULL)
        return NULL;
    program->machine = machine;
    program->module = module;
    program->diagnostics = diagnostics;
    uint32_t errors = diagnostics->errors;
    bool ok = program_prepare(program);
    program->arena.handler = NULL;
    if (!ok || diagnostics->errors != errors) {
        emu_program_free(program);
        return NULL;
    }
    return program;
}

void emu_program_free(struct emu_program *program)
{
    if (program == NULL)
        return;
    for (uint32_t i = 0; program->variables != NULL && i < program->module->variables.count; i++)
        if (program->variables[i] != NULL)
            emu_memory_free(program->machine, program->variables[i]->base);
    free(program->pool_aligned);
    arena_free(&program->arena);
    free(program);
}

uint64_t emu_program_symbol(struct emu_program *program, const char *name, uint64_t *size)
{
    for (uint32_t i = 0; i < program->module->variables.count; i++) {
        if (program->variables[i] != NULL && strcmp(program->module->variables.data[i].name, name) == 0) {
            if (size != NULL)
                *size = program->variables[i]->size;
            return program->variables[i]->base;
        }
    }
    return 0;
}

/* ---- coverage -------------------------------------------------------------------------------- */

static void coverage_name(const struct ptx_instruction *instruction, const struct ptx_module *module,
                          struct arena *arena, struct text_map *seen, struct buffer *unknown)
{
    struct buffer name;
    buffer_init(&name, arena);
    if (instruction->op == PTX_OP_OPAQUE) {
        size_t size = instruction->text_size < 40 ? instruction->text_size : 40;
        buffer_add(&name, module->text + instruction->text_offset, size);
    } else {
        buffer_puts(&name, ptx_op_info(instruction->op)->name);
        for (unsigned i = 0; i < instruction->mod_count; i++)
            buffer_printf(&name, ".%s", ptx_mod_text(instruction->mods[i]));
    }
    if (text_map_find(seen, name.data, name.size) != TEXT_MAP_NONE)
        return;
    text_map_set(seen, name.data, name.size, 0);
    buffer_printf(unknown, "%s\n", name.data);
}

struct coverage {
    uint64_t executable, all;
    struct text_map seen;
    struct buffer *unknown;
};

static void cover_function(struct emu_program *program, uint32_t index, struct arena *scratch, struct coverage *coverage)
{
    if (!program->module->functions.data[index].has_body || !emu_decode_function(program, index))
        return;
    const struct emu_function *function = &program->functions[index];
    for (uint32_t i = 0; i < function->code_count; i++) {
        const struct emu_op *op = &function->code[i];
        if (op->kind != EMU_KIND_LANES && op->kind != EMU_KIND_CORE)
            continue;
        coverage->all++;
        if (op->run != emu_run_unsupported)
            coverage->executable++;
        else if (coverage->unknown != NULL)
            coverage_name(op->source, program->module, scratch, &coverage->seen, coverage->unknown);
    }
}

static void cover_program(struct emu_program *program, struct arena *scratch, struct coverage *coverage)
{
    jmp_buf out_of_memory;
    program->arena.handler = scratch->handler = &out_of_memory;
    text_map_init(&coverage->seen, scratch);
    if (setjmp(out_of_memory) == 0)
        for (uint32_t f = 0; f < program->module->functions.count; f++)
            cover_function(program, f, scratch, coverage);
    program->arena.handler = scratch->handler = NULL;
}

void emu_program_coverage(const struct ptx_module *module, uint64_t *executable, uint64_t *all, struct buffer *unknown)
{
    struct arena scratch;
    struct diagnostic_list ignored;
    struct emu_options options = {.jobs = 1};
    struct coverage coverage = {.unknown = unknown};
    arena_init(&scratch);
    diagnostic_list_init(&ignored, &scratch);
    struct emu_machine *machine = emu_machine_create(&options);
    struct emu_program *program = machine == NULL ? NULL : emu_program_create(machine, module, &ignored);
    if (program != NULL)
        cover_program(program, &scratch, &coverage);
    emu_program_free(program);
    emu_machine_free(machine);
    arena_free(&scratch);
    *executable = coverage.executable;
    *all = coverage.all;
}
