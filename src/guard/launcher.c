/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the launchers of a module: FOLDER/NAME_kernels.h and FOLDER/NAME_kernels.c.
 */
#include "guard/launcher.h"

#include <errno.h>
#include <string.h>

static bool write_file(struct arena *arena, const char *path, const struct buffer *text, struct diagnostic_list *diagnostics)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(text->data, 1, text->size, file) == text->size;
    int why = errno;
    if (file != NULL && fclose(file) != 0 && good) {
        good = false;
        why = errno;
    }
    if (!good)
        diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = arena_string(arena, path)}, "cannot be written: %s", strerror(why));
    return good;
}

bool guard_write_launcher(struct arena *arena, const struct guard_module *module, const char *folder, struct diagnostic_list *diagnostics)
{
    struct launcher launcher;
    struct buffer header, source;
    launcher_plan(&launcher, arena, module);
    buffer_init(&header, arena);
    buffer_init(&source, arena);
    launcher_write_header(&launcher, &header);
    launcher_write_source(&launcher, &source);
    return write_file(arena, arena_printf(arena, "%s/%s_kernels.h", folder, module->name), &header, diagnostics) &&
           write_file(arena, arena_printf(arena, "%s/%s_kernels.c", folder, module->name), &source, diagnostics);
}
