/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings as data: the table of kinds, and the order and the joining that make a report the same every time.
 */
#include "report/report_private.h"

#include <stdlib.h>
#include <string.h>

static const struct finding_info infos[FINDING_KIND_COUNT] = {
#define FINDING(name, number, kind, severity, family, title)                                       \
    [FINDING_##name] = {number, kind, SEVERITY_##severity, FAMILY_##family, title},
#include "report/findings.def"
#undef FINDING
};

const struct finding_info *finding_info(enum finding_kind kind)
{
    return &infos[kind];
}

enum finding_kind finding_kind_find(const char *kind)
{
    for (unsigned i = 0; i < FINDING_KIND_COUNT; i++)
        if (strcmp(infos[i].kind, kind) == 0)
            return (enum finding_kind)i;
    return FINDING_KIND_COUNT;
}

void report_init(struct report *report, struct arena *arena, const char *command)
{
    memset(report, 0, sizeof *report);
    report->arena = arena;
    report->command = command;
}

struct report_kernel *report_add_kernel(struct report *report)
{
    struct report_kernel *kernel = vec_push(report->arena, &report->kernels);
    memset(kernel, 0, sizeof *kernel);
    return kernel;
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Block order, then thread order; z is the slowest coordinate. */
static int compare_threads(const struct finding_thread *a, const struct finding_thread *b)
{
    for (int axis = 2; axis >= 0; axis--)
        if (a->block[axis] != b->block[axis])
            return compare_numbers(a->block[axis], b->block[axis]);
    for (int axis = 2; axis >= 0; axis--)
        if (a->thread[axis] != b->thread[axis])
            return compare_numbers(a->thread[axis], b->thread[axis]);
    return 0;
}

/* The line of the other half of a pair (a race, a barrier with two places); 0 for a single place. */
static uint32_t other_line(const struct finding *finding)
{
    return finding->notes.count == 0 ? 0 : finding->notes.data[0].place.line;
}

/* A line, what is asked there, and of which array. */
static int compare_subjects(const struct place *a, enum finding_kind kind_a, const char *array_a, const struct place *b,
                            enum finding_kind kind_b, const char *array_b)
{
    int order = compare_texts(a->file, b->file);
    if (order == 0)
        order = compare_numbers(a->line, b->line);
    if (order == 0)
        order = compare_numbers(kind_a, kind_b);
    return order != 0 ? order : compare_texts(array_a, array_b);
}

/* What findings are joined by: a file, a line pair, an id, an array. */
static int compare_keys(const struct finding *a, const struct finding *b)
{
    int order = compare_subjects(&a->place, a->kind, a->array, &b->place, b->kind, b->array);
    if (order == 0)
        order = compare_numbers(other_line(a), other_line(b));
    /* What is wrong with a launch stands at one line, each thing for itself. */
    if (order == 0 && finding_info(a->kind)->family == FAMILY_LAUNCH)
        order = compare_texts(a->message, b->message);
    return order;
}

static int compare_findings(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = compare_keys(a, b);
    if (order == 0)
        order = compare_numbers(b->severity, a->severity);
    if (order == 0)
        order = compare_threads(&a->first, &b->first);
    if (order == 0) /* of the accesses of one line, the one that comes first */
        order = compare_numbers(a->ptx_place.line, b->ptx_place.line);
    if (order == 0)
        order = compare_numbers(a->place.column, b->place.column);
    if (order == 0)
        order = compare_texts(a->message, b->message);
    return order;
}

/* Copies of one site (unrolled, or the load and the store of `x += 1`) count the same threads: the largest count is the
 * number of threads that is certain. */
static void join_findings(struct report_kernel *kernel)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < kernel->findings.count; i++) {
        struct finding *finding = &kernel->findings.data[i];
        struct finding *last = kept == 0 ? NULL : &kernel->findings.data[kept - 1];
        if (last == NULL || compare_keys(last, finding) != 0) {
            kernel->findings.data[kept++] = *finding;
            continue;
        }
        if (finding->count > last->count)
            last->count = finding->count;
    }
    kernel->findings.count = kept;
}

static int compare_sites(const void *left, const void *right)
{
    const struct report_site *a = left, *b = right;
    int order = compare_subjects(&a->place, a->kind, a->array, &b->place, b->kind, b->array);
    if (order == 0)
        order = compare_numbers(a->ptx_line, b->ptx_line);
    return order;
}

static void count_finding(struct report *report, enum severity severity)
{
    if (severity == SEVERITY_ERROR)
        report->errors++;
    else if (severity == SEVERITY_WARNING)
        report->warnings++;
    else
        report->notes++;
}

/* A finding that was seen decides its family's verdict, whoever else looked. */
static void apply_verdict(struct report_kernel *kernel, const struct finding *finding)
{
    enum verdict *verdict = NULL;
    switch (finding_info(finding->kind)->family) {
    case FAMILY_BOUNDS:
        verdict = &kernel->bounds;
        break;
    case FAMILY_SYNC:
        verdict = &kernel->sync;
        break;
    case FAMILY_RACES:
        verdict = &kernel->races;
        break;
    default:
        return;
    }
    if (finding->severity == SEVERITY_ERROR || finding->status == STATUS_VIOLATED)
        *verdict = VERDICT_VIOLATED;
}

void report_finish(struct report *report)
{
    report->errors = report->warnings = report->notes = report->stopped = 0;
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        struct report_kernel *kernel = &report->kernels.data[k];
        if (kernel->findings.count != 0)
            qsort(kernel->findings.data, kernel->findings.count, sizeof *kernel->findings.data,
                  compare_findings);
        join_findings(kernel);
        if (kernel->sites.count != 0)
            qsort(kernel->sites.data, kernel->sites.count, sizeof *kernel->sites.data,
                  compare_sites);
        for (uint32_t i = 0; i < kernel->findings.count; i++) {
            count_finding(report, kernel->findings.data[i].severity);
            apply_verdict(kernel, &kernel->findings.data[i]);
        }
        report->stopped += kernel->stopped != NULL;
    }
}

/* ---- texts shared by the formats ---------------------------------------------------------------- */

const char *report_severity_name(enum severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

const char *report_verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"none", "proved", "violated", "unproved"};
    return names[verdict];
}

enum verdict report_verdict(const struct report_kernel *kernel)
{
    static const uint8_t weight[] = {[VERDICT_NONE] = 0, [VERDICT_PROVED] = 1, [VERDICT_UNPROVED] = 2, [VERDICT_VIOLATED] = 3};
    enum verdict all = kernel->bounds;
    if (weight[kernel->sync] > weight[all])
        all = kernel->sync;
    return weight[kernel->races] > weight[all] ? kernel->races : all;
}

const char *report_status_name(enum finding_status status)
{
    static const char *const names[] = {"seen", "violated", "inferred"};
    return names[status];
}

const char *report_family_name(enum finding_family family)
{
    static const char *const names[] = {"bounds", "sync", "races",  "results",
                                        "launch", "cost", "program"};
    return names[family];
}

const char *report_site_verdict_name(enum site_verdict verdict)
{
    static const char *const names[] = {"unreachable", "proved", "not_analysed", "unproved",
                                        "violated"};
    return names[verdict];
}

/* "`k` stays inside `x` when it reads" */
static void add_claim(const struct report_kernel *kernel, const struct report_site *site,
                      struct buffer *out)
{
    const char *verb = site->is_read && site->is_write ? "reads and writes"
                       : site->is_write                ? "writes"
                                                       : "reads";
    buffer_printf(out, "`%s` ", kernel->shown != NULL ? kernel->shown : kernel->name);
    if (site->kind == FINDING_BARRIER_DIVERGENCE) {
        buffer_puts(out, "reaches this barrier with all threads that it waits for");
    } else if (site->kind == FINDING_SHUFFLE_INACTIVE) {
        buffer_puts(out, "executes this with the lanes that it names");
    } else if (finding_info(site->kind)->family == FAMILY_RACES) {
        buffer_printf(out, "%s `%s` without a race%s", verb, site->array != NULL ? site->array : "memory",
                      site->kind == FINDING_WARP_RACE ? " between lanes of a warp" : "");
    } else if (site->kind == FINDING_DIV_BY_ZERO) {
        buffer_puts(out, "does not divide by zero");
    } else if (site->kind == FINDING_DEVICE_ASSERT) {
        buffer_puts(out, "passes this check");
    } else if (site->kind == FINDING_INDEX_WRAP) {
        if (site->array != NULL)
            buffer_printf(out, "computes its index into `%s`", site->array);
        else
            buffer_puts(out, "computes what it compares");
        buffer_puts(out, " without leaving the width of the type");
    } else if (site->kind == FINDING_MISALIGNED) {
        buffer_puts(out, verb);
        if (site->array != NULL)
            buffer_printf(out, " `%s`", site->array);
        buffer_puts(out, " at aligned addresses");
    } else if (site->kind == FINDING_ROW_CROSSING) {
        buffer_printf(out, "stays inside its row of `%s` when it %s",
                      site->array != NULL ? site->array : "the array", verb);
    } else {
        if (site->array != NULL)
            buffer_printf(out, "stays inside `%s`", site->array);
        else
            buffer_puts(out, "stays inside the array");
        buffer_printf(out, " when it %s", verb);
    }
}

void report_add_site_message(const struct report_kernel *kernel, const struct report_site *site,
                             struct buffer *out)
{
    static const char *const openings[] = {
        [SITE_UNREACHABLE] = "no thread gets here, so ",
        [SITE_PROVED] = "",
        [SITE_NOT_ANALYSED] = "not known whether ",
        [SITE_UNPROVED] = "cannot prove that ",
        [SITE_VIOLATED] = "not true that ",
    };
    buffer_puts(out, openings[site->verdict]);
    add_claim(kernel, site, out);
}

void report_add_message(const struct finding *finding, struct buffer *out)
{
    const char *kernel = finding->kernel_shown != NULL ? finding->kernel_shown : finding->kernel;
    const char *message =
        finding->message == NULL ? finding_info(finding->kind)->title : finding->message;
    /* "`k` reads ..." but "`k`: 36 of 64 threads ..." */
    bool is_predicate = finding->message != NULL && message[0] >= 'a' && message[0] <= 'z';
    if (kernel != NULL)
        buffer_printf(out, "`%s`%s ", kernel, is_predicate ? "" : ":");
    buffer_puts(out, message);
}

void report_add_thread(const struct finding_thread *thread, struct buffer *out)
{
    if (thread->valid & 1)
        buffer_printf(out, "block (%u,%u,%u)", thread->block[0], thread->block[1],
                      thread->block[2]);
    if (thread->valid & 2)
        buffer_printf(out, "%sthread (%u,%u,%u)", thread->valid & 1 ? " " : "", thread->thread[0],
                      thread->thread[1], thread->thread[2]);
}

const char *report_relative_path(const struct report *report, const char *path)
{
    size_t size = report->root == NULL ? 0 : strlen(report->root);
    if (path == NULL)
        return "";
    if (size != 0 && strncmp(path, report->root, size) == 0 && path[size] == '/')
        return path + size + 1;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    return path;
}

uint64_t report_fingerprint(const struct report *report, const struct finding *finding)
{
    const char *parts[] = {finding_info(finding->kind)->kind,
                           report_relative_path(report, finding->place.file), finding->kernel,
                           finding->array};
    uint64_t hash = 0xcbf29ce484222325u;
    for (unsigned i = 0; i < COUNT_OF(parts); i++) {
        for (const char *at = parts[i] == NULL ? "" : parts[i]; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
        hash = (hash ^ 0xff) * 0x100000001b3u;
    }
    return hash;
}

unsigned report_utf8_size(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return 1;
    unsigned size = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc2 || at[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, and what lies past U+10FFFF. */
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return size;
}
