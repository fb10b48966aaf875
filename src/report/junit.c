/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as JUnit XML: a test case a (kernel, property).  What was not decided is skipped with its reason, never passed.
 */
#include "report/report_private.h"

#include <string.h>

/* The properties a run looks at, in the order shown. */
static const enum finding_family properties[] = {FAMILY_LAUNCH, FAMILY_BOUNDS, FAMILY_SYNC,
                                                 FAMILY_RACES, FAMILY_RESULT};

/* XML text: marks escaped; what XML 1.0 cannot hold becomes `?`. */
static void add_xml(struct buffer *out, const char *text)
{
    static const char *const marks[] = {"&&amp;", "<&lt;", ">&gt;", "\"&quot;", "\n&#10;"};
    while (text != NULL && *text != '\0') {
        unsigned size = report_utf8_size(text);
        const char *mark = NULL;
        for (unsigned i = 0; i < COUNT_OF(marks) && mark == NULL; i++)
            if (marks[i][0] == *text)
                mark = marks[i] + 1;
        bool is_control = (unsigned char)*text < 0x20 && *text != '\t';
        if (mark != NULL)
            buffer_puts(out, mark);
        else if (size == 0 || is_control)
            buffer_putc(out, '?');
        else
            buffer_add(out, text, size);
        text += size == 0 ? 1 : size;
    }
}

/* The opening of a test case, without the closing bracket. */
static void add_case_begin(struct buffer *out, const char *file, const char *kernel,
                           const char *property)
{
    buffer_puts(out, "    <testcase classname=\"");
    add_xml(out, file == NULL ? "lanewise" : file);
    buffer_puts(out, "\" name=\"");
    add_xml(out, kernel);
    if (property != NULL)
        buffer_printf(out, ": %s", property);
    buffer_puts(out, "\"");
}

static bool is_failure(const struct finding *finding, enum finding_family family)
{
    return finding->severity == SEVERITY_ERROR && finding_info(finding->kind)->family == family;
}

static void add_failure(struct buffer *out, const struct finding *finding)
{
    struct buffer message;
    buffer_init(&message, out->arena);
    report_add_message(finding, &message);
    buffer_printf(out, "      <failure type=\"LW%u\" message=\"",
                  finding_info(finding->kind)->number);
    add_xml(out, message.data);
    buffer_puts(out, "\">");
    add_xml(out, finding->place.file);
    buffer_printf(out, ":%u:%u ", finding->place.line, finding->place.column);
    buffer_init(&message, out->arena);
    report_add_thread(&finding->first, &message);
    add_xml(out, message.data);
    buffer_puts(out, "</failure>\n");
}

struct junit_counts {
    unsigned tests, failures, errors, skipped;
};

static enum verdict verdict_of(const struct report_kernel *kernel, enum finding_family family)
{
    return family == FAMILY_BOUNDS ? kernel->bounds : family == FAMILY_SYNC ? kernel->sync : kernel->races;
}

/* Why nothing can be said of a property; NULL: it holds. */
static const char *skip_reason(const struct report_kernel *kernel, enum finding_family family)
{
    if (kernel->stopped != NULL)
        return kernel->stopped;
    if (kernel->has_run)
        return NULL;
    if (!kernel->has_proof)
        return "the kernel did not run";
    if (kernel->not_analysed != NULL)
        return kernel->not_analysed; /* proved of nothing is no pass */
    enum verdict verdict = verdict_of(kernel, family);
    return verdict == VERDICT_PROVED ? NULL : verdict == VERDICT_VIOLATED ? "violated, by warnings alone" : "not proved";
}

/* A proof says nothing of families that have no site: a kernel without barriers. */
static bool is_looked_at(const struct report_kernel *kernel, enum finding_family family)
{
    bool is_proved = family <= FAMILY_RACES && verdict_of(kernel, family) != VERDICT_NONE;
    return family == FAMILY_BOUNDS || kernel->has_run || !kernel->has_proof || is_proved;
}

static void add_kernel(struct buffer *out, const struct report_kernel *kernel,
                       struct junit_counts *counts)
{
    const char *shown = kernel->shown != NULL ? kernel->shown : kernel->name;
    for (unsigned p = 0; p < COUNT_OF(properties); p++) {
        unsigned failures = 0;
        if (!is_looked_at(kernel, properties[p]))
            continue;
        const char *skipped = skip_reason(kernel, properties[p]);
        add_case_begin(out, kernel->place.file, shown, report_family_name(properties[p]));
        for (uint32_t i = 0; i < kernel->findings.count; i++) {
            if (!is_failure(&kernel->findings.data[i], properties[p]))
                continue;
            buffer_puts(out, failures++ == 0 ? ">\n" : "");
            add_failure(out, &kernel->findings.data[i]);
        }
        counts->tests++;
        counts->failures += failures != 0;
        if (failures != 0) {
            buffer_puts(out, "    </testcase>\n");
        } else if (skipped != NULL) {
            counts->skipped++;
            buffer_puts(out, ">\n      <skipped message=\"");
            add_xml(out, skipped);
            buffer_puts(out, "\"/>\n    </testcase>\n");
        } else {
            buffer_puts(out, "/>\n");
        }
    }
}

static void add_diagnostic(struct buffer *out, const struct diagnostic *diagnostic,
                           struct junit_counts *counts)
{
    if (diagnostic->severity != SEVERITY_ERROR)
        return;
    counts->tests++;
    counts->errors++;
    add_case_begin(out, diagnostic->place.file, "input", NULL);
    buffer_puts(out, ">\n      <error message=\"");
    add_xml(out, diagnostic->message);
    buffer_printf(out, "\">line %u</error>\n    </testcase>\n", diagnostic->place.line);
}

void report_print_junit(const struct report *report, struct buffer *out)
{
    struct buffer body;
    struct junit_counts counts = {0};
    buffer_init(&body, out->arena);
    for (uint32_t i = 0; i < report->diagnostics.count; i++)
        add_diagnostic(&body, &report->diagnostics.data[i], &counts);
    for (uint32_t k = 0; k < report->kernels.count; k++)
        add_kernel(&body, &report->kernels.data[k], &counts);
    buffer_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    buffer_printf(out,
                  "  <testsuite name=\"lanewise %s\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
                  "skipped=\"%u\">\n",
                  report->command, counts.tests, counts.failures, counts.errors, counts.skipped);
    buffer_add(out, body.data == NULL ? "" : body.data, body.size);
    buffer_puts(out, "  </testsuite>\n</testsuites>\n");
}
