/* SPDX-License-Identifier: Apache-2.0
 *
 * What a failing check has written, as an error for the host: "sgemm: reads element 4096 of a, which has 4096 elements (LW101), at
 * sgemm.cu:15, block (3,0,0), thread (7,0,0)".
 */
#include "launch/device.h"

#include <inttypes.h>
#include <string.h>

/* The record stands in memory that a broken kernel may have written to: its numbers are not trusted. */
static const struct lw_site_text *find_site(const struct lw_module *module, const struct launch_fault_record *record)
{
    const struct lw_module_source *source = module->source;
    if (source == NULL || record->site >= source->site_count || source->sites[record->site].kernel >= source->kernel_count)
        return NULL;
    return &source->sites[record->site];
}

static const char *count_noun(const struct lw_site_text *site, uint64_t count)
{
    if (site->element_size > 1)
        return count == 1 ? "element" : "elements";
    return count == 1 ? "byte" : "bytes";
}

static void word_bounds(struct lw_error *error, const struct launch_fault_record *record, const struct lw_site_text *site)
{
    const char *array = site->array != NULL ? site->array : "an array";
    complain_more(error, "%s %s %" PRId64 " of %s, which has %" PRIu64 " %s", site->is_write ? "writes" : "reads", count_noun(site, 1),
                  record->index, array, record->extent, count_noun(site, record->extent));
    if (site->element_size != 0 && site->access_size > site->element_size)
        complain_more(error, " (%u bytes at once)", site->access_size);
}

static void word_fault(struct lw_error *error, const struct launch_fault_record *record, const struct lw_site_text *site)
{
    switch (record->kind) {
    case 101:
    case 102:
        word_bounds(error, record, site);
        return;
    case 103:
        complain_more(error, "an index is %" PRId64 ", which does not fit into 32 bits", record->index);
        if (site->array != NULL)
            complain_more(error, ", for %s", site->array);
        return;
    case 105:
        complain_more(error, "%s %u bytes at ", site->is_write ? "writes" : "reads", site->access_size);
        if (site->array != NULL)
            complain_more(error, "byte %" PRId64 " of %s", record->index, site->array);
        else
            complain_more(error, "address %" PRId64, record->index);
        complain_more(error, ", which is no multiple of %" PRIu64, record->extent);
        return;
    case 106:
        complain_more(error, "divides by zero");
        return;
    case 404:
        complain_more(error, "fails a check: %" PRIu64 " is not below %" PRIu64, (uint64_t)record->index, record->extent);
        return;
    default:
        complain_more(error, "the launch breaks the contract: `%s` does not hold", site->what != NULL ? site->what : "a condition");
    }
}

static void name_check(struct lw_fault *fault, uint32_t kind)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } names[] = {{101, "LW101"}, {102, "LW102"}, {103, "LW103"}, {105, "LW105"}, {106, "LW106"}, {404, "LW404"}, {1, "contract"}};
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (names[i].kind == kind)
            fault->check = names[i].name;
}

static enum lw_status lose(struct lw_device *device, struct lw_error *error)
{
    device->is_lost = true;
    if (error != NULL)
        *error = device->lost;
    return device->lost.status;
}

enum lw_status record_report(struct lw_device *device, const struct lw_module *module, const struct launch_fault_record *record,
                             struct lw_error *error)
{
    struct lw_error *lost = &device->lost;
    const struct lw_site_text *site = find_site(module, record);
    if (site == NULL)
        return record_report_text(device, error, "%s: a check of a kernel failed, and its record cannot be read (kind %u, site %u)",
                                  module->name, record->kind, record->site);
    const char *kernel = module->source->kernels[site->kernel].shown;
    complain(lost, LW_ERROR_KERNEL_FAULT, "%s: ", kernel);
    word_fault(lost, record, site);
    name_check(&lost->fault, record->kind);
    if (lost->fault.check != NULL)
        complain_more(lost, " (%s)", lost->fault.check);
    complain_more(lost, ", at %s:%u, block (%u,%u,%u), thread (%u,%u,%u)", site->file != NULL ? site->file : module->name, site->line,
                  record->block[0], record->block[1], record->block[2], record->thread[0], record->thread[1], record->thread[2]);
    lost->fault.kernel = kernel;
    lost->fault.file = site->file;
    lost->fault.array = site->array;
    lost->fault.line = site->line;
    lost->fault.column = site->column;
    lost->fault.index = record->index;
    lost->fault.extent = record->extent;
    memcpy(lost->fault.block, record->block, sizeof record->block);
    memcpy(lost->fault.thread, record->thread, sizeof record->thread);
    return lose(device, error);
}

enum lw_status record_report_text(struct lw_device *device, struct lw_error *error, const char *format, ...)
{
    char text[sizeof device->lost.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain(&device->lost, LW_ERROR_KERNEL_FAULT, "%s", text);
    return lose(device, error);
}
