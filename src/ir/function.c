/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes in their order.
 */
#include "ir/build.h"

#include <string.h>

enum { MAX_ROUNDS = 12 };

/* The draft as a function, for the verifier. */
static void verify_draft(struct draft *draft, const char *pass, struct diagnostic_list *diagnostics)
{
    struct ir_function view = {
        .arena = draft->arena, .module = draft->module, .function = draft->cfg->function};
    struct ir_cfg cfg = *draft->cfg;
    cfg.blocks =
        arena_copy(draft->arena, cfg.blocks, sizeof *cfg.blocks * ((size_t)cfg.block_count + 1));
    for (uint32_t b = 0; b < cfg.block_count; b++) {
        cfg.blocks[b].first = draft->first[b];
        cfg.blocks[b].end = draft->end[b];
    }
    view.cfg = &cfg;
    view.instructions = draft->instructions.data;
    view.instruction_count = draft->instructions.count;
    view.values = draft->values.data;
    view.value_count = draft->values.count;
    view.operands = draft->operands.data;
    view.operand_count = draft->operands.count;
    view.accesses = draft->accesses.data;
    view.access_count = draft->accesses.count;
    view.objects = draft->objects.data;
    view.object_count = draft->objects.count;
    view.calls = draft->calls.data;
    view.call_count = draft->calls.count;
    view.switches = draft->switches.data;
    view.switch_count = draft->switches.count;
    view.frame_count = draft->code.frames.count;
    view.frames = ARENA_ARRAY(draft->arena, struct ir_frame, view.frame_count);
    for (uint32_t i = 0; i < view.frame_count; i++)
        view.frames[i] = draft->code.frames.data[i].frame;
    struct buffer out;
    buffer_init(&out, draft->arena);
    uint32_t complaints = ir_function_verify(&view, &out);
    if (complaints != 0)
        diagnostic_add(diagnostics, SEVERITY_ERROR,
                       (struct place){draft->module->name, draft->cfg->source->line, 0},
                       "the analysis form of `%s` is broken after %s (%u complaints):\n%s",
                       draft->cfg->source->name, pass, complaints, out.data);
}

/* Another round of promotion can only do something about stack variables that the last one left
 * open. */
static bool has_open_variable(const struct draft *draft)
{
    for (uint32_t i = 0; i < draft->objects.count; i++)
        if (draft->objects.data[i].space == PTX_SPACE_LOCAL && !draft->objects.data[i].is_promoted)
            return true;
    return false;
}

static void complain_too_large(const struct draft *draft, struct diagnostic_list *diagnostics)
{
    diagnostic_add(diagnostics, SEVERITY_ERROR,
                   (struct place){draft->module->name, draft->cfg->source->line, 0},
                   "`%s` is too large to analyse: %u instructions in %u blocks",
                   draft->cfg->source->name, draft->code.items.count, draft->cfg->block_count);
}

/* One attempt; *region_is_broken: it must be made again without regions. */
static struct ir_function *build(struct draft *draft, uint32_t index,
                                 const struct ir_options *options,
                                 struct diagnostic_list *diagnostics, bool *region_is_broken)
{
    code_init_inlined(&draft->code, draft->arena, draft->module, index, options);
    draft->cfg = code_build_cfg(&draft->code, index);
    if (!ssa_build(draft)) {
        complain_too_large(draft, diagnostics);
        return NULL;
    }
    if (options->verify)
        verify_draft(draft, "building values", diagnostics);
    for (uint32_t round = 0; round < MAX_ROUNDS && !options->keep_memory; round++) {
        stack_analyse(draft, options->no_regions);
        *region_is_broken |= !stack_regions_hold(draft);
        if (*region_is_broken || !promote_round(draft))
            break;
        if (options->verify)
            verify_draft(draft, "promotion", diagnostics);
        if (!has_open_variable(draft))
            break;
    }
    draft->stack = NULL;
    struct ir_function *function = finish_function(draft, index);
    *region_is_broken |= !stack_regions_hold(draft);
    return function;
}

struct ir_function *ir_function_build(struct arena *arena, const struct ptx_module *module,
                                      uint32_t index, const struct ir_options *options,
                                      struct diagnostic_list *diagnostics)
{
    struct ir_options used = {0};
    if (options != NULL)
        used = *options;
    bool region_is_broken = false;
    struct draft draft = {.arena = arena, .module = module};
    struct ir_function *function = build(&draft, index, &used, diagnostics, &region_is_broken);
    if (region_is_broken) {
        used.no_regions = true;
        region_is_broken = false;
        draft = (struct draft){.arena = arena, .module = module};
        function = build(&draft, index, &used, diagnostics, &region_is_broken);
    }
    if (function != NULL && used.verify) {
        struct buffer out;
        buffer_init(&out, arena);
        uint32_t complaints = ir_function_verify(function, &out);
        if (complaints != 0)
            diagnostic_add(diagnostics, SEVERITY_ERROR,
                           (struct place){module->name, function->cfg->source->line, 0},
                           "the analysis form of `%s` is broken (%u complaints):\n%s",
                           function->cfg->source->name, complaints, out.data);
    }
    return function;
}
