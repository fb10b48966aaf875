/* SPDX-License-Identifier: Apache-2.0
 *
 * A matrix product on the GPU where there is one, on the CPU where there is none, by the same checked kernel.  The second launch gives `a`
 * too few elements on purpose: it is refused, with the reason, and nothing runs.
 */
#include "sgemm_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 100, N = 70, K = 50 };

static int give_up(const struct lw_error *error)
{
    fprintf(stderr, "%s: %s\n", lw_status_name(error->status), error->message);
    return 1;
}

int main(int count, char **words)
{
    static float a[M * K], b[K * N], c[M * N];
    struct lw_device_options options = {.backend = count == 3 && strcmp(words[1], "--device") == 0 ? words[2] : NULL};
    struct lw_device *device;
    struct lw_module *module;
    struct lw_buffer *buffers[3];
    struct lw_error error;
    const void *contents[] = {a, b, c};
    const size_t sizes[] = {sizeof a, sizeof b, sizeof c};
    for (unsigned i = 0; i < M * K; i++)
        a[i] = (float)(i % 7);
    for (unsigned i = 0; i < K * N; i++)
        b[i] = (float)(i % 5);
    if (lw_device_open(&options, &device, &error) != LW_OK || lw_module_load(device, &sgemm_kernels, &module, &error) != LW_OK)
        return give_up(&error);
    for (unsigned i = 0; i < 3; i++)
        if (lw_buffer_create(device, sizes[i], &buffers[i], &error) != LW_OK ||
            lw_buffer_write(buffers[i], 0, contents[i], sizes[i], &error) != LW_OK)
            return give_up(&error);
    if (sgemm_launch(module, NULL, M, N, K, 1, lw_buffer_f32(buffers[0]), lw_buffer_f32(buffers[1]), 0, lw_buffer_f32(buffers[2]), &error) !=
            LW_OK ||
        lw_buffer_read(buffers[2], 0, c, sizeof c, &error) != LW_OK)
        return give_up(&error);
    printf("%s (%s): c[0] = %g, c[%d] = %g\n", lw_device_backend(device), lw_device_name(device), c[0], M * N - 1, c[M * N - 1]);
    if (sgemm_launch(module, NULL, M, N, K, 1, lw_part_f32(lw_buffer_f32(buffers[0]), 0, 4096), lw_buffer_f32(buffers[1]), 0,
                     lw_buffer_f32(buffers[2]), &error) != LW_OK)
        printf("refused: %s\n", error.message);
    lw_device_close(device);
    return 0;
}
