/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements of a function's body: { } blocks, labels, declarations, lists of targets, prototypes, instructions.
 */
#include "ptx/parse.h"

#include <string.h>

const struct target_list *target_list_find(const struct parser *parser, uint32_t name,
                                           bool is_calls)
{
    uint32_t at = parser->names.data[name].targets;
    if (at == 0 || at > parser->target_lists.count)
        return NULL;
    const struct target_list *list = &parser->target_lists.data[at - 1];
    return list->name == name && list->is_calls == is_calls ? list : NULL;
}

void skip_statement(struct parser *parser, int32_t braces)
{
    while (parser->token.kind != TOKEN_END) {
        int kind = parser->token.kind;
        if (kind == '}' && parser->braces < braces)
            return;
        lexer_next(parser);
        if (kind == ';')
            return;
    }
}

/* ---- what may stand behind `name:` ----------------------------------------------------------- */

typedef VEC(struct ptx_operand) operand_list;

static bool parse_target(struct parser *parser, bool is_calls, operand_list *list)
{
    struct ptx_operand operand;
    if (!(is_calls ? operand_parse_symbol : operand_parse_label)(parser, &operand))
        return false;
    if (operand.kind != (is_calls ? PTX_OPERAND_SYMBOL : PTX_OPERAND_LABEL)) {
        report(parser, "`%s` is not a %s", operand.text, is_calls ? "function" : "label");
        return false;
    }
    *vec_push(parser->arena, list) = operand;
    return true;
}

/* Uses of names that are still open stand in the order of the elements: they get the final places. */
static void place_targets(struct parser *parser, bool is_calls, const operand_list *list,
                          uint32_t open)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct ptx_operand *operand = &list->data[i];
        if (!is_calls)
            parser->pending_labels.data[open++].operand = operand;
        else if (operand->variable == PTX_NONE && operand->callee == PTX_NONE)
            parser->pending_symbols.data[open++].operand = operand;
    }
}

/* name: .branchtargets a, b;   or   name: .calltargets f, g; */
static bool parse_targets(struct parser *parser, uint32_t name, bool is_calls)
{
    uint32_t labels = parser->pending_labels.count, symbols = parser->pending_symbols.count;
    operand_list list = {0};
    bool good;
    do
        good = parse_target(parser, is_calls, &list);
    while (good && accept(parser, ','));
    if (!good || !expect(parser, ';')) {
        parser->pending_labels.count = labels;
        parser->pending_symbols.count = symbols;
        return false;
    }
    place_targets(parser, is_calls, &list, is_calls ? symbols : labels);
    *vec_push(parser->arena, &parser->target_lists) = (struct target_list){
        .name = name, .elements = list.data, .count = list.count, .is_calls = is_calls};
    parser->names.data[name].targets = parser->target_lists.count;
    return true;
}

/* name: .callprototype (results) _ (parameters) .noreturn; */
static bool parse_prototype(struct parser *parser, uint32_t name)
{
    struct ptx_prototype prototype = {.name = parser->names.data[name].text};
    uint32_t ignored;
    if (!scope_open(parser))
        return false;
    bool good = parser->token.kind != '(' || declare_parameters(parser, true, &prototype.returns);
    good = good && expect_name(parser, "`_`", &ignored);
    good = good &&
           (parser->token.kind != '(' || declare_parameters(parser, false, &prototype.parameters));
    scope_close(parser);
    while (good && parser->token.kind == TOKEN_DOT) {
        uint8_t directive = parser->names.data[parser->token.name].directive;
        uint64_t number;
        prototype.no_return |= directive == DIRECTIVE_NORETURN;
        lexer_next(parser);
        if (directive == DIRECTIVE_HEADER_NUMBERS)
            good = constant_unsigned(parser, UINT32_MAX, "a number of registers", &number);
    }
    if (!good || !expect(parser, ';'))
        return false;
    *vec_push(parser->arena, &parser->function->prototypes) = prototype;
    parser->names.data[name].prototype = parser->function->prototypes.count;
    return true;
}

static bool add_label(struct parser *parser, uint32_t name, uint32_t offset, uint32_t line)
{
    struct ptx_function *function = parser->function;
    uint32_t id = function->labels.count;
    if (!name_bind(parser, BINDING_LABEL, name, id, parser->depth, NULL)) {
        report_at(parser, offset, line, "label %s stands twice in one block",
                  name_shown(parser, name));
        return true; /* what follows is fine */
    }
    struct ptx_label *label = vec_push(parser->arena, &function->labels);
    *label = (struct ptx_label){.name = parser->names.data[name].text,
                                .target = function->instructions.count,
                                .line = line};
    item_add(parser, PTX_ITEM_LABEL, id, 0);
    return true;
}

/* Behind `name:`. */
static bool parse_label(struct parser *parser, uint32_t name, uint32_t offset, uint32_t line)
{
    uint8_t directive = parser->token.kind == TOKEN_DOT
                            ? parser->names.data[parser->token.name].directive
                            : DIRECTIVE_NONE;
    bool good;
    switch (directive) {
    case DIRECTIVE_BRANCHTARGETS:
    case DIRECTIVE_CALLTARGETS:
        lexer_next(parser);
        good = parse_targets(parser, name, directive == DIRECTIVE_CALLTARGETS);
        break;
    case DIRECTIVE_CALLPROTOTYPE:
        lexer_next(parser);
        good = parse_prototype(parser, name);
        break;
    default:
        return add_label(parser, name, offset, line);
    }
    if (good)
        item_add(parser, PTX_ITEM_TEXT, 0, offset);
    return good;
}

/* ---- directives ------------------------------------------------------------------------------ */

static bool parse_directive(struct parser *parser)
{
    uint32_t offset = parser->token.offset;
    switch (parser->names.data[parser->token.name].directive) {
    case DIRECTIVE_REG:
        return declare_registers(parser);
    case DIRECTIVE_VARIABLE:
        return declare_variables(parser, PTX_LINKAGE_NONE);
    case DIRECTIVE_LOC:
        lexer_next(parser);
        return location_parse(parser);
    case DIRECTIVE_PRAGMA:
        lexer_next(parser);
        if (!strings_parse(parser))
            return false;
        item_add(parser, PTX_ITEM_TEXT, 0, offset);
        return true;
    default:
        report(parser, "%s does not belong in a function", token_shown(parser));
        return false;
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* @p or @!p */
static bool parse_guard(struct parser *parser, struct ptx_instruction *instruction)
{
    lexer_next(parser);
    instruction->guard_negated = accept(parser, '!');
    uint32_t name, offset = parser->token.offset, line = parser->token.line;
    if (!expect_name(parser, "a predicate", &name))
        return false;
    const struct binding *meaning = name_meaning(parser, name);
    if (meaning == NULL || meaning->kind != BINDING_REGISTER) {
        report_at(parser, offset, line, "undefined register %s", name_shown(parser, name));
        return false;
    }
    if (parser->function->registers.data[meaning->id].type != PTX_PRED) {
        report_at(parser, offset, line, "%s is not a predicate", name_shown(parser, name));
        return false;
    }
    instruction->guard = meaning->id;
    return true;
}

/* From the guard or behind the opcode's name, `opcode`, if that has been read. */
static bool parse_instruction(struct parser *parser, uint32_t opcode, uint32_t offset,
                              uint32_t line)
{
    struct ptx_instruction instruction = {
        .guard = PTX_NONE, .location = parser->location, .line = line, .text_offset = offset};
    if (opcode == PTX_NONE) {
        if (!parse_guard(parser, &instruction) || !expect_name(parser, "an instruction", &opcode))
            return false;
    }
    if (!instruction_parse(parser, &instruction, opcode))
        return false;
    *vec_push(parser->arena, &parser->function->instructions) = instruction;
    return true;
}

static bool parse_named(struct parser *parser)
{
    const struct token first = parser->token;
    lexer_next(parser);
    if (accept(parser, ':'))
        return parse_label(parser, first.name, first.offset, first.line);
    return parse_instruction(parser, first.name, first.offset, first.line);
}

static bool parse_statement(struct parser *parser)
{
    switch (parser->token.kind) {
    case ';':
        lexer_next(parser);
        return true;
    case '{':
        if (scope_open(parser))
            item_add(parser, PTX_ITEM_OPEN, 0, 0);
        else
            lexer_skip_braces(parser);
        lexer_next(parser);
        return true;
    case TOKEN_DOT:
        return parse_directive(parser);
    case '@':
        return parse_instruction(parser, PTX_NONE, parser->token.offset, parser->token.line);
    case TOKEN_NAME:
        return parse_named(parser);
    default:
        report(parser, "expected an instruction, found %s", token_shown(parser));
        return false;
    }
}

bool body_parse(struct parser *parser)
{
    uint32_t offset = parser->token.offset, line = parser->token.line;
    lexer_next(parser);
    for (;;) {
        if (parser->token.kind == TOKEN_END) {
            report_at(parser, offset, line, "the body of `%s` is not closed",
                      parser->function->name);
            return false;
        }
        if (parser->token.kind == '}') {
            lexer_next(parser);
            if (parser->depth == 1)
                return true;
            scope_close(parser);
            item_add(parser, PTX_ITEM_CLOSE, 0, 0);
            continue;
        }
        int32_t braces = parser->braces - (parser->token.kind == '{');
        if (!parse_statement(parser))
            skip_statement(parser, braces);
    }
}
