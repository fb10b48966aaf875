/* SPDX-License-Identifier: Apache-2.0
 *
 * Strip checks: an access whose address grows by the same step in each trip of a loop is checked once, before the loop.
 *
 * Requires: an innermost loop of one block (its jump back may be a second one), entered by falling into it, without barriers, calls, warp
 * operations or twins of wrap.c.  Gives: in front of the loop the first and the last offset of each such access, in 64 bits, and a branch to a
 * copy of the loop without their checks if all lie inside and no 32-bit number leaves its width on the way; the loop as it was, with its
 * checks, is the fallback, so a fault still stops at the right access.
 * Gives up on: anything else; then the checks stay where they are.
 */
#include "guard/rewrite.h"

#include <string.h>

/* A number in trip t of the loop: first + t * step, congruent modulo its width to the register. */
struct progress {
    bool is_known;
    const char *first;
    const char *step; /* NULL: the same in each trip */
};

/* A number that must lie in [low, high] in the first and in the last trip. */
struct range {
    struct progress number;
    const char *low, *high;
};


enum { DEPTH_MAX = 24 };

struct strip {
    struct guard_body *body;
    uint32_t first, end;      /* instructions of the block; the last one leaves or repeats the loop */
    struct buffer code;       /* in front of the loop */
    const char *fits;         /* predicate: all conditions so far; NULL: none yet */
    const char *last_trip;    /* 64-bit register */
    VEC(struct range) ranges; /* to be tested when last_trip is known */
    uint32_t depth;
};

static const char *name_of(const struct strip *strip, uint32_t id)
{
    return strip->body->source->registers.data[id].name;
}

static unsigned size_of(const struct strip *strip, uint32_t id)
{
    return ptx_type_size((enum ptx_type)strip->body->source->registers.data[id].type);
}

static const char *emit_binary(struct strip *strip, const char *operation, const char *a, const char *b)
{
    const char *result = guard_new_long(strip->body);
    if (a[0] != '%') { /* an immediate stands on the right only */
        const char *copy = guard_new_long(strip->body);
        guard_emit(strip->body, &strip->code, "mov.u64 %s, %s", copy, a);
        a = copy;
    }
    guard_emit(strip->body, &strip->code, "%s %s, %s, %s", operation, result, a, b);
    return result;
}

static void add_condition(struct strip *strip, const char *compare, const char *a, const char *b)
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

struct definition_search {
    uint32_t wanted;
    bool found;
};

static void note_definition(void *context, uint32_t id, bool is_definition)
{
    struct definition_search *search = context;
    search->found |= is_definition && id == search->wanted;
}

static bool defines(const struct ptx_instruction *instruction, uint32_t id)
{
    struct definition_search search = {.wanted = id};
    ptx_visit_registers(instruction, note_definition, &search);
    return search.found;
}

/* The last definition in [first, before); GUARD_NONE: there is none. */
static uint32_t definition_before(const struct strip *strip, uint32_t id, uint32_t before)
{
    for (uint32_t i = before; i > strip->first; i--)
        if (defines(&strip->body->source->instructions.data[i - 1], id))
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

static struct progress progress_of(struct strip *strip, const struct ptx_operand *operand, uint32_t at, bool is_signed);

static const char *add_steps(struct strip *strip, const char *a, const char *b, bool subtracts)
{
    if (b == NULL)
        return a;
    return emit_binary(strip, subtracts ? "sub.s64" : "add.s64", a != NULL ? a : "0", b);
}

static struct progress sum(struct strip *strip, struct progress a, struct progress b, bool subtracts)
{
    if (!a.is_known || !b.is_known)
        return (struct progress){0};
    return (struct progress){.is_known = true,
                             .first = emit_binary(strip, subtracts ? "sub.s64" : "add.s64", a.first, b.first),
                             .step = add_steps(strip, a.step, b.step, subtracts)};
}

static struct progress product(struct strip *strip, struct progress a, struct progress b)
{
    if (!a.is_known || !b.is_known || (a.step != NULL && b.step != NULL))
        return (struct progress){0};
    const char *step = a.step != NULL ? a.step : b.step, *factor = a.step != NULL ? b.first : a.first;
    return (struct progress){.is_known = true,
                             .first = emit_binary(strip, "mul.lo.s64", a.first, b.first),
                             .step = step != NULL ? emit_binary(strip, "mul.lo.s64", step, factor) : NULL};
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
        struct progress other = progress_of(strip, &instruction->operands[2 - side], definition, is_signed);
        if (!other.is_known || other.step != NULL)
            return false;
        *step = add_steps(strip, *step, other.first, instruction->op == PTX_OP_sub);
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

static struct progress constant(struct strip *strip, int64_t value, bool is_signed, unsigned size)
{
    if (size == 4)
        value = is_signed ? (int64_t)(int32_t)value : (int64_t)(uint32_t)value;
    return (struct progress){.is_known = true, .first = arena_printf(strip->body->rewrite->arena, "%lld", (long long)value)};
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
        return progress_of(strip, &operands[1], index, is_signed);
    case PTX_OP_cvta:
        return instruction->operand_count == 2 ? progress_of(strip, &operands[1], index, is_signed) : a;
    case PTX_OP_add:
    case PTX_OP_sub:
        a = progress_of(strip, &operands[1], index, is_signed);
        b = progress_of(strip, &operands[2], index, is_signed);
        return sum(strip, a, b, instruction->op == PTX_OP_sub);
    case PTX_OP_shl:
        if (operands[2].kind != PTX_OPERAND_INTEGER || operands[2].value < 0 || operands[2].value > 31)
            return a;
        return product(strip, progress_of(strip, &operands[1], index, is_signed), constant(strip, (int64_t)1 << operands[2].value, true, 8));
    case PTX_OP_mul:
    case PTX_OP_mad:
        if (instruction->mode == PTX_MODE_WIDE && ptx_type_size((enum ptx_type)instruction->type) == 4) {
            a = widened(strip, progress_of(strip, &operands[1], index, reads_signed), reads_signed);
            b = widened(strip, progress_of(strip, &operands[2], index, reads_signed), reads_signed);
        } else if (instruction->mode == PTX_MODE_LO) {
            a = progress_of(strip, &operands[1], index, is_signed);
            b = progress_of(strip, &operands[2], index, is_signed);
        }
        a = product(strip, a, b);
        return instruction->op == PTX_OP_mad ? sum(strip, a, progress_of(strip, &operands[3], index, is_signed), false) : a;
    case PTX_OP_cvt:
        if (!ptx_type_is_integer((enum ptx_type)instruction->type2) || operands[1].kind != PTX_OPERAND_REGISTER)
            return a;
        reads_signed = ptx_type_is_signed((enum ptx_type)instruction->type2);
        if (ptx_type_size((enum ptx_type)instruction->type2) == 4 && ptx_type_size((enum ptx_type)instruction->type) == 8)
            return widened(strip, progress_of(strip, &operands[1], index, reads_signed), reads_signed);
        return ptx_type_size((enum ptx_type)instruction->type2) == 8 ? progress_of(strip, &operands[1], index, is_signed) : a;
    default:
        return a;
    }
}

static struct progress progress_of(struct strip *strip, const struct ptx_operand *operand, uint32_t at, bool is_signed)
{
    struct progress unknown = {0};
    if (operand->kind == PTX_OPERAND_INTEGER)
        return constant(strip, operand->value, is_signed, 8);
    if (operand->kind != PTX_OPERAND_REGISTER || strip->depth >= DEPTH_MAX || (size_of(strip, operand->id) != 4 && size_of(strip, operand->id) != 8))
        return unknown;
    uint32_t definition = definition_before(strip, operand->id, at);
    strip->depth++;
    struct progress result = unknown;
    if (definition != GUARD_NONE) {
        result = of_instruction(strip, definition, is_signed);
    } else {
        const char *start = name_of(strip, operand->id);
        if (size_of(strip, operand->id) == 4) {
            start = guard_new_long(strip->body);
            guard_emit(strip->body, &strip->code, is_signed ? "cvt.s64.s32 %s, %s" : "cvt.u64.u32 %s, %s", start, name_of(strip, operand->id));
        }
        result = definition_before(strip, operand->id, strip->end) == GUARD_NONE
                     ? (struct progress){.is_known = true, .first = start}
                     : carried(strip, operand, start, is_signed);
    }
    strip->depth--;
    return result;
}

/* ---- trips ---------------------------------------------------------------------------------------------------------------------- */

/* t such that trip t is the last, `a == b` ends it: the smallest with first + t * step = 0 modulo the width. */
static bool trips_until_equal(struct strip *strip, struct progress difference, unsigned size)
{
    struct guard_body *body = strip->body;
    if (!difference.is_known || difference.step == NULL)
        return false;
    const char *backwards = guard_new_predicate(body), *distance = guard_new_long(body), *stride = guard_new_long(body);
    const char *negative = emit_binary(strip, "sub.s64", "0", difference.first);
    const char *negative_step = emit_binary(strip, "sub.s64", "0", difference.step);
    const char *first = difference.first, *step = difference.step;
    guard_emit(body, &strip->code, "setp.lt.s64 %s, %s, 0", backwards, step);
    guard_emit(body, &strip->code, "selp.b64 %s, %s, %s, %s", distance, first, negative, backwards);
    guard_emit(body, &strip->code, "selp.b64 %s, %s, %s, %s", stride, negative_step, step, backwards);
    if (size == 4)
        distance = emit_binary(strip, "and.b64", distance, "4294967295");
    add_condition(strip, "ge.s64", distance, "0");
    add_condition(strip, "gt.s64", stride, "0");
    const char *divisor = emit_binary(strip, "max.s64", stride, "1");
    strip->last_trip = emit_binary(strip, "div.u64", distance, divisor);
    add_condition(strip, "eq.s64", emit_binary(strip, "mul.lo.s64", strip->last_trip, divisor), distance);
    return true;
}

/* The loop goes on while `below` is negative; what is compared must not leave its width on the way. */
static bool trips_while_negative(struct strip *strip, struct progress below)
{
    if (!below.is_known || below.step == NULL)
        return false;
    add_condition(strip, "gt.s64", below.step, "0");
    const char *divisor = emit_binary(strip, "max.s64", below.step, "1");
    const char *distance = emit_binary(strip, "max.s64", emit_binary(strip, "sub.s64", "0", below.first), "0");
    const char *rounded = emit_binary(strip, "add.s64", distance, emit_binary(strip, "sub.s64", divisor, "1"));
    strip->last_trip = emit_binary(strip, "div.u64", rounded, divisor);
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
static bool find_trips(struct strip *strip, uint32_t predicate, bool goes_on_if_false)
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
    struct progress a = progress_of(strip, &compare->operands[1], index, is_signed);
    struct progress b = progress_of(strip, &compare->operands[2], index, is_signed);
    struct progress one = {.is_known = true, .first = "1"};
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
static const char *in_last_trip(struct strip *strip, struct progress number)
{
    if (number.step == NULL)
        return number.first;
    const char *lower = emit_binary(strip, "mul.lo.s64", strip->last_trip, number.step);
    const char *upper = emit_binary(strip, "mul.hi.s64", strip->last_trip, number.step);
    add_condition(strip, "eq.s64", upper, emit_binary(strip, "shr.s64", lower, "63"));
    return emit_binary(strip, "add.s64", number.first, lower);
}

static void test_ranges(struct strip *strip)
{
    for (uint32_t i = 0; i < strip->ranges.count; i++) {
        struct range range = strip->ranges.data[i];
        const char *ends[2] = {range.number.first, in_last_trip(strip, range.number)};
        for (int k = 0; k < (range.number.step != NULL ? 2 : 1); k++) {
            add_condition(strip, "ge.s64", ends[k], range.low);
            add_condition(strip, "le.s64", ends[k], range.high);
        }
    }
}

/* ---- accesses --------------------------------------------------------------------------------------------------------------------- */

static const struct ptx_operand *address_operand(const struct ptx_instruction *instruction, uint32_t which)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == PTX_OPERAND_ADDRESS && which-- == 0)
            return &instruction->operands[i];
    return NULL;
}

/* Is the address known in every trip?  Then its first and last offset are conditions. */
static bool test_access(struct strip *strip, const struct guard_point *point)
{
    struct guard_body *body = strip->body;
    const struct ptx_operand *operand = address_operand(&body->source->instructions.data[point->instruction], point->operand);
    if ((point->number != 101 && point->number != 102) || point->base_count != 1 || operand->id == PTX_NONE || size_of(strip, operand->id) != 8)
        return false;
    struct ptx_operand address = {.kind = PTX_OPERAND_REGISTER, .id = operand->id};
    uint32_t before = strip->ranges.count;
    struct progress number = progress_of(strip, &address, point->instruction, false);
    if (!number.is_known) {
        strip->ranges.count = before;
        return false;
    }
    const char *base = guard_array_base(body, point->bases[0], point->written_space);
    const char *limit = guard_array_limit(body, point->bases[0], point->size);
    struct progress offset = {.is_known = true, .first = emit_binary(strip, "sub.s64", number.first, base), .step = number.step};
    if (operand->value != 0)
        offset.first = emit_binary(strip, "add.s64", offset.first, arena_printf(body->rewrite->arena, "%lld", (long long)operand->value));
    add_condition(strip, "lt.u64", offset.first, limit);
    if (offset.step != NULL)
        add_condition(strip, "lt.u64", in_last_trip(strip, offset), limit);
    return true;
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------------------ */

static bool is_free_of_meetings(const struct ptx_function *source, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        uint32_t flags = instruction->op == PTX_OP_OPAQUE ? PTX_FLAG_BARRIER : ptx_op_info((enum ptx_op)instruction->op)->flags;
        if ((flags & (PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_MATRIX)) != 0 || instruction->op == PTX_OP_call ||
            (i + 1 < end && (flags & PTX_FLAG_BRANCH) != 0))
            return false;
    }
    return true;
}

static bool has_wraps(const struct guard_body *body)
{
    for (uint32_t p = 0; p < body->plan->points.count; p++)
        if (body->plan->points.data[p].wanted && body->plan->points.data[p].number == 103 && body->plan->points.data[p].function == body->function)
            return true;
    return false;
}

/* The end of a label's definition before `offset`, searching back to `from`: its first byte; GUARD_NONE: it is not there. */
static uint32_t label_offset(const struct guard_body *body, const char *name, uint32_t from, uint32_t offset)
{
    const char *text = body->rewrite->module->text;
    size_t size = strlen(name);
    for (uint32_t at = from; at + size < offset; at++)
        if (strncmp(text + at, name, size) == 0 && text[at + size + strspn(text + at + size, " \t")] == ':' &&
            strchr(" \t\n\r;{}", text[at - 1]) != NULL)
            return at;
    return GUARD_NONE;
}

/* The loop's text with the checks that stay, without the names of places in it. */
static void copy_block(struct strip *strip, const struct bitset *hoisted, uint32_t end, struct buffer *out)
{
    struct guard_body *body = strip->body;
    const struct ptx_function *source = body->source;
    const char *text = body->rewrite->module->text;
    guard_edits own = {0}, *others = body->edits;
    uint32_t from = source->instructions.data[strip->first].text_offset;
    uint32_t to = source->instructions.data[end - 1].text_offset + source->instructions.data[end - 1].text_size;
    body->edits = &own;
    for (uint32_t p = 0; p < body->plan->points.count; p++) {
        const struct guard_point *point = &body->plan->points.data[p];
        if (point->wanted && point->function == body->function && point->instruction >= strip->first && point->instruction < end &&
            !bitset_has(hoisted, p))
            guard_write_check(body, point);
    }
    body->edits = others;
    for (uint32_t l = 0; l < source->labels.count; l++) {
        const struct ptx_label *label = &source->labels.data[l];
        uint32_t at = label->target > strip->first && label->target <= end ? label_offset(body, label->name, from, to) : GUARD_NONE;
        if (at != GUARD_NONE)
            guard_edit_add(body->rewrite->arena, &own, at, (uint32_t)(strchr(text + at, ':') - (text + at)) + 1, "");
    }
    guard_edit_apply(text, from, to, &own, out);
}

struct loop_shape {
    uint32_t first, branch;  /* the block's first instruction and the one that leaves or repeats */
    uint32_t after;          /* the first instruction behind the loop */
    const char *header;      /* its label */
    const char *leaves_to;   /* label; NULL: it falls out */
    bool repeats_if_true;
};

static const char *label_of(const struct ptx_instruction *branch)
{
    for (uint32_t i = 0; i < branch->operand_count; i++)
        if (branch->operands[i].kind == PTX_OPERAND_LABEL)
            return branch->operands[i].text;
    return NULL;
}

static bool find_shape(const struct ir_cfg *cfg, uint32_t index, struct loop_shape *shape)
{
    const struct ir_loop *loop = &cfg->loops[index];
    const struct ptx_function *source = cfg->source;
    uint32_t header = loop->header, count = loop->order_end - loop->order_first;
    const struct ir_block *block = &cfg->blocks[header];
    if (loop->irreducible || loop->latch_count != 1 || count > 2 || block->end == block->first || header == 0)
        return false;
    const struct ptx_instruction *branch = &source->instructions.data[block->end - 1];
    if (branch->op != PTX_OP_bra || branch->guard == PTX_NONE || block->predecessor_count != 2 ||
        cfg->blocks[header - 1].fallthrough != header)
        return false;
    for (uint32_t p = 0; p < 2; p++) /* entered by falling into it alone */
        if (block->predecessors[p] != loop->latches[0] && block->predecessors[p] != header - 1)
            return false;
    const struct ptx_instruction *before = &source->instructions.data[cfg->blocks[header - 1].end - 1];
    if (cfg->blocks[header - 1].end == cfg->blocks[header - 1].first)
        return false;
    *shape = (struct loop_shape){.first = block->first, .branch = block->end - 1, .after = block->end};
    if (count == 1) {
        shape->repeats_if_true = true;
        shape->header = label_of(branch);
    } else {
        uint32_t latch = loop->latches[0];
        const struct ir_block *back = &cfg->blocks[latch];
        if (latch != header + 1 || back->end - back->first != 1 || source->instructions.data[back->first].op != PTX_OP_bra ||
            source->instructions.data[back->first].guard != PTX_NONE || block->fallthrough != latch)
            return false;
        shape->leaves_to = label_of(branch);
        shape->header = label_of(&source->instructions.data[back->first]);
        shape->after = back->end;
        if (shape->leaves_to == NULL)
            return false;
    }
    return shape->header != NULL && !(before->op == PTX_OP_bra && label_of(before) != NULL && strcmp(label_of(before), shape->header) == 0);
}

static void version_loop(struct guard_body *body, const struct loop_shape *shape)
{
    struct arena *arena = body->rewrite->arena;
    const struct ptx_function *source = body->source;
    const struct ptx_instruction *branch = &source->instructions.data[shape->branch];
    struct strip strip = {.body = body, .first = shape->first, .end = shape->branch};
    struct bitset hoisted;
    uint32_t count = 0, previous = shape->first - 1, added = body->added;
    uint32_t at = label_offset(body, shape->header,
                               source->instructions.data[previous].text_offset + source->instructions.data[previous].text_size,
                               source->instructions.data[shape->first].text_offset);
    buffer_init(&strip.code, arena);
    bitset_init(&hoisted, arena, body->plan->points.count + 1);
    bool goes_on_if_false = branch->guard_negated ? shape->repeats_if_true : !shape->repeats_if_true;
    if (at == GUARD_NONE || !find_trips(&strip, branch->guard, goes_on_if_false)) {
        body->added = added;
        return;
    }
    for (uint32_t p = 0; p < body->plan->points.count; p++) {
        const struct guard_point *point = &body->plan->points.data[p];
        if (point->wanted && point->function == body->function && point->instruction >= shape->first && point->instruction < shape->branch &&
            test_access(&strip, point)) {
            bitset_add(&hoisted, p);
            count++;
        }
    }
    if (count == 0) {
        body->added = added;
        return;
    }
    test_ranges(&strip);
    const char *copy = guard_new_label(body), *out = shape->leaves_to;
    guard_emit(body, &strip.code, "@%s bra %s", strip.fits, copy);
    guard_edit_add(arena, body->edits, at, 0, arena_printf(arena, "%s\n", strip.code.data));
    if (out == NULL) {
        out = guard_new_label(body);
        const struct ptx_instruction *last = &source->instructions.data[shape->after - 1];
        guard_edit_add(arena, body->edits, last->text_offset + last->text_size, 0, arena_printf(arena, "\n%s:", out));
    }
    guard_emit_label(&body->copies, copy);
    uint32_t before = body->added;
    copy_block(&strip, &hoisted, shape->branch, &body->copies);
    body->added = before;
    buffer_puts(&body->copies, "\n\t");
    buffer_printf(&body->copies, "@%s%s bra %s;\n\t", branch->guard_negated ? "!" : "", name_of(&strip, branch->guard),
                  shape->repeats_if_true ? copy : out);
    buffer_printf(&body->copies, "bra %s;\n\t", shape->repeats_if_true ? out : copy);
    body->kernel->instructions_copied += shape->branch - shape->first + 2;
    body->kernel->loops++;
}

void guard_strip_loops(struct guard_body *body)
{
    bool wanted = false;
    for (uint32_t p = 0; p < body->plan->points.count; p++)
        wanted |= body->plan->points.data[p].wanted && body->plan->points.data[p].function == body->function;
    if (!wanted || body->rewrite->options->check_all || has_wraps(body))
        return;
    const struct ir_cfg *cfg = ir_cfg_build(body->rewrite->arena, body->rewrite->module, body->function);
    for (uint32_t l = 0; l < cfg->loop_count; l++) {
        struct loop_shape shape;
        if (find_shape(cfg, l, &shape) && is_free_of_meetings(body->source, shape.first, shape.branch + 1))
            version_loop(body, &shape);
    }
}
