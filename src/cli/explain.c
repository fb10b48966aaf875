/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise explain`: the page of a finding.  The pages are docs/findings/LWnnn.md, made part of the program when it is built.
 */
#include "cli/pages.h"

#include "cli/cli.h"

#include <string.h>

static const struct page *find_page(unsigned number)
{
    for (unsigned i = 0; i < cli_page_count; i++)
        if (cli_pages[i].number == number)
            return &cli_pages[i];
    return NULL;
}

/* The number that "LW101", "lw101", "101" or "oob-global" means; 0 if none. */
static unsigned find_number(const char *word)
{
    const char *digits = text_starts_with(word, "LW") || text_starts_with(word, "lw") ? word + 2 : word;
    unsigned number = 0;
    enum finding_kind kind = finding_kind_find(word);
    if (kind != FINDING_KIND_COUNT)
        return finding_info(kind)->number;
    for (unsigned i = 0; digits[i] >= '0' && digits[i] <= '9' && i < 4; i++)
        number = number * 10 + (unsigned)(digits[i] - '0');
    return strspn(digits, "0123456789") == strlen(digits) && find_page(number) != NULL ? number : 0;
}

static void print_list(struct buffer *out)
{
    for (unsigned k = 0; k < FINDING_KIND_COUNT; k++) {
        const struct finding_info *info = finding_info((enum finding_kind)k);
        buffer_printf(out, "LW%u  %-26s %s\n", info->number, info->kind, info->title);
    }
}

/* Markdown for a terminal: headings and code stand out; the rest reads as it is. */
static void print_page(const struct page *page, bool colour, struct buffer *out)
{
    bool in_code = false;
    for (unsigned i = 0; i < page->line_count; i++) {
        const char *line = page->lines[i], *paint = "";
        if (text_starts_with(line, "<!--"))
            continue; /* the licence line */
        if (text_starts_with(line, "```")) {
            in_code = !in_code;
            continue;
        }
        if (line[0] == '#' && !in_code) {
            line += strspn(line, "# ");
            paint = "\033[1m";
        } else if (in_code) {
            paint = "\033[36m";
        }
        if (line[0] == '\0')
            buffer_putc(out, '\n');
        else
            buffer_printf(out, "%s%s%s%s\n", colour ? paint : "", in_code ? "    " : "", line,
                          colour && paint[0] != '\0' ? "\033[0m" : "");
    }
}

static void complain_unknown(struct cli *cli, const char *word)
{
    struct text_guess guess = text_guess_begin(word);
    struct buffer parts;
    buffer_init(&parts, cli->arena);
    for (unsigned k = 0; k < FINDING_KIND_COUNT; k++)
        if (word[0] != '\0' && strstr(finding_info((enum finding_kind)k)->kind, word) != NULL)
            buffer_printf(&parts, "%s`%s`", parts.size == 0 ? "" : ", ", finding_info((enum finding_kind)k)->kind);
    for (unsigned k = 0; k < FINDING_KIND_COUNT; k++) {
        const struct finding_info *info = finding_info((enum finding_kind)k);
        text_guess_try(&guess, info->kind);
        text_guess_try(&guess, arena_printf(cli->arena, "LW%u", info->number));
    }
    cli_complain(cli,
                 parts.size != 0 ? arena_printf(cli->arena, "there is: %s", parts.data)
                 : guess.best != NULL ? arena_printf(cli->arena, "did you mean `%s`?", guess.best)
                                    : "`lanewise explain` lists all findings",
                 "there is no finding `%s`", word);
}

int explain_command(struct cli *cli)
{
    struct buffer out;
    buffer_init(&out, cli->arena);
    buffer_puts(&out, "");
    if (cli->options.operands.count == 0)
        print_list(&out);
    for (uint32_t i = 0; i < cli->options.operands.count; i++) {
        unsigned number = find_number(cli->options.operands.data[i]);
        const struct page *page = number == 0 ? NULL : find_page(number);
        if (page == NULL) {
            complain_unknown(cli, cli->options.operands.data[i]);
            return EXIT_INPUT;
        }
        buffer_puts(&out, i == 0 ? "" : "\n");
        print_page(page, cli->colour_out, &out);
    }
    return cli_write(cli, NULL, out.data, out.size) ? EXIT_CLEAN : EXIT_INPUT;
}
