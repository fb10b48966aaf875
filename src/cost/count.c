/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run counted, put where it belongs: instructions, lines, branches, loops, blocks, memory, the launch.
 */
#include "cost/build.h"

/* ---- instructions ------------------------------------------------------------------------------------------------- */

static const struct emu_count *seen(const struct emu_counting *counting, const struct cost_instruction *instruction)
{
    const struct emu_count *counts = counting->functions[instruction->function];
    return counts == NULL ? NULL : &counts[instruction->index];
}

static void add_count(struct cost_count *to, const struct cost_count *from)
{
    to->issued += from->issued;
    to->threads += from->threads;
    to->on += from->on;
    to->requests += from->requests;
    to->moving += from->moving;
    to->bytes += from->bytes;
    to->sectors += from->sectors;
    to->sectors_least += from->sectors_least;
    to->sector_bytes += from->sector_bytes;
    to->passes += from->passes;
    to->conflicts += from->conflicts;
    to->same_word += from->same_word;
}

/* An asynchronous copy reads global and writes shared memory: the same bytes twice. */
static bool is_copy(const struct emu_count *count)
{
    return count->sectors != 0 && count->passes != 0;
}

static void count_instructions(struct cost_result *result, const struct emu_counting *counting)
{
    for (uint32_t i = 0; i < result->instructions.count; i++) {
        struct cost_instruction *instruction = &result->instructions.data[i];
        const struct emu_count *count = seen(counting, instruction);
        if (count == NULL)
            continue;
        instruction->count = (struct cost_count){.issued = count->issued,
                                                 .threads = count->threads,
                                                 .on = count->on,
                                                 .requests = count->requests,
                                                 .moving = count->sectors != 0 ? count->requests : 0,
                                                 .bytes = is_copy(count) ? count->bytes / 2 : count->bytes,
                                                 .sectors = count->sectors,
                                                 .sectors_least = count->sectors_least,
                                                 .sector_bytes = count->sector_bytes,
                                                 .passes = count->passes,
                                                 .conflicts = count->conflicts,
                                                 .same_word = count->same_word};
        add_count(&result->total, &instruction->count);
        if (instruction->line != COST_NONE)
            add_count(&result->lines.data[instruction->line].count, &instruction->count);
    }
}

/* Sums by where memory is; a generic access by what it did. */
static void count_memory(struct cost_result *result)
{
    static const double H200_BYTES_PER_ISSUE = 4.6; /* 4.8e12 bytes/s; 132 SMs x 4 x 1.98e9 warp instructions/s */
    struct cost_memory *memory = &result->memory;
    for (uint32_t i = 0; i < result->instructions.count; i++) {
        const struct cost_instruction *instruction = &result->instructions.data[i];
        bool is_local = instruction->kind == COST_LOCAL_LOAD || instruction->kind == COST_LOCAL_STORE;
        struct cost_count part = instruction->count;
        if (part.requests == 0)
            continue;
        if (part.passes != 0 && part.sectors != 0) {
            struct cost_count shared = part;
            shared.sectors = shared.sectors_least = shared.sector_bytes = shared.moving = 0;
            add_count(&memory->shared, &shared);
            part.passes = part.conflicts = part.same_word = 0;
        }
        if (part.passes != 0)
            add_count(&memory->shared, &part);
        else if (part.sectors != 0)
            add_count(is_local ? &memory->local : &memory->global, &part);
    }
    memory->device_ratio = H200_BYTES_PER_ISSUE;
    if (result->total.issued != 0)
        memory->bytes_per_issue = 32.0 * (double)memory->global.sectors / (double)result->total.issued;
    memory->is_memory_bound = memory->bytes_per_issue > memory->device_ratio;
}

/* ---- branches ------------------------------------------------------------------------------------------------------- */

static uint64_t issued_in(const struct cost_builder *builder, const struct cost_part *part, const struct cost_region *region,
                          const struct bitset *without)
{
    uint64_t issued = 0;
    for (uint32_t m = 0; m < region->members.count; m++) {
        const struct ir_block *block = &part->cfg->blocks[region->members.data[m]];
        if (without != NULL && bitset_has(without, region->members.data[m]))
            continue;
        for (uint32_t i = block->first; i < block->end; i++)
            issued += cost_at(builder, part, i)->count.issued;
    }
    return issued;
}

static uint32_t block_at(const struct cost_part *part, uint32_t instruction)
{
    return part->cfg->block_of_instruction[instruction];
}

/* Parts of warps that come to the meeting point by themselves. */
static uint64_t arrivals_apart(const struct cost_branch *branch)
{
    return cost_class_is_uniform(branch->class) || branch->is_exit || branch->is_predicated ? 0 : branch->divided;
}

/* Both sides of a branch that is none of a loop. */
static void count_sides(struct cost_builder *builder, struct cost_branch *branch)
{
    const struct cost_instruction *instruction = &builder->result->instructions.data[branch->instruction];
    const struct cost_part *part = &builder->parts.data[builder->part_of[instruction->function]];
    const struct ir_cfg *cfg = part->cfg;
    const struct ir_block *block = &cfg->blocks[block_at(part, instruction->index)];
    struct cost_region regions[2] = {{{0}, {0}}, {{0}, {0}}};
    uint64_t entries[2] = {branch->all_taken + branch->divided, branch->none_taken + branch->divided}, sides[2] = {0, 0};
    uint32_t join = block->ipdom;
    for (uint32_t s = 0; s < 2; s++) {
        bool is_there = s < block->successor_count;
        uint32_t start = is_there ? block->successors[s] : join;
        cost_region_find(&regions[s], cfg, start, join, builder->arena);
    }
    /* successors[0] is the branch's target, unless that is the way out. */
    bool target_leaves = block->leave != IR_LEAVE_NO;
    for (uint32_t s = 0; s < 2; s++)
        sides[s] = issued_in(builder, part, &regions[s], &regions[!s].blocks);
    uint64_t taken = target_leaves ? 0 : sides[0], not_taken = target_leaves ? sides[0] : sides[1];
    branch->taken.average = entries[0] == 0 ? 0 : (double)taken / (double)entries[0];
    branch->not_taken.average = entries[1] == 0 ? 0 : (double)not_taken / (double)entries[1];
    branch->paid = taken + not_taken;
    double shorter = branch->taken.average < branch->not_taken.average ? branch->taken.average : branch->not_taken.average;
    branch->extra = (uint64_t)((double)branch->divided * shorter + 0.5);
    branch->extra_reconvergence = branch->executed * branch->reconvergence + arrivals_apart(branch);
}

/* All ways of a jump table: what is issued beyond the longest of them. */
static void count_ways(struct cost_builder *builder, struct cost_branch *branch)
{
    const struct cost_instruction *instruction = &builder->result->instructions.data[branch->instruction];
    const struct cost_part *part = &builder->parts.data[builder->part_of[instruction->function]];
    const struct ir_block *block = &part->cfg->blocks[block_at(part, instruction->index)];
    struct cost_region region = {{0}, {0}};
    struct bitset seen;
    bitset_init(&seen, builder->arena, part->cfg->block_count + 1);
    for (uint32_t s = 0; s < block->successor_count; s++) {
        cost_region_find(&region, part->cfg, block->successors[s], block->ipdom, builder->arena);
        branch->paid += issued_in(builder, part, &region, &seen);
        for (uint32_t m = 0; m < region.members.count; m++)
            bitset_add(&seen, region.members.data[m]);
    }
    uint64_t least = branch->executed * branch->longest;
    branch->extra = branch->divided != 0 && branch->paid > least ? branch->paid - least : 0;
    branch->extra_reconvergence = branch->executed * branch->reconvergence + arrivals_apart(branch);
}

/* A loop's branch: what is issued beyond what full warps would need for the same threads. */
static void count_trips(struct cost_builder *builder, struct cost_branch *branch)
{
    const struct cost_result *result = builder->result;
    const struct cost_instruction *instruction = &result->instructions.data[branch->instruction];
    if (instruction->loop == COST_NONE)
        return;
    const struct cost_loop *loop = &result->loops.data[instruction->loop];
    uint64_t issued = 0, threads = 0;
    for (uint32_t i = loop->first; i < loop->end; i++) {
        issued += result->instructions.data[i].count.issued;
        threads += result->instructions.data[i].count.threads;
    }
    branch->paid = issued;
    double lanes = cost_active_lanes(&result->instructions.data[0].count);
    uint64_t needed = lanes <= 0 ? issued : (uint64_t)((double)threads / lanes + 0.5);
    branch->extra = branch->divided == 0 || needed > issued ? 0 : issued - needed;
    branch->extra_reconvergence = loop->entered * branch->reconvergence + arrivals_apart(branch);
}

static void count_branches(struct cost_builder *builder, const struct emu_counting *counting)
{
    struct cost_result *result = builder->result;
    for (uint32_t b = 0; b < result->branches.count; b++) {
        struct cost_branch *branch = &result->branches.data[b];
        const struct emu_count *count = seen(counting, &result->instructions.data[branch->instruction]);
        if (count == NULL)
            continue;
        branch->executed = count->issued;
        branch->divided = count->split;
        branch->none_taken = count->off;
        branch->all_taken = count->issued - count->split - count->off;
        if (branch->is_loop)
            count_trips(builder, branch);
        else if (branch->ways > 2)
            count_ways(builder, branch);
        else
            count_sides(builder, branch);
    }
}

/* The branch of each line that costs most. */
static bool is_dearer(const struct cost_branch *a, const struct cost_branch *b)
{
    if (a->extra != b->extra)
        return a->extra > b->extra;
    return a->divided != b->divided ? a->divided > b->divided : a->longest > b->longest;
}

static void choose_branches(struct cost_result *result)
{
    for (uint32_t b = 0; b < result->branches.count; b++) {
        uint32_t number = result->instructions.data[result->branches.data[b].instruction].line;
        struct cost_line *line = number == COST_NONE ? NULL : &result->lines.data[number];
        if (line != NULL && (line->branch == COST_NONE || is_dearer(&result->branches.data[b], &result->branches.data[line->branch])))
            line->branch = b;
    }
}

/* ---- the machine ------------------------------------------------------------------------------------------------------ */

/* Guarded instead of branched: all warps issue the body, with the same lanes on; nobody issues the branch. */
static void predicate_body(struct cost_builder *builder, const struct cost_branch *branch, struct cost_machine *machine)
{
    const struct cost_instruction *instruction = &builder->result->instructions.data[branch->instruction];
    const struct cost_path *body = branch->taken.most != 0 ? &branch->taken : &branch->not_taken;
    uint64_t all = branch->executed * body->instructions + machine->issued;
    machine->predicated++;
    machine->on -= instruction->count.on;
    machine->issued = all > branch->paid + branch->executed ? all - branch->paid - branch->executed : machine->issued;
}

/* Lanes that come to the meeting point of a branch. */
static uint64_t lanes_meeting(const struct cost_result *result, const struct cost_branch *branch)
{
    const struct cost_instruction *instruction = &result->instructions.data[branch->instruction];
    if (!branch->is_loop)
        return instruction->count.threads;
    uint64_t on = instruction->count.on, off = instruction->count.threads - on; /* each lane leaves the loop once */
    return on < off ? on : off;
}

/* A branch to the end of the kernel is an exit of the lanes that take it: they issue no `ret` of their own. */
static void leave_at_once(const struct cost_result *result, const struct cost_branch *branch, struct cost_machine *machine)
{
    const struct cost_instruction *instruction = &result->instructions.data[branch->instruction];
    if ((branch->taken.most == 0) == (branch->not_taken.most == 0))
        return;
    bool taken_leaves = branch->taken.most == 0;
    uint64_t lanes = taken_leaves ? instruction->count.on : instruction->count.threads - instruction->count.on;
    uint64_t warps = taken_leaves ? branch->all_taken : branch->none_taken;
    machine->on -= machine->on > lanes ? lanes : 0;
    machine->issued -= machine->issued > warps ? warps : 0;
}

static void estimate_machine(struct cost_builder *builder)
{
    struct cost_result *result = builder->result;
    struct cost_machine *machine = &result->machine;
    machine->issued = result->total.issued;
    machine->on = result->total.on;
    for (uint32_t b = 0; b < result->branches.count; b++) {
        const struct cost_branch *branch = &result->branches.data[b];
        if (branch->is_predicated)
            predicate_body(builder, branch, machine);
        else if (branch->is_exit)
            leave_at_once(result, branch, machine);
        machine->reconvergence += branch->extra_reconvergence;
        machine->issued += branch->extra_reconvergence;
        machine->on += branch->reconvergence * lanes_meeting(result, branch);
    }
}

/* ---- loops ------------------------------------------------------------------------------------------------------------ */

/* Warps that went from `from` to `to`. */
static uint64_t edge_count(const struct cost_builder *builder, const struct emu_counting *counting, const struct cost_part *part, uint32_t from,
                           uint32_t to)
{
    const struct ir_block *block = &part->cfg->blocks[from];
    if (block->end == block->first)
        return 0;
    const struct cost_instruction *last = cost_at(builder, part, block->end - 1);
    const struct emu_count *count = seen(counting, last);
    if (count == NULL)
        return 0;
    if (last->branch == COST_NONE || block->successor_count < 2)
        return count->issued;
    bool falls = to == block->fallthrough;
    return falls ? count->off + count->split : count->issued - count->off;
}

static void count_loops(struct cost_builder *builder, const struct emu_counting *counting)
{
    struct cost_result *result = builder->result;
    for (uint32_t p = 0; p < builder->parts.count; p++) {
        const struct cost_part *part = &builder->parts.data[p];
        for (uint32_t l = 0; l < part->cfg->loop_count; l++) {
            const struct ir_loop *source = &part->cfg->loops[l];
            struct cost_loop *loop = &result->loops.data[part->first_loop + l];
            uint64_t back = 0;
            loop->trips_run = loop->first < result->instructions.count ? result->instructions.data[loop->first].count.issued : 0;
            for (uint32_t k = 0; k < source->latch_count; k++)
                back += edge_count(builder, counting, part, source->latches[k], source->header);
            loop->entered = loop->trips_run > back ? loop->trips_run - back : 0;
        }
    }
}

/* ---- blocks --------------------------------------------------------------------------------------------------------------- */

static void show_block(struct cost_result *result, const struct emu_warp_count *warps, uint32_t count, const char *role)
{
    struct cost_launch *launch = &result->launch;
    struct cost_block shown = {.role = role, .number = warps[0].block, .warp_count = count};
    for (uint32_t i = 0; i < launch->blocks_shown.count; i++)
        if (launch->blocks_shown.data[i].number == shown.number)
            return;
    shown.at[0] = (uint32_t)(shown.number % launch->grid[0]);
    shown.at[1] = (uint32_t)(shown.number / launch->grid[0] % launch->grid[1]);
    shown.at[2] = (uint32_t)(shown.number / launch->grid[0] / launch->grid[1]);
    shown.warps = ARENA_ARRAY(result->arena, struct cost_warp, count);
    for (uint32_t w = 0; w < count; w++) {
        const struct emu_warp_count *from = &warps[w];
        shown.warps[w] = (struct cost_warp){.index = from->warp,
                                            .present = from->present,
                                            .working = from->working,
                                            .issued = from->issued,
                                            .threads = from->threads,
                                            .on = from->on,
                                            .divided = from->divided};
        shown.threads += (uint32_t)__builtin_popcount(from->present);
        shown.threads_working += (uint32_t)__builtin_popcount(from->working);
        shown.warps_working += from->working != 0;
        shown.issued += from->issued;
    }
    *vec_push(result->arena, &launch->blocks_shown) = shown;
}

static void show_blocks(struct cost_result *result, const struct emu_counting *counting)
{
    const struct emu_warp_count *warps = counting->warps;
    uint32_t count = counting->warps_per_block;
    for (uint32_t b = 0; b < counting->block_count; b++)
        if (warps[(size_t)b * count].present != 0)
            show_block(result, &warps[(size_t)b * count], count, b == 0 ? "first" : "last");
    if (counting->has_busiest)
        show_block(result, &warps[(size_t)counting->block_count * count], count, "busiest");
}

void cost_set_run(struct cost_result *result, const struct emu_counting *counting, const struct report_kernel *kernel)
{
    struct cost_launch *launch = &result->launch;
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        *vec_push(result->arena, &result->findings) = kernel->findings.data[i];
    if (!kernel->has_run || counting->functions == NULL)
        return;
    launch->has_run = true;
    launch->stopped = kernel->stopped;
    launch->blocks_run = kernel->blocks_run;
    launch->seconds = kernel->seconds;
    launch->idle_issued = counting->idle_issued;
    if (launch->work != COST_WORK_DOMAIN) {
        launch->work = COST_WORK_TOUCHES;
        launch->useful = counting->threads_working;
        launch->surplus = launch->threads > launch->useful ? launch->threads - launch->useful : 0;
        launch->warps_working = counting->warps_working;
        launch->warps_idle = counting->warps_idle;
        launch->idle_is_exact = true;
    }
    count_instructions(result, counting);
    count_loops(result->builder, counting);
    count_branches(result->builder, counting);
    choose_branches(result);
    estimate_machine(result->builder);
    count_memory(result);
    show_blocks(result, counting);
}
