/* SPDX-License-Identifier: Apache-2.0
 *
 * Every figure of branches, lines, memory and registers, as tables that open on demand.
 */
#include "cost/html.h"

struct column {
    const char *title;
    bool is_text;
};

static void begin_table(struct html *html, const char *title, uint32_t count, const struct column *columns, unsigned column_count)
{
    html_printf(html, "<details><summary>%s</summary><div class=scroll tabindex=0 role=region aria-label=\"%s\"><table class=plain><thead><tr>", title,
                title);
    for (unsigned i = 0; i < column_count; i++)
        html_printf(html, "<th scope=col%s>%s", columns[i].is_text ? "" : " class=n", columns[i].title);
    html_puts(html, "<tbody>\n");
    if (count > HTML_TABLE_ROWS) {
        html_printf(html, "<tr><td colspan=%u>the first %d of ", column_count, HTML_TABLE_ROWS);
        html_number(html, count);
        html_puts(html, "; --format json has all\n");
    }
}

static void end_table(struct html *html)
{
    html_puts(html, "</table></div></details>\n");
}

static void add_number(struct html *html, uint64_t value)
{
    html_puts(html, "<td class=n>");
    html_number(html, value);
}

static void add_decimal(struct html *html, double value)
{
    html_printf(html, "<td class=n>%.2f", value);
}

static void write_branches(struct html *html)
{
    static const struct column columns[] = {{"line", true}, {"what", true}, {"condition", true}, {"taken", false}, {"not taken", false},
                                            {"longest", false}, {"sum", false}, {"reached", false}, {"all taken", false}, {"none taken", false},
                                            {"divided", false}, {"paid", false}, {"extra", false}, {"to reconverge", false}};
    const struct cost_result *result = html->result;
    if (result->branches.count == 0)
        return;
    begin_table(html, "Branches", result->branches.count, columns, html_has_run(html) ? COUNT_OF(columns) : 7);
    for (uint32_t i = 0; i < result->branches.count && i < HTML_TABLE_ROWS; i++) {
        const struct cost_branch *branch = &result->branches.data[i];
        html_puts(html, "<tr><th scope=row>");
        html_place(html, branch->place);
        html_printf(html, "<td>%s<td>%s", branch->is_loop ? "loop" : branch->is_exit ? "guard" : "sides", cost_class_name(branch->class));
        add_number(html, branch->taken.most);
        add_number(html, branch->not_taken.most);
        add_number(html, branch->longest);
        add_number(html, branch->sum);
        if (html_has_run(html)) {
            const uint64_t counts[] = {branch->executed, branch->all_taken, branch->none_taken, branch->divided, branch->paid, branch->extra,
                                       branch->extra_reconvergence};
            for (unsigned c = 0; c < COUNT_OF(counts); c++)
                add_number(html, counts[c]);
        }
        html_puts(html, "\n");
    }
    end_table(html);
}

static void add_kinds(struct html *html, const struct cost_line *line)
{
    html_puts(html, "<td>");
    const char *between = "";
    for (unsigned k = 0; k < COST_KIND_COUNT; k++)
        if (line->kinds[k] != 0) {
            html_printf(html, "%s%s&nbsp;%u", between, cost_kind_name((enum cost_kind)k), line->kinds[k]);
            between = ", ";
        }
}

static void write_lines(struct html *html)
{
    static const struct column columns[] = {{"line", true}, {"instr.", false}, {"reach", true}, {"issued", false}, {"active lanes", false},
                                            {"lanes on", false}, {"requests", false}, {"bytes", false}, {"sectors", false},
                                            {"sectors at least", false}, {"sectors a request", false}, {"bank passes", false},
                                            {"by conflicts", false}, {"kinds", true}};
    static const struct column still[] = {{"line", true}, {"instr.", false}, {"reach", true}, {"kinds", true}};
    const struct cost_result *result = html->result;
    bool has_run = html_has_run(html);
    if (result->lines.count == 0)
        return;
    begin_table(html, "Lines, every figure", result->lines.count, has_run ? columns : still, has_run ? COUNT_OF(columns) : COUNT_OF(still));
    for (uint32_t i = 0; i < result->lines.count && i < HTML_TABLE_ROWS; i++) {
        const struct cost_line *line = &result->lines.data[i];
        const struct cost_count *count = &line->count;
        html_puts(html, "<tr><th scope=row>");
        html_place(html, line->place);
        add_number(html, line->instructions);
        html_printf(html, "<td>%s", cost_class_name(line->reach));
        if (has_run) {
            add_number(html, count->issued);
            add_decimal(html, cost_active_lanes(count));
            add_decimal(html, cost_lanes_on(count));
            const uint64_t memory[] = {count->requests, count->bytes, count->sectors, count->sectors_least};
            for (unsigned m = 0; m < COUNT_OF(memory); m++)
                add_number(html, memory[m]);
            add_decimal(html, cost_sectors_per_request(count));
            add_number(html, count->passes);
            add_number(html, count->conflicts);
        }
        add_kinds(html, line);
        html_puts(html, "\n");
    }
    end_table(html);
}

static void write_memory(struct html *html)
{
    static const struct column columns[] = {{"memory", true}, {"requests", false}, {"bytes", false}, {"sectors", false}, {"sectors at least", false},
                                            {"sectors a request", false}, {"bank passes", false}, {"by conflicts", false}};
    const struct cost_memory *memory = &html->result->memory;
    const struct cost_count *const counts[] = {&memory->global, &memory->shared, &memory->local};
    static const char *const names[] = {"global", "shared", "local"};
    if (!html_has_run(html))
        return;
    begin_table(html, "Memory", 0, columns, COUNT_OF(columns));
    for (unsigned i = 0; i < COUNT_OF(counts); i++) {
        if (counts[i]->requests == 0)
            continue;
        html_printf(html, "<tr><th scope=row>%s", names[i]);
        const uint64_t values[] = {counts[i]->requests, counts[i]->bytes, counts[i]->sectors, counts[i]->sectors_least};
        for (unsigned v = 0; v < COUNT_OF(values); v++)
            add_number(html, values[v]);
        add_decimal(html, cost_sectors_per_request(counts[i]));
        add_number(html, counts[i]->passes);
        add_number(html, counts[i]->conflicts);
        html_puts(html, "\n");
    }
    html_puts(html, "</table></div><p>");
    html_decimal(html, memory->bytes_per_issue, 2);
    html_puts(html, " bytes moved for each warp instruction; ");
    if (memory->device_ratio > 0) {
        html_puts(html, "above ");
        html_decimal(html, memory->device_ratio, 1);
        html_puts(html, " the memory of the device is the limit. ");
    }
    html_puts(html, memory->is_memory_bound ? "<b>This launch is bound by memory:</b> fewer warp instructions will hardly show in its time.</p></details>\n"
                                            : "This launch is not bound by memory.</p></details>\n");
}

static void write_occupancy(struct html *html)
{
    const struct cost_occupancy *occupancy = &html->result->occupancy;
    html_puts(html, "<details><summary>Registers and occupancy</summary><p>");
    if (!occupancy->known) {
        html_puts(html, "Not known");
        if (occupancy->reason != NULL) {
            html_puts(html, ": ");
            html_prose(html, occupancy->reason);
        }
        html_puts(html, ".</p></details>\n");
        return;
    }
    html_count_of(html, occupancy->registers, "register", "registers");
    html_puts(html, " a thread");
    if (occupancy->target != NULL) {
        html_puts(html, " on ");
        html_text(html, occupancy->target, HTML_PTX_BYTES);
    }
    html_puts(html, "; spilled: ");
    html_number(html, occupancy->spill_stores);
    html_puts(html, " bytes stored, ");
    html_number(html, occupancy->spill_loads);
    html_puts(html, " loaded; static shared memory: ");
    html_number(html, occupancy->static_shared);
    html_puts(html, " bytes.");
    if (occupancy->has_warps) {
        html_puts(html, "<br>");
        html_count_of(html, occupancy->blocks_per_sm, "block", "blocks");
        html_puts(html, " at a time on a multiprocessor: ");
        html_number(html, occupancy->warps_per_sm);
        html_puts(html, " of ");
        html_count_of(html, occupancy->warps_limit, "warp", "warps");
        if (occupancy->limiter != NULL) {
            html_puts(html, ", limited by ");
            html_text(html, occupancy->limiter, HTML_PTX_BYTES);
        }
        html_puts(html, ".");
    }
    html_puts(html, "</p></details>\n");
}

void html_write_tables(struct html *html)
{
    html_puts(html, "<section><h3>All figures</h3>\n");
    write_branches(html);
    write_lines(html);
    write_memory(html);
    write_occupancy(html);
    html_puts(html, "</section>\n");
}
