/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of a function in analysis form, and the places of its instructions.
 */
#include "ir/print.h"

const char *ir_op_name(uint32_t op)
{
    static const char *const own[] = {"phi",     "select", "not",  "extend",
                                      "extract", "concat", "havoc"};
    if (op >= PTX_OP_COUNT)
        return op < IR_OP_COUNT ? own[op - IR_OP_PHI] : "?";
    return ptx_op_info(op)->name;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *variable_name(const struct ir_function *function, uint32_t variable)
{
    return variable < function->module->variables.count
               ? function->module->variables.data[variable].name
               : "?";
}

static void print_offset(struct buffer *out, int64_t offset)
{
    if (offset != 0)
        buffer_printf(out, "%+lld", (long long)offset);
}

static void print_constant(struct buffer *out, const struct ir_value *value)
{
    uint64_t bits = (uint64_t)value->number;
    if (value->bits == 1)
        buffer_puts(out, bits != 0 ? "true" : "false");
    else if (value->bits < 64 && bits >> (value->bits - 1) != 0)
        buffer_printf(out, "%lld", (long long)(bits - ((uint64_t)1 << value->bits)));
    else
        buffer_printf(out, "%lld", (long long)bits);
}

void ir_value_print(const struct ir_function *function, uint32_t id, struct buffer *out)
{
    static const char components[] = " xyzw";
    if (id >= function->value_count) {
        buffer_puts(out, id == IR_NONE ? "none" : "?");
        return;
    }
    const struct ir_value *value = &function->values[id];
    switch ((enum ir_value_kind)value->kind) {
    case IR_VALUE_RESULT:
        buffer_printf(out, "%%%u", id);
        break;
    case IR_VALUE_CONSTANT:
        print_constant(out, value);
        break;
    case IR_VALUE_PARAMETER:
        buffer_puts(out, variable_name(function, value->index));
        print_offset(out, value->number);
        break;
    case IR_VALUE_SPECIAL:
        buffer_puts(out, ptx_special_name(value->index) + 1);
        if (value->number > 0 && value->number < 5)
            buffer_printf(out, ".%c", components[value->number]);
        break;
    case IR_VALUE_ADDRESS:
        buffer_printf(out, "&%s",
                      variable_name(function, value->index < function->object_count
                                                  ? function->objects[value->index].variable
                                                  : IR_NONE));
        print_offset(out, value->number);
        break;
    case IR_VALUE_FUNCTION:
        buffer_puts(out, function->module->functions.data[value->index].name);
        break;
    case IR_VALUE_UNDEFINED:
        buffer_puts(out, "undefined");
        break;
    default:
        buffer_puts(out, "?");
    }
}

static void print_base(const struct ir_function *function, uint32_t id, struct buffer *out)
{
    const struct ir_base *base = &function->bases[id];
    switch ((enum ir_base_kind)base->kind) {
    case IR_BASE_PARAMETER:
        buffer_puts(out, variable_name(function, base->index));
        print_offset(out, base->number);
        break;
    case IR_BASE_OBJECT:
        buffer_printf(out, "&%s", variable_name(function, function->objects[base->index].variable));
        break;
    case IR_BASE_VALUE:
        ir_value_print(function, base->index, out);
        break;
    default:
        buffer_puts(out, "unknown");
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void print_access(const struct ir_function *function, const struct ir_access *access,
                         struct buffer *out)
{
    buffer_printf(out, " %s%s%s[", (access->flags & IR_ACCESS_READ) != 0 ? "r" : "",
                  (access->flags & IR_ACCESS_WRITE) != 0 ? "w" : "",
                  (access->flags & IR_ACCESS_HINT) != 0 ? "hint" : "");
    ir_value_print(function, access->address, out);
    print_offset(out, access->offset);
    buffer_printf(out, "] %s %ux%u", ptx_space_name(access->space), access->count, access->size);
    if (function->sets == NULL || access->pointer.set >= function->set_count)
        return;
    const struct ir_base_set *set = &function->sets[access->pointer.set];
    buffer_puts(out, " of {");
    for (uint32_t i = 0; i < set->count; i++) {
        buffer_puts(out, i == 0 ? "" : ", ");
        print_base(function, function->set_members[set->first + i], out);
    }
    buffer_puts(out, "}");
    if (access->pointer.base != IR_NONE) {
        buffer_puts(out, " = ");
        print_base(function, access->pointer.base, out);
        print_offset(out, access->pointer.offset);
        buffer_puts(out, access->pointer.is_indexed ? "+.." : "");
    }
    if (access->has_region)
        buffer_printf(out, " in [%u,%u)", access->region_first, access->region_end);
}

static void print_operation(const struct ir_instruction *instruction, struct buffer *out)
{
    buffer_puts(out, ir_op_name(instruction->op));
    if (instruction->op < PTX_OP_COUNT && instruction->source != NULL) {
        for (uint32_t i = 0; i < instruction->source->mod_count; i++)
            buffer_printf(out, ".%s", ptx_mod_text(instruction->source->mods[i]));
    } else if (instruction->op == IR_OP_EXTRACT) {
        buffer_printf(out, ".%u", instruction->immediate);
    } else if (instruction->op == IR_OP_EXTEND) {
        buffer_puts(out, instruction->is_signed ? ".s" : ".u");
    }
}

void ir_instruction_print(const struct ir_function *function, uint32_t index, struct buffer *out)
{
    const struct ir_instruction *instruction = &function->instructions[index];
    buffer_puts(out, "  ");
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        uint32_t value = instruction->first_result + r;
        buffer_printf(out, "%s%%%u:%s", r == 0 ? "" : ", ", value,
                      value < function->value_count ? ptx_type_name(function->values[value].type)
                                                    : "?");
    }
    buffer_puts(out, instruction->result_count != 0 ? " = " : "");
    if (instruction->guard != IR_NONE) {
        buffer_puts(out, instruction->guard_negated ? "@!" : "@");
        ir_value_print(function, instruction->guard, out);
        buffer_putc(out, ' ');
    }
    print_operation(instruction, out);
    for (uint32_t o = 0; o < instruction->operand_count; o++) {
        buffer_puts(out, o == 0 ? " " : ", ");
        ir_value_print(function, ir_operands(function, instruction)[o], out);
    }
    for (uint32_t a = 0; a < instruction->access_count; a++)
        if (instruction->first_access + a < function->access_count)
            print_access(function, &function->accesses[instruction->first_access + a], out);
    if (instruction->op == PTX_OP_call && instruction->detail < function->call_count &&
        function->calls[instruction->detail].callee < function->module->functions.count)
        buffer_printf(
            out, " -> %s",
            function->module->functions.data[function->calls[instruction->detail].callee].name);
    if (instruction->frame != 0)
        buffer_printf(out, " ; frame %u", instruction->frame);
    buffer_putc(out, '\n');
}

void ir_block_print(const struct ir_function *function, uint32_t b, struct buffer *out)
{
    const struct ir_block *block = &function->cfg->blocks[b];
    buffer_printf(out, "B%u:", b);
    for (uint32_t i = 0; i < block->successor_count; i++)
        buffer_printf(out, " %sB%u", i == 0 ? "-> " : "", block->successors[i]);
    if (block->leave != IR_LEAVE_NO)
        buffer_printf(out, " leaves%s", block->leave_is_guarded ? " if guarded" : "");
    if (block->loop != IR_NONE)
        buffer_printf(out, " in L%u", block->loop);
    for (uint32_t i = 0; i < block->predecessor_count; i++)
        buffer_printf(out, " %sB%u", i == 0 ? "<- " : "", block->predecessors[i]);
    buffer_putc(out, '\n');
}

void ir_function_print(const struct ir_function *function, struct buffer *out)
{
    const struct ir_cfg *cfg = function->cfg;
    buffer_printf(out, "function %s\n", cfg->source->name);
    for (uint32_t i = 1; i < function->frame_count; i++)
        buffer_printf(out, "frame %u: %s called from frame %u\n", i,
                      function->module->functions.data[function->frames[i].function].name,
                      function->frames[i].parent);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        if (!cfg->blocks[b].reachable)
            continue;
        ir_block_print(function, b, out);
        for (uint32_t i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
            ir_instruction_print(function, i, out);
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static const struct ptx_location *location_of(const struct ir_function *function,
                                              uint32_t instruction)
{
    const struct ptx_module *module = function->module;
    const struct ptx_instruction *source = function->instructions[instruction].source;
    /* What stands in a function of a header that was a call (nvcc -G) stands where the user called it. */
    for (uint32_t frame = function->instructions[instruction].frame;
         source != NULL && frame != 0 && ptx_location_is_system(module, source->location);
         frame = function->frames[frame].parent) {
        const struct ir_frame *inlined = &function->frames[frame];
        const struct ptx_function *caller =
            &module->functions.data[function->frames[inlined->parent].function];
        source = &caller->instructions.data[inlined->call];
    }
    if (source == NULL || source->location == 0)
        return NULL;
    const struct ptx_location *location = ptx_user_location(function->module, source->location);
    return location != NULL && location->line != 0 ? location : NULL;
}

struct place ir_place(const struct ir_function *function, uint32_t instruction)
{
    enum { MAX_STEPS = 8, MAX_USES = 32 };
    const struct ptx_module *module = function->module;
    /* The nearest use in the order of the code; a use without a line hands on to its own nearest
     * use. */
    for (uint32_t step = 0, at = instruction; step < MAX_STEPS && at != IR_NONE; step++) {
        const struct ptx_location *location = location_of(function, at);
        if (location != NULL)
            return (struct place){ptx_file_path(module, location->file), location->line,
                                  location->column};
        const struct ir_instruction *made = &function->instructions[at];
        uint32_t next = IR_NONE, first = function->use_start[made->first_result];
        uint32_t end = made->result_count == 0
                           ? first
                           : function->use_start[made->first_result + made->result_count];
        for (uint32_t u = first; u < end && u < first + MAX_USES; u++) {
            uint32_t user = function->uses[u];
            if (user > at && (next == IR_NONE || user < next))
                next = user;
        }
        at = next;
    }
    const struct ptx_function *source = function->cfg->source;
    if (source->location != 0) {
        const struct ptx_location *location = ptx_user_location(module, source->location);
        if (location != NULL && location->line != 0)
            return (struct place){ptx_file_path(module, location->file), location->line,
                                  location->column};
    }
    return (struct place){module->name, source->line, 0};
}
