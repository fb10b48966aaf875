/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens of contract expressions, read from the user's source as it stands there: comments, line ends and continued lines are
 * blanks, and every token has its line and column.
 */
#include "contract/parse.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* How many bytes at `at` are blank: white space, a continued line, or a whole comment; 0: none. */
static size_t blank_size(const char *at, const char *end)
{
    const char *start = at;
    if (at == end)
        return 0;
    if (strchr(" \t\r\n\v\f", *at) != NULL && *at != '\0')
        return 1;
    if (end - at < 2)
        return 0;
    if (at[0] == '\\' && (at[1] == '\n' || at[1] == '\r'))
        return 2;
    if (at[0] == '/' && at[1] == '/') {
        while (at < end && *at != '\n')
            at++;
        return (size_t)(at - start);
    }
    if (at[0] == '/' && at[1] == '*') {
        for (at += 2; end - at >= 2; at++)
            if (at[0] == '*' && at[1] == '/')
                return (size_t)(at + 2 - start);
        return (size_t)(end - start);
    }
    return 0;
}

static void step(struct parser *parser, size_t size)
{
    for (; size > 0; size--, parser->at++) {
        if (parser->place.line == 0 || parser->place.column == 0)
            continue; /* an unknown place stays unknown */
        if (*parser->at == '\n') {
            parser->place.line++;
            parser->place.column = 1;
        } else {
            parser->place.column++;
        }
    }
}

/* Names have their qualifiers: view.rows, config::tile. */
static size_t name_size(const char *at, const char *end)
{
    const char *start = at;
    for (;;) {
        while (at < end && is_word(*at))
            at++;
        if (end - at >= 2 && at[0] == '.' && is_word(at[1]) && !is_digit(at[1]))
            at++;
        else if (end - at >= 3 && at[0] == ':' && at[1] == ':' && is_word(at[2]) &&
                 !is_digit(at[2]))
            at += 2;
        else
            return (size_t)(at - start);
    }
}

/* Digits, letters, points and C++'s separators, as C's preprocessor reads numbers. */
static size_t number_size(const char *at, const char *end)
{
    const char *start = at;
    while (at < end &&
           (is_word(*at) || *at == '.' || (*at == '\'' && end - at >= 2 && is_word(at[1])) ||
            ((*at == '+' || *at == '-') && strchr("eEpP", at[-1]) != NULL &&
             !(start[0] == '0' && (start[1] | 0x20) == 'x' && (at[-1] | 0x20) == 'e'))))
        at++;
    return (size_t)(at - start);
}

static const char *const signs[] = {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->"};

static size_t sign_size(const char *at, const char *end)
{
    for (unsigned i = 0; i < COUNT_OF(signs); i++)
        if (end - at >= 2 && memcmp(at, signs[i], 2) == 0)
            return 2;
    return 1;
}

void parse_next(struct parser *parser)
{
    struct token *token = &parser->token;
    size_t size;
    parser->last = token->end;
    while ((size = blank_size(parser->at, parser->end)) != 0)
        step(parser, size);
    token->start = parser->at;
    token->place = parser->place;
    if (parser->at == parser->end) {
        token->kind = TOKEN_END;
        size = 0;
    } else if (is_digit(*parser->at) ||
               (*parser->at == '.' && parser->end - parser->at >= 2 && is_digit(parser->at[1]))) {
        token->kind = TOKEN_NUMBER;
        size = number_size(parser->at, parser->end);
    } else if (is_word(*parser->at)) {
        token->kind = TOKEN_NAME;
        size = name_size(parser->at, parser->end);
    } else if (*parser->at > ' ' && *parser->at <= '~') {
        token->kind = TOKEN_SIGN;
        size = sign_size(parser->at, parser->end);
    } else {
        token->kind = TOKEN_WRONG;
        size = 1;
    }
    token->text = arena_text(parser->contract->arena, parser->at, size);
    step(parser, size);
    token->end = parser->at;
}

bool parse_is_sign(const struct parser *parser, const char *sign)
{
    return parser->token.kind == TOKEN_SIGN && strcmp(parser->token.text, sign) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

static unsigned digit_value(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (unsigned)((c | 0x20) - 'a' + 10) : 99;
}

static bool is_suffix(const char *text)
{
    static const char *const suffixes[] = {"",    "u",   "l", "ul", "lu", "ll",
                                           "ull", "llu", "z", "uz", "zu"};
    for (unsigned i = 0; i < COUNT_OF(suffixes); i++) {
        const char *a = text, *b = suffixes[i];
        while (*a != '\0' && (*a | 0x20) == *b) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0')
            return true;
    }
    return false;
}

bool parse_number(struct parser *parser, contract_integer *value)
{
    const char *text = parser->token.text;
    struct place place = parser->token.place;
    bool is_hex = text[0] == '0' && (text[1] | 0x20) == 'x';
    bool is_binary = text[0] == '0' && (text[1] | 0x20) == 'b';
    unsigned base = is_hex ? 16 : is_binary ? 2 : text[0] == '0' ? 8 : 10;
    contract_integer total = 0;
    const char *at = text + (is_hex || is_binary ? 2 : 0);
    struct arena *arena = parser->contract->arena;
    if (strchr(text, '.') != NULL || strpbrk(text, is_hex      ? "pP"
                                                   : is_binary ? "?"
                                                               : "eEfF") != NULL) {
        parse_fail(parser, place, arena_printf(arena, "`%s` is not an integer", text),
                   "a contract counts in exact integers");
        return false;
    }
    const char *digits = at;
    for (; digit_value(*at) < base || (*at == '\'' && at > digits); at++) {
        if (*at == '\'')
            continue;
        total = total * base + digit_value(*at);
        if (total >> 64 != 0) {
            parse_fail(parser, place, arena_printf(arena, "`%s` is more than 2^64 - 1", text),
                       NULL);
            return false;
        }
    }
    if (at == digits || !is_suffix(at)) {
        parse_fail(parser, place, arena_printf(arena, "`%s` is not a number", text), NULL);
        return false;
    }
    *value = total;
    return true;
}

/* ---- text -------------------------------------------------------------------------------------------- */

const char *parse_normalise(struct arena *arena, const char *start, const char *end)
{
    struct buffer text;
    bool gap = false;
    buffer_init(&text, arena);
    buffer_puts(&text, "");
    while (start < end) {
        size_t size = blank_size(start, end);
        if (size != 0) {
            gap = text.size > 0;
            start += size;
            continue;
        }
        if (gap)
            buffer_putc(&text, ' ');
        gap = false;
        buffer_putc(&text, *start++);
    }
    return text.data;
}
