/* SPDX-License-Identifier: Apache-2.0
 *
 * One line of source with a mark under a place of it, for the text report.
 */
#ifndef LANEWISE_REPORT_EXCERPT_H
#define LANEWISE_REPORT_EXCERPT_H

#include "report/report_private.h"

/* How a part of the text report is coloured; empty texts without colour. */
struct text_paint {
    const char *error, *warning, *note; /* severities */
    const char *frame;                  /* arrows, bars, line numbers */
    const char *strong;                 /* messages */
    const char *reset;
};
struct text_paint text_paint_choose(bool colour);
const char *text_paint_severity(const struct text_paint *paint, enum severity severity);

struct excerpt {
    const struct text_paint *paint;
    const char *mark_paint; /* colour of the mark and the label */
    const char *text;       /* the whole file */
    struct place place;
    char mark;              /* '^' for the first place, '-' for the others */
    const char *label;      /* after the mark; NULL: none */
    unsigned gutter;        /* width of the line-number column */
};

/* Adds the line and its mark.  Adds nothing when the text has no such line. */
void excerpt_add(const struct excerpt *excerpt, struct buffer *out);
/* "   |" */
void excerpt_add_bar(const struct text_paint *paint, unsigned gutter, struct buffer *out);
unsigned excerpt_digits(uint32_t line);
/* Adds `text` with control characters and invalid UTF-8 replaced, so that no terminal obeys it. */
void excerpt_add_safe(const char *text, size_t size, struct buffer *out);

#endif
