/* SPDX-License-Identifier: Apache-2.0
 *
 * How often a loop runs, as a formula in the launch's scalars.
 *
 * A loop that is left at one place, by a condition that falls (or rises) by the same number in each trip, runs as often as that fits.
 * Requires: a kernel in analysis.  Gives: `trips` of loops of the kernel itself and of what was inlined into it once.  Gives up on: several
 * ways out, conditions of data, steps that change.
 */
#include "cost/build.h"
#include "sym/sym.h"

/* What a thread must find true to go on, at the end of trip L or where it is about to begin. */
struct loop_exit {
    sym_cond stays;
    bool is_last; /* nothing of the trip comes behind it */
};

static const struct ir_instruction *last_of(const struct ir_function *ir, uint32_t block)
{
    const struct ir_block *data = &ir->cfg->blocks[block];
    return data->end == data->first ? NULL : &ir->instructions[data->end - 1];
}

/* The only block that leaves the loop; IR_NONE: several, or none. */
static uint32_t only_exit(const struct ir_cfg *cfg, uint32_t loop)
{
    uint32_t found = IR_NONE;
    for (uint32_t order = cfg->loops[loop].order_first; order < cfg->loops[loop].order_end; order++) {
        uint32_t block = cfg->by_order[order];
        bool leaves = cfg->blocks[block].leave != IR_LEAVE_NO;
        for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++)
            leaves |= !ir_loop_contains(cfg, loop, cfg->blocks[block].successors[s]);
        if (!leaves)
            continue;
        if (found != IR_NONE)
            return IR_NONE;
        found = block;
    }
    return found;
}

/* Do the blocks that come after `block` in a trip hold nothing but jumps? */
static bool rest_is_empty(const struct ir_function *ir, uint32_t loop, uint32_t block)
{
    const struct ir_cfg *cfg = ir->cfg;
    for (uint32_t order = cfg->blocks[block].order + 1; order < cfg->loops[loop].order_end; order++) {
        const struct ir_block *after = &cfg->blocks[cfg->by_order[order]];
        for (uint32_t i = after->first; i < after->end; i++)
            if (ir->instructions[i].op != PTX_OP_bra)
                return false;
    }
    return true;
}

static const char *find_exit(struct sym_kernel *kernel, uint32_t loop, struct loop_exit *exit)
{
    const struct ir_function *ir = kernel->ir;
    const struct ir_cfg *cfg = ir->cfg;
    uint32_t block = only_exit(cfg, loop);
    if (block == IR_NONE)
        return "it is left at several places";
    const struct ir_instruction *last = last_of(ir, block);
    if (last == NULL || last->op != PTX_OP_bra || last->guard == IR_NONE || cfg->blocks[block].successor_count != 2)
        return "it is left by something other than a plain branch";
    exit->is_last = rest_is_empty(ir, loop, block);
    if (!exit->is_last && block != cfg->loops[loop].header)
        return "it is left from the middle";
    sym_cond taken = sym_truth(kernel, last->guard);
    if (last->guard_negated)
        taken = sym_not(kernel->sym, taken);
    bool taken_stays = ir_loop_contains(cfg, loop, cfg->blocks[block].successors[0]);
    exit->stays = taken_stays ? taken : sym_not(kernel->sym, taken);
    return NULL;
}

static sym_poly at_trip(struct sym_kernel *kernel, sym_poly poly, sym_atom counter, sym_integer trip)
{
    sym_poly value = sym_constant(kernel->sym, trip);
    return sym_substitute(kernel->sym, poly, &counter, &value, 1);
}

/* Wraps around a value that stays in its width are of no interest to people. */
static sym_poly without_wraps(struct sym_kernel *kernel, sym_poly poly)
{
    struct sym *sym = kernel->sym;
    enum { MAX_WRAPS = 16 };
    for (int round = 0; round < MAX_WRAPS; round++) {
        struct sym_poly_data data = sym->polys.data[poly];
        sym_atom found = SYM_NONE;
        for (uint32_t t = 0; t < data.count && found == SYM_NONE; t++) {
            struct sym_monomial_data monomial = sym->monomials.data[data.terms[t].monomial];
            for (uint32_t k = 0; k < monomial.count; k++) {
                uint8_t kind = sym->atoms.data[monomial.atoms[k]].kind;
                if (kind == SYM_WRAP_SIGNED || kind == SYM_WRAP_UNSIGNED)
                    found = monomial.atoms[k];
            }
        }
        if (found == SYM_NONE)
            return poly;
        sym_poly inside = sym->atoms.data[found].a;
        poly = sym_substitute(sym, poly, &found, &inside, 1);
    }
    return poly;
}

/* Trips of a loop whose condition is about `poly` and that falls by `fall` a trip, once the loop has been entered. */
static sym_poly count_trips(struct sym_kernel *kernel, sym_poly first, sym_poly step, bool is_equality, bool is_last)
{
    struct sym *sym = kernel->sym;
    sym_poly more;
    /* It stays for L = 0, 1, ...: while first - step * L >= 0, or until it is 0. */
    if (is_equality)
        more = sym_quotient(sym, first, step);
    else
        more = sym_quotient(sym, sym_add(sym, first, step), step);
    return is_last ? sym_shift(sym, more, 1) : more;
}

/* Is it made of scalars, sizes and the thread's place alone? */
static bool known_at_launch(struct sym_kernel *kernel, sym_poly poly)
{
    struct sym *sym = kernel->sym;
    struct bitset atoms;
    bitset_init(&atoms, kernel->arena, sym->atoms.count + 1);
    sym_collect_atoms(sym, poly, &atoms);
    for (uint32_t a = 0; a < sym->atoms.count; a++) {
        if (!bitset_has(&atoms, a))
            continue;
        uint8_t kind = sym->atoms.data[a].kind;
        if (kind == SYM_JOIN || kind == SYM_SELECT || kind == SYM_BIT_AND || kind == SYM_BIT_OR || kind == SYM_BIT_XOR || kind == SYM_POWER)
            return false;
        if (kind != SYM_VARIABLE)
            continue;
        if (sym->atoms.data[a].name == NULL || (a < kernel->atoms.count && kernel->atoms.data[a].is_known &&
                                                (kernel->atoms.data[a].is_data || kernel->atoms.data[a].value != IR_NONE)))
            return false;
        for (uint32_t l = 0; l < kernel->ir->cfg->loop_count; l++)
            if (kernel->loops[l].counter == a)
                return false;
    }
    return true;
}

/* a - c * floor(a / c) is a % c. */
static bool print_remainder(struct sym *sym, sym_poly poly, struct buffer *text)
{
    struct sym_poly_data data = sym->polys.data[poly];
    for (uint32_t t = 0; t < data.count; t++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[t].monomial];
        sym_integer divisor;
        if (monomial.count != 1 || sym->atoms.data[monomial.atoms[0]].kind != SYM_QUOTIENT)
            continue;
        struct sym_atom_data quotient = sym->atoms.data[monomial.atoms[0]];
        sym_poly product = sym_scale(sym, sym_of_atom(sym, monomial.atoms[0]), -data.terms[t].coefficient);
        if (!sym_is_constant(sym, quotient.b, &divisor) || divisor != -data.terms[t].coefficient || sym_add(sym, poly, product) != quotient.a)
            continue;
        bool is_sum = sym->polys.data[quotient.a].count > 1;
        buffer_puts(text, is_sum ? "(" : "");
        sym_print(sym, quotient.a, text);
        buffer_puts(text, is_sum ? ") % " : " % ");
        sym_print(sym, quotient.b, text);
        return true;
    }
    return false;
}

static const char *formula_text(struct arena *arena, struct sym *sym, sym_poly poly)
{
    struct buffer text;
    buffer_init(&text, arena);
    if (!print_remainder(sym, poly, &text))
        sym_print(sym, poly, &text);
    return text.data;
}

static void set_value(const struct sym *sym, sym_poly trips, struct cost_loop *loop)
{
    sym_integer value;
    loop->has_value = sym_is_constant(sym, trips, &value) && value >= 0;
    if (loop->has_value)
        loop->value = (uint64_t)value;
}

static const char *find_trips(struct cost_builder *builder, struct sym_kernel *kernel, uint32_t loop, struct cost_loop *found)
{
    struct sym *sym = kernel->sym;
    struct loop_exit exit;
    const char *trouble = find_exit(kernel, loop, &exit);
    if (trouble != NULL)
        return trouble;
    struct sym_cond_data condition = sym->conds.data[exit.stays];
    sym_atom counter = kernel->loops[loop].counter;
    if (condition.kind == SYM_UNKNOWN || sym_depends_on_data(kernel, exit.stays))
        return "memory decides";
    if (condition.kind != SYM_GE && condition.kind != SYM_NE)
        return "its condition is not one comparison";
    sym_poly poly = without_wraps(kernel, condition.poly);
    sym_poly values[3];
    for (int trip = 0; trip < 3; trip++)
        values[trip] = at_trip(kernel, poly, counter, trip);
    sym_poly first = values[0], step = sym_subtract(sym, values[0], values[1]);
    bool is_equality = condition.kind == SYM_NE;
    sym_integer fall;
    if (step != sym_subtract(sym, values[1], values[2]) || step == SYM_ZERO || !known_at_launch(kernel, step))
        return "its condition does not change by the same number each trip";
    if (sym_is_constant(sym, step, &fall) && fall < 0) {
        if (!is_equality)
            return "its condition does not come nearer to its end";
        first = sym_scale(sym, first, -1);
        step = sym_scale(sym, step, -1);
    }
    sym_poly trips = count_trips(kernel, first, step, is_equality, exit.is_last);
    sym_integer value;
    if (!known_at_launch(kernel, trips))
        return "it depends on more than the launch's numbers";
    if (sym_is_constant(sym, trips, &value) && value < 1)
        return "no thread comes in, or its numbers wrap";
    found->trips = formula_text(builder->arena, sym, trips);
    builder->trips[found - builder->result->loops.data] = trips;
    set_value(sym, trips, found);
    return NULL;
}

/* The cost loop whose header is that of the analysed loop; NULL: none, or a copy. */
static struct cost_loop *loop_of(struct cost_builder *builder, const struct ir_function *ir, uint32_t loop)
{
    const struct ir_block *header = &ir->cfg->blocks[ir->cfg->loops[loop].header];
    for (uint32_t i = header->first; i < header->end; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        if (instruction->source == NULL || instruction->index == IR_NONE)
            continue;
        uint32_t function = ir->frames[instruction->frame].function;
        if (builder->part_of[function] == COST_NONE)
            return NULL;
        const struct cost_part *part = &builder->parts.data[builder->part_of[function]];
        uint32_t found = part->cfg->blocks[part->cfg->block_of_instruction[instruction->index]].loop;
        return found == IR_NONE ? NULL : &builder->result->loops.data[part->first_loop + found];
    }
    return NULL;
}

void cost_find_trips(struct cost_builder *builder)
{
    struct sym_kernel *kernel = builder->kernel;
    builder->trips = ARENA_ARRAY(builder->arena, uint32_t, builder->result->loops.count + 1);
    for (uint32_t l = 0; l < builder->result->loops.count; l++)
        builder->trips[l] = COST_NONE;
    for (uint32_t l = 0; l < kernel->ir->cfg->loop_count; l++) {
        struct cost_loop *found = loop_of(builder, kernel->ir, l);
        if (found != NULL && found->trips == NULL)
            found->reason = find_trips(builder, kernel, l, found);
    }
}

/* ---- at a launch ---------------------------------------------------------------------------------------------------- */

static void substitute(struct sym *sym, sym_poly *poly, sym_poly variable, sym_integer value)
{
    if (variable == SYM_NONE || sym->polys.data[variable].count != 1)
        return;
    struct sym_monomial_data monomial = sym->monomials.data[sym->polys.data[variable].terms[0].monomial];
    if (monomial.count != 1)
        return; /* a number already */
    sym_atom atom = monomial.atoms[0];
    sym_poly number = sym_constant(sym, value);
    *poly = sym_substitute(sym, *poly, &atom, &number, 1);
}

void cost_evaluate_trips(struct cost_builder *builder, const struct contract_values *values)
{
    struct cost_result *result = builder->result;
    const struct contract *contract = builder->input->contract;
    for (uint32_t l = 0; builder->kernel != NULL && l < result->loops.count; l++) {
        struct sym *sym = builder->kernel->sym;
        const struct sym_environment *environment = builder->kernel->environment;
        if (builder->trips[l] == COST_NONE || contract == NULL)
            continue;
        sym_poly poly = builder->trips[l];
        for (uint32_t p = 0; p < contract->parameters.count; p++)
            if (contract->parameters.data[p].kind == CONTRACT_INTEGER)
                substitute(sym, &poly, environment->scalars[p], values->scalars[p]);
        for (int axis = 0; axis < 3; axis++) {
            substitute(sym, &poly, environment->block[axis], values->block[axis]);
            substitute(sym, &poly, environment->grid[axis], values->grid[axis]);
        }
        set_value(sym, poly, &result->loops.data[l]);
    }
}
