/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the findings, made from docs/findings/ by pages.cmake when the tool is built.
 */
#ifndef LANEWISE_CLI_PAGES_H
#define LANEWISE_CLI_PAGES_H

struct page {
    unsigned number; /* 101 */
    const char *const *lines;
    unsigned line_count;
};
extern const struct page cli_pages[];
extern const unsigned cli_page_count;

#endif
