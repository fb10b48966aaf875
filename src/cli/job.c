/* SPDX-License-Identifier: Apache-2.0
 *
 * One input file from its path to its kernels' reports: read, launch comment, compile, parse, run each launch.
 */
#include "cli/cli.h"
#include "tail/tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void complain(struct diagnostic_list *diagnostics, struct place place, const char *message)
{
    diagnostic_add(diagnostics, SEVERITY_ERROR, place, "%s", message);
}

/* The text of --launch: `@FILE` stands for the file's contents. */
const char *job_launch_text(struct cli *cli, const char *text, struct diagnostic_list *diagnostics)
{
    if (text[0] == '@') {
        const char *path = text + 1;
        text = file_read(cli->arena, path, NULL);
        if (text == NULL) {
            complain(diagnostics, (struct place){.file = path},
                     arena_printf(cli->arena, "cannot read `%s`: %s", path, strerror(errno)));
            return NULL;
        }
    }
    cli_add_source(cli, LAUNCH_TEXT_FILE, text);
    return text;
}

bool job_read(struct cli *cli, const char *path, const char *text, struct job *job,
              struct diagnostic_list *diagnostics)
{
    const struct cli_options *options = &cli->options;
    uint32_t errors = diagnostics->errors;
    memset(job, 0, sizeof *job);
    if (!source_load(cli->arena, path, &job->unit, diagnostics))
        return false;
    cli_add_source(cli, path, job->unit.text);
    launch_comment_parse(cli->arena, path, job->unit.text, job->unit.size, &job->comment,
                         diagnostics);
    if (text != NULL) {
        text = job_launch_text(cli, text, diagnostics);
        if (text != NULL)
            launch_text_apply(cli->arena, text, &job->comment, diagnostics);
    }
    if (diagnostics->errors != errors)
        return false;
    job->compile = (struct source_options){
        .compiler = (enum source_compiler)options->compiler,
        .level = options->level,
        .debug = options->debug,
        .cflags = options->cflags,
        .data = source_find_data(cli->arena),
        .timeout = options->compile_timeout > 86400 ? 86400 : (uint32_t)options->compile_timeout,
    };
    return true;
}

bool job_compile(struct cli *cli, struct job *job, struct diagnostic_list *diagnostics)
{
    const struct cli_options *options = &cli->options;
    uint32_t errors = diagnostics->errors;
    if (!source_compile(cli->arena, &job->unit, &job->compile, diagnostics)) {
        cli->timed_out += job->unit.timed_out;
        return false;
    }
    if (options->keep_ptx != NULL && !job->unit.is_ptx &&
        !cli_write(cli, options->keep_ptx, job->unit.ptx, job->unit.ptx_size))
        return false;
    const char *name =
        options->keep_ptx != NULL && !job->unit.is_ptx ? options->keep_ptx : job->unit.ptx_name;
    cli_add_source(cli, name, job->unit.ptx);
    job->module = ptx_parse(cli->arena, name, job->unit.ptx, job->unit.ptx_size, diagnostics);
    if (diagnostics->errors != errors)
        return false;
    source_shorten_paths(cli->arena, &job->unit, job->module);
    return true;
}

/* ---- which launches ------------------------------------------------------------------------------------- */

bool kernel_filter_begin(struct cli *cli, struct kernel_filter *filter,
                         struct diagnostic_list *diagnostics)
{
    filter->active = cli->options.kernel != NULL;
    if (!filter->active ||
        regcomp(&filter->regex, cli->options.kernel, REG_EXTENDED | REG_NOSUB) == 0)
        return true;
    complain(diagnostics, (struct place){0},
             arena_printf(cli->arena, "`%s` is no regular expression", cli->options.kernel));
    return false;
}

void kernel_filter_end(struct kernel_filter *filter)
{
    if (filter->active)
        regfree(&filter->regex);
    filter->active = false;
}

bool kernel_filter_admits(struct cli *cli, const struct kernel_filter *filter, const char *mangled)
{
    if (!filter->active)
        return true;
    const char *names[] = {mangled, ptx_demangle(cli->arena, mangled),
                           launch_short_name(cli->arena, mangled)};
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (regexec(&filter->regex, names[i], 0, NULL, 0) == 0)
            return true;
    return false;
}

/* A launch without a `kernel:` line runs the one kernel that the filter admits, when there is exactly one. */
const char *kernel_filter_only(struct cli *cli, const struct kernel_filter *filter,
                               const struct ptx_module *module)
{
    const char *found = NULL;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        if (!function->is_entry || !function->has_body ||
            !kernel_filter_admits(cli, filter, function->name))
            continue;
        if (found != NULL)
            return NULL;
        found = function->name;
    }
    return found;
}

static void complain_no_match(struct cli *cli, const struct job *job,
                              struct diagnostic_list *diagnostics)
{
    struct buffer names;
    buffer_init(&names, cli->arena);
    buffer_puts(&names, "");
    for (uint32_t i = 0; i < job->comment.launches.count; i++) {
        const struct launch_text *kernel = &job->comment.launches.data[i].kernel;
        if (kernel->text != NULL)
            buffer_printf(&names, "%s`%.*s`", names.size == 0 ? "" : ", ", (int)kernel->size,
                          kernel->text);
    }
    complain(
        diagnostics, (struct place){.file = job->unit.path},
        arena_printf(cli->arena, "no launch of a kernel that matches `%s`", cli->options.kernel));
    if (names.size != 0)
        diagnostic_help(diagnostics, "the file launches %s", names.data);
}

/* ---- running ---------------------------------------------------------------------------------------------- */

struct place job_declaration(struct cli *cli, const struct job *job, uint32_t function)
{
    const struct ptx_function *source = &job->module->functions.data[function];
    struct place place =
        source_find_kernel(&job->unit, launch_short_name(cli->arena, source->name));
    if (place.line != 0)
        return place;
    const struct ptx_location *location = ptx_user_location(job->module, source->location);
    if (location != NULL && location->line != 0) {
        const char *path = ptx_file_path(job->module, location->file);
        return (struct place){.file = path != NULL ? path : job->unit.path,
                              .line = location->line,
                              .column = location->column};
    }
    return (struct place){.file = job->unit.is_ptx ? job->unit.path : job->module->name,
                          .line = source->line};
}

/* What follows from another error is no news; a wrong result is what a wrong fill value makes. */
static bool has_other_error(const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (kernel->findings.data[i].severity == SEVERITY_ERROR && kernel->findings.data[i].kind != FINDING_WRONG_RESULT)
            return true;
    return false;
}

static bool run_launch(struct cli *cli, struct job *job, const struct launch *launch,
                       uint32_t function, struct report *report, job_visit *visit, void *context,
                       struct diagnostic_list *diagnostics)
{
    const struct cli_options *options = &cli->options;
    struct launch_run_options run_options = {
        .emu =
            {
                .jobs = options->jobs > 1024 ? 1024 : (uint32_t)options->jobs,
                .max_steps = options->max_steps,
                .max_memory = options->max_memory,
                .adversarial = options->schedule == 1,
                .isa = (unsigned)options->isa,
                .print =
                    output_machine_stdout(cli) || cli->command == COMMAND_VERIFY ? stderr : stdout,
            },
        .kernel_place = job_declaration(cli, job, function),
    };
    struct report_kernel *kernel = report_add_kernel(report);
    struct launch_run *run = launch_run_begin(cli->arena, job->module, function, launch,
                                              &run_options, kernel, diagnostics);
    bool good = run != NULL && launch_run_execute(run);
    if (good && kernel->has_run && kernel->stopped == NULL && !has_other_error(kernel))
        tail_find_wrong_identities(cli->arena, job->module, function, launch, NULL, run, kernel);
    if (good && visit != NULL)
        visit(context, run, launch, kernel);
    if (run != NULL)
        launch_run_end(run);
    if (run == NULL)
        report->kernels.count--; /* nothing is known about it */
    else if (!good)
        kernel->stopped = "`init` or `want` has no value for some element";
    return good;
}

bool job_run(struct cli *cli, struct job *job, struct report *report, job_visit *visit,
             void *context, struct diagnostic_list *diagnostics)
{
    struct kernel_filter filter;
    uint32_t ran = 0;
    bool good = true;
    if (!kernel_filter_begin(cli, &filter, diagnostics))
        return false;
    for (uint32_t i = 0; i < job->comment.launches.count; i++) {
        const struct launch *launch = &job->comment.launches.data[i];
        const char *wanted = launch->kernel.text == NULL && filter.active
                                 ? kernel_filter_only(cli, &filter, job->module)
                                 : NULL;
        uint32_t function =
            launch_find_kernel(cli->arena, job->module, launch, wanted, diagnostics);
        if (function == PTX_NONE) {
            good = false;
            continue;
        }
        if (!kernel_filter_admits(cli, &filter, job->module->functions.data[function].name))
            continue;
        ran++;
        good &= run_launch(cli, job, launch, function, report, visit, context, diagnostics);
    }
    if (good && ran == 0) {
        complain_no_match(cli, job, diagnostics);
        good = false;
    }
    kernel_filter_end(&filter);
    return good;
}
