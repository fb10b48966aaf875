/* SPDX-License-Identifier: Apache-2.0
 *
 * A host program of the library: right launches, every launch that must be refused, and faults inside kernels.
 *
 *     host [--device cpu|cuda]
 *
 * One line a case, "ok" or what was wrong; exit 1 when something was wrong, 5 when there is no such device.
 */
#include "kernels_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 37, N = 29, K = 21, COUNT = 1000, NO_DEVICE = 5 };

static int failures;

static void expect(bool good, const char *what, const char *got)
{
    printf("%s: %s%s%s\n", what, good ? "ok" : "WRONG", good ? "" : ": ", good ? "" : got);
    failures += !good;
}

static void expect_error(enum lw_status status, enum lw_status wanted, const struct lw_error *error, const char *text, const char *what)
{
    bool good = status == wanted && error->status == wanted && strstr(error->message, text) != NULL;
    expect(good, what, status == LW_OK ? "no error" : error->message);
}

struct host {
    struct lw_device *device;
    struct lw_module *module;
    struct lw_buffer *a, *b, *c, *index;
    struct lw_error error;
};

static struct lw_buffer *make(struct host *host, uint64_t elements)
{
    struct lw_buffer *buffer;
    if (lw_buffer_create(host->device, elements * 4, &buffer, &host->error) != LW_OK) {
        printf("%s\n", host->error.message);
        exit(2);
    }
    return buffer;
}

static void fill(struct host *host, struct lw_buffer *buffer, int modulus)
{
    uint64_t count = lw_buffer_bytes(buffer) / 4;
    float *values = malloc((size_t)count * 4 + 4);
    for (uint64_t i = 0; i < count; i++)
        values[i] = (float)((int)(i % (uint64_t)modulus) - modulus / 2);
    if (lw_buffer_write(buffer, 0, values, count * 4, &host->error) != LW_OK)
        expect(false, "write", host->error.message);
    free(values);
}

static void begin(struct host *host, const char *backend)
{
    struct lw_device_options options = {.backend = backend};
    memset(host, 0, sizeof *host);
    enum lw_status status = lw_device_open(&options, &host->device, &host->error);
    if (status == LW_OK)
        status = lw_module_load(host->device, &kernels_kernels, &host->module, &host->error);
    if (status != LW_OK) {
        printf("%s: %s\n", lw_status_name(status), host->error.message);
        exit(status == LW_ERROR_NO_DRIVER || status == LW_ERROR_NO_DEVICE ? NO_DEVICE : 2);
    }
    host->a = make(host, COUNT);
    host->b = make(host, COUNT);
    host->c = make(host, 1073);
    host->index = make(host, COUNT);
    fill(host, host->a, 7);
    fill(host, host->b, 5);
    fill(host, host->c, 3);
}

/* ---- right launches -------------------------------------------------------------------------------------------------------- */

static bool is_product(const float *c)
{
    for (unsigned row = 0; row < M; row++)
        for (unsigned column = 0; column < N; column++) {
            float sum = 0, was = (float)((int)((row * N + column) % 3) - 1);
            for (unsigned i = 0; i < K; i++)
                sum += (float)((int)((row * K + i) % 7) - 3) * (float)((int)((i * N + column) % 5) - 2);
            if (c[row * N + column] != 2 * sum + was)
                return false;
        }
    return true;
}

static void check_results(struct host *host)
{
    static float c[M * N];
    struct lw_slice_f32 a = lw_buffer_f32(host->a), b = lw_buffer_f32(host->b), out = lw_buffer_f32(host->c);
    struct lw_stream *stream;
    struct lw_prepared *prepared;
    struct lw_error *error = &host->error;
    expect(sgemm_launch(host->module, NULL, M, N, K, 2, a, b, 1, out, error) == LW_OK && lw_device_wait(host->device, error) == LW_OK &&
               lw_buffer_read(host->c, 0, c, sizeof c, error) == LW_OK,
           "launch", error->message);
    expect(is_product(c), "its result", "differs");
    fill(host, host->c, 3);
    memset(c, 0, sizeof c);
    expect(lw_stream_open(host->device, &stream, error) == LW_OK &&
               sgemm_prepare(host->module, M, N, K, 2, a, b, 1, out, &prepared, error) == LW_OK &&
               lw_prepared_launch(prepared, stream, error) == LW_OK && lw_stream_wait(stream, error) == LW_OK &&
               lw_buffer_read(host->c, 0, c, sizeof c, error) == LW_OK,
           "prepared launch on a stream", error->message);
    expect(is_product(c), "its result", "differs");
    lw_prepared_free(prepared);
    lw_stream_close(stream);
    fill(host, host->c, 3);
    expect(sgemm_launch_unchecked(host->module, NULL, M, N, K, 2, a, b, 1, out, error) == LW_OK &&
               lw_buffer_read(host->c, 0, c, sizeof c, error) == LW_OK && is_product(c),
           "unchecked launch", error->message);
    memset(c, 0, sizeof c);
    fill(host, host->c, 3);
    expect(sgemm_launch(host->module, NULL, M, 0, K, 2, a, b, 1, out, error) == LW_OK &&
               lw_buffer_read(host->c, 0, c, 12, error) == LW_OK && c[0] == -1 && c[1] == 0 && c[2] == 1,
           "no work launches nothing", error->message);
    expect(scale_launch(host->module, NULL, a, a, 1, COUNT, error) == LW_OK, "in place where LW_MAY_ALIAS allows it", error->message);
    expect(lw_device_wait(host->device, error) == LW_OK, "all is well", error->message);
}

/* ---- launches that are refused ------------------------------------------------------------------------------------------------ */

static void check_contract(struct host *host)
{
    struct lw_slice_f32 a = lw_buffer_f32(host->a), b = lw_buffer_f32(host->b), c = lw_buffer_f32(host->c);
    struct lw_slice_f32 none = {NULL, COUNT}, shifted = {(float *)((uintptr_t)a.data + 2), COUNT - 1};
    struct lw_slice_i32 index = lw_buffer_i32(host->index);
    struct lw_module *module = host->module;
    struct lw_error error;
    expect_error(sgemm_launch(module, NULL, M, N, K, 2, lw_part_f32(a, 0, 512), b, 1, c, &error), LW_ERROR_CONTRACT, &error,
                 "sgemm: a holds 512 elements, its shape (m, k) needs 777", "too short");
    expect_error(sgemm_launch(module, NULL, M, N, 0, 2, a, b, 1, c, &error), LW_ERROR_CONTRACT, &error,
                 "sgemm: requirement `k >= 1` violated: left side is 0, right side is 1", "a relation");
    expect_error(sgemm_launch(module, NULL, 4000000000u, 4000000000u, 4000000000u, 2, a, b, 1, c, &error), LW_ERROR_CONTRACT, &error,
                 "requirement `m * k <= 4294967295` violated: left side is 16000000000000000000", "sizes that overflow");
    expect(strstr(error.message, "`m * n <= 4294967295`") != NULL && strstr(error.message, "b holds 1000 elements") != NULL,
           "all that is broken is listed", error.message);
    expect_error(scale_launch(module, NULL, b, a, 1, -5, &error), LW_ERROR_CONTRACT, &error,
                 "scale: requirement `n >= 0` violated: left side is -5, right side is 0", "a negative scalar");
    expect_error(scale_launch(module, NULL, none, a, 1, 5, &error), LW_ERROR_CONTRACT, &error, "scale: y is null, and needs 5 elements", "null");
    expect_error(scale_launch(module, NULL, shifted, b, 1, 5, &error), LW_ERROR_ALIGNMENT, &error,
                 "scale: y starts 2 bytes past a multiple of 4", "misaligned");
    expect_error(scale_launch(module, NULL, lw_part_f32(a, 3, 900), a, 1, 500, &error), LW_ERROR_OVERLAP, &error,
                 "scale: y and x overlap without starting at the same place", "half in place");
    expect_error(sgemm_launch(module, NULL, M, N, K, 2, a, b, 1, (struct lw_slice_f32){a.data, 1073}, &error), LW_ERROR_OVERLAP, &error,
                 "sgemm: c may be written and overlaps a", "overlapping");
    expect_error(sgemm_launch(module, NULL, M, N, K, 2, a, b, 1, (struct lw_slice_f32){c.data, (uint64_t)1 << 62}, &error),
                 LW_ERROR_CONTRACT, &error, "no array passes 2^47 bytes", "a length that no array has");
    expect_error(sgemm_launch(module, NULL, 1, 1, 1, 2, (struct lw_slice_f32){(float *)(uintptr_t)-16, 100}, b, 1, c, &error),
                 LW_ERROR_CONTRACT, &error, "a passes the end of the address space", "past the end of memory");
    int values[COUNT] = {0};
    values[500] = -1;
    expect(lw_buffer_write(host->index, 0, values, sizeof values, &error) == LW_OK, "write", error.message);
    lw_module_scan_values(module, true);
    expect_error(gather_known_launch(module, NULL, c, a, index, COUNT, 4, &error), LW_ERROR_CONTRACT, &error,
                 "gather_known: element 500 of index is -1, its values must lie in [0, 4)", "a value outside LW_VALUES, if asked for");
    lw_module_scan_values(module, false);
}

static void check_geometry(struct host *host)
{
    struct lw_slice_any v = lw_buffer_any(host->a, 16);
    struct lw_extent3 one = {1, 1, 1}, huge = {1, 70000, 1}, wide = {2048, 1, 1}, none = {1, 0, 1};
    struct lw_module *module = host->module;
    struct lw_error error;
    expect_error(plain_launch(module, NULL, huge, one, 64, v, 10, &error), LW_ERROR_CONTRACT, &error, "plain: grid.y is 70000, a device allows 65535",
                 "a grid over the limits");
    expect_error(plain_launch(module, NULL, one, wide, 64, v, 10, &error), LW_ERROR_CONTRACT, &error,
                 "a block of (2048, 1, 1) has more than the 1024 threads a device allows", "a block over the limits");
    expect_error(plain_launch(module, NULL, none, one, 64, v, 10, &error), LW_ERROR_CONTRACT, &error, "plain: grid.y is 0, less than 1", "an empty grid");
    expect_error(plain_launch(module, NULL, one, one, 300000, v, 10, &error), LW_ERROR_DEVICE_LIMIT, &error,
                 "plain: 300000 bytes of dynamic and 0 of static shared memory", "shared memory over the limits");
    v.data = (void *)((uintptr_t)v.data + 4);
    v.length--;
    expect(plain_launch(module, NULL, one, one, 64, v, 10, &error) == LW_OK, "an element's alignment is enough where that is what is used", error.message);
}

static void check_calls(struct host *host)
{
    struct lw_kernel *kernel;
    struct lw_module *other, *wrong;
    struct lw_device *device;
    struct lw_buffer *buffer;
    struct lw_error error;
    static float far[4];
    expect_error(lw_module_find(host->module, "sgem", &kernel, &error), LW_ERROR_NO_KERNEL, &error, "there is no kernel `sgem`; it has `sgemm`",
                 "an unknown kernel");
    expect(lw_module_find(host->module, "sgemm", &kernel, &error) == LW_OK, "a known one", error.message);
    expect_error(lw_module_load_text(host->device, "broken", ".version 8.3\n.target sm_80\n.address_size 64\n.entry x() { mov.u32 %r1, ; }\n", &wrong,
                                     &error),
                 LW_ERROR_PTX, &error, "broken: line 4", "wrong PTX");
    expect(lw_module_load_text(host->device, "empty", ".version 8.3\n.target sm_80\n.address_size 64\n", &other, &error) == LW_OK, "other PTX",
           error.message);
    expect_error(scale_launch(other, NULL, lw_buffer_f32(host->a), lw_buffer_f32(host->b), 1, 5, &error), LW_ERROR_NO_KERNEL, &error,
                 "the module `empty` has no kernel `scale`", "the wrong module");
    lw_module_unload(other);
    expect_error(lw_device_open(&(struct lw_device_options){.backend = "vulkan"}, &device, &error), LW_ERROR_ARGUMENT, &error,
                 "there is no backend `vulkan`: cuda, cpu", "an unknown backend");
    expect_error(lw_device_open(&(struct lw_device_options){.backend = lw_device_backend(host->device), .ordinal = 99}, &device, &error),
                 LW_ERROR_NO_DEVICE, &error, "99", "an unknown device");
    expect_error(lw_buffer_create(host->device, UINT64_MAX, &buffer, &error), LW_ERROR_MEMORY, &error, "no array passes 2^47", "a buffer too large");
    expect_error(lw_buffer_read(host->a, 3996, far, 16, &error), LW_ERROR_ARGUMENT, &error, "bytes 3996 to 4012 of a buffer of 4000",
                 "reading past a buffer");
    expect(lw_buffer_read(host->a, 0, far, 16, NULL) == LW_OK && lw_buffer_read(host->a, 4000, far, 1, NULL) == LW_ERROR_ARGUMENT,
           "nobody wants the text", "wrong status");
}

/* ---- faults inside kernels ------------------------------------------------------------------------------------------------------ */

static void check_fault(const char *backend)
{
    struct host host;
    struct lw_error error, again;
    float value;
    begin(&host, backend);
    int bad[COUNT] = {0};
    bad[901] = 4000;
    expect(lw_buffer_write(host.index, 0, bad, sizeof bad, &error) == LW_OK, "write", error.message);
    expect(gather_launch(host.module, NULL, lw_buffer_f32(host.c), lw_buffer_f32(host.a), lw_buffer_i32(host.index), COUNT, COUNT, &error) == LW_OK,
           "a launch that will fail", error.message);
    expect_error(lw_device_wait(host.device, &error), LW_ERROR_KERNEL_FAULT, &error,
                 "gather: reads element 4000 of x, which has 1000 elements (LW101), at ", "a checked gather");
    const struct lw_fault *fault = &error.fault;
    expect(fault->line == 23 && fault->block[0] == 14 && fault->thread[0] == 5 && fault->index == 4000 && fault->extent == COUNT &&
               fault->check != NULL && strcmp(fault->check, "LW101") == 0 && fault->array != NULL && strcmp(fault->array, "x") == 0,
           "its line, block, thread, index and extent", error.message);
    expect(lw_buffer_read(host.a, 0, &value, 4, &again) == LW_ERROR_KERNEL_FAULT && strcmp(again.message, error.message) == 0,
           "the device stays lost", again.message);
    lw_device_close(host.device);

    begin(&host, backend);
    expect(past_the_end_launch(host.module, NULL, lw_part_f32(lw_buffer_f32(host.a), 0, 999), 997, &error) == LW_OK, "a wrong tail", error.message);
    expect_error(lw_buffer_read(host.a, 0, &value, 4, &error), LW_ERROR_KERNEL_FAULT, &error, "past_the_end: writes element ", "a wrong tail stops");
    expect(error.fault.line == 48 && error.fault.block[0] == 15 && error.fault.thread[0] >= 37 && error.fault.extent == 997 &&
               error.fault.index == 15 * 64 + error.fault.thread[0],
           "at the right line and thread", error.message);
    printf("# %s\n", error.message);
    lw_device_close(host.device);
}

int main(int count, char **words)
{
    const char *backend = "cpu";
    struct host host;
    if (count == 3 && strcmp(words[1], "--device") == 0)
        backend = words[2];
    begin(&host, backend);
    check_results(&host);
    check_contract(&host);
    check_geometry(&host);
    check_calls(&host);
    lw_device_close(host.device);
    check_fault(backend);
    printf("%s\n", failures == 0 ? "all as it should be" : "SOMETHING IS WRONG");
    return failures != 0;
}
