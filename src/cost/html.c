/* SPDX-License-Identifier: Apache-2.0
 *
 * `lanewise cost --html`: a page in one file that loads nothing, can be read without its script, and in which nothing but its own style
 * and script can run: a content security policy names their checksums, so that no text of an input becomes code even if it were not escaped.
 */
#include "cost/html.h"

static void write_embedded(struct html *html, const struct html_embedded *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        html_puts(html, part->lines[i]);
        html_puts(html, "\n");
    }
}

static const char *shown_name(const struct cost_result *result)
{
    return result->shown != NULL ? result->shown : result->name;
}

static void write_head(struct html *html, const struct cost_result *const *results, uint32_t count)
{
    html_printf(html, "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
                      "<meta http-equiv=content-security-policy content=\"default-src 'none'; base-uri 'none'; form-action 'none'; "
                      "style-src 'sha256-%s'; script-src 'sha256-%s'\">\n<title>lanewise cost",
                html_style.sha256, html_script.sha256);
    if (count == 1) {
        html_puts(html, ": ");
        html_text(html, shown_name(results[0]), HTML_PTX_BYTES);
    }
    html_puts(html, "</title>\n<style>");
    write_embedded(html, &html_style);
    html_puts(html, "</style>\n");
}

/* Where the page has several kernels. */
static void write_kernel_list(struct html *html, const struct cost_result *const *results, uint32_t count)
{
    html_puts(html, "<nav aria-label=kernels><div class=scroll><table class=plain><thead><tr><th scope=col>kernel");
    for (unsigned q = 0; q < COST_QUESTIONS; q++) {
        html_puts(html, "<th scope=col>");
        html_text(html, results[0]->questions[q].title, HTML_PTX_BYTES);
    }
    html_puts(html, "<th scope=col class=n>instructions<th scope=col class=n>warps<th scope=col class=n>issued<tbody>\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct cost_result *result = results[i];
        html_printf(html, "<tr><th scope=row><a href=\"#k%u\">", i);
        html_text(html, shown_name(result), HTML_PTX_BYTES);
        html_puts(html, "</a>");
        for (unsigned q = 0; q < COST_QUESTIONS; q++)
            html_printf(html, "<td class=%s><span class=verdict>%s</span>", cost_verdict_name(result->questions[q].verdict),
                        cost_verdict_name(result->questions[q].verdict));
        html_puts(html, "<td class=n>");
        html_number(html, result->instructions.count);
        html_puts(html, "<td class=n>");
        if (result->launch.known)
            html_number(html, result->launch.warps);
        html_puts(html, "<td class=n>");
        if (result->launch.has_run)
            html_number(html, result->total.issued);
        html_puts(html, "\n");
    }
    html_puts(html, "</table></div></nav>\n");
}

static void write_facts(struct html *html)
{
    const struct cost_result *result = html->result;
    const struct cost_launch *launch = &result->launch;
    html_puts(html, "<ul class=facts>");
    if (result->place.line != 0) {
        html_puts(html, "<li>");
        html_place(html, result->place);
    }
    if (result->compiler != NULL) {
        html_puts(html, "<li>compiled by <b>");
        html_text(html, result->compiler, HTML_PTX_BYTES);
        html_puts(html, "</b>");
    }
    html_puts(html, "<li><b>");
    html_number(html, result->instructions.count);
    html_puts(html, "</b> PTX instructions");
    for (uint32_t i = 0; launch->known && i < launch->scalars.count && i < HTML_LEVELS; i++) {
        html_puts(html, "<li><code>");
        html_text(html, launch->scalars.data[i].name, HTML_PTX_BYTES);
        html_puts(html, " = ");
        html_digits(html, launch->scalars.data[i].value);
        html_puts(html, "</code>");
    }
    html_puts(html, "</ul>\n");
}

static void find_scales(struct html *html)
{
    const struct cost_result *result = html->result;
    html->most_line = html->most_issued = 0;
    for (uint32_t i = 0; i < result->lines.count; i++) {
        const struct cost_line *line = &result->lines.data[i];
        uint64_t value = html_has_run(html) ? line->count.issued : line->instructions;
        html->most_line = value > html->most_line ? value : html->most_line;
    }
    for (uint32_t i = 0; i < result->instructions.count; i++)
        if (result->instructions.data[i].count.issued > html->most_issued)
            html->most_issued = result->instructions.data[i].count.issued;
}

static void write_kernel(struct html *html)
{
    const struct cost_result *result = html->result;
    html->notes = HTML_NOTES;
    find_scales(html);
    html_printf(html, "<article class=kernel id=k%u><h2><code>", html->kernel);
    html_text(html, shown_name(result), HTML_SOURCE_BYTES);
    html_puts(html, "</code></h2>\n");
    write_facts(html);
    html_write_questions(html);
    if (result->not_analysed != NULL) {
        html_puts(html, "<p class=notice><b>Not analysed:</b> ");
        html_prose(html, result->not_analysed);
        html_puts(html, ". Who is uniform is not known.</p>\n");
    }
    html_write_launch(html);
    html_write_advice(html);
    html_write_issued(html);
    html_write_code(html);
    html_write_tables(html);
    html_puts(html, "</article>\n");
}

static const struct {
    const char *word, *meaning;
} words[] = {
    {"issued", "instructions that a warp was given, one for all of its lanes together: what a kernel costs"},
    {"active lanes", "lanes of the warp that took part, on average; 32 at most"},
    {"reach, condition", "in how wide a scope all threads agree: launch, block and warp are uniform; tail guard (a thread\xe2\x80\x99s place against a size), "
                         "lane pattern (its number) and data (memory decides) divide warps"},
    {"divided", "lanes of one warp went both ways, so that it issued both sides"},
    {"sectors", "32-byte pieces of memory that a request touched; \xe2\x80\x9c""at least\xe2\x80\x9d: what its bytes would fill, each moved once"},
};

static void write_foot(struct html *html, const char *version)
{
    html_puts(html, "<footer><dl class=words>");
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        html_printf(html, "<dt><b>%s</b><dd>%s", words[i].word, words[i].meaning);
    html_puts(html, "</dl>\n<p>All counts are of PTX instructions; the machine code that is made of them may differ.");
    if (version != NULL) {
        html_puts(html, "<br>Made by lanewise ");
        html_text(html, version, HTML_PTX_BYTES);
        html_puts(html, ".");
    }
    html_puts(html, "</p></footer>\n");
}

void cost_write_html(const struct cost_result *const *results, uint32_t count, const char *version, struct buffer *out)
{
    struct html html = {.out = out, .ptx_rows = HTML_PTX_ROWS};
    uint32_t shown = count < HTML_KERNELS ? count : HTML_KERNELS;
    write_head(&html, results, count);
    html_puts(&html, "<body>\n<header><h1>lanewise cost</h1>\n");
    if (count > 1)
        write_kernel_list(&html, results, shown);
    html_puts(&html, "</header>\n<main>\n");
    for (uint32_t i = 0; i < shown; i++) {
        html.result = results[i];
        html.kernel = i;
        write_kernel(&html);
    }
    if (count == 0)
        html_puts(&html, "<p>No kernel was found.</p>\n");
    if (shown < count) {
        html_puts(&html, "<p class=notice>");
        html_count_of(&html, count - shown, "more kernel is", "more kernels are");
        html_puts(&html, " left out here; choose some with --kernel, or use --format json.</p>\n");
    }
    html_puts(&html, "</main>\n");
    write_foot(&html, version);
    html_puts(&html, "<script>");
    write_embedded(&html, &html_script);
    html_puts(&html, "</script>\n</html>\n");
}
