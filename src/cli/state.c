/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of `lanewise test --state`: "clean KEY NUMBER" for each launch that showed nothing.  KEY is made of the kernel's code and of
 * what decides its plan, so lines of another version are not for us.  A line is written whole and at once; one that a kill cut off is
 * ignored.  Launches that showed something are run again: they are few, and their findings must be in the report.
 */
#include "cli/test.h"

#include <errno.h>
#include <string.h>

bool state_begin(struct cli *cli, struct test_state *state)
{
    const char *path = cli->options.state;
    memset(state, 0, sizeof *state);
    text_map_init(&state->clean, cli->arena);
    if (path == NULL)
        return true;
    char *text = file_read(cli->arena, path, NULL);
    if (text == NULL && errno != ENOENT) {
        cli_complain(cli, NULL, "cannot read `%s`: %s", path, strerror(errno));
        return false;
    }
    bool is_cut = false;
    for (char *line = text, *end; line != NULL && *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        is_cut = end == NULL;
        if (is_cut)
            break;
        if (text_starts_with(line, "clean ")) {
            text_map_set(&state->clean, line + 6, (size_t)(end - line - 6), 1);
        } else if (end != line && !text_starts_with(line, "c")) {
            cli_complain(cli, "give a file of its own: it is written to", "`%s` is no state of a test", path);
            return false;
        }
    }
    state->file = fopen(path, "ab");
    if (state->file == NULL) {
        cli_complain(cli, NULL, "cannot write `%s`: %s", path, strerror(errno));
        return false;
    }
    if (is_cut)
        fputc('\n', state->file);
    return true;
}

void state_end(struct test_state *state)
{
    if (state->file != NULL)
        fclose(state->file);
    state->file = NULL;
}

static int make_key(const struct test_state *state, uint32_t number, char key[64])
{
    return snprintf(key, 64, "%s %u", state->key, number);
}

bool state_was_clean(const struct test_state *state, uint32_t number)
{
    char key[64];
    int size = make_key(state, number, key);
    return state->file != NULL && text_map_find(&state->clean, key, (size_t)size) != TEXT_MAP_NONE;
}

void state_add(struct test_state *state, uint32_t number)
{
    char key[64];
    if (state->file == NULL)
        return;
    make_key(state, number, key);
    fprintf(state->file, "clean %s\n", key);
    fflush(state->file);
}
