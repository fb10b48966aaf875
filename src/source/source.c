/* SPDX-License-Identifier: Apache-2.0
 *
 * Input files: what may be one, where Lanewise's own headers are, where a kernel is declared, how paths are shown.
 */
#include "source/source.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(struct diagnostic_list *diagnostics, const char *path, const char *why)
{
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = path}, "%s", why);
    return false;
}

bool source_load(struct arena *arena, const char *path, struct source_unit *unit,
                 struct diagnostic_list *diagnostics)
{
    struct stat status;
    memset(unit, 0, sizeof *unit);
    unit->path = path;
    unit->is_ptx = text_ends_with(path, ".ptx");
    if (stat(path, &status) != 0)
        return refuse(diagnostics, path,
                      arena_printf(arena, "cannot read `%s`: %s", path, strerror(errno)));
    if (S_ISDIR(status.st_mode))
        return refuse(diagnostics, path, arena_printf(arena, "`%s` is a folder", path));
    if (!unit->is_ptx && !text_ends_with(path, ".cu")) {
        refuse(diagnostics, path,
               arena_printf(arena, "`%s` is neither a .cu nor a .ptx file", path));
        diagnostic_help(diagnostics, "the ending says what a file is: rename or copy it");
        return false;
    }
    unit->text = file_read(arena, path, &unit->size);
    if (unit->text == NULL)
        return refuse(diagnostics, path,
                      arena_printf(arena, "cannot read `%s`: %s", path, strerror(errno)));
    if (unit->size == 0)
        return refuse(diagnostics, path, arena_printf(arena, "`%s` is empty", path));
    if (memchr(unit->text, '\0', unit->size) != NULL)
        return refuse(diagnostics, path,
                      arena_printf(arena, "`%s` is a binary file, not text", path));
    if (unit->is_ptx) {
        unit->ptx = unit->text;
        unit->ptx_size = unit->size;
        unit->ptx_name = path;
    }
    return true;
}

/* ---- our own folders ---------------------------------------------------------------------------------- */

const char *source_find_data(struct arena *arena)
{
    char executable[PATH_MAX];
    const char *candidates[4] = {getenv("LANEWISE_DATA")};
    ssize_t size = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (size > 0) {
        executable[size] = '\0';
        *strrchr(executable, '/') = '\0';
        candidates[1] = arena_printf(arena, "%s/../share/lanewise", executable);
        candidates[2] = arena_printf(arena, "%s/..", executable);
    }
    candidates[3] = LANEWISE_SOURCE_ROOT;
    /* What the user says counts alone. */
    unsigned count = candidates[0] != NULL ? 1 : COUNT_OF(candidates);
    for (unsigned i = 0; i < count; i++) {
        if (candidates[i] == NULL)
            continue;
        const char *prelude = arena_printf(arena, "%s/shim/lanewise_cuda_prelude.h", candidates[i]);
        char *real = access(prelude, R_OK) == 0 ? realpath(candidates[i], NULL) : NULL;
        if (real == NULL)
            continue;
        const char *found = arena_string(arena, real);
        free(real);
        return found;
    }
    return NULL;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

const char *source_shown_path(struct arena *arena, const struct source_unit *unit, const char *path)
{
    char folder[PATH_MAX];
    size_t size = getcwd(folder, sizeof folder) == NULL ? 0 : strlen(folder);
    if (!unit->is_ptx && is_same_file(path, unit->path))
        return unit->path;
    if (size > 1 && strncmp(path, folder, size) == 0 && path[size] == '/')
        return arena_string(arena, path + size + 1);
    return path;
}

void source_shorten_paths(struct arena *arena, const struct source_unit *unit,
                          struct ptx_module *module)
{
    for (uint32_t i = 0; i < module->files.count; i++)
        if (module->files.data[i].path != NULL)
            module->files.data[i].path =
                source_shown_path(arena, unit, module->files.data[i].path);
}

/* ---- declarations of kernels ---------------------------------------------------------------------------- */

struct scanner {
    const char *at;
    uint32_t line;
    const char *line_start;
};

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void step(struct scanner *scanner)
{
    if (*scanner->at == '\n') {
        scanner->line++;
        scanner->line_start = scanner->at + 1;
    }
    scanner->at++;
}

/* Past blanks, comments and preprocessor lines; past literals too, which never matter here. */
static void skip_noise(struct scanner *scanner)
{
    for (;;) {
        char c = *scanner->at;
        if (c == '/' && scanner->at[1] == '/') {
            while (*scanner->at != '\0' && *scanner->at != '\n')
                step(scanner);
        } else if (c == '/' && scanner->at[1] == '*') {
            step(scanner);
            do
                step(scanner);
            while (*scanner->at != '\0' && (scanner->at[0] != '*' || scanner->at[1] != '/'));
            for (int i = 0; i < 2 && *scanner->at != '\0'; i++)
                step(scanner);
        } else if (c == '"' || c == '\'') {
            step(scanner);
            while (*scanner->at != '\0' && *scanner->at != c && *scanner->at != '\n') {
                if (*scanner->at == '\\' && scanner->at[1] != '\0')
                    step(scanner);
                step(scanner);
            }
            if (*scanner->at == c)
                step(scanner);
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            step(scanner);
        } else {
            return;
        }
    }
}

/* A word, or one character; size 0 at the end. */
static size_t next_token(struct scanner *scanner, const char **token)
{
    skip_noise(scanner);
    *token = scanner->at;
    if (*scanner->at == '\0')
        return 0;
    if (!is_word(*scanner->at)) {
        step(scanner);
        return 1;
    }
    while (is_word(*scanner->at))
        step(scanner);
    return (size_t)(scanner->at - *token);
}

struct place source_find_kernel(const struct source_unit *unit, const char *name)
{
    struct place place = {.file = unit->path};
    struct scanner scanner = {unit->text, 1, unit->text};
    size_t size = strcspn(name, "<");
    const char *start = name + size, *token;
    while (start > name && is_word(start[-1]))
        start--;
    size = (size_t)(name + size - start);
    if (size == 0 || unit->is_ptx)
        return place;
    bool in_declaration = false;
    for (size_t length; (length = next_token(&scanner, &token)) != 0;) {
        if (length == 10 && memcmp(token, "__global__", 10) == 0)
            in_declaration = true;
        else if (*token == '{' || *token == ';')
            in_declaration = false;
        if (!in_declaration || length != size || memcmp(token, start, size) != 0)
            continue;
        struct scanner after = scanner;
        const char *next;
        uint32_t line = scanner.line, column = (uint32_t)(token - scanner.line_start) + 1;
        /* `name(` or, for an explicit instance, `name<`. */
        if (next_token(&after, &next) != 0 && (*next == '(' || *next == '<')) {
            place.line = line;
            place.column = column;
            return place;
        }
    }
    return place;
}

const char *source_explain_no_kernel(const struct source_unit *unit)
{
    const char *kernel = unit->text == NULL || unit->is_ptx ? NULL : strstr(unit->text, "__global__");
    if (kernel == NULL)
        return NULL;
    const char *generic = strstr(unit->text, "template");
    if (generic != NULL && generic < kernel)
        return "a template is a kernel where it is used: launch it, or write `template __global__ void name<float>(float *, int);` in the file";
    return "a compiler drops kernels that are `static` or in an unnamed namespace and that nothing launches";
}
