/* SPDX-License-Identifier: Apache-2.0
 *
 * A host program of the library over kernels.cu:
 *
 *   host run BACKEND FOLDER     launches each kernel once through its launcher; its output goes to FOLDER/KERNEL.bin
 *   host compare A B            the outputs of two such folders: equal bits, or the largest relative difference
 *   host fault BACKEND          `planted` at partial tiles: the host's error of each, and that the program goes on
 *   host cost [LIBCUDA]         what a launch costs the host: the driver's own, prepared, unchecked, checked
 */
#include "kernels_kernels.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARRAYS = 5, N = 4099, ROWS = 37, COLS = 100, COUNT_OF_BATCH = 200, BATCHES = 101 };

struct host {
    struct lw_device *device;
    struct lw_module *module;
    struct lw_error error;
    struct lw_buffer *buffers[ARRAYS];
    uint64_t sizes[ARRAYS];
};

static void stop(const struct host *host, const char *what)
{
    printf("%s: %s\n", what, host->error.message);
    exit(host->error.status == LW_ERROR_NO_DRIVER || host->error.status == LW_ERROR_NO_DEVICE ? 5 : 2);
}

static void begin(struct host *host, const char *backend)
{
    memset(host, 0, sizeof *host);
    if (lw_device_open(&(struct lw_device_options){.backend = backend}, &host->device, &host->error) != LW_OK ||
        lw_module_load(host->device, &kernels_kernels, &host->module, &host->error) != LW_OK)
        stop(host, backend);
}

static void put(struct host *host, unsigned index, const void *data, uint64_t bytes)
{
    lw_buffer_free(host->buffers[index]);
    if (lw_buffer_create(host->device, bytes, &host->buffers[index], &host->error) != LW_OK ||
        lw_buffer_write(host->buffers[index], 0, data, bytes, &host->error) != LW_OK)
        stop(host, "buffer");
}

/* Floats in (-1, 1) with all their bits in use, so that the order of additions shows. */
static struct lw_slice_f32 reals(struct host *host, unsigned index, uint64_t count)
{
    float *values = malloc(count * sizeof *values);
    uint32_t state = 12345 + index;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = (float)(int32_t)state / 2147483648.0f;
    }
    put(host, index, values, count * sizeof *values);
    free(values);
    return lw_buffer_f32(host->buffers[index]);
}

/* step 0: pseudo-random below `limit`; else 0, step, 2 * step ... */
static struct lw_slice_u32 integers(struct host *host, unsigned index, uint64_t count, uint32_t limit, uint32_t step)
{
    uint32_t *values = malloc(count * sizeof *values), state = 777 + index;
    for (uint64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = step != 0 ? (uint32_t)i * step : limit == 0 ? 0 : (state >> 8) % limit;
    }
    put(host, index, values, count * sizeof *values);
    free(values);
    return lw_buffer_u32(host->buffers[index]);
}

static struct lw_slice_i32 as_signed(struct lw_slice_u32 slice)
{
    return (struct lw_slice_i32){(int32_t *)slice.data, slice.length};
}

/* ---- every kernel ------------------------------------------------------------------------------------------------------------ */

#define R(index, count) reals(host, index, count)
#define U(index, count, limit) integers(host, index, count, limit, 0)
#define M host->module, NULL
#define E &host->error
#define CASE(name, output, ...)                                                                                                       \
    static enum lw_status run_##name(struct host *host)                                                                               \
    {                                                                                                                                 \
        return name##_launch(__VA_ARGS__);                                                                                            \
    }                                                                                                                                 \
    enum { output_##name = output };

CASE(gemm_naive, 2, M, 61, 53, 47, R(0, 61 * 47), R(1, 47 * 53), R(2, 61 * 53), E)
CASE(gemm_tiled, 2, M, 61, 53, 47, R(0, 61 * 47), R(1, 47 * 53), R(2, 61 * 53), E)
CASE(scale, 0, M, N, 1.7f, R(0, N), E)
CASE(saxpy, 1, M, N, 1.7f, R(0, N), R(1, N), E)
CASE(triad_strided, 2, M, (struct lw_extent3){3, 1, 1}, N, 1.7f, R(0, N), R(1, N), R(2, N), E)
CASE(copy_four, 1, M, N / 4, (R(0, N), lw_buffer_any(host->buffers[0], 16)), (R(1, N), lw_buffer_any(host->buffers[1], 16)), E)
CASE(stencil_1d, 1, M, N, R(0, N), R(1, N), E)
CASE(stencil_2d, 1, M, COLS, ROWS, R(0, ROWS * COLS), R(1, ROWS * COLS), E)
CASE(stencil_3d, 1, M, 17, 13, 11, R(0, 17 * 13 * 11), R(1, 17 * 13 * 11), E)
CASE(transpose, 1, M, (struct lw_extent3){4, 2, 1}, COLS, ROWS, R(0, ROWS * COLS), R(1, ROWS * COLS), E)
CASE(block_sum, 1, M, (struct lw_extent3){17, 1, 1}, N, R(0, N), R(1, 17), E)
CASE(block_scan, 1, M, (struct lw_extent3){17, 1, 1}, N, U(0, N, 1000), U(1, N, 1), E)
CASE(histogram, 1, M, N, 61, U(0, N, 61), U(1, 61, 1), E)
CASE(histogram_open, 1, M, N, 61, U(0, N, 61), U(1, 61, 1), E)
CASE(spmv, 4, M, 200, 150, 3200, as_signed(integers(host, 0, 201, 0, 16)), as_signed(U(1, 3200, 150)), R(2, 3200), R(3, 150), R(4, 200), E)
CASE(spmv_open, 4, M, 200, 150, 3200, as_signed(integers(host, 0, 201, 0, 16)), as_signed(U(1, 3200, 150)), R(2, 3200), R(3, 150), R(4, 200), E)
CASE(gather, 2, M, N, 61, U(0, N, 61), R(1, 61), R(2, N), E)
CASE(gather_open, 2, M, N, 61, U(0, N, 61), R(1, 61), R(2, N), E)
CASE(gemm_batched, 2, M, (struct lw_extent3){2, 2, 3}, 3, 30, R(0, 2700), R(1, 2700), R(2, 2700), E)
CASE(layer_norm, 1, M, (struct lw_extent3){ROWS, 1, 1}, ROWS, COLS, R(0, ROWS * COLS), R(1, ROWS * COLS), E)
CASE(row_softmax, 1, M, (struct lw_extent3){ROWS, 1, 1}, ROWS, COLS, R(0, ROWS * COLS), R(1, ROWS * COLS), E)
CASE(attention_scores, 2, M, (struct lw_extent3){3, 3, 2}, 2, 35, 40, R(0, 2800), R(1, 2800), R(2, 2450), E)

#define ROW(name) {#name, run_##name, output_##name}
static const struct {
    const char *name;
    enum lw_status (*run)(struct host *host);
    unsigned output;
} cases[] = {
    ROW(gemm_naive), ROW(gemm_tiled),     ROW(gemm_batched), ROW(attention_scores), ROW(scale),       ROW(saxpy),       ROW(triad_strided), ROW(copy_four),
    ROW(stencil_1d), ROW(stencil_2d),     ROW(stencil_3d),   ROW(transpose),        ROW(block_sum),   ROW(block_scan),  ROW(histogram),
    ROW(spmv),       ROW(histogram_open), ROW(spmv_open),    ROW(gather),           ROW(gather_open), ROW(layer_norm), ROW(row_softmax),
};
enum { CASES = sizeof cases / sizeof *cases };

static int run_all(const char *backend, const char *folder)
{
    struct host host;
    int failed = 0;
    begin(&host, backend);
    for (unsigned i = 0; i < CASES; i++) {
        char path[1024];
        struct lw_buffer *output = NULL;
        enum lw_status status = cases[i].run(&host);
        output = host.buffers[cases[i].output];
        uint64_t bytes = lw_buffer_bytes(output);
        void *data = malloc(bytes);
        if (status == LW_OK)
            status = lw_buffer_read(output, 0, data, bytes, &host.error);
        snprintf(path, sizeof path, "%s/%s.bin", folder, cases[i].name);
        FILE *file = status == LW_OK ? fopen(path, "wb") : NULL;
        if (file == NULL || fwrite(data, 1, bytes, file) != bytes) {
            printf("%s: %s\n", cases[i].name, status == LW_OK ? "its output cannot be written" : host.error.message);
            failed = 1;
        }
        if (file != NULL)
            fclose(file);
        free(data);
    }
    printf("%s (%s): %d kernels\n", lw_device_backend(host.device), lw_device_name(host.device), CASES);
    lw_device_close(host.device);
    return failed;
}

/* ---- two folders ----------------------------------------------------------------------------------------------------------------- */

static float *load(const char *folder, const char *name, size_t *count)
{
    enum { MOST = 1 << 20 };
    char path[1024];
    float *values = malloc(MOST * sizeof *values);
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *file = fopen(path, "rb");
    *count = file != NULL ? fread(values, sizeof *values, MOST, file) : 0;
    if (file != NULL)
        fclose(file);
    return values;
}

static int compare(const char *a, const char *b)
{
    /* Square roots, quotients and exponentials that are approximated: docs/arithmetic.md states the bounds. */
    static const char *const approximate[] = {"layer_norm", "row_softmax", "attention_scores"};
    int bad = 0;
    for (unsigned i = 0; i < CASES; i++) {
        size_t count, other;
        float *left = load(a, cases[i].name, &count), *right = load(b, cases[i].name, &other);
        double worst = 0, largest = 0;
        size_t differ = 0;
        bool may_differ = false;
        for (unsigned k = 0; k < sizeof approximate / sizeof *approximate; k++)
            may_differ |= strcmp(approximate[k], cases[i].name) == 0;
        for (size_t k = 0; k < count && k < other; k++) {
            differ += memcmp(&left[k], &right[k], sizeof *left) != 0;
            largest = fmax(largest, fabs((double)right[k]));
            worst = fmax(worst, fabs((double)left[k] - right[k]));
        }
        bool good = count != 0 && count == other && (differ == 0 || (may_differ && worst <= 1e-5 * largest));
        printf("%-18s %6zu words: ", cases[i].name, count);
        if (count == 0 || count != other)
            printf("no output to compare\n");
        else if (differ == 0)
            printf("equal bits\n");
        else
            printf("%zu differ, by at most %.2g of the largest%s\n", differ, worst / largest, good ? "" : ": WRONG");
        bad |= !good;
        free(left);
        free(right);
    }
    return bad;
}

/* ---- faults ------------------------------------------------------------------------------------------------------------------------- */

static int fault_at(const char *backend, uint32_t size)
{
    struct host one, *host = &one;
    begin(host, backend);
    enum lw_status status = planted_launch(host->module, NULL, size, reals(host, 0, size), reals(host, 1, size), &host->error);
    if (status == LW_OK)
        status = lw_device_wait(host->device, &host->error);
    bool expected = size % 256 != 0, seen = status == LW_ERROR_KERNEL_FAULT && host->error.fault.line != 0;
    printf("n = %-7u %s\n", size, status == LW_OK ? "ended well" : host->error.message);
    lw_device_close(host->device);
    fflush(stdout);
    return expected != seen;
}

static int faults(const char *backend)
{
    static const uint32_t sizes[] = {1, 31, 33, 255, 256, 257, 1000, 100001};
    int bad = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        /* After a trap the driver serves this process no more: each size has one of its own. */
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(fault_at(backend, sizes[i]));
        int status = 1;
        bad |= child < 0 || waitpid(child, &status, 0) < 0 || status != 0;
    }
    printf(bad ? "WRONG\n" : "all as planted, and the program goes on\n");
    return bad;
}

/* ---- the cost of a launch ---------------------------------------------------------------------------------------------------------------- */

struct driver {
    int (*retain)(void **context, int device);
    int (*push)(void *context);
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *stream, void **parameters,
                  void **extra);
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void find_driver(struct driver *driver, const char *path)
{
    static const char *const names[] = {"cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuLaunchKernel"};
    void *library = dlopen(path, RTLD_NOW);
    void *found[3];
    for (unsigned i = 0; i < 3; i++)
        if (library == NULL || (found[i] = dlsym(library, names[i])) == NULL) {
            printf("no driver to compare with\n");
            exit(5);
        }
    memcpy(driver, found, sizeof found);
}

enum way { BY_DRIVER, PREPARED, UNCHECKED, CHECKED, CHECKED_GEMM, WAYS };

struct trial {
    struct host host;
    struct driver driver;
    void *function;
    struct lw_prepared *prepared;
    struct lw_slice_f32 x, a, b, c;
    void *address;
};

static int launch_once(struct trial *trial, enum way way)
{
    struct host *host = &trial->host;
    static unsigned n = 256;
    static float factor = 1;
    void *parameters[] = {&n, &factor, &trial->address};
    switch (way) {
    case BY_DRIVER:
        return trial->driver.launch(trial->function, 1, 1, 1, 256, 1, 1, 0, NULL, parameters, NULL);
    case PREPARED:
        return lw_prepared_launch(trial->prepared, NULL, &host->error);
    case UNCHECKED:
        return scale_launch_unchecked(host->module, NULL, n, factor, trial->x, &host->error);
    case CHECKED:
        return scale_launch(host->module, NULL, n, factor, trial->x, &host->error);
    default: /* three arrays, three relations */
        return gemm_naive_launch(host->module, NULL, 16, 16, 1, trial->a, trial->b, trial->c, &host->error);
    }
}

static int cost(const char *path)
{
    static const char *const names[] = {"cuLaunchKernel", "prepared", "unchecked", "checked (1 array)", "checked (gemm: 3 arrays, 3 relations)"};
    static double times[WAYS][BATCHES], over[WAYS][BATCHES];
    struct trial trial;
    struct lw_kernel *kernel;
    void *context;
    find_driver(&trial.driver, path);
    struct host *host = &trial.host;
    begin(host, "cuda");
    trial.x = reals(host, 0, 256);
    trial.a = reals(host, 1, 256);
    trial.b = reals(host, 2, 256);
    trial.c = reals(host, 3, 256);
    trial.address = trial.x.data;
    if (lw_module_find(host->module, "scale", &kernel, &host->error) != LW_OK ||
        scale_prepare(host->module, 256, 1, trial.x, &trial.prepared, &host->error) != LW_OK)
        stop(host, "prepare");
    trial.function = lw_kernel_handle(kernel);
    if (trial.driver.retain(&context, 0) != 0 || trial.driver.push(context) != 0)
        return 2;
    for (unsigned batch = 0; batch < BATCHES; batch++)
        for (int way = 0; way < WAYS; way++) {
            double start = now();
            for (unsigned i = 0; i < COUNT_OF_BATCH; i++)
                if (launch_once(&trial, (enum way)way) != 0)
                    stop(host, names[way]);
            times[way][batch] = (now() - start) / COUNT_OF_BATCH;
            over[way][batch] = times[way][batch] - times[BY_DRIVER][batch];
            if (lw_device_wait(host->device, &host->error) != LW_OK)
                stop(host, names[way]);
        }
    printf("median of %d batches of %d launches, nanoseconds of the host a launch\n", BATCHES, COUNT_OF_BATCH);
    for (int way = 0; way < WAYS; way++) {
        qsort(times[way], BATCHES, sizeof(double), by_size);
        qsort(over[way], BATCHES, sizeof(double), by_size);
        printf("%-40s %8.0f   %+8.0f over the driver's own\n", names[way], times[way][BATCHES / 2], over[way][BATCHES / 2]);
    }
    lw_device_close(host->device);
    return 0;
}

int main(int count, char **words)
{
    if (count == 4 && strcmp(words[1], "run") == 0)
        return run_all(words[2], words[3]);
    if (count == 4 && strcmp(words[1], "compare") == 0)
        return compare(words[2], words[3]);
    if (count == 3 && strcmp(words[1], "fault") == 0)
        return faults(words[2]);
    if ((count == 2 || count == 3) && strcmp(words[1], "cost") == 0)
        return cost(count == 3 ? words[2] : "libcuda.so.1");
    fputs("usage: host run BACKEND FOLDER | compare A B | fault BACKEND | cost [LIBCUDA]\n", stderr);
    return 2;
}
