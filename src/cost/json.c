/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON view: names in docs/cost.md.
 */
#include "cost/cost.h"

static void add_number_or_none(struct json_writer *json, const char *key, uint32_t index)
{
    if (index != COST_NONE)
        json_add_number(json, key, index);
}

static void add_real(struct json_writer *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, (double)(int64_t)(value * 1000 + 0.5) / 1000); /* three places: the same text everywhere */
}

static void add_place(struct json_writer *json, const struct place *place)
{
    json_add_text(json, "file", place->file);
    json_add_number(json, "line", place->line);
}

static void add_count(struct json_writer *json, const char *key, const struct cost_count *count)
{
    json_key(json, key);
    json_object_begin(json);
    json_add_number(json, "issued", count->issued);
    json_add_number(json, "threads", count->threads);
    json_add_number(json, "on", count->on);
    add_real(json, "active_lanes", cost_active_lanes(count));
    add_real(json, "lanes_on", cost_lanes_on(count));
    if (count->requests != 0) {
        json_add_number(json, "requests", count->requests);
        json_add_number(json, "moving", count->moving);
        json_add_number(json, "bytes", count->bytes);
        json_add_number(json, "sectors", count->sectors);
        json_add_number(json, "sectors_least", count->sectors_least);
        json_add_number(json, "sector_bytes", count->sector_bytes);
        add_real(json, "sectors_per_request", cost_sectors_per_request(count));
        json_add_number(json, "passes", count->passes);
        json_add_number(json, "conflicts", count->conflicts);
        json_add_number(json, "same_word", count->same_word);
    }
    json_object_end(json);
}

static void add_triple(struct json_writer *json, const char *key, const uint64_t values[3])
{
    json_key(json, key);
    json_array_begin(json);
    for (int axis = 0; axis < 3; axis++)
        json_unsigned(json, values[axis]);
    json_array_end(json);
}

/* ---- the launch --------------------------------------------------------------------------------------------------- */

static void add_block(struct json_writer *json, const struct cost_block *block)
{
    uint64_t at[3] = {block->at[0], block->at[1], block->at[2]};
    json_object_begin(json);
    json_add_text(json, "role", block->role);
    json_add_number(json, "number", block->number);
    add_triple(json, "at", at);
    json_add_number(json, "threads", block->threads);
    json_add_number(json, "threads_working", block->threads_working);
    json_add_number(json, "warps_working", block->warps_working);
    json_add_number(json, "issued", block->issued);
    json_key(json, "warps");
    json_array_begin(json);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct cost_warp *warp = &block->warps[w];
        json_object_begin(json);
        json_add_number(json, "index", warp->index);
        json_add_number(json, "present", warp->present);
        json_add_number(json, "working", warp->working);
        json_add_number(json, "issued", warp->issued);
        json_add_number(json, "threads", warp->threads);
        json_add_number(json, "on", warp->on);
        json_add_number(json, "divided", warp->divided);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void add_work(struct json_writer *json, const struct cost_launch *launch)
{
    static const char *const works[] = {"unknown", "domain", "touches"};
    json_add_text(json, "work", works[launch->work]);
    if (launch->work == COST_WORK_DOMAIN) {
        add_triple(json, "domain", launch->domain);
        json_add_text(json, "domain_text", launch->domain_text);
    }
    if (launch->work == COST_WORK_UNKNOWN)
        return;
    json_add_number(json, "useful_threads", launch->useful);
    json_add_number(json, "surplus_threads", launch->surplus);
    json_add_number(json, "warps_working", launch->warps_working);
    json_add_number(json, "warps_idle", launch->warps_idle);
}

static void add_launch(struct json_writer *json, const struct cost_launch *launch)
{
    json_key(json, "launch");
    json_object_begin(json);
    json_add_optional(json, "trouble", launch->known ? NULL : launch->trouble);
    if (launch->known) {
        add_triple(json, "grid", launch->grid);
        add_triple(json, "block", launch->block);
        json_add_number(json, "dynamic_shared_bytes", launch->dynamic_shared);
        json_key(json, "scalars");
        json_object_begin(json);
        for (uint32_t i = 0; i < launch->scalars.count; i++)
            json_add_text(json, launch->scalars.data[i].name, launch->scalars.data[i].value);
        json_object_end(json);
        json_add_number(json, "blocks", launch->blocks);
        json_add_number(json, "threads", launch->threads);
        json_add_number(json, "threads_per_block", launch->threads_per_block);
        json_add_number(json, "warps", launch->warps);
        json_add_number(json, "warps_per_block", launch->warps_per_block);
        json_add_number(json, "slots_per_block", launch->slots_per_block);
        json_add_number(json, "idle_slots_per_block", launch->idle_slots_per_block);
        json_add_number(json, "lanes_last_warp", launch->lanes_last_warp);
        add_work(json, launch);
        json_add_optional(json, "stopped", launch->stopped);
    }
    if (launch->has_run) {
        json_add_number(json, "idle_issued", launch->idle_issued);
        json_add_number(json, "blocks_run", launch->blocks_run);
        json_key(json, "blocks_shown");
        json_array_begin(json);
        for (uint32_t b = 0; b < launch->blocks_shown.count; b++)
            add_block(json, &launch->blocks_shown.data[b]);
        json_array_end(json);
    }
    json_object_end(json);
}

/* ---- the code ------------------------------------------------------------------------------------------------------ */

static void add_line(struct json_writer *json, const struct cost_line *line, bool has_run)
{
    json_object_begin(json);
    add_place(json, &line->place);
    json_add_text(json, "text", line->text);
    json_add_number(json, "instructions", line->instructions);
    json_key(json, "kinds");
    json_object_begin(json);
    for (int kind = 0; kind < COST_KIND_COUNT; kind++)
        if (line->kinds[kind] != 0)
            json_add_number(json, cost_kind_name((enum cost_kind)kind), line->kinds[kind]);
    json_object_end(json);
    json_add_text(json, "reach", cost_class_name(line->reach));
    add_number_or_none(json, "branch", line->branch);
    add_number_or_none(json, "loop", line->loop);
    if (has_run)
        add_count(json, "count", &line->count);
    json_object_end(json);
}

static void add_instruction(struct json_writer *json, const struct cost_result *result, const struct cost_instruction *instruction)
{
    json_object_begin(json);
    json_add_text(json, "function", result->module->functions.data[instruction->function].name);
    json_add_number(json, "ptx_line", instruction->ptx_line);
    add_place(json, &instruction->place);
    json_add_text(json, "text", instruction->text);
    json_add_text(json, "kind", cost_kind_name(instruction->kind));
    json_add_text(json, "reach", cost_class_name(instruction->reach));
    if (instruction->is_guarded)
        json_add_text(json, "guard", cost_class_name(instruction->guard));
    json_add_number(json, "depth", instruction->depth);
    add_number_or_none(json, "branch", instruction->branch);
    add_number_or_none(json, "loop", instruction->loop);
    if (result->launch.has_run)
        add_count(json, "count", &instruction->count);
    json_object_end(json);
}

static void add_path(struct json_writer *json, const char *key, const struct cost_path *path, bool has_run)
{
    json_key(json, key);
    json_object_begin(json);
    json_add_number(json, "least", path->least);
    json_add_number(json, "most", path->most);
    json_add_number(json, "instructions", path->instructions);
    json_add_boolean(json, "has_loop", path->has_loop);
    json_add_boolean(json, "has_barrier", path->has_barrier);
    if (has_run)
        add_real(json, "average", path->average);
    json_object_end(json);
}

static void add_branch(struct json_writer *json, const struct cost_branch *branch, bool has_run)
{
    json_object_begin(json);
    json_add_number(json, "instruction", branch->instruction);
    add_place(json, &branch->place);
    json_add_text(json, "class", cost_class_name(branch->class));
    json_add_boolean(json, "is_loop", branch->is_loop);
    json_add_boolean(json, "is_exit", branch->is_exit);
    json_add_number(json, "pattern", branch->pattern);
    json_add_number(json, "ways", branch->ways);
    add_number_or_none(json, "join", branch->join);
    add_path(json, "taken", &branch->taken, has_run);
    add_path(json, "not_taken", &branch->not_taken, has_run);
    json_add_number(json, "longest", branch->longest);
    json_add_number(json, "sum", branch->sum);
    json_add_number(json, "reconvergence", branch->reconvergence);
    json_add_boolean(json, "is_predicated", branch->is_predicated);
    if (has_run) {
        json_add_number(json, "executed", branch->executed);
        json_add_number(json, "all_taken", branch->all_taken);
        json_add_number(json, "none_taken", branch->none_taken);
        json_add_number(json, "divided", branch->divided);
        json_add_number(json, "paid", branch->paid);
        json_add_number(json, "extra", branch->extra);
        json_add_number(json, "extra_reconvergence", branch->extra_reconvergence);
    }
    add_number_or_none(json, "advice", branch->advice);
    json_object_end(json);
}

static void add_loop(struct json_writer *json, const struct cost_loop *loop, bool has_run)
{
    json_object_begin(json);
    add_place(json, &loop->place);
    json_add_number(json, "depth", loop->depth);
    add_number_or_none(json, "parent", loop->parent);
    json_add_number(json, "body", loop->body);
    json_add_optional(json, "trips", loop->trips);
    json_add_text(json, "trips_class", cost_class_name(loop->trips_class));
    json_add_optional(json, "reason", loop->reason);
    if (loop->has_value)
        json_add_number(json, "value", loop->value);
    if (has_run) {
        json_add_number(json, "entered", loop->entered);
        json_add_number(json, "trips_run", loop->trips_run);
    }
    json_object_end(json);
}

/* ---- the rest --------------------------------------------------------------------------------------------------------- */

static void add_occupancy(struct json_writer *json, const struct cost_occupancy *occupancy)
{
    json_key(json, "occupancy");
    json_object_begin(json);
    if (!occupancy->known) {
        json_add_text(json, "reason", occupancy->reason);
    } else {
        json_add_text(json, "target", occupancy->target);
        json_add_number(json, "registers", occupancy->registers);
        json_add_number(json, "spill_stores", occupancy->spill_stores);
        json_add_number(json, "spill_loads", occupancy->spill_loads);
        json_add_number(json, "static_shared_bytes", occupancy->static_shared);
    }
    if (occupancy->has_warps) {
        json_add_number(json, "blocks_per_sm", occupancy->blocks_per_sm);
        json_add_number(json, "warps_per_sm", occupancy->warps_per_sm);
        json_add_number(json, "warps_limit", occupancy->warps_limit);
        json_add_text(json, "limiter", occupancy->limiter);
    }
    json_object_end(json);
}

static void add_memory(struct json_writer *json, const struct cost_memory *memory)
{
    json_key(json, "memory");
    json_object_begin(json);
    add_count(json, "global", &memory->global);
    add_count(json, "shared", &memory->shared);
    add_count(json, "local", &memory->local);
    add_real(json, "bytes_per_issue", memory->bytes_per_issue);
    add_real(json, "device_ratio", memory->device_ratio);
    json_add_boolean(json, "is_memory_bound", memory->is_memory_bound);
    json_object_end(json);
}

static void add_machine(struct json_writer *json, const struct cost_machine *machine)
{
    json_key(json, "machine");
    json_object_begin(json);
    json_add_number(json, "issued", machine->issued);
    add_real(json, "lanes_on", cost_machine_lanes_on(machine));
    json_add_number(json, "predicated", machine->predicated);
    json_add_number(json, "reconvergence", machine->reconvergence);
    json_object_end(json);
}

static void add_advice(struct json_writer *json, const struct cost_advice *advice)
{
    json_object_begin(json);
    json_add_text(json, "rule", cost_rule_name(advice->rule));
    json_add_text(json, "text", cost_rule_text(advice->rule));
    add_place(json, &advice->place);
    json_add_text(json, "message", advice->message);
    json_add_optional(json, "why", advice->why);
    if (advice->has_price) {
        json_add_number(json, "before", advice->before);
        json_add_number(json, "after", advice->after);
        json_add_text(json, "unit", advice->unit);
    }
    json_add_boolean(json, "does_not_pay", advice->does_not_pay);
    json_add_optional(json, "not_binding", advice->not_binding);
    json_object_end(json);
}

static void add_finding(struct json_writer *json, const struct finding *finding, const char *kernel)
{
    json_object_begin(json);
    json_add_finding(json, finding, kernel);
    json_add_finding_advice(json, finding);
    json_object_end(json);
}

#define ADD_LIST(key, list, add)                         \
    do {                                                 \
        json_key(json, key);                             \
        json_array_begin(json);                          \
        for (uint32_t i = 0; i < (list).count; i++)      \
            add;                                         \
        json_array_end(json);                            \
    } while (0)

void cost_print_json(const struct cost_result *result, struct json_writer *json)
{
    bool has_run = result->launch.has_run;
    json_object_begin(json);
    json_add_text(json, "name", result->name);
    json_add_text(json, "demangled", result->shown);
    add_place(json, &result->place);
    json_add_optional(json, "compiler", result->compiler);
    json_add_optional(json, "not_analysed", result->not_analysed);
    json_key(json, "questions");
    json_array_begin(json);
    for (unsigned q = 0; q < COST_QUESTIONS; q++) {
        json_object_begin(json);
        json_add_text(json, "title", result->questions[q].title);
        json_add_text(json, "verdict", cost_verdict_name(result->questions[q].verdict));
        json_add_text(json, "answer", result->questions[q].answer);
        json_object_end(json);
    }
    json_array_end(json);
    add_launch(json, &result->launch);
    if (has_run)
        add_count(json, "total", &result->total);
    json_key(json, "static");
    json_object_begin(json);
    json_add_number(json, "least", result->least);
    json_add_number(json, "most", result->most);
    json_add_boolean(json, "has_loop", result->has_loop);
    json_object_end(json);
    ADD_LIST("lines", result->lines, add_line(json, &result->lines.data[i], has_run));
    ADD_LIST("instructions", result->instructions, add_instruction(json, result, &result->instructions.data[i]));
    ADD_LIST("branches", result->branches, add_branch(json, &result->branches.data[i], has_run));
    ADD_LIST("loops", result->loops, add_loop(json, &result->loops.data[i], has_run));
    if (has_run)
        add_memory(json, &result->memory);
    if (has_run)
        add_machine(json, &result->machine);
    add_occupancy(json, &result->occupancy);
    ADD_LIST("advice", result->advice, add_advice(json, &result->advice.data[i]));
    ADD_LIST("findings", result->findings, add_finding(json, &result->findings.data[i], result->name));
    json_object_end(json);
}
