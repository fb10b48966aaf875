/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the paths of PTX files from standard input, a line each, and says how much of them Lanewise takes: entries that parse, static
 * instructions that the emulator executes, and the forms that it does not know with the number of files that have them.
 * Works file by file, so a corpus of any size fits in memory.  bench/coverage.sh builds and calls it.
 */
#include "emu/emu.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

struct totals {
    uint64_t files, parsed, with_entries;
    uint64_t entries, entries_parsed;
    uint64_t instructions, executable;
};

struct unknown_form {
    const char *name;
    uint64_t files;
};

struct unknown_list {
    struct arena *arena;
    VEC(struct unknown_form) forms;
};

/* Entries by the text alone, not by the parser that is being measured. */
static uint64_t entries_in_text(const char *text)
{
    uint64_t count = 0;
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *end = strchr(line, '\n');
        const char *word = strstr(line, ".entry ");
        const char *comment = strstr(line, "//");
        if (word != NULL && (end == NULL || word < end) && (comment == NULL || comment > word))
            count++;
    }
    return count;
}

static void unknown_add(struct unknown_list *list, const char *name, size_t size)
{
    for (uint32_t i = 0; i < list->forms.count; i++)
        if (strlen(list->forms.data[i].name) == size && memcmp(list->forms.data[i].name, name, size) == 0) {
            list->forms.data[i].files++;
            return;
        }
    struct unknown_form *form = vec_push(list->arena, &list->forms);
    form->name = arena_text(list->arena, name, size);
    form->files = 1;
}

static void unknown_add_all(struct unknown_list *list, const char *text)
{
    while (text != NULL && *text != '\0') {
        const char *end = strchr(text, '\n');
        size_t size = end != NULL ? (size_t)(end - text) : strlen(text);
        if (size > 0)
            unknown_add(list, text, size);
        text = end != NULL ? end + 1 : NULL;
    }
}

static void report_failure(const char *path, const struct diagnostic_list *diagnostics, const char *what)
{
    printf("! %s: %s", path, what);
    for (uint32_t i = 0; i < diagnostics->items.count; i++)
        if (diagnostics->items.data[i].severity == SEVERITY_ERROR) {
            printf(": line %u: %s", diagnostics->items.data[i].place.line, diagnostics->items.data[i].message);
            break;
        }
    printf("\n");
}

static void cover_file(const char *path, struct totals *totals, struct unknown_list *unknown)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    size_t size = 0;
    arena_init(&arena);
    diagnostic_list_init(&diagnostics, &arena);
    totals->files++;
    const char *text = file_read(&arena, path, &size);
    if (text == NULL) {
        report_failure(path, &diagnostics, "cannot be read");
        arena_free(&arena);
        return;
    }
    uint64_t entries = entries_in_text(text);
    totals->entries += entries;
    totals->with_entries += entries > 0;

    struct ptx_module *module = ptx_parse(&arena, path, text, size, &diagnostics);
    if (diagnostics.errors > 0)
        report_failure(path, &diagnostics, "does not parse");
    else
        totals->parsed++;
    uint64_t bodies = 0;
    for (uint32_t f = 0; f < module->functions.count; f++) {
        totals->entries_parsed += diagnostics.errors == 0 && module->functions.data[f].is_entry;
        bodies += module->functions.data[f].has_body;
    }

    uint64_t executable = 0, all = 0;
    struct buffer names;
    buffer_init(&names, &arena);
    if (diagnostics.errors == 0)
        emu_program_coverage(module, &executable, &all, &names);
    if (all == 0 && bodies > 0) {
        report_failure(path, &diagnostics, "cannot be prepared for execution");
        all = module->instruction_count;
    }
    totals->instructions += all;
    totals->executable += executable;
    unknown_add_all(unknown, names.data);
    arena_free(&arena);
}

static int compare_forms(const void *left, const void *right)
{
    const struct unknown_form *a = left, *b = right;
    if (a->files != b->files)
        return a->files < b->files ? 1 : -1;
    return strcmp(a->name, b->name);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    struct arena arena;
    arena_init(&arena);
    struct unknown_list unknown = {.arena = &arena};
    char line[4096];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            cover_file(line, &totals, &unknown);
    }
    if (unknown.forms.count > 0)
        qsort(unknown.forms.data, unknown.forms.count, sizeof *unknown.forms.data, compare_forms);
    for (uint32_t i = 0; i < unknown.forms.count; i++)
        printf("unknown: %s (%llu files)\n", unknown.forms.data[i].name,
               (unsigned long long)unknown.forms.data[i].files);
    printf("%s%s%llu of %llu files parse, %llu with kernels; %llu of %llu entries parse; "
           "%llu of %llu static instructions execute (%.3f %%)\n",
           argc > 1 ? argv[1] : "", argc > 1 ? ": " : "", (unsigned long long)totals.parsed,
           (unsigned long long)totals.files, (unsigned long long)totals.with_entries,
           (unsigned long long)totals.entries_parsed, (unsigned long long)totals.entries,
           (unsigned long long)totals.executable, (unsigned long long)totals.instructions,
           totals.instructions > 0 ? 100.0 * (double)totals.executable / (double)totals.instructions : 0.0);
    arena_free(&arena);
    return 0;
}
