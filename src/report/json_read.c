/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading JSON: strict RFC 8259, into a tree in an arena.  Nested at most DEPTH deep.
 */
#include "report/report_private.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

struct reader {
    struct arena *arena;
    const char *at, *end;
    uint32_t line;
    const char *trouble;
    unsigned depth;
};

static bool fail(struct reader *reader, const char *trouble)
{
    if (reader->trouble == NULL)
        reader->trouble = trouble;
    return false;
}

static void skip_blanks(struct reader *reader)
{
    for (; reader->at < reader->end && strchr(" \t\r\n", *reader->at) != NULL && *reader->at != '\0'; reader->at++)
        reader->line += *reader->at == '\n';
}

static bool accept(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (reader->at >= reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool read_hex(struct reader *reader, uint32_t *value)
{
    static const char digits[] = "0123456789abcdef";
    *value = 0;
    if (reader->end - reader->at < 4)
        return fail(reader, "a string ends inside \\u");
    for (unsigned i = 0; i < 4; i++, reader->at++) {
        char c = *reader->at >= 'A' && *reader->at <= 'F' ? (char)(*reader->at + 32) : *reader->at;
        const char *digit = c == '\0' ? NULL : strchr(digits, c);
        if (digit == NULL)
            return fail(reader, "expected four hexadecimal digits behind \\u");
        *value = *value << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

static void add_utf8(struct buffer *out, uint32_t code)
{
    if (code < 0x80) {
        buffer_putc(out, (char)code);
    } else if (code < 0x800) {
        buffer_putc(out, (char)(0xc0 | code >> 6));
        buffer_putc(out, (char)(0x80 | (code & 63)));
    } else if (code < 0x10000) {
        buffer_putc(out, (char)(0xe0 | code >> 12));
        buffer_putc(out, (char)(0x80 | (code >> 6 & 63)));
        buffer_putc(out, (char)(0x80 | (code & 63)));
    } else {
        buffer_putc(out, (char)(0xf0 | code >> 18));
        buffer_putc(out, (char)(0x80 | (code >> 12 & 63)));
        buffer_putc(out, (char)(0x80 | (code >> 6 & 63)));
        buffer_putc(out, (char)(0x80 | (code & 63)));
    }
}

static bool read_escape(struct reader *reader, struct buffer *out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    uint32_t code, second;
    char c = reader->at < reader->end ? *reader->at++ : '\0';
    const char *simple = c == '\0' ? NULL : strchr(from, c);
    if (simple != NULL) {
        buffer_putc(out, to[simple - from]);
        return true;
    }
    if (c != 'u')
        return fail(reader, "unknown escape in a string");
    if (!read_hex(reader, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u')
            return fail(reader, "half of a surrogate pair");
        reader->at += 2;
        if (!read_hex(reader, &second))
            return false;
        if (second < 0xdc00 || second > 0xdfff)
            return fail(reader, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    if (code == 0 || (code >= 0xdc00 && code <= 0xdfff))
        return fail(reader, "a string with an impossible character");
    add_utf8(out, code);
    return true;
}

static bool read_string(struct reader *reader, const char **text)
{
    struct buffer out;
    buffer_init(&out, reader->arena);
    buffer_puts(&out, "");
    while (reader->at < reader->end && *reader->at != '"') {
        unsigned char c = (unsigned char)*reader->at++;
        if (c < 0x20)
            return fail(reader, "a string is not closed");
        if (c == '\\' ? !read_escape(reader, &out) : (buffer_putc(&out, (char)c), false))
            return false;
    }
    if (reader->at >= reader->end)
        return fail(reader, "a string is not closed");
    reader->at++;
    *text = out.data;
    return true;
}

static struct json_node *read_value(struct reader *reader);

static bool read_members(struct reader *reader, struct json_node *node, char close)
{
    struct json_node **last = &node->first;
    if (++reader->depth > DEPTH)
        return fail(reader, "nested too deep");
    if (accept(reader, close)) {
        reader->depth--;
        return true;
    }
    do {
        const char *key = NULL;
        if (close == '}' && (!accept(reader, '"') || !read_string(reader, &key) || !accept(reader, ':')))
            return fail(reader, "expected \"key\":");
        struct json_node *member = read_value(reader);
        if (member == NULL)
            return false;
        member->key = key;
        *last = member;
        last = &member->next;
    } while (accept(reader, ','));
    reader->depth--;
    return accept(reader, close) || fail(reader, close == '}' ? "expected , or }" : "expected , or ]");
}

static bool read_word(struct reader *reader, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return false;
    reader->at += size;
    return true;
}

static bool read_number(struct reader *reader, struct json_node *node)
{
    size_t size = 0;
    while (reader->at + size < reader->end && reader->at[size] != '\0' && strchr("+-.0123456789eE", reader->at[size]) != NULL)
        size++;
    const char *text = arena_text(reader->arena, reader->at, size);
    char *end;
    node->text = text;
    node->number = strtod(text, &end);
    reader->at += size;
    return (size != 0 && *end == '\0') || fail(reader, "expected a value");
}

static struct json_node *read_value(struct reader *reader)
{
    struct json_node *node = ARENA_NEW(reader->arena, struct json_node);
    bool good = true;
    skip_blanks(reader);
    node->line = reader->line;
    if (accept(reader, '{')) {
        node->kind = JSON_OBJECT;
        good = read_members(reader, node, '}');
    } else if (accept(reader, '[')) {
        node->kind = JSON_ARRAY;
        good = read_members(reader, node, ']');
    } else if (accept(reader, '"')) {
        node->kind = JSON_STRING;
        good = read_string(reader, &node->text);
    } else if (read_word(reader, "null")) {
        node->kind = JSON_NULL;
    } else if (read_word(reader, "true")) {
        node->kind = JSON_TRUE;
    } else if (read_word(reader, "false")) {
        node->kind = JSON_FALSE;
    } else {
        node->kind = JSON_NUMBER;
        good = read_number(reader, node);
    }
    return good ? node : NULL;
}

struct json_node *json_read(struct arena *arena, const char *text, size_t size, const char **trouble, uint32_t *line)
{
    struct reader reader = {.arena = arena, .at = text, .end = text + size, .line = 1};
    struct json_node *node = read_value(&reader);
    skip_blanks(&reader);
    if (node != NULL && reader.at != reader.end) {
        fail(&reader, "something stands behind the end");
        node = NULL;
    }
    *trouble = reader.trouble != NULL ? reader.trouble : "no JSON";
    *line = reader.line;
    return node;
}

const struct json_node *json_find(const struct json_node *object, const char *key)
{
    for (const struct json_node *member = object == NULL ? NULL : object->first; member != NULL; member = member->next)
        if (member->key != NULL && strcmp(member->key, key) == 0)
            return member;
    return NULL;
}
