/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as SARIF 2.1.0, within the limits of GitHub code scanning: 25,000 results a run, errors first when there are more.
 * The severity of a SARIF rule is the kind's default; each result carries its own.
 */
#include "report/report_private.h"

#include <string.h>

enum { RESULT_LIMIT = 25000 };

struct sarif_writer {
    struct json_writer json;
    const struct report *report;
    uint32_t results;
    struct text_map seen; /* fingerprint: how often it came */
};

static void add_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

/* "message": {"text": ...} and its like. */
static void add_text_object(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_object_begin(json);
    add_text(json, "text", text);
    json_object_end(json);
}

/* A path as a URI reference: what is not plain is percent-encoded. */
static const char *path_uri(struct arena *arena, const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    struct buffer uri;
    buffer_init(&uri, arena);
    buffer_puts(&uri, path[0] == '/' ? "file://" : "");
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            buffer_putc(&uri, *path);
        else
            buffer_printf(&uri, "%%%02X", (unsigned char)*path);
    }
    return uri.data;
}

/* "physicalLocation": ... and, for a related place, its message. */
static void add_location(struct sarif_writer *sarif, const struct place *place, const char *message)
{
    struct json_writer *json = &sarif->json;
    json_object_begin(json);
    json_key(json, "physicalLocation");
    json_object_begin(json);
    json_key(json, "artifactLocation");
    json_object_begin(json);
    add_text(json, "uri",
             path_uri(json->out->arena, report_relative_path(sarif->report, place->file)));
    json_object_end(json);
    if (place->line != 0) {
        json_key(json, "region");
        json_object_begin(json);
        json_key(json, "startLine");
        json_unsigned(json, place->line);
        if (place->column != 0) {
            json_key(json, "startColumn");
            json_unsigned(json, place->column);
        }
        json_object_end(json);
    }
    json_object_end(json);
    if (message != NULL)
        add_text_object(json, "message", message);
    json_object_end(json);
}

static const char *severity_level(enum severity severity)
{
    return severity == SEVERITY_NOTE ? "note" : report_severity_name(severity);
}

static void add_rule(struct json_writer *json, enum finding_kind kind)
{
    struct arena *arena = json->out->arena;
    const struct finding_info *info = finding_info(kind);
    json_object_begin(json);
    add_text(json, "id", arena_printf(arena, "LW%u", info->number));
    add_text(json, "name", info->kind);
    add_text_object(json, "shortDescription", info->title);
    add_text_object(json, "help",
                    arena_printf(arena, "`lanewise explain LW%u` shows a wrong and a right kernel.",
                                 info->number));
    json_key(json, "defaultConfiguration");
    json_object_begin(json);
    add_text(json, "level", severity_level(info->severity));
    json_object_end(json);
    json_object_end(json);
}

static void add_rules(struct json_writer *json)
{
    unsigned last = 0;
    json_key(json, "rules");
    json_array_begin(json);
    for (unsigned i = 0; i < FINDING_KIND_COUNT; i++) {
        const struct finding_info *info = finding_info((enum finding_kind)i);
        if (info->number != last)
            add_rule(json, (enum finding_kind)i);
        last = info->number;
    }
    json_array_end(json);
}

/* Findings that share a fingerprint are told apart by their order in the file. */
static const char *unique_fingerprint(struct sarif_writer *sarif, const struct finding *finding)
{
    char *text = arena_printf(sarif->json.out->arena, "%016llx",
                              (unsigned long long)report_fingerprint(sarif->report, finding));
    uint32_t before = text_map_find(&sarif->seen, text, strlen(text));
    uint32_t count = before == TEXT_MAP_NONE ? 1 : before + 1;
    text_map_set(&sarif->seen, text, strlen(text), count);
    return arena_printf(sarif->json.out->arena, "%s:%u", text, count);
}

static void add_result(struct sarif_writer *sarif, const struct finding *finding)
{
    struct json_writer *json = &sarif->json;
    struct buffer message;
    buffer_init(&message, json->out->arena);
    report_add_message(finding, &message);
    if (finding->first.valid != 0) {
        buffer_puts(&message, " (");
        report_add_thread(&finding->first, &message);
        buffer_puts(&message, ")");
    }
    json_object_begin(json);
    add_text(json, "ruleId",
             arena_printf(json->out->arena, "LW%u", finding_info(finding->kind)->number));
    add_text(json, "level", severity_level(finding->severity));
    add_text_object(json, "message", message.data);
    json_key(json, "locations");
    json_array_begin(json);
    if (finding->place.file != NULL)
        add_location(sarif, &finding->place, NULL);
    json_array_end(json);
    json_key(json, "relatedLocations");
    json_array_begin(json);
    for (uint32_t i = 0; i < finding->notes.count; i++)
        if (finding->notes.data[i].place.line != 0)
            add_location(sarif, &finding->notes.data[i].place, finding->notes.data[i].message);
    json_array_end(json);
    json_key(json, "partialFingerprints");
    json_object_begin(json);
    add_text(json, "lanewise/1", unique_fingerprint(sarif, finding));
    json_object_end(json);
    json_key(json, "properties");
    json_object_begin(json);
    add_text(json, "kind", finding_info(finding->kind)->kind);
    add_text(json, "kernel", finding->kernel);
    json_key(json, "count");
    json_unsigned(json, finding->count);
    json_object_end(json);
    json_object_end(json);
}

/* What was not proved is no failure: SARIF calls it open. */
static void add_open_site(struct sarif_writer *sarif, const struct report_kernel *kernel,
                          const struct report_site *site)
{
    struct json_writer *json = &sarif->json;
    struct buffer message;
    buffer_init(&message, json->out->arena);
    report_add_site_message(kernel, site, &message);
    if (site->reason != NULL)
        buffer_printf(&message, ": %s", site->reason);
    json_object_begin(json);
    add_text(json, "ruleId",
             arena_printf(json->out->arena, "LW%u", finding_info(site->kind)->number));
    add_text(json, "kind", "open");
    add_text(json, "level", "none");
    add_text_object(json, "message", message.data);
    json_key(json, "locations");
    json_array_begin(json);
    if (site->place.file != NULL)
        add_location(sarif, &site->place, NULL);
    json_array_end(json);
    json_object_end(json);
}

static void add_open_sites(struct sarif_writer *sarif)
{
    for (uint32_t k = 0; k < sarif->report->kernels.count; k++) {
        const struct report_kernel *kernel = &sarif->report->kernels.data[k];
        for (uint32_t i = 0; i < kernel->sites.count; i++) {
            const struct report_site *site = &kernel->sites.data[i];
            if ((site->verdict == SITE_UNPROVED || site->verdict == SITE_NOT_ANALYSED) &&
                sarif->results++ < RESULT_LIMIT)
                add_open_site(sarif, kernel, site);
        }
    }
}

static void add_results(struct sarif_writer *sarif, enum severity severity)
{
    for (uint32_t k = 0; k < sarif->report->kernels.count; k++) {
        const struct report_kernel *kernel = &sarif->report->kernels.data[k];
        for (uint32_t i = 0; i < kernel->findings.count; i++)
            if (kernel->findings.data[i].severity == severity && sarif->results++ < RESULT_LIMIT)
                add_result(sarif, &kernel->findings.data[i]);
    }
}

static void add_notification(struct sarif_writer *sarif, enum severity severity, const char *text,
                             const struct place *place)
{
    struct json_writer *json = &sarif->json;
    json_object_begin(json);
    add_text(json, "level", severity_level(severity));
    add_text_object(json, "message", text);
    if (place->file != NULL) {
        json_key(json, "locations");
        json_array_begin(json);
        add_location(sarif, place, NULL);
        json_array_end(json);
    }
    json_object_end(json);
}

/* Input errors, and kernels that did not finish: whoever reads "no result" must not take it for a pass. */
static void add_invocation(struct sarif_writer *sarif)
{
    struct json_writer *json = &sarif->json;
    const struct report *report = sarif->report;
    bool failed = report->stopped != 0;
    for (uint32_t i = 0; i < report->diagnostics.count; i++)
        failed |= report->diagnostics.data[i].severity == SEVERITY_ERROR;
    json_key(json, "invocations");
    json_array_begin(json);
    json_object_begin(json);
    json_key(json, "executionSuccessful");
    json_boolean(json, !failed);
    json_key(json, "toolExecutionNotifications");
    json_array_begin(json);
    for (uint32_t i = 0; i < report->diagnostics.count; i++)
        add_notification(sarif, report->diagnostics.data[i].severity,
                         report->diagnostics.data[i].message, &report->diagnostics.data[i].place);
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        if (kernel->stopped != NULL)
            add_notification(sarif, SEVERITY_ERROR,
                             arena_printf(json->out->arena, "`%s` did not finish: %s", kernel->name,
                                          kernel->stopped),
                             &kernel->place);
    }
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
}

void report_print_sarif(const struct report *report, struct buffer *out)
{
    struct sarif_writer sarif = {.report = report};
    struct json_writer *json = &sarif.json;
    json_init(json, out, true);
    text_map_init(&sarif.seen, out->arena);
    json_object_begin(json);
    add_text(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    add_text(json, "version", "2.1.0");
    json_key(json, "runs");
    json_array_begin(json);
    json_object_begin(json);
    json_key(json, "tool");
    json_object_begin(json);
    json_key(json, "driver");
    json_object_begin(json);
    add_text(json, "name", "lanewise");
    if (report->version != NULL)
        add_text(json, "version", report->version);
    add_rules(json);
    json_object_end(json);
    json_object_end(json);
    add_invocation(&sarif);
    json_key(json, "results");
    json_array_begin(json);
    for (int severity = SEVERITY_ERROR; severity >= SEVERITY_NOTE; severity--)
        add_results(&sarif, (enum severity)severity);
    add_open_sites(&sarif);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
}
