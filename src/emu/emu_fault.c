/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings of a launch: collected by each worker, joined at the end.
 *
 * A worker keeps one record for each (kind, instruction, array): how often, and the details of the first thread in block order, then thread order.
 * Joining workers adds the counts and keeps the earliest, so the result does not depend on how blocks were dealt out.
 */
#include "emu/emu_core.h"

#include <inttypes.h>
#include <stdlib.h>

uint32_t emu_thread_number(const struct emu_warp *warp, uint32_t lane)
{
    return warp->index * EMU_LANES + lane;
}

struct place emu_fault_place(const struct ptx_module *module, const struct emu_function *function, uint32_t instruction)
{
    const struct ptx_function *source = function->source;
    uint32_t location = source->location;
    if (instruction < source->instructions.count)
        location = source->instructions.data[instruction].location;
    const struct ptx_location *user = ptx_user_location(module, location);
    if (user != NULL && user->line != 0)
        return (struct place){ptx_file_path(module, user->file), user->line, user->column};
    uint32_t line = instruction < source->instructions.count ? source->instructions.data[instruction].line : source->line;
    return (struct place){module->name, line, 0};
}

/* ---- recording ------------------------------------------------------------------------------------ */

struct fault_key {
    uint32_t kind, function, instruction, function2, instruction2, array;
};

/* What happens in a function of a header that was not inlined (nvcc -G) happens where the user called it. */
static void leave_headers(const struct emu_warp *warp, const struct emu_function **function, uint32_t *instruction)
{
    const struct ptx_module *module = warp->block->worker->run->program->module;
    const struct emu_frame *frame = warp->frame;
    while (frame->function == *function && frame->caller != NULL && *instruction < (*function)->source->instructions.count &&
           ptx_location_is_system(module, (*function)->source->instructions.data[*instruction].location)) {
        *instruction = frame->call->instruction;
        frame = frame->caller;
        *function = frame->function;
    }
}

struct emu_fault *emu_fault_add_pair(struct emu_warp *warp, enum finding_kind kind, const struct emu_function *function,
                                     uint32_t instruction, const struct emu_function *function2, uint32_t instruction2,
                                     uint32_t lane, const char *array, uint32_t array_number)
{
    struct emu_worker *worker = warp->block->worker;
    struct fault_key key;
    leave_headers(warp, &function, &instruction);
    memset(&key, 0, sizeof key);
    key.kind = (uint32_t)kind;
    key.function = function->index;
    key.instruction = instruction;
    key.function2 = function2 == NULL ? PTX_NONE : function2->index;
    key.instruction2 = instruction2;
    key.array = array_number;
    uint32_t index = text_map_find(&worker->fault_index, (const char *)&key, sizeof key);
    uint32_t thread = emu_thread_number(warp, lane);
    struct emu_fault *fault;
    uint64_t count = 0;
    if (index == TEXT_MAP_NONE) {
        index = worker->faults.count;
        fault = vec_push(&worker->arena, &worker->faults);
        text_map_set(&worker->fault_index, (const char *)&key, sizeof key, index);
    } else {
        fault = &worker->faults.data[index];
        fault->count++;
        if (fault->block < warp->block->number || (fault->block == warp->block->number && fault->thread <= thread))
            return NULL;
        count = fault->count - 1;
    }
    memset(fault, 0, sizeof *fault);
    fault->kind = kind;
    fault->severity = finding_info(kind)->severity;
    fault->function = function->index;
    fault->instruction = instruction;
    fault->function2 = key.function2;
    fault->instruction2 = instruction2;
    fault->use = PTX_NONE;
    fault->array = array;
    fault->array_number = array_number;
    fault->count = count + 1;
    fault->block = warp->block->number;
    fault->thread = thread;
    return fault;
}

struct emu_fault *emu_fault_add(struct emu_warp *warp, enum finding_kind kind, const struct emu_function *function,
                                const struct emu_op *op, uint32_t lane, const char *array, uint32_t array_number)
{
    return emu_fault_add_pair(warp, kind, function, op->instruction, NULL, PTX_NONE, lane, array, array_number);
}

enum emu_next emu_stop(struct emu_warp *warp, enum emu_status status, const struct emu_op *op, const char *format, ...)
{
    struct emu_worker *worker = warp->block->worker;
    warp->block->state = EMU_BLOCK_ABORTED;
    if (worker->status == EMU_OK || warp->block->number < worker->stopped_block) {
        va_list arguments;
        va_start(arguments, format);
        worker->stopped = arena_vprintf(&worker->arena, format, arguments);
        va_end(arguments);
        worker->status = status;
        worker->stopped_block = warp->block->number;
        worker->stopped_at = emu_fault_place(worker->run->program->module, warp->frame->function, op->instruction);
    }
    __atomic_store_n(&worker->run->stop, 1, __ATOMIC_RELAXED);
    return EMU_ABORT;
}

enum emu_next emu_run_unsupported(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)mask;
    const struct ptx_module *module = warp->block->worker->run->program->module;
    const struct ptx_instruction *instruction = op->source;
    struct buffer text;
    buffer_init(&text, &warp->block->worker->arena);
    size_t size = instruction->text_size < 120 ? instruction->text_size : 120;
    buffer_add(&text, module->text + instruction->text_offset, size);
    return emu_stop(warp, EMU_UNSUPPORTED, op, "instruction `%s` is not executed (PTX line %u)", text.data,
                    instruction->line);
}

/* ---- joining --------------------------------------------------------------------------------------- */

static bool fault_earlier(const struct emu_fault *a, const struct emu_fault *b)
{
    return a->block != b->block ? a->block < b->block : a->thread < b->thread;
}

static bool fault_same(const struct emu_fault *a, const struct emu_fault *b)
{
    return a->kind == b->kind && a->function == b->function && a->instruction == b->instruction &&
           a->function2 == b->function2 && a->instruction2 == b->instruction2 && a->array_number == b->array_number;
}

static int fault_compare(const void *x, const void *y)
{
    const struct emu_fault *a = *(struct emu_fault *const *)x, *b = *(struct emu_fault *const *)y;
    const uint64_t left[] = {a->function, a->instruction, a->kind, a->array_number, a->function2, a->instruction2, a->block, a->thread};
    const uint64_t right[] = {b->function, b->instruction, b->kind, b->array_number, b->function2, b->instruction2, b->block, b->thread};
    for (size_t i = 0; i < COUNT_OF(left); i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static void block_position(const struct emu_run *run, uint64_t block, uint32_t out[3])
{
    const uint32_t *grid = run->launch->grid;
    out[0] = (uint32_t)(block % grid[0]);
    out[1] = (uint32_t)(block / grid[0] % grid[1]);
    out[2] = (uint32_t)(block / grid[0] / grid[1]);
}

static void thread_position(const struct emu_run *run, uint32_t thread, uint32_t out[3])
{
    const uint32_t *block = run->launch->block;
    out[0] = thread % block[0];
    out[1] = thread / block[0] % block[1];
    out[2] = thread / block[0] / block[1];
}

static const char *verb(const struct emu_fault *fault)
{
    return fault->is_atomic ? "updates" : fault->is_write ? "writes" : "reads";
}

static void describe_bounds(const struct emu_fault *fault, struct arena *arena, struct finding *finding)
{
    if (fault->text != NULL) {
        finding->message = arena_printf(arena, "%s %u byte%s %s%s%s%s", verb(fault), fault->access_size,
                                        fault->access_size == 1 ? "" : "s", fault->text, fault->array != NULL ? " (`" : "",
                                        fault->array != NULL ? fault->array : "", fault->array != NULL ? "`)" : "");
        return;
    }
    if (!fault->has_index) {
        if (fault->address < 65536)
            finding->message = arena_printf(arena, "%s %u byte%s through a null pointer (address 0x%" PRIx64 ")", verb(fault),
                                            fault->access_size, fault->access_size == 1 ? "" : "s", fault->address);
        else
            finding->message = arena_printf(arena, "%s %u byte%s at address 0x%" PRIx64 ", where nothing is allocated", verb(fault),
                                            fault->access_size, fault->access_size == 1 ? "" : "s", fault->address);
        return;
    }
    int64_t end = fault->offset + fault->access_size;
    const char *name = fault->array != NULL ? fault->array : "an allocation";
    char where[96];
    if (fault->offset < 0)
        snprintf(where, sizeof where, "%" PRIu64 " byte%s before the start", (uint64_t)0 - (uint64_t)fault->offset,
                 fault->offset == -1 ? "" : "s");
    else if ((uint64_t)fault->offset >= fault->extent && (uint64_t)fault->offset > fault->extent)
        snprintf(where, sizeof where, "%" PRIu64 " byte%s past the end", (uint64_t)fault->offset - fault->extent,
                 (uint64_t)fault->offset - fault->extent == 1 ? "" : "s");
    else if ((uint64_t)fault->offset == fault->extent)
        snprintf(where, sizeof where, "just past the end");
    else
        snprintf(where, sizeof where, "of which %" PRIu64 " lie past the end", (uint64_t)end - fault->extent);
    finding->message = arena_printf(arena, "%s %u byte%s %s of `%s`", verb(fault), fault->access_size,
                                    fault->access_size == 1 ? "" : "s", where, name);
}

static void describe(const struct emu_run *run, const struct emu_fault *fault, struct arena *arena, struct finding *finding)
{
    const struct ptx_module *module = run->program->module;
    switch (fault->kind) {
    case FINDING_OOB_GLOBAL:
    case FINDING_OOB_SHARED:
    case FINDING_OOB_LOCAL:
    case FINDING_OOB_CONST:
        describe_bounds(fault, arena, finding);
        break;
    case FINDING_MISALIGNED:
        finding->message = arena_printf(arena, "%s %u bytes %s`%s`%s at an address that is not a multiple of %u", verb(fault),
                                        fault->access_size, fault->array != NULL ? "of " : "",
                                        fault->array != NULL ? fault->array : "memory", "", fault->access_size);
        break;
    case FINDING_DIV_BY_ZERO:
        finding->message = "divides by zero";
        finding->help = "a GPU does not trap here: the result is a meaningless number";
        break;
    case FINDING_UNINIT_READ:
        finding->message = arena_printf(arena, "uses a value read from %s%s%s%s that was never written",
                                        fault->array != NULL ? "`" : "", fault->array != NULL ? fault->array : "memory",
                                        fault->array != NULL ? "`" : "", "");
        if (fault->use != PTX_NONE && fault->use != fault->instruction) {
            struct finding_note *note = vec_push(arena, &finding->notes);
            note->place = emu_fault_place(module, &run->program->functions[fault->function], fault->use);
            note->message = "first used here";
        }
        break;
    case FINDING_WARP_RACE:
    case FINDING_SHARED_RACE:
    case FINDING_GLOBAL_RACE:
        finding->message = arena_printf(arena, "%s `%s`, which another thread %s, with nothing to order the two%s%s",
                                        fault->first_access, fault->array != NULL ? fault->array : "memory", fault->second_access,
                                        fault->text != NULL ? "; " : "", fault->text != NULL ? fault->text : "");
        break;
    default:
        finding->message = fault->text != NULL ? arena_string(arena, fault->text) : finding_info(fault->kind)->title;
        break;
    }
    if (fault->text != NULL && finding->message == NULL)
        finding->message = arena_string(arena, fault->text);
}

static struct finding make_finding(const struct emu_run *run, const struct emu_fault *fault, struct arena *arena)
{
    const struct ptx_module *module = run->program->module;
    const struct emu_function *function = &run->program->functions[fault->function];
    struct finding finding = {.kind = fault->kind,
                              .severity = fault->severity,
                              .status = STATUS_SEEN,
                              .kernel = run->function->source->name,
                              .array = fault->array == NULL ? NULL : arena_string(arena, fault->array),
                              .has_index = fault->has_index,
                              .element_size = fault->element_size != 0 ? fault->element_size : 1,
                              .count = fault->count};
    finding.place = emu_fault_place(module, function, fault->instruction);
    finding.ptx_place.file = module->name;
    finding.ptx_place.line = fault->instruction < function->source->instructions.count
                                 ? function->source->instructions.data[fault->instruction].line
                                 : function->source->line;
    if (fault->has_index) {
        /* Arrays that compilers declare as bytes are counted in what is accessed. */
        if (finding.element_size == 1 && fault->access_size > 1 && fault->extent % fault->access_size == 0 &&
            fault->offset % (int64_t)fault->access_size == 0)
            finding.element_size = fault->access_size;
        int64_t size = finding.element_size;
        finding.index = fault->offset >= 0 ? fault->offset / size : -((-fault->offset + size - 1) / size);
        finding.extent = fault->extent / (uint64_t)size;
    }
    finding.first.valid = 3;
    block_position(run, fault->block, finding.first.block);
    thread_position(run, fault->thread, finding.first.thread);
    if (fault->has_second) {
        finding.second.valid = 3;
        block_position(run, fault->block2, finding.second.block);
        thread_position(run, fault->thread2, finding.second.thread);
    }
    for (uint32_t i = 0; i < fault->notes.count; i++) {
        struct finding_note *note = vec_push(arena, &finding.notes);
        *note = fault->notes.data[i];
        note->message = arena_string(arena, note->message);
    }
    if (fault->help != NULL)
        finding.help = fault->help;
    describe(run, fault, arena, &finding);
    return finding;
}

void emu_fault_collect(struct emu_run *run, struct arena *arena, struct emu_result *result)
{
    uint32_t total = 0;
    for (uint32_t w = 0; w < run->worker_count; w++)
        total += run->workers[w].faults.count;
    struct emu_fault **all = ARENA_ARRAY(arena, struct emu_fault *, total + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < run->worker_count; w++)
        for (uint32_t i = 0; i < run->workers[w].faults.count; i++)
            all[count++] = &run->workers[w].faults.data[i];
    if (count != 0)
        qsort(all, count, sizeof *all, fault_compare);
    for (uint32_t i = 0; i < count;) {
        struct emu_fault *first = all[i];
        uint64_t times = 0;
        uint32_t next = i;
        for (; next < count && fault_same(first, all[next]); next++) {
            times += all[next]->count;
            if (fault_earlier(all[next], first))
                first = all[next];
        }
        first->count = times;
        *vec_push(arena, &result->findings) = make_finding(run, first, arena);
        i = next;
    }
}
