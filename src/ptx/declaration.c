/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of registers, variables and parameters.
 *
 *   .reg .v4 .f32 %v<9>, %w;
 *   .global .attribute(.managed) .align 8 .v2 .u32 name[4][2] = { ... }, other;
 *   .param .u64 .ptr .global .align 16 name
 */
#include "ptx/parse.h"

#include <string.h>

/* What stands before the names of a declaration. */
struct declaration {
    uint8_t space, type, vector;
    uint8_t is_pointer, pointer_space, is_managed;
    uint32_t align, pointer_align;
    const char *attributes;
};

/* ---- words before the name ------------------------------------------------------------------- */

static bool parse_align(struct parser *parser, uint32_t *align)
{
    uint32_t offset = parser->token.offset, line = parser->token.line;
    uint64_t value;
    if (!constant_unsigned(parser, 1u << 30, "an alignment", &value))
        return false;
    if (value == 0 || (value & (value - 1)) != 0) {
        report_at(parser, offset, line, "an alignment is a power of two");
        return false;
    }
    *align = (uint32_t)value;
    return true;
}

/* (.managed), (.unified(...), ...): kept as written. */
static bool parse_attribute(struct parser *parser, uint32_t start, struct declaration *declaration)
{
    if (!parentheses_skip(parser))
        return false;
    declaration->attributes =
        arena_text(parser->arena, parser->text + start, parser->previous_end - start);
    declaration->is_managed = strstr(declaration->attributes, ".managed") != NULL;
    return true;
}

/* .ptr .global .align 16: both parts may be missing. */
static bool parse_pointer(struct parser *parser, struct declaration *declaration)
{
    declaration->is_pointer = 1;
    enum ptx_mod space = token_mod(parser, PTX_GROUP_SPACE);
    if (space != PTX_MOD_NONE) {
        declaration->pointer_space = (uint8_t)ptx_mod_value(space);
        lexer_next(parser);
    }
    if (parser->token.kind == TOKEN_DOT &&
        parser->names.data[parser->token.name].directive == DIRECTIVE_ALIGN) {
        lexer_next(parser);
        return parse_align(parser, &declaration->pointer_align);
    }
    declaration->pointer_align = 4;
    return true;
}

/* `.const[2]`: the bank has no meaning any more. */
static bool parse_bank(struct parser *parser)
{
    uint64_t bank;
    return !accept(parser, '[') ||
           (constant_unsigned(parser, 10, "a constant bank", &bank) && expect(parser, ']'));
}

static bool parse_word(struct parser *parser, struct declaration *declaration)
{
    uint32_t start = parser->token.offset;
    uint8_t directive = parser->names.data[parser->token.name].directive;
    enum ptx_mod mod;
    if (directive == DIRECTIVE_ALIGN) {
        lexer_next(parser);
        return parse_align(parser, &declaration->align);
    }
    if (directive == DIRECTIVE_ATTRIBUTE) {
        lexer_next(parser);
        return parse_attribute(parser, start, declaration);
    }
    if (directive == DIRECTIVE_PTR) {
        lexer_next(parser);
        return parse_pointer(parser, declaration);
    }
    if ((mod = token_mod(parser, PTX_GROUP_VECTOR)) != PTX_MOD_NONE) {
        declaration->vector = (uint8_t)ptx_mod_value(mod);
    } else if ((mod = token_mod(parser, PTX_GROUP_TYPE)) != PTX_MOD_NONE) {
        if (declaration->type != PTX_TYPE_NONE) {
            report(parser, "a declaration has one type, %s is a second one", token_shown(parser));
            return false;
        }
        declaration->type = (uint8_t)ptx_mod_value(mod);
    } else {
        report(parser, "%s does not belong in a declaration", token_shown(parser));
        return false;
    }
    lexer_next(parser);
    return true;
}

/* From the space to the first name. */
static bool parse_words(struct parser *parser, struct declaration *declaration)
{
    *declaration = (struct declaration){.vector = 1};
    enum ptx_mod space = token_mod(parser, PTX_GROUP_SPACE);
    if (space == PTX_MOD_NONE) {
        report(parser, "expected a state space such as `.param`, found %s", token_shown(parser));
        return false;
    }
    declaration->space = (uint8_t)ptx_mod_value(space);
    lexer_next(parser);
    if (declaration->space == PTX_SPACE_CONST && !parse_bank(parser))
        return false;
    while (parser->token.kind == TOKEN_DOT)
        if (!parse_word(parser, declaration))
            return false;
    if (declaration->type == PTX_TYPE_NONE) {
        report(parser, "expected a type, found %s", token_shown(parser));
        return false;
    }
    return true;
}

/* ---- registers ------------------------------------------------------------------------------- */

static bool declare_range(struct parser *parser, const struct declaration *declaration,
                          uint32_t name)
{
    uint64_t count;
    uint32_t offset = parser->token.offset, line = parser->token.line;
    /* Not an expression: `>` ends it. */
    if (parser->token.kind != TOKEN_INTEGER) {
        report(parser, "expected the number of registers, found %s", token_shown(parser));
        return false;
    }
    count = parser->token.value;
    lexer_next(parser);
    if (count > LIMIT_REGISTERS) {
        report_at(parser, offset, line, "more than %d registers in one declaration",
                  LIMIT_REGISTERS);
        return false;
    }
    struct binding *binding;
    if (!name_bind(parser, BINDING_RANGE, name, (uint32_t)count, parser->depth, &binding)) {
        report_at(parser, offset, line, "registers %s<...> are declared twice",
                  name_shown(parser, name));
        return false;
    }
    binding->type = declaration->type;
    binding->width = declaration->vector;
    parser->inner_ranges += parser->depth > 1;
    return expect(parser, '>');
}

static bool declare_register(struct parser *parser, const struct declaration *declaration,
                             uint32_t name)
{
    uint32_t width = declaration->vector;
    struct binding *binding;
    if (parser->function->registers.count + width > LIMIT_REGISTERS) {
        report(parser, "the function uses more than %d registers", LIMIT_REGISTERS);
        return false;
    }
    if (!name_bind(parser, width == 1 ? BINDING_REGISTER : BINDING_VECTOR, name,
                   parser->function->registers.count, parser->depth, &binding)) {
        report(parser, "%s is declared twice", name_shown(parser, name));
        return false;
    }
    binding->width = (uint8_t)width;
    registers_add(parser, parser->names.data[name].text, declaration->type, width);
    return true;
}

static bool is_register_type(enum ptx_type type)
{
    static const uint8_t others[] = {PTX_B1, PTX_U4,     PTX_S4,         PTX_U2,
                                     PTX_S2, PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF};
    return memchr(others, (int)type, sizeof others) == NULL;
}

bool declare_registers(struct parser *parser)
{
    struct declaration declaration;
    uint32_t start = parser->token.offset, name;
    if (!parse_words(parser, &declaration))
        return false;
    if (declaration.vector > 4) {
        report(parser, "a vector register has 2 or 4 components");
        return false;
    }
    if (!is_register_type(declaration.type)) {
        report(parser, "a register cannot be of type `.%s`", ptx_type_name(declaration.type));
        return false;
    }
    do {
        if (!expect_name(parser, "a register", &name))
            return false;
        bool is_range = accept(parser, '<');
        if (!(is_range ? declare_range : declare_register)(parser, &declaration, name))
            return false;
    } while (accept(parser, ','));
    if (!expect(parser, ';'))
        return false;
    item_add(parser, PTX_ITEM_TEXT, 0, start);
    return true;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* [4][2]; [] counts as 0 and may only come first. */
static bool parse_dimensions(struct parser *parser, uint64_t *dimensions, unsigned *count)
{
    *count = 0;
    while (accept(parser, '[')) {
        if (*count == LIMIT_DIMENSIONS) {
            report(parser, "an array has at most %d dimensions", LIMIT_DIMENSIONS);
            return false;
        }
        uint64_t extent = 0;
        bool open = parser->token.kind == ']';
        if (open && *count != 0) {
            report(parser, "only the first dimension may be empty");
            return false;
        }
        if (!open && !constant_unsigned(parser, LIMIT_VARIABLE, "an array size", &extent))
            return false;
        dimensions[(*count)++] = extent;
        if (!expect(parser, ']'))
            return false;
    }
    return true;
}

static struct ptx_variable new_variable(struct parser *parser,
                                        const struct declaration *declaration)
{
    unsigned element = ptx_type_size(declaration->type) * declaration->vector;
    return (struct ptx_variable){
        .space = declaration->space,
        .type = declaration->type,
        .vector = declaration->vector,
        .align = declaration->align != 0 ? declaration->align
                 : element != 0          ? element
                                         : 1,
        .function = PTX_NONE,
        .size = element,
        .is_managed = declaration->is_managed,
        .attributes = declaration->attributes,
        .is_pointer = declaration->is_pointer,
        .pointer_space = declaration->pointer_space,
        .pointer_align = declaration->pointer_align,
        .register_id = PTX_NONE,
        .line = parser->token.line,
    };
}

/* The name and its dimensions; `_` is a name for nothing. */
static bool parse_declarator(struct parser *parser, struct ptx_variable *variable, uint32_t *name,
                             uint64_t *dimensions, unsigned *count)
{
    uint32_t offset = parser->token.offset, line = parser->token.line;
    if (!expect_name(parser, "a name", name) || !parse_dimensions(parser, dimensions, count))
        return false;
    variable->name = parser->names.data[*name].text;
    variable->is_array = *count != 0;
    variable->unsized = *count != 0 && dimensions[0] == 0;
    for (unsigned i = 0; i < *count; i++) {
        if (dimensions[i] != 0 && variable->size > LIMIT_VARIABLE / dimensions[i]) {
            report_at(parser, offset, line, "%s is larger than 2^47 bytes",
                      name_shown(parser, *name));
            return false;
        }
        variable->size *= dimensions[i];
    }
    return true;
}

/* A second declaration of a module's variable is allowed where one of the two is only a declaration. */
static bool redeclare(struct parser *parser, uint32_t id, const struct ptx_variable *variable)
{
    struct ptx_variable *old = &parser->module->variables.data[id];
    bool is_declaration = variable->linkage == PTX_LINKAGE_EXTERN;
    bool was_declaration = old->linkage == PTX_LINKAGE_EXTERN || old->linkage == PTX_LINKAGE_WEAK ||
                           old->linkage == PTX_LINKAGE_COMMON;
    if (old->space != variable->space || (!is_declaration && !was_declaration))
        return false;
    if (!is_declaration)
        *old = *variable;
    return true;
}

static bool add_variable(struct parser *parser, const struct ptx_variable *variable, uint32_t name)
{
    uint32_t id = parser->module->variables.count;
    struct binding *binding;
    if (!name_bind(parser, BINDING_VARIABLE, name, id, parser->depth, &binding)) {
        if (binding->kind != BINDING_VARIABLE || parser->depth != 0 ||
            !redeclare(parser, binding->id, variable)) {
            report(parser, "%s is declared twice", name_shown(parser, name));
            return false;
        }
        return true;
    }
    *vec_push(parser->arena, &parser->module->variables) = *variable;
    item_add(parser, PTX_ITEM_VARIABLE, id, 0);
    if (variable->function != PTX_NONE)
        *vec_push(parser->arena, &parser->function->variables) = id;
    return true;
}

static bool check_space(struct parser *parser, const struct declaration *declaration)
{
    bool inside = parser->function != NULL;
    bool fits = declaration->space != PTX_SPACE_REG && declaration->space != PTX_SPACE_SREG &&
                (inside || declaration->space != PTX_SPACE_PARAM);
    if (!fits)
        report(parser, "a `.%s` variable does not belong here", ptx_space_name(declaration->space));
    else if (declaration->type == PTX_PRED)
        report(parser, "a variable cannot be of type `.pred`");
    return fits && declaration->type != PTX_PRED;
}

bool declare_variables(struct parser *parser, enum ptx_linkage linkage)
{
    struct declaration declaration;
    uint64_t dimensions[LIMIT_DIMENSIONS + 1]; /* one more: the components of a vector */
    unsigned count;
    uint32_t name;
    if (!parse_words(parser, &declaration) || !check_space(parser, &declaration))
        return false;
    bool is_local = declaration.space == PTX_SPACE_LOCAL || declaration.space == PTX_SPACE_SHARED ||
                    declaration.space == PTX_SPACE_PARAM;
    do {
        struct ptx_variable variable = new_variable(parser, &declaration);
        variable.linkage = (uint8_t)linkage;
        if (parser->function != NULL && is_local)
            variable.function = parser->function_id;
        if (!parse_declarator(parser, &variable, &name, dimensions, &count))
            return false;
        if (accept(parser, '=') && !initialiser_parse(parser, &variable, dimensions, count))
            return false;
        if (!add_variable(parser, &variable, name))
            return false;
    } while (accept(parser, ','));
    return expect(parser, ';');
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool declare_parameter(struct parser *parser, bool is_return, uint32_t *id)
{
    struct declaration declaration;
    uint64_t dimensions[LIMIT_DIMENSIONS + 1];
    unsigned count;
    uint32_t name;
    if (!parse_words(parser, &declaration))
        return false;
    bool is_register = declaration.space == PTX_SPACE_REG;
    if (declaration.space != PTX_SPACE_PARAM && !is_register) {
        report(parser, "a parameter is `.param` or `.reg`, not `.%s`",
               ptx_space_name(declaration.space));
        return false;
    }
    struct ptx_variable variable = new_variable(parser, &declaration);
    variable.is_parameter = !is_return;
    variable.is_return = is_return;
    variable.function = parser->function_id;
    if (!parse_declarator(parser, &variable, &name, dimensions, &count))
        return false;
    *id = parser->module->variables.count;
    bool is_named = strcmp(variable.name, "_") != 0;
    if (is_register) {
        if (is_named) {
            variable.register_id = parser->function->registers.count;
            if (!declare_register(parser, &declaration, name))
                return false;
        }
    } else if (is_named && !name_bind(parser, BINDING_VARIABLE, name, *id, parser->depth, NULL)) {
        report(parser, "%s is declared twice", name_shown(parser, name));
        return false;
    }
    *vec_push(parser->arena, &parser->module->variables) = variable;
    return true;
}

bool declare_parameters(struct parser *parser, bool is_return, void *id_list)
{
    struct id_list *list = id_list;
    if (!expect(parser, '('))
        return false;
    if (accept(parser, ')'))
        return true;
    do {
        uint32_t id;
        if (!declare_parameter(parser, is_return, &id))
            return false;
        *vec_push(parser->arena, list) = id;
    } while (accept(parser, ','));
    return expect(parser, ')');
}
