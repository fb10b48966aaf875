/* SPDX-License-Identifier: Apache-2.0
 *
 * The two machines of machine.h.
 */
#include "machine.h"

#include <string.h>

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

static int64_t as_signed(uint64_t value, unsigned bits)
{
    if (bits >= 64)
        return (int64_t)value;
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return (int64_t)((low_bits(value, bits) ^ sign) - sign);
}

static unsigned type_bits(uint8_t type)
{
    return type == PTX_PRED ? 1 : ptx_type_size(type) * 8;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t new_buffer(struct machine *m, uint64_t size)
{
    if (m->buffer_count == MACHINE_BUFFERS) {
        m->fault = "too many buffers";
        return 0;
    }
    m->buffers[m->buffer_count].data = arena_alloc(m->arena, size);
    m->buffers[m->buffer_count].size = (uint32_t)size;
    return (uint64_t)m->buffer_count++ << 32;
}

static uint8_t *memory_at(struct machine *m, uint64_t address, uint32_t size)
{
    uint64_t buffer = address >> 32, offset = address & UINT32_MAX;
    if (buffer == 0 || buffer >= m->buffer_count || offset > m->buffers[buffer].size ||
        size > m->buffers[buffer].size - offset) {
        m->fault = "bad address";
        return NULL;
    }
    return m->buffers[buffer].data + offset;
}

static uint64_t memory_load(struct machine *m, uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    const uint8_t *at = memory_at(m, address, size);
    if (at != NULL)
        memcpy(&value, at, size);
    return value;
}

static void memory_store(struct machine *m, uint64_t address, uint32_t size, uint64_t value)
{
    uint8_t *at = memory_at(m, address, size);
    if (at != NULL)
        memcpy(at, &value, size);
}

void machine_init(struct machine *m, struct arena *arena, const struct ptx_module *module,
                  uint32_t global_size, const void *parameters, uint32_t parameters_size)
{
    memset(m, 0, sizeof *m);
    m->arena = arena;
    m->module = module;
    m->max_steps = 200000;
    m->buffer_count = 1;
    new_buffer(m, global_size);
    new_buffer(m, parameters_size);
    memcpy(m->buffers[2].data, parameters, parameters_size);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static bool compare(const struct ptx_instruction *i, uint64_t a, uint64_t b)
{
    unsigned bits = type_bits(i->type);
    bool is_signed = ptx_type_is_signed(i->type);
    int64_t sa = as_signed(a, bits), sb = as_signed(b, bits);
    uint64_t ua = low_bits(a, bits), ub = low_bits(b, bits);
    switch (i->compare) {
    case PTX_COMPARE_EQ:
        return ua == ub;
    case PTX_COMPARE_NE:
        return ua != ub;
    case PTX_COMPARE_LT:
        return is_signed ? sa < sb : ua < ub;
    case PTX_COMPARE_LE:
        return is_signed ? sa <= sb : ua <= ub;
    case PTX_COMPARE_GT:
        return is_signed ? sa > sb : ua > ub;
    default:
        return is_signed ? sa >= sb : ua >= ub;
    }
}

/* What a plain instruction makes of its operands. */
static uint64_t compute(struct machine *m, const struct ptx_instruction *i, const uint64_t *in,
                        unsigned result_bits)
{
    unsigned bits = type_bits(i->type);
    uint64_t out = 0;
    switch (i->op) {
    case PTX_OP_mov:
    case PTX_OP_cvta:
        out = in[0];
        break;
    case PTX_OP_add:
        out = in[0] + in[1];
        break;
    case PTX_OP_sub:
        out = in[0] - in[1];
        break;
    case PTX_OP_mul:
        out = in[0] * in[1];
        break;
    case PTX_OP_mad:
        out = in[0] * in[1] + in[2];
        break;
    case PTX_OP_and:
        out = in[0] & in[1];
        break;
    case PTX_OP_or:
        out = in[0] | in[1];
        break;
    case PTX_OP_xor:
        out = in[0] ^ in[1];
        break;
    case PTX_OP_not:
        out = ~in[0];
        break;
    case PTX_OP_shl:
        out = low_bits(in[1], 32) >= bits ? 0 : in[0] << low_bits(in[1], 32);
        break;
    case PTX_OP_shr:
        out = low_bits(in[1], 32) >= bits ? 0 : low_bits(in[0], bits) >> low_bits(in[1], 32);
        break;
    case PTX_OP_setp:
        return compare(i, in[0], in[1]) && (i->operation != PTX_OPERATION_AND || (in[2] & 1) != 0);
    case PTX_OP_selp:
        out = in[2] & 1 ? in[0] : in[1];
        break;
    case PTX_OP_cvt:
        out = ptx_type_is_signed(i->type2) ? (uint64_t)as_signed(in[0], type_bits(i->type2))
                                           : low_bits(in[0], type_bits(i->type2));
        break;
    default:
        m->fault = "unknown instruction";
    }
    return low_bits(out, result_bits < bits ? result_bits : bits);
}

static uint64_t extend_load(const struct ptx_instruction *i, uint64_t value, unsigned bits)
{
    return ptx_type_is_signed(i->type)
               ? low_bits((uint64_t)as_signed(value, type_bits(i->type)), bits)
               : value;
}

/* ---- PTX as it stands ------------------------------------------------------------------------ */

struct activation {
    const struct ptx_function *function;
    uint64_t *registers;
    uint64_t *addresses; /* variable -> buffer, for its own local and parameter variables */
};

static uint64_t variable_address(struct machine *m, struct activation *a, uint32_t variable)
{
    if (a->addresses[variable] == 0)
        a->addresses[variable] = new_buffer(m, m->module->variables.data[variable].size);
    return a->addresses[variable];
}

static uint64_t read_operand(struct machine *m, struct activation *a,
                             const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return a->registers[operand->id] ^ operand->negated;
    case PTX_OPERAND_INTEGER:
        return (uint64_t)operand->value;
    case PTX_OPERAND_SPECIAL:
        return operand->special * 5 + operand->component;
    case PTX_OPERAND_SYMBOL:
        return variable_address(m, a, operand->variable) + (uint64_t)operand->value;
    case PTX_OPERAND_ADDRESS:
        return (operand->id != PTX_NONE ? a->registers[operand->id]
                                        : variable_address(m, a, operand->variable)) +
               (uint64_t)operand->value;
    default:
        m->fault = "unknown operand";
        return 0;
    }
}

static void write_register(struct activation *a, const struct ptx_operand *operand, uint64_t value)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        a->registers[operand->id] =
            low_bits(value, type_bits(a->function->registers.data[operand->id].type));
}

static void access_memory(struct machine *m, struct activation *a, const struct ptx_instruction *i)
{
    bool is_load = i->op == PTX_OP_ld;
    const struct ptx_operand *address = &i->operands[is_load ? 1 : 0],
                             *data = &i->operands[is_load ? 0 : 1];
    uint64_t at = read_operand(m, a, address);
    uint32_t size = ptx_type_size(i->type),
             count = data->kind == PTX_OPERAND_VECTOR ? data->count : 1;
    for (uint32_t e = 0; e < count; e++) {
        const struct ptx_operand *one =
            data->kind == PTX_OPERAND_VECTOR ? &data->elements[e] : data;
        if (!is_load)
            memory_store(m, at + e * size, size, read_operand(m, a, one));
        else if (one->kind == PTX_OPERAND_REGISTER)
            write_register(a, one,
                           extend_load(i, memory_load(m, at + e * size, size),
                                       type_bits(a->function->registers.data[one->id].type)));
    }
}

static void move_vector(struct machine *m, struct activation *a, const struct ptx_instruction *i)
{
    const struct ptx_operand *to = &i->operands[0], *from = &i->operands[1];
    uint64_t whole = 0;
    if (from->kind == PTX_OPERAND_VECTOR) {
        unsigned bits = type_bits(i->type) / from->count;
        for (uint32_t e = 0; e < from->count; e++)
            whole |= low_bits(read_operand(m, a, &from->elements[e]), bits) << (e * bits);
        write_register(a, to, whole);
        return;
    }
    unsigned bits = type_bits(i->type) / to->count;
    whole = read_operand(m, a, from);
    for (uint32_t e = 0; e < to->count; e++)
        write_register(a, &to->elements[e], whole >> (e * bits));
}

static void run_activation(struct machine *m, struct activation *a);

static void call_ptx(struct machine *m, uint32_t callee, const uint64_t *arguments,
                     const uint64_t *results)
{
    struct activation inner = {.function = &m->module->functions.data[callee]};
    inner.registers = ARENA_ARRAY(m->arena, uint64_t, inner.function->registers.count);
    inner.addresses = ARENA_ARRAY(m->arena, uint64_t, m->module->variables.count);
    for (uint32_t p = 0; p < inner.function->parameters.count; p++)
        inner.addresses[inner.function->parameters.data[p]] = arguments[p];
    for (uint32_t r = 0; r < inner.function->returns.count; r++)
        inner.addresses[inner.function->returns.data[r]] = results[r];
    if (++m->depth > MACHINE_DEPTH)
        m->fault = "too deep";
    else
        run_activation(m, &inner);
    m->depth--;
}

static void call_from_ptx(struct machine *m, struct activation *a, const struct ptx_instruction *i)
{
    uint64_t arguments[8] = {0}, results[8] = {0};
    const struct ptx_operand *lists[2] = {NULL, NULL};
    bool named = false;
    for (uint32_t o = 0; o < i->operand_count; o++) {
        named |= i->operands[o].kind == PTX_OPERAND_SYMBOL;
        if (i->operands[o].kind == PTX_OPERAND_LIST)
            lists[named] = &i->operands[o];
    }
    for (uint32_t r = 0; lists[0] != NULL && r < lists[0]->count && r < 8; r++)
        results[r] = variable_address(m, a, lists[0]->elements[r].variable);
    for (uint32_t p = 0; lists[1] != NULL && p < lists[1]->count && p < 8; p++)
        arguments[p] = variable_address(m, a, lists[1]->elements[p].variable);
    call_ptx(m, ir_call_target(m->module, i), arguments, results);
}

static void run_activation(struct machine *m, struct activation *a)
{
    uint32_t at = 0;
    while (m->fault == NULL && at < a->function->instructions.count) {
        const struct ptx_instruction *i = &a->function->instructions.data[at++];
        if (++m->steps > m->max_steps)
            m->fault = "too many steps";
        if (i->guard != PTX_NONE && (a->registers[i->guard] & 1) == i->guard_negated)
            continue;
        if (i->op == PTX_OP_ret)
            return;
        if (i->op == PTX_OP_bra) {
            at = i->operands[0].id;
        } else if (i->op == PTX_OP_call) {
            call_from_ptx(m, a, i);
        } else if (i->op == PTX_OP_ld || i->op == PTX_OP_st) {
            access_memory(m, a, i);
        } else if (i->op == PTX_OP_mov && (i->operands[0].kind == PTX_OPERAND_VECTOR ||
                                           i->operands[1].kind == PTX_OPERAND_VECTOR)) {
            move_vector(m, a, i);
        } else {
            uint64_t in[4] = {0};
            for (uint32_t o = 1; o < i->operand_count && o < 5; o++)
                in[o - 1] = read_operand(m, a, &i->operands[o]);
            write_register(a, &i->operands[0], compute(m, i, in, 64));
        }
    }
}

bool machine_run_ptx(struct machine *m, uint32_t function)
{
    struct activation outer = {.function = &m->module->functions.data[function]};
    outer.registers = ARENA_ARRAY(m->arena, uint64_t, outer.function->registers.count);
    outer.addresses = ARENA_ARRAY(m->arena, uint64_t, m->module->variables.count);
    uint32_t offset = 0;
    for (uint32_t p = 0; p < outer.function->parameters.count; p++) {
        const struct ptx_variable *parameter =
            &m->module->variables.data[outer.function->parameters.data[p]];
        offset = (offset + parameter->align - 1) / parameter->align * parameter->align;
        outer.addresses[outer.function->parameters.data[p]] = (uint64_t)2 << 32 | offset;
        offset += (uint32_t)parameter->size;
    }
    run_activation(m, &outer);
    return m->fault == NULL;
}

/* ---- the analysis form ----------------------------------------------------------------------- */

struct form {
    struct machine *machine;
    const struct ir_function *function;
    uint64_t *values;
    uint64_t *objects; /* object -> buffer */
};

static uint64_t parameter_address(const struct form *f, uint32_t variable)
{
    uint32_t offset = 0;
    const struct ptx_function *source = f->function->cfg->source;
    for (uint32_t p = 0; p < source->parameters.count; p++) {
        const struct ptx_variable *parameter =
            &f->function->module->variables.data[source->parameters.data[p]];
        offset = (offset + parameter->align - 1) / parameter->align * parameter->align;
        if (source->parameters.data[p] == variable)
            return (uint64_t)2 << 32 | offset;
        offset += (uint32_t)parameter->size;
    }
    return 0;
}

static uint64_t object_address(struct form *f, uint32_t object)
{
    if (f->objects[object] == 0) {
        const struct ir_object *o = &f->function->objects[object];
        f->objects[object] =
            o->is_formal
                ? parameter_address(f, o->variable)
                : new_buffer(f->machine, f->function->module->variables.data[o->variable].size);
    }
    return f->objects[object];
}

static uint64_t form_value(struct form *f, uint32_t id)
{
    const struct ir_value *value = &f->function->values[id];
    switch ((enum ir_value_kind)value->kind) {
    case IR_VALUE_RESULT:
        return f->values[id];
    case IR_VALUE_CONSTANT:
        return (uint64_t)value->number;
    case IR_VALUE_PARAMETER:
        return memory_load(f->machine, parameter_address(f, value->index) + (uint64_t)value->number,
                           value->bits / 8);
    case IR_VALUE_SPECIAL:
        return value->index * 5 + (uint64_t)value->number;
    case IR_VALUE_ADDRESS:
        return object_address(f, value->index) + (uint64_t)value->number;
    case IR_VALUE_UNDEFINED:
        return 0;
    default:
        f->machine->fault = "unknown value";
        return 0;
    }
}

static uint64_t form_own(struct form *f, const struct ir_instruction *i, const uint64_t *in)
{
    const uint32_t *operands = ir_operands(f->function, i);
    unsigned bits = f->function->values[i->first_result].bits, at = 0;
    uint64_t out = 0;
    switch ((enum ir_op)i->op) {
    case IR_OP_SELECT:
        return in[0] & 1 ? in[1] : in[2];
    case IR_OP_NOT:
        return in[0] ^ 1;
    case IR_OP_EXTEND:
        return i->is_signed
                   ? low_bits((uint64_t)as_signed(in[0], f->function->values[operands[0]].bits),
                              bits)
                   : in[0];
    case IR_OP_EXTRACT:
        return low_bits(in[0] >> (8 * i->immediate), bits);
    case IR_OP_CONCAT:
        for (uint32_t o = 0; o < i->operand_count; o++) {
            out |= in[o] << at;
            at += f->function->values[operands[o]].bits;
        }
        return out;
    default:
        f->machine->fault = "unknown operation";
        return 0;
    }
}

static void form_access(struct form *f, const struct ir_instruction *i, const uint64_t *in)
{
    const struct ir_access *access = &f->function->accesses[i->first_access];
    uint64_t at = in[access->operand] + (uint64_t)access->offset;
    for (uint32_t e = 0; e < access->count; e++) {
        if (i->op == PTX_OP_st)
            memory_store(f->machine, at + e * access->size, access->size, in[1 + e]);
        else
            f->values[i->first_result + e] =
                extend_load(i->source, memory_load(f->machine, at + e * access->size, access->size),
                            f->function->values[i->first_result + e].bits);
    }
    /* What the facts say must hold: the base, and the region of an indexed access. */
    if (access->pointer.base != IR_NONE &&
        f->function->bases[access->pointer.base].kind == IR_BASE_OBJECT) {
        uint64_t base = object_address(f, f->function->bases[access->pointer.base].index);
        if (!access->pointer.is_indexed && at != base + (uint64_t)access->pointer.offset)
            f->machine->fault = "an exact address is wrong";
        if (access->has_region &&
            (at < base + access->region_first || at + access->size > base + access->region_end))
            f->machine->fault = MACHINE_LEAVES_REGION;
    }
}

/* A call that stayed runs as PTX, on the pieces. */
static void form_call(struct form *f, const struct ir_instruction *i)
{
    const struct ir_call *call = &f->function->calls[i->detail];
    uint64_t arguments[8] = {0}, results[8] = {0};
    for (uint32_t p = 0; p < call->argument_count; p++) {
        const struct ir_piece *piece = &call->arguments[p];
        arguments[piece->position] = object_address(f, piece->object);
        if (piece->value != IR_NONE)
            memory_store(f->machine, arguments[piece->position] + piece->offset, piece->size,
                         form_value(f, piece->value));
    }
    for (uint32_t r = 0; r < call->result_count; r++)
        results[call->results[r].position] = object_address(f, call->results[r].object);
    call_ptx(f->machine, call->callee, arguments, results);
    for (uint32_t r = 0; r < call->result_count; r++) {
        const struct ir_piece *piece = &call->results[r];
        if (piece->value != IR_NONE)
            f->values[piece->value] =
                memory_load(f->machine, results[piece->position] + piece->offset, piece->size);
    }
}

static void form_instruction(struct form *f, const struct ir_instruction *i)
{
    uint64_t in[16] = {0};
    if (i->guard != IR_NONE && (form_value(f, i->guard) & 1) == i->guard_negated)
        return;
    for (uint32_t o = 0; o < i->operand_count && o < 16; o++)
        in[o] = form_value(f, ir_operands(f->function, i)[o]);
    if (i->op == PTX_OP_call)
        form_call(f, i);
    else if (i->access_count != 0)
        form_access(f, i, in);
    else if (i->op >= PTX_OP_COUNT)
        f->values[i->first_result] = form_own(f, i, in);
    else if (i->result_count == 1)
        f->values[i->first_result] =
            compute(f->machine, i->source, in, f->function->values[i->first_result].bits);
}

static void enter_block(struct form *f, uint32_t from, uint32_t block)
{
    const struct ir_block *b = &f->function->cfg->blocks[block];
    uint32_t edge = 0, count = f->function->phi_end[block] - b->first;
    while (edge < b->predecessor_count && b->predecessors[edge] != from)
        edge++;
    uint64_t *incoming = ARENA_ARRAY(f->machine->arena, uint64_t, count);
    for (uint32_t p = 0; p < count; p++)
        incoming[p] =
            form_value(f, ir_operands(f->function, &f->function->instructions[b->first + p])[edge]);
    for (uint32_t p = 0; p < count; p++)
        f->values[f->function->instructions[b->first + p].first_result] = incoming[p];
}

bool machine_run_form(struct machine *m, const struct ir_function *function)
{
    struct form f = {m, function, ARENA_ARRAY(m->arena, uint64_t, function->value_count),
                     ARENA_ARRAY(m->arena, uint64_t, function->object_count)};
    uint32_t block = 0;
    while (m->fault == NULL) {
        const struct ir_block *b = &function->cfg->blocks[block];
        uint32_t next = b->fallthrough != IR_NONE ? b->fallthrough
                        : b->successor_count != 0 ? b->successors[0]
                                                  : IR_NONE;
        bool leaves = b->leave != IR_LEAVE_NO;
        for (uint32_t k = function->phi_end[block]; k < b->end && m->fault == NULL; k++) {
            const struct ir_instruction *i = &function->instructions[k];
            if (++m->steps > m->max_steps)
                m->fault = "too many steps";
            bool holds = i->guard == IR_NONE || (form_value(&f, i->guard) & 1) != i->guard_negated;
            if (i->op == PTX_OP_bra)
                next = holds ? b->successors[0] : b->fallthrough;
            else if (i->op == PTX_OP_ret)
                leaves = holds;
            else
                form_instruction(&f, i);
        }
        if (leaves)
            break;
        enter_block(&f, block, next);
        block = next;
    }
    return m->fault == NULL;
}
