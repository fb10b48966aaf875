/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames: one set of facts each, kept between the questions that are asked under it.
 *
 * Gives: facts rewritten with all that the bounds decide, a system of them, and the choice of facts that touch a goal.  A rewriting
 * atom = value is implied by the facts, so it may be used everywhere under them; what the atom's definition said besides is added as
 * facts before the atom disappears.
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_COUNT = 24, RENEW_ROUNDS = 8, PROPAGATION_ROUNDS = 8, MAX_APPLICATIONS = 12, MAX_FACTS = 3000 };

/* ---- collecting atoms ----------------------------------------------------------------------------------- */

void solve_collect_begin(struct sym *sym)
{
    solve_solver(sym)->epoch++;
}

struct collection {
    struct sym *sym;
    struct arena *arena;
    solve_atoms *atoms;
    VEC(sym_cond) conds; /* to be walked */
    uint32_t walked;     /* of `atoms` */
};

static void collect_from_poly(struct collection *work, sym_poly poly)
{
    struct sym *sym = work->sym;
    struct sym_solver *solver = solve_solver(sym);
    struct sym_poly_data data = sym->polys.data[poly];
    while (solver->marks.count < sym->atoms.count)
        *vec_push(sym->arena, &solver->marks) = 0;
    for (uint32_t i = 0; i < data.count; i++) {
        struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
        for (uint32_t j = 0; j < monomial.count; j++) {
            if (solver->marks.data[monomial.atoms[j]] == solver->epoch)
                continue;
            solver->marks.data[monomial.atoms[j]] = solver->epoch;
            *vec_push(work->arena, work->atoms) = monomial.atoms[j];
        }
    }
}

static void collect_conds(struct collection *work)
{
    while (work->conds.count != 0) {
        struct sym_cond_data data = work->sym->conds.data[work->conds.data[--work->conds.count]];
        if (data.kind == SYM_AND || data.kind == SYM_OR) {
            *vec_push(work->arena, &work->conds) = data.right;
            *vec_push(work->arena, &work->conds) = data.left;
        } else if (data.kind == SYM_GE || data.kind == SYM_EQ || data.kind == SYM_NE) {
            collect_from_poly(work, data.poly);
        }
    }
}

static void collect_inner(struct collection *work)
{
    collect_conds(work);
    for (; work->walked < work->atoms->count; work->walked++) {
        struct sym_atom_data data = work->sym->atoms.data[work->atoms->data[work->walked]];
        if (data.kind == SYM_VARIABLE)
            continue;
        if (data.kind == SYM_JOIN) {
            struct sym_join join = work->sym->joins.data[data.index];
            for (uint32_t i = 0; i < join.count; i++) {
                collect_from_poly(work, join.values[i]);
                *vec_push(work->arena, &work->conds) = join.facts[i];
            }
        } else {
            collect_from_poly(work, data.a);
            collect_from_poly(work, data.b);
            if (data.kind == SYM_SELECT)
                *vec_push(work->arena, &work->conds) = data.condition;
        }
        collect_conds(work);
    }
}

void solve_collect_cond(struct sym *sym, sym_cond cond, struct arena *arena, solve_atoms *atoms)
{
    struct collection work = {.sym = sym, .arena = arena, .atoms = atoms, .walked = atoms->count};
    *vec_push(arena, &work.conds) = cond;
    collect_inner(&work);
}

/* ---- facts ------------------------------------------------------------------------------------------------ */

static bool has_fact(const struct solve_frame *frame, sym_cond cond)
{
    for (uint32_t i = 0; i < frame->facts.count; i++)
        if (frame->facts.data[i] == cond)
            return true;
    return false;
}

void solve_frame_add_fact(struct sym *sym, struct solve_frame *frame, sym_cond fact)
{
    VEC(sym_cond) stack = {0};
    *vec_push(&frame->arena, &stack) = fact;
    while (stack.count != 0) {
        sym_cond top = stack.data[--stack.count];
        struct sym_cond_data data = sym->conds.data[top];
        if (top == SYM_FALSE) {
            frame->contradictory = true;
        } else if (data.kind == SYM_AND) {
            *vec_push(&frame->arena, &stack) = data.right;
            *vec_push(&frame->arena, &stack) = data.left;
        } else if (top != SYM_TRUE && frame->facts.count < MAX_FACTS && !has_fact(frame, top)) {
            *vec_push(&frame->arena, &frame->facts) = top;
        }
    }
}

/* Values may hold atoms that are rewritten too: until nothing changes. */
sym_cond solve_frame_apply(struct sym *sym, const struct solve_frame *frame, sym_cond cond)
{
    for (unsigned round = 0; round < MAX_APPLICATIONS && frame->from.count != 0; round++) {
        sym_cond next = sym_substitute_cond(sym, cond, frame->from.data, frame->to.data, frame->from.count);
        if (next == cond)
            break;
        cond = next;
    }
    return cond;
}

static void apply_to_facts(struct sym *sym, struct solve_frame *frame)
{
    VEC(sym_cond) old = {frame->facts.data, frame->facts.count, frame->facts.capacity};
    memset(&frame->facts, 0, sizeof frame->facts);
    for (uint32_t i = 0; i < old.count; i++)
        solve_frame_add_fact(sym, frame, solve_frame_apply(sym, frame, old.data[i]));
}

/* What holds where all other edges are ruled out. */
static sym_cond only_edge(const struct solve_frame *frame, const struct sym_join *join)
{
    sym_cond only = SYM_TRUE;
    uint32_t open = 0;
    for (uint32_t i = 0; i < join->count; i++) {
        if (solve_truth(&frame->system, join->facts[i]) != 0) {
            only = join->facts[i];
            open++;
        }
    }
    return open == 1 ? only : SYM_TRUE;
}

/* What the definition of an atom says of the value that takes its place. */
static void keep_definition(struct sym *sym, struct solve_frame *frame, sym_atom atom, sym_poly value)
{
    struct sym_atom_data data = sym->atoms.data[atom];
    sym_integer constant;
    sym_poly rest;
    if (data.low > SYM_MIN)
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_shift(sym, value, -data.low)));
    if (data.high < SYM_MAX)
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_shift(sym, sym_scale(sym, value, -1), data.high)));
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        rest = sym_scale(sym, sym_of_atom(sym, solve_turns(sym, atom)), sym_power_of_two(data.bits));
        rest = sym_subtract(sym, sym_subtract(sym, data.a, value), rest);
        if (sym_is_constant(sym, value, &constant))
            solve_frame_add_fact(sym, frame, sym_eq(sym, rest));
        break;
    case SYM_QUOTIENT: /* only rewritten where b >= 1 */
        rest = sym_subtract(sym, data.a, sym_multiply(sym, data.b, value));
        solve_frame_add_fact(sym, frame, sym_ge(sym, rest));
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_shift(sym, sym_subtract(sym, data.b, rest), -1)));
        break;
    case SYM_MINIMUM:
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_subtract(sym, data.a, value)));
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_subtract(sym, data.b, value)));
        break;
    case SYM_MAXIMUM:
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_subtract(sym, value, data.a)));
        solve_frame_add_fact(sym, frame, sym_ge(sym, sym_subtract(sym, value, data.b)));
        break;
    case SYM_JOIN:
        if (solve_is_certain(&frame->system, atom))
            solve_frame_add_fact(sym, frame, only_edge(frame, &sym->joins.data[data.index]));
        break;
    default:
        break;
    }
}

static bool is_rewritten(const struct solve_frame *frame, sym_atom atom)
{
    for (uint32_t i = 0; i < frame->from.count; i++)
        if (frame->from.data[i] == atom)
            return true;
    return false;
}

bool solve_frame_rewrite(struct sym *sym, struct solve_frame *frame, sym_atom atom, sym_poly value)
{
    if (is_rewritten(frame, atom))
        return false;
    keep_definition(sym, frame, atom, value);
    *vec_push(&frame->arena, &frame->from) = atom;
    *vec_push(&frame->arena, &frame->to) = value;
    return true;
}

void solve_frame_renew(struct sym *sym, struct solve_frame *frame)
{
    frame->indexed = frame->index.count = frame->fact_atoms.count = 0;
    for (unsigned round = 0; round < RENEW_ROUNDS && !frame->contradictory; round++) {
        apply_to_facts(sym, frame);
        solve_system_init(&frame->system, sym, &frame->arena);
        for (uint32_t i = 0; i < frame->facts.count; i++)
            solve_assert_given(&frame->system, frame->facts.data[i]);
        if (frame->contradictory || !solve_close(&frame->system, PROPAGATION_ROUNDS)) {
            frame->contradictory = true;
            break;
        }
        uint32_t before = frame->from.count;
        for (uint32_t i = 0; i < frame->system.atoms.count; i++) {
            sym_atom atom = frame->system.atoms.data[i];
            sym_poly value = solve_value_by_bounds(&frame->system, atom);
            if (value != SYM_NONE)
                solve_frame_rewrite(sym, frame, atom, value);
        }
        if (frame->from.count == before)
            break;
    }
}

/* ---- choosing facts ------------------------------------------------------------------------------------------ */

static void index_facts(struct sym *sym, struct solve_frame *frame)
{
    for (; frame->indexed < frame->facts.count; frame->indexed++) {
        solve_atoms atoms = {0};
        solve_collect_begin(sym);
        solve_collect_cond(sym, frame->facts.data[frame->indexed], &frame->arena, &atoms);
        struct solve_fact *fact = vec_push(&frame->arena, &frame->index);
        *fact = (struct solve_fact){frame->facts.data[frame->indexed], frame->fact_atoms.count, atoms.count};
        for (uint32_t i = 0; i < atoms.count; i++)
            *vec_push(&frame->arena, &frame->fact_atoms) = atoms.data[i];
    }
}

/* How many of its atoms are not near yet; SYM_NONE: none is near. */
static uint32_t count_far(const struct solve_frame *frame, uint32_t fact, const struct bitset *near)
{
    struct solve_fact data = frame->index.data[fact];
    uint32_t far = 0;
    for (uint32_t i = 0; i < data.atom_count; i++)
        far += !bitset_has(near, frame->fact_atoms.data[data.first_atom + i]);
    return data.atom_count != 0 && far == data.atom_count ? SYM_NONE : far;
}

/* Facts that speak of near atoms alone come first; then those that bring one more atom, and so on. */
void solve_choose_facts(struct sym *sym, struct solve_frame *frame, sym_cond goal, uint32_t limit, struct arena *arena,
                        solve_conds *chosen)
{
    if (frame->facts.count <= limit / 3 || goal == SYM_FALSE) {
        for (uint32_t i = 0; i < frame->facts.count; i++)
            *vec_push(arena, chosen) = frame->facts.data[i];
        return;
    }
    index_facts(sym, frame);
    struct bitset near, taken;
    solve_atoms atoms = {0};
    solve_collect_begin(sym);
    solve_collect_cond(sym, goal, arena, &atoms);
    bitset_init(&near, arena, sym->atoms.count);
    bitset_init(&taken, arena, frame->facts.count + 1);
    for (uint32_t i = 0; i < atoms.count; i++)
        bitset_add(&near, atoms.data[i]);
    uint32_t *far = ARENA_ARRAY(arena, uint32_t, frame->facts.count + 1);
    for (uint32_t left = limit; left != 0;) {
        uint32_t least = SYM_NONE;
        for (uint32_t i = 0; i < frame->facts.count; i++) {
            far[i] = bitset_has(&taken, i) ? SYM_NONE : count_far(frame, i, &near);
            least = far[i] < least ? far[i] : least;
        }
        if (least == SYM_NONE)
            break;
        for (uint32_t i = 0; i < frame->facts.count && left != 0; i++) {
            if (far[i] != least)
                continue;
            struct solve_fact data = frame->index.data[i];
            bitset_add(&taken, i);
            left--;
            *vec_push(arena, chosen) = data.cond;
            for (uint32_t j = 0; j < data.atom_count; j++)
                bitset_add(&near, frame->fact_atoms.data[data.first_atom + j]);
        }
    }
}

/* ---- the frames of a solver -------------------------------------------------------------------------------------- */

static struct solve_frame *free_frame(struct sym *sym)
{
    struct sym_solver *solver = solve_solver(sym);
    struct solve_frame *oldest = NULL;
    for (uint32_t i = 0; i < solver->frames.count; i++) {
        struct solve_frame *frame = solver->frames.data[i];
        if (frame->pins == 0 && (oldest == NULL || frame->used < oldest->used))
            oldest = frame;
    }
    if (oldest == NULL || solver->frames.count < FRAME_COUNT) {
        oldest = ARENA_NEW(sym->arena, struct solve_frame);
        arena_init(&oldest->arena);
        *vec_push(sym->arena, &solver->frames) = oldest;
    } else {
        arena_free(&oldest->arena);
        memset(oldest, 0, sizeof *oldest);
        arena_init(&oldest->arena);
    }
    oldest->set = SYM_NONE;
    oldest->arena.handler = sym->arena->handler;
    return oldest;
}

struct solve_frame *solve_frame_get(struct sym *sym, const sym_cond *facts, uint32_t count)
{
    struct sym_solver *solver = solve_solver(sym);
    uint32_t set = solve_intern_set(sym, facts, count);
    struct solve_frame *frame = NULL;
    for (uint32_t i = 0; i < solver->frames.count && frame == NULL; i++)
        if (solver->frames.data[i]->set == set)
            frame = solver->frames.data[i];
    if (frame == NULL) {
        frame = free_frame(sym);
        frame->pins = 1;
        for (uint32_t i = 0; i < solver->sets.data[set].count; i++)
            solve_frame_add_fact(sym, frame, solver->sets.data[set].facts[i]);
        solve_frame_renew(sym, frame);
        frame->set = set;
        frame->pins = 0;
    }
    frame->arena.handler = sym->arena->handler;
    frame->pins++;
    frame->used = ++solver->clock;
    return frame;
}

void solve_frame_release(struct solve_frame *frame)
{
    frame->pins--;
}
