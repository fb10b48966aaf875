/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the launch-comment reader share: a cursor over one line, and the state of the reader.
 */
#ifndef LANEWISE_LAUNCH_COMMENT_H
#define LANEWISE_LAUNCH_COMMENT_H

#include "launch/launch.h"

/* One line; `place` is where `start` stands in the file. */
struct cursor {
    const char *start, *at, *end;
    struct place place;
};

void cursor_skip_blanks(struct cursor *cursor);
bool cursor_accept(struct cursor *cursor, char c);
struct place cursor_place(const struct cursor *cursor, const char *at);
struct launch_text cursor_text(const struct cursor *cursor, const char *from, const char *to);
struct launch_text cursor_word(struct cursor *cursor);       /* up to the next blank */
struct launch_text cursor_identifier(struct cursor *cursor); /* size 0 if there is none */
struct launch_text cursor_rest(struct cursor *cursor);       /* without blanks at its ends */
bool text_is(struct launch_text text, const char *word);

/* What a line without a known word means after the line before. */
enum line_tail { TAIL_FREE, TAIL_NONE, TAIL_PROSE, TAIL_ARGUMENT, TAIL_EXPECT, TAIL_ACCEPT };

struct comment_parser {
    struct arena *arena;
    struct launch_comment *comment;
    struct diagnostic_list *diagnostics;
    bool is_option;        /* the text of --launch: NAME=VALUE is allowed */
    bool any;              /* a known word was seen */
    enum line_tail tail;
    struct cursor suspect; /* a line before the first known word that looks mistyped */
};

/* The launch that lines speak of; made when there is none. */
struct launch *comment_launch(struct comment_parser *parser);
void comment_parse_line(struct comment_parser *parser, struct cursor *line);
void comment_finish(struct comment_parser *parser);

void comment_parse_expectations(struct comment_parser *parser, struct cursor *cursor,
                                bool accepted);
/* NAME: TYPE VALUE and its other forms. */
void comment_parse_argument(struct comment_parser *parser, struct cursor *cursor,
                            enum launch_role role);
/* key=value ... of the argument before. */
void comment_parse_fields(struct comment_parser *parser, struct cursor *cursor);
/* NAME=VALUE; false if the line is none. */
bool comment_parse_assignment(struct comment_parser *parser, struct cursor *cursor);

#endif
