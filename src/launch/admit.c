/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a launch keep its contract?  Yes or no, on the way of every checked launch: no memory is asked for and no text is made.  When the
 * answer is no, contract_evaluate is asked for the reasons; tests hold the two against each other.
 */
#include "launch/device.h"

static const contract_integer array_bytes_limit = (contract_integer)1 << 47;

/* The value where it is given; false when it has none. */
static bool value_of(const struct contract *contract, const struct contract_expression *expression,
                     const struct contract_values *values, contract_integer *value)
{
    return !contract_is_given(expression) || contract_evaluate_expression(contract, expression, values, value) == CONTRACT_FINE;
}

static bool is_exact(const struct contract *contract, const struct contract_expression *wanted, const contract_integer *got,
                     const struct contract_values *values)
{
    if (!contract_is_given(&wanted[0]))
        return true;
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer value = 1;
        if (!value_of(contract, &wanted[axis], values, &value) || value != got[axis])
            return false;
    }
    return true;
}

static bool admit_block(const struct contract *contract, const struct contract_values *values)
{
    const contract_integer *block = values->block;
    contract_integer threads = 1, multiple = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (block[axis] < 1 || block[axis] > CONTRACT_LIMIT_BLOCK_THREADS)
            return false;
        threads *= block[axis];
    }
    contract_integer most = threads;
    return threads <= CONTRACT_LIMIT_BLOCK_THREADS && block[2] <= CONTRACT_LIMIT_BLOCK_Z &&
           is_exact(contract, contract->block, block, values) && value_of(contract, &contract->block_multiple, values, &multiple) &&
           multiple > 0 && block[0] % multiple == 0 && value_of(contract, &contract->block_max, values, &most) && threads <= most;
}

/* values->grid becomes that of the domain. */
static bool admit_grid(const struct contract *contract, struct contract_values *values)
{
    static const contract_integer limits[3] = {CONTRACT_LIMIT_GRID_X, CONTRACT_LIMIT_GRID_YZ, CONTRACT_LIMIT_GRID_YZ};
    bool no_work = false, had_grid = values->has_grid;
    contract_integer given[3] = {values->grid[0], values->grid[1], values->grid[2]};
    if (!contract_geometry(contract, values, &no_work) || !values->has_grid)
        return false;
    for (unsigned axis = 0; axis < 3 && !no_work; axis++)
        if (values->grid[axis] < 1 || values->grid[axis] > limits[axis] || (had_grid && given[axis] != values->grid[axis]))
            return false;
    return is_exact(contract, contract->grid, values->grid, values);
}

static bool admit_parameter(const struct contract *contract, uint32_t index, const struct contract_values *values)
{
    const struct contract_parameter *parameter = &contract->parameters.data[index];
    contract_integer needed, ignored;
    if (parameter->shape_kind != CONTRACT_SHAPE_NONE) {
        /* A size of an empty array is evaluated all the same. */
        for (unsigned d = 0; d < parameter->dimensions; d++)
            if (!value_of(contract, &parameter->shape[d], values, &ignored) || ignored < 0)
                return false;
        if (!contract_extent(contract, index, values, &needed) || values->lengths[index] < needed ||
            needed * (parameter->element_size != 0 ? parameter->element_size : 1) > array_bytes_limit)
            return false;
    }
    return value_of(contract, &parameter->value_low, values, &ignored) && value_of(contract, &parameter->value_high, values, &ignored);
}

bool admit_contract(const struct contract *contract, const struct contract_values *given)
{
    struct contract_values values = *given;
    contract_integer shared = 0;
    if (!admit_block(contract, &values) || !admit_grid(contract, &values))
        return false;
    for (uint32_t i = 0; i < contract->relations.count; i++)
        if (!contract_relation_holds(contract, &contract->relations.data[i], &values))
            return false;
    for (uint32_t i = 0; i < contract->parameters.count; i++)
        if (!admit_parameter(contract, i, &values))
            return false;
    return value_of(contract, &contract->shared_bytes, &values, &shared) && shared >= 0 && shared <= CONTRACT_LIMIT_SHARED_BYTES;
}
