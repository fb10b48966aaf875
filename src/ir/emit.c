/* SPDX-License-Identifier: Apache-2.0
 *
 * Appending to a draft: values, instructions, operands, accesses.
 */
#include "ir/build.h"

#include <string.h>

/* ---- maps ------------------------------------------------------------------------------------ */

static uint32_t id_map_slot(const struct id_map *map, uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ (b * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    hash = (hash ^ (hash >> 32)) * 0xc4ceb9fe1a85ec53u;
    uint32_t mask = map->capacity - 1, at = (uint32_t)(hash >> 32) & mask;
    while (map->entries[at].id != 0 && (map->entries[at].a != a || map->entries[at].b != b))
        at = (at + 1) & mask;
    return at;
}

uint32_t *id_map_at(struct id_map *map, struct arena *arena, uint64_t a, uint64_t b)
{
    if (map->count * 4 >= map->capacity * 3) {
        struct id_map grown = {NULL, map->count, map->capacity == 0 ? 64 : map->capacity * 2};
        grown.entries = ARENA_ARRAY(arena, struct id_map_entry, grown.capacity);
        for (uint32_t i = 0; i < map->capacity; i++)
            if (map->entries[i].id != 0)
                grown.entries[id_map_slot(&grown, map->entries[i].a, map->entries[i].b)] =
                    map->entries[i];
        *map = grown;
    }
    struct id_map_entry *entry = &map->entries[id_map_slot(map, a, b)];
    if (entry->id == 0) {
        entry->a = a;
        entry->b = b;
        map->count++;
    }
    return &entry->id;
}

uint32_t id_map_find(const struct id_map *map, uint64_t a, uint64_t b)
{
    return map->capacity == 0 ? 0 : map->entries[id_map_slot(map, a, b)].id;
}

/* ---- values ---------------------------------------------------------------------------------- */

unsigned ir_type_bits(enum ptx_type type)
{
    return type == PTX_PRED ? 1 : ptx_type_size(type) == 0 ? 32 : ptx_type_size(type) * 8;
}

enum ptx_type ir_bits_type(unsigned bits)
{
    switch (bits) {
    case 1:
        return PTX_PRED;
    case 8:
        return PTX_B8;
    case 16:
        return PTX_B16;
    case 64:
        return PTX_B64;
    case 128:
        return PTX_B128;
    default:
        return PTX_B32;
    }
}

uint32_t emit_value(struct draft *draft, enum ir_value_kind kind, enum ptx_type type,
                    uint32_t index, int64_t number)
{
    unsigned bits = ir_type_bits(type);
    uint64_t key = (uint64_t)index << 32 | (uint64_t)bits << 8 | (uint64_t)kind;
    uint32_t *id = id_map_at(&draft->interned, draft->arena, key, (uint64_t)number);
    if (*id == 0) {
        *vec_push(draft->arena, &draft->values) = (struct ir_value){.kind = (uint8_t)kind,
                                                                    .type = (uint8_t)type,
                                                                    .bits = (uint8_t)bits,
                                                                    .index = index,
                                                                    .reg = IR_NONE,
                                                                    .number = number};
        *id = draft->values.count;
    }
    return *id - 1;
}

uint32_t emit_constant(struct draft *draft, unsigned bits, uint64_t number)
{
    if (bits < 64)
        number &= ((uint64_t)1 << bits) - 1;
    return emit_value(draft, IR_VALUE_CONSTANT, ir_bits_type(bits), 0, (int64_t)number);
}

uint32_t emit_undefined(struct draft *draft, unsigned bits)
{
    return emit_value(draft, IR_VALUE_UNDEFINED, ir_bits_type(bits), 0, 0);
}

/* ---- instructions ---------------------------------------------------------------------------- */

struct ir_instruction *emit_instruction(struct draft *draft, uint32_t op,
                                        const struct ir_instruction *origin,
                                        const uint32_t *operands, uint32_t operand_count)
{
    uint32_t first = draft->operands.count;
    for (uint32_t i = 0; i < operand_count; i++)
        *vec_push(draft->arena, &draft->operands) = operands[i];
    struct ir_instruction *instruction = vec_push(draft->arena, &draft->instructions);
    *instruction = (struct ir_instruction){.source = origin->source,
                                           .op = (uint16_t)op,
                                           .first_operand = first,
                                           .operand_count = operand_count,
                                           .first_result = draft->values.count,
                                           .guard = IR_NONE,
                                           .block = draft->block,
                                           .first_access = IR_NONE,
                                           .detail = IR_NONE,
                                           .frame = origin->frame,
                                           .index = origin->index};
    return instruction;
}

uint32_t emit_result(struct draft *draft, enum ptx_type type)
{
    uint32_t instruction = draft->instructions.count - 1;
    draft->instructions.data[instruction].result_count++;
    *vec_push(draft->arena, &draft->values) = (struct ir_value){.kind = IR_VALUE_RESULT,
                                                                .type = (uint8_t)type,
                                                                .bits = (uint8_t)ir_type_bits(type),
                                                                .index = instruction,
                                                                .reg = IR_NONE};
    return draft->values.count - 1;
}

uint32_t emit_own(struct draft *draft, enum ir_op op, const struct ir_instruction *origin,
                  enum ptx_type type, const uint32_t *operands, uint32_t operand_count)
{
    emit_instruction(draft, op, origin, operands, operand_count);
    return emit_result(draft, type);
}

uint32_t emit_select(struct draft *draft, const struct ir_instruction *origin, uint32_t guard,
                     bool negated, uint32_t fresh, uint32_t old)
{
    if (fresh == old)
        return fresh;
    uint32_t operands[3] = {guard, negated ? old : fresh, negated ? fresh : old};
    return emit_own(draft, IR_OP_SELECT, origin, draft->values.data[fresh].type, operands, 3);
}

/* The instruction that makes a value, if it is one of ours with this operation. */
static const struct ir_instruction *maker(const struct draft *draft, uint32_t value, enum ir_op op)
{
    const struct ir_value *made = &draft->values.data[value];
    if (made->kind != IR_VALUE_RESULT || draft->instructions.data[made->index].op != op)
        return NULL;
    return &draft->instructions.data[made->index];
}

/* Looks through what was only put together: the value's bytes [*byte, ...) as bytes of an older
 * value. */
static uint32_t look_through(const struct draft *draft, uint32_t value, uint32_t *byte,
                             unsigned bits)
{
    for (;;) {
        const struct ir_instruction *made;
        if ((made = maker(draft, value, IR_OP_EXTRACT)) != NULL) {
            value = draft->operands.data[made->first_operand];
            *byte += made->immediate;
        } else if ((made = maker(draft, value, IR_OP_EXTEND)) != NULL &&
                   *byte * 8 + bits <=
                       draft->values.data[draft->operands.data[made->first_operand]].bits) {
            value = draft->operands.data[made->first_operand];
        } else if ((made = maker(draft, value, IR_OP_CONCAT)) != NULL) {
            uint32_t at = 0, i = 0;
            while (at + draft->values.data[draft->operands.data[made->first_operand + i]].bits <=
                   *byte * 8)
                at += draft->values.data[draft->operands.data[made->first_operand + i++]].bits;
            uint32_t part = draft->operands.data[made->first_operand + i];
            if (*byte * 8 + bits > at + draft->values.data[part].bits)
                return value;
            value = part;
            *byte -= at / 8;
        } else {
            return value;
        }
    }
}

uint32_t emit_extract(struct draft *draft, const struct ir_instruction *origin, uint32_t value,
                      uint32_t byte, unsigned bits)
{
    value = look_through(draft, value, &byte, bits);
    const struct ir_value *whole = &draft->values.data[value];
    if (byte == 0 && whole->bits == bits)
        return value;
    if (whole->kind == IR_VALUE_CONSTANT && byte < 8)
        return emit_constant(draft, bits, (uint64_t)whole->number >> (8 * byte));
    if (whole->kind == IR_VALUE_UNDEFINED)
        return emit_undefined(draft, bits);
    uint32_t result = emit_own(draft, IR_OP_EXTRACT, origin, ir_bits_type(bits), &value, 1);
    draft->instructions.data[draft->instructions.count - 1].immediate = (uint16_t)byte;
    return result;
}

uint32_t emit_concat(struct draft *draft, const struct ir_instruction *origin,
                     const uint32_t *parts, uint32_t count, enum ptx_type type)
{
    unsigned bits = 0;
    uint64_t number = 0;
    uint32_t whole = IR_NONE;
    bool constant = true, undefined = true, same = true;
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_value *part = &draft->values.data[parts[i]];
        undefined &= part->kind == IR_VALUE_UNDEFINED;
        constant &= part->kind == IR_VALUE_CONSTANT && bits + part->bits <= 64;
        if (constant)
            number |= (uint64_t)part->number << bits;
        const struct ir_instruction *cut = maker(draft, parts[i], IR_OP_EXTRACT);
        same &= cut != NULL && cut->immediate * 8u == bits &&
                (i == 0 || draft->operands.data[cut->first_operand] == whole);
        if (same)
            whole = draft->operands.data[cut->first_operand];
        bits += part->bits;
    }
    if (count == 1)
        return parts[0];
    if (constant)
        return emit_constant(draft, bits, number);
    if (undefined)
        return emit_undefined(draft, bits);
    if (same && draft->values.data[whole].bits == bits)
        return whole;
    return emit_own(draft, IR_OP_CONCAT, origin, type, parts, count);
}

uint32_t emit_extend(struct draft *draft, const struct ir_instruction *origin, uint32_t value,
                     unsigned bits, bool is_signed)
{
    const struct ir_value *narrow = &draft->values.data[value];
    if (narrow->bits == bits)
        return value;
    if (narrow->kind == IR_VALUE_CONSTANT && bits <= 64) {
        uint64_t number = (uint64_t)narrow->number, sign = (uint64_t)1 << (narrow->bits - 1);
        return emit_constant(draft, bits, is_signed ? (number ^ sign) - sign : number);
    }
    uint32_t result = emit_own(draft, IR_OP_EXTEND, origin, ir_bits_type(bits), &value, 1);
    draft->instructions.data[draft->instructions.count - 1].is_signed = is_signed;
    return result;
}

struct ir_access *emit_access(struct draft *draft)
{
    struct ir_instruction *instruction = &draft->instructions.data[draft->instructions.count - 1];
    if (instruction->access_count++ == 0)
        instruction->first_access = draft->accesses.count;
    struct ir_access *access = vec_push(draft->arena, &draft->accesses);
    *access = (struct ir_access){.instruction = draft->instructions.count - 1,
                                 .pointer = {.base = IR_NONE}};
    return access;
}
