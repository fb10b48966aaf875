/* SPDX-License-Identifier: Apache-2.0
 *
 * The first load of a compare-and-swap loop.
 *
 *   old = *p;  do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);
 *
 * is how CUDA's own guide builds atomic operations: the plain load may see any value, a wrong one only costs a round.  Such a load counts
 * as atomic for races.  It is one whose value reaches, by moves alone, the compare operand of an `atom.cas` on the same address.
 */
#include "emu/emu_decode.h"

/* The register that this one is a copy of, through `mov` and `cvta`, where that is its only definition. */
static uint32_t copied_from(const struct ptx_function *source, const uint32_t *definition, uint32_t reg)
{
    enum { STEPS = 8 };
    for (unsigned step = 0; step < STEPS && reg != PTX_NONE && definition[reg] < source->instructions.count; step++) {
        const struct ptx_instruction *instruction = &source->instructions.data[definition[reg]];
        if ((instruction->op != PTX_OP_mov && instruction->op != PTX_OP_cvta) || instruction->operands[1].kind != PTX_OPERAND_REGISTER)
            break;
        reg = instruction->operands[1].id;
    }
    return reg;
}

/* Registers whose value may come to `reg` by moves: marks them in `reaching`. */
static void mark_moves(const struct ptx_function *source, struct bitset *reaching, uint32_t reg)
{
    bitset_add(reaching, reg);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < source->instructions.count; i++) {
            const struct ptx_instruction *instruction = &source->instructions.data[i];
            if ((instruction->op != PTX_OP_mov && instruction->op != PTX_OP_selp) || instruction->operands[0].kind != PTX_OPERAND_REGISTER ||
                !bitset_has(reaching, instruction->operands[0].id))
                continue;
            for (unsigned k = 1; k < 3 && k < instruction->operand_count; k++)
                if (instruction->operands[k].kind == PTX_OPERAND_REGISTER && !bitset_has(reaching, instruction->operands[k].id)) {
                    bitset_add(reaching, instruction->operands[k].id);
                    changed = true;
                }
        }
    }
}

static const struct ptx_operand *address_of(const struct ptx_instruction *instruction)
{
    for (unsigned k = 0; k < instruction->operand_count; k++)
        if (instruction->operands[k].kind == PTX_OPERAND_ADDRESS)
            return &instruction->operands[k];
    return NULL;
}

static bool is_swap(const struct ptx_instruction *instruction)
{
    return instruction->op == PTX_OP_atom && instruction->operation == PTX_OPERATION_CAS && instruction->operand_count >= 4 &&
           instruction->operands[2].kind == PTX_OPERAND_REGISTER;
}

static void mark_loads(struct emu_function *function, struct arena *arena, const uint32_t *definition, const struct ptx_instruction *swap)
{
    const struct ptx_function *source = function->source;
    const struct ptx_operand *at = address_of(swap);
    struct bitset reaching;
    if (at == NULL)
        return;
    bitset_init(&reaching, arena, source->registers.count + 1);
    mark_moves(source, &reaching, swap->operands[2].id);
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *load = &source->instructions.data[i];
        const struct ptx_operand *from = load->op == PTX_OP_ld ? address_of(load) : NULL;
        if (from == NULL || load->operands[0].kind != PTX_OPERAND_REGISTER || !bitset_has(&reaching, load->operands[0].id))
            continue;
        if (from->value == at->value && from->variable == at->variable &&
            copied_from(source, definition, from->id) == copied_from(source, definition, at->id))
            bitset_add(function->swap_loads, i);
    }
}

void emu_cas_find_loads(struct emu_function *function, struct arena *arena)
{
    enum { SWAPS = 64 }; /* a function with more is not looked at further: its loads stay plain */
    const struct ptx_function *source = function->source;
    uint32_t *definition = NULL, swaps = 0;
    for (uint32_t i = 0; i < source->instructions.count && swaps < SWAPS; i++) {
        if (!is_swap(&source->instructions.data[i]))
            continue;
        if (definition == NULL) {
            function->swap_loads = ARENA_NEW(arena, struct bitset);
            bitset_init(function->swap_loads, arena, source->instructions.count + 1);
            definition = ARENA_ARRAY(arena, uint32_t, source->registers.count + 1);
            memset(definition, 0xff, (source->registers.count + 1) * sizeof *definition);
            for (uint32_t k = 0; k < source->instructions.count; k++) {
                const struct ptx_instruction *instruction = &source->instructions.data[k];
                if (instruction->operand_count == 0 || instruction->operands[0].kind != PTX_OPERAND_REGISTER)
                    continue;
                uint32_t *place = &definition[instruction->operands[0].id];
                *place = *place == PTX_NONE ? k : source->instructions.count; /* several: none */
            }
        }
        swaps++;
        mark_loads(function, arena, definition, &source->instructions.data[i]);
    }
}
