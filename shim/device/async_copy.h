// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies from global to shared memory: the __pipeline_* primitives and the pieces that
// cooperative_groups::memcpy_async is made of, over cp.async.

#ifndef LANEWISE_SHIM_DEVICE_ASYNC_COPY_H
#define LANEWISE_SHIM_DEVICE_ASYNC_COPY_H

#include "memory.h"

#pragma clang system_header

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

// A copy of 4, 8 or 16 bytes of which the last `zeros` are not read and become zero. Sixteen bytes bypass the first
// cache, as nvcc has it. Any other size is a plain copy.
LW_DEVICE void __pipeline_memcpy_async(void *__restrict__ shared, const void *__restrict__ global, size_t size,
                                       size_t zeros = 0) {
    unsigned int to = (unsigned int)__cvta_generic_to_shared(shared);
    unsigned int read = (unsigned int)(size - zeros);
    if (size == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(read) : "memory");
    else if (size == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global), "r"(read) : "memory");
    else if (size == 4)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global), "r"(read) : "memory");
    else {
        for (size_t i = 0; i < size; i++)
            ((char *)shared)[i] = i < size - zeros ? ((const char *)global)[i] : (char)0;
    }
}

LW_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// The number of groups that may stay in flight is an immediate. Past seven, waiting for one group more is only early.
LW_DEVICE void __pipeline_wait_prior(size_t groups) {
    switch (groups) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
    }
}

LW_DEVICE void lw_wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

#endif

#endif
