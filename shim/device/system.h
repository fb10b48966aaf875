// SPDX-License-Identifier: Apache-2.0
//
// What device code asks of the system: printf, assert, malloc and free, new and delete, memcpy and memset. printf, the
// heap and the failed assertion are the external functions that CUDA names vprintf, malloc, free and __assertfail;
// clang turns printf into vprintf with a packed argument block by itself.

#ifndef LANEWISE_SHIM_DEVICE_SYSTEM_H
#define LANEWISE_SHIM_DEVICE_SYSTEM_H

#include "macros.h"

#pragma clang system_header

extern "C" {
__device__ int printf(const char *format, ...);
__device__ int vprintf(const char *format, const char *arguments);
__device__ void *malloc(size_t size) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function,
                             size_t character_size) __attribute__((noreturn));
}

// What the assert of the C library's <assert.h> calls.
static __device__ inline __attribute__((always_inline, nodebug, noreturn)) void
__assert_fail(const char *message, const char *file, unsigned int line, const char *function) {
    __assertfail(message, file, line, function, 1);
}

LW_DEVICE void *calloc(size_t count, size_t size) {
    void *memory = malloc(count * size);
    if (memory) __builtin_memset(memory, 0, count * size);
    return memory;
}

// ---- memory blocks and strings ----

LW_DEVICE void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
LW_DEVICE void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }
LW_DEVICE void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }
LW_DEVICE int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i]) return (int)x[i] - (int)y[i];
    return 0;
}

// ---- new and delete ----
//
// The same operators that clang's wrapper of <new> gives, for sources that include no library.

#if !__has_include(<new>)
LW_DEVICE void *operator new(size_t, void *place) noexcept { return place; }
LW_DEVICE void *operator new[](size_t, void *place) noexcept { return place; }
__device__ inline void *operator new(size_t size) { return ::malloc(size ? size : 1); }
__device__ inline void *operator new[](size_t size) { return ::malloc(size ? size : 1); }
__device__ inline void operator delete(void *pointer) noexcept { ::free(pointer); }
__device__ inline void operator delete[](void *pointer) noexcept { ::free(pointer); }
__device__ inline void operator delete(void *pointer, size_t) noexcept { ::free(pointer); }
__device__ inline void operator delete[](void *pointer, size_t) noexcept { ::free(pointer); }
#endif

namespace std {
using ::calloc;
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
} // namespace std

#endif
