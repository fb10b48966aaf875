/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as JSON, schema lanewise/1 (docs/json.md).  Every kernel is in it, also a clean one.
 */
#include "report/report_private.h"

/* file, line and column; null and 0 where unknown. */
static void add_place(struct json_writer *json, const struct place *place)
{
    json_add_text(json, "file", place->file);
    json_add_number(json, "line", place->line);
    json_add_number(json, "column", place->column);
}

static void add_triple(struct json_writer *json, const char *key, const uint64_t values[3])
{
    bool pretty = json->pretty;
    json_key(json, key);
    json->pretty = false; /* on one line */
    json_array_begin(json);
    for (int i = 0; i < 3; i++)
        json_unsigned(json, values[i]);
    json_array_end(json);
    json->pretty = pretty;
}

static void add_thread(struct json_writer *json, bool is_other, const struct finding_thread *thread)
{
    static const char *const keys[2][2] = {{"block", "thread"}, {"other_block", "other_thread"}};
    const char *const *names = keys[is_other];
    uint64_t block[3], place[3];
    for (int i = 0; i < 3; i++) {
        block[i] = thread->block[i];
        place[i] = thread->thread[i];
    }
    if (thread->valid & 1)
        add_triple(json, names[0], block);
    if (thread->valid & 2)
        add_triple(json, names[1], place);
}

static void add_launch(struct json_writer *json, const struct report_launch *launch)
{
    json_key(json, "launch");
    json_object_begin(json);
    add_triple(json, "grid", launch->grid);
    add_triple(json, "block", launch->block);
    json_add_number(json, "dynamic_shared_bytes", launch->dynamic_shared);
    json_object_end(json);
    json_key(json, "scalars");
    json_object_begin(json);
    for (uint32_t i = 0; i < launch->scalars.count; i++)
        json_add_text(json, launch->scalars.data[i].name, launch->scalars.data[i].value);
    json_object_end(json);
}

static void add_witness(struct json_writer *json, const struct finding *finding,
                        const struct report_kernel *kernel)
{
    json_key(json, "witness");
    json_object_begin(json);
    if (finding->launch != NULL)
        add_launch(json, finding->launch);
    else if (kernel->launch.known)
        add_launch(json, &kernel->launch);
    add_thread(json, false, &finding->first);
    add_thread(json, true, &finding->second);
    if (finding->has_index) {
        json_key(json, "index");
        json_integer(json, finding->index);
        json_add_number(json, "extent", finding->extent);
        json_add_number(json, "element_size", finding->element_size);
    }
    json_object_end(json);
}

static void add_notes(struct json_writer *json, const struct finding *finding)
{
    json_key(json, "notes");
    json_array_begin(json);
    for (uint32_t i = 0; i < finding->notes.count; i++) {
        const struct finding_note *note = &finding->notes.data[i];
        json_object_begin(json);
        json_add_text(json, "message", note->message);
        if (note->place.line != 0)
            add_place(json, &note->place);
        json_object_end(json);
    }
    json_array_end(json);
}

void json_add_finding(struct json_writer *json, const struct finding *finding, const char *kernel)
{
    const struct finding_info *info = finding_info(finding->kind);
    struct buffer message;
    buffer_init(&message, json->out->arena);
    report_add_message(finding, &message);
    json_add_text(json, "id", arena_printf(json->out->arena, "LW%u", info->number));
    json_add_text(json, "kind", info->kind);
    json_add_text(json, "severity", report_severity_name(finding->severity));
    json_add_text(json, "status", report_status_name(finding->status));
    add_place(json, &finding->place);
    if (finding->ptx_place.line != 0)
        json_add_number(json, "ptx_line", finding->ptx_place.line);
    json_add_text(json, "kernel", finding->kernel != NULL ? finding->kernel : kernel);
    json_add_text(json, "message", message.data);
    json_add_optional(json, "label", finding->label);
    json_add_optional(json, "array", finding->array);
    json_add_number(json, "count", finding->count);
}

void json_add_finding_advice(struct json_writer *json, const struct finding *finding)
{
    if (finding->notes.count != 0)
        add_notes(json, finding);
    json_add_optional(json, "condition", finding->condition);
    json_add_optional(json, "help", finding->help);
    json_add_optional(json, "reproduce", finding->reproduce);
}

static void add_finding(struct json_writer *json, const struct report *report,
                        const struct report_kernel *kernel, const struct finding *finding)
{
    json_object_begin(json);
    json_add_finding(json, finding, kernel->name);
    add_witness(json, finding, kernel);
    json_add_finding_advice(json, finding);
    json_add_text(json, "fingerprint",
             arena_printf(json->out->arena, "%016llx",
                          (unsigned long long)report_fingerprint(report, finding)));
    json_object_end(json);
}

static void add_run(struct json_writer *json, const struct report_kernel *kernel)
{
    json_key(json, "run");
    json_object_begin(json);
    json_add_number(json, "blocks", kernel->blocks);
    json_add_number(json, "blocks_run", kernel->blocks_run);
    json_add_number(json, "threads_per_block", kernel->threads_per_block);
    json_add_number(json, "warp_instructions", kernel->warp_instructions);
    json_add_number(json, "results_compared", kernel->results_compared);
    json_object_end(json);
}

/* What only `test` knows. */
static void add_test(struct json_writer *json, const struct report_kernel *kernel)
{
    json_key(json, "test");
    json_object_begin(json);
    json_add_number(json, "launches", kernel->launches);
    json_add_number(json, "planned", kernel->launches_planned);
    if (kernel->parts.count == 1)
        json_add_text(json, "part", kernel->parts.data[0]);
    json_add_number(json, "not_finished", kernel->launches_unfinished);
    if (kernel->unfinished_why != NULL)
        json_add_text(json, "not_finished_why", kernel->unfinished_why);
    json_key(json, "missed_transitions");
    json_array_begin(json);
    for (uint32_t i = 0; i < kernel->missed.count; i++)
        json_string(json, kernel->missed.data[i]);
    json_array_end(json);
    json_object_end(json);
}

static void add_site(struct json_writer *json, const struct report_kernel *kernel,
                     const struct report_site *site)
{
    const struct finding_info *info = finding_info(site->kind);
    const struct {
        const char *key, *text;
    } texts[] = {{"array", site->array},
                 {"reason", site->reason},
                 {"proof", site->proof},
                 {"condition", site->condition},
                 {"suggestion", site->suggestion}};
    struct buffer message;
    buffer_init(&message, json->out->arena);
    report_add_site_message(kernel, site, &message);
    json_object_begin(json);
    json_add_text(json, "id", arena_printf(json->out->arena, "LW%u", info->number));
    json_add_text(json, "kind", info->kind);
    json_add_text(json, "verdict", report_site_verdict_name(site->verdict));
    add_place(json, &site->place);
    if (site->ptx_line != 0)
        json_add_number(json, "ptx_line", site->ptx_line);
    json_add_text(json, "message", message.data);
    json_add_number(json, "copies", site->copies);
    for (unsigned i = 0; i < COUNT_OF(texts); i++)
        if (texts[i].text != NULL)
            json_add_text(json, texts[i].key, texts[i].text);
    json_object_end(json);
}

static void add_suggestion(struct json_writer *json, const struct report_kernel *kernel)
{
    json_key(json, "suggested");
    json_object_begin(json);
    json_add_text(json, "contract", kernel->suggested);
    json_key(json, "arrays");
    json_array_begin(json);
    for (uint32_t i = 0; i < kernel->extents.count; i++) {
        const struct report_extent *extent = &kernel->extents.data[i];
        json_object_begin(json);
        json_add_text(json, "array", extent->array);
        json_key(json, "extent");
        json_string(json, extent->extent);
        json_key(json, "new");
        json_boolean(json, extent->is_new);
        json_add_number(json, "sites", extent->sites);
        json_add_number(json, "proved", extent->proved);
        if (extent->reason != NULL)
            json_add_text(json, "reason", extent->reason);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

/* What only `check` knows. */
static void add_proof(struct json_writer *json, const struct report_kernel *kernel)
{
    json_key(json, "contract");
    json_boolean(json, kernel->has_contract);
    if (kernel->not_analysed != NULL)
        json_add_text(json, "not_analysed", kernel->not_analysed);
    if (kernel->admitted != NULL)
        json_add_text(json, "admitted_launch", kernel->admitted);
    json_key(json, "assumptions");
    json_array_begin(json);
    for (uint32_t i = 0; i < kernel->assumed.count; i++)
        json_string(json, arena_printf(json->out->arena, "--assume: %s", kernel->assumed.data[i]));
    for (uint32_t i = 0; i < kernel->assumptions.count; i++)
        json_string(json, kernel->assumptions.data[i]);
    json_array_end(json);
    if (kernel->suggested != NULL)
        add_suggestion(json, kernel);
    json_key(json, "site_list");
    json_array_begin(json);
    for (uint32_t i = 0; i < kernel->sites.count; i++)
        add_site(json, kernel, &kernel->sites.data[i]);
    json_array_end(json);
}

static void add_kernel(struct json_writer *json, const struct report *report,
                       const struct report_kernel *kernel)
{
    json_object_begin(json);
    json_add_text(json, "name", kernel->name);
    json_add_text(json, "demangled", kernel->shown != NULL ? kernel->shown : kernel->name);
    json_add_text(json, "file", kernel->place.file);
    json_add_number(json, "line", kernel->place.line);
    json_key(json, "verdict");
    json_object_begin(json);
    json_add_text(json, "bounds", report_verdict_name(kernel->bounds));
    json_add_text(json, "sync", report_verdict_name(kernel->sync));
    json_add_text(json, "races", report_verdict_name(kernel->races));
    json_object_end(json);
    json_key(json, "sites");
    json_object_begin(json);
    json_add_number(json, "proved", kernel->sites_proved);
    json_add_number(json, "violated", kernel->sites_violated);
    json_add_number(json, "unproved", kernel->sites_unproved);
    json_add_number(json, "not_analysed", kernel->sites_not_analysed);
    json_add_number(json, "unreachable", kernel->sites_unreachable);
    json_object_end(json);
    if (kernel->has_proof)
        add_proof(json, kernel);
    if (kernel->has_run)
        add_run(json, kernel);
    if (kernel->launches != 0)
        add_test(json, kernel);
    if (kernel->stopped != NULL) {
        json_key(json, "stopped");
        json_object_begin(json);
        json_add_text(json, "reason", kernel->stopped);
        add_place(json, &kernel->stopped_at);
        json_object_end(json);
    }
    json_key(json, "findings");
    json_array_begin(json);
    for (uint32_t i = 0; i < kernel->findings.count; i++)
        add_finding(json, report, kernel, &kernel->findings.data[i]);
    json_array_end(json);
    json_object_end(json);
}

static void add_diagnostic(struct json_writer *json, const struct diagnostic *diagnostic)
{
    json_object_begin(json);
    json_add_text(json, "severity", report_severity_name(diagnostic->severity));
    add_place(json, &diagnostic->place);
    json_add_text(json, "message", diagnostic->message);
    if (diagnostic->help != NULL)
        json_add_text(json, "help", diagnostic->help);
    json_object_end(json);
}

void report_print_json(const struct report *report, struct buffer *out)
{
    struct json_writer json;
    json_init(&json, out, true);
    json_object_begin(&json);
    json_add_text(&json, "schema", "lanewise/1");
    if (report->version != NULL)
        json_add_text(&json, "version", report->version);
    json_add_text(&json, "command", report->command);
    json_key(&json, "kernels");
    json_array_begin(&json);
    for (uint32_t i = 0; i < report->kernels.count; i++)
        add_kernel(&json, report, &report->kernels.data[i]);
    json_array_end(&json);
    json_key(&json, "diagnostics");
    json_array_begin(&json);
    for (uint32_t i = 0; i < report->diagnostics.count; i++)
        add_diagnostic(&json, &report->diagnostics.data[i]);
    json_array_end(&json);
    json_key(&json, "summary");
    json_object_begin(&json);
    json_add_number(&json, "errors", report->errors);
    json_add_number(&json, "warnings", report->warnings);
    json_add_number(&json, "notes", report->notes);
    json_add_number(&json, "not_finished", report->stopped);
    json_object_end(&json);
    json_object_end(&json);
}
