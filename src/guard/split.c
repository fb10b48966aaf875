/* SPDX-License-Identifier: Apache-2.0
 *
 * --split: beside a kernel K stand K__bulk, for blocks that lie in the domain as a whole, and K__tail, for what is left.
 *
 * Both are the checked kernel's text with one more parameter, 36 bytes: the first block, the grid and the block of the launch that is cut.  In
 * a first step the guards that the prover decided (check/split.c) are written as decided; in a second one, on the text that came out, reads of
 * the block's place get the whole launch's numbers, and what nobody needs any more goes.  What was proved of K for a thread of the whole launch
 * holds for the same thread of a part.
 * Requires: check_split_launch of the kernel.  Gives up on: what that gives up on; then K alone is built.
 */
#include "guard/rewrite.h"

#include <string.h>

enum { FIRST_BLOCK = 0, WHOLE_GRID = 12, WHOLE_BLOCK = 24 }; /* offsets in the parameter: lw_request_launch_split writes it */

/* ---- the first step: a copy ------------------------------------------------------------------------------------------ */

static const char *parameter_name(const struct guard_rewrite *rewrite)
{
    return arena_printf(rewrite->arena, "%ssplit", rewrite->prefix);
}

/* The header: another name, one more parameter. */
static void edit_header(struct guard_rewrite *rewrite, const struct ptx_function *source, const char *name, guard_edits *edits)
{
    const char *text = rewrite->module->text, *end = text + (source->attributes_size != 0 ? source->attributes_offset : source->body_offset - 1);
    const char *old = guard_find_word(text + source->text_offset, end, source->name), *close = end;
    const char *extra = arena_printf(rewrite->arena, ".param .align 4 .b8 %s[36]", parameter_name(rewrite));
    guard_edit_add(rewrite->arena, edits, (uint32_t)(old - text), (uint32_t)strlen(source->name), name);
    while (close > old && close[-1] != ')')
        close--;
    uint32_t after = (uint32_t)(old - text) + (uint32_t)strlen(source->name);
    if (close == old)
        guard_edit_add(rewrite->arena, edits, after, 0, arena_printf(rewrite->arena, "(%s)", extra));
    else
        guard_edit_add(rewrite->arena, edits, (uint32_t)(close - 1 - text), 0,
                       source->parameters.count == 0 ? extra : arena_printf(rewrite->arena, ", %s", extra));
}

/* "@%p1 bra L" is "bra L", or nothing. */
static void edit_guard(struct guard_rewrite *rewrite, const struct ptx_function *source, const struct check_way *way, guard_edits *edits)
{
    const struct ptx_instruction *instruction = &source->instructions.data[way->instruction];
    const char *text = rewrite->module->text + instruction->text_offset;
    size_t guard = strcspn(text, " \t\r\n");
    guard += strspn(text + guard, " \t\r\n");
    if (text[0] == '@')
        guard_edit_add(rewrite->arena, edits, instruction->text_offset, way->holds ? (uint32_t)guard : instruction->text_size, "");
}

/* A tail's block is smaller than .reqntid says. */
static void loosen_block(char *header)
{
    char *brace = strchr(header, '{'), *required = strstr(header, ".reqntid");
    if (required != NULL && (brace == NULL || required < brace))
        memcpy(required, ".maxntid", 8);
}

static void write_copy(struct guard_rewrite *rewrite, const struct guard_kernel *kernel, const char *name, const struct check_way *ways, uint32_t count,
                       bool is_smaller, struct buffer *out)
{
    const struct ptx_function *source = &rewrite->module->functions.data[kernel->function];
    uint32_t end = source->text_offset + source->text_size;
    guard_edits edits = {0};
    struct buffer copy;
    buffer_init(&copy, rewrite->arena);
    edit_header(rewrite, source, name, &edits);
    for (uint32_t e = 0; e < rewrite->edits.count; e++) {
        const struct guard_edit *edit = &rewrite->edits.data[e];
        if (edit->offset > source->text_offset && edit->offset < end)
            guard_edit_add(rewrite->arena, &edits, edit->offset, edit->remove, edit->text);
    }
    for (uint32_t w = 0; w < count; w++)
        edit_guard(rewrite, source, &ways[w], &edits);
    guard_edit_apply(rewrite->module->text, source->text_offset, end, &edits, &copy);
    if (is_smaller)
        loosen_block(copy.data);
    buffer_printf(out, "\n\n%s", copy.data);
}

static bool is_taken(const struct ptx_module *module, const char *name)
{
    return ptx_find_function(module, name) != PTX_NONE || guard_find_word(module->text, module->text + module->text_size, name) != NULL;
}

static const char *free_name(const struct guard_rewrite *rewrite, const char *kernel, const char *part)
{
    const char *name = arena_printf(rewrite->arena, "%s__%s", kernel, part);
    return is_taken(rewrite->module, name) ? arena_printf(rewrite->arena, "%s__%s%s", kernel, rewrite->prefix, part) : name;
}

void guard_split_begin(struct guard_rewrite *rewrite, const struct guard_input *input, struct guard_kernel *kernel)
{
    const struct check_split *split = input->split;
    const struct ptx_function *source = &rewrite->module->functions.data[kernel->function];
    struct buffer out;
    if (split == NULL)
        return;
    kernel->split = (struct guard_split){.is_asked = true, .obstacle = split->obstacle, .whole_tail = split->whole_tail};
    if (split->obstacle != NULL)
        return;
    kernel->split.loops = split->loops;
    kernel->split.decides_in_loop = split->decides_in_loop;
    kernel->split.bulk = free_name(rewrite, source->name, "bulk");
    kernel->split.tail = free_name(rewrite, source->name, "tail");
    buffer_init(&out, rewrite->arena);
    write_copy(rewrite, kernel, kernel->split.bulk, split->full.data, split->full.count, false, &out);
    if (split->whole_tail == NULL)
        write_copy(rewrite, kernel, kernel->split.tail, split->inside.data, split->inside.count, true, &out);
    else
        write_copy(rewrite, kernel, kernel->split.tail, NULL, 0, false, &out);
    guard_edit_add(rewrite->arena, &rewrite->edits, source->text_offset + source->text_size, 0, out.data);
}

/* ---- the second step: places and what nobody needs ------------------------------------------------------------------- */

struct part {
    struct guard_rewrite *rewrite;
    const struct ptx_module *module; /* of the text of the first step */
    const struct ptx_function *source;
    const uint32_t *block;           /* that is known; [0] 0: it is not */
    guard_edits *edits;
    const char *scratch;             /* 32-bit register */
    bool uses_scratch;
    bool *dead, *cold;               /* by instruction; cold: only a failing check comes there */
    uint32_t added, added_cold;
};

static bool is_place(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_SPECIAL && (operand->special == PTX_SPECIAL_ctaid || operand->special == PTX_SPECIAL_nctaid ||
                                                    operand->special == PTX_SPECIAL_ntid);
}

static void LW_PRINTF(3, 4) emit(struct buffer *out, const char *guard, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_puts(out, guard);
    buffer_vprintf(out, format, arguments);
    va_end(arguments);
    buffer_puts(out, ";\n\t");
}

/* `to` becomes the number of the whole launch.  Gives the number of instructions. */
static uint32_t emit_place(struct part *part, struct buffer *out, const char *guard, const struct ptx_operand *operand, const char *to)
{
    unsigned axis = operand->component - 1u;
    const char *parameter = parameter_name(part->rewrite);
    if (operand->special == PTX_SPECIAL_nctaid)
        emit(out, guard, "ld.param.u32 %s, [%s+%u]", to, parameter, WHOLE_GRID + 4 * axis);
    else if (operand->special == PTX_SPECIAL_ntid && part->block[0] != 0)
        emit(out, guard, "mov.u32 %s, %u", to, part->block[axis]);
    else if (operand->special == PTX_SPECIAL_ntid)
        emit(out, guard, "ld.param.u32 %s, [%s+%u]", to, parameter, WHOLE_BLOCK + 4 * axis);
    else {
        emit(out, guard, "mov.u32 %s, %%ctaid.%c", to, "xyz"[axis]);
        emit(out, guard, "ld.param.u32 %s, [%s+%u]", part->scratch, parameter, FIRST_BLOCK + 4 * axis);
        emit(out, guard, "add.s32 %s, %s, %s", to, to, part->scratch);
        part->uses_scratch = true;
        return 3;
    }
    return 1;
}

/* The instruction reads the launch's place from the parameter; a `mov` gives way as a whole.  Gives the number of instructions added. */
static uint32_t edit_place(struct part *part, const struct ptx_instruction *instruction)
{
    uint32_t added = 0;
    struct arena *arena = part->rewrite->arena;
    const char *text = part->module->text + instruction->text_offset;
    const char *guard = instruction->guard == PTX_NONE ? "" : arena_text(arena, text, strcspn(text, " \t\r\n") + 1);
    struct buffer out;
    buffer_init(&out, arena);
    for (uint32_t k = 0; k < instruction->operand_count; k++) {
        const struct ptx_operand *operand = &instruction->operands[k];
        if (!is_place(operand))
            continue;
        bool is_move = instruction->op == PTX_OP_mov && instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
                       ptx_type_size((enum ptx_type)part->source->registers.data[instruction->operands[0].id].type) == 4;
        if (is_move) {
            added = emit_place(part, &out, guard, operand, instruction->operands[0].text) - 1;
            guard_edit_add(arena, part->edits, instruction->text_offset, instruction->text_size, arena_text(arena, out.data, out.size - 2));
            return added;
        }
        const char *copy = arena_printf(arena, "%s_%u", part->scratch, k);
        const char *name = arena_printf(arena, "%s.%c", ptx_special_name((enum ptx_special)operand->special), "xyz"[operand->component - 1]);
        const char *old = strstr(text, name);
        part->uses_scratch = true;
        added += emit_place(part, &out, "", operand, copy);
        guard_edit_add(arena, part->edits, (uint32_t)(old - part->module->text), (uint32_t)strlen(name), copy);
    }
    if (out.size != 0)
        guard_edit_add(arena, part->edits, instruction->text_offset, 0, out.data);
    return added;
}

/* Can it go when nobody reads what it makes? */
static bool is_pure(const struct ptx_instruction *instruction)
{
    enum { EFFECTS = PTX_FLAG_BRANCH | PTX_FLAG_STORE | PTX_FLAG_ATOMIC | PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_FENCE |
                     PTX_FLAG_VOLATILE | PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE };
    if (instruction->op == PTX_OP_OPAQUE || instruction->op == PTX_OP_call || (instruction->flags & PTX_MODIFIER_CC) != 0)
        return false;
    uint32_t flags = ptx_op_info((enum ptx_op)instruction->op)->flags;
    bool is_parameter = instruction->op == PTX_OP_ld && instruction->space == PTX_SPACE_PARAM;
    return (flags & EFFECTS) == 0 && ((flags & PTX_FLAG_LOAD) == 0 || is_parameter);
}

struct uses {
    uint32_t *counts; /* by register */
    int32_t sign;
    bool defines, is_needed;
};

static void count_use(void *context, uint32_t id, bool is_definition)
{
    struct uses *uses = context;
    if (!is_definition)
        uses->counts[id] += (uint32_t)uses->sign;
}

static void note_need(void *context, uint32_t id, bool is_definition)
{
    struct uses *uses = context;
    uses->defines |= is_definition;
    uses->is_needed |= is_definition && uses->counts[id] != 0;
}

/* Instructions that are not reached, and those whose results nobody reads; all ways out stay. */
static void find_dead(struct part *part, const struct ir_cfg *cfg)
{
    const struct ptx_function *source = part->source;
    struct arena *arena = part->rewrite->arena;
    bool *dead = part->dead;
    struct uses uses = {.counts = ARENA_ARRAY(arena, uint32_t, source->registers.count + 1), .sign = 1};
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        bool leaves = instruction->op != PTX_OP_OPAQUE && (ptx_op_info((enum ptx_op)instruction->op)->flags & PTX_FLAG_TERMINATOR) != 0;
        dead[i] = !cfg->blocks[cfg->block_of_instruction[i]].reachable && !leaves;
        if (!dead[i])
            ptx_visit_registers(instruction, count_use, &uses);
    }
    uses.sign = -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = source->instructions.count; i > 0; i--) {
            const struct ptx_instruction *instruction = &source->instructions.data[i - 1];
            uses.defines = uses.is_needed = false;
            if (dead[i - 1] || !is_pure(instruction))
                continue;
            ptx_visit_registers(instruction, note_need, &uses);
            if (!uses.defines || uses.is_needed)
                continue;
            ptx_visit_registers(instruction, count_use, &uses);
            dead[i - 1] = changed = true;
        }
    }
}

static bool is_target(const struct ptx_operand *operand, uint32_t target)
{
    if (operand->kind == PTX_OPERAND_LABEL)
        return operand->id == target;
    for (uint32_t e = 0; operand->kind == PTX_OPERAND_LIST && e < operand->count; e++)
        if (is_target(&operand->elements[e], target))
            return true;
    return false;
}

/* Names of places that debug information alone speaks of would be there twice. */
static void remove_labels(struct part *part)
{
    const struct ptx_function *source = part->source;
    const char *text = part->module->text, *at = text + source->body_offset;
    for (uint32_t l = 0; l < source->labels.count; l++) {
        const struct ptx_label *label = &source->labels.data[l];
        size_t size = strlen(label->name);
        bool is_used = false;
        for (uint32_t i = 0; i < source->instructions.count && !is_used; i++)
            for (uint32_t k = 0; k < source->instructions.data[i].operand_count && !is_used; k++)
                is_used = is_target(&source->instructions.data[i].operands[k], label->target);
        const char *end = text + source->text_offset + source->text_size, *found = at;
        do
            found = guard_find_word(found, end, label->name);
        while (found != NULL && found[size + strspn(found + size, " \t")] != ':' && found++ != NULL);
        if (found != NULL && !is_used)
            guard_edit_add(part->rewrite->arena, part->edits, (uint32_t)(found - text), (uint32_t)(strchr(found, ':') - found) + 1, "");
    }
}

static void rewrite_part(struct part *part)
{
    const struct ptx_function *source = part->source;
    struct arena *arena = part->rewrite->arena;
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        if (part->dead[i])
            guard_edit_add(arena, part->edits, instruction->text_offset, instruction->text_size, "");
        else
            *(part->cold[i] ? &part->added_cold : &part->added) += edit_place(part, instruction);
    }
    remove_labels(part);
    if (part->uses_scratch) {
        struct buffer names;
        buffer_init(&names, arena);
        buffer_printf(&names, "\n\t.reg .b32 %s", part->scratch);
        for (unsigned k = 0; k < 4; k++)
            buffer_printf(&names, ", %s_%u", part->scratch, k);
        buffer_putc(&names, ';');
        guard_edit_add(arena, part->edits, source->body_offset, 0, names.data);
    }
}

static void find_cold(struct part *part, const struct ir_cfg *cfg)
{
    const bool *doomed = twin_find_doomed(part->rewrite->arena, cfg);
    for (uint32_t i = 0; i < part->source->instructions.count; i++)
        part->cold[i] = doomed[cfg->block_of_instruction[i]];
}

/* Instructions on the way of a thread that breaks no check, as they were. */
static uint32_t count_warm(const struct part *part)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->source->instructions.count; i++)
        count += !part->cold[i] && !part->dead[i];
    return count;
}

static uint32_t count_all(const struct part *part)
{
    uint32_t count = part->added + part->added_cold;
    for (uint32_t i = 0; i < part->source->instructions.count; i++)
        count += !part->dead[i];
    return count;
}

static struct part begin_part(struct guard_rewrite *rewrite, const struct ptx_module *module, const struct guard_kernel *kernel, const char *name,
                              guard_edits *edits)
{
    uint32_t function = ptx_find_function(module, name);
    const struct ptx_function *source = &module->functions.data[function];
    struct part part = {.rewrite = rewrite,
                        .module = module,
                        .source = source,
                        .block = kernel->split.block,
                        .edits = edits,
                        .scratch = arena_printf(rewrite->arena, "%%%splace", rewrite->prefix),
                        .dead = ARENA_ARRAY(rewrite->arena, bool, source->instructions.count + 1),
                        .cold = ARENA_ARRAY(rewrite->arena, bool, source->instructions.count + 1)};
    const struct ir_cfg *cfg = ir_cfg_build(rewrite->arena, module, function);
    find_cold(&part, cfg);
    if (edits != NULL) {
        find_dead(&part, cfg);
        rewrite_part(&part);
    }
    return part;
}

/* The block of every launch; [0] 0: the contract leaves it open. */
static void find_block(struct guard_kernel *kernel)
{
    const struct contract *contract = kernel->contract;
    for (int axis = 0; axis < 3; axis++) {
        contract_integer size = 1;
        if (contract_is_given(&contract->block[axis]) && (!contract_constant_value(contract, &contract->block[axis], &size) || size < 1 ||
                                                          size > CONTRACT_LIMIT_BLOCK_THREADS))
            size = 0;
        kernel->split.block[axis] = (uint32_t)size;
    }
    if (!contract_is_given(&contract->block[0]) || kernel->split.block[1] == 0 || kernel->split.block[2] == 0)
        kernel->split.block[0] = 0;
}

bool guard_split_end(struct guard_rewrite *rewrite, struct buffer *text)
{
    struct arena *arena = rewrite->arena;
    struct diagnostic_list diagnostics;
    struct buffer out;
    guard_edits edits = {0};
    bool any = false;
    for (uint32_t k = 0; k < rewrite->out->kernels.count; k++)
        any |= rewrite->out->kernels.data[k].split.bulk != NULL;
    if (!any)
        return true;
    diagnostic_list_init(&diagnostics, arena);
    const struct ptx_module *module = ptx_parse(arena, rewrite->module->name, text->data, text->size, &diagnostics);
    if (diagnostics.errors != 0) {
        diagnostic_add(rewrite->diagnostics, SEVERITY_ERROR, diagnostics.items.data[0].place, "internal: the split module cannot be read: %s",
                       diagnostics.items.data[0].message);
        return false;
    }
    for (uint32_t k = 0; k < rewrite->out->kernels.count; k++) {
        struct guard_kernel *kernel = &rewrite->out->kernels.data[k];
        struct guard_split *split = &kernel->split;
        if (split->bulk == NULL)
            continue;
        find_block(kernel);
        struct part whole = begin_part(rewrite, module, kernel, kernel->name, NULL);
        struct part bulk = begin_part(rewrite, module, kernel, split->bulk, &edits), tail = begin_part(rewrite, module, kernel, split->tail, &edits);
        split->whole = count_warm(&whole);
        split->removed = split->whole - count_warm(&bulk);
        split->added = bulk.added;
        split->grown = count_all(&bulk) + count_all(&tail);
    }
    buffer_init(&out, arena);
    guard_edit_apply(text->data, 0, (uint32_t)text->size, &edits, &out);
    *text = out;
    return true;
}
