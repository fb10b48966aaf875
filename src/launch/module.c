/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules: the PTX is parsed (for the layout of parameters, shared memory and limits of each kernel), given to the backend, and its
 * contracts are read.  Everything that a launch needs is found here, so that a launch asks for no memory.
 */
#include "launch/device.h"

#include "launch/launch.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------------------------------------- */

/* Shared variables of the kernel and of the module; those of functions that it calls are counted by the driver. */
static uint64_t count_shared(const struct ptx_module *ptx, uint32_t function)
{
    uint64_t bytes = 0;
    for (uint32_t v = 0; v < ptx->variables.count; v++) {
        const struct ptx_variable *variable = &ptx->variables.data[v];
        if (variable->space == PTX_SPACE_SHARED && (variable->function == function || variable->function == PTX_NONE))
            bytes += variable->size;
    }
    return bytes < UINT32_MAX ? bytes : UINT32_MAX;
}

static uint32_t count_threads(const struct ptx_function *function, uint32_t limit)
{
    uint64_t threads = (uint64_t)function->max_threads[0] * (function->max_threads[1] != 0 ? function->max_threads[1] : 1) *
                       (function->max_threads[2] != 0 ? function->max_threads[2] : 1);
    return threads == 0 || threads > limit ? limit : (uint32_t)threads;
}

static void lay_out(struct lw_module *module, struct lw_kernel *kernel)
{
    const struct ptx_function *function = &module->ptx->functions.data[kernel->function];
    uint32_t count = function->parameters.count;
    kernel->parameter_count = count;
    kernel->offsets = ARENA_ARRAY(&module->arena, uint32_t, count + 1);
    kernel->sizes = ARENA_ARRAY(&module->arena, uint32_t, count + 1);
    for (uint32_t p = 0; p < count; p++) {
        const struct ptx_variable *variable = &module->ptx->variables.data[function->parameters.data[p]];
        kernel->offsets[p] = emu_parameter_offset(module->ptx, kernel->function, p, &kernel->parameters_size);
        kernel->sizes[p] = (uint32_t)variable->size;
    }
}

/* Everything that the table of the launcher says lies inside the parameters of the PTX. */
static bool fits_table(const struct lw_kernel *kernel)
{
    const struct lw_kernel_text *text = kernel->text;
    for (uint32_t i = 0; i < text->parameter_count; i++) {
        const struct lw_parameter_text *parameter = &text->parameters[i];
        if (parameter->position >= kernel->parameter_count ||
            (uint64_t)parameter->offset + parameter->size > kernel->sizes[parameter->position] ||
            (parameter->kind != LW_PARAMETER_OTHER && parameter->size > 8) ||
            (parameter->whole != LW_NO_PARAMETER && parameter->whole >= text->parameter_count))
            return false;
        for (uint32_t k = 0; k < parameter->may_alias_count; k++)
            if (parameter->may_alias[k] >= text->parameter_count)
                return false;
    }
    return true;
}

static enum lw_status set_up_kernel(struct lw_module *module, struct lw_kernel *kernel, struct lw_error *error)
{
    const struct ptx_function *function = &module->ptx->functions.data[kernel->function];
    kernel->module = module;
    kernel->max_threads = count_threads(function, module->device->limits.block_threads);
    kernel->static_shared = (uint32_t)count_shared(module->ptx, kernel->function);
    lay_out(module, kernel);
    if (kernel->text == NULL) {
        kernel->shown = launch_short_name(&module->arena, function->name);
        return module->device->backend->find(kernel, error);
    }
    uint32_t count = kernel->text->parameter_count;
    kernel->shown = kernel->text->shown;
    kernel->scalars = ARENA_ARRAY(&module->arena, contract_integer, count + 1);
    kernel->lengths = ARENA_ARRAY(&module->arena, contract_integer, count + 1);
    kernel->needed = ARENA_ARRAY(&module->arena, uint64_t, count + 1);
    if (!fits_table(kernel))
        return complain(error, LW_ERROR_ARGUMENT, "%s: its launcher does not fit its PTX", kernel->shown);
    kernel->contract = module_read_contract(module, kernel->text, error);
    if (kernel->contract == NULL)
        return LW_ERROR_ARGUMENT;
    return module->device->backend->find(kernel, error);
}

/* A part of a kernel: its parameters and one more. */
static enum lw_status set_up_part(struct lw_kernel *kernel, const char *entry, struct lw_kernel **part, struct lw_error *error)
{
    struct lw_module *module = kernel->module;
    struct lw_kernel *made = ARENA_NEW(&module->arena, struct lw_kernel);
    made->function = ptx_find_function(module->ptx, entry);
    if (made->function == PTX_NONE || !module->ptx->functions.data[made->function].is_entry)
        return complain(error, LW_ERROR_NO_KERNEL, "%s: the PTX has no kernel `%s`", module->name, entry);
    enum lw_status status = set_up_kernel(module, made, error);
    made->shown = kernel->shown;
    if (status == LW_OK && (made->parameter_count != kernel->parameter_count + 1 || made->sizes[kernel->parameter_count] != SPLIT_BYTES))
        return complain(error, LW_ERROR_ARGUMENT, "%s: its launcher does not fit its PTX", kernel->shown);
    *part = made;
    return status;
}

static enum lw_status set_up_kernels(struct lw_module *module, struct lw_error *error)
{
    const struct ptx_module *ptx = module->ptx;
    const struct lw_module_source *source = module->source;
    enum lw_status status = LW_OK;
    module->kernels = ARENA_ARRAY(&module->arena, struct lw_kernel, (source != NULL ? source->kernel_count : ptx->functions.count) + 1);
    for (uint32_t k = 0; source != NULL && k < source->kernel_count && status == LW_OK; k++) {
        struct lw_kernel *kernel = &module->kernels[module->kernel_count++];
        kernel->text = &source->kernels[k];
        kernel->function = ptx_find_function(ptx, kernel->text->entry);
        if (kernel->function == PTX_NONE || !ptx->functions.data[kernel->function].is_entry)
            return complain(error, LW_ERROR_NO_KERNEL, "%s: the PTX has no kernel `%s`", module->name, kernel->text->entry);
        status = set_up_kernel(module, kernel, error);
        const struct lw_split_text *split = kernel->text->split;
        if (status == LW_OK && split != NULL)
            status = set_up_part(kernel, split->bulk, &kernel->bulk, error);
        if (status == LW_OK && split != NULL)
            status = set_up_part(kernel, split->tail, &kernel->tail, error);
    }
    for (uint32_t f = 0; source == NULL && f < ptx->functions.count && status == LW_OK; f++)
        if (ptx->functions.data[f].is_entry && ptx->functions.data[f].has_body) {
            struct lw_kernel *kernel = &module->kernels[module->kernel_count++];
            kernel->function = f;
            status = set_up_kernel(module, kernel, error);
        }
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------------------------------- */

static enum lw_status fill_module(struct lw_module *module, const char *text, struct lw_error *error)
{
    struct diagnostic_list diagnostics;
    jmp_buf out_of_memory;
    enum lw_status status;
    module->arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0)
        return complain(error, LW_ERROR_MEMORY, "%s: out of memory", module->source != NULL ? module->source->name : "module");
    diagnostic_list_init(&diagnostics, &module->arena);
    module->name = arena_string(&module->arena, module->source != NULL ? module->source->name : module->name);
    module->ptx = ptx_parse(&module->arena, module->name, text, strlen(text), &diagnostics);
    if (diagnostics.errors != 0)
        status = complain_diagnostic(error, LW_ERROR_PTX, module->name, &diagnostics);
    else
        status = module->device->backend->load(module, error);
    if (status == LW_OK)
        status = set_up_kernels(module, error);
    module->arena.handler = NULL;
    return status;
}

static enum lw_status load(struct lw_device *device, const struct lw_module_source *source, const char *name, const char *text,
                           struct lw_module **loaded, struct lw_error *error)
{
    *loaded = NULL;
    if (device_is_lost(device, error))
        return device->lost.status;
    struct lw_module *module = calloc(1, sizeof *module);
    if (module == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    arena_init(&module->arena);
    module->device = device;
    module->source = source;
    module->name = name;
    module->next = device->modules;
    device->modules = module;
    enum lw_status status = fill_module(module, text, error);
    if (status != LW_OK)
        lw_module_unload(module);
    else
        *loaded = module;
    return status;
}

enum lw_status lw_module_load(struct lw_device *device, const struct lw_module_source *source, struct lw_module **module,
                              struct lw_error *error)
{
    *module = NULL;
    if (source == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_module_load: there is nothing to load");
    if (source->version != LW_LAUNCHER_VERSION)
        return complain(error, LW_ERROR_ARGUMENT, "the launcher has version %u, this library reads version %u: build the kernels again",
                        source->version, LW_LAUNCHER_VERSION);
    return load(device, source, source->name, source->ptx, module, error);
}

enum lw_status lw_module_load_text(struct lw_device *device, const char *name, const char *ptx, struct lw_module **module,
                                   struct lw_error *error)
{
    *module = NULL;
    if (ptx == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_module_load_text: there is no PTX");
    return load(device, NULL, name != NULL ? name : "module", ptx, module, error);
}

void lw_module_unload(struct lw_module *module)
{
    if (module == NULL)
        return;
    struct lw_device *device = module->device;
    for (struct lw_prepared *prepared = device->prepared, *next; prepared != NULL; prepared = next) {
        next = prepared->next;
        if (prepared->kernel->module == module)
            lw_prepared_free(prepared);
    }
    for (struct lw_module **at = &device->modules; *at != NULL; at = &(*at)->next)
        if (*at == module) {
            *at = module->next;
            break;
        }
    device->backend->unload(module);
    arena_free(&module->arena);
    free(module);
}

void lw_module_scan_values(struct lw_module *module, bool scan)
{
    module->scans_values = scan;
}

static void list_kernels(const struct lw_module *module, struct lw_error *error)
{
    for (uint32_t k = 0; k < module->kernel_count && k < 10; k++)
        complain_more(error, "%s`%s`", k == 0 ? "; it has " : ", ", module->kernels[k].shown);
}

enum lw_status lw_module_find(struct lw_module *module, const char *name, struct lw_kernel **kernel, struct lw_error *error)
{
    jmp_buf out_of_memory;
    volatile uint32_t found = 0;
    *kernel = NULL;
    if (name == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_module_find: there is no name");
    module->arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    for (uint32_t k = 0; k < module->kernel_count; k++) {
        const char *entry = module->ptx->functions.data[module->kernels[k].function].name;
        if (strcmp(entry, name) == 0) {
            found = 1;
            *kernel = &module->kernels[k];
            break;
        }
        if (ptx_name_matches(&module->arena, entry, name)) {
            found = found + 1;
            *kernel = &module->kernels[k];
        }
    }
    module->arena.handler = NULL;
    if (found == 1)
        return LW_OK;
    *kernel = NULL;
    if (found != 0)
        return complain(error, LW_ERROR_NO_KERNEL, "%s: `%.200s` means %u kernels", module->name, name, found);
    complain(error, LW_ERROR_NO_KERNEL, "%s: there is no kernel `%.200s`", module->name, name);
    list_kernels(module, error);
    return LW_ERROR_NO_KERNEL;
}

void *lw_kernel_handle(const struct lw_kernel *kernel)
{
    return kernel->handle;
}
