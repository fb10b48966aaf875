/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's contract from the text in its launcher, parsed again by the parser of the tool.  The names are those of the generated table,
 * so errors here mean that a launcher was changed by hand or does not fit the library.
 */
#include "launch/device.h"

#include <string.h>

struct reading {
    struct contract *contract;
    struct diagnostic_list diagnostics;
};

static struct place place_of(uint32_t line, uint32_t column)
{
    return (struct place){.file = NULL, .line = line, .column = column};
}

static void read_expression(struct reading *reading, const struct lw_expression_text *text, struct contract_expression *expression)
{
    if (text->text == NULL)
        return;
    const char *tree = text->tree != NULL ? text->tree : text->text;
    struct place place = place_of(text->line, text->column);
    if (!contract_parse_expression(reading->contract, tree, strlen(tree), place, expression, &reading->diagnostics))
        return;
    expression->text = text->text;
    expression->place = place;
}

static void add_parameter(struct reading *reading, const struct lw_parameter_text *text)
{
    static const enum contract_type_kind kinds[] = {
        [LW_PARAMETER_INTEGER] = CONTRACT_INTEGER,
        [LW_PARAMETER_REAL] = CONTRACT_FLOAT,
        [LW_PARAMETER_POINTER] = CONTRACT_POINTER,
        [LW_PARAMETER_OTHER] = CONTRACT_OTHER,
    };
    struct contract_parameter *parameter =
        contract_add_parameter(reading->contract, text->name, text->kind < COUNT_OF(kinds) ? kinds[text->kind] : CONTRACT_OTHER);
    parameter->position = text->position;
    parameter->offset = text->offset;
    parameter->size = text->size;
    parameter->bits = text->bits;
    parameter->is_signed = text->is_signed;
    parameter->is_const = text->is_const;
    parameter->element_size = text->element_size;
    parameter->element_kind = text->element_kind < COUNT_OF(kinds) ? (uint8_t)kinds[text->element_kind] : CONTRACT_OTHER;
    parameter->element_bits = text->element_bits;
    parameter->element_is_signed = text->element_is_signed;
}

/* Once all parameters have names. */
static void read_parameter(struct reading *reading, uint32_t index, const struct lw_parameter_text *text)
{
    struct contract_parameter *parameter = &reading->contract->parameters.data[index];
    parameter->shape_place = place_of(text->line, text->column);
    parameter->dimensions = text->dimensions <= 3 ? text->dimensions : 0;
    if (text->shape_kind != LW_SHAPE_NONE && parameter->dimensions != 0) {
        for (unsigned d = 0; d < parameter->dimensions; d++)
            read_expression(reading, &text->shape[d], &parameter->shape[d]);
        parameter->shape_kind = text->shape_kind == LW_SHAPE_PITCHED ? CONTRACT_SHAPE_PITCHED : CONTRACT_SHAPE_ROWS;
        if (reading->diagnostics.errors == 0)
            contract_set_extent(reading->contract, index);
    }
    read_expression(reading, &text->low, &reading->contract->parameters.data[index].value_low);
    read_expression(reading, &text->high, &reading->contract->parameters.data[index].value_high);
    for (uint32_t i = 0; i < text->may_alias_count; i++)
        *vec_push(reading->contract->arena, &reading->contract->parameters.data[index].may_alias) = text->may_alias[i];
}

static void read_relation(struct reading *reading, const struct lw_expression_text *text)
{
    struct contract_relation relation;
    const char *tree = text->tree != NULL ? text->tree : text->text;
    struct place place = place_of(text->line, text->column);
    memset(&relation, 0, sizeof relation);
    if (!contract_parse_relation(reading->contract, tree, strlen(tree), place, &relation, &reading->diagnostics))
        return;
    relation.text = text->text;
    relation.place = place;
    *vec_push(reading->contract->arena, &reading->contract->relations) = relation;
}

const struct contract *module_read_contract(struct lw_module *module, const struct lw_kernel_text *text, struct lw_error *error)
{
    struct reading reading = {.contract = contract_new(&module->arena)};
    struct contract *contract = reading.contract;
    diagnostic_list_init(&reading.diagnostics, &module->arena);
    contract->kernel = text->entry;
    contract->kernel_shown = text->shown;
    contract->place = place_of(text->line, text->column);
    contract->has_annotations = true;
    for (uint32_t i = 0; i < text->parameter_count; i++)
        add_parameter(&reading, &text->parameters[i]);
    for (uint32_t i = 0; i < text->parameter_count; i++)
        read_parameter(&reading, i, &text->parameters[i]);
    for (uint32_t i = 0; i < text->relation_count; i++)
        read_relation(&reading, &text->relations[i]);
    for (unsigned axis = 0; axis < 3; axis++) {
        read_expression(&reading, &text->block[axis], &contract->block[axis]);
        read_expression(&reading, &text->domain[axis], &contract->domain[axis]);
        read_expression(&reading, &text->grid[axis], &contract->grid[axis]);
    }
    read_expression(&reading, &text->block_multiple, &contract->block_multiple);
    read_expression(&reading, &text->block_max, &contract->block_max);
    read_expression(&reading, &text->shared_bytes, &contract->shared_bytes);
    if (reading.diagnostics.errors == 0)
        return contract;
    complain_diagnostic(error, LW_ERROR_ARGUMENT, text->shown, &reading.diagnostics);
    return NULL;
}
