/* SPDX-License-Identifier: Apache-2.0
 *
 * A host program over the launchers of inputs/part.cu: slices as arguments, a launch that is refused, a check in the source that fails.
 * `launch_slices BACKEND` prints what happens; launch_slices.sh knows what that must be.
 */
#include "part_kernels.h"

#include <stdio.h>
#include <stdlib.h>

static void check(enum lw_status status, const struct lw_error *error)
{
    if (status != LW_OK) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

int main(int count, char **words)
{
    const struct lw_device_options options = {.backend = count > 1 ? words[1] : "cpu"};
    const struct lw_extent3 grid = {1, 1, 1}, block = {32, 1, 1};
    struct lw_device *device;
    struct lw_module *module;
    struct lw_buffer *x, *out;
    struct lw_error error;
    float numbers[10], results[32];
    for (int i = 0; i < 10; i++)
        numbers[i] = (float)i;
    check(lw_device_open(&options, &device, &error), &error);
    check(lw_module_load(device, &part_kernels, &module, &error), &error);
    check(lw_buffer_create(device, sizeof numbers, &x, &error), &error);
    check(lw_buffer_create(device, sizeof results, &out, &error), &error);
    check(lw_buffer_write(x, 0, numbers, sizeof numbers, &error), &error);

    check(part_launch(module, NULL, grid, block, lw_buffer_f32(x), lw_buffer_f32(out), 5, &error), &error);
    check(lw_buffer_read(out, 0, results, sizeof results, &error), &error);
    printf("%g %g %g %g\n", results[0], results[4], results[5], results[31]);
    /* Seven elements from 2; the part is 7 and 8. */
    check(part_launch(module, NULL, grid, block, lw_part_f32(lw_buffer_f32(x), 2, 7), lw_buffer_f32(out), 2, &error), &error);
    check(lw_buffer_read(out, 0, results, sizeof results, &error), &error);
    printf("%g %g %g\n", results[0], results[1], results[2]);
    if (part_by_contract_launch(module, NULL, grid, block, lw_buffer_f32(x), lw_buffer_f32(out), 6, &error) != LW_OK)
        printf("%s\n", error.message);
    if (part_launch(module, NULL, grid, block, lw_buffer_f32(x), lw_buffer_f32(out), 20, &error) != LW_OK ||
        lw_device_wait(device, &error) != LW_OK)
        printf("%s\n", error.message);
    printf("%s, line %u, %lld of %llu\n", error.fault.check, error.fault.line, (long long)error.fault.index, (unsigned long long)error.fault.extent);
    lw_device_close(device);
    return 0;
}
