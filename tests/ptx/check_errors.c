/* SPDX-License-Identifier: Apache-2.0
 *
 * check_errors FILE...: parses files full of errors and compares the diagnostics with the comments in them,
 * `// error COLUMN: MESSAGE` on the line of the error.  Each file must give exactly these.
 */
#include "ptx/ptx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct expectation {
    uint32_t line, column;
    const char *message;
    bool met;
};

typedef VEC(struct expectation) expectation_list;

static void read_expectations(struct arena *arena, const char *text, expectation_list *list)
{
    uint32_t line = 1;
    for (const char *at = text; *at != '\0'; line++) {
        size_t size = strcspn(at, "\n");
        char *copy = arena_text(arena, at, size);
        char *mark = strstr(copy, "// error ");
        if (mark == NULL)
            mark = strstr(copy, "/* error "); /* about comments themselves */
        char *end = NULL;
        unsigned long column = mark == NULL ? 0 : strtoul(mark + strlen("// error "), &end, 10);
        if (mark != NULL && end[0] == ':' && end[1] == ' ')
            *vec_push(arena, list) =
                (struct expectation){.line = line, .column = (uint32_t)column, .message = end + 2};
        at += size + (at[size] == '\n');
    }
}

static bool meet(expectation_list *list, const struct diagnostic *diagnostic)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct expectation *expectation = &list->data[i];
        if (!expectation->met && expectation->line == diagnostic->place.line &&
            expectation->column == diagnostic->place.column &&
            strcmp(expectation->message, diagnostic->message) == 0) {
            expectation->met = true;
            return true;
        }
    }
    return false;
}

static unsigned check_file(struct arena *arena, const char *path)
{
    size_t size;
    unsigned wrong = 0;
    struct diagnostic_list diagnostics;
    expectation_list expectations = {0};
    char *text = file_read(arena, path, &size);
    if (text == NULL) {
        printf("%s: %s\n", path, strerror(errno));
        return 1;
    }
    read_expectations(arena, text, &expectations);
    diagnostic_list_init(&diagnostics, arena);
    ptx_parse(arena, path, text, size, &diagnostics);
    for (uint32_t i = 0; i < diagnostics.items.count; i++) {
        const struct diagnostic *diagnostic = &diagnostics.items.data[i];
        if (meet(&expectations, diagnostic))
            continue;
        printf("%s:%u: unexpected: // error %u: %s\n", path, diagnostic->place.line,
               diagnostic->place.column, diagnostic->message);
        wrong++;
    }
    for (uint32_t i = 0; i < expectations.count; i++) {
        if (expectations.data[i].met)
            continue;
        printf("%s:%u: missing: // error %u: %s\n", path, expectations.data[i].line,
               expectations.data[i].column, expectations.data[i].message);
        wrong++;
    }
    if (expectations.count == 0) {
        printf("%s: expects no error\n", path);
        wrong++;
    }
    printf("%s: %u errors as expected\n", path, expectations.count - wrong);
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned wrong = 0;
    for (int i = 1; i < argc; i++) {
        struct arena arena;
        arena_init(&arena);
        wrong += check_file(&arena, argv[i]);
        arena_free(&arena);
    }
    return wrong != 0 || argc < 2;
}
