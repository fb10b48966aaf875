/* SPDX-License-Identifier: Apache-2.0
 *
 * At the end of the module: functions and variables used before they were declared, and aliases of functions.
 */
#include "ptx/parse.h"

enum { ALIAS_STEPS = 16 };

static void redirect(const struct ptx_module *module, struct ptx_operand *operand)
{
    /* Aliases of aliases; the limit ends cycles. */
    for (unsigned steps = 0; steps < ALIAS_STEPS && operand->callee != PTX_NONE; steps++) {
        uint32_t alias_of = module->functions.data[operand->callee].alias_of;
        if (alias_of == PTX_NONE)
            return;
        operand->callee = alias_of;
    }
}

static void redirect_aliases(const struct ptx_module *module)
{
    bool any = false;
    for (uint32_t i = 0; i < module->functions.count; i++)
        any |= module->functions.data[i].alias_of != PTX_NONE;
    for (uint32_t i = 0; any && i < module->functions.count; i++) {
        const struct ptx_function *function = &module->functions.data[i];
        for (uint32_t k = 0; k < function->instructions.count; k++) {
            struct ptx_instruction *instruction = &function->instructions.data[k];
            for (unsigned n = 0; n < instruction->operand_count; n++)
                redirect(module, &instruction->operands[n]);
        }
    }
}

void symbols_resolve(struct parser *parser)
{
    parser->function = NULL;
    for (uint32_t i = 0; i < parser->pending_symbols.count; i++) {
        const struct pending_symbol *use = &parser->pending_symbols.data[i];
        const struct binding *meaning = name_meaning(parser, use->name);
        if (meaning == NULL) {
            report_at(parser, use->offset, use->line, "undefined symbol %s",
                      name_shown(parser, use->name));
        } else if (use->operand != NULL) {
            if (meaning->kind == BINDING_FUNCTION)
                use->operand->callee = meaning->id;
            else
                use->operand->variable = meaning->id;
        }
    }
    redirect_aliases(parser->module);
}
