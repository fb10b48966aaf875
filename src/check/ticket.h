/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: the order that a ticket gives to the accesses of different blocks.  See ticket.c.
 */
#ifndef LANEWISE_CHECK_TICKET_H
#define LANEWISE_CHECK_TICKET_H

#include "check/race.h"

struct ticket {
    struct bitset before; /* by access: done when the block takes its ticket */
    struct bitset last;   /* by access: only in the block with the last ticket, after it */
};

/* False: the kernel has none that is understood. */
bool ticket_find(struct race *race, struct ticket *ticket);
/* In different blocks the two accesses are ordered, or only one block makes them. */
bool ticket_orders(const struct ticket *ticket, uint32_t a, uint32_t b);

#endif
