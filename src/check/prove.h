/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: one kernel under proof.  kernel.c goes through its instructions; bounds.c, wrap.c and divisor.c ask about one of them,
 * site.c joins the answers, explain.c words them.
 */
#ifndef LANEWISE_CHECK_PROVE_H
#define LANEWISE_CHECK_PROVE_H

#include "check/check.h"
#include "sym/sym.h"

/* A question that was not answered, kept for condition.c and suggest.c. */
struct prove_open {
    sym_facts facts;
    sym_cond goal;       /* SYM_TRUE: an access to an array without an extent */
    sym_cond others[2];  /* each would do as well; SYM_FALSE: none */
    uint32_t parameter;  /* of that array */
    sym_poly offset;     /* in bytes, of that access */
    uint32_t size;
    uint32_t site;
};
typedef VEC(struct prove_open) prove_opens;

/* What was found out about one instruction. */
struct prove_answer {
    enum finding_kind kind;
    const char *array;
    uint8_t verdict; /* enum check_verdict */
    bool depends_on_data;
    const char *reason, *proof, *suggestion;
    bool has_candidate;
    struct contract_values candidate;
    prove_opens opens;
    bool is_number;             /* LW103: of this value, read so, at this instruction */
    bool reads_signed;
    uint32_t value, consumer;
};

struct prove {
    struct arena *arena;
    struct sym *sym;
    struct sym_kernel *kernel;
    struct sym_environment *environment;
    const struct ir_function *ir;
    const struct check_options *options;
    struct check_result *result;
    bool uses_alignment;     /* an answer rests on aligned base pointers */
    bool uses_ticket;        /* ... on a counter that begins at 0 */
    bool region_failed;      /* an access left the part of its variable that it was taken to stay in */
    uint32_t candidates;     /* models asked for so far */
    struct row_list *rows;   /* row.c: accesses to arrays with rows */
    prove_opens opens;       /* of all sites */
    double seconds_beside;   /* spent on conditions, which are no part of the proof */
};

/* bounds.c: LW101, LW102 and LW105 of one access. */
void prove_access(struct prove *prove, uint32_t access);
/* A choice between addresses, outermost first: an atom of the polynomial itself that is a select or a join; SYM_NONE: there is none. */
sym_atom prove_choice_in(const struct sym *sym, sym_poly address);
/* wrap.c: LW103 of the 32-bit numbers that an address is made of (`array`: what it goes to), and of a comparison. */
void prove_address_wraps(struct prove *prove, uint32_t access, const char *array);
void prove_guard_wraps(struct prove *prove, uint32_t instruction);
/* row.c: LW104 of all accesses. */
void prove_rows(struct prove *prove);
/* divisor.c: LW106 of one division. */
void prove_divisor(struct prove *prove, uint32_t instruction);
/* failing.c: LW404 of the trap of a check that stands in the source. */
void prove_failing_check(struct prove *prove, uint32_t instruction);
/* needless.c: tests in loops that always hold. */
void prove_needless_tests(struct prove *prove);
/* site.c: adds an answer to the sites. */
void prove_add(struct prove *prove, uint32_t instruction, const struct ir_access *access, const struct prove_answer *answer);
struct place prove_place(const struct prove *prove, uint32_t instruction);
const char *prove_variable_name(struct prove *prove, uint32_t variable);
bool prove_is_division(const struct prove *prove, uint32_t instruction);

/* question.c: asks one goal under facts; on failure says so in `answer` (verdict, depends_on_data, candidate). */
bool prove_goal(struct prove *prove, sym_facts *facts, sym_cond goal, struct prove_answer *answer);
/* Keeps an access to the array of `parameter`, of which no extent is known. */
void prove_keep_unshaped(struct prove *prove, const sym_facts *facts, uint32_t parameter, sym_poly offset, uint32_t size,
                         struct prove_answer *answer);
/* An element of memory in the goal, or else in the facts, that no contract bounds: SYM_NONE if there is none. */
sym_atom prove_data_atom(struct prove *prove, const sym_facts *facts, sym_cond goal);
/* ": `index` has no LW_VALUES", or nothing. */
const char *prove_data_words(struct prove *prove, const sym_facts *facts, sym_cond goal);
/* True if these facts contradict each other at a glance. */
bool prove_unreachable(struct prove *prove, const sym_facts *facts);
/* explain.c: "  0 <= 4*i, because n - i - 1 >= 0": the goal and the facts that were needed. */
void prove_explain(struct prove *prove, const sym_facts *facts, sym_cond goal, struct buffer *out);

#endif
