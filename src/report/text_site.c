/* SPDX-License-Identifier: Apache-2.0
 *
 * The text report of a proof: the sites that were not proved, each with its line and what is missing, and the verdict of a kernel with
 * sums that add up to all of its sites.
 */
#include "report/text_writer.h"

#include <string.h>

static const char *const words[] = {
    [SITE_UNREACHABLE] = "unreachable",   [SITE_PROVED] = "proved",
    [SITE_NOT_ANALYSED] = "not analysed", [SITE_UNPROVED] = "unproved",
    [SITE_VIOLATED] = "violated",
};

bool text_site_is_shown(const struct text_writer *writer, const struct report_site *site)
{
    if (site->verdict == SITE_VIOLATED) /* its finding shows it */
        return false;
    return site->verdict == SITE_UNPROVED || site->verdict == SITE_NOT_ANALYSED ||
           writer->style->proofs;
}

void text_add_site(struct text_writer *writer, const struct report_kernel *kernel,
                   const struct report_site *site)
{
    struct buffer *out = writer->out, message;
    const struct text_paint *paint = &writer->paint;
    bool is_open = site->verdict == SITE_UNPROVED || site->verdict == SITE_NOT_ANALYSED;
    enum severity severity = is_open ? SEVERITY_WARNING : SEVERITY_NOTE;
    unsigned gutter = excerpt_digits(site->place.line);
    buffer_init(&message, out->arena);
    report_add_site_message(kernel, site, &message);
    buffer_printf(out, "%s%s[LW%u]%s%s: ", text_paint_severity(paint, severity),
                  words[site->verdict], finding_info(site->kind)->number, paint->reset,
                  paint->strong);
    text_add_safe(writer, message.data);
    buffer_printf(out, "%s\n", paint->reset);
    text_add_place(writer, site->place, gutter, severity, '^', NULL);
    if (is_open && site->reason != NULL)
        text_add_detail(writer, gutter, "because", site->reason);
    if (!is_open && site->proof != NULL)
        text_add_detail(writer, gutter, "proof", site->proof);
    if (is_open && site->condition != NULL)
        text_add_condition(writer, gutter, site->kind, site->condition);
    if (is_open && site->suggestion != NULL)
        text_add_detail(writer, gutter, "help",
                        arena_printf(out->arena, "say it in the contract: %s", site->suggestion));
    buffer_putc(out, '\n');
}

/* "n % 256 == 0" gives "n". */
static bool is_even_end(const char *condition, size_t *name_size)
{
    size_t size = strspn(condition, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const char *rest = condition + size;
    if (size == 0 || (condition[0] >= '0' && condition[0] <= '9') || strncmp(rest, " % ", 3) != 0)
        return false;
    rest += 3;
    rest += strspn(rest, "abcdefghijklmnopqrstuvwxyz.0123456789");
    *name_size = size;
    return strcmp(rest, " == 0") == 0;
}

void text_add_condition(struct text_writer *writer, unsigned gutter, enum finding_kind kind, const char *condition)
{
    struct arena *arena = writer->out->arena;
    size_t size;
    if (kind == FINDING_OOB_GLOBAL && is_even_end(condition, &size))
        text_add_detail(writer, gutter, "help",
                        arena_printf(arena, "leave out the threads past the end, as in `if (i < %.*s)`", (int)size, condition));
    text_add_detail(writer, gutter, "help", arena_printf(arena, "LW_REQUIRES(%s) would prove this", condition));
}

void text_add_assumptions(struct text_writer *writer, const struct report_kernel *kernel)
{
    struct buffer *out = writer->out;
    if (kernel->assumptions.count == 0 && kernel->admitted == NULL)
        return;
    buffer_puts(out, writer->paint.strong);
    text_add_safe(writer, kernel->shown != NULL ? kernel->shown : kernel->name);
    buffer_printf(out, "%s:\n", writer->paint.reset);
    for (uint32_t i = 0; i < kernel->assumptions.count; i++)
        text_add_detail(writer, 1, "assumed", kernel->assumptions.data[i]);
    if (kernel->admitted != NULL)
        text_add_detail(writer, 1, "one admitted launch", kernel->admitted);
    buffer_putc(out, '\n');
}

/* ---- sums ----------------------------------------------------------------------------------------------- */

struct sums {
    uint64_t by_verdict[5];
};

static struct sums kernel_sums(const struct report_kernel *kernel)
{
    return (struct sums){{
        [SITE_UNREACHABLE] = kernel->sites_unreachable,
        [SITE_PROVED] = kernel->sites_proved,
        [SITE_NOT_ANALYSED] = kernel->sites_not_analysed,
        [SITE_UNPROVED] = kernel->sites_unproved,
        [SITE_VIOLATED] = kernel->sites_violated,
    }};
}

static bool has_sites(const struct sums *sums)
{
    uint64_t all = 0;
    for (unsigned v = 0; v < COUNT_OF(sums->by_verdict); v++)
        all += sums->by_verdict[v];
    return all != 0;
}

/* "2 of 4 sites proved, 1 violated, 1 unproved" */
static void add_sums(struct buffer *out, const struct sums *sums)
{
    static const enum site_verdict order[] = {SITE_VIOLATED, SITE_UNPROVED, SITE_NOT_ANALYSED,
                                              SITE_UNREACHABLE};
    uint64_t all = 0;
    char proved[28], total[28], count[28];
    for (unsigned v = 0; v < COUNT_OF(sums->by_verdict); v++)
        all += sums->by_verdict[v];
    if (all == 0) {
        buffer_puts(out, "no site");
        return;
    }
    buffer_printf(out, "%s of %s site%s proved",
                  text_group_digits(sums->by_verdict[SITE_PROVED], proved),
                  text_group_digits(all, total), all == 1 ? "" : "s");
    for (unsigned i = 0; i < COUNT_OF(order); i++)
        if (sums->by_verdict[order[i]] != 0)
            buffer_printf(out, ", %s %s", text_group_digits(sums->by_verdict[order[i]], count),
                          words[order[i]]);
}

bool text_proof_is_clean(const struct report_kernel *kernel)
{
    return kernel->sites_violated + kernel->sites_unproved + kernel->sites_not_analysed == 0 &&
           kernel->not_analysed == NULL;
}

void text_add_proof(struct text_writer *writer, const struct report_kernel *kernel)
{
    struct sums sums = kernel_sums(kernel);
    if (kernel->bounds == VERDICT_NONE && kernel->not_analysed != NULL) {
        text_add_safe(writer, kernel->not_analysed);
        return;
    }
    if (has_sites(&sums)) {
        buffer_printf(writer->out, "bounds %s", report_verdict_name(kernel->bounds));
        if (kernel->sync != VERDICT_NONE)
            buffer_printf(writer->out, ", sync %s", report_verdict_name(kernel->sync));
        if (kernel->races != VERDICT_NONE)
            buffer_printf(writer->out, ", races %s", report_verdict_name(kernel->races));
        buffer_puts(writer->out, ": ");
        add_sums(writer->out, &sums);
    } else {
        buffer_puts(writer->out, "nothing to prove: it accesses no array");
    }
    for (uint32_t i = 0; i < kernel->assumed.count; i++) {
        buffer_puts(writer->out, i == 0 ? "; assuming `" : ", `");
        text_add_safe(writer, kernel->assumed.data[i]);
        buffer_putc(writer->out, '`');
    }
    if (kernel->suggested != NULL)
        buffer_puts(writer->out, "; with this contract:");
    else if (!kernel->has_contract && has_sites(&sums))
        buffer_puts(writer->out, "; it has no contract");
    if (kernel->not_analysed != NULL) {
        buffer_puts(writer->out, "; not analysed: ");
        text_add_safe(writer, kernel->not_analysed);
    }
}

void text_add_suggestion(struct text_writer *writer, const struct report_kernel *kernel)
{
    struct buffer *out = writer->out;
    for (const char *line = kernel->suggested; *line != '\0';) {
        size_t size = strcspn(line, "\n");
        buffer_puts(out, "  ");
        excerpt_add_safe(line, size, out);
        buffer_putc(out, '\n');
        line += size + (line[size] != '\0');
    }
    for (uint32_t i = 0; i < kernel->extents.count; i++) {
        const struct report_extent *extent = &kernel->extents.data[i];
        if (extent->extent != NULL && extent->proved == extent->sites)
            continue;
        const char *text =
            extent->extent == NULL
                ? arena_printf(out->arena, "`%s`: no extent was found%s%s", extent->array,
                               extent->reason != NULL ? ": " : "",
                               extent->reason != NULL ? extent->reason : "")
                : arena_printf(out->arena, "`%s`: %u of %u accesses are proved with it",
                               extent->array, extent->proved, extent->sites);
        text_add_detail(writer, 1, "note", text);
    }
}

void text_add_proof_stats(struct text_writer *writer, const struct report_kernel *kernel)
{
    char queries[28], calls[28];
    buffer_printf(writer->out, "  proved in %.3f s, %s question%s, %s of them to the solver\n",
                  kernel->proof_seconds, text_group_digits(kernel->queries, queries),
                  kernel->queries == 1 ? "" : "s", text_group_digits(kernel->solver_calls, calls));
}

void text_add_totals(struct text_writer *writer, const struct report *report)
{
    static const enum verdict order[] = {VERDICT_PROVED, VERDICT_VIOLATED, VERDICT_UNPROVED,
                                         VERDICT_NONE};
    struct sums sums = {{0}};
    uint64_t kernels[4] = {0};
    const char *separator = "";
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        struct sums own = kernel_sums(kernel);
        kernels[report_verdict(kernel)]++;
        for (unsigned v = 0; v < COUNT_OF(sums.by_verdict); v++)
            sums.by_verdict[v] += own.by_verdict[v];
    }
    for (unsigned i = 0; i < COUNT_OF(order); i++) {
        if (kernels[order[i]] == 0)
            continue;
        buffer_printf(writer->out, "%s%llu %s", separator, (unsigned long long)kernels[order[i]],
                      order[i] == VERDICT_NONE ? "without a verdict"
                                               : report_verdict_name(order[i]));
        separator = ", ";
    }
    buffer_puts(writer->out, "; ");
    add_sums(writer->out, &sums);
}
