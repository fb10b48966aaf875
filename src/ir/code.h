/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to ir: a function's instructions as one list, with the bodies of inlined functions in
 * the place of their calls.  The control-flow graph and the SSA form are both built from it.
 *
 * An inlined call stays in the list as an item in front of the callee's body: if it is guarded it
 * is the branch around the body. A ret in an inlined body is a branch to the item after it.
 */
#ifndef LANEWISE_IR_CODE_H
#define LANEWISE_IR_CODE_H

#include "ir/ir.h"

struct code_item {
    uint32_t frame, index; /* instruction of the frame's function */
    uint32_t child;        /* an inlined call: its frame; else IR_NONE */
};

struct code_frame {
    struct ir_frame frame;
    const struct ptx_function *source;
    uint32_t *position;     /* instruction -> item; one more for the end of the body */
    uint32_t register_base; /* number of its register 0 among the registers of all frames */
};

struct code {
    struct arena *arena;
    const struct ptx_module *module;
    VEC(struct code_item) items;
    VEC(struct code_frame) frames;
    uint32_t register_count; /* of all frames, and one for the carry, which is the last */
    uint32_t left[IR_LEFT_ARGUMENTS + 1];
    VEC(uint64_t) left_calls; /* item << 8 | enum ir_call_left, ascending */
};

/* The function alone. */
void code_init(struct code *code, struct arena *arena, const struct ptx_module *module,
               uint32_t function);
/* The function with its calls inlined as far as `options` say.  Gives up on: see enum
 * ir_call_left. */
void code_init_inlined(struct code *code, struct arena *arena, const struct ptx_module *module,
                       uint32_t function, const struct ir_options *options);

static inline const struct ptx_instruction *code_instruction(const struct code *code, uint32_t item)
{
    const struct code_item *at = &code->items.data[item];
    return &code->frames.data[at->frame].source->instructions.data[at->index];
}
static inline uint32_t code_register(const struct code *code, uint32_t frame, uint32_t reg)
{
    return code->frames.data[frame].register_base + reg;
}

/* What an item does to the flow of control. */
struct code_flow {
    bool ends_block;
    bool falls;    /* may go on to the next item */
    uint8_t leave; /* enum ir_leave */
};
struct code_flow code_flow(const struct code *code, uint32_t item);
/* Calls `visit` for the items it may branch to, in written order. */
typedef void code_target_visitor(void *context, uint32_t target);
void code_visit_targets(const struct code *code, uint32_t item, code_target_visitor *visit,
                        void *context);

/* Builds the graph over the items. */
struct ir_cfg *code_build_cfg(const struct code *code, uint32_t function);

/* What an operand is for, from the row of ops.def. */
enum operand_role { ROLE_USE, ROLE_DEFINE, ROLE_BOTH, ROLE_ADDRESS, ROLE_LABEL, ROLE_CALL };
enum { OPERANDS_MAX = 256 };
struct operand_use {
    uint8_t role; /* enum operand_role */
    uint8_t type; /* enum ptx_type: of a constant in this place */
};
void operand_uses(const struct ptx_instruction *instruction, struct operand_use uses[OPERANDS_MAX]);
/* The instruction reads or writes the carry flag. */
bool operand_reads_carry(const struct ptx_instruction *instruction);
static inline bool operand_writes_carry(const struct ptx_instruction *instruction)
{
    return (instruction->flags & PTX_MODIFIER_CC) != 0;
}

/* The parts of a call's operands. */
struct call_parts {
    const struct ptx_operand *results, *arguments; /* elements */
    uint32_t result_count, argument_count;
    const struct ptx_operand *through; /* the register of an indirect call, or NULL */
};
void call_split(const struct ptx_instruction *instruction, struct call_parts *parts);
enum ir_call_effect call_effect(const struct ptx_module *module, uint32_t callee);

#endif
