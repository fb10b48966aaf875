/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions as one list of instructions: inlining, and what each instruction does to control.
 */
#include "ir/code.h"

#include <string.h>

enum { DEFAULT_INSTRUCTIONS = 200000, DEFAULT_DEPTH = 16 };

/* ---- calls ----------------------------------------------------------------------------------- */

uint32_t ir_call_target(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    if (instruction->op != PTX_OP_call)
        return PTX_NONE;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind != PTX_OPERAND_SYMBOL || operand->callee >= module->functions.count)
            continue;
        uint32_t alias = module->functions.data[operand->callee].alias_of;
        return alias < module->functions.count ? alias : operand->callee;
    }
    return PTX_NONE;
}

bool ir_function_is_no_return(const struct ptx_module *module, uint32_t function)
{
    if (function >= module->functions.count)
        return false;
    const struct ptx_function *callee = &module->functions.data[function];
    return callee->no_return || (callee->name != NULL && strcmp(callee->name, "__assertfail") == 0);
}

void call_split(const struct ptx_instruction *instruction, struct call_parts *parts)
{
    memset(parts, 0, sizeof *parts);
    bool named = false;
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_LIST && !named) {
            parts->results = operand->elements;
            parts->result_count = operand->count;
        } else if (operand->kind == PTX_OPERAND_LIST && parts->arguments == NULL) {
            /* Behind the arguments an indirect call may list the functions that it can reach. */
            bool functions = parts->through != NULL && operand->count > 0 &&
                             operand->elements[0].kind == PTX_OPERAND_SYMBOL &&
                             operand->elements[0].callee != PTX_NONE;
            if (!functions) {
                parts->arguments = operand->elements;
                parts->argument_count = operand->count;
            }
        } else if (operand->kind == PTX_OPERAND_REGISTER && !named) {
            parts->through = operand;
            named = true;
        } else if (operand->kind == PTX_OPERAND_SYMBOL) {
            named = true;
        }
    }
}

/* ---- inlining -------------------------------------------------------------------------------- */

struct expander {
    struct code *code;
    uint32_t max_instructions, max_depth;
    uint64_t wanted; /* instructions in the list or certain to come */
};

static bool is_same_form(const struct code *code, const struct ptx_operand *actual, uint32_t formal)
{
    bool in_memory = actual->kind == PTX_OPERAND_SYMBOL &&
                     actual->variable < code->module->variables.count && actual->callee == PTX_NONE;
    if (formal >= code->module->variables.count)
        return false;
    /* Registers as parameters would need copies that PTX from compilers never asks for. */
    return in_memory && code->module->variables.data[formal].space == PTX_SPACE_PARAM &&
           code->module->variables.data[actual->variable].space == PTX_SPACE_PARAM &&
           actual->value == 0;
}

static bool is_same_shape(const struct code *code, const struct ptx_instruction *call,
                          const struct ptx_function *callee)
{
    struct call_parts parts;
    call_split(call, &parts);
    if (parts.argument_count != callee->parameters.count ||
        parts.result_count != callee->returns.count)
        return false;
    for (uint32_t i = 0; i < parts.argument_count; i++)
        if (!is_same_form(code, &parts.arguments[i], callee->parameters.data[i]))
            return false;
    for (uint32_t i = 0; i < parts.result_count; i++)
        if (!is_same_form(code, &parts.results[i], callee->returns.data[i]))
            return false;
    return true;
}

static bool is_open(const struct code *code, uint32_t frame, uint32_t function)
{
    for (; frame != IR_NONE; frame = code->frames.data[frame].frame.parent)
        if (code->frames.data[frame].frame.function == function)
            return true;
    return false;
}

/* True if the call may be inlined; else says why not. */
static bool may_inline(const struct expander *e, uint32_t frame, const struct ptx_instruction *call,
                       uint32_t callee, enum ir_call_left *left)
{
    const struct code *code = e->code;
    *left = IR_LEFT_INDIRECT;
    if (callee == PTX_NONE)
        return false;
    const struct ptx_function *function = &code->module->functions.data[callee];
    *left = IR_LEFT_EXTERNAL;
    if (!function->has_body || ir_function_is_no_return(code->module, callee))
        return false;
    *left = IR_LEFT_RECURSIVE;
    if (is_open(code, frame, callee))
        return false;
    *left = IR_LEFT_DEEP;
    if (code->frames.data[frame].frame.depth >= e->max_depth)
        return false;
    *left = IR_LEFT_LARGE;
    if (e->wanted + function->instructions.count > e->max_instructions)
        return false;
    *left = IR_LEFT_ARGUMENTS;
    return is_same_shape(code, call, function);
}

static uint32_t add_frame(struct code *code, uint32_t function, uint32_t parent, uint32_t call)
{
    struct code_frame *frame = vec_push(code->arena, &code->frames);
    frame->source = &code->module->functions.data[function];
    frame->frame = (struct ir_frame){
        function, parent, call, parent == IR_NONE ? 0 : code->frames.data[parent].frame.depth + 1};
    frame->position =
        ARENA_ARRAY(code->arena, uint32_t, (size_t)frame->source->instructions.count + 1);
    frame->register_base = code->register_count;
    code->register_count += frame->source->registers.count;
    return code->frames.count - 1;
}

/* Recursion is bounded by max_depth. */
static void expand(struct expander *e, uint32_t frame)
{
    struct code *code = e->code;
    const struct ptx_function *source = code->frames.data[frame].source;
    uint32_t *position = code->frames.data[frame].position;
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &source->instructions.data[i];
        uint32_t item = code->items.count;
        position[i] = item;
        *vec_push(code->arena, &code->items) = (struct code_item){frame, i, IR_NONE};
        if (instruction->op != PTX_OP_call || e->max_depth == 0)
            continue;
        uint32_t callee = ir_call_target(code->module, instruction);
        enum ir_call_left left;
        if (!may_inline(e, frame, instruction, callee, &left)) {
            code->left[left]++;
            *vec_push(code->arena, &code->left_calls) = (uint64_t)item << 8 | left;
            continue;
        }
        e->wanted += code->module->functions.data[callee].instructions.count;
        uint32_t child = add_frame(code, callee, frame, i);
        code->items.data[item].child = child;
        expand(e, child);
    }
    position[source->instructions.count] = code->items.count;
}

static void init(struct code *code, struct arena *arena, const struct ptx_module *module,
                 uint32_t function, uint32_t max_instructions, uint32_t max_depth)
{
    memset(code, 0, sizeof *code);
    code->arena = arena;
    code->module = module;
    add_frame(code, function, IR_NONE, IR_NONE);
    struct expander e = {code, max_instructions, max_depth,
                         code->frames.data[0].source->instructions.count};
    expand(&e, 0);
    code->register_count++;
}

void code_init(struct code *code, struct arena *arena, const struct ptx_module *module,
               uint32_t function)
{
    init(code, arena, module, function, 0, 0);
}

void code_init_inlined(struct code *code, struct arena *arena, const struct ptx_module *module,
                       uint32_t function, const struct ir_options *options)
{
    uint32_t instructions =
        options->max_instructions != 0 ? options->max_instructions : DEFAULT_INSTRUCTIONS;
    uint32_t depth = options->max_depth != 0 ? options->max_depth : DEFAULT_DEPTH;
    init(code, arena, module, function, instructions, depth < 64 ? depth : 64);
}

/* ---- flow of control ------------------------------------------------------------------------- */

static bool is_terminator(const struct ptx_instruction *instruction)
{
    return (ptx_op_info(instruction->op)->flags & PTX_FLAG_TERMINATOR) != 0;
}

/* A ret that goes on behind an inlined call. */
static bool is_inner_return(const struct code *code, uint32_t item)
{
    return code_instruction(code, item)->op == PTX_OP_ret && code->items.data[item].frame != 0;
}

struct code_flow code_flow(const struct code *code, uint32_t item)
{
    const struct ptx_instruction *instruction = code_instruction(code, item);
    bool guarded = instruction->guard != PTX_NONE;
    struct code_flow flow = {false, true, IR_LEAVE_NO};
    if (instruction->op == PTX_OP_call) {
        if (code->items.data[item].child != IR_NONE) {
            flow.ends_block = guarded;
        } else if (ir_function_is_no_return(code->module,
                                            ir_call_target(code->module, instruction))) {
            flow = (struct code_flow){true, guarded, IR_LEAVE_NO_RETURN};
        }
    } else if (is_terminator(instruction)) {
        flow = (struct code_flow){true, guarded, IR_LEAVE_NO};
        if (instruction->op == PTX_OP_ret && !is_inner_return(code, item))
            flow.leave = IR_LEAVE_RETURN;
        else if (instruction->op == PTX_OP_exit)
            flow.leave = IR_LEAVE_EXIT;
        else if (instruction->op == PTX_OP_trap)
            flow.leave = IR_LEAVE_TRAP;
    }
    return flow;
}

static void visit_labels(const struct code_frame *frame, const struct ptx_operand *operands,
                         uint32_t count, code_target_visitor *visit, void *context)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i].kind == PTX_OPERAND_LABEL &&
            operands[i].id <= frame->source->instructions.count)
            visit(context, frame->position[operands[i].id]);
        else if (operands[i].kind == PTX_OPERAND_LIST)
            visit_labels(frame, operands[i].elements, operands[i].count, visit, context);
    }
}

void code_visit_targets(const struct code *code, uint32_t item, code_target_visitor *visit,
                        void *context)
{
    const struct ptx_instruction *instruction = code_instruction(code, item);
    const struct code_frame *frame = &code->frames.data[code->items.data[item].frame];
    uint32_t child = code->items.data[item].child;
    if (child != IR_NONE) {
        const struct code_frame *callee = &code->frames.data[child];
        if (instruction->guard != PTX_NONE)
            visit(context, callee->position[callee->source->instructions.count]);
    } else if (is_inner_return(code, item)) {
        visit(context, frame->position[frame->source->instructions.count]);
    } else if (is_terminator(instruction)) {
        visit_labels(frame, instruction->operands, instruction->operand_count, visit, context);
    }
}
