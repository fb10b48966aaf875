/* SPDX-License-Identifier: Apache-2.0
 *
 * The cpu backend: the emulator runs the same checked PTX, one machine a device.  A launch runs at once; what it did wrong is kept for the
 * next call that waits, as on a GPU.  The emulator's own checks are off unless they are asked for; what would kill a kernel on a GPU
 * (an access outside of every allocation, a misaligned one, a trap, a barrier that never ends) is a fault in any case.
 */
#include "launch/device.h"

#include "emu/emu.h"
#include "launch/launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cpu_device {
    struct emu_machine *machine;
    bool checks;
};

struct cpu_module {
    struct emu_program *program;
    uint64_t record; /* address; 0: no check stands in it */
    struct launch_fault_record copy;
};

static enum lw_status cpu_open(struct lw_device *device, const struct lw_device_options *options, struct lw_error *error)
{
    static const struct device_limits limits = {
        .grid = {CONTRACT_LIMIT_GRID_X, CONTRACT_LIMIT_GRID_YZ, CONTRACT_LIMIT_GRID_YZ},
        .block = {CONTRACT_LIMIT_BLOCK_X, CONTRACT_LIMIT_BLOCK_Y, CONTRACT_LIMIT_BLOCK_Z},
        .block_threads = CONTRACT_LIMIT_BLOCK_THREADS,
        .shared_bytes = CONTRACT_LIMIT_SHARED_BYTES,
    };
    struct emu_options emu = {.jobs = options->jobs, .no_races = !options->checks, .no_init = !options->checks};
    if (options->ordinal != 0)
        return complain(error, LW_ERROR_NO_DEVICE, "the cpu backend has device 0 only, not %u", options->ordinal);
    struct cpu_device *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL || (cpu->machine = emu_machine_create(&emu)) == NULL) {
        free(cpu);
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    }
    cpu->checks = options->checks;
    device->state = cpu;
    device->limits = limits;
    snprintf(device->name, sizeof device->name, "CPU");
    return LW_OK;
}

static void cpu_close(struct lw_device *device)
{
    struct cpu_device *cpu = device->state;
    emu_machine_free(cpu->machine);
    free(cpu);
}

static enum lw_status cpu_allocate(struct lw_device *device, uint64_t bytes, uint64_t *address, struct lw_error *error)
{
    struct cpu_device *cpu = device->state;
    struct emu_buffer buffer = {.name = "buffer", .size = bytes, .element_size = 1, .is_output = true, .initialised = !cpu->checks};
    *address = emu_memory_allocate(cpu->machine, &buffer);
    if (*address == 0)
        return complain(error, LW_ERROR_MEMORY, "no address range is free for %" PRIu64 " bytes", bytes);
    return LW_OK;
}

static void cpu_release(struct lw_device *device, uint64_t address)
{
    emu_memory_free(((struct cpu_device *)device->state)->machine, address);
}

static enum lw_status cpu_copy_in(struct lw_device *device, uint64_t address, const void *data, uint64_t bytes, struct lw_error *error)
{
    if (!emu_memory_write(((struct cpu_device *)device->state)->machine, address, data, bytes))
        return complain(error, LW_ERROR_ARGUMENT, "%" PRIu64 " bytes cannot be written there", bytes);
    return LW_OK;
}

static enum lw_status cpu_copy_out(struct lw_device *device, void *data, uint64_t address, uint64_t bytes, struct lw_error *error)
{
    if (!emu_memory_read(((struct cpu_device *)device->state)->machine, address, data, bytes))
        return complain(error, LW_ERROR_ARGUMENT, "%" PRIu64 " bytes cannot be read there", bytes);
    return LW_OK;
}

static enum lw_status cpu_open_stream(struct lw_stream *stream, struct lw_error *error)
{
    (void)stream, (void)error; /* every launch ends before the next call */
    return LW_OK;
}

static void cpu_close_stream(struct lw_stream *stream)
{
    (void)stream;
}

/* ---- modules --------------------------------------------------------------------------------------------------------------- */

static enum lw_status cpu_load(struct lw_module *module, struct lw_error *error)
{
    struct emu_machine *machine = ((struct cpu_device *)module->device->state)->machine;
    struct cpu_module *cpu = ARENA_NEW(&module->arena, struct cpu_module);
    struct diagnostic_list diagnostics;
    uint64_t size = 0;
    diagnostic_list_init(&diagnostics, &module->arena);
    cpu->program = emu_program_create(machine, module->ptx, &diagnostics);
    if (cpu->program == NULL)
        return complain_diagnostic(error, LW_ERROR_PTX, module->name, &diagnostics);
    module->state = cpu;
    uint64_t variable = emu_program_symbol(cpu->program, LAUNCH_FAULT_VARIABLE, &size);
    if (variable == 0 || size != sizeof variable)
        return LW_OK;
    struct emu_buffer buffer = {.name = "fault record", .size = sizeof cpu->copy, .element_size = 1, .initialised = true};
    cpu->record = emu_memory_allocate(machine, &buffer);
    if (cpu->record == 0 || !emu_memory_write(machine, variable, &cpu->record, sizeof cpu->record))
        return complain(error, LW_ERROR_MEMORY, "%s: no memory for its fault record", module->name);
    module->record = &cpu->copy;
    return LW_OK;
}

static void cpu_unload(struct lw_module *module)
{
    struct cpu_module *cpu = module->state;
    if (cpu == NULL)
        return;
    if (cpu->record != 0)
        emu_memory_free(((struct cpu_device *)module->device->state)->machine, cpu->record);
    emu_program_free(cpu->program);
    module->state = NULL;
}

static enum lw_status cpu_find(struct lw_kernel *kernel, struct lw_error *error)
{
    (void)kernel, (void)error;
    return LW_OK;
}

/* ---- launches ---------------------------------------------------------------------------------------------------------------- */

/* True if the finding would have ended the kernel on a GPU, or if all findings of severity error count. */
static bool is_fault(const struct finding *finding, bool checks)
{
    switch (finding_info(finding->kind)->number) {
    case 101:
    case 102:
    case 105:
    case 205:
    case 404:
        return true;
    default:
        return checks && finding->severity == SEVERITY_ERROR;
    }
}

static void report_finding(struct lw_kernel *kernel, const struct finding *finding)
{
    struct lw_device *device = kernel->module->device;
    const struct finding_thread *first = &finding->first;
    record_report_text(device, NULL, "%s: %s (LW%u), at %s:%u", kernel->shown, finding->message, finding_info(finding->kind)->number,
                       finding->place.file != NULL ? finding->place.file : kernel->module->name, finding->place.line);
    if (first->valid == 3)
        complain_more(&device->lost, ", block (%u,%u,%u), thread (%u,%u,%u)", first->block[0], first->block[1], first->block[2],
                      first->thread[0], first->thread[1], first->thread[2]);
}

/* What the launch did wrong becomes the state of the device; what it could not do is this call's error. */
static enum lw_status take_result(struct lw_kernel *kernel, const struct emu_result *result, struct lw_error *error)
{
    struct lw_module *module = kernel->module;
    struct cpu_device *cpu = module->device->state;
    struct cpu_module *state = module->state;
    if (state->record != 0 && emu_memory_read(cpu->machine, state->record, &state->copy, sizeof state->copy) &&
        state->copy.state == LAUNCH_FAULT_COMPLETE) {
        record_report(module->device, module, &state->copy, NULL);
        return LW_OK;
    }
    for (uint32_t i = 0; i < result->findings.count; i++)
        if (is_fault(&result->findings.data[i], cpu->checks)) {
            report_finding(kernel, &result->findings.data[i]);
            return LW_OK;
        }
    const char *why = result->stopped != NULL ? result->stopped : "the launch did not finish";
    switch (result->status) {
    case EMU_OK:
        return LW_OK;
    case EMU_MEMORY_LIMIT:
        return complain(error, LW_ERROR_MEMORY, "%s: %s", kernel->shown, why);
    case EMU_UNSUPPORTED:
        return complain(error, LW_ERROR_UNSUPPORTED, "%s: %s, at line %u", kernel->shown, why, result->stopped_at.line);
    case EMU_BAD_LAUNCH:
        return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: %s", kernel->shown, why);
    default:
        record_report_text(module->device, NULL, "%s: %s, at line %u", kernel->shown, why, result->stopped_at.line);
        return LW_OK;
    }
}

static enum lw_status cpu_launch(struct lw_kernel *kernel, const struct launch_numbers *numbers, uint8_t *parameters,
                                 struct lw_stream *stream, struct lw_error *error)
{
    struct cpu_device *cpu = kernel->module->device->state;
    struct cpu_module *module = kernel->module->state;
    struct emu_launch launch = {
        .function = kernel->function,
        .dynamic_shared = numbers->shared_bytes,
        .parameters = parameters,
        .parameters_size = kernel->parameters_size,
    };
    struct emu_result result;
    struct arena arena;
    jmp_buf out_of_memory;
    enum lw_status status;
    (void)stream;
    memcpy(launch.grid, numbers->grid, sizeof launch.grid);
    memcpy(launch.block, numbers->block, sizeof launch.block);
    arena_init(&arena);
    arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) == 0) {
        emu_launch_run(cpu->machine, module->program, &launch, &arena, &result);
        status = take_result(kernel, &result, error);
    } else {
        status = complain(error, LW_ERROR_MEMORY, "%s: out of memory", kernel->shown);
    }
    arena_free(&arena);
    return status;
}

static enum lw_status cpu_wait(struct lw_device *device, struct lw_stream *stream, struct lw_error *error)
{
    (void)device, (void)stream, (void)error;
    return LW_OK;
}

const struct backend backend_cpu = {
    "cpu", cpu_open, cpu_close, cpu_allocate, cpu_release, cpu_copy_in, cpu_copy_out, cpu_open_stream, cpu_close_stream, cpu_load, cpu_unload,
    cpu_find, cpu_launch, cpu_wait,
};
