/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs on a device of a file that `lanewise test` or `twin` looks at: its PTX as the compiler left it, or the checked build of it.
 */
#include "cli/device.h"
#include "guard/guard.h"

#include <string.h>

static struct lw_module_source *new_source(struct cli *cli, const char *name, const char *ptx, const struct lw_kernel_text *kernels, uint32_t count)
{
    struct lw_module_source *source = ARENA_NEW(cli->arena, struct lw_module_source);
    *source = (struct lw_module_source){.version = LW_LAUNCHER_VERSION, .name = name, .ptx = ptx, .kernels = kernels, .kernel_count = count};
    return source;
}

static const struct device_module *new_module(struct cli *cli, const struct lw_module_source *source, const struct ptx_module *ptx)
{
    struct device_module *module = ARENA_NEW(cli->arena, struct device_module);
    *module = (struct device_module){source, ptx};
    return module;
}

const struct device_module *device_module_raw(struct cli *cli, const struct job *job)
{
    const struct ptx_module *ptx = job->module;
    struct lw_kernel_text *kernels = ARENA_ARRAY(cli->arena, struct lw_kernel_text, ptx->functions.count + 1);
    uint32_t count = 0;
    for (uint32_t f = 0; f < ptx->functions.count; f++)
        if (ptx->functions.data[f].is_entry && ptx->functions.data[f].has_body)
            kernels[count++] =
                (struct lw_kernel_text){.entry = ptx->functions.data[f].name, .shown = launch_short_name(cli->arena, ptx->functions.data[f].name)};
    return new_module(cli, new_source(cli, job->unit.path, ptx->text, kernels, count), ptx);
}

struct proofs {
    struct cli *cli;
    VEC(struct guard_input) inputs;
};

static void take_kernel(void *context, const struct check_result *result, const struct launch *launch, uint32_t function, struct report_kernel *kernel)
{
    struct proofs *proofs = context;
    (void)launch, (void)function;
    if (result != NULL)
        *vec_push(proofs->cli->arena, &proofs->inputs) =
            (struct guard_input){.result = result, .shown = kernel->shown, .place = kernel->place,
                                 .has_contract = result->contract != NULL && result->contract->has_annotations};
}

const struct device_module *device_module_checked(struct cli *cli, struct job *job, struct diagnostic_list *diagnostics)
{
    struct proofs proofs = {.cli = cli};
    struct guard_options options = {0};
    struct report report;
    enum command_id command = cli->command;
    report_init(&report, cli->arena, "build");
    cli->command = COMMAND_BUILD; /* proved as a build is: by contract, instruction by instruction */
    bool good = prove_job(cli, job, &report, take_kernel, &proofs, diagnostics);
    cli->command = command;
    struct guard_module *built =
        good ? guard_build(cli->arena, job->module, job->unit.path, job->unit.path, proofs.inputs.data, proofs.inputs.count, &options, diagnostics) : NULL;
    if (built == NULL)
        return NULL;
    struct lw_kernel_text *kernels = ARENA_ARRAY(cli->arena, struct lw_kernel_text, built->kernels.count + 1);
    struct lw_site_text *sites = ARENA_ARRAY(cli->arena, struct lw_site_text, built->sites.count + 1);
    for (uint32_t k = 0; k < built->kernels.count; k++)
        kernels[k] = (struct lw_kernel_text){.entry = built->kernels.data[k].name, .shown = built->kernels.data[k].shown};
    for (uint32_t s = 0; s < built->sites.count; s++) {
        const struct guard_site *site = &built->sites.data[s];
        sites[s] = (struct lw_site_text){.kernel = site->kernel, .number = site->number, .line = site->place.line, .column = site->place.column,
                                         .file = site->place.file, .array = site->array, .what = site->what, .element_size = site->element_size,
                                         .access_size = site->access_size, .is_write = site->is_write};
    }
    struct lw_module_source *source = new_source(cli, job->unit.path, built->ptx, kernels, built->kernels.count);
    source->sites = sites;
    source->site_count = built->sites.count;
    return new_module(cli, source, job->module);
}
