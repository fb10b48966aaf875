/* SPDX-License-Identifier: Apache-2.0
 *
 * Promotion: the bytes of local and parameter variables become SSA values.  So stack slots of
 * unoptimised code, parameters of the kernel, and arguments and results of calls are seen through.
 *
 * Requires: draft->stack.  Gives: loads and stores of bytes that are not open are gone; what a
 * call takes and gives are its operands and results; parameters are IR_VALUE_PARAMETER.
 * Sound for: what stack.c allows.
 * Gives up on: open bytes.  Accesses of different widths are no obstacle: a variable is cut into
 * the smallest parts that they have in common.
 */
#include "ir/promote.h"

#include <stdlib.h>

#define MAX_BYTES ((uint64_t)1 << 30)

/* The object that a load or store of promoted bytes goes to, else IR_NONE.  An access is open as a
 * whole or not at all. */
static uint32_t promoted_object(const struct promoter *p, const struct ir_access *access)
{
    uint32_t object =
        (access->flags & IR_ACCESS_HINT) != 0 ? IR_NONE : stack_exact_object(p->draft, access);
    if (object == IR_NONE || !p->objects[object].is_candidate)
        return IR_NONE;
    uint32_t first = (uint32_t)access->pointer.offset;
    return stack_is_open(p->draft->stack, object, first, first + access->size * access->count)
               ? IR_NONE
               : object;
}

static uint32_t promoted_by(const struct promoter *p, const struct ir_instruction *instruction)
{
    return instruction->access_count != 1
               ? IR_NONE
               : promoted_object(p, &p->draft->accesses.data[instruction->first_access]);
}

static void note_accesses(struct promoter *p)
{
    struct draft *draft = p->draft;
    p->objects = ARENA_ARRAY(draft->arena, struct candidate, draft->objects.count);
    for (uint32_t i = 0; i < draft->objects.count; i++)
        p->objects[i].is_candidate = draft->stack->objects[i].is_candidate;
    for (uint32_t i = 0; i < draft->accesses.count; i++) {
        const struct ir_access *access = &draft->accesses.data[i];
        uint32_t object = promoted_object(p, access);
        for (uint32_t e = 0; object != IR_NONE && e < access->count; e++)
            *vec_push(draft->arena, &p->accessed) = (struct part){
                object, (uint32_t)access->pointer.offset + e * access->size, access->size};
    }
}

/* ---- parts of variables ---------------------------------------------------------------------- */

static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Adds [from, to) as parts of 1, 2, 4, 8 or 16 bytes on their natural boundaries. */
static void add_elements(struct promoter *p, uint32_t object, uint32_t from, uint32_t to)
{
    while (from < to) {
        uint32_t size = 16;
        while (size > to - from || from % size != 0)
            size /= 2;
        *vec_push(p->draft->arena, &p->elements) = (struct part){object, from, size};
        from += size;
    }
}

/* Cuts the bytes that parts [first, end) of p->accessed cover wherever one of them begins or ends.
 */
static void cut_object(struct promoter *p, uint32_t first, uint32_t end)
{
    uint32_t object = p->accessed.data[first].object, covered = 0;
    p->scratch.count = 0;
    for (uint32_t i = first; i < end; i++) {
        *vec_push(p->draft->arena, &p->scratch) = p->accessed.data[i].offset;
        *vec_push(p->draft->arena, &p->scratch) =
            p->accessed.data[i].offset + p->accessed.data[i].size;
    }
    qsort(p->scratch.data, p->scratch.count, sizeof *p->scratch.data, compare_numbers);
    p->objects[object].first = p->elements.count;
    uint32_t next = first;
    for (uint32_t i = 0; i + 1 < p->scratch.count; i++) {
        uint32_t from = p->scratch.data[i], to = p->scratch.data[i + 1];
        if (from == to)
            continue;
        for (; next < end && p->accessed.data[next].offset <= from; next++)
            if (p->accessed.data[next].offset + p->accessed.data[next].size > covered)
                covered = p->accessed.data[next].offset + p->accessed.data[next].size;
        if (covered >= to)
            add_elements(p, object, from, to);
    }
    p->objects[object].count = p->elements.count - p->objects[object].first;
}

static void cut_all(struct promoter *p)
{
    uint32_t kept = p->accessed.count;
    if (kept != 0)
        qsort(p->accessed.data, kept, sizeof *p->accessed.data, compare_parts);
    for (uint32_t first = 0, end; first < kept; first = end) {
        for (end = first;
             end < kept && p->accessed.data[end].object == p->accessed.data[first].object;)
            end++;
        cut_object(p, first, end);
    }
}

/* The first element of an object at or behind `offset`. */
uint32_t promote_element_at(const struct promoter *p, uint32_t object, uint32_t offset)
{
    uint32_t low = p->objects[object].first, high = low + p->objects[object].count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (p->elements.data[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- scanning -------------------------------------------------------------------------------- */

bool promote_is_new(const struct promoter *p, const struct ir_piece *piece)
{
    return piece->object != IR_NONE && piece->value == IR_NONE &&
           p->objects[piece->object].count != 0 && p->objects[piece->object].is_candidate;
}

static void scan_pieces(const struct promoter *p, const struct ir_piece *pieces, uint32_t count,
                        bool writes, bool certain, struct live_scan *scan)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!promote_is_new(p, &pieces[i]))
            continue;
        const struct candidate *object = &p->objects[pieces[i].object];
        for (uint32_t e = object->first; e < object->first + object->count; e++) {
            if (writes)
                live_write(scan, e, certain);
            else
                live_read(scan, e);
        }
    }
}

static void scan_block(void *context, uint32_t block, struct live_scan *scan)
{
    const struct promoter *p = context;
    const struct draft *draft = p->draft;
    for (uint32_t i = draft->first[block]; i < draft->end[block]; i++) {
        const struct ir_instruction *instruction = &draft->instructions.data[i];
        bool certain = instruction->guard == IR_NONE;
        if (instruction->op == PTX_OP_call) {
            const struct ir_call *call = &draft->calls.data[instruction->detail];
            scan_pieces(p, call->arguments, call->argument_count, false, certain, scan);
            scan_pieces(p, call->results, call->result_count, true, certain, scan);
            continue;
        }
        uint32_t object = promoted_by(p, instruction);
        if (object == IR_NONE)
            continue;
        const struct ir_access *access = &draft->accesses.data[instruction->first_access];
        uint32_t from = (uint32_t)access->pointer.offset, to = from + access->size * access->count;
        uint32_t last = p->objects[object].first + p->objects[object].count;
        for (uint32_t e = promote_element_at(p, object, from);
             e < last && p->elements.data[e].offset < to; e++) {
            if (instruction->op == PTX_OP_st)
                live_write(scan, e, certain);
            else
                live_read(scan, e);
        }
    }
}

bool promote_round(struct draft *draft)
{
    struct promoter p = {.draft = draft};
    struct variable_flow flow = {0};
    struct phi_plan plan;
    note_accesses(&p);
    cut_all(&p);
    if (p.accessed.count == 0 || !variable_flow_build(&flow, draft->arena, draft->cfg,
                                                      p.elements.count, scan_block, &p, MAX_BYTES))
        return false;
    for (uint32_t i = 0; i < draft->objects.count; i++)
        draft->objects.data[i].is_promoted |= p.objects[i].is_candidate &&
                                              draft->stack->objects[i].open_count == 0 &&
                                              !draft->stack->objects[i].is_indexed;
    p.live = flow.live;
    phi_plan_build(&plan, draft->arena, draft->cfg, &flow, &draft->frontiers);
    uint32_t *targets = ARENA_ARRAY(draft->arena, uint32_t, draft->instructions.count);
    for (uint32_t i = 0; i < draft->instructions.count; i++)
        targets[i] = promoted_by(&p, &draft->instructions.data[i]);
    promote_rewrite(&p, &plan, targets);
    draft->rounds++;
    return true;
}
