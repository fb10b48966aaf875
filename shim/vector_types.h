// SPDX-License-Identifier: Apache-2.0
//
// dim3 and the built-in vector types: char1 ... double4 and their unsigned and 64-bit kin, with the sizes and
// alignments of the CUDA C++ manual's table. One row a scalar type; the alignments are those of LP64 Linux.

#ifndef LANEWISE_SHIM_VECTOR_TYPES_H
#define LANEWISE_SHIM_VECTOR_TYPES_H

#include "device/macros.h"

#pragma clang system_header

// row(name, scalar, alignment of 1, 2, 3 and 4 components)
#define LW_VECTOR_ROWS(row)                                   \
    row(char, signed char, 1, 2, 1, 4)                        \
    row(uchar, unsigned char, 1, 2, 1, 4)                     \
    row(short, short, 2, 4, 2, 8)                             \
    row(ushort, unsigned short, 2, 4, 2, 8)                   \
    row(int, int, 4, 8, 4, 16)                                \
    row(uint, unsigned int, 4, 8, 4, 16)                      \
    row(long, long, 8, 16, 8, 16)                             \
    row(ulong, unsigned long, 8, 16, 8, 16)                   \
    row(longlong, long long, 8, 16, 8, 16)                    \
    row(ulonglong, unsigned long long, 8, 16, 8, 16)          \
    row(float, float, 4, 8, 4, 16)                            \
    row(double, double, 8, 16, 8, 16)

#define LW_VECTOR_TYPE(name, scalar, align1, align2, align3, align4)              \
    struct __attribute__((aligned(align1))) name##1 { scalar x; };                \
    struct __attribute__((aligned(align2))) name##2 { scalar x, y; };             \
    struct __attribute__((aligned(align3))) name##3 { scalar x, y, z; };          \
    struct __attribute__((aligned(align4))) name##4 { scalar x, y, z, w; };

LW_VECTOR_ROWS(LW_VECTOR_TYPE)

#undef LW_VECTOR_TYPE

// Four 64-bit components with a stated alignment.
#define LW_VECTOR_TYPE_ALIGNED(name, scalar)                                      \
    struct __attribute__((aligned(16))) name##4_16a { scalar x, y, z, w; };       \
    struct __attribute__((aligned(32))) name##4_32a { scalar x, y, z, w; };

LW_VECTOR_TYPE_ALIGNED(long, long)
LW_VECTOR_TYPE_ALIGNED(ulong, unsigned long)
LW_VECTOR_TYPE_ALIGNED(longlong, long long)
LW_VECTOR_TYPE_ALIGNED(ulonglong, unsigned long long)
LW_VECTOR_TYPE_ALIGNED(double, double)

#undef LW_VECTOR_TYPE_ALIGNED

struct dim3 {
    unsigned int x, y, z;
    LW_BOTH_MEMBER constexpr dim3(unsigned int in_x = 1, unsigned int in_y = 1, unsigned int in_z = 1)
        : x(in_x), y(in_y), z(in_z) {}
    LW_BOTH_MEMBER constexpr dim3(uint3 value) : x(value.x), y(value.y), z(value.z) {}
    LW_BOTH_MEMBER constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
