/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices and streams.  A device owns what is made from it, in lists, so that closing it leaves nothing behind.
 */
#include "launch/device.h"

#include <stdlib.h>
#include <string.h>

static enum lw_status open_with(const struct backend *backend, const struct lw_device_options *options, struct lw_device **device,
                                struct lw_error *error)
{
    struct lw_device *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    opened->backend = backend;
    enum lw_status status = backend->open(opened, options, error);
    if (status != LW_OK)
        free(opened);
    else
        *device = opened;
    return status;
}

enum lw_status lw_device_open(const struct lw_device_options *options, struct lw_device **device, struct lw_error *error)
{
    static const struct lw_device_options all_zero;
    static const struct backend *const backends[] = {&backend_cuda, &backend_cpu};
    enum lw_status status;
    if (device == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_device_open: there is no place for the device");
    *device = NULL;
    if (options == NULL)
        options = &all_zero;
    if (options->backend == NULL) {
        status = open_with(&backend_cuda, options, device, error);
        if (status != LW_ERROR_NO_DRIVER && status != LW_ERROR_NO_DEVICE)
            return status;
        return options->ordinal == 0 ? open_with(&backend_cpu, options, device, error) : status;
    }
    for (unsigned i = 0; i < COUNT_OF(backends); i++)
        if (strcmp(options->backend, backends[i]->name) == 0)
            return open_with(backends[i], options, device, error);
    return complain(error, LW_ERROR_ARGUMENT, "there is no backend `%.40s`: cuda, cpu", options->backend);
}

void lw_device_close(struct lw_device *device)
{
    if (device == NULL)
        return;
    while (device->prepared != NULL)
        lw_prepared_free(device->prepared);
    while (device->modules != NULL)
        lw_module_unload(device->modules);
    while (device->buffers != NULL)
        lw_buffer_free(device->buffers);
    while (device->streams != NULL)
        lw_stream_close(device->streams);
    device->backend->close(device);
    free(device);
}

const char *lw_device_backend(const struct lw_device *device)
{
    return device->backend->name;
}

const char *lw_device_name(const struct lw_device *device)
{
    return device->name;
}

enum lw_status lw_device_wait(struct lw_device *device, struct lw_error *error)
{
    if (device_is_lost(device, error))
        return device->lost.status;
    return device->backend->wait(device, NULL, error);
}

/* ---- streams ---------------------------------------------------------------------------------------------------------- */

enum lw_status lw_stream_open(struct lw_device *device, struct lw_stream **stream, struct lw_error *error)
{
    *stream = NULL;
    if (device_is_lost(device, error))
        return device->lost.status;
    struct lw_stream *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    opened->device = device;
    enum lw_status status = device->backend->open_stream(opened, error);
    if (status != LW_OK) {
        free(opened);
        return status;
    }
    opened->next = device->streams;
    device->streams = opened;
    *stream = opened;
    return LW_OK;
}

void lw_stream_close(struct lw_stream *stream)
{
    if (stream == NULL)
        return;
    for (struct lw_stream **at = &stream->device->streams; *at != NULL; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    stream->device->backend->close_stream(stream);
    free(stream);
}

enum lw_status lw_stream_wait(struct lw_stream *stream, struct lw_error *error)
{
    if (stream == NULL)
        return complain(error, LW_ERROR_ARGUMENT, "lw_stream_wait: no stream; lw_device_wait waits for the device's own");
    if (device_is_lost(stream->device, error))
        return stream->device->lost.status;
    return stream->device->backend->wait(stream->device, stream, error);
}

void *lw_stream_handle(const struct lw_stream *stream)
{
    return stream->handle;
}
