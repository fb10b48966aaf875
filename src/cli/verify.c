/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise verify`: what `check` and `run` find against what the file expects, one line a file.
 */
#include "cli/cli.h"
#include "tail/tail.h"

#include <string.h>

struct verification {
    struct cli *cli;
    struct buffer failed; /* reasons, "; " between them */
    struct buffer skipped;
};

/* What belongs to which launch: kernels of the report by number, since the report grows. */
struct seen {
    const struct launch *launch; /* NULL: proved without one */
    uint32_t function;
    uint32_t kernel;
    bool is_proof;
};

struct seen_list {
    struct arena *arena;
    struct report *report;
    VEC(struct seen) items;
};

static void remember_run(void *context, struct launch_run *run, const struct launch *launch,
                         struct report_kernel *kernel)
{
    struct seen_list *list = context;
    (void)run;
    *vec_push(list->arena, &list->items) =
        (struct seen){launch, PTX_NONE, (uint32_t)(kernel - list->report->kernels.data), false};
}

static void remember_proof(void *context, const struct check_result *result,
                           const struct launch *launch, uint32_t function,
                           struct report_kernel *kernel)
{
    struct seen_list *list = context;
    (void)result;
    *vec_push(list->arena, &list->items) =
        (struct seen){launch, function, (uint32_t)(kernel - list->report->kernels.data), true};
}

/* A proof belongs to the launch that it is of; one by contract to the launches of its kernel, or to those that name none. */
static bool belongs(struct cli *cli, const struct seen *seen, const struct launch *launch,
                    const struct ptx_module *module)
{
    if (seen->launch != NULL)
        return seen->launch == launch;
    const char *name = module->functions.data[seen->function].name;
    return launch->kernel.text == NULL ||
           ptx_name_matches(cli->arena, name,
                            arena_text(cli->arena, launch->kernel.text, launch->kernel.size));
}

static void compare_all(struct verification *state, const struct job *job,
                        const struct seen_list *seen)
{
    for (uint32_t l = 0; l < job->comment.launches.count; l++) {
        struct comparison comparison = {
            .cli = state->cli,
            .launch = &job->comment.launches.data[l],
            .failed = &state->failed,
            .skipped = &state->skipped,
            .claims_disjoint = job->unit.text != NULL && strstr(job->unit.text, "LW_DISJOINT") != NULL,
        };
        for (uint32_t i = 0; i < seen->items.count; i++) {
            const struct seen *item = &seen->items.data[i];
            if (belongs(state->cli, item, comparison.launch, job->module))
                *vec_push(state->cli->arena, &comparison.evidence) =
                    (struct evidence){&seen->report->kernels.data[item->kernel], item->is_proof};
        }
        compare_launch(&comparison);
    }
}

/* ---- what a contract says of the results of a launch -------------------------------------------------------------- */

static bool is_known(const struct report_kernel *kernel, const struct finding *finding)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (kernel->findings.data[i].kind == finding->kind && kernel->findings.data[i].place.line == finding->place.line)
            return true;
    return false;
}

/* As `lanewise test --launch` judges it: missing elements, padding, wrong identities. */
static void judge_launch(struct cli *cli, const struct job *job, const struct contract *contract, uint32_t function,
                         const struct launch *launch, struct report_kernel *kernel)
{
    struct tail_options options = {.isa = cli->options.isa,
                                   .max_steps = cli->options.max_steps,
                                   .max_memory = cli->options.max_memory,
                                   .kernel_place = kernel->place};
    struct tail_case what = {.is_adversarial = cli->options.schedule == 1};
    struct tail_subject subject = {.arena = cli->arena,
                                   .module = job->module,
                                   .function = function,
                                   .contract = contract,
                                   .uses = tail_find_uses(cli->arena, job->module, function, contract),
                                   .options = &options};
    struct report_kernel judged;
    struct diagnostic_list ignored; /* of a launch that was run already */
    diagnostic_list_init(&ignored, cli->arena);
    if (!tail_judge(&subject, launch, NULL, &what, &judged, &ignored))
        return;
    for (uint32_t i = 0; i < judged.findings.count; i++) {
        const struct finding *finding = &judged.findings.data[i];
        bool is_of_results = finding->kind == FINDING_MISSING_ELEMENT || finding->kind == FINDING_ROW_CROSSING ||
                             finding->kind == FINDING_WRONG_IDENTITY;
        if (is_of_results && !is_known(kernel, finding))
            *vec_push(cli->arena, &kernel->findings) = *finding;
    }
}

/* The launches that were run, each with its kernel's contract. */
static bool judge_launches(struct cli *cli, const struct job *job, const struct seen_list *seen, struct diagnostic_list *diagnostics)
{
    struct contract_list contracts = {0};
    struct diagnostic_list own; /* contracts are read again, and complained of, for the proof */
    diagnostic_list_init(&own, cli->arena);
    bool good = job->unit.is_ptx || strstr(job->unit.text, "LW_") == NULL ||
                source_read_contracts(cli->arena, &job->unit, &job->compile, &contracts, &own);
    for (uint32_t i = 0; i < cli->options.contracts.count; i++)
        good &= source_read_contract_header(cli->arena, cli->options.contracts.data[i], &job->compile, &contracts, &own);
    for (uint32_t i = 0; i < seen->items.count && good; i++) {
        const struct launch *launch = seen->items.data[i].launch;
        struct report_kernel *kernel = &seen->report->kernels.data[seen->items.data[i].kernel];
        const struct contract *contract = NULL;
        if (!kernel->has_run || kernel->stopped != NULL)
            continue;
        uint32_t function = launch_find_kernel(cli->arena, job->module, launch, NULL, diagnostics);
        if (function != PTX_NONE && source_match_contract(cli->arena, &contracts, job->module, function, &contract, &own) &&
            contract != NULL && contract->has_annotations)
            judge_launch(cli, job, contract, function, launch, kernel);
    }
    return diagnostics->errors == 0;
}

static bool wants_check(const struct launch_comment *comment)
{
    for (uint32_t i = 0; i < comment->launches.count; i++)
        if (comment->launches.data[i].verdict.text != NULL)
            return true;
    return false;
}

/* EXIT_CLEAN, EXIT_FINDINGS (not as expected), EXIT_INPUT or EXIT_UNFINISHED (skipped). */
static int verify_file(struct verification *state, const char *path)
{
    struct cli *cli = state->cli;
    struct diagnostic_list diagnostics;
    struct report report;
    struct job job;
    diagnostic_list_init(&diagnostics, cli->arena);
    report_init(&report, cli->arena, "verify");
    struct seen_list seen = {.arena = cli->arena, .report = &report};
    bool good = job_read(cli, path, NULL, &job, &diagnostics);
    if (good && !job.comment.has_geometry && !wants_check(&job.comment)) {
        compare_add_reason(&state->failed, "there is no launch comment and no verdict to verify");
        return EXIT_INPUT;
    }
    good = good && job_compile(cli, &job, &diagnostics);
    if (good && job.comment.has_geometry)
        good = job_run(cli, &job, &report, remember_run, &seen, &diagnostics) && judge_launches(cli, &job, &seen, &diagnostics);
    good = good && prove_job(cli, &job, &report, remember_proof, &seen, &diagnostics);
    cli_print_diagnostics(cli, &diagnostics);
    if (!good) {
        compare_add_reason(&state->failed, "%s",
                           diagnostics.items.count != 0 ? diagnostics.items.data[0].message
                                                        : "it could not be checked");
        return job.unit.timed_out ? EXIT_FINDINGS : EXIT_INPUT;
    }
    report_finish(&report);
    compare_all(state, &job, &seen);
    return state->failed.size != 0    ? EXIT_FINDINGS
           : state->skipped.size != 0 ? EXIT_UNFINISHED
                                      : EXIT_CLEAN;
}

static void print_line(struct cli *cli, const char *path, int status,
                       const struct verification *state)
{
    static const char *const words[] = {"ok  ", "FAIL", "FAIL", "skip"};
    static const char *const paints[] = {"\033[32m", "\033[1;31m", "\033[1;31m", "\033[33m"};
    bool colour = cli->colour_out;
    const struct buffer *reasons = status == EXIT_UNFINISHED ? &state->skipped : &state->failed;
    if (status == EXIT_CLEAN && cli->options.quiet)
        return;
    printf("%s%s%s %s", colour ? paints[status] : "", words[status], colour ? "\033[0m" : "", path);
    if (status != EXIT_CLEAN)
        printf(": %s%s", status == EXIT_UNFINISHED ? "skipped: " : "", reasons->data);
    putchar('\n');
    fflush(stdout);
}

int verify_command(struct cli *cli)
{
    uint32_t counts[4] = {0};
    if (cli->options.operands.count == 0) {
        cli_complain(cli, "lanewise verify FILE.cu", "no file to verify");
        return EXIT_INPUT;
    }
    for (uint32_t i = 0; i < cli->options.operands.count; i++) {
        struct verification state = {.cli = cli};
        const char *path = cli->options.operands.data[i];
        buffer_init(&state.failed, cli->arena);
        buffer_init(&state.skipped, cli->arena);
        int status = verify_file(&state, path);
        counts[status]++;
        print_line(cli, path, status, &state);
    }
    if (cli->options.operands.count > 1 &&
        !(cli->options.quiet && counts[EXIT_CLEAN] == cli->options.operands.count))
        printf("%u ok, %u failed, %u skipped\n", counts[EXIT_CLEAN],
               counts[EXIT_FINDINGS] + counts[EXIT_INPUT], counts[EXIT_UNFINISHED]);
    if (counts[EXIT_INPUT] != 0)
        return EXIT_INPUT;
    if (counts[EXIT_FINDINGS] != 0)
        return EXIT_FINDINGS;
    return counts[EXIT_UNFINISHED] != 0 ? EXIT_UNFINISHED : EXIT_CLEAN;
}
