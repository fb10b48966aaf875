/* SPDX-License-Identifier: Apache-2.0
 *
 * Where launches come from: the head comment of a file, and the text of `--launch`, which replaces it or changes single lines of it.
 */
#include "launch/comment.h"

#include <string.h>

struct launch *comment_launch(struct comment_parser *parser)
{
    struct launch_comment *comment = parser->comment;
    if (comment->launches.count == 0)
        memset(vec_push(parser->arena, &comment->launches), 0, sizeof(struct launch));
    return &comment->launches.data[comment->launches.count - 1];
}

static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found == NULL ? end : found;
}

/* After a block comment that begins at `at`; counts its lines. */
static const char *skip_block_comment(const char *at, const char *end, uint32_t *line)
{
    for (at += 2; at < end; at++) {
        if (*at == '\n')
            ++*line;
        if (*at == '*' && at + 1 < end && at[1] == '/')
            return at + 2;
    }
    return end;
}

void launch_comment_parse(struct arena *arena, const char *file, const char *text, size_t size,
                          struct launch_comment *comment, struct diagnostic_list *diagnostics)
{
    struct comment_parser parser = {
        .arena = arena, .comment = comment, .diagnostics = diagnostics};
    const char *at = text, *end = text + size;
    uint32_t line = 1;
    memset(comment, 0, sizeof *comment);
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    while (at < end) {
        const char *start = at;
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at < end && *at == '\n') {
            at++;
            line++;
            if (parser.tail == TAIL_PROSE)
                parser.tail = TAIL_NONE;
            continue;
        }
        if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
            at = skip_block_comment(at, end, &line);
            continue;
        }
        if (end - at < 2 || at[0] != '/' || at[1] != '/')
            break; /* the first line of code */
        const char *stop = line_end(at, end);
        at += 2;
        struct cursor cursor = {
            .start = at,
            .at = at,
            .end = stop,
            .place = {.file = file, .line = line, .column = (uint32_t)(at - start) + 1},
        };
        comment_parse_line(&parser, &cursor);
        at = stop + (stop < end);
        line += stop < end;
    }
    comment_finish(&parser);
}

/* ---- --launch -------------------------------------------------------------------------------------------- */

static void parse_option(struct arena *arena, const char *text, struct launch_comment *comment,
                         struct diagnostic_list *diagnostics)
{
    struct comment_parser parser = {.arena = arena,
                                    .comment = comment,
                                    .diagnostics = diagnostics,
                                    .is_option = true,
                                    .tail = TAIL_NONE};
    const char *at = arena_string(arena, text);
    uint32_t line = 1, column = 1;
    memset(comment, 0, sizeof *comment);
    while (*at != '\0') {
        size_t size = strcspn(at, ";\n");
        struct cursor cursor = {
            .start = at,
            .at = at,
            .end = at + size,
            .place = {.file = LAUNCH_TEXT_FILE, .line = line, .column = column},
        };
        /* A launch written to a file for --launch may keep the slashes of the comment. */
        cursor_skip_blanks(&cursor);
        if (cursor.end - cursor.at >= 2 && cursor.at[0] == '/' && cursor.at[1] == '/')
            cursor.at += 2;
        struct cursor line_cursor = {cursor.at, cursor.at, cursor.end,
                                     cursor_place(&cursor, cursor.at)};
        comment_parse_line(&parser, &line_cursor);
        column += (uint32_t)size + 1;
        if (at[size] == '\n') {
            line++;
            column = 1;
        }
        at += size + (at[size] != '\0');
    }
    comment_finish(&parser);
}

static void complain_name(struct diagnostic_list *diagnostics, const struct launch *launch,
                          const struct launch_argument *argument)
{
    struct text_guess guess = text_guess_begin(argument->name);
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        text_guess_try(&guess, launch->arguments.data[i].name);
    diagnostic_add(diagnostics, SEVERITY_ERROR, argument->place,
                   "the file's launch has no argument `%s`", argument->name);
    if (guess.best != NULL)
        diagnostic_help(diagnostics, "did you mean `%s`?", guess.best);
    else
        diagnostic_help(diagnostics, "with kernel, grid and block the text replaces the file's launch");
}

static void change_argument(struct arena *arena, struct launch *launch, bool was_empty,
                            const struct launch_argument *change,
                            struct diagnostic_list *diagnostics)
{
    struct launch_argument *argument = NULL;
    for (uint32_t i = 0; i < launch->arguments.count; i++)
        if (strcmp(launch->arguments.data[i].name, change->name) == 0)
            argument = &launch->arguments.data[i];
    if (argument == NULL) {
        if (was_empty || change->role != ROLE_PARAMETER)
            *vec_push(arena, &launch->arguments) = *change;
        else
            complain_name(diagnostics, launch, change);
    } else if (change->has_type || change->kind != ARGUMENT_SCALAR) {
        *argument = *change;
    } else if (argument->kind == ARGUMENT_SCALAR) {
        argument->value = change->value; /* NAME=VALUE keeps the type */
        argument->place = change->place;
    } else {
        diagnostic_add(diagnostics, SEVERITY_ERROR, change->place,
                       "`%s` is no scalar: NAME=VALUE cannot change it", change->name);
        diagnostic_help(diagnostics, "write its whole line: arg %s: buf TYPE len=N ...",
                        change->name);
    }
}

static void change_launch(struct arena *arena, struct launch *launch, const struct launch *change,
                          struct diagnostic_list *diagnostics)
{
    bool was_empty = launch->arguments.count == 0;
    if (change->kernel.text != NULL)
        launch->kernel = change->kernel;
    if (change->has_grid) {
        memcpy(launch->grid, change->grid, sizeof launch->grid);
        launch->grid_place = change->grid_place;
        launch->has_grid = true;
        launch->focus.count = 0; /* the blocks that were worth running belong to the other grid */
    }
    if (change->has_block) {
        memcpy(launch->block, change->block, sizeof launch->block);
        launch->block_place = change->block_place;
        launch->has_block = true;
    }
    if (change->dynamic_shared_place.line != 0) {
        launch->dynamic_shared = change->dynamic_shared;
        launch->dynamic_shared_place = change->dynamic_shared_place;
    }
    if (change->focus.count != 0) {
        launch->focus.data = change->focus.data;
        launch->focus.count = launch->focus.capacity = change->focus.count;
        launch->focus_place = change->focus_place;
    }
    if (change->tolerance != 0)
        launch->tolerance = change->tolerance;
    for (uint32_t i = 0; i < change->arguments.count; i++)
        change_argument(arena, launch, was_empty, &change->arguments.data[i], diagnostics);
}

void launch_text_apply(struct arena *arena, const char *text, struct launch_comment *comment,
                       struct diagnostic_list *diagnostics)
{
    struct launch_comment option;
    parse_option(arena, text, &option, diagnostics);
    if (option.launches.count == 0)
        return;
    /* A kernel alone runs the file's launch on another kernel. */
    bool replaces = comment->launches.count == 0;
    for (uint32_t i = 0; i < option.launches.count; i++)
        replaces |= option.launches.data[i].kernel.text != NULL && option.has_geometry;
    if (replaces) {
        *comment = option;
        return;
    }
    for (uint32_t i = 0; i < comment->launches.count; i++)
        change_launch(arena, &comment->launches.data[i], &option.launches.data[0], diagnostics);
    comment->has_geometry |= option.has_geometry;
}
