/* SPDX-License-Identifier: Apache-2.0
 *
 * LW_VALUES that would bound an index that comes from memory.
 *
 * Requires: an open site that depends on an element of an array that the launch does not write.  Gives: the range that answers all of its
 * questions: from 0 to the extent of the array that is accessed, one of its dimensions, or a scalar.
 */
#include "check/suggest.h"

#include <string.h>

enum { MOST_ENDS = 10, MOST_ATOMS = 16 };

struct value_search {
    struct condition_search *search;
    uint32_t site, array; /* the parameter whose elements are to be bounded */
    sym_atom atoms[MOST_ATOMS];
    uint32_t atom_count;
};

/* The elements of the array that the questions speak of. */
static void find_atoms(struct value_search *values)
{
    struct prove *prove = values->search->prove;
    values->array = SYM_NONE;
    for (uint32_t i = 0; i < prove->opens.count; i++) {
        const struct prove_open *open = &prove->opens.data[i];
        if (open->site != values->site || open->goal == SYM_TRUE)
            continue;
        struct bitset set;
        bitset_init(&set, prove->arena, prove->sym->atoms.count);
        sym_collect_cond_atoms(prove->sym, open->goal, &set);
        for (sym_atom atom = 0; atom < set.bits && atom < prove->kernel->atoms.count && values->atom_count < MOST_ATOMS; atom++) {
            const struct sym_atom_info *info = &prove->kernel->atoms.data[atom];
            if (!bitset_has(&set, atom) || !info->is_data || !info->is_fixed || info->array == 0 ||
                (values->array != SYM_NONE && values->array != info->array - 1))
                continue;
            values->array = info->array - 1;
            values->atoms[values->atom_count++] = atom;
        }
    }
}

/* Every one of them lies in [0, end). */
static void add_range(struct value_search *values, sym_poly end, sym_facts *facts)
{
    struct prove *prove = values->search->prove;
    struct sym *sym = prove->sym;
    const struct contract_parameter *parameter = &values->search->contract->parameters.data[values->array];
    for (uint32_t i = 0; i < values->atom_count; i++) {
        sym_poly element = sym_wrap(sym, sym_of_atom(sym, values->atoms[i]), parameter->element_bits, parameter->element_is_signed);
        sym_facts_add(prove->kernel, facts, sym_ge(sym, element));
        sym_facts_add(prove->kernel, facts, sym_ge(sym, sym_shift(sym, sym_subtract(sym, end, element), -1)));
    }
}

static bool range_answers(struct value_search *values, const char *text)
{
    struct prove *prove = values->search->prove;
    struct contract_expression expression;
    struct place place = {.file = "values", .line = 1, .column = 1};
    sym_facts facts = {0};
    values->search->unheard.items.count = 0;
    if (!contract_parse_expression(values->search->contract, text, strlen(text), place, &expression, &values->search->unheard))
        return false;
    uint32_t before = prove->environment->facts.count;
    sym_poly end = sym_of_expression(prove->environment, &expression);
    prove->environment->facts.count = before;
    add_range(values, end, &facts);
    for (uint32_t i = 0; i < prove->opens.count; i++) {
        const struct prove_open *open = &prove->opens.data[i];
        if (open->site == values->site && open->goal != SYM_TRUE && !condition_answers(values->search, open, open->goal, &facts, true))
            return false;
    }
    return true;
}

const char *suggest_values_of(struct condition_search *search, uint32_t index)
{
    struct value_search *values = ARENA_NEW(search->prove->arena, struct value_search);
    const struct check_site *site = &search->prove->result->sites.data[index];
    const struct contract *contract = search->contract;
    const char *ends[MOST_ENDS];
    uint32_t count = 0;
    values->search = search;
    values->site = index;
    find_atoms(values);
    if (values->atom_count == 0 || contract->parameters.data[values->array].element_kind != CONTRACT_INTEGER ||
        contract->parameters.data[values->array].element_size * 8u != contract->parameters.data[values->array].element_bits)
        return NULL;
    for (uint32_t p = 0; p < contract->parameters.count && site->array != NULL; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (strcmp(parameter->name, site->array) != 0 || !contract_is_given(&parameter->extent))
            continue;
        ends[count++] = parameter->extent.text;
        for (unsigned d = 0; d < parameter->dimensions && parameter->dimensions > 1; d++)
            ends[count++] = parameter->shape[d].text;
    }
    for (uint32_t p = 0; p < contract->parameters.count && count < MOST_ENDS; p++)
        if (contract->parameters.data[p].kind == CONTRACT_INTEGER && contract->parameters.data[p].bits >= 16)
            ends[count++] = contract->parameters.data[p].name;
    for (uint32_t i = 0; i < count; i++)
        if (range_answers(values, ends[i]))
            return arena_printf(search->prove->arena, "LW_VALUES(0, %s) on `%s`", ends[i], contract->parameters.data[values->array].name);
    return NULL;
}
