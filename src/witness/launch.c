/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch of a contract as text for `lanewise run --launch`, and its run in the emulator.  The text that is run is the text that is
 * printed, so a witness can be reproduced as it stands.
 *
 * Limits: of a grid with many blocks only the corners and the middle run; a struct is written field by field, bytes between known
 * fields are zero.
 */
#include "witness/witness.h"

#include <string.h>

enum { BLOCKS_RUN = 64 };

static const char *number(struct arena *arena, contract_integer value)
{
    char text[48];
    return arena_string(arena, contract_format(value, text));
}

/* ---- types and contents ------------------------------------------------------------------------------------ */

static const char *scalar_type(uint8_t kind, unsigned bits, bool is_signed)
{
    static const char *const types[4][3] = {
        {"u8", "i8", NULL}, {"u16", "i16", "f16"}, {"u32", "i32", "f32"}, {"u64", "i64", "f64"}};
    unsigned size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : bits == 64 ? 3 : 4;
    return size == 4 ? NULL : types[size][kind == CONTRACT_FLOAT ? 2 : is_signed];
}

/* The element type of a buffer and how many of them an element of the array takes; bytes when it is no plain number. */
static const char *element_type(const struct contract_parameter *parameter, uint32_t *parts)
{
    const char *type =
        parameter->element_kind == CONTRACT_INTEGER || parameter->element_kind == CONTRACT_FLOAT
            ? scalar_type(parameter->element_kind, parameter->element_bits,
                          parameter->element_is_signed)
            : NULL;
    uint32_t size = parameter->element_size == 0 ? 1 : parameter->element_size;
    *parts = 1;
    if (type != NULL && parameter->element_bits == size * 8)
        return type;
    *parts = size % 8 == 0 ? size / 8 : size % 4 == 0 ? size / 4 : size;
    return size % 8 == 0 ? "u64" : size % 4 == 0 ? "u32" : "u8";
}

/* " init=..." for memory that the contract does not speak of. */
static void add_free_fill(const struct contract_parameter *parameter, unsigned fill,
                          struct buffer *out)
{
    static const char *const reals[WITNESS_FREE_FILLS] = {"", " init=1.5", " init=-1000.0"};
    static const char *const integers[WITNESS_FREE_FILLS] = {"", " init=i+1000003", " init=-1-i"};
    buffer_puts(out, parameter->element_kind == CONTRACT_FLOAT ? reals[fill] : integers[fill]);
}

static bool add_bounded_fill(const struct witness_space *space,
                             const struct contract_parameter *parameter,
                             const struct contract_values *values, unsigned fill,
                             struct buffer *out)
{
    contract_integer low, high;
    if (!contract_value_range(space->contract, parameter, values, &low, &high) || low >= high)
        return false;
    if (fill == 2 && high - low > 1)
        buffer_printf(out, " init=%s+i%%%s", number(out->arena, low),
                      number(out->arena, high - low));
    else
        buffer_printf(out, " init=%s", number(out->arena, fill == 1 ? high - 1 : low));
    return true;
}

/* Halves, and a vector of reals as its reals: their bits are not for integers to choose. */
static const char *vector_type(const struct contract_parameter *parameter, const char *type, uint32_t *parts)
{
    static const struct {
        const char *word, *type;
        uint32_t size;
    } reals[] = {{"bfloat16", "bf16", 2}, {"half", "f16", 2}, {"float", "f32", 4}, {"double", "f64", 8}};
    for (unsigned i = 0; i < COUNT_OF(reals); i++)
        if (parameter->element_kind == CONTRACT_OTHER && parameter->type != NULL && strstr(parameter->type, reals[i].word) != NULL &&
            parameter->element_size != 0 && parameter->element_size % reals[i].size == 0) {
            *parts = parameter->element_size / reals[i].size;
            return reals[i].type;
        }
    return type;
}

/* By whoever makes the launch. */
static bool add_contents(const struct witness_space *space, const struct contract_parameter *parameter, const char *type,
                         const struct contract_values *values, struct witness_fill fill, struct buffer *out)
{
    contract_integer low = 0, high = 0;
    if (contract_is_given(&parameter->value_low) && !contract_value_range(space->contract, parameter, values, &low, &high))
        return false;
    fill.contents(fill.context, parameter, type, low, high, out);
    return true;
}

static bool add_buffer(const struct witness_space *space,
                       const struct contract_parameter *parameter,
                       const struct contract_values *values, struct witness_fill fill,
                       struct buffer *out)
{
    uint32_t parts, index = (uint32_t)(parameter - space->contract->parameters.data);
    const char *type = element_type(parameter, &parts);
    if (fill.contents != NULL)
        type = vector_type(parameter, type, &parts);
    buffer_printf(out, "buf %s len=%s", type, number(out->arena, values->lengths[index] * parts));
    if (fill.contents != NULL)
        return add_contents(space, parameter, type, values, fill, out);
    if (parameter->is_const)
        buffer_puts(out, " io=in");
    if (values->lengths[index] == 0)
        return true;
    if (contract_is_given(&parameter->value_low))
        return add_bounded_fill(space, parameter, values, fill.bounded, out);
    add_free_fill(parameter, fill.free, out);
    return true;
}

bool witness_has_bounded(const struct witness_space *space, const struct contract_values *values)
{
    for (uint32_t p = 0; p < space->contract->parameters.count; p++)
        if (space->contract->parameters.data[p].kind == CONTRACT_POINTER &&
            values->lengths[p] > 0 &&
            contract_is_given(&space->contract->parameters.data[p].value_low))
            return true;
    return false;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static const char *launch_name(struct arena *arena, const struct contract_parameter *parameter)
{
    if (parameter->name == NULL || parameter->name[0] == '\0')
        return arena_printf(arena, "parameter%u", parameter->position);
    return contract_launch_name(arena, parameter->name);
}

/* The short name where it means this kernel alone, else the entry's own. */
static const char *kernel_name(const struct witness_space *space, struct arena *arena)
{
    const char *entry = space->module->functions.data[space->function].name;
    const char *name = launch_short_name(arena, entry);
    for (uint32_t f = 0; f < space->module->functions.count; f++)
        if (f != space->function && space->module->functions.data[f].is_entry &&
            ptx_name_matches(arena, space->module->functions.data[f].name, name))
            return entry;
    return strpbrk(name, "';") != NULL ? entry : name;
}

/* ---- the text ------------------------------------------------------------------------------------------------- */

struct text_builder {
    const struct witness_space *space;
    const struct contract_values *values;
    struct witness_fill fill;
    struct buffer *out;
};

static void add_triple(struct buffer *out, const char *word, const contract_integer *sizes)
{
    unsigned count = sizes[2] != 1 ? 3 : sizes[1] != 1 ? 2 : 1;
    buffer_printf(out, "; %s:", word);
    for (unsigned axis = 0; axis < count; axis++)
        buffer_printf(out, " %s", number(out->arena, sizes[axis]));
}

/* The corners and the middle of a grid that is too large to run. */
static void add_focus(struct text_builder *builder)
{
    const contract_integer *grid = builder->values->grid;
    contract_integer blocks = grid[0] * grid[1] * grid[2];
    if (blocks <= BLOCKS_RUN)
        return;
    contract_integer places[3][3];
    unsigned counts[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        contract_integer all[3] = {0, grid[axis] / 2, grid[axis] - 1};
        counts[axis] = 0;
        for (unsigned i = 0; i < 3; i++)
            if (counts[axis] == 0 || all[i] != places[axis][counts[axis] - 1])
                places[axis][counts[axis]++] = all[i];
    }
    buffer_puts(builder->out, "; focus-blocks (x,y,z):");
    for (unsigned z = 0; z < counts[2]; z++)
        for (unsigned y = 0; y < counts[1]; y++)
            for (unsigned x = 0; x < counts[0]; x++)
                buffer_printf(builder->out, " %s,%s,%s", number(builder->out->arena, places[0][x]),
                              number(builder->out->arena, places[1][y]),
                              number(builder->out->arena, places[2][z]));
}

static bool add_scalar_value(struct text_builder *builder,
                             const struct contract_parameter *parameter)
{
    uint32_t index = (uint32_t)(parameter - builder->space->contract->parameters.data);
    const char *type = scalar_type(parameter->kind, parameter->bits, parameter->is_signed);
    if (type == NULL)
        return false;
    const char *real = builder->fill.real_of == NULL || parameter->kind != CONTRACT_FLOAT
                           ? NULL
                           : builder->fill.real_of(builder->fill.context, parameter);
    if (real == NULL)
        real = builder->fill.real != NULL ? builder->fill.real : "1";
    buffer_printf(builder->out, "%s %s", type,
                  parameter->kind == CONTRACT_FLOAT ? real : number(builder->out->arena, builder->values->scalars[index]));
    return true;
}

static uint64_t scalar_size(const struct contract_parameter *parameter)
{
    return parameter->kind == CONTRACT_POINTER ? 8 : parameter->bits / 8;
}

/* Zeros up to `end`; words where they lie as well as bytes. */
static void add_padding(struct text_builder *builder, const char **separator, bool has_words,
                        uint64_t *at, uint64_t end)
{
    while (*at < end) {
        bool is_word = has_words && *at % 4 == 0 && end - *at >= 4;
        buffer_printf(builder->out, "%s%s 0", *separator, is_word ? "u32" : "u8");
        *separator = ", ";
        *at += is_word ? 4 : 1;
    }
}

/* The next plain field of the struct at or after byte `from`, or NULL. */
static const struct contract_parameter *next_field(const struct contract *contract,
                                                   uint32_t position, uint64_t from)
{
    const struct contract_parameter *best = NULL;
    for (uint32_t p = 0; p < contract->parameters.count; p++) {
        const struct contract_parameter *field = &contract->parameters.data[p];
        if (field->position == position && field->kind != CONTRACT_OTHER && field->offset >= from &&
            (best == NULL || field->offset < best->offset))
            best = field;
    }
    return best;
}

/* struct i32 5, u8 0, u8 0, u8 0, u8 0, address view_data; the buffers come before it. */
static bool add_struct(struct text_builder *builder, const struct contract_parameter *parameter,
                       uint64_t size)
{
    const struct contract *contract = builder->space->contract;
    const struct contract_parameter *field;
    const char *separator = "";
    uint64_t at = 0;
    bool has_words = size % 4 == 0; /* else a word in the padding would align the whole */
    if (size > 4096)
        return false;
    for (uint64_t from = 0; (field = next_field(contract, parameter->position, from)) != NULL;
         from = field->offset + 1) {
        if (field->kind != CONTRACT_POINTER)
            continue;
        buffer_printf(builder->out, "; buffer %s: ", launch_name(builder->out->arena, field));
        if (!add_buffer(builder->space, field, builder->values, builder->fill, builder->out))
            return false;
    }
    buffer_printf(builder->out, "; arg %s: struct ", launch_name(builder->out->arena, parameter));
    while ((field = next_field(contract, parameter->position, at)) != NULL) {
        uint64_t width = scalar_size(field);
        if (width == 0 || field->offset % width != 0 || field->offset + width > size)
            return false;
        add_padding(builder, &separator, has_words, &at, field->offset);
        buffer_puts(builder->out, separator);
        separator = ", ";
        if (field->kind == CONTRACT_POINTER)
            buffer_printf(builder->out, "address %s", launch_name(builder->out->arena, field));
        else if (!add_scalar_value(builder, field))
            return false;
        at = field->offset + width;
    }
    add_padding(builder, &separator, has_words, &at, size);
    return true;
}

static const struct contract_parameter *parameter_at(const struct contract *contract,
                                                     uint32_t position)
{
    for (uint32_t p = 0; p < contract->parameters.count; p++)
        if (contract->parameters.data[p].position == position)
            return &contract->parameters.data[p]; /* the whole comes before its fields */
    return NULL;
}

static bool add_argument(struct text_builder *builder, uint32_t position)
{
    const struct ptx_module *module = builder->space->module;
    const struct ptx_function *function = &module->functions.data[builder->space->function];
    const struct contract_parameter *parameter = parameter_at(builder->space->contract, position);
    uint64_t size = module->variables.data[function->parameters.data[position]].size;
    if (parameter == NULL)
        return false;
    if (parameter->kind == CONTRACT_OTHER)
        return add_struct(builder, parameter, size);
    if (scalar_size(parameter) != size)
        return false;
    buffer_printf(builder->out, "; arg %s: ", launch_name(builder->out->arena, parameter));
    if (parameter->kind == CONTRACT_POINTER)
        return add_buffer(builder->space, parameter, builder->values, builder->fill, builder->out);
    return add_scalar_value(builder, parameter);
}

bool witness_launch_text(const struct witness_space *space, const struct contract_values *values,
                         struct witness_fill fill, struct buffer *out)
{
    struct text_builder builder = {.space = space, .values = values, .fill = fill, .out = out};
    const struct ptx_function *function = &space->module->functions.data[space->function];
    contract_integer bytes = 0;
    buffer_printf(out, "kernel: %s", kernel_name(space, out->arena));
    add_triple(out, "grid", values->grid);
    add_triple(out, "block", values->block);
    if (contract_is_given(&space->contract->shared_bytes) &&
        (contract_evaluate_expression(space->contract, &space->contract->shared_bytes, values,
                                      &bytes) != CONTRACT_FINE ||
         bytes < 0))
        return false;
    if (bytes != 0)
        buffer_printf(out, "; dynamic-shared-bytes: %s", number(out->arena, bytes));
    for (uint32_t p = 0; p < function->parameters.count; p++)
        if (!add_argument(&builder, p))
            return false;
    add_focus(&builder);
    return true;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

bool witness_run(struct arena *arena, const struct ptx_module *module, uint32_t function,
                 const struct launch *launch, struct place place, struct witness_limits limits,
                 struct report_kernel *kernel)
{
    struct diagnostic_list diagnostics;
    struct launch_run_options options = {
        .emu = {.jobs = 1,
                .max_steps = limits.steps,
                .max_memory = limits.memory,
                .no_races = !limits.races,
                .adversarial = limits.adversarial,
                .no_init = true},
        .kernel_place = place,
        .contract = limits.contract,
    };
    diagnostic_list_init(&diagnostics, arena);
    memset(kernel, 0, sizeof *kernel);
    struct launch_run *run =
        launch_run_begin(arena, module, function, launch, &options, kernel, &diagnostics);
    bool good = run != NULL && launch_run_execute(run) && kernel->has_run;
    if (run != NULL)
        launch_run_end(run);
    return good;
}

bool witness_run_text(struct arena *arena, const struct ptx_module *module, uint32_t function,
                      const char *text, struct place place, struct witness_limits limits,
                      struct report_kernel *kernel)
{
    struct diagnostic_list diagnostics;
    struct launch_comment comment = {0};
    diagnostic_list_init(&diagnostics, arena);
    launch_text_apply(arena, text, &comment, &diagnostics);
    return diagnostics.errors == 0 && comment.launches.count == 1 &&
           witness_run(arena, module, function, &comment.launches.data[0], place, limits, kernel);
}
