/* SPDX-License-Identifier: Apache-2.0
 *
 * Where reports go: each `--format F[=FILE]`, text on stdout when none is given.  Input errors are on stderr already; the machine
 * formats hold them too.
 */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct output_format {
    const char *name;
    void (*print)(const struct report *report, struct buffer *out); /* NULL: text, which has a style */
} formats[] = {
    {"text", NULL},
    {"json", report_print_json},
    {"sarif", report_print_sarif},
    {"junit", report_print_junit},
    {"github", report_print_github},
};

static const struct output_format *find_format(const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

bool output_check_formats(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    unsigned on_stdout = 0;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const struct named_file *format = &options->formats.data[i];
        struct text_guess guess = text_guess_begin(format->name);
        on_stdout += format->file == NULL;
        if (find_format(format->name) != NULL)
            continue;
        for (unsigned k = 0; k < COUNT_OF(formats); k++)
            text_guess_try(&guess, formats[k].name);
        cli_complain(cli,
                     guess.best != NULL
                         ? arena_printf(cli->arena, "did you mean `%s`?", guess.best)
                         : "the formats are text, json, sarif, junit and github",
                     "unknown format `%s`", format->name);
        return false;
    }
    if (on_stdout > 1 && output_machine_stdout(cli)) {
        cli_complain(cli, "give all but one a file: --format json=report.json",
                     "two formats cannot share stdout");
        return false;
    }
    return true;
}

bool output_check_files(struct cli *cli, const char *usage, const char *missing)
{
    const struct cli_options *options = &cli->options;
    if (options->operands.count == 0) {
        cli_complain(cli, usage, "%s", missing);
        return false;
    }
    if (options->keep_ptx != NULL && options->operands.count > 1) {
        cli_complain(cli, NULL, "--keep-ptx takes the PTX of one file, there are %u", options->operands.count);
        return false;
    }
    return output_check_formats(cli);
}

bool output_machine_stdout(const struct cli *cli)
{
    for (uint32_t i = 0; i < cli->options.formats.count; i++) {
        const struct named_file *format = &cli->options.formats.data[i];
        if (format->file == NULL && strcmp(format->name, "text") != 0 &&
            strcmp(format->name, "github") != 0)
            return true;
    }
    return false;
}

static bool write_format(struct cli *cli, const struct report *report, const char *name,
                         const char *file)
{
    struct buffer text;
    buffer_init(&text, cli->arena);
    buffer_puts(&text, "");
    const struct output_format *format = find_format(name);
    if (format->print == NULL) {
        struct report_style style = cli_style(cli, file == NULL && cli->colour_out);
        style.with_diagnostics = file != NULL;
        report_print_text(report, &style, &text);
    } else {
        format->print(report, &text);
    }
    return cli_write(cli, file, text.data, text.size);
}

bool output_write(struct cli *cli, struct report *report, const struct diagnostic_list *input)
{
    const struct cli_options *options = &cli->options;
    char folder[PATH_MAX];
    bool good = true;
    if (getcwd(folder, sizeof folder) != NULL)
        report->root = arena_string(cli->arena, folder);
    report->version = LANEWISE_VERSION;
    for (uint32_t i = 0; i < input->items.count; i++)
        *vec_push(cli->arena, &report->diagnostics) = input->items.data[i];
    report_finish(report);
    for (uint32_t i = 0; i < options->formats.count; i++)
        good &= write_format(cli, report, options->formats.data[i].name,
                             options->formats.data[i].file);
    if (options->formats.count == 0) {
        const char *actions = getenv("GITHUB_ACTIONS");
        good = write_format(cli, report, "text", NULL);
        if (actions != NULL && strcmp(actions, "true") == 0)
            good &= write_format(cli, report, "github", NULL);
    }
    return good;
}
