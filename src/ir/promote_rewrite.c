/* SPDX-License-Identifier: Apache-2.0
 *
 * Promotion, second half: the code without the accesses of promoted variables.  The walk is that
 * of the renaming of registers, over the elements of the variables.
 */
#include "ir/promote.h"

/* ---- rewriting ------------------------------------------------------------------------------- */

static uint32_t map_value(const struct promoter *p, uint32_t value)
{
    return value < p->old_value_count && p->replace[value] != IR_NONE ? p->replace[value] : value;
}

static uint32_t read_element(struct promoter *p, uint32_t element)
{
    uint32_t value = p->renamer.current[element];
    if (value != IR_NONE)
        return value;
    struct draft *draft = p->draft;
    const struct part *part = &p->elements.data[element];
    const struct ir_object *object = &draft->objects.data[part->object];
    enum ptx_type type = ir_bits_type(part->size * 8);
    if (!object->is_formal)
        return emit_undefined(draft, part->size * 8);
    const struct ptx_variable *variable = &draft->module->variables.data[object->variable];
    if (!variable->is_array && part->size == variable->size)
        type = variable->type;
    return emit_value(draft, IR_VALUE_PARAMETER, type, object->variable, part->offset);
}

static void write_element(struct promoter *p, uint32_t element, uint32_t value,
                          const struct ir_instruction *origin, uint32_t guard)
{
    if (guard != IR_NONE)
        value = emit_select(p->draft, origin, guard, origin->guard_negated, value,
                            read_element(p, element));
    renamer_set(&p->renamer, element, value, p->live->index_of[element] != IR_NONE);
}

/* Each result of the load becomes its elements, put together and extended. */
static void replace_load(struct promoter *p, const struct ir_instruction *load,
                         const struct ir_access *access, uint32_t object)
{
    struct draft *draft = p->draft;
    bool is_signed = ptx_type_is_signed(access->type);
    uint32_t last = p->objects[object].first + p->objects[object].count;
    for (uint32_t r = 0; r < load->result_count; r++) {
        uint32_t from = (uint32_t)access->pointer.offset + r * access->size,
                 to = from + access->size;
        p->scratch.count = 0;
        for (uint32_t e = promote_element_at(p, object, from);
             e < last && p->elements.data[e].offset < to; e++) {
            uint32_t part = read_element(p, e);
            *vec_push(draft->arena, &p->scratch) = part;
        }
        unsigned bits = draft->values.data[load->first_result + r].bits;
        enum ptx_type type = bits == access->size * 8
                                 ? draft->values.data[load->first_result + r].type
                                 : ir_bits_type(access->size * 8);
        uint32_t whole = emit_concat(draft, load, p->scratch.data, p->scratch.count, type);
        p->replace[load->first_result + r] = bits < access->size * 8
                                                 ? emit_extract(draft, load, whole, 0, bits)
                                                 : emit_extend(draft, load, whole, bits, is_signed);
    }
}

static void replace_store(struct promoter *p, const struct ir_instruction *store,
                          const struct ir_access *access, uint32_t object, uint32_t guard)
{
    struct draft *draft = p->draft;
    uint32_t last = p->objects[object].first + p->objects[object].count;
    for (uint32_t v = 0; v < access->count; v++) {
        /* The address is the first operand. */
        uint32_t value = map_value(p, p->scratch.data[1 + v]);
        uint32_t from = (uint32_t)access->pointer.offset + v * access->size,
                 to = from + access->size;
        for (uint32_t e = promote_element_at(p, object, from);
             e < last && p->elements.data[e].offset < to; e++) {
            const struct part *part = &p->elements.data[e];
            bool has_bits =
                (part->offset - from + part->size) * 8 <= draft->values.data[value].bits;
            uint32_t cut =
                has_bits ? emit_extract(draft, store, value, part->offset - from, part->size * 8)
                         : emit_undefined(draft, part->size * 8);
            write_element(p, e, cut, store, guard);
        }
    }
}

/* Copies an instruction behind what was written so far; its results keep their numbers. */
static uint32_t copy_instruction(struct promoter *p, const struct ir_instruction *old,
                                 const struct ir_access *old_accesses, const uint32_t *operands,
                                 uint32_t operand_count)
{
    struct draft *draft = p->draft;
    uint32_t index = draft->instructions.count;
    struct ir_instruction *copy = emit_instruction(draft, old->op, old, operands, operand_count);
    copy->guard = old->guard == IR_NONE ? IR_NONE : map_value(p, old->guard);
    copy->guard_negated = old->guard_negated;
    copy->is_signed = old->is_signed;
    copy->immediate = old->immediate;
    copy->detail = old->detail;
    copy->first_result = old->first_result;
    copy->result_count = old->result_count;
    for (uint32_t r = 0; r < old->result_count; r++)
        draft->values.data[old->first_result + r].index = index;
    for (uint32_t a = 0; a < old->access_count; a++) {
        struct ir_access *access = emit_access(draft);
        *access = old_accesses[a];
        access->instruction = index;
        access->address = map_value(p, access->address);
    }
    if (old->op == PTX_OP_brx)
        draft->switches.data[old->detail].instruction = index;
    return index;
}

/* Puts the elements of promoted arguments into a call's pieces; p->scratch holds the operands so
 * far. */
static void expand_arguments(struct promoter *p, struct ir_call *call)
{
    struct draft *draft = p->draft;
    VEC(struct ir_piece) pieces = {0};
    for (uint32_t i = 0; i < call->argument_count; i++) {
        struct ir_piece piece = call->arguments[i];
        if (!promote_is_new(p, &piece)) {
            piece.value = piece.value == IR_NONE ? IR_NONE : map_value(p, piece.value);
            *vec_push(draft->arena, &pieces) = piece;
            continue;
        }
        const struct candidate *object = &p->objects[piece.object];
        for (uint32_t e = object->first; e < object->first + object->count; e++) {
            piece.offset = p->elements.data[e].offset;
            piece.size = p->elements.data[e].size;
            piece.value = read_element(p, e);
            *vec_push(draft->arena, &p->scratch) = piece.value;
            *vec_push(draft->arena, &pieces) = piece;
        }
        if (draft->stack->objects[piece.object].open_count != 0)
            *vec_push(draft->arena, &pieces) =
                (struct ir_piece){piece.position, piece.object, 0, 0, IR_NONE};
    }
    call->arguments = pieces.data;
    call->argument_count = pieces.count;
}

/* All results get new numbers, since they must be consecutive. */
static void expand_results(struct promoter *p, struct ir_call *call,
                           const struct ir_instruction *old, uint32_t guard)
{
    struct draft *draft = p->draft;
    VEC(struct ir_piece) pieces = {0};
    uint32_t made = draft->instructions.count - 1;
    draft->instructions.data[made].first_result = draft->values.count;
    draft->instructions.data[made].result_count = 0;
    for (uint32_t i = 0; i < call->result_count; i++) {
        struct ir_piece piece = call->results[i];
        if (piece.value != IR_NONE) {
            uint32_t value = emit_result(draft, draft->values.data[piece.value].type);
            draft->values.data[value].reg = draft->values.data[piece.value].reg;
            p->replace[piece.value] = value;
            piece.value = value;
            *vec_push(draft->arena, &pieces) = piece;
        } else if (promote_is_new(p, &piece)) {
            const struct candidate *object = &p->objects[piece.object];
            for (uint32_t e = object->first; e < object->first + object->count; e++) {
                piece.offset = p->elements.data[e].offset;
                piece.size = p->elements.data[e].size;
                piece.value = emit_result(draft, ir_bits_type(piece.size * 8));
                *vec_push(draft->arena, &pieces) = piece;
            }
            if (draft->stack->objects[piece.object].open_count != 0)
                *vec_push(draft->arena, &pieces) =
                    (struct ir_piece){piece.position, piece.object, 0, 0, IR_NONE};
        } else {
            *vec_push(draft->arena, &pieces) = piece;
        }
    }
    for (uint32_t i = 0; i < pieces.count; i++) {
        const struct ir_piece *piece = &pieces.data[i];
        if (piece->object != IR_NONE && piece->value != IR_NONE &&
            p->objects[piece->object].is_candidate)
            write_element(p, promote_element_at(p, piece->object, piece->offset), piece->value, old,
                          guard);
    }
    call->results = pieces.data;
    call->result_count = pieces.count;
}

static void rewrite_call(struct promoter *p, const struct ir_instruction *old)
{
    struct ir_call *call = &p->draft->calls.data[old->detail];
    uint32_t guard = old->guard == IR_NONE ? IR_NONE : map_value(p, old->guard);
    expand_arguments(p, call);
    call->instruction = copy_instruction(p, old, NULL, p->scratch.data, p->scratch.count);
    expand_results(p, call, old, guard);
}

static void make_phis(struct promoter *p, const struct phi_plan *plan, uint32_t block,
                      const uint32_t *first_operand)
{
    struct draft *draft = p->draft;
    const struct ir_instruction origin = {.source = NULL, .frame = 0, .index = IR_NONE};
    uint32_t edges = draft->cfg->blocks[block].predecessor_count, operand = first_operand[block];
    for (uint32_t i = plan->start[block]; i < plan->start[block + 1]; i++, operand += edges) {
        struct ir_instruction *phi = emit_instruction(draft, IR_OP_PHI, &origin, NULL, 0);
        phi->first_operand = operand;
        phi->operand_count = edges;
        uint32_t value =
            emit_result(draft, ir_bits_type(p->elements.data[plan->variables[i]].size * 8));
        renamer_set(&p->renamer, plan->variables[i], value, true);
    }
}

static void fill_phis(struct promoter *p, const struct phi_plan *plan, uint32_t block,
                      const uint32_t *first_operand)
{
    struct draft *draft = p->draft;
    const struct ir_block *from = &draft->cfg->blocks[block];
    for (uint32_t s = 0; s < from->successor_count; s++) {
        uint32_t to = from->successors[s], edges = draft->cfg->blocks[to].predecessor_count;
        uint32_t operand =
            first_operand[to] + p->renamer.edge_position[p->renamer.edge_start[block] + s];
        for (uint32_t i = plan->start[to]; i < plan->start[to + 1]; i++, operand += edges)
            draft->operands.data[operand] = read_element(p, plan->variables[i]);
    }
}

struct old_code {
    const struct ir_instruction *instructions;
    const uint32_t *operands;
    const struct ir_access *accesses;
};

static void rewrite_instruction(struct promoter *p, const struct old_code *old,
                                const struct ir_instruction *instruction, uint32_t object)
{
    const uint32_t *operands = old->operands + instruction->first_operand;
    const struct ir_access *accesses =
        instruction->access_count == 0 ? NULL : old->accesses + instruction->first_access;
    p->scratch.count = 0;
    for (uint32_t o = 0; o < instruction->operand_count; o++)
        *vec_push(p->draft->arena, &p->scratch) =
            instruction->op == IR_OP_PHI ? operands[o] : map_value(p, operands[o]);
    uint32_t guard = instruction->guard == IR_NONE ? IR_NONE : map_value(p, instruction->guard);
    if (object != IR_NONE && instruction->op == PTX_OP_st)
        replace_store(p, instruction, accesses, object, guard);
    else if (object != IR_NONE)
        replace_load(p, instruction, accesses, object);
    else if (instruction->op == PTX_OP_call)
        rewrite_call(p, instruction);
    else
        copy_instruction(p, instruction, accesses, p->scratch.data, p->scratch.count);
}

/* The operands of phis may come from blocks further on, so they are mapped at the end. */
static void map_phis(struct promoter *p)
{
    struct draft *draft = p->draft;
    for (uint32_t i = 0; i < draft->instructions.count; i++) {
        const struct ir_instruction *phi = &draft->instructions.data[i];
        for (uint32_t o = 0; phi->op == IR_OP_PHI && o < phi->operand_count; o++)
            draft->operands.data[phi->first_operand + o] =
                map_value(p, draft->operands.data[phi->first_operand + o]);
    }
}

void promote_rewrite(struct promoter *p, const struct phi_plan *plan, const uint32_t *targets)
{
    struct draft *draft = p->draft;
    struct ir_cfg *cfg = draft->cfg;
    struct old_code old = {draft->instructions.data, draft->operands.data, draft->accesses.data};
    uint32_t total = 0, *first_operand = ARENA_ARRAY(draft->arena, uint32_t, cfg->block_count);
    draft->instructions.data = NULL;
    draft->instructions.count = draft->instructions.capacity = 0;
    draft->accesses.data = NULL;
    draft->accesses.count = draft->accesses.capacity = 0;
    draft->operands = (struct ids){0};
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        first_operand[b] = total;
        total += (plan->start[b + 1] - plan->start[b]) * cfg->blocks[b].predecessor_count;
    }
    for (uint32_t i = 0; i < total; i++)
        *vec_push(draft->arena, &draft->operands) = IR_NONE;

    renamer_init(&p->renamer, draft->arena, cfg, p->elements.count);
    p->old_value_count = draft->values.count;
    p->replace = ARENA_ARRAY(draft->arena, uint32_t, draft->values.count);
    for (uint32_t v = 0; v < draft->values.count; v++)
        p->replace[v] = IR_NONE;
    for (uint32_t i = 0; i < cfg->reachable_count; i++) {
        uint32_t block = p->renamer.preorder[i], from = draft->first[block], to = draft->end[block];
        draft->block = block;
        draft->first[block] = draft->instructions.count;
        renamer_enter(&p->renamer, block);
        make_phis(p, plan, block, first_operand);
        for (uint32_t k = from; k < to; k++)
            rewrite_instruction(p, &old, &old.instructions[k], targets[k]);
        fill_phis(p, plan, block, first_operand);
        draft->end[block] = draft->instructions.count;
    }
    map_phis(p);
}
