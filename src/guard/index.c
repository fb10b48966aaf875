/* SPDX-License-Identifier: Apache-2.0
 *
 * An access whose address is the start of its array plus a 32-bit index: the index alone is compared, in 32 bits, instead of the address.
 *
 * Requires: the address is made in the access's own block, from the array's start and `mul.wide` of a register by a number, and the register is still
 * the same at the access.  Gives: the comparison that says of the offset exactly what the one in 64 bits says.
 * Gives up on: anything else; then the address is compared.
 */
#include "guard/rewrite.h"

#include <string.h>

/* The only instruction of the body that defines the register; GUARD_NONE: there are none or several. */
static uint32_t only_definition(const struct guard_body *body, uint32_t id)
{
    uint32_t found = GUARD_NONE;
    for (uint32_t i = 0; i < body->source->instructions.count; i++) {
        if (!ptx_defines(&body->source->instructions.data[i], id))
            continue;
        if (found != GUARD_NONE)
            return GUARD_NONE;
        found = i;
    }
    return found;
}

static bool starts_block(const struct guard_body *body, uint32_t instruction)
{
    for (uint32_t l = 0; l < body->source->labels.count; l++)
        if (body->source->labels.data[l].target == instruction)
            return true;
    return false;
}

/* The instruction before `at` in its block that defines the register last, unguarded; GUARD_NONE: it is not in the block. */
static uint32_t definition_in_block(const struct guard_body *body, uint32_t id, uint32_t at)
{
    const struct ptx_instruction *instructions = body->source->instructions.data;
    while (at > 0 && !starts_block(body, at)) {
        at--;
        if (instructions[at].op == PTX_OP_OPAQUE || (ptx_op_info((enum ptx_op)instructions[at].op)->flags & PTX_FLAG_BRANCH) != 0)
            return GUARD_NONE;
        if (ptx_defines(&instructions[at], id))
            return instructions[at].guard == PTX_NONE ? at : GUARD_NONE;
    }
    return GUARD_NONE;
}

static bool is_kept(const struct guard_body *body, uint32_t id, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (ptx_defines(&body->source->instructions.data[i], id))
            return false;
    return true;
}

/* Does the register hold the start of the array, as seen from the global space, wherever it is defined? */
static bool is_start(const struct guard_body *body, const struct guard_array *array, uint32_t id)
{
    uint32_t at = only_definition(body, id);
    const struct ptx_instruction *cast = at == GUARD_NONE ? NULL : &body->source->instructions.data[at];
    if (cast == NULL || cast->op != PTX_OP_cvta || cast->mode != PTX_MODE_TO || cast->space != PTX_SPACE_GLOBAL || cast->guard != PTX_NONE ||
        cast->operands[1].kind != PTX_OPERAND_REGISTER)
        return false;
    at = only_definition(body, cast->operands[1].id);
    const struct ptx_instruction *load = at == GUARD_NONE ? NULL : &body->source->instructions.data[at];
    return load != NULL && load->op == PTX_OP_ld && load->space == PTX_SPACE_PARAM && load->guard == PTX_NONE && load->vector <= 1 &&
           ptx_type_size((enum ptx_type)load->type) == 8 && load->operands[1].kind == PTX_OPERAND_ADDRESS && load->operands[1].id == PTX_NONE &&
           load->operands[1].variable == array->variable && load->operands[1].value == array->offset;
}

bool guard_find_index(const struct guard_body *body, const struct guard_point *point, struct guard_index *index)
{
    const struct ptx_instruction *instructions = body->source->instructions.data, *access = &instructions[point->instruction];
    const struct ptx_operand *operand = guard_address_operand(access, point->operand);
    const struct guard_array *array = point->base_count == 1 ? &body->plan->arrays.data[point->bases[0]] : NULL;
    if (array == NULL || !array->is_parameter || body->passed != NULL || point->written_space != PTX_SPACE_GLOBAL || access->guard != PTX_NONE ||
        operand->id == PTX_NONE || operand->value != 0)
        return false;
    uint32_t sum = definition_in_block(body, operand->id, point->instruction);
    if (sum == GUARD_NONE || instructions[sum].op != PTX_OP_add || ptx_type_size((enum ptx_type)instructions[sum].type) != 8 ||
        (instructions[sum].flags & (PTX_MODIFIER_CC | PTX_MODIFIER_SAT)) != 0)
        return false;
    for (int side = 1; side <= 2; side++) {
        const struct ptx_operand *scaled = &instructions[sum].operands[side], *start = &instructions[sum].operands[3 - side];
        if (scaled->kind != PTX_OPERAND_REGISTER || start->kind != PTX_OPERAND_REGISTER || !is_start(body, array, start->id))
            continue;
        uint32_t product = definition_in_block(body, scaled->id, sum);
        const struct ptx_instruction *multiply = product == GUARD_NONE ? NULL : &instructions[product];
        if (multiply == NULL || multiply->op != PTX_OP_mul || multiply->mode != PTX_MODE_WIDE || ptx_type_size((enum ptx_type)multiply->type) != 4 ||
            multiply->operands[1].kind != PTX_OPERAND_REGISTER || multiply->operands[2].kind != PTX_OPERAND_INTEGER ||
            multiply->operands[2].value < 1 || multiply->operands[2].value > 1 << 20 ||
            (multiply->operands[2].value & (multiply->operands[2].value - 1)) != 0 || /* a division in each thread costs more than it saves */
            !is_kept(body, multiply->operands[1].id, product, point->instruction))
            continue;
        index->name = body->source->registers.data[multiply->operands[1].id].name;
        index->is_signed = ptx_type_is_signed((enum ptx_type)multiply->type);
        index->scale = (uint32_t)multiply->operands[2].value;
        return true;
    }
    return false;
}

/* Indices from 0 on that are good for the array, made in the entry block: a limit for a signed index, of which negative numbers are huge; the last
 * one for an unsigned index, and whether there is none. */
static const struct guard_count *count_for(struct guard_body *body, uint32_t array, uint32_t size, const struct guard_index *index)
{
    struct arena *arena = body->rewrite->arena;
    for (uint32_t i = 0; i < body->counts.count; i++) {
        const struct guard_count *known = &body->counts.data[i];
        if (known->array == array && known->size == size && known->scale == index->scale && known->is_signed == index->is_signed)
            return known;
    }
    const char *limit = guard_array_limit(body, array, size), *raised = guard_new_long(body), *count = guard_new_long(body), *cut = guard_new_long(body);
    struct guard_count made = {.array = array, .size = size, .scale = index->scale, .is_signed = index->is_signed, .limit = guard_new_word(body)};
    struct buffer *out = &body->entry;
    guard_emit(body, out, "mov.u64 %s, %s", raised, limit);
    guard_emit(body, out, "add.s64 %s, %s, %u", raised, raised, index->scale - 1);
    guard_emit(body, out, "shr.u64 %s, %s, %d", count, raised, __builtin_ctz(index->scale));
    if (index->is_signed) {
        guard_emit(body, out, "min.u64 %s, %s, 2147483648", cut, count);
    } else {
        made.is_empty = guard_new_predicate(body);
        guard_emit(body, out, "setp.eq.s64 %s, %s, 0", made.is_empty, count);
        guard_emit(body, out, "add.s64 %s, %s, -1", cut, count);
        guard_emit(body, out, "min.u64 %s, %s, 4294967295", cut, cut);
    }
    guard_emit(body, out, "cvt.u32.u64 %s, %s", made.limit, cut);
    *vec_push(arena, &body->counts) = made;
    return &body->counts.data[body->counts.count - 1];
}

const char *guard_compare_index(struct guard_body *body, const struct guard_point *point, const struct guard_index *index, struct buffer *out)
{
    const struct guard_count *count = count_for(body, point->bases[0], point->size, index);
    const char *is_outside = guard_new_predicate(body);
    if (index->is_signed)
        guard_emit(body, out, "setp.ge.u32 %s, %s, %s", is_outside, index->name, count->limit);
    else
        guard_emit(body, out, "setp.gt.or.u32 %s, %s, %s, %s", is_outside, index->name, count->limit, count->is_empty);
    return is_outside;
}
