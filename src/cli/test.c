/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise test`: the kernels of each file that have a contract, run at the sizes where tails break.
 */
#include "cli/device.h"
#include "cli/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test {
    struct cli *cli;
    struct job *job;
    struct report *report;
    struct diagnostic_list *diagnostics;
    struct contract_list contracts;
    struct kernel_filter filter;
    struct references references;
    struct test_state *state;
    const struct golden *golden;
    struct device device; /* for --device and --against */
    struct tail_options options;
    const char *kernel_shown; /* being tested */
    bool shows_progress;
    uint32_t tested, seen;
};

/* ---- options ------------------------------------------------------------------------------------------------- */

static bool parse_sizes(struct cli *cli, struct tail_options *options)
{
    VEC(uint64_t) sizes = {0};
    const char *at = cli->options.sizes;
    while (at != NULL) {
        char *end;
        uint64_t size = strtoull(at, &end, 0);
        if (*at < '0' || *at > '9' || (*end != ',' && *end != '\0')) {
            cli_complain(cli, "--sizes 1000,4096", "`%s` is no list of sizes", cli->options.sizes);
            return false;
        }
        *vec_push(cli->arena, &sizes) = size;
        at = *end == ',' ? end + 1 : NULL;
    }
    options->sizes = sizes.data;
    options->size_count = sizes.count;
    return true;
}

static bool parse_shard(struct cli *cli, struct tail_options *options)
{
    unsigned part = 0, parts = 0;
    char rest;
    if (cli->options.shard == NULL)
        return true;
    if (sscanf(cli->options.shard, "%u/%u%c", &part, &parts, &rest) != 2 || part < 1 || part > parts || parts > 1000000) {
        cli_complain(cli, "--shard 2/8 is the second of eight parts", "`%s` is no part of a test", cli->options.shard);
        return false;
    }
    options->shard = part - 1;
    options->shards = parts;
    return true;
}

/* ---- progress ------------------------------------------------------------------------------------------------- */

static void show_progress(const struct test *test, uint32_t done, uint32_t total)
{
    enum { WIDTH = 24 };
    static const char full[] = "########################", none[] = "                        ";
    unsigned part = total == 0 ? WIDTH : (unsigned)((uint64_t)done * WIDTH / total);
    if (test->shows_progress)
        fprintf(stderr, "\r[%.*s%.*s] %u/%u %.40s\033[K", (int)part, full, (int)(WIDTH - part), none, done, total,
                test->kernel_shown);
}

static void tell(void *context, uint32_t number, uint32_t done, uint32_t total, bool is_clean)
{
    struct test *test = context;
    if (is_clean)
        state_add(test->state, number);
    show_progress(test, done, total);
}

static bool was_clean(void *context, uint32_t number)
{
    const struct test *test = context;
    return state_was_clean(test->state, number);
}

/* ---- commands that show it again ----------------------------------------------------------------------------------- */

static void add_word(struct buffer *out, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%";
    buffer_putc(out, ' ');
    if (word[0] != '\0' && word[strspn(word, safe)] == '\0') {
        buffer_puts(out, word);
        return;
    }
    buffer_putc(out, '\'');
    for (; *word != '\0'; word++)
        if (*word == '\'')
            buffer_puts(out, "'\\''");
        else
            buffer_putc(out, *word);
    buffer_putc(out, '\'');
}

static const char *command_text(struct test *test, const char *command)
{
    const struct cli_options *options = &test->cli->options;
    struct buffer text;
    buffer_init(&text, test->cli->arena);
    buffer_printf(&text, "lanewise %s", command);
    add_word(&text, test->job->unit.path);
    if (!test->job->unit.is_ptx) {
        if (options->compiler == COMPILER_NVCC)
            buffer_puts(&text, " --compiler nvcc");
        if (options->level != NULL)
            buffer_printf(&text, " -O %s", options->level);
        if (options->debug)
            buffer_puts(&text, " -g");
        if (options->cflags != NULL) {
            buffer_puts(&text, " --cflags");
            add_word(&text, options->cflags);
        }
    }
    static const char *const devices[] = {NULL, "cuda", "cpu"};
    if (options->device != 0)
        buffer_printf(&text, " --device %s", devices[options->device]);
    if (options->against != 0)
        buffer_printf(&text, " --against %s", devices[options->against]);
    if (options->raw)
        buffer_puts(&text, " --raw");
    for (uint32_t i = 0; i < options->contracts.count && strcmp(command, "test") == 0; i++) {
        buffer_puts(&text, " --contract");
        add_word(&text, options->contracts.data[i]);
    }
    return text.data;
}

/* ---- one kernel ----------------------------------------------------------------------------------------------------- */

/* What a launch that was clean was clean of, as 16 digits: the code, the contract, references, golden data, every launch of the plan, and
 * the version that judged. */
static const char *plan_key(struct test *test, const char *name, const struct contract *contract, const struct tail_plan *plan)
{
    struct arena *arena = test->cli->arena;
    uint64_t hash = 0xcbf29ce484222325u;
    struct buffer rules;
    buffer_init(&rules, arena);
    contract_print(contract, &rules);
    for (uint32_t c = 0; c < plan->cases.count; c++) {
        const struct tail_case *what = &plan->cases.data[c];
        char digits[48];
        buffer_printf(&rules, "%u %d%d%d ", what->contents, what->is_adversarial, what->is_empty, what->is_idle);
        for (uint32_t a = 0; a < plan->space.axes.count; a++)
            buffer_printf(&rules, "%s ", contract_format(what->point[a], digits));
    }
    buffer_printf(&rules, "%d %d %d ", test->cli->options.device, test->cli->options.against, test->cli->options.raw);
    const char *texts[] = {LANEWISE_VERSION, name, test->job->unit.ptx, test->job->unit.is_ptx ? "" : test->job->unit.text, rules.data,
                           test->golden->key, test->cli->options.launch == NULL ? "" : test->cli->options.launch,
                           arena_printf(arena, "%llu %llu %llu", (unsigned long long)test->options.seed,
                                        (unsigned long long)test->options.max_steps, (unsigned long long)test->options.max_memory)};
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        for (const char *at = texts[i]; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
        hash = (hash ^ 0xff) * 0x100000001b3u;
    }
    return arena_printf(arena, "%016llx", (unsigned long long)hash);
}

static struct report_kernel *add_kernel(struct test *test, uint32_t function)
{
    struct report_kernel *kernel = report_add_kernel(test->report);
    kernel->name = test->job->module->functions.data[function].name;
    kernel->shown = launch_short_name(test->cli->arena, kernel->name);
    kernel->place = job_declaration(test->cli, test->job, function);
    test->kernel_shown = kernel->shown;
    return kernel;
}

/* The launch of --launch when it is a whole one; NULL: it fixes scalars of the plan, or there is none. */
static const struct launch *whole_launch(const struct test *test)
{
    const struct launch_comment *comment = &test->job->comment;
    bool is_whole = test->cli->options.launch != NULL && comment->launches.count != 0 && comment->launches.data[0].has_grid &&
                    comment->launches.data[0].has_block;
    return is_whole ? &comment->launches.data[0] : NULL;
}

static void say_left_out(struct test *test, struct report_kernel *kernel)
{
    const char *missed = test->options.device != NULL ? device_missed(test->cli, &test->device) : NULL;
    if (missed != NULL)
        *vec_push(test->cli->arena, &kernel->missed) = missed;
}

static bool test_launch(struct test *test, uint32_t function, const struct contract *contract, const struct launch *launch,
                        bool is_adversarial)
{
    struct report_kernel *kernel = add_kernel(test, function);
    struct report_kernel result;
    struct tail_case what = {.is_adversarial = is_adversarial, .looks_at_fills = true};
    struct tail_subject subject = {.arena = test->cli->arena,
                                   .module = test->job->module,
                                   .function = function,
                                   .contract = contract,
                                   .uses = contract == NULL ? NULL
                                                            : tail_find_uses(test->cli->arena, test->job->module, function,
                                                                             contract),
                                   .options = &test->options};
    test->options.kernel_place = kernel->place;
    bool good = tail_judge(&subject, launch, NULL, &what, &result, test->diagnostics);
    say_left_out(test, &result);
    result.place = kernel->place;
    kernel = &test->report->kernels.data[test->report->kernels.count - 1];
    if (good)
        *kernel = result;
    else
        test->report->kernels.count--;
    test->tested += good;
    return good;
}

static bool has_finding(const struct report_kernel *kernel, const struct finding *finding)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++) {
        const struct finding *other = &kernel->findings.data[i];
        if (other->kind == finding->kind && other->place.line == finding->place.line &&
            (other->array == finding->array || (other->array != NULL && finding->array != NULL && strcmp(other->array, finding->array) == 0)))
            return true;
    }
    return false;
}

/* The last kernel of the report is another launch of the one before it. */
static void join_launches(struct test *test)
{
    struct report_kernel *last = &test->report->kernels.data[--test->report->kernels.count], *first = last - 1;
    for (uint32_t i = 0; i < last->findings.count; i++)
        if (!has_finding(first, &last->findings.data[i]))
            *vec_push(test->cli->arena, &first->findings) = last->findings.data[i];
    if (first->stopped == NULL) {
        first->stopped = last->stopped;
        first->stopped_at = last->stopped_at;
    }
    first->results_compared += last->results_compared;
    first->warp_instructions += last->warp_instructions;
    first->launches++;
    first->launches_planned++;
    test->tested--;
}

/* A kernel without a contract: the launches of the file's head comment, under both schedules.  False when there are none. */
static bool test_comment(struct test *test, uint32_t function, bool *good)
{
    const struct launch_comment *comment = &test->job->comment;
    uint32_t tested = 0, before = test->report->kernels.count;
    for (uint32_t i = 0; i < comment->launches.count && comment->has_geometry; i++) {
        struct diagnostic_list ignored;
        diagnostic_list_init(&ignored, test->cli->arena);
        if (launch_find_kernel(test->cli->arena, test->job->module, &comment->launches.data[i], NULL, &ignored) != function)
            continue;
        for (int adversarial = 0; adversarial < 2; adversarial++, tested++) {
            *good &= test_launch(test, function, NULL, &comment->launches.data[i], adversarial != 0);
            if (test->report->kernels.count > before + 1)
                join_launches(test);
            else if (test->report->kernels.count == before + 1)
                test->report->kernels.data[before].launches = test->report->kernels.data[before].launches_planned = 1;
        }
    }
    return tested != 0;
}

/* An array without a length gets one that is large enough for most: what leaves it is not seen, and that is said. */
static void say_unjudged(struct test *test, const struct contract *contract, struct report_kernel *kernel)
{
    struct arena *arena = test->cli->arena;
    bool has_lengths = false;
    for (uint32_t r = 0; r < contract->relations.count; r++)
        has_lengths |= contract_mentions(contract, &contract->relations.data[r].left, CONTRACT_LENGTH) ||
                       contract_mentions(contract, &contract->relations.data[r].right, CONTRACT_LENGTH);
    for (uint32_t p = 0; p < contract->parameters.count && !has_lengths; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind == CONTRACT_POINTER && !contract_is_given(&parameter->extent))
            *vec_push(arena, &kernel->missed) = arena_printf(arena, "whether accesses stay inside `%s`, which has no LW_SHAPE", parameter->name);
    }
}

static bool test_kernel(struct test *test, uint32_t function, const struct contract *contract)
{
    struct cli *cli = test->cli;
    const struct launch *launch = whole_launch(test);
    const char *name = test->job->module->functions.data[function].name;
    struct reference_call call = {&test->references, references_find(cli, &test->references, name)};
    test->options.reference = call.index != UINT32_MAX ? references_call : NULL;
    test->options.reference_context = &call;
    test->options.reference_name =
        call.index != UINT32_MAX ? test->contracts.references.data[call.index].shown : NULL;
    if (launch != NULL)
        return test_launch(test, function, contract, launch, cli->options.schedule == 1);
    struct report_kernel *kernel = add_kernel(test, function);
    test->options.kernel_place = kernel->place;
    test->options.command = command_text(test, "test");
    test->options.run_command = command_text(test, test->options.device != NULL ? "test" : "run");
    test->options.given = cli->options.launch != NULL && test->job->comment.launches.count != 0
                              ? &test->job->comment.launches.data[0]
                              : NULL;
    test->options.data_count = 0;
    if (test->golden->arrays.count != 0 &&
        !golden_bind(cli, test->golden, contract, tail_find_uses(cli->arena, test->job->module, function, contract), kernel->place,
                     &test->options, test->diagnostics)) {
        test->report->kernels.count--;
        return false;
    }
    struct tail_plan *plan = tail_plan_make(cli->arena, test->job->module, function, contract, &test->options);
    if (plan == NULL) {
        test->report->kernels.count--;
        diagnostic_add(test->diagnostics, SEVERITY_ERROR, contract->place, "no launch of `%s` was found that its contract admits",
                       contract->kernel_shown);
        diagnostic_help(test->diagnostics, test->options.sizes != NULL || test->options.given != NULL
                                               ? "the numbers of the command line may be outside of it"
                                               : "give one: --launch 'kernel: NAME; grid: 1; block: 32; ...'");
        return false;
    }
    for (uint32_t i = 0; i < plan->missed.count; i++)
        *vec_push(cli->arena, &kernel->missed) = plan->missed.data[i];
    if (test->golden->arrays.count == 0) /* data have the length that they have */
        say_unjudged(test, contract, kernel);
    test->state->key = plan_key(test, name, contract, plan);
    tail_plan_run(plan, kernel);
    say_left_out(test, kernel);
    test->tested++;
    if (test->shows_progress)
        fputs("\r\033[K", stderr);
    return true;
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static bool read_contracts(struct test *test)
{
    struct cli *cli = test->cli;
    bool good = test->job->unit.is_ptx || source_read_contracts(cli->arena, &test->job->unit, &test->job->compile,
                                                                &test->contracts, test->diagnostics);
    for (uint32_t i = 0; i < cli->options.contracts.count; i++)
        good &= source_read_contract_header(cli->arena, cli->options.contracts.data[i], &test->job->compile, &test->contracts,
                                            test->diagnostics);
    return good;
}

static bool test_functions(struct test *test)
{
    const struct ptx_module *module = test->job->module;
    bool good = true;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        const struct contract *contract = NULL;
        if (!function->is_entry || !function->has_body || !kernel_filter_admits(test->cli, &test->filter, function->name))
            continue;
        if (whole_launch(test) != NULL && whole_launch(test)->kernel.text != NULL &&
            !ptx_name_matches(test->cli->arena, function->name,
                              arena_text(test->cli->arena, whole_launch(test)->kernel.text, whole_launch(test)->kernel.size)))
            continue;
        test->seen++;
        if (!source_match_contract(test->cli->arena, &test->contracts, module, f, &contract, test->diagnostics)) {
            good = false;
        } else if (contract == NULL || !contract->has_annotations) {
            if (test_comment(test, f, &good))
                continue;
            diagnostic_add(test->diagnostics, SEVERITY_WARNING, job_declaration(test->cli, test->job, f),
                           "`%s` has no contract: it is not tested", launch_short_name(test->cli->arena, function->name));
        } else {
            good &= test_kernel(test, f, contract);
        }
    }
    return good;
}

/* The device of --device or --against, with what runs there of this file.  False with a message or diagnostics: nothing is tested. */
static bool begin_device(struct test *test)
{
    static const char *const names[] = {NULL, "cuda", "cpu"};
    struct cli *cli = test->cli;
    const char *backend = names[cli->options.device != 0 ? cli->options.device : cli->options.against];
    if (backend == NULL)
        return true;
    if (cli->options.device != 0 && cli->options.against != 0) {
        cli_complain(cli, "--device judges what a device leaves, --against compares it with the emulator", "--device and --against are two ways to test");
        return false;
    }
    const struct device_module *module =
        cli->options.raw ? device_module_raw(cli, test->job) : device_module_checked(cli, test->job, test->diagnostics);
    if (module == NULL || !device_begin(cli, backend, module, 1, &test->device))
        return false;
    test->options.device = device_call;
    test->options.device_context = &test->device;
    test->options.device_name = backend;
    test->options.device_bytes = device_bytes();
    test->options.device_alone = cli->options.device != 0;
    test->options.left_out = device_left_out;
    return true;
}

static bool test_file(struct cli *cli, const char *path, const struct tail_options *options, struct test_state *state,
                      const struct golden *golden, struct report *report, struct diagnostic_list *diagnostics)
{
    struct job job;
    struct test test = {.cli = cli, .job = &job, .report = report, .diagnostics = diagnostics, .state = state, .golden = golden, .options = *options};
    test.options.context = &test;
    test.options.tell = tell;
    test.options.was_clean = was_clean;
    test.shows_progress = isatty(STDERR_FILENO) && !cli->options.quiet;
    if (!job_read(cli, path, cli->options.launch, &job, diagnostics))
        return false;
    if (!job_compile(cli, &job, diagnostics))
        return job.unit.timed_out; /* a limit, not a fault of the input */
    if (!read_contracts(&test) || !kernel_filter_begin(cli, &test.filter, diagnostics))
        return false;
    bool good = begin_device(&test) && references_begin(cli, &job, &test.contracts, &test.references, diagnostics) && test_functions(&test);
    device_end(&test.device);
    references_end(&test.references);
    kernel_filter_end(&test.filter);
    if (good && test.tested == 0) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = path},
                       test.seen == 0 && cli->options.kernel != NULL ? "no kernel matches `%s`"
                       : test.seen == 0                              ? "the file has no kernel"
                                                                     : "no kernel of this file has a contract",
                       cli->options.kernel);
        const char *why = test.seen == 0 && cli->options.kernel == NULL ? source_explain_no_kernel(&job.unit) : NULL;
        if (why != NULL)
            diagnostic_help(diagnostics, "%s", why);
        if (test.seen != 0)
            diagnostic_help(diagnostics, "write LW_SHAPE, LW_DOMAIN ... beside it (docs/contracts.md), or give --contract HEADER");
        good = false;
    }
    return good;
}

static int exit_status(const struct cli *cli, const struct report *report, bool input_good)
{
    uint64_t unfinished = report->stopped + cli->timed_out;
    for (uint32_t k = 0; k < report->kernels.count; k++)
        unfinished += report->kernels.data[k].launches_unfinished;
    if (!input_good)
        return EXIT_INPUT;
    if (report->errors != 0)
        return cli->options.exit_zero ? EXIT_CLEAN : (int)cli->options.error_exitcode;
    return unfinished != 0 ? EXIT_UNFINISHED : EXIT_CLEAN;
}

int test_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct diagnostic_list diagnostics;
    struct report report;
    struct test_state state;
    struct golden golden;
    struct tail_options tail = {
        .seed = options->seed,
        .launches = options->launches > UINT32_MAX ? UINT32_MAX : (uint32_t)options->launches,
        .jobs = options->jobs > 1024 ? 1024 : (uint32_t)options->jobs,
        .isa = options->isa,
        .max_steps = options->max_steps,
        .max_memory = options->max_memory,
    };
    bool good = true;
    if (options->operands.count == 0) {
        cli_complain(cli, "lanewise test FILE.cu", "no file to test");
        return EXIT_INPUT;
    }
    if (!output_check_formats(cli) || !parse_sizes(cli, &tail) || !parse_shard(cli, &tail) || !golden_begin(cli, &golden) || !state_begin(cli, &state))
        return EXIT_INPUT;
    diagnostic_list_init(&diagnostics, cli->arena);
    report_init(&report, cli->arena, "test");
    for (uint32_t i = 0; i < options->operands.count; i++)
        good &= test_file(cli, options->operands.data[i], &tail, &state, &golden, &report, &diagnostics);
    state_end(&state);
    cli_print_diagnostics(cli, &diagnostics);
    good &= output_write(cli, &report, &diagnostics);
    return exit_status(cli, &report, good);
}
