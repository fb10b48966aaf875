// SPDX-License-Identifier: Apache-2.0
//
// The C++ face of the runtime API: typed pointers, symbols by reference, kernels by their type, default arguments. Each
// is one call of a C function of cuda_runtime_api.h.

#ifndef LANEWISE_SHIM_HOST_RUNTIME_TEMPLATES_H
#define LANEWISE_SHIM_HOST_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"
#include "../vector_functions.h"

#pragma clang system_header

#define LW_HOST static __host__ inline

// ---- allocation ----

template <typename T> LW_HOST cudaError_t cudaMalloc(T **pointer, size_t size) {
    return ::cudaMalloc((void **)(void *)pointer, size);
}
template <typename T> LW_HOST cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0) {
    return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <typename T> LW_HOST cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <typename T>
LW_HOST cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)pointer, size, flags);
}
template <typename T>
LW_HOST cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <typename T> LW_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
    return ::cudaMallocAsync((void **)(void *)pointer, size, stream);
}
template <typename T>
LW_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
LW_HOST cudaError_t cudaMallocManaged(void **pointer, size_t size) {
    return ::cudaMallocManaged(pointer, size, cudaMemAttachGlobal);
}
LW_HOST cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
                                    size_t height = 0) {
    return ::cudaMallocArray(array, format, width, height, 0);
}
LW_HOST cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                                      struct cudaExtent extent) {
    return ::cudaMalloc3DArray(array, format, extent, 0);
}
LW_HOST cudaError_t cudaHostRegister(void *pointer, size_t size) { return ::cudaHostRegister(pointer, size, 0); }

LW_HOST struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height) {
    return cudaPitchedPtr{pointer, pitch, width, height};
}
LW_HOST struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
LW_HOST struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return cudaExtent{width, height, depth};
}

// ---- copies with a default stream, offset or direction ----

LW_HOST cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    return ::cudaMemcpyAsync(to, from, size, kind, 0);
}
LW_HOST cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                      size_t height, enum cudaMemcpyKind kind) {
    return ::cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, 0);
}
LW_HOST cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters) {
    return ::cudaMemcpy3DAsync(parameters, 0);
}
LW_HOST cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size) {
    return ::cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, size, 0);
}
LW_HOST cudaError_t cudaMemsetAsync(void *to, int value, size_t size) { return ::cudaMemsetAsync(to, value, size, 0); }
LW_HOST cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device) {
    return ::cudaMemPrefetchAsync(pointer, size, device, 0);
}
// The forms of CUDA 13, in which a location says what an integer said before.
LW_HOST int lw_location_device(struct cudaMemLocation location) {
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}
LW_HOST cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, struct cudaMemLocation location,
                                         unsigned int, cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync(pointer, size, lw_location_device(location), stream);
}
LW_HOST cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                                  struct cudaMemLocation location) {
    return ::cudaMemAdvise(pointer, size, advice, lw_location_device(location));
}

template <typename T>
LW_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                       enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <typename T>
LW_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                         enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <typename T>
LW_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                            enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                            cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <typename T>
LW_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                              enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                              cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <typename T> LW_HOST cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <typename T> LW_HOST cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

// ---- streams and events ----

LW_HOST cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event) {
    return ::cudaStreamWaitEvent(stream, event, 0);
}
LW_HOST cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}
LW_HOST cudaError_t cudaEventRecord(cudaEvent_t event) { return ::cudaEventRecord(event, 0); }

// ---- launches and functions ----

template <typename T>
LW_HOST cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes = 0,
                                     cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <typename T>
LW_HOST cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                                size_t sharedBytes = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <typename... Expected, typename... Given>
LW_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*function)(Expected...),
                                       Given &&...given) {
    return [&](Expected... coerced) {
        void *arguments[] = {(void *)&coerced..., nullptr};
        return ::cudaLaunchKernelExC(config, (const void *)function, arguments);
    }(static_cast<Given &&>(given)...);
}
template <typename T>
LW_HOST cudaError_t cudaFuncSetAttribute(T *function, enum cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename T> LW_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *function) {
    return ::cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename T> LW_HOST cudaError_t cudaFuncSetCacheConfig(T *function, enum cudaFuncCache preference) {
    return ::cudaFuncSetCacheConfig((const void *)function, preference);
}
template <typename T>
LW_HOST cudaError_t cudaFuncSetSharedMemConfig(T *function, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <typename T>
LW_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int blockSize,
                                                                  size_t sharedBytes) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize, sharedBytes);
}
template <typename T>
LW_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int blockSize,
                                                                           size_t sharedBytes, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, blockSize,
                                                                    sharedBytes, flags);
}

// The block size with the most resident threads a multiprocessor, and the smallest grid that fills the device with it.
template <typename T, typename SharedBytes>
LW_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *gridSize, int *blockSize, T function,
                                                                   SharedBytes sharedBytes, int limit = 0) {
    int device = 0, processors = 0, best = 0;
    struct cudaFuncAttributes attributes;
    cudaError_t error = ::cudaGetDevice(&device);
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
    if (error != cudaSuccess) return error;
    int most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most) most = limit;
    *gridSize = *blockSize = 0;
    for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
        int tried = size < most ? size : most, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, tried,
                                                                sharedBytes(tried));
        if (error != cudaSuccess) return error;
        if (blocks * tried > best) {
            best = blocks * tried;
            *blockSize = tried;
            *gridSize = blocks * processors;
        }
    }
    return cudaSuccess;
}
template <typename T>
LW_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, T function,
                                                       size_t sharedBytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        gridSize, blockSize, function, [sharedBytes](int) { return sharedBytes; }, limit);
}

// ---- graphs: both shapes of the call ----

LW_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags = 0) {
    return ::cudaGraphInstantiateWithFlags(exec, graph, flags);
}
LW_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *, char *, size_t) {
    return ::cudaGraphInstantiateWithFlags(exec, graph, 0);
}

// ---- textures ----

template <typename T> struct lw_channel;
#define LW_CHANNEL(type, x, y, z, w, kind)                                                                     \
    template <> struct lw_channel<type> {                                                                      \
        static __host__ struct cudaChannelFormatDesc get() { return cudaChannelFormatDesc{x, y, z, w, kind}; } \
    };
#define LW_CHANNELS(name, scalar, bits, kind)                                                                  \
    LW_CHANNEL(scalar, bits, 0, 0, 0, kind)                                                                    \
    LW_CHANNEL(name##1, bits, 0, 0, 0, kind)                                                                   \
    LW_CHANNEL(name##2, bits, bits, 0, 0, kind)                                                                \
    LW_CHANNEL(name##4, bits, bits, bits, bits, kind)

LW_CHANNEL(char, 8, 0, 0, 0, cudaChannelFormatKindSigned)
LW_CHANNELS(char, signed char, 8, cudaChannelFormatKindSigned)
LW_CHANNELS(uchar, unsigned char, 8, cudaChannelFormatKindUnsigned)
LW_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
LW_CHANNELS(ushort, unsigned short, 16, cudaChannelFormatKindUnsigned)
LW_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
LW_CHANNELS(uint, unsigned int, 32, cudaChannelFormatKindUnsigned)
LW_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)

#undef LW_CHANNELS
#undef LW_CHANNEL

template <typename T> LW_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc() { return lw_channel<T>::get(); }
#undef LW_HOST

#endif
