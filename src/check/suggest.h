/* SPDX-License-Identifier: Apache-2.0
 *
 * A first contract for a kernel: what one proof asks for, and what all of them add up to.
 */
#ifndef LANEWISE_CHECK_SUGGEST_H
#define LANEWISE_CHECK_SUGGEST_H

#include "check/condition.h"

struct suggest_extent {
    uint32_t parameter;
    const char *text; /* elements, as an expression of the contract */
};

/* What one proof would have to know. */
struct suggest_round {
    VEC(const char *) relations;
    VEC(struct suggest_extent) extents;
    uint64_t block[3]; /* that the index arithmetic was made for; 0: it does not show one */
};

/* suggest_extent.c: an extent of the parameter's array that all its accesses stay in; NULL.  `meaning`: what the extent promises of its numbers.
 * `quick`: what little effort shows, or nothing. */
const char *suggest_extent_of(struct condition_search *search, uint32_t parameter, bool quick, sym_facts *meaning);
/* suggest_values.c: "LW_VALUES(0, m) on `index`", if that answers what is open of the site; NULL. */
const char *suggest_values_of(struct condition_search *search, uint32_t site);
/* Relations and extents for what is open. */
void prove_suggest(struct prove *prove, struct suggest_round *round);

/* suggest.c: conditions for open wraps that only show when the loops are looked at again under them. */
void suggest_strides(struct arena *arena, struct check_result *result, struct diagnostic_list *diagnostics);

/* suggest_text.c: the macros and the declaration. */
const char *suggest_print(struct arena *arena, const struct contract *contract);

#endif
