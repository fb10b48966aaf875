/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch asked for by a generated launcher: its contract is evaluated, its arrays are looked at, its geometry is formed, and then it runs
 * or is kept.  No memory is asked for on the way of a launch that is right; only the text of a refusal uses an arena, which dies with it.
 */
#include "launch/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETER_BYTES = 4352 }; /* of a launch on the stack; larger parameter blocks come from the heap */

static const uint64_t array_bytes_limit = (uint64_t)1 << 47;

/* ---- reading the arguments --------------------------------------------------------------------------------------------------- */

/* The bytes of a parameter as they will lie in the parameter block, in the low bytes of a number. */
static uint64_t parameter_bits(const struct lw_kernel_text *text, uint32_t index, const struct lw_argument *arguments)
{
    const struct lw_parameter_text *parameter = &text->parameters[index];
    uint64_t bits = 0;
    if (parameter->whole == LW_NO_PARAMETER)
        return arguments[index].bits;
    const struct lw_parameter_text *whole = &text->parameters[parameter->whole];
    memcpy(&bits, (const uint8_t *)(uintptr_t)arguments[parameter->whole].bits + (parameter->offset - whole->offset), parameter->size);
    return bits;
}

static contract_integer integer_value(const struct lw_parameter_text *parameter, uint64_t bits)
{
    unsigned unused = 64 - 8 * parameter->size;
    if (parameter->size == 0 || parameter->size > 8)
        return 0;
    if (parameter->is_signed)
        return (int64_t)(bits << unused) >> unused;
    return bits << unused >> unused;
}

static bool read_arguments(const struct lw_kernel *kernel, const struct lw_argument *arguments, struct lw_error *error)
{
    const struct lw_kernel_text *text = kernel->text;
    for (uint32_t i = 0; i < text->parameter_count; i++) {
        const struct lw_parameter_text *parameter = &text->parameters[i];
        kernel->scalars[i] = kernel->lengths[i] = 0;
        if (parameter->kind == LW_PARAMETER_OTHER) {
            if (arguments[i].bits == 0 && parameter->whole == LW_NO_PARAMETER && parameter->size != 0) {
                bool has_fields = i + 1 < text->parameter_count && text->parameters[i + 1].position == parameter->position &&
                                  text->parameters[i + 1].whole == LW_NO_PARAMETER;
                if (!has_fields) {
                    complain(error, LW_ERROR_ARGUMENT, "%s: the bytes of %s are missing", kernel->shown, parameter->name);
                    return false;
                }
            }
            continue;
        }
        if (parameter->kind == LW_PARAMETER_INTEGER)
            kernel->scalars[i] = integer_value(parameter, parameter_bits(text, i, arguments));
        else if (parameter->kind == LW_PARAMETER_POINTER)
            kernel->lengths[i] = arguments[i].length;
    }
    return true;
}

static void write_parameters(const struct lw_kernel *kernel, const struct lw_argument *arguments, uint8_t *block)
{
    const struct lw_kernel_text *text = kernel->text;
    memset(block, 0, kernel->parameters_size);
    for (uint32_t i = 0; i < text->parameter_count; i++) {
        const struct lw_parameter_text *parameter = &text->parameters[i];
        uint8_t *at = block + kernel->offsets[parameter->position] + parameter->offset;
        if (parameter->whole != LW_NO_PARAMETER)
            continue; /* it comes with the whole struct */
        if (parameter->kind != LW_PARAMETER_OTHER)
            memcpy(at, &arguments[i].bits, parameter->size);
        else if (arguments[i].bits != 0)
            memcpy(at, (const void *)(uintptr_t)arguments[i].bits, parameter->size);
    }
}

/* ---- geometry ------------------------------------------------------------------------------------------------------------------ */

static void begin_values(const struct lw_kernel *kernel, const struct lw_request *request, struct contract_values *values)
{
    *values = (struct contract_values){.scalars = kernel->scalars, .lengths = kernel->lengths, .block = {1, 1, 1}};
    if (request->block != NULL) {
        values->block[0] = request->block->x;
        values->block[1] = request->block->y;
        values->block[2] = request->block->z;
    } else {
        contract_block(kernel->contract, values);
    }
    if (request->grid != NULL) {
        values->has_grid = true;
        values->grid[0] = request->grid->x;
        values->grid[1] = request->grid->y;
        values->grid[2] = request->grid->z;
    }
}

/* Numbers of a launch: they fit, or the launch is refused. */
static enum lw_status form_numbers(const struct lw_kernel *kernel, const struct lw_request *request, struct contract_values values,
                                   struct launch_numbers *numbers, struct lw_error *error)
{
    const struct contract *contract = kernel->contract;
    contract_integer shared = request->shared_bytes != NULL ? (contract_integer)*request->shared_bytes : 0;
    memset(numbers, 0, sizeof *numbers);
    if (!contract_geometry(contract, &values, &numbers->no_work) ||
        (contract_is_given(&contract->shared_bytes) &&
         contract_evaluate_expression(contract, &contract->shared_bytes, &values, &shared) != CONTRACT_FINE))
        return complain(error, LW_ERROR_CONTRACT, "%s: its geometry cannot be formed from these arguments", kernel->shown);
    if (!values.has_grid)
        return complain(error, LW_ERROR_ARGUMENT, "%s: the launch gives no grid", kernel->shown);
    if (numbers->no_work)
        return LW_OK;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (values.grid[axis] < 1 || values.grid[axis] > UINT32_MAX || values.block[axis] < 1 || values.block[axis] > UINT32_MAX)
            return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: grid or block has an axis that no device allows", kernel->shown);
        numbers->grid[axis] = (uint32_t)values.grid[axis];
        numbers->block[axis] = (uint32_t)values.block[axis];
    }
    if (shared < 0 || shared > UINT32_MAX)
        return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: no device has so much shared memory", kernel->shown);
    numbers->shared_bytes = (uint32_t)shared;
    return numbers_fit(kernel, numbers, error);
}

/* ---- arrays ---------------------------------------------------------------------------------------------------------------------- */

struct inspection {
    const struct lw_kernel *kernel;
    const struct lw_argument *arguments;
    struct lw_error *error;
    enum lw_status status;
};

static void LW_PRINTF(3, 4) refuse(struct inspection *inspection, enum lw_status status, const char *format, ...)
{
    char text[512];
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    if (inspection->status == LW_OK)
        complain(inspection->error, status, "%s: %s", inspection->kernel->shown, text);
    else
        complain_more(inspection->error, "\n%s: %s", inspection->kernel->shown, text);
    if (inspection->status == LW_OK)
        inspection->status = status;
}

static uint64_t element_bytes(const struct lw_parameter_text *parameter)
{
    return parameter->element_size != 0 ? parameter->element_size : 1;
}

/* One array: it exists, lies in the address space, is aligned. */
static void inspect_array(struct inspection *inspection, uint32_t index, const struct contract_values *values)
{
    const struct lw_kernel *kernel = inspection->kernel;
    const struct lw_parameter_text *parameter = &kernel->text->parameters[index];
    uint64_t address = parameter_bits(kernel->text, index, inspection->arguments), length = inspection->arguments[index].length;
    contract_integer extent;
    bool has_shape = contract_extent(kernel->contract, index, values, &extent) && extent >= 0;
    uint64_t needed = has_shape && (contract_integer)length > extent ? (uint64_t)extent : length;
    kernel->needed[index] = needed;
    if (length > array_bytes_limit / element_bytes(parameter)) {
        refuse(inspection, LW_ERROR_CONTRACT, "%s: %" PRIu64 " elements of %" PRIu64 " bytes, no array passes 2^47 bytes", parameter->name,
               length, element_bytes(parameter));
        kernel->needed[index] = 0;
        return;
    }
    if (length * element_bytes(parameter) > UINT64_MAX - address) {
        refuse(inspection, LW_ERROR_CONTRACT, "%s passes the end of the address space", parameter->name);
        kernel->needed[index] = 0;
        return;
    }
    if (address == 0 && needed != 0) {
        refuse(inspection, LW_ERROR_CONTRACT, "%s is null, and %s%" PRIu64 " element%s", parameter->name, has_shape ? "needs " : "is said to hold ",
               needed, needed == 1 ? "" : "s");
        kernel->needed[index] = 0;
    } else if (needed != 0 && parameter->alignment > 1 && address % parameter->alignment != 0) {
        refuse(inspection, LW_ERROR_ALIGNMENT, "%s starts %" PRIu64 " bytes past a multiple of %u, the kernel needs it aligned to %u bytes",
               parameter->name, address % parameter->alignment, parameter->alignment, parameter->alignment);
    }
}

static bool may_alias(const struct lw_kernel_text *text, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < text->parameters[a].may_alias_count; i++)
        if (text->parameters[a].may_alias[i] == b)
            return true;
    for (uint32_t i = 0; i < text->parameters[b].may_alias_count; i++)
        if (text->parameters[b].may_alias[i] == a)
            return true;
    return false;
}

static void inspect_pair(struct inspection *inspection, uint32_t a, uint32_t b)
{
    const struct lw_kernel *kernel = inspection->kernel;
    const struct lw_parameter_text *first = &kernel->text->parameters[a], *second = &kernel->text->parameters[b];
    uint64_t a_bytes = kernel->needed[a] * element_bytes(first), b_bytes = kernel->needed[b] * element_bytes(second);
    if (second->kind != LW_PARAMETER_POINTER || (first->is_const && second->is_const) || a_bytes == 0 || b_bytes == 0)
        return;
    uint64_t a_start = parameter_bits(kernel->text, a, inspection->arguments), b_start = parameter_bits(kernel->text, b, inspection->arguments);
    if (a_start >= b_start + b_bytes || b_start >= a_start + a_bytes)
        return;
    bool allowed = may_alias(kernel->text, a, b);
    if (allowed && a_start == b_start)
        return;
    const struct lw_parameter_text *written = first->is_const ? second : first, *other = first->is_const ? first : second;
    refuse(inspection, LW_ERROR_OVERLAP, allowed ? "%s and %s overlap without starting at the same place, as LW_MAY_ALIAS means it"
                                                 : "%s may be written and overlaps %s, which LW_MAY_ALIAS does not allow",
           written->name, other->name);
}

static void inspect_arrays(struct inspection *inspection, const struct contract_values *values)
{
    const struct lw_kernel_text *text = inspection->kernel->text;
    for (uint32_t i = 0; i < text->parameter_count; i++)
        if (text->parameters[i].kind == LW_PARAMETER_POINTER)
            inspect_array(inspection, i, values);
    for (uint32_t i = 0; i < text->parameter_count; i++)
        for (uint32_t k = i + 1; k < text->parameter_count && text->parameters[i].kind == LW_PARAMETER_POINTER; k++)
            inspect_pair(inspection, i, k);
}

/* ---- the contract -------------------------------------------------------------------------------------------------------------------- */

/* All broken conditions, in the words of the contract module. */
static void word_refusal(struct inspection *inspection, const struct contract_values *values)
{
    struct arena arena;
    jmp_buf out_of_memory;
    arena_init(&arena);
    arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) == 0) {
        contract_violations violations = {0};
        if (contract_evaluate(inspection->kernel->contract, &arena, values, &violations))
            refuse(inspection, LW_ERROR_CONTRACT, "the contract is not kept");
        for (uint32_t i = 0; i < violations.count; i++)
            refuse(inspection, LW_ERROR_CONTRACT, "%s", violations.data[i].message);
    } else {
        refuse(inspection, LW_ERROR_CONTRACT, "the contract is not kept, and there is no memory to say how");
    }
    arena_free(&arena);
}

static enum lw_status check_request(struct lw_kernel *kernel, const struct lw_request *request, struct launch_numbers *numbers,
                                    struct lw_error *error)
{
    struct contract_values values;
    struct inspection inspection = {.kernel = kernel, .arguments = request->arguments, .error = error};
    if (!read_arguments(kernel, request->arguments, error))
        return LW_ERROR_ARGUMENT;
    begin_values(kernel, request, &values);
    if (!admit_contract(kernel->contract, &values))
        word_refusal(&inspection, &values);
    inspect_arrays(&inspection, &values);
    if (inspection.status != LW_OK)
        return inspection.status;
    enum lw_status status = form_numbers(kernel, request, values, numbers, error);
    if (status == LW_OK && kernel->module->scans_values && !numbers->no_work)
        status = scan_values(kernel, request->arguments, &values, error);
    return status;
}

/* ---- entry points ---------------------------------------------------------------------------------------------------------------------- */

static enum lw_status find_kernel(struct lw_module *module, const struct lw_request *request, struct lw_kernel **kernel,
                                  struct lw_error *error)
{
    const struct lw_module_source *source = request->source;
    if (module == NULL)
        return complain(error, LW_ERROR_NO_KERNEL, "%s: no module is loaded", source->kernels[request->kernel].shown);
    if (device_is_lost(module->device, error))
        return module->device->lost.status;
    if (module->source != source || request->kernel >= module->kernel_count)
        return complain(error, LW_ERROR_NO_KERNEL, "the module `%s` has no kernel `%s`, which belongs to `%s`", module->name,
                        source->kernels[request->kernel].shown, source->name);
    *kernel = &module->kernels[request->kernel];
    return LW_OK;
}

static enum lw_status launch_now(struct lw_kernel *kernel, const struct lw_argument *arguments, const struct launch_numbers *numbers,
                                 struct lw_stream *stream, struct lw_error *error)
{
    uint8_t block[PARAMETER_BYTES], *parameters = block;
    if (numbers->no_work)
        return LW_OK;
    if (kernel->parameters_size > sizeof block && (parameters = malloc(kernel->parameters_size)) == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    write_parameters(kernel, arguments, parameters);
    enum lw_status status = kernel->module->device->backend->launch(kernel, numbers, parameters, stream, error);
    if (parameters != block)
        free(parameters);
    return status;
}

/* The kernel, and the numbers of a launch that its contract admits. */
static enum lw_status admit_request(struct lw_module *module, const struct lw_request *request, struct lw_kernel **kernel,
                                    struct launch_numbers *numbers, struct lw_error *error)
{
    *kernel = NULL;
    enum lw_status status = find_kernel(module, request, kernel, error);
    return status != LW_OK ? status : check_request(*kernel, request, numbers, error);
}

enum lw_status lw_request_launch(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream,
                                 struct lw_error *error)
{
    struct lw_kernel *kernel;
    struct launch_numbers numbers;
    enum lw_status status = admit_request(module, request, &kernel, &numbers, error);
    return status != LW_OK ? status : launch_now(kernel, request->arguments, &numbers, stream, error);
}

/* Threads of the domain on each axis; 0 where there is none. */
static bool count_domain(const struct lw_kernel *kernel, const struct lw_request *request, uint64_t counts[3])
{
    struct contract_values values;
    begin_values(kernel, request, &values);
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer count = 0;
        counts[axis] = 0;
        if (!contract_is_given(&kernel->contract->domain[axis]))
            continue;
        if (contract_evaluate_expression(kernel->contract, &kernel->contract->domain[axis], &values, &count) != CONTRACT_FINE || count < 0 ||
            count > INT64_MAX)
            return false;
        counts[axis] = (uint64_t)count;
    }
    return true;
}

enum lw_status lw_request_launch_split(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream, struct lw_error *error)
{
    uint8_t block[PARAMETER_BYTES], *parameters = block;
    struct lw_kernel *kernel;
    struct launch_numbers numbers;
    uint64_t counts[3];
    enum lw_status status = admit_request(module, request, &kernel, &numbers, error);
    if (status != LW_OK || numbers.no_work)
        return status;
    if (kernel->bulk == NULL || kernel->tail == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "%s: it was built without --split", kernel->shown);
    if (!count_domain(kernel, request, counts))
        return complain(error, LW_ERROR_CONTRACT, "%s: its geometry cannot be formed from these arguments", kernel->shown);
    if (kernel->parameters_size > sizeof block && (parameters = malloc(kernel->parameters_size)) == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    write_parameters(kernel, request->arguments, parameters);
    status = launch_parts(kernel, &numbers, counts, parameters, stream, error);
    if (parameters != block)
        free(parameters);
    return status;
}

enum lw_status lw_request_launch_unchecked(struct lw_module *module, const struct lw_request *request, struct lw_stream *stream,
                                           struct lw_error *error)
{
    struct lw_kernel *kernel = NULL;
    struct launch_numbers numbers;
    struct contract_values values;
    enum lw_status status = find_kernel(module, request, &kernel, error);
    if (status != LW_OK)
        return status;
    if (!read_arguments(kernel, request->arguments, error))
        return LW_ERROR_ARGUMENT;
    begin_values(kernel, request, &values);
    status = form_numbers(kernel, request, values, &numbers, error);
    return status != LW_OK ? status : launch_now(kernel, request->arguments, &numbers, stream, error);
}

enum lw_status lw_request_prepare(struct lw_module *module, const struct lw_request *request, struct lw_prepared **prepared,
                                  struct lw_error *error)
{
    struct lw_kernel *kernel;
    struct launch_numbers numbers;
    *prepared = NULL;
    enum lw_status status = admit_request(module, request, &kernel, &numbers, error);
    if (status != LW_OK)
        return status;
    struct lw_prepared *made = calloc(1, sizeof *made);
    uint8_t *parameters = calloc(1, (size_t)kernel->parameters_size + 1);
    if (made == NULL || parameters == NULL) {
        free(made);
        free(parameters);
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    }
    write_parameters(kernel, request->arguments, parameters);
    *made = (struct lw_prepared){.kernel = kernel, .next = module->device->prepared, .numbers = numbers, .parameters = parameters};
    module->device->prepared = made;
    *prepared = made;
    return LW_OK;
}
