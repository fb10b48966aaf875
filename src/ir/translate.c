/* SPDX-License-Identifier: Apache-2.0
 *
 * Translates one PTX instruction: reads registers as values, appends the IR, sets registers to the
 * new values.
 */
#include "ir/build.h"

#include <string.h>

enum { MAX_WHOLE_BITS = 128 };

/* ---- registers ------------------------------------------------------------------------------- */

static unsigned register_bits(const struct translator *t, uint32_t reg)
{
    return ir_type_bits(t->register_type[reg]);
}

uint32_t translate_read(struct translator *t, uint32_t reg)
{
    uint32_t value = t->renamer.current[reg];
    return value != IR_NONE ? value : emit_undefined(t->draft, register_bits(t, reg));
}

static uint32_t read_register(struct translator *t, uint32_t reg)
{
    return translate_read(t, code_register(&t->draft->code, t->frame, reg));
}

static void set_register(struct translator *t, uint32_t reg, uint32_t value)
{
    struct ir_value *made = &t->draft->values.data[value];
    uint32_t base = t->draft->code.frames.data[t->frame].register_base;
    if (made->kind == IR_VALUE_RESULT && made->reg == IR_NONE &&
        reg != t->draft->code.register_count - 1)
        made->reg = reg - base;
    renamer_set(&t->renamer, reg, value, t->live->index_of[reg] != IR_NONE);
}

/* Sets a register to what an instruction makes; a guarded one keeps the old value elsewhere. */
static void define_register(struct translator *t, uint32_t reg, uint32_t value, uint32_t guard,
                            bool negated)
{
    if (guard != IR_NONE)
        value = emit_select(t->draft, &t->origin, guard, negated, value, translate_read(t, reg));
    set_register(t, reg, value);
}

static uint32_t read_guard(struct translator *t, const struct ptx_instruction *instruction)
{
    return instruction->guard == PTX_NONE ? IR_NONE : read_register(t, instruction->guard);
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Special registers whose value may change while the thread runs. */
static bool is_volatile_special(enum ptx_special special)
{
    const char *name = ptx_special_name(special);
    return text_starts_with(name, "%clock") || text_starts_with(name, "%globaltimer") ||
           text_starts_with(name, "%pm") || special == PTX_SPECIAL_warpid ||
           special == PTX_SPECIAL_smid || special == PTX_SPECIAL_UNKNOWN;
}

static uint32_t read_special(struct translator *t, const struct ptx_operand *operand,
                             enum ptx_type wanted)
{
    if (is_volatile_special(operand->special)) {
        enum ptx_type type =
            operand->special == PTX_SPECIAL_UNKNOWN ? wanted : ptx_special_type(operand->special);
        return emit_own(t->draft, IR_OP_HAVOC, &t->origin, type, NULL, 0);
    }
    enum ptx_type type = ptx_special_type(operand->special);
    return emit_value(t->draft, IR_VALUE_SPECIAL, type, operand->special, operand->component);
}

static uint64_t float_bits(const struct ptx_operand *operand, enum ptx_type type)
{
    uint64_t bits = (uint64_t)operand->value;
    if (operand->is_double && ptx_type_size(type) == 4) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        float narrow = (float)wide;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        return narrow_bits;
    }
    if (!operand->is_double && ptx_type_size(type) == 8 && ptx_type_is_float(type)) {
        uint32_t narrow_bits = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &narrow_bits, sizeof narrow);
        double wide = narrow;
        memcpy(&bits, &wide, sizeof bits);
    }
    return bits;
}

/* Addresses of shared variables are often kept in 32 bits. */
static uint32_t read_symbol(struct translator *t, const struct ptx_operand *operand,
                            enum ptx_type wanted)
{
    enum ptx_type type = ir_type_bits(wanted) == 32 ? PTX_U32 : PTX_U64;
    if (operand->callee != PTX_NONE)
        return emit_value(t->draft, IR_VALUE_FUNCTION, type, operand->callee, 0);
    if (operand->variable == PTX_NONE)
        return emit_undefined(t->draft, ir_type_bits(type));
    return emit_value(t->draft, IR_VALUE_ADDRESS, type,
                      object_find(t->draft, operand->variable, t->frame), operand->value);
}

/* One operand as one value; `type` gives constants their width. */
static uint32_t read_operand(struct translator *t, const struct ptx_operand *operand,
                             enum ptx_type type)
{
    struct draft *draft = t->draft;
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER: {
        uint32_t value = read_register(t, operand->id);
        return operand->negated ? emit_own(draft, IR_OP_NOT, &t->origin, PTX_PRED, &value, 1)
                                : value;
    }
    case PTX_OPERAND_SPECIAL:
        return read_special(t, operand, type);
    case PTX_OPERAND_INTEGER:
        return emit_constant(draft, ir_type_bits(type), (uint64_t)operand->value);
    case PTX_OPERAND_FLOAT:
        return emit_constant(draft, ir_type_bits(type), float_bits(operand, type));
    case PTX_OPERAND_SYMBOL:
        return read_symbol(t, operand, type);
    default:
        return emit_undefined(draft, ir_type_bits(type));
    }
}

static void use_value(struct translator *t, uint32_t value)
{
    *vec_push(t->draft->arena, &t->operands) = value;
}

/* The register or variable of an address. */
static uint32_t read_address(struct translator *t, const struct ptx_operand *operand)
{
    if (operand->id != PTX_NONE)
        return read_register(t, operand->id);
    if (operand->variable != PTX_NONE)
        return emit_value(t->draft, IR_VALUE_ADDRESS, PTX_U64,
                          object_find(t->draft, operand->variable, t->frame), 0);
    return emit_constant(t->draft, 64, 0);
}

static void use_operand(struct translator *t, const struct ptx_operand *operand, enum ptx_type type)
{
    switch (operand->kind) {
    case PTX_OPERAND_VECTOR:
    case PTX_OPERAND_LIST:
        for (uint32_t i = 0; i < operand->count; i++)
            use_operand(t, &operand->elements[i], type);
        break;
    case PTX_OPERAND_ADDRESS:
        use_value(t, read_address(t, operand));
        for (uint32_t i = 0; i < operand->count; i++)
            use_operand(t, &operand->elements[i], type);
        break;
    case PTX_OPERAND_NONE:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_SINK:
    case PTX_OPERAND_PROTOTYPE:
        break;
    default:
        use_value(t, read_operand(t, operand, type));
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

static uint8_t access_flags(const struct ptx_instruction *instruction, bool is_first)
{
    uint32_t flags = ptx_op_info(instruction->op)->flags, out = 0;
    bool loads = (flags & PTX_FLAG_LOAD) != 0, stores = (flags & PTX_FLAG_STORE) != 0;
    if (instruction->op == PTX_OP_OPAQUE)
        loads = stores = true;
    if (instruction->op == PTX_OP_cp && (instruction->flags & PTX_MODIFIER_ASYNC) != 0) {
        stores = is_first;
        loads = !is_first;
        out |= IR_ACCESS_ASYNC;
    } else if (instruction->op == PTX_OP_wmma) {
        loads = instruction->mode == PTX_MODE_LOAD;
        stores = instruction->mode == PTX_MODE_STORE;
    }
    out |= (loads ? IR_ACCESS_READ : 0) | (stores ? IR_ACCESS_WRITE : 0);
    if ((flags & PTX_FLAG_ATOMIC) != 0 || instruction->op == PTX_OP_mbarrier)
        out |= IR_ACCESS_ATOMIC;
    if ((flags & PTX_FLAG_MATRIX) != 0)
        out |= IR_ACCESS_COLLECTIVE;
    if ((instruction->flags & PTX_MODIFIER_NC) != 0 || instruction->op == PTX_OP_ldu)
        out |= IR_ACCESS_CONSTANT;
    if (instruction->semantics != PTX_SEMANTICS_NONE && instruction->semantics != PTX_WEAK)
        out |= IR_ACCESS_VOLATILE;
    if (!loads && !stores)
        out |= IR_ACCESS_HINT;
    return (uint8_t)out;
}

/* Notes an access; `role` is ROLE_USE where an unusual form (bulk copies, tensors) gives an
 * address among its operands. */
static void note_access(struct translator *t, const struct ptx_instruction *instruction,
                        const struct ptx_operand *operand, enum operand_role role)
{
    struct ir_access access = {
        .address = read_address(t, operand), .offset = operand->value, .count = 1};
    bool is_first = t->accesses.count == 0;
    access.flags = access_flags(instruction, is_first);
    access.type = instruction->type;
    access.semantics = instruction->semantics;
    access.scope = instruction->scope;
    access.written_space =
        is_first || instruction->op != PTX_OP_cp ? instruction->space : instruction->space2;
    if (role == ROLE_USE) {
        access.flags |= IR_ACCESS_COLLECTIVE | IR_ACCESS_READ | IR_ACCESS_WRITE;
        access.written_space = PTX_SPACE_NONE;
    } else if (instruction->op == PTX_OP_cp && instruction->operand_count > 2 &&
               instruction->operands[2].kind == PTX_OPERAND_INTEGER) {
        access.size = (uint32_t)instruction->operands[2].value;
    } else if ((access.flags & (IR_ACCESS_COLLECTIVE | IR_ACCESS_HINT)) == 0 &&
               instruction->op != PTX_OP_mbarrier) {
        access.size = ptx_type_size(instruction->type);
        access.count = instruction->vector == 0 ? 1 : instruction->vector;
    }
    access.operand = t->operands.count;
    use_value(t, access.address);
    *vec_push(t->draft->arena, &t->accesses) = access;
    for (uint32_t i = 0; i < operand->count; i++)
        use_operand(t, &operand->elements[i], PTX_B32);
}

/* ---- results --------------------------------------------------------------------------------- */

static void make_result(struct translator *t, const struct ptx_operand *operand, enum ptx_type type,
                        uint32_t guard, bool negated, bool create, uint32_t *next)
{
    struct draft *draft = t->draft;
    if (operand->kind == PTX_OPERAND_VECTOR || operand->kind == PTX_OPERAND_LIST) {
        for (uint32_t i = 0; i < operand->count; i++)
            make_result(t, &operand->elements[i], type, guard, negated, create, next);
        return;
    }
    bool is_register = operand->kind == PTX_OPERAND_REGISTER;
    if (!is_register && operand->kind != PTX_OPERAND_SINK)
        return;
    uint32_t reg = is_register ? code_register(&draft->code, t->frame, operand->id) : IR_NONE;
    uint32_t pair =
        operand->pair == PTX_NONE ? IR_NONE : code_register(&draft->code, t->frame, operand->pair);
    if (create) {
        emit_result(draft, is_register ? t->register_type[reg] : type);
        if (pair != IR_NONE)
            emit_result(draft, t->register_type[pair]);
        return;
    }
    uint32_t value = (*next)++;
    if (is_register)
        define_register(t, reg, value, guard, negated);
    if (pair != IR_NONE)
        define_register(t, pair, (*next)++, guard, negated);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void attach_accesses(struct translator *t)
{
    for (uint32_t i = 0; i < t->accesses.count; i++) {
        struct ir_access *access = emit_access(t->draft), owner = *access;
        *access = t->accesses.data[i];
        access->instruction = owner.instruction;
        access->pointer = owner.pointer;
    }
}

/* Appends the instruction with the operands gathered; the results are made and then set, guarded
 * ones by selection. */
static void append(struct translator *t, const struct ptx_instruction *instruction, uint32_t op,
                   const struct ptx_operand *results, const struct operand_use *uses,
                   uint32_t count, uint32_t guard)
{
    struct draft *draft = t->draft;
    struct ir_instruction *made =
        emit_instruction(draft, op, &t->origin, t->operands.data, t->operands.count);
    made->guard = guard;
    made->guard_negated = guard != IR_NONE && instruction->guard_negated;
    attach_accesses(t);
    uint32_t next = draft->values.count, carry = draft->code.register_count - 1;
    bool opaque = instruction->op == PTX_OP_OPAQUE;
    for (int create = 1; create >= 0; create--) {
        for (uint32_t i = 0; i < count; i++)
            if (uses == NULL || opaque || uses[i].role == ROLE_DEFINE || uses[i].role == ROLE_BOTH)
                make_result(t, &results[i], uses == NULL ? PTX_B32 : uses[i].type, guard,
                            instruction->guard_negated, create, &next);
        if (operand_writes_carry(instruction) && create)
            emit_result(draft, PTX_PRED);
        else if (operand_writes_carry(instruction))
            define_register(t, carry, next, guard, instruction->guard_negated);
    }
}

static void translate_other(struct translator *t, const struct ptx_instruction *instruction)
{
    struct operand_use uses[OPERANDS_MAX];
    uint32_t count = instruction->operand_count, guard = read_guard(t, instruction);
    operand_uses(instruction, uses);
    bool is_texture = (ptx_op_info(instruction->op)->flags & PTX_FLAG_TEXTURE) != 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_ADDRESS && !is_texture)
            note_access(t, instruction, operand, uses[i].role);
        else if (uses[i].role != ROLE_DEFINE && uses[i].role != ROLE_LABEL)
            use_operand(t, operand, uses[i].type);
    }
    if (operand_reads_carry(instruction))
        use_value(t, translate_read(t, t->draft->code.register_count - 1));
    append(t, instruction, instruction->op, instruction->operands, uses, count, guard);
    t->draft->has_opaque |= instruction->op == PTX_OP_OPAQUE;
}

static void note_target(void *context, uint32_t item)
{
    struct translator *t = context;
    *vec_push(t->draft->arena, &t->targets) = t->draft->cfg->block_of_instruction[item];
}

static void translate_brx(struct translator *t, const struct ptx_instruction *instruction,
                          uint32_t item)
{
    struct draft *draft = t->draft;
    translate_other(t, instruction);
    t->targets.count = 0;
    code_visit_targets(&draft->code, item, note_target, t);
    uint32_t made = draft->instructions.count - 1;
    draft->instructions.data[made].detail = draft->switches.count;
    uint32_t *targets = ARENA_ARRAY(draft->arena, uint32_t, t->targets.count);
    for (uint32_t i = 0; i < t->targets.count; i++)
        targets[i] = t->targets.data[i];
    *vec_push(draft->arena, &draft->switches) = (struct ir_switch){made, t->targets.count, targets};
}

/* A branch that is taken where the guard holds (or not: negated).  Unguarded ones leave nothing. */
static void translate_branch(struct translator *t, const struct ptx_instruction *instruction,
                             bool negated)
{
    if (instruction->guard == PTX_NONE)
        return;
    uint32_t guard = read_guard(t, instruction);
    struct ir_instruction *made = emit_instruction(t->draft, PTX_OP_bra, &t->origin, NULL, 0);
    made->guard = guard;
    made->guard_negated = negated;
}

/* mov of one register or constant to one of the same width is no instruction; packing and
 * unpacking are our own. */
static bool translate_move(struct translator *t, const struct ptx_instruction *instruction)
{
    struct draft *draft = t->draft;
    if (instruction->op != PTX_OP_mov || instruction->operand_count != 2)
        return false;
    const struct ptx_operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    uint32_t guard = read_guard(t, instruction);
    bool negated = instruction->guard_negated;
    if (to->kind == PTX_OPERAND_VECTOR && from->kind != PTX_OPERAND_VECTOR) {
        uint32_t whole = read_operand(t, from, instruction->type), byte = 0;
        for (uint32_t i = 0; i < to->count; i++) {
            if (to->elements[i].kind != PTX_OPERAND_REGISTER) {
                byte += ptx_type_size(instruction->type) / to->count;
                continue;
            }
            uint32_t reg = code_register(&draft->code, t->frame, to->elements[i].id);
            unsigned bits = register_bits(t, reg);
            if (bits < 8 || byte * 8 + bits > draft->values.data[whole].bits)
                return false;
            uint32_t part = emit_extract(draft, &t->origin, whole, byte, bits);
            define_register(t, reg, part, guard, negated);
            byte += bits / 8;
        }
        return true;
    }
    if (to->kind != PTX_OPERAND_REGISTER || from->kind == PTX_OPERAND_ADDRESS)
        return false;
    uint32_t reg = code_register(&draft->code, t->frame, to->id), value;
    unsigned bits = register_bits(t, reg);
    if (from->kind == PTX_OPERAND_VECTOR) {
        unsigned all = 0;
        enum ptx_type part = ir_bits_type(ir_type_bits(instruction->type) / from->count);
        t->operands.count = 0;
        for (uint32_t i = 0; i < from->count; i++) {
            use_value(t, read_operand(t, &from->elements[i], part));
            all += draft->values.data[t->operands.data[i]].bits;
        }
        if (all != bits || bits > MAX_WHOLE_BITS)
            return false;
        value = emit_concat(draft, &t->origin, t->operands.data, t->operands.count,
                            t->register_type[reg]);
    } else {
        value = read_operand(t, from, t->register_type[reg]);
        if (from->kind == PTX_OPERAND_SPECIAL && draft->values.data[value].bits > bits)
            value = emit_extract(draft, &t->origin, value, 0,
                                 bits); /* mov.u32 of a 64-bit special register */
        if (draft->values.data[value].bits != bits)
            return false;
    }
    define_register(t, reg, value, guard, negated);
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum ir_call_left left_reason(struct translator *t, uint32_t item)
{
    /* Blocks are not translated in the order of the list, so this looks the item up. */
    uint32_t low = 0, high = t->draft->code.left_calls.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (t->draft->code.left_calls.data[middle] >> 8 < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->draft->code.left_calls.count ? t->draft->code.left_calls.data[low] & 255
                                                 : IR_LEFT_EXTERNAL;
}

static bool is_object_operand(const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_SYMBOL && operand->variable != PTX_NONE &&
           operand->callee == PTX_NONE;
}

static void translate_call(struct translator *t, const struct ptx_instruction *instruction,
                           uint32_t item)
{
    struct draft *draft = t->draft;
    struct call_parts parts;
    call_split(instruction, &parts);
    uint32_t guard = read_guard(t, instruction),
             callee = ir_call_target(draft->module, instruction);
    struct ir_call call = {.callee = callee == PTX_NONE ? IR_NONE : callee,
                           .left = (uint8_t)left_reason(t, item)};
    call.effect = (uint8_t)call_effect(draft->module, callee);
    call.argument_count = parts.argument_count;
    call.result_count = parts.result_count;
    call.arguments = ARENA_ARRAY(draft->arena, struct ir_piece, parts.argument_count);
    call.results = ARENA_ARRAY(draft->arena, struct ir_piece, parts.result_count);
    if (parts.through != NULL)
        use_value(t, read_operand(t, parts.through, PTX_B64));
    for (uint32_t i = 0; i < parts.argument_count; i++) {
        const struct ptx_operand *operand = &parts.arguments[i];
        call.arguments[i] = (struct ir_piece){i, IR_NONE, 0, 0, IR_NONE};
        if (is_object_operand(operand)) {
            call.arguments[i].object = object_find(draft, operand->variable, t->frame);
            continue;
        }
        uint32_t value = read_operand(t, operand, PTX_B32);
        call.arguments[i].value = value;
        call.arguments[i].size = draft->values.data[value].bits / 8;
        use_value(t, value);
    }
    call.instruction = draft->instructions.count;
    uint32_t next = draft->values.count;
    for (uint32_t i = 0; i < parts.result_count; i++) {
        const struct ptx_operand *operand = &parts.results[i];
        call.results[i] = (struct ir_piece){i, IR_NONE, 0, 0, IR_NONE};
        if (is_object_operand(operand))
            call.results[i].object = object_find(draft, operand->variable, t->frame);
        else if (operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_SINK)
            call.results[i].value = next++;
    }
    append(t, instruction, PTX_OP_call, parts.results, NULL, parts.result_count, guard);
    for (uint32_t i = 0; i < parts.result_count; i++)
        if (call.results[i].value != IR_NONE)
            call.results[i].size = draft->values.data[call.results[i].value].bits / 8;
    draft->instructions.data[call.instruction].detail = draft->calls.count;
    *vec_push(draft->arena, &draft->calls) = call;
}

void translate_item(struct translator *t, uint32_t item)
{
    struct draft *draft = t->draft;
    const struct code_item *at = &draft->code.items.data[item];
    const struct ptx_instruction *instruction = code_instruction(&draft->code, item);
    t->frame = at->frame;
    t->origin =
        (struct ir_instruction){.source = instruction, .frame = at->frame, .index = at->index};
    t->operands.count = t->accesses.count = 0;
    if (at->child != IR_NONE)
        translate_branch(t, instruction, !instruction->guard_negated);
    else if (instruction->op == PTX_OP_bra || (instruction->op == PTX_OP_ret && at->frame != 0))
        translate_branch(t, instruction, instruction->guard_negated);
    else if (instruction->op == PTX_OP_call)
        translate_call(t, instruction, item);
    else if (instruction->op == PTX_OP_brx)
        translate_brx(t, instruction, item);
    else if (!translate_move(t, instruction)) {
        t->operands.count = 0;
        translate_other(t, instruction);
    }
}
