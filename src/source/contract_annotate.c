/* SPDX-License-Identifier: Apache-2.0
 *
 * The annotations of a declaration: which macros stand there, and their arguments as the file has them.
 *
 * libclang says where a macro was expanded; from there on the file's own text is read.  A macro that the user's own macro expands to has no
 * text of its own: its arguments come from the attribute, and their errors stand where the user's macro does.
 */
#include "source/contract_reader.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* ---- a piece of text that is walked with its place ------------------------------------------------------ */

struct cursor {
    const char *at, *end;
    struct place place;
};

static void step(struct cursor *cursor, size_t size)
{
    for (; size > 0 && cursor->at < cursor->end; size--, cursor->at++) {
        if (cursor->place.column == 0)
            continue; /* a text that stands nowhere in a file */
        if (*cursor->at == '\n') {
            cursor->place.line++;
            cursor->place.column = 1;
        } else {
            cursor->place.column++;
        }
    }
}

static bool starts(const struct cursor *cursor, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(cursor->end - cursor->at) >= size && memcmp(cursor->at, text, size) == 0;
}

/* Past one comment or literal, if one starts here. */
static bool skip_opaque(struct cursor *cursor)
{
    if (starts(cursor, "//")) {
        while (cursor->at < cursor->end && *cursor->at != '\n')
            step(cursor, 1);
        return true;
    }
    if (starts(cursor, "/*")) {
        step(cursor, 2);
        while (cursor->at < cursor->end && !starts(cursor, "*/"))
            step(cursor, 1);
        step(cursor, 2);
        return true;
    }
    if (cursor->at < cursor->end && *cursor->at == '"') {
        step(cursor, 1);
        while (cursor->at < cursor->end && *cursor->at != '"')
            step(cursor, *cursor->at == '\\' ? 2 : 1);
        step(cursor, 1);
        return true;
    }
    return false;
}

static void skip_blanks(struct cursor *cursor)
{
    while (cursor->at < cursor->end && *cursor->at != '"') {
        bool is_continued = starts(cursor, "\\\n") || starts(cursor, "\\\r");
        if (is_blank(*cursor->at) || is_continued)
            step(cursor, is_continued ? 2 : 1);
        else if (!skip_opaque(cursor))
            return;
    }
}

/* Splits at the commas that stand in no parentheses of their own, up to the closing one or the end. */
static void split(struct reader *reader, struct cursor *cursor,
                  struct reader_annotation *annotation)
{
    for (;;) {
        unsigned depth = 0;
        skip_blanks(cursor);
        const char *start = cursor->at, *last = cursor->at;
        struct place place = cursor->place;
        while (cursor->at < cursor->end) {
            char c = *cursor->at;
            if (depth == 0 && (c == ',' || c == ')'))
                break;
            bool blank = is_blank(c);
            if (!skip_opaque(cursor)) {
                depth += c == '(' || c == '[' || c == '{';
                depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
                step(cursor, 1);
            }
            if (!blank)
                last = cursor->at;
        }
        *vec_push(reader->arena, &annotation->arguments) =
            (struct reader_argument){start, (size_t)(last - start), place};
        if (cursor->at >= cursor->end || *cursor->at != ',')
            return;
        step(cursor, 1);
    }
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

static void read_arguments(struct reader *reader, struct reader_annotation *annotation,
                           const char *rest)
{
    struct reader_file *file = reader_find_file(reader, annotation->file);
    struct cursor cursor = {rest, rest + strlen(rest), annotation->place};
    cursor.place.column = 0;
    if (file != NULL && file->text != NULL && annotation->offset < file->size) {
        struct cursor own = {file->text + annotation->offset, file->text + file->size,
                             annotation->place};
        if (starts(&own, annotation->macro)) {
            step(&own, strlen(annotation->macro));
            skip_blanks(&own);
            if (starts(&own, "(")) {
                step(&own, 1);
                cursor = own;
            }
        }
    }
    split(reader, &cursor, annotation);
    annotation->is_list_empty =
        annotation->arguments.count == 1 && annotation->arguments.data[0].size == 0;
}

struct gathering {
    struct reader *reader;
    struct reader_kernel *kernel;
    uint32_t parameter;
    reader_annotations *annotations;
};

/* A redeclaration has the attributes of the earlier ones too. */
static bool is_inherited(const struct gathering *g, const struct reader_annotation *annotation)
{
    for (uint32_t i = 0; g->kernel != NULL && i < g->kernel->seen.count; i++) {
        const struct reader_annotation *seen = &g->kernel->seen.data[i];
        if (clang_File_isEqual(seen->file, annotation->file) &&
            seen->offset == annotation->offset && seen->parameter == annotation->parameter &&
            strcmp(seen->spelling, annotation->spelling) == 0)
            return true;
    }
    return false;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    static const char prefix[] = "lanewise:";
    struct gathering *g = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    const char *spelling = reader_text(g->reader, clang_getCursorSpelling(cursor));
    const char *rest = text_starts_with(spelling, prefix) ? spelling + sizeof prefix - 1 : NULL;
    const char *colon = rest != NULL ? strchr(rest, ':') : NULL;
    if (colon == NULL)
        return CXChildVisit_Continue;
    struct reader_annotation annotation = {
        .macro = arena_text(g->reader->arena, rest, (size_t)(colon - rest)),
        .parameter = g->parameter,
        .spelling = spelling,
    };
    annotation.place = reader_place(g->reader, clang_getCursorLocation(cursor), &annotation.file,
                                    &annotation.offset);
    if (is_inherited(g, &annotation))
        return CXChildVisit_Continue;
    if (g->kernel != NULL)
        *vec_push(g->reader->arena, &g->kernel->seen) = annotation;
    read_arguments(g->reader, &annotation, colon + 1);
    *vec_push(g->reader->arena, g->annotations) = annotation;
    return CXChildVisit_Continue;
}

void reader_gather(struct reader *reader, struct reader_kernel *kernel, CXCursor cursor,
                   uint32_t parameter, reader_annotations *annotations)
{
    struct gathering gathering = {reader, kernel, parameter, annotations};
    clang_visitChildren(cursor, visit, &gathering);
}

/* ---- array bounds of C prototypes ----------------------------------------------------------------------------- */

/* Behind the name of a parameter; at == end: it is not in the text. */
static struct cursor behind_name(struct reader *reader, CXCursor parameter, CXFile *file,
                                 unsigned *offset)
{
    struct cursor cursor = {"", "", {0}};
    const char *name = reader_text(reader, clang_getCursorSpelling(parameter));
    struct place place = reader_place(reader, clang_getCursorLocation(parameter), file, offset);
    struct reader_file *found = reader_find_file(reader, *file);
    if (*name == '\0' || found == NULL || found->text == NULL || *offset >= found->size)
        return cursor;
    cursor = (struct cursor){found->text + *offset, found->text + found->size, place};
    if (!starts(&cursor, name))
        cursor.at = cursor.end;
    step(&cursor, strlen(name));
    skip_blanks(&cursor);
    return cursor;
}

/* Past `static`, `const` and the like, which may stand before a bound. */
static void skip_qualifiers(struct cursor *cursor)
{
    static const char *const words[] = {"static", "const", "restrict", "__restrict__", "volatile"};
    for (unsigned i = 0; i < COUNT_OF(words); i++) {
        skip_blanks(cursor);
        size_t size = strlen(words[i]);
        if (!starts(cursor, words[i]) ||
            (cursor->at + size < cursor->end && is_word(cursor->at[size])))
            continue;
        step(cursor, size);
        i = UINT32_MAX; /* from the first again */
    }
    skip_blanks(cursor);
}

/* One bracket: what stands inside; false at anything else. */
static bool next_bound(struct cursor *cursor, struct reader_argument *bound)
{
    skip_blanks(cursor);
    if (!starts(cursor, "["))
        return false;
    step(cursor, 1);
    skip_qualifiers(cursor);
    const char *last = cursor->at;
    *bound = (struct reader_argument){cursor->at, 0, cursor->place};
    for (unsigned depth = 0; cursor->at < cursor->end && (depth > 0 || *cursor->at != ']');) {
        bool blank = is_blank(*cursor->at);
        depth += *cursor->at == '[';
        depth -= depth > 0 && *cursor->at == ']';
        if (!skip_opaque(cursor))
            step(cursor, 1);
        if (!blank)
            last = cursor->at;
    }
    step(cursor, 1);
    bound->size = (size_t)(last - bound->text);
    return true;
}

unsigned reader_count_bounds(struct reader *reader, CXCursor parameter)
{
    CXFile file;
    unsigned offset, count = 0;
    struct reader_argument bound;
    struct cursor cursor = behind_name(reader, parameter, &file, &offset);
    while (next_bound(&cursor, &bound))
        count++;
    return count;
}

void reader_gather_bounds(struct reader *reader, CXCursor parameter, uint32_t index,
                          reader_annotations *annotations)
{
    struct reader_annotation annotation = {
        .macro = "LW_SHAPE", .parameter = index, .spelling = READER_BOUNDS};
    struct reader_argument bound;
    struct cursor cursor = behind_name(reader, parameter, &annotation.file, &annotation.offset);
    bool is_open = false;
    annotation.place = cursor.place;
    while (next_bound(&cursor, &bound)) {
        is_open |= bound.size == 0 || (bound.size == 1 && *bound.text == '*');
        *vec_push(reader->arena, &annotation.arguments) = bound;
    }
    /* float a[], or the first bound left out: the shape is not said. */
    if (annotation.arguments.count != 0 && !is_open)
        *vec_push(reader->arena, annotations) = annotation;
}
