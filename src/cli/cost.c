/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise cost`: the kernels of a file, each with its launch, counted and shown.
 */
#include "cli/cost.h"
#include "cost/cost.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct costing {
    struct cli *cli;
    struct job job;
    struct contract_list contracts;
    struct kernel_filter filter;
    VEC(struct cost_result *) results;
    struct diagnostic_list diagnostics;
    bool has_errors, is_unfinished;
};

/* ---- one kernel ---------------------------------------------------------------------------------------------------------- */

/* The scalars of a launch as the contract knows them. */
static bool scalar_values(struct arena *arena, const struct contract *contract, const struct report_launch *launch, struct contract_values *values)
{
    values->scalars = ARENA_ARRAY(arena, contract_integer, contract->parameters.count + 1);
    values->lengths = ARENA_ARRAY(arena, contract_integer, contract->parameters.count + 1);
    values->has_grid = true;
    for (int axis = 0; axis < 3; axis++) {
        values->block[axis] = (contract_integer)launch->block[axis];
        values->grid[axis] = (contract_integer)launch->grid[axis];
    }
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        bool found = parameter->kind != CONTRACT_INTEGER;
        for (uint32_t s = 0; s < launch->scalars.count && !found; s++) {
            const struct report_scalar *scalar = &launch->scalars.data[s];
            char *end;
            if (parameter->name == NULL || scalar->name == NULL || strcmp(scalar->name, parameter->name) != 0)
                continue;
            values->scalars[p] = scalar->value[0] == '-' ? (contract_integer)strtoll(scalar->value, &end, 10)
                                                          : (contract_integer)strtoull(scalar->value, &end, 10);
            found = *end == '\0';
        }
        if (!found)
            return false;
    }
    return true;
}

/* Fields of structs, which are no arguments of their own. */
static void add_fields(struct arena *arena, const struct contract *contract, const struct contract_values *values, struct report_launch *launch)
{
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        char digits[48];
        if (parameter->kind == CONTRACT_INTEGER && parameter->name != NULL && strchr(parameter->name, '.') != NULL)
            *vec_push(arena, &launch->scalars) =
                (struct report_scalar){.name = parameter->name, .value = arena_string(arena, contract_format(values->scalars[p], digits))};
    }
}

static void run_launch(struct costing *costing, struct cost_result *result, struct launch_run *run, struct launch_run_options *options,
                       struct report_kernel *kernel, const struct contract *contract, const struct contract_values *known)
{
    enum { MAX_THREADS = 1 << 28 };
    struct arena *arena = costing->cli->arena;
    struct contract_values values;
    if (known != NULL)
        add_fields(arena, contract, known, &kernel->launch);
    bool has_values = contract != NULL && (known != NULL || scalar_values(arena, contract, &kernel->launch, &values));
    if (known != NULL)
        values = *known;
    if (!kernel->launch.known || kernel->findings.count != 0) {
        for (uint32_t f = 0; f < kernel->findings.count; f++)
            if (kernel->findings.data[f].severity == SEVERITY_ERROR) { /* a device would refuse it */
                result->launch.trouble = arena_printf(arena, "a device refuses it, the kernel %s", kernel->findings.data[f].message);
                *vec_push(arena, &result->findings) = kernel->findings.data[f];
                return;
            }
    }
    cost_set_launch(result, &kernel->launch, contract, has_values ? &values : NULL);
    if (result->launch.threads > MAX_THREADS) {
        char digits[32];
        result->launch.stopped = arena_printf(arena, "more than %s threads take too long; what stands above is by formula", text_group_digits(MAX_THREADS, digits));
        return;
    }
    struct emu_counting *counting = options->counting = cost_counting(result);
    if (!launch_run_execute(run))
        kernel->stopped = "`init` or `want` has no value for some element";
    cost_set_run(result, counting, kernel);
    if (costing->cli->options.stats)
        fprintf(stderr, "cost: ran in %.2f s\n", kernel->seconds);
}

static const char *read_source(void *context, const char *path)
{
    struct report_style style = cli_style(context, false);
    return style.read_source == NULL ? NULL : style.read_source(style.context, path);
}

static const char *compiler_name(struct costing *costing)
{
    const struct job *job = &costing->job;
    if (job->unit.is_ptx)
        return NULL;
    return arena_printf(costing->cli->arena, "%s -O%s, %s", job->compile.compiler == COMPILER_NVCC ? "nvcc" : "clang",
                        job->compile.level == NULL ? "2" : job->compile.level, job->module->target);
}

static void note_outcome(struct costing *costing, const struct cost_result *result)
{
    costing->is_unfinished |= result->launch.stopped != NULL;
    for (uint32_t f = 0; f < result->findings.count; f++)
        costing->has_errors |= result->findings.data[f].severity == SEVERITY_ERROR;
}

static bool cost_function(struct costing *costing, uint32_t function)
{
    struct cli *cli = costing->cli;
    const struct contract *contract = NULL;
    struct cost_plan plan;
    struct report_kernel kernel = {0};
    if (!source_match_contract(cli->arena, &costing->contracts, costing->job.module, function, &contract, &costing->diagnostics) ||
        !cost_plan_launch(cli, &costing->job, function, contract, &plan, &costing->diagnostics))
        return false;
    if (plan.is_other)
        return true;
    struct cost_input input = {.module = costing->job.module,
                               .function = function,
                               .place = job_declaration(cli, &costing->job, function),
                               .compiler = compiler_name(costing),
                               .contract = contract,
                               .read_source = read_source,
                               .context = cli};
    struct cost_result *result = cost_kernel(cli->arena, &input);
    result->launch.trouble = plan.trouble;
    result->launch.was_given = cli->options.launch != NULL || plan.launch != NULL;
    if (plan.launch != NULL) {
        struct launch_run_options *options = ARENA_NEW(cli->arena, struct launch_run_options);
        options->emu.jobs = cli->options.jobs > 1024 ? 1024 : (uint32_t)cli->options.jobs;
        options->emu.max_steps = cli->options.max_steps;
        options->emu.max_memory = cli->options.max_memory;
        options->kernel_place = input.place;
        struct launch_run *run =
            launch_run_begin(cli->arena, costing->job.module, function, plan.launch, options, &kernel, &costing->diagnostics);
        if (run == NULL)
            return false;
        run_launch(costing, result, run, options, &kernel, contract, plan.values);
        launch_run_end(run);
        cost_find_occupancy(result, costing->job.unit.ptx, costing->job.unit.ptx_size);
    }
    cost_conclude(result);
    note_outcome(costing, result);
    *vec_push(cli->arena, &costing->results) = result;
    return true;
}

/* ---- output ---------------------------------------------------------------------------------------------------------------- */

static uint32_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 60)
        return 0;
    return size.ws_col > 160 ? 160 : size.ws_col;
}

static void print_text(struct costing *costing, bool to_terminal, struct buffer *out)
{
    struct cost_style style = {.colour = to_terminal && costing->cli->colour_out, .all = costing->cli->options.show_ptx};
    if (to_terminal)
        style.width = terminal_width();
    buffer_puts(out, "");
    for (uint32_t i = 0; i < costing->results.count; i++) {
        if (i != 0)
            buffer_putc(out, '\n');
        cost_print_text(costing->results.data[i], &style, out);
    }
}

static void print_json(struct costing *costing, struct buffer *out)
{
    static const char *const severities[] = {"note", "warning", "error"};
    struct json_writer json;
    json_init(&json, out, true);
    json_object_begin(&json);
    json_add_text(&json, "schema", "lanewise/1");
    json_add_text(&json, "version", LANEWISE_VERSION);
    json_add_text(&json, "command", "cost");
    json_key(&json, "kernels");
    json_array_begin(&json);
    for (uint32_t i = 0; i < costing->results.count; i++)
        cost_print_json(costing->results.data[i], &json);
    json_array_end(&json);
    json_key(&json, "diagnostics");
    json_array_begin(&json);
    for (uint32_t i = 0; i < costing->diagnostics.items.count; i++) {
        const struct diagnostic *diagnostic = &costing->diagnostics.items.data[i];
        json_object_begin(&json);
        json_add_text(&json, "severity", severities[diagnostic->severity]);
        json_add_text(&json, "file", diagnostic->place.file);
        json_add_number(&json, "line", diagnostic->place.line);
        json_add_number(&json, "column", diagnostic->place.column);
        json_add_text(&json, "message", diagnostic->message);
        json_add_text(&json, "help", diagnostic->help);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    buffer_putc(out, '\n');
}

static bool write_page(struct costing *costing)
{
    struct cli *cli = costing->cli;
    struct buffer out;
    if (cli->options.html == NULL || costing->results.count == 0)
        return true;
    buffer_init(&out, cli->arena);
    cost_write_html((const struct cost_result *const *)costing->results.data, costing->results.count, LANEWISE_VERSION, &out);
    return cli_write(cli, cli->options.html, out.data, out.size);
}

static bool write_all(struct costing *costing)
{
    struct cli *cli = costing->cli;
    struct named_file text = {.name = "text"};
    bool good = true;
    uint32_t count = cli->options.formats.count;
    for (uint32_t i = 0; i < count || (count == 0 && i == 0); i++) {
        const struct named_file *format = count == 0 ? &text : &cli->options.formats.data[i];
        struct buffer out;
        buffer_init(&out, cli->arena);
        if (strcmp(format->name, "json") == 0)
            print_json(costing, &out);
        else
            print_text(costing, format->file == NULL, &out);
        good &= cli_write(cli, format->file, out.data, out.size);
    }
    return good;
}

static bool check_formats(struct cli *cli)
{
    for (uint32_t i = 0; i < cli->options.formats.count; i++) {
        const char *name = cli->options.formats.data[i].name;
        if (strcmp(name, "text") != 0 && strcmp(name, "json") != 0) {
            cli_complain(cli, "the formats of cost are text and json", "cost has no format `%s`", name);
            return false;
        }
    }
    return output_check_formats(cli);
}

/* The file that two paths are, by whatever names. */
static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino && S_ISREG(x.st_mode);
}

static bool check_output(struct cli *cli, const char *path)
{
    const char *input = cli->options.operands.data[0], *launch = cli->options.launch;
    if (path == NULL)
        return true;
    if (is_same_file(path, input) || (launch != NULL && launch[0] == '@' && is_same_file(path, launch + 1))) {
        cli_complain(cli, "name another file", "`%s` is read: it would be overwritten", path);
        return false;
    }
    return true;
}

/* What is written must not be what is read. */
static bool check_outputs(struct cli *cli)
{
    bool good = check_output(cli, cli->options.html) && check_output(cli, cli->options.keep_ptx);
    for (uint32_t i = 0; i < cli->options.formats.count && good; i++)
        good = check_output(cli, cli->options.formats.data[i].file);
    if (good && cli->options.html != NULL && strcmp(cli->options.html, "-") == 0) {
        cli_complain(cli, "--html page.html; a file of that name is `./-`", "--html writes a file, not to standard output");
        return false;
    }
    return good;
}

/* ---- the command ------------------------------------------------------------------------------------------------------------- */

static bool complain_no_match(struct costing *costing)
{
    const struct ptx_module *module = costing->job.module;
    struct arena *arena = costing->cli->arena;
    struct place place = {.file = costing->job.unit.path};
    struct buffer names;
    uint32_t count = 0;
    buffer_init(&names, arena);
    for (uint32_t f = 0; f < module->functions.count; f++)
        if (module->functions.data[f].is_entry && module->functions.data[f].has_body && count++ < 10)
            buffer_printf(&names, "%s`%s`", count == 1 ? "" : ", ", launch_short_name(arena, module->functions.data[f].name));
    if (count == 0) {
        diagnostic_add(&costing->diagnostics, SEVERITY_ERROR, place, "the file has no kernel");
        return false;
    }
    diagnostic_add(&costing->diagnostics, SEVERITY_ERROR, place, "no kernel matches %s",
                   costing->cli->options.kernel != NULL ? arena_printf(arena, "`%s`", costing->cli->options.kernel) : "that of --launch");
    diagnostic_help(&costing->diagnostics, "the file has %s%s", names.data, count > 10 ? " and more" : "");
    return false;
}

static bool cost_file(struct costing *costing, const char *path)
{
    struct cli *cli = costing->cli;
    struct job *job = &costing->job;
    bool good = true;
    if (!job_read(cli, path, NULL, job, &costing->diagnostics) || !job_compile(cli, job, &costing->diagnostics) ||
        !job_read_contracts(cli, job, &costing->contracts, &costing->diagnostics) ||
        !kernel_filter_begin(cli, &costing->filter, &costing->diagnostics))
        return false;
    for (uint32_t f = 0; f < job->module->functions.count && good; f++) {
        const struct ptx_function *function = &job->module->functions.data[f];
        if (!function->is_entry || !function->has_body || !kernel_filter_admits(cli, &costing->filter, function->name))
            continue;
        good = cost_function(costing, f);
    }
    kernel_filter_end(&costing->filter);
    return good && (costing->results.count != 0 || complain_no_match(costing));
}

int cost_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct costing costing = {.cli = cli};
    if (options->operands.count != 1) {
        cli_complain(cli, "lanewise cost scale.cu --kernel scale --launch 'n=1000000'", "one file to count, there are %u", options->operands.count);
        return EXIT_INPUT;
    }
    if (!check_formats(cli) || !check_outputs(cli))
        return EXIT_INPUT;
    diagnostic_list_init(&costing.diagnostics, cli->arena);
    bool good = cost_file(&costing, options->operands.data[0]);
    cli_print_diagnostics(cli, &costing.diagnostics);
    good &= write_all(&costing);
    good &= write_page(&costing);
    if (!good)
        return cli->timed_out != 0 ? EXIT_UNFINISHED : EXIT_INPUT;
    if (costing.has_errors)
        return options->exit_zero ? EXIT_CLEAN : (int)options->error_exitcode;
    return costing.is_unfinished ? EXIT_UNFINISHED : EXIT_CLEAN;
}
