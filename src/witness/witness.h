/* SPDX-License-Identifier: Apache-2.0
 *
 * witness: launches that a contract admits: which numbers to try (space.c), in which order (order.c), and how one of them becomes the
 * text of a launch and is run (launch.c).  For the proofs, which look for a launch that fails, and for `lanewise test`.
 */
#ifndef LANEWISE_WITNESS_H
#define LANEWISE_WITNESS_H

#include "contract/contract.h"
#include "launch/launch.h"
#include "ptx/ptx.h"
#include "report/report.h"

enum witness_axis_kind { WITNESS_SCALAR, WITNESS_BLOCK, WITNESS_GRID };

/* One number of a launch that is free to choose. */
struct witness_axis {
    uint8_t kind;      /* enum witness_axis_kind */
    uint32_t index;    /* parameter of the contract, or 0 1 2 for x y z */
    VEC(contract_integer) values; /* what to try, the telling ones first */
};

/* A scalar that a relation `x == expression` fixes. */
struct witness_definition {
    uint32_t parameter;
    const struct contract_expression *expression;
};

struct witness_space {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    const struct contract *contract;
    VEC(struct witness_axis) axes;
    VEC(struct witness_definition) definitions; /* in the order in which they can be computed */
    struct bitset has_length;                   /* parameters whose len() the contract speaks of */
    bool admits_empty;                          /* an empty domain is a launch of one block on that axis */
};

/* What the axes can be.  False when some axis has no value at all, or the contract does not fit the kernel's parameters. */
bool witness_space_begin(struct witness_space *space, struct arena *arena, const struct ptx_module *module, uint32_t function,
                         const struct contract *contract);
/* The launch at `point`, a number for each axis: block, grid and lengths follow from it.  False when it is not admitted or has no
 * work. `values` has room for all parameters. */
bool witness_complete(const struct witness_space *space, const contract_integer *point, struct contract_values *values);
/* The point of given values: what a solver found. */
void witness_point_of(const struct witness_space *space, const struct contract_values *values, contract_integer *point);
/* One scalar's value, and one block.x, as far as requirements about it alone can tell. */
bool witness_value_fits(const struct witness_space *space, uint32_t scalar, contract_integer value);
bool witness_block_fits(const struct witness_space *space, contract_integer threads);
struct contract_values witness_values_new(struct arena *arena, const struct contract *contract);

/* ---- order ----------------------------------------------------------------------------------------- */

/* Walks the points: all axes at their n-th value, then one axis away from its first value, then all by the sum of ranks. */
struct witness_walk {
    const struct witness_space *space;
    uint32_t *ranks;
    uint32_t phase, step, axis, sum, limit;
    uint64_t visited;
    bool fresh; /* BY_SUM: the first point of this sum is still to come */
};
void witness_walk_begin(struct witness_walk *walk, struct arena *arena, const struct witness_space *space);
/* The next admitted point; false at the end.  Each comes once. */
bool witness_walk_next(struct witness_walk *walk, contract_integer *point, struct contract_values *values);

/* ---- launches ---------------------------------------------------------------------------------------- */

/* How memory is filled where the contract does not fix it: `bounded` chooses values inside LW_VALUES, `free` everything else. */
enum { WITNESS_BOUNDED_FILLS = 3, WITNESS_FREE_FILLS = 3 };
struct witness_fill {
    unsigned bounded, free;
    /* Writes " io=..." and " init=..." of an array of elements `type` itself; NULL: by the two above.  [low, high) of LW_VALUES, both 0
     * without. */
    void (*contents)(void *context, const struct contract_parameter *parameter, const char *type, contract_integer low,
                     contract_integer high, struct buffer *out);
    void *context;
    const char *real; /* the value of real scalars; NULL: 1 */
    /* The value of this real scalar, or NULL for `real`; may be NULL. */
    const char *(*real_of)(void *context, const struct contract_parameter *parameter);
};

/* The launch as text for --launch, on one line.  False when the kernel's parameters cannot be written in it. */
bool witness_launch_text(const struct witness_space *space, const struct contract_values *values, struct witness_fill fill,
                         struct buffer *out);
/* True if some array of the launch has LW_VALUES: then the bounded fills differ. */
bool witness_has_bounded(const struct witness_space *space, const struct contract_values *values);

struct witness_limits {
    uint64_t steps;  /* warp instructions of a block; 0: the emulator's own */
    uint64_t memory; /* bytes; 0: the emulator's own */
    bool races;      /* look for races too */
    bool adversarial; /* lanes run apart between synchronisations */
    const struct contract *contract; /* whose LW_DISJOINT counts; NULL: none */
};
/* Runs a launch; findings, warp instructions and the launch go to `kernel`.  False when it cannot be run. */
bool witness_run(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct launch *launch,
                 struct place place, struct witness_limits limits, struct report_kernel *kernel);
bool witness_run_text(struct arena *arena, const struct ptx_module *module, uint32_t function, const char *text,
                      struct place place, struct witness_limits limits, struct report_kernel *kernel);

#endif
