/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix fragments between memory and registers: wmma.load, wmma.store and ldmatrix (PTX ISA, Warp Level Matrix Instructions).
 *
 * Every element goes through the checks of an access of its own, by the lane that holds it (ldmatrix: each row by the lane that
 * gives its address, as one access of 16 bytes).  All lanes of the warp take part; the gate before the operation has seen to that.
 *
 * Limits: elements of at least one byte.  wmma is given one layout of its elements over the lanes, see matrix.h.
 */
#include "emu/emu_access.h"
#include "emu/matrix.h"

enum { REGISTERS = 16 }; /* of one fragment */

struct work {
    const uint32_t *registers;
    unsigned count;       /* registers a lane */
    unsigned bytes;       /* of one element */
    unsigned packed;      /* elements in one register */
    struct emu_matrix_size size;
    bool columns_first;   /* layout .col */
    uint64_t stride;      /* elements from one row (column) to the next */
};

/* ---- registers, lane by lane ------------------------------------------------------------------------ */

static uint64_t register_read(struct emu_warp *warp, const struct emu_op *op, uint32_t reference, unsigned lane)
{
    return op->list_size == 8 ? ((const uint64_t *)emu_slot(warp, reference))[lane]
                              : ((const uint32_t *)emu_slot(warp, reference))[lane];
}

static void register_write(struct emu_warp *warp, const struct emu_op *op, uint32_t reference, unsigned lane, uint64_t value,
                           uint8_t undefined)
{
    if (reference == EMU_REF_NONE)
        return;
    if (op->list_size == 8)
        ((uint64_t *)emu_slot(warp, reference))[lane] = value;
    else
        ((uint32_t *)emu_slot(warp, reference))[lane] = (uint32_t)value;
    if (undefined != 0 && !warp->block->worker->run->machine->options.no_init)
        emu_poison_set(warp, reference, lane, undefined, op, NULL);
    else if (warp->frame->has_poison)
        emu_poison_clear(warp->frame, reference, 1u << lane);
}

/* One bit for each of `bytes` bytes that was never written. */
static uint8_t undefined_bits(const uint8_t *shadow, unsigned bytes)
{
    uint8_t bits = 0;
    for (unsigned i = 0; shadow != NULL && i < bytes; i++)
        bits |= (uint8_t)((shadow[i] != 1) << i);
    return bits;
}

/* ---- wmma ----------------------------------------------------------------------------------------------- */

static unsigned element_bytes(enum ptx_type type)
{
    return type == PTX_TF32 ? 4 : ptx_type_size(type);
}

static bool describe(const struct ptx_instruction *instruction, const struct emu_op *op, struct work *work)
{
    bool is_load = instruction->mode == PTX_MODE_LOAD;
    enum emu_fragment fragment = instruction->mode2 == PTX_MODE_A   ? EMU_FRAGMENT_A
                                 : instruction->mode2 == PTX_MODE_B ? EMU_FRAGMENT_B
                                                                    : EMU_FRAGMENT_C;
    unsigned place = is_load ? 0 : 1; /* of the fragment among the operands */
    if (instruction->operand_count <= place || instruction->type == PTX_TYPE_NONE)
        return false;
    const struct ptx_operand *operand = &instruction->operands[place];
    bool is_vector = operand->kind == PTX_OPERAND_VECTOR;
    work->registers = is_vector ? op->list : is_load ? &op->dst : &op->b;
    work->count = is_vector ? operand->count : 1;
    work->bytes = element_bytes(instruction->type);
    work->packed = work->bytes >= 4 ? 1 : 4 / (work->bytes == 0 ? 4 : work->bytes);
    work->size = emu_matrix_size(fragment, instruction->shape);
    work->columns_first = instruction->layout == 2;
    work->stride = work->columns_first ? work->size.rows : work->size.columns;
    unsigned room = work->count * work->packed * EMU_LANES, needed = work->size.rows * work->size.columns;
    bool whole = instruction->type != PTX_U4 && instruction->type != PTX_S4 && instruction->type != PTX_B1;
    return whole && work->bytes != 0 && work->count <= REGISTERS && needed != 0 && room % needed == 0;
}

/* The stride operand, if there is one: the last source. */
static void take_stride(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, struct work *work)
{
    bool is_load = op->source->mode == PTX_MODE_LOAD;
    uint32_t reference = is_load ? op->b : op->c;
    if (reference != EMU_REF_NONE)
        work->stride = ((const uint32_t *)emu_slot(warp, reference))[__builtin_ctz(mask)];
}

static uint64_t element_offset(const struct work *work, unsigned lane, unsigned index)
{
    struct emu_matrix_place at = emu_matrix_wmma_place(work->size, work->count * work->packed, lane, index);
    uint64_t line = work->columns_first ? at.column : at.row, along = work->columns_first ? at.row : at.column;
    return (line * work->stride + along) * work->bytes;
}

/* Element `index` of a lane; false when the launch has to stop. */
static bool load_element(struct emu_warp *warp, const struct emu_op *op, const struct work *work, unsigned lane, uint64_t address,
                         uint64_t *value, uint8_t *undefined)
{
    uint8_t *shadow = NULL;
    struct emu_region *region = NULL;
    const char *from = emu_access_lane(warp, op, lane, address, work->bytes, false, &shadow, &region);
    *value = 0;
    *undefined = 0;
    if (from == NULL)
        return warp->block->state != EMU_BLOCK_ABORTED;
    emu_access_note(warp, op, lane, region, address, work->bytes, false, NULL);
    memcpy(value, from, work->bytes);
    *undefined = undefined_bits(shadow, work->bytes);
    return true;
}

/* A fragment as accesses of one element a lane, the first of them a request. */
static void count_fragment(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const struct work *work, const uint64_t *addresses)
{
    uint64_t at[EMU_LANES];
    if (warp->block->worker->tally == NULL)
        return;
    for (unsigned k = 0; k < work->count; k++) {
        for (unsigned lane = 0; lane < EMU_LANES; lane++)
            at[lane] = addresses[lane] + element_offset(work, lane, k * work->packed);
        emu_count_access(warp, op, mask, at, work->bytes * work->packed, k == 0);
    }
}

static enum emu_next run_wmma_load(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct work work = {0};
    uint64_t addresses[EMU_LANES];
    describe(op->source, op, &work);
    take_stride(warp, op, mask, &work);
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    count_fragment(warp, op, mask, &work, addresses);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned k = 0; k < work.count; k++) {
            uint64_t whole = 0;
            unsigned undefined = 0;
            for (unsigned i = 0; i < work.packed; i++) {
                uint64_t value;
                uint8_t bits;
                uint64_t address = addresses[lane] + element_offset(&work, lane, k * work.packed + i);
                if (!load_element(warp, op, &work, lane, address, &value, &bits))
                    return EMU_ABORT;
                whole |= value << 8 * work.bytes * i;
                undefined |= (unsigned)bits << work.bytes * i;
            }
            register_write(warp, op, work.registers[k], lane, whole, (uint8_t)undefined);
        }
    }
    return EMU_NEXT;
}

static enum emu_next run_wmma_store(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct work work = {0};
    uint64_t addresses[EMU_LANES];
    describe(op->source, op, &work);
    take_stride(warp, op, mask, &work);
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    count_fragment(warp, op, mask, &work, addresses);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (unsigned index = 0; index < work.count * work.packed; index++) {
            uint32_t reference = work.registers[index / work.packed];
            unsigned at = index % work.packed * work.bytes;
            uint64_t address = addresses[lane] + element_offset(&work, lane, index);
            uint64_t value = register_read(warp, op, reference, lane) >> 8 * at;
            uint8_t *shadow = NULL;
            struct emu_region *region = NULL;
            char *to = emu_access_lane(warp, op, lane, address, work.bytes, true, &shadow, &region);
            if (warp->block->state == EMU_BLOCK_ABORTED)
                return EMU_ABORT;
            if (to == NULL)
                continue;
            emu_access_note(warp, op, lane, region, address, work.bytes, true, &value);
            if (warp->block->worker->probing && memcmp(to, &value, work.bytes) != 0)
                warp->block->worker->changes++;
            memcpy(to, &value, work.bytes);
            uint8_t poison = warp->frame->has_poison ? emu_poison_get(warp->frame, reference, lane) : 0;
            if (poison != 0 && region->is_output) {
                emu_poison_report(warp, reference, lane);
                poison = 0;
            }
            for (unsigned i = 0; shadow != NULL && i < work.bytes; i++)
                shadow[i] = (poison >> (at + i) & 1) == 0;
        }
    }
    return EMU_NEXT;
}

/* ---- ldmatrix ------------------------------------------------------------------------------------------- */

static unsigned matrix_count(const struct ptx_instruction *instruction)
{
    const uint8_t modes[3] = {instruction->mode, instruction->mode2, instruction->mode3};
    for (unsigned i = 0; i < 3; i++)
        if (modes[i] >= PTX_MODE_X1 && modes[i] <= PTX_MODE_X4)
            return 1u << (modes[i] - PTX_MODE_X1);
    return 0;
}

static bool is_transposed(const struct ptx_instruction *instruction)
{
    return instruction->mode == PTX_MODE_TRANS || instruction->mode2 == PTX_MODE_TRANS || instruction->mode3 == PTX_MODE_TRANS;
}

struct matrix { /* 8 x 8 halves as they lie in memory; undefined: one bit a byte */
    uint16_t rows[8][8];
    uint8_t undefined[8][8];
};

/* Reads a row for the lane that gives its address; zeros where it cannot. */
static bool load_row(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint64_t address, uint16_t *row,
                     uint8_t *undefined)
{
    uint8_t *shadow = NULL;
    struct emu_region *region = NULL;
    const char *from = emu_access_lane(warp, op, lane, address, 16, false, &shadow, &region);
    if (from == NULL)
        return warp->block->state != EMU_BLOCK_ABORTED;
    emu_access_note(warp, op, lane, region, address, 16, false, NULL);
    memcpy(row, from, 16);
    for (unsigned i = 0; i < 8; i++)
        undefined[i] = undefined_bits(shadow == NULL ? NULL : shadow + 2 * i, 2);
    return true;
}

static enum emu_next run_ldmatrix(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t addresses[EMU_LANES];
    unsigned count = matrix_count(op->source);
    bool transposed = is_transposed(op->source);
    struct matrix matrices[4] = {0};
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    if (warp->block->worker->tally != NULL)
        emu_count_access(warp, op, mask & (uint32_t)((1ull << 8 * count) - 1), addresses, 16, true);
    for (unsigned lane = 0; lane < 8 * count; lane++) {
        struct matrix *matrix = &matrices[lane / 8];
        if ((mask >> lane & 1) != 0 &&
            !load_row(warp, op, lane, addresses[lane], matrix->rows[lane % 8], matrix->undefined[lane % 8]))
            return EMU_ABORT;
    }
    for (unsigned k = 0; k < count; k++) {
        uint32_t reference = op->list_count != 0 ? op->list[k] : op->dst;
        const struct matrix *matrix = &matrices[k];
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint32_t value = 0;
            unsigned undefined = 0;
            for (unsigned i = 0; i < 2; i++) {
                unsigned row = transposed ? lane % 4 * 2 + i : lane / 4, column = transposed ? lane / 4 : lane % 4 * 2 + i;
                value |= (uint32_t)matrix->rows[row][column] << 16 * i;
                undefined |= (unsigned)matrix->undefined[row][column] << 2 * i;
            }
            register_write(warp, op, reference, lane, value, (uint8_t)undefined);
        }
    }
    return EMU_NEXT;
}

/* ---- selection ------------------------------------------------------------------------------------------ */

emu_fn *emu_fragment_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    struct work work = {0};
    if (instruction->op == PTX_OP_ldmatrix) {
        unsigned count = matrix_count(instruction);
        bool fits = op->list_count != 0 ? op->list_count == count && op->list_size == 4 : count == 1 && op->dst_size == 4;
        return fits && instruction->type == PTX_B16 && instruction->shape >> 16 == 8 ? run_ldmatrix : NULL;
    }
    if (instruction->op != PTX_OP_wmma || (instruction->mode != PTX_MODE_LOAD && instruction->mode != PTX_MODE_STORE) ||
        (op->list_size != 4 && op->list_size != 8) || !describe(instruction, op, &work))
        return NULL;
    return instruction->mode == PTX_MODE_LOAD ? run_wmma_load : run_wmma_store;
}
