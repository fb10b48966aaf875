/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bytes of local and parameter variables can become values.
 *
 * Starts from the best: every such variable can be seen through.  The pointers that follow from
 * that show where it fails: an address goes where it is not followed, an access is indexed or odd.
 * Those bytes are open (they stay memory), and the pointers are found anew, until nothing changes;
 * open bytes only grow.
 *
 * An indexed access opens a region: from the constant part of its address up to the next place
 * that is surely not of the same array: where another index starts, or what is loaded directly
 * with another size or grid, or holds a pointer (other stores do not tell: compilers clear and
 * copy arrays with wide ones). Nothing in PTX says that this is the extent of the source's array,
 * so the region is an assumption: ir_access has it, and ir.h says who must prove it.
 */
#include "ir/build.h"

#include <stdlib.h>

enum { MAX_TRIES = 8 };

/* One element of a plain access of a stack variable. */
struct touch {
    uint32_t object, offset, size;
    uint32_t access_first, access_end; /* all of the access; what an indexed one has at least */
    bool is_indexed, is_load;
};

struct opener {
    struct draft *draft;
    struct stack *stack;
    VEC(struct touch) touches;
    bool no_regions;
    bool changed;
};

/* ---- open bytes ------------------------------------------------------------------------------ */

static uint32_t object_size(const struct draft *draft, uint32_t object)
{
    uint64_t size = draft->module->variables.data[draft->objects.data[object].variable].size;
    return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

/* The first open range that ends behind `first`. */
static uint32_t find_range(const struct stack_object *object, uint32_t first)
{
    uint32_t low = 0, high = object->open_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (object->open[middle].end <= first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool stack_is_open(const struct stack *stack, uint32_t index, uint32_t first, uint32_t end)
{
    const struct stack_object *object = &stack->objects[index];
    uint32_t i = find_range(object, first);
    return i < object->open_count && object->open[i].first < end;
}

static bool covers(const struct stack_object *object, uint32_t first, uint32_t end)
{
    uint32_t i = find_range(object, first);
    return i < object->open_count && object->open[i].first <= first && end <= object->open[i].end;
}

/* Opens [first, end), joined with what it meets. */
static void open_bytes(struct opener *o, uint32_t index, uint32_t first, uint32_t end)
{
    struct stack_object *object = &o->stack->objects[index];
    if (first >= end || covers(object, first, end))
        return;
    o->changed = true;
    struct byte_range *ranges =
        ARENA_ARRAY(o->draft->arena, struct byte_range, (size_t)object->open_count + 1);
    uint32_t count = 0, at = 0;
    struct byte_range joined = {first, end};
    for (; at < object->open_count && object->open[at].end < first; at++)
        ranges[count++] = object->open[at];
    for (; at < object->open_count && object->open[at].first <= end; at++) {
        joined.first =
            joined.first < object->open[at].first ? joined.first : object->open[at].first;
        joined.end = joined.end > object->open[at].end ? joined.end : object->open[at].end;
    }
    ranges[count++] = joined;
    for (; at < object->open_count; at++)
        ranges[count++] = object->open[at];
    object->open = ranges;
    object->open_count = count;
}

static void open_object(struct opener *o, uint32_t index)
{
    if (!o->stack->objects[index].is_candidate)
        return;
    o->stack->objects[index].is_candidate = false;
    o->changed = true;
}

static void escape_set(struct opener *o, uint32_t set)
{
    const struct pointer_facts *facts = o->draft->pointers;
    const struct ir_base_set *members = &facts->sets.data[set];
    for (uint32_t i = 0; i < members->count; i++) {
        const struct ir_base *base = &facts->bases.data[facts->members.data[members->first + i]];
        if (base->kind == IR_BASE_OBJECT) {
            o->draft->objects.data[base->index].escapes = true;
            open_object(o, base->index);
        }
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* A load or store of a whole element, at a constant or indexed place of one object. */
static uint32_t plain_object(const struct draft *draft, const struct ir_access *access)
{
    const struct ir_instruction *instruction = &draft->instructions.data[access->instruction];
    if (instruction->op != PTX_OP_ld && instruction->op != PTX_OP_st &&
        instruction->op != PTX_OP_ldu)
        return IR_NONE;
    if (access->pointer.base == IR_NONE || access->size == 0 ||
        (access->flags & (IR_ACCESS_COLLECTIVE | IR_ACCESS_ASYNC)) != 0)
        return IR_NONE;
    const struct ir_base *base = &draft->pointers->bases.data[access->pointer.base];
    if (base->kind != IR_BASE_OBJECT)
        return IR_NONE;
    uint64_t limit = object_size(draft, base->index), size = (uint64_t)access->size * access->count;
    bool inside = access->pointer.offset >= 0 && access->pointer.last >= access->pointer.offset &&
                  (uint64_t)access->pointer.last <= limit &&
                  size <= limit - (uint64_t)access->pointer.last;
    return inside ? base->index : IR_NONE;
}

uint32_t stack_exact_object(const struct draft *draft, const struct ir_access *access)
{
    return access->pointer.is_indexed ? IR_NONE : plain_object(draft, access);
}

static void note_access(struct opener *o, const struct ir_access *access)
{
    const struct draft *draft = o->draft;
    const struct pointer_facts *facts = draft->pointers;
    const struct ir_base_set *set = &facts->sets.data[access->pointer.set];
    uint32_t plain = plain_object(draft, access);
    if ((access->flags & IR_ACCESS_HINT) != 0)
        return;
    for (uint32_t m = 0; m < set->count; m++) {
        const struct ir_base *base = &facts->bases.data[facts->members.data[set->first + m]];
        if (base->kind != IR_BASE_OBJECT || !o->stack->objects[base->index].is_candidate)
            continue;
        if (base->index != plain || (access->pointer.is_indexed && o->no_regions)) {
            open_object(o, base->index);
            continue;
        }
        uint32_t count = access->pointer.is_indexed ? 1 : access->count,
                 first = (uint32_t)access->pointer.offset, last = (uint32_t)access->pointer.last;
        for (uint32_t e = 0; e < count; e++)
            *vec_push(draft->arena, &o->touches) =
                (struct touch){plain,
                               first + e * access->size,
                               access->size,
                               first,
                               last + access->size * access->count,
                               access->pointer.is_indexed,
                               (access->flags & IR_ACCESS_READ) != 0};
    }
}

/* ---- addresses that get away ----------------------------------------------------------------- */

static bool is_address_operand(const struct draft *draft, const struct ir_instruction *instruction,
                               uint32_t operand)
{
    for (uint32_t i = 0; i < instruction->access_count; i++)
        if (draft->accesses.data[instruction->first_access + i].operand == operand)
            return true;
    return false;
}

/* Uses that look at an address and keep nothing of it. */
static bool only_looks(const struct draft *draft, const struct ir_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_setp:
    case PTX_OP_set:
    case PTX_OP_isspacep:
        return true;
    case PTX_OP_call:
        return draft->calls.data[instruction->detail].effect == IR_EFFECT_NONE;
    default:
        return false;
    }
}

/* A store into a cell that is followed: the address stays in sight. */
static bool is_followed_store(const struct opener *o, const struct ir_instruction *instruction,
                              uint32_t operand)
{
    const struct draft *draft = o->draft;
    if (instruction->op != PTX_OP_st || instruction->access_count != 1 || operand == 0)
        return false;
    const struct ir_access *access = &draft->accesses.data[instruction->first_access];
    uint32_t object = stack_exact_object(draft, access);
    if (object == IR_NONE || access->size != 8 || operand > access->count)
        return false;
    uint32_t offset = (uint32_t)access->pointer.offset + (operand - 1) * 8;
    const struct stack_object *state = &o->stack->objects[object];
    return state->is_candidate && !state->is_call_result &&
           !stack_is_open(o->stack, object, offset, offset + 8) &&
           id_map_find(&o->stack->dirty, object, offset) == 0;
}

static void find_escapes(struct opener *o)
{
    const struct draft *draft = o->draft;
    const struct pointer_facts *facts = draft->pointers;
    for (uint32_t i = 0; i < draft->instructions.count; i++) {
        const struct ir_instruction *instruction = &draft->instructions.data[i];
        for (uint32_t k = 0; k < instruction->operand_count; k++) {
            uint32_t set = facts->of[draft->operands.data[instruction->first_operand + k]].set;
            if (set == POINTER_SET_EMPTY || set == POINTER_SET_UNKNOWN ||
                is_address_operand(draft, instruction, k))
                continue;
            /* A result whose set overflowed lost what it was made from. */
            bool passes = pointer_passes(instruction, k) &&
                          facts->of[instruction->first_result].set != POINTER_SET_UNKNOWN &&
                          draft->values.data[instruction->first_result].bits >= 32;
            if (!passes && !only_looks(draft, instruction) && !is_followed_store(o, instruction, k))
                escape_set(o, set);
        }
    }
}

/* Pointers in the arguments of calls that stay, and in cells that are also accessed in another
 * way. */
static void escape_cells(struct opener *o)
{
    struct draft *draft = o->draft;
    const struct pointer_facts *facts = draft->pointers;
    uint8_t *goes_away = ARENA_ARRAY(draft->arena, uint8_t, draft->objects.count);
    for (uint32_t c = 0; c < draft->calls.count; c++) {
        const struct ir_call *call = &draft->calls.data[c];
        for (uint32_t a = 0; a < call->argument_count; a++)
            if (call->arguments[a].object != IR_NONE && call->effect != IR_EFFECT_NONE)
                goes_away[call->arguments[a].object] = 1;
    }
    for (uint32_t i = 0; i < facts->cells.count; i++) {
        const struct cell *cell = &facts->cells.data[i];
        if (cell->state.set == POINTER_SET_EMPTY)
            continue;
        bool is_dirty = id_map_find(&o->stack->dirty, cell->object, cell->offset) != 0;
        if (goes_away[cell->object] || is_dirty ||
            stack_is_open(o->stack, cell->object, cell->offset, cell->offset + 8) ||
            !o->stack->objects[cell->object].is_candidate)
            escape_set(o, cell->state.set);
    }
}

/* ---- regions --------------------------------------------------------------------------------- */

static int compare_touches(const void *left, const void *right)
{
    const struct touch *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (int)a->is_indexed - (int)b->is_indexed;
}

static bool holds_pointer(const struct pointer_facts *facts, const struct touch *touch)
{
    uint32_t id = id_map_find(&facts->cell_ids, touch->object, touch->offset);
    return id != 0 && facts->cells.data[id - 1].state.set != POINTER_SET_EMPTY;
}

static bool is_same_place(const struct touch *a, const struct touch *b)
{
    return a->offset == b->offset && a->size == b->size && a->is_indexed == b->is_indexed &&
           a->access_end == b->access_end;
}

/* The end of the region of touches [at, ...), which are of one object: see the head of this file.
 */
static uint32_t region_end(const struct opener *o, uint32_t at, uint32_t end)
{
    const struct touch *start = &o->touches.data[at];
    uint32_t reached = start->offset + start->size;
    for (uint32_t i = at + 1; i < end; i++) {
        const struct touch *next = &o->touches.data[i];
        bool fits = next->size == start->size &&
                    (next->offset - start->offset) % start->size == 0 && next->offset <= reached;
        if (next->offset == start->offset)
            continue;
        if (next->is_indexed ||
            (!fits && (next->is_load || holds_pointer(o->draft->pointers, next))))
            return next->offset;
        if (fits)
            reached = next->offset + next->size;
    }
    return object_size(o->draft, start->object);
}

static void open_region(struct opener *o, uint32_t at, uint32_t end)
{
    const struct touch *touch = &o->touches.data[at];
    uint32_t to = region_end(o, at, end);
    open_bytes(o, touch->object, touch->offset, to > touch->access_end ? to : touch->access_end);
}

/* Touches that lie across the edge of an open range open it further. */
static void close_edges(struct opener *o, uint32_t first, uint32_t end)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = first; i < end; i++) {
            const struct touch *touch = &o->touches.data[i];
            uint32_t from = touch->access_first, to = touch->access_end;
            const struct stack_object *object = &o->stack->objects[touch->object];
            if (stack_is_open(o->stack, touch->object, from, to) && !covers(object, from, to)) {
                open_bytes(o, touch->object, from, to);
                again = true;
            }
        }
    }
}

static void mark_dirty(struct opener *o, const struct touch *touch)
{
    uint32_t *mark = id_map_at(&o->stack->dirty, o->draft->arena, touch->object, touch->offset);
    o->changed |= *mark == 0;
    *mark = 1;
}

/* Cells that are loaded or stored in parts, or together with other bytes, cannot be followed. */
static void find_dirty(struct opener *o, uint32_t first, uint32_t end)
{
    uint32_t reached = 0, widest = first;
    for (uint32_t i = first; i < end; i++) {
        const struct touch *touch = &o->touches.data[i], *before = &o->touches.data[widest];
        bool overlaps = i > first && touch->offset < reached &&
                        (touch->offset != before->offset || touch->size != before->size);
        for (uint32_t k = 0; overlaps && k < 2; k++) {
            const struct touch *one = k == 0 ? touch : before;
            if (one->size == 8 && holds_pointer(o->draft->pointers, one))
                mark_dirty(o, one);
        }
        if (touch->offset + touch->size > reached) {
            reached = touch->offset + touch->size;
            widest = i;
        }
    }
}

static bool has_store(const struct opener *o, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (!o->touches.data[i].is_load)
            return true;
    return false;
}

static void open_regions(struct opener *o)
{
    struct draft *draft = o->draft;
    uint32_t count = o->touches.count;
    if (count != 0)
        qsort(o->touches.data, count, sizeof *o->touches.data, compare_touches);
    for (uint32_t first = 0, end; first < count; first = end) {
        uint32_t object = o->touches.data[first].object;
        for (end = first; end < count && o->touches.data[end].object == object;)
            end++;
        if (!o->stack->objects[object].is_candidate)
            continue;
        find_dirty(o, first, end);
        /* Nobody writes to it: an index only reads what is there anyhow. */
        if (draft->objects.data[object].is_formal && !has_store(o, first, end))
            continue;
        for (uint32_t i = first; i < end; i++)
            if (o->touches.data[i].is_indexed &&
                (i == first || !is_same_place(&o->touches.data[i], &o->touches.data[i - 1])))
                open_region(o, i, end);
        if (o->stack->objects[object].open_count == 0)
            continue;
        close_edges(o, first, end);
        if (covers(&o->stack->objects[object], 0, object_size(draft, object)))
            open_object(o, object);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void stack_start(struct draft *draft)
{
    struct stack *stack = draft->stack = ARENA_NEW(draft->arena, struct stack);
    stack->objects = ARENA_ARRAY(draft->arena, struct stack_object, draft->objects.count);
    for (uint32_t i = 0; i < draft->objects.count; i++) {
        const struct ir_object *object = &draft->objects.data[i];
        const struct ptx_variable *variable = &draft->module->variables.data[object->variable];
        bool is_own = object->space == PTX_SPACE_LOCAL || object->space == PTX_SPACE_PARAM;
        /* What a function built on its own returns stays memory. */
        stack->objects[i].is_candidate = is_own && !object->is_promoted && !variable->is_return &&
                                         variable->size > 0 && variable->size < UINT32_MAX;
        draft->objects.data[i].escapes = false;
    }
    for (uint32_t c = 0; c < draft->calls.count; c++)
        for (uint32_t r = 0; r < draft->calls.data[c].result_count; r++)
            if (draft->calls.data[c].results[r].object != IR_NONE)
                stack->objects[draft->calls.data[c].results[r].object].is_call_result = true;
}

/* The range that an indexed access is taken to stay inside. */
static void set_regions(struct draft *draft)
{
    for (uint32_t i = 0; i < draft->accesses.count; i++) {
        struct ir_access *access = &draft->accesses.data[i];
        uint32_t object = access->pointer.is_indexed ? plain_object(draft, access) : IR_NONE;
        if (object == IR_NONE || !draft->stack->objects[object].is_candidate)
            continue;
        const struct stack_object *state = &draft->stack->objects[object];
        draft->stack->objects[object].is_indexed = true;
        if (state->open_count == 0)
            continue;
        const struct byte_range *range =
            &state->open[find_range(state, (uint32_t)access->pointer.offset)];
        /* An earlier round may have promoted more of the object around it. */
        bool is_first = !access->has_region;
        access->has_region = true;
        if (is_first || range->first > access->region_first)
            access->region_first = range->first;
        if (is_first || range->end < access->region_end)
            access->region_end = range->end;
    }
}

bool stack_regions_hold(const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->accesses.count; i++) {
        const struct ir_access *access = &draft->accesses.data[i];
        if (!access->has_region || access->pointer.base == IR_NONE || access->pointer.is_indexed)
            continue;
        int64_t first = access->pointer.offset, end = first + (int64_t)access->size * access->count;
        if (first < access->region_first || end > access->region_end)
            return false;
    }
    return true;
}

void stack_analyse(struct draft *draft, bool no_regions)
{
    struct opener opener = {.draft = draft, .no_regions = no_regions};
    stack_start(draft);
    opener.stack = draft->stack;
    for (uint32_t attempt = 0;; attempt++) {
        opener.changed = false;
        opener.touches.count = 0;
        pointer_analyse(draft);
        find_escapes(&opener);
        for (uint32_t i = 0; i < draft->accesses.count; i++)
            note_access(&opener, &draft->accesses.data[i]);
        open_regions(&opener);
        escape_cells(&opener);
        if (!opener.changed)
            break;
        /* A chain of variables that open one another: what is still in doubt opens at once. */
        for (uint32_t i = 0; attempt >= MAX_TRIES && i < draft->objects.count; i++)
            open_object(&opener, i);
    }
    set_regions(draft);
}
