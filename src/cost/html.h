/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cost: what the parts of the HTML page share.
 *
 *   html.c          the page from head to foot        html_summary.c  questions, launch, what is issued, advice
 *   html_picture.c  blocks, warps and lanes as SVG    html_code.c     source and PTX side by side
 *   html_note.c     what stands below a line          html_table.c    every figure, as tables
 *   html_text.c     text, numbers and places, escaped
 *
 * Everything that comes from an input goes through html_text or html_prose.  Style and script are constant (page.css, page.js, made into
 * html_embedded.c by html.cmake); the page allows only what has their checksums to run.
 */
#ifndef LANEWISE_COST_HTML_H
#define LANEWISE_COST_HTML_H

#include "cost/cost.h"

/* A page stays small enough to open on a phone.  What is left out is said, with its number. */
enum {
    HTML_KERNELS = 100,
    HTML_PTX_ROWS = 40000,   /* of a page */
    HTML_SOURCE_ROWS = 4000, /* of a kernel, as are these */
    HTML_TABLE_ROWS = 1000,
    HTML_NOTES = 400,
    HTML_SOURCE_BYTES = 400, /* of a line, as are these */
    HTML_PTX_BYTES = 240,
    HTML_PROSE_BYTES = 1500,
    HTML_LEVELS = 20         /* steps of heat and of bars */
};

/* html_embedded.c: lines without their ends; the checksum is of the lines, each with its end, in base64. */
struct html_embedded {
    const char *const *lines;
    unsigned count;
    const char *sha256;
};
extern const struct html_embedded html_style, html_script;

struct html {
    struct buffer *out;
    const struct cost_result *result;
    uint32_t kernel;       /* number in the page; ids begin with k and it */
    uint32_t ptx_rows;     /* that the page may still have */
    uint32_t notes;        /* that the kernel may still have */
    uint64_t most_line;    /* the most that a line has: issued by a run, else instructions; 0: none has any */
    uint64_t most_issued;  /* of one instruction */
};

/* ---- text: all of it escaped ---------------------------------------------------------------------------------------- */

void html_puts(struct html *html, const char *markup);
void html_printf(struct html *html, const char *format, ...) LW_PRINTF(2, 3); /* markup; no text from an input */
/* At most `limit` bytes (0: all), then "...".  NULL: nothing. */
void html_text(struct html *html, const char *text, size_t limit);
/* A text of which this many bytes count; for attributes, too. */
void html_text_span(struct html *html, const char *text, size_t size, size_t limit);
/* `names` in backticks become code. */
void html_prose(struct html *html, const char *text);
void html_number(struct html *html, uint64_t value);                  /* 1,000,192 */
void html_digits(struct html *html, const char *text);                /* the same of a text, where it is such a number */
void html_decimal(struct html *html, double value, unsigned places);  /* 31.98 */
void html_percent(struct html *html, uint64_t part, uint64_t whole);  /* 0.02 %, 21.9 % */
void html_count_of(struct html *html, uint64_t count, const char *one, const char *many); /* 1 warp, 2 warps */
/* "scale.cu:12", a link where the page shows that line. */
void html_place(struct html *html, struct place place);
/* The level of heat of value, 0 only for 0. */
unsigned html_level(uint64_t value, uint64_t most);
/* The level of idle lanes: 0 when all 32 are active. */
unsigned html_idle_level(const struct cost_count *count);
bool html_has_run(const struct html *html);
/* The index in result->lines; COST_NONE. */
uint32_t html_find_line(const struct cost_result *result, struct place place);

/* ---- the parts ---------------------------------------------------------------------------------------------------------- */

void html_write_questions(struct html *html);
void html_write_launch(struct html *html);
void html_write_issued(struct html *html);
void html_write_advice(struct html *html);
void html_write_picture(struct html *html);
void html_write_code(struct html *html);
/* What is to be said of a line, as paragraphs; false when nothing is, and nothing was written. */
bool html_write_notes(struct html *html, uint32_t line, const char *before, const char *after);
void html_write_finding(struct html *html, const struct finding *finding);
/* With its reasons, or as short as it stands at its line. */
void html_write_one_advice(struct html *html, const struct cost_advice *advice, bool with_reasons);
void html_write_tables(struct html *html);

#endif
