/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda backend: the driver API, found with dlopen when a device is opened.  The device's primary context is used, so programs that
 * use the CUDA runtime beside us share its memory; the caller's current context is left as it was.
 *
 * Fault records lie in pinned memory that the device sees, one a module.  A trap ends the context; the records stay readable, and say what
 * the driver's "unspecified launch failure" does not.
 */
#include "launch/driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cuda_device {
    struct driver driver;
    driver_device device;
    driver_context context;
    int version; /* 13000: CUDA 13.0 */
};

struct cuda_module {
    driver_module module;
};

static struct cuda_device *state_of(const struct lw_device *device)
{
    return device->state;
}

/* ---- errors ------------------------------------------------------------------------------------------------------------------ */

static enum lw_status complain_driver(const struct driver *driver, struct lw_error *error, driver_result result, const char *what)
{
    const char *name = NULL, *text = NULL;
    driver->get_error_name(result, &name);
    driver->get_error_string(result, &text);
    return complain(error, result == DRIVER_OUT_OF_MEMORY ? LW_ERROR_MEMORY : LW_ERROR_DRIVER, "%s: %s (%s)", what,
                    text != NULL ? text : "the driver reports an error", name != NULL ? name : "no name");
}

static bool enter(const struct cuda_device *cuda)
{
    return cuda->driver.push_context(cuda->context) == DRIVER_OK;
}

static enum lw_status leave(const struct cuda_device *cuda, enum lw_status status)
{
    driver_context popped;
    cuda->driver.pop_context(&popped);
    return status;
}

static bool ruins_device(driver_result result)
{
    static const driver_result results[] = {DRIVER_ILLEGAL_ADDRESS, DRIVER_LAUNCH_TIMEOUT,     DRIVER_ASSERT,
                                            DRIVER_STACK_ERROR,     DRIVER_ILLEGAL_INSTRUCTION, DRIVER_MISALIGNED_ADDRESS,
                                            DRIVER_BAD_SPACE,       DRIVER_BAD_PC,             DRIVER_LAUNCH_FAILED};
    for (unsigned i = 0; i < COUNT_OF(results); i++)
        if (results[i] == result)
            return true;
    return false;
}

/* What the driver said of work on the device: a kernel's fault if it was one, with the record that a check left. */
static enum lw_status report_result(struct lw_device *device, driver_result result, const char *what, struct lw_error *error)
{
    const struct driver *driver = &state_of(device)->driver;
    const char *text = NULL;
    if (!ruins_device(result))
        return complain_driver(driver, error, result, what);
    for (const struct lw_module *module = device->modules; module != NULL; module = module->next) {
        struct launch_fault_record record;
        if (module->record == NULL)
            continue;
        memcpy(&record, module->record, sizeof record);
        if (record.state == LAUNCH_FAULT_COMPLETE)
            return record_report(device, module, &record, error);
    }
    driver->get_error_string(result, &text);
    return record_report_text(device, error, "a kernel failed, and no check of ours saw why: %s", text != NULL ? text : "unknown error");
}

/* ---- opening ------------------------------------------------------------------------------------------------------------------- */

static void read_limits(struct lw_device *device)
{
    static const struct {
        int attribute;
        size_t offset;
    } rows[] = {
        {DRIVER_MAX_GRID_X, offsetof(struct device_limits, grid[0])},   {DRIVER_MAX_GRID_Y, offsetof(struct device_limits, grid[1])},
        {DRIVER_MAX_GRID_Z, offsetof(struct device_limits, grid[2])},   {DRIVER_MAX_BLOCK_X, offsetof(struct device_limits, block[0])},
        {DRIVER_MAX_BLOCK_Y, offsetof(struct device_limits, block[1])}, {DRIVER_MAX_BLOCK_Z, offsetof(struct device_limits, block[2])},
        {DRIVER_MAX_THREADS, offsetof(struct device_limits, block_threads)},
        {DRIVER_MAX_SHARED, offsetof(struct device_limits, shared_bytes)},
    };
    const struct cuda_device *cuda = state_of(device);
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        int value = 0;
        cuda->driver.get_attribute(&value, rows[i].attribute, cuda->device);
        memcpy((char *)&device->limits + rows[i].offset, &value, sizeof value);
    }
}

static enum lw_status open_driver(struct lw_device *device, struct cuda_device *cuda, unsigned ordinal, struct lw_error *error)
{
    const struct driver *driver = &cuda->driver;
    int count = 0;
    driver_result result = driver->init(0);
    if (result == DRIVER_OK)
        result = driver->get_version(&cuda->version);
    if (result == DRIVER_OK)
        result = driver->count_devices(&count);
    if (result == DRIVER_NO_DEVICE || (result == DRIVER_OK && count == 0))
        return complain(error, LW_ERROR_NO_DEVICE, "there is a CUDA driver, but no CUDA device");
    if (result != DRIVER_OK) {
        complain_driver(driver, error, result, "the CUDA driver does not start");
        if (error != NULL)
            error->status = LW_ERROR_NO_DRIVER;
        return LW_ERROR_NO_DRIVER;
    }
    if (ordinal >= (unsigned)count)
        return complain(error, LW_ERROR_NO_DEVICE, "there is no CUDA device %u: there %s %d", ordinal, count == 1 ? "is" : "are", count);
    result = driver->get_device(&cuda->device, (int)ordinal);
    if (result == DRIVER_OK)
        result = driver->get_name(device->name, sizeof device->name, cuda->device);
    if (result == DRIVER_OK)
        result = driver->retain_context(&cuda->context, cuda->device);
    return result == DRIVER_OK ? LW_OK : complain_driver(driver, error, result, "the device cannot be used");
}

static enum lw_status cuda_open(struct lw_device *device, const struct lw_device_options *options, struct lw_error *error)
{
    struct cuda_device *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    enum lw_status status = driver_find(&cuda->driver, error);
    if (status == LW_OK) {
        status = open_driver(device, cuda, options->ordinal, error);
        if (status != LW_OK)
            driver_drop(&cuda->driver);
    }
    if (status != LW_OK) {
        free(cuda);
        return status;
    }
    device->state = cuda;
    read_limits(device);
    return LW_OK;
}

static void cuda_close(struct lw_device *device)
{
    struct cuda_device *cuda = state_of(device);
    /* A ruined context can only be thrown away; the next device that is opened makes a new one. */
    if (device->is_lost)
        cuda->driver.reset_context(cuda->device);
    cuda->driver.release_context(cuda->device);
    driver_drop(&cuda->driver);
    free(cuda);
}

/* ---- memory and streams ----------------------------------------------------------------------------------------------------------- */

static enum lw_status no_context(struct lw_error *error)
{
    return complain(error, LW_ERROR_DRIVER, "the device's context cannot be used");
}

static enum lw_status cuda_allocate(struct lw_device *device, uint64_t bytes, uint64_t *address, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(device);
    driver_pointer pointer = 0;
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.allocate(&pointer, bytes);
    *address = pointer;
    if (result == DRIVER_OK)
        return leave(cuda, LW_OK);
    report_result(device, result, "a buffer", error);
    complain_more(error, ", for %" PRIu64 " bytes", bytes);
    return leave(cuda, error != NULL ? error->status : result == DRIVER_OUT_OF_MEMORY ? LW_ERROR_MEMORY : LW_ERROR_DRIVER);
}

static void cuda_release(struct lw_device *device, uint64_t address)
{
    struct cuda_device *cuda = state_of(device);
    if (!enter(cuda))
        return;
    cuda->driver.release(address);
    leave(cuda, LW_OK);
}

static enum lw_status cuda_copy_in(struct lw_device *device, uint64_t address, const void *data, uint64_t bytes, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(device);
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.copy_in(address, data, bytes);
    return leave(cuda, result == DRIVER_OK ? LW_OK : report_result(device, result, "lw_buffer_write", error));
}

static enum lw_status cuda_copy_out(struct lw_device *device, void *data, uint64_t address, uint64_t bytes, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(device);
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.copy_out(data, address, bytes);
    return leave(cuda, result == DRIVER_OK ? LW_OK : report_result(device, result, "lw_buffer_read", error));
}

static enum lw_status cuda_open_stream(struct lw_stream *stream, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(stream->device);
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.create_stream(&stream->handle, 0);
    return leave(cuda, result == DRIVER_OK ? LW_OK : report_result(stream->device, result, "lw_stream_open", error));
}

static void cuda_close_stream(struct lw_stream *stream)
{
    struct cuda_device *cuda = state_of(stream->device);
    if (!enter(cuda))
        return;
    cuda->driver.destroy_stream(stream->handle);
    leave(cuda, LW_OK);
}

/* ---- modules ------------------------------------------------------------------------------------------------------------------------ */

/* What was wrong with the PTX; the log is the driver's compiler's. */
static enum lw_status refuse_ptx(struct lw_module *module, driver_result result, const char *log, struct lw_error *error)
{
    const struct cuda_device *cuda = state_of(module->device);
    const struct ptx_module *ptx = module->ptx;
    if (result == DRIVER_UNSUPPORTED_PTX)
        return complain(error, LW_ERROR_PTX_VERSION,
                        "%s: its PTX has version %u.%u, which is newer than the driver (CUDA %d.%d) knows: update the driver, or build for an older "
                        "version",
                        module->name, ptx->version_major, ptx->version_minor, cuda->version / 1000, cuda->version % 1000 / 10);
    if (result == DRIVER_NO_BINARY)
        return complain(error, LW_ERROR_PTX, "%s: its PTX is for %s, which `%s` does not run", module->name, ptx->target, module->device->name);
    enum lw_status status = complain_driver(&cuda->driver, error, result, module->name);
    if (result == DRIVER_INVALID_PTX) {
        status = LW_ERROR_PTX;
        if (error != NULL)
            error->status = status;
    }
    if (log[0] != '\0')
        complain_more(error, ": %s", log);
    return status;
}

static enum lw_status place_record(struct lw_module *module, struct lw_error *error)
{
    const struct driver *driver = &state_of(module->device)->driver;
    struct cuda_module *cuda = module->state;
    driver_pointer variable = 0, seen = 0;
    size_t size = 0;
    void *record = NULL;
    if (driver->get_global(&variable, &size, cuda->module, LAUNCH_FAULT_VARIABLE) != DRIVER_OK || size != sizeof seen)
        return LW_OK; /* no check stands in it */
    driver_result result = driver->allocate_host(&record, sizeof *module->record, DRIVER_HOST_MAPPED | DRIVER_HOST_PORTABLE);
    if (result == DRIVER_OK) {
        module->record = record;
        memset(record, 0, sizeof *module->record);
        result = driver->get_device_pointer(&seen, record, 0);
    }
    if (result == DRIVER_OK)
        result = driver->copy_in(variable, &seen, sizeof seen);
    return result == DRIVER_OK ? LW_OK : complain_driver(driver, error, result, "no memory for a fault record");
}

static enum lw_status cuda_load(struct lw_module *module, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(module->device);
    char log[1024] = "";
    int options[] = {DRIVER_JIT_LOG, DRIVER_JIT_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    struct cuda_module *loaded = ARENA_NEW(&module->arena, struct cuda_module);
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.load_module(&loaded->module, module->ptx->text, COUNT_OF(options), options, values);
    if (result != DRIVER_OK)
        return leave(cuda, refuse_ptx(module, result, log, error));
    module->state = loaded;
    return leave(cuda, place_record(module, error));
}

static void cuda_unload(struct lw_module *module)
{
    struct cuda_device *cuda = state_of(module->device);
    struct cuda_module *loaded = module->state;
    if (loaded == NULL || !enter(cuda))
        return;
    cuda->driver.unload_module(loaded->module);
    if (module->record != NULL)
        cuda->driver.release_host(module->record);
    leave(cuda, LW_OK);
}

static enum lw_status cuda_find(struct lw_kernel *kernel, struct lw_error *error)
{
    struct cuda_device *cuda = state_of(kernel->module->device);
    struct cuda_module *loaded = kernel->module->state;
    const char *entry = kernel->module->ptx->functions.data[kernel->function].name;
    int threads = 0, shared = 0;
    if (!enter(cuda))
        return no_context(error);
    driver_result result = cuda->driver.get_function(&kernel->handle, loaded->module, entry);
    if (result == DRIVER_OK)
        result = cuda->driver.get_function_attribute(&threads, DRIVER_FUNCTION_THREADS, kernel->handle);
    if (result == DRIVER_OK)
        result = cuda->driver.get_function_attribute(&shared, DRIVER_FUNCTION_SHARED, kernel->handle);
    if (result != DRIVER_OK)
        return leave(cuda, complain_driver(&cuda->driver, error, result, kernel->shown));
    kernel->max_threads = (uint32_t)threads;
    kernel->static_shared = (uint32_t)shared;
    kernel->dynamic_shared = 48 * 1024; /* what every device gives without being asked */
    return leave(cuda, LW_OK);
}

/* ---- launches ---------------------------------------------------------------------------------------------------------------------------- */

static enum lw_status cuda_launch(struct lw_kernel *kernel, const struct launch_numbers *numbers, uint8_t *parameters,
                                  struct lw_stream *stream, struct lw_error *error)
{
    struct lw_device *device = kernel->module->device;
    const struct cuda_device *cuda = state_of(device);
    size_t size = kernel->parameters_size;
    void *extra[] = {DRIVER_PARAMETERS, parameters, DRIVER_PARAMETERS_SIZE, &size, NULL};
    driver_result result = DRIVER_OK;
    if (!enter(cuda))
        return no_context(error);
    if (numbers->shared_bytes > kernel->dynamic_shared) {
        result = cuda->driver.set_function_attribute(kernel->handle, DRIVER_FUNCTION_DYNAMIC_SHARED, (int)numbers->shared_bytes);
        if (result == DRIVER_OK)
            kernel->dynamic_shared = numbers->shared_bytes;
    }
    if (result == DRIVER_OK)
        result = cuda->driver.launch(kernel->handle, numbers->grid[0], numbers->grid[1], numbers->grid[2], numbers->block[0],
                                     numbers->block[1], numbers->block[2], numbers->shared_bytes,
                                     stream != NULL ? stream->handle : NULL, NULL, size != 0 ? extra : NULL);
    return leave(cuda, result == DRIVER_OK ? LW_OK : report_result(device, result, kernel->shown, error));
}

static enum lw_status cuda_wait(struct lw_device *device, struct lw_stream *stream, struct lw_error *error)
{
    const struct cuda_device *cuda = state_of(device);
    if (!enter(cuda))
        return no_context(error);
    driver_result result = stream != NULL ? cuda->driver.wait_stream(stream->handle) : cuda->driver.wait_context();
    return leave(cuda, result == DRIVER_OK ? LW_OK : report_result(device, result, "waiting", error));
}

const struct backend backend_cuda = {
    "cuda",           cuda_open,  cuda_close,  cuda_allocate, cuda_release, cuda_copy_in, cuda_copy_out, cuda_open_stream,
    cuda_close_stream, cuda_load, cuda_unload, cuda_find,     cuda_launch,  cuda_wait,
};
