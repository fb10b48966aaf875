/* SPDX-License-Identifier: Apache-2.0
 *
 * The report for people, in the shape of rustc's: severity[ID]: message, the place, the line with a mark, then what belongs to it.
 * Findings come first, then one line a kernel that says how it ended.
 */
#include "report/text_writer.h"

#include <string.h>

static struct text_writer text_begin(const struct report_style *style, struct buffer *out)
{
    return (struct text_writer){
        .style = style, .paint = text_paint_choose(style->colour), .out = out};
}

void text_add_safe(struct text_writer *writer, const char *text)
{
    excerpt_add_safe(text, strlen(text), writer->out);
}

/* "error[LW101]: message"; id 0: without it. */
static void add_head(struct text_writer *writer, enum severity severity, unsigned id,
                     const char *message)
{
    const struct text_paint *paint = &writer->paint;
    buffer_printf(writer->out, "%s%s", text_paint_severity(paint, severity),
                  report_severity_name(severity));
    if (id != 0)
        buffer_printf(writer->out, "[LW%u]", id);
    buffer_printf(writer->out, "%s%s: ", paint->reset, paint->strong);
    text_add_safe(writer, message);
    buffer_printf(writer->out, "%s\n", paint->reset);
}

static const char *read_source(const struct text_writer *writer, const char *path)
{
    if (writer->style->read_source == NULL || path == NULL)
        return NULL;
    return writer->style->read_source(writer->style->context, path);
}

/* "  --> file:line:column" and the excerpt. */
void text_add_place(struct text_writer *writer, struct place place, unsigned gutter,
                    enum severity severity, char mark, const char *label)
{
    const struct text_paint *paint = &writer->paint;
    if (place.file == NULL || place.file[0] == '\0')
        return;
    buffer_printf(writer->out, "%*s%s-->%s ", (int)gutter, "", paint->frame, paint->reset);
    text_add_safe(writer, place.file);
    if (place.line != 0)
        buffer_printf(writer->out, ":%u", place.line);
    if (place.line != 0 && place.column != 0)
        buffer_printf(writer->out, ":%u", place.column);
    buffer_putc(writer->out, '\n');
    struct excerpt excerpt = {
        .paint = paint,
        .mark_paint = mark == '^' ? text_paint_severity(paint, severity) : paint->frame,
        .text = read_source(writer, place.file),
        .place = place,
        .mark = mark,
        .label = label,
        .gutter = gutter,
    };
    if (excerpt.text == NULL || place.line == 0)
        return;
    size_t before = writer->out->size;
    excerpt_add_bar(paint, gutter, writer->out);
    buffer_putc(writer->out, '\n');
    size_t bar = writer->out->size;
    excerpt_add(&excerpt, writer->out);
    if (writer->out->size == bar) { /* the file has no such line */
        writer->out->size = before;
        writer->out->data[before] = '\0';
    }
}

/* "   = word: text" */
void text_add_detail(struct text_writer *writer, unsigned gutter, const char *word,
                     const char *text)
{
    const struct text_paint *paint = &writer->paint;
    int indent = (int)(gutter + strlen(word) + 5);
    buffer_printf(writer->out, "%*s %s=%s %s%s%s: ", (int)gutter, "", paint->frame, paint->reset,
                  paint->strong, word, paint->reset);
    for (const char *line = text; line != NULL;) {
        const char *end = strchr(line, '\n');
        excerpt_add_safe(line, end == NULL ? strlen(line) : (size_t)(end - line), writer->out);
        buffer_putc(writer->out, '\n');
        line = end == NULL || end[1] == '\0' ? NULL : end + 1;
        if (line != NULL)
            buffer_printf(writer->out, "%*s", indent, "");
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

static const char *finding_label(const struct finding *finding, struct arena *arena)
{
    if (finding->label != NULL)
        return finding->label;
    if (!finding->has_index)
        return NULL;
    const char *unit = finding->element_size == 1 ? "byte" : "element";
    if (finding->kind == FINDING_DEVICE_ASSERT)
        return arena_printf(arena, "%llu is not below %llu", (unsigned long long)finding->index, (unsigned long long)finding->extent);
    return arena_printf(arena, "%s %lld of %llu", unit, (long long)finding->index,
                        (unsigned long long)finding->extent);
}

static void add_threads(struct text_writer *writer, const struct finding *finding, unsigned gutter)
{
    struct buffer text;
    char digits[28];
    if (finding->first.valid == 0)
        return;
    bool is_pair = finding->second.valid != 0;
    buffer_init(&text, writer->out->arena);
    report_add_thread(&finding->first, &text);
    if (is_pair) {
        buffer_puts(&text, " and ");
        report_add_thread(&finding->second, &text);
    }
    if (finding->count > 1)
        buffer_printf(&text, "; %s %s in all", text_group_digits(finding->count, digits),
                      is_pair                      ? "pairs"
                      : (finding->first.valid & 2) ? "threads"
                                                   : "blocks");
    text_add_detail(writer, gutter, is_pair ? "threads" : "thread", text.data);
}

static unsigned finding_gutter(const struct finding *finding)
{
    unsigned gutter = excerpt_digits(finding->place.line);
    for (uint32_t i = 0; i < finding->notes.count; i++) {
        unsigned digits = excerpt_digits(finding->notes.data[i].place.line);
        if (digits > gutter)
            gutter = digits;
    }
    return gutter;
}

/* "grid (1,1,1), block (256,1,1), n=1" */
static const char *launch_text(const struct report_launch *launch, struct arena *arena)
{
    struct buffer text;
    buffer_init(&text, arena);
    for (int which = 0; which < 2; which++) {
        const uint64_t *sizes = which == 0 ? launch->grid : launch->block;
        buffer_printf(&text, "%s (%llu,%llu,%llu)", which == 0 ? "grid" : ", block",
                      (unsigned long long)sizes[0], (unsigned long long)sizes[1],
                      (unsigned long long)sizes[2]);
    }
    if (launch->dynamic_shared != 0)
        buffer_printf(&text, ", %llu bytes of dynamic shared memory",
                      (unsigned long long)launch->dynamic_shared);
    for (uint32_t i = 0; i < launch->scalars.count; i++)
        buffer_printf(&text, ", %s=%s", launch->scalars.data[i].name,
                      launch->scalars.data[i].value);
    return text.data;
}

static void add_finding(struct text_writer *writer, const struct finding *finding)
{
    struct buffer message;
    unsigned gutter = finding_gutter(finding);
    buffer_init(&message, writer->out->arena);
    report_add_message(finding, &message);
    add_head(writer, finding->severity, finding_info(finding->kind)->number, message.data);
    text_add_place(writer, finding->place, gutter, finding->severity, '^',
                   finding_label(finding, writer->out->arena));
    /* Places first, each with its own line of source; then the details without a place. */
    for (uint32_t i = 0; i < finding->notes.count; i++) {
        const struct finding_note *note = &finding->notes.data[i];
        if (note->place.line != 0)
            text_add_place(writer, note->place, gutter, SEVERITY_NOTE, '-', note->message);
    }
    add_threads(writer, finding, gutter);
    if (finding->launch != NULL)
        text_add_detail(writer, gutter, "launch", launch_text(finding->launch, writer->out->arena));
    for (uint32_t i = 0; i < finding->notes.count; i++)
        if (finding->notes.data[i].place.line == 0)
            text_add_detail(writer, gutter, "note", finding->notes.data[i].message);
    if (finding->condition != NULL)
        text_add_condition(writer, gutter, finding->kind, finding->condition);
    if (finding->help != NULL)
        text_add_detail(writer, gutter, "help", finding->help);
    if (finding->reproduce != NULL)
        text_add_detail(writer, gutter, "reproduce", finding->reproduce);
    buffer_putc(writer->out, '\n');
}

void report_print_diagnostic(const struct diagnostic *diagnostic, const struct report_style *style,
                             struct buffer *out)
{
    struct text_writer writer = text_begin(style, out);
    unsigned gutter = excerpt_digits(diagnostic->place.line);
    add_head(&writer, diagnostic->severity, 0, diagnostic->message);
    text_add_place(&writer, diagnostic->place, gutter, diagnostic->severity, '^', NULL);
    if (diagnostic->help != NULL)
        text_add_detail(&writer, gutter, "help", diagnostic->help);
}

/* ---- how each kernel ended ---------------------------------------------------------------------- */

static void add_count(struct buffer *out, const char **separator, uint64_t count, const char *noun)
{
    char digits[28];
    if (count == 0)
        return;
    buffer_printf(out, "%s%s %s%s", *separator, text_group_digits(count, digits), noun,
                  count == 1 ? "" : "s");
    *separator = ", ";
}

static void add_severity_counts(struct buffer *out, uint64_t errors, uint64_t warnings,
                                uint64_t notes)
{
    const char *separator = "";
    add_count(out, &separator, errors, "error");
    add_count(out, &separator, warnings, "warning");
    add_count(out, &separator, notes, "note");
}

/* "; 142 launches, 3 not finished: out of steps" */
static void add_launches(struct buffer *out, const struct report_kernel *kernel)
{
    char digits[28];
    buffer_printf(out, "; %s launch%s", text_group_digits(kernel->launches, digits), kernel->launches == 1 ? "" : "es");
    if (kernel->results_compared != 0)
        buffer_printf(out, "; compared %s result%s", text_group_digits(kernel->results_compared, digits),
                      kernel->results_compared == 1 ? "" : "s");
    if (kernel->launches_unfinished != 0)
        buffer_printf(out, "; %s not finished: %s", text_group_digits(kernel->launches_unfinished, digits),
                      kernel->unfinished_why != NULL ? kernel->unfinished_why : "a limit was reached");
}

static void add_run(struct buffer *out, const struct report_kernel *kernel)
{
    char blocks[28], all[28], threads[28], results[28];
    text_group_digits(kernel->blocks_run, blocks);
    text_group_digits(kernel->blocks, all);
    text_group_digits(kernel->threads_per_block, threads);
    if (kernel->blocks_run == kernel->blocks)
        buffer_printf(out, "; ran %s block%s of %s thread%s", blocks,
                      kernel->blocks_run == 1 ? "" : "s", threads,
                      kernel->threads_per_block == 1 ? "" : "s");
    else
        buffer_printf(out, "; ran %s of %s blocks of %s thread%s", blocks, all, threads,
                      kernel->threads_per_block == 1 ? "" : "s");
    if (kernel->results_compared != 0)
        buffer_printf(out, "; compared %s result%s",
                      text_group_digits(kernel->results_compared, results),
                      kernel->results_compared == 1 ? "" : "s");
}

static void add_stats(struct buffer *out, const struct report_kernel *kernel)
{
    char digits[28];
    buffer_printf(out, "  %s warp instructions", text_group_digits(kernel->warp_instructions, digits));
    if (kernel->launches == 0)
        buffer_printf(out, " in %.6f s", kernel->seconds);
    if (kernel->seconds > 0)
        buffer_printf(out, ", %.1f million a second",
                      (double)kernel->warp_instructions / kernel->seconds * 1e-6);
    buffer_putc(out, '\n');
}

static bool add_kernel_line(struct text_writer *writer, const struct report_kernel *kernel)
{
    uint64_t counts[3] = {0};
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        counts[kernel->findings.data[i].severity]++;
    bool clean = kernel->findings.count == 0 && kernel->stopped == NULL &&
                 (!kernel->has_proof || text_proof_is_clean(kernel));
    if (clean && writer->style->quiet && kernel->suggested == NULL)
        return false;
    struct buffer *out = writer->out;
    buffer_puts(out, writer->paint.strong);
    text_add_safe(writer, kernel->shown != NULL ? kernel->shown : kernel->name);
    buffer_printf(out, "%s: ", writer->paint.reset);
    if (kernel->has_proof)
        text_add_proof(writer, kernel);
    if (kernel->has_proof && kernel->findings.count != 0)
        buffer_puts(out, "; ");
    if (kernel->findings.count == 0 && !kernel->has_proof)
        buffer_puts(out, kernel->stopped == NULL ? "clean" : "no finding");
    else if (kernel->findings.count != 0)
        add_severity_counts(out, counts[SEVERITY_ERROR], counts[SEVERITY_WARNING],
                            counts[SEVERITY_NOTE]);
    if (kernel->launches != 0)
        add_launches(out, kernel);
    else if (kernel->has_run)
        add_run(out, kernel);
    if (kernel->stopped != NULL) {
        buffer_puts(out, "; not finished: ");
        text_add_safe(writer, kernel->stopped);
        if (kernel->stopped_at.line != 0) {
            buffer_puts(out, " (");
            text_add_safe(writer, kernel->stopped_at.file == NULL ? "" : kernel->stopped_at.file);
            buffer_printf(out, ":%u)", kernel->stopped_at.line);
        }
    }
    buffer_putc(out, '\n');
    if (kernel->suggested != NULL)
        text_add_suggestion(writer, kernel);
    for (uint32_t i = 0; i < kernel->missed.count; i++)
        buffer_printf(out, "  this test leaves out: %s\n", kernel->missed.data[i]);
    if (writer->style->stats && kernel->has_run)
        add_stats(out, kernel);
    if (writer->style->stats && kernel->has_proof)
        text_add_proof_stats(writer, kernel);
    return true;
}

void report_print_text(const struct report *report, const struct report_style *style,
                       struct buffer *out)
{
    struct text_writer writer = text_begin(style, out);
    uint32_t shown = 0, left = 0;
    for (uint32_t i = 0; i < report->diagnostics.count && style->with_diagnostics; i++) {
        report_print_diagnostic(&report->diagnostics.data[i], style, out);
        buffer_putc(out, '\n');
    }
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        for (uint32_t i = 0; i < kernel->findings.count; i++) {
            if (style->max_findings != 0 && shown == style->max_findings) {
                left++;
                continue;
            }
            add_finding(&writer, &kernel->findings.data[i]);
            shown++;
        }
        for (uint32_t i = 0; i < kernel->sites.count; i++) {
            if (!text_site_is_shown(&writer, &kernel->sites.data[i]))
                continue;
            if (style->max_findings != 0 && shown == style->max_findings) {
                left++;
                continue;
            }
            text_add_site(&writer, kernel, &kernel->sites.data[i]);
            shown++;
        }
        if (style->proofs && kernel->has_proof)
            text_add_assumptions(&writer, kernel);
    }
    if (left != 0)
        buffer_printf(out, "... and %u more (--max-findings=0 shows all)\n\n", left);
    uint32_t lines = 0;
    bool has_proof = false;
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        has_proof |= report->kernels.data[k].has_proof;
        lines += add_kernel_line(&writer, &report->kernels.data[k]);
    }
    if (lines > 1) {
        buffer_printf(out, "%u kernels: ", report->kernels.count);
        if (has_proof)
            text_add_totals(&writer, report);
        bool is_clean = report->errors + report->warnings + report->notes == 0;
        if (has_proof && !is_clean)
            buffer_puts(out, "; ");
        if (is_clean && !has_proof)
            buffer_puts(out, report->stopped == 0 ? "all clean" : "no finding");
        else if (!is_clean)
            add_severity_counts(out, report->errors, report->warnings, report->notes);
        if (report->stopped != 0)
            buffer_printf(out, "; %u not finished", report->stopped);
        buffer_putc(out, '\n');
    }
}
