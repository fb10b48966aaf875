/* SPDX-License-Identifier: Apache-2.0
 *
 * A small JSON writer: keeps track of commas and indentation, and writes only valid UTF-8, whatever it is given.
 */
#include "report/report_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void json_init(struct json_writer *json, struct buffer *out, bool pretty)
{
    memset(json, 0, sizeof *json);
    json->out = out;
    json->pretty = pretty;
}

static void json_break_line(struct json_writer *json)
{
    if (!json->pretty)
        return;
    buffer_putc(json->out, '\n');
    for (uint32_t i = 0; i < json->depth; i++)
        buffer_puts(json->out, "  ");
}

/* Before any value or key: the comma and the new line that it needs. */
static void json_begin_value(struct json_writer *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->needs_comma)
        buffer_putc(json->out, ',');
    if (json->depth != 0)
        json_break_line(json);
}

static void json_open(struct json_writer *json, char bracket)
{
    json_begin_value(json);
    buffer_putc(json->out, bracket);
    json->depth++;
    json->needs_comma = false;
}

static void json_close(struct json_writer *json, char bracket)
{
    json->depth--;
    if (json->needs_comma)
        json_break_line(json);
    buffer_putc(json->out, bracket);
    json->needs_comma = true;
    if (json->depth == 0 && json->pretty)
        buffer_putc(json->out, '\n');
}

void json_object_begin(struct json_writer *json)
{
    json_open(json, '{');
}

void json_object_end(struct json_writer *json)
{
    json_close(json, '}');
}

void json_array_begin(struct json_writer *json)
{
    json_open(json, '[');
}

void json_array_end(struct json_writer *json)
{
    json_close(json, ']');
}

static void json_add_quoted(struct json_writer *json, const char *text)
{
    static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    buffer_putc(json->out, '"');
    while (*text != '\0') {
        unsigned size = report_utf8_size(text);
        unsigned char c = (unsigned char)*text;
        const char *escape = NULL;
        for (unsigned i = 0; i < sizeof escapes - 1 && escape == NULL; i += 2)
            if (escapes[i] == (char)c)
                escape = &escapes[i + 1];
        if (size == 0) {
            buffer_puts(json->out, "\\ufffd");
            size = 1;
        } else if (escape != NULL) {
            buffer_putc(json->out, '\\');
            buffer_putc(json->out, *escape);
        } else if (c < 0x20 || c == 0x7f) {
            buffer_printf(json->out, "\\u%04x", c);
        } else {
            buffer_add(json->out, text, size);
        }
        text += size;
    }
    buffer_putc(json->out, '"');
}

void json_key(struct json_writer *json, const char *key)
{
    json_begin_value(json);
    json_add_quoted(json, key);
    buffer_puts(json->out, json->pretty ? ": " : ":");
    json->after_key = true;
    json->needs_comma = false;
}

void json_string(struct json_writer *json, const char *text)
{
    json_begin_value(json);
    if (text == NULL)
        buffer_puts(json->out, "null");
    else
        json_add_quoted(json, text);
    json->needs_comma = true;
}

void json_integer(struct json_writer *json, int64_t value)
{
    json_begin_value(json);
    buffer_printf(json->out, "%lld", (long long)value);
    json->needs_comma = true;
}

void json_unsigned(struct json_writer *json, uint64_t value)
{
    json_begin_value(json);
    buffer_printf(json->out, "%llu", (unsigned long long)value);
    json->needs_comma = true;
}

void json_number(struct json_writer *json, double value)
{
    json_begin_value(json);
    /* JSON has no infinities and no NaN. */
    if (isfinite(value)) {
        /* The shortest text that reads back as the same number. */
        char text[40];
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, value);
            if (strtod(text, NULL) == value)
                break;
        }
        buffer_puts(json->out, text);
    } else {
        buffer_puts(json->out, isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"");
    }
    json->needs_comma = true;
}

void json_boolean(struct json_writer *json, bool value)
{
    json_begin_value(json);
    buffer_puts(json->out, value ? "true" : "false");
    json->needs_comma = true;
}

void json_add_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    json_string(json, text);
}

void json_add_number(struct json_writer *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_unsigned(json, value);
}

void json_add_boolean(struct json_writer *json, const char *key, bool value)
{
    json_key(json, key);
    json_boolean(json, value);
}

void json_add_optional(struct json_writer *json, const char *key, const char *text)
{
    if (text != NULL)
        json_add_text(json, key, text);
}
