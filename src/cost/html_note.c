/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands below a line of the source: findings, the price of its branches, its loops, its memory, advice.
 */
#include "cost/html.h"

enum { OF_ONE_KIND = 3 }; /* of one line; unrolled and inlined copies are alike */

static const char *const severity_tones[] = {"open", "look", "bad"};

/* Begins the notes of a line with the first one. */
struct notes {
    struct html *html;
    const char *before;
    bool begun;
};

static void begin(struct notes *notes)
{
    if (!notes->begun)
        html_puts(notes->html, notes->before);
    notes->begun = true;
}

/* ---- findings and advice: also in the list at the top ---------------------------------------------------------------------- */

/* The same stands there as advice. */
static bool is_advised(const struct cost_result *result, const char *text)
{
    for (uint32_t i = 0; i < result->advice.count; i++)
        if (text_equal(result->advice.data[i].message, text))
            return true;
    return false;
}

void html_write_finding(struct html *html, const struct finding *finding)
{
    html_printf(html, "<p class=%s><span class=tag>%s LW%u</span> ", severity_tones[finding->severity], report_severity_name(finding->severity),
                finding_info(finding->kind)->number);
    html_prose(html, finding->message); /* without the kernel's name: the page is about it */
    if (finding->label != NULL) {
        html_puts(html, " \xe2\x80\x94 ");
        html_prose(html, finding->label);
    }
    if (finding->count > 1) {
        html_puts(html, " <span class=quiet>(");
        html_number(html, finding->count);
        html_puts(html, " times)</span>");
    }
    for (uint32_t i = 0; i < finding->notes.count && i < HTML_LEVELS; i++) {
        html_puts(html, "<br>");
        html_prose(html, finding->notes.data[i].message);
        if (finding->notes.data[i].place.line != 0) {
            html_puts(html, " (");
            html_place(html, finding->notes.data[i].place);
            html_puts(html, ")");
        }
    }
    if (finding->help != NULL && !is_advised(html->result, finding->help)) {
        html_puts(html, "<br><b>help:</b> ");
        html_prose(html, finding->help);
    }
    html_puts(html, "</p>\n");
}

void html_write_one_advice(struct html *html, const struct cost_advice *advice, bool with_reasons)
{
    html_printf(html, "<p class=%s><span class=tag>advice</span> ", advice->does_not_pay ? "open" : "good");
    html_prose(html, advice->message);
    if (advice->has_price) {
        html_puts(html, ": <b>");
        html_number(html, advice->before);
        html_puts(html, " \xe2\x86\x92 ");
        html_number(html, advice->after);
        html_puts(html, "</b> ");
        html_text(html, advice->unit, HTML_PTX_BYTES);
        if (advice->after < advice->before) {
            html_puts(html, " (");
            html_percent(html, advice->before - advice->after, advice->before);
            html_puts(html, " fewer)");
        }
    }
    if (advice->why != NULL && with_reasons) {
        html_puts(html, "<br>");
        html_prose(html, advice->why);
    }
    if (advice->not_binding != NULL) {
        html_puts(html, "<br><b>Does not bind:</b> ");
        html_prose(html, advice->not_binding);
    }
    if (with_reasons) {
        html_printf(html, "<br><span class=quiet>Rule %s: ", cost_rule_name(advice->rule));
        html_prose(html, cost_rule_text(advice->rule));
        html_puts(html, "</span>");
    }
    html_puts(html, "</p>\n");
}

/* ---- branches -------------------------------------------------------------------------------------------------------------- */

static void write_path(struct html *html, const char *name, const struct cost_path *path)
{
    html_printf(html, "%s ", name);
    html_number(html, path->least);
    if (path->most != path->least) {
        html_puts(html, "\xe2\x80\x93");
        html_number(html, path->most);
    }
    if (path->has_loop)
        html_puts(html, " (each loop body once)");
    if (path->average > 0) {
        html_puts(html, " (ran ");
        html_decimal(html, path->average, 1);
        html_puts(html, ")");
    }
}

static void write_branch_run(struct html *html, const struct cost_branch *branch)
{
    if (branch->executed == 0) {
        html_puts(html, html_has_run(html) ? " No warp of this launch came here." : "");
        return;
    }
    html_puts(html, "<br>This launch: reached ");
    html_count_of(html, branch->executed, "time", "times");
    html_puts(html, ", all lanes taken ");
    html_number(html, branch->all_taken);
    html_puts(html, ", none ");
    html_number(html, branch->none_taken);
    html_puts(html, ", <b>divided ");
    html_number(html, branch->divided);
    html_puts(html, "</b> (");
    html_percent(html, branch->divided, branch->executed);
    html_puts(html, ")");
    if (!branch->is_loop && branch->paid != 0) {
        html_puts(html, "; paid ");
        html_count_of(html, branch->paid, "warp instruction", "warp instructions");
        html_puts(html, " on its sides, <b>");
        html_number(html, branch->extra);
        html_puts(html, "</b> of them because warps divided");
    }
    if (branch->is_predicated)
        html_puts(html, "; short and one-sided: machine code will likely guard its instructions instead");
    if (branch->extra_reconvergence != 0) {
        html_puts(html, "; ");
        html_count_of(html, branch->extra_reconvergence, "machine instruction", "machine instructions");
        html_puts(html, " to bring lanes together");
    }
    html_puts(html, ".");
}

static void write_branch(struct html *html, const struct cost_branch *branch)
{
    bool unknown = branch->class == COST_CLASS_UNKNOWN;
    html_printf(html, "<p class=%s><b>%s</b>, %s%s", unknown ? "open" : "look",
                branch->is_loop ? "Loop branch" : branch->is_exit ? "Guard" : "Branch", unknown ? "not classified" : "divergent: ",
                unknown ? "" : cost_class_name(branch->class));
    if (!branch->is_loop) {
        html_puts(html, "; ");
        write_path(html, "taken", &branch->taken);
        html_puts(html, ", ");
        write_path(html, "not taken", &branch->not_taken);
        html_puts(html, "; a warp issues up to <b>");
        html_number(html, branch->longest);
        if (branch->sum == branch->longest) {
            html_puts(html, "</b>, also when its lanes part");
        } else {
            html_puts(html, "</b> when its lanes agree, <b>");
            html_number(html, branch->sum);
            html_puts(html, "</b> when they part");
        }
    }
    html_puts(html, ".");
    write_branch_run(html, branch);
    html_puts(html, "</p>\n");
}

/* ---- loops and memory -------------------------------------------------------------------------------------------------------- */

static void write_loop(struct html *html, const struct cost_loop *loop)
{
    html_puts(html, "<p class=open><b>Loop</b>, ");
    html_count_of(html, loop->body, "instruction", "instructions");
    html_puts(html, " a trip; trips: ");
    if (loop->trips != NULL) {
        html_puts(html, "<code>");
        html_text(html, loop->trips, HTML_PROSE_BYTES);
        html_puts(html, "</code>");
        if (loop->has_value) {
            html_puts(html, " = ");
            html_number(html, loop->value);
        }
    } else {
        html_puts(html, "not known");
        if (loop->reason != NULL) {
            html_puts(html, " (");
            html_prose(html, loop->reason);
            html_puts(html, ")");
        }
    }
    if (loop->entered != 0) {
        html_puts(html, "; entered by ");
        html_count_of(html, loop->entered, "warp", "warps");
        html_puts(html, ", ");
        html_count_of(html, loop->trips_run, "trip", "trips");
        html_puts(html, " together");
    }
    html_puts(html, ".</p>\n");
}

static void write_memory(struct html *html, const struct cost_count *count)
{
    bool wastes = count->sectors > count->sectors_least + count->sectors_least / 4 || count->conflicts != 0;
    html_printf(html, "<p class=%s><b>Memory</b>: ", wastes ? "look" : "open");
    html_count_of(html, count->requests, "request", "requests");
    if (count->sectors != 0) {
        html_puts(html, ", <b>");
        html_decimal(html, cost_sectors_per_request(count), 2);
        html_puts(html, "</b> sectors each; ");
        html_count_of(html, count->sectors, "sector", "sectors");
        html_puts(html, " where the bytes would fill ");
        html_number(html, count->sectors_least);
        html_puts(html, "; ");
        html_decimal(html, 100 * cost_bytes_used(count), 0);
        html_puts(html, " % of the bytes used");
    }
    if (count->passes != 0) {
        html_puts(html, "; ");
        html_count_of(html, count->passes, "pass", "passes");
        html_puts(html, " through the banks, <b>");
        html_number(html, count->conflicts);
        html_puts(html, "</b> by bank conflicts");
    }
    html_puts(html, ".</p>\n");
}

/* ---- all of a line ----------------------------------------------------------------------------------------------------------- */

static bool is_at(const struct place *place, const struct cost_line *line)
{
    return place->line == line->place.line && place->line != 0 && text_equal(place->file, line->place.file);
}

/* Divergent ones with their price, the dearest first; of uniform ones only that they are. */
static void write_branches(struct notes *notes, const struct cost_line *line)
{
    struct html *html = notes->html;
    const struct cost_result *result = html->result;
    uint32_t shown = 0, more = 0, uniform = 0;
    for (int dearest = 1; dearest >= 0; dearest--)
        for (uint32_t i = 0; i < result->branches.count; i++) {
            const struct cost_branch *branch = &result->branches.data[i];
            if ((i == line->branch) != (dearest == 1) || !is_at(&branch->place, line))
                continue;
            begin(notes);
            if (cost_class_is_uniform(branch->class))
                uniform++;
            else if (shown == OF_ONE_KIND)
                more++;
            else
                write_branch(html, branch);
            shown += !cost_class_is_uniform(branch->class) && shown < OF_ONE_KIND;
        }
    if (more + uniform > 0)
        html_puts(html, "<p class=open>");
    if (more > 0) {
        html_count_of(html, more, "more branch", "more branches");
        html_puts(html, " of this line that can divide warps. ");
    }
    if (uniform > 0) {
        html_count_of(html, uniform, "branch", "branches");
        html_puts(html, uniform == 1 ? " that is uniform: no warp divides there." : " that are uniform: no warp divides there.");
    }
    if (more + uniform > 0)
        html_puts(html, "</p>\n");
}

static void write_loops(struct notes *notes, const struct cost_line *line)
{
    const struct cost_result *result = notes->html->result;
    for (uint32_t i = 0, shown = 0; i < result->loops.count && shown < OF_ONE_KIND; i++)
        if (is_at(&result->loops.data[i].place, line)) {
            begin(notes);
            write_loop(notes->html, &result->loops.data[i]);
            shown++;
        }
}

bool html_write_notes(struct html *html, uint32_t index, const char *before, const char *after)
{
    const struct cost_result *result = html->result;
    const struct cost_line *line = &result->lines.data[index];
    struct notes notes = {html, before, false};
    if (html->notes == 0)
        return false;
    for (uint32_t i = 0, shown = 0; i < result->findings.count && shown < OF_ONE_KIND; i++)
        if (is_at(&result->findings.data[i].place, line)) {
            begin(&notes);
            html_write_finding(html, &result->findings.data[i]);
            shown++;
        }
    write_branches(&notes, line);
    write_loops(&notes, line);
    if (line->count.requests != 0) {
        begin(&notes);
        write_memory(html, &line->count);
    }
    for (uint32_t i = 0, shown = 0; i < result->advice.count && shown < OF_ONE_KIND; i++)
        if (is_at(&result->advice.data[i].place, line)) {
            begin(&notes);
            html_write_one_advice(html, &result->advice.data[i], false);
            shown++;
        }
    if (notes.begun) {
        html_puts(html, after);
        html->notes--;
    }
    return notes.begun;
}
