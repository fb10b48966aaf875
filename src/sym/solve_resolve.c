/* SPDX-License-Identifier: Apache-2.0
 *
 * Resolution: what an atom is equal to under the facts.  First by bounds alone; then, for the atoms around a goal, by asking the
 * solver itself whether a wrap stays inside its width, a divisor is positive, a remainder is small.  Inner atoms come first, so
 * that an outer one is asked about in terms of what the inner ones are.
 *
 * Gives up on: more than MAX_ATTEMPTS atoms of a question; atoms that failed under the present facts are not asked again.
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <stdlib.h>

enum { MAX_ATTEMPTS = 40, AROUND_ATTEMPTS = 16, THOROUGH_ATTEMPTS = 8, INNER_SHARE = 6, RESOLVE_FACTS = 30, MAX_PASSES = 2, HOPE = 64 };

static sym_poly wrap_by_bounds(struct solve_system *system, sym_atom atom, const struct sym_atom_data *data)
{
    struct sym *sym = system->sym;
    sym_integer width = sym_power_of_two(data->bits), half = width / 2;
    bool is_signed = data->kind == SYM_WRAP_SIGNED;
    struct solve_range a = solve_poly_range(system, data->a);
    if (a.low > SYM_MIN && a.high < SYM_MAX) {
        sym_integer least = is_signed ? -half : 0;
        sym_integer turns = solve_floor_divide(a.low - least, width);
        if (turns == solve_floor_divide(a.high - least, width))
            return sym_shift(sym, data->a, -turns * width);
    }
    /* The other reading of the same register, where it is known to lie in the half that both share. */
    struct solve_range self = solve_atom_range(system, atom);
    if (is_signed) {
        struct sym_atom_data twin = *data;
        twin.kind = SYM_WRAP_UNSIGNED;
        twin.low = 0;
        twin.high = width - 1;
        sym_atom other = sym_intern_atom(sym, &twin);
        uint32_t column = solve_find_column(system, solve_monomial_of(sym, other));
        if (self.low >= 0 || (column != SYM_NONE && system->columns.data[column].range.high < half))
            return sym_of_atom(sym, other);
    }
    return SYM_NONE;
}

static sym_poly join_by_bounds(struct solve_system *system, sym_atom atom, const struct sym_join *join)
{
    uint32_t open = 0, last = 0;
    for (uint32_t i = 0; i < join->count; i++) {
        if (solve_truth(system, join->facts[i]) != 0) {
            open++;
            last = i;
        }
    }
    if (open != 1)
        return SYM_NONE;
    bool taken = solve_truth(system, join->facts[last]) == 1 || solve_is_certain(system, atom) ||
                 last == solve_default_edge(join);
    return taken ? join->values[last] : SYM_NONE;
}

sym_poly solve_value_by_bounds(struct solve_system *system, sym_atom atom)
{
    struct sym *sym = system->sym;
    struct sym_atom_data data = sym->atoms.data[atom];
    struct solve_range self = solve_atom_range(system, atom), a, b;
    sym_poly value;
    int truth;
    switch (data.kind) {
    case SYM_VARIABLE:
        return self.low == self.high ? sym_constant(sym, self.low) : SYM_NONE;
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        value = wrap_by_bounds(system, atom, &data);
        return value == SYM_NONE && self.low == self.high ? sym_constant(sym, self.low) : value;
    case SYM_QUOTIENT:
        if (self.low == self.high && solve_poly_range(system, data.b).low >= 1)
            return sym_constant(sym, self.low);
        return SYM_NONE;
    case SYM_TRUNCATED:
        a = solve_poly_range(system, data.a);
        b = solve_poly_range(system, data.b);
        return a.low >= 0 && b.low >= 1 ? sym_quotient(sym, data.a, data.b) : SYM_NONE;
    case SYM_SELECT:
        truth = solve_truth(system, data.condition);
        return truth < 0 ? SYM_NONE : truth ? data.a : data.b;
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
        a = solve_poly_range(system, sym_subtract(sym, data.b, data.a));
        if (a.low >= 0)
            return data.kind == SYM_MINIMUM ? data.a : data.b;
        if (a.high <= 0)
            return data.kind == SYM_MINIMUM ? data.b : data.a;
        return SYM_NONE;
    case SYM_JOIN:
        return join_by_bounds(system, atom, &sym->joins.data[data.index]);
    case SYM_POWER:
        a = solve_poly_range(system, data.a);
        if (a.low == a.high && a.low >= 0 && a.low < data.bits)
            return sym_constant(sym, sym_power_of_two((unsigned)a.low));
        return SYM_NONE;
    default:
        return SYM_NONE;
    }
}

/* ---- with proofs -------------------------------------------------------------------------------------------- */

static bool holds(struct solve_question *question, struct solve_frame *frame, sym_cond goal)
{
    if (goal == SYM_FALSE)
        return false;
    return solve_goal(question, frame, goal) == SYM_PROVED;
}

static bool lies_between(struct solve_question *question, struct solve_frame *frame, sym_poly poly, sym_integer low,
                         sym_integer high)
{
    struct sym *sym = question->sym;
    sym_poly above = sym_shift(sym, sym_scale(sym, poly, -1), high);
    return holds(question, frame, sym_ge(sym, sym_shift(sym, poly, -low))) && holds(question, frame, sym_ge(sym, above));
}

static bool resolve_wrap(struct solve_question *question, struct solve_frame *frame, sym_atom atom,
                         const struct sym_atom_data *data)
{
    struct sym *sym = question->sym;
    if (!lies_between(question, frame, data->a, data->low, data->high))
        return false;
    return solve_frame_rewrite(sym, frame, atom, data->a);
}

/* The part of a that is a multiple of b, term by term: a = b*whole + rest.  b is one term, or its last term leads. */
static sym_poly divide_terms(struct sym *sym, sym_poly a, sym_poly b, sym_poly *rest)
{
    struct sym_poly_data divisor = sym->polys.data[b];
    struct sym_term lead = divisor.terms[divisor.count - 1];
    struct sym_monomial_data by = sym->monomials.data[lead.monomial];
    sym_poly whole = SYM_ZERO;
    *rest = a;
    for (unsigned round = 0; round < 8 && by.count != 0; round++) {
        struct sym_poly_data data = sym->polys.data[*rest];
        sym_poly part = SYM_NONE;
        for (uint32_t i = 0; i < data.count && part == SYM_NONE; i++) {
            struct sym_monomial_data monomial = sym->monomials.data[data.terms[i].monomial];
            sym_atom left[32];
            uint32_t kept = 0, used = 0;
            for (uint32_t j = 0; j < monomial.count && kept < COUNT_OF(left); j++) {
                if (used < by.count && monomial.atoms[j] == by.atoms[used])
                    used++;
                else
                    left[kept++] = monomial.atoms[j];
            }
            if (used != by.count || kept == COUNT_OF(left) || data.terms[i].coefficient % lead.coefficient != 0)
                continue;
            struct sym_term term = {sym_monomial_of(sym, left, kept), data.terms[i].coefficient / lead.coefficient};
            part = sym_poly_of(sym, &term, 1);
        }
        if (part == SYM_NONE)
            break;
        whole = sym_add(sym, whole, part);
        *rest = sym_subtract(sym, *rest, sym_multiply(sym, part, b));
    }
    return whole;
}

static bool resolve_quotient(struct solve_question *question, struct solve_frame *frame, sym_atom atom,
                             const struct sym_atom_data *data)
{
    struct sym *sym = question->sym;
    sym_integer constant;
    sym_poly minus_one = sym_shift(sym, data->b, -1), rest;
    bool is_constant = sym_is_constant(sym, data->b, &constant);
    if (!is_constant && solve_poly_range(&frame->system, data->b).low < 1) {
        if (!holds(question, frame, sym_ge(sym, minus_one)))
            return false;
        solve_frame_add_fact(sym, frame, sym_ge(sym, minus_one));
    }
    if (is_constant && constant < 1)
        return false;
    sym_poly whole = divide_terms(sym, data->a, data->b, &rest);
    /* Nothing to divide, and no small dividend: there is no reason to hope. */
    struct solve_range small_rest = solve_poly_range(&frame->system, rest);
    if (whole == SYM_ZERO && (question->is_thorough || (is_constant && small_rest.high / HOPE > constant)))
        return false;
    if (!holds(question, frame, sym_ge(sym, rest)))
        return false;
    sym_cond small = sym_ge(sym, sym_subtract(sym, minus_one, rest));
    if (!holds(question, frame, small))
        return false;
    return solve_frame_rewrite(sym, frame, atom, whole);
}

static bool resolve_truncated(struct solve_question *question, struct solve_frame *frame, sym_atom atom,
                              const struct sym_atom_data *data)
{
    struct sym *sym = question->sym;
    sym_cond positive = sym_ge(sym, sym_shift(sym, data->b, -1)), counts = sym_ge(sym, data->a);
    if (!holds(question, frame, positive) || !holds(question, frame, counts))
        return false;
    solve_frame_add_fact(sym, frame, positive);
    solve_frame_add_fact(sym, frame, counts);
    return solve_frame_rewrite(sym, frame, atom, sym_quotient(sym, data->a, data->b));
}

static bool resolve_atom(struct solve_question *question, struct solve_frame *frame, sym_atom atom)
{
    struct sym_atom_data data = question->sym->atoms.data[atom];
    switch (data.kind) {
    case SYM_WRAP_UNSIGNED:
    case SYM_WRAP_SIGNED:
        return resolve_wrap(question, frame, atom, &data);
    case SYM_QUOTIENT:
        return resolve_quotient(question, frame, atom, &data);
    case SYM_TRUNCATED:
        return resolve_truncated(question, frame, atom, &data);
    default:
        return false;
    }
}

static bool can_resolve(unsigned kind)
{
    return kind == SYM_WRAP_UNSIGNED || kind == SYM_WRAP_SIGNED || kind == SYM_QUOTIENT || kind == SYM_TRUNCATED;
}

static bool has_failed(const struct solve_frame *frame, sym_atom atom, bool is_thorough)
{
    for (uint32_t i = 0; i < frame->failed[is_thorough].count; i++)
        if (frame->failed[is_thorough].data[i] == atom)
            return true;
    return false;
}

/* The first that was not tried, of lowest rank. */
static sym_atom next_candidate(struct solve_question *question, struct solve_frame *frame, sym_cond goal, bool around,
                               struct arena *arena)
{
    struct sym *sym = question->sym;
    solve_conds near = {0};
    solve_atoms atoms = {0};
    if (around)
        solve_choose_facts(sym, frame, goal, RESOLVE_FACTS, arena, &near);
    solve_collect_begin(sym);
    solve_collect_cond(sym, goal, arena, &atoms);
    for (uint32_t i = 0; i < near.count; i++)
        solve_collect_cond(sym, near.data[i], arena, &atoms);
    sym_atom best = SYM_NONE;
    for (uint32_t i = 0; i < atoms.count; i++) {
        const struct sym_atom_data *data = &sym->atoms.data[atoms.data[i]];
        if (can_resolve(data->kind) && (best == SYM_NONE || data->rank < sym->atoms.data[best].rank) &&
            !has_failed(frame, atoms.data[i], question->is_thorough))
            best = atoms.data[i];
    }
    return best;
}

static bool resolve_next(struct solve_question *question, struct solve_frame *frame, sym_atom atom)
{
    sym_poly value = solve_value_by_bounds(&frame->system, atom);
    if (value != SYM_NONE && solve_frame_rewrite(question->sym, frame, atom, value))
        return true;
    return resolve_atom(question, frame, atom);
}

bool solve_resolve(struct solve_question *asked, struct solve_frame *frame, sym_cond goal, bool is_thorough, bool around)
{
    struct sym *sym = asked->sym;
    struct solve_question question = {.sym = sym, .limits = asked->limits, .is_inner = true, .is_thorough = is_thorough};
    bool changed = false, changed_in_pass = false;
    unsigned pass = 1;
    if (is_thorough)
        question.limits.z3_resources /= INNER_SHARE;
    for (unsigned attempt = 0, most = is_thorough ? THOROUGH_ATTEMPTS : around ? AROUND_ATTEMPTS : MAX_ATTEMPTS; attempt < most; attempt++) {
        struct arena *arena = solve_scratch_begin(sym);
        sym_cond now = solve_frame_apply(sym, frame, goal);
        solve_note_cond(&frame->system, now);
        frame->contradictory |= !solve_close(&frame->system, 4);
        sym_atom atom = next_candidate(&question, frame, now, around, arena);
        solve_scratch_end(sym);
        if (frame->contradictory)
            break;
        if (atom == SYM_NONE) {
            if (!changed_in_pass || pass == MAX_PASSES)
                break;
            /* What failed before may hold now. */
            frame->failed[is_thorough].count = 0;
            changed_in_pass = false;
            pass++;
            continue;
        }
        uint32_t facts = frame->facts.count;
        bool found = resolve_next(&question, frame, atom);
        if (found || frame->facts.count != facts) {
            solve_frame_renew(sym, frame);
            changed = changed_in_pass = true;
        }
        if (!found)
            *vec_push(&frame->arena, &frame->failed[is_thorough]) = atom;
    }
    return changed;
}
