/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding: PTX functions become arrays of operations.
 *
 * Every instruction becomes one operation, in text order, so that falling into the next block needs nothing.  Added to them are labels (at
 * blocks where control can come together), gates (in front of .sync operations, where lanes wait for each other) and helpers that compute
 * special registers and addresses of local variables for operands.  Added operations do not count as instructions.
 * An instruction nobody knows becomes emu_run_unsupported, which names it when it is reached.
 */
#include "emu/emu_decode.h"
#include "emu/emu_wrap.h"

#include <stdlib.h>

/* ---- one instruction --------------------------------------------------------------------------- */

static void decode_guard(const struct emu_decoder *decoder, struct emu_op *op)
{
    if (decoder->instruction->guard == PTX_NONE)
        return;
    op->guard = decoder->function->slots[decoder->instruction->guard];
    op->guard_flip = decoder->instruction->guard_negated ? EMU_FULL_MASK : 0;
}

/* Block targets stay block numbers until all operations have their places. */
static bool decode_targets(struct emu_decoder *decoder, struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    const struct ir_cfg *cfg = decoder->function->cfg;
    const struct ptx_operand *last = &instruction->operands[instruction->operand_count - 1];
    if (instruction->op == PTX_OP_bra) {
        op->extra[0] = cfg->block_of_instruction[last->id];
        return true;
    }
    uint32_t *targets = ARENA_ARRAY(decoder->arena, uint32_t, last->count + 1);
    for (uint32_t i = 0; i < last->count; i++)
        targets[i] = cfg->block_of_instruction[last->elements[i].id];
    op->extra[0] = last->count;
    op->list = targets;
    return true;
}

static void decode_call(struct emu_decoder *decoder, struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    struct emu_call call = {.function = PTX_NONE, .name = ""};
    bool named = false;
    for (unsigned k = 0; k < instruction->operand_count; k++) {
        const struct ptx_operand *operand = &instruction->operands[k];
        if (operand->kind == PTX_OPERAND_LIST) {
            if (!named)
                call.results = operand;
            else if (call.arguments == NULL)
                call.arguments = operand;
        } else if (!named && operand->kind == PTX_OPERAND_SYMBOL) {
            named = true;
            call.function = operand->callee;
            call.name = operand->callee != PTX_NONE ? decoder->program->module->functions.data[operand->callee].name
                                                    : operand->text;
        } else if (!named && operand->kind == PTX_OPERAND_REGISTER) {
            named = true;
            call.name = NULL;
            op->a = decoder->function->slots[operand->id];
            op->a_size = emu_storage_size(decoder->source->registers.data[operand->id].type);
            decoder->function->indirect_calls = true;
        }
    }
    bool has_body = call.function != PTX_NONE && decoder->program->module->functions.data[call.function].has_body;
    if (has_body) {
        *vec_push(decoder->arena, &decoder->function->callees) = call.function;
    } else if (call.name != NULL) {
        call.native = emu_native_find(call.name);
        call.math = call.native == NULL ? emu_math_find(call.name) : NULL;
        /* Addresses of the heap depend on who comes first. */
        decoder->function->order_dependent |= strcmp(call.name, "malloc") == 0 || strcmp(call.name, "free") == 0;
        call.function = PTX_NONE;
    }
    op->extra[0] = decoder->function->calls.count;
    *vec_push(decoder->arena, &decoder->function->calls) = call;
}

/* Moves that carry undefined values along instead of using them. */
static bool moves_values(const struct ptx_instruction *instruction)
{
    switch (instruction->op) {
    case PTX_OP_mov:
    case PTX_OP_selp:
    case PTX_OP_shfl:
    case PTX_OP_prmt:
        return true;
    case PTX_OP_cvt:
        return !ptx_type_is_float(instruction->type) && !ptx_type_is_float(instruction->type2) &&
               (instruction->flags & PTX_MODIFIER_SAT) == 0;
    default:
        return false;
    }
}

static bool is_warp_meeting(const struct ptx_instruction *instruction)
{
    const struct ptx_op_info *info = ptx_op_info(instruction->op);
    if (instruction->op == PTX_OP_bar)
        return instruction->mode == PTX_MODE_WARP;
    if ((info->flags & (PTX_FLAG_WARP_SYNC | PTX_FLAG_MATRIX)) == 0)
        return false;
    return (instruction->flags & PTX_MODIFIER_SYNC) != 0;
}

static void emit_gate(struct emu_decoder *decoder, const struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    struct emu_op gate = *op;
    gate.run = emu_run_gate;
    gate.kind = EMU_KIND_GATE;
    gate.copies = 0;
    gate.a = EMU_REF_NONE;
    if ((ptx_op_info(instruction->op)->flags & PTX_FLAG_MATRIX) == 0) {
        /* The mask is the last source. */
        const uint32_t sources[4] = {op->a, op->b, op->c, op->d};
        for (unsigned k = 0; k < 4; k++)
            if (sources[k] != EMU_REF_NONE)
                gate.a = sources[k];
    }
    emu_emit(decoder, &gate);
}

static emu_fn *select_run(const struct emu_decoder *decoder, const struct emu_op *op)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    static emu_fn *(*const selectors[])(const struct ptx_instruction *, const struct emu_op *) = {
        emu_control_select, emu_access_select, emu_atomic_select, emu_special_select, emu_fragment_select,
        emu_copy_select};
    for (size_t i = 0; i < COUNT_OF(selectors); i++) {
        emu_fn *run = selectors[i](instruction, op);
        if (run != NULL)
            return run;
    }
    return NULL;
}

static void note_order_dependence(struct emu_decoder *decoder, const struct ptx_instruction *instruction)
{
    if (instruction->op == PTX_OP_atom && instruction->space != PTX_SPACE_SHARED)
        decoder->function->order_dependent |= emu_atomic_is_order_dependent(decoder->function, instruction);
    else if (instruction->op == PTX_OP_red && instruction->space != PTX_SPACE_SHARED)
        decoder->function->order_dependent |= emu_atomic_is_order_dependent(decoder->function, instruction);
    else if (instruction->op == PTX_OP_ld && instruction->space != PTX_SPACE_SHARED &&
             instruction->space != PTX_SPACE_LOCAL && instruction->semantics > PTX_WEAK)
        decoder->function->order_dependent = true;
}

static void note_shared(struct emu_decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->variable != PTX_NONE && decoder->program->shared_index[operand->variable] != TEXT_MAP_NONE)
        *vec_push(decoder->arena, &decoder->function->shared) = decoder->program->shared_index[operand->variable];
    for (uint32_t i = 0; i < operand->count && operand->elements != NULL; i++)
        note_shared(decoder, &operand->elements[i]);
}

static bool decode_instruction(struct emu_decoder *decoder)
{
    const struct ptx_instruction *instruction = decoder->instruction;
    struct emu_op op;
    emu_op_clear(&op);
    op.instruction = decoder->index;
    op.source = instruction;
    for (unsigned k = 0; k < instruction->operand_count; k++)
        note_shared(decoder, &instruction->operands[k]);
    note_order_dependence(decoder, instruction);
    if (instruction->op == PTX_OP_OPAQUE) {
        decode_guard(decoder, &op);
        op.run = emu_run_unsupported;
        op.kind = EMU_KIND_CORE;
        emu_emit(decoder, &op);
        return true;
    }
    if (instruction->op == PTX_OP_call)
        decode_call(decoder, &op);
    else if (instruction->op == PTX_OP_bra || instruction->op == PTX_OP_brx) {
        if (instruction->op == PTX_OP_brx) {
            op.a = decoder->function->slots[instruction->operands[0].id];
            op.a_size = 4;
        }
        if (!decode_targets(decoder, &op))
            return false;
    } else if (!emu_decode_operands(decoder, &op)) {
        return false;
    }
    decode_guard(decoder, &op);
    if ((instruction->flags & PTX_MODIFIER_CC) != 0 || instruction->op == PTX_OP_addc ||
        instruction->op == PTX_OP_subc || instruction->op == PTX_OP_madc) {
        if (decoder->function->carry_slot == EMU_REF_NONE)
            decoder->function->carry_slot = emu_new_slot(decoder, 1);
        op.carry = decoder->function->carry_slot;
        if ((instruction->flags & PTX_MODIFIER_CC) != 0)
            op.dst2 = op.carry;
    }
    /* mov of a special register or of an address needs no second step. */
    op.run = select_run(decoder, &op);
    op.kind = EMU_KIND_CORE;
    if (op.run == NULL) {
        op.kind = EMU_KIND_LANES;
        op.copies = moves_values(instruction);
        op.run = decoder->program->machine->select(instruction, &op);
    }
    if (op.run == NULL) {
        op.kind = EMU_KIND_CORE;
        op.run = emu_run_unsupported;
    }
    if ((ptx_op_info(instruction->op)->flags & (PTX_FLAG_LOAD | PTX_FLAG_STORE)) != 0) {
        op.extra[2] = decoder->program->sites.count;
        *vec_push(decoder->arena, &decoder->program->sites) = (struct emu_site){decoder->function->index, decoder->index};
    }
    if (op.run != emu_run_unsupported && is_warp_meeting(instruction))
        emit_gate(decoder, &op);
    if ((instruction->op == PTX_OP_div || instruction->op == PTX_OP_rem) && !ptx_type_is_float(instruction->type) &&
        op.b < EMU_REF_POOL) {
        struct emu_op check = op;
        check.run = emu_run_divisor;
        check.kind = EMU_KIND_CHECK;
        emu_emit(decoder, &check);
    }
    emu_wrap_emit_before(decoder, &op);
    emu_emit(decoder, &op);
    emu_wrap_emit_after(decoder, &op);
    return true;
}

/* ---- one function ------------------------------------------------------------------------------ */

static void place_locals(struct emu_decoder *decoder)
{
    const struct ptx_module *module = decoder->program->module;
    struct emu_function *function = decoder->function;
    for (uint32_t i = 0; i < decoder->source->variables.count; i++) {
        uint32_t id = decoder->source->variables.data[i];
        const struct ptx_variable *variable = &module->variables.data[id];
        if (variable->space != PTX_SPACE_LOCAL)
            continue;
        uint32_t align = variable->align > 16 ? variable->align : 16;
        function->local_size = (function->local_size + align - 1) & ~(align - 1);
        *vec_push(decoder->arena, &function->locals) = (struct emu_local){.variable = id, .offset = function->local_size};
        uint64_t size = function->local_size + variable->size;
        if (size > UINT32_MAX / 64)
            size = UINT32_MAX / 64;
        function->local_size = (uint32_t)size;
    }
    function->local_size = (function->local_size + 15) & ~15u;
}

static void place_parameters(struct emu_decoder *decoder)
{
    const struct ptx_module *module = decoder->program->module;
    if (decoder->source->is_entry) {
        for (uint32_t i = 0; i < decoder->source->parameters.count; i++)
            decoder->program->param_offset[decoder->source->parameters.data[i]] =
                emu_parameter_offset(module, decoder->function->index, i, NULL);
    }
    /* Call variables of an entry, and everything of a device function, live in the frame. */
    uint64_t at = 0;
    for (unsigned pass = 0; pass < 3; pass++) {
        if (pass < 2 && decoder->source->is_entry)
            continue;
        uint32_t count = pass == 0   ? decoder->source->parameters.count
                         : pass == 1 ? decoder->source->returns.count
                                     : decoder->source->variables.count;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t id = pass == 0   ? decoder->source->parameters.data[i]
                          : pass == 1 ? decoder->source->returns.data[i]
                                      : decoder->source->variables.data[i];
            const struct ptx_variable *variable = &module->variables.data[id];
            if (variable->space != PTX_SPACE_PARAM || (pass == 2 && (variable->is_parameter || variable->is_return)))
                continue;
            at = (at + 15) & ~(uint64_t)15;
            decoder->program->param_offset[id] = (uint32_t)at;
            at += variable->size;
            if (at > UINT32_MAX / 64)
                at = UINT32_MAX / 64;
        }
    }
    decoder->function->param_size = (uint32_t)((at + 15) & ~(uint64_t)15);
}

static void emit_label(struct emu_decoder *decoder, uint32_t first_instruction)
{
    struct emu_op op;
    emu_op_clear(&op);
    op.run = emu_run_label;
    op.kind = EMU_KIND_LABEL;
    op.instruction = first_instruction;
    emu_emit(decoder, &op);
}

static void resolve_targets(struct emu_decoder *decoder, const uint32_t *pc_of_block)
{
    for (uint32_t i = 0; i < decoder->code.count; i++) {
        struct emu_op *op = &decoder->code.data[i];
        if (op->source == NULL || op->kind != EMU_KIND_CORE)
            continue;
        if (op->source->op == PTX_OP_bra) {
            op->extra[0] = pc_of_block[op->extra[0]];
        } else if (op->source->op == PTX_OP_brx) {
            uint32_t *targets = ARENA_ARRAY(decoder->arena, uint32_t, op->extra[0] + 1);
            for (uint32_t k = 0; k < op->extra[0]; k++)
                targets[k] = pc_of_block[op->list[k]];
            op->list = targets;
        }
    }
}

static bool decode_body(struct emu_decoder *decoder)
{
    struct emu_function *function = decoder->function;
    const struct ir_cfg *cfg = function->cfg;
    uint32_t *pc_of_block = ARENA_ARRAY(decoder->arena, uint32_t, cfg->block_count + 1);
    VEC(uint32_t) orders = {0};
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        pc_of_block[b] = decoder->code.count;
        if (block->predecessor_count > 1)
            emit_label(decoder, block->first);
        for (uint32_t i = block->first; i < block->end; i++) {
            decoder->index = i;
            decoder->instruction = &decoder->source->instructions.data[i];
            if (!decode_instruction(decoder))
                return false;
        }
        while (orders.count < decoder->code.count)
            *vec_push(decoder->arena, &orders) = block->order;
    }
    pc_of_block[cfg->block_count] = decoder->code.count;
    /* Falling off the end returns. */
    struct emu_op end;
    emu_op_clear(&end);
    end.run = emu_run_return;
    end.kind = EMU_KIND_LABEL;
    end.instruction = decoder->source->instructions.count;
    emu_emit(decoder, &end);
    *vec_push(decoder->arena, &orders) = UINT32_MAX - 1;
    resolve_targets(decoder, pc_of_block);
    function->code = decoder->code.data;
    function->code_count = decoder->code.count;
    function->order_of = orders.data;
    return true;
}

static bool decode_one(struct emu_program *program, uint32_t index)
{
    struct emu_function *function = &program->functions[index];
    struct emu_decoder decoder = {.program = program,
                                  .function = function,
                                  .source = &program->module->functions.data[index],
                                  .arena = &program->arena};
    function->source = decoder.source;
    function->index = index;
    function->carry_slot = EMU_REF_NONE;
    function->decoded = true;
    function->cfg = ir_cfg_build(&program->arena, program->module, index);
    emu_allocate_slots(&decoder);
    emu_wrap_analyse(function, decoder.arena);
    emu_cas_find_loads(function, decoder.arena);
    place_parameters(&decoder);
    place_locals(&decoder);
    return decode_body(&decoder);
}

bool emu_decode_function(struct emu_program *program, uint32_t function)
{
    VEC(uint32_t) pending = {0};
    *vec_push(&program->arena, &pending) = function;
    while (pending.count != 0) {
        uint32_t index = pending.data[--pending.count];
        struct emu_function *now = &program->functions[index];
        if (now->decoded)
            continue;
        if (!decode_one(program, index))
            return false;
        for (uint32_t i = 0; i < now->callees.count; i++)
            *vec_push(&program->arena, &pending) = now->callees.data[i];
        if (now->indirect_calls)
            for (uint32_t i = 0; i < program->module->functions.count; i++)
                if (program->module->functions.data[i].has_body && !program->module->functions.data[i].is_entry)
                    *vec_push(&program->arena, &pending) = i;
    }
    return true;
}

/* ---- the kernel's parameter block --------------------------------------------------------------- */

uint32_t emu_parameter_offset(const struct ptx_module *module, uint32_t function, uint32_t parameter, uint32_t *total)
{
    const struct ptx_function *source = &module->functions.data[function];
    uint64_t at = 0, result = 0;
    for (uint32_t i = 0; i < source->parameters.count; i++) {
        const struct ptx_variable *variable = &module->variables.data[source->parameters.data[i]];
        uint64_t align = variable->align != 0 ? variable->align : 1;
        at = (at + align - 1) / align * align;
        if (i == parameter)
            result = at;
        at += variable->size;
    }
    if (total != NULL)
        *total = (uint32_t)at;
    return (uint32_t)result;
}
