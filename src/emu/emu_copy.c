/* SPDX-License-Identifier: Apache-2.0
 *
 * cp.async: copies of 4, 8 or 16 bytes from global to shared memory that run beside the thread (PTX ISA, cp.async).
 *
 * The source is read, and both addresses are checked, when the copy starts.  The bytes land when the same thread waits for them; until
 * then the destination counts as never written, so a kernel that reads too early, or whose other threads read behind a barrier that came
 * before the wait, is told so (LW403) and does not pass by luck.  For races the copy writes when it starts.
 *
 * Limits: cp.async.bulk and cp.async.mbarrier are not executed.
 */
#include "emu/emu_access.h"

struct emu_copy {
    char *to;
    uint8_t *shadow;    /* of the destination, or NULL */
    uint32_t group;     /* number of the thread's group that it belongs to */
    uint16_t undefined; /* bytes of the source that were never written, one bit each */
    uint8_t lane, size;
    char data[16];
};

/* Copies of one warp that have not landed, in the order of their start. */
struct emu_copies {
    VEC(struct emu_copy) pending;
    uint32_t committed[EMU_LANES]; /* groups that each thread has closed */
};

static struct emu_copies *copies_of(struct emu_warp *warp)
{
    if (warp->copies == NULL)
        warp->copies = ARENA_NEW(&warp->block->worker->arena, struct emu_copies);
    return warp->copies;
}

void emu_copy_start(struct emu_warp *warp)
{
    if (warp->copies == NULL)
        return;
    warp->copies->pending.count = 0;
    memset(warp->copies->committed, 0, sizeof warp->copies->committed);
}

/* ---- starting ------------------------------------------------------------------------------------------ */

/* Bytes to read from the source: the fourth operand, where it is a number, or a predicate that says to read nothing. */
static uint32_t source_size(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint32_t size)
{
    if (op->d == EMU_REF_NONE || op->source->operand_count < 4)
        return size;
    const struct ptx_operand *operand = &op->source->operands[3];
    if (operand->kind == PTX_OPERAND_REGISTER) {
        const struct ptx_function *function = warp->frame->function->source;
        enum ptx_type type = function->registers.data[operand->id].type;
        if (type == PTX_PRED)
            return emu_predicate(warp, op, op->d, 3) >> lane & 1 ? 0 : size;
        if (ptx_type_size(type) == 8) /* a cache policy */
            return size;
    }
    uint32_t wanted = ((const uint32_t *)emu_slot(warp, op->d))[lane];
    return wanted < size ? wanted : size;
}

/* Reads the source into the copy; what is not read is zero.  False when the launch has to stop. */
static bool read_source(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint64_t address, uint32_t wanted,
                        struct emu_copy *copy)
{
    /* A part of the size is read byte by byte, after the test that the whole is aligned. */
    bool whole = wanted == copy->size || (wanted != 0 && (address & (copy->size - 1u)) != 0);
    uint32_t step = whole ? copy->size : 1;
    for (uint32_t at = 0; at < (whole ? copy->size : wanted); at += step) {
        uint8_t *shadow = NULL;
        struct emu_region *region = NULL;
        const char *from = emu_access_lane(warp, op, lane, address + at, step, false, &shadow, &region);
        if (warp->block->state == EMU_BLOCK_ABORTED)
            return false;
        if (from == NULL)
            continue;
        emu_access_note(warp, op, lane, region, address + at, step, false, NULL);
        memcpy(copy->data + at, from, step);
        for (uint32_t i = 0; shadow != NULL && i < step; i++)
            copy->undefined |= (uint16_t)((shadow[i] != 1) << (at + i));
    }
    return true;
}

static enum emu_next run_copy(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_copies *copies = copies_of(warp);
    uint64_t to[EMU_LANES], from[EMU_LANES];
    /* op->immediate is the offset of the second address, extra[0..1] that of the first. */
    struct emu_op first = *op;
    memcpy(&first.immediate, op->extra, sizeof first.immediate);
    emu_access_addresses(warp, &first, op->a, op->a_size, PTX_SPACE_SHARED, to);
    emu_access_addresses(warp, op, op->b, op->b_size, PTX_SPACE_GLOBAL, from);
    uint8_t size = (uint8_t)op->source->operands[2].value;
    if (warp->block->worker->tally != NULL) {
        emu_count_access(warp, op, mask, from, size, true);
        emu_count_access(warp, op, mask, to, size, false);
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct emu_copy copy = {.lane = (uint8_t)lane, .size = size, .group = copies->committed[lane]};
        struct emu_region *region = NULL;
        if (!read_source(warp, op, lane, from[lane], source_size(warp, op, lane, size), &copy))
            return EMU_ABORT;
        copy.to = emu_access_lane(warp, op, lane, to[lane], size, true, &copy.shadow, &region);
        if (warp->block->state == EMU_BLOCK_ABORTED)
            return EMU_ABORT;
        if (copy.to == NULL)
            continue;
        emu_access_note(warp, op, lane, region, to[lane], size, true, copy.data);
        if (copy.shadow != NULL)
            memset(copy.shadow, 0, size);
        *vec_push(&warp->block->worker->arena, &copies->pending) = copy;
    }
    return EMU_NEXT;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

static void land(struct emu_warp *warp, const struct emu_copy *copy)
{
    if (warp->block->worker->probing && memcmp(copy->to, copy->data, copy->size) != 0)
        warp->block->worker->changes++;
    memcpy(copy->to, copy->data, copy->size);
    for (uint32_t i = 0; copy->shadow != NULL && i < copy->size; i++)
        copy->shadow[i] = (copy->undefined >> i & 1) == 0;
}

/* The copies of the lanes of `mask` land, but for those of the last `keep` closed groups and, if `keep_open`, of the open one. */
static void complete(struct emu_warp *warp, uint32_t mask, uint32_t keep, bool keep_open)
{
    struct emu_copies *copies = copies_of(warp);
    uint32_t left = 0;
    for (uint32_t i = 0; i < copies->pending.count; i++) {
        struct emu_copy copy = copies->pending.data[i];
        uint32_t closed = copies->committed[copy.lane];
        bool lands = copy.group >= closed ? !keep_open : closed - copy.group > keep;
        if ((mask >> copy.lane & 1) != 0 && lands)
            land(warp, &copy);
        else
            copies->pending.data[left++] = copy;
    }
    copies->pending.count = left;
}

static enum emu_next run_commit(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_copies *copies = copies_of(warp);
    (void)op;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
        copies->committed[__builtin_ctz(rest)]++;
    return EMU_NEXT;
}

static enum emu_next run_wait_group(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    int64_t keep = op->source->operands[0].value;
    complete(warp, mask, keep < 0 ? 0 : keep > UINT32_MAX ? UINT32_MAX : (uint32_t)keep, true);
    return EMU_NEXT;
}

static enum emu_next run_wait_all(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    (void)op;
    complete(warp, mask, 0, false);
    return EMU_NEXT;
}

emu_fn *emu_copy_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    (void)op;
    if (instruction->op != PTX_OP_cp || (instruction->flags & PTX_MODIFIER_ASYNC) == 0)
        return NULL;
    switch (instruction->mode) {
    case PTX_MODE_COMMIT_GROUP: return run_commit;
    case PTX_MODE_WAIT_ALL: return run_wait_all;
    case PTX_MODE_WAIT_GROUP:
        return instruction->operand_count == 1 && instruction->operands[0].kind == PTX_OPERAND_INTEGER ? run_wait_group : NULL;
    case PTX_MODE_NONE: break;
    default: return NULL;
    }
    if (instruction->space != PTX_SPACE_SHARED || instruction->space2 != PTX_SPACE_GLOBAL || instruction->operand_count < 3 ||
        instruction->operands[2].kind != PTX_OPERAND_INTEGER)
        return NULL;
    int64_t size = instruction->operands[2].value;
    return size == 4 || size == 8 || size == 16 ? run_copy : NULL;
}
