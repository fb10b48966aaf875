/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON reports of the parts of a test, joined to one report: kernels by file and name, counts added, findings once (the joining of
 * report_finish), of several witnesses the one of the smallest launch.
 */
#include "report/report_private.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct json_node *object, const char *key)
{
    const struct json_node *node = json_find(object, key);
    return node != NULL && node->kind == JSON_STRING ? node->text : NULL;
}

static uint64_t number_of(const struct json_node *object, const char *key)
{
    const struct json_node *node = json_find(object, key);
    return node != NULL && node->kind == JSON_NUMBER && node->text[0] != '-' ? strtoull(node->text, NULL, 10) : 0;
}

static struct place place_of(const struct json_node *object)
{
    return (struct place){text_of(object, "file"), (uint32_t)number_of(object, "line"), (uint32_t)number_of(object, "column")};
}

/* The name in a list whose entry says `text`. */
static unsigned choose(const char *text, const char *(*name)(unsigned), unsigned count, unsigned otherwise)
{
    for (unsigned i = 0; text != NULL && i < count; i++)
        if (strcmp(name(i), text) == 0)
            return i;
    return otherwise;
}

static const char *severity_name(unsigned i)
{
    return report_severity_name((enum severity)i);
}

static const char *status_name(unsigned i)
{
    return report_status_name((enum finding_status)i);
}

static bool read_triple(const struct json_node *object, const char *key, uint64_t out[3])
{
    const struct json_node *node = json_find(object, key);
    const struct json_node *member = node == NULL ? NULL : node->first;
    for (unsigned i = 0; i < 3; i++, member = member->next) {
        if (member == NULL || member->kind != JSON_NUMBER)
            return false;
        out[i] = strtoull(member->text, NULL, 10);
    }
    return true;
}

static void read_thread(const struct json_node *witness, const char *block, const char *thread, struct finding_thread *out)
{
    uint64_t values[3];
    if (read_triple(witness, block, values)) {
        out->valid |= 1;
        for (unsigned i = 0; i < 3; i++)
            out->block[i] = (uint32_t)values[i];
    }
    if (read_triple(witness, thread, values)) {
        out->valid |= 2;
        for (unsigned i = 0; i < 3; i++)
            out->thread[i] = (uint32_t)values[i];
    }
}

static void read_witness(struct report *report, const struct json_node *witness, struct finding *finding)
{
    const struct json_node *launch = json_find(witness, "launch"), *scalars = json_find(witness, "scalars");
    const struct json_node *index = json_find(witness, "index");
    read_thread(witness, "block", "thread", &finding->first);
    read_thread(witness, "other_block", "other_thread", &finding->second);
    if (index != NULL && index->kind == JSON_NUMBER) {
        finding->has_index = true;
        finding->index = strtoll(index->text, NULL, 10);
        finding->extent = number_of(witness, "extent");
        finding->element_size = (uint32_t)number_of(witness, "element_size");
    }
    if (launch == NULL)
        return;
    struct report_launch *read = ARENA_NEW(report->arena, struct report_launch);
    read->known = read_triple(launch, "grid", read->grid) && read_triple(launch, "block", read->block);
    read->dynamic_shared = number_of(launch, "dynamic_shared_bytes");
    for (const struct json_node *scalar = scalars == NULL ? NULL : scalars->first; scalar != NULL; scalar = scalar->next)
        if (scalar->kind == JSON_STRING)
            *vec_push(report->arena, &read->scalars) = (struct report_scalar){scalar->key, "", scalar->text};
    if (read->known)
        finding->launch = read;
}

/* "`k` reads ..." of the file is "reads ..." here. */
static const char *bare_message(const char *message, const char *shown)
{
    size_t size = strlen(shown);
    if (message == NULL || message[0] != '`' || strncmp(message + 1, shown, size) != 0 || message[size + 1] != '`')
        return message;
    message += size + 2;
    message += *message == ':';
    return *message == ' ' ? message + 1 : message;
}

static void read_finding(struct report *report, struct report_kernel *kernel, const struct json_node *node)
{
    struct finding finding = {
        .kind = finding_kind_find(text_of(node, "kind") == NULL ? "" : text_of(node, "kind")),
        .severity = (enum severity)choose(text_of(node, "severity"), severity_name, 3, SEVERITY_ERROR),
        .status = (enum finding_status)choose(text_of(node, "status"), status_name, 3, STATUS_SEEN),
        .place = place_of(node),
        .kernel = kernel->name,
        .kernel_shown = kernel->shown,
        .message = bare_message(text_of(node, "message"), kernel->shown),
        .label = text_of(node, "label"),
        .array = text_of(node, "array"),
        .count = number_of(node, "count"),
        .help = text_of(node, "help"),
        .condition = text_of(node, "condition"),
        .reproduce = text_of(node, "reproduce"),
    };
    const struct json_node *notes = json_find(node, "notes");
    if (finding.kind == FINDING_KIND_COUNT)
        return;
    finding.ptx_place.line = (uint32_t)number_of(node, "ptx_line");
    read_witness(report, json_find(node, "witness"), &finding);
    for (const struct json_node *note = notes == NULL ? NULL : notes->first; note != NULL; note = note->next)
        *vec_push(report->arena, &finding.notes) = (struct finding_note){place_of(note), text_of(note, "message")};
    *vec_push(report->arena, &kernel->findings) = finding;
}

static struct report_kernel *find_kernel(struct report *report, const char *name, const char *file)
{
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        struct report_kernel *kernel = &report->kernels.data[k];
        if (strcmp(kernel->name, name) == 0 && strcmp(kernel->place.file == NULL ? "" : kernel->place.file, file) == 0)
            return kernel;
    }
    return NULL;
}

static void read_missed(struct report *report, struct report_kernel *kernel, const struct json_node *test)
{
    const struct json_node *missed = json_find(test, "missed_transitions");
    for (const struct json_node *node = missed == NULL ? NULL : missed->first; node != NULL; node = node->next) {
        bool is_known = node->kind != JSON_STRING;
        for (uint32_t i = 0; i < kernel->missed.count && !is_known; i++)
            is_known = strcmp(kernel->missed.data[i], node->text) == 0;
        if (!is_known)
            *vec_push(report->arena, &kernel->missed) = node->text;
    }
}

static const char parts_missing[] = "parts of the test are missing";

/* A part that is given twice counts once. */
static bool is_part_known(struct report *report, struct report_kernel *kernel, const char *part)
{
    for (uint32_t i = 0; i < kernel->parts.count && part != NULL; i++)
        if (strcmp(kernel->parts.data[i], part) == 0)
            return true;
    if (part != NULL)
        *vec_push(report->arena, &kernel->parts) = part;
    return false;
}

static void read_kernel(struct report *report, const struct json_node *node)
{
    const char *name = text_of(node, "name"), *shown = text_of(node, "demangled");
    struct place place = place_of(node);
    const struct json_node *run = json_find(node, "run"), *test = json_find(node, "test"), *findings = json_find(node, "findings");
    if (name == NULL)
        return;
    struct report_kernel *kernel = find_kernel(report, name, place.file == NULL ? "" : place.file);
    if (kernel == NULL) {
        kernel = report_add_kernel(report);
        kernel->name = name;
        kernel->shown = shown != NULL ? shown : name;
        kernel->place = place;
    }
    if (is_part_known(report, kernel, text_of(test, "part")))
        return;
    kernel->has_run |= run != NULL;
    kernel->blocks += number_of(run, "blocks");
    kernel->blocks_run += number_of(run, "blocks_run");
    kernel->warp_instructions += number_of(run, "warp_instructions");
    kernel->results_compared += number_of(run, "results_compared");
    uint64_t launches = number_of(test, "launches"), planned = number_of(test, "planned");
    const char *why = text_of(test, "not_finished_why");
    kernel->launches += launches;
    kernel->launches_planned = planned > kernel->launches_planned ? planned : kernel->launches_planned;
    if (why != NULL && strcmp(why, parts_missing) != 0) {
        kernel->launches_unfinished += number_of(test, "not_finished");
        kernel->unfinished_why = kernel->unfinished_why == NULL ? why : kernel->unfinished_why;
    }
    if (kernel->stopped == NULL)
        kernel->stopped = text_of(json_find(node, "stopped"), "reason");
    read_missed(report, kernel, test);
    for (const struct json_node *finding = findings == NULL ? NULL : findings->first; finding != NULL; finding = finding->next)
        read_finding(report, kernel, finding);
}

static void read_diagnostic(struct report *report, const struct json_node *node)
{
    const char *message = text_of(node, "message");
    for (uint32_t i = 0; i < report->diagnostics.count; i++)
        if (message == NULL || strcmp(report->diagnostics.data[i].message, message) == 0)
            return;
    if (message != NULL)
        *vec_push(report->arena, &report->diagnostics) =
            (struct diagnostic){(enum severity)choose(text_of(node, "severity"), severity_name, 3, SEVERITY_ERROR), place_of(node),
                                message, text_of(node, "help")};
}

bool report_merge_json(struct report *report, const char *text, size_t size, const char **trouble, uint32_t *line)
{
    const struct json_node *root = json_read(report->arena, text, size, trouble, line);
    if (root == NULL)
        return false;
    const char *schema = text_of(root, "schema");
    const struct json_node *kernels = json_find(root, "kernels"), *diagnostics = json_find(root, "diagnostics");
    if (schema == NULL || strcmp(schema, "lanewise/1") != 0 || kernels == NULL) {
        *trouble = "this is no report of lanewise/1";
        *line = 1;
        return false;
    }
    for (const struct json_node *node = kernels->first; node != NULL; node = node->next)
        read_kernel(report, node);
    for (const struct json_node *node = diagnostics == NULL ? NULL : diagnostics->first; node != NULL; node = node->next)
        read_diagnostic(report, node);
    return true;
}

void report_merge_finish(struct report *report)
{
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        struct report_kernel *kernel = &report->kernels.data[k];
        if (kernel->launches >= kernel->launches_planned)
            continue;
        kernel->launches_unfinished += kernel->launches_planned - kernel->launches;
        if (kernel->unfinished_why == NULL)
            kernel->unfinished_why = parts_missing;
    }
}
