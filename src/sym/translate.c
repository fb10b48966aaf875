/* SPDX-License-Identifier: Apache-2.0
 *
 * From SSA values to polynomials and conditions.
 *
 * Requires: an ir function without irreducible loops.  Gives: for each value of w bits a polynomial congruent to it modulo 2^w, for
 * each predicate a condition.  Sound for: everything; what is not understood is a variable of its own, in the range of its width.
 * Names of atoms that differ from trip to trip of a loop always mean the latest trip: a value that is used after its loop was made in the
 * loop's last trip, since it dominates the use.
 */
#include "sym/translate.h"

#include "sym/table.h"

unsigned sym_bits(const struct sym_kernel *kernel, uint32_t value)
{
    unsigned bits = kernel->ir->values[value].bits;
    return bits == 0 || bits > 64 ? 64 : bits;
}

struct sym_atom_info *sym_info(struct sym_kernel *kernel, sym_atom atom)
{
    while (kernel->atoms.count <= atom)
        *vec_push(kernel->arena, &kernel->atoms) =
            (struct sym_atom_info){.loop = IR_NONE, .value = IR_NONE, .low = SYM_TRUE, .high = SYM_TRUE};
    return &kernel->atoms.data[atom];
}

/* The variable of this value; a later translation of the same value finds it again. */
sym_atom sym_opaque(struct sym_kernel *kernel, uint32_t value, unsigned bits, uint32_t block)
{
    sym_atom atom = kernel->own_atoms[value];
    if (atom == SYM_NONE) {
        sym_integer most = ((sym_integer)1 << (bits > 64 ? 64 : bits)) - 1;
        atom = sym_variable(kernel->sym, NULL, 0, most);
        kernel->own_atoms[value] = atom;
    }
    struct sym_atom_info *info = sym_info(kernel, atom);
    info->is_known = true;
    info->value = value;
    info->loop = block == IR_NONE ? IR_NONE : kernel->ir->cfg->blocks[block].loop;
    return atom;
}

static sym_poly opaque_value(struct sym_kernel *kernel, uint32_t value, uint32_t block)
{
    return sym_of_atom(kernel->sym, sym_opaque(kernel, value, sym_bits(kernel, value), block));
}

bool sym_always(struct sym_kernel *kernel, sym_cond condition)
{
    struct sym_environment *environment = kernel->environment;
    if (condition == SYM_TRUE || condition == SYM_FALSE)
        return condition == SYM_TRUE;
    sym_facts facts = {0};
    for (uint32_t i = 0; i < environment->facts.count; i++)
        sym_facts_add(kernel, &facts, environment->facts.data[i]);
    for (uint32_t i = 0; i < environment->thread_facts.count; i++)
        sym_facts_add(kernel, &facts, environment->thread_facts.data[i]);
    struct sym_limits limits = {.z3_resources = 1, .max_splits = 1, .max_products = 64};
    return sym_prove(kernel->sym, facts.data, facts.count, condition, &limits) == SYM_PROVED;
}

/* Are all atoms numbers of the launch and of the thread, which hold everywhere in the kernel? */
static bool is_global(struct sym_kernel *kernel, sym_poly poly)
{
    struct bitset set;
    bitset_init(&set, kernel->arena, kernel->sym->atoms.count);
    sym_collect_atoms(kernel->sym, poly, &set);
    for (sym_atom atom = 0; atom < set.bits; atom++)
        if (bitset_has(&set, atom) && (kernel->sym->atoms.data[atom].kind == SYM_JOIN || sym_info(kernel, atom)->is_known))
            return false; /* known to this kernel: a loaded value, a trip, a phi */
    return true;
}

sym_poly sym_settled_wrap(struct sym_kernel *kernel, sym_poly value, unsigned bits, bool is_signed)
{
    struct sym *sym = kernel->sym;
    sym_poly reading = sym_wrap(sym, value, bits, is_signed);
    sym_atom atom = sym_single_atom(sym, reading);
    if (atom == SYM_NONE)
        return reading;
    struct sym_atom_data data = sym->atoms.data[atom];
    if ((data.kind != SYM_WRAP_SIGNED && data.kind != SYM_WRAP_UNSIGNED) || data.bits != bits)
        return reading;
    while (kernel->settled.count <= atom)
        *vec_push(kernel->arena, &kernel->settled) = 0;
    if (kernel->settled.data[atom] == 0) {
        bool fits = is_global(kernel, data.a) && sym_always(kernel, sym_ge(sym, sym_shift(sym, data.a, -data.low))) &&
                    sym_always(kernel, sym_ge(sym, sym_shift(sym, sym_scale(sym, data.a, -1), data.high)));
        kernel->settled.data[atom] = fits ? 1 : 2;
    }
    return kernel->settled.data[atom] == 1 ? data.a : reading;
}

/* ---- values that no instruction makes ----------------------------------------------------------------------- */

static sym_poly linear_thread(struct sym_kernel *kernel)
{
    struct sym_environment *environment = kernel->environment;
    struct sym *sym = kernel->sym;
    sym_poly rows = sym_add(sym, environment->thread[1], sym_multiply(sym, environment->block[1], environment->thread[2]));
    return sym_add(sym, environment->thread[0], sym_multiply(sym, environment->block[0], rows));
}

static sym_poly special_value(struct sym_kernel *kernel, uint32_t index)
{
    const struct ir_value *value = &kernel->ir->values[index];
    struct sym_environment *environment = kernel->environment;
    struct sym *sym = kernel->sym;
    int axis = value->number >= 1 && value->number <= 3 ? (int)value->number - 1 : -1;
    switch (value->index) {
    case PTX_SPECIAL_tid:
        return axis < 0 ? SYM_ZERO : environment->thread[axis];
    case PTX_SPECIAL_ntid:
        return axis < 0 ? SYM_ZERO : environment->block[axis];
    case PTX_SPECIAL_ctaid:
        return axis < 0 ? SYM_ZERO : environment->block_index[axis];
    case PTX_SPECIAL_nctaid:
        return axis < 0 ? SYM_ZERO : environment->grid[axis];
    case PTX_SPECIAL_laneid: {
        sym_poly linear = linear_thread(kernel);
        sym_poly warp = sym_quotient(sym, linear, sym_constant(sym, 32));
        return sym_subtract(sym, linear, sym_scale(sym, warp, 32));
    }
    case PTX_SPECIAL_dynamic_smem_size:
        if (environment->shared_bytes != SYM_NONE)
            return environment->shared_bytes;
        break;
    default:
        break;
    }
    return opaque_value(kernel, index, IR_NONE);
}

static sym_poly leaf_value(struct sym_kernel *kernel, uint32_t index)
{
    const struct ir_value *value = &kernel->ir->values[index];
    struct sym *sym = kernel->sym;
    switch (value->kind) {
    case IR_VALUE_CONSTANT: {
        unsigned bits = sym_bits(kernel, index);
        sym_integer number = (sym_integer)(uint64_t)value->number;
        return sym_congruent(sym, sym_constant(sym, number), bits);
    }
    case IR_VALUE_PARAMETER:
        return sym_translate_parameter(kernel, index);
    case IR_VALUE_SPECIAL:
        return special_value(kernel, index);
    case IR_VALUE_ADDRESS:
        return sym_shift(sym, sym_translate_object(kernel, value->index), value->number);
    default:
        return opaque_value(kernel, index, IR_NONE);
    }
}

/* Memory without an initial value is arbitrary at each mention. */
static bool is_fresh(const struct sym_kernel *kernel, uint32_t value)
{
    return kernel->ir->values[value].kind == IR_VALUE_UNDEFINED;
}

sym_poly sym_value(struct sym_kernel *kernel, uint32_t value)
{
    if (kernel->values[value] != SYM_NONE && !is_fresh(kernel, value))
        return kernel->values[value];
    const struct ir_value *data = &kernel->ir->values[value];
    sym_poly poly;
    if (data->kind == IR_VALUE_RESULT) /* not reached in order: a value of a block that cannot be reached */
        poly = opaque_value(kernel, value, kernel->ir->instructions[data->index].block);
    else if (is_fresh(kernel, value)) { /* anew at each mention: taken as one that differs wherever it can */
        sym_atom atom = sym_variable(kernel->sym, NULL, 0, ((sym_integer)1 << sym_bits(kernel, value)) - 1);
        struct sym_atom_info *info = sym_info(kernel, atom);
        info->is_known = info->is_data = true;
        info->value = value;
        poly = sym_of_atom(kernel->sym, atom);
    } else
        poly = leaf_value(kernel, value);
    kernel->values[value] = poly;
    return poly;
}

sym_poly sym_reading(struct sym_kernel *kernel, uint32_t value, bool is_signed)
{
    return sym_settled_wrap(kernel, sym_value(kernel, value), sym_bits(kernel, value), is_signed);
}

sym_cond sym_truth(struct sym_kernel *kernel, uint32_t value)
{
    const struct ir_value *data = &kernel->ir->values[value];
    if (data->kind == IR_VALUE_CONSTANT)
        return data->number != 0 ? SYM_TRUE : SYM_FALSE;
    if (kernel->truths[value] == SYM_NONE || is_fresh(kernel, value))
        kernel->truths[value] = sym_unknown(kernel->sym);
    return kernel->truths[value];
}

/* ---- phis ------------------------------------------------------------------------------------------------------ */

static bool is_predicate(const struct sym_kernel *kernel, uint32_t value)
{
    return kernel->ir->values[value].bits == 1;
}

static bool is_header(const struct sym_kernel *kernel, uint32_t block)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    uint32_t loop = cfg->blocks[block].loop;
    return loop != IR_NONE && cfg->loops[loop].header == block;
}

/* start + step * trips, with the start as this translation knows it. */
static sym_poly induction_value(struct sym_kernel *kernel, const struct ir_instruction *phi, uint32_t index)
{
    const struct ir_block *header = &kernel->ir->cfg->blocks[phi->block];
    const uint32_t *operands = ir_operands(kernel->ir, phi);
    struct sym *sym = kernel->sym;
    unsigned bits = sym_bits(kernel, phi->first_result);
    sym_poly start = SYM_NONE;
    for (uint32_t i = 0; i < phi->operand_count && i < header->predecessor_count; i++) {
        if (sym_is_back_edge(kernel, header->predecessors[i], phi->block))
            continue;
        sym_poly operand = sym_congruent(sym, sym_value(kernel, operands[i]), bits);
        if (start != SYM_NONE && start != operand)
            return kernel->phi_values.data[index]; /* equal before, now written differently */
        start = operand;
    }
    sym_poly trips = sym_of_atom(sym, kernel->loops[header->loop].counter);
    sym_poly moved = sym_multiply(sym, kernel->phi_steps.data[index], trips);
    return sym_congruent(sym, sym_add(sym, start, moved), bits);
}

static void header_phi(struct sym_kernel *kernel, const struct ir_instruction *phi)
{
    uint32_t value = phi->first_result;
    if (is_predicate(kernel, value))
        return; /* unknown: sym_truth makes it so */
    for (uint32_t i = 0; i < kernel->phis.count; i++)
        if (kernel->phis.data[i] == value) {
            if (kernel->phi_values.data[i] != SYM_NONE && kernel->phi_steps.data[i] != SYM_NONE)
                kernel->phi_values.data[i] = induction_value(kernel, phi, i);
            sym_poly known = kernel->phi_values.data[i];
            kernel->values[value] = known != SYM_NONE ? known : sym_of_atom(kernel->sym, kernel->phi_atoms.data[i]);
            return;
        }
    kernel->values[value] = opaque_value(kernel, value, phi->block);
    *vec_push(kernel->arena, &kernel->phis) = value;
    *vec_push(kernel->arena, &kernel->phi_atoms) = kernel->own_atoms[value];
    *vec_push(kernel->arena, &kernel->phi_values) = SYM_NONE;
    *vec_push(kernel->arena, &kernel->phi_steps) = SYM_NONE;
}

enum { MAX_EDGES = 16 };

/* On the way out of a loop by `==` the number of trips is known: `trip - n == 0` makes it n in the value. */
static sym_poly with_known_counters(struct sym_kernel *kernel, sym_poly value, sym_cond way)
{
    struct sym *sym = kernel->sym;
    struct sym_cond_data data = sym->conds.data[way];
    if (data.kind == SYM_AND)
        return with_known_counters(kernel, with_known_counters(kernel, value, data.left), data.right);
    if (data.kind != SYM_EQ)
        return value;
    struct sym_poly_data poly = sym->polys.data[data.poly];
    for (uint32_t i = 0; i < poly.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[poly.terms[i].monomial];
        sym_integer coefficient = poly.terms[i].coefficient;
        if (monomial.count != 1 || (coefficient != 1 && coefficient != -1))
            continue;
        for (uint32_t l = 0; l < kernel->ir->cfg->loop_count; l++) {
            sym_atom counter = kernel->loops[l].counter;
            sym_poly trips = sym_subtract(sym, sym_of_atom(sym, counter), sym_scale(sym, data.poly, coefficient));
            if (monomial.atoms[0] == counter && !sym_mentions(sym, trips, counter))
                return sym_substitute(sym, value, &counter, &trips, 1);
        }
    }
    return value;
}

static void join_phi(struct sym_kernel *kernel, const struct ir_instruction *phi)
{
    const struct ir_block *block = &kernel->ir->cfg->blocks[phi->block];
    const uint32_t *operands = ir_operands(kernel->ir, phi);
    uint32_t value = phi->first_result, count = phi->operand_count;
    struct sym *sym = kernel->sym;
    if (count == 0 || count > MAX_EDGES || count != block->predecessor_count) {
        if (!is_predicate(kernel, value))
            kernel->values[value] = opaque_value(kernel, value, phi->block);
        return;
    }
    sym_cond facts[MAX_EDGES];
    for (uint32_t i = 0; i < count; i++)
        facts[i] = sym_way_to_join(kernel, block->predecessors[i], phi->block);
    if (is_predicate(kernel, value)) {
        if (count == 2 && facts[0] == sym_not(sym, facts[1])) {
            sym_cond first = sym_and(sym, facts[0], sym_truth(kernel, operands[0]));
            sym_cond second = sym_and(sym, facts[1], sym_truth(kernel, operands[1]));
            kernel->truths[value] = sym_or(sym, first, second);
        }
        return;
    }
    sym_poly values[MAX_EDGES];
    unsigned bits = sym_bits(kernel, value);
    bool same = true;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = with_known_counters(kernel, sym_value(kernel, operands[i]), facts[i]);
        values[i] = sym_congruent(sym, values[i], bits);
        same = same && values[i] == values[0];
    }
    kernel->values[value] = same ? values[0] : sym_of_join(sym, phi->block, values, facts, count);
    sym_atom atom = sym_single_atom(sym, kernel->values[value]);
    if (!same && atom != SYM_NONE && sym->atoms.data[atom].kind == SYM_JOIN) {
        struct sym_atom_info *info = sym_info(kernel, atom);
        info->is_known = true;
        info->value = value;
        info->loop = block->loop;
    }
}

/* ---- the walk --------------------------------------------------------------------------------------------------- */

void sym_translate(struct sym_kernel *kernel)
{
    const struct ir_function *ir = kernel->ir;
    for (uint32_t v = 0; v < ir->value_count; v++) {
        kernel->values[v] = SYM_NONE;
        kernel->truths[v] = SYM_NONE;
    }
    kernel->loads.count = 0;
    kernel->loaded.count = 0;
    for (uint32_t i = 0; i < ir->instruction_count; i++) {
        const struct ir_instruction *instruction = &ir->instructions[i];
        if (instruction->op == IR_OP_PHI && is_header(kernel, instruction->block))
            header_phi(kernel, instruction);
        else if (instruction->op == IR_OP_PHI)
            join_phi(kernel, instruction);
        else if (!sym_translate_integer(kernel, instruction) && !sym_translate_predicate(kernel, instruction))
            sym_translate_other(kernel, instruction);
    }
}

/* ---- what an expression depends on --------------------------------------------------------------------------------- */

static bool atom_varies(struct sym_kernel *kernel, sym_atom atom, uint32_t loop)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    const struct sym_atom_info *info = sym_info(kernel, atom);
    if (info->value != IR_NONE && is_fresh(kernel, info->value))
        return true; /* another one at each mention */
    return info->loop != IR_NONE && ir_loop_contains(cfg, loop, cfg->loops[info->loop].header);
}

static bool cond_has_unknown(const struct sym *sym, sym_cond a)
{
    const struct sym_cond_data *data = &sym->conds.data[a];
    if (data->kind == SYM_AND || data->kind == SYM_OR)
        return cond_has_unknown(sym, data->left) || cond_has_unknown(sym, data->right);
    return data->kind == SYM_UNKNOWN;
}

static bool any_atom(struct sym_kernel *kernel, const struct bitset *set, bool (*test)(struct sym_kernel *, sym_atom, uint32_t),
                     uint32_t loop)
{
    for (uint32_t word = 0; word < (set->bits + 63) / 64; word++)
        for (uint64_t rest = set->words[word]; rest != 0; rest &= rest - 1) {
            sym_atom atom = word * 64 + (uint32_t)__builtin_ctzll(rest);
            const struct sym_atom_data *data = &kernel->sym->atoms.data[atom];
            if (test(kernel, atom, loop))
                return true;
            if (data->kind == SYM_SELECT && cond_has_unknown(kernel->sym, data->condition))
                return true;
            if (data->kind == SYM_JOIN)
                for (uint32_t i = 0; i < kernel->sym->joins.data[data->index].count; i++)
                    if (cond_has_unknown(kernel->sym, kernel->sym->joins.data[data->index].facts[i]))
                        return true;
        }
    return false;
}

bool sym_varies(struct sym_kernel *kernel, sym_poly a, uint32_t loop)
{
    struct bitset set;
    bitset_init(&set, kernel->arena, kernel->sym->atoms.count);
    sym_collect_atoms(kernel->sym, a, &set);
    return any_atom(kernel, &set, atom_varies, loop);
}

bool sym_cond_varies(struct sym_kernel *kernel, sym_cond a, uint32_t loop)
{
    struct bitset set;
    if (cond_has_unknown(kernel->sym, a))
        return true;
    bitset_init(&set, kernel->arena, kernel->sym->atoms.count);
    sym_collect_cond_atoms(kernel->sym, a, &set);
    return any_atom(kernel, &set, atom_varies, loop);
}

static bool atom_is_data(struct sym_kernel *kernel, sym_atom atom, uint32_t unused)
{
    (void)unused;
    return sym_info(kernel, atom)->is_data;
}

bool sym_depends_on_data(struct sym_kernel *kernel, sym_cond a)
{
    struct bitset set;
    if (cond_has_unknown(kernel->sym, a))
        return true;
    bitset_init(&set, kernel->arena, kernel->sym->atoms.count);
    sym_collect_cond_atoms(kernel->sym, a, &set);
    return any_atom(kernel, &set, atom_is_data, IR_NONE);
}
