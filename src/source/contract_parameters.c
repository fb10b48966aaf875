/* SPDX-License-Identifier: Apache-2.0
 *
 * The parameters of a kernel: names, types, sizes; of struct parameters also their fields, with offsets.
 *
 * Operands are fields of structs within structs, of their unnamed members too.  Fields of base classes, of unions, of arrays and bit
 * fields are none.
 */
#include "source/contract_reader.h"

#include <string.h>

enum { FIELD_DEPTH = 4, PARAMETERS = 1024 };

/* ---- types --------------------------------------------------------------------------------------------- */

static uint32_t size_of(CXType type)
{
    long long size = clang_Type_getSizeOf(type);
    return size < 0 || size > UINT32_MAX ? 0 : (uint32_t)size;
}

struct type_info {
    uint8_t kind, bits;
    bool is_signed;
    uint32_t size;
};

static const struct {
    enum CXTypeKind type;
    uint8_t kind;
    bool is_signed;
} type_kinds[] = {
    {CXType_Bool, CONTRACT_INTEGER, false},      {CXType_Char_U, CONTRACT_INTEGER, false},
    {CXType_UChar, CONTRACT_INTEGER, false},     {CXType_Char16, CONTRACT_INTEGER, false},
    {CXType_Char32, CONTRACT_INTEGER, false},    {CXType_UShort, CONTRACT_INTEGER, false},
    {CXType_UInt, CONTRACT_INTEGER, false},      {CXType_ULong, CONTRACT_INTEGER, false},
    {CXType_ULongLong, CONTRACT_INTEGER, false}, {CXType_Char_S, CONTRACT_INTEGER, true},
    {CXType_SChar, CONTRACT_INTEGER, true},      {CXType_WChar, CONTRACT_INTEGER, true},
    {CXType_Short, CONTRACT_INTEGER, true},      {CXType_Int, CONTRACT_INTEGER, true},
    {CXType_Long, CONTRACT_INTEGER, true},       {CXType_LongLong, CONTRACT_INTEGER, true},
    {CXType_Float, CONTRACT_FLOAT, true},        {CXType_Double, CONTRACT_FLOAT, true},
    {CXType_LongDouble, CONTRACT_FLOAT, true},   {CXType_Half, CONTRACT_FLOAT, true},
    {CXType_Float16, CONTRACT_FLOAT, true},      {CXType_BFloat16, CONTRACT_FLOAT, true},
};

static bool is_function(CXType type)
{
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static struct type_info classify(CXType type)
{
    struct type_info info = {.kind = CONTRACT_OTHER, .size = size_of(type)};
    CXType plain = clang_getCanonicalType(type);
    if (plain.kind == CXType_Enum)
        plain =
            clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(plain)));
    if (plain.kind == CXType_Pointer &&
        !is_function(clang_getCanonicalType(clang_getPointeeType(plain))))
        info.kind = CONTRACT_POINTER;
    for (unsigned i = 0; i < COUNT_OF(type_kinds); i++)
        if (type_kinds[i].type == plain.kind) {
            info.kind = type_kinds[i].kind;
            info.is_signed = type_kinds[i].is_signed;
        }
    if (info.kind == CONTRACT_INTEGER || info.kind == CONTRACT_FLOAT)
        info.bits = (uint8_t)(8 * info.size);
    return info;
}

static bool is_const(CXType type)
{
    return clang_isConstQualifiedType(clang_getCanonicalType(type)) != 0;
}

/* What a pointer points to; of array bounds behind a parameter's name, all but the first are the element's. */
static CXType element_type(CXType type, unsigned bounds, bool *constant)
{
    CXType plain = clang_getCanonicalType(type);
    bool is_array = plain.kind != CXType_Pointer;
    CXType element = is_array ? clang_getArrayElementType(plain) : clang_getPointeeType(plain);
    /* Of an array type, the qualifiers of the element stand on the whole. */
    *constant = is_const(element) || (is_array && is_const(plain));
    for (unsigned i = 1; i < bounds; i++) {
        CXType inner = clang_getArrayElementType(clang_getCanonicalType(element));
        if (inner.kind == CXType_Invalid)
            break;
        element = inner;
        *constant |= is_const(element);
    }
    return element;
}

static void describe_pointer(struct contract_parameter *parameter, CXType type, unsigned bounds)
{
    CXType element = element_type(type, bounds, &parameter->is_const);
    struct type_info info = classify(element);
    bool is_void = clang_getCanonicalType(element).kind == CXType_Void;
    parameter->element_kind = info.kind;
    parameter->element_bits = info.bits;
    parameter->element_is_signed = info.is_signed;
    parameter->element_size = is_void ? 0 : info.size;
}

/* ---- parameters ---------------------------------------------------------------------------------------------- */

struct walk {
    struct reader *reader;
    struct contract *contract;
    reader_visitor *visit;
    void *context;
    const char *prefix; /* of field names, with its point */
    uint32_t position, offset, depth;
};

static void add(struct walk *walk, CXCursor cursor, const char *name, CXType type, unsigned bounds);

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    struct walk *walk = data;
    long long offset = clang_Cursor_getOffsetOfField(field);
    if (offset < 0 || clang_Cursor_isBitField(field) ||
        walk->contract->parameters.count >= PARAMETERS)
        return CXVisit_Continue;
    struct walk inner = *walk;
    inner.offset += (uint32_t)(offset / 8);
    const char *name = reader_text(walk->reader, clang_getCursorSpelling(field));
    bool is_unnamed = *name == '\0' || strchr(name, '(') != NULL; /* "(anonymous struct at ...)" */
    const char *full = arena_printf(walk->reader->arena, "%s%s", walk->prefix, name);
    add(&inner, field, is_unnamed ? NULL : full, clang_getCursorType(field), 0);
    return CXVisit_Continue;
}

/* name NULL: an unnamed struct, whose fields belong to the one around. */
static void add(struct walk *walk, CXCursor cursor, const char *name, CXType type, unsigned bounds)
{
    struct reader *reader = walk->reader;
    CXType plain = clang_getCanonicalType(type);
    struct type_info info = classify(type);
    bool is_array = plain.kind == CXType_VariableArray || plain.kind == CXType_IncompleteArray ||
                    plain.kind == CXType_ConstantArray;
    if (bounds > 0 && is_array) { /* a parameter that is an array is a pointer */
        info.kind = CONTRACT_POINTER;
        info.size = 8;
    }
    if (name != NULL) {
        uint32_t index = walk->contract->parameters.count;
        struct contract_parameter *parameter =
            contract_add_parameter(walk->contract, name, (enum contract_type_kind)info.kind);
        parameter->position = walk->position;
        parameter->offset = walk->offset;
        parameter->size = info.size;
        parameter->bits = info.bits;
        parameter->is_signed = info.is_signed;
        parameter->type = reader_text(reader, clang_getTypeSpelling(type));
        parameter->place = reader_place(reader, clang_getCursorLocation(cursor), NULL, NULL);
        if (info.kind == CONTRACT_POINTER)
            describe_pointer(parameter, type, bounds);
        walk->visit(reader, cursor, index, walk->context);
    }
    bool is_struct = plain.kind == CXType_Record &&
                     clang_getCursorKind(clang_getTypeDeclaration(plain)) != CXCursor_UnionDecl;
    if (!is_struct || walk->depth >= FIELD_DEPTH)
        return;
    struct walk inner = *walk;
    inner.depth++;
    inner.prefix = name != NULL ? arena_printf(reader->arena, "%s.", name) : walk->prefix;
    clang_Type_visitFields(plain, visit_field, &inner);
}

void reader_add_parameters(struct reader *reader, struct contract *contract, CXCursor function,
                           reader_visitor *visit, void *context)
{
    int count = clang_Cursor_getNumArguments(function);
    for (int i = 0; i < count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(function, (unsigned)i);
        const char *name = reader_text(reader, clang_getCursorSpelling(parameter));
        unsigned bounds = reader->is_header ? reader_count_bounds(reader, parameter) : 0;
        struct walk walk = {reader, contract, visit, context, "", (uint32_t)i, 0, 0};
        if (*name == '\0')
            name = arena_printf(reader->arena, "parameter %d", i + 1);
        add(&walk, parameter, name, clang_getCursorType(parameter), bounds);
    }
}
