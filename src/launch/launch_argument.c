/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the lines of a launch that say what is passed: `arg`, `buffer`, `symbol`, and NAME=VALUE.
 */
#include "launch/comment.h"

#include <string.h>

static struct launch_argument *last_argument(struct comment_parser *parser)
{
    struct launch *launch = comment_launch(parser);
    return launch->arguments.count == 0 ? NULL
                                        : &launch->arguments.data[launch->arguments.count - 1];
}

static void complain(struct comment_parser *parser, struct place place, const char *message)
{
    diagnostic_add(parser->diagnostics, SEVERITY_ERROR, place, "%s", message);
}

/* ---- fields of a buffer -------------------------------------------------------------------------------- */

struct field {
    const char *name;
    size_t offset; /* of the launch_text in struct launch_argument */
};

static const struct field fields[] = {
    {"len", offsetof(struct launch_argument, length)},
    {"shape", offsetof(struct launch_argument, shape)},
    {"init", offsetof(struct launch_argument, init)},
    {"want", offsetof(struct launch_argument, want)},
    {"set", offsetof(struct launch_argument, set)},
    {"offset", offsetof(struct launch_argument, offset)},
};

static const char *const io_names[] = {"in", "out", "inout", "scratch"};

static void set_io(struct comment_parser *parser, struct launch_argument *argument,
                   struct launch_text value)
{
    for (unsigned i = 0; i < COUNT_OF(io_names); i++)
        if (text_is(value, io_names[i])) {
            argument->io = (enum launch_io)i;
            return;
        }
    complain(parser, value.place, "io is `in`, `out`, `inout` or `scratch`");
}

static void complain_field(struct comment_parser *parser, struct launch_text name)
{
    struct text_guess guess =
        text_guess_begin(arena_text(parser->arena, name.text, name.size));
    for (unsigned i = 0; i < COUNT_OF(fields); i++)
        text_guess_try(&guess, fields[i].name);
    text_guess_try(&guess, "io");
    diagnostic_add(parser->diagnostics, SEVERITY_ERROR, name.place, "unknown field `%s`",
                   guess.name);
    if (guess.best != NULL)
        diagnostic_help(parser->diagnostics, "did you mean `%s`?", guess.best);
    else
        diagnostic_help(parser->diagnostics, "a buffer has len=, shape=, io=, init=, want=, set=");
}

static void set_field(struct comment_parser *parser, struct launch_argument *argument,
                      struct launch_text name, struct launch_text value)
{
    if (value.size == 0) {
        complain(parser, value.place, "expected a value after `=`");
        return;
    }
    if (text_is(name, "io")) {
        set_io(parser, argument, value);
        return;
    }
    for (unsigned i = 0; i < COUNT_OF(fields); i++)
        if (text_is(name, fields[i].name)) {
            struct launch_text *target =
                (struct launch_text *)((char *)argument + fields[i].offset);
            if (target->text != NULL)
                diagnostic_add(parser->diagnostics, SEVERITY_ERROR, name.place,
                               "`%s` is given twice", fields[i].name);
            *target = value;
            return;
        }
    complain_field(parser, name);
}

void comment_parse_fields(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch_argument *argument = last_argument(parser);
    for (;;) {
        struct cursor before = *cursor;
        struct launch_text name = cursor_identifier(cursor);
        if (name.size == 0 || !cursor_accept(cursor, '=')) {
            *cursor = before;
            break;
        }
        set_field(parser, argument, name, cursor_word(cursor));
    }
    struct launch_text rest = cursor_rest(cursor);
    if (rest.size != 0)
        complain(parser, rest.place,
                 argument->kind == ARGUMENT_SCALAR
                     ? "this line begins with no known word, and a scalar has no more fields"
                     : "expected `len=`, `shape=`, `io=`, `init=`, `want=` or the end here; an "
                       "expression has no blanks");
}

/* ---- forms of an argument -------------------------------------------------------------------------------- */

static void parse_buffer(struct comment_parser *parser, struct cursor *cursor,
                         struct launch_argument *argument)
{
    struct launch_text type = cursor_word(cursor);
    argument->kind = ARGUMENT_BUFFER;
    argument->has_type = true;
    argument->type = value_type_find(type.text, type.size);
    argument->io = IO_INOUT;
    if (argument->type == VALUE_TYPE_COUNT) {
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, type.place,
                       "unknown element type `%.*s`", (int)type.size, type.text);
        diagnostic_help(parser->diagnostics,
                        "the types are i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64");
        return;
    }
    comment_parse_fields(parser, cursor);
    if (argument->length.text == NULL)
        complain(parser, argument->place, "a buffer needs `len=`, its number of elements");
}

static void parse_scalar(struct comment_parser *parser, struct cursor *cursor,
                         struct launch_argument *argument, struct launch_text type)
{
    argument->kind = ARGUMENT_SCALAR;
    argument->has_type = true;
    argument->type = value_type_find(type.text, type.size);
    argument->value = cursor_rest(cursor);
    if (argument->type == VALUE_TYPE_COUNT) {
        struct text_guess guess = text_guess_begin(arena_text(parser->arena, type.text, type.size));
        static const char *const others[] = {"buf", "bytes", "struct", "alias", "null"};
        for (unsigned i = 0; i < VALUE_TYPE_COUNT; i++)
            text_guess_try(&guess, value_type_info((enum value_type)i)->name);
        for (unsigned i = 0; i < COUNT_OF(others); i++)
            text_guess_try(&guess, others[i]);
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, type.place,
                       type.size == 0 ? "expected a type here" : "unknown type `%s`", guess.name);
        if (guess.best != NULL)
            diagnostic_help(parser->diagnostics, "did you mean `%s`?", guess.best);
        else
            diagnostic_help(parser->diagnostics,
                            "write `TYPE VALUE` (i32 i64 u32 f32 ...) or `buf TYPE len=N ...`");
    } else if (argument->value.size == 0) {
        complain(parser, argument->value.place, "expected a value here");
    }
}

static void parse_alias(struct comment_parser *parser, struct cursor *cursor,
                        struct launch_argument *argument)
{
    argument->kind = ARGUMENT_ALIAS;
    argument->value = cursor_identifier(cursor);
    if (argument->value.size == 0)
        complain(parser, argument->value.place, "expected the name of a buffer here");
    comment_parse_fields(parser, cursor);
}

void comment_parse_argument(struct comment_parser *parser, struct cursor *cursor,
                            enum launch_role role)
{
    struct launch *launch = comment_launch(parser);
    struct launch_text name = cursor_identifier(cursor);
    cursor_accept(cursor, ':');
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        if (text_is(name, launch->arguments.data[i].name))
            diagnostic_add(parser->diagnostics, SEVERITY_ERROR, name.place,
                           "`%.*s` is given twice", (int)name.size, name.text);
    struct launch_argument *argument = vec_push(parser->arena, &launch->arguments);
    memset(argument, 0, sizeof *argument);
    argument->role = role;
    argument->name = arena_text(parser->arena, name.text, name.size);
    argument->place = name.place;
    struct launch_text form = cursor_word(cursor);
    if (text_is(form, "buf")) {
        parse_buffer(parser, cursor, argument);
    } else if (role != ROLE_PARAMETER) {
        complain(parser, form.place, "expected `buf TYPE len=N ...` here");
        argument->kind = ARGUMENT_NULL;
    } else if (text_is(form, "null")) {
        argument->kind = ARGUMENT_NULL;
    } else if (text_is(form, "alias")) {
        parse_alias(parser, cursor, argument);
    } else if (text_is(form, "bytes") || text_is(form, "struct")) {
        argument->kind = text_is(form, "bytes") ? ARGUMENT_BYTES : ARGUMENT_STRUCT;
        argument->value = cursor_rest(cursor);
        if (argument->value.size == 0)
            complain(parser, argument->value.place, "expected its contents here");
    } else {
        parse_scalar(parser, cursor, argument, form);
    }
}

bool comment_parse_assignment(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch_text name = cursor_identifier(cursor);
    if (name.size == 0 || !cursor_accept(cursor, '='))
        return false;
    struct launch_argument *argument =
        vec_push(parser->arena, &comment_launch(parser)->arguments);
    memset(argument, 0, sizeof *argument);
    argument->kind = ARGUMENT_SCALAR;
    argument->name = arena_text(parser->arena, name.text, name.size);
    argument->place = name.place;
    argument->value = cursor_rest(cursor);
    if (argument->value.size == 0)
        complain(parser, argument->value.place, "expected a value here");
    return true;
}
