/* SPDX-License-Identifier: Apache-2.0
 *
 * Device memory of host programs.
 */
#include "launch/device.h"

#include <inttypes.h>
#include <stdlib.h>

static const uint64_t bytes_limit = (uint64_t)1 << 47;

enum lw_status lw_buffer_create(struct lw_device *device, uint64_t bytes, struct lw_buffer **buffer, struct lw_error *error)
{
    *buffer = NULL;
    if (device_is_lost(device, error))
        return device->lost.status;
    if (bytes > bytes_limit)
        return complain(error, LW_ERROR_MEMORY, "a buffer of %" PRIu64 " bytes: no array passes 2^47", bytes);
    struct lw_buffer *made = calloc(1, sizeof *made);
    if (made == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    made->device = device;
    made->bytes = bytes;
    enum lw_status status = bytes == 0 ? LW_OK : device->backend->allocate(device, bytes, &made->address, error);
    if (status != LW_OK) {
        free(made);
        return status;
    }
    made->next = device->buffers;
    device->buffers = made;
    *buffer = made;
    return LW_OK;
}

void lw_buffer_free(struct lw_buffer *buffer)
{
    if (buffer == NULL)
        return;
    struct lw_device *device = buffer->device;
    for (struct lw_buffer **at = &device->buffers; *at != NULL; at = &(*at)->next)
        if (*at == buffer) {
            *at = buffer->next;
            break;
        }
    if (buffer->bytes != 0)
        device->backend->release(device, buffer->address);
    free(buffer);
}

static enum lw_status check_copy(const struct lw_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes, const char *what,
                                 struct lw_error *error)
{
    if (device_is_lost(buffer->device, error))
        return buffer->device->lost.status;
    if (offset > buffer->bytes || bytes > buffer->bytes - offset)
        return complain(error, LW_ERROR_ARGUMENT, "%s: bytes %" PRIu64 " to %" PRIu64 " of a buffer of %" PRIu64, what, offset,
                        bytes > UINT64_MAX - offset ? UINT64_MAX : offset + bytes, buffer->bytes);
    if (data == NULL && bytes != 0)
        return complain(error, LW_ERROR_ARGUMENT, "%s: there is no memory of the host", what);
    return LW_OK;
}

enum lw_status lw_buffer_write(struct lw_buffer *buffer, uint64_t offset, const void *data, uint64_t bytes, struct lw_error *error)
{
    enum lw_status status = check_copy(buffer, offset, data, bytes, "lw_buffer_write", error);
    if (status != LW_OK || bytes == 0)
        return status;
    return buffer->device->backend->copy_in(buffer->device, buffer->address + offset, data, bytes, error);
}

enum lw_status lw_buffer_read(struct lw_buffer *buffer, uint64_t offset, void *data, uint64_t bytes, struct lw_error *error)
{
    enum lw_status status = check_copy(buffer, offset, data, bytes, "lw_buffer_read", error);
    if (status != LW_OK || bytes == 0)
        return status;
    return buffer->device->backend->copy_out(buffer->device, data, buffer->address + offset, bytes, error);
}

uint64_t lw_buffer_bytes(const struct lw_buffer *buffer)
{
    return buffer->bytes;
}

void *lw_buffer_address(const struct lw_buffer *buffer)
{
    return (void *)(uintptr_t)buffer->address;
}
