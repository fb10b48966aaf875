/* SPDX-License-Identifier: Apache-2.0
 *
 * One compiled file, from its contracts to its kernels' proofs.
 *
 * A kernel's contract is, in this order: the launches of --launch; what the source or a header says of it; the launches of the file's
 * head comment; nothing.  Without any, shared, local and constant accesses are still proved.
 */
#include "cli/cli.h"

#include <string.h>

struct prover {
    struct cli *cli;
    struct job *job;
    struct report *report;
    struct diagnostic_list *diagnostics;
    prove_visit *visit;
    void *context;
    struct contract_list contracts;
    host_launches launches; /* in the host code of the file */
    struct kernel_filter filter;
    struct diagnostic_list assumption_errors; /* of the first kernel that lacks a name */
    bool *assumed;                            /* by --assume: some kernel has its names */
};

/* ---- contracts ---------------------------------------------------------------------------------------------- */

static void copy_diagnostics(const struct diagnostic_list *from, struct diagnostic_list *to)
{
    for (uint32_t i = 0; i < from->items.count; i++) {
        const struct diagnostic *diagnostic = &from->items.data[i];
        diagnostic_add(to, diagnostic->severity, diagnostic->place, "%s", diagnostic->message);
        if (diagnostic->help != NULL)
            diagnostic_help(to, "%s", diagnostic->help);
    }
}

bool job_read_contracts(struct cli *cli, const struct job *job, struct contract_list *contracts, struct diagnostic_list *diagnostics)
{
    const struct source_unit *unit = &job->unit;
    struct diagnostic_list own;
    bool good = true;
    diagnostic_list_init(&own, cli->arena);
    if (!unit->is_ptx && !source_read_contracts(cli->arena, unit, &job->compile, contracts, &own)) {
        /* What another compiler accepts need not be readable here; it matters only where there is a contract. */
        good = strstr(unit->text, "LW_") == NULL && job->compile.compiler != COMPILER_CLANG;
        own.items.count = good ? 0 : own.items.count;
    }
    copy_diagnostics(&own, diagnostics);
    for (uint32_t i = 0; i < cli->options.contracts.count; i++)
        good &= source_read_contract_header(cli->arena, cli->options.contracts.data[i], &job->compile, contracts, diagnostics);
    return good;
}

/* A copy of the contract with what --assume adds; relations with names that the kernel lacks are left out. */
static const struct contract *with_assumptions(struct prover *prover,
                                               const struct contract *contract,
                                               struct report_kernel *kernel)
{
    struct arena *arena = prover->cli->arena;
    const text_list *assumptions = &prover->cli->options.assumptions;
    if (contract == NULL || assumptions->count == 0)
        return contract;
    struct contract *copy = contract_copy(arena, contract);
    for (uint32_t i = 0; i < assumptions->count; i++) {
        const char *text = assumptions->data[i];
        struct diagnostic_list errors;
        struct contract_relation relation;
        struct place place = {.file =
                                  arena_printf(arena, i == 0 ? "--assume" : "--assume (%u)", i + 1),
                              .line = 1,
                              .column = 1};
        cli_add_source(prover->cli, place.file, text);
        diagnostic_list_init(&errors, arena);
        if (contract_parse_relation(copy, text, strlen(text), place, &relation, &errors)) {
            *vec_push(arena, &copy->relations) = relation;
            *vec_push(arena, &kernel->assumed) = relation.text;
            prover->assumed[i] = true;
        } else if (prover->assumption_errors.items.count == 0) {
            prover->assumption_errors = errors;
        }
    }
    return copy;
}

/* ---- remarks ---------------------------------------------------------------------------------------------------- */

/* Does the line call a get_or of lanewise/device.h? */
static bool has_get_or(void *context, struct place place)
{
    const struct prover *prover = context;
    const char *line = prover->job->unit.text;
    if (place.file == NULL || strcmp(place.file, prover->job->unit.path) != 0)
        return false;
    for (uint32_t number = 1; number < place.line && line != NULL; number++) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    const char *found = line == NULL ? NULL : strstr(line, "get_or_");
    return found != NULL && (size_t)(found - line) < strcspn(line, "\n");
}

static void add_remarks(struct prover *prover, const struct check_result *result)
{
    for (uint32_t i = 0; i < result->needless.count; i++) {
        if (!result->needless.data[i].holds)
            continue;
        diagnostic_add(prover->diagnostics, SEVERITY_NOTE, result->needless.data[i].place,
                       "the index is always inside: each trip of this loop tests it for nothing");
        diagnostic_help(prover->diagnostics, "LW_AT, or LW_EACH over a part, a strip or a pair, needs no test (docs/device.md)");
    }
}

/* ---- one proof ------------------------------------------------------------------------------------------------ */

static const char *shell_word(struct arena *arena, const char *word)
{
    struct buffer text;
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%";
    if (word[0] != '\0' && word[strspn(word, safe)] == '\0')
        return word;
    buffer_init(&text, arena);
    buffer_putc(&text, '\'');
    for (; *word != '\0'; word++)
        if (*word == '\'')
            buffer_puts(&text, "'\\''");
        else
            buffer_putc(&text, *word);
    buffer_putc(&text, '\'');
    return text.data;
}

/* The command that runs a launch of this file, compiled as it is now. */
static const char *run_command_text(struct prover *prover, const struct launch *launch,
                                    const char *entry)
{
    const struct cli_options *options = &prover->cli->options;
    struct arena *arena = prover->cli->arena;
    struct buffer text;
    buffer_init(&text, arena);
    buffer_printf(&text, "lanewise run %s", shell_word(arena, prover->job->unit.path));
    if (!prover->job->unit.is_ptx) {
        if (options->compiler == COMPILER_NVCC)
            buffer_puts(&text, " --compiler nvcc");
        if (options->level != NULL)
            buffer_printf(&text, " -O %s", options->level);
        if (options->debug)
            buffer_puts(&text, " -g");
        if (options->cflags != NULL)
            buffer_printf(&text, " --cflags %s", shell_word(arena, options->cflags));
    }
    if (launch != NULL && options->launch != NULL)
        buffer_printf(&text, " --launch %s", shell_word(arena, options->launch));
    if (launch != NULL && prover->job->comment.launches.count > 1)
        buffer_printf(&text, " --kernel %s", shell_word(arena, arena_printf(arena, "^%s$", entry)));
    return text.data;
}

static void copy_sites(struct arena *arena, const struct check_result *result,
                       struct report_kernel *kernel)
{
    static const uint8_t verdicts[] = {
        [CHECK_UNREACHABLE] = SITE_UNREACHABLE,   [CHECK_PROVED] = SITE_PROVED,
        [CHECK_NOT_ANALYSED] = SITE_NOT_ANALYSED, [CHECK_UNPROVED] = SITE_UNPROVED,
        [CHECK_VIOLATED] = SITE_VIOLATED,
    };
    for (uint32_t i = 0; i < result->sites.count; i++) {
        const struct check_site *site = &result->sites.data[i];
        *vec_push(arena, &kernel->sites) = (struct report_site){
            .kind = site->kind,
            .verdict = (enum site_verdict)verdicts[site->verdict],
            .place = site->place,
            .ptx_line = site->ptx_line,
            .array = site->array,
            .copies = site->copies,
            .is_read = site->is_read,
            .is_write = site->is_write,
            .reason = site->reason,
            .proof = site->proof,
            .condition = site->condition,
            .suggestion = site->suggestion,
        };
    }
    for (uint32_t i = 0; i < result->assumptions.count; i++)
        *vec_push(arena, &kernel->assumptions) = result->assumptions.data[i];
}

static uint32_t launched_kernel(struct prover *prover, const struct launch *launch,
                                struct diagnostic_list *diagnostics);

/* ---- suggestions ------------------------------------------------------------------------------------------------- */

/* The block that every launch of the file's comment has; false if there is none, or several. */
static bool launched_block(struct prover *prover, uint32_t function, uint64_t block[3])
{
    bool found = false;
    for (uint32_t i = 0; i < prover->job->comment.launches.count; i++) {
        const struct launch *launch = &prover->job->comment.launches.data[i];
        struct diagnostic_list ignored;
        diagnostic_list_init(&ignored, prover->cli->arena);
        if (launched_kernel(prover, launch, &ignored) != function)
            continue;
        const struct contract *contract =
            launch_contract(prover->cli->arena, prover->job->module, function, launch, &ignored);
        for (int axis = 0; axis < 3 && contract != NULL; axis++) {
            contract_integer size = 1;
            if (contract_is_given(&contract->block[axis]))
                contract_constant_value(contract, &contract->block[axis], &size);
            if (found && block[axis] != (uint64_t)size)
                return false;
            block[axis] = (uint64_t)size;
        }
        found |= contract != NULL;
    }
    return found;
}

/* The contract with what is suggested. */
static const struct contract *suggest(struct prover *prover, uint32_t function,
                                      const struct contract *contract, struct report_kernel *kernel)
{
    struct arena *arena = prover->cli->arena;
    uint64_t block[3] = {0};
    bool has_block = prover->job->comment.has_geometry && launched_block(prover, function, block);
    const struct check_suggestion *suggestion =
        check_suggest(arena, prover->job->module, function, contract, has_block ? block : NULL,
                      prover->diagnostics);
    kernel->suggested = suggestion->text;
    for (uint32_t i = 0; i < suggestion->arrays.count; i++) {
        const struct check_extent *extent = &suggestion->arrays.data[i];
        *vec_push(arena, &kernel->extents) = (struct report_extent){
            .array = contract->parameters.data[extent->parameter].name,
            .extent = extent->extent,
            .is_new = extent->is_new,
            .sites = extent->sites,
            .proved = extent->proved,
            .reason = extent->reason,
        };
    }
    return suggestion->contract;
}

static void complain_contradiction(struct prover *prover, const struct contract *contract)
{
    struct buffer names;
    buffer_init(&names, prover->cli->arena);
    for (uint32_t r = 0; r < contract->relations.count && r < 12; r++)
        buffer_printf(&names, "%s`%s`", r == 0 ? "" : ", ", contract->relations.data[r].text);
    diagnostic_add(prover->diagnostics, SEVERITY_ERROR, contract->place,
                   "no launch satisfies the contract of `%s`", contract->kernel_shown);
    diagnostic_help(prover->diagnostics,
                    names.size != 0 ? "%s cannot hold together with its shapes and its geometry"
                                    : "its shapes and its geometry contradict each other%s",
                    names.size != 0 ? names.data : "");
}

static bool prove(struct prover *prover, uint32_t function, const struct contract *contract,
                  const struct launch *launch)
{
    struct cli *cli = prover->cli;
    const struct ptx_module *module = prover->job->module;
    struct report_kernel *kernel = report_add_kernel(prover->report);
    bool has_contract = launch != NULL || (contract != NULL && contract->has_annotations);
    kernel->name = module->functions.data[function].name;
    kernel->shown = launch_short_name(cli->arena, kernel->name);
    kernel->place = job_declaration(cli, prover->job, function);
    if (launch != NULL) {
        uint32_t errors = prover->diagnostics->errors;
        if (!launch_check(cli->arena, module, function, launch, kernel->place, kernel,
                          prover->diagnostics)) {
            if (prover->diagnostics->errors != errors) {
                prover->report->kernels.count--; /* nothing is known about it */
                return false;
            }
            if (prover->visit != NULL)
                prover->visit(prover->context, NULL, launch, function, kernel);
            return true;
        }
        kernel->findings.count = 0; /* a remark about idle lanes is for `run` */
        contract = launch_contract(cli->arena, module, function, launch, prover->diagnostics);
        if (contract == NULL) {
            prover->report->kernels.count--;
            return false;
        }
    }
    contract = with_assumptions(prover, contract, kernel);
    has_contract |= kernel->assumed.count != 0;
    bool suggests = cli->options.suggest && launch == NULL && contract != NULL;
    if (suggests)
        contract = suggest(prover, function, contract, kernel);
    struct check_options options = {.explain = cli->options.explain_proof,
                                    .instructions = cli->command == COMMAND_BUILD,
                                    .conditions = (prover->visit == NULL || cli->command == COMMAND_BUILD) && !suggests,
                                    .bounds_only = suggests,
                                    .asks_test = cli->command == COMMAND_CHECK ? has_get_or : NULL,
                                    .test_context = prover};
    struct check_result *result =
        check_kernel(cli->arena, module, function, contract, &options, prover->diagnostics);
    result->launch = launch;
    result->run_command = run_command_text(prover, launch, kernel->name);
    if (has_contract && !suggests)
        check_confirm(cli->arena, result, kernel);
    if (launch == NULL && !suggests && !result->contract_contradicts)
        check_geometry(cli->arena, module, function, contract, &prover->launches, kernel);
    check_summarise(result, kernel);
    if (result->contract_contradicts) { /* proved of no launch at all is no proof */
        result->not_analysed = "nothing proved, no launch satisfies its contract";
        kernel->bounds = VERDICT_NONE;
    }
    copy_sites(cli->arena, result, kernel);
    kernel->has_proof = true;
    kernel->has_contract = has_contract;
    kernel->not_analysed = result->not_analysed;
    kernel->admitted = launch == NULL ? result->admitted : NULL;
    kernel->proof_seconds = result->seconds;
    kernel->queries = result->queries;
    kernel->solver_calls = result->solver_calls;
    if (prover->visit != NULL)
        prover->visit(prover->context, result, launch, function, kernel);
    add_remarks(prover, result);
    if (result->contract_contradicts)
        complain_contradiction(prover, contract);
    for (uint32_t i = 0; i < result->unsound.count; i++)
        diagnostic_add(prover->diagnostics, SEVERITY_ERROR, kernel->place, "internal: `%s`: %s",
                       kernel->shown, result->unsound.data[i]);
    return !result->contract_contradicts && result->unsound.count == 0;
}

/* ---- which kernels ----------------------------------------------------------------------------------------------- */

static uint32_t launched_kernel(struct prover *prover, const struct launch *launch,
                                struct diagnostic_list *diagnostics)
{
    const char *wanted = launch->kernel.text == NULL && prover->filter.active
                             ? kernel_filter_only(prover->cli, &prover->filter, prover->job->module)
                             : NULL;
    return launch_find_kernel(prover->cli->arena, prover->job->module, launch, wanted, diagnostics);
}

static bool prove_launches(struct prover *prover, uint32_t function, uint32_t *count)
{
    bool good = true;
    for (uint32_t i = 0; i < prover->job->comment.launches.count; i++) {
        const struct launch *launch = &prover->job->comment.launches.data[i];
        struct diagnostic_list ignored; /* said once, by check_launches */
        diagnostic_list_init(&ignored, prover->cli->arena);
        if (launched_kernel(prover, launch, &ignored) != function)
            continue;
        ++*count;
        good &= prove(prover, function, NULL, launch);
    }
    return good;
}

/* Every launch must be of some kernel, also of one that is not looked at. */
static bool check_launches(struct prover *prover)
{
    bool good = true;
    for (uint32_t i = 0; i < prover->job->comment.launches.count; i++)
        good &= launched_kernel(prover, &prover->job->comment.launches.data[i],
                                prover->diagnostics) != PTX_NONE;
    return good;
}

static bool prove_function(struct prover *prover, uint32_t function)
{
    const struct contract *contract = NULL;
    bool has_launches = prover->job->comment.has_geometry && prover->cli->command != COMMAND_BUILD;
    bool good = true;
    uint32_t launches = 0;
    if (!source_match_contract(prover->cli->arena, &prover->contracts, prover->job->module,
                               function, &contract, prover->diagnostics))
        return false;
    bool says_something = contract != NULL && contract->has_annotations;
    if (has_launches && !(prover->cli->options.suggest && contract != NULL) &&
        (!says_something || prover->cli->options.launch != NULL))
        good = prove_launches(prover, function, &launches);
    if (launches == 0)
        good &= prove(prover, function, contract, NULL);
    return good;
}

static void complain_no_match(struct prover *prover)
{
    const struct ptx_module *module = prover->job->module;
    struct place place = {.file = prover->job->unit.path};
    struct buffer names;
    uint32_t count = 0;
    buffer_init(&names, prover->cli->arena);
    for (uint32_t f = 0; f < module->functions.count; f++)
        if (module->functions.data[f].is_entry && module->functions.data[f].has_body &&
            count++ < 10)
            buffer_printf(&names, "%s`%s`", count == 1 ? "" : ", ",
                          launch_short_name(prover->cli->arena, module->functions.data[f].name));
    if (count == 0) {
        diagnostic_add(prover->diagnostics, SEVERITY_ERROR, place, "the file has no kernel");
        const char *why = source_explain_no_kernel(&prover->job->unit);
        if (why != NULL)
            diagnostic_help(prover->diagnostics, "%s", why);
        return;
    }
    diagnostic_add(prover->diagnostics, SEVERITY_ERROR, place, "no kernel matches `%s`",
                   prover->cli->options.kernel);
    diagnostic_help(prover->diagnostics, "the file has %s%s", names.data,
                    count > 10 ? " and more" : "");
}

/* --assume with names that no kernel has, or that cannot be read at all. */
static bool check_assumptions(struct prover *prover)
{
    const text_list *assumptions = &prover->cli->options.assumptions;
    for (uint32_t i = 0; i < assumptions->count; i++) {
        if (prover->assumed[i])
            continue;
        if (prover->assumption_errors.items.count != 0) {
            copy_diagnostics(&prover->assumption_errors, prover->diagnostics);
        } else {
            diagnostic_add(prover->diagnostics, SEVERITY_ERROR,
                           (struct place){.file = prover->job->unit.path},
                           "`%s` cannot be assumed: the names of the parameters are not known",
                           assumptions->data[i]);
            diagnostic_help(prover->diagnostics,
                            "name them in a header of prototypes: --contract HEADER");
        }
        return false;
    }
    return true;
}

bool prove_job(struct cli *cli, struct job *job, struct report *report, prove_visit *visit,
               void *context, struct diagnostic_list *diagnostics)
{
    struct prover prover = {.cli = cli,
                            .job = job,
                            .report = report,
                            .diagnostics = diagnostics,
                            .visit = visit,
                            .context = context};
    bool good = true;
    uint32_t matched = 0;
    prover.assumed = ARENA_ARRAY(cli->arena, bool, cli->options.assumptions.count + 1);
    if (!job_read_contracts(cli, job, &prover.contracts, diagnostics) || !kernel_filter_begin(cli, &prover.filter, diagnostics))
        return false;
    source_read_launches(cli->arena, &job->unit, &job->compile, &prover.launches);
    if (job->comment.has_geometry)
        good = check_launches(&prover);
    for (uint32_t f = 0; f < job->module->functions.count && good; f++) {
        const struct ptx_function *function = &job->module->functions.data[f];
        if (!function->is_entry || !function->has_body ||
            !kernel_filter_admits(cli, &prover.filter, function->name))
            continue;
        matched++;
        good &= prove_function(&prover, f);
    }
    if (good && matched == 0) {
        complain_no_match(&prover);
        good = false;
    }
    if (good)
        good = check_assumptions(&prover);
    kernel_filter_end(&prover.filter);
    return good;
}
