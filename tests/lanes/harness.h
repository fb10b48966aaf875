/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs single lane operations on a register file of its own: an instruction is text, its registers are
 *
 *   %p0..%p7 predicates, %h0..%h15 16 bits, %r0..%r47 32 bits, %d0..%d15 64 bits, %q0..%q3 128 bits
 *
 * and every instruction set that the machine has can run it.
 */
#ifndef LANEWISE_TESTS_LANES_HARNESS_H
#define LANEWISE_TESTS_LANES_HARNESS_H

#include "../base/unit.h"

#include "emu/emu.h"
#include "emu/lanes.h"

enum { FILE_PREDICATES = 8, FILE_HALVES = 16, FILE_WORDS = 48, FILE_LONGS = 16, FILE_QUADS = 4 };

struct register_file {
    uint32_t p[FILE_PREDICATES][16]; /* the first word of each */
    uint16_t h[FILE_HALVES][EMU_LANES];
    uint32_t r[FILE_WORDS][EMU_LANES];
    uint64_t d[FILE_LONGS][EMU_LANES];
    uint64_t q[FILE_QUADS][2][EMU_LANES];
} __attribute__((aligned(64)));

/* An instruction decoded to an operation; immediates are in `pool`. */
struct lane_case {
    struct arena arena;
    const struct ptx_instruction *instruction;
    struct emu_op op;
    uint32_t list[64];
    char *pool;
    size_t pool_size;
};

/* Fails the test when the text does not parse. */
void lane_case_init(struct lane_case *lane_case, const char *text);
void lane_case_free(struct lane_case *lane_case);
/* False if no operation serves the instruction. */
bool lane_case_run(struct lane_case *lane_case, unsigned isa, struct register_file *file, uint32_t mask);
/* init, run on the best instruction set with all lanes, free; fails the test if there is no operation. */
void lane_run(const char *text, struct register_file *file);

/* The next pseudo-random number. */
uint64_t random_next(uint64_t *state);
/* A value of 16, 32 or 64 bits: often an edge (of integers or of floats), else random. */
uint64_t random_value(uint64_t *state, unsigned bits);
void random_file(uint64_t *state, struct register_file *file);

#endif
