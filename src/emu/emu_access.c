/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores: addresses to regions, the checks LW101, LW102, LW105, and definedness.
 *
 * A warp's access is planned first: 32 generic addresses, and whether all active lanes stay in one region, aligned and in bounds.  Then it goes
 * the quick way (one copy when the lanes are contiguous, else a gather), otherwise lane by lane through emu_access_lane,
 * which records what is wrong and goes on: a load that fails gives 0, a store that fails writes nothing.
 */
#include "emu/emu_access.h"
#include "emu/emu_race.h"

/* ---- one lane, all checks ------------------------------------------------------------------------ */

static struct emu_region *region_of(struct emu_warp *warp, uint64_t address)
{
    struct emu_block *block = warp->block;
    switch (address >> 56) {
    case 0:
        return emu_region_global(block->worker->run->machine, address);
    case EMU_WINDOW_SHARED >> 56: {
        uint64_t segment = (address & UINT32_MAX) >> EMU_SEGMENT_SHIFT;
        if (address >> 32 != EMU_WINDOW_SHARED >> 32 || segment == 0 ||
            segment > block->worker->run->program->shared.count)
            return NULL;
        return &block->shared[segment - 1];
    }
    case EMU_WINDOW_LOCAL >> 56: {
        uint64_t segment = (address & UINT32_MAX) >> EMU_SEGMENT_SHIFT;
        if (address >> 32 != EMU_WINDOW_LOCAL >> 32 || segment >= warp->segment_count)
            return NULL;
        return warp->segments[segment];
    }
    case EMU_WINDOW_PARAM >> 56:
        return &block->worker->run->parameters;
    default:
        return NULL;
    }
}

static enum finding_kind bounds_kind(uint64_t address, const struct emu_region *region)
{
    if (region != NULL && region->kind == EMU_REGION_CONST)
        return FINDING_OOB_CONST;
    switch (address >> 56) {
    case EMU_WINDOW_SHARED >> 56: return FINDING_OOB_SHARED;
    case EMU_WINDOW_LOCAL >> 56: return FINDING_OOB_LOCAL;
    case EMU_WINDOW_PARAM >> 56: return FINDING_OOB_CONST;
    default: return FINDING_OOB_GLOBAL;
    }
}

static void fault_access(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, enum finding_kind kind,
                         const struct emu_region *region, uint64_t address, uint32_t size, bool is_write)
{
    struct emu_fault *fault =
        emu_fault_add(warp, kind, warp->frame->function, op, lane, region != NULL ? region->name : NULL,
                      region != NULL ? region->number : UINT32_MAX);
    if (fault == NULL)
        return;
    fault->region = region != NULL && region->kind <= EMU_REGION_CONST ? region : NULL;
    fault->address = address;
    fault->access_size = size;
    fault->is_write = is_write;
    fault->is_atomic = op->source != NULL && (ptx_op_info(op->source->op)->flags & PTX_FLAG_ATOMIC) != 0;
    if (region != NULL) {
        fault->has_index = true;
        fault->offset = (int64_t)(address - region->base);
        fault->extent = region->size;
        fault->element_size = region->element_size;
    }
    if (region != NULL && region->freed)
        fault->text = "in memory that was freed";
    else if (region != NULL && region->read_only && is_write && address - region->base < region->size)
        fault->text = "in read-only memory";
}

char *emu_access_lane(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, uint64_t address, uint32_t size,
                      bool is_write, uint8_t **shadow, struct emu_region **found)
{
    struct emu_region *region = region_of(warp, address);
    if (found != NULL)
        *found = region;
    /* An address inside that is not aligned is that fault, also where the access would end outside: compute-sanitizer says so too. */
    bool starts_inside = region != NULL && !region->freed && address >= region->base && address - region->base < region->size;
    bool unaligned = (address & (size - 1)) != 0;
    if (!(starts_inside && unaligned) &&
        (region == NULL || region->freed || (region->read_only && is_write) || address < region->base ||
         size > region->size || address - region->base > region->size - size)) {
        fault_access(warp, op, lane, bounds_kind(address, region), region, address, size, is_write);
        return NULL;
    }
    if (unaligned) {
        fault_access(warp, op, lane, FINDING_MISALIGNED, region, address, size, is_write);
        return NULL;
    }
    uint64_t offset = address - region->base;
    struct emu_machine *machine = warp->block->worker->run->machine;
    if (is_write ? !emu_region_writable(machine, region, offset, offset + size - 1)
                 : !emu_region_ready(machine, region, offset, offset + size - 1)) {
        emu_stop(warp, EMU_MEMORY_LIMIT, op, "the memory limit is reached");
        return NULL;
    }
    if (shadow != NULL)
        *shadow = region->shadow == NULL ? NULL : region->shadow + lane * region->lane_stride + offset;
    return region->data + lane * region->lane_stride + offset;
}

/* ---- addresses of a warp -------------------------------------------------------------------------- */

void emu_access_addresses(struct emu_warp *warp, const struct emu_op *op, uint32_t reference, uint8_t size,
                          enum ptx_space space, uint64_t *addresses)
{
    uint64_t window = space == PTX_SPACE_SHARED  ? EMU_WINDOW_SHARED
                      : space == PTX_SPACE_LOCAL ? EMU_WINDOW_LOCAL
                      : space == PTX_SPACE_PARAM ? EMU_WINDOW_PARAM
                                                 : 0;
    const void *slot = reference == EMU_REF_NONE ? NULL : emu_slot(warp, reference);
    warp->block->worker->run->machine->kit->addresses(slot, size, (uint64_t)op->immediate, window, addresses);
}

static void tell_watch(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const uint64_t *addresses, uint32_t size)
{
    if (warp->block->worker->tally != NULL)
        emu_count_access(warp, op, mask, addresses, size, true);
    const struct emu_options *options = emu_machine_options(warp->block->worker->run->machine);
    struct emu_watched access = {.instruction = op->source,
                                 .block = warp->block->at,
                                 .first_thread = warp->index * EMU_LANES,
                                 .mask = mask,
                                 .addresses = addresses};
    if (options->watch != NULL)
        options->watch(options->watch_context, &access);
}

static bool span_present(struct emu_machine *machine, struct emu_region *region, uint64_t first, uint64_t last, bool is_write)
{
    return is_write ? emu_region_writable(machine, region, first, last) : emu_region_ready(machine, region, first, last);
}

/* Makes present what the lanes touch. */
static bool plan_present(struct emu_machine *machine, const struct emu_plan *plan, uint32_t mask, uint32_t size, bool is_write)
{
    struct emu_region *region = plan->region;
    if ((plan->high >> EMU_CHUNK_SHIFT) - (plan->low >> EMU_CHUNK_SHIFT) <= 1)
        return span_present(machine, region, plan->low, plan->high + size - 1, is_write);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint64_t offset = plan->offsets[__builtin_ctz(rest)];
        if (!span_present(machine, region, offset, offset + size - 1, is_write))
            return false;
    }
    return true;
}

/* Are races looked for in this memory? */
static bool watched(const struct emu_warp *warp, const struct emu_region *region)
{
    return warp->block->worker->run->races && !region->quiet &&
           (region->kind == EMU_REGION_SHARED || (region->kind == EMU_REGION_GLOBAL && !region->read_only));
}

static void note_strong(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const uint64_t *addresses, bool is_write)
{
    if (op->source->semantics <= PTX_WEAK || !warp->block->worker->run->races)
        return;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        emu_order_strong(warp, op, lane, addresses[lane], !is_write, is_write);
    }
}

/* Whether all lanes of `mask` access one region in bounds and aligned; fills the plan's region and offsets. */
static bool plan_access(struct emu_warp *warp, const uint64_t *addresses, uint32_t mask, uint32_t size, bool is_write,
                        struct emu_plan *plan)
{
    unsigned first = (unsigned)__builtin_ctz(mask);
    struct emu_region *region = region_of(warp, addresses[first]);
    if (region == NULL || region->freed || size > region->size || (is_write && region->read_only))
        return false;
    struct emu_machine *machine = warp->block->worker->run->machine;
    if (!machine->kit->plan(addresses, region->base, region->size - size, mask, size, plan))
        return false;
    plan->region = region;
    plan->contiguous &= region->lane_stride == 0;
    if (region->chunks != NULL && !plan_present(machine, plan, mask, size, is_write))
        return false;
    return true;
}

/* ---- loads --------------------------------------------------------------------------------------- */

/* Moves one element into lane `lane` of a register, extended by the type to the register's width. */
static void store_register(void *slot, uint8_t storage, unsigned lane, const char *from, uint32_t size, bool is_signed)
{
    uint64_t value = 0;
    memcpy(&value, from, size > 8 ? 8 : size);
    if (is_signed && size < 8)
        value = (uint64_t)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
    switch (storage) {
    case 2: ((uint16_t *)slot)[lane] = (uint16_t)value; break;
    case 4: ((uint32_t *)slot)[lane] = (uint32_t)value; break;
    case 8: ((uint64_t *)slot)[lane] = value; break;
    case 16:
        ((uint64_t *)slot)[lane] = value;
        memcpy(&((uint64_t *)slot)[EMU_LANES + lane], from + 8, 8);
        break;
    default: break;
    }
}

static void load_register(const void *slot, uint8_t storage, unsigned lane, char *to, uint32_t size)
{
    switch (storage) {
    case 2: memcpy(to, &((const uint16_t *)slot)[lane], size < 2 ? size : 2); break;
    case 4: memcpy(to, &((const uint32_t *)slot)[lane], size < 4 ? size : 4); break;
    case 8: memcpy(to, &((const uint64_t *)slot)[lane], size < 8 ? size : 8); break;
    case 16:
        memcpy(to, &((const uint64_t *)slot)[lane], 8);
        memcpy(to + 8, &((const uint64_t *)slot)[EMU_LANES + lane], 8);
        break;
    default: memset(to, 0, size); break;
    }
}

static uint8_t undefined_bytes(const uint8_t *shadow, uint32_t size)
{
    uint8_t bytes = 0;
    for (uint32_t i = 0; i < size; i++)
        if (shadow[i] != 1)
            bytes |= (uint8_t)(1u << (i < 8 ? i : 7));
    return bytes;
}

static void note_load(struct emu_warp *warp, const struct emu_op *op, const struct emu_region *region, uint32_t reference, unsigned lane,
                      const uint8_t *shadow, uint32_t size)
{
    if (shadow == NULL || warp->block->worker->run->machine->options.no_init) {
        if (warp->frame->has_poison)
            emu_poison_clear(warp->frame, reference, 1u << lane);
        return;
    }
    uint8_t bytes = undefined_bytes(shadow, size);
    if (bytes != 0)
        emu_poison_set(warp, reference, lane, bytes, op, region);
    else if (warp->frame->has_poison)
        emu_poison_clear(warp->frame, reference, 1u << lane);
}

void emu_access_note(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, struct emu_region *region, uint64_t address,
                     uint32_t size, bool is_write, const void *value)
{
    if (watched(warp, region))
        emu_race_lane(warp, op, region, address - region->base, lane, size, is_write, value);
}

void emu_access_race(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, struct emu_region *region, uint64_t address, uint32_t size,
                     bool reads)
{
    if (!watched(warp, region))
        return;
    emu_race_lane(warp, op, region, address - region->base, lane, size, true, NULL);
    emu_order_strong(warp, op, lane, address, reads, true);
}

void emu_access_use(struct emu_warp *warp, const struct emu_op *op, uint32_t lane, const struct emu_region *region, uint8_t *shadow,
                    uint32_t size)
{
    bool writes_only = op->source->operation == PTX_OPERATION_EXCH && op->dst == EMU_REF_NONE;
    if (undefined_bytes(shadow, size) != 0 && !writes_only && !warp->block->worker->run->machine->options.no_init) {
        struct emu_fault *fault =
            emu_fault_add(warp, FINDING_UNINIT_READ, warp->frame->function, op, lane, region->name, region->number);
        if (fault != NULL)
            fault->access_size = size;
    }
    memset(shadow, 1, size);
}

/* Where element k of the access lives. */
static uint32_t element_reference(const struct emu_op *op, uint32_t k, uint32_t scalar)
{
    return op->list_count != 0 ? op->list[k] : scalar;
}

static enum emu_next load_lane_by_lane(struct emu_warp *warp, const struct emu_op *op, uint32_t mask,
                                       const uint64_t *addresses, uint32_t element, uint32_t count)
{
    bool is_signed = ptx_type_is_signed(op->source->type);
    uint8_t storage = op->list_count != 0 ? op->list_size : op->dst_size;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        static const char zeros[64];
        uint8_t *shadow = NULL;
        struct emu_region *region;
        const char *from = emu_access_lane(warp, op, lane, addresses[lane], element * count, false, &shadow, &region);
        if (warp->block->state == EMU_BLOCK_ABORTED)
            return EMU_ABORT;
        if (from != NULL && watched(warp, region))
            emu_race_lane(warp, op, region, addresses[lane] - region->base, lane, element * count, false, NULL);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t reference = element_reference(op, k, op->dst);
            if (reference == EMU_REF_NONE)
                continue;
            store_register(emu_slot(warp, reference), storage, lane, from == NULL ? zeros : from + k * element, element,
                           is_signed);
            note_load(warp, op, region, reference, lane, from == NULL || shadow == NULL ? NULL : shadow + k * element, element);
        }
    }
    return EMU_NEXT;
}

static bool all_defined(const uint8_t *shadow, uint64_t size)
{
    uint64_t all = 0x0101010101010101u;
    uint64_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, shadow + i, 8);
        all &= word;
    }
    for (; i < size; i++)
        if (shadow[i] != 1)
            return false;
    return all == 0x0101010101010101u;
}

static bool plan_defined(const struct emu_plan *plan, uint32_t mask, uint32_t size)
{
    const struct emu_region *region = plan->region;
    if (region->shadow == NULL)
        return true;
    if (plan->contiguous)
        return all_defined(region->shadow + plan->low, (uint64_t)32 * size);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!all_defined(region->shadow + lane * region->lane_stride + plan->offsets[lane], size))
            return false;
    }
    return true;
}

/* Scalar loads of 4 and 8 bytes into registers of the same size, and vectors of them: the common case. */
static void load_planned(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const struct emu_plan *plan,
                         uint32_t element, uint32_t count)
{
    const struct emu_region *region = plan->region;
    const struct emu_memory_kit *kit = warp->block->worker->run->machine->kit;
    uint8_t storage = op->list_count != 0 ? op->list_size : op->dst_size;
    bool is_signed = ptx_type_is_signed(op->source->type);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t reference = element_reference(op, k, op->dst);
        if (reference == EMU_REF_NONE)
            continue;
        void *slot = emu_slot(warp, reference);
        const char *data = region->data + k * element;
        if (storage == element && storage <= 8 && plan->contiguous && count == 1) {
            memcpy(slot, data + plan->low, 32u * element);
        } else if (storage == 4 && element == 4 && region->lane_stride == 0) {
            if (plan->low == plan->high) {
                uint32_t value;
                memcpy(&value, data + plan->low, 4);
                kit->fill32(slot, value, mask);
            } else {
                kit->gather32(slot, data, plan->offsets, mask);
            }
        } else if (storage == 8 && element == 8 && region->lane_stride == 0) {
            kit->gather64(slot, data, plan->offsets, mask);
        } else {
            for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                store_register(slot, storage, lane, data + lane * region->lane_stride + plan->offsets[lane], element,
                               is_signed);
            }
        }
        if (warp->frame->has_poison)
            emu_poison_clear(warp->frame, reference, mask);
    }
}

static enum emu_next run_load(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t addresses[EMU_LANES];
    struct emu_plan plan;
    uint32_t element = ptx_type_size(op->source->type), count = op->list_count != 0 ? op->list_count : 1;
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    tell_watch(warp, op, mask, addresses, element * count);
    note_strong(warp, op, mask, addresses, false);
    if (!plan_access(warp, addresses, mask, element * count, false, &plan) ||
        !plan_defined(&plan, mask, element * count) ||
        (watched(warp, plan.region) && !emu_race_warp(warp, op, plan.region, plan.offsets, mask, element * count, false)))
        return load_lane_by_lane(warp, op, mask, addresses, element, count);
    load_planned(warp, op, mask, &plan, element, count);
    return EMU_NEXT;
}

/* ---- stores -------------------------------------------------------------------------------------- */

/* What a store does to definedness: an undefined value written where the host looks is a use, elsewhere a copy. */
static void note_store(struct emu_warp *warp, uint32_t reference, unsigned lane,
                       const struct emu_region *region, uint8_t *shadow, uint32_t size)
{
    uint8_t bytes = reference == EMU_REF_NONE ? 0 : emu_poison_get(warp->frame, reference, lane);
    if (bytes != 0 && region->is_output) {
        emu_poison_report(warp, reference, lane);
        bytes = 0;
    }
    if (shadow != NULL)
        for (uint32_t i = 0; i < size; i++)
            shadow[i] = (bytes >> (i < 8 ? i : 7) & 1) == 0;
}

static enum emu_next store_lane_by_lane(struct emu_warp *warp, const struct emu_op *op, uint32_t mask,
                                        const uint64_t *addresses, uint32_t element, uint32_t count)
{
    uint8_t storage = op->list_count != 0 ? op->list_size : op->b_size;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t *shadow = NULL;
        struct emu_region *region = NULL;
        char *to = emu_access_lane(warp, op, lane, addresses[lane], element * count, true, &shadow, &region);
        if (warp->block->state == EMU_BLOCK_ABORTED)
            return EMU_ABORT;
        if (to == NULL)
            continue;
        char value[64];
        for (uint32_t k = 0; k < count; k++) {
            uint32_t reference = element_reference(op, k, op->b);
            load_register(emu_slot(warp, reference), storage, lane, value + k * element, element);
        }
        if (watched(warp, region))
            emu_race_lane(warp, op, region, addresses[lane] - region->base, lane, element * count, true, value);
        if (warp->block->worker->probing && memcmp(to, value, (size_t)element * count) != 0)
            warp->block->worker->changes++;
        memcpy(to, value, (size_t)element * count);
        for (uint32_t k = 0; k < count; k++)
            note_store(warp, element_reference(op, k, op->b), lane, region, shadow == NULL ? NULL : shadow + k * element, element);
    }
    return EMU_NEXT;
}

static void store_planned(struct emu_warp *warp, const struct emu_op *op, uint32_t mask, const struct emu_plan *plan,
                          uint32_t element, uint32_t count)
{
    const struct emu_region *region = plan->region;
    uint8_t storage = op->list_count != 0 ? op->list_size : op->b_size;
    for (uint32_t k = 0; k < count; k++) {
        const void *slot = emu_slot(warp, element_reference(op, k, op->b));
        char *data = region->data + k * element;
        if (storage == element && storage <= 8 && plan->contiguous && count == 1) {
            memcpy(data + plan->low, slot, 32u * element);
        } else if (storage == 4 && element == 4 && region->lane_stride == 0) {
            warp->block->worker->run->machine->kit->scatter32(slot, data, plan->offsets, mask);
        } else {
            for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
                unsigned lane = (unsigned)__builtin_ctz(rest);
                load_register(slot, storage, lane, data + lane * region->lane_stride + plan->offsets[lane], element);
            }
        }
    }
    if (region->shadow == NULL)
        return;
    if (plan->contiguous) {
        memset(region->shadow + plan->low, 1, (size_t)32 * element * count);
        return;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memset(region->shadow + lane * region->lane_stride + plan->offsets[lane], 1, (size_t)element * count);
    }
}

static enum emu_next run_store(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    uint64_t addresses[EMU_LANES];
    struct emu_plan plan;
    uint32_t element = ptx_type_size(op->source->type), count = op->list_count != 0 ? op->list_count : 1;
    emu_access_addresses(warp, op, op->a, op->a_size, op->source->space, addresses);
    tell_watch(warp, op, mask, addresses, element * count);
    note_strong(warp, op, mask, addresses, true);
    if (warp->frame->has_poison || warp->block->worker->probing || !plan_access(warp, addresses, mask, element * count, true, &plan) ||
        (watched(warp, plan.region) && !emu_race_warp(warp, op, plan.region, plan.offsets, mask, element * count, true)))
        return store_lane_by_lane(warp, op, mask, addresses, element, count);
    store_planned(warp, op, mask, &plan, element, count);
    return EMU_NEXT;
}

/* ---- parameters ---------------------------------------------------------------------------------- */

/* ld.param of a kernel parameter by name: the same for all lanes. */
static enum emu_next run_load_kernel_parameter(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    const struct emu_region *parameters = &warp->block->worker->run->parameters;
    uint32_t element = ptx_type_size(op->source->type), count = op->list_count != 0 ? op->list_count : 1;
    uint8_t storage = op->list_count != 0 ? op->list_size : op->dst_size;
    bool is_signed = ptx_type_is_signed(op->source->type);
    uint64_t offset = (uint64_t)op->immediate;
    if (offset > parameters->size || element * count > parameters->size - offset) {
        fault_access(warp, op, (uint32_t)__builtin_ctz(mask), FINDING_OOB_CONST, parameters,
                     EMU_WINDOW_PARAM + offset, element * count, false);
        return EMU_NEXT;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t reference = element_reference(op, k, op->dst);
        if (reference == EMU_REF_NONE)
            continue;
        void *slot = emu_slot(warp, reference);
        const char *from = parameters->data + offset + k * element;
        if (storage == element && (element == 4 || element == 8)) {
            uint64_t value = 0;
            memcpy(&value, from, element);
            if (element == 4)
                warp->block->worker->run->machine->kit->fill32(slot, (uint32_t)value, mask);
            else
                warp->block->worker->run->machine->kit->fill64(slot, value, mask);
        } else {
            for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
                store_register(slot, storage, (unsigned)__builtin_ctz(rest), from, element, is_signed);
        }
        if (warp->frame->has_poison)
            emu_poison_clear(warp->frame, reference, mask);
    }
    return EMU_NEXT;
}

/* ld.param and st.param of a variable in the frame's own parameter memory. */
static enum emu_next run_frame_parameter(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    struct emu_frame *frame = warp->frame;
    uint32_t element = ptx_type_size(op->source->type), count = op->list_count != 0 ? op->list_count : 1;
    uint32_t stride = frame->function->param_size;
    bool is_store = op->source->op == PTX_OP_st, is_signed = ptx_type_is_signed(op->source->type);
    uint64_t offset = (uint64_t)op->immediate;
    if (offset > stride || element * count > stride - offset)
        return emu_run_unsupported(warp, op, mask);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t reference = element_reference(op, k, is_store ? op->b : op->dst);
        uint8_t storage = op->list_count != 0 ? op->list_size : is_store ? op->b_size : op->dst_size;
        if (reference == EMU_REF_NONE)
            continue;
        void *slot = emu_slot(warp, reference);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint64_t at = (uint64_t)lane * stride + offset + k * element;
            if (is_store) {
                uint8_t bytes = frame->has_poison ? emu_poison_get(frame, reference, lane) : 0;
                load_register(slot, storage, lane, frame->params + at, element);
                for (uint32_t i = 0; i < element; i++)
                    frame->params_defined[at + i] = (bytes >> (i < 8 ? i : 7) & 1) == 0;
            } else {
                store_register(slot, storage, lane, frame->params + at, element, is_signed);
                note_load(warp, op, NULL, reference, lane, frame->params_defined + at, element);
            }
        }
    }
    return EMU_NEXT;
}

/* A parameter variable of the kernel itself, or one that lives in the frame? */
static bool is_kernel_parameter(const struct emu_function *function, const struct ptx_instruction *instruction,
                                unsigned operand)
{
    if (!function->source->is_entry)
        return false;
    uint32_t variable = instruction->operands[operand].variable;
    if (variable == PTX_NONE)
        return true;
    for (uint32_t i = 0; i < function->source->parameters.count; i++)
        if (function->source->parameters.data[i] == variable)
            return true;
    return false;
}

static enum emu_next run_load_parameter(struct emu_warp *warp, const struct emu_op *op, uint32_t mask)
{
    if (op->a != EMU_REF_NONE)
        return warp->frame->function->source->is_entry ? run_load(warp, op, mask) : emu_run_unsupported(warp, op, mask);
    if (is_kernel_parameter(warp->frame->function, op->source, 1))
        return run_load_kernel_parameter(warp, op, mask);
    return run_frame_parameter(warp, op, mask);
}

emu_fn *emu_access_select(const struct ptx_instruction *instruction, const struct emu_op *op)
{
    uint32_t size = ptx_type_size(instruction->type) * (op->list_count != 0 ? op->list_count : 1u);
    bool plain = instruction->type != PTX_TYPE_NONE && instruction->type != PTX_PRED && size <= 64 &&
                 (size & (size - 1)) == 0;
    switch (instruction->op) {
    case PTX_OP_ld:
    case PTX_OP_ldu:
        if (!plain)
            return NULL;
        return instruction->space == PTX_SPACE_PARAM ? run_load_parameter : run_load;
    case PTX_OP_st:
        if (!plain || (instruction->flags & PTX_MODIFIER_ASYNC) != 0)
            return NULL;
        return instruction->space == PTX_SPACE_PARAM ? run_frame_parameter : run_store;
    default:
        return NULL;
    }
}
