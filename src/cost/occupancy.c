/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers from `ptxas -v`, where it is installed, and how many blocks of the launch a multiprocessor holds at once.
 *
 * The limits are those of sm_80 to sm_90: 65,536 registers, given out to warps in pieces of 256; 64 warps; 32 blocks; 2,048 threads.  The
 * environment variable LANEWISE_PTXAS names another ptxas.
 */
#include "cost/build.h"
#include "source/source.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    REGISTERS = 65536, REGISTER_PIECE = 256,
    WARPS = 64, BLOCKS = 32,
    SHARED = 227 << 10, SHARED_RESERVED = 1 << 10,
    PTXAS_SECONDS = 60
};

static uint32_t number_before(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    if (found == NULL)
        return 0;
    while (found != text && (found[-1] < '0' || found[-1] > '9'))
        found--;
    while (found != text && found[-1] >= '0' && found[-1] <= '9')
        found--;
    return (uint32_t)strtoul(found, NULL, 10);
}

/* The lines that ptxas writes about one entry. */
static const char *about_entry(struct arena *arena, const char *text, const char *name)
{
    const char *begin = strstr(text, arena_printf(arena, "Compiling entry function '%s'", name));
    if (begin == NULL)
        return NULL;
    const char *end = strstr(begin + 1, "Compiling entry function");
    return arena_text(arena, begin, end == NULL ? strlen(begin) : (size_t)(end - begin));
}

static void find_blocks(struct cost_result *result)
{
    struct cost_occupancy *occupancy = &result->occupancy;
    const struct cost_launch *launch = &result->launch;
    if (!launch->known || launch->warps_per_block == 0)
        return;
    uint32_t warps = (uint32_t)launch->warps_per_block;
    uint32_t registers = (occupancy->registers * LANES + REGISTER_PIECE - 1) / REGISTER_PIECE * REGISTER_PIECE;
    uint64_t shared = occupancy->static_shared + launch->dynamic_shared;
    const struct {
        uint64_t blocks;
        const char *name;
    } limits[] = {
        {WARPS / warps, "threads"},
        {registers == 0 ? BLOCKS : REGISTERS / registers / warps, "registers"},
        {shared == 0 ? BLOCKS : SHARED / (shared + SHARED_RESERVED), "shared memory"},
        {BLOCKS, "blocks"},
    };
    occupancy->has_warps = true;
    occupancy->warps_limit = WARPS;
    occupancy->blocks_per_sm = UINT32_MAX;
    for (unsigned i = 0; i < COUNT_OF(limits); i++)
        if (limits[i].blocks < occupancy->blocks_per_sm) {
            occupancy->blocks_per_sm = (uint32_t)limits[i].blocks;
            occupancy->limiter = limits[i].name;
        }
    occupancy->warps_per_sm = occupancy->blocks_per_sm * warps;
}

/* Bytes of the PTX in a file of its own folder; NULL: no place for it. */
static const char *write_file(struct arena *arena, const char *folder, const char *ptx, size_t size)
{
    const char *path = arena_printf(arena, "%s/kernel.ptx", folder);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return NULL;
    bool good = fwrite(ptx, 1, size, file) == size;
    good &= fclose(file) == 0;
    return good ? path : NULL;
}

static void clean(void *context)
{
    folder_remove(context);
}

static const char *run_ptxas(struct cost_result *result, char *folder, const char *ptx, size_t size, const char **output)
{
    struct arena *arena = result->arena;
    struct process_result process;
    const char *named = getenv("LANEWISE_PTXAS"), *path = write_file(arena, folder, ptx, size);
    if (path == NULL)
        return "no temporary file can be written";
    const char *target = result->module->target_sm >= 75 ? result->module->target : "sm_80";
    const char *const arguments[] = {named != NULL ? named : "ptxas", "-v", arena_printf(arena, "-arch=%s", target),
                                     path, "-o", arena_printf(arena, "%s/kernel.cubin", folder), NULL};
    process_run(arena, arguments, NULL, PTXAS_SECONDS, clean, folder, &process);
    if (process.missing)
        return "ptxas is not installed";
    if (process.error != 0 || process.exit_code != 0 || process.timed_out)
        return "ptxas did not compile it";
    result->occupancy.target = target;
    *output = arena_printf(arena, "%s%s", process.out.size == 0 ? "" : process.out.data, process.err.size == 0 ? "" : process.err.data);
    return NULL;
}

void cost_find_occupancy(struct cost_result *result, const char *ptx, size_t size)
{
    struct arena *arena = result->arena;
    struct cost_occupancy *occupancy = &result->occupancy;
    const char *base = getenv("TMPDIR"), *output = NULL;
    char *folder = arena_printf(arena, "%s/lanewise-XXXXXX", base != NULL && base[0] != '\0' ? base : "/tmp");
    if (mkdtemp(folder) == NULL) {
        occupancy->reason = "no temporary folder can be made";
        return;
    }
    occupancy->reason = run_ptxas(result, folder, ptx, size, &output);
    folder_remove(folder);
    const char *lines = output == NULL ? NULL : about_entry(arena, output, result->name);
    if (lines == NULL) {
        occupancy->reason = occupancy->reason != NULL ? occupancy->reason : "ptxas says nothing of this kernel";
        return;
    }
    occupancy->known = true;
    occupancy->registers = number_before(lines, " registers");
    occupancy->spill_stores = number_before(lines, " bytes spill stores");
    occupancy->spill_loads = number_before(lines, " bytes spill loads");
    occupancy->static_shared = number_before(lines, " bytes smem");
    find_blocks(result);
}
