// SPDX-License-Identifier: Apache-2.0
//
// nvcuda::wmma: matrix fragments of a warp over clang's tensor-core builtins. Half, bfloat, 8-bit integers (three shapes
// each), tf32 and double. One row a fragment or multiplication; the loads and stores are wmma.load and wmma.store.

#ifndef LANEWISE_SHIM_MMA_H
#define LANEWISE_SHIM_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#pragma clang system_header

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

// Registers of a fragment seen as elements. The builtins take them as int or float arrays.
template <typename T, int Count> struct lw_elements {
    enum { num_elements = Count, num_storage_elements = Count };
    T x[Count];
};

template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
LW_DEVICE void fill_fragment(fragment<Use, M, N, K, T, Layout> &to, const Value &value) {
#pragma unroll
    for (int i = 0; i < to.num_elements; i++) to.x[i] = value;
}

LW_DEVICE float __float_to_tf32(float value) {
    unsigned int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return lw_bits<float>(bits);
}

// (builtin prefix, use, M, N, K, element type, stored type, number of elements, register type)
#define LW_OPERAND(builtin, use, M, N, K, type, stored, count, reg)                                            \
    LW_OPERAND_LAYOUT(builtin, use, M, N, K, type, stored, count, reg, row_major, 0)                           \
    LW_OPERAND_LAYOUT(builtin, use, M, N, K, type, stored, count, reg, col_major, 1)
#define LW_OPERAND_LAYOUT(builtin, use, M, N, K, type, stored, count, reg, layout, number)                     \
    template <> class fragment<use, M, N, K, type, layout> : public lw_elements<stored, count> {};             \
    LW_DEVICE void load_matrix_sync(fragment<use, M, N, K, type, layout> &to, const stored *from, unsigned int ldm) { \
        builtin((reg *)to.x, (const reg *)from, ldm, number);                                                  \
    }
#define LW_ACCUMULATOR(load, store, M, N, K, type, count, reg)                                                 \
    template <> class fragment<accumulator, M, N, K, type, void> : public lw_elements<type, count> {};         \
    LW_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, type> &to, const type *from, unsigned int ldm, \
                                    layout_t layout) {                                                         \
        if (layout == mem_row_major) load((reg *)to.x, (const reg *)from, ldm, 0);                             \
        else load((reg *)to.x, (const reg *)from, ldm, 1);                                                     \
    }                                                                                                          \
    LW_DEVICE void store_matrix_sync(type *to, const fragment<accumulator, M, N, K, type> &from, unsigned int ldm, \
                                     layout_t layout) {                                                        \
        if (layout == mem_row_major) store((reg *)to, (const reg *)from.x, ldm, 0);                            \
        else store((reg *)to, (const reg *)from.x, ldm, 1);                                                    \
    }

// d = a * b + c in the four combinations of layouts.
#define LW_MULTIPLY(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg)                                 \
    LW_MULTIPLY_LAYOUT(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg, row_major, row_major, 0)     \
    LW_MULTIPLY_LAYOUT(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg, row_major, col_major, 1)     \
    LW_MULTIPLY_LAYOUT(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg, col_major, row_major, 2)     \
    LW_MULTIPLY_LAYOUT(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg, col_major, col_major, 3)
#define LW_MULTIPLY_LAYOUT(builtin, M, N, K, type, d_type, c_type, reg, d_reg, c_reg, a_layout, b_layout, number) \
    LW_DEVICE void mma_sync(fragment<accumulator, M, N, K, d_type> &d,                                         \
                            const fragment<matrix_a, M, N, K, type, a_layout> &a,                              \
                            const fragment<matrix_b, M, N, K, type, b_layout> &b,                              \
                            const fragment<accumulator, M, N, K, c_type> &c) {                                 \
        builtin((d_reg *)d.x, (const reg *)a.x, (const reg *)b.x, (const c_reg *)c.x, number, 0);              \
    }

// ---- half ----

#define LW_HALF_SHAPE(shape, M, N, K)                                                                          \
    LW_OPERAND(__hmma_##shape##_ld_a, matrix_a, M, N, K, __half, __half, 16, int)                              \
    LW_OPERAND(__hmma_##shape##_ld_b, matrix_b, M, N, K, __half, __half, 16, int)                              \
    LW_ACCUMULATOR(__hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16, M, N, K, __half, 8, int)              \
    LW_ACCUMULATOR(__hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32, M, N, K, float, 8, float)             \
    LW_MULTIPLY(__hmma_##shape##_mma_f16f16, M, N, K, __half, __half, __half, int, int, int)                   \
    LW_MULTIPLY(__hmma_##shape##_mma_f32f16, M, N, K, __half, float, __half, int, float, int)                  \
    LW_MULTIPLY(__hmma_##shape##_mma_f16f32, M, N, K, __half, __half, float, int, int, float)                  \
    LW_MULTIPLY(__hmma_##shape##_mma_f32f32, M, N, K, __half, float, float, int, float, float)
LW_HALF_SHAPE(m16n16k16, 16, 16, 16)
LW_HALF_SHAPE(m32n8k16, 32, 8, 16)
LW_HALF_SHAPE(m8n32k16, 8, 32, 16)
#undef LW_HALF_SHAPE

// ---- bytes ----

#define LW_BYTE_SHAPE(shape, M, N, K, a_count, b_count)                                                        \
    LW_OPERAND(__imma_##shape##_ld_a_s8, matrix_a, M, N, K, signed char, signed char, a_count, int)            \
    LW_OPERAND(__imma_##shape##_ld_b_s8, matrix_b, M, N, K, signed char, signed char, b_count, int)            \
    LW_OPERAND(__imma_##shape##_ld_a_u8, matrix_a, M, N, K, unsigned char, unsigned char, a_count, int)        \
    LW_OPERAND(__imma_##shape##_ld_b_u8, matrix_b, M, N, K, unsigned char, unsigned char, b_count, int)        \
    LW_ACCUMULATOR(__imma_##shape##_ld_c, __imma_##shape##_st_c_i32, M, N, K, int, 8, int)                     \
    LW_MULTIPLY(__imma_##shape##_mma_s8, M, N, K, signed char, int, int, int, int, int)                        \
    LW_MULTIPLY(__imma_##shape##_mma_u8, M, N, K, unsigned char, int, int, int, int, int)
LW_BYTE_SHAPE(m16n16k16, 16, 16, 16, 8, 8)
LW_BYTE_SHAPE(m32n8k16, 32, 8, 16, 16, 4)
LW_BYTE_SHAPE(m8n32k16, 8, 32, 16, 4, 16)
#undef LW_BYTE_SHAPE

// ---- bfloat, tf32, double (sm_80 on) ----

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define LW_BFLOAT_SHAPE(shape, M, N, K, a_count, b_count)                                                      \
    LW_OPERAND(__mma_bf16_##shape##_ld_a, matrix_a, M, N, K, __nv_bfloat16, __nv_bfloat16, a_count, int)       \
    LW_OPERAND(__mma_bf16_##shape##_ld_b, matrix_b, M, N, K, __nv_bfloat16, __nv_bfloat16, b_count, int)       \
    LW_MULTIPLY(__mma_bf16_##shape##_mma_f32, M, N, K, __nv_bfloat16, float, float, int, float, float)
LW_BFLOAT_SHAPE(m16n16k16, 16, 16, 16, 8, 8)
LW_BFLOAT_SHAPE(m32n8k16, 32, 8, 16, 16, 4)
LW_BFLOAT_SHAPE(m8n32k16, 8, 32, 16, 4, 16)
#undef LW_BFLOAT_SHAPE

LW_OPERAND(__mma_tf32_m16n16k8_ld_a, matrix_a, 16, 16, 8, precision::tf32, float, 4, int)
LW_OPERAND(__mma_tf32_m16n16k8_ld_b, matrix_b, 16, 16, 8, precision::tf32, float, 4, int)
LW_ACCUMULATOR(__mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32, 16, 16, 8, float, 8, float)
LW_MULTIPLY(__mma_tf32_m16n16k8_mma_f32, 16, 16, 8, precision::tf32, float, float, int, float, float)

LW_OPERAND(__dmma_m8n8k4_ld_a, matrix_a, 8, 8, 4, double, double, 1, double)
LW_OPERAND(__dmma_m8n8k4_ld_b, matrix_b, 8, 8, 4, double, double, 1, double)
LW_ACCUMULATOR(__dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, 8, 8, 4, double, 2, double)
LW_MULTIPLY(__dmma_m8n8k4_mma_f64, 8, 8, 4, double, double, double, double, double, double)
#endif

#undef LW_OPERAND
#undef LW_OPERAND_LAYOUT
#undef LW_ACCUMULATOR
#undef LW_MULTIPLY
#undef LW_MULTIPLY_LAYOUT

} // namespace wmma
} // namespace nvcuda

#endif
