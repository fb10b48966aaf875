/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives the words of a launch their values: scalars, then lengths and shapes, then the expressions of `init` and `want`.
 * An expression sees the scalars before it; `init` the buffers before it; `want` all of them.
 */
#include "launch/run.h"

#include <string.h>

static void complain_expression(struct launch_run *run, struct launch_text text,
                                const struct expression_error *error)
{
    struct place place = text.place;
    place.column += error->offset;
    diagnostic_add(run->diagnostics, SEVERITY_ERROR, place, "%s", error->message);
    if (error->help != NULL)
        diagnostic_help(run->diagnostics, "%s", error->help);
}

static struct expression *compile(struct launch_run *run, struct launch_text text, uint32_t visible)
{
    struct expression_scope scope = {run->names, visible};
    struct expression_error error = {0};
    struct expression *expression =
        expression_compile(run->arena, text.text, text.size, &scope, &error);
    if (expression == NULL)
        complain_expression(run, text, &error);
    return expression;
}

/* "@x.npy": beside the file whose comment says so; on the command line as the shell has it. */
static const char *file_path(struct launch_run *run, struct launch_text text)
{
    const char *name = arena_text(run->arena, text.text + 1, text.size - 1);
    const char *slash = text.place.file == NULL || strcmp(text.place.file, LAUNCH_TEXT_FILE) == 0 ? NULL : strrchr(text.place.file, '/');
    if (slash == NULL || name[0] == '/')
        return name;
    return arena_printf(run->arena, "%.*s/%s", (int)(slash - text.place.file), text.place.file, name);
}

static bool has_shape(const struct launch_buffer *buffer, const struct npy_file *file)
{
    bool is_same = buffer->dimensions == file->dimensions;
    for (unsigned d = 0; is_same && d < file->dimensions; d++)
        is_same = buffer->shape[d] == file->shape[d];
    return is_same || buffer->dimensions == 0 || file->dimensions < 2;
}

/* Contents of a buffer: an expression, or the elements of a file. */
static struct expression *compile_contents(struct launch_run *run, struct launch_text text, const struct launch_buffer *buffer,
                                           uint32_t visible)
{
    struct npy_file file;
    enum value_type type = buffer->argument->type;
    if (text.size == 0 || text.text[0] != '@')
        return compile(run, text, visible);
    const char *path = file_path(run, text), *trouble = npy_read(run->arena, path, &file);
    if (trouble != NULL) {
        run_complain(run, text.place, "`%s` %s", path, trouble);
        return NULL;
    }
    if (!npy_has_type(&file, type)) {
        run_complain(run, text.place, "`%s` holds %s, `%s` is %s", path, value_type_info(file.type)->name, buffer->argument->name,
                     value_type_info(type)->name);
        return NULL;
    }
    if (file.count != buffer->length || !has_shape(buffer, &file)) {
        run_complain(run, text.place, "`%s` has %llu element%s, shape %s; `%s` has %llu", path, (unsigned long long)file.count,
                     file.count == 1 ? "" : "s", npy_shape_text(run->arena, &file), buffer->argument->name,
                     (unsigned long long)buffer->length);
        return NULL;
    }
    return expression_of_file(run->arena, &file, type);
}

bool run_constant(struct launch_run *run, struct launch_text text, struct value *value)
{
    /* Lengths and scalars cannot depend on the contents of buffers, which are not there yet. */
    struct expression *expression = compile(run, text, run->scalar_count);
    if (expression == NULL)
        return false;
    if (expression_constant(expression, value))
        return true;
    diagnostic_add(run->diagnostics, SEVERITY_ERROR, text.place,
                   "this is one number for the whole launch: it can neither use `i` nor divide by zero");
    return false;
}

/* A count of elements; `limit` in elements. */
static bool resolve_count(struct launch_run *run, struct launch_text text, uint64_t limit,
                          uint64_t *count)
{
    struct value value;
    if (!run_constant(run, text, &value))
        return false;
    bool whole = !value.is_float;
    bool negative = whole && !value.is_unsigned && value.as.integer < 0;
    if (!whole || negative || (uint64_t)value.as.integer > limit) {
        diagnostic_add(run->diagnostics, SEVERITY_ERROR, text.place,
                       !whole     ? "a number of elements is an integer"
                       : negative ? "a number of elements cannot be negative"
                                  : "no array has more than 2^47 bytes");
        return false;
    }
    *count = (uint64_t)value.as.integer;
    return true;
}

/* RxC, up to three sizes; each may be an expression without `x` outside of names. */
static bool resolve_shape(struct launch_run *run, const struct launch_argument *argument,
                          struct launch_buffer *buffer)
{
    const char *at = argument->shape.text, *end = at + argument->shape.size;
    uint64_t product = 1;
    while (at < end) {
        const char *stop = at;
        while (stop < end && *stop != 'x')
            stop++;
        struct launch_text part = {at, (uint32_t)(stop - at), argument->shape.place};
        part.place.column += (uint32_t)(at - argument->shape.text);
        if (buffer->dimensions == 3) {
            run_complain(run, part.place, "a shape has three dimensions at most");
            return false;
        }
        uint64_t *size = &buffer->shape[buffer->dimensions++];
        if (!resolve_count(run, part, (uint64_t)1 << 47, size))
            return false;
        if (__builtin_mul_overflow(product, *size, &product))
            product = UINT64_MAX;
        at = stop + (stop < end);
    }
    if (product > buffer->length) {
        char needed[28], given[28];
        run_complain(run, argument->shape.place,
                     "the shape needs %s elements, `%s` has %s",
                     text_group_digits(product, needed), argument->name,
                     text_group_digits(buffer->length, given));
        return false;
    }
    return true;
}

/* Turns a real or an integer into a scalar of its type, or says why it does not fit. */
static bool check_range(struct launch_run *run, const struct launch_argument *argument,
                        struct value value)
{
    const struct value_type_info *info = value_type_info(argument->type);
    if (info->is_float)
        return true;
    if (value.is_float) {
        run_complain(run, argument->value.place, "`%s` is an integer (%s), its value is not",
                     argument->name, info->name);
        return false;
    }
    unsigned bits = info->size * 8u;
    if (bits == 64)
        return true;
    int64_t low = -((int64_t)1 << (bits - 1));
    int64_t high = ((int64_t)1 << (info->is_signed ? bits - 1 : bits)) - 1;
    /* Bit patterns written in hexadecimal fill signed types, too. */
    const char *text = argument->value.text;
    bool is_pattern = argument->value.size > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (is_pattern)
        high = ((int64_t)1 << bits) - 1;
    bool fits = value.is_unsigned ? (uint64_t)value.as.integer <= (uint64_t)high
                                  : value.as.integer >= low && value.as.integer <= high;
    if (!fits)
        run_complain(run, argument->value.place, "the value of `%s` does not fit into %s: %lld to %lld",
                     argument->name, info->name, (long long)low, (long long)high);
    return fits;
}

static bool resolve_scalars(struct launch_run *run)
{
    bool good = true;
    for (uint32_t i = 0; i < run->launch->arguments.count; i++) {
        const struct launch_argument *argument = &run->launch->arguments.data[i];
        struct value value;
        if (argument->kind != ARGUMENT_SCALAR)
            continue;
        if (!run_constant(run, argument->value, &value) || !check_range(run, argument, value)) {
            good = false;
            continue;
        }
        /* As the kernel will see it: rounded, cut to its width. */
        unsigned char bytes[8] = {0};
        char text[32];
        value_store(argument->type, value, bytes);
        run->names[run->scalar_count++] = (struct expression_name){
            .name = argument->name,
            .type = argument->type,
            .value = value_load(argument->type, bytes),
        };
        *vec_push(run->arena, &run->kernel->launch.scalars) = (struct report_scalar){
            .name = argument->name,
            .type = value_type_info(argument->type)->name,
            .value = arena_string(run->arena, value_format(argument->type, bytes, text)),
        };
    }
    run->name_count = run->scalar_count;
    return good;
}

static bool resolve_buffer(struct launch_run *run, const struct launch_argument *argument)
{
    struct launch_buffer *buffer = &run->buffers[run->buffer_count++];
    struct expression_name *name = &run->names[run->name_count];
    uint64_t limit = ((uint64_t)1 << 47) / value_type_info(argument->type)->size;
    buffer->argument = argument;
    buffer->initialised = (argument->io != IO_OUT && argument->io != IO_SCRATCH) ||
                          argument->init.text != NULL;
    *name = (struct expression_name){
        .name = argument->name, .type = argument->type, .is_buffer = true};
    bool good = resolve_count(run, argument->length, limit, &buffer->length);
    if (good && argument->shape.text != NULL)
        good = resolve_shape(run, argument, buffer);
    if (good && argument->set.text != NULL) {
        good = resolve_count(run, argument->set, limit, &buffer->set);
        buffer->initialised = false;
        if (good && buffer->set > buffer->length) {
            run_complain(run, argument->set.place, "`set` counts more elements than `%s` has",
                         argument->name);
            good = false;
        }
    }
    name->length = buffer->length;
    if (good && argument->init.text != NULL) {
        buffer->init = compile_contents(run, argument->init, buffer, run->name_count);
        good = buffer->init != NULL;
    }
    name->init = buffer->init;
    run->name_count++;
    return good;
}

static bool resolve_buffers(struct launch_run *run)
{
    bool good = true;
    for (uint32_t i = 0; i < run->launch->arguments.count; i++)
        if (run->launch->arguments.data[i].kind == ARGUMENT_BUFFER)
            good &= resolve_buffer(run, &run->launch->arguments.data[i]);
    for (uint32_t i = 0; i < run->buffer_count && good; i++) {
        struct launch_buffer *buffer = &run->buffers[i];
        if (buffer->argument->want.text == NULL)
            continue;
        buffer->want = compile_contents(run, buffer->argument->want, buffer, run->name_count);
        good = buffer->want != NULL;
    }
    return good;
}

struct launch_buffer *run_find_buffer(struct launch_run *run, struct launch_text name)
{
    for (uint32_t i = 0; i < run->buffer_count; i++) {
        const char *other = run->buffers[i].argument->name;
        if (strlen(other) == name.size && memcmp(other, name.text, name.size) == 0)
            return &run->buffers[i];
    }
    struct text_guess guess = text_guess_begin(arena_text(run->arena, name.text, name.size));
    for (uint32_t i = 0; i < run->buffer_count; i++)
        text_guess_try(&guess, run->buffers[i].argument->name);
    run_complain(run, name.place, "the launch has no buffer `%s`", guess.name);
    if (guess.best != NULL)
        diagnostic_help(run->diagnostics, "did you mean `%s`?", guess.best);
    return NULL;
}

bool run_resolve(struct launch_run *run)
{
    uint32_t count = run->launch->arguments.count;
    run->names = ARENA_ARRAY(run->arena, struct expression_name, count + 1);
    run->buffers = ARENA_ARRAY(run->arena, struct launch_buffer, count + 1);
    bool good = resolve_scalars(run);
    return resolve_buffers(run) && good;
}
