/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch comment as a contract: every scalar, length, shape and size is fixed, and so are the values of integer buffers whose
 * first contents are known.  For `lanewise check`, which then proves that one launch.
 *
 * Limits: contents of more than 2^22 elements are not looked at; a struct passed as raw bytes has no fields; buffers of module
 * variables (`symbol`) are not parameters and not part of the contract.
 */
#include "launch/run.h"

#include <string.h>

enum { VALUES_LIMIT = 1 << 22, CONTENTS_LIMIT = 4096, CHUNK = 1024 };

struct builder {
    struct launch_run *run; /* resolved, without a machine */
    struct contract *contract;
    uint32_t *
        buffer_of; /* by parameter of the contract: its buffer + 1, 0: none; grows with `parameters` */
    uint32_t buffer_of_capacity;
};

/* ---- expressions ---------------------------------------------------------------------------------------- */

static const char *integer_text(struct arena *arena, contract_integer value)
{
    uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;
    return arena_printf(arena, "%s%llu", value < 0 ? "-" : "", (unsigned long long)size);
}

static struct contract_expression literal(struct builder *builder, contract_integer value,
                                          struct place place)
{
    return (struct contract_expression){
        .root = contract_add_node(builder->contract, CONTRACT_LITERAL, 0, value, CONTRACT_NONE,
                                  CONTRACT_NONE),
        .text = integer_text(builder->run->arena, value),
        .place = place,
    };
}

static void require_equal(struct builder *builder, uint32_t index, contract_integer value)
{
    struct contract *contract = builder->contract;
    const struct contract_parameter *parameter = &contract->parameters.data[index];
    struct contract_relation relation = {.compare = CONTRACT_EQUAL, .place = parameter->place};
    relation.left = (struct contract_expression){
        .root =
            contract_add_node(contract, CONTRACT_SCALAR, index, 0, CONTRACT_NONE, CONTRACT_NONE),
        .text = parameter->name,
        .place = parameter->place,
    };
    relation.right = literal(builder, value, parameter->place);
    relation.text =
        arena_printf(builder->run->arena, "%s == %s", relation.left.text, relation.right.text);
    *vec_push(contract->arena, &contract->relations) = relation;
}

static contract_integer as_integer(struct value value)
{
    return value.is_unsigned ? (contract_integer)(uint64_t)value.as.integer
                             : (contract_integer)value.as.integer;
}

/* ---- parameters ----------------------------------------------------------------------------------------- */

static uint32_t add_parameter(struct builder *builder, const char *name, uint32_t position,
                              uint32_t offset, enum contract_type_kind kind, struct place place)
{
    struct contract *contract = builder->contract;
    struct contract_parameter *parameter = vec_push(contract->arena, &contract->parameters);
    uint32_t index = contract->parameters.count - 1;
    *parameter = (struct contract_parameter){
        .name = name,
        .position = position,
        .offset = offset,
        .kind = kind,
        .type = "",
        .place = place,
        .shape = {{.root = CONTRACT_NONE}, {.root = CONTRACT_NONE}, {.root = CONTRACT_NONE}},
        .extent = {.root = CONTRACT_NONE},
        .value_low = {.root = CONTRACT_NONE},
        .value_high = {.root = CONTRACT_NONE},
        .reduces = CONTRACT_NONE,
    };
    if (index >= builder->buffer_of_capacity) {
        uint32_t *old = builder->buffer_of;
        builder->buffer_of_capacity = 2 * index + 8;
        builder->buffer_of = ARENA_ARRAY(contract->arena, uint32_t, builder->buffer_of_capacity);
        if (index != 0)
            memcpy(builder->buffer_of, old, index * sizeof *old);
    }
    return index;
}

static void add_scalar(struct builder *builder, const char *name, uint32_t position,
                       uint32_t offset, enum value_type type, struct value value,
                       struct place place)
{
    const struct value_type_info *info = value_type_info(type);
    uint32_t index = add_parameter(builder, name, position, offset,
                                   info->is_float ? CONTRACT_FLOAT : CONTRACT_INTEGER, place);
    struct contract_parameter *parameter = &builder->contract->parameters.data[index];
    parameter->bits = (uint8_t)(info->size * 8);
    parameter->is_signed = info->is_signed && !info->is_float;
    parameter->type = info->name;
    if (!info->is_float) {
        /* As the kernel sees it: cut to its width. */
        unsigned char bytes[8] = {0};
        value_store(type, value, bytes);
        require_equal(builder, index, as_integer(value_load(type, bytes)));
    }
}

/* Smallest and largest element, and all of them when they are few.  False with a diagnostic when `init` has no value somewhere. */
static bool read_contents(struct builder *builder, struct contract_parameter *parameter,
                          const struct launch_buffer *buffer, contract_integer range[2])
{
    struct launch_run *run = builder->run;
    enum value_type type = buffer->argument->type;
    unsigned width = value_type_info(type)->size;
    unsigned char bytes[CHUNK * 8];
    for (uint64_t done = 0; done < buffer->length;) {
        uint64_t part = buffer->length - done < CHUNK ? buffer->length - done : CHUNK, at = 0;
        memset(bytes, 0, sizeof bytes);
        enum expression_fault fault =
            buffer->init == NULL ? FAULT_NONE
                                 : expression_store(buffer->init, type, done, part, bytes, &at);
        if (fault != FAULT_NONE) {
            run_complain(run, buffer->argument->init.place, "`init` of `%s` %s at element %llu",
                         buffer->argument->name, expression_fault_text(fault),
                         (unsigned long long)at);
            return false;
        }
        for (uint64_t i = 0; i < part; i++) {
            struct value value = value_load(type, bytes + i * width);
            contract_integer element = as_integer(value);
            bool first = done == 0 && i == 0;
            range[0] = first || element < range[0] ? element : range[0];
            range[1] = first || element > range[1] ? element : range[1];
            if (buffer->length <= CONTENTS_LIMIT)
                *vec_push(run->arena, &parameter->contents) = value.as.integer;
        }
        done += part;
        if (buffer->init == NULL)
            break; /* zeros all the way */
    }
    /* `contents` of zeros: as many as there are elements. */
    while (buffer->init == NULL && buffer->length <= CONTENTS_LIMIT &&
           parameter->contents.count < buffer->length)
        *vec_push(run->arena, &parameter->contents) = 0;
    return true;
}

/* What the buffer holds at the launch; nothing is said of reals, undefined memory and very long buffers. */
static bool add_values(struct builder *builder, uint32_t index, const struct launch_buffer *buffer)
{
    struct contract_parameter *parameter = &builder->contract->parameters.data[index];
    const struct value_type_info *info = value_type_info(buffer->argument->type);
    contract_integer range[2] = {0, 0};
    if (info->is_float || !buffer->initialised || buffer->length == 0 ||
        (buffer->length > VALUES_LIMIT && buffer->init != NULL))
        return true;
    if (!read_contents(builder, parameter, buffer, range))
        return false;
    if (range[1] <
        (contract_integer)UINT64_MAX) { /* the bound after it must be a number of the contract's */
        parameter->value_low = literal(builder, range[0], buffer->argument->place);
        parameter->value_high = literal(builder, range[1] + 1, buffer->argument->place);
    }
    return true;
}

/* A pointer to element `offset` of a buffer. */
static bool add_pointer(struct builder *builder, const char *name, uint32_t position,
                        uint32_t field_offset, const struct launch_buffer *buffer, int64_t offset,
                        struct place place)
{
    struct launch_run *run = builder->run;
    uint32_t index = add_parameter(builder, name, position, field_offset, CONTRACT_POINTER, place);
    struct contract_parameter *parameter = &builder->contract->parameters.data[index];
    const struct value_type_info *info = value_type_info(buffer->argument->type);
    uint64_t length =
        offset < 0 || (uint64_t)offset > buffer->length ? 0 : buffer->length - (uint64_t)offset;
    builder->buffer_of[index] = (uint32_t)(buffer - run->buffers) + 1;
    parameter->type = arena_printf(run->arena, "%s *", info->name);
    parameter->element_size = info->size;
    parameter->element_kind = info->is_float ? CONTRACT_FLOAT : CONTRACT_INTEGER;
    parameter->element_bits = (uint8_t)(info->size * 8);
    parameter->element_is_signed = info->is_signed && !info->is_float;
    parameter->shape_kind = CONTRACT_SHAPE_ROWS;
    parameter->shape_place = place;
    parameter->extent = literal(builder, length, place);
    if (buffer->dimensions != 0 && offset == 0) {
        parameter->dimensions = (uint8_t)buffer->dimensions;
        for (unsigned d = 0; d < buffer->dimensions; d++)
            parameter->shape[d] = literal(builder, buffer->shape[d], place);
    } else {
        parameter->dimensions = 1;
        parameter->shape[0] = parameter->extent;
    }
    return offset != 0 || add_values(builder, index, buffer);
}

static void add_null(struct builder *builder, const char *name, uint32_t position,
                     struct place place)
{
    uint32_t index = add_parameter(builder, name, position, 0, CONTRACT_POINTER, place);
    struct contract_parameter *parameter = &builder->contract->parameters.data[index];
    parameter->type = "null";
    parameter->element_size = 1;
    parameter->element_kind = CONTRACT_INTEGER;
    parameter->element_bits = 8;
    parameter->shape_kind = CONTRACT_SHAPE_ROWS;
    parameter->dimensions = 1;
    parameter->extent = parameter->shape[0] = literal(builder, 0, place);
}

/* The fields of `struct i32 5, address x`, named by their offset: the comment has no names for them. */
static bool add_struct(struct builder *builder, const struct launch_argument *argument,
                       uint32_t position)
{
    struct launch_run *run = builder->run;
    struct run_field field;
    struct run_fields fields = run_fields_begin(argument);
    add_parameter(builder, argument->name, position, 0, CONTRACT_OTHER, argument->place);
    while (run_fields_next(run, &fields, &field)) {
        if (field.buffer != NULL) {
            if (!add_pointer(builder, field.buffer->argument->name, position,
                             (uint32_t)field.offset, field.buffer, 0, field.place))
                return false;
            continue;
        }
        const char *name =
            arena_printf(run->arena, "%s+%llu", argument->name, (unsigned long long)field.offset);
        add_scalar(builder, name, position, (uint32_t)field.offset, field.type, field.value,
                   field.place);
    }
    return !fields.failed;
}

static bool add_alias(struct builder *builder, const struct launch_argument *argument,
                      uint32_t position)
{
    struct launch_run *run = builder->run;
    struct launch_buffer *buffer;
    int64_t offset;
    return run_find_alias(run, argument, &buffer, &offset) &&
           add_pointer(builder, argument->name, position, 0, buffer, offset, argument->place);
}

static bool add_argument(struct builder *builder, const struct launch_argument *argument,
                         uint32_t position)
{
    struct launch_run *run = builder->run;
    switch (argument->kind) {
    case ARGUMENT_SCALAR:
        for (uint32_t n = 0; n < run->scalar_count; n++)
            if (strcmp(run->names[n].name, argument->name) == 0)
                add_scalar(builder, argument->name, position, 0, argument->type,
                           run->names[n].value, argument->place);
        return true;
    case ARGUMENT_BUFFER:
        for (uint32_t b = 0; b < run->buffer_count; b++)
            if (run->buffers[b].argument == argument)
                return add_pointer(builder, argument->name, position, 0, &run->buffers[b], 0,
                                   argument->place);
        return true;
    case ARGUMENT_ALIAS:
        return add_alias(builder, argument, position);
    case ARGUMENT_STRUCT:
        return add_struct(builder, argument, position);
    case ARGUMENT_BYTES:
        add_parameter(builder, argument->name, position, 0, CONTRACT_OTHER, argument->place);
        return true;
    default:
        add_null(builder, argument->name, position, argument->place);
        return true;
    }
}

/* Pointers into one buffer may be the same, and what such a buffer holds may change under another name. */
static void add_aliases(struct builder *builder)
{
    struct contract *contract = builder->contract;
    for (uint32_t a = 0; a < contract->parameters.count; a++)
        for (uint32_t b = 0; b < contract->parameters.count; b++) {
            struct contract_parameter *parameter = &contract->parameters.data[a];
            if (a == b || builder->buffer_of[a] == 0 ||
                builder->buffer_of[a] != builder->buffer_of[b])
                continue;
            *vec_push(contract->arena, &parameter->may_alias) = b;
            parameter->value_low.root = parameter->value_high.root = CONTRACT_NONE;
            parameter->contents.count = 0;
        }
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static bool begin(struct launch_run *run, struct arena *arena, const struct ptx_module *module,
                  uint32_t function, const struct launch *launch,
                  const struct launch_run_options *options, struct report_kernel *kernel,
                  struct diagnostic_list *diagnostics)
{
    run_begin(run, arena, module, function, launch, options, kernel, diagnostics);
    return run_match_parameters(run) && run_resolve(run) && run_check_geometry(run);
}

bool launch_check(struct arena *arena, const struct ptx_module *module, uint32_t function,
                  const struct launch *launch, struct place kernel_place,
                  struct report_kernel *kernel, struct diagnostic_list *diagnostics)
{
    struct launch_run run;
    struct launch_run_options options = {.kernel_place = kernel_place};
    bool good = begin(&run, arena, module, function, launch, &options, kernel, diagnostics);
    return good && !run.refused;
}

struct contract *launch_contract(struct arena *arena, const struct ptx_module *module,
                                 uint32_t function, const struct launch *launch,
                                 struct diagnostic_list *diagnostics)
{
    struct launch_run run;
    struct launch_run_options options = {.kernel_place = launch->kernel.place};
    struct report_kernel kernel = {0};
    if (!begin(&run, arena, module, function, launch, &options, &kernel, diagnostics))
        return NULL;
    struct builder builder = {.run = &run, .contract = contract_new(arena)};
    struct contract *contract = builder.contract;
    contract->kernel = kernel.name;
    contract->kernel_shown = kernel.shown;
    contract->place = launch->kernel.place;
    contract->is_launch = true;
    uint32_t position = 0;
    bool good = true;
    for (uint32_t i = 0; i < run.launch->arguments.count; i++)
        if (run.launch->arguments.data[i].role == ROLE_PARAMETER)
            good &= add_argument(&builder, &run.launch->arguments.data[i], position++);
    add_aliases(&builder);
    for (unsigned axis = 0; axis < 3; axis++) {
        contract->grid[axis] = literal(&builder, kernel.launch.grid[axis], launch->grid_place);
        contract->block[axis] = literal(&builder, kernel.launch.block[axis], launch->block_place);
    }
    contract->shared_bytes =
        literal(&builder, launch->dynamic_shared, launch->dynamic_shared_place);
    return good ? contract : NULL;
}
