/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs one launch: a machine with its buffers, the kernel, then the comparison with what is wanted.
 * Buffers are filled when the kernel touches them, so their size costs nothing.
 */
#include "launch/run.h"

#include <stdlib.h>
#include <string.h>

void run_complain(struct launch_run *run, struct place place, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(run->arena, format, arguments);
    va_end(arguments);
    diagnostic_add(run->diagnostics, SEVERITY_ERROR, place, "%s", message);
}

/* ---- which kernel ------------------------------------------------------------------------------------- */

const char *launch_short_name(struct arena *arena, const char *mangled)
{
    const char *full = ptx_demangle(arena, mangled);
    const char *start = full;
    unsigned depth = 0;
    /* "void ns::scale<float>(float*, int)": without the return type, which ends at the last blank outside of <>, and without the
     * parameters. */
    for (const char *at = full; *at != '\0'; at++) {
        if (*at == '(' && depth == 0 && at != start && strncmp(at, "(anonymous", 10) != 0)
            return arena_text(arena, start, (size_t)(at - start));
        depth += (unsigned)(*at == '<' || *at == '(');
        depth -= (unsigned)((*at == '>' || *at == ')') && depth != 0);
        if (*at == ' ' && depth == 0)
            start = at + 1;
    }
    return start;
}

static void list_kernels(struct arena *arena, const struct ptx_module *module, const char *wanted,
                         struct diagnostic_list *diagnostics)
{
    struct buffer names;
    struct text_guess guess = text_guess_begin(wanted);
    uint32_t count = 0;
    buffer_init(&names, arena);
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        if (!function->is_entry)
            continue;
        const char *name = launch_short_name(arena, function->name);
        text_guess_try(&guess, name);
        if (count++ < 10)
            buffer_printf(&names, "%s`%s`", count == 1 ? "" : ", ", name);
    }
    if (guess.best != NULL)
        diagnostic_help(diagnostics, "did you mean `%s`?", guess.best);
    else if (count != 0)
        diagnostic_help(diagnostics, "the file has %s%s", names.data,
                        count > 10 ? " and more" : "");
    else
        diagnostic_help(diagnostics, "the file has no kernel at all");
}

uint32_t launch_find_kernel(struct arena *arena, const struct ptx_module *module,
                            const struct launch *launch, const char *wanted,
                            struct diagnostic_list *diagnostics)
{
    const char *name = wanted != NULL ? wanted
                       : launch->kernel.text != NULL
                           ? arena_text(arena, launch->kernel.text, launch->kernel.size)
                           : NULL;
    uint32_t found = PTX_NONE, count = 0;
    struct buffer names;
    buffer_init(&names, arena);
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        if (!function->is_entry || !function->has_body)
            continue;
        if (name != NULL && strcmp(function->name, name) == 0)
            return f; /* the exact entry */
        if (name != NULL && !ptx_name_matches(arena, function->name, name))
            continue;
        found = f;
        if (count++ < 6)
            buffer_printf(&names, "%s`%s`", count == 1 ? "" : ", ",
                          ptx_demangle(arena, function->name));
    }
    if (count == 1)
        return found;
    struct place place = launch->kernel.place;
    if (place.line == 0)
        place.file = module->name;
    if (count == 0) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, place,
                       name == NULL ? "the file has no kernel" : "no kernel is called `%s`", name);
        if (name != NULL)
            list_kernels(arena, module, name, diagnostics);
    } else {
        diagnostic_add(diagnostics, SEVERITY_ERROR, place,
                       name == NULL ? "the launch does not say which kernel"
                                    : "`%s` means %u kernels",
                       name, count);
        diagnostic_help(diagnostics, "%s one of %s%s",
                        name == NULL ? "add a line `kernel: NAME` with" : "write", names.data,
                        count > 6 ? ", ..." : "");
    }
    return PTX_NONE;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static void record_fault(struct launch_buffer *buffer, enum expression_fault fault, uint64_t at)
{
    uint64_t known = atomic_load(&buffer->fault);
    while (known == 0 || at + 1 < known)
        if (atomic_compare_exchange_weak(&buffer->fault, &known, at + 1)) {
            atomic_store(&buffer->fault_kind, fault);
            break;
        }
}

/* Writes bytes [offset, offset + size) of the initial contents; the range may begin and end inside elements. */
static void fill_buffer(void *context, uint64_t offset, void *data, uint64_t size)
{
    struct launch_buffer *buffer = context;
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    uint8_t *out = data;
    while (size != 0) {
        uint64_t element = offset / width, skip = offset % width, at;
        enum expression_fault fault;
        if (skip == 0 && size >= width) {
            uint64_t count = size / width;
            fault = expression_store(buffer->init, type, element, count, out, &at);
            size -= count * width;
            offset += count * width;
            out += count * width;
        } else {
            uint8_t bytes[8];
            uint64_t part = width - skip < size ? width - skip : size;
            fault = expression_store(buffer->init, type, element, 1, bytes, &at);
            memcpy(out, bytes + skip, part);
            size -= part;
            offset += part;
            out += part;
        }
        if (fault != FAULT_NONE)
            record_fault(buffer, fault, at);
    }
}

static bool is_zero(const struct expression *init)
{
    struct value value;
    return init == NULL || (expression_constant(init, &value) && value.as.integer == 0);
}

/* Writes elements [0, count) of the initial contents where memory is already there. */
static bool write_contents(struct launch_run *run, struct launch_buffer *buffer, uint64_t count)
{
    enum { CHUNK = 4096 };
    unsigned width = value_type_info(buffer->argument->type)->size;
    uint8_t bytes[CHUNK * 8];
    for (uint64_t done = 0; done < count;) {
        uint64_t part = count - done < CHUNK ? count - done : CHUNK;
        memset(bytes, 0, sizeof bytes);
        if (!is_zero(buffer->init))
            fill_buffer(buffer, done * width, bytes, part * width);
        if (!emu_memory_write(run->machine, buffer->address + done * width, bytes, part * width))
            return false;
        done += part;
    }
    return true;
}

static bool place_symbol(struct launch_run *run, struct launch_buffer *buffer)
{
    const struct launch_argument *argument = buffer->argument;
    const char *name = argument->name;
    uint64_t size = 0, needed = buffer->length * value_type_info(argument->type)->size;
    buffer->address = emu_program_symbol(run->program, name, &size);
    for (uint32_t v = 0; v < run->module->variables.count && buffer->address == 0; v++) {
        const struct ptx_variable *variable = &run->module->variables.data[v];
        if ((variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST) &&
            ptx_name_matches(run->arena, variable->name, name))
            buffer->address = emu_program_symbol(run->program, variable->name, &size);
    }
    if (buffer->address == 0) {
        run_complain(run, argument->place, "the module has no global or constant variable `%s`",
                     name);
        return false;
    }
    if (needed > size) {
        char wanted[28], given[28];
        run_complain(run, argument->length.place, "`%s` has %s bytes, the launch gives it %s", name,
                     text_group_digits(size, given), text_group_digits(needed, wanted));
        return false;
    }
    return (argument->init.text == NULL && argument->set.text == NULL) ||
           write_contents(run, buffer, argument->set.text != NULL ? buffer->set : buffer->length);
}

/* Does the contract say that no two threads write one element? */
static bool is_disjoint(const struct contract *contract, const char *name)
{
    for (uint32_t p = 0; contract != NULL && p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->disjoint && parameter->name != NULL && contract_is_launch_name(parameter->name, name))
            return true;
    }
    return false;
}

static bool place_buffer(struct launch_run *run, struct launch_buffer *buffer)
{
    const struct launch_argument *argument = buffer->argument;
    unsigned width = value_type_info(argument->type)->size;
    if (argument->role == ROLE_SYMBOL)
        return place_symbol(run, buffer);
    struct emu_buffer memory = {
        .name = argument->name,
        .size = buffer->length * width,
        .element_size = width,
        .is_output = argument->io == IO_OUT || argument->io == IO_INOUT,
        .initialised = buffer->initialised,
        .is_disjoint = is_disjoint(run->options->contract, argument->name),
        .fill = is_zero(buffer->init) ? NULL : fill_buffer,
        .context = buffer,
    };
    buffer->address = emu_memory_allocate(run->machine, &memory);
    if (buffer->address == 0) {
        run_complain(run, argument->place, "no address range is free for `%s`", argument->name);
        return false;
    }
    return argument->set.text == NULL || write_contents(run, buffer, buffer->set);
}

/* ---- begin and end ---------------------------------------------------------------------------------------- */

static bool prepare(struct launch_run *run)
{
    if (!run_match_parameters(run) || !run_resolve(run) || !run_check_geometry(run))
        return false;
    if (run->refused)
        return true;
    run->machine = emu_machine_create(&run->options->emu);
    if (run->machine == NULL) {
        run_complain(run, run->launch->kernel.place, "out of memory");
        return false;
    }
    run->program = emu_program_create(run->machine, run->module, run->diagnostics);
    if (run->program == NULL)
        return false;
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (!place_buffer(run, &run->buffers[i]))
            return false;
    return run_lay_out_parameters(run);
}

void run_begin(struct launch_run *run, struct arena *arena, const struct ptx_module *module,
               uint32_t function, const struct launch *launch,
               const struct launch_run_options *options, struct report_kernel *kernel,
               struct diagnostic_list *diagnostics)
{
    struct launch *copy = arena_copy(arena, launch, sizeof *launch);
    if (launch->arguments.count != 0)
        copy->arguments.data = arena_copy(arena, launch->arguments.data,
                                          launch->arguments.count * sizeof *launch->arguments.data);
    *run = (struct launch_run){
        .arena = arena,
        .module = module,
        .function = function,
        .launch = copy,
        .options = options,
        .kernel = kernel,
        .diagnostics = diagnostics,
    };
    kernel->name = module->functions.data[function].name;
    kernel->shown = launch_short_name(arena, kernel->name);
    kernel->place = options->kernel_place;
}

struct launch_run *launch_run_begin(struct arena *arena, const struct ptx_module *module,
                                    uint32_t function, const struct launch *launch,
                                    const struct launch_run_options *options,
                                    struct report_kernel *kernel,
                                    struct diagnostic_list *diagnostics)
{
    struct launch_run *run = ARENA_NEW(arena, struct launch_run);
    run_begin(run, arena, module, function, launch, options, kernel, diagnostics);
    if (prepare(run))
        return run;
    launch_run_end(run);
    return NULL;
}

void launch_run_end(struct launch_run *run)
{
    if (run->program != NULL)
        emu_program_free(run->program);
    if (run->machine != NULL)
        emu_machine_free(run->machine);
    run->program = NULL;
    run->machine = NULL;
}

/* ---- execution --------------------------------------------------------------------------------------------- */

static bool report_faults(struct launch_run *run)
{
    bool good = true;
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const struct launch_buffer *buffer = &run->buffers[i];
        uint64_t fault = atomic_load(&buffer->fault);
        if (fault == 0)
            continue;
        run_complain(run, buffer->argument->init.place, "`init` of `%s` %s at element %llu",
                     buffer->argument->name,
                     expression_fault_text((enum expression_fault)atomic_load(&buffer->fault_kind)),
                     (unsigned long long)fault - 1);
        good = false;
    }
    return good;
}

static void take_result(struct launch_run *run, const struct emu_result *result)
{
    struct report_kernel *kernel = run->kernel;
    for (uint32_t i = 0; i < result->findings.count; i++) {
        struct finding *finding = vec_push(run->arena, &kernel->findings);
        *finding = result->findings.data[i];
        finding->kernel_shown = kernel->shown;
    }
    kernel->has_run = result->status != EMU_BAD_LAUNCH;
    kernel->blocks_run = result->blocks_run;
    kernel->warp_instructions = result->warp_instructions;
    kernel->seconds = result->seconds;
    /* A launch that a finding ended is finished: the finding says why. */
    if (result->status != EMU_OK && result->status != EMU_STOPPED) {
        kernel->stopped = result->stopped != NULL ? result->stopped : "the launch did not finish";
        kernel->stopped_at = result->stopped_at;
    }
}

bool launch_run_execute(struct launch_run *run)
{
    if (run->refused)
        return true;
    const struct launch *launch = run->launch;
    struct emu_launch request = {
        .function = run->function,
        .dynamic_shared = launch->dynamic_shared,
        .parameters = run->parameters,
        .parameters_size = run->parameters_size,
        .focus = run->focus_count != 0 ? run->focus : NULL,
        .focus_count = run->focus_count,
        .parameter_names = run->parameter_names,
        .counting = run->options->counting,
    };
    for (unsigned axis = 0; axis < 3; axis++) {
        request.grid[axis] = (uint32_t)run->kernel->launch.grid[axis];
        request.block[axis] = (uint32_t)run->kernel->launch.block[axis];
    }
    struct emu_result result;
    memset(&result, 0, sizeof result);
    emu_launch_run(run->machine, run->program, &request, run->arena, &result);
    take_result(run, &result);
    if (!report_faults(run))
        return false;
    return result.status != EMU_OK || run_compare(run);
}

struct launch_buffer *launch_run_buffer(struct launch_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->buffer_count; i++)
        if (strcmp(run->buffers[i].argument->name, name) == 0)
            return &run->buffers[i];
    return NULL;
}

uint32_t launch_run_buffer_count(const struct launch_run *run)
{
    return run->buffer_count;
}

struct launch_buffer *launch_run_buffer_at(struct launch_run *run, uint32_t index)
{
    return &run->buffers[index];
}

bool launch_run_read(struct launch_run *run, const struct launch_buffer *buffer, uint64_t first,
                     uint64_t count, void *out, uint8_t *defined)
{
    enum { CHUNK = 4096 };
    unsigned width = value_type_info(buffer->argument->type)->size;
    uint64_t address = buffer->address + first * width;
    if (run->machine == NULL || first > buffer->length || count > buffer->length - first ||
        !emu_memory_read(run->machine, address, out, count * width))
        return false;
    for (uint64_t done = 0; defined != NULL && done < count; done += CHUNK) {
        uint8_t bytes[CHUNK * 8];
        uint64_t part = count - done < CHUNK ? count - done : CHUNK;
        if (!emu_memory_defined(run->machine, address + done * width, bytes, part * width))
            return false;
        for (uint64_t i = 0; i < part; i++) {
            defined[done + i] = 1;
            for (unsigned b = 0; b < width; b++)
                defined[done + i] &= bytes[i * width + b];
        }
    }
    return true;
}
