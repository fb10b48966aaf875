/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that need no contract any more: prepared ones, and those of kernels without a launcher; what the device itself allows; the scan
 * of LW_VALUES.
 */
#include "launch/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_BYTES = 1 << 20, PARAMETER_BYTES = 4352 };

enum lw_status numbers_fit(const struct lw_kernel *kernel, const struct launch_numbers *numbers, struct lw_error *error)
{
    const struct device_limits *limits = &kernel->module->device->limits;
    uint64_t threads = (uint64_t)numbers->block[0] * numbers->block[1];
    for (unsigned axis = 0; axis < 3; axis++) {
        if (numbers->block[axis] < 1 || numbers->grid[axis] < 1)
            return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: %s.%c is 0", kernel->shown, numbers->block[axis] < 1 ? "block" : "grid",
                            "xyz"[axis]);
        if (numbers->block[axis] > limits->block[axis])
            return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: block.%c is %u, the device allows %u", kernel->shown, "xyz"[axis],
                            numbers->block[axis], limits->block[axis]);
        if (numbers->grid[axis] > limits->grid[axis])
            return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: grid.%c is %u, the device allows %u", kernel->shown, "xyz"[axis],
                            numbers->grid[axis], limits->grid[axis]);
    }
    threads *= numbers->block[2]; /* each factor is within the limits */
    if (threads > kernel->max_threads)
        return complain(error, LW_ERROR_DEVICE_LIMIT, "%s: a block of %" PRIu64 " threads, this kernel can have %u on this device",
                        kernel->shown, threads, kernel->max_threads);
    if ((uint64_t)numbers->shared_bytes + kernel->static_shared > limits->shared_bytes)
        return complain(error, LW_ERROR_DEVICE_LIMIT,
                        "%s: %u bytes of dynamic and %u of static shared memory, a block of this device has %u", kernel->shown,
                        numbers->shared_bytes, kernel->static_shared, limits->shared_bytes);
    return LW_OK;
}

enum lw_status lw_prepared_launch(const struct lw_prepared *prepared, struct lw_stream *stream, struct lw_error *error)
{
    if (prepared == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_prepared_launch: nothing was prepared");
    struct lw_device *device = prepared->kernel->module->device;
    if (device_is_lost(device, error))
        return device->lost.status;
    if (prepared->numbers.no_work)
        return LW_OK;
    return device->backend->launch(prepared->kernel, &prepared->numbers, prepared->parameters, stream, error);
}

void lw_prepared_free(struct lw_prepared *prepared)
{
    if (prepared == NULL)
        return;
    for (struct lw_prepared **at = &prepared->kernel->module->device->prepared; *at != NULL; at = &(*at)->next)
        if (*at == prepared) {
            *at = prepared->next;
            break;
        }
    free(prepared->parameters);
    free(prepared);
}

enum lw_status lw_kernel_launch(struct lw_kernel *kernel, struct lw_extent3 grid, struct lw_extent3 block, uint32_t shared_bytes,
                                const void *const *arguments, struct lw_stream *stream, struct lw_error *error)
{
    uint8_t bytes[PARAMETER_BYTES], *parameters = bytes;
    struct lw_device *device = kernel->module->device;
    struct launch_numbers numbers = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, false};
    if (device_is_lost(device, error))
        return device->lost.status;
    enum lw_status status = numbers_fit(kernel, &numbers, error);
    if (status != LW_OK)
        return status;
    if (kernel->parameters_size > sizeof bytes && (parameters = malloc(kernel->parameters_size)) == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    memset(parameters, 0, kernel->parameters_size);
    for (uint32_t p = 0; p < kernel->parameter_count; p++)
        memcpy(parameters + kernel->offsets[p], arguments[p], kernel->sizes[p]);
    status = device->backend->launch(kernel, &numbers, parameters, stream, error);
    if (parameters != bytes)
        free(parameters);
    return status;
}

/* ---- LW_VALUES ---------------------------------------------------------------------------------------------------------------- */

static contract_integer element_value(const struct lw_parameter_text *parameter, const uint8_t *bytes)
{
    uint64_t bits = 0;
    unsigned unused = 64 - 8 * parameter->element_size;
    memcpy(&bits, bytes, parameter->element_size);
    return parameter->element_is_signed ? (contract_integer)((int64_t)(bits << unused) >> unused) : (contract_integer)bits;
}

static enum lw_status scan_array(struct lw_kernel *kernel, uint32_t index, uint64_t address, contract_integer low, contract_integer high,
                                 uint8_t *part, struct lw_error *error)
{
    const struct lw_parameter_text *parameter = &kernel->text->parameters[index];
    struct lw_device *device = kernel->module->device;
    uint64_t size = parameter->element_size, bytes = kernel->needed[index] * size;
    char numbers[3][48];
    for (uint64_t done = 0, now; done < bytes; done += now) {
        now = bytes - done < SCAN_BYTES ? bytes - done : SCAN_BYTES;
        enum lw_status status = device->backend->copy_out(device, part, address + done, now, error);
        if (status != LW_OK)
            return status;
        for (uint64_t at = 0; at < now; at += size) {
            contract_integer value = element_value(parameter, part + at);
            if (value < low || value >= high)
                return complain(error, LW_ERROR_CONTRACT, "%s: element %" PRIu64 " of %s is %s, its values must lie in [%s, %s)",
                                kernel->shown, (done + at) / size, parameter->name, contract_format(value, numbers[0]),
                                contract_format(low, numbers[1]), contract_format(high, numbers[2]));
        }
    }
    return LW_OK;
}

enum lw_status scan_values(struct lw_kernel *kernel, const struct lw_argument *arguments, const struct contract_values *values,
                           struct lw_error *error)
{
    uint8_t *part = malloc(SCAN_BYTES);
    enum lw_status status = LW_OK;
    if (part == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    for (uint32_t i = 0; i < kernel->text->parameter_count && status == LW_OK; i++) {
        const struct lw_parameter_text *parameter = &kernel->text->parameters[i];
        const struct contract_parameter *known = &kernel->contract->parameters.data[i];
        uint32_t size = parameter->element_size;
        contract_integer low, high;
        uint64_t address = arguments[i].bits;
        if (!contract_is_given(&known->value_low) || (size != 1 && size != 2 && size != 4 && size != 8) ||
            !contract_value_range(kernel->contract, known, values, &low, &high))
            continue;
        if (parameter->whole != LW_NO_PARAMETER)
            memcpy(&address,
                   (const uint8_t *)(uintptr_t)arguments[parameter->whole].bits +
                       (parameter->offset - kernel->text->parameters[parameter->whole].offset),
                   sizeof address);
        status = scan_array(kernel, i, address, low, high, part, error);
    }
    free(part);
    return status;
}
