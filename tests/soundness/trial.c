/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks the prover about one kernel, runs its launches, and compares.
 */
#include "trial.h"
#include "contract_of.h"
#include "launches.h"
#include "source/source.h"

#include <time.h>
#include <unistd.h>

const char *verdict_text(uint8_t verdict)
{
    static const char *const texts[] = {"unreachable", "proved", "not analysed", "unproved",
                                        "violated"};
    return texts[verdict];
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct judge {
    struct arena *arena;
    const struct plan *plan;
    const struct contract *contract;
    const struct check_result *result; /* NULL: without the prover */
    struct trial *trial;
    bool *faulted;                 /* by site */
    bool believe_all, contradicts; /* the prover: no launch obeys the contract */
    const char *wrap;              /* the first wrap that nobody asked about; it does not end the judging of other findings */
};

static bool is_asked(enum finding_kind kind)
{
    unsigned number = finding_info(kind)->number;
    return number == 101 || number == 102 || number == 105 || number == 106;
}

static bool is_good(uint8_t verdict)
{
    return verdict == CHECK_PROVED || verdict == CHECK_UNREACHABLE;
}

static bool site_matches(const struct check_site *site, const struct finding *finding,
                         bool any_array)
{
    return finding_info(site->kind)->number == finding_info(finding->kind)->number &&
           site->place.line == finding->place.line &&
           (any_array || site->array == NULL || finding->array == NULL ||
            strcmp(site->array, finding->array) == 0);
}

static const char *describe(struct judge *j, const struct launch_numbers *launch,
                            const struct finding *finding, const char *what)
{
    struct buffer text;
    buffer_init(&text, j->arena);
    buffer_printf(&text, "%s: LW%u at line %u, %s%s%s\n", what, finding_info(finding->kind)->number,
                  finding->place.line, finding->message, finding->array != NULL ? ", array " : "",
                  finding->array != NULL ? finding->array : "");
    buffer_puts(&text, "launch: ");
    launch_print(j->contract, launch, &text);
    buffer_printf(&text, ", block (%u,%u,%u), thread (%u,%u,%u)\n", finding->first.block[0],
                  finding->first.block[1], finding->first.block[2], finding->first.thread[0],
                  finding->first.thread[1], finding->first.thread[2]);
    for (uint32_t i = 0; i < j->result->sites.count; i++) {
        const struct check_site *site = &j->result->sites.data[i];
        if (site->place.line == finding->place.line && site->proof != NULL)
            buffer_printf(&text, "proof: %s\n", site->proof);
    }
    return text.data;
}

static void report(struct judge *j, const struct launch_numbers *launch, const struct finding *finding, const char *what)
{
    j->trial->report = describe(j, launch, finding, what);
    j->trial->status = TRIAL_UNSOUND;
}

/* What follows after an index was read from outside its array is no news. */
static bool index_load_failed(const struct plan *plan, const struct emu_result *result)
{
    for (uint32_t i = 0; i < result->findings.count; i++)
        for (uint32_t k = 0; k < plan->index_loads.count; k++)
            if (is_asked(result->findings.data[i].kind) &&
                plan->index_loads.data[k] == result->findings.data[i].place.line)
                return true;
    return false;
}

static bool is_index_load(const struct plan *plan, uint32_t line)
{
    for (uint32_t k = 0; k < plan->index_loads.count; k++)
        if (plan->index_loads.data[k] == line)
            return true;
    return false;
}

static void judge_finding(struct judge *j, const struct launch_numbers *launch,
                          const struct finding *finding)
{
    uint32_t matches = 0, good = 0;
    for (uint32_t pass = 0; pass < 2 && matches == 0; pass++)
        for (uint32_t i = 0; i < j->result->sites.count; i++)
            if (site_matches(&j->result->sites.data[i], finding, pass == 1)) {
                matches++;
                good += j->believe_all || is_good(j->result->sites.data[i].verdict);
                j->faulted[i] = true;
            }
    if (matches == 0)
        report(j, launch, finding, "no site");
    else if (good == matches)
        report(j, launch, finding, "UNSOUND");
}

/* A wrap is seen at the operation that left the width and asked about where the number is used: it is unsound only if every question
 * about a wrap was answered with "proved". */
static void judge_wrap(struct judge *j, const struct launch_numbers *launch, const struct finding *finding)
{
    for (uint32_t i = 0; i < j->result->sites.count; i++)
        if (j->result->sites.data[i].kind == FINDING_INDEX_WRAP && !is_good(j->result->sites.data[i].verdict))
            return;
    if (j->wrap == NULL)
        j->wrap = describe(j, launch, finding, "UNSOUND");
}

static void judge_launch(void *context, const struct launch_numbers *launch,
                         const struct emu_result *result)
{
    struct judge *j = context;
    bool spoiled = index_load_failed(j->plan, result);
    for (uint32_t i = 0; i < result->findings.count; i++) {
        const struct finding *finding = &result->findings.data[i];
        if (finding->kind == FINDING_INDEX_WRAP && j->result != NULL && !spoiled)
            judge_wrap(j, launch, finding);
        if (!is_asked(finding->kind))
            continue;
        if (!j->trial->faulted) { /* the first one, for those who look at the generator */
            struct buffer text;
            buffer_init(&text, j->arena);
            buffer_printf(&text, "LW%u at line %u (", finding_info(finding->kind)->number,
                          finding->place.line);
            launch_print(j->contract, launch, &text);
            buffer_puts(&text, ")");
            j->trial->first_fault = text.data;
            j->trial->first_fault_line = finding->place.line;
        }
        j->trial->faulted = true;
        if (j->result == NULL || j->trial->status != TRIAL_FINE ||
            (spoiled && !is_index_load(j->plan, finding->place.line)))
            continue;
        judge_finding(j, launch, finding);
    }
}

static void collect_sites(struct judge *j)
{
    for (uint32_t i = 0; i < j->result->sites.count; i++) {
        const struct check_site *site = &j->result->sites.data[i];
        if (!is_asked(site->kind))
            continue;
        struct trial_site *s = vec_push(j->arena, &j->trial->site_list);
        s->faulted = &j->faulted[i];
        const char *idiom = site->place.line < COUNT_OF(j->plan->idiom_of_line)
                                ? j->plan->idiom_of_line[site->place.line]
                                : NULL;
        snprintf(s->idiom, sizeof s->idiom, "%s", idiom != NULL ? idiom : "?");
        snprintf(s->kind, sizeof s->kind, "LW%u", finding_info(site->kind)->number);
        s->line = site->place.line;
        s->verdict = site->verdict;
        s->reason = site->reason;
        j->trial->sites[site->verdict]++;
    }
}

static void broken(struct trial *trial, struct arena *arena, const char *what,
                   const struct diagnostic_list *diagnostics)
{
    trial->status = TRIAL_BROKEN;
    trial->report = what;
    if (diagnostics->items.count != 0)
        trial->report =
            arena_printf(arena, "%s: %s:%u: %s\n", what, diagnostics->items.data[0].place.file,
                         diagnostics->items.data[0].place.line, diagnostics->items.data[0].message);
}

/* CUDA C goes through a file, since compilers want one. */
static bool compile(struct arena *arena, const struct plan *plan,
                    const struct trial_options *options, const char **text, size_t *size,
                    struct diagnostic_list *diagnostics)
{
    struct source_unit unit = {0};
    struct source_options how = {.compiler = options->with_nvcc ? COMPILER_NVCC : COMPILER_CLANG,
                                 .data = source_find_data(arena),
                                 .timeout = 60};
    const char *path =
        arena_printf(arena, "%s/k%llu.cu", options->scratch, (unsigned long long)plan->seed);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fwrite(plan->text, 1, plan->size, file);
    bool good = fclose(file) == 0 && source_load(arena, path, &unit, diagnostics) &&
                source_compile(arena, &unit, &how, diagnostics);
    unlink(path);
    *text = unit.ptx;
    *size = unit.ptx_size;
    return good;
}

void trial_run(struct arena *arena, const struct plan *plan, const struct trial_options *options,
               struct trial *trial)
{
    struct diagnostic_list diagnostics;
    struct judge judge = {
        .arena = arena, .plan = plan, .trial = trial, .believe_all = options->believe_all};
    struct check_options how = {.no_candidates = true, .explain = options->explain};
    const char *text = plan->text;
    size_t size = plan->size;
    memset(trial, 0, sizeof *trial);
    trial->right = plan->mutation == NULL && !plan->chaos;
    diagnostic_list_init(&diagnostics, arena);
    if (plan->is_cuda && !compile(arena, plan, options, &text, &size, &diagnostics)) {
        broken(trial, arena, "the source does not compile", &diagnostics);
        return;
    }
    trial->ptx = text;
    struct ptx_module *module = ptx_parse(arena, "k.ptx", text, size, &diagnostics);
    if (diagnostics.errors != 0) {
        broken(trial, arena, "the PTX has errors", &diagnostics);
        return;
    }
    uint32_t function = ptx_find_function(module, "k");
    const struct contract *contract = judge.contract = contract_of_plan(arena, plan, &diagnostics);
    if (function == PTX_NONE || contract == NULL) {
        broken(trial, arena, "the contract has errors", &diagnostics);
        return;
    }
    double start = now();
    if (!options->without_prover) {
        const struct check_result *result = judge.result =
            check_kernel(arena, module, function, contract, &how, &diagnostics);
        trial->queries = result->queries;
        trial->solver_calls = result->solver_calls;
        judge.faulted = ARENA_ARRAY(arena, bool, result->sites.count + 1);
        if (result->not_analysed != NULL)
            trial->report = result->not_analysed;
        judge.contradicts = result->contract_contradicts;
        collect_sites(&judge);
    }
    trial->prove_seconds = now() - start;
    start = now();
    struct launches launches;
    launches_run(arena, plan, module, function, contract, options->launches, judge_launch, &judge,
                 &launches);
    trial->run_seconds = now() - start;
    trial->launches = launches.run;
    trial->steps_ended = launches.step_limit;
    if (judge.contradicts && launches.run != 0)
        broken(trial, arena, "the prover says that no launch obeys the contract, but some do",
               &diagnostics);
    if (judge.wrap != NULL && trial->status == TRIAL_FINE) {
        trial->status = TRIAL_UNSOUND;
        trial->report = judge.wrap;
    }
    if (launches.trouble != NULL) {
        trial->status = TRIAL_BROKEN;
        trial->report = arena_printf(arena, "the emulator: %s", launches.trouble);
    }
}
