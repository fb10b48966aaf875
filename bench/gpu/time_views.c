/* SPDX-License-Identifier: Apache-2.0
 *
 * Times the kernels of examples/gemm_views/gemm.cu on a GPU: views, their raw twins, the checked builds of both.  Variants take turns, each
 * turn of ten launches; the result of each is compared bit for bit with the raw twin's.
 *
 *   time_views FOLDER [turns]      FOLDER holds COMPILER/raw.ptx, checked.ptx, all.ptx, alone.ptx of prepare_views.sh
 */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 10, MAX_TURNS = 101 };

/* Of which PTX, which of the two kernels. */
static const struct variant {
    const char *title, *ptx, *kernel;
} variants[] = {
    {"raw", "raw", "raw"},
    {"views", "checked", "views"},
    {"views, no Lanewise", "alone", "views"},
    {"Lanewise build of raw", "checked", "raw"},
    {"check-all of raw", "all", "raw"},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

struct matrix {
    CUdeviceptr data;
    uint32_t rows, cols, stride;
};

static void check(CUresult result, const char *what)
{
    const char *text = "";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static float median(const float *values, int count)
{
    float sorted[MAX_TURNS];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    return count % 2 != 0 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    char *text = calloc((size_t)size + 1, 1);
    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size)
        exit(1);
    fclose(file);
    return text;
}

/* The kernel whose mangled name has `name` in it. */
static CUfunction find(const char *folder, const char *compiler, const char *ptx, const char *name)
{
    char path[4096], entry[256];
    CUmodule module;
    CUfunction function;
    snprintf(path, sizeof path, "%s/%s/%s.ptx", folder, compiler, ptx);
    char *text = read_text(path), *at = text;
    check(cuModuleLoadData(&module, text), path);
    while ((at = strstr(at, ".entry ")) != NULL) {
        at += strlen(".entry ");
        size_t size = strcspn(at, " (\n");
        snprintf(entry, sizeof entry, "%.*s", (int)size, at);
        if (strstr(entry, name) != NULL) {
            check(cuModuleGetFunction(&function, module, entry), entry);
            free(text);
            return function;
        }
    }
    fprintf(stderr, "%s has no kernel %s\n", path, name);
    exit(1);
}

static struct matrix make_matrix(uint32_t rows, uint32_t cols, uint32_t seed)
{
    struct matrix matrix = {0, rows, cols, cols};
    size_t count = (size_t)rows * cols;
    float *values = malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((i * 2654435761u + seed) % 2001) / 1000.0f - 1.0f;
    check(cuMemAlloc(&matrix.data, count * sizeof *values), "cuMemAlloc");
    check(cuMemcpyHtoD(matrix.data, values, count * sizeof *values), "cuMemcpyHtoD");
    free(values);
    return matrix;
}

static float time_turn(CUfunction function, uint32_t size, void **arguments, const CUevent events[2])
{
    float milliseconds;
    unsigned blocks = (size + 15) / 16;
    check(cuEventRecord(events[0], NULL), "cuEventRecord");
    for (int i = 0; i < LAUNCHES; i++)
        check(cuLaunchKernel(function, blocks, blocks, 1, 16, 16, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
    check(cuEventRecord(events[1], NULL), "cuEventRecord");
    check(cuEventSynchronize(events[1]), "cuEventSynchronize");
    check(cuEventElapsedTime(&milliseconds, events[0], events[1]), "cuEventElapsedTime");
    return milliseconds / LAUNCHES;
}

/* One row of the table; true if all results had the raw twin's bits. */
static int time_kind(const char *folder, const char *compiler, const char *kind, uint32_t size, int turns)
{
    CUfunction functions[VARIANTS];
    CUevent events[2];
    static float times[VARIANTS][MAX_TURNS], ratios[MAX_TURNS];
    struct matrix a = make_matrix(size, size, 1), b = make_matrix(size, size, 7), c = make_matrix(size, size, 0);
    void *arguments[] = {&a, &b, &c};
    size_t bytes = (size_t)size * size * sizeof(float);
    char *first = malloc(bytes), *result = malloc(bytes);
    int same = 1;
    for (int i = 0; i < 2; i++)
        check(cuEventCreate(&events[i], 0), "cuEventCreate");
    for (int v = 0; v < VARIANTS; v++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", kind, variants[v].kernel);
        functions[v] = find(folder, compiler, variants[v].ptx, name);
        check(cuMemsetD8(c.data, 0xff, bytes), "cuMemsetD8");
        time_turn(functions[v], size, arguments, events);
        check(cuMemcpyDtoH(v == 0 ? first : result, c.data, bytes), "cuMemcpyDtoH");
        same &= v == 0 || memcmp(first, result, bytes) == 0;
    }
    for (int t = 0; t < turns; t++)
        for (int i = 0; i < VARIANTS; i++) {
            int v = (i + t) % VARIANTS;
            times[v][t] = time_turn(functions[v], size, arguments, events);
        }
    printf("%-6s %-5s %5u", compiler, kind, size);
    for (int v = 0; v < VARIANTS; v++) {
        for (int t = 0; t < turns; t++)
            ratios[t] = times[0][t] / times[v][t];
        printf("  %8.4f %6.4f", median(times[v], turns), median(ratios, turns));
    }
    printf("  %s\n", same ? "equal bits" : "BITS DIFFER");
    free(first);
    free(result);
    check(cuMemFree(a.data), "cuMemFree");
    check(cuMemFree(b.data), "cuMemFree");
    check(cuMemFree(c.data), "cuMemFree");
    return same;
}

int main(int count, char **words)
{
    static const char *const compilers[] = {"clang", "nvcc"}, *const kinds[] = {"naive", "tiled"};
    static const uint32_t sizes[] = {1024, 1000};
    int turns = count > 2 ? atoi(words[2]) : 30, same = 1;
    CUdevice device;
    CUcontext context;
    if (count < 2 || turns < 1 || turns > MAX_TURNS) {
        fprintf(stderr, "usage: time_views FOLDER [turns]\n");
        return 2;
    }
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    printf("milliseconds a launch, median of %d turns of %d launches; and the raw twin's time over it, median over the turns\n", turns, LAUNCHES);
    for (int v = 0; v < VARIANTS; v++)
        printf("%s%s", v == 0 ? "columns: " : "; ", variants[v].title);
    printf("\n");
    for (int compiler = 0; compiler < 2; compiler++)
        for (int size = 0; size < 2; size++)
            for (int kind = 0; kind < 2; kind++)
                same &= time_kind(words[1], compilers[compiler], kinds[kind], sizes[size], turns);
    return !same;
}
