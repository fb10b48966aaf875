/* SPDX-License-Identifier: Apache-2.0
 *
 * The view for a terminal: the four questions, the launch, the source line by line as `perf annotate` shows it, advice.
 *
 * Numbers stand right-aligned with their unit in the heading; what a line's branch or memory costs stands under the line.
 */
#include "cost/cost.h"

#include <string.h>

enum { GAP = 4, MAX_TEXT = 4000 }; /* lines without instructions that are still shown; bytes of one line */

struct text_view {
    const struct cost_result *result;
    const struct cost_style *style;
    struct buffer *out;
};

enum tone { TONE_PLAIN, TONE_BOLD, TONE_DIM, TONE_RED, TONE_YELLOW, TONE_GREEN };

static void begin(const struct text_view *view, enum tone tone)
{
    static const char *const codes[] = {"", "\033[1m", "\033[2m", "\033[31m", "\033[33m", "\033[32m"};
    if (view->style->colour)
        buffer_puts(view->out, codes[tone]);
}

static void end(const struct text_view *view, enum tone tone)
{
    if (view->style->colour && tone != TONE_PLAIN)
        buffer_puts(view->out, "\033[0m");
}

static void put(const struct text_view *view, enum tone tone, const char *text)
{
    begin(view, tone);
    buffer_puts(view->out, text);
    end(view, tone);
}

static const char *number(const struct text_view *view, uint64_t value)
{
    char digits[32];
    return arena_string(view->out->arena, text_group_digits(value, digits));
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

/* Words of `text`, each line begun by `indent` blanks; the first line has begun. */
static void put_wrapped(const struct text_view *view, const char *text, uint32_t indent)
{
    uint32_t width = view->style->width == 0 ? 120 : view->style->width, column = indent;
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        if (text[size] == ' ' && text[size + 1] == '%') /* a number stays with its unit */
            size += 1 + strcspn(text + size + 1, " ");
        if (column > indent && column + 1 + size > width) {
            buffer_printf(view->out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            buffer_putc(view->out, ' ');
            column++;
        }
        buffer_add(view->out, text, size);
        column += (uint32_t)size;
        text += size;
        text += *text == ' ';
    }
    buffer_putc(view->out, '\n');
}

/* ---- head ------------------------------------------------------------------------------------------------------------ */

static void put_sizes(const struct text_view *view, const char *name, const uint64_t sizes[3])
{
    unsigned count = sizes[2] != 1 ? 3 : sizes[1] != 1 ? 2 : 1;
    buffer_printf(view->out, "   %s ", name);
    for (unsigned axis = 0; axis < count; axis++)
        buffer_printf(view->out, "%s%s", axis == 0 ? "" : " x ", number(view, sizes[axis]));
}

/* "1,000,000" of "1000000"; anything else as it is. */
static const char *grouped(const struct text_view *view, const char *value)
{
    uint64_t number_value = 0;
    if (value[0] == '\0' || strlen(value) > 19 || value[strspn(value, "0123456789")] != '\0')
        return value;
    for (const char *at = value; *at != '\0'; at++)
        number_value = number_value * 10 + (uint64_t)(*at - '0');
    return number(view, number_value);
}

static void put_head(const struct text_view *view)
{
    const struct cost_result *result = view->result;
    const struct cost_launch *launch = &result->launch;
    put(view, TONE_BOLD, result->shown);
    if (result->place.line != 0)
        buffer_printf(view->out, "   %s:%u", result->place.file, result->place.line);
    if (result->compiler != NULL)
        buffer_printf(view->out, "   %s", result->compiler);
    buffer_putc(view->out, '\n');
    if (!launch->known) {
        buffer_printf(view->out, "without a launch: %s\n", launch->trouble);
        return;
    }
    const char *separator = "";
    for (uint32_t i = 0; i < launch->scalars.count; i++) {
        buffer_printf(view->out, "%s%s = %s", separator, launch->scalars.data[i].name, grouped(view, launch->scalars.data[i].value));
        separator = ", ";
    }
    if (launch->scalars.count == 0)
        buffer_puts(view->out, "launch");
    put_sizes(view, "grid", launch->grid);
    put_sizes(view, "block", launch->block);
    if (launch->dynamic_shared != 0)
        buffer_printf(view->out, "   dynamic shared %s bytes", number(view, launch->dynamic_shared));
    buffer_putc(view->out, '\n');
}

static void put_questions(const struct text_view *view)
{
    static const uint8_t tones[] = {[COST_GOOD] = TONE_GREEN, [COST_LOOK] = TONE_YELLOW, [COST_BAD] = TONE_RED, [COST_OPEN] = TONE_DIM};
    buffer_putc(view->out, '\n');
    for (unsigned q = 0; q < COST_QUESTIONS; q++) {
        const struct cost_question *question = &view->result->questions[q];
        buffer_printf(view->out, "%u %-11s ", q + 1, question->title);
        begin(view, (enum tone)tones[question->verdict]);
        buffer_printf(view->out, "%-4s", cost_verdict_name(question->verdict));
        end(view, (enum tone)tones[question->verdict]);
        buffer_puts(view->out, "  ");
        put_wrapped(view, question->answer, 20);
    }
}

/* ---- the launch -------------------------------------------------------------------------------------------------------- */

static void put_row(const struct text_view *view, const char *name, uint64_t value, const char *text)
{
    buffer_printf(view->out, "%-13s %14s  ", name, number(view, value));
    put_wrapped(view, text, 30);
}

static void put_block(const struct text_view *view, const struct cost_block *block)
{
    struct arena *arena = view->out->arena;
    uint32_t idle = block->warp_count - block->warps_working;
    const char *work = idle == 0 ? "" : arena_printf(arena, ", %u idle", idle);
    buffer_printf(view->out, "%-13s %14s  ", arena_printf(arena, "%s block", block->role),
                  arena_printf(arena, "#%s", number(view, block->number)));
    put_wrapped(view, arena_printf(arena, "%u of %u threads with work: %u warp%s work%s%s; %s warp instructions", block->threads_working, block->threads,
                                   block->warps_working, block->warps_working == 1 ? "" : "s", block->warps_working == 1 ? "s" : "", work,
                                   number(view, block->issued)),
                30);
}

/* Where what ptxas does changes how many lanes are on. */
static void put_machine(const struct text_view *view)
{
    const struct cost_machine *machine = &view->result->machine;
    struct arena *arena = view->out->arena;
    double lanes = cost_lanes_on(&view->result->total), there = cost_machine_lanes_on(machine);
    if (there > 0.995 * lanes && there < 1.005 * lanes)
        return;
    const char *predicated = machine->predicated == 0 ? "" : arena_printf(arena, "%u branch%s predicated, ", machine->predicated, machine->predicated == 1 ? "" : "es");
    put_row(view, "on a machine", machine->reconvergence,
            arena_printf(arena, "more to bring lanes together, %sabout %.1f lanes not predicated off", predicated, there));
}

static void put_launch(const struct text_view *view)
{
    const struct cost_result *result = view->result;
    const struct cost_launch *launch = &result->launch;
    struct arena *arena = view->out->arena;
    if (!launch->known)
        return;
    buffer_putc(view->out, '\n');
    put_row(view, "blocks", launch->blocks, arena_printf(arena, "of %s threads, %s warp%s", number(view, launch->threads_per_block),
                                                         number(view, launch->warps_per_block), launch->warps_per_block == 1 ? "" : "s"));
    const char *means = launch->work == COST_WORK_TOUCHES ? " (touch global memory)" : "";
    if (launch->work == COST_WORK_UNKNOWN) {
        put_row(view, "threads", launch->threads, "");
        put_row(view, "warps", launch->warps, "");
    } else {
        put_row(view, "threads", launch->threads,
                arena_printf(arena, "%s with work%s, %s surplus (%.2f %%)", number(view, launch->useful), means, number(view, launch->surplus),
                             percent(launch->surplus, launch->threads)));
        put_row(view, "warps", launch->warps,
                arena_printf(arena, "%s with work, %s with none (%.2f %%)", number(view, launch->warps_working), number(view, launch->warps_idle),
                             percent(launch->warps_idle, launch->warps)));
    }
    if (launch->idle_slots_per_block != 0)
        put_row(view, "idle slots", launch->idle_slots_per_block,
                arena_printf(arena, "of %u in each block (%.1f %%): the last warp has %u live lane%s", launch->slots_per_block,
                             percent(launch->idle_slots_per_block, launch->slots_per_block), launch->lanes_last_warp, launch->lanes_last_warp == 1 ? "" : "s"));
    for (uint32_t b = 0; b < launch->blocks_shown.count; b++)
        if (launch->blocks > 1 && (b != 0 || launch->blocks_shown.count == 1 || strcmp(launch->blocks_shown.data[b].role, "first") != 0))
            put_block(view, &launch->blocks_shown.data[b]);
    if (launch->has_run) {
        put_row(view, "issued", result->total.issued,
                arena_printf(arena, "warp instructions, %.2f lanes active, %.2f not predicated off", cost_active_lanes(&result->total),
                             cost_lanes_on(&result->total)));
        if (launch->warps_idle != 0)
            put_row(view, "", launch->idle_issued, arena_printf(arena, "of them by warps without work (%.3f %%)", percent(launch->idle_issued, result->total.issued)));
        put_machine(view);
    } else {
        buffer_printf(view->out, "not run: %s\n", launch->stopped != NULL ? launch->stopped : "nothing was executed");
    }
    if (launch->has_run && launch->stopped != NULL)
        buffer_printf(view->out, "stopped: %s; counts are of what ran (%s blocks)\n", launch->stopped, number(view, launch->blocks_run));
}

static void put_occupancy(const struct text_view *view)
{
    const struct cost_occupancy *occupancy = &view->result->occupancy;
    struct arena *arena = view->out->arena;
    if (!occupancy->known)
        return;
    const char *spills = occupancy->spill_stores + occupancy->spill_loads == 0
                             ? ""
                             : arena_printf(arena, ", %u bytes spilled", occupancy->spill_stores);
    const char *warps = "";
    if (occupancy->has_warps && occupancy->blocks_per_sm == 0)
        warps = arena_printf(arena, ": no block fits a multiprocessor, a device refuses the launch (%s)", occupancy->limiter);
    else if (occupancy->has_warps)
        warps = arena_printf(arena, ": %u block%s a multiprocessor, %u of %u warps, limited by %s", occupancy->blocks_per_sm,
                             occupancy->blocks_per_sm == 1 ? "" : "s", occupancy->warps_per_sm, occupancy->warps_limit, occupancy->limiter);
    put_row(view, "registers", occupancy->registers, arena_printf(arena, "a thread (%s)%s%s", occupancy->target, spills, warps));
}

/* ---- the source ---------------------------------------------------------------------------------------------------------- */

static enum tone heat(double share)
{
    return share >= 20 ? TONE_RED : share >= 5 ? TONE_YELLOW : TONE_PLAIN;
}

static void put_columns(const struct text_view *view, const struct cost_count *count, uint32_t instructions, enum cost_class reach)
{
    const struct cost_result *result = view->result;
    if (!result->launch.has_run) {
        buffer_printf(view->out, "%6u  %-12s ", instructions, cost_class_name(reach));
        return;
    }
    if (count->issued == 0) {
        buffer_printf(view->out, "%12s %5s %6s %6s %5u  %-12s ", "-", "", "", "", instructions, cost_class_name(reach));
        return;
    }
    double share = percent(count->issued, result->total.issued);
    buffer_printf(view->out, "%12s ", number(view, count->issued));
    begin(view, heat(share));
    buffer_printf(view->out, "%5.1f", share);
    end(view, heat(share));
    buffer_printf(view->out, " %6.2f %6.2f %5u  %-12s ", cost_active_lanes(count), cost_lanes_on(count), instructions, cost_class_name(reach));
}

static uint32_t columns_width(const struct text_view *view)
{
    return view->result->launch.has_run ? 53 : 21;
}

static void put_toned_note(const struct text_view *view, enum tone tone, const char *text)
{
    uint32_t indent = columns_width(view) + 6;
    buffer_printf(view->out, "%*s", (int)indent, "");
    begin(view, tone);
    buffer_puts(view->out, "^ ");
    put_wrapped(view, text, indent + 2);
    end(view, tone);
}

static void put_note(const struct text_view *view, const char *text)
{
    put_toned_note(view, TONE_DIM, text);
}

static const char *path_text(const struct text_view *view, const struct cost_path *path)
{
    struct arena *arena = view->out->arena;
    return path->least == path->most ? arena_printf(arena, "%u", path->most) : arena_printf(arena, "%u to %u", path->least, path->most);
}

static void put_branch(const struct text_view *view, const struct cost_branch *branch)
{
    struct arena *arena = view->out->arena;
    struct buffer text;
    buffer_init(&text, arena);
    buffer_printf(&text, "%s, %s: ", branch->is_loop ? "loop" : branch->is_exit ? "guard" : "branch", cost_class_name(branch->class));
    if (view->result->launch.has_run && branch->executed == 0) {
        buffer_puts(&text, "never reached");
    } else if (view->result->launch.has_run) {
        buffer_printf(&text, "%s of %s warps divided", number(view, branch->divided), number(view, branch->executed));
        if (!branch->is_loop)
            buffer_printf(&text, ", %s take it, %s do not", number(view, branch->all_taken), number(view, branch->none_taken));
    }
    if (!branch->is_loop) {
        buffer_printf(&text, "%ssides of %s and %s instructions", view->result->launch.has_run ? "; " : "", path_text(view, &branch->taken),
                      path_text(view, &branch->not_taken));
        if (branch->taken.has_loop || branch->not_taken.has_loop)
            buffer_puts(&text, ", loop bodies once");
        if (!cost_class_is_uniform(branch->class) && branch->taken.most != 0 && branch->not_taken.most != 0)
            buffer_printf(&text, ": %u, or %u in a divided warp", branch->longest, branch->sum);
    }
    if (view->result->launch.has_run && branch->extra != 0)
        buffer_printf(&text, "; both sides add %s here (%.1f %%)", number(view, branch->extra), percent(branch->extra, view->result->total.issued));
    if (view->result->launch.has_run && branch->extra_reconvergence != 0)
        buffer_printf(&text, "; bringing lanes together again: %s machine instructions", number(view, branch->extra_reconvergence));
    put_note(view, text.data);
}

static void put_loop(const struct text_view *view, const struct cost_loop *loop)
{
    struct arena *arena = view->out->arena;
    struct buffer text;
    buffer_init(&text, arena);
    buffer_printf(&text, "loop of %u instructions, trips ", loop->body);
    if (loop->trips != NULL)
        buffer_printf(&text, "%s", loop->trips);
    else
        buffer_printf(&text, "not known (%s)", loop->reason != NULL ? loop->reason : "the kernel is too large to analyse");
    if (loop->has_value && loop->trips != NULL && loop->trips[strspn(loop->trips, "0123456789")] != '\0')
        buffer_printf(&text, " = %s", number(view, loop->value));
    if (loop->entered != 0)
        buffer_printf(&text, "; %s warps came in and made %.1f each", number(view, loop->entered), (double)loop->trips_run / (double)loop->entered);
    put_note(view, text.data);
}

static void put_memory(const struct text_view *view, const struct cost_line *line)
{
    struct arena *arena = view->out->arena;
    const struct cost_count *count = &line->count;
    if (count->sectors != 0) {
        put_note(view, arena_printf(arena, "memory: %.2f sectors a request, %.0f %% of their bytes used", cost_sectors_per_request(count),
                                    100 * cost_bytes_used(count)));
    }
    if (count->conflicts != 0)
        put_note(view, arena_printf(arena, "shared: %s of %s passes are bank conflicts%s", number(view, count->conflicts), number(view, count->passes),
                                    count->same_word == 0 ? "" : arena_printf(arena, ", %s of them atomics at one word", number(view, count->same_word))));
}

static bool is_same_file(const struct place *a, const struct place *b)
{
    return a->file != NULL && b->file != NULL && strcmp(a->file, b->file) == 0;
}

static void put_finding(const struct text_view *view, const struct cost_line *line)
{
    for (uint32_t f = 0; f < view->result->findings.count; f++) {
        const struct finding *finding = &view->result->findings.data[f];
        if (finding->place.line == line->place.line && is_same_file(&finding->place, &line->place))
            put_toned_note(view, finding->severity == SEVERITY_ERROR ? TONE_RED : TONE_YELLOW,
                           arena_printf(view->out->arena, "LW%u: %s", finding_info(finding->kind)->number, finding->message));
    }
}

static void put_source_text(const struct text_view *view, uint32_t line, const char *text)
{
    buffer_printf(view->out, "%5u ", line);
    if (text != NULL)
        for (const char *at = text; *at != '\0' && at - text < MAX_TEXT; at++)
            buffer_puts(view->out, *at == '\t' ? "    " : (char[]){*at, '\0'});
    buffer_putc(view->out, '\n');
}

/* Uniform branches say nothing; LW601 says it all. */
static bool has_own_note(const struct text_view *view, const struct cost_branch *branch)
{
    if (cost_class_is_uniform(branch->class) && branch->divided == 0)
        return false;
    for (uint32_t f = 0; f < view->result->findings.count; f++)
        if (view->result->findings.data[f].kind == FINDING_DIVERGENT_BRANCH &&
            view->result->findings.data[f].place.line == branch->place.line)
            return false;
    return true;
}

static void put_instructions(const struct text_view *view, uint32_t line)
{
    for (uint32_t i = 0; i < view->result->instructions.count; i++) {
        const struct cost_instruction *instruction = &view->result->instructions.data[i];
        if (instruction->line != line)
            continue;
        put_columns(view, &instruction->count, instruction->ptx_line, instruction->reach);
        begin(view, TONE_DIM);
        buffer_printf(view->out, "        %s", instruction->text);
        end(view, TONE_DIM);
        buffer_putc(view->out, '\n');
    }
}

static void put_line(const struct text_view *view, uint32_t index)
{
    const struct cost_result *result = view->result;
    const struct cost_line *line = &result->lines.data[index];
    put_columns(view, &line->count, line->instructions, line->reach);
    put_source_text(view, line->place.line, line->text);
    for (uint32_t l = 0; l < result->loops.count; l++)
        if ((!result->launch.has_run || result->loops.data[l].entered != 0) && result->loops.data[l].place.line == line->place.line && is_same_file(&result->loops.data[l].place, &line->place))
            put_loop(view, &result->loops.data[l]);
    if (line->branch != COST_NONE && !result->branches.data[line->branch].is_loop && has_own_note(view, &result->branches.data[line->branch]))
        put_branch(view, &result->branches.data[line->branch]);
    put_memory(view, line);
    put_finding(view, line);
    if (view->style->all)
        put_instructions(view, index);
}

/* Lines between two lines with instructions, when they are few. */
static void put_gap(const struct text_view *view, const struct cost_line *from, const struct cost_line *to)
{
    const struct cost_result *result = view->result;
    uint32_t count = to->place.line - from->place.line - 1;
    if (count > GAP)
        buffer_printf(view->out, "%*s  ...\n", (int)columns_width(view), "");
    if (count == 0 || count > GAP || result->read_source == NULL || from->place.file == NULL)
        return;
    const char *text = result->read_source(result->source_context, from->place.file);
    for (uint32_t line = 1; text != NULL && line < to->place.line; line++) {
        size_t size = strcspn(text, "\r\n");
        if (line > from->place.line) {
            buffer_printf(view->out, "%*s", (int)columns_width(view), "");
            begin(view, TONE_DIM);
            put_source_text(view, line, arena_text(view->out->arena, text, size));
            end(view, TONE_DIM);
        }
        text = strchr(text, '\n');
        text = text == NULL ? NULL : text + 1;
    }
}

static void put_source(const struct text_view *view)
{
    const struct cost_result *result = view->result;
    const struct cost_line *last = NULL;
    if (result->lines.count == 0)
        return;
    buffer_putc(view->out, '\n');
    begin(view, TONE_BOLD);
    if (result->launch.has_run)
        buffer_printf(view->out, "%12s %5s %6s %6s %5s  %s", "issued", "%", "lanes", "on", "code", "condition");
    else
        buffer_printf(view->out, "%6s  %s", "code", "condition");
    end(view, TONE_BOLD);
    buffer_putc(view->out, '\n');
    for (uint32_t i = 0; i < result->lines.count; i++) {
        const struct cost_line *line = &result->lines.data[i];
        bool new_file = last == NULL || !is_same_file(&last->place, &line->place);
        if (new_file)
            buffer_printf(view->out, "%*s%s\n", (int)columns_width(view), "", line->place.file == NULL ? "no source" : line->place.file);
        else
            put_gap(view, last, line);
        put_line(view, i);
        last = line;
    }
}

/* ---- advice ------------------------------------------------------------------------------------------------------------------ */

static void put_advice(const struct text_view *view)
{
    const struct cost_result *result = view->result;
    struct arena *arena = view->out->arena;
    const char *not_binding = NULL; /* the same for all, said once */
    for (uint32_t i = 0; i < result->advice.count; i++) {
        const struct cost_advice *advice = &result->advice.data[i];
        struct buffer text;
        buffer_init(&text, arena);
        buffer_printf(view->out, "%s", i == 0 ? "\n" : "");
        begin(view, advice->does_not_pay ? TONE_DIM : TONE_BOLD);
        buffer_printf(view->out, "%-15s", cost_rule_name(advice->rule));
        end(view, advice->does_not_pay ? TONE_DIM : TONE_BOLD);
        buffer_putc(view->out, ' ');
        if (advice->place.line != 0)
            buffer_printf(&text, "line %u: ", advice->place.line);
        buffer_printf(&text, "%s", advice->message);
        if (advice->has_price && !advice->does_not_pay && advice->before > advice->after)
            buffer_printf(&text, ": %s to about %s %s (-%.1f %%)", number(view, advice->before), number(view, advice->after), advice->unit,
                          percent(advice->before - advice->after, advice->before));
        put_wrapped(view, text.data, 16);
        if (advice->why != NULL) {
            buffer_printf(view->out, "%16s", "");
            put_wrapped(view, advice->why, 16);
        }
        if (advice->not_binding != NULL && !advice->does_not_pay)
            not_binding = advice->not_binding;
    }
    if (not_binding == NULL)
        return;
    put(view, TONE_BOLD, "will not show  ");
    buffer_putc(view->out, ' ');
    put_wrapped(view, arena_printf(arena, "in time where warp instructions are saved: %s", not_binding), 16);
}

static void put_errors(const struct text_view *view)
{
    bool is_first = true;
    for (uint32_t f = 0; f < view->result->findings.count; f++) {
        const struct finding *finding = &view->result->findings.data[f];
        if (finding->severity != SEVERITY_ERROR)
            continue;
        if (is_first)
            put(view, TONE_RED,
                view->result->launch.known ? "\nthe run found errors, the counts are of a faulty run; `lanewise run` shows them\n"
                                           : "\nthe launch is refused, nothing ran\n");
        is_first = false;
        buffer_printf(view->out, "LW%u   %s:%u: %s\n", finding_info(finding->kind)->number, finding->place.file == NULL ? "" : finding->place.file,
                      finding->place.line, finding->message);
    }
}

void cost_print_text(const struct cost_result *result, const struct cost_style *style, struct buffer *out)
{
    struct text_view view = {.result = result, .style = style, .out = out};
    put_head(&view);
    put_questions(&view);
    put_launch(&view);
    put_occupancy(&view);
    if (!result->launch.has_run)
        buffer_printf(out, "\na warp issues %s%u instructions%s\n",
                      result->least == result->most ? "" : arena_printf(out->arena, "%u to ", result->least), result->most,
                      result->has_loop ? ", each loop body once" : "");
    if (result->not_analysed != NULL)
        buffer_printf(out, "who reaches what is not known: %s\n", result->not_analysed);
    put_source(&view);
    put_advice(&view);
    put_errors(&view);
}
