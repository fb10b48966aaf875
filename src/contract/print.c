/* SPDX-License-Identifier: Apache-2.0
 *
 * A contract as text, one line a part, and how its words are written.
 */
#include "contract/contract.h"

#include <string.h>

const char *contract_reduction_name(enum contract_reduction reduction)
{
    static const char *const names[] = {[CONTRACT_REDUCES_NOTHING] = "nothing",
                                        [CONTRACT_SUM] = "sum",
                                        [CONTRACT_PRODUCT] = "product",
                                        [CONTRACT_MIN] = "min",
                                        [CONTRACT_MAX] = "max",
                                        [CONTRACT_AND] = "and",
                                        [CONTRACT_OR] = "or",
                                        [CONTRACT_XOR] = "xor"};
    return names[reduction];
}

const char *contract_compare_sign(enum contract_compare compare)
{
    static const char *const signs[] = {
        [CONTRACT_EQUAL] = "==",      [CONTRACT_NOT_EQUAL] = "!=", [CONTRACT_LESS] = "<",
        [CONTRACT_LESS_EQUAL] = "<=", [CONTRACT_GREATER] = ">",    [CONTRACT_GREATER_EQUAL] = ">="};
    return signs[compare];
}

/* ---- trees ------------------------------------------------------------------------------------------- */

static const struct {
    const char *sign;
    uint8_t level; /* binds tighter when larger */
} operators[] = {
    [CONTRACT_NEGATE] = {"-", 3},     [CONTRACT_ADD] = {" + ", 1},
    [CONTRACT_SUBTRACT] = {" - ", 1}, [CONTRACT_MULTIPLY] = {" * ", 2},
    [CONTRACT_DIVIDE] = {" / ", 2},   [CONTRACT_REMAINDER] = {" % ", 2},
};

static void render(const struct contract *contract, uint32_t root, uint8_t level,
                   struct buffer *out)
{
    const struct contract_node *node = &contract->nodes.data[root];
    char digits[48];
    switch (node->kind) {
    case CONTRACT_LITERAL:
        buffer_puts(out, contract_format(node->value, digits));
        return;
    case CONTRACT_SCALAR:
        buffer_puts(out, contract->parameters.data[node->operand].name);
        return;
    case CONTRACT_LENGTH:
        buffer_printf(out, "len(%s)", contract->parameters.data[node->operand].name);
        return;
    case CONTRACT_BLOCK:
    case CONTRACT_GRID:
        buffer_printf(out, "%s.%c", node->kind == CONTRACT_BLOCK ? "block" : "grid",
                      "xyz"[node->operand]);
        return;
    default:
        break;
    }
    uint8_t own = operators[node->kind].level;
    bool in_parentheses = own < level;
    if (in_parentheses)
        buffer_putc(out, '(');
    if (node->kind != CONTRACT_NEGATE)
        render(contract, node->left, own, out);
    buffer_puts(out, operators[node->kind].sign);
    render(contract, node->kind == CONTRACT_NEGATE ? node->left : node->right,
           (uint8_t)(own + (node->kind != CONTRACT_NEGATE)), out);
    if (in_parentheses)
        buffer_putc(out, ')');
}

const char *contract_render(const struct contract *contract, uint32_t root)
{
    struct buffer out;
    buffer_init(&out, contract->arena);
    render(contract, root, 0, &out);
    return out.data;
}

/* ---- contracts ---------------------------------------------------------------------------------------- */

/* The text, and the number that a named constant stands for. */
static void print_expression(const struct contract *contract, struct buffer *out,
                             const struct contract_expression *expression)
{
    contract_integer value;
    char digits[48];
    buffer_puts(out, expression->text);
    bool is_named = expression->text[0] < '0' || expression->text[0] > '9';
    if (is_named && contract_constant_value(contract, expression, &value))
        buffer_printf(out, " (%s)", contract_format(value, digits));
}

static void print_list(const struct contract *contract, struct buffer *out, const char *what,
                       const struct contract_expression *items, unsigned count)
{
    unsigned given = 0;
    while (given < count && contract_is_given(&items[given]))
        given++;
    if (given == 0)
        return;
    buffer_printf(out, "  %s", what);
    for (unsigned i = 0; i < given; i++) {
        buffer_puts(out, i == 0 ? " " : ", ");
        print_expression(contract, out, &items[i]);
    }
    buffer_putc(out, '\n');
}

static void print_number_type(struct buffer *out, uint8_t kind, unsigned bits, bool is_signed)
{
    if (kind == CONTRACT_INTEGER)
        buffer_printf(out, "%s%u", is_signed ? "i" : "u", bits);
    else if (kind == CONTRACT_FLOAT)
        buffer_printf(out, "f%u", bits);
    else
        buffer_puts(out, kind == CONTRACT_POINTER ? "pointer" : "other");
}

static void print_parameter(const struct contract *contract, struct buffer *out,
                            const struct contract_parameter *parameter)
{
    buffer_printf(out, "  parameter %u", parameter->position);
    if (strchr(parameter->name, '.') != NULL)
        buffer_printf(out, " +%u", parameter->offset);
    buffer_printf(out, " %s: `%s` ", parameter->name,
                  parameter->type != NULL ? parameter->type : "");
    print_number_type(out, parameter->kind, parameter->bits, parameter->is_signed);
    if (parameter->kind == CONTRACT_OTHER)
        buffer_printf(out, " of %u bytes", parameter->size);
    if (parameter->kind == CONTRACT_POINTER) {
        buffer_printf(out, " to %s", parameter->is_const ? "const " : "");
        print_number_type(out, parameter->element_kind, parameter->element_bits,
                          parameter->element_is_signed);
        buffer_printf(out, " of %u bytes", parameter->element_size);
    }
    buffer_putc(out, '\n');
    print_list(contract, out,
               parameter->shape_kind == CONTRACT_SHAPE_PITCHED ? "  pitched" : "  shape",
               parameter->shape, 3);
    print_list(contract, out, "  extent", &parameter->extent, 1);
    const struct contract_expression values[2] = {parameter->value_low, parameter->value_high};
    print_list(contract, out, "  values", values, 2);
    if (parameter->disjoint)
        buffer_puts(out, "    disjoint\n");
    if (parameter->writes_all)
        buffer_puts(out, "    writes all\n");
    if (parameter->reduction != CONTRACT_REDUCES_NOTHING)
        buffer_printf(out, "    reduces %s of %s\n",
                      contract_reduction_name((enum contract_reduction)parameter->reduction),
                      contract->parameters.data[parameter->reduces].name);
    for (uint32_t i = 0; i < parameter->may_alias.count; i++)
        buffer_printf(out, "    may alias %s\n",
                      contract->parameters.data[parameter->may_alias.data[i]].name);
}

void contract_print(const struct contract *contract, struct buffer *out)
{
    buffer_printf(out, "kernel %s", contract->kernel_shown != NULL ? contract->kernel_shown : "?");
    if (contract->kernel != NULL)
        buffer_printf(out, " [%s]", contract->kernel);
    if (contract->place.line != 0)
        buffer_printf(out, " at %s:%u:%u", contract->place.file, contract->place.line,
                      contract->place.column);
    buffer_printf(out, "%s\n", contract->has_annotations ? "" : ", no contract");
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        print_parameter(contract, out, &contract->parameters.data[i]);
    for (uint32_t i = 0; i < contract->relations.count; i++)
        buffer_printf(out, "  requires %s\n", contract->relations.data[i].text);
    print_list(contract, out, "block", contract->block, 3);
    print_list(contract, out, "block multiple", &contract->block_multiple, 1);
    print_list(contract, out, "block max", &contract->block_max, 1);
    print_list(contract, out, "domain", contract->domain, 3);
    print_list(contract, out, "grid", contract->grid, 3);
    print_list(contract, out, "shared bytes", &contract->shared_bytes, 1);
    if (contract->unchecked_reason != NULL)
        buffer_printf(out, "  unchecked indexing: %s\n", contract->unchecked_reason);
}
