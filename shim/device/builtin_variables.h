// SPDX-License-Identifier: Apache-2.0
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each component is a property that reads one special register, so
// that no object exists. Written anew rather than taken from clang, because clang's own accessors carry their own lines.

#ifndef LANEWISE_SHIM_DEVICE_BUILTIN_VARIABLES_H
#define LANEWISE_SHIM_DEVICE_BUILTIN_VARIABLES_H

#include "../vector_types.h"

#pragma clang system_header

#define LW_PROPERTY(component, builtin)                                                           \
    __declspec(property(get = lw_read_##component)) unsigned int component;                       \
    static __device__ inline __attribute__((always_inline, nodebug)) unsigned int lw_read_##component() { return builtin(); }

#define LW_BUILTIN_VARIABLE(name, prefix)                                                         \
    struct lw_##name##_type {                                                                     \
        LW_PROPERTY(x, __nvvm_read_ptx_sreg_##prefix##_x)                                         \
        LW_PROPERTY(y, __nvvm_read_ptx_sreg_##prefix##_y)                                         \
        LW_PROPERTY(z, __nvvm_read_ptx_sreg_##prefix##_z)                                         \
        LW_DEVICE_MEMBER operator dim3() const { return dim3(x, y, z); }                          \
        LW_DEVICE_MEMBER operator uint3() const { return uint3{x, y, z}; }                        \
        __device__ lw_##name##_type() = delete;                                                   \
        __device__ lw_##name##_type(const lw_##name##_type &) = delete;                           \
        __device__ void operator=(const lw_##name##_type &) const = delete;                       \
        __device__ lw_##name##_type *operator&() const = delete;                                  \
    };                                                                                            \
    extern const __device__ __attribute__((weak)) lw_##name##_type name;

LW_BUILTIN_VARIABLE(threadIdx, tid)
LW_BUILTIN_VARIABLE(blockIdx, ctaid)
LW_BUILTIN_VARIABLE(blockDim, ntid)
LW_BUILTIN_VARIABLE(gridDim, nctaid)

#undef LW_BUILTIN_VARIABLE
#undef LW_PROPERTY

__device__ const int warpSize = 32;

#endif
