/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: what promote.c (which variables, cut how) and promote_rewrite.c (the new code)
 * share.
 */
#ifndef LANEWISE_IR_PROMOTE_H
#define LANEWISE_IR_PROMOTE_H

#include "ir/build.h"

struct part {
    uint32_t object, offset, size;
};

struct candidate {
    bool is_candidate;
    uint32_t first, count; /* its elements */
};

struct promoter {
    struct draft *draft;
    struct candidate *objects;
    VEC(struct part) accessed;
    VEC(struct part) elements; /* by object and offset: the variables of the renaming */
    const struct ir_liveness *live;
    struct renamer renamer;
    uint32_t *replace; /* value -> what stands for it now; IR_NONE: itself */
    uint32_t old_value_count;
    struct ids scratch;
};

/* The first element of an object at or behind `offset`. */
uint32_t promote_element_at(const struct promoter *p, uint32_t object, uint32_t offset);
/* A piece of a call that stands for a variable which is being promoted. */
bool promote_is_new(const struct promoter *p, const struct ir_piece *piece);
/* Writes the code anew; targets: instruction -> the promoted object it loads or stores, or
 * IR_NONE. */
void promote_rewrite(struct promoter *p, const struct phi_plan *plan, const uint32_t *targets);

#endif
