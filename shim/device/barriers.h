// SPDX-License-Identifier: Apache-2.0
//
// Block barriers, warp barriers, fences, clocks and the calls that stop a thread.

#ifndef LANEWISE_SHIM_DEVICE_BARRIERS_H
#define LANEWISE_SHIM_DEVICE_BARRIERS_H

#include "macros.h"

#pragma clang system_header

// ---- block barriers: all of barrier 0 ----

// __syncthreads itself is known to clang.
LW_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
LW_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
LW_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
LW_DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
LW_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count) { __nvvm_barrier_sync_cnt(id, count); }

// ---- warp barrier ----

LW_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

// ---- fences ----

LW_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
LW_DEVICE void __threadfence() { __nvvm_membar_gl(); }
LW_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

// ---- clocks and waiting ----

// The same type as in <time.h>, which need not be there.
typedef long clock_t;
LW_DEVICE clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock(); }
LW_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
LW_DEVICE unsigned long long __globaltimer() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
LW_DEVICE void __nanosleep(unsigned int nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }

// ---- stopping ----

LW_DEVICE void __trap() { __builtin_trap(); }
LW_DEVICE void __brkpt() { asm volatile("brkpt;"); }
LW_DEVICE void __exit() { asm volatile("exit;"); }
LW_DEVICE void __prof_trigger(int counter) {
    // The operand is an immediate: events 0 to 15 exist.
    switch (counter & 7) {
    case 0: asm volatile("pmevent 0;"); break;
    case 1: asm volatile("pmevent 1;"); break;
    case 2: asm volatile("pmevent 2;"); break;
    case 3: asm volatile("pmevent 3;"); break;
    case 4: asm volatile("pmevent 4;"); break;
    case 5: asm volatile("pmevent 5;"); break;
    case 6: asm volatile("pmevent 6;"); break;
    default: asm volatile("pmevent 7;"); break;
    }
}


#endif
