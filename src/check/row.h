/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside check: rows of arrays with a shape (LW104), asked by row.c and confirmed by row_witness.c.
 */
#ifndef LANEWISE_CHECK_ROW_H
#define LANEWISE_CHECK_ROW_H

#include "check/prove.h"

/* How an access lies in an array of rows: element number = row * pitch + column, as polynomials of its thread. */
struct row_place {
    uint32_t instruction; /* ir */
    uint32_t ptx_line;
    uint32_t parameter;   /* of the contract */
    sym_poly element;     /* number in the array, as if no 32-bit index wrapped */
    sym_poly row, column, pitch, used; /* used: columns that a row has; column must lie in [0, used) */
    sym_cond condition;   /* of a choice in the index: the place counts where it holds */
    uint32_t partner;     /* SYM_NONE, or: another access of the same thread, by index in the list, `distance` elements away, which must
                             lie in the same row */
    sym_integer distance;
    uint32_t site;        /* of the answer, in result->sites */
    bool is_open;         /* not proved */
};

/* A split into row and column is not unique: any fixed number of rows may be moved from one to the other.  It is a crossing only if none of
 * these shifts puts all columns into their rows. */
enum { ROW_SHIFTS = 2 }; /* -2 .. 2 */

struct row_list {
    struct sym *sym;
    struct sym_environment *environment;
    VEC(struct row_place) items;
};

/* row_witness.c: open sites that some launch shows to be crossed become violated, with a finding in `kernel`. */
void row_confirm(struct arena *arena, struct check_result *result, struct report_kernel *kernel);

#endif
