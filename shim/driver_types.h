// SPDX-License-Identifier: Apache-2.0
//
// The types and constants of the CUDA runtime API, with the values and layouts that its documentation gives (CUDA 12):
// errors, streams, events, memory, device properties and attributes, arrays, textures, graphs and memory pools.

#ifndef LANEWISE_SHIM_DRIVER_TYPES_H
#define LANEWISE_SHIM_DRIVER_TYPES_H

#include "vector_types.h"

#pragma clang system_header

// ---- errors: name, number. The run-time library makes its names and messages from the same list. ----

#define LW_CUDA_ERRORS(row)                                                                                    \
    row(cudaSuccess, 0)                                                                                        \
    row(cudaErrorInvalidValue, 1)                                                                              \
    row(cudaErrorMemoryAllocation, 2)                                                                          \
    row(cudaErrorInitializationError, 3)                                                                       \
    row(cudaErrorCudartUnloading, 4)                                                                           \
    row(cudaErrorProfilerDisabled, 5)                                                                          \
    row(cudaErrorProfilerNotInitialized, 6)                                                                    \
    row(cudaErrorProfilerAlreadyStarted, 7)                                                                    \
    row(cudaErrorProfilerAlreadyStopped, 8)                                                                    \
    row(cudaErrorInvalidConfiguration, 9)                                                                      \
    row(cudaErrorInvalidPitchValue, 12)                                                                        \
    row(cudaErrorInvalidSymbol, 13)                                                                            \
    row(cudaErrorInvalidHostPointer, 16)                                                                       \
    row(cudaErrorInvalidDevicePointer, 17)                                                                     \
    row(cudaErrorInvalidTexture, 18)                                                                           \
    row(cudaErrorInvalidTextureBinding, 19)                                                                    \
    row(cudaErrorInvalidChannelDescriptor, 20)                                                                 \
    row(cudaErrorInvalidMemcpyDirection, 21)                                                                   \
    row(cudaErrorInvalidFilterSetting, 26)                                                                     \
    row(cudaErrorInvalidNormSetting, 27)                                                                       \
    row(cudaErrorStubLibrary, 34)                                                                              \
    row(cudaErrorInsufficientDriver, 35)                                                                       \
    row(cudaErrorCallRequiresNewerDriver, 36)                                                                  \
    row(cudaErrorInvalidSurface, 37)                                                                           \
    row(cudaErrorDuplicateVariableName, 43)                                                                    \
    row(cudaErrorDuplicateTextureName, 44)                                                                     \
    row(cudaErrorDuplicateSurfaceName, 45)                                                                     \
    row(cudaErrorDevicesUnavailable, 46)                                                                       \
    row(cudaErrorIncompatibleDriverContext, 49)                                                                \
    row(cudaErrorMissingConfiguration, 52)                                                                     \
    row(cudaErrorLaunchMaxDepthExceeded, 65)                                                                   \
    row(cudaErrorLaunchFileScopedTex, 66)                                                                      \
    row(cudaErrorLaunchFileScopedSurf, 67)                                                                     \
    row(cudaErrorSyncDepthExceeded, 68)                                                                        \
    row(cudaErrorLaunchPendingCountExceeded, 69)                                                               \
    row(cudaErrorInvalidDeviceFunction, 98)                                                                    \
    row(cudaErrorNoDevice, 100)                                                                                \
    row(cudaErrorInvalidDevice, 101)                                                                           \
    row(cudaErrorDeviceNotLicensed, 102)                                                                       \
    row(cudaErrorSoftwareValidityNotEstablished, 103)                                                          \
    row(cudaErrorStartupFailure, 127)                                                                          \
    row(cudaErrorInvalidKernelImage, 200)                                                                      \
    row(cudaErrorDeviceUninitialized, 201)                                                                     \
    row(cudaErrorMapBufferObjectFailed, 205)                                                                   \
    row(cudaErrorUnmapBufferObjectFailed, 206)                                                                 \
    row(cudaErrorArrayIsMapped, 207)                                                                           \
    row(cudaErrorAlreadyMapped, 208)                                                                           \
    row(cudaErrorNoKernelImageForDevice, 209)                                                                  \
    row(cudaErrorAlreadyAcquired, 210)                                                                         \
    row(cudaErrorNotMapped, 211)                                                                               \
    row(cudaErrorECCUncorrectable, 214)                                                                        \
    row(cudaErrorUnsupportedLimit, 215)                                                                        \
    row(cudaErrorDeviceAlreadyInUse, 216)                                                                      \
    row(cudaErrorPeerAccessUnsupported, 217)                                                                   \
    row(cudaErrorInvalidPtx, 218)                                                                              \
    row(cudaErrorInvalidGraphicsContext, 219)                                                                  \
    row(cudaErrorNvlinkUncorrectable, 220)                                                                     \
    row(cudaErrorJitCompilerNotFound, 221)                                                                     \
    row(cudaErrorUnsupportedPtxVersion, 222)                                                                   \
    row(cudaErrorJitCompilationDisabled, 223)                                                                  \
    row(cudaErrorInvalidSource, 300)                                                                           \
    row(cudaErrorFileNotFound, 301)                                                                            \
    row(cudaErrorSharedObjectSymbolNotFound, 302)                                                              \
    row(cudaErrorSharedObjectInitFailed, 303)                                                                  \
    row(cudaErrorOperatingSystem, 304)                                                                         \
    row(cudaErrorInvalidResourceHandle, 400)                                                                   \
    row(cudaErrorIllegalState, 401)                                                                            \
    row(cudaErrorSymbolNotFound, 500)                                                                          \
    row(cudaErrorNotReady, 600)                                                                                \
    row(cudaErrorIllegalAddress, 700)                                                                          \
    row(cudaErrorLaunchOutOfResources, 701)                                                                    \
    row(cudaErrorLaunchTimeout, 702)                                                                           \
    row(cudaErrorLaunchIncompatibleTexturing, 703)                                                             \
    row(cudaErrorPeerAccessAlreadyEnabled, 704)                                                                \
    row(cudaErrorPeerAccessNotEnabled, 705)                                                                    \
    row(cudaErrorSetOnActiveProcess, 708)                                                                      \
    row(cudaErrorContextIsDestroyed, 709)                                                                      \
    row(cudaErrorAssert, 710)                                                                                  \
    row(cudaErrorTooManyPeers, 711)                                                                            \
    row(cudaErrorHostMemoryAlreadyRegistered, 712)                                                             \
    row(cudaErrorHostMemoryNotRegistered, 713)                                                                 \
    row(cudaErrorHardwareStackError, 714)                                                                      \
    row(cudaErrorIllegalInstruction, 715)                                                                      \
    row(cudaErrorMisalignedAddress, 716)                                                                       \
    row(cudaErrorInvalidAddressSpace, 717)                                                                     \
    row(cudaErrorInvalidPc, 718)                                                                               \
    row(cudaErrorLaunchFailure, 719)                                                                           \
    row(cudaErrorCooperativeLaunchTooLarge, 720)                                                               \
    row(cudaErrorNotPermitted, 800)                                                                            \
    row(cudaErrorNotSupported, 801)                                                                            \
    row(cudaErrorSystemNotReady, 802)                                                                          \
    row(cudaErrorSystemDriverMismatch, 803)                                                                    \
    row(cudaErrorStreamCaptureUnsupported, 900)                                                                \
    row(cudaErrorStreamCaptureInvalidated, 901)                                                                \
    row(cudaErrorStreamCaptureMerge, 902)                                                                      \
    row(cudaErrorStreamCaptureUnmatched, 903)                                                                  \
    row(cudaErrorStreamCaptureUnjoined, 904)                                                                   \
    row(cudaErrorStreamCaptureIsolation, 905)                                                                  \
    row(cudaErrorStreamCaptureImplicit, 906)                                                                   \
    row(cudaErrorCapturedEvent, 907)                                                                           \
    row(cudaErrorStreamCaptureWrongThread, 908)                                                                \
    row(cudaErrorTimeout, 909)                                                                                 \
    row(cudaErrorGraphExecUpdateFailure, 910)                                                                  \
    row(cudaErrorUnknown, 999)

enum cudaError {
#define LW_CUDA_ERROR_VALUE(name, number) name = number,
    LW_CUDA_ERRORS(LW_CUDA_ERROR_VALUE)
#undef LW_CUDA_ERROR_VALUE
};
typedef enum cudaError cudaError_t;

// ---- handles ----

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUfunc_st *cudaFunction_t;
typedef struct CUkern_st *cudaKernel_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef struct CUuuid_st { char bytes[16]; } cudaUUID_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

// ---- flags ----

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaPeerAccessDefault 0x00
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventWaitDefault 0x00
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

// ---- memory ----

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeDevice = 1,
    cudaMemLocationTypeHost = 2,
    cudaMemLocationTypeHostNuma = 3,
    cudaMemLocationTypeHostNumaCurrent = 4
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};

struct cudaPos { size_t x, y, z; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};

enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};

struct cudaIpcMemHandle_t { char reserved[64]; };
struct cudaIpcEventHandle_t { char reserved[64]; };
#define cudaIpcMemLazyEnablePeerAccess 0x01

// ---- functions and limits ----

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
};
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8
};
typedef union cudaLaunchAttributeValue {
    char pad[64];
    unsigned long long word; // for the alignment
    int cooperative;
    int priority;
    int programmaticStreamSerializationAllowed;
    struct { unsigned int x, y, z; } clusterDim;
} cudaLaunchAttributeValue;
typedef struct cudaLaunchAttribute_st {
    enum cudaLaunchAttributeID id;
    char pad[8 - sizeof(enum cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned int numAttrs;
} cudaLaunchConfig_t;

#include "device_properties.h"
#include "texture_types.h"
#include "library_types.h"

#endif
