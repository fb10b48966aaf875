/* SPDX-License-Identifier: Apache-2.0
 *
 * opcode_page FILE [--write]: compares the page with what ops.def says now, or writes it.
 */
#include "ptx/ptx.h"

#include <errno.h>
#include <string.h>

static int write_page(const char *path, const struct buffer *page)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(page->data, 1, page->size, file) == page->size;
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (!good)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: opcode_page FILE [--write]\n", stderr);
        return 2;
    }
    struct arena arena;
    struct buffer page;
    arena_init(&arena);
    buffer_init(&page, &arena);
    ptx_print_opcode_page(&page);
    int status = 0;
    if (argc > 2 && strcmp(argv[2], "--write") == 0) {
        status = write_page(argv[1], &page);
    } else {
        const char *text = file_read(&arena, argv[1], NULL);
        if (text == NULL || strcmp(text, page.data) != 0) {
            printf("%s is out of date: opcode_page %s --write\n", argv[1], argv[1]);
            status = 1;
        }
    }
    arena_free(&arena);
    return status;
}
