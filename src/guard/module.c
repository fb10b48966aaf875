/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole file: plans, bodies, what the module needs beside them, the text that comes out.
 */
#include "guard/rewrite.h"

#include <string.h>

const char *guard_outcome_name(enum guard_outcome outcome)
{
    static const char *const names[GUARD_OUTCOME_COUNT] = {
        [GUARD_PROVED] = "proved",         [GUARD_UNREACHABLE] = "unreachable", [GUARD_CHECKED] = "checked",
        [GUARD_NOT_CHECKABLE] = "not checkable", [GUARD_UNCHECKED] = "left unchecked", [GUARD_REPORTED] = "reported"};
    return names[outcome];
}

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* "lw", or "lw1", ...: so that neither %lw... nor $lw... nor lw... is a name of the text. */
static const char *free_prefix(struct arena *arena, const char *text)
{
    for (unsigned n = 0;; n++) {
        const char *prefix = n == 0 ? "lwg" : arena_printf(arena, "lwg%u_", n);
        if (strstr(text, prefix) == NULL)
            return prefix;
    }
}

/* ---- one kernel ----------------------------------------------------------------------------------------------------------- */

void guard_write_check(struct guard_body *body, const struct guard_point *point)
{
    if (point->number == 101 || point->number == 102)
        guard_check_bounds(body, point);
    else if (point->number == 105)
        guard_check_alignment(body, point);
    else if (point->number == 106)
        guard_check_divisor(body, point);
    else if (point->number == 404)
        guard_record_failing_check(body, point);
}

void guard_write_checks(struct guard_body *body)
{
    const guard_points *points = &body->plan->points;
    guard_check_wraps(body, points);
    for (uint32_t p = 0; p < points->count; p++)
        if (points->data[p].wanted && points->data[p].function == body->function)
            guard_write_check(body, &points->data[p]);
    guard_strip_loops(body);
}

/* LW_BLOCK as .reqntid, which replaces a .maxntid. */
static void require_block(struct guard_rewrite *rewrite, struct guard_kernel *kernel)
{
    const struct ptx_function *source = &rewrite->module->functions.data[kernel->function];
    const struct contract *contract = kernel->contract;
    const char *text = rewrite->module->text;
    uint32_t block[3] = {1, 1, 1};
    if (contract == NULL || !contract_is_given(&contract->block[0]) || source->required_threads[0] != 0)
        return;
    for (int axis = 0; axis < 3; axis++) {
        contract_integer size = 1;
        if (contract_is_given(&contract->block[axis]) && (!contract_constant_value(contract, &contract->block[axis], &size) ||
                                                          size < 1 || size > CONTRACT_LIMIT_BLOCK_THREADS))
            return;
        block[axis] = (uint32_t)size;
    }
    if ((uint64_t)block[0] * block[1] * block[2] > CONTRACT_LIMIT_BLOCK_THREADS)
        return;
    memcpy(kernel->required_block, block, sizeof block);
    const char *words = arena_printf(rewrite->arena, ".reqntid %u, %u, %u", block[0], block[1], block[2]);
    const char *old = source->attributes_size == 0 ? NULL : strstr(text + source->attributes_offset, ".maxntid");
    uint32_t end = source->attributes_offset + source->attributes_size;
    if (old != NULL && old < text + end) {
        uint32_t first = (uint32_t)(old - text), last = first + 8;
        while (last < end && strchr(" \t0123456789,", text[last]) != NULL)
            last++;
        while (last > first && strchr(" \t", text[last - 1]) != NULL)
            last--;
        guard_edit_add(rewrite->arena, &rewrite->edits, first, last - first, words);
        return;
    }
    uint32_t brace = source->body_offset - 1;
    guard_edit_add(rewrite->arena, &rewrite->edits, brace, 0, arena_printf(rewrite->arena, "%s\n", words));
}

static uint32_t count_instructions(const struct guard_rewrite *rewrite, const struct check_result *result)
{
    uint32_t count = rewrite->module->functions.data[result->function].instructions.count;
    struct bitset seen;
    bitset_init(&seen, rewrite->arena, rewrite->module->functions.count + 1);
    bitset_add(&seen, result->function);
    for (uint32_t f = 0; result->ir != NULL && f < result->ir->frame_count; f++) {
        uint32_t function = result->ir->frames[f].function;
        if (!bitset_has(&seen, function))
            count += rewrite->module->functions.data[function].instructions.count;
        bitset_add(&seen, function);
    }
    return count;
}

static void rewrite_kernel(struct guard_rewrite *rewrite, const struct guard_input *input, uint32_t index)
{
    struct guard_kernel *kernel = &rewrite->out->kernels.data[index];
    struct guard_plan plan;
    struct guard_body body;
    guard_plan_make(rewrite, input, kernel, &plan);
    kernel->instructions = count_instructions(rewrite, input->result);
    guard_find_alignments(rewrite, &plan, kernel);
    guard_body_begin(&body, rewrite, &plan, index, kernel->function, &rewrite->edits);
    if (rewrite->options->entry_check)
        guard_check_entry(&body);
    guard_write_clones(&body);
    guard_write_checks(&body);
    guard_body_end(&body);
    require_block(rewrite, kernel);
    kernel->is_unchanged = kernel->instructions_added + kernel->instructions_cold == 0;
    for (uint32_t v = 0; v < kernel->verdicts.count; v++)
        kernel->counts[kernel->verdicts.data[v].outcome]++;
    guard_split_begin(rewrite, input, kernel);
}

/* ---- the module ------------------------------------------------------------------------------------------------------------- */

/* In front of the first function or variable, behind .version, .target and .address_size. */
static uint32_t declarations_offset(const struct ptx_module *module)
{
    const char *text = module->text;
    const char *size = strstr(text, ".address_size"), *target = strstr(text, ".target");
    const char *at = size != NULL && (target == NULL || size > target) ? size : target;
    const char *line = at != NULL ? strchr(at, '\n') : NULL;
    return line != NULL ? (uint32_t)(line - text) + 1 : 0;
}

struct guard_module *guard_build(struct arena *arena, const struct ptx_module *module, const char *name, const char *source,
                                 const struct guard_input *inputs, uint32_t input_count, const struct guard_options *options,
                                 struct diagnostic_list *diagnostics)
{
    struct guard_module *out = ARENA_NEW(arena, struct guard_module);
    struct guard_rewrite rewrite = {.arena = arena, .module = module, .options = options, .out = out, .diagnostics = diagnostics};
    struct buffer text;
    out->name = name;
    out->source = source;
    out->original = module;
    for (uint32_t v = 0; v < module->variables.count; v++)
        if (strcmp(module->variables.data[v].name, LAUNCH_FAULT_VARIABLE) == 0) {
            diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = module->name, .line = module->variables.data[v].line},
                           "the module has run-time checks already: it declares `%s`", LAUNCH_FAULT_VARIABLE);
            diagnostic_help(diagnostics, "build from the source, or from the PTX that the compiler wrote");
            return NULL;
        }
    rewrite.prefix = free_prefix(arena, module->text);
    buffer_init(&rewrite.constants, arena);
    for (uint32_t i = 0; i < input_count; i++) {
        const struct check_result *result = inputs[i].result;
        *vec_push(arena, &out->kernels) = (struct guard_kernel){.function = result->function,
                                                                .name = module->functions.data[result->function].name,
                                                                .shown = inputs[i].shown,
                                                                .place = inputs[i].place,
                                                                .contract = result->contract,
                                                                .has_contract = inputs[i].has_contract};
    }
    for (uint32_t i = 0; i < input_count; i++)
        rewrite_kernel(&rewrite, &inputs[i], i);
    if (out->sites.count != 0) {
        guard_fault_declare(&rewrite);
        guard_edit_add(arena, &rewrite.edits, declarations_offset(module), 0, rewrite.constants.data);
    }
    buffer_init(&text, arena);
    guard_edit_apply(module->text, 0, (uint32_t)module->text_size, &rewrite.edits, &text);
    if (!guard_split_end(&rewrite, &text))
        return NULL;
    out->ptx = text.size != 0 ? text.data : "";
    out->ptx_size = text.size;
    return out;
}
