/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of clang, which the reader of contracts needs too: both must see the same program.
 */
#ifndef LANEWISE_SOURCE_COMPILE_H
#define LANEWISE_SOURCE_COMPILE_H

#include "source/source.h"

struct command {
    struct arena *arena;
    VEC(const char *) words;
};

void command_add(struct command *command, const char *word);
/* Splits as a shell does: blanks, quotes, backslashes; nothing else has a meaning. False when a quote is not closed. */
bool command_add_flags(struct command *command, const char *flags);
/* CUDA, device side, with Lanewise's own headers in place of a toolkit's; options->data is not NULL. */
void command_add_language(struct command *command, const struct source_options *options);
/* Of flags that are nvcc's, those that decide what the text means and that clang knows too. */
void command_add_nvcc_flags(struct command *command, const struct command *flags);
/* Our folders of headers; after the user's own, so that a project's headers win. */
void command_add_folders(struct command *command, const struct source_options *options);

#endif
