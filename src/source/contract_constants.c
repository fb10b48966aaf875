/* SPDX-License-Identifier: Apache-2.0
 *
 * Names in contracts that are no parameters: macros, constexpr variables, enumerators.
 *
 * The front end itself says what they are: the file is parsed once more with an enumerator behind its text for each such name, in the
 * namespace of the kernel that uses it.  Names that this cannot explain stay unknown, and the parser of contracts complains about them
 * where they stand.
 */
#include "source/contract_reader.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 256 }; /* asked about in one file */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void want(struct reader *reader, const struct reader_kernel *kernel, const char *name)
{
    if (reader->names.count >= NAMES)
        return;
    for (uint32_t i = 0; i < reader->names.count; i++)
        if (strcmp(reader->names.data[i].name, name) == 0 &&
            strcmp(reader->names.data[i].scope, kernel->scope) == 0)
            return;
    *vec_push(reader->arena, &reader->names) =
        (struct reader_name){.name = name, .scope = kernel->scope, .depth = kernel->depth};
}

static bool is_operand(const struct contract *contract, const char *name)
{
    static const char *const words[] = {"len",    "block.x", "block.y", "block.z",
                                        "grid.x", "grid.y",  "grid.z"};
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (strcmp(words[i], name) == 0)
            return true;
    /* A parameter, or a field of one beside the annotated field. */
    size_t size = strlen(name);
    for (uint32_t i = 0; i < contract->parameters.count; i++) {
        const char *own = contract->parameters.data[i].name;
        size_t own_size = strlen(own);
        if (own_size >= size && strcmp(own + own_size - size, name) == 0 &&
            (own_size == size || own[own_size - size - 1] == '.'))
            return true;
    }
    return false;
}

/* Every name in one argument: words with their qualifiers, not in literals. */
static void want_names_of(struct reader *reader, const struct reader_kernel *kernel,
                          const struct contract *contract, const struct reader_argument *argument)
{
    const char *at = argument->text, *end = at + argument->size;
    if (argument->size != 0 && *at == '"')
        return;
    while (at < end) {
        if (!is_word(*at)) {
            at++;
            continue;
        }
        const char *start = at;
        bool is_number = *at >= '0' && *at <= '9', has_point = false;
        while (at < end && (is_word(*at) || (*at == '.' && at + 1 < end && is_word(at[1])) ||
                            (*at == ':' && at + 2 < end && at[1] == ':' && is_word(at[2])) ||
                            (*at == ':' && at > start && at[-1] == ':'))) {
            has_point |= *at == '.';
            at++;
        }
        const char *name = arena_text(reader->arena, start, (size_t)(at - start));
        bool is_local = false;
        for (uint32_t i = 0; i < kernel->constants.count; i++)
            is_local |= strcmp(kernel->constants.data[i].name, name) == 0;
        if (!is_number && !has_point && !is_local && !is_operand(contract, name))
            want(reader, kernel, name);
    }
}

void reader_want_names(struct reader *reader, const struct reader_kernel *kernel,
                       const struct contract *contract, const reader_annotations *annotations)
{
    static const char *const without_numbers[] = {"LW_REDUCES", "LW_MAY_ALIAS", "LW_REFERENCE"};
    for (uint32_t i = 0; i < annotations->count; i++) {
        const struct reader_annotation *annotation = &annotations->data[i];
        bool has_numbers = true;
        for (unsigned m = 0; m < COUNT_OF(without_numbers); m++)
            has_numbers &= strcmp(annotation->macro, without_numbers[m]) != 0;
        for (uint32_t a = 0; a < annotation->arguments.count && has_numbers; a++)
            want_names_of(reader, kernel, contract, &annotation->arguments.data[a]);
    }
}

/* ---- asking ------------------------------------------------------------------------------------------------- */

static const char question[] = "lanewise_constant_";

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct reader *reader = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (kind == CXCursor_Namespace || kind == CXCursor_EnumDecl)
        return CXChildVisit_Recurse;
    if (kind != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    const char *name = reader_text(reader, clang_getCursorSpelling(cursor));
    if (!text_starts_with(name, question))
        return CXChildVisit_Continue;
    unsigned long index = strtoul(name + sizeof question - 1, NULL, 10);
    CXType type =
        clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getCursorSemanticParent(cursor)));
    bool is_unsigned =
        type.kind == CXType_UInt || type.kind == CXType_ULong || type.kind == CXType_ULongLong;
    if (index >= reader->names.count)
        return CXChildVisit_Continue;
    struct reader_name *found = &reader->names.data[index];
    found->is_known = true;
    found->value = is_unsigned ? (contract_integer)clang_getEnumConstantDeclUnsignedValue(cursor)
                               : (contract_integer)clang_getEnumConstantDeclValue(cursor);
    return CXChildVisit_Continue;
}

/* An enumerator whose initialiser is an error exists all the same: its line tells. */
static bool has_error(struct reader *reader, unsigned line)
{
    unsigned count = clang_getNumDiagnostics(reader->constants);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(reader->constants, i);
        unsigned at = 0;
        bool is_error = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        CXFile file;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &at, NULL, NULL);
        clang_disposeDiagnostic(diagnostic);
        CXFile main_file = clang_getFile(reader->constants, reader->path);
        if (is_error && at == line && clang_File_isEqual(file, main_file))
            return true;
    }
    return false;
}

void reader_resolve_names(struct reader *reader)
{
    struct buffer more;
    if (reader->names.count == 0)
        return;
    buffer_init(&more, reader->arena);
    for (uint32_t i = 0; i < reader->names.count; i++) {
        const struct reader_name *name = &reader->names.data[i];
        buffer_printf(&more, "%senum { %s%u = (%s) };", name->scope, question, i, name->name);
        for (unsigned d = 0; d < name->depth; d++)
            buffer_puts(&more, " }");
        buffer_putc(&more, '\n');
    }
    reader->constants = reader_parse(reader, more.data);
    if (reader->constants == NULL)
        return;
    clang_visitChildren(clang_getTranslationUnitCursor(reader->constants), visit, reader);
    for (uint32_t i = 0; i < reader->names.count; i++)
        if (has_error(reader, reader->own_lines + 1 + i))
            reader->names.data[i].is_known = false;
}

void reader_add_constants(struct reader *reader, const struct reader_kernel *kernel,
                          struct contract *contract)
{
    for (uint32_t i = 0; i < kernel->constants.count; i++)
        *vec_push(contract->arena, &contract->constants) = kernel->constants.data[i];
    for (uint32_t i = 0; i < reader->names.count; i++)
        if (reader->names.data[i].is_known &&
            strcmp(reader->names.data[i].scope, kernel->scope) == 0)
            contract_add_constant(contract, reader->names.data[i].name,
                                  reader->names.data[i].value);
}
