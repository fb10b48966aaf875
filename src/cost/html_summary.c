/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands above the code: the four questions, the accounting of the launch, what is issued, advice and findings.
 */
#include "cost/html.h"

#include <stdlib.h>

void html_write_questions(struct html *html)
{
    static const char *const marks[] = {"\xe2\x9c\x93", "!", "\xe2\x9c\x97", "?"};
    html_puts(html, "<section aria-label=\"The four questions\"><ol class=questions>\n");
    for (unsigned i = 0; i < COST_QUESTIONS; i++) {
        const struct cost_question *question = &html->result->questions[i];
        html_printf(html, "<li class=%s><h4><span>%u. ", cost_verdict_name(question->verdict), i + 1);
        html_text(html, question->title, HTML_PTX_BYTES);
        html_printf(html, "</span><span class=verdict><span aria-hidden=true>%s</span> %s</span></h4><p>", marks[question->verdict],
                    cost_verdict_name(question->verdict));
        html_prose(html, question->answer);
        html_puts(html, "</p>\n");
    }
    html_puts(html, "</ol></section>\n");
}

/* ---- the launch ---------------------------------------------------------------------------------------------------------- */

static void begin_row(struct html *html, const char *class, const char *name)
{
    html_printf(html, "<tr%s><th scope=row>%s<td class=n>", class, name);
}

/* A row with a number and what is to be said of it. */
static void write_row(struct html *html, const char *name, uint64_t value, const char *remark)
{
    begin_row(html, "", name);
    html_number(html, value);
    html_printf(html, "<td>%s\n", remark);
}

static void write_share_row(struct html *html, const char *class, const char *name, uint64_t value, uint64_t whole, const char *of)
{
    begin_row(html, class, name);
    html_number(html, value);
    html_puts(html, "<td>");
    html_percent(html, value, whole);
    html_printf(html, " of the %s\n", of);
}

static void write_sizes(struct html *html, const uint64_t sizes[3], uint32_t dimensions)
{
    for (uint32_t i = 0; i < 3 && (i == 0 || i < dimensions); i++) {
        if (i > 0)
            html_puts(html, " \xc3\x97 ");
        html_number(html, sizes[i]);
    }
}

static void write_slots(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    begin_row(html, launch->idle_slots_per_block != 0 ? " class=strong" : "", "idle lane slots of a block");
    html_number(html, launch->idle_slots_per_block);
    html_puts(html, "<td>");
    if (launch->idle_slots_per_block == 0) {
        html_puts(html, "the block size is a multiple of 32\n");
        return;
    }
    html_percent(html, launch->idle_slots_per_block, launch->slots_per_block);
    html_puts(html, " of ");
    html_number(html, launch->slots_per_block);
    html_puts(html, "; its last warp has ");
    html_count_of(html, launch->lanes_last_warp, "thread", "threads");
    html_puts(html, "\n");
}

static void write_work(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    if (launch->work == COST_WORK_UNKNOWN) {
        html_puts(html, "<tr><th scope=row>threads with work<td class=n>?<td>not known: no domain, nothing run\n");
        return;
    }
    begin_row(html, "", "threads with work");
    html_number(html, launch->useful);
    html_puts(html, "<td>");
    if (launch->work == COST_WORK_DOMAIN) {
        html_puts(html, "inside the domain");
        if (launch->domain_text != NULL) {
            html_puts(html, " <code>");
            html_text(html, launch->domain_text, HTML_PROSE_BYTES);
            html_puts(html, "</code>");
        }
    } else {
        html_puts(html, "touched global memory");
    }
    html_puts(html, "\n");
    write_share_row(html, "", "threads without (surplus)", launch->surplus, launch->threads, "threads");
    write_row(html, "warps with work", launch->warps_working, launch->idle_is_exact ? "counted one by one" : "");
    write_share_row(html, "", "warps without", launch->warps_idle, launch->warps, "warps");
}

static void write_run(struct html *html)
{
    const struct cost_result *result = html->result;
    const struct cost_launch *launch = &result->launch;
    write_row(html, "warp instructions issued", result->total.issued, "");
    write_share_row(html, "", "issued by warps without work", launch->idle_issued, result->total.issued, "warp instructions");
    begin_row(html, "", "active lanes, on average");
    html_decimal(html, cost_active_lanes(&result->total), 2);
    html_puts(html, "<td>of 32; not predicated off: ");
    html_decimal(html, cost_lanes_on(&result->total), 2);
    html_puts(html, "\n");
    if (result->machine.issued != 0) {
        begin_row(html, "", "on a machine, about");
        html_decimal(html, cost_machine_lanes_on(&result->machine), 2);
        html_puts(html, "<td>lanes not predicated off: ");
        html_count_of(html, result->machine.reconvergence, "more instruction", "more instructions");
        html_puts(html, " to bring lanes together, ");
        html_count_of(html, result->machine.predicated, "branch", "branches");
        html_puts(html, " predicated\n");
    }
    if (launch->blocks_run < launch->blocks)
        write_share_row(html, " class=strong", "blocks that were run", launch->blocks_run, launch->blocks, "blocks");
}

static void write_accounting(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    html_puts(html, "<div class=scroll><table class=\"plain wide\"><tbody>\n");
    begin_row(html, "", "blocks");
    html_number(html, launch->blocks);
    html_puts(html, "<td>");
    if (launch->dimensions > 1)
        write_sizes(html, launch->grid, launch->dimensions);
    html_puts(html, "\n");
    begin_row(html, "", "threads of a block");
    html_number(html, launch->threads_per_block);
    html_puts(html, "<td>");
    if (launch->dimensions > 1) {
        write_sizes(html, launch->block, launch->dimensions);
        html_puts(html, ": ");
    }
    html_count_of(html, launch->warps_per_block, "warp", "warps");
    html_puts(html, "\n");
    write_slots(html);
    write_row(html, "threads", launch->threads, "");
    write_row(html, "warps", launch->warps, "");
    write_work(html);
    if (launch->has_run)
        write_run(html);
    if (launch->dynamic_shared != 0)
        write_row(html, "dynamic shared memory", launch->dynamic_shared, "bytes of a block");
    html_puts(html, "</table></div>\n");
}

void html_write_launch(struct html *html)
{
    const struct cost_launch *launch = &html->result->launch;
    html_puts(html, "<section><h3>The launch</h3>\n");
    if (launch->trouble != NULL) {
        html_puts(html, launch->known ? "<p class=notice>" : "<p class=notice><b>Without a launch:</b> ");
        html_prose(html, launch->trouble);
        html_puts(html, "</p>\n");
    } else if (!launch->known) {
        html_puts(html, "<p>No launch was given: what depends on one is not shown.</p>\n");
    }
    if (launch->stopped != NULL) {
        html_puts(html, "<p class=notice><b>The run did not end:</b> ");
        html_prose(html, launch->stopped);
        html_puts(html, ". All counts are of what ran.</p>\n");
    }
    if (launch->known) {
        html_puts(html, "<div class=beside><div>\n");
        write_accounting(html);
        html_puts(html, "</div><div>\n");
        html_write_picture(html);
        html_puts(html, "</div></div>\n");
    }
    html_puts(html, "</section>\n");
}

/* ---- what is issued -------------------------------------------------------------------------------------------------------- */

struct share {
    uint64_t value;
    uint32_t index;
};

static int compare_shares(const void *a, const void *b)
{
    const struct share *left = a, *right = b;
    if (left->value != right->value)
        return left->value > right->value ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static void write_share(struct html *html, const struct share *share, uint64_t most, uint64_t all)
{
    html_printf(html, "<td class=n>");
    html_number(html, share->value);
    html_puts(html, "<td class=n>");
    html_percent(html, share->value, all);
    html_printf(html, "<td class=bar><i class=i%u></i>\n", html_level(share->value, most));
}

static void write_kinds(struct html *html)
{
    const struct cost_result *result = html->result;
    struct share kinds[COST_KIND_COUNT];
    uint64_t all = 0;
    for (uint32_t k = 0; k < COST_KIND_COUNT; k++)
        kinds[k] = (struct share){0, k};
    for (uint32_t i = 0; i < result->instructions.count; i++) {
        const struct cost_instruction *instruction = &result->instructions.data[i];
        uint64_t value = html_has_run(html) ? instruction->count.issued : 1;
        kinds[instruction->kind].value += value;
        all += value;
    }
    qsort(kinds, COST_KIND_COUNT, sizeof kinds[0], compare_shares);
    html_printf(html, "<div><h4>By kind</h4><table class=\"plain wide\"><thead><tr><th scope=col>kind<th scope=col class=n>%s"
                      "<th scope=col class=n>share<td><tbody>\n",
                html_has_run(html) ? "issued" : "instructions");
    for (uint32_t k = 0; k < COST_KIND_COUNT && kinds[k].value != 0; k++) {
        html_printf(html, "<tr><th scope=row>%s", cost_kind_name((enum cost_kind)kinds[k].index));
        write_share(html, &kinds[k], kinds[0].value, all);
    }
    html_puts(html, "</table></div>\n");
}

static const char *skip_blanks(const char *text)
{
    while (text != NULL && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

enum { HOT_LINES = 6 };

static void write_hot_lines(struct html *html)
{
    const struct cost_result *result = html->result;
    uint32_t count = result->lines.count;
    if (count == 0)
        return;
    struct share *lines = ARENA_ARRAY(html->out->arena, struct share, count);
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct cost_line *line = &result->lines.data[i];
        lines[i] = (struct share){html_has_run(html) ? line->count.issued : line->instructions, i};
        all += lines[i].value;
    }
    qsort(lines, count, sizeof lines[0], compare_shares);
    html_printf(html, "<div><h4>By line</h4><div class=scroll><table class=\"plain wide\"><thead><tr><th scope=col>line<th scope=col class=n>%s"
                      "<th scope=col class=n>share<th scope=col>source<tbody>\n",
                html_has_run(html) ? "issued" : "instructions");
    for (uint32_t i = 0; i < count && i < HOT_LINES && lines[i].value != 0; i++) {
        const struct cost_line *line = &result->lines.data[lines[i].index];
        html_puts(html, "<tr><th scope=row>");
        html_place(html, line->place);
        html_puts(html, "<td class=n>");
        html_number(html, lines[i].value);
        html_puts(html, "<td class=n>");
        html_percent(html, lines[i].value, all);
        html_puts(html, "<td class=line>");
        html_text(html, skip_blanks(line->text), 60);
        html_puts(html, "\n");
    }
    html_puts(html, "</table></div></div>\n");
}

void html_write_issued(struct html *html)
{
    const struct cost_result *result = html->result;
    html_printf(html, "<section><h3>%s</h3>\n<p>Read from the code alone: a warp issues ", html_has_run(html) ? "What is issued" : "The instructions");
    html_number(html, result->least);
    if (result->most != result->least) {
        html_puts(html, " (shortest way) to ");
        html_number(html, result->most);
        html_puts(html, " (longest)");
    }
    html_printf(html, " PTX instructions%s.</p>\n<div class=beside>\n", result->has_loop ? ", each loop body counted once" : "");
    write_hot_lines(html);
    write_kinds(html);
    html_puts(html, "</div></section>\n");
}

/* ---- advice and findings ----------------------------------------------------------------------------------------------------- */

static void write_findings(struct html *html, bool notes)
{
    const struct cost_result *result = html->result;
    for (uint32_t i = 0; i < result->findings.count && i < HTML_TABLE_ROWS; i++) {
        const struct finding *finding = &result->findings.data[i];
        if ((finding->severity == SEVERITY_NOTE) != notes)
            continue;
        html_puts(html, "<li>");
        html_place(html, finding->place);
        html_write_finding(html, finding);
    }
}

/* What is wrong first, then what to do, then what there is to know. */
void html_write_advice(struct html *html)
{
    const struct cost_result *result = html->result;
    uint32_t more = 0;
    if (result->advice.count == 0 && result->findings.count == 0)
        return;
    html_puts(html, "<section><h3>Advice and findings</h3>\n<ol class=advice>\n");
    write_findings(html, false);
    for (uint32_t i = 0; i < result->advice.count && i < HTML_TABLE_ROWS; i++) {
        html_puts(html, "<li>");
        html_place(html, result->advice.data[i].place);
        html_write_one_advice(html, &result->advice.data[i], true);
    }
    write_findings(html, true);
    html_puts(html, "</ol>\n");
    more += result->advice.count > HTML_TABLE_ROWS ? result->advice.count - HTML_TABLE_ROWS : 0;
    more += result->findings.count > HTML_TABLE_ROWS ? result->findings.count - HTML_TABLE_ROWS : 0;
    if (more > 0) {
        html_puts(html, "<p>");
        html_number(html, more);
        html_puts(html, " more are left out here; --format json has all.</p>\n");
    }
    html_puts(html, "</section>\n");
}
