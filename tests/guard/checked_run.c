/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a checked module in the emulator with a fault record, as a launcher does.
 *
 *     checked_run MODULE.ptx LAUNCH [RAW.ptx]
 *
 * LAUNCH is the text of `--launch`, or @FILE: the launch in the head comment of a source.  Prints "clean", or the record; with RAW.ptx the same launch of that module too, and whether
 * all buffers end with the same bits.  Exit 0 clean, 1 a fault or another result, 2 it cannot be run.
 */
#include "launch/launch.h"
#include "launch/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trial {
    struct arena *arena;
    struct launch_run *run;
    struct launch_fault_record record;
    bool has_record;
};

static void print_diagnostics(const struct diagnostic_list *list)
{
    for (uint32_t i = 0; i < list->items.count; i++)
        fprintf(stderr, "%s:%u: %s\n", list->items.data[i].place.file != NULL ? list->items.data[i].place.file : "?",
                list->items.data[i].place.line, list->items.data[i].message);
}

static bool begin_record(struct trial *trial, uint64_t *address)
{
    uint64_t size = 0, variable = emu_program_symbol(trial->run->program, LAUNCH_FAULT_VARIABLE, &size);
    struct emu_buffer buffer = {.name = "record", .size = sizeof trial->record, .element_size = 1, .initialised = true};
    *address = 0;
    if (variable == 0)
        return false;
    *address = emu_memory_allocate(trial->run->machine, &buffer);
    return size == 8 && *address != 0 && emu_memory_write(trial->run->machine, variable, address, sizeof *address);
}

static bool try_module(struct trial *trial, const char *path, const char *launch_text)
{
    struct diagnostic_list diagnostics;
    struct launch_comment comment = {0};
    struct report report;
    static struct launch_run_options options;
    size_t size;
    char *text = file_read(trial->arena, path, &size);
    diagnostic_list_init(&diagnostics, trial->arena);
    report_init(&report, trial->arena, "run");
    if (text == NULL) {
        perror(path);
        return false;
    }
    const struct ptx_module *module = ptx_parse(trial->arena, path, text, size, &diagnostics);
    if (launch_text[0] == '@') {
        char *source = file_read(trial->arena, launch_text + 1, &size);
        if (source != NULL)
            launch_comment_parse(trial->arena, launch_text + 1, source, size, &comment, &diagnostics);
    } else {
        launch_text_apply(trial->arena, launch_text, &comment, &diagnostics);
    }
    uint32_t function = diagnostics.errors == 0 && comment.launches.count != 0
                            ? launch_find_kernel(trial->arena, module, &comment.launches.data[0], NULL, &diagnostics)
                            : PTX_NONE;
    if (function != PTX_NONE)
        trial->run = launch_run_begin(trial->arena, module, function, arena_copy(trial->arena, &comment.launches.data[0], sizeof(struct launch)),
                                      &options, report_add_kernel(&report), &diagnostics);
    if (trial->run == NULL || trial->run->refused) {
        print_diagnostics(&diagnostics);
        return false;
    }
    uint64_t address;
    trial->has_record = begin_record(trial, &address);
    launch_run_execute(trial->run);
    print_diagnostics(&diagnostics);
    if (trial->has_record)
        emu_memory_read(trial->run->machine, address, &trial->record, sizeof trial->record);
    const struct report_kernel *kernel = trial->run->kernel;
    for (uint32_t i = 0; i < kernel->findings.count; i++) {
        const struct finding *finding = &kernel->findings.data[i];
        bool is_trap = finding->kind == FINDING_DEVICE_ASSERT && trial->has_record && trial->record.state != LAUNCH_FAULT_NONE;
        bool is_remark = finding->severity != SEVERITY_ERROR || finding_info(finding->kind)->number == 405;
        if (!is_trap && !is_remark)
            printf("seen: LW%u %s\n", finding_info(finding->kind)->number, finding->message);
    }
    return true;
}

static bool same_buffers(struct trial *a, struct trial *b)
{
    bool same = true;
    for (uint32_t i = 0; i < launch_run_buffer_count(a->run); i++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(a->run, i), *other = launch_run_buffer_at(b->run, i);
        uint64_t bytes = buffer->length * value_type_info(buffer->argument->type)->size;
        if (bytes == 0 || bytes > (uint64_t)1 << 24)
            continue;
        uint8_t *left = malloc(bytes), *right = malloc(bytes);
        if (left == NULL || right == NULL || !launch_run_read(a->run, buffer, 0, buffer->length, left, NULL) ||
            !launch_run_read(b->run, other, 0, other->length, right, NULL) || memcmp(left, right, bytes) != 0) {
            printf("buffer %s differs\n", buffer->argument->name);
            same = false;
        }
        free(left);
        free(right);
    }
    return same;
}

static int print_record(const struct launch_fault_record *record)
{
    if (record->state == LAUNCH_FAULT_NONE) {
        puts("clean");
        return 0;
    }
    printf("fault: LW%u, site %u, block (%u,%u,%u), thread (%u,%u,%u), index %" PRId64 ", extent %" PRIu64 "%s\n", record->kind, record->site,
           record->block[0], record->block[1], record->block[2], record->thread[0], record->thread[1], record->thread[2], record->index,
           record->extent, record->state == LAUNCH_FAULT_COMPLETE ? "" : ", incomplete");
    return 1;
}

int main(int count, char **words)
{
    struct arena arena;
    struct trial checked = {.arena = &arena}, raw = {.arena = &arena};
    jmp_buf out_of_memory;
    if (count < 3 || count > 4) {
        fputs("usage: checked_run MODULE.ptx LAUNCH [RAW.ptx]\n", stderr);
        return 2;
    }
    arena_init(&arena);
    arena.handler = &out_of_memory;
    if (setjmp(out_of_memory) != 0)
        return 2;
    const char *launch = words[2];
    if (!try_module(&checked, words[1], launch))
        return 2;
    int status = print_record(&checked.record);
    if (count == 4) {
        if (!try_module(&raw, words[3], launch))
            return 2;
        bool same = same_buffers(&checked, &raw);
        puts(same ? "same results" : "other results");
        status = same ? status : 1;
        launch_run_end(raw.run);
    }
    launch_run_end(checked.run);
    arena_free(&arena);
    return status;
}
