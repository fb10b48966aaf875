/* SPDX-License-Identifier: Apache-2.0
 *
 * What a launch in parts costs and saves: kernels of kernels.cu built with --split, whole and in parts, by events, taking turns.
 *
 *     split
 *
 * One line a size: medians of 41 in microseconds.  The host has nothing of CUDA; events come from the driver that the library has loaded.
 */
#include "kernels_kernels.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 41, WARM = 5 };

static struct {
    int (*init)(unsigned), (*retain)(void **, int), (*set)(void *), (*create)(void **, unsigned), (*record)(void *, void *), (*wait)(void *),
        (*elapsed)(float *, void *, void *);
} driver;

static bool load_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
    static const char *const names[] = {"cuInit", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuEventCreate", "cuEventRecord", "cuEventSynchronize",
                                        "cuEventElapsedTime"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        void *found = library == NULL ? NULL : dlsym(library, names[i]);
        if (found == NULL)
            return false;
        memcpy((char *)&driver + i * sizeof found, &found, sizeof found);
    }
    return driver.init(0) == 0 && driver.retain(&context, 0) == 0 && driver.set(context) == 0;
}

struct bench {
    struct lw_module *module;
    struct lw_buffer *x, *y;
    struct lw_error error;
};

static enum lw_status scale(struct bench *b, bool parts, uint64_t n)
{
    return (parts ? scale_launch_split : scale_launch)(b->module, NULL, (unsigned)n, 1.5f, lw_buffer_f32(b->x), &b->error);
}

static enum lw_status saxpy(struct bench *b, bool parts, uint64_t n)
{
    return (parts ? saxpy_launch_split : saxpy_launch)(b->module, NULL, (unsigned)n, 1.5f, lw_buffer_f32(b->x), lw_buffer_f32(b->y), &b->error);
}

/* A product of side x 4 by 4 x side: in two dimensions, with little work for a thread. */
static enum lw_status outer(struct bench *b, bool parts, uint64_t side)
{
    struct lw_slice_f32 x = lw_buffer_f32(b->x);
    return (parts ? gemm_naive_launch_split : gemm_naive_launch)(b->module, NULL, (unsigned)side, (unsigned)side, 4, x, x, lw_buffer_f32(b->y), &b->error);
}

static int compare(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

static void measure(struct bench *b, const char *name, enum lw_status (*launch)(struct bench *, bool, uint64_t), uint64_t n)
{
    float times[2][REPEATS + WARM];
    void *events[2];
    driver.create(&events[0], 0);
    driver.create(&events[1], 0);
    for (int r = 0; r < REPEATS + WARM; r++)
        for (int parts = 0; parts < 2; parts++) {
            driver.record(events[0], NULL);
            if (launch(b, parts != 0, n) != LW_OK) {
                printf("%s: %s\n", name, b->error.message);
                return;
            }
            driver.record(events[1], NULL);
            driver.wait(events[1]);
            driver.elapsed(&times[parts][r], events[0], events[1]);
        }
    for (int parts = 0; parts < 2; parts++)
        qsort(times[parts] + WARM, REPEATS, sizeof(float), compare);
    float whole = times[0][WARM + REPEATS / 2] * 1000, cut = times[1][WARM + REPEATS / 2] * 1000;
    printf("%-12s %12llu %10.2f %10.2f  %+8.2f\n", name, (unsigned long long)n, (double)whole, (double)cut, (double)(cut - whole));
}

int main(void)
{
    static const uint64_t lengths[] = {1000000, 1000192, 10000001, 100000001, 1000000001}, sides[] = {1000, 1001, 4097, 16001, 30001};
    struct bench b = {0};
    struct lw_device *device;
    struct lw_device_options options = {.backend = "cuda"};
    if (lw_device_open(&options, &device, &b.error) != LW_OK || lw_module_load(device, &kernels_kernels, &b.module, &b.error) != LW_OK ||
        lw_buffer_create(device, 4100000000u, &b.x, &b.error) != LW_OK || lw_buffer_create(device, 4100000000u, &b.y, &b.error) != LW_OK) {
        printf("%s\n", b.error.message);
        return 2;
    }
    if (!load_driver())
        return 2;
    printf("%-12s %12s %10s %10s  %8s\n", "us, median", "size", "whole", "in parts", "more");
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        measure(&b, "scale", scale, lengths[i]);
        measure(&b, "saxpy", saxpy, lengths[i]);
    }
    for (unsigned i = 0; i < sizeof sides / sizeof *sides; i++)
        measure(&b, "gemm_naive", outer, sides[i]);
    lw_device_close(device);
    return 0;
}
