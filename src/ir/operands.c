/* SPDX-License-Identifier: Apache-2.0
 *
 * Roles of operands: reads the operand list of ops.def that the parser chose for the instruction
 * (the head comment of ops.def says how the lists are written).
 */
#include "ir/code.h"

#include <string.h>

static enum operand_role role_of(char letter)
{
    switch (letter) {
    case 'd':
        return ROLE_DEFINE;
    case 'b':
        return ROLE_BOTH;
    case 'm':
        return ROLE_ADDRESS;
    case 'l':
        return ROLE_LABEL;
    case 'c':
        return ROLE_CALL;
    default:
        return ROLE_USE;
    }
}

static enum ptx_type twice(enum ptx_type type)
{
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    case PTX_S32:
        return PTX_S64;
    default:
        return type;
    }
}

static enum ptx_type type_of(const struct ptx_instruction *instruction, char width)
{
    switch (width) {
    case '2':
    case 'f':
        return instruction->type2;
    case '3':
        return instruction->type3;
    case '4':
        return instruction->type4;
    case 'w':
        return instruction->mode == PTX_MODE_WIDE ? twice(instruction->type) : instruction->type;
    case 'p':
        return PTX_PRED;
    case 'i':
        return PTX_B32;
    case 'h':
        return PTX_B16;
    case 'g':
        return PTX_B64;
    default:
        return instruction->type;
    }
}

void operand_uses(const struct ptx_instruction *instruction, struct operand_use uses[OPERANDS_MAX])
{
    const char *at = ptx_op_info(instruction->op)->operands + instruction->form;
    struct operand_use use = {ROLE_USE, instruction->type};
    bool repeats = false;
    for (uint32_t i = 0; i < instruction->operand_count && i < OPERANDS_MAX; i++) {
        at += strspn(at, " ");
        size_t size = strcspn(at, " ;");
        if (size != 0 && !repeats) {
            use.role = role_of(at[0]);
            use.type = type_of(instruction, size > 1 ? at[1] : ' ');
            repeats = memchr(at, '*', size) != NULL;
            at += size;
        }
        uses[i] = use;
        if (ptx_type_size(uses[i].type) == 0)
            uses[i].type = PTX_B32;
    }
}

bool operand_reads_carry(const struct ptx_instruction *instruction)
{
    return instruction->op == PTX_OP_addc || instruction->op == PTX_OP_subc ||
           instruction->op == PTX_OP_madc;
}
