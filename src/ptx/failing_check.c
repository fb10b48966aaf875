/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks that stand in the source: lanewise/device/fault.h writes one as a trap behind two moves into registers of these names.
 */
#include "ptx/ptx.h"

#include <string.h>

static bool moves_into(const struct ptx_function *function, uint32_t instruction, const char *name, uint32_t *id)
{
    const struct ptx_instruction *move = &function->instructions.data[instruction];
    if (move->op != PTX_OP_mov || move->operand_count != 2 || move->guard != PTX_NONE || move->operands[0].kind != PTX_OPERAND_REGISTER)
        return false;
    *id = move->operands[0].id;
    const struct ptx_register *target = &function->registers.data[*id];
    return strcmp(target->name, name) == 0 && ptx_type_size((enum ptx_type)target->type) == 8;
}

bool ptx_failing_check(const struct ptx_function *function, uint32_t instruction, uint32_t *index, uint32_t *extent)
{
    return instruction >= 2 && instruction < function->instructions.count && function->instructions.data[instruction].op == PTX_OP_trap &&
           moves_into(function, instruction - 2, "lanewise_fault_index", index) &&
           moves_into(function, instruction - 1, "lanewise_fault_extent", extent);
}
