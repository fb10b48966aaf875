/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: which two instructions two threads can be at with nothing that orders them in between.  See interval.c.
 */
#ifndef LANEWISE_CHECK_INTERVAL_H
#define LANEWISE_CHECK_INTERVAL_H

#include "check/sync.h"

/* The first thread at `a`, the second at `b`; the second stands so to the first in each loop. */
struct interval_meeting {
    uint32_t a, b;            /* instructions */
    const uint8_t *relations; /* by loop: enum sym_relation */
};
typedef VEC(struct interval_meeting) interval_meetings;

/* All meetings of the `wanted` instructions (by instruction) of two threads of a block, or of a warp: each once, a and b in either order.
 * `group`: of two of its members, which barriers for the group order, too; NULL: of any two.
 * False: too many ways, nothing can be said. */
bool interval_find(struct sync *sync, enum sym_scope scope, const struct sync_group *group, const struct bitset *wanted,
                   interval_meetings *meetings);

#endif
