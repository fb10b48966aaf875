/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a launcher: the PTX as a string, each kernel's contract as text, the checks (struct lw_module_source and below, in
 * include/lanewise/launcher.h).
 */
#include "guard/launcher.h"

#include <string.h>

/* ---- strings ---------------------------------------------------------------------------------------------------------------- */

static void write_escaped(struct buffer *out, const char *text, size_t size)
{
    buffer_putc(out, '"');
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            buffer_printf(out, "\\%c", c);
        else if (c == '\n')
            buffer_puts(out, "\\n");
        else if (c == '\t')
            buffer_puts(out, "\\t");
        else if (c == '?' || c < 32 || c >= 127)
            buffer_printf(out, "\\%03o", c); /* no trigraphs; three digits, so that nothing can follow */
        else
            buffer_putc(out, (char)c);
    }
    buffer_putc(out, '"');
}

void launcher_write_string(struct buffer *out, const char *text)
{
    if (text == NULL)
        buffer_puts(out, "NULL");
    else
        write_escaped(out, text, strlen(text));
}

/* A line of the text a line of C.  Longer than the 4095 characters that C promises, but every compiler takes it. */
static void write_ptx(struct buffer *out, const char *text)
{
    while (*text != '\0') {
        size_t size = strcspn(text, "\n");
        size += text[size] == '\n';
        buffer_puts(out, "    ");
        write_escaped(out, text, size);
        buffer_putc(out, '\n');
        text += size;
    }
}

/* ---- expressions --------------------------------------------------------------------------------------------------------------- */

static void write_texts(struct buffer *out, const char *text, const char *tree, struct place place)
{
    buffer_putc(out, '{');
    launcher_write_string(out, text != NULL ? text : tree);
    buffer_puts(out, ", ");
    launcher_write_string(out, text != NULL && strcmp(text, tree) == 0 ? NULL : tree);
    buffer_printf(out, ", %u, %u}", place.line, place.column);
}

static void write_expression(struct buffer *out, const char *field, const struct contract *contract,
                             const struct contract_expression *expression)
{
    if (!contract_is_given(expression))
        return;
    buffer_printf(out, ", .%s = ", field);
    write_texts(out, expression->text, contract_render(contract, expression->root), expression->place);
}

static void write_expressions(struct arena *arena, struct buffer *out, const char *field, const struct contract *contract,
                              const struct contract_expression *expressions, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        write_expression(out, arena_printf(arena, "%s[%u]", field, i), contract, &expressions[i]);
}

/* ---- parameters ------------------------------------------------------------------------------------------------------------------ */

static const char *kind_name(const struct contract_parameter *parameter)
{
    static const char *const names[] = {
        [CONTRACT_INTEGER] = "LW_PARAMETER_INTEGER",
        [CONTRACT_FLOAT] = "LW_PARAMETER_REAL",
        [CONTRACT_POINTER] = "LW_PARAMETER_POINTER",
        [CONTRACT_OTHER] = "LW_PARAMETER_OTHER",
    };
    return names[parameter->kind != CONTRACT_POINTER && parameter->size > 8 ? CONTRACT_OTHER : parameter->kind];
}

static const char *element_kind_name(const struct contract_parameter *parameter)
{
    static const char *const names[] = {
        [CONTRACT_INTEGER] = "LW_PARAMETER_INTEGER",
        [CONTRACT_FLOAT] = "LW_PARAMETER_REAL",
        [CONTRACT_POINTER] = "LW_PARAMETER_POINTER",
        [CONTRACT_OTHER] = "LW_PARAMETER_OTHER",
    };
    return names[parameter->element_kind];
}

static void write_array(const struct launcher *launcher, const struct launcher_kernel *kernel, uint32_t kernel_index, uint32_t index,
                        struct buffer *out)
{
    const struct contract_parameter *parameter = &kernel->contract->parameters.data[index];
    uint32_t alignment = kernel->kernel->alignments != NULL ? kernel->kernel->alignments[index] : 1;
    buffer_printf(out, ",\n     .is_const = %d, .element_size = %u, .alignment = %u, .element_kind = %s, .element_bits = %u, .element_is_signed = %d",
                  parameter->is_const, parameter->element_size, alignment, element_kind_name(parameter), parameter->element_bits,
                  parameter->element_is_signed);
    if (parameter->shape_kind != CONTRACT_SHAPE_NONE) {
        buffer_printf(out, ",\n     .shape_kind = %s, .dimensions = %u, .line = %u, .column = %u",
                      parameter->shape_kind == CONTRACT_SHAPE_ROWS ? "LW_SHAPE_ROWS" : "LW_SHAPE_PITCHED", parameter->dimensions,
                      parameter->shape_place.line, parameter->shape_place.column);
        write_expressions(launcher->arena, out, "shape", kernel->contract, parameter->shape, parameter->dimensions);
    }
    write_expression(out, "low", kernel->contract, &parameter->value_low);
    write_expression(out, "high", kernel->contract, &parameter->value_high);
    if (parameter->may_alias.count != 0)
        buffer_printf(out, ", .may_alias = may_alias_%u_%u, .may_alias_count = %u", kernel_index, index, parameter->may_alias.count);
}

static void write_parameters(const struct launcher *launcher, uint32_t k, struct buffer *out)
{
    const struct launcher_kernel *kernel = &launcher->kernels[k];
    const struct contract *contract = kernel->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->may_alias.count == 0)
            continue;
        buffer_printf(out, "static const uint32_t may_alias_%u_%u[] = {", k, p);
        for (uint32_t i = 0; i < parameter->may_alias.count; i++)
            buffer_printf(out, "%s%u", i == 0 ? "" : ", ", parameter->may_alias.data[i]);
        buffer_puts(out, "};\n");
    }
    buffer_printf(out, "static const struct lw_parameter_text parameters_%u[] = {\n", k);
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        uint32_t whole = kernel->arguments[p].whole;
        buffer_puts(out, "    {.name = ");
        launcher_write_string(out, parameter->name != NULL ? parameter->name : "");
        buffer_printf(out, ", .position = %u, .offset = %u, .size = %u, .whole = ", parameter->position, parameter->offset, parameter->size);
        if (whole == CONTRACT_NONE)
            buffer_puts(out, "LW_NO_PARAMETER");
        else
            buffer_printf(out, "%u", whole);
        buffer_printf(out, ", .kind = %s, .bits = %u, .is_signed = %d", kind_name(parameter), parameter->bits, parameter->is_signed);
        if (parameter->kind == CONTRACT_POINTER)
            write_array(launcher, kernel, k, p, out);
        buffer_puts(out, "},\n");
    }
    if (contract->parameters.count == 0)
        buffer_puts(out, "    {.name = \"\"},\n");
    buffer_puts(out, "};\n");
}

static void write_relations(const struct launcher *launcher, uint32_t k, struct buffer *out)
{
    const struct contract *contract = launcher->kernels[k].contract;
    if (contract->relations.count == 0)
        return;
    buffer_printf(out, "static const struct lw_expression_text relations_%u[] = {\n", k);
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        const char *left = contract_render(contract, relation->left.root), *right = contract_render(contract, relation->right.root);
        buffer_puts(out, "    ");
        write_texts(out, relation->text,
                    arena_printf(launcher->arena, "%s %s %s", left, contract_compare_sign((enum contract_compare)relation->compare), right),
                    relation->place);
        buffer_puts(out, ",\n");
    }
    buffer_puts(out, "};\n");
}

static void write_split(const struct launcher *launcher, uint32_t k, struct buffer *out)
{
    const struct guard_split *split = &launcher->kernels[k].kernel->split;
    if (split->bulk == NULL)
        return;
    buffer_printf(out, "static const struct lw_split_text split_%u = {.bulk = ", k);
    launcher_write_string(out, split->bulk);
    buffer_puts(out, ", .tail = ");
    launcher_write_string(out, split->tail);
    buffer_printf(out, ", .whole_tail = %d};\n", split->whole_tail != NULL);
}

static void write_kernel(const struct launcher *launcher, uint32_t k, struct buffer *out)
{
    const struct launcher_kernel *kernel = &launcher->kernels[k];
    const struct contract *contract = kernel->contract;
    buffer_puts(out, "    {.entry = ");
    launcher_write_string(out, kernel->kernel->name);
    buffer_puts(out, ", .shown = ");
    launcher_write_string(out, kernel->kernel->shown);
    buffer_printf(out, ", .line = %u, .column = %u, .parameters = parameters_%u, .parameter_count = %u", kernel->kernel->place.line,
                  kernel->kernel->place.column, k, contract->parameters.count);
    if (contract->relations.count != 0)
        buffer_printf(out, ", .relations = relations_%u, .relation_count = %u", k, contract->relations.count);
    write_expressions(launcher->arena, out, "block", contract, contract->block, 3);
    write_expression(out, "block_multiple", contract, &contract->block_multiple);
    write_expression(out, "block_max", contract, &contract->block_max);
    write_expressions(launcher->arena, out, "domain", contract, contract->domain, 3);
    write_expressions(launcher->arena, out, "grid", contract, contract->grid, 3);
    write_expression(out, "shared_bytes", contract, &contract->shared_bytes);
    if (kernel->kernel->split.bulk != NULL)
        buffer_printf(out, ", .split = &split_%u", k);
    buffer_puts(out, "},\n");
}

static void write_sites(const struct launcher *launcher, struct buffer *out)
{
    const struct guard_module *module = launcher->module;
    if (module->sites.count == 0)
        return;
    buffer_puts(out, "static const struct lw_site_text sites[] = {\n");
    for (uint32_t s = 0; s < module->sites.count; s++) {
        const struct guard_site *site = &module->sites.data[s];
        buffer_printf(out, "    {.kernel = %u, .number = %u, .line = %u, .column = %u, .file = ", site->kernel, site->number, site->place.line,
                      site->place.column);
        launcher_write_string(out, site->place.file);
        buffer_puts(out, ", .array = ");
        launcher_write_string(out, site->array);
        buffer_puts(out, ", .what = ");
        launcher_write_string(out, site->what);
        buffer_printf(out, ", .element_size = %u, .access_size = %u, .is_write = %d},\n", site->element_size, site->access_size, site->is_write);
    }
    buffer_puts(out, "};\n\n");
}

void launcher_write_tables(const struct launcher *launcher, struct buffer *out)
{
    const struct guard_module *module = launcher->module;
    buffer_puts(out, "static const char ptx[] =\n");
    write_ptx(out, module->ptx);
    buffer_puts(out, "    ;\n\n");
    for (uint32_t k = 0; k < module->kernels.count; k++) {
        write_parameters(launcher, k, out);
        write_relations(launcher, k, out);
        write_split(launcher, k, out);
    }
    buffer_puts(out, "static const struct lw_kernel_text kernels[] = {\n");
    for (uint32_t k = 0; k < module->kernels.count; k++)
        write_kernel(launcher, k, out);
    buffer_puts(out, "};\n\n");
    write_sites(launcher, out);
    buffer_printf(out, "const struct lw_module_source %s_kernels = {\n    .version = LW_LAUNCHER_VERSION, .name = ", launcher->word);
    launcher_write_string(out, module->name);
    buffer_printf(out, ", .ptx = ptx, .kernels = kernels, .kernel_count = %u", module->kernels.count);
    if (module->sites.count != 0)
        buffer_printf(out, ", .sites = sites, .site_count = %u", module->sites.count);
    buffer_puts(out, ",\n};\n");
}
