/* SPDX-License-Identifier: Apache-2.0
 *
 * Which global memory a kernel may write.  Memory that it cannot write has no races: its loads go unwatched.
 *
 * Requires: the kernel's function.  Gives: the set of 8-byte words of the parameter block that may be the base of a store or atomic, or
 * "anything".  Sound for: every PTX; a 64-bit value loaded from memory, put together from halves, or passed through a call may be any pointer.
 * Products and shifts of pointers are no pointers, nor are values of 32 bits (a widened index).  Flow-insensitive: one set a register.
 */
#include "emu/emu_core.h"

enum { WORDS = 63 }; /* bits 0..62: a word of the parameter block; bit 63: anything */
#define ANYTHING ((uint64_t)1 << 63)

struct origins {
    const struct emu_program *program;
    const struct emu_function *function;
    uint64_t *of; /* by register */
    bool changed;
};

static bool holds_pointers(const struct origins *origins, uint32_t reg)
{
    return emu_storage_is_wide(origins->function->source->registers.data[reg].type);
}

static uint64_t operand_origin(const struct origins *origins, const struct ptx_operand *operand)
{
    uint64_t set = 0;
    if ((operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_ADDRESS) && operand->id != PTX_NONE)
        set = origins->of[operand->id];
    for (uint32_t i = 0; operand->elements != NULL && i < operand->count; i++)
        set |= operand_origin(origins, &operand->elements[i]);
    return set;
}

static void add(struct origins *origins, const struct ptx_operand *operand, uint64_t set)
{
    for (uint32_t i = 0; operand->elements != NULL && i < operand->count; i++)
        add(origins, &operand->elements[i], set);
    if (operand->kind != PTX_OPERAND_REGISTER || !holds_pointers(origins, operand->id) || (origins->of[operand->id] | set) == origins->of[operand->id])
        return;
    origins->of[operand->id] |= set;
    origins->changed = true;
}

static uint64_t parameter_origin(const struct origins *origins, const struct ptx_operand *address)
{
    /* Not the kernel's: what a call has returned. */
    if (address->id != PTX_NONE || address->variable == PTX_NONE ||
        !origins->program->module->variables.data[address->variable].is_parameter)
        return ANYTHING;
    uint64_t offset = origins->program->param_offset[address->variable] + (uint64_t)address->value;
    return offset % 8 == 0 && offset / 8 < WORDS ? (uint64_t)1 << offset / 8 : ANYTHING;
}

static void visit(struct origins *origins, const struct ptx_instruction *instruction)
{
    const struct ptx_op_info *info = instruction->op == PTX_OP_OPAQUE ? NULL : ptx_op_info(instruction->op);
    if (instruction->operand_count == 0)
        return;
    uint64_t set = 0;
    if (info == NULL || instruction->op == PTX_OP_call) {
        for (unsigned k = 0; k < instruction->operand_count; k++)
            add(origins, &instruction->operands[k], ANYTHING);
        return;
    }
    switch (instruction->op) {
    case PTX_OP_mul:
    case PTX_OP_shl:
    case PTX_OP_shr:
    case PTX_OP_div:
    case PTX_OP_rem:
    case PTX_OP_setp:
        return;
    case PTX_OP_ld:
    case PTX_OP_ldu:
        set = instruction->space == PTX_SPACE_PARAM ? parameter_origin(origins, &instruction->operands[1]) : ANYTHING;
        if (instruction->vector > 1)
            set = ANYTHING;
        if (ptx_type_size(instruction->type) < 8)
            return;
        break;
    case PTX_OP_mov:
        if (instruction->operands[1].kind == PTX_OPERAND_VECTOR)
            set = ANYTHING;
        else
            set = operand_origin(origins, &instruction->operands[1]);
        break;
    case PTX_OP_cvt:
        if (ptx_type_size(instruction->type2) < 8)
            return;
        set = operand_origin(origins, &instruction->operands[1]);
        break;
    case PTX_OP_mad: /* only the addend can be a pointer */
        set = operand_origin(origins, &instruction->operands[3]);
        break;
    default:
        if ((info->flags & (PTX_FLAG_LOAD | PTX_FLAG_ATOMIC | PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE)) != 0)
            set = ANYTHING;
        for (unsigned k = 1; k < instruction->operand_count; k++)
            set |= operand_origin(origins, &instruction->operands[k]);
        break;
    }
    if ((info->flags & PTX_FLAG_STORE) == 0 || (info->flags & PTX_FLAG_ATOMIC) != 0)
        add(origins, &instruction->operands[0], set);
}

/* Base of what the instruction writes in global or generic memory. */
static uint64_t written_by(const struct origins *origins, const struct ptx_instruction *instruction)
{
    if (instruction->op == PTX_OP_OPAQUE || (instruction->op == PTX_OP_call))
        return ANYTHING;
    uint32_t flags = ptx_op_info(instruction->op)->flags;
    if ((flags & PTX_FLAG_STORE) == 0 || instruction->space == PTX_SPACE_SHARED || instruction->space == PTX_SPACE_LOCAL ||
        instruction->space == PTX_SPACE_PARAM)
        return 0;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_ADDRESS)
            return operand_origin(origins, &instruction->operands[k]);
    return ANYTHING;
}

static bool calls_only_natives(const struct emu_function *function)
{
    for (uint32_t i = 0; i < function->calls.count; i++) {
        const struct emu_call *call = &function->calls.data[i];
        /* Math with pointer results writes where its caller says. */
        if (call->native == NULL && (call->math == NULL || call->math->pointers != 0))
            return false;
    }
    return true;
}

static uint64_t written_words(struct emu_run *run, struct arena *arena)
{
    const struct emu_function *function = run->function;
    if (!calls_only_natives(function))
        return ANYTHING;
    struct origins origins = {run->program, function, ARENA_ARRAY(arena, uint64_t, function->source->registers.count + 1), true};
    while (origins.changed) {
        origins.changed = false;
        for (uint32_t i = 0; i < function->source->instructions.count; i++)
            if (function->source->instructions.data[i].op != PTX_OP_call)
                visit(&origins, &function->source->instructions.data[i]);
    }
    uint64_t written = 0;
    for (uint32_t i = 0; i < function->source->instructions.count; i++)
        if (function->source->instructions.data[i].op != PTX_OP_call)
            written |= written_by(&origins, &function->source->instructions.data[i]);
    return written;
}

void emu_quiet_mark(struct emu_run *run, struct arena *arena)
{
    struct emu_machine *machine = run->machine;
    uint64_t written = written_words(run, arena);
    bool all = (written & ANYTHING) != 0;
    for (uint32_t i = 0; i < machine->regions.count; i++)
        machine->regions.data[i]->quiet = !all;
    /* Module variables are addressed by name: left watched. */
    for (uint32_t i = 0; i < run->program->module->variables.count; i++)
        if (run->program->variables[i] != NULL)
            run->program->variables[i]->quiet = 0;
    for (uint64_t bits = all ? 0 : written; bits != 0; bits &= bits - 1) {
        uint32_t offset = (uint32_t)__builtin_ctzll(bits) * 8;
        uint64_t address;
        if (offset + 8 > run->launch->parameters_size)
            continue;
        memcpy(&address, run->launch->parameters + offset, 8);
        struct emu_region *region = emu_region_global(machine, address);
        if (region != NULL)
            region->quiet = 0;
    }
}
