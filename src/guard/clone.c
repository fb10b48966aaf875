/* SPDX-License-Identifier: Apache-2.0
 *
 * Device functions that are not inlined: a kernel whose checks stand in one calls a copy of its own, so that no other kernel sees them.
 *
 * Requires: points of a kernel in functions that the analysis inlined.  Gives: a copy of each such function, and of those that call it, in front
 * of the kernel; calls on the way name the copies.  A copy gets starts and extents of the kernel's arrays as further parameters.
 */
#include "guard/rewrite.h"

#include <string.h>

struct clone {
    bool is_needed;
    const char *name;
    bool *arrays; /* by array of the plan: handed down */
};

struct clones {
    struct guard_rewrite *rewrite;
    struct guard_plan *plan;
    uint32_t kernel;
    struct clone *by_function;
    struct buffer *out;
    bool *written;
};

bool guard_array_is_passed(const struct guard_plan *plan, const struct ptx_module *module, uint32_t array)
{
    const struct guard_array *data = &plan->arrays.data[array];
    return data->is_parameter || module->variables.data[data->variable].function != PTX_NONE;
}

/* A variable of one device function cannot be named in another. */
const char *guard_clone_obstacle(const struct guard_plan *plan, const struct guard_point *point)
{
    const struct ptx_module *module = plan->result->module;
    for (uint32_t b = 0; b < point->base_count; b++) {
        const struct guard_array *array = &plan->arrays.data[point->bases[b]];
        uint32_t owner = array->is_parameter ? plan->result->function : module->variables.data[array->variable].function;
        if (owner != PTX_NONE && owner != plan->result->function && owner != point->function)
            return "it points into the memory of another function";
    }
    return NULL;
}

/* ---- which functions ---------------------------------------------------------------------------------------------------- */

static bool mark(struct clones *clones, uint32_t function, uint32_t array)
{
    struct clone *clone = &clones->by_function[function];
    bool changed = !clone->is_needed;
    clone->is_needed = true;
    if (clone->arrays == NULL)
        clone->arrays = ARENA_ARRAY(clones->rewrite->arena, bool, clones->plan->arrays.count + 1);
    if (array != GUARD_NONE && !clone->arrays[array]) {
        const struct guard_array *data = &clones->plan->arrays.data[array];
        bool is_own = !data->is_parameter && clones->rewrite->module->variables.data[data->variable].function == function;
        clone->arrays[array] = !is_own && guard_array_is_passed(clones->plan, clones->rewrite->module, array);
        changed |= clone->arrays[array];
    }
    return changed;
}

static bool mark_callers(struct clones *clones)
{
    const struct ir_function *ir = clones->plan->result->ir;
    bool changed = false;
    for (uint32_t f = 1; f < ir->frame_count; f++) {
        uint32_t callee = ir->frames[f].function, caller = ir->frames[ir->frames[f].parent].function;
        const struct clone *clone = &clones->by_function[callee];
        if (!clone->is_needed)
            continue;
        changed |= mark(clones, caller, GUARD_NONE);
        for (uint32_t a = 0; a < clones->plan->arrays.count; a++)
            if (clone->arrays[a])
                changed |= mark(clones, caller, a);
    }
    return changed;
}

static bool find_needed(struct clones *clones)
{
    bool any = false;
    for (uint32_t p = 0; p < clones->plan->points.count; p++) {
        const struct guard_point *point = &clones->plan->points.data[p];
        if (!point->wanted || point->function == clones->plan->result->function)
            continue;
        any = true;
        mark(clones, point->function, GUARD_NONE);
        for (uint32_t b = 0; b < point->base_count; b++)
            mark(clones, point->function, point->bases[b]);
    }
    while (any && mark_callers(clones))
        ;
    return any;
}

/* ---- texts ------------------------------------------------------------------------------------------------------------------ */

static const char *last_parenthesis(const char *first, const char *end)
{
    while (end > first && end[-1] != ')')
        end--;
    return end > first ? end - 1 : NULL;
}

/* `extra`, ", " between its parts, goes into the list that begins behind the name; without a list one is made. */
static void add_to_list(struct buffer *out, const char *after_name, const char *end, const char *extra, const char *before_new)
{
    const char *open = after_name;
    while (open < end && *open != '(')
        open++;
    const char *close = open < end ? last_parenthesis(open, end) : NULL;
    if (extra[0] == 0) {
        buffer_add(out, after_name, (size_t)(end - after_name));
    } else if (close == NULL) {
        buffer_printf(out, "%s(%s)", before_new, extra);
        buffer_add(out, after_name, (size_t)(end - after_name));
    } else {
        bool is_empty = strspn(open + 1, " \t\r\n") == (size_t)(close - open - 1);
        buffer_add(out, after_name, (size_t)(close - after_name));
        buffer_printf(out, "%s%s", is_empty ? "" : ", ", extra);
        buffer_add(out, close, (size_t)(end - close));
    }
}

static const char *parameter_name(struct clones *clones, const char *what, uint32_t array)
{
    return arena_printf(clones->rewrite->arena, "%s%s%u", clones->rewrite->prefix, what, array);
}

/* ---- calls -------------------------------------------------------------------------------------------------------------------- */

static const char *hand_down(struct guard_body *body, struct clones *clones, const struct clone *clone, uint32_t call, struct buffer *before)
{
    struct buffer names;
    struct arena *arena = clones->rewrite->arena;
    buffer_init(&names, arena);
    for (uint32_t a = 0; a < clones->plan->arrays.count; a++) {
        if (!clone->arrays[a])
            continue;
        const struct guard_array *array = &clones->plan->arrays.data[a];
        const char *values[2] = {guard_array_base(body, a, array->is_parameter ? PTX_SPACE_NONE : array->space), guard_array_bytes(body, a)};
        for (int i = 0; i < 2; i++) {
            const char *name = arena_printf(arena, "%s%s%u_%u", clones->rewrite->prefix, i == 0 ? "start" : "bytes", a, call);
            buffer_printf(before, ".param .b64 %s;\n\t", name);
            guard_emit(body, before, "st.param.b64 [%s+0], %s", name, values[i]);
            buffer_printf(&names, "%s%s", names.size != 0 ? ", " : "", name);
        }
    }
    return names.size != 0 ? names.data : "";
}

static void redirect_calls(struct guard_body *body, struct clones *clones)
{
    const struct ptx_module *module = clones->rewrite->module;
    struct arena *arena = clones->rewrite->arena;
    for (uint32_t i = 0; i < body->source->instructions.count; i++) {
        const struct ptx_instruction *instruction = &body->source->instructions.data[i];
        uint32_t callee = instruction->op == PTX_OP_call ? ir_call_target(module, instruction) : PTX_NONE;
        if (callee == PTX_NONE || !clones->by_function[callee].is_needed)
            continue;
        const struct clone *clone = &clones->by_function[callee];
        const char *first = module->text + instruction->text_offset, *end = first + instruction->text_size;
        const char *name = guard_find_word(first, end, module->functions.data[callee].name);
        if (name == NULL)
            continue; /* through an alias */
        struct buffer before, text;
        buffer_init(&before, arena);
        buffer_init(&text, arena);
        const char *extra = hand_down(body, clones, clone, i, &before);
        const char *tail = name + strlen(module->functions.data[callee].name);
        buffer_add(&text, first, (size_t)(name - first));
        buffer_puts(&text, clone->name);
        const char *semicolon = end;
        while (semicolon > tail && semicolon[-1] != ';')
            semicolon--;
        semicolon = semicolon > tail ? semicolon - 1 : end;
        add_to_list(&text, tail, semicolon, extra, ", ");
        buffer_add(&text, semicolon, (size_t)(end - semicolon));
        guard_insert_before(body, i, &before);
        guard_edit_add(arena, body->edits, instruction->text_offset, instruction->text_size, text.data);
    }
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------- */

static void write_header(struct clones *clones, uint32_t function)
{
    const struct ptx_module *module = clones->rewrite->module;
    const struct ptx_function *source = &module->functions.data[function];
    const struct clone *clone = &clones->by_function[function];
    const char *first = strstr(module->text + source->text_offset, ".func"), *end = module->text + source->body_offset - 1;
    const char *name = guard_find_word(first, end, source->name), *tail = name + strlen(source->name);
    const char *attributes = source->attributes_size != 0 ? module->text + source->attributes_offset : end;
    struct buffer extra;
    buffer_init(&extra, clones->rewrite->arena);
    for (uint32_t a = 0; a < clones->plan->arrays.count; a++)
        if (clone->arrays[a])
            buffer_printf(&extra, "%s.param .b64 %s, .param .b64 %s", extra.size != 0 ? ", " : "", parameter_name(clones, "start", a),
                          parameter_name(clones, "bytes", a));
    buffer_add(clones->out, first, (size_t)(name - first));
    buffer_puts(clones->out, clone->name);
    add_to_list(clones->out, tail, attributes, extra.size != 0 ? extra.data : "", "");
    buffer_add(clones->out, attributes, (size_t)(end - attributes));
}

static void write_clone(struct clones *clones, uint32_t function);

/* Copies of what the function calls come first. */
static void write_callees(struct clones *clones, uint32_t function)
{
    const struct ptx_function *source = &clones->rewrite->module->functions.data[function];
    for (uint32_t i = 0; i < source->instructions.count; i++) {
        uint32_t callee = source->instructions.data[i].op == PTX_OP_call
                              ? ir_call_target(clones->rewrite->module, &source->instructions.data[i])
                              : PTX_NONE;
        if (callee != PTX_NONE && clones->by_function[callee].is_needed && !clones->written[callee])
            write_clone(clones, callee);
    }
}

static void write_clone(struct clones *clones, uint32_t function)
{
    const struct ptx_function *source = &clones->rewrite->module->functions.data[function];
    guard_edits edits = {0};
    struct guard_body body;
    clones->written[function] = true;
    write_callees(clones, function);
    guard_body_begin(&body, clones->rewrite, clones->plan, clones->kernel, function, &edits);
    body.passed = clones->by_function[function].arrays;
    redirect_calls(&body, clones);
    guard_write_checks(&body);
    guard_body_end(&body);
    write_header(clones, function);
    guard_edit_apply(clones->rewrite->module->text, source->body_offset - 1, source->text_offset + source->text_size, &edits, clones->out);
    buffer_puts(clones->out, "\n\n");
}

void guard_write_clones(struct guard_body *kernel)
{
    struct guard_rewrite *rewrite = kernel->rewrite;
    struct arena *arena = rewrite->arena;
    uint32_t count = rewrite->module->functions.count;
    struct buffer out;
    if (kernel->plan->result->ir == NULL)
        return;
    struct clones clones = {.rewrite = rewrite, .plan = kernel->plan, .kernel = kernel->kernel_index, .out = &out};
    clones.by_function = ARENA_ARRAY(arena, struct clone, count + 1);
    clones.written = ARENA_ARRAY(arena, bool, count + 1);
    buffer_init(&out, arena);
    if (!find_needed(&clones))
        return;
    for (uint32_t f = 0; f < count; f++)
        clones.by_function[f].name = arena_printf(arena, "%s_%s%u", rewrite->module->functions.data[f].name, rewrite->prefix, kernel->kernel_index);
    clones.by_function[kernel->function].is_needed = false; /* it is rewritten where it stands */
    write_callees(&clones, kernel->function);
    redirect_calls(kernel, &clones);
    guard_edit_add(arena, kernel->edits, kernel->source->text_offset, 0, out.data != NULL ? out.data : "");
}
