/* SPDX-License-Identifier: Apache-2.0
 *
 * LW405 without a reference: the same numbers at another block size must leave the same arrays.
 *
 * Asked where the contract leaves the block open and gives a domain, so that the grid follows; not of arrays whose length depends on block
 * or grid, nor of kernels that add reals atomically, whose sums depend on the order.  A warning where the threads of a block work together.
 */
#include "tail/private.h"

#include <string.h>

enum { ELEMENTS = 1 << 18, CHUNK = 2048 };

/* Its threads exchange values within a block: then a result may depend on the block and be meant so (a tile turned round). */
static bool works_together(const struct ptx_module *module, uint32_t function)
{
    const struct ptx_function *kernel = &module->functions.data[function];
    bool has_shared = false;
    for (uint32_t n = 0; n < kernel->instructions.count && !has_shared; n++) {
        const struct ptx_instruction *instruction = &kernel->instructions.data[n];
        has_shared = instruction->space == PTX_SPACE_SHARED || instruction->op == PTX_OP_shfl || instruction->op == PTX_OP_vote ||
                     instruction->op == PTX_OP_match || instruction->op == PTX_OP_redux || instruction->op == PTX_OP_bar ||
                     instruction->op == PTX_OP_barrier || instruction->op == PTX_OP_call;
    }
    return has_shared;
}

static bool depends_on_geometry(const struct contract *contract, const struct contract_parameter *parameter)
{
    for (unsigned d = 0; d < parameter->dimensions; d++)
        if (contract_mentions(contract, &parameter->shape[d], CONTRACT_BLOCK) ||
            contract_mentions(contract, &parameter->shape[d], CONTRACT_GRID))
            return true;
    return false;
}

/* The first element in which two runs differ; false when there is none. */
static bool find_difference(struct launch_run *a, struct launch_run *b, const struct launch_buffer *buffer,
                            const struct launch_buffer *other, uint64_t *element, char got[32], char wanted[32])
{
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    uint8_t mine[CHUNK * 8], right[CHUNK * 8], defined[CHUNK], other_defined[CHUNK];
    for (uint64_t at = 0; at < buffer->length; at += CHUNK) {
        uint64_t count = buffer->length - at < CHUNK ? buffer->length - at : CHUNK;
        if (!launch_run_read(a, buffer, at, count, mine, defined) || !launch_run_read(b, other, at, count, right, other_defined))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            if (defined[i] == other_defined[i] && (!defined[i] || value_matches(type, mine + i * width, right + i * width, 1e-4)))
                continue;
            *element = at + i;
            strcpy(got, "nothing");
            strcpy(wanted, "nothing");
            if (defined[i])
                value_format(type, mine + i * width, got);
            if (other_defined[i])
                value_format(type, right + i * width, wanted);
            return true;
        }
    }
    return false;
}

static void compare_arrays(const struct tail_subject *subject, struct launch_run *run, struct launch_run *other_run,
                           const struct report_kernel *other, struct report_kernel *kernel)
{
    const struct contract *contract = subject->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        uint64_t element;
        char got[32], wanted[32];
        if (parameter->kind != CONTRACT_POINTER || parameter->is_const || depends_on_geometry(contract, parameter) ||
            subject->uses[p].has_silent_write)
            continue;
        struct launch_buffer *buffer = tail_find_array(run, subject->arena, parameter);
        struct launch_buffer *same = tail_find_array(other_run, subject->arena, parameter);
        if (buffer == NULL || same == NULL || buffer->length != same->length || buffer->length > ELEMENTS ||
            !find_difference(run, other_run, buffer, same, &element, got, wanted))
            continue;
        struct finding *finding = tail_add_finding(subject->arena, kernel, FINDING_WRONG_RESULT, parameter->place);
        finding->message = arena_printf(subject->arena, "leaves %s in `%s[%llu]`, and %s with another block", got, parameter->name,
                                        (unsigned long long)element, wanted);
        finding->array = parameter->name;
        if (works_together(subject->module, subject->function)) {
            finding->severity = SEVERITY_WARNING;
            finding->status = STATUS_INFERRED;
            finding->help = "if that is meant, say with LW_BLOCK which block it is";
        }
        finding->label = arena_printf(subject->arena, "blocks of %llu and of %llu threads",
                                      (unsigned long long)kernel->threads_per_block, (unsigned long long)other->threads_per_block);
        finding->has_index = true;
        finding->index = (int64_t)element;
        finding->extent = buffer->length;
        finding->element_size = value_type_info(buffer->argument->type)->size;
    }
}

bool tail_is_between_blocks(const struct finding *finding)
{
    return finding->kind == FINDING_WRONG_RESULT && strstr(finding->message, " with another block") != NULL;
}

void tail_compare_blocks(const struct tail_subject *subject, struct launch_run *run, struct report_kernel *kernel)
{
    struct diagnostic_list ignored;
    struct report_kernel *other = ARENA_NEW(subject->arena, struct report_kernel);
    struct launch_run_options *options = ARENA_NEW(subject->arena, struct launch_run_options);
    if (subject->other == NULL)
        return;
    *options = (struct launch_run_options){
        .emu = {.jobs = 1, .max_steps = kernel->warp_instructions * 8 + 65536, .no_races = true},
        .kernel_place = kernel->place,
    };
    diagnostic_list_init(&ignored, subject->arena);
    struct launch_run *other_run =
        launch_run_begin(subject->arena, subject->module, subject->function, subject->other, options, other, &ignored);
    if (other_run == NULL)
        return;
    bool has_errors = false;
    bool good = launch_run_execute(other_run) && other->has_run && other->stopped == NULL;
    for (uint32_t i = 0; i < other->findings.count; i++)
        has_errors |= other->findings.data[i].severity == SEVERITY_ERROR;
    if (good && !has_errors)
        compare_arrays(subject, run, other_run, other, kernel);
    launch_run_end(other_run);
}
