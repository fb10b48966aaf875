/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs launches on a real GPU through the driver API and compares the results with their `want`, by the same code that compares the
 * emulator's.  Reads lines `NAME PTX CASE` from standard input: a name, a file of PTX and a file whose head comment holds the launch.
 * With `--out DIR` the outputs without a `want` are kept as DIR/NAME/<argument>.npy.
 *
 * The driver is loaded at run time, so this builds without the CUDA toolkit.  Buffers are allocated and filled as the launch says,
 * undefined contents as 0xcd bytes.  Limits: buffers as large as the device's memory; a kernel that faults ends the context, so the launches
 * after it are run in a new one; a kernel that never ends never ends.
 */
#include "launch/launch.h"
#include "launch/run.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int gpu_result;
typedef void *gpu_handle;
typedef unsigned long long gpu_address;

/* name, symbol in libcuda, parameters */
#define GPU_CALLS(CALL)                                                                                       \
    CALL(init, "cuInit", (unsigned))                                                                          \
    CALL(retain, "cuDevicePrimaryCtxRetain", (gpu_handle *, int))                                             \
    CALL(reset, "cuDevicePrimaryCtxReset_v2", (int))                                                          \
    CALL(set_current, "cuCtxSetCurrent", (gpu_handle))                                                        \
    CALL(synchronise, "cuCtxSynchronize", (void))                                                             \
    CALL(load, "cuModuleLoadData", (gpu_handle *, const void *))                                              \
    CALL(unload, "cuModuleUnload", (gpu_handle))                                                              \
    CALL(get_function, "cuModuleGetFunction", (gpu_handle *, gpu_handle, const char *))                       \
    CALL(get_global, "cuModuleGetGlobal_v2", (gpu_address *, size_t *, gpu_handle, const char *))             \
    CALL(set_attribute, "cuFuncSetAttribute", (gpu_handle, int, int))                                         \
    CALL(allocate, "cuMemAlloc_v2", (gpu_address *, size_t))                                                  \
    CALL(release, "cuMemFree_v2", (gpu_address))                                                              \
    CALL(to_device, "cuMemcpyHtoD_v2", (gpu_address, const void *, size_t))                                   \
    CALL(to_host, "cuMemcpyDtoH_v2", (void *, gpu_address, size_t))                                           \
    CALL(launch, "cuLaunchKernel",                                                                            \
         (gpu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, gpu_handle, void **, void **)) \
    CALL(error_name, "cuGetErrorName", (gpu_result, const char **))

struct gpu {
#define CALL(name, symbol, parameters) gpu_result(*name) parameters;
    GPU_CALLS(CALL)
#undef CALL
};

enum { ATTRIBUTE_DYNAMIC_SHARED = 8 };

/* One launch on its way. */
struct job {
    struct gpu *gpu;
    const char *name, *out;
    struct arena arena;
    struct ptx_module *module;
    struct launch_run *run;
    struct report_kernel kernel;
    struct diagnostic_list diagnostics;
    gpu_handle code, function;
    gpu_address *addresses; /* parallel to the run's buffers */
    char problem[200];
};

static bool gpu_open(struct gpu *gpu)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "gpu_reference: no driver: %s\n", dlerror());
        return false;
    }
#define CALL(name, symbol, parameters)                                        \
    *(void **)(void *)&gpu->name = dlsym(library, symbol);                    \
    if (gpu->name == NULL) {                                                  \
        fprintf(stderr, "gpu_reference: the driver has no %s\n", symbol);     \
        return false;                                                         \
    }
    GPU_CALLS(CALL)
#undef CALL
    return gpu->init(0) == 0;
}

static bool check(struct job *job, gpu_result result, const char *what)
{
    const char *name = "unknown error";
    if (result == 0)
        return true;
    job->gpu->error_name(result, &name);
    snprintf(job->problem, sizeof job->problem, "%s: %s", what, name);
    return false;
}

static bool complain(struct job *job, const char *what)
{
    const char *why = "";
    for (uint32_t i = 0; i < job->diagnostics.items.count; i++)
        if (job->diagnostics.items.data[i].severity == SEVERITY_ERROR) {
            why = job->diagnostics.items.data[i].message;
            break;
        }
    snprintf(job->problem, sizeof job->problem, "%s: %s", what, why);
    return false;
}

static uint64_t buffer_bytes(const struct launch_buffer *buffer)
{
    return buffer->length * value_type_info(buffer->argument->type)->size;
}

/* Reads both files and prepares the launch on an emulator, whose memory then holds the initial contents. */
static bool prepare(struct job *job, const char *ptx_path, const char *case_path)
{
    size_t size;
    struct launch_comment comment = {0};
    const char *text = file_read(&job->arena, ptx_path, &size);
    if (text == NULL)
        return complain(job, "the PTX cannot be read");
    job->module = ptx_parse(&job->arena, ptx_path, text, size, &job->diagnostics);
    if (job->diagnostics.errors > 0)
        return complain(job, "the PTX does not parse");
    text = file_read(&job->arena, case_path, &size);
    if (text == NULL)
        return complain(job, "the case cannot be read");
    launch_comment_parse(&job->arena, case_path, text, size, &comment, &job->diagnostics);
    if (job->diagnostics.errors > 0 || comment.launches.count != 1)
        return complain(job, "the case has no single launch");
    const struct launch *launch = &comment.launches.data[0];
    uint32_t function = launch_find_kernel(&job->arena, job->module, launch, NULL, &job->diagnostics);
    if (function == PTX_NONE)
        return complain(job, "no such kernel");
    struct launch_run_options *options = ARENA_NEW(&job->arena, struct launch_run_options);
    struct launch *kept = ARENA_NEW(&job->arena, struct launch);
    *kept = *launch;
    job->kernel.name = job->module->functions.data[function].name;
    job->run = launch_run_begin(&job->arena, job->module, function, kept, options, &job->kernel, &job->diagnostics);
    if (job->run == NULL)
        return complain(job, "the launch does not fit the kernel");
    if (job->run->refused)
        return complain(job, "the geometry is refused");
    return check(job, job->gpu->load(&job->code, job->module->text), "loading") &&
           check(job, job->gpu->get_function(&job->function, job->code, job->kernel.name), "finding the kernel");
}

static bool upload(struct job *job)
{
    uint32_t count = launch_run_buffer_count(job->run);
    job->addresses = ARENA_ARRAY(&job->arena, gpu_address, count + 1);
    for (uint32_t b = 0; b < count; b++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(job->run, b);
        uint64_t bytes = buffer_bytes(buffer);
        unsigned element = value_type_info(buffer->argument->type)->size;
        size_t symbol_bytes;
        if (buffer->argument->role == ROLE_SYMBOL
                ? !check(job, job->gpu->get_global(&job->addresses[b], &symbol_bytes, job->code, buffer->argument->name),
                         "finding a symbol")
                : !check(job, job->gpu->allocate(&job->addresses[b], bytes + 256), "allocating"))
            return false;
        if (bytes == 0)
            continue;
        char *data = malloc(bytes);
        uint8_t *defined = malloc(buffer->length);
        bool ok = data != NULL && defined != NULL &&
                  launch_run_read(job->run, buffer, 0, buffer->length, data, defined);
        for (uint64_t i = 0; ok && i < buffer->length; i++)
            if (!defined[i])
                memset(data + i * element, 0xcd, element);
        ok = ok && check(job, job->gpu->to_device(job->addresses[b], data, bytes), "copying to the device");
        free(data);
        free(defined);
        if (!ok)
            return job->problem[0] != '\0' ? false : complain(job, "out of memory");
    }
    return true;
}

/* Emulated addresses in the parameter block become the device's.  Emulated allocations lie so far apart that nothing else in
 * a block looks like one. */
static void translate_parameters(struct job *job, uint8_t *parameters)
{
    for (uint32_t at = 0; at + 8 <= job->run->parameters_size; at += 8) {
        uint64_t word;
        memcpy(&word, parameters + at, 8);
        for (uint32_t b = 0; b < job->run->buffer_count; b++) {
            const struct launch_buffer *buffer = launch_run_buffer_at(job->run, b);
            if (buffer->address == 0 || word < buffer->address || word > buffer->address + buffer_bytes(buffer))
                continue;
            word = job->addresses[b] + (word - buffer->address);
            memcpy(parameters + at, &word, 8);
            break;
        }
    }
}

static bool run_kernel(struct job *job)
{
    const struct launch *launch = job->run->launch;
    uint32_t count = run_function(job->run)->parameters.count, total;
    uint8_t *block = ARENA_ARRAY(&job->arena, uint8_t, job->run->parameters_size + 8);
    void **parameters = ARENA_ARRAY(&job->arena, void *, count + 1);
    memcpy(block, job->run->parameters, job->run->parameters_size);
    translate_parameters(job, block);
    for (uint32_t p = 0; p < count; p++)
        parameters[p] = block + emu_parameter_offset(job->module, job->run->function, p, &total);
    if (launch->dynamic_shared > 48 * 1024 &&
        !check(job, job->gpu->set_attribute(job->function, ATTRIBUTE_DYNAMIC_SHARED, (int)launch->dynamic_shared),
               "asking for shared memory"))
        return false;
    return check(job,
                 job->gpu->launch(job->function, (unsigned)launch->grid[0], (unsigned)launch->grid[1],
                                  (unsigned)launch->grid[2], (unsigned)launch->block[0], (unsigned)launch->block[1],
                                  (unsigned)launch->block[2], (unsigned)launch->dynamic_shared, NULL, parameters, NULL),
                 "launching") &&
           check(job, job->gpu->synchronise(), "running");
}

static bool write_npy(const char *path, const char *type, const void *data, uint64_t count, uint64_t bytes)
{
    char header[128];
    const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, sizeof header - 10, 0};
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    int used = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }", type,
                        (unsigned long long)count);
    memset(header + used, ' ', sizeof header - (size_t)used);
    header[sizeof header - 11] = '\n';
    bool ok = fwrite(magic, 1, sizeof magic, file) == sizeof magic &&
              fwrite(header, 1, sizeof header - 10, file) == sizeof header - 10 && fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && ok;
}

/* Results go back into the emulator's memory, to be compared there, and to files where nothing says what they should be. */
static bool download(struct job *job)
{
    char path[4096];
    for (uint32_t b = 0; b < launch_run_buffer_count(job->run); b++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(job->run, b);
        uint64_t bytes = buffer_bytes(buffer);
        if (bytes == 0 || buffer->argument->io == IO_IN || buffer->argument->role == ROLE_SYMBOL)
            continue;
        char *data = malloc(bytes);
        if (data == NULL || !check(job, job->gpu->to_host(data, job->addresses[b], bytes), "copying back") ||
            !emu_memory_write(job->run->machine, buffer->address, data, bytes)) {
            free(data);
            return job->problem[0] != '\0' ? false : complain(job, "the results cannot be kept");
        }
        if (job->out != NULL && buffer->want == NULL && buffer->argument->io != IO_SCRATCH) {
            snprintf(path, sizeof path, "%s/%s", job->out, job->name);
            mkdir(path, 0777);
            snprintf(path, sizeof path, "%s/%s/%s.npy", job->out, job->name, buffer->argument->name);
            if (!write_npy(path, value_type_info(buffer->argument->type)->numpy, data, buffer->length, bytes))
                snprintf(job->problem, sizeof job->problem, "a result cannot be written: %s", strerror(errno));
        }
        free(data);
    }
    return job->problem[0] == '\0';
}

static void release(struct job *job)
{
    for (uint32_t b = 0; job->addresses != NULL && b < launch_run_buffer_count(job->run); b++)
        if (job->addresses[b] != 0 && launch_run_buffer_at(job->run, b)->argument->role != ROLE_SYMBOL)
            job->gpu->release(job->addresses[b]);
    if (job->code != NULL)
        job->gpu->unload(job->code);
    if (job->run != NULL)
        launch_run_end(job->run);
    arena_free(&job->arena);
}

/* Prints one line; false if the launch did not do what it should. */
static bool do_job(struct gpu *gpu, const char *name, const char *ptx, const char *case_path, const char *out)
{
    struct job job = {.gpu = gpu, .name = name, .out = out};
    gpu_handle context;
    arena_init(&job.arena);
    diagnostic_list_init(&job.diagnostics, &job.arena);
    bool ok = check(&job, gpu->retain(&context, 0), "opening the device") &&
              check(&job, gpu->set_current(context), "opening the device") && prepare(&job, ptx, case_path) &&
              upload(&job) && run_kernel(&job) && download(&job);
    if (ok)
        run_compare(job.run);
    const char *difference = NULL;
    for (uint32_t i = 0; i < job.kernel.findings.count; i++)
        if (job.kernel.findings.data[i].kind == FINDING_WRONG_RESULT)
            difference = job.kernel.findings.data[i].message;
    if (!ok)
        printf("%-52s fails: %s\n", name, job.problem);
    else
        printf("%-52s %s%s\n", name, difference != NULL ? "wrong: " : "right", difference != NULL ? difference : "");
    fflush(stdout);
    release(&job);
    if (!ok)
        gpu->reset(0);
    return ok && difference == NULL;
}

int main(int argc, char **argv)
{
    struct gpu gpu;
    char line[8192], name[512], ptx[3072], case_path[3072];
    unsigned all = 0, right = 0;
    const char *out = argc == 3 && strcmp(argv[1], "--out") == 0 ? argv[2] : NULL;
    if (argc != 1 && out == NULL) {
        fprintf(stderr, "usage: gpu_reference [--out DIR] < list of `NAME PTX CASE`\n");
        return 2;
    }
    if (!gpu_open(&gpu))
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL)
        if (sscanf(line, "%511s %3071s %3071s", name, ptx, case_path) == 3) {
            all++;
            right += do_job(&gpu, name, ptx, case_path, out);
        }
    printf("%u launches, %u right\n", all, right);
    return right == all ? 0 : 1;
}
