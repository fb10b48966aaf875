/* SPDX-License-Identifier: Apache-2.0
 *
 * LW104 seen: launches that the contract admits are run, and for each access that a thread makes the column polynomial is evaluated on
 * that thread.  An access inside the array that is made, in a column that its row does not have, confirms the site.
 *
 * A row or column that depends on the trips of a loop is computed from the other one and the element that was accessed; where both do, nothing is
 * confirmed.
 */
#include "check/row.h"
#include "witness/witness.h"

#include <string.h>

enum { LAUNCHES = 120, STEPS = 1 << 14, MEMORY = 1 << 26 };

/* ---- numbers of one thread ------------------------------------------------------------------------------------- */

struct numbers {
    const struct sym *sym;
    sym_integer *values; /* by atom */
    bool *known;
};

static bool evaluate(const struct numbers *numbers, sym_poly poly, sym_integer *value);

static bool evaluate_atom(const struct numbers *numbers, sym_atom atom, sym_integer *value)
{
    const struct sym_atom_data *data = &numbers->sym->atoms.data[atom];
    sym_integer a, b;
    if (data->kind == SYM_VARIABLE) {
        *value = numbers->values[atom];
        return numbers->known[atom];
    }
    if (data->kind != SYM_WRAP_SIGNED && data->kind != SYM_WRAP_UNSIGNED && data->kind != SYM_QUOTIENT &&
        data->kind != SYM_MINIMUM && data->kind != SYM_MAXIMUM && data->kind != SYM_TRUNCATED)
        return false;
    if (!evaluate(numbers, data->a, &a) || !evaluate(numbers, data->b, &b))
        return false;
    if (data->kind == SYM_MINIMUM || data->kind == SYM_MAXIMUM) {
        *value = (a < b) == (data->kind == SYM_MINIMUM) ? a : b;
        return true;
    }
    if (data->kind == SYM_WRAP_SIGNED || data->kind == SYM_WRAP_UNSIGNED)
        b = (sym_integer)1 << data->bits;
    if (b == 0 || (data->kind == SYM_QUOTIENT && b < 0))
        return false;
    sym_integer quotient = a / b;
    if (data->kind != SYM_TRUNCATED && a % b != 0 && (a % b < 0) != (b < 0))
        quotient--;
    *value = quotient;
    if (data->kind == SYM_WRAP_SIGNED || data->kind == SYM_WRAP_UNSIGNED) {
        *value = a - quotient * b;
        if (data->kind == SYM_WRAP_SIGNED && *value > data->high)
            *value -= b;
    }
    return true;
}

static bool evaluate(const struct numbers *numbers, sym_poly poly, sym_integer *value)
{
    const struct sym_poly_data *data = &numbers->sym->polys.data[poly];
    *value = 0;
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &numbers->sym->monomials.data[data->terms[i].monomial];
        sym_integer product = data->terms[i].coefficient, factor;
        for (uint32_t k = 0; k < monomial->count; k++)
            if (!evaluate_atom(numbers, monomial->atoms[k], &factor) || __builtin_mul_overflow(product, factor, &product))
                return false;
        if (__builtin_add_overflow(*value, product, value))
            return false;
    }
    return true;
}

/* A variable, alone or times a constant, gets the value that makes the polynomial `number`. */
static void set_number(const struct sym *sym, struct numbers *numbers, sym_poly poly, sym_integer number)
{
    if (poly == SYM_NONE)
        return;
    const struct sym_poly_data *data = &sym->polys.data[poly];
    if (data->count != 1 || sym->monomials.data[data->terms[0].monomial].count != 1)
        return;
    sym_atom atom = sym->monomials.data[data->terms[0].monomial].atoms[0];
    if (sym->atoms.data[atom].kind != SYM_VARIABLE)
        return;
    numbers->values[atom] = number / data->terms[0].coefficient;
    numbers->known[atom] = true;
}

/* ---- a run ---------------------------------------------------------------------------------------------------------- */

struct crossing {
    uint8_t refuted; /* shifts (row.h) under which some column leaves its row: bit 2 is no shift */
    bool is_found;   /* all of them */
    uint32_t block[3], thread;
    sym_integer row, column, used, element;
};

struct row_run {
    const struct row_list *rows;
    const struct contract_values *values;
    struct numbers numbers;
    uint64_t *bases; /* by row_place: address of its array */
    uint64_t *sizes; /* bytes */
    struct crossing *crossings;
};

static void set_thread(struct row_run *run, const uint32_t *block, uint32_t thread)
{
    struct sym_environment *environment = run->rows->environment;
    sym_integer x = run->values->block[0], y = run->values->block[1];
    sym_integer place[3] = {thread % x, thread / x % y, thread / x / y};
    for (int axis = 0; axis < 3; axis++) {
        set_number(run->rows->sym, &run->numbers, environment->thread[axis], place[axis]);
        set_number(run->rows->sym, &run->numbers, environment->block_index[axis], block[axis]);
    }
}

/* Notes under which shifts this column leaves its row; the crossing that is shown is that without a shift. */
static void refute(const struct row_run *run, const struct row_place *place, const struct crossing *crossing, struct crossing *known)
{
    sym_integer pitch;
    uint8_t refuted = known->refuted, all = (1 << (2 * ROW_SHIFTS + 1)) - 1;
    if (!evaluate(&run->numbers, place->pitch, &pitch))
        return;
    for (int shift = -ROW_SHIFTS; shift <= ROW_SHIFTS; shift++) {
        sym_integer column = crossing->column + shift * pitch;
        bool is_single = place->partner != SYM_NONE; /* nothing to shift between two accesses */
        if (column < 0 || column >= crossing->used || (is_single && shift != 0))
            refuted |= (uint8_t)(1 << (shift + ROW_SHIFTS));
    }
    bool is_first = (known->refuted >> ROW_SHIFTS & 1) == 0 && (refuted >> ROW_SHIFTS & 1) != 0;
    if (is_first)
        *known = *crossing;
    known->refuted = refuted;
    known->is_found = refuted == all;
}

/* May the column be found from the row and the element?  Only if what is unknown in it are trips: a choice could hide whole rows. */
static bool has_choice(const struct sym *sym, sym_poly poly)
{
    const struct sym_poly_data *data = &sym->polys.data[poly];
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++) {
            uint8_t kind = sym->atoms.data[monomial->atoms[k]].kind;
            if (kind == SYM_SELECT || kind == SYM_JOIN || (kind >= SYM_BIT_AND && kind <= SYM_BIT_XOR) || kind == SYM_POWER)
                return true;
        }
    }
    return false;
}

/* Does the thread take the way that the place is about?  Unknown is no. */
static bool takes_way(const struct numbers *numbers, sym_cond condition)
{
    const struct sym_cond_data *data = &numbers->sym->conds.data[condition];
    sym_integer value;
    switch (data->kind) {
    case SYM_CONSTANT_CONDITION:
        return condition == SYM_TRUE;
    case SYM_AND:
        return takes_way(numbers, data->left) && takes_way(numbers, data->right);
    case SYM_OR:
        return takes_way(numbers, data->left) || takes_way(numbers, data->right);
    case SYM_GE:
        return evaluate(numbers, data->poly, &value) && value >= 0;
    case SYM_EQ:
        return evaluate(numbers, data->poly, &value) && value == 0;
    case SYM_NE:
        return evaluate(numbers, data->poly, &value) && value != 0;
    default:
        return false;
    }
}

/* Row and column in which this thread accesses `element`; false if they cannot be told. */
static bool locate(const struct row_run *run, const struct row_place *place, sym_integer element, struct crossing *crossing)
{
    sym_integer pitch;
    if (!evaluate(&run->numbers, place->pitch, &pitch) || !evaluate(&run->numbers, place->used, &crossing->used) || pitch < 1)
        return false;
    if (place->partner != SYM_NONE) { /* the partner's row is the one that is meant */
        crossing->row = sym_floor_divide(element + place->distance, pitch);
        crossing->column = element - crossing->row * pitch;
        return true;
    }
    if (evaluate(&run->numbers, place->column, &crossing->column)) {
        if (!evaluate(&run->numbers, place->row, &crossing->row))
            crossing->row = sym_floor_divide(element - crossing->column, pitch);
        return true;
    }
    if (has_choice(run->rows->sym, place->column) || !evaluate(&run->numbers, place->row, &crossing->row))
        return false;
    crossing->column = element - crossing->row * pitch;
    return true;
}

static void look(struct row_run *run, uint32_t index, const struct emu_watched *access)
{
    const struct row_place *place = &run->rows->items.data[index];
    struct crossing *known = &run->crossings[index];
    const struct contract_parameter *parameter = &run->rows->environment->contract->parameters.data[place->parameter];
    for (uint32_t rest = access->mask; rest != 0 && !known->is_found; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t offset = access->addresses[lane] - run->bases[index];
        struct crossing crossing = {.thread = access->first_thread + lane};
        memcpy(crossing.block, access->block, sizeof crossing.block);
        if (offset >= run->sizes[index] || offset % parameter->element_size != 0)
            continue; /* outside the array: another finding */
        crossing.element = (sym_integer)(offset / parameter->element_size);
        set_thread(run, access->block, crossing.thread);
        if (!takes_way(&run->numbers, place->condition))
            continue;
        if (locate(run, place, crossing.element, &crossing))
            refute(run, place, &crossing, known);
    }
}

static void watch(void *context, const struct emu_watched *access)
{
    struct row_run *run = context;
    for (uint32_t i = 0; i < run->rows->items.count; i++)
        if (run->rows->items.data[i].is_open && run->rows->items.data[i].ptx_line == access->instruction->line)
            look(run, i, access);
}

/* Runs the launch and looks at each access; false when it could not be run. */
static bool run_launch(struct arena *arena, const struct check_result *result, const struct launch *launch, struct place place,
                       struct row_run *watched, struct report_kernel *kernel)
{
    struct diagnostic_list diagnostics;
    const struct contract *contract = watched->rows->environment->contract;
    struct launch_run_options options = {
        .emu = {.jobs = 1, .max_steps = STEPS, .max_memory = MEMORY, .no_races = true, .no_init = true, .watch = watch, .watch_context = watched},
        .kernel_place = place};
    diagnostic_list_init(&diagnostics, arena);
    memset(kernel, 0, sizeof *kernel);
    struct launch_run *run = launch_run_begin(arena, result->module, result->function, launch, &options, kernel, &diagnostics);
    if (run == NULL)
        return false;
    for (uint32_t i = 0; i < watched->rows->items.count; i++) {
        const struct contract_parameter *parameter = &contract->parameters.data[watched->rows->items.data[i].parameter];
        const struct launch_buffer *buffer = launch_run_buffer(run, parameter->name);
        watched->bases[i] = buffer == NULL ? 0 : buffer->address;
        watched->sizes[i] = buffer == NULL ? 0 : buffer->length * parameter->element_size;
    }
    bool good = launch_run_execute(run);
    launch_run_end(run);
    return good;
}

/* ---- findings --------------------------------------------------------------------------------------------------------- */

static void report(struct arena *arena, struct check_result *result, uint32_t index, const struct crossing *crossing,
                   const struct contract_values *values, const struct report_kernel *run, struct report_kernel *kernel)
{
    const struct row_place *place = &result->rows->items.data[index];
    struct check_site *site = &result->sites.data[place->site];
    struct finding *finding = ARENA_NEW(arena, struct finding);
    sym_integer x = values->block[0], y = values->block[1];
    finding->kind = FINDING_ROW_CROSSING;
    finding->severity = finding_info(FINDING_ROW_CROSSING)->severity;
    finding->status = STATUS_VIOLATED;
    finding->place = site->place;
    finding->kernel = kernel->name;
    finding->kernel_shown = kernel->shown;
    finding->message = arena_printf(arena, "leaves row %lld of `%s`: column %lld of %lld", (long long)crossing->row, site->array,
                                    (long long)crossing->column, (long long)crossing->used);
    finding->label = arena_printf(arena, "element %lld lies in another row", (long long)crossing->element);
    finding->array = site->array;
    finding->first.valid = 3;
    memcpy(finding->first.block, crossing->block, sizeof crossing->block);
    finding->first.thread[0] = (uint32_t)(crossing->thread % x);
    finding->first.thread[1] = (uint32_t)(crossing->thread / x % y);
    finding->first.thread[2] = (uint32_t)(crossing->thread / x / y);
    finding->has_index = true;
    finding->index = (int64_t)crossing->element;
    finding->element_size = result->contract->parameters.data[place->parameter].element_size;
    finding->count = 1;
    finding->help = "test the column against the row length, not the flat index against the size of the array";
    finding->launch = arena_copy(arena, &run->launch, sizeof run->launch);
    *vec_push(arena, &kernel->findings) = *finding;
    site->verdict = CHECK_VIOLATED;
    site->witness = finding;
    for (uint32_t i = 0; i < result->rows->items.count; i++)
        if (result->rows->items.data[i].site == place->site)
            result->rows->items.data[i].is_open = false;
}

static bool any_open(const struct row_list *rows, const struct check_result *result)
{
    for (uint32_t i = 0; i < rows->items.count; i++)
        if (rows->items.data[i].is_open && !result->sites.data[rows->items.data[i].site].depends_on_data)
            return true;
    return false;
}

static struct row_run begin_run(struct arena *arena, const struct row_list *rows, const struct contract_values *values)
{
    struct row_run run = {.rows = rows, .values = values};
    uint32_t atoms = rows->sym->atoms.count, places = rows->items.count;
    run.numbers = (struct numbers){.sym = rows->sym,
                                   .values = ARENA_ARRAY(arena, sym_integer, atoms + 1),
                                   .known = ARENA_ARRAY(arena, bool, atoms + 1)};
    run.bases = ARENA_ARRAY(arena, uint64_t, places + 1);
    run.sizes = ARENA_ARRAY(arena, uint64_t, places + 1);
    run.crossings = ARENA_ARRAY(arena, struct crossing, places + 1);
    const struct contract *contract = rows->environment->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].kind == CONTRACT_INTEGER)
            set_number(rows->sym, &run.numbers, rows->environment->scalars[p], values->scalars[p]);
    for (int axis = 0; axis < 3; axis++) {
        set_number(rows->sym, &run.numbers, rows->environment->block[axis], values->block[axis]);
        set_number(rows->sym, &run.numbers, rows->environment->grid[axis], values->grid[axis]);
    }
    return run;
}

static void report_all(struct arena *arena, struct check_result *result, const struct row_run *run,
                       const struct report_kernel *ran, struct report_kernel *kernel)
{
    for (uint32_t i = 0; i < result->rows->items.count; i++)
        if (run->crossings[i].is_found && result->rows->items.data[i].is_open)
            report(arena, result, i, &run->crossings[i], run->values, ran, kernel);
}

/* ---- which launches ------------------------------------------------------------------------------------------------------- */

static void confirm_launch(struct arena *arena, struct check_result *result, struct report_kernel *kernel)
{
    struct contract_values values = witness_values_new(arena, result->contract);
    struct report_kernel *ran = ARENA_NEW(arena, struct report_kernel);
    for (int axis = 0; axis < 3; axis++) {
        values.block[axis] = result->launch->block[axis];
        values.grid[axis] = result->launch->grid[axis];
    }
    struct row_run run = begin_run(arena, result->rows, &values);
    if (run_launch(arena, result, result->launch, kernel->place, &run, ran))
        report_all(arena, result, &run, ran, kernel);
}

void row_confirm(struct arena *arena, struct check_result *result, struct report_kernel *kernel)
{
    struct witness_space space;
    struct witness_walk walk;
    if (result->rows == NULL || !any_open(result->rows, result))
        return;
    if (result->launch != NULL) {
        confirm_launch(arena, result, kernel);
        return;
    }
    if (result->contract->is_launch || !witness_space_begin(&space, arena, result->module, result->function, result->contract))
        return;
    struct contract_values values = witness_values_new(arena, result->contract);
    contract_integer *point = ARENA_ARRAY(arena, contract_integer, space.axes.count + 1);
    witness_walk_begin(&walk, arena, &space);
    for (unsigned tried = 0; tried < LAUNCHES && any_open(result->rows, result); tried++) {
        struct launch_comment comment = {0};
        struct diagnostic_list diagnostics;
        struct buffer text;
        if (!witness_walk_next(&walk, point, &values))
            return;
        buffer_init(&text, arena);
        diagnostic_list_init(&diagnostics, arena);
        if (!witness_launch_text(&space, &values, (struct witness_fill){.bounded = 0}, &text))
            return;
        launch_text_apply(arena, text.data, &comment, &diagnostics);
        if (diagnostics.errors != 0 || comment.launches.count != 1)
            return;
        struct row_run run = begin_run(arena, result->rows, &values);
        struct report_kernel *ran = ARENA_NEW(arena, struct report_kernel);
        if (run_launch(arena, result, &comment.launches.data[0], kernel->place, &run, ran))
            report_all(arena, result, &run, ran, kernel);
    }
}
