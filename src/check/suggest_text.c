/* SPDX-License-Identifier: Apache-2.0
 *
 * A contract as the macros of lanewise/contract.h and the declaration that they stand on.
 */
#include "check/suggest.h"

#include <string.h>

enum { LINE_WIDTH = 100 };

static void add_list(struct buffer *out, const char *macro, const struct contract_expression *items, unsigned count)
{
    if (items[0].root == CONTRACT_NONE)
        return;
    buffer_printf(out, "%s(", macro);
    for (unsigned i = 0; i < count && items[i].root != CONTRACT_NONE; i++)
        buffer_printf(out, "%s%s", i == 0 ? "" : ", ", items[i].text);
    buffer_puts(out, ")\n");
}

static void add_relations(struct buffer *out, const struct contract *contract)
{
    size_t begin = out->size;
    for (uint32_t i = 0; i < contract->relations.count; i++) {
        const char *text = contract->relations.data[i].text;
        if (i != 0 && out->size - begin + strlen(text) > LINE_WIDTH) {
            buffer_puts(out, ")\n");
            begin = out->size;
        }
        buffer_puts(out, out->size == begin ? "LW_REQUIRES(" : ", ");
        buffer_puts(out, text);
    }
    buffer_puts(out, contract->relations.count != 0 ? ")\n" : "");
}

static void add_macros(struct buffer *out, const struct contract *contract, const struct contract_parameter *parameter)
{
    const struct contract_expression values[2] = {parameter->value_low, parameter->value_high};
    for (unsigned d = 0; d < parameter->dimensions; d++)
        buffer_printf(out, "%s%s", d != 0 ? ", " : parameter->shape_kind == CONTRACT_SHAPE_PITCHED ? " LW_PITCHED(" : " LW_SHAPE(",
                      parameter->shape[d].text);
    buffer_puts(out, parameter->dimensions != 0 ? ")" : "");
    if (values[0].root != CONTRACT_NONE && values[1].root != CONTRACT_NONE)
        buffer_printf(out, " LW_VALUES(%s, %s)", values[0].text, values[1].text);
    buffer_puts(out, parameter->disjoint ? " LW_DISJOINT" : "");
    buffer_puts(out, parameter->writes_all ? " LW_WRITES_ALL" : "");
    for (uint32_t i = 0; i < parameter->may_alias.count; i++)
        buffer_printf(out, "%s%s%s", i == 0 ? " LW_MAY_ALIAS(" : ", ", contract->parameters.data[parameter->may_alias.data[i]].name,
                      i + 1 == parameter->may_alias.count ? ")" : "");
}

static void add_declaration(struct buffer *out, const struct contract *contract)
{
    size_t begin = out->size;
    buffer_printf(out, "__global__ void %s(", contract->kernel_shown != NULL ? contract->kernel_shown : "kernel");
    size_t indent = out->size - begin < 40 ? out->size - begin : 4;
    bool is_first = true;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        struct buffer text;
        if (strchr(parameter->name, '.') != NULL)
            continue; /* a field: below */
        buffer_init(&text, out->arena);
        const char *type = parameter->type != NULL ? parameter->type : "?";
        buffer_printf(&text, "%s%s%s", type, type[0] != '\0' && type[strlen(type) - 1] == '*' ? "" : " ", parameter->name);
        add_macros(&text, contract, parameter);
        buffer_puts(out, is_first ? "" : ",");
        if (!is_first && out->size - begin + text.size > LINE_WIDTH) {
            buffer_putc(out, '\n');
            begin = out->size;
            buffer_printf(out, "%*s", (int)indent, "");
        } else {
            buffer_puts(out, is_first ? "" : " ");
        }
        buffer_puts(out, text.data);
        is_first = false;
    }
    buffer_puts(out, ")\n");
}

const char *suggest_print(struct arena *arena, const struct contract *contract)
{
    struct buffer out;
    buffer_init(&out, arena);
    add_list(&out, "LW_BLOCK", contract->block, 3);
    add_list(&out, "LW_BLOCK_MULTIPLE", &contract->block_multiple, 1);
    add_list(&out, "LW_BLOCK_MAX", &contract->block_max, 1);
    add_list(&out, "LW_DOMAIN", contract->domain, 3);
    add_list(&out, "LW_SHARED_BYTES", &contract->shared_bytes, 1);
    add_relations(&out, contract);
    add_declaration(&out, contract);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (strchr(parameter->name, '.') == NULL || parameter->dimensions == 0)
            continue;
        buffer_printf(&out, "// in its struct: %s", parameter->name);
        add_macros(&out, contract, parameter);
        buffer_putc(&out, '\n');
    }
    return out.data;
}
