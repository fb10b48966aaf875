/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of LW103: did the 32-bit arithmetic of this index, or of this comparison, leave its width?
 *
 * Requires: points whose arithmetic stands in the body.  Gives: beside each register of the chain (add, sub, mul.lo, mad.lo, shl, neg, not,
 * mov, selp, truncation) two 64-bit twins with its exact value, start values read as signed and as unsigned; where the register is widened, a
 * predicate says whether neither twin is what the widening reads; the predicate follows the address arithmetic and is tested at the access:
 * compilers widen above the guard.  A comparison is tested where it stands.  A product that leaves 64 bits counts as 2^62.
 * Gives up on: arithmetic that goes through a call.
 */
#include "guard/rewrite.h"

struct twin {
    bool is_followed;         /* its twins are kept */
    bool is_taintable;        /* 64 bits: a widening that is asked about can reach it */
    bool needs_start;         /* several definitions, or one under a guard: a use need not see one of ours */
    uint32_t definitions;
    bool is_chained;          /* some definition is a link of a chain: otherwise it is read anew at each use */
    const char *exact[2];     /* [0] unsigned, [1] signed starts */
    const char *taint;        /* 64-bit registers: it was made from an index that left its width; NULL: not followed */
    const char *origin;       /* the exact value, for the record */
};

struct guard_wraps {
    struct guard_body *body;
    struct twin *twins;       /* by PTX register */
    struct bitset widenings;  /* instructions whose 32-bit operands are asked about */
    VEC(uint32_t) pending;    /* registers whose definitions are to be looked at */
    VEC(const struct guard_point *) points;
};

static const char *name_of(const struct guard_wraps *wraps, uint32_t id)
{
    return wraps->body->source->registers.data[id].name;
}

static unsigned size_of(const struct guard_wraps *wraps, uint32_t id)
{
    return ptx_type_size((enum ptx_type)wraps->body->source->registers.data[id].type);
}

/* ---- what an instruction is to a chain --------------------------------------------------------------------------------- */

enum step { STEP_START, STEP_LINK, STEP_TRUNCATION, STEP_ADDRESS, STEP_WIDENING };

static bool is_plain_integer(const struct ptx_instruction *instruction, unsigned size)
{
    return (ptx_type_is_integer((enum ptx_type)instruction->type)) && ptx_type_size((enum ptx_type)instruction->type) == size &&
           (instruction->flags & (PTX_MODIFIER_SAT | PTX_MODIFIER_CC)) == 0;
}

static enum step step_of(const struct ptx_instruction *instruction)
{
    bool is_address = is_plain_integer(instruction, 8);
    switch (instruction->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_neg:
    case PTX_OP_not:
    case PTX_OP_shl:
    case PTX_OP_mov:
    case PTX_OP_selp:
        if (instruction->op == PTX_OP_mov && instruction->operands[1].kind != PTX_OPERAND_REGISTER)
            return STEP_START;
        return is_plain_integer(instruction, 4) ? STEP_LINK : is_address ? STEP_ADDRESS : STEP_START;
    case PTX_OP_mul:
    case PTX_OP_mad:
        if (instruction->mode == PTX_MODE_WIDE)
            return is_plain_integer(instruction, 4) ? STEP_WIDENING : STEP_START;
        if (instruction->mode != PTX_MODE_LO)
            return STEP_START;
        return is_plain_integer(instruction, 4) ? STEP_LINK : is_address ? STEP_ADDRESS : STEP_START;
    case PTX_OP_cvt:
        if (!ptx_type_is_integer((enum ptx_type)instruction->type) || !ptx_type_is_integer((enum ptx_type)instruction->type2) ||
            (instruction->flags & PTX_MODIFIER_SAT) != 0)
            return STEP_START;
        if (ptx_type_size((enum ptx_type)instruction->type2) == 4 && is_address)
            return STEP_WIDENING;
        if (ptx_type_size((enum ptx_type)instruction->type2) == 8 && is_plain_integer(instruction, 4))
            return STEP_TRUNCATION;
        return is_address && ptx_type_size((enum ptx_type)instruction->type2) == 8 ? STEP_ADDRESS : STEP_START;
    case PTX_OP_cvta:
        return STEP_ADDRESS;
    default:
        return STEP_START;
    }
}

/* The second and later operands that are registers of `size` bytes. */
static bool next_source(const struct guard_wraps *wraps, const struct ptx_instruction *instruction, unsigned size, uint32_t *at,
                        uint32_t *id)
{
    for (; *at < instruction->operand_count; ++*at) {
        const struct ptx_operand *operand = &instruction->operands[*at];
        if (*at == 0 || operand->kind != PTX_OPERAND_REGISTER || size_of(wraps, operand->id) != size ||
            wraps->body->source->registers.data[operand->id].type == PTX_PRED)
            continue;
        *id = operand->id;
        ++*at;
        return true;
    }
    return false;
}

/* ---- collecting -------------------------------------------------------------------------------------------------------------- */

static void follow(struct guard_wraps *wraps, uint32_t id)
{
    if (wraps->twins[id].is_followed)
        return;
    wraps->twins[id].is_followed = true;
    *vec_push(wraps->body->rewrite->arena, &wraps->pending) = id;
}

static void follow_definition(struct guard_wraps *wraps, uint32_t id, uint32_t index)
{
    const struct ptx_instruction *instruction = &wraps->body->source->instructions.data[index];
    enum step step = step_of(instruction);
    uint32_t at = 1, source;
    wraps->twins[id].needs_start |= wraps->twins[id].definitions++ != 0 || instruction->guard != PTX_NONE;
    if (size_of(wraps, id) == 4 && step == STEP_LINK) {
        wraps->twins[id].is_chained = true;
        while (next_source(wraps, instruction, 4, &at, &source))
            follow(wraps, source);
    } else if (size_of(wraps, id) == 4 && step == STEP_TRUNCATION) {
        wraps->twins[id].is_chained = true;
    } else if (size_of(wraps, id) == 8 && step == STEP_ADDRESS) {
        while (next_source(wraps, instruction, 8, &at, &source))
            follow(wraps, source);
    } else if (size_of(wraps, id) == 8 && step == STEP_WIDENING) {
        while (bitset_has(&wraps->widenings, index) && next_source(wraps, instruction, 4, &at, &source))
            follow(wraps, source);
        at = 1;
        while (instruction->op == PTX_OP_mad && next_source(wraps, instruction, 8, &at, &source))
            follow(wraps, source);
    }
}

static void follow_all(struct guard_wraps *wraps)
{
    const struct ptx_function *source = wraps->body->source;
    while (wraps->pending.count != 0) {
        uint32_t id = wraps->pending.data[--wraps->pending.count];
        for (uint32_t i = 0; i < source->instructions.count; i++)
            if (ptx_defines(&source->instructions.data[i], id))
                follow_definition(wraps, id, i);
    }
}

static bool spreads(const struct guard_wraps *wraps, uint32_t index)
{
    const struct ptx_instruction *instruction = &wraps->body->source->instructions.data[index];
    enum step step = step_of(instruction);
    uint32_t at = 1, source;
    while (bitset_has(&wraps->widenings, index) && next_source(wraps, instruction, 4, &at, &source))
        if (wraps->twins[source].is_chained)
            return true;
    at = 1;
    while ((step == STEP_ADDRESS || instruction->op == PTX_OP_mad) && next_source(wraps, instruction, 8, &at, &source))
        if (wraps->twins[source].is_taintable)
            return true;
    return false;
}

/* Most address registers come from pointers alone. */
static void spread_taint(struct guard_wraps *wraps)
{
    const struct ptx_function *source = wraps->body->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < source->instructions.count; i++) {
            const struct ptx_instruction *instruction = &source->instructions.data[i];
            if (instruction->operand_count == 0 || instruction->operands[0].kind != PTX_OPERAND_REGISTER)
                continue;
            struct twin *twin = &wraps->twins[instruction->operands[0].id];
            if (twin->is_followed && !twin->is_taintable && ptx_defines(instruction, instruction->operands[0].id) && spreads(wraps, i))
                twin->is_taintable = changed = true;
        }
    }
}

/* The instructions of the body that widen the value, in whichever copy of it. */
static void mark_widenings(struct guard_wraps *wraps, const struct guard_point *point)
{
    const struct ir_function *ir = wraps->body->plan->result->ir;
    for (uint32_t u = ir->use_start[point->value]; u < ir->use_start[point->value + 1]; u++) {
        const struct ir_instruction *instruction = &ir->instructions[ir->uses[u]];
        if (instruction->index != IR_NONE && ir->frames[instruction->frame].function == wraps->body->function &&
            step_of(&wraps->body->source->instructions.data[instruction->index]) == STEP_WIDENING)
            bitset_add(&wraps->widenings, instruction->index);
    }
}

static bool is_comparison(const struct guard_wraps *wraps, const struct guard_point *point)
{
    return wraps->body->source->instructions.data[point->instruction].op == PTX_OP_setp;
}

/* ---- twins ------------------------------------------------------------------------------------------------------------------- */

/* Text of code under the guard of the instruction that it stands beside. */
static const char *under_guard(struct guard_wraps *wraps, const struct ptx_instruction *instruction)
{
    if (instruction->guard == PTX_NONE)
        return "";
    return arena_printf(wraps->body->rewrite->arena, "@%s%s ", instruction->guard_negated ? "!" : "",
                        name_of(wraps, instruction->guard));
}

static const char *extended(struct guard_wraps *wraps, struct buffer *out, uint32_t id, bool is_signed)
{
    const char *wide = guard_new_long(wraps->body);
    guard_emit(wraps->body, out, is_signed ? "cvt.s64.s32 %s, %s" : "cvt.u64.u32 %s, %s", wide, name_of(wraps, id));
    return wide;
}

/* An operand of 32 bits as a number: its twin, a constant, or the register read as a start value. */
static const char *exact_operand(struct guard_wraps *wraps, struct buffer *out, const struct ptx_operand *operand, bool is_signed)
{
    if (operand->kind == PTX_OPERAND_REGISTER) {
        const struct twin *twin = &wraps->twins[operand->id];
        return twin->is_chained ? twin->exact[is_signed] : extended(wraps, out, operand->id, is_signed);
    }
    if (operand->kind == PTX_OPERAND_INTEGER) {
        const char *constant = guard_new_long(wraps->body);
        guard_emit(wraps->body, out, "mov.s64 %s, %d", constant, (int)(int32_t)operand->value);
        return constant;
    }
    const char *word = guard_new_word(wraps->body), *wide = guard_new_long(wraps->body); /* a special register, an address */
    guard_emit(wraps->body, out, "mov.u32 %s, %s", word, operand->text);
    guard_emit(wraps->body, out, is_signed ? "cvt.s64.s32 %s, %s" : "cvt.u64.u32 %s, %s", wide, word);
    return wide;
}

static bool is_start(const struct guard_wraps *wraps, const struct ptx_operand *operand)
{
    return operand->kind != PTX_OPERAND_REGISTER || !wraps->twins[operand->id].is_chained;
}

/* Two numbers of 32 bits need no test: as an unsigned 64-bit number their product never looks like one of 32 bits that it is not. */
static const char *product(struct guard_wraps *wraps, struct buffer *out, const char *a, const char *b, bool is_small)
{
    struct guard_body *body = wraps->body;
    const char *lower = guard_new_long(body);
    guard_emit(body, out, "mul.lo.s64 %s, %s, %s", lower, a, b);
    if (is_small)
        return lower;
    const char *upper = guard_new_long(body), *sign = guard_new_long(body), *result = guard_new_long(body);
    const char *fits = guard_new_predicate(body);
    guard_emit(body, out, "mul.hi.s64 %s, %s, %s", upper, a, b);
    guard_emit(body, out, "shr.s64 %s, %s, 63", sign, lower);
    guard_emit(body, out, "setp.eq.s64 %s, %s, %s", fits, upper, sign);
    guard_emit(body, out, "selp.b64 %s, %s, 4611686018427387904, %s", result, lower, fits);
    return result;
}

/* What the link makes of its operands, exactly. */
static const char *exact_result(struct guard_wraps *wraps, struct buffer *out, const struct ptx_instruction *instruction, bool is_signed)
{
    struct guard_body *body = wraps->body;
    const struct ptx_operand *operands = instruction->operands;
    const char *result = guard_new_long(body), *a = exact_operand(wraps, out, &operands[1], is_signed), *b, *c;
    bool is_small = instruction->operand_count > 2 && is_start(wraps, &operands[1]) && is_start(wraps, &operands[2]);
    switch (instruction->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
        b = exact_operand(wraps, out, &operands[2], is_signed);
        guard_emit(body, out, "%s.s64 %s, %s, %s", instruction->op == PTX_OP_add ? "add" : "sub", result, a, b);
        return result;
    case PTX_OP_neg:
        guard_emit(body, out, "neg.s64 %s, %s", result, a);
        return result;
    case PTX_OP_not:
        guard_emit(body, out, "not.b64 %s, %s", result, a);
        return result;
    case PTX_OP_selp:
        b = exact_operand(wraps, out, &operands[2], is_signed);
        guard_emit(body, out, "selp.b64 %s, %s, %s, %s%s", result, a, b, operands[3].negated ? "!" : "", name_of(wraps, operands[3].id));
        return result;
    case PTX_OP_shl:
        b = guard_new_long(body);
        c = guard_new_long(body);
        guard_emit(body, out, "mov.u64 %s, 1", c);
        guard_emit(body, out, "shl.b64 %s, %s, %s", b, c, operands[2].kind == PTX_OPERAND_REGISTER ? name_of(wraps, operands[2].id) : operands[2].text);
        return product(wraps, out, a, b, false);
    case PTX_OP_mul:
        return product(wraps, out, a, exact_operand(wraps, out, &operands[2], is_signed), is_small);
    case PTX_OP_mad:
        b = product(wraps, out, a, exact_operand(wraps, out, &operands[2], is_signed), is_small);
        c = exact_operand(wraps, out, &operands[3], is_signed);
        guard_emit(body, out, "add.s64 %s, %s, %s", result, b, c);
        return result;
    default:
        return a;
    }
}

/* Twins of a 32-bit register behind one of its definitions. */
static void set_twins(struct guard_wraps *wraps, uint32_t id, const struct ptx_instruction *instruction, struct buffer *before,
                      struct buffer *after)
{
    struct twin *twin = &wraps->twins[id];
    enum step step = step_of(instruction);
    const char *guard = under_guard(wraps, instruction);
    for (int is_signed = 0; is_signed <= 1; is_signed++) {
        /* Operands are read before the instruction, which may overwrite one of them. */
        const char *value = step == STEP_LINK         ? exact_result(wraps, before, instruction, is_signed)
                            : step == STEP_TRUNCATION ? name_of(wraps, instruction->operands[1].id)
                                                      : extended(wraps, after, id, is_signed);
        guard_emit(wraps->body, after, "%smov.b64 %s, %s", guard, twin->exact[is_signed], value);
    }
}

/* ---- taint ------------------------------------------------------------------------------------------------------------------------ */

/* A predicate: neither twin of the register is what is read. */
static const char *is_off(struct guard_wraps *wraps, struct buffer *out, uint32_t id, bool is_signed)
{
    struct guard_body *body = wraps->body;
    const struct twin *twin = &wraps->twins[id];
    const char *read = extended(wraps, out, id, is_signed), *first = guard_new_predicate(body), *both = guard_new_predicate(body);
    guard_emit(body, out, "setp.ne.s64 %s, %s, %s", first, twin->exact[0], read);
    guard_emit(body, out, "setp.ne.and.s64 %s, %s, %s, %s", both, twin->exact[1], read, first);
    return both;
}

static void add_taint(struct guard_wraps *wraps, struct buffer *out, const char **sum, const char *taint)
{
    if (*sum != NULL) {
        const char *both = guard_new_predicate(wraps->body);
        guard_emit(wraps->body, out, "or.pred %s, %s, %s", both, *sum, taint);
        taint = both;
    }
    *sum = taint;
}

static void set_taint(struct guard_wraps *wraps, uint32_t id, uint32_t index, struct buffer *before, struct buffer *after)
{
    struct guard_body *body = wraps->body;
    const struct ptx_instruction *instruction = &body->source->instructions.data[index];
    const char *guard = under_guard(wraps, instruction), *sum = NULL, *origin = NULL;
    enum step step = step_of(instruction);
    uint32_t at = 1, source;
    bool is_signed = ptx_type_is_signed((enum ptx_type)(instruction->op == PTX_OP_cvt ? instruction->type2 : instruction->type));
    while (step == STEP_WIDENING && bitset_has(&wraps->widenings, index) && next_source(wraps, instruction, 4, &at, &source)) {
        if (!wraps->twins[source].is_chained)
            continue;
        add_taint(wraps, before, &sum, is_off(wraps, before, source, is_signed));
        origin = wraps->twins[source].exact[is_signed];
    }
    at = 1;
    while ((step == STEP_ADDRESS || instruction->op == PTX_OP_mad) && next_source(wraps, instruction, 8, &at, &source)) {
        if (wraps->twins[source].taint == NULL)
            continue;
        add_taint(wraps, before, &sum, wraps->twins[source].taint);
        origin = origin != NULL ? origin : wraps->twins[source].origin;
    }
    if (sum != NULL) {
        guard_emit(body, after, "%smov.pred %s, %s", guard, wraps->twins[id].taint, sum);
        guard_emit(body, after, "%smov.b64 %s, %s", guard, wraps->twins[id].origin, origin);
    } else {
        guard_emit(body, after, "%ssetp.ne.s32 %s, 0, 0", guard, wraps->twins[id].taint);
    }
}

/* ---- the checks -------------------------------------------------------------------------------------------------------------------- */

static void write_definitions(struct guard_wraps *wraps)
{
    struct guard_body *body = wraps->body;
    struct arena *arena = body->rewrite->arena;
    for (uint32_t i = 0; i < body->source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &body->source->instructions.data[i];
        struct buffer before, after;
        buffer_init(&before, arena);
        buffer_init(&after, arena);
        for (uint32_t k = 0; k < instruction->operand_count; k++) {
            const struct ptx_operand *operand = &instruction->operands[k];
            uint32_t parts = operand->kind == PTX_OPERAND_VECTOR ? operand->count : 1;
            for (uint32_t e = 0; e < parts; e++) {
                const struct ptx_operand *part = operand->kind == PTX_OPERAND_VECTOR ? &operand->elements[e] : operand;
                if (part->kind != PTX_OPERAND_REGISTER || !wraps->twins[part->id].is_followed || !ptx_defines(instruction, part->id))
                    continue;
                if (wraps->twins[part->id].taint != NULL)
                    set_taint(wraps, part->id, i, &before, &after);
                else if (wraps->twins[part->id].is_chained)
                    set_twins(wraps, part->id, instruction, &before, &after);
            }
            if (k == 0 && step_of(instruction) != STEP_START)
                break; /* one result; the other operands are sources */
        }
        guard_insert_before(body, i, &before);
        guard_insert_after(body, i, &after);
    }
}

static void write_test(struct guard_wraps *wraps, const struct guard_point *point, struct buffer *out, const char *predicate,
                       const char *exact)
{
    struct guard_body *body = wraps->body;
    const struct ptx_instruction *instruction = &body->source->instructions.data[point->instruction];
    if (instruction->guard != PTX_NONE) {
        const char *both = guard_new_predicate(body), *other = name_of(wraps, instruction->guard);
        if (instruction->guard_negated) {
            const char *inverted = guard_new_predicate(body);
            guard_emit(body, out, "not.pred %s, %s", inverted, other);
            other = inverted;
        }
        guard_emit(body, out, "and.pred %s, %s, %s", both, predicate, other);
        predicate = both;
    }
    struct guard_failure failure = {.point = point,
                                    .array = body->kernel->verdicts.data[point->verdict_index].array,
                                    .index = exact,
                                    .extent = "0",
                                    .element = 1};
    guard_emit(body, out, "@%s bra %s", predicate, guard_failure_label(body, &failure));
}

/* The address register that the point asks about has taint; a comparison has twins of its own operands. */
static void write_point(struct guard_wraps *wraps, const struct guard_point *point)
{
    struct guard_body *body = wraps->body;
    const struct ptx_instruction *instruction = &body->source->instructions.data[point->instruction];
    struct buffer text;
    buffer_init(&text, body->rewrite->arena);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_ADDRESS && operand->id != PTX_NONE && wraps->twins[operand->id].taint != NULL)
            write_test(wraps, point, &text, wraps->twins[operand->id].taint, wraps->twins[operand->id].origin);
        else if (is_comparison(wraps, point) && operand->kind == PTX_OPERAND_REGISTER && i != 0 && wraps->twins[operand->id].is_chained)
            write_test(wraps, point, &text, is_off(wraps, &text, operand->id, point->reads_signed),
                       wraps->twins[operand->id].exact[point->reads_signed]);
    }
    guard_insert_before(body, point->instruction, &text);
}

static void start_roots(struct guard_wraps *wraps, const struct guard_point *point)
{
    const struct ptx_instruction *instruction = &wraps->body->source->instructions.data[point->instruction];
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        bool is_address = operand->kind == PTX_OPERAND_ADDRESS && operand->id != PTX_NONE && size_of(wraps, operand->id) == 8;
        bool is_compared = is_comparison(wraps, point) && operand->kind == PTX_OPERAND_REGISTER && i != 0 && size_of(wraps, operand->id) == 4;
        if (is_address || is_compared)
            follow(wraps, operand->id);
    }
}

static void name_twins(struct guard_wraps *wraps)
{
    struct guard_body *body = wraps->body;
    for (uint32_t r = 0; r < body->source->registers.count; r++) {
        struct twin *twin = &wraps->twins[r];
        if (twin->is_followed && twin->is_chained) {
            twin->exact[0] = guard_new_long(body);
            twin->exact[1] = guard_new_long(body);
            for (int i = 0; i < 2 && twin->needs_start; i++)
                guard_emit(body, &body->entry, "mov.u64 %s, 0", twin->exact[i]);
        }
        if (!twin->is_taintable)
            continue;
        twin->taint = guard_new_predicate(body);
        twin->origin = guard_new_long(body);
        if (twin->needs_start) {
            guard_emit(body, &body->entry, "setp.ne.s32 %s, 0, 0", twin->taint);
            guard_emit(body, &body->entry, "mov.u64 %s, 0", twin->origin);
        }
    }
}

void guard_check_wraps(struct guard_body *body, const guard_points *points)
{
    struct arena *arena = body->rewrite->arena;
    struct guard_wraps wraps = {.body = body};
    for (uint32_t p = 0; p < points->count; p++)
        if (points->data[p].wanted && points->data[p].number == 103 && points->data[p].function == body->function)
            *vec_push(arena, &wraps.points) = &points->data[p];
    if (wraps.points.count == 0)
        return;
    wraps.twins = ARENA_ARRAY(arena, struct twin, body->source->registers.count + 1);
    bitset_init(&wraps.widenings, arena, body->source->instructions.count + 1);
    for (uint32_t p = 0; p < wraps.points.count; p++) {
        mark_widenings(&wraps, wraps.points.data[p]);
        start_roots(&wraps, wraps.points.data[p]);
    }
    follow_all(&wraps);
    spread_taint(&wraps);
    name_twins(&wraps);
    write_definitions(&wraps);
    for (uint32_t p = 0; p < wraps.points.count; p++) /* all values of one instruction are tested together */
        if (p == 0 || wraps.points.data[p]->instruction != wraps.points.data[p - 1]->instruction)
            write_point(&wraps, wraps.points.data[p]);
}

const char *guard_wrap_obstacle(const struct guard_plan *plan, const struct guard_point *point)
{
    const struct ir_function *ir = plan->result->ir;
    uint32_t frame = ir->instructions[point->consumer].frame;
    for (uint32_t u = ir->use_start[point->value]; u < ir->use_start[point->value + 1]; u++)
        if (ir->instructions[ir->uses[u]].frame != frame)
            return "its arithmetic goes through a call of a function that is not inlined";
    return NULL;
}
