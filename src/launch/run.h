/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of a run share: the launch being prepared, its buffers, its parameter block.
 */
#ifndef LANEWISE_LAUNCH_RUN_H
#define LANEWISE_LAUNCH_RUN_H

#include "launch/expression.h"

struct launch_run {
    struct arena *arena;
    const struct ptx_module *module;
    uint32_t function;
    const struct launch *launch;
    const struct launch_run_options *options;
    struct report_kernel *kernel;
    struct diagnostic_list *diagnostics;

    struct expression_name *names; /* scalars first, then buffers, in the order of the launch */
    uint32_t scalar_count, name_count;
    struct launch_buffer *buffers; /* parallel to the buffers among `names` */
    uint32_t buffer_count;

    uint8_t *parameters; /* parameter block */
    uint32_t parameters_size;
    const char **parameter_names;
    uint64_t *focus; /* linear block numbers */
    uint32_t focus_count;

    struct emu_machine *machine;
    struct emu_program *program;
    bool refused; /* the geometry is a finding: nothing runs */
};

/* geometry.c: sizes of grid and block; findings LW501, LW502, LW503. */
bool run_check_geometry(struct launch_run *run);
/* run.c: what is known of a run before anything is looked at. The launch is copied: types are filled in. */
void run_begin(struct launch_run *run, struct arena *arena, const struct ptx_module *module, uint32_t function,
               const struct launch *launch, const struct launch_run_options *options, struct report_kernel *kernel,
               struct diagnostic_list *diagnostics);
/* resolve.c: evaluates scalars, lengths, shapes; compiles init and want. False with diagnostics. */
bool run_resolve(struct launch_run *run);
/* parameters.c: matches arguments against the kernel's parameters before anything is allocated, and lays them out after. */
bool run_match_parameters(struct launch_run *run);
bool run_lay_out_parameters(struct launch_run *run);
/* The fields of `struct i32 5, f32 0.5, address x`, which lie as C lays them out: each at a multiple of its size. */
struct run_field {
    uint64_t offset, size;
    struct launch_buffer *buffer; /* `address`; NULL: a scalar */
    enum value_type type;
    struct value value;
    struct place place;
};
struct run_fields {
    const struct launch_argument *argument;
    const char *at, *end;
    uint64_t used, widest;
    bool failed; /* with a diagnostic */
};
struct run_fields run_fields_begin(const struct launch_argument *argument);
bool run_fields_next(struct launch_run *run, struct run_fields *fields, struct run_field *field);
/* compare.c: results against `want`. */
bool run_compare(struct launch_run *run);

const struct ptx_function *run_function(const struct launch_run *run);
struct launch_buffer *run_find_buffer(struct launch_run *run, struct launch_text name);
/* Where `alias NAME+OFFSET` points: a buffer, and elements into it. False with a diagnostic. */
bool run_find_alias(struct launch_run *run, const struct launch_argument *argument, struct launch_buffer **buffer,
                    int64_t *offset);
/* The value of a constant expression, or false with a diagnostic. */
bool run_constant(struct launch_run *run, struct launch_text text, struct value *value);
/* Starts a finding about the launch, at the kernel's declaration. */
struct finding *run_add_finding(struct launch_run *run, enum finding_kind kind);
void run_complain(struct launch_run *run, struct place place, const char *format, ...)
    LW_PRINTF(3, 4);

#endif
