/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the compiled instruction sets this machine can run.  Asked at run time, so that one binary runs everywhere (also under
 * tools that emulate a smaller processor).
 */
#include "emu/emu.h"
#include "emu/emu_access.h"
#include "emu/emu_wrap.h"
#include "emu/lanes.h"

/* AVX-512 means the parts that lanes_*.c is compiled for (CMakeLists.txt: LANE_FLAGS_avx512). */
static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("f16c") &&
           __builtin_cpu_supports("lzcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
}

unsigned emu_lanes_best_isa(void)
{
    return has_avx512() ? EMU_ISA_AVX512 : has_avx2() ? EMU_ISA_AVX2 : EMU_ISA_PLAIN;
}

/* A larger set than the machine has is never used, whoever asks. */
static unsigned usable(unsigned isa)
{
    const unsigned best = emu_lanes_best_isa();
    return isa == EMU_ISA_BEST || isa > best ? best : isa;
}

emu_lanes_selector *emu_lanes_selector_for(unsigned isa)
{
    switch (usable(isa)) {
    case EMU_ISA_AVX512: return emu_lanes_select_avx512;
    case EMU_ISA_AVX2: return emu_lanes_select_avx2;
    default: return emu_lanes_select_plain;
    }
}

emu_wrap_lanes *emu_wrap_lanes_for(unsigned isa)
{
    switch (usable(isa)) {
    case EMU_ISA_AVX512: return emu_wrap_lanes_avx512;
    case EMU_ISA_AVX2: return emu_wrap_lanes_avx2;
    default: return emu_wrap_lanes_plain;
    }
}

const struct emu_memory_kit *emu_memory_kit_for(unsigned isa)
{
    switch (usable(isa)) {
    case EMU_ISA_AVX512: return &emu_memory_kit_avx512;
    case EMU_ISA_AVX2: return &emu_memory_kit_avx2;
    default: return &emu_memory_kit_plain;
    }
}
