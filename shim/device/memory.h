// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores with a cache operator (__ldg, __ldcg, __stcs ...) on every scalar and vector type, address spaces,
// prefetches and assumptions.

#ifndef LANEWISE_SHIM_DEVICE_MEMORY_H
#define LANEWISE_SHIM_DEVICE_MEMORY_H

#include "../vector_functions.h"

#pragma clang system_header

// ---- cache operators ----
//
// One row a type: (row macro, number of components, type, component type, PTX type, carrier type, constraint).
// Bytes travel in 16-bit registers: inline PTX has no narrower ones.

#define LW_CACHED_TYPES(row)                                                                                   \
    row(1, char, char, "s8", short, "h")                                                                       \
    row(1, signed char, signed char, "s8", short, "h")                                                         \
    row(1, unsigned char, unsigned char, "u8", unsigned short, "h")                                            \
    row(1, short, short, "s16", short, "h")                                                                    \
    row(1, unsigned short, unsigned short, "u16", unsigned short, "h")                                         \
    row(1, int, int, "s32", int, "r")                                                                          \
    row(1, unsigned int, unsigned int, "u32", unsigned int, "r")                                               \
    row(1, long, long, "s64", long, "l")                                                                       \
    row(1, unsigned long, unsigned long, "u64", unsigned long, "l")                                            \
    row(1, long long, long long, "s64", long long, "l")                                                        \
    row(1, unsigned long long, unsigned long long, "u64", unsigned long long, "l")                             \
    row(1, float, float, "f32", float, "f")                                                                    \
    row(1, double, double, "f64", double, "d")                                                                 \
    row(2, char2, signed char, "s8", short, "h")                                                               \
    row(2, uchar2, unsigned char, "u8", unsigned short, "h")                                                   \
    row(2, short2, short, "s16", short, "h")                                                                   \
    row(2, ushort2, unsigned short, "u16", unsigned short, "h")                                                \
    row(2, int2, int, "s32", int, "r")                                                                         \
    row(2, uint2, unsigned int, "u32", unsigned int, "r")                                                      \
    row(2, longlong2, long long, "s64", long long, "l")                                                        \
    row(2, ulonglong2, unsigned long long, "u64", unsigned long long, "l")                                     \
    row(2, float2, float, "f32", float, "f")                                                                   \
    row(2, double2, double, "f64", double, "d")                                                                \
    row(4, char4, signed char, "s8", short, "h")                                                               \
    row(4, uchar4, unsigned char, "u8", unsigned short, "h")                                                   \
    row(4, short4, short, "s16", short, "h")                                                                   \
    row(4, ushort4, unsigned short, "u16", unsigned short, "h")                                                \
    row(4, int4, int, "s32", int, "r")                                                                         \
    row(4, uint4, unsigned int, "u32", unsigned int, "r")                                                      \
    row(4, float4, float, "f32", float, "f")

#define LW_LOAD_1(name, instruction, effects, type, component, ptx, carrier, c)                                \
    LW_DEVICE type name(const type *address) {                                                                 \
        carrier x;                                                                                             \
        asm effects(instruction "." ptx " %0, [%1];" : "=" c(x) : "l"(address) : LW_CLOBBER);                  \
        return (type)x;                                                                                        \
    }
#define LW_LOAD_2(name, instruction, effects, type, component, ptx, carrier, c)                                \
    LW_DEVICE type name(const type *address) {                                                                 \
        carrier x, y;                                                                                          \
        asm effects(instruction ".v2." ptx " {%0, %1}, [%2];" : "=" c(x), "=" c(y) : "l"(address) : LW_CLOBBER); \
        return type{(component)x, (component)y};                                                               \
    }
#define LW_LOAD_4(name, instruction, effects, type, component, ptx, carrier, c)                                \
    LW_DEVICE type name(const type *address) {                                                                 \
        carrier x, y, z, w;                                                                                    \
        asm effects(instruction ".v4." ptx " {%0, %1, %2, %3}, [%4];"                                          \
                    : "=" c(x), "=" c(y), "=" c(z), "=" c(w) : "l"(address) : LW_CLOBBER);                     \
        return type{(component)x, (component)y, (component)z, (component)w};                                   \
    }
#define LW_STORE_1(name, instruction, type, component, ptx, carrier, c)                                        \
    LW_DEVICE void name(type *address, type value) {                                                           \
        asm volatile(instruction "." ptx " [%0], %1;" ::"l"(address), c((carrier)value) : "memory");           \
    }
#define LW_STORE_2(name, instruction, type, component, ptx, carrier, c)                                        \
    LW_DEVICE void name(type *address, type value) {                                                           \
        asm volatile(instruction ".v2." ptx " [%0], {%1, %2};" ::"l"(address), c((carrier)value.x),            \
                     c((carrier)value.y) : "memory");                                                          \
    }
#define LW_STORE_4(name, instruction, type, component, ptx, carrier, c)                                        \
    LW_DEVICE void name(type *address, type value) {                                                           \
        asm volatile(instruction ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(address), c((carrier)value.x),    \
                     c((carrier)value.y), c((carrier)value.z), c((carrier)value.w) : "memory");                \
    }

// __ldg reads memory that nothing writes while the kernel runs: it needs no ordering and may be moved.
#define LW_CLOBBER
#define LW_ROW(count, type, component, ptx, carrier, c)                                                        \
    LW_LOAD_##count(__ldg, "ld.global.nc", , type, component, ptx, carrier, c)
LW_CACHED_TYPES(LW_ROW)
#undef LW_ROW
#undef LW_CLOBBER

#define LW_CLOBBER "memory"
#define LW_ROW(count, type, component, ptx, carrier, c)                                                        \
    LW_LOAD_##count(__ldca, "ld.global.ca", volatile, type, component, ptx, carrier, c)                        \
    LW_LOAD_##count(__ldcg, "ld.global.cg", volatile, type, component, ptx, carrier, c)                        \
    LW_LOAD_##count(__ldcs, "ld.global.cs", volatile, type, component, ptx, carrier, c)                        \
    LW_LOAD_##count(__ldlu, "ld.global.lu", volatile, type, component, ptx, carrier, c)                        \
    LW_LOAD_##count(__ldcv, "ld.global.cv", volatile, type, component, ptx, carrier, c)                        \
    LW_STORE_##count(__stwb, "st.global.wb", type, component, ptx, carrier, c)                                 \
    LW_STORE_##count(__stcg, "st.global.cg", type, component, ptx, carrier, c)                                 \
    LW_STORE_##count(__stcs, "st.global.cs", type, component, ptx, carrier, c)                                 \
    LW_STORE_##count(__stwt, "st.global.wt", type, component, ptx, carrier, c)
LW_CACHED_TYPES(LW_ROW)
#undef LW_ROW
#undef LW_CLOBBER

#undef LW_CACHED_TYPES
#undef LW_LOAD_1
#undef LW_LOAD_2
#undef LW_LOAD_4
#undef LW_STORE_1
#undef LW_STORE_2
#undef LW_STORE_4

// ---- address spaces ----

#define LW_ADDRESS_SPACE(name, number)                                                                         \
    LW_DEVICE size_t __cvta_generic_to_##name(const void *pointer) {                                           \
        return (size_t)(void __attribute__((address_space(number))) *)pointer;                                 \
    }                                                                                                          \
    LW_DEVICE void *__cvta_##name##_to_generic(size_t address) {                                               \
        return (void *)(void __attribute__((address_space(number))) *)address;                                 \
    }

LW_ADDRESS_SPACE(global, 1)
LW_ADDRESS_SPACE(shared, 3)
LW_ADDRESS_SPACE(constant, 4)
LW_ADDRESS_SPACE(local, 5)

#undef LW_ADDRESS_SPACE

LW_DEVICE unsigned int __isGlobal(const void *pointer) { return __nvvm_isspacep_global(pointer); }
LW_DEVICE unsigned int __isShared(const void *pointer) { return __nvvm_isspacep_shared(pointer); }
LW_DEVICE unsigned int __isConstant(const void *pointer) { return __nvvm_isspacep_const(pointer); }
LW_DEVICE unsigned int __isLocal(const void *pointer) { return __nvvm_isspacep_local(pointer); }

#endif
