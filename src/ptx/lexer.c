/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX text to tokens.  The text ends with a zero byte, so that looking one or two bytes ahead is always allowed.
 */
#define _GNU_SOURCE /* strtod_l */
#include "ptx/parse.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPACE_CHAR = 1,
    NAME_START = 2,
    NAME_CHAR = 4,
    DIGIT_CHAR = 8,
    WORD_CHAR = 16,
    PUNCTUATION = 32
};

#define FOUR(first, value)                                                                         \
    [(first)] = (value), [(first) + 1] = (value), [(first) + 2] = (value), [(first) + 3] = (value)
#define LETTERS(first, value)                                                                      \
    FOUR(first, value), FOUR((first) + 4, value), FOUR((first) + 8, value),                        \
        FOUR((first) + 12, value), FOUR((first) + 16, value), FOUR((first) + 20, value),           \
        [(first) + 24] = (value), [(first) + 25] = (value)
enum { LETTER = NAME_START | NAME_CHAR | WORD_CHAR, DIGIT = NAME_CHAR | DIGIT_CHAR | WORD_CHAR };

static const uint8_t classes[256] = {
    [' '] = SPACE_CHAR,
    ['\t'] = SPACE_CHAR,
    ['\r'] = SPACE_CHAR,
    ['\f'] = SPACE_CHAR,
    ['\v'] = SPACE_CHAR,
    ['\n'] = SPACE_CHAR,
    LETTERS('a', LETTER),
    LETTERS('A', LETTER),
    ['_'] = LETTER,
    ['$'] = LETTER,
    ['%'] = NAME_START | PUNCTUATION,
    FOUR('0', DIGIT),
    [';'] = PUNCTUATION,
    [','] = PUNCTUATION,
    [':'] = PUNCTUATION,
    ['('] = PUNCTUATION,
    [')'] = PUNCTUATION,
    ['['] = PUNCTUATION,
    [']'] = PUNCTUATION,
    ['{'] = PUNCTUATION,
    ['}'] = PUNCTUATION,
    ['<'] = PUNCTUATION,
    ['>'] = PUNCTUATION,
    ['+'] = PUNCTUATION,
    ['-'] = PUNCTUATION,
    ['*'] = PUNCTUATION,
    ['/'] = PUNCTUATION,
    ['&'] = PUNCTUATION,
    ['|'] = PUNCTUATION,
    ['^'] = PUNCTUATION,
    ['~'] = PUNCTUATION,
    ['!'] = PUNCTUATION,
    ['?'] = PUNCTUATION,
    ['='] = PUNCTUATION,
    ['@'] = PUNCTUATION,
    ['.'] = PUNCTUATION,
    FOUR('4', DIGIT),
    ['8'] = DIGIT,
    ['9'] = DIGIT,
};

static inline bool is_class(char c, uint8_t class)
{
    return (classes[(unsigned char)c] & class) != 0;
}

static void skip_line(struct parser *parser)
{
    const char *end = memchr(parser->text + parser->at, '\n', parser->size - parser->at);
    parser->at = end == NULL ? parser->size : (uint32_t)(end - parser->text);
}

/* Behind the comment that begins at `at`; an unfinished one ends the text. */
static void skip_block_comment(struct parser *parser)
{
    uint32_t start = parser->at, line = parser->line;
    uint32_t at = start + 2;
    for (; at < parser->size; at++) {
        if (parser->text[at] == '\n')
            parser->line++;
        if (parser->text[at] == '*' && parser->text[at + 1] == '/') {
            parser->at = at + 2;
            return;
        }
    }
    parser->at = parser->size;
    report_at(parser, start, line, "comment is not closed");
}

/* Lines of a preprocessor (`# 1 "x.ptx"`) and debug lines of old compilers (`@@DWARF ...`) mean nothing here. */
static bool at_ignored_line(const struct parser *parser)
{
    const char *here = parser->text + parser->at;
    bool first = parser->at == 0 || here[-1] == '\n';
    return first && (here[0] == '#' || (here[0] == '@' && here[1] == '@'));
}

static void skip_space(struct parser *parser)
{
    const char *text = parser->text;
    for (;;) {
        char c = text[parser->at];
        if (is_class(c, SPACE_CHAR)) {
            parser->line += c == '\n';
            parser->at++;
        } else if (c == '/' && text[parser->at + 1] == '/') {
            skip_line(parser);
        } else if (c == '/' && text[parser->at + 1] == '*') {
            skip_block_comment(parser);
        } else if ((c == '#' || c == '@') && at_ignored_line(parser)) {
            skip_line(parser);
        } else {
            return;
        }
    }
}

static void lex_name(struct parser *parser, uint32_t start)
{
    const char *text = parser->text;
    uint32_t hash = NAME_HASH_START, at = start;
    do
        hash = name_hash_step(hash, (unsigned char)text[at++]);
    while (is_class(text[at], NAME_CHAR));
    parser->at = at;
    parser->token.kind = TOKEN_NAME;
    parser->token.name = name_intern(parser, text + start, at - start, hash);
}

/* .word, where a word may have parts joined by `::` (.shared::cta). */
static void lex_dot_word(struct parser *parser, uint32_t start)
{
    const char *text = parser->text;
    uint32_t hash = NAME_HASH_START, at = start + 1;
    for (;;) {
        if (is_class(text[at], WORD_CHAR)) {
            hash = name_hash_step(hash, (unsigned char)text[at++]);
        } else if (text[at] == ':' && text[at + 1] == ':' && is_class(text[at + 2], WORD_CHAR)) {
            hash = name_hash_step(name_hash_step(hash, ':'), ':');
            at += 2;
        } else {
            break;
        }
    }
    parser->at = at;
    parser->token.kind = TOKEN_DOT;
    parser->token.name = name_intern(parser, text + start + 1, at - start - 1, hash);
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

/* Digits of `base` from `at`; false when the value leaves 64 bits. */
static bool lex_digits(struct parser *parser, unsigned base, uint32_t at)
{
    uint64_t value = 0, most = UINT64_MAX / base;
    bool fits = true;
    for (unsigned digit; (digit = digit_value(parser->text[at])) < base; at++) {
        fits = fits && value <= most && value * base <= UINT64_MAX - digit;
        value = value * base + digit;
    }
    parser->at = at;
    parser->token.value = value;
    return fits;
}

/* 0f and 8 digits, 0d and 16 digits: the bits of a float. */
static bool lex_float_bits(struct parser *parser, uint32_t start)
{
    char mark = parser->text[start + 1];
    unsigned wanted = mark == 'f' || mark == 'F' ? 8 : 16;
    lex_digits(parser, 16, start + 2);
    parser->token.kind = TOKEN_FLOAT;
    parser->token.is_double = wanted == 16;
    if (parser->at - start - 2 == wanted)
        return true;
    report(parser, "a float written as bits has %u hexadecimal digits, this one %u", wanted,
           parser->at - start - 2);
    return false;
}

/* A decimal float, in the C locale whatever the program's is. */
static bool lex_decimal_float(struct parser *parser, uint32_t start)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        report(parser, "decimal float cannot be read");
        return false;
    }
    char *end = NULL;
    double value = strtod_l(parser->text + start, &end, plain);
    freelocale(plain);
    parser->at = (uint32_t)(end - parser->text);
    parser->token.kind = TOKEN_FLOAT;
    parser->token.is_double = true;
    memcpy(&parser->token.value, &value, sizeof value);
    return true;
}

static bool is_decimal_float(const struct parser *parser, uint32_t at)
{
    while (is_class(parser->text[at], DIGIT_CHAR))
        at++;
    char c = parser->text[at], next = parser->text[at + 1];
    if (c == '.')
        return true;
    return (c == 'e' || c == 'E') &&
           (is_class(next, DIGIT_CHAR) ||
            ((next == '+' || next == '-') && is_class(parser->text[at + 2], DIGIT_CHAR)));
}

bool lexer_before_float(const struct parser *parser)
{
    uint32_t at = parser->at;
    while (parser->text[at] == ' ' || parser->text[at] == '\t')
        at++;
    const char *text = parser->text + at;
    if (text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL)
        return true;
    return is_class(text[0], DIGIT_CHAR) && is_decimal_float(parser, at);
}

static bool lex_integer(struct parser *parser, uint32_t start)
{
    static const struct {
        char mark;
        uint8_t base;
    } prefixes[] = {{'x', 16}, {'X', 16}, {'b', 2}, {'B', 2}};
    unsigned base = 10, skip = 0;
    if (parser->text[start] == '0') {
        base = 8;
        for (size_t i = 0; i < COUNT_OF(prefixes); i++)
            if (parser->text[start + 1] == prefixes[i].mark) {
                base = prefixes[i].base;
                skip = 2;
            }
    }
    parser->token.kind = TOKEN_INTEGER;
    bool fits = lex_digits(parser, base, start + skip);
    bool empty = parser->at == start + skip;
    if (parser->text[parser->at] == 'U') {
        parser->token.is_unsigned = true;
        parser->at++;
    }
    if (empty || is_class(parser->text[parser->at], NAME_CHAR)) {
        while (is_class(parser->text[parser->at], NAME_CHAR))
            parser->at++;
        parser->token.size = parser->at - start;
        report(parser, "%s is not a number", token_shown(parser));
        return false;
    }
    if (!fits)
        report(parser, "number does not fit in 64 bits");
    if (parser->token.value > INT64_MAX)
        parser->token.is_unsigned = true;
    return fits;
}

static bool lex_number(struct parser *parser, uint32_t start)
{
    const char *text = parser->text + start;
    if (text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL)
        return lex_float_bits(parser, start);
    if (is_decimal_float(parser, start))
        return lex_decimal_float(parser, start);
    return lex_integer(parser, start);
}

static bool lex_string(struct parser *parser, uint32_t start)
{
    uint32_t at = start + 1;
    for (; at < parser->size && parser->text[at] != '"' && parser->text[at] != '\n'; at++)
        if (parser->text[at] == '\\' && at + 1 < parser->size && parser->text[at + 1] != '\n')
            at++;
    bool closed = at < parser->size && parser->text[at] == '"';
    parser->at = at + closed;
    parser->token.kind = TOKEN_STRING;
    if (!closed)
        report(parser, "string is not closed");
    return closed;
}

static bool lex_punctuation(struct parser *parser, uint32_t start)
{
    static const struct {
        char text[3];
        int kind;
    } pairs[] = {{"<<", TOKEN_SHIFT_LEFT}, {">>", TOKEN_SHIFT_RIGHT},  {"&&", TOKEN_AND_AND},
                 {"||", TOKEN_OR_OR},      {"==", TOKEN_EQUAL},        {"!=", TOKEN_NOT_EQUAL},
                 {"<=", TOKEN_LESS_EQUAL}, {">=", TOKEN_GREATER_EQUAL}};
    const char *text = parser->text + start;
    char c = text[0];
    if (text[1] == c || text[1] == '=')
        for (size_t i = 0; i < COUNT_OF(pairs); i++)
            if (pairs[i].text[0] == c && pairs[i].text[1] == text[1]) {
                parser->at = start + 2;
                parser->token.kind = pairs[i].kind;
                return true;
            }
    parser->at = start + 1;
    if (is_class(c, PUNCTUATION)) {
        parser->token.kind = (unsigned char)c;
        parser->braces += (c == '{') - (c == '}');
        return true;
    }
    if (c > ' ' && c < 0x7f)
        report(parser, "`%c` does not belong in PTX", c);
    else
        report(parser, "byte 0x%02x does not belong in PTX", (unsigned)(unsigned char)c);
    return false;
}

void lexer_next(struct parser *parser)
{
    parser->previous_end = parser->token.offset + parser->token.size;
    skip_space(parser);
    uint32_t start = parser->at;
    struct token *token = &parser->token;
    *token = (struct token){.kind = TOKEN_END, .offset = start, .line = parser->line};
    if (start >= parser->size)
        return;
    char c = parser->text[start];
    bool good = true;
    if (is_class(c, NAME_START) && (c != '%' || is_class(parser->text[start + 1], NAME_CHAR)))
        lex_name(parser, start);
    else if (c == '.' && is_class(parser->text[start + 1], WORD_CHAR))
        lex_dot_word(parser, start);
    else if (is_class(c, DIGIT_CHAR))
        good = lex_number(parser, start);
    else if (c == '"')
        good = lex_string(parser, start);
    else
        good = lex_punctuation(parser, start);
    if (!good)
        token->kind = TOKEN_BAD;
    token->size = parser->at - start;
}

void lexer_skip_braces(struct parser *parser)
{
    unsigned depth = 1;
    const char *text = parser->text;
    while (parser->at < parser->size) {
        skip_space(parser);
        char c = text[parser->at];
        if (parser->at >= parser->size)
            break;
        if (c == '"') {
            struct token saved = parser->token;
            parser->token.offset = parser->at;
            parser->token.line = parser->line;
            lex_string(parser, parser->at);
            parser->token = saved;
            continue;
        }
        parser->at++;
        depth += c == '{';
        depth -= c == '}';
        if (depth == 0) {
            parser->braces--;
            return;
        }
    }
}
