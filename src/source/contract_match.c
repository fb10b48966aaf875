/* SPDX-License-Identifier: Apache-2.0
 *
 * Contracts against PTX: which one speaks of a kernel, and whether both mean the same parameters.
 */
#include "source/source.h"

#include "launch/launch.h"

#include <stdlib.h>
#include <string.h>

/* ---- does it speak of this kernel? ------------------------------------------------------------------------- */

/* Compilers mangle what other files cannot see each in their own way: nvcc puts the file's name into that of an unnamed namespace and
 * marks no static function.  One form of both. */
static const char *common_name(struct arena *arena, const char *name)
{
    struct buffer out;
    buffer_init(&out, arena);
    buffer_puts(&out, "");
    if (text_starts_with(name, "_ZL")) {
        buffer_puts(&out, "_Z");
        name += 3;
    }
    for (const char *at; (at = strstr(name, "_GLOBAL__N_")) != NULL;) {
        const char *digits = at;
        while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        unsigned long size = digits < at ? strtoul(digits, NULL, 10) : 0;
        buffer_add(&out, name, (size_t)(digits - name));
        buffer_puts(&out, "12_GLOBAL__N_1");
        name = size >= 11 && size <= strlen(at) ? at + size : at + 11;
    }
    buffer_puts(&out, name);
    return out.data;
}

static bool speaks_of(struct arena *arena, const struct contract *contract, const char *name)
{
    if (contract->kernel != NULL)
        return strcmp(contract->kernel, name) == 0 ||
               strcmp(common_name(arena, contract->kernel), common_name(arena, name)) == 0;
    return contract->kernel_shown != NULL && ptx_name_matches(arena, name, contract->kernel_shown);
}

/* A prototype's name may mean several kernels; then those that its parameters do not fit are not meant. */
static bool is_ambiguous(struct arena *arena, const struct contract *contract,
                         const struct ptx_module *module)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < module->functions.count; i++)
        count += module->functions.data[i].is_entry &&
                 speaks_of(arena, contract, module->functions.data[i].name);
    return count > 1;
}

/* ---- do the parameters fit? ---------------------------------------------------------------------------------- */

/* NULL, or how the contract and the PTX differ; `place` where. */
static const char *compare_parameters(struct arena *arena, const struct contract *contract,
                                      const struct ptx_module *module,
                                      const struct ptx_function *function, struct place *place)
{
    uint32_t count = contract_parameter_count(contract);
    *place = contract->place;
    if (count != function->parameters.count)
        return arena_printf(arena, "the contract has %u parameters, the kernel %u", count,
                            function->parameters.count);
    uint32_t next = 0; /* a struct comes before its fields */
    for (uint32_t i = 0; i < contract->parameters.count; i++) {
        const struct contract_parameter *parameter = &contract->parameters.data[i];
        if (parameter->position != next)
            continue;
        const struct ptx_variable *variable =
            &module->variables.data[function->parameters.data[next++]];
        bool is_real = !variable->is_array && ptx_type_is_float((enum ptx_type)variable->type);
        bool is_mixed =
            is_real ? parameter->kind == CONTRACT_INTEGER || parameter->kind == CONTRACT_POINTER
                    : parameter->kind == CONTRACT_POINTER && variable->is_array;
        if ((parameter->size == 0 || parameter->size == variable->size) && !is_mixed)
            continue;
        *place = parameter->place;
        return arena_printf(
            arena, "`%s` is of type `%s` of %u bytes, in the PTX a %s of %llu bytes",
            parameter->name, parameter->type, parameter->size,
            variable->is_array ? "struct" : ptx_type_name((enum ptx_type)variable->type),
            (unsigned long long)variable->size);
    }
    return NULL;
}

/* ---- joining --------------------------------------------------------------------------------------------------- */

/* A kernel template with a contract whose instance could not be named in C++. */
static bool check_templates(struct arena *arena, const struct contract_list *list,
                            const char *kernel, struct diagnostic_list *diagnostics)
{
    const char *shown = launch_short_name(arena, kernel);
    for (uint32_t i = 0; i < list->templates.count; i++) {
        size_t size = strlen(list->templates.data[i].name);
        if (strncmp(shown, list->templates.data[i].name, size) != 0 || shown[size] != '<')
            continue;
        diagnostic_add(diagnostics, SEVERITY_ERROR, list->templates.data[i].place,
                       "the contract of this template cannot be read for `%s`", shown);
        diagnostic_help(diagnostics,
                        "write it for this instance, as a prototype with LW_FOR(\"%s\") in "
                        "a contract header",
                        kernel);
        return false;
    }
    return true;
}

bool source_match_contract(struct arena *arena, const struct contract_list *list,
                           const struct ptx_module *module, uint32_t function,
                           const struct contract **contract, struct diagnostic_list *diagnostics)
{
    const struct ptx_function *kernel = &module->functions.data[function];
    struct contract *joined = NULL;
    bool good = true;
    *contract = NULL;
    for (uint32_t i = 0; i < list->items.count; i++) {
        const struct contract *item = list->items.data[i];
        const char *difference;
        struct place place;
        if (!speaks_of(arena, item, kernel->name))
            continue;
        difference = compare_parameters(arena, item, module, kernel, &place);
        if (difference != NULL && item->kernel == NULL && is_ambiguous(arena, item, module))
            continue;
        if (difference != NULL) {
            diagnostic_add(diagnostics, SEVERITY_ERROR, place,
                           "the contract of `%s` disagrees with the PTX: %s", item->kernel_shown,
                           difference);
            good = false;
            continue;
        }
        if (joined == NULL) {
            joined = contract_copy(arena, item);
            joined->kernel = kernel->name;
        } else if (!contract_merge(joined, item, &difference, &place)) {
            diagnostic_add(diagnostics, SEVERITY_ERROR, place, "the contracts of `%s` disagree: %s",
                           item->kernel_shown, difference);
            diagnostic_help(diagnostics, "the other one: %s:%u", joined->place.file,
                            joined->place.line);
            good = false;
        }
    }
    if (joined == NULL && good)
        good = check_templates(arena, list, kernel->name, diagnostics);
    if (joined == NULL && good && list->trouble != NULL) {
        diagnostic_add(diagnostics, SEVERITY_ERROR, list->trouble_place,
                       "the contract of `%s` cannot be read: %s",
                       launch_short_name(arena, kernel->name), list->trouble);
        diagnostic_help(diagnostics, "a contract header can say it");
        good = false;
    }
    if (good)
        *contract = joined;
    return good;
}
