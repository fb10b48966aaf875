/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of the HTML page.  Inputs are hostile: marks are escaped, broken UTF-8 becomes U+FFFD, control characters become their pictures, and
 * characters that turn the direction of writing are shown by number, since they can make code read as what it is not.
 */
#include "cost/html.h"

#include <stdlib.h>
#include <string.h>

void html_puts(struct html *html, const char *markup)
{
    buffer_puts(html->out, markup);
}

void html_printf(struct html *html, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(html->out, format, arguments);
    va_end(arguments);
}

static const char *mark_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static uint32_t decode(const char *text, unsigned size)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & masks[size];
    for (unsigned i = 1; i < size; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* Characters that would not be seen, or would reorder others. */
static bool is_invisible(uint32_t code)
{
    return (code >= 0x80 && code <= 0x9f) || code == 0x61c || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) || (code & 0xfffe) == 0xfffe;
}

/* One character, `size` bytes long (0: one broken byte). */
static void add_character(struct buffer *out, const char *text, unsigned size)
{
    unsigned char c = (unsigned char)*text;
    const char *mark = mark_of(*text);
    if (mark != NULL)
        buffer_puts(out, mark);
    else if (size == 0)
        buffer_puts(out, "\xef\xbf\xbd");
    else if (c < 0x20 && c != '\t')
        buffer_printf(out, "\xe2\x90%c", 0x80 + c); /* U+2400 and on */
    else if (c == 0x7f)
        buffer_puts(out, "\xe2\x90\xa1");
    else if (size > 1 && is_invisible(decode(text, size)))
        buffer_printf(out, "[U+%04X]", decode(text, size));
    else
        buffer_add(out, text, size);
}

void html_text_span(struct html *html, const char *text, size_t size, size_t limit)
{
    for (size_t i = 0; i < size && text[i] != '\0';) {
        if (limit != 0 && i >= limit) {
            html_puts(html, "\xe2\x80\xa6");
            return;
        }
        unsigned bytes = report_utf8_size(text + i);
        add_character(html->out, text + i, i + bytes > size ? 0 : bytes);
        i += bytes == 0 || i + bytes > size ? 1 : bytes;
    }
}

void html_text(struct html *html, const char *text, size_t limit)
{
    if (text != NULL)
        html_text_span(html, text, strlen(text), limit);
}

void html_prose(struct html *html, const char *text)
{
    if (text == NULL)
        return;
    size_t size = strlen(text), at = 0;
    bool cut = size > HTML_PROSE_BYTES;
    if (cut)
        for (size = HTML_PROSE_BYTES; size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80;) /* not within a character */
            size--;
    while (at < size) {
        const char *open = memchr(text + at, '`', size - at);
        const char *close = open == NULL ? NULL : memchr(open + 1, '`', size - (size_t)(open + 1 - text));
        if (close == NULL)
            break;
        html_text_span(html, text + at, (size_t)(open - text) - at, 0);
        html_puts(html, "<code>");
        html_text_span(html, open + 1, (size_t)(close - open) - 1, 0);
        html_puts(html, "</code>");
        at = (size_t)(close - text) + 1;
    }
    html_text_span(html, text + at, size - at, 0);
    if (cut)
        html_puts(html, "\xe2\x80\xa6");
}

void html_number(struct html *html, uint64_t value)
{
    char digits[32];
    html_puts(html, text_group_digits(value, digits));
}

void html_digits(struct html *html, const char *text)
{
    size_t digits = text == NULL ? 0 : strspn(text, "0123456789");
    if (digits != 0 && digits < 19 && text[digits] == '\0')
        html_number(html, strtoull(text, NULL, 10));
    else
        html_text(html, text, HTML_PTX_BYTES);
}

void html_decimal(struct html *html, double value, unsigned places)
{
    html_printf(html, "%.*f", (int)places, value);
}

void html_percent(struct html *html, uint64_t part, uint64_t whole)
{
    double percent = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
    html_printf(html, "%.*f&nbsp;%%", part == 0 || part == whole ? 0 : percent < 0.01 ? 3 : percent < 1 ? 2 : 1, percent);
}

void html_count_of(struct html *html, uint64_t count, const char *one, const char *many)
{
    html_number(html, count);
    html_printf(html, " %s", count == 1 ? one : many);
}

unsigned html_level(uint64_t value, uint64_t most)
{
    if (value == 0 || most == 0)
        return 0;
    unsigned level = (unsigned)((double)value * HTML_LEVELS / (double)most + 0.5);
    return level == 0 ? 1 : level > HTML_LEVELS ? HTML_LEVELS : level;
}

unsigned html_idle_level(const struct cost_count *count)
{
    uint64_t slots = count->issued * 32;
    return count->threads >= slots ? 0 : html_level(slots - count->threads, slots);
}

bool html_has_run(const struct html *html)
{
    return html->result->launch.has_run;
}

/* Lines are sorted by file, then line; the search does not rely on how files are ordered. */
uint32_t html_find_line(const struct cost_result *result, struct place place)
{
    if (place.line == 0 || place.file == NULL)
        return COST_NONE;
    for (uint32_t i = 0; i < result->lines.count; i++)
        if (result->lines.data[i].place.line == place.line && text_equal(result->lines.data[i].place.file, place.file))
            return i;
    return COST_NONE;
}

void html_place(struct html *html, struct place place)
{
    if (place.line == 0)
        return;
    uint32_t line = html_find_line(html->result, place);
    if (line != COST_NONE)
        html_printf(html, "<a href=\"#k%ul%u\">", html->kernel, line);
    const char *base = place.file == NULL ? NULL : strrchr(place.file, '/');
    html_text(html, base == NULL ? place.file : base + 1, HTML_PTX_BYTES);
    html_printf(html, "%s%u", place.file == NULL ? "line " : ":", place.line);
    if (line != COST_NONE)
        html_puts(html, "</a>");
}
