/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the operand lists of ops.def, and with them says which registers an instruction defines and uses.
 */
#include "ptx/parse.h"

#include <string.h>

uint16_t operand_form(const struct ptx_instruction *instruction)
{
    const char *list = ptx_op_info(instruction->op)->operands, *at = list;
    while (*at == '.') {
        const char *end = strchr(at, ':');
        size_t size = (size_t)(end - at) - 1;
        for (unsigned i = 0; i < instruction->mod_count; i++) {
            const char *text = ptx_mod_text(instruction->mods[i]);
            if (strncmp(text, at + 1, size) == 0 && text[size] == '\0')
                return (uint16_t)(end + 1 - list);
        }
        at = strchr(end, ';') + 1;
        while (*at == ' ')
            at++;
    }
    return (uint16_t)(at - list);
}

const char *operand_word(const char *at, struct operand_word *word)
{
    while (*at == ' ')
        at++;
    if (*at == '\0' || *at == ';' || *at == '-')
        return NULL;
    *word = (struct operand_word){.role = *at++};
    if (*at >= '2' && *at <= 'x' && *at != ';' && *at != '?')
        word->width = *at++;
    for (;; at++) {
        if (*at == '|')
            word->pair = true;
        else if (*at == '?')
            word->optional = true;
        else if (*at == '*')
            word->optional = word->repeated = true;
        else
            return at;
    }
}

/* ---- definitions and uses -------------------------------------------------------------------- */

struct visit {
    ptx_register_visitor *visit;
    void *context;
    bool definitions; /* this pass reports definitions, else uses */
};

enum { USES = 1, DEFINES = 2 };

static void report_register(const struct visit *visit, uint32_t id, unsigned how)
{
    if (id != PTX_NONE && (how & (visit->definitions ? DEFINES : USES)) != 0)
        visit->visit(visit->context, id, visit->definitions);
}

static void visit_operand(const struct visit *visit, const struct ptx_operand *operand,
                          unsigned how)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        report_register(visit, operand->id, how);
        report_register(visit, operand->pair, how);
        break;
    case PTX_OPERAND_SINK:
        report_register(visit, operand->pair, how);
        break;
    case PTX_OPERAND_ADDRESS: /* what it is made of is read, whatever happens to the memory */
        report_register(visit, operand->id, USES);
        for (uint32_t i = 0; i < operand->count; i++)
            visit_operand(visit, &operand->elements[i], USES);
        break;
    case PTX_OPERAND_VECTOR:
    case PTX_OPERAND_LIST:
        for (uint32_t i = 0; i < operand->count; i++)
            visit_operand(visit, &operand->elements[i], how);
        break;
    default:
        break;
    }
}

/* call: only a list before the function is defined. */
static void visit_call(const struct visit *visit, const struct ptx_instruction *instruction)
{
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        bool is_result = i == 0 && operand->kind == PTX_OPERAND_LIST;
        visit_operand(visit, operand, is_result ? DEFINES : USES);
    }
}

static void visit_operands(const struct visit *visit, const struct ptx_instruction *instruction)
{
    const char *at = ptx_op_info(instruction->op)->operands + instruction->form;
    struct operand_word word = {.role = 'u'};
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        if (at != NULL && !word.repeated)
            at = operand_word(at, &word);
        unsigned how = word.role == 'd' ? DEFINES : word.role == 'b' ? USES | DEFINES : USES;
        visit_operand(visit, &instruction->operands[i], how);
    }
}

void ptx_visit_registers(const struct ptx_instruction *instruction, ptx_register_visitor *visit,
                         void *context)
{
    for (int pass = 0; pass < 2; pass++) {
        struct visit both = {.visit = visit, .context = context, .definitions = pass == 1};
        report_register(&both, instruction->guard, USES);
        if (instruction->op == PTX_OP_OPAQUE) {
            for (unsigned i = 0; i < instruction->operand_count; i++)
                visit_operand(&both, &instruction->operands[i], USES | DEFINES);
        } else if (instruction->op == PTX_OP_call) {
            visit_call(&both, instruction);
        } else {
            visit_operands(&both, instruction);
        }
    }
}

struct definition_search {
    uint32_t wanted;
    bool found;
};

static void note_definition(void *context, uint32_t id, bool is_definition)
{
    struct definition_search *search = context;
    search->found |= is_definition && id == search->wanted;
}

bool ptx_defines(const struct ptx_instruction *instruction, uint32_t id)
{
    struct definition_search search = {.wanted = id};
    ptx_visit_registers(instruction, note_definition, &search);
    return search.found;
}
