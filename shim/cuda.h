// SPDX-License-Identifier: Apache-2.0
//
// The part of the driver API that programs use beside the runtime API: devices, contexts, modules, memory, streams,
// events and launches. Only declarations.

#ifndef LANEWISE_SHIM_CUDA_H
#define LANEWISE_SHIM_CUDA_H

#include "lanewise_cuda_prelude.h"

#pragma clang system_header

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef cudaUUID_t CUuuid;

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

// The attributes have the numbers of the runtime API.
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;

typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_THREADS_PER_BLOCK = 1,
    CU_JIT_WALL_TIME = 2,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_OPTIMIZATION_LEVEL = 7
} CUjit_option;

#define CU_STREAM_DEFAULT 0x0
#define CU_STREAM_NON_BLOCKING 0x1
#define CU_EVENT_DEFAULT 0x0
#define CU_EVENT_DISABLE_TIMING 0x2
#define CU_CTX_SCHED_AUTO 0x0
#define CU_CTX_MAP_HOST 0x8
#define CU_MEMHOSTALLOC_PORTABLE 0x1
#define CU_MEMHOSTALLOC_DEVICEMAP 0x2
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

extern "C" {
__host__ CUresult cuInit(unsigned int flags);
__host__ CUresult cuDriverGetVersion(int *version);
__host__ CUresult cuGetErrorName(CUresult error, const char **name);
__host__ CUresult cuGetErrorString(CUresult error, const char **text);
__host__ CUresult cuDeviceGet(CUdevice *device, int ordinal);
__host__ CUresult cuDeviceGetCount(int *count);
__host__ CUresult cuDeviceGetName(char *name, int length, CUdevice device);
__host__ CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
__host__ CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
__host__ CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
__host__ CUresult cuCtxDestroy(CUcontext context);
__host__ CUresult cuCtxGetCurrent(CUcontext *context);
__host__ CUresult cuCtxSetCurrent(CUcontext context);
__host__ CUresult cuCtxGetDevice(CUdevice *device);
__host__ CUresult cuCtxSynchronize(void);
__host__ CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
__host__ CUresult cuDevicePrimaryCtxRelease(CUdevice device);
__host__ CUresult cuModuleLoad(CUmodule *module, const char *path);
__host__ CUresult cuModuleLoadData(CUmodule *module, const void *image);
__host__ CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                                     void **values);
__host__ CUresult cuModuleUnload(CUmodule module);
__host__ CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
__host__ CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUmodule module, const char *name);
__host__ CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
__host__ CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
__host__ CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes);
__host__ CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags);
__host__ CUresult cuMemFree(CUdeviceptr pointer);
__host__ CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags);
__host__ CUresult cuMemFreeHost(void *pointer);
__host__ CUresult cuMemGetInfo(size_t *available, size_t *total);
__host__ CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
__host__ CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes);
__host__ CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes);
__host__ CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
__host__ CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
__host__ CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
__host__ CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count);
__host__ CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count);
__host__ CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
__host__ CUresult cuStreamDestroy(CUstream stream);
__host__ CUresult cuStreamSynchronize(CUstream stream);
__host__ CUresult cuEventCreate(CUevent *event, unsigned int flags);
__host__ CUresult cuEventDestroy(CUevent event);
__host__ CUresult cuEventRecord(CUevent event, CUstream stream);
__host__ CUresult cuEventSynchronize(CUevent event);
__host__ CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
__host__ CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                                 unsigned int blockX, unsigned int blockY, unsigned int blockZ,
                                 unsigned int sharedBytes, CUstream stream, void **parameters, void **extra);
}

#endif
