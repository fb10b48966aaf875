/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks without a branch, in the copy of a loop: a load that would leave its array is not made, that is noted, and when the loop has ended with
 * a note its registers get back what they had before it, and the loop with checks runs from the start: it stops at the right access.  So the loop
 * has no ways out but its own, and ptxas unrolls it as it unrolls the raw one.
 *
 * Requires: a loop of one block whose trips are known before it.  Gives up on: loops that do anything but load and compute (stores, atomics,
 * barriers, volatile loads); loads without a check of their own whose address or guard comes from one that may not be made, or that
 * rely on such a check; registers of other sizes than 32 and 64 bits.
 */
#include "guard/strip.h"

#include <string.h>

/* ---- can it be? ------------------------------------------------------------------------------------------------------ */

static const struct guard_point *deferred_point(const struct strip *strip, const struct bitset *hoisted, uint32_t instruction)
{
    const guard_points *points = &strip->body->plan->points;
    for (uint32_t p = 0; p < points->count; p++) {
        const struct guard_point *point = &points->data[p];
        if (point->wanted && point->function == strip->body->function && point->instruction == instruction && !bitset_has(hoisted, p))
            return point;
    }
    return NULL;
}

static bool relies_on_others(const struct strip *strip, uint32_t instruction)
{
    const guard_points *points = &strip->body->plan->points;
    for (uint32_t p = 0; p < points->count; p++)
        if (points->data[p].is_implied && points->data[p].function == strip->body->function && points->data[p].instruction == instruction)
            return true;
    return false;
}

static bool is_quiet(const struct ptx_instruction *instruction)
{
    enum { EFFECTS = PTX_FLAG_BRANCH | PTX_FLAG_STORE | PTX_FLAG_ATOMIC | PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_FENCE | PTX_FLAG_VOLATILE |
                     PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE };
    if (instruction->op == PTX_OP_OPAQUE)
        return false;
    uint32_t flags = ptx_op_info((enum ptx_op)instruction->op)->flags;
    bool is_plain = instruction->semantics == PTX_SEMANTICS_NONE || instruction->semantics == PTX_WEAK;
    return (flags & EFFECTS) == 0 && ((flags & PTX_FLAG_LOAD) == 0 || (instruction->op == PTX_OP_ld && is_plain)) &&
           (instruction->flags & PTX_MODIFIER_CC) == 0;
}

struct taint {
    struct bitset *registers; /* that may hold what a load that was not made would have left */
    bool reads, changed;
};

static void note_read(void *context, uint32_t id, bool is_definition)
{
    struct taint *taint = context;
    taint->reads |= !is_definition && bitset_has(taint->registers, id);
}

static void spread(void *context, uint32_t id, bool is_definition)
{
    struct taint *taint = context;
    if (is_definition && !bitset_has(taint->registers, id)) {
        bitset_add(taint->registers, id);
        taint->changed = true;
    }
}

static bool reads_tainted(struct taint *taint, const struct ptx_instruction *instruction)
{
    taint->reads = false;
    ptx_visit_registers(instruction, note_read, taint);
    return taint->reads;
}

static bool loads_are_safe(const struct strip *strip, const struct bitset *hoisted, uint32_t branch_guard)
{
    const struct ptx_function *source = strip->body->source;
    struct bitset registers;
    struct taint taint = {.registers = &registers, .changed = true};
    bitset_init(&registers, strip->body->rewrite->arena, source->registers.count + 1);
    while (taint.changed) { /* round the loop */
        taint.changed = false;
        for (uint32_t i = strip->first; i < strip->end; i++) {
            const struct ptx_instruction *instruction = &source->instructions.data[i];
            bool is_deferred = deferred_point(strip, hoisted, i) != NULL, is_load = (ptx_op_info((enum ptx_op)instruction->op)->flags & PTX_FLAG_LOAD) != 0;
            bool is_tainted = reads_tainted(&taint, instruction);
            if (is_tainted && is_load && !is_deferred)
                return false;
            if (is_tainted || is_deferred)
                ptx_visit_registers(instruction, spread, &taint);
        }
    }
    return !bitset_has(&registers, branch_guard);
}

bool strip_can_defer(const struct strip *strip, const struct bitset *hoisted, uint32_t branch_guard)
{
    const struct ptx_function *source = strip->body->source;
    const guard_points *points = &strip->body->plan->points;
    uint32_t count = 0;
    for (uint32_t i = strip->first; i < strip->end; i++)
        if (!is_quiet(&source->instructions.data[i]) || relies_on_others(strip, i))
            return false;
    for (uint32_t p = 0; p < points->count; p++) {
        const struct guard_point *point = &points->data[p];
        if (!point->wanted || point->function != strip->body->function || point->instruction < strip->first || point->instruction >= strip->end ||
            bitset_has(hoisted, p))
            continue;
        bool is_bounds = point->number == 101 || point->number == 102;
        if (!is_bounds || !point->is_plain || point->is_write || source->instructions.data[point->instruction].guard != PTX_NONE)
            return false;
        count++;
    }
    return count != 0 && loads_are_safe(strip, hoisted, branch_guard);
}

/* ---- registers that a trip takes from the one before ------------------------------------------------------------------- */

struct carried {
    const struct strip *strip;
    struct bitset defined, kept; /* so far in the block; read before */
};

static void see_register(void *context, uint32_t id, bool is_definition)
{
    struct carried *carried = context;
    if (!is_definition && !bitset_has(&carried->defined, id))
        bitset_add(&carried->kept, id);
}

static void see_definition(void *context, uint32_t id, bool is_definition)
{
    struct carried *carried = context;
    if (is_definition)
        bitset_add(&carried->defined, id);
}

/* A guarded definition keeps the old value. */
static void see_guarded(void *context, uint32_t id, bool is_definition)
{
    struct carried *carried = context;
    if (is_definition && !bitset_has(&carried->defined, id))
        bitset_add(&carried->kept, id);
}

bool strip_save_registers(const struct strip *strip, struct buffer *save, struct buffer *restore)
{
    struct guard_body *body = strip->body;
    const struct ptx_function *source = body->source;
    struct carried carried = {.strip = strip};
    bitset_init(&carried.defined, body->rewrite->arena, source->registers.count + 1);
    bitset_init(&carried.kept, body->rewrite->arena, source->registers.count + 1);
    for (uint32_t i = strip->first; i < strip->end; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        ptx_visit_registers(instruction, see_register, &carried);
        if (instruction->guard != PTX_NONE)
            ptx_visit_registers(instruction, see_guarded, &carried);
        ptx_visit_registers(instruction, see_definition, &carried);
    }
    for (uint32_t id = 0; id < source->registers.count; id++) {
        if (!bitset_has(&carried.defined, id) || !bitset_has(&carried.kept, id))
            continue;
        enum ptx_type type = (enum ptx_type)source->registers.data[id].type;
        unsigned size = ptx_type_size(type);
        bool is_predicate = type == PTX_PRED;
        if (!is_predicate && size != 4 && size != 8)
            return false;
        const char *copy = is_predicate ? guard_new_predicate(body) : size == 4 ? guard_new_word(body) : guard_new_long(body);
        const char *name = source->registers.data[id].name, *kind = is_predicate ? "pred" : size == 4 ? "b32" : "b64";
        buffer_printf(save, "mov.%s %s, %s;\n\t", kind, copy, name);
        buffer_printf(restore, "mov.%s %s, %s;\n\t", kind, name, copy);
    }
    return true;
}
