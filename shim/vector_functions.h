// SPDX-License-Identifier: Apache-2.0
//
// make_char1 ... make_double4, for host and device.

#ifndef LANEWISE_SHIM_VECTOR_FUNCTIONS_H
#define LANEWISE_SHIM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#pragma clang system_header

#define LW_VECTOR_MAKE(name, scalar, align1, align2, align3, align4)                              \
    LW_BOTH name##1 make_##name##1(scalar x) { return name##1{x}; }                               \
    LW_BOTH name##2 make_##name##2(scalar x, scalar y) { return name##2{x, y}; }                  \
    LW_BOTH name##3 make_##name##3(scalar x, scalar y, scalar z) { return name##3{x, y, z}; }     \
    LW_BOTH name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { return name##4{x, y, z, w}; }

LW_VECTOR_ROWS(LW_VECTOR_MAKE)

#undef LW_VECTOR_MAKE

#define LW_VECTOR_MAKE_ALIGNED(name, scalar)                                                      \
    LW_BOTH name##4_16a make_##name##4_16a(scalar x, scalar y, scalar z, scalar w) {              \
        return name##4_16a{x, y, z, w};                                                           \
    }                                                                                             \
    LW_BOTH name##4_32a make_##name##4_32a(scalar x, scalar y, scalar z, scalar w) {              \
        return name##4_32a{x, y, z, w};                                                           \
    }

LW_VECTOR_MAKE_ALIGNED(long, long)
LW_VECTOR_MAKE_ALIGNED(ulong, unsigned long)
LW_VECTOR_MAKE_ALIGNED(longlong, long long)
LW_VECTOR_MAKE_ALIGNED(ulonglong, unsigned long long)
LW_VECTOR_MAKE_ALIGNED(double, double)

#undef LW_VECTOR_MAKE_ALIGNED

#endif
