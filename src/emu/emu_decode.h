/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the decoder: emu_decode.c (functions and instructions), emu_operand.c (slots, constants, operands).
 */
#ifndef LANEWISE_EMU_DECODE_H
#define LANEWISE_EMU_DECODE_H

#include "emu/emu_core.h"

struct emu_decoder {
    struct emu_program *program;
    struct emu_function *function;
    const struct ptx_function *source;
    struct arena *arena; /* the program's */
    VEC(struct emu_op) code;
    const struct ptx_instruction *instruction; /* being decoded */
    uint32_t index;                            /* its number */
};

/* Bytes of storage of a register of this type: 1 predicate, 2, 4, 8, 16. */
uint8_t emu_storage_size(enum ptx_type type);
/* Gives every register of the function a slot: registers that are never live together share. */
void emu_allocate_slots(struct emu_decoder *decoder);
/* A slot of its own, for values that the decoder needs. */
uint32_t emu_new_slot(struct emu_decoder *decoder, uint8_t size);
/* Reference of a constant, broadcast to all lanes. */
uint32_t emu_constant(struct emu_program *program, uint64_t value, uint8_t size);
/* Fills dst, dst2, a..d, list, sizes, negate, immediate of `op` from the instruction's operands, first emitting operations that compute
 * special registers and addresses of local variables.  False after a diagnostic. */
bool emu_decode_operands(struct emu_decoder *decoder, struct emu_op *op);
/* Address that a symbol stands for in its own space (global, const: generic; shared: low 32 bits; parameter: offset); false for local variables and
 * unknown symbols. */
bool emu_symbol_address(const struct emu_program *program, const struct ptx_operand *operand, int64_t *address);
/* Local variable number of the function, or PTX_NONE. */
uint32_t emu_local_find(const struct emu_function *function, uint32_t variable);
void emu_op_clear(struct emu_op *op);
struct emu_op *emu_emit(struct emu_decoder *decoder, const struct emu_op *op);
enum emu_next emu_run_special(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);
enum emu_next emu_run_local_address(struct emu_warp *warp, const struct emu_op *op, uint32_t mask);

#endif
