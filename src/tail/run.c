/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch: run with every check of the emulator, then judged by what its contract says of the results.
 */
#include "tail/private.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 1 << 22, CUT_STEPS = 1 << 14 }; /* of a block */
enum { FILL_INSTRUCTIONS = 1 << 15 };          /* small launches show a wrong fill as well as large ones */

struct finding *tail_add_finding(struct arena *arena, struct report_kernel *kernel, enum finding_kind kind, struct place place)
{
    struct finding *finding = vec_push(arena, &kernel->findings);
    *finding = (struct finding){
        .kind = kind,
        .severity = finding_info(kind)->severity,
        .status = STATUS_SEEN,
        .place = place.line != 0 ? place : kernel->place,
        .kernel = kernel->name,
        .kernel_shown = kernel->shown,
        .count = 1,
    };
    return finding;
}

/* "view.data" of a contract is "view_data" of a launch; a parameter without a name is called by its position. */
struct launch_buffer *tail_find_array(struct launch_run *run, struct arena *arena, const struct contract_parameter *parameter)
{
    if (parameter->name == NULL || parameter->name[0] == '\0')
        return launch_run_buffer(run, arena_printf(arena, "parameter%u", parameter->position));
    char *name = arena_string(arena, parameter->name);
    for (char *at = name; *at != '\0'; at++)
        if (*at == '.')
            *at = '_';
    return launch_run_buffer(run, name);
}

/* The numbers of a launch by the contract's parameters. */
static struct contract_values values_of(const struct tail_subject *subject, struct launch_run *run, const struct report_kernel *kernel)
{
    const struct contract *contract = subject->contract;
    struct contract_values values = witness_values_new(subject->arena, contract);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        struct launch_buffer *buffer = parameter->kind == CONTRACT_POINTER ? tail_find_array(run, subject->arena, parameter) : NULL;
        if (buffer != NULL)
            values.lengths[p] = (contract_integer)buffer->length;
        for (uint32_t s = 0; s < kernel->launch.scalars.count && parameter->name != NULL; s++) {
            const struct report_scalar *scalar = &kernel->launch.scalars.data[s];
            if (strcmp(scalar->name, parameter->name) == 0)
                values.scalars[p] = scalar->value[0] == '-' ? (contract_integer)strtoll(scalar->value, NULL, 10)
                                                            : (contract_integer)strtoull(scalar->value, NULL, 10);
        }
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        values.block[axis] = (contract_integer)kernel->launch.block[axis];
        values.grid[axis] = (contract_integer)kernel->launch.grid[axis];
    }
    values.has_grid = true;
    return values;
}

static bool has_errors(const struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (kernel->findings.data[i].severity == SEVERITY_ERROR)
            return true;
    return false;
}

bool tail_breaks_disjoint(const struct contract *contract, const struct finding *finding)
{
    if (contract == NULL || (finding->kind != FINDING_GLOBAL_RACE && finding->kind != FINDING_WARP_RACE) || finding->array == NULL)
        return false;
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].disjoint && contract->parameters.data[p].name != NULL &&
            strcmp(contract->parameters.data[p].name, finding->array) == 0)
            return true;
    return false;
}

static bool reductions_hold(const struct tail_subject *subject, struct launch_run *run)
{
    const char *ignored[2];
    for (uint32_t p = 0; p < subject->contract->parameters.count; p++)
        if (!tail_reduction_holds(subject->arena, run, subject->contract, p, &ignored[0], &ignored[1]))
            return false;
    return true;
}

static void check_reductions(const struct tail_subject *subject, struct launch_run *run, struct report_kernel *kernel)
{
    const struct contract *contract = subject->contract;
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        if (kernel->findings.data[i].kind == FINDING_WRONG_IDENTITY && kernel->findings.data[i].severity == SEVERITY_ERROR)
            return; /* that is why */
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const char *wanted, *got;
        if (tail_reduction_holds(subject->arena, run, contract, p, &wanted, &got))
            continue;
        const struct contract_parameter *array = &contract->parameters.data[p];
        struct finding *finding = tail_add_finding(subject->arena, kernel, FINDING_WRONG_RESULT, array->place);
        finding->message = arena_printf(subject->arena, "leaves %s as the reduction of `%s`, wanted %s", got,
                                        contract->parameters.data[array->reduces].name, wanted);
        finding->array = array->name;
    }
}

/* What the contract says of the results. */
static void judge_results(const struct tail_subject *subject, const struct launch *launch, const struct contract_values *values,
                          const struct tail_case *what, struct tail_writes *writes, struct launch_run *run,
                          struct report_kernel *kernel)
{
    const struct contract *contract = subject->contract;
    bool is_whole = launch->focus.count == 0;
    bool is_small = kernel->warp_instructions <= FILL_INSTRUCTIONS && !subject->options->device_alone; /* more launches in the emulator */
    if (contract != NULL) {
        struct contract_values own = values != NULL ? *values : values_of(subject, run, kernel);
        tail_find_missing(writes, run, &own, is_whole, kernel);
    }
    if (!is_whole)
        return;
    bool is_plain = what->contents != TAIL_TINY && what->contents != TAIL_EXTREME;
    if (is_small && (what->looks_at_fills || (contract != NULL && is_plain && !reductions_hold(subject, run))))
        tail_find_wrong_identities(subject->arena, subject->module, subject->function, launch, contract, run, kernel);
    if (contract == NULL || has_errors(kernel))
        return;
    /* Where the last bits are the whole number, or sums overflow, a host rounds otherwise than a device. */
    if (is_plain) {
        tail_compare_reference(subject, launch, run, kernel);
        check_reductions(subject, run, kernel);
    }
    if (is_small && !has_errors(kernel))
        tail_compare_blocks(subject, run, kernel);
}

bool tail_judge(const struct tail_subject *subject, const struct launch *launch, const struct contract_values *values,
                const struct tail_case *what, struct report_kernel *kernel, struct diagnostic_list *diagnostics)
{
    const struct tail_options *options = subject->options;
    struct launch_run_options run_options = {
        .emu = {.jobs = 1,
                .max_steps = options->max_steps != 0 ? options->max_steps : what->is_cut ? CUT_STEPS : STEPS,
                .max_memory = options->max_memory,
                .adversarial = what->is_adversarial,
                .isa = (unsigned)options->isa},
        .kernel_place = options->kernel_place,
        .contract = subject->contract,
    };
    memset(kernel, 0, sizeof *kernel);
    struct tail_writes *writes = tail_writes_begin(subject, &run_options);
    struct launch_run *run =
        launch_run_begin(subject->arena, subject->module, subject->function, launch, &run_options, kernel, diagnostics);
    if (run == NULL)
        return false;
    tail_writes_attach(writes, run);
    struct tail_elsewhere elsewhere;
    bool goes_elsewhere = tail_elsewhere_begin(&elsewhere, subject, run, kernel);
    if (options->device_alone) {
        bool fine = true;
        if (goes_elsewhere) {
            tail_elsewhere_run(&elsewhere);
            fine = !kernel->has_run || launch_run_compare(run);
        }
        if (fine && kernel->has_run && kernel->stopped == NULL && !has_errors(kernel) && !what->is_empty)
            judge_results(subject, launch, values, what, writes, run, kernel);
        launch_run_end(run);
        return fine;
    }
    bool good = launch_run_execute(run);
    /* What follows from an error is no news. */
    if (good && kernel->has_run && kernel->stopped == NULL && !has_errors(kernel) && !what->is_empty)
        judge_results(subject, launch, values, what, writes, run, kernel);
    if (goes_elsewhere && good && kernel->has_run && kernel->stopped == NULL && !has_errors(kernel))
        tail_elsewhere_compare(&elsewhere, what);
    launch_run_end(run);
    return good;
}
