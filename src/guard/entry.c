/* SPDX-License-Identifier: Apache-2.0
 *
 * --entry-check: the contract tested where the kernel starts, for launches that no launcher has looked at.
 *
 * Requires: the entry block of a kernel.  Gives: a test of each relation, of the dimensions of each shape, of block, grid and dynamic
 * shared memory, of the alignment of array starts; the first that fails stops the launch with its text.
 * Gives up on: what a kernel does not know (lengths of arrays, overlap); scalars of 2^63 and more fail every test they occur in.
 */
#include "guard/rewrite.h"

struct entry {
    struct guard_body *body;
    const struct contract *contract;
    struct guard_point point;
};

static void fail_if(struct entry *entry, const char *predicate, const char *what, struct place place)
{
    struct guard_body *body = entry->body;
    struct guard_failure failure = {
        .point = &entry->point, .index = "0", .extent = "0", .element = 1, .what = what, .place = place.line != 0 ? place : entry->contract->place};
    guard_emit(body, &body->entry, "@%s bra %s", predicate, guard_failure_label(body, &failure));
}

static const char *opposite(enum contract_compare compare)
{
    static const char *const names[] = {[CONTRACT_EQUAL] = "ne",      [CONTRACT_NOT_EQUAL] = "eq", [CONTRACT_LESS] = "ge",
                                        [CONTRACT_LESS_EQUAL] = "gt", [CONTRACT_GREATER] = "le",   [CONTRACT_GREATER_EQUAL] = "lt"};
    return names[compare];
}

/* Fails unless `left compare right`, both evaluated already. */
static void require(struct entry *entry, struct guard_evaluation *evaluation, struct guard_number left, enum contract_compare compare,
                    struct guard_number right, const char *what, struct place place)
{
    struct guard_body *body = entry->body;
    if (left.is_constant && right.is_constant && evaluation->bad == NULL && contract_compare_holds(compare, left.low, right.low))
        return;
    const char *register_left = left.text, *breaks = guard_new_predicate(body);
    if (left.is_constant) {
        register_left = guard_new_long(body);
        guard_emit(body, &body->entry, "mov.u64 %s, %s", register_left, left.text);
    }
    guard_emit(body, &body->entry, "setp.%s.s64 %s, %s, %s", opposite(compare), breaks, register_left, right.text);
    if (evaluation->bad != NULL) {
        const char *both = guard_new_predicate(body);
        guard_emit(body, &body->entry, "or.pred %s, %s, %s", both, breaks, evaluation->bad);
        breaks = both;
    }
    fail_if(entry, breaks, what, place);
}

static struct guard_number number(struct entry *entry, contract_integer value)
{
    char text[48];
    return (struct guard_number){
        .is_constant = true, .low = value, .high = value, .text = arena_string(entry->body->rewrite->arena, contract_format(value, text))};
}

static struct guard_number special(struct entry *entry, const char *name)
{
    struct guard_body *body = entry->body;
    const char *word = guard_new_word(body), *wide = guard_new_long(body);
    guard_emit(body, &body->entry, "mov.u32 %s, %s", word, name);
    guard_emit(body, &body->entry, "cvt.u64.u32 %s, %s", wide, word);
    return (struct guard_number){.low = 0, .high = UINT32_MAX, .text = wide};
}

static bool can_evaluate(const struct entry *entry, const struct contract_expression *expression)
{
    return contract_is_given(expression) &&
           guard_expression_obstacle(entry->body->rewrite->arena, entry->contract, expression->root) == NULL;
}

/* A special register against an expression. */
static void require_special(struct entry *entry, const char *name, enum contract_compare compare, const struct contract_expression *expression,
                            const char *what)
{
    struct guard_evaluation evaluation = {.body = entry->body, .contract = entry->contract, .out = &entry->body->entry};
    if (!can_evaluate(entry, expression))
        return;
    struct guard_number right = guard_evaluate(&evaluation, expression->root);
    require(entry, &evaluation, special(entry, name), compare, right, what, expression->place);
}

/* ---- parts of the contract ------------------------------------------------------------------------------------------- */

static void test_relations(struct entry *entry)
{
    const struct contract *contract = entry->contract;
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        struct guard_evaluation evaluation = {.body = entry->body, .contract = contract, .out = &entry->body->entry};
        if (!can_evaluate(entry, &relation->left) || !can_evaluate(entry, &relation->right))
            continue;
        struct guard_number left = guard_evaluate(&evaluation, relation->left.root);
        struct guard_number right = guard_evaluate(&evaluation, relation->right.root);
        require(entry, &evaluation, left, (enum contract_compare)relation->compare, right, relation->text, relation->place);
    }
}

static void test_shapes(struct entry *entry)
{
    const struct contract *contract = entry->contract;
    struct arena *arena = entry->body->rewrite->arena;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        for (uint32_t d = 0; d < parameter->dimensions; d++) {
            struct guard_evaluation evaluation = {.body = entry->body, .contract = contract, .out = &entry->body->entry};
            if (!can_evaluate(entry, &parameter->shape[d]))
                continue;
            struct guard_number dimension = guard_evaluate(&evaluation, parameter->shape[d].root);
            if (dimension.low >= 0 && evaluation.bad == NULL)
                continue;
            require(entry, &evaluation, dimension, CONTRACT_GREATER_EQUAL, number(entry, 0),
                    arena_printf(arena, "dimension `%s` of `%s` is not negative", parameter->shape[d].text, parameter->name),
                    parameter->shape_place);
        }
    }
}

/* The grid is the smallest that covers the domain: (grid - 1) * block < domain <= grid * block; the sides fit 64 bits. */
static void test_domain(struct entry *entry, int axis)
{
    const struct contract *contract = entry->contract;
    struct guard_body *body = entry->body;
    struct arena *arena = body->rewrite->arena;
    const struct contract_expression *expression = &contract->domain[axis];
    struct guard_evaluation evaluation = {.body = body, .contract = contract, .out = &body->entry};
    if (!can_evaluate(entry, expression))
        return;
    struct guard_number domain = guard_evaluate(&evaluation, expression->root);
    struct guard_number grid = special(entry, arena_printf(arena, "%%nctaid.%c", "xyz"[axis]));
    struct guard_number block = special(entry, arena_printf(arena, "%%ntid.%c", "xyz"[axis]));
    struct guard_number covered = {.low = 0, .high = INT64_MAX, .text = guard_new_long(body)};
    struct guard_number before = {.low = 0, .high = INT64_MAX, .text = guard_new_long(body)};
    guard_emit(body, &body->entry, "mul.lo.s64 %s, %s, %s", covered.text, grid.text, block.text);
    guard_emit(body, &body->entry, "sub.s64 %s, %s, %s", before.text, covered.text, block.text);
    const char *what = arena_printf(arena, "grid.%c is the smallest that covers `%s` threads", "xyz"[axis], expression->text);
    require(entry, &evaluation, covered, CONTRACT_GREATER_EQUAL, domain, what, expression->place);
    require(entry, &evaluation, before, CONTRACT_LESS, domain, what, expression->place);
}

static void test_geometry(struct entry *entry)
{
    const struct contract *contract = entry->contract;
    struct guard_body *body = entry->body;
    struct arena *arena = body->rewrite->arena;
    static const char *const blocks[] = {"%ntid.x", "%ntid.y", "%ntid.z"}, *const grids[] = {"%nctaid.x", "%nctaid.y", "%nctaid.z"};
    for (int axis = 0; axis < 3; axis++) {
        struct guard_evaluation plain = {.body = body, .contract = contract, .out = &body->entry};
        char letter = "xyz"[axis];
        require_special(entry, blocks[axis], CONTRACT_EQUAL, &contract->block[axis],
                        arena_printf(arena, "block.%c == %s", letter, contract->block[axis].text != NULL ? contract->block[axis].text : ""));
        if (contract_is_given(&contract->block[0]) && !contract_is_given(&contract->block[axis]))
            require(entry, &plain, special(entry, blocks[axis]), CONTRACT_EQUAL, number(entry, 1), arena_printf(arena, "block.%c == 1", letter),
                    contract->block[0].place);
        test_domain(entry, axis);
        if (contract_is_given(&contract->domain[0]) && !contract_is_given(&contract->domain[axis]))
            require(entry, &plain, special(entry, grids[axis]), CONTRACT_EQUAL, number(entry, 1), arena_printf(arena, "grid.%c == 1", letter),
                    contract->domain[0].place);
    }
    if (can_evaluate(entry, &contract->block_multiple)) {
        struct guard_evaluation evaluation = {.body = body, .contract = contract, .out = &body->entry};
        struct guard_number multiple = guard_evaluate(&evaluation, contract->block_multiple.root);
        const char *what = arena_printf(arena, "block.x is a multiple of %s", contract->block_multiple.text);
        require(entry, &evaluation, multiple, CONTRACT_GREATER, number(entry, 0), what, contract->block_multiple.place);
        struct guard_number block = special(entry, "%ntid.x"), rest = {.low = 0, .high = 1024, .text = guard_new_long(body)};
        guard_emit(body, &body->entry, "rem.s64 %s, %s, %s", rest.text, block.text, multiple.text);
        require(entry, &evaluation, rest, CONTRACT_EQUAL, number(entry, 0), what, contract->block_multiple.place);
    }
    if (can_evaluate(entry, &contract->block_max)) {
        struct guard_evaluation evaluation = {.body = body, .contract = contract, .out = &body->entry};
        struct guard_number most = guard_evaluate(&evaluation, contract->block_max.root);
        struct guard_number threads = special(entry, blocks[0]);
        for (int axis = 1; axis < 3; axis++) {
            const char *product = guard_new_long(body);
            guard_emit(body, &body->entry, "mul.lo.s64 %s, %s, %s", product, threads.text, special(entry, blocks[axis]).text);
            threads.text = product;
        }
        require(entry, &evaluation, threads, CONTRACT_LESS_EQUAL, most,
                arena_printf(arena, "at most %s threads a block", contract->block_max.text), contract->block_max.place);
    }
    require_special(entry, "%dynamic_smem_size", CONTRACT_GREATER_EQUAL, &contract->shared_bytes,
                    arena_printf(arena, "%s bytes of dynamic shared memory", contract->shared_bytes.text != NULL ? contract->shared_bytes.text : ""));
}

static void test_alignment(struct entry *entry)
{
    struct guard_body *body = entry->body;
    struct arena *arena = body->rewrite->arena;
    const struct ptx_module *module = body->rewrite->module;
    for (uint32_t p = 0; p < entry->contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &entry->contract->parameters.data[p];
        uint32_t alignment = body->kernel->alignments[p];
        if (parameter->kind != CONTRACT_POINTER || alignment <= 1 || parameter->position >= body->source->parameters.count)
            continue;
        const char *start = guard_new_long(body), *rest = guard_new_long(body), *is_off = guard_new_predicate(body);
        guard_emit(body, &body->entry, "ld.param.u64 %s, [%s+%u]", start,
                   module->variables.data[body->source->parameters.data[parameter->position]].name, parameter->offset);
        guard_emit(body, &body->entry, "and.b64 %s, %s, %u", rest, start, alignment - 1);
        guard_emit(body, &body->entry, "setp.ne.s64 %s, %s, 0", is_off, rest);
        fail_if(entry, is_off, arena_printf(arena, "`%s` starts at a multiple of %u bytes", parameter->name, alignment), parameter->place);
    }
}

void guard_check_entry(struct guard_body *body)
{
    struct entry entry = {.body = body, .contract = body->plan->result->contract, .point = {.number = 1, .proof = CHECK_UNPROVED}};
    if (entry.contract == NULL)
        return;
    test_relations(&entry);
    test_shapes(&entry);
    test_geometry(&entry);
    test_alignment(&entry);
}
