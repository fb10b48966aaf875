/* SPDX-License-Identifier: Apache-2.0
 *
 * Tails, reductions, scans, halos and wide accesses of half precision: what tail.h, reduce.h, halo.h and vector.h give, for f16 where
 * cuda_fp16.h was included before device.h, and for bf16 where cuda_bf16.h was.  min and max ignore NaN.
 */
#ifndef LANEWISE_DEVICE_HALF_H
#define LANEWISE_DEVICE_HALF_H

#include <lanewise/device/halo.h>
#include <lanewise/device/reduce.h>
#include <lanewise/device/vector.h>

/* `of`: a number from its bits; one, infinity, minus infinity: theirs. */
#define LW_DEVICE_HALF_(name, type, of, one, infinity, minus_infinity)       \
    LW_DEVICE_SHUFFLE(name, type, type)                                      \
    LW_DEVICE_OPERATOR(sum, name, type, __hadd(a, b), of(0x8000))            \
    LW_DEVICE_OPERATOR(product, name, type, __hmul(a, b), of(one))           \
    LW_DEVICE_OPERATOR(min, name, type, __hmin(a, b), of(infinity))          \
    LW_DEVICE_OPERATOR(max, name, type, __hmax(a, b), of(minus_infinity))    \
    LW_DEVICE_REDUCE_FLOAT_(name, type)                                      \
    LW_DEVICE_EDGE(name, type)

#define LW_VECTOR_LOAD_HALF_(vector, wide, of)                          \
    vector.part[0] = of(wide.x), vector.part[1] = of(wide.y);           \
    vector.part[2] = of(wide.z), vector.part[3] = of(wide.w);
#define LW_VECTOR_STORE_HALF_(wide, vector, bits)                       \
    wide.x = bits(vector.part[0]), wide.y = bits(vector.part[1]);       \
    wide.z = bits(vector.part[2]), wide.w = bits(vector.part[3]);

#if defined(__CUDA_FP16_H__)
LW_DEVICE_HALF_(f16, __half, __ushort_as_half, 0x3c00, 0x7c00, 0xfc00)
#define LW_VECTOR_f16 4
#define LW_VECTOR_LOAD_f16_(vector, wide) LW_VECTOR_LOAD_HALF_(vector, wide, __ushort_as_half)
#define LW_VECTOR_STORE_f16_(wide, vector) LW_VECTOR_STORE_HALF_(wide, vector, __half_as_ushort)
LW_DEVICE_VECTOR_(f16, __half, ushort4, 4, LW_VECTOR_LOAD_f16_, LW_VECTOR_STORE_f16_)
#endif

#if defined(__CUDA_BF16_H__)
LW_DEVICE_HALF_(bf16, __nv_bfloat16, __ushort_as_bfloat16, 0x3f80, 0x7f80, 0xff80)
#define LW_VECTOR_bf16 4
#define LW_VECTOR_LOAD_bf16_(vector, wide) LW_VECTOR_LOAD_HALF_(vector, wide, __ushort_as_bfloat16)
#define LW_VECTOR_STORE_bf16_(wide, vector) LW_VECTOR_STORE_HALF_(wide, vector, __bfloat16_as_ushort)
LW_DEVICE_VECTOR_(bf16, __nv_bfloat16, ushort4, 4, LW_VECTOR_LOAD_bf16_, LW_VECTOR_STORE_bf16_)
#endif

#endif
