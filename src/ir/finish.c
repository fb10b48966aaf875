/* SPDX-License-Identifier: Apache-2.0
 *
 * The last passes: phis that choose nothing and values that nobody needs go out, blocks get their
 * final order, values their final numbers, and everything moves from the draft into a struct
 * ir_function.
 */
#include "ir/build.h"

#include <string.h>

enum { MAX_PHI_PASSES = 10 };

void uses_build(struct arena *arena, const struct ir_instruction *instructions, uint32_t count,
                const uint32_t *operands, uint32_t value_count, uint32_t **use_start,
                uint32_t **uses)
{
    uint32_t *start = *use_start = ARENA_ARRAY(arena, uint32_t, (size_t)value_count + 2);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t o = 0; o < instructions[i].operand_count; o++)
            start[operands[instructions[i].first_operand + o] + 2]++;
        if (instructions[i].guard != IR_NONE)
            start[instructions[i].guard + 2]++;
    }
    for (uint32_t v = 2; v < value_count + 2; v++)
        start[v] += start[v - 1];
    *uses = ARENA_ARRAY(arena, uint32_t, start[value_count + 1]);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t o = 0; o < instructions[i].operand_count; o++)
            (*uses)[start[operands[instructions[i].first_operand + o] + 1]++] = i;
        if (instructions[i].guard != IR_NONE)
            (*uses)[start[instructions[i].guard + 1]++] = i;
    }
}

/* ---- simplification -------------------------------------------------------------------------- */

struct finisher {
    struct draft *draft;
    uint32_t *stands_for; /* value -> value in its place */
    uint8_t *is_needed;   /* instruction */
    uint32_t *new_value, *new_instruction;
};

static uint32_t resolve(const struct finisher *f, uint32_t value)
{
    while (f->stands_for[value] != value) {
        f->stands_for[value] = f->stands_for[f->stands_for[value]];
        value = f->stands_for[value];
    }
    return value;
}

/* A phi whose operands are all one value, or itself, is that value. */
static void drop_phis(struct finisher *f)
{
    struct draft *draft = f->draft;
    bool again = true;
    for (uint32_t pass = 0; again && pass < MAX_PHI_PASSES; pass++) {
        again = false;
        for (uint32_t i = 0; i < draft->instructions.count; i++) {
            const struct ir_instruction *phi = &draft->instructions.data[i];
            if (phi->op != IR_OP_PHI || f->stands_for[phi->first_result] != phi->first_result)
                continue;
            uint32_t only = IR_NONE;
            bool choice = false;
            for (uint32_t o = 0; o < phi->operand_count && !choice; o++) {
                uint32_t value = resolve(f, draft->operands.data[phi->first_operand + o]);
                if (value == phi->first_result || value == only)
                    continue;
                choice = only != IR_NONE;
                only = value;
            }
            if (!choice && only != IR_NONE) {
                f->stands_for[phi->first_result] = only;
                again = true;
            }
        }
    }
    for (uint32_t i = 0; i < draft->operands.count; i++)
        draft->operands.data[i] = resolve(f, draft->operands.data[i]);
    for (uint32_t i = 0; i < draft->instructions.count; i++)
        if (draft->instructions.data[i].guard != IR_NONE)
            draft->instructions.data[i].guard = resolve(f, draft->instructions.data[i].guard);
    for (uint32_t i = 0; i < draft->accesses.count; i++)
        draft->accesses.data[i].address = resolve(f, draft->accesses.data[i].address);
    for (uint32_t i = 0; i < draft->calls.count; i++)
        for (uint32_t a = 0; a < draft->calls.data[i].argument_count; a++)
            if (draft->calls.data[i].arguments[a].value != IR_NONE)
                draft->calls.data[i].arguments[a].value =
                    resolve(f, draft->calls.data[i].arguments[a].value);
}

/* Instructions that count even if nobody uses their results: sites of findings and all that others
 * can see. */
static bool has_effect(const struct ir_instruction *instruction)
{
    if (instruction->op >= PTX_OP_COUNT)
        return false;
    const uint32_t seen = PTX_FLAG_BRANCH | PTX_FLAG_TERMINATOR | PTX_FLAG_LOAD | PTX_FLAG_STORE |
                          PTX_FLAG_ATOMIC | PTX_FLAG_BARRIER | PTX_FLAG_WARP_SYNC | PTX_FLAG_FENCE |
                          PTX_FLAG_VOLATILE | PTX_FLAG_MATRIX | PTX_FLAG_TEXTURE;
    return (ptx_op_info(instruction->op)->flags & seen) != 0 || instruction->op == PTX_OP_OPAQUE ||
           instruction->op == PTX_OP_div || instruction->op == PTX_OP_rem ||
           instruction->access_count != 0 || instruction->result_count == 0;
}

static void find_needed(struct finisher *f)
{
    struct draft *draft = f->draft;
    uint32_t count = draft->instructions.count, depth = 0;
    uint32_t *stack = ARENA_ARRAY(draft->arena, uint32_t, count);
    f->is_needed = ARENA_ARRAY(draft->arena, uint8_t, count);
    for (uint32_t i = 0; i < count; i++) {
        if (has_effect(&draft->instructions.data[i])) {
            f->is_needed[i] = 1;
            stack[depth++] = i;
        }
    }
    while (depth > 0) {
        const struct ir_instruction *instruction = &draft->instructions.data[stack[--depth]];
        for (uint32_t o = 0; o <= instruction->operand_count; o++) {
            uint32_t value = o < instruction->operand_count
                                 ? draft->operands.data[instruction->first_operand + o]
                                 : instruction->guard;
            if (value == IR_NONE || draft->values.data[value].kind != IR_VALUE_RESULT)
                continue;
            uint32_t maker = draft->values.data[value].index;
            if (!f->is_needed[maker]) {
                f->is_needed[maker] = 1;
                stack[depth++] = maker;
            }
        }
    }
}

/* ---- final order ----------------------------------------------------------------------------- */

static uint32_t new_value(struct finisher *f, uint32_t old, struct ir_value *values,
                          uint32_t *count)
{
    if (f->new_value[old] == IR_NONE) {
        values[*count] = f->draft->values.data[old];
        f->new_value[old] = (*count)++;
    }
    return f->new_value[old];
}

/* Numbers values: those that are no results first, then results, both in order of instructions. */
static void number_values(struct finisher *f)
{
    struct draft *draft = f->draft;
    const struct ir_cfg *cfg = draft->cfg;
    struct ir_value *values = ARENA_ARRAY(draft->arena, struct ir_value, draft->values.count);
    uint32_t count = 0;
    f->new_value = ARENA_ARRAY(draft->arena, uint32_t, draft->values.count);
    for (uint32_t v = 0; v < draft->values.count; v++)
        f->new_value[v] = IR_NONE;
    for (int results = 0; results < 2; results++) {
        for (uint32_t k = 0; k < cfg->reachable_count; k++) {
            uint32_t block = cfg->by_order[k];
            for (uint32_t i = draft->first[block]; i < draft->end[block]; i++) {
                const struct ir_instruction *instruction = &draft->instructions.data[i];
                if (!f->is_needed[i])
                    continue;
                for (uint32_t r = 0; results && r < instruction->result_count; r++)
                    new_value(f, instruction->first_result + r, values, &count);
                for (uint32_t o = 0; !results && o <= instruction->operand_count; o++) {
                    uint32_t value = o < instruction->operand_count
                                         ? draft->operands.data[instruction->first_operand + o]
                                         : instruction->guard;
                    if (value != IR_NONE && draft->values.data[value].kind != IR_VALUE_RESULT)
                        new_value(f, value, values, &count);
                }
            }
        }
    }
    draft->values.data = values;
    draft->values.count = count;
}

/* Writes instructions, operands and accesses anew, in the order of the blocks. */
static void number_instructions(struct finisher *f)
{
    struct draft *draft = f->draft;
    struct ir_cfg *cfg = draft->cfg;
    const struct ir_instruction *old_instructions = draft->instructions.data;
    const uint32_t *old_operands = draft->operands.data;
    const struct ir_access *old_accesses = draft->accesses.data;
    uint32_t needed = 0, operand_count = 0, access_count = 0, old_count = draft->instructions.count;
    for (uint32_t i = 0; i < old_count; i++) {
        needed += f->is_needed[i];
        operand_count += f->is_needed[i] ? old_instructions[i].operand_count : 0;
        access_count += f->is_needed[i] ? old_instructions[i].access_count : 0;
    }
    struct ir_instruction *instructions = ARENA_ARRAY(draft->arena, struct ir_instruction, needed);
    uint32_t *operands = ARENA_ARRAY(draft->arena, uint32_t, operand_count);
    struct ir_access *accesses = ARENA_ARRAY(draft->arena, struct ir_access, access_count);
    f->new_instruction = ARENA_ARRAY(draft->arena, uint32_t, old_count);
    needed = operand_count = access_count = 0;
    for (uint32_t k = 0; k < cfg->block_count; k++) {
        uint32_t block = cfg->by_order[k], first = needed;
        for (uint32_t i = draft->first[block];
             cfg->blocks[block].reachable && i < draft->end[block]; i++) {
            if (!f->is_needed[i])
                continue;
            f->new_instruction[i] = needed;
            struct ir_instruction *instruction = &instructions[needed];
            *instruction = old_instructions[i];
            instruction->first_operand = operand_count;
            for (uint32_t o = 0; o < instruction->operand_count; o++)
                operands[operand_count++] =
                    f->new_value[old_operands[old_instructions[i].first_operand + o]];
            instruction->guard =
                instruction->guard == IR_NONE ? IR_NONE : f->new_value[instruction->guard];
            if (instruction->access_count != 0)
                instruction->first_access = access_count;
            for (uint32_t a = 0; a < instruction->access_count; a++) {
                accesses[access_count] = old_accesses[old_instructions[i].first_access + a];
                accesses[access_count].instruction = needed;
                accesses[access_count].address = f->new_value[accesses[access_count].address];
                access_count++;
            }
            if (instruction->result_count != 0)
                instruction->first_result = f->new_value[instruction->first_result];
            for (uint32_t r = 0; r < instruction->result_count; r++)
                draft->values.data[instruction->first_result + r].index = needed;
            needed++;
        }
        cfg->blocks[block].first = draft->first[block] = first;
        cfg->blocks[block].end = draft->end[block] = needed;
    }
    cfg->blocks[cfg->exit].first = cfg->blocks[cfg->exit].end = needed;
    draft->instructions.data = instructions;
    draft->instructions.count = needed;
    draft->operands = (struct ids){operands, operand_count, operand_count};
    draft->accesses.data = accesses;
    draft->accesses.count = access_count;
}

static void number_details(struct finisher *f)
{
    struct draft *draft = f->draft;
    for (uint32_t i = 0; i < draft->calls.count; i++) {
        struct ir_call *call = &draft->calls.data[i];
        call->instruction = f->new_instruction[call->instruction];
        for (uint32_t a = 0; a < call->argument_count; a++)
            if (call->arguments[a].value != IR_NONE)
                call->arguments[a].value = f->new_value[call->arguments[a].value];
        for (uint32_t r = 0; r < call->result_count; r++)
            if (call->results[r].value != IR_NONE)
                call->results[r].value = f->new_value[call->results[r].value];
    }
    for (uint32_t i = 0; i < draft->switches.count; i++)
        draft->switches.data[i].instruction =
            f->new_instruction[draft->switches.data[i].instruction];
}

/* ---- moving out ------------------------------------------------------------------------------ */

static void set_blocks(struct draft *draft, struct ir_function *function)
{
    struct ir_cfg *cfg = draft->cfg;
    cfg->block_of_instruction =
        ARENA_ARRAY(draft->arena, uint32_t, (size_t)draft->instructions.count + 1);
    function->phi_end = ARENA_ARRAY(draft->arena, uint32_t, cfg->block_count);
    for (uint32_t b = 0; b < cfg->block_count; b++) {
        uint32_t i = cfg->blocks[b].first;
        while (i < cfg->blocks[b].end && draft->instructions.data[i].op == IR_OP_PHI)
            i++;
        function->phi_end[b] = i;
        for (i = cfg->blocks[b].first; i < cfg->blocks[b].end; i++)
            cfg->block_of_instruction[i] = draft->instructions.data[i].block = b;
    }
    cfg->block_of_instruction[draft->instructions.count] = cfg->exit;
}

struct ir_function *finish_function(struct draft *draft, uint32_t index)
{
    struct finisher f = {.draft = draft,
                         .stands_for = ARENA_ARRAY(draft->arena, uint32_t, draft->values.count)};
    for (uint32_t v = 0; v < draft->values.count; v++)
        f.stands_for[v] = v;
    drop_phis(&f);
    find_needed(&f);
    number_values(&f);
    number_instructions(&f);
    number_details(&f);
    pointer_analyse(draft);

    struct ir_function *function = ARENA_NEW(draft->arena, struct ir_function);
    set_blocks(draft, function);
    function->arena = draft->arena;
    function->module = draft->module;
    function->function = index;
    function->cfg = draft->cfg;
    function->instructions = draft->instructions.data;
    function->instruction_count = draft->instructions.count;
    function->values = draft->values.data;
    function->value_count = draft->values.count;
    function->operands = draft->operands.data;
    function->operand_count = draft->operands.count;
    function->use_start = draft->pointers->use_start;
    function->uses = draft->pointers->uses;
    function->pointers = draft->pointers->of;
    function->accesses = draft->accesses.data;
    function->access_count = draft->accesses.count;
    function->frame_count = draft->code.frames.count;
    function->frames = ARENA_ARRAY(draft->arena, struct ir_frame, function->frame_count);
    for (uint32_t i = 0; i < function->frame_count; i++)
        function->frames[i] = draft->code.frames.data[i].frame;
    function->objects = draft->objects.data;
    function->object_count = draft->objects.count;
    function->bases = draft->pointers->bases.data;
    function->base_count = draft->pointers->bases.count;
    function->sets = draft->pointers->sets.data;
    function->set_count = draft->pointers->sets.count;
    function->set_members = draft->pointers->members.data;
    function->calls = draft->calls.data;
    function->call_count = draft->calls.count;
    function->switches = draft->switches.data;
    function->switch_count = draft->switches.count;
    memcpy(function->left, draft->code.left, sizeof function->left);
    function->rounds = draft->rounds;
    function->has_opaque = draft->has_opaque;
    for (uint32_t i = 0; i < function->access_count; i++)
        function->has_regions |= function->accesses[i].has_region;
    return function;
}
