/* SPDX-License-Identifier: Apache-2.0
 *
 * An instruction against its row of ops.def: how many operands, of what form, registers of what width.  What passes can be
 * executed without looking at forms and widths again.  Types of equal width are not told apart, as ptxas does for .bNN.
 */
#include "ptx/parse.h"

#include <string.h>

struct check {
    struct parser *parser;
    const struct ptx_instruction *instruction;
    unsigned number; /* of the operand, from 1 */
};

static bool complain(const struct check *check, const char *what)
{
    const struct ptx_instruction *instruction = check->instruction;
    report_at(check->parser, instruction->text_offset, instruction->line, "operand %u of `%s` %s",
              check->number, ptx_op_info(instruction->op)->name, what);
    return false;
}

/* ---- number ---------------------------------------------------------------------------------- */

static bool check_count(const struct check *check, const char *list)
{
    const struct ptx_instruction *instruction = check->instruction;
    unsigned least = 0, most = 0;
    struct operand_word word;
    for (const char *at = list; (at = operand_word(at, &word)) != NULL;) {
        least += !word.optional;
        most += word.repeated ? LIMIT_OPERANDS : 1;
    }
    unsigned count = instruction->operand_count;
    if (count >= least && count <= most)
        return true;
    const char *name = ptx_op_info(instruction->op)->name;
    if (least == most)
        report_at(check->parser, instruction->text_offset, instruction->line,
                  "`%s` has %u operand%s here, not %u", name, least, least == 1 ? "" : "s", count);
    else if (most >= LIMIT_OPERANDS)
        report_at(check->parser, instruction->text_offset, instruction->line,
                  "`%s` has at least %u operands here, not %u", name, least, count);
    else
        report_at(check->parser, instruction->text_offset, instruction->line,
                  "`%s` has %u to %u operands here, not %u", name, least, most, count);
    return false;
}

/* ---- widths ---------------------------------------------------------------------------------- */

struct width {
    bool is_predicate;
    bool at_least;
    unsigned bits; /* 0: not checked */
};

static struct width wanted_width(const struct ptx_instruction *instruction, char letter)
{
    const uint8_t types[] = {instruction->type, instruction->type2, instruction->type3,
                             instruction->type4};
    unsigned type = letter >= '2' && letter <= '4' ? (unsigned)(letter - '1')
                    : letter == 'f'                ? 1
                                                   : 0;
    struct width width = {0};
    static const struct {
        char letter;
        uint8_t bits;
    } fixed[] = {{'h', 16}, {'i', 32}, {'g', 64}};
    if (letter == 'x')
        return width;
    if (letter == 'p')
        return (struct width){.is_predicate = true};
    for (size_t i = 0; i < COUNT_OF(fixed); i++)
        if (fixed[i].letter == letter)
            return (struct width){.bits = fixed[i].bits};
    if (types[type] == PTX_PRED)
        return (struct width){.is_predicate = true};
    width.bits = ptx_type_size(types[type]) * 8;
    width.at_least = letter == 'e' || letter == 'f';
    if (letter == 'w' && instruction->mode == PTX_MODE_WIDE)
        width.bits *= 2;
    /* add.f32.bf16 and the like: sources of the second type, on the newest targets only. */
    if (types[1] != PTX_TYPE_NONE && (letter == 0 || letter == 'w') &&
        instruction->op != PTX_OP_slct && instruction->op != PTX_OP_set)
        width.bits = 0;
    return width;
}

/* The word's width speaks of a type: it must have been written. */
static bool check_type(const struct check *check, const struct operand_word *word)
{
    const struct ptx_instruction *instruction = check->instruction;
    bool first = word->width == 0 || word->width == 'w' || word->width == 'e';
    bool second = word->width == '2' || word->width == 'f';
    if ((word->role != 'd' && word->role != 's') || (!first && !second))
        return true;
    if (instruction->type != PTX_TYPE_NONE && (first || instruction->type2 != PTX_TYPE_NONE))
        return true;
    report_at(check->parser, instruction->text_offset, instruction->line, "`%s` needs %s",
              ptx_op_info(instruction->op)->name, first ? "a type" : "two types");
    return false;
}

static bool check_register(const struct check *check, const struct ptx_operand *operand,
                           struct width width)
{
    enum ptx_type type = check->parser->function->registers.data[operand->id].type;
    if (width.is_predicate != (type == PTX_PRED) && (width.is_predicate || width.bits != 0))
        return complain(check,
                        width.is_predicate ? "must be a predicate" : "must not be a predicate");
    unsigned bits = ptx_type_size(type) * 8;
    if (width.is_predicate || width.bits == 0 || operand->component != 0 || bits == width.bits ||
        (width.at_least && bits > width.bits))
        return true;
    char what[64];
    snprintf(what, sizeof what, "must have %u bits, not %u", width.bits, bits);
    return complain(check, what);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static bool check_operand(const struct check *check, const struct ptx_operand *operand,
                          const struct operand_word *word);

/* Registers of matrix fragments have 32 bits, those of double-precision matrices 64. */
static bool check_matrix_element(const struct check *check, const struct ptx_operand *element)
{
    if (!(ptx_op_info(check->instruction->op)->flags & PTX_FLAG_MATRIX) ||
        element->kind != PTX_OPERAND_REGISTER)
        return true;
    return check_register(
        check, element, (struct width){.bits = check->instruction->type == PTX_F64 ? 64 : 32});
}

/* {a, b, ...}: with .vN one of the type each; otherwise the parts, all of one size, make up the whole. */
static bool check_vector(const struct check *check, const struct ptx_operand *operand,
                         const struct operand_word *word)
{
    const struct ptx_instruction *instruction = check->instruction;
    bool is_access = ptx_op_info(instruction->op)->groups >> PTX_GROUP_VECTOR & 1;
    struct operand_word element = {.role = word->role, .width = word->width, .in_vector = true};
    if (operand->count == 0)
        return complain(check, "is an empty vector");
    if (word->width == 'x' || word->role == 'u')
        element.width = 'x';
    else if (is_access && operand->count != instruction->vector)
        return complain(check, "does not have as many elements as the instruction moves");
    else if (!is_access && instruction->op != PTX_OP_mov)
        return complain(check, "must not be a vector");
    if (instruction->op != PTX_OP_mov) {
        for (uint32_t i = 0; i < operand->count; i++)
            if (!check_operand(check, &operand->elements[i], &element) ||
                !check_matrix_element(check, &operand->elements[i]))
                return false;
        return true;
    }
    unsigned bits = 0, known = 0;
    element.width = 'x';
    for (uint32_t i = 0; i < operand->count; i++) {
        const struct ptx_operand *part = &operand->elements[i];
        if (!check_operand(check, part, &element))
            return false;
        if (part->kind == PTX_OPERAND_REGISTER) {
            unsigned size = ptx_type_size(check->parser->function->registers.data[part->id].type) * 8;
            if (known != 0 && size * known != bits)
                return complain(check, "has registers of several sizes");
            bits += size;
            known++;
        }
    }
    unsigned whole = ptx_type_size(instruction->type) * 8;
    if ((known == operand->count && bits != whole) || bits > whole || whole % operand->count != 0)
        return complain(check, "does not have as many bits as the type");
    return true;
}

static bool check_address(const struct check *check, const struct ptx_operand *operand,
                          const struct operand_word *word)
{
    if (word->role != 't' && operand->count != 0 && check->instruction->op != PTX_OP_cp)
        return complain(check, "must not have coordinates");
    if (operand->id == PTX_NONE)
        return true;
    enum ptx_type type = check->parser->function->registers.data[operand->id].type;
    if (type == PTX_PRED || ptx_type_size(type) < 4 || ptx_type_size(type) > 8)
        return complain(check, "needs an address of 32 or 64 bits");
    return true;
}

/* Does a register stand where .vN moves a vector? */
static bool is_lone(const struct check *check, const struct operand_word *word)
{
    return check->instruction->vector > 1 && (word->width == 0 || word->width == 'e');
}

/* Parts of registers belong to the video instructions: the vset family, and the only ones with three types. */
static bool has_parts(const struct ptx_instruction *instruction)
{
    return instruction->type3 != PTX_TYPE_NONE || instruction->op == PTX_OP_vset ||
           instruction->op == PTX_OP_vset2 || instruction->op == PTX_OP_vset4;
}

static bool check_destination(const struct check *check, const struct ptx_operand *operand,
                              const struct operand_word *word)
{
    switch (operand->kind) {
    case PTX_OPERAND_SINK:
        return true;
    case PTX_OPERAND_REGISTER:
        if (operand->negated)
            return complain(check, "is a destination and cannot be negated");
        if (operand->component != 0 && !has_parts(check->instruction))
            return complain(check, "cannot select a part of a register");
        return check_register(check, operand, wanted_width(check->instruction, word->width));
    case PTX_OPERAND_VECTOR:
        return check_vector(check, operand, word);
    default:
        return complain(check, "is a destination and must be a register");
    }
}

static bool check_source(const struct check *check, const struct ptx_operand *operand,
                         const struct operand_word *word)
{
    struct width width = wanted_width(check->instruction, word->width);
    /* bar.red: the number of threads, or the predicate where there is none */
    bool predicate = width.is_predicate ||
                     (word->width == 'x' && operand->kind == PTX_OPERAND_REGISTER &&
                      check->parser->function->registers.data[operand->id].type == PTX_PRED);
    if (operand->negated && !predicate)
        return complain(check, "cannot be negated: it is not a predicate");
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        if (operand->component != 0 && !has_parts(check->instruction))
            return complain(check, "cannot select a part of a register");
        return check_register(check, operand, width);
    case PTX_OPERAND_VECTOR:
        return check_vector(check, operand, word);
    case PTX_OPERAND_SINK: /* a lane of a vector that is not stored */
    case PTX_OPERAND_ADDRESS:
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_LIST:
        return complain(check, "must be a register or a value");
    default:
        return true;
    }
}

static bool check_operand(const struct check *check, const struct ptx_operand *operand,
                          const struct operand_word *word)
{
    bool has_pair = operand->pair != PTX_NONE;
    if (has_pair && !word->pair)
        return complain(check, "cannot have a second destination");
    if (has_pair && check->parser->function->registers.data[operand->pair].type != PTX_PRED)
        return complain(check, "must have a predicate as second destination");
    if (!word->in_vector && is_lone(check, word) && (word->role == 'd' || word->role == 's') &&
        operand->kind != PTX_OPERAND_VECTOR && operand->kind != PTX_OPERAND_SINK)
        return complain(check, "must be a vector in braces");
    switch (word->role) {
    case 'd':
    case 'b':
        return check_destination(check, operand, word);
    case 's':
        return check_source(check, operand, word);
    case 'm':
    case 't':
        if (operand->kind != PTX_OPERAND_ADDRESS)
            return complain(check, "must be an address in brackets");
        return check_address(check, operand, word);
    default: /* u: anything; l: the parser saw to it */
        return operand->kind != PTX_OPERAND_ADDRESS || check_address(check, operand, word);
    }
}

/* ---- calls and branches ---------------------------------------------------------------------- */

static void check_call(struct check *check)
{
    const struct ptx_instruction *instruction = check->instruction;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind != PTX_OPERAND_REGISTER)
            continue;
        check->number = i + 1;
        if (ptx_type_size(check->parser->function->registers.data[operand->id].type) != 8)
            complain(check, "is called and must have 64 bits");
    }
}

static bool check_branch(const struct check *check)
{
    const struct ptx_instruction *instruction = check->instruction;
    const struct ptx_operand *last = &instruction->operands[instruction->operand_count - 1];
    bool wants_list = instruction->op == PTX_OP_brx;
    if (wants_list && last->kind != PTX_OPERAND_LIST)
        return complain(check, "must be the name of a `.branchtargets` list declared before");
    if (!wants_list && last->kind == PTX_OPERAND_LIST)
        return complain(check, "must be a label");
    return true;
}

static bool check_operands(struct check *check)
{
    const struct ptx_instruction *instruction = check->instruction;
    const char *at = ptx_op_info(instruction->op)->operands + instruction->form;
    if (!check_count(check, at))
        return false;
    struct operand_word word = {0};
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        check->number = i + 1;
        if (!word.repeated)
            at = operand_word(at, &word);
        if (!check_type(check, &word) || !check_operand(check, &instruction->operands[i], &word))
            return false;
    }
    bool is_branch = instruction->op == PTX_OP_bra || instruction->op == PTX_OP_brx;
    return !is_branch || check_branch(check);
}

void instruction_validate(struct parser *parser, const struct ptx_instruction *instruction)
{
    struct check check = {.parser = parser, .instruction = instruction};
    if (instruction->op == PTX_OP_call)
        check_call(&check);
    else
        check_operands(&check);
}
