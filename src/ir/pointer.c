/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers: for each value the bases that it may have been formed from, and whether it is one base
 * plus a constant, or plus a constant and an index.
 *
 * A work list over the uses runs to the fixed point.  Sets only grow (base_sets.c bounds them); an
 * address goes from a constant offset to an indexed one to none, and the constant parts of an
 * indexed one fall and grow a few times at most.  After MAX_STEPS visits an instruction on
 * average, what still changes is given up, so that the end is certain.
 *
 * Pointers that are stored in stack variables are followed there (struct cell), as far as stack.c
 * allows.
 *
 * Sound for: may-information, as long as no pointer is made by multiplying, shifting or dividing,
 * or by joining halves that were loaded apart.
 */
#include "ir/build.h"

enum { MAX_STEPS = 40, MAX_WALK = 4 };

/* ---- operations ------------------------------------------------------------------------------ */

enum pass { PASS_NONE, PASS_ALL, PASS_FIRST, PASS_LAST, PASS_CHOICES };

/* Which operands a result's base set comes from.  Products, shifts and quotients are offsets; what
 * is not listed makes no pointer of its operands. */
static enum pass pass_of(const struct ir_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_addc:
    case PTX_OP_subc:
    case PTX_OP_and:
    case PTX_OP_or:
    case PTX_OP_xor:
    case PTX_OP_not:
    case PTX_OP_min:
    case PTX_OP_max:
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case PTX_OP_cvt:
    case PTX_OP_prmt:
    case PTX_OP_bfi:
    case PTX_OP_lop3:
    case PTX_OP_neg:
    case PTX_OP_shf:
    case PTX_OP_mapa:
    case IR_OP_PHI:
    case IR_OP_EXTEND:
    case IR_OP_EXTRACT:
    case IR_OP_CONCAT:
        return PASS_ALL;
    case PTX_OP_shfl:
        return PASS_FIRST;
    case PTX_OP_mad:
    case PTX_OP_madc:
    case PTX_OP_sad:
    case PTX_OP_mad24:
        return PASS_LAST;
    case PTX_OP_selp:
    case PTX_OP_slct:
    case IR_OP_SELECT:
        return PASS_CHOICES;
    default:
        return PASS_NONE;
    }
}

bool pointer_passes(const struct ir_instruction *instruction, uint32_t index)
{
    switch (pass_of(instruction)) {
    case PASS_ALL:
        return true;
    case PASS_FIRST:
        return index == 0;
    case PASS_LAST:
        return index == 2;
    case PASS_CHOICES:
        return instruction->op == IR_OP_SELECT ? index != 0 : index < 2;
    default:
        return false;
    }
}

static const struct ir_pointer no_pointer = {.base = IR_NONE};
static const struct ir_pointer not_seen = {.base = POINTER_NOT_SEEN};

static void forget_base(struct ir_pointer *pointer)
{
    *pointer = (struct ir_pointer){.set = pointer->set, .base = IR_NONE};
}

/* into = what holds for both. */
static void pointer_join(struct draft *draft, struct ir_pointer *into,
                         const struct ir_pointer *from)
{
    uint32_t set = base_set_union(draft, into->set, from->set);
    if (into->base == POINTER_NOT_SEEN && from->base != POINTER_NOT_SEEN) {
        *into = *from;
    } else if (from->base != POINTER_NOT_SEEN && into->base != IR_NONE) {
        bool differs = into->offset != from->offset || into->last != from->last ||
                       into->is_indexed != from->is_indexed;
        if (into->base != from->base || (differs && draft->pointers->is_hurried))
            forget_base(into);
        else if (differs) {
            into->offset = into->offset < from->offset ? into->offset : from->offset;
            into->last = into->last > from->last ? into->last : from->last;
            into->is_indexed = true;
        }
    }
    into->set = set;
}

/* The same for what is joined again and again.  A constant part that goes on falling or growing is
 * a pointer that walks: after MAX_WALK steps (counted in *steps) it is given up, or not followed
 * up any further. */
static void pointer_widen(struct draft *draft, struct ir_pointer *into,
                          const struct ir_pointer *from, uint8_t *steps)
{
    struct ir_pointer next = *from;
    if (into->base < POINTER_NOT_SEEN && into->is_indexed && from->base == into->base &&
        (from->offset < into->offset || from->last > into->last) && ++*steps > MAX_WALK) {
        *steps = MAX_WALK;
        if (from->offset < into->offset)
            next.base = IR_NONE;
        next.last = into->last;
    }
    pointer_join(draft, into, &next);
}

static bool is_same(const struct ir_pointer *a, const struct ir_pointer *b)
{
    return a->set == b->set && a->base == b->base && a->offset == b->offset && a->last == b->last &&
           a->is_indexed == b->is_indexed;
}

static uint64_t object_align(const struct draft *draft, const struct ir_base *base)
{
    if (base->kind != IR_BASE_OBJECT)
        return 1;
    uint32_t align = draft->module->variables.data[draft->objects.data[base->index].variable].align;
    return align != 0 && (align & (align - 1)) == 0 ? align : 1;
}

static int64_t signed_constant(const struct ir_value *value)
{
    if (value->bits >= 64)
        return value->number;
    uint64_t sign = (uint64_t)1 << (value->bits - 1);
    return (int64_t)(((uint64_t)value->number ^ sign) - sign);
}

static void move_pointer(struct ir_pointer *pointer, uint64_t bytes)
{
    pointer->offset = (int64_t)((uint64_t)pointer->offset + bytes);
    pointer->last = (int64_t)((uint64_t)pointer->last + bytes);
}

/* `pointer` after an operation with a constant. */
static void step_constant(const struct draft *draft, const struct ir_instruction *instruction,
                          struct ir_pointer *pointer, int64_t constant)
{
    uint64_t align, low;
    bool is_known = false;
    switch (instruction->op) {
    case PTX_OP_add:
        move_pointer(pointer, (uint64_t)constant);
        return;
    case PTX_OP_sub:
        move_pointer(pointer, 0 - (uint64_t)constant);
        return;
    case PTX_OP_or: /* an addition where the alignment tells that the bits are zero */
        align = object_align(draft, &draft->pointers->bases.data[pointer->base]);
        is_known = !pointer->is_indexed && constant >= 0 && (uint64_t)constant < align;
        pointer->offset |= is_known ? constant : 0;
        break;
    case PTX_OP_and:
        align = object_align(draft, &draft->pointers->bases.data[pointer->base]);
        low = ~(uint64_t)constant;
        is_known = !pointer->is_indexed && (low & (low + 1)) == 0 && low < align;
        pointer->offset &= is_known ? constant : -1;
        break;
    default:
        break;
    }
    pointer->last = pointer->offset;
    if (!is_known)
        forget_base(pointer);
}

static bool is_object(const struct draft *draft, const struct ir_pointer *pointer)
{
    return pointer->base < POINTER_NOT_SEEN &&
           draft->pointers->bases.data[pointer->base].kind == IR_BASE_OBJECT;
}

/* a op b with two operands; sets apart. */
static struct ir_pointer step_two(const struct draft *draft,
                                  const struct ir_instruction *instruction, uint32_t a, uint32_t b)
{
    const struct ir_pointer *of = draft->pointers->of;
    const struct ir_value *values = draft->values.data;
    bool is_sum = instruction->op == PTX_OP_add, is_difference = instruction->op == PTX_OP_sub;
    if (values[b].kind == IR_VALUE_CONSTANT ||
        (values[a].kind == IR_VALUE_CONSTANT && !is_difference)) {
        uint32_t other = values[b].kind == IR_VALUE_CONSTANT ? a : b;
        struct ir_pointer stepped = of[other];
        if (stepped.base < POINTER_NOT_SEEN)
            step_constant(draft, instruction, &stepped,
                          signed_constant(&values[other == a ? b : a]));
        return stepped;
    }
    if (of[a].base == POINTER_NOT_SEEN || of[b].base == POINTER_NOT_SEEN)
        return not_seen;
    /* An index comes in.  A variable wins over what only might be a pointer. */
    bool use_a = is_object(draft, &of[a]) || (of[a].base != IR_NONE && of[b].base == IR_NONE);
    bool use_b = is_object(draft, &of[b]) || (of[b].base != IR_NONE && of[a].base == IR_NONE);
    if ((!is_sum && !is_difference) || use_a == use_b || (is_difference && !use_a))
        return no_pointer;
    struct ir_pointer indexed = of[use_a ? a : b];
    indexed.is_indexed = true;
    return indexed;
}

/* Where the result points, its set apart. */
static struct ir_pointer step(struct draft *draft, const struct ir_instruction *instruction)
{
    const uint32_t *operands = draft->operands.data + instruction->first_operand;
    const struct ir_pointer *of = draft->pointers->of;
    struct ir_pointer out = not_seen;
    const struct ptx_instruction *source = instruction->source;
    switch (instruction->op) {
    case IR_OP_PHI:
    case IR_OP_SELECT:
    case PTX_OP_selp:
        for (uint32_t i = 0; i < instruction->operand_count; i++)
            if (pointer_passes(instruction, i))
                pointer_join(draft, &out, &of[operands[i]]);
        return out;
    case PTX_OP_cvt:
        if (ptx_type_is_float(source->type) || ptx_type_size(source->type) < 4 ||
            ptx_type_size(source->type2) < 4)
            return no_pointer;
        return of[operands[0]];
    case PTX_OP_mov:
    case PTX_OP_cvta:
    case IR_OP_EXTEND:
        return instruction->operand_count == 1 ? of[operands[0]] : no_pointer;
    case PTX_OP_mad:
        out = of[operands[2]];
        out.is_indexed = out.base < POINTER_NOT_SEEN;
        return out;
    case PTX_OP_add:
    case PTX_OP_sub:
    case PTX_OP_or:
    case PTX_OP_and:
        return step_two(draft, instruction, operands[0], operands[1]);
    default:
        return no_pointer;
    }
}

/* A 64-bit result of an instruction that takes no pointer apart is a pointer of its own. */
static bool makes_pointer(const struct draft *draft, const struct ir_instruction *instruction,
                          uint32_t value)
{
    if (draft->values.data[value].bits != 64 || draft->values.data[value].type == PTX_F64)
        return false;
    if (instruction->op == PTX_OP_call || instruction->op == PTX_OP_OPAQUE ||
        instruction->op == IR_OP_HAVOC)
        return true;
    if (instruction->op >= PTX_OP_COUNT)
        return false;
    uint32_t flags = ptx_op_info(instruction->op)->flags;
    return (flags & (PTX_FLAG_LOAD | PTX_FLAG_ATOMIC | PTX_FLAG_TEXTURE)) != 0 ||
           instruction->op == PTX_OP_alloca || instruction->op == PTX_OP_stacksave;
}

/* ---- memory ---------------------------------------------------------------------------------- */

struct work_list {
    uint32_t *items, count;
    uint8_t *waiting;
};

static void work_add(struct work_list *work, uint32_t instruction)
{
    if (!work->waiting[instruction]) {
        work->waiting[instruction] = 1;
        work->items[work->count++] = instruction;
    }
}

/* The cell of element `element` of an access, or NULL if it is not followed. */
static struct cell *find_cell(struct draft *draft, const struct ir_access *access, uint32_t element)
{
    struct pointer_facts *facts = draft->pointers;
    const struct ir_pointer *address = &facts->of[access->address];
    if (draft->stack == NULL || access->size != 8 || !is_object(draft, address) ||
        address->is_indexed)
        return NULL;
    uint32_t object = facts->bases.data[address->base].index;
    uint64_t offset = (uint64_t)address->offset + (uint64_t)access->offset + element * 8u;
    const struct stack_object *state = &draft->stack->objects[object];
    if (!state->is_candidate || state->is_call_result || offset > UINT32_MAX - 8 ||
        stack_is_open(draft->stack, object, (uint32_t)offset, (uint32_t)offset + 8) ||
        id_map_find(&draft->stack->dirty, object, offset) != 0)
        return NULL;
    uint32_t *id = id_map_at(&facts->cell_ids, draft->arena, object, offset);
    if (*id == 0) {
        struct cell *cell = vec_push(draft->arena, &facts->cells);
        *cell = (struct cell){.object = object, .offset = (uint32_t)offset, .state = not_seen};
        *id = facts->cells.count;
        if (draft->objects.data[object].is_formal) {
            uint32_t base = base_find(draft, IR_BASE_PARAMETER,
                                      draft->objects.data[object].variable, (int64_t)offset);
            cell->state = (struct ir_pointer){.set = base_set_of(draft, base), .base = base};
        }
    }
    return &facts->cells.data[*id - 1];
}

static bool is_plain(const struct ir_instruction *instruction)
{
    return (instruction->op == PTX_OP_ld || instruction->op == PTX_OP_st) &&
           instruction->access_count == 1;
}

/* A store into cells; loads from them are looked at again. */
static void step_store(struct draft *draft, const struct ir_instruction *store,
                       struct work_list *work)
{
    const struct ir_access *access = &draft->accesses.data[store->first_access];
    for (uint32_t e = 0; e < access->count && e + 1 < store->operand_count; e++) {
        struct cell *cell = find_cell(draft, access, e);
        if (cell == NULL)
            continue;
        struct ir_pointer next = cell->state;
        pointer_widen(draft, &next,
                      &draft->pointers->of[draft->operands.data[store->first_operand + 1 + e]],
                      &cell->walked);
        if (is_same(&next, &cell->state))
            continue;
        cell->state = next;
        for (uint32_t r = 0; r < cell->readers.count; r++)
            work_add(work, cell->readers.data[r]);
    }
}

/* What a load brings, if it comes from a cell. */
static bool step_load(struct draft *draft, uint32_t index, uint32_t result, struct ir_pointer *out)
{
    const struct ir_instruction *load = &draft->instructions.data[index];
    if (!is_plain(load))
        return false;
    struct cell *cell = find_cell(draft, &draft->accesses.data[load->first_access], result);
    if (cell == NULL)
        return false;
    if (cell->readers.count == 0 || cell->readers.data[cell->readers.count - 1] != index)
        *vec_push(draft->arena, &cell->readers) = index;
    *out = cell->state;
    return true;
}

/* ---- the fixed point ------------------------------------------------------------------------- */

/* Transfer function; true if a result changed. */
static bool transfer(struct draft *draft, uint32_t index, struct work_list *work)
{
    const struct ir_instruction *instruction = &draft->instructions.data[index];
    struct pointer_facts *facts = draft->pointers;
    struct ir_pointer out = no_pointer;
    bool changed = false;
    if (instruction->op == PTX_OP_st && is_plain(instruction))
        step_store(draft, instruction, work);
    if (instruction->result_count == 0)
        return false;
    if (pass_of(instruction) != PASS_NONE) {
        out = step(draft, instruction);
        for (uint32_t i = 0; i < instruction->operand_count; i++)
            if (pointer_passes(instruction, i))
                out.set = base_set_union(
                    draft, out.set,
                    facts->of[draft->operands.data[instruction->first_operand + i]].set);
    }
    for (uint32_t i = 0; i < instruction->result_count; i++) {
        uint32_t value = instruction->first_result + i;
        struct ir_pointer next = i == 0 ? out : no_pointer, before = facts->of[value];
        if (step_load(draft, index, i, &next)) {
            /* as the cell says */
        } else if (makes_pointer(draft, instruction, value)) {
            uint32_t base = base_find(draft, IR_BASE_VALUE, value, 0);
            next = (struct ir_pointer){.set = base_set_of(draft, base), .base = base};
        } else if (draft->values.data[value].bits < 32) {
            next = no_pointer;
        }
        pointer_widen(draft, &facts->of[value], &next, &facts->walked[value]);
        changed |= !is_same(&before, &facts->of[value]);
    }
    return changed;
}

static void set_starts(struct draft *draft)
{
    struct pointer_facts *facts = draft->pointers;
    for (uint32_t v = 0; v < draft->values.count; v++) {
        const struct ir_value *value = &draft->values.data[v];
        facts->of[v] = value->kind == IR_VALUE_RESULT ? not_seen : no_pointer;
        uint32_t base;
        if (value->kind == IR_VALUE_ADDRESS)
            base = base_find(draft, IR_BASE_OBJECT, value->index, 0);
        else if (value->kind == IR_VALUE_PARAMETER && value->bits == 64)
            base = base_find(draft, IR_BASE_PARAMETER, value->index, value->number);
        else
            continue;
        int64_t offset = value->kind == IR_VALUE_ADDRESS ? value->number : 0;
        facts->of[v] = (struct ir_pointer){
            .set = base_set_of(draft, base), .base = base, .offset = offset, .last = offset};
    }
}

/* Queues the users of an instruction's results; `limit`: only those up to this instruction. */
static void queue_users(const struct draft *draft, struct work_list *work, uint32_t changed,
                        uint32_t limit)
{
    const struct pointer_facts *facts = draft->pointers;
    const struct ir_instruction *made = &draft->instructions.data[changed];
    uint32_t end = facts->use_start[made->first_result + made->result_count];
    for (uint32_t u = facts->use_start[made->first_result]; u < end; u++)
        if (facts->uses[u] <= limit)
            work_add(work, facts->uses[u]);
}

static void solve(struct draft *draft)
{
    uint32_t count = draft->instructions.count;
    uint64_t steps = 0;
    struct work_list work = {ARENA_ARRAY(draft->arena, uint32_t, count), 0,
                             ARENA_ARRAY(draft->arena, uint8_t, count)};
    /* One pass in order settles everything but what runs around loops and through memory. */
    for (uint32_t i = 0; i < count; i++)
        if (transfer(draft, i, &work))
            queue_users(draft, &work, i, i);
    while (work.count > 0) {
        uint32_t i = work.items[--work.count];
        work.waiting[i] = 0;
        draft->pointers->is_hurried = ++steps > (uint64_t)count * MAX_STEPS;
        if (transfer(draft, i, &work))
            queue_users(draft, &work, i, IR_NONE);
    }
    for (uint32_t v = 0; v < draft->values.count; v++)
        if (draft->pointers->of[v].base == POINTER_NOT_SEEN)
            draft->pointers->of[v].base = IR_NONE;
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* A value loaded from the parameters of frame 0. */
static bool is_formal_load(const struct draft *draft, uint32_t value)
{
    const struct ir_instruction *load = &draft->instructions.data[draft->values.data[value].index];
    if (!is_plain(load) || load->op != PTX_OP_ld)
        return false;
    const struct ir_pointer *address =
        &draft->pointers->of[draft->accesses.data[load->first_access].address];
    return is_object(draft, address) &&
           draft->objects.data[draft->pointers->bases.data[address->base].index].is_formal;
}

/* Pointers that a kernel is given, as parameters or inside them, point to global memory; those of a
 * function anywhere. */
static enum ptx_space base_space(const struct draft *draft, const struct ir_base *base)
{
    enum ptx_space given =
        draft->code.frames.data[0].source->is_entry ? PTX_SPACE_GLOBAL : PTX_SPACE_NONE;
    if (base->kind == IR_BASE_PARAMETER)
        return given;
    if (base->kind == IR_BASE_OBJECT)
        return draft->objects.data[base->index].space;
    if (base->kind == IR_BASE_VALUE && is_formal_load(draft, base->index))
        return given;
    return PTX_SPACE_NONE;
}

static void resolve_access(struct draft *draft, struct ir_access *access)
{
    struct pointer_facts *facts = draft->pointers;
    access->pointer = facts->of[access->address];
    if (access->pointer.base != IR_NONE)
        move_pointer(&access->pointer, (uint64_t)access->offset);
    if (access->pointer.set == POINTER_SET_EMPTY)
        access->pointer.set = POINTER_SET_UNKNOWN;
    access->space = access->written_space;
    if (access->space != PTX_SPACE_NONE)
        return;
    const struct ir_base_set *set = &facts->sets.data[access->pointer.set];
    for (uint32_t i = 0; i < set->count; i++) {
        enum ptx_space space =
            base_space(draft, &facts->bases.data[facts->members.data[set->first + i]]);
        access->space = i == 0 || space == access->space ? space : PTX_SPACE_NONE;
        if (access->space == PTX_SPACE_NONE)
            break;
    }
}

void pointer_analyse(struct draft *draft)
{
    struct pointer_facts *facts = ARENA_NEW(draft->arena, struct pointer_facts);
    draft->pointers = facts;
    facts->of = ARENA_ARRAY(draft->arena, struct ir_pointer, draft->values.count);
    facts->walked = ARENA_ARRAY(draft->arena, uint8_t, draft->values.count);
    base_sets_init(draft);
    uses_build(draft->arena, draft->instructions.data, draft->instructions.count,
               draft->operands.data, draft->values.count, &facts->use_start, &facts->uses);
    set_starts(draft);
    solve(draft);
    for (uint32_t i = 0; i < draft->accesses.count; i++)
        resolve_access(draft, &draft->accesses.data[i]);
}
