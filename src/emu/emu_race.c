/* SPDX-License-Identifier: Apache-2.0
 *
 * Races (LW204, LW301, LW302): records, conflicts, reports.  See emu_race.h.
 *
 * When several host threads run blocks, cells of global memory are updated with exchanges, so that of two blocks that touch a cell at once at
 * least one sees the other.  A conflict is then not reported: the launch starts again with its blocks in order
 * (emu_journal.c), which makes the report, and the results, the same on every run.
 */
#include "emu/emu_race.h"

enum { WARP_BITS = EMU_RECORD_WARP_BITS, CLOCK_BITS = 14, SITE_BITS = 12 };
#define CLOCK_LIMIT ((1u << CLOCK_BITS) - 1)

/* ---- records --------------------------------------------------------------------------------------------------- */

/* Global:  warp 25 | lane 5 | clock 14 | site 12 | bytes 4 | flags 4.  Shared: clock 31 | warp 5 | lane 5 | site 15 | bytes 4 | flags 4. */
static uint64_t pack_global(const struct emu_record *record)
{
    uint64_t clock = record->clock > CLOCK_LIMIT ? CLOCK_LIMIT : record->clock;
    uint64_t site = record->site < 1u << SITE_BITS ? record->site : 0;
    return (record->warp & ((1u << WARP_BITS) - 1)) << 39 | (uint64_t)record->lane << 34 | clock << 20 | site << 8 |
           record->bytes << 4 | record->flags;
}

static struct emu_record unpack_global(uint64_t packed)
{
    return (struct emu_record){packed >> 39, packed >> 34 & 31, packed >> 20 & CLOCK_LIMIT, packed >> 8 & 0xfff, packed >> 4 & 15,
                               packed & 15};
}

static uint64_t pack_shared(const struct emu_record *record)
{
    uint64_t site = record->site < 1u << 15 ? record->site : 0;
    return (uint64_t)(record->clock & 0x7fffffff) << 33 | (record->warp & 31) << 28 | (uint64_t)record->lane << 23 | site << 8 |
           record->bytes << 4 | record->flags;
}

static struct emu_record unpack_shared(uint64_t packed)
{
    return (struct emu_record){packed >> 28 & 31, packed >> 23 & 31, (uint32_t)(packed >> 33), packed >> 8 & 0x7fff, packed >> 4 & 15,
                               packed & 15};
}

static struct emu_record unpack(uint64_t packed, bool global)
{
    return global ? unpack_global(packed) : unpack_shared(packed);
}

static uint64_t pack(const struct emu_record *record, bool global)
{
    return global ? pack_global(record) : pack_shared(record);
}

/* Lane and warp sit at fixed places: the same thread? */
static bool same_thread(uint64_t a, uint64_t b, bool global)
{
    return global ? (a ^ b) >> 34 == 0 : ((a ^ b) >> 23 & 0x3ff) == 0;
}

static bool same_warp(uint64_t a, uint64_t b, bool global)
{
    return global ? (a ^ b) >> 39 == 0 : ((a ^ b) >> 28 & 31) == 0;
}

static uint32_t record_flags(const struct emu_warp *warp, const struct emu_op *op)
{
    uint32_t flags = EMU_RECORD_VALID;
    const struct bitset *swap_loads = warp->frame->function->swap_loads;
    if (swap_loads != NULL && op->source->op == PTX_OP_ld && bitset_has(swap_loads, op->instruction))
        flags |= EMU_RECORD_ATOMIC;
    if (op->source->semantics > PTX_WEAK)
        flags |= EMU_RECORD_STRONG;
    if ((ptx_op_info(op->source->op)->flags & PTX_FLAG_ATOMIC) != 0)
        flags |= EMU_RECORD_ATOMIC | EMU_RECORD_STRONG;
    return flags;
}

static struct emu_record current_record(struct emu_warp *warp, const struct emu_op *op, bool global)
{
    const struct emu_block *block = warp->block;
    return (struct emu_record){.warp = global ? block->number * block->warp_count + warp->index : warp->index,
                               .clock = warp->clock,
                               .site = op->extra[2],
                               .flags = record_flags(warp, op)};
}

static struct emu_cell *cells_of(struct emu_warp *warp, struct emu_region *region)
{
    struct emu_cell *cells = __atomic_load_n(&region->cells, __ATOMIC_ACQUIRE);
    return cells != NULL ? cells : emu_region_cells(warp->block->worker->run->machine, region);
}

/* ---- conflicts --------------------------------------------------------------------------------------------------- */

/* Must the pair be ordered by something?  (Bytes, threads and order are asked elsewhere.) */
static bool may_conflict(uint64_t old, uint32_t flags, uint32_t bytes)
{
    if ((old & EMU_RECORD_VALID) == 0 || (old >> 4 & bytes) == 0 || (old & EMU_RECORD_REPORTED) != 0)
        return false;
    return (old & flags & EMU_RECORD_ATOMIC) == 0;
}

/* Both strong: no race, except between lanes of a warp through shared memory, where volatile is no synchronisation. */
static bool strong_pair(uint64_t old, uint64_t mine, bool global)
{
    if ((old & mine & EMU_RECORD_STRONG) == 0)
        return false;
    return global || !same_warp(old, mine, global);
}

static bool conflicts(struct emu_warp *warp, uint32_t lane, uint64_t old, uint64_t mine, uint32_t bytes, bool global)
{
    if (!may_conflict(old, (uint32_t)mine & 15, bytes) || same_thread(old, mine, global) || strong_pair(old, mine, global))
        return false;
    struct emu_record record = unpack(old, global);
    return !emu_order_before(warp, lane, &record, global);
}

/* ---- updating a cell ------------------------------------------------------------------------------------------------ */

/* Is the remembered read of no more use: ordered before this thread, or its own? */
static bool read_is_past(struct emu_warp *warp, uint32_t lane, uint64_t old, uint64_t mine, bool global)
{
    if ((old & EMU_RECORD_VALID) == 0 || same_thread(old, mine, global))
        return true;
    struct emu_record record = unpack(old, global);
    return emu_order_before(warp, lane, &record, global);
}

static void remember_read(struct emu_warp *warp, uint32_t lane, struct emu_cell *cell, uint64_t mine, bool global)
{
    if (read_is_past(warp, lane, cell->read, mine, global)) {
        cell->read = mine;
        if (cell->read2 != 0 && read_is_past(warp, lane, cell->read2, mine, global))
            cell->read2 = 0;
    } else if (cell->read2 == 0 || !same_warp(cell->read, mine, global) || read_is_past(warp, lane, cell->read2, mine, global)) {
        cell->read2 = mine;
    }
}

/* The write to remember.  A plain store that its own thread follows with an atomic, nothing between them, stays: to others both are
 * ordered alike, and only the store conflicts with their atomics. */
static uint64_t weaker_write(uint64_t old, uint64_t mine, bool global)
{
    bool same_clock = global ? ((old ^ mine) >> 20 & CLOCK_LIMIT) == 0 : (old ^ mine) >> 33 == 0;
    bool is_plain = (old & EMU_RECORD_VALID) != 0 && (old & (EMU_RECORD_ATOMIC | EMU_RECORD_STRONG)) == 0;
    bool stays = is_plain && (mine & EMU_RECORD_ATOMIC) != 0 && same_clock && same_thread(old, mine, global) &&
                 (mine & ~old & 0xf0) == 0;
    return stays ? old : mine;
}

static void remember_write(struct emu_cell *cell, uint64_t mine, bool global)
{
    uint64_t bytes = mine >> 4 & 15;
    cell->write = weaker_write(cell->write, mine, global);
    if ((cell->read >> 4 & 15 & ~bytes) == 0)
        cell->read = 0;
    if ((cell->read2 >> 4 & 15 & ~bytes) == 0)
        cell->read2 = 0;
}

/* The record this access conflicts with, or 0. */
static uint64_t find_conflict(struct emu_warp *warp, uint32_t lane, const struct emu_cell *cell, uint64_t mine, uint32_t bytes, bool is_write,
                              bool global)
{
    if (conflicts(warp, lane, cell->write, mine, bytes, global))
        return cell->write;
    if (is_write) {
        if (conflicts(warp, lane, cell->read, mine, bytes, global))
            return cell->read;
        if (conflicts(warp, lane, cell->read2, mine, bytes, global))
            return cell->read2;
    }
    return 0;
}

/* The same with other host threads about: exchanges instead of stores.  Conflicts with other blocks may come up on either side. */
static uint64_t update_concurrently(struct emu_warp *warp, uint32_t lane, struct emu_cell *cell, uint64_t mine, uint32_t bytes,
                                    bool is_write)
{
    struct emu_cell seen;
    if (is_write) {
        uint64_t kept = weaker_write(__atomic_load_n(&cell->write, __ATOMIC_RELAXED), mine, true);
        seen.write = __atomic_exchange_n(&cell->write, kept, __ATOMIC_SEQ_CST);
        seen.read = __atomic_load_n(&cell->read, __ATOMIC_SEQ_CST);
        seen.read2 = __atomic_load_n(&cell->read2, __ATOMIC_SEQ_CST);
        return find_conflict(warp, lane, &seen, mine, bytes, true, true);
    }
    uint64_t first = __atomic_load_n(&cell->read, __ATOMIC_RELAXED);
    if (first != mine) {
        uint64_t *slot = first == 0 || same_thread(first, mine, true) || !conflicts(warp, lane, first, mine, bytes, true)
                             ? &cell->read
                             : &cell->read2;
        /* A reader of another block that is displaced from read2 leaves one in read: a writer conflicts with that one. */
        __atomic_exchange_n(slot, mine, __ATOMIC_SEQ_CST);
    }
    seen.write = __atomic_load_n(&cell->write, __ATOMIC_SEQ_CST);
    seen.read = seen.read2 = 0;
    return find_conflict(warp, lane, &seen, mine, bytes, false, true);
}

static void restart_in_order(struct emu_run *run)
{
    __atomic_store_n(&run->restart, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&run->stop, 1, __ATOMIC_RELAXED);
}

/* ---- a warp at once ---------------------------------------------------------------------------------------------------- */

/* What decides quickly, for nearly all cells: clocks below which records of a warp of this block are past, and whose lane this is. */
struct quick {
    const uint32_t *barrier_clock;
    uint64_t first_warp; /* global records: of this block */
    uint32_t warps, warp, sync_clock;
    bool exact; /* lane clocks are one number: no partial warp synchronisation */
};

/* Is the record of no concern to this thread: absent, its own, or ordered before by barriers?  False: ask in full. */
static inline bool quick_past(const struct quick *quick, uint64_t record, uint64_t mine, bool global)
{
    if (record == 0)
        return true;
    uint32_t clock, warp;
    if (global) {
        if ((record ^ mine) >> 34 == 0)
            return true;
        uint64_t delta = ((record >> 39) - quick->first_warp) & (((uint64_t)1 << WARP_BITS) - 1);
        if (delta >= quick->warps)
            return false;
        warp = (uint32_t)delta;
        clock = (uint32_t)(record >> 20) & CLOCK_LIMIT;
    } else {
        if (((record ^ mine) >> 23 & 0x3ff) == 0)
            return true;
        warp = (uint32_t)(record >> 28) & 31;
        clock = (uint32_t)(record >> 33);
    }
    return clock < (warp == quick->warp ? (quick->exact ? quick->sync_clock : 0) : quick->barrier_clock[warp]);
}

static inline bool cell_is_free(struct emu_warp *warp, const struct quick *quick, uint32_t lane, struct emu_cell *cell, uint64_t mine,
                                uint32_t bytes, bool is_write, bool global)
{
    if (is_write) {
        if ((quick_past(quick, cell->write, mine, global) && quick_past(quick, cell->read, mine, global) &&
             quick_past(quick, cell->read2, mine, global)) ||
            find_conflict(warp, lane, cell, mine, bytes, true, global) == 0) {
            remember_write(cell, mine, global);
            return true;
        }
        return false;
    }
    if (!quick_past(quick, cell->write, mine, global) && find_conflict(warp, lane, cell, mine, bytes, false, global) != 0)
        return false;
    if (quick_past(quick, cell->read, mine, global)) {
        cell->read = mine;
        if (quick_past(quick, cell->read2, mine, global))
            cell->read2 = 0;
    } else {
        remember_read(warp, lane, cell, mine, global);
    }
    return true;
}

static inline bool race_lanes(struct emu_warp *warp, const struct quick *quick, struct emu_cell *cells, struct emu_record *base,
                              const uint64_t *offsets, uint32_t mask, uint32_t size, bool is_write, bool global)
{
    base->lane = 0;
    base->bytes = 15;
    uint64_t common = pack(base, global);
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t offset = offsets[lane], mine = common | (uint64_t)lane << (global ? 34 : 23);
        uint32_t bytes = 15;
        if (size < 4) {
            bytes = ((1u << size) - 1) << (offset & 3);
            mine = (mine & ~(uint64_t)0xf0) | bytes << 4;
        }
        uint64_t last = (offset + size - 1) >> 2;
        for (uint64_t cell = offset >> 2; cell <= last; cell++)
            if (!cell_is_free(warp, quick, lane, &cells[cell], mine, bytes, is_write, global))
                return false;
    }
    return true;
}

static void race_concurrently(struct emu_warp *warp, struct emu_cell *cells, struct emu_record *base, const uint64_t *offsets, uint32_t mask,
                              uint32_t size, bool is_write)
{
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t offset = offsets[lane];
        base->lane = lane;
        base->bytes = size >= 4 ? 15 : ((1u << size) - 1) << (offset & 3);
        uint64_t mine = pack(base, true);
        for (uint64_t cell = offset >> 2; cell <= (offset + size - 1) >> 2; cell++)
            if (update_concurrently(warp, lane, &cells[cell], mine, base->bytes, is_write) != 0) {
                restart_in_order(warp->block->worker->run);
                return;
            }
    }
}

bool emu_race_warp(struct emu_warp *warp, const struct emu_op *op, struct emu_region *region, const uint64_t *offsets, uint32_t mask,
                   uint32_t size, bool is_write)
{
    bool global = region->kind == EMU_REGION_GLOBAL;
    struct emu_cell *cells = cells_of(warp, region);
    if (cells == NULL)
        return true;
    struct emu_block *block = warp->block;
    struct emu_record base = current_record(warp, op, global);
    if (global && block->worker->run->worker_count > 1) {
        race_concurrently(warp, cells, &base, offsets, mask, size, is_write);
        return true;
    }
    struct quick quick = {block->barrier_clock, (block->number * block->warp_count) & (((uint64_t)1 << WARP_BITS) - 1),
                          block->warp_count, warp->index, warp->sync_clock, !warp->partial_sync};
    return global ? race_lanes(warp, &quick, cells, &base, offsets, mask, size, is_write, true)
                  : race_lanes(warp, &quick, cells, &base, offsets, mask, size, is_write, false);
}

/* ---- one lane, with reports ---------------------------------------------------------------------------------------------- */

static const char *access_word(bool is_write, uint32_t flags)
{
    return flags & EMU_RECORD_ATOMIC ? "updates atomically" : is_write ? "writes" : "reads";
}

static void other_thread(const struct emu_warp *warp, const struct emu_record *record, bool global, uint64_t *block, uint32_t *thread)
{
    uint32_t index;
    *block = emu_record_block(warp->block, record, global, &index);
    *thread = index * EMU_LANES + record->lane;
}

static const struct ptx_operand *address_of(const struct emu_function *function, uint32_t instruction)
{
    const struct ptx_instruction *data = &function->source->instructions.data[instruction];
    for (uint32_t i = 0; i < data->operand_count; i++)
        if (data->operands[i].kind == PTX_OPERAND_ADDRESS)
            return &data->operands[i];
    return NULL;
}

/* A read and a write of one line through the same registers are the two halves of an update. */
static bool is_one_update(const struct ptx_module *module, const struct emu_function *function, uint32_t first, uint32_t second)
{
    if (emu_fault_place(module, function, first).line != emu_fault_place(module, function, second).line)
        return false;
    const struct ptx_operand *a = address_of(function, first), *b = address_of(function, second);
    return a != NULL && b != NULL && a->id == b->id && a->variable == b->variable && a->value == b->value;
}

static const char *help_for(enum finding_kind kind, bool global, bool other_block, bool is_update)
{
    if (is_update)
        return "another thread updates the same element in between: make the update one atomic operation, such as `atomicAdd`";
    if (kind == FINDING_WARP_RACE)
        return global ? "lanes of a warp do not run in lockstep: put `__syncwarp()` between the two, or write to an array that nobody reads"
                      : "lanes of a warp do not run in lockstep: put `__syncwarp()` between the two accesses";
    if (other_block)
        return "blocks run in any order: use atomics, a fence with a flag, or a second kernel";
    if (global)
        return "order the two: `__syncthreads()` within a block, a second kernel between blocks, or make both atomic";
    return "put `__syncthreads()` between the two accesses, or make both atomic";
}

static void report_race(struct emu_warp *warp, const struct emu_op *op, struct emu_region *region, uint64_t offset, uint32_t lane,
                        uint32_t size, bool is_write, uint64_t old, bool old_is_write, uint64_t mine, bool same_value)
{
    bool global = region->kind == EMU_REGION_GLOBAL;
    const struct emu_program *program = warp->block->worker->run->program;
    struct emu_record record = unpack(old, global);
    enum finding_kind kind = same_warp(old, mine, global) ? FINDING_WARP_RACE : global ? FINDING_GLOBAL_RACE : FINDING_SHARED_RACE;
    const struct emu_site *site = record.site != 0 && record.site < program->sites.count ? &program->sites.data[record.site] : NULL;
    struct emu_fault *fault =
        emu_fault_add_pair(warp, kind, warp->frame->function, op->instruction, site == NULL ? NULL : &program->functions[site->function],
                           site == NULL ? PTX_NONE : site->instruction, lane, region->name, region->number);
    if (fault == NULL)
        return;
    struct arena *arena = &warp->block->worker->arena;
    fault->has_index = true;
    fault->offset = (int64_t)offset;
    fault->extent = region->size;
    fault->element_size = region->element_size;
    fault->access_size = size;
    fault->is_write = is_write;
    fault->has_second = true;
    other_thread(warp, &record, global, &fault->block2, &fault->thread2);
    if (same_value && old_is_write && !region->is_disjoint)
        fault->severity = SEVERITY_WARNING;
    fault->second_access = access_word(old_is_write, record.flags);
    fault->first_access = access_word(is_write, record_flags(warp, op));
    if (same_value && old_is_write)
        fault->text = region->is_disjoint ? "both store the same value, where LW_DISJOINT says that no two threads write one element" : "both store the same value";
    bool is_update = site != NULL && is_write != old_is_write && &program->functions[site->function] == warp->frame->function &&
                     is_one_update(program->module, warp->frame->function, op->instruction, site->instruction);
    fault->help = help_for(kind, global, fault->block2 != warp->block->number, is_update);
    if (site != NULL) {
        struct finding_note *note = vec_push(arena, &fault->notes);
        note->place = emu_fault_place(program->module, &program->functions[site->function], site->instruction);
        note->message = arena_printf(arena, "the other thread %s it here", access_word(old_is_write, record.flags));
    }
}

void emu_race_lane(struct emu_warp *warp, const struct emu_op *op, struct emu_region *region, uint64_t offset, uint32_t lane, uint32_t size,
                   bool is_write, const void *value)
{
    bool global = region->kind == EMU_REGION_GLOBAL;
    struct emu_run *run = warp->block->worker->run;
    bool concurrent = global && run->worker_count > 1;
    struct emu_cell *cells = cells_of(warp, region);
    if (cells == NULL)
        return;
    struct emu_record base = current_record(warp, op, global);
    base.lane = lane;
    base.bytes = size >= 4 ? 15 : ((1u << size) - 1) << (offset & 3);
    uint64_t mine = pack(&base, global);
    bool reported = false;
    for (uint64_t at = offset >> 2; at <= (offset + size - 1) >> 2; at++) {
        struct emu_cell *cell = &cells[at];
        uint64_t write_before = cell->write;
        uint64_t old = concurrent ? update_concurrently(warp, lane, cell, mine, base.bytes, is_write)
                                  : find_conflict(warp, lane, cell, mine, base.bytes, is_write, global);
        if (old != 0) {
            if (concurrent) {
                restart_in_order(run);
                return;
            }
            struct emu_record record = unpack(old, global);
            bool old_is_write = old == write_before;
            bool same_value = value != NULL && memcmp(region->data + offset, value, size) == 0;
            /* Lanes of one instruction that store the same value: one of them wins, whichever it is. */
            bool one_store = same_value && old_is_write && same_warp(old, mine, global) && record.site == base.site &&
                             record.clock == base.clock && !region->is_disjoint;
            if (!reported && !one_store)
                report_race(warp, op, region, offset, lane, size, is_write, old, old_is_write, mine, same_value);
            reported = true;
            /* What lanes of one warp do to each other says nothing about other warps: those races are still to come out. */
            if (!one_store && !same_warp(old, mine, global)) {
                cell->write |= EMU_RECORD_REPORTED;
                cell->read = cell->read2 = 0;
            }
        }
        if (concurrent)
            continue;
        if (is_write) {
            uint64_t keep = cell->write & EMU_RECORD_REPORTED;
            remember_write(cell, mine | keep, global);
        } else {
            remember_read(warp, lane, cell, mine, global);
        }
    }
}
