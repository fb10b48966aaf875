/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays that accesses go to, and their starts and extents in registers of the entry block.
 *
 * A parameter's extent comes from its LW_SHAPE or LW_PITCHED; a variable's from its declaration; that of dynamic shared memory from
 * LW_SHARED_BYTES, and without it from the launch itself (%dynamic_smem_size).
 */
#include "guard/rewrite.h"

#include <string.h>

/* ---- which array ------------------------------------------------------------------------------------------------------ */

static uint32_t contract_index(const struct check_result *result, const struct guard_array *array)
{
    const struct ptx_function *kernel = &result->module->functions.data[result->function];
    for (uint32_t p = 0; result->contract != NULL && p < result->contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &result->contract->parameters.data[p];
        if (parameter->kind == CONTRACT_POINTER && parameter->position < kernel->parameters.count &&
            kernel->parameters.data[parameter->position] == array->variable && parameter->offset == array->offset)
            return p;
    }
    return CONTRACT_NONE;
}

static const char *extent_obstacle(struct arena *arena, const struct check_result *result, const struct guard_array *array)
{
    const struct contract *contract = result->contract;
    const struct ptx_variable *variable = &result->module->variables.data[array->variable];
    if (array->is_parameter) {
        if (array->parameter == CONTRACT_NONE)
            return arena_printf(arena, "no contract says how long `%s` is", array->name);
        const struct contract_expression *extent = &contract->parameters.data[array->parameter].extent;
        return contract_is_given(extent)
                   ? guard_expression_obstacle(arena, contract, extent->root)
                   : arena_printf(arena, "`%s` has no LW_SHAPE, so nothing says how long it is", array->name);
    }
    if (variable->space == PTX_SPACE_SHARED && variable->size == 0)
        return contract != NULL && contract_is_given(&contract->shared_bytes)
                   ? guard_expression_obstacle(arena, contract, contract->shared_bytes.root)
                   : NULL;
    return variable->size == 0 ? arena_printf(arena, "`%s` is declared elsewhere, without a size", array->name) : NULL;
}

uint32_t guard_array_find(struct arena *arena, guard_arrays *arrays, const struct check_result *result, const struct ir_base *base)
{
    struct guard_array array = {.parameter = CONTRACT_NONE};
    if (base->kind == IR_BASE_PARAMETER) {
        array.is_parameter = true;
        array.variable = base->index;
        array.offset = (uint32_t)base->number;
    } else if (base->kind == IR_BASE_OBJECT) {
        array.variable = result->ir->objects[base->index].variable;
    } else {
        return GUARD_NONE;
    }
    for (uint32_t a = 0; a < arrays->count; a++)
        if (arrays->data[a].is_parameter == array.is_parameter && arrays->data[a].variable == array.variable &&
            arrays->data[a].offset == array.offset)
            return a;
    const struct ptx_variable *variable = &result->module->variables.data[array.variable];
    array.space = array.is_parameter ? PTX_SPACE_GLOBAL : variable->space;
    array.name = ptx_variable_name(arena, variable->name);
    array.element_size = ptx_type_size((enum ptx_type)variable->type);
    if (array.is_parameter) {
        array.parameter = contract_index(result, &array);
        array.element_size = 1;
        if (array.parameter != CONTRACT_NONE) {
            array.name = result->contract->parameters.data[array.parameter].name;
            array.element_size = result->contract->parameters.data[array.parameter].element_size;
        }
    }
    if (array.element_size == 0)
        array.element_size = 1;
    array.no_extent = extent_obstacle(arena, result, &array);
    *vec_push(arena, arrays) = array;
    return arrays->count - 1;
}

/* ---- in registers --------------------------------------------------------------------------------------------------------- */

static const char *raw_base(struct guard_body *body, uint32_t index)
{
    const struct guard_array *array = &body->plan->arrays.data[index];
    const char *name = body->rewrite->module->variables.data[array->variable].name, *base = guard_new_long(body);
    if (body->passed != NULL && body->passed[index])
        guard_emit(body, &body->entry, "ld.param.u64 %s, [%sstart%u]", base, body->rewrite->prefix, index);
    else if (array->is_parameter)
        guard_emit(body, &body->entry, "ld.param.u64 %s, [%s+%u]", base, name, array->offset);
    else
        guard_emit(body, &body->entry, "mov.u64 %s, %s", base, name);
    return base;
}

const char *guard_array_base(struct guard_body *body, uint32_t index, uint8_t space)
{
    const struct guard_array *array = &body->plan->arrays.data[index];
    struct guard_view *view = &body->views[index];
    uint8_t own = array->is_parameter ? PTX_SPACE_NONE : array->space;
    if (view->bases[own] == NULL)
        view->bases[own] = raw_base(body, index);
    if (view->bases[space] != NULL)
        return view->bases[space];
    /* Pointer parameters are generic, variables' names are addresses of their space. */
    const char *base = guard_new_long(body);
    if (space == PTX_SPACE_NONE)
        guard_emit(body, &body->entry, "cvta.%s.u64 %s, %s", ptx_space_name((enum ptx_space)own), base, view->bases[own]);
    else
        guard_emit(body, &body->entry, "cvta.to.%s.u64 %s, %s", ptx_space_name((enum ptx_space)space), base,
                   guard_array_base(body, index, PTX_SPACE_NONE));
    view->bases[space] = base;
    return base;
}

static void make_bytes(struct guard_body *body, uint32_t index, struct guard_view *view)
{
    const struct guard_array *array = &body->plan->arrays.data[index];
    const struct contract *contract = body->plan->result->contract;
    const struct ptx_variable *variable = &body->rewrite->module->variables.data[array->variable];
    struct arena *arena = body->rewrite->arena;
    struct guard_evaluation evaluation = {.body = body, .contract = contract, .out = &body->entry};
    view->constant_bytes = -1;
    if (!array->is_parameter && variable->size != 0) {
        view->constant_bytes = (contract_integer)variable->size;
        view->bytes = arena_printf(arena, "%llu", (unsigned long long)variable->size);
        return;
    }
    if (body->passed != NULL && body->passed[index]) {
        view->bytes = guard_new_long(body);
        guard_emit(body, &body->entry, "ld.param.u64 %s, [%sbytes%u]", view->bytes, body->rewrite->prefix, index);
        return;
    }
    if (!array->is_parameter && (contract == NULL || !contract_is_given(&contract->shared_bytes))) {
        const char *word = guard_new_word(body);
        view->bytes = guard_new_long(body);
        guard_emit(body, &body->entry, "mov.u32 %s, %%dynamic_smem_size", word);
        guard_emit(body, &body->entry, "cvt.u64.u32 %s, %s", view->bytes, word);
        return;
    }
    struct guard_number bytes;
    if (array->is_parameter) {
        bytes = guard_evaluate_extent(&evaluation, array->parameter);
    } else {
        bytes = guard_evaluate(&evaluation, contract->shared_bytes.root);
        if (evaluation.bad != NULL) {
            const char *chosen = guard_new_long(body);
            guard_emit(body, &body->entry, "selp.b64 %s, 0, %s, %s", chosen, bytes.text, evaluation.bad);
            bytes.text = chosen;
            bytes.is_constant = false;
        }
    }
    if (bytes.is_constant)
        view->constant_bytes = bytes.low < 0 ? 0 : bytes.low;
    view->bytes = bytes.is_constant && bytes.low < 0 ? "0" : bytes.text;
}

const char *guard_array_bytes(struct guard_body *body, uint32_t index)
{
    if (body->views[index].bytes == NULL)
        make_bytes(body, index, &body->views[index]);
    return body->views[index].bytes;
}

const char *guard_array_limit(struct guard_body *body, uint32_t index, uint32_t size)
{
    struct guard_view *view = &body->views[index];
    struct arena *arena = body->rewrite->arena;
    guard_array_bytes(body, index);
    if (view->constant_bytes >= 0)
        return arena_printf(arena, "%llu", view->constant_bytes < size ? 0ull : (unsigned long long)(view->constant_bytes - size + 1));
    for (uint32_t i = 0; i < view->limit_count; i++)
        if (view->limits[i].size == size)
            return view->limits[i].limit;
    const char *less = guard_new_long(body), *limit = guard_new_long(body);
    guard_emit(body, &body->entry, "sub.s64 %s, %s, %u", less, view->bytes, size - 1);
    guard_emit(body, &body->entry, "max.s64 %s, %s, 0", limit, less);
    if (view->limit_count < GUARD_LIMITS_MAX) {
        view->limits[view->limit_count].size = size;
        view->limits[view->limit_count++].limit = limit;
    }
    return limit;
}
