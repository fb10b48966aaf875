/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the solver, private to src/sym.
 *
 * A question "do these facts imply this goal?" is answered by refutation.  A system is the conjunction at work: rows (linear over
 * monomials, each monomial a column with bounds), clauses, and the definitions of every atom that occurs.  A frame is one set of
 * facts, kept between questions: its facts after all rewriting (a wrap that provably stays inside its width is its operand) and
 * a system of them whose bounds are propagated, so that most goals end with a look at an interval.
 *
 * solve.c        entry points, remembered answers, the order of the attempts
 * solve_frame.c  frames: making, rewriting, choosing the facts that matter to a goal
 * solve_resolve.c  what a wrap, quotient, select ... is equal to under the facts
 * solve_system.c rows, columns, propagation of bounds
 * solve_atom.c   definitions and intervals of atoms
 * solve_bound.c  arithmetic of bounds
 * solve_product.c  lemmas by multiplication
 * solve_split.c  case splits
 * solve_linear.c rows that cannot hold together, over the rationals
 * z3_linear.c    the linear rest, asked from Z3
 * z3_model.c     candidates for counterexamples
 */
#ifndef LANEWISE_SYM_SOLVE_H
#define LANEWISE_SYM_SOLVE_H

#include "sym/sym.h"

#include <z3.h>

/* ---- bounds (solve_bound.c): integers that saturate at SYM_MIN and SYM_MAX, which mean "none" -------- */

struct solve_range {
    sym_integer low, high;
};

sym_integer solve_clamp(sym_integer value);
sym_integer solve_multiply(sym_integer a, sym_integer b); /* saturating */
struct solve_range solve_range_add(struct solve_range a, struct solve_range b);
struct solve_range solve_range_scale(struct solve_range a, sym_integer factor);
struct solve_range solve_range_multiply(struct solve_range a, struct solve_range b);
struct solve_range solve_range_power(struct solve_range a, uint32_t exponent);
sym_integer solve_floor_divide(sym_integer a, sym_integer b); /* b >= 1 */
sym_integer solve_ceiling_divide(sym_integer a, sym_integer b);
sym_integer solve_common_divisor(sym_integer a, sym_integer b);

/* ---- systems (solve_system.c) ---------------------------------------------------------------------- */

/* sum of coefficient * monomial; >= 0, or == 0.  The constant has monomial 0. */
struct solve_row {
    const struct sym_term *terms;
    uint32_t count;
    bool equality;
    uint8_t level; /* 0: fact or definition; how many multiplications made it */
};

struct solve_column {
    sym_monomial monomial;
    struct solve_range range;
};

struct solve_system {
    struct sym *sym;
    struct arena *arena;
    VEC(struct solve_row) rows;
    VEC(sym_cond) clauses;  /* SYM_OR and SYM_NE */
    VEC(sym_cond) truths;   /* SYM_UNKNOWN that hold */
    VEC(struct solve_column) columns;
    uint32_t *slots;        /* open hash: column + 1 by monomial */
    uint32_t slot_count;
    VEC(sym_atom) atoms;    /* all that occur, inner ones too */
    struct bitset guarded;  /* by position in `atoms`: its conditional definition was added */
    struct bitset certain;  /* by atom: a JOIN in it was certainly reached (solve_assert_given) */
    uint32_t defined;       /* of `atoms`: definitions added so far */
    uint32_t joins_done;    /* of `atoms`: JOIN clauses made so far */
    bool conflict;          /* cannot hold */
    bool too_large;         /* a limit was reached: later facts were left out */
};

void solve_system_init(struct solve_system *system, struct sym *sym, struct arena *arena);
/* The column of a monomial, made if need be. */
uint32_t solve_column_of(struct solve_system *system, sym_monomial monomial);
/* The column, or SYM_NONE. */
uint32_t solve_find_column(const struct solve_system *system, sym_monomial monomial);
/* Makes columns for everything in it. */
void solve_note_poly(struct solve_system *system, sym_poly poly);
void solve_note_cond(struct solve_system *system, sym_cond cond);
void solve_assert(struct solve_system *system, sym_cond cond);
/* A fact or the negated goal: what occurs in it outside the cases of a choice was certainly computed.  A JOIN elsewhere may belong to
 * a block that was never reached; then no edge need have been taken, and its value is that of its first edge by convention. */
void solve_assert_given(struct solve_system *system, sym_cond cond);
bool solve_is_certain(const struct solve_system *system, sym_atom atom);
void solve_add_row(struct solve_system *system, sym_poly poly, bool equality);
/* Divides by the content and rounds; the terms are changed in place. */
void solve_add_scratch_row(struct solve_system *system, struct sym_term *terms, uint32_t count, bool equality, uint8_t level);
/* Adds definitions until no atom is without; then tightens all bounds.  False on a conflict. */
bool solve_close(struct solve_system *system, unsigned rounds);
struct solve_range solve_poly_range(const struct solve_system *system, sym_poly poly);
struct solve_range solve_atom_range(const struct solve_system *system, sym_atom atom);
struct solve_range solve_monomial_range(const struct solve_system *system, sym_monomial monomial);
/* 1 true, 0 false, -1 not known. */
int solve_truth(const struct solve_system *system, sym_cond cond);
/* Narrows a column; true if that changed it. */
bool solve_narrow(struct solve_system *system, uint32_t column, struct solve_range range);

/* ---- atoms (solve_atom.c) --------------------------------------------------------------------------- */

sym_monomial solve_monomial_of(struct sym *sym, sym_atom atom);
/* What holds of it always. */
void solve_define(struct solve_system *system, sym_atom atom);
/* What holds of it under the bounds known by now; true if something was added. */
bool solve_define_guarded(struct solve_system *system, sym_atom atom, uint32_t position);
void solve_define_joins(struct solve_system *system);
/* Its range by the ranges of its operands. */
struct solve_range solve_operand_range(const struct solve_system *system, sym_atom atom);
/* True if two JOIN atoms take the same edge: one block, the same conditions. */
bool solve_same_edges(const struct sym *sym, sym_atom a, sym_atom b);
/* The edge whose value a JOIN has when it was not reached. */
uint32_t solve_default_edge(const struct sym_join *join);
/* No edge's facts hold. */
sym_cond solve_no_edge(struct sym *sym, const struct sym_join *join);
/* The wrap's number of turns: an integer variable of its own. */
sym_atom solve_turns(struct sym *sym, sym_atom wrap);

/* True if the rows and the bounds cannot all hold over the rationals; false: not known (solve_linear.c). */
bool solve_rows_contradict(struct solve_system *system);

/* ---- lemmas (solve_product.c) -------------------------------------------------------------------------- */

/* Adds products of rows as new rows; true if any was added. */
bool solve_multiply_rows(struct solve_system *system, uint32_t limit, unsigned new_monomials);
/* Adds clauses that compare z*A with z by the sign of A; true if any was added. */
bool solve_add_sign_clauses(struct solve_system *system);

/* ---- frames (solve_frame.c) ---------------------------------------------------------------------------- */

struct solve_fact {
    sym_cond cond;
    uint32_t first_atom, atom_count; /* in frame->fact_atoms */
};

struct solve_frame {
    struct arena arena;
    uint32_t set;        /* which set of facts; SYM_NONE: slot is free */
    uint32_t pins;       /* in use by so many questions */
    uint64_t used;       /* when, for eviction */
    VEC(sym_cond) facts; /* no ANDs, rewritten */
    VEC(sym_atom) from;  /* atoms known to be equal to `to` */
    VEC(sym_poly) to;
    VEC(sym_atom) failed[2]; /* atoms that could not be resolved under the present facts: with small effort, with full */
    struct solve_system system;
    VEC(struct solve_fact) index; /* atoms of each fact, made when first needed */
    VEC(sym_atom) fact_atoms;
    uint32_t indexed;     /* facts in `index` */
    bool contradictory;
};

/* The frame of a set of facts; pinned: release it. */
struct solve_frame *solve_frame_get(struct sym *sym, const sym_cond *facts, uint32_t count);
void solve_frame_release(struct solve_frame *frame);
/* Adds a rewriting, and what the atom's definition says of the value; the caller calls solve_frame_renew after the last.  False: the
 * atom has a value already. */
bool solve_frame_rewrite(struct sym *sym, struct solve_frame *frame, sym_atom atom, sym_poly value);
void solve_frame_add_fact(struct sym *sym, struct solve_frame *frame, sym_cond fact);
/* Applies all rewritings to all facts and propagates anew, until nothing changes. */
void solve_frame_renew(struct sym *sym, struct solve_frame *frame);
sym_cond solve_frame_apply(struct sym *sym, const struct solve_frame *frame, sym_cond cond);
/* Facts that share atoms with the goal, near ones first, at most `limit`; into chosen (arena). */
typedef VEC(sym_cond) solve_conds;
typedef VEC(sym_atom) solve_atoms;
void solve_choose_facts(struct sym *sym, struct solve_frame *frame, sym_cond goal, uint32_t limit, struct arena *arena,
                        solve_conds *chosen);
/* All atoms in it, inner ones too; each once over all calls since solve_collect_begin. */
void solve_collect_begin(struct sym *sym);
void solve_collect_cond(struct sym *sym, sym_cond cond, struct arena *arena, solve_atoms *atoms);

/* ---- resolution (solve_resolve.c), splits (solve_split.c) ---------------------------------------------- */

/* A value that the atom is equal to, by the bounds of the system; SYM_NONE: none known. */
sym_poly solve_value_by_bounds(struct solve_system *system, sym_atom atom);

struct solve_question {
    struct sym *sym;
    struct sym_limits limits;
    uint32_t splits_left;
    unsigned depth;   /* of case splits */
    bool is_inner;    /* a question of the solver's own: no splits, no further resolution */
    bool is_thorough; /* inner: with Z3 */
};

/* Resolves atoms of the goal, or also of the facts around it, with proofs; true if the frame changed. */
bool solve_resolve(struct solve_question *question, struct solve_frame *frame, sym_cond goal, bool is_thorough, bool around);
enum sym_answer solve_goal(struct solve_question *question, struct solve_frame *frame, sym_cond goal);
enum sym_answer solve_by_cases(struct solve_question *question, struct solve_frame *frame, sym_cond goal);
enum sym_answer solve_under(struct solve_question *question, const sym_cond *facts, uint32_t count, sym_cond goal);

/* ---- Z3 ------------------------------------------------------------------------------------------------- */

struct solve_z3 {
    Z3_context context; /* NULL: not made yet */
    Z3_sort integer, boolean;
    VEC(Z3_ast) monomials; /* by monomial id; NULL: not made */
    VEC(Z3_ast) trail;     /* references to give back after the question */
    Z3_solver solver;      /* of the question at work; NULL between questions */
    bool broken;           /* it could not be made */
};

/* Makes the context when there is none; false if it cannot be. */
bool solve_z3_start(struct sym *sym);
void solve_z3_end(struct sym *sym);
/* A solver with limits, until solve_z3_close; NULL if there is none. */
Z3_solver solve_z3_open(struct sym *sym, bool is_linear, bool has_large_numbers, uint32_t resources);
void solve_z3_close(struct sym *sym);
Z3_ast solve_z3_keep(struct solve_z3 *z3, struct arena *arena, Z3_ast ast);
void solve_z3_drop(struct solve_z3 *z3, uint32_t mark);
Z3_ast solve_z3_number(struct solve_z3 *z3, struct arena *arena, sym_integer value);
/* True if Z3 says that the system cannot hold. */
bool solve_z3_contradicts(struct solve_system *system, uint32_t resources);

/* ---- the solver of one struct sym ---------------------------------------------------------------------- */

struct solve_answer {
    uint32_t set;
    sym_cond goal;
    struct sym_limits limits;
    uint8_t answer; /* 1 + enum sym_answer; 0: free */
};

struct solve_set {
    const sym_cond *facts; /* ascending, none twice */
    uint32_t count;
    uint64_t hash;
};

struct solve_scratch {
    struct arena arena;
    bool used;
};

struct sym_solver {
    struct solve_z3 z3;
    VEC(struct solve_frame *) frames;
    VEC(struct solve_scratch *) scratches; /* by depth of questions */
    uint32_t depth;
    uint64_t clock;
    VEC(struct solve_set) sets;
    uint32_t *set_slots;
    uint32_t set_slot_count;
    struct solve_answer *answers;
    uint32_t answer_count, answer_slots;
    VEC(uint32_t) marks; /* by atom: epoch of the collection that saw it */
    uint32_t epoch;
    VEC(sym_monomial) atom_monomials; /* by atom; 0: not known */
    VEC(sym_atom) turns;              /* by atom: 1 + variable; 0: none */
};

struct sym_solver *solve_solver(struct sym *sym);
/* An arena for one question; given back in the reverse order. */
struct arena *solve_scratch_begin(struct sym *sym);
void solve_scratch_end(struct sym *sym);
/* The set of these facts: sorted, each once. */
uint32_t solve_intern_set(struct sym *sym, const sym_cond *facts, uint32_t count);

#endif
