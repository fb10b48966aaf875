/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: the numbers of a launch in host code.  host_value.c computes them as C++ does, geometry.c judges them.
 */
#ifndef LANEWISE_CHECK_GEOMETRY_H
#define LANEWISE_CHECK_GEOMETRY_H

#include "check/check.h"

enum geometry_state {
    GEOMETRY_KNOWN,
    GEOMETRY_FREE, /* anything, and independent of the variables */
    GEOMETRY_TIED  /* not known, and it may hang on the variables */
};

struct geometry_number {
    uint8_t state;
    bool overflowed; /* an operation on signed numbers left its type */
    bool wrapped;    /* an unsigned one, or a conversion that lost digits */
    contract_integer value;
};

/* All nodes of the launch; variables[i] is the value of a variable, known if is_bound[i]. */
void geometry_evaluate(const struct host_launch *launch, const contract_integer *variables, const bool *is_bound,
                       struct geometry_number *numbers);

#endif
