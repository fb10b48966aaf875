/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables as the frames of a function see them: each inlined copy has its own local and
 * parameter variables, except that a formal parameter or return variable is the variable that the
 * caller named.
 */
#include "ir/build.h"

/* The variable that the call which made `frame` passes for a formal one; IR_NONE if it is not a
 * formal. */
static uint32_t actual_of(const struct draft *draft, const struct code_frame *frame,
                          uint32_t variable)
{
    const struct code_frame *caller = &draft->code.frames.data[frame->frame.parent];
    struct call_parts parts;
    call_split(&caller->source->instructions.data[frame->frame.call], &parts);
    for (uint32_t i = 0; i < frame->source->parameters.count; i++)
        if (frame->source->parameters.data[i] == variable)
            return parts.arguments[i].variable;
    for (uint32_t i = 0; i < frame->source->returns.count; i++)
        if (frame->source->returns.data[i] == variable)
            return parts.results[i].variable;
    return IR_NONE;
}

static bool is_formal(const struct ptx_function *function, uint32_t variable)
{
    for (uint32_t i = 0; i < function->parameters.count; i++)
        if (function->parameters.data[i] == variable)
            return true;
    return false;
}

uint32_t object_find(struct draft *draft, uint32_t variable, uint32_t frame)
{
    const struct ptx_variable *declared = &draft->module->variables.data[variable];
    bool is_own = declared->space == PTX_SPACE_LOCAL || declared->space == PTX_SPACE_PARAM;
    /* Depth of frames bounds the loop. */
    while (is_own && frame != 0) {
        uint32_t actual = actual_of(draft, &draft->code.frames.data[frame], variable);
        if (actual == IR_NONE)
            break;
        variable = actual;
        frame = draft->code.frames.data[frame].frame.parent;
    }
    if (!is_own)
        frame = 0;
    uint32_t *id = id_map_at(&draft->object_ids, draft->arena, variable, frame);
    if (*id == 0) {
        struct ir_object *object = vec_push(draft->arena, &draft->objects);
        *object = (struct ir_object){.variable = variable,
                                     .frame = frame,
                                     .space = draft->module->variables.data[variable].space};
        object->is_formal = frame == 0 && is_formal(draft->code.frames.data[0].source, variable);
        *id = draft->objects.count;
    }
    return *id - 1;
}
