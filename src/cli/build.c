/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise build`: each file as checked PTX, with its report and its launchers, in one folder.
 */
#include "cli/cli.h"
#include "guard/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct builder {
    struct cli *cli;
    VEC(struct guard_input) inputs;
    uint32_t not_checkable, unhandled; /* sites, of all files */
    struct diagnostic_list *diagnostics;
};

static void take_kernel(void *context, const struct check_result *result, const struct launch *launch, uint32_t function,
                        struct report_kernel *kernel)
{
    struct builder *builder = context;
    (void)launch, (void)function;
    if (result == NULL)
        return;
    const struct check_split *split =
        builder->cli->options.split
            ? check_split_launch(builder->cli->arena, result->module, result->function, result->contract, builder->diagnostics)
            : NULL;
    *vec_push(builder->cli->arena, &builder->inputs) = (struct guard_input){
        .split = split,
        .result = result,
        .shown = kernel->shown,
        .place = kernel->place,
        .has_contract = result->contract != NULL && result->contract->has_annotations,
    };
}

/* "scale" of "src/scale.cu". */
static const char *stem(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_text(arena, name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
}

static bool make_folder(struct cli *cli, const char *path)
{
    struct stat status;
    char *part = arena_string(cli->arena, path);
    for (char *at = part + 1; *at != '\0'; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        mkdir(part, 0777); /* one that is there, or cannot be made, shows below */
        *at = '/';
    }
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        cli_complain(cli, NULL, "the folder `%s` cannot be made: %s", path, strerror(errno));
        return false;
    }
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        cli_complain(cli, NULL, "`%s` is no folder", path);
        return false;
    }
    return true;
}

static bool write_outputs(struct builder *builder, const struct guard_module *module, struct diagnostic_list *diagnostics)
{
    struct cli *cli = builder->cli;
    const char *folder = cli->options.output;
    struct buffer report;
    buffer_init(&report, cli->arena);
    guard_print_json(module, LANEWISE_VERSION, &report);
    if (!make_folder(cli, folder) ||
        !cli_write(cli, arena_printf(cli->arena, "%s/%s.ptx", folder, module->name), module->ptx, module->ptx_size) ||
        !cli_write(cli, arena_printf(cli->arena, "%s/%s.report.json", folder, module->name), report.data, report.size))
        return false;
    return guard_write_launcher(cli->arena, module, folder, diagnostics);
}

static bool build_file(struct builder *builder, const char *path, struct report *report, struct diagnostic_list *diagnostics)
{
    struct cli *cli = builder->cli;
    struct job job;
    struct buffer text;
    const struct cli_options *options = &cli->options;
    const char *from_environment = getenv("LANEWISE_UNCHECKED_INDEXING");
    bool by_environment = from_environment != NULL && strcmp(from_environment, "1") == 0;
    struct guard_options guard = {
        .check_all = options->check_all,
        .optimise = options->optimise,
        .entry_check = options->entry_check,
        .unchecked = options->unchecked_indexing || by_environment,
        .unchecked_reason = options->unchecked_indexing ? "--unchecked-indexing" : "LANEWISE_UNCHECKED_INDEXING=1",
    };
    builder->inputs.count = 0;
    if (!job_read(cli, path, NULL, &job, diagnostics) || !job_compile(cli, &job, diagnostics) ||
        !prove_job(cli, &job, report, take_kernel, builder, diagnostics))
        return false;
    struct guard_module *module = guard_build(cli->arena, job.module, stem(cli->arena, path), path, builder->inputs.data,
                                              builder->inputs.count, &guard, diagnostics);
    if (module == NULL || !write_outputs(builder, module, diagnostics))
        return false;
    for (uint32_t k = 0; k < module->kernels.count; k++) {
        const struct guard_kernel *kernel = &module->kernels.data[k];
        builder->not_checkable += kernel->counts[GUARD_NOT_CHECKABLE];
        for (uint32_t v = 0; v < kernel->verdicts.count; v++)
            builder->unhandled +=
                kernel->verdicts.data[v].outcome == GUARD_REPORTED && kernel->verdicts.data[v].proof == CHECK_VIOLATED;
    }
    buffer_init(&text, cli->arena);
    guard_print_text(module, options->stats, &text);
    return options->quiet || text.size == 0 || cli_write(cli, NULL, text.data, text.size);
}

/* Two files of one name would write the same outputs. */
static bool check_names(struct cli *cli)
{
    const text_list *files = &cli->options.operands;
    for (uint32_t i = 0; i < files->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(stem(cli->arena, files->data[i]), stem(cli->arena, files->data[k])) == 0) {
                cli_complain(cli, "build them into different folders", "`%s` and `%s` would both be built as `%s`", files->data[k],
                             files->data[i], stem(cli->arena, files->data[i]));
                return false;
            }
    return true;
}

int build_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct diagnostic_list diagnostics;
    struct builder builder = {.cli = cli, .diagnostics = &diagnostics};
    struct report report;
    bool good = true;
    if (options->operands.count == 0 || options->output == NULL) {
        cli_complain(cli, "lanewise build FILE.cu -o FOLDER", options->operands.count == 0 ? "no file to build" : "no folder to build into");
        return EXIT_INPUT;
    }
    if (!check_names(cli))
        return EXIT_INPUT;
    diagnostic_list_init(&diagnostics, cli->arena);
    report_init(&report, cli->arena, "build");
    for (uint32_t i = 0; i < options->operands.count; i++)
        good &= build_file(&builder, options->operands.data[i], &report, &diagnostics);
    cli_print_diagnostics(cli, &diagnostics);
    if (!good)
        return cli->timed_out != 0 ? EXIT_UNFINISHED : EXIT_INPUT;
    if (builder.unhandled != 0) {
        cli_complain(cli, "`lanewise check` shows the launches", "%u violation%s that no run-time check can stop", builder.unhandled,
                     builder.unhandled == 1 ? "" : "s");
        return options->exit_zero ? EXIT_CLEAN : EXIT_FINDINGS;
    }
    if (builder.not_checkable != 0 && !options->allow_not_checkable) {
        cli_complain(cli, "give their arrays an extent, or accept them: --allow-not-checkable",
                     "%u site%s can be neither proved nor checked", builder.not_checkable, builder.not_checkable == 1 ? "" : "s");
        return EXIT_UNFINISHED;
    }
    return EXIT_CLEAN;
}
