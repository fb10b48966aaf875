/* SPDX-License-Identifier: Apache-2.0
 *
 * parse_files FILE...: parses PTX files, prints them back, compares; says what the front end knows and how fast it is.
 * Exit 1 if a file does not parse, holds an opaque instruction or does not survive printing.
 *
 *   --print FILE          prints the module to stdout instead
 *   --allow-opaque FILE   opaque instructions are fine
 */
#include "equal.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct totals {
    unsigned files, entries, functions, errors, failures, unread;
    uint64_t bytes, instructions, opaque;
    double seconds;
    size_t most_memory;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void show_diagnostics(const struct diagnostic_list *diagnostics, unsigned most)
{
    for (uint32_t i = 0; i < diagnostics->items.count && i < most; i++) {
        const struct diagnostic *diagnostic = &diagnostics->items.data[i];
        fprintf(stderr, "%s:%u:%u: %s\n", diagnostic->place.file, diagnostic->place.line,
                diagnostic->place.column, diagnostic->message);
    }
}

static void show_opaque(const struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct ptx_function *function = &module->functions.data[i];
        for (uint32_t k = 0; k < function->instructions.count; k++) {
            const struct ptx_instruction *instruction = &function->instructions.data[k];
            if (instruction->op == PTX_OP_OPAQUE)
                fprintf(stderr, "%s:%u: opaque: %.*s\n", module->name, instruction->line,
                        (int)instruction->text_size, module->text + instruction->text_offset);
        }
    }
}

static void count_module(const struct ptx_module *module, struct totals *totals)
{
    totals->instructions += module->instruction_count;
    totals->opaque += module->opaque_count;
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct ptx_function *function = &module->functions.data[i];
        totals->entries += function->is_entry && function->has_body;
        totals->functions += !function->is_entry && function->has_body;
    }
}

static void check_file(struct arena *arena, const char *path, bool print, struct totals *totals)
{
    size_t size;
    char *text = file_read(arena, path, &size);
    if (text == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        totals->unread++;
        return;
    }
    struct diagnostic_list diagnostics;
    diagnostic_list_init(&diagnostics, arena);
    double start = now();
    size_t before = arena->total;
    struct ptx_module *module = ptx_parse(arena, path, text, size, &diagnostics);
    totals->seconds += now() - start;
    if (arena->total - before > totals->most_memory)
        totals->most_memory = arena->total - before;
    totals->files++;
    totals->bytes += size;
    totals->errors += diagnostics.errors;
    count_module(module, totals);
    show_diagnostics(&diagnostics, 10);
    show_opaque(module);
    if (print) {
        struct buffer out;
        buffer_init(&out, arena);
        ptx_print_module(module, &out);
        fwrite(out.data, 1, out.size, stdout);
    }
    const char *failure = diagnostics.errors == 0 ? roundtrip_fails(arena, module) : NULL;
    if (failure != NULL) {
        fprintf(stderr, "%s: round trip: %s\n", path, failure);
        totals->failures++;
    }
}

int main(int argc, char **argv)
{
    static struct totals totals; /* outlives the jump below */
    bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
    bool allow_opaque = argc > 1 && strcmp(argv[1], "--allow-opaque") == 0;
    int first = print || allow_opaque ? 2 : 1;
    if (argc <= first) {
        fputs("usage: parse_files [--print | --allow-opaque] FILE...\n", stderr);
        return 2;
    }
    for (volatile int i = first; i < argc; i++) {
        struct arena arena;
        jmp_buf out_of_memory;
        arena_init(&arena);
        if (setjmp(out_of_memory) == 0) {
            arena.handler = &out_of_memory;
            check_file(&arena, argv[i], print, &totals);
        } else {
            fprintf(stderr, "%s: out of memory\n", argv[i]);
            totals.unread++;
        }
        arena_free(&arena);
    }
    fprintf(print ? stderr : stdout,
            "%u files, %u entries, %u other functions, %llu instructions, %llu opaque, %u errors, "
            "%u round trips failed, %u not read\n%.1f MB in %.3f s: %.0f MB/s; at most %.1f MB of "
            "memory\n",
            totals.files, totals.entries, totals.functions, (unsigned long long)totals.instructions,
            (unsigned long long)totals.opaque, totals.errors, totals.failures, totals.unread,
            (double)totals.bytes / 1e6, totals.seconds,
            (double)totals.bytes / 1e6 / (totals.seconds + 1e-9), (double)totals.most_memory / 1e6);
    return totals.errors != 0 || (totals.opaque != 0 && !allow_opaque) || totals.failures != 0 ||
           totals.unread != 0;
}
