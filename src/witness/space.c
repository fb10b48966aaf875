/* SPDX-License-Identifier: Apache-2.0
 *
 * Which numbers a launch of a contract can be made of.
 *
 * Free are the integer scalars, the block where the contract does not fix it, and the grid where neither a domain nor a launch
 * does.  Each has a list of numbers that tell: small ones, both sides of powers of two and of every constant that the contract or a
 * comparison of the kernel names.  Relations about one scalar alone thin its list; a relation `x == expression` takes x off the list.
 */
#include "witness/witness.h"

#include <string.h>

enum {
    AXIS_VALUES = 96,
    CODE_CONSTANTS = 24,
    SEARCHED = 4096,
    SEARCHED_CONSTANTS = 256,
    GRID_TRIED = 3
};

/* ---- relations ------------------------------------------------------------------------------------------ */

/* The scalars of both sides, in `arena`; true if there is another sort of operand, too. */
static bool collect_scalars(struct arena *arena, const struct contract *contract,
                            const struct contract_relation *relation, struct bitset *scalars)
{
    bitset_init(scalars, arena, contract->parameters.count + 1);
    bool other = contract_collect_scalars(contract, &relation->left, scalars);
    return contract_collect_scalars(contract, &relation->right, scalars) || other;
}

/* True if the relation speaks of this scalar and of nothing else. */
static bool is_about_scalar(struct arena *arena, const struct contract *contract,
                            const struct contract_relation *relation, uint32_t scalar)
{
    struct bitset scalars;
    return !collect_scalars(arena, contract, relation, &scalars) && bitset_count(&scalars) == 1 &&
           bitset_has(&scalars, scalar);
}

/* True if the relation speaks of the block and of nothing else. */
static bool is_about_block(struct arena *arena, const struct contract *contract,
                           const struct contract_relation *relation)
{
    const struct contract_expression *sides[] = {&relation->left, &relation->right};
    struct bitset scalars;
    if (!collect_scalars(arena, contract, relation, &scalars) || bitset_count(&scalars) != 0)
        return false;
    for (unsigned s = 0; s < 2; s++)
        if (contract_mentions(contract, sides[s], CONTRACT_GRID) ||
            contract_mentions(contract, sides[s], CONTRACT_LENGTH))
            return false;
    return true;
}

/* ---- values of one axis ----------------------------------------------------------------------------------- */

struct axis_builder {
    struct witness_space *space;
    struct witness_axis *axis;
    const struct contract_relation **relations; /* those about this scalar alone */
    uint32_t relation_count;
    struct contract_values values;
};

static bool fits_type(const struct contract_parameter *parameter, contract_integer value)
{
    unsigned bits = parameter->bits == 0 ? 32 : parameter->bits;
    contract_integer one = 1;
    if (parameter->type != NULL && text_ends_with(parameter->type, "bool"))
        return value == 0 || value == 1;
    if (parameter->is_signed)
        return value >= -(one << (bits - 1)) && value < one << (bits - 1);
    return value >= 0 && value < one << bits;
}

static void try_value(struct axis_builder *builder, contract_integer value)
{
    struct witness_axis *axis = builder->axis;
    const struct contract *contract = builder->space->contract;
    if (axis->values.count == AXIS_VALUES ||
        !fits_type(&contract->parameters.data[axis->index], value))
        return;
    for (uint32_t i = 0; i < axis->values.count; i++)
        if (axis->values.data[i] == value)
            return;
    builder->values.scalars[axis->index] = value;
    for (uint32_t i = 0; i < builder->relation_count; i++)
        if (!contract_relation_holds(contract, builder->relations[i], &builder->values))
            return;
    *vec_push(builder->space->arena, &axis->values) = value;
}

static void try_around(struct axis_builder *builder, contract_integer value)
{
    try_value(builder, value);
    try_value(builder, value + 1);
    try_value(builder, value - 1);
}

/* Literals of the exact block: sizes where something begins anew. */
static void try_block_sizes(struct axis_builder *builder)
{
    const struct contract *contract = builder->space->contract;
    for (unsigned a = 0; a < 3; a++) {
        contract_integer value;
        if (contract_is_given(&contract->block[a]) &&
            contract_evaluate_expression(contract, &contract->block[a], &builder->values, &value) ==
                CONTRACT_FINE &&
            value > 1 && value <= 1024)
            try_around(builder, value);
    }
}

static void try_contract_constants(struct axis_builder *builder, bool large)
{
    const struct contract *contract = builder->space->contract;
    for (uint32_t n = 0; n < contract->nodes.count; n++) {
        contract_integer value = contract->nodes.data[n].value;
        if (contract->nodes.data[n].kind != CONTRACT_LITERAL || (value > 4096) != large)
            continue;
        try_around(builder, value);
        try_value(builder, -value);
        try_value(builder, 2 * value);
    }
}

/* Immediates of comparisons, masks and divisions. */
static void try_code_constants(struct axis_builder *builder)
{
    const struct ptx_function *function =
        &builder->space->module->functions.data[builder->space->function];
    uint32_t count = 0;
    for (uint32_t n = 0; n < function->instructions.count && count < CODE_CONSTANTS; n++) {
        const struct ptx_instruction *instruction = &function->instructions.data[n];
        bool is_test = instruction->op == PTX_OP_setp || instruction->op == PTX_OP_and ||
                       instruction->op == PTX_OP_rem || instruction->op == PTX_OP_div;
        for (uint32_t o = 1; is_test && o < instruction->operand_count; o++)
            if (instruction->operands[o].kind == PTX_OPERAND_INTEGER) {
                try_around(builder, instruction->operands[o].value);
                count++;
            }
    }
}

/* When nothing of the list is admitted: the first few numbers that are, from zero and from the constants of the contract on. */
static void search_values(struct axis_builder *builder)
{
    const struct contract *contract = builder->space->contract;
    const uint32_t *count = &builder->axis->values.count;
    for (contract_integer value = 0; value < SEARCHED && *count < 3; value++)
        try_value(builder, value);
    for (contract_integer value = 1; value < SEARCHED && *count < 3; value++)
        try_value(builder, -value);
    for (uint32_t n = 0; n < contract->nodes.count && n < SEARCHED_CONSTANTS && *count < 3; n++)
        for (contract_integer step = 0; step < SEARCHED && *count < 3; step++)
            if (contract->nodes.data[n].kind == CONTRACT_LITERAL)
                try_value(builder, contract->nodes.data[n].value + step);
}

static bool fill_scalar(struct witness_space *space, struct witness_axis *axis)
{
    static const int first[] = {1, 2},
                     small[] = {33,  3,   0,   5,   17, 65, 257, 4,   7,   8,    16,   31,   32, 64,
                                100, 127, 128, 129, 15, 63, 255, 256, 512, 1000, 1024, 1025, -1},
                     large[] = {4096, 65535, 65536, 65537, 1048577, INT32_MAX};
    const struct contract *contract = space->contract;
    struct axis_builder builder = {
        .space = space, .axis = axis, .values = witness_values_new(space->arena, contract)};
    builder.relations =
        ARENA_ARRAY(space->arena, const struct contract_relation *, contract->relations.count + 1);
    for (uint32_t r = 0; r < contract->relations.count; r++)
        if (is_about_scalar(space->arena, contract, &contract->relations.data[r], axis->index))
            builder.relations[builder.relation_count++] = &contract->relations.data[r];
    for (unsigned i = 0; i < COUNT_OF(first); i++)
        try_value(&builder, first[i]);
    try_block_sizes(&builder);
    for (unsigned i = 0; i < COUNT_OF(small); i++)
        try_value(&builder, small[i]);
    try_contract_constants(&builder, false);
    try_code_constants(&builder);
    try_contract_constants(&builder, true);
    for (unsigned i = 0; i < COUNT_OF(large); i++)
        try_value(&builder, large[i]);
    if (axis->values.count == 0)
        search_values(&builder);
    return axis->values.count != 0;
}

/* ---- geometry ---------------------------------------------------------------------------------------------- */

/* Which axes the code reads or the contract names; the others are 1. */
struct used_axes {
    bool block[3], grid[3];
};

static void note_special(struct used_axes *used, const struct ptx_operand *operand)
{
    if (operand->kind != PTX_OPERAND_SPECIAL || operand->component == 0 || operand->component > 3)
        return;
    unsigned axis = operand->component - 1u;
    used->block[axis] |=
        operand->special == PTX_SPECIAL_tid || operand->special == PTX_SPECIAL_ntid;
    used->grid[axis] |=
        operand->special == PTX_SPECIAL_ctaid || operand->special == PTX_SPECIAL_nctaid;
}

static void find_used_axes(const struct witness_space *space, struct used_axes *used)
{
    const struct contract *contract = space->contract;
    memset(used, 0, sizeof *used);
    used->block[0] = used->grid[0] = true;
    for (uint32_t f = 0; f < space->module->functions.count; f++) {
        const struct ptx_function *function = &space->module->functions.data[f];
        if (f != space->function && function->is_entry)
            continue;
        for (uint32_t n = 0; n < function->instructions.count; n++)
            for (uint32_t o = 0; o < function->instructions.data[n].operand_count; o++)
                note_special(used, &function->instructions.data[n].operands[o]);
    }
    for (uint32_t n = 0; n < contract->nodes.count; n++) {
        const struct contract_node *node = &contract->nodes.data[n];
        if (node->kind == CONTRACT_BLOCK)
            used->block[node->operand] = true;
        if (node->kind == CONTRACT_GRID)
            used->grid[node->operand] = true;
    }
    for (unsigned axis = 0; axis < 3; axis++)
        used->block[axis] |= contract_is_given(&contract->domain[axis]);
}

static void add_axis(struct witness_space *space, enum witness_axis_kind kind, uint32_t index,
                     const int *values, unsigned count)
{
    struct witness_axis *axis = vec_push(space->arena, &space->axes);
    *axis = (struct witness_axis){.kind = (uint8_t)kind, .index = index};
    for (unsigned i = 0; i < count; i++)
        *vec_push(space->arena, &axis->values) = values[i];
}

static void add_geometry(struct witness_space *space)
{
    static const int block_x[] = {32, 64, 1, 33, 128, 256, 1024, 2, 96, 512, 31, 16, 8},
                     block_y[] = {1, 2, 8, 3, 4, 16, 32}, block_z[] = {1, 2, 4},
                     grid[] = {1, 2, 3, 5, 17};
    static const struct {
        const int *values;
        unsigned count;
    } blocks[3] = {{block_x, COUNT_OF(block_x)},
                   {block_y, COUNT_OF(block_y)},
                   {block_z, COUNT_OF(block_z)}};
    const struct contract *contract = space->contract;
    const struct ptx_function *function = &space->module->functions.data[space->function];
    struct used_axes used;
    find_used_axes(space, &used);
    for (unsigned a = 0; a < 3 && !contract_is_given(&contract->block[0]); a++) {
        int required = (int)function->required_threads[a];
        if (function->required_threads[0] != 0)
            add_axis(space, WITNESS_BLOCK, a, &required, required > 0);
        else if (used.block[a])
            add_axis(space, WITNESS_BLOCK, a, blocks[a].values, blocks[a].count);
    }
    for (unsigned a = 0; a < 3; a++)
        if (!contract_is_given(&contract->domain[0]) && !contract_is_given(&contract->grid[0]) &&
            used.grid[a])
            add_axis(space, WITNESS_GRID, a, grid, a == 0 ? COUNT_OF(grid) : GRID_TRIED);
}

/* ---- the space --------------------------------------------------------------------------------------------- */

/* The scalar that an expression is, or CONTRACT_NONE. */
static uint32_t as_scalar(const struct contract *contract,
                          const struct contract_expression *expression)
{
    const struct contract_node *node = &contract->nodes.data[expression->root];
    return node->kind == CONTRACT_SCALAR ? node->operand : CONTRACT_NONE;
}

/* Takes `x == expression` as the definition of x when the expression speaks of scalars alone and of none that x defines. */
static bool define(struct witness_space *space, struct bitset *defined,
                   const struct contract_expression *left, const struct contract_expression *right)
{
    const struct contract *contract = space->contract;
    uint32_t scalar = as_scalar(contract, left);
    struct bitset used;
    if (scalar == CONTRACT_NONE || bitset_has(defined, scalar))
        return false;
    bitset_init(&used, space->arena, contract->parameters.count + 1);
    if (contract_collect_scalars(contract, right, &used) || bitset_has(&used, scalar))
        return false;
    /* Definitions are computed in their order: what an earlier one uses must not be defined by a later one. */
    for (uint32_t d = 0; d < space->definitions.count; d++) {
        struct bitset earlier;
        bitset_init(&earlier, space->arena, contract->parameters.count + 1);
        contract_collect_scalars(contract, space->definitions.data[d].expression, &earlier);
        if (bitset_has(&earlier, scalar))
            return false;
    }
    bitset_add(defined, scalar);
    *vec_push(space->arena, &space->definitions) = (struct witness_definition){scalar, right};
    return true;
}

bool witness_space_begin(struct witness_space *space, struct arena *arena,
                         const struct ptx_module *module, uint32_t function,
                         const struct contract *contract)
{
    struct bitset defined;
    *space = (struct witness_space){
        .arena = arena, .module = module, .function = function, .contract = contract};
    bitset_init(&defined, arena, contract->parameters.count + 1);
    for (uint32_t r = 0; r < contract->relations.count; r++) {
        const struct contract_relation *relation = &contract->relations.data[r];
        if (relation->compare == CONTRACT_EQUAL &&
            !define(space, &defined, &relation->left, &relation->right))
            define(space, &defined, &relation->right, &relation->left);
    }
    bitset_init(&space->has_length, arena, contract->parameters.count + 1);
    for (uint32_t n = 0; n < contract->nodes.count; n++)
        if (contract->nodes.data[n].kind == CONTRACT_LENGTH)
            bitset_add(&space->has_length, contract->nodes.data[n].operand);
    bool good = true;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        if (parameter->position >= module->functions.data[function].parameters.count)
            return false;
        if (parameter->kind != CONTRACT_INTEGER || bitset_has(&defined, p))
            continue;
        add_axis(space, WITNESS_SCALAR, p, NULL, 0);
        good &= fill_scalar(space, &space->axes.data[space->axes.count - 1]);
    }
    add_geometry(space);
    return good;
}

struct contract_values witness_values_new(struct arena *arena, const struct contract *contract)
{
    struct contract_values values = {0};
    values.scalars = ARENA_ARRAY(arena, contract_integer, contract->parameters.count + 1);
    values.lengths = ARENA_ARRAY(arena, contract_integer, contract->parameters.count + 1);
    for (unsigned axis = 0; axis < 3; axis++)
        values.block[axis] = values.grid[axis] = 1;
    return values;
}

void witness_point_of(const struct witness_space *space, const struct contract_values *values,
                      contract_integer *point)
{
    for (uint32_t a = 0; a < space->axes.count; a++) {
        const struct witness_axis *axis = &space->axes.data[a];
        point[a] = axis->kind == WITNESS_SCALAR  ? values->scalars[axis->index]
                   : axis->kind == WITNESS_BLOCK ? values->block[axis->index]
                                                 : values->grid[axis->index];
    }
}

/* ---- from a point to a launch -------------------------------------------------------------------------------- */

/* Of an array without any extent: long enough for what is tried here. */
enum { FREE_LENGTH = 1 << 24 };

/* A relation with a bare `len(p)` on one side asks for at least so many elements, or exactly. */
static void raise_length(const struct contract *contract, const struct contract_expression *side,
                         const struct contract_expression *other, int excess,
                         struct contract_values *values)
{
    const struct contract_node *node = &contract->nodes.data[side->root];
    contract_integer value;
    if (node->kind != CONTRACT_LENGTH ||
        contract_evaluate_expression(contract, other, values, &value) != CONTRACT_FINE)
        return;
    if (value + excess > values->lengths[node->operand])
        values->lengths[node->operand] = value + excess;
}

static void find_lengths(const struct witness_space *space, struct contract_values *values)
{
    const struct contract *contract = space->contract;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        contract_integer elements = 0;
        if (contract->parameters.data[p].kind != CONTRACT_POINTER)
            continue;
        bool has_shape = contract->parameters.data[p].shape_kind != CONTRACT_SHAPE_NONE;
        if (has_shape)
            contract_extent(contract, p, values, &elements);
        values->lengths[p] =
            has_shape || bitset_has(&space->has_length, p) ? elements : FREE_LENGTH;
    }
    for (unsigned round = 0; round < 2; round++) /* one length may depend on another */
        for (uint32_t r = 0; r < contract->relations.count; r++) {
            const struct contract_relation *relation = &contract->relations.data[r];
            uint8_t compare = relation->compare;
            if (compare == CONTRACT_EQUAL || compare == CONTRACT_GREATER_EQUAL ||
                compare == CONTRACT_GREATER)
                raise_length(contract, &relation->left, &relation->right,
                             compare == CONTRACT_GREATER, values);
            if (compare == CONTRACT_EQUAL || compare == CONTRACT_LESS_EQUAL ||
                compare == CONTRACT_LESS)
                raise_length(contract, &relation->right, &relation->left, compare == CONTRACT_LESS,
                             values);
        }
}

/* An array with elements must have values to hold. */
static bool has_contents(const struct contract *contract, const struct contract_values *values)
{
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *parameter = &contract->parameters.data[p];
        contract_integer low, high;
        if (parameter->kind != CONTRACT_POINTER || !contract_is_given(&parameter->value_low) ||
            values->lengths[p] == 0)
            continue;
        if (!contract_value_range(contract, parameter, values, &low, &high) || low >= high)
            return false;
    }
    return true;
}

/* Everything, by the same evaluation that launchers use. */
static bool is_admitted(const struct witness_space *space, const struct contract_values *values)
{
    struct arena scratch;
    contract_violations violations = {0};
    arena_init(&scratch);
    bool good = contract_evaluate(space->contract, &scratch, values, &violations);
    arena_free(&scratch);
    return good;
}

bool witness_complete(const struct witness_space *space, const contract_integer *point,
                      struct contract_values *values)
{
    const struct contract *contract = space->contract;
    bool no_work = false;
    for (unsigned axis = 0; axis < 3; axis++)
        values->block[axis] = values->grid[axis] = 1;
    values->has_grid = true;
    for (uint32_t a = 0; a < space->axes.count; a++) {
        const struct witness_axis *axis = &space->axes.data[a];
        contract_integer *target = axis->kind == WITNESS_SCALAR  ? values->scalars
                                   : axis->kind == WITNESS_BLOCK ? values->block
                                                                 : values->grid;
        target[axis->index] = point[a];
    }
    for (uint32_t d = 0; d < space->definitions.count; d++) {
        const struct witness_definition *definition = &space->definitions.data[d];
        contract_integer *target = &values->scalars[definition->parameter];
        if (contract_evaluate_expression(contract, definition->expression, values, target) !=
                CONTRACT_FINE ||
            !fits_type(&contract->parameters.data[definition->parameter], *target))
            return false;
    }
    if (contract_is_given(&contract->block[0]) && !contract_block(contract, values))
        return false;
    if (!contract_geometry(contract, values, &no_work) || (no_work && !space->admits_empty))
        return false;
    for (unsigned axis = 0; axis < 3 && no_work; axis++)
        if (values->grid[axis] < 1)
            values->grid[axis] = 1;
    for (unsigned axis = 0; axis < 3 && contract_is_given(&contract->grid[0]); axis++)
        if (contract_is_given(&contract->grid[axis]) &&
            contract_evaluate_expression(contract, &contract->grid[axis], values,
                                         &values->grid[axis]) != CONTRACT_FINE)
            return false;
    find_lengths(space, values);
    for (uint32_t r = 0; r < contract->relations.count; r++)
        if (!contract_relation_holds(contract, &contract->relations.data[r], values))
            return false;
    return has_contents(contract, values) && is_admitted(space, values);
}

/* ---- one number at a time --------------------------------------------------------------------------------------- */

bool witness_value_fits(const struct witness_space *space, uint32_t scalar, contract_integer value)
{
    const struct contract *contract = space->contract;
    struct arena scratch;
    struct contract_values values;
    bool good = fits_type(&contract->parameters.data[scalar], value);
    arena_init(&scratch);
    values = witness_values_new(&scratch, contract);
    values.scalars[scalar] = value;
    for (uint32_t r = 0; r < contract->relations.count && good; r++)
        if (is_about_scalar(&scratch, contract, &contract->relations.data[r], scalar))
            good = contract_relation_holds(contract, &contract->relations.data[r], &values);
    arena_free(&scratch);
    return good;
}

bool witness_block_fits(const struct witness_space *space, contract_integer threads)
{
    const struct contract *contract = space->contract;
    struct arena scratch;
    contract_integer limit;
    arena_init(&scratch);
    struct contract_values values = witness_values_new(&scratch, contract);
    values.block[0] = threads;
    bool good = true;
    if (contract_is_given(&contract->block_multiple))
        good = contract_evaluate_expression(contract, &contract->block_multiple, &values, &limit) == CONTRACT_FINE &&
               limit > 0 && threads % limit == 0;
    if (good && contract_is_given(&contract->block_max))
        good = contract_evaluate_expression(contract, &contract->block_max, &values, &limit) == CONTRACT_FINE &&
               threads <= limit;
    for (uint32_t r = 0; r < contract->relations.count && good; r++)
        if (is_about_block(&scratch, contract, &contract->relations.data[r]))
            good = contract_relation_holds(contract, &contract->relations.data[r], &values);
    arena_free(&scratch);
    return good;
}
