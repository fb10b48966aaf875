/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `lanewise test` share: references in a child process (reference.c), golden data (golden.c), what earlier runs found
 * clean (state.c).
 */
#ifndef LANEWISE_CLI_TEST_H
#define LANEWISE_CLI_TEST_H

#include "cli/cli.h"
#include "tail/tail.h"

/* The host functions of a file, compiled once. */
struct references {
    struct contract_list *contracts;
    const char *folder, *library; /* library NULL: not compiled */
};

/* Compiles them if there are any.  False with diagnostics. */
bool references_begin(struct cli *cli, const struct job *job, struct contract_list *contracts, struct references *references,
                      struct diagnostic_list *diagnostics);
void references_end(struct references *references);
/* The reference of a kernel: an index, or UINT32_MAX. */
uint32_t references_find(struct cli *cli, const struct references *references, const char *mangled);
struct reference_call {
    const struct references *references;
    uint32_t index;
};
/* A tail_reference: calls it in a child process, which may crash or hang. */
bool references_call(void *context, struct arena *arena, struct tail_call *call);

/* --input and --golden: an array's contents before and after; NULL: not given. */
struct golden_array {
    const char *name;
    struct npy_file *before, *after;
};
struct golden {
    VEC(struct golden_array) arrays; /* none: no golden data */
    const char *key;                 /* of names and contents, for the state; "" without */
};
/* Reads the files.  False when something was wrong: it is printed. */
bool golden_begin(struct cli *cli, struct golden *golden);
/* Golden data of one kernel: fixes sizes and checks that everything fits; false with diagnostics. */
bool golden_bind(struct cli *cli, const struct golden *golden, const struct contract *contract, const struct tail_use *uses,
                 struct place place, struct tail_options *options, struct diagnostic_list *diagnostics);

/* The file of --state: a line for each launch that was clean. */
struct test_state {
    FILE *file;         /* NULL: none */
    struct text_map clean;
    const char *key;    /* of the kernel that is tested now */
};
bool state_begin(struct cli *cli, struct test_state *state);
void state_end(struct test_state *state);
bool state_was_clean(const struct test_state *state, uint32_t number);
void state_add(struct test_state *state, uint32_t number);

#endif
