/* SPDX-License-Identifier: Apache-2.0
 *
 * Every kernel of inputs/split.cu that --split cuts, launched whole and in parts on equal arrays: all bits must be the same.
 *
 *     host [--device cpu|cuda]
 *
 * One line a kernel; exit 1 when something differs, 5 when there is no such device.  On a GPU the launches with faults come last and are
 * only told: after one the process has no driver any more.
 */
#include "split_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 90000, NO_DEVICE = 5 };

struct host {
    struct lw_device *device;
    struct lw_module *module;
    struct lw_buffer *x, *y, *whole, *parts;
    struct lw_error error;
    const char *kernel;
    unsigned launches, wrong;
};

/* One launch on `out`, whole or in parts; a, b, c are its sizes. */
typedef enum lw_status launcher(struct host *host, struct lw_buffer *out, bool parts, unsigned a, unsigned b, unsigned c);

static void give_up(const struct host *host)
{
    printf("%s: %s\n", host->kernel != NULL ? host->kernel : "host", host->error.message);
    exit(2);
}

static void make(struct host *host, struct lw_buffer **buffer, unsigned modulus, bool is_float)
{
    uint32_t *words = calloc(CAPACITY, 4);
    for (unsigned i = 0; words != NULL && i < CAPACITY; i++) {
        float real = (float)(i % modulus) * 0.37f - 3.0f;
        words[i] = i % modulus;
        if (is_float)
            memcpy(&words[i], &real, 4);
    }
    if (words == NULL || lw_buffer_create(host->device, CAPACITY * 4, buffer, &host->error) != LW_OK ||
        lw_buffer_write(*buffer, 0, words, CAPACITY * 4, &host->error) != LW_OK)
        give_up(host);
    free(words);
}

static void same_bits(struct host *host, launcher *launch, unsigned a, unsigned b, unsigned c)
{
    static uint32_t start[CAPACITY], whole[CAPACITY], parts[CAPACITY];
    for (unsigned i = 0; i < CAPACITY; i++)
        start[i] = 0xabcd0000u + i;
    if (lw_buffer_write(host->whole, 0, start, sizeof start, &host->error) != LW_OK ||
        lw_buffer_write(host->parts, 0, start, sizeof start, &host->error) != LW_OK ||
        launch(host, host->whole, false, a, b, c) != LW_OK || launch(host, host->parts, true, a, b, c) != LW_OK ||
        lw_buffer_read(host->whole, 0, whole, sizeof whole, &host->error) != LW_OK ||
        lw_buffer_read(host->parts, 0, parts, sizeof parts, &host->error) != LW_OK)
        give_up(host);
    host->launches++;
    for (unsigned i = 0; i < CAPACITY; i++)
        if (whole[i] != parts[i]) {
            printf("%s (%u, %u, %u): WRONG at %u: %08x whole, %08x in parts\n", host->kernel, a, b, c, i, whole[i], parts[i]);
            host->wrong++;
            return;
        }
}

#define PART(name) (parts ? name##_launch_split : name##_launch)

static enum lw_status scale(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned b, unsigned c)
{
    (void)b, (void)c;
    return PART(scale)(host->module, NULL, n, 1.5f, lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status places(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned block, unsigned c)
{
    (void)c;
    return PART(places)(host->module, NULL, (struct lw_extent3){block, 1, 1}, (int)n, lw_buffer_i32(out), &host->error);
}

static enum lw_status stencil(struct host *host, struct lw_buffer *out, bool parts, unsigned w, unsigned h, unsigned c)
{
    (void)c;
    return PART(stencil)(host->module, NULL, (int)w, (int)h, lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status volume(struct host *host, struct lw_buffer *out, bool parts, unsigned a, unsigned b, unsigned c)
{
    return PART(volume)(host->module, NULL, (int)a, (int)b, (int)c, lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status block_sum(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned b, unsigned c)
{
    (void)b, (void)c;
    return PART(block_sum)(host->module, NULL, n, lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status tiled(struct host *host, struct lw_buffer *out, bool parts, unsigned m, unsigned n, unsigned k)
{
    return PART(tiled)(host->module, NULL, (int)m, (int)n, (int)k, lw_buffer_f32(host->x), lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status neighbours(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned b, unsigned c)
{
    (void)b, (void)c;
    return PART(neighbours)(host->module, NULL, n, lw_buffer_i32(host->y), lw_buffer_i32(out), &host->error);
}

static enum lw_status gather(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned cols, unsigned c)
{
    (void)c;
    return PART(gather)(host->module, NULL, n, cols, lw_buffer_u32(host->y), lw_buffer_f32(host->x), lw_buffer_f32(out), &host->error);
}

static enum lw_status one_more(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned b, unsigned c)
{
    (void)b, (void)c;
    return PART(one_more)(host->module, NULL, n, lw_buffer_i32(host->y), lw_buffer_i32(out), &host->error);
}

static enum lw_status histogram(struct host *host, struct lw_buffer *out, bool parts, unsigned n, unsigned bins, unsigned c)
{
    (void)c;
    return PART(histogram)(host->module, NULL, n, bins, lw_buffer_u32(host->y), lw_buffer_u32(out), &host->error);
}

static const unsigned lengths[] = {0, 1, 31, 32, 255, 256, 257, 511, 512, 1000, 4097};
static const unsigned sides[] = {0, 1, 7, 8, 9, 31, 32, 33, 63, 65, 100};

static void each_length(struct host *host, const char *name, launcher *launch, unsigned b)
{
    host->kernel = name;
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        same_bits(host, launch, lengths[i], b, 0);
}

static void each_side(struct host *host, const char *name, launcher *launch, unsigned c)
{
    host->kernel = name;
    for (unsigned i = 0; i < sizeof sides / sizeof *sides; i++)
        for (unsigned k = 0; k < sizeof sides / sizeof *sides; k++)
            same_bits(host, launch, sides[i], sides[k], c);
}

/* A fault names its place in the whole launch, whichever part it is in. */
static void expect_fault(struct host *host, unsigned n, unsigned block, unsigned thread)
{
    uint32_t keys[CAPACITY];
    char place[80];
    host->kernel = "gather";
    for (unsigned i = 0; i < CAPACITY; i++)
        keys[i] = i == block * 256 + thread ? 50 : i % 50;
    if (lw_buffer_write(host->y, 0, keys, sizeof keys, &host->error) != LW_OK)
        give_up(host);
    enum lw_status status = gather(host, host->parts, true, n, 50, 0);
    if (status == LW_OK)
        status = lw_device_wait(host->device, &host->error);
    snprintf(place, sizeof place, "block (%u,0,0), thread (%u,0,0)", block, thread);
    bool good = status == LW_ERROR_KERNEL_FAULT && strstr(host->error.message, place) != NULL && strstr(host->error.message, "gather: reads") != NULL;
    printf("fault in a part: %s%s\n", good ? "ok" : "WRONG: ", good ? "" : status == LW_OK ? "none" : host->error.message);
    host->wrong += !good;
}

static void open_device(struct host *host, const char *backend)
{
    struct lw_device_options options = {.backend = backend};
    enum lw_status status = lw_device_open(&options, &host->device, &host->error);
    if (status == LW_ERROR_NO_DRIVER || status == LW_ERROR_NO_DEVICE) {
        printf("%s\n", host->error.message);
        exit(NO_DEVICE);
    }
    if (status != LW_OK || lw_module_load(host->device, &split_kernels, &host->module, &host->error) != LW_OK)
        give_up(host);
    make(host, &host->x, 97, true);
    make(host, &host->y, 50, false);
    make(host, &host->whole, 1, false);
    make(host, &host->parts, 1, false);
}

int main(int count, char **words)
{
    const char *backend = count == 3 && strcmp(words[1], "--device") == 0 ? words[2] : "cpu";
    struct host host = {0};
    open_device(&host, backend);
    each_length(&host, "scale", scale, 0);
    each_length(&host, "places", places, 256);
    each_length(&host, "places", places, 100);
    each_side(&host, "stencil", stencil, 0);
    for (unsigned c = 0; c < 10; c += 3)
        each_side(&host, "volume", volume, c);
    each_length(&host, "block_sum", block_sum, 0);
    each_side(&host, "tiled", tiled, 21);
    each_length(&host, "neighbours", neighbours, 0);
    each_length(&host, "gather", gather, 50);
    each_length(&host, "one_more", one_more, 0);
    each_length(&host, "histogram", histogram, 50);
    if (tickets_launch(host.module, NULL, 300, lw_part_u32(lw_buffer_u32(host.x), 0, 1), lw_buffer_u32(host.whole), &host.error) != LW_OK)
        give_up(&host); /* what is not cut is launched as ever */
    printf("%s: %u launches, %u differ\n", lw_device_backend(host.device), host.launches, host.wrong);
    expect_fault(&host, 1000, 3, 99);
    lw_device_close(host.device);
    return host.wrong != 0;
}
