/* SPDX-License-Identifier: Apache-2.0
 *
 * lanewise/device.h: safety that is visible in the kernel.  For CUDA C, with nvcc and with clang; plain functions, structs and macros.
 *
 *     #include <lanewise/device.h>
 *
 *     __global__ void add(struct lw_view_f32 x, struct lw_view_f32 y, struct lw_slice_f32 out)
 *
 * Slices and checked indexing stand in device/slice.h, rows, columns and pairs of them in device/matrix.h, writing by the thread's own
 * index in device/write.h; tails, reductions, halos and wide loads in device/tail.h, reduce.h, halo.h and vector.h.  docs/device.md shows
 * each with an example and says what is proved.
 *
 * `lanewise check` proves what these functions do with memory; each comment states what is left to the caller.  A failing check stops the
 * launch (device/fault.h).  Halves are there when cuda_fp16.h or cuda_bf16.h was included before.
 */
#ifndef LANEWISE_DEVICE_H
#define LANEWISE_DEVICE_H

#include <lanewise/slices.h>

#include <lanewise/device/fault.h>
#include <lanewise/device/slice.h>
#include <lanewise/device/matrix.h>
#include <lanewise/device/write.h>

/* Slices, views and places to write for another type of element: LW_DEVICE_ELEMENT(point, struct point). */
#define LW_DEVICE_ELEMENT(name, type)   \
    LW_SLICE_TYPES(name, type)          \
    LW_DEVICE_SLICE_(name, type)        \
    LW_DEVICE_MATRIX_TYPES_(name, type) \
    LW_DEVICE_MATRIX_MAKE_(name, type)  \
    LW_DEVICE_STRIPS_(name, type)       \
    LW_DEVICE_WRITE_(name, type)

#if defined(__CUDA_FP16_H__)
LW_DEVICE_ELEMENT(f16, __half)
#endif
#if defined(__CUDA_BF16_H__)
LW_DEVICE_ELEMENT(bf16, __nv_bfloat16)
#endif

#include <lanewise/device/tail.h>
#include <lanewise/device/reduce.h>
#include <lanewise/device/halo.h>
#include <lanewise/device/vector.h>
#if defined(__CUDA_FP16_H__) || defined(__CUDA_BF16_H__)
#include <lanewise/device/half.h>
#endif

#endif
