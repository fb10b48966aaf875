/* SPDX-License-Identifier: Apache-2.0
 *
 * Building contracts: nodes, parameters, constants and extents.
 */
#include "contract/contract.h"

#include <string.h>

static const struct contract_expression no_expression = {.root = CONTRACT_NONE};

struct contract *contract_new(struct arena *arena)
{
    struct contract *contract = ARENA_NEW(arena, struct contract);
    contract->arena = arena;
    for (unsigned axis = 0; axis < 3; axis++) {
        contract->block[axis] = no_expression;
        contract->domain[axis] = no_expression;
        contract->grid[axis] = no_expression;
    }
    contract->block_multiple = no_expression;
    contract->block_max = no_expression;
    contract->shared_bytes = no_expression;
    return contract;
}

uint32_t contract_add_node(struct contract *contract, enum contract_node_kind kind,
                           uint32_t operand, contract_integer value, uint32_t left, uint32_t right)
{
    *vec_push(contract->arena, &contract->nodes) = (struct contract_node){
        .kind = (uint8_t)kind, .operand = operand, .left = left, .right = right, .value = value};
    return contract->nodes.count - 1;
}

struct contract_parameter *contract_add_parameter(struct contract *contract, const char *name,
                                                  enum contract_type_kind kind)
{
    struct contract_parameter *parameter = vec_push(contract->arena, &contract->parameters);
    memset(parameter, 0, sizeof *parameter);
    parameter->name = name;
    parameter->kind = (uint8_t)kind;
    for (unsigned axis = 0; axis < 3; axis++)
        parameter->shape[axis] = no_expression;
    parameter->extent = no_expression;
    parameter->value_low = no_expression;
    parameter->value_high = no_expression;
    parameter->reduces = CONTRACT_NONE;
    return parameter;
}

uint32_t contract_parameter_count(const struct contract *contract)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (contract->parameters.data[i].position >= count)
            count = contract->parameters.data[i].position + 1;
    return count;
}

uint32_t contract_find_parameter(const struct contract *contract, const char *name)
{
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (strcmp(contract->parameters.data[i].name, name) == 0)
            return i;
    return CONTRACT_NONE;
}

void contract_add_constant(struct contract *contract, const char *name, contract_integer value)
{
    *vec_push(contract->arena, &contract->constants) = (struct contract_constant){name, value};
}

/* ---- copies ---------------------------------------------------------------------------------------- */

#define OWN_ELEMENTS(arena, vec)                                                                   \
    ((vec)->data = arena_copy((arena), (vec)->data, (vec)->count * sizeof *(vec)->data),           \
     (vec)->capacity = (vec)->count)

struct contract *contract_copy(struct arena *arena, const struct contract *from)
{
    struct contract *copy = arena_copy(arena, from, sizeof *from);
    copy->arena = arena;
    OWN_ELEMENTS(arena, &copy->nodes);
    OWN_ELEMENTS(arena, &copy->parameters);
    OWN_ELEMENTS(arena, &copy->relations);
    OWN_ELEMENTS(arena, &copy->constants);
    for (uint32_t i = 0; i < copy->parameters.count; i++) {
        OWN_ELEMENTS(arena, &copy->parameters.data[i].may_alias);
        OWN_ELEMENTS(arena, &copy->parameters.data[i].contents);
    }
    return copy;
}

/* ---- extents ------------------------------------------------------------------------------------- */

/* A text that can stand as a factor: in parentheses unless it is one word. */
static const char *factor_text(struct arena *arena, const char *text)
{
    bool is_word = strpbrk(text, " +-*/%") == NULL;
    return is_word ? text : arena_printf(arena, "(%s)", text);
}

static uint32_t multiply(struct contract *contract, uint32_t left, uint32_t right)
{
    return contract_add_node(contract, CONTRACT_MULTIPLY, 0, 0, left, right);
}

void contract_set_extent(struct contract *contract, uint32_t index)
{
    struct contract_parameter *parameter = &contract->parameters.data[index];
    struct arena *arena = contract->arena;
    const struct contract_expression *shape = parameter->shape;
    struct contract_expression extent = {CONTRACT_NONE, NULL, parameter->shape_place};
    if (parameter->shape_kind == CONTRACT_SHAPE_ROWS) {
        extent.root = shape[0].root;
        extent.text = shape[0].text;
        for (unsigned d = 1; d < parameter->dimensions; d++) {
            const char *left = d == 1 ? factor_text(arena, extent.text) : extent.text;
            extent.text = arena_printf(arena, "%s * %s", left, factor_text(arena, shape[d].text));
            extent.root = multiply(contract, extent.root, shape[d].root);
        }
    } else if (parameter->shape_kind == CONTRACT_SHAPE_PITCHED) {
        uint32_t one = contract_add_node(contract, CONTRACT_LITERAL, 0, 1, 0, 0);
        uint32_t before = contract_add_node(contract, CONTRACT_SUBTRACT, 0, 0, shape[0].root, one);
        uint32_t rows = multiply(contract, before, shape[2].root);
        extent.root = contract_add_node(contract, CONTRACT_ADD, 0, 0, rows, shape[1].root);
        extent.text = arena_printf(arena, "(%s - 1) * %s + %s", factor_text(arena, shape[0].text),
                                   factor_text(arena, shape[2].text), shape[1].text);
    }
    parameter->extent = extent;
}

/* ---- questions about expressions ------------------------------------------------------------------- */

static bool has_children(const struct contract_node *node)
{
    return node->kind >= CONTRACT_ADD;
}

/* Depth is bounded by the parser's limit on nodes of one expression. */
static bool mentions(const struct contract *contract, uint32_t root, uint32_t kinds)
{
    const struct contract_node *node = &contract->nodes.data[root];
    if (kinds >> node->kind & 1)
        return true;
    if (node->kind == CONTRACT_NEGATE)
        return mentions(contract, node->left, kinds);
    return has_children(node) &&
           (mentions(contract, node->left, kinds) || mentions(contract, node->right, kinds));
}

static bool collect_scalars(const struct contract *contract, uint32_t root, struct bitset *scalars)
{
    const struct contract_node *node = &contract->nodes.data[root];
    bool other = false;
    if (node->kind == CONTRACT_SCALAR)
        bitset_add(scalars, node->operand);
    else if (node->kind < CONTRACT_NEGATE)
        other = node->kind != CONTRACT_LITERAL;
    if (node->kind >= CONTRACT_NEGATE)
        other |= collect_scalars(contract, node->left, scalars);
    if (has_children(node))
        other |= collect_scalars(contract, node->right, scalars);
    return other;
}

bool contract_collect_scalars(const struct contract *contract,
                              const struct contract_expression *expression, struct bitset *scalars)
{
    return contract_is_given(expression) && collect_scalars(contract, expression->root, scalars);
}

bool contract_mentions(const struct contract *contract,
                       const struct contract_expression *expression, enum contract_node_kind kind)
{
    return contract_is_given(expression) && mentions(contract, expression->root, 1u << kind);
}

bool contract_constant_value(const struct contract *contract,
                             const struct contract_expression *expression, contract_integer *value)
{
    const uint32_t operands =
        1u << CONTRACT_SCALAR | 1u << CONTRACT_LENGTH | 1u << CONTRACT_BLOCK | 1u << CONTRACT_GRID;
    struct contract_values none = {0};
    if (!contract_is_given(expression) || mentions(contract, expression->root, operands))
        return false;
    return contract_evaluate_expression(contract, expression, &none, value) == CONTRACT_FINE;
}

const char *contract_format(contract_integer value, char *out)
{
    char digits[40];
    unsigned count = 0;
    char *at = out;
    __extension__ unsigned __int128 rest =
        value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
    do
        digits[count++] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) != 0);
    if (value < 0)
        *at++ = '-';
    while (count > 0)
        *at++ = digits[--count];
    *at = '\0';
    return out;
}

/* ---- names ------------------------------------------------------------------------------------------------------------ */

static char launch_letter(char c)
{
    bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return c == '\0' || is_kept ? c : '_';
}

char *contract_launch_name(struct arena *arena, const char *parameter)
{
    char *name = arena_string(arena, parameter);
    for (char *at = name; *at != '\0'; at++)
        *at = launch_letter(*at);
    return name;
}

bool contract_is_launch_name(const char *parameter, const char *name)
{
    while (*parameter != '\0' && launch_letter(*parameter) == *name) {
        parameter++;
        name++;
    }
    return *parameter == '\0' && *name == '\0';
}
