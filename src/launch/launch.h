/* SPDX-License-Identifier: Apache-2.0
 *
 * launch: what is launched and with what.  The launch comment (docs/launch-comment.md) becomes a struct launch; matched against a
 * kernel's parameters, its buffers become lazily filled memory of an emulator, its scalars the parameter block; after the run its
 * `want` expressions are compared with what the kernel left.
 *
 * Everything that a comment can get wrong is a diagnostic at its line and column.  Launches that a device would refuse (a grid of
 * zero, a block too large) are findings (LW501, LW502, LW503), not input errors.
 */
#ifndef LANEWISE_LAUNCH_H
#define LANEWISE_LAUNCH_H

#include "base/base.h"
#include "contract/contract.h"
#include "emu/emu.h"
#include "launch/fault.h"
#include "ptx/ptx.h"
#include "report/report.h"

#include <stdatomic.h>

/* ---- element types --------------------------------------------------------------------------- */

enum value_type {
    VALUE_I8, VALUE_I16, VALUE_I32, VALUE_I64,
    VALUE_U8, VALUE_U16, VALUE_U32, VALUE_U64,
    VALUE_F16, VALUE_BF16, VALUE_F32, VALUE_F64,
    VALUE_TYPE_COUNT
};

struct value_type_info {
    const char *name;  /* "f32" */
    uint8_t size;      /* bytes */
    bool is_float, is_signed;
    double tolerance;  /* relative difference that results may have */
    const char *numpy; /* "<f4" */
};
const struct value_type_info *value_type_info(enum value_type type);
/* The type of that name, or VALUE_TYPE_COUNT. */
enum value_type value_type_find(const char *name, size_t size);

/* A number as the expressions see it. */
struct value {
    bool is_float, is_unsigned;
    union {
        int64_t integer;
        double real;
    } as;
};
double value_as_double(struct value value);
/* Stores as C converts: integers keep their low bits, reals are rounded to nearest, reals out of an integer's range saturate. */
void value_store(enum value_type type, struct value value, void *bytes);
struct value value_load(enum value_type type, const void *bytes);
/* Shortest text that reads back as the same value; at least 32 bytes; returns `out`. */
const char *value_format(enum value_type type, const void *bytes, char *out);
/* True if a result is right: integers equal, reals within the type's tolerance or the given one if that is larger, NaN equal to NaN,
 * infinities by sign. */
bool value_matches(enum value_type type, const void *got, const void *wanted, double tolerance);

/* ---- expressions ------------------------------------------------------------------------------ */

/* A C expression of the element number `i`, compiled to a small stack program that works on many elements at a time.
 * Integers are 64 bits wide unless cast or suffixed to `unsigned`; no evaluation can fail, hang or allocate. */
struct expression;

/* A name that an expression may use: a scalar argument, or a buffer, which is then read at its initial contents. */
struct expression_name {
    const char *name;
    enum value_type type;
    bool is_buffer;
    struct value value;            /* a scalar's */
    uint64_t length;               /* a buffer's */
    const struct expression *init; /* a buffer's; NULL: zeros */
};

struct expression_scope {
    const struct expression_name *names;
    uint32_t count;
};

struct expression_error {
    uint32_t offset;     /* into the text */
    const char *message; /* lower case, no full stop */
    const char *help;    /* NULL: none */
};

/* NULL with `error` filled when the text is no expression. */
struct expression *expression_compile(struct arena *arena, const char *text, size_t size,
                                      const struct expression_scope *scope,
                                      struct expression_error *error);
/* True if the value does not depend on `i`; then `value` is set. */
bool expression_constant(const struct expression *expression, struct value *value);

enum expression_fault { FAULT_NONE, FAULT_DIVISION, FAULT_INDEX, FAULT_LENGTH };
const char *expression_fault_text(enum expression_fault fault); /* "divides by zero" */

/* Writes elements [first, first + count) as `type`.  Returns the first fault, its element in `at`; a faulting element is 0. */
enum expression_fault expression_store(const struct expression *expression, enum value_type type,
                                       uint64_t first, uint64_t count, void *out, uint64_t *at);

/* ---- NumPy files ------------------------------------------------------------------------------- */

enum { NPY_DIMENSIONS = 8 };

struct npy_file {
    const char *path;
    enum value_type type;
    uint64_t shape[NPY_DIMENSIONS];
    unsigned dimensions;
    uint64_t count; /* elements */
    const uint8_t *data;
};
/* Reads a .npy file of plain numbers into `arena`.  NULL, or what is wrong: "is cut off ...". */
const char *npy_read(struct arena *arena, const char *path, struct npy_file *file);
const char *npy_shape_text(struct arena *arena, const struct npy_file *file); /* "(2, 3)" */
/* True if its elements are those of a buffer of that type. */
bool npy_has_type(const struct npy_file *file, enum value_type type);

/* ---- the launch comment ------------------------------------------------------------------------ */

/* A piece of the comment's text and where it stands. */
struct launch_text {
    const char *text; /* NULL: not given */
    uint32_t size;
    struct place place;
};

enum launch_argument_kind {
    ARGUMENT_SCALAR, /* arg n: i32 5 */
    ARGUMENT_BUFFER, /* arg x: buf f32 len=5 ... */
    ARGUMENT_ALIAS,  /* arg y: alias x [offset=N] */
    ARGUMENT_NULL,   /* arg p: null */
    ARGUMENT_BYTES,  /* arg s: bytes 0a0b0c */
    ARGUMENT_STRUCT  /* arg s: struct i32 5, f32 0.5, address x */
};

/* Where a buffer stands in the launch. */
enum launch_role {
    ROLE_PARAMETER, /* arg: one of the kernel's parameters, in order */
    ROLE_EXTRA,     /* buffer: memory whose address stands in a struct */
    ROLE_SYMBOL     /* symbol: a __device__ or __constant__ variable of the module */
};

enum launch_io { IO_IN, IO_OUT, IO_INOUT, IO_SCRATCH };

struct launch_argument {
    enum launch_argument_kind kind;
    enum launch_role role;
    const char *name;
    struct place place; /* of the name */
    bool has_type;      /* false: NAME=VALUE, the type is the parameter's */
    enum value_type type;
    enum launch_io io;
    struct launch_text value;   /* a scalar's; an alias's target; bytes; a struct's fields */
    struct launch_text length, shape, init, want;
    struct launch_text set;         /* only so many elements have contents at the start */
    struct launch_text offset;      /* an alias's, in elements */
};

struct launch_expectation {
    const char *kind;      /* as written */
    enum finding_kind finding; /* FINDING_KIND_COUNT: "none" or "checked" */
    uint32_t line;         /* 0: anywhere */
    struct place place;
};

struct launch {
    struct launch_text kernel;        /* empty: the file's only kernel */
    bool has_grid, has_block;
    int64_t grid[3], block[3];        /* as written: zero, negative or too large is for the check to say */
    struct place grid_place, block_place;
    uint64_t dynamic_shared;
    struct place dynamic_shared_place;
    VEC(struct launch_argument) arguments;
    VEC(int64_t) focus;               /* triples x, y, z; unlisted coordinates are 0 */
    struct place focus_place;
    VEC(struct launch_expectation) expected, accepted;
    bool expects_none;                /* `expect: none` stands there */
    double tolerance;                 /* relative, for the wants of reals; 0: the type's own */
    struct launch_text verdict;
    struct launch_text case_name;
};

/* What one file's head comment says: a launch for each `kernel:` line. */
struct launch_comment {
    VEC(struct launch) launches;
    bool has_geometry; /* at least one launch has a grid, a block or an argument: there is something to run */
};

/* Reads the `//` lines at the top of `text`. */
void launch_comment_parse(struct arena *arena, const char *file, const char *text, size_t size,
                          struct launch_comment *comment, struct diagnostic_list *diagnostics);
/* Reads the text of `--launch`: the same lines, `;` for a new one, NAME=VALUE for a scalar.  Without a `kernel:` line, or with
 * nothing else, it changes single lines of each launch of `comment`, if it has any; otherwise it replaces them all. */
void launch_text_apply(struct arena *arena, const char *text, struct launch_comment *comment,
                       struct diagnostic_list *diagnostics);
/* The name that places in the text of `--launch` have. */
#define LAUNCH_TEXT_FILE "--launch"

/* ---- running ----------------------------------------------------------------------------------- */

/* The kernel a launch means: an index into module->functions, or PTX_NONE with a diagnostic.  `wanted` replaces the launch's
 * own `kernel:` when not NULL. */
uint32_t launch_find_kernel(struct arena *arena, const struct ptx_module *module,
                            const struct launch *launch, const char *wanted,
                            struct diagnostic_list *diagnostics);
/* "scale<float>" of "void scale<float>(float*, int)": what people call the kernel. */
const char *launch_short_name(struct arena *arena, const char *mangled);

/* The launch as a contract that fixes every scalar, length, shape and size, and the values of integer buffers whose contents are
 * known: for a proof of that one launch.  NULL with diagnostics when it does not fit the kernel.  The module and `arena` must
 * outlive it. */
struct contract *launch_contract(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                 const struct launch *launch, struct diagnostic_list *diagnostics);
/* Checks the launch against the kernel without running it.  False with diagnostics when it does not fit, or with findings in
 * `kernel` (LW502, LW503) when a device would refuse it. */
bool launch_check(struct arena *arena, const struct ptx_module *module, uint32_t function, const struct launch *launch,
                  struct place kernel_place, struct report_kernel *kernel, struct diagnostic_list *diagnostics);

struct launch_run_options {
    struct emu_options emu;
    struct place kernel_place; /* of the kernel's declaration, for findings about the launch */
    struct emu_counting *counting; /* NULL: do not count */
    const struct contract *contract; /* whose LW_DISJOINT counts; NULL: none */
};

/* A buffer of a run. */
struct launch_buffer {
    const struct launch_argument *argument;
    uint64_t length;   /* elements */
    uint64_t set;      /* with `set`: so many elements have contents at the start */
    uint64_t shape[3]; /* 0: not given */
    unsigned dimensions;
    struct expression *init, *want;
    uint64_t address;
    bool initialised;
    _Atomic uint64_t fault; /* element + 1 of a fault in `init`, 0: none */
    _Atomic uint32_t fault_kind;
};

struct launch_run; /* one launch of one kernel on one machine */

/* Prepares the launch: checks it, allocates memory, lays out the parameters.  NULL with diagnostics when the comment does not fit the
 * kernel.  Findings about the geometry go to `kernel`, and then nothing will run. */
struct launch_run *launch_run_begin(struct arena *arena, const struct ptx_module *module,
                                    uint32_t function, const struct launch *launch,
                                    const struct launch_run_options *options,
                                    struct report_kernel *kernel,
                                    struct diagnostic_list *diagnostics);
/* Runs the kernel, if the geometry lets it, and compares its results with what is wanted.  False when `init` or `want` could not be
 * evaluated: see the diagnostics. */
bool launch_run_execute(struct launch_run *run);
/* The buffer of that name, or NULL. */
struct launch_buffer *launch_run_buffer(struct launch_run *run, const char *name);
uint32_t launch_run_buffer_count(const struct launch_run *run);
struct launch_buffer *launch_run_buffer_at(struct launch_run *run, uint32_t index);
/* Elements [first, first + count) as they stand; defined[i]: element i has no undefined byte (may be NULL). */
bool launch_run_read(struct launch_run *run, const struct launch_buffer *buffer, uint64_t first,
                     uint64_t count, void *out, uint8_t *defined);
void launch_run_end(struct launch_run *run);

/* A launch for a device that is no emulator (image.c): all arrays in one stretch of its memory, guard zones around each. */
struct launch_image {
    uint8_t *bytes;
    uint64_t size;
    uint8_t pattern;          /* of guard zones, and of what is undefined */
    uint64_t *offsets;        /* by buffer of the run */
    uint32_t function, grid[3], block[3], dynamic_shared;
    const uint8_t *parameters; /* as if the stretch began at 0 ... */
    uint32_t parameters_size;
    VEC(uint32_t) addresses;  /* ... so its address is to be added to 8 bytes at each of these */
};
/* Before the run is executed.  NULL, or why the launch cannot go elsewhere. */
const char *launch_image_make(struct launch_run *run, uint64_t capacity, struct launch_image *image);
void launch_image_fill(struct launch_run *run, struct launch_image *image, uint8_t pattern);
/* After it: the buffer nearest to a byte outside of all of them that was written, and where seen from its start; NULL: there is none. */
const struct launch_buffer *launch_image_stray(struct launch_run *run, const struct launch_image *image, int64_t *byte);
/* What two launches with different patterns left becomes the run's memory; what is the pattern in both stays undefined. */
bool launch_image_take(struct launch_run *run, const struct launch_image *first, const uint8_t *again, uint8_t other_pattern);
/* The results against `want`; false when one could not be evaluated. */
bool launch_run_compare(struct launch_run *run);

#endif
