/* SPDX-License-Identifier: Apache-2.0
 *
 * What a failing check of the device header does.
 *
 * Compiled by Lanewise (LANEWISE_COMPILES), it is a trap that Lanewise knows by the registers in front of it: `lanewise check` asks
 * whether a launch can reach it, `lanewise build` lets it write the fault record, so that the host's error names kernel, line, block,
 * thread, index and extent.  Compiled by nvcc or clang alone it is a failed assertion of the kernel.
 */
#ifndef LANEWISE_DEVICE_FAULT_H
#define LANEWISE_DEVICE_FAULT_H

#include <stddef.h>
#include <stdint.h>

/* Functions of these headers stand in the line of their caller, at every level of optimisation. */
#if defined(__clang__)
#define LW_DEVICE_FUNCTION static __device__ inline __attribute__((always_inline, nodebug, unused))
#else
#define LW_DEVICE_FUNCTION static __device__ __forceinline__ __attribute__((unused))
#endif

#if !defined(LANEWISE_COMPILES)
#if !defined(__LANEWISE_SHIM__)
extern "C" __device__ void __assertfail(const void *message, const void *file, unsigned line, const void *function, size_t size);
#endif
LW_DEVICE_FUNCTION void lw_fail(uint64_t index, uint64_t extent)
{
    (void)index, (void)extent;
    __assertfail("a check of lanewise/device.h failed", "lanewise/device.h", 0, "", 1);
}
#else
/* `index` is not below `extent`. */
LW_DEVICE_FUNCTION void lw_fail(uint64_t index, uint64_t extent)
{
    asm volatile("{\n\t"
                 ".reg .b64 lanewise_fault_index, lanewise_fault_extent;\n\t"
                 "mov.b64 lanewise_fault_index, %0;\n\t"
                 "mov.b64 lanewise_fault_extent, %1;\n\t"
                 "trap;\n\t"
                 "}"
                 :
                 : "l"(index), "l"(extent));
    __builtin_unreachable();
}
#endif

#endif
