/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading contracts: the entry points, and parsing with libclang.
 *
 * A .cu file is parsed as the compiler sees it, for the device, against Lanewise's own headers.  libclang shows no instances of templates, so
 * each instance that the PTX holds is mentioned in a line behind the user's text, by the name that PTX gives it.  Errors of those lines
 * only mean that such an instance has no contract.
 */
#include "source/compile.h"
#include "source/contract_reader.h"

#include "launch/launch.h"

#include <string.h>

enum { SHOWN_ERRORS = 20, INSTANCES = 1000 };

/* ---- texts and places ------------------------------------------------------------------------------------ */

const char *reader_text(struct reader *reader, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = arena_string(reader->arena, text != NULL ? text : "");
    clang_disposeString(string);
    return copy;
}

struct reader_file *reader_find_file(struct reader *reader, CXFile file)
{
    if (file == NULL)
        return NULL;
    for (uint32_t i = 0; i < reader->files.count; i++)
        if (clang_File_isEqual(reader->files.data[i].file, file))
            return &reader->files.data[i];
    const char *path = reader_text(reader, clang_getFileName(file));
    const char *plain = text_starts_with(path, "./") ? path + 2 : path;
    struct reader_file found = {.file = file,
                                .shown = source_shown_path(reader->arena, reader->unit, plain)};
    if (strcmp(path, reader->path) == 0)
        found.shown = reader->unit->path;
    found.text = clang_getFileContents(reader->translation, file, &found.size);
    *vec_push(reader->arena, &reader->files) = found;
    return &reader->files.data[reader->files.count - 1];
}

struct place reader_place(struct reader *reader, CXSourceLocation location, CXFile *file,
                          unsigned *offset)
{
    CXFile where = NULL;
    unsigned line = 0, column = 0, at = 0;
    clang_getExpansionLocation(location, &where, &line, &column, &at);
    struct reader_file *found = reader_find_file(reader, where);
    if (file != NULL)
        *file = where;
    if (offset != NULL)
        *offset = at;
    return (struct place){found != NULL ? found->shown : reader->unit->path, line, column};
}

/* ---- the command line ---------------------------------------------------------------------------------------- */

static void make_arguments(struct reader *reader)
{
    static const char *const header[] = {
        "-x",        "c",        "-std=c17",           "-ffreestanding", "-D__global__=",
        "-include",  "stddef.h", "-include",           "stdint.h",       "-include",
        "stdbool.h", "-include", "lanewise/contract.h"};
    const struct source_options *options = reader->options;
    struct command command = {.arena = reader->arena}, flags = {.arena = reader->arena};
    if (options->cflags != NULL && !command_add_flags(&flags, options->cflags))
        flags.words.count = 0; /* the compilation has complained */
    command_add(&command, "-DLANEWISE_READS_CONTRACTS");
    command_add(&command, "-w");
    for (unsigned i = 0; i < COUNT_OF(header) && reader->is_header; i++)
        command_add(&command, header[i]);
    if (!reader->is_header)
        command_add_language(&command, options);
    if (reader->is_header || options->compiler == COMPILER_NVCC)
        command_add_nvcc_flags(&command, &flags);
    else
        for (uint32_t i = 0; i < flags.words.count; i++)
            command_add(&command, flags.words.data[i]);
    if (reader->is_header)
        command_add(&command, arena_printf(reader->arena, "-I%s/include", options->data));
    else
        command_add_folders(&command, options);
    for (uint32_t i = 0; i < command.words.count; i++)
        *vec_push(reader->arena, &reader->arguments) = command.words.data[i];
}

CXTranslationUnit reader_parse(struct reader *reader, const char *more)
{
    CXTranslationUnit translation = NULL;
    struct buffer text;
    buffer_init(&text, reader->arena);
    buffer_add(&text, reader->unit->text, reader->unit->size);
    buffer_putc(&text, '\n');
    reader->own_lines = 0;
    for (size_t i = 0; i < text.size; i++)
        reader->own_lines += text.data[i] == '\n';
    buffer_puts(&text, more);
    struct CXUnsavedFile file = {reader->path, text.data, text.size};
    enum CXErrorCode error = clang_parseTranslationUnit2(
        reader->index, reader->path, reader->arguments.data, (int)reader->arguments.count, &file, 1,
        CXTranslationUnit_KeepGoing | CXTranslationUnit_SkipFunctionBodies, &translation);
    return error == CXError_Success ? translation : NULL;
}

/* ---- instances of templates ------------------------------------------------------------------------------------- */

/* The name of an instance as C++ can say it; NULL: it cannot. */
static const char *instance_name(struct arena *arena, const char *mangled)
{
    static const char unnamed[] = "(anonymous namespace)::";
    const char *name = launch_short_name(arena, mangled);
    struct buffer out;
    if (strchr(name, '<') == NULL)
        return NULL;
    buffer_init(&out, arena);
    for (const char *at = name; *at != '\0'; at++) {
        if (strncmp(at, unnamed, sizeof unnamed - 1) == 0) {
            at += sizeof unnamed - 2;
            continue;
        }
        if (*at < ' ' || *at > '~' || strchr("'{}$@;\\\"#", *at) != NULL)
            return NULL;
        buffer_putc(&out, *at);
    }
    return out.data;
}

/* A line for each instance in the PTX. */
static const char *mention_instances(struct reader *reader)
{
    const struct source_unit *unit = reader->unit;
    struct buffer out;
    unsigned count = 0;
    buffer_init(&out, reader->arena);
    buffer_puts(&out, "");
    if (unit->ptx == NULL || reader->is_header)
        return out.data;
    for (const char *at = unit->ptx; count < INSTANCES && (at = strstr(at, ".entry")) != NULL;) {
        at += strlen(".entry");
        at += strspn(at, " \t\r\n");
        size_t size = strcspn(at, " \t\r\n(,;{");
        const char *name = instance_name(reader->arena, arena_text(reader->arena, at, size));
        if (name == NULL)
            continue;
        buffer_printf(&out, "static_assert(sizeof(&::%s) != 0, \"\");\n", name);
        count++;
    }
    return out.data;
}

/* ---- errors of the source ------------------------------------------------------------------------------------------ */

static bool is_question(struct reader *reader, CXSourceLocation location)
{
    CXFile file = NULL;
    unsigned line = 0;
    clang_getExpansionLocation(location, &file, &line, NULL, NULL);
    return file != NULL && line > reader->own_lines &&
           clang_File_isEqual(file, clang_getFile(reader->translation, reader->path));
}

/* True if a bracket is open before that place in its line. */
static bool is_in_bound(struct reader *reader, CXFile file, unsigned offset)
{
    const struct reader_file *found = reader_find_file(reader, file);
    if (found == NULL || found->text == NULL || offset >= found->size)
        return false;
    for (const char *at = found->text + offset; at > found->text && at[-1] != '\n'; at--)
        if (at[-1] == '[' || at[-1] == ']')
            return at[-1] == '[';
    return false;
}

static void report_error(struct reader *reader, CXDiagnostic diagnostic)
{
    const char *message = reader_text(reader, clang_getDiagnosticSpelling(diagnostic));
    CXFile file;
    unsigned offset;
    struct place place =
        reader_place(reader, clang_getDiagnosticLocation(diagnostic), &file, &offset);
    if (reader->is_header) {
        diagnostic_add(reader->diagnostics, SEVERITY_ERROR, place, "%s", message);
        if (strstr(message, "undeclared identifier") != NULL && is_in_bound(reader, file, offset))
            diagnostic_help(
                reader->diagnostics,
                "in C a size stands before the arrays that it bounds; LW_SHAPE(...) behind "
                "a pointer can name any parameter");
        return;
    }
    /* The compiler took this file.  What clang could read counts all the same; a kernel that it could not is found when it is matched. */
    if (strstr(reader->unit->text, "LW_") != NULL) {
        reader->list->trouble = message;
        reader->list->trouble_place = place;
    }
    diagnostic_add(reader->diagnostics, SEVERITY_WARNING, place, "contracts may be missed: %s",
                   message);
    diagnostic_help(reader->diagnostics,
                    "contracts are read by clang, with Lanewise's own CUDA headers");
}

static void report_errors(struct reader *reader)
{
    unsigned count = clang_getNumDiagnostics(reader->translation), shown = 0;
    unsigned limit = reader->is_header ? SHOWN_ERRORS : 1;
    for (unsigned i = 0; i < count && shown < limit; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(reader->translation, i);
        bool counts = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
                      !is_question(reader, clang_getDiagnosticLocation(diagnostic));
        if (counts) {
            reader->has_errors = true;
            report_error(reader, diagnostic);
            shown++;
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

/* ---- entry ------------------------------------------------------------------------------------------------------------ */

static void close_reader(void *context)
{
    struct reader *reader = context;
    if (reader->constants != NULL)
        clang_disposeTranslationUnit(reader->constants);
    if (reader->translation != NULL)
        clang_disposeTranslationUnit(reader->translation);
    if (reader->index != NULL)
        clang_disposeIndex(reader->index);
}

static void read_all(void *context)
{
    struct reader *reader = context;
    reader->index = clang_createIndex(0, 0);
    make_arguments(reader);
    reader->translation = reader_parse(reader, mention_instances(reader));
    if (reader->translation == NULL) {
        diagnostic_add(reader->diagnostics, SEVERITY_ERROR,
                       (struct place){.file = reader->unit->path},
                       "contracts cannot be read: libclang does not parse this file");
        return;
    }
    report_errors(reader);
    reader_find_kernels(reader);
    reader_make_contracts(reader);
}

static bool comes_before(const struct diagnostic *a, const struct diagnostic *b)
{
    bool same_file = strcmp(a->place.file, b->place.file) == 0;
    return same_file && (a->place.line < b->place.line ||
                         (a->place.line == b->place.line && a->place.column < b->place.column));
}

/* In the order of the source, and one for each place: the instances of a template repeat them, and where clang and the reader both
 * complain, the reader, which comes later, knows more. */
static void pass_on(struct diagnostic_list *from, struct diagnostic_list *to)
{
    struct diagnostic *items = from->items.data;
    for (uint32_t i = 1; i < from->items.count; i++)
        for (uint32_t k = i; k > 0 && comes_before(&items[k], &items[k - 1]); k--) {
            struct diagnostic moved = items[k];
            items[k] = items[k - 1];
            items[k - 1] = moved;
        }
    for (uint32_t i = 0; i < from->items.count; i++) {
        bool is_last = true;
        for (uint32_t k = i + 1; k < from->items.count && is_last; k++)
            is_last = items[k].place.line != items[i].place.line ||
                      items[k].place.column != items[i].place.column ||
                      strcmp(items[k].place.file, items[i].place.file) != 0;
        if (!is_last)
            continue;
        diagnostic_add(to, items[i].severity, items[i].place, "%s", items[i].message);
        if (items[i].help != NULL)
            diagnostic_help(to, "%s", items[i].help);
    }
}

static bool read_unit(struct arena *arena, const struct source_unit *unit,
                      const struct source_options *options, bool is_header,
                      struct contract_list *list, struct diagnostic_list *diagnostics)
{
    struct reader *reader = ARENA_NEW(arena, struct reader);
    struct diagnostic_list *own = ARENA_NEW(arena, struct diagnostic_list);
    diagnostic_list_init(own, arena);
    if (options->data == NULL) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = unit->path},
                       "Lanewise's own headers (shim/, include/) are not found");
        return false;
    }
    reader->arena = arena;
    reader->unit = unit;
    reader->options = options;
    reader->list = list;
    reader->diagnostics = own;
    reader->is_header = is_header;
    reader->path = *unit->path == '-' ? arena_printf(arena, "./%s", unit->path) : unit->path;
    arena_run(arena, read_all, close_reader, reader); /* what libclang holds is no arena's */
    pass_on(own, diagnostics);
    return own->errors == 0;
}

bool source_read_contracts(struct arena *arena, const struct source_unit *unit,
                           const struct source_options *options, struct contract_list *list,
                           struct diagnostic_list *diagnostics)
{
    return unit->is_ptx || read_unit(arena, unit, options, false, list, diagnostics);
}

bool source_read_contract_header(struct arena *arena, const char *path,
                                 const struct source_options *options, struct contract_list *list,
                                 struct diagnostic_list *diagnostics)
{
    struct source_unit *unit = ARENA_NEW(arena, struct source_unit);
    struct place place = {.file = path};
    unit->path = path;
    unit->text = file_read(arena, path, &unit->size);
    if (unit->text == NULL) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, place, "cannot read `%s`", path);
        return false;
    }
    if (memchr(unit->text, '\0', unit->size) != NULL) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, place, "`%s` is a binary file, not text", path);
        return false;
    }
    return read_unit(arena, unit, options, true, list, diagnostics);
}
