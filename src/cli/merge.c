/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise report merge FILE...`: the JSON reports of the parts of a test, joined.
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static bool merge_file(struct cli *cli, const char *path, struct report *report)
{
    const char *trouble = NULL;
    uint32_t line = 0;
    size_t size;
    const char *text = file_read(cli->arena, path, &size);
    if (text == NULL) {
        cli_complain(cli, NULL, "cannot read `%s`: %s", path, strerror(errno));
        return false;
    }
    if (!report_merge_json(report, text, size, &trouble, &line)) {
        cli_complain(cli, "reports are written by --format json=FILE", "`%s`, line %u: %s", path, line, trouble);
        return false;
    }
    return true;
}

int report_command(struct cli *cli)
{
    const text_list *operands = &cli->options.operands;
    struct diagnostic_list none;
    struct report report;
    uint64_t unfinished = 0, broken = 0;
    if (operands->count < 2 || strcmp(operands->data[0], "merge") != 0) {
        cli_complain(cli, "lanewise report merge part1.json part2.json", "`lanewise report` merges files");
        return EXIT_INPUT;
    }
    if (!output_check_formats(cli))
        return EXIT_INPUT;
    diagnostic_list_init(&none, cli->arena);
    report_init(&report, cli->arena, "test");
    for (uint32_t i = 1; i < operands->count; i++)
        if (!merge_file(cli, operands->data[i], &report))
            return EXIT_INPUT;
    for (uint32_t i = 0; i < report.diagnostics.count; i++)
        broken += report.diagnostics.data[i].severity == SEVERITY_ERROR;
    report_merge_finish(&report);
    if (!output_write(cli, &report, &none))
        return EXIT_INPUT;
    for (uint32_t k = 0; k < report.kernels.count; k++)
        unfinished += report.kernels.data[k].launches_unfinished;
    if (broken != 0)
        return EXIT_INPUT;
    if (report.errors != 0)
        return cli->options.exit_zero ? EXIT_CLEAN : (int)cli->options.error_exitcode;
    return unfinished + report.stopped != 0 ? EXIT_UNFINISHED : EXIT_CLEAN;
}
