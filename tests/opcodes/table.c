// SPDX-License-Identifier: Apache-2.0
//
// Reads forms.def and the forms written by hand (hand/*.ptx) into one table. The grammar stands at the head of
// forms.def. Every error names its line; reading goes on so that all errors are seen at once.
#include "opcodes.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 8, ALTERNATIVES = 40, LINE_BYTES = 2048, FILES = 256 };

struct reader {
    struct opcode_table *table;
    const char *file;
    unsigned line;
    char section[64];
    bool hand;
    bool failed;
};

static void reader_error(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%u: error: ", reader->file, reader->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    reader->failed = true;
}

static void *memory_or_abort(void *memory)
{
    if (!memory) {
        fputs("opcode tests: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static char *text_copy(const char *text, size_t length)
{
    char *copy = memory_or_abort(malloc(length + 1));
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

char *opcode_file_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t length = 0, capacity = 4096;
    char *text = memory_or_abort(malloc(capacity));
    for (size_t got; (got = fread(text + length, 1, capacity - 1 - length, file)) > 0;) {
        length += got;
        if (length == capacity - 1)
            text = memory_or_abort(realloc(text, capacity *= 2));
    }
    fclose(file);
    text[length] = 0;
    if (size)
        *size = length;
    return text;
}

// A type is written as in PTX; `2*T` is twice as wide, `T:N` lives in a register of N bits.
bool opcode_type_parse(const char *text, size_t length, struct opcode_type *type)
{
    static const struct {
        const char *name;
        struct opcode_type type;
    } types[] = {
        {"pred", {OPCODE_PRED, 1, false, 1}},      {"b8", {OPCODE_BITS, 8, false, 32}},
        {"u8", {OPCODE_UNSIGNED, 8, false, 32}},   {"s8", {OPCODE_SIGNED, 8, false, 32}},
        {"b16", {OPCODE_BITS, 16, false, 16}},     {"u16", {OPCODE_UNSIGNED, 16, false, 16}},
        {"s16", {OPCODE_SIGNED, 16, false, 16}},   {"b32", {OPCODE_BITS, 32, false, 32}},
        {"u32", {OPCODE_UNSIGNED, 32, false, 32}}, {"s32", {OPCODE_SIGNED, 32, false, 32}},
        {"b64", {OPCODE_BITS, 64, false, 64}},     {"u64", {OPCODE_UNSIGNED, 64, false, 64}},
        {"s64", {OPCODE_SIGNED, 64, false, 64}},   {"f16", {OPCODE_FLOAT, 16, false, 16}},
        {"f32", {OPCODE_FLOAT, 32, false, 32}},    {"f64", {OPCODE_FLOAT, 64, false, 64}},
        {"bf16", {OPCODE_BFLOAT, 16, false, 16}},  {"f16x2", {OPCODE_FLOAT, 16, true, 32}},
        {"tf32", {OPCODE_FLOAT, 32, false, 32}},   {"bf16x2", {OPCODE_BFLOAT, 16, true, 32}},
    };
    bool twice = length > 2 && text[0] == '2' && text[1] == '*';
    if (twice)
        text += 2, length -= 2;
    const char *colon = memchr(text, ':', length);
    size_t name_length = colon ? (size_t)(colon - text) : length;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strlen(types[i].name) != name_length || memcmp(types[i].name, text, name_length) != 0)
            continue;
        *type = types[i].type;
        if (twice) {
            type->bits *= 2;
            type->register_bits = type->bits;
        }
        if (colon)
            type->register_bits = (unsigned)strtoul(colon + 1, NULL, 10);
        return type->register_bits >= type->bits && type->register_bits <= 64;
    }
    return false;
}

static bool style_parse(const char *text, struct opcode_input *input)
{
    static const struct {
        const char *name;
        enum opcode_style style;
    } styles[] = {
        {"edges", STYLE_EDGES},       {"nonzero", STYLE_NONZERO}, {"shift", STYLE_SHIFT},
        {"position", STYLE_POSITION}, {"below", STYLE_BELOW},     {"lane", STYLE_LANE},
        {"segment", STYLE_SEGMENT},   {"span", STYLE_SPAN},       {"fused", STYLE_FUSED},
        {"integer", STYLE_INTEGER},   {"same", STYLE_SAME},
    };
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        if (strlen(styles[i].name) != length || strncmp(styles[i].name, text, length) != 0)
            continue;
        input->style = styles[i].style;
        input->bound = text[length] ? strtod(text + length + 1, NULL) : 0;
        return input->bound > 0 || (input->style != STYLE_BELOW && input->style != STYLE_SPAN);
    }
    return false;
}

static bool memory_parse(const char *text, enum opcode_memory *memory)
{
    static const char *const names[] = {
        [MEMORY_GLOBAL] = "global",
        [MEMORY_SHARED] = "shared",
        [MEMORY_LOCAL] = "local",
        [MEMORY_CONST] = "const",
        [MEMORY_PARAM] = "param",
        [MEMORY_GENERIC_GLOBAL] = "generic-global",
        [MEMORY_GENERIC_SHARED] = "generic-shared",
        [MEMORY_GENERIC_LOCAL] = "generic-local",
        [MEMORY_GENERIC_CONST] = "generic-const",
    };
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], text) == 0) {
            *memory = (enum opcode_memory)i;
            return true;
        }
    }
    return false;
}

static void types_parse(struct reader *reader, struct opcode_form *form, char *text)
{
    bool inputs = false;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        struct opcode_type type;
        if (strcmp(word, "=") == 0) {
            inputs = true;
        } else if (!opcode_type_parse(word, strlen(word), &type)) {
            reader_error(reader, "unknown type `%s`", word);
        } else if ((inputs ? form->input_count : form->output_count) == OPCODE_OPERANDS) {
            reader_error(reader, "more than %d operands", OPCODE_OPERANDS);
        } else if (inputs) {
            form->input[form->input_count++].type = type;
        } else {
            form->output[form->output_count++] = type;
        }
    }
}

static void option_parse(struct reader *reader, struct opcode_form *form, const char *word)
{
    static const char operands[] = "abcx";
    const char *value = strchr(word, '=');
    const char *operand = value == word + 1 ? strchr(operands, word[0]) : NULL;
    bool good = true;
    if (strcmp(word, "zero") == 0)
        form->memory_zero = true;
    else if (strcmp(word, "small") == 0)
        form->memory_small = true;
    else if (strcmp(word, "back") == 0)
        form->memory_back = true;
    else if (!value)
        good = false;
    else if (operand)
        good = (unsigned)(operand - operands) < form->input_count &&
               style_parse(value + 1, &form->input[operand - operands]);
    else if (strncmp(word, "n=", 2) == 0)
        form->threads = (unsigned)strtoul(value + 1, NULL, 10);
    else if (strncmp(word, "block=", 6) == 0)
        form->block = (unsigned)strtoul(value + 1, NULL, 10);
    else if (strncmp(word, "mem=", 4) == 0)
        good = memory_parse(value + 1, &form->memory);
    else if (strncmp(word, "m=", 2) == 0)
        good = opcode_type_parse(value + 1, strlen(value + 1), &form->element);
    else
        good = false;
    if (!good)
        reader_error(reader, "unknown option `%s`", word);
}

// A bound is written as a number or as 2^x.
static double bound_parse(const char *text)
{
    if (strncmp(text, "2^", 2) != 0)
        return strtod(text, NULL);
    double exponent = strtod(text + 2, NULL), bound = 1;
    long whole = (long)exponent;
    for (long i = 0; i > whole; i--)
        bound /= 2;
    for (double left = (double)whole - exponent; left > 0.05; left -= 0.1)
        bound /= 1.0717734625362931; // 2^0.1: the manual gives its exponents in tenths
    return bound;
}

static void compare_parse(struct reader *reader, struct opcode_form *form, char *text)
{
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        if (strcmp(word, "bits") == 0)
            form->compare.bits = true;
        else if (strncmp(word, "ulp=", 4) == 0)
            form->compare.ulp = bound_parse(word + 4);
        else if (strncmp(word, "rel=", 4) == 0)
            form->compare.relative = bound_parse(word + 4);
        else if (strncmp(word, "abs=", 4) == 0)
            form->compare.absolute = bound_parse(word + 4);
        else if (strncmp(word, "mask=", 5) == 0)
            form->compare.mask = strtoull(word + 5, NULL, 16);
        else
            reader_error(reader, "unknown comparison `%s`", word);
    }
}

static void defaults_set(struct reader *reader, struct opcode_form *form)
{
    if (form->threads == 0)
        form->threads = form->memory != MEMORY_NONE || form->input_count == 0 ? 32
                        : form->input_count == 1                              ? 64
                                                                              : 128;
    if (form->input_count == 1 && form->memory == MEMORY_NONE && form->threads == 64 &&
        (form->input[0].type.kind == OPCODE_FLOAT || form->input[0].type.kind == OPCODE_BFLOAT))
        form->threads = 128;
    if (form->block == 0)
        form->block = form->threads;
    if (form->threads % form->block != 0 || form->block > 1024)
        reader_error(reader, "%u threads in blocks of %u", form->threads, form->block);
    if (form->element.bits == 0)
        form->element = (struct opcode_type){OPCODE_BITS, 32, false, 32};
}

static uint32_t text_hash(uint32_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619U;
    return hash;
}

// The kernel's name is the first opcode of the section that stands in the template, with a number if it is taken.
static char *name_make(const struct reader *reader, const char *template)
{
    size_t base = strcspn(reader->section, ".");
    const char *start = template[0] == '{' ? reader->section
                                           : template; // of a block without it: the section's name
    for (const char *at = template; *at; at++) {
        bool begins = at == template || at[-1] == ' ' || at[-1] == ';';
        if (begins && strncmp(at, reader->section, base) == 0 &&
            !isalnum((unsigned char)at[base]) && at[base] != '_') {
            start = at;
            break;
        }
    }
    char name[256];
    size_t length = 0;
    for (; start[length] && start[length] != ' ' && start[length] != ';' && length < 200; length++)
        name[length] = isalnum((unsigned char)start[length]) ? start[length] : '_';
    name[length] = 0;
    unsigned copies = 1;
    for (size_t i = reader->table->count; i-- > 0;) {
        const struct opcode_form *other = &reader->table->forms[i];
        if (strcmp(other->section, reader->section) != 0)
            break;
        if (strncmp(other->name, name, length) == 0 &&
            (other->name[length] == 0 || strncmp(other->name + length, "__", 2) == 0))
            copies++;
    }
    if (copies > 1)
        snprintf(name + length, sizeof name - length, "__%u", copies);
    return text_copy(name, strlen(name));
}

// One form: the columns of a line without alternatives.
static void form_add(struct reader *reader, const char *text)
{
    char line[LINE_BYTES];
    snprintf(line, sizeof line, "%s", text);
    char *columns[4] = {line, NULL, NULL, NULL};
    for (unsigned i = 1; i < 4 && columns[i - 1]; i++) {
        bool empty =
            i > 1 && strncmp(columns[i - 1], "| ", 2) == 0; // the separator before took the space
        columns[i] = empty ? columns[i - 1] : strstr(columns[i - 1], " | ");
        if (columns[i]) {
            *columns[i] = 0;
            columns[i] += empty ? 2 : 3;
        }
    }
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';)
        line[--length] = 0;

    struct opcode_form form = {.line = reader->line, .hand = reader->hand};
    form.compare.mask = UINT64_MAX;
    if (columns[1])
        types_parse(reader, &form, columns[1]);
    if (columns[2])
        for (char *word = strtok(columns[2], " "); word; word = strtok(NULL, " "))
            option_parse(reader, &form, word);
    if (columns[3])
        compare_parse(reader, &form, columns[3]);
    defaults_set(reader, &form);
    form.hash = text_hash(2166136261U, text);
    form.name = reader->hand ? text_copy(line, strlen(line)) : name_make(reader, line);
    form.template = reader->hand ? text_copy(reader->file, strlen(reader->file))
                                 : text_copy(line, strlen(line));
    form.section = text_copy(reader->section, strlen(reader->section));

    struct opcode_table *table = reader->table;
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? table->capacity * 2 : 1024;
        table->forms =
            memory_or_abort(realloc(table->forms, table->capacity * sizeof *table->forms));
    }
    table->forms[table->count++] = form;
}

struct group {
    const char *alternative[ALTERNATIVES];
    size_t length[ALTERNATIVES];
    unsigned count, chosen;
};

static unsigned groups_find(struct reader *reader, const char *line, struct group *groups)
{
    unsigned count = 0;
    for (const char *open = strchr(line, '<'); open && count < GROUPS;
         open = strchr(open + 1, '<')) {
        struct group *group = &groups[count++];
        group->count = group->chosen = 0;
        const char *at = open + 1;
        for (;;) {
            size_t length = strcspn(at, ",>");
            if (at[length] == 0 || group->count == ALTERNATIVES) {
                reader_error(reader, "unclosed or too long alternative");
                return 0;
            }
            group->alternative[group->count] = at;
            group->length[group->count++] = length;
            if (at[length] == '>')
                break;
            at += length + 1;
        }
        open = at;
    }
    return count;
}

static void line_expand(struct reader *reader, const char *line)
{
    struct group groups[GROUPS];
    unsigned count = groups_find(reader, line, groups);
    for (;;) {
        char text[LINE_BYTES];
        size_t length = 0;
        unsigned next = 0;
        for (const char *at = line; *at && length < sizeof text - 200;) {
            const struct group *group = NULL;
            if (*at == '<') {
                group = &groups[next++];
                at = strchr(at, '>') + 1;
            } else if (*at == '$' && at[1] >= '1' && (unsigned)(at[1] - '1') < count) {
                group = &groups[at[1] - '1'];
                at += 2;
            }
            if (!group) {
                text[length++] = *at++;
                continue;
            }
            memcpy(text + length, group->alternative[group->chosen], group->length[group->chosen]);
            length += group->length[group->chosen];
        }
        text[length] = 0;
        form_add(reader, text);
        unsigned i = count;
        while (i > 0 && ++groups[i - 1].chosen == groups[i - 1].count)
            groups[--i].chosen = 0;
        if (i == 0)
            return;
    }
}

static void forms_read(struct reader *reader, char *text)
{
    for (char *line = text; line;) {
        reader->line++;
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        size_t length = strlen(line);
        if (line[0] == '[' && line[length - 1] == ']')
            snprintf(reader->section, sizeof reader->section, "%.*s", (int)(length - 2), line + 1);
        else if (length > 0 && line[0] != '#')
            line_expand(reader, line);
        line = end ? end + 1 : NULL;
    }
}

// In a file written by hand each entry has a line `//: NAME | types | options | comparison`. Results belong to the
// file as it is: a change anywhere in it asks for new ones.
static void hand_read(struct reader *reader, const char *text)
{
    size_t first = reader->table->count;
    uint32_t hash = text_hash(2166136261U, text);
    for (const char *line = text; line;) {
        reader->line++;
        const char *end = strchr(line, '\n');
        if (strncmp(line, "//: ", 4) == 0) {
            char *row = text_copy(line + 4, end ? (size_t)(end - line - 4) : strlen(line + 4));
            form_add(reader, row);
            free(row);
        }
        line = end ? end + 1 : NULL;
    }
    for (size_t i = first; i < reader->table->count; i++)
        reader->table->forms[i].hash ^= hash;
}

static int name_compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void hand_folder_read(struct reader *reader, const char *directory)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/hand", directory);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    char *names[FILES];
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) && count < FILES;) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".ptx") == 0)
            names[count++] = text_copy(entry->d_name, length);
    }
    closedir(folder);
    qsort(names, count, sizeof *names, name_compare);
    reader->hand = true;
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/hand/%s", directory, names[i]);
        char *text = opcode_file_read(path, NULL);
        snprintf(reader->section, sizeof reader->section, "hand_%.*s", (int)(strlen(names[i]) - 4),
                 names[i]);
        reader->file = names[i];
        reader->line = 0;
        if (text)
            hand_read(reader, text);
        else
            reader_error(reader, "cannot be read");
        free(text);
        free(names[i]);
    }
}

static uint32_t bytes_hash(uint32_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619U;
    return hash;
}

/* The hash of a form covers its inputs too, so that results recorded for other inputs are not taken for its own. */
static void hashes_complete(struct opcode_table *table)
{
    unsigned char bank[OPCODE_CONST_BYTES];
    opcode_const_fill(bank);
    for (size_t i = 0; i < table->count; i++) {
        struct opcode_form *form = &table->forms[i];
        size_t size = opcode_input_size(form);
        unsigned char *bytes = memory_or_abort(malloc(size + 1));
        opcode_inputs_fill(form, bytes);
        form->hash = bytes_hash(form->hash, bytes, size);
        if (form->memory == MEMORY_CONST || form->memory == MEMORY_GENERIC_CONST)
            form->hash = bytes_hash(form->hash, bank, sizeof bank);
        free(bytes);
    }
}

bool opcode_table_read(struct opcode_table *table, const char *directory)
{
    *table = (struct opcode_table){0};
    char path[1024];
    snprintf(path, sizeof path, "%s/forms.def", directory);
    struct reader reader = {.table = table, .file = path};
    char *text = opcode_file_read(path, NULL);
    if (!text) {
        reader_error(&reader, "cannot be read");
        return false;
    }
    forms_read(&reader, text);
    free(text);
    hand_folder_read(&reader, directory);
    if (!reader.failed)
        hashes_complete(table);
    return !reader.failed;
}

void opcode_table_free(struct opcode_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->forms[i].section);
        free(table->forms[i].name);
        free(table->forms[i].template);
    }
    free(table->forms);
    *table = (struct opcode_table){0};
}
