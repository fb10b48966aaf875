/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of the library for host programs: a status and a text in memory of the caller's.  A text that is too long ends with "...".
 */
#include "launch/device.h"

#include <string.h>

const char *lw_status_name(enum lw_status status)
{
    static const char *const names[] = {
        [LW_OK] = "ok",
        [LW_ERROR_ARGUMENT] = "argument",
        [LW_ERROR_MEMORY] = "memory",
        [LW_ERROR_NO_DRIVER] = "no driver",
        [LW_ERROR_NO_DEVICE] = "no device",
        [LW_ERROR_PTX] = "PTX",
        [LW_ERROR_PTX_VERSION] = "PTX version",
        [LW_ERROR_NO_KERNEL] = "no kernel",
        [LW_ERROR_CONTRACT] = "contract",
        [LW_ERROR_ALIGNMENT] = "alignment",
        [LW_ERROR_OVERLAP] = "overlap",
        [LW_ERROR_DEVICE_LIMIT] = "device limit",
        [LW_ERROR_UNSUPPORTED] = "unsupported",
        [LW_ERROR_KERNEL_FAULT] = "kernel fault",
        [LW_ERROR_DRIVER] = "driver",
    };
    return (unsigned)status < COUNT_OF(names) ? names[status] : "unknown";
}

static void append(struct lw_error *error, const char *format, va_list arguments)
{
    size_t used = strlen(error->message), room = sizeof error->message - used;
    int wanted = vsnprintf(error->message + used, room, format, arguments);
    if (wanted >= 0 && (size_t)wanted >= room)
        memcpy(error->message + sizeof error->message - 4, "...", 4);
}

enum lw_status complain(struct lw_error *error, enum lw_status status, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return status;
    error->status = status;
    error->message[0] = '\0';
    memset(&error->fault, 0, sizeof error->fault);
    va_start(arguments, format);
    append(error, format, arguments);
    va_end(arguments);
    return status;
}

void complain_more(struct lw_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return;
    va_start(arguments, format);
    append(error, format, arguments);
    va_end(arguments);
}

enum lw_status complain_diagnostic(struct lw_error *error, enum lw_status status, const char *what,
                                   const struct diagnostic_list *diagnostics)
{
    for (uint32_t i = 0; i < diagnostics->items.count; i++) {
        const struct diagnostic *diagnostic = &diagnostics->items.data[i];
        if (diagnostic->severity != SEVERITY_ERROR)
            continue;
        complain(error, status, "%s: ", what);
        if (diagnostic->place.line != 0)
            complain_more(error, "line %u: ", diagnostic->place.line);
        complain_more(error, "%s", diagnostic->message);
        if (diagnostics->errors > 1)
            complain_more(error, " (and %u more errors)", diagnostics->errors - 1);
        return status;
    }
    return complain(error, status, "%s: it cannot be used", what);
}

bool device_is_lost(const struct lw_device *device, struct lw_error *error)
{
    if (device->is_lost && error != NULL)
        *error = device->lost;
    return device->is_lost;
}
