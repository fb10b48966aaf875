// SPDX-License-Identifier: Apache-2.0
//
// Atomic functions in their three scopes: the device (no suffix), the block (_block) and the system (_system). The
// device scope uses clang's generic builtins, which the optimiser understands; the other two name their scope in PTX.
// All are relaxed, as in the manual: they order nothing.

#ifndef LANEWISE_SHIM_DEVICE_ATOMICS_H
#define LANEWISE_SHIM_DEVICE_ATOMICS_H

#include "../vector_functions.h"

#pragma clang system_header

// One operation on one type: (function, operation, type, carrier type, builtin suffix).
#define LW_ATOMIC(name, operation, type, carrier, suffix)                                                      \
    LW_DEVICE type name(type *address, type value) {                                                           \
        return lw_bits<type>(__nvvm_atom_##operation##_gen_##suffix((carrier *)address, lw_bits<carrier>(value))); \
    }                                                                                                          \
    LW_DEVICE type name##_block(type *address, type value) {                                                   \
        return lw_bits<type>(__nvvm_atom_cta_##operation##_gen_##suffix((carrier *)address, lw_bits<carrier>(value))); \
    }                                                                                                          \
    LW_DEVICE type name##_system(type *address, type value) {                                                  \
        return lw_bits<type>(__nvvm_atom_sys_##operation##_gen_##suffix((carrier *)address, lw_bits<carrier>(value))); \
    }

LW_ATOMIC(atomicAdd, add, int, int, i)
LW_ATOMIC(atomicAdd, add, unsigned int, int, i)
LW_ATOMIC(atomicAdd, add, unsigned long long, long long, ll)
LW_ATOMIC(atomicAdd, add, float, float, f)
LW_ATOMIC(atomicAdd, add, double, double, d)
LW_ATOMIC(atomicExch, xchg, int, int, i)
LW_ATOMIC(atomicExch, xchg, unsigned int, int, i)
LW_ATOMIC(atomicExch, xchg, unsigned long long, long long, ll)
LW_ATOMIC(atomicExch, xchg, float, int, i)
LW_ATOMIC(atomicMin, min, int, int, i)
LW_ATOMIC(atomicMin, min, unsigned int, unsigned int, ui)
LW_ATOMIC(atomicMin, min, long long, long long, ll)
LW_ATOMIC(atomicMin, min, unsigned long long, unsigned long long, ull)
LW_ATOMIC(atomicMax, max, int, int, i)
LW_ATOMIC(atomicMax, max, unsigned int, unsigned int, ui)
LW_ATOMIC(atomicMax, max, long long, long long, ll)
LW_ATOMIC(atomicMax, max, unsigned long long, unsigned long long, ull)
LW_ATOMIC(atomicInc, inc, unsigned int, unsigned int, ui)
LW_ATOMIC(atomicDec, dec, unsigned int, unsigned int, ui)
LW_ATOMIC(atomicAnd, and, int, int, i)
LW_ATOMIC(atomicAnd, and, unsigned int, int, i)
LW_ATOMIC(atomicAnd, and, unsigned long long, long long, ll)
LW_ATOMIC(atomicOr, or, int, int, i)
LW_ATOMIC(atomicOr, or, unsigned int, int, i)
LW_ATOMIC(atomicOr, or, unsigned long long, long long, ll)
LW_ATOMIC(atomicXor, xor, int, int, i)
LW_ATOMIC(atomicXor, xor, unsigned int, int, i)
LW_ATOMIC(atomicXor, xor, unsigned long long, long long, ll)

#undef LW_ATOMIC

// Subtraction is addition of the negated value, as nvcc writes it.
#define LW_ATOMIC_SUBTRACT(type)                                                                               \
    LW_DEVICE type atomicSub(type *address, type value) {                                                      \
        return atomicAdd(address, (type)(0u - (unsigned int)value));                                           \
    }                                                                                                          \
    LW_DEVICE type atomicSub_block(type *address, type value) {                                                \
        return atomicAdd_block(address, (type)(0u - (unsigned int)value));                                     \
    }                                                                                                          \
    LW_DEVICE type atomicSub_system(type *address, type value) {                                               \
        return atomicAdd_system(address, (type)(0u - (unsigned int)value));                                    \
    }

LW_ATOMIC_SUBTRACT(int)
LW_ATOMIC_SUBTRACT(unsigned int)

#undef LW_ATOMIC_SUBTRACT

#define LW_ATOMIC_EXCHANGE_IF(type, carrier, suffix)                                                           \
    LW_DEVICE type atomicCAS(type *address, type expected, type value) {                                       \
        return (type)__nvvm_atom_cas_gen_##suffix((carrier *)address, (carrier)expected, (carrier)value);      \
    }                                                                                                          \
    LW_DEVICE type atomicCAS_block(type *address, type expected, type value) {                                 \
        return (type)__nvvm_atom_cta_cas_gen_##suffix((carrier *)address, (carrier)expected, (carrier)value);  \
    }                                                                                                          \
    LW_DEVICE type atomicCAS_system(type *address, type expected, type value) {                                \
        return (type)__nvvm_atom_sys_cas_gen_##suffix((carrier *)address, (carrier)expected, (carrier)value);  \
    }

LW_ATOMIC_EXCHANGE_IF(int, int, i)
LW_ATOMIC_EXCHANGE_IF(unsigned int, int, i)
LW_ATOMIC_EXCHANGE_IF(unsigned long long, long long, ll)

#undef LW_ATOMIC_EXCHANGE_IF

#define LW_ATOMIC_EXCHANGE_IF_SHORT(suffix, scope)                                                             \
    LW_DEVICE unsigned short atomicCAS##suffix(unsigned short *address, unsigned short expected,               \
                                               unsigned short value) {                                         \
        unsigned short old;                                                                                    \
        asm volatile("atom" scope ".cas.b16 %0, [%1], %2, %3;"                                                 \
                     : "=h"(old) : "l"(address), "h"(expected), "h"(value) : "memory");                        \
        return old;                                                                                            \
    }

LW_ATOMIC_EXCHANGE_IF_SHORT(, "")
LW_ATOMIC_EXCHANGE_IF_SHORT(_block, ".cta")
LW_ATOMIC_EXCHANGE_IF_SHORT(_system, ".sys")

#undef LW_ATOMIC_EXCHANGE_IF_SHORT

// Vector sums: one atomic an element, as the manual promises no more than that.
LW_DEVICE float2 atomicAdd(float2 *address, float2 value) {
    return make_float2(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
LW_DEVICE float4 atomicAdd(float4 *address, float4 value) {
    return make_float4(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
                       atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w));
}

#endif
