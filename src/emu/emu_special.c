/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers, addresses of local variables, conversions between address spaces, and the check of integer divisors (LW106).
 */
#include "emu/emu_access.h"
#include "emu/emu_decode.h"

static uint32_t special_lane(const struct emu_warp *warp, enum ptx_special special, unsigned component, unsigned lane)
{
    const struct emu_block *block = warp->block;
    const struct emu_launch *launch = block->worker->run->launch;
    uint32_t thread = warp->index * EMU_LANES + lane;
    unsigned axis = component == 0 ? 0 : component - 1u;
    switch (special) {
    case PTX_SPECIAL_tid:
        return axis == 0   ? thread % launch->block[0]
               : axis == 1 ? thread / launch->block[0] % launch->block[1]
               : axis == 2 ? thread / launch->block[0] / launch->block[1]
                           : 0;
    case PTX_SPECIAL_ntid: return axis < 3 ? launch->block[axis] : 0;
    case PTX_SPECIAL_ctaid: return axis < 3 ? block->at[axis] : 0;
    case PTX_SPECIAL_nctaid: return axis < 3 ? launch->grid[axis] : 0;
    case PTX_SPECIAL_laneid: return lane;
    case PTX_SPECIAL_warpid: return warp->index;
    case PTX_SPECIAL_nwarpid: return block->warp_count;
    case PTX_SPECIAL_nsmid: return 1;
    case PTX_SPECIAL_lanemask_eq: return 1u << lane;
    case PTX_SPECIAL_lanemask_le: return EMU_FULL_MASK >> (31 - lane);
    case PTX_SPECIAL_lanemask_lt: return (1u << lane) - 1;
    case PTX_SPECIAL_lanemask_ge: return EMU_FULL_MASK << lane;
    case PTX_SPECIAL_lanemask_gt: return lane == 31 ? 0 : EMU_FULL_MASK << (lane + 1);
    case PTX_SPECIAL_dynamic_smem_size: return (uint32_t)launch->dynamic_shared;
    case PTX_SPECIAL_total_smem_size:
    case PTX_SPECIAL_aggr_smem_size: return block->worker->run->shared_size;
    /* Without clusters every block is a cluster of its own. */
    case PTX_SPECIAL_nclusterid: return axis < 3 ? launch->grid[axis] : 0;
    case PTX_SPECIAL_clusterid: return axis < 3 ? block->at[axis] : 0;
    case PTX_SPECIAL_cluster_nctaid:
    case PTX_SPECIAL_cluster_nctarank: return 1;
    /* Time passes with the instructions that the warp has issued: the same on every run. */
    case PTX_SPECIAL_clock:
    case PTX_SPECIAL_globaltimer_lo: return (uint32_t)(warp->block->steps + warp->steps);
    default: return 0;
    }
}

enum emu_next emu_run_special(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    enum ptx_special special = (enum ptx_special)op->extra[0];
    const struct emu_run *run = warp->block->worker->run;
    unsigned axis = op->extra[1] == 0 ? 0 : op->extra[1] - 1;
    if (special == PTX_SPECIAL_tid && op->dst_size == 4 && axis < 3) {
        run->machine->kit->copy32(emu_slot(warp, op->dst), run->tids[warp->index][axis], mask);
        return EMU_NEXT;
    }
    if (op->dst_size == 4 && special >= PTX_SPECIAL_ntid && special <= PTX_SPECIAL_nctaid) {
        run->machine->kit->fill32(emu_slot(warp, op->dst), special_lane(warp, special, op->extra[1], 0), mask);
        return EMU_NEXT;
    }
    bool is_time = special == PTX_SPECIAL_clock64 || special == PTX_SPECIAL_globaltimer;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t value = is_time ? warp->block->steps + warp->steps : special_lane(warp, special, op->extra[1], lane);
        switch (op->dst_size) {
        case 2: ((uint16_t *)emu_slot(warp, op->dst))[lane] = (uint16_t)value; break;
        case 4: ((uint32_t *)emu_slot(warp, op->dst))[lane] = (uint32_t)value; break;
        case 8: ((uint64_t *)emu_slot(warp, op->dst))[lane] = value; break;
        default: break;
        }
    }
    return EMU_NEXT;
}

enum emu_next emu_run_local_address(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t segment = warp->frame->first_segment + op->extra[0];
    uint32_t address = (uint32_t)((segment << EMU_SEGMENT_SHIFT) + EMU_SEGMENT_MIDDLE + (uint64_t)op->immediate);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (op->dst_size == 8)
            ((uint64_t *)emu_slot(warp, op->dst))[lane] = address;
        else
            ((uint32_t *)emu_slot(warp, op->dst))[lane] = address;
    }
    return EMU_NEXT;
}

/* ---- address spaces ------------------------------------------------------------------------------ */

static uint64_t window_of(enum ptx_space space)
{
    switch (space) {
    case PTX_SPACE_SHARED: return EMU_WINDOW_SHARED;
    case PTX_SPACE_LOCAL: return EMU_WINDOW_LOCAL;
    case PTX_SPACE_PARAM: return EMU_WINDOW_PARAM;
    default: return 0;
    }
}

static uint64_t lane_value(struct emu_warp *warp, uint32_t reference, uint8_t size, unsigned lane)
{
    return size == 8 ? ((const uint64_t *)emu_slot(warp, reference))[lane] : ((const uint32_t *)emu_slot(warp, reference))[lane];
}

static enum emu_next run_cvta(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t window = window_of(op->source->space);
    if (window == 0 && mask == EMU_FULL_MASK && op->a_size == 8 && op->dst_size == 8) {
        memmove(emu_slot(warp, op->dst), emu_slot(warp, op->a), sizeof(uint64_t[EMU_LANES]));
        return EMU_NEXT;
    }
    bool back = op->source->mode == PTX_MODE_TO;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t value = lane_value(warp, op->a, op->a_size, lane);
        if (window != 0)
            value = back ? value & UINT32_MAX : (value & UINT32_MAX) | window;
        if (op->dst_size == 8)
            ((uint64_t *)emu_slot(warp, op->dst))[lane] = value;
        else
            ((uint32_t *)emu_slot(warp, op->dst))[lane] = (uint32_t)value;
    }
    return EMU_NEXT;
}

static enum emu_next run_isspacep(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_machine *machine = warp->block->worker->run->machine;
    enum ptx_space space = op->source->space;
    uint32_t result = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t address = lane_value(warp, op->a, op->a_size, lane), top = address >> 56;
        const struct emu_region *region = top == 0 ? emu_region_global(machine, address) : NULL;
        bool inside = space == PTX_SPACE_CONST    ? region != NULL && region->kind == EMU_REGION_CONST
                      : space == PTX_SPACE_GLOBAL ? top == 0 && (region == NULL || region->kind == EMU_REGION_GLOBAL)
                                                  : top == window_of(space) >> 56;
        result |= (uint32_t)inside << lane;
    }
    emu_predicate_store(warp, op->dst, result, mask);
    return EMU_NEXT;
}

/* ---- divisors ------------------------------------------------------------------------------------ */

enum emu_next emu_run_divisor(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint32_t zero = 0;
    for (unsigned lane = 0; lane < EMU_LANES; lane++) {
        uint64_t divisor = op->b_size == 2   ? ((const uint16_t *)emu_slot(warp, op->b))[lane]
                           : op->b_size == 4 ? ((const uint32_t *)emu_slot(warp, op->b))[lane]
                                             : ((const uint64_t *)emu_slot(warp, op->b))[lane];
        zero |= (uint32_t)(divisor == 0) << lane;
    }
    for (zero &= mask; zero != 0; zero &= zero - 1)
        emu_fault_add(warp, FINDING_DIV_BY_ZERO, warp->frame->function, op, (uint32_t)__builtin_ctz(zero), NULL, UINT32_MAX);
    return EMU_NEXT;
}

static enum emu_next run_move_special(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_op special = *op;
    special.extra[0] = op->source->operands[1].special;
    special.extra[1] = op->source->operands[1].component;
    return emu_run_special(warp, &special, mask);
}

emu_fn *emu_special_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    switch (instruction->op) {
    case PTX_OP_cvta: return run_cvta;
    case PTX_OP_isspacep: return run_isspacep;
    case PTX_OP_mov:
        return op->list_count == 0 && instruction->operand_count == 2 &&
                       instruction->operands[1].kind == PTX_OPERAND_SPECIAL
                   ? run_move_special
                   : NULL;
    default: return NULL;
    }
}
