/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler messages.  Understood are the two shapes
 *     file:line:column: error: text        (clang, gcc)
 *     file(line): error: text              (nvcc's front end)
 * with error, fatal error, warning and note; other lines belong to the message before and are dropped.  When a compiler fails without
 * such a line, the last lines that it wrote are the message.
 */
#include "source/messages.h"

#include <string.h>

struct kind {
    const char *text;
    enum severity severity;
};

static const struct kind kinds[] = {
    {"fatal error", SEVERITY_ERROR}, {"error", SEVERITY_ERROR},
    {"warning", SEVERITY_WARNING},   {"note", SEVERITY_NOTE},
    {"catastrophic error", SEVERITY_ERROR}, {"remark", SEVERITY_NOTE},
};

/* "error: " or nvcc's "error #20: " at `at`; the text after it, or NULL. */
static const char *read_kind(const char *at, enum severity *severity)
{
    for (unsigned i = 0; i < COUNT_OF(kinds); i++) {
        size_t size = strlen(kinds[i].text);
        if (strncmp(at, kinds[i].text, size) != 0)
            continue;
        const char *after = at + size;
        if (after[0] == ' ' && after[1] == '#')
            after += strcspn(after, ":");
        if (*after != ':')
            continue;
        *severity = kinds[i].severity;
        return after + 1 + (after[1] == ' ');
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number and moves on; 0 if there is none. */
static uint32_t read_number(const char **at)
{
    uint32_t value = 0;
    while (is_digit(**at) && value < 100000000)
        value = value * 10 + (uint32_t)(*(*at)++ - '0');
    return value;
}

/* Finds "...:12:5: error: text" or "...(12): error: text" in a line; the text, or NULL. */
static const char *read_message(const char *line, struct place *place, size_t *file_size,
                                enum severity *severity)
{
    for (const char *at = line + 1; *at != '\0' && *line != ' '; at++) {
        const char *after = at + 1, *text;
        if ((*at != ':' && *at != '(') || !is_digit(*after))
            continue;
        place->line = read_number(&after);
        place->column = 0;
        if (*at == '(') {
            if (after[0] != ')' || after[1] != ':')
                continue;
            after += 2;
        } else {
            if (*after++ != ':')
                continue;
            if (is_digit(*after)) {
                place->column = read_number(&after);
                if (*after++ != ':')
                    continue;
            }
        }
        text = read_kind(after + (*after == ' '), severity);
        if (text != NULL) {
            *file_size = (size_t)(at - line);
            return text;
        }
    }
    return NULL;
}

static void add_last_lines(struct arena *arena, const struct source_unit *unit, const char *program,
                           const struct process_result *result, struct diagnostic_list *diagnostics)
{
    const char *text = result->err.data, *end = text + result->err.size, *start = end;
    for (unsigned lines = 0; start > text && lines < 4; start--)
        lines += start[-1] == '\n' && start != end;
    while (start < end && *start == '\n')
        start++;
    while (end > start && end[-1] == '\n')
        end--;
    diagnostic_add(diagnostics, SEVERITY_ERROR, (struct place){.file = unit->path},
                   result->exit_code < 0 ? "`%s` crashed" : "`%s` failed with exit status %d", program,
                   result->exit_code);
    if (end == start)
        return;
    char *words = arena_text(arena, start, (size_t)(end - start));
    for (char *at = words; *at != '\0'; at++)
        if (*at == '\n')
            *at = ' ';
    diagnostic_help(diagnostics, "it wrote: %s", words);
}

/* The word of the source at a place; 0: none. */
static size_t word_at(const struct source_unit *unit, struct place place, const char **word)
{
    const char *line = unit->text;
    for (uint32_t number = 1; number < place.line && line != NULL; number++) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    if (line == NULL || place.column == 0 || strcspn(line, "\n") < place.column)
        return 0;
    *word = line + place.column - 1;
    return strspn(*word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

/* A contract macro that does not exist is no name to the compiler, which then complains of something else. */
static void suggest_macro(struct arena *arena, const struct source_unit *unit, struct place place, struct diagnostic_list *diagnostics)
{
    static const char *const macros[] = {"LW_SHAPE", "LW_PITCHED", "LW_VALUES", "LW_DISJOINT", "LW_WRITES_ALL", "LW_REDUCES", "LW_MAY_ALIAS",
                                         "LW_REQUIRES", "LW_BLOCK", "LW_BLOCK_MULTIPLE", "LW_BLOCK_MAX", "LW_DOMAIN", "LW_SHARED_BYTES",
                                         "LW_UNCHECKED_INDEXING", "LW_FOR", "LW_REFERENCE"};
    const char *word;
    size_t size = unit->text == NULL ? 0 : word_at(unit, place, &word);
    if (size < 4 || size > 40 || strncmp(word, "LW_", 3) != 0)
        return;
    struct text_guess guess = text_guess_begin(arena_text(arena, word, size));
    for (unsigned i = 0; i < COUNT_OF(macros); i++) {
        if (strlen(macros[i]) == size && strncmp(word, macros[i], size) == 0) {
            if (strstr(unit->text, "lanewise/contract.h") == NULL)
                diagnostic_help(diagnostics, "`%s` comes from `#include <lanewise/contract.h>`", macros[i]);
            return;
        }
        text_guess_try(&guess, macros[i]);
    }
    if (guess.best != NULL)
        diagnostic_help(diagnostics, "did you mean `%s`?", guess.best);
}

void messages_add(struct arena *arena, const struct source_unit *unit, const char *program,
                  const struct process_result *result, struct diagnostic_list *diagnostics)
{
    uint32_t errors_before = diagnostics->errors;
    char *copy = arena_text(arena, result->err.data, result->err.size);
    for (char *line = copy; *line != '\0';) {
        size_t size = strcspn(line, "\n"), file_size;
        char *next = line + size + (line[size] == '\n');
        enum severity severity;
        struct place place = {0};
        line[size] = '\0';
        const char *text = size == 0 ? NULL : read_message(line, &place, &file_size, &severity);
        if (text != NULL) {
            place.file = source_shown_path(arena, unit, arena_text(arena, line, file_size));
            diagnostic_add(diagnostics, severity, place, "%s", text);
            if (severity == SEVERITY_ERROR && strcmp(place.file, unit->path) == 0)
                suggest_macro(arena, unit, place, diagnostics);
        } else if ((text = read_kind(text_starts_with(line, "clang") ? line + strcspn(line, " ") + 1
                                                                     : line,
                                     &severity)) != NULL) {
            /* "clang-19: error: unknown argument" */
            diagnostic_add(diagnostics, severity, (struct place){.file = unit->path}, "%s: %s",
                           program, text);
        }
        line = next;
    }
    if (result->exit_code != 0 && diagnostics->errors == errors_before)
        add_last_lines(arena, unit, program, result, diagnostics);
}
