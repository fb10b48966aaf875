// SPDX-License-Identifier: Apache-2.0
//
// record_opcodes TABLE_FOLDER MODULE_FOLDER OUT_FOLDER: runs every form on the GPU and writes OUT_FOLDER/SECTION.tsv.
// MODULE_FOLDER holds SECTION.cubin, or SECTION.ptx where there is none. The CUDA driver is loaded at run time, so this
// builds without a toolkit. Each form runs twice over differently filled memory: what differs is not recorded. A form
// that kills the context or does not end is named and left out; a new process goes on behind it.
#include "opcodes.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORM_SECONDS = 20 };

typedef unsigned long long device_pointer;

static struct {
    int (*init)(unsigned);
    int (*device_get)(int *, int);
    int (*device_name)(char *, int, int);
    int (*driver_version)(int *);
    int (*context_retain)(void **, int);
    int (*context_set)(void *);
    int (*module_load)(void **, const void *);
    int (*function_get)(void **, void *, const char *);
    int (*allocate)(device_pointer *, size_t);
    int (*copy_in)(device_pointer, const void *, size_t);
    int (*copy_out)(void *, device_pointer, size_t);
    int (*fill)(device_pointer, unsigned char, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
    int (*wait)(void);
    int (*error_name)(int, const char **);
} cuda;

static bool cuda_load(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "record_opcodes: %s\n", dlerror());
        return false;
    }
    const struct {
        void *slot;
        const char *name;
    } symbols[] = {
        {&cuda.init, "cuInit"},
        {&cuda.device_get, "cuDeviceGet"},
        {&cuda.device_name, "cuDeviceGetName"},
        {&cuda.driver_version, "cuDriverGetVersion"},
        {&cuda.context_retain, "cuDevicePrimaryCtxRetain"},
        {&cuda.context_set, "cuCtxSetCurrent"},
        {&cuda.module_load, "cuModuleLoadData"},
        {&cuda.function_get, "cuModuleGetFunction"},
        {&cuda.allocate, "cuMemAlloc_v2"},
        {&cuda.copy_in, "cuMemcpyHtoD_v2"},
        {&cuda.copy_out, "cuMemcpyDtoH_v2"},
        {&cuda.fill, "cuMemsetD8_v2"},
        {&cuda.launch, "cuLaunchKernel"},
        {&cuda.wait, "cuCtxSynchronize"},
        {&cuda.error_name, "cuGetErrorName"},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol) {
            fprintf(stderr, "record_opcodes: the driver has no %s\n", symbols[i].name);
            return false;
        }
        memcpy(symbols[i].slot, &symbol, sizeof symbol);
    }
    return true;
}

static bool cuda_good(int status, const char *what, const char *which)
{
    if (status == 0)
        return true;
    const char *name = "unknown error";
    cuda.error_name(status, &name);
    fprintf(stderr, "record_opcodes: %s %s: %s\n", what, which, name);
    return false;
}

struct recorder {
    const struct opcode_table *table;
    const char *modules, *out;
    char device[128];
    int driver;
    void *module;
    const char *section;
    FILE *file;
    device_pointer input, output;
    size_t capacity;
    volatile size_t *position; // shared with the parent: the form being run
};

static bool device_open(struct recorder *recorder)
{
    int device;
    void *context;
    recorder->capacity = 8 << 20;
    return cuda_good(cuda.init(0), "cuInit", "") &&
           cuda_good(cuda.device_get(&device, 0), "device", "0") &&
           cuda_good(cuda.device_name(recorder->device, sizeof recorder->device, device), "name",
                     "") &&
           cuda_good(cuda.driver_version(&recorder->driver), "version", "") &&
           cuda_good(cuda.context_retain(&context, device), "context", "") &&
           cuda_good(cuda.context_set(context), "context", "") &&
           cuda_good(cuda.allocate(&recorder->input, recorder->capacity), "memory", "") &&
           cuda_good(cuda.allocate(&recorder->output, recorder->capacity), "memory", "");
}

static bool section_open(struct recorder *recorder, const char *section)
{
    char path[1024];
    if (recorder->file && fclose(recorder->file) != 0)
        return false;
    snprintf(path, sizeof path, "%s/%s.tsv", recorder->out, section);
    recorder->file = fopen(path, "a");
    if (!recorder->file) {
        fprintf(stderr, "record_opcodes: cannot write %s\n", path);
        return false;
    }
    recorder->section = section;
    recorder->module = NULL;
    fseek(recorder->file, 0, SEEK_END);
    if (ftell(recorder->file) == 0)
        fprintf(recorder->file,
                "# Results of the opcode tests, `record_opcodes`, on one %s, CUDA driver API %d.%d "
                "(docs/opcode-tests.md)\n",
                recorder->device, recorder->driver / 1000, recorder->driver % 1000 / 10);
    char *image = NULL;
    static const char *const endings[] = {"cubin", "ptx"};
    for (unsigned i = 0; i < 2 && !image; i++) {
        snprintf(path, sizeof path, "%s/%s.%s", recorder->modules, section, endings[i]);
        image = opcode_file_read(path, NULL);
    }
    if (!image) {
        fprintf(stderr, "record_opcodes: no module %s\n", path);
        return true;
    }
    if (!cuda_good(cuda.module_load(&recorder->module, image), "module", section))
        recorder->module = NULL;
    free(image);
    return true;
}

static bool form_run(struct recorder *recorder, const struct opcode_form *form, void *function,
                     unsigned char pattern, unsigned char *input, unsigned char *output)
{
    unsigned char area[OPCODE_AREA_BYTES];
    opcode_area_fill(area);
    opcode_inputs_fill(form, input);
    size_t input_size = opcode_input_size(form), output_size = opcode_output_size(form);
    void *parameters[] = {&recorder->input, &recorder->output, area};
    return input_size <= recorder->capacity && output_size <= recorder->capacity &&
           (input_size == 0 ||
            cuda_good(cuda.copy_in(recorder->input, input, input_size), "copy", form->name)) &&
           cuda_good(cuda.fill(recorder->output, pattern, output_size), "fill", form->name) &&
           cuda_good(cuda.launch(function, form->threads / form->block, 1, 1, form->block, 1, 1, 0,
                                 NULL, parameters, NULL),
                     "launch", form->name) &&
           cuda_good(cuda.wait(), "run", form->name) &&
           cuda_good(cuda.copy_out(output, recorder->output, output_size), "copy", form->name);
}

// False when the context is lost.
static bool form_record(struct recorder *recorder, const struct opcode_form *form)
{
    void *function;
    if (!cuda_good(cuda.function_get(&function, recorder->module, form->name), "function",
                   form->name))
        return true;
    size_t count = (size_t)form->threads * opcode_value_count(form);
    unsigned char *input = malloc(opcode_input_size(form) + 1),
                  *output = malloc(opcode_output_size(form));
    uint64_t *values = malloc(2 * count * sizeof *values);
    bool alive = input && output && values;
    for (unsigned round = 0; round < 2 && alive; round++) {
        alive = form_run(recorder, form, function, round ? 0x5a : 0xa5, input, output);
        if (alive)
            opcode_values_gather(form, output, values + round * count);
    }
    if (alive && memcmp(values, values + count, count * sizeof *values) != 0)
        fprintf(stderr, "record_opcodes: %s/%s: two runs differ\n", form->section, form->name);
    else if (alive)
        opcode_expected_write(recorder->file, form, values);
    free(input);
    free(output);
    free(values);
    return alive;
}

static int child_run(struct recorder *recorder, size_t start)
{
    if (!cuda_load() || !device_open(recorder))
        return 2;
    for (size_t i = start; i < recorder->table->count; i++) {
        const struct opcode_form *form = &recorder->table->forms[i];
        if ((!recorder->section || strcmp(recorder->section, form->section) != 0) &&
            !section_open(recorder, form->section))
            return 2;
        *recorder->position = i;
        alarm(FORM_SECONDS);
        if (recorder->module && !form_record(recorder, form)) {
            fclose(recorder->file);
            return 1;
        }
        fflush(recorder->file);
    }
    return recorder->file && fclose(recorder->file) != 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: record_opcodes TABLE_FOLDER MODULE_FOLDER OUT_FOLDER\n", stderr);
        return 2;
    }
    struct opcode_table table;
    if (!opcode_table_read(&table, argv[1]))
        return 2;
    struct recorder recorder = {.table = &table, .modules = argv[2], .out = argv[3]};
    recorder.position =
        mmap(NULL, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (recorder.position == MAP_FAILED)
        return 2;
    unsigned failed = 0;
    for (size_t start = 0; start < table.count;) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            _exit(child_run(&recorder, start));
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) != 1) {
            if (WEXITSTATUS(status) == 2)
                return 2;
            break;
        }
        start = *recorder.position + 1;
        failed++;
        fprintf(stderr, "record_opcodes: lost %s/%s\n", table.forms[start - 1].section,
                table.forms[start - 1].name);
    }
    printf("%zu forms, %u lost\n", table.count, failed);
    opcode_table_free(&table);
    return failed ? 1 : 0;
}
