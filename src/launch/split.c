/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch cut along its domain: the blocks that lie in it as a whole, and on each side on which it does not divide the blocks at its end.
 * In two dimensions that is the interior, a strip on the right, one below and the corner.
 *
 * Requires: a kernel with parts, and the numbers of a launch that its contract admits.  Gives: at most 2, 4 or 8 launches, none without work.
 */
#include "launch/device.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMETER_BYTES = 4352 };

/* What one launch has of an axis. */
struct stretch {
    uint32_t first, blocks, threads;
};

/* The full blocks of an axis, or the last one that is not full; blocks 0: there are none. */
static struct stretch stretch_of(uint64_t count, uint32_t grid, uint32_t block, bool is_tail, bool whole_tail)
{
    uint32_t rest = (uint32_t)(count % block), full = grid - (count != 0 && rest != 0);
    if (count == 0) /* no domain on this axis: all of it is full */
        return (struct stretch){0, is_tail ? 0 : grid, block};
    if (is_tail)
        return (struct stretch){full, rest != 0, whole_tail ? block : rest};
    return (struct stretch){0, full, block};
}

static enum lw_status launch_part(struct lw_kernel *part, const struct launch_numbers *whole, const struct stretch stretches[3], uint8_t *parameters,
                                  struct lw_stream *stream, struct lw_error *error)
{
    struct launch_numbers numbers = {.shared_bytes = whole->shared_bytes};
    uint32_t place[SPLIT_BYTES / 4];
    for (unsigned axis = 0; axis < 3; axis++) {
        numbers.grid[axis] = stretches[axis].blocks;
        numbers.block[axis] = stretches[axis].threads;
        place[axis] = stretches[axis].first;
        place[3 + axis] = whole->grid[axis];
        place[6 + axis] = whole->block[axis];
    }
    memcpy(parameters + part->offsets[part->parameter_count - 1], place, sizeof place);
    enum lw_status status = numbers_fit(part, &numbers, error);
    return status != LW_OK ? status : part->module->device->backend->launch(part, &numbers, parameters, stream, error);
}

static enum lw_status launch_each(struct lw_kernel *kernel, const struct launch_numbers *numbers, const uint64_t counts[3], uint8_t *parameters,
                                  struct lw_stream *stream, struct lw_error *error)
{
    enum lw_status status = LW_OK;
    for (unsigned tails = 0; tails < 8 && status == LW_OK; tails++) {
        struct stretch stretches[3];
        bool has_work = true;
        for (unsigned axis = 0; axis < 3; axis++) {
            bool is_tail = (tails >> axis & 1) != 0;
            stretches[axis] = stretch_of(counts[axis], numbers->grid[axis], numbers->block[axis], is_tail, kernel->text->split->whole_tail != 0);
            has_work &= stretches[axis].blocks != 0;
        }
        if (has_work)
            status = launch_part(tails == 0 ? kernel->bulk : kernel->tail, numbers, stretches, parameters, stream, error);
    }
    return status;
}

enum lw_status launch_parts(struct lw_kernel *kernel, const struct launch_numbers *numbers, const uint64_t counts[3], const uint8_t *parameters,
                            struct lw_stream *stream, struct lw_error *error)
{
    uint8_t block[PARAMETER_BYTES + SPLIT_BYTES], *own = block;
    uint32_t size = kernel->bulk->parameters_size > kernel->tail->parameters_size ? kernel->bulk->parameters_size : kernel->tail->parameters_size;
    if (size > sizeof block && (own = malloc(size)) == NULL)
        return complain(error, LW_ERROR_MEMORY, "out of memory");
    memset(own, 0, size);
    memcpy(own, parameters, kernel->parameters_size); /* its parameters come first in the parts, too */
    enum lw_status status = launch_each(kernel, numbers, counts, own, stream, error);
    if (own != block)
        free(own);
    return status;
}
