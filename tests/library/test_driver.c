/* SPDX-License-Identifier: Apache-2.0
 *
 * The cuda backend on the driver of fake_cuda.c: each way in which a driver fails is an error that says so.
 *
 *     test_driver works|none|no_device|ptx_version|bad_ptx|memory|fault|illegal
 */
#include <lanewise/launcher.h>

#include <stdio.h>
#include <string.h>

static const char ptx[] = ".version 8.3\n.target sm_80\n.address_size 64\n.visible .global .align 8 .u64 lanewise_fault;\n"
                          ".visible .entry touch(.param .u64 y, .param .u32 n)\n{\n    ret;\n}\n";

static const struct lw_parameter_text parameters[] = {
    {.name = "y", .position = 0, .size = 8, .whole = LW_NO_PARAMETER, .kind = LW_PARAMETER_POINTER, .element_size = 4, .alignment = 4,
     .shape_kind = LW_SHAPE_ROWS, .dimensions = 1, .shape[0] = {"n", NULL, 1, 1}},
    {.name = "n", .position = 1, .size = 4, .whole = LW_NO_PARAMETER, .kind = LW_PARAMETER_INTEGER, .bits = 32, .is_signed = 1},
};
static const struct lw_kernel_text kernels[] = {
    {.entry = "touch", .shown = "touch", .parameters = parameters, .parameter_count = 2, .domain[0] = {"n", NULL, 1, 1}},
};
static const struct lw_site_text sites[] = {
    {.number = 101, .line = 12, .column = 5, .file = "touch.cu", .array = "y", .element_size = 4, .access_size = 4, .is_write = 1},
};
static const struct lw_module_source source = {LW_LAUNCHER_VERSION, "touch", ptx, kernels, 1, sites, 1};

static enum lw_status launch(struct lw_module *module, struct lw_stream *stream, struct lw_buffer *buffer, uint32_t threads,
                             const uint32_t *shared, struct lw_error *error)
{
    struct lw_slice_f32 y = lw_buffer_f32(buffer);
    const struct lw_argument arguments[] = {lw_argument_array(y.data, y.length), lw_argument_integer(y.length)};
    const struct lw_extent3 block = {threads, 1, 1};
    const struct lw_request request = {&source, 0, arguments, NULL, &block, shared};
    return lw_request_launch(module, &request, stream, error);
}

/* Everything that a program does; the first error ends it. */
static enum lw_status use(struct lw_device *device, struct lw_error *error)
{
    static const uint32_t much = 64 * 1024, too_much = 101000;
    struct lw_module *module;
    struct lw_buffer *buffer;
    struct lw_stream *stream;
    struct lw_error limit;
    float values[100] = {1, 2};
    enum lw_status status = lw_module_load(device, &source, &module, error);
    if (status == LW_OK)
        status = lw_buffer_create(device, sizeof values, &buffer, error);
    if (status == LW_OK)
        status = lw_buffer_write(buffer, 0, values, sizeof values, error);
    if (status == LW_OK)
        status = lw_stream_open(device, &stream, error);
    if (status != LW_OK)
        return status;
    if (launch(module, stream, buffer, 1000, NULL, &limit) != LW_ERROR_DEVICE_LIMIT ||
        strstr(limit.message, "touch: a block of 1000 threads, this kernel can have 512 on this device") == NULL)
        printf("registers allow 512 threads: %s\n", limit.message);
    if (launch(module, stream, buffer, 64, &too_much, &limit) != LW_ERROR_DEVICE_LIMIT ||
        strstr(limit.message, "101000 bytes of dynamic and 1000 of static shared memory, a block of this device has 101376") == NULL)
        printf("shared memory: %s\n", limit.message);
    status = launch(module, stream, buffer, 64, &much, error);
    if (status == LW_OK)
        status = lw_stream_wait(stream, error);
    if (status == LW_OK)
        status = lw_buffer_read(buffer, 0, values, sizeof values, error);
    if (status == LW_OK && values[1] != 2)
        printf("the buffer holds something else\n");
    return status;
}

int main(int count, char **words)
{
    static const struct {
        const char *mode;
        enum lw_status status;
        const char *text;
    } rows[] = {
        {"works", LW_OK, ""},
        {"none", LW_ERROR_NO_DRIVER, "there is no CUDA driver: libcuda.so.1: cannot open shared object file"},
        {"no_device", LW_ERROR_NO_DEVICE, "there is a CUDA driver, but no CUDA device"},
        {"ptx_version", LW_ERROR_PTX_VERSION, "touch: its PTX has version 8.3, which is newer than the driver (CUDA 12.2) knows"},
        {"bad_ptx", LW_ERROR_PTX, "ptxas fatal: no such thing"},
        {"memory", LW_ERROR_MEMORY, "out of memory (CUDA_ERROR_OUT_OF_MEMORY), for 400 bytes"},
        {"fault", LW_ERROR_KERNEL_FAULT,
         "touch: writes element 4096 of y, which has 4096 elements (LW101), at touch.cu:12, block (3,0,0), thread (7,0,0)"},
        {"illegal", LW_ERROR_KERNEL_FAULT, "a kernel failed, and no check of ours saw why: an illegal memory access was encountered"},
    };
    struct lw_device *device = NULL;
    struct lw_error error = {.message = ""};
    for (unsigned i = 0; count == 2 && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(words[1], rows[i].mode) != 0)
            continue;
        enum lw_status status = lw_device_open(&(struct lw_device_options){.backend = "cuda"}, &device, &error);
        if (status == LW_OK)
            status = use(device, &error);
        lw_device_close(device);
        printf("%s: %s\n", lw_status_name(status), error.message);
        return status != rows[i].status || (status != LW_OK && strstr(error.message, rows[i].text) == NULL);
    }
    return 2;
}
