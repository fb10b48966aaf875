/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluation of a contract for one launch.
 *
 * Every intermediate value must lie in [-2^63, 2^64); the first one that does not, or a divisor of zero, ends the evaluation of its
 * expression with a fault, and a fault is a violation.  Trees are as deep as the parser's limit on nodes at most.
 */
#include "contract/contract.h"

static const contract_integer value_lowest = -((contract_integer)1 << 63);
static const contract_integer value_limit = (contract_integer)1 << 64;
static const contract_integer array_bytes_limit = (contract_integer)1 << 47;

static const contract_integer grid_limits[3] = {CONTRACT_LIMIT_GRID_X, CONTRACT_LIMIT_GRID_YZ,
                                                CONTRACT_LIMIT_GRID_YZ};
static const char axis_names[] = "xyz";

/* ---- expressions ------------------------------------------------------------------------------------ */

static enum contract_fault evaluate(const struct contract *contract, uint32_t root,
                                    const struct contract_values *values, contract_integer *result);

static enum contract_fault evaluate_binary(const struct contract *contract,
                                           const struct contract_node *node,
                                           const struct contract_values *values,
                                           contract_integer *result)
{
    contract_integer left, right;
    bool overflow = false;
    enum contract_fault fault = evaluate(contract, node->left, values, &left);
    if (fault == CONTRACT_FINE)
        fault = evaluate(contract, node->right, values, &right);
    if (fault != CONTRACT_FINE)
        return fault;
    switch (node->kind) {
    case CONTRACT_ADD:
        *result = left + right;
        break;
    case CONTRACT_SUBTRACT:
        *result = left - right;
        break;
    case CONTRACT_MULTIPLY:
        overflow = __builtin_mul_overflow(left, right, result);
        break;
    default:
        if (right == 0)
            return CONTRACT_DIVIDES_BY_ZERO;
        *result = node->kind == CONTRACT_DIVIDE ? left / right : left % right;
    }
    return overflow ? CONTRACT_OUT_OF_RANGE : CONTRACT_FINE;
}

static enum contract_fault evaluate(const struct contract *contract, uint32_t root,
                                    const struct contract_values *values, contract_integer *result)
{
    const struct contract_node *node = &contract->nodes.data[root];
    enum contract_fault fault = CONTRACT_FINE;
    switch (node->kind) {
    case CONTRACT_LITERAL:
        *result = node->value;
        break;
    case CONTRACT_SCALAR:
        *result = values->scalars[node->operand];
        break;
    case CONTRACT_LENGTH:
        *result = values->lengths[node->operand];
        break;
    case CONTRACT_BLOCK:
        *result = values->block[node->operand];
        break;
    case CONTRACT_GRID:
        *result = values->grid[node->operand];
        break;
    case CONTRACT_NEGATE:
        fault = evaluate(contract, node->left, values, result);
        if (fault == CONTRACT_FINE)
            *result = -*result;
        break;
    default:
        fault = evaluate_binary(contract, node, values, result);
    }
    if (fault == CONTRACT_FINE && (*result < value_lowest || *result >= value_limit))
        fault = CONTRACT_OUT_OF_RANGE;
    return fault;
}

enum contract_fault contract_evaluate_expression(const struct contract *contract,
                                                 const struct contract_expression *expression,
                                                 const struct contract_values *values,
                                                 contract_integer *result)
{
    *result = 0;
    return evaluate(contract, expression->root, values, result);
}

bool contract_compare_holds(enum contract_compare compare, contract_integer left,
                            contract_integer right)
{
    switch (compare) {
    case CONTRACT_EQUAL:
        return left == right;
    case CONTRACT_NOT_EQUAL:
        return left != right;
    case CONTRACT_LESS:
        return left < right;
    case CONTRACT_LESS_EQUAL:
        return left <= right;
    case CONTRACT_GREATER:
        return left > right;
    default:
        return left >= right;
    }
}

bool contract_relation_holds(const struct contract *contract,
                             const struct contract_relation *relation,
                             const struct contract_values *values)
{
    contract_integer left, right;
    return contract_evaluate_expression(contract, &relation->left, values, &left) ==
               CONTRACT_FINE &&
           contract_evaluate_expression(contract, &relation->right, values, &right) ==
               CONTRACT_FINE &&
           contract_compare_holds((enum contract_compare)relation->compare, left, right);
}

bool contract_value_range(const struct contract *contract,
                          const struct contract_parameter *parameter,
                          const struct contract_values *values, contract_integer *low,
                          contract_integer *high)
{
    return contract_evaluate_expression(contract, &parameter->value_low, values, low) ==
               CONTRACT_FINE &&
           contract_evaluate_expression(contract, &parameter->value_high, values, high) ==
               CONTRACT_FINE;
}

bool contract_extent(const struct contract *contract, uint32_t index,
                     const struct contract_values *values, contract_integer *elements)
{
    const struct contract_parameter *parameter = &contract->parameters.data[index];
    bool is_empty = false;
    if (parameter->shape_kind == CONTRACT_SHAPE_NONE)
        return false;
    for (unsigned d = 0; d < parameter->dimensions; d++) {
        contract_integer size;
        if (contract_evaluate_expression(contract, &parameter->shape[d], values, &size) !=
                CONTRACT_FINE ||
            size < 0)
            return false;
        /* Of a pitched shape, rows and cols: the pitch of no row does not matter. */
        is_empty |= size == 0 && !(parameter->shape_kind == CONTRACT_SHAPE_PITCHED && d == 2);
    }
    if (is_empty) {
        *elements = 0;
        return true;
    }
    return contract_evaluate_expression(contract, &parameter->extent, values, elements) ==
           CONTRACT_FINE;
}

/* ---- geometry ------------------------------------------------------------------------------------------ */

bool contract_block(const struct contract *contract, struct contract_values *values)
{
    contract_integer block[3] = {1, 1, 1};
    if (!contract_is_given(&contract->block[0]))
        return false;
    for (unsigned axis = 0; axis < 3; axis++)
        if (contract_is_given(&contract->block[axis]) &&
            contract_evaluate_expression(contract, &contract->block[axis], values, &block[axis]) !=
                CONTRACT_FINE)
            return false;
    for (unsigned axis = 0; axis < 3; axis++)
        values->block[axis] = block[axis];
    return true;
}

bool contract_geometry(const struct contract *contract, struct contract_values *values,
                       bool *no_work)
{
    contract_integer grid[3] = {1, 1, 1};
    *no_work = false;
    if (!contract_is_given(&contract->domain[0]))
        return true;
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer domain = 1, block = values->block[axis];
        if (contract_is_given(&contract->domain[axis]) &&
            contract_evaluate_expression(contract, &contract->domain[axis], values, &domain) !=
                CONTRACT_FINE)
            return false;
        if (block <= 0)
            return false;
        if (domain <= 0)
            *no_work = true;
        grid[axis] = domain <= 0 ? 0 : domain / block + (domain % block != 0);
    }
    for (unsigned axis = 0; axis < 3; axis++)
        values->grid[axis] = grid[axis];
    values->has_grid = true;
    return true;
}

/* ---- the whole contract ---------------------------------------------------------------------------------- */

struct evaluation {
    const struct contract *contract;
    struct arena *arena;
    struct contract_values values; /* with the grid from the domain */
    bool has_block_fault;
    contract_violations *violations;
};

static void violate(struct evaluation *e, struct place place, const char *message)
{
    *vec_push(e->arena, e->violations) = (struct contract_violation){message, place};
}

static const char *number(const struct evaluation *e, contract_integer value)
{
    char text[48];
    return arena_string(e->arena, contract_format(value, text));
}

static const char *fault_text(enum contract_fault fault)
{
    return fault == CONTRACT_DIVIDES_BY_ZERO ? "divides by zero" : "leaves the range [-2^63, 2^64)";
}

/* The value of an expression; false, with a violation that names it `what`, when there is none. */
static bool value_of(struct evaluation *e, const struct contract_expression *expression,
                     const char *what, contract_integer *value)
{
    enum contract_fault fault =
        contract_evaluate_expression(e->contract, expression, &e->values, value);
    if (fault == CONTRACT_FINE)
        return true;
    violate(e, expression->place,
            arena_printf(e->arena, "%s `%s` %s", what, expression->text, fault_text(fault)));
    return false;
}

static void check_relation(struct evaluation *e, const struct contract_relation *relation)
{
    contract_integer values[2];
    const struct contract_expression *sides[2] = {&relation->left, &relation->right};
    const char *texts[2];
    bool is_fine = true;
    for (unsigned s = 0; s < 2; s++) {
        enum contract_fault fault =
            contract_evaluate_expression(e->contract, sides[s], &e->values, &values[s]);
        is_fine &= fault == CONTRACT_FINE;
        texts[s] = fault == CONTRACT_FINE ? arena_printf(e->arena, "is %s", number(e, values[s]))
                                          : fault_text(fault);
    }
    if (!is_fine ||
        !contract_compare_holds((enum contract_compare)relation->compare, values[0], values[1]))
        violate(e, relation->place,
                arena_printf(e->arena, "requirement `%s` violated: left side %s, right side %s",
                             relation->text, texts[0], texts[1]));
}

static const char *shape_text(const struct evaluation *e,
                              const struct contract_parameter *parameter)
{
    struct buffer text;
    buffer_init(&text, e->arena);
    for (unsigned d = 0; d < parameter->dimensions; d++)
        buffer_printf(&text, "%s%s", d == 0 ? "(" : ", ", parameter->shape[d].text);
    buffer_putc(&text, ')');
    return text.data;
}

static void check_shape(struct evaluation *e, uint32_t index)
{
    const struct contract_parameter *parameter = &e->contract->parameters.data[index];
    contract_integer size, needed, held = e->values.lengths[index];
    for (unsigned d = 0; d < parameter->dimensions; d++) {
        const struct contract_expression *dimension = &parameter->shape[d];
        if (!value_of(e, dimension, arena_printf(e->arena, "the shape of %s:", parameter->name),
                      &size))
            return;
        if (size < 0) {
            violate(e, dimension->place,
                    arena_printf(e->arena, "the shape of %s: `%s` is %s, less than 0",
                                 parameter->name, dimension->text, number(e, size)));
            return;
        }
    }
    if (!contract_extent(e->contract, index, &e->values, &needed)) {
        violate(e, parameter->shape_place,
                arena_printf(e->arena, "the shape of %s: %s has more than 2^64 elements",
                             parameter->name, shape_text(e, parameter)));
        return;
    }
    contract_integer bytes = needed * (parameter->element_size != 0 ? parameter->element_size : 1);
    if (held < needed)
        violate(e, parameter->shape_place,
                arena_printf(e->arena, "%s holds %s elements, its shape %s needs %s",
                             parameter->name, number(e, held), shape_text(e, parameter),
                             number(e, needed)));
    else if (bytes > array_bytes_limit)
        violate(e, parameter->shape_place,
                arena_printf(e->arena, "%s needs %s bytes, no array passes 2^47", parameter->name,
                             number(e, bytes)));
}

static void check_parameter(struct evaluation *e, uint32_t index)
{
    const struct contract_parameter *parameter = &e->contract->parameters.data[index];
    contract_integer bound;
    if (parameter->shape_kind != CONTRACT_SHAPE_NONE)
        check_shape(e, index);
    if (contract_is_given(&parameter->value_low))
        value_of(e, &parameter->value_low,
                 arena_printf(e->arena, "the values of %s:", parameter->name), &bound);
    if (contract_is_given(&parameter->value_high))
        value_of(e, &parameter->value_high,
                 arena_printf(e->arena, "the values of %s:", parameter->name), &bound);
}

static const char *triple(const struct evaluation *e, const contract_integer *values)
{
    return arena_printf(e->arena, "(%s, %s, %s)", number(e, values[0]), number(e, values[1]),
                        number(e, values[2]));
}

/* An exact block or grid; missing axes are 1. */
static void check_exact(struct evaluation *e, const struct contract_expression *wanted,
                        const contract_integer *got, const char *what)
{
    contract_integer values[3] = {1, 1, 1};
    bool differs = false;
    if (!contract_is_given(&wanted[0]))
        return;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (contract_is_given(&wanted[axis]) &&
            !value_of(e, &wanted[axis], arena_printf(e->arena, "the %s:", what), &values[axis]))
            return;
        differs |= values[axis] != got[axis];
    }
    if (differs)
        violate(e, wanted[0].place,
                arena_printf(e->arena, "the %s is %s, the contract asks for %s", what,
                             triple(e, got), triple(e, values)));
}

static void check_block(struct evaluation *e)
{
    const struct contract *contract = e->contract;
    const contract_integer *block = e->values.block;
    contract_integer value, threads = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        bool is_short = block[axis] < 1;
        if (is_short)
            violate(e, contract->place,
                    arena_printf(e->arena, "block.%c is %s, less than 1", axis_names[axis],
                                 number(e, block[axis])));
        e->has_block_fault |= is_short;
        /* Saturated, and without what is no size: the product must not overflow. */
        if (!is_short && threads <= CONTRACT_LIMIT_BLOCK_THREADS)
            threads *= block[axis] < CONTRACT_LIMIT_BLOCK_THREADS + 1
                           ? block[axis]
                           : CONTRACT_LIMIT_BLOCK_THREADS + 1;
    }
    check_exact(e, contract->block, block, "block");
    if (e->has_block_fault)
        return;
    if (threads > CONTRACT_LIMIT_BLOCK_THREADS)
        violate(e, contract->place,
                arena_printf(e->arena, "a block of %s has more than the %d threads a device allows",
                             triple(e, block), CONTRACT_LIMIT_BLOCK_THREADS));
    if (block[2] > CONTRACT_LIMIT_BLOCK_Z)
        violate(e, contract->place,
                arena_printf(e->arena, "block.z is %s, a device allows %d", number(e, block[2]),
                             CONTRACT_LIMIT_BLOCK_Z));
    if (contract_is_given(&contract->block_multiple) &&
        value_of(e, &contract->block_multiple, "the multiple of block.x:", &value) &&
        (value <= 0 || block[0] % value != 0))
        violate(e, contract->block_multiple.place,
                arena_printf(e->arena, "block.x is %s, not a multiple of %s", number(e, block[0]),
                             number(e, value)));
    if (contract_is_given(&contract->block_max) &&
        value_of(e, &contract->block_max, "the most threads of a block:", &value) &&
        threads > value)
        violate(e, contract->block_max.place,
                arena_printf(e->arena, "a block of %s has more than the %s threads allowed",
                             triple(e, block), number(e, value)));
}

static void check_grid(struct evaluation *e, const struct contract_values *given)
{
    const struct contract *contract = e->contract;
    bool no_work = false;
    bool has_domain = contract_is_given(&contract->domain[0]);
    contract_integer ignored;
    if (has_domain && !contract_geometry(contract, &e->values, &no_work)) {
        for (unsigned axis = 0; axis < 3; axis++)
            if (contract_is_given(&contract->domain[axis]))
                value_of(e, &contract->domain[axis], "the domain:", &ignored);
        return; /* or the block is zero, which check_block says */
    }
    if (!has_domain && !given->has_grid) {
        violate(e, contract->place, "the contract has no LW_DOMAIN: the launch must give a grid");
        return;
    }
    const contract_integer *grid = e->values.grid;
    if (has_domain && given->has_grid) {
        bool differs = false;
        for (unsigned axis = 0; axis < 3 && !no_work; axis++)
            differs |= given->grid[axis] != grid[axis];
        if (differs)
            violate(e, contract->domain[0].place,
                    arena_printf(e->arena, "the grid is %s, the domain asks for %s",
                                 triple(e, given->grid), triple(e, grid)));
    }
    check_exact(e, contract->grid, grid, "grid");
    for (unsigned axis = 0; axis < 3 && !no_work; axis++) {
        struct place place = has_domain ? contract->domain[0].place : contract->place;
        if (grid[axis] < 1)
            violate(e, place,
                    arena_printf(e->arena, "grid.%c is %s, less than 1", axis_names[axis],
                                 number(e, grid[axis])));
        else if (grid[axis] > grid_limits[axis])
            violate(e, place,
                    arena_printf(e->arena, "grid.%c is %s, a device allows %s", axis_names[axis],
                                 number(e, grid[axis]), number(e, grid_limits[axis])));
    }
}

static void check_shared(struct evaluation *e)
{
    const struct contract_expression *bytes = &e->contract->shared_bytes;
    contract_integer value;
    if (contract_is_given(bytes) && value_of(e, bytes, "the dynamic shared memory:", &value) &&
        (value < 0 || value > CONTRACT_LIMIT_SHARED_BYTES))
        violate(e, bytes->place,
                arena_printf(e->arena, "dynamic shared memory `%s` is %s bytes, %s", bytes->text,
                             number(e, value),
                             value < 0 ? "less than 0" : "more than any device has"));
}

/* In the order of the source, by insertion: there are few, and equal places keep their order. */
static void sort_by_place(contract_violations *violations)
{
    for (uint32_t i = 1; i < violations->count; i++) {
        struct contract_violation moved = violations->data[i];
        uint32_t at = i;
        for (; at > 0; at--) {
            const struct place *before = &violations->data[at - 1].place;
            if (before->line < moved.place.line ||
                (before->line == moved.place.line && before->column <= moved.place.column))
                break;
            violations->data[at] = violations->data[at - 1];
        }
        violations->data[at] = moved;
    }
}

bool contract_evaluate(const struct contract *contract, struct arena *arena,
                       const struct contract_values *values, contract_violations *violations)
{
    contract_violations found = {0};
    struct evaluation e = {contract, arena, *values, false, &found};
    check_block(&e);
    if (!e.has_block_fault)
        check_grid(&e, values);
    for (uint32_t i = 0; i < contract->relations.count; i++)
        check_relation(&e, &contract->relations.data[i]);
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        check_parameter(&e, i);
    check_shared(&e);
    sort_by_place(&found);
    for (uint32_t i = 0; i < found.count; i++)
        *vec_push(arena, violations) = found.data[i];
    return found.count == 0;
}
