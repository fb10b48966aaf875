/* SPDX-License-Identifier: Apache-2.0
 *
 * One function being rewritten: fresh registers and labels, code at its entry, before and after instructions, and at its end.
 */
#include "guard/rewrite.h"

#include <string.h>

void guard_body_begin(struct guard_body *body, struct guard_rewrite *rewrite, struct guard_plan *plan, uint32_t kernel,
                      uint32_t function, guard_edits *edits)
{
    struct arena *arena = rewrite->arena;
    *body = (struct guard_body){.rewrite = rewrite,
                                .plan = plan,
                                .kernel = &rewrite->out->kernels.data[kernel],
                                .kernel_index = kernel,
                                .function = function,
                                .source = &rewrite->module->functions.data[function],
                                .edits = edits};
    body->views = ARENA_ARRAY(arena, struct guard_view, plan->arrays.count + 1);
    body->scalars = ARENA_ARRAY(arena, struct guard_number,
                                plan->result->contract != NULL ? plan->result->contract->parameters.count + 1 : 1);
    buffer_init(&body->declarations, arena);
    buffer_init(&body->entry, arena);
    buffer_init(&body->cold, arena);
    buffer_init(&body->copies, arena);
}

const char *guard_new_predicate(struct guard_body *body)
{
    return arena_printf(body->rewrite->arena, "%%%sp%u", body->rewrite->prefix, body->predicates++);
}

const char *guard_new_word(struct guard_body *body)
{
    return arena_printf(body->rewrite->arena, "%%%sr%u", body->rewrite->prefix, body->words++);
}

const char *guard_new_long(struct guard_body *body)
{
    return arena_printf(body->rewrite->arena, "%%%sd%u", body->rewrite->prefix, body->longs++);
}

const char *guard_new_label(struct guard_body *body)
{
    return arena_printf(body->rewrite->arena, "$%s%u_%u", body->rewrite->prefix, body->function, body->labels++);
}

void guard_emit(struct guard_body *body, struct buffer *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(out, format, arguments);
    va_end(arguments);
    buffer_puts(out, ";\n\t");
    if (out == &body->cold)
        body->added_cold++;
    else
        body->added++;
}

void guard_emit_label(struct buffer *out, const char *label)
{
    buffer_printf(out, "\n%s:\n\t", label);
}

void guard_insert_before(struct guard_body *body, uint32_t instruction, const struct buffer *text)
{
    if (text->size != 0)
        guard_edit_add(body->rewrite->arena, body->edits, body->source->instructions.data[instruction].text_offset, 0, text->data);
}

void guard_insert_after(struct guard_body *body, uint32_t instruction, const struct buffer *text)
{
    const struct ptx_instruction *at = &body->source->instructions.data[instruction];
    struct arena *arena = body->rewrite->arena;
    if (text->size == 0)
        return;
    /* "a;\n\tb;\n\t" behind an instruction: "\n\ta;\n\tb;" */
    const char *moved = arena_printf(arena, "\n\t%.*s", (int)(text->size - 2), text->data);
    guard_edit_add(arena, body->edits, at->text_offset + at->text_size, 0, moved);
}

/* ---- where code can go ------------------------------------------------------------------------------------------------ */

static bool is_target(const struct ptx_function *source, uint32_t target)
{
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        for (uint32_t k = 0; k < instruction->operand_count; k++) {
            const struct ptx_operand *operand = &instruction->operands[k];
            if (operand->kind == PTX_OPERAND_LABEL && operand->id == target)
                return true;
            for (uint32_t e = 0; operand->kind == PTX_OPERAND_LIST && e < operand->count; e++)
                if (operand->elements[e].kind == PTX_OPERAND_LABEL && operand->elements[e].id == target)
                    return true;
        }
    }
    return false;
}

/* In front of the first instruction, and of its label if the program comes back to it: code of the entry is run once. */
static uint32_t entry_offset(const struct guard_body *body)
{
    const struct ptx_function *source = body->source;
    const char *text = body->rewrite->module->text;
    uint32_t offset = source->instructions.count != 0 ? source->instructions.data[0].text_offset
                                                      : source->text_offset + source->text_size - 1;
    bool comes_back = is_target(source, 0);
    for (uint32_t l = 0; l < source->labels.count; l++) {
        if (source->labels.data[l].target != 0 || !comes_back)
            continue;
        const char *name = source->labels.data[l].name;
        size_t size = strlen(name);
        for (uint32_t at = source->body_offset; at + size < offset; at++) {
            if (strncmp(text + at, name, size) != 0 || text[at + size + strspn(text + at + size, " \t")] != ':')
                continue;
            if (at == source->body_offset || strchr(" \t\n\r;{}/", text[at - 1]) != NULL)
                offset = at;
            break;
        }
    }
    return offset;
}

/* Can control reach the end of the body as it was? */
static bool falls_off(const struct ptx_function *source)
{
    uint32_t count = source->instructions.count;
    if (count == 0)
        return true;
    const struct ptx_instruction *last = &source->instructions.data[count - 1];
    if ((ptx_op_info((enum ptx_op)last->op)->flags & PTX_FLAG_TERMINATOR) == 0 || last->guard != PTX_NONE)
        return true;
    return is_target(source, count);
}

static void declare(struct guard_body *body, const char *type, char letter, uint32_t count)
{
    if (count != 0)
        buffer_printf(&body->declarations, "\n\t.reg .%s %%%s%c<%u>;", type, body->rewrite->prefix, letter, count);
}

void guard_body_end(struct guard_body *body)
{
    struct arena *arena = body->rewrite->arena;
    const struct ptx_function *source = body->source;
    if (body->has_fault) {
        guard_fault_end(body);
        guard_use_reductions(body); /* last: its edits stand behind what is inserted before these instructions */
    }
    declare(body, "pred", 'p', body->predicates);
    declare(body, "b32", 'r', body->words);
    declare(body, "b64", 'd', body->longs);
    if (body->declarations.size != 0)
        guard_edit_add(arena, body->edits, source->body_offset, 0, body->declarations.data);
    if (body->entry.size != 0)
        guard_edit_add(arena, body->edits, entry_offset(body), 0, body->entry.data);
    if (body->cold.size + body->copies.size != 0) {
        /* Code in front of the closing brace stands in the place where control fell off the end. */
        const char *cold = arena_printf(arena, "%s%s%s\n", falls_off(source) ? "\tret;\n" : "",
                                        body->copies.size != 0 ? body->copies.data : "",
                                        body->cold.size != 0 ? body->cold.data : "");
        guard_edit_add(arena, body->edits, source->text_offset + source->text_size - 1, 0, cold);
    }
    body->kernel->instructions_added += body->added;
    body->kernel->instructions_cold += body->added_cold;
}
