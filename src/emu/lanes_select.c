/* SPDX-License-Identifier: Apache-2.0
 *
 * The selector: from an instruction to its lane operation, by the rows that the families export.  Runs once for each instruction when
 * a kernel is decoded.
 */
#include "emu/lanes_kit.h"

#define FAMILIES(X) X(integer) X(logic) X(compare) X(move) X(float) X(convert) X(approx) X(half) X(warp) X(matrix) X(video)

#define DECLARE(family) extern const struct lanes_row LANES(lanes_##family##_rows)[];
FAMILIES(DECLARE)

#define LIST(family) LANES(lanes_##family##_rows),
static const struct lanes_row *const families[] = {FAMILIES(LIST)};

/* A second type changes the widths of operands; only these instructions have one. */
static bool takes_types(const struct ptx_instruction *instruction)
{
    static const uint16_t several[] = {PTX_OP_set, PTX_OP_slct, PTX_OP_cvt, PTX_OP_dp4a, PTX_OP_dp2a, PTX_OP_mma, PTX_OP_wmma};
    if (instruction->type2 == PTX_TYPE_NONE || (instruction->op >= PTX_OP_vadd && instruction->op <= PTX_OP_vset4))
        return true;
    for (size_t i = 0; i < COUNT_OF(several); i++)
        if (several[i] == instruction->op)
            return true;
    return false;
}

/* `_` as the (first) destination: only where there may be a second one. */
static bool takes_sink(const struct ptx_instruction *instruction)
{
    static const uint16_t known[] = {PTX_OP_setp, PTX_OP_lop3, PTX_OP_shfl, PTX_OP_match, PTX_OP_elect};
    if (instruction->operand_count == 0 || instruction->operands[0].kind != PTX_OPERAND_SINK)
        return true;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i] == instruction->op)
            return true;
    return false;
}

/* Every written source was decoded. */
static bool has_sources(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    const uint32_t sources[4] = {op->a, op->b, op->c, op->d};
    for (unsigned i = 1; i < instruction->operand_count && i <= 4; i++)
        if (sources[i - 1] == EMU_REF_NONE && instruction->operands[i].kind != PTX_OPERAND_VECTOR)
            return false;
    return true;
}

static emu_fn *select_row(const struct lanes_row *row, const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (row->select)
        return row->select(instruction, op);
    const bool exact = row->mode == instruction->mode && row->round == instruction->round && row->flags == instruction->flags;
    return exact && instruction->mode2 == PTX_MODE_NONE ? row->by_type[instruction->type] : NULL;
}

emu_fn *LANES(emu_lanes_select)(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (!takes_types(instruction) || !takes_sink(instruction) || !has_sources(instruction, op))
        return NULL;
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        for (const struct lanes_row *row = families[i]; row->by_type || row->select; row++) {
            emu_fn *run = row->op == instruction->op ? select_row(row, instruction, op) : NULL;
            if (run)
                return run;
        }
    }
    return NULL;
}
