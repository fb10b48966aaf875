/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics whose old value nobody reads, in bodies with checks.
 *
 * ptxas makes a reduction of such an `atom`, which is about a quarter faster on an H200, but not in a kernel that also fences, as every
 * failing check does.  So it is written as `red` here: same operation, same order (both are relaxed).
 */
#include "guard/rewrite.h"

#include <string.h>

static void note_use(void *context, uint32_t id, bool is_definition)
{
    if (!is_definition)
        bitset_add(context, id);
}

/* `atom` alone has these: exchanges, and orders that acquire. */
static bool has_reduction(const char *modifiers, size_t size)
{
    static const char *const others[] = {".cas", ".exch", ".acq", ".vec", ".v2", ".v4", ".v8"};
    for (unsigned i = 0; i < COUNT_OF(others); i++) {
        size_t length = strlen(others[i]);
        for (size_t at = 0; at + length <= size; at++)
            if (memcmp(modifiers + at, others[i], length) == 0)
                return false;
    }
    return true;
}

static void rewrite_one(struct guard_body *body, const struct ptx_instruction *instruction)
{
    static const char word[] = "atom";
    const char *text = body->rewrite->module->text + instruction->text_offset, *end = text + instruction->text_size;
    const char *start = text;
    if (*start == '@') /* past the guard */
        start += strcspn(start, " \t\n\r");
    start += strspn(start, " \t\n\r");
    if ((size_t)(end - start) < sizeof word || strncmp(start, word, sizeof word - 1) != 0)
        return;
    const char *modifiers = start + sizeof word - 1;
    size_t size = strcspn(modifiers, " \t\n\r");
    const char *address = memchr(start, '[', (size_t)(end - start));
    if (address == NULL || address < modifiers + size || !has_reduction(modifiers, size))
        return;
    struct arena *arena = body->rewrite->arena;
    guard_edit_add(arena, body->edits, instruction->text_offset + (uint32_t)(start - text), (uint32_t)(address - start),
                   arena_printf(arena, "red%.*s \t", (int)size, modifiers));
}

void guard_use_reductions(struct guard_body *body)
{
    const struct ptx_function *source = body->source;
    struct bitset used;
    bitset_init(&used, body->rewrite->arena, source->registers.count + 1);
    for (uint32_t i = 0; i < source->instructions.count; i++)
        ptx_visit_registers(&source->instructions.data[i], note_use, &used);
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        if (instruction->op == PTX_OP_atom && instruction->operand_count > 1 && instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
            instruction->operands[0].pair == PTX_NONE && !bitset_has(&used, instruction->operands[0].id))
            rewrite_one(body, instruction);
    }
}
