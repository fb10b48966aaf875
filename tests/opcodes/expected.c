// SPDX-License-Identifier: Apache-2.0
//
// The files of recorded results. One form is a line `form NAME HASH INSTRUCTIONS` and one line a value of the thread:
// its name, then the results of all threads in hexadecimal, `v*n` for n equal ones. Predicates are packed, 32 threads a
// word, the first thread lowest.
#include "opcodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void opcode_values_gather(const struct opcode_form *form, const unsigned char *output,
                          uint64_t *values)
{
    size_t stride = opcode_output_stride(form);
    unsigned count = opcode_value_count(form);
    for (unsigned thread = 0; thread < form->threads; thread++) {
        for (unsigned value = 0; value < count; value++) {
            struct opcode_type type = opcode_value_type(form, value);
            unsigned bytes = type.register_bits == 1 ? 4 : type.register_bits / 8;
            uint64_t word = 0;
            for (unsigned i = 0; i < bytes; i++)
                word |= (uint64_t)output[thread * stride + value * 8 + i] << (8 * i);
            values[thread * count + value] = word;
        }
    }
}

static uint64_t word_read(const struct opcode_form *form, const uint64_t *values, unsigned value,
                          unsigned index, bool packed)
{
    unsigned count = opcode_value_count(form);
    if (!packed)
        return values[index * count + value];
    uint64_t word = 0;
    for (unsigned i = 0; i < 32 && index * 32 + i < form->threads; i++)
        word |= (values[(index * 32 + i) * count + value] & 1) << i;
    return word;
}

void opcode_expected_write(FILE *file, const struct opcode_form *form, const uint64_t *values)
{
    fprintf(file, "form\t%s\t%08" PRIx32 "\t%s\n", form->name, form->hash, form->template);
    for (unsigned value = 0; value < opcode_value_count(form); value++) {
        bool packed = opcode_value_type(form, value).kind == OPCODE_PRED;
        unsigned words = packed ? (form->threads + 31) / 32 : form->threads;
        fprintf(file, "%c\t", opcode_value_name(form, value));
        for (unsigned index = 0; index < words;) {
            uint64_t word = word_read(form, values, value, index, packed);
            unsigned run = 1;
            while (index + run < words &&
                   word_read(form, values, value, index + run, packed) == word)
                run++;
            bool many = run > 2;
            fprintf(file, "%s%" PRIx64, index ? " " : "", word);
            if (many)
                fprintf(file, "*%u", run);
            index += many ? run : 1;
        }
        fputc('\n', file);
    }
}

static bool values_read(const struct opcode_form *form, unsigned value, const char *text,
                        uint64_t *values)
{
    unsigned count = opcode_value_count(form);
    bool packed = opcode_value_type(form, value).kind == OPCODE_PRED;
    unsigned words = packed ? (form->threads + 31) / 32 : form->threads, index = 0;
    while (*text) {
        char *end;
        uint64_t word = strtoull(text, &end, 16);
        unsigned long run = 1;
        if (end == text)
            return false;
        if (*end == '*')
            run = strtoul(end + 1, &end, 10);
        for (; run > 0; run--, index++) {
            if (index == words)
                return false;
            for (unsigned i = 0; i < (packed ? 32 : 1); i++) {
                unsigned thread = packed ? index * 32 + i : index;
                if (thread < form->threads)
                    values[thread * count + value] = packed ? word >> i & 1 : word;
            }
        }
        text = *end == ' ' ? end + 1 : end;
        if (*end && *end != ' ')
            return false;
    }
    return index == words;
}

// Searches from `start`, round the end: the files have the order of the table.
static size_t form_find(const struct opcode_table *table, const char *section, const char *name,
                        size_t start)
{
    for (size_t i = 0; i < table->count; i++) {
        size_t at = (start + i) % table->count;
        if (strcmp(table->forms[at].name, name) == 0 &&
            strcmp(table->forms[at].section, section) == 0)
            return at;
    }
    return table->count;
}

struct section_reader {
    const struct opcode_table *table;
    const char *section;
    struct opcode_expected *rows;
    struct opcode_expected *row; // being filled, NULL if the form is unknown or has changed
    unsigned value;
    size_t next; // where the next form is expected in the table
};

static bool form_line_read(struct section_reader *reader, char *line)
{
    char *name = line + 5, *hash = strchr(name, '\t');
    if (!hash)
        return false;
    *hash++ = 0;
    reader->row = NULL;
    reader->value = 0;
    size_t index = form_find(reader->table, reader->section, name, reader->next);
    if (index == reader->table->count)
        return true;
    reader->next = index + 1;
    const struct opcode_form *form = &reader->table->forms[index];
    if ((uint32_t)strtoul(hash, NULL, 16) != form->hash)
        return true;
    reader->row = &reader->rows[index];
    if (reader->row->values)
        return false;
    reader->row->form = form;
    reader->row->values =
        calloc((size_t)form->threads * opcode_value_count(form) + 1, sizeof(uint64_t));
    return reader->row->values != NULL;
}

static bool section_read(struct section_reader *reader, char *text)
{
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        if (strncmp(line, "form\t", 5) == 0) {
            if (!form_line_read(reader, line))
                return false;
        } else if (line[0] != '#' && reader->row) {
            const struct opcode_form *form = reader->row->form;
            if (line[0] == 0 || line[1] != '\t' || reader->value >= opcode_value_count(form) ||
                line[0] != opcode_value_name(form, reader->value) ||
                !values_read(form, reader->value, line + 2, reader->row->values))
                return false;
            reader->value++;
        }
        line = end ? end + 1 : NULL;
    }
    return true;
}

bool opcode_expected_read(const struct opcode_table *table, const char *directory,
                          struct opcode_expected *rows)
{
    bool good = true;
    const char *section = "";
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(section, table->forms[i].section) == 0)
            continue;
        section = table->forms[i].section;
        char path[1024];
        snprintf(path, sizeof path, "%s/expected/%s.tsv", directory, section);
        char *text = opcode_file_read(path, NULL);
        if (!text)
            continue;
        struct section_reader reader = {
            .table = table, .section = section, .rows = rows, .next = i};
        if (!section_read(&reader, text)) {
            fprintf(stderr, "%s: error: damaged near a line of value %u\n", path, reader.value);
            good = false;
        }
        free(text);
    }
    return good;
}
