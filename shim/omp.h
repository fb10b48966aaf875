// SPDX-License-Identifier: Apache-2.0
//
// Host code that uses OpenMP compiles without an OpenMP library: pragmas are ignored and these functions answer for one
// thread. A real <omp.h> further down the include path is taken instead.

#if __has_include_next(<omp.h>)
#include_next <omp.h>
#else
#ifndef LANEWISE_SHIM_OMP_H
#define LANEWISE_SHIM_OMP_H

#include "lanewise_cuda_prelude.h"

#pragma clang system_header

typedef struct { int unused; } omp_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;

static __host__ inline int omp_get_thread_num(void) { return 0; }
static __host__ inline int omp_get_num_threads(void) { return 1; }
static __host__ inline int omp_get_max_threads(void) { return 1; }
static __host__ inline int omp_get_num_procs(void) { return 1; }
static __host__ inline int omp_get_num_devices(void) { return 0; }
static __host__ inline int omp_in_parallel(void) { return 0; }
static __host__ inline int omp_get_dynamic(void) { return 0; }
static __host__ inline int omp_get_nested(void) { return 0; }
static __host__ inline int omp_get_level(void) { return 0; }
static __host__ inline void omp_set_num_threads(int) {}
static __host__ inline void omp_set_dynamic(int) {}
static __host__ inline void omp_set_nested(int) {}
static __host__ inline void omp_set_schedule(omp_sched_t, int) {}
static __host__ inline void omp_init_lock(omp_lock_t *) {}
static __host__ inline void omp_destroy_lock(omp_lock_t *) {}
static __host__ inline void omp_set_lock(omp_lock_t *) {}
static __host__ inline void omp_unset_lock(omp_lock_t *) {}
static __host__ inline int omp_test_lock(omp_lock_t *) { return 1; }
// Seconds on a clock that only moves forward; without a C library there is no clock to read.
#ifdef CLOCK_MONOTONIC
static __host__ inline double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#else
static __host__ inline double omp_get_wtime(void) { return 0.0; }
#endif
static __host__ inline double omp_get_wtick(void) { return 1e-9; }

#endif
#endif
