/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: golden [--update] FILE.ptx...
 *
 * Prints graph and analysis form of each function of the files and compares them with FILE.form
 * beside each, or writes that. The form is verified after every pass.
 */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "ir/ir.h"

static bool print_module(struct arena *arena, const struct ptx_module *module, struct buffer *out)
{
    const struct ir_options options = {.verify = true};
    for (uint32_t i = 0; i < module->functions.count; i++) {
        struct diagnostic_list diagnostics;
        diagnostic_list_init(&diagnostics, arena);
        if (!module->functions.data[i].has_body)
            continue;
        ir_cfg_print(ir_cfg_build(arena, module, i), out);
        const struct ir_function *function =
            ir_function_build(arena, module, i, &options, &diagnostics);
        if (diagnostics.items.count != 0) {
            printf("%s: %s\n", module->name, diagnostics.items.data[0].message);
            return false;
        }
        ir_function_print(function, out);
        buffer_putc(out, '\n');
    }
    return true;
}

/* Shows the first line that differs. */
static void show_difference(const char *path, const char *expected, const char *got)
{
    uint32_t line = 1;
    while (*expected != 0 && *expected == *got) {
        line += *got == '\n';
        expected++;
        got++;
    }
    printf("%s:%u: expected \"%.*s\", got \"%.*s\" from there on\n", path, line,
           (int)strcspn(expected, "\n"), expected, (int)strcspn(got, "\n"), got);
}

static bool check_file(const char *path, bool update)
{
    struct arena arena;
    struct diagnostic_list diagnostics;
    struct buffer out;
    size_t size;
    arena_init(&arena);
    diagnostic_list_init(&diagnostics, &arena);
    buffer_init(&out, &arena);
    const char *form_path =
        arena_printf(&arena, "%.*s.form", (int)(strlen(path) - strlen(".ptx")), path);
    const char *text = file_read(&arena, path, &size);
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    struct ptx_module *module =
        text == NULL ? NULL : ptx_parse(&arena, name, text, size, &diagnostics);
    bool good = module != NULL && diagnostics.errors == 0 && print_module(&arena, module, &out);
    if (!good) {
        printf("%s: cannot be read or has no form\n", path);
    } else if (update) {
        FILE *file = fopen(form_path, "w");
        good = file != NULL && fwrite(out.data, 1, out.size, file) == out.size;
        if (file != NULL)
            good = fclose(file) == 0 && good;
    } else {
        const char *expected = file_read(&arena, form_path, NULL);
        good = expected != NULL && strcmp(expected, out.data) == 0;
        if (!good)
            show_difference(form_path, expected != NULL ? expected : "", out.data);
    }
    arena_free(&arena);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true, update = argc > 1 && strcmp(argv[1], "--update") == 0;
    for (int i = update ? 2 : 1; i < argc; i++)
        good = check_file(argv[i], update) && good;
    return !good || argc < 2;
}
