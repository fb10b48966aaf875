/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: registers, special registers, numbers, addresses, vectors, names.
 */
#include "ptx/parse.h"

#include <string.h>

static void operand_init(struct ptx_operand *operand, enum ptx_operand_kind kind, const char *text)
{
    *operand = (struct ptx_operand){.kind = (uint8_t)kind,
                                    .id = PTX_NONE,
                                    .variable = PTX_NONE,
                                    .callee = PTX_NONE,
                                    .pair = PTX_NONE,
                                    .text = text};
}

static const char *text_since(struct parser *parser, uint32_t start)
{
    return arena_text(parser->arena, parser->text + start, parser->previous_end - start);
}

static bool is_sink(const struct parser *parser)
{
    return parser->token.kind == TOKEN_NAME && parser->token.size == 1 &&
           parser->text[parser->token.offset] == '_';
}

/* Moves the elements collected since `first` into the operand. */
static void keep_elements(struct parser *parser, struct ptx_operand *operand,
                          const struct ptx_operand *elements, uint32_t count)
{
    operand->count = count;
    operand->elements = arena_copy(parser->arena, elements, count * sizeof *elements);
}

/* ---- suffixes -------------------------------------------------------------------------------- */

/* .x .y .z .w or .r .g .b .a: 1 to 4; 0 if it is something else. */
static unsigned component_number(const struct parser *parser)
{
    static const char letters[] = "xyzwrgba";
    const struct name *name = &parser->names.data[parser->token.name];
    const char *found = name->size == 1 ? strchr(letters, name->text[0]) : NULL;
    return found == NULL ? 0 : (unsigned)(found - letters) % 4 + 1;
}

/* A list of elements of two registers, .b7654 or .h10: as the legend of ptx_operand.value says; 0 if it is something else. */
static uint32_t selector_list(const char *text)
{
    const char last = text[0] == 'b' ? '7' : '3';
    uint32_t digits = 0, count = 0;
    if (text[0] != 'b' && text[0] != 'h')
        return 0;
    for (const char *at = text + 1; *at != '\0'; at++, count++) {
        if (*at < '0' || *at > last || count == (text[0] == 'b' ? 4 : 2))
            return 0;
        digits = digits << 4 | (uint32_t)(*at - '0');
    }
    return count == 0 ? 0 : digits | count << 16 | (text[0] == 'h' ? 1u << 19 : 0);
}

/* .b0 to .b3, .h0, .h1 and lists: enum ptx_selector; 0 if it is something else. */
static unsigned selector_number(const struct parser *parser, struct ptx_operand *operand)
{
    static const char *const selectors[] = {"b0", "b1", "b2", "b3", "h0", "h1"};
    const char *text = parser->names.data[parser->token.name].text;
    for (unsigned i = 0; i < COUNT_OF(selectors); i++)
        if (strcmp(text, selectors[i]) == 0)
            return PTX_SELECTOR_B0 + i;
    operand->value = selector_list(text);
    return operand->value != 0 ? PTX_SELECTOR_LIST : 0;
}

static bool bad_suffix(struct parser *parser, const char *text)
{
    report(parser, "`%s` has no part %s", text, token_shown(parser));
    return false;
}

static bool special_suffix(struct parser *parser, struct ptx_operand *operand)
{
    if (parser->token.kind != TOKEN_DOT)
        return true;
    unsigned component = component_number(parser);
    if (component == 0 || component > ptx_special_components(operand->special))
        return bad_suffix(parser, operand->text);
    operand->component = (uint8_t)component;
    lexer_next(parser);
    return true;
}

/* `p|q` behind a destination. */
static bool parse_pair(struct parser *parser, struct ptx_operand *operand)
{
    if (!accept(parser, '|'))
        return true;
    if (is_sink(parser)) {
        lexer_next(parser);
        return true;
    }
    uint32_t name;
    if (!expect_name(parser, "a register", &name))
        return false;
    const struct binding *meaning = name_meaning(parser, name);
    if (meaning == NULL || meaning->kind != BINDING_REGISTER) {
        report(parser, "undefined register %s", name_shown(parser, name));
        return false;
    }
    operand->pair = meaning->id;
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool parse_register(struct parser *parser, uint32_t id, struct ptx_operand *operand)
{
    operand->kind = PTX_OPERAND_REGISTER;
    operand->id = id;
    operand->text = parser->function->registers.data[id].name;
    if (parser->token.kind == TOKEN_DOT) {
        unsigned selector = selector_number(parser, operand);
        if (selector == 0)
            return bad_suffix(parser, operand->text);
        operand->component = (uint8_t)selector;
        lexer_next(parser);
    }
    return parse_pair(parser, operand);
}

static void all_components(struct parser *parser, uint32_t first, uint32_t width,
                           struct ptx_operand *operand)
{
    operand->kind = PTX_OPERAND_VECTOR;
    operand->count = width;
    operand->elements = ARENA_ARRAY(parser->arena, struct ptx_operand, width);
    for (uint32_t i = 0; i < width; i++) {
        operand_init(&operand->elements[i], PTX_OPERAND_REGISTER,
                     parser->function->registers.data[first + i].name);
        operand->elements[i].id = first + i;
    }
}

/* %v.x is a register; %v alone is all of them in braces. */
static bool parse_vector_register(struct parser *parser, const struct binding *meaning,
                                  struct ptx_operand *operand)
{
    uint32_t first = meaning->id, width = meaning->width;
    if (parser->token.kind == TOKEN_DOT) {
        unsigned component = component_number(parser);
        if (component == 0 || component > width)
            return bad_suffix(parser, operand->text);
        lexer_next(parser);
        return parse_register(parser, first + component - 1, operand);
    }
    all_components(parser, first, width, operand);
    return true;
}

static bool parse_symbol(struct parser *parser, const struct binding *meaning, uint32_t name,
                         uint32_t offset, uint32_t line, struct ptx_operand *operand)
{
    operand->kind = PTX_OPERAND_SYMBOL;
    if (meaning == NULL)
        *vec_push(parser->arena, &parser->pending_symbols) = (struct pending_symbol){
            .operand = operand, .name = name, .offset = offset, .line = line};
    else if (meaning->kind == BINDING_VARIABLE)
        operand->variable = meaning->id;
    else
        operand->callee = meaning->id;
    if (parser->token.kind == '+' || parser->token.kind == '-')
        return constant_integer(parser, &operand->value);
    return true;
}

static bool parse_name(struct parser *parser, struct ptx_operand *operand)
{
    const struct token token = parser->token;
    const struct name *name = &parser->names.data[token.name];
    operand_init(operand, PTX_OPERAND_SPECIAL, name->text);
    uint8_t special = name->special;
    const struct binding *meaning = name_meaning(parser, token.name);
    if (meaning != NULL && special == PTX_SPECIAL_NONE) {
        /* The binding may move while more is read. */
        struct binding copy = *meaning;
        lexer_next(parser);
        if (copy.kind == BINDING_REGISTER)
            return parse_register(parser, copy.id, operand);
        if (copy.kind == BINDING_VECTOR)
            return parse_vector_register(parser, &copy, operand);
        return parse_symbol(parser, &copy, token.name, token.offset, token.line, operand);
    }
    if (special != PTX_SPECIAL_NONE) {
        operand->special = special;
        lexer_next(parser);
        return special_suffix(parser, operand);
    }
    if (operand->text[0] == '%') {
        report(parser, "undefined register %s", token_shown(parser));
        return false;
    }
    lexer_next(parser);
    return parse_symbol(parser, NULL, token.name, token.offset, token.line, operand);
}

/* ---- simple operands ------------------------------------------------------------------------- */

static bool parse_number(struct parser *parser, struct ptx_operand *operand)
{
    uint32_t start = parser->token.offset;
    operand_init(operand, PTX_OPERAND_INTEGER, "");
    if (constant_is_float(parser)) {
        uint64_t bits;
        bool is_double;
        if (!constant_float(parser, &bits, &is_double))
            return false;
        operand->kind = PTX_OPERAND_FLOAT;
        operand->is_double = is_double;
        operand->value = (int64_t)bits;
    } else if (!constant_integer(parser, &operand->value)) {
        return false;
    }
    operand->text = text_since(parser, start);
    return true;
}

static bool at_warp_size(const struct parser *parser)
{
    return parser->token.size == 7 &&
           memcmp(parser->text + parser->token.offset, "WARP_SZ", 7) == 0;
}

/* !%p */
static bool parse_negated(struct parser *parser, struct ptx_operand *operand)
{
    lexer_next(parser);
    if (parser->token.kind != TOKEN_NAME) {
        report(parser, "expected a predicate behind `!`, found %s", token_shown(parser));
        return false;
    }
    if (!parse_name(parser, operand))
        return false;
    operand->negated = 1;
    return true;
}

/* What may stand in braces or parentheses. */
static bool parse_simple(struct parser *parser, struct ptx_operand *operand)
{
    if (is_sink(parser)) {
        operand_init(operand, PTX_OPERAND_SINK, "_");
        lexer_next(parser);
        return parse_pair(parser, operand);
    }
    if (parser->token.kind == TOKEN_NAME && !at_warp_size(parser))
        return parse_name(parser, operand);
    if (parser->token.kind == '!')
        return parse_negated(parser, operand);
    return parse_number(parser, operand);
}

/* a, b, c up to `close`, which is consumed; elements go to `to`. */
static bool parse_sequence(struct parser *parser, int close, struct ptx_operand *operand,
                           uint32_t count)
{
    struct ptx_operand *elements = parser->elements;
    uint32_t pending = parser->pending_symbols.count;
    if (!accept(parser, close)) {
        do {
            if (count == LIMIT_OPERANDS) {
                report(parser, "more than %d elements", LIMIT_OPERANDS);
                return false;
            }
            if (!parse_simple(parser, &elements[count++]))
                return false;
        } while (accept(parser, ','));
        if (!expect(parser, close))
            return false;
    }
    keep_elements(parser, operand, elements, count);
    /* Names that are still open now live elsewhere. */
    for (uint32_t i = pending; i < parser->pending_symbols.count; i++) {
        struct pending_symbol *use = &parser->pending_symbols.data[i];
        if (use->operand >= elements && use->operand < elements + count)
            use->operand = operand->elements + (use->operand - elements);
    }
    return true;
}

static bool parse_vector(struct parser *parser, struct ptx_operand *operand)
{
    uint32_t start = parser->token.offset;
    lexer_next(parser);
    operand_init(operand, PTX_OPERAND_VECTOR, "");
    if (!parse_sequence(parser, '}', operand, 0))
        return false;
    operand->text = text_since(parser, start);
    return true;
}

bool operand_parse_list(struct parser *parser, struct ptx_operand *operand)
{
    operand_init(operand, PTX_OPERAND_LIST, "");
    return expect(parser, '(') && parse_sequence(parser, ')', operand, 0);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* [tex, {x, y}], [tex, x] or [tex, sampler, {x, y}]; at the comma. */
static bool parse_coordinates(struct parser *parser, struct ptx_operand *operand)
{
    uint32_t count = 0;
    lexer_next(parser);
    if (parser->token.kind != '{') {
        if (!parse_simple(parser, &parser->elements[0]))
            return false;
        if (!accept(parser, ',')) {
            keep_elements(parser, operand, parser->elements, 1);
            return true;
        }
        operand->bracketed = 2;
        count = 1;
    }
    return expect(parser, '{') && parse_sequence(parser, '}', operand, count);
}

static bool parse_base(struct parser *parser, struct ptx_operand *operand)
{
    if (parser->token.kind != TOKEN_NAME || at_warp_size(parser)) {
        operand_init(operand, PTX_OPERAND_ADDRESS, "");
        return constant_integer(parser, &operand->value);
    }
    if (!parse_name(parser, operand))
        return false;
    bool is_register = operand->kind == PTX_OPERAND_REGISTER;
    if ((!is_register && operand->kind != PTX_OPERAND_SYMBOL) || operand->component != 0 ||
        operand->pair != PTX_NONE) {
        report(parser, "an address is made of a register, a variable or a number, not `%s`",
               operand->text);
        return false;
    }
    operand->kind = PTX_OPERAND_ADDRESS;
    if (is_register && (parser->token.kind == '+' || parser->token.kind == '-'))
        return constant_integer(parser, &operand->value);
    return true;
}

static bool parse_address(struct parser *parser, struct ptx_operand *operand)
{
    lexer_next(parser);
    if (!parse_base(parser, operand))
        return false;
    operand->bracketed = 1;
    if (parser->token.kind == ',' && !parse_coordinates(parser, operand))
        return false;
    return expect(parser, ']');
}

/* ---- interface ------------------------------------------------------------------------------- */

bool operand_parse(struct parser *parser, struct ptx_operand *operand)
{
    if (parser->token.kind == '[')
        return parse_address(parser, operand);
    if (parser->token.kind == '{')
        return parse_vector(parser, operand);
    return parse_simple(parser, operand);
}

bool operand_parse_label(struct parser *parser, struct ptx_operand *operand)
{
    uint32_t offset = parser->token.offset, line = parser->token.line, name;
    if (!expect_name(parser, "a label", &name))
        return false;
    operand_init(operand, PTX_OPERAND_LABEL, parser->names.data[name].text);
    const struct target_list *list = target_list_find(parser, name, false);
    if (list != NULL) {
        operand->kind = PTX_OPERAND_LIST;
        operand->elements = list->elements;
        operand->count = list->count;
        return true;
    }
    *vec_push(parser->arena, &parser->pending_labels) =
        (struct pending_label){.operand = operand, .name = name, .offset = offset, .line = line};
    return true;
}

bool operand_parse_prototype(struct parser *parser, struct ptx_operand *operand)
{
    uint32_t offset = parser->token.offset, line = parser->token.line, name;
    if (!expect_name(parser, "a prototype", &name))
        return false;
    operand_init(operand, PTX_OPERAND_PROTOTYPE, parser->names.data[name].text);
    const struct target_list *list = target_list_find(parser, name, true);
    if (list != NULL) {
        operand->kind = PTX_OPERAND_LIST;
        operand->elements = list->elements;
        operand->count = list->count;
        return true;
    }
    uint32_t at = parser->names.data[name].prototype;
    if (at == 0 || at > parser->function->prototypes.count ||
        parser->function->prototypes.data[at - 1].name != operand->text) {
        report_at(parser, offset, line, "undefined prototype %s", name_shown(parser, name));
        return false;
    }
    operand->id = at - 1;
    return true;
}

bool operand_parse_symbol(struct parser *parser, struct ptx_operand *operand)
{
    return parse_simple(parser, operand);
}

bool operand_parse_loose(struct parser *parser, uint32_t name, struct ptx_operand *operand)
{
    const struct binding *meaning = name_meaning(parser, name);
    operand_init(operand, PTX_OPERAND_REGISTER, parser->names.data[name].text);
    if (meaning == NULL && operand->text[0] == '%')
        return false;
    if (meaning == NULL) {
        operand->kind = PTX_OPERAND_LABEL;
        *vec_push(parser->arena, &parser->pending_labels) = (struct pending_label){
            .operand = operand, .name = name, .offset = 0, .line = 0, .optional = true};
    } else if (meaning->kind == BINDING_REGISTER) {
        operand->id = meaning->id;
    } else if (meaning->kind == BINDING_VECTOR) {
        all_components(parser, meaning->id, meaning->width, operand);
    } else {
        operand->kind = PTX_OPERAND_SYMBOL;
        operand->variable = meaning->kind == BINDING_VARIABLE ? meaning->id : PTX_NONE;
        operand->callee = meaning->kind == BINDING_FUNCTION ? meaning->id : PTX_NONE;
    }
    return true;
}
