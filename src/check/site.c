/* SPDX-License-Identifier: Apache-2.0
 *
 * Sites: the answers of all copies of one access in the source are one site, as weak as the weakest.
 */
#include "check/prove.h"

#include <string.h>

const char *prove_variable_name(struct prove *prove, uint32_t variable)
{
    return ptx_variable_name(prove->arena, prove->ir->module->variables.data[variable].name);
}

/* Where the user sees it: the line of the source, or of the PTX where that has no lines of a source. */
struct place prove_place(const struct prove *prove, uint32_t instruction)
{
    const struct ptx_instruction *source = prove->ir->instructions[instruction].source;
    const struct ptx_module *module = prove->ir->module;
    if (module->locations.count <= 1 && source != NULL)
        return (struct place){.file = module->name, .line = source->line};
    return ir_place(prove->ir, instruction);
}

static struct check_site *find_site(struct prove *prove, struct place place, const struct prove_answer *answer)
{
    for (uint32_t i = 0; i < prove->result->sites.count; i++) {
        struct check_site *site = &prove->result->sites.data[i];
        if (site->kind == answer->kind && site->place.line == place.line && text_equal(site->place.file, place.file) &&
            text_equal(site->array, answer->array))
            return site;
    }
    struct check_site *site = vec_push(prove->arena, &prove->result->sites);
    memset(site, 0, sizeof *site);
    site->kind = answer->kind;
    site->place = place;
    site->array = answer->array;
    site->verdict = CHECK_UNREACHABLE;
    return site;
}

void prove_add(struct prove *prove, uint32_t instruction, const struct ir_access *access, const struct prove_answer *answer)
{
    const struct ptx_instruction *source = prove->ir->instructions[instruction].source;
    struct check_site *site = find_site(prove, prove_place(prove, instruction), answer);
    uint32_t number = (uint32_t)(site - prove->result->sites.data);
    site->copies++;
    if (prove->options->instructions)
        *vec_push(prove->arena, &prove->result->copies) = (struct check_copy){
            .site = number,
            .verdict = answer->verdict,
            .instruction = instruction,
            .access = access != NULL ? (uint32_t)(access - prove->ir->accesses) : IR_NONE,
            .value = answer->is_number ? answer->value : IR_NONE,
            .consumer = answer->is_number ? answer->consumer : IR_NONE,
            .reads_signed = answer->reads_signed,
        };
    for (uint32_t i = 0; i < answer->opens.count; i++) {
        struct prove_open *open = vec_push(prove->arena, &prove->opens);
        *open = answer->opens.data[i];
        open->site = number;
    }
    if (site->ptx_line == 0 && source != NULL)
        site->ptx_line = source->line;
    if (access != NULL) {
        site->is_read |= (access->flags & (IR_ACCESS_READ | IR_ACCESS_ATOMIC)) != 0;
        site->is_write |= (access->flags & (IR_ACCESS_WRITE | IR_ACCESS_ATOMIC)) != 0;
    }
    if (answer->proof != NULL && site->verdict <= CHECK_PROVED && site->proof == NULL)
        site->proof = answer->proof;
    if (answer->verdict < site->verdict)
        return;
    if (answer->verdict > site->verdict || site->copies == 1) {
        site->reason = answer->reason;
        site->suggestion = answer->suggestion;
        site->depends_on_data = answer->depends_on_data;
        site->has_candidate = false;
    }
    /* All copies must rest on more than data before one is taken for wrong; the first candidate is as good as any. */
    site->depends_on_data = site->depends_on_data && answer->depends_on_data;
    if (answer->has_candidate && !site->has_candidate) {
        site->has_candidate = true;
        site->candidate = answer->candidate;
    }
    if (site->reason == NULL)
        site->reason = answer->reason;
    site->verdict = answer->verdict;
    if (site->verdict > CHECK_PROVED)
        site->proof = NULL;
}
