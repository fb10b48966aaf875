// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

// required.tsv: a line `form` or `form<TAB>why no test executes it`, sorted by form.
bool coverage_read(struct coverage *coverage, const char *directory)
{
    *coverage = (struct coverage){0};
    char path[1024];
    snprintf(path, sizeof path, "%s/required.tsv", directory);
    coverage->text = opcode_file_read(path, NULL);
    coverage->opcodes = calloc(PTX_OP_COUNT, sizeof *coverage->opcodes);
    size_t lines = 0;
    for (const char *at = coverage->text; at && *at; at++)
        lines += *at == '\n';
    coverage->forms = calloc(lines + 1, sizeof *coverage->forms);
    if (!coverage->text || !coverage->opcodes || !coverage->forms) {
        fprintf(stderr, "%s: error: cannot be read\n", path);
        coverage_free(coverage);
        return false;
    }
    for (char *line = coverage->text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        char *tab = strchr(line, '\t');
        if (tab)
            *tab++ = 0;
        if (line[0] && line[0] != '#')
            coverage->forms[coverage->count++] =
                (struct coverage_form){.name = line, .reason = tab};
        line = end;
    }
    return true;
}

void coverage_free(struct coverage *coverage)
{
    free(coverage->text);
    free(coverage->forms);
    free(coverage->opcodes);
    *coverage = (struct coverage){0};
}

static void opcode_add(struct coverage *coverage, const char *name, size_t length)
{
    for (size_t i = 0; i < coverage->count; i++)
        if (strlen(coverage->forms[i].name) == length &&
            memcmp(coverage->forms[i].name, name, length) == 0)
            coverage->forms[i].tests++;
    size_t base = 0;
    while (base < length && name[base] != '.')
        base++;
    coverage->opcodes[ptx_op_find(name, base)]++;
}

// Where the statement that starts with the directive `word` ends.
static const char *directive_skip(const char *word)
{
    static const char *const of_a_line[] = {".version", ".target", ".address_size"};
    static const char *const before_a_body[] = {".visible .entry", ".func"};
    for (size_t i = 0; i < sizeof of_a_line / sizeof *of_a_line; i++)
        if (strncmp(word, of_a_line[i], strlen(of_a_line[i])) == 0)
            return word + strcspn(word, "\n");
    for (size_t i = 0; i < sizeof before_a_body / sizeof *before_a_body; i++)
        if (strncmp(word, before_a_body[i], strlen(before_a_body[i])) == 0)
            return word + strcspn(word, "{;");
    return word + strcspn(word, ";");
}

// Counts the opcodes of a text of statements: the first word of each, behind its label and guard.
static void text_add(struct coverage *coverage, const char *text)
{
    static const char blanks[] = " \t\n;{}";
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        size_t length = strcspn(at, " \t\n;");
        if (strncmp(at, "//", 2) == 0)
            at += strcspn(at, "\n");
        else if (at[0] == '.')
            at = directive_skip(at);
        else if (at[0] == '@' || at[length - 1] == ':')
            at += length; // the statement goes on
        else {
            opcode_add(coverage, at, length);
            at += strcspn(at, ";");
        }
    }
}

// Of a file written by hand: what all its kernels share, before the first, and the kernel itself.
static void hand_add(struct coverage *coverage, const char *name, char *text)
{
    size_t length = strlen(name);
    char *next = NULL;
    bool mine = true;
    for (char *part = text; part; part = next) {
        next = strstr(part, "//: ");
        if (next)
            *next = 0;
        if (mine)
            text_add(coverage, part);
        if (!next)
            return;
        next += strlen("//: ");
        mine = strncmp(next, name, length) == 0 && next[length] == ' ';
        next += strcspn(next, "\n");
    }
}

void coverage_add(struct coverage *coverage, const struct opcode_form *form, const char *directory)
{
    if (!form->hand) {
        text_add(coverage, form->template);
        return;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/hand/%s", directory, form->template);
    char *text = opcode_file_read(path, NULL);
    if (text)
        hand_add(coverage, form->name, text);
    free(text);
}

bool coverage_report(const struct coverage *coverage, FILE *file)
{
    size_t executed = 0, excused = 0, bad = 0;
    for (size_t i = 0; i < coverage->count; i++) {
        const struct coverage_form *form = &coverage->forms[i];
        if (form->tests > 0)
            executed++;
        if (form->reason && form->tests == 0)
            excused++;
        if ((form->tests > 0) == (form->reason != NULL))
            bad++;
        fprintf(file, "form\t%s\t%u%s%s\n", form->name, form->tests, form->reason ? "\t" : "",
                form->reason ? form->reason : "");
    }
    unsigned rows = 0, tested = 0;
    for (unsigned op = 0; op < PTX_OP_OPAQUE; op++) {
        rows++;
        tested += coverage->opcodes[op] > 0;
        fprintf(file, "opcode\t%s\t%u\n", ptx_op_info((enum ptx_op)op)->name,
                coverage->opcodes[op]);
    }
    fprintf(file,
            "%zu of %zu required forms executed by a passing test, %zu left out with a reason, %zu "
            "not as listed\n",
            executed, coverage->count, excused, bad);
    fprintf(file, "%u of %u rows of the opcode table executed by a passing test\n", tested, rows);
    return bad == 0;
}
