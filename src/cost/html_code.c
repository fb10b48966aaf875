/* SPDX-License-Identifier: Apache-2.0
 *
 * Source and PTX side by side.  A row of the source carries the number of its cost_line, and so does each group of PTX instructions that
 * stands for it: the script marks what has the same number, and the links between them work without it.
 *
 * Of each file only what has instructions is shown, with a few lines around; of the kernel's own all from its first line on.
 */
#include "cost/html.h"

#include <string.h>

enum { AROUND = 3, BRIDGE = 4, COLUMNS = 5 };

/* ---- source ---------------------------------------------------------------------------------------------------------- */

/* Lines of a file as they are walked: in order, each once. */
struct source_text {
    const char *next; /* NULL: no text, or its end */
    uint32_t line;    /* number of the one that `next` begins */
};

/* Moves on to `line`; its text and size, or NULL when the file is not that long. */
static const char *seek_line(struct source_text *text, uint32_t line, size_t *size)
{
    while (text->next != NULL && text->line < line) {
        text->next = strchr(text->next, '\n');
        if (text->next != NULL)
            text->next++;
        text->line++;
    }
    if (text->next == NULL || *text->next == '\0')
        return NULL;
    *size = strcspn(text->next, "\n");
    if (*size > 0 && text->next[*size - 1] == '\r')
        --*size;
    return text->next;
}

/* Figures of a line or of an instruction: two cells. */
static void write_figures(struct html *html, const struct cost_count *count, uint64_t without_run)
{
    html_puts(html, "<td>");
    if (html_has_run(html))
        html_number(html, count->issued);
    else if (without_run != 0)
        html_number(html, without_run);
    html_puts(html, "<td>");
    if (count->issued == 0)
        return;
    html_decimal(html, cost_active_lanes(count), 1);
    if (count->on < count->threads) {
        html_puts(html, "<small> on ");
        html_decimal(html, cost_lanes_on(count), 1);
        html_puts(html, "</small>");
    }
}

static void write_levels(struct html *html, const struct cost_count *count, uint64_t value, uint64_t most)
{
    html_printf(html, "i%u", html_level(value, most));
    if (count->issued != 0)
        html_printf(html, " l%u", html_idle_level(count));
}

static void write_source_row(struct html *html, uint32_t number, uint32_t line, const char *text, size_t size)
{
    const struct cost_result *result = html->result;
    if (line == COST_NONE) {
        html_printf(html, "<tr><th scope=row>%u<td><td><td><td>", number);
        html_text_span(html, text, size, HTML_SOURCE_BYTES);
        html_puts(html, "\n");
        return;
    }
    const struct cost_line *row = &result->lines.data[line];
    html_printf(html, "<tr id=k%ul%u data-l=%u class=\"", html->kernel, line, line);
    write_levels(html, &row->count, html_has_run(html) ? row->count.issued : row->instructions, html->most_line);
    html_puts(html, "\"><th scope=row>");
    bool has_target = row->first < result->instructions.count;
    if (has_target)
        html_printf(html, "<a href=\"#k%ui%u\">%u</a>", html->kernel, row->first, number);
    else
        html_printf(html, "%u", number);
    write_figures(html, &row->count, row->instructions);
    bool uneven = !cost_class_is_uniform(row->reach);
    html_printf(html, "<td%s>%s<td>", uneven ? " class=uneven" : "", cost_class_name(row->reach));
    if (text != NULL)
        html_text_span(html, text, size, HTML_SOURCE_BYTES);
    else
        html_puts(html, "<span class=quiet>(the source is not at hand)</span>");
    html_puts(html, "\n");
    char before[96];
    snprintf(before, sizeof before, "<tr class=note data-l=%u><td colspan=%d><div>", line, COLUMNS);
    html_write_notes(html, line, before, "</div>\n");
}

/* The lines [first, end) of result->lines are those of one file. */
struct source_file {
    uint32_t first, end;
};

/* The next line number to show after `at`, going towards cost line `next` of the file; 0: none.  Lines may have any 32-bit number. */
static uint32_t next_shown(const struct html *html, const struct source_file *file, uint32_t at, uint32_t next)
{
    const struct cost_line *lines = html->result->lines.data;
    if (at == UINT32_MAX)
        return 0;
    if (next == file->end)
        return 0;
    if (next > file->first && at - lines[next - 1].place.line < AROUND)
        return at + 1;
    uint32_t away = lines[next].place.line - at; /* at least 1 */
    return away > AROUND + BRIDGE ? at + away - AROUND : at + 1;
}

static uint32_t first_shown(const struct html *html, const struct source_file *file)
{
    const struct cost_result *result = html->result;
    uint32_t line = result->lines.data[file->first].place.line;
    const struct place *kernel = &result->place;
    if (text_equal(kernel->file, result->lines.data[file->first].place.file) && kernel->line != 0 && kernel->line <= line &&
        line - kernel->line < 60)
        return kernel->line > 2 ? kernel->line - 2 : 1; /* what a contract says stands above */
    return line > AROUND ? line - AROUND : 1;
}

static void write_gap(struct html *html, uint64_t lines)
{
    html_printf(html, "<tr class=gap><th><td colspan=%d>", COLUMNS - 1);
    html_count_of(html, lines, "line", "lines");
    html_puts(html, " without instructions\n");
}

/* Adds to *rows; stops at the limit. */
static void write_source_file(struct html *html, const struct source_file *file, uint32_t *rows)
{
    const struct cost_line *lines = html->result->lines.data;
    const char *path = lines[file->first].place.file;
    const struct cost_result *result = html->result;
    struct source_text text = {result->read_source == NULL || path == NULL ? NULL : result->read_source(result->source_context, path), 1};
    bool has_text = text.next != NULL;
    html_printf(html, "<tbody><tr class=file><th colspan=%d scope=rowgroup>", COLUMNS);
    html_text(html, path == NULL ? "(no file)" : path, HTML_SOURCE_BYTES);
    html_puts(html, "\n");
    uint32_t next = file->first, at = first_shown(html, file);
    while (at != 0 && *rows < HTML_SOURCE_ROWS) {
        size_t size = 0;
        const char *shown = seek_line(&text, at, &size);
        bool is_line = next < file->end && lines[next].place.line <= at;
        if (shown == NULL && is_line && lines[next].text != NULL) {
            shown = lines[next].text;
            size = strlen(shown);
        }
        if (is_line || shown != NULL) {
            write_source_row(html, at, is_line ? next : COST_NONE, shown, size);
            ++*rows;
        }
        next += is_line;
        while (next < file->end && lines[next].place.line <= at) /* twice the same line: said once */
            next++;
        uint32_t then = next_shown(html, file, at, next);
        if (has_text && then > at + 1)
            write_gap(html, then - at - 1);
        at = then;
    }
    html_puts(html, "</tbody>\n");
}

static bool is_own_file(const struct html *html, uint32_t line)
{
    return text_equal(html->result->lines.data[line].place.file, html->result->place.file);
}

/* The kernel's own file first, then the others as they come. */
static void write_source(struct html *html)
{
    const struct cost_result *result = html->result;
    uint32_t rows = 0;
    for (int own = 1; own >= 0; own--)
        for (uint32_t i = 0; i < result->lines.count;) {
            struct source_file file = {i, i + 1};
            while (file.end < result->lines.count &&
                   text_equal(result->lines.data[file.end].place.file, result->lines.data[i].place.file))
                file.end++;
            if (is_own_file(html, i) == (own == 1) && rows < HTML_SOURCE_ROWS)
                write_source_file(html, &file, &rows);
            i = file.end;
        }
    if (rows >= HTML_SOURCE_ROWS)
        html_printf(html, "<tbody><tr class=gap><th><td colspan=%d>more lines are left out here; --format json has all\n", COLUMNS - 1);
}

/* ---- PTX ------------------------------------------------------------------------------------------------------------- */

/* Names that a compiler gives to places for the debugger's sake: nothing goes there. */
static bool is_for_debugger(const char *label)
{
    return text_starts_with(label, "$L__func_") || text_starts_with(label, "$L__tmp") || text_starts_with(label, "$L__info");
}

static void write_labels(struct html *html, const struct cost_instruction *instruction, uint32_t *next_label)
{
    const struct ptx_module *module = html->result->module;
    if (module == NULL || instruction->function >= module->functions.count)
        return;
    const struct ptx_function *function = &module->functions.data[instruction->function];
    for (; *next_label < function->labels.count && function->labels.data[*next_label].target <= instruction->index; ++*next_label) {
        const char *name = function->labels.data[*next_label].name;
        if (is_for_debugger(name))
            continue;
        html_printf(html, "<tr class=label><th><td colspan=%d>", COLUMNS - 1);
        html_text(html, name, HTML_PTX_BYTES);
        html_puts(html, ":\n");
    }
}

static void write_function_name(struct html *html, const struct cost_instruction *instruction)
{
    const struct ptx_module *module = html->result->module;
    html_printf(html, "<tbody><tr class=file><th colspan=%d scope=rowgroup>", COLUMNS);
    if (module != NULL && instruction->function < module->functions.count)
        html_text(html, module->functions.data[instruction->function].name, HTML_PTX_BYTES);
    else
        html_text(html, html->result->name, HTML_PTX_BYTES);
    html_puts(html, "\n");
}

static void write_ptx_row(struct html *html, uint32_t index, bool with_line)
{
    const struct cost_instruction *instruction = &html->result->instructions.data[index];
    bool is_target = instruction->line < html->result->lines.count && html->result->lines.data[instruction->line].first == index;
    html_puts(html, "<tr");
    if (is_target)
        html_printf(html, " id=k%ui%u", html->kernel, index);
    if (html_has_run(html)) {
        html_puts(html, " class=\"");
        write_levels(html, &instruction->count, instruction->count.issued, html->most_issued);
        html_puts(html, "\"");
    }
    html_puts(html, "><th>");
    if (with_line && instruction->line < html->result->lines.count)
        html_printf(html, "<a href=\"#k%ul%u\">%u</a>", html->kernel, instruction->line, instruction->place.line);
    write_figures(html, &instruction->count, 0);
    html_printf(html, "<td>%s<td>", cost_kind_name(instruction->kind));
    html_text(html, instruction->text, HTML_PTX_BYTES);
    html_puts(html, "\n");
}

static void write_ptx(struct html *html)
{
    const struct cost_result *result = html->result;
    uint32_t count = result->instructions.count, shown = count < html->ptx_rows ? count : html->ptx_rows, label = 0;
    html->ptx_rows -= shown;
    for (uint32_t i = 0; i < shown; i++) {
        const struct cost_instruction *instruction = &result->instructions.data[i], *last = i == 0 ? NULL : instruction - 1;
        bool begins = last == NULL || last->function != instruction->function;
        bool parts = begins || last->line != instruction->line;
        if (begins) {
            label = 0;
            write_function_name(html, instruction);
        }
        if (parts && instruction->line < result->lines.count)
            html_printf(html, "<tbody data-l=%u>\n", instruction->line);
        else if (parts)
            html_puts(html, "<tbody>\n");
        write_labels(html, instruction, &label);
        write_ptx_row(html, i, parts);
    }
    if (shown < count) {
        html_printf(html, "<tbody><tr class=gap><th><td colspan=%d>", COLUMNS - 1);
        html_count_of(html, count - shown, "more instruction is", "more instructions are");
        html_puts(html, " left out here; --format json has all\n");
    }
}

/* ---- both ------------------------------------------------------------------------------------------------------------ */

static void write_heat_choice(struct html *html)
{
    static const struct {
        const char *class, *text;
    } choices[] = {{"warm", "warp instructions"}, {"lanes", "idle lanes"}, {"even", "none"}};
    html_puts(html, "<span class=\"quiet heat\">Heat:</span> ");
    for (unsigned i = 0; i < COUNT_OF(choices); i++) { /* before the panes: the style sheet looks from here to there */
        if (i == 1 && !html_has_run(html))
            continue;
        html_printf(html, "<input type=radio name=h%u id=k%uh%u class=%s%s>&nbsp;<label for=k%uh%u>%s</label> ", html->kernel, html->kernel, i,
                    choices[i].class, i == 0 ? " checked" : "", html->kernel, i, i == 0 && !html_has_run(html) ? "instructions" : choices[i].text);
    }
}

static void write_head(struct html *html, const char *class, const char *title, const char *third, const char *last)
{
    bool has_run = html_has_run(html);
    html_printf(html, "<div class=\"pane %s\" tabindex=0 role=region aria-label=\"%s\"><table class=code><thead><tr><th scope=col>line"
                      "<th scope=col>%s<th scope=col>lanes<th scope=col>%s<th scope=col>%s\n",
                class, title, has_run ? "issued" : class[0] == 's' ? "instr." : "", third, last);
}

void html_write_code(struct html *html)
{
    bool has_run = html_has_run(html);
    html_printf(html, "<section%s><h3>Source and PTX</h3>\n", has_run ? "" : " class=still");
    if (has_run)
        html_puts(html, "<p class=quiet>Issued: warp instructions of this launch. Lanes: how many of 32 were active on average; "
                        "\xe2\x80\x9con\xe2\x80\x9d: of them not predicated off. The bars below the numbers say the same.</p>\n");
    else
        html_puts(html, "<p class=quiet>Nothing was run: the numbers are PTX instructions that stand for a line.</p>\n");
    write_heat_choice(html);
    html_printf(html, "<p class=said role=status data-unit=\"%s\" data-hint=\"Choose a line on either side to mark what belongs to it; arrow keys "
                      "move, Escape ends.\"></p>\n<div class=panes>\n",
                has_run ? "warp instructions issued" : "");
    write_head(html, "source", "source", "reach", "source");
    if (html->result->lines.count == 0)
        html_printf(html, "<tbody><tr class=gap><th><td colspan=%d>no instruction has a source line (compile with -lineinfo)</tbody>\n", COLUMNS - 1);
    write_source(html);
    html_puts(html, "</table></div>\n");
    write_head(html, "ptx", "PTX", "kind", "PTX");
    write_ptx(html);
    html_puts(html, "</table></div>\n</div></section>\n");
}
