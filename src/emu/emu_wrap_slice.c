/* SPDX-License-Identifier: Apache-2.0
 *
 * Wraps at decode time: which registers are followed, and the shadow operations beside their definitions and uses.  See emu_wrap.h.
 *
 * The slice is flow-insensitive over registers: backwards from addresses through the operations of a chain, and from ordered comparisons whose
 * operands have a product, shift or truncation in their chain.
 */
#include "emu/emu_decode.h"
#include "emu/emu_wrap.h"

static bool is_integer(uint8_t type)
{
    return !ptx_type_is_float((enum ptx_type)type) && type != PTX_PRED && type != PTX_TYPE_NONE;
}

/* What kind of chain operation on 32-bit values this is; NONE for all others. */
static enum emu_wrap_kind chain_kind(const struct ptx_instruction *instruction)
{
    unsigned size = ptx_type_size(instruction->type);
    bool plain = is_integer(instruction->type) && (instruction->flags & (PTX_MODIFIER_SAT | PTX_MODIFIER_CC)) == 0;
    if (!plain || instruction->operand_count < 2 || instruction->operands[0].kind != PTX_OPERAND_REGISTER || size != 4)
        return EMU_WRAP_NONE;
    switch (instruction->op) {
    case PTX_OP_add: return EMU_WRAP_ADD;
    case PTX_OP_sub: return EMU_WRAP_SUB;
    case PTX_OP_mul: return instruction->mode == PTX_MODE_LO ? EMU_WRAP_MUL : EMU_WRAP_NONE;
    case PTX_OP_mad: return instruction->mode == PTX_MODE_LO ? EMU_WRAP_MAD : EMU_WRAP_NONE;
    case PTX_OP_shl: return EMU_WRAP_SHL;
    case PTX_OP_neg: return EMU_WRAP_NEG;
    case PTX_OP_not: return EMU_WRAP_NOT;
    case PTX_OP_mov: return instruction->operands[1].kind == PTX_OPERAND_REGISTER ? EMU_WRAP_MOV : EMU_WRAP_NONE;
    case PTX_OP_selp: return EMU_WRAP_SELP;
    case PTX_OP_cvt:
        return is_integer(instruction->type2) && ptx_type_size(instruction->type2) == 8 &&
                       instruction->operands[1].kind == PTX_OPERAND_REGISTER
                   ? EMU_WRAP_TRUNCATE
                   : EMU_WRAP_NONE;
    default: return EMU_WRAP_NONE;
    }
}

/* Is the value of this operation still address arithmetic? */
bool emu_wrap_follows(const struct ptx_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_mad:
    case PTX_OP_mul:
    case PTX_OP_shl:
    case PTX_OP_neg:
    case PTX_OP_mov:
    case PTX_OP_selp:
    case PTX_OP_cvt:
    case PTX_OP_cvta:
        return is_integer(instruction->type);
    default:
        return chain_kind(instruction) != EMU_WRAP_NONE;
    }
}

/* 32-bit sources become 64 bits. */
static bool widens(const struct ptx_instruction *instruction)
{
    if (!is_integer(instruction->type))
        return false;
    if (instruction->op == PTX_OP_cvt)
        return ptx_type_size(instruction->type) == 8 && is_integer(instruction->type2) && ptx_type_size(instruction->type2) == 4;
    return (instruction->op == PTX_OP_mul || instruction->op == PTX_OP_mad) && instruction->mode == PTX_MODE_WIDE &&
           ptx_type_size(instruction->type) == 4;
}

static bool is_ordered_comparison(const struct ptx_instruction *instruction)
{
    return instruction->op == PTX_OP_setp && is_integer(instruction->type) && ptx_type_size(instruction->type) == 4 &&
           instruction->compare != PTX_COMPARE_EQ && instruction->compare != PTX_COMPARE_NE;
}

/* ---- the slice -------------------------------------------------------------------------------------------------------------- */

struct slice {
    struct emu_function *function;
    const struct ptx_function *source;
    struct arena *arena;
    uint8_t *flags;
    uint32_t *first_definition, *next_definition; /* lists of instructions by the register they define */
    VEC(uint32_t) pending;
};

static void mark(struct slice *slice, const struct ptx_operand *operand, uint8_t flag)
{
    if ((operand->kind != PTX_OPERAND_REGISTER && operand->kind != PTX_OPERAND_ADDRESS) || operand->id == PTX_NONE ||
        (slice->flags[operand->id] & flag) != 0)
        return;
    slice->flags[operand->id] |= flag;
    *vec_push(slice->arena, &slice->pending) = operand->id;
}

static void close_backwards(struct slice *slice, uint8_t flag)
{
    while (slice->pending.count != 0) {
        uint32_t reg = slice->pending.data[--slice->pending.count];
        for (uint32_t i = slice->first_definition[reg]; i != PTX_NONE; i = slice->next_definition[i]) {
            const struct ptx_instruction *instruction = &slice->source->instructions.data[i];
            if (!emu_wrap_follows(instruction))
                continue;
            for (unsigned k = 1; k < instruction->operand_count; k++)
                mark(slice, &instruction->operands[k], flag);
        }
    }
}

/* Forwards: registers with a product, shift or truncation in their chain. */
static void close_products(struct slice *slice)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < slice->source->instructions.count; i++) {
            const struct ptx_instruction *instruction = &slice->source->instructions.data[i];
            enum emu_wrap_kind kind = chain_kind(instruction);
            if (kind == EMU_WRAP_NONE || (slice->flags[instruction->operands[0].id] & EMU_WRAP_PRODUCT) != 0)
                continue;
            bool product = kind == EMU_WRAP_MUL || kind == EMU_WRAP_MAD || kind == EMU_WRAP_SHL || kind == EMU_WRAP_TRUNCATE;
            for (unsigned k = 1; k < instruction->operand_count && !product; k++)
                product = instruction->operands[k].kind == PTX_OPERAND_REGISTER &&
                          (slice->flags[instruction->operands[k].id] & EMU_WRAP_PRODUCT) != 0;
            if (product) {
                slice->flags[instruction->operands[0].id] |= EMU_WRAP_PRODUCT;
                changed = true;
            }
        }
    }
}

/* Does the instruction only make predicates of predicates or numbers?  Then its result matters only if somebody reads it. */
static bool makes_predicate(const struct ptx_function *source, const struct ptx_instruction *instruction)
{
    return instruction->operand_count != 0 && instruction->operands[0].kind == PTX_OPERAND_REGISTER && instruction->op != PTX_OP_OPAQUE &&
           source->registers.data[instruction->operands[0].id].type == PTX_PRED &&
           (instruction->op == PTX_OP_setp || instruction->op == PTX_OP_and || instruction->op == PTX_OP_or || instruction->op == PTX_OP_xor ||
            instruction->op == PTX_OP_not || instruction->op == PTX_OP_mov);
}

struct read_marks {
    uint8_t *flags;
    bool changed;
};

static void note_use(void *context, uint32_t id, bool is_definition)
{
    struct read_marks *marks = context;
    if (is_definition || (marks->flags[id] & EMU_WRAP_READ) != 0)
        return;
    marks->flags[id] |= EMU_WRAP_READ;
    marks->changed = true;
}

/* Is one of the predicates that the instruction makes (p|q) read? */
static bool is_read(const uint8_t *flags, const struct ptx_instruction *instruction)
{
    const struct ptx_operand *made = &instruction->operands[0];
    bool first = made->kind != PTX_OPERAND_REGISTER || (flags[made->id] & EMU_WRAP_READ) != 0;
    return first || (made->pair != PTX_NONE && (flags[made->pair] & EMU_WRAP_READ) != 0);
}

/* Registers that reach something other than a predicate nobody reads: a comparison without such a reader is no guard. */
static void mark_read(const struct ptx_function *source, uint8_t *flags)
{
    struct read_marks marks = {.flags = flags, .changed = true};
    while (marks.changed) {
        marks.changed = false;
        for (uint32_t i = source->instructions.count; i-- > 0;) {
            const struct ptx_instruction *instruction = &source->instructions.data[i];
            if (!makes_predicate(source, instruction) || is_read(flags, instruction))
                ptx_visit_registers(instruction, note_use, &marks);
            else if (instruction->guard != PTX_NONE)
                note_use(&marks, instruction->guard, false);
        }
    }
}

void emu_wrap_analyse(struct emu_function *function, struct arena *arena)
{
    const struct ptx_function *source = function->source;
    uint32_t registers = source->registers.count, count = source->instructions.count;
    struct slice slice = {.function = function, .source = source, .arena = arena};
    slice.flags = ARENA_ARRAY(arena, uint8_t, registers + 1);
    slice.first_definition = ARENA_ARRAY(arena, uint32_t, registers + 1);
    slice.next_definition = ARENA_ARRAY(arena, uint32_t, count + 1);
    memset(slice.first_definition, 0xff, (registers + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        slice.next_definition[i] = PTX_NONE;
        if (instruction->operand_count == 0 || instruction->operands[0].kind != PTX_OPERAND_REGISTER || instruction->op == PTX_OP_OPAQUE)
            continue;
        uint32_t reg = instruction->operands[0].id;
        slice.next_definition[i] = slice.first_definition[reg];
        slice.first_definition[reg] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        for (unsigned k = 0; k < instruction->operand_count; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_ADDRESS)
                mark(&slice, &instruction->operands[k], EMU_WRAP_ADDRESS);
    }
    close_backwards(&slice, EMU_WRAP_ADDRESS);
    close_products(&slice);
    mark_read(source, slice.flags);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        if (!is_ordered_comparison(instruction) || !is_read(slice.flags, instruction))
            continue;
        for (unsigned k = 1; k < 3 && k < instruction->operand_count; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_REGISTER &&
                (slice.flags[instruction->operands[k].id] & EMU_WRAP_PRODUCT) != 0)
                mark(&slice, &instruction->operands[k], EMU_WRAP_GUARD);
    }
    close_backwards(&slice, EMU_WRAP_GUARD);
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        if (chain_kind(instruction) == EMU_WRAP_NONE || (slice.flags[instruction->operands[0].id] & (EMU_WRAP_ADDRESS | EMU_WRAP_GUARD)) == 0)
            continue;
        slice.flags[instruction->operands[0].id] |= EMU_WRAP_SHADOW;
    }
    function->wrap = slice.flags;
}

/* ---- emitting ------------------------------------------------------------------------------------------------------------------ */

static uint32_t exact_index(struct emu_decoder *decoder, const struct ptx_operand *operand)
{
    struct emu_function *function = decoder->function;
    if (operand->kind != PTX_OPERAND_REGISTER && operand->kind != PTX_OPERAND_ADDRESS)
        return EMU_REF_NONE;
    if (operand->id == PTX_NONE || (function->wrap[operand->id] & EMU_WRAP_SHADOW) == 0)
        return EMU_REF_NONE;
    uint32_t slot = function->slots[operand->id] / EMU_SLOT;
    if (function->exact_of_slot == NULL) {
        function->exact_of_slot = ARENA_ARRAY(decoder->arena, uint32_t, function->file_size / EMU_SLOT + 1);
        memset(function->exact_of_slot, 0xff, (function->file_size / EMU_SLOT + 1) * sizeof(uint32_t));
    }
    if (function->exact_of_slot[slot] == EMU_REF_NONE)
        function->exact_of_slot[slot] = function->exact_count++;
    return function->exact_of_slot[slot];
}

static void emit(struct emu_decoder *decoder, const struct emu_op *op, enum emu_wrap_role role, const struct emu_wrap_op *shadow)
{
    struct emu_op check = *op;
    check.run = emu_wrap_run(role, shadow->kind);
    check.kind = EMU_KIND_CHECK;
    check.copies = 0;
    check.extra[0] = decoder->function->wrap_ops.count;
    *vec_push(decoder->arena, &decoder->function->wrap_ops) = *shadow;
    emu_emit(decoder, &check);
}

static bool is_small_negative(const struct ptx_operand *operand)
{
    enum { LIMIT = 1 << 24 };
    int64_t value = (int32_t)(uint32_t)operand->value;
    return operand->kind == PTX_OPERAND_INTEGER && value < 0 && value >= -LIMIT;
}

void emu_wrap_emit_before(struct emu_decoder *decoder, const struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    struct emu_wrap_op shadow = {.dst = EMU_REF_NONE, .source = {EMU_REF_NONE, EMU_REF_NONE, EMU_REF_NONE}};
    shadow.kind = (uint8_t)chain_kind(instruction);
    if (shadow.kind != EMU_WRAP_NONE && (decoder->function->wrap[instruction->operands[0].id] & EMU_WRAP_SHADOW) != 0) {
        shadow.dst = exact_index(decoder, &instruction->operands[0]);
        for (unsigned k = 1; k < instruction->operand_count && k < 4; k++) {
            shadow.source[k - 1] = shadow.kind == EMU_WRAP_TRUNCATE ? EMU_REF_NONE : exact_index(decoder, &instruction->operands[k]);
            shadow.small |= (uint8_t)(is_small_negative(&instruction->operands[k]) << (k - 1));
        }
        emit(decoder, op, EMU_WRAP_ROLE_SHADOW, &shadow);
        return;
    }
    shadow.kind = EMU_WRAP_NONE;
    if (is_ordered_comparison(instruction)) {
        if (!is_read(decoder->function->wrap, instruction))
            return;
        for (unsigned k = 1; k < 3; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_REGISTER &&
                (decoder->function->wrap[instruction->operands[k].id] & EMU_WRAP_PRODUCT) != 0)
                shadow.source[k - 1] = exact_index(decoder, &instruction->operands[k]);
        shadow.small = !ptx_type_is_signed(instruction->type) || instruction->compare >= PTX_COMPARE_LO;
        if (shadow.source[0] != EMU_REF_NONE || shadow.source[1] != EMU_REF_NONE)
            emit(decoder, op, EMU_WRAP_ROLE_USE, &shadow);
        return;
    }
    /* A 32-bit register as an address. */
    uint32_t flags = ptx_op_info(instruction->op)->flags;
    if ((flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE)) != 0 && op->a < EMU_REF_POOL && op->a_size == 4)
        for (unsigned k = 0; k < instruction->operand_count; k++)
            if (instruction->operands[k].kind == PTX_OPERAND_ADDRESS) {
                shadow.source[0] = exact_index(decoder, &instruction->operands[k]);
                shadow.small = 1; /* addresses are unsigned */
                if (shadow.source[0] != EMU_REF_NONE)
                    emit(decoder, op, EMU_WRAP_ROLE_USE, &shadow);
                return;
            }
}

void emu_wrap_emit_after(struct emu_decoder *decoder, const struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    if (instruction->operand_count == 0 || instruction->operands[0].kind != PTX_OPERAND_REGISTER || instruction->op == PTX_OP_call)
        return;
    uint32_t dst = instruction->operands[0].id;
    struct emu_wrap_op shadow = {.dst = EMU_REF_NONE, .source = {EMU_REF_NONE, EMU_REF_NONE, EMU_REF_NONE}};
    if (widens(instruction) && (decoder->function->wrap[dst] & EMU_WRAP_ADDRESS) != 0) {
        for (unsigned k = 1; k < 3 && k < instruction->operand_count; k++)
            shadow.source[k - 1] = exact_index(decoder, &instruction->operands[k]);
        uint8_t source_type = instruction->op == PTX_OP_cvt ? instruction->type2 : instruction->type;
        shadow.small = !ptx_type_is_signed((enum ptx_type)source_type);
        if (shadow.source[0] != EMU_REF_NONE || shadow.source[1] != EMU_REF_NONE)
            emit(decoder, op, EMU_WRAP_ROLE_WIDENED, &shadow);
        return;
    }
    if ((decoder->function->wrap[dst] & EMU_WRAP_SHADOW) != 0 && chain_kind(instruction) == EMU_WRAP_NONE) {
        shadow.dst = exact_index(decoder, &instruction->operands[0]);
        emit(decoder, op, EMU_WRAP_ROLE_FRESH, &shadow);
    }
}
