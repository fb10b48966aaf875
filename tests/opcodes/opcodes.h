// SPDX-License-Identifier: Apache-2.0
//
// The table of opcode tests: what a form is, how its inputs are made, its PTX text and its recorded results.
// Shared by the generator (writes PTX), the recorder (runs it on a GPU) and the check (runs it in the emulator), so
// that all three speak of the same kernels and the same bytes. It depends on nothing but the C library.
//
// Every kernel has the parameters (.u64 input, .u64 output[, .align 16 .b8 area[64]]). Thread t reads its operands at
// input + t * input_stride and writes its results, eight bytes a value, at output + t * output_stride.
#ifndef LANEWISE_TESTS_OPCODES_H
#define LANEWISE_TESTS_OPCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    OPCODE_OPERANDS = 4, // at most this many inputs and this many outputs
    OPCODE_MEMORY_BYTES =
        32,                 // memory of one thread in the forms that test loads, stores and atomics
    OPCODE_AREA_BYTES = 64, // the parameter `area`
    OPCODE_CONST_BYTES = 4096, // the constant bank of a module
};

enum opcode_kind {
    OPCODE_PRED,
    OPCODE_BITS,
    OPCODE_UNSIGNED,
    OPCODE_SIGNED,
    OPCODE_FLOAT,
    OPCODE_BFLOAT
};

struct opcode_type {
    enum opcode_kind kind;
    unsigned bits;          // of the value: 1, 8, 16, 32, 64; of one half where `pair`
    bool pair;              // f16x2, bf16x2
    unsigned register_bits; // 1, 16, 32, 64
};

enum opcode_style {
    STYLE_EDGES,    // the edge values of the type, then random ones
    STYLE_NONZERO,  // the same without zero
    STYLE_SHIFT,    // shift amounts around the widths of registers, then large ones
    STYLE_POSITION, // bit positions and lengths
    STYLE_BELOW,    // 0 <= v < bound
    STYLE_LANE,     // the lane's number
    STYLE_SEGMENT,  // the third operand of shfl: a segment mask and a clamp value
    STYLE_SPAN,     // floats in [-bound, bound], a few special values first
    STYLE_INTEGER,  // floats that hold small integers
    STYLE_FUSED, // minus the rounded product of the first two operands, so that only a fused multiply-add is right
    STYLE_SAME, // one value for a whole warp
};

struct opcode_input {
    struct opcode_type type;
    enum opcode_style style;
    double bound;
};

enum opcode_memory {
    MEMORY_NONE,
    MEMORY_GLOBAL,
    MEMORY_SHARED,
    MEMORY_LOCAL,
    MEMORY_CONST,
    MEMORY_PARAM,
    MEMORY_GENERIC_GLOBAL,
    MEMORY_GENERIC_SHARED,
    MEMORY_GENERIC_LOCAL,
    MEMORY_GENERIC_CONST,
};

// How a result is compared. By default integers bit by bit and floats bit by bit except that every NaN equals every
// NaN: the manual leaves their payload open.
struct opcode_compare {
    bool bits;       // NaNs too
    double ulp;      // at most so many units in the last place
    double relative; // at most this relative error
    double
        absolute; // at most this absolute error; passing any one of the bounds that are set is enough
    uint64_t mask; // the bits that count
};

struct opcode_form {
    char *section; // base opcode; names the module
    char *name;    // the kernel's name
    char
        *template; // the instructions, separated by ';'; for a form written by hand the name of its file
    bool hand;
    unsigned output_count, input_count;
    struct opcode_type output[OPCODE_OPERANDS];
    struct opcode_input input[OPCODE_OPERANDS];
    enum opcode_memory memory;
    struct opcode_type element; // what memory holds
    bool memory_zero;           // memory starts as zeros, not as a copy of the thread's input
    bool memory_small;          // its elements are small whole numbers
    bool memory_back;           // memory is a result
    unsigned threads, block;    // all threads of the launch, threads of one block
    struct opcode_compare compare;
    uint32_t hash; // of everything above: tells whether recorded results belong to this form
    unsigned line; // in forms.def
};

struct opcode_table {
    struct opcode_form *forms;
    size_t count, capacity;
};

// table.c: both return false after printing every error to stderr.
bool opcode_table_read(struct opcode_table *table, const char *directory);
void opcode_table_free(struct opcode_table *table);
bool opcode_type_parse(const char *text, size_t length, struct opcode_type *type);
char *opcode_file_read(const char *path,
                       size_t *size); // NULL if it cannot be read; the caller frees

// Byte layout of a form's buffers.
size_t opcode_input_stride(const struct opcode_form *form);
size_t opcode_output_stride(const struct opcode_form *form);
size_t opcode_input_size(const struct opcode_form *form);
size_t opcode_output_size(const struct opcode_form *form); // with the memory behind the results
unsigned
opcode_value_count(const struct opcode_form *form); // results of one thread, memory words included
struct opcode_type opcode_value_type(const struct opcode_form *form, unsigned value);
char opcode_value_name(const struct opcode_form *form, unsigned value);

// inputs.c
void opcode_inputs_fill(const struct opcode_form *form, unsigned char *buffer);
uint64_t opcode_input_value(const struct opcode_form *form, unsigned operand, unsigned thread);
void opcode_const_fill(unsigned char bytes[OPCODE_CONST_BYTES]);
void opcode_area_fill(unsigned char bytes[OPCODE_AREA_BYTES]);

// emit.c: the PTX text of one module; `first` is the index of the section's first form.
void opcode_emit_header(FILE *file, bool const_bank);
void opcode_emit_form(FILE *file, const struct opcode_form *form);
bool opcode_emit_section(FILE *file, const struct opcode_table *table, const char *section,
                         const char *directory);

// expected.c: results of all threads of one form, values of a thread next to each other.
struct opcode_expected {
    const struct opcode_form *form;
    uint64_t *values; // threads * opcode_value_count(form)
};
void opcode_expected_write(FILE *file, const struct opcode_form *form, const uint64_t *values);
// Reads expected/<section>.tsv. `rows` has one element for each form of the table, filled where results were found
// that belong to the form as it is now. Returns false if a file is damaged.
bool opcode_expected_read(const struct opcode_table *table, const char *directory,
                          struct opcode_expected *rows);
void opcode_values_gather(const struct opcode_form *form, const unsigned char *output,
                          uint64_t *values);

// compare.c
bool opcode_value_equal(const struct opcode_form *form, unsigned value, uint64_t expected,
                        uint64_t got);
void opcode_value_print(FILE *file, const struct opcode_type *type, uint64_t value);

#endif
