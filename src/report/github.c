/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as workflow commands of GitHub Actions.  A step keeps its first 10 errors and 10 warnings, so the worst come first.
 */
#include "report/report_private.h"

/* In a message % and line ends are encoded; in a property `:` and `,` too. */
static void add_encoded(struct buffer *out, const char *text, bool is_property)
{
    for (; text != NULL && *text != '\0'; text++) {
        bool encode = *text == '%' || *text == '\r' || *text == '\n' ||
                      (is_property && (*text == ':' || *text == ','));
        if (encode)
            buffer_printf(out, "%%%02X", (unsigned char)*text);
        else
            buffer_putc(out, *text);
    }
}

static void add_command(struct buffer *out, const struct report *report, enum severity severity,
                        const struct place *place, const char *title, const char *message)
{
    static const char *const commands[] = {"notice", "warning", "error"};
    buffer_printf(out, "::%s ", commands[severity]);
    if (place->file != NULL) {
        buffer_puts(out, "file=");
        add_encoded(out, report_relative_path(report, place->file), true);
        buffer_puts(out, ",");
    }
    if (place->line != 0)
        buffer_printf(out, "line=%u,", place->line);
    if (place->column != 0)
        buffer_printf(out, "col=%u,", place->column);
    buffer_puts(out, "title=");
    add_encoded(out, title, true);
    buffer_puts(out, "::");
    add_encoded(out, message, false);
    buffer_putc(out, '\n');
}

static void add_finding(struct buffer *out, const struct report *report,
                        const struct finding *finding)
{
    const struct finding_info *info = finding_info(finding->kind);
    struct buffer message;
    buffer_init(&message, out->arena);
    report_add_message(finding, &message);
    if (finding->first.valid != 0) {
        buffer_puts(&message, " (");
        report_add_thread(&finding->first, &message);
        buffer_puts(&message, ")");
    }
    add_command(out, report, finding->severity, &finding->place,
                arena_printf(out->arena, "LW%u %s", info->number, info->kind), message.data);
}

/* What stays to be checked at run time. */
static void add_site(struct buffer *out, const struct report *report,
                     const struct report_kernel *kernel, const struct report_site *site)
{
    const struct finding_info *info = finding_info(site->kind);
    struct buffer message;
    if (site->verdict != SITE_UNPROVED && site->verdict != SITE_NOT_ANALYSED)
        return;
    buffer_init(&message, out->arena);
    report_add_site_message(kernel, site, &message);
    if (site->reason != NULL)
        buffer_printf(&message, ": %s", site->reason);
    add_command(out, report, SEVERITY_NOTE, &site->place,
                arena_printf(out->arena, "LW%u %s: not proved", info->number, info->kind),
                message.data);
}

static void add_stopped(struct buffer *out, const struct report *report,
                        const struct report_kernel *kernel)
{
    add_command(out, report, SEVERITY_ERROR,
                kernel->stopped_at.line != 0 ? &kernel->stopped_at : &kernel->place,
                "lanewise: not finished",
                arena_printf(out->arena, "`%s` did not finish: %s",
                             kernel->shown != NULL ? kernel->shown : kernel->name,
                             kernel->stopped));
}

void report_print_github(const struct report *report, struct buffer *out)
{
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--) {
        for (uint32_t i = 0; i < report->diagnostics.count; i++)
            if (report->diagnostics.data[i].severity == (enum severity)severity)
                add_command(out, report, (enum severity)severity,
                            &report->diagnostics.data[i].place, "lanewise",
                            report->diagnostics.data[i].message);
        for (uint32_t k = 0; k < report->kernels.count; k++) {
            const struct report_kernel *kernel = &report->kernels.data[k];
            if (severity == SEVERITY_ERROR && kernel->stopped != NULL)
                add_stopped(out, report, kernel);
            for (uint32_t i = 0; i < kernel->findings.count; i++)
                if (kernel->findings.data[i].severity == (enum severity)severity)
                    add_finding(out, report, &kernel->findings.data[i]);
            for (uint32_t i = 0; i < kernel->sites.count && severity == SEVERITY_NOTE; i++)
                add_site(out, report, kernel, &kernel->sites.data[i]);
        }
    }
}
