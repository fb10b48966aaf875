/* SPDX-License-Identifier: Apache-2.0
 *
 * The question "do these facts imply this goal?": entry points, remembered answers, and the order in which a goal is attempted:
 * literally among the facts, by an interval, by refutation (bounds, multiplied rows, elimination, Z3), after resolving wraps and
 * divisions with proofs of their own, and last by cases.
 *
 * Sound for: everything answered PROVED.  Deterministic: all limits are counts.
 */
#include "sym/solve.h"
#include "sym/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_RESOURCES = 400000,
    LEAST_RESOURCES = 100, /* below: neither Z3 nor what would ask it */
    DEFAULT_SPLITS = 64,
    DEFAULT_PRODUCTS = 240,
    QUESTION_FACTS = 64,
    NEAR_FACTS = 24,
    INNER_FACTS = 40,
    NEAR_PRODUCTS = 120,
    ROUNDS = 6
};

/* ---- the solver ------------------------------------------------------------------------------------------- */

struct sym_solver *solve_solver(struct sym *sym)
{
    if (sym->solver == NULL)
        sym->solver = ARENA_NEW(sym->arena, struct sym_solver);
    return sym->solver;
}

struct arena *solve_scratch_begin(struct sym *sym)
{
    struct sym_solver *solver = solve_solver(sym);
    if (solver->depth == solver->scratches.count) {
        struct solve_scratch *scratch = ARENA_NEW(sym->arena, struct solve_scratch);
        arena_init(&scratch->arena);
        *vec_push(sym->arena, &solver->scratches) = scratch;
    }
    struct solve_scratch *scratch = solver->scratches.data[solver->depth++];
    scratch->arena.handler = sym->arena->handler;
    return &scratch->arena;
}

void solve_scratch_end(struct sym *sym)
{
    struct sym_solver *solver = solve_solver(sym);
    struct solve_scratch *scratch = solver->scratches.data[--solver->depth];
    arena_free(&scratch->arena);
    arena_init(&scratch->arena);
}

void sym_end(struct sym *sym)
{
    struct sym_solver *solver = sym->solver;
    if (solver == NULL)
        return;
    solve_z3_end(sym);
    for (uint32_t i = 0; i < solver->scratches.count; i++)
        arena_free(&solver->scratches.data[i]->arena);
    for (uint32_t i = 0; i < solver->frames.count; i++)
        arena_free(&solver->frames.data[i]->arena);
    sym->solver = NULL;
}

/* ---- sets of facts, answers --------------------------------------------------------------------------------- */

static int compare_conds(const void *a, const void *b)
{
    sym_cond x = *(const sym_cond *)a, y = *(const sym_cond *)b;
    return (x > y) - (x < y);
}

static void enter_set(struct sym_solver *solver, uint32_t set)
{
    uint32_t slot = (uint32_t)solver->sets.data[set].hash & (solver->set_slot_count - 1);
    while (solver->set_slots[slot] != 0)
        slot = (slot + 1) & (solver->set_slot_count - 1);
    solver->set_slots[slot] = set + 1;
}

uint32_t solve_intern_set(struct sym *sym, const sym_cond *facts, uint32_t count)
{
    struct sym_solver *solver = solve_solver(sym);
    struct arena *arena = solve_scratch_begin(sym);
    sym_cond *sorted = ARENA_ARRAY(arena, sym_cond, count + 1);
    uint32_t kept = 0, found = SYM_NONE;
    if (count != 0)
        memcpy(sorted, facts, count * sizeof *facts);
    qsort(sorted, count, sizeof *sorted, compare_conds);
    uint64_t hash = 17;
    for (uint32_t i = 0; i < count; i++) {
        if (sorted[i] == SYM_TRUE || (kept != 0 && sorted[kept - 1] == sorted[i]))
            continue;
        sorted[kept++] = sorted[i];
        hash = sym_hash(hash, sorted[i]);
    }
    if (2 * (solver->sets.count + 1) > solver->set_slot_count) {
        solver->set_slot_count = solver->set_slot_count == 0 ? 256 : 2 * solver->set_slot_count;
        solver->set_slots = ARENA_ARRAY(sym->arena, uint32_t, solver->set_slot_count);
        for (uint32_t i = 0; i < solver->sets.count; i++)
            enter_set(solver, i);
    }
    uint32_t slot = (uint32_t)hash & (solver->set_slot_count - 1);
    for (; solver->set_slots[slot] != 0 && found == SYM_NONE; slot = (slot + 1) & (solver->set_slot_count - 1)) {
        const struct solve_set *set = &solver->sets.data[solver->set_slots[slot] - 1];
        if (set->hash == hash && set->count == kept && (kept == 0 || memcmp(set->facts, sorted, kept * sizeof *sorted) == 0))
            found = solver->set_slots[slot] - 1;
    }
    if (found == SYM_NONE) {
        struct solve_set set = {.count = kept, .hash = hash};
        if (kept != 0)
            set.facts = arena_copy(sym->arena, sorted, kept * sizeof *sorted);
        found = solver->sets.count;
        *vec_push(sym->arena, &solver->sets) = set;
        enter_set(solver, found);
    }
    solve_scratch_end(sym);
    return found;
}

static uint32_t answer_hash(uint32_t set, sym_cond goal)
{
    return (uint32_t)(sym_hash(sym_hash(5, set), goal) >> 20);
}

static bool same_limits(const struct sym_limits *a, const struct sym_limits *b)
{
    return a->z3_resources == b->z3_resources && a->max_splits == b->max_splits && a->max_products == b->max_products;
}

static struct solve_answer *find_answer(struct sym_solver *solver, uint32_t set, sym_cond goal, const struct sym_limits *limits)
{
    if (solver->answer_slots == 0)
        return NULL;
    uint32_t slot = answer_hash(set, goal) & (solver->answer_slots - 1);
    for (; solver->answers[slot].answer != 0; slot = (slot + 1) & (solver->answer_slots - 1)) {
        struct solve_answer *answer = &solver->answers[slot];
        if (answer->set == set && answer->goal == goal && same_limits(&answer->limits, limits))
            return answer;
    }
    return NULL;
}

static void enter_answer(struct sym_solver *solver, struct solve_answer answer)
{
    uint32_t slot = answer_hash(answer.set, answer.goal) & (solver->answer_slots - 1);
    while (solver->answers[slot].answer != 0)
        slot = (slot + 1) & (solver->answer_slots - 1);
    solver->answers[slot] = answer;
}

static void remember(struct sym *sym, uint32_t set, sym_cond goal, const struct sym_limits *limits, enum sym_answer answer)
{
    struct sym_solver *solver = solve_solver(sym);
    if (2 * (solver->answer_count + 1) > solver->answer_slots) {
        struct solve_answer *old = solver->answers;
        uint32_t old_slots = solver->answer_slots;
        solver->answer_slots = old_slots == 0 ? 512 : 2 * old_slots;
        solver->answers = ARENA_ARRAY(sym->arena, struct solve_answer, solver->answer_slots);
        for (uint32_t i = 0; i < old_slots; i++)
            if (old[i].answer != 0)
                enter_answer(solver, old[i]);
    }
    solver->answer_count++;
    enter_answer(solver, (struct solve_answer){set, goal, *limits, (uint8_t)(1 + answer)});
}

/* ---- quick ends -------------------------------------------------------------------------------------------- */

static sym_integer constant_of(const struct sym_poly_data *data)
{
    return data->count != 0 && data->terms[0].monomial == 0 ? data->terms[0].coefficient : 0;
}

/* fact >= 0 gives goal >= 0: the goal is a positive multiple of the fact plus something not negative. */
static bool follows_from(const struct sym_poly_data *goal, const struct sym_poly_data *fact)
{
    uint32_t g = goal->count != 0 && goal->terms[0].monomial == 0, f = fact->count != 0 && fact->terms[0].monomial == 0;
    if (goal->count - g != fact->count - f || goal->count == g)
        return false;
    sym_integer up = goal->terms[g].coefficient, down = fact->terms[f].coefficient, left, right;
    if ((up < 0) != (down < 0))
        return false;
    up = up < 0 ? -up : up;
    down = down < 0 ? -down : down;
    for (uint32_t i = 0; g + i < goal->count; i++) {
        const struct sym_term *x = &goal->terms[g + i], *y = &fact->terms[f + i];
        if (x->monomial != y->monomial || __builtin_mul_overflow(x->coefficient, down, &left) ||
            __builtin_mul_overflow(y->coefficient, up, &right) || left != right)
            return false;
    }
    return !__builtin_mul_overflow(constant_of(goal), down, &left) &&
           !__builtin_mul_overflow(constant_of(fact), up, &right) && left >= right;
}

static bool is_fact(struct sym *sym, const struct solve_frame *frame, sym_cond goal)
{
    struct sym_cond_data data = sym->conds.data[goal];
    for (uint32_t i = 0; i < frame->facts.count; i++) {
        if (frame->facts.data[i] == goal)
            return true;
        const struct sym_cond_data *fact = &sym->conds.data[frame->facts.data[i]];
        if (data.kind == SYM_GE && fact->kind == SYM_GE &&
            follows_from(&sym->polys.data[data.poly], &sym->polys.data[fact->poly]))
            return true;
    }
    return false;
}

/* ---- refutation --------------------------------------------------------------------------------------------- */

static bool refute_rows(struct sym *sym, struct solve_system *system, uint32_t products)
{
    if (!solve_close(system, ROUNDS)) {
        sym->stats.by_interval++;
        return true;
    }
    static const unsigned new_monomials[] = {0, 1, 0, 2, 0};
    uint32_t rows = system->rows.count;
    bool refuted = solve_rows_contradict(system);
    uint32_t rounds = products <= NEAR_PRODUCTS ? 3 : COUNT_OF(new_monomials);
    for (uint32_t i = 0; i < rounds && !refuted && system->rows.count - rows < products; i++)
        if (solve_multiply_rows(system, (products - (system->rows.count - rows) + 1) / 2, new_monomials[i]))
            refuted = !solve_close(system, 2) || solve_rows_contradict(system);
    if (!refuted)
        refuted = solve_add_sign_clauses(system) && !solve_close(system, 2);
    sym->stats.by_lemma += refuted;
    return refuted;
}

/* How much is tried: rows alone with the nearest facts; or all there is, Z3 last. */
struct effort {
    uint32_t facts, products, resources;
};

static struct effort small_effort(const struct solve_question *question)
{
    uint32_t products = question->limits.max_products;
    return (struct effort){NEAR_FACTS, products < NEAR_PRODUCTS ? products : NEAR_PRODUCTS, 0};
}

/* With Z3, for questions of the solver's own. */
static struct effort inner_effort(const struct solve_question *question)
{
    struct effort effort = small_effort(question);
    effort.facts = INNER_FACTS;
    effort.resources = question->limits.z3_resources;
    return effort;
}

static struct effort full_effort(const struct solve_question *question)
{
    uint32_t resources = question->limits.z3_resources;
    if (resources < LEAST_RESOURCES)
        resources = 0;
    return (struct effort){QUESTION_FACTS, question->limits.max_products, resources};
}

/* The facts, the definitions and the negated goal cannot all hold. */
static bool refute(struct sym *sym, struct solve_frame *frame, sym_cond goal, struct effort effort)
{
    struct arena *arena = solve_scratch_begin(sym);
    struct solve_system system;
    solve_conds facts = {0};
    solve_system_init(&system, sym, arena);
    solve_assert_given(&system, sym_not(sym, goal));
    solve_choose_facts(sym, frame, goal, effort.facts, arena, &facts);
    for (uint32_t i = 0; i < facts.count; i++)
        solve_assert_given(&system, facts.data[i]);
    /* Bounds that all the facts gave. */
    for (uint32_t i = 0; i < system.columns.count && !system.conflict; i++) {
        uint32_t column = solve_find_column(&frame->system, system.columns.data[i].monomial);
        if (column != SYM_NONE)
            solve_narrow(&system, i, frame->system.columns.data[column].range);
    }
    bool refuted = system.conflict || refute_rows(sym, &system, effort.products);
    if (!refuted && effort.resources != 0)
        refuted = solve_z3_contradicts(&system, effort.resources);
    solve_scratch_end(sym);
    return refuted;
}

/* ---- goals ---------------------------------------------------------------------------------------------------- */

static bool quick(struct solve_question *question, struct solve_frame *frame, sym_cond goal)
{
    struct sym *sym = question->sym;
    if (frame->contradictory || goal == SYM_TRUE)
        return true;
    if (goal == SYM_FALSE)
        return false;
    if (is_fact(sym, frame, goal) || solve_truth(&frame->system, goal) == 1) {
        sym->stats.by_interval++;
        return true;
    }
    return false;
}

static enum sym_answer prove_all(struct solve_question *question, struct solve_frame *frame, sym_cond goal)
{
    struct sym *sym = question->sym;
    struct arena *arena = solve_scratch_begin(sym);
    solve_conds stack = {0};
    enum sym_answer answer = SYM_PROVED;
    *vec_push(arena, &stack) = goal;
    while (stack.count != 0 && answer == SYM_PROVED) {
        sym_cond top = stack.data[--stack.count];
        struct sym_cond_data data = sym->conds.data[top];
        if (data.kind == SYM_AND) {
            *vec_push(arena, &stack) = data.right;
            *vec_push(arena, &stack) = data.left;
        } else {
            answer = solve_goal(question, frame, top);
        }
    }
    solve_scratch_end(sym);
    return answer;
}

enum sym_answer solve_goal(struct solve_question *question, struct solve_frame *frame, sym_cond goal)
{
    struct sym *sym = question->sym;
    goal = solve_frame_apply(sym, frame, goal);
    if (quick(question, frame, goal))
        return SYM_PROVED;
    /* Intervals of atoms that no fact speaks of. */
    solve_note_cond(&frame->system, goal);
    frame->contradictory |= !solve_close(&frame->system, 4);
    if (quick(question, frame, goal))
        return SYM_PROVED;
    struct sym_cond_data data = sym->conds.data[goal];
    if (data.kind == SYM_AND)
        return prove_all(question, frame, goal);
    if (data.kind == SYM_EQ) {
        /* At the end of its static range the comparison is the equality again: that is refuted as a whole. */
        sym_cond least = sym_ge(sym, data.poly), most = sym_ge(sym, sym_scale(sym, data.poly, -1));
        if (least != goal && most != goal)
            return solve_goal(question, frame, least) == SYM_PROVED ? solve_goal(question, frame, most) : SYM_NOT_PROVED;
    }
    if (question->is_inner)
        return refute(sym, frame, goal, question->is_thorough ? inner_effort(question) : small_effort(question)) ? SYM_PROVED
                                                                                                                 : SYM_NOT_PROVED;
    if (question->limits.z3_resources < LEAST_RESOURCES)
        return refute(sym, frame, goal, small_effort(question)) ? SYM_PROVED : SYM_NOT_PROVED;
    /* What the goal's own atoms are, then those of the facts around it; first without Z3. */
    for (unsigned stage = 0; stage < 4; stage++) {
        bool is_thorough = stage >= 2, around = stage % 2 == 1;
        bool changed = solve_resolve(question, frame, goal, is_thorough, around);
        if (around && !changed)
            continue;
        goal = solve_frame_apply(sym, frame, goal);
        if (quick(question, frame, goal) ||
            refute(sym, frame, goal, is_thorough ? full_effort(question) : small_effort(question)))
            return SYM_PROVED;
    }
    return solve_by_cases(question, frame, goal);
}

enum sym_answer solve_under(struct solve_question *question, const sym_cond *facts, uint32_t count, sym_cond goal)
{
    struct sym *sym = question->sym;
    struct sym_solver *solver = solve_solver(sym);
    uint32_t set = solve_intern_set(sym, facts, count);
    const struct solve_answer *known = find_answer(solver, set, goal, &question->limits);
    if (known != NULL && (known->answer == 1 + SYM_PROVED || question->depth == 0)) {
        sym->stats.cached++;
        return (enum sym_answer)(known->answer - 1);
    }
    struct solve_frame *frame = solve_frame_get(sym, facts, count);
    enum sym_answer answer = solve_goal(question, frame, goal);
    solve_frame_release(frame);
    if (known == NULL && (answer == SYM_PROVED || question->depth == 0))
        remember(sym, set, goal, &question->limits, answer);
    return answer;
}

enum sym_answer sym_prove(struct sym *sym, const sym_cond *facts, uint32_t fact_count, sym_cond goal,
                          const struct sym_limits *limits)
{
    sym->stats.queries++;
    if (goal == SYM_TRUE)
        return SYM_PROVED;
    for (uint32_t i = 0; i < fact_count; i++)
        if (facts[i] == goal)
            return SYM_PROVED;
    if (sym->max_effort != 0 && sym->stats.queries + 10 * sym->stats.z3_calls > sym->max_effort) /* Z3 costs most */
        return SYM_NOT_PROVED;
    struct solve_question question = {.sym = sym};
    if (limits != NULL)
        question.limits = *limits;
    if (question.limits.z3_resources == 0)
        question.limits.z3_resources = DEFAULT_RESOURCES;
    if (question.limits.max_splits == 0)
        question.limits.max_splits = DEFAULT_SPLITS;
    if (question.limits.max_products == 0)
        question.limits.max_products = DEFAULT_PRODUCTS;
    question.splits_left = question.limits.max_splits;
    return solve_under(&question, facts, fact_count, goal);
}

enum sym_answer sym_contradict(struct sym *sym, const sym_cond *facts, uint32_t fact_count, const struct sym_limits *limits)
{
    return sym_prove(sym, facts, fact_count, SYM_FALSE, limits);
}
