/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside guard: a module being rewritten, one body (a kernel, or a copy of a device function for one kernel) of it, the arrays that its
 * checks speak of, and the points where checks may stand.
 */
#ifndef LANEWISE_GUARD_REWRITE_H
#define LANEWISE_GUARD_REWRITE_H

#include "guard/guard.h"
#include "ir/ir.h"

/* ---- edits (edit.c) ---------------------------------------------------------------------------------------------- */

/* `remove` bytes at `offset` of the module's text give way to `text`.  Edits of one offset apply in the order they were made. */
struct guard_edit {
    uint32_t offset, remove, order;
    const char *text;
};
typedef VEC(struct guard_edit) guard_edits;

void guard_edit_add(struct arena *arena, guard_edits *edits, uint32_t offset, uint32_t remove, const char *text);
/* The name as a word of its own in [first, end); NULL: it is not there. */
const char *guard_find_word(const char *first, const char *end, const char *word);
/* The text from `first` to `end` with the edits that lie there. */
void guard_edit_apply(const char *text, uint32_t first, uint32_t end, guard_edits *edits, struct buffer *out);

/* ---- the module ---------------------------------------------------------------------------------------------------- */

struct guard_rewrite {
    struct arena *arena;
    const struct ptx_module *module;
    const struct guard_options *options;
    struct guard_module *out;
    struct diagnostic_list *diagnostics;
    guard_edits edits;
    const char *prefix;        /* of every name that is added: occurs nowhere in the text */
    struct buffer constants;   /* messages of failing checks */
    VEC(uint32_t) has_message; /* by site: 1 when its message is among the constants */
};

/* ---- arrays (array.c) ------------------------------------------------------------------------------------------------ */

enum { GUARD_BASES_MAX = 6, GUARD_LIMITS_MAX = 8 };

/* What accesses of one kernel go to: a pointer among its parameters, or a variable. */
struct guard_array {
    bool is_parameter;
    uint32_t variable;      /* PTX: the parameter's or the variable itself */
    uint32_t offset;        /* of the pointer in a parameter that is a struct */
    uint32_t parameter;     /* of the contract; CONTRACT_NONE: none */
    const char *name;       /* for people */
    uint8_t space;          /* enum ptx_space where it lies */
    uint32_t element_size;
    const char *no_extent;  /* why nothing can be checked; NULL: it can */
};
typedef VEC(struct guard_array) guard_arrays;

/* The array of a base of the ir, added if it is new; GUARD_NONE: it is none that can be named. */
uint32_t guard_array_find(struct arena *arena, guard_arrays *arrays, const struct check_result *result, const struct ir_base *base);

/* ---- points (plan.c) -------------------------------------------------------------------------------------------------- */

/* One question about one PTX instruction, as weak as the weakest of its inlined copies in this kernel. */
struct guard_point {
    uint32_t function, instruction; /* of the PTX module */
    uint32_t number;         /* 101, 102, 103, 105, 106, 404 */
    uint32_t operand;        /* 101, 102, 105: which of its addresses, from 0 */
    uint32_t verdict_index;  /* into guard_kernel.verdicts */
    uint8_t proof;           /* enum check_verdict */
    uint32_t size;           /* bytes of the access in one go; 0: not known */
    uint32_t element;        /* bytes of one element of a vector access */
    uint8_t written_space;   /* enum ptx_space */
    bool is_write;
    bool is_whole_warp;      /* matrix and bulk work */
    bool is_plain;           /* a load or store of one thread, which unchecked indexing speaks of */
    bool knows_bases;
    uint32_t base_count;
    uint32_t bases[GUARD_BASES_MAX]; /* into arrays */
    const char *obstacle;    /* wanted, but why there can be no check; NULL */
    bool wanted;             /* a check shall stand here */
    bool is_implied;         /* none need stand here: checks before it prove it */
    uint32_t value;          /* 103: of the ir */
    uint32_t consumer;       /* 103: instruction of the ir */
    bool reads_signed;
};
typedef VEC(struct guard_point) guard_points;

struct guard_plan {
    const struct guard_input *input;
    const struct check_result *result;
    guard_arrays arrays;
    guard_points points;     /* by function, instruction, number, operand */
};
void guard_plan_make(struct guard_rewrite *rewrite, const struct guard_input *input, struct guard_kernel *kernel,
                     struct guard_plan *plan);

/* implied.c: asks once more what is open, relying on the checks that are wanted: some are not any more. */
void guard_find_implied(struct guard_rewrite *rewrite, struct guard_plan *plan);
/* plan.c: points of what was found out, without decisions. */
void guard_plan_points(struct guard_rewrite *rewrite, struct guard_plan *plan);

/* ---- a body (body.c) --------------------------------------------------------------------------------------------------- */

/* A number of the contract: exact in [low, high], which lies in 64 signed bits. */
struct guard_number {
    bool is_constant;
    contract_integer low, high;
    const char *text; /* register or decimal number */
};
/* Registers that hold an array in a body. */
struct guard_view {
    const char *bases[PTX_SPACE_COUNT]; /* start address as seen from a space (NONE: generic), 64 bits; NULL: not yet */
    const char *bytes;       /* register or number: extent in bytes; NULL: not yet */
    contract_integer constant_bytes; /* -1: not constant */
    struct {
        uint32_t size;
        const char *limit;   /* an offset below it is good for an access of that size */
    } limits[GUARD_LIMITS_MAX];
    uint32_t limit_count;
};

/* How many 32-bit indices are good for an access of `size` bytes to an array in steps of `scale` (index.c). */
struct guard_count {
    uint32_t array, size, scale;
    bool is_signed;
    const char *limit, *is_empty;
};

struct guard_body {
    struct guard_rewrite *rewrite;
    struct guard_plan *plan;
    struct guard_kernel *kernel;
    uint32_t kernel_index;
    uint32_t function;                   /* of the module */
    const struct ptx_function *source;
    guard_edits *edits;
    const bool *passed;                  /* by array: start and extent are parameters of this copy; NULL: none */
    struct guard_view *views;            /* by array of the plan */
    struct guard_number *scalars;        /* by parameter of the contract; text NULL: not loaded yet */
    VEC(struct guard_count) counts;
    struct buffer declarations, entry, cold;
    struct buffer copies;                /* of loops, without checks that were made before them */
    uint32_t predicates, words, longs;   /* registers that were made */
    uint32_t labels;
    bool has_fault;                      /* some check jumps to the common end */
    uint32_t added;                      /* instructions outside of `cold` */
    uint32_t added_cold;
};

void guard_body_begin(struct guard_body *body, struct guard_rewrite *rewrite, struct guard_plan *plan, uint32_t kernel,
                      uint32_t function, guard_edits *edits);
void guard_body_end(struct guard_body *body);
const char *guard_new_predicate(struct guard_body *body);
const char *guard_new_word(struct guard_body *body); /* 32 bits */
const char *guard_new_long(struct guard_body *body); /* 64 bits */
const char *guard_new_label(struct guard_body *body);
/* One instruction, counted.  `out` is a buffer that becomes the text of an edit, or body->entry or body->cold. */
void guard_emit(struct guard_body *body, struct buffer *out, const char *format, ...) LW_PRINTF(3, 4);
void guard_emit_label(struct buffer *out, const char *label);
/* Text goes before the instruction, behind its label. */
void guard_insert_before(struct guard_body *body, uint32_t instruction, const struct buffer *text);
void guard_insert_after(struct guard_body *body, uint32_t instruction, const struct buffer *text);

/* array.c: the array's start as seen from a space, and the first offset that is bad for an access of `size` bytes.  Made in the entry
 * block when they are asked for first. */
const char *guard_array_base(struct guard_body *body, uint32_t array, uint8_t space);
const char *guard_array_bytes(struct guard_body *body, uint32_t array);
const char *guard_array_limit(struct guard_body *body, uint32_t array, uint32_t size);

/* ---- numbers of the contract in registers (extent.c) --------------------------------------------------------------------- */

/* Code that evaluates expressions; `bad` is a predicate register, true when one of them could not be formed, or NULL. */
struct guard_evaluation {
    struct guard_body *body;
    const struct contract *contract;
    struct buffer *out;
    const char *bad;
    const char *obstacle; /* why this cannot be evaluated in a kernel; NULL */
};
struct guard_number guard_evaluate(struct guard_evaluation *evaluation, uint32_t node);
/* The extent of a parameter in bytes; 0 when it cannot be formed, as no launch has such an array. */
struct guard_number guard_evaluate_extent(struct guard_evaluation *evaluation, uint32_t parameter);
/* NULL, or why the expression has no value inside a kernel. */
const char *guard_expression_obstacle(struct arena *arena, const struct contract *contract, uint32_t node);

/* ---- checks --------------------------------------------------------------------------------------------------------------- */

/* access.c: the address of that number among the operands of the instruction, from 0; NULL: it has fewer. */
const struct ptx_operand *guard_address_operand(const struct ptx_instruction *instruction, uint32_t which);
/* bounds and alignment; divisors. */
void guard_check_bounds(struct guard_body *body, const struct guard_point *point);
/* The load is not made where it would leave its array, and `note`, a predicate, says so from then on. */
void guard_skip_load(struct guard_body *body, const struct guard_point *point, const char *note);
void guard_check_alignment(struct guard_body *body, const struct guard_point *point);
void guard_check_divisor(struct guard_body *body, const struct guard_point *point);
/* The trap of a check in the source: it leaves a record, too. */
void guard_record_failing_check(struct guard_body *body, const struct guard_point *point);

/* index.c: the address of the access is the array's start plus this 32-bit register times `scale`. */
struct guard_index {
    const char *name;
    bool is_signed;
    uint32_t scale;
};
bool guard_find_index(const struct guard_body *body, const struct guard_point *point, struct guard_index *index);
/* A predicate that says what "the offset is outside" says; the comparison goes to `out`. */
const char *guard_compare_index(struct guard_body *body, const struct guard_point *point, const struct guard_index *index, struct buffer *out);

/* wrap.c: all points of LW103 in the body; NULL, or why there can be no check at the point. */
void guard_check_wraps(struct guard_body *body, const guard_points *points);
const char *guard_wrap_obstacle(const struct guard_plan *plan, const struct guard_point *point);

/* align.c: kernel->alignments. */
void guard_find_alignments(struct guard_rewrite *rewrite, const struct guard_plan *plan, struct guard_kernel *kernel);
/* entry.c: the contract's own conditions, in the entry block. */
void guard_check_entry(struct guard_body *body);

/* reduction.c: `atom` as `red` where nobody reads the old value. */
void guard_use_reductions(struct guard_body *body);

/* split.c: the parts of a rewritten kernel behind it, when all its other edits are made; then, on the text of the whole module, what makes them
 * parts.  False with a diagnostic. */
void guard_split_begin(struct guard_rewrite *rewrite, const struct guard_input *input, struct guard_kernel *kernel);
bool guard_split_end(struct guard_rewrite *rewrite, struct buffer *text);

/* module.c: all checks whose points stand in the body's function. */
void guard_write_checks(struct guard_body *body);
void guard_write_check(struct guard_body *body, const struct guard_point *point); /* one of them, LW103 not */
/* strip.c: copies of loops whose accesses are checked before them. */
void guard_strip_loops(struct guard_body *body);
/* clone.c: copies of device functions for the kernel of this body, and its calls of them. */
void guard_write_clones(struct guard_body *kernel);
const char *guard_clone_obstacle(const struct guard_plan *plan, const struct guard_point *point);
bool guard_array_is_passed(const struct guard_plan *plan, const struct ptx_module *module, uint32_t array);

/* fault.c: the place a failing check goes to.  `index` and `extent` are 64-bit registers or numbers, in bytes; `element` is what they are
 * divided by, a label is returned. */
struct guard_failure {
    const struct guard_point *point;
    const char *array, *index, *extent;
    const char *start;   /* subtracted from the index; NULL: nothing */
    uint32_t element, access;
    const char *what;    /* a condition of the contract; NULL */
    struct place place;  /* its */
};
const char *guard_failure_label(struct guard_body *body, const struct guard_failure *failure);
/* Writes what all failing checks of the body share. */
void guard_fault_end(struct guard_body *body);
/* Declarations of the module: the fault variable, __assertfail, messages. */
void guard_fault_declare(struct guard_rewrite *rewrite);

#endif
