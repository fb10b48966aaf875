/* SPDX-License-Identifier: Apache-2.0
 *
 * Undefined values: LW403.
 *
 * A load of bytes that nobody has written gives a poisoned register: which bytes of which lane, and the load.  Poison follows the value
 * through moves, selects, packing, conversions between integers, shuffles and memory, and is reported, at the load that brought it in, when it
 * reaches arithmetic, a branch, an address or memory that the host looks at; from then on the value counts as defined.
 * Frames without poison (nearly all) do not come here at all.
 */
#include "emu/emu_access.h"

enum { REFERENCES = 64 };

static uint32_t slot_number(uint32_t reference)
{
    return reference / EMU_SLOT;
}

static bool in_frame(uint32_t reference)
{
    return reference < EMU_REF_POOL;
}

static void frame_prepare(struct emu_frame *frame, struct arena *arena)
{
    uint32_t slots = frame->function->file_size / EMU_SLOT + 1;
    if (frame->poison == NULL) {
        frame->poison = ARENA_ARRAY(arena, uint32_t, slots);
        frame->origin = ARENA_ARRAY(arena, const struct emu_op *, slots);
        frame->origin_region = ARENA_ARRAY(arena, const struct emu_region *, slots);
        frame->poison_bytes = arena_alloc_array(arena, slots, EMU_LANES);
    }
    frame->has_poison = true;
}

void emu_poison_set(struct emu_warp *warp, uint32_t reference, uint32_t lane, uint8_t bytes, const struct emu_op *load,
                    const struct emu_region *region)
{
    struct emu_frame *frame = warp->frame;
    if (!in_frame(reference))
        return;
    if (!frame->has_poison)
        frame_prepare(frame, &warp->block->worker->arena);
    uint32_t slot = slot_number(reference);
    frame->poison[slot] |= 1u << lane;
    frame->poison_bytes[slot][lane] = bytes;
    frame->origin[slot] = load;
    frame->origin_region[slot] = region;
}

uint8_t emu_poison_get(const struct emu_frame *frame, uint32_t reference, uint32_t lane)
{
    if (!frame->has_poison || !in_frame(reference))
        return 0;
    uint32_t slot = slot_number(reference);
    return frame->poison[slot] >> lane & 1 ? frame->poison_bytes[slot][lane] : 0;
}

void emu_poison_clear(struct emu_frame *frame, uint32_t reference, uint32_t mask)
{
    if (frame->has_poison && in_frame(reference))
        frame->poison[slot_number(reference)] &= ~mask;
}

void emu_poison_report(struct emu_warp *warp, uint32_t reference, uint32_t lane)
{
    struct emu_frame *frame = warp->frame;
    uint32_t slot = slot_number(reference);
    const struct emu_op *load = frame->origin[slot];
    const struct emu_region *region = frame->origin_region[slot];
    frame->poison[slot] &= ~(1u << lane);
    struct emu_fault *fault = emu_fault_add(warp, FINDING_UNINIT_READ, frame->function, load, lane, region == NULL ? NULL : region->name,
                                            region == NULL ? UINT32_MAX : region->number);
    if (fault != NULL) {
        fault->access_size = ptx_type_size(load->source->type);
        fault->use = warp->frame->function->code[warp->pc].instruction;
    }
}

static void use(struct emu_warp *warp, uint32_t reference, uint32_t mask)
{
    if (!in_frame(reference))
        return;
    uint32_t poisoned = warp->frame->poison[slot_number(reference)] & mask;
    for (; poisoned != 0; poisoned &= poisoned - 1)
        emu_poison_report(warp, reference, (uint32_t)__builtin_ctz(poisoned));
}

void emu_poison_guard(struct emu_warp *warp, const struct emu_op *op, uint32_t lanes)
{
    use(warp, op->guard, lanes);
}

/* Sets lane `lane` of the destination from `bytes` undefined ones. */
static void carry(struct emu_warp *warp, uint32_t to, uint32_t lane, uint8_t bytes, uint32_t from)
{
    struct emu_frame *frame = warp->frame;
    if (bytes != 0)
        emu_poison_set(warp, to, lane, bytes, frame->origin[slot_number(from)], frame->origin_region[slot_number(from)]);
    else
        emu_poison_clear(warp->frame, to, 1u << lane);
}

/* mov with vectors: {a, b} -> d and back. */
static void carry_vector(struct emu_warp *warp, const struct emu_op *op, uint32_t lane)
{
    struct emu_frame *frame = warp->frame;
    unsigned part = op->list_size != 0 ? op->list_size : 4, count = op->list_count;
    if (op->a == EMU_REF_LIST) {
        unsigned bytes = 0;
        uint32_t origin = 0;
        for (unsigned i = 0; i < count; i++) {
            uint8_t some = emu_poison_get(frame, op->list[i], lane);
            if (some != 0)
                origin = op->list[i];
            bytes |= (unsigned)some << i * part;
        }
        carry(warp, op->dst, lane, (uint8_t)bytes, origin);
        return;
    }
    uint8_t bytes = emu_poison_get(frame, op->a, lane);
    for (unsigned i = 0; i < count; i++)
        if (op->list[i] != EMU_REF_NONE)
            carry(warp, op->list[i], lane, (uint8_t)(bytes >> i * part & ((1u << part) - 1)), op->a);
}

static void carry_value(struct emu_warp *warp, const struct emu_op *op, uint32_t lane)
{
    struct emu_frame *frame = warp->frame;
    uint32_t from = op->a;
    uint8_t bytes;
    switch (op->source->op) {
    case PTX_OP_selp:
        from = emu_predicate(warp, op, op->c, 2) >> lane & 1 ? op->a : op->b;
        bytes = emu_poison_get(frame, from, lane);
        break;
    case PTX_OP_cvt: {
        unsigned target = ptx_type_size(op->source->type), size = ptx_type_size(op->source->type2);
        bytes = emu_poison_get(frame, from, lane);
        if (size < 8)
            bytes &= (uint8_t)((1u << size) - 1);
        /* The sign fills the bytes above. */
        if (target > size && ptx_type_is_signed(op->source->type2) && bytes >> (size - 1) & 1)
            bytes |= (uint8_t)(0xffu << size);
        if (target < 8)
            bytes &= (uint8_t)((1u << target) - 1);
        break;
    }
    case PTX_OP_prmt: {
        uint8_t a = emu_poison_get(frame, op->a, lane), b = emu_poison_get(frame, op->b, lane);
        uint32_t selector = ((const uint32_t *)emu_slot(warp, op->c))[lane];
        unsigned pair = (a & 15u) | (b & 15u) << 4;
        bytes = 0;
        for (unsigned i = 0; i < 4; i++)
            bytes |= (uint8_t)((pair >> (selector >> 4 * i & 7) & 1) << i);
        if (a == 0)
            from = op->b;
        break;
    }
    default:
        bytes = emu_poison_get(frame, from, lane);
        break;
    }
    carry(warp, op->dst, lane, bytes, from);
}

static void step_sources(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const uint32_t sources[4] = {op->a, op->b, op->c, op->d};
    for (unsigned i = 0; i < 4; i++)
        if (sources[i] < EMU_REF_POOL)
            use(warp, sources[i], mask);
}

/* Memory operations look at the values they store themselves; here only their addresses are uses. */
static bool stores_values(const struct emu_op *op)
{
    return op->source->op == PTX_OP_st ||
           (op->source->op == PTX_OP_wmma && op->source->mode == PTX_MODE_STORE);
}

/* mma: of the list of registers the first operand's are results. */
static void step_matrix(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct ptx_operand *result = &op->source->operands[0];
    uint32_t results = result->kind == PTX_OPERAND_VECTOR ? result->count : 0;
    step_sources(warp, op, mask);
    for (uint32_t i = results; i < op->list_count; i++)
        if (op->list[i] < EMU_REF_POOL)
            use(warp, op->list[i], mask);
    for (uint32_t i = 0; i < results; i++)
        emu_poison_clear(warp->frame, op->list[i], mask);
    if (op->dst != EMU_REF_NONE)
        emu_poison_clear(warp->frame, op->dst, mask);
}

void emu_poison_step(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    if (op->source == NULL || op->kind == EMU_KIND_LABEL || op->kind == EMU_KIND_GATE || op->kind == EMU_KIND_CHECK)
        return;
    if (op->kind == EMU_KIND_HELPER) {
        emu_poison_clear(warp->frame, op->dst, mask);
        return;
    }
    const struct ptx_instruction *instruction = op->source;
    if (op->kind == EMU_KIND_LANES && op->copies && instruction->op != PTX_OP_shfl) {
        if (instruction->op == PTX_OP_selp)
            use(warp, op->c, mask);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            if (op->list_count != 0)
                carry_vector(warp, op, lane);
            else
                carry_value(warp, op, lane);
        }
        return;
    }
    if (stores_values(op)) {
        use(warp, op->a, mask);
        return;
    }
    if (op->kind == EMU_KIND_LANES && (ptx_op_info(instruction->op)->flags & PTX_FLAG_MATRIX) != 0) {
        step_matrix(warp, op, mask);
        return;
    }
    if (instruction->op == PTX_OP_call)
        return; /* arguments are copies: their poison lies in the parameter memory */
    step_sources(warp, op, mask);
    bool loads = (ptx_op_info(instruction->op)->flags & PTX_FLAG_LOAD) != 0;
    if (!loads)
        for (uint32_t i = 0; i < op->list_count && i < REFERENCES; i++)
            if (op->kind == EMU_KIND_LANES && op->list[i] < EMU_REF_POOL)
                use(warp, op->list[i], mask);
    if (op->dst != EMU_REF_NONE && !loads)
        emu_poison_clear(warp->frame, op->dst, mask);
    if (op->dst2 != EMU_REF_NONE)
        emu_poison_clear(warp->frame, op->dst2, mask);
}
