/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a loop of one block as first + offset + trip * step, in code in front of the loop, and how many trips it makes.
 *
 * Requires: a block without guarded integer arithmetic where it matters.  Gives: a number that is congruent to the register modulo its
 * width in every trip, and equal to what is read of it where the ranges noted on the way are required.  Gives up on: products of two
 * numbers that change, everything that is not add, sub, mul, mad, shl, mov, cvt, cvta.
 */
#include "guard/strip.h"

#include <stdlib.h>
#include <string.h>

const char *strip_register_name(const struct strip *strip, uint32_t id)
{
    return strip->body->source->registers.data[id].name;
}

unsigned strip_register_size(const struct strip *strip, uint32_t id)
{
    return ptx_type_size((enum ptx_type)strip->body->source->registers.data[id].type);
}

static const char *compute(struct strip *strip, const char *operation, const char *a, const char *b)
{
    for (uint32_t i = 0; i < strip->computed.count; i++) {
        const struct computed *known = &strip->computed.data[i];
        if (strcmp(known->operation, operation) == 0 && strcmp(known->a, a) == 0 && strcmp(known->b, b) == 0)
            return known->result;
    }
    const char *result = guard_new_long(strip->body);
    guard_emit(strip->body, &strip->code, b[0] != 0 ? "%s %s, %s, %s" : "%s %s, %s%s", operation, result, a, b);
    *vec_push(strip->body->rewrite->arena, &strip->computed) = (struct computed){operation, a, b, result};
    return result;
}

const char *strip_emit(struct strip *strip, const char *operation, const char *a, const char *b)
{
    if (a[0] != '%') /* an immediate stands on the right only */
        a = compute(strip, "mov.u64", a, "");
    return compute(strip, operation, a, b);
}

/* The number in the first trip. */
const char *strip_first(struct strip *strip, struct progress number)
{
    const char *offset = arena_printf(strip->body->rewrite->arena, "%lld", (long long)number.offset);
    if (number.first == NULL)
        return offset;
    return number.offset == 0 ? number.first : strip_emit(strip, "add.s64", number.first, offset);
}

void strip_require(struct strip *strip, const char *compare, const char *a, const char *b)
{
    const char *predicate = guard_new_predicate(strip->body);
    if (a[0] != '%') {
        const char *copy = guard_new_long(strip->body);
        guard_emit(strip->body, &strip->code, "mov.u64 %s, %s", copy, a);
        a = copy;
    }
    if (strip->fits == NULL)
        guard_emit(strip->body, &strip->code, "setp.%s %s, %s, %s", compare, predicate, a, b);
    else {
        const char *dot = strchr(compare, '.');
        guard_emit(strip->body, &strip->code, "setp.%.*s.and%s %s, %s, %s, %s", (int)(dot - compare), compare, dot, predicate, a, b, strip->fits);
    }
    strip->fits = predicate;
}

/* ---- definitions in the block --------------------------------------------------------------------------------------------- */

/* The last definition in [first, before); GUARD_NONE: there is none. */
static uint32_t definition_before(const struct strip *strip, uint32_t id, uint32_t before)
{
    for (uint32_t i = before; i > strip->first; i--)
        if (ptx_defines(&strip->body->source->instructions.data[i - 1], id))
            return i - 1;
    return GUARD_NONE;
}

static bool is_integer(const struct ptx_instruction *instruction)
{
    unsigned size = ptx_type_size((enum ptx_type)instruction->type);
    return ptx_type_is_integer((enum ptx_type)instruction->type) && (size == 4 || size == 8) && instruction->guard == PTX_NONE &&
           (instruction->flags & (PTX_MODIFIER_SAT | PTX_MODIFIER_CC)) == 0;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------------------- */

static const char *add_steps(struct strip *strip, const char *a, const char *b, bool subtracts)
{
    if (b == NULL || (a == NULL && !subtracts))
        return b == NULL ? a : b;
    return strip_emit(strip, subtracts ? "sub.s64" : "add.s64", a != NULL ? a : "0", b);
}

static struct progress sum(struct strip *strip, struct progress a, struct progress b, bool subtracts)
{
    if (!a.is_known || !b.is_known)
        return (struct progress){0};
    uint64_t offset = subtracts ? (uint64_t)a.offset - (uint64_t)b.offset : (uint64_t)a.offset + (uint64_t)b.offset;
    return (struct progress){.is_known = true,
                             .first = add_steps(strip, a.first, b.first, subtracts),
                             .offset = (int64_t)offset,
                             .step = add_steps(strip, a.step, b.step, subtracts)};
}

static struct progress scaled(struct strip *strip, struct progress number, int64_t factor)
{
    const char *text = arena_printf(strip->body->rewrite->arena, "%lld", (long long)factor);
    number.offset = (int64_t)((uint64_t)number.offset * (uint64_t)factor);
    if (number.first != NULL && factor != 1)
        number.first = strip_emit(strip, "mul.lo.s64", number.first, text);
    if (number.step != NULL && factor != 1)
        number.step = strip_emit(strip, "mul.lo.s64", number.step, text);
    return number;
}

static struct progress product(struct strip *strip, struct progress a, struct progress b)
{
    if (!a.is_known || !b.is_known || (a.step != NULL && b.step != NULL))
        return (struct progress){0};
    if (b.first == NULL && b.step == NULL)
        return scaled(strip, a, b.offset);
    if (a.first == NULL && a.step == NULL)
        return scaled(strip, b, a.offset);
    const char *left = strip_first(strip, a), *right = strip_first(strip, b);
    const char *step = a.step != NULL ? a.step : b.step, *factor = a.step != NULL ? right : left;
    return (struct progress){.is_known = true,
                             .first = strip_emit(strip, "mul.lo.s64", left, right),
                             .step = step != NULL ? strip_emit(strip, "mul.lo.s64", step, factor) : NULL};
}

/* A 32-bit number that is read as 64 bits must be in range all the way. */
static struct progress widened(struct strip *strip, struct progress number, bool is_signed)
{
    if (number.is_known)
        *vec_push(strip->body->rewrite->arena, &strip->ranges) = (struct range){
            number, is_signed ? "-2147483648" : "0", is_signed ? "2147483647" : "4294967295"};
    return number;
}

/* What a trip adds to the register of id, followed back from the definition at `at` to its value at the start of the trip. */
static bool follow_step(struct strip *strip, uint32_t id, const struct ptx_operand *operand, uint32_t at, bool is_signed, const char **step)
{
    if (operand->kind != PTX_OPERAND_REGISTER)
        return false;
    uint32_t definition = definition_before(strip, operand->id, at);
    if (definition == GUARD_NONE)
        return operand->id == id;
    const struct ptx_instruction *instruction = &strip->body->source->instructions.data[definition];
    if (!is_integer(instruction))
        return false;
    if (instruction->op == PTX_OP_mov)
        return follow_step(strip, id, &instruction->operands[1], definition, is_signed, step);
    if (instruction->op != PTX_OP_add && instruction->op != PTX_OP_sub)
        return false;
    for (int side = 0; side < (instruction->op == PTX_OP_sub ? 1 : 2); side++) {
        if (!follow_step(strip, id, &instruction->operands[1 + side], definition, is_signed, step))
            continue;
        struct progress other = strip_progress(strip, &instruction->operands[2 - side], definition, is_signed);
        if (!other.is_known || other.step != NULL)
            return false;
        *step = add_steps(strip, *step, strip_first(strip, other), instruction->op == PTX_OP_sub);
        return true;
    }
    return false;
}

static struct progress carried(struct strip *strip, const struct ptx_operand *operand, const char *start, bool is_signed)
{
    const char *step = NULL;
    if (!follow_step(strip, operand->id, operand, strip->end, is_signed, &step))
        return (struct progress){0};
    return (struct progress){.is_known = true, .first = start, .step = step};
}

static struct progress constant(int64_t value)
{
    return (struct progress){.is_known = true, .offset = value};
}

static struct progress of_instruction(struct strip *strip, uint32_t index, bool is_signed)
{
    const struct ptx_instruction *instruction = &strip->body->source->instructions.data[index];
    const struct ptx_operand *operands = instruction->operands;
    if (!is_integer(instruction))
        return (struct progress){0};
    bool reads_signed = ptx_type_is_signed((enum ptx_type)instruction->type);
    struct progress a = {0}, b = {0};
    switch (instruction->op) {
    case PTX_OP_mov:
        return strip_progress(strip, &operands[1], index, is_signed);
    case PTX_OP_cvta:
        return instruction->operand_count == 2 ? strip_progress(strip, &operands[1], index, is_signed) : a;
    case PTX_OP_add:
    case PTX_OP_sub:
        a = strip_progress(strip, &operands[1], index, is_signed);
        b = strip_progress(strip, &operands[2], index, is_signed);
        return sum(strip, a, b, instruction->op == PTX_OP_sub);
    case PTX_OP_shl:
        if (operands[2].kind != PTX_OPERAND_INTEGER || operands[2].value < 0 || operands[2].value > 31)
            return a;
        return product(strip, strip_progress(strip, &operands[1], index, is_signed), constant((int64_t)1 << operands[2].value));
    case PTX_OP_mul:
    case PTX_OP_mad:
        if (instruction->mode == PTX_MODE_WIDE && ptx_type_size((enum ptx_type)instruction->type) == 4) {
            a = widened(strip, strip_progress(strip, &operands[1], index, reads_signed), reads_signed);
            b = widened(strip, strip_progress(strip, &operands[2], index, reads_signed), reads_signed);
        } else if (instruction->mode == PTX_MODE_LO) {
            a = strip_progress(strip, &operands[1], index, is_signed);
            b = strip_progress(strip, &operands[2], index, is_signed);
        }
        a = product(strip, a, b);
        return instruction->op == PTX_OP_mad ? sum(strip, a, strip_progress(strip, &operands[3], index, is_signed), false) : a;
    case PTX_OP_cvt:
        if (!ptx_type_is_integer((enum ptx_type)instruction->type2) || operands[1].kind != PTX_OPERAND_REGISTER)
            return a;
        reads_signed = ptx_type_is_signed((enum ptx_type)instruction->type2);
        if (ptx_type_size((enum ptx_type)instruction->type2) == 4 && ptx_type_size((enum ptx_type)instruction->type) == 8)
            return widened(strip, strip_progress(strip, &operands[1], index, reads_signed), reads_signed);
        return ptx_type_size((enum ptx_type)instruction->type2) == 8 ? strip_progress(strip, &operands[1], index, is_signed) : a;
    default:
        return a;
    }
}

struct progress strip_progress(struct strip *strip, const struct ptx_operand *operand, uint32_t at, bool is_signed)
{
    struct progress unknown = {0};
    if (operand->kind == PTX_OPERAND_INTEGER)
        return constant(operand->value);
    if (operand->kind != PTX_OPERAND_REGISTER || strip->depth >= DEPTH_MAX || (strip_register_size(strip, operand->id) != 4 && strip_register_size(strip, operand->id) != 8))
        return unknown;
    uint32_t definition = definition_before(strip, operand->id, at);
    strip->depth++;
    struct progress result = unknown;
    if (definition != GUARD_NONE) {
        result = of_instruction(strip, definition, is_signed);
    } else {
        const char *start = strip_register_name(strip, operand->id);
        if (strip_register_size(strip, operand->id) == 4)
            start = compute(strip, is_signed ? "cvt.s64.s32" : "cvt.u64.u32", start, "");
        result = definition_before(strip, operand->id, strip->end) == GUARD_NONE
                     ? (struct progress){.is_known = true, .first = start}
                     : carried(strip, operand, start, is_signed);
    }
    strip->depth--;
    return result;
}

/* ---- trips ---------------------------------------------------------------------------------------------------------------------- */

/* The step where it is a number that is known now, else 0: a division by it then needs no division. */
static int64_t known_step(const char *step)
{
    char *end;
    int64_t value = strtoll(step, &end, 10);
    return step[0] == '%' || *end != '\0' || value == INT64_MIN ? 0 : value;
}

/* distance / stride, and whether nothing is left over; `stride` is a power of two. */
static void divide_by_power(struct strip *strip, const char *distance, int64_t stride, bool must_divide)
{
    struct arena *arena = strip->body->rewrite->arena;
    strip->last_trip = strip_emit(strip, "shr.u64", distance, arena_printf(arena, "%d", __builtin_ctzll((unsigned long long)stride)));
    if (must_divide && stride != 1)
        strip_require(strip, "eq.s64", strip_emit(strip, "and.b64", distance, arena_printf(arena, "%lld", (long long)stride - 1)), "0");
}

static bool is_power(int64_t value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

/* t such that trip t is the last, `a == b` ends it: the smallest with first + t * step = 0 modulo the width. */
static bool trips_until_equal(struct strip *strip, struct progress difference, unsigned size)
{
    struct guard_body *body = strip->body;
    if (!difference.is_known || difference.step == NULL)
        return false;
    int64_t known = known_step(difference.step);
    if (is_power(known < 0 ? -known : known)) {
        const char *start = strip_first(strip, difference), *way = known < 0 ? start : strip_emit(strip, "sub.s64", "0", start);
        if (size == 4)
            way = strip_emit(strip, "and.b64", way, "4294967295");
        else
            strip_require(strip, "ge.s64", way, "0");
        strip->is_short = size == 4;
        divide_by_power(strip, way, known < 0 ? -known : known, true);
        return true;
    }
    const char *backwards = guard_new_predicate(body), *distance = guard_new_long(body), *stride = guard_new_long(body);
    const char *first = strip_first(strip, difference), *step = difference.step, *negative = strip_emit(strip, "sub.s64", "0", first);
    const char *negative_step = strip_emit(strip, "sub.s64", "0", difference.step);
    guard_emit(body, &strip->code, "setp.lt.s64 %s, %s, 0", backwards, step);
    guard_emit(body, &strip->code, "selp.b64 %s, %s, %s, %s", distance, first, negative, backwards);
    guard_emit(body, &strip->code, "selp.b64 %s, %s, %s, %s", stride, negative_step, step, backwards);
    if (size == 4)
        distance = strip_emit(strip, "and.b64", distance, "4294967295");
    strip_require(strip, "ge.s64", distance, "0");
    strip_require(strip, "gt.s64", stride, "0");
    const char *divisor = strip_emit(strip, "max.s64", stride, "1");
    strip->last_trip = strip_emit(strip, "div.u64", distance, divisor);
    strip_require(strip, "eq.s64", strip_emit(strip, "mul.lo.s64", strip->last_trip, divisor), distance);
    return true;
}

/* The loop goes on while `below` is negative; what is compared must not leave its width on the way. */
static bool trips_while_negative(struct strip *strip, struct progress below)
{
    if (!below.is_known || below.step == NULL)
        return false;
    int64_t known = known_step(below.step);
    if (is_power(known)) {
        const char *left = strip_emit(strip, "max.s64", strip_emit(strip, "sub.s64", "0", strip_first(strip, below)), "0");
        divide_by_power(strip, known == 1 ? left : strip_emit(strip, "add.s64", left, arena_printf(strip->body->rewrite->arena, "%lld", (long long)known - 1)),
                        known, false);
        return true;
    }
    strip_require(strip, "gt.s64", below.step, "0");
    const char *divisor = strip_emit(strip, "max.s64", below.step, "1");
    const char *distance = strip_emit(strip, "max.s64", strip_emit(strip, "sub.s64", "0", strip_first(strip, below)), "0");
    const char *rounded = strip_emit(strip, "add.s64", distance, strip_emit(strip, "sub.s64", divisor, "1"));
    strip->last_trip = strip_emit(strip, "div.u64", rounded, divisor);
    return true;
}

static void keep_in_width(struct strip *strip, struct progress number, bool is_signed, unsigned size)
{
    static const char *const far = "4611686018427387904", *const near = "-4611686018427387904";
    if (size == 4)
        widened(strip, number, is_signed);
    else if (number.is_known)
        *vec_push(strip->body->rewrite->arena, &strip->ranges) = (struct range){number, is_signed ? near : "0", far};
}

static enum ptx_compare opposite(enum ptx_compare compare)
{
    static const uint8_t opposites[] = {
        [PTX_COMPARE_EQ] = PTX_COMPARE_NE, [PTX_COMPARE_NE] = PTX_COMPARE_EQ, [PTX_COMPARE_LT] = PTX_COMPARE_GE, [PTX_COMPARE_LE] = PTX_COMPARE_GT,
        [PTX_COMPARE_GT] = PTX_COMPARE_LE, [PTX_COMPARE_GE] = PTX_COMPARE_LT, [PTX_COMPARE_LO] = PTX_COMPARE_HS, [PTX_COMPARE_LS] = PTX_COMPARE_HI,
        [PTX_COMPARE_HI] = PTX_COMPARE_LS, [PTX_COMPARE_HS] = PTX_COMPARE_LO};
    return (enum ptx_compare)opposites[compare];
}

/* The number of the last trip, from the comparison that lets the loop go on. */
bool strip_find_trips(struct strip *strip, uint32_t predicate, bool goes_on_if_false)
{
    uint32_t index = definition_before(strip, predicate, strip->end);
    const struct ptx_instruction *compare = index != GUARD_NONE ? &strip->body->source->instructions.data[index] : NULL;
    if (compare == NULL || compare->op != PTX_OP_setp || !is_integer(compare) || compare->operand_count != 3 ||
        compare->operation != PTX_OPERATION_NONE || compare->compare > PTX_COMPARE_HS || compare->compare == PTX_COMPARE_NONE ||
        compare->operands[0].pair != PTX_NONE)
        return false;
    enum ptx_compare kind = goes_on_if_false ? opposite((enum ptx_compare)compare->compare) : (enum ptx_compare)compare->compare;
    bool is_signed = ptx_type_is_signed((enum ptx_type)compare->type) && compare->compare < PTX_COMPARE_LO;
    unsigned size = ptx_type_size((enum ptx_type)compare->type);
    struct progress a = strip_progress(strip, &compare->operands[1], index, is_signed);
    struct progress b = strip_progress(strip, &compare->operands[2], index, is_signed);
    struct progress one = constant(1);
    if (kind == PTX_COMPARE_NE)
        return trips_until_equal(strip, sum(strip, a, b, true), size);
    keep_in_width(strip, a, is_signed, size);
    keep_in_width(strip, b, is_signed, size);
    switch (kind) {
    case PTX_COMPARE_LT:
    case PTX_COMPARE_LO:
        return trips_while_negative(strip, sum(strip, a, b, true));
    case PTX_COMPARE_LE:
    case PTX_COMPARE_LS:
        return trips_while_negative(strip, sum(strip, sum(strip, a, b, true), one, true));
    case PTX_COMPARE_GT:
    case PTX_COMPARE_HI:
        return trips_while_negative(strip, sum(strip, b, a, true));
    case PTX_COMPARE_GE:
    case PTX_COMPARE_HS:
        return trips_while_negative(strip, sum(strip, sum(strip, b, a, true), one, true));
    default:
        return false;
    }
}

/* The number in the last trip; the product that it takes must fit. */
const char *strip_last(struct strip *strip, struct progress number)
{
    if (number.step == NULL)
        return strip_first(strip, number);
    const char *lower = strip_emit(strip, "mul.lo.s64", strip->last_trip, number.step);
    int64_t known = known_step(number.step);
    if (strip->is_short && known != 0 && known > INT32_MIN && known < INT32_MAX) /* less than 2^63 */
        return strip_emit(strip, "add.s64", strip_first(strip, number), lower);
    const char *upper = strip_emit(strip, "mul.hi.s64", strip->last_trip, number.step);
    strip_require(strip, "eq.s64", upper, strip_emit(strip, "shr.s64", lower, "63"));
    return strip_emit(strip, "add.s64", strip_first(strip, number), lower);
}

void strip_test_ranges(struct strip *strip)
{
    for (uint32_t i = 0; i < strip->ranges.count; i++) {
        struct range range = strip->ranges.data[i];
        const char *ends[2] = {strip_first(strip, range.number), strip_last(strip, range.number)};
        for (int k = 0; k < (range.number.step != NULL ? 2 : 1); k++) {
            strip_require(strip, "ge.s64", ends[k], range.low);
            strip_require(strip, "le.s64", ends[k], range.high);
        }
    }
}
