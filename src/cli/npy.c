/* SPDX-License-Identifier: Apache-2.0
 *
 * --dump: a buffer as a NumPy file (format 1.0), or as text.  bf16, which NumPy does not have, is written as its bits (u2).
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

enum {
    CHUNK = 4096,     /* elements at a time */
    SHOWN = 256,      /* elements printed as text */
    LINE = 8          /* of them on a line, for a buffer without rows */
};

/* The header: magic, version, length, a Python dictionary, padded so that the data begins at a multiple of 64. */
static void add_header(struct buffer *out, const struct launch_buffer *buffer)
{
    struct buffer text;
    uint64_t product = 1;
    buffer_init(&text, out->arena);
    for (unsigned d = 0; d < buffer->dimensions; d++)
        product *= buffer->shape[d];
    buffer_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                  value_type_info(buffer->argument->type)->numpy);
    /* The shape may leave elements over; then all of them are one dimension. */
    if (buffer->dimensions > 1 && product == buffer->length)
        for (unsigned d = 0; d < buffer->dimensions; d++)
            buffer_printf(&text, "%s%llu", d == 0 ? "" : ", ",
                          (unsigned long long)buffer->shape[d]);
    else
        buffer_printf(&text, "%llu,", (unsigned long long)buffer->length);
    buffer_puts(&text, "), }");
    while ((10 + text.size + 1) % 64 != 0)
        buffer_putc(&text, ' ');
    buffer_putc(&text, '\n');
    const char magic[10] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(text.size & 255),
                            (char)(text.size >> 8)};
    buffer_add(out, magic, sizeof magic);
    buffer_add(out, text.data, text.size);
}

static bool write_file(struct cli *cli, struct launch_run *run, const struct launch_buffer *buffer,
                       const char *path)
{
    FILE *file = fopen(path, "wb");
    struct buffer header;
    unsigned width = value_type_info(buffer->argument->type)->size;
    unsigned char bytes[CHUNK * 8];
    bool good = file != NULL;
    buffer_init(&header, cli->arena);
    add_header(&header, buffer);
    good = good && fwrite(header.data, 1, header.size, file) == header.size;
    for (uint64_t done = 0; good && done < buffer->length; done += CHUNK) {
        uint64_t part = buffer->length - done < CHUNK ? buffer->length - done : CHUNK;
        good = launch_run_read(run, buffer, done, part, bytes, NULL) &&
               fwrite(bytes, width, part, file) == part;
    }
    int error = errno;
    if (file != NULL && fclose(file) != 0 && good) {
        error = errno;
        good = false;
    }
    if (!good)
        cli_complain(cli, NULL, "cannot write %s: %s", path, strerror(error));
    return good;
}

/* NAME[row,...]: values; an undefined element is `?`. */
static bool print_text(struct cli *cli, struct launch_run *run, const struct launch_buffer *buffer)
{
    struct buffer out;
    const char *name = buffer->argument->name;
    unsigned width = value_type_info(buffer->argument->type)->size;
    uint64_t count = buffer->length < SHOWN ? buffer->length : SHOWN;
    uint64_t row = buffer->dimensions > 1 ? buffer->shape[buffer->dimensions - 1] : LINE;
    unsigned char bytes[SHOWN * 8];
    uint8_t defined[SHOWN];
    if (!launch_run_read(run, buffer, 0, count, bytes, defined)) {
        cli_complain(cli, NULL, "cannot read `%s`", name);
        return false;
    }
    buffer_init(&out, cli->arena);
    for (uint64_t i = 0; i < count; i++) {
        char text[32];
        if (i % (row == 0 ? 1 : row) == 0)
            buffer_printf(&out, "%s%s[%llu]:", i == 0 ? "" : "\n", name, (unsigned long long)i);
        buffer_printf(&out, " %s", defined[i] ? value_format(buffer->argument->type, bytes + i * width, text)
                                              : "?");
    }
    buffer_puts(&out, count == 0 ? arena_printf(cli->arena, "%s: no elements\n", name) : "\n");
    if (count < buffer->length) {
        char digits[28];
        buffer_printf(&out, "... and %s more elements\n",
                      text_group_digits(buffer->length - count, digits));
    }
    FILE *stream = output_machine_stdout(cli) ? stderr : stdout;
    return fwrite(out.data, 1, out.size, stream) == out.size;
}

bool npy_dump(struct cli *cli, struct launch_run *run, const struct launch_buffer *buffer,
              const char *file)
{
    return file == NULL ? print_text(cli, run, buffer) : write_file(cli, run, buffer, file);
}
