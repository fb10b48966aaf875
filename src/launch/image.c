/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch for a device that is no emulator: its arrays in one stretch of memory with guard zones around each, its parameters with the places
 * of addresses in them; and what the device left, back in the run's memory, so that results are judged as ever.
 *
 * What is undefined in the run's memory is a pattern in the stretch.  Two launches with two patterns show which bytes were written: all that
 * are not the pattern both times.
 * Gives up on: contents of module variables, launches of which only some blocks run, more bytes than the stretch has.
 */
#include "launch/run.h"

#include <string.h>

enum { GUARD_ZONE = 256, CHUNK = 1 << 16 };

static uint64_t bytes_of(const struct launch_buffer *buffer)
{
    return buffer->length * value_type_info(buffer->argument->type)->size;
}

/* Where each buffer begins; false when they do not fit. */
static bool place_buffers(struct launch_run *run, uint64_t capacity, struct launch_image *image)
{
    uint64_t at = GUARD_ZONE;
    for (uint32_t b = 0; b < run->buffer_count; b++) {
        uint64_t bytes = bytes_of(&run->buffers[b]);
        image->offsets[b] = at;
        if (run->buffers[b].length > capacity || bytes > capacity || at + bytes + 2 * GUARD_ZONE > capacity)
            return false;
        at = (at + bytes + 2 * GUARD_ZONE - 1) / GUARD_ZONE * GUARD_ZONE;
    }
    image->size = at + GUARD_ZONE;
    return image->size <= capacity;
}

/* The parameter block as if the stretch began at `base`. */
static bool lay_out_at(struct launch_run *run, const struct launch_image *image, uint64_t base, uint8_t **parameters)
{
    uint64_t *kept = ARENA_ARRAY(run->arena, uint64_t, run->buffer_count + 1);
    for (uint32_t b = 0; b < run->buffer_count; b++) {
        kept[b] = run->buffers[b].address;
        run->buffers[b].address = base + image->offsets[b];
    }
    bool good = run_lay_out_parameters(run);
    *parameters = run->parameters;
    for (uint32_t b = 0; b < run->buffer_count; b++)
        run->buffers[b].address = kept[b];
    return good;
}

/* Addresses in the block are what differs between two bases: by 2^40, so in the sixth byte of each. */
static bool lay_out(struct launch_run *run, struct launch_image *image)
{
    enum { BASE_BYTE = 5 };
    uint8_t *low, *high;
    uint8_t *own = run->parameters;
    bool good = lay_out_at(run, image, 0, &low) && lay_out_at(run, image, (uint64_t)1 << 8 * BASE_BYTE, &high);
    image->parameters = low;
    image->parameters_size = run->parameters_size;
    for (uint32_t i = BASE_BYTE; good && i < run->parameters_size; i++)
        if (low[i] != high[i])
            *vec_push(run->arena, &image->addresses) = i - BASE_BYTE;
    run->parameters = own;
    return good;
}

static void copy_contents(struct launch_run *run, const struct launch_buffer *buffer, uint8_t *out)
{
    uint8_t defined[CHUNK / 16];
    uint64_t size = bytes_of(buffer);
    for (uint64_t at = 0; at < size; at += sizeof defined) {
        uint64_t part = size - at < sizeof defined ? size - at : sizeof defined;
        uint8_t bytes[sizeof defined];
        if (!emu_memory_read(run->machine, buffer->address + at, bytes, part) ||
            !emu_memory_defined(run->machine, buffer->address + at, defined, part))
            return;
        for (uint64_t i = 0; i < part; i++)
            if (defined[i])
                out[at + i] = bytes[i];
    }
}

const char *launch_image_make(struct launch_run *run, uint64_t capacity, struct launch_image *image)
{
    const struct report_kernel *kernel = run->kernel;
    *image = (struct launch_image){.function = run->function, .dynamic_shared = (uint32_t)run->launch->dynamic_shared};
    if (run->refused)
        return "no device would take the launch";
    if (run->focus_count != 0)
        return "only some of its blocks are run";
    for (uint32_t b = 0; b < run->buffer_count; b++)
        if (run->buffers[b].argument->role == ROLE_SYMBOL)
            return "it sets a variable of the module";
    for (unsigned axis = 0; axis < 3; axis++) {
        image->grid[axis] = (uint32_t)kernel->launch.grid[axis];
        image->block[axis] = (uint32_t)kernel->launch.block[axis];
    }
    image->offsets = ARENA_ARRAY(run->arena, uint64_t, run->buffer_count + 1);
    if (!place_buffers(run, capacity, image))
        return "its arrays are too large";
    if (!lay_out(run, image))
        return "its parameters cannot be laid out";
    image->bytes = arena_alloc(run->arena, image->size);
    return NULL;
}

void launch_image_fill(struct launch_run *run, struct launch_image *image, uint8_t pattern)
{
    image->pattern = pattern;
    memset(image->bytes, pattern, image->size);
    for (uint32_t b = 0; b < run->buffer_count; b++)
        copy_contents(run, &run->buffers[b], image->bytes + image->offsets[b]);
}

const struct launch_buffer *launch_image_stray(struct launch_run *run, const struct launch_image *image, int64_t *byte)
{
    uint64_t end = 0;
    for (uint32_t b = 0; b <= run->buffer_count; b++) {
        bool is_last = b == run->buffer_count;
        uint64_t start = is_last ? image->size : image->offsets[b];
        for (uint64_t at = end; at < start; at++) {
            if (image->bytes[at] == image->pattern)
                continue;
            bool is_behind = b != 0 && (is_last || at - end < GUARD_ZONE);
            const struct launch_buffer *buffer = &run->buffers[is_behind ? b - 1 : b];
            *byte = (int64_t)(at - image->offsets[is_behind ? b - 1 : b]);
            return run->buffer_count == 0 ? NULL : buffer;
        }
        if (!is_last)
            end = start + bytes_of(&run->buffers[b]);
    }
    return NULL;
}

bool launch_image_take(struct launch_run *run, const struct launch_image *first, const uint8_t *again, uint8_t other_pattern)
{
    for (uint32_t b = 0; b < run->buffer_count; b++) {
        const uint8_t *bytes = first->bytes + first->offsets[b], *second = again + first->offsets[b];
        uint64_t size = bytes_of(&run->buffers[b]), from = 0;
        for (uint64_t at = 0; at <= size; at++) {
            bool is_untouched = at == size || (bytes[at] == first->pattern && second[at] == other_pattern);
            if (!is_untouched)
                continue;
            if (at > from && !emu_memory_write(run->machine, run->buffers[b].address + from, bytes + from, at - from))
                return false;
            from = at + 1;
        }
    }
    return true;
}

bool launch_run_compare(struct launch_run *run)
{
    return run_compare(run);
}
