/* SPDX-License-Identifier: Apache-2.0
 *
 * From what was proved about a kernel to where checks stand.
 *
 * A site of `check` is a source line; a point is one PTX instruction.  An unrolled line can have proved and unproved copies: only the
 * unproved ones get a check.  Inlined copies of a device function's instruction are one point, as weak as the weakest.
 */
#include "guard/rewrite.h"

#include <stdlib.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------------------------------------- */

static bool is_bounds(uint32_t number)
{
    return number == 101 || number == 102;
}

static bool has_check(uint32_t number)
{
    return is_bounds(number) || number == 103 || number == 105 || number == 106 || number == 404;
}

static void set_access(struct guard_rewrite *rewrite, struct guard_plan *plan, struct guard_point *point, uint32_t access_index)
{
    const struct ir_function *ir = plan->result->ir;
    const struct ir_access *access = &ir->accesses[access_index];
    const struct ir_instruction *instruction = &ir->instructions[access->instruction];
    const struct ir_base_set *set = &ir->sets[access->pointer.set];
    point->operand = access_index - instruction->first_access;
    point->size = access->size * access->count;
    point->element = access->size;
    point->written_space = access->written_space;
    point->is_write = (access->flags & IR_ACCESS_WRITE) != 0;
    point->is_whole_warp = (access->flags & IR_ACCESS_COLLECTIVE) != 0;
    point->is_plain = instruction->op == PTX_OP_ld || instruction->op == PTX_OP_st || instruction->op == PTX_OP_ldu;
    point->knows_bases = set->count != 0 && set->count <= GUARD_BASES_MAX;
    for (uint32_t i = 0; point->knows_bases && i < set->count; i++) {
        uint32_t array = guard_array_find(rewrite->arena, &plan->arrays, plan->result, &ir->bases[ir->set_members[set->first + i]]);
        point->knows_bases = array != GUARD_NONE;
        if (array != GUARD_NONE)
            point->bases[point->base_count++] = array;
    }
}

static struct guard_point *add_point(struct guard_rewrite *rewrite, struct guard_plan *plan, const struct check_copy *copy,
                                     uint32_t number, uint32_t ir_instruction)
{
    const struct ir_function *ir = plan->result->ir;
    const struct ir_instruction *instruction = &ir->instructions[ir_instruction];
    struct guard_point *point = vec_push(rewrite->arena, &plan->points);
    *point = (struct guard_point){.function = ir->frames[instruction->frame].function,
                                  .instruction = instruction->index,
                                  .number = number,
                                  .verdict_index = copy->site,
                                  .proof = copy->verdict,
                                  .value = copy->value,
                                  .consumer = copy->consumer,
                                  .reads_signed = copy->reads_signed};
    return point;
}

static void add_copy(struct guard_rewrite *rewrite, struct guard_plan *plan, const struct check_copy *copy)
{
    const struct check_result *result = plan->result;
    uint32_t number = finding_info(result->sites.data[copy->site].kind)->number;
    const struct ir_instruction *instruction = &result->ir->instructions[copy->instruction];
    if (!has_check(number) || instruction->index == IR_NONE)
        return;
    if (number == 103) {
        add_point(rewrite, plan, copy, number, copy->consumer != IR_NONE ? copy->consumer : copy->instruction);
    } else if (number == 106 || number == 404) {
        add_point(rewrite, plan, copy, number, copy->instruction);
    } else if (copy->access != IR_NONE) {
        set_access(rewrite, plan, add_point(rewrite, plan, copy, number, copy->instruction), copy->access);
    } else { /* a kernel that was not analysed: all accesses of the instruction; a call or an unknown instruction has none */
        for (uint32_t a = 0; a < instruction->access_count; a++)
            set_access(rewrite, plan, add_point(rewrite, plan, copy, number, copy->instruction), instruction->first_access + a);
        if (instruction->access_count == 0)
            add_point(rewrite, plan, copy, number, copy->instruction)->obstacle = result->sites.data[copy->site].reason;
    }
}

/* ---- joining ------------------------------------------------------------------------------------------------------------- */

static int compare_points(const void *left, const void *right)
{
    const struct guard_point *a = left, *b = right;
    const uint32_t keys[][2] = {{a->function, b->function}, {a->instruction, b->instruction}, {a->number, b->number},
                                {a->operand, b->operand},   {a->value, b->value},             {a->verdict_index, b->verdict_index}};
    for (unsigned i = 0; i < COUNT_OF(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static void join(struct guard_point *into, const struct guard_point *from)
{
    into->proof = from->proof > into->proof ? from->proof : into->proof;
    into->knows_bases = into->knows_bases && from->knows_bases;
    into->is_whole_warp |= from->is_whole_warp;
    into->obstacle = into->obstacle != NULL ? into->obstacle : from->obstacle;
    for (uint32_t i = 0; i < from->base_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < into->base_count; k++)
            known |= into->bases[k] == from->bases[i];
        if (!known && into->base_count < GUARD_BASES_MAX)
            into->bases[into->base_count++] = from->bases[i];
        else if (!known)
            into->knows_bases = false;
    }
}

static void join_points(guard_points *points)
{
    uint32_t count = 0;
    if (points->count != 0)
        qsort(points->data, points->count, sizeof *points->data, compare_points);
    for (uint32_t i = 0; i < points->count; i++) {
        struct guard_point *last = count != 0 ? &points->data[count - 1] : NULL, *next = &points->data[i];
        if (last != NULL && last->function == next->function && last->instruction == next->instruction &&
            last->number == next->number && last->operand == next->operand && last->value == next->value)
            join(last, next);
        else
            points->data[count++] = *next;
    }
    points->count = count;
}

/* ---- decisions ------------------------------------------------------------------------------------------------------------- */

static const char *obstacle_of(const struct guard_plan *plan, const struct guard_point *point)
{
    if (point->obstacle != NULL || point->number == 106 || point->number == 404)
        return point->obstacle;
    if (guard_clone_obstacle(plan, point) != NULL)
        return guard_clone_obstacle(plan, point);
    if (point->number == 103)
        return guard_wrap_obstacle(plan, point);
    if (point->is_whole_warp || point->size == 0)
        return "a matrix or bulk access: its bytes are not those of one thread";
    if (point->number == 105)
        return (point->size & (point->size - 1)) == 0 ? NULL : "its size is no power of two";
    if (!point->knows_bases)
        return "the pointer comes from memory or from arithmetic that is not followed";
    for (uint32_t b = 0; b < point->base_count; b++) {
        const struct guard_array *array = &plan->arrays.data[point->bases[b]];
        if (array->no_extent != NULL)
            return array->no_extent;
        if (!array->is_parameter && array->space != point->written_space && point->written_space != PTX_SPACE_NONE)
            return "the pointer comes from memory or from arithmetic that is not followed";
    }
    return NULL;
}

/* The macro speaks of the kernel's own body, with what was inlined into it; the option of everything. */
static bool is_left_unchecked(const struct guard_rewrite *rewrite, const struct guard_plan *plan, const struct guard_kernel *kernel,
                              const struct guard_point *point)
{
    bool is_covered = rewrite->options->unchecked || point->function == plan->result->function;
    return kernel->unchecked_reason != NULL && is_covered && is_bounds(point->number) && point->is_plain && point->obstacle == NULL;
}

static enum guard_outcome decide(struct guard_rewrite *rewrite, struct guard_plan *plan, struct guard_kernel *kernel,
                                 struct guard_point *point)
{
    bool all = rewrite->options->check_all && is_bounds(point->number);
    if (point->proof == CHECK_UNREACHABLE)
        return GUARD_UNREACHABLE;
    if (point->proof == CHECK_PROVED && !all)
        return GUARD_PROVED;
    if (is_left_unchecked(rewrite, plan, kernel, point))
        return GUARD_UNCHECKED;
    point->obstacle = obstacle_of(plan, point);
    if (point->obstacle != NULL)
        return point->proof == CHECK_PROVED ? GUARD_PROVED : GUARD_NOT_CHECKABLE;
    point->wanted = !point->is_implied;
    return point->wanted ? GUARD_CHECKED : GUARD_PROVED;
}

/* The outcome that a site shows when its points have several: what needs attention first. */
static const uint8_t weight[GUARD_OUTCOME_COUNT] = {
    [GUARD_UNREACHABLE] = 0, [GUARD_PROVED] = 1, [GUARD_CHECKED] = 2, [GUARD_REPORTED] = 3, [GUARD_UNCHECKED] = 4, [GUARD_NOT_CHECKABLE] = 5};

static void add_verdicts(struct guard_rewrite *rewrite, const struct check_result *result, struct guard_kernel *kernel)
{
    for (uint32_t s = 0; s < result->sites.count; s++) {
        const struct check_site *site = &result->sites.data[s];
        bool is_open = site->verdict > CHECK_PROVED && !has_check(finding_info(site->kind)->number);
        *vec_push(rewrite->arena, &kernel->verdicts) = (struct guard_verdict){
            .kind = site->kind,
            .proof = (enum check_verdict)site->verdict,
            .outcome = is_open ? GUARD_REPORTED : site->verdict == CHECK_UNREACHABLE ? GUARD_UNREACHABLE : GUARD_PROVED,
            .place = site->place,
            .array = site->array,
            .is_write = site->is_write,
            .copies = site->copies,
            .reason = site->verdict > CHECK_PROVED ? site->reason : NULL,
            .suggestion = site->suggestion,
            .condition = site->condition,
        };
    }
}

/* ---- unchecked indexing --------------------------------------------------------------------------------------------------------- */

static const char *unchecked_reason(const struct guard_rewrite *rewrite, const struct contract *contract)
{
    if (contract != NULL && contract->unchecked_reason != NULL)
        return contract->unchecked_reason;
    return rewrite->options->unchecked ? rewrite->options->unchecked_reason : NULL;
}

void guard_plan_points(struct guard_rewrite *rewrite, struct guard_plan *plan)
{
    for (uint32_t c = 0; plan->result->ir != NULL && c < plan->result->copies.count; c++)
        add_copy(rewrite, plan, &plan->result->copies.data[c]);
    join_points(&plan->points);
}

void guard_plan_make(struct guard_rewrite *rewrite, const struct guard_input *input, struct guard_kernel *kernel,
                     struct guard_plan *plan)
{
    const struct check_result *result = input->result;
    *plan = (struct guard_plan){.input = input, .result = result};
    kernel->unchecked_reason = unchecked_reason(rewrite, result->contract);
    add_verdicts(rewrite, result, kernel);
    guard_plan_points(rewrite, plan);
    for (uint32_t p = 0; p < plan->points.count; p++)
        decide(rewrite, plan, kernel, &plan->points.data[p]);
    if (!rewrite->options->check_all)
        guard_find_implied(rewrite, plan);
    for (uint32_t p = 0; p < plan->points.count; p++) {
        struct guard_point *point = &plan->points.data[p];
        kernel->implied += point->is_implied;
        struct guard_verdict *verdict = &kernel->verdicts.data[point->verdict_index];
        enum guard_outcome outcome = decide(rewrite, plan, kernel, point);
        verdict->checks += outcome == GUARD_CHECKED;
        if (weight[outcome] <= weight[verdict->outcome])
            continue;
        verdict->outcome = outcome;
        if (outcome == GUARD_NOT_CHECKABLE)
            verdict->reason = point->obstacle;
        if (outcome == GUARD_UNCHECKED)
            verdict->reason = kernel->unchecked_reason;
    }
}
