/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers: for each value the set of bases that it may have been formed from, and whether it is exactly one base plus a constant.
 *
 * A work list over the uses runs to the fixed point.  Sets only grow and hold at most MAX_MEMBERS bases before they become {unknown};
 * an exact address that meets another one becomes inexact for good.  So every value changes a bounded number of times.
 *
 * Sound for: may-information, as long as no pointer is made by multiplying, shifting or dividing, or by joining halves that
 * were loaded apart.
 */
#include "ir/build.h"

enum { MAX_MEMBERS = 16 };
#define NOT_SEEN (IR_NONE - 1) /* base of a value that the analysis has not reached */

/* ---- sets ------------------------------------------------------------------------------------ */

static uint32_t base_id(struct draft *draft, enum ir_base_kind kind, uint32_t index, int64_t number)
{
    struct pointer_facts *facts = draft->pointers;
    uint32_t *id = id_map_at(&facts->base_ids, draft->arena, (uint64_t)index << 8 | (uint64_t)kind,
                             (uint64_t)number);
    if (*id == 0) {
        *vec_push(draft->arena, &facts->bases) = (struct ir_base){(uint8_t)kind, index, number};
        *id = facts->bases.count;
    }
    return *id - 1;
}

/* The set with these members, which ascend. */
static uint32_t set_id(struct draft *draft, const uint32_t *members, uint32_t count)
{
    struct pointer_facts *facts = draft->pointers;
    uint64_t hash = count, second = 14695981039346656037u;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash + members[i] + 1) * 0x9e3779b97f4a7c15u;
        second = (second ^ members[i]) * 1099511628211u;
    }
    uint32_t *id = id_map_at(&facts->set_ids, draft->arena, hash, second);
    if (*id == 0) {
        *vec_push(draft->arena, &facts->sets) = (struct ir_base_set){facts->members.count, count};
        for (uint32_t i = 0; i < count; i++)
            *vec_push(draft->arena, &facts->members) = members[i];
        *id = facts->sets.count;
    }
    return *id - 1;
}

static uint32_t set_union(struct draft *draft, uint32_t a, uint32_t b)
{
    struct pointer_facts *facts = draft->pointers;
    if (a == b || b == POINTER_SET_EMPTY)
        return a;
    if (a == POINTER_SET_EMPTY)
        return b;
    if (a == POINTER_SET_UNKNOWN || b == POINTER_SET_UNKNOWN)
        return POINTER_SET_UNKNOWN;
    uint32_t *known = id_map_at(&facts->unions, draft->arena, a < b ? a : b, a < b ? b : a);
    if (*known != 0)
        return *known - 1;
    uint32_t merged[2 * MAX_MEMBERS], count = 0;
    const uint32_t *x = facts->members.data + facts->sets.data[a].first,
                   *x_end = x + facts->sets.data[a].count;
    const uint32_t *y = facts->members.data + facts->sets.data[b].first,
                   *y_end = y + facts->sets.data[b].count;
    while (x < x_end || y < y_end) {
        uint32_t next = y == y_end || (x < x_end && *x <= *y) ? *x : *y;
        x += x < x_end && *x == next;
        y += y < y_end && *y == next;
        merged[count++] = next;
    }
    uint32_t result = count > MAX_MEMBERS ? POINTER_SET_UNKNOWN : set_id(draft, merged, count);
    *known = result + 1;
    return result;
}

static void facts_init(struct draft *draft)
{
    struct pointer_facts *facts = ARENA_NEW(draft->arena, struct pointer_facts);
    draft->pointers = facts;
    facts->of = ARENA_ARRAY(draft->arena, struct ir_pointer, draft->values.count);
    uint32_t unknown = base_id(draft, IR_BASE_UNKNOWN, 0, 0);
    set_id(draft, NULL, 0);
    set_id(draft, &unknown, 1);
    uses_build(draft->arena, draft->instructions.data, draft->instructions.count,
               draft->operands.data, draft->values.count, &facts->use_start, &facts->uses);
}

/* ---- operations ------------------------------------------------------------------------------ */

enum pass { PASS_NONE, PASS_ALL, PASS_FIRST, PASS_LAST, PASS_CHOICES };

/* Which operands a result's base set comes from.  Products, shifts and quotients are offsets; what is not listed makes no
 * pointer of its operands. */
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

static const struct ir_pointer no_pointer = {POINTER_SET_EMPTY, IR_NONE, 0};

static uint64_t object_align(const struct draft *draft, const struct ir_base *base)
{
    if (base->kind != IR_BASE_OBJECT)
        return 1;
    uint32_t align = draft->module->variables.data[draft->objects.data[base->index].variable].align;
    return align != 0 && (align & (align - 1)) == 0 ? align : 1;
}

/* Exact address of `op` applied to an exact one and a constant; false: inexact. */
static bool step_exact(const struct draft *draft, const struct ir_instruction *instruction,
                       struct ir_pointer *pointer, int64_t constant)
{
    uint64_t align, low;
    switch (instruction->op) {
    case PTX_OP_add:
        pointer->offset = (int64_t)((uint64_t)pointer->offset + (uint64_t)constant);
        return true;
    case PTX_OP_sub:
        pointer->offset = (int64_t)((uint64_t)pointer->offset - (uint64_t)constant);
        return true;
    case PTX_OP_or: /* an addition of disjoint bits, where the alignment tells which bits are zero */
        align = object_align(draft, &draft->pointers->bases.data[pointer->base]);
        if (constant < 0 || (uint64_t)constant >= align)
            return false;
        pointer->offset |= constant;
        return true;
    case PTX_OP_and:
        align = object_align(draft, &draft->pointers->bases.data[pointer->base]);
        low = ~(uint64_t)constant;
        if ((low & (low + 1)) != 0 || low >= align)
            return false;
        pointer->offset &= constant;
        return true;
    default:
        return false;
    }
}

static int64_t signed_constant(const struct ir_value *value)
{
    if (value->bits >= 64)
        return value->number;
    uint64_t sign = (uint64_t)1 << (value->bits - 1);
    return (int64_t)(((uint64_t)value->number ^ sign) - sign);
}

/* The exact address a result has, if its operands say so; set is not touched. */
static void exact_result(const struct draft *draft, const struct ir_instruction *instruction,
                         struct ir_pointer *out)
{
    const uint32_t *operands = draft->operands.data + instruction->first_operand;
    const struct ir_pointer *of = draft->pointers->of;
    bool is_join = instruction->op == IR_OP_PHI || instruction->op == IR_OP_SELECT ||
                   instruction->op == PTX_OP_selp;
    out->base = NOT_SEEN;
    if (is_join) {
        for (uint32_t i = 0; i < instruction->operand_count; i++) {
            if (!pointer_passes(instruction, i))
                continue;
            const struct ir_pointer *in = &of[operands[i]];
            if (in->base == NOT_SEEN)
                continue;
            if (out->base == NOT_SEEN) {
                out->base = in->base;
                out->offset = in->offset;
            } else if (out->base != in->base || out->offset != in->offset) {
                out->base = IR_NONE;
            }
        }
        return;
    }
    bool is_copy =
        instruction->op == PTX_OP_mov || instruction->op == PTX_OP_cvta ||
        instruction->op == IR_OP_EXTEND ||
        (instruction->op == PTX_OP_cvt && !ptx_type_is_float(instruction->source->type) &&
         ptx_type_size(instruction->source->type) >= 4 &&
         ptx_type_size(instruction->source->type2) >= 4);
    if (is_copy && instruction->operand_count == 1) {
        out->base = of[operands[0]].base;
        out->offset = of[operands[0]].offset;
        return;
    }
    out->base = IR_NONE;
    if (instruction->operand_count != 2 || instruction->op > PTX_OP_COUNT)
        return;
    for (uint32_t i = 0; i < 2; i++) {
        const struct ir_value *other = &draft->values.data[operands[1 - i]];
        const struct ir_pointer *in = &of[operands[i]];
        if (in->base == NOT_SEEN && other->kind == IR_VALUE_CONSTANT) {
            out->base = NOT_SEEN;
            return;
        }
        if (in->base == IR_NONE || in->base == NOT_SEEN || other->kind != IR_VALUE_CONSTANT ||
            (i == 1 && instruction->op == PTX_OP_sub))
            continue;
        struct ir_pointer stepped = *in;
        if (step_exact(draft, instruction, &stepped, signed_constant(other))) {
            out->base = stepped.base;
            out->offset = stepped.offset;
        }
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

/* Transfer function; true if a result changed. */
static bool transfer(struct draft *draft, const struct ir_instruction *instruction)
{
    struct pointer_facts *facts = draft->pointers;
    struct ir_pointer out = no_pointer;
    bool changed = false;
    if (instruction->result_count == 0)
        return false;
    if (pass_of(instruction) != PASS_NONE) {
        for (uint32_t i = 0; i < instruction->operand_count; i++)
            if (pointer_passes(instruction, i))
                out.set =
                    set_union(draft, out.set,
                              facts->of[draft->operands.data[instruction->first_operand + i]].set);
        exact_result(draft, instruction, &out);
    }
    for (uint32_t i = 0; i < instruction->result_count; i++) {
        uint32_t value = instruction->first_result + i;
        struct ir_pointer *now = &facts->of[value], next = i == 0 ? out : no_pointer;
        if (makes_pointer(draft, instruction, value)) {
            uint32_t base = base_id(draft, IR_BASE_VALUE, value, 0);
            next = (struct ir_pointer){set_id(draft, &base, 1), base, 0};
        } else if (draft->values.data[value].bits < 32) {
            next = no_pointer;
        }
        /* Sets keep what they had: an operand's exact address may get lost, its bases not. */
        next.set = set_union(draft, now->set, next.set);
        if (now->base == IR_NONE ||
            (now->base != NOT_SEEN && (next.base != now->base || next.offset != now->offset)))
            next.base = IR_NONE;
        if (next.base == IR_NONE || next.base == NOT_SEEN)
            next.offset = 0;
        changed |= next.set != now->set || next.base != now->base || next.offset != now->offset;
        *now = next;
    }
    return changed;
}

static void set_starts(struct draft *draft)
{
    struct pointer_facts *facts = draft->pointers;
    for (uint32_t v = 0; v < draft->values.count; v++) {
        const struct ir_value *value = &draft->values.data[v];
        facts->of[v] = no_pointer;
        if (value->kind == IR_VALUE_RESULT) {
            facts->of[v].base = NOT_SEEN;
            continue;
        }
        uint32_t base;
        if (value->kind == IR_VALUE_ADDRESS)
            base = base_id(draft, IR_BASE_OBJECT, value->index, 0);
        else if (value->kind == IR_VALUE_PARAMETER && value->bits == 64)
            base = base_id(draft, IR_BASE_PARAMETER, value->index, value->number);
        else
            continue;
        int64_t offset = value->kind == IR_VALUE_ADDRESS ? value->number : 0;
        facts->of[v] = (struct ir_pointer){set_id(draft, &base, 1), base, offset};
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

static enum ptx_space base_space(const struct draft *draft, const struct ir_base *base)
{
    switch (base->kind) {
    case IR_BASE_PARAMETER: /* pointer parameters of a kernel point to global memory; those of a function anywhere */
        return draft->code.frames.data[0].source->is_entry ? PTX_SPACE_GLOBAL : PTX_SPACE_NONE;
    case IR_BASE_OBJECT:
        return draft->objects.data[base->index].space;
    default:
        return PTX_SPACE_NONE;
    }
}

static void resolve_access(struct draft *draft, struct ir_access *access)
{
    struct pointer_facts *facts = draft->pointers;
    access->pointer = facts->of[access->address];
    if (access->pointer.base == NOT_SEEN)
        access->pointer.base = IR_NONE;
    if (access->pointer.base != IR_NONE)
        access->pointer.offset =
            (int64_t)((uint64_t)access->pointer.offset + (uint64_t)access->offset);
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

struct work_list {
    uint32_t *items, count;
    uint8_t *waiting;
};

/* Queues the users of an instruction's results; `limit`: only those up to this instruction. */
static void queue_users(const struct draft *draft, struct work_list *work, uint32_t changed,
                        uint32_t limit)
{
    const struct pointer_facts *facts = draft->pointers;
    const struct ir_instruction *made = &draft->instructions.data[changed];
    uint32_t end = facts->use_start[made->first_result + made->result_count];
    for (uint32_t u = facts->use_start[made->first_result]; u < end; u++) {
        uint32_t user = facts->uses[u];
        if (user <= limit && !work->waiting[user]) {
            work->waiting[user] = 1;
            work->items[work->count++] = user;
        }
    }
}

void pointer_analyse(struct draft *draft)
{
    facts_init(draft);
    set_starts(draft);
    uint32_t count = draft->instructions.count;
    struct work_list work = {ARENA_ARRAY(draft->arena, uint32_t, count), 0,
                             ARENA_ARRAY(draft->arena, uint8_t, count)};
    /* One pass in order settles everything but what runs around loops. */
    for (uint32_t i = 0; i < count; i++)
        if (transfer(draft, &draft->instructions.data[i]))
            queue_users(draft, &work, i, i);
    while (work.count > 0) {
        uint32_t i = work.items[--work.count];
        work.waiting[i] = 0;
        if (transfer(draft, &draft->instructions.data[i]))
            queue_users(draft, &work, i, IR_NONE);
    }
    for (uint32_t v = 0; v < draft->values.count; v++)
        if (draft->pointers->of[v].base == NOT_SEEN)
            draft->pointers->of[v].base = IR_NONE;
    for (uint32_t i = 0; i < draft->accesses.count; i++)
        resolve_access(draft, &draft->accesses.data[i]);
}
