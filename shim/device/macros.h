// SPDX-License-Identifier: Apache-2.0
//
// The words of CUDA C++ as clang attributes, the identity that sources ask about (__CUDACC__, CUDART_VERSION), and the
// prefixes with which every function of these headers is declared. Everything else in shim/ includes this first.
//
// LW_DEVICE functions are static, inlined at every level and carry no debug information: what they expand to takes the
// line of the user's call, so that a shuffle or a barrier is reported where the user wrote it. LW_BOTH is the same for
// functions that the host may call too.

#ifndef LANEWISE_SHIM_DEVICE_MACROS_H
#define LANEWISE_SHIM_DEVICE_MACROS_H

#ifndef __CUDA__
#error "These headers are for clang in CUDA mode (-x cuda)."
#endif

#pragma clang system_header

#include <stddef.h>

// Sources take the CUDA path on either of these two.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 3
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define CUDART_VERSION 12030
#define CUDA_VERSION 12030
#define __CUDART_API_VERSION 12030
#define __CUDA_API_VERSION 12030
#define __CUDA_RUNTIME_H__
#define __LANEWISE_SHIM__ 1

// Sources use the upper bounds of these lists in #if only.
#ifdef __CUDA_ARCH__
#define __CUDA_ARCH_LIST__ __CUDA_ARCH__
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

// clang has no managed variables for CUDA. The host copy stands in a section of its own, whose bounds the linker gives,
// so that the run-time library can tell managed variables from device variables at registration.
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("lanewise_managed"), used))
#endif

#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Until clang knows it, a parameter is what it is anyway: constant.
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif
#define __maxnreg__(count)
#define __block_size__(...)
#define __cluster_dims__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(count) __attribute__((aligned(count)))
#define __thread__ __thread
#define __builtin_align__(count) __align__(count)
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __nv_pure__ __attribute__((pure))
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define CUDART_DEVICE

#define LW_DEVICE static __device__ inline __attribute__((always_inline, nodebug))
#define LW_BOTH static __host__ __device__ inline __attribute__((always_inline, nodebug))
// For members, where static would mean something else.
#define LW_DEVICE_MEMBER __device__ inline __attribute__((always_inline, nodebug))
#define LW_BOTH_MEMBER __host__ __device__ inline __attribute__((always_inline, nodebug))

// Fast-math builds (clang -ffast-math, or the macro that nvcc sets for -use_fast_math) take the approximate forms and,
// as nvcc does, flush single-precision denormals.
#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__) || defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define LW_FAST_MATH 1
#endif
#ifdef LW_FAST_MATH
#define LW_FTZ ".ftz"
#else
#define LW_FTZ ""
#endif

// Bit copies between types of one size, without a library.
template <typename To, typename From> LW_BOTH To lw_bits(From value) {
    return __builtin_bit_cast(To, value);
}

// Pieces of <type_traits> that the headers need where no C++ library is installed.
template <bool Condition, typename Type = void> struct lw_enable_if {};
template <typename Type> struct lw_enable_if<true, Type> { typedef Type type; };
template <typename A, typename B> struct lw_is_same { static const bool value = false; };
template <typename A> struct lw_is_same<A, A> { static const bool value = true; };
template <typename Type> struct lw_is_integer { static const bool value = __is_integral(Type); };
template <typename Type> struct lw_is_arithmetic { static const bool value = __is_arithmetic(Type); };

#endif
