// SPDX-License-Identifier: Apache-2.0
//
// generate_opcodes TABLE_FOLDER OUT_FOLDER: writes one PTX module a section of the table, OUT_FOLDER/SECTION.ptx, for
// the recorder and for `ptxas`; with --list instead of OUT_FOLDER prints the forms.
#include "opcodes.h"

#include <string.h>

static int forms_list(const struct opcode_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct opcode_form *form = &table->forms[i];
        printf("%s\t%s\t%s\t%u threads\n", form->section, form->name, form->template,
               form->threads);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: generate_opcodes TABLE_FOLDER OUT_FOLDER | --list\n", stderr);
        return 2;
    }
    struct opcode_table table;
    if (!opcode_table_read(&table, argv[1]))
        return 2;
    int status = 0;
    if (strcmp(argv[2], "--list") == 0) {
        status = forms_list(&table);
        opcode_table_free(&table);
        return status;
    }
    const char *section = "";
    unsigned modules = 0;
    for (size_t i = 0; i < table.count; i++) {
        if (strcmp(section, table.forms[i].section) == 0)
            continue;
        section = table.forms[i].section;
        modules++;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.ptx", argv[2], section);
        FILE *file = fopen(path, "w");
        bool written = file && opcode_emit_section(file, &table, section, argv[1]);
        if (file && fclose(file) != 0)
            written = false;
        if (!written) {
            fprintf(stderr, "generate_opcodes: cannot write %s\n", path);
            status = 2;
        }
    }
    printf("%zu forms in %u modules\n", table.count, modules);
    opcode_table_free(&table);
    return status;
}
