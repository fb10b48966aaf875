/* SPDX-License-Identifier: Apache-2.0
 *
 * Integers and dim3 objects of host code, from libclang's cursors to nodes.
 *
 * Requires: a launch at work.  Gives: nodes that mean what the expression means wherever the launch is reached.  Variables count only
 * if nothing changes them once they have their value: they stand for what they are initialised with, or for themselves.  Functions are read in place
 * of their calls where their body is one return.  Gives up on: everything else; a number that cannot be read as a whole is none.
 */
#include "source/host_reader.h"

#include <string.h>

enum { MAX_DEPTH = 12, MAX_NODES = 2000, MAX_STEPS = 20000 };

/* ---- cursors ------------------------------------------------------------------------------------------------ */

struct gather {
    struct arena *arena;
    host_cursors *list;
};

static enum CXChildVisitResult add_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct gather *gather = data;
    (void)parent;
    *vec_push(gather->arena, gather->list) = cursor;
    return CXChildVisit_Continue;
}

void host_children(struct host_reader *reader, CXCursor cursor, host_cursors *children)
{
    struct gather gather = {reader->arena, children};
    children->count = 0;
    clang_visitChildren(cursor, add_child, &gather);
}

static bool is_named(CXString string, const char *name)
{
    const char *text = clang_getCString(string);
    bool same = text != NULL && strcmp(text, name) == 0;
    clang_disposeString(string);
    return same;
}

static const char *copy_text(struct host_reader *reader, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = arena_string(reader->arena, text != NULL ? text : "");
    clang_disposeString(string);
    return copy;
}

/* ---- types ---------------------------------------------------------------------------------------------------- */

struct host_type {
    unsigned bits; /* 0: no integer; 1: bool */
    bool is_signed;
};

static struct host_type type_of(CXType type)
{
    struct host_type result = {0, false};
    type = clang_getCanonicalType(type);
    if (type.kind == CXType_LValueReference || type.kind == CXType_RValueReference)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    if (type.kind == CXType_Enum)
        type = clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
    long long size = clang_Type_getSizeOf(type);
    switch (type.kind) {
    case CXType_Bool:
        return (struct host_type){1, false};
    case CXType_Char_S: case CXType_SChar: case CXType_Short: case CXType_Int: case CXType_Long: case CXType_LongLong:
        result.is_signed = true;
        break;
    case CXType_Char_U: case CXType_UChar: case CXType_UShort: case CXType_UInt: case CXType_ULong: case CXType_ULongLong:
        break;
    default:
        return result;
    }
    if (size > 0 && size <= 8)
        result.bits = 8 * (unsigned)size;
    return result;
}

static bool is_dim3(CXType type)
{
    type = clang_getUnqualifiedType(clang_getCanonicalType(type));
    CXString spelling = clang_getTypeSpelling(type);
    const char *text = clang_getCString(spelling);
    bool same = text != NULL && (strcmp(text, "dim3") == 0 || strcmp(text, "struct dim3") == 0 || strcmp(text, "const dim3") == 0);
    clang_disposeString(spelling);
    return same;
}

/* The type that both operands get. */
static struct host_type usual_type(const struct host_node *a, const struct host_node *b)
{
    struct host_type x = {a->bits < 32 ? 32 : a->bits, a->bits < 32 || a->is_signed};
    struct host_type y = {b->bits < 32 ? 32 : b->bits, b->bits < 32 || b->is_signed};
    if (x.bits != y.bits)
        return x.bits > y.bits ? x : y;
    return (struct host_type){x.bits, x.is_signed && y.is_signed};
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

static uint32_t add_node(struct host_reader *reader, enum host_node_kind kind, struct host_type type, uint32_t a, uint32_t b)
{
    if (reader->launch->nodes.count >= MAX_NODES) {
        reader->is_full = true;
        return HOST_NONE;
    }
    struct host_node *node = vec_push(reader->arena, &reader->launch->nodes);
    *node = (struct host_node){
        .kind = (uint8_t)kind, .bits = (uint8_t)type.bits, .is_signed = type.is_signed, .operands = {a, b, HOST_NONE}};
    return reader->launch->nodes.count - 1;
}

static struct host_node *node_at(struct host_reader *reader, uint32_t node)
{
    return &reader->launch->nodes.data[node];
}

static uint32_t cast_to(struct host_reader *reader, uint32_t node, struct host_type type)
{
    if (node == HOST_NONE || type.bits == 0)
        return HOST_NONE;
    const struct host_node *data = node_at(reader, node);
    return data->bits == type.bits && data->is_signed == type.is_signed ? node : add_node(reader, HOST_CAST, type, node, HOST_NONE);
}

static uint32_t constant(struct host_reader *reader, struct host_type type, contract_integer value)
{
    uint32_t node = add_node(reader, HOST_CONSTANT, type, HOST_NONE, HOST_NONE);
    if (node != HOST_NONE)
        node_at(reader, node)->value = value;
    return node;
}

/* Literals, enumerators, constants, sizeof. */
static uint32_t evaluated(struct host_reader *reader, CXCursor expression, struct host_type type)
{
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    uint32_t node = HOST_NONE;
    if (result == NULL)
        return HOST_NONE;
    if (clang_EvalResult_getKind(result) == CXEval_Int)
        node = constant(reader, type,
                        clang_EvalResult_isUnsignedInt(result) != 0 ? (contract_integer)clang_EvalResult_getAsUnsigned(result)
                                                                    : (contract_integer)clang_EvalResult_getAsLongLong(result));
    clang_EvalResult_dispose(result);
    return node;
}

/* ---- variables -------------------------------------------------------------------------------------------------------- */

struct change {
    CXCursor variable;
    bool found;
};

static bool is_variable(CXCursor cursor, CXCursor variable)
{
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && clang_equalCursors(clang_getCursorReferenced(cursor), variable) != 0;
}

static enum CXChildVisitResult look_for_variable(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct change *change = data;
    (void)parent;
    change->found |= is_variable(cursor, change->variable);
    return change->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* A variable that is read stands in a conversion from the place to its value; whatever else names it may change it. */
static enum CXChildVisitResult look_for_change(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct change *change = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor), outer = clang_getCursorKind(parent);
    if (kind == CXCursor_MemberRefExpr && outer == CXCursor_UnexposedExpr)
        return CXChildVisit_Continue; /* a member that is read */
    if (is_variable(cursor, change->variable) && outer != CXCursor_UnexposedExpr)
        change->found = true;
    return change->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

static bool may_change(struct host_reader *reader, CXCursor variable)
{
    struct change change = {variable, false};
    if (clang_isConstQualifiedType(clang_getCursorType(variable)) != 0)
        return false;
    clang_visitChildren(reader->function, look_for_change, &change);
    return change.found;
}

/* A variable of the function itself, not a reference, that keeps its value. */
static bool is_steady(struct host_reader *reader, CXCursor variable)
{
    enum CXCursorKind kind = clang_getCursorKind(variable);
    enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(variable)).kind;
    if (type == CXType_LValueReference || type == CXType_RValueReference)
        return false;
    if (kind == CXCursor_ParmDecl)
        return !may_change(reader, variable);
    return kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(variable) <= CX_SC_None &&
           clang_Cursor_hasVarDeclGlobalStorage(variable) == 0 && !may_change(reader, variable);
}

static uint32_t own_variable(struct host_reader *reader, CXCursor variable, struct host_type type, bool is_derived)
{
    uint32_t index = 0;
    while (index < reader->variables.count && !clang_equalCursors(reader->variables.data[index], variable))
        index++;
    if (index == reader->variables.count) {
        *vec_push(reader->arena, &reader->variables) = variable;
        *vec_push(reader->arena, &reader->launch->variables) = copy_text(reader, clang_getCursorSpelling(variable));
        *vec_push(reader->arena, &reader->launch->derived) = is_derived;
    }
    return add_node(reader, HOST_VARIABLE, type, index, HOST_NONE);
}

static uint32_t read_variable(struct host_reader *reader, CXCursor expression)
{
    CXCursor variable = clang_getCursorReferenced(expression);
    struct host_type type = type_of(clang_getCursorType(variable));
    for (uint32_t i = reader->bindings.count; i-- > 0;)
        if (clang_equalCursors(reader->bindings.data[i].parameter, variable))
            return reader->bindings.data[i].node;
    if (type.bits == 0)
        return HOST_NONE;
    if (!is_steady(reader, variable))
        return clang_isConstQualifiedType(clang_getCursorType(variable)) != 0 || clang_getCursorKind(variable) == CXCursor_EnumConstantDecl
                   ? evaluated(reader, expression, type)
                   : HOST_NONE;
    CXCursor start = clang_getCursorKind(variable) == CXCursor_VarDecl ? clang_Cursor_getVarDeclInitializer(variable) : clang_getNullCursor();
    uint32_t before = reader->variables.count, nodes = reader->launch->nodes.count;
    uint32_t node = clang_Cursor_isNull(start) != 0 ? HOST_NONE : cast_to(reader, host_number(reader, start), type);
    if (node != HOST_NONE)
        return node;
    reader->variables.count = reader->launch->variables.count = reader->launch->derived.count = before;
    reader->launch->nodes.count = nodes;
    return own_variable(reader, variable, type, clang_Cursor_isNull(start) == 0);
}

bool host_hangs_on(struct host_reader *reader, CXCursor cursor)
{
    if (reader->steps++ >= MAX_STEPS)
        return true;
    for (uint32_t v = 0; v < reader->variables.count; v++) {
        struct change change = {reader->variables.data[v], is_variable(cursor, reader->variables.data[v])};
        clang_visitChildren(cursor, look_for_variable, &change);
        if (change.found)
            return true;
    }
    /* Through other variables. */
    host_cursors children = {0};
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && reader->depth < MAX_DEPTH) {
        CXCursor variable = clang_getCursorReferenced(cursor);
        CXCursor start = clang_getCursorKind(variable) == CXCursor_VarDecl ? clang_Cursor_getVarDeclInitializer(variable) : clang_getNullCursor();
        reader->depth++;
        bool hangs = clang_Cursor_isNull(start) == 0 && host_hangs_on(reader, start);
        reader->depth--;
        return hangs;
    }
    host_children(reader, cursor, &children);
    for (uint32_t i = 0; i < children.count; i++)
        if (host_hangs_on(reader, children.data[i]))
            return true;
    return false;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------------ */

/* The expression that a function returns and nothing else. */
static bool find_result(struct host_reader *reader, CXCursor function, CXCursor *result)
{
    host_cursors children = {0}, inner = {0};
    host_children(reader, function, &children);
    if (children.count == 0 || clang_getCursorKind(children.data[children.count - 1]) != CXCursor_CompoundStmt)
        return false;
    host_children(reader, children.data[children.count - 1], &inner);
    if (inner.count != 1 || clang_getCursorKind(inner.data[0]) != CXCursor_ReturnStmt)
        return false;
    host_children(reader, inner.data[0], &children);
    if (children.count != 1)
        return false;
    *result = children.data[0];
    return true;
}

static void list_parameters(struct host_reader *reader, CXCursor function, host_cursors *parameters)
{
    host_cursors children = {0};
    host_children(reader, function, &children);
    for (uint32_t i = 0; i < children.count; i++)
        if (clang_getCursorKind(children.data[i]) == CXCursor_ParmDecl)
            *vec_push(reader->arena, parameters) = children.data[i];
}

static uint32_t read_call(struct host_reader *reader, CXCursor call)
{
    CXCursor callee = clang_getCursorReferenced(call), definition, result;
    struct host_type type = type_of(clang_getCursorType(call));
    uint32_t bindings = reader->bindings.count, numbers[4];
    int count = clang_Cursor_getNumArguments(call);
    host_cursors parameters = {0};
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl || count < 1 || count > 4 || type.bits == 0)
        return HOST_NONE;
    bool smaller = is_named(clang_getCursorSpelling(callee), "min"), larger = is_named(clang_getCursorSpelling(callee), "max");
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(callee, (unsigned)i);
        numbers[i] = cast_to(reader, host_number(reader, clang_Cursor_getArgument(call, (unsigned)i)), type_of(clang_getCursorType(parameter)));
        if (numbers[i] == HOST_NONE)
            return HOST_NONE;
    }
    if ((smaller || larger) && count == 2)
        return add_node(reader, smaller ? HOST_MINIMUM : HOST_MAXIMUM, type, cast_to(reader, numbers[0], type),
                        cast_to(reader, numbers[1], type));
    CXCursor pattern = clang_getSpecializedCursorTemplate(callee);
    definition = clang_getCursorDefinition(clang_Cursor_isNull(pattern) != 0 ? callee : pattern);
    if (clang_Cursor_isNull(definition) != 0 || !find_result(reader, definition, &result))
        return HOST_NONE;
    list_parameters(reader, definition, &parameters);
    if (parameters.count != (uint32_t)count)
        return HOST_NONE;
    for (int i = 0; i < count; i++)
        *vec_push(reader->arena, &reader->bindings) = (struct host_binding){parameters.data[i], numbers[i]};
    uint32_t node = cast_to(reader, host_number(reader, result), type);
    reader->bindings.count = bindings;
    return node;
}

/* ---- operators ---------------------------------------------------------------------------------------------------------------- */

static int binary_kind(enum CXBinaryOperatorKind kind)
{
    static const struct {
        enum CXBinaryOperatorKind from;
        uint8_t to;
    } kinds[] = {
        {CXBinaryOperator_Mul, HOST_MULTIPLY}, {CXBinaryOperator_Div, HOST_DIVIDE},      {CXBinaryOperator_Rem, HOST_REMAINDER},
        {CXBinaryOperator_Add, HOST_ADD},      {CXBinaryOperator_Sub, HOST_SUBTRACT},    {CXBinaryOperator_Shl, HOST_SHIFT_LEFT},
        {CXBinaryOperator_Shr, HOST_SHIFT_RIGHT}, {CXBinaryOperator_LT, HOST_LESS},      {CXBinaryOperator_GT, HOST_GREATER},
        {CXBinaryOperator_LE, HOST_LESS_EQUAL}, {CXBinaryOperator_GE, HOST_GREATER_EQUAL}, {CXBinaryOperator_EQ, HOST_EQUAL},
        {CXBinaryOperator_NE, HOST_NOT_EQUAL}, {CXBinaryOperator_And, HOST_BIT_AND},     {CXBinaryOperator_Xor, HOST_BIT_XOR},
        {CXBinaryOperator_Or, HOST_BIT_OR},    {CXBinaryOperator_LAnd, HOST_BOTH},       {CXBinaryOperator_LOr, HOST_EITHER},
    };
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        if (kinds[i].from == kind)
            return kinds[i].to;
    return -1;
}

static uint32_t read_binary(struct host_reader *reader, CXCursor expression, const host_cursors *children)
{
    static const struct host_type truth = {1, false};
    int kind = binary_kind(clang_getCursorBinaryOperatorKind(expression));
    if (kind < 0 || children->count != 2)
        return HOST_NONE;
    uint32_t a = host_number(reader, children->data[0]), b = host_number(reader, children->data[1]);
    if (a == HOST_NONE || b == HOST_NONE)
        return HOST_NONE;
    if (kind == HOST_BOTH || kind == HOST_EITHER)
        return add_node(reader, (enum host_node_kind)kind, truth, cast_to(reader, a, truth), cast_to(reader, b, truth));
    struct host_type type = usual_type(node_at(reader, a), node_at(reader, b));
    if (kind == HOST_SHIFT_LEFT || kind == HOST_SHIFT_RIGHT) {
        type = usual_type(node_at(reader, a), node_at(reader, a));
        return add_node(reader, (enum host_node_kind)kind, type, cast_to(reader, a, type), b);
    }
    a = cast_to(reader, a, type);
    b = cast_to(reader, b, type);
    bool compares = kind >= HOST_LESS && kind <= HOST_NOT_EQUAL;
    return add_node(reader, (enum host_node_kind)kind, compares ? truth : type, a, b);
}

static uint32_t read_unary(struct host_reader *reader, CXCursor expression, CXCursor operand)
{
    static const struct host_type truth = {1, false};
    uint32_t a = host_number(reader, operand);
    if (a == HOST_NONE)
        return HOST_NONE;
    struct host_type type = usual_type(node_at(reader, a), node_at(reader, a));
    switch (clang_getCursorUnaryOperatorKind(expression)) {
    case CXUnaryOperator_Plus:
        return cast_to(reader, a, type);
    case CXUnaryOperator_Minus:
        return add_node(reader, HOST_NEGATE, type, cast_to(reader, a, type), HOST_NONE);
    case CXUnaryOperator_Not:
        return add_node(reader, HOST_INVERT, type, cast_to(reader, a, type), HOST_NONE);
    case CXUnaryOperator_LNot:
        return add_node(reader, HOST_NOT, truth, cast_to(reader, a, truth), HOST_NONE);
    default:
        return HOST_NONE;
    }
}

static uint32_t read_choice(struct host_reader *reader, const host_cursors *children)
{
    static const struct host_type truth = {1, false};
    uint32_t parts[3];
    if (children->count != 3)
        return HOST_NONE;
    for (unsigned i = 0; i < 3; i++)
        if ((parts[i] = host_number(reader, children->data[i])) == HOST_NONE)
            return HOST_NONE;
    struct host_type type = usual_type(node_at(reader, parts[1]), node_at(reader, parts[2]));
    parts[1] = cast_to(reader, parts[1], type);
    parts[2] = cast_to(reader, parts[2], type);
    uint32_t node = add_node(reader, HOST_CHOICE, type, cast_to(reader, parts[0], truth), parts[1]);
    if (node != HOST_NONE)
        node_at(reader, node)->operands[2] = parts[2];
    return node;
}

/* grid.x of a dim3 that keeps its sizes. */
static uint32_t read_member(struct host_reader *reader, CXCursor expression, const host_cursors *children)
{
    static const char *const names[] = {"x", "y", "z"};
    uint32_t sizes[3];
    if (children->count != 1 || !is_dim3(clang_getCursorType(children->data[0])))
        return HOST_NONE;
    host_sizes(reader, children->data[0], sizes);
    for (unsigned axis = 0; axis < 3; axis++)
        if (is_named(clang_getCursorSpelling(expression), names[axis]))
            return sizes[axis];
    return HOST_NONE;
}

/* The last child that is no mention of a type. */
static bool find_operand(const host_cursors *children, CXCursor *operand)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < children->count; i++)
        if (clang_isExpression(clang_getCursorKind(children->data[i])) != 0) {
            *operand = children->data[i];
            count++;
        }
    return count == 1;
}

static uint32_t read_number(struct host_reader *reader, CXCursor expression)
{
    struct host_type type = type_of(clang_getCursorType(expression));
    host_cursors children = {0};
    CXCursor operand;
    host_children(reader, expression, &children);
    switch (clang_getCursorKind(expression)) {
    case CXCursor_ParenExpr:
        return children.count == 1 ? host_number(reader, children.data[0]) : HOST_NONE;
    case CXCursor_UnexposedExpr: /* conversions, mostly */
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_InitListExpr: /* int n{5} */
        if (!find_operand(&children, &operand))
            return evaluated(reader, expression, type);
        return cast_to(reader, host_number(reader, operand), type);
    case CXCursor_DeclRefExpr:
        return read_variable(reader, expression);
    case CXCursor_BinaryOperator:
        return read_binary(reader, expression, &children);
    case CXCursor_UnaryOperator:
        return children.count == 1 ? read_unary(reader, expression, children.data[0]) : HOST_NONE;
    case CXCursor_ConditionalOperator:
        return read_choice(reader, &children);
    case CXCursor_MemberRefExpr:
        return read_member(reader, expression, &children);
    case CXCursor_CallExpr:
        return read_call(reader, expression);
    default:
        return type.bits == 0 ? HOST_NONE : evaluated(reader, expression, type);
    }
}

uint32_t host_number(struct host_reader *reader, CXCursor expression)
{
    if (reader->depth >= 8 * MAX_DEPTH || reader->steps >= MAX_STEPS)
        return HOST_NONE;
    reader->steps++;
    reader->depth++;
    uint32_t node = read_number(reader, expression);
    reader->depth--;
    return node;
}

/* ---- dim3 ------------------------------------------------------------------------------------------------------------------------ */

static void read_parts(struct host_reader *reader, const host_cursors *children, uint32_t sizes[3])
{
    static const struct host_type unsigned_int = {32, false};
    unsigned axis = 0;
    for (uint32_t i = 0; i < children->count; i++)
        if (clang_isExpression(clang_getCursorKind(children->data[i])) != 0 && axis < 3)
            sizes[axis++] = cast_to(reader, host_number(reader, children->data[i]), unsigned_int);
    for (; axis < 3; axis++)
        sizes[axis] = constant(reader, unsigned_int, 1);
}

void host_sizes(struct host_reader *reader, CXCursor expression, uint32_t sizes[3])
{
    host_cursors children = {0};
    CXCursor operand, variable;
    sizes[0] = sizes[1] = sizes[2] = HOST_NONE;
    if (reader->depth >= 8 * MAX_DEPTH || !is_dim3(clang_getCursorType(expression)))
        return;
    reader->depth++;
    host_children(reader, expression, &children);
    switch (clang_getCursorKind(expression)) {
    case CXCursor_DeclRefExpr:
        variable = clang_getCursorReferenced(expression);
        if (is_steady(reader, variable) && clang_getCursorKind(variable) == CXCursor_VarDecl) {
            operand = clang_Cursor_getVarDeclInitializer(variable);
            if (clang_Cursor_isNull(operand) == 0)
                host_sizes(reader, operand, sizes);
        }
        break;
    case CXCursor_CallExpr: /* a constructor; a copy has one operand of its own type */
        if (!is_named(clang_getCursorSpelling(expression), "dim3"))
            break;
        if (find_operand(&children, &operand) && is_dim3(clang_getCursorType(operand)))
            host_sizes(reader, operand, sizes);
        else
            read_parts(reader, &children, sizes);
        break;
    case CXCursor_InitListExpr:
        read_parts(reader, &children, sizes);
        break;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        if (!find_operand(&children, &operand))
            break;
        if (is_dim3(clang_getCursorType(operand)))
            host_sizes(reader, operand, sizes);
        else
            read_parts(reader, &children, sizes);
        break;
    default:
        break;
    }
    reader->depth--;
}

/* ---- conditions -------------------------------------------------------------------------------------------------------------------- */

uint32_t host_condition(struct host_reader *reader, CXCursor expression)
{
    static const struct host_type truth = {1, false};
    host_cursors children = {0};
    host_children(reader, expression, &children);
    enum CXCursorKind kind = clang_getCursorKind(expression);
    if ((kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr) && children.count == 1)
        return host_condition(reader, children.data[0]);
    bool joins = kind == CXCursor_BinaryOperator && children.count == 2 &&
                 (clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_LAnd ||
                  clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_LOr);
    if (joins) {
        uint32_t a = host_condition(reader, children.data[0]), b = host_condition(reader, children.data[1]);
        bool both = clang_getCursorBinaryOperatorKind(expression) == CXBinaryOperator_LAnd;
        return add_node(reader, both ? HOST_BOTH : HOST_EITHER, truth, a, b);
    }
    if (kind == CXCursor_UnaryOperator && children.count == 1 && clang_getCursorUnaryOperatorKind(expression) == CXUnaryOperator_LNot)
        return add_node(reader, HOST_NOT, truth, host_condition(reader, children.data[0]), HOST_NONE);
    uint32_t node = cast_to(reader, host_number(reader, expression), truth);
    if (node == HOST_NONE) {
        bool hangs = host_hangs_on(reader, expression);
        node = add_node(reader, HOST_UNKNOWN, truth, HOST_NONE, HOST_NONE);
        if (node != HOST_NONE)
            node_at(reader, node)->value = hangs;
    }
    return node;
}
