/* SPDX-License-Identifier: Apache-2.0
 *
 * Source excerpts.  Tabs are shown as blanks, control characters and broken UTF-8 as `?`; of a very long line only the part around
 * the place is shown.
 */
#include "report/excerpt.h"

#include <string.h>

enum {
    TAB_WIDTH = 4,
    WIDTH_MAXIMUM = 140, /* columns of source shown */
    WIDTH_BEFORE = 60    /* of which this many before the place, in a line that is cut */
};

struct text_paint text_paint_choose(bool colour)
{
    static const struct text_paint plain = {"", "", "", "", "", ""};
    static const struct text_paint coloured = {"\033[1;31m", "\033[1;33m", "\033[1;36m",
                                               "\033[1;34m", "\033[1m",    "\033[0m"};
    return colour ? coloured : plain;
}

const char *text_paint_severity(const struct text_paint *paint, enum severity severity)
{
    return severity == SEVERITY_ERROR     ? paint->error
           : severity == SEVERITY_WARNING ? paint->warning
                                          : paint->note;
}

unsigned excerpt_digits(uint32_t line)
{
    unsigned digits = 1;
    for (; line >= 10; line /= 10)
        digits++;
    return digits;
}

void excerpt_add_bar(const struct text_paint *paint, unsigned gutter, struct buffer *out)
{
    buffer_printf(out, "%*s %s|%s", (int)gutter, "", paint->frame, paint->reset);
}

/* A line cut into cells, one a character; `offset` is where each stands in the line. */
struct cell {
    uint32_t offset;
    uint8_t size;  /* bytes */
    uint8_t width; /* columns: more than 1 for a tab */
    bool valid;    /* may be shown as it is */
};

static struct cell cell_read(const char *line, size_t offset, size_t size, unsigned column)
{
    struct cell cell = {.offset = (uint32_t)offset, .size = 1, .width = 1, .valid = true};
    unsigned bytes = report_utf8_size(line + offset);
    unsigned char first = (unsigned char)line[offset];
    if (first == '\t') {
        cell.width = (uint8_t)(TAB_WIDTH - column % TAB_WIDTH);
        cell.valid = false;
    } else if (bytes == 0 || offset + bytes > size || first < 0x20 || first == 0x7f ||
               (first == 0xc2 && (unsigned char)line[offset + 1] < 0xa0)) {
        cell.valid = false;
        cell.size = bytes == 2 && first == 0xc2 ? 2 : 1;
    } else {
        cell.size = (uint8_t)bytes;
    }
    return cell;
}

static void cell_add(const char *line, const struct cell *cell, struct buffer *out)
{
    if (cell->valid)
        buffer_add(out, line + cell->offset, cell->size);
    else if (line[cell->offset] == '\t')
        buffer_printf(out, "%*s", cell->width, "");
    else
        buffer_putc(out, '?');
}

void excerpt_add_safe(const char *text, size_t size, struct buffer *out)
{
    for (size_t at = 0; at < size;) {
        struct cell cell = cell_read(text, at, size, 0);
        cell_add(text, &cell, out);
        at += cell.size;
    }
}

static const char *find_line(const char *text, uint32_t line, size_t *size)
{
    for (uint32_t at = 1; at < line; at++) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    if (*text == '\0')
        return NULL;
    *size = strcspn(text, "\n");
    if (*size != 0 && text[*size - 1] == '\r')
        --*size;
    return text;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* The bytes that are marked: a word, or the one character that stands there. */
static size_t mark_size(const char *line, size_t size, size_t at)
{
    size_t end = at;
    while (end < size && is_word(line[end]))
        end++;
    return end == at ? 1 : end - at;
}

static void add_mark(const struct excerpt *excerpt, unsigned before, unsigned width,
                     struct buffer *out)
{
    excerpt_add_bar(excerpt->paint, excerpt->gutter, out);
    buffer_printf(out, " %*s%s", (int)before, "", excerpt->mark_paint);
    for (unsigned i = 0; i < width; i++)
        buffer_putc(out, excerpt->mark);
    if (excerpt->label != NULL) {
        buffer_putc(out, ' ');
        excerpt_add_safe(excerpt->label, strlen(excerpt->label), out);
    }
    buffer_printf(out, "%s\n", excerpt->paint->reset);
}

void excerpt_add(const struct excerpt *excerpt, struct buffer *out)
{
    const struct text_paint *paint = excerpt->paint;
    size_t size;
    const char *line =
        excerpt->place.line == 0 ? NULL : find_line(excerpt->text, excerpt->place.line, &size);
    if (line == NULL)
        return;
    /* Where the mark goes: the place's column, else the first character that is not blank. */
    size_t at = excerpt->place.column == 0 ? strspn(line, " \t") : excerpt->place.column - 1;
    bool has_mark = at < size || excerpt->label != NULL;
    size_t end = at < size ? at + mark_size(line, size, at) : at + 1;
    bool whole_line = excerpt->place.column == 0;
    if (whole_line)
        for (end = size; end > at + 1 && (line[end - 1] == ' ' || line[end - 1] == '\t'); end--)
            ;
    size_t skip = 0;
    if (size > WIDTH_MAXIMUM && at > WIDTH_BEFORE)
        for (skip = at - WIDTH_BEFORE; skip < size && ((unsigned char)line[skip] & 0xc0) == 0x80;)
            skip++;

    buffer_printf(out, "%s%*u |%s ", paint->frame, (int)excerpt->gutter, excerpt->place.line,
                  paint->reset);
    unsigned column = 0, before = 0, width = 0;
    if (skip != 0) {
        buffer_puts(out, "...");
        column = 3;
    }
    for (size_t offset = skip; offset < size;) {
        struct cell cell = cell_read(line, offset, size, column);
        if (column + cell.width > WIDTH_MAXIMUM) {
            buffer_puts(out, "...");
            break;
        }
        cell_add(line, &cell, out);
        if (offset < at)
            before = column + cell.width;
        else if (offset < end)
            width += cell.width;
        column += cell.width;
        offset += cell.size;
    }
    if (at <= skip)
        before = skip != 0 ? 3 : 0;
    buffer_putc(out, '\n');
    if (has_mark)
        add_mark(excerpt, at >= size ? column : before, width == 0 ? 1 : width, out);
}
