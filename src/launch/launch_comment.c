/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads launch comments: lines become a struct launch.  What the words mean stands in docs/launch-comment.md.
 *
 * A line that begins with no known word continues the one before: prose goes on, an argument gets more fields; after any other line it
 * is an error.  Whether a value fits its kernel is for launch_run_begin to say; here only the grammar is checked.
 */
#include "launch/comment.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_identifier(char c, bool first)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (!first && c >= '0' && c <= '9');
}

/* ---- cursor ------------------------------------------------------------------------------------------ */

void cursor_skip_blanks(struct cursor *cursor)
{
    while (cursor->at < cursor->end && is_blank(*cursor->at))
        cursor->at++;
}

bool cursor_accept(struct cursor *cursor, char c)
{
    cursor_skip_blanks(cursor);
    if (cursor->at == cursor->end || *cursor->at != c)
        return false;
    cursor->at++;
    return true;
}

struct place cursor_place(const struct cursor *cursor, const char *at)
{
    struct place place = cursor->place;
    place.column += (uint32_t)(at - cursor->start);
    return place;
}

struct launch_text cursor_text(const struct cursor *cursor, const char *from, const char *to)
{
    return (struct launch_text){from, (uint32_t)(to - from), cursor_place(cursor, from)};
}

struct launch_text cursor_word(struct cursor *cursor)
{
    cursor_skip_blanks(cursor);
    const char *from = cursor->at;
    while (cursor->at < cursor->end && !is_blank(*cursor->at))
        cursor->at++;
    return cursor_text(cursor, from, cursor->at);
}

struct launch_text cursor_identifier(struct cursor *cursor)
{
    cursor_skip_blanks(cursor);
    const char *from = cursor->at;
    while (cursor->at < cursor->end && is_identifier(*cursor->at, cursor->at == from))
        cursor->at++;
    return cursor_text(cursor, from, cursor->at);
}

struct launch_text cursor_rest(struct cursor *cursor)
{
    cursor_skip_blanks(cursor);
    const char *from = cursor->at, *to = cursor->end;
    while (to > from && is_blank(to[-1]))
        to--;
    cursor->at = cursor->end;
    return cursor_text(cursor, from, to);
}

bool text_is(struct launch_text text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.text, word, text.size) == 0;
}

/* ---- lines that hold numbers ---------------------------------------------------------------------------- */

static bool parse_number(struct comment_parser *parser, struct cursor *cursor, int64_t *value)
{
    struct launch_text word;
    char digits[32], *end = digits;
    cursor_skip_blanks(cursor);
    const char *from = cursor->at;
    while (cursor->at < cursor->end && !is_blank(*cursor->at) && *cursor->at != ',')
        cursor->at++;
    word = cursor_text(cursor, from, cursor->at);
    if (word.size != 0 && word.size < sizeof digits) {
        memcpy(digits, word.text, word.size);
        digits[word.size] = '\0';
        *value = strtoll(digits, &end, 0);
    }
    if (word.size == 0 || *end != '\0' || end == digits || word.size >= sizeof digits) {
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, word.place,
                       word.size == 0 ? "expected a number here" : "`%.*s` is not a number",
                       (int)word.size, word.text);
        return false;
    }
    return true;
}

/* Up to three numbers; missing ones are 1. */
static bool parse_triple(struct comment_parser *parser, struct cursor *cursor, int64_t values[3])
{
    values[0] = values[1] = values[2] = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (axis != 0 && (cursor_skip_blanks(cursor), cursor->at == cursor->end))
            break;
        if (!parse_number(parser, cursor, &values[axis]))
            return false;
    }
    struct launch_text rest = cursor_rest(cursor);
    if (rest.size != 0)
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, rest.place,
                       "a grid and a block have three dimensions at most");
    return rest.size == 0;
}

static void parse_grid(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch *launch = comment_launch(parser);
    launch->grid_place = cursor->place;
    launch->has_grid = parse_triple(parser, cursor, launch->grid);
}

static void parse_block(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch *launch = comment_launch(parser);
    launch->block_place = cursor->place;
    launch->has_block = parse_triple(parser, cursor, launch->block);
}

static void parse_dynamic_shared(struct comment_parser *parser, struct cursor *cursor)
{
    int64_t bytes = 0;
    struct launch *launch = comment_launch(parser);
    launch->dynamic_shared_place = cursor_place(cursor, cursor->at);
    if (parse_number(parser, cursor, &bytes) && bytes < 0)
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, launch->dynamic_shared_place,
                       "shared memory cannot have %lld bytes", (long long)bytes);
    launch->dynamic_shared = bytes < 0 ? 0 : (uint64_t)bytes;
}

static void parse_tolerance(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch_text word = cursor_rest(cursor);
    char *copy = arena_text(parser->arena, word.text, word.size), *end;
    double tolerance = strtod(copy, &end);
    if (word.size == 0 || *end != '\0' || !(tolerance >= 0 && tolerance < 1))
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, word.place,
                       "a tolerance is a number from 0 to 1");
    else
        comment_launch(parser)->tolerance = tolerance;
}

/* (x): 0 139   or   (x,y): 0,0 3,7 */
static void parse_focus(struct comment_parser *parser, struct cursor *cursor)
{
    static const char axes[] = "xyz";
    struct launch *launch = comment_launch(parser);
    unsigned dimensions = 0;
    launch->focus_place = cursor->place;
    if (!cursor_accept(cursor, '('))
        return;
    do {
        if (dimensions == 3 || !cursor_accept(cursor, axes[dimensions])) {
            diagnostic_add(parser->diagnostics, SEVERITY_ERROR, cursor_place(cursor, cursor->at),
                           "expected (x), (x,y) or (x,y,z) here");
            return;
        }
        dimensions++;
    } while (cursor_accept(cursor, ','));
    if (!cursor_accept(cursor, ')') || !cursor_accept(cursor, ':')) {
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, cursor_place(cursor, cursor->at),
                       "expected `):` here");
        return;
    }
    while (cursor_skip_blanks(cursor), cursor->at < cursor->end) {
        int64_t block[3] = {0};
        for (unsigned axis = 0; axis < dimensions; axis++) {
            if (axis != 0 && !cursor_accept(cursor, ',')) {
                diagnostic_add(parser->diagnostics, SEVERITY_ERROR,
                               cursor_place(cursor, cursor->at), "expected `,` and a number here");
                return;
            }
            if (!parse_number(parser, cursor, &block[axis]))
                return;
        }
        for (unsigned axis = 0; axis < 3; axis++)
            *vec_push(parser->arena, &launch->focus) = block[axis];
    }
}

/* ---- expectations ------------------------------------------------------------------------------------------ */

static enum finding_kind find_kind(const char *name)
{
    enum finding_kind kind = finding_kind_find(name);
    for (unsigned k = 0; k < FINDING_KIND_COUNT && kind == FINDING_KIND_COUNT; k++) {
        char id[16];
        snprintf(id, sizeof id, "LW%u", finding_info((enum finding_kind)k)->number);
        if (strcmp(id, name) == 0)
            kind = (enum finding_kind)k;
    }
    return kind;
}

static void complain_kind(struct comment_parser *parser, const char *name, struct place place)
{
    struct text_guess guess = text_guess_begin(name);
    for (unsigned k = 0; k < FINDING_KIND_COUNT; k++)
        text_guess_try(&guess, finding_info((enum finding_kind)k)->kind);
    diagnostic_add(parser->diagnostics, SEVERITY_ERROR, place, "unknown kind of finding `%s`",
                   name);
    if (guess.best != NULL)
        diagnostic_help(parser->diagnostics, "did you mean `%s`?", guess.best);
    else
        diagnostic_help(parser->diagnostics, "`lanewise explain` lists the kinds");
}

/* KIND [line=N][, KIND ...] */
void comment_parse_expectations(struct comment_parser *parser, struct cursor *cursor, bool accepted)
{
    struct launch *launch = comment_launch(parser);
    do {
        struct launch_expectation item = {.finding = FINDING_KIND_COUNT};
        cursor_skip_blanks(cursor);
        const char *from = cursor->at;
        while (cursor->at < cursor->end && !is_blank(*cursor->at) && *cursor->at != ',')
            cursor->at++;
        item.place = cursor_place(cursor, from);
        item.kind = arena_text(parser->arena, from, (size_t)(cursor->at - from));
        item.finding = find_kind(item.kind);
        if (item.kind[0] == '\0') {
            diagnostic_add(parser->diagnostics, SEVERITY_ERROR, item.place,
                           "expected a kind of finding here");
            return;
        }
        bool is_none = strcmp(item.kind, "none") == 0;
        if (item.finding == FINDING_KIND_COUNT && !is_none && strcmp(item.kind, "checked") != 0) {
            complain_kind(parser, item.kind, item.place);
            return;
        }
        cursor_skip_blanks(cursor);
        if (cursor->end - cursor->at > 5 && memcmp(cursor->at, "line=", 5) == 0) {
            int64_t line;
            cursor->at += 5;
            if (!parse_number(parser, cursor, &line))
                return;
            item.line = line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
        }
        if (is_none)
            launch->expects_none = true;
        else if (accepted)
            *vec_push(parser->arena, &launch->accepted) = item;
        else
            *vec_push(parser->arena, &launch->expected) = item;
        if (!cursor_accept(cursor, ','))
            break;
        cursor_skip_blanks(cursor);
    } while (cursor->at < cursor->end); /* a comma at the end: the next line goes on */
    struct launch_text rest = cursor_rest(cursor);
    if (rest.size != 0)
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, rest.place,
                       "expected `line=N`, a comma or the end here");
}

static void parse_expect(struct comment_parser *parser, struct cursor *cursor)
{
    comment_parse_expectations(parser, cursor, false);
}

static void parse_accept(struct comment_parser *parser, struct cursor *cursor)
{
    comment_parse_expectations(parser, cursor, true);
}

/* ---- the other lines --------------------------------------------------------------------------------------- */

static void parse_kernel(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch_text name = cursor_rest(cursor);
    if (name.size == 0) {
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, name.place,
                       "expected the name of a kernel here");
        return;
    }
    if (comment_launch(parser)->kernel.text != NULL) { /* the next launch of the file begins */
        struct launch *next = vec_push(parser->arena, &parser->comment->launches);
        memset(next, 0, sizeof *next);
    }
    name.text = arena_text(parser->arena, name.text, name.size);
    comment_launch(parser)->kernel = name;
}

static void parse_verdict(struct comment_parser *parser, struct cursor *cursor)
{
    struct launch_text verdict = cursor_rest(cursor);
    if (!text_is(verdict, "proved") && !text_is(verdict, "violated") &&
        !text_is(verdict, "unproved"))
        diagnostic_add(parser->diagnostics, SEVERITY_ERROR, verdict.place,
                       "a verdict is `proved`, `violated` or `unproved`");
    comment_launch(parser)->verdict = verdict;
}

static void parse_case(struct comment_parser *parser, struct cursor *cursor)
{
    comment_launch(parser)->case_name = cursor_word(cursor);
}

static void parse_prose(struct comment_parser *parser, struct cursor *cursor)
{
    (void)parser;
    cursor->at = cursor->end;
}

static void parse_parameter(struct comment_parser *parser, struct cursor *cursor)
{
    comment_parse_argument(parser, cursor, ROLE_PARAMETER);
}

static void parse_extra(struct comment_parser *parser, struct cursor *cursor)
{
    comment_parse_argument(parser, cursor, ROLE_EXTRA);
}

static void parse_symbol(struct comment_parser *parser, struct cursor *cursor)
{
    comment_parse_argument(parser, cursor, ROLE_SYMBOL);
}

enum line_form { FORM_PLAIN, FORM_NAMED, FORM_AXES }; /* WORD: ..., WORD NAME: ..., WORD (x): ... */

struct line_word {
    const char *word;
    enum line_form form;
    enum line_tail tail; /* what a line without a known word after this one is */
    void (*parse)(struct comment_parser *parser, struct cursor *cursor);
};

static const struct line_word words[] = {
    {"kernel", FORM_PLAIN, TAIL_NONE, parse_kernel},
    {"grid", FORM_PLAIN, TAIL_NONE, parse_grid},
    {"block", FORM_PLAIN, TAIL_NONE, parse_block},
    {"dynamic-shared-bytes", FORM_PLAIN, TAIL_NONE, parse_dynamic_shared},
    {"arg", FORM_NAMED, TAIL_ARGUMENT, parse_parameter},
    {"buffer", FORM_NAMED, TAIL_ARGUMENT, parse_extra},
    {"symbol", FORM_NAMED, TAIL_ARGUMENT, parse_symbol},
    {"focus-blocks", FORM_AXES, TAIL_NONE, parse_focus},
    {"tolerance", FORM_PLAIN, TAIL_NONE, parse_tolerance},
    {"expect", FORM_PLAIN, TAIL_EXPECT, parse_expect},
    {"also-accept", FORM_PLAIN, TAIL_ACCEPT, parse_accept},
    {"verdict", FORM_PLAIN, TAIL_NONE, parse_verdict},
    {"case", FORM_PLAIN, TAIL_PROSE, parse_case},
    {"note", FORM_PLAIN, TAIL_PROSE, parse_prose},
    {"why", FORM_PLAIN, TAIL_PROSE, parse_prose},
};

/* The word a line begins with, the cursor moved to what follows; NULL when it is none. */
static const struct line_word *match_word(struct cursor *cursor)
{
    cursor_skip_blanks(cursor);
    const char *from = cursor->at, *at = from;
    while (at < cursor->end && ((*at >= 'a' && *at <= 'z') || *at == '-'))
        at++;
    struct launch_text text = cursor_text(cursor, from, at);
    for (unsigned i = 0; i < COUNT_OF(words); i++) {
        if (!text_is(text, words[i].word))
            continue;
        struct cursor after = *cursor;
        after.at = at;
        if (words[i].form == FORM_PLAIN) {
            if (!cursor_accept(&after, ':'))
                return NULL;
        } else if (words[i].form == FORM_NAMED) {
            struct cursor name = after;
            if (at == after.end || !is_blank(*at) || cursor_identifier(&name).size == 0 ||
                !cursor_accept(&name, ':'))
                return NULL;
        } else if (cursor_skip_blanks(&after), after.at == after.end || *after.at != '(') {
            return NULL;
        }
        *cursor = after;
        return &words[i];
    }
    return NULL;
}

/* The known word that `word: ...` or `word name: ...` was probably meant to be, or NULL. */
static const char *guess_word(const struct cursor *line)
{
    struct cursor cursor = *line;
    char word[24];
    cursor_skip_blanks(&cursor);
    const char *from = cursor.at;
    while (cursor.at < cursor.end && ((*cursor.at >= 'a' && *cursor.at <= 'z') || *cursor.at == '-'))
        cursor.at++;
    size_t size = (size_t)(cursor.at - from);
    if (size < 3 || size >= sizeof word)
        return NULL;
    memcpy(word, from, size);
    word[size] = '\0';
    cursor_identifier(&cursor);
    if (!cursor_accept(&cursor, ':'))
        return NULL;
    struct text_guess guess = text_guess_begin(word);
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (words[i].tail != TAIL_PROSE)
            text_guess_try(&guess, words[i].word);
    return guess.best;
}

static void complain_line(struct comment_parser *parser, const struct cursor *line)
{
    struct cursor cursor = *line;
    struct launch_text rest = cursor_rest(&cursor);
    const char *guess = guess_word(line);
    diagnostic_add(parser->diagnostics, SEVERITY_ERROR, rest.place,
                   "this line of the launch begins with no known word");
    struct cursor name_cursor = *line;
    struct launch_text name = cursor_identifier(&name_cursor);
    if (guess != NULL)
        diagnostic_help(parser->diagnostics, "did you mean `%s`?", guess);
    else if (name.size != 0 && cursor_accept(&name_cursor, ':'))
        diagnostic_help(parser->diagnostics, "an argument is written `arg %.*s: ...`",
                        (int)name.size, name.text);
    else
        diagnostic_help(parser->diagnostics,
                        "the words are kernel, grid, block, dynamic-shared-bytes, arg, buffer, "
                        "symbol, focus-blocks, expect, also-accept, tolerance, verdict, note, why, "
                        "case");
}

void comment_parse_line(struct comment_parser *parser, struct cursor *line)
{
    struct cursor cursor = *line;
    cursor_skip_blanks(&cursor);
    if (cursor.at == cursor.end) {
        if (parser->tail == TAIL_PROSE)
            parser->tail = TAIL_NONE;
        return;
    }
    const struct line_word *word = match_word(&cursor);
    if (word != NULL) {
        parser->tail = word->tail;
        parser->any = true;
        word->parse(parser, &cursor);
        return;
    }
    if (parser->is_option && comment_parse_assignment(parser, &cursor)) {
        parser->tail = TAIL_NONE;
        parser->any = true;
        return;
    }
    cursor = *line;
    switch (parser->any || parser->is_option ? parser->tail : TAIL_FREE) {
    case TAIL_FREE: /* before the first known word: whatever people write there, unless it looks mistyped */
        if (guess_word(line) != NULL && parser->suspect.start == NULL)
            parser->suspect = *line;
        break;
    case TAIL_PROSE:
        break;
    case TAIL_ARGUMENT:
        comment_parse_fields(parser, &cursor);
        break;
    case TAIL_EXPECT:
        comment_parse_expectations(parser, &cursor, false);
        break;
    case TAIL_ACCEPT:
        comment_parse_expectations(parser, &cursor, true);
        break;
    default:
        complain_line(parser, line);
        parser->tail = TAIL_PROSE; /* one complaint for a run of such lines */
        break;
    }
}

void comment_finish(struct comment_parser *parser)
{
    struct launch_comment *comment = parser->comment;
    for (uint32_t i = 0; i < comment->launches.count; i++) {
        const struct launch *launch = &comment->launches.data[i];
        comment->has_geometry |=
            launch->has_grid || launch->has_block || launch->arguments.count != 0;
    }
    if (comment->has_geometry && parser->suspect.start != NULL)
        complain_line(parser, &parser->suspect);
}
