/* SPDX-License-Identifier: Apache-2.0
 *
 * The option table, for the parser (options.c) and for what is printed from it (help.c).
 */
#ifndef LANEWISE_CLI_OPTIONS_H
#define LANEWISE_CLI_OPTIONS_H

#include "cli/cli.h"

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_LEVEL,  /* const char *: one digit */
    OPTION_COUNT,  /* uint64_t */
    OPTION_SIZE,   /* uint64_t with K, M, G */
    OPTION_CHOICE, /* int: index into `choices` */
    OPTION_FILES,  /* a vector of struct named_file */
    OPTION_TEXTS   /* text_list */
};

struct option_info {
    const char *name;
    char letter;      /* 0: none */
    const char *meta; /* what its value is called; NULL for a flag */
    uint32_t commands; /* bit set of enum command_id */
    enum option_kind kind;
    size_t offset; /* in struct cli_options */
    const char *const *choices;
    const char *help; /* lower case, no full stop */
};
extern const struct option_info cli_option_table[];
extern const unsigned cli_option_count;

#endif
