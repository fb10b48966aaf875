/* SPDX-License-Identifier: Apache-2.0
 *
 * Roles of operands: reads the operand lists of ops.def (its head comment says how they are written).
 */
#include "ir/code.h"

#include <string.h>

static bool carries_modifier(const struct ptx_instruction *instruction, const char *name, size_t size)
{
    for (uint32_t i = 0; i < instruction->mod_count; i++) {
        const char *text = ptx_mod_text(instruction->mods[i]);
        if (strncmp(text, name, size) == 0 && text[size] == 0)
            return true;
    }
    return false;
}

/* The list that holds for the instruction: the first whose modifier it carries, else the last. */
static const char *choose_list(const struct ptx_instruction *instruction, const char *lists)
{
    for (;;) {
        while (*lists == ' ')
            lists++;
        if (*lists != '.')
            return lists;
        size_t size = strcspn(lists + 1, ":");
        if (lists[1 + size] == 0 || carries_modifier(instruction, lists + 1, size))
            return lists + 1 + size + (lists[1 + size] == ':');
        lists += strcspn(lists, ";");
        if (*lists == 0)
            return lists;
        lists++;
    }
}

static enum operand_role role_of(char letter)
{
    switch (letter) {
    case 'd': return ROLE_DEFINE;
    case 'b': return ROLE_BOTH;
    case 'm': return ROLE_ADDRESS;
    case 'l': return ROLE_LABEL;
    case 'c': return ROLE_CALL;
    default: return ROLE_USE;
    }
}

void operand_roles(const struct ptx_instruction *instruction, uint8_t roles[ROLES_MAX])
{
    uint32_t count = instruction->operand_count;
    const char *word = choose_list(instruction, ptx_op_info(instruction->op)->operands);
    enum operand_role role = ROLE_USE;
    for (uint32_t i = 0; i < count; i++) {
        while (*word == ' ')
            word++;
        size_t size = strcspn(word, " ;");
        if (size == 0) {
            roles[i] = role == ROLE_DEFINE ? ROLE_USE : role;
            continue;
        }
        role = role_of(word[0]);
        roles[i] = role;
        /* A repeated word stays; a list with a missing word in its middle (`m? sx?`) is told apart by the operand's form. */
        bool repeats = memchr(word, '*', size) != NULL;
        if (role == ROLE_ADDRESS && instruction->operands[i].kind != PTX_OPERAND_ADDRESS && memchr(word, '?', size) != NULL)
            roles[i] = ROLE_USE;
        if (!repeats)
            word += size;
    }
}

bool operand_reads_carry(const struct ptx_instruction *instruction)
{
    return instruction->op == PTX_OP_addc || instruction->op == PTX_OP_subc || instruction->op == PTX_OP_madc;
}
