/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: print_contracts [--compiler nvcc] [--contract HEADER]... FILE
 *
 * Prints the contracts of a file's kernels, each as it is matched with the PTX, and every diagnostic.  Exit status 1 if one is an error.
 */
#include "source/source.h"

#include <string.h>

static void print_diagnostics(const struct diagnostic_list *list)
{
    static const char *const severities[] = {"note", "warning", "error"};
    for (uint32_t i = 0; i < list->items.count; i++) {
        const struct diagnostic *item = &list->items.data[i];
        printf("%s:%u:%u: %s: %s\n", item->place.file, item->place.line, item->place.column,
               severities[item->severity], item->message);
        if (item->help != NULL)
            printf("  help: %s\n", item->help);
    }
}

/* Compilers write kernels in different orders: here they come in the order of the source. */
static bool comes_before(const struct contract *a, const struct contract *b)
{
    int order = strcmp(a->place.file, b->place.file);
    if (order == 0 && a->place.line != b->place.line)
        return a->place.line < b->place.line;
    return order != 0 ? order < 0 : strcmp(a->kernel_shown, b->kernel_shown) < 0;
}

static bool print_kernels(struct arena *arena, const struct source_unit *unit,
                          const struct contract_list *list, struct diagnostic_list *diagnostics)
{
    struct ptx_module *module =
        ptx_parse(arena, unit->ptx_name, unit->ptx, unit->ptx_size, diagnostics);
    VEC(const struct contract *) found = {0};
    struct buffer out;
    bool good = true;
    buffer_init(&out, arena);
    buffer_puts(&out, "");
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const struct contract *contract;
        if (!module->functions.data[i].is_entry)
            continue;
        good &= source_match_contract(arena, list, module, i, &contract, diagnostics);
        if (contract == NULL) {
            buffer_printf(&out, "kernel %s: nothing\n", module->functions.data[i].name);
            continue;
        }
        *vec_push(arena, &found) = contract;
        for (uint32_t k = found.count - 1; k > 0 && comes_before(contract, found.data[k - 1]);
             k--) {
            found.data[k] = found.data[k - 1];
            found.data[k - 1] = contract;
        }
    }
    for (uint32_t i = 0; i < found.count; i++)
        contract_print(found.data[i], &out);
    for (uint32_t i = 0; i < list->references.count; i++)
        buffer_printf(&out, "reference %s for %s\n", list->references.data[i].shown,
                      list->references.data[i].kernel);
    if (good && diagnostics->errors == 0)
        fputs(out.data, stdout);
    return good;
}

static bool print_file(struct arena *arena, int count, char **words,
                       struct diagnostic_list *diagnostics)
{
    struct source_options options = {.data = source_find_data(arena)};
    struct contract_list list = {0};
    struct source_unit unit;
    const char *file = NULL;
    bool good = true;
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--compiler") == 0 && i + 1 < count)
            options.compiler = strcmp(words[++i], "nvcc") == 0 ? COMPILER_NVCC : COMPILER_CLANG;
        else if (strcmp(words[i], "--contract") == 0 && i + 1 < count)
            good &= source_read_contract_header(arena, words[++i], &options, &list, diagnostics);
        else
            file = words[i];
    }
    if (file == NULL) {
        fprintf(stderr, "usage: print_contracts [--compiler nvcc] [--contract HEADER]... FILE\n");
        return false;
    }
    return good && source_load(arena, file, &unit, diagnostics) &&
           source_compile(arena, &unit, &options, diagnostics) &&
           source_read_contracts(arena, &unit, &options, &list, diagnostics) &&
           print_kernels(arena, &unit, &list, diagnostics);
}

int main(int count, char **words)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    arena_init(&arena);
    diagnostic_list_init(&diagnostics, &arena);
    bool good = print_file(&arena, count, words, &diagnostics);
    print_diagnostics(&diagnostics);
    good = good && diagnostics.errors == 0;
    arena_free(&arena);
    return good ? 0 : 1;
}
