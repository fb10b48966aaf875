/* SPDX-License-Identifier: Apache-2.0
 *
 * Conditions that would prove what was left open: polynomials over what is known at launch, their text, and trying them.
 */
#ifndef LANEWISE_CHECK_CONDITION_H
#define LANEWISE_CHECK_CONDITION_H

#include "check/prove.h"

/* `scale` times what was asked about is, by the facts, never below `value`, which holds only what is known at launch. */
struct condition_bound {
    sym_poly value;
    sym_integer scale; /* 1 or more */
};
typedef VEC(struct condition_bound) condition_bounds;

struct condition_search {
    struct prove *prove;
    struct contract *contract;       /* a copy, which texts are parsed into */
    struct diagnostic_list unheard;  /* what the parser says of texts that it does not take */
    struct bitset launch_atoms;      /* by atom, of those that existed when the search began */
    sym_facts held;                  /* relations taken already; hold beside the facts of every question */
    uint32_t tries_left;             /* of the whole kernel */
    uint32_t extents_left;           /* extents that may be tried with the solver, of the whole kernel */
    struct bitset scratch;           /* see condition_scratch */
    VEC(const char *) texts;         /* tried for the present site */
};

void condition_begin(struct condition_search *search, struct prove *prove);
/* An empty set that holds every atom of now; valid until the next call. */
struct bitset *condition_scratch(struct condition_search *search);
/* The variable that a scalar is; SYM_NONE: it is a number. */
sym_atom condition_scalar_atom(const struct condition_search *search, uint32_t parameter);
/* Is everything in it known when the kernel is launched? */
bool condition_is_of_launch(const struct condition_search *search, sym_poly poly);

/* condition_bound.c: adds what `poly` is never below by these facts, as far as a short search finds it.  A guess: whoever uses it asks the
 * prover again. */
void condition_find_bounds(struct condition_search *search, sym_poly poly, const sym_facts *facts, condition_bounds *bounds);

/* condition_text.c: `poly` as an expression, and `poly >= 0` as a relation, as a contract writes them; NULL if it cannot. */
const char *condition_expression(struct condition_search *search, sym_poly poly);
const char *condition_relation(struct condition_search *search, sym_poly poly);
/* floor(poly / by) */
const char *condition_quotient(struct condition_search *search, sym_poly poly, sym_integer by);
/* How hard it is to read, and so how late it is tried. */
uint32_t condition_weight(const struct condition_search *search, sym_poly poly);

/* condition.c: the relation of that text, together with what makes it defined; SYM_FALSE if there is none. */
sym_cond condition_parse(struct condition_search *search, const char *text);
/* Does the question come out with these facts beside its own?  `cheap`: with little effort. */
bool condition_answers(struct condition_search *search, const struct prove_open *open, sym_cond goal, const sym_facts *extra, bool cheap);
bool condition_is_possible(struct condition_search *search, const struct prove_open *open, const sym_facts *extra);
/* A relation, or several with ", " between them, that proves the sites' questions; NULL.  Adds what it means to `meaning`. */
const char *condition_of_site(struct condition_search *search, uint32_t site, sym_facts *meaning);
/* For every open site. */
void prove_conditions(struct prove *prove);

#endif
