/* SPDX-License-Identifier: Apache-2.0
 *
 * A libcuda.so.1 without a GPU, for tests of the cuda backend: memory is the host's, kernels do nothing, and FAKE_CUDA in the environment
 * says what fails: no_device, ptx_version, bad_ptx, memory, fault (a check has stopped a kernel), illegal (an access that no check saw).
 */
#include "launch/fault.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static uint64_t variable; /* lanewise_fault of the module */
static int failed;        /* a kernel has ruined the context */

static int is(const char *mode)
{
    const char *wanted = getenv("FAKE_CUDA");
    return wanted != NULL && strcmp(wanted, mode) == 0;
}

int cuInit(unsigned flags)
{
    return (int)flags;
}
int cuDriverGetVersion(int *version)
{
    *version = 12020;
    return 0;
}
int cuGetErrorName(int result, const char **text)
{
    *text = result == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : result == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OTHER";
    return 0;
}
int cuGetErrorString(int result, const char **text)
{
    *text = result == 719   ? "unspecified launch failure"
            : result == 700 ? "an illegal memory access was encountered"
            : result == 2   ? "out of memory"
                            : "another error";
    return 0;
}
int cuDeviceGetCount(int *count)
{
    *count = !is("no_device");
    return is("no_device") ? 100 : 0;
}
int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}
int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    strncpy(name, "Fake GPU", (size_t)size);
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int values[] = {[1] = 1024, [2] = 1024, [3] = 1024, [4] = 64, [5] = 2147483647, [6] = 65535, [7] = 65535, [97] = 101376};
    *value = values[attribute];
    return device;
}
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = &failed;
    return device;
}
int cuDevicePrimaryCtxRelease_v2(int device)
{
    return device;
}
int cuDevicePrimaryCtxReset_v2(int device)
{
    failed = 0;
    return device;
}
int cuCtxPushCurrent_v2(void *context)
{
    return context != &failed;
}
int cuCtxPopCurrent_v2(void **context)
{
    *context = &failed;
    return 0;
}
int cuCtxSynchronize(void)
{
    return failed;
}
int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes)
{
    *pointer = (uintptr_t)(is("memory") ? NULL : malloc(bytes));
    return *pointer == 0 ? 2 : 0;
}
int cuMemFree_v2(unsigned long long pointer)
{
    free((void *)(uintptr_t)pointer);
    return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return failed;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes)
{
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return failed;
}
int cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    *pointer = malloc(bytes);
    return *pointer == NULL ? 2 : 0;
}
int cuMemFreeHost(void *pointer)
{
    free(pointer);
    return 0;
}
int cuMemHostGetDevicePointer_v2(unsigned long long *pointer, void *host, unsigned flags)
{
    *pointer = (uintptr_t)host;
    return (int)flags;
}
int cuStreamCreate(void **stream, unsigned flags)
{
    *stream = &variable;
    return (int)flags;
}
int cuStreamDestroy_v2(void *stream)
{
    return stream != &variable;
}
int cuStreamSynchronize(void *stream)
{
    return stream != &variable ? 400 : failed;
}
int cuModuleLoadDataEx(void **module, const void *text, unsigned count, int *options, void **values)
{
    *module = &variable;
    if (is("bad_ptx") && count == 2 && options[0] == 5)
        strncpy(values[0], "ptxas fatal: no such thing", (size_t)(uintptr_t)values[1]);
    return text == NULL ? 1 : is("ptx_version") ? 222 : is("bad_ptx") ? 218 : 0;
}
int cuModuleUnload(void *module)
{
    return module != &variable;
}
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = &variable;
    return name == NULL || module != &variable;
}
int cuModuleGetGlobal_v2(unsigned long long *pointer, size_t *size, void *module, const char *name)
{
    *pointer = (uintptr_t)&variable;
    *size = sizeof variable;
    return strcmp(name, LAUNCH_FAULT_VARIABLE) != 0 || module != &variable ? 500 : 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    *value = attribute == 0 ? 512 : 1000; /* threads; static shared memory */
    return function != &variable;
}
int cuFuncSetAttribute(void *function, int attribute, int value)
{
    return function != &variable || attribute != 8 || value < 48 * 1024;
}
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                   unsigned shared, void *stream, void **parameters, void **extra)
{
    (void)stream, (void)shared;
    if (function != &variable || (parameters == NULL && extra[0] != (void *)1) || grid_x * grid_y * grid_z * block_x * block_y * block_z == 0)
        return 1;
    if (is("illegal"))
        failed = 700;
    if (is("fault")) {
        struct launch_fault_record *record = (void *)(uintptr_t)variable;
        *record = (struct launch_fault_record){LAUNCH_FAULT_COMPLETE, 0, {3, 0, 0}, {7, 0, 0}, 4096, 4096, 101, {0}};
        failed = 719;
    }
    return 0;
}
