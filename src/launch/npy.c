/* SPDX-License-Identifier: Apache-2.0
 *
 * A NumPy file (format 1 to 3) as the contents of a buffer: `init=@x.npy`, `want=@y.npy`.
 *
 * The header is a Python dictionary with three entries; only plain numbers, little-endian and in C order, are read.  The file may be
 * anything: every length is checked against what is there.
 */
#include "launch/expression.h"

#include <errno.h>
#include <string.h>

/* ---- the header --------------------------------------------------------------------------------------------- */

struct header {
    const char *at, *end;
    struct arena *arena;
    struct npy_file *file;
    const char *type; /* descr */
    bool has_type, has_order, has_shape, is_fortran;
};

static void skip_blanks(struct header *header)
{
    while (header->at < header->end && (*header->at == ' ' || *header->at == '\n' || *header->at == '\t'))
        header->at++;
}

static bool accept(struct header *header, char c)
{
    skip_blanks(header);
    if (header->at == header->end || *header->at != c)
        return false;
    header->at++;
    return true;
}

/* 'text'; NULL when there is none. */
static const char *read_string(struct header *header)
{
    skip_blanks(header);
    char quote = header->at < header->end ? *header->at : 0;
    if (quote != '\'' && quote != '"')
        return NULL;
    const char *start = header->at + 1;
    const char *stop = memchr(start, quote, (size_t)(header->end - start));
    if (stop == NULL)
        return NULL;
    header->at = stop + 1;
    return arena_text(header->arena, start, (size_t)(stop - start));
}

static bool read_number(struct header *header, uint64_t *value)
{
    const char *start;
    skip_blanks(header);
    start = header->at;
    *value = 0;
    for (; header->at < header->end && *header->at >= '0' && *header->at <= '9'; header->at++)
        if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, (uint64_t)(*header->at - '0'), value))
            return false;
    return header->at != start;
}

/* (2, 3), (5,) or (). */
static bool read_shape(struct header *header)
{
    struct npy_file *file = header->file;
    if (!accept(header, '('))
        return false;
    file->count = 1;
    while (!accept(header, ')')) {
        uint64_t *size = &file->shape[file->dimensions];
        if (file->dimensions == NPY_DIMENSIONS || !read_number(header, size) || __builtin_mul_overflow(file->count, *size, &file->count))
            return false;
        file->dimensions++;
        if (!accept(header, ',')) {
            if (!accept(header, ')'))
                return false;
            break;
        }
    }
    return true;
}

static bool read_word(struct header *header, const char *word)
{
    size_t size = strlen(word);
    skip_blanks(header);
    if ((size_t)(header->end - header->at) < size || memcmp(header->at, word, size) != 0)
        return false;
    header->at += size;
    return true;
}

static bool read_entry(struct header *header)
{
    const char *key = read_string(header);
    if (key == NULL || !accept(header, ':'))
        return false;
    if (strcmp(key, "descr") == 0) {
        header->has_type = true;
        header->type = read_string(header);
        return header->type != NULL; /* else a list: a structure */
    }
    if (strcmp(key, "shape") == 0) {
        header->has_shape = true;
        return header->file->dimensions == 0 && read_shape(header);
    }
    header->has_order = true;
    header->is_fortran = read_word(header, "True");
    return strcmp(key, "fortran_order") == 0 && (header->is_fortran || read_word(header, "False"));
}

static const char *read_header(struct header *header)
{
    bool good = accept(header, '{');
    while (good && !accept(header, '}')) {
        good = read_entry(header);
        if (good && !accept(header, ',')) {
            good = accept(header, '}');
            break;
        }
    }
    if (header->has_type && header->type == NULL)
        return "holds a structure, not plain numbers";
    if (!good || !header->has_type || !header->has_order || !header->has_shape)
        return "has a header that is no header of a NumPy file";
    if (header->is_fortran && header->file->dimensions > 1)
        return "is in Fortran order: save numpy.ascontiguousarray(x)";
    if (header->type[0] == '>')
        return "is big-endian: save it in the order of this machine, as x.astype(x.dtype.newbyteorder('<'))";
    return NULL;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static bool find_type(const char *text, struct npy_file *file)
{
    for (unsigned t = 0; t < VALUE_TYPE_COUNT; t++)
        if (t != VALUE_BF16 && strcmp(value_type_info((enum value_type)t)->numpy, text) == 0) {
            file->type = (enum value_type)t;
            return true;
        }
    file->type = VALUE_U8; /* truth values are bytes */
    return strcmp(text, "|b1") == 0;
}

const char *npy_read(struct arena *arena, const char *path, struct npy_file *file)
{
    static const char magic[6] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y'};
    size_t size = 0;
    errno = 0;
    *file = (struct npy_file){.path = path};
    const char *text = file_read(arena, path, &size);
    const uint8_t *bytes = (const uint8_t *)text;
    if (text == NULL)
        return arena_printf(arena, "cannot be read: %s", strerror(errno));
    if (size < 10 || memcmp(text, magic, sizeof magic) != 0)
        return "is no NumPy file (.npy)";
    bool is_long = bytes[6] >= 2;
    size_t start = is_long ? 12 : 10, length = bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] < 1 || bytes[6] > 3 || size < start)
        return "is a NumPy file of an unknown version";
    if (is_long)
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > size - start)
        return "is cut off within its header";
    struct header header = {.at = text + start, .end = text + start + length, .arena = arena, .file = file};
    const char *trouble = read_header(&header);
    if (trouble != NULL)
        return trouble;
    if (!find_type(header.type, file))
        return arena_printf(arena, "holds elements of type `%s`, which no array of a kernel has", header.type);
    uint64_t there = size - start - length, needed;
    if (__builtin_mul_overflow(file->count, value_type_info(file->type)->size, &needed) || needed > there)
        return arena_printf(arena, "is cut off: it should hold %llu elements, and has room for %llu",
                            (unsigned long long)file->count, (unsigned long long)(there / value_type_info(file->type)->size));
    if (needed < there)
        return arena_printf(arena, "has %llu byte%s behind its last element", (unsigned long long)(there - needed), there - needed == 1 ? "" : "s");
    file->data = bytes + start + length;
    return NULL;
}

const char *npy_shape_text(struct arena *arena, const struct npy_file *file)
{
    struct buffer text;
    buffer_init(&text, arena);
    for (unsigned d = 0; d < file->dimensions; d++)
        buffer_printf(&text, "%s%llu", d == 0 ? "(" : ", ", (unsigned long long)file->shape[d]);
    buffer_puts(&text, file->dimensions == 0 ? "()" : file->dimensions == 1 ? ",)" : ")");
    return text.data;
}

/* Bits of bf16, which NumPy does not have, are u16 there. */
bool npy_has_type(const struct npy_file *file, enum value_type type)
{
    unsigned width = value_type_info(type)->size;
    return file->type == type || (type == VALUE_BF16 && file->type == VALUE_U16) ||
           (width == 1 && value_type_info(file->type)->size == 1);
}

/* ---- as an expression ----------------------------------------------------------------------------------------------- */

struct expression *expression_of_file(struct arena *arena, const struct npy_file *file, enum value_type type)
{
    static const uint8_t types[VALUE_TYPE_COUNT] = {
        [VALUE_U32] = TYPE_U32, [VALUE_I64] = TYPE_I64, [VALUE_U64] = TYPE_U64, [VALUE_F16] = TYPE_F32,
        [VALUE_BF16] = TYPE_F32, [VALUE_F32] = TYPE_F32, [VALUE_F64] = TYPE_F64,
    };
    struct expression *expression = ARENA_NEW(arena, struct expression);
    expression->type = (enum expression_type)types[type];
    expression->data = file->data;
    expression->data_type = (uint8_t)type;
    expression->data_count = file->count;
    return expression;
}

void expression_read_data(const struct expression *expression, const int64_t *elements, unsigned count,
                          struct expression_column *result)
{
    enum value_type type = (enum value_type)expression->data_type;
    unsigned width = value_type_info(type)->size;
    for (unsigned n = 0; n < count; n++) {
        bool inside = elements[n] >= 0 && (uint64_t)elements[n] < expression->data_count;
        result->fault[n] = 0;
        result->as.integer[n] = 0;
        if (!inside)
            continue;
        struct value value = value_load(type, expression->data + (uint64_t)elements[n] * width);
        if (value.is_float)
            result->as.real[n] = value.as.real;
        else
            result->as.integer[n] = value.as.integer;
    }
}
