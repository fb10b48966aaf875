/* SPDX-License-Identifier: Apache-2.0
 *
 * Case splits.  A choice atom (SELECT, JOIN, MINIMUM, MAXIMUM, TRUNCATED) is replaced by the value of each of its cases, everywhere
 * in facts and goal, with the facts of the case added; the goal is proved when every case is.  Only after the direct attempt failed,
 * which knows the choice as a clause: here wraps and quotients inside the cases are resolved under the facts of the case.
 */
#include "sym/solve.h"
#include "sym/table.h"

enum { MAX_SPLIT_DEPTH = 12, SPLIT_FACTS = 40, MAX_CASES = 16 };

static bool is_choice(unsigned kind)
{
    return kind == SYM_SELECT || kind == SYM_JOIN || kind == SYM_MINIMUM || kind == SYM_MAXIMUM || kind == SYM_TRUNCATED;
}

static sym_atom lowest_choice(struct sym *sym, const solve_atoms *atoms)
{
    sym_atom best = SYM_NONE;
    for (uint32_t i = 0; i < atoms->count; i++) {
        const struct sym_atom_data *data = &sym->atoms.data[atoms->data[i]];
        if (is_choice(data->kind) && (best == SYM_NONE || data->rank < sym->atoms.data[best].rank))
            best = atoms->data[i];
    }
    return best;
}

/* Of the goal; else of the facts that share atoms with it. */
static sym_atom choose_atom(struct sym *sym, struct solve_frame *frame, sym_cond goal, struct arena *arena)
{
    solve_atoms atoms = {0};
    solve_conds near = {0};
    solve_collect_begin(sym);
    solve_collect_cond(sym, goal, arena, &atoms);
    sym_atom best = lowest_choice(sym, &atoms);
    if (best != SYM_NONE)
        return best;
    solve_choose_facts(sym, frame, goal, SPLIT_FACTS, arena, &near);
    solve_collect_begin(sym);
    for (uint32_t i = 0; i < near.count; i++)
        solve_collect_cond(sym, near.data[i], arena, &atoms);
    return lowest_choice(sym, &atoms);
}

struct cases {
    uint32_t count, width;            /* width: atoms replaced together */
    sym_cond conditions[MAX_CASES];
    const sym_atom *atoms;
    sym_poly *values[MAX_CASES];      /* width each */
};

static void add_case(struct cases *cases, struct arena *arena, sym_cond condition, sym_poly value)
{
    cases->conditions[cases->count] = condition;
    cases->values[cases->count] = ARENA_NEW(arena, sym_poly);
    *cases->values[cases->count] = value;
    cases->count++;
}

/* All joins that take the same edge are replaced together. */
static bool make_join_cases(struct sym *sym, struct solve_frame *frame, sym_cond goal, sym_atom atom, struct arena *arena,
                            struct cases *cases)
{
    struct sym_join join = sym->joins.data[sym->atoms.data[atom].index];
    solve_atoms all = {0}, same = {0};
    if (join.count + 1 > MAX_CASES)
        return false;
    solve_collect_begin(sym);
    solve_collect_cond(sym, goal, arena, &all);
    for (uint32_t i = 0; i < frame->facts.count; i++)
        solve_collect_cond(sym, frame->facts.data[i], arena, &all);
    for (uint32_t i = 0; i < all.count; i++)
        if (solve_same_edges(sym, atom, all.data[i]))
            *vec_push(arena, &same) = all.data[i];
    cases->atoms = same.data;
    cases->width = same.count;
    bool certain = false;
    for (uint32_t i = 0; i < same.count; i++)
        certain |= solve_is_certain(&frame->system, same.data[i]);
    for (uint32_t edge = 0; edge <= join.count; edge++) {
        uint32_t from = edge < join.count ? edge : solve_default_edge(&join);
        if (edge == join.count && certain)
            break;
        cases->conditions[cases->count] = edge < join.count ? join.facts[edge] : solve_no_edge(sym, &join);
        sym_poly *values = ARENA_ARRAY(arena, sym_poly, same.count);
        for (uint32_t i = 0; i < same.count; i++)
            values[i] = sym->joins.data[sym->atoms.data[same.data[i]].index].values[from];
        cases->values[cases->count++] = values;
    }
    return true;
}

static bool make_cases(struct sym *sym, struct solve_frame *frame, sym_cond goal, sym_atom atom, struct arena *arena,
                       struct cases *cases)
{
    struct sym_atom_data data = sym->atoms.data[atom];
    sym_cond a_least = sym_ge(sym, sym_subtract(sym, data.b, data.a)), counts;
    sym_integer constant;
    sym_atom *atoms = ARENA_NEW(arena, sym_atom);
    *atoms = atom;
    cases->atoms = atoms;
    cases->width = 1;
    switch (data.kind) {
    case SYM_JOIN:
        return make_join_cases(sym, frame, goal, atom, arena, cases);
    case SYM_SELECT:
        add_case(cases, arena, data.condition, data.a);
        add_case(cases, arena, sym_not(sym, data.condition), data.b);
        return true;
    case SYM_MINIMUM:
    case SYM_MAXIMUM:
        add_case(cases, arena, a_least, data.kind == SYM_MINIMUM ? data.a : data.b);
        add_case(cases, arena, sym_not(sym, a_least), data.kind == SYM_MINIMUM ? data.b : data.a);
        return true;
    case SYM_TRUNCATED: /* -floor(-a / b) where a < 0 < b */
        if (!sym_is_constant(sym, data.b, &constant) || constant < 1)
            return false;
        counts = sym_ge(sym, data.a);
        add_case(cases, arena, counts, sym_quotient(sym, data.a, data.b));
        add_case(cases, arena, sym_not(sym, counts),
                 sym_scale(sym, sym_quotient(sym, sym_scale(sym, data.a, -1), data.b), -1));
        return true;
    default:
        return false;
    }
}

/* `D != 0` where D is known not to be positive (or negative) is an order, which lemmas by multiplication can use. */
static sym_cond order_of(struct solve_question *question, struct solve_frame *frame, sym_cond condition)
{
    struct sym *sym = question->sym;
    struct sym_cond_data data = sym->conds.data[condition];
    struct solve_question inner = *question;
    inner.is_inner = true;
    if (data.kind != SYM_NE)
        return condition;
    const struct sym_poly_data *poly = &sym->polys.data[data.poly];
    sym_poly distance = data.poly;
    if (poly->count == 1 && sym->monomials.data[poly->terms[0].monomial].count == 1) {
        const struct sym_atom_data *atom = &sym->atoms.data[sym->monomials.data[poly->terms[0].monomial].atoms[0]];
        if (atom->kind == SYM_WRAP_SIGNED || atom->kind == SYM_WRAP_UNSIGNED)
            distance = atom->a; /* were it 0, so would be its reading */
    }
    for (int sign = 0; sign <= 1; sign++, distance = sym_scale(sym, distance, -1))
        if (solve_goal(&inner, frame, sym_ge(sym, distance)) == SYM_PROVED)
            return sym_and(sym, condition, sym_ge(sym, sym_shift(sym, distance, -1)));
    return condition;
}

static enum sym_answer prove_case(struct solve_question *question, struct solve_frame *frame, sym_cond goal,
                                  const struct cases *cases, uint32_t at, struct arena *arena)
{
    struct sym *sym = question->sym;
    solve_conds facts = {0};
    sym_cond condition = sym_substitute_cond(sym, cases->conditions[at], cases->atoms, cases->values[at], cases->width);
    *vec_push(arena, &facts) = order_of(question, frame, condition);
    for (uint32_t i = 0; i < frame->facts.count; i++)
        *vec_push(arena, &facts) =
            sym_substitute_cond(sym, frame->facts.data[i], cases->atoms, cases->values[at], cases->width);
    goal = sym_substitute_cond(sym, goal, cases->atoms, cases->values[at], cases->width);
    for (uint32_t i = 0; i < facts.count; i++)
        if (facts.data[i] == SYM_FALSE)
            return SYM_PROVED;
    return solve_under(question, facts.data, facts.count, goal);
}

enum sym_answer solve_by_cases(struct solve_question *question, struct solve_frame *frame, sym_cond goal)
{
    struct sym *sym = question->sym;
    if (question->is_inner || question->depth >= MAX_SPLIT_DEPTH)
        return SYM_NOT_PROVED;
    struct arena *arena = solve_scratch_begin(sym);
    struct cases cases = {0};
    sym_atom atom = choose_atom(sym, frame, goal, arena);
    enum sym_answer answer = SYM_NOT_PROVED;
    if (atom != SYM_NONE && make_cases(sym, frame, goal, atom, arena, &cases) && question->splits_left >= cases.count) {
        answer = SYM_PROVED;
        question->depth++;
        sym->stats.splits++;
        for (uint32_t i = 0; i < cases.count && answer == SYM_PROVED; i++) {
            if (question->splits_left == 0) {
                answer = SYM_NOT_PROVED;
                break;
            }
            question->splits_left--;
            answer = prove_case(question, frame, goal, &cases, i, arena);
        }
        question->depth--;
    }
    solve_scratch_end(sym);
    return answer;
}
