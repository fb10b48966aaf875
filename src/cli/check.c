/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise check`: the kernels of each file proved, one report for all of them.
 */
#include "cli/cli.h"

static bool check_file(struct cli *cli, const char *path, struct report *report,
                       struct diagnostic_list *diagnostics)
{
    struct job job;
    if (!job_read(cli, path, cli->options.launch, &job, diagnostics))
        return false;
    if (!job_compile(cli, &job, diagnostics))
        return job.unit.timed_out; /* a limit, not a fault of the input */
    return prove_job(cli, &job, report, NULL, NULL, diagnostics);
}

/* Something that a proof was asked for and not given. */
static bool is_open(const struct report *report)
{
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        if (kernel->sites_unproved + kernel->sites_not_analysed != 0 ||
            kernel->not_analysed != NULL)
            return true;
    }
    return false;
}

static int exit_status(const struct cli *cli, const struct report *report, bool input_good)
{
    if (!input_good)
        return EXIT_INPUT;
    if (report->errors != 0)
        return cli->options.exit_zero ? EXIT_CLEAN : (int)cli->options.error_exitcode;
    if (cli->timed_out != 0 || (cli->options.fail_on == FAIL_ON_UNPROVED && is_open(report)))
        return EXIT_UNFINISHED;
    return EXIT_CLEAN;
}

int check_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct diagnostic_list diagnostics;
    struct report report;
    bool good = true;
    if (!output_check_files(cli, "lanewise check FILE.cu", "no file to check"))
        return EXIT_INPUT;
    diagnostic_list_init(&diagnostics, cli->arena);
    report_init(&report, cli->arena, "check");
    for (uint32_t i = 0; i < options->operands.count; i++)
        good &= check_file(cli, options->operands.data[i], &report, &diagnostics);
    cli_print_diagnostics(cli, &diagnostics);
    good &= output_write(cli, &report, &diagnostics);
    return exit_status(cli, &report, good);
}
