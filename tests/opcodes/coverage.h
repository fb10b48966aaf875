// SPDX-License-Identifier: Apache-2.0
//
// Which instructions did passing tests execute? Counted for each form that required.tsv lists and for each base opcode
// of the opcode table. Only the instructions a form is about count, not those around it that load and store operands;
// a file written by hand counts as a whole.
#ifndef LANEWISE_TESTS_COVERAGE_H
#define LANEWISE_TESTS_COVERAGE_H

#include "opcodes.h"

struct coverage_form {
    char *name;
    const char *reason; // why no test executes it, NULL where one must
    unsigned tests;
};

struct coverage {
    char *text; // of required.tsv; the names point into it
    struct coverage_form *forms;
    size_t count;
    unsigned *opcodes; // tests of each base opcode
};

bool coverage_read(struct coverage *coverage, const char *directory);
void coverage_free(struct coverage *coverage);
void coverage_add(struct coverage *coverage, const struct opcode_form *form, const char *directory);
// False if a form of required.tsv without a reason was not executed, or one with a reason was.
bool coverage_report(const struct coverage *coverage, FILE *file);

#endif
