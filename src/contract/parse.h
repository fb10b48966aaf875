/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parser of contract expressions and its complaints about operands share.
 */
#ifndef LANEWISE_CONTRACT_PARSE_H
#define LANEWISE_CONTRACT_PARSE_H

#include "contract/contract.h"

enum {
    PARSE_TEXT = 4096, /* bytes of one expression */
    PARSE_NODES = 512, /* of one expression: bounds the depth of every walk over it */
    PARSE_DEPTH = 64   /* parentheses and signs inside each other */
};

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_WRONG };

struct token {
    enum token_kind kind;
    const char *text;        /* zero-terminated copy */
    const char *start, *end; /* in the parser's text */
    struct place place;
};

struct parser {
    struct contract *contract;
    struct diagnostic_list *diagnostics;
    const char *at, *end; /* text not read yet */
    struct place place;   /* of `at` */
    struct token token;   /* the one to look at */
    const char *last;     /* end of the token before it */
    uint32_t nodes, depth;
    bool failed;
};

/* lexer.c */
void parse_next(struct parser *parser);
/* The value of a TOKEN_NUMBER; false with a diagnostic. */
bool parse_number(struct parser *parser, contract_integer *value);
bool parse_is_sign(const struct parser *parser, const char *sign);
/* Text of [start, end) with runs of blanks, comments and line ends made one blank. */
const char *parse_normalise(struct arena *arena, const char *start, const char *end);

/* parse_operand.c: TOKEN_NAME to a node; CONTRACT_NONE with a diagnostic. */
uint32_t parse_operand(struct parser *parser);
/* The current token as the name of an array: index of the parameter, the token is left behind; CONTRACT_NONE with a diagnostic, in
 * which `user` wants the name ("`len`").  takes_struct: a struct with one pointer will do. */
uint32_t parse_array_name(struct parser *parser, const char *user, bool takes_struct);

/* parse.c.  Adds a diagnostic unless there was one for this text already; the help line may be NULL. */
uint32_t parse_fail(struct parser *parser, struct place place, const char *message,
                    const char *help);
uint32_t parse_add(struct parser *parser, enum contract_node_kind kind, uint32_t operand,
                   contract_integer value, uint32_t left, uint32_t right);

#endif
