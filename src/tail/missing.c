/* SPDX-License-Identifier: Apache-2.0
 *
 * LW402: elements that a launch should have written and has not; LW104: elements between the rows that it has written and should not.
 *
 * An array that the kernel only writes starts undefined, so what was written is known exactly.  One that it reads too has contents;
 * there the stores are watched.  Atomics and asynchronous copies are not told to a watcher: an array that they write and that is read as
 * well is left out.
 */
#include "tail/private.h"

#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

enum { EXAMPLES = 6, CHUNK = 2048 };
#define WATCHED_ELEMENTS ((uint64_t)1 << 24)

/* ---- how a kernel uses its arrays ------------------------------------------------------------------------------- */

static void note_access(const struct ir_function *ir, const struct ir_access *access, const struct contract *contract,
                        struct tail_use *uses)
{
    const struct ir_base_set *set = &ir->sets[access->pointer.set];
    const struct ptx_function *source = &ir->module->functions.data[ir->function];
    for (uint32_t m = 0; m < set->count; m++) {
        const struct ir_base *base = &ir->bases[ir->set_members[set->first + m]];
        for (uint32_t p = 0; p < contract->parameters.count; p++) {
            const struct contract_parameter *parameter = &contract->parameters.data[p];
            bool is_this = base->kind == IR_BASE_PARAMETER && parameter->position < source->parameters.count &&
                           base->index == source->parameters.data[parameter->position] &&
                           base->number == (int64_t)parameter->offset;
            bool is_unknown = base->kind == IR_BASE_UNKNOWN || base->kind == IR_BASE_VALUE;
            if (parameter->kind != CONTRACT_POINTER || !(is_this || is_unknown))
                continue;
            struct tail_use *use = &uses[p];
            use->is_read |= (access->flags & (IR_ACCESS_READ | IR_ACCESS_ATOMIC)) != 0;
            use->is_written |= (access->flags & (IR_ACCESS_WRITE | IR_ACCESS_ATOMIC)) != 0;
            use->has_silent_write |= (access->flags & (IR_ACCESS_ATOMIC | IR_ACCESS_ASYNC | IR_ACCESS_COLLECTIVE)) != 0;
        }
    }
}

struct tail_use *tail_find_uses(struct arena *arena, const struct ptx_module *module, uint32_t function,
                                const struct contract *contract)
{
    struct diagnostic_list ignored;
    struct ir_options options = {0};
    struct tail_use *uses = ARENA_ARRAY(arena, struct tail_use, contract->parameters.count + 1);
    diagnostic_list_init(&ignored, arena);
    const struct ir_function *ir = ir_function_build(arena, module, function, &options, &ignored);
    bool is_known = ir != NULL && !ir->has_opaque && ir->call_count == 0;
    for (uint32_t a = 0; ir != NULL && a < ir->access_count; a++) {
        const struct ir_access *access = &ir->accesses[a];
        if ((access->flags & IR_ACCESS_HINT) == 0 && (access->space == PTX_SPACE_GLOBAL || access->space == PTX_SPACE_NONE))
            note_access(ir, access, contract, uses);
    }
    for (uint32_t p = 0; p < contract->parameters.count && !is_known; p++) {
        bool is_const = contract->parameters.data[p].is_const;
        uses[p] = (struct tail_use){.is_read = true, .is_written = !is_const, .has_silent_write = !is_const};
    }
    return uses;
}

/* ---- watching -------------------------------------------------------------------------------------------------------- */

struct watched_array {
    uint32_t parameter;
    const struct launch_buffer *buffer;
    uint64_t first, end; /* addresses */
    uint32_t width;      /* bytes of an element of the buffer */
    struct bitset written;
    bool is_watched;     /* else: by what is defined */
};

struct tail_writes {
    const struct tail_subject *subject;
    struct watched_array *arrays;
    uint32_t count;
    bool any_watched;
};

static void see_store(void *context, const struct emu_watched *access)
{
    struct tail_writes *writes = context;
    const struct ptx_instruction *instruction = access->instruction;
    uint64_t size = (uint64_t)ptx_type_size((enum ptx_type)instruction->type) * (instruction->vector > 1 ? instruction->vector : 1);
    if (instruction->op != PTX_OP_st)
        return;
    for (uint32_t rest = access->mask; rest != 0; rest &= rest - 1) {
        uint64_t address = access->addresses[__builtin_ctz(rest)];
        for (uint32_t a = 0; a < writes->count; a++) {
            struct watched_array *array = &writes->arrays[a];
            if (!array->is_watched || address < array->first || address >= array->end || size > array->end - address)
                continue;
            uint64_t from = (address - array->first) / array->width, to = (address + size - 1 - array->first) / array->width;
            for (uint64_t e = from; e <= to; e++)
                bitset_add(&array->written, (uint32_t)e);
        }
    }
}

static bool is_looked_at(const struct contract_parameter *parameter)
{
    return parameter->kind == CONTRACT_POINTER && !parameter->is_const &&
           (parameter->writes_all || parameter->shape_kind == CONTRACT_SHAPE_PITCHED);
}

struct tail_writes *tail_writes_begin(const struct tail_subject *subject, struct launch_run_options *options)
{
    struct tail_writes *writes = ARENA_NEW(subject->arena, struct tail_writes);
    const struct contract *contract = subject->contract;
    writes->subject = subject;
    if (contract == NULL)
        return writes;
    writes->arrays = ARENA_ARRAY(subject->arena, struct watched_array, contract->parameters.count + 1);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct tail_use *use = &subject->uses[p];
        if (!is_looked_at(&contract->parameters.data[p]) || (use->is_read && use->has_silent_write))
            continue;
        writes->arrays[writes->count++] = (struct watched_array){.parameter = p, .is_watched = use->is_read};
        writes->any_watched |= use->is_read;
    }
    if (writes->any_watched) {
        options->emu.watch = see_store;
        options->emu.watch_context = writes;
        options->emu.jobs = 1;
    }
    return writes;
}

void tail_writes_attach(struct tail_writes *writes, struct launch_run *run)
{
    const struct contract *contract = writes->subject->contract;
    for (uint32_t a = 0; a < writes->count; a++) {
        struct watched_array *array = &writes->arrays[a];
        array->buffer = tail_find_array(run, writes->subject->arena, &contract->parameters.data[array->parameter]);
        if (array->buffer == NULL)
            continue;
        array->width = value_type_info(array->buffer->argument->type)->size;
        array->is_watched |= array->buffer->initialised; /* a launch of the user's */
        if (!array->is_watched || array->buffer->length > WATCHED_ELEMENTS)
            continue;
        array->first = array->buffer->address;
        array->end = array->first + array->buffer->length * array->width;
        bitset_init(&array->written, writes->subject->arena, (uint32_t)array->buffer->length + 1);
    }
}

/* ---- judging ------------------------------------------------------------------------------------------------------------- */

struct missing {
    uint64_t count, wanted;
    uint64_t examples[EXAMPLES];
};

static void add_missing(struct missing *missing, uint64_t element)
{
    if (missing->count < EXAMPLES)
        missing->examples[missing->count] = element;
    missing->count++;
}

/* Rows, columns and pitch in elements of the buffer; one row of everything without a pitch. */
struct extent {
    uint64_t rows, columns, pitch;
};

static bool find_extent(const struct contract *contract, const struct contract_parameter *parameter,
                        const struct contract_values *values, uint64_t parts, uint64_t length, struct extent *extent)
{
    contract_integer sizes[3];
    *extent = (struct extent){1, length, length};
    if (parameter->shape_kind == CONTRACT_SHAPE_NONE)
        return true;
    if (parameter->shape_kind == CONTRACT_SHAPE_ROWS) {
        contract_integer elements;
        if (!contract_extent(contract, (uint32_t)(parameter - contract->parameters.data), values, &elements))
            return false;
        if ((contract_integer)length > elements * (contract_integer)parts)
            extent->columns = (uint64_t)elements * parts;
        return true;
    }
    for (unsigned d = 0; d < 3; d++)
        if (contract_evaluate_expression(contract, &parameter->shape[d], values, &sizes[d]) != CONTRACT_FINE || sizes[d] < 0)
            return false;
    *extent = (struct extent){(uint64_t)sizes[0], (uint64_t)sizes[1] * parts, (uint64_t)sizes[2] * parts};
    return sizes[0] != 0 && sizes[1] != 0 && sizes[1] <= sizes[2];
}

static bool is_written(const struct watched_array *array, struct launch_run *run, uint64_t first, uint64_t count, uint8_t *written)
{
    if (array->is_watched) {
        for (uint64_t i = 0; i < count; i++)
            written[i] = bitset_has(&array->written, (uint32_t)(first + i));
        return array->written.words != NULL;
    }
    uint8_t bytes[CHUNK * 8];
    return launch_run_read(run, array->buffer, first, count, bytes, written);
}

static const char *list_examples(struct arena *arena, const struct missing *missing)
{
    struct buffer text;
    buffer_init(&text, arena);
    for (uint64_t i = 0; i < missing->count && i < EXAMPLES; i++)
        buffer_printf(&text, "%s%llu", i == 0 ? "" : ", ", (unsigned long long)missing->examples[i]);
    if (missing->count > EXAMPLES)
        buffer_puts(&text, ", ...");
    return text.data;
}

static void report_missing(const struct tail_writes *writes, const struct watched_array *array, const struct missing *missing,
                           struct report_kernel *kernel)
{
    struct arena *arena = writes->subject->arena;
    const struct contract_parameter *parameter = &writes->subject->contract->parameters.data[array->parameter];
    struct finding *finding = tail_add_finding(arena, kernel, FINDING_MISSING_ELEMENT, parameter->place);
    char missed[28], all[28];
    finding->message = arena_printf(arena, "never writes `%s[%llu]`", parameter->name, (unsigned long long)missing->examples[0]);
    finding->label = arena_printf(arena, "%s of %s elements %s missing: %s", text_group_digits(missing->count, missed),
                                  text_group_digits(missing->wanted, all), missing->count == 1 ? "is" : "are",
                                  list_examples(arena, missing));
    finding->array = parameter->name;
    finding->has_index = true;
    finding->index = (int64_t)missing->examples[0];
    finding->extent = array->buffer->length;
    finding->element_size = array->width;
    finding->count = missing->count;
}

static void report_padding(const struct tail_writes *writes, const struct watched_array *array, const struct missing *padding,
                           struct report_kernel *kernel)
{
    struct arena *arena = writes->subject->arena;
    const struct contract_parameter *parameter = &writes->subject->contract->parameters.data[array->parameter];
    struct finding *finding = tail_add_finding(arena, kernel, FINDING_ROW_CROSSING, parameter->place);
    char count[28];
    finding->message = arena_printf(arena, "writes `%s[%llu]`, which lies between two rows", parameter->name,
                                    (unsigned long long)padding->examples[0]);
    finding->label = arena_printf(arena, "%s element%s behind the end of a row: %s", text_group_digits(padding->count, count),
                                  padding->count == 1 ? "" : "s", list_examples(arena, padding));
    finding->array = parameter->name;
    finding->count = padding->count;
}

static void judge_array(const struct tail_writes *writes, const struct watched_array *array, struct launch_run *run,
                        const struct contract_values *values, bool is_whole, struct report_kernel *kernel)
{
    const struct contract *contract = writes->subject->contract;
    const struct contract_parameter *parameter = &contract->parameters.data[array->parameter];
    struct missing missing = {0}, padding = {0};
    uint64_t parts = parameter->element_size > array->width ? parameter->element_size / array->width : 1;
    struct extent extent;
    uint8_t written[CHUNK];
    bool is_unseen = array->is_watched && writes->subject->options->device_alone; /* nobody watches there */
    if (array->buffer == NULL || array->buffer->length > WATCHED_ELEMENTS || is_unseen ||
        !find_extent(contract, parameter, values, parts, array->buffer->length, &extent) || extent.pitch == 0)
        return;
    uint64_t length = extent.rows == 1 ? extent.columns : (extent.rows - 1) * extent.pitch + extent.columns;
    for (uint64_t at = 0; at < length; at += CHUNK) {
        uint64_t count = length - at < CHUNK ? length - at : CHUNK;
        if (!is_written(array, run, at, count, written))
            return;
        for (uint64_t i = 0; i < count; i++) {
            bool is_used = (at + i) % extent.pitch < extent.columns;
            missing.wanted += is_used;
            if (is_used && !written[i])
                add_missing(&missing, at + i);
            if (!is_used && written[i])
                add_missing(&padding, at + i);
        }
    }
    if (missing.count != 0 && is_whole && parameter->writes_all)
        report_missing(writes, array, &missing, kernel);
    if (padding.count != 0)
        report_padding(writes, array, &padding, kernel);
}

void tail_find_missing(struct tail_writes *writes, struct launch_run *run, const struct contract_values *values, bool is_whole,
                       struct report_kernel *kernel)
{
    for (uint32_t a = 0; a < writes->count; a++)
        judge_array(writes, &writes->arrays[a], run, values, is_whole, kernel);
}

void tail_find_idle(const struct tail_subject *subject, const struct contract_values *values, struct report_kernel *kernel)
{
    const struct contract *contract = subject->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        char count[28];
        if (parameter->kind != CONTRACT_POINTER || !parameter->writes_all || values->lengths[p] <= 0)
            continue;
        struct finding *finding = tail_add_finding(subject->arena, kernel, FINDING_MISSING_ELEMENT, parameter->place);
        finding->message = arena_printf(subject->arena, "is not launched for an empty domain, but `%s` has elements", parameter->name);
        finding->label = arena_printf(subject->arena, "%s element%s nobody writes",
                                      text_group_digits((uint64_t)values->lengths[p], count), values->lengths[p] == 1 ? "" : "s");
        finding->array = parameter->name;
        finding->help = "let the host write them when there is nothing to launch, or require a domain that is not empty";
        finding->count = (uint64_t)values->lengths[p];
    }
}
