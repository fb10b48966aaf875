// SPDX-License-Identifier: Apache-2.0
//
// The __nv_atomic_* functions: GCC-like atomics with a memory order and a thread scope, both of which must be constants.
// Sizes of 4 and 8 bytes. Read-modify-write operations are the scoped atomics of atomics.h between the fences that the
// order asks for; loads and stores are the ordered PTX forms.

#ifndef LANEWISE_SHIM_DEVICE_ORDERED_ATOMICS_H
#define LANEWISE_SHIM_DEVICE_ORDERED_ATOMICS_H

#include "atomics.h"

#pragma clang system_header

enum {
    __NV_ATOMIC_RELAXED = 0,
    __NV_ATOMIC_CONSUME = 1,
    __NV_ATOMIC_ACQUIRE = 2,
    __NV_ATOMIC_RELEASE = 3,
    __NV_ATOMIC_ACQ_REL = 4,
    __NV_ATOMIC_SEQ_CST = 5
};

enum {
    __NV_THREAD_SCOPE_THREAD = 0,
    __NV_THREAD_SCOPE_BLOCK = 1,
    __NV_THREAD_SCOPE_CLUSTER = 2,
    __NV_THREAD_SCOPE_DEVICE = 3,
    __NV_THREAD_SCOPE_SYSTEM = 4
};

#define LW_SCOPED_FENCE(order)                                                                                 \
    switch (scope) {                                                                                           \
    case __NV_THREAD_SCOPE_THREAD: break;                                                                      \
    case __NV_THREAD_SCOPE_BLOCK: asm volatile("fence." order ".cta;" ::: "memory"); break;                    \
    case __NV_THREAD_SCOPE_SYSTEM: asm volatile("fence." order ".sys;" ::: "memory"); break;                   \
    default: asm volatile("fence." order ".gpu;" ::: "memory"); break;                                         \
    }

LW_DEVICE void __nv_atomic_thread_fence(int order, int scope) {
    if (order == __NV_ATOMIC_SEQ_CST) LW_SCOPED_FENCE("sc")
    else if (order != __NV_ATOMIC_RELAXED) LW_SCOPED_FENCE("acq_rel")
}

#undef LW_SCOPED_FENCE

LW_DEVICE bool lw_order_releases(int order) {
    return order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL || order == __NV_ATOMIC_SEQ_CST;
}
LW_DEVICE bool lw_order_acquires(int order) { return order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE; }

// ---- loads and stores ----

#define LW_ORDERED_LOAD(order, scope_name, bits, constraint)                                                   \
    asm volatile("ld." order "." scope_name ".b" bits " %0, [%1];" : constraint(value) : "l"(address) : "memory")
#define LW_ORDERED_STORE(order, scope_name, bits, constraint)                                                  \
    asm volatile("st." order "." scope_name ".b" bits " [%0], %1;" ::"l"(address), constraint(value) : "memory")

#define LW_BY_SCOPE(operation, order, bits, constraint)                                                        \
    switch (scope) {                                                                                           \
    case __NV_THREAD_SCOPE_THREAD:                                                                             \
    case __NV_THREAD_SCOPE_BLOCK: operation(order, "cta", bits, constraint); break;                            \
    case __NV_THREAD_SCOPE_SYSTEM: operation(order, "sys", bits, constraint); break;                           \
    default: operation(order, "gpu", bits, constraint); break;                                                 \
    }

#define LW_ORDERED_ACCESS(type, bits, constraint)                                                              \
    LW_DEVICE type lw_ordered_load(const type *address, int order, int scope) {                                \
        type value;                                                                                            \
        if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);                              \
        if (lw_order_acquires(order)) LW_BY_SCOPE(LW_ORDERED_LOAD, "acquire", bits, "=" constraint)            \
        else LW_BY_SCOPE(LW_ORDERED_LOAD, "relaxed", bits, "=" constraint)                                     \
        return value;                                                                                          \
    }                                                                                                          \
    LW_DEVICE void lw_ordered_store(type *address, type value, int order, int scope) {                         \
        if (order == __NV_ATOMIC_SEQ_CST) __nv_atomic_thread_fence(order, scope);                              \
        if (lw_order_releases(order)) LW_BY_SCOPE(LW_ORDERED_STORE, "release", bits, constraint)               \
        else LW_BY_SCOPE(LW_ORDERED_STORE, "relaxed", bits, constraint)                                        \
    }

LW_ORDERED_ACCESS(unsigned short, "16", "h")
LW_ORDERED_ACCESS(unsigned int, "32", "r")
LW_ORDERED_ACCESS(unsigned long long, "64", "l")

#undef LW_ORDERED_ACCESS
#undef LW_BY_SCOPE
#undef LW_ORDERED_LOAD
#undef LW_ORDERED_STORE

template <int Size> struct lw_word;
template <> struct lw_word<2> { typedef unsigned short type; };
template <> struct lw_word<4> { typedef unsigned int type; };
template <> struct lw_word<8> { typedef unsigned long long type; };
template <typename T> struct lw_not_deduced { typedef T type; };

template <typename T>
LW_DEVICE T __nv_atomic_load_n(const T *address, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef typename lw_word<sizeof(T)>::type word;
    return lw_bits<T>(lw_ordered_load((const word *)address, order, scope));
}
template <typename T>
LW_DEVICE void __nv_atomic_load(const T *address, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *value = __nv_atomic_load_n(address, order, scope);
}
template <typename T>
LW_DEVICE void __nv_atomic_store_n(T *address, typename lw_not_deduced<T>::type value, int order,
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef typename lw_word<sizeof(T)>::type word;
    lw_ordered_store((word *)address, lw_bits<word>(value), order, scope);
}
template <typename T>
LW_DEVICE void __nv_atomic_store(T *address, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(address, *value, order, scope);
}

// ---- read-modify-write ----

// The 64-bit types that the atomics of atomics.h do not take, as ones that they take.
template <typename T> struct lw_same_bits { typedef T type; };
template <> struct lw_same_bits<long> { typedef unsigned long long type; };
template <> struct lw_same_bits<unsigned long> { typedef unsigned long long type; };
template <> struct lw_same_bits<long long> { typedef unsigned long long type; };
template <typename T> struct lw_same_order { typedef T type; };
template <> struct lw_same_order<long> { typedef long long type; };
template <> struct lw_same_order<unsigned long> { typedef unsigned long long type; };

#define LW_ORDERED_FETCH(name, function, as)                                                                    \
    template <typename T>                                                                                      \
    LW_DEVICE T __nv_atomic_##name(T *address, typename lw_not_deduced<T>::type value, int order,              \
                                   int scope = __NV_THREAD_SCOPE_SYSTEM) {                                     \
        typedef typename as<T>::type word;                                                                     \
        word *place = (word *)address, old;                                                                    \
        if (lw_order_releases(order)) __nv_atomic_thread_fence(order, scope);                                  \
        if (scope <= __NV_THREAD_SCOPE_BLOCK) old = function##_block(place, (word)value);                      \
        else if (scope == __NV_THREAD_SCOPE_SYSTEM) old = function##_system(place, (word)value);               \
        else old = function(place, (word)value);                                                               \
        if (lw_order_acquires(order)) __nv_atomic_thread_fence(order, scope);                                  \
        return (T)old;                                                                                         \
    }

LW_ORDERED_FETCH(fetch_add, atomicAdd, lw_same_bits)
LW_ORDERED_FETCH(fetch_min, atomicMin, lw_same_order)
LW_ORDERED_FETCH(fetch_max, atomicMax, lw_same_order)
LW_ORDERED_FETCH(fetch_and, atomicAnd, lw_same_bits)
LW_ORDERED_FETCH(fetch_or, atomicOr, lw_same_bits)
LW_ORDERED_FETCH(fetch_xor, atomicXor, lw_same_bits)
LW_ORDERED_FETCH(exchange_n, atomicExch, lw_same_bits)

#undef LW_ORDERED_FETCH

template <typename T>
LW_DEVICE T __nv_atomic_fetch_sub(T *address, typename lw_not_deduced<T>::type value, int order,
                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_fetch_add(address, (T)(T(0) - value), order, scope);
}

#define LW_ORDERED_UPDATE(name)                                                                                \
    template <typename T>                                                                                      \
    LW_DEVICE void __nv_atomic_##name(T *address, typename lw_not_deduced<T>::type value, int order,           \
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {                                  \
        (void)__nv_atomic_fetch_##name(address, value, order, scope);                                          \
    }

LW_ORDERED_UPDATE(add)
LW_ORDERED_UPDATE(sub)
LW_ORDERED_UPDATE(min)
LW_ORDERED_UPDATE(max)
LW_ORDERED_UPDATE(and)
LW_ORDERED_UPDATE(or)
LW_ORDERED_UPDATE(xor)

#undef LW_ORDERED_UPDATE

template <typename T>
LW_DEVICE bool __nv_atomic_compare_exchange_n(T *address, T *expected, typename lw_not_deduced<T>::type value, bool,
                                              int success, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    typedef typename lw_word<sizeof(T)>::type word;
    word wanted = lw_bits<word>(*expected), old;
    if (lw_order_releases(success)) __nv_atomic_thread_fence(success, scope);
    if (scope <= __NV_THREAD_SCOPE_BLOCK) old = atomicCAS_block((word *)address, wanted, lw_bits<word>((T)value));
    else if (scope == __NV_THREAD_SCOPE_SYSTEM) old = atomicCAS_system((word *)address, wanted, lw_bits<word>((T)value));
    else old = atomicCAS((word *)address, wanted, lw_bits<word>((T)value));
    if (lw_order_acquires(success) || lw_order_acquires(failure)) __nv_atomic_thread_fence(success, scope);
    *expected = lw_bits<T>(old);
    return old == wanted;
}

#endif
