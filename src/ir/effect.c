/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call that is not inlined may do.
 *
 * Requires: a module.  Gives: an effect that covers everything the callee may do.  Through a register any function whose address is taken in the
 * module may be called, and no other.
 */
#include "ir/code.h"

#include "base/base.h"

#include <string.h>

/* Registers in, registers out: touches no memory but its own parameters, meets nobody, ends nothing, divides nothing, calls nobody. */
static bool is_plain(const struct ptx_function *function)
{
    enum { BESIDES = PTX_FLAG_ATOMIC | PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_FENCE | PTX_FLAG_VOLATILE | PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE };
    for (uint32_t i = 0; i < function->instructions.count; i++) {
        const struct ptx_instruction *instruction = &function->instructions.data[i];
        if (instruction->op >= PTX_OP_COUNT || instruction->op == PTX_OP_OPAQUE || instruction->op == PTX_OP_call ||
            instruction->op == PTX_OP_exit || instruction->op == PTX_OP_trap || instruction->op == PTX_OP_brx)
            return false;
        bool divides = (instruction->op == PTX_OP_div || instruction->op == PTX_OP_rem) && ptx_type_is_integer(instruction->type);
        uint32_t flags = ptx_op_info((enum ptx_op)instruction->op)->flags;
        bool touches = (flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE)) != 0 && instruction->space != PTX_SPACE_PARAM;
        if (divides || touches || (flags & BESIDES) != 0)
            return false;
    }
    return function->has_body;
}

/* Is the function's address a value somewhere? */
static bool is_taken(const struct ptx_module *module, uint32_t function)
{
    const char *name = module->functions.data[function].name;
    for (uint32_t v = 0; v < module->variables.count; v++)
        for (uint32_t r = 0; r < module->variables.data[v].relocations.count; r++)
            if (name != NULL && strcmp(module->variables.data[v].relocations.data[r].symbol, name) == 0)
                return true;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *user = &module->functions.data[f];
        for (uint32_t i = 0; i < user->instructions.count; i++) {
            const struct ptx_instruction *instruction = &user->instructions.data[i];
            for (uint32_t o = 0; o < instruction->operand_count && instruction->op != PTX_OP_call; o++)
                if (instruction->operands[o].kind == PTX_OPERAND_SYMBOL && instruction->operands[o].callee == function)
                    return true;
        }
    }
    return false;
}

static enum ir_call_effect indirect_effect(const struct ptx_module *module)
{
    bool any = false;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        if (module->functions.data[f].is_entry || !is_taken(module, f))
            continue;
        any = true;
        if (!is_plain(&module->functions.data[f]))
            return IR_EFFECT_ANY;
    }
    return any ? IR_EFFECT_NONE : IR_EFFECT_ANY;
}

enum ir_call_effect call_effect(const struct ptx_module *module, uint32_t callee)
{
    static const struct {
        const char *name;
        enum ir_call_effect effect;
    } known[] = {
        {"vprintf", IR_EFFECT_NONE},      {"__assertfail", IR_EFFECT_NONE},
        {"malloc", IR_EFFECT_NONE},       {"free", IR_EFFECT_NONE},
        {"memcpy", IR_EFFECT_ARGUMENTS},  {"memset", IR_EFFECT_ARGUMENTS},
        {"memmove", IR_EFFECT_ARGUMENTS},
    };
    if (callee >= module->functions.count)
        return indirect_effect(module);
    const struct ptx_function *function = &module->functions.data[callee];
    if (function->has_body || function->name == NULL)
        return IR_EFFECT_ANY;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(function->name, known[i].name) == 0)
            return known[i].effect;
    if (!text_starts_with(function->name, "__nv_"))
        return IR_EFFECT_ANY;
    /* Device math: these write through pointers, or read through them; all others take and give numbers. */
    static const char *const with_pointers[] = {"sincos", "sincosf", "sincospi", "sincospif", "frexp", "frexpf", "modf", "modff",
                                                "remquo", "remquof", "norm", "normf", "rnorm", "rnormf", "nan", "nanf"};
    for (size_t i = 0; i < COUNT_OF(with_pointers); i++)
        if (strcmp(function->name + 5, with_pointers[i]) == 0)
            return IR_EFFECT_ARGUMENTS;
    return IR_EFFECT_NONE;
}
