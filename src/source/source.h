/* SPDX-License-Identifier: Apache-2.0
 *
 * source: from a file that the user names to PTX.  A .cu file is compiled by clang with Lanewise's own toolkit-free headers, or by nvcc; a
 * .ptx file is read as it is.  What a compiler says becomes diagnostics with places.
 *
 * Compilers run as child processes with a time limit; nothing they leave behind survives, also when the user interrupts.
 */
#ifndef LANEWISE_SOURCE_H
#define LANEWISE_SOURCE_H

#include "base/base.h"
#include "contract/contract.h"
#include "ptx/ptx.h"

enum source_compiler { COMPILER_CLANG, COMPILER_NVCC };

struct source_options {
    enum source_compiler compiler;
    const char *level;    /* "0" to "3"; NULL: 2 */
    bool debug;           /* -g (clang) or -G (nvcc) */
    const char *cflags;   /* more flags, split like a shell does; NULL: none */
    const char *data;     /* folder with shim/ and include/: source_find_data; NULL: not found */
    uint32_t timeout;     /* seconds for one compilation; 0: 300 */
};

struct source_unit {
    const char *path; /* as the user wrote it */
    const char *text; /* the file, zero-terminated */
    size_t size;
    bool is_ptx;
    const char *ptx; /* after source_compile */
    size_t ptx_size;
    const char *ptx_name; /* for messages about the PTX */
    bool timed_out;  /* the compiler did not end in time */
};

/* Reads the file and says whether it can be an input at all: false with a diagnostic for folders, empty and binary files, other endings. */
bool source_load(struct arena *arena, const char *path, struct source_unit *unit,
                 struct diagnostic_list *diagnostics);
bool source_compile(struct arena *arena, struct source_unit *unit,
                    const struct source_options *options, struct diagnostic_list *diagnostics);
/* After parsing: file names of the PTX become what the user wrote, or relative to the current folder. */
void source_shorten_paths(struct arena *arena, const struct source_unit *unit,
                          struct ptx_module *module);

/* Why a file that compiles may have no kernel, as far as its text tells; NULL: it does not. */
const char *source_explain_no_kernel(const struct source_unit *unit);

/* One path likewise. */
const char *source_shown_path(struct arena *arena, const struct source_unit *unit, const char *path);

/* The folder that holds shim/ and include/: beside the executable, where it was installed, or where it was built. */
const char *source_find_data(struct arena *arena);

/* Where `__global__ ... name(` stands; line 0 if it is not in the text. `name` may have namespaces and template arguments. */
struct place source_find_kernel(const struct source_unit *unit, const char *name);

/* ---- contracts ----------------------------------------------------------------------------------------- */

/* LW_REFERENCE: a host function that computes what a kernel must. */
struct contract_reference {
    const char *kernel;   /* as written */
    const char *function; /* mangled */
    const char *shown;
    struct place place;
};

/* What files say about kernels.  A contract with `kernel` speaks of that PTX entry; without, of those that `kernel_shown` means. */
struct contract_list {
    VEC(struct contract *) items;
    VEC(struct contract_reference) references;
    VEC(struct contract_parameter) templates; /* kernel templates with a contract: name and place, to tell which stay unused */
    const char *trouble; /* what kept some declarations from being read, in a file that has contracts; NULL: nothing did */
    struct place trouble_place;
};

/* Reads the contracts of a .cu file and of the headers that it includes, with libclang.  Every kernel gets one, also without a macro
 * (has_annotations is false then); kernel templates one for each instance in unit->ptx, so compile first.  False with diagnostics. */
bool source_read_contracts(struct arena *arena, const struct source_unit *unit, const struct source_options *options,
                           struct contract_list *list, struct diagnostic_list *diagnostics);
/* Reads a header of C prototypes. */
bool source_read_contract_header(struct arena *arena, const char *path, const struct source_options *options,
                                 struct contract_list *list, struct diagnostic_list *diagnostics);
/* The contract of one PTX kernel in `contract`, NULL if nothing speaks of it; what several files say is joined.  False with diagnostics
 * when they disagree, or a contract disagrees with the PTX. */
bool source_match_contract(struct arena *arena, const struct contract_list *list, const struct ptx_module *module,
                           uint32_t function, const struct contract **contract, struct diagnostic_list *diagnostics);

/* Compiles the host half of a file to a shared object in `folder`, with `void lanewise_reference_N(void **arguments)` and `unsigned
 * lanewise_reference_count_N(void)` for reference N of the list.  False with diagnostics. */
bool source_compile_host(struct arena *arena, const struct source_unit *unit, const struct source_options *options,
                         const struct contract_list *list, const char *folder, const char **output,
                         struct diagnostic_list *diagnostics);

/* ---- launches in host code ------------------------------------------------------------------------------- */

enum host_node_kind {
    HOST_CONSTANT, /* value */
    HOST_VARIABLE, /* [0]: index in variables; nothing changes it once it has its value */
    HOST_CAST,     /* to `bits` and `is_signed`; bits 1: bool */
    HOST_NEGATE, HOST_INVERT, HOST_NOT,
    HOST_ADD, HOST_SUBTRACT, HOST_MULTIPLY, HOST_DIVIDE, HOST_REMAINDER, HOST_SHIFT_LEFT, HOST_SHIFT_RIGHT,
    HOST_BIT_AND, HOST_BIT_OR, HOST_BIT_XOR,
    HOST_LESS, HOST_LESS_EQUAL, HOST_GREATER, HOST_GREATER_EQUAL, HOST_EQUAL, HOST_NOT_EQUAL,
    HOST_BOTH, HOST_EITHER,
    HOST_CHOICE,   /* [0] ? [1] : [2] */
    HOST_MINIMUM, HOST_MAXIMUM,
    HOST_UNKNOWN   /* of a guard: anything; value 1: it may hang on one of the variables */
};
#define HOST_NONE UINT32_MAX

/* An integer expression of C++: operands and the result have the type of the node, but for comparisons, casts and choices. */
struct host_node {
    uint8_t kind, bits;
    bool is_signed;
    uint32_t operands[3];
    contract_integer value;
};

struct host_guard {
    uint32_t condition; /* node */
    bool wanted;        /* the launch is reached only where the condition has this truth */
};

/* One `kernel<<<grid, block>>>(...)`. */
struct host_launch {
    const char *kernel;          /* mangled */
    struct place place;
    VEC(struct host_node) nodes;
    VEC(const char *) variables; /* names */
    VEC(bool) derived;           /* by variable: it is made of something that was not read */
    uint32_t grid[3], block[3];  /* nodes; HOST_NONE: not known */
    VEC(uint32_t) arguments;     /* nodes, by parameter of the kernel; HOST_NONE: no integer, or not known */
    VEC(struct host_guard) guards;
    bool is_guarded;             /* by something that was not understood and may hang on the variables */
};
typedef VEC(struct host_launch) host_launches;

/* The launches in the functions of a .cu file itself, with libclang; nothing where it cannot be read. */
void source_read_launches(struct arena *arena, const struct source_unit *unit, const struct source_options *options,
                          host_launches *launches);

/* ---- processes -------------------------------------------------------------------------------------- */

struct process_result {
    bool missing;    /* no such program */
    bool timed_out;
    int error;       /* errno when the process could not be started or watched; 0: fine */
    int exit_code;   /* -1: ended by a signal */
    struct buffer out, err;
    bool truncated;  /* one of them was longer than the limit */
};

/* Runs a program (searched in PATH) and waits for its end; its input is empty.  `environment` NULL: ours.  An interrupt of ours ends the
 * child's whole process group, then calls `cleanup` and takes its course. */
void process_run(struct arena *arena, const char *const *arguments, char *const *environment,
                 uint32_t timeout, void (*cleanup)(void *), void *context,
                 struct process_result *result);

/* Removes a folder and all it holds. */
void folder_remove(const char *path);

#endif
