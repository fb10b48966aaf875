/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches in host code: `kernel<<<grid, block>>>(...)`, the numbers in it, and the conditions under which it is reached.
 *
 * Requires: a .cu file that compiles.  Gives: a host_launch for each launch in the file itself, in a function.  A launch stands under
 * the conditions of the statements around it and of those before it that leave; what else might hang on its variables and keep it from being
 * reached makes it `is_guarded`.  The host's side of the file is what is parsed.  Gives up on: launches in templates, jumps.
 */
#include "source/compile.h"
#include "source/host_reader.h"

#include <string.h>

/* ---- statements that leave ------------------------------------------------------------------------------------ */

static bool is_leave(enum CXCursorKind kind)
{
    return kind == CXCursor_ReturnStmt || kind == CXCursor_CXXThrowExpr || kind == CXCursor_ContinueStmt || kind == CXCursor_BreakStmt ||
           kind == CXCursor_GotoStmt || kind == CXCursor_IndirectGotoStmt;
}

static bool is_exit(CXCursor cursor)
{
    static const char *const names[] = {"exit", "_exit", "abort", "quick_exit", "terminate"};
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr)
        return false;
    CXString spelling = clang_getCursorSpelling(cursor);
    const char *name = clang_getCString(spelling);
    bool found = false;
    for (unsigned i = 0; i < COUNT_OF(names) && name != NULL; i++)
        found |= strcmp(name, names[i]) == 0;
    clang_disposeString(spelling);
    return found;
}

/* Does control never go past this statement? */
static bool always_leaves(struct host_reader *reader, CXCursor statement)
{
    host_cursors children = {0};
    enum CXCursorKind kind = clang_getCursorKind(statement);
    if (is_leave(kind) || is_exit(statement))
        return true;
    host_children(reader, statement, &children);
    bool descends = kind == CXCursor_CompoundStmt || kind == CXCursor_UnexposedExpr;
    return descends && children.count != 0 && always_leaves(reader, children.data[children.count - 1]);
}

static enum CXChildVisitResult look_for_leave(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    /* A call may check its arguments and never return. */
    if (is_leave(kind) || kind == CXCursor_CallExpr || kind == CXCursor_UnexposedStmt || kind == CXCursor_GCCAsmStmt)
        *(bool *)data = true;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool may_leave(CXCursor statement)
{
    bool found = is_leave(clang_getCursorKind(statement));
    clang_visitChildren(statement, look_for_leave, &found);
    return found;
}

/* A choice inside an expression: assert(n > 0). */
static enum CXChildVisitResult look_for_choice(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    bool joins = kind == CXCursor_BinaryOperator && (clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_LAnd ||
                                                     clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_LOr);
    if (kind == CXCursor_ConditionalOperator || joins || is_leave(kind))
        *(bool *)data = true;
    return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool has_choice(CXCursor statement)
{
    bool found = clang_getCursorKind(statement) == CXCursor_ConditionalOperator;
    clang_visitChildren(statement, look_for_choice, &found);
    return found;
}

/* ---- what guards a launch ----------------------------------------------------------------------------------------- */

static void add_guard(struct host_reader *reader, CXCursor condition, bool wanted)
{
    uint32_t node = host_condition(reader, condition);
    if (node == HOST_NONE)
        reader->launch->is_guarded = true;
    else
        *vec_push(reader->arena, &reader->launch->guards) = (struct host_guard){node, wanted};
}

/* A statement that has run before the launch. */
static void look_before(struct host_reader *reader, CXCursor statement)
{
    host_cursors children = {0};
    enum CXCursorKind kind = clang_getCursorKind(statement);
    host_children(reader, statement, &children);
    if (kind == CXCursor_IfStmt && children.count >= 2) {
        bool is_plain = clang_isExpression(clang_getCursorKind(children.data[0])) != 0 && children.count <= 3;
        if (is_plain && children.count == 2 && always_leaves(reader, children.data[1]))
            add_guard(reader, children.data[0], false);
        else if (host_hangs_on(reader, children.data[0]) && (!is_plain || may_leave(statement)))
            reader->launch->is_guarded = true;
        return;
    }
    if (kind == CXCursor_LabelStmt || kind == CXCursor_SwitchStmt)
        reader->launch->is_guarded |= kind == CXCursor_LabelStmt || host_hangs_on(reader, statement);
    else if (clang_isDeclaration(kind) == 0 && kind != CXCursor_DeclStmt && has_choice(statement) && host_hangs_on(reader, statement))
        reader->launch->is_guarded = true;
}

/* `inner` is the child of `outer` that the launch stands in. */
static void look_around(struct host_reader *reader, CXCursor outer, CXCursor inner)
{
    host_cursors children = {0};
    enum CXCursorKind kind = clang_getCursorKind(outer);
    uint32_t at = 0;
    host_children(reader, outer, &children);
    while (at < children.count && !clang_equalCursors(children.data[at], inner))
        at++;
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_DeclStmt) {
        for (uint32_t i = 0; i < at; i++)
            look_before(reader, children.data[i]);
    } else if (kind == CXCursor_IfStmt && children.count <= 3 && at != 0 && clang_isExpression(clang_getCursorKind(children.data[0])) != 0) {
        add_guard(reader, children.data[0], at == 1);
    } else if (kind == CXCursor_WhileStmt && children.count == 2 && at == 1) {
        add_guard(reader, children.data[0], true);
    } else {
        for (uint32_t i = 0; i < children.count; i++)
            if (i != at && host_hangs_on(reader, children.data[i]))
                reader->launch->is_guarded = true;
    }
}

/* ---- one launch ------------------------------------------------------------------------------------------------------ */

static bool find_configuration(struct host_reader *reader, CXCursor call, CXCursor *configuration)
{
    host_cursors children = {0};
    host_children(reader, call, &children);
    for (uint32_t i = 0; i < children.count && i < 2; i++) {
        CXString spelling = clang_getCursorSpelling(children.data[i]);
        const char *name = clang_getCString(spelling);
        bool found = clang_getCursorKind(children.data[i]) == CXCursor_CallExpr && name != NULL &&
                     strcmp(name, "__cudaPushCallConfiguration") == 0;
        clang_disposeString(spelling);
        if (found) {
            *configuration = children.data[i];
            return true;
        }
    }
    return false;
}

/* On the host a kernel has another name: its own behind a prefix, with its length before it. */
static const char *kernel_name(struct host_reader *reader, CXCursor kernel)
{
    static const char prefix[] = "__device_stub__";
    CXString mangled = clang_Cursor_getMangling(kernel);
    const char *text = clang_getCString(mangled);
    const char *name = arena_string(reader->arena, text != NULL ? text : "");
    clang_disposeString(mangled);
    const char *at = strstr(name, prefix), *number = at;
    if (at == NULL)
        return name;
    unsigned size = 0;
    while (number > name && number[-1] >= '0' && number[-1] <= '9')
        number--;
    for (const char *digit = number; digit < at && size < 100000; digit++)
        size = 10 * size + (unsigned)(*digit - '0');
    const char *rest = at + sizeof prefix - 1;
    if (number == at || size < sizeof prefix)
        return arena_printf(reader->arena, "%.*s%s", (int)(number - name), name, rest);
    return arena_printf(reader->arena, "%.*s%u%s", (int)(number - name), name, size - (unsigned)(sizeof prefix - 1), rest);
}

struct walk {
    struct host_reader *reader;
    const struct walk *outer; /* NULL: the function */
    CXCursor cursor;
};

static void read_launch(struct host_reader *reader, const struct walk *around, CXCursor call, CXCursor configuration)
{
    CXCursor kernel = clang_getCursorReferenced(call);
    unsigned line = 0, column = 0;
    if (clang_getCursorKind(kernel) != CXCursor_FunctionDecl || clang_Cursor_getNumArguments(configuration) < 2)
        return;
    struct host_launch *launch = vec_push(reader->arena, reader->launches);
    memset(launch, 0, sizeof *launch);
    reader->launch = launch;
    reader->variables.count = reader->bindings.count = 0;
    reader->depth = reader->steps = 0;
    reader->is_full = false;
    launch->kernel = kernel_name(reader, kernel);
    clang_getExpansionLocation(clang_getCursorLocation(call), NULL, &line, &column, NULL);
    launch->place = (struct place){reader->unit->path, line, column};
    host_sizes(reader, clang_Cursor_getArgument(configuration, 0), launch->grid);
    host_sizes(reader, clang_Cursor_getArgument(configuration, 1), launch->block);
    int count = clang_Cursor_getNumArguments(call);
    for (int i = 0; i < count; i++)
        *vec_push(reader->arena, &launch->arguments) = host_number(reader, clang_Cursor_getArgument(call, (unsigned)i));
    CXCursor inner = call;
    for (const struct walk *at = around; at != NULL; at = at->outer) {
        look_around(reader, at->cursor, inner);
        inner = at->cursor;
    }
    if (reader->is_full)
        reader->launches->count--;
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct walk *outer = data;
    struct walk walk = {outer->reader, outer, cursor};
    CXCursor configuration;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr && find_configuration(walk.reader, cursor, &configuration))
        read_launch(walk.reader, outer, cursor, configuration);
    else
        clang_visitChildren(cursor, visit_body, &walk);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct host_reader *reader = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind != CXCursor_TranslationUnit && clang_Location_isFromMainFile(clang_getCursorLocation(cursor)) == 0)
        return CXChildVisit_Continue;
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor || kind == CXCursor_Destructor) {
        struct walk walk = {reader, NULL, cursor};
        reader->function = cursor;
        clang_visitChildren(cursor, visit_body, &walk);
        return CXChildVisit_Continue;
    }
    bool descends = kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec || kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                    kind == CXCursor_UnexposedDecl;
    return descends ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* ---- parsing --------------------------------------------------------------------------------------------------------------- */

static void parse(struct host_reader *reader)
{
    const struct source_options *options = reader->options;
    struct command command = {.arena = reader->arena}, flags = {.arena = reader->arena};
    if (options->cflags != NULL && !command_add_flags(&flags, options->cflags))
        return;
    command_add(&command, "-w");
    command_add_language(&command, options);
    for (uint32_t i = 0; i < command.words.count; i++)
        if (strcmp(command.words.data[i], "--cuda-device-only") == 0)
            command.words.data[i] = "--cuda-host-only";
    if (options->compiler == COMPILER_NVCC)
        command_add_nvcc_flags(&command, &flags);
    else
        for (uint32_t i = 0; i < flags.words.count; i++)
            command_add(&command, flags.words.data[i]);
    command_add_folders(&command, options);
    struct CXUnsavedFile file = {reader->path, reader->unit->text, reader->unit->size};
    reader->index = clang_createIndex(0, 0);
    if (clang_parseTranslationUnit2(reader->index, reader->path, command.words.data, (int)command.words.count, &file, 1,
                                    CXTranslationUnit_KeepGoing, &reader->translation) != CXError_Success)
        reader->translation = NULL;
}

static void close_reader(void *context)
{
    struct host_reader *reader = context;
    if (reader->translation != NULL)
        clang_disposeTranslationUnit(reader->translation);
    if (reader->index != NULL)
        clang_disposeIndex(reader->index);
}

static void read_all(void *context)
{
    struct host_reader *reader = context;
    parse(reader);
    if (reader->translation != NULL)
        clang_visitChildren(clang_getTranslationUnitCursor(reader->translation), visit_declaration, reader);
}

void source_read_launches(struct arena *arena, const struct source_unit *unit, const struct source_options *options,
                          host_launches *launches)
{
    if (unit->is_ptx || options->data == NULL || strstr(unit->text, "<<<") == NULL)
        return;
    struct host_reader *reader = ARENA_NEW(arena, struct host_reader);
    reader->arena = arena;
    reader->unit = unit;
    reader->options = options;
    reader->launches = launches;
    reader->path = *unit->path == '-' ? arena_printf(arena, "./%s", unit->path) : unit->path;
    arena_run(arena, read_all, close_reader, reader); /* what libclang holds is no arena's */
}
