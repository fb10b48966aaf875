/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise twin FILE:KERNEL FILE:KERNEL`: two kernels side by side, and one launch of both, compared bit for bit.
 */
#include "cli/device.h"
#include "guard/guard.h"

#include <stdlib.h>
#include <string.h>

struct side {
    const char *path, *kernel; /* kernel NULL: the only one */
    struct job job;
    uint32_t function;
    struct launch_run *run;
};

/* "a/b.cu:scale": what stands behind the last colon is a kernel, unless it is part of a path. */
static void split_operand(struct arena *arena, const char *word, struct side *side)
{
    const char *colon = strrchr(word, ':');
    if (colon == NULL || strchr(colon, '/') != NULL || colon == word || text_ends_with(word, ".cu") || text_ends_with(word, ".ptx")) {
        side->path = word;
        return;
    }
    side->path = arena_text(arena, word, (size_t)(colon - word));
    side->kernel = colon + 1;
}

static bool find_function(struct cli *cli, struct side *side, struct diagnostic_list *diagnostics)
{
    const struct ptx_module *module = side->job.module;
    struct place place = {.file = side->path};
    struct buffer names;
    uint32_t found = 0, all = 0;
    buffer_init(&names, cli->arena);
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const struct ptx_function *function = &module->functions.data[f];
        if (!function->is_entry || !function->has_body)
            continue;
        buffer_printf(&names, "%s`%s`", all++ == 0 ? "" : ", ", launch_short_name(cli->arena, function->name));
        if (side->kernel != NULL && !ptx_name_matches(cli->arena, function->name, side->kernel))
            continue;
        side->function = f;
        found++;
    }
    if (found == 1)
        return true;
    if (all == 0) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, place, "the file has no kernel");
        return false;
    }
    if (side->kernel == NULL)
        diagnostic_add(diagnostics, SEVERITY_ERROR, place, "the file has several kernels");
    else
        diagnostic_add(diagnostics, SEVERITY_ERROR, place, found == 0 ? "no kernel is called `%s`" : "several kernels are called `%s`", side->kernel);
    diagnostic_help(diagnostics, "write FILE:KERNEL; the file has %s", names.data);
    return false;
}

static bool read_side(struct cli *cli, const char *word, struct side *side, struct diagnostic_list *diagnostics)
{
    split_operand(cli->arena, word, side);
    return job_read(cli, side->path, cli->options.launch, &side->job, diagnostics) && job_compile(cli, &side->job, diagnostics) &&
           find_function(cli, side, diagnostics);
}

/* ---- running both ---------------------------------------------------------------------------------------------------------- */

/* The launch of the second file's kernel is that of the first. */
static bool run_side(struct cli *cli, struct side *side, const struct launch *launch, struct report *report, struct diagnostic_list *diagnostics)
{
    struct launch_run_options *options = ARENA_NEW(cli->arena, struct launch_run_options);
    struct report_kernel *kernel = report_add_kernel(report);
    options->emu.jobs = cli->options.jobs > 1024 ? 1024 : (uint32_t)cli->options.jobs;
    options->emu.max_steps = cli->options.max_steps;
    options->emu.max_memory = cli->options.max_memory;
    options->kernel_place = job_declaration(cli, &side->job, side->function);
    side->run = launch_run_begin(cli->arena, side->job.module, side->function, launch, options, kernel, diagnostics);
    return side->run != NULL && launch_run_execute(side->run);
}

static bool same_bits(struct cli *cli, struct side *a, struct side *b, struct buffer *out)
{
    enum { PART = 1 << 16 };
    uint8_t *left = arena_alloc(cli->arena, PART * 8), *right = arena_alloc(cli->arena, PART * 8);
    uint32_t count = launch_run_buffer_count(a->run);
    for (uint32_t i = 0; i < count; i++) {
        const struct launch_buffer *first = launch_run_buffer_at(a->run, i), *second = launch_run_buffer_at(b->run, i);
        unsigned width = value_type_info(first->argument->type)->size;
        for (uint64_t at = 0; at < first->length; at += PART) {
            uint64_t size = first->length - at < PART ? first->length - at : PART;
            if (!launch_run_read(a->run, first, at, size, left, NULL) || !launch_run_read(b->run, second, at, size, right, NULL))
                break;
            if (memcmp(left, right, size * width) == 0)
                continue;
            for (uint64_t e = 0; e < size; e++) {
                if (memcmp(left + e * width, right + e * width, width) == 0)
                    continue;
                char digits[28];
                buffer_printf(out, "results: `%s` differs, first at element %s\n", first->argument->name, text_group_digits(at + e, digits));
                return false;
            }
        }
    }
    buffer_printf(out, "results: %u buffer%s with the same bits\n", count, count == 1 ? "" : "s");
    return true;
}

/* Errors of the two launches: a kernel that faults is nobody's twin, whatever its buffers hold. */
static bool told_faults(const struct report *report, struct buffer *out)
{
    bool told = false;
    for (uint32_t k = 0; k < report->kernels.count; k++) {
        const struct report_kernel *kernel = &report->kernels.data[k];
        const struct finding *first = NULL;
        uint32_t errors = 0;
        for (uint32_t f = 0; f < kernel->findings.count; f++) {
            if (kernel->findings.data[f].severity != SEVERITY_ERROR)
                continue;
            first = errors++ == 0 ? &kernel->findings.data[f] : first;
        }
        if (errors == 0)
            continue;
        buffer_printf(out, "results: the %s kernel has %u error%s: LW%u at %s:%u, `%s` %s\n", k == 0 ? "first" : "second", errors,
                      errors == 1 ? "" : "s", finding_info(first->kind)->number, first->place.file, first->place.line, kernel->shown, first->message);
        told = true;
    }
    return told;
}

static int run_both(struct cli *cli, struct side sides[2], struct diagnostic_list *diagnostics, struct buffer *out)
{
    struct report report;
    int status = EXIT_CLEAN;
    const struct launch *launch = &sides[0].job.comment.launches.data[0];
    report_init(&report, cli->arena, "twin");
    for (int i = 0; i < 2 && status == EXIT_CLEAN; i++) {
        if (!run_side(cli, &sides[i], launch, &report, diagnostics))
            status = EXIT_INPUT;
    }
    for (uint32_t k = 0; k < report.kernels.count && status == EXIT_CLEAN; k++) {
        const struct report_kernel *kernel = &report.kernels.data[k];
        if (kernel->has_run && kernel->stopped == NULL)
            continue;
        buffer_printf(out, "results: the %s kernel did not finish%s%s\n", k == 0 ? "first" : "second", kernel->stopped != NULL ? ": " : "",
                      kernel->stopped != NULL ? kernel->stopped : "");
        status = EXIT_UNFINISHED;
    }
    if (status == EXIT_CLEAN) {
        bool has_faults = told_faults(&report, out);
        if (!same_bits(cli, &sides[0], &sides[1], out) || has_faults)
            status = EXIT_FINDINGS;
    }
    for (int i = 0; i < 2; i++)
        if (sides[i].run != NULL)
            launch_run_end(sides[i].run);
    return status;
}

/* ---- both on a device ------------------------------------------------------------------------------------------------------- */

/* What the side leaves there; false: told already. */
static bool run_there(struct cli *cli, struct side *side, const struct launch *launch, struct device *device, struct launch_image *image,
                      struct report *report, struct diagnostic_list *diagnostics, int *status)
{
    enum { PATTERN = 0xa5 };
    struct launch_run_options *options = ARENA_NEW(cli->arena, struct launch_run_options);
    struct tail_device_call call = {.image = image};
    options->kernel_place = job_declaration(cli, &side->job, side->function);
    side->run = launch_run_begin(cli->arena, side->job.module, side->function, launch, options, report_add_kernel(report), diagnostics);
    if (side->run == NULL) {
        *status = EXIT_INPUT;
        return false;
    }
    const char *why = launch_image_make(side->run, device_bytes(), image);
    if (why == NULL) {
        launch_image_fill(side->run, image, PATTERN);
        if (device_call(device, cli->arena, &call))
            return true;
        why = call.fault != NULL ? call.fault : call.trouble;
    }
    cli_complain(cli, NULL, "`%s` did not run on %s: %s", side->job.module->functions.data[side->function].name, device->backend, why);
    *status = call.fault != NULL ? EXIT_FINDINGS : EXIT_UNFINISHED;
    return false;
}

/* Both sides have the buffers of one launch, at the same places. */
static bool same_images(const struct side *side, const struct launch_image images[2], const char *backend, struct buffer *out)
{
    uint32_t count = launch_run_buffer_count(side->run);
    char digits[28];
    for (uint32_t b = 0; b < count; b++) {
        const struct launch_buffer *buffer = launch_run_buffer_at(side->run, b);
        unsigned width = value_type_info(buffer->argument->type)->size;
        const uint8_t *left = images[0].bytes + images[0].offsets[b], *right = images[1].bytes + images[1].offsets[b];
        for (uint64_t e = 0; e < buffer->length; e++)
            if (memcmp(left + e * width, right + e * width, width) != 0) {
                buffer_printf(out, "results on %s: `%s` differs, first at element %s\n", backend, buffer->argument->name, text_group_digits(e, digits));
                return false;
            }
    }
    if (memcmp(images[0].bytes, images[1].bytes, images[0].size) != 0) {
        buffer_printf(out, "results on %s: one of them writes outside of its buffers\n", backend);
        return false;
    }
    buffer_printf(out, "results on %s: %u buffer%s with the same bits\n", backend, count, count == 1 ? "" : "s");
    return true;
}

static int run_both_there(struct cli *cli, struct side sides[2], struct diagnostic_list *diagnostics, struct buffer *out)
{
    static const char *const names[] = {NULL, "cuda", "cpu"};
    const struct launch *launch = &sides[0].job.comment.launches.data[0];
    struct device_module modules[2] = {*device_module_raw(cli, &sides[0].job), *device_module_raw(cli, &sides[1].job)};
    struct launch_image images[2];
    struct device device;
    struct report report;
    int status = EXIT_CLEAN;
    if (!device_begin(cli, names[cli->options.device], modules, 2, &device))
        return EXIT_INPUT;
    report_init(&report, cli->arena, "twin");
    bool good = true;
    for (uint32_t i = 0; i < 2 && good; i++) {
        device.module = i;
        good = run_there(cli, &sides[i], launch, &device, &images[i], &report, diagnostics, &status);
    }
    if (good && !same_images(&sides[0], images, device.backend, out))
        status = EXIT_FINDINGS;
    for (int i = 0; i < 2; i++)
        if (sides[i].run != NULL)
            launch_run_end(sides[i].run);
    device_end(&device);
    return status;
}

int twin_command(struct cli *cli)
{
    const struct cli_options *options = &cli->options;
    struct diagnostic_list diagnostics;
    struct side sides[2] = {0};
    struct twin_profile profiles[2];
    struct buffer out;
    if (options->operands.count != 2) {
        cli_complain(cli, "lanewise twin a.cu:kernel b.cu:kernel", "two kernels to compare, there are %u", options->operands.count);
        return EXIT_INPUT;
    }
    diagnostic_list_init(&diagnostics, cli->arena);
    buffer_init(&out, cli->arena);
    int status = EXIT_CLEAN;
    for (int i = 0; i < 2 && status == EXIT_CLEAN; i++)
        if (!read_side(cli, options->operands.data[i], &sides[i], &diagnostics))
            status = cli->timed_out != 0 ? EXIT_UNFINISHED : EXIT_INPUT;
    for (int i = 0; i < 2 && status == EXIT_CLEAN; i++) {
        const char *name = launch_short_name(cli->arena, sides[i].job.module->functions.data[sides[i].function].name);
        profiles[i] = twin_profile_of(cli->arena, sides[i].job.module, sides[i].function, name);
        buffer_printf(&out, "%s: %s in %s\n", i == 0 ? "first" : "second", name, sides[i].path);
    }
    if (status == EXIT_CLEAN) {
        twin_print(&profiles[0], &profiles[1], &out);
        if (sides[0].job.comment.has_geometry && sides[0].job.comment.launches.count != 0)
            status = run_both(cli, sides, &diagnostics, &out);
        if (options->device != 0 && status <= EXIT_FINDINGS && sides[0].run != NULL) {
            int there = run_both_there(cli, sides, &diagnostics, &out);
            status = there > status ? there : status;
        }
    }
    cli_print_diagnostics(cli, &diagnostics);
    if (out.size != 0 && status != EXIT_INPUT && !cli_write(cli, NULL, out.data, out.size))
        return EXIT_INPUT;
    return status;
}
