/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules as text.  Instructions, labels, variables and headers are written from the data; directives that the module keeps as
 * text (.reg, .file, .section, prototypes ...) are copied.  Printing what was parsed from printed text gives the same bytes.
 */
#include "ptx/ptx.h"

#include <inttypes.h>
#include <string.h>

/* ---- operands -------------------------------------------------------------------------------- */

struct printer {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct buffer *out;
};

static void print_operand(const struct printer *printer, const struct ptx_operand *operand);

static void print_elements(const struct printer *printer, const struct ptx_operand *elements,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            buffer_puts(printer->out, ", ");
        print_operand(printer, &elements[i]);
    }
}

static void print_offset(struct buffer *out, int64_t offset)
{
    if (offset > 0)
        buffer_printf(out, "+%" PRId64, offset);
    else if (offset < 0)
        buffer_printf(out, "%" PRId64, offset);
}

static const char *register_name(const struct printer *printer, uint32_t id)
{
    return printer->function->registers.data[id].name;
}

static void print_register(const struct printer *printer, const struct ptx_operand *operand)
{
    static const char *const selectors[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    if (operand->negated)
        buffer_putc(printer->out, '!');
    buffer_puts(printer->out, register_name(printer, operand->id));
    if (operand->component >= PTX_SELECTOR_B0 && operand->component <= PTX_SELECTOR_H1)
        buffer_puts(printer->out, selectors[operand->component - PTX_SELECTOR_B0]);
    if (operand->component == PTX_SELECTOR_LIST)
        buffer_printf(printer->out, ".%c%0*x", operand->value >> 19 & 1 ? 'h' : 'b',
                      (int)(operand->value >> 16 & 7), (unsigned)operand->value & 0xffffu);
}

static void print_pair(const struct printer *printer, const struct ptx_operand *operand)
{
    if (operand->pair != PTX_NONE)
        buffer_printf(printer->out, "|%s", register_name(printer, operand->pair));
}

static void print_address(const struct printer *printer, const struct ptx_operand *operand)
{
    struct buffer *out = printer->out;
    buffer_putc(out, '[');
    if (operand->id != PTX_NONE)
        buffer_puts(out, register_name(printer, operand->id));
    else if (operand->variable != PTX_NONE || operand->callee != PTX_NONE)
        buffer_puts(out, operand->text);
    else
        buffer_printf(out, "%" PRId64, operand->value);
    if (operand->id != PTX_NONE || operand->variable != PTX_NONE || operand->callee != PTX_NONE)
        print_offset(out, operand->value);
    if (operand->count != 0) {
        unsigned sampler = operand->bracketed == 2;
        buffer_puts(out, ", ");
        print_elements(printer, operand->elements, sampler);
        buffer_puts(out, sampler ? ", {" : "{");
        print_elements(printer, operand->elements + sampler, operand->count - sampler);
        buffer_putc(out, '}');
    }
    buffer_putc(out, ']');
}

static void print_list(const struct printer *printer, const struct ptx_operand *operand)
{
    /* The name of a list of targets, or a list in parentheses. */
    if (operand->text[0] != '\0') {
        buffer_puts(printer->out, operand->text);
        return;
    }
    buffer_putc(printer->out, '(');
    print_elements(printer, operand->elements, operand->count);
    buffer_putc(printer->out, ')');
}

static void print_special(const struct printer *printer, const struct ptx_operand *operand)
{
    static const char *const components[] = {"", ".x", ".y", ".z", ".w"};
    buffer_puts(printer->out, ptx_special_name(operand->special));
    buffer_puts(printer->out, components[operand->component % COUNT_OF(components)]);
}

static void print_operand(const struct printer *printer, const struct ptx_operand *operand)
{
    struct buffer *out = printer->out;
    switch ((enum ptx_operand_kind)operand->kind) {
    case PTX_OPERAND_NONE:
        break;
    case PTX_OPERAND_REGISTER:
        print_register(printer, operand);
        print_pair(printer, operand);
        break;
    case PTX_OPERAND_SPECIAL:
        print_special(printer, operand);
        break;
    case PTX_OPERAND_INTEGER:
        buffer_printf(out, "%" PRId64, operand->value);
        break;
    case PTX_OPERAND_FLOAT:
        buffer_printf(out, operand->is_double ? "0d%016" PRIX64 : "0f%08" PRIX64,
                      (uint64_t)operand->value);
        break;
    case PTX_OPERAND_SYMBOL:
        buffer_puts(out, operand->text);
        print_offset(out, operand->value);
        break;
    case PTX_OPERAND_ADDRESS:
        print_address(printer, operand);
        break;
    case PTX_OPERAND_VECTOR:
        buffer_putc(out, '{');
        print_elements(printer, operand->elements, operand->count);
        buffer_putc(out, '}');
        break;
    case PTX_OPERAND_SINK:
        buffer_putc(out, '_');
        print_pair(printer, operand);
        break;
    case PTX_OPERAND_LIST:
        print_list(printer, operand);
        break;
    case PTX_OPERAND_LABEL:
    case PTX_OPERAND_PROTOTYPE:
        buffer_puts(out, operand->text);
        break;
    }
}

void ptx_print_instruction(const struct ptx_module *module, const struct ptx_function *function,
                           const struct ptx_instruction *instruction, struct buffer *out)
{
    struct printer printer = {module, function, out};
    if (instruction->op == PTX_OP_OPAQUE) {
        buffer_add(out, module->text + instruction->text_offset, instruction->text_size);
        return;
    }
    if (instruction->guard != PTX_NONE)
        buffer_printf(out, "@%s%s ", instruction->guard_negated ? "!" : "",
                      register_name(&printer, instruction->guard));
    buffer_puts(out, ptx_op_info(instruction->op)->name);
    for (unsigned i = 0; i < instruction->mod_count; i++)
        buffer_printf(out, ".%s", ptx_mod_text(instruction->mods[i]));
    if (instruction->operand_count != 0)
        buffer_putc(out, ' ');
    print_elements(&printer, instruction->operands, instruction->operand_count);
    buffer_putc(out, ';');
}

/* ---- variables ------------------------------------------------------------------------------- */

static const char *const linkages[] = {
    [PTX_LINKAGE_NONE] = "",           [PTX_LINKAGE_VISIBLE] = ".visible ",
    [PTX_LINKAGE_EXTERN] = ".extern ", [PTX_LINKAGE_WEAK] = ".weak ",
    [PTX_LINKAGE_COMMON] = ".common ",
};

static void print_relocation(struct buffer *out, const struct ptx_relocation *relocation,
                             unsigned element, unsigned byte)
{
    bool is_part = relocation->size != element || relocation->shift != 0 || element < 4;
    if (is_part) {
        uint64_t mask = element >= 8 ? UINT64_MAX : ((uint64_t)1 << (element * 8)) - 1;
        buffer_printf(out, "0x%" PRIX64 "(", mask << ((relocation->shift + byte) * 8));
    }
    buffer_printf(out, relocation->generic ? "generic(%s)" : "%s", relocation->symbol);
    print_offset(out, relocation->addend);
    if (is_part)
        buffer_putc(out, ')');
}

static void print_value(struct buffer *out, const struct ptx_variable *variable, uint64_t element,
                        unsigned size)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < size && i < 8; i++)
        bits |= (uint64_t)variable->data[element * size + i] << (i * 8);
    if (variable->type == PTX_F32)
        buffer_printf(out, "0f%08" PRIX64, bits);
    else if (variable->type == PTX_F64)
        buffer_printf(out, "0d%016" PRIX64, bits);
    else
        buffer_printf(out, "%" PRIu64, bits);
}

/* Elements up to the last that is not zero; all of them where they make the size. */
static uint64_t printed_elements(const struct ptx_variable *variable, unsigned size)
{
    uint64_t bytes = variable->size;
    if (!variable->unsized) {
        while (bytes > 0 && variable->data[bytes - 1] == 0)
            bytes--;
        for (uint32_t i = 0; i < variable->relocations.count; i++) {
            const struct ptx_relocation *relocation = &variable->relocations.data[i];
            if ((uint64_t)relocation->offset + relocation->size > bytes)
                bytes = (uint64_t)relocation->offset + relocation->size;
        }
    }
    uint64_t elements = (bytes + size - 1) / size;
    return elements == 0 && variable->size != 0 ? 1 : elements;
}

static void print_initialiser(struct buffer *out, const struct ptx_variable *variable)
{
    unsigned size = ptx_type_size(variable->type);
    uint64_t count = printed_elements(variable, size);
    bool braces = variable->is_array || variable->vector > 1;
    uint32_t next = 0; /* relocations are in order of their offsets */
    buffer_puts(out, braces ? " = {" : " = ");
    for (uint64_t i = 0; i < count; i++) {
        if (i != 0)
            buffer_puts(out, ", ");
        uint64_t offset = i * size;
        const struct ptx_relocation *relocation = NULL;
        while (next < variable->relocations.count) {
            relocation = &variable->relocations.data[next];
            if (offset < (uint64_t)relocation->offset + relocation->size)
                break;
            next++;
        }
        if (next < variable->relocations.count && offset >= relocation->offset)
            print_relocation(out, relocation, size, (unsigned)(offset - relocation->offset));
        else
            print_value(out, variable, i, size);
    }
    if (braces)
        buffer_putc(out, '}');
}

/* What stands between the linkage and the initialiser. */
static void print_declaration(struct buffer *out, const struct ptx_variable *variable)
{
    buffer_printf(out, ".%s ", ptx_space_name(variable->space));
    bool has_attribute = variable->attributes != NULL && variable->attributes[0] == '.';
    if (has_attribute)
        buffer_printf(out, "%s ", variable->attributes);
    if (variable->space != PTX_SPACE_REG &&
        (!variable->is_pointer || variable->align != ptx_type_size(variable->type)))
        buffer_printf(out, ".align %u ", variable->align);
    if (variable->vector > 1)
        buffer_printf(out, ".v%u ", variable->vector);
    buffer_printf(out, ".%s ", ptx_type_name(variable->type));
    if (variable->is_pointer) {
        buffer_puts(out, ".ptr ");
        if (variable->pointer_space != PTX_SPACE_NONE)
            buffer_printf(out, ".%s ", ptx_space_name(variable->pointer_space));
        buffer_printf(out, ".align %u ", variable->pointer_align);
    }
    buffer_puts(out, variable->name);
    if (variable->unsized)
        buffer_puts(out, "[]");
    else if (variable->is_array)
        buffer_printf(out, "[%" PRIu64 "]",
                      variable->size / ptx_type_size(variable->type) / variable->vector);
}

static void print_variable(struct buffer *out, const struct ptx_variable *variable)
{
    buffer_puts(out, linkages[variable->linkage]);
    print_declaration(out, variable);
    if (variable->data != NULL)
        print_initialiser(out, variable);
    else if (variable->attributes != NULL && variable->attributes[0] == '{')
        buffer_printf(out, " = %s", variable->attributes);
    buffer_puts(out, ";\n");
}

/* ---- functions ------------------------------------------------------------------------------- */

static void print_parameters(const struct printer *printer, const uint32_t *ids, uint32_t count)
{
    buffer_putc(printer->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        buffer_puts(printer->out, i == 0 ? "\n\t" : ",\n\t");
        print_declaration(printer->out, &printer->module->variables.data[ids[i]]);
    }
    buffer_puts(printer->out, count != 0 ? "\n)" : ")");
}

static void print_location(const struct printer *printer, uint32_t id)
{
    const struct ptx_location *locations = printer->module->locations.data,
                              *location = &locations[id];
    buffer_printf(printer->out, "\t.loc\t%u %u %u", location->file, location->line,
                  location->column);
    if (location->function_label != NULL) {
        buffer_printf(printer->out, ", function_name %s", location->function_label);
        print_offset(printer->out, location->function_offset);
    }
    if (location->inlined_at != 0) {
        const struct ptx_location *call = &locations[location->inlined_at];
        buffer_printf(printer->out, ", inlined_at %u %u %u", call->file, call->line, call->column);
    }
    buffer_putc(printer->out, '\n');
}

static void print_text(const struct printer *printer, const struct ptx_item *item)
{
    buffer_add(printer->out, printer->module->text + item->text_offset, item->text_size);
    buffer_putc(printer->out, '\n');
}

static void print_body_item(const struct printer *printer, const struct ptx_item *item)
{
    struct buffer *out = printer->out;
    switch ((enum ptx_item_kind)item->kind) {
    case PTX_ITEM_TEXT:
        buffer_putc(out, '\t');
        print_text(printer, item);
        break;
    case PTX_ITEM_VARIABLE:
        buffer_putc(out, '\t');
        print_variable(out, &printer->module->variables.data[item->id]);
        break;
    case PTX_ITEM_LOCATION:
        print_location(printer, item->id);
        break;
    case PTX_ITEM_LABEL:
        buffer_printf(out, "%s:\n", printer->function->labels.data[item->id].name);
        break;
    case PTX_ITEM_OPEN:
        buffer_puts(out, "\t{\n");
        break;
    case PTX_ITEM_CLOSE:
        buffer_puts(out, "\t}\n");
        break;
    case PTX_ITEM_FUNCTION:
        break;
    }
}

static void print_function(const struct ptx_module *module, const struct ptx_function *function,
                           struct buffer *out)
{
    struct printer printer = {module, function, out};
    buffer_printf(out, "%s%s ", linkages[function->linkage],
                  function->is_entry ? ".entry" : ".func");
    if (function->returns.count != 0) {
        print_parameters(&printer, function->returns.data, function->returns.count);
        buffer_putc(out, ' ');
    }
    buffer_puts(out, function->name);
    print_parameters(&printer, function->parameters.data, function->parameters.count);
    buffer_putc(out, '\n');
    if (function->attributes_size != 0) {
        buffer_add(out, module->text + function->attributes_offset, function->attributes_size);
        buffer_putc(out, '\n');
    }
    buffer_puts(out, "{\n");
    uint32_t item = 0;
    for (uint32_t i = 0; i <= function->instructions.count; i++) {
        for (; item < function->items.count && function->items.data[item].at <= i; item++)
            print_body_item(&printer, &function->items.data[item]);
        if (i == function->instructions.count)
            break;
        buffer_putc(out, '\t');
        ptx_print_instruction(module, function, &function->instructions.data[i], out);
        buffer_putc(out, '\n');
    }
    buffer_puts(out, "}\n");
}

void ptx_print_module(const struct ptx_module *module, struct buffer *out)
{
    struct printer printer = {module, NULL, out};
    buffer_printf(out, ".version %u.%u\n.target %s%s\n.address_size %u\n\n", module->version_major,
                  module->version_minor, module->target, module->target_options,
                  module->address_size);
    for (uint32_t i = 0; i < module->items.count; i++) {
        const struct ptx_item *item = &module->items.data[i];
        if (item->kind == PTX_ITEM_FUNCTION)
            print_function(module, &module->functions.data[item->id], out);
        else if (item->kind == PTX_ITEM_VARIABLE)
            print_variable(out, &module->variables.data[item->id]);
        else
            print_text(&printer, item);
    }
}
