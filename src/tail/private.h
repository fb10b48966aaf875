/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of tail share.
 */
#ifndef LANEWISE_TAIL_PRIVATE_H
#define LANEWISE_TAIL_PRIVATE_H

#include "tail/tail.h"

enum { TAIL_WHOLE_BLOCKS = 64 }; /* of a grid with more only corners and middle run */

/* A scalar that NAME=VALUE of the command line fixes. */
bool tail_is_fixed(const struct tail_plan *plan, uint32_t parameter, contract_integer *value);
/* As it is written there; NULL: not at all. */
const char *tail_fixed_text(const struct tail_plan *plan, struct arena *arena, const char *name);

/* contents.c: the hook of witness_launch_text. */
struct tail_filling {
    const struct tail_plan *plan;
    const struct tail_case *what;
    struct arena *arena;
};
void tail_fill_array(void *context, const struct contract_parameter *parameter, const char *type, contract_integer low,
                     contract_integer high, struct buffer *out);
const char *tail_real_scalar(void *context, const struct contract_parameter *parameter);

/* The buffer of a run that stands for an array of the contract; NULL: none. */
struct launch_buffer *tail_find_array(struct launch_run *run, struct arena *arena, const struct contract_parameter *parameter);
struct finding *tail_add_finding(struct arena *arena, struct report_kernel *kernel, enum finding_kind kind, struct place place);

/* A race for elements of an array with LW_DISJOINT. */
bool tail_breaks_disjoint(const struct contract *contract, const struct finding *finding);

/* missing.c */
struct tail_writes;
struct tail_writes *tail_writes_begin(const struct tail_subject *subject, struct launch_run_options *options);
void tail_writes_attach(struct tail_writes *writes, struct launch_run *run);
void tail_find_missing(struct tail_writes *writes, struct launch_run *run, const struct contract_values *values, bool is_whole,
                       struct report_kernel *kernel);
/* No launch, but arrays that should be written. */
void tail_find_idle(const struct tail_subject *subject, const struct contract_values *values, struct report_kernel *kernel);

/* device.c */
struct tail_elsewhere {
    const struct tail_subject *subject;
    struct launch_run *run;
    struct report_kernel *kernel;
    struct launch_image image;
    bool is_ready;
};
/* Before the run is executed: takes its contents.  False: it stays with the emulator, and options->left_out was told why. */
bool tail_elsewhere_begin(struct tail_elsewhere *elsewhere, const struct tail_subject *subject, struct launch_run *run, struct report_kernel *kernel);
/* The launch there; its results are the run's. */
void tail_elsewhere_run(struct tail_elsewhere *elsewhere);
/* The launch there, compared with what the emulator left. */
void tail_elsewhere_compare(struct tail_elsewhere *elsewhere, const struct tail_case *what);

/* reference.c */
void tail_compare_reference(const struct tail_subject *subject, const struct launch *launch, struct launch_run *run,
                            struct report_kernel *kernel);
/* block.c */
void tail_compare_blocks(const struct tail_subject *subject, struct launch_run *run, struct report_kernel *kernel);
bool tail_is_between_blocks(const struct finding *finding); /* that is how it was found */
/* LW_REDUCES: the fold of the array against the fold of its source; true if they agree or nothing can be said. */
bool tail_reduction_holds(struct arena *arena, struct launch_run *run, const struct contract *contract, uint32_t parameter,
                          const char **wanted, const char **got);

#endif
