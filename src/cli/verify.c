/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise verify`: what a run finds against what the file expects, one line a file.
 *
 * As expected means: every `expect` is found, nothing of severity error stands outside of `expect` and `also-accept`, the launch finished,
 * results are as wanted (a wrong one is a finding, too).  What this version cannot look for is said to be skipped, never to be ok.
 */
#include "cli/cli.h"

#include <string.h>

/* Kinds that `run` does not look for: they need the proofs of `check`, whole programs, or are not built yet. */
static const enum finding_kind not_looked_for[] = {
    FINDING_ROW_CROSSING,    FINDING_WRONG_IDENTITY, FINDING_MISSING_ELEMENT,
    FINDING_DIVERGENT_BRANCH, FINDING_USE_AFTER_FREE, FINDING_LEAK,
    FINDING_COPY_OVERRUN,    FINDING_HOST_ACCESS,    FINDING_UNCHECKED_ERROR,
};

struct verification {
    struct cli *cli;
    struct buffer failed;  /* reasons, "; " between them */
    struct buffer skipped;
    uint32_t compared; /* launches whose findings were compared */
};

static bool is_looked_for(enum finding_kind kind)
{
    for (unsigned i = 0; i < COUNT_OF(not_looked_for); i++)
        if (not_looked_for[i] == kind)
            return false;
    return kind != FINDING_KIND_COUNT;
}

LW_PRINTF(2, 3) static void add_reason(struct buffer *reasons, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(reasons->arena, format, arguments);
    va_end(arguments);
    if (reasons->data != NULL && strstr(reasons->data, text) != NULL)
        return; /* said already */
    buffer_printf(reasons, "%s%s", reasons->size == 0 ? "" : "; ", text);
}

/* Under --only, other ids do not count, neither expected nor found. */
static bool is_admitted(const struct cli *cli, enum finding_kind kind)
{
    char id[16];
    const char *prefix = cli->options.only;
    if (prefix == NULL || kind == FINDING_KIND_COUNT)
        return prefix == NULL;
    snprintf(id, sizeof id, "LW%u", finding_info(kind)->number);
    return text_starts_with(id, prefix) || text_starts_with(finding_info(kind)->kind, prefix);
}

/* An id instead of a kind (LW102) admits all kinds of that number. */
static bool is_kind(const struct launch_expectation *expected, enum finding_kind kind)
{
    if (expected->finding == FINDING_KIND_COUNT)
        return false;
    return expected->finding == kind ||
           (text_starts_with(expected->kind, "LW") &&
            finding_info(expected->finding)->number == finding_info(kind)->number);
}

/* A finding about two places may be reported at either. */
static bool is_at_line(const struct finding *finding, uint32_t line)
{
    bool found = line == 0 || finding->place.line == line;
    for (uint32_t i = 0; i < finding->notes.count && !found; i++)
        found = finding->notes.data[i].place.line == line;
    return found;
}

static bool matches(const struct launch_expectation *expected, const struct finding *finding)
{
    return is_kind(expected, finding->kind) && is_at_line(finding, expected->line);
}

static bool is_found(const struct launch_expectation *expected, const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (matches(expected, &kernel->findings.data[i]))
            return true;
    return false;
}

/* Found where expected, or where an `also-accept` of the same kind admits it. */
static bool is_satisfied(const struct launch *launch, const struct launch_expectation *expected,
                         const struct report_kernel *kernel)
{
    if (is_found(expected, kernel))
        return true;
    for (uint32_t i = 0; i < launch->accepted.count; i++)
        if (is_kind(expected, launch->accepted.data[i].finding) &&
            is_found(&launch->accepted.data[i], kernel))
            return true;
    return false;
}

static bool is_allowed(const struct launch *launch, const struct finding *finding)
{
    if (finding->severity != SEVERITY_ERROR)
        return true;
    for (uint32_t i = 0; i < launch->expected.count; i++)
        if (matches(&launch->expected.data[i], finding))
            return true;
    for (uint32_t i = 0; i < launch->accepted.count; i++)
        if (matches(&launch->accepted.data[i], finding))
            return true;
    return false;
}

static const char *at_line(struct arena *arena, uint32_t line)
{
    return line == 0 ? "" : arena_printf(arena, " at line %u", line);
}

static void check_expected(struct verification *state, const struct launch *launch,
                           const struct report_kernel *kernel)
{
    struct arena *arena = state->cli->arena;
    for (uint32_t i = 0; i < launch->expected.count; i++) {
        const struct launch_expectation *expected = &launch->expected.data[i];
        if (expected->finding == FINDING_KIND_COUNT) { /* `checked` */
            if (state->cli->options.only == NULL)
                add_reason(&state->skipped, "what stays checked is not looked for by run");
            continue;
        }
        if (!is_admitted(state->cli, expected->finding) || is_satisfied(launch, expected, kernel))
            continue;
        if (!is_looked_for(expected->finding))
            add_reason(&state->skipped, "%s%s is not looked for by run", expected->kind,
                       at_line(arena, expected->line));
        else
            add_reason(&state->failed, "expected %s%s, not found", expected->kind,
                       at_line(arena, expected->line));
    }
}

static void check_found(struct verification *state, const struct launch *launch,
                        const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++) {
        const struct finding *finding = &kernel->findings.data[i];
        if (!is_admitted(state->cli, finding->kind) || is_allowed(launch, finding))
            continue;
        struct buffer message;
        buffer_init(&message, state->cli->arena);
        buffer_printf(&message, "found %s%s", finding_info(finding->kind)->kind,
                      at_line(state->cli->arena, finding->place.line));
        add_reason(&state->failed, "%s: %s", message.data,
                   finding->message != NULL ? finding->message : "");
    }
}

static void compare_launch(struct verification *state, const struct launch *launch,
                           struct report_kernel *kernel)
{
    state->compared++;
    check_expected(state, launch, kernel);
    check_found(state, launch, kernel);
    if (kernel->stopped != NULL)
        add_reason(&state->failed, "`%s` did not finish: %s", kernel->shown, kernel->stopped);
}

/* The launches in the order in which they ran. */
struct ran {
    const struct launch *launch;
    uint32_t kernel;
};

struct ran_list {
    struct arena *arena;
    struct report *report;
    VEC(struct ran) items;
};

static void remember(void *context, struct launch_run *run, const struct launch *launch,
                     struct report_kernel *kernel)
{
    struct ran_list *list = context;
    (void)run;
    *vec_push(list->arena, &list->items) =
        (struct ran){launch, (uint32_t)(kernel - list->report->kernels.data)};
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
    struct ran_list ran = {.arena = cli->arena, .report = &report};
    bool good = job_load(cli, path, NULL, &job, &diagnostics);
    if (good && job.comment.has_geometry)
        good = job_run(cli, &job, &report, remember, &ran, &diagnostics);
    cli_print_diagnostics(cli, &diagnostics);
    if (!good) {
        add_reason(&state->failed, "%s",
                   diagnostics.items.count != 0 ? diagnostics.items.data[0].message
                                                : "it could not be run");
        return job.unit.timed_out ? EXIT_FINDINGS : EXIT_INPUT;
    }
    report_finish(&report);
    for (uint32_t i = 0; i < ran.items.count; i++)
        compare_launch(state, ran.items.data[i].launch, &report.kernels.data[ran.items.data[i].kernel]);
    if (!job.comment.has_geometry) {
        if (!wants_check(&job.comment)) {
            add_reason(&state->failed, "there is no launch comment and no verdict to verify");
            return EXIT_INPUT;
        }
        add_reason(&state->skipped, "it has a contract and no launch, and contracts are not proved yet");
    } else if (wants_check(&job.comment)) {
        add_reason(&state->skipped, "its verdict needs a proof, which is not built yet");
    }
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
    if (cli->options.operands.count > 1 && !(cli->options.quiet && counts[EXIT_CLEAN] == cli->options.operands.count))
        printf("%u ok, %u failed, %u skipped\n", counts[EXIT_CLEAN],
               counts[EXIT_FINDINGS] + counts[EXIT_INPUT], counts[EXIT_UNFINISHED]);
    if (counts[EXIT_INPUT] != 0)
        return EXIT_INPUT;
    if (counts[EXIT_FINDINGS] != 0)
        return EXIT_FINDINGS;
    return counts[EXIT_UNFINISHED] != 0 ? EXIT_UNFINISHED : EXIT_CLEAN;
}
