/* SPDX-License-Identifier: Apache-2.0
 *
 * Two threads of one launch: polynomials and conditions of the first, as they are in the second.
 *
 * Requires: what is uniform in the scope of the two, and how the second stands to the first in each loop.  Gives: a rewriting in which
 * whatever may differ has become a variable of the second thread, and what must be the same has stayed.  A variable stays only
 * if its value is uniform and all loops that it may vary in are in equal trips; a uniform induction goes a step ahead with its loop.
 * Unknown truths and values at joins are the second thread's own, since nothing says that it took the same way.
 */
#include "sym/uniform.h"

#include "sym/table.h"

struct sym_pair *sym_pair_new(struct sym_kernel *kernel, const struct sym_uniform *uniform)
{
    struct sym_pair *pair = ARENA_NEW(kernel->arena, struct sym_pair);
    pair->kernel = kernel;
    pair->uniform = uniform;
    pair->relations = ARENA_ARRAY(kernel->arena, uint8_t, kernel->ir->cfg->loop_count + 1);
    pair->warp = SYM_NONE;
    return pair;
}

void sym_pair_relate(struct sym_pair *pair, const uint8_t *relations)
{
    bool changed = false;
    for (uint32_t l = 0; l < pair->kernel->ir->cfg->loop_count; l++) {
        changed |= pair->relations[l] != relations[l];
        pair->relations[l] = relations[l];
    }
    if (!changed && pair->is_related)
        return; /* what was rewritten is still right */
    pair->is_related = true;
    pair->polys.count = 0;
    pair->conds.count = 0;
}

void sym_pair_relate_at(struct sym_pair *pair, uint32_t block)
{
    const struct ir_cfg *cfg = pair->kernel->ir->cfg;
    for (uint32_t l = 0; l < cfg->loop_count; l++)
        pair->relations[l] = ir_loop_contains(cfg, l, block) || !pair->uniform->loops[l] ? SYM_EQUAL_TRIPS : SYM_UNRELATED;
    pair->is_related = false; /* what is uniform may change before the next question */
    pair->polys.count = 0;
    pair->conds.count = 0;
}

/* ---- variables ------------------------------------------------------------------------------------------------ */

static bool is_axis(const struct sym_pair *pair, const sym_poly *axes, sym_atom atom)
{
    for (int axis = 0; axis < 3; axis++)
        if (axes[axis] == sym_of_atom(pair->kernel->sym, atom))
            return true;
    return false;
}

/* The innermost loop and all around it are in the same trips. */
static bool equal_trips(const struct sym_pair *pair, uint32_t loop)
{
    for (; loop != IR_NONE; loop = pair->kernel->ir->cfg->loops[loop].parent)
        if (pair->relations[loop] != SYM_EQUAL_TRIPS)
            return false;
    return true;
}

static uint32_t counted_loop(const struct sym_kernel *kernel, sym_atom atom)
{
    for (uint32_t l = 0; l < kernel->ir->cfg->loop_count; l++)
        if (kernel->loops[l].counter == atom)
            return l;
    return IR_NONE;
}

/* Does the variable have one value in both threads? */
static bool is_shared(const struct sym_pair *pair, sym_atom atom)
{
    struct sym_kernel *kernel = pair->kernel;
    const struct sym_atom_info info = *sym_info(kernel, atom);
    if (is_axis(pair, kernel->environment->thread, atom))
        return false;
    if (is_axis(pair, kernel->environment->block_index, atom))
        return pair->uniform->scope != SYM_SCOPE_LAUNCH;
    if (atom < kernel->neutral) /* of the environment: of the launch */
        return true;
    if (!info.is_known)
        return false;
    if (info.is_base)
        return true;
    for (unsigned s = 0; s < PTX_SPACE_COUNT; s++)
        if (kernel->windows[s] == atom)
            return true;
    uint32_t loop = counted_loop(kernel, atom);
    if (loop != IR_NONE)
        return equal_trips(pair, loop);
    return info.value != IR_NONE && !pair->uniform->values[info.value] && equal_trips(pair, info.loop);
}

static sym_atom double_of(struct sym_pair *pair, sym_atom atom)
{
    struct sym_kernel *kernel = pair->kernel;
    while (pair->doubles.count <= atom)
        *vec_push(kernel->arena, &pair->doubles) = SYM_NONE;
    if (pair->doubles.data[atom] == SYM_NONE) {
        struct sym_atom_data data = kernel->sym->atoms.data[atom];
        const char *name = data.name == NULL ? NULL : arena_printf(kernel->arena, "%s'", data.name);
        sym_atom twin = sym_variable(kernel->sym, name, data.low, data.high);
        bool is_data = sym_info(kernel, atom)->is_data;
        sym_info(kernel, twin)->is_data = is_data;
        pair->doubles.data[atom] = twin;
    }
    return pair->doubles.data[atom];
}

/* What a uniform phi of a loop's header is one trip on: the value that it gets on the only way back. */
static sym_poly phi_ahead(struct sym_pair *pair, sym_atom atom)
{
    struct sym_kernel *kernel = pair->kernel;
    const struct ir_function *ir = kernel->ir;
    const struct sym_atom_info info = *sym_info(kernel, atom);
    if (!info.is_known || info.value == IR_NONE || pair->uniform->values[info.value] || info.loop == IR_NONE ||
        pair->relations[info.loop] != SYM_ONE_AHEAD || !equal_trips(pair, ir->cfg->loops[info.loop].parent) ||
        ir->values[info.value].kind != IR_VALUE_RESULT)
        return SYM_NONE;
    const struct ir_instruction *phi = &ir->instructions[ir->values[info.value].index];
    const struct ir_block *block = &ir->cfg->blocks[phi->block];
    if (phi->op != IR_OP_PHI || ir->cfg->loops[info.loop].header != phi->block || phi->operand_count != block->predecessor_count)
        return SYM_NONE;
    uint32_t next = IR_NONE;
    for (uint32_t i = 0; i < phi->operand_count; i++) {
        if (!sym_is_back_edge(kernel, block->predecessors[i], phi->block))
            continue;
        if (next != IR_NONE)
            return SYM_NONE;
        next = ir_operands(ir, phi)[i];
    }
    return next == IR_NONE ? SYM_NONE : sym_wrap(kernel->sym, sym_value(kernel, next), sym_bits(kernel, info.value), false);
}

static sym_poly other_variable(struct sym_pair *pair, sym_atom atom)
{
    struct sym_kernel *kernel = pair->kernel;
    struct sym *sym = kernel->sym;
    if (is_shared(pair, atom))
        return sym_of_atom(sym, atom);
    uint32_t loop = counted_loop(kernel, atom);
    if (loop != IR_NONE && pair->relations[loop] == SYM_ONE_AHEAD && equal_trips(pair, kernel->ir->cfg->loops[loop].parent))
        return sym_shift(sym, sym_of_atom(sym, atom), 1);
    sym_poly ahead = phi_ahead(pair, atom);
    return ahead != SYM_NONE ? ahead : sym_of_atom(sym, double_of(pair, atom));
}

/* ---- what is made of them ---------------------------------------------------------------------------------------- */

static sym_poly other_join(struct sym_pair *pair, sym_atom atom)
{
    struct sym_kernel *kernel = pair->kernel;
    struct sym *sym = kernel->sym;
    const struct sym_atom_info info = *sym_info(kernel, atom);
    if (info.is_known && info.value != IR_NONE && !pair->uniform->values[info.value] && equal_trips(pair, info.loop))
        return sym_of_atom(sym, atom);
    struct sym_join join = sym->joins.data[sym->atoms.data[atom].index];
    sym_poly *values = ARENA_ARRAY(kernel->arena, sym_poly, join.count);
    sym_cond *facts = ARENA_ARRAY(kernel->arena, sym_cond, join.count);
    for (uint32_t i = 0; i < join.count; i++) {
        values[i] = sym_pair_other(pair, join.values[i]);
        facts[i] = sym_pair_other_cond(pair, join.facts[i]);
    }
    /* Another block number: never the atom of the first thread, even where its cases read the same. */
    return sym_of_join(sym, join.block + kernel->ir->cfg->block_count + 1, values, facts, join.count);
}

static sym_poly other_atom(struct sym_pair *pair, sym_atom atom)
{
    struct sym *sym = pair->kernel->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    if (data.kind == SYM_VARIABLE)
        return other_variable(pair, atom);
    if (data.kind == SYM_JOIN)
        return other_join(pair, atom);
    sym_poly a = sym_pair_other(pair, data.a), b = sym_pair_other(pair, data.b);
    sym_cond condition = data.kind == SYM_SELECT ? sym_pair_other_cond(pair, data.condition) : SYM_FALSE;
    if (a == data.a && b == data.b && (data.kind != SYM_SELECT || condition == data.condition))
        return sym_of_atom(sym, atom);
    return sym_atom_with(sym, &data, a, b, condition);
}

static sym_poly remembered_atom(struct sym_pair *pair, sym_atom atom)
{
    while (pair->polys.count <= atom)
        *vec_push(pair->kernel->arena, &pair->polys) = SYM_NONE;
    if (pair->polys.data[atom] == SYM_NONE) {
        sym_poly other = other_atom(pair, atom);
        pair->polys.data[atom] = other; /* the list may have moved */
    }
    return pair->polys.data[atom];
}

sym_poly sym_pair_other(struct sym_pair *pair, sym_poly a)
{
    struct sym *sym = pair->kernel->sym;
    struct sym_poly_data data = sym->polys.data[a];
    sym_poly sum = a;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        sym_poly before = sym_constant(sym, data.terms[i].coefficient), after = before;
        bool changed = false;
        for (uint32_t k = 0; k < monomial.count; k++) {
            sym_poly own = sym_of_atom(sym, monomial.atoms[k]), other = remembered_atom(pair, monomial.atoms[k]);
            before = sym_multiply(sym, before, own);
            after = sym_multiply(sym, after, other);
            changed |= own != other;
        }
        if (changed)
            sum = sym_add(sym, sym_subtract(sym, sum, before), after);
    }
    return sum;
}

static sym_cond other_unknown(struct sym_pair *pair, sym_cond a)
{
    struct sym *sym = pair->kernel->sym;
    struct sym_cond_data data = sym->conds.data[a];
    sym_cond plain = data.negated ? sym_not(sym, a) : a;
    while (pair->unknowns.count <= plain)
        *vec_push(pair->kernel->arena, &pair->unknowns) = SYM_NONE;
    if (pair->unknowns.data[plain] == SYM_NONE)
        pair->unknowns.data[plain] = sym_unknown(sym);
    return data.negated ? sym_not(sym, pair->unknowns.data[plain]) : pair->unknowns.data[plain];
}

static sym_cond make_other_cond(struct sym_pair *pair, sym_cond a)
{
    struct sym *sym = pair->kernel->sym;
    struct sym_cond_data data = sym->conds.data[a];
    sym_cond left;
    switch (data.kind) {
    case SYM_GE:
        return sym_ge(sym, sym_pair_other(pair, data.poly));
    case SYM_EQ:
        return sym_eq(sym, sym_pair_other(pair, data.poly));
    case SYM_NE:
        return sym_ne(sym, sym_pair_other(pair, data.poly));
    case SYM_AND:
        left = sym_pair_other_cond(pair, data.left);
        return sym_and(sym, left, sym_pair_other_cond(pair, data.right));
    case SYM_OR:
        left = sym_pair_other_cond(pair, data.left);
        return sym_or(sym, left, sym_pair_other_cond(pair, data.right));
    case SYM_UNKNOWN:
        return other_unknown(pair, a);
    default:
        return a;
    }
}

sym_cond sym_pair_other_cond(struct sym_pair *pair, sym_cond a)
{
    while (pair->conds.count <= a)
        *vec_push(pair->kernel->arena, &pair->conds) = SYM_NONE;
    if (pair->conds.data[a] == SYM_NONE) {
        sym_cond other = make_other_cond(pair, a);
        pair->conds.data[a] = other;
    }
    return pair->conds.data[a];
}

void sym_pair_add_other(struct sym_pair *pair, const sym_facts *from, sym_facts *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        sym_facts_add(pair->kernel, to, sym_pair_other_cond(pair, from->data[i]));
}

/* ---- warps ---------------------------------------------------------------------------------------------------------- */

sym_poly sym_linear_thread(struct sym_kernel *kernel)
{
    struct sym_environment *environment = kernel->environment;
    struct sym *sym = kernel->sym;
    sym_poly rows = sym_add(sym, environment->thread[1], sym_multiply(sym, environment->block[1], environment->thread[2]));
    return sym_add(sym, environment->thread[0], sym_multiply(sym, environment->block[0], rows));
}

void sym_pair_same_warp(struct sym_pair *pair, sym_facts *facts)
{
    struct sym_kernel *kernel = pair->kernel;
    struct sym *sym = kernel->sym;
    if (pair->warp == SYM_NONE)
        pair->warp = sym_of_atom(sym, sym_variable(sym, "warp", 0, 31));
    sym_poly own = sym_linear_thread(kernel), other = sym_pair_other(pair, own);
    sym_poly first = sym_scale(sym, pair->warp, 32);
    for (int which = 0; which < 2; which++) {
        sym_poly lane = sym_subtract(sym, which == 0 ? own : other, first);
        sym_facts_add(kernel, facts, sym_ge(sym, lane));
        sym_facts_add(kernel, facts, sym_ge(sym, sym_shift(sym, sym_scale(sym, lane, -1), 31)));
    }
}
