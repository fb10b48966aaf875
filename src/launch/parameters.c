/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches the arguments of a launch, in order, against the parameters of the kernel, and lays out the parameter block.
 *
 * PTX says how wide a parameter is and whether it is a real, not whether 64 bits are a pointer; that is told from its use: a parameter
 * whose value is converted to a global address, or dereferenced, is a pointer.
 */
#include "launch/run.h"

#include <string.h>

enum { PARAMETER_BYTES = 32764 }; /* what a kernel can have */

const struct ptx_function *run_function(const struct launch_run *run)
{
    return &run->module->functions.data[run->function];
}

static const struct ptx_variable *parameter(const struct launch_run *run, uint32_t index)
{
    return &run->module->variables.data[run_function(run)->parameters.data[index]];
}

/* ---- which parameters are pointers -------------------------------------------------------------------- */

static bool is_parameter_load(const struct ptx_instruction *instruction)
{
    return instruction->op == PTX_OP_ld && instruction->space == PTX_SPACE_PARAM &&
           instruction->operand_count == 2 &&
           instruction->operands[0].kind == PTX_OPERAND_REGISTER &&
           instruction->operands[1].kind == PTX_OPERAND_ADDRESS &&
           instruction->operands[1].variable != PTX_NONE && instruction->operands[1].value == 0;
}

/* Marks parameters loaded whole into a register that is then used as an address. */
static bool *find_pointers(struct launch_run *run)
{
    const struct ptx_function *function = run_function(run);
    bool *is_pointer = ARENA_ARRAY(run->arena, bool, function->parameters.count + 1);
    uint32_t *held = ARENA_ARRAY(run->arena, uint32_t, function->registers.count + 1);
    for (uint32_t p = 0; p < function->parameters.count; p++)
        is_pointer[p] = parameter(run, p)->is_pointer;
    for (uint32_t n = 0; n < function->instructions.count; n++) {
        const struct ptx_instruction *instruction = &function->instructions.data[n];
        if (is_parameter_load(instruction)) {
            for (uint32_t p = 0; p < function->parameters.count; p++)
                if (function->parameters.data[p] == instruction->operands[1].variable)
                    held[instruction->operands[0].id] = p + 1;
            continue;
        }
        for (uint32_t o = 0; o < instruction->operand_count; o++) {
            const struct ptx_operand *operand = &instruction->operands[o];
            bool is_address =
                operand->kind == PTX_OPERAND_ADDRESS ||
                (instruction->op == PTX_OP_cvta && o == 1 && operand->kind == PTX_OPERAND_REGISTER);
            if (is_address && operand->id != PTX_NONE && held[operand->id] != 0)
                is_pointer[held[operand->id] - 1] = true;
        }
        /* The register holds something else from here on. */
        if (instruction->operand_count != 0 &&
            instruction->operands[0].kind == PTX_OPERAND_REGISTER)
            held[instruction->operands[0].id] = 0;
    }
    return is_pointer;
}

/* ---- matching ------------------------------------------------------------------------------------------- */

static const char *describe_parameter(struct launch_run *run, uint32_t index, bool is_pointer)
{
    const struct ptx_variable *variable = parameter(run, index);
    if (is_pointer)
        return "a pointer";
    if (variable->is_array)
        return arena_printf(run->arena, "a struct of %llu bytes",
                            (unsigned long long)variable->size);
    const char *kind = ptx_type_is_float((enum ptx_type)variable->type)         ? "real"
                       : variable->type >= PTX_B8 && variable->type <= PTX_B128 ? "value"
                                                                                : "integer";
    return arena_printf(run->arena, "%s %s of %llu bytes", kind[0] == 'i' ? "an" : "a", kind,
                        (unsigned long long)variable->size);
}

static bool mismatch(struct launch_run *run, const struct launch_argument *argument, uint32_t index,
                     bool is_pointer, const char *given)
{
    run_complain(run, argument->place, "parameter %u of `%s` is %s, but `%s` is %s", index + 1,
                 run->kernel->shown, describe_parameter(run, index, is_pointer), argument->name,
                 given);
    return false;
}

/* The type that NAME=VALUE takes from its parameter. */
static bool infer_type(struct launch_run *run, struct launch_argument *argument, uint32_t index)
{
    static const struct {
        uint8_t ptx;
        uint8_t value;
    } types[] = {
        {PTX_U8, VALUE_U8},   {PTX_S8, VALUE_I8},   {PTX_B8, VALUE_U8},     {PTX_U16, VALUE_U16},
        {PTX_S16, VALUE_I16}, {PTX_U32, VALUE_U32}, {PTX_S32, VALUE_I32},   {PTX_B32, VALUE_U32},
        {PTX_U64, VALUE_U64}, {PTX_S64, VALUE_I64}, {PTX_B64, VALUE_U64},   {PTX_F32, VALUE_F32},
        {PTX_F64, VALUE_F64}, {PTX_F16, VALUE_F16}, {PTX_BF16, VALUE_BF16},
    };
    const struct ptx_variable *variable = parameter(run, index);
    for (unsigned i = 0; i < COUNT_OF(types) && !variable->is_array; i++)
        if (types[i].ptx == variable->type) {
            argument->type = (enum value_type)types[i].value;
            argument->has_type = true;
            return true;
        }
    run_complain(run, argument->place, "the type of `%s` cannot be told from the kernel",
                 argument->name);
    diagnostic_help(run->diagnostics, "write `arg %s: TYPE VALUE`", argument->name);
    return false;
}

static bool match_scalar(struct launch_run *run, struct launch_argument *argument, uint32_t index,
                         bool is_pointer)
{
    const struct ptx_variable *variable = parameter(run, index);
    if (is_pointer)
        return mismatch(run, argument, index, true, "a scalar");
    if (!argument->has_type && !infer_type(run, argument, index))
        return false;
    const struct value_type_info *info = value_type_info(argument->type);
    const char *given =
        arena_printf(run->arena, "%s of %u byte%s (%s)", info->is_float ? "a real" : "an integer",
                     info->size, info->size == 1 ? "" : "s", info->name);
    bool is_untyped = variable->is_array ||
                      (variable->type >= PTX_B8 && variable->type <= PTX_B128) || info->size == 2;
    if (info->size != variable->size ||
        (!is_untyped && ptx_type_is_float((enum ptx_type)variable->type) != info->is_float))
        return mismatch(run, argument, index, false, given);
    return true;
}

static bool match_argument(struct launch_run *run, struct launch_argument *argument, uint32_t index,
                           bool is_pointer)
{
    const struct ptx_variable *variable = parameter(run, index);
    bool can_be_pointer = variable->size == 8 && !ptx_type_is_float((enum ptx_type)variable->type);
    switch (argument->kind) {
    case ARGUMENT_SCALAR:
        return match_scalar(run, argument, index, is_pointer);
    case ARGUMENT_BUFFER:
    case ARGUMENT_ALIAS:
    case ARGUMENT_NULL:
        return can_be_pointer ||
               mismatch(run, argument, index, is_pointer,
                        argument->kind == ARGUMENT_NULL ? "a null pointer" : "a buffer");
    default:
        return true; /* sizes are compared when the bytes are there */
    }
}

static void complain_count(struct launch_run *run, uint32_t given, const bool *is_pointer)
{
    const struct launch *launch = run->launch;
    uint32_t count = run_function(run)->parameters.count, seen = 0;
    struct place place = launch->kernel.place.line != 0 ? launch->kernel.place : launch->grid_place;
    const struct launch_argument *extra = NULL;
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        if (launch->arguments.data[i].role == ROLE_PARAMETER && seen++ == count)
            extra = &launch->arguments.data[i];
    run_complain(run, extra != NULL ? extra->place : place,
                 "`%s` has %u parameter%s, the launch gives %u", run->kernel->shown, count,
                 count == 1 ? "" : "s", given);
    if (extra == NULL)
        diagnostic_help(run->diagnostics, "parameter %u is %s: add an `arg` line", given + 1,
                        describe_parameter(run, given, is_pointer[given]));
    else
        diagnostic_help(run->diagnostics, "`%s` is one too many", extra->name);
}

bool run_match_parameters(struct launch_run *run)
{
    const struct ptx_function *function = run_function(run);
    const struct launch *launch = run->launch;
    bool good = true;
    uint32_t given = 0;
    uint64_t bytes = 0;
    for (uint32_t p = 0; p < function->parameters.count; p++)
        bytes += parameter(run, p)->size < PARAMETER_BYTES ? parameter(run, p)->size
                                                           : PARAMETER_BYTES + 1;
    if (bytes > PARAMETER_BYTES) {
        run_complain(run, launch->kernel.place, "`%s` has more than %d bytes of parameters",
                     run->kernel->shown, PARAMETER_BYTES);
        return false;
    }
    bool *is_pointer = find_pointers(run);
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        given += launch->arguments.data[i].role == ROLE_PARAMETER;
    if (given != function->parameters.count) {
        complain_count(run, given, is_pointer);
        return false;
    }
    uint32_t index = 0;
    for (uint32_t i = 0; i < launch->arguments.count; i++) {
        struct launch_argument *argument = &launch->arguments.data[i];
        if (argument->role != ROLE_PARAMETER)
            continue;
        good &= match_argument(run, argument, index, is_pointer[index]);
        index++;
    }
    return good;
}

/* ---- layout ------------------------------------------------------------------------------------------------ */

static void put_scalar(struct launch_run *run, const struct launch_argument *argument, uint8_t *out)
{
    for (uint32_t n = 0; n < run->scalar_count; n++)
        if (strcmp(run->names[n].name, argument->name) == 0)
            value_store(argument->type, run->names[n].value, out);
}

bool run_find_alias(struct launch_run *run, const struct launch_argument *argument, struct launch_buffer **buffer,
                    int64_t *offset)
{
    struct value elements = {0};
    *buffer = run_find_buffer(run, argument->value);
    if (*buffer == NULL ||
        (argument->offset.text != NULL && !run_constant(run, argument->offset, &elements)))
        return false;
    if (elements.is_float) {
        run_complain(run, argument->offset.place, "an offset is a number of elements");
        return false;
    }
    *offset = elements.as.integer;
    return true;
}

static bool put_alias(struct launch_run *run, const struct launch_argument *argument, uint8_t *out)
{
    struct launch_buffer *buffer;
    int64_t offset;
    if (!run_find_alias(run, argument, &buffer, &offset))
        return false;
    uint64_t size = value_type_info(buffer->argument->type)->size;
    uint64_t address = buffer->address + (uint64_t)offset * size;
    memcpy(out, &address, sizeof address);
    return true;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return found == NULL ? -1 : (int)(found - digits);
}

static bool put_bytes(struct launch_run *run, const struct launch_argument *argument, uint8_t *out,
                      uint64_t size)
{
    const char *text = argument->value.text;
    uint64_t digits = 0;
    for (uint32_t i = 0; i < argument->value.size; i++) {
        if (text[i] == ' ' || text[i] == '_')
            continue;
        int digit = hex_digit(text[i]);
        if (digit < 0) {
            struct place place = argument->value.place;
            place.column += i;
            run_complain(run, place, "expected hexadecimal digits here");
            return false;
        }
        if (digits / 2 < size)
            out[digits / 2] = (uint8_t)(out[digits / 2] << 4 | digit);
        digits++;
    }
    if (digits != 2 * size)
        run_complain(run, argument->value.place, "the parameter has %llu bytes, `%s` gives %llu%s",
                     (unsigned long long)size, argument->name, (unsigned long long)digits / 2,
                     digits % 2 == 0 ? "" : " and a half");
    return digits == 2 * size;
}

struct run_fields run_fields_begin(const struct launch_argument *argument)
{
    return (struct run_fields){
        .argument = argument,
        .at = argument->value.text,
        .end = argument->value.text + argument->value.size,
        .widest = 1,
    };
}

/* One field of `struct i32 5, f32 0.5, address x`: its value and size; false with a diagnostic. */
static bool read_field(struct launch_run *run, struct launch_text text, struct run_field *field)
{
    uint32_t word = 0;
    while (word < text.size && text.text[word] != ' ')
        word++;
    struct launch_text rest = {text.text + word, text.size - word, text.place};
    rest.place.column += word;
    while (rest.size != 0 && *rest.text == ' ') {
        rest.text++;
        rest.size--;
        rest.place.column++;
    }
    *field = (struct run_field){.place = text.place};
    if (word == 7 && memcmp(text.text, "address", 7) == 0) {
        field->buffer = run_find_buffer(run, rest);
        field->size = sizeof field->buffer->address;
        return field->buffer != NULL;
    }
    field->type = value_type_find(text.text, word);
    if (field->type == VALUE_TYPE_COUNT) {
        run_complain(run, text.place, "expected `TYPE VALUE` or `address BUFFER` here");
        return false;
    }
    field->size = value_type_info(field->type)->size;
    return run_constant(run, rest, &field->value);
}

bool run_fields_next(struct launch_run *run, struct run_fields *fields, struct run_field *field)
{
    unsigned depth = 0;
    const char *at = fields->at, *stop = at;
    if (at >= fields->end || fields->failed)
        return false;
    for (; stop < fields->end && (*stop != ',' || depth != 0); stop++)
        depth += (unsigned)(*stop == '(') - (unsigned)(*stop == ')' && depth != 0);
    while (at < stop && *at == ' ')
        at++;
    const struct launch_text *value = &fields->argument->value;
    struct launch_text text = {at, (uint32_t)(stop - at), value->place};
    text.place.column += (uint32_t)(at - value->text);
    fields->at = stop + (stop < fields->end);
    if (!read_field(run, text, field)) {
        fields->failed = true;
        return false;
    }
    field->offset = (fields->used + field->size - 1) / field->size * field->size;
    fields->used = field->offset + field->size;
    fields->widest = field->size > fields->widest ? field->size : fields->widest;
    return true;
}

static bool put_struct(struct launch_run *run, const struct launch_argument *argument, uint8_t *out,
                       uint64_t size)
{
    struct run_fields fields = run_fields_begin(argument);
    struct run_field field;
    while (run_fields_next(run, &fields, &field)) {
        uint8_t bytes[8] = {0};
        if (field.buffer != NULL)
            memcpy(bytes, &field.buffer->address, sizeof field.buffer->address);
        else
            value_store(field.type, field.value, bytes);
        if (field.offset + field.size <= size)
            memcpy(out + field.offset, bytes, field.size);
    }
    if (fields.failed)
        return false;
    uint64_t used = (fields.used + fields.widest - 1) / fields.widest * fields.widest;
    if (used != size)
        run_complain(run, argument->value.place,
                     "the parameter has %llu bytes, the fields of `%s` %llu",
                     (unsigned long long)size, argument->name, (unsigned long long)used);
    return used == size;
}

static bool put_argument(struct launch_run *run, const struct launch_argument *argument,
                         uint8_t *out, uint64_t size)
{
    switch (argument->kind) {
    case ARGUMENT_SCALAR:
        put_scalar(run, argument, out);
        return true;
    case ARGUMENT_BUFFER:
        for (uint32_t i = 0; i < run->buffer_count; i++)
            if (run->buffers[i].argument == argument)
                memcpy(out, &run->buffers[i].address, sizeof(uint64_t));
        return true;
    case ARGUMENT_ALIAS:
        return put_alias(run, argument, out);
    case ARGUMENT_BYTES:
        return put_bytes(run, argument, out, size);
    case ARGUMENT_STRUCT:
        return put_struct(run, argument, out, size);
    default:
        return true; /* null: zeros */
    }
}

bool run_lay_out_parameters(struct launch_run *run)
{
    const struct ptx_function *function = run_function(run);
    uint32_t index = 0;
    bool good = true;
    run->parameter_names = ARENA_ARRAY(run->arena, const char *, function->parameters.count + 1);
    run->parameters_size = 0;
    if (function->parameters.count != 0)
        emu_parameter_offset(run->module, run->function, 0, &run->parameters_size);
    run->parameters = arena_alloc(run->arena, run->parameters_size + 16);
    for (uint32_t i = 0; i < run->launch->arguments.count; i++) {
        const struct launch_argument *argument = &run->launch->arguments.data[i];
        if (argument->role != ROLE_PARAMETER)
            continue;
        uint32_t offset = emu_parameter_offset(run->module, run->function, index, NULL);
        good &= put_argument(run, argument, run->parameters + offset, parameter(run, index)->size);
        run->parameter_names[index++] = argument->name;
    }
    return good;
}
