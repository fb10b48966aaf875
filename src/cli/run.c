/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise run`: the launches of each file, one report for all of them.
 */
#include "cli/cli.h"

#include <string.h>

struct dump_state {
    struct cli *cli;
    bool *found; /* for each --dump */
    bool failed;
};

static void dump_buffers(void *context, struct launch_run *run, const struct launch *launch,
                         struct report_kernel *kernel)
{
    struct dump_state *state = context;
    (void)launch;
    if (!kernel->has_run)
        return;
    for (uint32_t i = 0; i < state->cli->options.dumps.count; i++) {
        const struct named_file *dump = &state->cli->options.dumps.data[i];
        struct launch_buffer *buffer = launch_run_buffer(run, dump->name);
        if (buffer == NULL)
            continue;
        state->found[i] = true;
        state->failed |= !npy_dump(state->cli, run, buffer, dump->file);
    }
}

static bool has_main(const struct source_unit *unit)
{
    const char *main_function = strstr(unit->text, "int main(");
    return main_function != NULL;
}

static bool run_file(struct cli *cli, const char *path, struct report *report,
                     struct dump_state *dumps, struct diagnostic_list *diagnostics)
{
    struct job job;
    if (!job_read(cli, path, cli->options.launch, &job, diagnostics))
        return false;
    if (!job.comment.has_geometry) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = path},
                       "`%s` does not say what to launch", path);
        diagnostic_help(
            diagnostics, "%s",
            has_main(&job.unit)
                ? "this version runs single kernels, not whole programs: begin the file with a "
                  "launch "
                  "comment, or give --launch 'kernel: NAME; grid: 1; block: 32; ...'"
                : "begin the file with a launch comment (kernel, grid, block, arg lines), or give "
                  "--launch 'grid: 1; block: 32; ...'");
        return false;
    }
    if (!job_compile(cli, &job, diagnostics))
        return job.unit.timed_out; /* a limit, not a fault of the input */
    return job_run(cli, &job, report, dump_buffers, dumps, diagnostics);
}

/* --dump of a name that no launch has. */
static bool check_dumps(struct cli *cli, const struct dump_state *dumps,
                        const struct report *report)
{
    bool ran = false;
    for (uint32_t k = 0; k < report->kernels.count; k++)
        ran |= report->kernels.data[k].has_run;
    for (uint32_t i = 0; i < cli->options.dumps.count && ran; i++)
        if (!dumps->found[i]) {
            cli_complain(cli, NULL, "no launch has a buffer `%s` to dump",
                         cli->options.dumps.data[i].name);
            return false;
        }
    return true;
}

static int exit_status(const struct cli *cli, const struct report *report, bool input_good)
{
    if (!input_good)
        return EXIT_INPUT;
    if (report->errors != 0)
        return cli->options.exit_zero ? EXIT_CLEAN : (int)cli->options.error_exitcode;
    return report->stopped + cli->timed_out != 0 ? EXIT_UNFINISHED : EXIT_CLEAN;
}

int run_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct diagnostic_list diagnostics;
    struct report report;
    struct dump_state dumps = {.cli = cli};
    bool good = true;
    if (!output_check_files(cli, "lanewise run FILE.cu", "no file to run"))
        return EXIT_INPUT;
    diagnostic_list_init(&diagnostics, cli->arena);
    report_init(&report, cli->arena, "run");
    dumps.found = ARENA_ARRAY(cli->arena, bool, options->dumps.count + 1);
    for (uint32_t i = 0; i < options->operands.count; i++)
        good &= run_file(cli, options->operands.data[i], &report, &dumps, &diagnostics);
    cli_print_diagnostics(cli, &diagnostics);
    good &= !dumps.failed && check_dumps(cli, &dumps, &report);
    good &= output_write(cli, &report, &diagnostics);
    return exit_status(cli, &report, good);
}
