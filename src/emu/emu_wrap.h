/* SPDX-License-Identifier: Apache-2.0
 *
 * Wraps (LW103): exact values of 32-bit index arithmetic beside the registers.
 *
 * A register of a chain of add, sub, mul.lo, mad.lo, shl, neg, not, mov, selp and truncation has two exact values: its start values
 * (parameters, special registers, loaded values, results of other operations) read as signed, and read as unsigned.  Exact values are stored only in lanes
 * where they differ from the register read the same way ("dirty" lanes; nearly always none).  Where the register is widened to 64 bits and
 * neither exact value equals what the widening makes of it, the 64-bit result is tainted; the taint follows the address arithmetic and is reported, at the
 * operation that left the width, when an access uses it: compilers widen above the guard.  A 32-bit address, and an ordered comparison of a
 * chain with a product, a shift or a truncation in it, are asked where they stand.
 *
 * Only registers in the backward slice of addresses and such comparisons are followed.  Exact values past 2^62 are given up: hash arithmetic.
 */
#ifndef LANEWISE_EMU_WRAP_H
#define LANEWISE_EMU_WRAP_H

#include "emu/emu_core.h"

enum emu_wrap_kind {
    EMU_WRAP_NONE,
    EMU_WRAP_ADD, EMU_WRAP_SUB, EMU_WRAP_MUL, EMU_WRAP_MAD, EMU_WRAP_SHL, EMU_WRAP_NEG, EMU_WRAP_NOT, EMU_WRAP_MOV, EMU_WRAP_SELP,
    EMU_WRAP_TRUNCATE
};

/* Flags of a register in the slice (emu_function.wrap); READ: it reaches more than a predicate that nobody reads. */
enum { EMU_WRAP_ADDRESS = 1, EMU_WRAP_GUARD = 2, EMU_WRAP_SHADOW = 4, EMU_WRAP_PRODUCT = 8, EMU_WRAP_READ = 16 };

#define EMU_WRAP_GIVEN_UP INT64_MIN

/* Exact values of one register (by slot). */
struct emu_exact {
    uint32_t dirty[2];                 /* [0] signed reading, [1] unsigned: lanes whose exact value is in `value` */
    int64_t value[2][EMU_LANES];
    const struct emu_op *origin[2];    /* the operation that left the width */
};

enum emu_wrap_role { EMU_WRAP_ROLE_SHADOW, EMU_WRAP_ROLE_FRESH, EMU_WRAP_ROLE_USE, EMU_WRAP_ROLE_WIDENED };
emu_fn *emu_wrap_run(enum emu_wrap_role role, enum emu_wrap_kind kind);
/* Is the result of this operation address arithmetic on its sources? */
bool emu_wrap_follows(const struct ptx_instruction *instruction);

/* A 64-bit register computed from a wrapped index. */
struct emu_taint {
    uint32_t lanes;
    const struct emu_op *origin;
    int64_t exact[EMU_LANES], seen[EMU_LANES];
};

/* Decides which registers are followed.  Before the function's operations are emitted. */
void emu_wrap_analyse(struct emu_function *function, struct arena *arena);
/* The shadow operation to put before or after an instruction's operation; false: none. */
struct emu_decoder;
void emu_wrap_emit_before(struct emu_decoder *decoder, const struct emu_op *op);
void emu_wrap_emit_after(struct emu_decoder *decoder, const struct emu_op *op);
/* Follows taint through an operation of a frame that has some; reports it at accesses. */
void emu_wrap_step(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);

/* The quick test, for each instruction set. */
emu_wrap_lanes emu_wrap_lanes_plain, emu_wrap_lanes_avx2, emu_wrap_lanes_avx512;
emu_wrap_lanes *emu_wrap_lanes_for(unsigned isa);

#endif
