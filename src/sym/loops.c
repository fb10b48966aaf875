/* SPDX-License-Identifier: Apache-2.0
 *
 * Invariants of loops.
 *
 * That an induction variable (induction.c) does not leave its width, and how far its loop goes, are candidates for invariants, taken from
 * the conditions on the way back; a candidate stays if it holds on entry and, assuming all that stayed, after one more trip
 * (Flanagan and Leino, "Houdini, an annotation assistant").  Sound for reducible loops.  Gives up on: nothing; what does not prove is dropped.
 */
#include "sym/translate.h"

#include "sym/table.h"

/* ---- candidates -------------------------------------------------------------------------------------------------------- */

struct edge {
    uint32_t from;
    bool is_back;
    sym_facts facts;       /* on that edge, without candidates of this loop */
    uint32_t atom_count;   /* what becomes what on it: the counter and the phis that are no induction variables */
    sym_atom *atoms;
    sym_poly *values;
};

struct houdini {
    struct sym_kernel *kernel;
    uint32_t loop, header;
    sym_atom counter;
    struct edge *edges;
    uint32_t edge_count;
    VEC(sym_cond) candidates;
};

enum { MAX_CANDIDATES = 64 };

static void add_candidate(struct houdini *work, sym_cond candidate)
{
    struct sym *sym = work->kernel->sym;
    const struct sym_cond_data data = sym->conds.data[candidate];
    if (data.kind == SYM_AND) {
        add_candidate(work, data.left);
        add_candidate(work, data.right);
        return;
    }
    if (candidate == SYM_TRUE || candidate == SYM_FALSE || work->candidates.count >= MAX_CANDIDATES)
        return;
    for (uint32_t i = 0; i < work->candidates.count; i++)
        if (work->candidates.data[i] == candidate)
            return;
    *vec_push(work->kernel->arena, &work->candidates) = candidate;
}

/* May the condition differ in another trip by anything but the counter and the phis of the header? */
static bool is_ours(struct houdini *work, sym_cond candidate)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    /* Take them out first: replaced by constants of the loop. */
    sym_atom atoms[64];
    sym_poly values[64];
    uint32_t count = 0;
    atoms[count++] = work->counter;
    for (uint32_t i = 0; i < kernel->phis.count && count < 64; i++)
        if (sym_phi_loop(kernel, i) == work->loop)
            atoms[count++] = kernel->phi_atoms.data[i];
    sym_poly neutral = sym_of_atom(sym, kernel->neutral);
    for (uint32_t i = 0; i < count; i++)
        values[i] = neutral;
    return !sym_cond_varies(kernel, sym_substitute_cond(sym, candidate, atoms, values, count), work->loop);
}

static sym_cond one_trip_earlier(struct houdini *work, sym_cond condition)
{
    struct sym *sym = work->kernel->sym;
    sym_poly before = sym_shift(sym, sym_of_atom(sym, work->counter), -1);
    return sym_substitute_cond(sym, condition, &work->counter, &before, 1);
}

/* What is in the polynomial the linear atom `atom`: its coefficient, if it occurs in no product. */
static sym_integer linear_coefficient(const struct sym *sym, sym_poly poly, sym_atom atom)
{
    const struct sym_poly_data *data = &sym->polys.data[poly];
    sym_integer coefficient = 0;
    for (uint32_t i = 0; i < data->count; i++) {
        const struct sym_monomial_data *monomial = &sym->monomials.data[data->terms[i].monomial];
        for (uint32_t k = 0; k < monomial->count; k++)
            if (monomial->atoms[k] == atom) {
                if (monomial->count != 1)
                    return 0;
                coefficient = data->terms[i].coefficient;
            }
    }
    return coefficient;
}

/* An exit by `!=`: what it compares goes by a constant step towards 0 and must not jump over it. */
static void add_distance_candidates(struct houdini *work, sym_poly poly)
{
    struct sym *sym = work->kernel->sym;
    sym_atom single = sym_single_atom(sym, poly);
    sym_poly distance = poly;
    if (single != SYM_NONE && (sym->atoms.data[single].kind == SYM_WRAP_SIGNED || sym->atoms.data[single].kind == SYM_WRAP_UNSIGNED))
        distance = sym->atoms.data[single].a;
    sym_integer step = linear_coefficient(sym, distance, work->counter);
    if (step == 0) { /* U(x) - U(y) and the like: strip one wrap of each term */
        distance = sym_congruent(sym, poly, 16);
        step = linear_coefficient(sym, distance, work->counter);
    }
    if (step == 0)
        return;
    sym_poly left = step > 0 ? sym_scale(sym, distance, -1) : distance;
    add_candidate(work, sym_ge(sym, left)); /* as it stands on the way back of this trip */
}

/* Ranges of everything that a condition reads as a number, in this trip and the one before. */
static void add_range_candidates(struct houdini *work, sym_cond condition)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    struct bitset set;
    bitset_init(&set, kernel->arena, sym->atoms.count);
    sym_collect_cond_atoms(sym, condition, &set);
    for (uint32_t atom = 0; atom < set.bits; atom++) {
        struct sym_atom_data data = sym->atoms.data[atom];
        if (!bitset_has(&set, atom) || (data.kind != SYM_WRAP_SIGNED && data.kind != SYM_WRAP_UNSIGNED) || data.bits < 16 ||
            !sym_mentions(sym, data.a, work->counter))
            continue;
        sym_cond above = sym_ge(sym, sym_shift(sym, data.a, -data.low));
        sym_cond below = sym_ge(sym, sym_shift(sym, sym_scale(sym, data.a, -1), data.high));
        sym_cond both[4] = {above, below, one_trip_earlier(work, above), one_trip_earlier(work, below)};
        for (int i = 0; i < 4; i++)
            if (is_ours(work, both[i]))
                add_candidate(work, both[i]);
    }
}

/* Elements that a condition reads are replaced by their bound, where that makes it weaker: S(next) < row_end[] gives S(next) < nnz. */
static sym_cond weaken_loaded(struct houdini *work, sym_cond condition)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    struct sym_cond_data data = sym->conds.data[condition];
    if (data.kind != SYM_GE)
        return condition;
    for (uint32_t i = 0; i < kernel->loaded.count; i++) {
        sym_cond facts[2] = {kernel->loaded.data[i].fact, SYM_TRUE};
        struct sym_cond_data pair = sym->conds.data[facts[0]];
        if (pair.kind == SYM_AND) {
            facts[0] = pair.left;
            facts[1] = pair.right;
        }
        uint32_t instruction = kernel->loaded.data[i].instruction;
        for (uint32_t r = 0; r < kernel->ir->instructions[instruction].result_count; r++) {
            sym_atom atom = kernel->own_atoms[kernel->ir->instructions[instruction].first_result + r];
            sym_integer coefficient = atom == SYM_NONE ? 0 : linear_coefficient(sym, sym->conds.data[condition].poly, atom);
            for (int side = 0; side < 2 && coefficient != 0; side++) {
                if (sym->conds.data[facts[side]].kind != SYM_GE)
                    continue;
                sym_poly bound = sym->conds.data[facts[side]].poly;
                sym_integer other = linear_coefficient(sym, bound, atom);
                /* p >= 0 and bound >= 0 give p + k*bound >= 0, without the element. */
                if (other != 0 && coefficient % other == 0 && coefficient / other < 0)
                    return sym_ge(sym, sym_add(sym, sym->conds.data[condition].poly,
                                               sym_scale(sym, bound, -(coefficient / other))));
            }
        }
    }
    return condition;
}

/* The condition with what a phi becomes replaced by the phi, read as it is read there. */
static void add_phi_candidates(struct houdini *work, sym_cond condition)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    struct sym_cond_data data = sym->conds.data[condition];
    if (data.kind != SYM_GE && data.kind != SYM_NE)
        return;
    for (uint32_t e = 0; e < work->edge_count; e++) {
        const struct edge *edge = &work->edges[e];
        for (uint32_t i = 1; edge->is_back && i < edge->atom_count; i++) {
            sym_poly phi = sym_of_atom(sym, edge->atoms[i]);
            unsigned bits = sym_bits(kernel, sym_info(kernel, edge->atoms[i])->value);
            for (int how = 0; how < 3; how++) {
                sym_poly next = how == 0 ? edge->values[i] : sym_wrap(sym, edge->values[i], bits, how == 1);
                sym_poly now = how == 0 ? phi : sym_wrap(sym, phi, bits, how == 1);
                sym_poly replaced = SYM_NONE;
                /* poly = k*next + rest, for k = 1, -1: rest must be constant in the loop. */
                for (int sign = -1; sign <= 1; sign += 2) {
                    sym_poly rest = sym_subtract(sym, data.poly, sym_scale(sym, next, sign));
                    if (!sym_varies(kernel, rest, work->loop))
                        replaced = sym_add(sym, rest, sym_scale(sym, now, sign));
                }
                if (replaced != SYM_NONE)
                    add_candidate(work, data.kind == SYM_GE ? sym_ge(sym, replaced) : sym_ne(sym, replaced));
            }
        }
    }
}

/* Phis that are no induction variables often only grow or only shrink. */
static void add_order_candidates(struct houdini *work)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    for (uint32_t e = 0; e < work->edge_count; e++) {
        const struct edge *edge = &work->edges[e];
        for (uint32_t i = 1; !edge->is_back && i < edge->atom_count; i++) {
            sym_poly phi = sym_of_atom(sym, edge->atoms[i]);
            unsigned bits = sym_bits(kernel, sym_info(kernel, edge->atoms[i])->value);
            add_candidate(work, sym_ge(sym, sym_shift(sym, phi, -1)));
            sym_integer half = (sym_integer)1 << (bits - 1);
            add_candidate(work, sym_ge(sym, sym_shift(sym, sym_scale(sym, phi, -1), half - 1)));
            if (sym_varies(kernel, edge->values[i], work->loop))
                continue;
            sym_poly start = sym_wrap(sym, edge->values[i], bits, false);
            add_candidate(work, sym_ge(sym, sym_subtract(sym, start, phi)));
            add_candidate(work, sym_ge(sym, sym_subtract(sym, phi, start)));
        }
    }
}

/* The condition as it would be if nothing in it wrapped: a candidate like any other. */
static sym_cond without_wraps(struct sym_kernel *kernel, sym_cond condition)
{
    struct sym *sym = kernel->sym;
    for (int round = 0; round < 8; round++) {
        struct sym_cond_data data = sym->conds.data[condition];
        if (data.kind != SYM_GE)
            return condition;
        struct sym_poly_data poly = sym->polys.data[data.poly];
        sym_cond next = condition;
        for (uint32_t i = 0; i < poly.count && next == condition; i++) {
            struct sym_monomial_data monomial = sym->monomials.data[poly.terms[i].monomial];
            for (uint32_t k = 0; k < monomial.count && next == condition; k++) {
                struct sym_atom_data atom = sym->atoms.data[monomial.atoms[k]];
                if (atom.kind == SYM_WRAP_SIGNED || atom.kind == SYM_WRAP_UNSIGNED)
                    next = sym_substitute_cond(sym, condition, &monomial.atoms[k], &atom.a, 1);
            }
        }
        if (next == condition)
            break;
        condition = next;
    }
    return condition;
}

/* Conditions that hold on the way from the header to this way back. */
static void add_way_candidates(struct houdini *work, uint32_t from)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    const struct ir_cfg *cfg = kernel->ir->cfg;
    sym_facts way = {0};
    sym_facts_add(kernel, &way, sym_branch_fact(kernel, from, work->header));
    for (uint32_t at = from; at != work->header && at != IR_NONE; at = cfg->blocks[at].idom)
        if (cfg->blocks[at].predecessor_count == 1)
            sym_facts_add(kernel, &way, sym_branch_fact(kernel, cfg->blocks[at].predecessors[0], at));
    for (uint32_t i = 0; i < way.count; i++) {
        add_range_candidates(work, way.data[i]);
        add_phi_candidates(work, way.data[i]);
        sym_cond condition = way.data[i];
        for (int round = 0; round < 3 && !is_ours(work, condition); round++)
            condition = weaken_loaded(work, condition);
        if (!is_ours(work, condition))
            continue;
        sym_cond earlier = one_trip_earlier(work, condition);
        if (sym_cond_mentions(sym, condition, work->counter)) {
            add_candidate(work, earlier);
            add_candidate(work, one_trip_earlier(work, without_wraps(kernel, condition)));
        }
        if (sym->conds.data[condition].kind == SYM_NE)
            add_distance_candidates(work, sym->conds.data[condition].poly);
    }
}

/* ---- proof ------------------------------------------------------------------------------------------------------------------ */

static void prepare_edge(struct houdini *work, struct edge *edge, uint32_t from, uint32_t number)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    edge->from = from;
    edge->is_back = sym_is_back_edge(kernel, from, work->header);
    edge->atoms = ARENA_ARRAY(kernel->arena, sym_atom, kernel->phis.count + 1);
    edge->values = ARENA_ARRAY(kernel->arena, sym_poly, kernel->phis.count + 1);
    edge->atoms[0] = work->counter;
    edge->values[0] = edge->is_back ? sym_shift(sym, sym_of_atom(sym, work->counter), 1) : SYM_ZERO;
    edge->atom_count = 1;
    for (uint32_t i = 0; i < kernel->phis.count; i++) {
        if (sym_phi_loop(kernel, i) != work->loop || kernel->phi_values.data[i] != SYM_NONE)
            continue;
        uint32_t value = kernel->phis.data[i];
        const struct ir_instruction *phi = &kernel->ir->instructions[kernel->ir->values[value].index];
        uint32_t operand = ir_operands(kernel->ir, phi)[number];
        edge->atoms[edge->atom_count] = kernel->phi_atoms.data[i];
        /* The atom is the register read as an unsigned number. */
        edge->values[edge->atom_count++] =
            sym_wrap(sym, sym_value(kernel, operand), sym_bits(kernel, value), false);
    }
    sym_facts_on_edge(kernel, from, work->header, &edge->facts);
}

static bool holds_after(struct houdini *work, const struct edge *edge, sym_cond candidate, bool with_candidates)
{
    struct sym_kernel *kernel = work->kernel;
    struct sym *sym = kernel->sym;
    sym_cond goal = sym_substitute_cond(sym, candidate, edge->atoms, edge->values, edge->atom_count);
    sym_facts facts = {0};
    for (uint32_t i = 0; i < edge->facts.count; i++)
        *vec_push(kernel->arena, &facts) = edge->facts.data[i];
    for (uint32_t i = 0; with_candidates && i < work->candidates.count; i++)
        sym_facts_add(kernel, &facts, work->candidates.data[i]);
    sym_facts_close(kernel, &facts, goal);
    return sym_prove(sym, facts.data, facts.count, goal, &kernel->limits) == SYM_PROVED;
}

static void drop_candidate(struct houdini *work, uint32_t index)
{
    for (uint32_t i = index; i + 1 < work->candidates.count; i++)
        work->candidates.data[i] = work->candidates.data[i + 1];
    work->candidates.count--;
}

static void keep_on_entry(struct houdini *work)
{
    for (uint32_t e = 0; e < work->edge_count; e++)
        for (uint32_t c = work->candidates.count; !work->edges[e].is_back && c-- > 0;)
            if (!holds_after(work, &work->edges[e], work->candidates.data[c], false))
                drop_candidate(work, c);
}

static void keep_inductive(struct houdini *work)
{
    for (bool changed = true; changed && work->candidates.count != 0;) {
        changed = false;
        for (uint32_t e = 0; e < work->edge_count; e++)
            for (uint32_t c = work->candidates.count; work->edges[e].is_back && c-- > 0;)
                if (!holds_after(work, &work->edges[e], work->candidates.data[c], true)) {
                    drop_candidate(work, c);
                    changed = true;
                }
    }
}

/* ---- exits ------------------------------------------------------------------------------------------------------------------- */

static bool lies_within(struct sym_kernel *kernel, sym_facts *facts, sym_poly poly, sym_integer limit)
{
    struct sym *sym = kernel->sym;
    sym_cond above = sym_ge(sym, sym_shift(sym, poly, limit));
    sym_cond below = sym_ge(sym, sym_shift(sym, sym_scale(sym, poly, -1), limit));
    sym_facts_close(kernel, facts, sym_and(sym, above, below));
    return sym_prove(sym, facts->data, facts->count, above, &kernel->limits) == SYM_PROVED &&
           sym_prove(sym, facts->data, facts->count, below, &kernel->limits) == SYM_PROVED;
}

/* `D == 0 modulo 2^w` is D == 0 where D lies in (-2^w, 2^w). */
static void refine_edge(struct sym_kernel *kernel, uint32_t from, uint32_t to, sym_atom counter)
{
    struct sym *sym = kernel->sym;
    sym_facts stated = {0}, facts = {0};
    sym_facts_add(kernel, &stated, sym_branch_fact(kernel, from, to));
    for (uint32_t i = 0; i < stated.count; i++) {
        struct sym_cond_data data = sym->conds.data[stated.data[i]];
        if (data.kind != SYM_EQ && data.kind != SYM_NE)
            continue;
        sym_atom atom = sym_single_atom(sym, data.poly);
        if (atom == SYM_NONE)
            continue;
        struct sym_atom_data wrap = sym->atoms.data[atom];
        if ((wrap.kind != SYM_WRAP_SIGNED && wrap.kind != SYM_WRAP_UNSIGNED) || !sym_mentions(sym, wrap.a, counter))
            continue;
        if (facts.count == 0)
            sym_facts_on_edge(kernel, from, to, &facts);
        if (!lies_within(kernel, &facts, wrap.a, sym_power_of_two(wrap.bits) - 1))
            continue;
        struct sym_refinement refinement = {.from = from, .to = to};
        refinement.fact = data.kind == SYM_EQ ? sym_eq(sym, wrap.a) : sym_ne(sym, wrap.a);
        *vec_push(kernel->arena, &kernel->refinements) = refinement;
    }
}

static void refine_exits(struct sym_kernel *kernel, uint32_t loop)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    for (uint32_t n = cfg->loops[loop].order_first; n < cfg->loops[loop].order_end; n++) {
        uint32_t block = cfg->by_order[n];
        for (uint32_t s = 0; s < cfg->blocks[block].successor_count; s++) {
            uint32_t to = cfg->blocks[block].successors[s];
            if (!ir_loop_contains(cfg, loop, to) || to == cfg->loops[loop].header)
                refine_edge(kernel, block, to, kernel->loops[loop].counter);
        }
    }
}

static void analyse_loop(struct sym_kernel *kernel, uint32_t loop)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    struct houdini work = {
        .kernel = kernel, .loop = loop, .header = cfg->loops[loop].header, .counter = kernel->loops[loop].counter};
    const struct ir_block *header = &cfg->blocks[work.header];
    kernel->loops[loop].invariants.count = 0;
    work.edge_count = header->predecessor_count;
    work.edges = ARENA_ARRAY(kernel->arena, struct edge, work.edge_count);
    for (uint32_t e = 0; e < work.edge_count; e++)
        prepare_edge(&work, &work.edges[e], header->predecessors[e], e);
    for (uint32_t e = 0; e < work.edge_count; e++)
        if (work.edges[e].is_back)
            add_way_candidates(&work, work.edges[e].from);
    add_order_candidates(&work);
    keep_on_entry(&work);
    keep_inductive(&work);
    for (uint32_t c = 0; c < work.candidates.count; c++)
        *vec_push(kernel->arena, &kernel->loops[loop].invariants) = work.candidates.data[c];
    refine_exits(kernel, loop);
    kernel->loops[loop].is_analysed = true;
}

void sym_analyse_loops(struct sym_kernel *kernel)
{
    const struct ir_cfg *cfg = kernel->ir->cfg;
    /* Outer loops before inner ones, earlier ones before later ones: facts of those are used for these. */
    for (uint32_t n = 0; n < cfg->block_count; n++) {
        uint32_t block = cfg->by_order[n], loop = cfg->blocks[block].loop;
        if (loop != IR_NONE && cfg->loops[loop].header == block)
            analyse_loop(kernel, loop);
    }
}

/* ---- all together --------------------------------------------------------------------------------------------------------------- */

enum { MAX_ROUNDS = 8 };

struct sym_kernel *sym_kernel_build(struct sym *sym, const struct ir_function *ir, struct sym_environment *environment,
                                    const struct sym_limits *limits)
{
    struct sym_kernel *kernel = ARENA_NEW(sym->arena, struct sym_kernel);
    kernel->arena = sym->arena;
    kernel->sym = sym;
    kernel->ir = ir;
    kernel->environment = environment;
    if (limits != NULL)
        kernel->limits = *limits;
    kernel->values = ARENA_ARRAY(sym->arena, sym_poly, ir->value_count + 1);
    kernel->truths = ARENA_ARRAY(sym->arena, sym_cond, ir->value_count + 1);
    kernel->own_atoms = ARENA_ARRAY(sym->arena, sym_atom, ir->value_count + 1);
    for (uint32_t v = 0; v <= ir->value_count; v++)
        kernel->own_atoms[v] = SYM_NONE;
    for (unsigned s = 0; s < PTX_SPACE_COUNT; s++)
        kernel->windows[s] = SYM_NONE;
    kernel->neutral = sym_variable(sym, "any", SYM_MIN, SYM_MAX);
    kernel->loops = ARENA_ARRAY(sym->arena, struct sym_loop, ir->cfg->loop_count + 1);
    for (uint32_t l = 0; l < ir->cfg->loop_count; l++) {
        /* 2^62 trips take longer than any machine runs. */
        kernel->loops[l].counter = sym_variable(sym, arena_printf(sym->arena, "trip%u", l + 1), 0, (sym_integer)1 << 62);
        struct sym_atom_info *info = sym_info(kernel, kernel->loops[l].counter);
        info->is_known = true;
        info->loop = l;
    }
    sym_translate(kernel);
    for (int round = 0; round < MAX_ROUNDS && sym_find_inductions(kernel); round++)
        sym_translate(kernel);
    if (ir->cfg->loop_count != 0) {
        sym_analyse_loops(kernel);
        /* Once more: ways through loops now carry what was found out about them. */
        sym_translate(kernel);
        kernel->refinements.count = 0;
        sym_analyse_loops(kernel);
    }
    return kernel;
}
