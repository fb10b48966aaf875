/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of one instruction: an access inside its array (LW101, LW102) and at a multiple of its size (LW105), a divisor that is not 0
 * (LW106); and checks that stand in the source (LW404), whose trap goes where ours go.
 *
 * The offset of an access is its address minus the start of the array, in 64 bits and read unsigned: below the start it is huge.  One
 * comparison with `extent - size + 1` is the whole check.  Where the address is a start plus a 32-bit index, the index is compared (index.c).  An access that may go to one of several arrays must be inside one of them.
 */
#include "guard/rewrite.h"

const struct ptx_operand *guard_address_operand(const struct ptx_instruction *instruction, uint32_t which)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS && which-- == 0)
            return &instruction->operands[i];
    return NULL;
}

static const char *register_name(const struct guard_body *body, uint32_t id)
{
    return body->source->registers.data[id].name;
}

/* ", %p": what a setp is joined with, so that it speaks only of threads that execute the instruction. */
static const char *guard_words(const struct guard_body *body, const struct ptx_instruction *instruction)
{
    if (instruction->guard == PTX_NONE)
        return "";
    return arena_printf(body->rewrite->arena, ", %s%s", instruction->guard_negated ? "!" : "", register_name(body, instruction->guard));
}

/* Address without its constant part, in 64 bits. */
static const char *plain_address(struct guard_body *body, struct buffer *out, const struct ptx_operand *operand)
{
    if (operand->id != PTX_NONE) {
        const char *name = register_name(body, operand->id);
        if (ptx_type_size((enum ptx_type)body->source->registers.data[operand->id].type) == 8)
            return name;
        const char *wide = guard_new_long(body);
        guard_emit(body, out, "cvt.u64.u32 %s, %s", wide, name);
        return wide;
    }
    const char *start = guard_new_long(body);
    if (operand->variable != PTX_NONE)
        guard_emit(body, out, "mov.u64 %s, %s", start, body->rewrite->module->variables.data[operand->variable].name);
    else
        guard_emit(body, out, "mov.u64 %s, 0", start);
    return start;
}

static const char *add_constant(struct guard_body *body, struct buffer *out, const char *value, int64_t constant)
{
    if (constant == 0)
        return value;
    const char *sum = guard_new_long(body);
    guard_emit(body, out, "add.s64 %s, %s, %lld", sum, value, (long long)constant);
    return sum;
}

static void branch(struct guard_body *body, struct buffer *out, const char *predicate, const char *label)
{
    guard_emit(body, out, "@%s bra %s", predicate, label);
}

/* The size that people count in: an array of bytes that is read in floats is counted in floats. */
static uint32_t counted_size(const struct guard_body *body, const struct guard_point *point, uint32_t array)
{
    const struct guard_array *data = &body->plan->arrays.data[array];
    contract_integer bytes = body->views[array].constant_bytes;
    if (!data->is_parameter && data->element_size == 1 && point->element > 1 && (bytes < 0 || bytes % point->element == 0))
        return point->element;
    return data->element_size;
}

/* A predicate that the access leaves its array, or all of its arrays; what a failure says of it goes to `failure`. */
static const char *compare_bounds(struct guard_body *body, const struct guard_point *point, struct buffer *text, struct guard_failure *failure)
{
    const struct ptx_instruction *instruction = &body->source->instructions.data[point->instruction];
    const struct ptx_operand *operand = guard_address_operand(instruction, point->operand);
    uint32_t first = point->bases[0];
    struct guard_index index;
    *failure = (struct guard_failure){.point = point, .array = body->plan->arrays.data[first].name, .access = point->size};
    const char *outside = NULL;
    if (guard_find_index(body, point, &index)) {
        outside = guard_compare_index(body, point, &index, text);
        failure->index = register_name(body, operand->id);
        failure->start = guard_array_base(body, first, point->written_space);
    } else {
        const char *address = plain_address(body, text, operand), *guard = guard_words(body, instruction);
        for (uint32_t b = 0; b < point->base_count; b++) {
            uint32_t array = point->bases[b];
            const char *base = guard_array_base(body, array, point->written_space), *limit = guard_array_limit(body, array, point->size);
            const char *distance = guard_new_long(body), *is_outside = guard_new_predicate(body);
            guard_emit(body, text, "sub.s64 %s, %s, %s", distance, address, base);
            const char *offset = add_constant(body, text, distance, operand->value);
            const char *also = outside != NULL ? arena_printf(body->rewrite->arena, ", %s", outside) : guard;
            guard_emit(body, text, "setp.ge%s.u64 %s, %s, %s%s", also[0] != 0 ? ".and" : "", is_outside, offset, limit, also);
            outside = is_outside;
            if (b == 0)
                failure->index = offset;
        }
    }
    failure->extent = guard_array_bytes(body, first);
    failure->element = counted_size(body, point, first);
    return outside;
}

void guard_check_bounds(struct guard_body *body, const struct guard_point *point)
{
    struct guard_failure failure;
    struct buffer text;
    buffer_init(&text, body->rewrite->arena);
    const char *outside = compare_bounds(body, point, &text, &failure);
    branch(body, &text, outside, guard_failure_label(body, &failure));
    guard_insert_before(body, point->instruction, &text);
}

void guard_skip_load(struct guard_body *body, const struct guard_point *point, const char *note)
{
    struct guard_failure unused;
    struct buffer text;
    buffer_init(&text, body->rewrite->arena);
    const char *outside = compare_bounds(body, point, &text, &unused);
    guard_emit(body, &text, "or.pred %s, %s, %s", note, note, outside);
    buffer_printf(&text, "@!%s ", outside);
    guard_insert_before(body, point->instruction, &text);
}

void guard_check_alignment(struct guard_body *body, const struct guard_point *point)
{
    const struct ptx_instruction *instruction = &body->source->instructions.data[point->instruction];
    const struct ptx_operand *operand = guard_address_operand(instruction, point->operand);
    struct arena *arena = body->rewrite->arena;
    struct buffer text;
    buffer_init(&text, arena);
    const char *address = add_constant(body, &text, plain_address(body, &text, operand), operand->value);
    const char *rest = guard_new_long(body), *is_off = guard_new_predicate(body), *guard = guard_words(body, instruction);
    guard_emit(body, &text, "and.b64 %s, %s, %u", rest, address, point->size - 1);
    guard_emit(body, &text, "setp.ne%s.s64 %s, %s, 0%s", guard[0] != 0 ? ".and" : "", is_off, rest, guard);
    bool has_base = point->knows_bases && point->base_count == 1;
    struct guard_failure failure = {.point = point,
                                    .array = point->base_count != 0 ? body->plan->arrays.data[point->bases[0]].name : NULL,
                                    .index = address,
                                    .start = has_base ? guard_array_base(body, point->bases[0], point->written_space) : NULL,
                                    .extent = arena_printf(arena, "%u", point->size),
                                    .element = 1,
                                    .access = point->size};
    branch(body, &text, is_off, guard_failure_label(body, &failure));
    guard_insert_before(body, point->instruction, &text);
}

void guard_check_divisor(struct guard_body *body, const struct guard_point *point)
{
    const struct ptx_instruction *instruction = &body->source->instructions.data[point->instruction];
    const struct ptx_operand *divisor = &instruction->operands[2];
    const char *guard = guard_words(body, instruction), *is_zero = guard_new_predicate(body);
    unsigned bits = 8 * ptx_type_size((enum ptx_type)instruction->type);
    struct buffer text;
    buffer_init(&text, body->rewrite->arena);
    const char *value = divisor->kind == PTX_OPERAND_REGISTER ? register_name(body, divisor->id) : divisor->text;
    guard_emit(body, &text, "setp.eq%s.s%u %s, %s, 0%s", guard[0] != 0 ? ".and" : "", bits, is_zero, value, guard);
    struct guard_failure failure = {.point = point, .index = "0", .extent = "0", .element = 1};
    branch(body, &text, is_zero, guard_failure_label(body, &failure));
    guard_insert_before(body, point->instruction, &text);
}

void guard_record_failing_check(struct guard_body *body, const struct guard_point *point)
{
    const struct ptx_instruction *trap = &body->source->instructions.data[point->instruction];
    const char *values[2]; /* what the two moves before the trap take: their own registers are known only there */
    for (unsigned i = 0; i < COUNT_OF(values); i++) {
        const struct ptx_operand *value = &trap[(int)i - 2].operands[1];
        values[i] = value->kind == PTX_OPERAND_REGISTER ? register_name(body, value->id) : value->text;
    }
    struct buffer text;
    buffer_init(&text, body->rewrite->arena);
    struct guard_failure failure = {.point = point, .index = values[0], .extent = values[1], .element = 1};
    guard_emit(body, &text, "bra %s", guard_failure_label(body, &failure));
    guard_insert_before(body, point->instruction, &text);
}
