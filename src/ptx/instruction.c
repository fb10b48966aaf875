/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction: its modifiers by the groups of its row in ops.def, then its operands.  An opcode or modifier that the tables
 * do not have makes it opaque: the text is kept, and every register it names counts as used and defined.
 */
#include "ptx/parse.h"

#include <stddef.h>
#include <string.h>

/* ---- modifiers ------------------------------------------------------------------------------- */

/* Where the values of a group go, in written order; more than there are places stay in `mods` alone. */
#define PLACE(member) (uint16_t)offsetof(struct ptx_instruction, member)
static const struct {
    uint8_t count;
    uint16_t places[4];
} group_places[PTX_GROUP_COUNT] = {
    [PTX_GROUP_TYPE] = {4, {PLACE(type), PLACE(type2), PLACE(type3), PLACE(type4)}},
    [PTX_GROUP_SPACE] = {2, {PLACE(space), PLACE(space2)}},
    [PTX_GROUP_ROUND] = {1, {PLACE(round)}},
    [PTX_GROUP_COMPARE] = {1, {PLACE(compare)}},
    [PTX_GROUP_OPERATION] = {1, {PLACE(operation)}},
    [PTX_GROUP_MODE] = {3, {PLACE(mode), PLACE(mode2), PLACE(mode3)}},
    [PTX_GROUP_VECTOR] = {1, {PLACE(vector)}},
    [PTX_GROUP_SEMANTICS] = {1, {PLACE(semantics)}},
    [PTX_GROUP_SCOPE] = {1, {PLACE(scope)}},
    [PTX_GROUP_LAYOUT] = {2, {PLACE(layout), PLACE(layout2)}},
    [PTX_GROUP_GEOMETRY] = {1, {PLACE(geometry)}},
};

static void note_modifier(struct ptx_instruction *instruction, enum ptx_mod mod, uint8_t *seen)
{
    enum ptx_group group = ptx_mod_group(mod);
    uint32_t value = ptx_mod_value(mod);
    if (group == PTX_GROUP_FLAG) {
        instruction->flags |= value;
    } else if (group == PTX_GROUP_SHAPE) {
        instruction->shape = value;
    } else if (seen[group] < group_places[group].count) {
        unsigned char *place =
            (unsigned char *)instruction + group_places[group].places[seen[group]++];
        *place = (unsigned char)(group == PTX_GROUP_LAYOUT ? value + 1 : value);
    }
}

static bool accepts(const struct ptx_op_info *info, enum ptx_mod mod)
{
    enum ptx_group group = ptx_mod_group(mod);
    if ((info->groups >> group & 1) == 0)
        return false;
    return group != PTX_GROUP_FLAG || (info->modifiers & ptx_mod_value(mod)) != 0;
}

/* The meaning of a modifier's text for this opcode, PTX_MOD_NONE if it has one only for others. */
static enum ptx_mod mod_for(const struct parser *parser, const struct ptx_op_info *info,
                            uint32_t name)
{
    unsigned mod = parser->names.data[name].mod;
    while (mod != PTX_MOD_NONE && !accepts(info, mod))
        mod = parser->mod_next[mod];
    return mod;
}

/* `.cta` in bar.cta.sync says what bar.sync means anyway: the modes begin behind it. */
static void drop_cta(struct ptx_instruction *instruction)
{
    if ((instruction->op == PTX_OP_bar || instruction->op == PTX_OP_barrier) &&
        instruction->mode == PTX_MODE_CTA) {
        instruction->mode = instruction->mode2;
        instruction->mode2 = instruction->mode3;
        instruction->mode3 = PTX_MODE_NONE;
    }
}

/* Reads .word.word...; *known becomes false where one is in no table. */
static bool parse_modifiers(struct parser *parser, struct ptx_instruction *instruction, bool *known)
{
    const struct ptx_op_info *info = ptx_op_info(instruction->op);
    uint8_t seen[PTX_GROUP_COUNT] = {0};
    instruction->vector = 1;
    for (; parser->token.kind == TOKEN_DOT; lexer_next(parser)) {
        uint32_t name = parser->token.name;
        if (!*known)
            continue;
        if (parser->names.data[name].mod == PTX_MOD_UNKNOWN ||
            instruction->mod_count == PTX_MODS_MAX) {
            *known = false;
            continue;
        }
        enum ptx_mod mod = mod_for(parser, info, name);
        if (mod == PTX_MOD_NONE) {
            report(parser, "`%s` has no modifier `.%s`", info->name,
                   ptx_mod_text(parser->names.data[name].mod));
            return false;
        }
        instruction->mods[instruction->mod_count++] = (uint16_t)mod;
        note_modifier(instruction, mod, seen);
    }
    drop_cta(instruction);
    return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Uses of names that are still open point into parser->operands: they follow the operands to their final place. */
struct open_uses {
    uint32_t labels, symbols;
};

static struct open_uses open_uses_mark(const struct parser *parser)
{
    return (struct open_uses){parser->pending_labels.count, parser->pending_symbols.count};
}

static void move_use(struct parser *parser, const struct ptx_instruction *instruction,
                     struct ptx_operand **use)
{
    if (*use >= parser->operands && *use < parser->operands + COUNT_OF(parser->operands))
        *use = instruction->operands + (*use - parser->operands);
}

static void keep_operands(struct parser *parser, struct ptx_instruction *instruction,
                          unsigned count, struct open_uses mark)
{
    instruction->operand_count = (uint8_t)count;
    if (count != 0)
        instruction->operands =
            arena_copy(parser->arena, parser->operands, count * sizeof *parser->operands);
    for (uint32_t i = mark.labels; i < parser->pending_labels.count; i++)
        move_use(parser, instruction, &parser->pending_labels.data[i].operand);
    for (uint32_t i = mark.symbols; i < parser->pending_symbols.count; i++)
        move_use(parser, instruction, &parser->pending_symbols.data[i].operand);
}

static bool too_many(struct parser *parser)
{
    report(parser, "more than %d operands", LIMIT_OPERANDS);
    return false;
}

/* call (results), function, (arguments), prototype: all but the function may be missing. */
static bool parse_call(struct parser *parser, unsigned *count)
{
    struct ptx_operand *operands = parser->operands;
    if (parser->token.kind == '(') {
        if (!operand_parse_list(parser, &operands[(*count)++]) || !expect(parser, ','))
            return false;
    }
    struct ptx_operand *callee = &operands[(*count)++];
    if (!operand_parse_symbol(parser, callee))
        return false;
    if (callee->kind != PTX_OPERAND_SYMBOL && callee->kind != PTX_OPERAND_REGISTER) {
        report(parser, "`%s` cannot be called", callee->text);
        return false;
    }
    if (accept(parser, ',')) {
        if (parser->token.kind == '(') {
            if (!operand_parse_list(parser, &operands[(*count)++]))
                return false;
            if (!accept(parser, ','))
                return true;
        }
        return operand_parse_prototype(parser, &operands[(*count)++]);
    }
    return true;
}

static bool parse_operands(struct parser *parser, const struct ptx_instruction *instruction,
                           unsigned *count)
{
    const char *at = ptx_op_info(instruction->op)->operands + instruction->form;
    struct operand_word word = {0};
    if (parser->token.kind == ';')
        return true;
    do {
        if (*count == LIMIT_OPERANDS)
            return too_many(parser);
        if (at != NULL && !word.repeated) {
            word.role = 0;
            at = operand_word(at, &word);
        }
        struct ptx_operand *operand = &parser->operands[(*count)++];
        if (!(word.role == 'l' ? operand_parse_label : operand_parse)(parser, operand))
            return false;
    } while (accept(parser, ','));
    return true;
}

/* ---- opaque instructions --------------------------------------------------------------------- */

static bool parse_opaque(struct parser *parser, unsigned *count)
{
    /* The first token has been read: a brace that opens there is counted already. */
    int32_t braces = parser->braces - (parser->token.kind == '{');
    while (parser->token.kind != ';') {
        int kind = parser->token.kind;
        if (kind == TOKEN_END || kind == TOKEN_BAD || kind == '@' || parser->braces < braces) {
            report(parser, "expected `;`, found %s", token_shown(parser));
            return false;
        }
        if (kind == TOKEN_NAME && *count < LIMIT_OPERANDS &&
            operand_parse_loose(parser, parser->token.name, &parser->operands[*count]))
            (*count)++;
        lexer_next(parser);
    }
    return true;
}

/* ---- interface ------------------------------------------------------------------------------- */

static bool parse_known(struct parser *parser, struct ptx_instruction *instruction, unsigned *count)
{
    instruction->form = operand_form(instruction);
    if (instruction->op == PTX_OP_call)
        return parse_call(parser, count);
    return parse_operands(parser, instruction, count);
}

bool instruction_parse(struct parser *parser, struct ptx_instruction *instruction, uint32_t opcode)
{
    struct open_uses mark = open_uses_mark(parser);
    unsigned count = 0;
    instruction->op = parser->names.data[opcode].op;
    bool known = instruction->op != PTX_OP_OPAQUE;
    bool good = parse_modifiers(parser, instruction, &known);
    if (good && !known) {
        struct ptx_instruction bare = {.op = PTX_OP_OPAQUE,
                                       .vector = 1,
                                       .guard = instruction->guard,
                                       .guard_negated = instruction->guard_negated,
                                       .location = instruction->location,
                                       .line = instruction->line,
                                       .text_offset = instruction->text_offset};
        *instruction = bare;
    }
    if (good)
        good = known ? parse_known(parser, instruction, &count) : parse_opaque(parser, &count);
    if (good)
        keep_operands(parser, instruction, count, mark);
    if (!good || !expect(parser, ';')) {
        parser->pending_labels.count = mark.labels;
        parser->pending_symbols.count = mark.symbols;
        return false;
    }
    instruction->text_size = parser->previous_end - instruction->text_offset;
    parser->module->opaque_count += !known;
    if (known)
        instruction_validate(parser,
                             instruction); /* a wrong one stays: what follows is read as usual */
    return true;
}
