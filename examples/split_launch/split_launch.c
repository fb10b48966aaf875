/* SPDX-License-Identifier: Apache-2.0
 *
 * One image, blurred by a whole launch and by a launch in parts: the interior, whose blocks have no test for the edge, a strip on the right, one
 * below and the corner.  Both have the same bits.  An image of no whole block, and one of whole blocks only, leave out the parts without work.
 */
#include "blur_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 101, H = 67 };

static int give_up(const struct lw_error *error)
{
    fprintf(stderr, "%s: %s\n", lw_status_name(error->status), error->message);
    return 1;
}

/* True if both launches of an image of w x h end with the same bits. */
static bool compare(struct lw_module *module, struct lw_buffer *const buffers[3], int w, int h, struct lw_error *error)
{
    static float whole[W * H], parts[W * H];
    size_t bytes = (size_t)w * (size_t)h * sizeof(float);
    if (blur_launch(module, NULL, w, h, lw_buffer_f32(buffers[0]), lw_buffer_f32(buffers[1]), error) != LW_OK ||
        blur_launch_split(module, NULL, w, h, lw_buffer_f32(buffers[0]), lw_buffer_f32(buffers[2]), error) != LW_OK ||
        lw_buffer_read(buffers[1], 0, whole, bytes, error) != LW_OK || lw_buffer_read(buffers[2], 0, parts, bytes, error) != LW_OK)
        exit(give_up(error));
    printf("%d x %d: %s\n", w, h, memcmp(whole, parts, bytes) == 0 ? "the same bits" : "different");
    return memcmp(whole, parts, bytes) == 0;
}

int main(int count, char **words)
{
    static float image[W * H];
    struct lw_device_options options = {.backend = count == 3 && strcmp(words[1], "--device") == 0 ? words[2] : NULL};
    struct lw_device *device;
    struct lw_module *module;
    struct lw_buffer *buffers[3];
    struct lw_error error;
    for (unsigned i = 0; i < W * H; i++)
        image[i] = (float)(i % 23) * 0.37f;
    if (lw_device_open(&options, &device, &error) != LW_OK || lw_module_load(device, &blur_kernels, &module, &error) != LW_OK)
        return give_up(&error);
    for (unsigned i = 0; i < 3; i++)
        if (lw_buffer_create(device, sizeof image, &buffers[i], &error) != LW_OK ||
            lw_buffer_write(buffers[i], 0, image, sizeof image, &error) != LW_OK)
            return give_up(&error);
    printf("%s (%s)\n", lw_device_backend(device), lw_device_name(device));
    bool good = compare(module, buffers, W, H, &error) && compare(module, buffers, 31, 7, &error) && compare(module, buffers, 64, 16, &error) &&
                compare(module, buffers, 96, 9, &error);
    lw_device_close(device);
    return good ? 0 : 1;
}
