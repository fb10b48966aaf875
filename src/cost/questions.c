/* SPDX-License-Identifier: Apache-2.0
 *
 * The four questions in their order (block size, conditions, barriers, memory), and LW601.
 */
#include "cost/build.h"

static const char *number(struct arena *arena, uint64_t value)
{
    char digits[32];
    return arena_string(arena, text_group_digits(value, digits));
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- 1 ------------------------------------------------------------------------------------------------------------- */

static struct cost_question ask_block(struct cost_result *result)
{
    const struct cost_launch *launch = &result->launch;
    struct cost_question question = {.title = "block size", .verdict = COST_OPEN};
    if (!launch->known) {
        question.answer = launch->was_given ? "the launch did not run: see above" : "no launch to look at: name one with --launch";
        return question;
    }
    question.verdict = launch->idle_slots_per_block == 0 ? COST_GOOD : COST_BAD;
    if (launch->idle_slots_per_block == 0)
        question.answer = arena_printf(result->arena, "%llu threads fill %llu warp%s, no lane slot is idle", (unsigned long long)launch->threads_per_block,
                                       (unsigned long long)launch->warps_per_block, plural(launch->warps_per_block));
    else
        question.answer = arena_printf(result->arena, "%llu threads take %llu warp%s: %u of %u lane slots idle (%.1f %%)",
                                       (unsigned long long)launch->threads_per_block, (unsigned long long)launch->warps_per_block,
                                       plural(launch->warps_per_block), launch->idle_slots_per_block, launch->slots_per_block,
                                       100.0 * launch->idle_slots_per_block / launch->slots_per_block);
    return question;
}

/* ---- 2 ------------------------------------------------------------------------------------------------------------- */

static void list_classes(struct buffer *out, const uint32_t counts[COST_CLASS_COUNT])
{
    const char *separator = "";
    for (int class = 0; class < COST_CLASS_COUNT; class++) {
        if (counts[class] == 0)
            continue;
        buffer_printf(out, "%s%u %s%s", separator, counts[class], cost_class_is_uniform((enum cost_class)class) ? "uniform in the " : "",
                      cost_class_name((enum cost_class)class));
        separator = ", ";
    }
}

static struct cost_question ask_conditions(struct cost_result *result)
{
    struct cost_question question = {.title = "conditions", .verdict = COST_GOOD};
    uint32_t counts[COST_CLASS_COUNT] = {0};
    uint64_t divided = 0, executed = 0, extra = 0;
    bool divides_most = false; /* some branch, half of its warps or more, and is no short body that is predicated */
    struct buffer text;
    for (uint32_t b = 0; b < result->branches.count; b++) {
        const struct cost_branch *branch = &result->branches.data[b];
        counts[branch->class]++;
        divided += branch->divided;
        executed += branch->executed;
        extra += branch->extra;
        divides_most |= (branch->class == COST_CLASS_LANE || branch->class == COST_CLASS_DATA) && branch->divided != 0 &&
                        branch->divided * 2 >= branch->executed && (branch->extra != 0 || !branch->is_predicated);
    }
    if (result->branches.count == 0) {
        question.answer = "no conditional branch";
        return question;
    }
    buffer_init(&text, result->arena);
    buffer_printf(&text, "%u branch%s: ", result->branches.count, result->branches.count == 1 ? "" : "es");
    list_classes(&text, counts);
    if (result->launch.has_run && executed != 0) {
        buffer_printf(&text, "; %s of %s times a warp was divided (%.2f %%)", number(result->arena, divided), number(result->arena, executed),
                      100.0 * (double)divided / (double)executed);
        if (extra != 0)
            buffer_printf(&text, ", which added %s warp instructions", number(result->arena, extra));
    }
    if (counts[COST_CLASS_LANE] + counts[COST_CLASS_DATA] != 0)
        question.verdict = result->launch.has_run && !divides_most && extra * 50 < result->total.issued ? COST_GOOD : COST_LOOK; /* less than 2 % */
    if (counts[COST_CLASS_UNKNOWN] != 0)
        question.verdict = COST_OPEN;
    question.answer = text.data;
    return question;
}

/* ---- 3 ------------------------------------------------------------------------------------------------------------- */

static struct cost_question ask_barriers(struct cost_result *result)
{
    struct cost_question question = {.title = "barriers", .verdict = COST_GOOD, .answer = "none"};
    uint32_t barriers = 0, worst = COST_NONE;
    for (uint32_t i = 0; i < result->instructions.count; i++) {
        const struct cost_instruction *instruction = &result->instructions.data[i];
        if (instruction->kind != COST_BARRIER)
            continue;
        barriers++;
        if (instruction->reach > COST_CLASS_BLOCK && (worst == COST_NONE || instruction->reach > result->instructions.data[worst].reach))
            worst = i;
    }
    if (barriers == 0)
        return question;
    if (worst == COST_NONE) {
        question.answer = arena_printf(result->arena, "%u barrier%s, reached by all threads of a block or by none", barriers, plural(barriers));
        return question;
    }
    const struct cost_instruction *found = &result->instructions.data[worst];
    question.verdict = found->reach == COST_CLASS_UNKNOWN ? COST_OPEN : COST_LOOK;
    question.answer = arena_printf(result->arena, "the barrier at line %u stands under a condition (%s): `lanewise check` says whether all threads reach it",
                                   found->place.line, cost_class_name(found->reach));
    return question;
}

/* ---- 4 ------------------------------------------------------------------------------------------------------------- */

static struct cost_question ask_memory(struct cost_result *result)
{
    const struct cost_memory *memory = &result->memory;
    struct cost_question question = {.title = "memory", .verdict = COST_GOOD};
    struct buffer text;
    if (!result->launch.has_run) {
        question.verdict = COST_OPEN;
        question.answer = "accesses are counted when a launch runs";
        return question;
    }
    buffer_init(&text, result->arena);
    buffer_puts(&text, "");
    if (memory->global.requests != 0) {
        /* Judged by what another order of the elements could save: a request for few bytes, as of one value by all lanes, moves a sector all the same. */
        double needed = memory->global.sectors == 0 ? 1 : (double)memory->global.sectors_least / (double)memory->global.sectors;
        double used = cost_bytes_used(&memory->global);
        buffer_printf(&text, "global: %.1f sectors a request, %.0f %% of their bytes used", cost_sectors_per_request(&memory->global), 100 * used);
        if (needed < 0.5)
            question.verdict = COST_BAD;
        else if (needed < 0.9)
            question.verdict = COST_LOOK;
        else if (used < 0.9)
            buffer_puts(&text, needed < 1 ? ", hardly more sectors than such requests need" : ", no more sectors than such requests need");
    }
    if (memory->shared.passes != 0) {
        buffer_printf(&text, "%sshared: %s of %s passes are bank conflicts", text.size == 0 ? "" : "; ", number(result->arena, memory->shared.conflicts),
                      number(result->arena, memory->shared.passes));
        if (memory->shared.same_word != 0)
            buffer_printf(&text, ", %s of them atomics at one word", number(result->arena, memory->shared.same_word));
        if (memory->shared.conflicts * 4 > memory->shared.passes && question.verdict == COST_GOOD)
            question.verdict = COST_LOOK;
    }
    if (memory->local.requests != 0)
        buffer_printf(&text, "%slocal: %s sectors", text.size == 0 ? "" : "; ", number(result->arena, memory->local.sectors));
    if (text.size == 0)
        buffer_puts(&text, "no access");
    else if (memory->is_memory_bound)
        buffer_printf(&text, "; memory is the limit: %.1f bytes a warp instruction (H200: %.1f)", memory->bytes_per_issue, memory->device_ratio);
    question.answer = text.data;
    return question;
}

void cost_answer(struct cost_result *result)
{
    result->questions[0] = ask_block(result);
    result->questions[1] = ask_conditions(result);
    result->questions[2] = ask_barriers(result);
    result->questions[3] = ask_memory(result);
}

/* ---- LW601 ------------------------------------------------------------------------------------------------------------ */

static bool is_worth_a_note(const struct cost_result *result, const struct cost_branch *branch)
{
    if (branch->class != COST_CLASS_LANE && branch->class != COST_CLASS_DATA)
        return false;
    bool has_sides = branch->taken.most != 0 && branch->not_taken.most != 0; /* else a divided warp issues no more than one that goes in */
    return result->launch.has_run ? branch->divided != 0 && branch->extra != 0 : !branch->is_loop && !branch->is_exit && has_sides;
}

static const char *price_text(struct arena *arena, const struct cost_branch *branch, bool has_run)
{
    const char *by = branch->class == COST_CLASS_DATA ? "by data" : "by the lane's number";
    if (branch->is_loop && has_run)
        return arena_printf(arena, "parts lanes %s in a loop: %s warp instructions where full warps would issue %s", by, number(arena, branch->paid),
                            number(arena, branch->paid - branch->extra));
    if (has_run && branch->ways > 2)
        return arena_printf(arena, "splits %s of %s warps %s over %u ways: each issues all that some lane takes; %s warp instructions more in this launch",
                            number(arena, branch->divided), number(arena, branch->executed), by, branch->ways, number(arena, branch->extra));
    if (branch->ways > 2)
        return arena_printf(arena, "splits warps %s over %u ways: a divided warp issues up to %u instructions, else %u at most", by, branch->ways, branch->sum,
                            branch->longest);
    if (!has_run)
        return arena_printf(arena, "splits warps %s: a divided warp issues %u instructions, %u + %u, else %u at most", by, branch->sum,
                            branch->taken.most, branch->not_taken.most, branch->longest);
    return arena_printf(arena, "splits %s of %s warps %s: each issues both sides, %.0f + %.0f; %s warp instructions more in this launch",
                        number(arena, branch->divided), number(arena, branch->executed), by, branch->taken.average, branch->not_taken.average,
                        number(arena, branch->extra));
}

void cost_find(struct cost_result *result)
{
    bool has_run = result->launch.has_run;
    for (uint32_t b = 0; b < result->branches.count; b++) {
        const struct cost_branch *branch = &result->branches.data[b];
        const struct cost_instruction *instruction = &result->instructions.data[branch->instruction];
        if (!is_worth_a_note(result, branch))
            continue;
        struct finding *finding = vec_push(result->arena, &result->findings);
        *finding = (struct finding){.kind = FINDING_DIVERGENT_BRANCH,
                                    .severity = SEVERITY_NOTE,
                                    .status = has_run ? STATUS_SEEN : STATUS_INFERRED,
                                    .place = branch->place,
                                    .ptx_place = {.file = result->module->name, .line = instruction->ptx_line},
                                    .kernel = result->name,
                                    .kernel_shown = result->shown,
                                    .message = price_text(result->arena, branch, has_run),
                                    .count = has_run ? branch->divided : 1};
        if (branch->advice != COST_NONE)
            finding->help = result->advice.data[branch->advice].message;
    }
}

void cost_conclude(struct cost_result *result)
{
    cost_advise(result);
    cost_answer(result);
    cost_find(result);
}
