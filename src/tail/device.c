/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch on a device that is no emulator: in its place, or beside it.
 *
 * In its place the launch runs twice, with two patterns in what is undefined and around the arrays: what is neither pattern was written, inside or
 * outside.  Beside it the arrays must end with the emulator's bits, where the kernel has integer arithmetic, rounded arithmetic and fma alone;
 * where it has approximations, matrices or sums of reals by atomics, within TOLERANCE.
 */
#include "tail/private.h"

#include <string.h>

enum { FIRST_PATTERN = 0xa5, SECOND_PATTERN = 0x5a, CHUNK = 2048, EXAMPLES = 4 };
#define TOLERANCE 1e-4

bool tail_elsewhere_begin(struct tail_elsewhere *elsewhere, const struct tail_subject *subject, struct launch_run *run, struct report_kernel *kernel)
{
    const struct tail_options *options = subject->options;
    *elsewhere = (struct tail_elsewhere){.subject = subject, .run = run, .kernel = kernel};
    if (options->device == NULL)
        return false;
    const char *why = launch_image_make(run, options->device_bytes, &elsewhere->image);
    if (why != NULL && options->left_out != NULL)
        options->left_out(options->device_context, why);
    if (why == NULL)
        launch_image_fill(run, &elsewhere->image, FIRST_PATTERN);
    elsewhere->is_ready = why == NULL;
    return why == NULL;
}

/* ---- one launch there ------------------------------------------------------------------------------------------------- */

static enum finding_kind kind_of(const char *check)
{
    static const struct {
        const char *check;
        enum finding_kind kind;
    } kinds[] = {{"LW101", FINDING_OOB_GLOBAL}, {"LW102", FINDING_OOB_SHARED}, {"LW105", FINDING_MISALIGNED}, {"LW106", FINDING_DIV_BY_ZERO}};
    for (unsigned i = 0; i < COUNT_OF(kinds) && check != NULL; i++)
        if (strcmp(kinds[i].check, check) == 0)
            return kinds[i].kind;
    return FINDING_WRONG_RESULT;
}

static void report_stray(struct tail_elsewhere *elsewhere)
{
    struct arena *arena = elsewhere->subject->arena;
    int64_t byte = 0;
    const struct launch_buffer *buffer = launch_image_stray(elsewhere->run, &elsewhere->image, &byte);
    if (buffer == NULL)
        return;
    struct finding *finding = tail_add_finding(arena, elsewhere->kernel, FINDING_OOB_GLOBAL, elsewhere->subject->options->kernel_place);
    char bytes[28];
    finding->message = arena_printf(arena, "writes byte %lld of `%s` on %s, which has %s bytes", (long long)byte, buffer->argument->name,
                                    elsewhere->subject->options->device_name,
                                    text_group_digits(buffer->length * value_type_info(buffer->argument->type)->size, bytes));
    finding->array = buffer->argument->name;
}

/* False when there are no results: a fault is a finding, trouble an unfinished launch. */
static bool run_once(struct tail_elsewhere *elsewhere)
{
    const struct tail_options *options = elsewhere->subject->options;
    struct arena *arena = elsewhere->subject->arena;
    struct tail_device_call call = {.image = &elsewhere->image};
    bool good = options->device(options->device_context, arena, &call);
    if (call.fault != NULL) {
        struct finding *finding =
            tail_add_finding(arena, elsewhere->kernel, kind_of(call.check), call.place.line != 0 ? call.place : options->kernel_place);
        finding->message = arena_printf(arena, "stops on %s", options->device_name);
        finding->label = call.fault;
        finding->array = call.array;
        return false;
    }
    if (!good && elsewhere->kernel->stopped == NULL)
        elsewhere->kernel->stopped = arena_printf(arena, "on %s: %s", options->device_name, call.trouble);
    return good;
}

/* ---- in the emulator's place -------------------------------------------------------------------------------------------- */

void tail_elsewhere_run(struct tail_elsewhere *elsewhere)
{
    struct report_kernel *kernel = elsewhere->kernel;
    struct launch_image *image = &elsewhere->image;
    struct arena *arena = elsewhere->subject->arena;
    if (!run_once(elsewhere))
        return;
    report_stray(elsewhere);
    uint8_t *first = arena_copy(arena, image->bytes, image->size);
    launch_image_fill(elsewhere->run, image, SECOND_PATTERN);
    if (!run_once(elsewhere))
        return;
    uint8_t *second = image->bytes;
    image->bytes = first;
    image->pattern = FIRST_PATTERN;
    if (!launch_image_take(elsewhere->run, image, second, SECOND_PATTERN) && kernel->stopped == NULL)
        kernel->stopped = "its results could not be read";
    kernel->has_run = true;
    kernel->blocks_run = kernel->blocks;
}

/* ---- beside the emulator -------------------------------------------------------------------------------------------------- */

static bool is_inexact(const struct ptx_instruction *instruction)
{
    uint32_t flags = instruction->op == PTX_OP_OPAQUE ? 0 : ptx_op_info((enum ptx_op)instruction->op)->flags;
    bool adds_reals = (flags & PTX_FLAG_ATOMIC) != 0 && instruction->operation == PTX_OPERATION_ADD && ptx_type_is_float((enum ptx_type)instruction->type);
    bool calls = instruction->op == PTX_OP_call; /* device math */
    return (instruction->flags & (PTX_MODIFIER_APPROX | PTX_MODIFIER_FULL)) != 0 || (flags & PTX_FLAG_MATRIX) != 0 || adds_reals || calls;
}

static bool has_approximations(const struct ptx_module *module, uint32_t function)
{
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *source = &module->functions.data[f];
        if (f != function && source->is_entry)
            continue;
        for (uint32_t i = 0; i < source->instructions.count; i++)
            if (is_inexact(&source->instructions.data[i]))
                return true;
    }
    return false;
}

struct difference {
    uint64_t count, compared;
    const char *examples[EXAMPLES];
    uint64_t first;
};

static bool is_pattern(const uint8_t *bytes, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if (bytes[i] != FIRST_PATTERN)
            return false;
    return true;
}

static const char *describe(struct tail_elsewhere *elsewhere, const struct launch_buffer *buffer, uint64_t element, const uint8_t *there,
                            const uint8_t *here, bool is_defined)
{
    const char *device = elsewhere->subject->options->device_name, *name = buffer->argument->name;
    struct arena *arena = elsewhere->subject->arena;
    char left[32], right[32];
    value_format(buffer->argument->type, there, left);
    value_format(buffer->argument->type, here, right);
    if (!is_defined)
        return arena_printf(arena, "writes `%s[%llu]` on %s, but not in the emulator", name, (unsigned long long)element, device);
    if (!buffer->initialised && is_pattern(there, value_type_info(buffer->argument->type)->size))
        return arena_printf(arena, "never writes `%s[%llu]` on %s; the emulator leaves %s", name, (unsigned long long)element, device, right);
    return arena_printf(arena, "leaves %s in `%s[%llu]` on %s; the emulator leaves %s", left, name, (unsigned long long)element, device, right);
}

static void compare_chunk(struct tail_elsewhere *elsewhere, const struct launch_buffer *buffer, const uint8_t *there, uint64_t at, uint64_t count,
                          bool is_exact, struct difference *difference)
{
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    uint8_t here[CHUNK * 8], defined[CHUNK];
    if (!launch_run_read(elsewhere->run, buffer, at, count, here, defined))
        return;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *left = there + (at + i) * width, *right = here + i * width;
        difference->compared++;
        bool same = !defined[i] ? is_pattern(left, width)
                                : memcmp(left, right, width) == 0 || (!is_exact && value_matches(type, left, right, TOLERANCE));
        if (same)
            continue;
        if (difference->count == 0)
            difference->first = at + i;
        if (difference->count < EXAMPLES)
            difference->examples[difference->count] = describe(elsewhere, buffer, at + i, left, right, defined[i]);
        difference->count++;
    }
}

static void report_difference(struct tail_elsewhere *elsewhere, const struct launch_buffer *buffer, const struct difference *difference, bool is_exact)
{
    struct arena *arena = elsewhere->subject->arena;
    char wrong[28], compared[28];
    struct finding *finding = tail_add_finding(arena, elsewhere->kernel, FINDING_WRONG_RESULT, elsewhere->subject->options->kernel_place);
    finding->message = difference->examples[0];
    finding->label = arena_printf(arena, "%s of %s elements differ%s", text_group_digits(difference->count, wrong),
                                  text_group_digits(difference->compared, compared),
                                  is_exact ? "; all arithmetic of this kernel has the same bits on both" : " by more than 1e-4, relative");
    finding->array = buffer->argument->name;
    finding->has_index = true;
    finding->index = (int64_t)difference->first;
    finding->extent = buffer->length;
    finding->element_size = value_type_info(buffer->argument->type)->size;
    finding->count = difference->count;
    for (uint64_t i = 1; i < difference->count && i < EXAMPLES; i++)
        *vec_push(arena, &finding->notes) = (struct finding_note){.message = difference->examples[i]};
}

void tail_elsewhere_compare(struct tail_elsewhere *elsewhere, const struct tail_case *what)
{
    bool is_exact = !has_approximations(elsewhere->subject->module, elsewhere->subject->function);
    bool is_rough = what->contents == TAIL_TINY || what->contents == TAIL_EXTREME || what->contents == TAIL_SPECIAL;
    if (!is_exact && is_rough) /* where one unit more is an infinity */
        return;
    if (!run_once(elsewhere))
        return;
    report_stray(elsewhere);
    for (uint32_t b = 0; b < launch_run_buffer_count(elsewhere->run); b++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(elsewhere->run, b);
        const uint8_t *there = elsewhere->image.bytes + elsewhere->image.offsets[b];
        struct difference difference = {0};
        for (uint64_t at = 0; at < buffer->length; at += CHUNK)
            compare_chunk(elsewhere, buffer, there, at, buffer->length - at < CHUNK ? buffer->length - at : CHUNK, is_exact, &difference);
        elsewhere->kernel->results_compared += difference.compared;
        if (difference.count != 0)
            report_difference(elsewhere, buffer, &difference, is_exact);
    }
}
