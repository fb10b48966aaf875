/* SPDX-License-Identifier: Apache-2.0
 *
 * From a few scalars to a launch: block, grid, lengths and contents of arrays follow from the kernel's contract.
 *
 * Contents that nobody names are made up: mixed small numbers, inside LW_VALUES where the contract has them.  They decide branches on data, so
 * a launch comment's `init` is taken where the file has one.
 */
#include "cli/cost.h"
#include "cli/cost_fields.h"
#include "witness/witness.h"

#include <string.h>

struct planner {
    struct cli *cli;
    const struct job *job;
    uint32_t function;
    const char *shown;
    const struct contract *contract;
    struct launch_comment option;  /* of --launch alone */
    struct cost_fields fields;     /* of --launch: x.length=..., len(x)=... */
    const struct launch *wanted;   /* of it, for this kernel; NULL */
    const struct launch *comment;  /* of the file, for this kernel; NULL */
    struct contract_values values;
    bool *known;                   /* by parameter: its scalar has a value */
    struct place place;
    struct diagnostic_list *diagnostics;
};

/* ---- what is given ---------------------------------------------------------------------------------------------------- */

static const struct launch *launch_for(struct planner *planner, const struct launch_comment *comment)
{
    for (uint32_t i = 0; i < comment->launches.count; i++) {
        const struct launch *launch = &comment->launches.data[i];
        struct diagnostic_list ignored;
        diagnostic_list_init(&ignored, planner->cli->arena);
        const char *wanted = launch->kernel.text == NULL ? planner->job->module->functions.data[planner->function].name : NULL;
        if (launch_find_kernel(planner->cli->arena, planner->job->module, launch, wanted, &ignored) == planner->function)
            return launch;
    }
    return NULL;
}

static const struct launch_argument *argument_of(const struct launch *launch, const char *name)
{
    for (uint32_t i = 0; launch != NULL && i < launch->arguments.count; i++)
        if (strcmp(launch->arguments.data[i].name, name) == 0)
            return &launch->arguments.data[i];
    return NULL;
}

/* True if the launch can be run as it is: nothing is left to the contract. */
static bool is_whole(const struct planner *planner)
{
    const struct launch *launch = planner->wanted;
    uint32_t given = 0;
    if (launch == NULL || !launch->has_grid || !launch->has_block || planner->fields.items.count != 0)
        return false;
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        given += launch->arguments.data[i].role == ROLE_PARAMETER;
    return given >= planner->job->module->functions.data[planner->function].parameters.count;
}

static bool read_number(struct arena *arena, const struct launch_text *text, contract_integer *number)
{
    struct expression_scope scope = {0};
    struct expression_error error;
    struct value value;
    struct expression *expression = text->text == NULL ? NULL : expression_compile(arena, text->text, text->size, &scope, &error);
    if (expression == NULL || !expression_constant(expression, &value) || value.is_float)
        return false;
    *number = value.is_unsigned ? (contract_integer)(uint64_t)value.as.integer : (contract_integer)value.as.integer;
    return true;
}

static const struct launch_argument *given(const struct planner *planner, const char *name)
{
    const struct launch_argument *argument = argument_of(planner->wanted, name);
    return argument != NULL ? argument : argument_of(planner->comment, name);
}

/* The second value for one name would count for nothing. */
static bool complain_twice(struct planner *planner, struct place place, const char *name)
{
    diagnostic_add(planner->diagnostics, SEVERITY_ERROR, place, "`%s` is given twice", name);
    return false;
}

static bool check_once(struct planner *planner)
{
    const struct launch *launch = planner->wanted;
    for (uint32_t i = 0; launch != NULL && i < launch->arguments.count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(launch->arguments.data[i].name, launch->arguments.data[j].name) == 0)
                return complain_twice(planner, launch->arguments.data[i].place, launch->arguments.data[i].name);
    for (uint32_t i = 0; i < planner->fields.items.count; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct cost_field *field = &planner->fields.items.data[i], *other = &planner->fields.items.data[j];
            if (strcmp(field->name, other->name) == 0 && field->is_length == other->is_length)
                return complain_twice(planner, field->place, field->name);
        }
    return true;
}

/* The parameter of the contract that the field gives a value or a length, or CONTRACT_NONE. */
static uint32_t meant_by(const struct planner *planner, const struct cost_field *field)
{
    const struct contract *contract = planner->contract;
    struct cost_fields alone = {{0}};
    *vec_push(planner->cli->arena, &alone.items) = *field;
    for (int is_length = 0; is_length < 2; is_length++) /* len(x) of a slice is its own field before it is a length */
        for (uint32_t p = 0; contract != NULL && p < contract->parameters.count; p++) {
            uint8_t kind = contract->parameters.data[p].kind;
            if (kind != CONTRACT_OTHER && (kind == CONTRACT_POINTER) == (is_length != 0) &&
                cost_find_field(&alone, contract, p, is_length != 0) != NULL)
                return p;
        }
    return CONTRACT_NONE;
}

static bool check_field(struct planner *planner, const struct cost_field *field)
{
    const struct contract *contract = planner->contract;
    struct text_guess guess = text_guess_begin(field->name);
    uint32_t meant = meant_by(planner, field);
    if (meant != CONTRACT_NONE) {
        const struct contract_parameter *parameter = &contract->parameters.data[meant];
        if (cost_find_field(&planner->fields, contract, meant, parameter->kind == CONTRACT_POINTER) != field)
            return complain_twice(planner, field->place, parameter->name);
        if (parameter->kind != CONTRACT_POINTER || !contract_is_given(&parameter->extent))
            return true;
        diagnostic_add(planner->diagnostics, SEVERITY_ERROR, field->place, "the length of `%s` follows from the contract", field->name);
        diagnostic_help(planner->diagnostics, "give the values that its LW_SHAPE names");
        return false;
    }
    for (uint32_t p = 0; contract != NULL && p < contract->parameters.count; p++)
        if (contract->parameters.data[p].name != NULL && (contract->parameters.data[p].kind == CONTRACT_POINTER) == field->is_length)
            text_guess_try(&guess, contract->parameters.data[p].name);
    diagnostic_add(planner->diagnostics, SEVERITY_ERROR, field->place, field->is_length ? "`%s` has no array `%s`" : "`%s` has no parameter `%s`",
                   planner->shown, field->name);
    if (guess.best != NULL)
        diagnostic_help(planner->diagnostics, "did you mean `%s`?", guess.best);
    return false;
}

/* Every field that --launch names must be one of the contract's, a number of it or the length of an array. */
static bool check_fields(struct planner *planner)
{
    bool good = true;
    for (uint32_t i = 0; i < planner->fields.items.count; i++)
        good &= check_field(planner, &planner->fields.items.data[i]);
    return good;
}

/* Every name of --launch must be the kernel's. */
static bool check_names(struct planner *planner)
{
    const struct contract *contract = planner->contract;
    for (uint32_t i = 0; planner->wanted != NULL && i < planner->wanted->arguments.count; i++) {
        const struct launch_argument *argument = &planner->wanted->arguments.data[i];
        struct text_guess guess = text_guess_begin(argument->name);
        bool found = false;
        for (uint32_t p = 0; p < contract->parameters.count && !found; p++) {
            if (contract->parameters.data[p].name == NULL)
                continue;
            found = strcmp(contract->parameters.data[p].name, argument->name) == 0;
            text_guess_try(&guess, contract->parameters.data[p].name);
        }
        if (found)
            continue;
        diagnostic_add(planner->diagnostics, SEVERITY_ERROR, argument->place, "`%s` has no parameter `%s`", planner->shown, argument->name);
        if (guess.best != NULL)
            diagnostic_help(planner->diagnostics, "did you mean `%s`?", guess.best);
        return false;
    }
    return true;
}

/* A value in --launch that is no integer is an error; one of the file's comment may be anything, another source is then looked for. */
static bool take_scalar(struct planner *planner, uint32_t p)
{
    const struct contract_parameter *parameter = &planner->contract->parameters.data[p];
    const struct cost_field *field = cost_find_field(&planner->fields, planner->contract, p, false);
    const struct launch_argument *argument = parameter->name == NULL ? NULL : given(planner, parameter->name);
    bool is_wanted = field != NULL || (argument != NULL && argument == argument_of(planner->wanted, parameter->name));
    if (field == NULL && (argument == NULL || argument->kind != ARGUMENT_SCALAR))
        return true;
    const struct launch_text *text = field != NULL ? &field->value : &argument->value;
    planner->known[p] = read_number(planner->cli->arena, text, &planner->values.scalars[p]);
    if (planner->known[p] || !is_wanted)
        return true;
    diagnostic_add(planner->diagnostics, SEVERITY_ERROR, text->place, "`%s` is an integer, `%.*s` is none", parameter->name, (int)text->size,
                   text->text == NULL ? "" : text->text);
    return false;
}

static bool take_scalars(struct planner *planner)
{
    bool good = true;
    for (uint32_t p = 0; p < planner->contract->parameters.count; p++)
        if (planner->contract->parameters.data[p].kind == CONTRACT_INTEGER)
            good &= take_scalar(planner, p);
    return good;
}

static bool all_known(const struct planner *planner, const struct contract_expression *expression)
{
    struct bitset scalars;
    bitset_init(&scalars, planner->cli->arena, planner->contract->parameters.count + 1);
    if (contract_collect_scalars(planner->contract, expression, &scalars))
        return false;
    for (uint32_t p = 0; p < planner->contract->parameters.count; p++)
        if (bitset_has(&scalars, p) && !planner->known[p])
            return false;
    return true;
}

/* `x == expression` gives x. */
static void take_definitions(struct planner *planner)
{
    const struct contract *contract = planner->contract;
    for (uint32_t round = 0; round < contract->relations.count; round++)
        for (uint32_t r = 0; r < contract->relations.count; r++) {
            const struct contract_relation *relation = &contract->relations.data[r];
            const struct contract_expression *sides[2] = {&relation->left, &relation->right};
            for (int side = 0; side < 2 && relation->compare == CONTRACT_EQUAL; side++) {
                const struct contract_node *node = &contract->nodes.data[sides[side]->root];
                if (node->kind != CONTRACT_SCALAR || planner->known[node->operand] || !all_known(planner, sides[!side]))
                    continue;
                planner->known[node->operand] = contract_evaluate_expression(contract, sides[!side], &planner->values,
                                                                             &planner->values.scalars[node->operand]) == CONTRACT_FINE;
            }
        }
}

static bool ask_for_scalars(struct planner *planner)
{
    const struct contract *contract = planner->contract;
    struct buffer names, help;
    uint32_t missing = 0;
    buffer_init(&names, planner->cli->arena);
    buffer_init(&help, planner->cli->arena);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind != CONTRACT_INTEGER || planner->known[p])
            continue;
        buffer_printf(&names, "%s`%s`", missing == 0 ? "" : ", ", parameter->name);
        buffer_printf(&help, "%s%s=...", missing++ == 0 ? "" : "; ", parameter->name);
    }
    if (missing == 0)
        return true;
    diagnostic_add(planner->diagnostics, SEVERITY_ERROR, planner->place, "a launch of `%s` needs a value for %s", planner->shown, names.data);
    diagnostic_help(planner->diagnostics, "add --launch '%s'", help.data);
    return false;
}

/* ---- geometry ------------------------------------------------------------------------------------------------------------- */

static void copy_sizes(contract_integer to[3], const int64_t from[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis];
}

/* Values with which an expression of the contract has no value. */
static bool complain_value(struct planner *planner, const char *what)
{
    diagnostic_add(planner->diagnostics, SEVERITY_ERROR, planner->place, "the contract of `%s` gives no %s with these values", planner->shown, what);
    diagnostic_help(planner->diagnostics, "an expression divides by zero, or is negative or too large");
    return false;
}

static bool find_block(struct planner *planner)
{
    const struct ptx_function *function = &planner->job->module->functions.data[planner->function];
    for (int axis = 0; axis < 3; axis++)
        planner->values.block[axis] = planner->values.grid[axis] = 1;
    if (planner->wanted != NULL && planner->wanted->has_block)
        copy_sizes(planner->values.block, planner->wanted->block);
    else if (contract_is_given(&planner->contract->block[0]))
        return contract_block(planner->contract, &planner->values) || complain_value(planner, "block");
    else if (planner->comment != NULL && planner->comment->has_block)
        copy_sizes(planner->values.block, planner->comment->block);
    else if (function->required_threads[0] != 0)
        for (int axis = 0; axis < 3; axis++)
            planner->values.block[axis] = function->required_threads[axis] == 0 ? 1 : function->required_threads[axis];
    else {
        diagnostic_add(planner->diagnostics, SEVERITY_ERROR, planner->place, "a launch of `%s` needs its block: the contract has no LW_BLOCK",
                       planner->shown);
        diagnostic_help(planner->diagnostics, "add `block: 256` to --launch");
        return false;
    }
    return true;
}

static bool is_empty_block(const struct planner *planner)
{
    const contract_integer *block = planner->values.block;
    return block[0] <= 0 || block[1] <= 0 || block[2] <= 0;
}

static bool find_grid(struct planner *planner, bool *no_work)
{
    planner->values.has_grid = true;
    if (planner->wanted != NULL && planner->wanted->has_grid) {
        copy_sizes(planner->values.grid, planner->wanted->grid);
    } else if (contract_is_given(&planner->contract->domain[0])) {
        if (is_empty_block(planner)) /* no grid covers a domain with it; what a device says to it comes when it is run */
            return true;
        return contract_geometry(planner->contract, &planner->values, no_work) || complain_value(planner, "grid");
    } else if (planner->comment != NULL && planner->comment->has_grid) {
        copy_sizes(planner->values.grid, planner->comment->grid);
    } else {
        diagnostic_add(planner->diagnostics, SEVERITY_ERROR, planner->place, "a launch of `%s` needs its grid: the contract has no LW_DOMAIN",
                       planner->shown);
        diagnostic_help(planner->diagnostics, "add `grid: ...` to --launch");
        return false;
    }
    return true;
}

static const char *empty_text(struct planner *planner)
{
    const struct contract *contract = planner->contract;
    struct buffer text;
    buffer_init(&text, planner->cli->arena);
    buffer_puts(&text, "the launch is empty, nothing is launched: the domain is ");
    for (int axis = 0; axis < 3 && contract_is_given(&contract->domain[axis]); axis++) {
        char digits[48];
        contract_integer size = 0;
        contract_evaluate_expression(contract, &contract->domain[axis], &planner->values, &size);
        buffer_printf(&text, "%s%s = %s", axis == 0 ? "" : ", ", contract_render(contract, contract->domain[axis].root), contract_format(size, digits));
    }
    return text.data;
}

/* ---- arrays ----------------------------------------------------------------------------------------------------------------- */

static bool find_lengths(struct planner *planner)
{
    const struct contract *contract = planner->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind != CONTRACT_POINTER || contract_extent(contract, p, &planner->values, &planner->values.lengths[p]))
            continue;
        const struct cost_field *field = cost_find_field(&planner->fields, contract, p, true);
        if (field != NULL && read_number(planner->cli->arena, &field->value, &planner->values.lengths[p]) && planner->values.lengths[p] >= 0)
            continue;
        const struct launch_argument *argument = given(planner, parameter->name);
        if (argument == NULL || argument->kind != ARGUMENT_BUFFER || !read_number(planner->cli->arena, &argument->length, &planner->values.lengths[p]))
            return contract_is_given(&parameter->extent) && complain_value(planner, arena_printf(planner->cli->arena, "length of `%s`", parameter->name));
    }
    return true;
}

static void add_contents(void *context, const struct contract_parameter *parameter, const char *type, contract_integer low, contract_integer high,
                         struct buffer *out)
{
    const struct planner *planner = context;
    const struct launch_argument *argument = parameter->name == NULL ? NULL : given(planner, parameter->name);
    char first[48], count[48];
    buffer_puts(out, parameter->is_const ? " io=in" : " io=inout");
    if (argument != NULL && argument->init.text != NULL)
        buffer_printf(out, " init=%.*s", (int)argument->init.size, argument->init.text);
    else if (low < high)
        buffer_printf(out, " init=%s+i%%%s", contract_format(low, first), contract_format(high - low, count));
    else if (type[0] == 'f' || type[0] == 'b')
        buffer_puts(out, " init=(i*7919%1024)/512.0-1");
    else
        buffer_puts(out, " init=i*7919%1024");
}

static const char *real_of(void *context, const struct contract_parameter *parameter)
{
    const struct planner *planner = context;
    const struct launch_argument *argument = parameter->name == NULL ? NULL : given(planner, parameter->name);
    const struct cost_field *field =
        cost_find_field(&planner->fields, planner->contract, (uint32_t)(parameter - planner->contract->parameters.data), false);
    if (field != NULL)
        return arena_text(planner->cli->arena, field->value.text, field->value.size);
    return argument == NULL || argument->kind != ARGUMENT_SCALAR || argument->value.text == NULL
               ? NULL
               : arena_text(planner->cli->arena, argument->value.text, argument->value.size);
}

/* ---- a launch ----------------------------------------------------------------------------------------------------------------- */

static void warn_of_violations(struct planner *planner)
{
    contract_violations violations = {0};
    if (contract_evaluate(planner->contract, planner->cli->arena, &planner->values, &violations))
        return;
    for (uint32_t i = 0; i < violations.count; i++)
        diagnostic_add(planner->diagnostics, SEVERITY_WARNING, violations.data[i].place, "the contract does not admit this launch: %s",
                       violations.data[i].message);
}

static const struct launch *parse_text(struct planner *planner, const char *text)
{
    struct launch_comment *made = ARENA_NEW(planner->cli->arena, struct launch_comment);
    uint32_t errors = planner->diagnostics->errors;
    launch_text_apply(planner->cli->arena, text, made, planner->diagnostics);
    if (planner->diagnostics->errors != errors || made->launches.count == 0)
        return NULL;
    made->launches.data[0].focus.count = 0;
    return &made->launches.data[0];
}

static bool from_contract(struct planner *planner, struct cost_plan *plan)
{
    struct arena *arena = planner->cli->arena;
    struct witness_space space = {.arena = arena, .module = planner->job->module, .function = planner->function, .contract = planner->contract};
    struct witness_fill fill = {.contents = add_contents, .real_of = real_of, .context = planner};
    struct buffer text;
    bool no_work = false;
    take_definitions(planner);
    if (!ask_for_scalars(planner) || !find_block(planner) || !find_grid(planner, &no_work))
        return false;
    if (no_work) {
        plan->trouble = empty_text(planner);
        return true;
    }
    buffer_init(&text, arena);
    uint32_t errors = planner->diagnostics->errors;
    if (!find_lengths(planner) || !witness_launch_text(&space, &planner->values, fill, &text)) {
        if (planner->diagnostics->errors != errors)
            return false;
        diagnostic_add(planner->diagnostics, SEVERITY_ERROR, planner->place, "a launch of `%s` cannot be made: the contract does not say how long all arrays are",
                       planner->shown);
        diagnostic_help(planner->diagnostics, "add LW_SHAPE to the parameters, or give every argument in --launch");
        return false;
    }
    warn_of_violations(planner);
    plan->launch = parse_text(planner, text.data);
    plan->values = arena_copy(arena, &planner->values, sizeof planner->values);
    return plan->launch != NULL;
}

static bool from_comment(struct planner *planner, const char *text, struct cost_plan *plan)
{
    struct launch_comment *changed = ARENA_NEW(planner->cli->arena, struct launch_comment);
    uint32_t errors = planner->diagnostics->errors;
    *vec_push(planner->cli->arena, &changed->launches) = *planner->comment;
    changed->has_geometry = true;
    if (text != NULL)
        launch_text_apply(planner->cli->arena, text, changed, planner->diagnostics);
    plan->launch = &changed->launches.data[0];
    return planner->diagnostics->errors == errors;
}

/* Does every array of the contract have a length, from it or from the comment? */
static bool contract_suffices(const struct planner *planner)
{
    const struct contract *contract = planner->contract;
    if (contract == NULL || !contract->has_annotations)
        return false;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->kind == CONTRACT_POINTER && !contract_is_given(&parameter->extent) && given(planner, parameter->name) == NULL &&
            cost_find_field(&planner->fields, contract, p, true) == NULL)
            return false;
    }
    return true;
}

bool cost_plan_launch(struct cli *cli, const struct job *job, uint32_t function, const struct contract *contract, struct cost_plan *plan,
                      struct diagnostic_list *diagnostics)
{
    struct planner planner = {.cli = cli, .job = job, .function = function, .contract = contract, .diagnostics = diagnostics};
    const char *text = cli->options.launch;
    uint32_t errors = diagnostics->errors;
    planner.shown = launch_short_name(cli->arena, job->module->functions.data[function].name);
    planner.place = job_declaration(cli, job, function);
    *plan = (struct cost_plan){.trouble = "none was given"};
    if (text != NULL) {
        text = job_launch_text(cli, text, diagnostics);
        if (text == NULL)
            return false;
        text = cost_take_fields(cli->arena, text, &planner.fields);
        launch_text_apply(cli->arena, text, &planner.option, diagnostics);
        if (diagnostics->errors != errors)
            return false;
    }
    planner.wanted = launch_for(&planner, &planner.option);
    planner.comment = launch_for(&planner, &job->comment);
    if (!check_once(&planner))
        return false;
    if (is_whole(&planner)) {
        plan->launch = planner.wanted;
        return true;
    }
    plan->is_other = planner.option.launches.count != 0 && planner.wanted == NULL;
    if (plan->is_other)
        return true;
    if (!check_fields(&planner))
        return false;
    if (contract_suffices(&planner) && (text != NULL || planner.comment == NULL)) {
        planner.values = witness_values_new(cli->arena, contract);
        planner.known = ARENA_ARRAY(cli->arena, bool, contract->parameters.count + 1);
        if (!check_names(&planner) || !take_scalars(&planner))
            return false;
        if (text != NULL)
            return from_contract(&planner, plan);
        return true; /* a contract alone launches nothing */
    }
    if (planner.comment != NULL && (planner.comment->has_grid || text != NULL))
        return from_comment(&planner, text, plan);
    if (text == NULL)
        return true;
    diagnostic_add(diagnostics, SEVERITY_ERROR, planner.place, "a launch of `%s` cannot be made of scalars: it has neither a contract with shapes nor a launch comment",
                   planner.shown);
    diagnostic_help(diagnostics, "give grid, block and every argument in --launch, or add LW_SHAPE and LW_DOMAIN to the kernel");
    return false;
}
