/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the CUDA driver API that the cuda backend calls, as it has been since CUDA 11: declared here, so that nothing of CUDA is
 * needed to build, and found with dlopen("libcuda.so.1").  A failing call gives one of a few results that we tell apart.
 */
#ifndef LANEWISE_LAUNCH_DRIVER_H
#define LANEWISE_LAUNCH_DRIVER_H

#include "launch/device.h"

typedef int driver_result;
typedef int driver_device;
typedef unsigned long long driver_pointer;
typedef void *driver_context, *driver_module, *driver_function, *driver_stream;

enum {
    DRIVER_OK = 0,
    DRIVER_OUT_OF_MEMORY = 2,
    DRIVER_NO_DEVICE = 100,
    DRIVER_NO_BINARY = 209,
    DRIVER_INVALID_PTX = 218,
    DRIVER_UNSUPPORTED_PTX = 222,
    DRIVER_ILLEGAL_ADDRESS = 700,
    DRIVER_LAUNCH_TIMEOUT = 702,
    DRIVER_ASSERT = 710,
    DRIVER_STACK_ERROR = 714,
    DRIVER_ILLEGAL_INSTRUCTION = 715,
    DRIVER_MISALIGNED_ADDRESS = 716,
    DRIVER_BAD_SPACE = 717,
    DRIVER_BAD_PC = 718,
    DRIVER_LAUNCH_FAILED = 719
};

enum {
    DRIVER_MAX_THREADS = 1,
    DRIVER_MAX_BLOCK_X = 2, DRIVER_MAX_BLOCK_Y, DRIVER_MAX_BLOCK_Z,
    DRIVER_MAX_GRID_X, DRIVER_MAX_GRID_Y, DRIVER_MAX_GRID_Z,
    DRIVER_MAX_SHARED = 97, /* of a block that asks for it */
    DRIVER_FUNCTION_THREADS = 0, DRIVER_FUNCTION_SHARED = 1, DRIVER_FUNCTION_DYNAMIC_SHARED = 8,
    DRIVER_HOST_PORTABLE = 1, DRIVER_HOST_MAPPED = 2,
    DRIVER_JIT_LOG = 5, DRIVER_JIT_LOG_SIZE = 6 /* the compiler's error log */
};
#define DRIVER_PARAMETERS ((void *)(uintptr_t)1)
#define DRIVER_PARAMETERS_SIZE ((void *)(uintptr_t)2)

/* DRIVER(member, "symbol", (parameters)) */
#define DRIVER_FUNCTIONS(DRIVER)                                                                                                     \
    DRIVER(init, "cuInit", (unsigned flags))                                                                                         \
    DRIVER(get_version, "cuDriverGetVersion", (int *version))                                                                        \
    DRIVER(get_error_name, "cuGetErrorName", (driver_result result, const char **text))                                              \
    DRIVER(get_error_string, "cuGetErrorString", (driver_result result, const char **text))                                          \
    DRIVER(count_devices, "cuDeviceGetCount", (int *count))                                                                          \
    DRIVER(get_device, "cuDeviceGet", (driver_device * device, int ordinal))                                                         \
    DRIVER(get_name, "cuDeviceGetName", (char *name, int size, driver_device device))                                                \
    DRIVER(get_attribute, "cuDeviceGetAttribute", (int *value, int attribute, driver_device device))                                 \
    DRIVER(retain_context, "cuDevicePrimaryCtxRetain", (driver_context * context, driver_device device))                             \
    DRIVER(release_context, "cuDevicePrimaryCtxRelease_v2", (driver_device device))                                                  \
    DRIVER(reset_context, "cuDevicePrimaryCtxReset_v2", (driver_device device))                                                      \
    DRIVER(push_context, "cuCtxPushCurrent_v2", (driver_context context))                                                            \
    DRIVER(pop_context, "cuCtxPopCurrent_v2", (driver_context * context))                                                            \
    DRIVER(wait_context, "cuCtxSynchronize", (void))                                                                                 \
    DRIVER(allocate, "cuMemAlloc_v2", (driver_pointer * pointer, size_t bytes))                                                      \
    DRIVER(release, "cuMemFree_v2", (driver_pointer pointer))                                                                        \
    DRIVER(copy_in, "cuMemcpyHtoD_v2", (driver_pointer to, const void *from, size_t bytes))                                          \
    DRIVER(copy_out, "cuMemcpyDtoH_v2", (void *to, driver_pointer from, size_t bytes))                                               \
    DRIVER(allocate_host, "cuMemHostAlloc", (void **pointer, size_t bytes, unsigned flags))                                          \
    DRIVER(release_host, "cuMemFreeHost", (void *pointer))                                                                           \
    DRIVER(get_device_pointer, "cuMemHostGetDevicePointer_v2", (driver_pointer * pointer, void *host, unsigned flags))               \
    DRIVER(create_stream, "cuStreamCreate", (driver_stream * stream, unsigned flags))                                                \
    DRIVER(destroy_stream, "cuStreamDestroy_v2", (driver_stream stream))                                                             \
    DRIVER(wait_stream, "cuStreamSynchronize", (driver_stream stream))                                                               \
    DRIVER(load_module, "cuModuleLoadDataEx",                                                                                        \
           (driver_module * module, const void *text, unsigned count, int *options, void **values))                                  \
    DRIVER(unload_module, "cuModuleUnload", (driver_module module))                                                                  \
    DRIVER(get_function, "cuModuleGetFunction", (driver_function * function, driver_module module, const char *name))                \
    DRIVER(get_global, "cuModuleGetGlobal_v2",                                                                                       \
           (driver_pointer * pointer, size_t *size, driver_module module, const char *name))                                         \
    DRIVER(get_function_attribute, "cuFuncGetAttribute", (int *value, int attribute, driver_function function))                      \
    DRIVER(set_function_attribute, "cuFuncSetAttribute", (driver_function function, int attribute, int value))                       \
    DRIVER(launch, "cuLaunchKernel",                                                                                                 \
           (driver_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,         \
            unsigned block_z, unsigned shared_bytes, driver_stream stream, void **parameters, void **extra))

struct driver {
    void *library;
#define DRIVER_MEMBER(member, symbol, parameters) driver_result(*member) parameters;
    DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
};

/* Finds the driver; LW_ERROR_NO_DRIVER when it is not there or lacks a function. */
enum lw_status driver_find(struct driver *driver, struct lw_error *error);
void driver_drop(struct driver *driver);

#endif
