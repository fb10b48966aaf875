/* SPDX-License-Identifier: Apache-2.0
 *
 * atom and red: one lane after the other, in lane order.
 *
 * When several threads of the host run blocks at once, an update of global memory is a compare-and-swap on the host.  That happens only
 * where the outcome does not depend on the order (integer add, min, max, and, or, xor whose old value nobody uses); launches with other
 * atomics run their blocks in order (emu_launch.c).
 */
#include "emu/emu_access.h"
#include "emu/lanes_half.h"

/* ---- what an operation does to a value ---------------------------------------------------------------- */

static uint64_t signed_value(uint64_t value, uint32_t size)
{
    return (uint64_t)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
}

static uint64_t integer_update(enum ptx_operation operation, bool is_signed, uint32_t size, uint64_t old, uint64_t b, uint64_t c)
{
    uint64_t x = is_signed ? signed_value(old, size) : old, y = is_signed ? signed_value(b, size) : b;
    switch (operation) {
    case PTX_OPERATION_AND: return old & b;
    case PTX_OPERATION_OR: return old | b;
    case PTX_OPERATION_XOR: return old ^ b;
    case PTX_OPERATION_ADD: return old + b;
    case PTX_OPERATION_MIN: return is_signed ? ((int64_t)x < (int64_t)y ? old : b) : (x < y ? old : b);
    case PTX_OPERATION_MAX: return is_signed ? ((int64_t)x > (int64_t)y ? old : b) : (x > y ? old : b);
    case PTX_OPERATION_EXCH: return b;
    case PTX_OPERATION_CAS: return old == b ? c : old;
    case PTX_OPERATION_INC: return old >= b ? 0 : old + 1;
    case PTX_OPERATION_DEC: return old == 0 || old > b ? b : old - 1;
    default: return old;
    }
}

static uint32_t flush(uint32_t bits)
{
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

/* atom.add.f32 on global memory flushes subnormals; on shared memory it does not (PTX ISA, "atom"). */
static uint64_t float_add(uint64_t old, uint64_t b, bool flushes)
{
    uint32_t x = (uint32_t)old, y = (uint32_t)b;
    if (flushes) {
        x = flush(x);
        y = flush(y);
    }
    uint32_t bits = lanes_bits32(lanes_float32(x) + lanes_float32(y));
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fffffffu;
    return flushes ? flush(bits) : bits;
}

static uint64_t double_add(uint64_t old, uint64_t b)
{
    return lanes_bits64(lanes_float64(old) + lanes_float64(b));
}

static uint32_t half_update(enum ptx_operation operation, bool is_bfloat, uint32_t old, uint32_t b)
{
    float x = is_bfloat ? lanes_from_bf16(old) : lanes_from_f16(old), y = is_bfloat ? lanes_from_bf16(b) : lanes_from_f16(b);
    switch (operation) {
    case PTX_OPERATION_MIN: return y != y || x < y || (x == y && old >> 15) ? old : b;
    case PTX_OPERATION_MAX: return y != y || x > y || (x == y && !(old >> 15)) ? old : b;
    default: break;
    }
    /* The sum of two f16 is exact in f32; of two bf16 it is rounded twice only where the first rounding is far below the second. */
    return is_bfloat ? lanes_to_bf16(x + y) : lanes_to_f16(x + y);
}

static uint64_t update(const struct emu_op *op, bool flushes, uint64_t old, uint64_t b, uint64_t c)
{
    const struct ptx_instruction *instruction = op->source;
    enum ptx_operation operation = instruction->operation;
    uint32_t size = ptx_type_size(instruction->type);
    switch (instruction->type) {
    case PTX_F32: return operation == PTX_OPERATION_ADD ? float_add(old, b, flushes) : integer_update(operation, false, 4, old, b, c);
    case PTX_F64: return operation == PTX_OPERATION_ADD ? double_add(old, b) : integer_update(operation, false, 8, old, b, c);
    case PTX_F16:
    case PTX_BF16: return half_update(operation, instruction->type == PTX_BF16, (uint32_t)old & 0xffff, (uint32_t)b & 0xffff);
    case PTX_F16X2:
    case PTX_BF16X2: {
        bool is_bfloat = instruction->type == PTX_BF16X2;
        return half_update(operation, is_bfloat, (uint32_t)old & 0xffff, (uint32_t)b & 0xffff) |
               half_update(operation, is_bfloat, (uint32_t)old >> 16, (uint32_t)b >> 16) << 16;
    }
    default: return integer_update(operation, ptx_type_is_signed(instruction->type), size, old, b, c);
    }
}

/* ---- execution ------------------------------------------------------------------------------------ */

static uint64_t source_value(struct emu_warp *warp, uint32_t reference, uint8_t storage, unsigned lane)
{
    if (reference >= EMU_REF_LIST)
        return 0;
    switch (storage) {
    case 2: return ((const uint16_t *)emu_slot(warp, reference))[lane];
    case 4: return ((const uint32_t *)emu_slot(warp, reference))[lane];
    case 8: return ((const uint64_t *)emu_slot(warp, reference))[lane];
    default: return 0;
    }
}

static uint64_t atomic_apply(const struct emu_op *op, char *at, uint32_t size, bool shared_between_hosts, bool flushes, uint64_t b,
                             uint64_t c)
{
    uint64_t old = 0;
    if (!shared_between_hosts || size < 4) {
        memcpy(&old, at, size);
        uint64_t now = update(op, flushes, old, b, c);
        memcpy(at, &now, size);
        return old;
    }
    if (size == 4) {
        uint32_t *word = (uint32_t *)(void *)at, seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(word, &seen, (uint32_t)update(op, flushes, seen, b, c), true, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED))
            ;
        return seen;
    }
    uint64_t *word = (uint64_t *)(void *)at, seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &seen, update(op, flushes, seen, b, c), true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        ;
    return seen;
}

static void store_old(struct emu_warp *warp, const struct emu_op *op, unsigned lane, uint64_t old)
{
    if (op->dst == EMU_REF_NONE)
        return;
    switch (op->dst_size) {
    case 2: ((uint16_t *)emu_slot(warp, op->dst))[lane] = (uint16_t)old; break;
    case 4: ((uint32_t *)emu_slot(warp, op->dst))[lane] = (uint32_t)old; break;
    case 8: ((uint64_t *)emu_slot(warp, op->dst))[lane] = old; break;
    default: break;
    }
}

static enum emu_next run_atomic(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t addresses[EMU_LANES];
    uint32_t size = ptx_type_size(op->source->type);
    bool several = warp->block->worker->run->worker_count > 1;
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    if (warp->block->worker->tally != NULL)
        emu_count_access(warp, op, mask, addresses, size, true);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t *shadow = NULL;
        struct emu_region *region = NULL;
        char *at = emu_access_lane(warp, op, lane, addresses[lane], size, true, &shadow, &region);
        if (warp->block->state == EMU_BLOCK_ABORTED)
            return EMU_ABORT;
        uint64_t old = 0;
        if (at != NULL) {
            emu_access_race(warp, op, lane, region, addresses[lane], size, op->dst != EMU_REF_NONE);
            if (shadow != NULL)
                emu_access_use(warp, op, lane, region, shadow, size);
            old = atomic_apply(op, at, size, several && region->kind == EMU_REGION_GLOBAL, region->kind != EMU_REGION_SHARED,
                               source_value(warp, op->b, op->b_size, lane), source_value(warp, op->c, op->c_size, lane));
            warp->block->worker->changes += memcmp(&old, at, size) != 0;
        }
        store_old(warp, op, lane, old);
    }
    return EMU_NEXT;
}

/* ---- selection ---------------------------------------------------------------------------------------- */

struct register_search {
    uint32_t wanted;
    bool used;
};

static void search_visit(void *context, uint32_t id, bool is_definition)
{
    struct register_search *search = context;
    search->used |= id == search->wanted && !is_definition;
}

static bool result_is_used(const struct ptx_function *source, const struct ptx_instruction *instruction)
{
    if (instruction->op != PTX_OP_atom || instruction->operands[0].kind != PTX_OPERAND_REGISTER)
        return false;
    struct register_search search = {instruction->operands[0].id, false};
    for (uint32_t i = 0; i < source->instructions.count && !search.used; i++)
        ptx_visit_registers(&source->instructions.data[i], search_visit, &search);
    return search.used;
}

bool emu_atomic_is_order_dependent(const struct emu_function *function, const struct ptx_instruction *instruction)
{
    switch (instruction->operation) {
    case PTX_OPERATION_ADD:
    case PTX_OPERATION_MIN:
    case PTX_OPERATION_MAX:
    case PTX_OPERATION_AND:
    case PTX_OPERATION_OR:
    case PTX_OPERATION_XOR:
        break;
    default:
        return true;
    }
    return ptx_type_is_float(instruction->type) || result_is_used(function->source, instruction);
}

emu_fn *emu_atomic_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    if (instruction->op != PTX_OP_atom && instruction->op != PTX_OP_red)
        return NULL;
    unsigned size = ptx_type_size(instruction->type);
    bool float_min_max = ptx_type_is_float(instruction->type) && size >= 4 && instruction->type != PTX_F16X2 &&
                         instruction->type != PTX_BF16X2 &&
                         (instruction->operation == PTX_OPERATION_MIN || instruction->operation == PTX_OPERATION_MAX);
    if (size > 8 || size == 0 || op->list_count != 0 || float_min_max || instruction->operation == PTX_OPERATION_NONE ||
        (instruction->flags & PTX_MODIFIER_ASYNC) != 0)
        return NULL;
    return run_atomic;
}
