/* SPDX-License-Identifier: Apache-2.0
 *
 * LW501, LW502, LW503 without a run: the block of the contract, and the launches in the host code of the same file.
 *
 * Requires: launches as source_read_launches gives them.  Gives: findings, each with numbers for which the launch is wrong.  What is constant is
 * wrong in every run: an error.  Variables get the numbers that the contract admits for the parameters that they are passed to; what is wrong with
 * those is an error where elements of the domain are left out, and else a warning: callers may know better than the contract.
 * Gives up on: numbers that are not read, not passed on, or made by other functions, guards that are not understood, launches that break the contract otherwise.
 */
#include "check/geometry.h"

#include "witness/witness.h"

#include <string.h>

enum { POINTS = 400 };

static const char axis_names[] = "xyz";

struct geometry {
    struct arena *arena;
    const struct ptx_function *function;
    const struct contract *contract; /* NULL: none that says anything */
    const struct host_launch *launch;
    struct report_kernel *kernel;
    struct geometry_number *numbers; /* by node */
    contract_integer *variables;
    bool *is_bound;
    bool is_admitted; /* variables have numbers of an admitted launch: `values` */
    const struct contract_values *values;
    uint32_t said;    /* kinds of findings that this launch has already */
};

/* ---- findings ------------------------------------------------------------------------------------------------- */

static struct finding *add_finding(struct report_kernel *kernel, struct arena *arena, enum finding_kind kind, struct place place)
{
    struct finding *finding = vec_push(arena, &kernel->findings);
    memset(finding, 0, sizeof *finding);
    finding->kind = kind;
    finding->severity = finding_info(kind)->severity;
    finding->status = STATUS_VIOLATED;
    finding->place = place;
    finding->kernel = kernel->name;
    finding->kernel_shown = kernel->shown;
    finding->count = 1;
    return finding;
}

/* " when n is 0 and m is 5", or nothing. */
static const char *when(const struct geometry *geometry)
{
    struct buffer text;
    char digits[48];
    unsigned count = 0;
    buffer_init(&text, geometry->arena);
    buffer_puts(&text, "");
    for (uint32_t v = 0; geometry->is_admitted && v < geometry->launch->variables.count; v++)
        if (geometry->is_bound[v])
            buffer_printf(&text, "%s`%s` is %s", count++ == 0 ? " when " : " and ", geometry->launch->variables.data[v],
                          contract_format(geometry->variables[v], digits));
    return text.data;
}

/* NULL when this launch has one of the kind. */
static struct finding *find(struct geometry *geometry, enum finding_kind kind, bool is_certain, const char *message, const char *label,
                            const char *help)
{
    uint32_t bit = 1u << (kind - FINDING_BLOCK_NOT_MULTIPLE);
    if ((geometry->said & bit) != 0)
        return NULL;
    geometry->said |= bit;
    struct finding *finding = add_finding(geometry->kernel, geometry->arena, kind, geometry->launch->place);
    if (geometry->is_admitted && !is_certain)
        finding->severity = SEVERITY_WARNING;
    finding->message = arena_printf(geometry->arena, "%s%s", message, when(geometry));
    finding->label = label;
    finding->help = help;
    return finding;
}

static const char *idle_message(struct arena *arena, const char *start, contract_integer threads)
{
    unsigned idle = (unsigned)((32 - threads % 32) % 32);
    return arena_printf(arena, "%s of %llu threads: %u lane%s of each stay%s idle", start, (unsigned long long)threads, idle,
                        idle == 1 ? "" : "s", idle == 1 ? "s" : "");
}

/* ---- one launch with numbers -------------------------------------------------------------------------------------- */

/* A size as the device sees it; false if it is not known. */
static bool size_of(const struct geometry *geometry, uint32_t node, contract_integer *size)
{
    if (node == HOST_NONE || geometry->numbers[node].state != GEOMETRY_KNOWN)
        return false;
    *size = geometry->numbers[node].value;
    return true;
}

static const char *const ceiling_help = "write the ceiling as `n / block + (n % block != 0)`, which cannot wrap";

/* An operation on ints left its range: C++ gives such a launch no meaning at all. */
static void judge_overflow(struct geometry *geometry, const uint32_t sizes[3], const char *what)
{
    for (unsigned axis = 0; axis < 3; axis++)
        if (sizes[axis] != HOST_NONE && geometry->numbers[sizes[axis]].state == GEOMETRY_KNOWN && geometry->numbers[sizes[axis]].overflowed) {
            char digits[48];
            find(geometry, FINDING_GRID_OVERFLOW, false,
                 arena_printf(geometry->arena, "is launched with a %s that overflows: its %c comes out as %s", what, axis_names[axis],
                              contract_format(geometry->numbers[sizes[axis]].value, digits)),
                 "a signed operation leaves its type", ceiling_help);
        }
}

static void judge_limits(struct geometry *geometry, const uint32_t sizes[3], const contract_integer limits[3], bool is_grid)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer size;
        char given[28], limit[28];
        if (!size_of(geometry, sizes[axis], &size) || size <= limits[axis])
            continue;
        bool was_negative = is_grid && size > INT32_MAX;
        find(geometry, FINDING_GRID_OVERFLOW, false,
             is_grid ? arena_printf(geometry->arena, "is launched with %s blocks on %c, beyond the device limit",
                                    text_group_digits((uint64_t)size, given), axis_names[axis])
                     : arena_printf(geometry->arena, "is launched with blocks of %s threads on %c, beyond the device limit",
                                    text_group_digits((uint64_t)size, given), axis_names[axis]),
             arena_printf(geometry->arena, "at most %s", text_group_digits((uint64_t)limits[axis], limit)),
             was_negative ? arena_printf(geometry->arena, "as a 32-bit int this is %d", (int)(uint32_t)size) : NULL);
    }
}

static contract_integer product(const uint32_t sizes[3])
{
    contract_integer all = 1;
    for (unsigned axis = 0; axis < 3; axis++)
        all *= sizes[axis] == 0 ? 1 : sizes[axis];
    return all;
}

static void judge_threads(struct geometry *geometry)
{
    contract_integer threads = 1, size;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (!size_of(geometry, geometry->launch->block[axis], &size))
            return;
        threads *= size;
    }
    const struct ptx_function *function = geometry->function;
    contract_integer bound = product(function->max_threads), required = product(function->required_threads);
    const char *start = arena_printf(geometry->arena, "is launched with blocks of %llu threads", (unsigned long long)threads);
    if (threads > CONTRACT_LIMIT_BLOCK_THREADS)
        find(geometry, FINDING_GRID_OVERFLOW, false, arena_printf(geometry->arena, "%s, beyond the device limit", start), "at most 1024", NULL);
    else if (function->max_threads[0] != 0 && threads > bound)
        find(geometry, FINDING_GRID_OVERFLOW, false, arena_printf(geometry->arena, "%s, more than its launch bounds allow", start),
             arena_printf(geometry->arena, "compiled for at most %llu", (unsigned long long)bound), NULL);
    else if (function->required_threads[0] != 0 && threads != required)
        find(geometry, FINDING_GRID_OVERFLOW, false, arena_printf(geometry->arena, "%s, but requires another size", start),
             arena_printf(geometry->arena, "compiled for blocks of %llu threads", (unsigned long long)required), NULL);
    else if (!geometry->is_admitted && threads % 32 != 0 && (geometry->contract == NULL || !contract_is_given(&geometry->contract->block[0])))
        find(geometry, FINDING_BLOCK_NOT_MULTIPLE, true, idle_message(geometry->arena, "is launched with blocks", threads), NULL, NULL);
}

/* Elements on an axis that the contract wants threads for; false if it does not say. */
static bool domain_of(const struct geometry *geometry, unsigned axis, contract_integer *elements)
{
    *elements = 1;
    if (!geometry->is_admitted || !contract_is_given(&geometry->contract->domain[0]))
        return false;
    return !contract_is_given(&geometry->contract->domain[axis]) ||
           contract_evaluate_expression(geometry->contract, &geometry->contract->domain[axis], geometry->values, elements) == CONTRACT_FINE;
}

static bool has_work(const struct geometry *geometry)
{
    contract_integer elements;
    for (unsigned axis = 0; axis < 3; axis++)
        if (!domain_of(geometry, axis, &elements) || elements <= 0)
            return false;
    return true;
}

static void judge_zero(struct geometry *geometry, const uint32_t sizes[3], const char *what)
{
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer size;
        if (!size_of(geometry, sizes[axis], &size) || size != 0)
            continue;
        bool wrapped = geometry->numbers[sizes[axis]].wrapped;
        find(geometry, wrapped ? FINDING_GRID_OVERFLOW : FINDING_ZERO_LAUNCH, !wrapped && has_work(geometry),
             arena_printf(geometry->arena, "is launched with a %s of 0 on %c: no thread runs", what, axis_names[axis]),
             wrapped ? "an unsigned operation wraps" : "the launch fails with an invalid configuration",
             wrapped ? ceiling_help : "when there is nothing to do, skip the launch or start one block that finds nothing");
    }
}

static void judge_domain(struct geometry *geometry)
{
    for (unsigned axis = 0; axis < 3 && has_work(geometry); axis++) {
        contract_integer blocks, threads, elements;
        char digits[3][48];
        uint32_t node = geometry->launch->grid[axis];
        if (!domain_of(geometry, axis, &elements) || !size_of(geometry, node, &blocks) ||
            !size_of(geometry, geometry->launch->block[axis], &threads) || blocks == 0 || threads == 0 || blocks * threads >= elements)
            continue;
        bool wrapped = geometry->numbers[node].wrapped;
        find(geometry, wrapped ? FINDING_GRID_OVERFLOW : FINDING_ZERO_LAUNCH, !wrapped,
             arena_printf(geometry->arena, "is launched with %s block%s of %s threads on %c, too few for the %s elements of its domain",
                          contract_format(blocks, digits[0]), blocks == 1 ? "" : "s", contract_format(threads, digits[1]), axis_names[axis],
                          contract_format(elements, digits[2])),
             wrapped ? "an unsigned operation wraps" : "the last elements have no thread",
             wrapped ? ceiling_help : "round up: `n / block + (n % block != 0)` blocks");
    }
}

static void judge(struct geometry *geometry)
{
    static const contract_integer grid_limits[] = {CONTRACT_LIMIT_GRID_X, CONTRACT_LIMIT_GRID_YZ, CONTRACT_LIMIT_GRID_YZ},
                                  block_limits[] = {CONTRACT_LIMIT_BLOCK_X, CONTRACT_LIMIT_BLOCK_Y, CONTRACT_LIMIT_BLOCK_Z};
    const struct host_launch *launch = geometry->launch;
    judge_overflow(geometry, launch->grid, "grid");
    judge_overflow(geometry, launch->block, "block");
    judge_zero(geometry, launch->grid, "grid");
    judge_zero(geometry, launch->block, "block");
    judge_limits(geometry, launch->grid, grid_limits, true);
    judge_limits(geometry, launch->block, block_limits, false);
    judge_threads(geometry);
    judge_domain(geometry);
}

/* ---- launches that the contract admits -------------------------------------------------------------------------------- */

/* The parameter of the contract that argument `a` is as a whole; CONTRACT_NONE. */
static uint32_t parameter_of(const struct contract *contract, uint32_t a)
{
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].position == a)
            return contract->parameters.data[p].kind == CONTRACT_INTEGER && strchr(contract->parameters.data[p].name, '.') == NULL
                       ? p
                       : CONTRACT_NONE;
    return CONTRACT_NONE;
}

/* The contract, with what the launch fixes by constants. */
static struct contract *narrowed(struct geometry *geometry)
{
    const struct host_launch *launch = geometry->launch;
    struct contract *contract = contract_copy(geometry->arena, geometry->contract);
    struct diagnostic_list ignored;
    char digits[48];
    diagnostic_list_init(&ignored, geometry->arena);
    for (uint32_t a = 0; a < launch->arguments.count + 3; a++) {
        bool is_axis = a >= launch->arguments.count;
        uint32_t node = is_axis ? launch->block[a - launch->arguments.count] : launch->arguments.data[a];
        uint32_t parameter = is_axis ? CONTRACT_NONE : parameter_of(contract, a);
        contract_integer value;
        struct contract_relation relation;
        if (!size_of(geometry, node, &value) || (!is_axis && parameter == CONTRACT_NONE))
            continue;
        const char *text = is_axis ? arena_printf(geometry->arena, "block.%c == %s", axis_names[a - launch->arguments.count],
                                                  contract_format(value, digits))
                                   : arena_printf(geometry->arena, "%s == %s", contract->parameters.data[parameter].name,
                                                  contract_format(value, digits));
        if (contract_parse_relation(contract, text, strlen(text), launch->place, &relation, &ignored))
            *vec_push(geometry->arena, &contract->relations) = relation;
    }
    return contract;
}

/* Variables get the numbers of the parameters that they are passed to; false if that does not come out right. */
static bool bind(struct geometry *geometry)
{
    const struct host_launch *launch = geometry->launch;
    memset(geometry->is_bound, 0, launch->variables.count * sizeof *geometry->is_bound);
    for (uint32_t a = 0; a < launch->arguments.count; a++) {
        uint32_t node = launch->arguments.data[a], parameter = parameter_of(geometry->contract, a);
        while (node != HOST_NONE && launch->nodes.data[node].kind == HOST_CAST)
            node = launch->nodes.data[node].operands[0];
        if (node == HOST_NONE || parameter == CONTRACT_NONE || launch->nodes.data[node].kind != HOST_VARIABLE)
            continue;
        uint32_t variable = launch->nodes.data[node].operands[0];
        geometry->variables[variable] = geometry->values->scalars[parameter];
        geometry->is_bound[variable] = !launch->derived.data[variable]; /* what it is made of may say more than the contract */
    }
    geometry_evaluate(launch, geometry->variables, geometry->is_bound, geometry->numbers);
    for (uint32_t a = 0; a < launch->arguments.count; a++) {
        uint32_t node = launch->arguments.data[a], parameter = parameter_of(geometry->contract, a);
        if (node != HOST_NONE && parameter != CONTRACT_NONE && geometry->numbers[node].state == GEOMETRY_KNOWN &&
            (geometry->numbers[node].value != geometry->values->scalars[parameter] || geometry->numbers[node].overflowed))
            return false;
    }
    for (uint32_t n = 0; n < launch->nodes.count; n++)
        if (launch->nodes.data[n].kind == HOST_VARIABLE && geometry->is_bound[launch->nodes.data[n].operands[0]] &&
            geometry->numbers[n].value != geometry->variables[launch->nodes.data[n].operands[0]])
            return false;
    return true;
}

/* 1: all guards let it through, 0: one does not, -1: that is not known. */
static int passes_guards(const struct geometry *geometry)
{
    int passes = geometry->launch->is_guarded ? -1 : 1;
    for (uint32_t g = 0; g < geometry->launch->guards.count; g++) {
        const struct host_guard *guard = &geometry->launch->guards.data[g];
        const struct geometry_number *number = &geometry->numbers[guard->condition];
        if (number->state == GEOMETRY_KNOWN && !number->overflowed && (number->value != 0) != guard->wanted)
            return 0;
        if (number->state == GEOMETRY_TIED || number->overflowed)
            passes = -1;
    }
    return passes;
}

/* Does the launch as it is written obey what the contract says of block and grid?  What is not known does. */
static bool obeys(const struct geometry *geometry, struct contract_values *values)
{
    const struct contract *contract = geometry->contract;
    struct contract_values wanted = *values;
    contract_integer size;
    bool has_block = contract_block(contract, &wanted);
    for (unsigned axis = 0; axis < 3; axis++) {
        if (size_of(geometry, geometry->launch->block[axis], &size)) {
            if (has_block && size != wanted.block[axis])
                return false;
            values->block[axis] = size;
        }
        if (size_of(geometry, geometry->launch->grid[axis], &size))
            values->grid[axis] = size;
    }
    values->has_grid = true;
    for (uint32_t r = 0; r < contract->relations.count; r++)
        if (!contract_relation_holds(contract, &contract->relations.data[r], values))
            return false;
    return true;
}

static void try_points(struct geometry *geometry, const struct ptx_module *module, uint32_t function)
{
    struct witness_space space;
    struct witness_walk walk;
    struct contract *contract = narrowed(geometry);
    struct contract_values values = witness_values_new(geometry->arena, contract);
    geometry->contract = contract;
    geometry->values = &values;
    if (!witness_space_begin(&space, geometry->arena, module, function, contract))
        return;
    space.admits_empty = true;
    contract_integer *point = ARENA_ARRAY(geometry->arena, contract_integer, space.axes.count + 1);
    witness_walk_begin(&walk, geometry->arena, &space);
    for (unsigned tried = 0; tried < POINTS && witness_walk_next(&walk, point, &values); tried++) {
        struct contract_values admitted = values;
        geometry->is_admitted = true;
        if (bind(geometry) && passes_guards(geometry) == 1 && obeys(geometry, &admitted))
            judge(geometry);
    }
}

static void check_launch(struct geometry *geometry, const struct ptx_module *module, uint32_t function)
{
    const struct host_launch *launch = geometry->launch;
    geometry->numbers = ARENA_ARRAY(geometry->arena, struct geometry_number, launch->nodes.count + 1);
    geometry->variables = ARENA_ARRAY(geometry->arena, contract_integer, launch->variables.count + 1);
    geometry->is_bound = ARENA_ARRAY(geometry->arena, bool, launch->variables.count + 1);
    geometry_evaluate(launch, geometry->variables, geometry->is_bound, geometry->numbers);
    if (passes_guards(geometry) == 0)
        return;
    judge(geometry);
    if (geometry->contract != NULL && !launch->is_guarded)
        try_points(geometry, module, function);
}

/* ---- entry ------------------------------------------------------------------------------------------------------------ */

/* The block that the contract fixes, when it does so by constants. */
static void check_block(struct arena *arena, const struct contract *contract, struct report_kernel *kernel)
{
    contract_integer threads = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer size = 1;
        if (contract_is_given(&contract->block[axis]) && !contract_constant_value(contract, &contract->block[axis], &size))
            return;
        threads *= size;
    }
    if (!contract_is_given(&contract->block[0]) || threads <= 0 || threads % 32 == 0)
        return;
    struct finding *finding = add_finding(kernel, arena, FINDING_BLOCK_NOT_MULTIPLE, kernel->place);
    finding->message = idle_message(arena, "has blocks", threads);
}

void check_geometry(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct contract *contract,
                    const host_launches *launches, struct report_kernel *kernel)
{
    bool says = contract != NULL && contract->has_annotations && !contract->is_launch;
    if (says)
        check_block(arena, contract, kernel);
    for (uint32_t i = 0; i < launches->count; i++) {
        if (strcmp(launches->data[i].kernel, module->functions.data[function].name) != 0)
            continue;
        struct geometry geometry = {.arena = arena,
                                    .function = &module->functions.data[function],
                                    .contract = says ? contract : NULL,
                                    .launch = &launches->data[i],
                                    .kernel = kernel};
        check_launch(&geometry, module, function);
    }
}
