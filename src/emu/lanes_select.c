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

static emu_fn *select_row(const struct lanes_row *row, const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (row->select)
        return row->select(instruction, op);
    const bool exact = row->mode == instruction->mode && row->round == instruction->round && row->flags == instruction->flags;
    const bool simple = instruction->mode2 == PTX_MODE_NONE && instruction->type2 == PTX_TYPE_NONE;
    return exact && simple ? row->by_type[instruction->type] : NULL;
}

emu_fn *LANES(emu_lanes_select)(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        for (const struct lanes_row *row = families[i]; row->by_type || row->select; row++) {
            emu_fn *run = row->op == instruction->op ? select_row(row, instruction, op) : NULL;
            if (run)
                return run;
        }
    }
    return NULL;
}
