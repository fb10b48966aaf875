/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of the text report share: findings (text.c) and sites of proofs (text_site.c).
 */
#ifndef LANEWISE_REPORT_TEXT_WRITER_H
#define LANEWISE_REPORT_TEXT_WRITER_H

#include "report/excerpt.h"

struct text_writer {
    const struct report_style *style;
    struct text_paint paint;
    struct buffer *out;
};

void text_add_safe(struct text_writer *writer, const char *text);
/* "  --> file:line:column" and the excerpt. */
void text_add_place(struct text_writer *writer, struct place place, unsigned gutter, enum severity severity, char mark,
                    const char *label);
/* "   = word: text"; further lines of the text stand below it. */
void text_add_detail(struct text_writer *writer, unsigned gutter, const char *word, const char *text);
/* The relations that would prove a site, and the `if` that is the other way where they only make the grid end evenly. */
void text_add_condition(struct text_writer *writer, unsigned gutter, enum finding_kind kind, const char *condition);

/* What was not proved is shown; with style->proofs also how the rest was. */
bool text_site_is_shown(const struct text_writer *writer, const struct report_site *site);
void text_add_site(struct text_writer *writer, const struct report_kernel *kernel, const struct report_site *site);
void text_add_assumptions(struct text_writer *writer, const struct report_kernel *kernel);
/* "bounds proved: 4 of 4 sites" */
void text_add_proof(struct text_writer *writer, const struct report_kernel *kernel);
/* The suggested contract, and which arrays it does not do for. */
void text_add_suggestion(struct text_writer *writer, const struct report_kernel *kernel);
void text_add_proof_stats(struct text_writer *writer, const struct report_kernel *kernel);
/* Nothing that a person must look at. */
bool text_proof_is_clean(const struct report_kernel *kernel);
/* "2 proved, 1 unproved; 9 of 11 sites proved, 2 unproved" */
void text_add_totals(struct text_writer *writer, const struct report *report);

#endif
