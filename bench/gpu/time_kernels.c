/* SPDX-License-Identifier: Apache-2.0
 *
 * Times kernels.cu on a GPU, raw, checked where not proved, and checked everywhere, side by side in one run, and compares all buffers bit
 * for bit.  The three are PTX files, made beforehand by prepare.sh; the driver compiles them.
 *
 *   time_kernels FOLDER [repetitions]      FOLDER holds raw.ptx, checked.ptx, all.ptx
 *   time_kernels FOLDER once NAME          launches each kernel of one PTX once (for a memory checker)
 */
#include "launch/fault.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 3, MAX_ARGUMENTS = 10, MAX_REPETITIONS = 101 };
static const char *const variant_names[VARIANTS] = {"raw", "checked", "all"};

static void check(CUresult result, const char *what)
{
    const char *text = "";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

/* Arguments as text: i32 scalars `i:5`, 64-bit `l:5`, f32 `f:0.5`, arrays `p:elements[%limit][^]`: floats, or integers below the limit,
 * or with ^ the running sums 0, k, 2k, ... (limit = k). */
struct job {
    const char *kernel;
    unsigned grid[3], block[3];
    const char *arguments;
};

static const struct job jobs[] = {
    {"gemm_naive", {64, 64, 1}, {16, 16, 1}, "i:1024 i:1024 i:1024 p:1048576 p:1048576 p:1048576"},
    {"gemm_naive", {63, 63, 1}, {16, 16, 1}, "i:1000 i:1000 i:1000 p:1000000 p:1000000 p:1000000"},
    {"gemm_naive", {128, 128, 1}, {16, 16, 1}, "i:2048 i:2048 i:2048 p:4194304 p:4194304 p:4194304"},
    {"gemm_tiled", {63, 63, 1}, {16, 16, 1}, "i:1000 i:1000 i:1000 p:1000000 p:1000000 p:1000000"},
    {"gemm_batched", {16, 16, 64}, {16, 16, 1}, "i:64 i:250 p:4000000 p:4000000 p:4000000"},
    {"attention_scores", {64, 64, 12}, {16, 16, 1}, "i:12 i:1020 i:64 p:783360 p:783360 p:12484800"},
    {"scale", {39063, 1, 1}, {256, 1, 1}, "i:10000001 f:1.5 p:10000001"},
    {"saxpy", {39063, 1, 1}, {256, 1, 1}, "i:10000001 f:1.5 p:10000001 p:10000001"},
    {"triad_strided", {1056, 1, 1}, {256, 1, 1}, "l:10000001 f:1.5 p:10000001 p:10000001 p:10000001"},
    {"copy_four", {9766, 1, 1}, {256, 1, 1}, "i:2500001 p:10000004 p:10000004"},
    {"stencil_1d", {39063, 1, 1}, {256, 1, 1}, "i:10000001 p:10000001 p:10000001"},
    {"stencil_2d", {125, 500, 1}, {32, 8, 1}, "i:3999 i:3999 p:15992001 p:15992001"},
    {"stencil_3d", {32, 32, 32}, {8, 8, 8}, "i:250 i:250 i:250 p:15625000 p:15625000"},
    {"transpose", {125, 125, 1}, {32, 8, 1}, "i:3999 i:3999 p:15992001 p:15992001"},
    {"block_sum", {39063, 1, 1}, {256, 1, 1}, "i:10000001 p:10000001 p:39063"},
    {"block_scan", {39063, 1, 1}, {256, 1, 1}, "i:10000001 p:10000001%1000 p:10000001%1"},
    {"histogram", {39063, 1, 1}, {256, 1, 1}, "i:10000001 i:4096 p:10000001%4096 p:4096%1"},
    {"histogram_open", {39063, 1, 1}, {256, 1, 1}, "i:10000001 i:4096 p:10000001%4096 p:4096%1"},
    {"spmv", {1954, 1, 1}, {256, 1, 1}, "i:500001 i:500000 i:8000016 p:500002%16^ p:8000016%500000 p:8000016 p:500000 p:500001"},
    {"spmv_open", {1954, 1, 1}, {256, 1, 1}, "i:500001 i:500000 i:8000016 p:500002%16^ p:8000016%500000 p:8000016 p:500000 p:500001"},
    {"gather", {39063, 1, 1}, {256, 1, 1}, "i:10000001 i:100000 p:10000001%100000 p:100000 p:10000001"},
    {"gather_open", {39063, 1, 1}, {256, 1, 1}, "i:10000001 i:100000 p:10000001%100000 p:100000 p:10000001"},
    {"scatter_open", {39063, 1, 1}, {256, 1, 1}, "i:10000001 i:100000 p:10000001%100000 p:100000%1"},
    {"layer_norm", {8192, 1, 1}, {256, 1, 1}, "i:8192 i:1000 p:8192000 p:8192000"},
    {"row_softmax", {8192, 1, 1}, {256, 1, 1}, "i:8192 i:1000 p:8192000 p:8192000"},
};

struct arguments {
    union {
        int i;
        long long l;
        float f;
        CUdeviceptr p;
    } values[MAX_ARGUMENTS];
    void *pointers[MAX_ARGUMENTS];
    CUdeviceptr arrays[MAX_ARGUMENTS];
    unsigned *contents[MAX_ARGUMENTS];
    size_t sizes[MAX_ARGUMENTS];
    unsigned count, array_count;
};

static unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static unsigned *make_contents(size_t elements, unsigned limit, int sums, unsigned seed)
{
    unsigned *contents = malloc(elements * sizeof *contents);
    for (size_t i = 0; i < elements; i++) {
        float value = (float)(mix((unsigned)i + seed) % 2001) / 1000.0f - 1.0f;
        if (sums)
            contents[i] = (unsigned)i * limit;
        else if (limit != 0)
            contents[i] = mix((unsigned)i + seed) % limit;
        else
            memcpy(&contents[i], &value, sizeof value);
    }
    return contents;
}

static void read_arguments(const char *text, struct arguments *arguments)
{
    memset(arguments, 0, sizeof *arguments);
    for (; *text != 0; text += strspn(text, " ")) {
        unsigned n = arguments->count++;
        arguments->pointers[n] = &arguments->values[n];
        char kind = *text;
        char *end;
        text += 2;
        if (kind == 'f') {
            arguments->values[n].f = strtof(text, &end);
        } else if (kind == 'l') {
            arguments->values[n].l = strtoll(text, &end, 10);
        } else if (kind == 'i') {
            arguments->values[n].i = (int)strtol(text, &end, 10);
        } else {
            size_t elements = strtoull(text, &end, 10);
            unsigned limit = *end == '%' ? (unsigned)strtoul(end + 1, &end, 10) : 0;
            int sums = *end == '^';
            end += sums;
            unsigned a = arguments->array_count++;
            arguments->sizes[a] = elements * 4;
            arguments->contents[a] = make_contents(elements, limit, sums, 1000 * n);
            check(cuMemAlloc(&arguments->arrays[a], elements * 4), "cuMemAlloc");
            arguments->values[n].p = arguments->arrays[a];
        }
        text = end;
    }
}

static void refill(const struct arguments *arguments)
{
    for (unsigned a = 0; a < arguments->array_count; a++)
        check(cuMemcpyHtoD(arguments->arrays[a], arguments->contents[a], arguments->sizes[a]), "cuMemcpyHtoD");
}

/* A number for all bits of all arrays. */
static unsigned long long digest(const struct arguments *arguments)
{
    unsigned long long hash = 0xcbf29ce484222325ull;
    for (unsigned a = 0; a < arguments->array_count; a++) {
        unsigned *now = malloc(arguments->sizes[a]);
        check(cuMemcpyDtoH(now, arguments->arrays[a], arguments->sizes[a]), "cuMemcpyDtoH");
        for (size_t i = 0; i < arguments->sizes[a] / 4; i++)
            hash = (hash ^ now[i]) * 0x100000001b3ull;
        free(now);
    }
    return hash;
}

static void launch(CUfunction function, const struct job *job, struct arguments *arguments)
{
    check(cuLaunchKernel(function, job->grid[0], job->grid[1], job->grid[2], job->block[0], job->block[1], job->block[2], 0, NULL,
                         arguments->pointers, NULL),
          job->kernel);
}

static void free_arguments(const struct arguments *arguments)
{
    for (unsigned a = 0; a < arguments->array_count; a++) {
        check(cuMemFree(arguments->arrays[a]), "cuMemFree");
        free(arguments->contents[a]);
    }
}

struct stopwatch {
    CUevent before, after;
};

static struct stopwatch make_stopwatch(void)
{
    struct stopwatch watch;
    check(cuEventCreate(&watch.before, 0), "cuEventCreate");
    check(cuEventCreate(&watch.after, 0), "cuEventCreate");
    return watch;
}

/* Milliseconds of one launch on the device. */
static float time_launch(const struct stopwatch *watch, CUfunction function, const struct job *job, struct arguments *arguments)
{
    float milliseconds;
    check(cuEventRecord(watch->before, NULL), "cuEventRecord");
    launch(function, job, arguments);
    check(cuEventRecord(watch->after, NULL), "cuEventRecord");
    check(cuEventSynchronize(watch->after), job->kernel);
    check(cuEventElapsedTime(&milliseconds, watch->before, watch->after), "cuEventElapsedTime");
    return milliseconds;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static CUmodule load(const char *folder, const char *name)
{
    char path[4096];
    CUmodule module;
    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    check(cuModuleLoad(&module, path), path);
    return module;
}

/* Gives the checks of a module a record to write, as a launcher does. */
static void use_record(CUmodule module)
{
    CUdeviceptr variable, address;
    size_t size;
    void *record;
    if (cuModuleGetGlobal(&variable, &size, module, LAUNCH_FAULT_VARIABLE) != CUDA_SUCCESS)
        return;
    check(cuMemHostAlloc(&record, sizeof(struct launch_fault_record), CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE), "cuMemHostAlloc");
    memset(record, 0, sizeof(struct launch_fault_record));
    check(cuMemHostGetDevicePointer(&address, record, 0), "cuMemHostGetDevicePointer");
    check(cuMemcpyHtoD(variable, &address, sizeof address), "cuMemcpyHtoD");
}

static void time_job(const CUmodule *modules, const struct job *job, int repetitions)
{
    struct arguments arguments;
    CUfunction functions[VARIANTS];
    struct stopwatch watch = make_stopwatch();
    float times[VARIANTS][MAX_REPETITIONS];
    unsigned long long digests[VARIANTS];
    read_arguments(job->arguments, &arguments);
    for (int v = 0; v < VARIANTS; v++) {
        check(cuModuleGetFunction(&functions[v], modules[v], job->kernel), job->kernel);
        refill(&arguments);
        launch(functions[v], job, &arguments);
        check(cuCtxSynchronize(), job->kernel);
        digests[v] = digest(&arguments);
    }
    for (int r = -3; r < repetitions; r++)
        for (int v = 0; v < VARIANTS; v++) { /* side by side: what drifts, drifts for all */
            float milliseconds = time_launch(&watch, functions[v], job, &arguments);
            if (r >= 0)
                times[v][r] = milliseconds;
        }
    int registers[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        qsort(times[v], (size_t)repetitions, sizeof times[v][0], compare_floats);
        check(cuFuncGetAttribute(&registers[v], CU_FUNC_ATTRIBUTE_NUM_REGS, functions[v]), "cuFuncGetAttribute");
    }
    int m = repetitions / 2;
    printf("%-17s %9.4f %9.4f %9.4f   %6.3f %6.3f   %3d %3d %3d   %s\n", job->kernel, times[0][m], times[1][m], times[2][m],
           times[1][m] / times[0][m], times[2][m] / times[0][m], registers[0], registers[1], registers[2],
           digests[0] == digests[1] && digests[0] == digests[2] ? "equal bits" : "BITS DIFFER");
    fflush(stdout);
    free_arguments(&arguments);
}

static void begin(void)
{
    CUdevice device;
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

/* Each kernel of one PTX twice; the second launch is timed. */
static void launch_once(const char *folder, const char *name)
{
    CUmodule module = load(folder, name);
    for (unsigned j = 0; j < sizeof jobs / sizeof *jobs; j++) {
        struct arguments arguments;
        struct stopwatch watch = make_stopwatch();
        CUfunction function;
        read_arguments(jobs[j].arguments, &arguments);
        refill(&arguments);
        check(cuModuleGetFunction(&function, module, jobs[j].kernel), jobs[j].kernel);
        launch(function, &jobs[j], &arguments);
        printf("%-17s %9.4f\n", jobs[j].kernel, time_launch(&watch, function, &jobs[j], &arguments));
        fflush(stdout);
        free_arguments(&arguments);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: time_kernels FOLDER [repetitions | once NAME]\n");
        return 2;
    }
    begin();
    if (argc > 3 && strcmp(argv[2], "once") == 0) {
        launch_once(argv[1], argv[3]);
        return 0;
    }
    int repetitions = argc > 2 ? atoi(argv[2]) : 30;
    if (repetitions < 1 || repetitions > MAX_REPETITIONS)
        return 2;
    CUmodule modules[VARIANTS];
    for (int v = 0; v < VARIANTS; v++) {
        modules[v] = load(argv[1], variant_names[v]);
        use_record(modules[v]);
    }
    printf("median of %d, milliseconds         raw   checked       all   checked/raw all/raw   registers\n", repetitions);
    for (unsigned j = 0; j < sizeof jobs / sizeof *jobs; j++)
        time_job(modules, &jobs[j], repetitions);
    return 0;
}
