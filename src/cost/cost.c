/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of cost's kinds, classes and rules, and the static part of an answer from end to end.
 */
#include "cost/build.h"

const char *cost_kind_name(enum cost_kind kind)
{
    static const char *const names[COST_KIND_COUNT] = {
        "integer", "float",  "double",    "special",     "convert",      "move",        "compare",      "branch",
        "barrier", "warp",   "fence",     "matrix",      "parameter",    "global load", "global store", "shared load",
        "shared store", "local load", "local store", "constant load", "atomic", "texture", "call", "other"};
    return names[kind];
}

const char *cost_class_name(enum cost_class class)
{
    static const char *const names[COST_CLASS_COUNT] = {"launch", "block", "warp", "tail guard", "lane pattern", "data", "unknown"};
    return names[class];
}

const char *cost_verdict_name(enum cost_verdict verdict)
{
    static const char *const names[] = {"good", "look", "bad", "open"};
    return names[verdict];
}

static const struct rule_row {
    const char *name, *text;
} rules[COST_RULE_COUNT] = {
    {"block-multiple", "A block whose size is no multiple of 32 leaves lane slots of its last warp idle, in every block."},
    {"split-launch", "Full blocks need no tail guard: launch them apart where the instructions saved outweigh one more launch and the code twice."},
    {"predicate", "Predicate a guarded body where it would cost idle warps fewer instructions than the branch costs all warps."},
    {"early-return", "Guard a long body by leaving first: warps without work then issue only the test."},
    {"leave-short", "A branch on data whose shorter side is at most 4 instructions costs less than any cure: leave it."},
    {"two-launches", "Where a condition follows from the index, launch each side apart with whole warps: the condition becomes uniform."},
    {"partition", "Where data decides, sort or partition first if that saves more than the pass costs."},
    {"remap", "Where even and odd elements differ, let each lane take 2i and 2i + 1: every lane does the same."},
    {"coalesce", "Neighbouring lanes should touch neighbouring elements: each 32-byte sector is then moved once."},
    {"banks", "Lanes of a request should meet different banks of shared memory: pad the rows of an array that is read by columns."},
};

const char *cost_rule_name(enum cost_rule rule)
{
    return rules[rule].name;
}

const char *cost_rule_text(enum cost_rule rule)
{
    return rules[rule].text;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : (double)a / (double)b;
}

double cost_active_lanes(const struct cost_count *count)
{
    return ratio(count->threads, count->issued);
}

double cost_lanes_on(const struct cost_count *count)
{
    return ratio(count->on, count->issued);
}

double cost_sectors_per_request(const struct cost_count *count)
{
    return ratio(count->sectors, count->moving);
}

double cost_bytes_used(const struct cost_count *count)
{
    return count->sectors == 0 ? 1 : (double)count->sector_bytes / (32.0 * (double)count->sectors);
}

double cost_machine_lanes_on(const struct cost_machine *machine)
{
    return ratio(machine->on, machine->issued);
}

struct cost_result *cost_kernel(struct arena *arena, const struct cost_input *input)
{
    struct cost_result *result = ARENA_NEW(arena, struct cost_result);
    struct cost_builder *builder = ARENA_NEW(arena, struct cost_builder);
    *builder = (struct cost_builder){
        .arena = arena, .input = arena_copy(arena, input, sizeof *input), .result = result, .module = input->module};
    result->arena = arena;
    result->builder = builder;
    result->module = input->module;
    result->function = input->function;
    result->name = input->module->functions.data[input->function].name;
    result->shown = ptx_demangle(arena, result->name);
    result->place = input->place;
    result->compiler = input->compiler;
    result->read_source = input->read_source;
    result->source_context = input->context;
    result->launch.trouble = "no launch was given";
    result->occupancy.reason = "ptxas is asked only about a launch";
    cost_read_code(builder);
    cost_read_flow(builder);
    cost_classify(builder);
    cost_name_kinds(builder);
    cost_finish_flow(builder);
    cost_read_lines(builder);
    return result;
}
