/* SPDX-License-Identifier: Apache-2.0
 *
 * What the report formats share: names, the full message of a finding, paths, fingerprints.
 */
#ifndef LANEWISE_REPORT_PRIVATE_H
#define LANEWISE_REPORT_PRIVATE_H

#include "report/report.h"

const char *report_verdict_name(enum verdict verdict);
/* The weakest of all families. */
enum verdict report_verdict(const struct report_kernel *kernel);
const char *report_status_name(enum finding_status status);
const char *report_family_name(enum finding_family family);

/* "`kernel` reads 4 bytes past the end of `vals`" */
void report_add_message(const struct finding *finding, struct buffer *out);
/* "cannot prove that `gather` stays inside `table` when it reads", as its verdict is. */
void report_add_site_message(const struct report_kernel *kernel, const struct report_site *site, struct buffer *out);
const char *report_site_verdict_name(enum site_verdict verdict);
/* "block (2,0,0) thread (44,0,0)" */
void report_add_thread(const struct finding_thread *thread, struct buffer *out);

/* `path` seen from report->root. */
const char *report_relative_path(const struct report *report, const char *path);
/* The same for a finding while its code moves: made of kind, file, kernel and array, not of lines. */
uint64_t report_fingerprint(const struct report *report, const struct finding *finding);

#endif
