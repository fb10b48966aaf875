/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: tiles [FIRST COUNT [LAUNCHES [clang|nvcc]]]
 *
 * The differential test of two-thread proofs: random kernels with shared tiles and barriers are proved and run.  A race, a divergent
 * barrier or an inactive lane that the emulator sees at a place that was proved free of it fails.
 */
#include "tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "source/source.h"
#include "witness/witness.h"

enum { BATCH = 25 };

struct totals {
    uint32_t kernels, launches, unsound, faulted, broken;
    uint32_t sites[2][5];       /* sync, races; by verdict */
    uint32_t still[2], still_proved[2]; /* of those in kernels where nothing of the family was seen */
    double seconds, slowest;
};

struct subject {
    struct arena *arena;
    const struct ptx_module *module;
    const struct tile_kernel *kernel;
    const struct check_result *result;
    struct totals *totals;
    bool seen[2];
};

static int family_of(enum finding_kind kind)
{
    enum finding_family family = finding_info(kind)->family;
    bool is_asked = kind != FINDING_ENDLESS;
    return family == FAMILY_SYNC && is_asked ? 0 : family == FAMILY_RACES ? 1 : -1;
}

static bool is_proved(const struct check_site *site)
{
    return site->verdict == CHECK_PROVED || site->verdict == CHECK_UNREACHABLE;
}

/* The sites that the finding is about; of a race between lanes the site of its own, if there is one. */
static void judge(struct subject *subject, const struct finding *finding, const char *launch)
{
    uint32_t matches[2] = {0}, proved[2] = {0};
    int family = family_of(finding->kind);
    if (family < 0 || (finding->severity != SEVERITY_ERROR && family == 0))
        return;
    subject->seen[family] = true;
    for (uint32_t s = 0; s < subject->result->sites.count; s++) {
        const struct check_site *site = &subject->result->sites.data[s];
        bool exact = site->kind == finding->kind;
        bool covers = finding->kind == FINDING_WARP_RACE && family_of(site->kind) == 1;
        if (site->place.line != finding->place.line || (!exact && !covers))
            continue;
        if (site->array != NULL && finding->array != NULL && strcmp(site->array, finding->array) != 0)
            continue;
        matches[exact ? 0 : 1]++;
        proved[exact ? 0 : 1] += is_proved(site);
    }
    int level = matches[0] != 0 ? 0 : 1;
    if (matches[level] != 0 && proved[level] < matches[level])
        return;
    subject->totals->unsound++;
    printf("UNSOUND %s line %u: LW%u %s%s\n    %s\n", subject->kernel->name, finding->place.line, finding_info(finding->kind)->number,
           finding->message == NULL ? "" : finding->message, matches[level] == 0 ? " (no site)" : "", launch);
    for (uint32_t i = 0; i < finding->notes.count; i++)
        printf("    line %u: %s\n", finding->notes.data[i].place.line, finding->notes.data[i].message);
}

static void run_launch(struct subject *subject, uint32_t number, uint64_t seed)
{
    static const char *const contents[] = {"i%5", "i*7%11", "(i*i+3)%64", "0", "i", "63-i%64"};
    static const int sizes[] = {0, 1, 2, 3, 5, 33, 64, 100}, multiples[] = {0, 1, 2, 3, 5};
    const struct tile_kernel *kernel = subject->kernel;
    uint32_t threads = kernel->block[0] * kernel->block[1], pick = (uint32_t)(seed + number * 7);
    const char *text = arena_printf(
        subject->arena, "kernel: %s; grid: %u; block: %u %u; arg out: buf i32 len=1024 io=inout init=%s; arg in: buf i32 len=1024 io=in init=%s; "
                        "arg n: i32 %d; arg m: i32 %d",
        kernel->name, 1 + pick % 3, kernel->block[0], kernel->block[1], contents[pick / 3 % 6], contents[pick / 5 % 6],
        sizes[pick % 8], (int)threads * multiples[pick / 2 % 5]);
    struct report_kernel run;
    struct place place = {0};
    uint32_t function = ptx_find_function(subject->module, kernel->name);
    struct witness_limits limits = {.steps = 1 << 14, .races = true};
    if (!witness_run_text(subject->arena, subject->module, function, text, place, limits, &run)) {
        subject->totals->broken += number == 0;
        return;
    }
    subject->totals->launches++;
    for (uint32_t f = 0; f < run.findings.count; f++)
        judge(subject, &run.findings.data[f], text);
}

static void add_sites(struct subject *subject)
{
    struct totals *totals = subject->totals;
    for (uint32_t s = 0; s < subject->result->sites.count; s++) {
        const struct check_site *site = &subject->result->sites.data[s];
        int family = family_of(site->kind);
        if (family < 0)
            continue;
        totals->sites[family][site->verdict]++;
        totals->still[family] += !subject->seen[family];
        totals->still_proved[family] += !subject->seen[family] && is_proved(site);
    }
    totals->faulted += subject->seen[0] || subject->seen[1];
}

static void try_kernel(struct arena *arena, const struct ptx_module *module, const struct contract_list *contracts,
                       const struct tile_kernel *kernel, uint32_t launches, uint64_t seed, struct totals *totals,
                       struct diagnostic_list *diagnostics)
{
    const struct contract *contract = NULL;
    struct check_options options = {.no_candidates = true};
    uint32_t function = ptx_find_function(module, kernel->name);
    if (function == PTX_NONE || !source_match_contract(arena, contracts, module, function, &contract, diagnostics)) {
        totals->broken++;
        return;
    }
    struct subject subject = {.arena = arena, .module = module, .kernel = kernel, .totals = totals};
    subject.result = check_kernel(arena, module, function, contract, &options, diagnostics);
    totals->kernels++;
    totals->seconds += subject.result->seconds;
    if (subject.result->seconds > totals->slowest) {
        totals->slowest = subject.result->seconds;
        if (totals->slowest > 2)
            printf("slow: %s %.1f s\n", kernel->name, totals->slowest);
    }
    for (uint32_t l = 0; l < launches; l++)
        run_launch(&subject, l, seed);
    add_sites(&subject);
}

static void try_batch(uint64_t first, uint32_t count, uint32_t launches, bool nvcc, struct totals *totals)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct buffer text;
    struct tile_kernel kernels[BATCH];
    struct source_unit unit = {0};
    struct contract_list contracts = {0};
    arena_init(&arena);
    diagnostic_list_init(&diagnostics, &arena);
    struct source_options options = {.data = source_find_data(&arena), .compiler = nvcc ? COMPILER_NVCC : COMPILER_CLANG};
    buffer_init(&text, &arena);
    buffer_puts(&text, "#include <lanewise/contract.h>\n");
    for (uint32_t i = 0; i < count; i++) {
        kernels[i].name = arena_printf(&arena, "k%llu", (unsigned long long)(first + i));
        tiles_generate(&text, first + i, &kernels[i]);
    }
    const char *path = arena_printf(&arena, "/tmp/tiles-%ld-%llu.cu", (long)getpid(), (unsigned long long)first);
    FILE *file = fopen(path, "w");
    bool good = file != NULL && fwrite(text.data, 1, text.size, file) == text.size;
    good = file != NULL && fclose(file) == 0 && good;
    good = good && source_load(&arena, path, &unit, &diagnostics) && source_compile(&arena, &unit, &options, &diagnostics) &&
           source_read_contracts(&arena, &unit, &options, &contracts, &diagnostics);
    if (getenv("TILES_KEEP") == NULL)
        unlink(path);
    struct ptx_module *module = good ? ptx_parse(&arena, "tiles.ptx", unit.ptx, unit.ptx_size, &diagnostics) : NULL;
    if (module == NULL || diagnostics.errors != 0) {
        totals->broken += count;
        for (uint32_t i = 0; i < diagnostics.items.count && i < 3; i++)
            printf("%u: %s\n", diagnostics.items.data[i].place.line, diagnostics.items.data[i].message);
    }
    for (uint32_t i = 0; module != NULL && diagnostics.errors == 0 && i < count; i++)
        try_kernel(&arena, module, &contracts, &kernels[i], launches, first + i, totals, &diagnostics);
    arena_free(&arena);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100;
    uint32_t launches = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 6;
    bool nvcc = argc > 4 && strcmp(argv[4], "nvcc") == 0;
    static const char *const families[] = {"sync", "races"};
    struct totals totals = {0};
    for (uint64_t at = 0; at < count; at += BATCH) {
        try_batch(first + at, count - at < BATCH ? (uint32_t)(count - at) : BATCH, launches, nvcc, &totals);
        fflush(stdout);
    }
    printf("%u kernels, %u launches, %u with faults; %u unsound, %u failed; %.3f s a kernel, %.3f s the slowest\n", totals.kernels,
           totals.launches, totals.faulted, totals.unsound, totals.broken, totals.seconds / (totals.kernels + 1e-9), totals.slowest);
    for (int f = 0; f < 2; f++)
        printf("%s: %u sites proved, %u unproved, %u not analysed; %u of %u proved where nothing was seen\n", families[f],
               totals.sites[f][CHECK_PROVED], totals.sites[f][CHECK_UNPROVED], totals.sites[f][CHECK_NOT_ANALYSED],
               totals.still_proved[f], totals.still[f]);
    return totals.unsound != 0 || totals.broken != 0;
}
