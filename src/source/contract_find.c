/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and what is said of them: walks the declarations of a file, collects those of each kernel, and makes one contract of them.
 */
#include "source/contract_reader.h"

#include "launch/launch.h"

#include <string.h>

/* ---- what a declaration is ---------------------------------------------------------------------------------- */

static enum CXChildVisitResult look_for_global(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(bool *)data |= clang_getCursorKind(cursor) == CXCursor_CUDAGlobalAttr;
    return CXChildVisit_Continue;
}

static bool is_kernel(CXCursor cursor)
{
    bool found = false;
    clang_visitChildren(cursor, look_for_global, &found);
    return found;
}

/* Bodies are not parsed, so the text tells: a brace comes before a semicolon behind the parameters. */
static bool is_definition(struct reader *reader, CXCursor cursor)
{
    CXFile file;
    unsigned offset, depth = 0;
    reader_place(reader, clang_getCursorLocation(cursor), &file, &offset);
    const struct reader_file *found = reader_find_file(reader, file);
    for (size_t i = offset; found != NULL && found->text != NULL && i < found->size; i++) {
        char c = found->text[i];
        depth += c == '(';
        depth -= depth > 0 && c == ')';
        if (depth == 0 && (c == '{' || c == ';'))
            return c == '{';
    }
    return false;
}

/* "namespace a { namespace b { " around the declaration. */
static const char *scope_of(struct reader *reader, CXCursor cursor, unsigned *depth)
{
    const char *scope = "";
    *depth = 0;
    for (CXCursor at = clang_getCursorSemanticParent(cursor);
         !clang_Cursor_isNull(at) && clang_getCursorKind(at) == CXCursor_Namespace;
         at = clang_getCursorSemanticParent(at)) {
        const char *name = reader_text(reader, clang_getCursorSpelling(at));
        bool is_unnamed = *name == '\0' || *name == '(';
        scope = arena_printf(reader->arena, "namespace %s { %s", is_unnamed ? "" : name, scope);
        (*depth)++;
    }
    return scope;
}

/* "a::b::name" */
static const char *qualified_name(struct reader *reader, CXCursor cursor)
{
    const char *name = reader_text(reader, clang_getCursorSpelling(cursor));
    for (CXCursor at = clang_getCursorSemanticParent(cursor);
         !clang_Cursor_isNull(at) && clang_getCursorKind(at) == CXCursor_Namespace;
         at = clang_getCursorSemanticParent(at))
        name = arena_printf(reader->arena, "%s::%s",
                            reader_text(reader, clang_getCursorSpelling(at)), name);
    return name;
}

/* ---- template arguments ------------------------------------------------------------------------------------------ */

struct template_walk {
    struct reader *reader;
    struct reader_kernel *kernel;
    CXCursor instance;
    unsigned index;
};

static enum CXChildVisitResult visit_template_parameter(CXCursor cursor, CXCursor parent,
                                                        CXClientData data)
{
    struct template_walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter &&
        kind != CXCursor_TemplateTemplateParameter)
        return CXChildVisit_Continue;
    unsigned index = walk->index++;
    if (kind == CXCursor_NonTypeTemplateParameter &&
        clang_Cursor_getTemplateArgumentKind(walk->instance, index) ==
            CXTemplateArgumentKind_Integral)
        *vec_push(walk->reader->arena, &walk->kernel->constants) = (struct contract_constant){
            reader_text(walk->reader, clang_getCursorSpelling(cursor)),
            clang_Cursor_getTemplateArgumentValue(walk->instance, index)};
    return CXChildVisit_Continue;
}

/* ---- collecting ------------------------------------------------------------------------------------------------------ */

static struct reader_kernel *find_kernel(struct reader *reader, const char *mangled,
                                         const char *shown)
{
    for (uint32_t i = 0; i < reader->kernels.count; i++) {
        struct reader_kernel *kernel = &reader->kernels.data[i];
        if (mangled != NULL ? strcmp(kernel->mangled, mangled) == 0
                            : strcmp(kernel->shown, shown) == 0)
            return kernel;
    }
    struct reader_kernel *kernel = vec_push(reader->arena, &reader->kernels);
    memset(kernel, 0, sizeof *kernel);
    kernel->mangled = mangled;
    kernel->shown = shown;
    return kernel;
}

/* clang puts int for types that it does not know: such declarations say nothing. */
static bool is_invalid(CXCursor function)
{
    int count = clang_Cursor_getNumArguments(function);
    bool invalid = clang_isInvalidDeclaration(function) != 0;
    for (int i = 0; i < count && !invalid; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(parameter));
        while (type.kind == CXType_Pointer)
            type = clang_getCanonicalType(clang_getPointeeType(type));
        CXCursor declaration = clang_getTypeDeclaration(type);
        invalid =
            clang_isInvalidDeclaration(parameter) != 0 ||
            (!clang_Cursor_isNull(declaration) && clang_isInvalidDeclaration(declaration) != 0);
    }
    return invalid;
}

static void add_declaration(struct reader *reader, CXCursor cursor)
{
    if (reader->has_errors && !reader->is_header && is_invalid(cursor))
        return;
    const char *mangled = NULL, *shown;
    if (reader->is_header) {
        shown = reader_text(reader, clang_getCursorSpelling(cursor));
    } else {
        mangled = reader_text(reader, clang_Cursor_getMangling(cursor));
        shown = launch_short_name(reader->arena, mangled);
    }
    struct reader_kernel *kernel = find_kernel(reader, mangled, shown);
    for (uint32_t i = 0; i < kernel->declarations.count; i++)
        if (clang_equalCursors(kernel->declarations.data[i].cursor, cursor))
            return;
    if (kernel->declarations.count == 0) {
        CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
        struct template_walk walk = {reader, kernel, cursor, 0};
        kernel->scope = scope_of(reader, cursor, &kernel->depth);
        if (!clang_Cursor_isNull(pattern))
            clang_visitChildren(pattern, visit_template_parameter, &walk);
    }
    *vec_push(reader->arena, &kernel->declarations) = (struct reader_declaration){
        .cursor = cursor, .is_definition = is_definition(reader, cursor)};
}

static void add_reference(struct reader *reader, CXCursor function,
                          const struct reader_annotation *annotation)
{
    if (annotation->is_list_empty || annotation->arguments.count != 1) {
        diagnostic_add(reader->diagnostics, SEVERITY_ERROR, annotation->place,
                       "LW_REFERENCE takes the name of one kernel");
        return;
    }
    const struct reader_argument *name = &annotation->arguments.data[0];
    *vec_push(reader->arena, &reader->list->references) = (struct contract_reference){
        .kernel = arena_text(reader->arena, name->text, name->size),
        .function = reader_text(reader, clang_Cursor_getMangling(function)),
        .shown = reader_text(reader, clang_getCursorSpelling(function)),
        .place = name->place.column != 0 ? name->place : annotation->place};
}

/* A function that is no kernel: a reference, or nothing may stand there. */
static void look_at_function(struct reader *reader, CXCursor cursor)
{
    reader_annotations annotations = {0};
    reader_gather(reader, NULL, cursor, CONTRACT_NONE, &annotations);
    for (uint32_t i = 0; i < annotations.count; i++) {
        const struct reader_annotation *annotation = &annotations.data[i];
        if (strcmp(annotation->macro, "LW_REFERENCE") == 0)
            add_reference(reader, cursor, annotation);
        else
            diagnostic_add(reader->diagnostics, SEVERITY_ERROR, annotation->place,
                           "%s stands on `%s`, which is no kernel", annotation->macro,
                           reader_text(reader, clang_getCursorSpelling(cursor)));
    }
}

static enum CXChildVisitResult look_for_annotation(CXCursor cursor, CXCursor parent,
                                                   CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_AnnotateAttr)
        *(bool *)data = true;
    return clang_getCursorKind(cursor) == CXCursor_ParmDecl ? CXChildVisit_Recurse
                                                            : CXChildVisit_Continue;
}

static void look_at_template(struct reader *reader, CXCursor cursor)
{
    bool has_annotations = false;
    clang_visitChildren(cursor, look_for_annotation, &has_annotations);
    if (!has_annotations || !is_kernel(cursor))
        return;
    struct contract_parameter *entry = vec_push(reader->arena, &reader->list->templates);
    memset(entry, 0, sizeof *entry);
    entry->name = qualified_name(reader, cursor);
    entry->place = reader_place(reader, clang_getCursorLocation(cursor), NULL, NULL);
}

/* The instance that a line behind the user's text mentions. */
static enum CXChildVisitResult visit_mention(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct reader *reader = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    CXCursor function = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(function) == CXCursor_FunctionDecl && is_kernel(function))
        add_declaration(reader, function);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct reader *reader = data;
    CXSourceLocation location = clang_getCursorLocation(cursor);
    (void)parent;
    if (clang_Location_isInSystemHeader(location))
        return CXChildVisit_Continue;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
        return CXChildVisit_Recurse;
    case CXCursor_FunctionDecl:
        if (reader->is_header || is_kernel(cursor))
            add_declaration(reader, cursor);
        else
            look_at_function(reader, cursor);
        return CXChildVisit_Continue;
    case CXCursor_FunctionTemplate:
        look_at_template(reader, cursor);
        return CXChildVisit_Continue;
    case CXCursor_StaticAssert: {
        CXFile file;
        struct place place = reader_place(reader, location, &file, NULL);
        if (place.line > reader->own_lines &&
            clang_File_isEqual(file, clang_getFile(reader->translation, reader->path)))
            clang_visitChildren(cursor, visit_mention, reader);
        return CXChildVisit_Continue;
    }
    default:
        return CXChildVisit_Continue;
    }
}

void reader_find_kernels(struct reader *reader)
{
    clang_visitChildren(clang_getTranslationUnitCursor(reader->translation), visit, reader);
}

/* ---- contracts ----------------------------------------------------------------------------------------------------------- */

struct visited {
    struct reader_kernel *kernel;
    struct reader_declaration *declaration;
};

static void visit_parameter(struct reader *reader, CXCursor cursor, uint32_t parameter,
                            void *context)
{
    const struct visited *visited = context;
    if (reader->is_header && clang_getCursorKind(cursor) == CXCursor_ParmDecl)
        reader_gather_bounds(reader, cursor, parameter, &visited->declaration->annotations);
    reader_gather(reader, visited->kernel, cursor, parameter, &visited->declaration->annotations);
}

static void read_declaration(struct reader *reader, struct reader_kernel *kernel,
                             struct reader_declaration *declaration)
{
    struct visited visited = {kernel, declaration};
    declaration->contract = contract_new(reader->arena);
    declaration->contract->kernel = kernel->mangled;
    declaration->contract->kernel_shown = kernel->shown;
    declaration->contract->place =
        reader_place(reader, clang_getCursorLocation(declaration->cursor), NULL, NULL);
    reader_gather(reader, kernel, declaration->cursor, CONTRACT_NONE, &declaration->annotations);
    reader_add_parameters(reader, declaration->contract, declaration->cursor, visit_parameter,
                          &visited);
    reader_want_names(reader, kernel, declaration->contract, &declaration->annotations);
}

static void join_declarations(struct reader *reader, struct reader_kernel *kernel)
{
    uint32_t main_one = 0;
    for (uint32_t i = 0; i < kernel->declarations.count; i++)
        if (kernel->declarations.data[i].is_definition)
            main_one = i;
    struct contract *contract = kernel->declarations.data[main_one].contract;
    for (uint32_t i = 0; i < kernel->declarations.count; i++) {
        const struct contract *other = kernel->declarations.data[i].contract;
        const char *difference;
        struct place place;
        if (i == main_one || contract_merge(contract, other, &difference, &place))
            continue;
        diagnostic_add(reader->diagnostics, SEVERITY_ERROR, place,
                       "the contracts of `%s` disagree: %s", kernel->shown, difference);
        diagnostic_help(reader->diagnostics, "the other one: %s:%u", contract->place.file,
                        contract->place.line);
    }
    *vec_push(reader->arena, &reader->list->items) = contract;
}

/* References name kernels of this file. */
static void check_references(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->list->references.count; i++) {
        const struct contract_reference *reference = &reader->list->references.data[i];
        struct text_guess guess = text_guess_begin(reference->kernel);
        bool is_known = false;
        for (uint32_t k = 0; k < reader->kernels.count && !is_known; k++) {
            const struct reader_kernel *kernel = &reader->kernels.data[k];
            is_known = ptx_name_matches(reader->arena, kernel->mangled, reference->kernel);
            text_guess_try(&guess, kernel->shown);
        }
        for (uint32_t k = 0; k < reader->list->templates.count && !is_known; k++)
            is_known = text_starts_with(reference->kernel, reader->list->templates.data[k].name);
        if (is_known)
            continue;
        diagnostic_add(reader->diagnostics, SEVERITY_ERROR, reference->place,
                       "there is no kernel `%s`", reference->kernel);
        if (guess.best != NULL)
            diagnostic_help(reader->diagnostics, "did you mean `%s`?", guess.best);
    }
}

void reader_make_contracts(struct reader *reader)
{
    for (uint32_t k = 0; k < reader->kernels.count; k++)
        for (uint32_t i = 0; i < reader->kernels.data[k].declarations.count; i++)
            read_declaration(reader, &reader->kernels.data[k],
                             &reader->kernels.data[k].declarations.data[i]);
    reader_resolve_names(reader);
    for (uint32_t k = 0; k < reader->kernels.count; k++) {
        struct reader_kernel *kernel = &reader->kernels.data[k];
        for (uint32_t i = 0; i < kernel->declarations.count; i++) {
            struct reader_declaration *declaration = &kernel->declarations.data[i];
            reader_add_constants(reader, kernel, declaration->contract);
            reader_apply(reader, declaration->contract, &declaration->annotations);
        }
        join_declarations(reader, kernel);
    }
    if (!reader->is_header)
        check_references(reader);
}
