/* SPDX-License-Identifier: Apache-2.0
 *
 * The verifier: checks every rule of ir.h, collects what is broken and prints it beside the code.
 * It trusts nothing, so it also survives a function that is badly broken.
 */
#include "ir/print.h"

enum { MAX_COMPLAINTS = 50 };

struct complaint {
    uint32_t instruction, block; /* one of them, or both IR_NONE: about the whole */
    const char *text;
};

struct verifier {
    const struct ir_function *function;
    struct arena *arena;
    uint32_t count;
    VEC(struct complaint) complaints;
};

static void complain(struct verifier *v, uint32_t instruction, uint32_t block, const char *format,
                     ...) LW_PRINTF(4, 5);

static void complain(struct verifier *v, uint32_t instruction, uint32_t block, const char *format,
                     ...)
{
    if (v->count++ >= MAX_COMPLAINTS)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(v->arena, format, arguments);
    va_end(arguments);
    *vec_push(v->arena, &v->complaints) = (struct complaint){instruction, block, text};
}

/* ---- graph ----------------------------------------------------------------------------------- */

static bool has_edge(const uint32_t *blocks, uint32_t count, uint32_t block)
{
    for (uint32_t i = 0; i < count; i++)
        if (blocks[i] == block)
            return true;
    return false;
}

/* Big joins are only counted: looking each edge up would be quadratic. */
static void check_edges(struct verifier *v, uint32_t b)
{
    const struct ir_cfg *cfg = v->function->cfg;
    const struct ir_block *block = &cfg->blocks[b];
    for (uint32_t i = 0; i < block->successor_count; i++) {
        uint32_t to = block->successors[i];
        if (to >= cfg->block_count)
            complain(v, IR_NONE, b, "successor %u does not exist", to);
        else if (cfg->blocks[to].predecessor_count < 64 && block->reachable &&
                 !has_edge(cfg->blocks[to].predecessors, cfg->blocks[to].predecessor_count, b))
            complain(v, IR_NONE, b, "B%u does not know it as predecessor", to);
    }
    for (uint32_t i = 0; i < block->predecessor_count; i++) {
        uint32_t from = block->predecessors[i];
        if (from >= cfg->block_count || !cfg->blocks[from].reachable)
            complain(v, IR_NONE, b, "predecessor %u does not exist or is unreachable", from);
        else if (cfg->blocks[from].successor_count < 64 &&
                 !has_edge(cfg->blocks[from].successors, cfg->blocks[from].successor_count, b))
            complain(v, IR_NONE, b, "B%u does not lead here", from);
    }
}

static void check_block(struct verifier *v, uint32_t b)
{
    const struct ir_cfg *cfg = v->function->cfg;
    const struct ir_block *block = &cfg->blocks[b];
    if (block->first > block->end || block->end > v->function->instruction_count) {
        complain(v, IR_NONE, b, "range [%u,%u) is broken", block->first, block->end);
        return;
    }
    check_edges(v, b);
    if (b != 0 && block->reachable) {
        if (block->predecessor_count == 0)
            complain(v, IR_NONE, b, "reachable, but without predecessors");
        if (block->idom >= cfg->block_count || block->idom == b ||
            !ir_cfg_dominates(cfg, block->idom, b))
            complain(v, IR_NONE, b, "bad immediate dominator");
        for (uint32_t i = 0; i < block->predecessor_count && block->idom < cfg->block_count; i++)
            if (!ir_cfg_dominates(cfg, block->idom, block->predecessors[i]))
                complain(v, IR_NONE, b, "its immediate dominator does not dominate B%u",
                         block->predecessors[i]);
    }
    if (block->reachable &&
        (block->ipdom > cfg->exit || !ir_cfg_postdominates(cfg, block->ipdom, b)))
        complain(v, IR_NONE, b, "bad immediate post-dominator");
    if (block->loop != IR_NONE &&
        (block->loop >= cfg->loop_count || !ir_loop_contains(cfg, block->loop, b)))
        complain(v, IR_NONE, b, "bad loop");
    bool branches =
        block->end > block->first && v->function->instructions[block->end - 1].op == PTX_OP_bra;
    if (branches && block->successor_count != 2 && block->fallthrough == IR_NONE)
        complain(v, block->end - 1, b, "a conditional branch needs a way to fall through");
    if (block->reachable && !branches && block->successor_count > 1 &&
        block->leave == IR_LEAVE_NO &&
        (block->end == block->first || v->function->instructions[block->end - 1].op != PTX_OP_brx))
        complain(v, IR_NONE, b, "several successors without a branch");
    if (block->reachable && block->successor_count == 0 && block->leave == IR_LEAVE_NO)
        complain(v, IR_NONE, b, "goes nowhere and does not leave");
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_value(const struct verifier *v, uint32_t value)
{
    return value < v->function->value_count;
}

/* `value`, used by instruction `user`, at the end of `block` if the user is a phi. */
static void check_use(struct verifier *v, uint32_t user, uint32_t value, uint32_t block)
{
    const struct ir_function *function = v->function;
    if (!is_value(v, value)) {
        complain(v, user, IR_NONE, "operand %u does not exist", value);
        return;
    }
    const struct ir_value *used = &function->values[value];
    if (used->kind != IR_VALUE_RESULT)
        return;
    if (used->index >= function->instruction_count) {
        complain(v, user, IR_NONE, "%%%u is made nowhere", value);
        return;
    }
    const struct ir_instruction *maker = &function->instructions[used->index];
    if (value < maker->first_result || value - maker->first_result >= maker->result_count)
        complain(v, user, IR_NONE, "%%%u is no result of its instruction", value);
    bool is_phi = function->instructions[user].op == IR_OP_PHI;
    if (maker->block >= function->cfg->block_count ||
        !ir_cfg_dominates(function->cfg, maker->block, block))
        complain(v, user, IR_NONE, "%%%u does not dominate this use", value);
    else if (maker->block == block && !is_phi && used->index >= user)
        complain(v, user, IR_NONE, "%%%u is used before it is made", value);
}

static unsigned bits_of(const struct verifier *v, uint32_t value)
{
    return is_value(v, value) ? v->function->values[value].bits : 0;
}

/* Widths of our own operations. */
static void check_own(struct verifier *v, uint32_t index)
{
    const struct ir_function *function = v->function;
    const struct ir_instruction *instruction = &function->instructions[index];
    const uint32_t *operands = ir_operands(function, instruction);
    uint32_t count = instruction->operand_count;
    unsigned bits = bits_of(v, instruction->first_result), sum = 0;
    if (instruction->result_count != 1) {
        complain(v, index, IR_NONE, "needs one result");
        return;
    }
    switch ((enum ir_op)instruction->op) {
    case IR_OP_PHI:
        for (uint32_t o = 0; o < count; o++)
            if (bits_of(v, operands[o]) != bits)
                complain(v, index, IR_NONE, "operand %u has %u bits", o, bits_of(v, operands[o]));
        break;
    case IR_OP_SELECT:
        if (count != 3 || bits_of(v, operands[0]) != 1 || bits_of(v, operands[1]) != bits ||
            bits_of(v, operands[2]) != bits)
            complain(v, index, IR_NONE, "a select needs a predicate and two values of its width");
        break;
    case IR_OP_NOT:
        if (count != 1 || bits != 1 || bits_of(v, operands[0]) != 1)
            complain(v, index, IR_NONE, "not is for one predicate");
        break;
    case IR_OP_EXTEND:
        if (count != 1 || bits_of(v, operands[0]) >= bits)
            complain(v, index, IR_NONE, "an extension must widen");
        break;
    case IR_OP_EXTRACT:
        if (count != 1 || instruction->immediate * 8u + bits > bits_of(v, operands[0]))
            complain(v, index, IR_NONE, "extracts what is not there");
        break;
    case IR_OP_CONCAT:
        for (uint32_t o = 0; o < count; o++)
            sum += bits_of(v, operands[o]);
        if (sum != bits)
            complain(v, index, IR_NONE, "parts have %u bits together", sum);
        break;
    default:
        break;
    }
}

static void check_accesses(struct verifier *v, uint32_t index)
{
    const struct ir_function *function = v->function;
    const struct ir_instruction *instruction = &function->instructions[index];
    if (instruction->access_count == 0)
        return;
    if (instruction->first_access >= function->access_count ||
        instruction->access_count > function->access_count - instruction->first_access) {
        complain(v, index, IR_NONE, "accesses do not exist");
        return;
    }
    for (uint32_t a = 0; a < instruction->access_count; a++) {
        const struct ir_access *access = &function->accesses[instruction->first_access + a];
        if (access->instruction != index)
            complain(v, index, IR_NONE, "access %u belongs to instruction %u", a,
                     access->instruction);
        if (access->operand >= instruction->operand_count ||
            ir_operands(function, instruction)[access->operand] != access->address)
            complain(v, index, IR_NONE, "access %u: its address is not that operand", a);
        if (function->sets != NULL &&
            (access->pointer.set == 0 || access->pointer.set >= function->set_count))
            complain(v, index, IR_NONE, "access %u has no base set", a);
        if (function->bases != NULL && access->pointer.base != IR_NONE &&
            access->pointer.base >= function->base_count)
            complain(v, index, IR_NONE, "access %u has a bad base", a);
    }
}

static void check_pieces(struct verifier *v, uint32_t index, const struct ir_piece *pieces,
                         uint32_t count, bool are_results)
{
    const struct ir_function *function = v->function;
    for (uint32_t i = 0; i < count; i++) {
        const struct ir_piece *piece = &pieces[i];
        if (piece->object != IR_NONE && piece->object >= function->object_count)
            complain(v, index, IR_NONE, "piece %u is of no object", i);
        if (piece->value == IR_NONE)
            continue;
        if (!is_value(v, piece->value) ||
            (piece->size != 0 && bits_of(v, piece->value) != piece->size * 8))
            complain(v, index, IR_NONE, "piece %u has no fitting value", i);
        else if (are_results && function->values[piece->value].index != index)
            complain(v, index, IR_NONE, "piece %u is no result of the call", i);
        else if (!are_results &&
                 !has_edge(ir_operands(function, &function->instructions[index]),
                           function->instructions[index].operand_count, piece->value))
            complain(v, index, IR_NONE, "piece %u is no operand of the call", i);
    }
}

static void check_detail(struct verifier *v, uint32_t index)
{
    const struct ir_function *function = v->function;
    const struct ir_instruction *instruction = &function->instructions[index];
    if (instruction->op == PTX_OP_call) {
        if (instruction->detail >= function->call_count ||
            function->calls[instruction->detail].instruction != index) {
            complain(v, index, IR_NONE, "call without its record");
            return;
        }
        const struct ir_call *call = &function->calls[instruction->detail];
        check_pieces(v, index, call->arguments, call->argument_count, false);
        check_pieces(v, index, call->results, call->result_count, true);
    } else if (instruction->op == PTX_OP_brx) {
        if (instruction->detail >= function->switch_count ||
            function->switches[instruction->detail].instruction != index) {
            complain(v, index, IR_NONE, "brx without its record");
            return;
        }
        const struct ir_switch *table = &function->switches[instruction->detail];
        for (uint32_t i = 0; i < table->count; i++)
            if (table->targets[i] >= function->cfg->block_count)
                complain(v, index, IR_NONE, "brx target %u does not exist", i);
    } else if (instruction->detail != IR_NONE) {
        complain(v, index, IR_NONE, "a record for an instruction that needs none");
    }
}

static void check_instruction(struct verifier *v, uint32_t index, uint32_t b)
{
    const struct ir_function *function = v->function;
    const struct ir_instruction *instruction = &function->instructions[index];
    const struct ir_block *block = &function->cfg->blocks[b];
    if (instruction->block != b)
        complain(v, index, b, "says it is in B%u", instruction->block);
    if (instruction->op >= IR_OP_COUNT || instruction->first_operand > function->operand_count ||
        instruction->operand_count > function->operand_count - instruction->first_operand) {
        complain(v, index, b, "bad operation or operands");
        return;
    }
    for (uint32_t r = 0; r < instruction->result_count; r++) {
        uint32_t value = instruction->first_result + r;
        if (!is_value(v, value) || function->values[value].kind != IR_VALUE_RESULT ||
            function->values[value].index != index)
            complain(v, index, b, "result %u is not its own", r);
    }
    bool is_phi = instruction->op == IR_OP_PHI;
    if (is_phi && instruction->operand_count != block->predecessor_count) {
        complain(v, index, b, "%u operands for %u predecessors", instruction->operand_count,
                 block->predecessor_count);
        return;
    }
    if (is_phi && index > block->first && function->instructions[index - 1].op != IR_OP_PHI)
        complain(v, index, b, "phi behind other instructions");
    for (uint32_t o = 0; o < instruction->operand_count; o++)
        check_use(v, index, ir_operands(function, instruction)[o],
                  is_phi ? block->predecessors[o] : b);
    if (instruction->guard != IR_NONE) {
        check_use(v, index, instruction->guard, b);
        if (bits_of(v, instruction->guard) != 1)
            complain(v, index, b, "guard is no predicate");
    }
    if (!is_phi && instruction->source == NULL)
        complain(v, index, b, "comes from nowhere");
    if (instruction->frame >= function->frame_count)
        complain(v, index, b, "frame %u does not exist", instruction->frame);
    if (instruction->op >= PTX_OP_COUNT)
        check_own(v, index);
    bool ends = instruction->op == PTX_OP_bra || instruction->op == PTX_OP_brx ||
                instruction->op == PTX_OP_ret || instruction->op == PTX_OP_exit ||
                instruction->op == PTX_OP_trap;
    if (ends && index + 1 != block->end)
        complain(v, index, b, "not the last of its block");
    check_accesses(v, index);
    check_detail(v, index);
}

static void check_values(struct verifier *v)
{
    const struct ir_function *function = v->function;
    for (uint32_t i = 0; i < function->value_count; i++) {
        const struct ir_value *value = &function->values[i];
        uint32_t limit = value->kind == IR_VALUE_PARAMETER  ? function->module->variables.count
                         : value->kind == IR_VALUE_SPECIAL  ? PTX_SPECIAL_COUNT
                         : value->kind == IR_VALUE_ADDRESS  ? function->object_count
                         : value->kind == IR_VALUE_FUNCTION ? function->module->functions.count
                                                            : IR_NONE;
        if (value->kind >= IR_VALUE_KIND_COUNT || value->index >= limit)
            complain(v, IR_NONE, IR_NONE, "value %u is broken", i);
    }
    if (function->use_start == NULL)
        return;
    /* Uses: as many as operands and guards, each at an instruction that has the value. */
    uint64_t mentions = 0;
    for (uint32_t i = 0; i < function->instruction_count; i++)
        mentions +=
            function->instructions[i].operand_count + (function->instructions[i].guard != IR_NONE);
    if (function->use_start[function->value_count] != mentions)
        complain(v, IR_NONE, IR_NONE, "%u uses are listed, %llu are there",
                 function->use_start[function->value_count], (unsigned long long)mentions);
    for (uint32_t value = 0; value < function->value_count; value++) {
        for (uint32_t u = function->use_start[value]; u < function->use_start[value + 1]; u++) {
            const struct ir_instruction *user = &function->instructions[function->uses[u]];
            if (user->guard != value && user->operand_count < 64 &&
                !has_edge(ir_operands(function, user), user->operand_count, value))
                complain(v, function->uses[u], IR_NONE, "listed as a use of value %u", value);
        }
    }
}

/* The final form has one more rule: blocks stand by scheduling order and fill the array. */
static void check_order(struct verifier *v)
{
    const struct ir_function *function = v->function;
    uint32_t next = 0;
    if (function->use_start == NULL)
        return;
    for (uint32_t k = 0; k < function->cfg->block_count; k++) {
        const struct ir_block *block = &function->cfg->blocks[function->cfg->by_order[k]];
        if (block->first != next)
            complain(v, IR_NONE, function->cfg->by_order[k], "starts at %u, not %u", block->first,
                     next);
        next = block->end;
    }
    if (next != function->instruction_count)
        complain(v, IR_NONE, IR_NONE, "%u instructions are in no block",
                 function->instruction_count - next);
}

static void print_complaints(const struct verifier *v, struct buffer *out)
{
    const struct ir_function *function = v->function;
    const struct ir_cfg *cfg = function->cfg;
    for (uint32_t i = 0; i < v->complaints.count; i++)
        if (v->complaints.data[i].instruction == IR_NONE && v->complaints.data[i].block == IR_NONE)
            buffer_printf(out, "!! %s\n", v->complaints.data[i].text);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        const struct ir_block *block = &cfg->blocks[b];
        bool printed = false;
        for (uint32_t i = 0; i < v->complaints.count; i++) {
            const struct complaint *complaint = &v->complaints.data[i];
            bool here =
                complaint->instruction != IR_NONE
                    ? complaint->instruction >= block->first && complaint->instruction < block->end
                    : complaint->block == b;
            if (!here)
                continue;
            if (!printed)
                ir_block_print(function, b, out);
            printed = true;
            if (complaint->instruction != IR_NONE)
                ir_instruction_print(function, complaint->instruction, out);
            buffer_printf(out, "!! %s\n", complaint->text);
        }
    }
    if (v->count > v->complaints.count)
        buffer_printf(out, "!! and %u more\n", v->count - v->complaints.count);
}

uint32_t ir_function_verify(const struct ir_function *function, struct buffer *out)
{
    struct verifier v = {.function = function, .arena = out->arena};
    for (uint32_t b = 0; b < function->cfg->block_count; b++) {
        const struct ir_block *block = &function->cfg->blocks[b];
        if (!block->reachable)
            continue;
        uint32_t before = v.count;
        check_block(&v, b);
        if (v.count != before &&
            (block->first > block->end || block->end > function->instruction_count))
            continue;
        for (uint32_t i = block->first; i < block->end; i++)
            check_instruction(&v, i, b);
    }
    check_values(&v);
    check_order(&v);
    if (v.count != 0)
        print_complaints(&v, out);
    return v.count;
}
