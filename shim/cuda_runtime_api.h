// SPDX-License-Identifier: Apache-2.0
//
// The CUDA runtime API as plain C functions: devices, memory, streams, events, launches, occupancy, textures, memory
// pools and graphs. Only declarations; Lanewise's run-time library defines what a program run on the CPU needs.

#ifndef LANEWISE_SHIM_CUDA_RUNTIME_API_H
#define LANEWISE_SHIM_CUDA_RUNTIME_API_H

#include "driver_types.h"

#pragma clang system_header

extern "C" {

// ---- errors ----

__host__ cudaError_t cudaGetLastError(void);
__host__ cudaError_t cudaPeekAtLastError(void);
__host__ const char *cudaGetErrorName(cudaError_t error);
__host__ const char *cudaGetErrorString(cudaError_t error);

// ---- devices ----

__host__ cudaError_t cudaGetDeviceCount(int *count);
__host__ cudaError_t cudaGetDevice(int *device);
__host__ cudaError_t cudaSetDevice(int device);
__host__ cudaError_t cudaSetDeviceFlags(unsigned int flags);
__host__ cudaError_t cudaGetDeviceFlags(unsigned int *flags);
__host__ cudaError_t cudaSetValidDevices(int *devices, int count);
__host__ cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
__host__ cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
__host__ cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
__host__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
__host__ cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from, int to);
__host__ cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
__host__ cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
__host__ cudaError_t cudaDeviceSynchronize(void);
__host__ cudaError_t cudaDeviceReset(void);
__host__ cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
__host__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
__host__ cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache preference);
__host__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *preference);
__host__ cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
__host__ cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
__host__ cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
__host__ cudaError_t cudaDeviceCanAccessPeer(int *yes, int device, int peer);
__host__ cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
__host__ cudaError_t cudaDeviceDisablePeerAccess(int peer);
__host__ cudaError_t cudaDriverGetVersion(int *version);
__host__ cudaError_t cudaRuntimeGetVersion(int *version);
__host__ cudaError_t cudaProfilerStart(void);
__host__ cudaError_t cudaProfilerStop(void);
// Deprecated names of the first releases, still in use.
__host__ cudaError_t cudaThreadSynchronize(void);
__host__ cudaError_t cudaThreadExit(void);

// ---- allocation ----

__host__ cudaError_t cudaMalloc(void **pointer, size_t size);
__host__ cudaError_t cudaMallocHost(void **pointer, size_t size);
__host__ cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags);
__host__ cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
__host__ cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
__host__ cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags);
__host__ cudaError_t cudaFree(void *pointer);
__host__ cudaError_t cudaFreeHost(void *pointer);
__host__ cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
__host__ cudaError_t cudaHostUnregister(void *pointer);
__host__ cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
__host__ cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
__host__ cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
__host__ cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
__host__ cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
                                     size_t height, unsigned int flags);
__host__ cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                                       struct cudaExtent extent, unsigned int flags);
__host__ cudaError_t cudaFreeArray(cudaArray_t array);

// ---- copies ----

__host__ cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                     cudaStream_t stream);
__host__ cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size);
__host__ cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size,
                                         cudaStream_t stream);
__host__ cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                  size_t height, enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
__host__ cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
__host__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream);
__host__ cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                                        enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                          enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t stream);
__host__ cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                               enum cudaMemcpyKind kind, cudaStream_t stream);
__host__ cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol);
__host__ cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);
__host__ cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                       enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                         enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                         size_t width, size_t height, enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                           size_t width, size_t height, enum cudaMemcpyKind kind);
__host__ cudaError_t cudaMemset(void *to, int value, size_t size);
__host__ cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream);
__host__ cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
__host__ cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                       cudaStream_t stream);
__host__ cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent);
__host__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device, cudaStream_t stream);
__host__ cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice, int device);

// ---- streams and events ----

__host__ cudaError_t cudaStreamCreate(cudaStream_t *stream);
__host__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__host__ cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
__host__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__host__ cudaError_t cudaStreamSynchronize(cudaStream_t stream);
__host__ cudaError_t cudaStreamQuery(cudaStream_t stream);
__host__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
__host__ cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
__host__ cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
__host__ cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                           unsigned int flags);
__host__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size, unsigned int flags);
__host__ cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
__host__ cudaError_t cudaEventCreate(cudaEvent_t *event);
__host__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
__host__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__host__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__host__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags);
__host__ cudaError_t cudaEventQuery(cudaEvent_t event);
__host__ cudaError_t cudaEventSynchronize(cudaEvent_t event);
__host__ cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// ---- launches and functions ----

__host__ cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                      size_t sharedBytes, cudaStream_t stream);
__host__ cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                 size_t sharedBytes, cudaStream_t stream);
__host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments);
__host__ cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
__host__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
__host__ cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache preference);
__host__ cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
__host__ cudaError_t cudaFuncGetName(const char **name, const void *function);
__host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int blockSize,
                                                                   size_t sharedBytes);
__host__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                                            int blockSize, size_t sharedBytes,
                                                                            unsigned int flags);
__host__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                               int blockSize);

// What a <<<>>> launch and the registration of a module's kernels and variables call.
__host__ unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0, void *stream = 0);
__host__ cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream);

// ---- textures and surfaces ----

__host__ struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
__host__ cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array);
__host__ cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                             const struct cudaTextureDesc *description, const void *view);
__host__ cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
__host__ cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource);
__host__ cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

// ---- stream-ordered memory ----

__host__ cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream);
__host__ cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
__host__ cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream);
__host__ cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
__host__ cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
__host__ cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
__host__ cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
__host__ cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
__host__ cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);

// ---- graphs ----

__host__ cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
__host__ cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
__host__ cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
__host__ cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
__host__ cudaError_t cudaGraphDestroy(cudaGraph_t graph);
__host__ cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
__host__ cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
__host__ cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
__host__ cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
__host__ cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
__host__ cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                                            size_t count, const struct cudaKernelNodeParams *parameters);

// ---- processes ----

__host__ cudaError_t cudaIpcGetMemHandle(struct cudaIpcMemHandle_t *handle, void *pointer);
__host__ cudaError_t cudaIpcOpenMemHandle(void **pointer, struct cudaIpcMemHandle_t handle, unsigned int flags);
__host__ cudaError_t cudaIpcCloseMemHandle(void *pointer);

} // extern "C"

#endif
