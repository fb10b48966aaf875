/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions of a kernel and of what it calls, their kinds, and the source lines that they stand for.
 *
 * An instruction without a line takes that of the next one in its block that has one, then of the one before.  A file without line
 * information is its own source: places are lines of the PTX.
 */
#include "cost/build.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts -------------------------------------------------------------------------------------------------- */

static void add_part(struct cost_builder *builder, uint32_t function)
{
    if (builder->part_of[function] != COST_NONE || !builder->module->functions.data[function].has_body)
        return;
    builder->part_of[function] = builder->parts.count;
    *vec_push(builder->arena, &builder->parts) = (struct cost_part){.function = function};
}

static const char *instruction_text(struct arena *arena, const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    const char *from = module->text + instruction->text_offset;
    char *text = arena_text(arena, from, instruction->text_size), *to = text;
    for (const char *at = text; *at != '\0'; at++) { /* one blank for any number of them */
        bool blank = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r';
        if (!blank)
            *to++ = *at;
        else if (to != text && to[-1] != ' ')
            *to++ = ' ';
    }
    *to = '\0';
    return text;
}

static struct place user_place(const struct ptx_module *module, const struct ptx_instruction *instruction)
{
    const struct ptx_location *location = ptx_user_location(module, instruction->location);
    if (location == NULL || location->line == 0)
        return (struct place){0};
    return (struct place){.file = ptx_file_path(module, location->file), .line = location->line, .column = location->column};
}

/* Instructions without a line take a neighbour's. */
static void fill_places(struct cost_builder *builder, const struct cost_part *part)
{
    const struct ptx_module *module = builder->module;
    struct place none = {0}, *last = &none;
    bool has_any = false;
    for (uint32_t i = 0; i < part->count; i++)
        has_any |= cost_at(builder, part, i)->place.line != 0;
    if (!has_any) {
        for (uint32_t i = 0; i < part->count; i++)
            cost_at(builder, part, i)->place = (struct place){.file = module->name, .line = cost_at(builder, part, i)->ptx_line};
        return;
    }
    for (uint32_t i = part->count; i-- > 0;) {
        struct place *place = &cost_at(builder, part, i)->place;
        bool same_block = i + 1 < part->count && part->cfg->block_of_instruction[i] == part->cfg->block_of_instruction[i + 1];
        if (place->line == 0 && same_block)
            *place = *last;
        last = place;
    }
    for (uint32_t i = 0; i < part->count; i++) {
        struct place *place = &cost_at(builder, part, i)->place;
        if (place->line == 0)
            *place = i != 0 ? *last : builder->input->place;
        last = place;
    }
}

void cost_read_code(struct cost_builder *builder)
{
    const struct ptx_module *module = builder->module;
    struct cost_result *result = builder->result;
    builder->part_of = ARENA_ARRAY(builder->arena, uint32_t, module->functions.count + 1);
    memset(builder->part_of, 0xff, (module->functions.count + 1) * sizeof *builder->part_of);
    add_part(builder, result->function);
    for (uint32_t p = 0; p < builder->parts.count; p++) {
        uint32_t function = builder->parts.data[p].function;
        const struct ptx_function *source = &module->functions.data[function];
        builder->parts.data[p].first = result->instructions.count;
        builder->parts.data[p].count = source->instructions.count;
        builder->parts.data[p].cfg = ir_cfg_build(builder->arena, module, function);
        for (uint32_t i = 0; i < source->instructions.count; i++) {
            const struct ptx_instruction *instruction = &source->instructions.data[i];
            *vec_push(builder->arena, &result->instructions) = (struct cost_instruction){
                .function = function,
                .index = i,
                .ptx_line = instruction->line,
                .place = user_place(module, instruction),
                .text = instruction_text(builder->arena, module, instruction),
                .reach = COST_CLASS_UNKNOWN,
                .guard = COST_CLASS_UNKNOWN,
                .is_guarded = instruction->guard != PTX_NONE,
                .line = COST_NONE,
                .branch = COST_NONE,
                .loop = COST_NONE,
            };
            uint32_t callee = instruction->op == PTX_OP_call ? ir_call_target(module, instruction) : PTX_NONE;
            if (callee != PTX_NONE)
                add_part(builder, callee);
        }
        fill_places(builder, &builder->parts.data[p]);
    }
    builder->spaces = ARENA_ARRAY(builder->arena, uint8_t, result->instructions.count + 1);
}

/* ---- kinds ---------------------------------------------------------------------------------------------------- */

static const struct kind_row {
    uint16_t op;
    uint8_t kind;
} kind_rows[] = {
    {PTX_OP_mov, COST_MOVE},        {PTX_OP_selp, COST_MOVE},     {PTX_OP_slct, COST_MOVE},     {PTX_OP_cvta, COST_MOVE},
    {PTX_OP_prmt, COST_INTEGER},    {PTX_OP_set, COST_COMPARE},   {PTX_OP_setp, COST_COMPARE},  {PTX_OP_testp, COST_COMPARE},
    {PTX_OP_isspacep, COST_COMPARE}, {PTX_OP_cvt, COST_CONVERT},  {PTX_OP_sin, COST_SPECIAL},   {PTX_OP_cos, COST_SPECIAL},
    {PTX_OP_ex2, COST_SPECIAL},     {PTX_OP_lg2, COST_SPECIAL},   {PTX_OP_tanh, COST_SPECIAL},  {PTX_OP_rcp, COST_SPECIAL},
    {PTX_OP_sqrt, COST_SPECIAL},    {PTX_OP_rsqrt, COST_SPECIAL}, {PTX_OP_div, COST_SPECIAL},   {PTX_OP_rem, COST_SPECIAL},
    {PTX_OP_call, COST_CALL},       {PTX_OP_cp, COST_GLOBAL_LOAD}, {PTX_OP_prefetch, COST_OTHER}, {PTX_OP_prefetchu, COST_OTHER},
    {PTX_OP_OPAQUE, COST_OTHER},    {PTX_OP_nanosleep, COST_OTHER}, {PTX_OP_brkpt, COST_OTHER}, {PTX_OP_pmevent, COST_OTHER},
};

static enum cost_kind access_kind(enum ptx_space space, bool is_store)
{
    switch (space) {
    case PTX_SPACE_PARAM: return COST_PARAMETER;
    case PTX_SPACE_SHARED: return is_store ? COST_SHARED_STORE : COST_SHARED_LOAD;
    case PTX_SPACE_LOCAL: return is_store ? COST_LOCAL_STORE : COST_LOCAL_LOAD;
    case PTX_SPACE_CONST: return COST_CONSTANT_LOAD;
    default: return is_store ? COST_GLOBAL_STORE : COST_GLOBAL_LOAD;
    }
}

static enum cost_kind kind_of(const struct ptx_instruction *instruction, enum ptx_space found)
{
    static const struct {
        uint32_t flag;
        uint8_t kind;
    } by_flag[] = {{PTX_FLAG_MATRIX, COST_MATRIX},   {PTX_FLAG_TEXTURE, COST_TEXTURE}, {PTX_FLAG_ATOMIC, COST_ATOMIC},
                   {PTX_FLAG_WARP_SYNC, COST_WARP},  {PTX_FLAG_BARRIER, COST_BARRIER}, {PTX_FLAG_FENCE, COST_FENCE},
                   {PTX_FLAG_BRANCH, COST_BRANCH}};
    enum ptx_space space = instruction->space != PTX_SPACE_NONE ? (enum ptx_space)instruction->space : found;
    if (instruction->op == PTX_OP_ld || instruction->op == PTX_OP_ldu || instruction->op == PTX_OP_st)
        return access_kind(space, instruction->op == PTX_OP_st);
    for (unsigned i = 0; i < COUNT_OF(kind_rows); i++)
        if (kind_rows[i].op == instruction->op)
            return (enum cost_kind)kind_rows[i].kind;
    uint32_t flags = ptx_op_info((enum ptx_op)instruction->op)->flags;
    if ((flags & PTX_FLAG_BARRIER) != 0 && instruction->mode == PTX_MODE_WARP)
        return COST_WARP;
    for (unsigned i = 0; i < COUNT_OF(by_flag); i++)
        if ((flags & by_flag[i].flag) != 0)
            return (enum cost_kind)by_flag[i].kind;
    if (instruction->type == PTX_F64)
        return COST_DOUBLE;
    return ptx_type_is_float((enum ptx_type)instruction->type) ? COST_FLOAT : COST_INTEGER;
}

void cost_name_kinds(struct cost_builder *builder)
{
    struct cost_result *result = builder->result;
    for (uint32_t i = 0; i < result->instructions.count; i++)
        result->instructions.data[i].kind =
            kind_of(cost_source(builder, &result->instructions.data[i]), (enum ptx_space)builder->spaces[i]);
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */


static int compare_files(const char *a, const char *b, const char *first)
{
    int result = strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
    if (result == 0 || first == NULL)
        return result;
    bool a_first = a != NULL && strcmp(a, first) == 0, b_first = b != NULL && strcmp(b, first) == 0;
    return a_first != b_first ? (a_first ? -1 : 1) : result;
}

struct located {
    const char *file, *first_file;
    uint32_t line, instruction;
};

static int compare_located(const void *a, const void *b)
{
    const struct located *x = a, *y = b;
    int files = compare_files(x->file, y->file, x->first_file);
    if (files != 0)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->instruction < y->instruction ? -1 : 1;
}

/* Reads lines of a text in ascending order. */
struct line_reader {
    const char *at; /* NULL: past the last, or no text */
    uint32_t line;
};

static const char *line_text(struct arena *arena, struct line_reader *reader, uint32_t line)
{
    while (reader->at != NULL && reader->line < line) {
        reader->at = strchr(reader->at, '\n');
        reader->at = reader->at == NULL ? NULL : reader->at + 1;
        reader->line++;
    }
    if (reader->at == NULL || line == 0)
        return NULL;
    return arena_text(arena, reader->at, strcspn(reader->at, "\r\n"));
}

static const char *source_of(const struct cost_builder *builder, const char *file)
{
    if (file == NULL)
        return NULL;
    if (strcmp(file, builder->module->name) == 0)
        return builder->module->text;
    return builder->input->read_source == NULL ? NULL : builder->input->read_source(builder->input->context, file);
}

static void add_to_line(struct cost_builder *builder, struct cost_line *line, uint32_t number, uint32_t index)
{
    struct cost_instruction *instruction = &builder->result->instructions.data[index];
    instruction->line = number;
    line->instructions++;
    line->kinds[instruction->kind]++;
    if (line->instructions == 1 || instruction->reach > line->reach)
        line->reach = instruction->reach;
    if (line->loop == COST_NONE ||
        (instruction->loop != COST_NONE && builder->result->loops.data[instruction->loop].depth > builder->result->loops.data[line->loop].depth))
        line->loop = instruction->loop;
    if (instruction->branch == COST_NONE)
        return;
    const struct cost_branch *branches = builder->result->branches.data;
    if (line->branch == COST_NONE || branches[instruction->branch].longest > branches[line->branch].longest)
        line->branch = instruction->branch;
}

void cost_read_lines(struct cost_builder *builder)
{
    struct cost_result *result = builder->result;
    uint32_t count = result->instructions.count;
    struct located *located = ARENA_ARRAY(builder->arena, struct located, count + 1);
    const char *file = NULL;
    struct line_reader reader = {NULL, 1};
    for (uint32_t i = 0; i < count; i++) {
        const struct place *place = &result->instructions.data[i].place;
        located[i] = (struct located){place->file, result->place.file, place->line, i};
    }
    if (count != 0)
        qsort(located, count, sizeof *located, compare_located);
    struct cost_line *line = NULL;
    for (uint32_t i = 0; i < count; i++) {
        bool same_file = i != 0 && compare_files(file, located[i].file, NULL) == 0;
        if (!same_file) {
            file = located[i].file;
            reader = (struct line_reader){source_of(builder, file), 1};
        }
        if (line == NULL || !same_file || line->place.line != located[i].line) {
            line = vec_push(builder->arena, &result->lines);
            *line = (struct cost_line){.place = {.file = file, .line = located[i].line},
                                       .text = line_text(builder->arena, &reader, located[i].line),
                                       .first = located[i].instruction,
                                       .branch = COST_NONE,
                                       .loop = COST_NONE};
        }
        add_to_line(builder, line, result->lines.count - 1, located[i].instruction);
    }
}
